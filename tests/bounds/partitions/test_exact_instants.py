"""Times over more orders of magnitude than doubles hold: floats and certificates against 50 digits.

Durations span up to eighty orders of magnitude, with ties, zeros and bursts; the second road works
with Fractions and mpmath from the durations as given.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.domain import Grid
from bounds.drifting_gain.certified import certified_design_gain, certified_dual
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.gain.report import bound_report, certified_report
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.partitions import certified as in_balls
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.partition import Partition
from bounds.partitions.search import certified_value, evaluate, search
from bounds.partitions.uniformity import scaled_uniformity, uniformity
from bounds.problem import Problem
from bounds.regret.ingredients.ranges import explained_shares, range_variance
from bounds.static_gain.certified import certified_curve
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from tests.bounds.partitions.test_extremes import LOST, block_cost, deficit
from tests.oracles import all_partitions, exact_times, exact_uniformity

ONE_POINT = Grid(1, 1.0, 1)

wide = st.one_of(
    st.sampled_from([0.0, 0.0, 5.0, 1.0, 1e-20, 1e-9, 1e20, 1e40]),
    st.floats(-40, 40).map(lambda exponent: float(10.0**exponent)),
)
sequences = st.lists(wide, min_size=1, max_size=6)
epsilons = st.sampled_from([1e-12, 1e-3, 0.5, 0.9])


def problem_of(durations, epsilon=0.5, noise_variance=0.01, time_kernel=None) -> Problem:
    return Problem(
        EvaluationTimes.from_durations(durations),
        epsilon,
        time_kernel or Forgetting(epsilon),
        SquaredExponential(0.2),
        noise_variance,
        ONE_POINT,
    )


def true_value(problem: Problem, durations, objective, gamma, cuts) -> mpmath.mpf:
    """The objective at a partition with the best own-time centres, from its definition."""
    tau, lengths = exact_times(durations), [b - a for a, b in pairwise(cuts)]
    paid = [max(lengths)] * len(lengths) if objective == "theorem1" else lengths
    prices = mpmath.fsum(mpmath.mpf(float(gamma[m])) for m in paid)
    blocks = pairwise(cuts)
    return prices + mpmath.fsum(block_cost(problem, tau, objective, a, b) for a, b in blocks)


def test_an_instant_is_more_than_two_doubles() -> None:
    """ε = 0.5 on one point: the gain that was certified as 5.305 is 11.491 at this partition."""
    problem = problem_of(LOST)
    gamma = np.array([0.5 * np.log1p(m / 0.01) for m in range(6)])
    whole = evaluate("refined", problem, gamma, Partition((0, 1, 2, 5)))
    with mpmath.workdps(150):
        truth = true_value(problem, LOST, "refined", gamma, (0, 1, 2, 5))
    assert whole.value == pytest.approx(float(truth), rel=1e-12)
    certified = certified_value(problem, gamma, whole)
    assert certified is not None
    assert certified >= truth * (1 - mpmath.mpf(2) ** -50)


@pytest.mark.parametrize("durations", [LOST, [0.0, 1e30, 1e-30, 1e-30], [1e300, 1.0, 1.0]])
@pytest.mark.parametrize("noise_variance", [0.01, 1e-30])
def test_no_certified_bound_is_below_the_gain(durations, noise_variance) -> None:
    problem = problem_of(durations, noise_variance=noise_variance)
    kernel, grid, n = problem.space_kernel, problem.domain, problem.n
    curve = certified_curve(kernel, grid, space_gain_upper(kernel, grid, noise_variance, n))
    design = joint_gain_lower(problem)
    rough = bound_report(problem, curve.values, design.value, costly=True)
    report = certified_report(rough, curve, design)
    tau = exact_times(durations)
    with mpmath.workdps(400):
        gram = mpmath.matrix(n, n)
        for j in range(n):
            for k in range(n):
                r = abs(tau[j] - tau[k])
                gram[j, k] = mpmath.sqrt(1 - deficit(problem.time_kernel, r))
        truth = mpmath.log(mpmath.det(gram / noise_variance + mpmath.eye(n))) / 2
        for bound in report.gains.values():
            if bound.valid:
                assert bound.value >= truth * (1 - (0 if bound.certified else mpmath.mpf(10) ** -9))
        assert report.lower_certified
        assert report.lower <= truth
        assert report.gains["refined"].certified


@given(sequences, epsilons, st.sampled_from([1e-30, 0.01, 1e10]), st.data())
@example(LOST, 0.5, 0.01, None)
@example([1e40, 1e-40, 0.0, 1e-40, 1e20], 0.5, 0.01, None)
@settings(deadline=None, max_examples=40)
def test_each_objective_at_a_partition_agrees_with_many_digits(
    durations, epsilon, noise_variance, data
) -> None:
    problem = problem_of(durations, epsilon, noise_variance)
    n = problem.n
    inner = data.draw(st.sets(st.integers(1, n - 1))) if data and n > 1 else set()
    cuts = tuple(sorted(inner | {0, n}))
    gamma = np.cumsum(np.linspace(0.0, 1.0, n + 1))
    with mpmath.workdps(250):
        for objective in OBJECTIVES:
            truth = true_value(problem, durations, objective, gamma, cuts)
            found = evaluate(objective, problem, gamma, Partition(cuts))
            assert found.value == pytest.approx(float(truth), rel=1e-11)
            certified = certified_value(problem, gamma, found)
            assert certified is not None
            assert truth <= certified <= truth * (1 + mpmath.mpf(10) ** -10) + mpmath.mpf(10) ** -60


@pytest.mark.parametrize("time_kernel", [SquaredExponential(3.0), Matern(1.5, 3.0)], ids=repr)
@pytest.mark.parametrize("seed", range(6))
def test_smooth_kernels_lose_no_gap_either(time_kernel, seed) -> None:
    rng = np.random.default_rng(seed)
    durations = 10.0 ** rng.uniform(-12, 30, size=5) * (rng.random(5) < 0.8)
    problem = problem_of(durations, time_kernel=time_kernel, noise_variance=1e-6)
    gamma = np.concatenate(([0.0], np.log1p(np.arange(1, 6))))
    found = search("refined", problem, gamma)
    with mpmath.workdps(250):
        least = min(
            true_value(problem, durations, "refined", gamma, partition.cuts)
            for partition in all_partitions(5)
        )
        certified = certified_value(problem, gamma, found)
        assert certified is not None
        # Centres between the rounds may be better than any of their instants, by 2^M at the most.
        assert found.value <= float(least) * (1 + 1e-9)
        tau = exact_times(durations)
        at = [tau[c.round] + Fraction(c.offset) for c in found.anchors]
        truth = sum(mpmath.mpf(float(gamma[m])) for m in found.partition.lengths)
        for (a, b), center in zip(found.partition.blocks(), at, strict=True):
            truth += (
                sum(
                    mpmath.log1p(deficit(time_kernel, abs(t - center)) / mpmath.mpf(1e-6))
                    for t in tau[a:b]
                )
                / 2
            )
        assert truth <= certified <= truth * (1 + mpmath.mpf(10) ** -10)
        assert found.value == pytest.approx(float(truth), rel=1e-9)


@given(sequences, st.sampled_from([1e-20, 0.3, 1e15]))
@settings(deadline=None, max_examples=60)
def test_uniformity_and_gaps_over_eighty_orders_of_magnitude(durations, rate) -> None:
    times, tau = EvaluationTimes.from_durations(durations), exact_times(durations)
    lags = times.distances(slice(None), slice(None))
    for j in range(times.n):
        for k in range(times.n):
            assert lags[j, k] == pytest.approx(float(abs(tau[j] - tau[k])), rel=1e-14, abs=0.0)
    exact = sum(min(Fraction(1), (Fraction(rate) * (a - b)) ** 2) for a in tau for b in tau)
    assert scaled_uniformity(times, rate) == pytest.approx(float(exact), rel=1e-12, abs=0.0)
    cap = 1.0 / rate**2
    assert uniformity(times, cap) == pytest.approx(
        float(exact_uniformity(durations, cap)), rel=1e-12
    )
    assert times.offsets()[-1] == pytest.approx(float(tau[-1] - tau[0]), rel=1e-14, abs=0.0)


@given(sequences)
@example(LOST)
@settings(deadline=None, max_examples=30)
def test_the_filter_and_the_joint_gain_see_every_wait(durations) -> None:
    problem = problem_of(durations)
    tau, kernel = exact_times(durations), problem.time_kernel
    with mpmath.workdps(250):
        gram = mpmath.matrix(problem.n, problem.n)
        for j in range(problem.n):
            for k in range(problem.n):
                gram[j, k] = mpmath.sqrt(1 - deficit(kernel, abs(tau[j] - tau[k])))
        truth = mpmath.log(mpmath.det(gram * 100 + mpmath.eye(problem.n))) / 2
        assert certified_design_gain(problem, np.zeros(problem.n, dtype=np.int64)) <= truth
        found = joint_gain_lower(problem)
        assert found.value == pytest.approx(float(truth), rel=1e-10)
        dual = joint_dual(problem)
        assert dual is not None
        assert certified_dual(problem, dual).value >= truth
        shares = explained_shares(problem.times, kernel)
        for k in range(1, problem.n):
            assert shares[k] == pytest.approx(float(gram[k, k - 1]), rel=1e-12)
        pairs = float(2 * sum(gram))
        assert range_variance(problem.times, kernel) == pytest.approx(pairs, rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(sequences, st.sampled_from([Fraction(0), Fraction(1, 10**400), Fraction(1, 7), Fraction(9)]))
@example([1.0, 2.0], Fraction(1, 10**400))
def test_the_uniformity_in_exact_numbers_is_that_of_its_definition(values, rate: Fraction) -> None:
    """Also for a rate whose inverse no double holds."""
    times, tau = EvaluationTimes.from_durations(values), exact_times(values)
    expected = sum(min(Fraction(1), (rate * (a - b)) ** 2) for a in tau for b in tau)
    found = in_balls.scaled_uniformity(times.exact, enclosure.exact(rate))
    assert enclosure.to_fraction(found) == expected
