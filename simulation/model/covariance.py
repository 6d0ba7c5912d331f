"""Covariance of a stationary kernel over a grid: rows, Gram matrix, and factors to draw from.

On a grid k(x, x') depends only on the index differences, so q^d numbers hold the whole Gram
matrix. A factor A with A Aᵀ = K turns independent normals into a draw of GP(0, K).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.linalg import lapack

from bounds.arrays import FloatArray
from bounds.domain import Domain, FiniteKernel
from bounds.errors import NumericalFailure
from bounds.kernels import Kernel
from bounds.problem import Problem

_RANK_TOLERANCE = 1e-15
"""Eigenvalues of an axis' Gram matrix below this share of the largest are rounding."""
_SURE = 1e-11
"""Those above this share have four digits and more that no rounding touches."""
_APART = 1e-6
"""Eigenvalues closer than this, relatively, have vectors that rounding turns into each other."""
_SIGNS = (-1, -1, 1, 1, -1, -1, -1, -1, 1, 1, 1, -1, -1, 1, -1, 1, 1, -1, 1, 1)
"""Of each eigenvector's first entry of at least half its size, the largest eigenvalue first, then
over again: a convention. With these the default grid has the draws of the bundled studies."""
_LEAST_CONDITION = 1e-12
"""Reciprocal condition below which Cholesky is pivoted; at 1e-16 rounding decides if it fails."""
_TIE = 1e-3
"""Shares by which the last point counts less than the first when pivots are sought: of points that
tie, as all of a stationary kernel do at first, the first is taken on every processor."""
_INDEFINITE = 1e-3
"""What a root may miss, beside a variance of 1: posterior covariances of nearly noiseless rows miss
1e-5, what is no covariance misses far more."""


class Factor(Protocol):
    """A with A Aᵀ = K over the N points of the grid, never formed where structure saves it."""

    @property
    def rank(self) -> int:
        """Columns of A: the independent normals that one draw takes.

        No rounding changes it; where K is singular columns may be zero.
        """

    def apply(self, normals: FloatArray) -> FloatArray:
        """(m, N) draws of GP(0, K) from (m, rank) independent standard normals."""

    def whiten(self, values: FloatArray) -> FloatArray:
        """(rank,) the least z with A z = `values` (N,), for values in the range of A."""


@dataclass(frozen=True, eq=False)
class KroneckerFactor:
    """A = B_1 ⊗ … ⊗ B_d with B_a (q_a, r_a) per axis, for kernels that are products over the axes.

    One draw costs O(q^d r) instead of O(q^{2d}).
    """

    axes: tuple[FloatArray, ...]

    @classmethod
    def of_grams(cls, grams: Iterable[FloatArray]) -> KroneckerFactor:
        """From the Gram matrices along the axes; small eigenvalues of an axis drop."""
        return cls(tuple(map(spectral_root, grams)))

    @cached_property
    def _inverses(self) -> list[FloatArray]:
        """(q_a, r_a) the pseudo-inverse of each B_a, transposed."""
        return [
            np.asarray(np.linalg.pinv(axis, rcond=1e-9).T, dtype=np.float64) for axis in self.axes
        ]

    @property
    def rank(self) -> int:
        return int(np.prod([axis.shape[1] for axis in self.axes]))

    def apply(self, normals: FloatArray) -> FloatArray:
        # From the last axis to the first, so that no pass has to turn its axes.
        tensor, inner = normals, 1
        for axis in reversed(self.axes):
            grid, rank = axis.shape
            if inner == 1:
                tensor = tensor.reshape(-1, rank) @ axis.T
            else:
                tensor = np.matmul(axis, tensor.reshape(-1, rank, inner))
            inner *= grid
        return np.ascontiguousarray(tensor.reshape(len(normals), -1))

    def whiten(self, values: FloatArray) -> FloatArray:
        return np.ascontiguousarray(self.whiten_rows(values[None])[0])

    def whiten_rows(self, values: FloatArray) -> FloatArray:
        """(m, rank) `whiten` of each row of (m, N) values, at once."""
        tensor = values.reshape((len(values), *(len(axis) for axis in self.axes)))
        for inverse in self._inverses:
            tensor = np.tensordot(tensor, inverse, axes=(1, 0))
        return np.ascontiguousarray(tensor.reshape(len(values), -1))

    def whiten_products(self, parts: Iterable[FloatArray]) -> FloatArray:
        """(m, rank) `whiten` of rows that are products over the axes, given by (m, q_a) factors.

        `whiten_rows` of the products, but for rounding: there that of a product is divided by the
        smallest columns of all axes at once, here that of a factor by those of its own axis.
        """
        product = np.ones((1, 1))
        for inverse, part in zip(self._inverses, parts, strict=True):
            own = part @ inverse
            product = (product[:, :, None] * own[:, None, :]).reshape(len(own), -1)
        return product


def spectral_root(gram: FloatArray) -> FloatArray:
    """B (q, r) with B Bᵀ = `gram`, the Gram matrix of a smooth kernel along an axis, from its
    eigenvectors; small eigenvalues drop.

    Rounding decides neither r nor any column beyond its own size. The eigenvalues fall ever faster:
    r is where those above 1e-11 of the largest would reach 1e-15 if they went on as the last two.
    Signs are a convention, and where eigenvalues nearly coincide (points that hardly know of each
    other) B is the symmetric root, which no choice of eigenvectors changes.
    """
    eigenvalues, vectors = np.linalg.eigh(gram)
    falling = eigenvalues[::-1]
    sure = int(np.count_nonzero(falling > _SURE * falling[0]))
    if np.any(-np.diff(falling[:sure]) < _APART * falling[: sure - 1]):
        return symmetric_root(gram)
    ratio = falling[sure - 1] / falling[sure - 2] if sure > 1 else _SURE
    left = np.log(_RANK_TOLERANCE * falling[0] / falling[sure - 1])
    count = min(sure + int(left / np.log(ratio)), len(gram))
    columns = vectors[:, len(gram) - count :]
    size = np.abs(columns)
    large = np.argmax(size >= 0.5 * size.max(axis=0), axis=0)
    signs = np.resize(_SIGNS, count)[::-1] * np.sign(columns[large, np.arange(count)])
    return np.asarray(columns * (signs * np.sqrt(np.maximum(eigenvalues[-count:], 0.0))))


def symmetric_root(gram: FloatArray) -> FloatArray:
    """The symmetric R with R R = `gram`, negative eigenvalues (rounding) as 0.

    Unlike a root of eigenvectors it has no sign to choose, nor a basis where eigenvalues coincide.

    >>> symmetric_root(4.0 * np.eye(2)).tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """
    values, vectors = np.linalg.eigh(gram)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


@dataclass(frozen=True, eq=False)
class ReflectionFactor:
    """A = (U ⊗ … ⊗ U) · blockdiag(A_1, …): for every stationary kernel on a grid.

    Reflecting an axis leaves K unchanged, so in the basis U of even and odd vectors of each axis
    K falls into 2^d independent blocks of about N/2^d points. Factoring them costs 4^d times less
    than factoring K, and a draw 2^d times less.
    """

    basis: FloatArray
    even: int
    blocks: tuple[FloatArray, ...]
    dimension: int

    @classmethod
    def of_table(cls, table: FloatArray) -> ReflectionFactor:
        """From k by index differences along every axis: (q, …, q) numbers. O(N³/4^d)."""
        q, d = len(table), table.ndim
        blocks = tuple(_root(_folded(table, parities)) for parities in _parities(d))
        return cls(_reflection_basis(q), (q + 1) // 2, blocks, d)

    @property
    def rank(self) -> int:
        return sum(len(block) for block in self.blocks)

    @cached_property
    def _parts(self) -> list[tuple[tuple[slice, ...], FloatArray, bool]]:
        """Where the coefficients of each block stand among even and odd vectors of the axes, the
        block, and whether it is a triangle; one whose points were pivoted is none."""
        choice = (slice(0, self.even), slice(self.even, len(self.basis)))
        return [
            (
                tuple(choice[odd] for odd in parities),
                block,
                block.shape[0] == block.shape[1] and not np.any(np.triu(block, 1)),
            )
            for parities, block in zip(_parities(self.dimension), self.blocks, strict=True)
        ]

    def apply(self, normals: FloatArray) -> FloatArray:
        q = len(self.basis)
        tensor = np.empty((len(normals),) + (q,) * self.dimension)
        start = 0
        for where, block, triangle in self._parts:
            own = normals[:, start : start + block.shape[1]]
            part = _times_triangle(own, block) if triangle else own @ block.T
            start += len(block)
            target = tensor[(slice(None), *where)]
            target[...] = part.reshape(target.shape)
        for axis in range(1, self.dimension + 1):
            tensor = _unfolded(tensor, axis)
        return tensor.reshape(len(normals), q**self.dimension)

    def whiten(self, values: FloatArray) -> FloatArray:
        return np.ascontiguousarray(self.whiten_rows(values[None])[0])

    def whiten_rows(self, values: FloatArray) -> FloatArray:
        """(m, rank) `whiten` of each row of (m, N) values, at once."""
        tensor = values.reshape((len(values),) + (len(self.basis),) * self.dimension)
        for _ in range(self.dimension):
            tensor = np.tensordot(tensor, self.basis, axes=(1, 0))
        parts: list[FloatArray] = []
        for where, block, triangle in self._parts:
            part = tensor[(slice(None), *where)].reshape(len(values), -1).T
            if triangle:
                parts.append(linalg.solve_triangular(block, part, lower=True))
            else:
                parts.append(_least(block, part))
        return np.concatenate(parts).T


@dataclass(frozen=True, eq=False)
class DenseFactor:
    """A root (M, r) of any covariance matrix of M points, r ≤ M."""

    root: FloatArray

    @classmethod
    def of(cls, gram: FloatArray) -> DenseFactor:
        """By Cholesky, pivoted where the matrix is nearly singular; O(M³/3).

        >>> DenseFactor.of(np.ones((3, 3))).root.shape
        (3, 1)
        """
        return cls(_root(gram))

    @property
    def rank(self) -> int:
        return len(self.root)

    def apply(self, normals: FloatArray) -> FloatArray:
        return np.asarray(normals[:, : self.root.shape[1]] @ self.root.T)

    def whiten(self, values: FloatArray) -> FloatArray:
        return _least(self.root, values)


@dataclass(frozen=True, eq=False)
class GridCovariance:
    """The covariance K of `kernel` over the N points of a domain, best of a grid.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import Matern
    >>> GridCovariance(Matern(2.5, 0.2), Grid(2, 1.0, 3)).row(4)[4]
    np.float64(1.0)
    """

    kernel: Kernel
    grid: Domain

    @property
    def is_separable(self) -> bool:
        """Whether K = K_1 ⊗ … ⊗ K_1 over the axes: the squared exponential on a grid."""
        gaussian = self._grid_kernel.kernel.gaussian_lengthscale is not None
        return gaussian and self.grid.is_cube

    @cached_property
    def _grid_kernel(self) -> FiniteKernel:
        return self.grid.restricted(self.kernel)

    def row(self, index: int) -> FloatArray:
        """(N,) covariances of the point `index` with every point. O(N)."""
        return self._grid_kernel.column(index)

    def block(self, indices: NDArray[np.int64]) -> FloatArray:
        """(m, m) covariances among the points `indices`."""
        return self._grid_kernel.gram(indices, indices)

    def factor(self) -> Factor:
        """A factor of K: Kronecker for the squared exponential, otherwise Cholesky by reflection.

        The squared exponential keeps what `spectral_root` does of each axis. A block that is nearly
        singular falls back on pivoted Cholesky, whose residual variance is below 1e-12. O(q³), or
        O(N³/4^d); O(N³) for points that are no cube.

        Raises NumericalFailure if K is not positive semidefinite within rounding.
        """
        dimension = self.grid.dimension
        if self.is_separable:
            return KroneckerFactor((self.axis_factor(),) * dimension)
        if not self.grid.is_cube:
            everything = np.arange(self.grid.size)
            return DenseFactor.of(self.block(everything))
        q, _ = self.grid.cube()
        # Covariances with the corner are those by index differences along every axis.
        return ReflectionFactor.of_table(self.row(0).reshape((q,) * dimension))

    def axis_factor(self) -> FloatArray:
        """B (q, r) with B Bᵀ = the kernel's Gram matrix along one axis; r is its rank."""
        axes = self.grid.axes
        assert axes is not None and self.grid.is_cube
        return spectral_root(self.kernel.gram(axes[0][:, None]))


def space_factor(problem: Problem) -> Factor:
    """A factor of the covariance of f in space over the problem's domain."""
    return GridCovariance(problem.space_kernel, problem.domain).factor()


def singular(noise_variance: float) -> NumericalFailure:
    """What is raised where K̃ + σ²I has no Cholesky factor in doubles."""
    return NumericalFailure(
        f"noise-variance = {noise_variance:g}: K + σ²I is singular to working precision for points "
        "this close in space and time; shorten the lengthscale or give a larger one"
    )


def _parities(dimension: int) -> list[tuple[int, ...]]:
    """Even (0) or odd (1) under reflection, for each axis: the 2^d blocks in order."""
    return list(product((0, 1), repeat=dimension))


def _reflection_basis(q: int) -> FloatArray:
    """(q, q) orthonormal columns: ⌈q/2⌉ even vectors (e_i + e_{q−1−i})/√2, then the odd ones."""
    half = q // 2
    basis = np.zeros((q, q))
    for i in range(half):
        basis[i, i] = basis[q - 1 - i, i] = np.sqrt(0.5)
        basis[i, q - half + i] = np.sqrt(0.5)
        basis[q - 1 - i, q - half + i] = -np.sqrt(0.5)
    if q % 2:
        basis[half, half] = 1.0
    return basis


def _unfolded(tensor: FloatArray, axis: int) -> FloatArray:
    """From coefficients of the even, then the odd vectors along an axis to values there.

    The product with `_reflection_basis`, by additions: its columns are (e_i ± e_{q−1−i})/√2.
    """
    q = tensor.shape[axis]
    half, even = q // 2, (q + 1) // 2
    source = np.moveaxis(tensor, axis, 0)
    result = np.empty_like(tensor)
    target = np.moveaxis(result, axis, 0)
    np.add(source[:half], source[even:], out=target[:half])
    np.subtract(source[:half], source[even:], out=target[q - half :][::-1])
    if q % 2:
        target[half] = 0.0  # what memory held there may be a number that cannot be multiplied
    result *= np.sqrt(0.5)
    if q % 2:
        target[half] = source[half]
    return result


def _times_triangle(normals: FloatArray, lower: FloatArray) -> FloatArray:
    """normals @ lowerᵀ, at half the cost of the product of full matrices."""
    if not len(lower):
        return np.asarray(normals @ lower.T)
    # The transposes are in Fortran order already, so nothing but the result is copied.
    return np.asarray(linalg.blas.dtrmm(1.0, lower.T, normals.T, trans_a=1).T)


def _folded(table: FloatArray, parities: tuple[int, ...]) -> FloatArray:
    """The block of UᵀKU for one choice of parities; the only non-zero ones are diagonal."""
    d, q = table.ndim, len(table)
    folded = table
    for odd in parities:
        count = q // 2 if odd else (q + 1) // 2
        i = np.arange(count)
        near = np.abs(np.subtract.outer(i, i))
        far = q - 1 - np.add.outer(i, i)
        # The leading axis of differences becomes two trailing axes (row, column).
        part = folded[near] - folded[far] if odd else folded[near] + folded[far]
        if q % 2 and not odd:
            part[-1] *= np.sqrt(0.5)
            part[:, -1] *= np.sqrt(0.5)
        folded = np.moveaxis(part, (0, 1), (-2, -1))
    size = int(np.prod(folded.shape[::2]))
    rows, columns = tuple(range(0, 2 * d, 2)), tuple(range(1, 2 * d, 2))
    return np.ascontiguousarray(folded.transpose(rows + columns)).reshape(size, size)


def _least(root: FloatArray, values: FloatArray) -> FloatArray:
    """The least z with A z = `values`, A being `root` (M, r) and columns of zeros."""
    nearest = np.zeros_like(values)
    nearest[: root.shape[1]] = np.linalg.lstsq(root, values, rcond=None)[0]
    return nearest


def _lower_root(gram: FloatArray) -> FloatArray | None:
    """The Cholesky factor; None where rounding leaves none, or one that hangs on it."""
    try:
        lower = np.asarray(np.linalg.cholesky(gram), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    size = float(np.max(np.sum(np.abs(gram), axis=0)))
    return lower if lapack.dpocon(lower.T, size)[0] >= _LEAST_CONDITION else None


def _root(gram: FloatArray) -> FloatArray:
    """(m, r) with A Aᵀ = the given matrix, up to a residual variance of 1e-12."""
    if not len(gram):
        return gram
    lower = _lower_root(gram)
    if lower is not None:
        return lower
    shares = 1.0 - _TIE * np.arange(len(gram)) / len(gram)
    scaled = gram * np.multiply.outer(shares, shares)
    factor, pivots, rank, _ = lapack.dpstrf(scaled, lower=1, tol=1e-12)
    matrix = np.empty((len(gram), rank))
    matrix[pivots - 1] = np.tril(factor)[:, :rank]
    matrix /= shares[:, None]
    # Of a matrix that is not positive semidefinite more is left of other rows than their pivots.
    rest = pivots[rank:] - 1
    left = np.abs(gram[np.ix_(rest, rest)] - matrix[rest] @ matrix[rest].T)
    if not left.max(initial=0.0) <= _INDEFINITE * max(1.0, gram.max()):
        raise NumericalFailure("a covariance is not positive semidefinite within rounding")
    return matrix
