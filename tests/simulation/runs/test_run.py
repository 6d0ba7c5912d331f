import numpy as np
import pytest
from mpmath import mp

from bounds.domain import Grid
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.covariance import GridCovariance
from simulation.policies.readings import Readings
from simulation.runs import run as room
from simulation.runs.run import is_resolved, simulate, true_variances
from simulation.world.evaluation_time import biased, constant, in_order
from tests.oracles import log_det_gain

GRID = Grid(2, 1.0, 8)
GRID_OF_SEVEN = Grid(2, 1.0, 7).points
TIMES = EvaluationTimes.from_durations(np.random.default_rng(0).exponential(2.0, size=60))


def problem(kernel=None, **changes):
    options = {"space_kernel": kernel or Matern(2.5, 0.2), "domain": GRID} | changes
    return Problem(TIMES, **options)


SETTINGS = {"constant": constant(3.0, 60), "biased": biased(GRID), "measured": in_order(TIMES, 60)}


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("policy", ["ctv-fixed", "ctv", "scheduled", "random"])
def test_a_trajectory_is_consistent(setting, policy):
    time = SETTINGS[setting]
    case = problem()
    run = simulate(case, time, policy, seed=5, initial=10, rounds=20)
    assert run.n == 30
    for i in range(30):
        waits = np.broadcast_to(time.of_round(i), (GRID.size,))
        assert run.durations[i] == waits[run.points[i]]
    np.testing.assert_allclose(run.times, np.cumsum(run.durations), rtol=1e-13)
    assert np.all(run.regrets >= 0)
    np.testing.assert_allclose(run.cumulative_regret[-1], run.regrets.sum())
    assert run.regret_per_round == pytest.approx(run.cumulative_regret[-1] / 30)
    assert run.own_regret_per_round == pytest.approx(run.regrets[10:].mean())
    gram = case.space_kernel.gram(GRID.points[run.points]) * case.time_kernel.at_distance(
        np.abs(np.subtract.outer(run.times, run.times))
    )
    assert run.cumulative_gain[-1] == pytest.approx(log_det_gain(gram, 0.01), rel=1e-9)
    assert run.cumulative_gain[7] == pytest.approx(log_det_gain(gram[:8, :8], 0.01), rel=1e-9)
    noise = run.observations - run.values
    assert np.std(noise) == pytest.approx(0.1, rel=0.5)


def test_variances_are_the_policys_where_it_holds_the_truth(monkeypatch):
    """Of ctv-fixed under the problem's kernel and times; of every other run they are derived."""
    case = problem()
    monkeypatch.setattr(room, "true_variances", lambda problem, points, durations: np.ones(3))
    options = {"initial": 2, "rounds": 1}
    for changes, derived in (
        ({}, False),
        ({"policy": "random"}, True),
        ({"policy": "gp-ucb"}, True),
        ({"model_kernel": Matern(2.5, 0.2)}, False),
        ({"model_kernel": Matern(2.5, 0.3)}, True),
        ({"readings": Readings(time_noise_variance=0.1)}, True),
    ):
        run = simulate(case, SETTINGS["constant"], **options, **changes)
        assert np.array_equal(run.deviations, np.ones(3)) is derived


def test_times_told_beyond_doubles_are_infinite():
    noisy = Readings(time_noise_variance=1e8)
    run = simulate(problem(), SETTINGS["constant"], "random", initial=9, rounds=1, readings=noisy)
    assert np.isinf(run.measured_durations).any() and np.all(run.durations == 3.0)


def test_without_rounds_of_its_own_a_policy_has_no_mean():
    run = simulate(problem(), SETTINGS["constant"], initial=3, rounds=0)
    assert np.isnan(run.own_regret_per_round) and run.n == 3


def test_a_factor_at_hand_changes_nothing():
    case = problem(Matern(2.5, 0.3))
    factor = GridCovariance(case.space_kernel, GRID).factor()
    own, other = (
        simulate(case, SETTINGS["constant"], "random", initial=3, rounds=2, factor=one)
        for one in (None, factor)
    )
    assert np.array_equal(own.observations, other.observations)


def test_rounding_of_a_gain_is_a_share_of_it():
    """½ Σ 1e-13/(v + σ²) against 1e-3 of ½ Σ log(1 + v/σ²), by hand at the edge."""
    noise = 1e-10
    assert is_resolved(np.ones(3), noise) and not is_resolved(np.zeros(3), noise)
    gain, error = np.log(2.0), 1e-13 / (2.0 * noise)
    # One round of v = σ² bears that many of v = 0, each of which errs by twice as much.
    most = int((1e-3 * gain - error) / (2.0 * error))
    assert most >= 0
    for extra, sound in ((most, True), (most + 1, False)):
        assert is_resolved(np.array([noise, *[0.0] * extra]), noise) is sound


def test_runs_of_one_seed_share_objective_noise_and_start():
    for time in SETTINGS.values():
        a, b = (simulate(problem(), time, p, seed=9, rounds=20) for p in ("ctv-fixed", "random"))
        np.testing.assert_array_equal(a.points[:30], b.points[:30])
        np.testing.assert_array_equal(a.observations[:30], b.observations[:30])
        # y − f loses the digits that f has before the point.
        np.testing.assert_allclose(
            a.observations - a.values, b.observations - b.values, rtol=0, atol=1e-14
        )
    fixed = (
        simulate(problem(), SETTINGS["constant"], p, seed=9, rounds=20)
        for p in ("ctv-fixed", "random")
    )
    a, b = fixed
    np.testing.assert_array_equal(a.best_values, b.best_values)


def test_a_model_kernel_changes_choices_but_not_the_true_variances():
    case = problem(SquaredExponential(0.2))
    own = simulate(case, SETTINGS["constant"], seed=1, rounds=20)
    other = simulate(case, SETTINGS["constant"], seed=1, rounds=20, model_kernel=Matern(2.5, 0.2))
    assert not np.array_equal(own.points, other.points)
    np.testing.assert_allclose(
        other.deviations**2, true_variances(case, other.points, other.durations), rtol=1e-12
    )
    np.testing.assert_allclose(
        own.deviations**2, true_variances(case, own.points, own.durations), rtol=0, atol=1e-9
    )


def test_long_runs_take_the_filter_for_the_true_variances():
    case = problem(SquaredExponential(0.3))
    rng = np.random.default_rng(0)
    points, durations = rng.integers(GRID.size, size=1_600), rng.exponential(1.0, size=1_600)
    long = true_variances(case, points, durations)
    short = true_variances(case, points[:1_400], durations[:1_400])
    np.testing.assert_allclose(long[:1_400], short, rtol=0, atol=1e-9)


def test_the_kinds_of_posterior_make_the_same_run():
    """A horizon long enough for the feature filter repeats the choices of the rows of V."""
    case = problem(SquaredExponential(0.5))
    short = simulate(case, SETTINGS["biased"], seed=2, initial=5, rounds=40)
    long = simulate(case, SETTINGS["biased"], seed=2, initial=5, rounds=400)
    np.testing.assert_array_equal(short.points, long.points[:45])


def test_any_time_kernel_with_fixed_times():
    case = problem(time_kernel=SquaredExponential(20.0))
    run = simulate(case, SETTINGS["measured"], seed=1, initial=10, rounds=20)
    worse = simulate(case, SETTINGS["measured"], "random", seed=1, initial=10, rounds=20)
    assert run.own_regret_per_round < worse.own_regret_per_round
    with pytest.raises(InvalidInput, match="time-kernel"):
        simulate(case, SETTINGS["biased"], seed=1)


def test_ties_go_to_the_lowest_index():
    run = simulate(problem(), SETTINGS["constant"], seed=1, initial=0, rounds=1)
    assert run.points[0] == 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"policy": "ctv-fxed"}, "policies = ctv-fxed: did you mean ctv-fixed"),
        ({"acquisition": "pi"}, "acquisition = pi"),
        ({"exploration": "none"}, "exploration = none"),
        ({"initial": -1}, "initial = -1"),
        ({"rounds": -1}, "rounds = -1"),
        ({"initial": 0, "rounds": 0}, "at least one round"),
        ({"rounds": 31}, "rounds = 61: only 60 durations"),
        ({"seed": -2}, "seed = -2"),
    ],
)
def test_bad_input_is_named(changes, field):
    with pytest.raises(InvalidInput, match=field):
        simulate(problem(), SETTINGS["constant"], **({"rounds": 20} | changes))


@pytest.mark.parametrize("noise_variance", [1e-6, 1.0, 1e4, 1e8, 1e30, 1e99])
def test_no_noise_is_too_large_for_the_true_variances(noise_variance: float) -> None:
    """Once they cancelled at 10⁸ and beyond: gains above every bound, or deviations of 0."""
    case = problem(epsilon=0.01, noise_variance=noise_variance, domain=Grid(2, 1.0, 4))
    points, durations = np.arange(12) % 16, np.ones(12)
    kernel = GridCovariance(case.space_kernel, case.domain).block(points)
    lags = np.abs(np.subtract.outer(np.arange(12), np.arange(12)))
    gram = kernel * case.time_kernel.at_distance(lags)
    found = true_variances(case, points, durations)
    for i in range(12):
        past, own = gram[:i, :i] + noise_variance * np.eye(i), gram[:i, i]
        expected = 1.0 - own @ np.linalg.solve(past, own)
        assert found[i] == pytest.approx(expected, abs=1e-9)


def test_a_singular_gram_matrix_is_refused_in_a_line() -> None:
    case = problem(epsilon=0.0, noise_variance=1e-18, domain=Grid(2, 1.0, 3))
    with pytest.raises(NumericalFailure, match=r"noise-variance = 1e-18.*give a larger"):
        true_variances(case, np.zeros(40, dtype=np.int64), np.ones(40))


@pytest.mark.parametrize("policy", ["ctv-fixed", "random"])
@pytest.mark.parametrize(("noise_variance", "lengthscale"), [(1e-16, 3.0), (1e-14, 10.0)])
def test_a_gain_that_rounding_spoils_is_refused_whatever_the_policy(
    policy: str, noise_variance: float, lengthscale: float
) -> None:
    """Once 97.0997 for a gain of 98.4100 with ctv-fixed, where random was refused as singular."""
    case = Problem(
        TIMES,
        epsilon=0.0,
        noise_variance=noise_variance,
        domain=Grid(2, 1.0, 7),
        space_kernel=SquaredExponential(lengthscale),
    )
    options = {"initial": 4, "rounds": 30, "exploration": "theory"}
    with pytest.raises(NumericalFailure, match=f"noise-variance = {noise_variance:g}: .*larger"):
        simulate(case, constant(3.0, 34), policy, **options)


@pytest.mark.parametrize(("noise_variance", "epsilon"), [(1e-10, 0.0), (1e-16, 0.01), (1.0, 0.0)])
def test_a_gain_that_is_given_is_right(noise_variance: float, epsilon: float) -> None:
    """The filter and the Cholesky factor against 60 digits; with drift at any noise."""
    case = Problem(
        TIMES,
        epsilon=epsilon,
        noise_variance=noise_variance,
        domain=Grid(2, 1.0, 7),
        space_kernel=SquaredExponential(3.0),
    )
    for policy in ("ctv-fixed", "random"):
        run = simulate(case, constant(3.0, 34), policy, initial=4, rounds=30, exploration="theory")
        where = GRID_OF_SEVEN[run.points]
        with mp.workdps(60):
            half = mp.mpf(1 - mp.mpf(epsilon)) ** mp.mpf(1.5)  # (1 − ε)^{t/2} a round of t = 3
            gram = mp.matrix(34, 34)
            for i, j in np.ndindex(34, 34):
                squared = sum(
                    (mp.mpf(a) - mp.mpf(b)) ** 2 for a, b in zip(where[i], where[j], strict=True)
                )
                gram[i, j] = mp.exp(-squared / 18) * half ** abs(i - j) / mp.mpf(noise_variance)
            factor = mp.cholesky(gram + mp.eye(34))
            exact = float(sum(mp.log(factor[i, i]) for i in range(34)))
        assert run.cumulative_gain[-1] == pytest.approx(exact, rel=1e-4)
