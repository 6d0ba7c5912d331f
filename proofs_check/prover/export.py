"""A claim over numbers as a statement of the proof assistant: its formula under another vocabulary.

The formula that search and enclosures evaluate is evaluated once more, in terms of Coq's real
numbers. What Coq makes total (1/0, log(-1), sqrt(-1)) has a value in the language only where its
condition holds, so every theorem states the conditions beside the formula. Integers are real
numbers that are whole. Sums need ranges of numbers; matrices and lists of unknown size are not
exported: those statements are theorems of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import Integer, Real, Vector

_KEYWORDS = frozenset(
    {"R", "Z", "N", "Q", "IZR", "PI", "ln", "as", "at", "cofix", "else", "end", "exists", "fix"}
    | {"for", "forall", "fun", "if", "in", "let", "match", "mod", "nat", "return", "Set", "Prop"}
    | {"Type", "SProp", "then", "using", "where", "with", "D0", "Rmin", "Rmax", "Rabs", "Rpower"}
    | {"whole", "power"}
)
_MOST_CHARACTERS = 60_000
_LARGEST_EXPONENT = 400


class NotExported(ArithmeticError):
    """A claim has no statement over the real numbers; the message says why."""


class Term:
    """A real number of the proof assistant, as text."""

    def __init__(self, text: str) -> None:
        if len(text) > _MOST_CHARACTERS:
            raise NotExported("the statement is too long")
        self.text = text

    def __add__(self, other: Any) -> Term:
        return self if _is_zero(other) else Term(f"({self.text} + {text_of(other)})")

    def __radd__(self, other: Any) -> Term:
        return self if _is_zero(other) else Term(f"({text_of(other)} + {self.text})")

    def __sub__(self, other: Any) -> Term:
        return Term(f"({self.text} - {text_of(other)})")

    def __rsub__(self, other: Any) -> Term:
        return Term(f"({text_of(other)} - {self.text})")

    def __mul__(self, other: Any) -> Term:
        return Term(f"({self.text} * {text_of(other)})")

    def __rmul__(self, other: Any) -> Term:
        return Term(f"({text_of(other)} * {self.text})")

    def __neg__(self) -> Term:
        return Term(f"(- {self.text})")

    def __pos__(self) -> Term:
        return self


def _is_zero(value: Any) -> bool:
    return isinstance(value, int) and value == 0


def text_of(value: Any) -> str:
    """A number or a term as text in Coq's scope of real numbers."""
    if isinstance(value, Term):
        return value.text
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        raise NotExported("a list or a truth value stands where a number belongs")
    fraction = Fraction(value)
    top = str(fraction.numerator) if fraction >= 0 else f"(- {-fraction.numerator})"
    return top if fraction.denominator == 1 else f"({top} / {fraction.denominator})"


class Reader:
    """Evaluates formulas to terms and collects the conditions under which they have a value."""

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.guards: list[str] = []

    def require(self, condition: str) -> None:
        """Note a condition, with the branches in which it matters."""
        text = "".join(f"{guard} -> " for guard in self.guards) + condition
        if text not in self.conditions:
            self.conditions.append(text)

    @contextmanager
    def inside(self, guard: str) -> Iterator[None]:
        """What is read here matters only where the guard holds."""
        self.guards.append(guard)
        yield
        self.guards.pop()

    def vocabulary(self) -> dict[str, Any]:
        """The words of the language in terms of Coq's."""
        return {
            **formula.shapes(),
            "divide": self.divide,
            "power": self.power,
            "compare": lambda sign, a, b: (sign, text_of(a), text_of(b)),
            "choose": self.choose,
            "log": lambda x: self.partial("ln", x, f"0 < {text_of(x)}"),
            "sqrt": lambda x: self.partial("sqrt", x, f"0 <= {text_of(x)}"),
            "exp": lambda x: Term(f"(exp {text_of(x)})"),
            "sin": lambda x: Term(f"(sin {text_of(x)})"),
            "normal_cdf": lambda x: Term(f"(normal_cdf {text_of(x)})"),
            "abs": lambda x: Term(f"(Rabs {text_of(x)})"),
            "floor": lambda x: Term(f"(IZR (Int_part {text_of(x)}))"),
            "ceil": lambda x: Term(f"(- IZR (Int_part (- {text_of(x)})))"),
            "min": lambda *values: _folded("Rmin", values),
            "max": lambda *values: _folded("Rmax", values),
            "sum": lambda values: reduce(lambda a, b: a + b, values, 0),
            "prod": lambda values: reduce(lambda a, b: a * b, values, 1),
            "det": determinant,
            "pi": Term("PI"),
        }

    def partial(self, word: str, argument: Any, condition: str) -> Term:
        """A function that has a value only under a condition."""
        self.require(condition)
        return Term(f"({word} {text_of(argument)})")

    def divide(self, left: Any, right: Any) -> Any:
        """left/right, where right is not 0."""
        if isinstance(left, int | Fraction) and isinstance(right, int | Fraction) and right:
            quotient = Fraction(left) / Fraction(right)
            return quotient.numerator if quotient.denominator == 1 else Term(text_of(quotient))
        self.require(f"{text_of(right)} <> 0")
        return Term(f"({text_of(left)} / {text_of(right)})")

    def power(self, base: Any, exponent: Any) -> Any:
        """A power: by multiplication where the exponent is a number, 0^0 = 1."""
        if isinstance(exponent, int):
            if abs(exponent) > _LARGEST_EXPONENT:
                raise NotExported(f"a power of {exponent}")
            if isinstance(base, int) and exponent >= 0:
                return base**exponent
            if exponent < 0:
                return self.divide(1, self.power(base, -exponent))
            return Term(f"({text_of(base)} ^ {exponent})")
        x, y = text_of(base), text_of(exponent)
        self.require(f"(0 < {x} \\/ {x} = 0 /\\ 0 < {y} \\/ whole {y} /\\ (0 <= {y} \\/ {x} <> 0))")
        return Term(f"(power {x} {y})")

    def choose(
        self, test: tuple[str, str, str], then: Callable[[], Any], other: Callable[[], Any]
    ) -> Term:
        """One of two branches; each needs a value only where it is taken."""
        sign, left, right = test
        if sign in (">=", ">"):
            left, right = right, left
        decides = {"<=": "Rle_dec", ">=": "Rle_dec", "<": "Rlt_dec", ">": "Rlt_dec"}
        holds = comparison(test)
        with self.inside(f"({holds})"):
            first = text_of(then())
        with self.inside(f"(~ {holds})"):
            second = text_of(other())
        if sign == "!=":
            first, second = second, first
        return Term(f"(if {decides.get(sign, 'Req_EM_T')} {left} {right} then {first} "
                    f"else {second})")  # fmt: skip

    def statement(self, text: str, values: Mapping[str, Any]) -> str:
        """A comparison as a proposition."""
        try:
            found = formula.evaluate(text, self.vocabulary(), values)
        except (NameError, TypeError, ValueError, LookupError, AttributeError) as error:
            raise NotExported(f"{text[:60]} is no formula over single numbers ({error})") from None
        if not isinstance(found, tuple):
            raise NotExported(f"{text[:60]} is no comparison")
        return comparison(found)


def comparison(test: tuple[str, str, str]) -> str:
    """A comparison of two terms as a proposition."""
    sign, left, right = test
    return f"({left} {'=' if sign == '==' else '<>' if sign == '!=' else sign} {right})"


def _folded(word: str, values: Sequence[Any]) -> Any:
    items = list(values[0]) if len(values) == 1 else list(values)
    if not items:
        raise NotExported("minimum or maximum of nothing")
    return reduce(lambda a, b: Term(f"({word} {text_of(a)} {text_of(b)})"), items)


def determinant(rows: Sequence[Sequence[Any]]) -> Any:
    """By expansion along the first row."""
    if len(rows) > 4 or any(len(row) != len(rows) for row in rows):
        raise NotExported("a determinant of more than four rows, or of no square")
    if not rows:
        return 1
    parts = [
        head * determinant([[*row[:k], *row[k + 1 :]] for row in rows[1:]]) * (-1) ** k
        for k, head in enumerate(rows[0])
    ]
    return reduce(lambda a, b: a + b, parts, 0)


def name_of(parameter: str) -> str:
    """The name of a parameter in Coq, where some words are taken."""
    return f"{parameter}_" if parameter in _KEYWORDS else parameter


class Exported:
    """A claim's theorem: the quantified numbers, the premises, the conditions and the formula."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.values: dict[str, Any] = {}
        self.numbers: list[str] = []
        self.premises: list[str] = []
        if claim.sentence:
            raise NotExported("a sentence about runs")
        for parameter in claim.parameters:
            self._quantify(parameter)
        for hypothesis in claim.hypotheses:
            self._assume(claim.expanded(hypothesis))
        reader = Reader()
        self.goal = reader.statement(claim.expanded(claim.formula), self.values)
        self.conditions = reader.conditions

    def _quantify(self, parameter: Any) -> None:
        name = name_of(parameter.name)
        if isinstance(parameter, Real | Integer):
            self.values[parameter.name] = self._number(name, parameter)
        elif isinstance(parameter, Vector) and str(parameter.length).isdigit():
            entries = [
                self._number(f"{name}_{k}", parameter) for k in range(int(str(parameter.length)))
            ]
            self.values[parameter.name] = entries
            if parameter.increasing:
                pairs = pairwise(entries)
                self.premises += [f"({a.text} <= {b.text})" for a, b in pairs]
        else:
            raise NotExported(f"{parameter.name} is no single number")

    def _number(self, name: str, parameter: Any) -> Term:
        if name in self.numbers:
            raise NotExported(f"{name} stands for two numbers")
        self.numbers.append(name)
        if isinstance(parameter, Integer):
            self.premises.append(f"whole {name}")
        for end, sign in (("low", ">"), ("high", "<")):
            bound = getattr(parameter, end)
            if bound is not None:
                opened = getattr(parameter, f"{end}_open", False)
                self._assume(f"{parameter.name} {sign}{'' if opened else '='} ({bound})",
                             {parameter.name: Term(name)})  # fmt: skip
        return Term(name)

    def _assume(self, text: str, more: Mapping[str, Any] | None = None) -> None:
        reader = Reader()
        found = reader.statement(text, {**self.values, **(more or {})})
        self.premises += [*reader.conditions, found]

    @property
    def statement(self) -> str:
        """The proposition that the theorem states."""
        quantified = f"forall {' '.join(self.numbers)} : R,\n  " if self.numbers else ""
        premises = "".join(f"{premise} ->\n  " for premise in self.premises)
        return f"{quantified}{premises}" + " /\\\n  ".join([self.goal, *self.conditions])
