"""Designs of large gain on a grid: greedy selection, exchange, rounding; the lower side of γ_m.

Selection only has to be good, not exact: every value is that of a design, from its Gram matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Domain, FiniteKernel
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.numerics.threads import one_blas_thread
from bounds.numerics.ties import TIE
from bounds.progress import Share, unwatched
from bounds.static_gain.exchange import ExchangeableDesign
from bounds.static_gain.information import gain_rounded_down, sequential_gains
from bounds.static_gain.relaxation import RelaxedDesign, nodes, relaxation_path, thinned

LONGEST_EXCHANGE, LONGEST_GROWTH = 400, 1_500
"""Rounds up to which points are exchanged, and up to which they are added one by one."""

_EVERY_STOP = 64  # rounds up to which points are exchanged at every number of them
_STEP = 1.06  # ratio of the numbers of rounds at which points are exchanged
_STEP_BETWEEN = 1.3  # between those that were asked for
_EXCHANGE_WORK = 1.5e9  # multiplications, for all exchanges together; for additions as many
_SHAKEN_WORK = 8e9  # multiplications, for all designs that are disturbed and improved again
_DISTURBED = 5  # a design loses up to one round in so many
_MOST_SHAKEN = 40
_FEWEST_STOPS = 10  # that share the work of shaking
_LARGEST_SUPPORT = 2_500


@dataclass(frozen=True, eq=False)
class GainDesigns:
    """Lower bounds on γ_0..γ_n, in nats, with the designs that attain most of them.

    Attributes
    ----------
    values : (n+1,) non-decreasing, values[0] = 0
    sequences : grid indices; the first m entries of one of them are a design for m rounds
    sequence_of : (n+1,) which sequence values[m] belongs to, or −1 where the value follows from
        those at other m (γ does not decrease, and γ_m ≥ (m/m')γ_{m'} for m ≤ m')
    """

    values: FloatArray
    sequences: tuple[IntArray, ...]
    sequence_of: IntArray


def space_gain_lower(
    kernel: Kernel,
    domain: Domain,
    noise_variance: float,
    n: int,
    advance: Share = unwatched,
    *,
    at: Sequence[int] | None = None,
) -> GainDesigns:
    """Lower bounds on γ_m, m = 0..n.

    Up to 400 rounds: greedy selection, improved at some m by exchanging points one by one; from
    there on to the next such m by adding the best point, and back to the last by dropping the
    least useful one. Then by adding points as far as the work allows. Beyond: the weights of
    relaxed designs, rounded to multiplicities, at some m.

    Parameters
    ----------
    kernel : Kernel of unit variance
    domain : Domain of N points
    noise_variance : float > 0, σ²
    n : int ≥ 1
    advance : called with the share of the work that is done
    at : the m ≤ n that are asked about, at which the work is done; by default all

    Raises InvalidInput for n < 1. Cost: O(N m) time for each point added or exchanged, O(N m)
    memory; beyond that the cost of `relaxation_path`.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> lower = space_gain_lower(SquaredExponential(0.2), Grid(1, 1.0, 10), 0.01, 3)
    >>> sorted(lower.sequences[lower.sequence_of[2]][:2].tolist())
    [0, 9]
    """
    if n < 1:
        raise InvalidInput("n", n, "give at least 1 round")
    grid_kernel = domain.restricted(kernel)
    record = _Record(grid_kernel, noise_variance, n)
    with one_blas_thread():  # as in `upper_curve`
        longest = _build_up(grid_kernel, noise_variance, n, at, record, advance)
        beyond = [m for m in (nodes(n) if at is None else thinned([*at, n])) if m > longest]
        if beyond:
            path = relaxation_path(grid_kernel, noise_variance, beyond)
            for relaxed, rounds in _to_be_rounded(path, at, longest):
                record.offer_counts(*rounded_design(grid_kernel, relaxed, rounds))
    return record.result()


def _build_up(
    grid_kernel: FiniteKernel,
    noise_variance: float,
    n: int,
    at: Sequence[int] | None,
    record: _Record,
    advance: Share,
) -> int:
    """Designs point by point; returns up to how many rounds."""
    # Additions up to m take N·m²/2 multiplications.
    longest = int((2.0 * _EXCHANGE_WORK / grid_kernel.size) ** 0.5)
    longest = min(n, LONGEST_GROWTH, max(16, longest))
    exchanged = min(longest, LONGEST_EXCHANGE)
    design = ExchangeableDesign(grid_kernel, noise_variance, longest)
    work_left, last = _EXCHANGE_WORK, 0
    every_stop = range(1, min(exchanged, _EVERY_STOP) + 1)
    if at is None:
        stops = shaken = sorted({*every_stop, *nodes(exchanged, _STEP)})
    else:
        more = thinned([*(m for m in at if m < exchanged), exchanged], _STEP)
        shaken = sorted({*(m for m in at if m in every_stop), *more})
        stops = sorted({*shaken, *nodes(exchanged, _STEP_BETWEEN)})
    shaken_work = _SHAKEN_WORK / max(len(shaken), _FEWEST_STOPS)
    for position, stop in enumerate(stops):
        advance(position / len(stops))
        design.grow(stop)
        record.offer(design.points, last)
        cost = 2.0 * (grid_kernel.size + stop) * stop
        done = design.improve(int(work_left / (len(stops) - position) / cost) + 1)
        work_left -= done * cost
        record.offer(design.drop_order(last), last)
        if stop in shaken:
            tries = int(shaken_work / (2.0 * stop * cost))
            design = _shaken(grid_kernel, noise_variance, design, min(tries, _MOST_SHAKEN))
            record.offer(design.drop_order(last), last)
        last = stop
    if longest > exchanged:
        design.grow(longest)
        record.offer(design.points, last)
    return longest


def _shaken(
    grid_kernel: FiniteKernel,
    noise_variance: float,
    design: ExchangeableDesign,
    tries: int,
) -> ExchangeableDesign:
    """The best of a design and of those found from it with some rounds at random points.

    Exchanging rounds one by one ends where no single one helps; the maximum may be elsewhere. The
    random numbers are the same in every call. Up to 2m exchanges for each try.
    """
    rng = np.random.default_rng(design.length)

    def gain(candidate: ExchangeableDesign) -> float:
        gram = grid_kernel.gram(candidate.points, candidate.points)
        return float(np.sum(sequential_gains(gram, noise_variance)))

    best = gain(design)
    for _ in range(tries):
        count = int(rng.integers(1, max(2, design.length // _DISTURBED + 1)))
        chosen = rng.choice(design.length, min(count, design.length), replace=False)
        other = design.moved(chosen, rng.integers(0, grid_kernel.size, len(chosen)))
        other.improve(2 * design.length)
        value = gain(other)
        if value > best * (1.0 + TIE):
            design, best = other, value
    return design


class _Record:
    """The best gain seen for each m."""

    def __init__(self, grid_kernel: FiniteKernel, noise_variance: float, n: int) -> None:
        self._kernel, self._noise = grid_kernel, noise_variance
        self._values = np.zeros(n + 1)
        self._sequence_of = np.full(n + 1, -1)
        self._sequences: list[IntArray] = []

    def offer(self, sequence: IntArray, shortest: int) -> None:
        """Designs that are the first m of a sequence, m ≥ `shortest`; O(m³/3)."""
        gains = np.cumsum(sequential_gains(self._kernel.gram(sequence, sequence), self._noise))
        self._keep(np.arange(max(shortest, 1), len(sequence) + 1), gains, sequence)

    def offer_counts(self, points: IntArray, counts: IntArray) -> None:
        """A design that repeats points."""
        value = gain_of_counts(self._kernel.gram(points, points), counts, self._noise)
        gains = np.full(int(counts.sum()), value)
        self._keep(np.array([len(gains)]), gains, np.repeat(points, counts))

    def _keep(self, m: IntArray, gains: FloatArray, sequence: IntArray) -> None:
        better = m[gains[m - 1] > self._values[m] * (1.0 + TIE)]
        if len(better):
            self._values[better] = gains[better - 1]
            self._sequence_of[better] = len(self._sequences)
            self._sequences.append(sequence)

    def result(self) -> GainDesigns:
        """What follows for every m from the designs seen."""
        values = self._values
        known = np.flatnonzero(values)
        m = np.arange(1, len(values))
        # The next m' at which a design is known: an average of its subsets of m rounds has
        # m/m' of its gain (Han's inequality).
        following = known[np.minimum(np.searchsorted(known, m), len(known) - 1)]
        implied = np.zeros_like(values)
        implied[1:] = values[following] * np.minimum(m / following, 1.0)
        implied = np.maximum.accumulate(np.maximum(implied, values))
        sequence_of = np.where(implied > values, -1, self._sequence_of)
        return GainDesigns(implied, tuple(self._sequences), sequence_of)


def _to_be_rounded(
    path: Iterable[RelaxedDesign], at: Sequence[int] | None, longest: int
) -> Iterator[tuple[RelaxedDesign, int]]:
    """Relaxed designs, from the largest down, each with the rounds for which it is rounded.

    Rounds that are asked about, if more than `longest`, are served by the least design above them.
    By default a design serves rounds between half its own and its own, few where one is expensive.
    """
    for relaxed, smaller in pairwise(chain(path, [None])):
        assert relaxed is not None
        if at is None:
            count = 12 if len(relaxed.weights) <= 100 else 3
            served = [round(relaxed.n * 2.0 ** (-i / count)) for i in range(count)]
        else:
            least = longest if smaller is None else smaller.n
            served = [relaxed.n, *(m for m in at if least < m < relaxed.n)]
        for rounds in served:
            yield relaxed, rounds


def rounded_design(
    grid_kernel: FiniteKernel, relaxed: RelaxedDesign, rounds: int
) -> tuple[IntArray, IntArray]:
    """Grid points and multiplicities near the weights of a relaxed design, for some rounds.

    Neighbours share what rounding takes from each: along a Morton curve through the heaviest 2,500
    points, multiplicities are differences of rounded cumulative sums.
    """
    weights = np.zeros(grid_kernel.size)
    shares = relaxed.weights / grid_kernel.orbit_sizes
    for image in grid_kernel.reflections:
        weights[image[grid_kernel.orthant]] = shares
    heaviest = np.argsort(-np.round(weights / weights.max(), 9), kind="stable")[:_LARGEST_SUPPORT]
    points = heaviest[np.argsort(_morton(grid_kernel.coordinates[heaviest]), kind="stable")]
    counts = round_weights(weights[points], rounds)
    return points[counts > 0], counts[counts > 0]


def round_weights(weights: FloatArray, rounds: int) -> IntArray:
    """Whole numbers that sum to `rounds`, every run of them within 1 of its share of the weights.

    >>> round_weights(np.array([0.3, 0.3, 0.4]), 5)
    array([2, 1, 2])
    """
    cumulative = np.cumsum(weights) / np.sum(weights)
    # Halves, which symmetric weights have, are rounded up on every processor.
    marks = np.floor(cumulative * rounds + 0.5 + TIE).astype(np.int64)
    marks[-1] = rounds
    return np.diff(marks, prepend=0)


def gain_of_counts(gram: FloatArray, counts: IntArray, noise_variance: float) -> float:
    """Gain of a design that repeats each point: ½ log det(I + C^½KC^½/σ²), C = diag(counts).

    Rounded down to first order, as by `gain_rounded_down`.

    >>> gain_of_counts(np.eye(1), np.array([3]), 1.0).__round__(6)  # ½ log 4
    0.693147
    """
    roots = np.sqrt(counts.astype(float))
    return gain_rounded_down(gram * np.outer(roots, roots), noise_variance)


def _morton(coordinates: IntArray) -> IntArray:
    """Position of grid points on the curve that interleaves the bits of their coordinates."""
    dimension = coordinates.shape[1]
    key = np.zeros(len(coordinates), dtype=np.int64)
    for bit in range(63 // dimension):
        for axis in range(dimension):
            key |= ((coordinates[:, axis] >> bit) & 1) << (bit * dimension + axis)
    return key
