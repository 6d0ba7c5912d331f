"""From which drift downward Theorem 1 says more than the trivial cap, for given times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

from bounds.arrays import FloatArray
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, search
from bounds.problem import Problem

_LEAST, _LARGEST = 1e-18, 1.0 - 1e-12
_STEPS = 34  # of bisection in log ε: below 1e-8 of it
_NEXT = 1.0 + 1e-7
_MOST_SEARCHES = 30  # three or four are the rule
_BELOW = 1.0 - 1e-9


@dataclass(frozen=True)
class SpeaksFrom:
    """The largest ε at which Theorem 1 bounds γ̃_n below the trivial cap.

    epsilon : rounded down to what the bisection knows; None where there is none
    reason : why it is None; empty otherwise
    """

    epsilon: float | None
    reason: str = ""


def speaks_from(problem: Problem, gamma: FloatArray) -> SpeaksFrom:
    """The largest ε at which some partition is below the cap, by Dinkelbach's method.

    Theorem 1's drift grows with ε, and so does what its hypothesis asks: one partition is below
    the cap up to an ε that bisection finds in O(n) a step. The best partition there reaches
    further, unless none does.

    Parameters
    ----------
    problem : with the forgetting kernel of rate ε; its own ε plays no part
    gamma : (≥ n+1,) upper bounds on γ_0..γ_n

    Some searches for Theorem 1: 0.5 s at n = 240, some 10 s at n = 20,000. Where such a search is
    not exact, a larger ε may do as well.

    Examples
    --------
    >>> import numpy as np
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 8))
    >>> gamma = np.minimum(np.arange(9.0), 3.0) * problem.trivial_gain_per_round
    >>> 0.0 < speaks_from(problem, gamma).epsilon < 0.1
    True
    """
    if problem.time_kernel.at_rate(problem.epsilon) is None:
        return SpeaksFrom(None, "its ε belongs to the forgetting kernel")
    below = _BELOW * problem.n * problem.trivial_gain_per_round

    def reach(partition: Partition, least: float) -> float:
        """The largest ε ≥ `least` at which the partition is below the cap."""

        def is_low(epsilon: float) -> bool:
            return evaluate("theorem1", problem.at_rate(epsilon), gamma, partition).value < below

        return _last(is_low, least) if is_low(least) else least

    largest = _last(lambda epsilon: not theorem1_failure(problem.at_rate(epsilon)), _LEAST)
    rate = _LEAST
    for partition in _equal_blocks(problem.n):
        rate = reach(partition, rate)
    for _ in range(_MOST_SEARCHES):
        best = search("theorem1", problem.at_rate(min(rate * _NEXT, largest)), gamma)
        if best.value >= below:
            break
        rate = reach(best.partition, rate)
        if rate >= largest:
            return SpeaksFrom(largest)
    if rate == _LEAST:
        return SpeaksFrom(None, "at no drift: already without drift the rounds reach the cap")
    return SpeaksFrom(min(rate, largest))


def _last(holds: Callable[[float], bool], low: float) -> float:
    """The largest ε at which what holds at `low`, and up to some ε, is still true."""
    if holds(_LARGEST):
        return _LARGEST
    least, most = log(low), log(_LARGEST)
    for _ in range(_STEPS):
        middle = 0.5 * (least + most)
        least, most = (middle, most) if holds(exp(middle)) else (least, middle)
    return exp(least)


def _equal_blocks(n: int) -> list[Partition]:
    """Blocks of 1, 2, 4, … rounds, and one of all."""
    lengths = [*(2**k for k in range(n.bit_length()) if 2**k < n), n]
    return [Partition((*range(0, n, length), n)) for length in lengths]
