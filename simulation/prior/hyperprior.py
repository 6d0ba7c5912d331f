"""What is believed of a prior before a log is seen: ranges to integrate over, or a finite set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import exp, inf, isfinite, log, log1p
from typing import TypeVar

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.memory import FORGETTING, MEMORIES
from simulation.prior.nonstationary import BENDS, SLOPES, STATIONARY, Nonstationarity
from simulation.prior.shapes import SHAPES
from simulation.prior.warp import Warp

_Option = TypeVar("_Option")

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


def _log_odds(chance: float) -> float:
    return log(chance) - log1p(-chance) if chance else -inf


def _halves(options: Sequence[_Option]) -> dict[_Option, float]:
    """Half of the probability for the first, the rest for the others alike."""
    first, others = options[0], options[1:]
    if not others:
        return {first: 1.0}
    return {first: 0.5, **dict.fromkeys(others, 0.5 / len(others))}


@dataclass(frozen=True)
class Structure:
    """Which options a prior takes.

    kernel : name of a shape
    drift : whether f moves with time
    level : whether a level common to all points drifts along
    per_input : whether every input has a lengthscale of its own
    memory : the name of the kernel of time, where f moves
    power : λ of the scale of y, see `simulation.prior.warp`; 1 is y itself
    wild : whether some errors are far larger than the others
    nonstationary : a change point, bent inputs, errors that differ
    """

    kernel: str
    drift: bool
    level: bool
    per_input: bool
    memory: str = FORGETTING
    power: float = 1.0
    wild: bool = False
    nonstationary: Nonstationarity = STATIONARY

    def __str__(self) -> str:
        drift = "drift" if self.memory == FORGETTING else f"{self.memory} drift"
        words = [self.kernel, drift if self.drift else "no drift"]
        words += ["level"] * self.level + ["a lengthscale per input"] * self.per_input
        if self.power != 1.0:
            words.append(f"y to the power {self.power:g}")
        words += ["wild errors"] * self.wild
        words += ["a change point"] * (self.nonstationary.change is not None)
        words += ["bent inputs"] * bool(self.nonstationary.bends)
        words += ["errors that differ"] * bool(self.nonstationary.slopes)
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
    memories : names of kernels of time; where there are several, the first takes half of the
        probability and the others share the rest, as
    powers : of the scales of y do
    wild : probability that some errors are far larger than the others
    change, bent, uneven : probabilities, below 1, of one change point, which may lie between any
        two rows; of inputs that are bent; of errors that grow or fall along inputs
    """

    lengthscale: LogNormal = LogNormal(0.3, 2.5)
    half_life: LogNormal = LogNormal(0.5, 6.0)
    noise_variance: LogNormal = LogNormal(0.02, 6.0)
    level: LogNormal = LogNormal(0.5, 3.0)
    kernels: tuple[str, ...] = field(default=("se", "matern52"))
    drift: float = 0.5
    level_share: float = 0.5
    per_input: float = 0.5
    memories: tuple[str, ...] = (FORGETTING,)
    powers: tuple[float, ...] = (1.0,)
    wild: float = 0.0
    change: float = 0.0
    bent: float = 0.0
    uneven: float = 0.0

    def __post_init__(self) -> None:
        if not self.kernels or not set(self.kernels) <= set(SHAPES):
            raise InvalidInput("kernel", ",".join(self.kernels), f"use {', '.join(SHAPES)}")
        if not self.memories or not set(self.memories) <= set(MEMORIES):
            raise InvalidInput("memory", ",".join(self.memories), f"use {', '.join(MEMORIES)}")
        numbers = all(type(power) in (int, float) and 0.0 <= power <= 2.0 for power in self.powers)
        if not self.powers or not numbers:
            raise InvalidInput("power", str(list(self.powers)), "give numbers from 0 to 2")
        for name in ("drift", "level_share", "per_input", "wild"):
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise InvalidInput(f"hyperprior {name}", value, "give a probability")
        for name in ("change", "bent", "uneven"):
            value = getattr(self, name)
            if not 0.0 <= value < 1.0:
                raise InvalidInput(f"hyperprior {name}", value, "give a probability below 1")

    @property
    def narrow(self) -> bool:
        """Whether nothing beside the first memory and power, and no wild error, is believed in."""
        several = len(self.memories) > 1 or len(self.powers) > 1
        return not (several or self.wild or self.change or self.bent or self.uneven)

    def log_odds(self, nonstationary: Nonstationarity, rows: int) -> float:
        """log of its probability over that of a stationary prior, in a log of so many rows."""
        log_odds = 0.0
        if nonstationary.change is not None:
            log_odds += _log_odds(self.change) - log(max(rows - 1, 1))
        for share, chosen, options in (
            (self.bent, nonstationary.bends, BENDS),
            (self.uneven, nonstationary.slopes, SLOPES),
        ):
            if chosen:
                each = log(len(options) * len(chosen))
                log_odds += _log_odds(share) - each * sum(value != 0.0 for value in chosen)
        return log_odds

    def structures(self, dimension: int) -> dict[Structure, float]:
        """Every combination of options that is possible, with its probability."""
        per_input = self.per_input if dimension > 1 else 0.0
        memories, powers = _halves(self.memories), _halves(self.powers)
        still = {self.memories[0]: 1.0}
        chances = {}
        either = (True, False)
        for kernel, drift, level, own in product(self.kernels, either, either, either):
            chance = 1.0 / len(self.kernels)
            # A level that does not drift is the mean, which has a prior of its own.
            level_share = self.level_share if drift else 0.0
            for chosen, share in ((drift, self.drift), (level, level_share), (own, per_input)):
                chance *= share if chosen else 1.0 - share
            if not chance > 0:
                continue
            for memory, often in (memories if drift else still).items():
                for (power, share), wild in product(powers.items(), (False, True)):
                    own_share = share * (self.wild if wild else 1.0 - self.wild)
                    if own_share > 0:
                        structure = Structure(kernel, drift, level, own, memory, power, wild)
                        chances[structure] = chance * often * own_share
        return chances

    def coordinates(self, structure: Structure, dimension: int) -> int:
        """How many numbers a member of this structure has."""
        lengths = dimension if structure.per_input else 1
        return lengths + 1 + structure.drift + structure.level

    def members(
        self,
        structure: Structure,
        z: FloatArray,
        dimension: int,
        span: float,
        warp: Warp | None = None,
        outliers: tuple[int, ...] = (),
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
            Member(
                structure.kernel,
                float(rate),
                tuple(map(float, row)),
                float(own),
                float(level),
                structure.memory if structure.drift else FORGETTING,
                warp,
                outliers,
                structure.nonstationary,
            )
            for rate, row, own, level in zip(rates, scales, noise, levels, strict=True)
        ]

    def slopes(self, structure: Structure, by_logarithm: FloatArray, dimension: int) -> FloatArray:
        """Slopes in the coordinates, from those of `Data.log_evidence_and_slopes`."""
        by_length = by_logarithm[:dimension] * self.lengthscale.width
        lengths = by_length if structure.per_input else np.array([by_length.sum()])
        widths = [*lengths, by_logarithm[dimension] * self.noise_variance.width]
        if structure.drift:
            widths.append(by_logarithm[dimension + 1] * self.half_life.width)
        if structure.level:
            widths.append(by_logarithm[dimension + 2] * self.level.width)
        return np.array(widths)
