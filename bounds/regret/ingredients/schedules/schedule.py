"""Theorem X: scheduled exploration, whose regret before a run is one exact number.

Before the run a set E of rounds is fixed and a point for each; in every other round the policy
plays the largest posterior mean given all its data. With P_i the posterior covariance at τ_i given
the scheduled observations alone, a matrix that no observation changes,

    E R_n ≤ |E|·m* + Σ_{i∉E}(m* − E max N(0, K − P_i)),

for any time kernel, ties and times that are fixed beforehand. See docs/theory.md#theorem-x. Here is
the deterministic part, K − P_i; `simulation.before_run.schedule` finds E max and good schedules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Kernel
from bounds.numerics.ties import first_largest
from bounds.problem import Problem
from bounds.times import EvaluationTimes

Columns = Callable[[int], FloatArray]
"""The covariances (N,) of the point with this index with every point of the domain."""

MOST_POINTS = 300
"""Points up to which all pairs are looked at after every look."""

UNASKED = 3_000_000
"""Pairs of points × rounds up to which a schedule is searched without being asked for: a second."""


@dataclass(frozen=True)
class Schedule:
    """Rounds, counted from 0 and increasing, and the index of the point to play in each.

    >>> Schedule((0, 3), (5, 5)).points
    (5, 5)
    """

    rounds: tuple[int, ...]
    points: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.rounds) != len(self.points):
            raise InvalidInput("schedule", len(self.points), "give one point for each round")
        pairs = zip(self.rounds[:-1], self.rounds[1:], strict=True)
        if any(b <= a for a, b in pairs) or (self.rounds and self.rounds[0] < 0):
            raise InvalidInput("schedule", self.rounds[:10], "rounds increase, from 0 on")
        if any(point < 0 for point in self.points):
            raise InvalidInput("schedule", min(self.points), "points are numbered from 0")

    def require(self, n: int, size: int) -> None:
        """Raise InvalidInput unless the rounds are below n and the points below `size`."""
        if self.rounds and self.rounds[-1] >= n:
            raise InvalidInput("schedule", self.rounds[-1], f"there are {n} rounds")
        if self.points and max(self.points) >= size:
            raise InvalidInput("schedule", max(self.points), f"there are {size} points")


@dataclass(frozen=True, eq=False)
class Stages:
    """K − P_i for a Markov time kernel, as it stands right after each scheduled observation.

    The posterior mean from the schedule after observation k is a draw Σ_{j≤k} A_kj w_j rows_j(x)
    with independent normals w and A_kj = k_time(τ_k − τ_j); between observations it only shrinks.

    Attributes
    ----------
    rows : (m, N)
    decays : (m,) k_time from the observation before; 0 for the first
    weights : (m,) Σ k_time(τ_i − τ_k) over the unscheduled rounds i after k and before the next
    explained : (m,) the largest variance of the mean right after k, at most 1
    """

    rows: FloatArray
    decays: FloatArray
    weights: FloatArray
    explained: FloatArray


def stages(
    times: EvaluationTimes,
    kernel: Kernel,
    noise_variance: float,
    schedule: Schedule,
    columns: Columns,
) -> Stages:
    """The stages of a schedule, for a Markov time kernel. O(m²N) time, O(mN) memory."""
    m, n = len(schedule.rounds), times.n
    chosen = np.array(schedule.rounds, dtype=np.int64)
    decays = np.zeros(m)
    decays[1:] = kernel.at_distance(times.gaps(chosen[:-1], chosen[1:]))
    rows = np.empty((m, len(columns(0)) if m else 0))
    largest = np.empty(m)
    reach = np.empty(0)  # k_time from each earlier observation to now
    variances = np.zeros(rows.shape[1])
    for k, x in enumerate(schedule.points):
        reach = reach * decays[k]
        # Rows are kept as they were: they enter the covariance at τ_k with the square of reach.
        column = columns(x) - (reach * reach * rows[:k, x]) @ rows[:k]
        rows[k] = column / np.sqrt(max(float(column[x]), 0.0) + noise_variance)
        variances = decays[k] ** 2 * variances + rows[k] ** 2
        largest[k] = min(float(variances.max()), 1.0)
        reach = np.append(reach, 1.0)
    weights = np.zeros(m)
    scheduled = set(schedule.rounds)
    latest = np.searchsorted(schedule.rounds, np.arange(n), side="left") - 1
    free = np.array([i for i in range(n) if i not in scheduled and latest[i] >= 0], dtype=int)
    waits = times.gaps(chosen[latest[free]], free) if m else np.empty(0)
    np.add.at(weights, latest[free], np.asarray(kernel.at_distance(waits), dtype=float))
    return Stages(rows, decays, weights, largest)


def explained_roots(
    times: EvaluationTimes,
    kernel: Kernel,
    noise_variance: float,
    schedule: Schedule,
    columns: Columns,
    i: int,
) -> FloatArray:
    """(k, N) U with UᵀU = K − P_i, k the scheduled rounds before i; for any time kernel.

    The rows belong to the innovations of the scheduled observations, in order. O(k³ + k²N).
    """
    before = [j for j in schedule.rounds if j < i]
    points = list(schedule.points[: len(before)])
    if not before:
        return np.empty((0, len(columns(0))))
    known = np.array([columns(x) for x in points])
    at = np.array(before, dtype=np.int64)
    lags = times.some(at).distances(slice(None), slice(None))
    gram = known[:, points] * kernel.at_distance(lags)
    gram[np.diag_indices(len(before))] += noise_variance
    try:
        factor = linalg.cholesky(gram, lower=True)
    except linalg.LinAlgError:
        raise NumericalFailure(
            f"noise-variance = {noise_variance:g}: the schedule's matrix is singular to working "
            "precision; give a larger one"
        ) from None
    cross = known * kernel.at_distance(times.gaps(at, np.full_like(at, i)))[:, None]
    return np.asarray(linalg.solve_triangular(factor, cross, lower=True))


def spread_design(count: int, shape: tuple[int, ...]) -> IntArray:
    """Indices of about count^d points of a grid, the middles of equal cells along each axis.

    >>> spread_design(2, (5,))
    array([1, 3])
    """
    share = (np.arange(count) + 0.5) / count
    places = [np.unique(np.round(share * (q - 1)).astype(int)) for q in shape]
    grids = np.meshgrid(*places, indexing="ij")
    return np.asarray(np.ravel_multi_index([g.ravel() for g in grids], shape), dtype=np.int64)


def even_sequence(count: int, shape: tuple[int, ...]) -> IntArray:
    """Indices of `count` points of a grid, of which every beginning fills the box evenly.

    The multiples of (1/g, 1/g², …, 1/g^d) modulo 1, shifted by ½, with g the root above 1 of
    g^{d+1} = g + 1: the golden ratio on a line. Points of a coarse grid repeat.

    >>> even_sequence(4, (10,))
    array([1, 7, 3, 9])
    """
    root = 2.0
    for _ in range(64):  # the map contracts by a factor below 1/3
        root = (1.0 + root) ** (1.0 / (len(shape) + 1))
    powers = root ** -np.arange(1.0, len(shape) + 1.0)
    share = (0.5 + np.arange(1, count + 1)[:, None] * powers) % 1.0
    places = np.round(share * (np.array(shape) - 1)).astype(int)
    return np.asarray(np.ravel_multi_index(tuple(places.T), shape), dtype=np.int64)


def covering_order(gram: FloatArray, noise_variance: float, count: int, power: int) -> IntArray:
    """`count` points, each the one whose observation explains most, given those before it.

    What an observation of x explains is Σ_z |k(x, z)|^p / (k(x, x) + σ²)^{p/2} with the covariance
    given the points before it: for p = 2 the variance that it removes in sum, for large p the
    points near x of which little was known, and at last the variance at x alone.

    Parameters
    ----------
    gram : (N, N) covariances of the points
    noise_variance : σ² > 0
    count : 1 to N
    power : p, a power of 2

    O(count·N²) time.

    >>> covering_order(np.eye(3), 0.1, 2, 2).tolist()
    [0, 1]
    """
    left, order = np.array(gram, dtype=float, order="C"), np.empty(count, dtype=np.int64)
    worth = np.empty_like(left)
    for k in range(count):
        noisy = np.diagonal(left) + noise_variance
        np.divide(left, np.sqrt(noisy), out=worth)
        worth /= max(worth.max(), -worth.min())  # its powers stay in the range of doubles
        for _ in range(power.bit_length() - 1):
            worth *= worth
        x = first_largest(worth.sum(axis=0))
        order[k] = x
        column = left[:, x].copy()
        # In place: the matrix is symmetric, and the transposed array is in Fortran's order.
        linalg.blas.dger(-1.0 / noisy[x], column, column, a=left.T, overwrite_a=1)
    return order


def affordable(problem: Problem) -> bool:
    """Whether a schedule can be searched in a second or so, with two points or more."""
    size = problem.domain.size
    return 1 < size <= MOST_POINTS and size * (size - 1) // 2 * problem.n <= UNASKED


def refreshing_schedule(points: IntArray, n: int, first: int, period: int, last: int) -> Schedule:
    """Points in turn: one a round for `first` rounds, then one every `period` rounds up to `last`.

    A period of 0 means none after the first.

    >>> refreshing_schedule(np.array([4, 7]), 8, 2, 3, 6).rounds
    (0, 1, 4)
    """
    rounds = list(range(min(first, n)))
    if period > 0:
        rounds += list(range(first + period - 1, min(last, n), period))
    chosen = tuple(int(points[k % len(points)]) for k in range(len(rounds)))
    return Schedule(tuple(rounds), chosen)
