"""Thompson sampling and UCB with a random weight, without β: Theorem T and Takeno et al. 2023."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.numerics.rounding import at_most
from bounds.regret.bound import FormulaBound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.noise_inflation import variance_bound


class TheoremT(FormulaBound):
    """n·|D|·I(S̄/|D|), I(p) the largest mean of a normal variable on an event, times p."""

    name = "theorem_t"
    title = "Theorem T"
    source = "n·|D|·I(S̄/|D|)"
    direction = "upper"
    covers = (("ts", ""), ("random-weight-ucb", ""))
    kind = "mean"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return of.n * of.size * of.rare_event_mean(of.mean_deviation)

    def shown(self, given: Ingredients) -> str:
        mean = given.deviations.value / given.problem.n
        return f"{self.source}, S̄ ≤ {at_most(mean, 3)}, |D| = {given.size}"


class TheoremTByVariances(FormulaBound):
    """|D|·I(1/|D|)·√(n·Σσ²), for Thompson sampling alone."""

    name = "theorem_t_variances"
    title = "Theorem T by variances"
    source = "|D|·I(1/|D|)·√(n·Σσ²)"
    direction = "upper"
    covers = (("ts", ""),)
    kind = "mean"

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return of.size * of.rare_event_mean(1) * a.sqrt(of.n * of.variances)

    def shown(self, given: Ingredients) -> str:
        return f"{self.source}, {shown_variances(given)}"


class PublishedIrgpUcb(FormulaBound):
    """√((2 + 2 log(|D|/2))·n·Σσ²) for the weight √(2 log(|D|/2) + χ²_2); 0 for one point.

    Takeno et al. 2023 (arXiv 2302.01511).
    """

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


def shown_variances(given: Ingredients) -> str:
    """The bound on Σσ², in a source."""
    problem = given.problem
    bound = variance_bound(problem.n, problem.noise_variance, given.gains)
    return f"Σσ² ≤ {at_most(bound)}"
