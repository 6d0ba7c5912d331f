"""The hypothesis of Theorem 1 on the time kernel, looked at for the times at hand."""

from __future__ import annotations

import numpy as np

from bounds.problem import Problem

_MOST_COMPARED = 2_000


def theorem1_failure(problem: Problem) -> str:
    """Why 1 − k_time ≤ ε|·| fails for these times, with the pair it fails at; empty if it holds.

    Where (1 − k)/r has one peak, only the pairs whose distance is next to the peak on either side
    need a look: O(n log n). For kernels of which that is not known all pairs are compared, O(n²);
    beyond 2,000 instants the hypothesis then counts as failed.

    That C counts a pair with at most 1/ε², as if 1 − k_time ≤ 1, needs no hypothesis. Let two
    rounds of a block of M be 1/ε apart or more: so are its first and last. Any other round has
    distances a, b from these with ε²(a² + b²) ≥ ½, or is as far as 1/ε from one of them; so
    ε²C ≥ 2 + 2(M−2)/2 = M, and ½Mφ(s√(ε²C/M)) ≥ ½M log(1+s) is the trivial cap of the block.
    Where no pair is so far apart, no pair meets the cap. The same holds of θ and the additive form.
    """
    kernel, epsilon = problem.time_kernel, problem.epsilon
    if kernel.slope <= epsilon:
        return ""
    # Rounds at the same time satisfy the hypothesis with equality; keep one of each.
    rounds = np.flatnonzero((problem.times.waits > 0.0) | (np.arange(problem.n) == 0))
    if len(rounds) < 2:
        return ""
    distinct = problem.times.offsets()[rounds]
    rows = np.arange(len(distinct))
    if kernel.steepest_distance is not None:
        after = np.searchsorted(distinct, distinct + kernel.steepest_distance, side="right")
        # The next round too: offsets do not tell waits apart that are tiny beside others.
        partners = np.clip(np.concatenate((after - 1, after, rows + 1)), 0, len(distinct) - 1)
        rows = np.concatenate((rows, rows, rows))
    elif len(distinct) <= _MOST_COMPARED:
        rows, partners = np.triu_indices(len(distinct), 1)
    else:
        return "1 - k_time <= epsilon*|tau-tau'| is not checked: the slope of k_time is not known"
    keep = partners > rows
    if not np.any(keep):
        return ""
    distance = problem.times.gaps(rounds[rows[keep]], rounds[partners[keep]])
    complement = kernel.complement(distance)
    worst = int(np.argmax(complement / distance))
    r, left = float(distance[worst]), float(complement[worst])
    if left <= epsilon * r * (1.0 + 1e-12):
        return ""
    return (
        f"1 - k_time <= epsilon*|tau-tau'| fails: two rounds {r:.4g} apart have "
        f"1 - k_time = {left:.4g} > {epsilon * r:.4g}"
    )
