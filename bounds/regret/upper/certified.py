"""The bounds on regret that are known before a run, enclosed in balls and rounded outward.

Each has the formula of its row in `before_run` or `ceilings`; here every ingredient is enclosed: β,
the gain at more noise (the joint dual or the cap), the majorant of the envelope, m*, the time
kernel. A row one of whose ingredients has no enclosure is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import inf, isfinite, log1p, sqrt

import numpy as np
from scipy import special

from bounds import enclosure
from bounds.arrays import BallArray
from bounds.confidence.certified import enclosed_beta
from bounds.drifting_gain.certified import certified_dual, time_columns, wait_decays
from bounds.drifting_gain.joint_dual import JointDual
from bounds.enclosure import Number, Upper, matrices
from bounds.errors import NoEnclosure
from bounds.noise import NoiseLevel
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.regret.maximum.most_maximum import most_maximum, tail_mean
from bounds.regret.regret_bound import RegretBound
from bounds.regret.upper.constant_exploration import ExplorationBound, neighbour_distance
from bounds.regret.upper.margin import margin_bound
from bounds.regret.upper.noise_inflation import tangent_point
from bounds.static_gain.certified import GridBalls

_CLOSE = 1e-6  # a certified value this near takes the place of the other

_FURTHEST = 37.0  # standard deviations beyond which a tangent to I gains nothing

LARGEST_INVERTED = 200
"""Points up to which K is inverted in balls."""

LARGEST_PAIRWISE = 400
"""Rounds up to which all pairs of a time kernel that is not Markov are enclosed."""


def certified_before_run(
    problem: Problem,
    rows: Iterable[RegretBound],
    gains: Mapping[float, JointDual | float | None],
    explored: ExplorationBound | None = None,
) -> tuple[RegretBound, ...]:
    """The rows that can be enclosed, each rounded outward and with `certified` true.

    Parameters
    ----------
    problem : Problem
    rows : of `before_run` and `ceilings`, those that are wanted; what decides is their name
    gains : for each noise variance σ'² ≥ σ² the joint dual of the problem at that noise, a
        certified upper bound on γ̃_n, or None for the cap; taken in this order, so that the first
        should be the one with the smallest envelope. A dual is certified when a row needs it.
    explored : what the row `constant_exploration` rests on

    Notes
    -----
    Rows with Σσ use the first noise variance alone, those with Σσ² the one at which it is smallest
    in floating point. m* and each dual are enclosed once for all rows: some 0.5 s on 2,500 points,
    and what `certified_dual` costs.
    """
    derive = _Enclosed(problem, gains, explored)
    found = []
    with matrices.working_precision():
        for row in rows:
            rule = derive.rules.get(row.name)
            value = None if rule is None else _attempted(rule)
            if value is not None and isfinite(value):
                found.append(derive.certified(row, value))
    return tuple(found)


def with_certified(
    problem: Problem,
    rows: Iterable[RegretBound],
    gains: Mapping[float, JointDual | float | None],
    explored: ExplorationBound | None = None,
    *,
    known: float = inf,
    advance: Share = unwatched,
) -> tuple[RegretBound, ...]:
    """The rows, with a certified one for each policy × kind that none of the others undercuts.

    In each group rows are enclosed from the smallest on, until a certified value is below every
    other row. A row that loses nothing by it is replaced; otherwise the certified one stands
    behind it, as m* is enclosed less closely than it is computed.

    Parameters
    ----------
    problem, rows, gains, explored : as for `certified_before_run`
    known : a certified bound, by another road, for the policy and kind of the first row
    advance : called with the share of the rows that are done
    """
    every = list(rows)
    derive = _Enclosed(problem, gains, explored)
    groups: dict[tuple[str, str, str, str], list[RegretBound]] = {}
    for row in every:
        groups.setdefault((row.direction, row.policy, row.exploration, row.kind), []).append(row)
    found: dict[int, RegretBound] = {}
    with matrices.working_precision():
        for place, (key, members) in enumerate(groups.items()):
            advance(place / len(groups))
            rising = key[0] == "upper"
            best = known if place == 0 else inf
            for row in sorted(members, key=lambda each: each.value if rising else -each.value):
                rule = derive.rules.get(row.name)
                if row.value >= best or rule is None:
                    continue
                value = _attempted(rule)
                if value is not None and isfinite(value):
                    found[id(row)] = derive.certified(row, value)
                    best = min(best, value) if rising else -inf
    merged: list[RegretBound] = []
    for row in every:
        certified = found.get(id(row))
        if certified is None or abs(certified.value - row.value) > _CLOSE * abs(row.value):
            merged.append(row)
        if certified is not None:
            merged.append(certified)
    return tuple(merged)


def _attempted(rule: Callable[[], float | None]) -> float | None:
    try:
        return rule()
    except NoEnclosure:
        return None


class _Enclosed:
    """The rows of one problem, derived when they are asked for."""

    def __init__(
        self,
        problem: Problem,
        gains: Mapping[float, JointDual | float | None],
        explored: ExplorationBound | None,
    ) -> None:
        self._problem, self._gains, self._explored = problem, gains, explored
        self._n = problem.n
        self.rules: dict[str, Callable[[], float | None]] = {
            "cap": lambda: matrices.upward(self._weight * self._n),
            "envelope": lambda: matrices.upward(self._weight * self._deviations),
            "cauchy_schwarz": self._cauchy_schwarz,
            "tail": self._tail,
            "theory_smallest": self._theory_smallest,
            "sandwich_upper": self._sandwich_upper,
            "constant_exploration": self._constant_exploration,
            "theorem_t": self._theorem_t,
            "theorem_t_variances": self._theorem_t_variances,
            "irgp_ucb": self._irgp_ucb,
            "expected_maximum": lambda: matrices.upward(self._n * self._most),
            "theorem_m": self._theorem_m,
            "margin": self._margin,
        }
        self._known: dict[float, float] = {}

    def certified(self, row: RegretBound, value: float) -> RegretBound:
        """The row with its enclosed value, and with the dual that it rests on."""
        inflated = None
        if row.name == "envelope" and self._gains:
            noise, given = next(iter(self._gains.items()))
            inflated = (noise, given) if isinstance(given, JointDual) else None
        return replace(row, value=value, certified=True, inflated=inflated)

    @cached_property
    def _weight(self) -> Number:
        """2√β_n."""
        return 2 * enclosure.sqrt(enclosed_beta(self._problem))

    def _gain_at(self, noise: float) -> float:
        """A certified γ̂ at a noise variance of the given ones."""
        if noise not in self._known:
            given = self._gains[noise]
            if isinstance(given, JointDual):
                at_noise = replace(self._problem, noise_variance=noise)
                given = certified_dual(at_noise, given).value
            cap = matrices.upward(self._n * NoiseLevel(noise).enclosed_gain_cap())
            self._known[noise] = cap if given is None else min(cap, given)
        return self._known[noise]

    @property
    def _gain(self) -> tuple[float, float]:
        """(σ'², certified γ̂) of the first noise variance."""
        noise = next(iter(self._gains))
        return noise, self._gain_at(noise)

    @cached_property
    def _deviations(self) -> Number:
        """An upper bound on Σσ_{i−1} for every design: n·min(1, tangent to h at γ̂/n)."""
        if not self._gains:
            return enclosure.ball(self._n)
        noise, gain = self._gain
        line = majorant(gain / self._n, gain, self._n, noise)
        return self._n * enclosure.minimum(1, line)

    @cached_property
    def _variances(self) -> Number:
        """An upper bound on Σσ²_{i−1} for every design: min(n, 2γ̂/log(1+s')), s' the best."""

        def roughly(noise: float) -> float:
            given = self._gains[noise]
            if given is None:
                return inf
            gain = given.value if isinstance(given, JointDual) else given
            return gain / log1p(1.0 / noise)

        noise = min(self._gains, key=roughly, default=None)
        if noise is None or not roughly(noise) < 0.5 * self._n:
            return enclosure.ball(self._n)
        gain = enclosure.exact_double(self._gain_at(noise))
        return enclosure.minimum(
            self._n, enclosure.divide(gain, NoiseLevel(noise).enclosed_gain_cap())
        )

    def _cauchy_schwarz(self) -> Upper:
        """2√β·min(n, √(2nγ̂/log(1+s')))."""
        if not self._gains:
            return matrices.upward(self._weight * self._n)
        noise, gain = self._gain
        square = enclosure.divide(
            self._n * enclosure.exact_double(gain), NoiseLevel(noise).enclosed_gain_cap()
        )
        total = enclosure.minimum(self._n, enclosure.sqrt(square))
        return matrices.upward(self._weight * total)

    @cached_property
    def _most(self) -> Number:
        """An upper bound on m*."""
        found = most_maximum(self._problem.domain, self._problem.space_kernel)
        return enclosure.exact_double(found.value)

    @cached_property
    def _decays(self) -> BallArray:
        """(n,) k_time(t_i), those of a Markov kernel; the first is 1."""
        return wait_decays(self._problem.time_kernel, self._problem.times.exact)

    def _tail(self) -> Upper | None:
        """2m*n + √(4(1+κ) log(1/δ)·1ᵀ|J|1)."""
        found = self._sum_of_ranges
        return None if found is None else matrices.upward(found)

    @cached_property
    def _sum_of_ranges(self) -> Number | None:
        """What the sum of ranges exceeds with probability δ at most."""
        kernel, exact, n = self._problem.time_kernel, self._problem.times.exact, self._n
        pairs = enclosure.ball(n)
        if kernel.is_markov:
            earlier = enclosure.ball(0)
            for decay in self._decays[1:]:
                earlier = decay * (earlier + 1)
                pairs += 2 * earlier
        elif n <= LARGEST_PAIRWISE:
            for j in range(1, n):
                last = np.array([j])
                pairs += 2 * sum(abs(v) for v in time_columns(kernel, exact[: j + 1], last)[:j, 0])
        else:
            return None
        factor = 4 if self._problem.space_kernel.is_nonnegative else 8
        level = enclosure.log(1 / Fraction(self._problem.delta))
        return 2 * n * self._most + enclosure.sqrt(factor * level * pairs)

    def _theory_smallest(self) -> Upper | None:
        tail = self._tail()
        return None if tail is None else min(tail, matrices.upward(self._weight * self._deviations))

    def _sandwich_upper(self) -> Upper:
        """m*·Σ(1 + a_i), with a_i ≤ 1 for a kernel that is not Markov; a_1 = 0."""
        explained = enclosure.ball(self._n - 1)
        if self._problem.time_kernel.is_markov:
            explained = sum(self._decays[1:], enclosure.ball(0))
        return matrices.upward(self._most * (self._n + explained))

    def _constant_exploration(self) -> Upper | None:
        """n(√b·S̄ + G(√b) + (|D|−1)T(b)) with the T that was proved at a distance ≥ d."""
        found, n, size = self._explored, self._n, self._problem.domain.size
        if found is None:
            return None
        root = enclosure.exact_double(sqrt(found.b))
        total = root * self._deviations + n * tail_mean(enclosure.ball(root))
        if size > 1:
            if not self._problem.domain.is_cube:
                return None
            distance, step = neighbour_distance(self._problem), self._neighbour_gap
            kernel = self._problem.space_kernel
            square = 2 * (1 - enclosure.ball(kernel.enclosed_at_distance(step)))
            exact = enclosure.exact_double(distance)
            if found.supremum is None or found.supremum.distance != distance:
                return None
            if enclosure.certainly_le(square, exact * exact) is not True:
                return None
            total += n * (size - 1) * enclosure.exact_double(found.supremum.upper)
        return matrices.upward(total)

    def _theorem_t(self) -> Upper:
        """n·|D|·I(S̄/|D|), by a tangent to I."""
        mean = self._deviations / self._n
        return matrices.upward(self._n * isoperimetric_sum(self._problem.domain.size, mean))

    def _theorem_t_variances(self) -> Upper:
        """|D|·I(1/|D|)·√(n·Σσ²)."""
        root = enclosure.sqrt(self._n * self._variances)
        factor = isoperimetric_sum(self._problem.domain.size, enclosure.ball(1))
        return matrices.upward(factor * root)

    def _irgp_ucb(self) -> Upper:
        """√((2 + 2 log(|D|/2))·n·Σσ²)."""
        size = self._problem.domain.size
        if size == 1:
            return Upper(0.0)
        square = 2 + 2 * enclosure.log(Fraction(size, 2))
        return matrices.upward(enclosure.sqrt(square * self._n * self._variances))

    def _theorem_m(self) -> Upper | None:
        """√(2(1+σ²)·|D|·n·γ̂) or n·m*, γ̂ at σ² itself; None where that is not among the gains."""
        noise = self._problem.noise_variance
        if noise not in self._gains:
            return None
        factor = 2 * (1 + Fraction(noise)) * self._problem.domain.size * self._n
        value = enclosure.sqrt(enclosure.exact(factor * Fraction(self._gain_at(noise))))
        return matrices.upward(enclosure.minimum(value, self._n * self._most))

    def _margin(self) -> Upper | None:
        """nη·min(κη, 1) + C₁β_nγ̂/η + δ·(2m*n + √(2v log(1/δ))), κ = Σ_x ((K⁻¹)_xx/(2π))^½.

        Or 2m*n, which no policy exceeds at fixed times. At any η > 0, here the best in floating
        point. Without an enclosure of κ, that of 1.
        """
        problem, noise, ranges = self._problem, self._problem.noise_variance, self._sum_of_ranges
        if noise not in self._gains or ranges is None:
            return None
        rate = enclosed_margin_rate(problem)
        gain, beta = self._gain_at(noise), enclosed_beta(problem)
        near = inf if rate is None else matrices.upward(rate)
        eta = margin_bound(problem, matrices.upward(beta), gain, 0.0, near).margin
        total = enclosure.exact_double(problem.delta) * enclosure.ball(ranges)
        if eta > 0.0:
            at = enclosure.exact_double(eta)
            share = enclosure.ball(1) if rate is None else enclosure.minimum(1, rate * at)
            price = enclosure.divide(
                4 * beta * enclosure.exact_double(gain), NoiseLevel(noise).enclosed_gain_cap()
            )
            total = total + self._n * at * share + enclosure.divide(price, at)
        return matrices.upward(enclosure.minimum(total, 2 * self._n * self._most))

    @property
    def _neighbour_gap(self) -> Fraction:
        q, side = self._problem.domain.cube()
        return Fraction(side) / (q - 1)


def enclosed_margin_rate(problem: Problem) -> Number | None:
    """κ = Σ_x 1/√(2πc_x), c_x = 1/(K⁻¹)_xx; None for many points or a K near a singular one."""
    domain = problem.domain
    if domain.size > LARGEST_INVERTED:
        return None
    every = np.arange(domain.size)
    gram = GridBalls(problem.space_kernel, domain).gram(every, every)
    try:
        inverse = matrices.ball_matrix(gram).inv()
    except ZeroDivisionError:
        return None
    diagonal = np.diagonal(matrices.entries(inverse))
    if not all(value > 0 for value in diagonal):
        return None
    total = enclosure.total(enclosure.sqrt(value) for value in diagonal)
    return enclosure.divide(total, enclosure.sqrt(2 * enclosure.pi()))


def majorant(near: float, gain: float, n: int, noise_variance: float) -> Number:
    """The tangent to h(u) = √((e^{2u}−1)/s') at a point near `near`, evaluated at gain/n.

    A tangent at p ≤ ½log 2 that passes above (½log(1+s'), 1) is nowhere below h on
    [0, ½log(1+s')]: h is concave up to ½log 2 and convex beyond, where the line is above its ends.
    So it bounds the mean of h(u_i) by its value at the mean of the u_i. Returns 1 where no such
    point is found.
    """
    variance = enclosure.exact_double(noise_variance)
    precision, end = 1 / enclosure.ball(variance), NoiseLevel(noise_variance).enclosed_gain_cap()
    mean = enclosure.divide(enclosure.exact_double(gain), n)
    start = min(near, tangent_point(noise_variance) * (1.0 - 1e-9))
    point = enclosure.exact_double(start)
    if not start > 0.0 or enclosure.certainly_le(enclosure.exp(2 * point), 2) is not True:
        return enclosure.ball(1)
    growth = enclosure.exp(2 * point)
    height = enclosure.sqrt((growth - 1) / precision)
    slope = growth / (precision * height)
    if enclosure.certainly_le(1, height + slope * (end - point)) is not True:
        return enclosure.ball(1)
    return height + slope * (mean - point)


def isoperimetric_sum(size: int, mean: Number) -> Number:
    """An upper bound on |D|·I(p/|D|) for 0 ≤ p ≤ `mean`: w·mean + |D|·G(w) at a w ≥ 0.

    I is concave with I' = −Φ⁻¹, so that it is below its tangent where Φ(−w) is near p/|D|. 0 for
    one point.
    """
    if size == 1:
        return enclosure.ball(0)
    nearest = -float(special.ndtri(float(enclosure.ball(mean).mid()) / size))
    w = enclosure.ball(enclosure.exact_double(min(max(nearest, 0.0), _FURTHEST)))
    return w * mean + size * tail_mean(w)
