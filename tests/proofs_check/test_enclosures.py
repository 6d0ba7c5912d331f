"""The enclosure engine alone: what closes, what it then says, and what it leaves undecided."""

from typing import Any

import pytest

from proofs_check.enclosures.subdivision import enclose, ground
from proofs_check.language.claim import BadClaim, Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Vector
from tests.proofs_check.planted import claim as planted

X = Real("x", 0, 1)


def claim(formula: str, *parameters: Any, **more: Any) -> Claim:
    given = {"id": "c", "expected": Verdict.PROVED, "box": "all", **more}
    return planted(formula, *(parameters or (X,)), **given)


@pytest.mark.parametrize(
    ("formula", "hypotheses", "verdict"),
    [
        ("x*(1-x) <= 3/10", (), Verdict.PROVED),
        ("x >= 1/2", (), Verdict.UNDECIDED),
        ("x >= 1/2", ("x >= 3/4",), Verdict.PROVED),
        ("x >= 7", ("x >= 2",), Verdict.UNDECIDED),
        ("x >= 0 - 1", ("x*x <= 0 - 1",), Verdict.UNDECIDED),
        # Nothing is surely inside a domain this thin, but one of its points is met.
        ("x >= 0 - 1", ("x*(1-x) == 0",), Verdict.PROVED),
        ("x >= 0 - 1", ("x*(1-x) == 1/5",), Verdict.UNDECIDED),
        ("x >= 1/2", ("x*(1-x) == 0",), Verdict.UNDECIDED),
        ("sqrt(x - 1/2) >= 0 - 1", (), Verdict.UNDECIDED),
        ("1/(x + 1) <= 11/10", (), Verdict.PROVED),
        ("(x - 1/2)**(1/3) >= 0 - 9", (), Verdict.UNDECIDED),
        ("(x - 1/2)**(1/3) <= 1", ("x >= 3/4",), Verdict.PROVED),
        ("sqrt(x - 1/2) <= 1", ("x >= 3/4",), Verdict.PROVED),
    ],
)
def test_a_cover_says_that_the_claim_holds_where_its_hypotheses_do(
    formula: str, hypotheses: tuple[str, ...], verdict: Verdict
) -> None:
    found = enclose(claim(formula, hypotheses=hypotheses), 400)
    assert found.verdict is verdict and found.engine == "enclosure"
    if verdict is Verdict.PROVED:
        assert found.sentence == f"{found.cases} boxes cover the domain"


def test_what_nothing_satisfies_is_vacuous() -> None:
    found = enclose(claim("x >= 7", hypotheses=("x >= 2",)), 400)
    assert found.sentence == "no point of the box satisfies the hypotheses: vacuous"
    assert found.cases == 1


def test_a_verdict_is_for_the_box_that_was_covered() -> None:
    y = Real("y", 0, 2)
    part = enclose(claim("x + y <= 4", X, y, box={"x": ("0", "1/2"), "y": ("0", "2")}), 9)
    assert part.verdict is Verdict.PROVED_ON_BOX
    assert part.sentence == "1 boxes cover x in [0, 1/2], y in [0, 2]"
    whole = enclose(claim("x + y <= 4", X, y, box={"y": ("0", "2"), "x": ("0", "1")}), 9)
    assert whole.verdict is Verdict.PROVED
    count = Integer("n", 1)
    some = enclose(claim("n*x <= 5", count, X, box={"n": ("1", "4")}), 9)
    assert some.verdict is Verdict.PROVED_UP_TO and some.sizes == {"n": 4}
    assert some.sentence == "4 boxes cover n <= 4" and some.cases == 4
    both = enclose(claim("n*x <= 5", count, X, box={"n": ("1", "4"), "x": ("0", "1/2")}), 9)
    assert both.verdict is Verdict.PROVED_ON_BOX
    assert enclose(claim("n*x <= 5", Integer("n", 1, 4), X), 9).verdict is Verdict.PROVED
    over = enclose(claim("n*x <= 5", count, X, box={"n": ("1", "6")}), 99)
    assert over.verdict is Verdict.UNDECIDED and over.sentence.startswith("undecided after ")
    bounded = claim("n <= 3*x + 4", X, Integer("n", 0, 3))
    assert enclose(bounded, 9).verdict is Verdict.PROVED


def test_boxes_that_cannot_be_covered_are_no_claims() -> None:
    for parameter, said in (
        (Real("x", 0), "c: x needs a finite box"),
        (Vector("x", 2), "c: x cannot be enclosed"),
        (Integer("x", 0, 30_000), "c: x has too many values"),
    ):
        with pytest.raises(BadClaim, match=said):
            enclose(claim("1 <= 2", parameter), 9)


def test_a_statement_without_parameters_is_decided_by_its_value() -> None:
    def of(formula: str, **more: Any) -> Any:
        return ground(planted(formula, **more))

    for formula, sound in (
        ("1/3 + 1/6 == 1/2", True),
        ("exp(1) <= 3", True),
        ("1 <= 0", False),
        ("sqrt(2)*sqrt(2) <= 2", False),
        ("exp(1/10**100) > 1", True),
        ("sqrt(0-1) <= 9", False),
    ):
        found = of(formula)
        assert found.verdict is (Verdict.PROVED if sound else Verdict.UNDECIDED)
        assert found.engine == "exact"
    assert of("a <= 2", let=(("a", "1 + 1"),)).sentence == "both sides evaluated"
    assert of("1 <= 2", hypotheses=("2 <= 1",)).verdict is Verdict.UNDECIDED


def test_a_bound_and_an_index_that_depend_on_an_integer() -> None:
    """x up to n for each n; a whole side is an integer where one is wanted."""
    n, upto = Integer("n", 1, 2), Real("x", 0, "n")
    assert enclose(claim("x <= n + 1/10", n, upto), 400).verdict is Verdict.PROVED
    assert enclose(claim("x <= 3/2", n, upto), 400).verdict is Verdict.UNDECIDED
    summed = claim("sum(k for k in range(n + 1)) <= 3", n, X)
    assert enclose(summed, 400).verdict is Verdict.PROVED
