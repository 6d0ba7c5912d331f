"""What is believed of a prior before a log is seen: ranges to integrate over, or a finite set."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import exp, isfinite, log

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.shapes import SHAPES

REACH = 4.0
"""Standard deviations of the logarithm at which a range ends."""


@dataclass(frozen=True)
class LogNormal:
    """A positive quantity whose logarithm is normal, cut at `REACH` standard deviations.

    median : > 0
    factor : > 1, e to one standard deviation of the logarithm
    """

    median: float
    factor: float

    def __post_init__(self) -> None:
        if not (isfinite(self.median) and self.median > 0):
            raise InvalidInput("hyperprior median", self.median, "give a positive number")
        if not (isfinite(self.factor) and self.factor > 1):
            raise InvalidInput("hyperprior factor", self.factor, "give a number above 1")

    def value(self, z: FloatArray) -> FloatArray:
        """The quantity at z standard deviations of its logarithm."""
        return np.asarray(self.median * np.exp(self.width * z))

    @property
    def width(self) -> float:
        """Standard deviation of the logarithm."""
        return log(self.factor)

    @property
    def ends(self) -> tuple[float, float]:
        return self.median * exp(-REACH * self.width), self.median * exp(REACH * self.width)


@dataclass(frozen=True)
class FiniteHyperprior:
    """A finite set of priors with their probabilities, fixed before the data.

    members : the priors; rates per unit of the log's time
    chances : positive, adding to 1
    mean_and_scale : of m and s, in units of y
    """

    members: tuple[Member, ...]
    chances: tuple[float, ...]
    mean_and_scale: MeanAndScale

    def __post_init__(self) -> None:
        if not self.members or len(self.members) != len(self.chances):
            raise InvalidInput("hyperprior", f"{len(self.members)} members", "give one chance each")
        if min(self.chances) <= 0 or abs(sum(self.chances) - 1.0) > 1e-9:
            raise InvalidInput("hyperprior", "weights", "give positive ones")

    @property
    def dimension(self) -> int:
        return len(self.members[0].lengthscales)


@dataclass(frozen=True)
class Structure:
    """Which options a prior takes.

    kernel : name of a shape
    drift : whether f forgets
    level : whether a level common to all points drifts along
    per_input : whether every input has a lengthscale of its own
    """

    kernel: str
    drift: bool
    level: bool
    per_input: bool

    def __str__(self) -> str:
        words = [self.kernel, "drift" if self.drift else "no drift"]
        words += ["level"] * self.level + ["a lengthscale per input"] * self.per_input
        return ", ".join(words)


@dataclass(frozen=True)
class Hyperprior:
    """Independent log-normal ranges, and a probability for every option.

    Parameters
    ----------
    lengthscale : of each input, in shares of its axis
    half_life : of the drift, in shares of the time that the log spans
    noise_variance, level : in units of s²
    kernels : names of shapes, equally likely
    drift, level_share, per_input : probabilities of the options; 0 or 1 settles one
    """

    lengthscale: LogNormal = LogNormal(0.3, 2.5)
    half_life: LogNormal = LogNormal(0.5, 6.0)
    noise_variance: LogNormal = LogNormal(0.02, 6.0)
    level: LogNormal = LogNormal(0.5, 3.0)
    kernels: tuple[str, ...] = field(default=("se", "matern52"))
    drift: float = 0.5
    level_share: float = 0.5
    per_input: float = 0.5

    def __post_init__(self) -> None:
        if not self.kernels or not set(self.kernels) <= set(SHAPES):
            raise InvalidInput("kernel", ",".join(self.kernels), f"use {', '.join(SHAPES)}")
        for name in ("drift", "level_share", "per_input"):
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise InvalidInput(f"hyperprior {name}", value, "give a probability")

    def structures(self, dimension: int) -> dict[Structure, float]:
        """Every combination of options that is possible, with its probability."""
        per_input = self.per_input if dimension > 1 else 0.0
        found = {}
        either = (True, False)
        for kernel, drift, level, own in product(self.kernels, either, either, either):
            chance = 1.0 / len(self.kernels)
            # A level that does not drift is the mean, which has a prior of its own.
            level_share = self.level_share if drift else 0.0
            for chosen, share in ((drift, self.drift), (level, level_share), (own, per_input)):
                chance *= share if chosen else 1.0 - share
            if chance > 0:
                found[Structure(kernel, drift, level, own)] = chance
        return found

    def coordinates(self, structure: Structure, dimension: int) -> int:
        """How many numbers a member of this structure has."""
        lengths = dimension if structure.per_input else 1
        return lengths + 1 + structure.drift + structure.level

    def members(
        self, structure: Structure, z: FloatArray, dimension: int, span: float
    ) -> list[Member]:
        """The members at (B, k) standard coordinates: lengthscales, noise, half-life, level."""
        lengths = dimension if structure.per_input else 1
        scale = self.lengthscale.value(z[:, :lengths])
        scales = np.broadcast_to(scale, (len(z), dimension))
        noise = self.noise_variance.value(z[:, lengths])
        place = lengths + 1
        rates = np.zeros(len(z))
        if structure.drift:
            rates = log(2.0) / (span * self.half_life.value(z[:, place]))
            place += 1
        levels = self.level.value(z[:, place]) if structure.level else np.zeros(len(z))
        return [
            Member(structure.kernel, float(rate), tuple(map(float, row)), float(own), float(level))
            for rate, row, own, level in zip(rates, scales, noise, levels, strict=True)
        ]

    def slopes(self, structure: Structure, by_logarithm: FloatArray, dimension: int) -> FloatArray:
        """Slopes in the coordinates, from those of `Data.log_evidence_and_slopes`."""
        by_length = by_logarithm[:dimension] * self.lengthscale.width
        lengths = by_length if structure.per_input else np.array([by_length.sum()])
        found = [*lengths, by_logarithm[dimension] * self.noise_variance.width]
        if structure.drift:
            found.append(by_logarithm[dimension + 1] * self.half_life.width)
        if structure.level:
            found.append(by_logarithm[dimension + 2] * self.level.width)
        return np.array(found)
