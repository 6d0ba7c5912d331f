"""E max of independent standard normals, in floating point."""

from __future__ import annotations

import numpy as np
from scipy import special

from bounds.errors import InvalidInput

_PANELS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 40.0)
"""Ends between which 1 − Φ^m and Φ^m are smooth enough for the nodes, for every m."""

_NODES = 40


def normal_maximum(count: int) -> float:
    """E max of `count` independent standard normals, by quadrature of ∫ (1 − Φ^m) − ∫ Φ^m.

    By Gauss and Legendre on each panel; within 1e-12 of the value for up to 10⁹ normals.

    >>> round(normal_maximum(2), 6)  # 1/√π
    0.56419
    """
    if count < 1:
        raise InvalidInput("count", count, "give at least 1")
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    low, width = np.array(_PANELS[:-1])[:, None], np.diff(_PANELS)[:, None]
    x, w = low + 0.5 * width * (nodes + 1.0), 0.5 * width * weights
    above = -np.expm1(count * special.log_ndtr(x))
    below = np.exp(count * special.log_ndtr(-x))
    return float(np.sum(w * (above - below)))
