"""Durations as people write them: a number with a unit, `h:mm:ss`, days and hours."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import expm1, isfinite, log, nan

from bounds.errors import InvalidInput

UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
"""Units of time that `--unit` knows, in seconds."""

MISSING = frozenset(("", "nan", "NaN", "NAN", "null", "None", "none", "NA", "N/A", "NaT", "<NA>"))
"""Cells that hold nothing, or a word for nothing."""

_CLOCK = re.compile(
    r"^(?P<sign>-)?(?:(?P<days>\d+) days?,? *\+?)?"
    r"(?:(?P<h>\d+):(?P<m>[0-5]?\d)(?::(?P<s>[0-5]?\d(?:[.,]\d+)?))?)?$"
)
_MEASURED = re.compile(r"^(?P<number>[-+]?[\d.,]+(?:[eE][-+]?\d+)?) *(?P<unit>[a-zµμ]+)$")
_WORDS = {
    **UNITS,
    "µs": 1e-6,
    "μs": 1e-6,
    "sec": 1.0,
    "secs": 1.0,
    "second": 1.0,
    "seconds": 1.0,
    "m": 60.0,
    "mins": 60.0,
    "minute": 60.0,
    "minutes": 60.0,
    "hr": 3600.0,
    "hour": 3600.0,
    "hours": 3600.0,
    "day": 86400.0,
    "days": 86400.0,
}
"""Units behind a number in a cell, in seconds."""


def number(text: str) -> float | None:
    """The number that a text is; None where it is none, NaN where it is missing.

    >>> number("1e3"), number("1_000")
    (1000.0, None)
    """
    if text in MISSING:
        return nan
    if "_" in text:  # float() also reads 1_000, which nobody means in a table of measurements
        return None
    try:
        return float(text)
    except ValueError:
        return None


def seconds(
    text: str, unit: float = 1.0, number: Callable[[str], float | None] = number
) -> float | None:
    """A duration in seconds; NaN where it is missing, None where the text is no duration.

    Numbers in `unit` seconds, `h:mm:ss`, `0 days 00:00:02.96`, `1 day, 2:00:00`, `2.5min`.

    >>> seconds("0 days 00:00:02.96"), seconds("2.5min")
    (2.96, 150.0)
    """
    value = number(text)
    if value is not None:
        return value * unit
    clock = _CLOCK.match(text)
    if clock and (clock["days"] or clock["h"]):
        whole = int(clock["days"] or 0) * 86400 + int(clock["h"] or 0) * 3600
        rest = int(clock["m"] or 0) * 60 + float((clock["s"] or "0").replace(",", "."))
        return -1.0 if clock["sign"] else whole + rest  # all that is negative is refused
    measured = _MEASURED.match(text)
    if measured and measured["unit"] in _WORDS:
        count = number(measured["number"])
        return None if count is None else count * _WORDS[measured["unit"]]
    return None


def parse_half_life(text: str) -> float:
    """A half-life in seconds: `30min`, `2h`, `0:30:00`, or a number of seconds.

    Raises InvalidInput for anything else, and for what is not positive.

    >>> parse_half_life("30min")
    1800.0
    """
    value = seconds(text.strip())
    if value is None or not (isfinite(value) and value > 0):
        remedy = f"give a positive time with its unit ({', '.join(UNITS)}), as 30min"
        raise InvalidInput("half-life", text, remedy)
    return value


def rate_of_half_life(half_life: float) -> float:
    """ε with (1 − ε)^{h/2} = ½ for a half-life h > 0 in units of the clock; 0 for infinite h.

    >>> rate_of_half_life(2.0)
    0.5
    """
    return float(-expm1(-2.0 * log(2.0) / half_life))
