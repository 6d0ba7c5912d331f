"""What every policy is: what it says of itself, what it is made from, how it is played.

A policy is written once and plays wherever a `DecisionSet` says what its points are and what is
known of f there: the points of a finite domain (`simulation.policies.finite`), or all of the box
(`simulation.policies.on_box.policies`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Kernel
from bounds.problem import Problem
from simulation.model.covariance import GridCovariance
from simulation.model.posterior import Elapsed
from simulation.policies.acquisition import ACQUISITIONS, EXPLORATIONS, exploration_weight
from simulation.policies.readings import Readings
from simulation.world.evaluation_time import EvaluationTime, betas

Point = Any
"""An index into a finite domain, or coordinates (d,) in the box: as the decision set has it."""


class Times(Enum):
    """How long an evaluation takes, as a policy sees it."""

    NONE = "f is taken not to move"
    ROUNDS = "every evaluation lasts one round"
    KNOWN = "t(x), known beforehand"
    MEAN = "the posterior mean of t(x)"
    LAW = "integrated over the posterior of t(x)"

    @property
    def are_learned(self) -> bool:
        """Whether t(x) is learned from the durations that were measured."""
        return self in (Times.MEAN, Times.LAW)


@dataclass(frozen=True, eq=False)
class PolicySetup:
    """What a policy is made from.

    Attributes
    ----------
    problem : the true problem: kernels, noise, domain, δ
    covariance : the space covariance that the policy's model assumes
    evaluation_time : how long evaluations take (a policy sees of it what its `times` say)
    rounds : rounds in all, the initial ones included
    acquisition : `ucb` or `ei`
    exploration : `beta`, `sqrt-beta` or `theory`, for `ucb`
    rng : the policy's own randomness
    readings : the choices that the paper leaves open
    decisions : the points that it chooses from
    """

    problem: Problem
    covariance: GridCovariance
    evaluation_time: EvaluationTime
    rounds: int
    acquisition: str
    exploration: str
    rng: np.random.Generator
    readings: Readings
    decisions: DecisionSet

    def weights(self) -> FloatArray:
        """(rounds,) the weight of σ in UCB, round by round; the initial rounds count.

        `theory` is √β_n with the finite-domain β_n for fixed times and that of Theorem C for t(x).
        """
        numbers = np.arange(1, self.rounds + 1)
        if self.exploration != "theory":
            c1, c2 = self.readings.c1, self.readings.c2
            return exploration_weight(self.exploration, numbers, c1=c1, c2=c2)
        return np.sqrt(betas(self.problem, self.evaluation_time, numbers))


@dataclass(frozen=True)
class Criterion:
    """What the next point has most of: μ + weight·σ, or the expected improvement on a number.

    Attributes
    ----------
    round_index : of the round to come, from 0, the initial ones included
    weight : of σ; 0 for the mean alone
    incumbent : what is improved on; None for μ + weight·σ
    by_time : whether the weight is multiplied with the time that the evaluation takes
    least : waits ↦ p and dp/dt, the least variance that f can have left after them: the weight of
        σ is then weight·√log(1 + (σ²/p)²)
    """

    round_index: int
    weight: float = 0.0
    incumbent: float | None = None
    by_time: bool = False
    least: Callable[[Elapsed], tuple[FloatArray, FloatArray]] | None = None


class Belief(ABC):
    """f given the data of one policy, on one decision set, at the instants that it believes in."""

    def __init__(self, setup: PolicySetup, times: Times) -> None:
        self._setup, self._times = setup, times

    def elapsed(self, duration: float) -> float:
        """What the model takes a round of this duration to have lasted."""
        if self._times is Times.NONE:
            return 0.0
        return self._setup.readings.round_length if self._times is Times.ROUNDS else duration

    @property
    def time_kernel(self) -> Kernel:
        """The time kernel of the model."""
        return Forgetting(0.0) if self._times is Times.NONE else self._setup.problem.time_kernel

    @abstractmethod
    def observe(self, point: Point, duration: float, value: float) -> float | None:
        """Take in a round; the variance of f at (x, τ) before it, where it is at hand."""

    @abstractmethod
    def best(self, criterion: Criterion) -> Point:
        """The point with most of the criterion at the end of its evaluation."""

    def values(self, criterion: Criterion) -> FloatArray:
        """(N,) the criterion at every point. Raises InvalidInput on a box."""
        raise InvalidInput("decisions", type(self).__name__, "give a finite domain")

    @abstractmethod
    def best_mean(self) -> float:
        """The largest posterior mean now among the points evaluated; there is at least one."""

    @abstractmethod
    def best_of_draw(self, round_index: int) -> Point:
        """The argmax of one posterior draw of f at the end of the evaluation."""


class DecisionSet(ABC):
    """The points that a policy chooses from."""

    @abstractmethod
    def require(self, policy: type[Policy]) -> None:
        """Raise InvalidInput unless the policy plays here."""

    @abstractmethod
    def random_point(self, setup: PolicySetup) -> Point:
        """A uniformly random point, by the policy's own randomness."""

    @abstractmethod
    def point_of(self, index: int, setup: PolicySetup) -> Point:
        """The point of the domain with this index."""

    @abstractmethod
    def belief(self, setup: PolicySetup, times: Times, *, draws: bool) -> Belief:
        """f before the first round; `draws` says whether `best_of_draw` will be asked."""


class Policy(ABC):
    """A way to choose points; it may keep what it saw.

    The class says of itself, for tables, figures, studies and bounds:

    name, title : as the command line, and as a figure calls it
    source : where it is from
    summary : one sentence for people, after its title
    times : what it knows of evaluation times; None where it asks for none
    has_model : whether it models f, and so has hyperparameters that may be tuned
    holds_the_problem : whether its draws or its plan are made for the problem's own hyperparameters
    has_weight : whether `--exploration` is its weight of σ
    weighs_by_time : whether its weight of σ grows with the evaluation time: then times and their
        unit matter even where f does not move
    sees_objective : whether f itself is shown to it: then no bound, floor or certificate covers it
    on_box : whether it plays on the box too
    covered_by : anchors of docs/theory.md, the theorems that bound its regret with the problem's
        1 − δ where it has exploration `theory` and the true model; empty without one
    colour, dashes : of its line in figures, dashes as matplotlib's pattern; a free one by default
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    times: ClassVar[Times | None] = None
    has_model: ClassVar[bool] = False
    holds_the_problem: ClassVar[bool] = False
    has_weight: ClassVar[bool] = False
    weighs_by_time: ClassVar[bool] = False
    sees_objective: ClassVar[bool] = False
    on_box: ClassVar[bool] = True
    covered_by: ClassVar[tuple[str, ...]] = ()
    colour: ClassVar[str] = ""
    dashes: ClassVar[tuple[float, ...]] = ()

    def __init__(self, setup: PolicySetup) -> None:
        setup.decisions.require(type(self))
        self._setup = setup

    @abstractmethod
    def choose(self, round_index: int) -> Point:
        """The point for the round with this index from 0 (initial rounds count)."""

    def observe(self, point: Point, duration: float, value: float) -> float | None:
        """Take in the point, the measured duration and the observation of a round.

        Returns the variance of f at (x, τ) before the observation by the policy's own model, where
        a theorem covers the policy; None to have it computed after the run.
        """
        return None

    def reveal(self, objective: FloatArray) -> None:  # noqa: B027 - only one policy may look
        """f(·, τ_n), for those who may see it."""


class ModelPolicy(Policy):
    """A policy with a Gaussian process: by default the acquisition that was asked for.

    A subclass says its `times`; for another criterion it overrides `criterion`, for another choice
    `choose`.
    """

    times: ClassVar[Times] = Times.KNOWN
    has_model = True
    has_weight = True
    draws: ClassVar[bool] = False
    """Whether it draws f."""
    is_flat: ClassVar[bool] = False
    """Whether its weight of σ depends on σ² and on the variance that every policy leaves."""

    def __init__(self, setup: PolicySetup) -> None:
        super().__init__(setup)
        for name, known in (("acquisition", ACQUISITIONS), ("exploration", EXPLORATIONS)):
            if getattr(setup, name) not in known:
                raise InvalidInput(name, getattr(setup, name), f"use {', '.join(known)}")
        self._belief = setup.decisions.belief(setup, self.times, draws=self.draws)
        self._weights = setup.weights() if setup.acquisition == "ucb" else np.empty(0)
        self._largest: float | None = None

    @property
    def belief(self) -> Belief:
        """What it knows of f."""
        return self._belief

    def criterion(self, round_index: int) -> Criterion:
        """What is maximised in this round: UCB with the weights asked for, or EI."""
        if self._setup.acquisition == "ei":
            return Criterion(round_index, incumbent=self._incumbent())
        return Criterion(round_index, float(self._weights[round_index]))

    def values(self, round_index: int) -> FloatArray:
        """(N,) what it maximises, at every point of a finite domain; (K·N,) over K times too."""
        return self._belief.values(self.criterion(round_index))

    def choose(self, round_index: int) -> Point:
        return self._belief.best(self.criterion(round_index))

    def observe(self, point: Point, duration: float, value: float) -> float | None:
        self._largest = value if self._largest is None else max(self._largest, value)
        variance = self._belief.observe(point, duration, value)
        return variance if self.covered_by else None

    def _incumbent(self) -> float:
        """What EI improves on; before the first observation the prior mean, 0."""
        if self._largest is None:
            return 0.0
        by_mean = self._setup.readings.incumbent == "mean"
        return self._belief.best_mean() if by_mean else float(self._largest)
