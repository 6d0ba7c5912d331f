"""What a bound on γ̃_n must satisfy, each law a function that can fail.

The problems are so small that γ_m and γ̃_n are known by trying every design.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations_with_replacement, product
from math import isfinite, isnan

import numpy as np
from hypothesis import strategies as st

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.domain import Grid
from bounds.enclosure import matrices
from bounds.errors import NoEnclosure
from bounds.gain.bound import Bound, GainBound, Ingredients
from bounds.gain.registry import GAIN_BOUNDS
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.laws.kernel_laws import hold
from bounds.problem import Problem
from bounds.times import EvaluationTimes

_ROUNDING = 1e-9
_POINTS = Grid(1, 1.0, 3)

durations = st.lists(
    st.one_of(st.sampled_from([0.0, 1.0, 100.0]), st.floats(1e-3, 20.0)), min_size=1, max_size=5
)
noises = st.sampled_from([1e-3, 0.1, 1.0, 30.0])


def check_bound_laws(bound: Bound, *, examples: int = 25, slack: float = 0.0) -> None:
    """Raise AssertionError, with the problem at which it fails, for a law that does not hold.

    Parameters
    ----------
    bound : Bound; it need not be registered
    examples : problems tried for each law
    slack : the share by which it may be larger with fewer rounds, more noise or less drift, for a
        bound that is searched for without being minimal

    A value that is not valid, since a hypothesis fails, is held to nothing. Some seconds.

    >>> from bounds.gain.upper.trivial import TrivialCap
    >>> check_bound_laws(TrivialCap(), examples=3)
    """
    for law in BOUND_LAWS:
        _check(law, bound, examples, slack)


def _check(law: BoundLaw, bound: Bound, examples: int, slack: float) -> None:
    def holds(waits: list[float], noise: float, kernel: int) -> None:
        time_kernel, epsilon = _TIME_KERNELS[kernel]
        times = EvaluationTimes.from_durations(waits)
        space = SquaredExponential(0.4)
        law(bound, Problem(times, epsilon, time_kernel, space, noise, _POINTS), slack)

    hold(holds, examples, durations, noises, st.sampled_from(range(len(_TIME_KERNELS))))


BoundLaw = Callable[[Bound, Problem, float], None]

_TIME_KERNELS: tuple[tuple[Kernel, float], ...] = (
    (Forgetting(0.0), 0.0),
    (Forgetting(1e-4), 1e-4),
    (Forgetting(0.3), 0.3),
    (Matern(2.5, 3.0), 0.4),
    (SquaredExponential(50.0), 0.02),
    (Matern(0.5, 2.0), 0.1),
)


def above_every_design(bound: Bound, problem: Problem, slack: float) -> None:
    """A valid value is a number of at least γ̃_n; floating point is never called certified."""
    evaluated = _evaluated(bound, problem)
    if evaluated is None:
        return
    assert not isnan(evaluated.value), f"is no number for {_words(problem)}"
    assert not evaluated.certified, f"floating point is called certified for {_words(problem)}"
    best = max_gain(problem)
    if evaluated.valid:
        _at_most(best, evaluated.value, 0.0, "γ̃_n is above it", problem)


def grows_with_rounds(bound: Bound, problem: Problem, slack: float) -> None:
    """The first rounds alone have no larger bound."""
    shorter = replace(problem, times=problem.times.block(0, max(1, problem.n - 1)))
    _in_order(bound, shorter, problem, slack, "it falls with a further round")


def falls_with_noise(bound: Bound, problem: Problem, slack: float) -> None:
    """More noise gives no larger bound."""
    noisier = replace(problem, noise_variance=4.0 * problem.noise_variance)
    _in_order(bound, noisier, problem, slack, "it grows with the noise")


def drift_costs(bound: Bound, problem: Problem, slack: float) -> None:
    """Equal times give no larger bound than these, and these no larger one than when stretched."""
    waits = problem.times.durations
    still = replace(problem, times=EvaluationTimes.from_durations(0.0 * waits))
    stretched = replace(problem, times=EvaluationTimes.from_durations(3.0 * waits))
    _in_order(bound, still, problem, slack, "equal times cost more")
    if problem.time_kernel.is_nonincreasing and problem.time_kernel.is_nonnegative:
        _in_order(bound, problem, stretched, slack, "stretched times cost less")


def improves_as_said(bound: Bound, problem: Problem, slack: float) -> None:
    """It is at most what it names in `improves_on`, where both are valid."""
    evaluated = _evaluated(bound, problem)
    named = bound.improves_on(problem)
    known = {other.name: other for other in GAIN_BOUNDS.all()}
    assert set(named) <= set(known), f"improves on {sorted(set(named) - set(known))}, not known"
    for name in named:
        looser = _evaluated(known[name], problem)
        if evaluated and looser and evaluated.valid and looser.valid:
            _at_most(evaluated.value, looser.value, 0.0, f"it is above {name}", problem)


def encloses_itself(bound: Bound, problem: Problem, slack: float) -> None:
    """What is certified is finite, at least the number found and γ̃_n, and rests on certified γ."""
    plain = _ingredients(problem)
    evaluated = bound.evaluate(plain)
    if evaluated is None or not evaluated.valid:
        return
    sure = replace(plain, gamma_certified=True)
    above = _enclosed(bound, sure, evaluated)
    if above is None or not above.certified:
        return
    assert isfinite(above.value), f"certified although infinite for {_words(problem)}"
    _at_most(evaluated.value, above.value, 0.0, "its enclosure is below it", problem)
    _at_most(max_gain(problem), above.value, 0.0, "its enclosure is below γ̃_n", problem)
    unsure = _enclosed(bound, plain, evaluated)
    if unsure is not None and unsure.certified:
        other = _enclosed(bound, replace(plain, gamma=2.0 * plain.gamma), evaluated)
        assert other is not None and other.value == unsure.value, (
            f"certified although it rests on a γ that is not, for {_words(problem)}"
        )


BOUND_LAWS: tuple[BoundLaw, ...] = (
    above_every_design,
    grows_with_rounds,
    falls_with_noise,
    drift_costs,
    improves_as_said,
    encloses_itself,
)
"""Each takes a bound, a problem and the slack, and raises AssertionError where it fails."""


def max_gain(problem: Problem) -> float:
    """γ̃_n, the largest gain over all N^n designs."""
    return _largest(problem, list(product(range(problem.domain.size), repeat=problem.n)))


def max_space_gains(problem: Problem) -> FloatArray:
    """(n+1,) γ_0..γ_n, each the largest gain over all multisets of points."""
    still = [
        replace(problem, times=EvaluationTimes.from_durations([0.0] * m))
        for m in range(1, problem.n + 1)
    ]
    points = range(problem.domain.size)
    gains = [_largest(p, list(combinations_with_replacement(points, p.n))) for p in still]
    return np.maximum.accumulate([0.0, *gains])


def _largest(problem: Problem, designs: list[tuple[int, ...]]) -> float:
    every = slice(None)
    drift = problem.time_kernel.at_distance(problem.times.distances(every, every))
    everywhere = np.arange(problem.domain.size)
    space = problem.domain.restricted(problem.space_kernel).gram(everywhere, everywhere)
    chosen = np.array(designs)
    grams = space[chosen[:, :, None], chosen[:, None, :]] * drift / problem.noise_variance
    return float(0.5 * np.linalg.slogdet(np.eye(problem.n) + grams)[1].max())


def _ingredients(problem: Problem) -> Ingredients:
    return Ingredients(problem, max_space_gains(problem) * (1.0 + 1e-12))


def _evaluated(bound: Bound, problem: Problem) -> GainBound | None:
    return bound.evaluate(_ingredients(problem))


def _enclosed(bound: Bound, given_: Ingredients, evaluated: GainBound) -> GainBound | None:
    with enclosure.precision(matrices.WORKING_BITS):
        try:
            return bound.enclosed(given_, evaluated)
        except NoEnclosure:
            return None


def _in_order(bound: Bound, low: Problem, high: Problem, slack: float, what: str) -> None:
    lower, upper = _evaluated(bound, low), _evaluated(bound, high)
    if lower and upper and lower.valid and upper.valid:
        _at_most(lower.value, upper.value, slack, what, high)


def _at_most(low: float, high: float, slack: float, what: str, problem: Problem) -> None:
    enough = low <= high * (1.0 + slack + _ROUNDING) + 1e-12
    assert enough, f"{what}: {low} > {high} for {_words(problem)}"


def _words(problem: Problem) -> str:
    waits = problem.times.durations.tolist()
    return f"durations {waits}, {problem.time_kernel}, σ² = {problem.noise_variance:g}"
