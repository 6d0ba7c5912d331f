"""Certificates: honest ones are derived again, damaged ones rejected, forged ones refused."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from bounds.errors import InvalidInput
from proofs_check.claims import CLAIMS, _template
from proofs_check.language.claim import Claim
from proofs_check.recheck.ledger import recheck
from proofs_check.records import certificate as files
from proofs_check.records.verify import verify


def with_what_they_name(prefixes: tuple[str, ...]) -> list[Claim]:
    """The claims whose ids begin so, and all that they rest on or are repaired by, in order."""
    by_id = {claim.id: claim for claim in CLAIMS}
    named, todo = set(), [name for name in by_id if name.startswith(prefixes)]
    while todo:
        name = todo.pop()
        if name not in named:
            named.add(name)
            todo += [*by_id[name].rests_on, *by_id[name].repairs]
    return [claim for claim in CLAIMS if claim.id in named]


CLAIMS_HERE = [
    *_template.CLAIMS,
    *with_what_they_name(("lemma-1-", "sum-", "forgetting-kernel-psd", "theory-c-event")),
]


@pytest.fixture(scope="module")
def honest() -> dict[str, Any]:
    return files.certificate(verify(claims=CLAIMS_HERE), "1.0")


def results(
    body: dict[str, Any], folder: Path, *, sign: bool = True
) -> dict[str, tuple[bool, str]]:
    forged = copy.deepcopy(body)
    if sign:
        forged["digest"] = files.digest(forged)
    path = folder / "certificate.json"
    path.write_text(json.dumps(forged), encoding="utf-8")
    return {r.id: (r.accepted, r.reason) for r in recheck(path, CLAIMS_HERE)}


def entry(body: dict[str, Any], name: str) -> dict[str, Any]:
    return next(item for item in body["claims"] if item["id"] == name)


def test_everything_is_derived_again(honest: dict[str, Any], tmp_path: Path) -> None:
    found = results(honest, tmp_path)
    assert len(found) >= 8
    assert all(accepted for accepted, _ in found.values()), found


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"format": "other"}', '{"format": "ctv-bounds certificate 1"}', "\x00"],
)
def test_damaged_files_are_named_and_rejected(text: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"recheck = .*(not JSON|not a certificate|damaged)"):
        recheck(path)


def test_missing_binary_and_altered_files(honest: dict[str, Any], tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.json", tmp_path):
        with pytest.raises(InvalidInput):
            recheck(path)
    binary = tmp_path / "binary.json"
    binary.write_bytes(bytes(range(256)))
    with pytest.raises(InvalidInput, match="not JSON"):
        recheck(binary)
    altered = copy.deepcopy(honest)
    altered["seed"] = 7
    with pytest.raises(InvalidInput, match="digest"):
        results(altered, tmp_path, sign=False)


def forged_statement(body: dict[str, Any]) -> str:
    entry(body, "template-log-below-line")["formula"] = "log(1+x) <= x + 1"
    return "template-log-below-line"


def forged_domain(body: dict[str, Any]) -> str:
    entry(body, "template-sum-of-logs")["parameters"][0]["low"] = 7
    return "template-sum-of-logs"


def forged_verdict(body: dict[str, Any]) -> str:
    """A refuted claim as proved, by a step that does not hold."""
    item = entry(body, "template-sum-of-logs")
    item["verdict"] = "PROVED"
    item["proof"] = [
        {"step": "Inequality", "formula": item["formula"], "where": [], "box": {}, "note": ""}
    ]
    item["covers"] = ""
    return "template-sum-of-logs"


def forged_box(body: dict[str, Any]) -> str:
    entry(body, "template-square-on-a-box")["box"] = {"x": ["0", "1"]}
    return "template-square-on-a-box"


def forged_case(body: dict[str, Any]) -> str:
    entry(body, "template-sum-of-logs")["counterexample"]["case"]["b"] = "1"
    return "template-sum-of-logs"


def forged_case_outside(body: dict[str, Any]) -> str:
    entry(body, "template-sum-of-logs")["counterexample"]["case"]["b"] = "-3"
    return "template-sum-of-logs"


def forged_side(body: dict[str, Any]) -> str:
    entry(body, "template-sum-of-logs")["counterexample"]["left"] = ["5", "5"]
    return "template-sum-of-logs"


def refuted_truth(body: dict[str, Any]) -> str:
    item = entry(body, "template-log-below-line")
    item["verdict"] = "REFUTED"
    item["counterexample"] = {"case": {"x": "1"}, "left": ["0", "9"], "right": ["0", "9"]}
    return "template-log-below-line"


def forged_derivative(body: dict[str, Any]) -> str:
    entry(body, "template-log-below-line")["proof"][0]["derivative"] = "x"
    return "template-log-below-line"


def forged_identity(body: dict[str, Any]) -> str:
    entry(body, "template-sum-of-logs-repaired")["proof"][0]["formula"] = (
        "(1+a)*(1+b) - (1+a+b) == a*b + 1"
    )
    return "template-sum-of-logs-repaired"


def forged_citation(body: dict[str, Any]) -> str:
    item = entry(body, "lemma-1-exact")
    step = item["proof"][-1]
    step["given"] = [[step["formula"], "sum-split"]]
    return "lemma-1-exact"


def forged_last_step(body: dict[str, Any]) -> str:
    entry(body, "template-sum-of-logs-repaired")["proof"].pop()
    return "template-sum-of-logs-repaired"


def left_out_support(body: dict[str, Any]) -> str:
    body["claims"] = [item for item in body["claims"] if item["id"] != "sum-split"]
    return "lemma-1-exact"


def unknown_claim(body: dict[str, Any]) -> str:
    entry(body, "template-log-below-line")["id"] = "nobody-said-this"
    return "nobody-said-this"


def missing_evidence(body: dict[str, Any]) -> str:
    del entry(body, "template-log-below-line")["proof"]
    return "template-log-below-line"


def support_called_trusted(body: dict[str, Any]) -> str:
    """A lemma without its proof, passed off as a textbook fact."""
    support = entry(body, "theory-c-window")
    support |= {"kind": "trusted", "verdict": "SUPPORTED"}
    del support["proof"]
    return "theory-c-event"


def support_on_a_box(body: dict[str, Any]) -> str:
    entry(body, "theory-c-window")["verdict"] = "PROVED_ON_BOX"
    return "theory-c-event"


def support_with_a_wrong_proof(body: dict[str, Any]) -> str:
    entry(body, "theory-c-window")["proof"][0]["formula"] = "u**2 > 1"
    return "theory-c-event-weight"  # two steps away


def root_of_a_negative_number(body: dict[str, Any]) -> str:
    """A step that is undefined for b < 0 in place of one that fails there."""
    item = entry(body, "template-sum-of-logs")
    undefined = "b + 0*sqrt(b) >= 0"
    follows = {"step": "Follows", "formula": item["formula"], "given": [undefined], "note": ""}
    first = {"step": "Inequality", "formula": undefined, "where": [], "box": {}, "note": ""}
    item |= {"verdict": "PROVED", "proof": [first, follows]}
    return "template-sum-of-logs"


def second_entry_of_one_id(body: dict[str, Any]) -> str:
    """A proof that fails, behind an honest entry of the same id, and what rests on it."""
    second = copy.deepcopy(entry(body, "theory-c-window"))
    second["proof"] = second["proof"][1:]
    body["claims"].append(second)
    return "theory-c-event"


@pytest.mark.parametrize(
    "forge",
    [
        forged_statement, forged_domain, forged_verdict, forged_box, forged_case,
        forged_case_outside, forged_side, refuted_truth, forged_derivative, forged_identity,
        forged_citation, forged_last_step, left_out_support, unknown_claim, missing_evidence,
        support_called_trusted, support_on_a_box, support_with_a_wrong_proof,
        second_entry_of_one_id, root_of_a_negative_number,
    ],
)  # fmt: skip
def test_a_forgery_with_a_right_digest_is_refused(
    forge: Any, honest: dict[str, Any], tmp_path: Path
) -> None:
    forged = copy.deepcopy(honest)
    name = forge(forged)
    accepted, reason = results(forged, tmp_path)[name]
    assert not accepted
    assert reason


def test_a_certificate_of_one_claim_brings_what_it_rests_on(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    files.write(path, verify(["theory-c-event"]), "1.0")
    found = {result.id: result.accepted for result in recheck(path)}
    assert found.keys() >= {"theory-c-event", "theory-c-window"}
    assert all(found.values())
