"""Theorem C with what a gain allows the deviations: regret where times depend on the point.

No run whose evaluations take at most t_max gains more than one at the same points whose evaluations
all take t_max: a forgetting kernel at the later instants is the one at the earlier, times another
kernel of unit diagonal, and such a factor does not lower a gain. So with Σσ ≤ n·env(γ̂/n), γ̂ above
the gain of n rounds t_max apart at more noise (`noise_inflation`), the theorem's

    R_n ≤ 3.067 √β_n Σσ_{i−1}(x_i, τ_i)

is a number before the run, whatever t(x) ≤ t_max is. See docs/theory.md#longer-steps.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bounds import enclosure
from bounds.confidence.certified import PointTimesConfidence
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.enclosure import Upper, matrices
from bounds.regret.ingredients.enclosed import EnclosedQuantities
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.times import EvaluationTimes


def own_times_regret(given: Ingredients, confidence: PointTimesConfidence) -> Upper:
    """The bound for every t(x) ≤ t_max, rounded up; `trivial_regret` where the gain has no less.

    The noise variance is the one that is best at the problem's own times. Cost: nothing where all
    rounds take as long; else a joint dual and its certificate.
    """
    known = _at_longest(given, confidence.longest)
    if known is None:
        return confidence.trivial_regret
    with matrices.working_precision():
        constant = enclosure.exact_double(confidence.per_deviation)
        width = enclosure.sqrt(enclosure.exact_double(confidence.beta))
        value = constant * width * known.reading(EnclosedQuantities).deviations
        return min(confidence.trivial_regret, matrices.upward(enclosure.ball(value)))


def _at_longest(given: Ingredients, longest: float) -> Ingredients | None:
    """The same with all rounds as long as the longest; None where no dual is known there."""
    # Shifting all instants changes no gain, so that the first duration does not count.
    if np.all(given.problem.times.durations[1:] == longest):
        return given
    noise = given.deviations.noise_variance
    times = EvaluationTimes.from_durations(np.full(given.problem.n, longest))
    slowest = replace(given.problem, times=times)
    dual = joint_dual(replace(slowest, noise_variance=noise))
    return (
        None
        if dual is None
        else Ingredients(slowest, [(noise, dual.value)], evidence={noise: dual})
    )
