"""The study of coverage: exact intervals, wrong priors that break what they must, and its form."""

import pytest
from scipy import stats

from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from simulation.coverage import PRIORS, assumed, binomial_interval, coverage_study, small_problem


@pytest.mark.parametrize(("covered", "trials"), [(0, 10), (9, 10), (10, 10), (88, 100)])
def test_interval_is_that_of_scipy(covered: int, trials: int) -> None:
    low, high = binomial_interval(covered, trials)
    exact = stats.binomtest(covered, trials).proportion_ci(0.95, method="exact")
    assert (low, high) == pytest.approx((exact.low, exact.high))


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
    assert isinstance(assumed(small_problem("matern52"), "lengthscale x 1.5").space_kernel, Matern)
    kernel = assumed(small_problem(), "lengthscale / 1.5").space_kernel
    assert isinstance(kernel, SquaredExponential)
    assert kernel.lengthscale == pytest.approx(0.2)


def test_small_study() -> None:
    seen: list[float] = []
    rows = coverage_study(
        small_problem(), runs=24, rounds=10, settings=("biased",), policies=("random",),
        priors=("true", "lengthscale x 1.5"), certificates=("rank", "simulation"),
        progress=lambda cell, share: seen.append(share),
    )  # fmt: skip
    assert [(row.prior, row.certificate) for row in rows] == [
        ("true", "rank"), ("true", "simulation"),
        ("lengthscale x 1.5", "rank"), ("lengthscale x 1.5", "simulation"),
    ]  # fmt: skip
    for row in rows:
        assert row.low <= row.covered / row.runs <= row.high
        assert row.level == 0.9
        assert row.broken == (row.high < 0.9)
    # P(Bin(24, 0.9) < 15) < 1e-4.
    assert all(row.covered >= 15 for row in rows[:2])
    assert rows[2].ratio < rows[0].ratio
    assert seen == sorted(seen) and seen[0] == 0.0


def test_bad_input() -> None:
    problem = small_problem()
    for bad, words in (
        (lambda: coverage_study(problem, runs=1), "runs"),
        (lambda: coverage_study(problem, certificates=("expected",)), "certificates"),
        (lambda: coverage_study(problem, runs=2, rounds=4, priors=("none",)), "prior"),
        (lambda: coverage_study(problem, runs=2, settings=("odd",)), "setting"),
        (lambda: binomial_interval(3, 2), "successes"),
    ):
        with pytest.raises(InvalidInput, match=words):
            bad()
