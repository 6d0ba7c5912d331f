"""v(x) = ‖Bφ(x)‖² over cells of the box, enclosed.

With B = √α A^{−½}, ‖B‖ ≤ 1, √v is a seminorm of φ(x) below the norm of the kernel's space, so that
around a centre x₀, for |x − x₀| ≤ d,

    v(x) ≤ (√(v₀ + |∇v₀|d + s₁d²) + rem(d))²,

s₁ ≥ the top eigenvalue of S = Dφ₀ᵀBᵀB Dφ₀ and rem(d) ≥ ‖φ(x) − φ₀ − Dφ₀(x−x₀)‖
(docs/theory.md#box): ½d²√3/ℓ² (squared exponential), ½d²·5/ℓ² (Matérn-5/2); for Matérn-3/2
√(4/3)·(√3d/ℓ)^{3/2}.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray, IntArray
from bounds.enclosure import Number, matrices
from bounds.enclosure.doubles import Doubles
from bounds.errors import NumericalFailure
from bounds.kernels import Kernel
from bounds.static_gain.certified import GridBalls, inverse_with_logs, parity_sum
from bounds.static_gain.dual import GainCertificate

_MOST_ENTRIES = 2_000_000  # of the arrays of one batch of cells
_ENLARGED = 1.0 + 2.0**-40  # more than the roundings of the last sums, products and roots


class BoxVariance:
    """v, its gradient and the covariance S of φ's derivative at points of the box.

    The kernel is enclosed by balls once for each distance that occurs; the algebra, (d+2)·k·P
    products for each cell and parity, is done on `Doubles`.
    """

    def __init__(self, balls: GridBalls, certificate: GainCertificate) -> None:
        self._kernel, grid = balls.kernel, balls.grid
        layout = balls.layout
        q, side = grid.cube()
        self._half_step = Fraction(side) / (2 * (q - 1))
        self._places = [
            layout.coordinates[image[certificate.points]] for image in layout.reflections
        ]
        self._dimension = grid.dimension
        self._signs = layout.characters
        self._terms: list[tuple[int, Doubles, Doubles]] = []
        self.logs = enclosure.ball(0)
        points = certificate.points
        grams = balls.parity_grams(points, points)
        for parity, (R, K) in enumerate(zip(certificate.factors, grams, strict=True)):
            if R.shape[1]:
                logs, inverse = inverse_with_logs(R, K, certificate.alpha)
                self.logs += logs
                exact = Doubles.exact(np.ascontiguousarray(R.T))
                self._terms.append((parity, exact, Doubles.of_balls(matrices.entries(inverse))))

    def cells(self, centers: IntArray, level: int) -> tuple[FloatArray, FloatArray]:
        """Upper bounds on v over cells and at their centres, (cells, d).

        Cells of level 0 lie between neighbours of the grid; each level halves their sides. Centres
        are given in units of half a side, counted from the corner of the box.
        """
        batch = max(1, _MOST_ENTRIES // (len(self._places) * max(len(self._places[0]), 1)))
        half = self._half_step / 2**level
        table = _Table(self._kernel, enclosure.ball(enclosure.exact(half)), self._dimension)
        places = [each * 2 ** (level + 1) for each in self._places]
        bounds = [
            self._batch(centers[start : start + batch], places, half, table)
            for start in range(0, len(centers), batch)
        ]
        return np.concatenate([u for u, _ in bounds]), np.concatenate([v for _, v in bounds])

    def _batch(
        self, centers: IntArray, places: list[IntArray], half: Fraction, table: _Table
    ) -> tuple[FloatArray, FloatArray]:
        d = enclosure.ball(enclosure.sqrt(enclosure.exact(half * half * self._dimension)))
        v, gradient, S = self._at([table.derivatives(each, centers) for each in places])
        reach, rest = matrices.upward(d), matrices.upward(self._kernel.enclosed_remainder(d))
        # From here on sums, products and roots of non-negative doubles: _ENLARGED covers them.
        middle = np.maximum(v.upper(), 0.0)
        steepness = np.sqrt(sum((g.magnitudes() ** 2 for g in gradient), np.zeros(len(middle))))
        inside = middle + steepness * reach + _top_eigenvalue(S) * reach**2
        if not np.isfinite(inside).all():
            raise NumericalFailure("an enclosure became infinite: use a smaller problem")
        return (np.sqrt(inside) + rest) ** 2 * _ENLARGED, middle

    def _at(
        self, images: list[list[Doubles]]
    ) -> tuple[Doubles, list[Doubles], list[list[Doubles]]]:
        """v, ∇v and S from k and its derivatives at every image of the points."""
        d, nothing = self._dimension, Doubles.exact(0.0)
        prior = Doubles.of_balls([enclosure.ball(self._kernel.enclosed_derivative_variance())])
        v, gradient = Doubles.exact(1.0), [nothing] * d
        S = [[prior if i == j else nothing for j in range(d)] for i in range(d)]
        for parity, transposed, inverse in self._terms:
            left = [transposed @ self._of_parity(parity, images, order) for order in range(d + 1)]
            right = [inverse @ each for each in left]
            v = v - (left[0] * right[0]).sum(axis=0)
            for i in range(d):
                gradient[i] = gradient[i] - (left[i + 1] * right[0]).sum(axis=0).scaled(2.0)
                for j in range(i, d):
                    S[i][j] = S[i][j] - (left[i + 1] * right[j + 1]).sum(axis=0)
        return v, gradient, S

    def _of_parity(self, parity: int, images: list[list[Doubles]], order: int) -> Doubles:
        of_order = [image[order] for image in images]
        return parity_sum(self._signs[parity], of_order).scaled(1.0 / len(images))


class _Table:
    """k and its derivatives between points of the grid and centres of cells, by their distance.

    In units of half a side of the cells the coordinates of points are even and those of centres
    odd, so that |x − z|² is an integer d modulo 8: balls are computed once for each that occurs.
    """

    def __init__(self, kernel: Kernel, half: Number, dimension: int) -> None:
        self._kernel, self._half, self._dimension = kernel, half, dimension
        self._known = np.zeros(0, dtype=bool)
        self._columns = [Doubles.exact(np.zeros(0))] * 2  # k; g·half, ∇k = g·(x − z)

    def derivatives(self, places: IntArray, centers: IntArray) -> list[Doubles]:
        """(P, cells) k(z, x) and ∂k/∂x_j for each axis."""
        differences = centers[None, :, :] - places[:, None, :]
        entry = ((differences**2).sum(axis=2) - self._dimension) // 8
        self._fill(entry)
        value, steps = (column[entry] for column in self._columns)
        return [
            value,
            *(
                steps * Doubles.exact(differences[:, :, axis].astype(float))
                for axis in range(self._dimension)
            ),
        ]

    def _fill(self, entry: IntArray) -> None:
        wanted = np.zeros(max(int(entry.max(initial=-1)) + 1, len(self._known)), dtype=bool)
        wanted[entry.ravel()] = True
        more = len(wanted) - len(self._known)
        self._known = np.pad(self._known, (0, more))
        new = np.flatnonzero(wanted & ~self._known)
        self._known[new] = True
        squared = np.array(
            [self._half * self._half * int(8 * each + self._dimension) for each in new],
            dtype=object,
        )
        value, factor = self._kernel.enclosed_radial(squared)
        for number, balls in enumerate((value, factor * self._half)):
            intervals, column = Doubles.of_balls(balls), self._columns[number]
            middle, radius = np.pad(column.mid, (0, more)), np.pad(column.rad, (0, more))
            middle[new], radius[new] = intervals.mid, intervals.rad
            self._columns[number] = Doubles(middle, radius)


def _top_eigenvalue(S: list[list[Doubles]]) -> FloatArray:
    """Above the largest eigenvalue, short of _ENLARGED: the largest row sum of absolute values."""
    d = len(S)
    size = [[S[min(i, j)][max(i, j)].magnitudes() for j in range(d)] for i in range(d)]
    return np.asarray(np.array(size).sum(axis=1).max(axis=0))
