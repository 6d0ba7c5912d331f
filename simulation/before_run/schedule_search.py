"""Good schedules for Theorem X: by a small family, and by a longer search from its best.

All schedules are compared on the same draws, with maxima over a part of the domain; for two points
and for few independent ones by the exact number instead. The number of what is chosen must be
stated on other draws: `simulation.before_run.schedule.schedule_bound`.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.regret.ingredients.schedule import (
    Columns,
    Schedule,
    even_sequence,
    refreshing_schedule,
    spread_design,
    stages,
)
from bounds.ties import first_largest
from simulation.before_run.draws import generator
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
_EVEN_POINTS = 64
_FIRST_POINTS = (6, 8, 10, 12, 16, 24)  # of an even sequence, played before the first free round


def quick_schedule(
    problem: Problem,
    *,
    gram: FloatArray | None = None,
    draws: int = _SEARCH_DRAWS,
    progress: Share = unwatched,
) -> Schedule:
    """A good schedule out of a small family: some points in turn, then one of them now and then.

    On a grid the points are those of p^d spread designs or of a sequence that fills the box evenly,
    otherwise those that leave the least variance. Deterministic: the draws have a seed of their
    own. A second or two at 130 rounds.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 20), noise_variance=0.1)
    >>> quick_schedule(problem, gram=np.eye(2)).rounds[:2]
    (0, 1)
    """
    search = _Search(problem, gram, draws)
    best, _ = search.family(_designs(problem, gram, search), progress)
    return best


def search_schedule(
    problem: Problem,
    *,
    gram: FloatArray | None = None,
    seconds: float = 40.0,
    seed: int = 0,
    progress: Share = unwatched,
) -> Schedule:
    """A better schedule: `quick_schedule`, then points moved, rounds moved, added and taken out.

    Stops after `seconds`, or after 1,000 changes in a row that were none for the better; what it
    finds by then is a schedule as good as any other to state a number for, which `schedule_bound`
    does on draws of its own.
    """
    begun = perf_counter()
    search = _Search(problem, gram, _LONG_DRAWS)
    best, value = search.family(_designs(problem, gram, search))
    quick = quick_schedule(problem, gram=gram)
    if (found := search.reached(quick)) > value:
        best, value = quick, found
    rng, failed = generator(seed), 0
    while failed < _PATIENCE and (spent := perf_counter() - begun) < seconds:
        progress(spent / seconds)
        trial = _changed(best, search, rng)
        found = 0.0 if trial is None else search.reached(trial)
        failed += 1
        if trial is not None and found > value:
            best, value, failed = trial, found, 0
    progress(1.0)
    return best


class _Search:
    """Values of schedules on common random numbers, maxima over a part of the domain."""

    def __init__(self, problem: Problem, gram: FloatArray | None, draws: int) -> None:
        self.problem, self.gram = problem, gram
        columns, self.size = domain_columns(problem, gram)
        self._part = np.arange(self.size)
        if self.size > _COARSE:
            self._part = problem.domain.spread(_COARSE) if gram is None else self._part[::2]
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

    def _partial(self, extra: tuple[int, ...]) -> tuple[Columns, dict[int, int]]:
        """Columns over the part of the domain and the scheduled points behind it."""
        sites = np.concatenate([self._part, np.array(sorted(set(extra)), dtype=np.int64)])
        place = {int(x): len(self._part) + k for k, x in enumerate(sorted(set(extra)))}
        back = {k: x for x, k in place.items()}

        def column(k: int) -> FloatArray:
            x = back.get(k, int(sites[k]))
            if x not in self._cache:
                self._cache[x] = self._columns(x)
            return np.asarray(self._cache[x][sites])

        return column, place

    def reached(self, schedule: Schedule) -> float:
        """Σ_{i∉E} E max, estimated: the larger the better."""
        if not schedule.rounds:
            return 0.0
        problem = self.problem
        columns, place = self._partial(schedule.points)
        moved = Schedule(schedule.rounds, tuple(place[x] for x in schedule.points))
        normals = np.ascontiguousarray(self._normals[:, : len(schedule.rounds)])
        if problem.time_kernel.is_markov:
            found = stages(
                problem.times, problem.time_kernel, problem.noise_variance, moved, columns
            )
            if self._integrated:  # the points behind the domain are some of its own again
                known = replace(found, rows=found.rows[:, : self.size])
                return float(found.weights @ largest_means(known))
            return float(half_ranges(found.rows, found.decays, normals) @ found.weights)
        total, scheduled = 0.0, set(schedule.rounds)
        few = normals[: max(8, len(normals) // 8)]
        for i in range(problem.n):
            if i not in scheduled:
                total += float(np.mean(field_ranges(roots_at(problem, moved, columns, i), few)))
        return total

    def family(
        self, designs: list[tuple[IntArray, set[int]]], progress: Share = unwatched
    ) -> tuple[Schedule, float]:
        """The best of the refreshing schedules over some designs and lengths of their first part,
        with its value.
        """
        n = self.problem.n
        best, value = Schedule((), ()), 0.0
        last = max(1, n - max(2, n // 20))
        for done, (points, lengths) in enumerate(designs):
            progress(done / len(designs))
            for first in sorted(lengths):
                if first >= n:
                    continue
                falling = 0
                for period in (0, 24, 12, 8, 6, 4, 3, 2):
                    trial = refreshing_schedule(points, n, first, period, last)
                    found = self.reached(trial)
                    if found > value:
                        best, value, falling = trial, found, 0
                    else:
                        falling += 1
                    if falling > 3:
                        break
        return best, value


def _designs(
    problem: Problem, gram: FloatArray | None, search: _Search
) -> list[tuple[IntArray, set[int]]]:
    """Designs, each with the numbers of its points that are played one after the other at first."""
    n, size = problem.n, search.size
    axes = problem.domain.axes if gram is None else None
    if axes is not None and len(axes) > 1:
        shape = tuple(len(axis) for axis in axes)
        spread = [spread_design(c, shape) for c in range(1, min(7, max(shape)) + 1)]
        found = [_halved(design) for design in spread if 1 <= len(design) < n]
        return [*found, (even_sequence(_EVEN_POINTS, shape), set(_FIRST_POINTS))]
    order = _least_variance_order(search, min(size, n))
    lengths = sorted({1, 2, 3, 4, 6, 9, 12, 16, 25, size} & set(range(1, len(order) + 1)))
    return [_halved(order[:length]) for length in lengths]


def _halved(design: IntArray) -> tuple[IntArray, set[int]]:
    return design, {len(design), max(1, len(design) // 2)}


def _least_variance_order(search: _Search, count: int) -> IntArray:
    """Points by pivoted Cholesky: each the one with most variance left."""
    columns, place = search._columns, []
    left = np.ones(search.size)
    rows = np.empty((count, search.size))
    for k in range(count):
        x = first_largest(left, scale=1e-3)
        column = columns(x) - rows[:k, x] @ rows[:k]
        if left[x] < 1e-9:
            break
        rows[k] = column / np.sqrt(left[x])
        left = np.maximum(left - rows[k] ** 2, 0.0)
        left[x] = 0.0
        place.append(x)
    return np.array(place, dtype=np.int64)


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
    axes = search.problem.domain.axes if search.gram is None else None
    if axes is None or len(axes) == 1:
        return int(rng.integers(search.size))
    shape = tuple(len(axis) for axis in axes)
    reach = np.maximum(1, np.array(shape) // 8)
    place = np.array(np.unravel_index(point, shape)) + rng.integers(-reach, reach + 1)
    place = np.clip(place, 0, np.array(shape) - 1)
    return int(np.ravel_multi_index(tuple(place), shape))
