"""Upper bounds on E R_n known before a run that need no random numbers, by policy, as rows.

| name | policy | source |
|---|---|---|
| `theorem_t` | `ts`, `random-weight-ucb` | `thompson.by_deviations` |
| `theorem_t_variances` | `ts` | `thompson.by_variances` |
| `irgp_ucb` | `irgp-ucb` | as published |
| `constant_exploration` | `ts` | at the best b, which the policy need not know |
| `expected_maximum` | `ts`, the posterior mean | n·m* |
| `theorem_m` | `ts` | with γ̃_n for the information |
| `theorem_q_plus` | `ts` | the right order for every sequence of times, and large |
| `margin` | `ctv-fixed`, exploration theory | `margin.margin_bound` |

Schedules and the entropy of the optimum's path are simulated: `simulation.before_run`.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, isfinite

from bounds.arrays import FloatArray
from bounds.confidence.schedules import finite_domain_beta
from bounds.problem import Problem
from bounds.regret.maximum.maximum import maximum_bracket
from bounds.regret.maximum.slepian import ExpectedMaximum
from bounds.regret.regret_bound import PRIOR, RegretBound
from bounds.regret.upper.constant_exploration import ExplorationBound
from bounds.regret.upper.entropy import entropy_bound
from bounds.regret.upper.every_sequence import density_of_gaps, thompson_bracket
from bounds.regret.upper.margin import margin_bound, margin_rate
from bounds.regret.upper.noise_inflation import deviation_bound
from bounds.regret.upper.thompson import (
    by_deviations,
    by_variances,
    published,
    variance_bound,
)
from bounds.rounding import at_most

MOST_WITH_MARGIN = 2_000
"""Points up to which K is inverted for the margin."""


def ceilings(
    problem: Problem,
    gains: Iterable[tuple[float, float]],
    *,
    gram: FloatArray | None = None,
    maximum: ExpectedMaximum | None = None,
    explored: ExplorationBound | None = None,
    level: float | None = None,
) -> tuple[RegretBound, ...]:
    """Upper bounds on E R_n at the problem's fixed times; one n, in the mean, floating point.

    Parameters
    ----------
    problem : Problem of n rounds
    gains : pairs (σ'², γ̂) with σ'² ≥ σ² and γ̂ ≥ γ̃_n at noise σ'²; none at all is allowed
    gram : (N, N) correlations of a finite domain, in place of the problem's grid
    maximum : a bracket of m*, by default `maximum_bracket`
    explored : the bound of constant exploration at its best b (`exploration_bound`), where at hand
    level : the confidence of `maximum`, where it is simulated

    >>> from bounds.domain import Grid
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(1, 1.0, 4))
    >>> sorted({row.policy for row in ceilings(problem, [(0.01, 2.4)])})
    ['ctv-fixed', 'irgp-ucb', 'posterior-mean', 'random-weight-ucb', 'ts']
    """
    bracket = maximum_bracket(problem, gram) if maximum is None else maximum
    pairs = list(gains)
    n, size = problem.n, problem.domain.size if gram is None else len(gram)
    deviations = deviation_bound(n, problem.noise_variance, pairs)
    variances = variance_bound(n, problem.noise_variance, pairs)
    mean = deviations.value / n
    by_mean = by_deviations(n, size, mean)
    at = f"S̄ ≤ {at_most(mean, 3)}, |D| = {size}"
    squares = f"Σσ² ≤ {at_most(variances)}"
    shown = f"n·m*, m* ≤ {at_most(bracket.upper)}"
    maxima = n * bracket.upper
    rows = [
        _row("theorem_t", by_mean, "ts", f"n·|D|·I(S̄/|D|), {at}"),
        _row("theorem_t", by_mean, "random-weight-ucb", f"n·|D|·I(S̄/|D|), {at}"),
        _row(
            "theorem_t_variances",
            by_variances(n, size, variances),
            "ts",
            f"|D|·I(1/|D|)·√(n·Σσ²), {squares}",
        ),
        _row(
            "irgp_ucb",
            published(n, size, variances),
            "irgp-ucb",
            f"√((2 + 2 log(|D|/2))·n·Σσ²), {squares}",
        ),
        _row("expected_maximum", maxima, "ts", shown, level=level),
        _row("expected_maximum", maxima, "posterior-mean", shown, level=level),
    ]
    if explored is not None:
        rows.append(
            _row(
                "constant_exploration",
                explored.value,
                "ts",
                f"constant exploration at its best, √b = {explored.b**0.5:.3g}",
            )
        )
    if 1 < size <= MOST_WITH_MARGIN and problem.time_kernel.is_markov:
        rows.extend(_of_every_sequence(problem, gram))
    own = [gain for noise, gain in pairs if noise == problem.noise_variance]
    if own and size > 1:
        gain = min(own)
        value = min(entropy_bound(n, size, problem.noise_variance, gain), maxima)
        rows.append(_row("theorem_m", value, "ts", f"√(2(1+σ²)·|D|·n·γ̂), γ̂ = {at_most(gain)}"))
        if problem.delta <= exp(-0.5) and size <= MOST_WITH_MARGIN:
            rows.append(_of_margin(problem, gain, bracket, gram))
    return tuple(rows)


def _of_every_sequence(problem: Problem, gram: FloatArray | None) -> tuple[RegretBound, ...]:
    """Theorem Q+; none where two points are perfectly correlated."""
    matrix = problem.space_kernel.gram(problem.domain.points) if gram is None else gram
    density = density_of_gaps(matrix)
    if not isfinite(density):
        return ()
    bracket = thompson_bracket(
        problem.times, problem.time_kernel, problem.noise_variance, len(matrix)
    )
    source = f"κ·[(528(1+L) + 89)Π + 114Σ(v+σ²)t(t+1)], κ = {density:.3g}"
    return (_row("theorem_q_plus", density * bracket, "ts", source),)


def _of_margin(
    problem: Problem, gain: float, bracket: ExpectedMaximum, gram: FloatArray | None
) -> RegretBound:
    matrix = problem.space_kernel.gram(problem.domain.points) if gram is None else gram
    size = len(matrix)
    beta = float(finite_domain_beta(problem.n, size, problem.delta))
    negative = max(0.0, -float(matrix.min()))
    rate = margin_rate(matrix)
    found = margin_bound(problem, beta, gain, bracket.upper, rate, negative=negative)
    # No policy loses more than 2m* a round in the mean: docs/theory.md#sandwich.
    return _row(
        "margin",
        min(found.value, 2.0 * problem.n * bracket.upper),
        "ctv-fixed",
        f"nηM(η) + C₁βγ̂/η + E[R; fails], η = {found.margin:.3g}, κ = {rate:.3g}",
        exploration="theory",
    )


def _row(
    name: str,
    value: float,
    policy: str,
    source: str,
    *,
    exploration: str = "",
    level: float | None = None,
) -> RegretBound:
    return RegretBound(
        name,
        value,
        "upper",
        policy,
        PRIOR,
        "mean",
        level,
        "one n",
        source,
        exploration,
        simulated=level is not None,
    )
