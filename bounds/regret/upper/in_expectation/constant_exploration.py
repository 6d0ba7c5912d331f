"""Constant exploration: one weight √b for all rounds, without a confidence parameter."""

from __future__ import annotations

from math import sqrt

from bounds.arithmetic import Arithmetic, Value
from bounds.numerics.rounding import at_most
from bounds.regret.bound import FormulaBound
from bounds.regret.ingredients.ingredients import Ingredients


class ConstantExploration(FormulaBound):
    """n(√b·S̄ + G(√b) + (|D|−1)T(b)) (docs/theory.md#constant-exploration).

    For Thompson sampling at the best b too, which that policy need not know.
    """

    name = "constant_exploration"
    title = "constant exploration"
    source = "n(√b·S̄ + G(√b) + (|D|−1)T(b))"
    direction = "upper"
    covers = (("ctv-fixed", "constant"), ("ts", ""))
    kind = "mean"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        first = of.n * of.exploration * of.mean_deviation + of.n * of.exploration_tail
        return first + of.n * (of.size - 1) * of.supremum

    def shown(self, given: Ingredients) -> str:
        explored, mean = given.explored, given.deviations.value / given.problem.n
        proved = explored.supremum
        supremum = "" if proved is None else f", T(b) ≤ {at_most(proved.upper, 3)} proved"
        return f"{self.source}, √b = {sqrt(explored.b):.3g}, S̄ ≤ {at_most(mean, 3)}{supremum}"
