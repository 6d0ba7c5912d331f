"""What a bound on regret must satisfy, each law a function that can fail.

The problems have a few rounds and points, so that all bounds that are registered are cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from math import isfinite, isnan

from hypothesis import strategies as st

from bounds.domain import Arms, Domain, Grid
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.enclosure import matrices
from bounds.errors import NoEnclosure
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.laws.kernel_laws import hold
from bounds.problem import Problem
from bounds.regret.bound import Bound, FormulaBound
from bounds.regret.ingredients.exploration import Exploration, best_exploration
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.regret_bound import ANY_POLICY, PRIOR, RegretBound
from bounds.regret.rows import regret_rows
from bounds.times import EvaluationTimes

_ROUNDING = 1e-9
_TIME_KERNELS: tuple[Kernel, ...] = (Forgetting(0.0), Forgetting(0.2), Matern(2.5, 3.0))
_DOMAINS: tuple[Domain, ...] = (Grid(1, 1.0, 3), Arms(2))
_WAITS = ((1.0,), (1.0, 0.0, 2.0), (0.5, 1.0, 1.0, 8.0))


def check_regret_bound_laws(bound: Bound, *, examples: int = 12) -> None:
    """Raise AssertionError, with the problem at which it fails, for a law that does not hold.

    Parameters
    ----------
    bound : Bound; it need not be registered
    examples : problems tried for each law

    A problem that does not meet a hypothesis is held to the law that it is named. Some seconds.

    >>> from bounds.regret.upper.in_probability.deviations import DeviationCap
    >>> check_regret_bound_laws(DeviationCap(), examples=2)
    """
    for law in REGRET_LAWS:
        _check(law, bound, examples)


def _check(law: RegretLaw, bound: Bound, examples: int) -> None:
    def holds(
        waits: tuple[float, ...], kernel: Kernel, domain: Domain, noise: float, delta: float
    ) -> None:
        times = EvaluationTimes.from_durations(waits)
        space = SquaredExponential(0.4)
        law(bound, Problem(times, 0.2, kernel, space, noise, domain, delta))

    choices = (_WAITS, _TIME_KERNELS, _DOMAINS, (0.01, 1.0), (0.1, 0.9))
    hold(holds, examples, *map(st.sampled_from, choices))


RegretLaw = Callable[[Bound, Problem], None]


def says_what_it_is(bound: Bound, problem: Problem) -> None:
    """Its rows have its name, direction, kind, policies and hypotheses; values are no NaN."""
    rows = bound.rows(_known(problem))
    assert bound.name and bound.title and bound.source, "a name, a title or the source is missing"
    assert len(set(bound.covers)) == len(bound.covers) > 0, "it covers no policy, or one twice"
    if bound.direction == "lower":
        assert bound.covers == ((ANY_POLICY, ""),), "a lower bound is for every policy"
    for row in rows:
        assert not isnan(row.value), f"is no number for {_words(problem)}"
        assert row.value >= 0.0, f"is negative for {_words(problem)}"
        shown = (row.name, row.direction, row.kind, row.rounds)
        assert shown == (bound.name, bound.direction, bound.kind, bound.rounds), f"row {shown}"
        assert row.hypotheses.startswith(PRIOR) and bound.hypotheses in row.hypotheses
        if row.kind == "probability":
            assert row.level == 1.0 - problem.delta, f"level {row.level} for {_words(problem)}"
    if rows:
        assert tuple((row.policy, row.exploration) for row in rows) == bound.covers


def names_the_hypothesis_that_fails(bound: Bound, problem: Problem) -> None:
    """Where a hypothesis fails it is named with its field, and no row is there."""
    known = _known(problem)
    reason = bound.failure(known)
    if reason:
        assert ":" in reason or "=" in reason, f"no field is named: {reason}"
        assert bound.rows(known) == (), f"a row although {reason}"


def keeps_its_side(bound: Bound, problem: Problem) -> None:
    """No lower bound is above an upper one of the same kind that covers the same policy."""
    known = _known(problem)
    for row in bound.rows(known):
        for other in regret_rows(known):
            sides = {row.direction: row, other.direction: other}
            if len(sides) < 2 or row.kind != other.kind:
                continue
            low, high = sides["lower"], sides["upper"]
            if low.policy in (ANY_POLICY, high.policy):
                _at_most(low.value, high.value, f"{low.name} is above {high.name}", problem)


def is_certified_outward(bound: Bound, problem: Problem) -> None:
    """Rounded outward an upper bound does not fall and a lower one does not rise, but by m*."""
    known = _known(problem)
    for row in bound.rows(known):
        above = _enclosed(bound, known, row)
        if above is None or not above.certified:
            continue
        assert isfinite(above.value), f"certified although infinite for {_words(problem)}"
        # m* is enclosed by another method than the one in floating point.
        loss = 1e-2
        if row.direction == "upper":
            _at_most(row.value * (1.0 - loss), above.value, "its enclosure is below it", problem)
        else:
            _at_most(above.value, row.value * (1.0 + loss), "its enclosure is above it", problem)


def grows_with_rounds(bound: Bound, problem: Problem) -> None:
    """Further rounds do not lessen it: none has negative regret."""
    shorter = replace(problem, times=problem.times.block(0, max(1, problem.n - 1)))
    _in_order(bound, shorter, problem, "it falls with a further round")


def scales_with_confidence(bound: Bound, problem: Problem) -> None:
    """An upper bound with probability grows as δ falls."""
    surer = replace(problem, delta=0.5 * problem.delta)
    if bound.kind == "probability" and bound.direction == "upper":
        _in_order(bound, problem, surer, "it falls with a smaller delta")


def units_do_not_matter(bound: Bound, problem: Problem) -> None:
    """Times and the scale of the time kernel in other units leave it as it is."""
    kernel = problem.time_kernel
    if not isinstance(kernel, Matern):
        return
    times = EvaluationTimes.from_durations(4.0 * problem.times.durations)
    slow = replace(kernel, lengthscale=4.0 * kernel.lengthscale)
    slower = replace(problem, times=times, time_kernel=slow)
    _in_order(bound, problem, slower, "it falls in other units", slack=1e-6)
    _in_order(bound, slower, problem, "it rises in other units", slack=1e-6)


def is_one_formula(bound: Bound, problem: Problem) -> None:
    """Its formula in symbols holds the letters of its quantities, and no number of the problem."""
    if not isinstance(bound, FormulaBound):
        return
    term = bound.symbolic()
    assert term.free_symbols and bound.latex(), "its formula has no letters"


REGRET_LAWS: tuple[RegretLaw, ...] = (
    says_what_it_is,
    names_the_hypothesis_that_fails,
    keeps_its_side,
    is_certified_outward,
    grows_with_rounds,
    scales_with_confidence,
    units_do_not_matter,
    is_one_formula,
)
"""Each takes a bound and a problem, and raises AssertionError where it fails."""


@lru_cache(maxsize=64)
def _ingredients(
    waits: tuple[float, ...], kernel: Kernel, domain: Domain, noise: float, delta: float
) -> Ingredients:
    times, space = EvaluationTimes.from_durations(waits), SquaredExponential(0.4)
    problem = Problem(times, 0.2, kernel, space, noise, domain, delta)
    duals = {
        each: joint_dual(replace(problem, noise_variance=each)) for each in (noise, 4.0 * noise)
    }
    gains = [(each, dual.value) for each, dual in duals.items() if dual is not None]
    return Ingredients(problem, gains, evidence=duals, explored=_explored(domain))


@lru_cache(maxsize=8)
def _explored(domain: Domain) -> Exploration:
    """T(b) at one b, which depends neither on the times nor on the noise."""
    times = EvaluationTimes.from_durations([1.0])
    problem = Problem(times, space_kernel=SquaredExponential(0.4), domain=domain)
    return best_exploration(problem, 1.0, 4.0)


def _known(problem: Problem) -> Ingredients:
    waits = tuple(problem.times.durations.tolist())
    kernel, noise = problem.time_kernel, problem.noise_variance
    return _ingredients(waits, kernel, problem.domain, noise, problem.delta)


def _enclosed(bound: Bound, known: Ingredients, row: RegretBound) -> RegretBound | None:
    with matrices.working_precision():
        try:
            return bound.enclosed(known, row)
        except NoEnclosure:
            return None


def _in_order(bound: Bound, low: Problem, high: Problem, what: str, slack: float = 0.0) -> None:
    lower, upper = bound.rows(_known(low)), bound.rows(_known(high))
    if lower and upper:
        _at_most(lower[0].value, upper[0].value * (1.0 + slack), what, high)


def _at_most(low: float, high: float, what: str, problem: Problem) -> None:
    assert low <= high * (1.0 + _ROUNDING) + 1e-12, f"{what}: {low} > {high} for {_words(problem)}"


def _words(problem: Problem) -> str:
    waits = problem.times.durations.tolist()
    return f"durations {waits}, {problem.time_kernel}, {problem.domain}, δ = {problem.delta:g}"
