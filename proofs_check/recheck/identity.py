"""The recheck of identities: both sides as quotients over independent atoms, compared exactly.

Beyond the laws of a field only these are used, each where its conditions are derived from the
domain by the decision procedure: exp(a+b) = exp(a)·exp(b), exp(c·log b) = b^c, log of a product of
positive factors, roots of a product of non-negative factors, b^x = exp(x·log b) for b > 0,
b^(x+y) = b^x·b^y for b, x, y >= 0, and the closed form of a sum of powers over a range that does
not end before it begins. A side that is not shown to be defined on the whole domain is refused:
denominators that do not vanish, logarithms of positive numbers, roots of non-negative ones.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from proofs_check.recheck.cases import Refused, comparison
from proofs_check.recheck.decision import follows
from proofs_check.recheck.field import (
    ONE,
    Field,
    Monomial,
    Polynomial,
    Quotient,
    factored,
    number,
    written,
    written_quotient,
)
from proofs_check.recheck.rational_interval import NotDecided

_MOST_WRITTEN_OUT = 200
_LARGEST_DIVISOR = 1000
_OPAQUE = ("abs", "floor", "ceil", "sin", "erf", "normal_cdf", "min", "max")


def check_identity(entry: Mapping[str, Any], text: str, domain: Sequence[str]) -> None:
    """Refused unless both sides of an == are one expression, defined wherever `domain` holds."""
    tree = comparison(text)
    if not isinstance(tree.ops[0], ast.Eq):
        raise Refused(f"{text} is not an identity")
    reading = Reading(entry["parameters"], domain)
    left, right = (reading.read(side) for side in (tree.left, tree.comparators[0]))
    if reading.field.subtract(left, right).top:
        raise Refused(f"the sides of {text} are not the same expression")


@dataclass(frozen=True)
class _Factor:
    """A factor of a number and its exponent; a radical is no atom but a polynomial or a number."""

    name: str
    value: Quotient
    exponent: Fraction
    radical: bool


class Reading:
    """One formula as a quotient; what it must know of its parts is derived from the premises."""

    def __init__(self, parameters: Sequence[Mapping[str, Any]], premises: Sequence[str]) -> None:
        self.field = Field()
        self.premises = list(premises)
        self.parameters = {parameter["name"]: parameter for parameter in parameters}
        self.indices: dict[str, Quotient] = {}
        self.logs: dict[str, Quotient] = {}
        self.exps: dict[str, Quotient] = {}
        self.known: dict[tuple[str, int], bool] = {}

    def holds(self, text: str) -> bool:
        """Whether a comparison follows from the premises in force."""
        key = (text, len(self.premises))
        if key not in self.known:
            try:
                self.known[key] = follows(self.premises, text)
            except NotDecided:
                self.known[key] = False
        return self.known[key]

    def read(self, node: ast.AST) -> Quotient:
        """A formula without branches as a quotient; raises `Refused` where it may be undefined."""
        if isinstance(node, ast.Constant):
            return number(Fraction(str(node.value)))
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            return self.field.scale(
                self.read(node.operand), -1 if isinstance(node.op, ast.USub) else 1
            )
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        if isinstance(node, ast.Subscript):
            return self._entry(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node.func.id, node)
        raise Refused(f"{type(node).__name__} is not part of an identity")

    def _named(self, name: str) -> Quotient:
        if name in self.indices:
            return self.indices[name]
        scalar = name in self.parameters and self.parameters[name]["type"] in ("Real", "Integer")
        if name != "pi" and not scalar:
            raise Refused(f"{name} is not a number of the claim")
        return self.field.atom(name)

    def _entry(self, node: ast.Subscript) -> Quotient:
        vector = self.parameters.get(ast.unparse(node.value), {})
        place = self.read(node.slice).constant
        length = vector.get("length")
        if not isinstance(length, int) or place is None or place.denominator != 1:
            raise Refused(f"{ast.unparse(node)} is no entry of a vector of known length")
        if not 0 <= place < length:
            raise Refused(f"{ast.unparse(node)} is beyond the vector")
        return self.field.atom(f"{ast.unparse(node.value)}[{place}]")

    def _arithmetic(self, node: ast.BinOp) -> Quotient:
        left, right = self.read(node.left), self.read(node.right)
        if isinstance(node.op, ast.Add):
            return self.field.add(left, right)
        if isinstance(node.op, ast.Sub):
            return self.field.subtract(left, right)
        if isinstance(node.op, ast.Mult):
            return self.field.multiply(left, right)
        if isinstance(node.op, ast.Div):
            self._require(right, node.right, "!= 0")
            return self.field.divide(left, right)
        if isinstance(node.op, ast.Pow):
            return self._power(left, right, node.left)
        raise Refused(f"{type(node.op).__name__} is not part of an identity")

    def _require(self, value: Quotient, node: ast.AST, condition: str) -> None:
        """The condition on a part, as it is written or as it was read."""
        if not self._is(value, node, condition):
            raise Refused(f"{ast.unparse(node)} {condition} was not derived")

    def _is(self, value: Quotient, node: ast.AST | None, condition: str) -> bool:
        if value.constant is not None:
            sign = value.constant
            return {"!= 0": sign != 0, "> 0": sign > 0, ">= 0": sign >= 0}[condition]
        if node is not None and self.holds(f"{ast.unparse(node)} {condition}"):
            return True
        return self.holds(f"{written_quotient(value)} {condition}")

    def _power(self, base: Quotient, exponent: Quotient, node: ast.AST) -> Quotient:
        fixed = exponent.constant
        if fixed is not None and fixed.denominator == 1:
            if fixed < 0:
                self._require(base, node, "!= 0")
            return self.field.power(base, int(fixed))
        if self._is(base, node, "> 0"):
            if fixed is not None:
                return self._raised(base, fixed)
            return self._exp(self.field.multiply(exponent, self._log(base)))
        self._require(base, node, ">= 0")
        if fixed is not None and fixed > 0:
            return self._raised(base, fixed)
        return self._closed_power(base, exponent)

    def _closed_power(self, base: Quotient, exponent: Quotient) -> Quotient:
        """base^(Σ c·m) = Π (base^m)^c for base, c, m >= 0, with 0^0 = 1."""
        result = number(1)
        for monomial, c in exponent.top.items():
            part = Quotient({monomial: Fraction(1)}, {ONE: Fraction(1)})
            if not exponent.whole or c < 0 or not self._is(part, None, ">= 0"):
                raise Refused(f"{written_quotient(base)} may be 0, to a power that may be negative")
            name = f"(({written_quotient(base)}) ** ({written_quotient(part)}))"
            result = self.field.multiply(result, self.field.atom(name, c))
        return result

    def _call(self, word: str, node: ast.Call) -> Quotient:
        if word == "sum":
            return self._total(node)
        if word == "det":
            return self._determinant(node)
        if word in _OPAQUE and (len(node.args) == 1) is (word not in ("min", "max")):
            arguments = ", ".join(written_quotient(self.read(argument)) for argument in node.args)
            return self.field.atom(f"{word}({arguments})")
        if word not in ("exp", "log", "sqrt") or len(node.args) != 1:
            raise Refused(f"{ast.unparse(node)} is not part of an identity")
        value = self.read(node.args[0])
        if word == "exp":
            return self._exp(value)
        self._require(value, node.args[0], "> 0" if word == "log" else ">= 0")
        return self._log(value) if word == "log" else self._raised(value, Fraction(1, 2))

    def _exp(self, value: Quotient) -> Quotient:
        """Π exp(m)^c over the terms c·m; a term c·log b gives b^c."""
        result = number(1)
        for monomial, c in value.top.items():
            alone = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else ""
            if alone in self.logs and value.whole:
                factor = self._raised(self.logs[alone], c)
                result = self.field.multiply(result, factor)
                continue
            part = Quotient({monomial: Fraction(1)}, value.bottom)
            name = f"exp({written_quotient(part)})"
            self.exps[name] = part
            result = self.field.multiply(result, self.field.atom(name, c))
        return result

    def _log(self, value: Quotient) -> Quotient:
        """log of a positive number: the sum over its factors, where each is positive."""
        if value.constant == 1:
            return number(0)
        factors = self._factors(value, "> 0")
        if factors is None:
            return self._log_atom(value)
        total = number(0)
        for factor in factors:
            part = self.exps.get(factor.name) or self._log_atom(factor.value)
            total = self.field.add(total, self.field.scale(part, factor.exponent))
        return total

    def _log_atom(self, value: Quotient) -> Quotient:
        name = f"log({written_quotient(value)})"
        self.logs[name] = value
        return self.field.atom(name)

    def _raised(self, base: Quotient, exponent: Fraction) -> Quotient:
        """A non-negative number to a rational power (positive, where that is below 0)."""
        if exponent.denominator == 1:
            return self.field.power(base, int(exponent))
        if not base.top:
            return base
        factors = self._factors(base, "> 0" if exponent < 0 else ">= 0")
        if factors is None:
            if not base.whole:
                raise Refused(f"the root of {written_quotient(base)} does not split")
            factors = [_Factor(f"({written(base.top)})", base, Fraction(1), radical=True)]
        result = number(1)
        for factor in factors:
            total = factor.exponent * exponent
            if factor.radical:
                part = self.field.root(factor.name, factor.value.top, abs(total))
            else:
                part = self.field.atom(factor.name, abs(total))
            result = (self.field.multiply if total > 0 else self.field.divide)(result, part)
        return result

    def _factors(self, value: Quotient, condition: str) -> list[_Factor] | None:
        """The factors, each shown to be > 0 or >= 0; None if one is not."""
        found: list[_Factor] = []
        for poly, sign in ((value.top, 1), (value.bottom, -1)):
            content, monomial, rest = factored(poly)
            for divisor, times in _divisors(content):
                found.append(_Factor(str(divisor), number(divisor), Fraction(sign * times), True))
            for name, e in monomial:
                radical = name in self.field.roots
                found.append(_Factor(name, self._behind(name), sign * e, radical))
            if rest != {ONE: Fraction(1)}:
                found.append(_Factor(f"({written(rest)})", _whole(rest), Fraction(sign), True))
        for factor in found:
            needed = condition if factor.exponent > 0 else "> 0"
            if not self._is(factor.value, None, needed):
                return None
        return found

    def _behind(self, name: str) -> Quotient:
        """An atom, or what stands behind a root atom."""
        return _whole(self.field.roots[name]) if name in self.field.roots else self.field.atom(name)

    def _total(self, node: ast.Call) -> Quotient:
        if len(node.args) != 1 or not isinstance(node.args[0], ast.GeneratorExp):
            raise Refused(f"{ast.unparse(node)} is not part of an identity")
        return self._summed(node.args[0].elt, list(node.args[0].generators))

    def _summed(self, term: ast.expr, generators: list[ast.comprehension]) -> Quotient:
        if not generators:
            return self.read(term)
        first, rest = generators[0], generators[1:]
        low, high = self._range(first)
        assert isinstance(first.target, ast.Name)
        index = first.target.id
        if index in self.indices or index in self.parameters or index == "pi":
            raise Refused(f"{index} means two things at once")
        start, end = low.constant, high.constant
        if start is not None and end is not None:
            return self._written_out(index, int(start), int(end), lambda: self._summed(term, rest))
        ends = f"{written(low.top)}", f"{written(high.top)}"
        if not self.holds(f"{ends[1]} >= {ends[0]}"):
            raise Refused(f"the range from {ends[0]} to {ends[1]} may end before it begins")
        self.indices[index] = self.field.atom(index)
        self.premises += [f"{index} >= {ends[0]}", f"{index} <= {ends[1]} - 1"]
        body = self._summed(term, rest)
        del self.indices[index], self.premises[-2:]
        self.known = {key: v for key, v in self.known.items() if key[1] <= len(self.premises)}
        return self._closed_form(body, index, low, high)

    def _written_out(
        self, index: str, low: int, high: int, term: Callable[[], Quotient]
    ) -> Quotient:
        if high - low > _MOST_WRITTEN_OUT:
            raise Refused(f"a sum of {high - low} terms is too long to write out")
        total = number(0)
        for k in range(low, high):
            self.indices[index] = number(k)
            total = self.field.add(total, term())
        self.indices.pop(index, None)
        return total

    def _range(self, generator: ast.comprehension) -> tuple[Quotient, Quotient]:
        call = generator.iter
        plain = isinstance(generator.target, ast.Name) and not generator.ifs
        if not (plain and isinstance(call, ast.Call) and ast.unparse(call.func) == "range"):
            raise Refused("only plain ranges are summed in an identity")
        ends = [self.read(argument) for argument in call.args]
        if len(ends) not in (1, 2) or not all(self._is_integer(end) for end in ends):
            raise Refused(f"{ast.unparse(call)} is no range of integers")
        return (number(0), ends[0]) if len(ends) == 1 else (ends[0], ends[1])

    def _is_integer(self, value: Quotient) -> bool:
        whole = {n for n, p in self.parameters.items() if p["type"] == "Integer"} | {*self.indices}
        return value.whole and all(
            c.denominator == 1
            and all(name in whole and e > 0 and e.denominator == 1 for name, e in monomial)
            for monomial, c in value.top.items()
        )

    def _closed_form(self, body: Quotient, index: str, low: Quotient, high: Quotient) -> Quotient:
        """Σ over low <= index < high of a polynomial in the index."""
        by_power: dict[int, Polynomial] = {}
        for monomial, c in body.top.items():
            power, rest = _without(monomial, index)
            by_power.setdefault(power, {})[rest] = c
        for monomial in body.bottom:
            if _without(monomial, index)[0]:
                raise Refused(f"a sum over {index} has no closed form here")
        total = number(0)
        for power, factor in by_power.items():
            ends = (self._powers_below(high, power), self._powers_below(low, power))
            part = self.field.multiply(Quotient(factor, body.bottom), self.field.subtract(*ends))
            total = self.field.add(total, part)
        return total

    def _powers_below(self, end: Quotient, power: int) -> Quotient:
        """Σ of k^power over 0 <= k < end, by n^(p+1) = Σ_{j<=p} binom(p+1, j) Σ_k k^j."""
        sums: list[Quotient] = []
        for p in range(power + 1):
            rest = self.field.power(end, p + 1)
            for j, lower in enumerate(sums):
                rest = self.field.subtract(rest, self.field.scale(lower, comb(p + 1, j)))
            sums.append(self.field.scale(rest, Fraction(1, p + 1)))
        return sums[power]

    def _determinant(self, node: ast.Call) -> Quotient:
        parts = [matrix.elts for matrix in node.args if isinstance(matrix, ast.List)]
        listed = [row.elts for row in parts[0] if isinstance(row, ast.List)] if parts else []
        rows = [[self.read(entry) for entry in row] for row in listed]
        if not 0 < len(rows) <= 5 or any(len(row) != len(rows) for row in rows):
            raise Refused(f"{ast.unparse(node)} is no small square matrix")
        return self._by_first_row(rows)

    def _by_first_row(self, rows: list[list[Quotient]]) -> Quotient:
        if not rows:
            return number(1)
        total = number(0)
        for k, head in enumerate(rows[0]):
            minor = self._by_first_row([row[:k] + row[k + 1 :] for row in rows[1:]])
            part = self.field.multiply(head, minor)
            total = self.field.add(total, self.field.scale(part, (-1) ** k))
        return total


def _whole(poly: Polynomial) -> Quotient:
    return Quotient(poly, {ONE: Fraction(1)})


def _without(monomial: Monomial, index: str) -> tuple[int, Monomial]:
    """The power of the index in a monomial, and the rest, in which it must not occur."""
    power = Fraction(0)
    for name, e in monomial:
        if name == index:
            power = e
        elif index in {n.id for n in ast.walk(ast.parse(name)) if isinstance(n, ast.Name)}:
            raise Refused(f"a sum over {index} has no closed form here")
    if power < 0 or power.denominator != 1:
        raise Refused(f"a sum over {index} has no closed form here")
    return int(power), tuple((name, e) for name, e in monomial if name != index)


def _divisors(content: Fraction) -> list[tuple[int, int]]:
    """A positive rational as a product of powers of small primes and what is left of it."""
    found = []
    for part, sign in ((content.numerator, 1), (content.denominator, -1)):
        divisor = 2
        while divisor <= _LARGEST_DIVISOR and part > 1:
            times = 0
            while part % divisor == 0:
                part, times = part // divisor, times + 1
            if times:
                found.append((divisor, sign * times))
            divisor += 1
        if part > 1:
            found.append((part, sign))
    return found
