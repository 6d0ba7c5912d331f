"""Modes of evidence over the numbers of a prior, by gradients from several starts.

Coordinates are standard deviations of logarithms under the hyperprior; a structure (kernel, drift
or none, level or none, one lengthscale or one per input) has its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from scipy import optimize, special

from bounds.arrays import FloatArray, IntArray
from bounds.errors import InvalidInput
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import REACH, Hyperprior, Structure
from simulation.prior.importance import log_prior
from simulation.prior.memory import PERIODS
from simulation.prior.nonstationary import BENDS, SLOPES, STATIONARY, Along, Nonstationarity
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
_CHANGES_TRIED = 24
"""Instants at which a change is tried, before those around the best."""
_LEAST_BESIDE = 3
"""Rows on either side of a change."""
_MOST_NEARBY = 8
"""Further instants of a change, bends and slopes, if they are likely."""
_FAR_BELOW = 4.0


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


@dataclass(frozen=True)
class _Kind:
    """One nonstationarity that a structure may have, and the nats that it adds without and with
    drift; it is none where one of these is missing.
    """

    nonstationary: Nonstationarity
    gains: dict[bool, float]

    def adds(self, nonstationary: Nonstationarity, drift: bool) -> float:
        """Nats that it adds to a structure with these nonstationarities; 0 if it is none."""
        return self.gains.get(drift, -np.inf) if nonstationary.has(self.nonstationary) else 0.0


def _sets_of(kinds: list[_Kind]) -> list[Nonstationarity]:
    """Nothing, and every choice of these together."""
    sets = [STATIONARY]
    for kind in kinds:
        sets += [nonstationary.joined(kind.nonstationary) for nonstationary in sets]
    return sets


@dataclass(frozen=True, eq=False)
class Search:
    """What is climbed.

    Attributes
    ----------
    data : the observations
    hyperprior, mean_and_scale : what is believed beforehand
    weighed : whether the density of the hyperprior counts; without, it is the likelihood alone,
        within the reach of the hyperprior
    periods : at which a memory that returns is sought beside many others
    """

    data: Data
    hyperprior: Hyperprior
    mean_and_scale: MeanAndScale
    weighed: bool = True
    periods: tuple[float, ...] = ()

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
        warps: dict[float, Warp | None] = {}
        for power in (first, *others):
            warp = None if power == 1.0 else Warp.of(self.data.values, power)
            if warp is None or warp.usable:
                warps[power] = warp
            elif power == first:
                remedy = "y is of too many decades for that scale: begin with another"
                raise InvalidInput("hyperprior powers", power, remedy)
        return warps

    def members(self, structure: Structure, z: FloatArray) -> list[Member]:
        """The priors at (B, k) coordinates."""
        warp = self._warps[structure.power]
        outliers = self._wild.get(structure.power, ()) if structure.wild else ()
        members = self.hyperprior.members(structure, z, self.dimension, self.span, warp, outliers)
        words, optional = self.data.unordered, self.data.optional
        if words or optional:
            return [replace(member, unordered=words, optional=optional) for member in members]
        return members

    @cached_property
    def _wild(self) -> dict[float, tuple[int, ...]]:
        """Rows of wild errors, by the power of the scale of y; filled by `wider`."""
        return {}

    def target(self, structure: Structure, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(B,) log of evidence times the density of the hyperprior; (B, 5) evidence, m and s."""
        evidence, posterior = self.data.judged(self.members(structure, z), self.mean_and_scale)
        kept = np.concatenate([evidence[:, None], posterior.rows], axis=1)
        return np.asarray(evidence + log_prior(z)), kept

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
        modes = [self._mode(rich, best)]
        for structure in order[1:]:
            start = self._restricted(best, rich, structure)
            modes.append(self._from(structure, start))
        return modes

    def wider(
        self, modes: list[Mode], chances: dict[Structure, float]
    ) -> tuple[list[Mode], dict[Structure, float]]:
        """Modes of further structures where they matter, and the probabilities of all beforehand.

        modes : of the usual structures, with the first power and the first memory, of all kernels
        chances : probabilities of the stationary structures; what a nonstationary one has comes to
            them, so that they add to more than 1

        From the best mode a change point, bent inputs and errors that differ are tried one after
        the other; then one power after the other, each without and with wild errors; and from the
        best of those one memory after the other. What each adds in nats is taken to add for every
        usual structure, and only structures that have then `_MATTERS` of the probability, and among
        them at most `_MOST`, are climbed. A memory that returns is sought at many half-lives, as
        its evidence has a summit for every period.
        """
        powers, memories = self.hyperprior.powers, self.hyperprior.memories
        top, kinds = self._nonstationary(modes)
        plain = max(modes, key=lambda mode: mode.log_evidence)
        on_plain = self._on_scales(plain)
        # A scale of y may stand for a nonstationarity, and that for a scale.
        on_top = self._on_scales(top) if top.structure.nonstationary.unlike else on_plain
        best = max([*on_plain.values(), *on_top.values()], key=self._with_odds)
        power, wild = best.structure.power, best.structure.wild
        if (power, wild) != (powers[0], False):
            kinds = [self._weighed_again(kind, best) for kind in kinds]
        by_memory = {memories[0]: 0.0}
        starts: dict[str, float] = {}
        moving = [mode for mode in modes if mode.structure.drift]
        if len(memories) > 1 and moving:
            base = max(moving, key=lambda mode: mode.log_evidence)
            nonstationary = best.structure.nonstationary.of_another_log()
            own = replace(base.structure, power=power, wild=wild, nonstationary=nonstationary)
            settled = self._from(own, base.center)
            for memory in memories[1:]:
                changed = replace(own, memory=memory)
                mode = self._from(changed, self._returning(changed, settled.center))
                by_memory[memory] = mode.log_evidence - settled.log_evidence
                starts[memory] = float(mode.center[self._half_life_at(own)])
        usual = {mode.structure: mode for mode in modes}
        expected, chances = {}, dict(chances)
        candidates = [(one, self.hyperprior.log_odds(one, self.data.n)) for one in _sets_of(kinds)]
        for structure, chance in list(chances.items()):
            key = (structure.power, structure.wild)
            gain = usual[self._plain(structure)].log_evidence + np.log(chance)
            gain += by_memory.get(structure.memory, -np.inf)
            for nonstationary, log_odds in candidates:
                scales, base = (on_top, top) if nonstationary.unlike else (on_plain, plain)
                if key not in scales:
                    continue
                more = scales[key].log_evidence - base.log_evidence + log_odds
                more += sum(kind.adds(nonstationary, structure.drift) for kind in kinds)
                changed = (
                    replace(structure, nonstationary=nonstationary)
                    if nonstationary.unlike
                    else structure
                )
                expected[changed] = gain + more
                chances[changed] = chance * float(np.exp(log_odds))
        total = special.logsumexp(list(expected.values()))
        order = sorted(expected, key=lambda structure: -expected[structure])[:_MOST]
        further = []
        for structure in order:
            if structure in usual or expected[structure] < total + np.log(_MATTERS):
                continue
            start = usual[self._plain(structure)].center.copy()
            if structure.memory in starts:
                start[self._half_life_at(structure)] = starts[structure.memory]
            if structure.nonstationary.unlike:
                other = self._restricted(top.center, top.structure, structure)
                start = min(start, other, key=lambda z: self.descent(structure, z)[0])
            further.append(self._from(structure, start))
        for mode in self._nearby(further):
            odds = self.hyperprior.log_odds(mode.structure.nonstationary, self.data.n)
            own = replace(mode.structure, nonstationary=STATIONARY)
            chances[mode.structure] = chances[own] * float(np.exp(odds))
            further.append(mode)
        return further, {s: chance for s, chance in chances.items() if chance > 0.0}

    def _with_odds(self, mode: Mode) -> float:
        """Log evidence with the odds of its nonstationarity."""
        return mode.log_evidence + self.hyperprior.log_odds(
            mode.structure.nonstationary, self.data.n
        )

    def _on_scales(self, mode: Mode) -> dict[tuple[float, bool], Mode]:
        """The mode on every scale of y, and on each with wild errors, if there are any."""
        modes = {(mode.structure.power, False): mode}
        for power in self._warps:
            if (power, False) not in modes:
                changed = replace(mode.structure, power=power)
                modes[power, False] = self._from(changed, mode.center)
            own = modes[power, False]
            if self.hyperprior.wild:
                if power not in self._wild:
                    (member,) = self.members(own.structure, own.center[None])
                    self._wild[power] = self.data.wild_rows(member, self.mean_and_scale)
                if self._wild[power]:
                    changed = replace(own.structure, wild=True)
                    modes[power, True] = self._from(changed, own.center)
        return modes

    def _nonstationary(self, modes: list[Mode]) -> tuple[Mode, list[_Kind]]:
        """The best mode with its nonstationarity, and which ones are worth a trial with others.

        A change point is tried without drift and with it, as it may be taken for one.
        """
        top, kinds = max(modes, key=lambda mode: mode.log_evidence), []
        believed = self.hyperprior
        if believed.change:
            of_change: dict[bool, tuple[float, Mode]] = {}
            for drift in (False, True):
                own = [mode for mode in modes if mode.structure.drift is drift]
                if own:
                    base = max(own, key=lambda mode: mode.log_evidence)
                    changed = self._changed(base)
                    if changed is not None:
                        of_change[drift] = (changed.log_evidence - base.log_evidence, changed)
            if of_change:
                _, best = max(of_change.values(), key=lambda pair: pair[1].log_evidence)
                nonstationary = best.structure.nonstationary
                # One instant for both: that of the better.
                kinds.append(
                    _Kind(nonstationary, {drift: gain for drift, (gain, _) in of_change.items()})
                )
                if (
                    best.log_evidence + believed.log_odds(nonstationary, self.data.n)
                    > top.log_evidence
                ):
                    top = best
        kinds_along: tuple[tuple[Along, tuple[float, ...], float], ...] = (
            ("slopes", SLOPES, believed.uneven),
            ("bends", BENDS, believed.bent),
        )
        for name, options, share in kinds_along:
            more = self._along_inputs(top, name, options) if share else None
            if more is None:
                continue
            gain = more.log_evidence - top.log_evidence
            alone = STATIONARY.along(name, getattr(more.structure.nonstationary, name))
            odds = believed.log_odds(alone, self.data.n)
            if gain + odds > np.log(_MATTERS):
                kinds.append(_Kind(alone, {False: gain, True: gain}))
            if gain + odds > 0.0:
                top = more
        return top, kinds

    def _at(self, mode: Mode, candidates: list[Nonstationarity]) -> FloatArray:
        """Log evidence where a mode is, with each of these."""
        structures = [
            replace(mode.structure, nonstationary=nonstationary) for nonstationary in candidates
        ]
        members = [self.members(structure, mode.center[None])[0] for structure in structures]
        return self.data.judged(members, self.mean_and_scale)[0]

    def _along_inputs(self, mode: Mode, name: Along, options: tuple[float, ...]) -> Mode | None:
        """The mode with one input after the other bent, or errors along it, by evidence.

        None where no option of any input raises it.
        """
        nothing = (0.0,) * self.dimension
        nonstationary = mode.structure.nonstationary
        (best,) = self._at(mode, [nonstationary])
        chosen, least = nothing, 0.0
        while True:
            tried = [
                (*chosen[:axis], option, *chosen[axis + 1 :])
                for axis in range(self.dimension)
                if not chosen[axis] and axis not in (*self.data.unordered, *self.data.optional)
                for option in options
            ]
            if not tried:
                break
            evidence = self._at(mode, [nonstationary.along(name, choice) for choice in tried])
            place = int(np.argmax(evidence))
            if not evidence[place] > best + least:
                break
            chosen, best = tried[place], float(evidence[place])
            least = float(np.log(len(options) * self.dimension))
        if chosen == nothing:
            return None
        changed = replace(mode.structure, nonstationary=nonstationary.along(name, chosen))
        return self._from(changed, mode.center)

    def _changed(self, mode: Mode) -> Mode | None:
        """The mode with a change point where it adds most; None where it adds nothing."""
        (before,) = self._at(mode, [mode.structure.nonstationary])
        changed = None
        for _ in range(2):
            instants, values = self._changes(mode if changed is None else changed)
            if not len(values) or not float(values.max()) > before:
                return changed
            at = float(instants[int(np.argmax(values))])
            if changed is not None and changed.structure.nonstationary.change == at:
                return changed
            nonstationary = replace(mode.structure.nonstationary, change=at)
            start = mode if changed is None else changed
            changed = self._from(replace(mode.structure, nonstationary=nonstationary), start.center)
            before = -np.inf
        return changed

    def _changes(self, mode: Mode) -> tuple[FloatArray, FloatArray]:
        """Instants of a change with their log evidence: some, and those around the best."""
        times = self.data.times
        n = len(times)
        places = np.arange(_LEAST_BESIDE, n - _LEAST_BESIDE + 1)
        places = places[times[places] > times[places - 1]] if len(places) else places
        known: dict[int, float] = {}

        def judge(wanted: IntArray) -> None:
            new = [int(i) for i in wanted if int(i) not in known]
            candidates = [
                replace(mode.structure.nonstationary, change=0.5 * float(times[i - 1] + times[i]))
                for i in new
            ]
            if new:
                known.update(zip(new, map(float, self._at(mode, candidates)), strict=True))

        if len(places):
            step = -(-len(places) // _CHANGES_TRIED)
            judge(places[::step])
            middle = int(np.searchsorted(places, max(known, key=lambda i: known[i])))
            judge(places[max(0, middle - step + 1) : middle + step])
        order = sorted(known)
        instants = [0.5 * float(times[i - 1] + times[i]) for i in order]
        return np.array(instants), np.array([known[i] for i in order])

    def _nearby(self, modes: list[Mode]) -> list[Mode]:
        """The nonstationary modes, with the next likely nonstationarity in its place.

        The next instants of a change; for one input the next bends, and slopes of the errors.
        """
        own = [mode for mode in modes if mode.structure.nonstationary.unlike]
        if not own:
            return []
        best = max(own, key=lambda mode: mode.log_evidence)
        nonstationary = best.structure.nonstationary
        others: list[Nonstationarity] = []
        if nonstationary.change is not None:
            instants, values = self._changes(best)
            likely = instants[np.argsort(-values, kind="stable")[: _MOST_NEARBY + 1]]
            others += [replace(nonstationary, change=at) for at in map(float, likely)]
        along: tuple[tuple[Along, tuple[float, ...]], ...] = (("bends", BENDS), ("slopes", SLOPES))
        for name, options in along:
            chosen = getattr(nonstationary, name)
            for axis, value in enumerate(chosen):
                if axis in (*self.data.unordered, *self.data.optional):
                    continue
                ladder = sorted((0.0, *options))
                place = ladder.index(value)
                for next_to in ladder[max(place - 1, 0) : place + 2]:
                    moved = (*chosen[:axis], next_to, *chosen[axis + 1 :])
                    if any(moved):
                        others.append(nonstationary.along(name, moved))
        others = [other for other in dict.fromkeys(others) if other != nonstationary]
        if not others:
            return []
        values = self._at(best, others)
        odds = [self.hyperprior.log_odds(other, self.data.n) for other in others]
        order = np.argsort(-(values + np.array(odds)), kind="stable")[:_MOST_NEARBY]
        nearby = []
        for place in order:
            # Other bends go with other lengthscales: what they weigh shows at a mode of their own.
            turned = self._from(replace(best.structure, nonstationary=others[place]), best.center)
            less = turned.log_evidence - best.log_evidence
            if less < -_FAR_BELOW:
                continue
            for mode in own:
                if mode.structure.nonstationary == nonstationary:
                    changed = replace(mode.structure, nonstationary=others[place])
                    center = mode.center
                    if len(center) == len(best.center):
                        center = np.clip(center + turned.center - best.center, -REACH, REACH)
                    more = mode.log_evidence + less
                    nearby.append(Mode(changed, center, mode.covariance, more))
        known = {mode.structure for mode in modes}
        return [mode for mode in nearby if mode.structure not in known]

    def _weighed_again(self, kind: _Kind, mode: Mode) -> _Kind:
        """What a nonstationarity adds on the best scale of y, for which it may have stood."""
        nonstationary = mode.structure.nonstationary
        has = nonstationary.has(kind.nonstationary)
        other = (
            nonstationary.without(kind.nonstationary)
            if has
            else nonstationary.joined(kind.nonstationary)
        )
        turned = self._from(replace(mode.structure, nonstationary=other), mode.center).log_evidence
        gain = mode.log_evidence - turned if has else turned - mode.log_evidence
        drift = mode.structure.drift
        if kind.nonstationary.change is not None:
            return _Kind(
                kind.nonstationary, kind.gains | ({drift: gain} if drift in kind.gains else {})
            )
        return _Kind(kind.nonstationary, {False: gain, True: gain})

    def _plain(self, structure: Structure) -> Structure:
        """The usual structure that another one is a change of."""
        believed = self.hyperprior
        power, memory = believed.powers[0], believed.memories[0]
        return replace(structure, power=power, memory=memory, wild=False, nonstationary=STATIONARY)

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
        wild = []
        for power in sorted({m.structure.power for m in modes}) if self.hyperprior.wild else ():
            own = [mode for mode in modes if mode.structure.power == power]
            best = max(own, key=lambda mode: mode.log_evidence)
            (member,) = self.members(best.structure, best.center[None])
            self._wild[power] = self.data.wild_rows(member, self.mean_and_scale)
            if self._wild[power]:
                for mode in own:
                    changed = replace(mode.structure, wild=True)
                    wild.append(self._near(changed, mode.center, mode.covariance))
        return wild

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
        known = np.array(self.periods) / (self.span * PERIODS[structure.memory])
        reached = (known > law.ends[0]) & (known < lives[-1])
        lives = np.concatenate([lives, known[reached]])
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
        many = self.dimension if structure.per_input else 1
        own = np.broadcast_to(z[:lengths], many) if structure.per_input else [z[:lengths].mean()]
        kept = [*own, z[lengths]]
        place = lengths + 1
        for had, has in ((rich.drift, structure.drift), (rich.level, structure.level)):
            if has:
                kept.append(z[place] if had else 0.0)
            place += had
        return np.array(kept)

    def _mode(self, structure: Structure, z: FloatArray) -> Mode:
        """With the inverse of the Hessian there, by differences of gradients towards the middle."""
        k = len(z)
        hessian = np.empty((k, k))
        least, here = self.descent(structure, z)
        for i in range(k):
            step = np.zeros(k)
            step[i] = -_STEP if z[i] > 0.0 else _STEP
            hessian[i] = (self.descent(structure, z + step)[1] - here) / step[i]
        values, vectors = np.linalg.eigh(0.5 * (hessian + hessian.T))
        # The hyperprior alone has curvature 1; below a third of it the mode is no mode.
        values = np.maximum(values, 0.3)
        covariance = (vectors / values) @ vectors.T
        log_evidence = -least
        log_evidence += 0.5 * k * np.log(2.0 * np.pi) - 0.5 * float(np.sum(np.log(values)))
        return Mode(structure, z, covariance, log_evidence)
