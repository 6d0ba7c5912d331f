"""The margin bound: on the confidence event a round costs nothing, or at least the margin."""

from __future__ import annotations

from math import exp

from bounds.arithmetic import Arithmetic, Value
from bounds.regret.bound import CTV_FIXED, FormulaBound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.quantities import DoubleQuantities
from bounds.regret.upper.in_expectation.theorem_m import own_gain_failure

MOST_POINTS = 2_000
"""Points up to which K is inverted for the margin."""


class MarginBound(FormulaBound):
    """nη·min(κη, 1) + C₁β_nγ̂/η + δ·(2m*n + √(2v log(1/δ))) at the best η, or 2m*n.

    No policy loses more than 2m* a round in expectation: docs/theory.md#margin and #sandwich.
    """

    name = "margin"
    title = "margin of the best point"
    source = "nηM(η) + C₁βγ̂/η + E[R; fails]"
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "mean"
    of_mean_zero = True

    def formula(self, a: Arithmetic, of: Value) -> Value:
        from bounds.regret.ingredients.margin import margin_price

        ranges = 2 * of.maximum * of.n + a.sqrt(2 * of.own_range_variance * a.log(1 / of.delta))
        near = of.n * of.margin * a.least(of.ties * of.margin, 1)
        value = near + margin_price(a, of) / of.margin + of.delta * ranges
        return a.least(value, 2 * of.n * of.maximum)

    def failure(self, given: Ingredients) -> str:
        if given.problem.delta > exp(-0.5):
            return f"delta = {given.problem.delta:g}: at most 0.606"
        if given.size > MOST_POINTS:
            return f"points = {given.size}: at most {MOST_POINTS}"
        return own_gain_failure(given)

    def shown(self, given: Ingredients) -> str:
        of = given.reading(DoubleQuantities)
        return f"{self.source}, η = {of.margin:.3g}, κ = {of.ties:.3g}"
