"""hypothesis strategies for the values that every law quantifies over."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

tied = st.sampled_from([0.0, 0.0, 1.0, 2.0])
ordinary = st.floats(1e-3, 10.0)
huge_or_tiny = st.sampled_from([0.0, 1e-9, 1e-3, 1.0, 1e6, 1e12])


def durations(min_size: int = 1, max_size: int = 9):
    """Evaluation times of every temper: random, tied, clustered, with huge gaps."""
    return st.one_of(
        st.lists(tied, min_size=min_size, max_size=max_size),
        st.lists(ordinary, min_size=min_size, max_size=max_size),
        st.lists(huge_or_tiny, min_size=min_size, max_size=max_size),
    )


epsilons = st.sampled_from([0.0, 1e-9, 1e-4, 0.01, 0.3, 0.9, 0.9999])
noise_variances = st.sampled_from([1e-6, 0.01, 1.0, 100.0])


def gain_lists(n: int):
    """Non-decreasing γ_0..γ_n with γ_0 = 0: flat stretches, jumps, concave or not."""
    steps = st.lists(st.sampled_from([0.0, 0.0, 0.1, 0.5, 1.0, 3.0]), min_size=n, max_size=n)
    return steps.map(lambda s: np.concatenate(([0.0], np.cumsum(s))))
