"""Are two formulas the same expression? Evaluated at random points of a field of 2^61 - 1 numbers.

Sums, products, quotients and integer powers are those of the field; √u is either root of u there;
what else occurs (exp, log, min, a sum over a range without known ends) is a random number that
depends on its arguments alone. Two formulas that agree at several such points are one rational
function of the same atoms, but for a probability below 10^-15; that holds for real numbers too,
wherever both sides are defined. Matrices and finite ranges are written out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any

from proofs_check.language import formula

PRIME = 2**61 - 1  # 7 modulo 8: a root of a square is a power, and 2 is a square
_POINTS = 3
_POINTS_WITH_ROOTS = 20  # a sign that matters is seen at each with probability one half
_TRIES = 4000
_MOST_CASES = 40
_MOST_TERMS = 200
_SMALL_POWER = 64


class Unreadable(ArithmeticError):
    """The formula is beyond this evaluation; the message says what is."""


class _NoRoot(ArithmeticError):
    """At this point a number under a root is no square of the field: try another."""


def same(left: str, right: str, parameters: list[Mapping[str, Any]]) -> bool:
    """Whether two formulas over the parameters (plain data) are the same expression.

    >>> same("exp(-sqrt(2*log(p))**2/2)", "exp(-log(p))", [])
    True
    >>> same("x/x", "2*x/x", [])
    False
    """
    trees = [formula.parse(text).body for text in (left, right)]
    for chosen in _integers(parameters):
        met = 0
        for seed in range(_TRIES):
            point = _Point(seed, parameters, chosen)
            try:
                values = [point.key(point.read(tree, {})) for tree in trees]
            except (_NoRoot, ZeroDivisionError):
                continue
            except (TypeError, IndexError, ValueError) as error:
                raise Unreadable(f"{left}: {error}") from None
            if values[0] != values[1]:
                return False
            met += 1
            if met == (_POINTS_WITH_ROOTS if point.rooted else _POINTS):
                break
        else:
            raise Unreadable(f"no point at which {left} has a value")
    return True


def order_of(text: str, parameters: list[Mapping[str, Any]]) -> list[tuple[dict[str, int], int]]:
    """The size of a matrix or a vector for each choice of the bounded integers."""
    found = []
    for chosen in _integers(parameters):
        for seed in range(_TRIES):
            point = _Point(seed, parameters, chosen)
            try:
                value = point.read(formula.parse(text).body, {})
            except (_NoRoot, ZeroDivisionError):
                continue
            if not isinstance(value, list):
                raise Unreadable(f"{text} has no known size")
            found.append((chosen, len(value)))
            break
    return found


def _integers(parameters: list[Mapping[str, Any]]) -> list[dict[str, int]]:
    """Every choice of the integers between known numbers; the others stay symbols."""
    found: list[dict[str, int]] = [{}]
    for parameter in parameters:
        if parameter["type"] != "Integer":
            continue
        grown = []
        for chosen in found:
            ends = [_known(parameter[end], chosen) for end in ("low", "high")]
            if ends[0] is None or ends[1] is None or ends[1] - ends[0] >= _MOST_CASES:
                grown.append(chosen)
            else:
                grown += [{**chosen, parameter["name"]: k} for k in range(ends[0], ends[1] + 1)]
        found = grown
    if len(found) > _MOST_CASES:
        raise Unreadable(f"{len(found)} choices of the integers")
    return found


def _known(bound: Any, chosen: Mapping[str, int]) -> int | None:
    if bound is None or not formula.names(str(bound)) <= set(chosen):
        return None
    value = Fraction(formula.evaluate(str(bound), formula.fractions(), chosen))
    return int(value) if value.denominator == 1 else None


class Residue:
    """A number of the field."""

    def __init__(self, value: int) -> None:
        self.value = value % PRIME

    def __add__(self, other: Any) -> Residue:
        return Residue(self.value + _value(other))

    def __sub__(self, other: Any) -> Residue:
        return Residue(self.value - _value(other))

    def __rsub__(self, other: Any) -> Residue:
        return Residue(_value(other) - self.value)

    def __mul__(self, other: Any) -> Residue:
        return Residue(self.value * _value(other))

    def __neg__(self) -> Residue:
        return Residue(-self.value)

    __radd__ = __add__
    __rmul__ = __mul__


def _value(number: Any) -> int:
    if isinstance(number, Residue):
        return number.value
    if isinstance(number, int):
        return number
    raise Unreadable("a list where a number is needed")


def _inverse(number: Any) -> Residue:
    if _value(number) % PRIME == 0:
        raise ZeroDivisionError
    return Residue(pow(_value(number), -1, PRIME))


class _List:
    """A list of unknown length: its entries by index, and one key for the whole."""

    def __init__(self, point: _Point, name: Any, low: Any = 0, entry: Any = None) -> None:
        self.name = name
        self.entry = entry or (lambda index: point.atom("entry", name, point.key(index)))
        self.low = low

    def at(self, index: Any) -> Any:
        return self.entry(index)


class _Point:
    """One random point: the value of every parameter and of every atom, from the seed."""

    def __init__(
        self, seed: int, parameters: list[Mapping[str, Any]], chosen: Mapping[str, int]
    ) -> None:
        self.seed = seed
        self.depth = 0
        self.rooted = False
        self.values: dict[str, Any] = dict(chosen)
        for parameter in parameters:
            self._draw(parameter)

    def _draw(self, parameter: Mapping[str, Any]) -> None:
        name, kind = parameter["name"], parameter["type"]
        if name in self.values:
            return
        if kind in ("Real", "Integer"):
            self.values[name] = self.atom("name", name)
        elif kind in ("Vector", "Times"):
            size = _known(parameter["length"], self._whole())
            self.values[name] = (
                _List(self, name)
                if size is None
                else [self.atom("entry", name, k) for k in range(size)]
            )
        else:
            size = _known(parameter["size"], self._whole())
            if size is None:
                raise Unreadable(f"{name} has no known size")
            one = bool(parameter.get("unit"))
            self.values[name] = [
                [
                    1 if one and j == k else self.atom("entry", name, min(j, k), max(j, k))
                    for k in range(size)
                ]
                for j in range(size)
            ]

    def _whole(self) -> dict[str, int]:
        return {name: value for name, value in self.values.items() if isinstance(value, int)}

    def atom(self, *key: Any) -> Residue:
        """A random number that depends on the key and the seed alone."""
        text = repr((self.seed, key)).encode()
        return Residue(int.from_bytes(sha256(text).digest()[:16], "big"))

    def key(self, value: Any) -> Any:
        """What identifies a value."""
        if isinstance(value, list):
            return tuple(self.key(item) for item in value)
        return ("list", value.name) if isinstance(value, _List) else _value(value) % PRIME

    def read(self, node: ast.expr, inner: Mapping[str, Any]) -> Any:
        """The value of a formula; `inner` are the indices of sums."""
        if isinstance(node, ast.Constant):
            number = Fraction(str(node.value))
            if number.denominator == 1:
                return int(number)
            return Residue(number.numerator) * _inverse(number.denominator)
        if isinstance(node, ast.Name):
            if node.id in inner:
                return inner[node.id]
            if node.id not in self.values:
                self.values[node.id] = self.atom("name", node.id)
            return self.values[node.id]
        if isinstance(node, ast.UnaryOp):
            value = self.read(node.operand, inner)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, inner)
        if isinstance(node, ast.IfExp):
            return self._branch(node, inner)
        if isinstance(node, ast.List | ast.Tuple):
            return [self.read(item, inner) for item in node.elts]
        if isinstance(node, ast.Subscript):
            return self._entry(self.read(node.value, inner), self.read(node.slice, inner))
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return self._listed(node, 0, inner)
        if isinstance(node, ast.Call):
            return self._call(node, inner)
        raise Unreadable(f"{type(node).__name__} is not compared")

    def _arithmetic(self, node: ast.BinOp, inner: Mapping[str, Any]) -> Any:
        left, right = self.read(node.left, inner), self.read(node.right, inner)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return _inverse(right) * left
        if isinstance(right, int):
            if isinstance(left, int) and 0 <= right <= _SMALL_POWER:
                return left**right
            if right < 0:
                return Residue(pow(_inverse(left).value, -right, PRIME))
            return Residue(pow(_value(left) % PRIME, right, PRIME))
        return self.atom("power", self.key(left), self.key(right))

    def _branch(self, node: ast.IfExp, inner: Mapping[str, Any]) -> Any:
        test = node.test
        if not isinstance(test, ast.Compare):
            raise Unreadable("a condition compares two sides")
        left, right = self.read(test.left, inner), self.read(test.comparators[0], inner)
        word = _WORDS[type(test.ops[0])]
        if word in (">=", ">"):
            left, right, word = right, left, word.replace(">", "<")
        if isinstance(left, int) and isinstance(right, int):
            holds = {"<=": left <= right, "<": left < right, "==": left == right}
            chosen = holds.get(word, left != right)
            return self.read(node.body if chosen else node.orelse, inner)
        branches = [self.key(self.read(part, inner)) for part in (node.body, node.orelse)]
        return self.atom("if", word, self.key(left - right), *branches)

    def _entry(self, owner: Any, index: Any) -> Any:
        if isinstance(owner, _List):
            return owner.at(index)
        if isinstance(index, int):
            return owner[index]
        return self.atom("entry", self.key(owner), self.key(index))

    def _listed(self, node: ast.GeneratorExp | ast.ListComp, level: int, inner: Any) -> Any:
        generator = node.generators[level]
        call = generator.iter
        if generator.ifs or not isinstance(generator.target, ast.Name):
            raise Unreadable("only plain ranges are compared")
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "range"):
            raise Unreadable("only ranges are compared")
        name = generator.target.id
        ends = [self.read(argument, inner) for argument in call.args]
        low, high = (0, ends[0]) if len(ends) == 1 else ends[:2]
        last = level + 1 == len(node.generators)

        def entry(index: Any) -> Any:
            more = {**inner, name: index}
            return self.read(node.elt, more) if last else self._listed(node, level + 1, more)

        if isinstance(low, int) and isinstance(high, int) and high - low <= _MOST_TERMS:
            found = [entry(index) for index in range(low, high)]
            return found if last else [x for part in found for x in _plain(part)]
        self.depth += 1
        whole = self.key(entry(self.atom("index", self.depth)))
        self.depth -= 1
        key = ("for", self.key(low), self.key(high), whole)
        return _List(self, key, low, lambda index: entry(low + index) if last else _refuse())

    def _call(self, node: ast.Call, inner: Mapping[str, Any]) -> Any:
        word = ast.unparse(node.func)
        arguments = [self.read(argument, inner) for argument in node.args]
        if word == "sqrt":
            return self._root(arguments[0])
        if word in ("sum", "prod") and isinstance(arguments[0], list):
            value: Any = 0 if word == "sum" else 1
            for item in arguments[0]:
                value = value + item if word == "sum" else value * item
            return value
        if word == "det" and isinstance(arguments[0], list):
            return _determinant(arguments[0])
        if word == "eigenvalues":
            return _List(self, ("eigenvalues", self.key(arguments[0])))
        if word in ("floor", "ceil") and isinstance(arguments[0], int):
            return arguments[0]
        if word in formula.shapes() and word not in ("len", "range"):
            if any(isinstance(a, _List) for a in arguments):
                raise Unreadable(f"{word} of something without known size")
            return formula.shapes()[word](*arguments)
        keys = [self.key(argument) for argument in arguments]
        if (word, keys) in (("log", [1]), ("exp", [0])):
            return Residue(int(word == "exp"))
        if word in ("min", "max"):
            keys = sorted(keys, key=repr)
        return self.atom(word, *keys)

    def _root(self, value: Any) -> Residue:
        self.rooted = True
        square = _value(value) % PRIME
        root = pow(square, (PRIME + 1) // 4, PRIME)
        if root * root % PRIME != square:
            raise _NoRoot
        return Residue(root if self.atom("sign", square).value % 2 else -root)


_WORDS = {
    ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


def _plain(part: Any) -> Iterator[Any]:
    if not isinstance(part, list):
        raise Unreadable("a sum of sums without known ends")
    yield from part


def _refuse() -> Any:
    raise Unreadable("an entry of a list of lists without known size")


def _determinant(matrix: list[list[Any]]) -> Residue:
    rows = [[_value(entry) % PRIME for entry in row] for row in matrix]
    value = 1
    for column in range(len(rows)):
        pivot = next((k for k in range(column, len(rows)) if rows[k][column]), None)
        if pivot is None:
            return Residue(0)
        if pivot != column:
            rows[column], rows[pivot] = rows[pivot], rows[column]
            value = -value
        value = value * rows[column][column] % PRIME
        inverse = pow(rows[column][column], -1, PRIME)
        for k in range(column + 1, len(rows)):
            factor = rows[k][column] * inverse % PRIME
            rows[k] = [(x - factor * y) % PRIME for x, y in zip(rows[k], rows[column], strict=True)]
    return Residue(value)
