"""The words of the language in floats, in rational numbers and in balls.

Matrices are lists of rows; `det eigenvalues` take them, and `hadamard add scale identity ones trace
transpose matmul outer diagonal block` build them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial, reduce
from typing import Any

import numpy as np

from bounds import enclosure
from proofs_check.language.formula import evaluate, whole

TROUBLE = (ArithmeticError, ValueError, IndexError)
"""What an arithmetic raises where a formula has no value, or where it cannot tell."""
_LARGEST_SIZE = 400
_SLACK = 1e-9
_LARGEST_POWER = 10**6
_COMPARED = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}


def holds(text: str, vocabulary: Mapping[str, Any], values: Mapping[str, Any]) -> bool | None:
    """Whether a comparison holds: True, False, or None where the arithmetic cannot decide."""
    answer = evaluate(text, vocabulary, values)
    return None if answer is None else bool(answer)


@lru_cache(maxsize=1)
def floats() -> dict[str, Any]:
    """The vocabulary in floating point: enough to search, never enough to decide."""
    return {
        **_shapes(),
        **_decided(),
        "divide": operator.truediv,
        "power": _float_power,
        "sqrt": math.sqrt,
        "log": math.log,
        "exp": math.exp,
        "sin": math.sin,
        "erf": math.erf,
        "gamma": lambda x: math.gamma(_positive_float(x)),
        "bessel_k": _float_bessel,
        "normal_cdf": lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0)),
        "prod": math.prod,
        "det": _float_det,
        "eigenvalues": lambda a: np.linalg.eigvalsh(_symmetric_floats(a))[::-1].tolist(),
        "pi": math.pi,
    }


@lru_cache(maxsize=1)
def fractions() -> dict[str, Any]:
    """The vocabulary of rational arithmetic, for the bounds of parameters."""
    return {**_decided(), "divide": lambda a, b: Fraction(a) / b, "power": _fraction_power}


def rigorous() -> dict[str, Any]:
    """The vocabulary in exact numbers and balls, at the precision in force."""
    return {
        **_shapes(),
        "number": lambda text: enclosure.exact(Fraction(text)),
        "divide": enclosure.divide,
        "power": _bounded_power,
        "compare": enclosure.compare,
        "choose": enclosure.choose,
        "sqrt": enclosure.sqrt,
        "log": enclosure.log,
        "exp": enclosure.exp,
        "sin": enclosure.sin,
        "erf": enclosure.erf,
        "normal_cdf": enclosure.normal_cdf,
        "floor": enclosure.floor,
        "ceil": enclosure.ceil,
        "abs": enclosure.absolute,
        "min": enclosure.minimum,
        "max": enclosure.maximum,
        "sum": enclosure.total,
        "pi": enclosure.pi(),
        "det": lambda matrix: enclosure.determinant(_square(matrix)),
        "eigenvalues": lambda matrix: enclosure.eigenvalues(_symmetric(matrix)),
        "gamma": lambda x: enclosure.gamma(_positive(x)),
        "bessel_k": lambda order, x: enclosure.bessel_k(order, _positive(x)),
        "prod": lambda factors: reduce(_bounded_product, factors, 1),
    }


def entrywise(number: Callable[[Fraction], Any], value: Any) -> Any:
    """A case or a value with every fraction made another number; integers stay integers."""
    if isinstance(value, dict):
        return {name: entrywise(number, item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [entrywise(number, item) for item in value]
    return number(value) if isinstance(value, Fraction) else value


def _decided() -> dict[str, Any]:
    """Words of numbers that Python compares by itself."""
    return {
        "item": _item,
        "compare": lambda sign, left, right: _COMPARED[sign](left, right),
        "choose": lambda condition, then, other: then() if condition else other(),
        "floor": math.floor,
        "ceil": math.ceil,
        "abs": abs,
        "min": min,
        "max": max,
        "sum": sum,
    }


def _shapes() -> dict[str, Any]:
    """Words that are the same in every arithmetic."""
    return {
        "len": len,
        "all": every,
        "item": _item,
        "hadamard": partial(_of_entries, operator.mul),
        "add": partial(_of_entries, operator.add),
        "scale": lambda c, a: [[c * x for x in row] for row in a],
        "identity": lambda n: [[int(j == k) for k in range(_size(n))] for j in range(_size(n))],
        "ones": lambda n: [[1] * _size(n) for _ in range(_size(n))],
        "diagonal": lambda v: [
            [v[j] if j == k else 0 for k in range(len(v))] for j in range(len(v))
        ],
        "outer": lambda v, w: [[x * y for y in w] for x in v],
        "trace": lambda a: sum((row[j] for j, row in enumerate(_square(a))), 0),
        "transpose": lambda a: [list(column) for column in zip(*a, strict=True)],
        "matmul": _product,
        "block": _block,
    }


def _of_entries(word: Callable[[Any, Any], Any], left: Any, right: Any) -> list[list[Any]]:
    """A word of each pair of entries of two matrices of one shape."""
    rows = zip(left, right, strict=True)
    return [[word(x, y) for x, y in zip(*pair, strict=True)] for pair in rows]


def _item(values: Sequence[Any], index: Any) -> Any:
    """The entry of a list; an index below 0 or beyond the end has no value, it does not wrap."""
    place = whole(index)
    if not 0 <= place < len(values):
        raise IndexError(f"index {place} of {len(values)} entries")
    return values[place]


def _size(size: Any) -> int:
    if whole(size) > _LARGEST_SIZE:
        raise OverflowError(f"a matrix of {size} rows")
    if whole(size) < 0:
        raise ValueError(f"a matrix of {size} rows")
    return whole(size)


def _square(matrix: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    if any(len(row) != len(matrix) for row in matrix):
        raise ValueError("a matrix that is not square")
    return matrix


def _symmetric(matrix: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    """The matrix, where it is certainly symmetric."""
    for j, row in enumerate(_square(matrix)):
        for k in range(j):
            same = enclosure.compare("==", row[k], matrix[k][j])
            if same is None:
                raise enclosure.Undecided("a matrix of which nobody knows that it is symmetric")
            if not same:
                raise ValueError("eigenvalues are of symmetric matrices")
    return matrix


def every(answers: Iterable[bool | None]) -> bool | None:
    """Whether all comparisons hold: None where nobody knows, and one may fail."""
    known = list(answers)
    return False if False in known else None if None in known else True


def _symmetric_floats(matrix: Sequence[Sequence[Any]]) -> np.ndarray:
    array = np.array(_square(matrix), dtype=float)
    if np.abs(array - array.T).max(initial=0.0) > _SLACK * np.abs(array).max(initial=1.0):
        raise ValueError("eigenvalues are of symmetric matrices")
    return array


def _product(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Rows times columns, of as many entries each."""
    columns = list(zip(*right, strict=True))
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), 0) for column in columns]
        for row in left
    ]


def _block(matrix: Sequence[Sequence[Any]], start: Any, stop: Any) -> list[list[Any]]:
    """Rows and columns from `start` to below `stop`, which the matrix has."""
    first, last = whole(start), whole(stop)
    if not 0 <= first <= last <= len(_square(matrix)):
        raise IndexError(f"rows {first} to {last} of {len(matrix)}")
    return [list(row[first:last]) for row in matrix[first:last]]


def _positive(value: Any) -> Any:
    above = enclosure.compare(">", value, 0)
    if above is None:
        raise enclosure.Undecided("an argument of which nobody knows that it is positive")
    if not above:
        raise ValueError("an argument that is not positive")
    return value


def _positive_float(value: float) -> float:
    if not value > 0:
        raise ValueError("an argument that is not positive")
    return value


def _float_power(base: float, exponent: float) -> float:
    result = float(base) ** float(exponent)
    if isinstance(result, complex):
        raise ValueError("a fractional power of a negative number")
    return float(result)


def _bounded_power(base: Any, exponent: Any) -> Any:
    """A power, exact only where it has digits that somebody could want."""
    exact = isinstance(exponent, int) and enclosure.is_exact(base)
    if exact and abs(exponent) * _bits(base) > _LARGEST_POWER:
        base = enclosure.ball(base)
    return enclosure.power(base, exponent)


def _bounded_product(left: Any, right: Any) -> Any:
    exact = enclosure.is_exact(left) and enclosure.is_exact(right)
    if exact and _bits(left) + _bits(right) > _LARGEST_POWER:
        left = enclosure.ball(left)
    return left * right


def _bits(value: Any) -> int:
    fraction = enclosure.to_fraction(value)
    return max(fraction.numerator.bit_length(), fraction.denominator.bit_length()) - 1


def _float_det(matrix: Sequence[Sequence[float]]) -> float:
    """A determinant; of no rows it is 1."""
    return float(np.linalg.det(np.array(_square(matrix), dtype=float))) if matrix else 1.0


def _fraction_power(base: Any, exponent: Any) -> Fraction:
    count = whole(exponent)
    if abs(count) * Fraction(base).numerator.bit_length() > _LARGEST_POWER:
        raise OverflowError("a power of too many digits")
    return Fraction(base) ** count


def _float_bessel(order: float, value: float) -> float:
    from scipy.special import kv  # slow to import, used by few claims

    return float(kv(order, _positive_float(value)))
