"""m* ≤ value of a certificate of bounds, derived again: m* = E max of the prior over the domain.

By comparison (docs/theory.md#sudakov-fernique) with independent values of the variance that the
least correlation leaves, or with a sum over the axes of a grid; along an axis, or over the whole
domain, by telescoping from pairs of points (docs/theory.md#telescoping), whose increments are
closed forms. Kernels are those of `recheck.grid`, and E max of independent normals is the integral
of `recheck.floor` with its tail on the other side.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bounds import enclosure
from bounds.enclosure import Number
from proofs_check.recheck.bounds.floor import largest_of_normals
from proofs_check.recheck.grid import GridByReflections, PointsAlone, domain_of
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.problem import axes_of

_MOST_PAIRWISE = 400
"""Points without structure all of whose pairs are compared."""


def recheck_maximum(entry: Mapping[str, Any], problem: Mapping[str, Any]) -> Number:
    """The upper bound on m* that the parts of the entry give; refused where one does not hold."""
    domain, parts = domain_of(problem), entry["parts"]
    if [part["axis"] for part in parts] == [None]:
        return _of_whole(domain, parts[0]["pairs"])
    shape = axes_of(problem)[1]
    if [part["axis"] for part in parts] != [a for a, q in enumerate(shape) if q > 1]:
        raise Refused("other axes than the grid has")
    strides = list(itertools.accumulate([1, *shape[:0:-1]], lambda a, b: a * b))[::-1]
    by_lag = domain.gram([0], range(domain.size))[0]
    for index in range(domain.size):
        place = [index // stride % q for stride, q in zip(strides, shape, strict=True)]
        moved = [c * stride for c, stride in zip(place, strides, strict=True) if c]
        if len(moved) > 1:
            added = enclosure.total(1 - by_lag[along] for along in moved)
            if enclosure.certainly_le(1 - by_lag[index], added) is not True:
                raise Refused("the increments are not below those of the sum over the axes")
    total: Number = 0
    for part in parts:
        stride, q = strides[part["axis"]], shape[part["axis"]]
        line = [by_lag[i * stride] for i in range(q)]
        if part["pairs"] is None:
            total = total + _independent(enclosure.minimum(line[1:]), q)
        else:
            total = total + _telescoped(part["pairs"], q, partial(_along, line))
    return total


def _of_whole(domain: GridByReflections, pairs: Sequence[Sequence[int]] | None) -> Number:
    size = domain.size
    if pairs is not None:
        return _telescoped(pairs, size, lambda a, b: domain.gram([a], [b])[0, 0])
    if size == 1:
        return 0
    if domain.kernel["type"] == "Independent":
        return _independent(0, size)
    if not isinstance(domain, PointsAlone):
        return _independent(enclosure.minimum(domain.gram([0], range(1, size))[0].tolist()), size)
    if size > _MOST_PAIRWISE:
        raise Refused(f"more than {_MOST_PAIRWISE} points without structure")
    rows = domain.gram(range(size), range(size))
    pairwise = [rows[a, b] for a, b in itertools.combinations(range(size), 2)]
    return _independent(enclosure.minimum(pairwise), size)


def _along(line: Sequence[Number], a: int, b: int) -> Number:
    """The correlation of two places of an axis, from those with its first."""
    return line[abs(a - b)]


def _independent(least: Number, count: int) -> Number:
    return enclosure.sqrt(1 - least) * largest_of_normals(count, above=True)


def _telescoped(
    pairs: Sequence[Sequence[int]], count: int, correlation: Callable[[int, int], Number]
) -> Number:
    """Σ E(f_k − max(f_a, f_b))₊, the first point of the order having no pair and the mean 0."""
    ready = [k for k, (a, b) in enumerate(pairs) if a < 0 and b < 0]
    if len(ready) != 1:
        raise Refused("one point alone comes first")
    after: dict[int, list[int]] = {}
    waits = {}
    for k, pair in enumerate(pairs):
        before = {place for place in pair if place >= 0}
        if k not in ready and min(pair) < 0:
            raise Refused("a point with one predecessor is written with it twice")
        waits[k] = len(before)
        for place in before:
            after.setdefault(place, []).append(k)
    # Points are taken as soon as their pair was: an order exists where all are. A pair too many or
    # too few, or of points that do not exist, leaves another number of them.
    for k in ready:
        for later in after.get(k, ()):
            waits[later] -= 1
            if not waits[later]:
                ready.append(later)
    if len(ready) != count:
        raise Refused("no order has every pair before its point")

    def apart(a: int, b: int) -> Number:
        return 0 if a == b else enclosure.sqrt(2 * (1 - correlation(a, b)))

    root = enclosure.sqrt(8 * enclosure.pi())
    sums = (apart(k, pairs[k][0]) + apart(k, pairs[k][1]) - apart(*pairs[k]) for k in ready[1:])
    return enclosure.divide(enclosure.total(sums), root)
