"""Forgeries that the recheck of claims has to refuse.

First the forger has changed the ledger too, so that only the mathematics is left to say no; then
the ledger is honest and an entry of the file is not whole, or not what its claim says.
"""

import ast
import copy
import json
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest

from proofs_check import recheck as room
from proofs_check.language.arithmetics import entrywise
from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real
from proofs_check.ledgers import TEMPLATE
from proofs_check.prover.record import recorded
from proofs_check.recheck import ledger
from proofs_check.recheck.cases import bound_of
from proofs_check.recheck.entry import statement
from proofs_check.recheck.ledger import recheck
from proofs_check.recheck.outcome import Rechecked
from proofs_check.recheck.reading import FORMAT, digest
from proofs_check.records import certificate as files
from proofs_check.records.verify import verify
from tests.proofs_check.planted import claim as planted
from tests.proofs_check.test_language import ADMITTED, VALUES

pytestmark = pytest.mark.xdist_group("forgeries")  # its fixtures take seconds

X = Real("x", 0, 1)


def rechecked(claims: list[Claim], entries: list[dict[str, Any]], folder: Path) -> dict[str, str]:
    """Why entries are refused, "" where they are not."""
    body = {"format": FORMAT, "version": "1", "budget": "fast", "seed": 0, "claims": entries}
    path = folder / "forged.json"
    path.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
    return {r.id: "" if r.accepted else r.reason for r in recheck(path, claims)}


def claim(text: str, *parameters: Any, **more: Any) -> Claim:
    given = {"id": "forged", "statement": "", "expected": Verdict.PROVED}
    return planted(text, *parameters, **{**given, **more})


def entry_of(believed: Claim, **more: Any) -> dict[str, Any]:
    verdict = more.get("verdict", str(believed.expected))
    evaluated = "exact" if believed.box is None else "enclosure"
    given: dict[str, Any] = {
        "verdict": verdict,
        "by": {"REFUTED": "search", "OUTLINE": "outline"}.get(verdict, evaluated),
        "witness": {"x": "1/2"},
        "theorem": None,
    }
    return {**statement(believed, believed.rests_on), **given, **more}


def refusal(believed: Claim, folder: Path, **more: Any) -> str:
    return rechecked([believed], [entry_of(believed, **more)], folder)["forged"]


def test_the_checker_imports_nothing_of_the_finder() -> None:
    """Claims serve to refuse other statements, the record of the prover to compare with."""
    finder = ("search", "enclosures", "records", "language.formula", "language.parameters")
    for path in Path(str(room.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in getattr(node, "names", []) if path]
            module = getattr(node, "module", None) or ""
            for full in (module, *(f"{module}.{name}" for name in names)):
                assert not any(f"proofs_check.{room}" in full for room in finder), path.name
                if full.startswith(("proofs_check.prover", "proofs_check.ledgers")):
                    assert path.name == "ledger.py"
                assert not full.startswith(("ctv", "bounds.gain", "bounds.static_gain"))


@pytest.mark.parametrize(
    ("text", "parameters", "box"),
    [
        ("x*(1-x) <= 1/4", (X,), "all"),
        ("x*(1-x) <= 1/2", (X,), "all"),
        ("(x if x <= 1/2 else 1 - x) <= 3/5", (X,), "all"),
        ("n*x <= 4", (Integer("n", 0, 3), X), "all"),
        ("exp(x) >= 1 + x - 1/1000", (X,), "all"),
    ],
)
def test_an_honest_box_is_accepted(text, parameters, box, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("proofs_check.recheck.cases._MOST_BOXES", 3_000)
    witness = {p.name: "1/2" if p is X else 1 for p in parameters}
    # Around a maximum that is attained no box closes by its values; the slopes there close it.
    assert refusal(claim(text, *parameters, box=box), tmp_path, witness=witness) == ""


def test_a_claim_without_parameters_is_evaluated(tmp_path: Path) -> None:
    """Its two sides, or in a definition; to say it is not enough."""
    for text, let, sound in (
        ("1/3 + 1/6 <= 1/2", (), True),
        ("1 <= 0", (), False),
        ("a <= 2", (("a", "1 + 1"),), True),
        ("a < 2", (("a", "1 + 1"),), False),
        ("sqrt(2)*sqrt(2) == 2", (), False),
    ):
        named = claim(text, let=let)
        said = refusal(named, tmp_path, witness=None, by="exact")
        assert said == ("" if sound else "the two sides, evaluated, do not satisfy it")
    path = tmp_path / "forged.json"
    (found,) = recheck(path, [named])
    assert found.id == "forged" and not found.accepted
    assert refusal(claim("1 <= 2"), tmp_path, witness=None) == ""
    (found,) = recheck(path, [claim("1 <= 2")])
    assert found.reason == "both sides evaluated" and found.derived
    with_one = claim("x <= 2", X)
    assert refusal(with_one, tmp_path) == "has neither a theorem nor a box"


def test_a_refusal_spreads_to_all_proofs_that_rest_on_it() -> None:
    def outcome(name: str, accepted: bool, verdict: str = "PROVED") -> Rechecked:
        return Rechecked(name, verdict, accepted, "why", 0.5, value=2.0)

    rests = {"a": [], "b": ["z", "a"], "c": ["b"], "d": ["z"], "e": ["a"], "f": ["c"]}
    results = [
        outcome("f", True),
        outcome("a", False),
        outcome("b", True),
        outcome("c", True),
        outcome("d", True),
        outcome("e", True, "REFUTED"),
    ]
    entries = {name: {"rests_on": names} for name, names in rests.items()}
    found = {one.id: one for one in ledger._without_what_rests_on_refused(results, entries)}
    assert {name: one.reason for name, one in found.items()} == {
        "f": "rests on c, which is refused",
        "a": "why",
        "b": "rests on a, which is refused",
        "c": "rests on b, which is refused",
        "d": "why",
        "e": "why",
    }
    assert [name for name, one in found.items() if one.accepted] == ["d", "e"]
    assert list(found) == ["f", "a", "b", "c", "d", "e"] and found["b"].value == 2.0


def test_the_assistant_is_asked_anew_where_it_is_wished(honest, tmp_path, monkeypatch) -> None:
    """Of the theorems in the file alone; what it has otherwise is refused."""
    by_theorem = [entry["id"] for entry in honest if entry["theorem"] is not None]
    assert by_theorem
    path, asked = tmp_path / "asked.json", []
    body = {"format": FORMAT, "version": "1", "budget": "fast", "seed": 0, "claims": honest}
    path.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
    for differing in ([], ["prover"], ["sources"], ["statements"], ["definitions"], by_theorem[:1]):
        answer = {"differing": differing}
        monkeypatch.setattr(
            ledger, "compared", lambda ids, answer=answer: asked.append(ids) or answer
        )
        found = {one.id: one for one in recheck(path, TEMPLATE, prover=True)}
        for name in by_theorem:
            other = next(
                (one for one in differing if one in (name, "sources", "statements", "definitions")),
                "",
            )
            assert found[name].accepted is (other == "")
            said = f"the prover, asked anew, has another {other}" if other else "accepted again"
            assert found[name].reason.endswith(said)
    assert all(sorted(ids) == sorted(by_theorem) for ids in asked) and len(asked) == 6
    plain = {one.id: one for one in recheck(path, TEMPLATE)}
    assert (
        plain[by_theorem[0]].reason.endswith(f"as recorded of Coq {recorded().prover}")
        and len(asked) == 6
    )
    monkeypatch.setattr(ledger, "stale", lambda claim, record: "scalar.v")
    for one in recheck(path, TEMPLATE):
        if one.id in by_theorem:
            assert one.reason == "the record of the prover is stale: scalar.v differs"
    without = [entry for entry in honest if entry["theorem"] is None]
    body["claims"] = without
    path.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
    heard: list[tuple[str, float]] = []
    recheck(path, TEMPLATE, lambda *said: heard.append(said), prover=True)
    assert len(asked) == 6 and heard[0] == (without[0]["id"], 0.0)
    assert ledger.missing(path, TEMPLATE) == tuple(
        one.id for one in TEMPLATE if one.id in by_theorem
    )


def test_a_statement_is_all_that_a_claim_says() -> None:
    named = claim(
        "a <= 2",
        X,
        Integer("n", 0, 3),
        let=(("a", "x"),),
        hypotheses=("x <= 1",),
        box="all",
        label="L",
        where="p. 1",
        statement="s",
        because="b",
        rests_on=("one",),
        reading="r",
    )
    said = statement(named, ("one", "two"))
    kinds = [parameter.pop("type") for parameter in said["parameters"]]
    assert kinds == ["Real", "Integer"] and said["parameters"][0]["low_open"] is False
    assert [parameter["name"] for parameter in said.pop("parameters")] == ["x", "n"]
    assert said == {
        "id": "forged",
        "kind": named.kind,
        "formula": "a <= 2",
        "definitions": [["a", "x"]],
        "hypotheses": ["x <= 1"],
        "outline": named.outline,
        "rests_on": ["one", "two"],
        "box": "all",
        "statement": "s",
        "reading": "r",
    }
    assert statement(named, ()) == statement(named, []) and "sentence" not in said


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("(x-1)/(x-1) == 1", (0, 2)),
        ("x*log(x) <= 1", (0, 1)),
        ("1/x + 2 > 1/x", (-1, 1)),
        ("sqrt(x) >= -1", (-1, 1)),
        ("0*sqrt(x) <= 1", (-1, 1)),
        ("0*x**(-1) <= 1", (-1, 1)),
        ("0*(x-1)**(1/2) <= 1", (0, 1)),
        ("0*floor(x) <= 1/2*x**2 - 1", (0, 1)),
        ("x >= 7", (0, 1)),
        ("x <= 1 - 1/10**9", (0, 1)),
    ],
)
def test_what_is_false_or_undefined_somewhere_in_its_box(text, ends, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("proofs_check.recheck.cases._MOST_BOXES", 3_000)
    assert refusal(claim(text, Real("x", *ends), box="all"), tmp_path)


@pytest.mark.parametrize(
    "box",
    [
        {"x": ("1", "0")},
        {"x": ("8", "9")},
        {"y": ("0", "1")},
        {"x": ("0", "1"), "y": ("1", "1")},
        {"x": ("5", "1")},
        {"x": ("0", "1/2")},
        {"x": ("1e1000000000", "1")},
        {"x": (0.5, 1)},
    ],
)
def test_boxes_that_are_empty_or_not_of_the_domain(box: Any, tmp_path: Path) -> None:
    assert refusal(claim("x <= 2", X, box=box), tmp_path)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("n*x <= 5/2", (0, 3)),
        ("n >= 1", (0, 3)),
        ("n <= 2", (0, "7/2")),
        ("n >= 1", ("-1/2", 3)),
        ("n*n <= 8 + x/2", (-3, 2)),
    ],
)
def test_every_integer_of_a_box_is_examined(text: str, ends, tmp_path: Path) -> None:
    """What is false at the first or at the last of them alone."""
    named = claim(text, Integer("n", *ends), X, box="all")
    given = {"n": 1, "x": "1/2"}
    assert refusal(named, tmp_path, witness=given).endswith("does not hold for certain")
    wider = claim("n*n <= 9", Integer("n", *ends), X, box="all")
    assert refusal(wider, tmp_path, witness=given) == ""
    found = {r.id: r.reason for r in recheck(tmp_path / "forged.json", [wider])}
    count = 1 + floor(Fraction(ends[1])) - ceil(Fraction(ends[0]))
    assert found == {"forged": f"{count} boxes"}
    part = claim(text, Integer("n", *ends), X, box={"n": (1, 2)}, expected=Verdict.PROVED_ON_BOX)
    assert refusal(part, tmp_path, witness=given) == ""


@pytest.mark.parametrize("text", ["x*(1-x) + y*(1-y) <= 3/5", "x*(1-x) + 7*y*(1-y) <= 21/10"])
def test_a_box_is_cut_along_every_side(text: str, tmp_path: Path) -> None:
    """Neither side alone, cut as finely as one likes, closes it."""
    named = claim(text, X, Real("y", 0, 1), box="all")
    assert refusal(named, tmp_path, witness={"x": "1/2", "y": "1/2"}) == ""


@pytest.mark.parametrize("ends", [("0", "2"), ("-1", "1"), ("-1", "2"), ("3", "4")])
def test_a_box_beyond_the_domain_is_no_part_of_it(ends, tmp_path: Path) -> None:
    beyond = claim("x <= 7", X, box={"x": ends}, expected=Verdict.PROVED_ON_BOX)
    assert refusal(beyond, tmp_path) == "the box of x is no part of its domain"


def test_a_part_of_the_domain_is_not_all_of_it(tmp_path: Path) -> None:
    part = claim("x <= 2", X, box={"x": ("0", "1/2")})
    assert refusal(part, tmp_path) == "the box is a part of the domain only"
    named = claim("x <= 2", X, box={"x": ("0", "1/2")}, expected=Verdict.PROVED_ON_BOX)
    assert refusal(named, tmp_path) == ""


def test_hypotheses_that_nothing_satisfies(tmp_path: Path) -> None:
    nowhere = claim("x >= 7", X, box="all", hypotheses=("x >= 2",))
    assert refusal(nowhere, tmp_path)
    thin = claim("x >= 7", X, box="all", hypotheses=("log(1+x) > x",))
    assert refusal(thin, tmp_path)
    cut = claim("x >= 1/2", X, box="all", hypotheses=("x >= 1/2",))
    assert refusal(cut, tmp_path) == "" or "does not hold" in refusal(cut, tmp_path)


@pytest.mark.parametrize(
    ("parameter", "value", "inside"),
    [
        (parameter, value, inside)
        for parameter, *both in ADMITTED
        for values, inside in zip(both, (True, False), strict=True)
        for value in values
    ],
)
def test_points_of_a_domain_and_beside_it(parameter, value, inside: bool, tmp_path: Path) -> None:
    """As a point of the domain, and as a counterexample to what is never true."""
    before, case = (Integer("n", 1), Real("a", 0)), {**VALUES, parameter.name: value}
    refuted = claim("1 <= 0", *before, parameter, expected=Verdict.REFUTED, finding="false")
    sides = {"case": entrywise(str, case), "left": ["1", "1"], "right": ["0", "0"]}
    said = refusal(refuted, tmp_path, counterexample=sides, witness=None)
    assert (said == "") is inside
    said = refusal(claim("1 >= 0", *before, parameter), tmp_path, witness=entrywise(str, case))
    assert (said == "has neither a theorem nor a box") is inside and said


def test_points_and_cases_that_fail_a_hypothesis(tmp_path: Path) -> None:
    given: dict[str, Any] = {"hypotheses": ("x <= 1/4",)}
    high = {"x": "1/2"}
    proved = claim("x >= 0 - 1", X, box="all", **given)
    said = refusal(proved, tmp_path, witness=high)
    assert said == "the point of the domain does not satisfy x <= 1/4"
    refuted = claim("x <= 0", X, expected=Verdict.REFUTED, finding="false", **given)
    sides = {"case": high, "left": ["1/2", "1/2"], "right": ["0", "0"]}
    said = refusal(refuted, tmp_path, counterexample=sides)
    assert said == "the counterexample does not satisfy x <= 1/4"


def test_a_tie_that_no_precision_decides_is_no_counterexample(tmp_path: Path) -> None:
    """√2·√2 ≤ 2 holds; sides within the width of a ball that say otherwise are not enough."""
    named = claim(
        "sqrt(x)*sqrt(x) <= x", Real("x", 0, 9), expected=Verdict.REFUTED, finding="false"
    )
    above = str(2 + Fraction(1, 10**308))
    sides = {"case": {"x": "2"}, "left": [above, above], "right": ["2", "2"]}
    said = refusal(named, tmp_path, counterexample=sides, witness=None)
    assert said == "the counterexample satisfies the claim"


def test_sides_that_are_too_wide_to_decide_are_no_counterexample(tmp_path: Path) -> None:
    """The case violates the claim by 10⁻¹⁰; sides of a file are up to 10⁻⁹ wide."""
    false = claim("x <= 1 - 1/10**10", Real("x", 0, 9), expected=Verdict.REFUTED, finding="false")
    right, small = 1 - Fraction(1, 10**10), Fraction(1, 10**11)
    for apart, said in (
        (0, ""),
        (9 * small, ""),
        (11 * small, "the sides in the file do not decide the comparison"),
    ):
        ends = [str(right - apart), str(right + apart)]
        sides = {"case": {"x": "1"}, "left": ["1", "1"], "right": ends}
        assert refusal(false, tmp_path, counterexample=sides, witness=None) == said


def test_sides_that_decide_but_do_not_say_what_they_are(tmp_path: Path) -> None:
    """At most 10⁻⁹ wide, as a share of their size where that is above 1."""
    false = claim("x <= 0", Real("x", 0, 9), expected=Verdict.REFUTED, finding="false")
    for ends, said in (
        (("5", "100"), "the left side in the file is too wide to say what it is"),
        (("9", "9.00000001"), "the left side in the file is too wide to say what it is"),
        (("9", "9.000000009"), ""),
        (("10", "9"), "the left side ends before it begins"),
    ):
        sides = {"case": {"x": "9"}, "left": list(ends), "right": ["0", "0"]}
        assert refusal(false, tmp_path, counterexample=sides, witness=None) == said


def test_a_side_that_is_another_is_named(tmp_path: Path) -> None:
    false = claim("x <= 0", Real("x", 0, 9), expected=Verdict.REFUTED, finding="false")
    for name, ends in (("left", ["8", "8"]), ("right", ["1", "1"])):
        sides = {"case": {"x": "9"}, "left": ["9", "9"], "right": ["0", "0"], name: ends}
        said = refusal(false, tmp_path, counterexample=sides, witness=None)
        assert said == f"the {name} side is not what the file says"


def test_a_box_without_a_point_of_the_domain_proves_nothing(tmp_path: Path) -> None:
    """The point that is given lies in the domain, and not in the box."""
    more: dict[str, Any] = {"hypotheses": ("x >= 3/4",), "expected": Verdict.PROVED_ON_BOX}
    for ends, said in ((("0", "1/2"), "the box holds no point of the domain"), (("7/8", "1"), "")):
        named = claim("x >= 1/2", X, box={"x": ends}, **more)
        assert refusal(named, tmp_path, witness={"x": "1"}) == said


def test_a_bound_that_is_no_exact_number_decides_nothing() -> None:
    assert bound_of(None, {}) is None and bound_of("1/3", {}) == Fraction(1, 3)
    assert bound_of("n + 1", {"n": 3}) == bound_of(4, {}) == 4
    with pytest.raises(AttributeError):
        bound_of("exp(1)", {})


def test_claims_that_rest_on_what_is_refused(tmp_path: Path) -> None:
    low = claim("x >= 7", X, id="low", box="all")
    high = claim("x >= 0 - 1", X, id="high", box="all", rests_on=("low",))
    found = rechecked([low, high], [entry_of(high), entry_of(low)], tmp_path)
    assert found["low"] and found["high"] == "rests on low, which is refused"


# The ledger is honest from here on.

LINE, LOGS = "template-log-below-line", "template-sum-of-logs"


@pytest.fixture(scope="module")
def honest() -> list[dict[str, Any]]:
    return list(files.certificate(verify(claims=TEMPLATE), "1.0")["claims"])


def forged(
    entries: list[dict[str, Any]], folder: Path, name: str, **changes: Any
) -> dict[str, str]:
    """What is refused where one entry has changed; None takes a key away."""
    copied = copy.deepcopy(entries)
    item = next(entry for entry in copied if entry["id"] == name)
    for key, value in changes.items():
        item.pop(key) if value is None else item.update({key: value})
    found = rechecked(list(TEMPLATE), copied, folder)
    return {name: reason for name, reason in found.items() if reason}


def test_every_key_is_needed_and_has_its_type(honest: list[dict[str, Any]], tmp_path: Path) -> None:
    for entry in (honest[0], next(e for e in honest if e["verdict"] == "REFUTED")):
        for key in set(entry) - {"id"}:
            for value in (None, 7, ["PROVED"], {"a": 1}, True):
                if entry[key] is None or (key == "by" and value is None):
                    continue
                found = forged([entry], tmp_path, entry["id"], **{key: value})
                (reason,) = found.values() if found else ("",)
                assert reason or key in ("by", "witness"), (key, value)
                assert "\n" not in reason and len(reason) < 200
        assert forged([entry], tmp_path, entry["id"], more=1)


@pytest.mark.parametrize(
    "verdict", ["SUPPORTED", "UNDECIDED", "ERROR", "PROVED_ON_BOX", "REFUTED", "proved", ""]
)
def test_another_verdict_than_the_claims(verdict: str, honest, tmp_path: Path) -> None:
    assert LINE in forged(honest, tmp_path, LINE, verdict=verdict)


@pytest.mark.parametrize(
    "sides",
    [
        {"left": ["-100", "100"]},
        {"left": ["9", "-9"]},
        {"left": ["1"]},
        {"left": "1/2"},
        {"left": ["-100", "100"], "right": ["-9", "9"]},
        {"left": ["nan", "nan"]},
        {"left": [0.5, 0.5]},
        {"left": ["1e999999999", "1e999999999"]},
        {"right": None},
    ],
)
def test_sides_that_do_not_say_what_the_case_gives(sides, honest, tmp_path: Path) -> None:
    entry = next(item for item in honest if item["id"] == LOGS)
    assert forged(honest, tmp_path, LOGS, counterexample={**entry["counterexample"], **sides})


@pytest.mark.parametrize(
    "case", [{"a": "1e999999999"}, {"a": 0.5}, {"a": True}, {"a": ["1"]}, {"zz": "1"}, {"a": "−1"}]
)
def test_cases_that_are_no_numbers(case, honest, tmp_path: Path) -> None:
    entry = next(item for item in honest if item["id"] == LOGS)["counterexample"]
    changed = {**entry, "case": {**entry["case"], **case}}
    assert forged(honest, tmp_path, LOGS, counterexample=changed)


def test_other_spellings_of_a_claim(honest: list[dict[str, Any]], tmp_path: Path) -> None:
    entry = next(item for item in honest if item["id"] == LINE)
    text = entry["formula"]
    for other in (text + " ", text.replace("x", "\uff58"), text.replace("<=", "<= ")):
        assert LINE in forged(honest, tmp_path, LINE, formula=other)
    for other in (LINE + " ", LINE.replace("-", "\u2011"), LINE.upper()):
        assert rechecked(list(TEMPLATE), [{**entry, "id": other}], tmp_path)[other]
