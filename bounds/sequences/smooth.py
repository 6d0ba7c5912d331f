"""The exponent of the least regret of a smooth kernel for each family: that of Ψ, at fixed noise.

By Theorem I3 the least regret is of the order of Ψ + Π, up to powers of log n, and Π, the order on
finite domains, is not larger here. See docs/theory.md#theorem-i3. A block of M rounds with waits of
drift δ in it costs √M + M·min(1, Mδ); at the best M evenly spread waits cost

    n·min(1, δ^{1/3}) + √n,

and two patterns of waits laid over each other cost at most the sum of both: cut where either does.
Exponents are up to logarithms, from both sides.
"""

from __future__ import annotations

from fractions import Fraction

from bounds.rates.exponents import RegimeTable
from bounds.rates.lattice import Lattice
from bounds.sequences.floor import between, line, table_without_blocks
from bounds.sequences.scaling import SHAPES, Scaling

_ZERO, _ONE = Fraction(0), Fraction(1)
_HALF, _THIRD = Fraction(1, 2), Fraction(1, 3)


def smooth_regimes(scaling: Scaling | None = None) -> RegimeTable:
    """The regimes of the least regret of a family on a smooth domain, uniform by default.

    Evenly spread times: n^{(2+κ)/3} from κ = −1/2 to 1, below it √n. Independent exponential
    durations are as good.

    >>> table = smooth_regimes()
    >>> [str(t) for t in table.thresholds], str(table.exponent(0))
    (['-1/2', '1'], '2/3')
    """
    chosen = Scaling("uniform") if scaling is None else scaling
    return table_without_blocks(
        f"smooth, {chosen.label}", _ARGUMENTS[SHAPES[chosen.family]](chosen)
    )


def evenly(scaling: Scaling) -> Lattice:
    """√n + n·min(1, (θT/n)^{1/3})."""
    return between(_HALF, line(2 * _THIRD, _THIRD))


def jumps(scaling: Scaling) -> Lattice:
    """Biased and geometric: all but O(log n) rounds see f stand still and cost √n."""
    return Lattice("max", (line(_HALF, _ZERO),))


def power_law(scaling: Scaling) -> Lattice:
    """t_i ∝ i^p: rounds i ~ n^x wait n^{D(x)}, and cost n^{x/2} or n^{x + min(0, D(x)/3)}.

    D(x) = κ + px for p < −1. The exponent rises in x while 1 + p/3 ≥ 0, so that the last rounds
    decide; for p < −3 it is largest where D(x) = 0, x = −κ/p. For p ≥ −1, D(x) = κ−1−p+px: the last
    rounds again, as for evenly spread times.
    """
    power = scaling.exact("power")
    if power >= -1:
        return evenly(scaling)
    if power >= -3:
        return between(_HALF, line(_ONE + power / 3, _THIRD))
    return between(_HALF, line(_ZERO, -1 / power))


def clusters(scaling: Scaling) -> Lattice:
    """Bursts and periods: n^b waits of θT/n^b, between them M = n^{1−b} rounds at one time.

    A burst costs √M where its wait is long, n^{(1+b)/2} in all; smaller waits add up to as much as
    evenly spread ones. Where time passes inside a period too, the larger of both. A fixed number of
    bursts is as good as none; a fixed period is evenly spread.
    """
    bursts = scaling.family == "bursts"
    if scaling.fixed("bursts" if bursts else "period"):
        return jumps(scaling) if bursts else evenly(scaling)
    count = scaling.exact("bursts") if bursts else 1 - scaling.exact("period")
    few = Lattice("min", (line((1 + count) / 2, _ZERO), line(2 * _THIRD, _THIRD)))
    found = Lattice("max", (line(_HALF, _ZERO), few))
    if bursts or scaling.contrast is None:
        return found
    inside = between(_HALF, line((2 - scaling.exact("contrast")) / 3, _THIRD))
    return Lattice("max", (found, inside))


def heavy_tail(scaling: Scaling) -> Lattice:
    """Independent Pareto durations: evenly spread for a ≥ 1; below, n^{(1+a+aκ)/(2+a)}.

    There are n^b durations of at least n^{κ−b/a}; as bursts they cost the smaller of n^{(1+b)/2},
    which rises in b, and of n^{(2+κ+b−b/a)/3}, which falls. They meet at b = a(1+2κ)/(2+a).
    """
    tail = scaling.exact("tail")
    if tail >= 1:
        return evenly(scaling)
    return between(_HALF, line((1 + tail) / (2 + tail), tail / (2 + tail)))


_ARGUMENTS = {
    "even": evenly,
    "jumps": jumps,
    "power": power_law,
    "clusters": clusters,
    "heavy tail": heavy_tail,
}
