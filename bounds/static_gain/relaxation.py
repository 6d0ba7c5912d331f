"""Designs as weights: the concave relaxation of the maximum gain, and the certificate it yields.

For weights w on the grid let l_i be the eigenvalues of snW^½KW^½ in falling order and, for the one
k with l_k > t ≥ l_{k+1}, t = Σ_{i>k} l_i/(n−k),

    Γ_n(w) = Σ_{i≤k} log(1+l_i) + (n−k) log(1+t).

Γ_n is concave, max Γ_n ≥ 2γ_n, and w with A = αI + …, α = 1+t, gives a certificate (Lemma R).
Nothing here needs to be exact: a certificate is evaluated afterwards from its own definition.

The features are those of a pivoted Cholesky factorisation by whole orbits of the grid's
reflections, one factor for each parity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.domain import FiniteKernel
from bounds.numerics.ties import first_largest

MOST_FEATURES = 2_600
"""Over all parities; beyond, the residual variance stays in the bound and makes it looser."""

_MOST_WORK = 1e10
"""|G| N₀ P² up to which features are sought; beyond, the residual variance stays as well."""

_SMALLEST_PIVOT = 1e-13
# Variance left out of the features: in units of σ²/n, and of the kernel's own variance.
_FINE, _COARSE = 0.5, 12.0
_LARGEST_RESIDUAL = 0.01
_FEW_PIVOTS = 48
_TOLERANCE, _CLOSE_TOLERANCE = 0.001, 0.0005
_CLOSE_CYCLES = 16
_MANY_FEATURES = 1_000  # over all parities; one cycle of steps instead of two, for its cost
_DEAR = 1e9  # |G| N₀ P² from which on designs are few and get few steps
_FAR = 1.5  # the ratio of their numbers of rounds
_SHARE_OF_UNIFORM = 0.1  # mixed in between designs, so that no weight is lost for good

POWERS = (1.06, 1.8, 6.2)
"""Steps after Chebyshev: 1 − pλ is small in product over this cycle of p for λ in [0.1, 1]."""


@dataclass(frozen=True, eq=False)
class OrbitFeatures:
    """k_e(x, y) ≈ Σ_j F_e[x, j] F_e[y, j] on the orthant, from P pivots in order of choice.

    Attributes
    ----------
    pivots : (P,) positions in the orthant
    factors : (|G|, N₀, P)
    residuals : (P+1,) the largest variance that the first j pivots leave, j = 0..P
    """

    pivots: IntArray
    factors: FloatArray
    residuals: FloatArray

    @property
    def work(self) -> float:
        """|G| N₀ P², of which a step takes a few."""
        return float(self.factors.size) * len(self.pivots)

    def first(self, count: int) -> OrbitFeatures:
        """The features of the first `count` pivots."""
        return OrbitFeatures(
            self.pivots[:count],
            np.ascontiguousarray(self.factors[:, :, :count]),
            self.residuals[: count + 1],
        )

    def count_for(self, residual: float) -> int:
        """The least number of pivots that leaves at most this variance (all, if none does)."""
        enough = np.flatnonzero(self.residuals <= residual)
        return int(enough[0]) if len(enough) else len(self.pivots)

    def at_pivots(self, parity: int, directions: FloatArray) -> FloatArray:
        """(P, k) weights of k_e(·, z) at the pivots z that make these (P, k) sums of features."""
        triangle = np.tril(self.factors[parity][self.pivots])
        unused = np.flatnonzero(np.diagonal(triangle) == 0.0)
        triangle[unused, unused] = 1.0
        directions = directions.copy()
        directions[unused] = 0.0
        return linalg.solve_triangular(triangle, directions, lower=True, trans="T")


def orbit_features(grid_kernel: FiniteKernel, tolerance: float) -> OrbitFeatures:
    """Pivot the orbit with the largest remaining variance until none exceeds `tolerance`.

    Cost O(|G| N₀ P²) time, at most `_MOST_WORK`, and O(|G| N₀ P) memory;
    P ≤ min(N₀, MOST_FEATURES/|G|).
    """
    orthant = grid_kernel.orthant
    residual = grid_kernel.parity_variances()
    groups, size = residual.shape
    most = max(1, min(size, MOST_FEATURES // groups, int((_MOST_WORK / groups / size) ** 0.5)))
    factors = np.zeros((groups, size, min(most, 64)))
    pivots: list[int] = []
    residuals = [1.0]
    while len(pivots) < most and residuals[-1] > tolerance:
        j = len(pivots)
        if j == factors.shape[2]:
            wider = np.zeros((groups, size, min(most, 2 * j)))
            wider[:, :, :j] = factors
            factors = wider
        pivot = first_largest(residual.sum(axis=0), scale=1e-5)
        columns = grid_kernel.parity_grams(orthant, orthant[pivot : pivot + 1])[:, :, 0]
        columns -= np.matmul(factors[:, :, :j], factors[:, pivot, :j, None])[:, :, 0]
        variance = columns[:, pivot]
        usable = variance > _SMALLEST_PIVOT
        columns *= np.where(usable, 1.0 / np.sqrt(np.where(usable, variance, 1.0)), 0.0)[:, None]
        factors[:, :, j] = columns
        residual = np.maximum(residual - columns**2, 0.0)
        residual[:, pivot] = 0.0
        pivots.append(pivot)
        residuals.append(float(residual.sum(axis=0).max()))
    return OrbitFeatures(
        np.array(pivots, dtype=np.int64),
        np.ascontiguousarray(factors[:, :, : len(pivots)]),
        np.array(residuals),
    )


@dataclass(frozen=True, eq=False)
class RelaxedDesign:
    """Weights over the orbits of the orthant, with what they say of n rounds.

    Attributes
    ----------
    n : rounds
    features : those it was made with
    weights : (N₀,) of whole orbits, Σ = 1
    value : ½Γ_n(w), at most a little above the best relaxation value
    bound : the upper bound on γ_n of the certificate at w, but for rounding
    variances : (N₀,) v(x) of that certificate
    threshold : t = α − 1
    directions : for each parity (P, k_e) eigenvectors in the features, and their l_i − t
    """

    n: int
    features: OrbitFeatures
    weights: FloatArray
    value: float
    bound: float
    variances: FloatArray
    threshold: float
    directions: tuple[tuple[FloatArray, FloatArray], ...]

    def factors(self) -> tuple[FloatArray, ...]:
        """The R_e of the certificate, for points z at the pivots of the features."""
        return tuple(
            self.features.at_pivots(parity, vectors * np.sqrt(excess))
            for parity, (vectors, excess) in enumerate(self.directions)
        )


def relax(
    features: OrbitFeatures, noise_variance: float, n: int, weights: FloatArray
) -> RelaxedDesign:
    """Γ_n, its certificate and its variances at given weights.

    Cost O(N₀P² + P³) for each parity.
    """
    total = n / noise_variance
    F = features.factors
    weighted = F * np.sqrt(weights)[:, None]
    eigenvalues, vectors = np.linalg.eigh(np.matmul(weighted.transpose(0, 2, 1), weighted))
    spectrum = total * np.maximum(eigenvalues, 0.0)
    k, t = split_rank(np.sort(spectrum.ravel())[::-1], total, n)
    excess = np.maximum(spectrum - t, 0.0)
    coefficients = excess / (1.0 + spectrum)
    kept = excess > 0.0
    few = int(np.argmax(kept.any(axis=0)))  # eigenvalues rise: those before explain nothing
    projected = np.matmul(F, vectors[:, :, few:])
    explained = np.matmul(np.square(projected, out=projected), coefficients[:, few:, None])
    variances = 1.0 - explained[:, :, 0].sum(axis=0)
    logs = float(np.log1p(spectrum[kept]).sum())
    inverses = float((spectrum[kept] / (1.0 + spectrum[kept])).sum())
    k = int(np.count_nonzero(kept))
    alpha = 1.0 + t
    value = logs + (n - k) * np.log1p(t)
    bound = logs - inverses + (n - k) * (np.log1p(t) - t / alpha)
    bound += total / alpha * max(float(variances.max()), 0.0)
    directions = tuple(
        (v[:, keep], e[keep]) for v, e, keep in zip(vectors, excess, kept, strict=True)
    )
    return RelaxedDesign(n, features, weights, 0.5 * value, 0.5 * bound, variances, t, directions)


def split_rank(spectrum: FloatArray, total: float, n: int) -> tuple[int, float]:
    """k and t with l_k > t ≥ l_{k+1}, t = (total − l_1 − … − l_k)/(n−k), for falling l_i.

    >>> split_rank(np.array([6.0, 1.0, 1.0]), 8.0, 3)
    (1, 1.0)
    """
    count = min(len(spectrum), n - 1)
    k = np.arange(count + 1)
    tail = (total - np.concatenate(([0.0], np.cumsum(spectrum[:count])))) / (n - k)
    following = np.append(spectrum, 0.0)[: count + 1]
    first = int(np.argmax((following <= tail) | (k == count)))
    return first, max(float(tail[first]), 0.0)


def improve(
    features: OrbitFeatures,
    noise_variance: float,
    n: int,
    weights: FloatArray,
    most_steps: int,
    tolerance: float = _TOLERANCE,
) -> tuple[RelaxedDesign, FloatArray]:
    """The design of least bound on the way of w ← w·v(x)^p, normalised, and the last weights.

    Stops where the bound is within 0.1 % (or `tolerance`) of the relaxation's value.
    """
    best = relax(features, noise_variance, n, weights)
    current = best
    lifted = best.value
    for step in range(most_steps):
        if best.bound <= (1.0 + tolerance) * lifted:
            break
        power = POWERS[step % len(POWERS)]
        moved = current.weights * np.maximum(current.variances, 0.0) ** power
        current = relax(features, noise_variance, n, moved / moved.sum())
        lifted = max(lifted, current.value)
        if current.bound < best.bound:
            best = current
    return best, current.weights


def relaxation_path(
    grid_kernel: FiniteKernel,
    noise_variance: float,
    rounds: Sequence[int],
    *,
    close: bool = False,
) -> Iterator[RelaxedDesign]:
    """A design for each of some numbers of rounds, from the largest down, begun at the one before.

    Downwards, because weights fall to zero faster than they come back. `close` ones are within
    0.05 % of the relaxation where 48 steps do it, at some five times the cost.
    """
    n = max(rounds)
    features = orbit_features(grid_kernel, min(_FINE * noise_variance / n, _LARGEST_RESIDUAL))
    uniform = grid_kernel.orbit_sizes / grid_kernel.size
    weights = uniform
    dear = features.work > _DEAR
    for m in sorted(thinned(rounds, _FAR) if dear else rounds, reverse=True):
        narrow = features.first(pivots_for(features, noise_variance / m))
        cycles = 2 if narrow.factors[:, 0].size <= _MANY_FEATURES else 1
        cycles = _CLOSE_CYCLES if close and narrow.work <= _DEAR else cycles
        steps = len(POWERS) * cycles * (2 if m == n else 1)
        tolerance = _CLOSE_TOLERANCE if close else _TOLERANCE
        design, weights = improve(narrow, noise_variance, m, weights, steps, tolerance)
        weights = (1.0 - _SHARE_OF_UNIFORM) * weights + _SHARE_OF_UNIFORM * uniform
        yield design


def nodes(n: int, ratio: float = 1.1) -> list[int]:
    """Numbers of rounds from 1 to n by factors of `ratio`, or of 2 beyond 400; n is one of them.

    >>> nodes(10)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    """
    numbers, at = [n], float(n)
    while at > 1.5:
        at = at / ratio if at <= 400 else max(at / 2.0, 400.0)
        numbers.append(max(1, round(at)))
    return sorted(set(numbers))


def thinned(rounds: Sequence[int], ratio: float = 1.1) -> list[int]:
    """The largest of some numbers of rounds, and of the others those not within `ratio` of a kept.

    >>> thinned([10, 20, 98, 99, 100])
    [10, 20, 100]
    """
    kept: list[int] = []
    for m in sorted(set(rounds), reverse=True):
        if not kept or m * ratio <= kept[-1]:
            kept.append(m)
    return kept[::-1]


def pivots_for(features: OrbitFeatures, noise_per_round: float) -> int:
    """How many pivots serve a design at this σ²/n.

    Fine enough where that is cheap; else as coarse as costs some tenths of a per cent.
    """
    fine = features.count_for(min(_FINE * noise_per_round, _LARGEST_RESIDUAL))
    coarse = features.count_for(min(_COARSE * noise_per_round, _LARGEST_RESIDUAL))
    return max(coarse, min(fine, _FEW_PIVOTS))
