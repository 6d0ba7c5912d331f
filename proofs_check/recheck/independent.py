"""The recheck's own reading of formulas: an interpreter over exact numbers and balls.

It shares no code with what found a verdict: neither its parser nor its rewriting, nor its
vocabulary. The numbers are those of Arb, exact wherever the arguments are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations
from typing import Any

from bounds import enclosure
from bounds.enclosure import Number, Undecided, certainly_le, divide, is_exact
from bounds.enclosure.numbers import number

_NUMBER = re.compile(r"-?[0-9]{1,4000}(/0*[1-9][0-9]{0,3999}|\.[0-9]{1,4000})?")
_WRITTEN = re.compile(r"([0-9]{1,1000}(\.[0-9]{0,1000})?|\.[0-9]{1,1000})([eE][+-]?[0-9]{1,3})?")
_LONGEST_TEXT = 100_000
_LONGEST_RANGE = 100_000
_MOST_BITS = 10**6

Value = Any  # a number, a truth value, None (undecided) or lists of values


def evaluate(text: str, values: Mapping[str, Value]) -> Value:
    """The value of a formula; an ArithmeticError where it has none or an enclosure is too wide."""
    return _value(read(text.strip()), dict(values))


def sides(text: str, values: Mapping[str, Value]) -> tuple[ast.cmpop, Number, Number]:
    """The sign of a comparison and the values of its two sides."""
    tree = read(text.strip())
    (sign,), (other,) = tree.ops, tree.comparators  # type: ignore[attr-defined]
    left: ast.expr = tree.left  # type: ignore[attr-defined]
    return sign, _value(left, dict(values)), _value(other, dict(values))


@lru_cache(maxsize=1024)
def read(text: str) -> ast.expr:
    """The tree of a formula, not to be changed; decimals become the fractions that are written."""
    if len(text) > _LONGEST_TEXT:
        raise Undecided("a formula that is too long")
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            written = ast.get_source_segment(text, node) or ""
            if not _WRITTEN.fullmatch(written):
                raise Undecided(f"{written[:40]!r} is no number")
            node.value = Fraction(written)  # type: ignore[assignment]
    return tree.body


def lifted(value: Any) -> Value:
    """A number as it stands in a file, an integer or a fraction as text; lists of them too."""
    if isinstance(value, list):
        return [lifted(item) for item in value]
    if isinstance(value, bool | float) or not _NUMBER.fullmatch(str(value)):
        raise Undecided(f"{str(value)[:60]!r} is no integer and no fraction")
    return number(Fraction(value))


def _value(node: ast.AST, values: dict[str, Value]) -> Value:
    if isinstance(node, ast.Constant):
        return number(node.value)
    if isinstance(node, ast.Name):
        return enclosure.pi() if node.id == "pi" else values[node.id]
    if isinstance(node, ast.UnaryOp):
        operand = _value(node.operand, values)
        return -operand if isinstance(node.op, ast.USub) else operand
    if isinstance(node, ast.BinOp):
        return _arithmetic(node.op, _value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.Compare):
        left, right = _value(node.left, values), _value(node.comparators[0], values)
        return compared(node.ops[0], left, right)
    if isinstance(node, ast.IfExp):
        then, other = node.body, node.orelse
        return enclosure.choose(
            _value(node.test, values), lambda: _value(then, values), lambda: _value(other, values)
        )
    if isinstance(node, ast.Subscript):
        entries, place = _value(node.value, values), _whole(_value(node.slice, values))
        if not 0 <= place < len(entries):
            raise Undecided("an index below 0 or beyond the end")
        return entries[place]
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item, values) for item in node.elts]
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return [_value(node.elt, scope) for scope in _scopes(node.generators, values)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _call(node.func.id, [_value(argument, values) for argument in node.args])
    raise Undecided(f"{type(node).__name__} is not part of a formula")


def _arithmetic(operator: ast.operator, left: Number, right: Number) -> Number:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return _held(left * right)
    if isinstance(operator, ast.Div):
        return divide(left, right)
    if is_exact(left) and is_exact(right) and _bits(left) * abs(right) > _MOST_BITS:
        raise Undecided("a power of too many digits")
    if not isinstance(right, int) and certainly_le(0, left) is not True:
        raise Undecided("a power of what may be negative")
    return enclosure.power(left, right)


def _held(value: Number) -> Number:
    """An exact number while it has digits that somebody could want, then a ball around it."""
    return enclosure.ball(value) if is_exact(value) and _bits(value) > _MOST_BITS else value


def _bits(value: Number) -> int:
    fraction = enclosure.to_fraction(value)
    return (abs(fraction.numerator) + fraction.denominator).bit_length()


def compared(operator: ast.cmpop, left: Number, right: Number) -> bool | None:
    """left `operator` right: True, False, or None where the enclosures do not decide."""
    below, above = certainly_le(left, right), certainly_le(right, left)
    equal = False if False in (below, above) else True if below and above else None
    truths = {ast.LtE: below, ast.GtE: above, ast.Eq: equal}
    if type(operator) in truths:
        return truths[type(operator)]
    opposite = {ast.Gt: below, ast.Lt: above, ast.NotEq: equal}[type(operator)]
    return None if opposite is None else not opposite


def _scopes(
    generators: list[ast.comprehension], values: dict[str, Value]
) -> Iterator[dict[str, Value]]:
    if not generators:
        yield values
        return
    first, rest = generators[0], generators[1:]
    if first.ifs or not isinstance(first.target, ast.Name):
        raise Undecided("an index runs over a range, without conditions")
    for item in _value(first.iter, values):
        yield from _scopes(rest, {**values, first.target.id: item})


def _root(value: Number) -> Number:
    if certainly_le(0, value) is not True:
        raise Undecided("a square root of what may be negative")
    return enclosure.sqrt(value)


_WORDS: dict[str, Callable[..., Value]] = {
    "exp": enclosure.exp,
    "log": enclosure.log,
    "sqrt": _root,
    "sin": enclosure.sin,
    "erf": enclosure.erf,
    "normal_cdf": enclosure.normal_cdf,
    "gamma": lambda x: enclosure.gamma(_above(x)),
    "bessel_k": lambda order, x: enclosure.bessel_k(order, _above(x)),
    "floor": enclosure.floor,
    "ceil": enclosure.ceil,
    "abs": enclosure.absolute,
    "min": enclosure.minimum,
    "max": enclosure.maximum,
    "len": len,
    "all": lambda truths: False if False in truths else None if None in truths else True,
    "eigenvalues": lambda a: enclosure.eigenvalues(_mirrored(a)),
    "sum": lambda items: reduce(lambda a, b: a + b, items, 0),
    "prod": lambda items: reduce(lambda a, b: _held(a * b), items, 1),
    "det": lambda a: determinant(_fitting(a, len(a))),
    "trace": lambda a: sum((a[j][j] for j in range(len(_fitting(a, len(a))))), 0),
    "transpose": lambda a: [[row[k] for row in a] for k in range(len(_fitting(a)[0]))],
    "diagonal": lambda a: _table(len(a), len(a), lambda j, k: a[j] if j == k else 0),
    "identity": lambda n: _table(_whole(n), _whole(n), lambda j, k: int(j == k)),
    "ones": lambda n: _table(_whole(n), _whole(n), lambda j, k: 1),
    "scale": lambda c, a: [[c * x for x in row] for row in a],
    "outer": lambda a, b: _table(len(a), len(b), lambda j, k: a[j] * b[k]),
    "hadamard": lambda a, b: _entrywise(a, b, lambda x, y: x * y),
    "add": lambda a, b: _entrywise(a, b, lambda x, y: x + y),
    "matmul": lambda a, b: _table(
        len(_fitting(a, len(b))),
        len(_fitting(b)[0]),
        lambda j, k: sum((a[j][l] * b[l][k] for l in range(len(b))), 0),
    ),
    "block": lambda a, i, j: _part(a, _whole(i), _whole(j)),
    "information_gain": lambda a, w: divide(
        sum((enclosure.log(1 + divide(v, w)) for v, _ in _conditioned(a, w, [0] * len(a))), 0), 2
    ),
    "posterior_variance": lambda a, w, t: _conditioned(a, w, [0] * len(a))[_whole(t)][0],
    "posterior_mean": lambda a, w, y, t: _conditioned(a, w, y)[_whole(t)][1],
    "elliptic_potential": lambda a, w: sum(
        (enclosure.minimum([1, divide(v, w)]) for v, _ in _conditioned(a, w, [0] * len(a))), 0
    ),
    "gp_ucb_beta": lambda d, t, delta: (
        2 * enclosure.log(divide(d * enclosure.pi() ** 2 * t * t, 6 * delta))
    ),
    "rkhs_value": lambda a, c, i: sum((a[_whole(i)][j] * c[j] for j in range(len(c))), 0),
    "rkhs_norm": lambda a, c: _root(
        sum((c[i] * c[j] * a[i][j] for i in range(len(c)) for j in range(len(c))), 0)
    ),
    "confidence_event": lambda f, m, s, b: _WORDS["all"](
        [
            compared(ast.LtE(), enclosure.absolute(f[t] - m[t]), _root(b[t]) * s[t])
            for t in range(len(f))
        ]
    ),
    "sub_gaussian": lambda p, z, r, l: compared(
        ast.LtE(),
        sum((p[k] * enclosure.exp(l * z[k]) for k in range(len(p))), 0),
        enclosure.exp(divide(l * l * r * r, 2)),
    ),
}


def _conditioned(matrix: Any, noise: Number, data: Sequence[Number]) -> list[tuple[Number, Number]]:
    """The variance and the mean of each row before it is observed, the rows before it observed.

    One observation after the other takes its share off all covariances: no determinant.
    """
    left = [list(row) for row in _fitting(matrix, len(matrix))]
    means: list[Number] = [0] * len(left)
    moments = []
    for t in range(len(left)):
        row = left[t]
        moments.append((row[t], means[t]))
        if t >= len(data):
            continue
        share = [divide(left[j][t], row[t] + noise) for j in range(len(left))]
        means = [m + a * (data[t] - means[t]) for m, a in zip(means, share, strict=True)]
        left = [
            [left[j][k] - share[j] * row[k] for k in range(len(left))] for j in range(len(left))
        ]
    return moments


def _fitting(matrix: Sequence[Sequence[Number]], width: int | None = None) -> Any:
    """The matrix, where its rows have one width, or that width."""
    wanted = width if width is not None or not matrix else len(matrix[0])
    if wanted is None or any(len(row) != wanted for row in matrix) or bool(matrix) < bool(wanted):
        raise Undecided("a matrix of another shape")
    return matrix


def _entrywise(left: Any, right: Any, word: Callable[[Number, Number], Number]) -> Value:
    if [len(row) for row in left] != [len(row) for row in right]:
        raise Undecided("two matrices of different shapes")
    return [[word(a[k], b[k]) for k in range(len(a))] for a, b in zip(left, right, strict=True)]


def _mirrored(matrix: Any) -> Any:
    for j, row in enumerate(_fitting(matrix, len(matrix))):
        if any(compared(ast.Eq(), row[k], matrix[k][j]) is not True for k in range(j)):
            raise Undecided("a matrix of which nobody knows that it is symmetric")
    return matrix


def _part(matrix: Any, first: int, last: int) -> Value:
    if not 0 <= first <= last <= len(_fitting(matrix, len(matrix))):
        raise Undecided("a block that reaches beyond its matrix")
    return [row[first:last] for row in matrix[first:last]]


def _above(value: Number) -> Number:
    if certainly_le(value, 0) is not False:
        raise Undecided("an argument that may not be positive")
    return value


def _table(rows: int, columns: int, entry: Callable[[int, int], Number]) -> list[list[Number]]:
    if min(rows, columns) < 0 or rows * columns > _LONGEST_RANGE:
        raise Undecided(f"a matrix of {rows} rows")
    return [[entry(j, k) for k in range(columns)] for j in range(rows)]


def _call(word: str, arguments: Sequence[Value]) -> Value:
    if word == "range":
        integers = range(*(_whole(argument) for argument in arguments[:2]))
        if len(arguments) > 2 or len(integers) > _LONGEST_RANGE:
            raise Undecided("a range has one end or two, and not too many integers")
        return list(integers)
    return _WORDS[word](*arguments)


def determinant(matrix: Sequence[Sequence[Number]]) -> Number:
    """By expansion along the first row: no division, so exact entries give an exact value."""
    if not matrix:
        return 1
    total: Number = 0
    for k, head in enumerate(matrix[0]):
        if not (is_exact(head) and head == 0):
            minor = determinant([[*row[:k], *row[k + 1 :]] for row in matrix[1:]])
            total = total + head * minor * (-1) ** k
    return total


def is_positive_semidefinite(rows: list[list[Fraction]]) -> bool:
    """Whether no sum of the principal minors of one order is negative."""
    size = len(rows)
    return all(
        sum(
            determinant([[rows[j][k] for k in chosen] for j in chosen])
            for chosen in combinations(range(size), order)
        )
        >= 0
        for order in range(1, size + 1)
    )


def _whole(value: Value) -> int:
    if not is_exact(value) or enclosure.to_fraction(value).denominator != 1:
        raise Undecided("an index that is not an integer")
    return int(enclosure.to_fraction(value))
