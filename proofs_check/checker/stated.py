"""The problem of a certificate in exact numbers: times, points by whole coordinates, kernels."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.problem import axes_of, is_list

Place = tuple[int, ...]
SCALE = 2**40
"""Whole numbers over it stand for what is given in doubles."""
_MOST_PAIRS = 20_000_000  # a matrix of 160 MB
_FAR = 1e3  # e to the power of minus it is 0 in doubles
_MOST_ORDER = 50  # of Matérn's kernel: beyond it powers of distances may pass the doubles
_REFLECTED = 3  # axes at most, the first ones, as in the certificate


@dataclass(frozen=True)
class Family:
    """A kernel as a function of a scaled squared distance z.

    Attributes
    ----------
    name : SquaredExponential, e^{-z}; Independent; Matern, a polynomial of √z times e^{-√z}
    order : ν − ½ of Matérn's kernel
    """

    name: str
    order: int = 0

    def correlation(self, z: FloatArray) -> FloatArray:
        """At each z."""
        if self.name == "SquaredExponential":
            return np.asarray(np.exp(-z))
        if self.name == "Independent":
            return np.asarray(z == 0, dtype=float)
        root = np.minimum(np.sqrt(z), _FAR)
        factor, following = np.ones_like(root), 1 + root
        for p in range(self.order):
            factor, following = (
                following,
                following + root**2 * factor / ((2 * p + 1) * (2 * p + 3)),
            )
        return np.asarray(factor * np.exp(-root))

    def missed(self, z: float) -> float | None:
        """What interpolation between two points misses at most, z being their scaled distance.

        The norm of what is left of a point between them: √(½·gap) where the kernel is 1 − m·z but
        for a gap; None where it has no slope at 0.
        """
        if self.name == "SquaredExponential":
            return z / 2
        if self.name == "Independent" or self.order == 0:
            return None
        if self.order == 1:
            return float(np.sqrt(z**1.5 / 6))
        return float(z / (4 * np.sqrt((2 * self.order - 3) * (2 * self.order - 1))))


INDEPENDENT, SMOOTH, EXPONENTIAL = (
    Family("Independent"),
    Family("SquaredExponential"),
    Family("Matern"),
)


@dataclass(frozen=True)
class Stated:
    """A problem as the checker knows it.

    Attributes
    ----------
    durations : one for each round, from time 0
    unit : ticks in one unit of time
    ratio : one over the noise variance
    delta : δ
    space : the family of the kernel over space, and its rate: a function of rate × squared distance
        of whole coordinates
    clock : ε of the forgetting kernel, or a family with its rate for squared lags
    places : the whole coordinates of every point
    shape : points on each axis, of a grid; one number for a list of points
    axes : of each axis of a grid the whole length of a step, and how many steps; none of a list
    reflected : how many axes certificates of this domain reflect
    """

    durations: tuple[Fraction, ...]
    unit: int
    ratio: Fraction
    delta: Fraction
    space: tuple[Family, Fraction]
    clock: Fraction | tuple[Family, Fraction]
    places: tuple[Place, ...]
    shape: tuple[int, ...]
    axes: tuple[tuple[int, int], ...]
    reflected: int

    @classmethod
    def of(cls, certificate: Mapping[str, Any]) -> Stated:
        """The problem of a certificate; refused by name where the checker has no theorem for it."""
        problem = certificate["problem"]
        given = [decimal(time) for time in problem["times"]]
        if not given:
            raise InvalidInput("kernel: times", "none", "at least one round is needed")
        durations = given
        if problem.get("given") != "durations":
            durations = [b - a for a, b in itertools.pairwise([Fraction(0), *given])]
        places, axes, step, reflected = _places(problem)
        family, rate = _family(problem["space_kernel"], "space_kernel")
        return cls(
            tuple(durations),
            lcm(*(time.denominator for time in durations)),
            1 / decimal(problem["noise_variance"]),
            decimal(problem["delta"]),
            (family, rate * step**2),
            _clock(problem["time_kernel"]),
            places,
            tuple(count + 1 for _, count in axes) or (len(places),),
            axes,
            reflected,
        )

    @cached_property
    def times(self) -> FloatArray:
        """The instants in doubles."""
        return np.array([float(time) for time in itertools.accumulate(self.durations)])

    def over_space(self, left: Sequence[Place], right: Sequence[Place]) -> FloatArray:
        """The kernel between two lists of points, in doubles."""
        if len(left) * len(right) > _MOST_PAIRS:
            raise Refused("more pairs of points than are looked at")
        axes = len(self.places[0])
        a, b = (np.array(points, dtype=float).reshape(-1, axes) for points in (left, right))
        squares = np.zeros((len(a), len(b)))
        for axis in range(axes):
            squares += np.square(a[:, None, axis] - b[None, :, axis])
        family, rate = self.space
        return family.correlation(float(rate) * squares)

    def over_time(self) -> FloatArray:
        """The kernel between the rounds, in doubles."""
        lags = np.abs(self.times[:, None] - self.times[None, :])
        if isinstance(self.clock, tuple):
            return self.clock[0].correlation(float(self.clock[1]) * lags**2)
        return np.asarray(np.exp(0.5 * np.log1p(-float(self.clock)) * lags))

    @property
    def slope(self) -> float | None:
        """λ of a clock e^{-λ·lag}; None for others."""
        if not isinstance(self.clock, tuple):
            return float(-0.5 * np.log1p(-float(self.clock)))
        family, rate = self.clock
        return float(np.sqrt(float(rate))) if family == EXPONENTIAL or rate == 0 else None

    @property
    def forgets(self) -> bool:
        """Whether what is left of the past goes through the last round alone."""
        return not isinstance(self.clock, tuple) or self.clock[0] == EXPONENTIAL

    def weights(self, covariance: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Weights over the scale for the rounds before each, and the variance that they prove left.

        Row i predicts round i; what weights that are rounded leave unmet is in the second.
        """
        ratio = float(self.ratio)
        root = np.linalg.cholesky(np.eye(len(covariance)) + ratio * covariance)
        unmixed = np.linalg.inv(root / np.diag(root))
        weights = np.rint(np.tril(-unmixed / ratio, -1) * SCALE) / SCALE
        unmet = np.tril(covariance - weights - ratio * weights @ covariance, -1)
        left = np.diag(covariance) - ratio * np.einsum(
            "ij,ij->i", np.tril(covariance, -1) + unmet, weights
        )
        return weights, left - ratio * np.einsum("ij,ij->i", unmet, unmet)

    @property
    def missed(self) -> float | None:
        """What interpolation between points of the grid misses anywhere in its box.

        None of a list of points, of an axis with one point, which says nothing of its side, and of
        kernels without second derivatives that are bounded or nearly so.
        """
        family, rate = self.space
        parts = [family.missed(float(rate) * g**2) if count else None for g, count in self.axes]
        known = [part for part in parts if part is not None]
        return sum(known) if self.axes and len(known) == len(parts) else None

    @cached_property
    def flips(self) -> list[tuple[int, ...]]:
        """The reflections that certificates use, each as 0 or 1 for the axes that have one."""
        return list(itertools.product((0, 1), repeat=self.reflected))

    @cached_property
    def orthant(self) -> list[int]:
        """The points of the first orthant, by their numbers, in the order of certificates."""
        half = [-(-q // 2) if axis < self.reflected else q for axis, q in enumerate(self.shape)]
        places = np.array(list(np.ndindex(*half))).T
        return [int(i) for i in np.ravel_multi_index(tuple(places), self.shape)]

    def flipped(self, index: int, flip: Sequence[int]) -> Place:
        """The coordinates of a point, reflected."""
        at = list(np.unravel_index(index, self.shape))
        for axis, flipped in enumerate(flip):
            at[axis] = self.shape[axis] - 1 - at[axis] if flipped else at[axis]
        return self.places[int(np.ravel_multi_index(tuple(at), self.shape))]


def decimal(value: float) -> Fraction:
    """The decimal that a number prints as."""
    return Fraction(repr(value))


def _places(
    problem: Mapping[str, Any],
) -> tuple[tuple[Place, ...], tuple[tuple[int, int], ...], Fraction, int]:
    """Whole coordinates, the axes of a grid, the length that is 1, and axes reflected."""
    if is_list(problem):
        rows = [[decimal(value) for value in row] for row in problem["domain"]["rows"]]
        step = _step([value for row in rows for value in row])
        return tuple(tuple(int(v / step) for v in row) for row in rows), (), step, 0
    if problem.get("domain", {"type": "Grid"}).get("type") != "Grid":
        raise InvalidInput("kernel: domain", str(problem["domain"]), "give a grid or points")
    sides, counts = axes_of(problem)
    steps = [
        decimal(side) / (q - 1) if q > 1 else Fraction(0)
        for side, q in zip(sides, counts, strict=True)
    ]
    step = _step(steps)
    axes = [[int(c * own / step) for c in range(q)] for own, q in zip(steps, counts, strict=True)]
    return (
        tuple(itertools.product(*axes)),
        tuple((int(own / step) or 1, q - 1) for own, q in zip(steps, counts, strict=True)),
        step,
        min(len(counts), _REFLECTED),
    )


def _step(values: Sequence[Fraction]) -> Fraction:
    """The largest number of which all are whole multiples."""
    denominator = lcm(*(value.denominator for value in values))
    step = gcd(*(int(value * denominator) for value in values))
    return Fraction(step or 1, denominator)


def _family(kernel: Mapping[str, Any], name: str) -> tuple[Family, Fraction]:
    """A family and its rate for squared distances."""
    kind = kernel.get("type")
    if kind == "SquaredExponential":
        return SMOOTH, 1 / (2 * decimal(kernel["lengthscale"]) ** 2)
    if kind == "Independent":
        return INDEPENDENT, Fraction(1)
    order = decimal(kernel["nu"]) - Fraction(1, 2) if kind == "Matern" else Fraction(-1)
    if order.denominator == 1 and 0 <= order <= _MOST_ORDER:
        return Family("Matern", int(order)), (2 * order + 1) / decimal(kernel["lengthscale"]) ** 2
    most = f"{2 * _MOST_ORDER + 1}/2"
    remedy = f"the squared exponential kernel and Matérn's of nu 1/2, 3/2, ..., {most} are covered"
    raise InvalidInput(f"kernel: {name}", str(dict(kernel)), remedy)


def _clock(kernel: Mapping[str, Any]) -> Fraction | tuple[Family, Fraction]:
    if kernel.get("type") == "Forgetting":
        # That of the kernel: the rate of the problem is Theorem 1's, and may be another.
        epsilon = decimal(kernel["epsilon"])
        return epsilon or (SMOOTH, Fraction(0))  # 1 at every lag
    return _family(kernel, "time_kernel")
