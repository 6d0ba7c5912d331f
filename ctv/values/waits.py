"""What the waits of one sequence cost: Π, how it grew, which waits it comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.arrays import FloatArray
from ctv.show.plain import picked
from ctv.show.rounding import at_least, at_most, counted, digits
from ctv.show.shared import FLOATING
from ctv.show.sheet import Row, Sheet, numbers
from ctv.show.shown import Block, Screen, Shown
from ctv.values.answer import assumed_line
from ctv.values.smooth import smooth_sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.pattern import Waits
    from bounds.smooth.order import SmoothOrder
    from bounds.times import EvaluationTimes

MOST_SHOWN = 8
"""Waits that the first screen names."""


@dataclass(frozen=True, eq=False, repr=False)
class WaitsFound(Shown):
    """Π of a sequence of times, beside the functional C of Theorem 1.

    Attributes
    ----------
    times : of the n rounds
    waits : their shares p_i and drifts d_i
    least : Σ(1 − √(1−p_i)), rounded down where the time kernel has an enclosure
    saved : (n,) by how much Π falls without each wait; None beyond 20,000 rounds
    uniformity, rate : C with the cap 1/rate², and the rate: ε, or the slope of another kernel
    apart : rate·√C, at most n
    made_from : `problem` and `version` of the JSON
    half_life : the one that was assumed; None where drift was given
    smooth : Ψ, the order of the least regret on a smooth domain, with its blocks
    powers : those of n and of ε with which Ψ grows here; NaN where there is none
    """

    format = "ctv-bounds waits 1"

    times: EvaluationTimes
    waits: Waits
    least: float
    saved: FloatArray | None
    uniformity: float | None
    rate: float
    apart: float
    made_from: Mapping[str, Any]
    half_life: float | None = None
    smooth: SmoothOrder | None = None
    powers: tuple[float, float] = (nan, nan)

    def headline(self) -> str:
        return f"Π = {digits(self.waits.total)} of n = {counted(self.waits.n, 'round')}"

    def parts(self) -> dict[str, Any]:
        from bounds.pattern import WIDTHS, bracket

        assumed = {} if self.half_life is None else {"assumed_half_life": self.half_life}
        return {
            "n": self.waits.n,
            **self.waits.to_dict(),
            "theorem_i": {name: bracket(self.waits, name) for name in WIDTHS},
            "least": self.least,
            "growth": [list(pair) for pair in self.waits.growth()],
            **picked(self.waits, "shares", "drifts"),
            **picked(self, "saved", "uniformity", "rate", "apart"),
            "ratio": self.waits.total / self.apart if self.apart > 0.0 else None,
            "smooth": None if self.smooth is None else self.smooth.to_dict(),
            "smooth_exponents": [None if isnan(power) else power for power in self.powers],
            **assumed,
            **self.made_from,
        }

    def screen(self) -> Screen:
        waits = self.waits
        about = (
            f"{self.times.source}: {counted(waits.n, 'round')} in total time "
            f"{digits(self.times.total_time)}. Π = Σpᵢ = {digits(waits.total)}, where pᵢ is "
            "the share of the variance of a point that is left in round i after noisy observations "
            "of this point in every earlier round."
        )
        first = (about, *sentences(waits, self.least), *assumed_line(self.half_life))
        return Screen(
            (*first, *self._dearest()), (*self._smooth(), growth_sheet(waits), self._uniformity())
        )

    def _smooth(self) -> Iterator[Block]:
        """Ψ, what takes the place of Π on a smooth domain, and how it grows here."""
        if self.smooth is None:
            return
        in_n, in_epsilon = self.powers
        grows = "" if isnan(in_n) else f" It grows as n^{digits(in_n, 2)} here"
        if grows and not isnan(in_epsilon):
            grows += f" and as ε^{digits(in_epsilon, 2)}"
        yield (
            f"On a smooth domain Ψ = {digits(self.smooth.best.value)} by "
            f"{counted(len(self.smooth.best.partition), 'block')} takes the place of Π.{grows}"
            f"{'.' if grows else ''}"
        )
        yield smooth_sheet(self.smooth)

    def plot(self) -> Figure:
        """The waits round by round, and below what they cost."""
        from ctv.figures import waits

        return waits.draw(self.times, self.waits, self.saved)

    def _dearest(self) -> Iterator[Block]:
        """The waits without which Π would fall most."""
        if self.saved is None:
            yield "What each wait costs is computed up to 20,000 rounds."
            return
        order = np.argsort(-self.saved, kind="stable")[: min(MOST_SHOWN, self.waits.n - 1)]
        rows = tuple(
            Row(
                (
                    f"{i + 1:,}",
                    digits(self.times.durations[i]),
                    digits(self.waits.drifts[i]),
                    digits(self.waits.shares[i]),
                    digits(self.saved[i]),
                )
            )
            for i in order.tolist()
            if self.saved[i] > 0.0
        )
        if rows:
            yield Sheet(
                "Which waits cost most",
                numbers("round", "wait before it", "forgotten", "pᵢ", "Π without the wait: less"),
                rows,
                FLOATING,
            )
        else:
            yield "No wait costs anything: nothing is forgotten."

    def _uniformity(self) -> Sheet:
        """Π beside C: what the theorem of the paper reads off the same times."""
        ratio = digits(self.waits.total / self.apart) if self.apart > 0.0 else ""
        uniformity = "" if self.uniformity is None else digits(self.uniformity)
        return Sheet(
            "Π beside the uniformity C of Theorem 1, for the same times",
            numbers("rate", "C, cap 1/rate²", "rate·√C", "Π", "Π/(rate·√C)"),
            (
                Row(
                    (
                        digits(self.rate),
                        uniformity,
                        digits(self.apart),
                        digits(self.waits.total),
                        ratio,
                    )
                ),
            ),
            FLOATING,
            (
                "Both lie between 0 and n. rate·√C is how far apart two rounds are, whatever lies "
                "between them; Π asks of each round how much variance the rounds before it leave.",
            ),
        )


def sentences(waits: Waits, least: float) -> Iterator[str]:
    """What Π says of every policy on a finite domain, and how it grew."""
    line = (
        f"On a finite domain every policy has expected regret ≥ {at_least(least)} m* (Theorem F), "
        "and by Theorem I the least is at most a constant of the domain and σ times Π, up to one "
        "logarithm."
    )
    exponent = waits.exponent()
    if exponent is not None:
        line += f" Over the last half of the rounds Π grew as n^{digits(exponent, 2)}."
    yield line


def growth_sheet(waits: Waits) -> Sheet:
    """Π of the first m rounds, and what bounds it in the proof of Theorem I."""
    from bounds.pattern import bracket

    rows = tuple(Row((f"{m:,}", digits(total), digits(total / m))) for m, total in waits.growth())
    return Sheet(
        "Π of the first m rounds",
        numbers("m", "Π", "Π/m"),
        rows,
        FLOATING,
        (
            f"Windows of Theorem I: {len(waits.windows):,}, charged {at_most(waits.charged)} in "
            f"all, by the charging lemma at most {at_most(waits.most_charged)}; drift Σdᵢ = "
            f"{digits(waits.drift)}.",
            "From above Theorem I has κλ² times "
            f"{at_most(bracket(waits, 'index'))} for the index and "
            f"{at_most(bracket(waits, 'ts'))} for Thompson sampling, and a rest: λ² = 2 log(|D|n²),"
            " κ the density of gaps of the domain. A rate, far above n·m* as a number.",
        ),
    )
