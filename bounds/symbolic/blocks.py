"""The best length of equal blocks, for evenly spread times: where gain and drift are in balance.

For blocks of M rounds that divide n, far from every cap, the bound on the gain per round is
γ_M/M + A·M^ρ to leading order in M; A and ρ are found from the formula of the drift. Its derivative
vanishes once: it falls before and rises after, so the ends win where the root is outside [1, n].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import sympy

from bounds.arithmetic import SYMBOLS
from bounds.partitions.objectives import objective_named
from bounds.partitions.objectives.uniform import UniformityObjective
from bounds.symbolic.formula import Expression, Formula, Step, symbol
from bounds.symbolic.gain import GAINS, gain_form, rate_of
from bounds.symbolic.uniformity import uniformity

LENGTH = sympy.Symbol("M", positive=True)
"""M as a real number."""


@dataclass(frozen=True, eq=False)
class BestBlock:
    """The best equal blocks of a bound, for evenly spread times.

    Attributes
    ----------
    objective, gain : names
    coefficient, growth : A and ρ of the leading form γ_M/M + A·M^ρ
    equation : where the derivative by M vanishes, whose root is the best length
    length : the root as an expression; None where there is no closed one
    one_block, singletons : conditions under which one block of n rounds, or single points, win;
        for the forms of γ that are 0 at 1, single points are compared with the root M
    steps : the derivation, with the root for a small drift and the next order in 1/M
    """

    objective: str
    gain: str
    coefficient: Expression
    growth: Expression
    equation: Expression
    length: Expression | None
    one_block: Expression
    singletons: Expression
    steps: tuple[Step, ...]

    @property
    def formula(self) -> Formula:
        """The length as a formula, or the equation that it solves."""
        shown = self.equation if self.length is None else self.length
        said = (
            "evenly spread times, blocks that divide n, no distance beyond the cap",
            "to leading order in M, for a drift per round that is small",
            GAINS[self.gain][1],
            f"one block wins where {self.one_block}",
            f"single points win where {self.singletons}",
        )
        name = "best block equation" if self.length is None else "best block"
        return Formula(f"{name} of {self.objective}", shown, said, self.steps)


@cache
def best_block(objective: str, gain: str = "function") -> BestBlock:
    """The best length of equal blocks for "theorem1", "additive" or "refined".

    Parameters
    ----------
    gain : a key of `bounds.symbolic.gain.GAINS`; closed for "line" and "power", an equation else

    >>> best_block("refined", "line").length
    2*sqrt(gain_intercept)*sqrt(n)*sqrt(noise_variance)/(sqrt(T)*sqrt(theta))
    """
    price = gain_form(gain)
    drift, exact = drift_per_round(objective)
    coefficient, growth = leading_power(drift)
    leading = price(LENGTH) / LENGTH + coefficient * LENGTH**growth
    slope = sympy.diff(leading, LENGTH)
    equation = sympy.Eq(sympy.simplify(LENGTH**2 * slope), 0)
    length = _root(gain, coefficient, growth)
    n = symbol("n")
    # The slope at an end has the sign that says whether the root lies beyond it.
    one_block = sympy.simplify(LENGTH**2 * slope).subs(LENGTH, n) <= 0
    if gain in ("log", "power"):
        # Their γ_1 = 0 is no price: single points cost the trivial bound, and M is the root here.
        singletons = sympy.log(1 + 1 / symbol("noise_variance")) / 2 <= leading
    else:
        singletons = sympy.simplify(LENGTH**2 * slope).subs(LENGTH, 1).doit() >= 0
    # What the leading form leaves of the drift moves the root by one step of Newton's method.
    rest, fall = leading_power(sympy.simplify(drift - coefficient * LENGTH**growth))
    missing = LENGTH**2 * sympy.diff(rest * LENGTH**fall, LENGTH)
    turn = sympy.diff(LENGTH**2 * slope, LENGTH)
    correction = -missing / turn
    if gain == "line":  # the others only grow
        correction = sympy.simplify(correction)
    small = length if gain == "line" else _small_drift(gain, coefficient, growth)
    steps = (
        Step("drift per round of a block of M rounds, where no cap is reached", exact),
        Step("for a small drift", drift),
        Step("its leading term as M grows", coefficient * LENGTH**growth),
        Step("with the gain, the bound per round", leading),
        Step("its derivative by M, times M^2, vanishes", equation),
        *(() if length is None else (Step("solved for M", length),)),
        *(() if small is None else (Step("as the drift goes to 0, M approaches", small),)),
        Step("one block wins", one_block),
        Step("single points win", singletons),
        Step("to the next order, add to the root M", correction),
    )
    return BestBlock(
        objective,
        gain,
        coefficient,
        growth,
        equation,
        length,
        one_block,
        singletons,
        steps,
    )


@cache
def drift_per_round(objective: str) -> tuple[Expression, Expression]:
    """(linear, exact) drift per round of a block of M evenly spread rounds, no cap reached.

    The exact one is concave in the drift, and the linear one its tangent at 0, above it.
    """
    n, T, i, noise = (symbol(name) for name in ("n", "T", "i", "noise_variance"))
    form = objective_named(objective)
    if not isinstance(form, UniformityObjective):
        r = sympy.Symbol("r", integer=True)
        theta = symbol("theta")
        # 1 − k² ≤ 2θr for the (M−1)/2 rounds on either side of the middle one.
        half = (LENGTH - 1) / 2
        variance = 2 * theta * r * T / n
        linear = 2 * sympy.summation(variance / noise / 2, (r, 1, half)) / LENGTH
        exact = 2 * sympy.Sum(sympy.log(1 + variance / noise) / 2, (r, 1, half)) / LENGTH
        return sympy.factor(linear), exact
    C = uniformity("uniform", capped=False).expression.subs(i, LENGTH)
    x = rate_of(form) * sympy.sqrt(sympy.factor(C / LENGTH)) / noise
    return x / 2, form.near_growth(SYMBOLS, x) / 2


@cache
def leading_power(drift: Expression) -> tuple[Expression, Expression]:
    """A and ρ with drift ~ A·M^ρ as M grows, by sympy's limits."""
    growth = sympy.limit(LENGTH * sympy.diff(drift, LENGTH) / drift, LENGTH, sympy.oo)
    return sympy.simplify(sympy.limit(drift / LENGTH**growth, LENGTH, sympy.oo)), growth


def _root(gain: str, coefficient: Expression, growth: Expression) -> Expression | None:
    """The root of the derivative where it has a closed form."""
    if gain == "line":
        # −intercept/M² + Aρ·M^{ρ−1} = 0.
        ratio = symbol("gain_intercept") / (coefficient * growth)
        return sympy.powsimp(sympy.powdenest(ratio ** (1 / (growth + 1)), force=True))
    if gain == "power":
        # (1 − (1−c)·log M) + Aρ·M^{ρ+1−c} = 0; with y = log M the branch −1 of Lambert's W.
        c = symbol("c")
        rise = growth + 1 - c
        inside = -coefficient * growth * rise / (1 - c) * sympy.exp(rise / (1 - c))
        return sympy.exp(1 / (1 - c) - sympy.LambertW(inside, -1) / rise)
    return None


def _small_drift(gain: str, coefficient: Expression, growth: Expression) -> Expression | None:
    """What the root approaches as A → 0: the equation solved with log M found by two steps.

    AρM^{ρ+1} = log^d M (log M − d − 1), or AρM^{ρ+1−c} = (1−c) log M − 1: log M is of the order of
    log(1/(Aρ)) at first, and of that of the right side at this order then.
    """
    size = coefficient * growth
    if gain == "log":
        d, root = symbol("d"), growth + 1
        first = sympy.log(1 / size) / root
        second = first + (d + 1) * sympy.log(first) / root
        return (second**d * (second - d - 1) / size) ** (1 / root)
    if gain == "power":
        c = symbol("c")
        root = growth + 1 - c
        first = sympy.log(1 / size) / root
        second = first + sympy.log((1 - c) * first) / root
        return (((1 - c) * second - 1) / size) ** (1 / root)
    return None
