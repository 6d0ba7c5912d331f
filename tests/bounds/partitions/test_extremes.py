"""Numbers at the ends of their ranges against 50 digits, and searches against enumeration.

ε from 0 and 1e-15 to 1 − 1e-12, durations from 1e-300 to 1e300, σ² from 1e-12 to 1e12, lengthscales
from 1e-6 to 1e6. The second road is written here from the formulas, in mpmath.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bounds.arithmetic import DOUBLES
from bounds.formulas import phi
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.partitions.drift import round_drift
from bounds.partitions.search import search
from bounds.partitions.uniformity import scaled_uniformity, uniformity_of_uniform
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from tests.oracles import all_partitions, exact_times

LOST = [1e40, 1e20, 5.0, 5.0, 5.0]
"""Two doubles of each instant do not see the last three waits."""
LOGARITHMS = np.log1p([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).tolist()
DIGITS = 50
CLOSE = 1e-12

epsilons = st.one_of(
    st.sampled_from([0.0, 1e-15, 1e-9, 1e-3, 0.5, 1 - 1e-3, 1 - 1e-9, 1 - 1e-12]),
    st.floats(-15.0, 0.0).map(lambda x: min(10.0**x, 1 - 1e-12)),
)
durations = st.one_of(
    st.sampled_from([0.0, 0.0, 1.0, 1e-300, 1e300, 1e-9, 1e9, 1e16]),
    st.floats(-300.0, 300.0).map(lambda x: 10.0**x),
    st.floats(0.0, 10.0),
)
variances = st.floats(-12.0, 12.0).map(lambda x: 10.0**x)
lengthscales = st.floats(-6.0, 6.0).map(lambda x: 10.0**x)


def close(found: float, exact: mp.mpf) -> bool:
    """Whether a double has the first twelve digits, or is as near 0 as its squares come.

    A sum of squares below 5e-324 is 0, so its root is off by up to 2e-162, and a drift by that
    times s = 1/σ² ≤ 1e12. No bound sees it: it adds gains of at least ½ log(1 + s), beside which
    this is less than 1e-150, and its certificate is computed in balls, which do not underflow.
    """
    return abs(mp.mpf(found) - exact) <= CLOSE * abs(exact) + mp.mpf("1e-150")


def lag(r: Fraction) -> mp.mpf:
    return mp.mpf(r.numerator) / r.denominator


def deficit(kernel: Kernel, r: Fraction) -> mp.mpf:
    """1 − k², with the digits asked for where it is tiny if it is called with many more."""
    if isinstance(kernel, Forgetting):
        return -mp.expm1(mp.log1p(-mp.mpf(kernel.epsilon)) * lag(r))
    z = lag(r) / mp.mpf(kernel.lengthscale)
    if isinstance(kernel, Matern):
        assert kernel.nu == 1.5
        z *= mp.sqrt(3)
        return 1 - ((1 + z) * mp.exp(-z)) ** 2
    return -mp.expm1(-z * z)


def exact_phi(x: mp.mpf) -> mp.mpf:
    return x if x <= 1 else mp.log(x) + 1 / x


def block_cost(problem: Problem, tau: list[Fraction], name: str, a: int, b: int) -> mp.mpf:
    """The drift of the rounds a+1 … b from its definition, at the best of their own times."""
    block, noise = tau[a:b], mp.mpf(problem.noise_variance)
    if name == "refined":
        kernel = problem.time_kernel
        return (
            min(
                mp.fsum(mp.log1p(deficit(kernel, abs(t - c)) / noise) for t in block) for c in block
            )
            / 2
        )
    printed, epsilon = name == "theorem1", mp.mpf(problem.epsilon)
    rate, growth = (epsilon, exact_phi) if printed else (-mp.log1p(-epsilon) / 2, mp.log1p)
    pairs = itertools.product(block, repeat=2)
    capped = mp.fsum(min(mp.mpf(1), (rate * lag(abs(t - u))) ** 2) for t, u in pairs)
    return len(block) * growth(mp.sqrt(capped / len(block)) / noise) / 2


def held(name: str, gaps: list[float], rate: float, variance: float, prices: list[float]) -> int:
    """Compare value and choice with those of all partitions; how many there were."""
    n = len(gaps)
    problem = Problem(EvaluationTimes.from_durations(gaps), epsilon=rate, noise_variance=variance)
    with mp.workdps(DIGITS):
        tau, cuts = exact_times(gaps), itertools.combinations(range(n + 1), 2)
        table = {(a, b): block_cost(problem, tau, name, a, b) for a, b in cuts}

        def value(cuts: tuple[int, ...]) -> mp.mpf:
            blocks = list(itertools.pairwise(cuts))
            lengths = [b - a for a, b in blocks]
            gains = [prices[max(lengths) if name == "theorem1" else m] for m in lengths]
            return mp.fsum(map(mp.mpf, gains)) + mp.fsum(table[block] for block in blocks)

        every = [one.cuts for one in all_partitions(n)]
        least = min(value(cuts) for cuts in every)
        found = search(name, problem, prices)
        assert found.exact
        assert close(found.value, least), (found.value, mp.nstr(least, 20))
        assert close(found.value, value(found.partition.cuts))
    return len(every)


problems = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.sampled_from(["theorem1", "additive", "refined"]),
        st.lists(durations, min_size=n, max_size=n),
        epsilons,
        variances,
        st.lists(st.sampled_from([0.0, 1e-9, 0.1, 1.0, 1e6]), min_size=n, max_size=n).map(
            lambda steps: [0.0, *np.cumsum(steps).tolist()]
        ),
    )
)


@settings(max_examples=25, deadline=None)
@given(problems)
@example(("theorem1", [0.0, 3.242880065684039e-237], 1e-15, 1.0, [0.0, 0.0, 0.0]))
@example(("theorem1", LOST, 0.5, 0.01, LOGARITHMS))
@example(("additive", LOST, 0.5, 0.01, LOGARITHMS))
@example(("refined", LOST, 0.5, 0.01, LOGARITHMS))
def test_searches_at_the_ends_of_their_ranges(drawn) -> None:
    held(*drawn)


@pytest.mark.slow
def test_a_hundred_thousand_partitions() -> None:
    seen = 0

    @settings(
        max_examples=6000,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(problems)
    def examine(drawn) -> None:
        nonlocal seen
        seen += held(*drawn)

    while seen < 100_000:
        examine()


@settings(max_examples=60, deadline=None)
@given(st.lists(durations, min_size=1, max_size=6), epsilons)
def test_uniformity(gaps, rate) -> None:
    found = scaled_uniformity(EvaluationTimes.from_durations(gaps), rate)
    with mp.workdps(DIGITS):
        pairs = itertools.product(exact_times(gaps), repeat=2)
        exact = mp.fsum(min(mp.mpf(1), (mp.mpf(rate) * lag(abs(t - u))) ** 2) for t, u in pairs)
        assert close(found, exact), (found, mp.nstr(exact, 20))


@settings(max_examples=100, deadline=None)
@given(durations, epsilons, variances)
def test_the_drift_of_a_round(gap, rate, variance) -> None:
    with mp.workdps(DIGITS):
        exact = mp.log1p(deficit(Forgetting(rate), Fraction(gap)) / mp.mpf(variance)) / 2
        assert close(float(round_drift(gap, Forgetting(rate), variance)), exact)
        x = mp.mpf(gap) / mp.mpf(variance)
        if x < mp.mpf("1e308"):
            assert close(float(phi(DOUBLES, float(x))), exact_phi(mp.mpf(float(x))))


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([0.3, 0.5, 1.0, 1.5, 2.5, 4.2, 20.0, 100.0]), durations, lengthscales)
@example(100.0, 1.0, 1e6)
@example(33.0, 1.0, 1.5)
def test_kernels(nu, gap, lengthscale) -> None:
    u = mp.mpf(gap) / mp.mpf(lengthscale)
    if not mp.mpf("1e-12") <= u <= 300:
        return
    with mp.workdps(DIGITS + 100):
        z = mp.sqrt(2 * mp.mpf(nu)) * u
        matern = 1 - mp.mpf(2) ** (1 - mp.mpf(nu)) / mp.gamma(nu) * z**nu * mp.besselk(nu, z)
        smooth = -mp.expm1(-u * u / 2)
        assert close(float(Matern(nu, lengthscale).complement(gap)), matern)
        assert close(float(SquaredExponential(lengthscale).complement(gap)), smooth)


@pytest.mark.parametrize("spacing", [1e-300, 1e-6, 1.0, 1e150])
def test_a_million_rounds(spacing: float) -> None:
    times = EvaluationTimes.from_durations(np.full(10**6, spacing))
    rate = 0.25 / spacing if 1e-100 < spacing < 1 else 1e-3
    with mp.workdps(DIGITS):
        h, n = mp.mpf(rate) * mp.mpf(spacing), 10**6
        lags = min(n - 1, int(mp.floor(1 / h)))
        within = sum((n - k) * k * k for k in range(1, min(lags, 2000) + 1))
        if lags > 2000:
            within = (
                mp.mpf(n) * lags * (lags + 1) * (2 * lags + 1) / 6
                - (mp.mpf(lags) * (lags + 1) / 2) ** 2
            )
        beyond = (n - 1 - lags) * (n - lags)
        exact = 2 * h * h * within + beyond
        assert close(scaled_uniformity(times, rate), exact)
        assert close(float(uniformity_of_uniform(n, float(h), 1.0)), exact)
