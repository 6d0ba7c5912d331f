"""Modes of evidence over the numbers of a prior, by gradients from several starts.

Coordinates are standard deviations of logarithms under the hyperprior; a structure (kernel, drift
or none, level or none, one lengthscale or one per input) has its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import optimize, special

from bounds.arrays import FloatArray
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import REACH, Hyperprior, Structure
from simulation.prior.importance import log_prior

_STARTS = 32
_STEP = 1e-3


@dataclass(frozen=True, eq=False)
class Mode:
    """Where a structure explains the data best.

    Attributes
    ----------
    structure : the options
    center : (k,) standard coordinates
    covariance : (k, k) of Laplace's approximation there
    log_evidence : by it
    """

    structure: Structure
    center: FloatArray
    covariance: FloatArray
    log_evidence: float


@dataclass(frozen=True, eq=False)
class Search:
    """What is climbed.

    Attributes
    ----------
    data : the observations
    hyperprior, mean_and_scale : what is believed beforehand
    weighed : whether the density of the hyperprior counts; without, it is the likelihood alone,
        within the reach of the hyperprior
    """

    data: Data
    hyperprior: Hyperprior
    mean_and_scale: MeanAndScale
    weighed: bool = True

    @property
    def dimension(self) -> int:
        """Number of inputs."""
        return int(self.data.points.shape[1])

    @property
    def span(self) -> float:
        """The time that the log spans; 1 where all of it is one instant."""
        return float(np.ptp(self.data.times)) or 1.0

    def members(self, structure: Structure, z: FloatArray) -> list[Member]:
        """The priors at (B, k) coordinates."""
        return self.hyperprior.members(structure, z, self.dimension, self.span)

    def target(self, structure: Structure, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(B,) log of evidence times the density of the hyperprior; (B, 5) evidence, m and s."""
        found, posterior = self.data.judged(self.members(structure, z), self.mean_and_scale)
        kept = np.concatenate([found[:, None], posterior.rows], axis=1)
        return np.asarray(found + log_prior(z)), kept

    def descent(self, structure: Structure, z: FloatArray) -> tuple[float, FloatArray]:
        """Minus the log of evidence times that density, and its gradient."""
        member = self.members(structure, z[None])[0]
        value, by_logarithm = self.data.log_evidence_and_slopes(member, self.mean_and_scale)
        if not np.isfinite(value):
            return 1e10, np.zeros(len(z))
        slopes = self.hyperprior.slopes(structure, by_logarithm, self.dimension)
        if not self.weighed:
            return -value, -slopes
        total = value + float(log_prior(np.clip(z, -REACH, REACH)[None])[0])
        return -total, z - slopes

    def coordinates(self, structure: Structure) -> int:
        """How many numbers it has."""
        return self.hyperprior.coordinates(structure, self.dimension)

    def modes(self, structures: list[Structure], rng: np.random.Generator) -> list[Mode]:
        """A mode of every structure: the richest from several starts, the others from its mode."""
        from scipy.stats import qmc  # slow to import

        order = sorted(structures, key=lambda s: -self.coordinates(s))
        rich = order[0]
        k = self.coordinates(rich)
        points = special.ndtri(np.clip(qmc.Sobol(k, rng=rng).random(_STARTS), 1e-3, 1.0 - 1e-3))
        values, _ = self.target(rich, points)
        starts = points[np.argsort(-values)[:3]]
        ends = [self.climb(rich, start) for start in starts]
        best = min(ends, key=lambda end: end[0])[1]
        found = [self._mode(rich, best)]
        for structure in order[1:]:
            start = self._restricted(best, rich, structure)
            found.append(self._mode(structure, self.climb(structure, start)[1]))
        return found

    def climb(self, structure: Structure, start: FloatArray) -> tuple[float, FloatArray]:
        """Minus the logarithm at the top that is reached from `start`, and the top (k,)."""
        end = optimize.minimize(
            partial(self.descent, structure),
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=optimize.Bounds(-REACH, REACH),
            options={"maxiter": 40, "ftol": 1e-6},
        )
        return float(end.fun), np.asarray(end.x)

    def _restricted(self, z: FloatArray, rich: Structure, structure: Structure) -> FloatArray:
        """The mode of the richest structure, without what this one lacks."""
        lengths = self.dimension if rich.per_input else 1
        own = z[:lengths] if structure.per_input else np.array([z[:lengths].mean()])
        kept = [*own, z[lengths]]
        place = lengths + 1
        for had, has in ((rich.drift, structure.drift), (rich.level, structure.level)):
            if has:
                kept.append(z[place] if had else 0.0)
            place += had
        return np.array(kept)

    def _mode(self, structure: Structure, z: FloatArray) -> Mode:
        """With the inverse of the Hessian there, by differences of gradients."""
        k = len(z)
        hessian = np.empty((k, k))
        inner = np.clip(z, -REACH + _STEP, REACH - _STEP)
        for i in range(k):
            step = np.zeros(k)
            step[i] = _STEP
            above = self.descent(structure, inner + step)[1]
            below = self.descent(structure, inner - step)[1]
            hessian[i] = (above - below) / (2.0 * _STEP)
        values, vectors = np.linalg.eigh(0.5 * (hessian + hessian.T))
        # The hyperprior alone has curvature 1; below a third of it the mode is no mode.
        values = np.maximum(values, 0.3)
        covariance = (vectors / values) @ vectors.T
        log_evidence = -self.descent(structure, z)[0]
        log_evidence += 0.5 * k * np.log(2.0 * np.pi) - 0.5 * float(np.sum(np.log(values)))
        return Mode(structure, z, covariance, log_evidence)
