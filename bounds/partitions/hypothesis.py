"""The hypothesis of Theorem 1 on the time kernel, looked at for the times at hand."""

from __future__ import annotations

import numpy as np

from bounds.problem import Problem


def theorem1_failure(problem: Problem) -> str:
    """Why 1 − k_time ≤ ε|·| fails for these times, with the pair it fails at; empty if it holds.

    (1 − k)/r has one peak, so only the pairs whose distance is next to the peak on either side
    need a look: O(n log n).
    """
    kernel, epsilon = problem.time_kernel, problem.epsilon
    if kernel.slope <= epsilon:
        return ""
    offsets = problem.times.offsets()
    # Rounds at the same time satisfy the hypothesis with equality; keep one of each.
    distinct = offsets[np.diff(offsets, prepend=-1.0) > 0.0]
    if len(distinct) < 2:
        return ""
    rows = np.arange(len(distinct))
    after = np.searchsorted(distinct, distinct + kernel.steepest_distance, side="right")
    partners = np.clip(np.concatenate((after - 1, after)), 0, len(distinct) - 1)
    rows = np.concatenate((rows, rows))
    keep = partners > rows
    if not np.any(keep):
        return ""
    distance = distinct[partners[keep]] - distinct[rows[keep]]
    complement = kernel.complement(distance)
    worst = int(np.argmax(complement / distance))
    r, left = float(distance[worst]), float(complement[worst])
    if left <= epsilon * r * (1.0 + 1e-12):
        return ""
    return (
        f"1 - k_time <= epsilon*|tau-tau'| fails: two rounds {r:.4g} apart have "
        f"1 - k_time = {left:.4g} > {epsilon * r:.4g}"
    )
