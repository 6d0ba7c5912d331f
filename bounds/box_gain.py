"""γ_n of the whole box [0, r]^d: certificates of the grid carried over to every point between.

A certificate (z, R, α) holds for any domain once V ≥ v on it. With B = √α A^{−½}, ‖B‖ ≤ 1,
√v(x) = ‖Bφ(x)‖ is a seminorm below the norm of the kernel's space, so that around a centre x₀,
for |x − x₀| ≤ d,

    v(x) ≤ (√(v₀ + |∇v₀|d + s₁d²) + rem(d))²,

s₁ ≥ the top eigenvalue of S = Dφ₀ᵀBᵀB Dφ₀ and rem(d) ≥ ‖φ(x) − φ₀ − Dφ₀(x−x₀)‖ (THEORY 6): ½d²√3/ℓ²
(squared exponential), ½d²·5/ℓ² (Matérn-5/2), ⅔√(12√3/ℓ³)d^{3/2} (Matérn-3/2). The cells
between the grid points cover the box; those above a target are halved along every axis.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bounds import enclosure
from bounds.certified_gain import GridBalls, cap_rate, line_from_supremum
from bounds.domain import Grid
from bounds.enclosure import Number, matrices
from bounds.enclosure.matrices import BallArray, BallMatrix
from bounds.errors import InvalidInput
from bounds.gain_bound import GainCurve, combine
from bounds.gain_certificate import GainCertificate
from bounds.kernels import Kernel, Matern, SquaredExponential

IntArray = NDArray[np.int64]
Advance = Callable[[float], None]

MOST_DIMENSIONS = 3
_LOOSER = 0.012  # by how much of the line at twice its rank an undivided cell may raise it
_MOST_LEVELS = 7
_MOST_CELLS = 20_000  # of one level; what is left undivided only makes V larger


def box_curve(
    kernel: Kernel,
    grid: Grid,
    curve: GainCurve,
    rounds: IntArray,
    advance: Advance = lambda share: None,
) -> GainCurve:
    """Certified upper bounds on γ_m of the box of a grid, m = 0..n, from a curve of the grid.

    Good at the given rounds, whose lines alone are carried over, and valid at all.

    Parameters
    ----------
    kernel : squared exponential, Matérn-3/2 or Matérn-5/2
    grid : of at most 3 dimensions and at least 2 points per axis
    curve : of `space_gain_upper`
    rounds : the m at which the bound is wanted

    Raises InvalidInput for other kernels and grids. The lower side of the grid is one of the box.
    Cost: for each line some thousand cells, each (d+2)·k·P operations on balls: 5 s for the
    squared exponential, 30 s for Matérn-5/2 at 200 rounds on 50×50 points.

    >>> from bounds.gain_bound import space_gain_upper
    >>> kernel, grid = SquaredExponential(0.5), Grid(1, 1.0, 9)
    >>> box_curve(kernel, grid, space_gain_upper(kernel, grid, 0.1, 9), [9]).certified
    True
    """
    require_known(kernel, grid)
    noise_variance = curve.certificates[0].noise_variance
    winners = sorted({int(i) for i in curve.sources[np.asarray(rounds)] if i > 0})
    balls = GridBalls(kernel, grid)
    certified = []
    for done, i in enumerate(winners):
        advance(done / len(winners))
        certified.append(box_line(balls, curve.certificates[i - 1]))
    with enclosure.precision(matrices.WORKING_BITS):
        cap = matrices.upward(cap_rate(noise_variance))
    return combine(tuple(certified), cap, curve.n, certified=True)


def box_line(balls: GridBalls, certificate: GainCertificate) -> GainCertificate:
    """The same points, factors and α with V a bound on v over the whole box."""
    with enclosure.precision(matrices.WORKING_BITS):
        variance = _Variance(balls, certificate)
        supremum = 1.0
        if certificate.rank:
            n = 2.0 * certificate.rank
            per_round = (certificate.intercept + certificate.slope * n) / n
            slack = _LOOSER * per_round * 2.0 * certificate.alpha * certificate.noise_variance
            supremum = _supremum(variance, balls.grid, slack)
        return line_from_supremum(replace(certificate, supremum=supremum), variance.logs)


def _supremum(variance: _Variance, grid: Grid, slack: float) -> float:
    """An upper bound on v over the box, by symmetry over one orthant of cells.

    Cells are halved while they exceed the largest v at a centre by more than `slack`.
    """
    q, axes = grid.points_per_axis, range(grid.dimension)
    step = Fraction(grid.side) / (q - 1)
    centers = [
        tuple((i + Fraction(1, 2)) * step for i in place)
        for place in product(range(q // 2), repeat=grid.dimension)
    ]
    half, settled = step / 2, 0.0
    for level in range(_MOST_LEVELS):
        upper, middle = variance.cells(centers, half)
        target = max(float(middle.max()) + slack, settled)
        open_cells = np.flatnonzero(upper > target)
        last = level == _MOST_LEVELS - 1 or len(open_cells) * 2**grid.dimension > _MOST_CELLS
        if last or len(open_cells) == 0:
            return max(settled, float(upper.max()))
        closed = np.delete(upper, open_cells)
        settled = max([settled, *closed.tolist()])
        half /= 2
        centers = [
            tuple(centers[cell][axis] + sign[axis] * half for axis in axes)
            for cell in open_cells.tolist()
            for sign in product((-1, 1), repeat=grid.dimension)
        ]
    raise AssertionError("the last level returns")


class _Variance:
    """v, its gradient and the covariance S of φ's derivative at points of the box."""

    def __init__(self, balls: GridBalls, certificate: GainCertificate) -> None:
        self._kernel, grid = balls.kernel, balls.grid
        layout = balls.layout
        q = grid.points_per_axis
        self._step = Fraction(grid.side) / (q - 1)
        self._places = [layout.coordinates[image[certificate.points]] for image in
                        layout.reflections]  # fmt: skip
        self._dimension = grid.dimension
        self._signs = layout.characters
        self._terms: list[tuple[int, BallMatrix, BallMatrix]] = []
        self.logs = enclosure.ball(0)
        at = np.searchsorted(layout.orthant, certificate.points)
        cross = balls.cross(certificate.points) if certificate.rank else []
        for parity, k_zx in enumerate(cross):
            R = certificate.factors[parity]
            k = R.shape[1]
            if k == 0:
                continue
            factor = matrices.ball_matrix(R)
            A = matrices.identity(k, certificate.alpha)
            A = A + factor.transpose() * matrices.ball_matrix(k_zx[:, at]) * factor
            inverse = A.inv()
            self.logs += A.det().log() + inverse.trace() - k
            self._terms.append((parity, factor.transpose(), inverse))

    def cells(
        self, centers: list[tuple[Fraction, ...]], half: Fraction
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Upper bounds on v over cubes of half side `half`, and on v at their centres."""
        v, gradient, S = self._at(centers)
        d = enclosure.sqrt(enclosure.exact(half * half * self._dimension))
        d = enclosure.ball(d)
        steepness = _roots(sum((matrices.squares(g) for g in gradient), enclosure.ball(0) * v))
        spread = _top_eigenvalue(S)
        inside = v + steepness * d + spread * (d * d)
        root = _roots(inside) + enclosure.ball(_remainder(self._kernel, d))
        return matrices.upward_array(matrices.squares(root)), matrices.upward_array(v)

    def _at(
        self, centers: list[tuple[Fraction, ...]]
    ) -> tuple[BallArray, list[BallArray], list[list[BallArray]]]:
        d, count = self._dimension, len(centers)
        points = [
            np.array([enclosure.ball(enclosure.exact(c[axis])) for c in centers], dtype=object)
            for axis in range(d)
        ]
        images = [self._derivatives(places, points) for places in self._places]
        v = np.full(count, enclosure.ball(1), dtype=object)
        prior = enclosure.ball(_slope_variance(self._kernel))
        gradient = [np.full(count, enclosure.ball(0), dtype=object) for _ in range(d)]
        S = [
            [np.full(count, prior if i == j else enclosure.ball(0), dtype=object)
             for j in range(d)] for i in range(d)
        ]  # fmt: skip
        for parity, transposed, inverse in self._terms:
            b = [
                transposed * matrices.ball_matrix(self._of_parity(parity, images, order))
                for order in range(d + 1)
            ]
            left = [matrices.entries(each) for each in b]
            right = [matrices.entries(inverse * each) for each in b]
            v = v - (left[0] * right[0]).sum(axis=0)
            for i in range(d):
                gradient[i] = gradient[i] - 2 * (left[i + 1] * right[0]).sum(axis=0)
                for j in range(i, d):
                    S[i][j] = S[i][j] - (left[i + 1] * right[j + 1]).sum(axis=0)
        return v, gradient, S

    def _of_parity(self, parity: int, images: list[list[BallArray]], order: int) -> BallArray:
        total = np.zeros_like(images[0][order])
        for sign, image in zip(self._signs[parity], images, strict=True):
            total = total + image[order] if sign > 0 else total - image[order]
        return np.asarray(total / len(images))

    def _derivatives(self, places: IntArray, points: list[BallArray]) -> list[BallArray]:
        """(P, cells) k(z, x) and ∂k/∂x_j for each axis."""
        differences = []
        for axis, x in enumerate(points):
            z = [enclosure.ball(enclosure.exact(int(i) * self._step)) for i in places[:, axis]]
            differences.append(np.subtract.outer(np.array(z, dtype=object), x) * -1)
        squared = sum((matrices.squares(delta) for delta in differences), enclosure.ball(0))
        value, factor = _radial(self._kernel, np.asarray(squared))
        return [value, *(factor * delta for delta in differences)]


def _radial(kernel: Kernel, squared: BallArray) -> tuple[BallArray, BallArray]:
    """k and g with ∇k = g·(x − z), from |x − z|²."""
    lengthscale = _lengthscale(kernel)
    if isinstance(kernel, SquaredExponential):
        value = np.exp(squared * (-1 / (2 * lengthscale * lengthscale)))
        return value, value * (-1 / (lengthscale * lengthscale))
    nu = 1.5 if isinstance(kernel, Matern) and kernel.nu == 1.5 else 2.5
    a = enclosure.ball(enclosure.sqrt(int(2 * nu))) / lengthscale
    u = _roots(squared) * a
    decay = np.exp(-u)
    if nu == 1.5:
        return (1 + u) * decay, decay * (-a * a)
    return (1 + u + u * u / 3) * decay, (1 + u) * decay * (-a * a / 3)


def _slope_variance(kernel: Kernel) -> Number:
    """Var ∂_j f."""
    inverse = 1 / (_lengthscale(kernel) * _lengthscale(kernel))
    if isinstance(kernel, SquaredExponential):
        return inverse
    return inverse * 3 if isinstance(kernel, Matern) and kernel.nu == 1.5 else inverse * 5 / 3


def _remainder(kernel: Kernel, d: Number) -> Number:
    """rem(d)."""
    lengthscale = _lengthscale(kernel)
    if isinstance(kernel, SquaredExponential):
        return d * d * enclosure.ball(3).sqrt() / (2 * lengthscale * lengthscale)
    if isinstance(kernel, Matern) and kernel.nu == 2.5:
        return d * d * 5 / (2 * lengthscale * lengthscale)
    cube = lengthscale * lengthscale * lengthscale
    return 2 * (12 * enclosure.ball(3).sqrt() / cube).sqrt() * d * d.sqrt() / 3


def _lengthscale(kernel: Kernel) -> Number:
    assert isinstance(kernel, SquaredExponential | Matern)
    return enclosure.ball(enclosure.exact_double(kernel.lengthscale))


def _top_eigenvalue(S: list[list[BallArray]]) -> BallArray:
    """An upper bound on the largest eigenvalue: the largest row sum of absolute values."""
    d = len(S)
    rows = [
        np.asarray(
            S[i][i]
            + sum((np.abs(S[min(i, j)][max(i, j)]) for j in range(d) if j != i), 0 * S[i][i])
        )
        for i in range(d)
    ]
    largest = rows[0]
    for row in rows[1:]:
        largest = np.array([a.max(b) for a, b in zip(largest, row, strict=True)], dtype=object)
    return largest


def _roots(balls: BallArray) -> BallArray:
    """√ of numbers that are not negative, though their balls may reach below 0."""
    flat = [ball.nonnegative_part().sqrt() for ball in np.asarray(balls).ravel()]
    roots = np.empty(len(flat), dtype=object)
    roots[:] = flat
    return roots.reshape(np.shape(balls))


def require_known(kernel: Kernel, grid: Grid) -> None:
    """Raise InvalidInput for a kernel or a grid whose box is not done."""
    known = isinstance(kernel, SquaredExponential) or (
        isinstance(kernel, Matern) and kernel.nu in (1.5, 2.5)
    )
    if not known:
        raise InvalidInput("kernel", kernel.name, "the box is done for se, matern32 and matern52")
    if grid.dimension > MOST_DIMENSIONS or grid.points_per_axis < 2:
        raise InvalidInput(
            "grid",
            f"{grid.points_per_axis}^{grid.dimension}",
            f"the box needs 2 points per axis and at most {MOST_DIMENSIONS} dimensions",
        )
