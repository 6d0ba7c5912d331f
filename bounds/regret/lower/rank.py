"""The floor with its start-up part: k observations span k directions, whatever the policy."""

from __future__ import annotations

import numpy as np

from bounds.arrays import FloatArray
from bounds.enclosure import Lower, LowerArray
from bounds.errors import InvalidInput
from bounds.numerics.rounding import at_least
from bounds.problem import Problem
from bounds.regret.bound import Bound
from bounds.regret.ingredients.common_part import information
from bounds.regret.ingredients.full_information import LARGEST_DENSE
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.start_up import ranked_rounds, summed
from bounds.regret.lower.full_information import shown_information
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.regret_bound import RegretBound


class RankFloor(Bound):
    """Σ max(F, m* − √(1−p_i)·Eχ_k), F the floor of Theorem F and k the observations known."""

    name = "rank"
    title = "rank argument"
    source = "Σ max(F, m* − √(1−p_i)·Eχ)"
    direction = "lower"
    kind = "mean"

    def evaluate(self, given: Ingredients) -> RegretBound:
        problem, least = given.problem, given.least
        value = max(summed(ranked_rounds(problem, way, least.value)) for way in given.information)
        common = given.information[-1][0]
        left = "√((1−c)(1−p_i))" if common else "√(1−p_i)"
        return self.at(
            value,
            f"Σ max(F, m* − {left}·Eχ), {shown_information(given)}",
            certified=given.information[0][1].certified and least.certified,
            level=least.level,
            simulated=least.level is not None,
        )


def floor_after(problem: Problem, initial: int) -> RegretBound | None:
    """A floor under the mean regret of the rounds after the initial ones, for any policy.

    The floor of a round does not depend on what was played, so those of the later rounds add up.
    Certified by its m*; None for more rounds than a time kernel that is not Markov may have.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 4), domain=Arms(2))
    >>> floor_after(problem, 2).value < floor_after(problem, 0).value
    True
    """
    if problem.n > LARGEST_DENSE and not problem.time_kernel.is_markov:
        return None
    least, ways = least_maximum(problem), tuple(information(problem))
    worth = max(summed(ranked_rounds(problem, way, least.value)[initial:]) for way in ways)
    return RankFloor().at(
        worth,
        f"rounds {initial + 1} to {problem.n}, m* ≥ {at_least(least.value)}",
        certified=ways[0][1].certified and least.certified,
    )


def protocol_floor(problem: Problem, initial: int) -> RegretBound | None:
    """A floor under the mean regret of all rounds of a protocol with random rounds at its start.

    A round whose point is chosen without data costs m* in the mean, since E f(x) = 0; the rounds
    after `initial` such ones cost what `floor_after` has. See docs/theory.md#protocol.

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 4), domain=Arms(2))
    >>> protocol_floor(problem, 4).value >= 4 * 0.5641895  # m* = 1/√π
    True
    """
    if not 0 <= initial <= problem.n:
        raise InvalidInput("initial", initial, f"give between 0 and {problem.n} random rounds")
    later = floor_after(problem, initial)
    if later is None:
        return None
    least = least_maximum(problem)
    total = (initial * float(least.value) + later.value) * (1.0 - 2.0**-49)
    return RankFloor().at(
        Lower(total) if later.certified else total,
        f"{initial} random rounds at m* each, m* ≥ {at_least(least.value)}, and what follows",
        certified=later.certified,
    )


def floor_of_rounds(problem: Problem, initial: int = 0) -> LowerArray | FloatArray:
    """(n,) the row `rank` of the first 1, 2, …, n rounds, of which so many at first are random.

    Without random rounds the last number is that of `floors`, with them that of `protocol_floor`.
    """
    least = least_maximum(problem).value
    rounds = [ranked_rounds(problem, way, least) for way in information(problem)]
    random = np.full(min(initial, problem.n), float(least))
    ways = np.array([np.cumsum(np.concatenate([random, way[initial:]])) for way in rounds])
    total = np.asarray(ways.max(axis=0) * (1.0 - 2.0**-52 * (problem.n + 8)))
    return LowerArray.of(total) if isinstance(rounds[0], LowerArray) else total
