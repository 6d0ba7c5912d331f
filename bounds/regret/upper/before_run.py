"""Bounds on regret beside the chain of the theorem, each with what it covers.

docs/theory.md#sandwich and the sections after it have the proofs.

Every value is in units of cumulative regret. No row speaks of a policy that it does not name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from bounds.confidence.schedules import finite_domain_beta
from bounds.problem import Problem
from bounds.regret.maximum.slepian import ExpectedMaximum, expected_maximum
from bounds.regret.regret_bound import ANY_POLICY, PRIOR, RegretBound, Rounds
from bounds.regret.upper.constant_exploration import ExplorationBound, exploration_bound
from bounds.regret.upper.noise_inflation import (
    DeviationBound,
    cauchy_schwarz,
    deviation_bound,
)
from bounds.regret.upper.sandwich import regret_tail, sandwich
from bounds.rounding import at_least, at_most


def noise_levels(problem: Problem, count: int = 6) -> tuple[float, ...]:
    """Noise variances σ'² ≥ σ² at which a gain bound is worth having: from σ² to max(1, 16σ²).

    >>> from bounds.times import EvaluationTimes
    >>> levels = noise_levels(Problem(EvaluationTimes.from_durations([1.0])))
    >>> levels[0], round(levels[-1], 12)
    (0.01, 1.0)
    """
    low = problem.noise_variance
    levels = np.geomspace(low, max(1.0, 16.0 * low), count)
    return (low, *(float(level) for level in levels[1:]))


def before_run(
    problem: Problem,
    gains: Iterable[tuple[float, float]],
    *,
    maximum: ExpectedMaximum | None = None,
    b: float | None = None,
) -> tuple[RegretBound, ...]:
    """Every upper bound on regret itself that is known before a run, for these fixed times.

    Parameters
    ----------
    problem : Problem of n rounds
    gains : pairs (σ'², γ̂) with σ'² ≥ σ² and γ̂ an upper bound on γ̃_n at noise σ'² (see
        `noise_levels`); none at all is allowed
    maximum : a bracket of m*, by default `sandwich.expected_maximum`
    b : of the policy with constant exploration √b; by default the one with the smallest bound

    Raises InvalidInput for a gain bound at less noise than σ².

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0, 1.0]), domain=Grid(1, 1.0, 4))
    >>> rows = {row.name: row.value for row in before_run(problem, [(0.01, 3.0)])}
    >>> rows["sandwich_upper"] < rows["tail"]
    True
    """
    return rows_with_evidence(problem, gains, maximum=maximum, b=b).rows


@dataclass(frozen=True)
class RowsBeforeRun:
    """The rows, and what those of them rest on that took a search.

    Attributes
    ----------
    rows : the bounds
    deviations : the bound on Σσ and the noise variance at which it was found
    explored : the choice of b and the supremum T(b)
    """

    rows: tuple[RegretBound, ...]
    deviations: DeviationBound
    explored: ExplorationBound


def rows_with_evidence(
    problem: Problem,
    gains: Iterable[tuple[float, float]],
    *,
    maximum: ExpectedMaximum | None = None,
    b: float | None = None,
    explored: ExplorationBound | None = None,
) -> RowsBeforeRun:
    """As `before_run`, with what is needed to enclose the rows.

    explored : for other rounds and the same domain: its b and T(b) are taken
    """
    bracket = expected_maximum(problem.domain, problem.space_kernel) if maximum is None else maximum
    pairs = list(gains)
    deviations = deviation_bound(problem.n, problem.noise_variance, pairs)
    mean = min(deviations.value / problem.n, 1.0)
    explored = (
        exploration_bound(problem, mean, b) if explored is None else explored.over(problem.n, mean)
    )
    rows = (
        *_of_theory(problem, pairs, deviations, bracket),
        *_of_any_policy(problem, bracket),
        _of_constant_exploration(problem, explored, deviations),
    )
    return RowsBeforeRun(rows, deviations, explored)


def _of_theory(
    problem: Problem,
    gains: list[tuple[float, float]],
    deviations: DeviationBound,
    bracket: ExpectedMaximum,
) -> tuple[RegretBound, ...]:
    n, level = problem.n, 1.0 - problem.delta
    weight = 2.0 * sqrt(float(finite_domain_beta(n, problem.domain.size, problem.delta)))
    cap = weight * n

    def row(name: str, value: float, source: str, rounds: Rounds = "all n") -> RegretBound:
        return RegretBound(
            name, value, "upper", "ctv-fixed", PRIOR, "probability", level, rounds, source, "theory"
        )

    at = f"noise variance {deviations.noise_variance:.3g}, {deviations.method}"
    smallest = min((cauchy_schwarz(n, gain, noise) for noise, gain in gains), default=float("inf"))
    return (
        row("cap", cap, "2√β_n·n"),
        row("envelope", weight * deviations.value, f"2√β_n·Σσ, Σσ ≤ n·env at {at}"),
        row(
            "cauchy_schwarz",
            weight * min(smallest, float(n)),
            "√(8β_n nγ̂(s')/log(1+s')), least over the noise levels",
        ),
        row(
            "theory_smallest",
            min(weight * deviations.value, regret_tail(problem, bracket)),
            "the smaller of envelope and tail, both known before the run",
            "one n",
        ),
    )


def _of_any_policy(problem: Problem, bracket: ExpectedMaximum) -> tuple[RegretBound, ...]:
    between = sandwich(problem, bracket)
    shown = f"m* in [{at_least(bracket.lower)}, {at_most(bracket.upper)}]"
    return (
        RegretBound(
            "tail",
            regret_tail(problem, bracket),
            "upper",
            ANY_POLICY,
            f"{PRIOR}; k_space, k_time >= 0",
            "probability",
            1.0 - problem.delta,
            "one n",
            f"2m*n + √(4 log(1/δ)·1ᵀJ1), {shown}",
        ),
        RegretBound(
            "sandwich_upper",
            between.upper,
            "upper",
            ANY_POLICY,
            PRIOR,
            "mean",
            None,
            "one n",
            f"m*·Σ(1 + a_i), {shown}",
        ),
    )


def _of_constant_exploration(
    problem: Problem, found: ExplorationBound, deviations: DeviationBound
) -> RegretBound:
    supremum = (
        "" if found.supremum is None else f", T(b) ≤ {at_most(found.supremum.upper, 3)} proved"
    )
    return RegretBound(
        "constant_exploration",
        found.value,
        "upper",
        "ctv-fixed",
        PRIOR,
        "mean",
        None,
        "one n",
        f"n(√b·S̄ + G(√b) + (|D|−1)T(b)), √b = {sqrt(found.b):.3g}, S̄ ≤ "
        f"{at_most(deviations.value / problem.n, 3)}{supremum}",
        "constant",
    )
