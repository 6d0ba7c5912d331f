"""Theorem L: independent arms under prices, the lower bound that knows of many arms and fast drift.

For independent arms at fixed times with a Markov time kernel k_time ≥ 0, any policy, any noise and
any numbers λ_1, …, λ_n,

    E R_n ≥ Σ_i (E M_i − λ_i) − Σ_x V_x(λ),

M_i the largest value in round i and V_x(λ) the most that a player of arm x alone can earn who pays
λ_i for a look in round i. See docs/theory.md#theorem-l (the method: Whittle 1988). Every choice of
prices proves a bound; so they are searched in floating point by fixed steps, rounded to multiples
of 2⁻²⁰, and only the last values are bounds: V from above by `ArmValue`, E M from below by balls.

Long sequences are cut into blocks: what is known of an arm at the last round before a block, told
exactly, leaves every block a game of its own, and the regrets of the blocks, none below 0, add up.
Blocks end at the same rounds for every n, so that more rounds never prove less than fewer blocks.
At equal waits `long_run` has a bound for every number of rounds, and the larger is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from math import fsum, inf
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Lower, Upper, matrices
from bounds.enclosure.integrals import integral, normal_maximum
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret.lower.arm_value import ArmValue, Moves, constant, knots, quantised
from bounds.regret.lower.long_run import LongRun, long_run
from bounds.regret.lower.looks import Looks
from bounds.times import EvaluationTimes, ExactTimes

LONGEST_NOISY = 60
"""Rounds up to which looks with the problem's own noise are tried too."""

LONGEST_BLOCK = 240
"""Rounds of a game; a longer sequence is cut after so many, however long it is."""

LONGEST_CAREFUL = 100
"""Rounds up to which prices are searched with many steps and knots."""

HEADS = (1, 3, 8, 20, 45, LONGEST_CAREFUL)
"""Rounds of first parts that are solved too: more rounds never prove less than these."""

MOST_BLOCKS = 6
"""Different blocks that are solved; rounds behind them count as regret 0."""

_ROUGH, _COARSE, _FINE = 25, 41, 121  # knots of the search and of the bound
_FEW_WAITS, _MANY_WAITS = 300, 1_000  # different ones up to and from which knots are fewer
_FEW_CLASSES = 150  # of waits in a search
_HOPELESS = 0.02  # below 0, a round, from where finer knots and more rounds prove nothing
_ASTRAY = 0.2  # a round: well above what a search was seen to add to one price for all rounds
_STEADY = 0.12  # of E M, a round, from where the start-up is not what prices prove
_BISECTIONS = 12
_THOROUGH = 20  # rounds up to which a search takes 60 steps a phase
_PHASES = (0.2, 0.1, 0.05, 0.02, 0.01)  # first steps of the phases of a search
_LONGER = (0.2, 0.05, 0.01)  # the same over more rounds
_AGAIN = (0.05, 0.01)  # the same where the prices are near
_FALLING, _CARRIED, _MOST_SURPLUS = 0.05, 0.3, 4.0


@dataclass(frozen=True, eq=False)
class Priced:
    """A lower bound on E R_n by prices.

    Attributes
    ----------
    value : rounded down; 0 where the prices prove nothing
    prices : (m,) λ_i, exact numbers, of the m ≤ n rounds that count
    values : V_x(λ) of each block, rounded up, for one arm of each mean; inf where a search has
        found no prices that could prove anything
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
    near: FloatArray | None = None,
    knots_kept: int | None = None,
) -> Priced:
    """The bound by prices for independent arms of unit variance with these known means.

    Parameters
    ----------
    times : n rounds at fixed times
    kernel : a Markov time kernel with k_time ≥ 0 and an enclosure
    means : (K,) of the arms, in units of their standard deviation
    looks : what a look leaves unknown; by default nothing, valid for every noise
    prices : (n,) λ, by default searched
    near : (n,) prices from which the search of the first 240 rounds starts
    knots_kept : knots of the value functions, by default 121 or 61; their square is the cost

    Raises InvalidInput for another kernel or fewer than one arm, NoEnclosure without balls.

    >>> from bounds.kernels import Forgetting
    >>> bound = priced(EvaluationTimes.from_durations([1.0] * 8), Forgetting(0.75), [0.0] * 5)
    >>> 7.48 < bound.value < 7.5
    True
    """
    if not len(means):
        raise InvalidInput("means", "none", "give at least one arm")
    looks = Looks.exact() if looks is None else looks
    kinds = sorted(set(map(float, means)))
    counts = [sum(float(mean) == kind for mean in means) for kind in kinds]
    least = mean_of_largest(tuple(sorted(map(float, means))))
    chosen: list[FloatArray] = []
    values: list[tuple[float, ...]] = []
    solutions: dict[tuple[int, ...], tuple[FloatArray, tuple[float, ...]]] = {}
    total, best = 0.0, Priced(0.0, np.zeros(1), (), least)
    for start, part in blocks(times.exact):
        n = len(part.ticks) - (start > 0)
        key = (*(tick - part.ticks[0] for tick in part.ticks), int(start > 0))
        if key not in solutions or prices is not None:
            # Where the first rounds, of which most is unknown, prove nothing, later ones do not.
            if len(solutions) == MOST_BLOCKS or (start and total == 0.0 and prices is None):
                break

            games = partial(_Games, kernel, looks, kinds, counts, told=start > 0)
            if prices is None:
                # At equal waits the prices behind are near those of the first block.
                if start and _evenly(times.exact):
                    near = np.resize(chosen[0][-n:], n)
                solutions[key] = games(part).solved(least, near, knots_kept)
            else:
                asked = np.asarray(prices, dtype=float)[start : start + n]
                solutions[key] = asked, games(part).values(asked, knots_kept)
        own, value = solutions[key]
        worth = _worth_of(own, value, counts, least)
        if start == 0 and prices is None:
            # Prices found for few rounds may prove more than what is found for many; of m rounds
            # they prove no more than m·(E M − the largest mean).
            for m in [m for m in HEADS if m < n and m * (least - kinds[-1]) > worth]:
                game = games(part[:m])
                needed = max(worth, best.value) - _ASTRAY * m
                steady = m > _THOROUGH and worth > _STEADY * n * least
                if steady and game.worth(own[:m], least) < needed:
                    continue
                head = game.solved(least, None, knots_kept)
                if (first := _worth_of(*head, counts, least)) > max(worth, best.value):
                    best = Priced(first * (1.0 - 2.0**-50), head[0], (head[1],), least)
            if best.value > worth:
                return best
        chosen.append(own)
        values.append(value)
        total += worth * (1.0 - 2.0**-50)
    return Priced(total, np.concatenate(chosen), tuple(values), least)


def _worth_of(
    prices: FloatArray, values: tuple[float, ...], counts: Sequence[int], least: float
) -> float:
    """What prices of n rounds prove, rounded down: n·E M − Σλ − Σ_x V_x, or 0."""
    n, up = len(prices), 1.0 + 2.0**-50
    earned = fsum(count * value * up for count, value in zip(counts, values, strict=True))
    worth = fsum([n * least, -fsum(prices.tolist()), -earned])
    worth -= 2.0**-48 * (n * (abs(least) + float(np.max(np.abs(prices)))) + earned)
    return max(worth, 0.0)


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
) -> Priced:
    """The larger of the bounds with exact and with noisy looks."""
    exact = priced(times, kernel, means)
    if times.n < 2:
        return exact
    waits = sorted(b - a for a, b in pairwise(times.exact.ticks))
    least, usual = (
        float(kernel.deficit(float(wait * times.exact.unit))) * (1.0 - 2.0**-40)
        for wait in (waits[0], waits[len(waits) // 2])
    )
    # Noise below a hundredth of what a wait forgets changes nothing that is shown.
    if noise_variance < 0.01 * usual or times.n > LONGEST_NOISY:
        return exact
    looks = Looks.noisy(noise_variance, least, 3)
    near = exact.prices if len(exact.prices) == times.n else None
    noisy = priced(times, kernel, means, looks=looks, near=near, knots_kept=61)
    return max(exact, noisy, key=lambda bound: bound.value)


def blocks(times: ExactTimes) -> Iterator[tuple[int, ExactTimes]]:
    """The first round of each block, with its instants; behind the first with the round before.

    At equal waits all blocks behind the first are alike.
    """
    n = len(times.ticks)
    for start in range(0, n, LONGEST_BLOCK):
        yield start, times[slice(max(start - 1, 0), min(start + LONGEST_BLOCK, n))]


def _evenly(times: ExactTimes) -> bool:
    """Whether the rounds follow each other at one distance."""
    return len({b - a for a, b in pairwise(times.ticks)}) <= 1


@cache
def largest_mean(means: tuple[float, ...]) -> tuple[Lower, Upper]:
    """E max_x (μ_x + g_x) of independent standard normals g, from both sides.

    With c = max μ it is c + ∫_c (1 − ΠΦ(x − μ)) − ∫^c ΠΦ(x − μ). What is left out below c − R is at
    most ∫ Φ(x) of −R, and above c + R at least 0 and at most K times that.

    >>> low, high = largest_mean((0.0, 9.0))
    >>> round(low, 6), high - low < 1e-12
    (9.0, True)
    """
    reach, top = 15, max(means)
    with enclosure.precision(matrices.WORKING_BITS):
        if len(set(means)) == 1:
            maximum = enclosure.exact_double(top) + normal_maximum(len(means))
            return Lower(matrices.downward(maximum)), Upper(matrices.upward(maximum))
        distances = [enclosure.exact_double(top) - enclosure.exact_double(mean) for mean in means]
        root = enclosure.sqrt(2)

        def below(x: Any) -> Any:
            """ΠΦ(x + c − μ)."""
            product = 1
            for apart in distances:
                product = product * ((-(x + apart) / root).erfc() / 2)
            return product

        maximum = integral(lambda x: 1 - below(x), 0, reach) - integral(below, -reach, 0)
        maximum = enclosure.exact_double(top) + maximum
        tail = enclosure.exp(enclosure.exact(-reach * reach) / 2)
        low, high = matrices.downward(maximum - tail), matrices.upward(maximum + len(means) * tail)
        return Lower(low), Upper(high)


def mean_of_largest(means: tuple[float, ...]) -> Lower:
    """E max_x (μ_x + g_x) of independent standard normals g, rounded down.

    >>> round(mean_of_largest((0.0, 0.0)), 6), round(mean_of_largest((0.0, 9.0)), 6)
    (0.56419, 9.0)
    """
    return largest_mean(means)[0]


class _Games:
    """The games of the arms of each mean in one block, with coarse knots to search by."""

    def __init__(
        self,
        kernel: Kernel,
        looks: Looks,
        kinds: Sequence[float],
        counts: Sequence[int],
        part: ExactTimes,
        *,
        told: bool,
    ) -> None:
        self._moves, self.told = Moves.of(part, kernel, looks).classed(), told
        self._kinds, self._counts = kinds, counts
        self.n = self._moves.n - told
        few = self.n <= LONGEST_CAREFUL and self._moves.spreads.size <= _FEW_WAITS
        self._few = _COARSE if few else _ROUGH
        self._rough = self._moves if few else self._moves.classed(_FEW_CLASSES, _FEW_CLASSES)

    def solved(
        self, maximum: float, near: FloatArray | None, kept: int | None
    ) -> tuple[FloatArray, tuple[float, ...]]:
        """Prices searched for all rounds, and V of an arm of each mean, rounded up."""
        if near is None:
            prices, worth = self.searched(maximum)
            if self.n > LONGEST_NOISY and worth < -_HOPELESS * self.n:
                return prices, (inf,) * len(self._kinds)
        else:
            prices = self._climbed(self._game(self._few, near), near, maximum, _AGAIN, 16)[0]
        return prices, self.values(prices, kept)

    def values(self, prices: FloatArray, kept: int | None) -> tuple[float, ...]:
        """V of an arm of each mean, rounded up."""
        if kept is None:
            kept = _FINE if len(self._moves.decays) < _MANY_WAITS else _FINE // 2 + 1
        game = ArmValue(self._moves, knots(kept, float(np.median(prices))), told=self.told)
        return tuple(game.value(_net(prices, kind)) for kind in self._kinds)

    def worth(self, prices: FloatArray, maximum: float) -> float:
        """The bound of these prices with coarse knots."""
        return self._worth(self._game(self._few, prices), prices, maximum)[0]

    def searched(self, maximum: float) -> tuple[FloatArray, float]:
        """Prices of all rounds for which the bound is large, and that bound with coarse knots."""
        game = ArmValue(self._rough, knots(self._few, 0.8 * maximum), told=self.told)
        best = constant(self._one_price(game, maximum), self.n)
        steps = 60 if self.n <= _THOROUGH else 16
        phases = _PHASES if self.n <= LONGEST_CAREFUL else _LONGER
        return self._climbed(self._game(self._few, best), best, maximum, phases, steps)

    def _game(self, kept: int, prices: FloatArray) -> ArmValue:
        return ArmValue(self._rough, knots(kept, float(np.median(prices))), told=self.told)

    def _climbed(
        self,
        game: ArmValue,
        best: FloatArray,
        maximum: float,
        phases: Sequence[float],
        steps: int,
    ) -> tuple[FloatArray, float]:
        """Better prices in this game, and the bound of them.

        Momentum with falling steps on the surplus of looks, K·P(a_i = 1) − 1, a supergradient;
        every phase starts from the best prices so far.
        """
        worth, most = self._worth(game, best, maximum)
        if self.n > LONGEST_CAREFUL and worth < -_ASTRAY * self.n:
            return best, worth
        for first in phases:
            prices, surplus, speed = best, most, np.zeros(self.n)
            for step in range(1, steps):
                rate = first / (1.0 + _FALLING * (step - 1))
                speed = _CARRIED * speed + rate * np.clip(surplus, -1.0, _MOST_SURPLUS)
                prices = quantised(prices + speed)
                value, surplus = self._worth(game, prices, maximum)
                if value > worth:
                    best, worth, most = prices, value, surplus
        return best, worth

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
