"""What another program needs to redo a floor, or the number of a schedule, as plain data.

Doubles are written as they are (each an exact number), durations as exact fractions in text.
`proofs_check.recheck.floor` reads both.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.domain import domain_data
from bounds.errors import InvalidInput
from bounds.kernels import kernel_data
from bounds.problem import Problem
from bounds.regret_itself.ceilings.schedule import Schedule
from bounds.regret_itself.expected_maximum.maximum import LeastMaximum, least_maximum
from bounds.regret_itself.floors.floors import information
from bounds.regret_itself.floors.full_information import VarianceLeft
from bounds.regret_itself.floors.rank_floor import round_floors, summed

LARGEST = 2_000
"""Rounds of a certificate for a time kernel that is not Markov: it holds n²/2 numbers."""


def floor_certificate(
    problem: Problem, *, delay: int = 0, gram: FloatArray | None = None, rank: bool = True
) -> dict[str, Any]:
    """The certificate of the floor with its start-up part, or of Theorem F alone.

    Raises InvalidInput where the floor is not certified.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 0.5]))
    >>> sorted(floor_certificate(problem, gram=np.eye(2)))[:3]
    ['common', 'delay', 'durations']
    """
    least = least_maximum(problem, gram)
    in_space = problem.space_kernel.is_nonnegative if gram is None else bool(np.min(gram) >= 0.0)
    non_negative = in_space and problem.time_kernel.is_nonnegative

    def worth(way: tuple[float, VarianceLeft]) -> float:
        common, left = way
        if not rank:
            return left.total() * least.value * (1.0 - 2.0**-49)
        return summed(round_floors(left, least.value, non_negative=non_negative and not common))

    common, left = max(information(problem, gram, delay), key=worth)
    if not (left.certified and least.certified):
        remedy = "a certificate needs kernels with an enclosure and at most 200,000 lags"
        raise InvalidInput("time-kernel", problem.time_kernel.name, remedy)
    if left.weights is not None and left.n > LARGEST:
        raise InvalidInput("n", left.n, f"give at most {LARGEST} with this time kernel")
    return {
        "kind": "floor",
        "value": worth((common, left)),
        "rank": rank,
        "durations": _fractions(problem.times.durations),
        "noise_variance": problem.noise_variance,
        "largest_variance": 1,
        "common": common,
        "delay": delay,
        "time_kernel": kernel_data(problem.time_kernel),
        "shares": left.shares.tolist(),
        "weights": None
        if left.weights is None
        else [left.weights[i, : max(i - delay, 0)].tolist() for i in range(left.n)],
        "maximum": _maximum(problem, gram, least),
    }


def schedule_certificate(
    problem: Problem,
    schedule: Schedule,
    *,
    value: float,
    draws: int,
    seed: int,
    delta: float,
    gram: FloatArray | None = None,
) -> dict[str, Any]:
    """A schedule with its number and the draws behind it."""
    return {
        "kind": "schedule",
        "value": value,
        "rounds": list(schedule.rounds),
        "schedule_points": list(schedule.points),
        "draws": draws,
        "seed": seed,
        "delta": delta,
        "durations": _fractions(problem.times.durations),
        "noise_variance": problem.noise_variance,
        "time_kernel": kernel_data(problem.time_kernel),
        "space_kernel": None if gram is not None else kernel_data(problem.space_kernel),
        "points": [[]] * len(gram) if gram is not None else problem.domain.points.tolist(),
        "gram": None if gram is None else gram.tolist(),
    }


def _maximum(problem: Problem, gram: FloatArray | None, least: LeastMaximum) -> dict[str, Any]:
    return {
        "value": least.value,
        "points": list(least.points),
        "gram": None if gram is None else gram.tolist(),
        "domain": None if gram is not None else dict(domain_data(problem.domain)),
        "space_kernel": None if gram is not None else kernel_data(problem.space_kernel),
    }


def _fractions(durations: FloatArray) -> list[str]:
    return [str(Fraction(t)) for t in durations.tolist()]
