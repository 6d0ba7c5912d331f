"""Lower bounds that know that arms must be looked at one by one: what each is, and when it holds.

The games that they come from are loaded where one of them is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bounds.domain import Arms
from bounds.kernels import Kernel
from bounds.numerics.rounding import at_least
from bounds.problem import Problem
from bounds.regret.bound import Bound, SimulatedBound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.regret_bound import RegretBound

if TYPE_CHECKING:
    from bounds.regret.lower.prices import Priced

LONGEST_ROW = 130
"""Rounds up to which the lower side is computed without being asked for."""


def _failure_of_time(kernel: Kernel) -> str:
    """Why games of single arms do not hold for a time kernel; empty where they do."""
    if kernel.is_markov and kernel.is_nonnegative:
        return ""
    return f"time-kernel = {kernel.name}: a Markov one with k_time >= 0 is needed"


class OneArmFloor(SimulatedBound):
    """Σ_x E V_x, the games of single arms; `simulation.before_run.one_arm` finds its number."""

    name = "one-arm"
    title = "Theorem G"
    source = "Σ_x E V_x over the games of single arms"
    direction = "lower"
    kind = "mean"


class PriceFloor(Bound):
    """Σ_i (E M_i − λ_i) − K·V(λ): of independent arms the player keeps all but one.

    Looks are exact, or with the problem's own noise where that shows: the larger is taken.
    """

    name = "prices"
    title = "Theorem L"
    source = "Σ(E M_i − λ_i) − K·V(λ)"
    direction = "lower"
    kind = "mean"
    hypotheses = "independent arms"

    def failure(self, given: Ingredients) -> str:
        if not isinstance(given.problem.domain, Arms):
            return "domain: independent arms are needed"
        return _failure_of_time(given.problem.time_kernel)

    def evaluate(self, given: Ingredients) -> RegretBound:
        from bounds.regret.lower.prices import best_prices, mean_of_largest, steady_price

        problem, arms, kernel = given.problem, given.problem.domain, given.problem.time_kernel
        assert isinstance(arms, Arms)
        means = [0.0] * arms.count
        priced = best_prices(problem.times, kernel, means, problem.noise_variance)
        # Prices that prove nothing for the first rounds have no rate either.
        least, exact = mean_of_largest(tuple(means)), problem.times.exact
        steady = steady_price(exact, kernel, arms.count, least) if priced.value else None
        if steady is not None and steady.at(problem.n) > priced.value:
            return self.at(
                steady.at(problem.n),
                f"n(E M − λ − K·g) − K·(E h − λ)₊, λ = {steady.price:.4g}, for every n at equal "
                f"waits, E M ≥ {at_least(least)}",
                certified=True,
            )
        return self._searched(problem, priced)

    def with_means(self, problem: Problem, means: Sequence[float]) -> RegretBound | None:
        """The row where each arm has a known mean; None where prices are not for this problem."""
        from bounds.regret.lower.prices import best_prices

        arms, kernel = problem.domain, problem.time_kernel
        if not isinstance(arms, Arms) or _failure_of_time(kernel):
            return None
        priced = best_prices(problem.times, kernel, means, problem.noise_variance)
        return self._searched(problem, priced, "its mean m(x) is known")

    def _searched(self, problem: Problem, priced: Priced, also: str = "") -> RegretBound:
        kind = "one price" if priced.is_constant else "a price for each round"
        if len(priced.values) > 1:
            kind += f", {len(priced.values)} blocks"
        if len(priced.prices) < problem.n:
            few = len(priced.prices)
            kind += f", the first {few} rounds alone" if few > 1 else ", the first round alone"
        return self.at(
            priced.value,
            f"Σ(E M_i − λ_i) − K·V(λ), {kind}, E M ≥ {at_least(priced.maximum)}",
            certified=True,
            also=also,
        )


class PathPriceFloor(SimulatedBound):
    """E[Σψ − ΣV]; `simulation.before_run.path_prices` finds its number."""

    name = "path-prices"
    title = "Theorem P"
    source = "E[Σψ − ΣV], prices that follow the path"
    direction = "lower"
    kind = "mean"
    hypotheses = "finite domain"


class TwoArmsFloor(Bound):
    """n·E M less the most that exact looks can earn: the least regret itself, from below."""

    name = "two-arms"
    title = "two arms"
    source = "n·E M less what exact looks can earn"
    direction = "lower"
    kind = "mean"
    hypotheses = "two independent arms"

    def failure(self, given: Ingredients) -> str:
        problem = given.problem
        if not (isinstance(problem.domain, Arms) and problem.domain.count == 2):
            return "domain: two independent arms are needed"
        if reason := _failure_of_time(problem.time_kernel):
            return reason
        if problem.n > LONGEST_ROW:
            return f"n = {problem.n}: solved up to {LONGEST_ROW} rounds"
        return ""

    def evaluate(self, given: Ingredients) -> RegretBound:
        from bounds.regret.lower.least_regret import lower_side
        from bounds.regret.lower.prices import mean_of_largest

        problem = given.problem
        kept = 41 if problem.n <= 60 else 25
        value = lower_side(problem.times, problem.time_kernel, kept=kept)
        largest = at_least(mean_of_largest((0.0, 0.0)))
        return self.at(
            max(value, 0.0),
            f"n·E M less what exact looks can earn, {kept} knots, E M ≥ {largest}",
            certified=True,
        )
