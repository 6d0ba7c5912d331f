"""Bounds inside a sentence, in few digits, rounded to their side: what is read is a bound too."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import isfinite


def at_most(value: float, significant: int = 4) -> str:
    """An upper bound, rounded up.

    >>> at_most(0.23919, 3), at_most(0.75), at_most(1234567.0)
    ('0.24', '0.75', '1.235e+06')
    """
    return _rounded(value, significant, ROUND_CEILING)


def at_least(value: float, significant: int = 4) -> str:
    """A lower bound, rounded down.

    >>> at_least(0.97561, 3), at_least(0.9, 3)
    ('0.975', '0.9')
    """
    return _rounded(value, significant, ROUND_FLOOR)


def _rounded(value: float, significant: int, rounding: str) -> str:
    if isfinite(value) and value != 0.0:
        exact = Decimal(repr(float(value)))
        unit = Decimal(1).scaleb(exact.adjusted() - significant + 1)
        value = float(exact.quantize(unit, rounding))
    return f"{value:.{significant}g}"
