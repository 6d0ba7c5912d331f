"""IRGP-UCB as published: Takeno et al. 2023 (arXiv 2302.01511)."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.regret.bound import FormulaBound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.upper.in_expectation.theorem_t import shown_variances


class PublishedIrgpUcb(FormulaBound):
    """√((2 + 2 log(|D|/2))·n·Σσ²) for the weight √(2 log(|D|/2) + χ²_2); 0 for one point."""

    name = "irgp_ucb"
    title = "IRGP-UCB as published"
    source = "√((2 + 2 log(|D|/2))·n·Σσ²)"
    direction = "upper"
    covers = (("irgp-ucb", ""),)
    kind = "mean"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        if of.size == 1:
            return a.number(0)
        return a.sqrt((2 + 2 * a.log(of.size / a.number(2))) * of.n * of.variances)

    def shown(self, given: Ingredients) -> str:
        return f"{self.source}, {shown_variances(given)}"
