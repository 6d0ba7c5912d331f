"""Lemma SF and (U) of Theorem I3: ceilings of a schedule by increments, without simulation.

Of the policy `block-schedule`, which plays the schedule with the smallest ceiling by Lemma SF; that
of (U)'s own schedule is below (U). And of `greedy-blocks`, which knows the times up to its round
alone and is one policy for every n. See docs/theory.md#lemma-sf, #theorem-i3 and #greedy-blocks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bounds import enclosure
from bounds.enclosure import matrices
from bounds.regret.bound import Bound
from bounds.regret.ingredients.enclosed import EnclosedQuantities
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.schedules.schedule import UNASKED, affordable
from bounds.regret.regret_bound import RegretBound

if TYPE_CHECKING:
    from bounds.regret.ingredients.schedules.increments import IncrementsCeiling


class _OfIncrements(Bound):
    direction = "upper"
    covers = (("block-schedule", ""),)
    kind = "mean"
    hypotheses = "times known beforehand, a Markov time kernel"
    of_mean_zero = True

    def failure(self, given: Ingredients) -> str:
        problem = given.problem
        if not problem.time_kernel.is_markov:
            return f"time-kernel = {problem.time_kernel.name}: a Markov one is needed"
        if not affordable(problem):
            return f"points = {given.size}: at least 2, with pairs × rounds up to {UNASKED:,}"
        return ""


class LemmaSF(_OfIncrements):
    """m*·[n − Σ_k √(1−p_k)·w_k], p_k what look k leaves of the variance of any difference."""

    name = "lemma_sf"
    title = "Lemma SF"
    source = "m*·[n − Σ_k √(1−p_k)·w_k]"

    def evaluate(self, given: Ingredients) -> RegretBound | None:
        ceiling = self.schedule(given)
        return self.at(ceiling.value * given.maximum.upper, f"{self.source}, {ceiling.rule}")

    def enclosed(self, given: Ingredients, bound: RegretBound) -> RegretBound:
        from bounds.regret.ingredients.schedules.increments import enclosed_ceiling

        quantities = given.reading(EnclosedQuantities)
        schedule = self.schedule(given).schedule
        value = quantities.maximum * enclosure.ball(enclosed_ceiling(given.problem, schedule))
        return replace(bound, value=matrices.upward(value), certified=True)

    def schedule(self, given: Ingredients) -> IncrementsCeiling:
        """The schedule that the policy plays, with its ceiling in units of m*."""
        return given.reading(_least)


class GreedyBlocks(LemmaSF):
    """The same of a schedule that no later round changes, so that one policy has it at every n."""

    name = "lemma_sf_greedy"
    title = "Lemma SF, greedy blocks"
    covers = (("greedy-blocks", ""),)
    rounds = "all n"
    hypotheses = "a Markov time kernel"

    def schedule(self, given: Ingredients) -> IncrementsCeiling:
        return given.reading(_greedy)


class TheoremI3(_OfIncrements):
    """(U) at the partition where it is smallest; n·m* where no partition has less."""

    name = "theorem_i3"
    title = "Theorem I3"
    source = "m*·Σ_B min{|B|, r + 1 + 4√2·Λσ√(r|B|) + 2A²|B| + 2Λ²ΣV}"

    def evaluate(self, given: Ingredients) -> RegretBound | None:
        from bounds.regret.ingredients.schedules.increments import block_ceiling_of

        ceiling = block_ceiling_of(given.problem)
        if ceiling is None:
            return None
        design, blocks = ceiling.design, len(ceiling.partition)
        words = (
            f"{self.source}, r = {len(design.points)}, A = {design.error:.3g}, "
            f"Λ = {design.steepness:.3g}, {blocks} block{'' if blocks == 1 else 's'}"
        )
        return self.at(ceiling.value * given.maximum.upper, words)


def _least(given: Ingredients) -> IncrementsCeiling:
    from bounds.regret.ingredients.schedules.increments import least_ceiling

    return least_ceiling(given.problem)


def _greedy(given: Ingredients) -> IncrementsCeiling:
    from bounds.regret.ingredients.schedules.increments import greedy_ceiling

    return greedy_ceiling(given.problem)
