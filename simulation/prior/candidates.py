"""The weighted set of priors that a log leaves: members with weights, and the law of m and s."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.numerics.threads import one_blas_thread
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Data, Member
from simulation.prior.importance import effective_size


@dataclass(frozen=True, eq=False)
class Candidates:
    """A finite law over priors given the data.

    Attributes
    ----------
    members : the priors but for m and s
    weights : (N,) their probabilities given the data
    log_evidence : (N,) log p(y | member), m and s integrated
    mean_and_scale : the prior of m and s
    posterior : of m and s given the data, one for each member
    exact : whether the members are all of a finite hyperprior, rather than a sample of a continuum
    """

    members: tuple[Member, ...]
    weights: FloatArray
    log_evidence: FloatArray
    mean_and_scale: MeanAndScale
    posterior: Posterior
    exact: bool

    @classmethod
    def of(
        cls,
        members: tuple[Member, ...],
        log_weights: FloatArray,
        log_evidence: FloatArray,
        mean_and_scale: MeanAndScale,
        posterior: Posterior,
        *,
        exact: bool,
    ) -> Candidates:
        """Members whose weights are exp(log_weights), up to a constant."""
        weights = np.exp(log_weights - np.max(log_weights))
        weights /= weights.sum()
        return cls(members, weights, log_evidence, mean_and_scale, posterior, exact)

    @property
    def effective_size(self) -> float:
        """(Σw)²/Σw²."""
        return effective_size(self.weights)

    @property
    def best(self) -> int:
        """The member of largest evidence: what a plugged-in prior takes."""
        return int(np.argmax(self.log_evidence))

    def only(self, kept: IntArray) -> Self:
        """These members alone, by their places, with the weights that they have here."""
        return replace(
            self,
            members=tuple(self.members[i] for i in kept),
            weights=self.weights[kept],
            log_evidence=self.log_evidence[kept],
            posterior=Posterior.of_rows(self.posterior.rows[kept]),
        )

    def alone(self, index: int) -> Self:
        """The law that takes one member for certain; m and s stay unknown."""
        return replace(self.only(np.array([index])), weights=np.ones(1))

    def heaviest(self, most: int) -> Self:
        """The members of largest weight alone: enough to choose a point by, not to certify."""
        return self.only(np.sort(np.argsort(-self.weights, kind="stable")[:most]))

    def reweighed(self, data: Data) -> Candidates:
        """The law given data that those of this one grew into, w·p(y now)/p(y then). O(N n³)."""
        with one_blas_thread():
            evidence, posterior = data.judged(self.members, self.mean_and_scale)
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights) + (evidence - self.log_evidence)
        return Candidates.of(
            self.members, logs, evidence, self.mean_and_scale, posterior, exact=self.exact
        )

    def drawn(self, count: int, rng: np.random.Generator) -> IntArray:
        """(count,) places of members, each drawn by its weight."""
        edges = np.cumsum(self.weights)
        places = np.searchsorted(edges, rng.random(count) * edges[-1], side="right")
        return np.asarray(np.minimum(places, len(edges) - 1))

    def quantiles(self, values: FloatArray, levels: FloatArray) -> FloatArray:
        """Quantiles of one number per member under the weights; infinite values are the largest."""
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(self.weights[order])
        place = np.searchsorted(reached, np.asarray(levels) * reached[-1])
        return np.asarray(values[order][np.minimum(place, len(order) - 1)])
