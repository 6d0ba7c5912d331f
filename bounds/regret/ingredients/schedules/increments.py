"""Lemma SF as a ceiling: a schedule, and how well its data tell differences of values.

A schedule says which rounds look where; the largest posterior mean is played elsewhere. With p_k
the largest quotient, right after look k at round i_k,

    p_k = max over x ≠ y of Var(f(x) − f(y) | scheduled)/Var(f(x) − f(y)),

a scheduled round costs m* and a round i up to the next look m*·(1 − √(1−p_k)·k_time(τ_{i_k}, τ_i)),
since drift moves every quotient towards 1 alike. In all, w_k = Σ k_time over the rounds up to the
next look,

    E R_n ≤ m*·[n − Σ_k √(1−p_k)·w_k].

See docs/theory.md#lemma-sf. No simulation. Theorem R asks for P ⪯ pK, so that p_k is never above
the p of that theorem for the same schedule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray, IntArray
from bounds.drifting_gain.certified import wait_decays
from bounds.enclosure import Number, matrices
from bounds.errors import InvalidInput, NoEnclosure
from bounds.partitions.partition import Partition
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.block_looks import (
    BlockCeiling,
    block_schedule,
    designs,
    growing_schedule,
    least_block_ceiling,
    long_enough,
    pairs,
)
from bounds.regret.ingredients.schedules.schedule import MOST_POINTS, Schedule, affordable
from bounds.smooth.block_search import best_blocks, greedy_cuts
from bounds.smooth.order import block_prices, least_order, renewed, step_shares

MOST_ENCLOSED = 400_000
"""Pairs of points × looks up to which the quotients are enclosed, a second or two."""

_SPREAD = 100  # points of a larger domain that a design is chosen from
_RATES = (0.5, 1.0, 2.0, 4.0)  # of looks in a block, in units of σ√r


@dataclass(frozen=True)
class IncrementsCeiling:
    """E R_n ≤ value·m* for one schedule.

    Attributes
    ----------
    value : n − Σ √(1−p_k)·w_k, at most n
    schedule : the rounds that look, and their points
    rule : the schedule in words
    """

    value: float
    schedule: Schedule
    rule: str

    def to_dict(self) -> dict[str, object]:
        """As it stands in JSON."""
        points = sorted(set(self.schedule.points))
        return {
            "value": self.value,
            "points": points,
            "rounds": list(self.schedule.rounds),
            "rule": self.rule,
        }


def quotients(
    prior: Any, differences: tuple[IntArray, IntArray, Any], noise: Any, kept: Any, looks: Schedule
) -> Iterator[Any]:
    """Var(f(x) − f(y) | scheduled)/d_K² of all pairs right after each look.

    In doubles or balls, by what the arrays hold: `prior` K, `differences` of `block_looks.pairs`,
    `kept` the products of 1 − d from each look to the next, 1 for the first.
    """
    first, second, apart = differences
    used = sorted(set(looks.points))
    place = {z: k for k, z in enumerate(used)}
    fresh = prior[used]
    columns, left = fresh, apart / apart
    for z, stay in zip(looks.points, kept, strict=True):
        columns, left = stay * columns + (1 - stay) * fresh, stay * left + (1 - stay)
        column = columns[place[z]]
        variance = column[z] + noise
        moved = column[first] - column[second]
        left = left - moved * moved / (variance * apart)
        columns = columns - columns[:, z][:, None] * column[None, :] / variance
        yield left


def ceiling_at(problem: Problem, schedule: Schedule, rule: str = "") -> IncrementsCeiling:
    """The ceiling of one schedule, in units of m*. O(N²) a look.

    Raises InvalidInput for a time kernel that is not Markov, and for many points.
    """
    prior = correlations(problem)
    schedule.require(problem.n, len(prior))
    roots = np.sqrt(1.0 - renewed(problem))
    return _ceiling(prior, pairs(prior), problem.noise_variance, roots, schedule, rule)


def _ceiling(
    prior: FloatArray,
    differences: tuple[IntArray, IntArray, FloatArray],
    noise: float,
    roots: FloatArray,
    schedule: Schedule,
    rule: str,
    below: float = inf,
) -> IncrementsCeiling:
    """Infinite, as soon as it is plain, where the ceiling is not below that."""
    kept, weights = gaps_between(roots, schedule.rounds, 1.0, 0.0)
    lost = float(len(roots))
    to_come = float(sum(weights))
    # What rounding does to sums of so many numbers of at most n is far less.
    below += 1e-9 * len(roots)
    left_by_look = quotients(prior, differences, noise, kept, schedule)
    for weight, left in zip(weights, left_by_look, strict=True):
        lost -= float(weight) * sqrt(max(0.0, 1.0 - float(np.max(left, initial=0.0))))
        to_come -= float(weight)
        if lost - to_come > below:
            return IncrementsCeiling(inf, schedule, rule)
    return IncrementsCeiling(lost, schedule, rule)


def gaps_between(
    roots: Any, rounds: tuple[int, ...], one: Any, zero: Any
) -> tuple[list[Any], list[Any]]:
    """Of each look Π(1 − d) since the look before, and w; `roots` are √(1 − d_i)."""
    kept: list[Any] = []
    weights: list[Any] = []
    ends = (*rounds[1:], len(roots))[: len(rounds)]
    reach = one
    for begin, end in zip(rounds, ends, strict=True):
        kept.append(reach * reach if kept else one)
        reach, weight = one, zero
        for i in range(begin + 1, end):
            reach = reach * roots[i]
            weight = weight + reach
        weights.append(weight)
        if end < len(roots):
            reach = reach * roots[end]
    return kept, weights


def enclosed_ceiling(problem: Problem, schedule: Schedule) -> Number:
    """A ball whose upper end is at least n − Σ √(1−p_k)·w_k.

    Raises NoEnclosure for many points and looks, for points that are not certainly apart, and
    where a kernel has none.
    """
    size, looks = problem.domain.size, len(schedule.rounds)
    if size * (size - 1) // 2 * looks > MOST_ENCLOSED:
        raise NoEnclosure("points", f"{size}", "fewer pairs and looks are enclosed one by one")
    first, second = np.triu_indices(size, 1)
    every = np.arange(size)
    # Each look may cost a bit or two of the balls that it is computed from.
    with matrices.working_precision(matrices.WORKING_BITS + 4 * looks):
        prior = problem.domain.restricted(problem.space_kernel).enclosed_gram(every, every)
        prior[every, every] = enclosure.ball(1)
        apart = 2 * (1 - prior[first, second])
        if not all(value > 0 for value in apart):
            raise NoEnclosure("points", f"{size}", "two of them are not certainly apart")
        roots = wait_decays(problem.time_kernel, problem.times.exact)
        kept, weights = gaps_between(roots, schedule.rounds, enclosure.ball(1), enclosure.ball(0))
        noise = enclosure.ball(enclosure.exact_double(problem.noise_variance))
        lost = enclosure.ball(problem.n)
        left_by_look = quotients(prior, (first, second, apart), noise, kept, schedule)
        for weight, left in zip(weights, left_by_look, strict=True):
            known = 1.0 - (matrices.most_upward(left) if len(left) else 0.0)
            if known > 0.0:
                known = float(np.nextafter(known, 0.0))
                lost = lost - weight * enclosure.sqrt(enclosure.exact_double(known))
        return lost


def correlations(problem: Problem) -> FloatArray:
    """(N, N) K of a domain of at most `MOST_POINTS` points; InvalidInput for more."""
    size = problem.domain.size
    if size > MOST_POINTS:
        raise InvalidInput("points", size, f"use a domain of at most {MOST_POINTS} points here")
    return problem.space_kernel.gram(problem.domain.points)


def affordable_ceiling(problem: Problem) -> IncrementsCeiling | None:
    """`least_ceiling` of a problem that is small enough."""
    return least_ceiling(problem) if affordable(problem) else None


def block_ceiling_of(problem: Problem) -> BlockCeiling | None:
    """(U) of a problem, the smallest over partitions and designs of points."""
    prior, shape = correlations(problem), _shape(problem)
    return least_block_ceiling(prior, renewed(problem), problem.noise_variance, shape)


def least_ceiling(problem: Problem) -> IncrementsCeiling:
    """The smallest ceiling over three families of schedules; n·m* at most.

    That of (U); looks at a design of points once in every m rounds; and looks that thin out
    within the blocks that attain Ψ₁, fewer than max(r, 2c√t) at round t of a block, in the
    blocks of which that is at most half.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations(np.ones(200))
    >>> problem = Problem(times, epsilon=1e-5, domain=Grid(1, 1.0, 12))
    >>> least_ceiling(problem).value < 60
    True
    """
    prior, noise, n = correlations(problem), problem.noise_variance, problem.n
    differences, roots = pairs(prior), np.sqrt(1.0 - renewed(problem))
    best = IncrementsCeiling(float(n), Schedule((), ()), "no look")
    for schedule, rule in searched_schedules(problem):
        if len(schedule.rounds) < best.value:  # every look costs a round
            ceiling = _ceiling(prior, differences, noise, roots, schedule, rule, best.value)
            best = min(best, ceiling, key=lambda ceiling: ceiling.value)
    return best


def searched_schedules(problem: Problem) -> list[tuple[Schedule, str]]:
    """The schedules among which `least_ceiling` has the smallest, each with its rule in words."""
    prior, noise, n = correlations(problem), problem.noise_variance, problem.n
    blocks = least_order(problem, "smooth-1").partition
    known = block_ceiling_of(problem)
    trials: list[tuple[Schedule, str]] = []
    if known is not None:
        trials.append((known.schedule, _in_blocks(len(known.partition), known.design.points)))
    for points in designs(prior, _shape(problem)):
        for factor in _RATES:
            rate = factor * sqrt(noise * len(points))
            looking = long_enough(blocks, points, rate)
            trials.append((block_schedule(looking, points, rate), _in_blocks(len(looking), points)))
        for spacing in sorted({int(1.2**k) for k in range(4, 30)}):
            if spacing * len(points) > max(n, 2 * len(points)):
                break
            rounds = tuple(range(0, n, spacing))
            chosen = tuple(int(points[k % len(points)]) for k in range(len(rounds)))
            rule = f"{len(points)} points in turn, one look every {spacing} rounds"
            trials.append((Schedule(rounds, chosen), rule))
    return trials


def block_schedule_for(problem: Problem) -> Schedule:
    """The schedule of `least_ceiling`; elsewhere looks that thin out in the blocks of Ψ₁.

    Elsewhere: for a problem that is too large, whose points are then those that leave the least
    variance among some that the domain spreads, and for a time kernel that is not Markov, whose
    waits are taken as if it were. No ceiling covers these two.

    >>> from bounds.times import EvaluationTimes
    >>> len(block_schedule_for(Problem(EvaluationTimes.from_durations(np.zeros(400)))).rounds)
    25
    """
    if problem.time_kernel.is_markov and affordable(problem):
        return least_ceiling(problem).schedule
    prices = block_prices(problem.n, problem.noise_variance, "smooth-1")
    cuts = best_blocks(prices, step_shares(problem))
    blocks = Partition((0, problem.n) if cuts is None else cuts)
    few, gram = _spread(problem)
    *_, chosen = designs(gram)
    points = few[chosen]
    rate = sqrt(problem.noise_variance * len(points))
    return block_schedule(long_enough(blocks, points, rate), points, rate)


def greedy_schedule_for(problem: Problem) -> Schedule:
    """Looks at ever more points in the greedy blocks of Ψ₁: no round needs to know how many follow.

    Of more than 300 points some that the domain spreads are looked at; for a time kernel that is
    not Markov waits are taken as if it were. No ceiling covers these two.

    >>> from bounds.times import EvaluationTimes
    >>> problems = [Problem(EvaluationTimes.from_durations([1.0] * n)) for n in (200, 400)]
    >>> first, second = (greedy_schedule_for(problem).rounds for problem in problems)
    >>> first == tuple(i for i in second if i < 200)
    True
    """
    few: IntArray | None = None
    if problem.domain.size > MOST_POINTS:
        few, gram = _spread(problem)
    else:
        gram = correlations(problem)
    prices = block_prices(problem.n, problem.noise_variance, "smooth-1")
    blocks = Partition(greedy_cuts(prices, step_shares(problem))).blocks()
    schedule = growing_schedule(gram, blocks, problem.noise_variance)
    if few is None:
        return schedule
    return Schedule(schedule.rounds, tuple(int(few[k]) for k in schedule.points))


def greedy_ceiling(problem: Problem) -> IncrementsCeiling:
    """The ceiling of `greedy_schedule_for`, one schedule for every number of rounds."""
    schedule = greedy_schedule_for(problem)
    used = len(set(schedule.points))
    rule = f"{used} points in turn, looks that thin out in greedy blocks"
    return ceiling_at(problem, schedule, rule)


def _spread(problem: Problem) -> tuple[IntArray, FloatArray]:
    """Some points that the domain spreads, and their correlations."""
    few = problem.domain.spread(_SPREAD)
    return few, problem.space_kernel.gram(problem.domain.points[few])


def _in_blocks(blocks: int, points: IntArray) -> str:
    where = "a block" if blocks == 1 else f"each of {blocks} blocks"
    return f"{len(points)} points in turn, looks that thin out in {where}"


def _shape(problem: Problem) -> tuple[int, ...] | None:
    axes = problem.domain.axes
    return None if axes is None else tuple(len(axis) for axis in axes)
