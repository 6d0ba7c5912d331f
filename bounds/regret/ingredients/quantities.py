"""The quantities of bounds on regret in doubles, and the letters that stand for them."""

from __future__ import annotations

from functools import cached_property
from math import sqrt

import numpy as np

from bounds.arithmetic import DOUBLES, Letters, Value
from bounds.confidence.schedules import finite_domain_beta
from bounds.formulas import tail_mean
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.noise_inflation import variance_bound
from bounds.regret.ingredients.ranges import explained_shares, range_variance
from bounds.regret.ingredients.rare_events import isoperimetric


class DoubleQuantities:
    """Every quantity of a formula in floating point; upper bounds where they are no exact numbers.

    n, size : rounds, and points |D|
    """

    def __init__(self, given: Ingredients) -> None:
        self._given, self._problem = given, given.problem
        self.n, self.size = given.problem.n, given.size
        self.delta, self.noise = given.problem.delta, given.problem.noise_variance

    @cached_property
    def beta(self) -> float:
        """β_n of the finite domain."""
        return float(finite_domain_beta(self.n, self.size, self.delta))

    @property
    def gains(self) -> tuple[tuple[float, float], ...]:
        """Pairs (σ'², γ̂)."""
        return self._given.gains

    @property
    def deviations(self) -> float:
        """Σσ_{i−1} of every design."""
        return self._given.deviations.value

    @property
    def mean_deviation(self) -> float:
        """The same for one round, on average; at most 1."""
        return min(self.deviations / self.n, 1.0)

    @cached_property
    def variances(self) -> float:
        """Σσ²_{i−1} of every design."""
        return variance_bound(self.n, self.noise, self.gains)

    @cached_property
    def gain(self) -> float:
        """γ̂ ≥ γ̃_n at σ² itself."""
        return min(gain for noise, gain in self.gains if noise == self.noise)

    @property
    def maximum(self) -> float:
        """m*."""
        return self._given.maximum.upper

    @cached_property
    def explained(self) -> float:
        """Σ a_i."""
        return float(np.sum(explained_shares(self._problem.times, self._problem.time_kernel)))

    @cached_property
    def range_variance(self) -> float:
        """2(1+κ)·1ᵀ|J|1, κ = 1 where k_space may be negative."""
        negative = 0.0 if self._problem.space_kernel.is_nonnegative else 1.0
        return range_variance(self._problem.times, self._problem.time_kernel, negative=negative)

    @cached_property
    def own_range_variance(self) -> float:
        """The same, κ from the domain's own correlations."""
        negative = max(0.0, -float(self._given.correlations.min()))
        return range_variance(self._problem.times, self._problem.time_kernel, negative=negative)

    def rare_event_mean(self, p: float) -> float:
        """I(p/|D|): the largest mean of a standard normal variable on an event, times its p/|D|."""
        return 0.0 if self.size == 1 else isoperimetric(p / self.size)

    @property
    def exploration(self) -> float:
        """√b of constant exploration."""
        return sqrt(self._given.explored.b)

    @property
    def exploration_tail(self) -> float:
        """G(√b)."""
        return float(tail_mean(DOUBLES, self.exploration))

    @property
    def supremum(self) -> float:
        """T(b); 0 for one point."""
        supremum = self._given.explored.supremum
        return 0.0 if supremum is None else supremum.upper

    @cached_property
    def ties(self) -> float:
        """κ with M(η) ≤ κη, M(η) the probability of two largest values within η."""
        from bounds.regret.ingredients.margin import margin_rate

        return margin_rate(self._given.correlations)

    @cached_property
    def margin(self) -> float:
        """η."""
        from bounds.regret.ingredients.margin import best_margin, margin_price

        return best_margin(self.n, margin_price(DOUBLES, self), self.ties)


class _RegretLetters(Letters):
    @property
    def gains(self) -> tuple[tuple[Value, Value], ...]:
        """One pair (σ'², γ̂) of letters, for the pairs that are known."""
        return ((self.noise, self.gain),)

    def rare_event_mean(self, p: Value) -> Value:
        """I(p/|D|) as a function that is not written out."""
        import sympy

        return sympy.Function("I")(p / self.size)


LETTERS = _RegretLetters(
    size="D",
    noise="sigma2",
    deviations="S",
    variances="V",
    maximum="m",
    explained="a",
    range_variance="v",
    own_range_variance="v",
    ties="kappa",
    margin="eta",
    exploration="sqrt_b",
    exploration_tail="G",
    supremum="T_b",
    mean_deviation="S_mean",
)
"""The letters of the formulas."""
