"""The sum of Lemma Q over all cells, in doubles whose every error is bounded.

Cells. Borders are doubles, any will do; chances and means are balls of Arb, kept as middle and
radius (`Doubles`). E max is Lipschitz of constant 1 in the means for the largest difference, and it
grows with every deviation √v_x, which is rounded down. So a mean that is off by δ, by its radius or
by the rounding of Σ_j U_xj m_j (γ_(J+2)Σ|U_xj m_j|), costs δ.

One cell. A lower bound on E max (μ_x + s_x ζ_x) is T − ∫_{−∞}^T Π Φ((t−μ_x)/s_x) dt. Left of the
first interval one factor is left, whose integral is s·g(z), g(z) = zΦ(z) + ϕ(z): convex, so the
chords of a table that is rounded up lie above. log Φ is concave, and each factor is
replaced by its tangent at a node z_k: with t the middle of an interval, H at least half its length,

    ∫ Π Φ ≤ e^V · 2H · sinh(SH)/(SH),  V = Σ_x [log Φ(z_k) + d_k(z_x(t) − z_k)],  S = Σ_x d_k/s_x.

log Φ(z_k) is rounded up, d_k to nearest. z_x is within 3u|z_x|, each summand of V within
16u(|log Φ(z_k)| + d_k(|z_x| + |z_x−z_k|)), the sum of at most 64 adds γ_64 of their sizes: 2⁻⁴⁶ of
the sum A of the brackets covers it, and 2⁻⁴⁶ SH what d_k and the rounding of S make of the slope.
The exponent is raised by 2⁻⁴⁵(A + SH). `exp_near` is right to 2⁻⁴⁹; below −40 e^(−40) is above.

The sum. N products of J chances and one value: relative errors of the chances and γ_(N+J+8) of
Σ P|value|. `quantised_value` subtracts it all. See docs/theory.md#lemma-q.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from math import erfc, sqrt

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray, IntArray
from bounds.enclosure import Lower, matrices
from bounds.enclosure.doubles import Doubles, U, require_doubles
from bounds.enclosure.exponential import bulge_up, exp_near, exp_table
from bounds.enclosure.normal import mean_excess_up
from bounds.numerics.compiled import compiled

_PER_UNIT = 256
_LEAST, _MOST = -12, 7
_FIRST = -9  # of the table of g


@lru_cache(maxsize=64)
def borders(count: int) -> FloatArray:
    """(count − 1,) borders of the cells that know a normal variable best; antisymmetric exactly."""
    from scipy import special

    centres = np.asarray(special.ndtri((np.arange(count) + 0.5) / count))
    edges = np.zeros(0)
    for _ in range(300 if count > 1 else 0):
        edges = 0.5 * (centres[1:] + centres[:-1])
        edges = 0.5 * (edges - edges[::-1])
        ends = np.concatenate(([-40.0], edges, [40.0]))
        below = np.array([0.5 * erfc(-edge / sqrt(2.0)) for edge in ends])
        density = np.exp(-0.5 * ends * ends) / sqrt(2.0 * np.pi)
        centres = (density[:-1] - density[1:]) / np.diff(below)
    return edges


@lru_cache(maxsize=64)
def cell_means(count: int) -> tuple[Doubles, Doubles]:
    """(count,) probabilities and means of the cells of a normal variable, enclosed.

    >>> chances, means = cell_means(2)
    >>> chances.mid.tolist(), round(float(means.mid[1]), 6)
    ([0.5, 0.5], 0.797885)
    """
    with enclosure.precision(matrices.WORKING_BITS):
        edges = [enclosure.exact(Fraction(edge)) for edge in borders(count).tolist()]
        root = enclosure.sqrt(2 * enclosure.pi())
        below = [0, *(enclosure.normal_cdf(edge) for edge in edges), 1]
        density = [0, *(enclosure.exp(-edge * edge / 2) / root for edge in edges), 0]
        chances = [enclosure.ball(b - a) for a, b in pairwise(below)]
        means = [
            enclosure.ball((a - b) / p)
            for (a, b), p in zip(pairwise(density), chances, strict=True)
        ]
        return Doubles.of_balls(chances), Doubles.of_balls(means)


def quantised_value(
    features: FloatArray,
    variances: FloatArray,
    cells: Sequence[int],
    halves: Sequence[int] = (),
    asymmetry: float = 0.0,
) -> Lower:
    """Σ_cells P(cell)·E max (μ_cell(x) + √v_x ζ_x), from below.

    Parameters
    ----------
    features, variances : (|S|, J) U and (|S|,) v, |S| ≤ 64, exact numbers
    cells : numbers of cells of each coordinate
    halves : coordinates of which the upper cells alone are summed, even numbers of them
    asymmetry : by how much a cell's means differ, at most, from those of the cell for which it
        stands, once the points are renamed

    Cost: the product of the numbers of cells, about 20 µs each.
    """
    require_doubles()
    if not len(cells):
        features, cells = np.zeros((len(variances), 1)), (1,)
    J = len(cells)
    probabilities, means = np.zeros((2, J, max(cells)))
    sizes = np.array(cells, dtype=np.int64)
    off, shift = 0.0, np.zeros(len(variances))
    for j, count in enumerate(cells):
        chance, mean = cell_means(count)
        if j in halves:
            chance, mean = chance[count // 2 :].scaled(2.0), mean[count // 2 :]
            sizes[j] = count - count // 2
        probabilities[j, : sizes[j]], means[j, : sizes[j]] = chance.mid, mean.mid
        off += float(np.max(chance.rad / chance.mid))
        largest = float(np.max(np.abs(mean.mid)))
        apart = float(np.max(mean.rad)) + (J + 4) * U * largest
        shift += np.abs(features[:, j]) * apart
    deviations = np.sqrt(variances) * (1.0 - 2.0**-51)
    total, size = sum_over_cells(
        np.ascontiguousarray(features, dtype=float),
        deviations,
        probabilities,
        means,
        sizes,
        *tangents(),
        excesses(),
        exp_table(),
    )
    count = int(np.prod(sizes))
    relative = off + (count + J + 8) * U
    lost = 1.01 * (relative * size + float(np.max(shift)) + asymmetry)
    return Lower((float(total) - lost) - 2.0**-50 * (abs(float(total)) + lost))


@cache
def tangents() -> tuple[FloatArray, FloatArray]:
    """log Φ at the nodes, rounded up, and its derivative there, rounded to nearest."""
    count = (_MOST - _LEAST) * _PER_UNIT
    logs, slopes = np.empty(count), np.empty(count)
    with enclosure.precision(matrices.WORKING_BITS):
        root = enclosure.sqrt(2 * enclosure.pi())
        for k in range(count):
            z = enclosure.exact(Fraction(_LEAST * _PER_UNIT + k, _PER_UNIT))
            below = enclosure.ball(enclosure.normal_cdf(z))
            logs[k] = matrices.upward(enclosure.ball(enclosure.log(below)))
            slopes[k] = float(enclosure.ball(enclosure.exp(-z * z / 2) / (root * below)).mid())
    return logs, slopes


@cache
def excesses() -> FloatArray:
    """g(z) = zΦ(z) + ϕ(z) at the nodes of [−9, 0], rounded up."""
    return mean_excess_up(np.arange(_FIRST * _PER_UNIT, 1) / _PER_UNIT)


@compiled()
def sum_over_cells(
    features: FloatArray,
    deviations: FloatArray,
    probabilities: FloatArray,
    means: FloatArray,
    sizes: IntArray,
    logs: FloatArray,
    slopes: FloatArray,
    excess: FloatArray,
    exps: FloatArray,
) -> tuple[float, float]:  # pragma: no cover
    """The sum over all cells and that of the absolute values, cells counted like digits."""
    count, points = len(sizes), len(deviations)
    near = np.empty(points, dtype=np.int64)
    digits = np.zeros(count, dtype=np.int64)
    centre = np.empty(points)
    total, size = 0.0, 0.0
    while True:
        chance = 1.0
        for j in range(count):
            chance *= probabilities[j, digits[j]]
        for x in range(points):
            value = 0.0
            for j in range(count):
                value += features[x, j] * means[j, digits[j]]
            centre[x] = value
        least = expected_largest(centre, deviations, logs, slopes, excess, exps, near)
        total += chance * least
        size += chance * abs(least)
        place = count - 1
        while place >= 0:
            digits[place] += 1
            if digits[place] < sizes[place]:
                break
            digits[place] = 0
            place -= 1
        if place < 0:
            return total, size


@compiled()
def expected_largest(
    centre: FloatArray,
    deviations: FloatArray,
    logs: FloatArray,
    slopes: FloatArray,
    excess: FloatArray,
    exps: FloatArray,
    near: IntArray,
) -> float:  # pragma: no cover
    """A lower bound on E max (μ_x + s_x ζ_x), ζ independent standard normals, to one rounding."""
    points = len(centre)
    top, wide, most = -np.inf, 0.0, -np.inf
    for x in range(points):
        most = max(most, centre[x])
        if centre[x] + deviations[x] > top:
            top, wide = centre[x] + deviations[x], deviations[x]
    # Those far below are left out: a factor is at most 1.
    few = 0
    for x in range(points):
        if deviations[x] > 1e-6 and centre[x] + 3.0 * deviations[x] > top - wide:
            near[few] = x
            few += 1
    if few == 0 or wide < 1e-6:
        return most  # Jensen: E max ≥ max E
    left = top - 4.0 * wide
    low, h = left, wide / 4.0
    below = np.inf
    for i in range(few):
        s = deviations[near[i]]
        z = (low - centre[near[i]]) / s
        place = (z * (1.0 - 2.0**-50) + 9.0) * 256.0
        if place < len(excess) - 1.0:
            place = max(place, 0.0)
            k = int(place)
            chord = excess[k] + (place - k) * (excess[k + 1] - excess[k])
            below = min(below, s * chord * (1.0 + 2.0**-36))
    last = len(logs) - 1
    for step in range(30):
        right = low + (step + 1) * h
        t = 0.5 * (left + right)
        half = max(right - t, t - left) * (1.0 + 2.0**-50)
        value, slope, size = 0.0, 0.0, 0.0
        for i in range(few):
            x = near[i]
            z = (t - centre[x]) / deviations[x]
            if z < 6.9:
                # Any tangent will do; the nearest is the closest.
                k = min(max(int((z + 12.0) * 256.0 + 0.5), 0), last)
                apart = z - (k / 256.0 - 12.0)
                value += logs[k] + slopes[k] * apart
                slope += slopes[k] / deviations[x]
                size += abs(logs[k]) + slopes[k] * (abs(z) + abs(apart))
        y = slope * half
        value += 2.0**-45 * (size + y)
        if y > 2.0:  # sinh(y) ≤ e^y/2
            area = exp_near(min(max(value + y, -40.0), 7.9), exps) * half / y
            if value + y > 7.5:
                area = np.inf
        else:
            area = 2.0 * half * exp_near(min(max(value, -40.0), 7.9), exps) * bulge_up(y)
            if value > 7.5:
                area = np.inf
        below += area * (1.0 + 2.0**-46)
        left = right
    # 31 sums of positive numbers.
    return max(left - below * (1.0 + 2.0**-47), most)
