"""The least value of a function of one variable, by Brent's method, without SciPy's optimisers.

`scipy.optimize` takes as long to import as a short command takes to compute.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, sqrt

_GOLDEN = 0.5 * (3.0 - sqrt(5.0))
_ROOT_OF_ROUNDING = sqrt(2.2e-16)


def least_between(
    value: Callable[[float], float], low: float, high: float, accuracy: float, looks: int = 500
) -> tuple[float, float]:
    """A local minimum x of a function on an interval, and the value there.

    Golden sections, and the least points of parabolas through the three best points where these
    fall inside and shrink.

    Parameters
    ----------
    value : the function, of one minimum in the interval for the least value to be found
    low, high : float, the interval
    accuracy : float > 0, the distance to which x is sought
    looks : int ≥ 1, after which the best x so far is returned

    Brent, *Algorithms for Minimization without Derivatives* (1973), chapter 5; step by step as
    `scipy.optimize.minimize_scalar(method="bounded")`.

    >>> x, least = least_between(lambda x: (x - 2.0) ** 2, 0.0, 3.0, 1e-6)
    >>> round(x, 4), round(least, 4)
    (2.0, 0.0)
    """
    best = second = third = low + _GOLDEN * (high - low)
    at_best = at_second = at_third = value(best)
    step = last = 0.0
    for _ in range(looks - 1):
        middle = 0.5 * (low + high)
        near = _ROOT_OF_ROUNDING * abs(best) + accuracy / 3.0
        if abs(best - middle) <= 2.0 * near - 0.5 * (high - low):
            break
        parabolic = False
        if abs(last) > near:
            r = (best - second) * (at_best - at_third)
            q = (best - third) * (at_best - at_second)
            p = (best - third) * q - (best - second) * r
            q = 2.0 * (q - r)
            p, q = (-p if q > 0.0 else p), abs(q)
            before, last = last, step
            inside = q * (low - best) < p < q * (high - best)
            parabolic = abs(p) < abs(0.5 * q * before) and inside
        if parabolic:
            step = p / q
            x = best + step
            if x - low < 2.0 * near or high - x < 2.0 * near:
                step = copysign(near, middle - best)
        else:
            last = (low if best >= middle else high) - best
            step = _GOLDEN * last
        x = best + copysign(max(abs(step), near), step or 0.0)  # −0.0 is a step upwards
        at_x = value(x)
        if at_x <= at_best:
            low, high = (best, high) if x >= best else (low, best)
            third, at_third = second, at_second
            second, at_second, best, at_best = best, at_best, x, at_x
        else:
            low, high = (x, high) if x < best else (low, x)
            if at_x <= at_second or second == best:
                third, at_third, second, at_second = second, at_second, x, at_x
            elif at_x <= at_third or third in (best, second):
                third, at_third = x, at_x
    return best, at_best
