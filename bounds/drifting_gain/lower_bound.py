"""Lower bounds on γ̃_n, the maximum gain of n rounds whose times are fixed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.domain import FiniteKernel
from bounds.numerics.compiled import compiled
from bounds.numerics.threads import one_blas_thread
from bounds.numerics.ties import TIE, first_largest
from bounds.problem import Problem
from bounds.static_gain.information import gain_rounded_down
from bounds.static_gain.relaxation import relaxation_path

MOST_ROUNDS_BY_GRAM = 2_000
"""Beyond, the gain of a design is no longer evaluated through its n×n Gram matrix."""

_SELECTION_WORK = 3e9
_FILTER_WORK = 1.2e10
_LEAST_GROWTH = 1e-4
_LEAST_NOISE_SOUGHT = 1e-13  # of n rounds, in units of n
_TWO_STARTS = 100  # rounds up to which exchange starts from a design for the points alone too


@dataclass(frozen=True, eq=False)
class JointGain:
    """A lower bound on γ̃_n, in nats.

    Attributes
    ----------
    value : a lower bound on the gain of a design of n rounds at the problem's times
    indices : (n,) grid indices of the points in round order; None where some rounds have none
    """

    value: float
    indices: IntArray | None


def joint_gain_lower(problem: Problem) -> JointGain:
    """A design for γ̃_n = max ½ log det(I + (K∘J)/σ²), the times fixed, and its gain.

    - Up to 2,000 rounds: greedy in round order, every round at the point of largest posterior
      variance at its time; then points are exchanged one by one for a neighbour or a point of a
      coarse sub-grid where that helps (up to 100 rounds also from a design for the points alone).
      Where the work would be too large, the selection sees a sub-grid, the latest rounds only, or
      is not improved. The value is that of the design.
    - Beyond, for a Markov time kernel (forgetting, exponential): greedy on a sub-grid by an exact
      filter (docs/theory.md#filtering), the smaller the larger n. For other kernels the same as
      above for 2,000 evenly spread rounds: the rest adds to the gain. Or, where that is more,
    - a rounded design for γ_n. Its gain with the times is no smaller than without: with
      J_ii = 1, det(I + K∘J/σ²) = det((I + K/σ²)∘J) ≥ det(I + K/σ²) (Oppenheim's inequality).

    Cost: at most some seconds up to 2,000 rounds and some 20 s at 10⁶.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([0.0]), domain=Grid(1, 1.0, 5))
    >>> joint_gain_lower(problem).value.__round__(6)  # ½ log(101)
    2.30756
    """
    with one_blas_thread():  # as in `upper_curve`
        if problem.n <= MOST_ROUNDS_BY_GRAM:
            return _by_selection(problem)
        designs = [_by_rounding(problem)]
        if problem.time_kernel.is_markov:
            designs.append(_by_filter(problem))
        else:
            designs.append(_by_some_rounds(problem))
    return max(designs, key=lambda candidate: candidate.value)


def _by_rounding(problem: Problem) -> JointGain:
    """A lower bound on γ_n, hence on γ̃_n."""
    from bounds.static_gain.designs import gain_of_counts, rounded_design

    grid_kernel = problem.domain.restricted(problem.space_kernel)
    n, noise_variance = problem.n, problem.noise_variance
    relaxed = next(relaxation_path(grid_kernel, noise_variance, [n]))
    points, counts = rounded_design(grid_kernel, relaxed, n)
    value = gain_of_counts(grid_kernel.gram(points, points), counts, noise_variance)
    return JointGain(value, np.repeat(points, counts))


def _by_some_rounds(problem: Problem) -> JointGain:
    """The gain of some of the rounds is a lower bound on the gain of all."""
    times = problem.times
    rounds = np.linspace(0, problem.n - 1, MOST_ROUNDS_BY_GRAM).round().astype(np.int64)
    design = _by_selection(replace(problem, times=times.some(rounds)))
    return JointGain(design.value, None)


def _by_selection(problem: Problem) -> JointGain:
    """Greedy in round order, then exchange."""
    n = problem.n
    grid_kernel = problem.domain.restricted(problem.space_kernel)
    lags = problem.times.distances(slice(0, n), slice(0, n))
    J = problem.time_kernel.at_distance(lags)
    # A design is sought at no less noise than doubles tell from none; its gain is that at σ².
    noise = max(problem.noise_variance, _LEAST_NOISE_SOUGHT * n)
    if problem.time_kernel.is_markov:
        points = problem.domain.spread(max(64, int(_SELECTION_WORK / n**2)))
        decay = np.append(1.0, J[np.arange(1, n), np.arange(n - 1)])
        chosen = _markov_greedy(grid_kernel, points, decay, noise)
    else:
        window = min(n, 100)
        points = problem.domain.spread(max(64, int(_SELECTION_WORK / (n * window**2))))
        chosen = _windowed_greedy(grid_kernel, points, J, window, noise)
    candidates = problem.domain.spread(144)
    starts = [chosen]
    if n**3 * len(candidates) <= _SELECTION_WORK * 2.0:
        if n <= _TWO_STARTS:
            from bounds.static_gain.exchange import ExchangeableDesign

            # A design for the points alone, in the order in which it was found.
            design = ExchangeableDesign(grid_kernel, noise, n)
            design.grow(n)
            design.improve(10 * n)
            starts.append(design.points)
        starts = [_exchanged(grid_kernel, candidates, J, noise, start) for start in starts]
    values = [gain_rounded_down(grid_kernel.gram(s, s) * J, problem.noise_variance) for s in starts]
    best = first_largest(np.array(values))
    return JointGain(values[best], starts[best])


def _markov_greedy(
    grid_kernel: FiniteKernel, points: IntArray, decay: FloatArray, noise_variance: float
) -> IntArray:
    """Between rounds the whitened cross-covariance V = L⁻¹K̃ only shrinks; O(N·i) for round i."""
    n = len(decay)
    chosen = np.zeros(n, dtype=np.int64)
    whitened = np.zeros((n, len(points)))
    explained = np.zeros(len(points))
    for i in range(n):
        whitened[:i] *= decay[i]
        explained *= decay[i] ** 2
        best = first_largest(-explained, scale=1.0)
        chosen[i] = points[best]
        row = grid_kernel.gram(points[best : best + 1], points)[0]
        row -= whitened[:i, best] @ whitened[:i]
        row /= np.sqrt(max(1.0 - explained[best], 0.0) + noise_variance)
        whitened[i] = row
        explained += row**2
    return chosen


def _windowed_greedy(
    grid_kernel: FiniteKernel,
    points: IntArray,
    J: FloatArray,
    window: int,
    noise_variance: float,
) -> IntArray:
    """Each choice is greedy given the latest `window` rounds; O(N·window²) for a round."""
    n = len(J)
    chosen = np.zeros(n, dtype=np.int64)
    cross = np.zeros((n, len(points)))
    for i in range(n):
        past = slice(max(0, i - window), i)
        gram = grid_kernel.gram(chosen[past], chosen[past]) * J[past, past]
        gram[np.diag_indices_from(gram)] += noise_variance
        factor = np.linalg.cholesky(gram)
        whitened = linalg.solve_triangular(factor, cross[past] * J[past, i : i + 1], lower=True)
        best = first_largest(-np.einsum("jx,jx->x", whitened, whitened), scale=1.0)
        chosen[i] = points[best]
        cross[i] = grid_kernel.gram(points[best : best + 1], points)[0]
    return chosen


def _exchanged(
    grid_kernel: FiniteKernel,
    candidates: IntArray,
    J: FloatArray,
    noise_variance: float,
    chosen: IntArray,
) -> IntArray:
    """Up to two passes: each round moves to its best candidate or neighbour, the others fixed.

    With C = (K̃+σ²I)⁻¹, a move of round i multiplies the determinant by C_ii(v_i(x) + σ²), v_i the
    variance at (x, τ_i) given the other rounds. O(n²) for each round and candidate.
    """
    chosen = chosen.copy()
    gram = grid_kernel.gram(chosen, chosen) * J
    gram[np.diag_indices_from(gram)] += noise_variance
    C = np.linalg.inv(gram)
    for _ in range(2):
        moved = False
        for i in range(len(chosen)):
            choice = np.concatenate((candidates, grid_kernel.neighbours(int(chosen[i]))))
            column = C[:, i].copy()
            share = column / column[i]
            cross = grid_kernel.gram(chosen, choice) * J[:, i : i + 1]
            # Without round i, C is C − column·shareᵀ.
            solved = C @ cross
            solved -= np.outer(column, share @ cross)
            growth = column[i] * (1.0 + noise_variance - np.einsum("jx,jx->x", cross, solved))
            best = first_largest(growth)
            if growth[best] > 1.0 + _LEAST_GROWTH:
                direction = solved[:, best].copy()
                direction[i] = -1.0
                C -= np.outer(column, share)
                C += np.outer(direction, direction * (column[i] / growth[best]))
                chosen[i] = choice[best]
                moved = True
        if not moved:
            break
    return chosen


def _by_filter(problem: Problem) -> JointGain:
    """Greedy in round order on a sub-grid, by the exact filter of a Markov time kernel."""
    grid_kernel = problem.domain.restricted(problem.space_kernel)
    size = min(400, max(9, int((_FILTER_WORK / (3.0 * problem.n)) ** 0.5)))
    points = problem.domain.spread(size)
    prior = grid_kernel.gram(points, points)
    gaps = problem.times.waits
    decay = problem.time_kernel.at_distance(gaps)
    fresh = problem.time_kernel.deficit(gaps)
    value, chosen = _filtered_greedy(prior, decay, fresh, problem.noise_variance)
    return JointGain(value, points[chosen])


@compiled()
def _filtered_greedy(
    prior: FloatArray, decay: FloatArray, fresh: FloatArray, noise_variance: float
) -> tuple[float, IntArray]:  # pragma: no cover
    """Σ ½ log(1 + v_i/σ²) and the points chosen; P ← a²P + (1−a²)K between rounds.

    The covariance itself is carried and not what the data took from K: its errors are damped by
    later updates, a difference of two large numbers would not be.
    """
    size = len(prior)
    chosen = np.zeros(len(decay), dtype=np.int64)
    P = prior.copy()
    total = 0.0
    for i in range(len(decay)):
        kept, new = decay[i] * decay[i], fresh[i]
        best, variance = 0, -1.0
        for x in range(size):
            at_x = kept * P[x, x] + new * prior[x, x]
            if at_x > variance + TIE:
                best, variance = x, at_x
        variance = max(variance, 0.0)
        total += 0.5 * np.log1p(variance / noise_variance)
        chosen[i] = best
        column = kept * P[best] + new * prior[best]
        for x in range(size):
            weight = column[x] / (variance + noise_variance)
            for z in range(size):
                P[x, z] = kept * P[x, z] + new * prior[x, z] - weight * column[z]
    return total, chosen
