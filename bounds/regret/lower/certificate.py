"""What another program needs to redo the floor of a problem, as plain data.

Doubles are written as they are, each an exact number. `proofs_check.recheck.bounds.floor` reads it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.regret.ingredients.common_part import information
from bounds.regret.ingredients.first_looks import FirstLooks
from bounds.regret.ingredients.full_information import VarianceLeft
from bounds.regret.ingredients.start_up import ranked_rounds, summed
from bounds.regret.lower.arm_value import knots
from bounds.regret.lower.prices import blocks, priced
from bounds.regret.maximum.maximum import LeastMaximum, least_maximum

MOST_BALLS = 3_000_000
"""Different waits times the square of the knots that a certificate of prices has: some seconds."""

_MARGIN = 1e-9  # between what two programs make of the same prices, whose roundings differ

LARGEST = 2_000
"""Rounds of a certificate for a time kernel that is not Markov: it holds n²/2 numbers."""


def price_certificate(problem: Problem) -> dict[str, Any] | None:
    """Prices and knots of Theorem L with what they prove, for a checker of `E R_n ≥ value`.

    None where the problem has no independent arms or another time kernel, where prices prove
    nothing, or for more rounds than one game has: the checker encloses E(ku + sZ − u_l)₊ for every
    wait and every pair of knots. Looks are exact, which is valid for every noise.
    `proofs_check.recheck.bounds.prices` reads it.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0] * 8)
    >>> certificate = price_certificate(Problem(times, epsilon=0.75, domain=Arms(5)))
    >>> round(certificate["value"], 2), len(certificate["prices"]), len(certificate["knots"])
    (7.49, 8, 81)
    """
    arms, kernel = problem.domain, problem.time_kernel
    if not isinstance(arms, Arms) or arms.count < 2:
        return None
    if not (kernel.is_markov and kernel.is_nonnegative) or len([*blocks(problem.times.exact)]) > 1:
        return None
    ticks = problem.times.exact.ticks
    waits = len({b - a for i, b in enumerate(ticks) for a in ticks[:i]})
    kept = next((m for m in (81, 61, 41) if waits * m * m <= MOST_BALLS), None)
    if kept is None:
        return None
    means = [0.0] * arms.count
    bound = priced(problem.times, kernel, means, knots_kept=kept)
    if not bound.value:
        return None
    return {
        "value": bound.value - _MARGIN * (1.0 + abs(bound.value)),
        "prices": bound.prices.tolist(),
        "knots": knots(kept, float(np.median(bound.prices))).tolist(),
    }


def floor_certificate(problem: Problem, *, delay: int = 0, rank: bool = True) -> dict[str, Any]:
    """The certificate of the floor with its start-up part, or of Theorem F alone.

    Raises InvalidInput where the floor is not certified.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 0.5]))
    >>> sorted(floor_certificate(problem))[:3]
    ['common', 'delay', 'maximum']
    """
    least = least_maximum(problem)

    def worth(way: tuple[float, VarianceLeft]) -> float:
        if not rank:
            return way[1].total() * least.value * (1.0 - 2.0**-49)
        return summed(ranked_rounds(problem, way, least.value))

    common, left = max(information(problem, delay), key=worth)
    if not (left.certified and least.certified):
        remedy = "a certificate needs kernels with an enclosure and at most 200,000 lags"
        raise InvalidInput("time-kernel", problem.time_kernel.name, remedy)
    if left.weights is not None and left.n > LARGEST:
        raise InvalidInput("n", left.n, f"give at most {LARGEST} with this time kernel")
    return {
        "value": worth((common, left)),
        "rank": rank,
        "delay": delay,
        "common": common,
        "shares": left.shares.tolist(),
        "weights": None
        if left.weights is None
        else [left.weights[i, : max(i - delay, 0)].tolist() for i in range(left.n)],
        "shape": rank and not common and FirstLooks.of(problem) is not None,
        "maximum": _maximum(least),
    }


def _maximum(least: LeastMaximum) -> dict[str, Any]:
    """The points, and what a value by quantisation rests on; null for Slepian's."""
    quantised = least.quantised
    return {
        "value": least.value,
        "points": list(least.points),
        "features": None if quantised is None else quantised.features.tolist(),
        "variances": None if quantised is None else quantised.variances.tolist(),
        "cells": None if quantised is None else list(quantised.cells),
    }
