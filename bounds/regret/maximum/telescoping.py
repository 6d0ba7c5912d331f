"""Ordered telescoping: an upper bound on E max of a Gaussian process on a finite set.

For integrable f_1..f_N, any order, any sets pred(k) of earlier indices and any constant c,

    E max f ≤ c + Σ_k E(f_k − max(c, max_{pred(k)} f))₊

(docs/theory.md#telescoping). Proof: N_0 = c, N_k = max(N_{k−1}, f_k) has N_k − N_{k−1} = (f_k −
N_{k−1})₊, and N_{k−1} ≥ max(c, max_{pred(k)} f); N_N ≥ max f. Without the leading c the sum bounds
E(max f − c)₊.

The order goes from coarse to fine, so that most points lie between two earlier ones a and b. With
S = f_k − (f_a + f_b)/2 and D = f_a − f_b the increment is E min(S − |D|/2, f_k − c)₊: two points
that are close and equal leave little room for a third above both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special
from scipy.spatial import cKDTree

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Domain
from bounds.kernels import Kernel
from bounds.numerics.least import least_between
from bounds.regret.maximum.increments import Predecessors, Telescope, predecessors

NEIGHBOURS = 6
"""Earlier points next to each point, among whose pairs the two predecessors are chosen."""

_SEARCHED = 48  # nearest points among which the earlier ones are sought first

_MOST_STEPS = 12
_LONGEST_STEP = 0.5  # of the first step in c, in the largest deviation
_COARSE_POINTS = (30, 200)  # after so many points a sum that is too large is given up
_NEAR = 0.03  # error of c, in units of the excess: it costs some 1e-3 of the excess


@dataclass(frozen=True)
class MaximumBound:
    """E max f ≤ value, an upper bound; floating point, not certified.

    value = level + w·excess, w = 1 unless another weight ≥ 1 was asked for;
    E(max f − level)₊ ≤ excess; slope is the derivative of value in level. For the limit
    c → −∞ they are −inf, inf and 0.
    """

    value: float
    level: float
    excess: float
    slope: float
    certified: bool = False


def telescope(
    domain: Domain, kernel: Kernel, extra: FloatArray | None = None, *, most: int = NEIGHBOURS
) -> Telescope:
    """The coarse-to-fine order of a domain, with `extra` (m, d) points behind it.

    O(N K² + N log N), and what `Domain.coarse_to_fine` costs.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> telescope(Grid(1, 1.0, 5), SquaredExponential(0.2)).rank
    array([0, 3, 2, 4, 1])
    """
    if extra is not None:
        return _telescope(domain, kernel, extra, most)
    try:
        return _of_domain(domain, kernel, most)
    except TypeError:  # a domain or kernel of one's own that has no hash
        return _telescope(domain, kernel, None, most)


@lru_cache(maxsize=1)
def _of_domain(domain: Domain, kernel: Kernel, most: int) -> Telescope:
    """The same order serves all bounds on m*."""
    return _telescope(domain, kernel, None, most)


def _telescope(domain: Domain, kernel: Kernel, extra: FloatArray | None, most: int) -> Telescope:
    raw = domain.coarse_to_fine()
    points = domain.points
    if extra is not None and len(extra):
        points = np.concatenate([points, extra])
        raw = np.concatenate([raw, int(raw.max()) + 1 + np.arange(len(extra))])
    order = np.argsort(raw, kind="stable")
    rank = np.empty(len(raw), dtype=np.int64)
    rank[order] = np.arange(len(raw))
    neighbours = _earlier_neighbours(points, order, rank, most)
    return _with_covariances(rank, neighbours, points, domain.space_kernel(kernel))


def _earlier_neighbours(points: FloatArray, order: IntArray, rank: IntArray, most: int) -> IntArray:
    """(N, K) the nearest points of smaller rank."""
    neighbours = np.full((len(points), most), -1, dtype=np.int64)
    near = cKDTree(points).query(points, k=min(_SEARCHED, len(points)))[1].reshape(len(points), -1)
    earlier = rank[near] < rank[:, None]
    for point in order[1:]:
        nearest = near[point][earlier[point]][:most]
        if len(nearest) < most:  # a coarse point, whose earlier neighbours are far away
            before = order[: rank[point]]
            gaps = np.sum((points[before] - points[point]) ** 2, axis=1)
            nearest = before[np.argsort(gaps, kind="stable")[:most]]
        neighbours[point, : len(nearest)] = nearest
    return neighbours


def _with_covariances(
    rank: IntArray, neighbours: IntArray, points: FloatArray, kernel: Kernel
) -> Telescope:
    near = points[np.maximum(neighbours, 0)]
    own = kernel.at_distance(np.sqrt(np.sum((near - points[:, None, :]) ** 2, axis=2)))
    count = neighbours.shape[1]
    mutual = np.empty((len(points), count, count))
    for j in range(count):
        gaps = near - near[:, j : j + 1, :]
        mutual[:, j, :] = kernel.at_distance(np.sqrt(np.sum(gaps**2, axis=2)))
    return Telescope(rank, neighbours, own, mutual)


def maximum_bound(
    order: Telescope,
    mean: FloatArray,
    explained: FloatArray,
    level: float | None = None,
    *,
    weight: float = 1.0,
) -> MaximumBound:
    """E max f ≤ c + Σ_k E(f_k − max(c, f_a, f_b))₊ with c near its best value.

    The sum is smooth in c but may have several valleys; the one next to the first guess is
    searched. With w = 1 its limit for c → −∞ is tried as well, E f_1 + Σ_{k>1} E(f_k − max(f_a,
    f_b))₊: it is the better one where f is smooth.

    Parameters
    ----------
    order : Telescope of N points of unit prior variance
    mean : (N,) E f
    explained : (N, i) rows v_x with Cov(f_x, f_y) = k(x, y) − v_x·v_y; i = 0 for the prior
    level : a first guess for c; any value gives a bound
    weight : w ≥ 1; c is chosen to make c + w·excess small, of which `value` is then the least

    O(N'(i + 200)) for the N' points that may exceed c, some 0.2 s for 2,500 points of the prior and
    20 ms for a posterior.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> order = telescope(Grid(1, 1.0, 2), SquaredExponential(0.01))
    >>> bound = maximum_bound(order, np.zeros(2), np.zeros((2, 0)))
    >>> bound.value >= 0.5641  # E max of two independent normals is 1/√π
    True
    """
    if order.size == 1:  # c → −∞: E max f = E f
        return _alone(float(mean[0]), explained, weight)
    deviation, bottom = _spread(mean, explained)
    best = _first_level(mean, explained)
    # The predecessors of a first guess lead to c, and those of c to the bound; a guess that is
    # near, such as the c of the round before, has them already.
    passes, looks = 2, 12
    if level is not None and abs(level - best) <= deviation:
        best, passes, looks = level, 1, 6
    for _ in range(passes):
        chosen = predecessors(order, mean, explained, best)
        best = _best_level(chosen, best, weight, deviation, bottom, looks)
    bound = _at_level(chosen, best, weight)
    if weight == 1.0:
        total = _below_all(order, mean, explained, bottom, bound.value - bottom)
        if bottom + total < bound.value:
            bound = MaximumBound(bottom + total, float("-inf"), float("inf"), 0.0)
    return bound


def _below_all(
    order: Telescope, mean: FloatArray, explained: FloatArray, level: float, enough: float
) -> float:
    """The sum at a level below all points; in part, once it has come to `enough`."""
    total, by_rank = 0.0, np.argsort(order.rank)
    for among in np.split(by_rank, [n for n in _COARSE_POINTS if n < order.size]):
        total += predecessors(order, mean, explained, level, among).increments(level)[0]
        if total >= enough:
            break
    return total


def _at_level(chosen: Predecessors, level: float, weight: float) -> MaximumBound:
    total, falls = chosen.increments(level)
    return MaximumBound(level + weight * total, level, total, 1.0 - weight * falls)


def _best_level(
    chosen: Predecessors, c: float, weight: float, deviation: float, bottom: float, looks: int
) -> float:
    """The bottom of the valley around c of the rough bound, whose values tell more than slopes.

    After `looks` values within the bracket the search ends.
    """
    total, falls = chosen.roughly(c)
    # Newton on log(w·falls) = 0: falls, and with it the excess, is nearly exponential in c.
    rate = max(falls / total, 0.5 / deviation) if total > 0 else 1.0 / deviation
    step = float(np.log(max(weight * falls, 1e-6))) / rate
    size = min(max(abs(step), 0.1 / rate), _LONGEST_STEP * deviation)
    step = size if step > 0 else -size

    def value(level: float) -> float:
        return level + weight * chosen.roughly(level)[0]

    behind, here, reached, tried = c, c + step, c + weight * total, value(c + step)
    if tried > reached:  # downhill is the other way
        behind, here, step, tried = here, behind, -step, reached
    for _ in range(_MOST_STEPS):
        step *= 2.0
        ahead = max(here + step, bottom)
        further = value(ahead)
        if further >= tried or ahead <= bottom:
            break
        behind, here, tried = here, ahead, further
    ends = min(behind, ahead), max(behind, ahead)
    x, least = least_between(value, *ends, _NEAR / rate, looks)
    return x if least < tried else here


def _alone(mean: float, explained: FloatArray, weight: float) -> MaximumBound:
    """One point: min over c of c + w·E(f − c)₊, at P(f > c) = 1/w; the mean for w = 1."""
    if weight <= 1.0:
        return MaximumBound(mean, float("-inf"), float("inf"), 0.0)
    deviation = float(np.sqrt(max(1.0 - explained[0] @ explained[0], 0.0)))
    z = float(special.ndtri(1.0 - 1.0 / weight))
    excess = deviation * (float(np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)) - z / weight)
    level = mean + z * deviation
    return MaximumBound(level + weight * excess, level, excess, 0.0)


def level_with_excess(
    order: Telescope,
    mean: FloatArray,
    explained: FloatArray,
    excess: float,
    level: float | None = None,
) -> MaximumBound:
    """A small c with Σ_k E(f_k − max(c, f_a, f_b))₊ ≤ `excess`, hence E(max f − c)₊ ≤ `excess`.

    Parameters as for `maximum_bound`; `excess` > 0.

    Raises InvalidInput for an excess that is not positive.
    """
    _require_positive(excess)
    c = _first_level(mean, explained) + 1.0 if level is None else level
    chosen = predecessors(order, mean, explained, c)
    low, high = -np.inf, np.inf  # Σ > excess at low, ≤ excess at high
    bound: MaximumBound | None = None
    for _ in range(60):
        total, falls = chosen.increments(c)
        if total <= excess:
            high, bound = c, MaximumBound(c + total, c, total, 1.0 - falls)
            if total >= 0.9 * excess:
                break
        else:
            low = c
        # Newton on the logarithm of the sum, which is close to a straight line.
        slope = falls / total if total > 0 else 1.0
        step = np.log(max(total, 1e-300) / (0.95 * excess)) / max(slope, 0.2)
        c += float(np.clip(step, -1.0, 1.0))
        if not low < c < high:
            c = 0.5 * (low + high)
        if high - low < 1e-6:
            break
    if bound is None:  # nothing but a fallback: far above every point the sum is 0
        c = float(np.max(mean)) + 40.0
        bound = MaximumBound(c, c, 0.0, 1.0)
    return bound


def expected_maximum_upper(domain: Domain, kernel: Kernel) -> float:
    """An upper bound on m* = E max_x g(x), g ~ GP(0, k) over the domain."""
    order = telescope(domain, kernel)
    size = order.size
    return max(maximum_bound(order, np.zeros(size), np.zeros((size, 0))).value, 0.0)


def _first_level(mean: FloatArray, explained: FloatArray) -> float:
    return float(np.max(mean + _deviations(explained)))


def _spread(mean: FloatArray, explained: FloatArray) -> tuple[float, float]:
    """The largest deviation, and a c that every point exceeds."""
    deviations = _deviations(explained)
    return float(max(np.max(deviations), 1e-9)), float(np.min(mean - 9.0 * deviations)) - 1e-9


def _deviations(explained: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.maximum(1.0 - np.einsum("xi,xi->x", explained, explained), 0.0)))


def _require_positive(excess: float) -> None:
    from bounds.errors import InvalidInput

    if not excess > 0:
        raise InvalidInput("excess", excess, "give a positive number")
