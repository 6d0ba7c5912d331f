"""What a part of a formula is: a number, a list, a matrix or a comparison, before anything runs.

Lists are not added, multiplied or compared, truth values are no numbers, and every word has
arguments of its kinds: whatever has no kind here has no meaning.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from proofs_check.language.formula import (
    COMPARISON,
    LIST,
    MATRIX,
    NUMBER,
    TAKES,
    BadFormula,
    Kind,
    parse,
)
from proofs_check.language.parameters import Parameter, Symmetric, Vector


def of_parameter(parameter: Parameter) -> Kind:
    """The kind of the values of a parameter."""
    if isinstance(parameter, Symmetric):
        return MATRIX
    return LIST if isinstance(parameter, Vector) else NUMBER


def kind_of(text: str, known: Mapping[str, Kind]) -> Kind:
    """The kind of a formula over names of known kinds; raises `BadFormula` where it has none.

    >>> kind_of("sum(t[k] for k in range(2)) <= 1", {"t": ("number",)})
    'comparison'
    """
    return _Reader(text).of(parse(text).body, known)


class _Reader:
    """Finds the kinds of the parts of one formula."""

    def __init__(self, text: str) -> None:
        self.text = text

    def of(self, node: ast.AST, known: Mapping[str, Kind]) -> Kind:
        match node:
            case ast.Constant() | ast.Name(id="pi"):
                return NUMBER
            case ast.Name(id=name):
                return known[name]
            case ast.UnaryOp(operand=part):
                return self._all([part], [NUMBER], known, NUMBER)
            case ast.BinOp(left=left, right=right):
                return self._all([left, right], [NUMBER, NUMBER], known, NUMBER)
            case ast.Compare(left=left, comparators=[right]):
                return self._all([left, right], [NUMBER, NUMBER], known, COMPARISON)
            case ast.IfExp(test=test, body=part, orelse=other):
                self._all([test], [COMPARISON], known, NUMBER)
                return self._same([part, other], known)
            case ast.Subscript(value=value, slice=place):
                self._all([place], [NUMBER], known, NUMBER)
                entries = self.of(value, known)
                if not isinstance(entries, tuple):
                    raise self._refuse("an index stands behind a list", value)
                return entries[0]
            case ast.List(elts=items):
                return (self._same(items, known),) if items else LIST
            case ast.ListComp(elt=item, generators=over):
                return (self._same([item], self._within(over, known)),)
            case ast.Call(func=ast.Name(id=word), args=arguments):
                return self._called(word, arguments, known)
        raise self._refuse(f"{type(node).__name__} stands where a number belongs", node)

    def _called(self, word: str, arguments: Sequence[ast.expr], known: Mapping[str, Kind]) -> Kind:
        if word == "all":
            assert isinstance(arguments[0], ast.GeneratorExp)
            within = self._within(arguments[0].generators, known)
            return self._all([arguments[0].elt], [COMPARISON], within, COMPARISON)
        if word in ("sum", "prod", "min", "max") and len(arguments) == 1:
            (argument,) = arguments
            if isinstance(argument, ast.GeneratorExp):
                argument = ast.ListComp(argument.elt, argument.generators)
            return self._all([argument], [LIST], known, NUMBER)
        if word in ("min", "max"):
            return self._all(arguments, [NUMBER] * len(arguments), known, NUMBER)
        if word == "len":
            if not isinstance(self.of(arguments[0], known), tuple):
                raise self._refuse("len is of a list", arguments[0])
            return NUMBER
        if word not in TAKES:
            raise self._refuse(f"{word} stands where a number belongs", arguments[0])
        takes, gives = TAKES[word]
        return self._all(arguments, takes, known, gives)

    def _within(
        self, over: Sequence[ast.comprehension], known: Mapping[str, Kind]
    ) -> Mapping[str, Kind]:
        for clause in over:
            assert isinstance(clause.iter, ast.Call) and isinstance(clause.target, ast.Name)
            self._all(clause.iter.args, [NUMBER] * len(clause.iter.args), known, NUMBER)
            known = {**known, clause.target.id: NUMBER}
        return known

    def _all(
        self,
        parts: Sequence[ast.AST],
        kinds: Sequence[Kind],
        known: Mapping[str, Kind],
        gives: Kind,
    ) -> Kind:
        for part, kind in zip(parts, kinds, strict=True):
            given = self.of(part, known)
            if given != kind:
                raise self._refuse(f"a {_named(given)} stands where a {_named(kind)} belongs", part)
        return gives

    def _same(self, parts: Sequence[ast.AST], known: Mapping[str, Kind]) -> Kind:
        kinds = [self.of(part, known) for part in parts]
        if set(kinds) - {kinds[0]} or COMPARISON in kinds:
            raise self._refuse("the parts are not all numbers, or all lists", parts[-1])
        return kinds[0]

    def _refuse(self, fault: str, node: ast.AST) -> BadFormula:
        return BadFormula(f"{fault}, at {ast.unparse(node)[:60]!r}: {self.text[:100]!r}")


def _named(kind: Kind) -> str:
    if isinstance(kind, str):
        return kind
    return "matrix" if kind == MATRIX else "list"
