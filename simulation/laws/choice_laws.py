"""What a policy chose is what its formula says: the argmax, computed a second time.

For GP-UCB, TV and CTV-fixed, with UCB and EI; the others draw, learn t(x) or look at f.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log, pi, sqrt

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from bounds.kernels import Forgetting
from simulation.laws.case import Played
from simulation.laws.confidence_laws import betas
from simulation.laws.inequality import Inequality
from simulation.laws.posterior import Looks

CHECKED = ("gp-ucb", "tv", "ctv-fixed")
"""The policies whose choices are computed again."""

_ROUNDING = 1e-6


def choice_laws(played: Played) -> Iterator[Inequality]:
    """At each own round the chosen point has the largest acquisition, up to rounding.

    Nothing is said of policies that are not in `CHECKED`.
    """
    if played.run.policy not in CHECKED:
        return
    for i, acquisition in acquisitions(played):
        chosen = float(acquisition[played.run.points[i]])
        largest = float(np.max(acquisition))
        allowed = _ROUNDING * (1.0 + weight_of(played, i)) + 1e-4 * abs(largest) * is_ei(played)
        name = f"{played.run.policy}: the largest acquisition <= that of its choice"
        yield Inequality(name, largest, chosen, allowed)


def is_ei(played: Played) -> bool:
    """Whether expected improvement is the acquisition."""
    return played.acquisition == "ei"


def weight_of(played: Played, i: int) -> float:
    """The weight of σ in UCB at the round with index i, from its formula; 0 for EI."""
    if is_ei(played):
        return 0.0
    if played.exploration == "theory":
        if played.fixed:
            size, delta = played.problem.domain.size, played.problem.delta
            return sqrt(2.0 * log(size * pi * pi * (i + 1) ** 2 / (6.0 * delta)))
        return sqrt(float(betas(played)[i]))
    weight = 0.8 * log(4.0 * (i + 1))
    return weight if played.exploration == "beta" else sqrt(weight)


def acquisitions(played: Played) -> Iterator[tuple[int, FloatArray]]:
    """(index, (N,) acquisition) of each own round, EI itself and not its logarithm."""
    run, problem = played.run, played.problem
    time_kernel, durations = problem.time_kernel, run.measured_durations
    if run.policy == "gp-ucb":
        time_kernel, durations = Forgetting(0.0), np.zeros(run.n)
    elif run.policy == "tv":
        durations = np.full(run.n, played.readings.round_length)
    looks = Looks(
        played.assumed_kernel, time_kernel, problem.noise_variance, problem.domain.points,
        run.points, durations, run.observations,
    )  # fmt: skip
    for i in range(run.initial, run.n):
        if run.policy == "ctv-fixed":
            wait = played.evaluation_time.of_round(i)
        else:
            wait = np.float64(0.0 if run.policy == "gp-ucb" else played.readings.round_length)
        mean, variance = looks.after(i, wait)
        deviation = np.sqrt(variance)
        if is_ei(played):
            best = float(np.max(run.observations[:i])) if i else 0.0
            yield i, improvement(mean, deviation, best)
        else:
            yield i, mean + weight_of(played, i) * deviation


def improvement(mean: FloatArray, deviation: FloatArray, best: float) -> FloatArray:
    """E(f − best)₊ = (μ − best)Φ(z) + σϕ(z)."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        z = np.where(deviation > 0, (mean - best) / deviation, np.inf * np.sign(mean - best))
        density = np.exp(-0.5 * z * z) / sqrt(2.0 * pi)
    found = (mean - best) * special.ndtr(z) + deviation * density
    return np.where(deviation > 0, np.maximum(found, 0.0), np.maximum(mean - best, 0.0))
