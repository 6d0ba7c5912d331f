"""γ_m of the whole box, which the theorems for the box need: the grid gains less than it."""

from __future__ import annotations

import numpy as np

from bounds.arrays import FloatArray
from bounds.partitions.equal_blocks import block_lengths
from bounds.problem import Problem
from bounds.rivals.static import iwazaki_gains_upper


def box_gains(problem: Problem) -> FloatArray | None:
    """Upper bounds on γ_0..γ_n over [0, r]^d; None for kernels other than squared exponential.

    The smaller of Iwazaki's bound on the ball around the box and of ½m log(1+1/σ²). Computed for
    the lengths of `block_lengths`; between two of them γ_m is at most that of the longer one.
    """
    kernel, domain, n = problem.space_kernel, problem.domain, problem.n
    if kernel.gaussian_lengthscale is None:
        return None
    lengths = block_lengths(n)
    sphere = iwazaki_gains_upper(
        kernel.gaussian_lengthscale,
        domain.dimension,
        domain.enclosing_radius,
        problem.noise_variance,
        lengths,
    )
    rounds = np.arange(n + 1)
    values = np.append(0.0, sphere[np.searchsorted(lengths, rounds[1:])])
    return np.asarray(np.minimum(values, rounds * problem.trivial_gain_per_round))
