"""Good schedules for Theorem X: by a small family, and by a longer search from its best.

All schedules are compared on the same draws, with maxima over a part of the domain; for two points
and for few independent ones by the exact number instead. The number of what is chosen must be
stated on other draws: `simulation.before_run.schedule.schedule_bound`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.numerics.ties import TIE
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.regret.ingredients.schedules.schedule import (
    Columns,
    Schedule,
    Stages,
    covering_order,
    even_sequence,
    refreshing_schedule,
    stages,
)
from simulation.before_run.schedule import (
    domain_columns,
    field_ranges,
    half_ranges,
    is_integrable,
    largest_means,
    roots_at,
)

_SEARCH_DRAWS = 128
_LONG_DRAWS = 256
_SEARCH_SEED = 1
_PATIENCE = 1_000
_COARSE = 700  # points of the domain over which maxima are taken while searching
_FEW_ARMS = 10  # arms up to which E max is integrated while searching
_LENGTHS = (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 64)
_POWERS = (8, 64)  # of `covering_order`
_PERIODS = (0, 24, 12, 8, 6, 4, 3, 2)
_REACH = 3  # lengths to either side that are tried from the best so far


def quick_schedule(problem: Problem, *, progress: Share = unwatched) -> Schedule:
    """A good schedule out of a small family: some points in turn, then one of them now and then.

    The points are the first of a nested design: those that leave the least variance, those that
    explain most of it (`covering_order`), or on a grid of two axes and more a sequence that fills
    the box evenly. Deterministic: the draws have a seed of their own. Some 0.2 seconds.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0] * 20)
    >>> quick_schedule(Problem(times, noise_variance=0.1, domain=Arms(2))).rounds[:2]
    (0, 1)
    """
    return _Search(problem, _SEARCH_DRAWS).family(progress)[0]


def search_schedule(
    problem: Problem, *, seconds: float = 40.0, progress: Share = unwatched
) -> Schedule:
    """A better schedule: `quick_schedule`, then points moved, rounds moved, added and taken out.

    Stops after `seconds`, or after 1,000 changes in a row that were none for the better; what it
    finds by then is a schedule as good as any other to state a number for, which `schedule_bound`
    does on draws of its own.
    """
    begun = perf_counter()
    search = _Search(problem, _LONG_DRAWS)
    best, value = search.family()
    quick = quick_schedule(problem)
    if (reached := search.reached(quick)) > value:
        best, value = quick, reached
    rng, failed = np.random.default_rng(0), 0
    while failed < _PATIENCE and (spent := perf_counter() - begun) < seconds:
        progress(spent / seconds)
        trial = _changed(best, search, rng)
        reached = 0.0 if trial is None else search.reached(trial)
        failed += 1
        if trial is not None and reached > value:
            best, value, failed = trial, reached, 0
    progress(1.0)
    return best


class _Search:
    """Values of schedules on common random numbers, maxima over a part of the domain."""

    def __init__(self, problem: Problem, draws: int) -> None:
        self.problem, self.size = problem, problem.domain.size
        self._part, columns = np.arange(self.size), domain_columns(problem)
        if self.size > _COARSE:
            self._part = problem.domain.spread(_COARSE)
        self._columns = columns
        self._integrated = (
            problem.time_kernel.is_markov
            and self.size <= _FEW_ARMS
            and is_integrable(columns, self.size)
        )
        # Antithetic by its half-ranges; the same normals for every schedule.
        rng = np.random.default_rng(_SEARCH_SEED)
        self._normals = rng.standard_normal((draws, problem.n))
        self._cache: dict[int, FloatArray] = {}

    def _partial(self, schedule: Schedule) -> tuple[Columns, Schedule]:
        """Columns over the part of the domain and the scheduled points behind it; the schedule
        among these.
        """
        extra = sorted(set(schedule.points))
        sites = np.concatenate([self._part, np.array(extra, dtype=np.int64)])
        place = {int(x): len(self._part) + k for k, x in enumerate(extra)}
        back = {k: x for x, k in place.items()}

        def column(k: int) -> FloatArray:
            x = back.get(k, int(sites[k]))
            if x not in self._cache:
                self._cache[x] = self._columns(x)
            return np.asarray(self._cache[x][sites])

        return column, Schedule(schedule.rounds, tuple(place[x] for x in schedule.points))

    def reached(self, schedule: Schedule) -> float:
        """Σ_{i∉E} E max, estimated: the larger the better."""
        if not schedule.rounds:
            return 0.0
        problem = self.problem
        if problem.time_kernel.is_markov:
            updates, means = self._stages(schedule, ())
            return float(means @ updates.weights)
        columns, moved = self._partial(schedule)
        total, scheduled = 0.0, set(schedule.rounds)
        few = self._normals[: max(8, len(self._normals) // 8), : len(schedule.rounds)]
        for i in range(problem.n):
            if i not in scheduled:
                total += float(np.mean(field_ranges(roots_at(problem, moved, columns, i), few)))
        return total

    def _stages(self, schedule: Schedule, lengths: Sequence[int]) -> tuple[Stages, FloatArray]:
        """The stages of a schedule, and E max of the mean right after an observation.

        After those that a free round follows, and after so many; 0 after the others.
        """
        problem = self.problem
        columns, moved = self._partial(schedule)
        updates = stages(problem.times, problem.time_kernel, problem.noise_variance, moved, columns)
        if self._integrated:  # the points behind the domain are some of its own again
            return updates, largest_means(replace(updates, rows=updates.rows[:, : self.size]))
        normals = np.ascontiguousarray(self._normals[:, : len(schedule.rounds)])
        asked = updates.weights > 0.0
        asked[np.array(lengths, dtype=np.int64) - 1] = True
        return updates, half_ranges(updates.rows, updates.decays, normals, asked)

    def _beginnings(self, order: IntArray, lengths: list[int]) -> list[float]:
        """`reached` of the first points of an order, one a round and none later, for each length.

        Only the last observation matters then: one pass answers for all lengths.
        """
        problem = self.problem
        if not problem.time_kernel.is_markov:
            return [
                self.reached(self._refreshing(order, (length, length, 0))) for length in lengths
            ]
        whole = self._refreshing(order, (lengths[-1], lengths[-1], 0))
        _, means = self._stages(whole, lengths)
        values = []
        for length in lengths:
            free = np.arange(length, problem.n)
            waits = problem.times.gaps(np.full_like(free, length - 1), free)
            rest = float(np.sum(problem.time_kernel.at_distance(waits)))
            values.append(float(means[length - 1]) * rest)
        return values

    def _refreshing(self, order: IntArray, family: tuple[int, int, int]) -> Schedule:
        """The schedule of a number of points in turn, a length of the first part and a period."""
        (cycle, first, period), n = family, self.problem.n
        return refreshing_schedule(order[:cycle], n, first, period, max(1, n - max(2, n // 20)))

    def family(self, progress: Share = unwatched) -> tuple[Schedule, float]:
        """The best refreshing schedule that is found over nested designs, with its value.

        Of the designs the one whose first points, played once, reach most; of it the period, the
        length of the first part and the number of points in turn, one after the other, until none
        of them helps.
        """
        value, at, order = 0.0, (0, 0, 0), np.empty(0, dtype=np.int64)
        for design in self._designs():
            lengths = self._lengths(design)
            for length, reached in zip(lengths, self._beginnings(design, lengths), strict=True):
                if reached > value * (1.0 + TIE):
                    value, at, order = reached, (length, length, 0), design
        if value <= 0.0:
            return Schedule((), ()), 0.0
        visited, moved = {self._refreshing(order, at)}, True
        while moved:
            moved = False
            progress(1.0 - 0.5 ** (len(visited) / 20))
            for trial in (step for part in (2, 1, 0) for step in self._steps(order, at, part)):
                schedule = self._refreshing(order, trial)
                if schedule in visited:
                    continue
                visited.add(schedule)
                reached = self.reached(schedule)
                if reached > value * (1.0 + TIE):
                    value, at, moved = reached, trial, True
        return self._refreshing(order, at), value

    def _lengths(self, order: IntArray) -> list[int]:
        # For other time kernels a schedule takes a factorisation for each free round.
        coarse = 1 if self.problem.time_kernel.is_markov else 2
        longest = min(len(order), self.problem.n - 1)
        return sorted({length for length in (*_LENGTHS[::coarse], longest) if length <= longest})

    def _steps(
        self, order: IntArray, at: tuple[int, int, int], part: int
    ) -> list[tuple[int, int, int]]:
        """Neighbours of (points in turn, first part, period) in one of the three."""
        if part == 2:
            return [(at[0], at[1], period) for period in _PERIODS]
        lengths = self._lengths(order)
        here = lengths.index(at[part])
        near = lengths[max(0, here - _REACH) : here + _REACH + 1]
        return [(one, at[1], at[2]) if part == 0 else (at[0], one, at[2]) for one in near]

    def _designs(self) -> list[IntArray]:
        """Nested designs: every beginning of each is a good set of points."""
        count = min(_LENGTHS[-1], self.problem.n - 1, self.size)
        if count < 1:
            return []
        part = self._part
        known = np.array([self._columns(int(x))[part] for x in part])
        noise = self.problem.noise_variance
        designs = [part[covering_order(known, noise, count, power)] for power in _POWERS]
        axes = self.problem.domain.axes
        if axes is not None and len(axes) > 1:
            designs.append(even_sequence(count, tuple(len(axis) for axis in axes)))
        return designs


def _changed(best: Schedule, search: _Search, rng: np.random.Generator) -> Schedule | None:
    """A neighbour of a schedule; None where the change makes none."""
    entries = dict(zip(best.rounds, best.points, strict=True))
    n, kind = search.problem.n, int(rng.integers(5))
    if not entries or kind == 0:
        entries[int(rng.integers(n - 1)) if n > 1 else 0] = int(rng.integers(search.size))
    elif kind == 1 and len(entries) > 1:
        del entries[int(rng.choice(best.rounds))]
    elif kind == 2:
        old = int(rng.choice(best.rounds))
        new = old + int(rng.integers(-3, 4))
        if not 0 <= new < n or new in entries:
            return None
        entries[new] = entries.pop(old)
    elif kind == 3:
        one, two = (int(r) for r in rng.choice(best.rounds, 2))
        entries[one], entries[two] = entries[two], entries[one]
    else:
        old = int(rng.choice(best.rounds))
        entries[old] = _near(entries[old], search, rng)
    rounds = tuple(sorted(entries))
    return Schedule(rounds, tuple(entries[r] for r in rounds))


def _near(point: int, search: _Search, rng: np.random.Generator) -> int:
    """A point some steps away on a grid, or any other point."""
    axes = search.problem.domain.axes
    if axes is None or len(axes) == 1:
        return int(rng.integers(search.size))
    shape = tuple(len(axis) for axis in axes)
    reach = np.maximum(1, np.array(shape) // 8)
    place = np.array(np.unravel_index(point, shape)) + rng.integers(-reach, reach + 1)
    place = np.clip(place, 0, np.array(shape) - 1)
    return int(np.ravel_multi_index(tuple(place), shape))
