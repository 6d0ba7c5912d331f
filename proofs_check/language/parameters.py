"""What a claim quantifies over: real numbers, integers, times, vectors, matrices.

Every value is exact (int, Fraction, or lists of them), so that a counterexample found in floating
point can be re-verified as it stands. A parameter knows how to draw (structured and biased to the
boundary), whether a value is admitted, and of which numbers a value is made, each of which a search
may move. Bounds and lengths may be formulas of the parameters before it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import ceil, floor, isqrt
from operator import mul
from typing import Any

import numpy as np

from bounds import enclosure
from proofs_check.language import arithmetics, formula

Value = Any  # int | Fraction | list of Value
Values = Mapping[str, Value]
Bound = str | int | None
_FINEST = 10**6
_FAR = Fraction(10**4)
_TENS = {power: Fraction(10) ** power for power in range(-6, 4)}


@dataclass(frozen=True)
class Parameter(ABC):
    """One quantified name and the set it runs over."""

    name: str

    @abstractmethod
    def describe(self) -> str:
        """The set in words or symbols, for the printed domain."""

    @abstractmethod
    def draw(self, rng: np.random.Generator, values: Values) -> Value:
        """A value of the set, given the parameters before it."""

    @abstractmethod
    def admits(self, value: Value, values: Values) -> bool:
        """Whether `value` is in the set."""

    def entries(self, value: Value) -> list[Any]:
        """The numbers that a value is made of."""
        return [value]

    def of_entries(self, numbers: Sequence[Any]) -> Value:
        """The value that is made of these numbers."""
        return numbers[0]

    def searched(self, values: Values) -> tuple[Fraction | None, Fraction | None]:
        """Between which numbers a search moves an entry."""
        return None, None


@dataclass(frozen=True)
class Real(Parameter):
    """A real number between two bounds (None: unbounded), each open or closed.

    The bounds are those of the words; `search` is how far a search for counterexamples looks.

    >>> Real("eps", 0, 1, high_open=True).describe()
    'eps in [0, 1)'
    """

    low: Bound = None
    high: Bound = None
    low_open: bool = False
    high_open: bool = False
    also: tuple[str, ...] = ()
    search: tuple[int | None, int | None] = (None, None)

    def describe(self) -> str:
        left = "(-oo" if self.low is None else ("(" if self.low_open else "[") + str(self.low)
        right = "oo)" if self.high is None else str(self.high) + (")" if self.high_open else "]")
        return f"{self.name} in {left}, {right}"

    def ends(self, values: Values) -> tuple[Fraction | None, Fraction | None]:
        """The two bounds at these values."""
        return bound_value(self.low, values), bound_value(self.high, values)

    def searched(self, values: Values) -> tuple[Fraction | None, Fraction | None]:
        low, high = self.ends(values)
        first, last = self.search
        return low if first is None else Fraction(first), high if last is None else Fraction(last)

    def draw(self, rng: np.random.Generator, values: Values) -> Fraction:
        low, high = self.searched(values)
        kind = rng.integers(0, 10)
        if kind == 0 and self.also:
            return Fraction(self.also[rng.integers(0, len(self.also))])
        left = low if low is not None else (high - _FAR if high is not None else -_FAR)
        right = high if high is not None else (low + _FAR if low is not None else _FAR)
        step = _TENS[int(rng.integers(-6, 4))] * int(rng.integers(1, 10))
        if kind <= 2:
            at_low = rng.integers(0, 2) == 0
            end, is_open = (left, self.low_open) if at_low else (right, self.high_open)
            value = end + (step if at_low else -step) * (1 if is_open or rng.random() < 0.5 else 0)
        elif kind <= 5:
            value = Fraction(int(rng.integers(-12, 25)), int(rng.integers(1, 9)))
        elif kind <= 7 and (low is None or high is None):
            anchor = low if low is not None else (high if high is not None else Fraction(0))
            sign = 1 if low is not None else -1 if high is not None else int(rng.choice([-1, 1]))
            value = anchor + sign * step
        else:
            value = left + (right - left) * Fraction(int(rng.integers(0, _FINEST + 1)), _FINEST)
        return self._inside(value, left, right)

    def _inside(self, value: Fraction, left: Fraction, right: Fraction) -> Fraction:
        if left < value < right:
            return value
        nudge = min(Fraction(1, 1000), (right - left) / 1000)
        if value <= left:
            return left + nudge if self.low_open else left
        return right - nudge if self.high_open else right

    def admits(self, value: Value, values: Values) -> bool:
        low, high = self.ends(values)
        above = low is None or value > low or (value == low and not self.low_open)
        return above and (high is None or value < high or (value == high and not self.high_open))


@dataclass(frozen=True)
class Integer(Parameter):
    """An integer from `low` to `high`; without `high` the search stays below `reach`."""

    low: Bound = 0
    high: Bound = None
    reach: int = 12

    def describe(self) -> str:
        return f"{self.name} in {{{self.low}, …{'' if self.high is None else f', {self.high}'}}}"

    def ends(self, values: Values) -> tuple[int, int | None]:
        """The two bounds at these values."""
        low, high = bound_value(self.low, values), bound_value(self.high, values)
        assert low is not None
        return ceil(low), None if high is None else floor(high)

    def draw(self, rng: np.random.Generator, values: Values) -> int:
        low, high = self.ends(values)
        top = min(low + self.reach, high) if high is not None else low + self.reach
        kind = 0 if top < low else rng.integers(0, 4)
        return low if kind == 0 else top if kind == 1 else int(rng.integers(low, top + 1))

    def admits(self, value: Value, values: Values) -> bool:
        low, high = self.ends(values)
        return isinstance(value, int) and low <= value and (high is None or value <= high)


@dataclass(frozen=True)
class Vector(Parameter):
    """A list of `length` real numbers in [low, high]; `sorted` ones never decrease."""

    length: Bound = "n"
    low: Bound = None
    high: Bound = None
    increasing: bool = False
    search: tuple[int | None, int | None] = (None, None)

    def describe(self) -> str:
        entry = self.entry.describe().removeprefix(" in ")
        order = ", never decreasing" if self.increasing else ""
        return f"{self.name} in {entry}^{self.length}{order}"

    @property
    def entry(self) -> Real:
        """The set of each entry."""
        return Real("", self.low, self.high, search=self.search)

    def draw(self, rng: np.random.Generator, values: Values) -> list[Fraction]:
        entry, size, kind = self.entry, size_of(self.length, values), rng.integers(0, 6)
        if kind == 0:
            drawn = [entry.draw(rng, values)] * size
        elif kind == 1:
            pair = [entry.draw(rng, values), entry.draw(rng, values)]
            drawn = [pair[int(rng.integers(0, 2))] for _ in range(size)]
        elif kind == 2:
            start, step = entry.draw(rng, values), Fraction(int(rng.integers(1, 9)), 4)
            drawn = [start + step * k for k in range(size)]
            drawn = [value if entry.admits(value, values) else start for value in drawn]
        else:
            drawn = [entry.draw(rng, values) for _ in range(size)]
        return sorted(drawn) if self.increasing else drawn

    def entries(self, value: Value) -> list[Any]:
        return list(value)

    def of_entries(self, numbers: Sequence[Any]) -> list[Any]:
        return sorted(numbers) if self.increasing else list(numbers)

    def searched(self, values: Values) -> tuple[Fraction | None, Fraction | None]:
        return self.entry.searched(values)

    def admits(self, value: Value, values: Values) -> bool:
        return (
            len(value) == size_of(self.length, values)
            and (not self.increasing or all(a <= b for a, b in pairwise(value)))
            and all(self.entry.admits(number, values) for number in value)
        )


@dataclass(frozen=True)
class Times(Vector):
    """Evaluation times τ_1 ≤ … ≤ τ_n ≥ 0: uniform, tied, one jump, tiny and huge gaps."""

    low: Bound = 0
    increasing: bool = True

    def describe(self) -> str:
        return f"0 <= {self.name}[0] <= … <= {self.name}[{self.length}-1]"

    def draw(self, rng: np.random.Generator, values: Values) -> list[Fraction]:
        size, kind = size_of(self.length, values), rng.integers(0, 5)
        unit = Fraction(10) ** int(rng.integers(-3, 3)) * int(rng.integers(1, 6))
        gaps = [unit if kind == 0 else Fraction(0)] * size
        if kind == 1 and size:
            gaps[int(rng.integers(0, size))] = unit
        elif kind == 2:
            gaps = [unit * int(rng.integers(0, 2)) for _ in gaps]
        elif kind > 2:
            gaps = [Fraction(int(rng.integers(0, 40)), int(rng.integers(1, 20))) for _ in gaps]
        return list(accumulate(gaps))


@dataclass(frozen=True)
class Symmetric(Parameter):
    """A symmetric matrix of the given size with rational entries."""

    size: Bound = "n"

    def describe(self) -> str:
        return f"{self.name} a symmetric {self.size}×{self.size} matrix"

    def draw(self, rng: np.random.Generator, values: Values) -> list[list[Fraction]]:
        order, spread = size_of(self.size, values), int(rng.integers(1, 5))
        drawn = rng.integers(-6, 7, order * (order + 1) // 2)
        return self.of_entries([Fraction(int(number), spread) for number in drawn])

    def entries(self, value: Value) -> list[Any]:
        return [entry for j, row in enumerate(value) for entry in row[: j + 1]]

    def of_entries(self, numbers: Sequence[Any]) -> list[list[Any]]:
        order = range(isqrt(2 * len(numbers)))
        place = {(j, k): j * (j + 1) // 2 + k for j in order for k in range(j + 1)}
        return [[numbers[place[max(j, k), min(j, k)]] for k in order] for j in order]

    def admits(self, value: Value, values: Values) -> bool:
        order = size_of(self.size, values)
        return len(value) == order and all(
            len(value[j]) == order and value[j][k] == value[k][j]
            for j in range(order)
            for k in range(order)
        )


@dataclass(frozen=True)
class PositiveSemidefinite(Symmetric):
    """A positive semidefinite matrix; `unit` makes its diagonal 1, `bound` caps it at 1."""

    unit: bool = False
    bound: bool = False

    def describe(self) -> str:
        more = ", unit diagonal" if self.unit else ", diagonal at most 1" if self.bound else ""
        return f"{self.name} a positive semidefinite {self.size}×{self.size} matrix{more}"

    def draw(self, rng: np.random.Generator, values: Values) -> list[list[Fraction]]:
        order, kind = size_of(self.size, values), rng.integers(0, 4)
        level = Fraction(int(rng.integers(0, 17)), 16)
        if kind == 0:
            return [[Fraction(1) if j == k else level for k in range(order)] for j in range(order)]
        if kind == 1:
            return [[level ** abs(j - k) for k in range(order)] for j in range(order)]
        vectors = [rational_unit_vector(rng) for _ in range(order)]
        if not self.unit:
            lengths = [Fraction(int(rng.integers(0, 9)), 8 if self.bound else 2) for _ in vectors]
            vectors = [[a * x for x in v] for a, v in zip(lengths, vectors, strict=True)]
        return [[sum(map(mul, v, w), Fraction(0)) for w in vectors] for v in vectors]

    def admits(self, value: Value, values: Values) -> bool:
        if not super().admits(value, values):
            return False
        diagonal = [value[j][j] for j in range(len(value))]
        wrong = (self.unit and set(diagonal) - {1}) or (self.bound and max(diagonal, default=0) > 1)
        return not wrong and enclosure.is_positive_semidefinite(value)


def rational_unit_vector(rng: np.random.Generator) -> list[Fraction]:
    """A rational point of the unit sphere of ℝ³, by stereographic projection."""
    u, v = (Fraction(int(rng.integers(-6, 7)), int(rng.integers(1, 4))) for _ in range(2))
    square = u * u + v * v
    return [2 * u / (1 + square), 2 * v / (1 + square), (1 - square) / (1 + square)]


def bound_value(bound: Bound, values: Values) -> Fraction | None:
    """A bound as a Fraction: a number, or a formula of the earlier parameters."""
    if bound is None or isinstance(bound, int):
        return None if bound is None else _fraction(bound)
    if bound in values:
        return Fraction(values[bound])
    return Fraction(formula.evaluate(bound, arithmetics.fractions(), values))


@lru_cache(maxsize=256)
def _fraction(number: int) -> Fraction:
    return Fraction(number)


def size_of(bound: Bound, values: Values) -> int:
    """A length or an order, which is never None."""
    size = bound_value(bound, values)
    assert size is not None
    return int(size)
