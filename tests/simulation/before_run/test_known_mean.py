"""Upper bounds by the gaps of known means: by simulation, against the floor, in their limits."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Arms
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.regret.lower.arms import PriceFloor
from bounds.regret.lower.prices import largest_mean
from bounds.times import EvaluationTimes
from simulation.before_run.known_mean import known_mean_ceilings, schedule_regret
from simulation.before_run.schedule import schedule_bound


def problem_of(durations, arms, epsilon=0.1, noise=0.05) -> Problem:
    times = EvaluationTimes.from_durations(durations)
    return Problem(times, epsilon, noise_variance=noise, domain=Arms(arms))


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.floats(-2, 2), min_size=2, max_size=4),
    st.lists(st.floats(0, 3), min_size=1, max_size=4),
    st.floats(0.01, 0.9),
)
@example([0.0, 0.0], [1.0], 0.5)
@example([0.0, 1.5, 1.5], [0.0, 0.0, 3.0], 0.3)
def test_no_floor_is_above_a_ceiling(means, waits, epsilon):
    problem = problem_of([1.0, *waits], len(means), epsilon)
    ceilings = {row.policy: row for row in known_mean_ceilings(problem, means)}
    floor = PriceFloor().with_means(problem, means)
    assert floor is not None and floor.certified and ceilings["posterior-mean"].certified
    assert floor.value <= min(row.value for row in ceilings.values()) + 1e-9
    assert ceilings["scheduled"].value <= ceilings["posterior-mean"].value + 1e-6
    assert all("mean m(x) is known" in row.hypotheses for row in (floor, *ceilings.values()))


def greedy_regret(means, epsilon, noise, rounds, schedule, runs=20_000) -> tuple[float, float]:
    """Mean regret and its error of looks by a schedule and the largest posterior mean otherwise."""
    rng, m = np.random.default_rng(3), np.asarray(means)
    f = rng.standard_normal((runs, len(m)))
    belief, left, every = np.zeros_like(f), np.ones_like(f), np.arange(runs)
    looks, total = dict(zip(schedule.rounds, schedule.points, strict=True)), np.zeros(runs)
    kept = np.sqrt(1.0 - epsilon)
    for i in range(rounds):
        if i:
            f = kept * f + np.sqrt(epsilon) * rng.standard_normal(f.shape)
            belief, left = kept * belief, epsilon + (1 - epsilon) * left
        x = np.full(runs, looks[i]) if i in looks else np.argmax(m + belief, axis=1)
        total += (m + f).max(axis=1) - (m + f)[every, x]
        y = f[every, x] + np.sqrt(noise) * rng.standard_normal(runs)
        gain = left[every, x] / (left[every, x] + noise)
        belief[every, x] += gain * (y - belief[every, x])
        left[every, x] *= 1 - gain
    return float(total.mean()), float(total.std() / runs**0.5)


@pytest.mark.parametrize("means", [[0.0, 0.7], [0.3, 0.0, 0.9], [0.0, 0.0, 2.0]])
@pytest.mark.parametrize("schedule", [Schedule((), ()), Schedule((0, 1, 4), (0, 1, 0))])
def test_simulated_play_is_below(means, schedule):
    problem = problem_of([1.0] * 8, len(means))
    regret, error = greedy_regret(means, 0.1, 0.05, 8, schedule)
    assert regret <= schedule_regret(problem, means, schedule) + 3 * error


def test_without_gaps_it_is_theorem_x():
    problem, schedule = (
        problem_of([1.0, 0.5, 2.0, 1.0, 0.0, 1.0], 3),
        Schedule((0, 1, 3), (0, 1, 2)),
    )
    plain = schedule_bound(problem, schedule).value
    assert schedule_regret(problem, [0.0] * 3, schedule) == pytest.approx(plain, rel=1e-6)
    assert schedule_regret(problem, [5.0] * 3, schedule) == pytest.approx(plain, rel=1e-6)


def test_gaps_lower_it_and_one_round_is_exact():
    problem = problem_of([1.0] * 60, 5, 0.02, 0.01)
    values = [
        known_mean_ceilings(problem, [0, 0, 0, 0, gap])[0].value for gap in (0.0, 1.0, 2.0, 5.0)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(60 * largest_mean((0.0,) * 5)[1])
    assert values[-1] < 0.02
    once = problem_of([1.0], 2)
    rng = np.random.default_rng(0)
    drawn = np.maximum(rng.standard_normal(10**6), 0.5 + rng.standard_normal(10**6)).mean() - 0.5
    assert known_mean_ceilings(once, [0.0, 0.5])[0].value == pytest.approx(drawn, abs=4e-3)
    assert PriceFloor().with_means(once, [0.0, 0.5]).value == pytest.approx(drawn, abs=4e-3)


def test_other_kernels_of_time_have_greedy_play_alone():
    times = EvaluationTimes.from_durations([1.0] * 4)
    smooth = Problem(times, time_kernel=SquaredExponential(2.0), domain=Arms(2))
    assert [row.policy for row in known_mean_ceilings(smooth, [0.0, 1.0])] == ["posterior-mean"]
    assert PriceFloor().with_means(smooth, [0.0, 1.0]) is None
    assert Forgetting(0.1).is_markov
