"""Candidates of a continuous hyperprior: modes by gradients, then a sample with its weights.

For each structure (kernel, drift or none, level or none, one lengthscale or one per input) the
posterior mode is searched from several starts; Laplace's approximation there says how many of the
draws the structure deserves, and adaptive importance sampling makes evidence and weights of them.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import optimize, special
from scipy.stats import qmc
from threadpoolctl import threadpool_limits

from bounds.arrays import FloatArray
from bounds.progress import Share, unwatched
from simulation.prior.candidates import Candidates
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import REACH, Hyperprior, Structure
from simulation.prior.importance import Proposal, Sample, StudentLaw, effective_size, log_prior

DRAWS = 640
"""Members drawn for each kernel family."""

_STARTS = 32
_THREADS = 2
_KEPT = 5
"""Numbers kept with a point: its evidence and the four of the law of m and s."""
_NO_WEIGHT = 12.0
"""A weight e^12 times below the largest is none."""
_LEAST_DRAWS = 4
_NEGLIGIBLE = 1e-3
"""Share of its family below which a structure is left to Laplace's approximation and not drawn."""
_STEP = 1e-3


@dataclass(frozen=True)
class StructureEvidence:
    """How well one combination of options explains the log.

    structure : the options
    log_evidence : with the hyperprior of its parameters integrated, not with its own probability
    share : its probability given the data, among all structures
    draws : members drawn of it; 0 where Laplace's approximation found its share negligible
    """

    structure: Structure
    log_evidence: float
    share: float
    draws: int


@dataclass(frozen=True)
class FamilyDraws:
    """How well one kernel family was sampled: its draws and what they are worth."""

    kernel: str
    draws: int
    effective: float


@dataclass(eq=False)
class _Mode:
    structure: Structure
    center: FloatArray
    covariance: FloatArray
    log_evidence: float


def sampled_candidates(
    data: Data,
    hyperprior: Hyperprior,
    mean_and_scale: MeanAndScale,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Share = unwatched,
) -> tuple[Candidates, tuple[StructureEvidence, ...], tuple[FamilyDraws, ...]]:
    """The weighted set for a continuous hyperprior, `draws` members for each kernel family.

    O(draws · n³) for each family.
    """
    dimension, span = data.points.shape[1], _span(data)
    chances = hyperprior.structures(dimension)
    done: list[float] = []

    def family(kernel: str, stream: np.random.SeedSequence) -> _Drawn:
        own = {s: chance for s, chance in chances.items() if s.kernel == kernel}
        problem = _Family(data, hyperprior, mean_and_scale, dimension, span)
        drawn = problem.drawn(own, draws, np.random.default_rng(stream))
        done.append(1.0)
        progress(len(done) / len(hyperprior.kernels))
        return drawn

    # A stream for each family: the same set whatever the number of threads.
    streams = np.random.SeedSequence([seed, data.n], spawn_key=(6,)).spawn(len(hyperprior.kernels))
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(_THREADS) as pool:
        found = list(pool.map(family, hyperprior.kernels, streams))
    samples = [(s, sample) for drawn in found for s, sample in drawn.samples]
    candidates = _together(hyperprior, mean_and_scale, samples, chances, dimension, span)
    rows = [row for drawn in found for row in drawn.evidence]
    logs = np.array([value + np.log(chances[s]) for s, value, _ in rows])
    shares = np.exp(logs - special.logsumexp(logs))
    table = [
        StructureEvidence(s, value, float(share), count)
        for (s, value, count), share in zip(rows, shares, strict=True)
    ]
    families = tuple(
        FamilyDraws(kernel, draws, drawn.effective_size(chances))
        for kernel, drawn in zip(hyperprior.kernels, found, strict=True)
    )
    return candidates, tuple(sorted(table, key=lambda row: -row.share)), families


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Samples of the structures of one family, and the evidence of all of them."""

    samples: list[tuple[Structure, Sample]]
    evidence: list[tuple[Structure, float, int]]

    def effective_size(self, chances: dict[Structure, float]) -> float:
        logs = np.concatenate([_joint(sample, chances[s]) for s, sample in self.samples])
        return effective_size(np.exp(logs - logs.max()))


def _joint(sample: Sample, chance: float) -> FloatArray:
    """Log weights of a structure's members among those of all structures."""
    return np.asarray(sample.log_weights + (np.log(chance) - np.log(len(sample.values))))


def _span(data: Data) -> float:
    """The time that the log spans; 1 where all of it is one instant."""
    return float(np.ptp(data.times)) or 1.0


@dataclass(frozen=True, eq=False)
class _Family:
    data: Data
    hyperprior: Hyperprior
    mean_and_scale: MeanAndScale
    dimension: int
    span: float

    def members(self, structure: Structure, z: FloatArray) -> list[Member]:
        return self.hyperprior.members(structure, z, self.dimension, self.span)

    def target(self, structure: Structure, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(B,) log of evidence times the density of the hyperprior; (B, 5) evidence, m and s."""
        found, posterior = self.data.judged(self.members(structure, z), self.mean_and_scale)
        kept = np.concatenate([found[:, None], posterior.rows], axis=1)
        return np.asarray(found + log_prior(z)), kept

    def descent(self, structure: Structure, z: FloatArray) -> tuple[float, FloatArray]:
        """Minus the log of that and its gradient."""
        member = self.members(structure, z[None])[0]
        value, by_logarithm = self.data.log_evidence_and_slopes(member, self.mean_and_scale)
        if not np.isfinite(value):
            return 1e10, np.zeros(len(z))
        slopes = self.hyperprior.slopes(structure, by_logarithm, self.dimension)
        total = value + float(log_prior(np.clip(z, -REACH, REACH)[None])[0])
        return -total, z - slopes

    def drawn(
        self, chances: dict[Structure, float], draws: int, rng: np.random.Generator
    ) -> _Drawn:
        """Samples of the structures that matter, `draws` members in all, in three rounds."""
        modes = self.modes(list(chances), rng)
        logs = np.array([mode.log_evidence + np.log(chances[mode.structure]) for mode in modes])
        shares = np.exp(logs - special.logsumexp(logs))
        kept = [mode for mode, share in zip(modes, shares, strict=True) if share >= _NEGLIGIBLE]
        wanted = shares[shares >= _NEGLIGIBLE]
        samples = [
            Sample.empty(partial(self.target, mode.structure), len(mode.center), _KEPT)
            for mode in kept
        ]
        proposals = [
            Proposal((StudentLaw.of(mode.center, mode.covariance),), np.ones(1)) for mode in kept
        ]
        left = draws
        for rounds in (3, 2, 1):
            count = left // rounds
            left -= count
            sizes = _apportioned(wanted / wanted.sum(), count, _LEAST_DRAWS)
            for place, (sample, size) in enumerate(zip(samples, sizes, strict=True)):
                sample.extend(proposals[place], int(size), rng)
                proposals[place] = sample.adapted(proposals[place])
            found = np.array([sample.log_evidence for sample in samples])
            found += np.log([chances[mode.structure] for mode in kept])
            wanted = np.exp(found - special.logsumexp(found))
        pairs = [(mode.structure, sample) for mode, sample in zip(kept, samples, strict=True)]
        rows = {mode.structure: (mode.log_evidence, 0) for mode in modes}
        rows |= {s: (sample.log_evidence, len(sample.values)) for s, sample in pairs}
        return _Drawn(pairs, [(s, value, count) for s, (value, count) in rows.items()])

    def modes(self, structures: list[Structure], rng: np.random.Generator) -> list[_Mode]:
        """A mode of every structure: the richest from several starts, the others from its mode."""
        order = sorted(structures, key=lambda s: -self._coordinates(s))
        rich = order[0]
        k = self._coordinates(rich)
        points = special.ndtri(np.clip(qmc.Sobol(k, rng=rng).random(_STARTS), 1e-3, 1.0 - 1e-3))
        values, _ = self.target(rich, points)
        starts = points[np.argsort(-values)[:3]]
        ends = [self._climb(rich, start) for start in starts]
        best = min(ends, key=lambda end: end[0])[1]
        found = [self._mode(rich, best)]
        for structure in order[1:]:
            start = self._restricted(best, rich, structure)
            found.append(self._mode(structure, self._climb(structure, start)[1]))
        return found

    def _coordinates(self, structure: Structure) -> int:
        return self.hyperprior.coordinates(structure, self.dimension)

    def _climb(self, structure: Structure, start: FloatArray) -> tuple[float, FloatArray]:
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

    def _mode(self, structure: Structure, z: FloatArray) -> _Mode:
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
        return _Mode(structure, z, covariance, log_evidence)


def _apportioned(shares: FloatArray, count: int, least: int) -> FloatArray:
    """Whole numbers that add to `count`, at least `least` each, near the shares."""
    sizes = np.maximum(np.floor(shares * count), least)
    while sizes.sum() > count:
        sizes[np.argmax(sizes)] -= 1
    while sizes.sum() < count:
        sizes[np.argmax(shares * count - sizes)] += 1
    return np.asarray(sizes)


def _together(
    hyperprior: Hyperprior,
    mean_and_scale: MeanAndScale,
    samples: list[tuple[Structure, Sample]],
    chances: dict[Structure, float],
    dimension: int,
    span: float,
) -> Candidates:
    """All samples as one weighted set; members of no weight are dropped."""
    logs = [_joint(sample, chances[structure]) for structure, sample in samples]
    largest = max(float(part.max()) for part in logs)
    members: list[Member] = []
    weights, numbers = [], []
    for (structure, sample), part in zip(samples, logs, strict=True):
        rows = np.flatnonzero(part > largest - _NO_WEIGHT)
        members += hyperprior.members(structure, sample.points[rows], dimension, span)
        weights.append(part[rows])
        numbers.append(sample.kept[rows])
    kept = np.concatenate(numbers)
    return Candidates.of(
        tuple(members),
        np.concatenate(weights),
        kept[:, 0],
        mean_and_scale,
        Posterior.of_rows(kept[:, 1:]),
        exact=False,
    )
