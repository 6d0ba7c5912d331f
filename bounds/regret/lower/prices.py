"""Theorem L: independent arms under prices, the lower bound that knows of many arms and fast drift.

For independent arms at fixed times with a Markov time kernel k_time ≥ 0, any policy, any noise and
any numbers λ_1, …, λ_n,

    E R_n ≥ Σ_i (E M_i − λ_i) − Σ_x V_x(λ),

M_i the largest value in round i and V_x(λ) the most that a player of arm x alone can earn who pays
λ_i for a look in round i. See docs/theory.md#theorem-l (the method: Whittle 1988). Every choice of
prices proves a bound; so they are searched in floating point by fixed steps, rounded to multiples
of 2⁻²⁰, and only the last values are bounds: V from above by `ArmValue`, E M from below by balls.

Long sequences are cut into blocks: what is known of an arm at the last round before a block, told
exactly, leaves every block a game of its own, and the regrets of the blocks add up. At equal waits
`long_run` has a bound for every number of rounds, and the larger is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import fsum
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Lower, matrices
from bounds.enclosure.integrals import integral, normal_maximum
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret.lower.arm_value import ArmValue, Moves, constant, knots, quantised
from bounds.regret.lower.long_run import LongRun, long_run
from bounds.regret.lower.looks import Looks
from bounds.times import EvaluationTimes, ExactTimes

LONGEST_VARYING = 60
"""Rounds up to which every round gets its own price."""

LONGEST_BLOCK = 240
"""Rounds of a game; a longer sequence is cut into blocks of nearly the same length."""

MOST_BLOCKS = 6
"""Different blocks up to which a sequence is bounded without being asked for."""

_COARSE, _FINE = 41, 121  # knots of the search and of the bound
_MANY_WAITS = 1_000  # different waits from which the bound has half as many knots
_BISECTIONS = 14
_PHASES = (0.2, 0.1, 0.05, 0.02, 0.01)  # first steps of the phases of a search
_FALLING, _CARRIED, _MOST_SURPLUS = 0.05, 0.3, 4.0


@dataclass(frozen=True, eq=False)
class Priced:
    """A lower bound on E R_n by prices.

    Attributes
    ----------
    value : rounded down; negative where the prices prove nothing
    prices : (n,) λ_i, exact numbers
    values : V_x(λ) of each block, rounded up, for one arm of each mean
    maximum : E M_i, rounded down
    """

    value: float
    prices: FloatArray
    values: tuple[tuple[float, ...], ...]
    maximum: float

    @property
    def is_constant(self) -> bool:
        """Whether all rounds have one price."""
        return bool(np.all(self.prices == self.prices[0]))


def priced(
    times: EvaluationTimes,
    kernel: Kernel,
    means: Sequence[float],
    *,
    looks: Looks | None = None,
    prices: FloatArray | None = None,
    knots_kept: int | None = None,
) -> Priced:
    """The bound by prices for independent arms of unit variance with these known means.

    Parameters
    ----------
    times : n rounds at fixed times
    kernel : a Markov time kernel with k_time ≥ 0 and an enclosure
    means : (K,) of the arms, in units of their standard deviation
    looks : what a look leaves unknown; by default nothing, valid for every noise
    prices : (n,) λ, by default searched: one for each round up to 60 rounds, else one a block
    knots_kept : knots of the value functions, by default 121 or 61; their square is the cost

    Raises InvalidInput for another kernel or fewer than one arm, NoEnclosure without balls.

    >>> from bounds.kernels import Forgetting
    >>> found = priced(EvaluationTimes.from_durations([1.0] * 8), Forgetting(0.75), [0.0] * 5)
    >>> 7.48 < found.value < 7.5
    True
    """
    if not len(means):
        raise InvalidInput("means", "none", "give at least one arm")
    seen = Looks.exact() if looks is None else looks
    kinds = sorted(set(map(float, means)))
    counts = [sum(float(mean) == kind for mean in means) for kind in kinds]
    least = mean_of_largest(tuple(sorted(map(float, means))))
    chosen, values = np.empty(times.n), []
    found: dict[tuple[int, ...], tuple[FloatArray, tuple[float, ...]]] = {}
    for start, part in blocks(times.exact):
        n = len(part.ticks) - (start > 0)
        asked = None if prices is None else np.asarray(prices, dtype=float)[start : start + n]
        key = (*(tick - part.ticks[0] for tick in part.ticks), int(start > 0))
        if key not in found or asked is not None:
            games = _Games(part, kernel, seen, kinds, counts, told=start > 0)
            best = asked
            if best is None:
                head = _Games(
                    part[: LONGEST_VARYING + (start > 0)],
                    kernel,
                    seen,
                    kinds,
                    counts,
                    told=start > 0,
                )
                best = stretched(head.searched(least, varying=_evenly(part)), n)
            found[key] = best, games.values(best, knots_kept)
        chosen[start : start + n], value = found[key]
        values.append(value)
    earned = fsum(
        count * value * (1.0 + 2.0**-50)
        for each in values
        for count, value in zip(counts, each, strict=True)
    )
    total = fsum([times.n * least, -fsum(chosen.tolist()), -earned])
    total -= 2.0**-48 * (times.n * (abs(least) + float(np.max(np.abs(chosen)))) + earned)
    return Priced(total, chosen, tuple(values), least)


def steady_price(times: ExactTimes, kernel: Kernel, arms: int, largest: float) -> LongRun | None:
    """The bound for every number of rounds; None for few rounds or different waits."""
    ticks = times.ticks
    if len(ticks) <= LONGEST_BLOCK or not _evenly(times) or ticks[0] == ticks[1]:
        return None
    wait = (ticks[1] - ticks[0]) * times.unit
    forgets = enclosure.certainly_lt(enclosure.ball(kernel.enclosed_at_distance(wait)), 1)
    return long_run(wait, kernel, arms, largest) if forgets else None


def best_prices(
    times: EvaluationTimes, kernel: Kernel, means: Sequence[float], noise_variance: float
) -> Priced | None:
    """The larger of the bounds with exact and with noisy looks; None for too many blocks."""
    different = {tuple(t - part.ticks[0] for t in part.ticks) for _, part in blocks(times.exact)}
    if len(different) > MOST_BLOCKS:
        return None
    exact = priced(times, kernel, means)
    if times.n < 2:
        return exact
    least_wait = min(b - a for a, b in pairwise(times.exact.ticks))
    lost = float(kernel.deficit(float(least_wait * times.exact.unit))) * (1.0 - 2.0**-40)
    # Noise below a hundredth of what a wait forgets changes nothing that is shown.
    if noise_variance < 0.01 * lost or len(different) > 1 or times.n > LONGEST_VARYING:
        return exact
    noisy = priced(
        times,
        kernel,
        means,
        looks=Looks.noisy(noise_variance, lost, 3),
        prices=None,
        knots_kept=61,
    )
    return max(exact, noisy, key=lambda found: found.value)


def blocks(times: ExactTimes) -> Iterator[tuple[int, ExactTimes]]:
    """The first round of each block, with its instants; behind the first with the round before."""
    n = len(times.ticks)
    length = -(-n // -(-n // LONGEST_BLOCK))
    for start in range(0, n, length):
        yield start, times[slice(max(start - 1, 0), min(start + length, n))]


def stretched(prices: FloatArray, n: int) -> FloatArray:
    """The prices of a short sequence for n rounds: its halves at the ends, its middle between.

    >>> stretched(np.array([1.0, 2.0, 3.0]), 5).tolist()
    [1.0, 2.0, 2.0, 2.0, 3.0]
    """
    half = len(prices) // 2
    between = np.full(n - len(prices), prices[half])
    return np.concatenate([prices[:half], between, prices[half:]])


def _evenly(times: ExactTimes) -> bool:
    """Whether the rounds are few, or follow each other at one distance."""
    ticks = times.ticks
    if len(ticks) <= LONGEST_VARYING + 1:
        return True
    return len({b - a for a, b in pairwise(ticks)}) == 1


@cache
def mean_of_largest(means: tuple[float, ...]) -> Lower:
    """E max_x (μ_x + g_x) of independent standard normals g, rounded down.

    With c = max μ it is c + ∫_c (1 − ΠΦ(x − μ)) − ∫^c ΠΦ(x − μ). What is left out below c − R is at
    most ∫ Φ(x) of −R, and above c + R it is not negative: left out it only lowers the number.

    >>> round(mean_of_largest((0.0, 0.0)), 6), round(mean_of_largest((0.0, 9.0)), 6)
    (0.56419, 9.0)
    """
    reach, top = 15, max(means)
    if len(set(means)) == 1:
        with enclosure.precision(matrices.WORKING_BITS):
            return matrices.downward(enclosure.exact_double(top) + normal_maximum(len(means)))
    with enclosure.precision(matrices.WORKING_BITS):
        distances = [enclosure.exact_double(top) - enclosure.exact_double(mean) for mean in means]
        root = enclosure.sqrt(2)

        def below(x: Any) -> Any:
            """ΠΦ(x + c − μ)."""
            found = 1
            for apart in distances:
                found = found * ((-(x + apart) / root).erfc() / 2)
            return found

        found = integral(lambda x: 1 - below(x), 0, reach) - integral(below, -reach, 0)
        tail = enclosure.exp(enclosure.exact(-reach * reach) / 2)
        return matrices.downward(enclosure.exact_double(top) + found - tail)


class _Games:
    """The games of the arms of each mean in one block, with coarse knots to search by."""

    def __init__(
        self,
        part: ExactTimes,
        kernel: Kernel,
        looks: Looks,
        kinds: Sequence[float],
        counts: Sequence[int],
        *,
        told: bool,
    ) -> None:
        self._moves, self._told = Moves.of(part, kernel, looks), told
        self._kinds, self._counts = kinds, counts
        self.n = self._moves.n - told

    def values(self, prices: FloatArray, kept: int | None) -> tuple[float, ...]:
        """V of an arm of each mean, rounded up."""
        if kept is None:
            kept = _FINE if len(self._moves.decays) < _MANY_WAITS else _FINE // 2 + 1
        centre = float(np.median(prices))
        game = ArmValue(self._moves, knots(kept, centre), told=self._told)
        return tuple(game.value(_net(prices, kind)) for kind in self._kinds)

    def searched(self, maximum: float, *, varying: bool) -> FloatArray:
        """Prices for which the bound is large: one, or one for each round."""
        game = ArmValue(self._moves, knots(_COARSE, 0.8 * maximum), told=self._told)
        best = constant(self._one_price(game, maximum), self.n)
        if not varying:
            return best
        game = ArmValue(self._moves, knots(_COARSE, float(best[0])), told=self._told)
        worth, _ = self._worth(game, best, maximum)
        # Momentum with falling steps on the surplus of looks, K·P(a_i = 1) − 1, a supergradient;
        # every phase starts from the best prices so far.
        for first in _PHASES:
            prices, speed = best, np.zeros(self.n)
            for step in range(60 if self.n <= 20 else 16):
                found, surplus = self._worth(game, prices, maximum)
                if found > worth:
                    best, worth = prices, found
                rate = first / (1.0 + _FALLING * step)
                speed = _CARRIED * speed + rate * np.clip(surplus, -1.0, _MOST_SURPLUS)
                prices = quantised(prices + speed)
        return best

    def _one_price(self, game: ArmValue, maximum: float) -> float:
        """Where the expected looks of all arms are as many as the rounds."""
        low, high = min(self._kinds) - 4.0, maximum
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            _, surplus = self._worth(game, constant(middle, self.n), maximum)
            low, high = (middle, high) if float(np.sum(surplus)) > 0.0 else (low, middle)
        return float(quantised([0.5 * (low + high)])[0])

    def _worth(
        self, game: ArmValue, prices: FloatArray, maximum: float
    ) -> tuple[float, FloatArray]:
        """The bound of these prices with coarse knots, and by how much looks exceed one a round."""
        worth, surplus = fsum((maximum - prices).tolist()), np.full(self.n, -1.0)
        for kind, count in zip(self._kinds, self._counts, strict=True):
            value, expected = game.looks(_net(prices, kind))
            worth -= count * value
            surplus = surplus + count * expected
        return worth, surplus


def _net(prices: FloatArray, mean: float) -> FloatArray:
    """What a look at an arm of this mean costs, λ − μ rounded down: the value only grows."""
    return np.asarray(prices - mean - 2.0**-50 * (np.abs(prices) + abs(mean)) * (mean != 0.0))
