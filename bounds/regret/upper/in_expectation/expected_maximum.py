"""What m* says of a mean: n·m* where play has a mean of at least 0, the sandwich of any policy."""

from __future__ import annotations

from dataclasses import replace

from bounds.arithmetic import Arithmetic, Value
from bounds.numerics.rounding import at_most
from bounds.regret.bound import FormulaBound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.regret_bound import RegretBound
from bounds.regret.upper.in_probability.tail import shown_bracket


class ExpectedMaximumBound(FormulaBound):
    """n·m*."""

    name = "expected_maximum"
    title = "expected maximum"
    source = "n·m*"
    direction = "upper"
    covers = (("ts", ""), ("posterior-mean", ""))
    kind = "mean"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return of.n * of.maximum

    def shown(self, given: Ingredients) -> str:
        return f"{self.source}, m* ≤ {at_most(given.maximum.upper)}"

    def evaluate(self, given: Ingredients) -> RegretBound | None:
        bound = super().evaluate(given)
        if bound is None or given.level is None:
            return bound
        return replace(bound, level=given.level, simulated=True)


class SandwichUpper(FormulaBound):
    """m*·Σ(1 + a_i), a_i² the share of the variance that f at the earlier times explains."""

    name = "sandwich_upper"
    title = "bracket around n·m*, upper side"
    source = "m*·Σ(1 + a_i)"
    direction = "upper"
    kind = "mean"
    of_mean_zero = True

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return of.maximum * (of.n + of.explained)

    def shown(self, given: Ingredients) -> str:
        return f"{self.source}, {shown_bracket(given)}"
