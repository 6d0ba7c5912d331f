"""Policies: which point to evaluate next, from what has been seen.

Every policy is a small class behind one base: `choose` a point for the coming round, then `observe`
what came of it. Ties go to the lowest index of the grid.

| name | model of f | evaluation time in the acquisition |
|---|---|---|
| `gp-ucb` | no time | none |
| `tv` | τ is the number of the round | one round |
| `ctv-fixed` | measured τ | t(x), known beforehand |
| `ctv` | measured τ | integrated over the posterior of t(x) |
| `ctv-simple` | measured τ | the posterior mean of t(x) |
| `ts` | measured τ | t(x), known beforehand |
| `random-weight-ucb`, `irgp-ucb` | measured τ | t(x), known beforehand |
| `scheduled` | measured τ | t(x), known beforehand |
| `random` | – | – |
| `clairvoyant` | f up to the last instant, without noise | t(x), known beforehand |
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import cast

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting
from simulation.model.grid_time_model import GridTimeModel
from simulation.policies.acquisition import log_mean_improvement
from simulation.policies.base import ModelPolicy, Policy, PolicySetup
from simulation.policies.randomised import IrgpUcb, RandomWeightUcb, ThompsonSampling
from simulation.policies.readings import Readings
from simulation.policies.scheduled import Scheduled
from simulation.policies.suggestion import Suggestion, suggest
from simulation.policies.tuned import Making, Tuned, believing
from simulation.world.evaluation_time import EvaluationTime

__all__ = [
    "POLICIES",
    "Policy",
    "PolicySetup",
    "Suggestion",
    "check_policy",
    "make_policy",
    "suggest",
]


class GpUcb(ModelPolicy):
    """GP-UCB (Srinivas et al. 2010): the objective is taken not to move."""

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup, Forgetting(0.0))

    def acquisition(self, round_index: int) -> FloatArray:
        return self._at(0.0, round_index)

    def elapsed(self, duration: float) -> float:
        return 0.0


class TimeVarying(ModelPolicy):
    """TV-GP-UCB (Bogunovic et al. 2016): every round lasts as long, `readings.round_length`."""

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup, setup.problem.time_kernel)
        self._length = setup.readings.round_length

    def acquisition(self, round_index: int) -> FloatArray:
        return self._at(self._length, round_index)

    def elapsed(self, duration: float) -> float:
        return self._length


class CtvFixed(ModelPolicy):
    """CTV-fixed: α_base at τ_n + t(x), the evaluation time of every point being known."""

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup, setup.problem.time_kernel)

    def acquisition(self, round_index: int) -> FloatArray:
        return self._at(self._setup.evaluation_time.of_round(round_index), round_index)


class TimeLearning(ModelPolicy):
    """What CTV and CTV-simple share: they learn t(x) from the durations they measured."""

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup, setup.problem.time_kernel)
        grid, prior = setup.problem.domain, setup.readings.time_prior
        self._time = GridTimeModel(grid, prior, setup.rounds)

    def observe(self, index: int, duration: float, value: float) -> float | None:
        noise_variance = self._setup.readings.time_noise_variance
        if noise_variance and not 0.0 < duration < np.inf:
            remedy = f"a measured time came out as {duration:g}: give a smaller one"
            raise InvalidInput("time-noise-variance", noise_variance, remedy)
        self._time.observe(index, duration)
        return super().observe(index, duration, value)


class CtvSimple(TimeLearning):
    """CTV-simple: α_base at τ_n + E[t(x)]."""

    def acquisition(self, round_index: int) -> FloatArray:
        noise = self._setup.readings.mean_time_noise
        return self._at(self._time.mean_duration(with_noise=noise), round_index)


class Ctv(TimeLearning):
    """CTV: ∫ α_base(x, τ_n + t) p(t|x) dt over the log-normal posterior, by Gauss–Hermite.

    t = exp(√2 σ s + μ) with weight e^{−s²}/√π; the mean of EI is taken through its logarithms.
    """

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup)
        nodes, weights = np.polynomial.hermite.hermgauss(setup.readings.time_nodes)
        self._nodes = np.sqrt(2.0) * nodes
        self._node_weights = weights / weights.sum()

    def acquisition(self, round_index: int) -> FloatArray:
        mean, variance = self._time.log_posterior()
        if self._setup.readings.integral_noise:
            variance = variance + self._time.hyperparameters.noise_variance
        with np.errstate(over="ignore"):  # a time that overflows is one at which all is forgotten
            times = np.exp(mean + np.sqrt(variance) * self._nodes[:, None])
        predictions = (self._posterior.predict(at_node) for at_node in times)
        incumbent = self._incumbent()
        if self._setup.acquisition == "ei":
            found = list(predictions)
            return log_mean_improvement(
                np.array([p.mean for p in found]),
                np.array([p.deviation for p in found]),
                self._node_weights,
                incumbent,
            )
        total = np.zeros(len(mean))
        for weight, prediction in zip(self._node_weights, predictions, strict=True):
            total += weight * self._base(prediction, round_index, incumbent)
        return total


class RandomChoice(Policy):
    """A uniformly random point of the grid in every round: a yardstick."""

    def __init__(self, setup: PolicySetup) -> None:
        self._rng = setup.rng
        self._size = setup.problem.domain.size

    def choose(self, round_index: int) -> int:
        return int(self._rng.integers(self._size))


class Clairvoyant(Policy):
    """Knows f(·, τ_n) without noise, but not how it will move: a yardstick.

    It takes the largest conditional mean at the next instant, k_time(t(x)) f(x, τ_n). For a Markov
    time kernel and fixed times no policy that sees data up to τ_n has less expected regret.
    """

    def __init__(self, setup: PolicySetup) -> None:
        self._setup = setup
        self._objective = np.zeros(setup.problem.domain.size)

    def choose(self, round_index: int) -> int:
        waits = self._setup.evaluation_time.of_round(round_index)
        return int(np.argmax(self._setup.problem.time_kernel.at_distance(waits) * self._objective))

    def reveal(self, objective: FloatArray) -> None:
        self._objective = objective


POLICIES: dict[str, Callable[[PolicySetup], Policy]] = {
    "gp-ucb": GpUcb,
    "tv": TimeVarying,
    "ctv": Ctv,
    "ctv-simple": CtvSimple,
    "ctv-fixed": CtvFixed,
    "ts": ThompsonSampling,
    "random-weight-ucb": RandomWeightUcb,
    "irgp-ucb": IrgpUcb,
    "scheduled": Scheduled,
    "random": RandomChoice,
    "clairvoyant": Clairvoyant,
}
"""Every policy by the name that the command line and results know it by."""

WITHOUT_MODEL = ("random", "clairvoyant")
"""Policies that have no hyperparameters."""

HOLDS_ON_TO_THE_PROBLEM = ("ts", "scheduled")
"""Policies whose draws, or whose schedule, are made for the problem as it is."""


def make_policy(name: str, setup: PolicySetup) -> Policy:
    """The policy `name`, tuned as the readings say.

    Raises InvalidInput with the nearest known name, and for tuning that `check_tuning` refuses.
    """
    check_policy(name, setup.evaluation_time)
    make, readings = POLICIES[name], setup.readings
    if name in WITHOUT_MODEL:
        return make(setup)
    check_tuning(name, readings)
    if readings.tune == "none" or readings.assumed is not None:
        own = readings.assumed
        return make(setup if own is None else believing(setup, own))
    if readings.tune == "cross-validation":
        remedy = "needs held-out seeds, which a study has: simulation.study.run_study"
        raise InvalidInput("tune", readings.tune, remedy)
    return Tuned(cast(Making, make), setup)


def check_tuning(name: str, readings: Readings) -> None:
    """Raise InvalidInput where hyperparameters are tuned and a policy of this name has its own."""
    tuned = readings.tune != "none" or readings.assumed is not None
    if tuned and name in HOLDS_ON_TO_THE_PROBLEM:
        remedy = f"leave it out: {name} takes its hyperparameters from the problem"
        raise InvalidInput("tune", readings.tune, remedy)


def check_policy(name: str, evaluation_time: EvaluationTime) -> None:
    """Raise InvalidInput unless `name` is a policy that can cope with these evaluation times."""
    if name not in POLICIES:
        known = {policy: policy for policy in POLICIES} | {"tv-gp-ucb": "tv"}  # its name in print
        near = get_close_matches(name.lower(), known, n=1, cutoff=0.3)
        hint = f"did you mean {known[near[0]]}? " if near else ""
        raise InvalidInput("policies", name, f"{hint}the policies are {', '.join(POLICIES)}")
    if POLICIES[name] in (Ctv, CtvSimple) and np.min(evaluation_time.durations) <= 0:
        raise InvalidInput("policies", name, "it models log t: it needs evaluation times above 0")
