"""One answer: the smallest bound for each policy and kind, a headline that nothing undercuts."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.errors import NumericalFailure
from bounds.gain.answer import ASKED, Answer, _require_order, answer_of
from bounds.gain.bounds import Bounds, bounds_of
from bounds.gain.report import GainAnswer
from bounds.gain.speaks_from import speaks_from
from bounds.kernels import Forgetting, Matern
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate
from bounds.problem import Problem
from bounds.regret.regret_bound import ANY_POLICY, PRIOR, RegretBound
from bounds.rivals.rival import Rival
from bounds.times import EvaluationTimes


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    gaps = st.sampled_from([0.0, 1e-3, 1.0, 7.5, 1e4])
    durations = draw(st.lists(gaps, min_size=1, max_size=5))
    epsilon = draw(st.sampled_from([0.0, 1e-6, 1e-3, 0.1, 0.6]))
    noise = draw(st.sampled_from([1e-4, 0.01, 1.0, 100.0]))
    return Problem(
        EvaluationTimes.from_durations(durations),
        epsilon=epsilon,
        noise_variance=noise,
        domain=Grid(1, 1.0, draw(st.integers(1, 5))),
        delta=draw(st.sampled_from([0.01, 0.1, 0.5])),
    )


def everything(found: Bounds) -> list[tuple[str, str, str, float, bool]]:
    """(policy, exploration, kind, value, certified) of each valid upper bound on any table."""
    rows = [
        (*ASKED, "probability", found.report.regret[name], bound.certified)
        for name, bound in found.report.gains.items()
        if bound.valid
    ]
    rows += [
        (row.policy, row.exploration, row.kind, row.value, row.certified)
        for row in found.rows
        if row.direction == "upper"
    ]
    return rows


@settings(max_examples=6, deadline=None)
@given(problems(), st.booleans())
def test_nothing_on_any_table_is_below_the_headline(problem: Problem, certify: bool) -> None:
    found = bounds_of(problem, certify=certify)
    answer = found.answer
    for kind in ("probability", "mean"):
        for certified in (False, True):
            covering = [
                value
                for policy, exploration, row_kind, value, sure in everything(found)
                if row_kind == kind
                and (policy == ANY_POLICY or (policy, exploration) == ASKED)
                and (sure or not certified)
            ]
            best = answer.best(kind, certified=certified)
            if covering:
                assert best is not None and best.value <= min(covering)
    headline = answer.best()
    assert headline is not None
    for row in answer.others:
        assert row.value < headline.value
        assert row.kind == "mean" or (row.policy, row.exploration) != ASKED


def test_a_bound_that_does_not_hold_is_no_answer() -> None:
    problem = Problem(
        EvaluationTimes.from_durations([1.0] * 6),
        epsilon=1e-6,
        time_kernel=Matern(0.5, 1.0),
        domain=Grid(1, 1.0, 5),
    )
    found = bounds_of(problem, certify=False)
    assert not found.report.gains["theorem1"].valid
    assert "theorem1" not in {row.name for row in found.answer.uppers}
    assert found.vacuous and found.speaks.epsilon is None
    assert found.to_dict()["speaks_from_reason"] == found.speaks.reason != ""


def test_bounds_on_the_gain_keep_their_names_and_sources() -> None:
    found = bounds_of(Problem(EvaluationTimes.from_durations([1.0] * 4), domain=Grid(1, 1.0, 5)))
    rows = {row.name: row for row in found.answer.uppers if "γ̂" in row.source}
    for name, bound in found.report.gains.items():
        if bound.valid:
            row = rows[bound.name]
            assert row.value == found.report.regret[name] and row.source.endswith(bound.source)
            assert row.certified is bound.certified and row.kind == "probability"

    problem, trivial = found.problem, found.report.gains["trivial"]
    assert rows["trivial"] == RegretBound(
        "trivial",
        found.report.regret_from(trivial.value),
        "upper",
        "ctv-fixed",
        PRIOR,
        "probability",
        1.0 - problem.delta,
        "all n",
        "√(C₁β_n n·γ̂), each round gains at most ½ log(1+1/σ²)",
        "theory",
        certified=True,
    )


def one(name="one", value=5.0, direction="upper", policy="ctv-fixed", kind="probability", **more):
    more = {"exploration": "theory" if policy == "ctv-fixed" else "", **more}
    return RegretBound(name, value, direction, policy, "none", kind, None, "one n", "s", **more)


ABLE = Rival("able", "Someone 2020", 0.25, None, True, "")


def small_report(**more):
    """A report as the answer sees it: two bounds on the gain that hold, and two that do not."""

    def bound(name, value, valid=True):
        return SimpleNamespace(
            name=name, value=value, valid=valid, source=f"of {name}", certified=name == "a"
        )

    gains = {
        b.name: b
        for b in (
            bound("a", 2.0),
            bound("b", 3.0),
            bound("c", 1.0, valid=False),
            bound("d", float("inf")),
        )
    }
    given = {
        "gains": gains,
        "answer": GainAnswer(1.5, 2.0, "a", False, True),
        "regret": {name: 10.0 * bound.value for name, bound in gains.items()},
        "regret_from": lambda gain: 10.0 * gain,
        "beta_certified": True,
        "problem": SimpleNamespace(delta=0.25),
        **more,
    }
    return SimpleNamespace(**given)


def test_what_holds_and_is_finite_enters_the_answer() -> None:
    inf, nan = float("inf"), float("nan")
    rivals = [
        ABLE,
        replace(ABLE, name="no", applies=False),
        replace(ABLE, name="none", gain=None),
        replace(ABLE, name="far", gain=inf),
    ]
    rows = [
        one("up", 7.0),
        one("far", inf),
        one("nan", nan),
        one("low", 0.5, "lower", ANY_POLICY),
        one("least", -inf, "lower"),
        one("all", 9.0, policy=ANY_POLICY),
    ]
    report = small_report()
    found = answer_of(report, rows, rivals)
    assert found.gain is report.answer and found.delay == 0
    assert found.problem is report.problem
    assert [(row.name, row.value, row.certified) for row in found.uppers] == [
        ("a", 20.0, True),
        ("b", 30.0, False),
        ("able", 2.5, False),
        ("up", 7.0, False),
        ("all", 9.0, False),
    ]
    assert found.uppers[2].source == "√(C₁β_n n·γ̂), Someone 2020"
    assert found.uppers[2].level == 0.75 and found.floors == (rows[3],)
    assert not any(row.certified for row in answer_of(small_report(beta_certified=False)).uppers)
    late = answer_of(report, rows, rivals, delay=2)
    assert (late.uppers, late.floors, late.delay) == ((rows[5],), (rows[3],), 2)


def test_the_answer_as_plain_data() -> None:
    rows = (
        one("b", 6.0, certified=True),
        one("a", 5.0),
        one("c", 4.0, kind="mean"),
        one("d", 3.0, policy="ei"),
        one("e", 7.0, policy=ANY_POLICY, certified=True),
        one("f", 2.5, policy="ei"),
        one("g", 9.0, policy="ei", certified=True),
    )
    b, a, c, _, e, f, g = rows
    floors = (
        one("u", 1.0, "lower", ANY_POLICY, "mean"),
        one("v", 9.0, "lower", kind="mean", times="t(x)"),
        one("w", 8.0, "lower"),
        one("x", 2.0, "lower", kind="mean"),
        one("y", 0.5, "lower", kind="mean", certified=True),
    )
    gain = GainAnswer(1.0, 2.0, "knots", True, True)
    found = Answer(None, gain, rows, floors, delay=3)
    assert found.to_dict() == {
        "delay": 3,
        "headline": {
            "policy": "ctv-fixed",
            "exploration": "theory",
            "bound": a.to_dict(),
            "certified_bound": b.to_dict(),
            "smaller": [f.to_dict(), c.to_dict()],
        },
        "gain": {
            "lower": 1.0,
            "upper": 2.0,
            "name": "knots",
            "certified": True,
            "lower_certified": True,
            "upper_certified": True,
        },
        "regret": [row.to_dict() for row in (a, b, c, f, g, e)],
        "floor": floors[3].to_dict(),
        "floors": [row.to_dict() for row in floors],
    }
    assert found.certified_floor is floors[4]
    assert found.best("mean") is c and found.best("mean", certified=True) is None
    nothing = Answer(None, GainAnswer(1.0, 2.0, "knots", True, False), (), ()).to_dict()
    assert "delay" not in nothing and not nothing["gain"]["certified"]
    assert nothing["headline"]["bound"] is nothing["headline"]["certified_bound"] is None
    # Of two equal ones that which is certified, alone.
    twins = (one("t", 5.0), one("u", 5.0, certified=True))
    assert Answer(None, gain, twins, ()).regret == (twins[1],)
    other = Answer(None, gain, rows, (), policy="ei", exploration="")
    assert other.best() is f and other.best(certified=True) is e


@pytest.mark.parametrize(
    ("floor", "fails"),
    [
        ({}, True),
        ({"policy": "ctv-fixed"}, True),
        ({"policy": "ei"}, False),
        ({"kind": "mean"}, False),
        ({"times": "t(x)"}, False),
        ({"value": 5.0}, False),
        ({"value": 5.0 * (1.0 + 0.9e-9)}, False),
        ({"value": 5.0 * (1.0 + 1.1e-9)}, True),
    ],
)
def test_floors_are_compared_with_ceilings_of_the_same_kind(floor, fails: bool) -> None:
    given_ = {"value": 6.0, "policy": ANY_POLICY, **floor}
    below = one("low", direction="lower", **given_)
    apart = one("apart", 1.0, kind="mean", times="t(y)")
    if not fails:
        _require_order([below], [apart, one()])
        return
    with pytest.raises(NumericalFailure) as caught:
        _require_order([below], [apart, one()])
    assert str(caught.value) == (
        f"the floor low ({below.value:.12g}) is above the ceiling one of CTV-fixed, exploration "
        "theory (5): one of them is wrong"
    )
    # Of negative numbers a share of their size.
    _require_order([one("low", -5.0 * (1.0 - 0.9e-9), "lower")], [one(value=-5.0)])


@pytest.mark.parametrize("which", ["floor", "ceiling", "neither"])
def test_a_floor_above_a_ceiling_may_be_the_chance_of_a_simulation(which: str) -> None:
    found = bounds_of(Problem(EvaluationTimes.from_durations([1.0] * 4), domain=Grid(1, 1.0, 5)))
    floor = next(row for row in found.rows if row.direction == "lower" and row.kind == "mean")
    below = replace(
        floor, direction="upper", value=0.5 * floor.value, name="low", simulated=which == "ceiling"
    )
    with pytest.raises(NumericalFailure) as caught:
        answer_of(found.report, (replace(floor, simulated=which == "floor"), below))
    assert ("a simulation may have failed" in str(caught.value)) is (which != "neither")


@settings(max_examples=60, deadline=None)
@given(
    durations=st.lists(st.sampled_from([0.0, 0.1, 1.0, 3.0, 50.0]), min_size=1, max_size=8),
    share=st.sampled_from([0.05, 0.3, 0.7, 2.5]),
    rises=st.booleans(),
)
@example([1.0] * 12, 2.5, False)
@example([0.0, 3.0, 0.0, 0.0, 9.0, 0.0], 2.5, False)
@example([0.0] * 5, 0.3, True)  # nothing drifts at any ε
def test_theorem_1_speaks_below_its_threshold_only(
    durations: list[float], share: float, rises: bool
) -> None:
    problem = Problem(EvaluationTimes.from_durations(durations), domain=Grid(1, 1.0, 4))
    cap = problem.n * problem.trivial_gain_per_round
    rounds = np.arange(problem.n + 1)
    gamma = problem.trivial_gain_per_round * np.minimum(
        rounds, share * np.sqrt(rounds) if rises else share
    )
    threshold = speaks_from(problem, gamma).epsilon
    for factor, below in ((0.999, True), (1.001, False)):
        epsilon = factor * (threshold or 1e-18)
        if epsilon < 0.99:
            at = replace(problem, epsilon=epsilon, time_kernel=Forgetting(epsilon))
            least = min(
                evaluate("theorem1", at, gamma, Partition((0, *cuts, problem.n))).value
                for k in range(problem.n)
                for cuts in combinations(range(1, problem.n), k)
            )
            low = least < cap * (1 - 1e-10) and not theorem1_failure(at)
            assert low == (below and threshold is not None)


def test_where_every_round_reaches_the_cap_there_is_no_threshold() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0, 1.0]), domain=Grid(1, 1.0, 4))
    gamma = np.arange(3.0) * problem.trivial_gain_per_round
    assert speaks_from(problem, gamma).epsilon is None
    reason = "at no drift: already without drift the rounds reach the cap"
    assert speaks_from(problem, gamma).reason == reason
    smooth = replace(problem, time_kernel=Matern(2.5, 3.0))
    assert speaks_from(smooth, gamma).reason == "its ε belongs to the forgetting kernel"
    assert speaks_from(problem, 0.5 * gamma).reason == ""
