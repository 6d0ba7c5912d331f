"""Exact arithmetic in Q(atoms) for the recheck of identities.

An atom is an independent unknown, named by its formula: a parameter, `log(1 + s)`, `exp(x)`. A
polynomial maps monomials to rational coefficients; a monomial maps atoms to rational exponents. A
root atom stands for a polynomial that is known to be non-negative; its exponents stay in [0, 1),
whole powers become the polynomial again. Two quotients are equal where the difference is the zero
polynomial, which proves equality wherever both are defined.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd

from proofs_check.recheck.rational_interval import NotDecided

Monomial = tuple[tuple[str, Fraction], ...]
Polynomial = dict[Monomial, Fraction]
ONE: Monomial = ()
_MOST_TERMS = 4000
_MOST_FACTORS = 60
_LARGEST_POWER = 1000


@dataclass(frozen=True)
class Quotient:
    """top / bottom, the bottom a polynomial that is not zero."""

    top: Polynomial
    bottom: Polynomial

    @property
    def constant(self) -> Fraction | None:
        """The rational number that it is, if it is one."""
        if self.bottom != {ONE: Fraction(1)} or set(self.top) - {ONE}:
            return None
        return self.top.get(ONE, Fraction(0))

    @property
    def whole(self) -> bool:
        """Whether there is nothing below the line."""
        return self.bottom == {ONE: Fraction(1)}


def number(value: int | Fraction) -> Quotient:
    """A rational number as a quotient."""
    top = {ONE: Fraction(value)} if value else {}
    return Quotient(top, {ONE: Fraction(1)})


@dataclass
class Field:
    """The arithmetic; `roots` holds the polynomial behind each root atom."""

    roots: dict[str, Polynomial] = field(default_factory=dict)

    def atom(self, name: str, exponent: Fraction = Fraction(1)) -> Quotient:
        """An atom to a power; a root atom to a non-negative one."""
        return Quotient(self._product({ONE: Fraction(1)}, {((name, exponent),): Fraction(1)}),
                        {ONE: Fraction(1)})  # fmt: skip

    def root(self, name: str, radicand: Polynomial, exponent: Fraction) -> Quotient:
        """A non-negative polynomial to a non-negative power."""
        self.roots.setdefault(name, radicand)
        return self.atom(name, exponent)

    def add(self, a: Quotient, b: Quotient) -> Quotient:
        if a.bottom == b.bottom:
            return Quotient(_sum(a.top, b.top), a.bottom)
        top = _sum(self._product(a.top, b.bottom), self._product(b.top, a.bottom))
        return Quotient(top, self._product(a.bottom, b.bottom))

    def scale(self, a: Quotient, factor: int | Fraction) -> Quotient:
        return Quotient({m: c * factor for m, c in a.top.items() if factor}, a.bottom)

    def subtract(self, a: Quotient, b: Quotient) -> Quotient:
        return self.add(a, self.scale(b, -1))

    def multiply(self, a: Quotient, b: Quotient) -> Quotient:
        top = self._product(a.top, b.top)
        return self._reduced(top, self._product(a.bottom, b.bottom))

    def divide(self, a: Quotient, b: Quotient) -> Quotient:
        """a / b for a b that is known not to vanish; raises `NotDecided` for 0."""
        if not b.top:
            raise NotDecided("a division by 0")
        top = self._product(a.top, b.bottom)
        return self._reduced(top, self._product(a.bottom, b.top))

    def power(self, a: Quotient, exponent: int) -> Quotient:
        """a to a whole power; below 0 only for an a that is known not to vanish."""
        if a.constant is not None and 0 <= exponent <= _LARGEST_POWER:
            return number(a.constant**exponent)
        if abs(exponent) > _MOST_FACTORS:
            raise NotDecided(f"the power {exponent} is too high to write out")
        result = number(1)
        for _ in range(abs(exponent)):
            result = self.multiply(result, a)
        return result if exponent >= 0 else self.divide(number(1), result)

    def _reduced(self, top: Polynomial, bottom: Polynomial) -> Quotient:
        """A bottom of one term goes to the top: its atoms do not vanish where it does not."""
        if len(bottom) > 1:
            return Quotient(top, bottom)
        ((monomial, coefficient),) = bottom.items()
        rest = tuple((name, 1 - e) for name, e in monomial if name in self.roots)
        if rest:
            filled = {rest: Fraction(1)}
            return self._reduced(self._product(top, filled), self._product(bottom, filled))
        inverse = tuple((name, -e) for name, e in monomial)
        return Quotient(self._product(top, {inverse: 1 / coefficient}), {ONE: Fraction(1)})

    def _product(self, a: Polynomial, b: Polynomial) -> Polynomial:
        total: Polynomial = {}
        for left, c in a.items():
            for right, d in b.items():
                self._collect(total, left, right, c * d)
            if len(total) > _MOST_TERMS:
                raise NotDecided("an expression too large to write out")
        return {monomial: c for monomial, c in total.items() if c}

    def _collect(
        self, total: Polynomial, left: Monomial, right: Monomial, coefficient: Fraction
    ) -> None:
        exponents = dict(left)
        for name, exponent in right:
            exponents[name] = exponents.get(name, Fraction(0)) + exponent
        expanded: list[Polynomial] = []
        for name in [name for name in exponents if name in self.roots]:
            times = exponents[name].numerator // exponents[name].denominator
            if times < 0 or times > _MOST_FACTORS:
                raise NotDecided("a root to a power that is not reduced")
            exponents[name] -= times
            expanded += [self.roots[name]] * times
        piece = {tuple(sorted((n, e) for n, e in exponents.items() if e)): coefficient}
        for factor in expanded:
            piece = self._product(piece, factor)
        for monomial, c in piece.items():
            total[monomial] = total.get(monomial, Fraction(0)) + c


def _sum(a: Polynomial, b: Polynomial) -> Polynomial:
    total = dict(a)
    for monomial, c in b.items():
        total[monomial] = total.get(monomial, Fraction(0)) + c
    return {monomial: c for monomial, c in total.items() if c}


def factored(poly: Polynomial) -> tuple[Fraction, Monomial, Polynomial]:
    """A polynomial as content × monomial × rest, the content positive.

    >>> content, monomial, rest = factored({(("x", Fraction(1)),): Fraction(6), ONE: Fraction(4)})
    >>> content, monomial, len(rest)
    (Fraction(2, 1), (), 2)
    """
    top, bottom = 0, 1
    for c in poly.values():
        top = gcd(top, c.numerator)
        bottom = bottom * c.denominator // gcd(bottom, c.denominator)
    content = Fraction(top, bottom)
    names = {name for monomial in poly for name, _ in monomial}
    least = {
        name: min(dict(monomial).get(name, Fraction(0)) for monomial in poly) for name in names
    }
    common = tuple(sorted((name, e) for name, e in least.items() if e))
    rest: Polynomial = {}
    for monomial, c in poly.items():
        left = ((n, e - least[n]) for n, e in (dict.fromkeys(names, Fraction(0))
                                                | dict(monomial)).items())  # fmt: skip
        rest[tuple(sorted((n, e) for n, e in left if e))] = c / content
    return content, common, rest


def written(poly: Polynomial) -> str:
    """A polynomial as a formula, in one order of its terms."""
    terms = [_term(monomial, poly[monomial]) for monomial in sorted(poly)]
    return " + ".join(terms) if terms else "0"


def written_quotient(a: Quotient) -> str:
    """A quotient as a formula."""
    return written(a.top) if a.whole else f"({written(a.top)}) / ({written(a.bottom)})"


def _term(monomial: Monomial, coefficient: Fraction) -> str:
    above = [str(coefficient.numerator)] if coefficient.numerator != 1 else []
    below = [str(coefficient.denominator)] if coefficient.denominator != 1 else []
    for name, exponent in monomial:
        (above if exponent > 0 else below).append(_factor(name, abs(exponent)))
    top = " * ".join(above) or "1"
    return f"{top} / ({' * '.join(below)})" if below else top


def _factor(name: str, exponent: Fraction) -> str:
    if exponent == 1:
        return name
    if exponent.denominator == 1:
        return f"{name} ** {exponent}"
    whole, rest = divmod(exponent, 1)
    part = f"sqrt({name})" if rest == Fraction(1, 2) else f"({name}) ** ({rest})"
    return part if whole == 0 else f"{_factor(name, Fraction(whole))} * {part}"
