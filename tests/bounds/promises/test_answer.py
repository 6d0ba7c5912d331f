"""One answer: the smallest bound for each policy and kind, a headline that nothing undercuts."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.errors import NumericalFailure
from bounds.kernels import Forgetting, Matern
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate
from bounds.problem import Problem
from bounds.promises.answer import ASKED, Answer, answer_of
from bounds.promises.bounds import Bounds, bounds_of
from bounds.promises.speaks_from import speaks_from
from bounds.regret_itself.regret_bound import ANY_POLICY
from bounds.times import EvaluationTimes


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    gaps = st.sampled_from([0.0, 1e-3, 1.0, 7.5, 1e4])
    durations = draw(st.lists(gaps, min_size=1, max_size=7))
    epsilon = draw(st.sampled_from([0.0, 1e-6, 1e-3, 0.1, 0.6]))
    noise = draw(st.sampled_from([1e-4, 0.01, 1.0, 100.0]))
    return Problem(
        EvaluationTimes.from_durations(durations), epsilon=epsilon, noise_variance=noise,
        domain=Grid(1, 1.0, draw(st.integers(1, 5))), delta=draw(st.sampled_from([0.01, 0.1, 0.5])),
    )  # fmt: skip


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


@settings(max_examples=12, deadline=None)
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


@settings(max_examples=12, deadline=None)
@given(problems())
def test_a_floor_is_below_every_bound_on_the_mean_of_any_policy(problem: Problem) -> None:
    answer = bounds_of(problem, certify=False).answer
    floor = answer.floor
    assert floor is not None
    assert floor.value == max(row.value for row in answer.floors)
    for row in answer.uppers:
        if row.kind == "mean":
            assert floor.value <= row.value * (1 + 1e-9)


def test_the_smallest_of_each_policy_and_kind_with_its_certified_one() -> None:
    found = bounds_of(Problem(EvaluationTimes.from_durations([1.0] * 6), domain=Grid(1, 1.0, 5)))
    answer = found.answer
    keys = [(row.policy, row.exploration, row.kind, row.certified) for row in answer.regret]
    assert len(keys) == len(set(keys))
    one = answer.uppers[0]
    cheaper = replace(one, name="cheaper", value=0.5 * one.value, certified=False)
    surely = replace(one, name="surely", value=0.6 * one.value, certified=True)
    better = Answer(answer.problem, answer.gain, (one, cheaper, surely), ())
    assert [row.name for row in better.regret] == ["cheaper", "surely"]
    assert better.best() is cheaper and better.best(certified=True) is surely
    assert better.floor is None and better.to_dict()["floor"] is None


def test_a_bound_that_does_not_hold_is_no_answer() -> None:
    problem = Problem(
        EvaluationTimes.from_durations([1.0] * 6), epsilon=1e-6,
        time_kernel=Matern(0.5, 1.0), domain=Grid(1, 1.0, 5),
    )  # fmt: skip
    found = bounds_of(problem, certify=False)
    assert not found.report.gains["theorem1"].valid
    assert "theorem1" not in {row.name for row in found.answer.uppers}
    assert found.vacuous and found.speaks is not None and found.speaks.epsilon is None


def test_bounds_on_the_gain_keep_their_names_and_sources() -> None:
    found = bounds_of(Problem(EvaluationTimes.from_durations([1.0] * 4), domain=Grid(1, 1.0, 5)))
    rows = {row.name: row for row in found.answer.uppers if "γ̂" in row.source}
    for name, bound in found.report.gains.items():
        if bound.valid:
            row = rows[bound.name]
            assert row.value == found.report.regret[name] and row.source.endswith(bound.source)
            assert row.certified is bound.certified and row.kind == "probability"


@pytest.mark.parametrize("which", ["floor", "ceiling", "neither"])
def test_a_floor_above_a_ceiling_may_be_the_chance_of_a_simulation(which: str) -> None:
    found = bounds_of(Problem(EvaluationTimes.from_durations([1.0] * 4), domain=Grid(1, 1.0, 5)))
    floor = next(row for row in found.rows if row.direction == "lower" and row.kind == "mean")
    below = replace(floor, direction="upper", value=0.5 * floor.value, name="low",
                    simulated=which == "ceiling")  # fmt: skip
    with pytest.raises(NumericalFailure) as caught:
        answer_of(found.report, (replace(floor, simulated=which == "floor"), below))
    assert ("a simulation may have failed" in str(caught.value)) is (which != "neither")


def test_a_published_gain_bound_that_applies_is_a_road_too() -> None:
    found = bounds_of(Problem(EvaluationTimes.from_durations([1.0] * 6), domain=Grid(1, 1.0, 5)))
    able = next(row for row in found.rivals if row.applies and row.gain is not None)
    tiny = replace(able, gain=1e-3)
    answer = answer_of(found.report, found.rows, (tiny,))
    best = answer.best()
    assert best is not None and best.name == able.name and not best.certified


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
    assert "no drift" in speaks_from(problem, gamma).reason
