"""The drift of a block: what its evaluation times add to the gain of a bandit that stands still.

One function for each form of the argument, loosest first. M is the number of rounds of the
block, C its uniformity, s = 1/σ². Each is 0 for a block of equal times, and superadditive over
adjacent blocks (Lemma M), which is what makes the searches in `partition_search` exact.

- `theorem1_drift`  ½ M φ(s ε √(C_ε/M)), as Theorem 1 prints it; needs 1 − k_time ≤ ε|·|
- `additive_drift`  ½ M log(1 + s θ √(C_θ/M)), with the true slope θ of the kernel
- `refined_drift`   ½ Σ_k log(1 + s(1 − k_time(τ_k, c)²)), best centre c (Theorem A)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from bounds.kernels import Kernel
from bounds.partition import Partition
from bounds.times import EvaluationTimes
from bounds.uniformity import scaled_uniformity

FloatArray = NDArray[np.float64]


class CenteredDrift(NamedTuple):
    """The drift of each block and the centre at which it is attained."""

    drift: FloatArray
    centers: FloatArray


def phi(x: ArrayLike) -> FloatArray:
    """φ(x) = min(x, log x + 1/x) for x ≥ 0, φ(0) = 0: x up to 1, log x + 1/x beyond.

    >>> phi([0.0, 0.5, 1.0, 2.0]).round(4)
    array([0.    , 0.5   , 1.    , 1.1931])
    """
    value = np.asarray(x, dtype=float)
    large = np.maximum(value, 1.0)
    return np.where(value <= 1.0, value, np.log(large) + 1.0 / large)


def theorem1_drift(
    times: EvaluationTimes, partition: Partition, epsilon: float, noise_variance: float
) -> FloatArray:
    """½ M_i φ(sε√(C_i/M_i)) of each block, C_i with cap 1/ε² (Theorem 1). Shape (N,), O(n)."""
    lengths, x = _scaled_root(times, partition, epsilon, noise_variance)
    return 0.5 * lengths * phi(x)


def additive_drift(
    times: EvaluationTimes, partition: Partition, slope: float, noise_variance: float
) -> FloatArray:
    """½ M_i log(1 + sθ√(C_i/M_i)) of each block, C_i with cap 1/θ². Shape (N,), O(n)."""
    lengths, x = _scaled_root(times, partition, slope, noise_variance)
    return np.asarray(0.5 * lengths * np.log1p(x))


def refined_drift(
    times: EvaluationTimes, partition: Partition, time_kernel: Kernel, noise_variance: float
) -> CenteredDrift:
    """½ Σ_k log(1 + s(1 − k_time(τ_k, c_i)²)) at the best centre of each block (Theorem A).

    Centres are measured from time 0, like the times. Over all real centres: for a completely
    monotone kernel the best is one of the block's own times (the term is concave in the distance
    on either side), for any other it is found by branch and bound to a relative 1e-7.
    """
    drifts, centers = [], []
    for start, end in partition.blocks():
        drift, offset = best_center(times.block(start, end), time_kernel, noise_variance)
        drifts.append(drift)
        centers.append(times.times[start] + offset)
    return CenteredDrift(np.array(drifts), np.array(centers))


def drift_at_center(
    times: EvaluationTimes, center_offset: float, time_kernel: Kernel, noise_variance: float
) -> float:
    """½ Σ_k log(1 + s(1 − k_time(τ_k, c)²)) at c = τ_1 + `center_offset`. O(n)."""
    offsets = times.offsets()
    distance = np.abs(offsets - center_offset)
    return float(np.sum(round_drift(distance, time_kernel, noise_variance)))


def round_drift(distance: ArrayLike, time_kernel: Kernel, noise_variance: float) -> FloatArray:
    """½ log(1 + s(1 − k_time(r)²)), what one round at distance r from the centre adds."""
    return np.asarray(0.5 * np.log1p(time_kernel.deficit(distance) / noise_variance))


def best_center(
    times: EvaluationTimes, time_kernel: Kernel, noise_variance: float
) -> tuple[float, float]:
    """(drift, centre − τ_1) of one block at its best real centre.

    Branch and bound: a round is at least as far from a centre in [u, v] as from the interval, and
    the drift does not fall with distance, so Σ_k of the drift at that distance bounds every centre
    of the interval from below. Intervals that cannot win are dropped, the others halved. O(n) for
    each interval looked at, some hundred for a flat optimum.
    """
    offsets = times.offsets()
    if offsets[-1] == 0.0:
        return 0.0, 0.0
    own = time_kernel.completely_monotone

    def drift_of(low: FloatArray, high: FloatArray) -> FloatArray:
        """A lower bound of the drift for centres in [low, high]; the drift itself where equal."""
        rows = []
        # In slices, so that a long block does not become a huge matrix.
        step = max(1, 2_000_000 // len(offsets))
        for i in range(0, len(low), step):
            left, right = low[i : i + step, None], high[i : i + step, None]
            distance = np.maximum(np.maximum(left - offsets, offsets - right), 0.0)
            rows.append(round_drift(distance, time_kernel, noise_variance).sum(axis=1))
        return np.concatenate(rows)

    if own:
        candidates = np.unique(offsets)
    else:
        candidates = np.unique(np.concatenate((offsets, np.linspace(0.0, offsets[-1], 65))))
    # For own times an interval is a range of candidate indices, otherwise a range of reals.
    edges = np.unique(np.linspace(0, len(candidates) - 1, min(len(candidates), 33)).astype(int))
    probes = candidates[edges]
    values = drift_of(probes, probes)
    best = int(np.argmin(values))
    best_value, best_at = float(values[best]), float(probes[best])
    if own:
        a, b = edges[:-1], edges[1:]
        while len(a):
            alive = drift_of(candidates[a], candidates[b]) < best_value
            a, b = a[alive], b[alive]
            inner = b - a > 1
            a, b = a[inner], b[inner]
            if not len(a):
                break
            middle = (a + b) // 2
            values = drift_of(candidates[middle], candidates[middle])
            i = int(np.argmin(values))
            if values[i] < best_value:
                best_value, best_at = float(values[i]), float(candidates[middle[i]])
            a, b = np.concatenate((a, middle)), np.concatenate((middle, b))
        return best_value, best_at
    low, high = probes[:-1], probes[1:]
    for _ in range(200):
        alive = drift_of(low, high) < best_value * (1.0 - 1e-7)
        low, high = low[alive], high[alive]
        if not len(low):
            break
        middle = 0.5 * (low + high)
        values = drift_of(middle, middle)
        i = int(np.argmin(values))
        if values[i] < best_value:
            best_value, best_at = float(values[i]), float(middle[i])
        low, high = np.concatenate((low, middle)), np.concatenate((middle, high))
    # The interval is settled; a local search adds the digits below 1e-7.
    width = offsets[-1] / 64
    polished = optimize.minimize_scalar(
        lambda c: float(drift_of(np.array([c]), np.array([c]))[0]),
        bounds=(max(0.0, best_at - width), min(offsets[-1], best_at + width)),
        method="bounded",
        options={"xatol": 1e-10 * offsets[-1]},
    )
    if polished.fun < best_value:
        return float(polished.fun), float(polished.x)
    return best_value, best_at


def _scaled_root(
    times: EvaluationTimes, partition: Partition, rate: float, noise_variance: float
) -> tuple[FloatArray, FloatArray]:
    """Block lengths M_i and s·rate·√(C_i/M_i)."""
    lengths = np.array(partition.lengths, dtype=float)
    scaled = np.array([scaled_uniformity(times.block(a, b), rate) for a, b in partition.blocks()])
    return lengths, np.sqrt(scaled / lengths) / noise_variance
