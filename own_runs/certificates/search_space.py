"""The set D over which regret is measured for a log, and draws of f on it under any candidate.

D is a grid over the axes of the log and every evaluated point beside it: whole numbers at their
places, other axes at even steps. f on the grid is drawn through the structure of the grid, and f at
the evaluated points given that, so that no covariance of all sites is ever factored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput
from own_runs.logs.axes import Axis, scattered
from simulation.model.covariance import DenseFactor, Factor, KroneckerFactor, ReflectionFactor
from simulation.prior.evidence import Member
from simulation.prior.nonstationary import bent
from simulation.prior.shapes import SHAPES

GRID_SITES = 2_500
"""Sites of the grid by default, where its steps are even on all axes."""
LINE_SITES = 401
"""The same on one axis that is no whole number, where a root is O(N³) for each prior. 2,500 would
add 4e-4 of its regret to an average path at ℓ = 0.05, or 2e-3 with Matérn-3/2."""
DENSE_SITES = 1_000
"""The same where they are not, or where there are too many axes for a grid."""
LARGEST_SITES = 20_000

_LEAST_STEPS = 6
"""Fewer places per axis are no grid worth the name: scattered points instead."""


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """The sites of D in the unit cube: a grid, and then the evaluated points.

    Attributes
    ----------
    levels : the places along every axis; empty where the grid is a scattered set
    scattered : (N, d) that set; empty where there is a grid
    evaluated : (m, d) distinct evaluated points
    played : (n,) which of all sites each round evaluated
    """

    levels: tuple[FloatArray, ...]
    scattered: FloatArray
    evaluated: FloatArray
    played: IntArray

    @classmethod
    def of(cls, axes: Sequence[Axis], points: FloatArray, most: int | None = None) -> SearchSpace:
        """A grid of at most `most` sites over the axes, and the points (n, d) of the rounds.

        Raises InvalidInput for fewer than two sites or more than `LARGEST_SITES`.
        """
        if most is not None and not 2 <= most <= LARGEST_SITES:
            raise InvalidInput("sites", most, f"give a whole number from 2 to {LARGEST_SITES}")
        d = len(axes)
        distinct, place = np.unique(points, axis=0, return_inverse=True)
        line = d == 1 and not axes[0].integer
        levels = _levels(axes, (LINE_SITES if line else GRID_SITES) if most is None else most)
        even = _even(levels)
        if not even:
            levels = _levels(axes, DENSE_SITES if most is None else min(most, DENSE_SITES))
        apart = np.empty((0, d))
        if (
            min(len(axis) for axis in levels) < _LEAST_STEPS
            and d > 2
            and not all(axis.integer for axis in axes)
        ) or any(axis.under for axis in axes):
            count = DENSE_SITES if most is None else min(most, DENSE_SITES)
            apart, levels = np.unique(scattered(axes, count), axis=0), ()
        size = len(apart) if not levels else int(np.prod([len(axis) for axis in levels]))
        return cls(levels, apart, distinct, size + np.ravel(place).astype(np.int64))

    @cached_property
    def sites(self) -> FloatArray:
        """(M, d) the grid, its last axis running fastest, and then the evaluated points."""
        if not self.levels:
            return np.concatenate([self.scattered, self.evaluated])
        axes = np.meshgrid(*self.levels, indexing="ij")
        grid = np.stack([axis.ravel() for axis in axes], axis=1)
        return np.concatenate([grid, self.evaluated])

    @property
    def grid_size(self) -> int:
        """Sites of the grid, evaluated points apart."""
        return len(self.sites) - len(self.evaluated)

    def rows(self, member: Member) -> FloatArray:
        """(m, M) k(evaluated point, site) under a member."""
        return member.between(self.evaluated, self.sites)

    def factor(self, member: Member, rows: FloatArray) -> Factor:
        """A root of the covariance over all sites, from `rows`. O(N³/4^d), or less."""
        size = self.grid_size
        separable = member.kernel == "se"
        even = _even(self.levels) and not member.nonstationary.bends and not member.unordered
        if not self.levels or not (even or separable):
            return DenseFactor.of(member.between(self.sites, self.sites))
        grid: KroneckerFactor | ReflectionFactor
        bends = member.nonstationary.bends or (0.0,) * len(self.levels)
        axes = [bent(level, bend) for level, bend in zip(self.levels, bends, strict=True)]
        if separable:
            same = [i in member.unordered for i in range(len(axes))]
            grid = KroneckerFactor.of_grams(
                _gaussian(axis, axis, scale, unordered=words)
                for axis, scale, words in zip(axes, member.lengthscales, same, strict=True)
            )
        else:
            grid = ReflectionFactor.of_table(self._table(member))
        if not len(self.evaluated):
            return grid
        if isinstance(grid, KroneckerFactor):
            evaluated = member.nonstationary.moved(self.evaluated)
            places = zip(evaluated.T, axes, member.lengthscales, same, strict=True)
            loading = grid.whiten_products(
                _gaussian(left, right, scale, unordered=words)
                for left, right, scale, words in places
            )
        else:
            loading = grid.whiten_rows(rows[:, :size])
        rest = rows[:, size:] - loading @ loading.T
        return ExtendedFactor(grid, loading, DenseFactor.of(0.5 * (rest + rest.T)))

    def _table(self, member: Member) -> FloatArray:
        """k by differences of index along every axis."""
        squared = np.zeros((1,) * len(self.levels))
        for axis, (level, scale) in enumerate(zip(self.levels, member.lengthscales, strict=True)):
            shape = [1] * len(self.levels)
            shape[axis] = len(level)
            squared = squared + (((level - level[0]) / scale) ** 2).reshape(shape)
        return SHAPES[member.kernel].value(squared)


def _gaussian(
    left: FloatArray, right: FloatArray, lengthscale: float, *, unordered: bool = False
) -> FloatArray:
    """(a, b) the squared exponential between places on one axis."""
    if unordered:
        return np.exp(-0.5 * np.not_equal.outer(left, right) / lengthscale**2)
    return np.exp(-0.5 * (np.subtract.outer(left, right) / lengthscale) ** 2)


def _levels(axes: Sequence[Axis], most: int) -> tuple[FloatArray, ...]:
    """As many places per axis as fit, whole numbers first: what they spare goes to the others."""
    levels: dict[int, FloatArray] = {}
    left = float(most)
    order = sorted(range(len(axes)), key=lambda i: len(axes[i].levels(most)))
    for done, i in enumerate(order):
        levels[i] = axes[i].levels(max(2, int(left ** (1.0 / (len(axes) - done)) + 1e-9)))
        left /= len(levels[i])
    return tuple(levels[i] for i in range(len(axes)))


def _even(levels: tuple[FloatArray, ...]) -> bool:
    """Whether all axes have one number of places, at even steps from 0 to 1."""
    return all(
        len(axis) == len(levels[0]) and np.allclose(axis, np.linspace(0.0, 1.0, len(axis)))
        for axis in levels
    )


@dataclass(frozen=True, eq=False)
class ExtendedFactor:
    """A root over a grid and further points: theirs given the grid is `loading` and `rest`."""

    grid: KroneckerFactor | ReflectionFactor
    loading: FloatArray
    rest: DenseFactor

    @property
    def rank(self) -> int:
        return self.grid.rank + self.rest.rank

    def apply(self, normals: FloatArray) -> FloatArray:
        own, further = normals[:, : self.grid.rank], normals[:, self.grid.rank :]
        there = own @ self.loading.T + self.rest.apply(further)
        return np.concatenate([self.grid.apply(own), there], axis=1)

    def whiten(self, values: FloatArray) -> FloatArray:
        size = len(values) - len(self.loading)
        own = self.grid.whiten(values[:size])
        further = self.rest.whiten(values[size:] - self.loading @ own)
        return np.concatenate([own, further])
