"""How many rounds until a bound, or the floor, per round is below a level.

For equal steps both fall: a bound per round as the start-up is spread over more rounds, the floor
towards m*(1 − √(1−p)), p its limit; below that no number of rounds is enough for any policy.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret.ingredients.start_up import floor_curve
from bounds.times import EvaluationTimes

LARGEST = 1_000_000


def rounds_until(total: Callable[[int], float], level: float, *, most: int = LARGEST) -> int | None:
    """The least n ≤ `most` with total(n)/n ≤ level; None where there is none.

    Parameters
    ----------
    total : n ↦ a bound on R_n or E R_n, total(n)/n not increasing
    level : > 0

    Doubling, then bisection: some 2 log2(n) values.

    >>> rounds_until(lambda n: 5.0 + 0.1 * n, 0.2)
    50
    """
    if not level > 0.0:
        raise InvalidInput("until", level, "give a positive regret per round")
    high = 1
    while total(high) > level * high:
        if high >= most:
            return None
        high = min(2 * high, most)
    low = high // 2  # not low enough, or 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if total(middle) > level * middle else (low, middle)
    return high


def floor_rounds_until(
    duration: float,
    kernel: Kernel,
    noise_variance: float,
    maximum: float,
    level: float,
    *,
    delay: int = 0,
    most: int = LARGEST,
) -> int | None:
    """The least n at which the floor per round of n equal steps is ≤ level; None beyond `most`.

    Every policy needs at least so many rounds for a mean regret per round of `level`. The start-up
    part is the rank floor alone: Lemmas H and 2S, which would ask for more rounds, are not used.

    >>> from bounds.kernels import Forgetting
    >>> floor_rounds_until(1.0, Forgetting(0.0), 0.01, 2.0, 0.1) > 20
    True
    """
    if not level > 0.0:
        raise InvalidInput("until", level, "give a positive regret per round")
    horizon = 1_000
    largest = most if kernel.is_markov else min(most, 2_000)
    while True:
        horizon = min(horizon, largest)
        times = EvaluationTimes.from_durations(np.full(horizon, duration))
        curve = floor_curve(times, kernel, noise_variance, maximum, delay=delay)
        low = np.flatnonzero(curve <= level * np.arange(1, horizon + 1))
        if len(low):
            return int(low[0]) + 1
        if horizon >= largest:
            return None
        horizon *= 8
