"""What a pattern of evaluation times costs: how much of f is unknown again in every round.

Π = Σp_i is what a sequence of waits leaves unknown to every policy (docs/theory.md#theorem-i). With
d_i = 1 − k_time(τ_{i−1}, τ_i)² the share of f that is new after the i-th wait, p_1 = 1 and

    q_i = p_i σ²/(p_i + σ²),    p_{i+1} = q_i + d_{i+1}(1 − q_i),

p_i is the share of the variance of f that noisy looks at one point in every earlier round leave.

Theorem I, for |D| ≥ 2 points of variance 1, no two perfectly correlated, a Markov time kernel,
times fixed beforehand, σ > 0. With λ² = 2log(|D|n²), κ = Σ_{x<y}(π(1−K_xy))^{−1/2} and
A ≤ 24Π + 4J_σ·D_n the charging sum of the windows,

    ½m*·Π ≤ m*·Σ(1−√(1−p_i)) ≤ inf E R_n ≤ κλ²[16c²Π + 5c(c+2√2)A] + ϱ,

c = 2 for the index μ + λ√w, c = 4 for Thompson sampling and for elimination. So every sequence of
times has its order of regret, up to one logarithm, from Π alone (where σ is held fixed). The
constants are of no use as numbers: the right side is above n·m* in every problem that was computed.
It is a rate, and no bound to report beside others.

The windows of Theorems I and Q+ (docs/theory.md#charging): a class is a v = 2^{−j}, j ≥ 1, above
8σ²/(σ²+n−1). Its windows cut the rounds: each goes on while the drift Σd since its first round is
at most v/2. Those that hold a round of p_i ≤ v/8 count. A window of class v costs (v+σ²) times
constants; the sum over all is at most 24Π + 4J_σ·D_n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import fsum, log, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.noise import require_variance
from bounds.numerics.compiled import compiled
from bounds.times import EvaluationTimes

WIDTHS = MappingProxyType({"index": 2.0, "elimination": 4.0, "ts": 4.0})
"""c of each policy: its regret in a good round is at most c·λ√w at the point played."""

LONGEST_SAVED = 20_000
"""Rounds up to which `Waits.saved` runs the recursion again for every wait."""

_NO_DIFFERENCE = 1e-15


@dataclass(frozen=True)
class Window:
    """A window of class v that holds a round of p_i ≤ v/8.

    Attributes
    ----------
    start, end : its rounds are start+1 … end
    v : the class, a power of ½
    least : p_W, the least p_i in it
    """

    start: int
    end: int
    v: float
    least: float


def lowest_class(n: int, noise_variance: float) -> float:
    """8σ²/(σ²+n−1): classes lie above it, as every p_i is at least an eighth of it."""
    return 8.0 * noise_variance / (noise_variance + n - 1)


def windows(shares: FloatArray, drifts: FloatArray, noise_variance: float) -> Iterator[Window]:
    """The windows that count, class by class from v = ½ down. Cost O(n) a class.

    >>> counted = windows(np.array([1.0, 0.05, 0.05]), np.array([0.0, 0.0, 0.3]), 0.01)
    >>> [(w.start, w.end, w.v) for w in counted if w.v == 0.5]
    [(0, 2, 0.5), (2, 3, 0.5)]
    """
    v = 0.5
    while v > lowest_class(len(shares), noise_variance):
        ends, least = _cut.of_size(64 * len(shares))(shares, drifts, v)
        start = 0
        for end, p in zip(ends.tolist(), least.tolist(), strict=True):
            if p <= v / 8.0:
                yield Window(start, end, v, p)
            start = end
        v *= 0.5


def charged(counted: Iterable[Window], noise_variance: float) -> float:
    """A = Σ(v + σ²) over these windows."""
    return fsum(window.v + noise_variance for window in counted)


@dataclass(frozen=True, eq=False)
class Waits:
    """The shares p_i of a sequence of times and what follows from them; floating point, O(n).

    Attributes
    ----------
    shares : (n,) p_i in (0, 1], p_1 = 1
    drifts : (n,) d_i in [0, 1], d_1 = 0
    noise_variance : σ² > 0
    """

    shares: FloatArray
    drifts: FloatArray
    noise_variance: float

    @classmethod
    def of(cls, times: EvaluationTimes, kernel: Kernel, noise_variance: float) -> Waits:
        """Raises InvalidInput for a time kernel that is not Markov, and without noise.

        >>> from bounds.kernels import Forgetting
        >>> times = EvaluationTimes.from_durations([1.0] * 600)
        >>> waits = Waits.of(times, Forgetting(0.01), 1.0)
        >>> round(waits.total, 4), round(waits.drift, 4), round(waits.lost, 4)
        (62.2257, 5.99, 32.4882)
        """
        if not kernel.is_markov:
            remedy = "give a Markov one: forgetting, exponential"
            raise InvalidInput("time-kernel", kernel.name, remedy)
        require_variance(noise_variance)
        drifts = np.array(kernel.deficit(times.durations), dtype=float)
        drifts[0] = 0.0
        shares = _shares.of_size(len(drifts))(drifts, noise_variance)
        return cls(shares, drifts, noise_variance)

    @property
    def n(self) -> int:
        """Rounds."""
        return len(self.shares)

    @cached_property
    def total(self) -> float:
        """Π = Σp_i, between 1 and n."""
        return fsum(self.shares.tolist())

    @cached_property
    def drift(self) -> float:
        """D_n = Σ_{i≥2} d_i ≤ Π − 1."""
        return fsum(self.drifts.tolist())

    @cached_property
    def lost(self) -> float:
        """Σ(1 − √(1−p_i)), between Π/2 and Π: the least regret of every policy over m*."""
        return fsum((self.shares / (1.0 + np.sqrt(1.0 - self.shares))).tolist())

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        """The windows that hold a round of p_i ≤ v/8, class by class."""
        return tuple(windows(self.shares, self.drifts, self.noise_variance))

    @cached_property
    def charged(self) -> float:
        """A = Σ_v Σ_W (v + σ²)."""
        return charged(self.windows, self.noise_variance)

    @cached_property
    def largest_class(self) -> float:
        """max_v Σ_W (v + σ²): what one class of windows is charged at most."""
        classes = {window.v for window in self.windows}
        return max(
            (charged((w for w in self.windows if w.v == v), self.noise_variance) for v in classes),
            default=0.0,
        )

    @property
    def classes_above_noise(self) -> int:
        """J_σ, the classes v = 2^{−j} with v > σ² and v > 8σ²/(σ²+n−1)."""
        least = max(self.noise_variance, lowest_class(self.n, self.noise_variance))
        count, v = 0, 0.5
        while v > least:
            count, v = count + 1, 0.5 * v
        return count

    @property
    def most_charged(self) -> float:
        """24Π + 4J_σ·D_n ≥ A, by the charging lemma."""
        return 24.0 * self.total + 4.0 * self.classes_above_noise * self.drift

    def saved(self) -> FloatArray:
        """(n,) by how much Π falls if one wait alone takes no time; 0 for the first round.

        Waits that cost nothing by themselves do not add up: two waits may each be needed for the
        other's cost. The recursion runs on from each wait until it cannot be told from the other:
        O(n) for each in the worst case. Raises InvalidInput beyond 20,000 rounds.

        >>> waits = Waits(np.array([1.0, 0.75]), np.array([0.0, 0.5]), 1.0)
        >>> waits.saved().tolist()
        [0.0, 0.25]
        """
        if self.n > LONGEST_SAVED:
            raise InvalidInput("n", self.n, f"give at most {LONGEST_SAVED} rounds")
        return np.asarray(_saved.of_size(self.n**2)(self.shares, self.drifts, self.noise_variance))

    def growth(self, parts: int = 8) -> tuple[tuple[int, float], ...]:
        """Pairs (m, Π of the first m rounds), m halved from n on.

        >>> Waits(np.array([1.0, 0.75]), np.array([0.0, 0.5]), 1.0).growth()
        ((1, 1.0), (2, 1.75))
        """
        sums: list[tuple[int, float]] = []
        running, m = np.cumsum(self.shares), self.n
        while m >= 1 and len(sums) < parts:
            sums.append((m, float(running[m - 1])))
            m //= 2
        return tuple(reversed(sums))

    def exponent(self) -> float | None:
        """The exponent of n with which Π grew over the last half; None for one round."""
        if self.n < 2:
            return None
        (half, before), (n, after) = self.growth(2)
        return log(after / before) / log(n / half)

    def to_dict(self) -> dict[str, Any]:
        """Π and the sums of Theorem I, as plain data."""
        return {
            "total": self.total,
            "lost": self.lost,
            "drift": self.drift,
            "exponent": self.exponent(),
            "windows": len(self.windows),
            "classes_above_noise": self.classes_above_noise,
            "charged": self.charged,
            "most_charged": self.most_charged,
            "largest_class": self.largest_class,
        }


def bracket(waits: Waits, policy: str) -> float:
    """16c²Π + 5c(c+2√2)A of a key of `WIDTHS`, what κλ² is multiplied by; floating point.

    >>> import numpy as np
    >>> waits = Waits(np.array([1.0, 0.75]), np.array([0.0, 0.5]), 1.0)
    >>> bracket(waits, "index")  # no window: 64Π
    112.0
    """
    c = WIDTHS[policy]
    return 16.0 * c * c * waits.total + 5.0 * c * (c + 2.0 * sqrt(2.0)) * waits.charged


@compiled()
def _shares(drifts: FloatArray, nu: float) -> FloatArray:  # pragma: no cover
    shares = np.empty(len(drifts))
    p = 1.0
    shares[0] = p
    for i in range(1, len(drifts)):
        q = p * (nu / (p + nu))
        p = drifts[i] + (1.0 - drifts[i]) * q
        shares[i] = p
    return shares


@compiled()
def _saved(shares: FloatArray, drifts: FloatArray, nu: float) -> FloatArray:  # pragma: no cover
    n = len(shares)
    saved = np.zeros(n)
    for i in range(1, n):
        if drifts[i] == 0.0:
            continue
        before = shares[i - 1]
        p = before * (nu / (before + nu))
        total = shares[i] - p
        for k in range(i + 1, n):
            q = p * (nu / (p + nu))
            p = drifts[k] + (1.0 - drifts[k]) * q
            gone = shares[k] - p
            total += gone
            if gone <= _NO_DIFFERENCE * shares[k]:
                break
        saved[i] = total
    return saved


@compiled()
def _cut(
    shares: FloatArray, drifts: FloatArray, v: float
) -> tuple[IntArray, FloatArray]:  # pragma: no cover
    """The ends of all windows of class v, and the least share in each."""
    n = len(shares)
    ends, least = np.empty(n, dtype=np.int64), np.empty(n)
    count, gone, p = 0, 0.0, shares[0]
    for i in range(1, n):
        gone += drifts[i]
        if gone > 0.5 * v:
            ends[count], least[count] = i, p
            count += 1
            gone, p = 0.0, shares[i]
        p = min(p, shares[i])
    ends[count], least[count] = n, p
    return ends[: count + 1], least[: count + 1]
