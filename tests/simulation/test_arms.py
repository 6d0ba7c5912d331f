"""Many runs of independent arms at once: as one run after another, never below the optimum."""

import numpy as np
import pytest

from bounds.domain import Arms, Grid
from bounds.errors import InvalidInput
from bounds.kernels import SquaredExponential
from bounds.problem import Problem
from bounds.regret.lower.least_regret import least_regret
from bounds.times import EvaluationTimes
from simulation.runs.arms import TRIED, Game, best_simulated, chooser, simulated
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant


def problem_of(n=20, arms=2, epsilon=0.19, noise=1e-6, durations=None) -> Problem:
    times = EvaluationTimes.from_durations(np.ones(n) if durations is None else durations)
    return Problem(times, epsilon, domain=Arms(arms), noise_variance=noise)


@pytest.mark.parametrize(
    ("policy", "name"),
    [(p, p.partition(":")[0]) for p in ("ts", "flat-ucb:1", "predictive", "look-ahead")],
)
def test_a_policy_has_the_regret_of_single_runs(policy: str, name: str) -> None:
    problem = problem_of(arms=3, noise=0.1)
    (many,) = simulated(problem, [policy], runs=4_000)
    single = [
        simulate(problem, constant(1.0, 20), name, initial=0, rounds=20, seed=s).regrets.sum()
        for s in range(60)
    ]
    error = np.std(single, ddof=1) / np.sqrt(len(single))
    assert abs(np.mean(single) - many.mean) < 4 * (error + many.error)


def test_beliefs_are_posteriors() -> None:
    """Means and variances after a few looks, by solving with the matrix of all of them."""
    problem = problem_of(4, noise=0.3, durations=[1.0, 2.0, 0.5, 1.0])
    game, seen = Game(problem, runs=3), []

    def choose(i, mean, left):
        seen.append((mean.copy(), left.copy()))
        return np.tile([1.0, 0.0], (3, 1))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simulation.runs.arms.chooser", lambda policy, game: choose)
        game.regrets("any")
    instants = np.cumsum([1.0, 2.0, 0.5, 1.0])
    gram = 0.81 ** (np.abs(instants[:, None] - instants) / 2)
    for i in range(4):
        known = gram[:i, :i] + 0.3 * np.eye(i)
        left = 1.0 - (gram[i, :i] @ np.linalg.solve(known, gram[:i, i]) if i else 0.0)
        assert seen[i][1][:, 0] == pytest.approx(left)
        assert seen[i][1][:, 1] == pytest.approx(1.0)
        assert seen[i][0][:, 1] == pytest.approx(0.0)


@pytest.mark.parametrize("epsilon", [0.75, 0.19, 0.0199])
def test_no_policy_is_below_the_least_regret(epsilon: float) -> None:
    problem = problem_of(8, epsilon=epsilon)
    least = least_regret(problem.times, problem.time_kernel)
    found = simulated(problem, (*TRIED, "random"), runs=1_000)
    for one in found:
        assert one.mean > least.lower - 4 * one.error, one
    best = best_simulated(problem, runs=500)
    assert best.mean < 1.3 * least.upper
    assert best.mean < 0.8 * found[-1].mean


def test_two_rounds_are_known_exactly() -> None:
    """Two arms, no noise: stay if the first look was above 0, which look-ahead and greed do."""
    phi = 0.9
    problem = problem_of(2, epsilon=1 - phi**2, noise=1e-9)
    exact = 2 / np.sqrt(np.pi) - phi / np.sqrt(2 * np.pi)
    for policy in ("index:0", "look-ahead"):
        (found,) = simulated(problem, [policy], runs=40_000)
        assert abs(found.mean - exact) < 4 * found.error


def test_what_predictive_sampling_draws() -> None:
    """The variance that later looks explain, by the matrix of all of them."""
    problem = problem_of(4, noise=0.3)
    game = Game(problem, runs=40_000)
    mean, left = np.zeros((40_000, 2)), np.full((40_000, 2), 0.5)
    drawn = chooser("predictive", game)(1, mean, left)
    # g at the instants 1, 2, 3 with Var g(1) = 0.5; looks at 2 and 3.
    decay = 0.9
    two = decay**2 * 0.5 + 0.19
    three = decay**2 * two + 0.19
    cross = np.array([decay * 0.5, decay**2 * 0.5])
    gram = np.array([[two, decay * two], [decay * two, three]]) + 0.3 * np.eye(2)
    explained = cross @ np.linalg.solve(gram, cross)
    assert drawn.std() == pytest.approx(np.sqrt(explained), rel=0.02)
    assert not chooser("predictive", game)(3, mean, left).any()


def test_refused() -> None:
    with pytest.raises(InvalidInput, match="domain"):
        Game(Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(1, 1.0, 3)))
    times = EvaluationTimes.from_durations([1.0])
    with pytest.raises(InvalidInput, match="time-kernel"):
        Game(Problem(times, domain=Arms(2), time_kernel=SquaredExponential(1.0)))
    with pytest.raises(InvalidInput, match="runs"):
        Game(problem_of(), runs=1)
    for policy in ("nobody", "index:much"):
        with pytest.raises(InvalidInput, match="policy"):
            simulated(problem_of(), [policy])
