"""The increments of ordered telescoping, E(f_k − max(c, f_a, f_b))₊ for normal f_k, f_a, f_b.

With S = f_k − (f_a + f_b)/2 and D = f_a − f_b it is E min(S − |D|/2, f_k − c)₊. Given f_k and D, S
is normal and the expectation is w[g(x) − g(x − C/w)], g(x) = xΦ(x) + ϕ(x), with w the deviation
of S, wx its mean less |D|/2 and C = f_k − c; the other two are integrated by Gauss–Legendre rules.
Where f_a or f_b is above c for certain, c plays no part: the increment is at most E(S − |D|/2)₊,
an integral over D alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import erfc, exp, pi, sqrt

import numpy as np
from scipy import special

from bounds.arrays import BoolArray, FloatArray, IntArray
from bounds.numerics.compiled import compiled
from bounds.regret.maximum.telescope import Telescope

Rule = tuple[float, FloatArray, FloatArray, FloatArray, FloatArray]

_ROOT_TWO_PI = sqrt(2.0 * pi)
_END, _CELLS = 9, 64  # g and Φ are tabulated on [−9, 9], in cells of 1/64
_GRID = np.linspace(-_END, _END, 2 * _END * _CELLS + 1)
_PHI = special.ndtr(_GRID)
_TABLE = np.column_stack([_GRID * _PHI + np.exp(-0.5 * _GRID**2) / _ROOT_TWO_PI, _PHI])
_CUBIC = (  # by powers of the place in a cell, as in `_tabulated`
    _TABLE[:-1, 0].copy(),
    _TABLE[:-1, 1] / _CELLS,
    3.0 * np.diff(_TABLE[:, 0]) - (2.0 * _TABLE[:-1, 1] + _TABLE[1:, 1]) / _CELLS,
    -2.0 * np.diff(_TABLE[:, 0]) + (_TABLE[:-1, 1] + _TABLE[1:, 1]) / _CELLS,
)
_FAR_APART = 1e-3
_NEGLIGIBLE = 1e-6  # E(f_k − c)₊ below which it is taken itself, without predecessors


def _rule(reach: float, level_nodes: int, nodes: int) -> Rule:
    """The reach, and nodes and weights of Gauss–Legendre on [0, 1] for f_k and for D."""
    x, v = np.polynomial.legendre.leggauss(level_nodes)
    y, w = np.polynomial.legendre.leggauss(nodes)
    return reach, 0.5 * (x + 1.0), 0.5 * v, 0.5 * (y + 1.0), 0.5 * w


# Standard deviations over which is integrated, and nodes for f_k and for D. An increment is
# integrated by these in turn until three agree (two do by chance), and the larger of their two
# differences is added to it. The rough and the coarse rule only compare levels and predecessors.
_RULES = tuple(_rule(7.0, nodes + 1, nodes) for nodes in (4, 6, 9, 14, 24, 40, 72))
_AGREE, _ENOUGH = 2e-3, 2e-6  # of the increment; and in units of f, if that is more
_ENOUGH_ALONE = 1e-9  # the same where D alone is integrated, which is cheap
_SURE = 6.0  # deviations by which f_a has to be above c for c to be left out; G(6) < 2e-10
_ROUGH = _rule(4.0, 5, 4)
_COARSE = _rule(3.0, 2, 3)


@dataclass(frozen=True, eq=False)
class Predecessors:
    """Points, N of them, with their two predecessors a and b.

    Attributes
    ----------
    moments : (N, 9) means of f_k, f_a, f_b; their variances; covariances of ka, kb, ab
    pairs : (N, 2) a and b, −1 where there are none: then the point counts with E(f_k − c)₊
    """

    moments: FloatArray
    pairs: IntArray

    def increments(self, level: float) -> tuple[float, float]:
        """Σ_k E(f_k − max(c, f_a, f_b))₊ and Σ_k P(f_a, f_b < c < f_k), −1 times its derivative.

        A point for which E(f_k − c)₊ is negligible or smaller counts with that. The first has the
        error of its quadrature, estimated from three rules, added: it is meant as an upper bound in
        floating point, of which rounding takes up to some 1e-8 a point. Of 1,500 random triples the
        worst was 3e-5 below dense quadrature; sums over posteriors were above it everywhere. The
        second is a guide to the level and good to a few percent.
        """
        return self._total(float(level), _RULES)

    def roughly(self, level: float) -> tuple[float, float]:
        """The same within a few percent at a tenth of the cost: to look for a good level."""
        return self._total(float(level), (_ROUGH,))

    @cached_property
    def _different(self) -> tuple[FloatArray, FloatArray]:
        """Moments, and whether there are predecessors, that differ, and how often each occurs."""
        follows = self.pairs[:, :1] >= 0
        rows = np.concatenate((self.moments, follows), axis=1, dtype=np.float64)
        first, inverse = _same_rows(_rounded(rows))
        return np.asarray(rows[first], dtype=np.float64), np.bincount(inverse).astype(np.float64)

    def _total(self, c: float, rules: tuple[Rule, ...]) -> tuple[float, float]:
        """`_summed`, by numpy for the points that differ, where they are few."""
        different, counts = self._different
        if len(different) > LARGEST_WHOLE:
            value, fall = _summed(self.moments, self.pairs[:, 0] >= 0, c, rules)
            return float(value), float(fall)
        return _whole_sum(different, counts, c, rules)


def predecessors(
    order: Telescope,
    mean: FloatArray,
    explained: FloatArray,
    level: float,
    among: IntArray | None = None,
) -> Predecessors:
    """For each point the pair of its earlier neighbours that a coarse rule likes best.

    Any choice gives a bound; this one is meant for increments at `level`. Points that hardly
    exceed it get none. `among` are the points that are wanted, by default all.
    """
    wanted = np.arange(order.size) if among is None else among
    if len(wanted) <= LARGEST_WHOLE and explained.shape[1] == 0:
        return _all_chosen(order, np.asarray(mean, dtype=np.float64), wanted, float(level))
    moments, pairs = _chosen(
        np.ascontiguousarray(mean, dtype=np.float64),
        np.ascontiguousarray(explained, dtype=np.float64),
        order.neighbours,
        order.own,
        order.mutual,
        wanted,
        float(level),
        *_COARSE,
    )
    return Predecessors(moments, pairs)


def _rounded(moments: FloatArray) -> FloatArray:
    """Moments of a prior to 13 places, so that equal triples of a grid are the same.

    They stay as they are where that could be more than 1e-10 of what differs between two points.
    """
    apart = 1.0 - moments[:, 6:9]
    if np.all(moments[:, 3:6] == 1.0) and np.all((apart == 0.0) | (apart >= _FAR_APART)):
        return np.asarray(moments.round(13))
    return moments


def _same_rows(rows: FloatArray) -> tuple[IntArray, IntArray]:
    """One row of each kind, and which kind each row is; `numpy.unique` of rows takes ten times."""
    keys = np.asarray(rows, dtype=np.float64) @ np.sqrt(np.arange(2.0, rows.shape[1] + 2.0))
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    inverse = inverse.ravel()
    if not np.array_equal(rows[first[inverse]], rows):
        _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, inverse.ravel()


def _all_chosen(order: Telescope, mean: FloatArray, among: IntArray, c: float) -> Predecessors:
    """`_chosen` for the prior, whose covariances are those of the order; equal triples once."""
    N, K = len(among), order.neighbours.shape[1]
    moments, pairs = np.zeros((N, 9)), np.full((N, 2), -1, dtype=np.int64)
    moments[:, 0], moments[:, 3] = mean[among], 1.0
    near, own, mutual = order.neighbours[among], order.own[among], order.mutual[among]
    x = mean[among] - c
    gain = x * special.ndtr(x) + np.exp(-0.5 * x * x) / _ROOT_TWO_PI
    gain = np.where(x < -_END, 0.0, np.where(x > _END, x, gain))
    counted = (gain >= _NEGLIGIBLE) & (near[:, 0] >= 0)
    first, second = np.triu_indices(K)
    valid = counted[:, None] & (near[:, first] >= 0) & (near[:, second] >= 0)
    single = (near >= 0).sum(axis=1) == 1
    valid &= (first != second) | single[:, None]  # one predecessor counts as two equal ones
    point, pair = np.nonzero(valid)
    if not len(point):
        return Predecessors(moments, pairs)
    p, q = first[pair], second[pair]
    m = np.empty((len(point), 9))
    m[:, 0], m[:, 3:6] = moments[point, 0], 1.0
    m[:, 1], m[:, 2] = mean[near[point, p]], mean[near[point, q]]
    m[:, 4], m[:, 5] = mutual[point, p, p], mutual[point, q, q]
    m[:, 6], m[:, 7], m[:, 8] = own[point, p], own[point, q], mutual[point, p, q]
    first, inverse = _same_rows(_rounded(m))
    guess = _pairs(m[first], c, *_COARSE)[0][inverse]
    starts = np.flatnonzero(np.diff(point, prepend=-1))
    least = np.repeat(np.minimum.reduceat(guess, starts), np.diff(starts, append=len(point)))
    attained = np.flatnonzero(guess == least)
    best = attained[np.searchsorted(attained, starts)]
    moments[point[best]] = m[best]
    pairs[point[best], 0], pairs[point[best], 1] = (
        near[point[best], p[best]],
        near[point[best], q[best]],
    )
    return Predecessors(moments, pairs)


def increment(
    mean: FloatArray, covariance: FloatArray, level: float, *, nodes: int = 32
) -> tuple[float, float]:
    """E(f_0 − max(c, f_1, f_2))₊ for one normal triple, mean (3,) and covariance (3, 3).

    Also P(f_1, f_2 < c < f_0). f_1 = f_2 is allowed: one predecessor.

    >>> round(increment(np.zeros(3), np.eye(3), -9.0)[0], 4)  # E max of 3 less E max of 2 normals
    0.2821
    """
    moments = np.array(
        [
            mean[0],
            mean[1],
            mean[2],
            covariance[0, 0],
            covariance[1, 1],
            covariance[2, 2],
            covariance[0, 1],
            covariance[0, 2],
            covariance[1, 2],
        ],
        dtype=np.float64,
    )
    value, fall = _pair(moments, float(level), *_rule(8.0, nodes, nodes))
    return float(value), float(fall)


LARGEST_WHOLE = 4_000
"""Different points up to which numpy looks at all of them at once; beyond, compiled loops."""


def _whole_sum(
    different: FloatArray, counts: FloatArray, c: float, rules: tuple[Rule, ...]
) -> tuple[float, float]:
    m, follows = different[:, :9], different[:, 9] > 0.5
    deviation = np.sqrt(np.maximum(m[:, 3], 1e-24))
    x = (m[:, 0] - c) / deviation
    drop = special.ndtr(x)
    gain = np.where(x > _END, x, x * drop + np.exp(-0.5 * x * x) / _ROOT_TWO_PI)
    alone = deviation * np.where(x < -_END, 0.0, gain)
    at = np.flatnonzero(follows & (alone >= _NEGLIGIBLE))
    settled, below = _all_settled(m[at], c, rules)
    better = settled < alone[at]
    alone[at[better]], drop[at[better]] = settled[better], below[better]
    return float(counts @ alone), float(counts @ drop)


def _all_settled(m: FloatArray, c: float, rules: tuple[Rule, ...]) -> tuple[FloatArray, FloatArray]:
    """`_settled` for many points: each rule for those that the rules before have not settled."""
    value, fall, error, last, before = np.zeros((5, len(m)))
    enough = np.where(_all_exceeded(m, c), _ENOUGH_ALONE, _ENOUGH)
    left = np.arange(len(m))
    for number, rule in enumerate(rules):
        if not len(left):
            break
        finer, fall[left] = _pairs(m[left], c, *rule)
        before[left] = error[left] if number > 1 else 0.0
        last[left] = np.abs(finer - value[left]) if number else 0.0
        value[left], error[left] = finer, last[left]
        if number > 1:
            worst = np.maximum(before[left], last[left])
            left = left[worst > np.maximum(_AGREE * finer, enough[left])]
    upper = value + np.maximum(before, last)
    if len(rules) > 1:
        deviation = np.sqrt(np.maximum(m[:, 3], 1e-24))
        start = (c - m[:, 0]) / deviation
        end = np.maximum(start, 0.0)
        end = end + rules[0][0] / (1.0 + 0.5 * end)
        density = np.exp(-0.5 * end * end) / _ROOT_TWO_PI
        upper += deviation * (density - start * special.ndtr(-end))
    return upper, fall


def _all_exceeded(m: FloatArray, c: float) -> BoolArray:
    first = m[:, 1] - c > _SURE * np.sqrt(m[:, 4])
    return np.asarray(first | (m[:, 2] - c > _SURE * np.sqrt(m[:, 5])))


def _pairs(
    m: FloatArray, c: float, reach: float,
    level_nodes: FloatArray, level_weights: FloatArray,
    nodes: FloatArray, weights: FloatArray,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """`_pair` for many points."""
    value, fall = np.zeros((2, len(m)))
    step = max(1, 200_000 // (len(level_nodes) * len(nodes)))
    for begin in range(0, len(m), step):
        part = slice(begin, begin + step)
        value[part], fall[part] = _some_pairs(
            m[part], c, reach, level_nodes, level_weights, nodes, weights
        )
    return value, fall


def _some_pairs(
    m: FloatArray, c: float, reach: float,
    level_nodes: FloatArray, level_weights: FloatArray,
    nodes: FloatArray, weights: FloatArray,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    k, a, b, kk, aa, bb, ka, kb, ab = m.T
    deviation = np.sqrt(np.maximum(kk, 1e-24))
    mean_s, mean_d = k - 0.5 * (a + b), a - b
    var_d = np.maximum(aa + bb - 2.0 * ab, 1e-24)
    var_s = np.maximum(kk + 0.25 * (aa + bb + 2.0 * ab) - ka - kb, 0.0)
    cov_sd = ka - kb - 0.5 * (aa - bb)
    value, fall = np.zeros((2, len(m)))
    sure = _all_exceeded(m, c)
    if sure.any():
        at = sure
        width = np.sqrt(np.maximum(var_s - cov_sd * cov_sd / var_d, 1e-24))
        inner, drop = _all_across(
            mean_s[at, None], mean_d[at, None], (cov_sd / var_d)[at, None], width[at, None],
            np.sqrt(var_d)[at, None], np.full((int(at.sum()), 1), np.inf), reach, nodes, weights,
        )  # fmt: skip
        value[at], fall[at] = inner[:, 0], drop[:, 0]
    at = ~sure
    if not at.any():
        return value, fall
    on_s, on_d = ((kk - 0.5 * (ka + kb)) / deviation)[at], ((ka - kb) / deviation)[at]
    rest_d = np.maximum(var_d[at] - on_d * on_d, 1e-24)
    rest_sd = cov_sd[at] - on_s * on_d
    slope = rest_sd / rest_d
    width = np.sqrt(np.maximum(var_s[at] - on_s * on_s - rest_sd * rest_sd / rest_d, 1e-24))
    start = np.maximum((c - k[at]) / deviation[at], -8.5)
    end = np.maximum(start, 0.0)
    length = end + reach / (1.0 + 0.5 * end) - start
    z = start[:, None] + length[:, None] * level_nodes
    weight = np.exp(-0.5 * z * z) / _ROOT_TWO_PI * length[:, None] * level_weights
    inner, drop = _all_across(
        mean_s[at, None] + on_s[:, None] * z, mean_d[at, None] + on_d[:, None] * z,
        slope[:, None], width[:, None], np.sqrt(rest_d)[:, None],
        k[at, None] + deviation[at, None] * z - c, reach, nodes, weights,
    )  # fmt: skip
    value[at], fall[at] = (weight * inner).sum(axis=1), (weight * drop).sum(axis=1)
    return value, fall


def _all_across(
    mean_s: FloatArray, mean_d: FloatArray, slope: FloatArray, width: FloatArray,
    spread: FloatArray, room: FloatArray, reach: float, nodes: FloatArray, weights: FloatArray,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """`_across` for many points (rows) and values of f_k (columns)."""
    value, fall = np.zeros((2, *np.broadcast_shapes(mean_s.shape, room.shape)))
    top = mean_s - slope * mean_d + reach * width
    with np.errstate(divide="ignore", invalid="ignore"):
        for sign in (1.0, -1.0):
            start = np.maximum(sign * mean_d - reach * spread, 0.0)
            end = sign * mean_d + reach * spread
            down = 0.5 - slope * sign
            cut = top / down
            end = np.where(down > 1e-12, np.minimum(end, cut), end)
            start = np.where(down < -1e-12, np.maximum(start, cut), start)
            length = np.maximum(end - start, 0.0)
            d = start[..., None] + length[..., None] * nodes
            u = (sign * d - mean_d[..., None]) / spread[..., None]
            weight = np.exp(-0.5 * u * u) / (_ROOT_TWO_PI * spread[..., None])
            weight *= length[..., None] * weights
            x = mean_s[..., None] + slope[..., None] * (sign * d - mean_d[..., None]) - 0.5 * d
            x /= width[..., None]
            positive, _ = _all_tabulated(x)
            beyond, share = _all_tabulated(x - (room / width)[..., None])
            value += width * (weight * (positive - beyond)).sum(axis=-1)
            fall += (weight * share).sum(axis=-1)
    return value, fall


def _all_tabulated(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """`_tabulated` entry by entry."""
    inside = np.clip(x, -_END, _END)
    place = (inside + _END) * _CELLS
    cell = np.minimum(place.astype(np.int64), len(_TABLE) - 2)
    t = place - cell
    left, fall, bend, curl = (column[cell] for column in _CUBIC)
    value = left + t * (fall + t * (bend + t * curl))
    share = _CELLS * (fall + t * (2.0 * bend + 3.0 * t * curl))
    return value + np.maximum(x - _END, 0.0), share


@compiled()
def _cdf(x: float) -> float:  # pragma: no cover
    return 0.5 * erfc(-0.7071067811865476 * x)


@compiled()
def _density(x: float) -> float:  # pragma: no cover
    return exp(-0.5 * x * x) / _ROOT_TWO_PI


@compiled()
def _gain(x: float) -> float:  # pragma: no cover
    """g(x) = xΦ(x) + ϕ(x) = E(Z + x)₊."""
    if x < -_END:
        return 0.0
    if x > _END:
        return x
    return x * _cdf(x) + _density(x)


@compiled()
def _tabulated(x: float) -> tuple[float, float]:  # pragma: no cover
    """g(x) within 1e-10 and Φ(x) within 1e-7, by cubic interpolation of g with g′ = Φ."""
    if x <= -_END:
        return 0.0, 0.0
    if x >= _END:
        return x, 1.0
    place = (x + _END) * _CELLS
    cell = int(place)
    t = place - cell
    left, right = _TABLE[cell, 0], _TABLE[cell + 1, 0]
    fall, rise = _TABLE[cell, 1] / _CELLS, _TABLE[cell + 1, 1] / _CELLS
    bend, curl = 3.0 * (right - left) - 2.0 * fall - rise, 2.0 * (left - right) + fall + rise
    value = left + t * (fall + t * (bend + t * curl))
    return value, _CELLS * (fall + t * (2.0 * bend + 3.0 * t * curl))


@compiled()
def _across(
    mean_s: float,
    mean_d: float,
    slope: float,
    width: float,
    spread: float,
    room: float,
    reach: float,
    nodes: FloatArray,
    weights: FloatArray,
) -> tuple[float, float]:  # pragma: no cover
    """E min(S − |D|/2, room)₊ and P(S − |D|/2 > room), D ~ N(mean_d, spread²), S given D normal.

    S given D has mean mean_s + slope·(D − mean_d) and deviation `width`. The two signs of D are
    integrated apart, each over the |D| that leave S − |D|/2 a chance to be positive.
    """
    value, fall = 0.0, 0.0
    per_width, per_spread = 1.0 / width, 1.0 / spread
    for sign in (1.0, -1.0):
        start = max(sign * mean_d - reach * spread, 0.0)
        end = sign * mean_d + reach * spread
        top = mean_s - slope * mean_d + reach * width
        down = 0.5 - slope * sign
        if down > 1e-12:
            end = min(end, top / down)
        elif down < -1e-12:
            start = max(start, top / down)
        if end <= start:
            continue
        for j in range(len(nodes)):
            d = start + (end - start) * nodes[j]
            u = (sign * d - mean_d) * per_spread
            weight = _density(u) * per_spread * (end - start) * weights[j]
            x = (mean_s + slope * (sign * d - mean_d) - 0.5 * d) * per_width
            positive, _ = _tabulated(x)
            beyond, share = _tabulated(x - room * per_width)
            value += weight * width * (positive - beyond)
            fall += weight * share
    return value, fall


@compiled()
def _exceeded(m: FloatArray, c: float) -> bool:  # pragma: no cover
    """Whether f_a or f_b is above c for certain."""
    return bool(m[1] - c > _SURE * sqrt(m[4]) or m[2] - c > _SURE * sqrt(m[5]))


@compiled()
def _end(start: float, reach: float) -> float:  # pragma: no cover
    """Where the integral over f_k, standardised, that starts at `start` is ended."""
    above = max(start, 0.0)
    return float(above + reach / (1.0 + 0.5 * above))


@compiled()
def _left_out(m: FloatArray, c: float, reach: float) -> float:  # pragma: no cover
    """E(f_k − c)₊ beyond that end: no less than what the increment has there."""
    deviation = sqrt(max(m[3], 1e-24))
    start = (c - m[0]) / deviation
    end = _end(start, reach)
    return float(deviation * (_density(end) - start * _cdf(-end)))


@compiled()
def _pair(
    m: FloatArray,
    c: float,
    reach: float,
    level_nodes: FloatArray,
    level_weights: FloatArray,
    nodes: FloatArray,
    weights: FloatArray,
) -> tuple[float, float]:  # pragma: no cover
    """The increment of one point; m = (means of k, a, b; variances; Cov ka, kb, ab)."""
    deviation = sqrt(max(m[3], 1e-24))
    mean_s, mean_d = m[0] - 0.5 * (m[1] + m[2]), m[1] - m[2]
    var_d = max(m[4] + m[5] - 2.0 * m[8], 1e-24)
    var_s = max(m[3] + 0.25 * (m[4] + m[5] + 2.0 * m[8]) - m[6] - m[7], 0.0)
    cov_sd = m[6] - m[7] - 0.5 * (m[4] - m[5])
    if _exceeded(m, c):
        width = sqrt(max(var_s - cov_sd * cov_sd / var_d, 1e-24))
        return _across(
            mean_s, mean_d, cov_sd / var_d, width, sqrt(var_d), np.inf, reach, nodes, weights
        )
    # Regression of S and D on the standardised f_k, z.
    on_s = (m[3] - 0.5 * (m[6] + m[7])) / deviation
    on_d = (m[6] - m[7]) / deviation
    rest_d = max(var_d - on_d * on_d, 1e-24)
    rest_sd = cov_sd - on_s * on_d
    slope = rest_sd / rest_d
    width = sqrt(max(var_s - on_s * on_s - rest_sd * rest_sd / rest_d, 1e-24))
    start = max((c - m[0]) / deviation, -8.5)
    length = _end(start, reach) - start
    value, fall = 0.0, 0.0
    for i in range(len(level_nodes)):
        z = start + length * level_nodes[i]
        weight = _density(z) * length * level_weights[i]
        inner, drop = _across(
            mean_s + on_s * z,
            mean_d + on_d * z,
            slope,
            width,
            sqrt(rest_d),
            m[0] + deviation * z - c,
            reach,
            nodes,
            weights,
        )
        value += weight * inner
        fall += weight * drop
    return value, fall


@compiled()
def _chosen(
    mean: FloatArray,
    explained: FloatArray,
    neighbours: IntArray,
    own: FloatArray,
    mutual: FloatArray,
    among: IntArray,
    c: float,
    reach: float,
    level_nodes: FloatArray,
    level_weights: FloatArray,
    nodes: FloatArray,
    weights: FloatArray,
) -> tuple[FloatArray, IntArray]:  # pragma: no cover
    """`Predecessors.moments` and `Predecessors.pairs`."""
    size, seen = len(among), explained.shape[1]
    most = neighbours.shape[1]
    moments = np.zeros((size, 9))
    pairs = np.full((size, 2), -1, dtype=np.int64)
    m = np.empty(9)
    cov = np.empty((most + 1, most + 1))
    for place in range(size):
        k = among[place]
        v = 1.0
        for i in range(seen):
            v -= explained[k, i] * explained[k, i]
        v = max(v, 0.0)
        moments[place, 0], moments[place, 3] = mean[k], v
        deviation = sqrt(max(v, 1e-24))
        if deviation * _gain((mean[k] - c) / deviation) < _NEGLIGIBLE or neighbours[k, 0] < 0:
            continue
        count = 0
        while count < most and neighbours[k, count] >= 0:
            count += 1
        for p in range(count):
            a = neighbours[k, p]
            total = own[k, p]
            for i in range(seen):
                total -= explained[k, i] * explained[a, i]
            cov[most, p] = total
            for q in range(p, count):
                b = neighbours[k, q]
                total = mutual[k, p, q]
                for i in range(seen):
                    total -= explained[a, i] * explained[b, i]
                cov[p, q] = max(total, 0.0) if p == q else total
        m[0], m[3] = mean[k], v
        least = np.inf
        for p in range(count):
            for q in range(p, count):
                if p == q and count > 1:
                    continue
                a, b = neighbours[k, p], neighbours[k, q]
                m[1], m[2] = mean[a], mean[b]
                m[4], m[5] = cov[p, p], cov[q, q]
                m[6], m[7], m[8] = cov[most, p], cov[most, q], cov[p, q]
                guess, _ = _pair(m, c, reach, level_nodes, level_weights, nodes, weights)
                if guess < least:
                    least = guess
                    moments[place] = m
                    pairs[place, 0], pairs[place, 1] = a, b
    return moments, pairs


@compiled()
def _settled(
    m: FloatArray, c: float, rules: tuple[Rule, ...]
) -> tuple[float, float]:  # pragma: no cover
    """`_pair` by the first rule that agrees with the two before it, plus the larger difference.

    With a single rule its value alone.
    """
    value, fall, error = 0.0, 0.0, 0.0
    enough = _ENOUGH_ALONE if _exceeded(m, c) else _ENOUGH
    for number, (reach, level_nodes, level_weights, nodes, weights) in enumerate(rules):
        finer, fall = _pair(m, c, reach, level_nodes, level_weights, nodes, weights)
        before, last = error if number > 1 else 0.0, abs(finer - value) if number else 0.0
        value, error = finer, last
        if number > 1 and max(before, last) <= max(_AGREE * value, enough):
            break
    return value + max(before, last) + (_left_out(m, c, reach) if number else 0.0), fall


@compiled()
def _summed(
    moments: FloatArray, follows: BoolArray, c: float, rules: tuple[Rule, ...]
) -> tuple[float, float]:  # pragma: no cover
    value, fall = 0.0, 0.0
    for k in range(len(moments)):
        deviation = sqrt(max(moments[k, 3], 1e-24))
        x = (moments[k, 0] - c) / deviation
        alone, drop = deviation * _gain(x), _cdf(x)
        if follows[k] and alone >= _NEGLIGIBLE:
            settled, below = _settled(moments[k], c, rules)
            if settled < alone:
                alone, drop = settled, below
        value += alone
        fall += drop
    return value, fall
