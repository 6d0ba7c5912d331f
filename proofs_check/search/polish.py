"""The search's last touch: climb to a maximum of the violation, then round it to simple numbers.

Nelder and Mead's simplex in floating point, over every real entry of a case at once, integers held
fixed. The maximum found is rounded by continued fractions, coarse to fine, since what violates a
claim only in a small neighbourhood of 1/3 does so at 1/3. Cost: `evaluations` of the formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import (
    Bound,
    Parameter,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Vector,
    bound_value,
)

Case = dict[str, Any]
Point = list[float]
_DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 16, 100, 10**4, 10**6, 10**9)
_TROUBLE = (ArithmeticError, ValueError, IndexError, np.linalg.LinAlgError, TypeError)
_NOWHERE = -math.inf


def polished(claim: Claim, start: Case, evaluations: int, relative: bool) -> Iterator[Case]:
    """Cases near a local maximum of the violation above `start`, the simplest numbers first.

    `relative` climbs the violation as a share of the sides, else the plain difference. The cases
    need not be admitted. Nothing where the case has no real entry.
    """
    entries = _Entries(claim, start)
    if not entries.origin:
        return
    top = _climb(
        lambda point: _height(claim, entries, point, relative), entries.origin, evaluations
    )
    seen: list[Case] = []
    for bottom in _DENOMINATORS:
        rounded = entries.case([Fraction(x).limit_denominator(bottom) for x in top])
        if rounded not in seen:
            seen.append(rounded)
            yield rounded


class _Entries:
    """The real entries of a case as one list of numbers, and back."""

    def __init__(self, claim: Claim, start: Case) -> None:
        self.start = start
        self.places: list[tuple[str, int | tuple[int, int] | None]] = []
        self.ends: list[tuple[Bound, Bound]] = []
        self.movable: list[Parameter] = []
        for parameter in claim.parameters:
            value = start[parameter.name]
            if isinstance(parameter, Real):
                self._add(parameter.name, None, (parameter.low, parameter.high))
            elif isinstance(parameter, Vector):
                for index in range(len(value)):
                    self._add(parameter.name, index, (parameter.low, parameter.high))
            elif isinstance(parameter, Symmetric) and not isinstance(
                parameter, PositiveSemidefinite
            ):
                for j in range(len(value)):
                    for k in range(j, len(value)):
                        self._add(parameter.name, (j, k), (None, None))
        self.sorted = {p.name for p in claim.parameters if isinstance(p, Vector) and p.increasing}
        self.origin = [float(self._read(place)) for place in self.places]

    def _add(self, name: str, index: int | tuple[int, int] | None, ends: Any) -> None:
        self.places.append((name, index))
        self.ends.append(ends)

    def _read(self, place: tuple[str, Any]) -> Any:
        value = self.start[place[0]]
        if place[1] is None:
            return value
        return value[place[1]] if isinstance(place[1], int) else value[place[1][0]][place[1][1]]

    def case(self, numbers: list[Any]) -> Case:
        """The start with these numbers, each moved into its bounds."""
        case: Case = {
            name: [list(row) if isinstance(row, list) else row for row in value]
            if isinstance(value, list | tuple)
            else value
            for name, value in self.start.items()
        }
        for (name, index), ends, number in zip(self.places, self.ends, numbers, strict=True):
            inside = _clipped(number, ends, case)
            if index is None:
                case[name] = inside
            elif isinstance(index, int):
                case[name][index] = inside
            else:
                case[name][index[0]][index[1]] = case[name][index[1]][index[0]] = inside
        for name in self.sorted:
            case[name] = sorted(case[name])
        return case


def _clipped(number: Any, ends: tuple[Bound, Bound], case: Case) -> Any:
    low, high = (bound_value(end, case) for end in ends)
    if low is not None and number < low:
        return type(number)(low)
    if high is not None and number > high:
        return type(number)(high)
    return number


def _height(claim: Claim, entries: _Entries, point: Point, relative: bool) -> float:
    """How much the claim is violated at a point, in floats; minus infinity outside the domain."""
    try:
        case = entries.case(point)
        values = {name: formula.as_float(value) for name, value in case.items()}
        for name, meaning in claim.let:
            values[name] = formula.evaluate(meaning, formula.floats(), values)
        for hypothesis in claim.hypotheses:
            if not formula.evaluate(hypothesis, formula.floats(), values):
                return _NOWHERE
        return excess(claim.formula, values)[relative]
    except _TROUBLE:
        return _NOWHERE


def excess(text: str, values: Case) -> tuple[float, float]:
    """By how much the comparison fails in floats, plainly and relative to the size of its sides."""
    sides = formula.relation(text)
    left = float(formula.evaluate(sides.left, formula.floats(), values))
    right = float(formula.evaluate(sides.right, formula.floats(), values))
    if not (math.isfinite(left) and math.isfinite(right)):
        raise ValueError("a side is not finite")
    gap = left - right if sides.operator in ("<=", "<") else right - left
    if sides.operator in ("==", "!="):
        gap = abs(left - right) if sides.operator == "==" else float(left == right)
    if gap == 0 and sides.operator in ("<", ">"):
        return 1e-300, 1e-300
    return gap, gap / max(abs(left), abs(right), 1e-300)


def _climb(height: Callable[[Point], float], origin: Point, evaluations: int) -> Point:
    """Nelder and Mead's simplex, uphill; the best point found."""
    size = len(origin)
    simplex = [(height(origin), list(origin))]
    for k in range(size):
        corner = list(origin)
        corner[k] += 0.05 * abs(corner[k]) or 0.05
        simplex.append((height(corner), corner))
    left = evaluations - len(simplex)
    while left > 0:
        simplex.sort(key=lambda pair: -pair[0])
        worst = simplex[-1]
        middle = [sum(p[k] for _, p in simplex[:-1]) / size for k in range(size)]

        def toward(share: float, middle: Point = middle, worst: Point = worst[1]) -> Point:
            return [m + share * (m - w) for m, w in zip(middle, worst, strict=True)]

        if max(abs(a - b) for a, b in zip(middle, worst[1], strict=True)) < 1e-13:
            break
        reflected = (height(point := toward(1.0)), point)
        left -= 1
        if reflected[0] > simplex[0][0]:
            expanded = (height(point := toward(2.0)), point)
            left -= 1
            simplex[-1] = max(expanded, reflected, key=lambda pair: pair[0])
        elif reflected[0] > simplex[-2][0]:
            simplex[-1] = reflected
        else:
            share = 0.5 if reflected[0] > worst[0] else -0.5
            inner = (height(point := toward(share)), point)
            left -= 1
            if inner[0] > worst[0]:
                simplex[-1] = inner
            else:
                best = simplex[0][1]
                shrunk = [[(b + x) / 2 for b, x in zip(best, p, strict=True)] for _, p in simplex]
                simplex = [simplex[0], *((height(p), p) for p in shrunk[1:])]
                left -= size
    return max(simplex, key=lambda pair: pair[0])[1]
