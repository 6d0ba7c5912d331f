"""Check the lower bound by prices of a certificate again, by code of its own (Theorem L).

    E R_n ≥ n·E max − Σλ_i − K·V(λ)

for K independent arms, n the rounds that have prices, all or the first. V is found again from
above, for the prices and knots of the file: what a player of one arm may earn after a look that
shows u is kept at knots, is a chord between them (it is convex), its first value left of them (it
does not fall), and Σk right of them. Here the mean of such a function is a sum over the pieces
between knots: the slope of each, times E(X−u_l)₊ − E(X−u_{l+1})₊ from balls. The recursion is in
doubles whose terms are none of them negative, each step rounded up by more than all of its
roundings. Nothing calls the code that found the prices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Number, matrices
from proofs_check.recheck.bounds.floor import largest_of_normals
from proofs_check.recheck.grid import exact, forgets, kernel_value
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.problem import domain_size
from proofs_check.recheck.times import exact_instants

_BITS = 96
_UP = 1.0 + 2.0**-40
_SLACK = 2.0**-45
_MOST_KNOTS = 400
_MOST_WORK = 12_000_000
"""Knots of a file, and balls: different waits times the square of the knots."""

_LARGEST = 1e6
"""Prices and knots beyond which doubles say nothing of use."""


def recheck_prices(entry: Mapping[str, Any], problem: Mapping[str, Any]) -> Number:
    """What prices and knots of a certificate prove for its problem, whatever the delay.

    Refused for another problem than independent arms with the forgetting or the exponential time
    kernel, and for prices or knots that are none.
    """
    if problem["space_kernel"]["type"] != "Independent":
        raise Refused("prices are for independent arms")
    kernel = problem["time_kernel"]
    if not forgets(kernel):
        raise Refused("prices are for the forgetting and the exponential kernel alone")
    with enclosure.precision(_BITS):
        instants = exact_instants(problem)
        prices, knots = _increasing(entry, len(instants))
        # Rounds behind those that have a price count as regret 0.
        instants = instants[: len(prices)]
        value = _most_earned(kernel, instants, prices, knots)
        arms, n = domain_size(problem), len(instants)
        if arms < 2:
            raise Refused("prices are for two arms or more")
        paid = enclosure.total([exact(price) for price in prices.tolist()])
        return n * largest_of_normals(arms) - paid - arms * exact(value)


def _increasing(entry: Mapping[str, Any], n: int) -> tuple[FloatArray, FloatArray]:
    """The prices, one for each of the first rounds, and the knots, each above the one before."""
    prices = np.array([float(price) for price in entry["prices"]])
    knots = np.array([float(knot) for knot in entry["knots"]])
    if not 1 <= len(prices) <= n:
        raise Refused("one price for each duration, or for the first ones")
    if not 2 <= len(knots) <= _MOST_KNOTS or not np.all(np.diff(knots) > 0.0):
        raise Refused(f"the knots do not increase, or are not from 2 to {_MOST_KNOTS}")
    if max(np.max(np.abs(prices)), np.max(np.abs(knots))) > _LARGEST:
        raise Refused(f"prices or knots beyond {_LARGEST:g}")
    return prices, knots


def _most_earned(
    kernel: Mapping[str, Any],
    instants: Sequence[Fraction],
    prices: FloatArray,
    knots: FloatArray,
) -> float:
    """V(λ) rounded up, from the last round back to the first."""
    n, waits = len(instants), {b - a for i, b in enumerate(instants) for a in instants[:i]}
    if len(waits) * len(knots) ** 2 > _MOST_WORK:
        raise Refused("too many different waits for so many knots")
    steps = {wait: _Step.of(kernel, wait, knots) for wait in waits}
    gaps = np.diff(knots)
    least, slopes = np.zeros(n), np.zeros((n, len(knots)))
    for j in range(n - 1, -1, -1):
        values, furthest = np.zeros(len(knots)), 0.0
        for i in range(j + 1, n):
            step = steps[instants[i] - instants[j]]
            later = (least[i] + step.pieces @ slopes[i]) * _UP
            size = np.abs(step.means) + abs(float(prices[i])) + 1.0
            values = np.maximum(values, step.means - prices[i] + later + _SLACK * size)
            furthest = (furthest + step.decay) * _UP
        values = np.maximum.accumulate(values)
        least[j], slopes[j, :-1], slopes[j, -1] = values[0], np.diff(values) / gaps * _UP, furthest
    first = _pieces(enclosure.ball(0), enclosure.ball(1), knots[:1], knots)[0]
    own = prices[:n]
    starts = (least + slopes @ first) * _UP - own + _SLACK * (1.0 + np.abs(own))
    return max(0.0, float(np.max(starts)))


class _Step:
    """One wait: k and ku rounded up, and what pieces of a function are worth after it.

    decay : k
    means : (M,) ku at each knot u
    pieces : (M, M) by knot u and piece l, E(X−u_l)₊ − E(X−u_{l+1})₊ of X = ku + √(1−k²)Z
    """

    def __init__(self, decay: float, means: FloatArray, pieces: FloatArray) -> None:
        self.decay, self.means, self.pieces = decay, means, pieces

    @classmethod
    def of(cls, kernel: Mapping[str, Any], wait: Fraction, knots: FloatArray) -> _Step:
        k = enclosure.ball(kernel_value(kernel, wait))
        spread = enclosure.sqrt(enclosure.maximum(1 - k * k, 0))
        means = [float(matrices.upward(enclosure.ball(k * exact(u)))) for u in knots.tolist()]
        return cls(float(matrices.upward(k)), np.array(means), _pieces(k, spread, knots, knots))


def _pieces(k: Number, spread: Number, rows: FloatArray, knots: FloatArray) -> FloatArray:
    """(rows, knots): E(X−u_l)₊ − E(X−u_{l+1})₊ rounded up; for the last knot E(X−u_M)₊ alone."""
    still = enclosure.certainly_lt(0, spread) is not True
    scale = 1 / enclosure.sqrt(2 * enclosure.pi())
    between = enclosure.interval(Fraction(0), Fraction(1))
    pieces = np.empty((len(rows), len(knots)))
    at = [exact(knot) for knot in knots.tolist()]
    for m, u in enumerate(rows.tolist()):
        mean, excess = k * exact(u), []
        for knot in at:
            d = mean - knot
            if still:
                # E(d + sZ)₊ is at most d₊ + s/√(2π) and at least d₊, with s next to nothing.
                some = enclosure.maximum(d, 0)
                excess.append(enclosure.ball(some + spread * scale * between))
                continue
            z = d / spread
            density = scale * enclosure.exp(-z * z / 2)
            excess.append(enclosure.ball(spread * density + d * enclosure.normal_cdf(z)))
        ends = [*excess[1:], enclosure.ball(0)]
        pieces[m] = [
            max(0.0, float(matrices.upward(enclosure.ball(a - b))))
            for a, b in zip(excess, ends, strict=True)
        ]
    return pieces
