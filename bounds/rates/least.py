"""The exponent of ε of the least regret a round: what is known of it, by whom, and what is open.

At unit steps, σ > 0 fixed, the true prior, ε → 0: the least regret a round lies between ε^{floor}
and ε^{ceiling}, up to logarithms. The partition bounds of the information gain (Theorem 1: 1/5,
Theorem A: 1/4) are ceilings that hold for every bounded kernel, and nowhere the truth. See
docs/theory.md#least-exponents.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bounds.errors import InvalidInput


@dataclass(frozen=True)
class LeastExponent:
    """Where the best exponent of ε lies, for one kind of domain and kernel.

    Attributes
    ----------
    where : domain and kernel
    ceiling, floor : its two ends, as fractions in text; equal where it is known
    reached_by : the policy that has the ceiling, and by which theorem
    held_by : the theorem that no policy beats
    remains : what is open
    """

    where: str
    ceiling: str
    floor: str
    reached_by: str
    held_by: str
    remains: str

    @property
    def known(self) -> bool:
        """Whether both ends agree."""
        return self.ceiling == self.floor


LEAST_EXPONENTS = (
    LeastExponent(
        "finite domain",
        "1/2",
        "1/2",
        "Thompson sampling (Theorem Q+), index up to a logarithm (Theorem Q)",
        "every policy, Theorem F",
        "constants",
    ),
    LeastExponent(
        "smooth kernel on a box",
        "1/3",
        "1/3",
        "schedule, squared exponential, up to logarithms (Theorem R+)",
        "every policy (Theorem N)",
        "logarithms; Thompson sampling and mean ± h are measured only",
    ),
    LeastExponent(
        "finite rank, the maximum inside with curvature",
        "1/3",
        "1/3",
        "schedule (Theorem R): 1.89r(σ²/β²)^(1/3)·m* times ε^(1/3), r points in turn, one every "
        "⌈1/s⌉ rounds, s = r(σ²ε/4β²)^(1/3) and β the least eigenvalue of their covariances",
        "every policy (Theorem N)",
        "constants; on the circle at least 0.950, and greedy play alone has the exponent 0",
    ),
    LeastExponent(
        "finite rank, any maximum",
        "1/3",
        "1/2",
        "schedule (Theorem R)",
        "every policy, Theorem F",
        "1/2 where the maximum is at vertices, as of linear functions on a cube",
    ),
    LeastExponent(
        "otherwise",
        "1/4",
        "1/2",
        "partitions of the information gain (Theorem A)",
        "every policy, Theorem F",
        "which of them",
    ),
)
"""Every row that needs no number of the kernel; `matern_exponents` has the others."""


def matern_exponents(smoothness: Fraction, dimension: int) -> LeastExponent:
    """The row of a Matérn kernel on a box: ceilings by increments or by the gain, and its floor.

    Increments (ν > 1): 2(ν−1)/(6(ν−1)+4+d); the gain, Theorem A with γ_m = m^{d/(2ν+d)}:
    ν/(4ν+d), for ν > 1/2. Every policy: 1/3 for paths with two derivatives (ν > 2), else 1/2.

    >>> row = matern_exponents(Fraction(7, 2), 1)
    >>> row.ceiling, row.floor
    ('1/4', '1/3')
    """
    if smoothness <= 0 or dimension < 1:
        raise InvalidInput("nu", str(smoothness), "give a positive number, and a dimension")
    by_gain = smoothness / (4 * smoothness + dimension)
    excess = smoothness - 1
    by_increments = Fraction(0)
    if excess > 0:
        by_increments = 2 * excess / (6 * excess + 4 + dimension)
    gains = "partitions of the information gain (Theorem A, Vakili's γ)"
    increments = "schedule, by increments (Theorem R+)"
    smooth = smoothness > 2
    return LeastExponent(
        f"Matern kernel on a box, nu = {smoothness}, d = {dimension}",
        str(max(by_gain, by_increments)),
        "1/3" if smooth else "1/2",
        increments if by_increments > by_gain else gains,
        "every policy (Theorem N)" if smooth else "every policy, Theorem F",
        "the exponent",
    )
