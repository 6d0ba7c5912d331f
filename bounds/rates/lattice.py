"""Exponents as maxima and minima of lines, and the exact breakpoints of such functions.

A quantity of order n^{a + bκ} is the line a + bκ; a sum has the larger exponent, a choice of block
length takes the smaller one. So every exponent here is a finite nest of Max and Min of lines in κ,
its numbers exact: fractions, or rational functions of one symbol c in (0, 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import combinations, pairwise
from typing import Any, TypeAlias

import sympy

from bounds.errors import InvalidInput, NumericalFailure

Exact: TypeAlias = Any
"""A Fraction, or a sympy expression that is a rational function of `C`."""

Sign = Callable[[Exact], int]
"""The sign of an exact number, −1, 0 or 1; for an expression, its sign for every c in (0, 1)."""

C = sympy.Symbol("c", nonnegative=True)
"""The exponent of the gain, γ_m = Õ(m^c)."""


@dataclass(frozen=True)
class Affine:
    """The line κ ↦ constant + slope·κ."""

    constant: Exact
    slope: Exact

    def at(self, kappa: Exact) -> Exact:
        """The value at κ."""
        return self.constant + self.slope * kappa

    def scaled(self, factor: Exact, shift: Exact) -> Affine:
        """factor·self + shift."""
        return Affine(factor * self.constant + shift, factor * self.slope)


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
        found: list[Choice] = []
        for part in self.parts:
            found.extend(part.choices() if isinstance(part, Lattice) else [part])
        return found

    def active(self, kappa: Exact, sign: Sign) -> Choice:
        """The line that the nest takes at κ; the first of those that tie."""
        best: Choice | None = None
        wanted = 1 if self.take == "max" else -1
        for part in self.parts:
            choice = part.active(kappa, sign) if isinstance(part, Lattice) else part
            if best is None or sign(choice.value.at(kappa) - best.value.at(kappa)) == wanted:
                best = choice
        assert best is not None
        return best

    def at(self, kappa: Fraction) -> Fraction:
        """The value at κ, exactly."""
        return Fraction(self.active(kappa, fraction_sign).value.at(kappa))


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
    crossing = Affine((gain.constant - drift.constant) / rise, (gain.slope - drift.slope) / rise)
    zero = Affine(0 * rise, 0 * rise)
    at_low = Affine(low + 0 * rise, 0 * rise)
    at_high = Affine(high + 0 * rise, 0 * rise)
    gain_at_high = Choice(gain.at(at_high), at_high, 1 + 0 * rise)
    balanced = Choice(gain.at(crossing), crossing, drift.block / rise)
    drift_at_low = Choice(drift.at(at_low), at_low, 0 * rise)
    trivial = Choice(zero, at_low, 0 * rise)
    return Lattice("min", (trivial, Lattice("max", (gain_at_high, balanced, drift_at_low))))


@dataclass(frozen=True)
class BlockLine:
    """An exponent per round as a function of the block exponent u and of κ."""

    constant: Exact
    block: Exact
    slope: Exact

    def at(self, block: Affine) -> Affine:
        """The line in κ for blocks of n^{block}."""
        return Affine(
            self.constant + self.block * block.constant, self.slope + self.block * block.slope
        )


def pieces(nest: Lattice, sign: Sign) -> tuple[Piece, ...]:
    """The regimes of the nest over all real κ, in order, adjacent ones different.

    Two lines can only change places where they cross: the crossings of all pairs, sorted, cut the
    κ axis into intervals on each of which one line is taken throughout.
    """
    crossings: list[Exact] = []
    for one, other in combinations(nest.choices(), 2):
        difference = one.value.slope - other.value.slope
        if sign(difference) != 0:
            kappa = (other.value.constant - one.value.constant) / difference
            if all(sign(kappa - known) != 0 for known in crossings):
                crossings.append(kappa)
    crossings.sort(key=cmp_to_key(lambda a, b: sign(a - b)))
    if not crossings:
        return (Piece(None, None, nest.active(Fraction(0), sign)),)
    inside = [crossings[0] - 1, *((a + b) / 2 for a, b in pairwise(crossings)), crossings[-1] + 1]
    edges = [None, *crossings, None]
    found: list[Piece] = []
    for start, end, kappa in zip(edges, edges[1:], inside, strict=False):
        choice = nest.active(kappa, sign)
        if found and same(found[-1].choice, choice, sign):
            found[-1] = Piece(found[-1].start, end, found[-1].choice)
        else:
            found.append(Piece(start, end, choice))
    return tuple(found)


def same(one: Choice, other: Choice, sign: Sign) -> bool:
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


def fraction_sign(value: Exact) -> int:
    """The sign of a fraction."""
    return (value > 0) - (value < 0)


def symbolic_sign(value: Exact) -> int:
    """The sign of a rational function of c for all c in (0, 1), decided by its real roots.

    Raises NumericalFailure where the sign is not the same for all of them.

    >>> symbolic_sign((1 - C) / (5 - 2 * C))
    1
    """
    expression = sympy.together(sympy.sympify(value))
    if sympy.expand(sympy.fraction(expression)[0]) == 0:
        return 0
    for part in sympy.fraction(expression):
        roots = sympy.roots(sympy.Poly(part, C)) if part.has(C) else {}
        if sum(roots.values()) < (sympy.degree(part, C) if part.has(C) else 0):
            roots = {root: 1 for root in sympy.Poly(part, C).real_roots()}
        if any(root.is_real and 0 < root < 1 for root in roots):
            raise NumericalFailure(f"{expression} changes its sign for c between 0 and 1")
    return int(sympy.sign(expression.subs(C, sympy.Rational(1, 2))))


def exact_fraction(field: str, value: object) -> Fraction:
    """A number as the fraction that its decimal form says: 0.3 is 3/10. Raises InvalidInput.

    >>> exact_fraction("kappa", "-3/2"), exact_fraction("kappa", 0.3)
    (Fraction(-3, 2), Fraction(3, 10))
    """
    try:
        if isinstance(value, bool):
            raise ValueError(value)
        return value if isinstance(value, Fraction) else Fraction(str(value).strip())
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InvalidInput(field, value, "give a finite number or a fraction such as 2/7") from None
