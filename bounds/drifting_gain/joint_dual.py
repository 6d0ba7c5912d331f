"""An upper bound on γ̃_n from the rank-aware dual over the joint features of points and times.

Lemma R with X = s Σ_i ψ_iψ_iᵀ, ψ_i = ψ(x_i, τ_i) the joint feature of round i: for every A ⪰ I
with eigenvalues a_1 ≥ a_2 ≥ …,

    2γ̃_n ≤ Σ_{i≤n} ψ(a_i) + s Σ_i max_x ψ(x,τ_i)ᵀ A⁻¹ ψ(x,τ_i),    ψ(a) = log a + 1/a − 1.

The joint kernel is a product, so the eigenfunctions of J (times) and those of a weighted K
(points) give a family of A that is diagonal in their products: A = αI + Σ_ab g_ab u_ab u_abᵀ with
u_ab = time mode a ⊗ space mode b. Every matrix falls apart into one of times and one of points,
whatever the time kernel and however irregular the times are. Good g come from weights w_i(x), one
distribution over the grid for each round, moved by w ← w·v^p as in `relaxation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf, log1p

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.domain import FiniteKernel
from bounds.enclosure import Upper
from bounds.kernels import Kernel
from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.static_gain.relaxation import (
    POWERS,
    OrbitFeatures,
    orbit_features,
    pivots_for,
    split_rank,
)
from bounds.times import EvaluationTimes

LONGEST_BLOCK = 1_000
"""Rounds that one dual looks at together: its cost grows like their cube."""

MOST_ROUNDS = 4_000
"""Beyond, no dual is sought: other bounds are nearly as good and cost less."""

_STEPS = 60
_PATIENCE, _LEAST_PROGRESS = 9, 2e-4  # steps between looks, and what they must bring
_FIRST_MODES, _AHEAD = 64, 0.8  # modes of times looked at first; share of t for the next step
_ROUNDINGS = 4.0  # of each of the sums over rounds and over features
_RESIDUAL = 0.5  # variance left out of the features, in units of σ²/n
_LARGEST_RESIDUAL = 0.01


@dataclass(frozen=True, eq=False)
class JointCertificate:
    """2γ̃ ≤ Σ ψ(a_i) + s Σ_i max_x ψᵀA⁻¹ψ for the rounds start+1 … end, A from modes and gains.

    Attributes
    ----------
    start, end : the block of rounds, of length L
    time_modes : (L, A) columns ũ_a with ũ_aᵀ J ũ_a ≈ 1
    points : (P,) grid indices of z, in the orthant
    space_modes : for each parity e (P, B_e) columns q_b with q_bᵀ K_e(z,z) q_b ≈ 1
    gains : for each parity (A, B_e) g_ab ≥ 0; at most L of them positive in all
    alpha : α ≥ 1
    value : the upper bound on the gain of the block, in nats
    certified : True only for outward rounded arithmetic; floating point is never certified
    """

    start: int
    end: int
    time_modes: FloatArray
    points: IntArray
    space_modes: tuple[FloatArray, ...]
    gains: tuple[FloatArray, ...]
    alpha: float
    value: float
    certified: bool = False

    @property
    def rank(self) -> int:
        """k, the number of positive gains."""
        return sum(int(np.count_nonzero(g)) for g in self.gains)


@dataclass(frozen=True, eq=False)
class JointDual:
    """An upper bound on γ̃_n: the sum of one certificate for each block of rounds.

    Blocks add up because conditioning on earlier blocks does not increase the gain of a later one.
    """

    certificates: tuple[JointCertificate, ...]

    @property
    def value(self) -> float:
        """Upper bound on γ̃_n in nats, rounded up; an `Upper` where all of it is certified."""
        total = sum(certificate.value for certificate in self.certificates)
        rounded = total * (1.0 + 2.0**-52 * len(self.certificates))
        return Upper(rounded) if self.certified else rounded

    @property
    def certified(self) -> bool:
        """Whether every certificate is."""
        return all(certificate.certified for certificate in self.certificates)


def joint_dual(problem: Problem, advance: Share = unwatched) -> JointDual | None:
    """The rank-aware dual bound on γ̃_n for fixed times; None beyond 4,000 rounds.

    Parameters
    ----------
    problem : Problem of n rounds with any times and any unit-variance kernels
    advance : called with the share of the work that is done

    Cost: O(L³ + steps·L·(A·N₀ + …)) for a block of L ≤ 1,000 rounds, A ≤ L time modes and
    N₀ = N/2^d points; at n = 130 and 2,500 points 0.3 s, or some seconds where the kernel is rough.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0] * 24)
    >>> problem = Problem(times, domain=Grid(2, 1.0, 6))
    >>> cap = 24 * problem.trivial_gain_per_round
    >>> joint_dual(problem).value < 0.95 * cap
    True
    """
    n = problem.n
    if n > MOST_ROUNDS:
        return None
    blocks = max(1, -(-n // LONGEST_BLOCK))
    cuts = np.linspace(0, n, blocks + 1).round().astype(int)
    certificates = []
    grid_kernel = problem.domain.restricted(problem.space_kernel)
    with one_blas_thread():  # as in `upper_curve`
        length = int(np.diff(cuts).max())
        noise_per_round = problem.noise_variance / length
        residual = min(_RESIDUAL * noise_per_round, _LARGEST_RESIDUAL)
        apart = np.arange(min(length, grid_kernel.size))
        if np.array_equal(grid_kernel.gram(apart, apart), np.eye(length)):
            # Rounds at uncorrelated points attain the cap: no A does better.
            parities = len(grid_kernel.parity_variances())
            ends = pairwise(cuts.tolist())
            return JointDual(tuple(_of_cap(problem, parities, *block) for block in ends))
        features = orbit_features(grid_kernel, residual)
        features = features.first(pivots_for(features, noise_per_round))
        for done, (start, end) in enumerate(pairwise(cuts.tolist())):
            advance(done / blocks)
            certificates.append(_dual_of_block(problem, grid_kernel, features, start, end))
    return JointDual(tuple(certificates))


@lru_cache(maxsize=4)
def _modes_of_times(
    times: EvaluationTimes, kernel: Kernel, start: int, end: int
) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues of J from the largest on, and eigenvectors: the same for every noise."""
    rounds = slice(start, end)
    strengths, modes = np.linalg.eigh(kernel.at_distance(times.distances(rounds, rounds)))
    order = np.argsort(strengths)[::-1]
    order = order[strengths[order] > 1e-12 * (end - start)]
    return strengths[order], modes[:, order]


def _dual_of_block(
    problem: Problem, grid_kernel: FiniteKernel, features: OrbitFeatures, start: int, end: int
) -> JointCertificate:
    """Move the weights, keep the best A on the way."""
    L = end - start
    ratio = 1.0 / problem.noise_variance
    try:
        strengths, modes = _modes_of_times(problem.times, problem.time_kernel, start, end)
    except TypeError:  # a kernel of one's own that has no hash
        strengths, modes = _modes_of_times.__wrapped__(
            problem.times, problem.time_kernel, start, end
        )
    shares = modes**2 * strengths  # (L, A), Σ_a = 1 up to what was left out
    F = features.factors
    weights = np.tile(grid_kernel.orbit_sizes / grid_kernel.size, (L, 1))
    best, marked = _cap(F, L, ratio), inf
    reach = _FIRST_MODES
    for step in range(_STEPS):
        current = _step(shares, ratio * strengths, F, weights, ratio, reach)
        reach = 1 + int(np.sum(ratio * strengths > _AHEAD * current.threshold))
        if current.bound < best.bound:
            best = current
        if step % _PATIENCE == _PATIENCE - 1:
            if best.bound > (1.0 - _LEAST_PROGRESS) * marked:
                break
            marked = best.bound
        # In place: a pass over (L, N₀) numbers more costs as much as a product of the step.
        moved = np.maximum(current.variances, 0.0, out=current.variances)
        moved **= POWERS[step % len(POWERS)]
        moved *= weights
        total = moved.sum(axis=1, keepdims=True)
        if total.min() > 0.0:
            moved /= total
        else:
            moved = np.where(total > 0.0, moved / np.where(total > 0.0, total, 1.0), weights)
        if _alike(moved[0], weights[0]) and _alike(moved, weights):  # as for points all alike
            break
        weights = moved
    return _certificate(features, strengths, modes, best, start, end)


def _alike(one: FloatArray, other: FloatArray) -> bool:
    return np.allclose(one, other, rtol=1e-12, atol=0.0)


@dataclass(frozen=True, eq=False)
class _Step:
    """The dual at given weights."""

    bound: float
    threshold: float
    gains: FloatArray  # (A', G, P) g_ab of the strongest time modes; the others have none
    directions: FloatArray  # (G, P, P) eigenvectors of the weighted features
    variances: FloatArray  # (L, N₀) v_i(x), where the next weights are written


def _cap(F: FloatArray, L: int, ratio: float) -> _Step:
    """No gains and α = 1+s: exactly the cap (L/2) log(1+s), which the dual thus never exceeds."""
    groups, size, P = F.shape
    gains, none = np.zeros((0, groups, P)), np.zeros((groups, P, 0))
    return _Step(0.5 * L * log1p(ratio), ratio, gains, none, np.ones((L, size)))


def _step(
    shares: FloatArray,
    most: FloatArray,
    F: FloatArray,
    weights: FloatArray,
    ratio: float,
    reach: int,
) -> _Step:
    """Diagonal A in the products of time modes and of the modes of the mean weights.

    l_ab = s Σ_i λ_a U_ia² Σ_x w_i(x) e_b(x)², the diagonal of s Σ_i E_w ψ_iψ_iᵀ in that basis. As
    l_ab ≤ sλ_a, which are `most`, modes of times with sλ_a ≤ t get no gain: the strongest `reach`
    of them are looked at, and more where t turns out lower.
    """
    L, A = shares.shape
    groups, size, P = F.shape
    weighted = F * np.sqrt(weights.mean(axis=0))[:, None]
    _, directions = np.linalg.eigh(np.matmul(weighted.transpose(0, 2, 1), weighted))
    squares = np.empty((size, groups, P))
    for group in range(groups):
        np.matmul(F[group], directions[group], out=squares[:, group])
    flat = np.square(squares, out=squares).reshape(size, groups * P)
    while True:
        strongest = shares[:, :reach]
        spectrum = ratio * ((strongest.T @ weights) @ flat)  # (A', G·P)
        k, t = split_rank(np.sort(spectrum.ravel())[::-1], ratio * L, L)
        if reach >= A or most[reach] <= t:
            break
        reach *= 2
    gains = np.maximum(spectrum - t, 0.0)
    coefficients = gains / (1.0 + spectrum)
    variances = strongest @ (coefficients @ flat.T)
    np.subtract(1.0, variances, out=variances)
    kept = gains > 0.0
    k = int(np.count_nonzero(kept))
    logs = float((np.log1p(spectrum[kept]) - spectrum[kept] / (1.0 + spectrum[kept])).sum())
    bound = logs + (L - k) * (log1p(t) - t / (1.0 + t))
    # To first order what rounding took from J, K and the variances is a part of every variance.
    margin = _ROUNDINGS * (L + P) * np.finfo(float).eps
    bound += ratio / (1.0 + t) * float(np.sum(variances.max(axis=1) + margin))
    return _Step(0.5 * bound, t, gains.reshape(-1, groups, P), directions, variances)


def _of_cap(problem: Problem, parities: int, start: int, end: int) -> JointCertificate:
    """A = (1+s)I, without modes."""
    s, length = 1.0 / problem.noise_variance, end - start
    rounds, nowhere = np.zeros((length, 0)), np.zeros(0, dtype=np.int64)
    none = (np.zeros((0, 0)),) * parities
    value = 0.5 * length * log1p(s)
    return JointCertificate(start, end, rounds, nowhere, none, none, 1.0 + s, value)


def _certificate(
    features: OrbitFeatures,
    strengths: FloatArray,
    modes: FloatArray,
    best: _Step,
    start: int,
    end: int,
) -> JointCertificate:
    """The step as modes over rounds and over points, without those that have no gain."""
    used = np.flatnonzero(best.gains.any(axis=(1, 2)))
    space_modes, gains = [], []
    for parity, g in enumerate(best.gains[used].transpose(1, 0, 2)):
        keep = np.flatnonzero(g.any(axis=0))
        space_modes.append(features.at_pivots(parity, best.directions[parity][:, keep]))
        gains.append(np.ascontiguousarray(g[:, keep]))
    return JointCertificate(
        start=int(start),
        end=int(end),
        time_modes=np.ascontiguousarray(modes[:, used] / np.sqrt(strengths[used])),
        points=features.pivots,
        space_modes=tuple(space_modes),
        gains=tuple(gains),
        alpha=1.0 + best.threshold,
        value=best.bound,
    )
