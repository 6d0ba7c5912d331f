"""Lower bounds on γ̃_n, the maximum gain of n rounds whose times are fixed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bounds.design import space_gain_lower
from bounds.domain import Grid
from bounds.grid_kernel import GridKernel
from bounds.information import gain, joint_gram
from bounds.problem import Problem

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MOST_ROUNDS_BY_GRAM = 2_000
"""Beyond, the gain of a design is no longer evaluated through its n×n Gram matrix."""

_SELECTION_WORK = 4e9
_FILTER_WORK = 1.5e10


@dataclass(frozen=True, eq=False)
class JointGain:
    """A lower bound on γ̃_n, in nats.

    Attributes
    ----------
    value : the gain of a design of n rounds at the problem's times, or a lower bound on it
    indices : (n,) grid indices of the points in round order; None where only a value is known
    method : how the design was found
    certified : floating point is never certified
    """

    value: float
    indices: IntArray | None
    method: str
    certified: bool = False


def joint_gain_lower(problem: Problem) -> JointGain:
    """The best of the designs tried for γ̃_n = max ½ log det(I + (K∘J)/σ²), the times fixed.

    - Up to 2,000 rounds: greedy in round order, every round at the point of largest posterior
      variance at its time. Where the work would be too large, the selection sees a sub-grid and
      the latest rounds only; the value is that of the design, through its whole Gram matrix.
    - Beyond, for a Markov time kernel (forgetting, exponential): the same on a sub-grid by an
      exact filter (THEORY 7), whose size falls with n.
    - Always: a design without times. The gain of n rounds does not fall when their correlation in
      time is reduced: I + K∘J/σ² = (I + K/σ²)∘J and J_ii = 1, so its determinant is at least
      that of I + K/σ² (Oppenheim's inequality), and γ̃_n ≥ γ_n.

    Cost: at most some seconds up to 2,000 rounds and some 20 s at 10⁶.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([0.0]), domain=Grid(1, 1.0, 5))
    >>> joint_gain_lower(problem).value.__round__(6)  # ½ log(101)
    2.30756
    """
    candidates = []
    if problem.n <= MOST_ROUNDS_BY_GRAM:
        candidates.append(_by_selection(problem))
    elif problem.time_kernel.smoothness == 0.5:
        candidates.append(_by_filter(problem))
    lower = space_gain_lower(
        problem.space_kernel, problem.domain, problem.noise_variance, problem.n
    )
    indices = lower.indices(problem.n)
    value = float(lower.values[-1])
    method = "design for fixed points, correlation in time ignored"
    if indices is not None and problem.n <= MOST_ROUNDS_BY_GRAM:
        value = _gain_of(problem, indices)
        method = "design for fixed points, in the order it was found"
    candidates.append(JointGain(value, indices, method))
    return max(candidates, key=lambda candidate: candidate.value)


def _gain_of(problem: Problem, indices: IntArray) -> float:
    return gain(joint_gram(problem, problem.domain.points[indices]), problem.noise_variance)


def sub_grid(domain: Grid, count: int) -> IntArray:
    """Indices of evenly spread grid points, as many per axis as keep to about `count` in all.

    >>> sub_grid(Grid(1, 1.0, 9), 3)
    array([0, 4, 8])
    """
    q, dimension = domain.points_per_axis, domain.dimension
    per_axis = max(1, min(q, int(count ** (1.0 / dimension) + 1e-9)))
    along = np.unique(np.linspace(0, q - 1, per_axis).round().astype(np.int64))
    if per_axis == 1:
        along = np.array([q // 2])
    axes = np.meshgrid(*([along] * dimension), indexing="ij")
    return np.ravel_multi_index(tuple(a.ravel() for a in axes), (q,) * dimension)


def _by_selection(problem: Problem) -> JointGain:
    """Greedy in round order; each choice sees the latest `window` rounds and some candidates."""
    n, noise = problem.n, problem.noise_variance
    grid_kernel = GridKernel(problem.space_kernel, problem.domain)
    size = min(grid_kernel.size, max(64, int(_SELECTION_WORK / (n * min(n, 100) ** 2))))
    points = np.arange(grid_kernel.size)
    if size < grid_kernel.size:
        points = sub_grid(problem.domain, size)
    window = min(n, max(20, int((3.0 * _SELECTION_WORK / (n * len(points))) ** 0.5)))
    chosen = np.zeros(n, dtype=np.int64)
    cross = np.zeros((n, len(points)))
    for i in range(n):
        first = max(0, i - window)
        variance = np.ones(len(points))
        if i > first:
            lag = problem.times.distances(slice(first, i + 1), slice(first, i + 1))
            J = problem.time_kernel.at_distance(lag)
            gram = grid_kernel.gram(chosen[first:i], chosen[first:i]) * J[:-1, :-1]
            gram[np.diag_indices_from(gram)] += noise
            scaled = cross[first:i] * J[:-1, -1:]
            whitened = np.linalg.solve(np.linalg.cholesky(gram), scaled)
            variance -= np.einsum("jx,jx->x", whitened, whitened)
        best = int(np.argmax(variance))
        chosen[i] = points[best]
        cross[i] = grid_kernel.gram(points[best : best + 1], points)[0]
    scope = "all points" if len(points) == grid_kernel.size else f"{len(points)} points"
    memory = "" if window >= n else f", the latest {window} rounds in view"
    return JointGain(_gain_of(problem, chosen), chosen, f"greedy over {scope}{memory}")


def _by_filter(problem: Problem) -> JointGain:
    """Greedy in round order on a sub-grid, by the exact filter of a Markov time kernel."""
    grid_kernel = GridKernel(problem.space_kernel, problem.domain)
    size = max(9, int((_FILTER_WORK / (3.0 * problem.n)) ** 0.5))
    points = sub_grid(problem.domain, size)
    prior = grid_kernel.gram(points, points)
    gaps = np.diff(problem.times.offsets(), prepend=0.0)
    decay = problem.time_kernel.at_distance(gaps)
    fresh = problem.time_kernel.deficit(gaps)
    value, chosen = _filtered_greedy(prior, decay, fresh, problem.noise_variance)
    return JointGain(value, points[chosen], f"greedy over {len(points)} points by filter")


@njit(cache=True)
def _filtered_greedy(
    prior: FloatArray, decay: FloatArray, fresh: FloatArray, noise_variance: float
) -> tuple[float, IntArray]:  # pragma: no cover
    """Σ ½ log(1 + v_i/σ²) with P ← a²P + (1−a²)K between rounds, and the points chosen.

    P = K − D with D ← a²D between rounds, so the variances lost, D, are kept instead of P and a
    common factor of D stands for all the decays since the last rescaling.
    """
    size = len(prior)
    chosen = np.zeros(len(decay), dtype=np.int64)
    lost = np.zeros((size, size))
    total = 0.0
    for i in range(len(decay)):
        shrink = decay[i] * decay[i]
        best, largest = 0, -1.0
        for x in range(size):
            variance = prior[x, x] - shrink * lost[x, x]
            if variance > largest:
                best, largest = x, variance
        largest = max(largest, 0.0)
        total += 0.5 * np.log1p(largest / noise_variance)
        chosen[i] = best
        scale = 1.0 / (largest + noise_variance)
        column = prior[best] - shrink * lost[best]
        for x in range(size):
            weight = scale * column[x]
            for z in range(size):
                lost[x, z] = shrink * lost[x, z] + weight * column[z]
    return total, chosen
