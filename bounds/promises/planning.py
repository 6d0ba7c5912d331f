"""How many rounds until regret per round is low: for certain by a bound, at best by the floor.

For equal steps of the mean duration of a problem's times. The bounds are Lemma S's envelope times
2√β_n for CTV-fixed and Theorem T for UCB with a random weight, both with γ̃_n bounded by Theorem A
over equal blocks at several noise levels; the floor is that of `floor_rounds_until`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import isfinite, sqrt
from typing import Any

from bounds.arrays import FloatArray
from bounds.confidence.schedules import finite_domain_beta
from bounds.errors import InvalidInput
from bounds.partitions.equal_blocks import equal_block_gains
from bounds.problem import Problem
from bounds.regret_itself.ceilings.before_run import noise_levels
from bounds.regret_itself.ceilings.noise_inflation import deviation_bound
from bounds.regret_itself.ceilings.thompson import by_deviations
from bounds.regret_itself.expected_maximum.maximum import least_maximum
from bounds.regret_itself.floors.until import LARGEST, floor_rounds_until, rounds_until
from bounds.static_gain.upper_curve import space_gain_upper

MOST_ROUNDS = 5_000
"""Rounds up to which the bounds are tried."""


@dataclass(frozen=True)
class Enough:
    """After `rounds` equal steps a bound per round is at most the level; None: not by `most`."""

    name: str
    covers: str
    kind: str
    rounds: int | None
    most: int


@dataclass(frozen=True)
class RoundsUntil:
    """When regret per round is at most `level`, for steps of `duration`.

    Attributes
    ----------
    level : regret per round
    duration : of every step, the mean of the problem's
    bounds : after how many rounds each bound says so; floating point
    floor : the rounds that every policy needs, by a certified m*; None where no policy gets there
        within `most_of_floor` rounds
    """

    level: float
    duration: float
    bounds: tuple[Enough, ...]
    floor: int | None
    most_of_floor: int = LARGEST

    def to_dict(self) -> dict[str, Any]:
        """Its fields as plain data."""
        return asdict(self)


def rounds_until_level(
    problem: Problem, level: float, *, delay: int = 0, most: int = MOST_ROUNDS
) -> RoundsUntil:
    """After how many equal steps each bound, and the floor, per round is at most `level`.

    Parameters
    ----------
    problem : its times give the mean duration alone
    level : > 0
    delay : results of the last `delay` rounds are late: the floor alone speaks of them
    most : rounds up to which the bounds are tried

    Raises InvalidInput for a level that is no positive number. Some seconds.

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0] * 5)
    >>> found = rounds_until_level(Problem(times, 0.0, domain=Grid(1, 1.0, 3)), 0.5)
    >>> found.floor <= min(one.rounds for one in found.bounds if one.rounds)
    True
    """
    if not (level > 0.0 and isfinite(level)):
        raise InvalidInput("until", level, "give a positive regret per round")
    duration = problem.times.total_time / problem.n
    bounds = () if delay else _bounds(problem, duration, level, most)
    floor = floor_rounds_until(
        duration, problem.time_kernel, problem.noise_variance, least_maximum(problem).value,
        level, delay=delay,
    )  # fmt: skip
    return RoundsUntil(level, duration, bounds, floor)


def _bounds(problem: Problem, duration: float, level: float, most: int) -> tuple[Enough, ...]:
    size = problem.domain.size
    curves = {
        noise: space_gain_upper(problem.space_kernel, problem.domain, noise, most).values
        for noise in noise_levels(problem)
    }

    def deviations(n: int) -> float:
        gains = [(s, _equal_steps(problem, duration, s, curve, n)) for s, curve in curves.items()]
        return deviation_bound(n, problem.noise_variance, gains).value

    def theory(n: int) -> float:
        return 2.0 * sqrt(float(finite_domain_beta(n, size, problem.delta))) * deviations(n)

    def random_weight(n: int) -> float:
        return by_deviations(n, size, deviations(n) / n)

    totals: list[tuple[str, str, str, Callable[[int], float]]] = [
        ("envelope", "ctv-fixed, exploration theory", "probability", theory),
        ("theorem_t", "random-weight-ucb", "mean", random_weight),
    ]
    return tuple(
        Enough(name, covers, kind, rounds_until(total, level, most=most), most)
        for name, covers, kind, total in totals
    )


def _equal_steps(
    problem: Problem, duration: float, noise: float, curve: FloatArray, n: int
) -> float:
    at_noise = replace(problem, noise_variance=noise)
    found = equal_block_gains(
        n, duration, epsilon=problem.epsilon, time_kernel=problem.time_kernel,
        noise_variance=noise, gamma=curve[: n + 1],
    )  # fmt: skip
    return min(found.best("refined")[0], n * at_noise.trivial_gain_per_round)
