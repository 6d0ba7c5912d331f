"""Formulas: the statements of claims as text that several arithmetics evaluate.

A formula is a Python expression in a small vocabulary; its meaning stands in docs/language.md, and
whatever has none there is refused by `parse`. The same tree is evaluated in floats (to search) and
in exact numbers and balls (to decide) by the words of `arithmetics`, and as terms of the proof
assistant (to prove) by those of `proofs_check.prover.export`. This file is believed.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from functools import lru_cache
from itertools import count
from types import CodeType
from typing import Any, NamedTuple

from bounds.errors import CtvBoundsError, did_you_mean

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.LtE: "<=",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_ALLOWED = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.Pow,
    ast.USub,
    ast.UAdd,
    ast.Constant,
    ast.Name,
    ast.Load,
    ast.Store,
    ast.Call,
    ast.Compare,
    ast.IfExp,
    ast.Subscript,
    ast.GeneratorExp,
    ast.ListComp,
    ast.comprehension,
    ast.List,
    *_OPERATORS,
)
_NUMBER = re.compile(r"[0-9]*\.?[0-9]*([eE][+-]?[0-9]{1,3})?")
_LONGEST = 100_000
_MOST_DIGITS = 1_000
_MOST_INDICES = 300_000
NUMBER, COMPARISON = "number", "comparison"
Kind = str | tuple["Kind", ...]
"""A number, a comparison, or a list of a kind: `("number",)`, a matrix `(("number",),)`."""
LIST: Kind = (NUMBER,)
MATRIX: Kind = (LIST,)
TAKES: dict[str, tuple[tuple[Kind, ...], Kind]] = {
    **dict.fromkeys(
        ("log", "exp", "sqrt", "sin", "erf", "gamma", "normal_cdf", "floor", "ceil", "abs"),
        ((NUMBER,), NUMBER),
    ),
    "bessel_k": ((NUMBER, NUMBER), NUMBER),
    **dict.fromkeys(("sum", "prod"), ((LIST,), NUMBER)),
    **dict.fromkeys(("det", "trace"), ((MATRIX,), NUMBER)),
    "eigenvalues": ((MATRIX,), LIST),
    "transpose": ((MATRIX,), MATRIX),
    **dict.fromkeys(("identity", "ones"), ((NUMBER,), MATRIX)),
    "diagonal": ((LIST,), MATRIX),
    **dict.fromkeys(("hadamard", "add", "matmul"), ((MATRIX, MATRIX), MATRIX)),
    "scale": ((NUMBER, MATRIX), MATRIX),
    "outer": ((LIST, LIST), MATRIX),
    "block": ((MATRIX, NUMBER, NUMBER), MATRIX),
}
"""The kinds of the arguments of a word, and that of its value."""
WORDS = {
    **{word: (len(takes), len(takes)) for word, (takes, _) in TAKES.items()},
    **dict.fromkeys(("all", "len"), (1, 1)),
    "range": (1, 2),
    **dict.fromkeys(("min", "max"), (1, 100)),
}
"""The functions of the language, with the fewest and the most arguments of each."""


class Defined(NamedTuple):
    """A word of the field, as a formula of its arguments in the other words."""

    arguments: tuple[str, ...]
    formula: str


DEFINED = {
    "information_gain": Defined(("K", "w"), "log(det(add(identity(len(K)), scale(1/w, K))))/2"),
    "posterior_variance": Defined(
        ("K", "w", "t"),
        "w*(det(add(identity(t+1), scale(1/w, block(K, 0, t+1))))"
        "/det(add(identity(t), scale(1/w, block(K, 0, t)))) - 1)",
    ),
    "posterior_mean": Defined(
        ("K", "w", "y", "t"),
        "1 - det(add(add(block(K, 0, t), scale(w, identity(t))),"
        " scale(-1, outer([y[i] for i in range(t)], [K[t][j] for j in range(t)]))))"
        "/det(add(block(K, 0, t), scale(w, identity(t))))",
    ),
    "elliptic_potential": Defined(
        ("K", "w"), "sum(min(1, posterior_variance(K, w, t)/w) for t in range(len(K)))"
    ),
    "gp_ucb_beta": Defined(("D", "t", "delta"), "2*log(D*pi**2*t**2/(6*delta))"),
    "rkhs_value": Defined(("K", "a", "i"), "sum(K[i][j]*a[j] for j in range(len(a)))"),
    "rkhs_norm": Defined(
        ("K", "a"),
        "sqrt(sum(a[i]*a[j]*K[i][j] for i in range(len(a)) for j in range(len(a))))",
    ),
    "confidence_event": Defined(
        ("f", "mean", "sd", "b"),
        "all(abs(f[t] - mean[t]) <= sqrt(b[t])*sd[t] for t in range(len(f)))",
    ),
    "sub_gaussian": Defined(
        ("p", "z", "R", "l"),
        "sum(p[k]*exp(l*z[k]) for k in range(len(p))) <= exp(l**2*R**2/2)",
    ),
}
"""The words of the field. `parse` writes them out, so that no arithmetic needs to know them."""
WORDS |= {word: (len(definition.arguments),) * 2 for word, definition in DEFINED.items()}

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
RESERVED = {*WORDS, "pi", "divide", "power", "compare", "choose", "item", *keyword.kwlist}
"""What no parameter and no index may be called."""


class BadFormula(CtvBoundsError, ValueError):
    """A formula is not in the language; the message quotes it."""


class Relation(NamedTuple):
    """A comparison of two formulas, `left operator right`."""

    left: str
    operator: str
    right: str


@lru_cache(maxsize=8192)
def parse(text: str) -> ast.Expression:
    """The tree of a formula, to be read only; raises `BadFormula` for what is no formula."""
    if len(text) > _LONGEST:
        raise BadFormula(f"a formula has at most {_LONGEST} characters: {text[:60]!r}…")
    if not text.isascii() or not text.isprintable():
        raise BadFormula(f"a formula is one line of ASCII: {text[:60]!r}")
    if "#" in text:
        raise BadFormula(f"a formula has no comments: {text[:60]!r}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
        return ast.fix_missing_locations(_Door(text.strip()).visit(tree))  # type: ignore[no-any-return]
    except BadFormula:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        fault = getattr(error, "msg", "too deep or too long")
        raise BadFormula(f"cannot read the formula {text[:60]!r}: {fault}") from None


class _Door(ast.NodeTransformer):
    """Refuses what has no meaning, and writes a decimal as the fraction that it stands for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.taken = set(re.findall(r"\w+", text))

    def _refuse(self, fault: str) -> BadFormula:
        return BadFormula(f"{fault}: {self.text[:200]!r}")

    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, _ALLOWED):
            raise self._refuse(f"{type(node).__name__} is not part of a formula")
        return super().visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        # On one line, in ASCII: columns are characters. Other lines begin inside parentheses.
        whole = node.lineno == node.end_lineno == 1
        segment = self.text[node.col_offset : node.end_col_offset] if whole else ""
        written = segment or ast.get_source_segment(self.text, node) or ""
        if len(written) > _MOST_DIGITS or not _NUMBER.fullmatch(written):
            raise self._refuse(f"{written[:60]} is no number of this language")
        top, bottom = Fraction(written).as_integer_ratio()
        if bottom == 1:
            return ast.Constant(top)
        return ast.BinOp(ast.Constant(top), ast.Div(), ast.Constant(bottom))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id.startswith("_"):
            raise self._refuse("names in a formula do not begin with _")
        if node.id in RESERVED and (node.id != "pi" or isinstance(node.ctx, ast.Store)):
            raise self._refuse(f"{node.id} is a word of the language, not a number")
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) != 1:
            raise self._refuse("write one comparison at a time")
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        if not isinstance(node.test, ast.Compare):
            raise self._refuse("a branch asks for a comparison")
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.slice, ast.Tuple | ast.List):
            raise self._refuse("an index is one integer")
        if isinstance(node.slice, ast.UnaryOp):
            raise self._refuse("an index counts from 0 and does not wrap")
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        plain = isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func) == "range"
        if not plain or node.ifs or node.is_async or not isinstance(node.target, ast.Name):
            raise self._refuse("an index runs over range(...), without conditions")
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        word = ast.unparse(node.func)
        if word not in WORDS:
            meant = did_you_mean(word, WORDS)
            raise self._refuse(f"{word[:60]} is not a word of the language{meant}")
        least, most = WORDS[word]
        if node.keywords or not least <= len(node.args) <= most:
            many = f"{least}" if least == most else f"{least} to {most}"
            raise self._refuse(f"{word} takes {many} argument{'s' * (most > 1)}")
        if word == "all" and not isinstance(node.args[0], ast.GeneratorExp):
            raise self._refuse("all is of a comparison at every index: all(… for k in range(…))")
        arguments = [self.visit(argument) for argument in node.args]
        if word in DEFINED:
            return self._written_out(word, arguments)
        return ast.Call(node.func, arguments, [])

    def _written_out(self, word: str, arguments: Sequence[ast.expr]) -> ast.AST:
        """The definition of a word at these arguments, its indices under names of their own."""
        names, meaning = DEFINED[word]
        body = deepcopy(parse(meaning).body)
        own = {node.target.id for node in ast.walk(body) if isinstance(node, ast.comprehension)}  # type: ignore[attr-defined]
        meanings: dict[str, ast.expr] = dict(zip(names, arguments, strict=True))
        for index in sorted(own):
            stem = index.partition("_")[0]
            fresh = next(f"{stem}_{k}" for k in count(1) if f"{stem}_{k}" not in self.taken)
            self.taken.add(fresh)
            meanings[index] = ast.Name(fresh, ast.Load())
        return _Substitution(meanings).visit(body)  # type: ignore[no-any-return]


def is_condition(word: str) -> bool:
    """Whether a word of the field is a comparison, or one at every index.

    >>> is_condition("confidence_event"), is_condition("information_gain")
    (True, False)
    """
    tree = parse(DEFINED[word].formula).body
    return isinstance(tree, ast.Compare) or is_all(tree)


@lru_cache(maxsize=4096)
def relation(text: str) -> Relation:
    """Split a formula that compares two sides; of one at every index, the lists of the sides.

    >>> relation("log(1+x) <= x").operator
    '<='
    >>> relation("all(v[k] >= 0 for k in range(n))").left
    '[v[k] for k in range(n)]'
    """
    tree = parse(text).body
    if is_all(tree):
        sides, over = tree.args[0].elt, tree.args[0].generators  # type: ignore[attr-defined]
        left, sign, right = relation(ast.unparse(sides))
        lists = (ast.ListComp(parse(side).body, over) for side in (left, right))
        first, last = map(ast.unparse, lists)
        return Relation(first, sign, last)
    if not isinstance(tree, ast.Compare):
        raise BadFormula(f"a statement compares two sides: {text!r}")
    return Relation(
        ast.unparse(tree.left), _OPERATORS[type(tree.ops[0])], ast.unparse(tree.comparators[0])
    )


def is_all(tree: ast.AST) -> bool:
    """Whether a tree asks for a comparison at every index of ranges."""
    return isinstance(tree, ast.Call) and ast.unparse(tree.func) == "all"


def expand(text: str, definitions: Sequence[tuple[str, str]]) -> str:
    """Replace defined names by their definitions, the last definition first; nothing is captured.

    >>> expand("x + y", [("x", "2*a"), ("y", "x**2")])
    '2 * a + (2 * a) ** 2'
    """
    texts = [text, *(meaning for _, meaning in definitions)]
    captured = frozenset().union(*map(indices, texts)) & {name for t in texts for name in names(t)}
    if captured:
        raise BadFormula(f"{min(captured)} is an index and a number: {text[:60]!r}")
    if not definitions:
        return ast.unparse(parse(text))
    tree: ast.AST = deepcopy(parse(text))
    for name, meaning in reversed(definitions):
        tree = _Substitution({name: parse(meaning).body}).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree))


@lru_cache(maxsize=8192)
def names(text: str) -> frozenset[str]:
    """The free names of a formula: parameters, not functions and not bound indices.

    >>> sorted(names("sum(k for k in range(n)) + k"))
    ['k', 'n']
    """
    return frozenset(_free(parse(text).body) - {*WORDS, "pi"})


def _free(node: ast.AST) -> set[str]:
    """The names of a tree outside the scopes of its indices."""
    if isinstance(node, ast.Name):
        return {node.id}
    if not isinstance(node, ast.GeneratorExp | ast.ListComp):
        return set().union(*map(_free, ast.iter_child_nodes(node)))
    inside = _free(node.elt)
    for over in reversed(node.generators):
        inside = (inside - _free(over.target)) | _free(over.iter)
    return inside


@lru_cache(maxsize=8192)
def indices(text: str) -> frozenset[str]:
    """The indices of the sums and lists of a formula."""
    return frozenset(
        node.target.id
        for node in ast.walk(parse(text))
        if isinstance(node, ast.comprehension) and isinstance(node.target, ast.Name)
    )


def evaluate(
    text: str, vocabulary: Mapping[str, Any], values: Mapping[str, Any], most: int = _MOST_INDICES
) -> Any:
    """The value of a formula where `values` names the parameters and `vocabulary` computes."""
    space = {**values, **vocabulary, "range": _Ranges(most), "__builtins__": {}}
    return eval(_compiled(text), space)  # the tree was checked against the allowed nodes


@lru_cache(maxsize=4096)
def _compiled(text: str) -> CodeType:
    """The formula as code that computes through the vocabulary only."""
    tree = _Vocabulary().visit(deepcopy(parse(text)))
    return compile(ast.fix_missing_locations(tree), "<formula>", "eval")


class _Vocabulary(ast.NodeTransformer):
    """Route division, powers, comparisons, branches and indices through the vocabulary."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        left, right = self.visit(node.left), self.visit(node.right)
        word = {ast.Div: "divide", ast.Pow: "power"}.get(type(node.op))
        if word is None:
            return ast.BinOp(left, node.op, right)
        return _call(word, left, right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        operator = ast.Constant(_OPERATORS[type(node.ops[0])])
        return _call("compare", operator, self.visit(node.left), self.visit(node.comparators[0]))

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        parts = self.visit(node.body), self.visit(node.orelse)
        return _call("choose", self.visit(node.test), *(ast.Lambda(_NOTHING, p) for p in parts))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return _call("item", self.visit(node.value), self.visit(node.slice))


class _Substitution(ast.NodeTransformer):
    """Writes meanings for names, all at once; of an index that is renamed its loop too."""

    def __init__(self, meanings: Mapping[str, ast.expr]) -> None:
        self.meanings = meanings

    def visit_Name(self, node: ast.Name) -> ast.AST:
        meaning = self.meanings.get(node.id)
        if isinstance(node.ctx, ast.Store) and isinstance(meaning, ast.Name):
            return ast.Name(meaning.id, ast.Store())
        return node if meaning is None else deepcopy(meaning)  # trees are shared


_NOTHING = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


def _call(word: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(word, ast.Load()), list(arguments), [])


class _Ranges:
    """The word `range`, which counts: one evaluation runs over so many indices and no more."""

    def __init__(self, most: int) -> None:
        self.left = most

    def __call__(self, *ends: Any) -> range:
        """The integers from the first end (0 where there is one) to below the last; maybe none."""
        low, high = (0, whole(ends[0])) if len(ends) == 1 else map(whole, ends)
        self.left -= max(high - low, 0)
        if self.left < 0:
            raise OverflowError("sums over too many indices")
        return range(low, high)


def whole(value: Any) -> int:
    """An index as an integer; ValueError for what is none."""
    exact = getattr(value, "denominator", getattr(value, "q", 0)) == 1
    if exact or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise ValueError("an index that is no integer")
