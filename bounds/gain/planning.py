"""How many rounds until regret per round is low: for certain by a bound, at best by the floor.

For equal steps of the mean duration of a problem's times, by every row of a problem that needs no
random numbers. γ̃_n at several noise levels is the least of Theorem A over equal blocks, the cap,
and blocks of L rounds at the joint dual of L rounds, as gains of blocks add up; the floor is that
of `floor_rounds_until`. Theorem X is simulated: `simulation.before_run.until`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from bounds.arrays import FloatArray
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.errors import InvalidInput
from bounds.gain.answer import smallest_of_each
from bounds.partitions.equal_blocks import equal_block_gains
from bounds.problem import Problem
from bounds.regret.ingredients.exploration import Exploration
from bounds.regret.ingredients.ingredients import Ingredients, noise_levels
from bounds.regret.lower.until import LARGEST, floor_rounds_until, rounds_until
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.maximum.slepian import expected_maximum
from bounds.regret.regret_bound import ANY_POLICY, RegretBound
from bounds.regret.rows import regret_rows
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes

MOST_ROUNDS = 4_000
"""Rounds up to which the bounds are tried."""

MOST_WITHOUT_MARKOV = 1_000
"""The same for a time kernel that is not Markov, whose factor every number of rounds needs."""

LONGEST_DUAL = 130
"""Rounds of the blocks that the joint dual takes together, at each noise level."""


@dataclass(frozen=True)
class Enough:
    """After `rounds` equal steps a bound per round is at most the level; None: not by `most`.

    Attributes
    ----------
    name : of the bound that says so, the smallest of its policy and kind
    covers : the policy in words
    kind : "probability" or "mean"
    """

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
    bounds : for each policy and kind after how many rounds a bound says so; floating point
    floor : the rounds that every policy needs, by a certified m*; None where no policy gets there
        within `most_of_floor` rounds
    """

    level: float
    duration: float
    bounds: tuple[Enough, ...]
    floor: int | None
    most_of_floor: int = LARGEST


def equal_steps(problem: Problem, n: int) -> Problem:
    """The problem at n equal steps of the mean duration of its times."""
    duration = problem.times.total_time / problem.n
    return replace(problem, times=EvaluationTimes.from_durations(np.full(n, duration)))


def rounds_until_level(
    problem: Problem, level: float, *, delay: int = 0, most: int = MOST_ROUNDS
) -> RoundsUntil:
    """After how many equal steps each bound, and the floor, per round is at most `level`.

    Parameters
    ----------
    problem : its times give the mean duration alone
    level : > 0
    delay : results of the last `delay` rounds are late: the floor speaks of them, and of the bounds
        those for any policy are left
    most : rounds up to which the bounds are tried

    Raises InvalidInput for a level that is no positive number. Some seconds.

    >>> from bounds.domain import Grid
    >>> times = EvaluationTimes.from_durations([1.0] * 5)
    >>> plan = rounds_until_level(Problem(times, 0.0, domain=Grid(1, 1.0, 3)), 0.5)
    >>> plan.floor <= min(bound.rounds for bound in plan.bounds if bound.rounds)
    True
    """
    if not (level > 0.0 and isfinite(level)):
        raise InvalidInput("until", level, "give a positive regret per round")
    if not problem.time_kernel.is_markov:
        most = min(most, MOST_WITHOUT_MARKOV)
    rows = _Rows(problem, most)
    planned = []
    for key, last in rows.at(most).items():
        if delay and last.policy != ANY_POLICY:
            continue
        rounds = rounds_until(lambda n, key=key: rows.at(n)[key].value, level, most=most)  # type: ignore[misc]
        row = last if rounds is None else rows.at(rounds)[key]
        planned.append(Enough(row.name, row.covers, row.kind, rounds, most))
    floor = floor_rounds_until(
        problem.times.total_time / problem.n,
        problem.time_kernel,
        problem.noise_variance,
        least_maximum(problem).value,
        level,
        delay=delay,
    )
    return RoundsUntil(level, problem.times.total_time / problem.n, tuple(planned), floor)


class _Rows:
    """The smallest row for each policy and kind at n equal steps, for any n up to `most`."""

    def __init__(self, problem: Problem, most: int) -> None:
        self._problem = problem
        self._bracket = expected_maximum(problem.domain, problem.space_kernel)
        self._block = min(LONGEST_DUAL, most)
        self._duals: dict[float, float | None] = {}
        self._curves: dict[float, FloatArray] = {}
        for noise in noise_levels(problem):
            at_noise = replace(problem, noise_variance=noise)
            dual = joint_dual(equal_steps(at_noise, self._block))
            self._duals[noise] = None if dual is None else dual.value
            self._curves[noise] = space_gain_upper(
                problem.space_kernel, problem.domain, noise, most
            ).values
        self._explored: Exploration | None = None
        self._known: dict[int, dict[tuple[str, str, str], RegretBound]] = {}

    def at(self, n: int) -> dict[tuple[str, str, str], RegretBound]:
        """By policy, exploration and kind."""
        if n not in self._known:
            problem = equal_steps(self._problem, n)
            gains = [(noise, self._gain(noise, n)) for noise in self._curves]
            given = Ingredients(problem, gains, maximum=self._bracket, explored=self._explored)
            self._explored = given.explored
            self._known[n] = smallest_of_each(regret_rows(given, "upper"))
        return self._known[n]

    def _gain(self, noise: float, n: int) -> float:
        """An upper bound on γ̃_n at this noise."""
        at_noise = replace(self._problem, noise_variance=noise)
        gain = min(self._by_blocks(noise, n), n * at_noise.trivial_gain_per_round)
        dual = self._duals[noise]
        if dual is None:
            return gain
        full, rest = divmod(n, self._block)
        rest_gain = min(dual, rest * at_noise.trivial_gain_per_round)
        return min(gain, full * dual + rest_gain)

    def _by_blocks(self, noise: float, n: int) -> float:
        problem = self._problem
        gains = equal_block_gains(
            n,
            problem.times.total_time / problem.n,
            epsilon=problem.epsilon,
            time_kernel=problem.time_kernel,
            noise_variance=noise,
            gamma=self._curves[noise][: n + 1],
        )
        return min(value for value, _ in map(gains.best, gains.valid))
