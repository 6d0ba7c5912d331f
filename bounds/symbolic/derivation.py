"""Rates derived step by step: from the symbolic bound through the best block to the exponent.

The exponents of the two terms are read off the leading form of the bound; the regimes are the
vertices of the balance between them, by the same calculus as `bounds.rates`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import sympy

from bounds.errors import InvalidInput
from bounds.partitions.objectives import objective_named
from bounds.rates.exponents import RegimeTable, regimes, table_of
from bounds.rates.gain_rates import SpaceGainRate
from bounds.rates.lattice import BlockLine, C, formula
from bounds.rates.lattice import best_block as best_exponent
from bounds.rates.tables import KAPPA, expression, log_power
from bounds.rates.tables import latex as table_latex
from bounds.rates.tables import plain as table_plain
from bounds.sequences.derived import derived_regimes
from bounds.sequences.scaling import Scaling
from bounds.symbolic.blocks import LENGTH, best_block
from bounds.symbolic.families import BLOCK, Exponent, exponent
from bounds.symbolic.formula import Expression, Formula, Step, latex, symbol
from bounds.symbolic.gain import rate_of


@dataclass(frozen=True, eq=False)
class Derivation:
    """The way from a bound to the exponent of its regret.

    Attributes
    ----------
    bound : theorem1, additive or refined
    family : label of the family, or "every sequence of the same total time"
    steps : in order
    table : the regimes, exponents of regret; formulas in c where no c was given
    """

    bound: str
    family: str
    steps: tuple[Step, ...]
    table: RegimeTable

    @property
    def formula(self) -> Formula:
        """The exponent of the regret by the drift, as a case for each regime."""
        cases = [
            (expression(r.exponent), sympy.true if r.end is None else expression(r.end) >= KAPPA)
            for r in self.table.regimes
        ]
        said = ("regret is of order n to this power, up to logarithms", f"{self.family}")
        return Formula("exponent", sympy.Piecewise(*cases), said, self.steps)

    @property
    def text(self) -> str:
        """The steps as numbered lines, then the regimes."""
        lines = [f"{self.bound}, {self.family}"]
        for number, step in enumerate(self.steps, 1):
            lines.append(f"{number}. {step.text}")
            if step.expression is not None:
                lines.append(f"     {step.expression}")
        return "\n".join([*lines, "", table_plain(self.table)])

    @property
    def latex(self) -> str:
        """The steps as LaTeX text with displayed formulas, then the regimes."""
        lines = []
        for step in self.steps:
            lines.append(step.text.replace("_", r"\_").replace("^", r"\^{}") + ".")
            if step.expression is not None:
                lines.append(rf"\[ {latex(step.expression)} \]")
        return "\n".join([*lines, rf"\[ {table_latex(self.table)} \]"])

    def to_dict(self) -> dict[str, object]:
        """`bound`, `family` and what `Formula.to_dict` has of the exponent."""
        return {"bound": self.bound, "family": self.family, **self.formula.to_dict()}


def derive(
    bound: str, scaling: Scaling | None = None, rate: SpaceGainRate | None = None
) -> Derivation:
    """The rate of a bound, derived.

    Parameters
    ----------
    bound : "theorem1", "additive" or "refined"
    scaling : the family of sequences; None for what holds for every one of the same total time
    rate : of the gain; None for formulas in c (then without a family)

    Raises InvalidInput for a family without a number for c, and as `best_block` does.
    Cost: some seconds.

    >>> print(derive("refined").steps[5].expression)
    Eq(u, (kappa - 1)/(c - 2))
    """
    general = scaling is None or scaling.family in ("uniform", "exponential")
    if not general and rate is None:
        raise InvalidInput("c", "none", "give the exponent of the gain: a family needs a number")
    gain_line, drift_line, steps = _balance(bound)
    if general:
        nest = best_exponent(gain_line, drift_line, formula(Fraction(0)), formula(Fraction(1)))
        table = table_of(bound, C, nest)
        if rate is not None:
            # The same programme at the number, in fractions.
            table = regimes(bound, rate.c)
        label = "every sequence of the same total time" if scaling is None else scaling.label
        block, value = constant(bound)
        steps = (
            *steps,
            Step("with constants, gain(m) = gain_slope*m^c: the best block of even times", block),
            Step("and the bound on the gain, between the ends", value),
        )
    else:
        assert scaling is not None and rate is not None
        table = derived_regimes(scaling, rate.c, bound)
        label = scaling.label
        best = best_block(bound)
        derived = exponent(scaling, bound, best.growth, constant(bound))
        c = sympy.Rational(rate.c)
        steps = (*steps, *_of_family(derived, c))
    return Derivation(bound, label, (*steps, *_ends(table, rate)), table)


@cache
def constant(bound: str) -> tuple[Expression, Expression]:
    """(best block, bound on γ̃_n) for γ_m = a·m^c and evenly spread times, between the caps.

    To leading order: a is `gain_slope`, the constant of the gain. The regret is the square root of
    8/log(1+1/σ²)·β_n·n times it.

    >>> block, bound = constant("refined")
    >>> sympy.simplify(block.subs(symbol("c"), 0))
    2*sqrt(gain_slope)*sqrt(n)*sqrt(noise_variance)*sqrt(1/(T*theta))
    """
    best = best_block(bound)
    c, a, n = symbol("c"), symbol("gain_slope"), symbol("n")
    A, growth = best.coefficient, best.growth
    length = ((1 - c) * a / (A * growth)) ** (1 / (growth + 1 - c))
    value = n * (a * length ** (c - 1) + A * length**growth)
    return sympy.powsimp(length), sympy.powsimp(value)


def _balance(bound: str) -> tuple[BlockLine, BlockLine, tuple[Step, ...]]:
    """The exponents of gain and drift per round, read off the leading form."""
    best = best_block(bound)
    drift = best.coefficient * LENGTH**best.growth
    rate = rate_of(objective_named(bound))
    n, T = symbol("n"), symbol("T")
    # n^κ for the drift θT, n^u for M; the constants do not count.
    size = sympy.Symbol("n", positive=True)
    scaled = drift.subs({LENGTH: size**BLOCK, n: size, T: size**KAPPA, rate: 1})
    exponent = sympy.expand(
        sympy.limit(
            sympy.expand_log(sympy.log(scaled), force=True) / sympy.log(size), size, sympy.oo
        )
    )
    gain = sympy.expand((C - 1) * BLOCK)
    root = sympy.solve(sympy.Eq(gain, exponent), BLOCK)[0]
    q, w = sympy.symbols("q w", real=True)
    logs = sympy.Tuple(q + (C - 1) * w, best.growth * w)
    log_root = sympy.factor(sympy.solve(sympy.Eq(*logs), w)[0])
    lines = sympy.Poly(exponent, BLOCK, KAPPA)
    constant_, block, slope = (
        formula(Fraction(int(q.p), int(q.q)))
        for q in (lines.coeff_monomial(m) for m in (1, BLOCK, KAPPA))
    )
    zero, one = formula(Fraction(0)), formula(Fraction(1))
    steps = (
        *best.steps[:4],
        Step(
            f"with {rate}*T = n^kappa, M = n^u and gain(m) = m^c the terms are n to the powers",
            sympy.Tuple(gain, exponent),
        ),
        Step("balance: they are the same at", sympy.Eq(BLOCK, sympy.factor(root))),
        Step("where the gain per round, n to the power", sympy.factor(gain.subs(BLOCK, root))),
        Step(
            "u >= 1: one block of n rounds, where kappa is at most",
            sympy.factor(sympy.solve(sympy.Eq(root, 1), KAPPA)[0]),
        ),
        Step(
            "u <= 0: single points, the trivial bound, where kappa is at least",
            sympy.factor(sympy.solve(sympy.Eq(root, 0), KAPPA)[0]),
        ),
        Step(
            "logarithms: with gain(m) = m^c*log(m)^q and M = n^u*log(n)^w the terms are log(n) to "
            "the powers",
            logs,
        ),
        Step("they are the same at", sympy.Eq(w, log_root)),
        Step(
            "where both are log(n) to the power (q for one block, 0 for single points)",
            sympy.factor(best.growth * log_root),
        ),
    )
    return BlockLine(zero, formula(C - 1), zero, one), BlockLine(constant_, block, slope), steps


def _of_family(derived: Exponent, c: Expression) -> tuple[Step, ...]:
    """The steps of a family, its exponent at the numbers, and the constants in front."""
    named = ", ".join(f"{letter} = {number}" for letter, number in derived.numbers.items())
    front = "the constants in front" + ("" if derived.front is not None else ": no exact ones here")
    return (
        Step("this family:"),
        *derived.steps,
        Step("the bound per round is n to the power, at most 0", sympy.Min(0, derived.value)),
        Step(f"with c = {c}" + (f", {named}" if named else ""), derived.at(c)),
        Step(front, derived.front),
    )


def _ends(table: RegimeTable, rate: SpaceGainRate | None) -> tuple[Step, ...]:
    """From the gain to the regret: the root, the regimes, their ends and their logarithms."""
    steps = [
        Step("regret <= sqrt(8/log(1 + 1/noise_variance)*beta_n*n*gain): half the power, and 1")
    ]
    for regime in table.regimes:
        low = "-oo" if regime.start is None else str(expression(regime.start))
        high = "oo" if regime.end is None else str(expression(regime.end))
        text = f"kappa from {low} to {high}: regret n to the power"
        power = None if rate is None else log_power(regime, rate)
        if power is not None:
            text = f"kappa from {low} to {high}: log(n)^({expression(power)}) times n to the power"
        steps.append(Step(text, expression(regime.exponent)))
    said = "the regimes agree where they meet" if table.continuous else "the regimes do not meet"
    return (*steps, Step(said))
