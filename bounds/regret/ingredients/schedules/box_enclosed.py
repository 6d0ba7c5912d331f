"""Lemma SF on the whole box, enclosed: what `box_increments` computes in doubles, rounded up.

A is the covariance of the results of the looks and X of `Whitened` has XAXᵀ = I + F, ‖F‖ ≤ η. X is
triangular, so that its first k rows do the same for the first k looks. For a functional of f with
the covariances c_z with f at the places, the first k looks therefore explain at least V_k/(1+η),

    V_k = Π(1−d)·V_{k−1} + (n_k·c)²,    n_k = Σ_{j≤k} X_kj·k_time(τ_j, τ_k)·e_{z_j},

the product over the waits since look k − 1: a sum of squares, in which no error grows. V of
differences of nodes is rounded down, V of gradients is a matrix of intervals. What depends on
distances of nodes is a ball at each lag, and so are half-diagonals of cells, which tile the box.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from math import inf, sqrt

import numpy as np

from bounds import enclosure
from bounds.arithmetic import BALLS
from bounds.arrays import BallArray, FloatArray, IntArray
from bounds.domain import Grid
from bounds.drifting_gain.certified import decay_products, wait_decays
from bounds.enclosure import Number, Upper, matrices
from bounds.enclosure.doubles import Doubles, U, Whitened, require_doubles
from bounds.errors import NoEnclosure
from bounds.formulas import tail_mean
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.increments import gaps_between
from bounds.regret.maximum.most_maximum import most_maximum

FINER = 12
"""Times as many nodes for gradients as for values."""

MAXIMUM_NODES = 2_500
LEVELS = 60
"""Halvings of the cells of these nodes that are summed one by one, for m*."""

MOST_LOOKS = 1_500
"""Looks up to which A is factored, a second or two."""

_AT_ONCE = 32  # looks, in one product of matrices
_TINY = 1e-300  # above all that underflows
_UP = 1.0 + 64.0 * U  # more than the roundings of a quotient of numbers ≥ 0


def enclosed_box_ceiling(
    problem: Problem, rounds: tuple[int, ...], places: FloatArray, nodes: int
) -> Upper:
    """At least n − Σ √(1−p_k)·w_k with p_k the largest quotient over the box; see `box_ceiling_at`.

    O(nodes²) a look, O(m³) once. Raises NoEnclosure for a kernel that brings none, more than
    `MOST_LOOKS` looks, and where noise is so small that doubles do not prove A positive definite.
    """
    grid, kernel, noise = problem.domain, problem.space_kernel, problem.noise_variance
    assert isinstance(grid, Grid)
    if len(rounds) > MOST_LOOKS:
        raise NoEnclosure("looks", len(rounds), f"at most {MOST_LOOKS:,} are enclosed")
    require_doubles()
    with matrices.working_precision():
        roots = wait_decays(problem.time_kernel, problem.times.exact)
        kept, weights = gaps_between(roots, rounds, enclosure.ball(1), enclosure.ball(0))
        lost = enclosure.ball(problem.n)
        if rounds:
            looked_at, own = np.unique(places, axis=0, return_inverse=True)
            in_time = decay_products(Doubles.of_balls([enclosure.sqrt(share) for share in kept]))
            rows, eta = _explaining(in_time, _gram(kernel, looked_at), own.ravel(), noise)
            cells = _Cells(grid.sides, kernel, nodes, looked_at)
            quotients = cells.largest(rows, Doubles.of_balls(kept), eta)
            for weight, largest in zip(weights, quotients, strict=True):
                known = float(np.nextafter(1.0 - largest, 0.0))
                if known > 0.0:
                    lost = lost - weight * enclosure.sqrt(enclosure.exact_double(known))
        return matrices.upward(lost)


def enclosed_box_maximum(sides: tuple[float, ...], kernel: Kernel) -> Upper:
    """At least E max over the box: `most_maximum` of cells' middles and chaining within cells.

    On a line by upcrossings instead where they give less. The middles are those of a grid of
    doubles; a cell reaches half a step around its own, or to the edge of the box where that is
    further. Raises NoEnclosure for a kernel that brings none.

    >>> from bounds.kernels import SquaredExponential
    >>> 1.12 < enclosed_box_maximum((1.0,), SquaredExponential(0.2)) < 1.3
    True
    """
    counts = cell_counts(sides, MAXIMUM_NODES)
    inner = [side * (1.0 - 1.0 / count) for side, count in zip(sides, counts, strict=True)]
    # Axes of one cell tell no two middles apart.
    kept = [axis for axis, count in enumerate(counts) if count > 1] or [0]
    middles = Grid(
        len(kept),
        tuple(inner[axis] or 1.0 for axis in kept),
        tuple(counts[axis] for axis in kept),
    )
    with matrices.working_precision():
        variance = enclosure.ball(kernel.enclosed_derivative_variance())
        squared = enclosure.ball(0)
        for side, length, count in zip(sides, inner, counts, strict=True):
            whole, within = enclosure.exact_double(side), enclosure.exact_double(length)
            step = enclosure.divide(within, max(1, count - 1))
            reach = enclosure.ball(enclosure.maximum(whole - within, step))
            squared += reach * reach
        diagonal, per_level = enclosure.sqrt(squared), len(sides) * enclosure.log(2)
        many, chain = enclosure.ball(enclosure.log(middles.size)), enclosure.ball(0)
        for k in range(1, LEVELS):
            root = enclosure.sqrt(2 * (many + k * per_level))
            chain += root / 2 ** (k + 1)
        # Beyond, √y ≤ y/8 from y = 64 on, and a geometric sum.
        chain += (many + LEVELS * len(sides)) / 2 ** (LEVELS - 1)
        alone = enclosure.ball(enclosure.exact_double(float(most_maximum(middles, kernel).value)))
        bound = matrices.upward(alone + enclosure.sqrt(variance) * diagonal * chain)
        if len(sides) > 1:
            return bound
        return min(bound, _by_upcrossings(enclosure.exact_double(sides[0]), variance))


def _by_upcrossings(length: Number, variance: Number) -> Upper:
    """c + ∫_c^∞ P(max > u) du on a line, at the best of some c ≥ 0.

    P(max > u) ≤ P(f(0) > u) + L√λ/(2π)·e^{−u²/2}, the last the mean number of upcrossings (Rice),
    λ = Var f′.
    """
    rate = length * enclosure.sqrt(variance / (2 * enclosure.pi()))
    tried = (enclosure.ball(enclosure.divide(k, 20)) for k in range(120))
    return min(
        matrices.upward(c + tail_mean(BALLS, c) + rate * enclosure.normal_cdf(-c)) for c in tried
    )


def cell_counts(sides: tuple[float, ...], most: int) -> tuple[int, ...]:
    """Cells an axis, of nearly equal steps, at most so many in all; at least one an axis."""
    step = (float(np.prod(sides)) / most) ** (1.0 / len(sides))
    return tuple(max(1, int(side / step * (1.0 + 1e-12))) for side in sides)


def _gram(kernel: Kernel, places: FloatArray) -> Doubles:
    """Correlations of f at the places, those of one with itself 1."""
    each = [matrices.exact_entries(axis) for axis in places.T]
    squared = sum(matrices.squares(np.subtract.outer(axis, axis)) for axis in each)
    values = kernel.enclosed_radial(np.asarray(squared))[0]
    np.fill_diagonal(values, enclosure.ball(1))
    return Doubles.of_balls(values)


def _explaining(
    in_time: Doubles, space: Doubles, own: IntArray, noise: float
) -> tuple[Doubles, float]:
    """(m, r) the n_k, and η."""
    noisy = space[np.ix_(own, own)] * in_time + Doubles.exact(noise * np.eye(len(own)))
    white = Whitened.of(noisy) if noisy.sane() else None
    if white is None:
        raise NoEnclosure("noise-variance", noise, "looks are not told apart in doubles")
    at = np.zeros((len(own), len(space.mid)))
    at[np.arange(len(own)), own] = 1.0
    return (Doubles.exact(white.X) * in_time) @ Doubles.exact(at), white.eta


class _Cells:
    """Nodes in the middles of equal cells of a box, finer ones, and what holds around them."""

    def __init__(
        self, sides: tuple[float, ...], kernel: Kernel, most: int, places: FloatArray
    ) -> None:
        counts, finer = cell_counts(sides, most), cell_counts(sides, FINER * most)
        steps = _steps(sides, counts)
        radius, reach = _half_diagonal(steps), _half_diagonal(_steps(sides, finer))
        slope = enclosure.ball(kernel.enclosed_derivative_variance())
        curvature = enclosure.ball(kernel.enclosed_curvature_variance())
        self._slope = Doubles.of_balls([slope])[0]
        self._change = matrices.upward(reach * enclosure.sqrt(curvature))
        self._diameter = matrices.upward(2 * radius)
        # At each lag between nodes: how far apart they are in d_K, and what two cells have least.
        lags = [step * np.arange(count) for step, count in zip(steps, counts, strict=True)]
        squared = reduce(np.add.outer, [matrices.squares(lag) for lag in lags]).ravel()
        apart = np.array([enclosure.sqrt(square) for square in squared], dtype=object)
        furthest = matrices.squares(apart + 2 * radius)
        lag = self._pairs(counts)
        self._apart = np.asarray(matrices.upward_array(_increments(kernel, squared)))[lag]
        near = matrices.upward_array(furthest / _increments(kernel, furthest))
        self._near, self._own = np.asarray(near)[lag], float(near[0])
        far = np.full(len(squared), inf)
        clear = np.flatnonzero([bool(gap > 0) for gap in apart - 2 * radius])
        nearest = _increments(kernel, matrices.squares(apart[clear] - 2 * radius))
        far[clear] = [matrices.upward(1 / value) if value > 0 else inf for value in nearest]
        self._far = far[lag]
        fine = _steps(sides, finer)
        self._values = _stacked(
            [Doubles.of_balls(_radial(kernel, _differences(steps, counts, z))[0]) for z in places]
        )
        self._gradients = _stacked(
            [_gradients(kernel, _differences(fine, finer, z)) for z in places]
        )

    def _pairs(self, counts: tuple[int, ...]) -> IntArray:
        """The lag of each pair of nodes, as one number; and which nodes these are."""
        self._first, self._second = np.triu_indices(int(np.prod(counts)), 1)
        at = np.stack(np.unravel_index(np.arange(int(np.prod(counts))), counts))
        lag = np.abs(at[:, self._first] - at[:, self._second])
        return np.asarray(np.ravel_multi_index(tuple(lag), counts))

    def largest(self, rows: Doubles, kept: Doubles, eta: float) -> Iterator[float]:
        """At least the largest quotient of two points of the box right after each look."""
        places, fine, dimension = self._gradients.shape
        flat = _reshaped(self._gradients, places, fine * dimension)
        share = (1.0 - 8.0 * U) / (1.0 + eta)
        shared, prior = Doubles.exact(share), Doubles.exact(np.eye(dimension)) * self._slope
        explained = np.zeros(len(self._first))
        steep = Doubles.exact(np.zeros((fine, dimension, dimension)))
        for start in range(0, len(rows.mid), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            values, tilts = some @ self._values, some @ flat
            for k in range(len(some.mid)):
                stay = kept[start + k]
                explained = self._told(explained, float(stay.lower()), values[k])
                tilt = _reshaped(tilts[k], fine, dimension)
                steep = steep * stay + tilt[:, :, None] * tilt[:, None, :]
                top = float(_largest_eigenvalues(prior - steep * shared).max())
                slope = (sqrt(top) + self._change) * _UP
                variance = np.maximum(self._apart - explained * share, 0.0) * _UP + _TINY
                within = np.sqrt(variance) + self._diameter * slope
                quotients = np.minimum(slope * slope * self._near, within * within * self._far)
                largest = np.max(quotients, initial=slope * slope * self._own) * _UP
                yield float(largest) if largest < 1.0 else 1.0  # also where it is no number

    def _told(self, before: FloatArray, stay: float, value: Doubles) -> FloatArray:
        """V of all differences after one more look, rounded down."""
        slack = 2.0 * float(np.max(value.rad + 8.0 * U * np.abs(value.mid))) * _UP + _TINY
        moved = np.abs(value.mid[self._first] - value.mid[self._second]) - slack
        kept = before * max(stay, 0.0) + np.maximum(moved, 0.0) ** 2
        return np.asarray(kept * (1.0 - 16.0 * U))


def _largest_eigenvalues(entries: Doubles) -> FloatArray:
    """(N,) numbers ≥ 0, at least the largest eigenvalue of each symmetric matrix inside (N, d, d).

    By hand up to d = 2. Beyond for C ≈ QDQᵀ and QᵀCQ enclosed, by Gershgorin's circles, over what
    the columns of Q lack of being orthonormal.
    """
    mid, dimension = entries.mid, entries.shape[1]
    if not entries.sane():
        return np.full(len(mid), inf)
    spread = entries.rad.sum(axis=(1, 2)) * (_UP + 4.0 * dimension**2 * U)
    if dimension == 1:
        return np.asarray(np.maximum(mid[:, 0, 0] + spread, 0.0) * _UP + _TINY)
    if dimension == 2:
        # Entries that are 0 or more may be raised; a and c are the variances of derivatives.
        a, b, c = (np.abs(mid[:, i, j]) for i, j in ((0, 0), (0, 1), (1, 1)))
        half = 0.5 * (mid[:, 0, 0] - mid[:, 1, 1])
        return np.asarray((0.5 * (a + c) + np.sqrt(half * half + b * b) + spread) * _UP + _TINY)
    Q = np.linalg.eigh(mid)[1]
    turned, back = Doubles.exact(Q), Doubles.exact(np.swapaxes(Q, 1, 2))
    circles = (back @ entries @ turned).magnitudes().sum(axis=2).max(axis=1)
    lacks = (back @ turned - Doubles.exact(np.eye(dimension))).magnitudes().sum(axis=2).max(axis=1)
    if not np.all(lacks < 0.5):
        return np.full(len(mid), inf)
    return np.asarray(circles * (1.0 + dimension * 4.0 * U) / (1.0 - 2.0 * lacks) * _UP + _TINY)


def _increments(kernel: Kernel, squared: BallArray) -> BallArray:
    """d_K², 2(1 − k), from squared distances."""
    return np.asarray(2 * (1 - kernel.enclosed_radial(squared)[0]))


def _steps(sides: tuple[float, ...], counts: tuple[int, ...]) -> list[Number]:
    """The sides of a cell."""
    both = zip(sides, counts, strict=True)
    return [enclosure.ball(enclosure.divide(enclosure.exact_double(s), c)) for s, c in both]


def _half_diagonal(steps: list[Number]) -> Number:
    return enclosure.sqrt(sum((step * step for step in steps), enclosure.ball(0))) / 2


def _differences(
    steps: list[Number], counts: tuple[int, ...], place: FloatArray
) -> list[BallArray]:
    """Of each axis the nodes' coordinates less that of a place."""
    return [
        step * (np.arange(1, 2 * count, 2) * enclosure.ball(1)) / 2
        - enclosure.ball(enclosure.exact_double(at))
        for step, count, at in zip(steps, counts, place.tolist(), strict=True)
    ]


def _radial(kernel: Kernel, apart: list[BallArray]) -> tuple[BallArray, BallArray]:
    """k and k′(r)/r of all nodes."""
    squared = reduce(np.add.outer, [matrices.squares(each) for each in apart])
    return kernel.enclosed_radial(squared.ravel())


def _gradients(kernel: Kernel, apart: list[BallArray]) -> Doubles:
    """(N', d) covariances with ∇f at the nodes of f at the place that they are apart from."""
    counts = tuple(len(each) for each in apart)
    factor, at = Doubles.of_balls(_radial(kernel, apart)[1]), np.indices(counts)
    axes = [
        factor * Doubles.of_balls(each)[where.ravel()]
        for each, where in zip(apart, at, strict=True)
    ]
    return _stacked(axes, axis=1)


def _reshaped(given: Doubles, *shape: int) -> Doubles:
    return Doubles(given.mid.reshape(shape), given.rad.reshape(shape))


def _stacked(parts: list[Doubles], axis: int = 0) -> Doubles:
    """Along a new axis."""
    mids, rads = [each.mid for each in parts], [each.rad for each in parts]
    return Doubles(np.stack(mids, axis=axis), np.stack(rads, axis=axis))
