"""What two or more known looks are worth on a field of the squared exponential, derived again.

docs/theory.md#lemma-2s by code of this file alone: the weights of Edmundson and Madansky from
distribution functions, finer cells than those of the finder, all corners at once by numpy. In
doubles, each operation right to some units in the last place, below a margin that is far above.
"""

from __future__ import annotations

from itertools import pairwise
from math import exp, sqrt

import numpy as np
from scipy import stats

from bounds.arrays import FloatArray

_MARGIN = 2e-9
_CORNERS, _REACH = 26, 4.6


def shaped_worth(known: int, noise: float, correlation: float, left: float) -> float:
    """At least E max_x μ after `known` ≥ 2 looks, σ² = `noise`, with a share `left` not known.

    `correlation` is at most that in time of the first look with the round.
    """
    reach = sqrt(1.0 - left)
    normal, normal_weights, normal_rest = _corners(1)
    z, z_weights, z_rest = _corners(known - 2)
    total = 0.0
    for sign in (1, -1):
        worth = _best(sign, reach, noise, correlation, left, normal, z)
        middle = np.einsum("i,j,k,ijk->", normal_weights, normal_weights, z_weights, worth)
        along = (1.0 if sign == 1 else 0.0) + exp(-0.5)
        total += float(middle) + normal_rest * along + z_rest
    lengths = stats.chi(known).mean() + stats.chi(known - 1).mean()
    return 0.25 * (reach * float(lengths) + total) * (1.0 + _MARGIN) + _MARGIN


def _corners(freedom: int) -> tuple[FloatArray, FloatArray, float]:
    """Corners of a χ variable cut at the last of them, weights, and what the cut takes in mean."""
    if freedom == 0:
        return np.zeros(1), np.ones(1), 0.0
    law = stats.chi(freedom)
    low = max(0.0, sqrt(freedom) - _REACH)
    at = np.linspace(low, sqrt(freedom) + _REACH, _CORNERS)
    at[0] = 0.0
    mass = np.diff(-law.sf(at))
    moment = law.mean() * np.diff(-stats.chi(freedom + 1).sf(at))
    share = (moment - at[:-1] * mass) / np.diff(at)
    weights = np.zeros(_CORNERS)
    weights[:-1] += mass - share
    weights[1:] += share
    weights[-1] += law.sf(at[-1])
    rest = law.mean() * stats.chi(freedom + 1).sf(at[-1]) - at[-1] * law.sf(at[-1])
    return at, np.maximum(weights, 0.0), max(float(rest), 0.0) + 1e-12


def _best(
    sign: int,
    reach: float,
    noise: float,
    correlation: float,
    left: float,
    w: FloatArray,
    z: FloatArray,
) -> FloatArray:
    """h_± at all corners (|w_1|, |w_2|, z), rounded up by cells of the distance a."""
    first, second, third = w[:, None, None], w[None, :, None], z[None, None, :]
    found = np.broadcast_to(reach * third, (len(w), len(w), len(z))).copy()
    length = np.hypot(second, third)
    edges = [*np.linspace(0.0, 3.4, 521), 4.0, 5.0, 40.0]
    offsets = np.concatenate((np.linspace(0.0, 4.5, 2401), [60.0]))
    q = 1.0 / (1.0 + noise)
    spread = np.exp(-0.5 * offsets[:-1] ** 2)
    spread = spread / np.sqrt(1.0 + noise - q * np.exp(-(offsets[:-1] ** 2)))
    for near, far in pairwise(edges):
        scale = 1.0 / sqrt(1.0 + noise)
        largest, least = scale * exp(-near * near / 2), correlation * scale * exp(-far * far / 2)
        if far == edges[-1]:
            least, gained = 0.0, np.full(len(spread), q)
        else:
            gained = np.maximum(q - np.exp(-far * offsets[1:]), 0.0)
        most = exp(-near * near / 2) * float(np.max(gained * spread)) + 1e-13
        room = sqrt(max(1.0 - left - least * least, 0.0))
        c = min(most, room)
        inside = room * second <= c * length
        spent = c * second + sqrt(max(room * room - c * c, 0.0)) * third
        along = largest * first if sign == 1 else -least * first
        np.maximum(found, along + np.where(inside, room * length, spent), out=found)
    return found
