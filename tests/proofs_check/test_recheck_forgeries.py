"""Forgeries that the mathematics of the recheck has to refuse.

In the first half the forger has changed the ledger too, so that the statement, proof and box of an
entry are its claim's own and only the mathematics is left to say no. In the second half the ledger
is honest and an entry of the file is not whole, or not what its claim says.
"""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proofs_check.claims import CLAIMS, _template
from proofs_check.language.claim import Claim, Follows, Growth, Identity, Inequality, Step, Verdict
from proofs_check.language.parameters import Integer, Real
from proofs_check.recheck.ledger import Rechecked, recheck
from proofs_check.records import certificate as files
from proofs_check.records.verify import verify

BY_ID = {claim.id: claim for claim in CLAIMS}


def rechecked(claims: list[Claim], entries: list[dict[str, Any]], folder: Path) -> list[Rechecked]:
    body = {"format": files.FORMAT, "version": "1", "budget": "fast", "seed": 0, "claims": entries}
    path = folder / "forged.json"
    path.write_text(json.dumps({**body, "digest": files.digest(body)}), encoding="utf-8")
    return list(recheck(path, claims))


def refusals(claims: list[Claim], folder: Path) -> list[str]:
    """Why claims that a forged ledger believes in are refused, "" where one is not."""
    entries = [{**files.statement(claim), "verdict": str(claim.expected)} for claim in claims]
    found = rechecked(claims, entries, folder)
    return ["" if result.accepted else result.reason for result in found]


def claim(text: str, *parameters: Any, proof: tuple[Step, ...] = (), **more: Any) -> Claim:
    words = {"id": "forged", "label": "", "where": "", "statement": "", "because": ""}
    return Claim(
        formula=text,
        parameters=parameters,
        proof=proof,
        **{"expected": Verdict.PROVED} | words | more,
    )


def through(*steps: str, text: str) -> tuple[Step, ...]:
    """Identities, and what follows from them."""
    return (*map(Identity, steps), Follows(text, given=steps))


FALSE = "x >= 7"
X = Real("x", 0, 1)
OFF = "log(1+x) == log(1+x) + 1/10**{}"


def test_an_honest_claim_of_these_tests_is_accepted(tmp_path: Path) -> None:
    steps = (Identity("(x+1)**2 == x**2 + 2*x + 1"),
             Follows("(x+1)**2 >= 1", given=("(x+1)**2 == x**2 + 2*x + 1",)))  # fmt: skip
    growth = Growth("log(1+x) <= x", "x", "0", "1 - 1/(1+x)")
    assert refusals([claim("(x+1)**2 >= 1", X, proof=steps)], tmp_path) == [""]
    assert refusals([claim("log(1+x) <= x", X, proof=(growth,))], tmp_path) == [""]
    box = claim("x*(1-x) <= 1/2", X, box={"x": ("1/4", "1/2")}, expected=Verdict.PROVED_ON_BOX)
    assert refusals([box], tmp_path) == [""]


@pytest.mark.parametrize("digits", [60, 80, 100, 400])
def test_an_identity_that_is_off_by_little(digits: int, tmp_path: Path) -> None:
    forged = claim(FALSE, X, proof=through(OFF.format(digits), text=FALSE))
    (reason,) = refusals([forged], tmp_path)
    assert "not the same expression" in reason


def test_no_refuted_claim_is_proved_by_an_identity_that_is_off_by_little(tmp_path: Path) -> None:
    forged = []
    for honest in CLAIMS:
        names = [p.name for p in honest.parameters if isinstance(p, Real | Integer)]
        if honest.expected is Verdict.REFUTED and names:
            off = f"exp({names[0]}) == exp({names[0]}) + 1/10**200"
            steps = through(off, text=honest.formula)
            forged.append(replace(honest, proof=steps, expected=Verdict.PROVED, finding="none"))
    assert len(forged) > 50
    assert all(refusals(forged, tmp_path))


@pytest.mark.parametrize(
    "step",
    [
        "x/x == 1", "0*(1/x) == 0", "0*log(x) == 0", "0*sqrt(x-1) == 0", "exp(log(x-1)) == x-1",
        "0*(x-1)**(1/2) == 0", "0*x**(-1) == 0", "sum(k for k in range(x)) == x*(x-1)/2",
        "y == y", "x <= x", "0 <= x < -1",
    ],
)  # fmt: skip
def test_identities_that_are_undefined_or_none(step: str, tmp_path: Path) -> None:
    (reason,) = refusals([claim(FALSE, X, proof=through(step, text=FALSE))], tmp_path)
    assert reason.startswith("step 1: ")


@pytest.mark.parametrize(
    "proof",
    [
        (Follows(FALSE, given=(FALSE,)),),
        (Follows(FALSE, given=("x >= 8",)), Inequality("x >= 8"), Follows(FALSE, given=(FALSE,))),
        (Inequality(FALSE, where=("x >= 8",)),),
        (Inequality(FALSE, box={"x": ("1", "0")}),),
        (Inequality(FALSE, box={"x": ("8", "9")}),),
        (Inequality(FALSE, box={"y": ("0", "1")}),),
        (Inequality(FALSE, box={}),),
        (Growth(FALSE, "x", "0", "1"),),
        (Identity("x == x"), Follows(FALSE, given=())),
    ],
)
def test_steps_from_nothing(proof: tuple[Step, ...], tmp_path: Path) -> None:
    assert all(refusals([claim(FALSE, X, proof=proof)], tmp_path))


def test_growth_out_of_the_domain(tmp_path: Path) -> None:
    """x² − 2x falls up to 1, where the domain begins: from 0 on it does not grow."""
    step = Growth("0 <= x**2 - 2*x", "x", "0", "2*x - 2")
    for more in ({"hypotheses": ("x*(x-1) >= 0", "x >= 1")}, {"hypotheses": ("1 <= x",)}):
        forged = claim(step.formula, Real("x", 0), proof=(step,), **more)
        assert all(refusals([forged], tmp_path))
    domain = claim(step.formula, Real("x", 1), proof=(step,))
    assert all(refusals([domain], tmp_path))


def test_growth_across_a_gap(tmp_path: Path) -> None:
    """−1/(x−1) grows on both sides of 1, where it jumps down from ∞ to −∞."""
    step = Growth("1 <= -1/(x-1)", "x", "0", "1/(x-1)**2")
    forged = claim(step.formula, Real("x", 0), proof=(step,), hypotheses=("x != 1",))
    assert all(refusals([forged], tmp_path))


def test_an_empty_domain_and_contradicting_hypotheses(tmp_path: Path) -> None:
    proof = (Inequality(FALSE),)
    assert all(refusals([claim(FALSE, Real("x", 1, 0), proof=proof)], tmp_path))
    contradicting = claim(FALSE, X, proof=proof, hypotheses=("x > 2",))
    assert all(refusals([contradicting], tmp_path))
    odd = claim("n >= 7", Integer("n", 1, "0"), proof=(Inequality("n >= 7"),))
    assert all(refusals([odd], tmp_path))


def test_names_with_two_meanings(tmp_path: Path) -> None:
    for name in ("pi", "exp"):
        text = f"{name} >= 7"
        forged = claim(text, Real(name, 0, 1), proof=(Inequality(text),))
        assert all(refusals([forged], tmp_path))
    twice = claim(FALSE, X, Real("x", 8, 9), proof=(Inequality(FALSE),))
    assert all(refusals([twice], tmp_path))
    text = "sum(a for k in range(2)) >= 7"
    captured = claim(text, X, Integer("k", 1), let=(("a", "x*k"),), proof=(Inequality(text),))
    assert all(refusals([captured], tmp_path))


def test_claims_that_rest_on_each_other(tmp_path: Path) -> None:
    circle = [
        claim(FALSE, X, id=one, rests_on=(other,), proof=(Follows(FALSE, given=((FALSE, other),)),))
        for one, other in (("one", "two"), ("two", "one"))
    ]
    assert all("rests on" in reason for reason in refusals(circle, tmp_path))
    step = Follows(FALSE, given=((FALSE, "forged"),))
    itself = claim(FALSE, X, rests_on=("forged",), proof=(step,))
    assert refusals([itself], tmp_path) == ["rests on itself"]


def test_cited_premises_that_contradict_each_other(tmp_path: Path) -> None:
    """No point is drawn at which one of them is seen to be false: Γ is not evaluated."""
    x = Real("x", 1, 2)
    facts = [
        claim(text, x, id=name, kind="trusted", expected=Verdict.SUPPORTED)
        for name, text in (("high", "gamma(x) >= 1"), ("low", "gamma(x) <= 0"))
    ]
    given: Any = (("gamma(x) >= 1", "high"), ("gamma(x) <= 0", "low"))
    forged = claim(FALSE, x, rests_on=("high", "low"), proof=(Follows(FALSE, given=given),))
    assert refusals([*facts, forged], tmp_path)[2] == "step 1: no point satisfies the premises"


@pytest.mark.parametrize(
    ("text", "names", "fact"),
    [
        ("x*y*z*(1-x-y-z) <= 0.99/256", "xyz", "log-below-line"),
        ("x*y*(1-x-y) <= 1/27 - 1/10**12", "xy", "basel"),
        ("log(1+x) <= x - 1/10**30", "x", "log-below-line"),
        ("log(1+x) < x", "x", "log-below-line"),
        ("log(1+(x-1/2)) <= x - 1/2", "x", "log-below-line"),
    ],
)
def test_citations_that_are_no_instances(text: str, names: str, fact: str, tmp_path: Path) -> None:
    """The last one is out of the domain of the fact."""
    step = Follows(text, given=((text, fact),))
    parameters = [Real(name, 0, 1) for name in names]
    forged = claim(text, *parameters, proof=(step,), rests_on=(fact,))
    assert refusals([BY_ID[fact], forged], tmp_path)[1].startswith("step 1: ")


def test_a_citation_that_is_an_instance(tmp_path: Path) -> None:
    text = "log(1+x**2) <= x**2"
    step = Follows(text, given=((text, "log-below-line"),))
    honest = claim(text, X, proof=(step,), rests_on=("log-below-line",))
    assert refusals([BY_ID["log-below-line"], honest], tmp_path) == ["", ""]


@pytest.mark.parametrize(
    ("text", "ends"),
    [("(x-1)/(x-1) == 1", (None, None)), ("x*log(x) <= 0", (0, 1)), ("1/x + 1 > 1/x", (-1, 1)),
     ("sqrt(x) >= 0", (-1, 1)), ("0*sqrt(x) <= 1", (-1, 1))],
)  # fmt: skip
def test_statements_that_are_undefined_in_their_domain(
    text: str, ends: tuple[int | None, int | None], tmp_path: Path
) -> None:
    proofs = [{"proof": (Inequality(text),)}, {"proof": (Identity(text),)}, {"box": "all"},
              {"proof": (Inequality(text, box={"x": ("-1", "1")}),)}]  # fmt: skip
    for evidence in proofs[: 2 if "/x" in text else 4]:  # boxes around 0 take long to give up
        forged: Any = claim(text, Real("x", *ends), **evidence)
        assert all(refusals([forged], tmp_path))


@pytest.mark.parametrize(
    "box",
    [
        {"x": ("1", "0")}, {"x": ("8", "9")}, {"y": ("0", "1")}, {"x": ("0", "1"), "y": ("1", "1")},
        {"x": ("5", "1")}, {"x": ("0", "1")}, "all",
    ],
)  # fmt: skip
def test_boxes_that_are_empty_or_not_of_the_domain(box: Any, tmp_path: Path) -> None:
    for verdict in (Verdict.PROVED, Verdict.PROVED_ON_BOX):
        assert all(refusals([claim(FALSE, X, box=box, expected=verdict)], tmp_path))
    nowhere = claim(FALSE, X, box="all", hypotheses=("x >= 2",))
    assert all(refusals([nowhere], tmp_path))


def test_a_part_of_the_domain_is_not_all_of_it(tmp_path: Path) -> None:
    part = claim("x <= 1/2", X, box={"x": ("0", "1/2")})
    assert refusals([part], tmp_path) == ["the box is a part of the domain only"]
    step = Inequality("x <= 1/2", box={"x": ("0", "1/2")})
    for covers, accepted in (("x <= 1/2", True), ("x <= 3/4", False), ("x >= 2", False)):
        named = claim("x <= 1/2", X, proof=(step,), covers=covers, expected=Verdict.PROVED_ON_BOX)
        assert refusals([named], tmp_path) == [""] or not accepted
        assert all(refusals([named], tmp_path)) or accepted
        assert all(refusals([replace(named, expected=Verdict.PROVED)], tmp_path))


# The ledger is honest from here on.


@pytest.fixture(scope="module")
def honest() -> list[dict[str, Any]]:
    body = files.certificate(verify(claims=_template.CLAIMS), "1.0")
    return list(body["claims"])


def refused(entries: list[dict[str, Any]], folder: Path) -> dict[str, str]:
    found = rechecked(list(_template.CLAIMS), entries, folder)
    return {result.id: result.reason for result in found if not result.accepted}


def forged(entries: list[dict[str, Any]], name: str, **changes: Any) -> list[dict[str, Any]]:
    """The entries with one changed; None takes a key away."""
    copied = copy.deepcopy(entries)
    item = next(entry for entry in copied if entry["id"] == name)
    for key, value in changes.items():
        if value is None:
            del item[key]
        else:
            item[key] = value
    return copied


def test_honest_entries_are_accepted(honest: list[dict[str, Any]], tmp_path: Path) -> None:
    assert refused(honest, tmp_path) == {}


def test_every_key_is_needed_and_has_its_type(honest: list[dict[str, Any]], tmp_path: Path) -> None:
    for entry in (honest[0], next(e for e in honest if e["verdict"] == "REFUTED")):
        for key in set(entry) - {"id"}:
            for value in (None, 7, ["PROVED"], {"a": 1}, True):
                (reason,) = refused(forged([entry], entry["id"], **{key: value}), tmp_path).values()
                assert reason and "\n" not in reason and len(reason) < 200
        assert refused(forged([entry], entry["id"], more=1), tmp_path)


@pytest.mark.parametrize(
    "verdict", ["SUPPORTED", "UNDECIDED", "ERROR", "PROVED_ON_BOX", "REFUTED", "proved", ""]
)
def test_another_verdict_than_the_claims(
    verdict: str, honest: list[dict[str, Any]], tmp_path: Path
) -> None:
    name = "template-log-below-line"
    assert name in refused(forged(honest, name, verdict=verdict), tmp_path)


@pytest.mark.parametrize(
    "sides",
    [
        {"left": ["-100", "100"]}, {"left": ["9", "-9"]}, {"left": ["1"]}, {"left": "1/2"},
        {"left": ["-100", "100"], "right": ["-9", "9"]}, {"left": ["nan", "nan"]},
        {"left": [0.5, 0.5]},
        {"left": ["1e999999999", "1e999999999"]}, {"right": None},
    ],
)  # fmt: skip
def test_sides_that_do_not_say_what_the_case_gives(
    sides: dict[str, Any], honest: list[dict[str, Any]], tmp_path: Path
) -> None:
    name = "template-sum-of-logs"
    entry = next(item for item in honest if item["id"] == name)
    changed = {**entry["counterexample"], **sides}
    assert refused(forged(honest, name, counterexample=changed), tmp_path)[name]


@pytest.mark.parametrize(
    "case", [{"a": "1e999999999"}, {"a": 0.5}, {"a": True}, {"a": ["1"]}, {"zz": "1"}, {"a": "−1"}]
)
def test_cases_that_are_no_numbers(
    case: dict[str, Any], honest: list[dict[str, Any]], tmp_path: Path
) -> None:
    name = "template-sum-of-logs"
    entry = next(item for item in honest if item["id"] == name)["counterexample"]
    changed = {**entry, "case": {**entry["case"], **case}}
    assert refused(forged(honest, name, counterexample=changed), tmp_path)[name]


def test_other_spellings_of_a_claim(honest: list[dict[str, Any]], tmp_path: Path) -> None:
    name = "template-log-below-line"
    entry = next(item for item in honest if item["id"] == name)
    text = entry["formula"]
    for other in (text + " ", text.replace("x", "\uff58"), text.replace("<=", "<= ")):
        assert name in refused(forged(honest, name, formula=other), tmp_path)
    for other in (name + " ", name.replace("-", "\u2011"), name.upper()):
        assert other in refused([{**entry, "id": other}], tmp_path)
    twice = refused([*honest, entry], tmp_path)
    assert twice[name] == "stands in the file more than once"


def test_steps_and_boxes_of_another_proof(honest: list[dict[str, Any]], tmp_path: Path) -> None:
    """A valid proof of the same statement is not the ledger's proof either."""
    name = "template-sum-of-logs-repaired"
    entry = next(item for item in honest if item["id"] == name)
    assert "proof" in refused(forged(honest, name, proof=entry["proof"][1:]), tmp_path)[name]
    part = {"x": ["0", "1/2"]}
    box = refused(forged(honest, "template-square-on-a-box", box=part), tmp_path)
    assert "box" in box["template-square-on-a-box"]
