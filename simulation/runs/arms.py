"""Many runs of a policy on independent arms at once: one scalar filter for each arm and run.

The belief about an arm is a mean and a variance: over a wait with a = k_time they become a·m and
1 − a²(1 − v), a look of noise σ² leaves v σ²/(v + σ²). `run.simulate` has the same policies on any
domain, one run after another; here thousands of runs of a hundred arms take seconds, which is what
«the best simulated policy» needs: every policy, every weight, enough runs to tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import log, sqrt
from types import MappingProxyType

import numpy as np

from bounds.arrays import FloatArray
from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.pattern import Waits
from bounds.problem import Problem
from simulation.policies.looking_on import later_precisions, two_steps

Choice = Callable[[int, FloatArray, FloatArray], FloatArray]
"""Round, means (S, K), variances (S, K) ↦ indices (S, K), of which the largest is played."""

WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)
"""Of σ in the plain index, as `best_simulated` tries them."""

FLAT = (0.25, 0.5, 1.0, 2.0)
"""c₀ of the flat index."""


@dataclass(frozen=True)
class ArmsRegret:
    """Mean regret of a policy over simulated runs.

    Attributes
    ----------
    policy : its name, with its weight
    mean, error : of the regret of n rounds, and its standard error
    """

    policy: str
    mean: float
    error: float


class Game:
    """A problem with independent arms, a Markov time kernel and fixed times.

    Parameters
    ----------
    problem : Problem
    runs : S
    seed : of f, of noise and of what policies draw

    Raises InvalidInput for another domain or time kernel.
    """

    def __init__(self, problem: Problem, runs: int = 1_000, seed: int = 0) -> None:
        if not isinstance(problem.domain, Arms):
            raise InvalidInput(
                "domain", problem.domain.phrase, "give independent arms: --domain arms:K"
            )
        kernel, gaps = problem.time_kernel, problem.times.durations
        if not kernel.is_markov:
            remedy = "give a Markov one: forgetting, exponential"
            raise InvalidInput("time-kernel", kernel.name, remedy)
        if runs < 2:
            raise InvalidInput("runs", runs, "give at least 2")
        self.problem, self.runs, self.arms = problem, runs, problem.domain.count
        self.n, self.noise = problem.n, problem.noise_variance
        self.kept = np.asarray(kernel.at_distance(gaps), dtype=float)
        self.lost = np.asarray(kernel.deficit(gaps), dtype=float)
        self._seeds = np.random.SeedSequence(seed).spawn(2)
        self.rng = np.random.default_rng(self._seeds[1])

    def regrets(self, policy: str) -> FloatArray:
        """(S,) regrets of n rounds, the same f and noise for every policy."""
        self.rng = np.random.default_rng(self._seeds[1])
        choose, world = chooser(policy, self), np.random.default_rng(self._seeds[0])
        shape, rows = (self.runs, self.arms), np.arange(self.runs)
        f, mean, left = world.standard_normal(shape), np.zeros(shape), np.ones(shape)
        total = np.zeros(self.runs)
        for i in range(self.n):
            if i:
                a, new = self.kept[i], self.lost[i]
                f = a * f + sqrt(new) * world.standard_normal(shape)
                mean, left = a * mean, new + (1.0 - new) * left
            noise = sqrt(self.noise) * world.standard_normal(self.runs)
            played = np.argmax(choose(i, mean, left), axis=1)  # the first of equals: all are alike
            total += f.max(axis=1) - f[rows, played]
            v = left[rows, played]
            gain = v / (v + self.noise)
            mean[rows, played] += gain * (f[rows, played] + noise - mean[rows, played])
            left[rows, played] = v * (self.noise / (v + self.noise))
        return total


def chooser(policy: str, game: Game) -> Choice:
    """The choice of a policy: a name of `POLICIES`, with its weight behind a colon.

    Raises InvalidInput for another.
    """
    name, _, text = policy.partition(":")
    if name not in POLICIES:
        raise InvalidInput("policy", policy, f"use {', '.join(POLICIES)}, with :WEIGHT")
    try:
        weight = float(text) if text else 1.0
    except ValueError:
        raise InvalidInput("policy", policy, "write a number behind the colon") from None
    return POLICIES[name](game, weight)


def index(game: Game, weight: float) -> Choice:
    """μ + weight·σ."""
    return lambda i, mean, left: mean + weight * np.sqrt(left)


def theorem(game: Game, weight: float) -> Choice:
    """μ + weight·λσ, λ² = 2log(K n²) of Theorem I."""
    width = sqrt(2.0 * log(game.arms * float(game.n) ** 2))
    return index(game, weight * width)


def flat(game: Game, weight: float) -> Choice:
    """μ + bσ, b² = c₀ log(1 + (σ²/p_i)²), c₀ the weight."""
    shares = Waits.of(game.problem.times, game.problem.time_kernel, game.noise).shares
    return lambda i, mean, left: mean + np.sqrt(weight * np.log1p((left / shares[i]) ** 2) * left)


def thompson(game: Game, weight: float) -> Choice:
    """μ + weight·σZ, a draw of the posterior at weight 1."""
    return lambda i, mean, left: (
        mean + weight * np.sqrt(left) * game.rng.standard_normal(mean.shape)
    )


def predictive(game: Game, weight: float) -> Choice:
    """Predictive sampling: a draw of what looks in all later rounds would say of the value now.

    Such looks are worth one look of precision F_i at it, by the recursion backwards; the draw has
    the variance v²/(v + 1/F), less than v where the value is soon forgotten.
    """
    later = later_precisions(game.kept, game.lost, game.noise)

    def choose(i: int, mean: FloatArray, left: FloatArray) -> FloatArray:
        spread = left * np.sqrt(later[i] / (1.0 + left * later[i]))
        return np.asarray(mean + weight * spread * game.rng.standard_normal(mean.shape))

    return choose


def look_ahead(game: Game, weight: float) -> Choice:
    """The mean now and weight times the mean of the best arm in the round after: two steps."""

    def choose(i: int, mean: FloatArray, left: FloatArray) -> FloatArray:
        if i + 1 == game.n or game.arms == 1:
            return mean
        return two_steps(mean, left, weight * game.kept[i + 1], game.noise)

    return choose


def at_random(game: Game, weight: float) -> Choice:
    """Any arm."""
    return lambda i, mean, left: game.rng.random(mean.shape)


POLICIES: Mapping[str, Callable[[Game, float], Choice]] = MappingProxyType(
    {
        "index": index,
        "theorem": theorem,
        "flat-ucb": flat,
        "ts": thompson,
        "predictive": predictive,
        "look-ahead": look_ahead,
        "random": at_random,
    }
)
"""Name ↦ policy for independent arms."""

TRIED = (
    *(f"index:{weight:g}" for weight in WEIGHTS),
    "theorem",
    *(f"flat-ucb:{weight:g}" for weight in FLAT),
    *("ts:0.25", "ts:0.5", "ts", "predictive", "look-ahead", "look-ahead:3", "look-ahead:10"),
)
"""What `best_simulated` tries."""


def simulated(
    problem: Problem, policies: Iterable[str] = TRIED, *, runs: int = 1_000, seed: int = 0
) -> tuple[ArmsRegret, ...]:
    """The mean regret of each policy, in the order given.

    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 9), domain=Arms(2))
    >>> greedy, random = simulated(problem, ["index:0", "random"], runs=200)
    >>> greedy.mean < random.mean
    True
    """
    game, estimates = Game(problem, runs, seed), []
    for policy in policies:
        regrets = game.regrets(policy)
        error = float(regrets.std(ddof=1)) / sqrt(runs)
        estimates.append(ArmsRegret(policy, float(regrets.mean()), error))
    return tuple(estimates)


def best_simulated(problem: Problem, *, runs: int = 1_000, seed: int = 0) -> ArmsRegret:
    """The best of `TRIED`, chosen on some runs and measured on others."""
    chosen = min(simulated(problem, runs=runs, seed=seed), key=lambda one: one.mean)
    return simulated(problem, [chosen.policy], runs=4 * runs, seed=seed + 1)[0]
