"""Certificates: honest ones are derived again, damaged ones rejected, forged ones refused."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim
from proofs_check.ledgers import CLAIMS, TEMPLATE
from proofs_check.prover.record import supports
from proofs_check.recheck.ledger import missing, recheck
from proofs_check.recheck.reading import BOUND_FORMAT, FORMAT, LOG_FORMAT, digest, kind_of
from proofs_check.records import certificate as files
from proofs_check.records.verify import verify
from tests.proofs_check.recheck.test_refusals import at

pytestmark = pytest.mark.xdist_group("recheck")  # its fixtures take seconds


def with_what_they_name(prefixes: tuple[str, ...]) -> list[Claim]:
    """The claims whose ids begin so, and all that they rest on or are repaired by, in order."""
    by_id = {claim.id: claim for claim in CLAIMS}
    named, todo = set(), [name for name in by_id if name.startswith(prefixes)]
    while todo:
        name = todo.pop()
        if name not in named:
            named.add(name)
            todo += [*supports(by_id[name]), *by_id[name].repairs]
    return [claim for claim in CLAIMS if claim.id in named]


CLAIMS_HERE = [
    *TEMPLATE,
    *with_what_they_name(("lemma-1-", "sum-", "log-", "theory-c-large", "lemma-12-line-4")),
]


@pytest.fixture(scope="module")
def honest() -> dict[str, Any]:
    return files.certificate(verify(claims=CLAIMS_HERE), "1.0")


def results(
    body: dict[str, Any], folder: Path, *, sign: bool = True
) -> dict[str, tuple[bool, str]]:
    forged = copy.deepcopy(body)
    if sign:
        forged["digest"] = digest(forged)
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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "claims"),
        ("{", "claims"),
        ("[]", "claims"),
        ('{"format": 3}', "claims"),
        (f'{{"format": "{FORMAT}"}}', "claims"),
        (f'{{"format": "{BOUND_FORMAT}"}}', "bound"),
        (f'{{"format": "{LOG_FORMAT}"}}', "log"),
        ("[" * 99_999, "claims"),
        ('{"format": "ctv-bounds bound certificate 99"}', "bound"),
    ],
)
def test_what_a_file_says_that_it_certifies(text: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "any.json"
    path.write_text(text, encoding="utf-8")
    assert kind_of(path) == kind


def test_missing_binary_and_altered_files(honest: dict[str, Any], tmp_path: Path) -> None:
    for path in (tmp_path / "nothing.json", tmp_path):
        with pytest.raises(InvalidInput):
            recheck(path)
    binary = tmp_path / "binary.json"
    binary.write_bytes(bytes(range(256)))
    with pytest.raises(InvalidInput, match="not text"):
        recheck(binary)
    altered = copy.deepcopy(honest)
    altered["seed"] = 7
    with pytest.raises(InvalidInput, match="digest"):
        results(altered, tmp_path, sign=False)


LINE, LOGS = "template-log-below-line", "template-sum-of-logs"
REFUTED = {"case": {"x": "1"}, "left": ["0", "9"], "right": ["0", "9"]}
FORGERIES: dict[str, tuple[str, dict[str, Any]]] = {
    "another statement": (LINE, {"formula": "log(1+x) <= x + 1"}),
    "another domain": (LOGS, {"parameters.0.low": 7}),
    "another box": ("template-square-on-a-box", {"box": {"x": ["0", "1"]}}),
    "another case": (LOGS, {"counterexample.case.b": "1"}),
    "a case outside": (LOGS, {"counterexample.case.b": "-3"}),
    "another side": (LOGS, {"counterexample.left": ["5", "5"]}),
    "a truth as refuted": (LINE, {"verdict": "REFUTED", "counterexample": REFUTED}),
    "another theorem": (LINE, {"theorem.statement": "0" * 64}),
    "no theorem": (LINE, {"theorem": None}),
    "a point outside": (LINE, {"witness": {"x": "-1"}}),
    "an unknown claim": (LINE, {"id": "nobody-said-this"}),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forgery_with_a_right_digest_is_refused(forgery, honest, tmp_path: Path) -> None:
    name, edits = FORGERIES[forgery]
    forged = copy.deepcopy(honest)
    item = entry(forged, name)
    for place, value in edits.items():
        at(item, place, value)
    accepted, reason = results(forged, tmp_path)[item["id"]]
    assert not accepted and reason


def test_evidence_of_another_claim_or_none_is_refused(honest, tmp_path: Path) -> None:
    """A refuted claim as proved by the theorem of another; no key of evidence; a second entry."""
    theorem = entry(honest, LINE)["theorem"]
    for name, forge in (
        (LOGS, lambda body, item: item.update(verdict="PROVED", theorem=theorem)),
        (LINE, lambda body, item: item.pop("theorem")),
        (LINE, lambda body, item: body["claims"].append(copy.deepcopy(item))),
    ):
        forged = copy.deepcopy(honest)
        forge(forged, entry(forged, name))
        accepted, reason = results(forged, tmp_path)[name]
        assert not accepted and reason


def test_a_certificate_names_the_claims_that_it_leaves_out(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(files.certificate(verify(["theory-superadditive"]), "1.0")))
    found = {result.id: result.accepted for result in recheck(path)}
    assert found.keys() >= {"theory-superadditive", "theory-m"}
    assert all(found.values())
    left_out = missing(path)
    assert len(left_out) == len(CLAIMS) - len(found) and "theorem-1" in left_out


DEEP = '{"format": "ctv-bounds certificate 3", "claims": ' + "[" * 50_000 + "]" * 50_000 + "}"


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        '{"claims": ' + "9" * 5_000 + "}",
        *("[" * 100_000, '"' + "9" * 5_000, "9" * 5_000),
        '{"format": "ctv-bounds certificate 3", "claims": [], "digest": 1e1000000000}',
    ],
)
def test_a_hostile_file_is_refused_at_once(text: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match="recheck"):
        recheck(path)


@pytest.mark.parametrize("value", ["1e1000000000", "2**(2**61)", "1/0", "[" * 40, {"a": 1}, None])
def test_hostile_numbers_of_an_honest_claim_are_refused(
    value: Any, honest: dict[str, Any], tmp_path: Path
) -> None:
    forged = copy.deepcopy(honest)
    entry(forged, LOGS)["counterexample"]["case"]["b"] = value
    entry(forged, LINE)["witness"]["x"] = value
    found = results(forged, tmp_path)
    assert not found[LOGS][0]
    assert not found[LINE][0]
