"""The rank certificate where the prior is unknown: every path under a prior of its own.

Draw θ from its law given the data, then m and s, then a path of f: each path's regret is then one
draw of the regret's law given the data, and the rank argument holds as for a known prior
(docs/theory.md#theorem-h). What is covered is the average over the hyperprior, not each prior.
For a finite hyperprior the draws are exact; for a weighted sample of a continuum the level is less
the sampling error of the weights.

A certificate of one prior put in for the true one undercovers; one for the worst prior that the
data have not excluded covers each of a finite set (docs/theory.md#theorem-w).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt
from time import perf_counter
from typing import Literal

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput, NumericalFailure
from bounds.numerics.threads import one_blas_thread
from bounds.progress import Share, unwatched
from own_runs.certificates.search_space import DENSE_SITES, SearchSpace
from own_runs.logs.observations import Observations
from own_runs.prior.fit import data_of, finite_candidates
from simulation.after_run.rank import least_paths, rank_of
from simulation.model.covariance import Factor
from simulation.prior.candidates import Candidates
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import FiniteHyperprior
from simulation.prior.warp import Warp

Quantity = Literal["cumulative", "simple", "lenient"]
QUANTITIES: tuple[Quantity, ...] = ("cumulative", "simple", "lenient")

MEANING: dict[Quantity, str] = {
    "cumulative": "Σ max f(·, τ_i) − f(x_i, τ_i) over the observed trials",
    "simple": "max f(·, τ) − f(x̂, τ) of the recommended trial, at the end of the log",
    "lenient": "Σ of what each trial's regret exceeds the tolerance by",
}

_ALONE = (
    "one prior stands for the true one: if it was fitted to these data the level does not hold; "
    "draw every path under a prior of its own"
)
_THREADS = 2
_CERTIFY, _DECIDE = 7, 8
"""Streams of the draws that certify and of those that decide."""

ALLOWANCE = 0.5
"""Share of δ that is left for what a fitted family lacks of the world: see `spared`."""


def spared(candidates: Candidates, delta: float) -> float:
    """The part of δ that certificates under a fitted set do not spend on their draws.

    A family that was fitted to the log is not the world: counted over worlds beside it, bounds that
    spend all of δ hold less often than they say, mostly by little (`benchmarks/worlds.py`). Half
    of δ is left for that, so that misfit costs width. Nothing is left where the law was fixed
    before the log, under which the level is exact, or where one prior is put in for the true one.
    """
    return 0.0 if candidates.exact or len(candidates.members) == 1 else ALLOWANCE * delta


def rank_with(paths: int, delta: float, left: float) -> int:
    """The rank of a certificate where so much of δ is left for misfit; InvalidInput as `rank_of`.

    >>> rank_with(99, 0.1, 0.0), rank_with(99, 0.1, 0.05)
    (90, 95)
    """
    if left and paths < least_paths(delta - left):
        remedy = f"give at least {least_paths(delta - left)}: half of delta is reserved for misfit"
        raise InvalidInput("paths", paths, remedy)
    return rank_of(paths, delta - left)


@dataclass(frozen=True, eq=False)
class RegretDraws:
    """Regrets of the log on posterior paths, in units of y.

    Attributes
    ----------
    cumulative, simple, lenient : (S,)
    members : (S,) the candidate of each path
    recommended : the row of the log that is recommended, from 0
    """

    cumulative: FloatArray
    simple: FloatArray
    lenient: FloatArray
    members: IntArray
    recommended: int

    def of(self, quantity: Quantity) -> FloatArray:
        """(S,) draws of one quantity."""
        return np.asarray(getattr(self, quantity))


@dataclass(frozen=True, eq=False)
class MixtureCertificate:
    """The regret of a log is at most `value` with probability at least `level`, given the data.

    Attributes
    ----------
    quantity : what is bounded, see `MEANING`
    value : in units of y
    level : probability; where `exact`, for the average over the finite hyperprior; where not, less
        what is left for misfit (`spared`)
    sampling_error : of the weights, one standard error of the level, already taken off
    exact : whether the hyperprior is finite, so that no weight is estimated
    mean, mean_error : average of the draws and its standard error
    rank, paths : k and S
    name : of the method
    """

    quantity: Quantity
    value: float
    level: float
    sampling_error: float
    exact: bool
    mean: float
    mean_error: float
    rank: int
    paths: int
    name: str


@dataclass(frozen=True, eq=False)
class CertifiedLog:
    """Certificates of a log.

    Attributes
    ----------
    certificates : one for each quantity
    recommended : the row of the log, from 1, whose simple regret is meant
    sites : of the set over which the best is taken
    kept : members that the worst case is over; None where it is not asked for
    stop : what the deciding draws said; None where nothing was to be decided
    warnings : what to know before relying on these
    seconds : time it took
    """

    certificates: tuple[MixtureCertificate, ...]
    recommended: int
    sites: int
    kept: int | None
    stop: Decision | None
    warnings: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Decision:
    """Whether to stop: the simple regret of the deciding draws against what was asked.

    They must not certify as well: who stops because of them has chosen the lucky ones.
    """

    stop: bool
    threshold: float
    bound: float


@dataclass(frozen=True, eq=False)
class PosteriorPath:
    """One draw of f, with the m and s that it was drawn under.

    mean, scale : m and s, in units of y, on its scale
    values : (n, M) f at the times of the rounds over all sites; (1, M) where it does not drift;
        further rows are at the times that were asked for after the log
    level : a number for each row, of what all sites share beside f
    warp : the scale of y, None for y itself
    factor : a root of the covariance over the sites
    rng : what is left of the stream
    """

    mean: float
    scale: float
    values: FloatArray
    level: FloatArray
    warp: Warp | None
    factor: Factor
    rng: np.random.Generator

    def comparable(self) -> tuple[FloatArray, float]:
        """Values whose differences at one time, times the number, are differences of y."""
        if self.warp is None:
            return self.values, self.scale
        inside = self.mean + self.scale * (self.values + self.level[:, None])
        return self.warp.inverse(inside), 1.0


class LogPosterior:
    """Posterior paths of f over D for the members of a weighted set."""

    def __init__(
        self,
        observations: Observations,
        candidates: Candidates,
        *,
        tolerance: float = 0.0,
        sites: int | None = None,
    ) -> None:
        """D from the axes of the log; `tolerance` is that of lenient regret, in units of y."""
        if not tolerance >= 0.0:
            raise InvalidInput("tolerance", tolerance, "give a number >= 0, in units of y")
        dimension = len(candidates.members[0].lengthscales)
        if dimension != observations.dimension:
            raise InvalidInput(
                "prior", f"{dimension} inputs", f"the log has {observations.dimension}"
            )
        self.data: Data = data_of(observations)
        self.candidates = candidates
        self.tolerance = tolerance
        if sites is None and any(_dense(member) for member in candidates.members):
            sites = DENSE_SITES
        self.space = SearchSpace.of(observations.axes, observations.points, sites)

    def recommended(self) -> int:
        """The row whose f is largest in posterior mean at the end of the log, by weight.

        Over the heaviest members, at the evaluated points: a function of the data alone.
        """
        heavy = np.argsort(-self.candidates.weights, kind="stable")[:40]
        total = np.zeros(self.data.n)
        with one_blas_thread():
            for i in heavy:
                total += self.candidates.weights[i] * self._mean_at_end(int(i))
        return int(np.argmax(total))

    def _mean_at_end(self, i: int) -> FloatArray:
        """(n,) y at the evaluated points when the log ends, where the mean of one member has it.

        Up to a constant where the member is of y itself.
        """
        member = self.candidates.members[i]
        scale = sqrt(float(self.candidates.posterior.scale[i]))
        mean = float(self.candidates.posterior.center[i])
        rows = self.space.rows(member)[:, self.space.played]
        place = self.space.played - self.space.grid_size
        factor, decay = self._factor(member, rows[place])
        values = self.data.on_scale_of(member)
        weights = linalg.cho_solve((factor, True), (values - mean) / scale)
        means = scale * (weights * decay[-1]) @ rows[place]
        if member.warp is not None:
            level = scale * member.level * float(weights @ decay[-1])
            means = member.warp.inverse(mean + level + means)
        return np.asarray(means)

    def draws(
        self, paths: int, seed: int, *, purpose: int = _CERTIFY, progress: Share = unwatched
    ) -> RegretDraws:
        """Regrets on `paths` independent paths, each with a θ, m and s of its own.

        The streams are those of no run and no fit, and differ with the purpose.
        """
        streams = self._streams(paths, seed, purpose)
        members = self.candidates.drawn(paths, np.random.default_rng(streams[-1]))
        return self._regrets(members, streams[:-1], progress)

    def draws_under(self, member: int, paths: int, seed: int) -> RegretDraws:
        """Regrets on paths under one member; the normals are the same for every member."""
        streams = self._streams(paths, seed, _CERTIFY)
        return self._regrets(np.full(paths, member), streams[:-1], unwatched)

    def _streams(self, paths: int, seed: int, purpose: int) -> list[np.random.SeedSequence]:
        if seed < 0:
            raise InvalidInput("seed", seed, "give a whole number of at least 0")
        root = np.random.SeedSequence([seed, self.data.n], spawn_key=(purpose,))
        return root.spawn(paths + 1)

    def _regrets(
        self, members: IntArray, streams: list[np.random.SeedSequence], progress: Share
    ) -> RegretDraws:
        paths, recommended = len(members), self.recommended()
        regrets = np.empty((paths, 3))
        done: list[int] = []

        def group(member: int) -> None:
            mine = np.flatnonzero(members == member)
            regrets[mine] = self._under(int(member), [streams[i] for i in mine], recommended)
            done.extend(mine)
            progress(len(done) / paths)

        # A stream for each path: the same regrets whatever the number of threads.
        with one_blas_thread(), ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(group, np.unique(members)))
        return RegretDraws(regrets[:, 0], regrets[:, 1], regrets[:, 2], members, recommended)

    def _factor(self, member: Member, gram: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Cholesky factor of A over the rounds, from k(x_i, x_j), and J."""
        decay = member.over_time(self.data.times, self.data.times)
        covariance = (gram + member.level) * decay
        noise = None if self.data.noise is None else self.data.noise.matrix
        member.add_noise(covariance, self.data.points, noise)
        try:
            return np.asarray(linalg.cholesky(covariance, lower=True)), decay
        except linalg.LinAlgError:
            raise NumericalFailure(
                f"noise-variance = {member.noise_variance:g}: K + σ²I is singular to working "
                "precision; give a hyperprior with more noise"
            ) from None

    def paths(
        self,
        index: int,
        streams: Sequence[np.random.SeedSequence],
        ahead: FloatArray | None = None,
    ) -> Iterator[PosteriorPath]:
        """A posterior path of each stream under one member, m and s drawn first.

        ahead : (k,) times after the log, rising, that are drawn too
        """
        member, law = self.candidates.members[index], self.candidates.posterior
        n, played = self.data.n, self.space.played
        rows = self.space.rows(member)
        factor = self.space.factor(member, rows)
        space_rows = rows[played - self.space.grid_size]
        lower, decay = self._factor(member, space_rows[:, played])
        times, observed = self.data.times, self.data.on_scale_of(member)
        if ahead is not None:
            times = np.concatenate([times, ahead])
            later = member.over_time(times[n:], times[:n])
            decay = np.concatenate([decay, later])
        root = None if member.markov else _root_over_time(member, times)
        for stream in streams:
            rng = np.random.default_rng(stream)
            mean, scale = law.draw(index, rng)
            path = _prior_path(factor, member, times, root, rng)
            level = _prior_level(member, times, root, rng)
            noise = sqrt(member.noise_variance) * rng.standard_normal(n)
            if self.data.noise is not None:
                noise = self.data.noise.draw(noise)
            noise *= member.deviations(self.data.points)
            at_data = path[np.arange(n) if len(path) > 1 else 0, played]
            residual = (observed - mean) / scale - at_data - level[:n] - noise
            weights = linalg.cho_solve((lower, True), residual)
            path += (decay[: len(path)] * weights) @ space_rows
            level = level[: len(path)] + member.level * (decay[: len(path)] @ weights)
            yield PosteriorPath(mean, scale, path, level, member.warp, factor, rng)

    def _under(
        self, index: int, streams: list[np.random.SeedSequence], recommended: int
    ) -> FloatArray:
        """(paths, 3) cumulative, simple and lenient regret under one member."""
        n, played = self.data.n, self.space.played
        table = np.empty((len(streams), 3))
        for place, drawn in enumerate(self.paths(index, streams)):
            path, scale = drawn.comparable()
            best = path.max(axis=1)
            regrets = best - path[np.arange(n) if len(path) > 1 else 0, played]
            cumulative = scale * float(regrets.sum())
            simple = scale * float(best[-1] - path[-1, played[recommended]])
            lenient = float(np.maximum(scale * regrets - self.tolerance, 0.0).sum())
            table[place] = cumulative, simple, lenient
        return table


def _dense(member: Member) -> bool:
    """Whether its covariance over a grid has no structure: a root of it is O(N³)."""
    return bool(member.nonstationary.bends or member.unordered) and member.kernel != "se"


def _root_over_time(member: Member, times: FloatArray) -> FloatArray:
    """(n, n) a root of J between the times, which may be singular. O(n³)."""
    values, vectors = linalg.eigh(member.over_time(times, times))
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _prior_path(
    factor: Factor,
    member: Member,
    times: FloatArray,
    root: FloatArray | None,
    rng: np.random.Generator,
) -> FloatArray:
    """(n, M) a draw of f at the times, or (1, M) where it does not drift."""
    if member.still:
        return factor.apply(rng.standard_normal((1, factor.rank)))
    normals = rng.standard_normal((len(times), factor.rank))
    if root is not None:
        return factor.apply(root @ normals)
    return _forgetting(factor.apply(normals), member.rate, times)


def _forgetting(steps: FloatArray, rate: float, times: FloatArray) -> FloatArray:
    """Independent rows made into a stationary forgetting process, in place."""
    gaps = np.diff(times)
    kept, lost = np.exp(-rate * gaps), np.sqrt(-np.expm1(-2.0 * rate * gaps))
    for i in range(1, len(times)):
        steps[i] *= lost[i - 1]
        steps[i] += kept[i - 1] * steps[i - 1]
    return steps


def _prior_level(
    member: Member, times: FloatArray, root: FloatArray | None, rng: np.random.Generator
) -> FloatArray:
    """(n,) a draw of the level that all points share."""
    if not member.level:
        return np.zeros(len(times))
    steps = sqrt(member.level) * rng.standard_normal((len(times), 1))
    if member.still:
        return np.full(len(times), steps[0, 0])
    if root is not None:
        return np.asarray(root @ steps)[:, 0]
    return _forgetting(steps, member.rate, times)[:, 0]


def certify_log(
    observations: Observations,
    candidates: Candidates,
    *,
    paths: int = 99,
    delta: float = 0.1,
    seed: int = 0,
    tolerance: float | None = None,
    sites: int | None = None,
    stop_below: float | None = None,
    progress: Share = unwatched,
) -> CertifiedLog:
    """Rank certificates of a log under a weighted set of priors, in units of y.

    Parameters
    ----------
    observations, candidates : the log and the set of its fit; one member alone is a plugged-in
        prior, and the warnings say so
    paths : S ≥ 1/δ − 1; twice as many and one more under a fitted set, see `spared`
    delta : of each certificate; several of them hold together at the sum of theirs
    seed : of the draws
    tolerance : Δ ≥ 0 of lenient regret, in units of y; without it that certificate is left out
    sites : of D, evaluated points apart
    stop_below : stop if the simple regret is below this, in units of y. The first draws decide;
        only where they say stop are fresh ones drawn, and reported whatever they say
        (docs/theory.md#theorem-s)
    progress : called with the share that is done

    Raises InvalidInput for what `rank_of` refuses and for a set that is for other inputs.
    O(S (N³/4^d + n N²/2^d)) for N sites.
    """
    begun = perf_counter()
    left = spared(candidates, delta)
    rank = rank_with(paths, delta, left)
    posterior = LogPosterior(
        observations, candidates, tolerance=0.0 if tolerance is None else tolerance, sites=sites
    )
    alone = len(candidates.members) == 1
    warnings = (_ALONE,) if alone else ()
    decision = None
    if stop_below is not None:
        if not stop_below > 0:
            raise InvalidInput("stop-below", stop_below, "give a positive number, in units of y")
        first = posterior.draws(paths, seed, purpose=_DECIDE, progress=lambda s: progress(0.5 * s))
        bound = float(np.sort(first.simple)[rank - 1])
        decision = Decision(bound <= stop_below, stop_below, bound)
        if not decision.stop:
            size = len(posterior.space.sites)
            row = observations.rows[first.recommended]
            return CertifiedLog((), row, size, None, decision, warnings, perf_counter() - begun)
    draws = posterior.draws(paths, seed, progress=progress)
    asked = [q for q in QUANTITIES if q != "lenient" or tolerance is not None]
    name = "rank-plugged-in" if alone else "rank-mixture"
    certificates = tuple(_certificate(q, name, draws, candidates, rank, left) for q in asked)
    return CertifiedLog(
        certificates,
        observations.rows[draws.recommended],
        len(posterior.space.sites),
        None,
        decision,
        warnings,
        perf_counter() - begun,
    )


def _certificate(
    quantity: Quantity,
    name: str,
    draws: RegretDraws,
    candidates: Candidates,
    rank: int,
    left: float = 0.0,
) -> MixtureCertificate:
    values = draws.of(quantity)
    paths = len(values)
    level = rank / (paths + 1)
    # P(regret ≤ C | θ) lies in [0, 1]: the weighted mean of it has at most this standard error.
    error = 0.0 if candidates.exact else sqrt(level * (1.0 - level) / candidates.effective_size)
    if name == "rank-plugged-in":
        error = 0.0
    return MixtureCertificate(
        quantity=quantity,
        value=float(np.sort(values)[rank - 1]),
        level=level - error - left,
        sampling_error=error,
        exact=candidates.exact,
        mean=float(values.mean()),
        mean_error=float(values.std(ddof=1) / sqrt(paths)) if paths > 1 else float("nan"),
        rank=rank,
        paths=paths,
        name=name,
    )


def worst_case(
    observations: Observations,
    hyperprior: FiniteHyperprior,
    *,
    paths: int = 19,
    delta: float = 0.1,
    seed: int = 0,
    tolerance: float | None = None,
    sites: int | None = None,
    progress: Share = unwatched,
) -> CertifiedLog:
    """Rank certificates that hold for every prior of a finite set, whatever its weight.

    Kept are the members whose likelihood is above δ/2 of the set's average (for the true one this
    fails at some round with probability δ/2 at most, by Ville's inequality); the certificate is the
    largest of theirs at level 1 − δ/2. Level 1 − δ for each member of the set, m and s of it under
    their prior (docs/theory.md#theorem-w).

    Parameters as `certify_log`; paths ≥ 2/δ − 1.
    """
    begun = perf_counter()
    rank = rank_of(paths, 0.5 * delta)
    candidates = finite_candidates(data_of(observations), hyperprior)
    # E_n(θ) = Σ w p / p_θ = w_θ / P(θ | data).
    ratio = np.asarray(hyperprior.chances) / np.maximum(candidates.weights, 1e-300)
    kept = np.flatnonzero(ratio < 2.0 / delta)
    posterior = LogPosterior(
        observations, candidates, tolerance=0.0 if tolerance is None else tolerance, sites=sites
    )
    asked = [q for q in QUANTITIES if q != "lenient" or tolerance is not None]
    largest: dict[Quantity, MixtureCertificate] = {}
    for done, member in enumerate(kept):
        draws = posterior.draws_under(int(member), paths, seed)
        for quantity in asked:
            row = _certificate(quantity, "rank-worst-case", draws, candidates, rank)
            if quantity not in largest or row.value > largest[quantity].value:
                largest[quantity] = replace(row, level=row.level - 0.5 * delta)
        progress((done + 1) / len(kept))
    return CertifiedLog(
        tuple(largest[quantity] for quantity in asked),
        observations.rows[posterior.recommended()],
        len(posterior.space.sites),
        len(kept),
        None,
        (),
        perf_counter() - begun,
    )
