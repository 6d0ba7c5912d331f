"""Numbers as people read them: upper bounds rounded up, lower bounds down, the rest to nearest."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from math import isfinite


def counted(count: int, noun: str) -> str:
    """How many of something.

    >>> counted(1, "round"), counted(2_000, "own round")
    ('1 round', '2,000 own rounds')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def digits(value: float, significant: int = 4) -> str:
    """A number as a table shows it: that many digits, thousands apart.

    >>> [digits(x) for x in (0.012345, 3.14159, 1234567.8, 0.0, float("nan"))]
    ['0.01235', '3.142', '1,234,568', '0', '–']
    """
    return _rounded(value, significant, ROUND_HALF_UP)


def at_most(value: float, significant: int = 4) -> str:
    """An upper bound as a table shows it: rounded up, so that what is printed is one too.

    >>> [at_most(x) for x in (0.0123401, 3.1411, 1234567.2, 0.0, float("inf"))]
    ['0.01235', '3.142', '1,234,568', '0', '∞']
    """
    return _rounded(value, significant, ROUND_CEILING)


def at_least(value: float, significant: int = 4) -> str:
    """A lower bound as a table shows it: rounded down.

    >>> [at_least(x) for x in (0.0123499, 3.1419, 1234567.8)]
    ['0.01234', '3.141', '1,234,567']
    """
    return _rounded(value, significant, ROUND_FLOOR)


def known(value: float | None) -> str:
    """A number, or a dash where there is none.

    >>> known(None), known(2.0)
    ('–', '2.000')
    """
    return "–" if value is None else digits(value)


def shortened_list(values: Sequence[int], shown: int = 24) -> str:
    """The first and last of many whole numbers, and how many lie between.

    >>> shortened_list(range(9), shown=4)
    '0 1 … (5 more) … 7 8'
    """
    if len(values) <= shown:
        return " ".join(map(str, values))
    half = shown // 2
    left_out = len(values) - 2 * half
    head, tail = " ".join(map(str, values[:half])), " ".join(map(str, values[-half:]))
    return f"{head} … ({left_out} more) … {tail}"


def _rounded(value: float, significant: int, rounding: str) -> str:
    if not isfinite(value):
        return "–" if value != value else "∞"
    if value == 0:
        return "0"
    exact = Decimal(repr(float(value)))
    magnitude = exact.adjusted()
    if not -5 < magnitude < 9:
        unit = Decimal(1).scaleb(magnitude - significant + 1)
        return f"{float(exact.quantize(unit, rounding)):.{significant - 1}e}"
    places = max(0, significant - 1 - magnitude)
    return f"{exact.quantize(Decimal(1).scaleb(-places), rounding):,.{places}f}"
