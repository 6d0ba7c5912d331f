"""The lower side of the sandwich: a player who knows f itself up to the round before."""

from __future__ import annotations

from bounds.regret.bound import Bound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.lower.full_information import shown_maximum
from bounds.regret.regret_bound import RegretBound

_DOWN = 1.0 - 2.0**-49


class SandwichFloor(Bound):
    """m*·Σ(1 − a_i), a_i² the share of the variance that f at the earlier times explains."""

    name = "sandwich"
    title = "bracket around n·m*, lower side"
    source = "m*·Σ(1 − a_i)"
    direction = "lower"
    kind = "mean"

    def evaluate(self, given: Ingredients) -> RegretBound:
        least, quiet = given.least, given.without_noise
        return self.at(
            quiet.total() * least.value * _DOWN,
            f"{self.source}, {shown_maximum(given)}",
            certified=quiet.certified and least.certified,
            level=least.level,
            simulated=least.level is not None,
        )
