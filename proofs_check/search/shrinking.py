"""A counterexample made simple: smaller numbers, fewer entries, each step confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs_check.language.claim import Claim
from proofs_check.language.parameters import Integer, Parameter, Symmetric, Values, Vector
from proofs_check.search.cases import TROUBLE, Case, admits, confirm, float_excess

_FEW = 20
"""Numbers of a case up to which all attempts are made."""


def shrink(claim: Claim, case: Case, attempts: int) -> Case:
    """A simpler counterexample: greedy, each step confirmed; it keeps a visible violation.

    The more numbers it is made of, the more an attempt costs, and the fewer are made.
    """
    numbers = sum(len(p.entries(case[p.name])) for p in claim.parameters)
    best, left = case, attempts * _FEW // max(numbers, _FEW)
    visible = min((float_excess(claim, case) or (0.0, 0.0))[1], 1e-3)
    simpler: Iterator[Case] = _simpler_cases(claim, best)
    while left > 1 and (candidate := next(simpler, None)) is not None:
        if weight(candidate) >= weight(best):
            continue
        left -= 1
        if admits(claim, candidate):
            excess = float_excess(claim, candidate)
            if (excess is None or excess[1] >= visible) and confirm(claim, candidate):
                best, simpler = candidate, _simpler_cases(claim, candidate)
    return best


def _simpler_cases(claim: Claim, case: Case) -> Iterator[Case]:
    yield from _smaller_sizes(claim, case)
    for parameter in claim.parameters:
        before = {name: value for name, value in case.items() if name != parameter.name}
        try:
            for simpler in _simpler(parameter, case[parameter.name], before):
                yield {**case, parameter.name: simpler}
        except TROUBLE:
            continue


def _simpler(parameter: Parameter, value: Any, values: Values) -> Iterator[Any]:
    """Values with one simpler number, or with one that another entry has already."""
    if isinstance(parameter, Integer):
        low = parameter.ends(values)[0]
        yield from (n for n in (low, low + 1, low + 2, (low + value) // 2, value - 1) if n < value)
        return
    numbers = parameter.entries(value)
    for place, number in enumerate(numbers):
        before = numbers[place - 1 : place] if isinstance(parameter, Vector) else []
        for simpler in (*simpler_numbers(Fraction(number)), *before):
            yield parameter.of_entries([*numbers[:place], simpler, *numbers[place + 1 :]])


def _smaller_sizes(claim: Claim, case: Case) -> Iterator[Case]:
    """Leave one index out of everything that has the same size, and the size with it."""
    for parameter in claim.parameters:
        if not isinstance(parameter, Integer):
            continue
        sized = [
            p
            for p in claim.parameters
            if (isinstance(p, Vector) and p.length == parameter.name)
            or (isinstance(p, Symmetric) and p.size == parameter.name)
        ]
        if not sized:
            continue
        for out in range(case[parameter.name]):
            smaller = {**case, parameter.name: case[parameter.name] - 1}
            for p in sized:
                kept = [item for index, item in enumerate(case[p.name]) if index != out]
                if isinstance(p, Symmetric):
                    kept = [[x for index, x in enumerate(row) if index != out] for row in kept]
                smaller[p.name] = kept
            yield smaller


def weight(case: Case) -> int:
    """How hard a case is to read."""
    return sum(complexity(value) for value in case.values())


def simpler_numbers(value: Fraction) -> Iterator[Fraction]:
    """Fractions simpler than `value`, the simplest first."""
    tens = [Fraction(10) ** k for k in range(-6, 7)]
    candidates = [
        *map(Fraction, (0, 1, 2, -1, 3, 4)),
        Fraction(1, 2),
        Fraction(-1, 2),
        *(value.limit_denominator(bottom) for bottom in (1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 100)),
        *(sign * min(tens, key=lambda ten: abs(ten - abs(value))) for sign in (1, -1)),
        value / 2,
        Fraction(value.numerator // 2, value.denominator),
    ]
    start = complexity(value)
    yield from (simpler for simpler in dict.fromkeys(candidates) if complexity(simpler) < start)


def complexity(value: Any) -> int:
    """How hard a value is to read: digits of its numerators and denominators, 0 the simplest."""
    if isinstance(value, list | tuple):
        return 1 + sum(complexity(item) for item in value)
    fraction = Fraction(value)
    top, bottom = abs(fraction.numerator), fraction.denominator
    return 3 * (_decimal_weight(top) + 2 * _decimal_weight(bottom - 1)) + (fraction < 0)


def _decimal_weight(number: int) -> int:
    """Small integers are simple; round ones like 1000 are nearly so."""
    if number <= 10:
        return number
    digits = str(number)
    kept = digits.rstrip("0")
    return 10 + 2 * len(digits) + (10 * len(kept) if len(kept) > 1 else int(kept))
