"""The best partition for each of the three partition bounds on γ̃_n, over all 2^(n−1) of them.

- `theorem1`  N·γ_M + Σ_i ½ M_i φ(sε√(C_i/M_i)), M the longest block
- `additive`  Σ_i [γ_{M_i} + ½ M_i log(1 + sθ√(C_i/M_i))]
- `refined`   Σ_i [γ_{M_i} + ½ Σ_k log(1 + s(1 − k_time(τ_k, c_i)²))], best centres (Theorem A)

Any non-decreasing γ list will do; nothing here rests on its concavity.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf, isqrt, log

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray, Share
from bounds.errors import InvalidInput, NumericalFailure
from bounds.partitions.cells import Cells
from bounds.partitions.center_search import CenteredChain, Centers, search_by_centers
from bounds.partitions.drift import (
    Center,
    additive_drift,
    drift_at_center,
    refined_drift,
    round_drift,
    theorem1_drift,
)
from bounds.partitions.partition import Partition
from bounds.partitions.uniformity_search import CutChain, search_by_uniformity
from bounds.problem import Problem

OBJECTIVES = ("theorem1", "additive", "refined")

WORK_LIMIT = 4_000_000_000
"""Pairs of rounds that a search may look at (some 30 s) before it turns to cells of rounds."""

# Cells that a search can always take, whatever the times.
_FEWEST_CELLS = {"theorem1": 2_000, "additive": 20_000, "refined": 8_000}
_COARSE_WORK = {name: WORK_LIMIT // part for name, part in zip(OBJECTIVES, (8, 8, 40), strict=True)}
# A search over caps that was given up this near the optimum needs no cells.
_NEAR = 0.01
# Cells are no finer than this to begin with.
_CLOSE = 1e-3
# Candidate centres of a smooth kernel: enough for gaps of some 1e-6.
_PAIRS_OF_ROUNDS_AND_CENTERS = 10_000_000
_MOST_CENTERS = 100_000
# A lower bound and the value it is compared with are sums of up to n rounded terms.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The value of one objective at one partition; an upper bound on γ̃_n where γ is one.

    Attributes
    ----------
    objective : one of `OBJECTIVES`
    value, gain, drift : value = gain + drift, the γ part and the drift part, in nats
    partition : Partition
    centers : (N,) centre time of each block, for `refined`, as doubles; None for the others
    anchors : the same centres exactly, as what comes after which round
    exact : whether no partition (and no choice of centres) has a smaller value
    gap : proved upper bound on (value − optimum)/value; 0 where exact, NaN where nothing was
        searched (`evaluate`)
    """

    objective: str
    value: float
    gain: float
    drift: float
    partition: Partition
    centers: FloatArray | None
    exact: bool
    gap: float
    anchors: tuple[Center, ...] | None = None


def evaluate(
    objective: str, problem: Problem, gamma: ArrayLike, partition: Partition
) -> SearchResult:
    """The value of `objective` at a given partition, by formula and not by a search.

    `refined` takes the best centre of each block. O(n) for each block; see `best_center`.
    """
    prices = checked_gains(gamma, problem.n)
    if objective == "refined":
        centered = refined_drift(
            problem.times, partition, problem.time_kernel, problem.noise_variance
        )
        return _around(problem, prices, partition, float(centered.drift.sum()), centered.centers)
    drift = _drift(objective, problem, partition)
    gain = _gain(objective, prices, partition)
    return SearchResult(objective, gain + drift, gain, drift, partition, None, False, float("nan"))


def search(
    objective: str,
    problem: Problem,
    gamma: ArrayLike,
    *,
    work_limit: int = WORK_LIMIT,
    progress: Share | None = None,
) -> SearchResult:
    """The partition with the smallest value of `objective`, and how far from optimal it can be.

    Parameters
    ----------
    objective : "theorem1", "additive" or "refined"
    problem : Problem of n rounds
    gamma : (≥ n+1,) γ_0 = 0 ≤ γ_1 ≤ …; upper bounds on γ_m if the value is to bound γ̃_n
    work_limit : pairs of rounds to look at before the exact search is given up
    progress : called with the share done, between 0 and 1

    Returns
    -------
    SearchResult, `exact` unless the limit was met, or the time kernel is smooth (then the centres
    are real numbers, and `gap` bounds what a better choice of them could gain).

    Raises
    ------
    InvalidInput for an unknown objective or a γ list that is short or decreasing.

    Notes
    -----
    O(n·L) time, L the number of block starts worth keeping (see `uniformity_search` and
    `center_search`); `theorem1` repeats that for some dozens of caps on the block length. Beyond
    the limit: the optimum over cells of rounds, with a proved gap.

    Examples
    --------
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 0.0, 500.0, 0.0]))
    >>> search("refined", problem, [0.0, 2.0, 2.5, 2.9, 3.2]).partition.cuts
    (0, 2, 4)
    """
    prices = checked_gains(gamma, problem.n)[: problem.n + 1]
    if objective not in OBJECTIVES:
        raise InvalidInput("objective", objective, f"use {', '.join(OBJECTIVES)}")
    whole = _undivided(objective, problem, prices)
    lengths = np.arange(1, problem.n + 1)
    # No round can cost less than the least price per round.
    if whole.value <= problem.n * float(np.min(prices[1:] / lengths)):
        return _found(whole, whole.value, exact=True)

    rounds = Cells.of_rounds(problem.times)
    chain = _solve(objective, problem, prices, rounds, False, work_limit, progress)
    smooth = objective == "refined" and not problem.time_kernel.completely_monotone
    if chain.complete and not smooth:
        if isinstance(chain, CenteredChain):
            result = _evaluate_chain(problem, prices, chain)
        else:
            result = evaluate(objective, problem, prices, Partition(chain.cuts))
        if abs(result.value - chain.value) > 1e-8 * (1.0 + abs(result.value)):
            raise NumericalFailure(
                f"the search found {chain.value!r}, its partition has {result.value!r}"
            )
        return _found(result, result.value, exact=True)
    lower, candidates = chain.value, [whole.partition]
    if chain.cuts:
        candidates.append(Partition(chain.cuts))
    if not chain.complete:
        above = min(evaluate(objective, problem, prices, one).value for one in candidates)
        if above - lower > _NEAR * above:
            coarse, found = _bracket(objective, problem, prices, progress)
            lower = max(lower, coarse)
            candidates.append(found)
    kernel = problem.time_kernel
    if smooth and not (kernel.is_nonnegative and kernel.is_nonincreasing):
        # The drift may fall with distance, which the search takes to rise: what is sure is this.
        lower = problem.n * float(np.min(prices[1:] / lengths))
    results = (evaluate(objective, problem, prices, one) for one in candidates)
    return _found(min(results, key=lambda one: one.value), lower, exact=False)


def improve(
    problem: Problem, gamma: ArrayLike, found: SearchResult, others: Iterable[SearchResult]
) -> SearchResult:
    """`found`, or the same objective at the partition of another result where that is smaller.

    A search that gave up, or took other centres, may miss what the search for a looser objective
    saw. O(n) for each block of each partition that is tried; an exact result needs no trial.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 0.0, 5.0]))
    >>> gamma = [0.0, 2.0, 2.5, 2.9]
    >>> poor = evaluate("refined", problem, gamma, Partition((0, 3)))
    >>> improve(problem, gamma, poor, [search("additive", problem, gamma)]).partition.cuts
    (0, 2, 3)
    """
    if found.exact:
        return found
    least, best = found.value * (1.0 - found.gap), found
    for partition in {other.partition.cuts: other.partition for other in others}.values():
        if partition != found.partition:
            new = evaluate(found.objective, problem, gamma, partition)
            best = new if new.value < best.value else best
    return best if best is found else _found(best, least, exact=False)


def checked_gains(gamma: ArrayLike, n: int) -> FloatArray:
    """γ_0..γ_n as an array; raises InvalidInput where they are short, decreasing or not numbers."""
    try:
        values = np.array(gamma, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput("gamma", str(gamma), "give a list of numbers") from None
    if values.ndim != 1 or len(values) < n + 1:
        raise InvalidInput(
            "gamma", f"{values.size} values", f"give gamma_0..gamma_n, at least {n + 1} values"
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InvalidInput(f"gamma_{bad[0]}", float(values[bad[0]]), "give a finite number")
    if values[0] != 0:
        raise InvalidInput("gamma_0", float(values[0]), "the list starts with gamma_0 = 0")
    falls = np.flatnonzero(np.diff(values) < 0)
    if len(falls):
        m = int(falls[0]) + 1
        raise InvalidInput(
            f"gamma_{m}", float(values[m]), f"gains do not decrease (gamma_{m - 1} is larger)"
        )
    return values


def _gain(objective: str, prices: FloatArray, partition: Partition) -> float:
    lengths = np.array(partition.lengths)
    if objective == "theorem1":
        return float(len(lengths) * prices[lengths.max()])
    return float(prices[lengths].sum())


def _drift(objective: str, problem: Problem, partition: Partition) -> float:
    times, noise_variance = problem.times, problem.noise_variance
    if objective == "theorem1":
        return float(theorem1_drift(times, partition, problem.epsilon, noise_variance).sum())
    if objective == "additive":
        slope = problem.time_kernel.slope
        return float(additive_drift(times, partition, slope, noise_variance).sum())
    raise InvalidInput("objective", objective, f"use {', '.join(OBJECTIVES)}")


def _evaluate_chain(problem: Problem, prices: FloatArray, chain: CenteredChain) -> SearchResult:
    """Theorem A's value at the partition and the own-time centres of a chain, by formula."""
    partition = Partition(chain.cuts)
    anchors = tuple(Center(int(at)) for at in chain.centers)
    drift = 0.0
    for (start, end), at in zip(partition.blocks(), anchors, strict=True):
        block, own = problem.times.block(start, end), Center(at.round - start)
        drift += drift_at_center(block, own, problem.time_kernel, problem.noise_variance)
    return _around(problem, prices, partition, drift, anchors)


def _around(
    problem: Problem,
    prices: FloatArray,
    partition: Partition,
    drift: float,
    anchors: tuple[Center, ...],
) -> SearchResult:
    gain = _gain("refined", prices, partition)
    times = problem.times.times
    centers = np.array([times[at.round] + at.offset for at in anchors])
    return SearchResult(
        "refined", gain + drift, gain, drift, partition, centers, False, float("nan"), anchors
    )


def _undivided(objective: str, problem: Problem, prices: FloatArray) -> SearchResult:
    """All rounds in one block; for `refined` centred at the middle round, good or bad. O(n)."""
    whole = Partition((0, problem.n))
    if objective != "refined":
        return evaluate(objective, problem, prices, whole)
    middle = np.array([problem.n // 2])
    return _evaluate_chain(problem, prices, CenteredChain(inf, whole.cuts, 0, True, middle))


def _found(result: SearchResult, lower: float, *, exact: bool) -> SearchResult:
    gap = 0.0
    if not exact and result.value > 0:
        # NaN, of a value that was not searched, stays.
        gap = (result.value - lower) / result.value + _ROUNDING
        gap = 0.0 if gap < 0.0 else gap
    return replace(result, exact=exact, gap=gap)


def _bracket(
    objective: str, problem: Problem, prices: FloatArray, progress: Share | None
) -> tuple[float, Partition]:
    """A lower bound on the optimum from cells of rounds, and a partition that comes near it."""
    waits = problem.times.waits[1:]
    wait_costs = round_drift(waits, problem.time_kernel, problem.noise_variance)
    fewest = _FEWEST_CELLS[objective]
    count = problem.n
    lower = -inf
    while True:
        # Coarser until it is affordable; the last size always is.
        count = max(count // 4, fewest)
        limit = 2**62 if count == fewest else _COARSE_WORK[objective]
        cells = Cells.coarse(problem.times, wait_costs, count)
        bound = _solve(objective, problem, prices, cells, True, limit, progress)
        lower = max(lower, bound.value)
        if bound.complete:
            primal = _solve(objective, problem, prices, cells, False, 2**62, progress)
            return lower, Partition(primal.cuts)


def _solve(
    objective: str,
    problem: Problem,
    prices: FloatArray,
    cells: Cells,
    free_cuts: bool,
    work_limit: int,
    progress: Share | None,
) -> CutChain:
    """The optimum over the boundaries of `cells`; with `free_cuts` a lower bound on all of them."""
    if objective == "refined":
        if problem.time_kernel.completely_monotone:
            centers = Centers.of_cells(cells)
        else:
            rounds = len(cells.boundaries) - 1
            count = min(_MOST_CENTERS, _PAIRS_OF_ROUNDS_AND_CENTERS // rounds)
            centers = Centers.covering(cells, count, problem.time_kernel.reach(1e-3))
        return search_by_centers(
            cells, centers, problem.time_kernel, problem.noise_variance, prices,
            free_cuts=free_cuts, work_limit=work_limit, progress=progress,
        )  # fmt: skip
    if objective == "additive":
        return search_by_uniformity(
            cells, problem.time_kernel.slope, problem.noise_variance, prices,
            concave=True, free_cuts=free_cuts, work_limit=work_limit, progress=progress,
        )  # fmt: skip
    return _search_caps(
        cells, problem.epsilon, problem.noise_variance, prices, free_cuts, work_limit, progress
    )


def _search_caps(
    cells: Cells,
    epsilon: float,
    noise_variance: float,
    prices: FloatArray,
    free_cuts: bool,
    work_limit: int,
    progress: Share | None,
) -> CutChain:
    """Minimise N·γ_M + Σ ½ M_i φ(sε√(C_i/M_i)) by branch and bound over the longest block M.

    For M in [a, b] two lower bounds: the search with blocks of at most b rounds at the constant
    price γ_a, and n·min γ_M/M, as there are at least n/M blocks. The interval with the least bound
    is cut at √(ab), as γ changes by ratios of M, until the best partition seen, each at the price
    of its own longest block, attains it; then no other can win. Over cells of rounds it need not
    come nearer than `_CLOSE`. At the work limit the bound and that partition remain.
    """
    work, best = 0, inf
    cuts: tuple[int, ...] = ()

    def relaxed(a: int, b: int) -> CutChain:
        nonlocal work, best, cuts
        capped = np.full(len(prices), inf)
        capped[: b + 1] = prices[a]
        chain = search_by_uniformity(
            cells, epsilon, noise_variance, capped,
            concave=False, free_cuts=free_cuts, work_limit=work_limit - work,
        )  # fmt: skip
        work += chain.work
        if chain.complete:
            value = chain.value + (len(chain.cuts) - 1) * (prices[longest(chain)] - prices[a])
            if value < best:
                best, cuts = value, chain.cuts
        return chain

    def longest(chain: CutChain) -> int:
        return int(np.max(np.diff(chain.cuts), initial=0))

    def below(chain: CutChain, a: int, b: int) -> float:
        # Rounding must not lift the second bound above a value that attains it.
        return max(chain.value, n * float(np.min(rates[a : b + 1])) * (1.0 - _ROUNDING))

    n = len(prices) - 1
    rates = prices / np.maximum(1, np.arange(n + 1))
    slack = 1.0 + _CLOSE if len(cells.boundaries) <= n else 1.0
    chain = relaxed(1, n)
    if not chain.complete:
        return chain
    queue = [(below(chain, 1, n), 1, n, chain)]
    while True:
        lower, a, b, chain = heapq.heappop(queue)
        if free_cuts and prices[a] in (prices[b], prices[max(longest(chain), a)]):
            return CutChain(lower, chain.cuts, work, True)
        if best <= lower * slack:
            return CutChain(lower if free_cuts else best, cuts, work, True)
        if progress is not None:
            progress(1.0 - log(b / a) / log(n))
        middle = isqrt(a * b)
        left = chain if longest(chain) <= middle else relaxed(a, middle)
        right = relaxed(middle + 1, b)
        if not (left.complete and right.complete):
            # A cap that was not tried to the end might win: nothing is known beyond `lower`.
            return CutChain(lower, cuts, work, False)
        heapq.heappush(queue, (below(left, a, middle), a, middle, left))
        heapq.heappush(queue, (below(right, middle + 1, b), middle + 1, b, right))
