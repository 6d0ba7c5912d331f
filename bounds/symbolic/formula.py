"""A formula: a sympy expression with what its symbols mean, when it holds and how it was derived.

The symbols are spelled as options and the paper spell them, so that `sympy.sympify(str(formula))`
reads a formula as it stands; γ_m is the undefined function `gain(m)`, as `gamma` is Euler's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import mpmath
import sympy
from numpy.typing import ArrayLike
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom
from sympy.printing.latex import LatexPrinter

from bounds.errors import InvalidInput, NumericalFailure
from bounds.rates.lattice import exact_fraction
from bounds.symbolic.evaluation import evaluate
from bounds.symbolic.reading import known_to_sympy, read

Expression: TypeAlias = Any
"""A sympy expression; sympy has no types."""

MOST_DIGITS = 1000
"""Of a value; a thousand digits take a second for a long formula."""

_GUARD = 20

_MEANING: Mapping[str, tuple[dict[str, bool], str, str]] = {
    "n": ({"integer": True, "positive": True}, "n", "number of rounds"),
    "T": ({"nonnegative": True}, "T", "total time, tau_n"),
    "epsilon": ({"nonnegative": True}, r"\varepsilon", "forgetting rate, 0 <= epsilon < 1"),
    "i": ({"integer": True, "positive": True}, "i", "number of rounds of the block"),
    "k_0": ({"integer": True, "nonnegative": True}, "k_0", "rounds before the block"),
    "n0": ({"integer": True, "positive": True}, "n_0", "the round that takes all the time"),
    "ratio": ({"positive": True}, r"\rho", "t_{k+1}/t_k"),
    "bursts": ({"integer": True, "positive": True}, "B", "number of bursts"),
    "period": ({"integer": True, "positive": True}, "p", "rounds of a period"),
    "gap": ({"nonnegative": True}, "g", "short duration"),
    "M": ({"integer": True, "positive": True}, "M", "rounds of a block"),
    "blocks": ({"integer": True, "positive": True}, "N", "number of blocks"),
    "longest": ({"integer": True, "positive": True}, "M_{\\max}", "rounds of the longest block"),
    "noise_variance": ({"positive": True}, r"\sigma^2", "variance of the noise"),
    "theta": ({"nonnegative": True}, r"\theta", "slope of the time kernel"),
    "center": (
        {"integer": True, "positive": True},
        r"\ell",
        "the centre is the block's round so numbered",
    ),
    "c": ({"nonnegative": True}, "c", "exponent of the gain, in [0, 1)"),
    "d": ({"integer": True, "positive": True}, "d", "dimension of the box"),
    "gain_slope": ({"nonnegative": True}, "g_1", "slope of the line above the gain"),
    "gain_intercept": ({"real": True}, "g_0", "intercept of the line above the gain"),
    "kappa": ({"real": True}, r"\kappa", "total drift: theta*T = n^kappa"),
    "beta_n": ({"positive": True}, r"\beta_n", "confidence parameter"),
}


def symbol(name: str) -> Expression:
    """The symbol of this name, with the assumptions that hold for what it stands for.

    >>> symbol("T").is_nonnegative, symbol("epsilon")
    (True, epsilon)
    """
    assumptions, _, _ = _MEANING[name]
    return sympy.Symbol(name, **assumptions)


def reserved(name: str) -> bool:
    """Whether a name has a meaning of its own, here or in sympy."""
    return name in _MEANING or known_to_sympy(name)


def gain(rounds: Expression) -> Expression:
    """γ_m as the undefined function `gain(m)`."""
    return sympy.Function("gain", real=True)(rounds)


@dataclass(frozen=True)
class Step:
    """One step of a derivation: what is done, and the expression that comes out (or none)."""

    text: str
    expression: Expression | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Formula:
    """An exact expression, when it holds and how it came about.

    Attributes
    ----------
    name : what it is a formula for
    expression : sympy expression in the symbols of `symbols`
    conditions : when it holds, sentences
    closed : whether it is free of unevaluated sums; a Piecewise whose last branch is a sum is not
    steps : the derivation

    >>> from bounds.symbolic.uniformity import uniformity
    >>> C = uniformity("uniform")
    >>> C.value({"n": 130, "T": 390, "epsilon": "0.01", "i": 130, "k_0": 0}, digits=20)
    116772882.00000000000
    """

    name: str
    expression: Expression
    conditions: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        return str(self.expression)

    def __repr__(self) -> str:
        return f"<Formula: {self.name} = {self}>"

    @property
    def closed(self) -> bool:
        return not self.expression.has(sympy.Sum)

    @property
    def symbols(self) -> dict[str, str]:
        """The free symbols by name, and what each stands for."""
        names = sorted(self._letters)
        return {n: _MEANING[n][2] if n in _MEANING else "a duration or a cut" for n in names}

    @property
    def latex(self) -> str:
        r"""The expression typeset, with the letters of the paper.

        >>> Formula("price", gain(symbol("M")) / symbol("noise_variance")).latex
        '\\frac{\\gamma_{M}}{\\sigma^2}'
        """
        return latex(self.expression)

    def _repr_latex_(self) -> str:
        """For notebooks."""
        return rf"$\displaystyle {self.latex}$"

    @property
    def text(self) -> str:
        """The formula, its symbols and its conditions, as lines of plain text."""
        lines = [f"{self.name} = {self}", ""]
        lines += [f"  {name}: {meaning}" for name, meaning in self.symbols.items()]
        return "\n".join([*lines, *(f"  if {line}" for line in self.conditions)])

    def to_dict(self) -> dict[str, object]:
        """`formula`, `latex`, `symbols`, `conditions`, and `derivation` as text and LaTeX."""
        return {
            "formula": str(self),
            "latex": self.latex,
            "symbols": self.symbols,
            "conditions": list(self.conditions),
            "closed": self.closed,
            "derivation": [
                {
                    "text": step.text,
                    "formula": None if step.expression is None else str(step.expression),
                    "latex": None if step.expression is None else latex(step.expression),
                }
                for step in self.steps
            ],
        }

    def step(self, number: int) -> Formula:
        """What a step of the derivation comes to, by its number as printed, from 1.

        >>> from bounds.symbolic.blocks import best_block
        >>> str(best_block("refined", "line").formula.step(3))
        'M*T*theta/(4*n*noise_variance)'
        """
        if not 1 <= number <= len(self.steps):
            raise InvalidInput("step", number, f"give a number from 1 to {len(self.steps)}")
        step = self.steps[number - 1]
        if step.expression is None:
            raise InvalidInput("step", number, "it comes to no expression: give another")
        return Formula(step.text, step.expression, self.conditions)

    def lambdify(self, *names: str, modules: str = "numpy") -> Callable[..., Any]:
        """A function of the symbols of these names, in this order, by `sympy.lambdify`.

        Of arrays where there is no sum in it, of numbers where there is one: its ends are whole.
        `modules` is one of those that sympy knows, InvalidInput is raised for another one.
        """
        arguments = [self._letters.get(name, sympy.Symbol(name)) for name in names]
        ends = {} if self.closed else {"floor": math.floor, "ceiling": math.ceil}
        try:
            return sympy.lambdify(  # type: ignore[no-any-return]
                arguments, self.expression, [ends, modules]
            )
        except NameError:
            raise InvalidInput("modules", modules, "use numpy, math, mpmath or scipy") from None

    def at(self, values: Mapping[str, object]) -> Expression:
        """The expression with exact numbers (or expressions) for symbols, by name.

        Decimals are what they say: 0.1 is 1/10. Sums over at most some million terms stay as
        they are.
        """
        own = self._letters
        numbers = {own[n]: exact(n, v) for n, v in values.items() if n in own}
        return self.expression.subs(numbers)

    def value(
        self,
        values: Mapping[str, object],
        digits: int = 15,
        gains: ArrayLike | None = None,
    ) -> Expression:
        """The number at these values to `digits` significant digits, by mpmath, rounded to nearest.

        `gains` are γ_0, γ_1, … where the gain is a function. Evaluated twice, the second time with
        more guard digits: the two must agree.

        Raises InvalidInput for digits outside 1 … 1000, a symbol without a value, or a sum of more
        than two million terms; NumericalFailure where the digits cancel.
        """
        checked_digits(digits)
        names = self._letters.keys()
        if missing := ", ".join(sorted(names - values.keys())):
            raise InvalidInput("values", missing, "give a number for each of these symbols")
        calls = self.expression.atoms(sympy.core.function.AppliedUndef)
        if calls and gains is None:
            remedy = "give the gain as a form (log, power or line) in place of the function"
            raise InvalidInput("gain", min(map(str, calls)), remedy)
        numbers = {name: exact_fraction(name, values[name]) for name in names}
        precision = digits + _GUARD
        for _ in range(4):
            first, second = (
                evaluate(self.expression, numbers, precision + more, gains) for more in (0, _GUARD)
            )
            if abs(first - second) <= abs(second) * mpmath.mpf(10) ** -(digits + 2):
                return sympy.Float(second, digits)
            precision *= 4
        raise NumericalFailure(f"{self.name}: the digits of its value cancel")

    def under(self, *assumptions: Expression) -> Formula:
        """The formula where these relations hold: their cases are decided, the rest is kept.

        Raises InvalidInput for what is no relation of sympy, such as text.

        >>> from bounds.symbolic.uniformity import uniformity
        >>> n, T, i, epsilon = (symbol(name) for name in ("n", "T", "i", "epsilon"))
        >>> uniformity("uniform").under(epsilon * T * (i - 1) <= n).expression
        T**2*i**2*(i - 1)*(i + 1)/(6*n**2)
        """
        for relation in assumptions:
            if not isinstance(relation, Relational | BooleanAtom):
                remedy = "give a relation of sympy, such as symbol('T') >= 1"
                raise InvalidInput("assumption", relation, remedy)
        conditions = self.expression.atoms(Relational)
        facts = {c: truth for r in assumptions for c in conditions if (truth := _follows(c, r))}
        expression = self.expression.xreplace(facts)
        if facts:
            expression = expression.replace(
                lambda e: isinstance(e, sympy.Piecewise), lambda e: sympy.Piecewise(*e.args)
            )
        shown = tuple(str(relation) for relation in assumptions)
        return replace(self, expression=expression, conditions=(*self.conditions, *shown))

    def put(self, values: Mapping[str, object]) -> Formula:
        """The formula with numbers or expressions for some symbols, by name."""
        return replace(self, expression=self.at(values))

    def limit(self, name: str, to: object, direction: str = "+-") -> Expression:
        """The limit where the symbol of this name goes to `to`.

        Cases are decided by the limits of their conditions. At a finite point the formulas here are
        continuous (those of uniformity in epsilon and T are), so where the expression has a value
        there that is the limit; otherwise it is sympy's, with a floor between its argument and one
        less: the limit is given where it is the same for both.

        `to` is a number, an expression, or text in the symbols of the formula. Raises InvalidInput
        where it is none of these, for an unknown symbol, and where sympy finds no limit.

        >>> from bounds.symbolic.uniformity import uniformity
        >>> uniformity("uniform").limit("n", sympy.oo)
        0
        """
        variable = self._symbol(name)
        point = self._point("limit", to)
        fraction = sympy.Dummy("fraction", nonnegative=True)
        try:
            at = _decided(self.expression, variable, point, direction)
            there = at.subs(variable, point) if point.is_finite else sympy.nan
            if not there.has(sympy.nan, sympy.zoo, sympy.oo):
                return there
            smooth = at.replace(
                lambda e: isinstance(e, sympy.floor) and e.has(variable),
                lambda e: e.args[0] - fraction,
            )
            limit = sympy.limit(smooth, variable, point, direction)
        except (NotImplementedError, TypeError, ValueError) as error:
            raise InvalidInput("limit", f"{name} -> {to}", "sympy finds no limit here") from error
        if limit.has(fraction):
            raise InvalidInput("limit", f"{name} -> {to}", "a floor has no limit here")
        return limit

    def series(self, name: str, point: object = 0, order: int = 3) -> Expression:
        """sympy's series in one symbol, of the case that holds near `point`, as `to` of `limit`.

        Raises InvalidInput as `limit` does, and for an order that is no natural number.
        """
        variable, near = self._symbol(name), self._point("series", point)
        if type(order) is not int or order < 0:
            raise InvalidInput("order", order, "give a whole number of at least 0")
        at = _decided(self.expression, variable, near, "+")
        return sympy.series(at, variable, near, order)

    @property
    def _letters(self) -> dict[str, Expression]:
        """The free symbols by name."""
        return {s.name: s for s in self.expression.free_symbols}

    def _symbol(self, name: str) -> Expression:
        """The symbol of this name, of the formula or of those that have a meaning."""
        own = self._letters
        if name not in own and name not in _MEANING:
            raise InvalidInput("symbol", name, f"use {', '.join(sorted(own))}")
        return own.get(name) or symbol(name)

    def _point(self, field: str, value: object) -> Expression:
        own = self._letters
        remedy = f"give a number, oo, or a sum or quotient of {', '.join(sorted(own)) or 'numbers'}"
        return read(field, value, {**{n: symbol(n) for n in _MEANING}, **own}, remedy)


def checked_digits(digits: int) -> int:
    """The number of digits; raises InvalidInput unless it is whole and from 1 to 1000."""
    if isinstance(digits, bool) or int(digits) != digits or not 1 <= digits <= MOST_DIGITS:
        raise InvalidInput("digits", digits, f"give a whole number from 1 to {MOST_DIGITS}")
    return digits


def exact(name: str, value: object) -> Expression:
    """A number as the rational that its decimal form says, or an expression as it is."""
    if isinstance(value, sympy.Basic):
        return value
    fraction = exact_fraction(name, value)
    return sympy.Rational(fraction.numerator, fraction.denominator)


def latex(expression: Expression) -> str:
    """An expression typeset with the letters of the paper."""
    names = {s: _MEANING[s.name][1] for s in expression.free_symbols if s.name in _MEANING}
    return str(_Letters({"symbol_names": names}).doprint(expression))


_SUBSCRIPTED: Mapping[str, str] = {
    "gain": r"\gamma",
    "tau": r"\tau",
    "rounds": "M",
    "C": "C",
    "d": "d",
    "centre": "c",
}
"""Functions that are sequences, with their letters."""


class _Letters(LatexPrinter):  # type: ignore[misc]
    """LaTeX with γ_m for the function `gain`, and the like."""

    def _print_Function(  # noqa: N802 (the printer's own name)
        self, expr: Expression, exp: str | None = None
    ) -> str:
        if type(expr).__name__ not in _SUBSCRIPTED:
            return str(super()._print_Function(expr, exp))
        letter = rf"{_SUBSCRIPTED[type(expr).__name__]}_{{{self._print(expr.args[0])}}}"
        return letter if exp is None else f"{letter}^{{{exp}}}"


def _follows(condition: Expression, relation: Expression) -> Expression | None:
    """True or False where the relation says so of the condition, None where it does not."""
    for said, truth in ((relation, sympy.true), (sympy.Not(relation), sympy.false)):
        if said == condition:
            return truth
        if all(isinstance(r, sympy.Ge | sympy.Gt | sympy.Le | sympy.Lt) for r in (said, condition)):
            strict = isinstance(said, sympy.Gt | sympy.Lt)
            if strict == isinstance(condition, sympy.Gt | sympy.Lt):
                difference = (said.gts - said.lts) - (condition.gts - condition.lts)
                if sympy.expand(difference) == 0:
                    return truth
    return None


def _decided(
    expression: Expression, variable: Expression, point: Expression, direction: str
) -> Expression:
    """The expression with every case chosen that the limit of its condition decides."""
    side = "+" if point == 0 else "-" if direction == "+-" else direction

    def choose(cases: Expression) -> Expression:
        kept = []
        for value, condition in cases.args:
            truth = condition
            if isinstance(condition, Relational) and condition.has(variable):
                gap = sympy.limit(condition.lhs - condition.rhs, variable, point, side)
                if gap.is_extended_nonzero:
                    truth = condition.func(sympy.sign(gap), 0)
            kept.append((value, truth))
            if truth == sympy.true:
                break
        return sympy.Piecewise(*kept)

    return expression.replace(lambda e: isinstance(e, sympy.Piecewise), choose)
