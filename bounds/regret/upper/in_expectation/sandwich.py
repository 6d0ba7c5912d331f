"""The upper side of the sandwich: the regret of every policy in expectation."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.regret.bound import FormulaBound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.upper.in_probability.tail import shown_bracket


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
