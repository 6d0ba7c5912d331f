"""Adaptive importance sampling with deterministic mixture weights.

Points are drawn in rounds, each from its own mixture of Student laws fitted to what is known so
far, with the standard normal law of the hyperprior in a tenth of it so that weights stay bounded.
At the end every point is weighted against all rounds at once (Owen and Zhou 2000; Cornuet et al.
2012): w = target / Σ_r (N_r/N) q_r, so that no round's poor proposal spoils the estimate.

A proposal is fitted to tempered weights w^a, with the largest a ≤ 1 at which they are worth enough
points: where few points carry all weight, their covariance alone would be too narrow to find the
rest (Koblents and Míguez 2015).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import linalg, optimize, special

from bounds.arrays import FloatArray
from simulation.prior.hyperprior import REACH

_DEGREES = 9.0
_WIDER = 1.1
"""Factor on the standard deviations of a fitted proposal."""
_DEFENSIVE = 0.1
_LAPLACE = 0.1
"""Share of the first law of a proposal, Laplace's approximation, beside what was fitted later."""
_WORTH = 2.0
"""Effective points for each coordinate that a proposal is fitted to."""


@dataclass(frozen=True, eq=False)
class StudentLaw:
    """A multivariate Student law, `_DEGREES` of freedom: centre (k,), root (k, k) lower."""

    center: FloatArray
    root: FloatArray

    @classmethod
    def of(cls, center: FloatArray, covariance: FloatArray) -> StudentLaw:
        """With `_WIDER` times the standard deviations, and none below 0.003 or above 1."""
        values, vectors = np.linalg.eigh(covariance)
        values = np.clip(_WIDER**2 * values, 1e-5, 1.0)
        gram = (vectors * values) @ vectors.T
        return cls(np.asarray(center), np.linalg.cholesky(0.5 * (gram + gram.T)))

    def draw(self, count: int, rng: np.random.Generator) -> FloatArray:
        normal = rng.standard_normal((count, len(self.center)))
        scale = np.sqrt(_DEGREES / rng.chisquare(_DEGREES, count))
        return np.asarray(self.center + (normal @ self.root.T) * scale[:, None])

    def log_density(self, z: FloatArray) -> FloatArray:
        k = len(self.center)
        standard = linalg.solve_triangular(
            self.root, (z - self.center).T, lower=True, check_finite=False
        )
        constant = special.gammaln(0.5 * (_DEGREES + k)) - special.gammaln(0.5 * _DEGREES)
        constant -= 0.5 * k * np.log(_DEGREES * np.pi) + np.sum(np.log(np.diag(self.root)))
        tail = np.log1p(np.sum(standard**2, axis=0) / _DEGREES)
        return np.asarray(constant - 0.5 * (_DEGREES + k) * tail)


def log_prior(z: FloatArray) -> FloatArray:
    """(B,) log density of standard normals cut at `REACH`; −∞ outside."""
    inside = np.all(np.abs(z) <= REACH, axis=1)
    mass = np.log(special.erf(REACH / np.sqrt(2.0)))
    density = -0.5 * np.sum(z**2, axis=1) - z.shape[1] * (0.5 * np.log(2.0 * np.pi) + mass)
    return np.where(inside, density, -np.inf)


@dataclass(frozen=True, eq=False)
class Proposal:
    """A mixture of Student laws and, for a tenth, the law of the hyperprior."""

    laws: tuple[StudentLaw, ...]
    shares: FloatArray

    def draw(self, count: int, rng: np.random.Generator) -> FloatArray:
        """(count, k) points."""
        points = rng.standard_normal((count, len(self.laws[0].center)))
        place = np.searchsorted(np.cumsum((1.0 - _DEFENSIVE) * self.shares), rng.random(count))
        for i, law in enumerate(self.laws):
            mine = np.flatnonzero(place == i)
            points[mine] = law.draw(len(mine), rng)
        return points

    def log_density(self, z: FloatArray) -> FloatArray:
        """(B,) log density of the mixture."""
        k = z.shape[1]
        normal = -0.5 * np.sum(z**2, axis=1) - 0.5 * k * np.log(2.0 * np.pi)
        terms = [np.log(_DEFENSIVE) + normal]
        for law, share in zip(self.laws, self.shares, strict=True):
            if share > 0:
                terms.append(np.log((1.0 - _DEFENSIVE) * share) + law.log_density(z))
        return np.asarray(np.logaddexp.reduce(terms, axis=0))


@dataclass(eq=False)
class Sample:
    """Points of one target, drawn in rounds.

    target : (B, k) points inside the reach ↦ (B,) log density, not normalised, and (B, m) numbers
        that come with it and are kept
    """

    target: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
    points: FloatArray
    values: FloatArray
    kept: FloatArray
    proposals: list[tuple[int, Proposal]] = field(default_factory=list)
    _drawn: FloatArray = field(default_factory=lambda: np.empty(0))
    """(N,) log of Σ counts · densities of all proposals at the points."""

    @classmethod
    def empty(
        cls,
        target: Callable[[FloatArray], tuple[FloatArray, FloatArray]],
        coordinates: int,
        kept: int,
    ) -> Sample:
        """No points yet, and `kept` numbers to come with each."""
        return cls(target, np.empty((0, coordinates)), np.empty(0), np.empty((0, kept)))

    def extend(self, proposal: Proposal, count: int, rng: np.random.Generator) -> None:
        """Draw `count` more points."""
        if count <= 0:
            return
        points = proposal.draw(count, rng)
        values = np.full(count, -np.inf)
        # What lies outside the reach of the hyperprior keeps its place, with weight 0.
        inside = np.flatnonzero(np.all(np.abs(points) <= REACH, axis=1))
        kept = np.zeros((count, self.kept.shape[1]))
        values[inside], kept[inside] = self.target(points[inside])
        here = [np.log(n) + p.log_density(points) for n, p in (*self.proposals, (count, proposal))]
        before = np.log(count) + proposal.log_density(self.points)
        before = np.logaddexp(self._drawn, before)
        self._drawn = np.concatenate([before, np.logaddexp.reduce(here, axis=0)])
        self.kept = np.concatenate([self.kept, kept])
        self.points = np.concatenate([self.points, points])
        self.values = np.concatenate([self.values, values])
        self.proposals.append((count, proposal))

    @property
    def log_weights(self) -> FloatArray:
        """(N,) log of target over the mixture of all proposals; their mean is the evidence."""
        return np.asarray(self.values - self._drawn + np.log(max(len(self.values), 1)))

    @property
    def log_evidence(self) -> float:
        """log of the integral of the target, estimated; unbiased before the logarithm."""
        weights = self.log_weights
        return float(special.logsumexp(weights) - np.log(len(weights)))

    def adapted(self, fallback: Proposal) -> Proposal:
        """A proposal with the tempered mean and covariance of the points beside the first law."""
        logs = self.log_weights
        k = self.points.shape[1]
        usable = np.isfinite(logs)
        if np.count_nonzero(usable) < 2.0 * _WORTH * k:
            return fallback
        points, weights = self.points[usable], _tempered(logs[usable], _WORTH * k)
        center = weights @ points
        spread = points - center
        law = StudentLaw.of(center, (weights[:, None] * spread).T @ spread)
        return Proposal((law, fallback.laws[-1]), np.array([1.0 - _LAPLACE, _LAPLACE]))


def _tempered(logs: FloatArray, least: float) -> FloatArray:
    """(N,) w^a/Σw^a of log weights, with the largest a ≤ 1 that is worth `least` < N points."""

    def powered(a: float) -> FloatArray:
        return special.softmax(a * logs)

    def surplus(a: float) -> float:
        return effective_size(powered(a)) - least

    # The effective size decreases from N at a = 0.
    power = 1.0 if surplus(1.0) >= 0.0 else optimize.brentq(surplus, 0.0, 1.0, xtol=1e-4)
    return np.asarray(powered(power))


def effective_size(weights: FloatArray) -> float:
    """(Σw)²/Σw²: how many equal weights say as much."""
    return float(weights.sum() ** 2 / (weights @ weights))
