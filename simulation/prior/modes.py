"""Modes of evidence over the numbers of a prior, by gradients from several starts.

Coordinates are standard deviations of logarithms under the hyperprior; a structure (kernel, drift
or none, level or none, one lengthscale or one per input) has its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from scipy import optimize, special

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import REACH, Hyperprior, Structure
from simulation.prior.importance import log_prior
from simulation.prior.memory import PERIODS
from simulation.prior.warp import Warp

_STARTS = 32
_MATTERS = 0.01
"""Share of the probability below which a structure of another scale or memory is left out."""
_MOST = 24
"""Structures, the likeliest, among which such ones are climbed."""
_PERIODS_TRIED = 96
_STEPS_OF_LONG = 6
"""Steps of a climb over all rows of a long log, from the mode of some of them."""
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

    @cached_property
    def _warps(self) -> dict[float, Warp | None]:
        """The scales of y, by their powers; without those on which y has no numbers."""
        first, *others = self.hyperprior.powers
        found: dict[float, Warp | None] = {}
        for power in (first, *others):
            warp = None if power == 1.0 else Warp.of(self.data.values, power)
            if warp is None or warp.usable:
                found[power] = warp
            elif power == first:
                remedy = "y is of too many decades for that scale: begin with another"
                raise InvalidInput("hyperprior powers", power, remedy)
        return found

    def members(self, structure: Structure, z: FloatArray) -> list[Member]:
        """The priors at (B, k) coordinates."""
        warp = self._warps[structure.power]
        outliers = self._wild.get(structure.power, ()) if structure.wild else ()
        return self.hyperprior.members(structure, z, self.dimension, self.span, warp, outliers)

    @cached_property
    def _wild(self) -> dict[float, tuple[int, ...]]:
        """Rows of wild errors, by the power of the scale of y; filled by `wider`."""
        return {}

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
            found.append(self._from(structure, start))
        return found

    def wider(self, modes: list[Mode], chances: dict[Structure, float]) -> list[Mode]:
        """Modes of further structures: of other scales of y and kernels of time, where they matter.

        modes : of the usual structures, with the first power and the first memory, of all kernels
        chances : probabilities of all structures beforehand

        From the best mode one power after the other is tried, each without and with wild errors,
        and from the best of those one memory after the other. What each adds in nats is taken to
        add for every usual structure, and only structures that have then `_MATTERS` of the
        probability, and among them at most `_MOST`, are climbed. A memory that returns is sought at
        many half-lives, as its evidence has a summit for every period.
        """
        powers, memories = self.hyperprior.powers, self.hyperprior.memories
        best = max(modes, key=lambda mode: mode.log_evidence)
        first = (powers[0], False)
        on_scale = {first: best}
        for power in self._warps:
            if power != powers[0]:
                on_scale[power, False] = self._from(
                    replace(best.structure, power=power), best.center
                )
            mode = on_scale[power, False]
            if self.hyperprior.wild:
                (member,) = self.members(mode.structure, mode.center[None])
                self._wild[power] = self.data.wild_rows(member, self.mean_and_scale)
                if self._wild[power]:
                    changed = replace(mode.structure, wild=True)
                    on_scale[power, True] = self._from(changed, mode.center)
        by_memory = {memories[0]: 0.0}
        starts: dict[str, float] = {}
        moving = [mode for mode in modes if mode.structure.drift]
        if len(memories) > 1 and moving:
            base = max(moving, key=lambda mode: mode.log_evidence)
            power, wild = max(on_scale, key=lambda key: on_scale[key].log_evidence)
            own = replace(base.structure, power=power, wild=wild)
            settled = self._from(own, base.center)
            for memory in memories[1:]:
                changed = replace(own, memory=memory)
                mode = self._from(changed, self._returning(changed, settled.center))
                by_memory[memory] = mode.log_evidence - settled.log_evidence
                starts[memory] = float(mode.center[self._half_life_at(own)])
        usual = {mode.structure: mode for mode in modes}
        expected = {}
        for structure, chance in chances.items():
            if (structure.power, structure.wild) not in on_scale:
                continue
            scaled = on_scale[structure.power, structure.wild].log_evidence - best.log_evidence
            gain = scaled + by_memory.get(structure.memory, -np.inf)
            plain = self._plain(structure)
            expected[structure] = usual[plain].log_evidence + gain + np.log(chance)
        total = special.logsumexp(list(expected.values()))
        order = sorted(expected, key=lambda structure: -expected[structure])[:_MOST]
        found = []
        for structure in order:
            if structure in usual or expected[structure] < total + np.log(_MATTERS):
                continue
            start = usual[self._plain(structure)].center.copy()
            if structure.memory in starts:
                start[self._half_life_at(structure)] = starts[structure.memory]
            found.append(self._from(structure, start))
        return found

    def _plain(self, structure: Structure) -> Structure:
        """The usual structure that another one is a change of."""
        believed = self.hyperprior
        power, memory = believed.powers[0], believed.memories[0]
        return replace(structure, power=power, memory=memory, wild=False)

    def _from(self, structure: Structure, start: FloatArray) -> Mode:
        """The mode that is reached from a start."""
        return self._mode(structure, self.climb(structure, start)[1])

    def carried(self, rows: int, structure: Structure, mode: Mode) -> Mode:
        """The mode of all rows of a structure, from one of some of them, `rows` many.

        Climbed anew; the covariance is that of the few by the number of rows, as information adds
        up.
        """
        return self._near(structure, mode.center, mode.covariance * (rows / self.data.n))

    def with_wild_errors(self, modes: list[Mode]) -> list[Mode]:
        """The modes of the same structures with wild errors, where there are such among all rows.

        Few of the rows do not show them.
        """
        found = []
        for power in sorted({m.structure.power for m in modes}) if self.hyperprior.wild else ():
            own = [mode for mode in modes if mode.structure.power == power]
            best = max(own, key=lambda mode: mode.log_evidence)
            (member,) = self.members(best.structure, best.center[None])
            self._wild[power] = self.data.wild_rows(member, self.mean_and_scale)
            if self._wild[power]:
                for mode in own:
                    changed = replace(mode.structure, wild=True)
                    found.append(self._near(changed, mode.center, mode.covariance))
        return found

    def _near(self, structure: Structure, start: FloatArray, covariance: FloatArray) -> Mode:
        """The mode near a start, with a covariance that is known."""
        value, center = self.climb(structure, start, _STEPS_OF_LONG)
        volume = float(np.linalg.slogdet(2.0 * np.pi * covariance)[1])
        return Mode(structure, center, covariance, -value + 0.5 * volume)

    def _half_life_at(self, structure: Structure) -> int:
        """The place of the half-life among the coordinates."""
        return (self.dimension if structure.per_input else 1) + 1

    def _returning(self, structure: Structure, start: FloatArray) -> FloatArray:
        """The start with the likeliest of many half-lives, for a memory that returns."""
        if structure.memory not in PERIODS:
            return start
        shortest = 2.0 / self.data.n / PERIODS[structure.memory]
        lives = np.geomspace(shortest, 2.0 / PERIODS[structure.memory], _PERIODS_TRIED)
        law = self.hyperprior.half_life
        points = np.tile(start, (len(lives), 1))
        standard = np.log(lives / law.median) / law.width
        points[:, self._half_life_at(structure)] = np.clip(standard, -REACH, REACH)
        values, _ = self.target(structure, points)
        return np.asarray(points[int(np.argmax(values))])

    def climb(
        self, structure: Structure, start: FloatArray, steps: int = 40
    ) -> tuple[float, FloatArray]:
        """Minus the logarithm at the top that is reached from `start`, and the top (k,)."""
        end = optimize.minimize(
            partial(self.descent, structure),
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=optimize.Bounds(-REACH, REACH),
            options={"maxiter": steps, "ftol": 1e-6},
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
