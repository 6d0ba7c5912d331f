"""Thompson sampling, random weights and schedules: their laws, and their regret between bounds."""

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret_itself.ceilings.ceilings import ceilings
from bounds.regret_itself.ceilings.schedule import Schedule
from bounds.regret_itself.floors.floors import floors
from bounds.times import EvaluationTimes
from simulation.before_run.schedule import schedule_bound
from simulation.model.covariance import GridCovariance
from simulation.model.posterior import make_posterior
from simulation.model.sampling import PosteriorSampler
from simulation.policies.policy import PolicySetup, make_policy
from simulation.policies.readings import Readings
from simulation.runs.run import simulate
from simulation.world.evaluation_time import PointDurations, constant

GRID = Grid(1, 1.0, 6)


def problem_with(kernel, **more) -> Problem:
    times = EvaluationTimes.from_durations(np.ones(12))
    return Problem(times, time_kernel=kernel, noise_variance=0.05, domain=GRID, **more)


KERNELS = [Forgetting(0.1), Matern(1.5, 4.0)]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_draws_have_the_mean_and_variance_of_the_posterior(kernel):
    covariance = GridCovariance(SquaredExponential(0.3), GRID)
    sampler = PosteriorSampler(covariance, kernel, 0.05, np.random.default_rng(0))
    posterior = make_posterior(covariance, kernel, 0.05, 5)
    for index, gap, value in ((0, 1.0, 1.0), (3, 0.5, -0.5), (0, 0.0, 0.8), (5, 2.0, 0.3)):
        sampler.observe(index, gap, value)
        posterior.observe(index, gap, value)
    drawn = np.array([sampler.draw(0.7) for _ in range(3_000)])
    expected = posterior.predict(0.7)
    np.testing.assert_allclose(drawn.mean(axis=0), expected.mean, atol=0.08)
    np.testing.assert_allclose(drawn.var(axis=0), expected.variance, atol=0.08)


def setup_for(problem, policy_seed=0, **readings) -> PolicySetup:
    return PolicySetup(
        problem=problem,
        covariance=GridCovariance(problem.space_kernel, problem.domain),
        evaluation_time=constant(1.0, problem.n),
        rounds=problem.n,
        acquisition="ucb",
        exploration="beta",
        rng=np.random.default_rng(policy_seed),
        readings=Readings(**readings),
    )


def test_random_weights_have_the_mean_of_theorem_t():
    policy = make_policy("random-weight-ucb", setup_for(problem_with(Forgetting(0.1))))
    drawn = np.array([policy.weight() for _ in range(20_000)])
    assert drawn.mean() == pytest.approx(1.4990, abs=0.02)  # |D|·I(1/|D|) at six points
    other = make_policy("irgp-ucb", setup_for(problem_with(Forgetting(0.1))))
    squares = np.array([other.weight() ** 2 for _ in range(20_000)])
    assert squares.mean() == pytest.approx(2 * np.log(3) + 2, abs=0.08)


def test_a_schedule_is_kept_and_the_mean_played_elsewhere():
    problem = problem_with(Forgetting(0.05))
    schedule = Schedule((0, 1, 5), (2, 4, 1))
    run = simulate(
        problem, constant(1.0, 12), "scheduled", initial=0, rounds=12,
        readings=Readings(schedule=schedule),
    )  # fmt: skip
    assert [int(run.points[i]) for i in schedule.rounds] == list(schedule.points)
    plain = make_posterior(GridCovariance(problem.space_kernel, GRID), Forgetting(0.05), 0.05, 12)
    for i in range(12):
        if i not in schedule.rounds:
            assert run.points[i] == np.argmax(plain.predict(1.0).mean)
        plain.observe(int(run.points[i]), 1.0, run.observations[i])


@pytest.mark.parametrize("policy", ["ts", "random-weight-ucb", "irgp-ucb", "scheduled"])
def test_runs_repeat_and_take_times_that_depend_on_the_point(policy):
    problem = problem_with(Forgetting(0.1))
    waits = PointDurations(np.linspace(0.5, 2.0, 6), "slope")
    runs = [simulate(problem, waits, policy, seed=3, initial=2, rounds=6) for _ in range(2)]
    np.testing.assert_array_equal(runs[0].points, runs[1].points)
    assert np.all(runs[0].regrets >= 0)


@pytest.mark.parametrize("policy", ["ts", "random-weight-ucb", "scheduled"])
def test_regret_lies_between_floors_and_ceilings(policy):
    problem = problem_with(Forgetting(0.1))
    schedule = Schedule((0, 1, 2, 6), (0, 5, 2, 3))
    regrets = np.array([
        simulate(problem, constant(1.0, 12), policy, seed=s, initial=0, rounds=12,
                 readings=Readings(schedule=schedule)).regrets.sum()
        for s in range(80)
    ])  # fmt: skip
    mean, error = regrets.mean(), 4 * regrets.std() / np.sqrt(len(regrets))
    for row in floors(problem):
        assert row.value <= mean + error
    gains = [(0.05, 12 * problem.trivial_gain_per_round)]
    rows = [row for row in ceilings(problem, gains) if row.policy == policy]
    if policy == "scheduled":
        rows = [schedule_bound(problem, schedule, draws=5_000).row()]
    assert rows
    for row in rows:
        assert mean - error <= row.value
