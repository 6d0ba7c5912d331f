"""The next point of one's own search, under the weighted set of priors that fits its log.

Policies with a weight that need no t(x) beforehand, the flat index, and those that draw f, on boxes
with logarithmic axes and whole numbers. Their mean and deviation are those of the mixture over the
priors, so that drift is in them as far as the log speaks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite, sqrt
from typing import cast

import numpy as np
from scipy import linalg

from bounds.arrays import BoolArray, FloatArray, IntArray
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern
from bounds.numerics.threads import one_blas_thread
from own_runs.certificates.mixture import LogPosterior
from own_runs.live.kept_fit import KeptFit
from own_runs.logs.axes import Axis, inputs_at, scattered
from own_runs.logs.observations import Observations
from simulation.model.time_model import TimeModel, condition, fit_time_model
from simulation.policies.acquisition import exploration_weight, flat_confidence
from simulation.policies.base import ModelPolicy, Times
from simulation.policies.flat import LooksEverywhere
from simulation.policies.looking_on import PredictiveSampling, precision_of_all_later
from simulation.policies.registry import policies, policy_named
from simulation.prior.candidates import Candidates
from simulation.prior.evidence import Member
from simulation.prior.shapes import ABSENT
from simulation.prior.warp import Warp

LOG_POLICIES = tuple(
    name
    for name, policy in policies().items()
    if issubclass(policy, ModelPolicy)
    and (
        policy.draws
        or (policy.on_box and policy.is_flat)
        or (policy.on_box and policy.has_weight and policy.times is not Times.KNOWN)
    )
)
"""What a log can be asked: it has no t(x) known beforehand. For draws its mean stands in, for the
flat index its law."""


def policy_of(text: str) -> tuple[str, float | None]:
    """One of `LOG_POLICIES` and its weight, `ctv:1.25`; None for the usual one.

    Raises InvalidInput for another name, and for a weight that is none or of a policy that draws.

    >>> policy_of("ctv"), policy_of("ctv:1.25")
    (('ctv', None), ('ctv', 1.25))
    """
    name, mark, number = text.partition(":")
    if name not in LOG_POLICIES:
        raise InvalidInput("policy", text, f"use {', '.join(LOG_POLICIES)}")
    if not mark:
        return name, None
    if cast(type[ModelPolicy], policy_named(name)).draws:
        raise InvalidInput("policy", text, "a policy that draws has no weight: leave it out")
    try:
        weight = float(number)
    except ValueError:
        weight = float("nan")
    if not (isfinite(weight) and weight >= 0.0):
        raise InvalidInput("policy", text, f"give a weight of at least 0, as {name}:1.25")
    return name, weight


_MEMBERS = 8
"""Priors over which mean and deviation are averaged."""
_SCATTERED = 1_024
_SCREENED = 128
"""Points that all members are asked about, of the most promising under the heaviest one."""
_SAME = 1e-9
"""Distance in the unit cube within which two points are one."""
_STREAM = 10
_NODES = 7


@dataclass(frozen=True)
class NextPoint:
    """One suggestion.

    Attributes
    ----------
    inputs : name ↦ value, in units of the log, or one of its words
    mean, sd : of y there without its noise when the evaluation ends, in units of y
    expected_duration : of the evaluation, in the unit of the log; NaN where it has no durations
    acquisition : what the policy maximised, larger is better; for `ts` the drawn value
    """

    inputs: dict[str, float | str]
    mean: float
    sd: float
    expected_duration: float
    acquisition: float


@dataclass(frozen=True, eq=False)
class Suggested:
    """The suggestions of one call, in the order to evaluate them."""

    points: tuple[NextPoint, ...]
    policy: str
    now: float


def next_points(
    observations: Observations,
    candidates: Candidates,
    *,
    policy: str = "ctv",
    exploration: str = "sqrt-beta",
    now: float | None = None,
    pending: FloatArray | None = None,
    count: int = 1,
    seed: int = 0,
    kept: KeptFit | None = None,
) -> Suggested:
    """Where to evaluate next.

    Parameters
    ----------
    observations, candidates : the log and the set of its fit
    policy : of `LOG_POLICIES`, with a weight of its own behind a colon if there is one: that of the
        deviation, or c₀ of the flat index, 1 by default
    exploration : `beta` or `sqrt-beta`, the weight of the deviation in the policies of the paper
    now : the time at which the evaluation would begin, on the clock of the log; by default its end
    pending : (m, d) points under way in the unit cube, beside those that the log knows of; they
        lower the deviation as if they had been observed, and leave the mean
    count : suggestions to evaluate at once. After the first, and after points under way that the
        log knows of, every one is the best on a posterior path of its own over all points that
        compete (joint Thompson draws), so that they differ as far as the log leaves it open
    seed : of the draws
    kept : the fit that is kept beside a growing log, whose model of durations is taken

    The best of a grid, the evaluated points and 1,024 scattered ones, of which the heaviest prior
    screens out all but 128: a restricted search. No point is suggested that is under way, unless
    there is no other. Raises InvalidInput that names what does not fit. O(n² M + 8·128 n²) for M
    points.
    """
    named, own = policy_of(policy)
    for name, given, least in (("count", count, 1), ("seed", seed, 0)):
        if given < least:
            raise InvalidInput(name, given, f"give a whole number of at least {least}")
    made = cast(type[ModelPolicy], policy_named(named))
    begin = observations.now if now is None else float(now)
    if not (isfinite(begin) and begin >= observations.times[-1]):
        remedy = f"give a time of at least {observations.times[-1]:g}, when the log ends"
        raise InvalidInput("now", begin, remedy)
    waiting = observations.pending
    if pending is not None:
        waiting = np.concatenate([waiting, _in_cube(pending, observations.dimension)])
    weight = float(exploration_weight(exploration, observations.n + 1))
    if own is not None or made.is_flat:
        weight = 1.0 if own is None else own
    with one_blas_thread():
        search = _Search(observations, candidates, begin, kept)
        points = []
        for i in range(count):
            stream = np.random.SeedSequence([seed, i], spawn_key=(_STREAM,))
            if made.draws and made is not PredictiveSampling:
                place, value = search.sampled(stream, waiting)
            elif made.draws or i or len(observations.pending):
                place, value = search.drawn_jointly(made, weight, waiting, stream)
            else:
                place, value = search.optimistic(made, weight, waiting)
            mean, deviation = search.moments(place, waiting)
            values = inputs_at(observations.axes, search.points[place])
            # y, not what is maximised.
            sign = 1.0 if observations.direction == "maximize" else -1.0
            expected = float(search._waits(np.array([place]))[0]) or float("nan")
            points.append(NextPoint(values, sign * mean, deviation, expected, value))
            waiting = np.concatenate([waiting, search.points[[place]]])
    return Suggested(tuple(points), policy, begin)


_AtEnd = tuple[FloatArray, FloatArray, FloatArray, float]


def _in_cube(pending: FloatArray, dimension: int) -> FloatArray:
    points = np.asarray(pending, dtype=float)
    if points.ndim != 2 or points.shape[1] != dimension:
        raise InvalidInput("pending", f"shape {points.shape}", f"give {dimension} columns")
    if not np.all((points >= 0) & (points <= 1) | (points == ABSENT)):
        raise InvalidInput("pending", "outside the ranges", "widen them with --domain")
    return points


class _Search:
    """Posterior moments of the mixture over the points that compete."""

    def __init__(
        self,
        log: Observations,
        candidates: Candidates,
        begin: float,
        kept: KeptFit | None = None,
    ) -> None:
        self.log, self.begin = log, begin
        self.posterior = LogPosterior(log, candidates)
        self.candidates = candidates
        self._cache: dict[tuple[object, ...], _AtEnd] = {}
        self._looks: dict[int, LooksEverywhere] = {}
        self._solved: dict[tuple[int, Member, int], tuple[FloatArray, FloatArray, FloatArray]] = {}
        heavy = np.argsort(-candidates.weights, kind="stable")[:_MEMBERS]
        self.heavy = [int(i) for i in heavy]
        self.weights = candidates.weights[heavy] / candidates.weights[heavy].sum()
        # Whole numbers are all among the sites, or as many of them as there may be.
        more = () if all(axis.integer for axis in log.axes) else (_scattered(log.axes),)
        self.points = np.concatenate([self.posterior.space.sites, *more])
        self.times = _time_model(log, kept)
        expected = float(np.nanmean(log.durations)) if np.any(np.isfinite(log.durations)) else 0.0
        self.round_length = expected

    def optimistic(
        self, made: type[ModelPolicy], weight: float, waiting: FloatArray
    ) -> tuple[int, float]:
        """The point of largest mean + weight · deviation, over the law of its evaluation time."""
        places = self._screened(made, weight, waiting, waiting)
        total = self._index(made, weight, waiting, places)
        best = int(np.argmax(total))
        return int(places[best]), float(total[best])

    def _index(
        self,
        made: type[ModelPolicy],
        weight: float,
        waiting: FloatArray,
        places: IntArray,
    ) -> FloatArray:
        """(len(places),) what the policy maximises, over the heavy members."""
        still = made.times is Times.NONE
        total = np.zeros(len(places))
        for share, waits in self._scenarios(made.times, places):
            mean, deviation = self._mixture(waits, waiting, places, still=still)
            if made.is_flat:
                total += share * flat_confidence(mean, deviation, sqrt(weight), self._least(waits))
            else:
                total += share * (mean + weight * deviation)
        return total

    def _screened(
        self, made: type[ModelPolicy], weight: float, waiting: FloatArray, without: FloatArray
    ) -> IntArray:
        """The most promising points under the heaviest member, in order of their place.

        Every evaluation is taken to last as long as the average of the log.
        """
        every = np.arange(len(self.points))
        free = every[~self._under_way(every, without)]
        if len(free) <= _SCREENED:
            return free
        waits = np.full(len(every), 0.0 if made.times is Times.NONE else self.round_length)
        still = made.times is Times.NONE
        mean, deviation = self._mixture(waits, waiting, every, still=still, members=self.heavy[:1])
        first = (mean + weight * deviation)[free]
        return np.sort(free[np.argsort(-first, kind="stable")[:_SCREENED]])

    def _under_way(self, places: IntArray, waiting: FloatArray) -> BoolArray:
        """(len(places),) whether a point is one of those under way; none where all are."""
        taken = np.zeros(len(places), dtype=bool)
        for point in waiting:
            taken |= np.all(np.abs(self.points[places] - point) < _SAME, axis=1)
        return taken & (not np.all(taken))

    def drawn_jointly(
        self,
        made: type[ModelPolicy],
        weight: float,
        waiting: FloatArray,
        stream: np.random.SeedSequence,
    ) -> tuple[int, float]:
        """The best of one joint draw over the promising points, under a member of its own.

        Of f, or for predictive sampling of what looks in every later round would say of f.
        """
        rng = np.random.default_rng(stream)
        # Those under way are apart in the draw, and lower no deviation before it.
        nothing = np.empty((0, self.log.dimension))
        places = self._screened(made, weight, nothing, waiting)
        edges = np.cumsum(self.weights)
        chosen = int(np.searchsorted(edges, rng.random() * edges[-1], side="right"))
        index = self.heavy[min(chosen, len(self.heavy) - 1)]
        mean, covariance = self._joint(index, places, self._waits(places))
        values, vectors = np.linalg.eigh(covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        moved = root @ rng.standard_normal(len(values))
        member = self.candidates.members[index]
        if made is PredictiveSampling:
            scale = self._variance(index)
            # Of another memory the Markov one of the same half-life stands in.
            later = precision_of_all_later(member.rate * self.round_length, member.noise_variance)
            if isfinite(later):
                said = later * np.diagonal(covariance) / scale
                moved *= np.sqrt(said / (1.0 + said))
        drawn = mean + moved
        best = int(np.argmax(drawn))
        warp = member.warp
        value = drawn[[best]] if warp is None else warp.inverse(drawn[[best]])
        return int(places[best]), float(value[0])

    def _joint(
        self, index: int, places: IntArray, waits: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and covariance of s·f + m at several points, each when its evaluation ends.

        On the scale of y that the member has.
        """
        member, law = self.candidates.members[index], self.candidates.posterior
        data, where = self.posterior.data, self.points[places]
        scale = self._variance(index)
        lower, white, ones = self._solve(member, index, np.empty((0, self.log.dimension)))
        ends = waits + self.begin
        decay = member.over_time(data.times, ends)
        rows = linalg.solve_triangular(
            lower, member.between(data.points, where) * decay, lower=True
        )
        prior = member.between(where, where)
        prior *= member.over_time(ends, ends)
        free = 1.0 - ones @ rows
        covariance = prior - rows.T @ rows + float(law.spread[index]) * np.outer(free, free)
        mean = float(law.center[index]) + sqrt(scale) * (white @ rows)
        return mean, scale * covariance

    def _variance(self, index: int) -> float:
        """The mean of s² under one member, where it has one."""
        law = self.candidates.posterior
        return float(law.scale[index] / max(float(law.shape[index]) - 1.0, 0.5))

    def moments(self, place: int, waiting: FloatArray) -> tuple[float, float]:
        """Mean and deviation of what is maximised at a point, when its evaluation ends."""
        places = np.array([place])
        mean, deviation = self._mixture(self._waits(places), waiting, places)
        return float(mean[0]), float(deviation[0])

    def sampled(self, stream: np.random.SeedSequence, waiting: FloatArray) -> tuple[int, float]:
        """The point of the largest value on one posterior path, carried on to its end."""
        chooser, path_stream = stream.spawn(2)
        index = int(self.candidates.drawn(1, np.random.default_rng(chooser))[0])
        member, size = self.candidates.members[index], len(self.posterior.space.sites)
        waits = self._waits(np.arange(size))
        if member.markov:
            drawn = next(self.posterior.paths(index, [path_stream]))
            gaps = waits + self.begin - self.log.times[-1]
            fresh = drawn.factor.apply(drawn.rng.standard_normal((1, drawn.factor.rank)))[0]
            kept = np.exp(-member.rate * gaps)
            state = kept * drawn.values[-1] + np.sqrt(-np.expm1(-2.0 * member.rate * gaps)) * fresh
        else:
            # What remembers more than its last state is drawn at one time, the average one.
            ahead = np.array([self.begin + float(np.mean(waits))])
            drawn = next(self.posterior.paths(index, [path_stream], ahead))
            state = drawn.values[-1]
        values = drawn.mean + drawn.scale * state
        if drawn.warp is not None:
            values = drawn.warp.inverse(values + drawn.scale * drawn.level[-1])
        values[self._under_way(np.arange(size), waiting)] = -np.inf
        best = int(np.argmax(values))
        return best, float(values[best])

    def _scenarios(self, known: Times, places: IntArray) -> list[tuple[float, FloatArray]]:
        """Evaluation times of these points with their probabilities."""
        nothing = np.zeros(len(places))
        if known is Times.NONE:
            return [(1.0, nothing)]
        if known is Times.ROUNDS or self.times is None:
            return [(1.0, nothing + self.round_length)]
        if known is Times.MEAN:
            return [(1.0, self._waits(places))]
        # The law of log t by Gauss–Hermite nodes, its noise included.
        nodes, shares = np.polynomial.hermite_e.hermegauss(_NODES)
        center, variance = self.times.log_posterior(self.points[places])
        deviation = np.sqrt(variance + self.times.hyperparameters.noise_variance)
        shares = shares / shares.sum()
        return [
            (float(share), np.exp(center + node * deviation))
            for node, share in zip(nodes, shares, strict=True)
        ]

    def _waits(self, places: IntArray) -> FloatArray:
        """(len(places),) expected durations of evaluations; 0 where the log knows of none."""
        if self.times is None:
            return np.full(len(places), self.round_length)
        return self.times.mean_duration(self.points[places])

    def _mixture(
        self,
        waits: FloatArray,
        waiting: FloatArray,
        places: IntArray,
        *,
        still: bool = False,
        members: Sequence[int] | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and deviation of y without its noise and level at these points, over the members.

        After the waits; where a member has a scale of y, of what that makes of s·f + m.
        """
        chosen = self.heavy if members is None else members
        weights = self.weights[: len(chosen)] / self.weights[: len(chosen)].sum()
        means, variances = np.empty((2, len(chosen), len(places)))
        same = (still, len(waiting), places.tobytes())
        for row, index in enumerate(chosen):
            # The points that compete are asked for at several waits.
            means[row], variances[row] = self._member(
                index, waits, self.points[places], waiting, still=still, key=(index, *same)
            )
        mean = weights @ means
        variance = weights @ (variances + means**2) - mean**2
        return mean, np.sqrt(np.maximum(variance, 0.0))

    def _member(
        self,
        index: int,
        waits: FloatArray,
        where: FloatArray,
        waiting: FloatArray,
        *,
        still: bool,
        key: tuple[object, ...],
    ) -> tuple[FloatArray, FloatArray]:
        member = self.candidates.members[index]
        member = member.without_drift() if still else member
        ahead = waits + self.begin - self.log.times[-1]
        if member.markov:
            cached = self._cache.get(key)
            if cached is None:
                now = np.zeros(1)
                cached = self._cache[key] = self._at_end(member, index, where, waiting, now)
            kept = np.exp(-member.rate * ahead)
        else:
            cached, kept = self._at_end(member, index, where, waiting, ahead), np.ones(len(where))
        white, loading, explained, level = cached
        law = self.candidates.posterior
        scale = self._variance(index)
        mean = float(law.center[index]) + sqrt(scale) * kept * white
        spread = float(law.spread[index]) * (1.0 - kept * loading) ** 2
        variance = scale * np.maximum(1.0 - kept**2 * explained + spread, 0.0)
        if member.warp is None:
            return mean, variance
        return _unwarped(member.warp, mean + sqrt(scale) * level, variance)

    def _least(self, waits: FloatArray) -> FloatArray:
        """(M,) the mean over the heavy members of p, in units of y² as the variance is."""
        law, total = self.candidates.posterior, np.zeros(len(waits))
        times = self.posterior.data.times
        for share, index in zip(self.weights, self.heavy, strict=True):
            member = self.candidates.members[index]
            scale = self._variance(index)
            if member.warp is not None:
                ends = float(law.center[index]) + sqrt(scale) * np.array([-1.0, 1.0])
                scale = 0.25 * float(np.ptp(member.warp.inverse(ends))) ** 2
            # Of other memories that of the same half-life that is Markov stands in.
            looks = self._looks.get(index)
            if looks is None:
                kernel = Matern(0.5, 1.0 / member.rate) if member.rate > 0.0 else Forgetting(0.0)
                looks = self._looks[index] = LooksEverywhere(kernel, member.noise_variance)
                for gap in np.diff(times, prepend=times[0]):
                    looks.look(float(gap))
            total += share * scale * looks.left(waits + self.begin - self.log.times[-1])[0]
        return total

    def _at_end(
        self,
        member: Member,
        index: int,
        where: FloatArray,
        waiting: FloatArray,
        ahead: FloatArray,
    ) -> _AtEnd:
        """(M,) each: mean of f/s less that of m, the share of m in it, the variance explained.

        So long ahead of the end of the log, (M,) or the same for all. And the mean of the level
        at its end.
        """
        key = (index, member, len(waiting))
        if key not in self._solved:
            self._solved[key] = self._solve(member, index, waiting)
        lower, white, ones = self._solved[key]
        points, times = self._rows_and(waiting)
        cross = member.between(points, where)
        cross *= member.decay(times[:, None], times[-1] + ahead)
        rows = linalg.solve_triangular(lower, cross, lower=True, check_finite=False)
        n, level = self.log.n, 0.0
        if member.warp is not None:
            common = member.level * member.decay(times, times[-1])
            common = linalg.solve_triangular(lower, common, lower=True, check_finite=False)
            level = float(white @ common[:n])
        return white @ rows[:n], ones @ rows[:n], np.einsum("ij,ij->j", rows, rows), level

    def _rows_and(self, waiting: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The rows and the points under way, as if these ended with the log; and their times."""
        data = self.posterior.data
        times = np.concatenate([data.times, np.full(len(waiting), data.times[-1])])
        return np.concatenate([data.points, waiting]), times

    def _solve(
        self, member: Member, index: int, waiting: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """L of A over the rows and the points under way; L⁻¹ of the residual and of 1 over rows."""
        data, law = self.posterior.data, self.candidates.posterior
        scale = sqrt(self._variance(index))
        points, times = self._rows_and(waiting)
        noise = None if data.noise is None else data.noise.extended(len(waiting))
        lower = linalg.cholesky(
            member.observed(points, times, noise), lower=True, check_finite=False
        )
        residual = (data.on_scale_of(member) - float(law.center[index])) / scale
        both = np.stack([residual, np.ones(data.n)], axis=1)
        head = lower[: data.n, : data.n]
        white, ones = linalg.solve_triangular(head, both, lower=True, check_finite=False).T
        return lower, np.asarray(white), np.asarray(ones)


def _unwarped(warp: Warp, mean: FloatArray, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of T⁻¹ of normal variables, by Gauss–Hermite nodes."""
    nodes, shares = np.polynomial.hermite_e.hermegauss(_NODES)
    shares = shares / shares.sum()
    values = warp.inverse(mean + nodes[:, None] * np.sqrt(variance))
    center = shares @ values
    return center, shares @ (values - center) ** 2


@lru_cache(maxsize=8)
def _scattered(axes: tuple[Axis, ...]) -> FloatArray:
    """(1024, d) scattered points of the cube that these axes can evaluate."""
    points = scattered(axes, _SCATTERED)
    # Points that differed in absent inputs alone are one.
    return np.unique(points, axis=0) if any(axis.under for axis in axes) else points


def _time_model(log: Observations, kept: KeptFit | None) -> TimeModel | None:
    """The model of log t, from the rows that have a positive duration; None for fewer than five.

    Its hyperparameters are those that are kept with the fit, or else fitted.
    """
    known = np.isfinite(log.durations) & (log.durations > 0)
    if int(known.sum()) < 5 or float(np.ptp(log.durations[known])) == 0.0:
        return None
    points, durations = log.points[known], log.durations[known]
    if kept is not None and kept.durations is not None:
        return condition(kept.durations, points, durations)
    model = fit_time_model(points, durations)
    if kept is not None:
        kept.durations = replace(model.hyperparameters, mean=None)
    return model
