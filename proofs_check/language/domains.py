"""The notation of a ledger's files for what a claim quantifies over: text to `Parameter`.

docs/own_ledgers.md#domains has the table of sets. What a search for counterexamples needs besides
follows a set, `searched -3..3 also 1/2, 9 reach 20`, and is no part of the statement. Parameters
are separated by semicolons, and ends may be formulas of the parameters before them.
"""

from __future__ import annotations

import re
from fractions import Fraction

from bounds.errors import CtvBoundsError
from proofs_check.language.parameters import (
    Bound,
    Integer,
    Parameter,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Times,
    Vector,
)

_DIAGONAL = {"": {}, "unit diagonal": {"unit": True}, "diagonal at most 1": {"bound": True}}
_OPTIONS = re.compile(
    r"(?P<set>.*?)(?:\s+searched\s+(?P<from>-?\d*)\.\.(?P<to>-?\d*))?"
    r"(?:\s+also\s+(?P<also>[-\d/.]+(?:\s*,\s*[-\d/.]+)*))?(?:\s+reach\s+(?P<reach>\d+))?",
    re.DOTALL,
)


class BadDomain(CtvBoundsError, ValueError):
    """A text names no set that a claim can quantify over; the message quotes it."""


def parameters(text: str) -> tuple[Parameter, ...]:
    """What a text of sets quantifies over, in order; raises `BadDomain`.

    >>> [one.describe() for one in parameters("i in {1..}; x in [i, oo); K in psd^i unit diagonal")]
    ['i in {1, …}', 'x in [i, oo)', 'K a positive semidefinite i×i matrix, unit diagonal']
    """
    return tuple(_parameter(part.strip()) for part in text.split(";"))


def _parameter(text: str) -> Parameter:
    name, separator, rest = text.partition(" in ")
    options = _OPTIONS.fullmatch(rest.strip())
    if not separator or options is None:
        raise BadDomain(f"{text!r}: write NAME in SET, such as x in [0, 1) or n in {{1..}}")
    name, described = name.strip(), options["set"].strip()
    used = {key for key in ("from", "to", "also", "reach") if options[key]}
    search = (_whole(options["from"]), _whole(options["to"]))
    if described.startswith("{"):
        ends = re.fullmatch(r"\{(.*?)\.\.(.*)\}", described, re.DOTALL)
        _require(ends is not None and bool(ends[1].strip()) and used <= {"reach"}, text)
        assert ends is not None
        low, high = _number(ends[1], text), _end(ends[2], "oo", text)
        return Integer(name, low, high, int(options["reach"] or Integer.reach))
    if described[:1] in ("[", "("):
        _require("reach" not in used, text)
        return _interval(name, described, search, options["also"], text)
    shape = re.fullmatch(r"(times|symmetric|psd)\^(\S+)\s*(.*)", described, re.DOTALL)
    _require(shape is not None and not used, text)
    assert shape is not None
    kind, size, more = shape[1], _number(shape[2], text), " ".join(shape[3].split())
    if kind == "psd" and more in _DIAGONAL:
        return PositiveSemidefinite(name, size, **_DIAGONAL[more])
    _require(not more, text)
    return Times(name, size) if kind == "times" else Symmetric(name, size)


def _interval(
    name: str, text: str, search: tuple[int | None, int | None], also: str | None, whole: str
) -> Parameter:
    comma, closing = _places(text)
    _require(0 < comma < closing, whole)
    low, high = _end(text[1:comma], "-oo", whole), _end(text[comma + 1 : closing], "oo", whole)
    low_open, high_open = text[0] == "(", text[closing] == ")"
    _require((low is not None or low_open) and (high is not None or high_open), whole)
    low_open, high_open = low_open and low is not None, high_open and high is not None
    after = text[closing + 1 :].strip()
    if not after:
        tried = tuple(str(Fraction(number.strip())) for number in also.split(",")) if also else ()
        return Real(name, low, high, low_open, high_open, tried, search)
    power = re.fullmatch(r"\^(\S+)(\s+increasing)?", after)
    _require(power is not None and not (low_open or high_open or also), whole)
    assert power is not None
    return Vector(name, _number(power[1], whole), low, high, power[2] is not None, search)


def _places(text: str) -> tuple[int, int]:
    """Where the comma between the ends of an interval stands, and its closing bracket."""
    depth, comma = 0, 0
    for place, letter in enumerate(text[1:], 1):
        if letter in "([":
            depth += 1
        elif letter == "," and not depth and not comma:
            comma = place
        elif letter in ")]":
            if not depth:
                return comma, place
            depth -= 1
    return comma, 0


def _end(text: str, infinite: str, whole: str) -> Bound:
    """An end: a number, or None where the set has none there, written as this infinity or not."""
    return None if text.strip() in (infinite, "") else _number(text, whole)


def _number(text: str, whole: str) -> str | int:
    """A whole number or a formula."""
    text = text.strip()
    _require(text not in ("oo", "-oo", "+oo", ""), whole)
    return int(text) if _is_whole(text) else text


def _is_whole(text: str) -> bool:
    return re.fullmatch(r"-?[0-9]+", text) is not None


def _whole(text: str | None) -> int | None:
    return int(text) if text else None


def _require(holds: bool, text: str) -> None:
    if not holds:
        raise BadDomain(
            f"{text!r}: write NAME in SET, the set as [0, oo), {{1..n}}, [0, 1]^n increasing, "
            "times^n, symmetric^n, or psd^n unit diagonal"
        )
