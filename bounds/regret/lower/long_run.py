"""Theorem L at equal waits for every number of rounds at once: a supersolution of one arm's game.

With φ = k_time of a wait, a price λ and exact looks, let h ≥ 0 be convex and non-decreasing with

    h(u) ≥ φ^k u − λ − gk + E h(φ^k u + √(1 − φ^2k) Z)    for all u and k ≥ 1, with a g ≥ 0.

Then a player of one arm earns at most gn + (E h(Z) − λ)₊ in n rounds, by induction, so that

    E R_n ≥ n(E M − λ − K·g) − K·(E h(Z) − λ)₊    for every n.

Every h proves a g: the largest of what is asked for at k, over k. Here h comes from policy
iteration for the mean reward a round, in floating point, and only g is a bound. It is linear
between knots, constant left of them and of slope at least φ/(1 − φ) right of them: the right side
is convex, does not fall, and rises no faster than h there, so that knots are enough. All k > H are
one wait more, of which it is at most φ^H u₊ − λ − g(H + 1) + E h(φ^H u₊ + Z).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import matrices
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret.lower.arm_value import knots, quantised, require_markov
from bounds.regret.lower.normal_excess import excess_table, excesses_above

_FEWEST, _MOST = 30, 300  # waits
_FORGOTTEN = 0.003  # φ^H, for which the last wait is long enough
_COARSE, _FINE = 61, 121  # knots of the search and of the bound
_FAR = 12  # knots beyond the usual ones
_TRIALS, _POLICIES = 12, 20
_HOPELESS = 0.05
_GOLDEN = 0.5 * (5.0**0.5 - 1.0)
_SLACK = 2.0**-40


@dataclass(frozen=True)
class LongRun:
    """E R_n ≥ n·rate − start for K independent arms at n equal waits, for every n.

    Attributes
    ----------
    rate : E M − λ − K·g, rounded down
    start : K·(E h(Z) − λ)₊, rounded up
    price, gain : λ, and g rounded up
    """

    rate: float
    start: float
    price: float
    gain: float

    def at(self, n: int) -> float:
        """The bound for n rounds, rounded down."""
        value = n * self.rate - self.start
        return value - 2.0**-48 * (n * abs(self.rate) + self.start)


def long_run(wait: Fraction, kernel: Kernel, arms: int, largest: float) -> LongRun:
    """The bound for rounds a wait apart, with the price searched for.

    Parameters
    ----------
    wait : between two rounds
    kernel : a Markov time kernel with k_time ≥ 0 and an enclosure
    arms : K ≥ 1
    largest : E M of K arms, rounded down

    Cost: some ten million products, whatever n. Raises InvalidInput for a kernel that does not
    forget.

    >>> from bounds.kernels import Forgetting
    >>> 0.3192 < long_run(Fraction(1), Forgetting(0.75), 2, 0.56418).rate < 0.3203
    True
    """
    low, high = -3.0, max(largest, 0.5)
    coarse = _Game(wait, kernel, _COARSE, 0.8 * largest)

    def rate(price: float) -> float:
        gain, _ = coarse.gain(float(quantised([price])[0]))
        return -price - arms * gain

    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    rates = [rate(price) for price in inner]
    for _ in range(_TRIALS):
        worse = int(rates[1] < rates[0])  # the end beyond it falls away
        if worse:
            high = inner[1]
        else:
            low = inner[0]
        moved = high - _GOLDEN * (high - low) if worse else low + _GOLDEN * (high - low)
        kept = (inner[1 - worse], rates[1 - worse])
        fresh = (moved, rate(moved))
        (inner[0], rates[0]), (inner[1], rates[1]) = (fresh, kept) if worse else (kept, fresh)
    price = float(quantised([inner[int(rates[1] > rates[0])]])[0])
    # Twice the knots raise the rate by far less than what is then missing to 0.
    fine = max(rates) + largest > -_HOPELESS * largest
    gain, start = (_Game(wait, kernel, _FINE, price) if fine else coarse).gain(price)
    lost = 2.0**-48 * (abs(largest) + abs(price) + arms * gain)
    return LongRun(largest - price - arms * gain - lost, arms * start * (1.0 + _SLACK), price, gain)


class _Game:
    """One arm at equal waits: means and excesses after k = 1, …, H waits, at knots."""

    def __init__(self, wait: Fraction, kernel: Kernel, kept: int, centre: float) -> None:
        require_markov(kernel)
        with enclosure.precision(matrices.WORKING_BITS):
            once = enclosure.ball(kernel.enclosed_at_distance(wait))
            if not enclosure.certainly_lt(once, 1):
                raise InvalidInput("time-kernel", kernel.name, "give one that forgets")
            self._steepest = float(matrices.upward(once / (1 - once))) * (1.0 + _SLACK)
            reach = int(np.log(_FORGOTTEN) / np.log(max(float(once.mid()), 1e-300))) + 1
            reach = min(max(reach, _FEWEST), _MOST)
            decays, variances = np.empty(reach), np.empty(reach)
            for k in range(1, reach + 1):
                decays[k - 1] = float(enclosure.ball(kernel.enclosed_at_distance(k * wait)).mid())
                lost = enclosure.ball(kernel.enclosed_deficit(k * wait))
                variances[k - 1] = matrices.upward(lost)
        near = knots(kept, centre)
        # Beyond the last knot h is as steep as can be; few looks before it lead there.
        farthest = max(8.0 * (2.0 * self._steepest + 1.0) ** 0.5, 2.0 * near[-1])
        far = quantised(np.geomspace(near[-1], farthest, _FAR + 1)[1:])
        self.points = np.concatenate([near, far])
        # Behind the waits of 1 to H one for all longer ones, of which the mean has no sign.
        self._waits = np.arange(1.0, reach + 2.0)
        means = decays[:, None] * self.points
        self._means = np.vstack([means, decays[-1] * np.maximum(self.points, 0.0)])
        spreads = np.append(np.sqrt(variances) * (1.0 + 2.0**-50), 1.0)
        # (H + 1, m, l) above E(φ^k u_m + sZ − u_l)₊
        self._excess = self._above(self._means, spreads)
        self._first = self._above(np.zeros((1, 1)), np.ones(1))[0, 0]
        rises = 1.0 / np.diff(self.points)
        size = len(self.points)
        slopes = np.zeros((size, size))
        slopes[np.arange(size - 1), np.arange(size - 1)] = -rises
        slopes[np.arange(size - 1), np.arange(1, size)] = rises
        # Values at knots ↦ slopes right of them ↦ the turns of the slope.
        self._turning = slopes - np.vstack([np.zeros(size), slopes[:-1]])

    def _above(self, means: FloatArray, spreads: FloatArray) -> FloatArray:
        return excesses_above(means, spreads, self.points, excess_table()) + _SLACK

    def gain(self, price: float) -> tuple[float, float]:
        """A g that this price has an h for, and (E h(Z) − λ)₊, both rounded up."""
        turns = np.maximum(self._turning @ self._values(price), 0.0)
        turns[-1] = max(self._steepest - float(np.sum(turns[:-1])), 0.0)
        # h less its least value, at the knots; all that is summed is not negative.
        apart = np.maximum(self.points[:, None] - self.points, 0.0)
        below, up = (apart @ turns) * (1.0 - _SLACK), 1.0 + _SLACK
        asked = self._means + (self._excess @ turns) * up - below - price
        gain = float(np.max(asked.max(axis=1) / self._waits))
        slack = _SLACK * (1.0 + abs(price) + float(np.max(np.abs(self.points))))
        start = float(self._first @ turns) * up - price
        return max(gain, 0.0) + slack, max(start, 0.0) + slack

    def _values(self, price: float) -> FloatArray:
        """(M,) h at knots, 0 at the first: the best waits for the mean reward a round."""
        size = len(self.points)
        # E h(next) = h_0 + Σ excess·turns is linear in h but for the slope right of all knots.
        beyond = self._steepest * self._excess[:, :, -1]
        earned = self._means - price + beyond
        waits = self._waits[:, None]
        values, gain = self._steepest * np.maximum(self.points - max(price, 0.0), 0.0), 0.0
        chosen = np.full(size, -1)
        for _ in range(_POLICIES):
            worth = earned + self._excess @ (self._turning @ values) + values[0] - gain * waits
            best = np.argmax(worth, axis=0)
            if np.array_equal(best, chosen):
                break
            chosen = best
            rows = self._excess[chosen, np.arange(size)] @ self._turning
            rows[:, 0] += 1.0
            system = np.eye(size) - rows
            system[:, 0] = self._waits[chosen]  # h_0 = 0: its column is that of g
            solved = np.linalg.solve(system, earned[chosen, np.arange(size)])
            gain, values = float(solved[0]), np.append(0.0, solved[1:])
        return values
