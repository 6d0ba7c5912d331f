"""A joint dual in whole numbers, with the approximate inverse and root that the checker wants."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from proofs_check.checker.notation import (
    Part,
    listed,
    natural,
    pair,
    positive,
    record,
    whole,
    wholes,
)
from proofs_check.checker.stated import SCALE, Stated
from proofs_check.recheck.outcome import Refused

_MARGIN = 400  # of the scale: what is left of a variance, above the width of its enclosure
_STEP = 10**10
_STEP_SECONDS = 1e-7  # of one interval product and sum, as a program
_MOST_STEPS = 5_000_000_000


@dataclass(frozen=True)
class Block:
    """The dual of consecutive rounds, and the bound on their gain that follows from it."""

    rounds: int
    dual: Part
    gain: Fraction


def blocks_of(
    stated: Stated, duals: Sequence[Mapping[str, Any]], ratio: Fraction
) -> tuple[Block, ...]:
    """The blocks of a dual at a noise variance of 1/ratio; refused where rounds are left out."""
    at, parts = 0, []
    over_time = stated.over_time()
    for dual in duals:
        start, end = int(dual["start"]), int(dual["end"])
        if start != at or not end > start:
            raise InvalidInput("kernel: dual", f"{start} to {end}", "blocks have to follow")
        points = [stated.orthant[i] for i in dual["points"]]
        parts.append(block_of(stated, {**dual, "points": points}, over_time[at:end, at:end], ratio))
        at = end
    if at != len(stated.times):
        raise InvalidInput("kernel: dual", str(len(duals)), "a joint dual of all rounds is needed")
    return tuple(parts)


def block_of(
    stated: Stated,
    dual: Mapping[str, Any],
    over_time: FloatArray,
    ratio: Fraction,
    missed: float = 0.0,
) -> Block:
    """A dual with its points by their numbers, for rounds with this covariance over time.

    What is left of the deviation may be so much more than at the points, as in their box.
    """
    rounds = len(over_time)
    at = [stated.flipped(point, flip) for flip in stated.flips for point in dual["points"]]
    space, parts = _columns(stated.flips, dual)
    clock = np.rint(np.asarray(dual["time_modes"], float).T * SCALE) / SCALE
    groups: list[list[tuple[int, float]]] = [[] for _ in clock]
    for part, gains in zip(parts, dual["gains"], strict=True):
        for group, row in zip(groups, gains, strict=True):
            group += [
                (which, round(np.sqrt(gain) * SCALE) / SCALE)
                for which, gain in zip(part, row, strict=True)
                if gain > 0
            ]
    clock = clock[[bool(group) for group in groups]]
    groups = [group for group in groups if group]
    features = [(a, b, weight) for a, group in enumerate(groups) for b, weight in group]
    _require_affordable(len(stated.places), rounds, len(groups), len(features))
    in_time = np.array([a for a, _, _ in features], dtype=int)
    in_space = np.array([b for _, b, _ in features], dtype=int)
    weight = np.array([w for _, _, w in features])
    compressed = (space @ stated.over_space(at, at) @ space.T)[np.ix_(in_space, in_space)]
    compressed *= (clock @ over_time @ clock.T)[np.ix_(in_time, in_time)] * np.outer(weight, weight)
    alpha = round(float(dual["alpha"]) * SCALE) / SCALE
    matrix = compressed + alpha * np.eye(len(features))
    parity = np.concatenate([np.full(len(part), at) for at, part in enumerate(parts)])[in_space]
    same = parity[:, None] == parity[None, :]
    exact = np.linalg.inv(matrix)
    inverse = np.rint(np.where(same, (exact + exact.T) / 2, 0) * SCALE) / SCALE
    root = np.where(same, np.tril(np.linalg.inv(np.linalg.cholesky(matrix))), 0)
    root = np.rint(root * SCALE) / SCALE
    core = 2 * inverse - inverse @ matrix @ inverse.T
    cross = weight[:, None] * (space @ stated.over_space(at, stated.places))[in_space]
    then = over_time @ clock.T
    explained = np.zeros((rounds, len(stated.places)))
    for a, b in itertools.product(range(len(clock)), repeat=2):
        these, those = np.flatnonzero(in_time == a), np.flatnonzero(in_time == b)
        table = np.sum(cross[these] * (core[np.ix_(these, those)] @ cross[those]), axis=0)
        explained += np.outer(then[:, a] * then[:, b], table)
    at_points = np.maximum((1 - explained).max(axis=1), 0.0) + _MARGIN / SCALE
    left = [ceil(value * SCALE) for value in ((np.sqrt(at_points) + missed) ** 2).tolist()]
    gain = _bound(matrix, inverse, root, alpha, float(ratio) * sum(left) / SCALE, rounds)
    written = record(
        jscale=positive(SCALE),
        jalpha=whole(round(alpha * SCALE)),
        jref=listed(map(wholes, at)),
        jspace=_table(space),
        jtime=_table(clock),
        groups=listed(
            listed(pair(natural(which), whole(round(weight * SCALE))) for which, weight in group)
            for group in groups
        ),
        jinv=_table(inverse),
        jroot=_table(root),
        jleft=wholes(left),
    )
    return Block(rounds, written, Fraction(ceil(gain * _STEP), _STEP))


def _require_affordable(places: int, rounds: int, modes: int, features: int) -> None:
    """Refuse what the checker would take too long for."""
    if features > rounds:
        raise Refused("the dual has more gains than rounds")
    steps = places * (features**2 + rounds * modes**2) + features**3
    if steps > _MOST_STEPS:
        remedy = f"the checker would take some {steps * _STEP_SECONDS / 3600:.1f} hours"
        raise InvalidInput("kernel: dual", f"{features} features", remedy)


def _columns(
    flips: Sequence[Sequence[int]], dual: Mapping[str, Any]
) -> tuple[FloatArray, list[range]]:
    """The modes of space as weights of all reflected points, and those of each parity."""
    columns: list[FloatArray] = []
    parts: list[range] = []
    for parity, modes in zip(flips, dual["space_modes"], strict=True):
        signs = [(-1) ** int(np.dot(flip, parity)) for flip in flips]
        table = np.asarray(modes, float).reshape(len(dual["points"]), -1 if modes else 0)
        parts.append(range(len(columns), len(columns) + table.shape[1]))
        columns += [
            np.concatenate([sign * column for sign in signs]) / len(flips) for column in table.T
        ]
    shape = (len(columns), len(flips) * len(dual["points"]))
    return np.rint(np.array(columns).reshape(shape) * SCALE) / SCALE, parts


def _bound(
    matrix: FloatArray,
    inverse: FloatArray,
    root: FloatArray,
    alpha: float,
    left: float,
    rounds: int,
) -> float:
    """The bound that the checker will prove, and a little more."""
    size = len(matrix)
    rows = np.einsum("ij,ij->i", root @ matrix, root)
    log_det = float(np.sum(np.log(rows) - 2 * np.log(np.diag(root))))
    residual = np.eye(size) - inverse @ matrix
    trace = float(
        np.sum(np.diag(inverse) + np.sum(inverse * residual, 1) + np.sum(residual**2, 1) / alpha)
    )
    psi = np.log(alpha) + 1 / alpha - 1
    bound = 0.5 * (log_det + trace - size + (rounds - size) * psi + left / alpha)
    return float(bound + 1e-9 * max(1.0, bound))


def _table(values: FloatArray) -> Part:
    return listed(wholes(round(value * SCALE) for value in row) for row in values.tolist())
