"""Evaluation times t_i ≥ 0, the instants τ_i = t_1 + … + t_i, and the families of the theory.

What is given, durations or instants, counts as exact: every double is a whole number of ticks of
some power of 2, so the instants are known exactly as whole ticks. Floating point takes their
differences, and never as a difference of two rounded instants that could have lost it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import fsum, isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput, explained

_RESOLVED = 2.0**-44
# Least gap, as a share of the last instant, that two doubles of each instant (some 2^-104 of it,
# times the roundings of up to 10^6 sums) give to the last digits.


@dataclass(frozen=True)
class ExactTimes:
    """τ_i = ticks_i · unit with whole ticks, so that sums and differences are exact.

    >>> ExactTimes.of([0.5, 1.25]).ticks
    (2, 5)
    """

    ticks: tuple[int, ...]
    unit: Fraction

    @classmethod
    def of(cls, numbers: Iterable[float]) -> ExactTimes:
        """From doubles, dyadic rationals, which have a common power of 2 as unit."""
        ratios = [float(number).as_integer_ratio() for number in numbers]
        denominator = max(below for _, below in ratios)
        ticks = tuple(above * (denominator // below) for above, below in ratios)
        return cls(ticks, Fraction(1, denominator))

    @classmethod
    def running(cls, durations: Iterable[float]) -> ExactTimes:
        """The running sums of durations.

        >>> ExactTimes.running([0.5, 1.25]).ticks
        (2, 7)
        """
        each = cls.of(durations)
        return cls(tuple(accumulate(each.ticks)), each.unit)

    def __getitem__(self, rounds: slice) -> ExactTimes:
        return ExactTimes(self.ticks[rounds], self.unit)

    @property
    def instants(self) -> list[Fraction]:
        """τ_1 … τ_n as rational numbers."""
        return [tick * self.unit for tick in self.ticks]

    def distance(self, j: int, k: int) -> float:
        """|τ_j − τ_k| rounded once."""
        ticks = abs(self.ticks[j] - self.ticks[k])
        return ticks / self.unit.denominator


@explained(
    "write EvaluationTimes.from_durations(t), or EvaluationTimes.from_times(tau) for the times at "
    "which evaluations end"
)
@dataclass(frozen=True, eq=False)
class EvaluationTimes:
    """A fixed sequence of evaluation times; round i (from 1) is observed at τ_i.

    Build it with `from_durations`, `from_times` or a family below.

    Attributes
    ----------
    durations : (n,) float, t_i ≥ 0
    times : (n,) float, non-decreasing, the double nearest to τ_i
    remainders : (n,) float, τ_i − times_i to about 30 digits of τ_i
    source : str, where the sequence comes from, for people
    cumulative : whether `times` are what was given and exact; otherwise `durations` are

    >>> EvaluationTimes.from_durations([1.0, 0.0, 2.5]).times
    array([1. , 1. , 3.5])
    """

    durations: FloatArray
    times: FloatArray
    remainders: FloatArray
    source: str = "the times given"
    cumulative: bool = False

    @classmethod
    def from_durations(
        cls, durations: ArrayLike, source: str = "the times given"
    ) -> EvaluationTimes:
        """From t_1..t_n ≥ 0. Raises InvalidInput that names the first bad row."""
        t = _finite_vector("duration", durations)
        bad = np.flatnonzero(t < 0)
        if len(bad):
            raise InvalidInput(
                f"duration in row {bad[0] + 1}", float(t[bad[0]]), "evaluation times are at least 0"
            )
        times, remainders = _accumulate(t)
        if not isfinite(times[-1]):
            raise InvalidInput("duration", "their sum overflows", "use a larger unit of time")
        return cls(_frozen(t), _frozen(times), _frozen(remainders), source)

    @classmethod
    def from_times(cls, times: ArrayLike, source: str = "the times given") -> EvaluationTimes:
        """From 0 ≤ τ_1 ≤ … ≤ τ_n (t_1 = τ_1). Raises InvalidInput that names the first bad row."""
        tau = _finite_vector("tau", times)
        if tau[0] < 0:
            raise InvalidInput("tau in row 1", float(tau[0]), "time starts at 0: tau is at least 0")
        bad = np.flatnonzero(np.diff(tau) < 0)
        if len(bad):
            raise InvalidInput(
                f"tau in row {bad[0] + 2}",
                float(tau[bad[0] + 1]),
                f"cumulative times do not decrease (the row before has {tau[bad[0]]:g})",
            )
        return cls(
            _frozen(np.diff(tau, prepend=0.0)),
            _frozen(tau),
            _frozen(np.zeros_like(tau)),
            source,
            cumulative=True,
        )

    @property
    def n(self) -> int:
        """The number of rounds."""
        return len(self.times)

    @property
    def total_time(self) -> float:
        """T = τ_n."""
        return float(self.times[-1])

    @property
    def span(self) -> float:
        """τ_n − τ_1, rounded once."""
        if self.cumulative:
            return float(self.times[-1] - self.times[0])
        return fsum(self.waits)

    @cached_property
    def exact(self) -> ExactTimes:
        """The instants as whole ticks. O(n) additions of whole numbers."""
        if self.cumulative:
            return ExactTimes.of(self.times.tolist())
        return ExactTimes.running(self.durations.tolist())

    @cached_property
    def waits(self) -> FloatArray:
        """(n,) 0, then τ_k − τ_{k−1}, each rounded at most once."""
        waits = self.durations.copy()
        waits[0] = 0.0
        return _frozen(waits)

    def block(self, start: int, end: int) -> EvaluationTimes:
        """The rounds start+1 … end alone, at the instants they have here.

        Their distances are the exact ones; the first instant is rounded to a double.
        """
        if not 0 <= start < end <= self.n:
            raise InvalidInput("block", (start, end), f"give 0 <= start < end <= {self.n}")
        durations = self.durations[start:end].copy()
        durations[0] = self.times[start]
        return self._part(durations, slice(start, end))

    def some(self, rounds: IntArray) -> EvaluationTimes:
        """Some of the rounds, in increasing order; waits between them are rounded once."""
        waits = self.gaps(rounds[:-1], rounds[1:])
        return self._part(np.concatenate((self.times[rounds[:1]], waits)), rounds)

    def _part(self, durations: FloatArray, rounds: slice | IntArray) -> EvaluationTimes:
        times, remainders = self.times[rounds], self.remainders[rounds]
        return replace(self, durations=_frozen(durations), times=times, remainders=remainders)

    def offsets(self) -> FloatArray:
        """(n,) τ_k − τ_1, free of cancellation far from the origin."""
        if self._resolved:
            return np.asarray((self.times - self.times[0]) + (self.remainders - self.remainders[0]))
        return np.cumsum(self.waits)

    def gaps(self, earlier: IntArray, later: IntArray) -> FloatArray:
        """(m,) |τ_j − τ_k| for pairs of rounds j of `earlier` and k of `later`."""
        if self._resolved:
            coarse = self.times[later] - self.times[earlier]
            return np.asarray(np.abs(coarse + (self.remainders[later] - self.remainders[earlier])))
        pairs = zip(earlier.tolist(), later.tolist(), strict=True)
        return np.array([self.exact.distance(j, k) for j, k in pairs], dtype=float)

    def distances(self, rows: slice, columns: slice) -> FloatArray:
        """|τ_j − τ_k| for j in `rows`, k in `columns`, free of cancellation far from the origin."""
        if self._resolved:
            coarse = np.subtract.outer(self.times[rows], self.times[columns])
            fine = np.subtract.outer(self.remainders[rows], self.remainders[columns])
            return np.asarray(np.abs(coarse + fine))
        chosen = np.arange(self.n)[rows]
        return sums_outward(self.waits, chosen, chosen)[:, columns]

    @cached_property
    def _resolved(self) -> bool:
        """Whether two doubles of each instant give every gap to the last digits."""
        waits = self.waits[self.waits > 0.0]
        return self.cumulative or not len(waits) or bool(waits.min() >= _RESOLVED * self.times[-1])


def sums_outward(waits: FloatArray, first: IntArray, last: IntArray) -> FloatArray:
    """(m, n) distance of each round from the interval between the rounds first_i and last_i.

    Sums of the waits in between, which lose nothing where the waits differ by many orders of
    magnitude: n roundings of positive terms. 0 inside the interval. O(mn).

    >>> sums_outward(np.array([0.0, 1.0, 1e40, 5.0]), np.array([2]), np.array([2]))
    array([[1.e+40, 1.e+40, 0.e+00, 5.e+00]])
    """
    places = np.arange(len(waits))
    after = np.where(places > last[:, None], waits, 0.0).cumsum(axis=1)
    into = np.where(places <= first[:, None], waits, 0.0)[:, :0:-1].cumsum(axis=1)
    after[:, :-1] += into[:, ::-1]
    return np.asarray(after)


@dataclass(frozen=True)
class Family:
    """What the families share: n rounds of total time T, and the parameters of each.

    n0 : round that takes all the time (biased; default ⌈n/2⌉)
    ratio : t_{i+1}/t_i (geometric)
    power : p of t_i ∝ i^p (power)
    bursts : number of bursts (bursts; default ⌈√n⌉)
    gap : short duration, inside bursts (bursts) or between the long ones (periodic)
    tail : shape of the Pareto law (pareto)
    period : one long duration every `period` rounds (periodic)
    """

    n: int = 130
    total: float = 390.0
    n0: int | None = None
    ratio: float = 1.05
    power: float = 1.0
    bursts: int | None = None
    gap: float = 0.0
    tail: float = 1.5
    period: int = 10
    rng: np.random.Generator | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _require(self.n >= 1, "n", self.n, "give at least 1 round")
        _require(isfinite(self.total) and self.total >= 0, "total", self.total, "give a time >= 0")
        _require(isfinite(self.gap) and self.gap >= 0, "gap", self.gap, "give a time >= 0")

    def uniform(self) -> FloatArray:
        """t_i = T/n."""
        return np.full(self.n, self.total / self.n)

    def biased(self) -> FloatArray:
        """t_{n0} = T, every other t_i = 0 (the paper's extremely biased setting)."""
        n0 = (self.n + 1) // 2 if self.n0 is None else self.n0
        _require(1 <= n0 <= self.n, "n0", n0, f"give a round between 1 and {self.n}")
        t = np.zeros(self.n)
        t[n0 - 1] = self.total
        return t

    def geometric(self) -> FloatArray:
        """t_i ∝ ratio^i, scaled to total T."""
        _require(isfinite(self.ratio) and self.ratio > 0, "ratio", self.ratio, "give a ratio > 0")
        exponents = np.arange(self.n) * np.log(self.ratio)
        return self._scaled(np.exp(exponents - exponents.max()))

    def power_law(self) -> FloatArray:
        """t_i ∝ i^p, scaled to total T."""
        _require(isfinite(self.power), "power", self.power, "give a finite exponent")
        exponents = self.power * np.log(np.arange(1, self.n + 1))
        return self._scaled(np.exp(exponents - exponents.max()))

    def in_bursts(self) -> FloatArray:
        """B bursts of n/B rounds (sizes differ by at most one), `gap` apart inside a burst.

        The time that remains is spread equally over the B waits that open each burst.
        """
        count = int(np.ceil(np.sqrt(self.n))) if self.bursts is None else self.bursts
        _require(1 <= count <= self.n, "bursts", count, f"give between 1 and {self.n}")
        starts = (np.arange(count) * self.n) // count
        return self._long_and_short(starts)

    def periodic(self) -> FloatArray:
        """One long duration at rounds p, 2p, …; every other round lasts `gap`."""
        _require(1 <= self.period <= self.n, "period", self.period, f"give between 1 and {self.n}")
        return self._long_and_short(np.arange(self.period - 1, self.n, self.period))

    def exponential(self) -> FloatArray:
        """Independent exponential durations, scaled to total T."""
        return self._scaled(self._generator().exponential(size=self.n))

    def pareto(self) -> FloatArray:
        """Independent Pareto durations, P(t > u) = u^{−tail} for u ≥ 1, scaled to total T."""
        _require(isfinite(self.tail) and self.tail > 0, "tail", self.tail, "give a shape > 0")
        # log t = E/tail with E exponential; scaled by the largest, so that it cannot overflow.
        logs = self._generator().exponential(size=self.n) / self.tail
        return self._scaled(np.exp(logs - logs.max()))

    def _generator(self) -> np.random.Generator:
        if self.rng is None:
            raise InvalidInput("rng", "none", "random families take a numpy Generator")
        return self.rng

    def _scaled(self, weights: FloatArray) -> FloatArray:
        return np.asarray(weights / weights.sum() * self.total)

    def _long_and_short(self, long_rounds: NDArray[np.int64]) -> FloatArray:
        t = np.full(self.n, self.gap)
        rest = self.total - self.gap * (self.n - len(long_rounds))
        _require(rest >= 0, "gap", self.gap, f"the gaps alone exceed the total time {self.total:g}")
        t[long_rounds] = rest / len(long_rounds)
        return t


FAMILIES = {
    "uniform": Family.uniform,
    "biased": Family.biased,
    "geometric": Family.geometric,
    "power": Family.power_law,
    "bursts": Family.in_bursts,
    "exponential": Family.exponential,
    "pareto": Family.pareto,
    "periodic": Family.periodic,
}
"""The families by the names that the command line knows."""


def sequence(name: str, family: Family) -> EvaluationTimes:
    """The evaluation times of the family `name` with the parameters `family`.

    >>> sequence("biased", Family(n=4, total=8.0)).times
    array([0., 8., 8., 8.])
    """
    if name not in FAMILIES:
        raise InvalidInput("sequence", name, f"use {', '.join(FAMILIES)}")
    return EvaluationTimes.from_durations(FAMILIES[name](family), source=name)


def _accumulate(durations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Running sums as double + remainder, by error-free addition (Knuth's two-sum).

    A plain loop, half a second for 10^6 rounds: compiled code would cost every command its import,
    and a vectorised tree of sums would tear equal times apart.
    """
    high, low = [], []
    h, l = 0.0, 0.0
    for t in durations.tolist():
        s = h + t
        back = s - h
        l += (h - (s - back)) + (t - back)
        h = s + l
        l -= h - s
        high.append(h)
        low.append(l)
    return np.array(high), np.array(low)


def _finite_vector(field_name: str, values: ArrayLike) -> FloatArray:
    try:
        vector = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(field_name, str(values), "give a list of numbers") from None
    if vector.ndim != 1:
        raise InvalidInput(field_name, f"shape {vector.shape}", "give one number for each round")
    if len(vector) == 0:
        raise InvalidInput(field_name, f"shape {vector.shape}", "give at least one row")
    bad = np.flatnonzero(~np.isfinite(vector))
    if len(bad):
        raise InvalidInput(
            f"{field_name} in row {bad[0] + 1}", float(vector[bad[0]]), "give a finite number"
        )
    return vector


def _frozen(array: FloatArray) -> FloatArray:
    array.setflags(write=False)
    return array


def _require(condition: bool, field_name: str, value: object, remedy: str) -> None:
    if not condition:
        raise InvalidInput(field_name, value, remedy)
