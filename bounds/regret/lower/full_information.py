"""Theorem F as a bound: the regret of a player who sees every point every round, with noise."""

from __future__ import annotations

from bounds.numerics.rounding import at_least
from bounds.regret.bound import Bound
from bounds.regret.ingredients.full_information import determinant_floor
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.regret_bound import RegretBound

_DOWN = 1.0 - 2.0**-49


class FullInformationFloor(Bound):
    """m*·Σ(1 − √(1−p_i)), p_i the share of the variance that noisy looks at one point leave."""

    name = "full-information"
    title = "Theorem F"
    source = "m*·Σ(1 − √(1−p_i))"
    direction = "lower"
    kind = "mean"

    def evaluate(self, given: Ingredients) -> RegretBound:
        least, (_, left) = given.least, given.information[-1]
        return self.at(
            left.total() * least.value * _DOWN,
            f"{self.source}, {shown_information(given)}",
            certified=given.information[0][1].certified and least.certified,
            level=least.level,
            simulated=least.level is not None,
        )


def shown_information(given: Ingredients) -> str:
    """The noise of the looks, the floor by one determinant, and m*, in a source."""
    least, (_, left), (common, further) = given.least, given.information[0], given.information[-1]
    noise = f"σ² = {given.problem.noise_variance:.4g}"
    if common:
        noise = f"σ²/(1−c) = {further.noise_variance:.4g}, the common part told"
    determinant = at_least(determinant_floor(left) * least.value)
    return f"{noise}, by one determinant {determinant}, {shown_maximum(given)}"


def shown_maximum(given: Ingredients) -> str:
    """The lower bound on m*, in a source."""
    return f"m* ≥ {at_least(given.least.value)} ({given.least.source})"
