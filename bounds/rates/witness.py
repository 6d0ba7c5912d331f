"""Numbers at finite n that show what a finding about a rate means."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, pi, sqrt

import numpy as np

from bounds.kernels import Forgetting
from bounds.partitions.equal_blocks import equal_block_gains
from bounds.rates.exponents import regimes
from bounds.rates.printed import PRINTED_THRESHOLD, printed_uniform

SIZES = tuple(2**k for k in range(8, 17, 2))
"""The n of every witness."""

_EPSILON = 1e-3


@dataclass(frozen=True)
class Witness:
    """A finite-n quantity beside the printed rate without its constants and logarithms.

    Attributes
    ----------
    statement : what is computed, in which setting
    n : sizes
    computed, printed : the two sides for each n
    growth : fitted exponent of computed/printed in n; a printed rate that held for `computed`
        would have growth at most 0
    """

    statement: str
    n: tuple[int, ...]
    computed: tuple[float, ...]
    printed: tuple[float, ...]

    @property
    def ratios(self) -> tuple[float, ...]:
        """computed/printed for each n."""
        return tuple(a / b for a, b in zip(self.computed, self.printed, strict=True))

    @property
    def growth(self) -> float:
        """Least-squares slope of log(computed/printed) against log n."""
        return float(np.polyfit(np.log(self.n), np.log(self.ratios), 1)[0])


def unreached_rate(c: Fraction) -> Witness:
    """√(n·gain) of Theorem 1 at εT = n^{−3/2}, where the printed drift regime sets in.

    For any partition the gain is at least n^c.
    """
    kappa = PRINTED_THRESHOLD
    printed = printed_uniform(c).regimes[1].exponent.at(kappa)
    return _of_theorem1(c, kappa, printed, f", c = {c}, kappa = {kappa}, best equal blocks")


def vacuous_rate(c: Fraction) -> Witness:
    """The printed rate at εT = n^{3/2} against Theorem 1's own √(n·gain) there, of order n."""
    kappa = Fraction(3, 2)
    printed = printed_uniform(c).exponent(kappa)
    larger = printed - regimes("theorem1", c).exponent(kappa)
    said = f", c = {c}, kappa = {kappa}: the printed rate is larger than n by n^{larger}"
    return _of_theorem1(c, kappa, printed, said)


def sublinear_uniform() -> Witness:
    """√(n·gain) of Theorem 1 for uniform times at εT = 1, c = 0, against n: sublinear."""
    return _of_theorem1(Fraction(0), Fraction(0), Fraction(1), ", c = 0, kappa = 0, against n")


def faster_forgetting() -> Witness:
    """A lower bound on expected regret where εT ≤ n^{−2}, so that Theorem 2 (I)(a) prints √n.

    T = n^{−2} and 1 − ε = e^{−2n/T}: then θT/n = 1 and neighbouring rounds have correlation 1/e.
    E R_n ≥ m*(1 + (n−1)(1 − 1/e)), m* = E max_x f ≥ √((1−ρ)/π) for two points of the domain with
    correlation ρ; here the squared exponential kernel of lengthscale 0.2 on [0, 1].
    """
    correlation = exp(-0.5 / 0.2**2)
    maximum = sqrt((1.0 - correlation) / pi)
    computed = tuple(maximum * (1.0 + (n - 1) * (1.0 - exp(-1.0))) for n in SIZES)
    return Witness(
        "lower bound on E R_n, uniform times, T = n^(-2), epsilon = 1 - exp(-2 n^3)",
        SIZES,
        computed,
        tuple(sqrt(n) for n in SIZES),
    )


def _of_theorem1(c: Fraction, kappa: Fraction, printed: Fraction, said: str) -> Witness:
    """√(n·gain) of the best equal blocks with γ_m = m^c, σ² = 1, εT = n^κ, against n^printed."""
    computed = []
    for n in SIZES:
        gamma = np.arange(n + 1.0) ** float(c)
        gamma[0] = 0.0
        table = equal_block_gains(
            n,
            n ** (float(kappa) - 1.0) / _EPSILON,
            epsilon=_EPSILON,
            time_kernel=Forgetting(_EPSILON),
            noise_variance=1.0,
            gamma=gamma,
        )
        computed.append(sqrt(n * table.best("theorem1")[0]))
    return Witness(
        f"√(n·Theorem 1's gain), uniform times{said}",
        SIZES,
        tuple(computed),
        tuple(float(n) ** float(printed) for n in SIZES),
    )
