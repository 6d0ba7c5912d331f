"""What a bound on γ̃_n is: its name and statement, its value, its enclosed value, its evidence.

A new bound is one file with a subclass of `Bound` and one line in `bounds.gain.registry`; or an
entry point of the group `ctv_bounds.gain_bounds` in another package. Reports, answers, ladders,
screens and figures take it from there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isfinite
from typing import ClassVar, NamedTuple

from bounds import enclosure
from bounds.arithmetic import BALLS, DOUBLES, Arithmetic, Value
from bounds.arrays import FloatArray
from bounds.drifting_gain.joint_dual import JointDual
from bounds.drifting_gain.knots import KnotBound
from bounds.enclosure import matrices
from bounds.partitions.result import SearchResult
from bounds.problem import Problem
from bounds.progress import Stage, unstaged

Evidence = SearchResult | KnotBound | JointDual | None
"""What a value rests on: the best partition, the knots, the dual certificates."""


@dataclass(frozen=True, eq=False)
class Ingredients:
    """What bounds are computed from.

    Attributes
    ----------
    problem : Problem of n rounds
    gamma : (≥ n+1,) non-decreasing upper bounds on γ_0..γ_n
    earlier : the bounds of the registry that are already known, by name
    gamma_certified : whether `gamma` is rounded outward
    advance : called with the name of the stage and the share of it that is done
    """

    problem: Problem
    gamma: FloatArray
    earlier: Mapping[str, GainBound] = field(default_factory=dict)
    gamma_certified: bool = False
    advance: Stage = unstaged

    @property
    def gamma_n(self) -> float:
        """The upper bound on γ_n."""
        return float(self.gamma[self.problem.n])


@dataclass(frozen=True, eq=False)
class GainBound:
    """One upper bound on γ̃_n, in nats.

    Attributes
    ----------
    bound : the object it is a value of
    value : the number the formula gives, also where a hypothesis fails
    reason : the hypothesis that fails, with the rounds at which it does; empty where valid
    certified : True only for outward rounded arithmetic; floating point is never certified
    evidence : the partition, knots or dual certificates that the value rests on
    """

    bound: Bound
    value: float
    reason: str = ""
    certified: bool = False
    evidence: Evidence = None

    @property
    def name(self) -> str:
        """As in JSON and in `BoundReport.gains`."""
        return self.bound.name

    @property
    def title(self) -> str:
        """What tables and figures call it."""
        return self.bound.title

    @property
    def source(self) -> str:
        """The statement it comes from."""
        return self.bound.source

    @property
    def hypotheses(self) -> str:
        """What it rests on beyond a product of unit-variance kernels."""
        return self.bound.hypotheses

    @property
    def valid(self) -> bool:
        """Whether every hypothesis holds for these times and kernels."""
        return not self.reason

    @property
    def partition(self) -> SearchResult | None:
        """The best partition, for a bound that has one."""
        return self.evidence if isinstance(self.evidence, SearchResult) else None


class Quantities(NamedTuple):
    """What a bound without a partition is computed from, in any arithmetic.

    Attributes
    ----------
    n : rounds
    noise : σ²
    gamma : γ_n
    theta : slope of the time kernel
    span : τ_n − τ_1
    """

    n: Value
    noise: Value
    gamma: Value
    theta: Value
    span: Value


class Bound(ABC):
    """An upper bound on γ̃_n, the largest gain of n rounds at given times.

    Attributes
    ----------
    name : in JSON
    title : in tables and figures
    source : the statement, with its formula
    hypotheses : beyond a product of unit-variance kernels; "none" if there are none
    costly : whether it is left out where bounds for many n are wanted
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    hypotheses: ClassVar[str] = "none"
    costly: ClassVar[bool] = False

    @abstractmethod
    def evaluate(self, given: Ingredients) -> GainBound | None:
        """The bound in floating point; None where these rounds are too many for it."""

    def enclosed(self, given: Ingredients, bound: GainBound) -> GainBound:
        """The same bound at the same evidence, enclosed and rounded upward.

        By default what was found, which is not certified.
        """
        return bound

    def improves_on(self, problem: Problem) -> tuple[str, ...]:
        """The names of bounds that this one is never above, as a theorem says for the problem."""
        return ()

    def at(self, value: float, evidence: Evidence = None, reason: str = "") -> GainBound:
        """A value of this bound in floating point."""
        return GainBound(self, value, reason, evidence=evidence)


class FormulaBound(Bound):
    """A bound from n, γ_n and the span of the times, written once for every arithmetic.

    Attributes
    ----------
    conditions : what it rests on, in the letters of symbolic formulas
    through_curve : whether γ_n plays a part, so that a certified value needs a certified curve
    """

    conditions: ClassVar[tuple[str, ...]] = ()
    through_curve: ClassVar[bool] = True

    @abstractmethod
    def formula(self, a: Arithmetic, of: Quantities) -> Value:
        """The bound from its quantities."""

    def evaluate(self, given: Ingredients) -> GainBound:
        problem = given.problem
        span = problem.times.span
        # Of equal times 0: a slope may be infinite.
        theta = problem.time_kernel.slope if span > 0.0 else 0.0
        of = Quantities(problem.n, problem.noise_variance, given.gamma_n, theta, span)
        return self.at(float(self.formula(DOUBLES, of)))

    def enclosed(self, given: Ingredients, bound: GainBound) -> GainBound:
        problem = given.problem
        times, theta = problem.times.exact, problem.time_kernel.enclosed_slope()
        span = (times.ticks[-1] - times.ticks[0]) * times.unit
        noise, gamma, time = (
            enclosure.exact(Fraction(x)) for x in (problem.noise_variance, given.gamma_n, span)
        )
        if self.through_curve and theta is None:
            return bound
        value = self.formula(BALLS, Quantities(problem.n, noise, gamma, theta, time))
        rounded = with_enclosure(given, bound, matrices.upward(value))
        return rounded if self.through_curve else replace(rounded, certified=True)


def with_enclosure(given: Ingredients, bound: GainBound, value: float | None) -> GainBound:
    """`bound` with an enclosed value; unchanged where there is none.

    Numbers beyond all doubles, as at enormous times, are not certified.
    """
    if value is None or not isfinite(value):
        return bound
    return replace(bound, value=value, certified=given.gamma_certified)
