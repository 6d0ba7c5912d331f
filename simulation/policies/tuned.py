"""How a policy is made for a run, and one that settles its hyperparameters by what the run shows.

The model is y = m + s·f + noise with the kernel families that the policy assumes: a lengthscale, a
forgetting rate where the policy has one, the noise, m and s are unknown. Every `refit_every` rounds
they are settled anew, by the largest likelihood or by a few draws of their posterior law over which
the acquisition is averaged, and the policy is made again and shown all rounds so far. `gp-ucb`
knows no time and fits none; `tv` fits a rate per round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import cast

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.numerics.threads import one_blas_thread
from bounds.numerics.ties import first_largest
from bounds.problem import Problem
from simulation.model.covariance import GridCovariance
from simulation.policies.base import ModelPolicy, Point, Policy, PolicySetup
from simulation.policies.readings import Hyperparameters, Readings
from simulation.policies.registry import policy_named
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import Hyperprior, Structure
from simulation.prior.modes import Search
from simulation.prior.sampled import sampled_candidates
from simulation.prior.shapes import SHAPES
from simulation.world.evaluation_time import EvaluationTime

LENGTHSCALES = (0.5, 1.0, 2.0)
RATES = (1.0 / 3.0, 1.0, 3.0)
NOISES = (1.0, 10.0)
"""Factors on the problem's own numbers: the grid out of which cross-validation chooses."""

LEAST_ROUNDS = 3
"""Rounds below which nothing is fitted and the hyperparameters of the problem stand."""

DRAWS = 4
"""Draws of the hyperparameters over which an acquisition is averaged."""

_SAMPLE = 96
"""Weighted members out of which those are drawn."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """Hyperparameters, and the law of y that goes with them: y = center + scale·(f + noise)."""

    center: float
    scale: float
    own: Hyperparameters


class Tuned(Policy):
    """A policy of `make`, with hyperparameters by `setup.readings.tune`."""

    def __init__(self, make: type[ModelPolicy], setup: PolicySetup) -> None:
        readings, problem = setup.readings, setup.problem
        require_tunable(readings, setup.covariance.kernel, problem.time_kernel)
        self._make, self._setup = make, setup
        self._seen: list[tuple[int, float, float]] = []
        self._fitted_at = -1
        self._models: list[tuple[Fitted, ModelPolicy]] = []
        self._untuned = make(setup)
        self._start: FloatArray | None = None
        points = setup.problem.domain.points
        self._unit = float(np.max(np.ptp(points, axis=0))) or 1.0

    @property
    def fitted(self) -> tuple[Fitted, ...]:
        """The hyperparameters in use; none before the first fit."""
        return tuple(fitted for fitted, _ in self._models)

    def choose(self, round_index: int) -> Point:
        every = self._setup.readings.refit_every
        waited = len(self._seen) - self._fitted_at
        if len(self._seen) >= LEAST_ROUNDS and (self._fitted_at < 0 or waited >= every):
            self._refit()
        if not self._models:
            return self._untuned.choose(round_index)
        return first_largest(self.acquisition(round_index)) % self._setup.problem.domain.size

    def acquisition(self, round_index: int) -> FloatArray:
        """The mean over the hyperparameters in use of UCB in units of y, or of EI."""
        rows = [(fit, model.values(round_index)) for fit, model in self._models]
        if self._setup.acquisition == "ei":
            logs = [np.log(fit.scale) + values for fit, values in rows]
            return np.asarray(special.logsumexp(logs, axis=0))
        return np.asarray(sum(fit.center + fit.scale * values for fit, values in rows))

    def observe(self, point: Point, duration: float, value: float) -> float | None:
        self._seen.append((point, duration, value))
        if not self._models and len(self._seen) < LEAST_ROUNDS:
            self._untuned.observe(point, duration, value)
        for fit, model in self._models:
            model.observe(point, duration, (value - fit.center) / fit.scale)
        return None

    def _refit(self) -> None:
        self._fitted_at = len(self._seen)
        data = self._data()
        law = MeanAndScale.around(data.values)
        kernel = self._setup.covariance.kernel.name
        drift = bool(np.ptp(data.times) > 0)
        believed = Hyperprior(kernels=(kernel,), drift=float(drift), level_share=0.0, per_input=0.0)
        with one_blas_thread():
            if self._setup.readings.tune == "posterior":
                fits = self._drawn(data, believed, law)
            else:
                structure = Structure(kernel, drift, level=False, per_input=False)
                fits = self._likeliest(Search(data, believed, law, weighed=False), structure)
        self._models = [(fit, self._remade(fit)) for fit in fits]

    def _data(self) -> Data:
        points = self._setup.problem.domain.points / self._unit
        gaps = [self._untuned.belief.elapsed(duration) for _, duration, _ in self._seen]
        return Data(
            points[[index for index, _, _ in self._seen]],
            np.cumsum(gaps),
            np.array([value for _, _, value in self._seen]),
        )

    def _likeliest(self, search: Search, structure: Structure) -> list[Fitted]:
        starts = [np.zeros(search.coordinates(structure))]
        if self._start is not None:
            starts.append(self._start)
        _, top = min((search.climb(structure, start) for start in starts), key=lambda end: end[0])
        self._start = top
        (member,) = search.members(structure, top[None])
        _, posterior = search.data.judged([member], search.mean_and_scale)
        scale = float(np.sqrt(posterior.scale[0] / posterior.shape[0]))
        return [self._fitted(member, float(posterior.center[0]), scale)]

    def _drawn(self, data: Data, believed: Hyperprior, law: MeanAndScale) -> list[Fitted]:
        rng = self._setup.rng
        seed = int(rng.integers(2**31))
        candidates, _, _ = sampled_candidates(data, believed, law, draws=_SAMPLE, seed=seed)
        places = rng.choice(len(candidates.members), DRAWS, p=candidates.weights)
        return [
            self._fitted(candidates.members[i], *candidates.posterior.draw(i, rng)) for i in places
        ]

    def _fitted(self, member: Member, center: float, scale: float) -> Fitted:
        own = Hyperparameters(
            lengthscale=self._unit * member.lengthscales[0],
            epsilon=_forgotten(member.rate),
            noise_variance=member.noise_variance,
        )
        return Fitted(center, scale, own)

    def _remade(self, fit: Fitted) -> ModelPolicy:
        model = self._make(believing(self._setup, fit.own))
        for index, duration, value in self._seen:
            model.observe(index, duration, (value - fit.center) / fit.scale)
        return model


def make_policy(name: str, setup: PolicySetup) -> Policy:
    """The policy `name`, tuned as the readings say.

    Raises InvalidInput for what `check_policy` refuses, and for tuning by held-out seeds, which one
    run does not have.
    """
    check_policy(name, setup.evaluation_time, setup.readings)
    make, readings = policy_named(name), setup.readings
    if not make.has_model:
        return make(setup)
    if readings.tune == "none" or readings.assumed is not None:
        own = readings.assumed
        return make(setup if own is None else believing(setup, own))
    if readings.tune == "cross-validation":
        remedy = "needs held-out seeds, which a study has: simulation.study.run_study"
        raise InvalidInput("tune", readings.tune, remedy)
    return Tuned(cast(type[ModelPolicy], make), setup)


def check_policy(
    name: str, evaluation_time: EvaluationTime, readings: Readings | None = None
) -> None:
    """Raise InvalidInput unless `name` is a policy that copes with these times and readings."""
    policy = policy_named(name)
    learns = policy.times is not None and policy.times.are_learned
    if learns and np.min(evaluation_time.durations) <= 0:
        raise InvalidInput("policies", name, "it models log t: it needs evaluation times above 0")
    if readings is None or not policy.holds_the_problem:
        return
    if readings.tune != "none" or readings.assumed is not None:
        remedy = f"leave it out: {name} takes its hyperparameters from the problem"
        raise InvalidInput("tune", readings.tune, remedy)


def require_tunable(readings: Readings, kernel: Kernel, time_kernel: Kernel) -> None:
    """Raise InvalidInput for a model whose hyperparameters `readings.tune` cannot change."""
    if readings.tune == "none" and readings.assumed is None:
        return
    families = ", ".join(SHAPES)
    if readings.tune in ("likelihood", "posterior") and kernel.name not in SHAPES:
        raise InvalidInput("tune", f"a {kernel.name} model", f"models that fit are {families}")
    if not isinstance(kernel.parameters.get("lengthscale"), float):
        raise InvalidInput("tune", f"a {kernel.name} model", "needs a lengthscale to change")
    if time_kernel.at_rate(0.5) is None:
        raise InvalidInput("tune", time_kernel.name, "use the forgetting time kernel")


def believing(setup: PolicySetup, own: Hyperparameters) -> PolicySetup:
    """The same setup for a policy that assumes these hyperparameters in place of the problem's.

    Raises InvalidInput for what `require_tunable` refuses.
    """
    kernel = setup.covariance.kernel
    require_tunable(setup.readings, kernel, setup.problem.time_kernel)
    time_kernel = setup.problem.time_kernel.at_rate(own.epsilon)
    assert time_kernel is not None
    problem = replace(
        setup.problem,
        epsilon=own.epsilon,
        time_kernel=time_kernel,
        noise_variance=own.noise_variance,
    )
    stretched = kernel.stretched(own.lengthscale / kernel.parameters["lengthscale"])
    return replace(
        setup, problem=problem, covariance=GridCovariance(stretched, setup.problem.domain)
    )


def tuned_by_hand(kernel: Kernel, problem: Problem) -> tuple[Hyperparameters, ...]:
    """The grid out of which cross-validation chooses, around a model kernel and a problem."""
    lengthscale = kernel.parameters["lengthscale"]
    rate = problem.time_kernel.slope
    return tuple(
        Hyperparameters(
            lengthscale * longer, _forgotten(rate * faster), problem.noise_variance * more
        )
        for longer, faster, more in product(LENGTHSCALES, RATES, NOISES)
    )


def _forgotten(rate: float) -> float:
    """ε of a rate θ, below 1."""
    return min(float(-np.expm1(-2.0 * rate)), float(np.nextafter(1.0, 0.0)))
