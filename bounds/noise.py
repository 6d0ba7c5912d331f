"""Observation noise as one noun: a level for all rows, a variance for each row, or a covariance.

Errors are normal, independent of f and of the points. Whatever the form, `least` is the least
eigenvalue of their covariance Σ. As Σ − least·I is positive semidefinite, observations with noise Σ
are those with noise of the level `least` plus independent errors, and tell no more: an upper bound
on the information gain at this level is one for the noise itself. A log gives its noise in units of
the problem's σ².
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure
from bounds.arithmetic import BALLS, DOUBLES
from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.formulas import gain_cap

if TYPE_CHECKING:
    from bounds.enclosure import Number

_SYMMETRIC = 1e-9

LEAST_VARIANCE = 1e-100
"""Below it, and above its inverse, products of 1/σ² and what it multiplies leave the doubles."""


class Noise(ABC):
    """The law N(0, Σ) of the errors of n observations, or of any number of them for a level.

    >>> Noise.of(0.01).least, Noise.of([1.0, 4.0]).matrix.tolist()
    (0.01, [[1.0, 0.0], [0.0, 4.0]])
    """

    @staticmethod
    def of(given: ArrayLike) -> Noise:
        """From one variance, (n,) variances of independent errors, or an (n, n) covariance.

        Raises InvalidInput for what is not finite, not symmetric or not positive definite.
        """
        array = np.asarray(given, dtype=float)
        return NoiseLevel(float(array)) if array.ndim == 0 else noise_of_rows(array)

    @property
    @abstractmethod
    def least(self) -> float:
        """The least eigenvalue of Σ."""

    @abstractmethod
    def covariance(self, n: int) -> FloatArray:
        """(n, n) Σ; InvalidInput where the noise is that of another number of rows."""

    @abstractmethod
    def draw(self, normals: FloatArray) -> FloatArray:
        """(…, n) errors from independent standard normals (…, n)."""

    @property
    def gain_cap(self) -> float:
        """½ log(1 + 1/σ²) at the level `least`: no observation of a unit variance gains more."""
        return float(gain_cap(DOUBLES, self.least))

    def enclosed_gain_cap(self) -> Number:
        """The same enclosed, as a ball, `least` taken as the exact number that the double is."""
        return gain_cap(BALLS, enclosure.exact_double(self.least))


@dataclass(frozen=True)
class NoiseLevel(Noise):
    """Independent errors of one variance σ², for any number of rows.

    Raises InvalidInput for a variance outside [1e-100, 1e100].

    >>> NoiseLevel(0.25).covariance(2).tolist()
    [[0.25, 0.0], [0.0, 0.25]]
    """

    variance: float

    def __post_init__(self) -> None:
        require_variance(self.variance)

    @property
    def least(self) -> float:
        return self.variance

    def covariance(self, n: int) -> FloatArray:
        return self.variance * np.eye(n)

    def draw(self, normals: FloatArray) -> FloatArray:
        return np.asarray(self.variance**0.5 * normals)

    def times(self, factor: float) -> NoiseLevel:
        """The noise of `factor` times the variance."""
        return NoiseLevel(factor * self.variance)


class NoiseOfRows(Noise):
    """Noise of a given number of rows, which is not the same in every one of them.

    Attributes
    ----------
    matrix : (n, n) Σ, symmetric and positive definite; `noise_of_rows` checks that it is
    """

    def __init__(self, matrix: FloatArray) -> None:
        self.matrix = matrix

    @property
    def n(self) -> int:
        """Observations."""
        return len(self.matrix)

    def covariance(self, n: int) -> FloatArray:
        if n != self.n:
            raise InvalidInput("noise", f"{self.n} rows", f"give {n}: one for each observation")
        return self.matrix

    @cached_property
    def root(self) -> FloatArray:
        """(n, n) lower triangular, its product with its transpose is Σ."""
        from scipy import linalg

        return np.asarray(linalg.cholesky(self.matrix, lower=True))

    @cached_property
    def least(self) -> float:
        from scipy import linalg

        return float(linalg.eigvalsh(self.matrix, subset_by_index=[0, 0])[0])

    def draw(self, normals: FloatArray) -> FloatArray:
        return np.asarray(normals @ self.root.T)

    def extended(self, more: int) -> FloatArray:
        """(n + more, n + more) Σ and, behind it, independent errors of its average variance."""
        average = float(np.mean(np.diagonal(self.matrix)))
        from scipy import linalg

        return np.asarray(linalg.block_diag(self.matrix, average * np.eye(more)))


def noise_of_rows(given: ArrayLike) -> NoiseOfRows:
    """Noise from (n,) variances of independent errors or an (n, n) covariance.

    What misses symmetry by rounding is evened out. Raises InvalidInput for what is not finite, not
    symmetric or not positive definite.

    >>> noise_of_rows([1.0, 4.0]).n
    2
    """
    array = np.asarray(given, dtype=float)
    if array.ndim not in (1, 2) or array.shape[0] != array.shape[-1] or not array.size:
        raise InvalidInput("noise", f"shape {array.shape}", "give (n,) variances or (n, n)")
    variances = array if array.ndim == 1 else np.diagonal(array)
    if not np.all(np.isfinite(array)):
        raise InvalidInput("noise", "not finite", "give finite variances")
    if not np.all(variances > 0.0):
        row = int(np.argmin(variances > 0.0))
        value = f"{variances[row]:g}"
        raise InvalidInput(f"noise of row {row + 1}", value, "give a positive variance")
    if array.ndim == 1:
        return NoiseOfRows(np.diag(variances))
    size = np.sqrt(np.outer(variances, variances))
    if np.any(np.abs(array - array.T) > _SYMMETRIC * size):
        raise InvalidInput("noise", "not symmetric", "give a covariance matrix")
    noise = NoiseOfRows(0.5 * (array + array.T))
    try:
        positive = noise.least > 0.0 and np.all(np.isfinite(noise.root))
    except np.linalg.LinAlgError:
        positive = False
    if not positive:
        remedy = "no error may follow from the others: add some of its own to each"
        raise InvalidInput("noise", "not positive definite", remedy)
    return noise


def require_variance(variance: float) -> None:
    """Raise InvalidInput for a variance that is no positive number, or leaves the doubles."""
    if not (isfinite(variance) and variance > 0):
        raise InvalidInput("noise-variance", variance, "give a positive number")
    if not LEAST_VARIANCE <= variance <= 1.0 / LEAST_VARIANCE:
        remedy = f"give a number from {LEAST_VARIANCE:g} to {1 / LEAST_VARIANCE:g}"
        raise InvalidInput("noise-variance", variance, remedy)
