"""A claim over numbers as a statement that a person reads: what scripts prove, and ledgers show.

What Coq makes total (1/0, log(-1), sqrt(-1)) has a value in the language only where its condition
holds, so every statement has the conditions beside the formula. Nothing here has to be believed:
the kernel accepts a theorem for the tree of the claim (`export`), which this one must imply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import Integer, Real
from proofs_check.prover.export import NotExported

_KEYWORDS = frozenset(
    {"R", "Z", "N", "Q", "IZR", "PI", "ln", "as", "at", "cofix", "else", "end", "exists", "fix"}
    | {"for", "forall", "fun", "if", "in", "let", "match", "mod", "nat", "return", "Set", "Prop"}
    | {"Type", "SProp", "then", "using", "where", "with", "D0", "Rmin", "Rmax", "Rabs", "Rpower"}
    | {"whole", "power"}
)
_MOST_CHARACTERS = 60_000
_LARGEST_EXPONENT = 400


class Term:
    """A real number of the proof assistant, as text."""

    def __init__(self, text: str) -> None:
        if len(text) > _MOST_CHARACTERS:
            raise NotExported("the statement is too long")
        self.text = text

    def __add__(self, other: Any) -> Term:
        return self if other == 0 else Term(f"({self.text} + {text_of(other)})")

    def __radd__(self, other: Any) -> Term:
        return self if other == 0 else Term(f"({text_of(other)} + {self.text})")

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


def text_of(value: Any) -> str:
    """A number or a term as text in Coq's scope of real numbers."""
    if isinstance(value, Term):
        return value.text
    if not isinstance(value, int):
        raise NotExported("a list or a comparison stands where a number belongs")
    return str(value) if value >= 0 else f"(- {-value})"


class Reader:
    """Evaluates formulas to terms and collects the conditions under which they have a value."""

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.guards: list[str] = []

    def require(self, condition: str) -> None:
        """Note a condition, with the branches in which it matters."""
        text = condition
        for guard in reversed(self.guards):
            text = f"({guard} -> {text})"
        if text not in self.conditions:
            self.conditions.append(text)

    def vocabulary(self) -> dict[str, Any]:
        """The words of the language in terms of Coq's."""
        return {
            "divide": self.divide,
            "power": self.power,
            "compare": lambda sign, a, b: (sign, text_of(a), text_of(b)),
            "choose": self.choose,
            "log": lambda x: self.partial("ln", x, "<"),
            "sqrt": lambda x: self.partial("sqrt", x, "<="),
            "exp": lambda x: Term(f"(exp {text_of(x)})"),
            "normal_cdf": lambda x: Term(f"(normal_cdf {text_of(x)})"),
            "abs": lambda x: Term(f"(Rabs {text_of(x)})"),
            "floor": lambda x: Term(f"(IZR (Int_part {text_of(x)}))"),
            "min": lambda *values: _folded("Rmin", values),
            "max": lambda *values: _folded("Rmax", values),
            "sum": lambda values: reduce(lambda a, b: a + b, values, 0),
            "det": determinant,
            "pi": Term("PI"),
        }

    def partial(self, word: str, argument: Any, sign: str) -> Term:
        """A function that has a value only above 0, or from 0 on."""
        self.require(f"0 {sign} {text_of(argument)}")
        return Term(f"({word} {text_of(argument)})")

    def divide(self, left: Any, right: Any) -> Any:
        """left/right, where right is not 0."""
        if isinstance(left, int) and isinstance(right, int) and right:
            left, right = Fraction(left, right).as_integer_ratio()
            if right == 1:
                return left
        else:
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
        first = self.branch(comparison(test), then)
        second = self.branch(f"(~ {comparison(test)})", other)
        if sign == "!=":
            first, second = second, first
        decided = f"{decides.get(sign, 'Req_EM_T')} {left} {right}"
        return Term(f"(if {decided} then {first} else {second})")

    def branch(self, guard: str, part: Callable[[], Any]) -> str:
        """The text of what matters only where a guard holds."""
        self.guards.append(guard)
        text = text_of(part())
        self.guards.pop()
        return text

    def statement(self, text: str, values: Mapping[str, Any]) -> str:
        """A comparison as a proposition."""
        try:
            relation = formula.evaluate(text, self.vocabulary(), values)
        except (NameError, TypeError, ValueError, LookupError, AttributeError) as error:
            raise NotExported(f"{text[:60]} is no formula over single numbers ({error})") from None
        if not isinstance(relation, tuple):
            raise NotExported(f"{text[:60]} is no comparison")
        return comparison(relation)


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


def statement_of(claim: Claim) -> str:
    """A claim as a proposition: domain -> hypotheses -> formula and its conditions."""
    if claim.sentence:
        raise NotExported("a sentence about runs")
    if not claim.formula:
        raise NotExported("no formula: a theorem is the claim")
    numbers: dict[str, Term] = {}
    premises: list[str] = []

    def assume(text: str) -> None:
        reader = Reader()
        premise = reader.statement(text, numbers)
        premises.extend([*reader.conditions, premise])

    for parameter in claim.parameters:
        if not isinstance(parameter, Real | Integer):
            raise NotExported(f"{parameter.name} is no single number")
        number = Term(f"{parameter.name}_" if parameter.name in _KEYWORDS else parameter.name)
        if number.text in [other.text for other in numbers.values()]:
            raise NotExported(f"{number.text} stands for two numbers")
        numbers[parameter.name] = number
        if isinstance(parameter, Integer):
            premises.append(f"whole {number.text}")
        for end, sign in (("low", ">"), ("high", "<")):
            bound = getattr(parameter, end)
            if bound is not None:
                sign += "" if getattr(parameter, f"{end}_open", False) else "="
                assume(f"{parameter.name} {sign} ({bound})")
    for hypothesis in claim.hypotheses:
        assume(claim.expanded(hypothesis))
    reader = Reader()
    goal = reader.statement(claim.expanded(claim.formula), numbers)
    quantified = f"forall {' '.join(n.text for n in numbers.values())} : R,\n  " if numbers else ""
    owed = " /\\\n  ".join([goal, *reader.conditions])
    return quantified + "".join(f"{premise} ->\n  " for premise in premises) + owed
