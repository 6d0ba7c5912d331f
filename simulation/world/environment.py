"""The drifting objective on the grid, drawn exactly at real-valued times, and what is seen of it.

f(x, τ) is a Gaussian process with covariance k_space(x, x')·k_time(|τ − τ'|). For the Markov time
kernels (forgetting, exponential) it is drawn one step at a time,
f ← a f + √(1−a²) η with a = k_time(gap) and η ~ GP(0, k_space); for every other time kernel all
fixed times are drawn jointly.

Runs of one seed share the objective, the observation noise and the initial points, whatever the
policy. Where times depend on x, two policies look at different instants: they share the objective
on a lattice of instants, and the numbers that fill the gaps of it (a bridge, exact for each).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.covariance import Factor, space_factor, symmetric_root
from simulation.world.evaluation_time import EvaluationTime, FixedDurations, PointDurations

_CHUNK = 32
"""Draws made at once: enough for matrix products, little beyond what a run uses."""

LARGEST_JOINT_DRAW = 4_000
"""Rounds that a joint draw over time may have: O(n³) and O(nN) memory."""


class Path(Protocol):
    """One objective, read forwards in time from τ = 0."""

    def after(self, gap: float) -> FloatArray:
        """(N,) values of f at the instant `gap` ≥ 0 after the one read before."""


class Innovations:
    """η_0, η_1, … ~ GP(0, k_space), independent, from one seed; drawn in chunks when needed."""

    def __init__(self, factor: Factor, seed: np.random.SeedSequence) -> None:
        self._factor = factor
        self._rng = np.random.default_rng(seed)
        self._first = 0
        self._chunk = np.empty((0, 0))

    def __getitem__(self, index: int) -> FloatArray:
        """η_index; indices do not decrease from call to call."""
        while index >= self._first + len(self._chunk):
            self._first += len(self._chunk)
            normals = self._rng.standard_normal((_CHUNK, self._factor.rank))
            self._chunk = self._factor.apply(normals)
        return np.asarray(self._chunk[index - self._first])


class SequentialPath:
    """A Markov objective whose instants are those at which it is read, one innovation each."""

    def __init__(self, factor: Factor, time_kernel: Kernel, seed: np.random.SeedSequence) -> None:
        self._innovations = Innovations(factor, seed)
        self._kernel = time_kernel
        self._count = 0
        self._values = self._innovations[0]

    def after(self, gap: float) -> FloatArray:
        # Drawn also for a gap of 0, so that the innovation of a round is that of its number.
        self._count += 1
        innovation = self._innovations[self._count]
        if gap > 0:
            a, spread = _step(self._kernel, gap)
            self._values = a * self._values + spread * innovation
        return self._values


class LatticePath:
    """A Markov objective known on the instants 0, h, 2h, …, and bridged in between.

    The values at the lattice are the same for every sequence of instants read. Between the last
    instant read, s, and the end e of its cell, f(τ) given f(s) and f(e) is normal with mean
    [a(1−b²) f(s) + b(1−a²) f(e)]/(1−a²b²) and variance (1−a²)(1−b²)/(1−a²b²) k_space, where
    a = k_time(τ−s), b = k_time(e−τ). The j-th bridge of a cell takes the j-th innovation of that
    cell, so that two sequences which read a cell once each take the same one.
    """

    def __init__(
        self,
        factor: Factor,
        time_kernel: Kernel,
        spacing: float,
        seed: np.random.SeedSequence,
    ) -> None:
        self._factor, self._kernel, self._spacing, self._seed = factor, time_kernel, spacing, seed
        self._lattice = Innovations(factor, _child(seed, 0))
        self._bridges: list[Innovations] = []
        self._cell = 0
        self._in_cell = 0
        self._offset = 0.0  # of the last instant read, within its cell
        self._values = self._lattice[0]
        self._end = self._next(self._values)

    def _next(self, values: FloatArray) -> FloatArray:
        """The values one lattice step after those at the start of the current cell."""
        a, spread = _step(self._kernel, self._spacing)
        return a * values + spread * self._lattice[self._cell + 1]

    def after(self, gap: float) -> FloatArray:
        offset = self._offset + gap
        while offset >= self._spacing:
            offset -= self._spacing
            self._cell += 1
            self._in_cell = 0
            self._offset, self._values = 0.0, self._end
            self._end = self._next(self._end)
        if offset > self._offset:
            self._values = self._bridge(offset)
            self._offset = offset
        return self._values

    def _bridge(self, offset: float) -> FloatArray:
        while len(self._bridges) <= self._in_cell:
            self._bridges.append(Innovations(self._factor, _child(self._seed, 1 + self._in_cell)))
        innovation = self._bridges[self._in_cell][self._cell]
        self._in_cell += 1
        gone, left = offset - self._offset, self._spacing - offset
        a, b = (float(self._kernel.at_distance(gap)) for gap in (gone, left))
        lost, to_come = (float(self._kernel.deficit(gap)) for gap in (gone, left))
        whole = lost + to_come - lost * to_come  # 1 − a²b² without cancellation
        if whole == 0.0:
            return self._values
        spread = np.sqrt(lost * to_come / whole)
        mean = (a * to_come * self._values + b * lost * self._end) / whole
        return np.asarray(mean + spread * innovation)


class JointPath:
    """An objective with any time kernel, drawn at all of its fixed times at once. O(n³ + n²N)."""

    def __init__(
        self,
        factor: Factor,
        time_kernel: Kernel,
        durations: FloatArray,
        seed: np.random.SeedSequence,
    ) -> None:
        if len(durations) > LARGEST_JOINT_DRAW:
            raise InvalidInput(
                "rounds",
                len(durations),
                f"at most {LARGEST_JOINT_DRAW} with this time kernel; the forgetting kernel has "
                "no limit",
            )
        every = slice(None)
        times = EvaluationTimes.from_durations(durations)
        gram = time_kernel.at_distance(times.distances(every, every))
        # Tied and close times make the Gram matrix singular: this root bears that.
        normals = np.random.default_rng(seed).standard_normal((len(durations), factor.rank))
        self._all = factor.apply(symmetric_root(gram) @ normals)
        self._next = 0

    def after(self, gap: float) -> FloatArray:
        self._next += 1
        return np.asarray(self._all[self._next - 1])


@dataclass(frozen=True, eq=False)
class Seeds:
    """The independent streams of one run, children of `SeedSequence(seed)`.

    >>> Seeds.of(7).noise.spawn_key
    (1,)
    """

    objective: np.random.SeedSequence
    noise: np.random.SeedSequence
    initial: np.random.SeedSequence
    policy: np.random.SeedSequence
    clock: np.random.SeedSequence

    @classmethod
    def of(cls, seed: int) -> Seeds:
        """Raises InvalidInput for a negative seed."""
        if seed < 0:
            raise InvalidInput("seed", seed, "give a whole number of at least 0")
        return cls(*np.random.SeedSequence(seed).spawn(5))


def draw_path(
    problem: Problem,
    evaluation_time: EvaluationTime,
    rounds: int,
    seed: np.random.SeedSequence,
    factor: Factor | None = None,
) -> Path:
    """An objective of `problem` at the instants that `evaluation_time` allows.

    Parameters
    ----------
    problem : kernels and domain; its own evaluation times are not used
    evaluation_time : fixed durations, or t(x)
    rounds : how many instants will be read at most
    seed : stream of the objective
    factor : of the Gram matrix of `problem.space_kernel` over the grid, where it is at hand

    Raises InvalidInput for t(x) with a time kernel that is not Markov, and for more rounds than
    fixed durations.
    """
    if factor is None:
        factor = space_factor(problem)
    kernel = problem.time_kernel
    if isinstance(evaluation_time, FixedDurations):
        known = len(evaluation_time.durations)
        if rounds > known:
            raise InvalidInput("rounds", rounds, f"only {known} durations are given")
        if kernel.is_markov:
            return SequentialPath(factor, kernel, seed)
        return JointPath(factor, kernel, evaluation_time.durations[:rounds], seed)
    check_times(evaluation_time, kernel)
    spacing = 0.5 * float(np.mean(evaluation_time.durations))
    if spacing == 0.0:
        return SequentialPath(factor, kernel, seed)
    return LatticePath(factor, kernel, spacing, seed)


def check_times(evaluation_time: EvaluationTime, time_kernel: Kernel) -> None:
    """Raise InvalidInput for t(x) with a time kernel that is not Markov: nothing draws that."""
    if isinstance(evaluation_time, PointDurations) and not time_kernel.is_markov:
        raise InvalidInput(
            "time-kernel",
            time_kernel.name,
            "times that depend on the point need the forgetting or the exponential time kernel",
        )


def _step(kernel: Kernel, gap: float) -> tuple[float, float]:
    """a = k_time(gap) and √(1−a²)."""
    return float(kernel.at_distance(gap)), float(np.sqrt(kernel.deficit(gap)))


def _child(seed: np.random.SeedSequence, key: int) -> np.random.SeedSequence:
    """The child of `seed` with this key, the same however often it is asked for."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, key))
