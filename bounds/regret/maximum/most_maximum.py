"""m* = E max_x g(x), g ~ GP(0, k_space) on a domain, from above in balls, rounded up.

By ordered telescoping (`docs/theory.md#telescoping`): for an order, a level c ≥ 0 and two
earlier points a, b for each point k but the first few,

    m* ≤ c + Σ_k min(G(c), I_k),    I_k = E[(f_k − max(f_a, f_b))₊; f_k > c].

Given f_k = t the increment is at most (αt − max(U, V))₊ with α = 1 − min(ρ_ka, ρ_kb) and U, V the
residuals of f_a, f_b. With D = U − V and the weight w in [0, 1] at which P = wU + (1−w)V is
nearest to independent of D, max(U, V) = P + (1−w)D₊ + wD₋. Both integrals, over D and over t, are
of convex functions and hence below their chords, whose Gaussian moments are Φ and ϕ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np
from scipy import special

from bounds import enclosure
from bounds.arithmetic import BALLS
from bounds.arrays import FloatArray, IntArray
from bounds.domain import Domain
from bounds.enclosure import Number, Upper, matrices
from bounds.formulas import tail_mean
from bounds.kernels import Kernel
from bounds.regret.maximum import fernique
from bounds.regret.maximum.telescoping import telescope
from bounds.static_gain.balanced import is_independent

LARGEST_WRITTEN = 2_500
"""Points of a domain up to which what m* rests on is written down."""

_LEVELS = np.linspace(0.0, 5.0, 26)
_NODES, _FEW_NODES, _NEAR = 16, 6, 1.1  # few nodes err by some per cent
_STEPS = (0.0, 0.2, 0.4, 0.65, 0.9, 1.2, 1.6, 2.2, 3.0)  # nodes of f_k above c
_SPREAD = np.linspace(-5.0, 4.0, 19)  # nodes of D around its kink, in deviations of P
_FAR = 40.0  # standard deviations beyond which a normal integral is left to its tail
_ROOT_TWO_PI = float(np.sqrt(2.0 * np.pi))


@dataclass(frozen=True, eq=False)
class MostMaximum:
    """m* ≤ value, every number enclosed.

    Attributes
    ----------
    value : rounded up
    level : c ≥ 0; −inf for the limit
    pairs : (N, 2) two points of each that come before it in some order; −1 where it counts with
        G(c), or is the first of the limit
    family : of `fernique`, where a comparison is smaller than telescoping; else ""
    axes : what the family `axes` adds up, by the number of the axis
    """

    value: float
    level: float
    pairs: IntArray
    family: str = ""
    axes: Mapping[int, MostMaximum] = field(default_factory=dict)


def most_maximum(domain: Domain, kernel: Kernel) -> MostMaximum:
    """A certified upper bound on m*: the smallest of telescoping and the families of `fernique`.

    Telescoping on a grid with equal sides; for others c + N·G(c) stands for it. O(NK²) in floating
    point for the choice of pairs and level, and some 10 ms for each of the different triples of
    distances that are used: 1 s on the grid of 50×50 points.

    Raises NoEnclosure for a kernel that brings none.

    >>> from bounds.domain import Grid
    >>> from bounds.kernels import SquaredExponential
    >>> 0.5641895 <= most_maximum(Grid(1, 1.0, 2), SquaredExponential(0.01)).value <= 0.5641896
    True
    """
    kernel = domain.space_kernel(kernel)
    alone = np.full((domain.size, 2), -1)
    if domain.size == 1:
        return MostMaximum(0.0, -np.inf, alone)
    level, pairs = _choice_alone(domain.size), alone
    if domain.is_cube:
        order = telescope(domain, kernel)
        level, pairs = _choice(order.neighbours, order.own, order.mutual)
    with matrices.working_precision():
        bound = MostMaximum(_upper(domain, kernel, level, pairs), level, pairs)
        if fernique.roughly_independent(domain, kernel) < bound.value:
            value = matrices.upward(enclosure.ball(fernique.independent(domain, kernel)))
            if value < bound.value:
                bound = replace(bound, value=value, family="independent")
    axes = fernique.axes_of(domain)
    if not axes:
        return bound
    each = {axis: most_maximum(axis, kernel) for axis in set(axes.values())}
    of_axes = fernique.sum_of_axes(domain, lambda axis: each[axis].value)
    if of_axes < bound.value and fernique.axes_dominate(domain, kernel, enclosed=True):
        parts = {number: each[axis] for number, axis in axes.items()}
        bound = replace(bound, value=of_axes, family="axes", axes=parts)
    return bound


def maximum_certificate(domain: Domain, kernel: Kernel) -> dict[str, Any] | None:
    """What another program needs to derive m* ≤ value again, as plain data; None where it is long.

    `parts` is one entry for the whole domain (`axis` null) or one for each axis of a sum: `pairs`
    null for independent values, or those of telescoping in the limit c → −∞, which has a closed
    form. Telescoping at a finite level has none, and is not written.
    """
    bound = most_maximum(domain, kernel)
    whole: list[tuple[int | None, MostMaximum]] = [(None, bound)]
    parts = [*bound.axes.items()] or whole
    if any(not part.family and isfinite(part.level) for _, part in parts):
        return None
    if len(bound.pairs) > LARGEST_WRITTEN and not is_independent(kernel, domain):
        return None
    return {
        "value": bound.value,
        "parts": [
            {"axis": axis, "pairs": None if part.family else part.pairs.tolist()}
            for axis, part in parts
        ],
    }


def _upper(domain: Domain, kernel: Kernel, level: float, pairs: IntArray) -> Upper:
    """c + Σ min(G(c), I_k) or Σ of the closed form, points at the same distances together."""
    follows = pairs[:, 0] >= 0
    if not follows.any():
        start = enclosure.ball(enclosure.exact_double(level))
        return matrices.upward(start + len(pairs) * tail_mean(BALLS, start))
    q, side = domain.cube()
    step = Fraction(side) / (q - 1)
    at = np.stack(np.unravel_index(np.arange(domain.size), (q,) * domain.dimension), axis=1)
    k, a, b = at[follows], at[pairs[follows, 0]], at[pairs[follows, 1]]
    lags = np.stack([np.sum((x - y) ** 2, axis=1) for x, y in ((k, a), (k, b), (a, b))], axis=1)
    lags[:, :2] = np.sort(lags[:, :2], axis=1)
    triples, counts = np.unique(lags, axis=0, return_counts=True)
    alone, total = enclosure.ball(0), enclosure.ball(0)
    if isfinite(level):
        total = enclosure.ball(enclosure.exact_double(level))
        alone = tail_mean(BALLS, total)
        total += int(np.sum(~follows)) * alone
    known: dict[int, Number] = {}
    for triple, count in zip(triples.tolist(), counts.tolist(), strict=True):
        for square in triple:
            if square not in known:
                distance = enclosure.sqrt(step * step * square)
                known[square] = enclosure.ball(kernel.enclosed_at_distance(distance))
        near, far, mutual = (known[square] for square in triple)
        if not isfinite(level):
            total += count * _unconditional(near, far, mutual)
            continue
        increment = increment_upper(near, far, mutual, level)
        total += count * enclosure.minimum(alone, increment)
    return matrices.upward(total)


def increment_upper(near: Number, far: Number, mutual: Number, level: float) -> Number:
    """An upper bound on I for unit-variance f_k, f_a, f_b with correlations ka, kb and ab.

    Balls; infinite where the enclosures are too wide to tell that variances are positive.
    """
    alpha = 1 - near.min(far)
    var_a, var_b, cov = 1 - near * near, 1 - far * far, mutual - near * far
    spread = var_a + var_b - 2 * cov
    # Any w in [0, 1] serves whose P is independent of D: it is, but for w at an end of [0, 1].
    if not spread > 0:
        # f_a = f_b: one predecessor, D = 0.
        return _over_time(alpha, enclosure.sqrt(var_a), enclosure.ball(0), enclosure.ball(1), level)
    weight = (var_b - cov) / spread
    if not (weight >= 0 and weight <= 1):
        return enclosure.infinite()
    rest = weight * weight * var_a + (1 - weight) ** 2 * var_b + 2 * weight * (1 - weight) * cov
    return _over_time(alpha, enclosure.sqrt(rest), enclosure.sqrt(spread), weight, level)


def _unconditional(near: Number, far: Number, mutual: Number) -> Number:
    """E(f_k − max(f_a, f_b))₊, from E max of three normals of mean 0 less that of two."""
    root = enclosure.sqrt(8 * enclosure.pi())
    d_a, d_b, d_ab = (enclosure.sqrt(2 * (1 - rho)) for rho in (near, far, mutual))
    return (d_a + d_b - d_ab) / root


def _over_time(alpha: Number, p: Number, q: Number, weight: Number, level: float) -> Number:
    """∫_c^∞ ϕ(t)·E(αt − P − (1−w)D₊ − wD₋)₊ dt by chords in t; the last cell by its slope α."""
    nodes = [level + step for step in _STEPS]
    balls = [enclosure.ball(enclosure.exact_double(t)) for t in nodes]
    values = [_inner(alpha * t, p, q, weight) for t in balls]
    total = _chords(balls, values)
    last = balls[-1]
    return total + values[-1] * enclosure.normal_cdf(-last) + alpha * tail_mean(BALLS, last)


def _inner(start: Number, p: Number, q: Number, weight: Number) -> Number:
    """E(s − P − (1−w)D₊ − wD₋)₊ for independent P ~ N(0, p²), D ~ N(0, q²), by chords in D."""
    if not p > 0:
        p = p + enclosure.ball(Fraction(1, 10**30))  # larger deviations have larger expectations
    total = enclosure.ball(0)
    for share in (weight, 1 - weight):
        scale = share * q / p
        middle, width = float(start / p), float(scale)
        if not width > 1e-12:
            total += p * tail_mean(BALLS, -start / p) / 2
            continue
        kinks = np.clip((middle - _SPREAD[::-1]) / width, 0.0, _FAR)
        nodes = np.unique(np.concatenate(([0.0], kinks)))
        balls = [enclosure.ball(enclosure.exact_double(float(y))) for y in nodes]
        values = [p * tail_mean(BALLS, scale * y - start / p) for y in balls]
        total += _chords(balls, values) + values[-1] * enclosure.normal_cdf(-balls[-1])
    return total


def _chords(nodes: Sequence[Number], values: Sequence[Number]) -> Number:
    """∫ ϕ of the chords of a convex function between the first and the last node."""
    cdf, density = [enclosure.normal_cdf(z) for z in nodes], [_density(z) for z in nodes]
    total = enclosure.ball(0)
    for j, (low, high) in enumerate(pairwise(nodes)):
        slope = (values[j + 1] - values[j]) / (high - low)
        total += (values[j] - slope * low) * (cdf[j + 1] - cdf[j])
        total += slope * (density[j] - density[j + 1])
    return total


def _density(z: Number) -> Number:
    return (-z * z / 2).exp() / enclosure.sqrt(2 * enclosure.pi())


def _choice_alone(count: int) -> float:
    """The level at which c + N·G(c) is least: 1 − Φ(c) = 1/N."""
    return max(0.0, float(special.ndtri(1.0 - 1.0 / count)))


def _choice(neighbours: IntArray, own: FloatArray, mutual: FloatArray) -> tuple[float, IntArray]:
    """A level and pairs at which the sum is small, in floating point."""
    N, K = neighbours.shape
    first, second = np.triu_indices(K)  # one predecessor counts as two equal ones
    valid = (neighbours[:, first] >= 0) & (neighbours[:, second] >= 0)
    point, pair = np.nonzero(valid)
    i, j = first[pair], second[pair]
    ends = np.sort(np.stack((own[point, i], own[point, j]), axis=1), axis=1)
    between = np.where(i == j, 1.0, mutual[point, i, j])
    triples = np.column_stack((ends, between)).round(12)
    unique, inverse = np.unique(triples, axis=0, return_inverse=True)
    starts = np.flatnonzero(np.diff(point, prepend=-1))
    counts = np.diff(starts, append=len(point))

    def tried(level: float, nodes: int) -> tuple[float, FloatArray, FloatArray, float]:
        """The sum at a level, the values of all pairs, the smallest of each point, and its own."""
        if isfinite(level):
            alone = float(np.exp(-0.5 * level**2) / _ROOT_TWO_PI - level * special.ndtr(-level))
            values = _roughly(unique, level, nodes)[inverse.ravel()]
        else:
            # The first point of the order, which has no predecessor, counts with its mean 0.
            d = np.sqrt(2.0 * np.maximum(1.0 - unique, 0.0))
            alone, values = (
                np.inf,
                ((d[:, 0] + d[:, 1] - d[:, 2]) / np.sqrt(8 * np.pi))[inverse.ravel()],
            )
        smallest = np.minimum.reduceat(values, starts) if len(starts) else values
        least = np.full(N, alone)
        least[point[starts]] = np.minimum(smallest, alone)
        total = float(least[np.isfinite(least)].sum()) + (level if isfinite(level) else 0.0)
        return total, values, smallest, alone

    # Few nodes tell which levels may have the smallest sum.
    coarse = [(tried(level, _FEW_NODES)[0], level) for level in _LEVELS.tolist()]
    near = _NEAR * min(coarse)[0]
    best = (np.inf, 0.0, np.full((N, 2), -1))
    for level in (-np.inf, *(level for total, level in coarse if total <= near)):
        total, values, smallest, alone = tried(level, _NODES)
        if total < best[0]:
            # The first of each point that attains the smallest.
            attained = np.flatnonzero(values == np.repeat(smallest, counts))
            leading = attained[np.searchsorted(attained, starts)]
            better = leading[values[leading] < alone]
            pairs = np.full((N, 2), -1)
            pairs[point[better], 0] = neighbours[point[better], i[better]]
            pairs[point[better], 1] = neighbours[point[better], j[better]]
            best = (total, level, pairs)
    return best[1], best[2]


def _roughly(triples: FloatArray, level: float, count: int = _NODES) -> FloatArray:
    """I of many triples of correlations, by Gauss–Legendre."""
    near, far, mutual = triples.T
    var_a, var_b, cov = 1 - near**2, 1 - far**2, mutual - near * far
    spread = np.maximum(var_a + var_b - 2 * cov, 1e-30)
    weight = np.clip((var_b - cov) / spread, 0.0, 1.0)
    rest = weight**2 * var_a + (1 - weight) ** 2 * var_b + 2 * weight * (1 - weight) * cov
    p, q = np.sqrt(np.maximum(rest, 1e-20)), np.sqrt(spread)
    alpha = 1 - np.minimum(near, far)
    nodes, weights = np.polynomial.legendre.leggauss(count)
    total = np.zeros(len(triples))
    y = 2.5 * (nodes + 1.0)
    mass = 2.5 * weights * np.exp(-0.5 * y**2) / _ROOT_TWO_PI
    for x, v in zip(nodes.tolist(), weights.tolist(), strict=True):
        t = level + 2.0 * (x + 1.0)
        start = (alpha * t / p)[:, None]
        inner = np.zeros(len(triples))
        for share in (weight, 1 - weight):
            z = start - (share * q / p)[:, None] * y
            gain = z * special.ndtr(z) + np.exp(-0.5 * z * z) / _ROOT_TWO_PI
            inner += p * (gain @ mass)
        total += 2.0 * v * np.exp(-0.5 * t * t) / _ROOT_TWO_PI * inner
    return total
