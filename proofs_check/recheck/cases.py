"""The recheck of counterexamples and of boxes, by exact numbers and balls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from bounds import enclosure
from bounds.enclosure import Number, certainly_lt
from bounds.enclosure.numbers import number
from proofs_check.recheck.independent import (
    compared,
    evaluate,
    is_positive_semidefinite,
    lifted,
    sides,
)
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.slopes import follows

_MOST_BOXES = _MOST_VALUES = 60_000
_PLAIN = 30
"""Boxes after which slopes are asked too: before, both sides are only enclosed."""
_LARGEST_MATRIX = 9
_WIDEST = Fraction(1, 10**9)
Box = dict[str, tuple[Fraction, Fraction]]


def check_counterexample(entry: Mapping[str, Any]) -> str:
    """Evaluate a stored counterexample again: a sentence if it stands, else an exception."""
    stored = entry["counterexample"]
    case = stored["case"]
    if set(case) != {parameter["name"] for parameter in entry["parameters"]}:
        raise Refused("the counterexample does not give each parameter one value")
    values = _values_inside(entry, case, "the counterexample")
    sign, *enclosures = sides(entry["formula"], values)
    if compared(sign, *enclosures) is not False:
        raise Refused("the counterexample satisfies the claim")
    said = [_stored_side(stored[name], name) for name in ("left", "right")]
    for side, shown, name in zip(enclosures, said, ("left", "right"), strict=True):
        if certainly_lt(side, shown) or certainly_lt(shown, side):
            raise Refused(f"the {name} side is not what the file says")
    if compared(sign, *said) is not False:
        raise Refused("the sides in the file do not decide the comparison")
    return "the counterexample, evaluated"


def check_witness(entry: Mapping[str, Any]) -> str:
    """Whether the stored point is in the domain: else the claim might speak of nothing."""
    if not entry["parameters"]:
        _values_inside(entry, {}, "the domain")
        return "without parameters"
    case = entry["witness"]
    if not isinstance(case, dict) or set(case) != {p["name"] for p in entry["parameters"]}:
        raise Refused("no point of the domain is given")
    _values_inside(entry, case, "the point of the domain")
    return "a point of the domain"


def _values_inside(entry: Mapping[str, Any], case: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The values at a case, which is in the stated sets and satisfies every hypothesis."""
    _require_admitted(entry, case)
    values = _values(entry, {name: lifted(value) for name, value in case.items()})
    for hypothesis in entry["hypotheses"]:
        if evaluate(hypothesis, values) is not True:
            raise Refused(f"{what} does not satisfy {hypothesis}")
    return values


def _stored_side(ends: Any, name: str) -> Number:
    """A side as the file states it: two ends in order, close enough to say what the side is."""
    low, high = (_fraction(end) for end in ends)
    if low > high:
        raise Refused(f"the {name} side ends before it begins")
    if high - low > _WIDEST * max(Fraction(1), abs(low)):
        raise Refused(f"the {name} side in the file is too wide to say what it is")
    return enclosure.interval(low, high)


def _require_admitted(entry: Mapping[str, Any], case: Mapping[str, Any]) -> None:
    """The case is in the stated sets, each bound evaluated with the parameters before it."""
    seen: dict[str, Any] = {}
    for parameter in entry["parameters"]:
        name, kind = parameter["name"], parameter["type"]
        value = case[name]
        if kind in ("Real", "Integer"):
            only = _fraction(value)
            if kind == "Integer" and only.denominator != 1:
                raise Refused(f"{name} = {value} is not an integer")
            _require_between(parameter, name, only, seen)
        elif kind in ("Vector", "Times"):
            numbers = [_fraction(item) for item in value]
            if len(numbers) != bound_of(parameter["length"], seen):
                raise Refused(f"{name} has the wrong length")
            if parameter["increasing"] and numbers != sorted(numbers):
                raise Refused(f"{name} decreases")
            for number in numbers:
                _require_between(parameter, name, number, seen)
        else:
            _require_matrix(parameter, name, value, seen)
        seen[name] = lifted(value)


def _require_between(
    parameter: Mapping[str, Any], name: str, value: Fraction, seen: Mapping[str, Any]
) -> None:
    low, high = (bound_of(parameter[end], seen) for end in ("low", "high"))
    too_low = low is not None and (value < low or (value == low and parameter.get("low_open")))
    too_high = high is not None and (value > high or (value == high and parameter.get("high_open")))
    if too_low or too_high:
        raise Refused(f"{name} = {value} is outside its domain")


def _require_matrix(
    parameter: Mapping[str, Any], name: str, value: Any, seen: Mapping[str, Any]
) -> None:
    size = len(value)
    if size > _LARGEST_MATRIX:
        raise Refused(f"{name} is too large to be examined")
    rows = [[_fraction(item) for item in row] for row in value]
    if size != bound_of(parameter["size"], seen) or any(
        len(rows[j]) != size or rows[j][k] != rows[k][j] for j in range(size) for k in range(size)
    ):
        raise Refused(f"{name} is not a symmetric matrix of the right size")
    if parameter["type"] == "Symmetric":
        return
    if not is_positive_semidefinite(rows):
        raise Refused(f"{name} is not positive semidefinite")
    diagonal = [rows[j][j] for j in range(size)]
    if (parameter["unit"] and any(entry != 1 for entry in diagonal)) or (
        parameter["bound"] and any(entry > 1 for entry in diagonal)
    ):
        raise Refused(f"the diagonal of {name} is not allowed")


def bound_of(bound: str | int | None, seen: Mapping[str, Any]) -> Fraction | None:
    """A bound of a parameter as an exact number, given those before it; None for none."""
    if bound is None:
        return None
    return enclosure.to_fraction(evaluate(str(bound), seen))


def _fraction(value: Any) -> Fraction:
    return enclosure.to_fraction(lifted(value))


def _values(entry: Mapping[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    for name, meaning in entry["definitions"]:
        values[name] = evaluate(meaning, values)
    return values


def certain(entry: Mapping[str, Any], text: str, values: Mapping[str, Any]) -> bool | None:
    """Whether a comparison holds at these values; None where they do not decide it."""
    try:
        answer = evaluate(text, _values(entry, dict(values)))
    except ArithmeticError:
        return None
    return answer if isinstance(answer, bool) else None


def check_box(entry: Mapping[str, Any]) -> str:
    """Subdivide depth first, halving every side in turn."""
    corners, whole = _boxes(entry)
    if entry["verdict"] == "PROVED" and not whole:
        raise Refused("the box is a part of the domain only")
    stack = [(corner, 0) for corner in corners]
    boxes = 0
    inhabited = False
    while stack:
        box, depth = stack.pop()
        boxes += 1
        values = {name: enclosure.interval(*ends) for name, ends in box.items()}
        if any(certain(entry, text, values) is False for text in entry["hypotheses"]):
            continue
        if certain(entry, entry["formula"], values):
            inhabited = inhabited or _middle_satisfies(entry, box)
            continue
        if boxes > _PLAIN and _touches(entry, box, values):
            inhabited = inhabited or _middle_satisfies(entry, box)
            continue
        wide = [name for name, (low, high) in box.items() if low < high]
        if not wide or depth > 60 * len(wide) or boxes >= _MOST_BOXES:
            raise Refused(f"{boxes} boxes, on the last of which it does not hold for certain")
        name = wide[depth % len(wide)]
        low, high = box[name]
        middle = (low + high) / 2
        stack += [({**box, name: half}, depth + 1) for half in ((low, middle), (middle, high))]
    if not inhabited:
        raise Refused("the box holds no point of the domain")
    return f"{boxes} boxes"


def _touches(entry: Mapping[str, Any], box: Box, values: Mapping[str, Any]) -> bool:
    """Whether both sides have a value all over the box, and their slopes decide."""
    try:
        sides(entry["formula"], _values(entry, dict(values)))
    except ArithmeticError:
        return False
    return follows(entry["formula"], entry["definitions"], box)


def _boxes(entry: Mapping[str, Any]) -> tuple[list[Box], bool]:
    """The box, one for every value of the integers, and whether it is the whole domain."""
    chosen = {} if entry["box"] == "all" else entry["box"]
    if set(chosen) - {parameter["name"] for parameter in entry["parameters"]}:
        raise Refused("the box is of other parameters than the claim")
    whole = True
    corners: list[Box] = [{}]
    for parameter in entry["parameters"]:
        name = parameter["name"]
        grown = []
        for corner in corners:
            fixed = {other: enclosure.interval(*ends) for other, ends in corner.items()}
            low, high = (bound_of(parameter[end], fixed) for end in ("low", "high"))
            if name in chosen:
                left, right = (_fraction(end) for end in chosen[name])
                beyond = (low is not None and left < low) or (high is not None and right > high)
                if left > right or beyond:
                    raise Refused(f"the box of {name} is no part of its domain")
                whole = whole and (left, right) == (low, high)
                low, high = left, right
            if parameter["type"] not in ("Real", "Integer") or low is None or high is None:
                raise Refused(f"{name} has no finite box")
            if parameter["type"] == "Integer":
                values = range(ceil(low), floor(high) + 1)
                if len(values) * len(corners) > _MOST_VALUES:
                    raise Refused(f"{name} has too many values")
                grown += [{**corner, name: (Fraction(k), Fraction(k))} for k in values]
            elif low <= high:
                grown.append({**corner, name: (low, high)})
        corners = grown
    return corners, whole


def _middle_satisfies(entry: Mapping[str, Any], box: Box) -> bool:
    middle = {name: number((low + high) / 2) for name, (low, high) in box.items()}
    return all(certain(entry, text, middle) is True for text in entry["hypotheses"])
