"""How simple a number is, and which simpler ones to try: what shrinking a counterexample needs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any


def simpler_numbers(value: Fraction) -> Iterator[Fraction]:
    """Fractions simpler than `value`, the simplest first."""
    tried = {value}
    start = complexity(value)
    nearest = [value.limit_denominator(bottom) for bottom in (1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 100)]
    tens = [Fraction(10) ** k for k in range(-6, 7)]
    powers = [sign * min(tens, key=lambda ten: abs(ten - abs(value))) for sign in (1, -1)]
    for candidate in [
        *map(Fraction, (0, 1, 2, -1, 3, 4)), Fraction(1, 2), Fraction(-1, 2), *nearest,
        *powers, value / 2, Fraction(value.numerator // 2, value.denominator),
    ]:  # fmt: skip
        if candidate not in tried and complexity(candidate) < start:
            tried.add(candidate)
            yield candidate


def complexity(value: Any) -> int:
    """How hard a value is to read: digits of its numerators and denominators, 0 the simplest."""
    if isinstance(value, list | tuple):
        return 1 + sum(complexity(item) for item in value)
    fraction = Fraction(value)
    top, bottom = abs(fraction.numerator), fraction.denominator
    negative = 1 if fraction < 0 else 0
    return 3 * (_decimal_weight(top) + 2 * _decimal_weight(bottom - 1)) + negative


def _decimal_weight(number: int) -> int:
    """Small integers are simple; round ones like 1000 are nearly so."""
    if number <= 10:
        return number
    stripped = number
    while stripped % 10 == 0:
        stripped //= 10
    return 10 + 2 * len(str(number)) + (10 * len(str(stripped)) if stripped > 9 else stripped)
