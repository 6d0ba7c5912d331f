"""What a bound on regret is: whom it covers, what it rests on, its formula, its enclosed value.

A new bound is one file with a subclass of `Bound` and one line in `bounds.regret.registry`; or an
entry point of the group `ctv_bounds.regret_bounds` in another package. Answers, tables, figures,
certificates and the law suite take it from there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import ClassVar

from bounds import enclosure
from bounds.arithmetic import BALLS, DOUBLES, SYMBOLS, Arithmetic, Value, latex
from bounds.enclosure import Lower, Upper, matrices
from bounds.regret.ingredients.enclosed import EnclosedQuantities
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.quantities import LETTERS, DoubleQuantities
from bounds.regret.regret_bound import ANY_POLICY, PRIOR, Direction, Kind, RegretBound, Rounds

CTV_FIXED = ("ctv-fixed", "theory")
"""The policy of the theorem, μ + √β_n·σ, and its exploration."""


class Bound(ABC):
    """A bound on R_n or E R_n for evaluation times fixed beforehand, known before a run.

    Attributes
    ----------
    name : in JSON
    title : in tables and figures
    source : the statement, with its formula
    direction : "upper", or "lower" for one under the regret of every policy
    covers : the policies it holds for, each with its exploration; by default every policy
    kind : "probability" (with probability ≥ 1 − δ) or "mean"
    rounds : "one n", or "all n" where one event serves every n
    hypotheses : what it rests on beside the prior being the true one
    of_mean_zero : whether it fails where f has a known mean that is not constant
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    direction: ClassVar[Direction]
    covers: ClassVar[tuple[tuple[str, str], ...]] = ((ANY_POLICY, ""),)
    kind: ClassVar[Kind]
    rounds: ClassVar[Rounds] = "one n"
    hypotheses: ClassVar[str] = ""
    of_mean_zero: ClassVar[bool] = False

    @abstractmethod
    def evaluate(self, given: Ingredients) -> RegretBound | None:
        """The bound for the first policy that it covers; None where it has no value."""

    def enclosed(self, given: Ingredients, bound: RegretBound) -> RegretBound:
        """The same bound enclosed and rounded outward; by default what was found.

        Raises NoEnclosure, or returns what was found, where an ingredient has none.
        """
        return bound

    def failure(self, given: Ingredients) -> str:
        """The hypothesis that the problem does not meet, with its values; empty where it meets all.

        Where it is not empty the bound is left out.
        """
        return ""

    def rows(self, given: Ingredients) -> tuple[RegretBound, ...]:
        """The bound for each policy that it covers; none where a hypothesis fails."""
        bound = None if self.failure(given) else self.evaluate(given)
        if bound is None:
            return ()
        return tuple(replace(bound, policy=p, exploration=e) for p, e in self.covers)

    def at(
        self,
        value: float,
        formula: str,
        *,
        level: float | None = None,
        certified: bool = False,
        simulated: bool = False,
        kind: Kind | None = None,
        times: str = "fixed",
        also: str = "",
    ) -> RegretBound:
        """A value of this bound for the first policy that it covers.

        Parameters
        ----------
        formula : with the numbers that went into it
        level : 1 − δ for a bound with probability; the confidence of what is simulated
        certified : whether it was rounded outward throughout
        simulated : whether it holds with a confidence over simulations beside everything else
        kind, times : where they are not the usual ones
        also : a further hypothesis
        """
        policy, exploration = self.covers[0]
        certified = certified and not simulated
        side = Upper if self.direction == "upper" else Lower
        return RegretBound(
            self.name,
            side(value) if certified else value,
            self.direction,
            policy,
            "; ".join(part for part in (PRIOR, self.hypotheses, also) if part),
            kind or self.kind,
            level,
            self.rounds,
            formula,
            exploration,
            times,
            certified=certified,
            simulated=simulated,
        )


class FormulaBound(Bound):
    """A bound whose formula is written once, and read in doubles, balls and symbols."""

    @abstractmethod
    def formula(self, a: Arithmetic, of: Value) -> Value:
        """The bound from its quantities, an attribute of `of` each: `ingredients.quantities`."""

    def shown(self, given: Ingredients) -> str:
        """The formula with the numbers that went into it; by default without them."""
        return self.source

    def evaluate(self, given: Ingredients) -> RegretBound | None:
        value = float(self.formula(DOUBLES, given.reading(DoubleQuantities)))
        level = 1.0 - given.problem.delta if self.kind == "probability" else None
        return self.at(value, self.shown(given), level=level)

    def enclosed(self, given: Ingredients, bound: RegretBound) -> RegretBound:
        value = self.formula(BALLS, given.reading(EnclosedQuantities))
        outward = matrices.upward if self.direction == "upper" else matrices.downward
        rounded = outward(enclosure.ball(value))
        return replace(bound, value=rounded, certified=True)

    def symbolic(self) -> Value:
        """The formula as a term of sympy, in the letters of `ingredients.quantities`."""
        return self.formula(SYMBOLS, LETTERS)

    def latex(self) -> str:
        """The formula in LaTeX."""
        return latex(self.symbolic())


class SimulatedBound(Bound):
    """A bound whose number is found elsewhere, by simulation or search: what it is stands here."""

    def evaluate(self, given: Ingredients) -> RegretBound | None:
        return None
