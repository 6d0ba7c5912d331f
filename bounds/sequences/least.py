"""The exponent of the least regret of each family of times: of Π and of Ψ, at noise held fixed.

On a finite domain it is that of the floor Π = Σp_i of Theorem F (docs/theory.md#rates), on a smooth
one that of Ψ + Π (docs/theory.md#theorem-i3), where Π is not larger here. Both are one argument
with two numbers: M rounds at one time cost M^l beside a constant, and a round of many evenly spread
waits that renew a share δ each costs δ^{1/s},

    finite  l = 0, s = 2:  n·min(1, δ^{1/2}) + log n
    smooth  l = ½, s = 3:  n·min(1, δ^{1/3}) + √n.

Two patterns of waits laid over each other cost at most the sum of both: cut where either does.
Exponents are up to logarithms; those of Π are from below for every domain of unit variances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from bounds.rates.exponents import Regime, RegimeTable
from bounds.rates.lattice import Affine, Choice, Lattice, pieces
from bounds.sequences.scaling import SHAPES, Scaling

_ZERO, _ONE = Fraction(0), Fraction(1)
_NOTHING = Affine(_ZERO, _ZERO)


def floor_regimes(scaling: Scaling | None = None) -> RegimeTable:
    """The regimes of Π of a family, uniform by default: R_n = Ω(n^exponent) for every policy.

    >>> table = floor_regimes()
    >>> [str(t) for t in table.thresholds], str(table.exponent(0))
    (['-1', '1'], '1/2')
    """
    return _FINITE.regimes("floor", scaling)


def smooth_regimes(scaling: Scaling | None = None) -> RegimeTable:
    """The regimes of the least regret of a family on a smooth domain, uniform by default.

    >>> table = smooth_regimes()
    >>> [str(t) for t in table.thresholds], str(table.exponent(0))
    (['-1/2', '1'], '2/3')
    """
    return _SMOOTH.regimes("smooth", scaling)


def published_floor() -> RegimeTable:
    """Ω(nε) at unit steps (Bogunovic et al. 2016), n^κ from κ = 0 to 1.

    >>> str(published_floor().exponent(Fraction(1, 2)))
    '1/2'
    """
    return _table("nε", _Least(_ZERO, 1).evenly(Scaling("uniform")))


@dataclass(frozen=True)
class _Least:
    """l, the power of M rounds at one time; s, the root of the drift."""

    still: Fraction
    root: int

    def regimes(self, name: str, scaling: Scaling | None) -> RegimeTable:
        chosen = Scaling("uniform") if scaling is None else scaling
        argument: Callable[[Scaling], Lattice] = {
            "even": self.evenly,
            "jumps": self.jumps,
            "power": self.power_law,
            "clusters": self.clusters,
            "heavy tail": self.heavy_tail,
        }[SHAPES[chosen.family]]
        return _table(f"{name}, {chosen.label}", argument(chosen))

    def evenly(self, scaling: Scaling) -> Lattice:
        """n^l + n·min(1, (θT/n)^{1/s}); exponential durations are as good, over log n of them."""
        return self._between(line(1 - self._share, self._share))

    def jumps(self, scaling: Scaling) -> Lattice:
        """Biased and geometric: all but O(log n) rounds see f stand still and cost n^l."""
        return Lattice("max", (line(self.still, _ZERO),))

    def power_law(self, scaling: Scaling) -> Lattice:
        """t_i ∝ i^p: rounds i ~ n^x wait n^{D(x)}, and cost n^{lx} or n^{x + min(0, D(x)/s)}.

        D(x) = κ + px for p < −1. The exponent rises in x while 1 + p/s ≥ 0, so that the last rounds
        decide; for p < −s it is largest where D(x) = 0, x = −κ/p. For p ≥ −1, D(x) = κ−1−p+px: the
        last rounds again, as for evenly spread times.
        """
        power = scaling.exact("power")
        if power >= -1:
            return self.evenly(scaling)
        if power >= -self.root:
            return self._between(line(1 + power * self._share, self._share))
        return self._between(line(_ZERO, -1 / power))

    def clusters(self, scaling: Scaling) -> Lattice:
        """Bursts and periods: n^b waits of θT/n^b, between them M = n^{1−b} rounds at one time.

        A burst costs M^l where its wait is long, n^{b+(1−b)l} in all; smaller waits add up to as
        much as evenly spread ones. Where time passes inside a period too, the larger of both. A
        fixed number of bursts is as good as none; a fixed period is evenly spread.
        """
        bursts = scaling.family == "bursts"
        if scaling.fixed("bursts" if bursts else "period"):
            return self.jumps(scaling) if bursts else self.evenly(scaling)
        count = scaling.exact("bursts") if bursts else 1 - scaling.exact("period")
        every = line(count + (1 - count) * self.still, _ZERO)
        few = Lattice("min", (every, line(1 - self._share, self._share)))
        least = Lattice("max", (line(self.still, _ZERO), few))
        if bursts or scaling.contrast is None:
            return least
        inside = line(1 - self._share * (1 + scaling.exact("contrast")), self._share)
        return Lattice("max", (least, self._between(inside)))

    def heavy_tail(self, scaling: Scaling) -> Lattice:
        """Independent Pareto durations: evenly spread for a ≥ 1; below, n^{l+(1−l)b}.

        There are n^b durations of at least n^{κ−b/a}; as bursts they cost the smaller of
        n^{b+(1−b)l}, which rises in b, and of n^{(s−1+κ+b−b/a)/s}, which falls. They meet at
        b = (s−1−sl+κ)/(s−1−sl+1/a), beyond which all durations are long.
        """
        tail = scaling.exact("tail")
        if tail >= 1:
            return self.evenly(scaling)
        moving = self.root - 1 - self.root * self.still
        slope = (1 - self.still) / (moving + 1 / tail)
        return self._between(line(self.still + slope * moving, slope))

    @property
    def _share(self) -> Fraction:
        return Fraction(1, self.root)

    def _between(self, rising: Choice) -> Lattice:
        """max(l, min(1, line)): at least n^l, at most every round."""
        capped = Lattice("min", (line(_ONE, _ZERO), rising))
        return Lattice("max", (line(self.still, _ZERO), capped))


_FINITE, _SMOOTH = _Least(_ZERO, 2), _Least(Fraction(1, 2), 3)


def line(constant: Fraction, slope: Fraction) -> Choice:
    """The exponent constant + slope·κ."""
    return Choice(Affine(constant, slope), _NOTHING, _ZERO)


def _table(name: str, nest: Lattice) -> RegimeTable:
    """The regimes of the nest; there are no blocks, and no gain."""
    table = tuple(
        Regime(piece.start, piece.end, piece.choice.value, _NOTHING, _ZERO)
        for piece in pieces(nest)
    )
    return RegimeTable(name, _ZERO, table)
