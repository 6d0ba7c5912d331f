"""m* from below without simulation: a quantised leading part, independent values for the rest.

Let K_S be the covariance of g ~ GP(0, k_space) on a subset S of the domain, and U a matrix with
R = K_S − UUᵀ ⪰ 0, so that g = Uc + ρ with independent standard normals c and ρ ~ N(0, R). Each
coordinate of c is replaced by its mean on the cell of a partition of the line in which it lies,
which lowers E max (Jensen, given everything else), and ρ by independent values of variances v_x
with v_x + v_y ≤ Var(ρ_x − ρ_y), which lowers it too (Sudakov and Fernique, Vitale's form for equal
means):

    m* ≥ Σ_cells P(cell)·E max_{x in S} (μ_cell(x) + √v_x ζ_x).

The sum is `cells.quantised_value`, doubles with derived errors. U and v are exact numbers; that
R ⪰ 0 and that v fits are proved from balls around K_S by enclosed residuals. Of a square grid two
reflections map cells to cells of the same value: one of four is evaluated, and what the reflected
columns of U differ by is taken off. See docs/theory.md#lemma-q.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Domain
from bounds.enclosure import Lower, matrices
from bounds.enclosure.doubles import Doubles, require_doubles, sum_up
from bounds.errors import NoEnclosure
from bounds.kernels import Kernel

MOST_CELLS = 3_000
"""Cells that are evaluated, a tenth of a second; those of one orbit count once."""

STORED_CELLS = 2_000_000
"""Cells of the stored values; `store` derives them again, in half a minute."""

_SHRINK = 1.0 - 1e-6
_MOST_COORDINATES = 12
_MOST_POINTS = 64
_GAP = 0.8  # spacing over the length at which k = e^(−1/2): wider subsets gain less


@dataclass(frozen=True)
class Quantised:
    """m* ≥ value by a quantised subset, and what another program needs to find it again.

    Attributes
    ----------
    value : a `Lower`
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
    >>> bound = quantised_maximum(Grid(1, 1.0, 20), SquaredExponential(0.2), most_cells=500)
    >>> 0.9 < bound.value < 1.13  # m* = 1.12 on a fine grid
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
    bound = None if stored is None else _of_stored(domain, kernel, stored)
    if bound is not None:
        return bound
    chosen = domain.spread(per_axis ** len(axes))
    return None if len(chosen) < 3 else _of_points(domain, kernel, chosen, most_cells)


def store(domain: Domain, kernel: Kernel) -> dict[str, Any]:
    """What the file beside this one holds for a domain and a kernel, derived anew.

    `python -m bounds.regret.maximum.quantised` writes the file.
    """
    axes = domain.axes
    assert axes is not None
    chosen = domain.spread(8 ** len(axes))
    bound = _of_points(domain, kernel, chosen, STORED_CELLS)
    assert bound is not None
    return {
        "domain": domain.title,
        "kernel": {"name": kernel.name, **kernel.parameters},
        "points": list(bound.points),
        "cells": list(bound.cells),
        "variances": bound.variances.tolist(),
        "features": bound.features.tolist(),
        "value": bound.value,
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


def _of_stored(domain: Domain, kernel: Kernel, stored: Mapping[str, Any]) -> Quantised | None:
    """What is stored, where its features and variances are proved to fit the kernel here.

    The value depends on them and the cells alone; `python -m bounds.regret.maximum.quantised`
    and, with other code, `ctv verify FILE` derive it again.
    """
    chosen = np.array(stored["points"], dtype=np.int64)
    features, variances = np.array(stored["features"]), np.array(stored["variances"])
    gram = _enclosed(domain, kernel, chosen)
    if gram is None:
        return None
    rest = remainder(gram, features)
    if not (fits(rest, variances) and positive(rest)):
        return None
    points = tuple(int(x) for x in chosen)
    return Quantised(
        Lower(float(stored["value"])), points, features, variances, tuple(stored["cells"])
    )


def _enclosed(domain: Domain, kernel: Kernel, chosen: IntArray) -> Doubles | None:
    """K on the points, in intervals; None for a kernel without balls."""
    require_doubles()
    try:
        with matrices.working_precision():
            return Doubles.of_balls(domain.restricted(kernel).enclosed_gram(chosen, chosen))
    except NoEnclosure:
        return None


def _of_points(
    domain: Domain, kernel: Kernel, chosen: IntArray, most_cells: int
) -> Quantised | None:
    enclosed = _enclosed(domain, kernel, chosen)
    if enclosed is None:
        return None
    gram = enclosed.mid
    reflections = _reflections(domain, chosen)
    values, vectors, parities = parted(gram, reflections, _middled(domain, chosen))
    # What a vector has in common at all points moves no maximum.
    worth = values * (1.0 - len(chosen) * vectors.mean(axis=0) ** 2)
    first = np.argsort(-worth, kind="stable")[:_MOST_COORDINATES]
    used = halved(parities[:, first])
    from bounds.regret.maximum.cells import cell_means, quantised_value

    cells = allotted(worth[first], most_cells * 2 ** len(used), list(used.values()))
    cells = tuple(count for count in cells if count > 1)
    first = first[: len(cells)]
    features = np.ascontiguousarray(vectors[:, first] * np.sqrt(values[first]) * _SHRINK)
    rest = remainder(enclosed, features)
    if not positive(rest):
        return None
    variances = spread_variances(rest, reflections)
    sides = parities[:, first]
    used = {
        i: j
        for i, j in used.items()
        if j < len(cells) and np.array_equal(variances[reflections[i]], variances)
    }
    furthest = np.array([float(np.max(np.abs(cell_means(count)[1].mid))) for count in cells])
    differ = [np.abs(features[reflections[i]] - sides[i] * features) @ furthest for i in used]
    asymmetry = 1.01 * float(sum(np.max(difference, initial=0.0) for difference in differ))
    value = quantised_value(features, variances, cells, list(used.values()), asymmetry)
    if not np.isfinite(value):
        return None
    return Quantised(value, tuple(int(x) for x in chosen), features, variances, cells)


def _middled(domain: Domain, chosen: IntArray) -> FloatArray:
    places = domain.points[chosen]
    return np.asarray(places - 0.5 * (places.max(axis=0) + places.min(axis=0)))


def _reflections(domain: Domain, chosen: IntArray) -> IntArray:
    """(a, |S|) where each reflection of an axis takes the points of the subset; those that can."""
    places = _middled(domain, chosen)
    images = []
    for axis in range(places.shape[1]):
        mirrored = places.copy()
        mirrored[:, axis] *= -1.0
        apart = np.abs(mirrored[:, None, :] - places[None, :, :]).max(axis=2)
        if np.all(apart.min(axis=1) < 1e-9):
            images.append(apart.argmin(axis=1))
    return np.array(images, dtype=np.int64).reshape(len(images), len(chosen))


def remainder(gram: Doubles, features: FloatArray) -> Doubles:
    """K − UUᵀ in intervals, U exact."""
    exact = Doubles.exact(features)
    return gram - exact @ exact.T


def positive(rest: Doubles) -> bool:
    """Whether all symmetric matrices within the intervals are ⪰ 0, by a residual.

    With a triangular L in doubles R = LLᵀ + δI + E, so that R ⪰ 0 where ‖E‖ ≤ δ; the largest row
    sum of |E| bounds ‖E‖. Nothing is asked of the accuracy of L.
    """
    size = len(rest.mid)
    largest = float(np.max(np.abs(np.diagonal(rest.mid)), initial=0.0))
    for delta in (2.0**-46 * size * largest, 2.0**-40 * size * largest):
        shift = Doubles.exact(delta * np.eye(size))
        try:
            L = Doubles.exact(np.tril(np.linalg.cholesky(rest.mid - shift.mid)))
        except np.linalg.LinAlgError:
            continue
        error = (rest - shift - L @ L.T).magnitudes()
        if float(sum_up(error, axis=1).max()) <= delta:
            return True
    return False


def distances_of(rest: Doubles) -> FloatArray:
    """R_xx + R_yy − 2R_xy of all pairs, rounded down, at least 0."""
    first, second = np.triu_indices(len(rest.mid), 1)
    apart = rest[first, first] + rest[second, second] - rest[first, second].scaled(2.0)
    return np.maximum(apart.lower(), 0.0)


def fits(rest: Doubles, variances: FloatArray) -> bool:
    """Whether v ≥ 0 and v_x + v_y is certainly at most R_xx + R_yy − 2R_xy for all pairs."""
    first, second = np.triu_indices(len(variances), 1)
    sums = (variances[first] + variances[second]) * (1.0 + 2.0**-51)
    return bool(np.all(variances >= 0.0) and np.all(sums <= distances_of(rest)))


def spread_variances(rest: Doubles, reflections: IntArray) -> FloatArray:
    """(|S|,) v ≥ 0 of the largest sum with v_x + v_y ≤ R_xx + R_yy − 2R_xy, x ≠ y, rounded down.

    The mean over the reflections, under which the constraints do not change.
    """
    from scipy import optimize, sparse  # here: slow to import, rarely needed

    size = len(rest.mid)
    first, second = np.triu_indices(size, 1)
    apart = distances_of(rest)
    rows = np.arange(len(first))
    pairs: Any = sparse.csr_matrix(
        (np.ones(2 * len(first)), (np.tile(rows, 2), np.concatenate((first, second)))),
        shape=(len(first), size),
    )
    solution = optimize.linprog(-np.ones(size), A_ub=pairs, b_ub=apart, bounds=(0, None))
    variances = np.maximum(np.asarray(solution.x if solution.success else np.zeros(size)), 0.0)
    for image in reflections:
        variances = 0.5 * (variances + variances[image])
    # The programme meets its constraints to its own tolerance: scale down until they hold.
    over = np.max((variances[first] + variances[second]) / np.maximum(apart, 1e-300), initial=1.0)
    variances = np.asarray(variances / (over * (1.0 + 1e-9)))
    return variances if fits(rest, variances) else np.zeros(size)


def allotted(values: FloatArray, most_cells: int, even: Sequence[int] = ()) -> tuple[int, ...]:
    """Numbers of cells of coordinates with these variances, their product at most `most_cells`.

    Equal variances get equal numbers; those of the coordinates `even` are even.

    >>> allotted(np.array([4.0, 1.0, 0.1]), 12, even=(0,))
    (6, 2, 1)
    """
    groups: list[list[int]] = []
    for j, value in enumerate(values):
        if groups and values[groups[-1][0]] - value < 1e-9 * values[0]:
            groups[-1].append(j)
        else:
            groups.append([j])
    counts = [1] * len(values)

    def product(numbers: list[int]) -> float:
        return float(np.prod([float(number) for number in numbers]))

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


def _unknown(count: int) -> float:
    """The variance that a cell of the best `count` leaves, about."""
    from bounds.regret.maximum.cells import cell_means

    chances, means = cell_means(count)
    return 1.0 - float(chances.mid @ means.mid**2)


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


def halved(parities: IntArray) -> dict[int, int]:
    """Reflections and for each a coordinate of which half the cells are enough.

    `parities` (a, J) as of `parted`. A reflection maps cells to cells of the same value; of a
    coordinate that it negates, and no other reflection does, with an even number of cells, the
    upper half will do.
    """
    halves = {}
    for i, row in enumerate(parities):
        alone = (row == -1) & (np.sum(parities == -1, axis=0) == 1)
        if np.all(row != 0) and alone.any():
            halves[i] = int(np.argmax(alone))
    return halves


if __name__ == "__main__":
    from bounds.domain import Grid
    from bounds.kernels import SquaredExponential

    entries = [store(Grid(2, 1.0, 50), SquaredExponential(0.2))]
    target = Path(__file__).with_name("quantised.json")
    target.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
