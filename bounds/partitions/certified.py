"""Drift and uniformity of given blocks in balls.

The search that found a partition plays no part: a bound holds at every partition and centre.
Times and centres are taken as the exact numbers that their doubles are.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, isfinite

from bounds import enclosure
from bounds.arithmetic import BALLS
from bounds.enclosure import Number, matrices
from bounds.formulas import round_drift
from bounds.partitions.result import SearchResult
from bounds.problem import Problem
from bounds.times import ExactTimes


def centered_drift(problem: Problem, result: SearchResult) -> Number:
    """½ Σ_k log(1 + s(1 − k_time(τ_k, c)²)) over all blocks (Theorem A), enclosed."""
    assert result.anchors is not None
    exact, kernel = problem.times.exact, problem.time_kernel
    noise = enclosure.exact(Fraction(problem.noise_variance))
    known: dict[Fraction, Number] = {}
    total = enclosure.ball(0)
    for (start, end), at in zip(result.partition.blocks(), result.anchors, strict=True):
        for k in range(start, end):
            ticks = exact.ticks[k] - exact.ticks[at.round]
            distance = abs(ticks * exact.unit - Fraction(at.offset))
            if distance not in known:
                known[distance] = round_drift(BALLS, kernel.enclosed_deficit(distance), noise)
            total = total + known[distance]
    return total


def scaled_uniformity(times: ExactTimes, rate: Number) -> Number:
    """An upper bound on Σ_j Σ_k min(1, (rate·|τ_j − τ_k|)²) that is it for an exact rate.

    Pairs closer than a number near 1/rate count with (rate·Δ)², the others with 1: at least the
    minimum wherever the border is. Sums of whole ticks are exact; O(M).
    """
    if enclosure.is_exact(rate) and rate == 0:
        return 0
    near = matrices.downward(enclosure.ball(enclosure.divide(1, rate)))
    border = Fraction(near) / times.unit if isfinite(near) else inf
    first, first_sum, second_sum, squares, far = 0, 0, 0, 0, 0
    for k, tick in enumerate(times.ticks):
        while tick - times.ticks[first] > border:
            first_sum -= times.ticks[first]
            second_sum -= times.ticks[first] ** 2
            first += 1
        squares += (k - first) * tick * tick - 2 * tick * first_sum + second_sum
        far += first
        first_sum += tick
        second_sum += tick * tick
    step = enclosure.product((rate, times.unit))
    return 2 * (far + squares * step * step)
