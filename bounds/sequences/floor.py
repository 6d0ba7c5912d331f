"""The exponent of the floor for each family: Theorem F on a finite domain, at noise held fixed.

The floor is of the order of Σp_i: 1 − √(1−p) lies between p/2 and p. With d_i the share of f that
is forgotten in the i-th wait, of the order of min(1, θt_i), and q = pσ²/(p+σ²),

    p_{i+1} = d_{i+1} + (1 − d_{i+1})q_i,

so that M rounds of wait δ each bring p to the order of max(1/M, min(1, √δ)), from any start that is
not below. Exponents are up to logarithms, R_n = Ω(n^exponent), and do not depend on the gain. See
docs/theory.md#rates.
"""

from __future__ import annotations

from fractions import Fraction

from bounds.rates.exponents import Regime, RegimeTable
from bounds.rates.lattice import Affine, Choice, Lattice, fraction_sign, pieces
from bounds.sequences.scaling import SHAPES, Scaling

_ZERO, _ONE, _HALF = Fraction(0), Fraction(1), Fraction(1, 2)
_NOTHING = Affine(_ZERO, _ZERO)


def floor_regimes(scaling: Scaling | None = None) -> RegimeTable:
    """The regimes of the floor of a family, uniform by default.

    Evenly spread times: n·min(1, √(θT/n)), so n^{(1+κ)/2} from κ = −1 to 1. Independent
    exponential durations are as good: waits add up to their mean over log n of them.

    >>> table = floor_regimes()
    >>> [str(t) for t in table.thresholds], str(table.exponent(0))
    (['-1', '1'], '1/2')
    """
    chosen = Scaling("uniform") if scaling is None else scaling
    return table_without_blocks(f"floor, {chosen.label}", _ARGUMENTS[SHAPES[chosen.family]](chosen))


def published_floor() -> RegimeTable:
    """Ω(nε) at unit steps (Bogunovic et al. 2016), n^κ from κ = 0 to 1.

    >>> str(published_floor().exponent(Fraction(1, 2)))
    '1/2'
    """
    return table_without_blocks("nε", _at_most_all(line(_ZERO, _ONE)))


def evenly(scaling: Scaling) -> Lattice:
    """n·min(1, √(θT/n)), and at least a constant."""
    return _at_most_all(line(_HALF, _HALF))


def jumps(scaling: Scaling) -> Lattice:
    """Biased and geometric: all but O(log n) rounds see f stand still, Σp_i = O(log n)."""
    return Lattice("max", (line(_ZERO, _ZERO),))


def power_law(scaling: Scaling) -> Lattice:
    """t_i ∝ i^p: rounds i ~ n^x wait n^{D(x)}, and lose n^{x + min(0, D(x)/2)}, or a constant.

    D(x) = κ + px for p < −1. The exponent rises in x while 1 + p/2 ≥ 0, so that the last rounds
    decide; for p < −2 the most is lost where D(x) = 0, x = −κ/p. For p ≥ −1, D(x) = κ−1−p+px: the
    last rounds again, as for evenly spread times.
    """
    power = scaling.exact("power")
    if power >= -1:
        return evenly(scaling)
    if power >= -2:
        return _at_most_all(line(_ONE + power / 2, _HALF))
    return _at_most_all(line(_ZERO, -1 / power))


def clusters(scaling: Scaling) -> Lattice:
    """Bursts and periods: n^b waits of θT/n^b, between them n^{1−b} rounds at one time.

    A wait of δ ≥ n^{−(1−b)} costs a constant, up to logarithms, whatever came before: n^b in all.
    Smaller ones add up to as much as evenly spread times, p ~ √(δ/M), so n^{(1+κ)/2}, which is n^b
    at κ = 2b − 1. Where time passes inside a period too, the larger of both. A fixed number of
    bursts loses O(log n); a fixed period is evenly spread.
    """
    bursts = scaling.family == "bursts"
    if scaling.fixed("bursts" if bursts else "period"):
        return jumps(scaling) if bursts else evenly(scaling)
    count = scaling.exact("bursts") if bursts else 1 - scaling.exact("period")
    few = Lattice("min", (line(count, _ZERO), line(_HALF, _HALF)))
    if bursts or scaling.contrast is None:
        return Lattice("max", (line(_ZERO, _ZERO), few))
    inside = _at_most_all(line(_HALF - scaling.exact("contrast") / 2, _HALF))
    return Lattice("max", (few, inside))


def heavy_tail(scaling: Scaling) -> Lattice:
    """Independent Pareto durations: evenly spread for a ≥ 1; below, n^{a(1+κ)/(1+a)}.

    There are n^b durations of at least n^{κ−b/a}. Each costs a constant where that is at least
    n^{−(1−b)}, up to b = a(1+κ)/(1+a); those that are smaller, more of them, lose
    n^{(1+κ+b−b/a)/2}, which falls in b. All durations are long from κ = 1/a on.
    """
    tail = scaling.exact("tail")
    if tail >= 1:
        return evenly(scaling)
    share = tail / (1 + tail)
    return _at_most_all(line(share, share))


_ARGUMENTS = {
    "even": evenly,
    "jumps": jumps,
    "power": power_law,
    "clusters": clusters,
    "heavy tail": heavy_tail,
}


def _at_most_all(rising: Choice) -> Lattice:
    """max(0, min(1, line)): at least a constant, at most every round."""
    return between(_ZERO, rising)


def between(least: Fraction, rising: Choice) -> Lattice:
    """max(least, min(1, line)): the exponent of at least n^least, and of at most every round."""
    capped = Lattice("min", (line(_ONE, _ZERO), rising))
    return Lattice("max", (line(least, _ZERO), capped))


def line(constant: Fraction, slope: Fraction) -> Choice:
    """The exponent constant + slope·κ."""
    return Choice(Affine(constant, slope), _NOTHING, _ZERO)


def table_without_blocks(name: str, nest: Lattice) -> RegimeTable:
    """The regimes of the nest; there are no blocks, and no gain."""
    found = tuple(
        Regime(piece.start, piece.end, piece.choice.value, _NOTHING, _ZERO)
        for piece in pieces(nest, fraction_sign)
    )
    return RegimeTable(name, _ZERO, found)
