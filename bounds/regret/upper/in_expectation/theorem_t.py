"""Theorem T: Thompson sampling, and UCB with a random weight, without β."""

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


def shown_variances(given: Ingredients) -> str:
    """The bound on Σσ², in a source."""
    problem = given.problem
    bound = variance_bound(problem.n, problem.noise_variance, given.gains)
    return f"Σσ² ≤ {at_most(bound)}"
