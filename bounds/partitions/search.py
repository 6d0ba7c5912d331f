"""The best partition for an objective, over all 2^(n−1) of them.

The objectives are those of `bounds.partitions.objectives`. Any non-decreasing γ list will do;
nothing here rests on its concavity.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Upper, matrices
from bounds.errors import NumericalFailure
from bounds.partitions.cells import ALL, Cells, SearchOptions
from bounds.partitions.drift import round_drift
from bounds.partitions.objectives import Objective, objective_named
from bounds.partitions.partition import Partition
from bounds.partitions.result import ROUNDING, SearchResult, checked_gains
from bounds.problem import Problem
from bounds.progress import Share, unwatched

WORK_LIMIT = 2_000_000_000
"""Pairs of rounds that a search may look at (some 60 s) before it turns to cells of rounds."""

# A search over caps that was given up this near the optimum needs no cells.
_NEAR = 0.01


def evaluate(
    objective: str, problem: Problem, gamma: ArrayLike, partition: Partition
) -> SearchResult:
    """The value of `objective` at a given partition, by formula and not by a search.

    `refined` takes the best centre of each block. O(n) for each block; see `best_center`.
    """
    prices = checked_gains(gamma, problem.n)
    return objective_named(objective).evaluate(problem, prices, partition)


def search(
    objective: str,
    problem: Problem,
    gamma: ArrayLike,
    *,
    work_limit: int = WORK_LIMIT,
    progress: Share = unwatched,
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
    `center_search`); `theorem1` repeats that for some intervals of the longest block. Beyond
    the limit: the optimum over cells of rounds, with a proved gap.

    Examples
    --------
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 0.0, 500.0, 0.0]))
    >>> search("refined", problem, [0.0, 2.0, 2.5, 2.9, 3.2]).partition.cuts
    (0, 2, 4)
    """
    prices = checked_gains(gamma, problem.n)[: problem.n + 1]
    sought = objective_named(objective)
    whole = sought.undivided(problem, prices)
    lengths = np.arange(1, problem.n + 1)
    # No round can cost less than the least price per round.
    least = problem.n * float(np.min(prices[1:] / lengths))
    if whole.value <= least:
        return _with_gap(whole, whole.value, exact=True)

    rounds = Cells.of_rounds(problem.times)
    options = SearchOptions(False, work_limit, progress)
    chain = sought.solve(problem, prices, rounds, options)
    if chain.complete and sought.is_searched_exactly(problem):
        result = sought.at_chain(problem, prices, chain)
        if abs(result.value - chain.value) > 1e-8 * (1.0 + abs(result.value)):
            raise NumericalFailure(
                f"the search found {chain.value!r}, its partition has {result.value!r}"
            )
        return _with_gap(result, result.value, exact=True)
    lower, best = chain.value, whole
    if chain.cuts:
        best = _less(best, sought.evaluate(problem, prices, Partition(chain.cuts)))
    if not chain.complete and best.value - lower > _NEAR * best.value:
        coarse, partition = _bracket(sought, problem, prices, progress)
        lower = max(lower, coarse)
        best = _less(best, sought.evaluate(problem, prices, partition))
    kernel = problem.time_kernel
    smooth = not sought.is_searched_exactly(problem)
    if smooth and not (kernel.is_nonnegative and kernel.is_nonincreasing):
        # The drift may fall with distance, which the search takes to rise: what is sure is this.
        lower = least
    return _with_gap(best, lower, exact=False)


def certified_value(problem: Problem, gamma: FloatArray, result: SearchResult) -> Upper | None:
    """An upper bound on the objective at the partition of a search result, hence on γ̃_n.

    Parameters
    ----------
    gamma : certified upper bounds on γ_0..γ_n, doubles taken as exact

    Returns None where an ingredient has no enclosure (the slope θ of smooth time kernels, a time
    kernel of one's own). Whether Theorem 1's hypothesis holds is not looked at here. Cost O(n)
    numbers.
    """
    objective = objective_named(result.objective)
    with enclosure.precision(matrices.WORKING_BITS):
        drift = objective.enclosed_drift(problem, result)
        if drift is None:
            return None
        return matrices.upward(objective.enclosed_gain(gamma, result.partition) + drift)


def _less(one: SearchResult, other: SearchResult) -> SearchResult:
    return min(one, other, key=lambda result: result.value)


def improve(
    problem: Problem, gamma: ArrayLike, current: SearchResult, others: Iterable[SearchResult]
) -> SearchResult:
    """`current`, or the same objective at the partition of another result where that is smaller.

    A search that gave up, or took other centres, may miss what the search for a looser objective
    saw. O(n) for each block of each partition that is tried; an exact result needs no trial.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 0.0, 5.0]))
    >>> gamma = [0.0, 2.0, 2.5, 2.9]
    >>> poor = evaluate("refined", problem, gamma, Partition((0, 1, 3)))
    >>> improve(problem, gamma, poor, [search("additive", problem, gamma)]).partition.cuts
    (0, 2, 3)
    """
    if current.exact:
        return current
    least, best = current.value * (1.0 - current.gap), current
    for partition in {other.partition.cuts: other.partition for other in others}.values():
        if partition != current.partition:
            new = evaluate(current.objective, problem, gamma, partition)
            best = new if new.value < best.value else best
    return best if best is current else _with_gap(best, least, exact=False)


def _with_gap(result: SearchResult, lower: float, *, exact: bool) -> SearchResult:
    gap = 0.0
    if not exact and result.value > 0:
        # NaN, of a value that was not searched, stays.
        gap = (result.value - lower) / result.value + ROUNDING
        gap = 0.0 if gap < 0.0 else gap
    return replace(result, exact=exact, gap=gap)


def _bracket(
    objective: Objective, problem: Problem, prices: FloatArray, progress: Share
) -> tuple[float, Partition]:
    """A lower bound on the optimum from cells of rounds, and a partition that comes near it."""
    waits = problem.times.waits[1:]
    wait_costs = round_drift(waits, problem.time_kernel, problem.noise_variance)
    fewest = objective.fewest_cells
    count = problem.n
    lower = -inf
    while True:
        # Coarser until it is affordable; the last size always is.
        count = max(count // 4, fewest)
        limit = ALL.work_limit if count == fewest else WORK_LIMIT // 4
        cells = Cells.coarse(problem.times, wait_costs, count)
        bound = objective.solve(problem, prices, cells, SearchOptions(True, limit, progress))
        lower = max(lower, bound.value)
        if bound.complete:
            primal = objective.solve(problem, prices, cells, SearchOptions(progress=progress))
            return lower, Partition(primal.cuts)
