"""One case of a claim: is it admitted, what are its sides in floats, does the claim fail there?"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from bounds import enclosure
from proofs_check.language import formula
from proofs_check.language.claim import Claim, Counterexample
from proofs_check.search.polish import excess

Case = dict[str, Any]
_PRECISIONS = (64, 256, 1024)
# An exact side of more bits is stored as an enclosure: nobody reads ten thousand digits.
_MOST_BITS = 4096
_FLOAT_TROUBLE = (ArithmeticError, ValueError, IndexError, np.linalg.LinAlgError, TypeError)
TROUBLE = (ArithmeticError, ValueError, IndexError)


def admits(claim: Claim, case: Case) -> bool:
    """Whether the case is in the domain for certain: parameters and hypotheses, decided exactly."""
    seen: Case = {}
    for parameter in claim.parameters:
        try:
            if not parameter.admits(case[parameter.name], seen):
                return False
        except TROUBLE:
            return False
        seen[parameter.name] = case[parameter.name]
    if not claim.hypotheses:
        return True
    # Floats first: they settle most draws at a tenth of the price.
    slack = _hypothesis_slack(claim, case)
    if slack is not None and abs(slack) > 1e-6:
        return slack < 0
    try:
        with enclosure.precision(_PRECISIONS[1]):
            exact = exact_values(claim, case)
            return all(formula.holds(text, formula.rigorous(), exact) for text in claim.hypotheses)
    except TROUBLE:
        return False


def is_point(claim: Claim, case: Case) -> bool:
    """Whether a case is in the domain for certain, by exact numbers, and the claim has a value."""
    seen: Case = {}
    try:
        for parameter in claim.parameters:
            if not parameter.admits(case[parameter.name], seen):
                return False
            seen[parameter.name] = case[parameter.name]
        with enclosure.precision(_PRECISIONS[1]):
            exact = exact_values(claim, case)
            if not all(formula.holds(h, formula.rigorous(), exact) for h in claim.hypotheses):
                return False
    except TROUBLE:
        return False
    return has_value(claim, case) is True


def _hypothesis_slack(claim: Claim, case: Case) -> float | None:
    """The largest relative violation of a hypothesis in floats; None if one is undefined."""
    try:
        values = float_values(claim, case)
        return max(excess(text, values)[1] for text in claim.hypotheses)
    except _FLOAT_TROUBLE:
        return None


def float_violation(claim: Claim, case: Case) -> float | None:
    """By how much the two sides, in floats, violate the claim (relative); None if undefined."""
    found = float_excess(claim, case)
    return None if found is None else found[1]


def float_excess(claim: Claim, case: Case) -> tuple[float, float] | None:
    """The violation in floats, plain and relative; None where floats have no value."""
    try:
        return excess(claim.formula, float_values(claim, case))
    except _FLOAT_TROUBLE:
        return None


def confirm(claim: Claim, case: Case) -> Counterexample | Literal[False] | None:
    """The counterexample with both sides enclosed, if the claim fails at the case for certain.

    False if it holds there for certain, or is undefined; None if no precision decides.
    """
    sides = formula.relation(claim.formula)
    for bits in _PRECISIONS:
        with enclosure.precision(bits):
            try:
                values = exact_values(claim, case)
                known = [formula.holds(h, formula.rigorous(), values) for h in claim.hypotheses]
                if None in known:
                    continue
                if not all(known):
                    return False
                left = formula.evaluate(sides.left, formula.rigorous(), values)
                right = formula.evaluate(sides.right, formula.rigorous(), values)
                verdict = enclosure.compare(sides.operator, left, right)
                if verdict is None:
                    continue
                if verdict:
                    return False
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


def float_values(claim: Claim, case: Case) -> Case:
    """The case for floating point, with the claim's definitions evaluated in order."""
    values = {name: formula.as_float(value) for name, value in case.items()}
    for name, meaning in claim.let:
        values[name] = formula.evaluate(meaning, formula.floats(), values)
    return values


def exact_values(claim: Claim, case: Case) -> Case:
    """The case for the rigorous arithmetic, with the claim's definitions evaluated in order."""
    values = {name: formula.as_exact(value) for name, value in case.items()}
    for name, meaning in claim.let:
        values[name] = formula.evaluate(meaning, formula.rigorous(), values)
    return values


def has_value(claim: Claim, case: Case) -> bool | None:
    """Whether the claim's sides have values at a case; None where the precision does not tell."""
    sides = formula.relation(claim.formula)
    try:
        with enclosure.precision(_PRECISIONS[1]):
            values = exact_values(claim, case)
            for side in (sides.left, sides.right):
                formula.evaluate(side, formula.rigorous(), values)
    except enclosure.Undecided:
        return None
    except TROUBLE:
        return False
    return True
