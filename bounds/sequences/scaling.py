"""Families of sequences as n grows: one sequence for each n, with total drift θT = n^κ.

Time is measured in units of 1/θ, so that T = n^κ is the whole scaling. The shape of a family (its
ratio, power, tail) does not change with n; numbers of bursts and periods are powers of n, or fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, log1p, log10

import numpy as np

from bounds.errors import InvalidInput
from bounds.rates.lattice import exact_fraction, shortened
from bounds.times import FAMILIES, EvaluationTimes, Family, sequence

_LARGEST_POWER_OF_TEN = 300
_ROUNDS_FOR_EACH = 8
_DIGITS = 18

RANDOM = ("exponential", "pareto")
"""The families that draw their durations."""

SHAPES = {
    "uniform": "even",
    "exponential": "even",
    "biased": "jumps",
    "geometric": "jumps",
    "power": "power",
    "bursts": "clusters",
    "periodic": "clusters",
    "pareto": "heavy tail",
}
"""The argument that finds the exponents of a family: up to log n, some are as good as others."""


@dataclass(frozen=True)
class Scaling:
    """A family with the parameters that fix its shape; numbers or fractions.

    Attributes
    ----------
    family : a name of `bounds.times.FAMILIES`
    ratio : t_{i+1}/t_i of `geometric`, not 1
    power : p of `power`, t_i ∝ i^p
    bursts : b of `bursts`: n^b bursts, no time passes inside one; 0 < b < 1. A whole number is the
        number of bursts itself, the same for every n
    tail : a of `pareto`, P(t > u) = u^{−a}
    period : ρ of `periodic`: one long duration every n^ρ rounds, 0 < ρ < 1. A whole number is the
        period itself, the same for every n
    contrast : δ of `periodic`: its short durations are n^{−δ}·T/n, δ ≥ 0; None for no time at all

    >>> Scaling("bursts", bursts="1/2").times(16, 0).times.round(2).tolist()[3:6]
    [0.25, 0.5, 0.5]
    """

    family: str
    ratio: object = 2
    power: object = 1
    bursts: object = "1/2"
    tail: object = "3/2"
    period: object = "1/2"
    contrast: object = None

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise InvalidInput("sequence", self.family, f"use {', '.join(FAMILIES)}")
        for name in ("ratio", "power", "bursts", "tail", "period", "contrast"):
            if getattr(self, name) is None:
                continue
            value, digits = self.exact(name), 300 if name == "ratio" else _DIGITS
            if max(abs(value.numerator), value.denominator) > 10**digits:
                raise InvalidInput(name, shortened(value), f"give at most {digits} digits")
        if self.exact("ratio") <= 0 or (self.family == "geometric" and self.exact("ratio") == 1):
            raise InvalidInput(
                "ratio", self.ratio, "give a ratio > 0 that is not 1 (else: uniform)"
            )
        if self.exact("tail") <= 0:
            raise InvalidInput("tail", self.tail, "give a shape > 0")
        for name in ("bursts", "period"):
            value = self.exact(name)
            if not (0 < value < 1 or self.fixed(name)):
                raise InvalidInput(
                    name,
                    getattr(self, name),
                    "give a power of n between 0 and 1, or a number",
                )
        if self.contrast is not None and self.exact("contrast") < 0:
            raise InvalidInput("contrast", self.contrast, "give a power of n of at least 0")

    def exact(self, name: str) -> Fraction:
        """A parameter as a fraction."""
        return exact_fraction(name, getattr(self, name))

    def fixed(self, name: str) -> bool:
        """Whether `bursts` or `period` is a number of its own, the same for every n."""
        value = self.exact(name)
        return value >= 1 and value.denominator == 1

    def count(self, name: str, n: int) -> int:
        """The number of bursts, or the period, at n rounds; between 1 and n."""
        value = self.exact(name)
        wanted = int(value) if self.fixed(name) else round(float(n) ** float(value))
        return min(n, max(1, wanted))

    @property
    def label(self) -> str:
        """The family with the parameters that matter to it."""
        shown = {
            "geometric": "ratio",
            "power": "power",
            "bursts": "bursts",
            "pareto": "tail",
            "periodic": "period",
        }
        if self.family not in shown:
            return self.family
        name = shown[self.family]
        text = f"{self.family} {name}={shortened(self.exact(name))}"
        if self.family == "periodic" and self.contrast is not None:
            text += f" contrast={shortened(self.exact('contrast'))}"
        return text

    @property
    def random(self) -> bool:
        """Whether `times` needs a generator."""
        return self.family in RANDOM

    @property
    def erratic(self) -> bool:
        """Whether single draws decide the total time: Pareto durations without a mean."""
        return self.family == "pareto" and self.exact("tail") < 1

    def times(
        self, n: int, kappa: object, rng: np.random.Generator | None = None
    ) -> EvaluationTimes:
        """The n evaluation times with θT = n^κ, in units of 1/θ.

        Raises InvalidInput where n is too small for the family, a random family has no `rng`, or
        n^κ is beyond the doubles.
        """
        if n < 2:
            raise InvalidInput("n", n, "give at least 2 rounds")
        exponent = exact_fraction("kappa", kappa)
        if exponent * Fraction(log10(n)) > _LARGEST_POWER_OF_TEN:
            remedy = f"give at most {_LARGEST_POWER_OF_TEN / log10(n):.4g}: n^kappa is too large"
            raise InvalidInput("kappa", shortened(exponent), remedy)
        total = float(n) ** float(max(exponent, Fraction(-_LARGEST_POWER_OF_TEN)))
        gap = 0.0
        if self.family == "periodic" and self.contrast is not None:
            gap = total / n * float(n) ** -float(self.exact("contrast"))
        return sequence(
            self.family,
            Family(
                n=n,
                total=total,
                ratio=float(self.exact("ratio")),
                power=float(self.exact("power")),
                bursts=self.count("bursts", n),
                tail=float(self.exact("tail")),
                period=self.count("period", n),
                gap=gap,
                rng=rng,
            ),
        )

    def settled(self, n: int) -> bool:
        """Whether n rounds are many enough for the pattern: some times what its number asks for.

        A fixed number of bursts or a fixed period; log n/|log ratio|, the rounds of `geometric`
        before and after which no time passes; p, as all time passes in the last n/p rounds.

        >>> Scaling("power", power=1000).settled(2**12), Scaling("power", power=2).settled(2**12)
        (False, True)
        """
        wanted = Fraction(0)
        if self.family in ("bursts", "periodic"):
            name = "bursts" if self.family == "bursts" else "period"
            wanted = self.exact(name) if self.fixed(name) else wanted
        elif self.family == "geometric":
            growth = abs(_log(self.exact("ratio")))
            wanted = Fraction(log(n) / growth) if growth > 0 else Fraction(n)
        elif self.family == "power":
            wanted = self.exact("power")
        return wanted * _ROUNDS_FOR_EACH <= n

    def natural_lengths(self, n: int) -> tuple[int, ...]:
        """Block lengths that follow the pattern: one burst or period and its multiples."""
        if self.family == "biased":
            return (max(1, (n + 1) // 2 - 1),)
        if self.family == "bursts":
            natural = n // self.count("bursts", n)
        elif self.family == "periodic":
            natural = self.count("period", n)
        else:
            return ()
        return tuple(natural * 2**k for k in range(32) if natural * 2**k <= n)


def _log(ratio: Fraction) -> float:
    """log ratio, without cancellation near 1 and for ratios beyond the doubles."""
    near = ratio - 1
    if abs(near) < Fraction(1, 2):
        return log1p(float(near))
    return log(ratio.numerator) - log(ratio.denominator)
