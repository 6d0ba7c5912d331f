"""Designs of large gain on a grid: greedy selection and exchange; the lower side of γ_m.

Selection only has to be good, not exact: every value is that of a design, from its Gram matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.grid_kernel import GridKernel
from bounds.information import gain, sequential_gains
from bounds.kernels import Kernel
from bounds.relaxed_design import nodes, relaxation_path

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LONGEST_EXCHANGE = 400
"""Rounds up to which designs are built point by point; beyond, weights are rounded."""

_EXCHANGE_WORK = 1.5e9
_LARGEST_SUPPORT = 2_500
_LEAST_STEP = 1e-4  # relative growth of the determinant for which a point is exchanged


@dataclass(frozen=True, eq=False)
class GainDesigns:
    """Lower bounds on γ_0..γ_n, in nats, with the designs that attain most of them.

    Attributes
    ----------
    values : (n+1,) non-decreasing, values[0] = 0
    sequences : grid indices; the first m entries of one of them are a design for m rounds
    sequence_of : (n+1,) which sequence values[m] belongs to, or −1 where the value follows from
        those at other m (γ does not decrease, and γ_m ≥ (m/m')γ_{m'} for m ≤ m')
    certified : floating point is never certified
    """

    values: FloatArray
    sequences: tuple[IntArray, ...]
    sequence_of: IntArray
    certified: bool = False

    @property
    def n(self) -> int:
        """The largest m."""
        return len(self.values) - 1

    def indices(self, m: int) -> IntArray | None:
        """(m,) indices of a design of gain values[m], repeats allowed; None if none is kept."""
        sequence = int(self.sequence_of[m])
        return self.sequences[sequence][:m] if sequence >= 0 else None


def space_gain_lower(kernel: Kernel, domain: Grid, noise_variance: float, n: int) -> GainDesigns:
    """Lower bounds on γ_m, m = 0..n.

    Up to 400 rounds: greedy selection, improved at some m by exchanging points one by one; from
    there on to the next such m by adding the best point, and back to the last by dropping the
    least useful one. Beyond: the weights of relaxed designs, rounded to multiplicities, at some m.

    Raises InvalidInput for n < 1.

    Cost O(N m) for each point added or exchanged, memory O(N m), m ≤ 400.

    >>> from bounds.kernels import SquaredExponential
    >>> lower = space_gain_lower(SquaredExponential(0.2), Grid(1, 1.0, 10), 0.01, 3)
    >>> sorted(lower.indices(2))
    [0, 9]
    """
    if n < 1:
        raise InvalidInput("n", n, "give at least 1 round")
    grid_kernel = GridKernel(kernel, domain)
    values = np.zeros(n + 1)
    sequence_of = np.full(n + 1, -1)
    sequences: list[IntArray] = []

    def offer(sequence: IntArray, shortest: int) -> None:
        gram = grid_kernel.gram(sequence, sequence)
        gains = np.cumsum(sequential_gains(gram, noise_variance))
        m = np.arange(max(shortest, 1), len(sequence) + 1)
        better = m[gains[m - 1] > values[m]]
        if len(better):
            values[better] = gains[better - 1]
            sequence_of[better] = len(sequences)
            sequences.append(sequence)

    exchange = ExchangeableDesign(grid_kernel, noise_variance, min(n, LONGEST_EXCHANGE))
    stops = nodes(min(n, LONGEST_EXCHANGE))
    last = 0
    for stop in stops:
        while exchange.length < stop:
            exchange.append(exchange.best_addition())
        offer(exchange.points, last)
        exchange.improve(_EXCHANGE_WORK / len(stops))
        offer(exchange.drop_order(last), last)
        last = stop
    if n > LONGEST_EXCHANGE:
        for points, counts in _rounded_designs(grid_kernel, noise_variance, n):
            gram = grid_kernel.gram(points, points)
            value = gain_of_multiplicities(gram, counts, noise_variance)
            rounds = int(counts.sum())
            if value > values[rounds]:
                values[rounds] = value
                sequence_of[rounds] = len(sequences)
                sequences.append(np.repeat(points, counts))
        _fill(values)
    better = np.flatnonzero(np.maximum.accumulate(values) > values)
    sequence_of[better] = -1
    return GainDesigns(np.maximum.accumulate(values), tuple(sequences), sequence_of)


def _fill(values: FloatArray) -> None:
    """Between known lower bounds, γ_m ≥ (m/m')γ_{m'} for the next known m' > m."""
    known = np.flatnonzero(values)
    m = np.arange(1, len(values))
    following = known[np.minimum(np.searchsorted(known, m), len(known) - 1)]
    values[1:] = np.maximum(values[1:], values[following] * (m / following))


def _rounded_designs(
    grid_kernel: GridKernel, noise_variance: float, n: int
) -> Iterator[tuple[IntArray, IntArray]]:
    """Points and multiplicities of designs for some rounds beyond `LONGEST_EXCHANGE`."""
    for _, design in relaxation_path(grid_kernel, noise_variance, n):
        if design.n > LONGEST_EXCHANGE:
            weights = np.zeros(grid_kernel.size)
            shares = design.weights / grid_kernel.orbit_sizes
            for image in grid_kernel.reflections:
                weights[image[grid_kernel.orthant]] = shares
            yield round_weights(weights, design.n)


def round_weights(weights: FloatArray, rounds: int) -> tuple[IntArray, IntArray]:
    """Points and multiplicities that sum to `rounds`, in the proportions of the weights.

    Rounded down first; the rounds that remain go to the largest remainders.

    >>> round_weights(np.array([0.5, 0.0, 0.3, 0.2]), 5)
    (array([0, 2, 3]), array([3, 1, 1]))
    """
    points = np.argsort(-weights, kind="stable")[: min(_LARGEST_SUPPORT, len(weights))]
    exact = rounds * weights[points] / weights[points].sum()
    counts = np.floor(exact + 1e-9).astype(np.int64)
    missing = rounds - int(counts.sum())
    counts[np.argsort(-(exact - counts), kind="stable")[: max(missing, 0)]] += 1
    order = np.argsort(points[counts > 0])
    return points[counts > 0][order], counts[counts > 0][order]


def gain_of_multiplicities(gram: FloatArray, counts: IntArray, noise_variance: float) -> float:
    """Gain of a design that repeats each point: ½ log det(I + C^½KC^½/σ²), C = diag(counts).

    >>> gain_of_multiplicities(np.eye(1), np.array([3]), 1.0).__round__(6)  # ½ log 4
    0.693147
    """
    roots = np.sqrt(counts.astype(float))
    return gain(gram * np.outer(roots, roots), noise_variance)


class ExchangeableDesign:
    """A design under construction: points are added, dropped and exchanged at O(N·m) each.

    With C = (K_SS + σ²I)⁻¹ it keeps U = C K_{S,D} and the posterior variances over the grid. The
    numbers drift with rounding: they only guide the selection.
    """

    def __init__(self, grid_kernel: GridKernel, noise_variance: float, capacity: int) -> None:
        self._kernel = grid_kernel
        self._noise = noise_variance
        self._points = np.zeros(capacity, dtype=np.int64)
        self._cross = np.zeros((capacity, grid_kernel.size))
        self._solved = np.zeros((capacity, grid_kernel.size))
        self._precision = np.zeros((capacity, capacity))
        self._variance = np.ones(grid_kernel.size)
        self.length = 0

    @property
    def points(self) -> IntArray:
        """(m,) a copy of the grid indices, in no particular order after an exchange."""
        return self._points[: self.length].copy()

    def best_addition(self) -> int:
        """The grid point of largest posterior variance."""
        return int(np.argmax(self._variance))

    def append(self, point: int) -> None:
        """Add one round at `point`."""
        m = self.length
        column = self._kernel.column(point)
        solved = self._solved[:m, point].copy()
        covariance = column - solved @ self._cross[:m]
        scale = 1.0 / (max(float(self._variance[point]), 0.0) + self._noise)
        self._rank_one(m, solved * scale, covariance)
        C = self._precision
        C[:m, :m] += scale * np.outer(solved, solved)
        C[:m, m] = C[m, :m] = -scale * solved
        C[m, m] = scale
        self._points[m], self._cross[m] = point, column
        self._solved[m] = scale * covariance
        self._variance -= scale * covariance**2
        self.length = m + 1

    def remove(self, position: int) -> None:
        """Drop the round at `position`; the last round takes its place."""
        m = self.length
        C = self._precision
        row, column = self._solved[position].copy(), C[:m, position].copy()
        pivot = column[position]
        self._variance += row**2 / pivot
        self._rank_one(m, column / pivot, row)
        C[:m, :m] -= np.outer(column / pivot, column)
        last = m - 1
        for rows in (self._points, self._cross, self._solved):
            rows[position] = rows[last]
        C[position, :m] = C[last, :m]
        C[:m, position] = C[:m, last]
        self.length = last

    def improve(self, work: float) -> None:
        """Exchange points one by one for the best grid point, until none helps or work runs out."""
        cost = 6.0 * self.length * self._kernel.size
        unchanged = 0
        position = 0
        while unchanged < self.length and work > 0.0:
            pivot = self._precision[position, position]
            score = (self._variance + self._noise) * pivot + self._solved[position] ** 2
            best = int(np.argmax(score))
            if score[best] > 1.0 + _LEAST_STEP:
                # The last round moves into the hole and the new one to the end: look there again.
                self.remove(position)
                self.append(best)
                unchanged = 0
                work -= cost
            else:
                unchanged += 1
                position += 1
            work -= 4.0 * self._kernel.size
            if position >= self.length:
                position = 0

    def drop_order(self, shortest: int) -> IntArray:
        """The design, its least useful points last, down to `shortest` points."""
        alive = list(range(self.length))
        C = self._precision[: self.length, : self.length].copy()
        dropped: list[int] = []
        while len(alive) > max(shortest, 1):
            at = int(np.argmax(C[alive, alive]))
            worst = alive.pop(at)
            dropped.append(worst)
            C -= np.outer(C[:, worst], C[worst] / C[worst, worst])
        return self._points[np.array(alive + dropped[::-1], dtype=np.int64)]

    def _rank_one(self, m: int, left: FloatArray, right: FloatArray) -> None:
        """U[:m] ← U[:m] − left·rightᵀ, in place."""
        if m:
            blas.dger(-1.0, right, left, a=self._solved[:m].T, overwrite_a=1)
