"""Mean and scale of y in closed form: y = m + s·g, g ~ N(0, A), under a normal–inverse-gamma prior.

With m | s² ~ N(m_0, v_0 s²) and s² ~ InverseGamma(a_0, b_0), both proper, the evidence of y is a
Student density and the posterior of (m, s²) is normal–inverse-gamma again. All of it follows from
the Cholesky factor of A alone, row by row: the first i rows give what the first i observations say.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, pi

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput


@dataclass(frozen=True)
class MeanAndScale:
    """The prior of m and s.

    Parameters
    ----------
    center : m_0, in units of y
    spread : v_0 ≥ 0, variance of m in units of s²
    shape : a_0 > 0
    scale : b_0 > 0, in units of y²; the prior median of s² is about b_0/a_0
    """

    center: float
    spread: float
    shape: float
    scale: float

    def __post_init__(self) -> None:
        if not isfinite(self.center):
            raise InvalidInput("hyperprior mean", self.center, "give a finite number")
        if not (isfinite(self.spread) and self.spread >= 0):
            raise InvalidInput("hyperprior spread", self.spread, "give a number >= 0")
        for name in ("shape", "scale"):
            value = getattr(self, name)
            if not (isfinite(value) and value > 0):
                raise InvalidInput(f"hyperprior {name}", value, "give a positive number")

    @classmethod
    def around(cls, values: FloatArray) -> MeanAndScale:
        """Centred at the average of y, with its variance as the scale: two numbers of the data.

        Raises InvalidInput where y never changes.
        """
        variance = float(np.var(values))
        if not variance > 1e-24 * float(np.max(np.abs(values))) ** 2:
            if np.ptp(values) == 0.0:
                remedy = "a constant says nothing: name another by --y"
                raise InvalidInput("y", "the same in every row", remedy)
            shown = f"{float(np.mean(values)):.6g} up to {float(np.ptp(values)):.3g}"
            raise InvalidInput("y", shown, "its changes are lost in doubles: shift or scale it")
        return cls(float(np.mean(values)), 4.0, 1.0, variance)

    def log_evidence(
        self, factor: FloatArray, ones: FloatArray, whitened: FloatArray
    ) -> FloatArray:
        """(…) log density of y, from (…, n) diagonals of L, L⁻¹1 and L⁻¹(y − m_0), A = LLᵀ."""
        n = factor.shape[-1]
        precision = 1.0 + self.spread * np.sum(ones**2, axis=-1)
        square = np.sum(whitened**2, axis=-1)
        square -= self.spread * np.sum(ones * whitened, axis=-1) ** 2 / precision
        degrees = self.shape + 0.5 * n
        constant = special.gammaln(degrees) - special.gammaln(self.shape)
        constant -= 0.5 * n * np.log(2.0 * pi)
        log_determinant = 2.0 * np.sum(np.log(factor), axis=-1) + np.log(precision)
        return np.asarray(
            constant
            + self.shape * np.log(self.scale)
            - 0.5 * log_determinant
            - degrees * np.log(self.scale + 0.5 * square)
        )

    def posterior(self, ones: FloatArray, whitened: FloatArray) -> Posterior:
        """The law of (m, s²) given y, from the same (…, n) rows."""
        total = np.sum(ones**2, axis=-1)
        cross = np.sum(ones * whitened, axis=-1)
        precision = 1.0 + self.spread * total
        square = np.sum(whitened**2, axis=-1) - self.spread * cross**2 / precision
        return Posterior(
            center=np.asarray(self.center + self.spread * cross / precision),
            spread=np.asarray(self.spread / precision),
            shape=np.full(np.shape(total), self.shape + 0.5 * ones.shape[-1]),
            scale=np.asarray(self.scale + 0.5 * square),
        )

    def one_step_ahead(
        self, ones: FloatArray, whitened: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """(…, n) t_i and degrees of freedom: y_i given the rows before is Student at t_i.

        Under this prior t_i is Student with that many degrees of freedom, and so independent of the
        past that its distribution function is uniform.
        """

        def before(terms: FloatArray) -> FloatArray:
            return np.asarray(np.cumsum(terms, axis=-1) - terms)

        precision = 1.0 + self.spread * before(ones**2)
        cross = before(ones * whitened)
        square = before(whitened**2) - self.spread * cross**2 / precision
        shape = self.shape + 0.5 * np.arange(ones.shape[-1])
        error = whitened - self.spread * cross / precision * ones
        variance = 1.0 + self.spread * ones**2 / precision
        scale = (self.scale + 0.5 * square) / shape
        degrees = np.broadcast_to(2.0 * shape, error.shape)
        return np.asarray(error / np.sqrt(variance * scale)), np.asarray(degrees)


@dataclass(frozen=True, eq=False)
class Posterior:
    """m | s² ~ N(center, spread·s²), s² ~ InverseGamma(shape, scale); arrays of one shape."""

    center: FloatArray
    spread: FloatArray
    shape: FloatArray
    scale: FloatArray

    @classmethod
    def of_rows(cls, rows: FloatArray) -> Posterior:
        """From the (N, 4) numbers of `rows`."""
        return cls(*(np.ascontiguousarray(column) for column in rows.T))

    @property
    def rows(self) -> FloatArray:
        """(N, 4) centre, spread, shape and scale of every member."""
        return np.stack([self.center, self.spread, self.shape, self.scale], axis=1)

    def draw(self, index: int, rng: np.random.Generator) -> tuple[float, float]:
        """m and s of one member."""
        variance = float(self.scale[index] / rng.gamma(float(self.shape[index])))
        center = float(self.center[index])
        mean = center + float(np.sqrt(self.spread[index] * variance)) * rng.standard_normal()
        return mean, float(np.sqrt(variance))
