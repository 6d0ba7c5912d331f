"""The quantities of bounds on regret in balls: the formulas are those of `bounds.regret`.

Every quantity is enclosed: β, the gain at more noise (the joint dual or the cap), the majorant of
the envelope, m*, the time kernel. One that has no enclosure raises NoEnclosure.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import inf, log1p, sqrt

import numpy as np

from bounds import enclosure
from bounds.arithmetic import BALLS
from bounds.arrays import BallArray
from bounds.confidence.certified import enclosed_beta
from bounds.drifting_gain.certified import certified_dual, time_columns, wait_decays
from bounds.drifting_gain.joint_dual import JointDual
from bounds.enclosure import Number, matrices
from bounds.errors import NoEnclosure
from bounds.formulas import sum_over_pairs, tail_mean
from bounds.noise import NoiseLevel
from bounds.regret.ingredients.exploration import neighbour_distance
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.noise_inflation import majorant
from bounds.regret.ingredients.rare_events import isoperimetric_sum
from bounds.regret.maximum.most_maximum import most_maximum

LARGEST_PAIRWISE = 400
"""Rounds up to which all pairs of a time kernel that is not Markov are enclosed."""


class EnclosedQuantities:
    """Every quantity of `DoubleQuantities` as a ball, or as the whole number that it is.

    Certified gains are those of `Ingredients.evidence`; sums of deviations use the noise variance
    at which they are smallest in floating point. m* and each dual are enclosed once for all bounds:
    some 0.5 s on 2,500 points, and what `certified_dual` costs.
    """

    def __init__(self, given: Ingredients) -> None:
        self._given, self._problem = given, given.problem
        self._evidence = given.evidence
        self._known: dict[float, float] = {}
        self.n, self.size = given.problem.n, given.size

    @property
    def delta(self) -> Number:
        """δ."""
        return enclosure.ball(enclosure.exact_double(self._problem.delta))

    @property
    def noise(self) -> Number:
        """σ²."""
        return enclosure.ball(enclosure.exact_double(self._problem.noise_variance))

    @cached_property
    def beta(self) -> Number:
        """β_n."""
        return enclosed_beta(self._problem)

    @cached_property
    def chosen(self) -> tuple[float, float] | None:
        """(σ'², certified γ̂) where Σσ is smallest; None without a gain."""
        if not self._evidence:
            return None
        noise = self._given.deviations.noise_variance
        noise = noise if noise in self._evidence else next(iter(self._evidence))
        return noise, self.gain_at(noise)

    def gain_at(self, noise: float) -> float:
        """A certified γ̂ at a noise variance of the given ones."""
        if noise not in self._known:
            given = self._evidence[noise]
            if isinstance(given, JointDual):
                at_noise = replace(self._problem, noise_variance=noise)
                given = certified_dual(at_noise, given).value
            cap = matrices.upward(self.n * NoiseLevel(noise).enclosed_gain_cap())
            self._known[noise] = cap if given is None else min(cap, given)
        return self._known[noise]

    @property
    def gains(self) -> tuple[tuple[Number, Number], ...]:
        """(σ'², γ̂) of the chosen noise variance alone, as each costs a certificate."""
        if self.chosen is None:
            return ()
        noise, gain = (enclosure.ball(enclosure.exact_double(each)) for each in self.chosen)
        return ((noise, gain),)

    @cached_property
    def deviations(self) -> Number:
        """An upper bound on Σσ_{i−1} for every design: n·min(1, tangent to h at γ̂/n)."""
        if self.chosen is None:
            return enclosure.ball(self.n)
        noise, gain = self.chosen
        line = majorant(gain / self.n, gain, self.n, noise)
        return self.n * enclosure.minimum(1, line)

    @property
    def mean_deviation(self) -> Number:
        """The same for one round, on average."""
        return self.deviations / self.n

    @cached_property
    def variances(self) -> Number:
        """An upper bound on Σσ²_{i−1} for every design: min(n, 2γ̂/log(1+s')), s' the best."""

        def roughly(noise: float) -> float:
            given = self._evidence[noise]
            if given is None:
                return inf
            gain = given.value if isinstance(given, JointDual) else given
            return gain / log1p(1.0 / noise)

        noise = min(self._evidence, key=roughly, default=None)
        if noise is None or not roughly(noise) < 0.5 * self.n:
            return enclosure.ball(self.n)
        gain, cap = self.gain_at(noise), NoiseLevel(noise).enclosed_gain_cap()
        return enclosure.minimum(self.n, enclosure.divide(enclosure.exact_double(gain), cap))

    @cached_property
    def gain(self) -> Number:
        """γ̂ ≥ γ̃_n at σ² itself."""
        noise = self._problem.noise_variance
        if noise not in self._evidence:
            raise NoEnclosure("gain", f"{noise:g}", "no certified gain at this noise variance")
        return enclosure.ball(enclosure.exact_double(self.gain_at(noise)))

    @cached_property
    def maximum(self) -> Number:
        """An upper bound on m*."""
        maximum = most_maximum(self._problem.domain, self._problem.space_kernel)
        return enclosure.ball(enclosure.exact_double(maximum.value))

    @cached_property
    def _decays(self) -> BallArray:
        """(n,) k_time(t_i), those of a Markov kernel; the first is 1."""
        return wait_decays(self._problem.time_kernel, self._problem.times.exact)

    @cached_property
    def explained(self) -> Number:
        """Σ a_i, with a_i ≤ 1 for a kernel that is not Markov; a_1 = 0."""
        if self._problem.time_kernel.is_markov:
            return sum(self._decays[1:], enclosure.ball(0))
        return enclosure.ball(self.n - 1)

    @cached_property
    def range_variance(self) -> Number:
        """2(1+κ)·1ᵀ|J|1, κ = 1 where k_space may be negative."""
        kernel, exact, n = self._problem.time_kernel, self._problem.times.exact, self.n
        pairs = enclosure.ball(n)
        if kernel.is_markov:
            pairs += 2 * sum_over_pairs(self._decays[1:])
        elif n <= LARGEST_PAIRWISE:
            for j in range(1, n):
                last = np.array([j])
                pairs += 2 * sum(abs(v) for v in time_columns(kernel, exact[: j + 1], last)[:j, 0])
        else:
            raise NoEnclosure("n", str(n), "pairs of rounds are enclosed one by one")
        return (2 if self._problem.space_kernel.is_nonnegative else 4) * pairs

    @property
    def own_range_variance(self) -> Number:
        """The same, with what is known of the signs of the domain's own correlations."""
        return self.range_variance

    def rare_event_mean(self, p: Number) -> Number:
        """I(p/|D|) or a little more, by a tangent; see `isoperimetric_sum`."""
        return isoperimetric_sum(self.size, enclosure.ball(p)) / self.size

    @property
    def exploration(self) -> Number:
        """√b of constant exploration."""
        explored = self._given.explored
        return enclosure.ball(enclosure.exact_double(sqrt(explored.b)))

    @property
    def exploration_tail(self) -> Number:
        """G(√b)."""
        return tail_mean(BALLS, self.exploration)

    @cached_property
    def supremum(self) -> Number:
        """The T(b) that was proved at a distance of neighbours ≥ d; 0 for one point."""
        supremum, domain = self._given.explored.supremum, self._problem.domain
        if domain.size == 1:
            return enclosure.ball(0)
        distance = neighbour_distance(self._problem)
        if not domain.is_cube or supremum is None or supremum.distance != distance:
            raise NoEnclosure("supremum", f"{distance:g}", "it was not proved at this distance")
        q, side = domain.cube()
        step = Fraction(side) / (q - 1)
        near = enclosure.ball(self._problem.space_kernel.enclosed_at_distance(step))
        exact = enclosure.exact_double(distance)
        if enclosure.certainly_le(2 * (1 - near), exact * exact) is not True:
            raise NoEnclosure("supremum", f"{distance:g}", "neighbours may be further apart")
        return enclosure.ball(enclosure.exact_double(supremum.upper))

    @cached_property
    def _tie_rate(self) -> Number | None:
        from bounds.regret.ingredients.margin import enclosed_margin_rate

        return enclosed_margin_rate(self._problem)

    @property
    def ties(self) -> Number:
        """κ with M(η) ≤ κη; without an enclosure 1/η, as M(η) ≤ 1."""
        return enclosure.divide(1, self.margin) if self._tie_rate is None else self._tie_rate

    @cached_property
    def margin(self) -> Number:
        """η, the best in floating point: the bound holds at any η > 0."""
        from bounds.regret.ingredients.margin import best_margin, margin_price

        rate = inf if self._tie_rate is None else matrices.upward(self._tie_rate)
        price = matrices.upward(enclosure.ball(margin_price(BALLS, self)))
        return enclosure.ball(enclosure.exact_double(best_margin(self.n, price, rate)))
