"""Exact points of a claim's domain, for the recheck: to see that it is not empty, and to look for a
point at which a cited instance is false. Drawn by a seed made of the text: small integers,
rationals, correlation matrices.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from proofs_check.recheck.cases import Refused, bound_of
from proofs_check.recheck.decision import follows
from proofs_check.recheck.independent import evaluate
from proofs_check.recheck.rational_interval import Interval, NotDecided

POINTS = 12
_TRIES = 200
_FINE = 10**4


class _Empty(ArithmeticError):
    """A parameter has no value, given those before it."""


def points(entry: Mapping[str, Any], text: str, tries: int = POINTS) -> Iterator[dict[str, Any]]:
    """Values of the parameters in their sets; the hypotheses are not looked at."""
    source = np.random.default_rng(zlib.crc32(f"{entry['id']}:{text}".encode()))
    for _ in range(tries):
        values: dict[str, Any] = {}
        try:
            for parameter in entry["parameters"]:
                values[parameter["name"]] = _drawn(parameter, values, source)
        except _Empty:
            continue
        yield values


def holds_at(texts: Sequence[str], values: Mapping[str, Any]) -> bool:
    """Whether all comparisons hold for certain at a point."""
    try:
        return all(evaluate(text, values) is True for text in texts)
    except (NotDecided, KeyError, TypeError):
        return False


def require_point(entry: Mapping[str, Any], hypotheses: Sequence[str], premises: list[str]) -> None:
    """Refused where the domain is empty: from a contradiction everything would follow.

    A point is looked for; where none is drawn (an equation among the hypotheses), the premises must
    at least not contradict each other.
    """
    if any(holds_at(hypotheses, values) for values in points(entry, "domain", _TRIES)):
        return
    if not hypotheses:
        raise Refused("the domain is empty")
    require_consistent(premises)


def require_consistent(premises: Sequence[str]) -> None:
    """Refused where comparisons contradict each other."""
    if follows(premises, "0 >= 1"):
        raise Refused("no point satisfies the premises")


def _drawn(
    parameter: Mapping[str, Any], values: Mapping[str, Any], source: np.random.Generator
) -> Any:
    kind = parameter["type"]
    if kind in ("Real", "Integer"):
        return Interval.of(_number(parameter, values, source))
    if kind in ("Vector", "Times"):
        length = bound_of(parameter["length"], values)
        entry = {"type": "Real", "low": parameter["low"], "high": parameter["high"]}
        drawn = [_drawn(entry, values, source) for _ in range(int(length or 0))]
        return sorted(drawn, key=lambda item: item.low) if parameter["increasing"] else drawn
    # A correlation matrix: in every set of matrices that parameters name.
    size = range(int(bound_of(parameter["size"], values) or 0))
    level = Fraction(int(source.integers(0, 9)), 8)
    return [[Interval.of(1 if j == k else level) for k in size] for j in size]


def _number(
    parameter: Mapping[str, Any], values: Mapping[str, Any], source: np.random.Generator
) -> Fraction:
    low, high = (bound_of(parameter[end], values) for end in ("low", "high"))
    if parameter["type"] == "Integer":
        bottom = ceil(low or 0)
        top = bottom + 9 if high is None else floor(high)
        if top < bottom:
            raise _Empty
        return Fraction(int(source.integers(bottom, min(top, bottom + 9) + 1)))
    if low is not None and high is not None:
        opened = parameter.get("low_open") or parameter.get("high_open")
        if low > high or (low == high and opened):
            raise _Empty
        return low + (high - low) * Fraction(int(source.integers(1, _FINE)), _FINE)
    share = Fraction(int(source.integers(1, _FINE)), _FINE)
    far = share * (1, 3, 10)[int(source.integers(0, 3))]
    if low is None and high is None:
        return far - 2
    return low + far if low is not None else (high or 0) - far
