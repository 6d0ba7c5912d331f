"""The tail of the sum of ranges: what no policy exceeds, by the inequality of Borell and TIS."""

from __future__ import annotations

from bounds.arithmetic import Arithmetic, Value
from bounds.numerics.rounding import at_least, at_most
from bounds.regret.bound import CTV_FIXED, FormulaBound
from bounds.regret.ingredients.ingredients import Ingredients


class RangeTail(FormulaBound):
    """2m*n + √(2v log(1/δ)), v = 2(1+κ)·1ᵀ|J|1 (docs/theory.md#sandwich)."""

    name = "tail"
    title = "concentration of the range"
    source = "2m*n + √(4 log(1/δ)·1ᵀJ1)"
    direction = "upper"
    kind = "probability"
    hypotheses = "k_space, k_time >= 0"
    of_mean_zero = True

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return range_tail(a, of)

    def shown(self, given: Ingredients) -> str:
        return f"{self.source}, {shown_bracket(given)}"


class EnvelopeOrTail(FormulaBound):
    """The smaller of two numbers that are known before the run: no union over them is needed."""

    name = "theory_smallest"
    title = "noise inflation or concentration"
    source = "the smaller of noise inflation and concentration, both known before the run"
    direction = "upper"
    covers = (CTV_FIXED,)
    kind = "probability"
    of_mean_zero = True

    def formula(self, a: Arithmetic, of: Value) -> Value:
        return a.least(2 * a.sqrt(of.beta) * of.deviations, range_tail(a, of))


def range_tail(a: Arithmetic, of: Value) -> Value:
    """What the sum of ranges exceeds with probability δ at most."""
    return 2 * of.maximum * of.n + a.sqrt(2 * of.range_variance * a.log(1 / of.delta))


def shown_bracket(given: Ingredients) -> str:
    """Both sides of m*, in a source."""
    return f"m* in [{at_least(given.maximum.lower)}, {at_most(given.maximum.upper)}]"
