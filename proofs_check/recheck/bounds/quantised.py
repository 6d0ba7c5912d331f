"""m* ≥ value of a certificate by a quantised subset (docs/theory.md#lemma-q), derived again.

The certificate names the points, U, v and the number of cells of each coordinate. In balls: every
pivot of K − UUᵀ is positive, and v_x + v_y ≤ Var(ρ_x − ρ_y) for all pairs. The cells are quantised
here anew (any cells will do), their chances and means are balls rounded to doubles.

The sum over the cells is by loops of this file in + − × ÷ √ of doubles alone, u = 2⁻⁵³. Of one
cell: Φ(z) ≤ Φ(z_k)·exp(D_k(z−z_k)) at nodes z_k, so that over an interval with middle t and half
its length H

    ∫ Π Φ ≤ Π Φ(z_k) · e^X · 2H sinh(SH)/(SH),  X = Σ D_k(z(t) − z_k),  S = Σ D_k/s.

Φ(z_k) is rounded up, the product of at most 64 adds 64u and 10⁻³⁰⁰ for underflow. A summand of X is
within 8uD_k(|z| + |z−z_k|), their sum adds 64u of the same: X is raised by 2⁻⁴⁵ of that sum A and
of SH, for the slopes. e^X is Taylor's polynomial of X/128 with its remainder, squared seven times:
(1 ± 9u)¹²⁸ at most. Where SH is large the least factor at the right end takes the place. A cell's
means are off by uΣ|U_xj m_j| times J + 4, which changes E max by as much; the sum of N cells with J
chances each by (N + 3J + 8)u of the sum of its absolute values; columns that a mirror image changes
a little, by what they change. All of it is subtracted.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import Any

import numpy as np
from numba import njit
from scipy import special, stats

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Number, matrices
from bounds.enclosure.doubles import require_doubles
from proofs_check.recheck.grid import GridByReflections, exact, exact_matrix, is_definite
from proofs_check.recheck.outcome import Refused

_MOST_POINTS = 64
_MOST_CELLS = 2_000_000
_FINE, _LOW, _HIGH = 512, -10, 7
_STEPS = 31
"""Intervals of a quarter of the leading deviation, down to 3.5 of them below its mean."""
_NEAR_ONE = 5.5
_U = 2.0**-53
_BITS = 128


def recheck_quantised(maximum: Mapping[str, Any], domain: GridByReflections) -> Number:
    """The lower bound on m* that points, features, variances and cells of a certificate give."""
    points, cells = list(maximum["points"]), list(maximum["cells"])
    features, variances = maximum["features"], maximum["variances"]
    size = len(points)
    several = 2 <= size <= _MOST_POINTS and len(set(points)) == size
    of_points = len(features) == size == len(variances) and min(variances) >= 0
    of_cells = all(len(row) == len(cells) for row in features) and min(cells, default=1) >= 1
    if not (several and of_points and of_cells):
        raise Refused(f"2 to {_MOST_POINTS} points, each with features, for each of which cells")
    _check_remainder(domain.gram(points, points), features, variances)
    U, v = np.array(features, dtype=float).reshape(size, len(cells)), np.array(variances)
    halves, lost = _mirrored_axes(U, v, domain.points[points], cells)
    if prod(cells) / 2 ** len(halves) > _MOST_CELLS:
        raise Refused(f"more than {_MOST_CELLS} cells")
    if not cells:
        U, cells = np.zeros((size, 1)), [1]
    require_doubles()
    chances, means = np.zeros((2, len(cells), max(cells)))
    counts = np.zeros(len(cells), dtype=np.int64)
    for j, count in enumerate(cells):
        chance, mean = _table(count)
        if j in halves:
            chance, mean = 2.0 * chance[count // 2 :], mean[count // 2 :]
        counts[j] = len(mean)
        chances[j, : len(mean)], means[j, : len(mean)] = chance, mean
    s = np.sqrt(v) * (1.0 - 4 * _U)
    total, absolute = _over_cells(U, s, chances, means, counts, *_nodes())
    shift = float(np.max(np.abs(U) @ np.max(np.abs(means), axis=1))) * (len(cells) + 6) * _U
    lost += shift + (int(np.prod(counts)) + 3 * len(cells) + 8) * _U * absolute
    return exact(float(total)) - exact(1.01 * lost)


@cache
def _nodes() -> tuple[FloatArray, FloatArray, float]:
    """Φ at the nodes, rounded up, its logarithmic derivative there, and ∫ Φ to just above −3.5."""
    up, slopes = np.empty((2, (_HIGH - _LOW) * _FINE))
    with enclosure.precision(_BITS):
        root = enclosure.sqrt(2 * enclosure.pi())
        for k in range(len(up)):
            z = exact(_LOW + k / _FINE)
            below = enclosure.normal_cdf(z)
            up[k] = matrices.upward(enclosure.ball(below))
            slopes[k] = float(enclosure.ball(enclosure.exp(-z * z / 2) / (root * below)).mid())
        z = exact(-3.5 + 2.0**-20)
        tail = z * enclosure.normal_cdf(z) + enclosure.exp(-z * z / 2) / root
        return up, slopes, float(matrices.upward(enclosure.ball(tail)))


def _check_remainder(gram: Any, features: Sequence[Any], variances: Sequence[Any]) -> None:
    """K − UUᵀ is positive definite, and v is no larger than its increments allow."""
    size = len(gram)
    rest = gram
    if features[0]:
        U = exact_matrix(features, size)
        product = np.array((U * U.transpose()).entries(), dtype=object)
        rest = gram - product.reshape(size, size)
    v = [exact(value) for value in variances]
    for x, y in itertools.combinations(range(size), 2):
        apart = rest[x, x] + rest[y, y] - 2 * rest[x, y]
        if enclosure.certainly_le(v[x] + v[y], apart) is not True:
            raise Refused("the variances are not below the increments of what is left")
    if not is_definite(rest):
        raise Refused("the features are not certainly a part of the covariance")


def _mirrored_axes(
    U: FloatArray, v: FloatArray, places: FloatArray, cells: Sequence[int]
) -> tuple[list[int], float]:
    """Coordinates of which the upper cells are enough, one for each mirror image of the subset.

    The image must negate that coordinate and keep or negate the others, keep v, and keep the
    coordinates that are halved already. Beside them, what the images change in a cell's means.
    """
    axes: list[int] = []
    lost = 0.0
    for axis in range(places.shape[1]):
        image = _image(places, axis)
        if len(np.unique(image)) != len(v) or not np.array_equal(v[image], v):
            continue
        apart = np.minimum(np.abs(U[image] - U).max(axis=0), np.abs(U[image] + U).max(axis=0))
        kept = np.abs(U[image] - U).max(axis=0) < 1e-9
        negated = np.abs(U[image] + U).max(axis=0) < 1e-9
        if not np.all(kept | negated) or any(not kept[j] for j in axes):
            continue
        fit = [j for j in range(len(cells)) if negated[j] and not kept[j] and cells[j] % 2 == 0]
        free = [j for j in fit if j not in axes]
        if free:
            axes.append(_alone(free, U, places, axis))
            furthest = [float(np.max(_table(count)[1])) for count in cells]
            lost += 1.01 * float(np.sum(apart * furthest))
    return axes, lost


def _alone(free: Sequence[int], U: FloatArray, places: FloatArray, axis: int) -> int:
    """Of these coordinates one that the mirrors of the other axes keep, if there is one."""
    images = [_image(places, other) for other in range(places.shape[1]) if other != axis]
    alone = (j for j in free if all(np.abs(U[i, j] - U[:, j]).max() < 1e-9 for i in images))
    return next(alone, free[0])


def _image(places: FloatArray, axis: int) -> Any:
    """The number of the point next to each one's mirror image along an axis."""
    mirrored = places.copy()
    mirrored[:, axis] = places[:, axis].max() + places[:, axis].min() - mirrored[:, axis]
    return np.abs(mirrored[:, None] - places[None]).max(axis=2).argmin(axis=1)


@cache
def _table(count: int) -> tuple[FloatArray, FloatArray]:
    """Probabilities and means of `count` cells of the line, by Lloyd's iteration: nearest doubles.

    The borders are exactly antisymmetric, so that chances and means of mirrored cells agree.
    """
    levels = stats.norm.ppf((np.arange(count) + 0.5) / count)
    borders = np.zeros(0)
    for _ in range(300):
        borders = 0.5 * (levels[1:] + levels[:-1])
        borders = 0.5 * (borders - borders[::-1])
        ends = np.concatenate(([-np.inf], borders, [np.inf]))
        levels = -np.diff(stats.norm.pdf(ends)) / np.diff(special.ndtr(ends))
    with enclosure.precision(_BITS):
        at = [exact(border) for border in borders.tolist()]
        root = enclosure.sqrt(2 * enclosure.pi())
        mass = [0, *(enclosure.normal_cdf(x) for x in at), 1]
        bell = [0, *(enclosure.exp(-x * x / 2) / root for x in at), 0]
        chances = [enclosure.ball(b - a) for a, b in itertools.pairwise(mass)]
        pairs = zip(itertools.pairwise(bell), chances, strict=True)
        means = [enclosure.ball((a - b) / chance) for (a, b), chance in pairs]
        both = np.array([[float(ball.mid()) for ball in row] for row in (chances, means)])
    return both[0], both[1]


@njit(cache=True)
def _over_cells(
    U: FloatArray,
    s: FloatArray,
    chances: FloatArray,
    means: FloatArray,
    counts: Any,
    up: FloatArray,
    slopes: FloatArray,
    tail: float,
) -> tuple[float, float]:  # pragma: no cover
    """Σ P(cell)·(a lower bound on E max), and of absolute values; cells in mixed base."""
    others = 1
    for count in counts[1:]:
        others *= count
    total, absolute = 0.0, 0.0
    columns = np.ascontiguousarray(U.T)
    for other in range(others):
        rest, shared = other, 1.0
        common = np.zeros(len(s))
        for j in range(1, len(counts)):
            digit = rest % counts[j]
            rest //= counts[j]
            shared *= chances[j, digit]
            common += columns[j] * means[j, digit]
        for digit in range(counts[0]):
            chance = shared * chances[0, digit]
            least = _largest(common + columns[0] * means[0, digit], s, up, slopes, tail)
            total += chance * least
            absolute += chance * abs(least)
    return total, absolute


@njit(cache=True)
def _exp_up(x: float) -> float:  # pragma: no cover
    """A double ≥ e^x."""
    r = min(abs(x), 512.0) / 128.0
    value = 1.0 + r * (1.0 + r / 2.0 * (1.0 + r / 3.0 * (1.0 + r / 4.0 * (1.0 + r / 5.0))))
    if x > 128.0:
        return np.inf
    if x > 0.0:  # r ≤ 1: the remainder is at most r⁶e/720
        value += r**6 / 260.0
    for _ in range(7):
        value *= value
    return (value if x > 0.0 else 1.0 / value) * (1.0 + 2.0**-41)


@njit(cache=True)
def _largest(
    mean: FloatArray, s: FloatArray, up: FloatArray, slopes: FloatArray, tail: float
) -> float:  # pragma: no cover
    """T − ∫_{−∞}^T ΠΦ, the integrand at most e to its tangent at the middle of an interval.

    From T downwards; once ΠΦ is small the last tangent bounds all that is left of it.
    """
    size = len(s)
    lead = 0
    for x in range(size):
        if mean[x] + s[x] > mean[lead] + s[lead]:
            lead = x
    most = mean.max()
    unit = s[lead]
    if unit < 1e-6 or abs(mean[lead]) > 1e3:
        return float(most)
    inverse = 1.0 / np.maximum(s, 1e-6)
    # Factors that are all but 1 are left out, and those of all but certain values.
    until = np.where(s < 1e-6, -np.inf, mean + _NEAR_ONE * s)
    top = mean[lead] + (_STEPS / 4 - 3.5) * unit
    end, area = top, 0.0
    for step in range(_STEPS):
        before = top - (step + 1) * (0.25 * unit)
        t = 0.5 * (before + end)
        half = max(end - t, t - before) * (1.0 + 2.0**-48)
        product, x_sum, slope, sizes = 1.0, 0.0, 0.0, 0.0
        for x in range(size):
            if t > until[x]:
                continue
            z = (t - mean[x]) * inverse[x]
            k = max(0, int((z - _LOW) * _FINE))
            apart = z - (_LOW + k / _FINE)
            product *= up[k]
            x_sum += slopes[k] * apart
            slope += slopes[k] * inverse[x]
            sizes += slopes[k] * (abs(z) + abs(apart))
        y = slope * half
        value = (product + 1e-300) * _exp_up(x_sum + 2.0**-45 * (sizes + y))
        if y <= 100.0 and value * _exp_up(y) < 1e-6 * y:
            area += value * _exp_up(y) / slope * (1.0 + 2.0**-44)
            break
        if y > 120.0:
            least = 1.0
            for x in range(size):
                z = (end - mean[x]) * inverse[x] if s[x] >= 1e-6 else 9.0
                k = max(0, int((z + 2.0**-30 - _LOW) * _FINE) + 1)
                if k < len(up):
                    least = min(least, up[k])
            factor = 2.0 * half * least
        elif y > 1.0:  # 2 sinh(y)/y ≤ e^y/y
            factor = value * half * _exp_up(y) / y
        else:
            q = y * y
            bulge = 1.0 + q / 6.0 * (1.0 + q / 20.0 * (1.0 + q / 42.0 * (1.0 + q / 72.0 * 1.01)))
            factor = 2.0 * value * half * bulge
        area += factor * (1.0 + 2.0**-44)
        end = before
    else:  # below the last interval the product is at most the leading factor
        area += unit * tail
    return float(max(top - area * (1.0 + 2.0**-46), most))
