"""Every floor under E R_n that needs no random numbers, as rows.

| name | what it leaves the policy |
|---|---|
| `full-information` | every point every round, with noise (Theorem F) |
| `rank` | that, and in the first rounds no more directions than observations |
| `sandwich` | f itself up to the round before, without noise |
| `prices` | of independent arms all but one (`bounds.regret.lower.prices`) |

Where f has a part common to all points, c = 1/(1ᵀK⁻¹1), that part changes no regret and may be
told to the policy: Theorem F then has σ²/(1−c) for σ², and the looks of `rank` are worth √(1−c)
times as much, as what is left of f has the variance 1−c. It is taken where that is larger.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray, FloatArray
from bounds.enclosure import Lower, LowerArray, matrices
from bounds.errors import NoEnclosure
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.regret.lower.full_information import (
    LARGEST_DENSE,
    VarianceLeft,
    determinant_floor,
    variance_left,
)
from bounds.regret.lower.prices import prices_row
from bounds.regret.lower.rank_floor import round_floors, summed
from bounds.regret.maximum.maximum import LeastMaximum, least_maximum
from bounds.regret.regret_bound import ANY_POLICY, PRIOR, RegretBound
from bounds.rounding import at_least
from bounds.times import EvaluationTimes

MOST_WITH_COMMON_PART = 64
"""Points up to which the part common to all is sought, in ball arithmetic."""

_DOWN = 1.0 - 2.0**-49


def floors(
    problem: Problem,
    *,
    delay: int = 0,
    gram: FloatArray | None = None,
    maximum: LeastMaximum | None = None,
) -> tuple[RegretBound, ...]:
    """Lower bounds on E R_n for every policy at the problem's fixed times; one n, in the mean.

    Parameters
    ----------
    problem : Problem of n rounds
    delay : results of the last `delay` rounds are late (d + 1 workers)
    gram : (N, N) correlations of a finite domain, in place of the problem's grid
    maximum : a lower bound on m*, by default the certified one of `least_maximum`; a simulated one
        (`simulation.before_run.maximum`) makes simulated rows

    Raises InvalidInput as `variance_left` does. O(n) for Markov time kernels.

    >>> times = EvaluationTimes.from_durations([1.0] * 3)
    >>> rows = {row.name: row.value for row in floors(Problem(times), gram=np.eye(2))}
    >>> 0 < rows["sandwich"] <= rows["full-information"] <= rows["rank"]
    True
    """
    least = least_maximum(problem, gram) if maximum is None else maximum
    noise = problem.noise_variance
    ways = tuple(information(problem, gram, delay))
    (_, left), (common, further) = ways[0], ways[-1]
    full = further.total() * least.value * _DOWN
    rank = max(summed(ranked_rounds(problem, way, least.value, gram)) for way in ways)
    shown, left_of_f = f"σ² = {noise:.4g}", "√(1−p_i)"
    if common:
        shown = f"σ²/(1−c) = {further.noise_variance:.4g}, the common part told"
        left_of_f = "√((1−c)(1−p_i))"
    quiet = variance_left(problem.times, problem.time_kernel, 0.0, delay=delay)
    shown += f", by one determinant {at_least(determinant_floor(left) * least.value)}"
    m = f"m* ≥ {at_least(least.value)} ({least.source})"
    certified = left.certified and least.certified
    priced = prices_row(problem) if gram is None else None
    return (
        floor_row("full-information", full, f"m*·Σ(1 − √(1−p_i)), {shown}, {m}", least, certified),
        floor_row("rank", rank, f"Σ max(F, m* − {left_of_f}·Eχ), {shown}, {m}", least, certified),
        floor_row(
            "sandwich",
            quiet.total() * least.value * _DOWN,
            f"m*·Σ(1 − a_i), {m}",
            least,
            quiet.certified and least.certified,
        ),
        *(() if priced is None else (priced,)),
    )


def information(
    problem: Problem, gram: FloatArray | None = None, delay: int = 0
) -> Iterator[tuple[float, VarianceLeft]]:
    """What of f is told to the policy beforehand, with the p_i that are left: nothing (0), and the
    part c common to all points where that leaves more.
    """

    def left(noise: float) -> VarianceLeft:
        return variance_left(problem.times, problem.time_kernel, noise, delay=delay)

    plain, common = left(problem.noise_variance), common_part(problem, gram)
    yield 0.0, plain
    if common is not None:
        further = left(_noise_beside(problem, common))
        if further.total() > plain.total():
            yield common, further


def floor_row(
    name: str, value: float, source: str, least: LeastMaximum, certified: bool
) -> RegretBound:
    """A floor for any policy, in the mean; simulated where its m* is."""
    certified = certified and least.level is None
    return RegretBound(
        name,
        Lower(value) if certified else value,
        "lower",
        ANY_POLICY,
        PRIOR,
        "mean",
        least.level,
        "one n",
        source,
        certified=certified,
        simulated=least.level is not None,
    )


def floor_curve(
    times: EvaluationTimes,
    kernel: Kernel,
    noise_variance: float,
    maximum: float,
    *,
    delay: int = 0,
    non_negative: bool = False,
) -> LowerArray | FloatArray:
    """(n,) the floor with its start-up part after 1, 2, …, n rounds of one sequence.

    The floor of a round does not depend on the rounds to come, so one pass gives every horizon.
    """
    left = variance_left(times, kernel, noise_variance, delay=delay)
    rounds = round_floors(left, maximum, non_negative=non_negative)
    # Each partial sum errs by less than n units in the last place.
    total = np.asarray(np.cumsum(rounds) * (1.0 - 2.0**-52 * (len(rounds) + 8)))
    return LowerArray.of(total) if isinstance(rounds, LowerArray) else total


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
    certified = ways[0][1].certified and least.certified
    return RegretBound(
        "rank",
        Lower(worth) if certified else worth,
        "lower",
        ANY_POLICY,
        PRIOR,
        "mean",
        None,
        "one n",
        f"rounds {initial + 1} to {problem.n}, m* ≥ {at_least(least.value)}",
        certified=certified,
    )


def floor_of_rounds(problem: Problem) -> LowerArray | FloatArray:
    """(n,) the row `rank` of the first 1, 2, …, n rounds; its last number is that of `floors`."""
    least = least_maximum(problem).value
    rounds = [ranked_rounds(problem, way, least) for way in information(problem)]
    ways = np.array([np.cumsum(way) for way in rounds])
    total = np.asarray(ways.max(axis=0) * (1.0 - 2.0**-52 * (problem.n + 8)))
    return LowerArray.of(total) if isinstance(rounds[0], LowerArray) else total


def ranked_rounds(
    problem: Problem,
    way: tuple[float, VarianceLeft],
    maximum: float,
    gram: FloatArray | None = None,
) -> LowerArray | FloatArray:
    """(n,) the floors of the rounds with their start-up part, for one of `information`.

    Nothing is said of the signs of what is left once a common part is told.
    """
    common, left = way
    non_negative = not common and _non_negative(problem, gram)
    deviation = sqrt(1.0 - common) * (1.0 + 2.0**-50)
    return round_floors(left, maximum, non_negative=non_negative, scale=min(deviation, 1.0))


def common_part(problem: Problem, gram: FloatArray | None = None) -> float | None:
    """c < 1 with K − c·11ᵀ positive definite, nearly the largest; None where none is found.

    Sought by balls up to 64 points: the largest is 1/(1ᵀK⁻¹1).

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]))
    >>> round(common_part(problem, np.eye(4)), 6)
    0.25
    """
    size = problem.domain.size if gram is None else len(gram)
    if not 2 <= size <= MOST_WITH_COMMON_PART:
        return None
    with enclosure.precision(2 * matrices.WORKING_BITS):
        try:
            total = matrices.inverse_sum(_enclosed_gram(problem, gram))
        except NoEnclosure:
            return None
        # Near a singular K the sum is positive too, but its ball may not show it.
        if total is None or not enclosure.certainly_lt(1, total):
            return None
        # A little less, so that what is left can be seen to be positive definite.
        share = matrices.downward(enclosure.ball(enclosure.divide(1, total))) * (1.0 - 1e-9)
    return share if 0.0 < share < 1.0 else None


def told_noise(problem: Problem, gram: FloatArray | None = None) -> Lower | None:
    """σ²/(1−c) rounded down, c of `common_part`; None where there is no such part."""
    share = common_part(problem, gram)
    return None if share is None else _noise_beside(problem, share)


def _noise_beside(problem: Problem, share: float) -> Lower:
    with enclosure.precision(matrices.WORKING_BITS):
        found = enclosure.divide(
            enclosure.exact_double(problem.noise_variance), 1 - enclosure.exact_double(share)
        )
        return matrices.downward(enclosure.ball(found))


def _enclosed_gram(problem: Problem, gram: FloatArray | None) -> BallArray:
    if gram is not None:
        return matrices.exact_entries(np.asarray(gram, dtype=float))
    every = np.arange(problem.domain.size)
    return problem.domain.restricted(problem.space_kernel).enclosed_gram(every, every)


def _non_negative(problem: Problem, gram: FloatArray | None) -> bool:
    """Whether k_space ≥ 0 and k_time ≥ 0."""
    in_space = problem.space_kernel.is_nonnegative if gram is None else bool(np.min(gram) >= 0.0)
    return in_space and problem.time_kernel.is_nonnegative
