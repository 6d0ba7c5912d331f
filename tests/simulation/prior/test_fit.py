"""The weighted set against dense quadrature and a long chain, and what a fit says of a log."""

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import special, stats

from bounds.errors import InvalidInput
from simulation.after_run.fit_coverage import Setting, simulated_log
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.fit import data_of, fit
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior, LogNormal, Structure
from simulation.prior.importance import Proposal, Sample, StudentLaw, effective_size, log_prior
from simulation.prior.sampled import sampled_candidates

PLAIN = Hyperprior(kernels=("se",), drift=0.0, per_input=0.0)


def log_of(n=40, **setting):
    return simulated_log(Setting(rounds=n, **setting), seed=3)[0]


def quadrature(data: Data, hyperprior: Hyperprior, steps=61):
    """Evidence and mean log lengthscale over a grid of (ℓ, σ²), no drift."""
    prior = MeanAndScale.around(data.values)
    z = np.linspace(-4.0, 4.0, steps)
    both = np.stack([a.ravel() for a in np.meshgrid(z, z, indexing="ij")], axis=1)
    (structure,) = hyperprior.structures(2)
    members = hyperprior.members(structure, both, 2, 1.0)
    logs = data.log_evidence(members, prior) + log_prior(both)
    cell = (z[1] - z[0]) ** 2
    weights = np.exp(logs - logs.max())
    evidence = np.log(weights.sum() * cell) + logs.max()
    return evidence, weights @ both / weights.sum()


def test_evidence_and_weights_against_dense_quadrature():
    data = data_of(log_of(30))
    expected, center = quadrature(data, PLAIN)
    candidates, structures, _ = sampled_candidates(data, PLAIN, MeanAndScale.around(data.values))
    assert structures[0].log_evidence == pytest.approx(expected, abs=0.1)
    lengths = np.log([m.lengthscales[0] for m in candidates.members]) - np.log(0.3)
    noises = np.log([m.noise_variance for m in candidates.members]) - np.log(0.02)
    found = [
        candidates.weights @ lengths / PLAIN.lengthscale.width,
        candidates.weights @ noises / PLAIN.noise_variance.width,
    ]
    assert found == pytest.approx(center, abs=0.06)


@pytest.mark.parametrize("size", [1e300, 1e101, 1e-101, 5e-324])
def test_numbers_whose_squares_are_none_are_refused(size):
    plain = log_of(8)
    for changes, field in (
        ({"values": np.asarray(plain.values) * size}, "y"),
        ({"times": np.arange(1.0, 9.0) * size}, "duration"),
    ):
        with pytest.raises(InvalidInput, match=f"^{field} = .*another unit"):
            data_of(replace(plain, **changes))


@pytest.mark.parametrize("size", [1e99, 1e-13, 1e-99])
def test_the_unit_of_y_shifts_the_evidence_by_its_logarithm(size):
    plain = data_of(log_of(12))
    scaled = replace(plain, values=plain.values * size)
    members = [Member("se", 0.01, (0.2, 0.3), 0.02), Member("matern52", 0.1, (1.0, 2.0), 0.1)]
    one, other = (d.log_evidence(members, MeanAndScale.around(d.values)) for d in (plain, scaled))
    np.testing.assert_allclose(other, one - 12 * np.log(size), rtol=1e-12)


def test_changes_that_doubles_lose_are_refused():
    with pytest.raises(InvalidInput, match="its changes are lost in doubles"):
        MeanAndScale.around(1e15 + np.arange(4.0))


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["se", "matern52"])
def test_weights_against_a_long_chain(kernel):
    """Random-walk Metropolis over drift, level and both lengthscales, 20,000 steps."""
    data = data_of(log_of(60, kernel=kernel))
    hyperprior = Hyperprior(kernels=(kernel,), drift=1.0, level_share=1.0, per_input=1.0)
    prior = MeanAndScale.around(data.values)
    candidates, _, families = sampled_candidates(data, hyperprior, prior)
    assert families[0].effective >= 200
    (structure,) = hyperprior.structures(2)
    span = float(np.ptp(data.times))
    rng = np.random.default_rng(1)

    def target(z):
        member = hyperprior.members(structure, z[None], 2, span)[0]
        inside = log_prior(z[None])[0]
        return data.log_evidence([member], prior)[0] + inside if np.isfinite(inside) else -np.inf

    z, value, kept = np.zeros(5), target(np.zeros(5)), []
    for step in range(20_000):
        moved = z + 0.35 * rng.standard_normal(5)
        there = target(moved)
        if np.log(rng.random()) < there - value:
            z, value = moved, there
        if step >= 2_000:
            kept.append(z)
    chain = np.array(kept)
    laws = (hyperprior.lengthscale,) * 2, hyperprior.noise_variance
    values = np.array([
        [*(np.log(np.array(m.lengthscales) / laws[0][0].median) / laws[0][0].width),
         np.log(m.noise_variance / laws[1].median) / laws[1].width,
         np.log(m.half_life / span / hyperprior.half_life.median) / hyperprior.half_life.width,
         np.log(m.level / hyperprior.level.median) / hyperprior.level.width]
        for m in candidates.members
    ])  # fmt: skip
    mean = candidates.weights @ values
    deviation = np.sqrt(candidates.weights @ (values - mean) ** 2)
    assert mean == pytest.approx(chain.mean(axis=0), abs=0.15)
    assert deviation == pytest.approx(chain.std(axis=0), rel=0.25)


def test_importance_sampling_of_a_known_integral():
    """A normal target within the reach: evidence, mean, and a Student law that integrates to 1."""
    center, width = np.array([1.0, -0.5]), 0.3

    def target(z):
        logs = np.sum(stats.norm(center, width).logpdf(z), axis=1) + 5.0
        return logs, np.zeros((len(z), 1))

    rng = np.random.default_rng(0)
    law = StudentLaw.of(np.zeros(2), np.eye(2))
    sample = Sample.empty(target, 2, 1)
    proposal = Proposal((law,), np.ones(1))
    for _ in range(4):
        sample.extend(proposal, 200, rng)
        proposal = sample.adapted(proposal)
    assert sample.log_evidence == pytest.approx(5.0, abs=0.1)
    weights = np.exp(sample.log_weights - sample.log_weights.max())
    assert weights @ sample.points / weights.sum() == pytest.approx(center, abs=0.05)
    assert effective_size(weights) > 300
    z = np.linspace(-60, 60, 20_001)[:, None]
    one = StudentLaw.of(np.zeros(1), np.eye(1))
    assert np.trapezoid(np.exp(one.log_density(z)), z[:, 0]) == pytest.approx(1.0, abs=1e-3)
    inside = np.linspace(-4, 4, 8_001)[:, None]
    assert np.trapezoid(np.exp(log_prior(inside)), inside[:, 0]) == pytest.approx(1.0, abs=1e-6)


def test_a_fit_finds_drift_where_there_is_some_and_none_where_there_is_none():
    drifting = fit(log_of(60, epsilon=0.05, policy="random"), draws=160)
    still = fit(log_of(60, epsilon=0.0, policy="random"), draws=160)
    assert drifting.drift_share > 0.99
    assert still.drift_share < 0.5
    by_name = {row.name: row for row in drifting.estimates}
    assert by_name["epsilon"].low < 0.05 < by_name["epsilon"].high
    assert by_name["lengthscale of x1"].low < 0.25 < by_name["lengthscale of x1"].high


def test_the_same_seed_gives_the_same_set_and_its_json_is_finite():
    log = log_of(25, epsilon=0.0)
    first, again = fit(log, draws=100), fit(log, draws=100)
    assert np.array_equal(first.candidates.weights, again.candidates.weights)
    text = json.dumps(first.to_dict(), allow_nan=False)
    found = json.loads(text)
    assert set(found["prior"]) >= {
        "epsilon", "theta", "half_life", "lengthscale", "noise_variance", "scale", "mean"
    }  # fmt: skip
    assert sum(row["weight"] for row in found["candidates"]) == pytest.approx(1.0)
    assert sum(row["share"] for row in found["evidence"]) == pytest.approx(1.0)
    assert found["rows"]["used"] == 25


def test_units_of_y_and_of_time_change_nothing_but_themselves():
    log = log_of(30)
    scaled = replace(log, values=1e4 * log.values - 7.0, times=log.times / 3600.0)
    one, other = fit(log, draws=100), fit(scaled, draws=100)
    # Where the searches end differs by rounding, and with it the proposals, but hardly.
    assert other.candidates.weights == pytest.approx(one.candidates.weights, abs=0.01)
    rows = {row.name: (row.estimate, there.estimate) for row, there in
            zip(one.estimates, other.estimates, strict=True)}  # fmt: skip
    assert rows["scale"][1] == pytest.approx(1e4 * rows["scale"][0], rel=0.05)
    assert rows["half_life"][1] == pytest.approx(rows["half_life"][0] / 3600.0, rel=0.05)


def test_small_values_are_good_is_a_mirror():
    log = log_of(30)
    mirrored = replace(log, values=-log.values, direction="minimize")
    one, other = fit(log, draws=60), fit(mirrored, draws=60)
    assert np.array_equal(one.candidates.weights, other.candidates.weights)
    means = [next(r for r in f.estimates if r.name == "mean") for f in (one, other)]
    assert means[1].estimate == pytest.approx(-means[0].estimate, rel=1e-9)


def test_finite_hyperpriors_are_bayes_rule():
    log = log_of(20)
    members = tuple(Member("se", rate, (0.25, 0.25), 0.01) for rate in (0.0, 0.005, 0.1))
    prior = MeanAndScale(0.0, 1.0, 2.0, 2.0)
    found = fit(log, hyperprior=FiniteHyperprior(members, (0.5, 0.3, 0.2), prior))
    logs = data_of(log).log_evidence(members, prior) + np.log([0.5, 0.3, 0.2])
    expected = np.exp(logs - special.logsumexp(logs))
    assert found.candidates.weights == pytest.approx(expected)
    assert found.candidates.exact and not found.structures


def test_residuals_are_uniform_under_the_truth_and_see_an_outlier():
    log = log_of(60, policy="random")
    found = fit(log, draws=160)
    assert found.residuals.uniformity > 0.01
    assert abs(found.residuals.autocorrelation) < 2 * found.residuals.band
    values = log.values.copy()
    values[30] += 12.0
    broken = fit(replace(log, values=values), draws=160)
    assert 31 in broken.residuals.outliers


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda log: replace(log, values=np.full(log.n, 2.0)), "y = the same in every row"),
        (lambda log: replace(log, values=log.values[:3], points=log.points[:3],
                             times=log.times[:3]), "3 observed rows"),
    ],
)  # fmt: skip
def test_bad_logs(change, message):
    with pytest.raises(InvalidInput, match=message):
        fit(change(log_of(20)))


def test_a_hyperprior_for_other_inputs_is_refused():
    member = Member("se", 0.0, (0.3,), 0.01)
    other = FiniteHyperprior((member,), (1.0,), MeanAndScale(0.0, 1.0, 1.0, 1.0))
    with pytest.raises(InvalidInput, match="the log has 2 inputs"):
        fit(log_of(20), hyperprior=other)


def test_ends_of_ranges_and_what_is_not_identified_are_named():
    narrow = Hyperprior(kernels=("se",), lengthscale=LogNormal(0.01, 1.1), drift=0.0)
    found = fit(log_of(30, policy="random", epsilon=0.0), hyperprior=narrow, draws=100)
    assert any("touches the end of its range" in w or "not identified" in w for w in found.warnings)


def test_structures_are_said_in_words():
    assert str(Structure("se", True, True, True)) == "se, drift, level, a lengthscale per input"
    assert str(Structure("matern52", False, False, False)) == "matern52, no drift"
