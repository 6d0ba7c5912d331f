"""One case of a claim: is it admitted, what are its sides in floats, does the claim fail there?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import itemgetter
from typing import Any, Literal

import numpy as np

from bounds import enclosure
from proofs_check.language import arithmetics, formula
from proofs_check.language.claim import Claim, Counterexample

Case = dict[str, Any]
_PRECISIONS = (64, 256, 1024)
# An exact side of more bits is stored as an enclosure: nobody reads ten thousand digits.
_MOST_BITS = 4096
TROUBLE = arithmetics.TROUBLE
FLOAT_TROUBLE = (*TROUBLE, np.linalg.LinAlgError, TypeError)


def admits(claim: Claim, case: Case, *, surely: bool = False) -> bool:
    """Whether the case is in the domain for certain: parameters and hypotheses.

    Floats settle most hypotheses at a tenth of the price; `surely` asks exact numbers in any case.
    """
    seen: Case = {}
    try:
        for parameter in claim.parameters:
            if not parameter.admits(case[parameter.name], seen):
                return False
            seen[parameter.name] = case[parameter.name]
        slack = None if surely else _hypothesis_slack(claim, case)
        if slack is not None and abs(slack) > 1e-6:
            return slack < 0
        with enclosure.precision(_PRECISIONS[1]):
            return _hypotheses_hold(claim, in_balls(claim, case)) is True
    except TROUBLE:
        return False


def _hypotheses_hold(claim: Claim, values: Case) -> bool | None:
    words = arithmetics.rigorous()
    return arithmetics.every(arithmetics.holds(text, words, values) for text in claim.hypotheses)


def _hypothesis_slack(claim: Claim, case: Case) -> float | None:
    """The largest relative violation of a hypothesis in floats; None if one is undefined."""
    try:
        values = in_floats(claim, case)
        return max((_excess(text, values)[1] for text in claim.hypotheses), default=-math.inf)
    except FLOAT_TROUBLE:
        return None


def float_excess(claim: Claim, case: Case) -> tuple[float, float] | None:
    """The violation in floats, plain and relative; None where floats have no value."""
    try:
        return _excess(claim.searched, in_floats(claim, case))
    except FLOAT_TROUBLE:
        return None


def height(claim: Claim, case: Case, relative: bool) -> float:
    """The violation in floats, plain or relative; far below 0 outside the domain."""
    slack = _hypothesis_slack(claim, case)
    excess = None if slack is None or slack > 0 else float_excess(claim, case)
    return -1e300 if excess is None else excess[relative]


def _excess(text: str, values: Case) -> tuple[float, float]:
    """By how much the comparison fails in floats, plainly and relative to the size of its sides."""
    sides = formula.relation(text)
    left, right = (formula.evaluate(s, arithmetics.floats(), values) for s in (sides[0], sides[2]))
    if isinstance(left, list):
        gaps = [_gap(sides.operator, *pair) for pair in zip(left, right, strict=True)]
        return max(gaps, key=itemgetter(1), default=(-math.inf, -math.inf))
    return _gap(sides.operator, left, right)


def _gap(sign: str, left: Any, right: Any) -> tuple[float, float]:
    """By how much two sides in floats fail a comparison."""
    left, right = float(left), float(right)
    if not (math.isfinite(left) and math.isfinite(right)):
        raise OverflowError("a side is not finite")
    gap = left - right if sign in ("<=", "<") else right - left
    if sign in ("==", "!="):
        gap = abs(left - right) if sign == "==" else -abs(left - right)
    if gap == 0 and sign in ("<", ">", "!="):
        return 1e-300, 1e-300
    return gap, gap / max(abs(left), abs(right), 1e-300)


def confirm(claim: Claim, case: Case) -> Counterexample | Literal[False] | None:
    """The counterexample with both sides enclosed, if the claim fails at the case for certain.

    False if it holds there for certain, or is undefined; None if no precision decides.
    """
    sides = formula.relation(claim.searched)
    for bits in _PRECISIONS:
        with enclosure.precision(bits):
            try:
                values = in_balls(claim, case)
                inside = _hypotheses_hold(claim, values)
                if inside is False:
                    return False
                left = formula.evaluate(sides.left, arithmetics.rigorous(), values)
                right = formula.evaluate(sides.right, arithmetics.rigorous(), values)
                verdict = enclosure.compare(sides.operator, left, right)
                if verdict:
                    return False
                if verdict is None or inside is None:
                    continue
                ends = [tuple(map(str, _ends(side))) for side in (left, right)]
            except enclosure.Undecided:
                continue
            except TROUBLE:
                return False
            return Counterexample(case, ends[0], ends[1], sides.operator)  # type: ignore[arg-type]
    return None


def _ends(side: Any) -> tuple[Fraction, Fraction]:
    low, high = enclosure.endpoints(side)
    if max(low.numerator.bit_length(), low.denominator.bit_length()) > _MOST_BITS:
        return enclosure.endpoints(enclosure.ball(side))
    return low, high


def values_of(
    claim: Claim, case: Case, words: Mapping[str, Any], number: Callable[[Fraction], Any]
) -> Case:
    """The case in the numbers of an arithmetic, with the definitions evaluated in order."""
    values: Case = arithmetics.entrywise(number, case)
    for name, meaning in claim.let:
        values[name] = formula.evaluate(meaning, words, values)
    return values


def in_floats(claim: Claim, case: Case) -> Case:
    """The case in floating point."""
    return values_of(claim, case, arithmetics.floats(), float)


def in_balls(claim: Claim, case: Case) -> Case:
    """The case in exact numbers and balls."""
    return values_of(claim, case, arithmetics.rigorous(), enclosure.exact)


def has_value(claim: Claim, case: Case) -> bool | None:
    """Whether the claim's sides have values at a case; None where the precision does not tell."""
    sides = formula.relation(claim.searched)
    try:
        with enclosure.precision(_PRECISIONS[1]):
            values = in_balls(claim, case)
            for side in (sides.left, sides.right):
                formula.evaluate(side, arithmetics.rigorous(), values)
    except enclosure.Undecided:
        return None
    except TROUBLE:
        return False
    return True
