"""The study of coverage: exact intervals, wrong priors that break what they must, and its form."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from simulation.after_run import coverage
from simulation.after_run.coverage import (
    PRIORS,
    Coverage,
    assumed,
    binomial_interval,
    broken_below,
    coverage_study,
    judged,
    small_problem,
)
from simulation.after_run.observed import Observed
from simulation.after_run.rank import rank_certificate
from simulation.after_run.simulated import simulated_regrets
from simulation.after_run.telescoped import probability_certificate


def row(covered: int, runs: int, level: float = 0.9, prior: str = "true") -> Coverage:
    return Coverage("biased", "random", prior, "rank", level, covered, runs, 0.0, 1.0, 1.0, 0.0)


@pytest.mark.parametrize(("covered", "trials"), [(0, 10), (9, 10), (10, 10), (88, 100)])
def test_interval_is_that_of_scipy(covered: int, trials: int) -> None:
    low, high = binomial_interval(covered, trials)
    exact = stats.binomtest(covered, trials).proportion_ci(0.95, method="exact")
    assert (low, high) == pytest.approx((exact.low, exact.high))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 250), st.sampled_from([0.5, 0.8, 0.9, 18 / 19, 0.99]), st.integers(1, 40))
@example(250, 0.8, 1)
def test_rows_of_exact_certificates_are_rarely_broken(runs: int, level: float, count: int) -> None:
    law = stats.binom(runs, level)
    counts = np.arange(runs + 1)
    values = [row(int(c), runs, level).p_value for c in counts]
    assert values == pytest.approx(law.cdf(counts), rel=1e-6, abs=1e-12)
    threshold = broken_below([row(0, runs)] * count)
    broken = [judged([row(int(c), runs, level)] * count)[0].broken for c in counts]
    # The probability of a false alarm in any row, by enumeration and the union bound.
    assert count * law.pmf(counts[np.array(broken)]).sum() <= 0.001
    # And no smaller count than necessary: one more would be too likely.
    first = counts[~np.array(broken)][0]
    assert law.cdf(first) >= threshold * (1.0 - 1e-9)


def test_an_interval_below_the_level_is_no_proof() -> None:
    # Seen with an exact certificate: 182 of 250 at 0.8, of which the interval ends at 0.782.
    unlucky = row(182, 250, 0.8)
    assert binomial_interval(182, 250)[1] < 0.8
    assert binomial_interval(0, 1) == (0.0, pytest.approx(1 - binomial_interval(1, 1)[0]))
    assert not judged([unlucky])[0].broken
    assert judged([row(160, 250, 0.8)])[0].broken
    # Wrong priors are judged by the same threshold, and do not change it.
    mixed = judged([row(74, 100), row(86, 100), row(74, 100, prior="noise x 4")])
    assert broken_below(mixed) == 0.0005
    assert [one.broken for one in mixed] == [True, False, True]
    assert broken_below([row(9, 10, prior="noise x 4")]) == 0.001


def test_counts_of_the_simulation_certificate_are_binomial(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    monkeypatch.setattr(coverage, "simulated_regrets", lambda spec, name, n, seed: rng.random(n))
    spec = coverage._spec(small_problem(), "uniform", "random", 4)
    counts = []

    def counted(name: str, level: float, values: np.ndarray) -> Coverage:
        assert (name, level, len(values)) == ("simulation", 0.9, 1_000)
        counts.append(int(np.sum(rng.random(1_000) <= values)))
        return row(counts[-1], 1_000)

    for seed in range(60):
        coverage._simulated(spec, spec.problem, 1_000, 19, seed, counted)
    spread = np.sum((np.array(counts) - 900.0) ** 2) / 90.0
    # Thresholds out of one pool of 200 regrets gave nearly four times the variance.
    assert stats.chi2(60).ppf(1e-4) < spread < stats.chi2(60).ppf(1 - 1e-4)


@pytest.mark.parametrize("prior", PRIORS)
def test_assumed_priors_differ_in_one_thing(prior: str) -> None:
    for kernel in ("se", "matern52"):
        problem = small_problem(kernel)
        other = assumed(problem, prior)
        changed = [
            other.space_kernel != problem.space_kernel,
            other.time_kernel != problem.time_kernel,
            other.noise_variance != problem.noise_variance,
        ]
        assert sum(changed) == (prior != "true")
        if prior != "true":
            what, sign, number = prior.split()
            before, after = (
                {
                    "epsilon": p.epsilon,
                    "noise": p.noise_variance,
                    "lengthscale": p.space_kernel.lengthscale,
                }[what]
                for p in (problem, other)
            )
            assert after == pytest.approx(before * float(number) ** (1 if sign == "x" else -1))
            assert other.time_kernel == Forgetting(other.epsilon)
    assert isinstance(assumed(small_problem("matern52"), "lengthscale x 1.5").space_kernel, Matern)
    kernel = assumed(small_problem(), "lengthscale / 1.5").space_kernel
    assert isinstance(kernel, SquaredExponential)
    assert kernel.lengthscale == pytest.approx(0.2)


def test_the_greatest_rate_that_is_assumed_forgets_nearly_all() -> None:
    fast = replace(small_problem(), epsilon=0.5, time_kernel=Forgetting(0.5))
    assert assumed(fast, "epsilon x 10").epsilon == 0.99
    assert assumed(fast, "true") is fast


def test_the_problem_of_the_study() -> None:
    one, two = small_problem(), small_problem("matern52", 0.2)
    assert (one.space_kernel, two.space_kernel) == (SquaredExponential(0.3), Matern(2.5, 0.3))
    assert (one.delta, two.delta) == (0.1, 0.2)
    for problem in (one, two):
        assert problem.domain == Grid(2, 1.0, 6) and problem.domain.size == 36
        assert (problem.epsilon, problem.noise_variance) == (0.02, 0.01)
        assert problem.times.durations.tolist() == [3.0]


@pytest.mark.parametrize("prior", ["true", "noise / 4"])
def test_a_cell_counts_the_certificates_of_its_runs(prior: str) -> None:
    """One by one, with the seed of each run; those of simulations from one stream, cut up."""
    problem = replace(small_problem(delta=0.2), domain=Grid(2, 1.0, 3))
    spec = coverage._spec(problem, "uniform", "random", 4)
    truth = [spec.played("random", 7 + i) for i in range(3)]
    regrets = [float(run.regrets.sum()) for run in truth]
    names = ("probability", "rank", "simulation")
    rows = coverage._cell(spec, "random", prior, truth, names, 9, 7)
    model = assumed(problem, prior)
    seen = [Observed.of_run(model, run) for run in truth]
    values = {
        "probability": [probability_certificate(one) for one in seen],
        "rank": [rank_certificate(one, paths=9, seed=7 + i).value for i, one in enumerate(seen)],
        "simulation": np.sort(
            simulated_regrets(replace(spec, problem=model), "random", 27, seed=7).reshape(3, 9)
        )[:, 7],
    }
    assert [row.certificate for row in rows] == list(names)
    for row in rows:
        value = np.array(values[row.certificate])
        assert (row.setting, row.policy, row.prior) == ("uniform", "random", prior)
        assert row.covered == sum(value >= regrets) and row.runs == 3
        assert (row.low, row.high) == binomial_interval(row.covered, 3)
        assert row.level == pytest.approx(0.8)
        assert row.ratio == pytest.approx(np.mean(value) / np.mean(regrets))
        assert row.doubted == np.mean([one.prior_fit() < 0.01 for one in seen])
        assert not row.broken
    (alone,) = coverage._cell(spec, "random", prior, truth, ("simulation",), 9, 7)
    assert alone == rows[2]


def test_small_study() -> None:
    seen: list[float] = []
    rows = coverage_study(
        small_problem(),
        runs=24,
        rounds=6,
        settings=("biased",),
        policies=("random",),
        priors=("true", "lengthscale x 1.5"),
        certificates=("rank", "simulation"),
        progress=lambda cell, share: seen.append(share),
    )
    assert [(row.prior, row.certificate) for row in rows] == [
        ("true", "rank"),
        ("true", "simulation"),
        ("lengthscale x 1.5", "rank"),
        ("lengthscale x 1.5", "simulation"),
    ]
    for one in rows:
        assert one.low <= one.covered / one.runs <= one.high
        assert one.level == 0.9
        assert one.broken == (one.p_value < 0.001 / 2)
    # P(Bin(24, 0.9) < 15) < 1e-4.
    assert all(one.covered >= 15 for one in rows[:2])
    assert rows[2].ratio < rows[0].ratio
    assert seen == sorted(seen) and seen[0] == 0.0


def test_bad_input() -> None:
    problem = small_problem()
    for bad, words in (
        (lambda: coverage_study(problem, runs=1), "runs"),
        (lambda: coverage_study(problem, certificates=("expected",)), "certificates"),
        (lambda: assumed(problem, "none"), "prior"),
        (lambda: coverage_study(problem, priors=("true", "none")), "priors = none"),
        (lambda: coverage_study(problem, priors=("true", "true")), "priors"),
        (lambda: coverage_study(problem, priors=()), "priors = nothing"),
        (lambda: coverage_study(problem, settings=("odd",)), "use uniform, biased$"),
        (lambda: coverage_study(problem, settings=("csv",)), "use uniform, biased$"),
        (lambda: coverage_study(problem, settings=("biased", "biased")), "setting = biased"),
        (lambda: coverage_study(problem, certificates=("rank", "rank")), "certificates"),
        (lambda: coverage_study(problem, policies=("clairvoyant",)), "sees f itself"),
        (lambda: coverage_study(problem, policies=("random", "clairvoyant beta")), "sees f"),
        (lambda: coverage_study(problem, policies=("ctv-fixed", "ctv-fixed theory")), "policies"),
        (lambda: coverage_study(problem, policies=("random", "nobody")), "nobody"),
        (lambda: binomial_interval(3, 2), "successes"),
        (lambda: binomial_interval(-1, 2), "successes"),
        (lambda: binomial_interval(0, 0), "successes"),
        (lambda: coverage_study(problem, runs=10**9), "runs = 1000000000: give at most"),
        (lambda: coverage_study(problem, priors=("",)), "priors = ''"),
    ):
        with pytest.raises(InvalidInput, match=words):
            bad()
