"""What a policy chose is what its formula says: the argmax, computed a second time.

For every policy with a formula, UCB and EI: all but `random` and Thompson sampling, whose choice is
a draw, and those that are no part of the project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log, pi, sqrt

import numpy as np
from scipy import special, stats

from bounds.arrays import FloatArray
from bounds.kernels import Forgetting, Kernel
from simulation.laws.case import Played
from simulation.laws.confidence_laws import betas
from simulation.laws.inequality import Inequality
from simulation.laws.posterior import Looks, log_time_posterior, time_prior
from simulation.policies.registry import policy_named
from simulation.world.environment import Seeds

_ROUNDING = 1e-6


def choice_laws(played: Played) -> Iterator[Inequality]:
    """At each own round the chosen point has the largest acquisition, up to rounding.

    Nothing is said of policies that are not in `FORMULAS`.
    """
    if played.run.policy not in FORMULAS:
        return
    name = f"{played.run.policy}: the largest acquisition <= that of its choice"
    for i, acquisition in acquisitions(played):
        largest = float(np.max(acquisition))
        chosen = float(acquisition[played.run.points[i]])
        allowed = _ROUNDING * (1.0 + weight_of(played, i)) + 1e-4 * abs(largest) * is_ei(played)
        yield Inequality(name, largest, chosen, allowed)


def is_ei(played: Played) -> bool:
    """Whether expected improvement is the acquisition."""
    return played.spec.acquisition == "ei" and policy_named(played.run.policy).has_weight


def weight_of(played: Played, i: int) -> float:
    """The weight of σ in UCB at the round with index i, from its formula; 0 for EI."""
    if is_ei(played):
        return 0.0
    if played.spec.exploration == "theory":
        if played.fixed:
            size, delta = played.problem.domain.size, played.problem.delta
            return sqrt(2.0 * log(size * pi * pi * (i + 1) ** 2 / (6.0 * delta)))
        return sqrt(float(betas(played)[i]))
    weight = 0.8 * log(4.0 * (i + 1))
    return weight if played.spec.exploration == "beta" else sqrt(weight)


def acquisitions(played: Played) -> Iterator[tuple[int, FloatArray]]:
    """(index, (N,) acquisition) of each own round, EI itself and not its logarithm."""
    of_round = FORMULAS[played.run.policy](played)
    for i in range(played.run.initial, played.run.n):
        yield i, of_round(i)


OfRound = Callable[[int], FloatArray]
Formula = Callable[[Played], OfRound]


def _looks(played: Played, time_kernel: Kernel, durations: FloatArray) -> Looks:
    problem, run = played.problem, played.run
    return Looks(
        played.assumed_kernel,
        time_kernel,
        problem.noise_variance,
        problem.domain.points,
        run.points,
        durations,
        run.observations,
    )


def _base(played: Played, i: int, mean: FloatArray, variance: FloatArray) -> FloatArray:
    """UCB or EI of a prediction at round i."""
    deviation = np.sqrt(variance)
    if is_ei(played):
        best = float(np.max(played.run.observations[:i])) if i else 0.0
        return improvement(mean, deviation, best)
    return mean + weight_of(played, i) * deviation


def _without_time(played: Played) -> OfRound:
    looks = _looks(played, Forgetting(0.0), np.zeros(played.run.n))
    return lambda i: _base(played, i, *looks.after(i, 0.0))


def _by_rounds(played: Played) -> OfRound:
    each = played.readings.round_length
    looks = _looks(played, played.problem.time_kernel, np.full(played.run.n, each))
    return lambda i: _base(played, i, *looks.after(i, each))


def _at_known_times(played: Played) -> OfRound:
    looks = _looks(played, played.problem.time_kernel, played.run.measured_durations)
    return lambda i: _base(played, i, *looks.after(i, played.evaluation_time.of_round(i)))


def _at_mean_times(played: Played) -> OfRound:
    looks = _looks(played, played.problem.time_kernel, played.run.measured_durations)
    noise = time_prior(played).noise_variance * played.readings.mean_time_noise

    def of_round(i: int) -> FloatArray:
        mean, variance = log_time_posterior(played, i)
        with np.errstate(over="ignore"):
            waits = np.exp(mean + 0.5 * (variance + noise))
        return _base(played, i, *looks.after(i, waits))

    return of_round


def _over_times(played: Played) -> OfRound:
    looks = _looks(played, played.problem.time_kernel, played.run.measured_durations)
    nodes, weights = np.polynomial.hermite_e.hermegauss(played.readings.time_nodes)
    noise = time_prior(played).noise_variance * played.readings.integral_noise

    def of_round(i: int) -> FloatArray:
        mean, variance = log_time_posterior(played, i)
        total = np.zeros(len(mean))
        for node, weight in zip(nodes, weights / weights.sum(), strict=True):
            with np.errstate(over="ignore"):
                waits = np.exp(mean + np.sqrt(variance + noise) * node)
            total += weight * _base(played, i, *looks.after(i, waits))
        return total

    return of_round


def _with_drawn_weights(weight: Callable[[np.random.Generator, int], float]) -> Formula:
    """μ + zσ with one z a round, from the policy's stream of random numbers."""

    def formula(played: Played) -> OfRound:
        looks = _looks(played, played.problem.time_kernel, played.run.measured_durations)
        rng = np.random.default_rng(Seeds.of(played.run.seed).policy)
        size = played.problem.domain.size
        weights = {i: weight(rng, size) for i in range(played.run.initial, played.run.n)}

        def of_round(i: int) -> FloatArray:
            mean, variance = looks.after(i, played.evaluation_time.of_round(i))
            return mean + weights[i] * np.sqrt(variance)

        return of_round

    return formula


def _flat(played: Played) -> OfRound:
    """p by one solve for each wait, whatever the time kernel."""
    problem, run = played.problem, played.run
    looks = _looks(played, problem.time_kernel, run.measured_durations)

    def of_round(i: int) -> FloatArray:
        waits = np.broadcast_to(played.evaluation_time.of_round(i), problem.domain.size)
        mean, variance = looks.after(i, waits)
        ages = np.cumsum(run.measured_durations[1:i][::-1])[::-1] if i > 1 else np.empty(0)
        ages = np.append(ages, 0.0)[-i:] if i else ages
        apart = np.abs(np.subtract.outer(ages, ages))
        gram = problem.time_kernel.at_distance(apart) + problem.noise_variance * np.eye(len(ages))
        cross = problem.time_kernel.at_distance(np.add.outer(ages, waits))
        least = 1.0 - np.sum(cross * np.linalg.solve(gram, cross), axis=0) if i else 1.0
        scale = played.readings.flat_weight
        return np.asarray(mean + np.sqrt(scale * np.log1p((variance / least) ** 2) * variance))

    return of_round


def _look_ahead(played: Played) -> OfRound:
    """For each point by itself: its mean now, and what the best is worth one round later."""
    problem, run = played.problem, played.run
    looks = _looks(played, problem.time_kernel, run.measured_durations)

    def of_round(i: int) -> FloatArray:
        mean, variance = looks.after(i, played.evaluation_time.of_round(i))
        if i + 1 == run.n or len(mean) == 1:
            return mean
        rest = np.array([np.delete(mean, x).max() for x in range(len(mean))])
        moved = variance / np.sqrt(variance + problem.noise_variance)
        wait = float(np.mean(played.evaluation_time.of_round(i + 1)))
        kept = float(problem.time_kernel.at_distance(wait))
        return mean + kept * (rest + improvement(mean, moved, rest))

    return of_round


def _scheduled(played: Played) -> OfRound:
    looks = _looks(played, played.problem.time_kernel, played.run.measured_durations)
    plan = dict(zip(played.schedule.rounds, played.schedule.points, strict=True))

    def of_round(i: int) -> FloatArray:
        if i in plan:
            return np.where(np.arange(played.problem.domain.size) == plan[i], 1.0, 0.0)
        return looks.after(i, played.evaluation_time.of_round(i))[0]

    return of_round


def _clairvoyant(played: Played) -> OfRound:
    kernel = played.problem.time_kernel

    def of_round(i: int) -> FloatArray:
        before = played.objective[i - 1] if i else np.zeros(played.problem.domain.size)
        return np.asarray(kernel.at_distance(played.evaluation_time.of_round(i)) * before)

    return of_round


FORMULAS: dict[str, Formula] = {
    "gp-ucb": _without_time,
    "tv": _by_rounds,
    "ctv-fixed": _at_known_times,
    "ctv-simple": _at_mean_times,
    "ctv": _over_times,
    "random-weight-ucb": _with_drawn_weights(lambda rng, size: stats.norm.isf(rng.random() / size)),
    "irgp-ucb": _with_drawn_weights(
        lambda rng, size: sqrt(2.0 * log(max(size, 2) / 2.0) + rng.chisquare(2.0))
    ),
    "flat-ucb": _flat,
    "look-ahead": _look_ahead,
    "scheduled": _scheduled,
    "block-schedule": _scheduled,
    "greedy-blocks": _scheduled,
    "clairvoyant": _clairvoyant,
}
"""The policies whose choices are computed again."""


def improvement(mean: FloatArray, deviation: FloatArray, best: float | FloatArray) -> FloatArray:
    """E(f − best)₊ = (μ − best)Φ(z) + σϕ(z)."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        z = np.where(deviation > 0, (mean - best) / deviation, np.inf * np.sign(mean - best))
        density = np.exp(-0.5 * z * z) / sqrt(2.0 * pi)
    expected = (mean - best) * special.ndtr(z) + deviation * density
    return np.where(deviation > 0, np.maximum(expected, 0.0), np.maximum(mean - best, 0.0))
