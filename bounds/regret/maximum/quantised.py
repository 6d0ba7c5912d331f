"""m* from below without simulation: a quantised leading part, independent values for the rest.

Let K_S be the covariance of g ~ GP(0, k_space) on a subset S of the domain, and U a matrix with
R = K_S − UUᵀ ⪰ 0, so that g = Uc + ρ with independent standard normals c and ρ ~ N(0, R). Each
coordinate of c is replaced by its mean on the cell of a partition of the line in which it lies,
which lowers E max (Jensen, given everything else), and ρ by independent values of variances v_x
with v_x + v_y ≤ Var(ρ_x − ρ_y), which lowers it too (Sudakov and Fernique, Vitale's form for equal
means):

    m* ≥ Σ_cells P(cell)·E max_{x in S} (μ_cell(x) + √v_x ζ_x).

E max is T − ∫_{−∞}^T Π_x Φ((t − μ_x)/√v_x) dt or more, for every T. The integrand is log-concave,
so over an interval of length h with midpoint m it is at most hF(m)·sinh(Sh/2)/(Sh/2),
S = (log F)'(m), and factors may be left out. See docs/theory.md#lemma-q.

Of a square grid two reflections and the exchange of axes map cells to cells of the same value:
one of eight is evaluated. All is in doubles; every operation is right to some units in the last
place, and what they add up to is far below the margin that is taken off at the end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import erfc, exp, log, pi, sinh, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Domain
from bounds.enclosure import Lower, matrices
from bounds.errors import NoEnclosure
from bounds.kernels import Kernel

MARGIN = 1e-7
"""What is taken off: far above the rounding of some 10⁶ terms with weights that sum to 1."""

MOST_CELLS = 3_000
"""Cells that are evaluated, a tenth of a second; those of one orbit count once."""

STORED_CELLS = 200_000
"""Cells of the stored values; `store` derives them again, in some seconds."""

_OTHER_PROCESSOR = 1e-7  # by how much eigenvectors of another processor can change a stored value
_SHRINK = 1.0 - 1e-6
_MOST_COORDINATES = 12
_MOST_POINTS = 64
_GAP = 0.8  # spacing over the length at which k = e^(−1/2): wider subsets gain less
_STEPS = 3.0  # intervals for each deviation of the largest value


@dataclass(frozen=True)
class Quantised:
    """m* ≥ value by a quantised subset, and what another program needs to find it again.

    Attributes
    ----------
    value : less the margin, a `Lower`
    points : indices of S in the domain
    features : (|S|, J) U
    variances : (|S|,) v
    cells : numbers of cells of each coordinate
    """

    value: Lower
    points: tuple[int, ...]
    features: FloatArray
    variances: FloatArray
    cells: tuple[int, ...]


def quantised_maximum(
    domain: Domain, kernel: Kernel, *, most_cells: int = MOST_CELLS
) -> Quantised | None:
    """A lower bound on m* of this kind from a sub-grid; None where there is none.

    The value of a stored domain is taken from the file, its parts are checked again.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> found = quantised_maximum(Grid(1, 1.0, 20), SquaredExponential(0.2), most_cells=500)
    >>> 0.9 < found.value < 1.13  # m* = 1.12 on a fine grid
    True
    """
    axes = domain.axes
    if axes is None or domain.size < 3 or len(axes) > 3:
        return None
    reach = kernel.reach(exp(-0.5))
    longest = max(float(axis[-1] - axis[0]) for axis in axes)
    if not 0.0 < longest < 1e6 * reach:
        return None
    most = int(_MOST_POINTS ** (1.0 / len(axes)) + 1e-9)
    per_axis = int(np.clip(round(longest / (_GAP * reach)) + 1, 2, most))
    # Of an even number of points an axis the middle is a place of symmetry.
    per_axis = min(per_axis + per_axis % 2, most - most % 2)
    stored = _stored_for(domain, kernel)
    if stored is not None:
        chosen = np.array(stored["points"], dtype=np.int64)
        return _of_points(domain, kernel, chosen, STORED_CELLS, stored)
    chosen = domain.spread(per_axis ** len(axes))
    return None if len(chosen) < 3 else _of_points(domain, kernel, chosen, most_cells)


def store(domain: Domain, kernel: Kernel) -> dict[str, Any]:
    """What the file beside this one holds for a domain and a kernel, derived anew.

    `python -m bounds.regret.maximum.quantised` writes the file.
    """
    axes = domain.axes
    assert axes is not None
    chosen = domain.spread(8 ** len(axes))
    found = _of_points(domain, kernel, chosen, STORED_CELLS)
    assert found is not None
    return {
        "domain": domain.title,
        "kernel": {"name": kernel.name, **kernel.parameters},
        "points": list(found.points),
        "cells": list(found.cells),
        "variances": found.variances.tolist(),
        "value": found.value,
    }


@lru_cache(maxsize=1)
def _stored() -> list[dict[str, Any]]:
    text = files("bounds.regret.maximum").joinpath("quantised.json").read_text(encoding="utf-8")
    return list(json.loads(text))


def _stored_for(domain: Domain, kernel: Kernel) -> dict[str, Any] | None:
    for entry in _stored():
        named = {"name": kernel.name, **kernel.parameters}
        if entry["domain"] == domain.title and entry["kernel"] == named:
            return entry
    return None


def _of_points(
    domain: Domain,
    kernel: Kernel,
    chosen: IntArray,
    most_cells: int,
    stored: Mapping[str, Any] | None = None,
) -> Quantised | None:
    """By these points; with what is stored for them if that still is on the safe side."""
    on_points = domain.restricted(kernel)
    try:
        with matrices.working_precision():
            enclosed: Any = on_points.enclosed_gram(chosen, chosen)
            gram = np.array([float(ball.mid()) for ball in enclosed.ravel()])
            radius = max(float(matrices.upward(abs(ball - ball.mid()))) for ball in enclosed.flat)
    except NoEnclosure:
        return None
    except AttributeError:  # exact entries have no midpoint
        return None
    gram = gram.reshape(len(chosen), len(chosen))
    reflections = _reflections(domain, chosen)
    values, vectors, parities = parted(gram, reflections, _middled(domain, chosen))
    # What a vector has in common at all points moves no maximum.
    worth = values * (1.0 - len(chosen) * vectors.mean(axis=0) ** 2)
    first = np.argsort(-worth, kind="stable")[:_MOST_COORDINATES]
    halves = halved(parities[:, first])
    cells = allotted(worth[first], most_cells * 2 ** len(halves), halves)
    cells = tuple(one for one in cells if one > 1)
    halves = [j for j in halves if j < len(cells)]
    first = first[: len(cells)]
    features = np.ascontiguousarray(vectors[:, first] * np.sqrt(values[first]) * _SHRINK)
    rest = gram - features @ features.T
    if not positive(rest, radius):
        return None
    if stored is not None:
        variances, apart = np.array(stored["variances"]), distances_of(rest, radius)
        first_of, second_of = np.triu_indices(len(chosen), 1)
        fits = np.all(variances[first_of] + variances[second_of] <= apart)
        if not fits or tuple(stored["cells"]) != cells:
            return None
        value = Lower(float(stored["value"]) - _OTHER_PROCESSOR)
    else:
        variances = spread_variances(rest, radius, reflections)
        value = quantised_value(features, variances, cells, halves)
    if not np.isfinite(value):
        return None
    return Quantised(value, tuple(int(x) for x in chosen), features, variances, cells)


def _middled(domain: Domain, chosen: IntArray) -> FloatArray:
    places = domain.points[chosen]
    return np.asarray(places - 0.5 * (places.max(axis=0) + places.min(axis=0)))


def _reflections(domain: Domain, chosen: IntArray) -> IntArray:
    """(a, |S|) where each reflection of an axis takes the points of the subset; those that can."""
    places = _middled(domain, chosen)
    found = []
    for axis in range(places.shape[1]):
        mirrored = places.copy()
        mirrored[:, axis] *= -1.0
        apart = np.abs(mirrored[:, None, :] - places[None, :, :]).max(axis=2)
        if np.all(apart.min(axis=1) < 1e-9):
            found.append(apart.argmin(axis=1))
    return np.array(found, dtype=np.int64).reshape(len(found), len(chosen))


def positive(matrix: FloatArray, radius: float) -> bool:
    """Whether a symmetric matrix with entries known to ± radius is certainly ⪰ 0.

    A Cholesky factor of the matrix less twice what its rounding errors can amount to.
    """
    size = len(matrix)
    slack = size * radius + 4.0 * size * (size + 2) * 2.0**-53 * float(np.trace(matrix))
    try:
        np.linalg.cholesky(matrix - slack * np.eye(size))
    except np.linalg.LinAlgError:
        return False
    return True


def distances_of(rest: FloatArray, radius: float) -> FloatArray:
    """R_xx + R_yy − 2R_xy of all pairs, rounded down."""
    first, second = np.triu_indices(len(rest), 1)
    apart = rest[first, first] + rest[second, second] - 2.0 * rest[first, second]
    return np.asarray(np.maximum(apart - 4.0 * radius - 1e-12, 0.0))


def spread_variances(rest: FloatArray, radius: float, reflections: IntArray) -> FloatArray:
    """(|S|,) v ≥ 0 of the largest sum with v_x + v_y ≤ R_xx + R_yy − 2R_xy, x ≠ y, rounded down.

    The mean over the reflections, under which the constraints do not change.
    """
    from scipy import optimize, sparse  # here: slow to import, rarely needed

    size = len(rest)
    first, second = np.triu_indices(size, 1)
    apart = distances_of(rest, radius)
    rows = np.arange(len(first))
    pairs: Any = sparse.csr_matrix(
        (np.ones(2 * len(first)), (np.tile(rows, 2), np.concatenate((first, second)))),
        shape=(len(first), size),
    )
    found = optimize.linprog(-np.ones(size), A_ub=pairs, b_ub=apart, bounds=(0, None))
    variances = np.maximum(np.asarray(found.x if found.success else np.zeros(size)), 0.0)
    for image in reflections:
        variances = 0.5 * (variances + variances[image])
    # The programme meets its constraints to its own tolerance: scale down until they hold.
    over = np.max((variances[first] + variances[second]) / np.maximum(apart, 1e-300), initial=1.0)
    return np.asarray(variances / (over * (1.0 + 1e-9)))


def allotted(values: FloatArray, most_cells: int, even: Sequence[int] = ()) -> tuple[int, ...]:
    """Numbers of cells of coordinates with these variances, their product at most `most_cells`.

    Equal variances get equal numbers; those of the coordinates `even` are even.

    >>> allotted(np.array([4.0, 1.0, 0.1]), 12, even=(0,))
    (4, 2, 1)
    """
    groups: list[list[int]] = []
    for j, value in enumerate(values):
        if groups and values[groups[-1][0]] - value < 1e-9 * values[0]:
            groups[-1].append(j)
        else:
            groups.append([j])
    counts = [1] * len(values)

    def product(numbers: list[int]) -> float:
        return float(np.prod([float(one) for one in numbers]))

    while True:
        best, gained = None, 0.0
        for group in groups:
            raised = list(counts)
            paired = any(j in even for j in group)
            for j in group:
                raised[j] += 2 if paired and counts[j] > 1 else 1
            cost = log(product(raised) / product(counts))
            if product(raised) > most_cells:
                continue
            now, then = counts[group[0]], raised[group[0]]
            gain = sum(values[j] for j in group) * (_unknown(now) - _unknown(then)) / cost
            if gain > gained:
                best, gained = raised, gain
        if best is None:
            return tuple(counts)
        counts = best


@lru_cache(maxsize=64)
def cell_means(count: int) -> tuple[FloatArray, FloatArray]:
    """(count,) probabilities and means of the cells that know a normal variable best."""
    borders = np.array([_quantile((i + 0.5) / count) for i in range(count)])
    probabilities, means = np.ones(1), np.zeros(1)
    for _ in range(300 if count > 1 else 0):
        edges = np.concatenate(([-40.0], 0.5 * (borders[1:] + borders[:-1]), [40.0]))
        edges = 0.5 * (edges - edges[::-1])
        below = np.array([0.5 * erfc(-edge / sqrt(2.0)) for edge in edges])
        density = np.exp(-0.5 * edges * edges) / sqrt(2.0 * pi)
        probabilities = np.diff(below)
        probabilities = 0.5 * (probabilities + probabilities[::-1])
        means = (density[:-1] - density[1:]) / probabilities
        means = 0.5 * (means - means[::-1])
        borders = means
    return probabilities, means


def _unknown(count: int) -> float:
    """The variance that a cell of the best `count` leaves."""
    probabilities, means = cell_means(count)
    return 1.0 - float(probabilities @ means**2)


def _quantile(level: float) -> float:
    from scipy import special

    return float(special.ndtri(level))


def quantised_value(
    features: FloatArray, variances: FloatArray, cells: tuple[int, ...], halves: list[int]
) -> Lower:
    """Σ_cells P(cell)·E max (μ_cell(x) + √v_x ζ_x), from below; of `halves` the upper cells."""
    if not cells:
        features, cells = np.zeros((len(variances), 1)), (1,)
    shape = (len(cells), max(cells))
    probabilities, means = np.zeros(shape), np.zeros(shape)
    sizes = np.array(cells, dtype=np.int64)
    for j, count in enumerate(cells):
        chances, centres = cell_means(count)
        if j in halves:
            chances, centres = 2.0 * chances[count // 2 :], centres[count // 2 :]
            sizes[j] = len(chances)
        probabilities[j, : sizes[j]], means[j, : sizes[j]] = chances, centres
    found = _sum_over_cells(features, np.sqrt(variances), probabilities, means, sizes, *_tangents())
    return Lower(float(found) - MARGIN)


def parted(
    gram: FloatArray, reflections: IntArray, places: FloatArray
) -> tuple[FloatArray, FloatArray, IntArray]:
    """(values, vectors, parities): eigenvectors of `gram` that each reflection keeps or negates.

    `reflections` (a, |S|) are maps of the points that keep `gram`, `places` (|S|, d) the points
    from the middle; they settle the choice in eigenspaces of several dimensions. `parities`
    (a, |S|) is −1 where a reflection changes the sign of a vector, 1 where it does not, 0 where
    neither holds.
    """
    size = len(gram)
    values, vectors = np.linalg.eigh(gram)
    values, vectors = values[::-1].copy(), np.ascontiguousarray(vectors[:, ::-1])
    parting = np.diag((places**2) @ np.linspace(0.1, -0.1, places.shape[1]))
    for weight, image in zip((1.0, 2.7, 7.1), reflections, strict=False):
        parting = parting + weight * np.eye(size)[image]
    start = 0
    for end in range(1, size + 1):
        if end == size or values[start] - values[end] > 1e-9 * values[0]:
            part = vectors[:, start:end]
            vectors[:, start:end] = part @ np.linalg.eigh(part.T @ parting @ part)[1]
            start = end
    parities: IntArray = np.zeros((len(reflections), size), dtype=np.int64)
    for i, image in enumerate(reflections):
        for sign in (1, -1):
            off = np.abs(vectors[image] - sign * vectors).max(axis=0)
            parities[i, off < 1e-6] = sign
    return values, vectors, parities


def halved(parities: IntArray) -> list[int]:
    """Coordinates of which half the cells are enough: for each reflection one that it negates.

    `parities` (a, J) as of `parted`. A reflection maps cells to cells of the same value; of a
    coordinate that it negates, and no other reflection does, with an even number of cells, the
    upper half will do.
    """
    found = []
    for row in parities:
        alone = (row == -1) & (np.sum(parities == -1, axis=0) == 1)
        if np.all(row != 0) and alone.any():
            found.append(int(np.argmax(alone)))
    return found


@njit(cache=True)
def _sum_over_cells(
    features: FloatArray,
    deviations: FloatArray,
    probabilities: FloatArray,
    means: FloatArray,
    sizes: IntArray,
    logs: FloatArray,
    slopes: FloatArray,
) -> float:  # pragma: no cover
    """The sum over all cells, the coordinates counted like the digits of a number."""
    count, points = len(sizes), len(deviations)
    near = np.empty(points, dtype=np.int64)
    digits = np.zeros(count, dtype=np.int64)
    centre = np.empty(points)
    total = 0.0
    while True:
        chance = 1.0
        for j in range(count):
            chance *= probabilities[j, digits[j]]
        for x in range(points):
            value = 0.0
            for j in range(count):
                value += features[x, j] * means[j, digits[j]]
            centre[x] = value
        total += chance * _expected_largest(centre, deviations, logs, slopes, near)
        place = count - 1
        while place >= 0:
            digits[place] += 1
            if digits[place] < sizes[place]:
                break
            digits[place] = 0
            place -= 1
        if place < 0:
            return total


_CELLS_A_UNIT, _LOWEST, _HIGHEST = 1024, -30.0, 7.0


@lru_cache(maxsize=1)
def _tangents() -> tuple[FloatArray, FloatArray]:
    """log Φ and its slope at knots: by concavity the tangents lie above log Φ everywhere."""
    from scipy import special

    z = np.arange(_LOWEST, _HIGHEST, 1.0 / _CELLS_A_UNIT)
    logs = special.log_ndtr(z)
    slopes = np.exp(-0.5 * z * z - 0.5 * log(2.0 * pi) - logs)
    return logs + 1e-14 * (1.0 + np.abs(logs)), slopes


@njit(cache=True)
def _expected_largest(
    centre: FloatArray,
    deviations: FloatArray,
    logs: FloatArray,
    slopes: FloatArray,
    near: IntArray,
) -> float:  # pragma: no cover
    """A lower bound on E max (μ_x + s_x ζ_x), ζ independent standard normals."""
    points = len(centre)
    top, wide = -np.inf, 0.0
    for x in range(points):
        if centre[x] + deviations[x] > top:
            top, wide = centre[x] + deviations[x], deviations[x]
    # Those far below are left out: a factor is at most 1.
    few = 0
    for x in range(points):
        if deviations[x] > 1e-6 and centre[x] + 3.0 * deviations[x] > top - wide:
            near[few] = x
            few += 1
    if few == 0 or wide < 1e-6:  # max E ≤ E max
        best: float = centre[0]
        for x in range(points):
            best = max(best, centre[x])
        return best
    low, high = top - 4.0 * wide, top + 3.5 * wide
    steps = int(np.ceil((high - low) / wide * _STEPS))
    h = (high - low) / steps
    # The tail on the left: the least of ∫ Φ over the points.
    below = np.inf
    for i in range(few):
        s = deviations[near[i]]
        z = (low - centre[near[i]]) / s
        tail = z * 0.5 * erfc(-z / sqrt(2.0)) + exp(-0.5 * z * z) / sqrt(2.0 * pi)
        below = min(below, s * max(tail, 0.0) + 1e-15)
    last = len(logs) - 1
    for k in range(steps):
        t = low + (k + 0.5) * h
        value, slope = 0.0, 0.0
        for i in range(few):
            x = near[i]
            z = (t - centre[x]) / deviations[x]
            if z < _HIGHEST - 0.01:
                # Any tangent will do; the nearest is the closest.
                knot = min(max(int((z - _LOWEST) * _CELLS_A_UNIT + 0.5), 0), last)
                value += logs[knot] + slopes[knot] * (z - _LOWEST - knot / _CELLS_A_UNIT)
                slope += slopes[knot] / deviations[x]
        half = 0.5 * slope * h
        below += h * exp(value) * (sinh(half) / half if half > 1e-6 else 1.0 + 1e-12)
    # Jensen: E max ≥ max E.
    for x in range(points):
        below = min(below, high - centre[x])
    return high - below


if __name__ == "__main__":
    from bounds.domain import Grid
    from bounds.kernels import SquaredExponential

    entries = [store(Grid(2, 1.0, 50), SquaredExponential(0.2))]
    target = Path(__file__).with_name("quantised.json")
    target.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
