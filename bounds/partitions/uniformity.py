"""Evaluation time uniformity C = Σ_j Σ_k min(cap, (τ_j − τ_k)²), over the indices of a block.

The cap is 1/ε² in Theorem 1 as printed and 1/θ² in its repaired form; infinite where the rate
is 0. The sums run over ordered pairs of *indices*, so equal times count as often as they occur.
Nothing here subtracts two sums: equal times give exactly 0, whatever the times around them.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.compiled import compiled
from bounds.partitions.partition import Partition
from bounds.times import EvaluationTimes

LARGEST_TABLE = 400
"""Rounds up to which all pairs are looked at by numpy; beyond, a compiled loop."""


def cap_of(rate: float) -> float:
    """1/rate², the largest squared distance that counts; infinite at rate 0.

    >>> cap_of(0.5)
    4.0
    """
    if not rate >= 0:
        raise InvalidInput("rate", rate, "give a number of at least 0")
    squared = rate * rate
    return inf if squared == 0.0 else 1.0 / squared


def uniformity(times: EvaluationTimes, cap: float) -> float:
    """C of the whole sequence (the paper's C_{ε,T'} with cap 1/ε²).

    Parameters
    ----------
    times : EvaluationTimes of n rounds (use `times.block` for a part of them)
    cap : float ≥ 0, infinity allowed

    Cost O(n) time and memory: the uncapped pairs of round k form a window that slides to the
    right, and its count, mean and scatter are merged from two stacks without a subtraction.

    >>> uniformity(EvaluationTimes.from_durations([0.0, 1.0, 2.0]), cap=4.0)
    18.0
    """
    _require_cap(cap)
    if times.n <= LARGEST_TABLE:
        with np.errstate(over="ignore"):  # an infinite square counts with the cap
            return 2.0 * float(np.minimum(pair_distances(times.waits) ** 2, cap).sum())
    return float(_windowed(times.waits, np.sqrt(cap), cap))


def scaled_uniformity(times: EvaluationTimes, rate: float) -> float:
    """Σ_j Σ_k min(1, (rate·|τ_j − τ_k|)²) = rate²·C with cap 1/rate²; 0 at rate 0.

    At infinite rate (a kernel with no finite slope) it counts the ordered pairs of distinct times.
    The form in which C enters a bound: never an infinite cap times a vanishing rate. O(n).

    >>> scaled_uniformity(EvaluationTimes.from_durations([0.0, 1.0, 2.0]), rate=0.5)
    4.5
    """
    if rate == 0.0:
        return 0.0
    if np.isinf(rate):
        rises = np.flatnonzero(times.durations[1:] > 0) + 1
        ties = np.diff(np.concatenate(([0], rises, [times.n])))
        return float(times.n) ** 2 - float(np.sum(ties.astype(float) ** 2))
    return rate * (rate * uniformity(times, cap_of(rate)))


def scaled_uniformities(times: EvaluationTimes, partition: Partition, rate: float) -> FloatArray:
    """(N,) `scaled_uniformity` of each block; the distances of few rounds are looked at once."""
    blocks = list(partition.blocks())
    if times.n > LARGEST_TABLE or rate == 0.0 or np.isinf(rate) or len(blocks) == 1:
        return np.array([scaled_uniformity(times.block(a, b), rate) for a, b in blocks])
    with np.errstate(over="ignore"):
        pairs = np.minimum(pair_distances(times.waits) ** 2, cap_of(rate))
    return np.array([rate * (rate * (2.0 * float(pairs[a:b, a:b].sum()))) for a, b in blocks])


def uniformity_of_uniform(lengths: ArrayLike, spacing: float, cap: float) -> FloatArray:
    """C of blocks of `lengths` rounds that are `spacing` apart, in closed form for every real cap.

    With K the largest lag below both the length and √cap/spacing,
    C = 2h²·(i·K(K+1)(2K+1)/6 − K²(K+1)²/4) + cap·(i−1−K)(i−K), i the length, h the spacing.
    The printed Lemma 1 is this where n/(εT) is an integer, and differs elsewhere. The spacing and
    the cap may be infinite; h = rate × spacing and cap = 1 give rate²·C. O(1) for each length.

    >>> uniformity_of_uniform([1, 3], 1.0, cap=2.25).tolist()
    [0.0, 8.5]
    """
    _require_cap(cap)
    i = np.asarray(lengths, dtype=float)
    if np.any(i < 1.0) or not spacing >= 0:
        raise InvalidInput("length, spacing", (lengths, spacing), "give length >= 1, spacing >= 0")
    if spacing == 0.0 or cap == 0.0:
        return np.zeros_like(i)
    lags = np.minimum(i - 1.0, np.floor(sqrt(cap) / spacing))
    near = i * lags * (lags + 1.0) * (2.0 * lags + 1.0) / 6.0 - (lags * (lags + 1.0) / 2.0) ** 2
    far = (i - 1.0 - lags) * (i - lags)
    square = np.where(lags > 0.0, spacing, 0.0) ** 2
    return np.asarray(2.0 * square * near + np.where(far > 0.0, cap, 0.0) * far)


def uniformity_lemma1(n: int, total: float, epsilon: float, length: int) -> float:
    """C of `length` consecutive rounds of the uniform setting, as Lemma 1 prints it.

    Both printed cases, split at length ≤ n/(εT). The second is exact only where n/(εT) is an
    integer; `uniformity_of_uniform` is right everywhere.
    """
    spacing = total / n
    i = float(length)
    if epsilon * spacing * i <= 1:
        return spacing**2 * i**2 * (i**2 - 1) / 6
    reach = 1 / (epsilon * spacing)
    bracket = reach**3 / 2 - 4 / 3 * i * reach**2 + (i**2 - 0.5) * reach + i / 3
    return spacing / epsilon * bracket


def _require_cap(cap: float) -> None:
    if not cap >= 0:
        raise InvalidInput("cap", cap, "give a number of at least 0, or infinity")


def pair_distances(waits: FloatArray) -> FloatArray:
    """(n, n) τ_k − τ_a for a < k, else 0, each the sum of the waits in between from k downward."""
    n = len(waits)
    places = np.arange(n)
    distances = np.zeros((n, n))
    inside = np.where(places[1:] <= places[:, None], waits[1:], 0.0)  # no wait beyond k counts
    inside[:, ::-1].cumsum(axis=1, out=distances[:, -2::-1])
    return distances


class _Spread(NamedTuple):
    """Some rounds: their number, their mean distance from a later round, and Σ(τ − mean)²."""

    rounds: float
    distance: float
    scatter: float


@compiled()
def _windowed(waits: FloatArray, reach: float, cap: float) -> float:  # pragma: no cover
    """2 Σ_k [Σ_{a in window of k} (τ_k − τ_a)² + cap·(rounds before the window)].

    The window of k holds the a < k with τ_k − τ_a < reach. It is a queue made of two stacks:
    `front` has the spread of the rounds a … middle − 1 seen from the last of them, the running
    values that of the rounds middle … k − 1 seen from round k. All distances are sums of waits.
    """
    n = len(waits)
    front = np.zeros((n + 1, 3))
    age = np.zeros(n + 1)  # τ_{middle−1} − τ_a
    first, middle = 0, 0
    back = _Spread(0.0, 0.0, 0.0)  # seen from round k
    passed = 0.0  # τ_k − τ_{middle−1}
    total = 0.0
    for k in range(n):
        wait = waits[k]
        passed += wait
        back = _Spread(back.rounds, back.distance + wait, back.scatter)
        while first < k:
            if first == middle:
                # The front is used up: turn the back stack over.
                distance, scatter, older = 0.0, 0.0, 0.0
                for a in range(k - 1, middle - 1, -1):
                    inside = float(k - 1 - a)
                    if a < k - 1:
                        older += waits[a + 1]
                    apart = older - distance
                    scatter += apart * apart * (inside / (inside + 1.0))
                    distance += apart / (inside + 1.0)
                    front[a, 0], front[a, 1], front[a, 2] = inside + 1.0, distance, scatter
                    age[a] = older
                middle = k
                back = _Spread(0.0, 0.0, 0.0)
                passed = wait
            if age[first] + passed < reach:
                break
            first += 1
        if first < middle:
            old = _Spread(front[first, 0], front[first, 1], front[first, 2])
            total += _about(old, old.distance + passed)
        total += _about(back, back.distance)
        if first > 0:
            total += cap * first
        # Round k joins the back.
        count = back.rounds + 1.0
        scatter = back.scatter + back.distance * back.distance * (back.rounds / count)
        back = _Spread(count, back.distance * (back.rounds / count), scatter)
    return 2.0 * total


@compiled()
def _about(some: _Spread, distance: float) -> float:  # pragma: no cover
    """Σ (τ − c)² for a c that is `distance` from the mean."""
    return some.scatter + some.rounds * distance * distance
