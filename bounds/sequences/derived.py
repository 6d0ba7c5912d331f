"""The regret exponent of each family, where there is a derivation.

Everything is up to logarithms, with γ_m = m^c and the best partition. ρ is the growth of the drift
with the block, 1 for `refined` (Theorem A) and 3/2 for `additive` and `theorem1`. The derived
exponent is that of the bound itself: upper and lower arguments match.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from bounds.errors import InvalidInput
from bounds.partitions.objectives import OBJECTIVES
from bounds.rates.exponents import RegimeTable, checked_exponent, partition_exponent, table_of
from bounds.rates.lattice import (
    Affine,
    BlockLine,
    Choice,
    Lattice,
    best_block,
    exact_fraction,
    pieces,
)
from bounds.sequences.least import line
from bounds.sequences.scaling import SHAPES, Scaling

GROWTH = {"refined": Fraction(1), "additive": Fraction(3, 2), "theorem1": Fraction(3, 2)}
"""ρ for evenly spread times."""

_ZERO, _ONE = Fraction(0), Fraction(1)


def derived_regimes(scaling: Scaling, c: object, bound: str = "refined") -> RegimeTable:
    """The regimes of a family, by the argument of its function below.

    Parameters
    ----------
    scaling : Scaling
    c : γ_m = m^c, in [0, 1)
    bound : "refined", "additive" or "theorem1"

    Raises InvalidInput for an unknown bound.

    >>> table = derived_regimes(Scaling("power", power=-2), 0)
    >>> [str(t) for t in table.thresholds], str(table.exponent(1))
    (['0', '2'], '3/4')
    """
    if bound not in GROWTH:
        raise InvalidInput("bound", bound, f"use one of {', '.join(GROWTH)}")
    number, growth = checked_exponent(c), GROWTH[bound]
    nest = argument(scaling, bound)(scaling, number, growth)
    return table_of(f"{bound}, {scaling.label}", number, nest)


def argument(scaling: Scaling, bound: str) -> Callable[[Scaling, Fraction, Fraction], Lattice]:
    """The function that derives a family's exponents; its docstring is the argument."""
    if OBJECTIVES[bound].by_longest and scaling.family == "power":
        return power_law_by_number
    return {
        "even": uniform,
        "jumps": few_jumps,
        "power": power_law,
        "clusters": clusters,
        "heavy tail": heavy_tail,
    }[SHAPES[scaling.family]]


def uniform(scaling: Scaling, c: Fraction, growth: Fraction) -> Lattice:
    """Evenly spread times, and independent exponential durations.

    A block of M ≥ log n exponential durations spans M·T/n within a constant factor, for all
    blocks at once with probability tending to 1; so they are as good as equal ones.
    """
    return partition_exponent(c, growth)


def few_jumps(scaling: Scaling, c: Fraction, growth: Fraction) -> Lattice:
    """Biased, and geometric with a ratio other than 1: n^{(1+c)/2} for every κ.

    Biased: two blocks, cut at the jump, do not drift. Geometric: all but O(log n) rounds lie within
    n^{−A} of each other for any A; they are one block, the others single points, which adds
    O(log n). From below, Σγ_{M_i} ≥ n^c.
    """
    return Lattice("min", (_whole(c),))


def power_law(scaling: Scaling, c: Fraction, growth: Fraction) -> Lattice:
    """t_i ∝ i^p: uniform for p ≥ −1; below, most of the time passes in early rounds.

    Rounds i ~ n^x last t = n^{D(x)} each, D(x) = κ + px for p < −1. Cutting a partition at powers
    of 2 at most doubles Σγ for each of the O(log n) scales, and does not raise the drift
    (superadditivity); inside a scale durations agree within a factor, so it is a uniform problem
    with blocks of at most n^x. Its best value is n^x·max(n^{−(1−c)x}, min(1, n^{αD(x)})),
    α = (1−c)/(1−c+ρ). So γ̃_n ~ n^g with g = max(c, max_{0≤x≤1} min(x, x + αD(x))). Both lines
    in x are solved at their vertices: where 1+αp ≥ 0 the last scale x = 1 decides, otherwise the
    crossing D(x) = 0, x = −κ/p: the first n^{−κ/p} rounds are single points.
    For p ≥ −1, D(x) = κ−1−p+px, and always x = 1, where D = κ−1.
    """
    power = scaling.exact("power")
    if power >= -1:
        return partition_exponent(c, growth)
    share = 1 - c + growth
    alpha = (1 - c) / share
    trivial = line(_ZERO, _ZERO)
    if 1 + alpha * power >= 0:
        last = Choice(
            Affine(alpha * power, alpha), Affine(-power / share, -1 / share), growth / share
        )
        return Lattice("max", (_whole(c), Lattice("min", (trivial, last))))
    crossing, first = line(-_ONE, -1 / power), line(-_ONE, alpha)
    return Lattice("max", (_whole(c), Lattice("min", (trivial, crossing, first))))


def power_law_by_number(scaling: Scaling, c: Fraction, growth: Fraction) -> Lattice:
    """t_i ∝ i^p for `theorem1`, whose gain is N·γ_M: uniform for p ≥ −1, below as follows.

    N = n^y blocks leave the n^x rounds of a scale in blocks of n^{x−y} at least, and N blocks of
    that length for each scale x ≥ y (single points below y) are O(N log n) blocks of at most
    M = n^{1−y}. So the gain is n^{y+c(1−y)}, and the rounds of a scale, of duration n^{D(x)} with
    D(x) = κ+px, drift by n^{min(x, x+κ+px+ρ(x−y))}. From below: at least half of the rounds of a
    scale lie in blocks of half its mean length or longer, and pay as much up to constants. With
    u = 1−y, the largest of these is at x = 1 for p ≥ −1−ρ, where it is 1 + min(0, κ+p+ρu). For
    smaller p it is where both sides are the same, x = (κ−ρ(1−u))/(−p−ρ), and at most 1; if that is
    below y it does not count beside the gain, y or more.
    At c = 0 all of it is `additive`: N·γ_M = Σγ_{M_i}.
    """
    power = scaling.exact("power")
    if power >= -1:
        return partition_exponent(c, growth)
    gain = BlockLine(_ZERO, c - 1, _ZERO, _ONE)
    fall = max(_ONE, -power - growth)
    return best_block(gain, BlockLine(power / fall, growth / fall, 1 / fall), _ZERO, _ONE)


def clusters(scaling: Scaling, c: Fraction, growth: Fraction) -> Lattice:
    """Bursts and periods: n^π rounds close together, then a wait, π = 1−b or ρ.

    A block either stays inside a cluster or is a number of whole clusters, up to constants.
    Inside, u ≤ π: the drift is that of the short durations, κ−1−δ+ρu, or none. Whole clusters,
    u ≥ π: distances are those of evenly spread times, so κ−1+ρu. The better of the two.
    A fixed number of bursts is as many blocks without drift: n^{(1+c)/2} for every κ. With a fixed
    period blocks of at least a period are those of evenly spread times, and shorter ones no better
    than blocks of one period, up to constants: uniform.
    """
    bursts = scaling.family == "bursts"
    if scaling.fixed("bursts" if bursts else "period"):
        return few_jumps(scaling, c, growth) if bursts else partition_exponent(c, growth)
    size = 1 - scaling.exact("bursts") if bursts else scaling.exact("period")
    gain = BlockLine(_ZERO, c - 1, _ZERO, _ONE)
    several = best_block(gain, BlockLine(-_ONE, growth, _ONE), size, _ONE)
    if bursts or scaling.contrast is None:
        block = Affine(size, _ZERO)
        return Lattice("min", (Choice(gain.at(block), block, _ONE), several))
    short = BlockLine(-1 - scaling.exact("contrast"), growth, _ONE)
    return Lattice("min", (best_block(gain, short, _ZERO, size), several))


def heavy_tail(scaling: Scaling, c: Fraction, growth: Fraction) -> Lattice:
    """Independent Pareto durations: uniform for a ≥ 1; below, a block of M spans M^{1/a}.

    For a < 1 the sum of M durations is of the order of the largest, M^{1/a}, and T of n^{1/a}. So
    the drift of a block of n^u is κ − (1−u)/a, and (ρ−1)u more in the coarser bounds. From below:
    a constant share of the windows of M rounds drifts at this rate wherever the centre is, and
    some window of every run of O(log n) of them does, so blocks longer than that pay for it and
    shorter ones pay γ. (a = 1 differs from uniform by a logarithm.)
    """
    tail = scaling.exact("tail")
    if tail >= 1:
        return partition_exponent(c, growth)
    gain = BlockLine(_ZERO, c - 1, _ZERO, _ONE)
    return best_block(gain, BlockLine(-1 / tail, 1 / tail + growth - 1, _ONE), _ZERO, _ONE)


def equal_block_exponent(scaling: Scaling, c: object, kappa: object) -> Fraction | None:
    """The regret exponent of `refined` when all blocks have one length; None without a derivation.

    Equal blocks lose nothing for even times (one length is best everywhere), random ones with a
    mean (the mean makes the drift of a block, whichever jumps lie in it), one jump (n0 − 1 rounds),
    geometric (one block, the O(log n) far rounds pay the cap) and periods (multiples of the period,
    one round off). Bursts: nothing where their number divides n; no claim otherwise. Power law with
    q = −p > 1: blocks of n^u cost max(1−(1−c)u, S(u)), S(u) the larger of
    max_{u≤x≤1} min(x, x+κ−qx+u), the scales beyond the first block, and
    max_{x≤u} min(x, x+κ+(1−q)x), the rounds of the first block, whose centre comes late.

    Pareto with a < 1 and T given, or T of the order of its median: n^{a(κ+y)} durations drift by
    n^{−y} or more, −κ ≤ y ≤ 1/a−κ, and those below add up to the order of the largest of them. A
    block of n^u with such a duration inside, not near an end, pays n^{u−y} wherever its centre
    is. So blocks of n^u pay n^g, g the largest of u−y+min(1−u, a(κ+y)) over y ≥ max(0, −κ) (a round
    pays at most the cap): it falls in y since a < 1, so g = u+min(1−u, aκ) for κ ≥ 0, the few
    durations that reach the cap, and u+κ for κ ≤ 0, the largest duration. That is uniform at
    min(κ, aκ) for κ. The best partition cuts at these durations instead. Among n^u lengths some
    end a block next to the longest duration, but none next to more than boundedly many of them.
    """
    number, at = checked_exponent(c), exact_fraction("kappa", kappa)
    if scaling.family == "bursts":
        return None
    if scaling.erratic:
        even = derived_regimes(Scaling("uniform"), number)
        return even.exponent(min(at, scaling.exact("tail") * at))
    q = -scaling.exact("power")
    if scaling.family != "power" or q <= 1:
        return derived_regimes(scaling, number).exponent(at)

    edge = line(at, 2 - q)
    scales = Lattice("min", (line(_ONE, _ZERO), line(at / q, 1 / q), edge))
    # min(x, κ+(2−q)x) for x ≤ u: rising where q ≤ 2, else up to its crossing at κ/(q−1).
    first = (edge,) if q <= 2 else (line(at / (q - 1), _ZERO), line(at, _ZERO))
    rounds = Lattice("min", (line(_ZERO, _ONE), *first))
    cost = Lattice("max", (line(_ONE, number - 1), scales, rounds))
    ends = [piece.end for piece in pieces(cost)[:-1]]
    blocks = [_ZERO, _ONE, *(u for u in ends if u is not None and 0 < u < 1)]
    return (1 + min(cost.at(u) for u in blocks)) / 2


def _whole(c: Fraction) -> Choice:
    """Blocks of the order of n: γ̃_n/n ~ n^{c−1}."""
    return Choice(Affine(c - 1, _ZERO), Affine(_ONE, _ZERO), _ONE)
