"""Π = Σp_i: what a sequence of waits leaves unknown to every policy (docs/theory.md#theorem-i).

With d_i = 1 − k_time(τ_{i−1}, τ_i)² the share of f that is new after the i-th wait, p_1 = 1 and

    q_i = p_i σ²/(p_i + σ²),    p_{i+1} = q_i + d_{i+1}(1 − q_i),

p_i is the share of the variance of f that noisy looks at one point in every earlier round leave.
On a finite domain the least regret lies between ½m*·Π and, up to one logarithm, a multiple of Π.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import fsum, log
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.numerics.compiled import compiled
from bounds.pattern.windows import Window, charged, lowest_class, windows
from bounds.times import EvaluationTimes

LONGEST_SAVED = 20_000
"""Rounds up to which `Waits.saved` runs the recursion again for every wait."""

_NO_DIFFERENCE = 1e-15


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
        if not 0.0 < noise_variance < float("inf"):
            raise InvalidInput("noise-variance", noise_variance, "give a positive number")
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
