"""Upper bounds on g(x) = xΦ(x) + ϕ(x) = E(Z + x)₊ for whole arrays of doubles.

Taylor's formula at the nearest of the nodes i/64 in [−14, 0], to degree 8: g′ = Φ, g″ = ϕ and
g^(k+2) = (−1)^k He_k ϕ. The coefficients are balls of Arb, rounded once; what rounding, Horner's
scheme (Higham 2002, §5.1) and the remainder can add is one number for each node. Beyond −14 g is
at most g(−14), as it rises; for x > 0 it is x + g(−x).
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial
from typing import Any

import flint
import numpy as np

from bounds.arrays import FloatArray
from bounds.enclosure.doubles import U
from bounds.enclosure.matrices import upward, working_precision

_PER_UNIT, _END, _DEGREE = 64, 14, 8


@lru_cache(maxsize=1)
def _table() -> tuple[FloatArray, FloatArray]:
    """(nodes, 9) coefficients of (x − node)^k, and (nodes,) what has to be added."""
    count, half = _END * _PER_UNIT + 1, flint.arb(1) / (2 * _PER_UNIT)
    coefficients, slack = np.empty((count, _DEGREE + 1)), np.empty(count)
    with working_precision():
        root_two, root_two_pi = flint.arb(2).sqrt(), (2 * flint.arb.pi()).sqrt()
        powers = [half**k / factorial(k) for k in range(_DEGREE + 2)]
        for i in range(count):
            x = flint.arb(-i) / _PER_UNIT
            cdf, density = (-x / root_two).erfc() / 2, (-x * x / 2).exp() / root_two_pi
            derivatives = [x * cdf + density, cdf, density]
            before, hermite = flint.arb(0), flint.arb(1)
            for k in range(_DEGREE - 2):
                before, hermite = hermite, x * hermite - k * before
                derivatives.append(hermite * density if k % 2 else -hermite * density)
            row = [float(d) / factorial(k) for k, d in enumerate(derivatives)]
            # |He_7(y)| ≤ Σ of its terms at |y| ≤ |x| + h, and ϕ(y) ≤ ϕ(x)·exp(|x|h).
            y = half - x
            he7 = y**7 + 21 * y**5 + 105 * y**3 + 105 * y
            remainder = he7 * density * (-x * half).exp() * powers[_DEGREE + 1]
            inner = sum(
                (abs(d) * p for d, p in zip(derivatives[1:], powers[1:], strict=False)),
                flint.arb(0),
            )
            slack[i] = upward(4 * U * abs(derivatives[0]) + 40 * U * inner + remainder)
            coefficients[i] = row
    return coefficients, slack


def mean_excess_up(x: FloatArray) -> FloatArray:
    """Doubles ≥ g(x), some 2⁻⁵⁰ of it above.

    >>> up = mean_excess_up(np.zeros(1))[0] - 0.3989422804014327
    >>> bool(0.0 <= up < 1e-15)
    True
    """
    coefficients, slack = _table()
    below = np.maximum(-np.abs(x), -float(_END))
    node = np.rint(below * -_PER_UNIT).astype(np.int64)
    apart = below + node / _PER_UNIT  # exact: Sterbenz, or below 1/64
    a = coefficients[node]
    value = a[..., _DEGREE]
    for k in range(_DEGREE - 1, -1, -1):
        value = value * apart + a[..., k]
    value = value + slack[node]
    value = np.where(x > 0.0, x + value, value)
    return np.asarray(value * (1.0 + 4.0 * U))


def chi_tail(freedom: int, x: Any) -> Any:
    """P(χ_k > x) for a ball x ≥ 0 as a ball: the regularised upper incomplete gamma function."""
    half = flint.arb(x) * flint.arb(x) / 2
    if half == 0:
        return flint.arb(1)
    return half.gamma_upper(flint.arb(freedom) / 2, regularized=1)
