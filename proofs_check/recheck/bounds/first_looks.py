"""What two or more known looks are worth on a field of the squared exponential, derived again.

docs/theory.md#lemma-2s by code of this file alone. The weights of Edmundson and Madansky are balls,
from the recursion of the χ distributions, and so are exponentials: those of products ij/2¹⁶ are
products of two from tables. The rest is + − × ÷ √ of doubles, u = 2⁻⁵³, each number above by a
factor 1 + 2⁻⁴⁸ for its few roundings: a value at a corner (w_1, w_2, z) is a sum of three terms of
size w_1, w_2 + z and w_2 + z at most, raised by 2⁻⁴⁷(w_1 + w_2 + z), and the sum over at most 26³
corners of terms ≥ 0 by 2⁻³⁷.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Number, matrices
from bounds.enclosure.doubles import require_doubles
from proofs_check.recheck.grid import exact

_CORNERS, _REACH, _BITS = 26, 4.6, 128
_UP, _DOWN = 1.0 + 2.0**-48, 1.0 - 2.0**-48
_PLACES, _OFFSETS = 128, 512  # cells of a and of d in a unit; their product is 2¹⁶


def shaped_worth(known: int, noise: float, correlation: float, left: float) -> float:
    """At least E max_x μ after `known` ≥ 2 looks, σ² = `noise`, with a share `left` not known.

    `correlation` is at most that in time of the first look with the round.
    """
    require_doubles()
    reach = sqrt(1.0 - left) * _UP
    with enclosure.precision(_BITS):
        normal, normal_weights, normal_rest = _corners(1)
        z, z_weights, z_rest = _corners(known - 2)
        lengths = mean_lengths(known)
        both = float(matrices.upward(enclosure.ball(lengths[-1] + lengths[-2])))
    total = 0.0
    for sign in (1, -1):
        worth = _best(sign, reach, noise, correlation, left, normal, z)
        weights = normal_weights[:, None, None] * normal_weights[:, None] * z_weights
        along = (1.0 if sign == 1 else 0.0) + 0.60654  # e^{−1/2} = 0.606530…
        total += float(np.sum(weights * worth)) + normal_rest * along + z_rest
    return 0.25 * (reach * both + total) * (1.0 + 2.0**-37)


def mean_lengths(most: int) -> list[Number]:
    """Eχ_k for k ≤ most: 0, √(2/π), then (k−1)/Eχ_{k−1}; the recursion of Γ, not Γ itself."""
    lengths = [0, enclosure.sqrt(enclosure.divide(2, enclosure.pi()))]
    for k in range(2, most + 1):
        lengths.append(enclosure.divide(k - 1, lengths[-1]))
    return lengths


def _beyond(freedom: int, x: Any) -> Any:
    """P(χ_k > x): 2(1 − Φ(x)) or e^{−x²/2}, then + (x²/2)^{k/2}e^{−x²/2}/Γ(k/2+1) to k + 2."""
    root, half, decay = x / enclosure.sqrt(2), x * x / 2, enclosure.exp(-x * x / 2)
    k = 2 - freedom % 2
    tail = 2 * enclosure.normal_cdf(-x) if k == 1 else decay
    term = decay * (root * 2 / enclosure.sqrt(enclosure.pi()) if k == 1 else half)
    while k < freedom:
        tail, k = tail + term, k + 2
        term = term * half * 2 / k
    return tail


@lru_cache(maxsize=16)
def _corners(freedom: int) -> tuple[FloatArray, FloatArray, float]:
    """Corners of a χ variable cut at the last of them, weights, and what the cut takes in mean."""
    if freedom == 0:
        return np.zeros(1), np.ones(1), 0.0
    middle = sqrt(freedom - 0.5)
    at = np.linspace(max(0.0, middle - _REACH), middle + _REACH, _CORNERS)
    at[0] = 0.0
    mean = mean_lengths(freedom)[-1]
    x = [enclosure.ball(exact(corner)) for corner in at.tolist()]
    tails = [(_beyond(freedom, point), mean * _beyond(freedom + 1, point)) for point in x]
    weights: list[Any] = [enclosure.ball(0) for _ in x]
    for j in range(_CORNERS - 1):
        mass, moment = (a - b for a, b in zip(tails[j], tails[j + 1], strict=True))
        share = (moment - x[j] * mass) / (x[j + 1] - x[j])
        weights[j], weights[j + 1] = weights[j] + mass - share, weights[j + 1] + share
    weights[-1] = weights[-1] + tails[-1][0]
    rest = matrices.upward(enclosure.ball(tails[-1][1] - x[-1] * tails[-1][0]))
    above = [max(0.0, float(matrices.upward(enclosure.ball(weight)))) for weight in weights]
    return at, np.array(above), max(0.0, float(rest))


def _exps(values: Any) -> FloatArray:
    """e^{−x} for numbers x: the nearest doubles."""
    return np.array([float(enclosure.ball(enclosure.exp(-exact(x))).mid()) for x in values])


@lru_cache(maxsize=8)
def _cells(noise: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """On cells of a: the largest and the least of c_1 for T = 1, and the largest C(a)."""
    near = np.array([*range(449), 512, 640])
    offsets = np.arange(int(4.5 * _OFFSETS) + 1)
    with enclosure.precision(_BITS):
        bells = _exps((near / _PLACES) ** 2 / 2)  # exact: few bits
        apart = _exps((offsets / _OFFSETS) ** 2 / 2)
        coarse, fine = _exps(np.arange(1500) / 64.0), _exps(np.arange(1024) / 65536.0)
    scale = 1.0 / np.sqrt(1.0 + noise)
    least = np.append(scale * bells[1:], 0.0) * _DOWN
    q = 1.0 / (1.0 + noise)
    products = near[1:, None] * offsets[1:]
    gained = np.full((len(near), len(offsets)), q * _UP)
    decayed = coarse[products // 1024] * fine[products % 1024] * _DOWN
    gained[:-1, :-1] = np.maximum(q * _UP - decayed, 0.0) * _UP
    below = (1.0 + noise) * _DOWN - q * apart * apart * _UP
    spread = np.where(below > 0.0, apart * _UP / np.sqrt(np.maximum(below, 1e-300)), 1e300)
    second = bells * np.max(gained * spread, axis=1) * _UP
    return scale * bells * _UP, least, second


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
    best = np.broadcast_to(reach * third, (len(w), len(w), len(z))).copy()
    length = np.sqrt(second * second + third * third)
    for most, smallest, largest in zip(*(_cells(noise)[i] for i in (2, 1, 0)), strict=True):
        least = correlation * smallest * _DOWN
        room = sqrt(max(1.0 - left - least * least, 0.0) + 2.0**-50) * _UP
        c = min(most, room)
        spent = c * second + np.sqrt((room - c) * (room + c)) * third
        # Cauchy and Schwarz: room·length is above in any case.
        inside = room * second * _DOWN <= c * length
        along = largest * first if sign == 1 else -least * first
        np.maximum(best, along + np.where(inside, room * length, spent), out=best)
    return best + 2.0**-47 * (first + second + third)
