"""exp and sinh(y)/y in doubles with an error that is known, of numbers and of whole arrays.

e^x = e^(k/256)·e^r, |r| ≤ 1/512: the first factor is a ball of Arb rounded to nearest, the second
Taylor's polynomial of degree 4. r is exact (Sterbenz), the remainder is below 2.3u, u = 2⁻⁵³, the
table, Horner's scheme and the product add less than 6u: together below 2⁻⁴⁹. Nothing rests on the
mathematical library.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import matrices
from bounds.enclosure.doubles import Doubles
from bounds.numerics.compiled import compiled

LOWEST, HIGHEST = -40.0, 8.0
"""Where `exp_near` is at home: beyond it the caller has to bound e^x otherwise."""

_PER_UNIT = 256


@cache
def exp_table() -> FloatArray:
    """e^(k/256) at the nodes from `LOWEST` to `HIGHEST`, each the double nearest to it.

    Powers of two balls, so that 12,000 exponentials cost 12,000 products.
    """
    with enclosure.precision(2 * matrices.WORKING_BITS):
        node = enclosure.exp(int(LOWEST))
        ratio = enclosure.exp(enclosure.divide(1, _PER_UNIT))
        table = np.empty(int(HIGHEST - LOWEST) * _PER_UNIT + 1)
        for k in range(len(table)):
            table[k] = float(enclosure.ball(node).mid())
            node = node * ratio
        if float(enclosure.ball(node).rad()) > 1e-20 * table[-1]:
            raise ArithmeticError("the table of exponentials is not as close as it has to be")
    return table


@compiled()
def exp_near(x: Any, table: FloatArray) -> Any:
    """e^x within a factor 1 ± 2⁻⁴⁹, for x from `LOWEST` to `HIGHEST`: a number, or an array.

    >>> bool(abs(exp_near.py_func(np.ones(1), exp_table())[0] - 2.718281828459045) < 5e-15)
    True
    """
    node = np.rint(x * 256.0)
    r = x - node / 256.0
    series = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6.0 + r / 24.0)))
    return table[np.int64(node) + 10240] * series


def exp_down(x: FloatArray) -> FloatArray:
    """Doubles ≤ e^x for an array x ≤ `HIGHEST`; 0 below `LOWEST`."""
    held = np.maximum(x, LOWEST)
    lower = exp_near.py_func(held, exp_table()) * (1.0 - 2.0**-48)
    return np.where(x < LOWEST, 0.0, lower)


def exp_up(x: FloatArray) -> FloatArray:
    """Doubles ≥ e^x for an array x ≤ `HIGHEST`."""
    held = np.maximum(x, LOWEST)
    return np.asarray(exp_near.py_func(held, exp_table()) * (1.0 + 2.0**-48))


def exp_of_doubles(x: Doubles) -> Doubles:
    """e^x of intervals at most `HIGHEST`: e^mid within 2⁻⁴⁹, and |e^δ − 1| ≤ 2|δ| for |δ| ≤ 1.

    >>> found = exp_of_doubles(Doubles.exact(np.array([-1.0, -100.0])))
    >>> bool(np.all(found.lower() <= np.exp([-1, -100]))), float(found.upper()[1]) < 1e-17
    (True, True)
    """
    near = exp_near.py_func(np.clip(x.mid, LOWEST, HIGHEST), exp_table())
    rad = np.where((x.rad <= 1.0) & (x.mid <= HIGHEST), near * (2.0 * x.rad + 2.0**-48), np.inf)
    low = x.mid < LOWEST
    return Doubles(np.where(low, 0.0, near), np.where(low, rad + near * (1.0 + 2.0**-48), rad))


@compiled()
def bulge_up(y: float) -> float:
    """A double ≥ sinh(y)/y for 0 ≤ y ≤ 2: seven terms, what is left as a geometric series.

    >>> 1.1752011936438 <= bulge_up.py_func(1.0) < 1.175201194
    True
    """
    s = y * y
    inner = 1.0 + s / 110.0 * (1.0 + s / 156.0 * 1.02)
    inner = 1.0 + s / 20.0 * (1.0 + s / 42.0 * (1.0 + s / 72.0 * inner))
    return (1.0 + s / 6.0 * inner) * (1.0 + 2.0**-48)
