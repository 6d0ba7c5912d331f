"""From which drift downward Theorem 1 says more than the trivial cap, for given times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log
from time import perf_counter

from bounds.arrays import FloatArray
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.search import search
from bounds.problem import Problem

_LEAST, _LARGEST = 1e-18, 1.0 - 1e-12
_STEPS = 34  # of bisection in log ε: below 1e-8 of it
_SECONDS = 1.0
_BELOW = 1.0 - 1e-9


@dataclass(frozen=True)
class SpeaksFrom:
    """The largest ε at which Theorem 1 bounds γ̃_n below the trivial cap.

    epsilon : rounded down to what the bisection knows; None where there is none or it is unknown
    reason : why it is None; empty otherwise
    """

    epsilon: float | None
    reason: str = ""


def speaks_from(problem: Problem, gamma: FloatArray, seconds: float = _SECONDS) -> SpeaksFrom:
    """Bisection over ε: Theorem 1's drift grows with ε, and so does what its hypothesis asks.

    Parameters
    ----------
    problem : with the forgetting kernel of rate ε; its own ε plays no part
    gamma : (≥ n+1,) upper bounds on γ_0..γ_n
    seconds : what the searches together may take; above it the answer is unknown

    Examples
    --------
    >>> import numpy as np
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 8))
    >>> gamma = np.minimum(np.arange(9.0), 3.0) * problem.trivial_gain_per_round
    >>> found = speaks_from(problem, gamma, seconds=60.0)
    >>> 0.0 < found.epsilon < 0.1
    True
    """
    if problem.time_kernel.at_rate(problem.epsilon) is None:
        return SpeaksFrom(None, "its ε belongs to the forgetting kernel")
    cap = problem.n * problem.trivial_gain_per_round

    def speaks(epsilon: float) -> bool:
        time_kernel = problem.time_kernel.at_rate(epsilon) or problem.time_kernel
        at = replace(problem, epsilon=epsilon, time_kernel=time_kernel)
        if theorem1_failure(at):
            return False
        return search("theorem1", at, gamma).value < _BELOW * cap

    if not speaks(_LEAST):
        return SpeaksFrom(None, "at no drift: already without drift the rounds reach the cap")
    start = perf_counter()  # the first search may have compiled its loops
    speaks(problem.epsilon)
    if (perf_counter() - start) * _STEPS > seconds:
        return SpeaksFrom(None, f"finding it would take more than {seconds:g} s")
    low, high = log(_LEAST), log(_LARGEST)
    for _ in range(_STEPS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if speaks(exp(middle)) else (low, middle)
    return SpeaksFrom(exp(low))
