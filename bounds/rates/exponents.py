"""How regret grows: exponents of the partition bounds, derived from a linear programme.

Scaling: θT = n^κ, γ_m = Õ(m^c), blocks of n^u rounds, 0 ≤ u ≤ 1. In units of γ̃_n/n the gain of a
partition is n^{−(1−c)u} and its drift n^{min(0, κ−1+ρu)}: θT/n is the drift from one round to the
next, and a block of n^u rounds multiplies it by n^{ρu}. The cap at 0 is the trivial bound, which
single points (u = 0, no drift) always reach. The regret exponent is
1 + ½ min_u max{−(1−c)u, min(0, κ−1+ρu)}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

import sympy

from bounds.errors import InvalidInput
from bounds.rates.lattice import (
    Affine,
    BlockLine,
    C,
    Choice,
    Exact,
    Lattice,
    best_block,
    exact_fraction,
    formula,
    pieces,
    sign,
    tidy,
)

DRIFT_GROWTH: Mapping[str, tuple[Fraction, Fraction]] = {
    "r-gp-ucb": (Fraction(3), Fraction(0)),
    "tv-gp-ucb": (Fraction(2), Fraction(0)),
    "theorem1": (Fraction(3, 2), Fraction(0)),
    "additive": (Fraction(3, 2), Fraction(0)),
    "mandl-kekkonen": (Fraction(1), Fraction(1, 2)),
    "refined": (Fraction(1), Fraction(0)),
}
"""ρ of each bound as ρ₀ + ρ₁c, loosest first.

- r-gp-ucb: a reset every N rounds costs √(N³ε) a round (Bogunovic et al. 2016, Thm 4.2)
- tv-gp-ucb: Ñ³ε for a block of Ñ rounds (ibid., Thm 4.3), in its printed and corrected form
- theorem1: ½ Σ M φ(sε√(C/M)) with C ~ (θT/n)² M⁴ for evenly spread times
- additive: the same with log(1 + x) for φ(x)
- mandl-kekkonen: sεÑ²√γ_Ñ for a block of Ñ rounds, √γ_Ñ = Ñ^{c/2}
- refined: ½ Σ_k log(1 + s(1 − k_time(τ_k, c_i)²)) with distances up to MT/n (Theorem A)
"""

_LARGEST_DENOMINATOR = 10**18

BOUNDS = ("theorem1", "refined")
"""The two partition bounds (docs/theory.md#rates)."""


@dataclass(frozen=True)
class Regime:
    """For κ in [start, end] the regret is Õ(n^{exponent}), reached by blocks of n^{block} rounds.

    Attributes
    ----------
    start, end : fraction or formula in c; None at ∓∞
    exponent, block : lines in κ
    gain_weight : the power of log n in the regret is ½ (of β_n) + ½·p·gain_weight for a gain of
        order m^c log^p m
    """

    start: Exact | None
    end: Exact | None
    exponent: Affine
    block: Affine
    gain_weight: Exact

    def mapped(self, put: Callable[[Exact | None], Exact | None]) -> Regime:
        """The regime with a function of each of its numbers."""
        exponent, block = (
            Affine(put(line.constant), put(line.slope)) for line in (self.exponent, self.block)
        )
        return Regime(put(self.start), put(self.end), exponent, block, put(self.gain_weight))

    def contains(self, kappa: Fraction) -> bool:
        """Whether κ lies in the closed interval; for fractions only."""
        return (self.start is None or self.start <= kappa) and (
            self.end is None or kappa <= self.end
        )


@dataclass(frozen=True)
class RegimeTable:
    """The regimes of one bound, in increasing κ.

    Attributes
    ----------
    bound : name of the bound, a key of `DRIFT_GROWTH` or of a family of sequences
    c : Fraction, or the symbol c where the table holds for every c in [0, 1)
    regimes : tuple of Regime that cover all κ
    """

    bound: str
    c: Exact
    regimes: tuple[Regime, ...]

    @property
    def symbolic(self) -> bool:
        """Whether the entries are formulas in c."""
        return isinstance(self.c, sympy.Expr)

    @property
    def thresholds(self) -> tuple[Exact, ...]:
        """The κ at which the regime changes."""
        return tuple(regime.end for regime in self.regimes[:-1])

    @property
    def continuous(self) -> bool:
        """Whether neighbouring regimes agree at their threshold, exactly."""
        return all(
            sign(left.exponent.at(left.end) - right.exponent.at(left.end)) == 0
            for left, right in pairwise(self.regimes)
        )

    @property
    def monotone(self) -> bool:
        """Whether more drift never lowers the exponent: no falling piece and no drop between."""
        rising = all(sign(regime.exponent.slope) >= 0 for regime in self.regimes)
        return rising and all(
            sign(right.exponent.at(left.end) - left.exponent.at(left.end)) >= 0
            for left, right in pairwise(self.regimes)
        )

    def regime_at(self, kappa: Fraction) -> Regime:
        """The regime that holds κ (the one to the left of a threshold)."""
        if self.symbolic:
            raise InvalidInput("c", str(self.c), "give a number for c to evaluate the exponent")
        return next(regime for regime in self.regimes if regime.contains(kappa))

    def exponent(self, kappa: object) -> Fraction:
        """The regret exponent at κ, exactly."""
        value = exact_fraction("kappa", kappa)
        return Fraction(self.regime_at(value).exponent.at(value))

    def block(self, kappa: object) -> Fraction:
        """The exponent u of a best block length n^u at κ."""
        value = exact_fraction("kappa", kappa)
        return Fraction(self.regime_at(value).block.at(value))

    def substituted(self, value: Exact) -> RegimeTable:
        """A symbolic table with `value`, a number or a formula in other symbols, for c."""

        c = sympy.sympify(value, strict=True)

        def put(entry: Exact | None) -> Exact | None:
            return None if entry is None else tidy(sympy.sympify(entry, strict=True).subs(C, c))

        return RegimeTable(self.bound, c, tuple(regime.mapped(put) for regime in self.regimes))


def partition_exponent(c: Exact, growth: Exact, gain_in_drift: Exact = 0) -> Lattice:
    """min over u in [0, 1] of max(−(1−c)u, min(0, κ−1+ρu)), the exponent of γ̃_n/n.

    `gain_in_drift` is the power of γ in the drift term, which decides about logarithms only.
    """
    zero, one = 0 * c, 1 + 0 * c
    gain = BlockLine(zero, c - 1, zero, one)
    drift = BlockLine(-one, growth, one, gain_in_drift + zero)
    return best_block(gain, drift, zero, one)


def any_pattern_exponent(c: Exact) -> Lattice:
    """The exponent of (γ_n + √(2sγ_n nθT))/n, Theorem B, capped by the trivial bound."""
    zero, one = 0 * c, 1 + 0 * c
    gain = Choice(Affine(c - 1, zero), Affine(one, zero), one)
    half = one / 2
    # About √(nθT/γ_n) cells of equal time, so blocks of n^{(1+c−κ)/2} rounds at unit density.
    mixed = Choice(Affine((c - 1) / 2, half), Affine((1 + c) / 2, -half), half)
    trivial = Choice(Affine(zero, zero), Affine(zero, zero), zero)
    return Lattice("min", (trivial, Lattice("max", (gain, mixed))))


def regimes(bound: str, c: object) -> RegimeTable:
    """The regimes of `bound` for one c, as exact fractions.

    Parameters
    ----------
    bound : "theorem1" (also right for `additive`), "refined", "any_pattern" (Theorem B), or a
        rival of `DRIFT_GROWTH` (for unit steps, κ = 1 + log_n ε)
    c : number or fraction in [0, 1); γ_m = Õ(m^c)

    Raises InvalidInput for an unknown bound or a c outside [0, 1). Cost: some milliseconds.

    >>> table = regimes("theorem1", 0)
    >>> [str(t) for t in table.thresholds], str(table.exponent(0))
    (['-3/2', '1'], '4/5')
    """
    number = checked_exponent(c)
    return table_of(bound, number, _nest(bound, number))


@cache
def symbolic_regimes(bound: str) -> RegimeTable:
    """The regimes of `bound` as formulas in c, valid for every c in [0, 1).

    Derived once for each bound; some 0.2 s.

    >>> symbolic_regimes("theorem1").thresholds
    (c - 3/2, 1)
    """
    return table_of(bound, C, _nest(bound, formula(C)))


def table_of(name: str, c: Exact, nest: Lattice) -> RegimeTable:
    """The regimes of a nest of exponents of γ̃_n/n, turned into exponents of regret."""
    rows = []
    for piece in pieces(nest):
        value, block, weight = piece.choice.value, piece.choice.block, piece.choice.gain_weight
        exponent = Affine(1 + value.constant / 2, value.slope / 2)
        rows.append(Regime(piece.start, piece.end, exponent, block, weight).mapped(tidy))
    return RegimeTable(name, c, tuple(rows))


def checked_exponent(c: object) -> Fraction:
    """c as a fraction in [0, 1); raises InvalidInput otherwise."""
    number = exact_fraction("c", c)
    if not 0 <= number < 1:
        raise InvalidInput("c", c, "give a gain exponent in [0, 1): the gain must be sublinear")
    if number.denominator > _LARGEST_DENOMINATOR:
        raise InvalidInput("c", c, "give at most 18 digits")
    return number


def _nest(bound: str, c: Exact) -> Lattice:
    if bound == "any_pattern":
        return any_pattern_exponent(c)
    if bound not in DRIFT_GROWTH:
        names = ", ".join([*DRIFT_GROWTH, "any_pattern"])
        raise InvalidInput("bound", bound, f"use one of {names}")
    constant, factor = DRIFT_GROWTH[bound]
    if not isinstance(c, Fraction):
        constant, factor = formula(constant), formula(factor)
    # ρ₁c comes from γ^{ρ₁} in the drift term.
    return partition_exponent(c, constant + factor * c, factor)
