"""What a finite domain is, and what a kernel on it is.

A domain gives its points; all that its structure can save (lags, reflections, axes) it gives by
methods that have a slower default here, so that what uses them need not know which domain it has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray, BoolArray, FloatArray, IntArray
from bounds.errors import InvalidInput
from bounds.kernels.base import Kernel

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

    from bounds.enclosure import Number
    from bounds.enclosure.doubles import Doubles

_SAME = 1e-9
"""Shares of a domain's step by which a point may miss one of its points and still be it."""


class FiniteKernel(ABC):
    """A kernel on the N points of a domain, addressed by their index.

    `reflections`, `characters` and `orthant` split it under a group of symmetries of the domain;
    without any, as here, the group is trivial and the orthant is everything.
    """

    kernel: Kernel

    @property
    @abstractmethod
    def size(self) -> int:
        """N."""

    @property
    @abstractmethod
    def coordinates(self) -> IntArray:
        """(N, d) rank of each point along each axis."""

    @abstractmethod
    def column(self, index: int) -> FloatArray:
        """(N,) k(·, x) for the point x."""

    @abstractmethod
    def gram(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """K of the points `rows` (a,) and `columns` (b,): (a, b)."""

    @abstractmethod
    def enclosed_gram(self, rows: IntArray, columns: IntArray) -> BallArray:
        """(a, b) balls around k of the exact points, at the precision in force.

        Raises NoEnclosure for a kernel without one.
        """

    def enclosed_at(self, unit: Fraction) -> Callable[[int], Number]:
        """Balls around k where |x − y|² is a whole number of units, each evaluated once."""

        def value(square: int) -> Number:
            return enclosure.ball(self.kernel.enclosed_at_distance(enclosure.sqrt(square * unit)))

        return cache(value)

    def enclosed_doubles(self, rows: IntArray, columns: IntArray) -> Doubles:
        """The same as intervals in doubles, from enclosures at the working precision."""
        from bounds.enclosure import matrices
        from bounds.enclosure.doubles import Doubles

        with matrices.working_precision():
            return Doubles.of_balls(self.enclosed_gram(rows, columns))

    @abstractmethod
    def neighbours(self, index: int) -> IntArray:
        """Indices of the points near one of them, itself included."""

    @abstractmethod
    def lag_table(self) -> tuple[FloatArray, IntArray, IntArray]:
        """(table, left, right) with k(x, y) = table[left[x] + right[y]]."""

    @property
    def reflections(self) -> IntArray:
        """(|G|, N) index of the image of each point under each symmetry; the first is none."""
        return np.arange(self.size, dtype=np.int64)[None, :]

    @property
    def characters(self) -> FloatArray:
        """(|G|, |G|) χ_e(g) = ±1, parities by rows."""
        return np.ones((1, 1))

    @property
    def orthant(self) -> IntArray:
        """(N₀,) one point of each orbit, in order."""
        return np.arange(self.size, dtype=np.int64)

    @property
    def orbit_sizes(self) -> IntArray:
        """(N₀,) how many points each orbit has."""
        return np.ones(self.size, dtype=np.int64)

    def parity_grams(self, rows: IntArray, columns: IntArray) -> FloatArray:
        """(|G|, a, b) the Gram matrices of the k_e between points `rows` and `columns`."""
        by_reflection = np.stack([self.gram(rows, image[columns]) for image in self.reflections])
        flat = by_reflection.reshape(len(by_reflection), -1)
        return (self.characters @ flat).reshape(by_reflection.shape) / len(by_reflection)

    def parity_variances(self) -> FloatArray:
        """(|G|, N₀) k_e(x, x) on the orthant; their sum over e is 1."""
        return np.ones((1, self.size))


class Domain(ABC):
    """A finite set of N ≥ 1 points in ℝ^d."""

    @property
    @abstractmethod
    def points(self) -> FloatArray:
        """(N, d)."""

    @abstractmethod
    def restricted(self, kernel: Kernel) -> FiniteKernel:
        """The kernel on these points, by whatever structure they have."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What it is, in a few words: `50 × 50 grid of side 1`."""

    @property
    def phrase(self) -> str:
        """The title with the article that it takes."""
        return self.title

    @property
    def size(self) -> int:
        """|D| = N."""
        return len(self.points)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.points.shape[1])

    def space_kernel(self, kernel: Kernel) -> Kernel:
        """The kernel that the points have if this one is asked for: itself, but for arms."""
        return kernel

    @property
    def axes(self) -> tuple[FloatArray, ...] | None:
        """The coordinates along each axis, for the product of them that a grid is."""
        return None

    @property
    def is_cube(self) -> bool:
        """Whether it is a grid with the same axis d times."""
        return False

    @property
    def side(self) -> float | tuple[float, ...]:
        """The r of the box [0, r]^d, or one for each axis; InvalidInput where there is no box."""
        raise InvalidInput("domain", self.title, "only a grid has a box around it")

    def box_side(self) -> float:
        """The side of a cube that contains the box of the domain; InvalidInput without a box."""
        return float(np.max(self.side))

    def cube(self) -> tuple[int, float]:
        """(q, side) of a grid with the same axis d times; InvalidInput for anything else."""
        raise InvalidInput("domain", self.title, "give a grid with the same side on each axis")

    @property
    def enclosing_radius(self) -> float:
        """The radius of a ball that contains the points."""
        extent = self.points.max(axis=0) - self.points.min(axis=0)
        return 0.5 * float(np.linalg.norm(extent))

    def spread(self, count: int) -> IntArray:
        """Indices of about `count` points that lie far from each other, in order."""
        return np.sort(self._by_distance[0][: max(1, min(count, self.size))])

    def coarse_to_fine(self) -> IntArray:
        """(N,) a rank for each point, small ones far apart; ties go by index."""
        rank = np.empty(self.size, dtype=np.int64)
        rank[self._by_distance[0]] = np.arange(self.size)
        return rank

    def separated(self) -> Iterator[tuple[int, float]]:
        """Pairs (m, g), m rising: some m ≥ 2 of the points are pairwise at least g apart."""
        gaps = np.minimum.accumulate(self._by_distance[1][1:])
        counts = np.arange(2, self.size + 1)
        keep = np.unique((np.geomspace(1, max(1, self.size - 1), 60)).astype(np.int64)) - 1
        for i in keep[keep < len(gaps)]:
            yield int(counts[i]), float(gaps[i])

    def links(self) -> FloatArray:
        """Lengths among which are those of a tree that joins all points; empty for one point."""
        near = np.full(self.size, np.inf)
        joined = np.zeros(self.size, dtype=bool)
        sizes, current = [], 0
        for _ in range(self.size - 1):
            joined[current] = True
            near = np.minimum(near, np.linalg.norm(self.points - self.points[current], axis=1))
            waiting = np.where(joined, np.inf, near)
            current = int(np.argmin(waiting))
            sizes.append(float(waiting[current]))
        return np.unique(sizes)

    def located(self, points: FloatArray) -> tuple[IntArray, BoolArray]:
        """(m,) index of the nearest point to each of (m, d), and whether it is not that point.

        Nearest by the largest difference along an axis, whose square need not be a double.
        """
        distance, index = self.tree.query(points, p=np.inf)
        scale = float(np.max(np.ptp(self.points, axis=0), initial=0.0)) or 1.0
        off = np.asarray(np.atleast_1d(distance) > _SAME * scale)
        return np.atleast_1d(np.asarray(index, dtype=np.int64)), off

    def outside(self, points: FloatArray) -> BoolArray:
        """(m,) whether each of (m, d) is where the domain has no business."""
        return np.zeros(len(points), dtype=bool)

    @property
    def where(self) -> str:
        """What `outside` asks for, as a remedy."""
        return ""

    @cached_property
    def tree(self) -> cKDTree:
        """The points, for questions of what is nearest."""
        from scipy.spatial import cKDTree

        return cKDTree(self.points)

    @cached_property
    def _by_distance(self) -> tuple[IntArray, FloatArray]:
        """Each point farthest from those before it, and how far; the middle first. O(N²)."""
        points = self.points
        middle = 0.5 * (points.max(axis=0) + points.min(axis=0))
        order = np.zeros(self.size, dtype=np.int64)
        gaps = np.full(self.size, np.inf)
        order[0] = int(np.argmin(np.linalg.norm(points - middle, axis=1)))
        near = np.linalg.norm(points - points[order[0]], axis=1)
        taken = np.zeros(self.size, dtype=bool)
        taken[order[0]] = True
        for i in range(1, self.size):
            order[i] = int(np.argmax(np.where(taken, -1.0, near)))
            gaps[i] = near[order[i]]
            taken[order[i]] = True
            near = np.minimum(near, np.linalg.norm(points - points[order[i]], axis=1))
        return order, gaps
