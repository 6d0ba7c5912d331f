"""m* ≥ value of a certificate by a quantised subset (docs/theory.md#lemma-q), derived again.

The certificate names the points, U, v and the number of cells of each coordinate. In balls: every
pivot of K − UUᵀ is positive, and v_x + v_y ≤ Var(ρ_x − ρ_y) for all pairs. The cells are quantised
here anew (any cells will do), and the sum over them is by loops of this file, in doubles less a
margin that is far above what their rounding adds up to.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from numba import njit
from scipy import special, stats

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Number
from proofs_check.recheck.grid import GridByReflections, exact, exact_matrix
from proofs_check.recheck.outcome import Refused

_MOST_POINTS = 64
_MOST_CELLS = 2_000_000
_MARGIN = 1e-9
_FINE, _LOW, _HIGH = 2048, -32.0, 8.0


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
    halves = _halves(U, v, domain.points[points], cells)
    if prod(cells) / 2 ** len(halves) > _MOST_CELLS:
        raise Refused(f"more than {_MOST_CELLS} cells")
    if not cells:
        U, cells = np.zeros((size, 1)), [1]
    chances, means = np.zeros((2, len(cells), max(cells)))
    counts = np.zeros(len(cells), dtype=np.int64)
    for j, count in enumerate(cells):
        chance, mean = _cells(count)
        if j in halves:
            chance, mean = 2.0 * chance[count // 2 :], mean[count // 2 :]
        counts[j] = len(mean)
        chances[j, : len(mean)], means[j, : len(mean)] = chance, mean
    knots = _LOW + np.arange(int((_HIGH - _LOW) * _FINE)) / _FINE
    logs = special.log_ndtr(knots)
    slopes = np.exp(stats.norm.logpdf(knots) - logs)
    total = _over_cells(U, np.sqrt(v), chances, means, counts, logs + 1e-13 * np.abs(logs), slopes)
    return exact(float(total) - _MARGIN)


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
    rest = rest.copy()
    for k in range(size):
        if enclosure.certainly_lt(0, rest[k, k]) is not True:
            raise Refused("the features are not certainly a part of the covariance")
        below = rest[k + 1 :, k] / rest[k, k]
        rest[k + 1 :] = rest[k + 1 :] - below[:, None] * rest[k]


def _halves(U: FloatArray, v: FloatArray, places: FloatArray, cells: Sequence[int]) -> list[int]:
    """Coordinates of which the upper cells are enough, one for each mirror image of the subset.

    The image must negate that coordinate and keep or negate the others, keep v, and keep the
    coordinates that are halved already.
    """
    found: list[int] = []
    middle = 0.5 * (places.max(axis=0) + places.min(axis=0))
    for axis in range(places.shape[1]):
        mirrored = places.copy()
        mirrored[:, axis] = 2.0 * middle[axis] - mirrored[:, axis]
        apart = np.abs(mirrored[:, None] - places[None]).max(axis=2)
        image = apart.argmin(axis=1)
        if apart.min(axis=1).max() > 1e-9 or np.abs(v[image] - v).max() > 1e-9:
            continue
        kept = np.abs(U[image] - U).max(axis=0) < 1e-9
        negated = np.abs(U[image] + U).max(axis=0) < 1e-9
        if not np.all(kept | negated) or any(not kept[j] for j in found):
            continue
        fit = [j for j in range(len(cells)) if negated[j] and not kept[j] and cells[j] % 2 == 0]
        free = [j for j in fit if j not in found]
        if free:
            found.append(_alone(free, U, places, axis))
    return found


def _alone(free: Sequence[int], U: FloatArray, places: FloatArray, axis: int) -> int:
    """Of these coordinates one that the mirrors of the other axes keep, if there is one."""
    middle = 0.5 * (places.max(axis=0) + places.min(axis=0))
    for j in free:
        alone = True
        for other in range(places.shape[1]):
            mirrored = places.copy()
            mirrored[:, other] = 2.0 * middle[other] - mirrored[:, other]
            image = np.abs(mirrored[:, None] - places[None]).max(axis=2).argmin(axis=1)
            alone &= other == axis or float(np.abs(U[image, j] - U[:, j]).max()) < 1e-9
        if alone:
            return j
    return free[0]


def _cells(count: int) -> tuple[FloatArray, FloatArray]:
    """Probabilities and means of `count` cells of the line, by Lloyd's iteration."""
    levels = stats.norm.ppf((np.arange(count) + 0.5) / count)
    chance = np.ones(1)
    for _ in range(300):
        borders = np.concatenate(([-np.inf], 0.5 * (levels[1:] + levels[:-1]), [np.inf]))
        chance = np.diff(special.ndtr(borders))
        levels = -np.diff(stats.norm.pdf(borders)) / chance
        levels = 0.5 * (levels - levels[::-1])
    return chance, levels


@njit(cache=True)
def _over_cells(
    U: FloatArray,
    s: FloatArray,
    chances: FloatArray,
    means: FloatArray,
    counts: Any,
    logs: FloatArray,
    slopes: FloatArray,
) -> float:  # pragma: no cover
    """Σ P(cell)·(a lower bound on E max), cells numbered in mixed base."""
    cells = 1
    for count in counts:
        cells *= count
    size = len(s)
    total: float = 0.0
    for cell in range(cells):
        rest, chance = cell, 1.0
        mean = np.zeros(size)
        for j in range(len(counts)):
            digit = rest % counts[j]
            rest //= counts[j]
            chance *= chances[j, digit]
            mean += U[:, j] * means[j, digit]
        total += chance * _largest(mean, s, logs, slopes)
    return total


@njit(cache=True)
def _largest(
    mean: FloatArray, s: FloatArray, logs: FloatArray, slopes: FloatArray
) -> float:  # pragma: no cover
    """T − ∫_{−∞}^T ΠΦ, the integrand at most e to its tangent at the middle of an interval."""
    size = len(s)
    lead = 0
    for x in range(size):
        if mean[x] + s[x] > mean[lead] + s[lead]:
            lead = x
    if s[lead] < 1e-6:
        return float(mean.max())
    unit = s[lead]
    bottom, end = mean[lead] - 3.5 * unit, mean[lead] + 4.75 * unit
    # Left of the bottom the product is at most the leading factor.
    z = (bottom - mean[lead]) / unit
    knot = int((z - _LOW) * _FINE)
    density = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
    area = unit * (density + z * np.exp(logs[knot])) + 1e-12
    width = 0.25 * unit
    start = bottom
    while start < end - 1e-12:
        h = min(width, end - start)
        t = start + 0.5 * h
        value, slope = 0.0, 0.0
        for x in range(size):
            if s[x] < 1e-6:
                continue
            z = (t - mean[x]) / s[x]
            if z > _HIGH - 0.1:
                continue
            knot = max(0, int((z - _LOW) * _FINE))
            value += logs[knot] + slopes[knot] * (z - _LOW - knot / _FINE)
            slope += slopes[knot] / s[x]
        bend = 0.5 * slope * h
        area += h * np.exp(value) * (np.sinh(bend) / bend if bend > 1e-6 else 1.0 + 1e-12)
        start += h
    return float(max(end - area, mean.max()))
