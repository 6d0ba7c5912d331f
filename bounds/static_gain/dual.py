"""Rank-aware dual certificates: straight lines in n that lie above γ_n (Lemma R).

docs/theory.md#lemma-r has the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log1p

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.domain import FiniteKernel
from bounds.errors import InvalidInput

_UNIT = 2.0**-53
_KERNEL_ULPS = 32.0  # allowance for the rounding of one kernel value, in units of 2^-53


@dataclass(frozen=True, eq=False)
class GainCertificate:
    """γ_n ≤ intercept + slope·n for every n ≥ rank, over the points of a grid.

    Attributes
    ----------
    points : (P,) grid indices of z_1..z_P
    factors : one R_e (P, k_e) for each parity e of the grid kernel
    alpha : α ≥ 1
    supremum : V, an upper bound on v over the grid
    noise_variance : σ²
    intercept, slope : of the line, in nats
    margin : part of intercept and of n·slope (per round) that only allows for rounding
    certified : True only for outward rounded arithmetic; floating point is never certified
    """

    points: IntArray
    factors: tuple[FloatArray, ...]
    alpha: float
    supremum: float
    noise_variance: float
    intercept: float
    slope: float
    margin: tuple[float, float]
    certified: bool = False

    @property
    def rank(self) -> int:
        """k = Σ_e k_e; the line is a bound for n ≥ k only."""
        return sum(factor.shape[1] for factor in self.factors)

    def bound(self, n: int) -> float:
        """The upper bound on γ_n that the certificate proves; raises InvalidInput for n < rank."""
        if n < self.rank:
            raise InvalidInput("n", n, f"this certificate is a bound for n >= {self.rank}")
        return self.intercept + self.slope * n


def certify(
    grid_kernel: FiniteKernel,
    points: IntArray,
    factors: tuple[FloatArray, ...],
    alpha: float,
    noise_variance: float,
) -> GainCertificate:
    """Evaluate the certificate (z, R, α) from its definition, with V the maximum over the grid.

    With k = Σ_e k_e the kernel split into parities, H_e = R_eᵀ K_e(z,z) R_e, b_e(x) = R_eᵀ k_e(z,x)
    and v(x) = k(x,x) − Σ_e b_e(x)ᵀ(αI+H_e)⁻¹b_e(x), V = max v:

    2γ_n ≤ Σ_e [log det(αI+H_e) + tr(αI+H_e)⁻¹ − k_e] + (n−k)ψ(α) + (n/(σ²α))·V,

    ψ(a) = log a + 1/a − 1. A kernel that is not split, as on `Points`, is the plain case.

    Parameters
    ----------
    points : (P,) grid indices of z (any; repeats allowed)
    factors : for each parity a (P, k_e) matrix; k_e = 0 for none
    alpha : float ≥ 1
    noise_variance : float > 0

    First-order bounds on the rounding of H, of its Cholesky factor and of v are added (`margin`),
    so that cancellation makes the bound worse and not wrong; that is no enclosure.
    Cost O(P²k + N₀Pk) for each parity, N₀ = N/|G| points.

    Without points the certificate at α = 1 + 1/σ² is the cap (n/2) log(1+1/σ²):

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> grid_kernel = Grid(1, 1.0, 5).restricted(SquaredExponential(0.2))
    >>> none = np.zeros(0, dtype=np.int64)
    >>> certify(grid_kernel, none, (np.zeros((0, 0)),) * 2, 101.0, 0.01).bound(2).__round__(9)
    4.615120517
    """
    if not alpha >= 1.0:
        raise InvalidInput("alpha", alpha, "give a number of at least 1")
    if len(factors) != len(grid_kernel.reflections) or any(len(f) != len(points) for f in factors):
        raise InvalidInput(
            "factors",
            [f.shape for f in factors],
            f"give {len(grid_kernel.reflections)} matrices with {len(points)} rows",
        )
    orthant = grid_kernel.orthant
    log_terms, log_margin = 0.0, 0.0
    residual = np.ones(len(orthant))
    residual_margin = np.full(len(orthant), _KERNEL_ULPS * _UNIT)
    grams = grid_kernel.parity_grams(points, points)
    cross = grid_kernel.parity_grams(points, orthant)
    for R, K, k_zx in zip(factors, grams, cross, strict=True):
        count, k = R.shape
        if k == 0:
            continue
        size = np.abs(R)
        H = R.T @ (K @ R)
        A = 0.5 * (H + H.T)
        A[np.diag_indices(k)] += alpha
        root_diagonal = np.sqrt(np.abs(np.diagonal(A)))
        error = (2 * count + _KERNEL_ULPS) * _UNIT * (size.T @ (np.abs(K) @ size))
        error += (k + 4) * _UNIT * np.outer(root_diagonal, root_diagonal)
        factor = linalg.cholesky(A, lower=True)
        inverse = linalg.cho_solve((factor, True), np.eye(k))
        log_terms += 2.0 * float(np.log(np.diagonal(factor)).sum()) + float(np.trace(inverse)) - k
        log_margin += 2.0 * float(np.sum(np.abs(inverse) * error))
        b = R.T @ k_zx
        y = inverse @ b
        residual -= np.einsum("ix,ix->x", b, y)
        b_error = (count + _KERNEL_ULPS) * _UNIT * (size.T @ np.abs(k_zx))
        size_y = np.abs(y)
        residual_margin += 2.0 * np.einsum("ix,ix->x", size_y, b_error)
        residual_margin += np.einsum("ix,ix->x", size_y, error @ size_y)
        residual_margin += (k + 2) * _UNIT
    worst = int(np.argmax(residual + residual_margin))
    supremum = max(0.0, float(residual[worst] + residual_margin[worst]))
    rank = sum(factor.shape[1] for factor in factors)
    excess = alpha - 1.0
    psi = log1p(excess) - excess / alpha
    intercept = 0.5 * (log_terms + log_margin - rank * psi)
    slope = 0.5 * (psi + supremum / (noise_variance * alpha))
    margin = (0.5 * log_margin, 0.5 * float(residual_margin[worst]) / (noise_variance * alpha))
    return GainCertificate(
        points, factors, alpha, supremum, noise_variance, intercept, slope, margin
    )
