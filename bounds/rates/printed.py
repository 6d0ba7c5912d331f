"""What Theorem 2 and its discussion print, and how it compares with what the argument derives.

Only this file transcribes. The printed rates are n^a (εT)^b or n(1 + (εT/n)^{1/2}); with εT = n^κ
each is n^{line in κ}. The derived ones come from `exponents`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import sympy

from bounds.rates.exponents import (
    Regime,
    RegimeTable,
    regimes,
    symbolic_regimes,
    table_of,
)
from bounds.rates.lattice import (
    Affine,
    Choice,
    Exact,
    Lattice,
    in_order,
    sign,
)

PRINTED_THRESHOLD = Fraction(-3, 2)
"""Theorem 2 (I) changes regime at εT = n^{−3/2} in (a) and in (b) alike, and at εT = n."""


@dataclass(frozen=True)
class Difference:
    """For κ in (start, end) the printed line is not the derived one.

    `sign` is −1 where the printed rate is smaller than the derived one, 1 where it is larger.
    """

    start: Exact | None
    end: Exact | None
    printed: Affine
    derived: Affine
    sign: int


@dataclass(frozen=True)
class EpsilonRate:
    """At unit steps the regret is Õ(n·ε^{exponent}) for n^{low} ≤ ε ≤ 1, sublinear in 1/ε.

    Attributes
    ----------
    name, source : the bound and where it is from
    exponent : formula in c
    low : log_n of the smallest ε at which the rate sets in; None where it has no such end
    direction : "upper" for bounds on regret, "limit" for what no bound of its form can beat,
        "lower" for lower bounds
    """

    name: str
    source: str
    exponent: Exact
    low: Exact | None
    direction: str = "upper"


def printed_uniform(c: Exact) -> RegimeTable:
    """Theorem 2 (I): (a) is c = 0, (b) any c. A table that may fail to be continuous or monotone.

    >>> from bounds.rates.lattice import C
    >>> printed_uniform(Fraction(0)).continuous, printed_uniform(C).monotone
    (True, False)
    """
    one, zero = 1 + 0 * c, 0 * c
    nothing = Affine(zero, zero)
    middle = Affine((4 - c) / (5 - 2 * c), (1 - c) / (5 - 2 * c))
    return RegimeTable(
        "Theorem 2 (I)",
        c,
        (
            Regime(None, PRINTED_THRESHOLD, Affine((1 + c) / 2, zero), nothing, zero),
            Regime(PRINTED_THRESHOLD, one, middle, nothing, zero),
            Regime(one, None, Affine(one / 2, one / 2), nothing, zero),
        ),
    )


def printed_biased(c: Exact) -> RegimeTable:
    """Theorem 2 (II): n^{(1+c)/2} whatever εT is; (a) is c = 0, (b) any c."""
    zero = 0 * c
    line = Affine((1 + c) / 2, zero)
    return RegimeTable("Theorem 2 (II)", c, (Regime(None, None, line, Affine(zero, zero), zero),))


def derived_uniform(c: Exact) -> RegimeTable:
    """The regimes of Theorem 1 for evenly spread times."""
    return symbolic_regimes("theorem1") if isinstance(c, sympy.Expr) else regimes("theorem1", c)


def derived_biased(c: Exact) -> RegimeTable:
    """Two blocks, cut at round n0: within each all times are equal, so neither drifts.

    γ̃_n ≤ γ_{n0−1} + γ_{n−n0+1} ≤ 2γ_n for every n0, ε and T. (The three blocks of the printed
    proof need 3 < n0 < n − 1; nothing is lost by using two.)
    """
    zero = 0 * c
    whole = Choice(Affine(c - 1, zero), Affine(1 + zero, zero), 1 + zero)
    return table_of("biased", c, Lattice("min", (whole,)))


def differences(printed: RegimeTable, derived: RegimeTable) -> tuple[Difference, ...]:
    """Every interval of κ on which the two tables have different lines, in increasing κ.

    The sign is that of printed − derived in the middle of the interval.
    """
    edges = in_order((*printed.thresholds, *derived.thresholds))
    differing = []
    for start, end in pairwise([None, *edges, None]):
        one, other = _at(printed, start, end), _at(derived, start, end)
        gap = Affine(
            one.exponent.constant - other.exponent.constant,
            one.exponent.slope - other.exponent.slope,
        )
        if sign(gap.constant) == 0 and sign(gap.slope) == 0:
            continue
        kappa = _inside(start, end)
        differing.append(Difference(start, end, one.exponent, other.exponent, sign(gap.at(kappa))))
    return tuple(differing)


def epsilon_ladder() -> tuple[EpsilonRate, ...]:
    """The exponents of ε at unit steps (κ = 1 + log_n ε), each derived, weakest first.

    The middle regime of each bound is n^{a + bκ}, that is n^{a+b}·ε^b with a + b = 1. On a finite
    domain the margin bound n·η² + γ̃_n/η has γ̃_n ~ n√ε, so n·ε^{1/3} at η = ε^{1/6}; Theorem Q
    (docs/theory.md#elimination) and Theorem F have n√ε from ε = n^{−2}, up to a logarithm.

    >>> from bounds.rates.lattice import C
    >>> [str(rate.exponent.subs(C, 0)) for rate in epsilon_ladder()][:6]
    ['1/8', '1/6', '1/5', '1/4', '1/4', '1/4']
    >>> [str(rate.exponent.subs(C, 0)) for rate in epsilon_ladder()][6:]
    ['1/3', '1/3', '1/3', '1/3', '1/2', '1/2', '1/2', '1']
    """
    sources: Mapping[str, str] = {
        "r-gp-ucb": "Bogunovic et al. 2016 (1601.06650), Thm 4.2",
        "tv-gp-ucb": "Bogunovic et al. 2016 (1601.06650), Thm 4.3",
        "theorem1": "Imamura et al. 2020 (2003.04691), Thm 1",
        "mandl-kekkonen": "Mandl and Kekkonen 2026 (2608.18863)",
        "refined": "Theorem A",
    }
    rates = []
    for name, source in sources.items():
        middle = symbolic_regimes(name).regimes[1]
        low = None if middle.start is None else middle.start - 1
        rates.append(EpsilonRate(name, source, middle.exponent.slope, low))
    quarter = sympy.Rational(1, 4)
    limit = "no √(C₁nβγ̃_n) bound does better: repeating a point gains Ω(n√(sε))"
    lower = "lower bound Ω(nε) on regret, Bogunovic et al. 2016"
    margin = "margin bound, CTV-fixed in the mean on a finite domain"
    index = "UCB with weight √(2 log(|D|/ε²)) and Thompson sampling, fixed finite domain, Theorem Q"
    plus = "Thompson sampling, fixed finite domain, without a logarithm, Theorem Q+"
    rank = "schedule, kernel of finite rank on a compact domain, Theorem R; not always the truth"
    floor = "floor for any policy on a finite domain, Theorem F"
    increments = "schedule, squared exponential on a box, up to logarithms, Theorem R+"
    smooth = "floor for any policy, smooth kernel on a box, Theorem N"
    from_square = sympy.Integer(-2)
    smooth_from = sympy.Rational(-3, 2)
    return (
        *rates,
        EpsilonRate("gain-limit", limit, quarter, None, "limit"),
        EpsilonRate("margin", margin, sympy.Rational(1, 3), from_square),
        EpsilonRate("theorem-r", rank, sympy.Rational(1, 3), None),
        EpsilonRate("theorem-r-plus", increments, sympy.Rational(1, 3), smooth_from),
        EpsilonRate("theorem-n", smooth, sympy.Rational(1, 3), smooth_from, "lower"),
        EpsilonRate("theorem-q", index, sympy.Rational(1, 2), from_square),
        EpsilonRate("theorem-q-plus", plus, sympy.Rational(1, 2), from_square),
        EpsilonRate("floor", floor, sympy.Rational(1, 2), from_square, "lower"),
        EpsilonRate("regret-lower-bound", lower, sympy.Integer(1), None, "lower"),
    )


def _at(table: RegimeTable, start: Exact | None, end: Exact | None) -> Regime:
    kappa = _inside(start, end)
    for regime in table.regimes:
        after = regime.start is None or sign(kappa - regime.start) > 0
        before = regime.end is None or sign(regime.end - kappa) > 0
        if after and before:
            return regime
    raise AssertionError("the regimes of a table cover the line")


def _inside(start: Exact | None, end: Exact | None) -> Exact:
    if start is not None:
        return start + 1 if end is None else (start + end) / 2
    return Fraction(0) if end is None else end - 1
