"""The next point of one's own search, under the weighted set of priors that fits its log.

Policies with a weight that need no t(x) beforehand, the flat index, and those that draw f, on boxes
with logarithmic axes and whole numbers. Their mean and deviation are those of the mixture over the
priors, so that drift is in them as far as the log speaks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import cast

import numpy as np
from scipy import linalg
from threadpoolctl import threadpool_limits

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern
from own_runs.certificates.mixture import LogPosterior
from own_runs.logs.observations import Observations
from simulation.model.time_model import TimeModel, fit_time_model
from simulation.policies.acquisition import exploration_weight, flat_confidence
from simulation.policies.base import ModelPolicy, Times
from simulation.policies.flat import LooksEverywhere
from simulation.policies.registry import policies, policy_named
from simulation.prior.candidates import Candidates
from simulation.prior.evidence import Member

LOG_POLICIES = tuple(
    name
    for name, policy in policies().items()
    if issubclass(policy, ModelPolicy)
    and (policy.draws or policy.is_flat or (policy.has_weight and policy.times is not Times.KNOWN))
)
"""What a log can be asked: it has no t(x) known beforehand. For draws its mean stands in, for the
flat index its law."""

_MEMBERS = 16
"""Priors over which mean and deviation are averaged."""
_SCATTERED = 1_024
_STREAM = 10
_NODES = 7


@dataclass(frozen=True)
class NextPoint:
    """One suggestion.

    Attributes
    ----------
    inputs : name ↦ value, in units of the log
    mean, sd : of y there without its noise when the evaluation ends, in units of y
    expected_duration : of the evaluation, in the unit of the log; NaN where it has no durations
    acquisition : what the policy maximised, larger is better; for `ts` the drawn value
    """

    inputs: dict[str, float]
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
) -> Suggested:
    """Where to evaluate next.

    Parameters
    ----------
    observations, candidates : the log and the set of its fit
    policy : of `LOG_POLICIES`
    exploration : `beta` or `sqrt-beta`, the weight of the deviation in the policies of the paper
    now : the time at which the evaluation would begin, on the clock of the log; by default its end
    pending : (m, d) points under way in the unit cube, beside those that the log knows of; they
        lower the deviation as if they had been observed, and leave the mean
    count : suggestions, each pending for the next
    seed : of the draws of `ts`

    The best of a grid, the evaluated points and 1,024 scattered ones: a restricted search.
    Raises InvalidInput that names what does not fit. O(16 n² M) for M points.
    """
    if policy not in LOG_POLICIES:
        raise InvalidInput("policy", policy, f"use {', '.join(LOG_POLICIES)}")
    for name, given, least in (("count", count, 1), ("seed", seed, 0)):
        if given < least:
            raise InvalidInput(name, given, f"give a whole number of at least {least}")
    made = cast(type[ModelPolicy], policy_named(policy))
    begin = observations.now if now is None else float(now)
    if not (isfinite(begin) and begin >= observations.times[-1]):
        remedy = f"give a time of at least {observations.times[-1]:g}, when the log ends"
        raise InvalidInput("now", begin, remedy)
    waiting = observations.pending
    if pending is not None:
        waiting = np.concatenate([waiting, _in_cube(pending, observations.dimension)])
    weight = float(exploration_weight(exploration, observations.n + 1))
    with threadpool_limits(1, user_api="blas"):
        search = _Search(observations, candidates, begin)
        found = []
        for i in range(count):
            if made.draws:
                point = search.sampled(np.random.SeedSequence([seed, i], spawn_key=(_STREAM,)))
            else:
                point = search.optimistic(made, weight, waiting)
            place, value = point
            mean, deviation = search.moments(place, waiting)
            values = {
                axis.name: float(axis.from_unit(search.points[place, [a]])[0])
                for a, axis in enumerate(observations.axes)
            }
            # y, not what is maximised.
            sign = 1.0 if observations.direction == "maximize" else -1.0
            expected = float(search.waits[place])
            found.append(NextPoint(values, sign * mean, deviation, expected, value))
            waiting = np.concatenate([waiting, search.points[[place]]])
    return Suggested(tuple(found), policy, begin)


_AtEnd = tuple[FloatArray, FloatArray, FloatArray]


def _in_cube(pending: FloatArray, dimension: int) -> FloatArray:
    points = np.asarray(pending, dtype=float)
    if points.ndim != 2 or points.shape[1] != dimension:
        raise InvalidInput("pending", f"shape {points.shape}", f"give {dimension} columns")
    if not np.all((points >= 0) & (points <= 1)):
        raise InvalidInput("pending", "outside the ranges", "widen them with --domain")
    return points


class _Search:
    """Posterior moments of the mixture over the points that compete."""

    def __init__(self, log: Observations, candidates: Candidates, begin: float) -> None:
        self.log, self.begin = log, begin
        self.posterior = LogPosterior(log, candidates)
        self.candidates = candidates
        self._cache: dict[tuple[int, bool, int], _AtEnd] = {}
        heavy = np.argsort(-candidates.weights, kind="stable")[:_MEMBERS]
        self.heavy = [int(i) for i in heavy]
        self.weights = candidates.weights[heavy] / candidates.weights[heavy].sum()
        from scipy.stats import qmc  # slow to import

        d = log.dimension
        unit = qmc.Sobol(d, scramble=False).random(_SCATTERED)
        rounded = [axis.to_unit(axis.from_unit(unit[:, i])) for i, axis in enumerate(log.axes)]
        self.points = np.concatenate([self.posterior.space.sites, np.stack(rounded, axis=1)])
        self.times = _time_model(log)
        expected = float(np.nanmean(log.durations)) if np.any(np.isfinite(log.durations)) else 0.0
        self.round_length = expected
        self.waits = (
            np.full(len(self.points), expected if expected else float("nan"))
            if self.times is None
            else self.times.mean_duration(self.points)
        )

    def optimistic(
        self, made: type[ModelPolicy], weight: float, waiting: FloatArray
    ) -> tuple[int, float]:
        """The point of largest mean + weight · deviation, over the law of its evaluation time."""
        still = made.times is Times.NONE
        total = np.zeros(len(self.points))
        for share, waits in self._scenarios(made.times):
            mean, deviation = self._mixture(waits, waiting, still=still)
            if made.is_flat:
                total += share * flat_confidence(mean, deviation, 1.0, self._least(waits))
            else:
                total += share * (mean + weight * deviation)
        best = int(np.argmax(total))
        return best, float(total[best])

    def moments(self, place: int, waiting: FloatArray) -> tuple[float, float]:
        """Mean and deviation of what is maximised at a point, when its evaluation ends."""
        waits = np.where(np.isfinite(self.waits), self.waits, 0.0)
        mean, deviation = self._mixture(waits[[place]], waiting, points=self.points[[place]])
        return float(mean[0]), float(deviation[0])

    def sampled(self, stream: np.random.SeedSequence) -> tuple[int, float]:
        """The point of the largest value on one posterior path, carried on to its end."""
        chooser, path_stream = stream.spawn(2)
        edges = np.cumsum(self.candidates.weights)
        share = np.random.default_rng(chooser).random() * edges[-1]
        index = min(int(np.searchsorted(edges, share, side="right")), len(edges) - 1)
        drawn = next(self.posterior.paths(index, [path_stream]))
        rate, size = self.candidates.members[index].rate, len(self.posterior.space.sites)
        waits = np.where(np.isfinite(self.waits[:size]), self.waits[:size], 0.0)
        gaps = waits + self.begin - self.log.times[-1]
        fresh = drawn.factor.apply(drawn.rng.standard_normal((1, drawn.factor.rank)))[0]
        lost = np.sqrt(-np.expm1(-2.0 * rate * gaps))
        values = np.exp(-rate * gaps) * drawn.values[-1] + lost * fresh
        best = int(np.argmax(values))
        return best, float(drawn.mean + drawn.scale * values[best])

    def _scenarios(self, known: Times) -> list[tuple[float, FloatArray]]:
        """Evaluation times of all points with their probabilities."""
        nothing = np.zeros(len(self.points))
        if known is Times.NONE:
            return [(1.0, nothing)]
        if known is Times.ROUNDS or self.times is None:
            return [(1.0, nothing + self.round_length)]
        if known is Times.MEAN:
            return [(1.0, self.waits)]
        # The law of log t by Gauss–Hermite nodes, its noise included.
        nodes, shares = np.polynomial.hermite_e.hermegauss(_NODES)
        center, variance = self.times.log_posterior(self.points)
        deviation = np.sqrt(variance + self.times.hyperparameters.noise_variance)
        shares = shares / shares.sum()
        return [
            (float(share), np.exp(center + node * deviation))
            for node, share in zip(nodes, shares, strict=True)
        ]

    def _mixture(
        self,
        waits: FloatArray,
        waiting: FloatArray,
        *,
        still: bool = False,
        points: FloatArray | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """(M,) mean and deviation of s·f + m after the waits, over the heavy members."""
        where = self.points if points is None else points
        means, variances = np.empty((2, len(self.heavy), len(where)))
        for place, index in enumerate(self.heavy):
            # The points that compete are asked for at several waits.
            key = None if points is not None else (index, still, len(waiting))
            means[place], variances[place] = self._member(
                index, waits, where, waiting, still=still, key=key
            )
        mean = self.weights @ means
        variance = self.weights @ (variances + means**2) - mean**2
        return mean, np.sqrt(np.maximum(variance, 0.0))

    def _member(
        self,
        index: int,
        waits: FloatArray,
        where: FloatArray,
        waiting: FloatArray,
        *,
        still: bool,
        key: tuple[int, bool, int] | None,
    ) -> tuple[FloatArray, FloatArray]:
        member = self.candidates.members[index]
        member = replace(member, rate=0.0) if still else member
        cached = None if key is None else self._cache.get(key)
        if cached is None:
            cached = self._at_end(member, index, where, waiting)
            if key is not None:
                self._cache[key] = cached
        white, loading, explained = cached
        law = self.candidates.posterior
        scale = float(law.scale[index] / max(float(law.shape[index]) - 1.0, 0.5))
        kept = np.exp(-member.rate * (waits + self.begin - self.log.times[-1]))
        mean = float(law.center[index]) + sqrt(scale) * kept * white
        spread = float(law.spread[index]) * (1.0 - kept * loading) ** 2
        return mean, scale * np.maximum(1.0 - kept**2 * explained + spread, 0.0)

    def _least(self, waits: FloatArray) -> FloatArray:
        """(M,) the mean over the heavy members of p, in units of y² as the variance is."""
        law, total = self.candidates.posterior, np.zeros(len(waits))
        times = self.posterior.data.times
        for share, index in zip(self.weights, self.heavy, strict=True):
            member = self.candidates.members[index]
            scale = float(law.scale[index] / max(float(law.shape[index]) - 1.0, 0.5))
            kernel = Matern(0.5, 1.0 / member.rate) if member.rate > 0.0 else Forgetting(0.0)
            looks = LooksEverywhere(kernel, member.noise_variance)
            for gap in np.diff(times, prepend=times[0]):
                looks.look(float(gap))
            total += share * scale * looks.left(waits + self.begin - self.log.times[-1])[0]
        return total

    def _at_end(self, member: Member, index: int, where: FloatArray, waiting: FloatArray) -> _AtEnd:
        """(M,) each: mean of f/s less that of m, the share of m in it, the variance explained."""
        data = self.posterior.data
        law = self.candidates.posterior
        scale = sqrt(float(law.scale[index] / max(float(law.shape[index]) - 1.0, 0.5)))
        n = data.n
        points = np.concatenate([data.points, waiting])
        times = np.concatenate([data.times, np.full(len(waiting), data.times[-1])])
        noise = None if data.noise is None else data.noise.beside(len(waiting))
        lower = linalg.cholesky(member.observed(points, times, noise), lower=True)
        cross = member.between(points, where) * np.exp(-member.rate * (times[-1] - times))[:, None]
        rows = linalg.solve_triangular(lower, cross, lower=True)
        residual = (data.values - float(law.center[index])) / scale
        head = lower[:n, :n]
        white = linalg.solve_triangular(head, residual, lower=True)
        ones = linalg.solve_triangular(head, np.ones(n), lower=True)
        return white @ rows[:n], ones @ rows[:n], np.sum(rows**2, axis=0)


def _time_model(log: Observations) -> TimeModel | None:
    """The model of log t, from the rows that have a positive duration; None for fewer than five."""
    known = np.isfinite(log.durations) & (log.durations > 0)
    if int(known.sum()) < 5 or float(np.ptp(log.durations[known])) == 0.0:
        return None
    return fit_time_model(log.points[known], log.durations[known])
