"""Tuned policies: against a slow search, under rescaling, and the same however they are run."""

from dataclasses import replace

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.covariance import GridCovariance
from simulation.policies import tuned
from simulation.policies.base import PolicySetup
from simulation.policies.readings import Hyperparameters, Readings
from simulation.policies.tuned import (
    DRAWS,
    LEAST_ROUNDS,
    Tuned,
    believing,
    make_policy,
    tuned_by_hand,
)
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.runs.run import simulate
from simulation.study.stored import stored_runs, stored_spec
from simulation.study.study import HELD_OUT, StudySpec, run_study
from simulation.world.evaluation_time import biased, constant
from tests.simulation.policies.test_randomised import setup_for
from tests.simulation.study.test_study import same_bits

PROBLEM = Problem(
    EvaluationTimes.from_durations([3.0]),
    epsilon=0.03,
    space_kernel=SquaredExponential(0.25),
    domain=Grid(2, 1.0, 8),
)
TUNED = ("gp-ucb", "tv", "ctv-fixed", "ctv-simple", "ctv", "random-weight-ucb")


def setup_with(tune: str, acquisition: str = "ucb", **more: object) -> PolicySetup:
    made = setup_for(PROBLEM, 5, constant(3.0, 40), tune=tune, **more)
    model = GridCovariance(Matern(2.5, 0.2), PROBLEM.domain)
    return replace(made, covariance=model, rounds=40, acquisition=acquisition)


def shown(policy, rounds: int, shift: float = 0.0, factor: float = 1.0):
    """The policy after the same rounds of drawn data, y shifted and scaled."""
    rng = np.random.default_rng(11)
    points = PROBLEM.domain.points
    for i in range(rounds):
        x = int(rng.integers(len(points)))
        y = np.sin(5.0 * points[x, 0]) + np.cos(0.05 * i + 3.0 * points[x, 1])
        policy.observe(x, 3.0, shift + factor * (y + 0.1 * rng.standard_normal()))
    return policy


def log_likelihood(log_numbers, points, times, values, prior):
    """The evidence by a dense Student density, m and s integrated; nothing of the package."""
    length, rate, noise = np.exp(log_numbers)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    z = np.sqrt(5.0) * gaps / length
    gram = (1.0 + z + z * z / 3.0) * np.exp(-z)
    gram *= np.exp(-rate * np.abs(times[:, None] - times[None]))
    gram += noise * np.eye(len(times)) + prior.spread
    residual = values - prior.center
    square = residual @ np.linalg.solve(gram, residual)
    degrees = prior.shape + 0.5 * len(times)
    return -0.5 * np.linalg.slogdet(gram)[1] - degrees * np.log(prior.scale + 0.5 * square)


def test_the_fit_is_the_likeliest_by_a_slow_search():
    from scipy import optimize

    policy = shown(make_policy("ctv-fixed", setup_with("likelihood")), 25)
    policy.choose(25)
    ((fit,),) = (policy.fitted,)
    data = policy._data()
    prior = MeanAndScale.around(data.values)
    rest = (data.points, data.times, data.values, prior)

    def descent(z):
        return -log_likelihood(z, *rest)

    starts = [np.log([a, b, c]) for a in (0.1, 0.5) for b in (0.003, 0.1) for c in (1e-3, 0.1)]
    low, high = np.log([0.0077, 1e-4, 1e-4]), np.log([11.7, 20.0, 20.0])
    box = list(zip(low, high, strict=True))
    found = min(
        (optimize.minimize(descent, z, method="L-BFGS-B", bounds=box) for z in starts),
        key=lambda one: one.fun,
    )
    own = np.log([fit.own.lengthscale, -0.5 * np.log1p(-fit.own.epsilon), fit.own.noise_variance])
    assert -log_likelihood(own, *rest) <= found.fun + 1e-3


@pytest.mark.parametrize("tune", ["likelihood", "posterior"])
@pytest.mark.parametrize("acquisition", ["ucb", "ei"])
def test_a_tuned_policy_is_the_average_of_policies_made_again(tune, acquisition):
    setup = setup_with(tune, acquisition)
    policy = shown(make_policy("ctv-fixed", setup), 20)
    chosen = policy.choose(20)
    total = 0.0
    for fit in policy.fitted:
        own = believing(replace(setup, readings=Readings()), fit.own)
        alone = make_policy("ctv-fixed", own)
        rng = np.random.default_rng(11)
        points = PROBLEM.domain.points
        for i in range(20):
            x = int(rng.integers(len(points)))
            y = np.sin(5.0 * points[x, 0]) + np.cos(0.05 * i + 3.0 * points[x, 1])
            y += 0.1 * rng.standard_normal()
            alone.observe(x, 3.0, (y - fit.center) / fit.scale)
        values = alone.belief.values(alone.criterion(20))
        total += np.exp(values) * fit.scale if acquisition == "ei" else values * fit.scale
    assert total[chosen] >= total.max() * (1.0 - 1e-9)
    assert len(policy.fitted) == (1 if tune == "likelihood" else 4)


@pytest.mark.parametrize("tune", ["likelihood", "posterior"])
def test_gp_ucb_fits_no_time(tune):
    policy = shown(make_policy("gp-ucb", setup_with(tune)), 20)
    policy.choose(20)
    assert {fit.own.epsilon for fit in policy.fitted} == {0.0}
    assert len(policy.fitted) == (1 if tune == "likelihood" else DRAWS)


@pytest.mark.parametrize("policy", TUNED[:3])
def test_units_of_y_do_not_matter(policy):
    one = shown(make_policy(policy, setup_with("likelihood")), 24)
    other = shown(make_policy(policy, setup_with("likelihood")), 24, shift=-70.0, factor=8.0)
    assert one.choose(24) == other.choose(24)
    assert other.fitted[0].own.lengthscale == pytest.approx(one.fitted[0].own.lengthscale, rel=1e-3)


def test_what_is_fitted_and_how_it_is_believed():
    """Points in shares of the domain, times as the policy counts them, rates as shares."""
    wide = replace(PROBLEM, domain=Grid(2, 4.0, 3))
    setup = replace(setup_with("likelihood", round_length=0.5), problem=wide)
    for name, gaps in (("gp-ucb", [0, 0, 0]), ("tv", [0.5, 1.0, 1.5]), ("ctv", [3, 5, 9])):
        policy = make_policy(name, setup)
        for seen in ((0, 3.0, 1.0), (8, 2.0, -1.0), (5, 4.0, 0.5)):
            assert policy.observe(*seen) is None
        data = policy._data()
        assert data.points.tolist() == [[0.0, 0.0], [1.0, 1.0], [0.5, 1.0]]
        assert data.times.tolist() == gaps and data.values.tolist() == [1.0, -1.0, 0.5]
        assert data.noise is None and policy.fitted == ()
    fit = policy._fitted(Member("se", 0.25, (0.2, 0.2), 0.03), 1.5, 2.5)
    assert (fit.center, fit.scale) == (1.5, 2.5)
    own = fit.own
    assert own == Hyperparameters(0.8, pytest.approx(1 - np.exp(-0.5)), 0.03)
    believed = believing(setup, own)
    assert believed.problem.epsilon == own.epsilon and believed.problem.noise_variance == 0.03
    assert believed.problem.time_kernel == Forgetting(own.epsilon)
    kernel = believed.covariance.kernel
    assert isinstance(kernel, Matern) and kernel.nu == 2.5
    assert kernel.lengthscale == pytest.approx(0.8)
    assert believed.covariance.grid is wide.domain
    rest = replace(believed, problem=setup.problem, covariance=setup.covariance)
    assert vars(rest) == vars(setup)
    assert tuned._forgotten(1e9) == np.nextafter(1.0, 0.0) and tuned._forgotten(0.0) == 0.0
    # One point has no spread.
    alone = replace(setup, problem=replace(PROBLEM, domain=Grid(2, 1.0, 1)))
    assert make_policy("tv", alone)._unit == 1.0


def test_the_grid_of_cross_validation_is_around_the_problem():
    rate = PROBLEM.time_kernel.slope
    expected = [
        (0.25 * longer, 1 - np.exp(-2 * rate * faster), 0.01 * more)
        for longer in (0.5, 1.0, 2.0)
        for faster in (1 / 3, 1.0, 3.0)
        for more in (1.0, 10.0)
    ]
    found = tuned_by_hand(PROBLEM.space_kernel, PROBLEM)
    assert [(o.lengthscale, o.epsilon, o.noise_variance) for o in found] == [
        pytest.approx(one) for one in expected
    ]


def test_rounds_between_fits():
    policy = make_policy("tv", setup_with("likelihood", refit_every=4))
    assert isinstance(policy, Tuned)
    seen = []
    for i in range(LEAST_ROUNDS + 9):
        index = policy.choose(i)
        seen.append(policy.fitted[0] if policy.fitted else None)
        policy.observe(index, 3.0, float(np.sin(index)))
    assert seen[:LEAST_ROUNDS] == [None] * LEAST_ROUNDS
    changes = [i for i in range(1, len(seen)) if seen[i] is not seen[i - 1]]
    assert changes == [LEAST_ROUNDS, LEAST_ROUNDS + 4, LEAST_ROUNDS + 8]


def test_at_equal_times_a_fitted_tv_is_a_fitted_ctv_fixed():
    """Rate per round and rate per time describe the same law: a fit cannot tell them apart."""
    tv, fixed = (
        simulate(
            PROBLEM,
            constant(3.0, 40),
            name,
            seed=3,
            initial=12,
            rounds=28,
            readings=Readings(tune="likelihood"),
        )
        for name in ("tv", "ctv-fixed")
    )
    np.testing.assert_array_equal(tv.points, fixed.points)


SPEC = StudySpec(
    PROBLEM, "biased", TUNED, seeds=2, seed=4, initial=6, rounds=7, evaluation_time=0.0
)


@pytest.mark.parametrize("tune", ["likelihood", "posterior", "cross-validation"])
def test_the_same_bits_with_any_number_of_workers_and_when_resumed(tune, tmp_path):
    policies = TUNED if tune == "likelihood" else ("gp-ucb", "ctv-simple", "random")
    spec = replace(SPEC, policies=policies, readings=Readings(tune=tune))
    whole = run_study(spec, tmp_path / "whole")
    same_bits(whole, run_study(spec, workers=2))
    kept = sorted((tmp_path / "whole").glob("*.npz"))
    kept[0].unlink()
    again = run_study(spec, tmp_path / "whole")
    assert again.resumed == len(kept) - 1
    same_bits(whole, again)
    stored = stored_runs(tmp_path / "whole")
    assert stored_spec(stored, stored.runs[0]).readings == spec.readings
    with pytest.raises(InvalidInput, match="holds another study"):
        run_study(replace(spec, readings=Readings()), tmp_path / "whole")


def test_cross_validation_takes_the_least_regret_on_seeds_that_are_not_the_studys():
    spec = replace(SPEC, policies=("tv",), readings=Readings(tune="cross-validation"))
    (runs,) = run_study(spec).trajectories.values()
    times = biased(PROBLEM.domain)

    def played(own: Hyperparameters, seed: int):
        readings = Readings(assumed=own)
        return simulate(PROBLEM, times, "tv", seed=seed, initial=6, rounds=7, readings=readings)

    held_out = range(6, 6 + HELD_OUT)
    tried = tuned_by_hand(PROBLEM.space_kernel, PROBLEM)
    regrets = [np.mean([played(own, s).own_regret_per_round for s in held_out]) for own in tried]
    best = tried[int(np.argmin(regrets))]
    for run in runs:
        np.testing.assert_array_equal(run.points, played(best, run.seed).points)


def test_variances_are_those_of_the_true_model():
    own = Hyperparameters(0.4, 0.2, 0.05)
    run = simulate(
        PROBLEM,
        constant(3.0, 20),
        "ctv-fixed",
        initial=5,
        rounds=15,
        readings=Readings(assumed=own),
    )
    times = np.abs(np.subtract.outer(run.times, run.times))
    points = PROBLEM.domain.points[run.points]
    gram = PROBLEM.space_kernel.gram(points) * PROBLEM.time_kernel.at_distance(times)
    whole = np.linalg.slogdet(np.eye(20) + gram / PROBLEM.noise_variance)[1]
    assert run.cumulative_gain[-1] == pytest.approx(0.5 * whole, rel=1e-9)


def test_the_identity_of_a_study_without_tuning_is_what_it_was():
    assert "tune" not in repr(Readings()) and "assumed" not in repr(Readings())
    assert (
        Readings(tune="likelihood", refit_every=9)
        .__repr__()
        .endswith("time_nodes=16, tune='likelihood', refit_every=9)")
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"policies": ("ts",)}, "ts takes its hyperparameters from the problem"),
        ({"policies": ("scheduled",)}, "scheduled takes"),
        ({"model_kernel": Matern(0.5, 0.2)}, "models that fit are se, matern32, matern52"),
        ({"readings": Readings(tune="likelihood", refit_every=5)}, None),
    ],
)
def test_what_cannot_be_tuned_is_refused_before_a_run(change, said):
    def build():
        return replace(SPEC, readings=Readings(tune="likelihood"), **change)  # type: ignore

    if said is None:
        readings = change["readings"]
        assert replace(SPEC, readings=readings).identity()["readings"] == repr(readings)
        return
    with pytest.raises(InvalidInput, match=said):
        build()


def test_a_time_kernel_without_a_rate_and_a_single_run_are_refused():
    smooth = replace(PROBLEM, time_kernel=SquaredExponential(9.0))
    with pytest.raises(InvalidInput, match="use the forgetting time kernel"):
        StudySpec(smooth, policies=("tv",), readings=Readings(tune="cross-validation"))
    with pytest.raises(InvalidInput, match="held-out seeds"):
        simulate(
            PROBLEM,
            constant(3.0, 9),
            "tv",
            initial=3,
            rounds=4,
            readings=Readings(tune="cross-validation"),
        )
