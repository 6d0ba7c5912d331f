"""The evidence of a log under a candidate prior, m and s integrated: many at once, or with slopes.

A candidate has the covariance s²·A of y, A = (K_space + c)∘J + σ²N: a kernel of the inputs with one
lengthscale each, a level of variance c common to all points, J the forgetting kernel in real time,
N the identity unless the log says otherwise (`bounds.noise`).
The points count as if they had been fixed in advance, whatever chose them
(docs/theory.md#theorem-h).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log, sqrt

import numpy as np
from scipy.linalg import lapack

from bounds.arrays import FloatArray
from bounds.errors import NumericalFailure
from bounds.noise import NoiseOfRows
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.shapes import SHAPES

_BATCH_BYTES = 2**25


@dataclass(frozen=True)
class Member:
    """One prior but for m and s.

    kernel : name of a shape
    rate : θ ≥ 0 of J = exp(−θ|τ−τ'|), per unit of time; 0 is no drift
    lengthscales : (d,) ℓ_i in shares of the axes
    noise_variance : σ² in units of s²
    level : c ≥ 0 in units of s²
    """

    kernel: str
    rate: float
    lengthscales: tuple[float, ...]
    noise_variance: float
    level: float = 0.0

    @property
    def half_life(self) -> float:
        """Time after which J is ½; infinite without drift."""
        return log(2.0) / self.rate if self.rate > 0 else float("inf")

    def between(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """(m, n) k(x, x') between points (m, d) and (n, d), drift and level apart."""
        squared = np.zeros((len(left), len(right)))
        for axis, scale in enumerate(self.lengthscales):
            squared += np.subtract.outer(left[:, axis] / scale, right[:, axis] / scale) ** 2
        return SHAPES[self.kernel].value(squared)

    def observed(
        self, points: FloatArray, times: FloatArray, noise: FloatArray | None = None
    ) -> FloatArray:
        """(n, n) A of observations at these points and times; `noise` (n, n) is N."""
        decay = np.exp(-self.rate * np.abs(np.subtract.outer(times, times)))
        gram = (self.between(points, points) + self.level) * decay
        if noise is None:
            gram[np.diag_indices(len(points))] += self.noise_variance
        else:
            gram += self.noise_variance * noise
        return np.asarray(gram)


@dataclass(frozen=True, eq=False)
class Batch:
    """What the Cholesky factors of many candidates say of the data.

    diagonal : (B, n) of L; ones, whitened : (B, n) L⁻¹1 and L⁻¹(y − m_0)
    """

    diagonal: FloatArray
    ones: FloatArray
    whitened: FloatArray


@dataclass(frozen=True, eq=False)
class Data:
    """Points (n, d) in the unit cube, times (n,) and values (n,); N where it is no identity."""

    points: FloatArray
    times: FloatArray
    values: FloatArray
    noise: NoiseOfRows | None = None

    @property
    def n(self) -> int:
        return len(self.values)

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of the pairs i > j."""
        return np.tril_indices(self.n, -1)

    @cached_property
    def squares(self) -> FloatArray:
        """(d, pairs) (x_i − x_j)² along each axis."""
        rows, columns = self.pairs
        return np.ascontiguousarray((self.points[rows] - self.points[columns]).T ** 2)

    @cached_property
    def gaps(self) -> FloatArray:
        """(pairs,) |τ_i − τ_j|."""
        rows, columns = self.pairs
        return np.asarray(np.abs(self.times[rows] - self.times[columns]))

    @cached_property
    def _noise(self) -> tuple[FloatArray, FloatArray | float, float]:
        """The diagonal of N, its pairs, and its least eigenvalue."""
        if self.noise is None:
            return np.ones(self.n), 0.0, 1.0
        matrix = self.noise.matrix
        return np.diagonal(matrix), matrix[self.pairs], self.noise.least

    def factored(self, members: Sequence[Member], center: float) -> Batch:
        """Cholesky factors for members of any kernels. O(B n³), in batches of bounded memory.

        Raises NumericalFailure where a covariance is singular in floating point.
        """
        n = self.n
        diagonal, ones, whitened = (np.empty((len(members), n)) for _ in range(3))
        most = max(1, _BATCH_BYTES // (8 * (n + 2) ** 2))
        for kernel in {member.kernel for member in members}:
            chosen = [i for i, member in enumerate(members) if member.kernel == kernel]
            for start in range(0, len(chosen), most):
                part = chosen[start : start + most]
                rows = self._factored(kernel, [members[i] for i in part], center)
                diagonal[part], ones[part], whitened[part] = rows
        return Batch(diagonal, ones, whitened)

    def _factored(
        self, kernel: str, members: Sequence[Member], center: float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        n, count = self.n, len(members)
        level = np.array([member.level for member in members])[:, None]
        noise = np.array([member.noise_variance for member in members])[:, None]
        rate = np.array([member.rate for member in members])
        inverse = np.array([member.lengthscales for member in members]) ** -2.0
        values = SHAPES[kernel].value(inverse @ self.squares)
        values += level
        drifting = np.flatnonzero(rate)
        if len(drifting):
            values[drifting] *= np.exp(np.multiply.outer(-rate[drifting], self.gaps))
        own, shared, least = self._noise
        if self.noise is not None:
            values += noise * shared
        # Two more rows, 1 and y, become L⁻¹1 and L⁻¹y: corners above xᵀA⁻¹x ≤ |x|²/(σ²·least)
        # keep it positive definite.
        residual = self.values - center
        gram = np.zeros((count, n + 2, n + 2))
        rows, columns = self.pairs
        gram[:, rows, columns] = values
        every = np.arange(n)
        gram[:, every, every] = 1.0 + level + noise * own
        gram[:, n, :n] = 1.0
        gram[:, n + 1, :n] = residual
        total = float(residual @ residual)
        gram[:, n, n] = 2.0 * n / (least * noise[:, 0]) + 1.0
        gram[:, n + 1, n + 1] = 2.0 * total / (least * noise[:, 0]) + 1.0
        try:
            lower = np.linalg.cholesky(gram)
        except np.linalg.LinAlgError:
            raise NumericalFailure(
                "the covariance of a candidate is singular to working precision: "
                "give a hyperprior with more noise"
            ) from None
        found = np.asarray(lower, dtype=np.float64)
        return found[:, every, every], found[:, n, :n], found[:, n + 1, :n]

    def log_evidence(self, members: Sequence[Member], prior: MeanAndScale) -> FloatArray:
        """(B,) log p(y | member), m and s integrated under `prior`."""
        return self.judged(members, prior)[0]

    def judged(
        self, members: Sequence[Member], prior: MeanAndScale
    ) -> tuple[FloatArray, Posterior]:
        """That, and the law of m and s given the data and each member.

        Many small factorisations: callers hold BLAS to one thread, which is up to forty times
        faster than several that wait for each other.
        """
        batch = self.factored(members, prior.center)
        evidence = prior.log_evidence(batch.diagonal, batch.ones, batch.whitened)
        return evidence, prior.posterior(batch.ones, batch.whitened)

    def log_evidence_and_slopes(
        self, member: Member, prior: MeanAndScale
    ) -> tuple[float, FloatArray]:
        """log p(y | member) and its slopes in log ℓ_1, …, log ℓ_d, log σ², log half-life, log c.

        −∞ and zeros where the covariance is singular. O(n³).
        """
        n, shape = self.n, SHAPES[member.kernel]
        inverse = np.asarray(member.lengthscales) ** -2.0
        space, slope = shape.value_and_slope(inverse @ self.squares)
        decay = np.exp(-member.rate * self.gaps) if member.rate else 1.0
        both = (space + member.level) * decay
        rows, columns = self.pairs
        gram = np.empty((n, n), order="F")
        own, shared, _ = self._noise
        gram[rows, columns] = both + member.noise_variance * shared + prior.spread
        every = np.arange(n)
        gram[every, every] = 1.0 + member.level + member.noise_variance * own + prior.spread
        lower, failed = lapack.dpotrf(gram, lower=1, overwrite_a=1, clean=0)
        if failed:
            return float("-inf"), np.zeros(len(member.lengthscales) + 3)
        residual = self.values - prior.center
        alpha, _ = lapack.dpotrs(lower, residual, lower=1)
        square = float(residual @ alpha)
        # With the mean inside the covariance, the plain Student density of zero mean.
        flat = MeanAndScale(0.0, 0.0, prior.shape, prior.scale)
        diagonal = np.ascontiguousarray(lower[every, every])
        rest = np.zeros(n)
        rest[0] = sqrt(square)
        value = float(flat.log_evidence(diagonal, np.zeros(n), rest))
        turned, _ = lapack.dpotri(lower, lower=1, overwrite_c=1)
        tilt = (prior.shape + 0.5 * n) / (prior.scale + 0.5 * square)
        weights = tilt * alpha[rows] * alpha[columns] - turned[rows, columns]
        diagonal_weights = 0.5 * (tilt * alpha**2 - np.diagonal(turned))
        on_diagonal = float(np.sum(diagonal_weights))
        weighted = weights * decay
        by_length = inverse * (self.squares @ (weighted * slope))
        by_noise = member.noise_variance * float(diagonal_weights @ own + np.sum(weights * shared))
        by_half_life = member.rate * float(weights @ (both * self.gaps))
        by_level = member.level * (on_diagonal + float(np.sum(weighted)))
        return value, np.array([*by_length, by_noise, by_half_life, by_level])
