"""Published upper bounds on γ_n, the gain of an objective that stands still, on grids and boxes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import e, exp, inf, isfinite, log, log1p

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from bounds.arrays import FloatArray
from bounds.domain import Domain
from bounds.kernels import Kernel
from bounds.partitions.equal_blocks import block_lengths
from bounds.problem import Problem

LARGEST_ORTHANT = 2_000
"""Points of one orthant of the grid beyond which its spectrum is not computed."""


@dataclass(frozen=True, eq=False)
class GridSpectrum:
    """Eigenvalues of the Gram matrix of a grid, and what is left of k(x,x) without the largest.

    Attributes
    ----------
    values : (N,) λ̂_1 ≥ λ̂_2 ≥ … ≥ 0, of the N × N matrix; their sum is N
    tails : (N+1,) tails[m] = max_x Σ_{i>m} λ̂_i v_i(x)², tails[0] = 1, v_i orthonormal
    """

    values: FloatArray
    tails: FloatArray


def grid_spectrum(kernel: Kernel, grid: Domain) -> GridSpectrum | None:
    """The spectrum of the kernel on the grid; None where an orthant is too large for it.

    The reflections of the grid split the matrix into 2^d blocks over one orthant (`grid_kernel`).
    O((N/2^d)³) for each.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> float(grid_spectrum(SquaredExponential(0.2), Grid(1, 1.0, 5)).values.sum().round(12))
    5.0
    """
    grid_kernel = grid.restricted(kernel)
    orthant = grid_kernel.orthant
    if len(orthant) > LARGEST_ORTHANT:
        return None
    # A function of given parity is known from its values on the orthant, each counted as often as
    # its orbit has points.
    root = np.sqrt(grid_kernel.orbit_sizes.astype(float))
    values, squares = [], []
    for gram in grid_kernel.parity_grams(orthant, orthant):
        eigenvalues, vectors = np.linalg.eigh(root[:, None] * gram * root)
        values.append(np.maximum(eigenvalues, 0.0))
        squares.append((vectors / root[:, None]) ** 2)
    unordered = np.concatenate(values)
    order = np.argsort(unordered)[::-1]
    # Parities that vanish on mirror points bring eigenvalues 0 that the grid does not have.
    order = order[: grid.size]
    ordered = unordered[order]
    weighted = np.concatenate(squares, axis=1)[:, order] * ordered
    tails = np.cumsum(weighted[:, ::-1], axis=1)[:, ::-1].max(axis=0)
    return GridSpectrum(ordered, np.append(tails, 0.0))


def greedy_gain_upper(greedy: float) -> float:
    """e/(e−1) times the gain of n greedy rounds (Srinivas et al. 2010; submodularity).

    Also right for any design that gains at least as much as the greedy one.
    """
    return greedy * e / (e - 1.0)


def spectral_gain_upper(spectrum: GridSpectrum, noise_variance: float, n: int) -> float:
    """½(1−1/e)⁻¹ max_{Σm_t = n} Σ_t log(1 + s m_t λ̂_t) (Srinivas et al. 2010, finite domain).

    As printed; `allocated_gain_upper` is the same without its factor.
    """
    return allocated_gain_upper(spectrum, noise_variance, n) / (1.0 - 1.0 / e)


def allocated_gain_upper(spectrum: GridSpectrum, noise_variance: float, n: int) -> float:
    """½ max_{Σm_t = n} Σ_t log(1 + s m_t λ̂_t): the spectral bound without the factor e/(e−1).

    The maximum over real m_t ≥ 0 is by water filling; it is at least that over whole numbers. With
    the level 1/μ and a_t = max(1, λ̂_t/μ), the tangent of log det at Σ_t a_t v_tv_tᵀ bounds twice
    the gain of any n points by Σ(log a_t + 1/a_t − 1) + sμn, since λ̂_t/a_t ≤ μ; that is this
    maximum. O(N).

    >>> allocated_gain_upper(GridSpectrum(np.ones(2), np.array([1.0, 1.0, 0.0])), 1.0, 2)
    0.6931471805599453
    """
    inverse = noise_variance / spectrum.values[spectrum.values > 0]
    count = np.arange(1, len(inverse) + 1)
    levels = (n + np.cumsum(inverse)) / count
    # The level rises above the next inverse eigenvalue until all that take part do.
    active = int(np.flatnonzero(levels > inverse)[-1]) + 1
    return 0.5 * float(np.sum(np.log(levels[active - 1] / inverse[:active])))


def vakili_gain_upper(spectrum: GridSpectrum, noise_variance: float, n: int) -> float:
    """min over m of (m/2) log(1 + n/(σ²m)) + nδ_m/(2σ²), δ_m = tails[m].

    Theorem 3 of Vakili et al. 2021 has δ_m = ψ²Σ_{i>m}λ_i for eigenfunctions bounded by ψ, an
    assumption; on the grid the remainder of k(x,x) is computed instead, and nothing is assumed.
    """
    m = np.arange(1, len(spectrum.values) + 1)
    head = 0.5 * m * np.log1p(n / (noise_variance * m))
    values = head + 0.5 * n / noise_variance * spectrum.tails[1:]
    return float(min(0.5 * n / noise_variance, values.min()))


_LONGEST_SUM = 1e8
_LEAST_BALL = 1e-6
_LARGEST_EXPONENT = 600.0
_TRACE = 1e-9


def iwazaki_gain_upper(
    lengthscale: float, dimension: int, radius: float, noise_variance: float, n: int
) -> float:
    """½ Σ_m N_m log(1 + nλ_m/(σ²|S^d|)), squared exponential on a ball (Iwazaki 2025).

    The ball of `radius` in ℝ^d is lifted to the sphere of the same radius in ℝ^{d+1}, where points
    lie no closer; N_m spherical harmonics of degree m have the eigenvalue
    λ_m/|S^d| = Γ((d+1)/2)·(2/z)^{(d−1)/2}·e^{−z}I_{m+(d−1)/2}(z), z = (radius/ℓ)². On the whole
    continuum; a tiny ball lies in that of z = 10⁻⁶. The sum stops where the rest, at most the last
    term, is below rounding; it takes some 9√z terms. Beyond z = 10⁸, and in so many dimensions
    that N_m or λ_m leaves the doubles, it is replaced by what it cannot exceed, n/(2σ²), since
    log(1+x) ≤ x and Σ N_m λ_m/|S^d| = 1.
    """
    return float(iwazaki_gains_upper(lengthscale, dimension, radius, noise_variance, [n])[0])


def iwazaki_gains_upper(
    lengthscale: float, dimension: int, radius: float, noise_variance: float, rounds: ArrayLike
) -> FloatArray:
    """`iwazaki_gain_upper` for several n at once: O(√z) for each, as z is the same for all."""
    observed = np.asarray(rounds, dtype=float) / noise_variance
    z = max((radius / lengthscale) ** 2, _LEAST_BALL)
    spectrum = _sphere_spectrum(z, dimension, float(observed.max())) if z <= _LONGEST_SUM else None
    if spectrum is None:
        return np.asarray(0.5 * observed)
    counts, shares = spectrum
    return np.array([0.5 * np.sum(counts * np.log1p(x * shares)) for x in observed])


def box_gains(problem: Problem) -> FloatArray | None:
    """Upper bounds on γ_0..γ_n of the whole box; None for kernels other than squared exponential.

    The smaller of Iwazaki's bound on the ball around the box and of ½m log(1+1/σ²). Computed for
    the lengths of `block_lengths`; between two of them γ_m is at most that of the longer one.
    """
    kernel, domain, n = problem.space_kernel, problem.domain, problem.n
    if kernel.gaussian_lengthscale is None:
        return None
    lengths = block_lengths(n)
    sphere = iwazaki_gains_upper(
        kernel.gaussian_lengthscale,
        domain.dimension,
        domain.enclosing_radius,
        problem.noise_variance,
        lengths,
    )
    rounds = np.arange(n + 1)
    values = np.append(0.0, sphere[np.searchsorted(lengths, rounds[1:])])
    return np.asarray(np.minimum(values, rounds * problem.trivial_gain_per_round))


@lru_cache(maxsize=4)  # the curve of a box and the row of its last round ask for the same
def _sphere_spectrum(
    z: float, dimension: int, observed: float
) -> tuple[FloatArray, FloatArray] | None:
    """N_m and λ_m/|S^d| for m = 0, 1, … until the rest no longer counts for n/σ² ≤ `observed`.

    None where they are no doubles, which their trace shows.
    """
    order = 0.5 * (dimension - 1)
    log_scale = float(special.gammaln(order + 1.0)) + order * log(2.0 / z)
    if log_scale > _LARGEST_EXPONENT:
        return None
    scale = exp(log_scale)
    counts, shares = [], []
    total, trace, previous = 0.0, 0.0, inf
    m = 0
    while True:
        counts.append(_harmonics(dimension, m))
        shares.append(scale * float(special.ive(m + order, z)))
        term = counts[-1] * shares[-1] * observed
        total += counts[-1] * log1p(shares[-1] * observed)
        trace += counts[-1] * shares[-1]
        # Beyond m = z the terms fall faster than geometrically with ratio 1/2. For fewer rounds
        # the last one is smaller still beside the total, log being concave.
        if not isfinite(total) or (term <= 1e-17 * total and term <= 0.5 * previous):
            known = abs(trace - 1.0) <= _TRACE
            return (np.array(counts), np.array(shares)) if known else None
        previous = term
        m += 1


def _harmonics(dimension: int, degree: int) -> float:
    """The number of spherical harmonics of a degree on S^d."""
    if degree == 0:
        return 1.0
    choices = float(special.binom(degree + dimension - 2, degree - 1))
    return (2 * degree + dimension - 1) / degree * choices
