"""The start-up floor: k observations span k directions, whatever the policy.

Given k observations the posterior mean is Σ_{j≤k} c_j(x) w_j with independent normal innovations
w_j and Σ c_j(x)² ≤ (1 − p_i) k_space(x,x), p_i that of Theorem F; by Cauchy–Schwarz, Eχ_k the mean
length of a standard normal vector in k dimensions,

    E r_i ≥ m* − √(1−p_i)·min(m*, Eχ_k),    Eχ_k = √2 Γ((k+1)/2)/Γ(k/2), Eχ_0 = 0,

and ½(Eχ_k + Eχ_{k−1}) takes the place of Eχ_k where k_space ≥ 0 and k_time ≥ 0 (Lemma H); for the
squared exponential less still (Lemma 2S, `first_looks`). With a common part of variance c
told √((1−p_i)(1−c)) stands for √(1−p_i), p_i at σ²/(1−c). See docs/theory.md#rank-floor
and docs/theory.md#lemma-h.
"""

from __future__ import annotations

from math import fsum, sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.enclosure import Lower, LowerArray, Upper
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.regret.ingredients.first_looks import MOST_LOOKS, FirstLooks, mean_length, signed_length
from bounds.regret.ingredients.full_information import VarianceLeft, variance_left
from bounds.times import EvaluationTimes

_DOWN = 1.0 - 2.0**-49


def round_floors(
    left: VarianceLeft,
    maximum: float,
    *,
    non_negative: bool = False,
    scale: float = 1.0,
    shape: FirstLooks | None = None,
) -> LowerArray | FloatArray:
    """(n,) lower bounds on E r_i, each the larger of the start-up floor and Theorem F's.

    Parameters
    ----------
    left : p_i of Theorem F
    maximum : a lower bound on m*; where it and p_i are certified, so is what is returned
    non_negative : whether k_space ≥ 0 and k_time ≥ 0
    scale : √κ ≤ 1, rounded up: the largest deviation of the prior
    shape : what is known of the first looks of the squared exponential; None of other kernels

    The bound grows with m*, so a lower bound on m* keeps it one.
    """
    floors = left.losses() * maximum * _DOWN
    for i in range(left.n):
        count = max(i - left.delay, 0)
        length = mean_length(count)
        if non_negative and count:
            length = signed_length(length, mean_length(count - 1))
        length = Upper(length * scale * (1.0 + 2.0**-50))
        if length >= 1.2 * maximum:
            break
        share = float(left.shares[i])
        earned = float(np.sqrt(1.0 - share)) * (1.0 + 2.0**-50) * length
        if shape is not None and 2 <= count <= MOST_LOOKS and shape.least(count, share) < maximum:
            earned = min(earned, shape.earned(i, count, share))
        floors[i] = max(floors[i], (maximum - earned) - 2.0**-50 * maximum)
    floors = np.maximum(floors, 0.0)
    certified = left.certified and isinstance(maximum, Lower)
    return LowerArray.of(floors) if certified else floors


def summed(floors: LowerArray | FloatArray) -> float:
    """Their sum, rounded down: a `Lower` where they are."""
    total = fsum(floors.tolist()) * _DOWN
    return Lower(total) if isinstance(floors, LowerArray) else total


def ranked_rounds(
    problem: Problem, way: tuple[float, VarianceLeft], maximum: float
) -> LowerArray | FloatArray:
    """(n,) the floors of the rounds with their start-up part, for one of `information`.

    Nothing is said of the signs of what is left once a common part is told.
    """
    common, left = way
    kernels = problem.space_kernel, problem.time_kernel
    non_negative = not common and all(kernel.is_nonnegative for kernel in kernels)
    deviation = sqrt(1.0 - common) * (1.0 + 2.0**-50)
    shape = None if common else FirstLooks.of(problem)
    return round_floors(
        left, maximum, non_negative=non_negative, scale=min(deviation, 1.0), shape=shape
    )


def floor_curve(
    times: EvaluationTimes,
    kernel: Kernel,
    noise_variance: float,
    maximum: float,
    *,
    delay: int = 0,
    non_negative: bool = False,
    shape: FirstLooks | None = None,
) -> LowerArray | FloatArray:
    """(n,) the floor with its start-up part after 1, 2, …, n rounds of one sequence.

    The floor of a round does not depend on the rounds to come, so one pass gives every horizon.
    """
    left = variance_left(times, kernel, noise_variance, delay=delay)
    rounds = round_floors(left, maximum, non_negative=non_negative, shape=shape)
    # Each partial sum errs by less than n units in the last place.
    total = np.asarray(np.cumsum(rounds) * (1.0 - 2.0**-52 * (len(rounds) + 8)))
    return LowerArray.of(total) if isinstance(rounds, LowerArray) else total
