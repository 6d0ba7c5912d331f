"""Theorem M: Thompson sampling pays for the information about the path of the optimum alone.

For evaluation times fixed beforehand, a finite domain with k_space(x,x) ≤ 1 and r = rank K,

    E R_n ≤ √(2(1 + σ²)·r·n·I),    I ≤ min(γ̃_n, H(x*_1, …, x*_n)),

in the form of Min and Russo 2023 (arXiv 2302.04452); the entropy is at most the mean length of any
code for the path (`simulation.before_run.entropy`). See docs/theory.md#theorem-m.
"""

from __future__ import annotations

from math import sqrt

from bounds.errors import InvalidInput


def entropy_bound(n: int, rank: int, noise_variance: float, information: float) -> float:
    """√(2(1+σ²)·r·n·I) for Thompson sampling.

    Parameters
    ----------
    n : rounds
    rank : an upper bound on the rank of K, such as |D|
    noise_variance : σ²
    information : an upper bound on I(x*_1..x*_n; data) in nats

    >>> entropy_bound(2, 1, 0.0, 1.0)
    2.0
    """
    if n < 1 or rank < 1:
        raise InvalidInput("n, rank", (n, rank), "give at least 1")
    if not (information >= 0.0 and noise_variance >= 0.0):
        raise InvalidInput("information", information, "give a number of at least 0")
    return sqrt(2.0 * (1.0 + noise_variance) * rank * n * information)
