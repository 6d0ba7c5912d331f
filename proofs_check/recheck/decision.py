"""The recheck's decision procedure over the reals: cvc5, where the exact engine uses z3.

What is not polynomial is an unknown real number; of exp, log, sqrt and pi only this is known:
exp(x) > 0, exp(x) >= 1+x, exp(x) <= 1 for x <= 0; 1 - 1/x <= log(x) <= x - 1 for x > 0;
sqrt(x)^2 = x, sqrt(x) >= 0 for x >= 0; x^y > 0 for x > 0; 3 < pi < 22/7.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_check.recheck.rational_interval import NotDecided

_WORK_LIMIT = "20000000"


def follows(premises: Sequence[str], conclusion: str) -> bool:
    """Whether every real point that satisfies the premises satisfies the conclusion."""
    reader = _Reader()
    terms = [reader.read(ast.parse(text.strip(), mode="eval").body) for text in premises]
    goal = reader.read(ast.parse(conclusion.strip(), mode="eval").body)
    for term in (*terms, *reader.facts, reader.make("NOT", goal)):
        reader.solver.assertFormula(term)
    return bool(reader.solver.checkSat().isUnsat())


class _Reader:
    """Formulas as terms of one cvc5 solver."""

    def __init__(self) -> None:
        import cvc5  # slow to load, needed here only

        self.kinds = cvc5.Kind
        self.terms = cvc5.TermManager()
        self.solver = cvc5.Solver(self.terms)
        self.solver.setLogic("QF_NRA")
        self.solver.setOption("rlimit-per", _WORK_LIMIT)
        self.facts: list[Any] = []
        self.unknowns: dict[str, Any] = {}

    def make(self, kind: str, *parts: Any) -> Any:
        return self.terms.mkTerm(getattr(self.kinds, kind), *parts)

    def number(self, value: int | Fraction) -> Any:
        fraction = Fraction(value)
        return self.terms.mkReal(fraction.numerator, fraction.denominator)

    def unknown(self, name: str) -> Any:
        if name not in self.unknowns:
            self.unknowns[name] = self.terms.mkConst(self.terms.getRealSort(), name)
        return self.unknowns[name]

    def read(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return self.number(Fraction(str(node.value)))
        if isinstance(node, ast.Name):
            name = self.unknown(node.id)
            if node.id == "pi":
                self.facts += [
                    self.make("GT", name, self.number(3)),
                    self.make("LT", name, self.number(Fraction(22, 7))),
                ]
            return name
        if isinstance(node, ast.UnaryOp):
            value = self.read(node.operand)
            return self.make("NEG", value) if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.IfExp):
            parts = [self.read(part) for part in (node.test, node.body, node.orelse)]
            return self.make("ITE", *parts)
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self.unknown(ast.unparse(node))
        raise NotDecided(f"{type(node).__name__} is not part of an algebraic step")

    def _arithmetic(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Pow):
            exponent = node.right
            if not (isinstance(exponent, ast.Constant) and isinstance(exponent.value, int)):
                value, zero = self.unknown(ast.unparse(node)), self.number(0)
                positive = [self.make("GT", x, zero) for x in (self.read(node.left), value)]
                self.facts.append(self.make("IMPLIES", *positive))
                return value
            if exponent.value == 0:
                return self.number(1)
            base = self.read(node.left)
            return self.make("MULT", *[base] * exponent.value) if exponent.value > 1 else base
        kinds = {ast.Add: "ADD", ast.Sub: "SUB", ast.Mult: "MULT", ast.Div: "DIVISION_TOTAL"}
        left, right = self.read(node.left), self.read(node.right)
        return self.make(kinds[type(node.op)], left, right)

    def _comparison(self, node: ast.Compare) -> Any:
        kinds = {ast.LtE: "LEQ", ast.Lt: "LT", ast.GtE: "GEQ", ast.Gt: "GT"}
        left, right = self.read(node.left), self.read(node.comparators[0])
        operator = type(node.ops[0])
        if operator in kinds:
            return self.make(kinds[operator], left, right)
        equal = self.make("EQUAL", left, right)
        return equal if operator is ast.Eq else self.make("NOT", equal)

    def _call(self, node: ast.Call) -> Any:
        word = node.func.id if isinstance(node.func, ast.Name) else ""
        generated = any(isinstance(a, ast.GeneratorExp | ast.ListComp) for a in node.args)
        few = len(node.args) < 2
        if (
            generated
            or word not in ("min", "max", "abs", "exp", "log", "sqrt")
            or (few and word in ("min", "max"))
        ):
            return self.unknown(ast.unparse(node))
        arguments = [self.read(argument) for argument in node.args]
        x, zero, one = arguments[0], self.number(0), self.number(1)
        if word in ("min", "max"):
            best = x
            for other in arguments[1:]:
                closer = self.make("LT" if word == "min" else "GT", other, best)
                best = self.make("ITE", closer, other, best)
            return best
        if word == "abs":
            return self.make("ITE", self.make("GEQ", x, zero), x, self.make("NEG", x))
        value = self.unknown(ast.unparse(node))
        if word == "sqrt":
            square = self.make("EQUAL", self.make("MULT", value, value), x)
            known = self.make("AND", self.make("GEQ", value, zero), square)
            self.facts.append(self.make("IMPLIES", self.make("GEQ", x, zero), known))
        elif word == "exp":
            tangent = self.make("GEQ", value, self.make("ADD", one, x))
            below = self.make("IMPLIES", self.make("LEQ", x, zero), self.make("LEQ", value, one))
            self.facts += [self.make("GT", value, zero), tangent, below]
        else:
            above = self.make("LEQ", value, self.make("SUB", x, one))
            under = self.make("GEQ", self.make("MULT", value, x), self.make("SUB", x, one))
            known = self.make("AND", above, under)
            self.facts.append(self.make("IMPLIES", self.make("GT", x, zero), known))
        return value
