"""Measured exponents: the best partition at growing n with γ_m = m^c exactly, and a log-log fit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import expm1, log1p

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.partitions.drift import round_drift
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.search import search
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.rates.exponents import checked_exponent
from bounds.rates.lattice import exact_fraction
from bounds.sequences.derived import derived_regimes, equal_block_exponent
from bounds.sequences.scaling import Scaling
from bounds.times import EvaluationTimes

SIZES = tuple(2**k for k in range(8, 18))
"""n = 2⁸ … 2¹⁷."""

EPSILON = -expm1(-2.0)
"""The forgetting rate with θ = 1: time in units of 1/θ."""

NOISE_VARIANCE = 1.0
LARGEST_GAP = 0.01
FEWEST_SIZES = 4

_CENTERS = 9
_NEAR_TRIVIAL = 0.9


@dataclass(frozen=True)
class ExponentFit:
    """n^{exponent} fitted to values at several n.

    Attributes
    ----------
    exponent : the slope over the upper half of the sizes, continued by what it gained on that of
        the lower half: lower-order terms bend the curve, and die out as n grows. For erratic values
        the plain slope
    uncertainty : half-width: 95 % of the fit, or of the continued slope where several values at
        one n tell its spread, plus twice that gain (once for erratic values)
    slope : least-squares slope of log value against log n over all sizes
    """

    exponent: float
    uncertainty: float
    slope: float

    def near(self, derived: Fraction) -> bool:
        """Whether `derived` lies within the uncertainty, or 0.001 where that is smaller."""
        return abs(self.exponent - float(derived)) <= max(self.uncertainty, 0.001)


@dataclass(frozen=True, eq=False)
class Measurement:
    """One family at one (c, κ): measured regret exponents beside the derived ones.

    Attributes
    ----------
    n : sizes that the budget allowed, increasing
    gains : upper bounds on γ̃_n of the best partition (mean over draws for random families)
    gaps : proved relative distance from the optimum, 0 where exact
    fit, equal_fit : regret exponents, (1 + the exponent of the gain)/2, of the best partition and
        of the best equal blocks (these for `refined` alone)
    derived, equal_derived : exact; for equal blocks None without a derivation
    """

    scaling: Scaling
    bound: str
    c: Fraction
    kappa: Fraction
    n: tuple[int, ...]
    gains: FloatArray
    gaps: FloatArray
    fit: ExponentFit
    equal_fit: ExponentFit | None
    derived: Fraction
    equal_derived: Fraction | None

    @property
    def loss(self) -> float | None:
        """By which power of n the gain of equal blocks exceeds that of the best partition."""
        if self.equal_fit is None:
            return None
        return 2.0 * (self.equal_fit.exponent - self.fit.exponent)

    @property
    def derived_loss(self) -> Fraction | None:
        """The same, derived; 0 where equal blocks lose at most a constant or a logarithm."""
        if self.equal_derived is None:
            return None
        return 2 * (self.equal_derived - self.derived)

    @property
    def saturated(self) -> bool:
        """Whether the bound is still near the trivial one at the largest n, though it will fall.

        Then n is too small for the exponent to show.
        """
        if self.derived == 1:
            return False
        return bool(self.gains[-1] >= _NEAR_TRIVIAL * 0.5 * self.n[-1] * log1p(1 / NOISE_VARIANCE))

    @property
    def early(self) -> bool:
        """Whether the upper half of the sizes has too few rounds for the pattern to show.

        Then the measured exponent is that of another pattern.
        """
        return not self.scaling.settled(self.n[len(self.n) // 2])

    @property
    def agrees(self) -> bool | None:
        """Whether the derived exponent lies within the uncertainty of the measured one.

        So must that of equal blocks, where both are known. Differences below 0.001 count as none.
        None where `saturated` or `early`.
        """
        if self.saturated or self.early:
            return None
        equal = self.equal_agrees
        return self.fit.near(self.derived) and equal is not False

    @property
    def equal_agrees(self) -> bool | None:
        """The same for equal blocks alone; None where one of the two is not known."""
        if self.equal_fit is None or self.equal_derived is None:
            return None
        return self.equal_fit.near(self.equal_derived)


def fit_exponent(n: ArrayLike, values: ArrayLike, *, erratic: bool = False) -> ExponentFit:
    """Fit log value = exponent·log n + constant; at least four sizes, n non-decreasing.

    An n may occur several times with different values. `erratic` values have a spread that hides
    the curvature, so all sizes count alike.

    >>> round(fit_exponent([4, 16, 64, 256], [2, 4, 8, 16]).exponent, 12)
    0.5
    """
    x, y = np.log(np.asarray(n, dtype=float)), np.log(np.asarray(values, dtype=float))
    sizes = np.unique(x)
    if x.shape != y.shape or len(sizes) < FEWEST_SIZES or not np.all(np.isfinite(y)):
        raise InvalidInput("n", f"{len(sizes)} sizes", "give at least 4 sizes, positive values")
    # With an odd number of sizes the middle one belongs to both halves.
    half = (len(sizes) + 1) // 2
    low, high = x <= sizes[half - 1], x >= sizes[-half]
    lower, lower_error = _slope(x[low], y[low])
    upper, upper_error = _slope(x[high], y[high])
    slope, error = _slope(x, y)
    spread = error * float(special.stdtrit(len(x) - 2, 0.975))
    bend = upper - lower
    if erratic:
        return ExponentFit(slope, spread + abs(bend), slope)
    if len(x) > len(sizes):
        # 2·upper − lower; the halves are all but independent.
        freedom = int(high.sum()) - 2
        continued = float(np.hypot(2.0 * upper_error, lower_error))
        spread = max(spread, continued * float(special.stdtrit(freedom, 0.975)))
    return ExponentFit(upper + bend, spread + 2.0 * abs(bend), slope)


def measure(
    scaling: Scaling,
    c: object,
    kappa: object,
    *,
    bound: str = "refined",
    sizes: Sequence[int] = SIZES,
    rng: np.random.Generator | None = None,
    draws: int | None = None,
    seconds: float = 5.0,
) -> Measurement:
    """Measure the exponent of a family and compare it with the derived one.

    Parameters
    ----------
    scaling : Scaling
    c, kappa : numbers or fractions, γ_m = m^c and θT = n^κ
    bound : "refined", "additive" or "theorem1"
    sizes : increasing n
    rng : for random families; `draws` sequences at each n, all of which enter the fit;
        3 by default, 16 where the durations have no mean
    seconds : budget for one n. n grows until the next one is expected beyond it (a search grows at
        most quadratically), or a proved gap exceeds 1 %; at least four sizes are tried. Which
        sizes are reached depends on the machine, what is found at each does not.

    σ² = 1, forgetting kernel with θ = 1. Cost: some times `seconds` at most.

    >>> measurement = measure(Scaling("biased"), 0.5, 0, sizes=[64, 128, 256, 512])
    >>> round(measurement.fit.exponent, 2), str(measurement.derived)
    (0.75, '3/4')
    """
    number, at = checked_exponent(c), exact_fraction("kappa", kappa)
    repeats = 1
    if scaling.random:
        repeats = draws or (16 if scaling.erratic else 3)
    reached: list[int] = []
    gaps: list[float] = []
    gains: list[list[float]] = []
    equal: list[list[float]] = []
    for n in sizes:
        gamma = np.arange(n + 1.0) ** float(number)
        gamma[0] = 0.0
        results, equals = [], []
        start = time.perf_counter()
        for _ in range(repeats):
            times = scaling.times(n, at, rng)
            problem = Problem(times, epsilon=EPSILON, noise_variance=NOISE_VARIANCE)
            results.append(search(bound, problem, gamma))
            if OBJECTIVES[bound].centred:
                lengths = _lengths(n, scaling.natural_lengths(n))
                equals.append(best_equal_gain(problem, gamma, lengths))
        gap = max(result.gap for result in results)
        if gap > LARGEST_GAP:
            break
        reached.append(n)
        gaps.append(gap)
        gains.append([result.value for result in results])
        equal.append(equals)
        if 4.0 * (time.perf_counter() - start) > seconds and len(reached) >= FEWEST_SIZES:
            break
    refined = OBJECTIVES[bound].centred
    derived = derived_regimes(scaling, number, bound).exponent(at)
    return Measurement(
        scaling,
        bound,
        number,
        at,
        tuple(reached),
        _log_mean(gains),
        np.array(gaps),
        _regret_fit(reached, gains, scaling.erratic),
        _regret_fit(reached, equal, scaling.erratic) if refined else None,
        derived,
        equal_block_exponent(scaling, number, at) if refined else None,
    )


TABLE = (
    (Scaling("uniform"), "0", "0"),
    (Scaling("uniform"), "1/2", "0"),
    (Scaling("biased"), "1/2", "1/2"),
    (Scaling("geometric", ratio=2), "1/2", "1/2"),
    (Scaling("geometric", ratio="1/2"), "1/2", "1/2"),
    (Scaling("power", power=1), "0", "1/2"),
    (Scaling("power", power="-1/2"), "0", "1/2"),
    (Scaling("power", power="-3/2"), "0", "1/2"),
    (Scaling("power", power="-5/2"), "0", "1"),
    (Scaling("power", power=-3), "0", "1"),
    (Scaling("bursts", bursts="1/2"), "0", "1/4"),
    (Scaling("bursts", bursts="1/2"), "1/2", "1"),
    (Scaling("exponential"), "0", "1/2"),
    (Scaling("pareto", tail="3/2"), "0", "1/2"),
    (Scaling("pareto", tail="1/2"), "0", "1/2"),
    (Scaling("periodic", period="1/2"), "0", "1"),
    (Scaling("periodic", period="1/2", contrast="1/2"), "0", "1/2"),
)
"""(family, c, κ) of the table that `measured_table` fills."""


def measured_table(
    rng: np.random.Generator,
    *,
    rows: Sequence[tuple[Scaling, object, object]] = TABLE,
    sizes: Sequence[int] = SIZES,
    seconds: float = 4.0,
    progress: Share = unwatched,
) -> tuple[Measurement, ...]:
    """`measure` for each row; `progress` is called with the share of rows done."""
    measurements = []
    for i, (scaling, c, kappa) in enumerate(rows):
        # The number of bursts divides n = 4^k; elsewhere equal blocks fall out of step with them.
        kept = [n for n in sizes if scaling.family != "bursts" or n.bit_length() % 2 == 1]
        measurements.append(measure(scaling, c, kappa, sizes=kept, rng=rng, seconds=seconds))
        progress((i + 1) / len(rows))
    return tuple(measurements)


def best_equal_gain(problem: Problem, gamma: FloatArray, lengths: Sequence[int]) -> float:
    """The smallest `refined` value over equal blocks of these lengths.

    Nine of a block's own times are tried as its centre, so the value is an upper bound on that of
    the best centre, in practice within some per cent. O(n) for each length.
    """
    best = np.inf
    for length in lengths:
        full = problem.n // length
        value = full * float(gamma[length]) + float(gamma[problem.n - full * length])
        value += _equal_drift(problem, 0, full * length, length)
        if full * length < problem.n:
            value += _equal_drift(problem, full * length, problem.n, problem.n - full * length)
        best = min(best, value)
    return best


def _equal_drift(problem: Problem, start: int, end: int, length: int) -> float:
    """Σ over the blocks of `length` rounds in [start, end) of the drift, best of the centres."""
    if length == 1 or end == start:
        return 0.0
    times: EvaluationTimes = problem.times.block(start, end)
    # Distances inside a block, from its first round, so that late blocks lose no digits.
    offsets = times.offsets().reshape(-1, length)
    within = offsets - offsets[:, :1]
    picks = np.unique(np.linspace(0, length - 1, _CENTERS).round().astype(int))
    drifts = [
        round_drift(
            np.abs(within - within[:, [pick]]), problem.time_kernel, problem.noise_variance
        ).sum(axis=1)
        for pick in picks
    ]
    return float(np.min(drifts, axis=0).sum())


def _lengths(n: int, natural: Sequence[int]) -> tuple[int, ...]:
    """Lengths a factor √2 apart, and those that follow the pattern."""
    count = 2 * int(np.log2(n)) + 1
    spread = {round(value) for value in np.geomspace(1, n, count)}
    return tuple(sorted(spread | set(natural)))


def _slope(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Least-squares slope and its standard error."""
    from scipy import stats  # slow to import

    line = stats.linregress(x, y)
    return float(line.slope), float(line.stderr)


def _log_mean(values: Sequence[Sequence[float]]) -> FloatArray:
    return np.array([float(np.exp(np.mean(np.log(row)))) for row in values])


def _regret_fit(n: Sequence[int], gains: Sequence[Sequence[float]], erratic: bool) -> ExponentFit:
    """The fit of √(n·gain), over every draw; at most 1, since no gain exceeds that of n caps."""
    sizes = [size for size, row in zip(n, gains, strict=True) for _ in row]
    regrets = np.sqrt(np.array(sizes) * np.concatenate([np.array(row) for row in gains]))
    fit = fit_exponent(sizes, regrets, erratic=erratic)
    return replace(fit, exponent=min(fit.exponent, 1.0))
