"""The minimum of a function between two ends, by golden sections and parabolas (Brent 1973).

SciPy has the same method, and takes a tenth of a second to load.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, inf, sqrt

from bounds.errors import InvalidInput

_GOLDEN = 0.5 * (3.0 - sqrt(5.0))
_LEAST_STEP = sqrt(2.2e-16)


def least_between(
    value: Callable[[float], float], ends: tuple[float, float], near: float, most: int = 500
) -> tuple[float, float]:
    """(x, value(x)) with x within about `near` of a local minimum, by at most `most` values.

    Parameters
    ----------
    value : a function of one number
    ends : low and high, neither of which is tried
    near : > 0

    Raises InvalidInput unless low ≤ high are finite and near > 0.

    >>> x, _ = least_between(lambda x: (x - 2.0) ** 2, (0.0, 5.0), 1e-6)
    >>> round(x, 5)
    2.0
    """
    low, high = ends
    if not (-inf < low <= high < inf and near > 0.0):
        raise InvalidInput("ends", f"{low:g} to {high:g}", "give two finite ends in order")
    best = second = third = low + _GOLDEN * (high - low)
    least = next_least = third_least = value(best)
    step = last = 0.0
    for _ in range(most - 1):
        middle = 0.5 * (low + high)
        close = _LEAST_STEP * abs(best) + near / 3.0
        if abs(best - middle) <= 2.0 * close - 0.5 * (high - low):
            break
        parabola = None
        if abs(last) > close:
            r = (best - second) * (least - third_least)
            q = (best - third) * (least - next_least)
            p = (best - third) * q - (best - second) * r
            q = 2.0 * (q - r)
            p, q = (-p if q > 0.0 else p), abs(q)
            before, last = last, step
            if abs(p) < abs(0.5 * q * before) and q * (low - best) < p < q * (high - best):
                parabola = step = (p + 0.0) / q  # no −0, whose sign would count
                if min(best + step - low, high - best - step) < 2.0 * close:
                    step = copysign(close, middle - best)
        if parabola is None:
            last = low - best if best >= middle else high - best
            step = _GOLDEN * last
        x = best + copysign(max(abs(step), close), step)
        found = value(x)
        if found <= least:
            low, high = (best, high) if x >= best else (low, best)
            third, third_least = second, next_least
            second, next_least = best, least
            best, least = x, found
        else:
            low, high = (x, high) if x < best else (low, x)
            if found <= next_least or second == best:
                third, third_least = second, next_least
                second, next_least = x, found
            elif found <= third_least or third in (best, second):
                third, third_least = x, found
    return best, least
