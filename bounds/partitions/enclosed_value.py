"""The value of an objective at a given partition, enclosed and rounded upward."""

from __future__ import annotations

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Upper, matrices
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.result import SearchResult
from bounds.problem import Problem


def certified_value(problem: Problem, gamma: FloatArray, result: SearchResult) -> Upper | None:
    """An upper bound on the objective at the partition of a search result, hence on γ̃_n.

    Parameters
    ----------
    gamma : certified upper bounds on γ_0..γ_n, doubles taken as exact

    Returns None where an ingredient has no enclosure (the slope θ of smooth time kernels,
    a time kernel of one's own).
    Whether Theorem 1's hypothesis holds is not looked at here. Cost O(n) numbers.
    """
    objective = OBJECTIVES[result.objective]
    with enclosure.precision(matrices.WORKING_BITS):
        drift = objective.enclosed_drift(problem, result)
        if drift is None:
            return None
        return matrices.upward(objective.enclosed_gain(gamma, result.partition) + drift)
