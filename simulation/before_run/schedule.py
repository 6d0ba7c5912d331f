"""Theorem X by simulation: the number of a schedule with its confidence, and good schedules.

Σ_{i∉E} E max N(0, K − P_i) is the mean of Y = Σ_{i∉E} (max μ_i − min μ_i)/2 over draws of the
posterior means μ_i from the scheduled data. As a function of the normals behind it Y is Lipschitz
with a constant Λ, so that the mean of S draws lies above E Y by more than Λ√(2 log(1/δ)/S) with a
probability of at most δ. For Λ: half the range of μ_i is Lipschitz with ℓ_i² = min(largest variance
of μ_i, (1 − min k_space)/2), Λ ≤ Σℓ_i, and for a Markov time kernel the gradients of i < j have a
product of at most k_time(τ_j − τ_i)·ℓ_i².

A schedule is chosen by common random numbers, which its number must not share: that is on others.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt
from time import perf_counter

import numpy as np
from numba import njit

from bounds.arrays import FloatArray, IntArray, Share, unwatched
from bounds.kernels.grid_kernel import GridKernel
from bounds.problem import Problem
from bounds.regret_itself.maximum import require_gram
from bounds.regret_itself.regret_bound import PRIOR, RegretBound
from bounds.regret_itself.schedule import (
    Columns,
    Schedule,
    Stages,
    explained_roots,
    refreshing_schedule,
    spread_design,
    stages,
)
from simulation.before_run.draws import generator, in_chunks, require_delta, require_draws
from simulation.before_run.maximum import (
    SimulatedMaximum,
    half_range_variance,
    simulated_maximum,
)
from simulation.world.environment import is_markov

_SEARCH_DRAWS = 128
_LONG_DRAWS = 256
_SEARCH_SEED = 1
_COARSE = 700  # points of the domain over which maxima are taken while searching


@dataclass(frozen=True)
class ScheduleBound:
    """E R_n ≤ value for the scheduled policy, with probability ≥ 1 − δ over the draws.

    Attributes
    ----------
    value : |E|m* + Σ_{i∉E}(m* − E max), m* at its upper side and E max at its lower side
    estimate : the same without the corrections
    schedule : the rounds and points
    maximum : m* as simulated
    reached, slack : mean of Y and its correction
    draws, seed, delta : S, the seed and δ; m* and Y fail with at most δ/2 each
    seconds : time it took
    """

    value: float
    estimate: float
    schedule: Schedule
    maximum: SimulatedMaximum
    reached: float
    slack: float
    draws: int
    seed: int
    delta: float
    seconds: float

    def row(self) -> RegretBound:
        """As a row of upper bounds."""
        return RegretBound(
            "schedule", self.value, "upper", "scheduled", PRIOR, "mean", 1.0 - self.delta, "one n",
            f"{len(self.schedule.rounds)} scheduled rounds, {self.draws} draws, "
            f"±{self.value - self.estimate:.2g}",
            simulated=True,
        )  # fmt: skip


def schedule_bound(
    problem: Problem,
    schedule: Schedule,
    *,
    draws: int = 20_000,
    delta: float = 1e-3,
    seed: int = 0,
    gram: FloatArray | None = None,
    maximum: SimulatedMaximum | None = None,
) -> ScheduleBound:
    """The number of Theorem X for one schedule.

    Parameters
    ----------
    problem : Problem of n rounds at fixed times
    schedule : fixed without these draws
    draws, delta, seed : S, δ and the seed of the draws
    gram : (N, N) correlations of a finite domain, in place of the problem's grid
    maximum : m*, simulated with a confidence of at least 1 − δ/2; by default by as many draws

    Cost: O(|E|·N) a draw for Markov time kernels, otherwise O(n|E|N). Raises InvalidInput.
    """
    begun = perf_counter()
    require_draws(draws)
    require_delta(delta)
    columns, size = domain_columns(problem, gram)
    schedule.require(problem.n, size)
    if maximum is None:
        maximum = simulated_maximum(problem, draws=draws, delta=delta / 2, seed=seed, gram=gram)
    rng = generator(seed)
    rng = np.random.default_rng(rng.bit_generator.seed_seq.spawn(1)[0])  # type: ignore[attr-defined]
    most = half_range_variance(gram)
    if is_markov(problem.time_kernel):
        found = stages(
            problem.times, problem.time_kernel, problem.noise_variance, schedule, columns
        )
        steepness = _markov_steepness(problem, schedule, found, most)
        reached = _markov_mean(found, draws, rng)
    else:
        reached, steepness = _dense_mean(problem, schedule, columns, draws, rng, most)
    slack = steepness * sqrt(2.0 * log(2.0 / delta) / draws)
    n = problem.n
    return ScheduleBound(
        value=n * maximum.upper - max(reached - slack, 0.0),
        estimate=n * maximum.mean - reached,
        schedule=schedule,
        maximum=maximum,
        reached=reached,
        slack=slack,
        draws=draws,
        seed=seed,
        delta=delta,
        seconds=perf_counter() - begun,
    )


def quick_schedule(
    problem: Problem, *, gram: FloatArray | None = None, draws: int = _SEARCH_DRAWS
) -> Schedule:
    """A good schedule out of a small family: some points in turn, then one of them now and then.

    On a grid the points are those of p^d spread designs, otherwise those that leave the least
    variance. Deterministic: the draws have a seed of their own. A second or two at 130 rounds.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 20), noise_variance=0.1)
    >>> quick_schedule(problem, gram=np.eye(2)).rounds[:2]
    (0, 1)
    """
    search = _Search(problem, gram, draws)
    best, _ = search.family(_designs(problem, gram, search))
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

    Stops after `seconds`; what it finds by then is a schedule as good as any other to state a
    number for, which `schedule_bound` does on draws of its own.
    """
    begun = perf_counter()
    search = _Search(problem, gram, _LONG_DRAWS)
    best, value = search.family(_designs(problem, gram, search))
    rng = generator(seed)
    while (spent := perf_counter() - begun) < seconds:
        progress(spent / seconds)
        trial = _changed(best, search, rng)
        if trial is None:
            continue
        found = search.reached(trial)
        if found > value:
            best, value = trial, found
    progress(1.0)
    return best


def domain_columns(problem: Problem, gram: FloatArray | None) -> tuple[Columns, int]:
    """K column by column, and |D|."""
    if gram is not None:
        matrix = require_gram(gram)
        return lambda x: matrix[x], len(matrix)
    kernel = GridKernel(problem.space_kernel, problem.domain)
    return kernel.column, problem.domain.size


class _Search:
    """Values of schedules on common random numbers, maxima over a part of the domain."""

    def __init__(self, problem: Problem, gram: FloatArray | None, draws: int) -> None:
        self.problem, self.gram = problem, gram
        columns, self.size = domain_columns(problem, gram)
        step = max(1, -(-self.size // _COARSE))
        self._part = np.arange(0, self.size, step)
        if gram is None and step > 1:  # every other point along each axis
            grid = problem.domain
            stride = int(np.ceil(step ** (1.0 / grid.dimension)))
            lines = np.zeros(grid.points_per_axis, dtype=bool)
            lines[::stride] = lines[-1] = True
            kept = np.meshgrid(*([lines] * grid.dimension), indexing="ij")
            self._part = np.flatnonzero(np.logical_and.reduce([k.ravel() for k in kept]))
        self._columns = columns
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
        if is_markov(problem.time_kernel):
            found = stages(
                problem.times, problem.time_kernel, problem.noise_variance, moved, columns
            )
            return float(_half_ranges(found.rows, found.decays, normals) @ found.weights)
        total, scheduled = 0.0, set(schedule.rounds)
        few = normals[: max(8, len(normals) // 8)]
        for i in range(problem.n):
            if i not in scheduled:
                total += float(np.mean(_field_ranges(_roots(problem, moved, columns, i), few)))
        return total

    def family(self, designs: list[IntArray]) -> tuple[Schedule, float]:
        """The best of the refreshing schedules over some designs, with its value."""
        n = self.problem.n
        best, value = Schedule((), ()), 0.0
        last = max(1, n - max(2, n // 20))
        for points in designs:
            for first in sorted({len(points), max(1, len(points) // 2)}):
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


def _designs(problem: Problem, gram: FloatArray | None, search: _Search) -> list[IntArray]:
    n, size = problem.n, search.size
    if gram is None and problem.domain.points_per_axis > 1:
        grid = problem.domain
        counts = [c for c in range(1, 8) if c <= grid.points_per_axis]
        found = [spread_design(c, grid.points_per_axis, grid.dimension) for c in counts]
        return [design for design in found if 1 <= len(design) < n]
    order = _least_variance_order(search, min(size, n))
    lengths = sorted({1, 2, 3, 4, 6, 9, 12, 16, 25, size} & set(range(1, len(order) + 1)))
    return [order[:length] for length in lengths]


def _least_variance_order(search: _Search, count: int) -> IntArray:
    """Points by pivoted Cholesky: each the one with most variance left."""
    columns, place = search._columns, []
    left = np.ones(search.size)
    rows = np.empty((count, search.size))
    for k in range(count):
        x = int(np.argmax(left))
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
    """A point some steps away on the grid, or any other point."""
    if search.gram is not None:
        return int(rng.integers(search.size))
    grid = search.problem.domain
    shape = (grid.points_per_axis,) * grid.dimension
    place = np.array(np.unravel_index(point, shape))
    reach = max(1, grid.points_per_axis // 8)
    place = np.clip(place + rng.integers(-reach, reach + 1, grid.dimension), 0, shape[0] - 1)
    return int(np.ravel_multi_index(tuple(place), shape))


def _markov_mean(found: Stages, draws: int, rng: np.random.Generator) -> float:
    if not len(found.rows):
        return 0.0
    total = 0.0
    for count in in_chunks(draws, len(found.rows)):
        normals = rng.standard_normal((count, len(found.rows)))
        total += float(_half_ranges(found.rows, found.decays, normals) @ found.weights) * count
    return total / draws


@njit(cache=True, fastmath=True)
def _half_ranges(
    rows: FloatArray, decays: FloatArray, normals: FloatArray
) -> FloatArray:  # pragma: no cover
    """(m,) the mean over draws of half the range of the mean right after each observation."""
    m, size = rows.shape
    draws = normals.shape[0]
    found = np.zeros(m)
    field = np.empty(size)
    for s in range(draws):
        for x in range(size):
            field[x] = 0.0
        for k in range(m):
            decay, weight = decays[k], normals[s, k]
            row = rows[k]
            low, high = np.inf, -np.inf
            for x in range(size):
                value = decay * field[x] + weight * row[x]
                field[x] = value
                low = min(low, value)
                high = max(high, value)
            found[k] += 0.5 * (high - low)
    return np.asarray(found / draws)


def _markov_steepness(problem: Problem, schedule: Schedule, found: Stages, most: float) -> float:
    if not len(found.rows):
        return 0.0
    squares = np.minimum(found.explained * (1.0 + 1e-9), most)
    chosen = problem.times.offsets()[list(schedule.rounds)]
    reach = np.asarray(problem.time_kernel.at_distance(np.abs(np.subtract.outer(chosen, chosen))))
    first = np.minimum.outer(np.arange(len(chosen)), np.arange(len(chosen)))
    joint = reach * squares[first]
    # Never above the sum of the constants.
    joint = np.minimum(joint, np.sqrt(np.outer(squares, squares)))
    return sqrt(float(found.weights @ joint @ found.weights)) * (1.0 + 1e-9)


def _dense_mean(
    problem: Problem,
    schedule: Schedule,
    columns: Columns,
    draws: int,
    rng: np.random.Generator,
    most: float,
) -> tuple[float, float]:
    scheduled, total, steepness = set(schedule.rounds), 0.0, 0.0
    count = len(schedule.rounds)
    batches = [rng.standard_normal((c, count)) for c in in_chunks(draws, len(columns(0)))]
    for i in range(problem.n):
        if i in scheduled:
            continue
        roots = _roots(problem, schedule, columns, i)
        if not len(roots):
            continue
        variances = float(np.max(np.sum(roots * roots, axis=0)))
        steepness += sqrt(min(variances * (1.0 + 1e-9), most))
        total += sum(float(np.sum(_field_ranges(roots, batch))) for batch in batches)
    return total / draws, steepness


def _roots(problem: Problem, schedule: Schedule, columns: Columns, i: int) -> FloatArray:
    return explained_roots(
        problem.times, problem.time_kernel, problem.noise_variance, schedule, columns, i
    )


def _field_ranges(roots: FloatArray, normals: FloatArray) -> FloatArray:
    """(S,) half the ranges of normals @ roots."""
    if not len(roots):
        return np.zeros(len(normals))
    fields = normals[:, : len(roots)] @ roots
    return np.asarray(0.5 * (fields.max(axis=1) - fields.min(axis=1)))
