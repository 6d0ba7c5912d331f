"""E max of independent standard normals, in floating point."""

from __future__ import annotations

import numpy as np
from scipy import integrate, special

from bounds.errors import InvalidInput


def normal_maximum(count: int) -> float:
    """E max of `count` independent standard normals, by quadrature of ∫ (1 − Φ^m) − ∫ Φ^m.

    >>> round(normal_maximum(2), 6)  # 1/√π
    0.56419
    """
    if count < 1:
        raise InvalidInput("count", count, "give at least 1")

    def above(x: float) -> float:
        return -float(np.expm1(count * special.log_ndtr(x)))

    def below(x: float) -> float:
        return float(np.exp(count * special.log_ndtr(x)))

    upper = integrate.quad(above, 0.0, 40.0, points=[2.0, 4.0, 8.0])[0]
    return float(upper - integrate.quad(below, -40.0, 0.0, points=[-4.0, -1.0])[0])
