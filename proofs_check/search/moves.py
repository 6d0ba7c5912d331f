"""Where a search goes from a case: nearby, uphill, far away.

Every parameter says of which numbers its value is made (`entries`); what is moved is one of them,
or all at once by Nelder and Mead's simplex in floating point, integers held fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_check.language import arithmetics, formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import (
    Integer,
    Parameter,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Values,
    Vector,
)
from proofs_check.search.cases import FLOAT_TROUBLE, Case, height

_FINEST = 10**6
_DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 16, 100, 10**4, 10**6, 10**9)
_FARTHEST = 10**6
_LARGEST_EXPONENT = 12
# What a case may cost: the entries of its values, and the indices that its sums run over.
_MOST_ENTRIES = 500
_MOST_INDICES = 500
_FIRST_STEP, _STEPS = 64, 200
_LONGER = 16  # so many more integers are looked at one by one where a claim is about one alone


def drawn(claim: Claim, rng: np.random.Generator) -> Case:
    """A case near the low ends of the domain."""
    case: Case = {}
    for parameter in claim.parameters:
        case[parameter.name] = parameter.draw(rng, case)
    return case


def balanced(claim: Claim, case: Case) -> Case:
    """A case moved to where the equations among the hypotheses hold, as far as that is linear.

    One number is solved for, the last of them first, or all entries of a list are scaled: so
    probabilities sum to 1. The case itself where there is no such equation.
    """
    for text in (given for given in claim.hypotheses if formula.relation(given).operator == "=="):
        sides = formula.relation(text)
        gap = claim.expanded(f"({sides.left}) - ({sides.right})")
        if formula.is_all(formula.parse(text).body):
            continue
        moving = [p for p in reversed(claim.parameters) if p.name in formula.names(gap)]
        for parameter in (p for p in moving if isinstance(p, Real | Vector)):
            solution = _solved(parameter, gap, case)
            if solution is not None:
                case = {**case, parameter.name: solution}
                break
    return case


def _solved(parameter: Parameter, gap: str, case: Case) -> Any:
    """The value of a parameter, in its set, at which a linear gap is exactly 0; or None."""
    words, numbers = arithmetics.fractions(), parameter.entries(case[parameter.name])
    lines: tuple[Callable[[Fraction], list[Any]], ...] = (
        lambda x: [*numbers[:-1], x],
        lambda x: [x * number for number in numbers],
    )

    def height_at(entries: list[Any]) -> Any:
        value = parameter.of_entries(entries)
        return formula.evaluate(gap, words, {**case, parameter.name: value})

    for line in lines[: 1 + (len(numbers) > 1)] if numbers else []:
        try:
            first, second = height_at(line(Fraction(0))), height_at(line(Fraction(1)))
            entries = line(Fraction(first) / (first - second))
            if height_at(entries) == 0:
                value = parameter.of_entries(entries)
                before = {name: case[name] for name in case if name != parameter.name}
                if parameter.admits(value, before):
                    return value
        except (*FLOAT_TROUBLE, NameError):
            continue
    return None


def nearby(parameter: Parameter, rng: np.random.Generator, value: Any, values: Values) -> Any:
    """A value close to `value`, one of its numbers moved; not necessarily in the set."""
    numbers = parameter.entries(value)
    if not numbers:
        return value
    place = int(rng.integers(0, len(numbers)))
    number = numbers[place]
    if isinstance(parameter, Integer):
        factor = (number, 2 * number, number // 2)[max(0, int(rng.integers(-4, 3)))]
        numbers[place] = int(factor + int(rng.integers(-2, 3)))
    else:
        scale = Fraction(10) ** int(rng.integers(-4, 1)) * int(rng.integers(-9, 10))
        moved = number * (1 + scale / 10) if rng.integers(0, 2) else number + scale
        moved = _clipped(parameter, moved, values)
        numbers[place] = Fraction(moved).limit_denominator(_FINEST)
    return parameter.of_entries(numbers)


def _clipped(parameter: Parameter, number: Any, values: Values) -> Any:
    low, high = parameter.searched(values)
    if low is not None and number < low:
        return type(number)(low)
    return type(number)(high) if high is not None and number > high else number


def uphill(claim: Claim, start: Case, evaluations: int, relative: bool) -> Iterator[Case]:
    """Cases near a local maximum of the violation above `start`, the simplest numbers first.

    `relative` climbs the violation as a share of the sides, else the plain difference. The maximum
    is rounded by continued fractions, coarse to fine, since what violates a claim only in a small
    neighbourhood of 1/3 does so at 1/3. The cases need not be admitted. Nothing where the case has
    no real entry. Cost: `evaluations` of the formula.
    """
    from scipy.optimize import minimize  # slow to import

    moving = [p for p in claim.parameters if not isinstance(p, Integer | PositiveSemidefinite)]
    origin = [float(x) for p in moving for x in p.entries(start[p.name])]
    if not origin:
        return

    def case_of(numbers: Iterator[Any]) -> Case:
        case = dict(start)
        for p in moving:
            inside = [_clipped(p, next(numbers), case) for _ in p.entries(start[p.name])]
            case[p.name] = p.of_entries(inside)
        return case

    def depth(point: NDArray[Any]) -> float:
        return -height(claim, case_of(map(float, point)), relative)

    corners = np.tile(origin, (len(origin) + 1, 1))
    corners[1:] += np.diag([0.05 * abs(x) or 0.05 for x in origin])
    options: Any = {
        "maxfev": evaluations,
        "initial_simplex": corners,
        "xatol": 1e-13,
        "fatol": 0.0,
    }
    top = minimize(depth, np.array(origin), method="Nelder-Mead", options=options).x
    visited: list[Case] = []
    for bottom in _DENOMINATORS:
        rounded = case_of(Fraction(float(x)).limit_denominator(bottom) for x in top)
        if rounded not in visited:
            visited.append(rounded)
            yield rounded


def by_steps(claim: Claim, start: Case) -> Case:
    """Where steps of single integers lead uphill, twice as long after each that does.

    Nowhere where an integer is the size of something.
    """
    best, top = start, height(claim, start, relative=False)
    if any(isinstance(p, Vector | Symmetric) for p in claim.parameters):
        return best
    for p in (p for p in claim.parameters if isinstance(p, Integer)):
        step, left = _FIRST_STEP, _STEPS
        while step and left:
            for moved in (best[p.name] + step, best[p.name] - step):
                left -= 1
                case = {**best, p.name: moved}
                if not p.admits(moved, case) or not _is_cheap(claim, case):
                    continue
                reached = height(claim, case, relative=False)
                if reached > top:
                    best, top, step = case, reached, 4 * step
                    break
            step //= 2
    return best


def far(claim: Claim, count: int, rng: np.random.Generator) -> Iterator[Case]:
    """Cases with every small integer in turn, with large ones, and with extreme real numbers.

    An integer goes as far as a case with it stays cheap: a million where it is only a number, some
    hundreds where it counts the terms of a sum, some thirty where it is the order of a matrix.
    """
    widths = {p.name: _width(claim, p, rng) for p in claim.parameters if isinstance(p, Integer)}
    sweeping = [name for name, width in widths.items() if width > 1]
    swept_cases = _LONGER * count if len(sweeping) == len(claim.parameters) == 1 else count
    for number in range((swept_cases + count) * bool(claim.parameters)):
        swept = sweeping[number % len(sweeping)] if sweeping and number < swept_cases else None
        case: Case = {}
        for p in claim.parameters:
            value: Any = None
            if p.name == swept and isinstance(p, Integer):
                low = p.ends(case)[0]
                value = low + number // len(sweeping) % (widths[swept] + 1)
            elif rng.random() < (0.7 if swept is None else 0.1):
                value = _extreme(p, widths, case, rng)
            if value is None or not p.admits(value, case):
                value = p.draw(rng, case)
            case[p.name] = value
        if _is_cheap(claim, case):
            yield case


def _width(claim: Claim, parameter: Integer, rng: np.random.Generator) -> int:
    """How far above its low end an integer may go: half as far again while a case is cheap.

    Where other parameters bound it, they are larger too when it is.
    """
    width = 1
    while width < _FARTHEST:
        case: Case = {}
        for p in claim.parameters:
            case[p.name] = p.draw(rng, case)
            if p is parameter:
                low = p.ends(case)[0]
                if isinstance(p.high, int) and low + 2 * width > p.high:
                    return max(p.high - low, 0)
                case[p.name] = low + width + (width + 1) // 2
            if len(p.entries(case[p.name])) > _MOST_ENTRIES:
                return width
        if not _is_cheap(claim, case):
            return width
        width += (width + 1) // 2
    return _FARTHEST


def _is_cheap(claim: Claim, case: Case) -> bool:
    """Whether the claim at a case is within the limits and within the range of floats."""
    values, words = arithmetics.entrywise(float, case), arithmetics.floats()
    texts = [*claim.let, *(("", text) for text in (*claim.hypotheses, claim.searched))]
    try:
        for name, text in texts:
            values[name] = formula.evaluate(text, words, values, _MOST_INDICES)
    except OverflowError:
        return False
    except FLOAT_TROUBLE:
        return True
    return True


def _extreme(
    parameter: Parameter, widths: dict[str, int], case: Case, rng: np.random.Generator
) -> Any:
    """A large integer, a number just beside an integer or very large or small, many times a list.

    Not necessarily in the set.
    """
    if isinstance(parameter, Integer):
        low, high = parameter.ends(case)
        width = widths[parameter.name]
        value = low + min(width, int(float(width + 1) ** rng.random()) - int(rng.integers(0, 2)))
        return value if high is None else min(value, high)
    if not isinstance(parameter, Real):
        power = int(rng.integers(0, _LARGEST_EXPONENT + 1)) if rng.random() < 0.3 else 0
        numbers = parameter.entries(parameter.draw(rng, case))
        return parameter.of_entries([10**power * number for number in numbers])
    left, right = parameter.searched(case)
    sign = int(rng.choice([-1, 1]))
    if rng.random() < 0.4:
        anchor = left if left is not None else right if right is not None else Fraction(0)
        size = Fraction(10) ** int(rng.integers(-_LARGEST_EXPONENT, _LARGEST_EXPONENT + 1))
        return anchor + size * int(rng.integers(1, 10)) * (1 if left is not None else sign)
    bottom = floor(left) if left is not None else floor(right) - 9 if right is not None else -3
    top = floor(right) + 1 if right is not None else bottom + 12
    near = min(bottom + int(13.0 ** rng.random()) - 1, top)
    return near + Fraction(sign, 10 ** int(rng.choice((1, 2, 3, 6, 9, 12))))
