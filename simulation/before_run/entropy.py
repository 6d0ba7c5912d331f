"""The entropy of the path of the optimum from above, by the length of a code learnt on simulations.

H(x*_1, …, x*_n) ≤ log|D| + Σ_i E[−log q_i(x*_{i+1} | x*_i)] for every conditional law q_i. It is
learnt for each duration on one set of simulated transitions (displacements on a grid, pairs of
points otherwise), mixed with η/|D| so that no length exceeds log(|D|/η), and evaluated on a fresh
set with the empirical Bernstein bound of Maurer and Pontil. See docs/theory.md#theorem-m.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput
from bounds.numerics.rounding import at_most
from bounds.problem import Problem
from bounds.regret.regret_bound import RegretBound
from bounds.regret.upper.in_expectation.theorem_m import TheoremMByEntropy
from simulation.before_run.draws import generator, in_chunks
from simulation.model.covariance import space_factor

MOST_DURATIONS = 50
_DRAWS, _DELTA = 5_000, 1e-3
_MIXED = 0.01


def entropy_row(problem: Problem, *, seed: int = 0) -> RegretBound:
    """Theorem M for Thompson sampling with `path_entropy`, |D| for the rank."""
    bound, entropy = TheoremMByEntropy(), path_entropy(problem, seed=seed)
    return bound.at(
        bound.from_entropy(problem, entropy),
        f"{bound.source}, H ≤ {at_most(entropy)} nats by simulation",
        level=1.0 - _DELTA,
        simulated=True,
    )


def path_entropy(problem: Problem, *, seed: int = 0) -> float:
    """H(x*_1..x*_n) in nats is at most this, with probability ≥ 0.999 over the simulation.

    At the problem's times. Raises InvalidInput for a time kernel that is not Markov and for more
    than 50 different durations.
    """
    kernel, draws = problem.time_kernel, _DRAWS
    if not kernel.is_markov:
        raise InvalidInput("time-kernel", kernel.name, "the code needs a Markov time kernel")
    gaps, counts = np.unique(problem.times.durations[1:], return_counts=True)
    if len(gaps) > MOST_DURATIONS:
        raise InvalidInput("durations", len(gaps), f"at most {MOST_DURATIONS} different ones")
    size, rng = problem.domain.size, generator(seed)
    total = log(size)
    for gap, count in zip(gaps.tolist(), counts.tolist(), strict=True):
        learnt = _Code(problem)
        for pair in _transitions(problem, gap, draws, rng):
            learnt.learn(*pair)
        fresh = _transitions(problem, gap, draws, rng)
        lengths = np.concatenate([learnt.lengths(*pair) for pair in fresh])
        weight, top = log(2.0 * len(gaps) / _DELTA), log(size / _MIXED)
        spread = sqrt(2.0 * float(np.var(lengths, ddof=1)) * weight / draws)
        longest = float(np.mean(lengths)) + spread + 7.0 * top * weight / (3.0 * (draws - 1))
        total += count * min(longest, log(size))
    return total


class _Code:
    """q(x' | x) ∝ counts of the displacement (grid) or of the pair, mixed with η/|D|."""

    def __init__(self, problem: Problem) -> None:
        self._size, axes = problem.domain.size, problem.domain.axes
        self._shape = () if axes is None else tuple(len(axis) for axis in axes)
        self._pairs = not self._shape and self._size <= 64
        self._counts: dict[int, int] = {}
        self._starts: dict[int, int] = {}

    def _symbols(self, before: IntArray, after: IntArray) -> IntArray:
        if self._shape:
            one, two = (np.unravel_index(x, self._shape) for x in (before, after))
            lags = [b - a + q - 1 for a, b, q in zip(one, two, self._shape, strict=True)]
            widths = tuple(2 * q - 1 for q in self._shape)
            return np.asarray(np.ravel_multi_index(lags, widths), dtype=np.int64)
        if self._pairs:
            return np.asarray(before * self._size + after, dtype=np.int64)
        return np.asarray(before == after, dtype=np.int64)

    def _context(self, before: IntArray) -> IntArray:
        return before if self._pairs else np.zeros_like(before)

    def learn(self, before: IntArray, after: IntArray) -> None:
        """Count transitions."""
        for table, keys in (
            (self._counts, self._symbols(before, after)),
            (self._starts, self._context(before)),
        ):
            for key, count in zip(*np.unique(keys, return_counts=True), strict=True):
                table[int(key)] = table.get(int(key), 0) + int(count)

    def lengths(self, before: IntArray, after: IntArray) -> FloatArray:
        """−log q(x' | x) of each transition; q sums to at most 1 over x'."""
        counted = np.array([self._counts.get(int(k), 0) for k in self._symbols(before, after)])
        starts = np.array([self._starts.get(int(k), 0) for k in self._context(before)])
        share = counted / np.maximum(starts, 1)
        if not self._shape and not self._pairs:  # any other point: one symbol for all of them
            share = np.where(before == after, share, share / max(self._size - 1, 1))
        return np.asarray(-np.log((1.0 - _MIXED) * share + _MIXED / self._size))


def _transitions(
    problem: Problem, gap: float, draws: int, rng: np.random.Generator
) -> Iterator[tuple[IntArray, IntArray]]:
    """Indices of the optimum before and after a gap, in chunks."""
    factor = space_factor(problem)
    kept = float(problem.time_kernel.at_distance(gap))
    lost = float(np.sqrt(problem.time_kernel.deficit(gap)))
    for count in in_chunks(draws, 2 * problem.domain.size):
        before = factor.apply(rng.standard_normal((count, factor.rank)))
        after = kept * before + lost * factor.apply(rng.standard_normal((count, factor.rank)))
        yield np.argmax(before, axis=1), np.argmax(after, axis=1)
