"""Thompson sampling, random weights and schedules: their laws, and their regret between bounds."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.regret.rows import floors, regret_rows
from bounds.times import EvaluationTimes
from simulation.before_run.schedule import schedule_bound
from simulation.model.covariance import GridCovariance
from simulation.model.posterior import make_posterior
from simulation.policies import scheduled
from simulation.policies.base import PolicySetup
from simulation.policies.finite import FiniteSet
from simulation.policies.readings import Readings
from simulation.policies.tuned import make_policy
from simulation.runs.run import simulate
from simulation.world.evaluation_time import FixedDurations, PointDurations, constant
from tests.simulation.model.test_sampling import law_of

GRID = Grid(1, 1.0, 6)


def problem_with(kernel, **more) -> Problem:
    times = EvaluationTimes.from_durations(np.ones(12))
    return Problem(times, time_kernel=kernel, noise_variance=0.05, domain=GRID, **more)


def setup_for(problem, policy_seed=0, times=None, **readings) -> PolicySetup:
    return PolicySetup(
        problem=problem,
        covariance=GridCovariance(problem.space_kernel, problem.domain),
        evaluation_time=times or constant(1.0, problem.n),
        rounds=problem.n,
        acquisition="ucb",
        exploration="beta",
        rng=np.random.default_rng(policy_seed),
        readings=Readings(**readings),
        decisions=FiniteSet(),
    )


def test_random_weights_have_the_mean_of_theorem_t():
    policy = make_policy("random-weight-ucb", setup_for(problem_with(Forgetting(0.1))))
    drawn = np.array([policy.weight() for _ in range(20_000)])
    assert drawn.mean() == pytest.approx(1.4990, abs=0.02)  # |D|·I(1/|D|) at six points
    other = make_policy("irgp-ucb", setup_for(problem_with(Forgetting(0.1))))
    squares = np.array([other.weight() ** 2 for _ in range(20_000)])
    assert squares.mean() == pytest.approx(2 * np.log(3) + 2, abs=0.08)


def test_random_weights_are_those_of_the_policys_own_stream():
    problem, seed = problem_with(Forgetting(0.1)), 8
    policy = make_policy("random-weight-ucb", setup_for(problem, seed))
    shares = np.random.default_rng(seed).random(4)
    assert [policy.weight() for _ in range(4)] == pytest.approx(stats.norm.isf(shares / 6))
    policy._setup = SimpleNamespace(rng=SimpleNamespace(random=lambda: 0.0), problem=problem)
    assert policy.weight() == pytest.approx(37.5, abs=0.1)
    for size, least in ((6, 2 * np.log(3)), (2, 0.0), (1, 0.0)):
        few = replace(problem, domain=Grid(1, 1.0, size))
        other = make_policy("irgp-ucb", setup_for(few, seed))
        squares = np.random.default_rng(seed).chisquare(2.0, 3)
        assert [other.weight() for _ in range(3)] == pytest.approx(np.sqrt(least + squares))


HISTORY = [(0, 1.0, 1.0), (3, 0.5, -0.5), (0, 0.0, 0.8), (5, 2.0, 0.3)]
ORDERED = FixedDurations(np.linspace(0.5, 6.0, 12), "in order")
WAITS = PointDurations(np.array([0.5, 0.7, 0.7, 1.0, 2.0, 3.0]), "slope")


@pytest.mark.parametrize("policy", ["random-weight-ucb", "irgp-ucb"])
@pytest.mark.parametrize("times", [None, WAITS, ORDERED], ids=["equal", "t(x)", "in order"])
def test_a_random_weight_is_that_of_the_deviation_at_the_time_of_each_point(policy, times):
    problem = problem_with(Forgetting(0.1), space_kernel=SquaredExponential(0.3))
    one, same = (make_policy(policy, setup_for(problem, 4, times)) for _ in range(2))
    plain = make_posterior(GridCovariance(problem.space_kernel, GRID), Forgetting(0.1), 0.05, 5)
    for index, gap, value in HISTORY:
        one.observe(index, gap, value)
        plain.observe(index, gap, value)
        same.observe(index, gap, value)
    weight, expected = same.weight(), plain.predict(1.0 if times is None else times.of_round(4))
    found = one.belief.values(one.criterion(4))
    np.testing.assert_allclose(found, expected.mean + weight * expected.deviation, atol=1e-12)


@pytest.mark.parametrize("times", [None, WAITS, ORDERED], ids=["equal", "t(x)", "in order"])
def test_thompson_sampling_draws_from_the_posterior_of_each_point(times):
    """Exactly: at equal times jointly; else the draw of now, propagated by one innovation."""
    kernel, space = Forgetting(0.1), SquaredExponential(0.3)
    problem = problem_with(kernel, space_kernel=space)
    K = space.gram(GRID.points)

    def drawn(rng):
        policy = make_policy("ts", replace(setup_for(problem, 0, times), rng=rng))
        plain = make_posterior(GridCovariance(space, GRID), kernel, 0.05, 5)
        for seen in HISTORY:
            policy.observe(*seen)
            plain.observe(*seen)
        return policy.belief.draw(4)

    center, covariance = law_of(drawn)
    tau = np.cumsum([gap for _, gap, _ in HISTORY])
    where = [index for index, _, _ in HISTORY]
    gram = K[np.ix_(where, where)] * kernel.at_distance(np.abs(np.subtract.outer(tau, tau)))
    cross = K[where] * kernel.at_distance(tau[-1] - tau)[:, None]
    gain = np.linalg.solve(gram + 0.05 * np.eye(4), cross)
    mean, now = np.array([value for _, _, value in HISTORY]) @ gain, K - cross.T @ gain
    waits = np.ones(6) if times is None else np.broadcast_to(times.of_round(4), 6)
    kept = kernel.at_distance(waits)
    np.testing.assert_allclose(center, kept * mean, atol=1e-9)
    lost = np.sqrt(1.0 - kept**2)
    expected = np.outer(kept, kept) * now + np.outer(lost, lost) * K
    np.testing.assert_allclose(covariance, expected, atol=1e-9)


def test_a_schedule_by_default_is_that_of_the_mean_times(monkeypatch):
    problem, asked = problem_with(Forgetting(0.1)), []
    monkeypatch.setattr(
        scheduled, "quick_schedule", lambda own: asked.append(own) or Schedule((1, 4), (2, 0))
    )
    for times, gap in ((constant(2.0, 12), 2.0), (WAITS, 7.9 / 6)):
        setup = setup_for(problem, 0, times)
        assert make_policy("scheduled", setup)._plan == {1: 2, 4: 0}
        assert asked[-1].times.durations == pytest.approx([gap] * 12)
        assert vars(replace(asked[-1], times=problem.times)) == vars(problem)
    assert len(asked) == 2
    own = make_policy("scheduled", setup_for(problem, schedule=Schedule((0,), (5,))))
    assert own._plan == {0: 5} and len(asked) == 2
    with pytest.raises(InvalidInput, match="schedule"):
        make_policy("scheduled", setup_for(problem, schedule=Schedule((12,), (0,))))


def test_a_schedule_is_kept_and_the_mean_played_elsewhere():
    problem = problem_with(Forgetting(0.05))
    schedule = Schedule((0, 1, 5), (2, 4, 1))
    run = simulate(
        problem,
        constant(1.0, 12),
        "scheduled",
        initial=0,
        rounds=12,
        readings=Readings(schedule=schedule),
    )
    assert [int(run.points[i]) for i in schedule.rounds] == list(schedule.points)
    plain = make_posterior(GridCovariance(problem.space_kernel, GRID), Forgetting(0.05), 0.05, 12)
    for i in range(12):
        if i not in schedule.rounds:
            assert run.points[i] == np.argmax(plain.predict(1.0).mean)
        plain.observe(int(run.points[i]), 1.0, run.observations[i])


@pytest.mark.parametrize(
    "policy", ["ts", "random-weight-ucb", "scheduled", "block-schedule", "greedy-blocks"]
)
def test_regret_lies_between_floors_and_ceilings(policy):
    problem = problem_with(Forgetting(0.1))
    schedule = Schedule((0, 1, 2, 6), (0, 5, 2, 3))
    regrets = np.array(
        [
            simulate(
                problem,
                constant(1.0, 12),
                policy,
                seed=s,
                initial=0,
                rounds=12,
                readings=Readings(schedule=schedule if policy == "scheduled" else None),
            ).regrets.sum()
            for s in range(80)
        ]
    )
    mean, error = regrets.mean(), 4 * regrets.std() / np.sqrt(len(regrets))
    for row in floors(problem):
        assert row.value <= mean + error
    gains = [(0.05, 12 * problem.trivial_gain_per_round)]
    rows = [
        row
        for row in regret_rows(Ingredients(problem, gains), "upper")
        if row.policy == policy and row.kind == "mean"
    ]
    if policy == "scheduled":
        rows = [schedule_bound(problem, schedule, draws=5_000).row()]
    assert rows
    for row in rows:
        assert mean - error <= row.value
