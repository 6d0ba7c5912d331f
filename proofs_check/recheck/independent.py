"""The recheck's own reading of formulas: an interpreter over rational intervals.

It shares no code with the engines: not the parser's rewriting, not the vocabulary, not the
arithmetic. Numbers are `Interval`s, integers where an index is asked for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from proofs_check.recheck import rational_interval as ri
from proofs_check.recheck.rational_interval import Interval, NotDecided

_NUMBER = re.compile(r"-?[0-9]{1,4000}(/0*[1-9][0-9]{0,3999}|\.[0-9]{1,4000})?")
_MATRIX_WORDS = (
    "det", "eigenvalues", "identity", "ones", "diagonal", "trace", "transpose", "scale", "outer",
    "hadamard", "add", "matmul", "block",
)  # fmt: skip
_WRITTEN = re.compile(r"([0-9]{1,1000}(\.[0-9]{0,1000})?|\.[0-9]{1,1000})([eE][+-]?[0-9]{1,3})?")
_LONGEST_TEXT = 100_000
_LONGEST_RANGE = 100_000
_LARGEST_POWER = 10**6

Value = Any  # Interval, bool, None (undecided) or lists of values
_PLAIN: dict[str, Callable[[Interval], Interval]] = {
    "exp": ri.exp,
    "log": ri.log,
    "sqrt": ri.sqrt,
    "sin": ri.sin,
    "erf": ri.erf,
    "normal_cdf": ri.normal_cdf,
}


def evaluate(text: str, values: Mapping[str, Value]) -> Value:
    """The value of a formula; raises `NotDecided` where an interval is too wide."""
    return _value(_read(text.strip()), dict(values))


@lru_cache(maxsize=1024)
def _read(text: str) -> ast.expr:
    """The tree of a formula, to be read only; decimals become the fractions that are written."""
    if len(text) > _LONGEST_TEXT:
        raise NotDecided("a formula that is too long")
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            written = ast.get_source_segment(text, node) or ""
            if not _WRITTEN.fullmatch(written):
                raise NotDecided(f"{written[:40]!r} is no number")
            node.value = Fraction(written)  # type: ignore[assignment]
    return tree.body


def lifted(value: Any) -> Value:
    """A number as it stands in a file (an integer, or a fraction as text) as an exact interval."""
    if isinstance(value, list):
        return [lifted(item) for item in value]
    if isinstance(value, Interval):
        return value
    if isinstance(value, bool | float) or not _NUMBER.fullmatch(str(value)):
        raise NotDecided(f"{value!r} is no integer and no fraction")
    return Interval.of(Fraction(value))


def _value(node: ast.AST, values: dict[str, Value]) -> Value:
    if isinstance(node, ast.Constant):
        return Interval.of(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name):
        return ri.pi() if node.id == "pi" else values[node.id]
    if isinstance(node, ast.UnaryOp):
        operand = _value(node.operand, values)
        return -operand if isinstance(node.op, ast.USub) else operand
    if isinstance(node, ast.BinOp):
        return _arithmetic(node.op, _value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.Compare):
        left, right = _value(node.left, values), _value(node.comparators[0], values)
        return compared(node.ops[0], left, right)
    if isinstance(node, ast.IfExp):
        condition = _value(node.test, values)
        if condition is None:
            return _value(node.body, values).hull(_value(node.orelse, values))
        return _value(node.body if condition else node.orelse, values)
    if isinstance(node, ast.Subscript):
        entries, place = _value(node.value, values), _whole(_value(node.slice, values))
        if not 0 <= place < len(entries):
            raise NotDecided("an index below 0 or beyond the end")
        return entries[place]
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item, values) for item in node.elts]
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return [_value(node.elt, scope) for scope in _scopes(node.generators, values)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _call(node.func.id, [_value(argument, values) for argument in node.args])
    raise NotDecided(f"{type(node).__name__} is not part of a formula")


def _arithmetic(operator: ast.operator, left: Value, right: Value) -> Interval:
    if isinstance(operator, ast.Add):
        return left + right  # type: ignore[no-any-return]
    if isinstance(operator, ast.Sub):
        return left - right  # type: ignore[no-any-return]
    if isinstance(operator, ast.Mult):
        return left * right  # type: ignore[no-any-return]
    if isinstance(operator, ast.Div):
        return left / right  # type: ignore[no-any-return]
    return _power(left, right)


def _power(base: Interval, exponent: Interval) -> Interval:
    """A power, where it has no more digits than a machine can hold."""
    digits = max(abs(end.numerator) + end.denominator for end in (base.low, base.high)).bit_length()
    largest = max(abs(exponent.low), abs(exponent.high))
    if exponent.exact and exponent.low.denominator == 1 and digits * largest > _LARGEST_POWER:
        raise NotDecided("a power of too many digits")
    return ri.power(base, exponent)


def compared(operator: ast.cmpop, left: Interval, right: Interval) -> bool | None:
    """left `operator` right: True, False, or None where the intervals do not decide."""
    below, above = left.below(right), right.below(left)
    if isinstance(operator, ast.LtE):
        return below
    if isinstance(operator, ast.GtE):
        return above
    if isinstance(operator, ast.Lt):
        return None if above is None else not above
    if isinstance(operator, ast.Gt):
        return None if below is None else not below
    equal = False if below is False or above is False else (True if below and above else None)
    if isinstance(operator, ast.Eq):
        return equal
    return None if equal is None else not equal


def _scopes(
    generators: list[ast.comprehension], values: dict[str, Value]
) -> Iterator[dict[str, Value]]:
    if not generators:
        yield values
        return
    first, rest = generators[0], generators[1:]
    assert isinstance(first.target, ast.Name)
    for item in _value(first.iter, values):
        scope = {**values, first.target.id: item}
        kept = [_value(condition, scope) for condition in first.ifs]
        if None in kept:
            raise NotDecided("a condition of a sum")
        if all(kept):
            yield from _scopes(rest, scope)


def _call(word: str, arguments: list[Value]) -> Value:
    if word in _PLAIN:
        return _PLAIN[word](arguments[0])
    if word == "range":
        if not 1 <= len(arguments) <= 2:
            raise NotDecided("a range has one end or two")
        integers = range(*(_whole(argument) for argument in arguments))
        if len(integers) > _LONGEST_RANGE:
            raise NotDecided(f"a range of {len(integers)} integers")
        return [Interval.of(k) for k in integers]
    if word == "len":
        return Interval.of(len(arguments[0]))
    if word in ("sum", "prod"):
        total = Interval.of(0 if word == "sum" else 1)
        for item in arguments[0]:
            total = total + item if word == "sum" else total * item
        return total
    if word in ("min", "max"):
        items = arguments[0] if isinstance(arguments[0], list) else arguments
        pick = min if word == "min" else max
        return Interval(pick(i.low for i in items), pick(i.high for i in items))
    if word == "abs":
        x = arguments[0]
        if x.low < 0 < x.high:
            return Interval(Fraction(0), max(-x.low, x.high))
        return x if x.low >= 0 else -x
    if word in ("floor", "ceil"):
        x = arguments[0] if word == "floor" else -arguments[0]
        whole = int(x.low // 1)
        if whole != int(x.high // 1):
            raise NotDecided("an integer part")
        return Interval.of(whole if word == "floor" else -whole)
    return _matrix_word(word, arguments)


def _matrix_word(word: str, arguments: list[Value]) -> Value:
    zero, one = Interval.of(0), Interval.of(1)
    if word not in _MATRIX_WORDS:
        raise NotDecided(f"{word} is not known here")
    a = arguments[0]
    if word == "det":
        return determinant(a)
    if word == "eigenvalues":
        return eigenvalues(a)
    if word in ("identity", "ones"):
        n = range(_whole(a))
        return [[one if j == k or word == "ones" else zero for k in n] for j in n]
    if word == "diagonal":
        return [[a[j] if j == k else zero for k in range(len(a))] for j in range(len(a))]
    if word == "trace":
        return _call("sum", [[a[j][j] for j in range(len(a))]])
    if word == "transpose":
        return [[row[k] for row in a] for k in range(len(a[0]))]
    b = arguments[1]
    rows = range(len(a)) if isinstance(a, list) else range(0)
    if word == "scale":
        return [[a * x for x in row] for row in b]
    if word == "outer":
        return [[x * y for y in b] for x in a]
    if word == "hadamard":
        return [[a[j][k] * b[j][k] for k in range(len(a[j]))] for j in rows]
    if word == "add":
        return [[a[j][k] + b[j][k] for k in range(len(a[j]))] for j in rows]
    if word == "matmul":
        return [[_call("sum", [[a[j][k] * b[k][l] for k in range(len(b))]])
                 for l in range(len(b[0]))] for j in rows]  # fmt: skip
    start, stop = _whole(b), _whole(arguments[2])
    return [row[start:stop] for row in a[start:stop]]


def determinant(matrix: list[list[Interval]]) -> Interval:
    """By expansion along the first row: no division, so exact entries give an exact value."""
    if not matrix:
        return Interval.of(1)
    total = Interval.of(0)
    for k, head in enumerate(matrix[0]):
        if head == Interval.of(0):
            continue
        minor = determinant([row[:k] + row[k + 1 :] for row in matrix[1:]])
        total = total + head * minor if k % 2 == 0 else total - head * minor
    return total


def eigenvalues(matrix: list[list[Interval]]) -> list[Interval]:
    """Largest first, by bisection on the inertia of A − x; for exact symmetric matrices."""
    if not all(entry.exact for row in matrix for entry in row):
        raise NotDecided("eigenvalues of a matrix that is not exact")
    if [list(column) for column in zip(*matrix, strict=True)] != matrix:
        raise NotDecided("eigenvalues of a matrix that is not symmetric")
    rows = [[entry.low for entry in row] for row in matrix]
    size = len(rows)
    reach = Fraction(1)
    for row in rows:
        reach = max(reach, sum((abs(entry) for entry in row), Fraction(1)))
    found = []
    for rank in range(1, size + 1):
        low, high = -reach, reach
        while high - low > Fraction(1, 1 << 64):
            middle = (low + high) / 2
            above = _eigenvalues_above(rows, middle)
            low, high = (middle, high) if above >= rank else (low, middle)
        # Up to the nudge of a singular elimination, the rank-th eigenvalue is in [low, high].
        slack = Fraction(1, 1 << 60)
        found.append(Interval(low - slack, high + slack))
    return found


def is_positive_semidefinite(rows: list[list[Fraction]]) -> bool:
    """All sums of principal minors are non-negative."""
    size = len(rows)
    for order in range(1, size + 1):
        total = Fraction(0)
        for chosen in combinations(range(size), order):
            total += determinant([[Interval.of(rows[j][k]) for k in chosen] for j in chosen]).low
        if total < 0:
            return False
    return True


def _eigenvalues_above(rows: list[list[Fraction]], x: Fraction) -> int:
    """How many eigenvalues exceed x (nudged off an eigenvalue): the positive pivots of A − x."""
    size = len(rows)
    while True:
        work = [[rows[j][k] - (x if j == k else 0) for k in range(size)] for j in range(size)]
        positive = 0
        for pivot in range(size):
            head = work[pivot][pivot]
            if head == 0:
                break
            positive += head > 0
            for j in range(pivot + 1, size):
                factor = work[j][pivot] / head
                for k in range(pivot, size):
                    work[j][k] -= factor * work[pivot][k]
        else:
            return positive
        x += Fraction(1, 1 << 70)


def _whole(value: Value) -> int:
    if isinstance(value, Interval):
        if not value.exact or value.low.denominator != 1:
            raise NotDecided("an index that is not an integer")
        return int(value.low)
    return int(value)
