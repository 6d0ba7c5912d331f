"""The words of a formula in this arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from bounds.enclosure import numbers, spectrum


def vocabulary() -> dict[str, Any]:
    """The functions by which a formula computes in this arithmetic."""
    return {
        "divide": numbers.divide,
        "power": numbers.power,
        "compare": numbers.compare,
        "choose": numbers.choose,
        "number": lambda text: numbers.exact(Fraction(text)),
        "sqrt": numbers.sqrt,
        "log": numbers.log,
        "exp": numbers.exp,
        "sin": numbers.sin,
        "erf": numbers.erf,
        "gamma": numbers.gamma,
        "bessel_k": numbers.bessel_k,
        "normal_cdf": numbers.normal_cdf,
        "floor": numbers.floor,
        "ceil": numbers.ceil,
        "abs": numbers.absolute,
        "min": numbers.minimum,
        "max": numbers.maximum,
        "sum": numbers.total,
        "prod": numbers.product,
        "det": spectrum.determinant,
        "eigenvalues": spectrum.eigenvalues,
        "pi": numbers.pi,
    }
