"""Observation noise whose rows are not alike: variances of their own, or correlated errors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput

_SYMMETRIC = 1e-9


@dataclass(frozen=True, eq=False)
class NoiseMatrix:
    """N of errors e ~ N(0, σ²N) of n observations, drawn apart from f and from the points.

    σ² is the noise variance of the problem, or the one that is fitted; without such a matrix N is
    the identity. Only the covariance of the observations changes, to K̃ + σ²N: a posterior given all
    data, its evidence and the rank of its draws ask no more of the noise than its law
    (docs/theory.md#theorem-h). Bounds from before a run are for independent noise.

    Attributes
    ----------
    matrix : (n, n), symmetric and positive definite

    >>> NoiseMatrix.of([1.0, 4.0]).matrix.tolist()
    [[1.0, 0.0], [0.0, 4.0]]
    """

    matrix: FloatArray

    @classmethod
    def of(cls, given: ArrayLike) -> NoiseMatrix:
        """From (n,) variances of independent errors or an (n, n) covariance, in units of σ².

        Raises InvalidInput for what is not finite, not symmetric or not positive definite.
        """
        found = np.asarray(given, dtype=float)
        if found.ndim not in (1, 2) or found.shape[0] != found.shape[-1] or not found.size:
            raise InvalidInput("noise", f"shape {found.shape}", "give (n,) variances or (n, n)")
        if not np.all(np.isfinite(found)):
            raise InvalidInput("noise", "not finite", "give finite variances")
        variances = found if found.ndim == 1 else np.diagonal(found)
        if not np.all(variances > 0.0):
            row = int(np.argmin(variances > 0.0))
            value = f"{variances[row]:g}"
            raise InvalidInput(f"noise of row {row + 1}", value, "give a positive variance")
        matrix = np.diag(found) if found.ndim == 1 else found
        size = np.sqrt(np.outer(variances, variances))
        if np.any(np.abs(matrix - matrix.T) > _SYMMETRIC * size):
            raise InvalidInput("noise", "not symmetric", "give a covariance matrix")
        noise = cls(0.5 * (matrix + matrix.T))
        try:
            positive = noise.least > 0.0 and np.all(np.isfinite(noise.root))
        except linalg.LinAlgError:
            positive = False
        if not positive:
            remedy = "no error may follow from the others: add some of its own to each"
            raise InvalidInput("noise", "not positive definite", remedy)
        return noise

    @property
    def n(self) -> int:
        """Observations."""
        return len(self.matrix)

    @cached_property
    def root(self) -> FloatArray:
        """(n, n) lower triangular, its product with its transpose is N."""
        return np.asarray(linalg.cholesky(self.matrix, lower=True))

    @cached_property
    def least(self) -> float:
        """The least eigenvalue of N."""
        return float(linalg.eigvalsh(self.matrix, subset_by_index=[0, 0])[0])

    def draw(self, normals: FloatArray) -> FloatArray:
        """(…, n) errors in units of σ, from independent standard normals (…, n)."""
        return np.asarray(normals @ self.root.T)

    def beside(self, more: int) -> FloatArray:
        """(n + more, n + more) N and, behind it, independent errors of its average variance."""
        average = float(np.mean(np.diagonal(self.matrix)))
        return np.asarray(linalg.block_diag(self.matrix, average * np.eye(more)))
