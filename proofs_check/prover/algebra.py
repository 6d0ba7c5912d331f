"""Formulas for the exact engine: as sympy expressions, and as terms of z3 over the reals.

For z3, what is not polynomial is an unknown real number, of which only this is known:
exp(x) > 0, exp(x) >= 1+x, exp(x) <= 1 for x <= 0; 1 - 1/x <= log(x) <= x - 1 for x > 0;
sqrt(x)^2 = x, sqrt(x) >= 0 for x >= 0; x^y > 0 for x > 0; 3 < pi < 22/7.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import Integer, Real, Vector

_WORK_LIMIT = 40_000_000
_KNOWN_CALLS = {"min", "max", "abs", "sqrt", "exp", "log"}


class StepFailed(ArithmeticError):
    """A step of a proof was not decided; the message says which and why."""


class Vacuous(StepFailed):
    """No point satisfies the premises of a step."""


def to_sympy(claim: Claim, text: str, given: dict[str, Any] | None = None) -> Any:
    """A formula of a claim as a sympy expression; unknown names become real symbols."""
    import sympy

    values = {**symbols_of(claim), **(given or {})}
    for name in formula.names(text) - set(values):
        values[name] = sympy.Symbol(name, real=True)
    return SympyTree(values).visit(formula.parse(text).body)


def symbols_of(claim: Claim) -> dict[str, Any]:
    """The parameters of a claim as sympy symbols, with the signs that their domains imply."""
    import sympy

    symbols: dict[str, Any] = {}
    for parameter in claim.parameters:
        name = parameter.name
        if isinstance(parameter, Integer):
            symbols[name] = sympy.Symbol(name, integer=True)
        elif isinstance(parameter, Vector) and isinstance(parameter.length, int):
            symbols[name] = [
                sympy.Symbol(f"{name}_{k}", real=True) for k in range(parameter.length)
            ]
        elif isinstance(parameter, Real):
            low = parameter.low
            numeric = isinstance(low, int) or (isinstance(low, str) and _is_number(low))
            sign = Fraction(low) if numeric and low is not None else Fraction(-1)
            positive = sign > 0 or (sign == 0 and parameter.low_open)
            symbols[name] = sympy.Symbol(
                name, real=True, positive=positive or None, nonnegative=(sign >= 0) or None
            )
    return symbols


class SympyTree(ast.NodeVisitor):
    """A formula as a sympy expression; sums over symbolic ranges are summed in closed form."""

    def __init__(self, values: dict[str, Any]) -> None:
        import sympy

        self.sympy = sympy
        self.values = values

    def visit_Name(self, node: ast.Name) -> Any:
        return self.sympy.pi if node.id == "pi" else self.values[node.id]

    def visit_Constant(self, node: ast.Constant) -> Any:
        return self.sympy.Rational(str(node.value))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        return -value if isinstance(node.op, ast.USub) else value

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        return left / right if isinstance(node.op, ast.Div) else left**right

    def visit_List(self, node: ast.List) -> Any:
        return [self.visit(item) for item in node.elts]

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return [self.visit(item) for item in node.elts]

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        return self.visit(node.value)[int(self.visit(node.slice))]

    def visit_Call(self, node: ast.Call) -> Any:
        assert isinstance(node.func, ast.Name)
        word = node.func.id
        if word in ("sum", "prod") and isinstance(node.args[0], ast.GeneratorExp):
            return self._accumulated(word, node.args[0])
        arguments = [self.visit(argument) for argument in node.args]
        sympy = self.sympy
        simple = {
            "log": sympy.log, "exp": sympy.exp, "sqrt": sympy.sqrt, "sin": sympy.sin,
            "abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max, "floor": sympy.floor,
            "ceil": sympy.ceiling, "gamma": sympy.gamma, "erf": sympy.erf,
        }  # fmt: skip
        if word in simple:
            return simple[word](*arguments)
        if word == "det":
            return sympy.Matrix(arguments[0]).det(method="berkowitz")
        shapes = formula.shapes()
        if word in shapes:
            whole = [int(a) if getattr(a, "is_Integer", False) and word in ("identity", "ones")
                     else a for a in arguments]  # fmt: skip
            return shapes[word](*whole)
        raise StepFailed(f"{word} has no symbolic form")

    def _accumulated(self, word: str, node: ast.GeneratorExp) -> Any:
        limits = []
        outer = dict(self.values)
        for generator in node.generators:
            if generator.ifs or not isinstance(generator.target, ast.Name):
                raise StepFailed("only plain ranges are summed in closed form")
            call = generator.iter
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
                    and call.func.id == "range"):  # fmt: skip
                raise StepFailed("only ranges are summed in closed form")
            ends = [self.visit(argument) for argument in call.args]
            low, high = (self.sympy.Integer(0), ends[0]) if len(ends) == 1 else ends[:2]
            index = self.sympy.Symbol(generator.target.id, integer=True)
            self.values[generator.target.id] = index
            limits.append((index, low, high - 1))
        numeric = all(low.is_Integer and high.is_Integer for _, low, high in limits)
        if numeric and not any(index in high.free_symbols for index, _, high in limits):
            value = self._finite(word, node, limits)
        elif word == "prod":
            raise StepFailed("a product over a symbolic range has no closed form here")
        else:
            value = self.visit(node.elt)
            for limit in reversed(limits):
                value = self.sympy.summation(self.sympy.expand(value), limit)
        self.values = outer
        return value

    def _finite(self, word: str, node: ast.GeneratorExp, limits: list[Any]) -> Any:
        """Few terms with numeric ends: written out, so that indexing works."""
        from itertools import product

        names = [str(index) for index, _, _ in limits]
        value = self.sympy.Integer(1 if word == "prod" else 0)
        for point in product(*(range(int(low), int(high) + 1) for _, low, high in limits)):
            self.values.update(zip(names, map(self.sympy.Integer, point), strict=True))
            term = self.visit(node.elt)
            value = value * term if word == "prod" else value + term
        return value

    def generic_visit(self, node: ast.AST) -> Any:
        raise StepFailed(f"{type(node).__name__} has no symbolic form")


def entails(
    claim: Claim, given: Sequence[str], conclusion: str, *, vacuously: bool = False
) -> bool:
    """Whether the conclusion holds at all real points where the given and the domain hold.

    Raises `Vacuous` where no point satisfies them: from a contradiction everything follows. With
    `vacuously` that is let be, for conditions on a branch that may never be taken.
    """
    import z3

    tree = Z3Tree()
    solver = z3.Solver()
    # A limit on work, not on time: the verdict must not depend on how busy the machine is.
    solver.set("rlimit", _WORK_LIMIT)
    conditions = [tree.visit(_read(text)) for text in (*given, *domain_comparisons(claim))]
    goal = tree.visit(_read(conclusion))
    solver.add(*conditions, *tree.facts)
    if not vacuously and solver.check() == z3.unsat:
        raise Vacuous("no point satisfies the premises: the step is vacuous")
    solver.add(z3.Not(goal))
    return bool(solver.check() == z3.unsat)


@lru_cache(maxsize=4096)
def _read(text: str) -> ast.expr:
    """The tree of a formula, to be read only."""
    return formula.parse(text).body


def domain_comparisons(claim: Claim) -> list[str]:
    """The domain of the scalar parameters as comparisons."""
    texts = []
    for parameter in claim.parameters:
        if not isinstance(parameter, Real | Integer):
            continue
        low_open = isinstance(parameter, Real) and parameter.low_open
        high_open = isinstance(parameter, Real) and parameter.high_open
        if parameter.low is not None:
            texts.append(f"{parameter.name} {'>' if low_open else '>='} {parameter.low}")
        if parameter.high is not None:
            texts.append(f"{parameter.name} {'<' if high_open else '<='} {parameter.high}")
    return texts


class Z3Tree(ast.NodeVisitor):
    """A formula over the reals for z3; what is not polynomial becomes an unknown number."""

    def __init__(self) -> None:
        import z3

        self.z3 = z3
        self.facts: list[Any] = []

    def visit_Name(self, node: ast.Name) -> Any:
        name = self.z3.Real(node.id)
        if node.id == "pi":
            self.facts += [name > 3, name < self.z3.Q(22, 7)]
        return name

    def visit_Constant(self, node: ast.Constant) -> Any:
        value = Fraction(str(node.value))
        return self.z3.Q(value.numerator, value.denominator)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        return -value if isinstance(node.op, ast.USub) else value

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Pow):
            exponent = node.right
            if isinstance(exponent, ast.Constant) and isinstance(exponent.value, int):
                value = self.z3.Q(1, 1)
                base = self.visit(node.left)
                for _ in range(exponent.value):
                    value = value * base
                return value
            value, base = self._unknown(node), self.visit(node.left)
            self.facts.append(self.z3.Implies(base > 0, value > 0))
            return value
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        return left * right if isinstance(node.op, ast.Mult) else left / right

    def visit_Compare(self, node: ast.Compare) -> Any:
        left, right = self.visit(node.left), self.visit(node.comparators[0])
        operator = type(node.ops[0])
        if operator in (ast.LtE, ast.Lt):
            return left <= right if operator is ast.LtE else left < right
        if operator in (ast.GtE, ast.Gt):
            return left >= right if operator is ast.GtE else left > right
        return left == right if operator is ast.Eq else left != right

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.z3.If(self.visit(node.test), self.visit(node.body), self.visit(node.orelse))

    def visit_Call(self, node: ast.Call) -> Any:
        assert isinstance(node.func, ast.Name)
        word = node.func.id
        plain = not any(isinstance(a, ast.GeneratorExp | ast.ListComp) for a in node.args)
        if word not in _KNOWN_CALLS or not plain or (word in ("min", "max")
                                                          and len(node.args) == 1):  # fmt: skip
            return self._unknown(node)
        arguments = [self.visit(argument) for argument in node.args]
        if word == "abs":
            return self.z3.If(arguments[0] >= 0, arguments[0], -arguments[0])
        if word == "sqrt":
            root = self._unknown(node)
            known = self.z3.And(root >= 0, root * root == arguments[0])
            self.facts.append(self.z3.Implies(arguments[0] >= 0, known))
            return root
        if word in ("exp", "log"):
            return self._elementary(word, node, arguments[0])
        best = arguments[0]
        for other in arguments[1:]:
            smaller = other < best if word == "min" else other > best
            best = self.z3.If(smaller, other, best)
        return best

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        return self._unknown(node)

    def _elementary(self, word: str, node: ast.Call, argument: Any) -> Any:
        """exp(x) or log(x) as an unknown number between its tangents at 0 and at 1."""
        value = self._unknown(node)
        if word == "exp":
            below = self.z3.Implies(argument <= 0, value <= 1)
            self.facts += [value > 0, value >= 1 + argument, below]
        else:
            tangents = self.z3.And(value <= argument - 1, value * argument >= argument - 1)
            self.facts.append(self.z3.Implies(argument > 0, tangents))
        return value

    def _unknown(self, node: ast.expr) -> Any:
        return self.z3.Real(f"[{ast.unparse(node)}]")

    def generic_visit(self, node: ast.AST) -> Any:
        raise StepFailed(f"{type(node).__name__} cannot be part of an algebraic step")


def _is_number(text: str) -> bool:
    try:
        Fraction(text)
    except ValueError:
        return False
    return True
