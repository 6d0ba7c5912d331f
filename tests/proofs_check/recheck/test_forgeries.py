"""Forgeries that the recheck of claims has to refuse.

First the forger has changed the ledger too, so that only the mathematics is left to say no; then
the ledger is honest and an entry of the file is not whole, or not what its claim says.
"""

import copy
import json
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest

from proofs_check.language.arithmetics import entrywise
from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real
from proofs_check.ledgers import TEMPLATE
from proofs_check.recheck.cases import bound_of
from proofs_check.recheck.entry import statement
from proofs_check.recheck.ledger import recheck
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


Y, N, MANY = Real("y", 0, 1), Integer("n", 0, 3), Real("x", -1, 1)
ANY, PARTLY = "for whatever reason", {"expected": Verdict.PROVED_ON_BOX}
OPEN, BEYOND = "does not hold for certain", "the box of x is no part of its domain"
PART = "the box is a part of the domain only"
BOXES: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    # A claim with its parameters and its box, all of the domain unless another is given; and why it
    # is refused, "" where it is not. Around a maximum that is attained no box closes by its values;
    # the slopes there close it.
    ("x*(1-x) <= 1/4", (X,), {}, ""),
    ("x*(1-x) <= 1/2", (X,), {}, ""),
    ("(x if x <= 1/2 else 1 - x) <= 3/5", (X,), {}, ""),
    ("n*x <= 4", (N, X), {}, ""),
    ("exp(x) >= 1 + x - 1/1000", (X,), {}, ""),
    # Neither side alone, cut as finely as one likes, closes it.
    ("x*(1-x) + y*(1-y) <= 3/5", (X, Y), {}, ""),
    ("x*(1-x) + 7*y*(1-y) <= 21/10", (X, Y), {}, ""),
    # False or undefined somewhere.
    ("(x-1)/(x-1) == 1", (Real("x", 0, 2),), {}, OPEN),
    ("x*log(x) <= 1", (X,), {}, OPEN),
    ("1/x + 2 > 1/x", (MANY,), {}, OPEN),
    ("sqrt(x) >= -1", (MANY,), {}, OPEN),
    ("0*sqrt(x) <= 1", (MANY,), {}, OPEN),
    ("0*x**(-1) <= 1", (MANY,), {}, OPEN),
    ("0*(x-1)**(1/2) <= 1", (X,), {}, OPEN),
    ("0*floor(x) <= 1/2*x**2 - 1", (X,), {}, OPEN),
    ("x >= 7", (X,), {}, OPEN),
    ("x <= 1 - 1/10**9", (X,), {}, OPEN),
    # Boxes that are empty, of other parameters, or no numbers.
    ("x <= 2", (X,), {"box": {"x": ("1", "0")}}, ANY),
    ("x <= 2", (X,), {"box": {"x": ("8", "9")}}, ANY),
    ("x <= 2", (X,), {"box": {"y": ("0", "1")}}, ANY),
    ("x <= 2", (X,), {"box": {"x": ("0", "1"), "y": ("1", "1")}}, ANY),
    ("x <= 2", (X,), {"box": {"x": ("5", "1")}}, ANY),
    ("x <= 2", (X,), {"box": {"x": ("1e1000000000", "1")}}, ANY),
    ("x <= 2", (X,), {"box": {"x": (0.5, 1)}}, ANY),
    # Parts of the domain, and what lies beyond it.
    ("x <= 2", (X,), {"box": {"x": ("0", "1/2")}}, PART),
    ("x <= 2", (X,), {"box": {"x": ("0", "1/2")}, **PARTLY}, ""),
    *(
        ("x <= 7", (X,), {"box": {"x": ends}, **PARTLY}, BEYOND)
        for ends in [("0", "2"), ("-1", "1"), ("-1", "2"), ("3", "4")]
    ),
    # Hypotheses that nothing satisfies, or that hold up to a point of the box.
    ("x >= 7", (X,), {"hypotheses": ("x >= 2",)}, ANY),
    ("x >= 7", (X,), {"hypotheses": ("log(1+x) > x",)}, ANY),
    ("x >= 1/2", (X,), {"hypotheses": ("x >= 1/2",)}, OPEN),
]


@pytest.mark.parametrize(("text", "parameters", "more", "said"), BOXES)
def test_a_box_is_covered_anew(text, parameters, more, said, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("proofs_check.recheck.cases._MOST_BOXES", 3_000)
    witness = {p.name: 1 if isinstance(p, Integer) else "1/2" for p in parameters}
    found = refusal(claim(text, *parameters, **{"box": "all", **more}), tmp_path, witness=witness)
    assert bool(found) is bool(said) and (said == ANY or found.endswith(said)), found


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
