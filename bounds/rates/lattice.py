"""Exponents as maxima and minima of lines, and the exact breakpoints of such functions.

A quantity of order n^{a + bκ} is the line a + bκ; a sum has the larger exponent, a choice of block
length takes the smaller one. So every exponent here is a finite nest of Max and Min of lines in κ,
its numbers exact: fractions, or rational functions of one symbol c in (0, 1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations, pairwise
from typing import Any, TypeAlias

import sympy
from sympy.polys.domains import QQ
from sympy.polys.fields import FracElement, FracField

from bounds.errors import InvalidInput, NumericalFailure

Exact: TypeAlias = Any
"""A Fraction, or a rational function of `C`: an element of `FORMULAS` or a sympy expression."""

C = sympy.Symbol("c", nonnegative=True)
"""The exponent of the gain, γ_m = Õ(m^c)."""

FORMULAS = FracField((C,), QQ)
"""Rational functions of c with exact arithmetic, in lowest terms throughout."""


@dataclass(frozen=True)
class Affine:
    """The line κ ↦ constant + slope·κ."""

    constant: Exact
    slope: Exact

    def at(self, kappa: Exact) -> Exact:
        """The value at κ."""
        return self.constant + self.slope * kappa


@dataclass(frozen=True)
class Choice:
    """One way to choose the blocks: its exponent, the block exponent u, both lines in κ.

    `gain_weight` is the derivative of the exponent by the exponent of γ (the dual variable of the
    gain in the linear programme): a factor log^p m in γ_m appears as log^{p·gain_weight} n.
    """

    value: Affine
    block: Affine
    gain_weight: Exact


@dataclass(frozen=True)
class Lattice:
    """The largest (`take` "max") or the smallest ("min") of its parts."""

    take: str
    parts: tuple[Choice | Lattice, ...]

    def choices(self) -> list[Choice]:
        """Every line in the nest."""
        choices: list[Choice] = []
        for part in self.parts:
            choices.extend(part.choices() if isinstance(part, Lattice) else [part])
        return choices

    def active(self, kappa: Exact) -> Choice:
        """The line that the nest takes at κ; the first of those that tie."""
        best: Choice | None = None
        wanted = 1 if self.take == "max" else -1
        for part in self.parts:
            choice = part.active(kappa) if isinstance(part, Lattice) else part
            if best is None or sign(choice.value.at(kappa) - best.value.at(kappa)) == wanted:
                best = choice
        assert best is not None
        return best

    def at(self, kappa: Fraction) -> Fraction:
        """The value at κ, exactly."""
        return Fraction(self.active(kappa).value.at(kappa))


@dataclass(frozen=True)
class Piece:
    """The line that is taken for κ in [start, end]; None stands for ∓∞."""

    start: Exact | None
    end: Exact | None
    choice: Choice


def best_block(gain: BlockLine, drift: BlockLine, low: Exact, high: Exact) -> Lattice:
    """min over u in [low, high] of max(gain, min(0, drift)), solved at its vertices.

    `gain` falls in u, `drift` rises in u. With v the value where they cross,
    min_u max(gain, drift) = max(gain(high), v, drift(low)), whether the crossing lies inside or
    not; and max(G, min(0, D)) = min(max(G, 0), max(G, D)), so the cap at 0 adds the vertex 0.
    """
    rise = drift.block - gain.block
    share = (drift.block * gain.power - gain.block * drift.power) / rise
    crossing = Affine((gain.constant - drift.constant) / rise, (gain.slope - drift.slope) / rise)
    zero = Affine(0 * rise, 0 * rise)
    at_low = Affine(low + 0 * rise, 0 * rise)
    at_high = Affine(high + 0 * rise, 0 * rise)
    gain_at_high = Choice(gain.at(at_high), at_high, gain.power + 0 * rise)
    balanced = Choice(gain.at(crossing), crossing, share)
    drift_at_low = Choice(drift.at(at_low), at_low, drift.power + 0 * rise)
    trivial = Choice(zero, at_low, 0 * rise)
    return Lattice("min", (trivial, Lattice("max", (gain_at_high, balanced, drift_at_low))))


@dataclass(frozen=True)
class BlockLine:
    """An exponent per round, constant + block·u + slope·κ; the term holds γ to the `power`."""

    constant: Exact
    block: Exact
    slope: Exact
    power: Exact = 0

    def at(self, block: Affine) -> Affine:
        """The line in κ for blocks of n^{block}."""
        return Affine(
            self.constant + self.block * block.constant, self.slope + self.block * block.slope
        )


def pieces(nest: Lattice) -> tuple[Piece, ...]:
    """The regimes of the nest over all real κ, in order, adjacent ones different.

    Two lines can only change places where they cross: the crossings of all pairs, sorted, cut the
    κ axis into intervals on each of which one line is taken throughout.
    """
    lines = [choice.value for choice in nest.choices()]
    crossings = in_order(
        (other.constant - one.constant) / (one.slope - other.slope)
        for one, other in combinations(lines, 2)
        if sign(one.slope - other.slope) != 0
    )
    if not crossings:
        return (Piece(None, None, nest.active(0)),)
    inside = [crossings[0] - 1, *((a + b) / 2 for a, b in pairwise(crossings)), crossings[-1] + 1]
    edges = [None, *crossings, None]
    pieces: list[Piece] = []
    for start, end, kappa in zip(edges, edges[1:], inside, strict=False):
        choice = nest.active(kappa)
        if pieces and same(pieces[-1].choice, choice):
            pieces[-1] = Piece(pieces[-1].start, end, pieces[-1].choice)
        else:
            pieces.append(Piece(start, end, choice))
    return tuple(pieces)


def same(one: Choice, other: Choice) -> bool:
    """Whether two choices have the same exponent and the same block, for every κ."""
    return all(
        sign(a - b) == 0
        for a, b in (
            (one.value.constant, other.value.constant),
            (one.value.slope, other.value.slope),
            (one.block.constant, other.block.constant),
            (one.block.slope, other.block.slope),
        )
    )


def sign(value: Exact) -> int:
    """−1, 0 or 1; of a rational function of c its sign for all c in (0, 1), by its real roots.

    Raises NumericalFailure where the sign is not the same for all of them.

    >>> sign((1 - C) / (5 - 2 * C)), sign(Fraction(-1, 3))
    (1, -1)
    """
    if isinstance(value, int | Fraction):
        return int(value > 0) - int(value < 0)
    fraction = formula(value)
    if fraction == 0:
        return 0
    found = 1
    for part in (fraction.numer, fraction.denom):
        polynomial = sympy.Poly(part.as_expr(), C)
        inside = polynomial.count_roots(0, 1) - sum(polynomial.eval(end) == 0 for end in (0, 1))
        if inside:
            raise NumericalFailure(f"{fraction} changes its sign for c between 0 and 1")
        found *= 1 if polynomial.eval(sympy.Rational(1, 2)) > 0 else -1
    return found


def in_order(numbers: Iterable[Exact]) -> list[Exact]:
    """Exact numbers in increasing order, each once."""
    different: list[Exact] = []
    for number in numbers:
        if all(sign(number - known) != 0 for known in different):
            different.append(number)

    def compare(one: Exact, other: Exact) -> int:
        return sign(one - other)

    return sorted(different, key=cmp_to_key(compare))


def formula(value: Exact) -> Exact:
    """A number or an expression in c as an element of `FORMULAS`."""
    if isinstance(value, Fraction):
        return FORMULAS(QQ(value.numerator, value.denominator))
    if isinstance(value, FracElement):
        return value
    return FORMULAS.field_new(sympy.sympify(value, strict=True))


def tidy(value: Exact) -> Exact:
    """A formula in lowest terms, written with a denominator that is positive at small symbols.

    >>> tidy((C - 4) / (2 * C - 5))
    (4 - c)/(5 - 2*c)
    """
    if isinstance(value, FracElement):
        top, bottom = value.numer.as_expr(), value.denom.as_expr()
    elif isinstance(value, sympy.Expr):
        top, bottom = sympy.fraction(sympy.cancel(sympy.together(value)))
    else:
        return value
    small = {symbol: sympy.Rational(1, 8) for symbol in bottom.free_symbols}
    if bottom.subs(small) < 0:
        top, bottom = -top, -bottom
    return sympy.expand(top) / sympy.expand(bottom)


_MOST_DIGITS = 1_000


def exact_fraction(field: str, value: object) -> Fraction:
    """A number as the fraction that its decimal form says: 0.3 is 3/10.

    Raises InvalidInput for what is no number, and for one of more than a thousand digits.

    >>> exact_fraction("kappa", "-3/2"), exact_fraction("kappa", 0.3)
    (Fraction(-3, 2), Fraction(3, 10))
    """
    try:
        if isinstance(value, bool):
            raise ValueError(value)
        if isinstance(value, Fraction):
            return value
        text = str(value).strip()
        _, _, power = text.lower().partition("e")
        # 1e1000000000 is a short text and a number that fills the memory.
        if len(text) > _MOST_DIGITS or (power and abs(int(power)) > _MOST_DIGITS):
            raise InvalidInput(field, value, f"give a number of at most {_MOST_DIGITS} digits")
        return Fraction(text)
    except InvalidInput:
        raise
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InvalidInput(field, value, "give a finite number or a fraction such as 2/7") from None


def shortened(number: Fraction) -> str:
    """A fraction as text: exact where that takes at most 24 characters, else to 6 digits.

    >>> shortened(Fraction(-3, 2)), shortened(Fraction("1e400")), shortened(Fraction("0.1") ** 30)
    ('-3/2', '1.00000e+400', '1.00000e-30')
    """
    text = str(number) if number.denominator < 10**24 and abs(number) < 10**24 else ""
    if 0 < len(text) <= 24:
        return text
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 6, MAX_EMAX, MIN_EMIN
        return f"{Decimal(number.numerator) / Decimal(number.denominator):.5e}"
