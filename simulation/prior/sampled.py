"""Candidates of a continuous hyperprior: modes by gradients, then a sample with its weights.

For each structure (kernel, drift or none, level or none, one lengthscale or one per input) the
posterior mode is searched from several starts; Laplace's approximation there says how many of the
draws the structure deserves, and adaptive importance sampling makes evidence and weights of them.
Other scales of y and kernels of time are tried from the best mode, and those that are far behind
are left out (`Search.wider`): the set is the posterior up to what they weigh.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from bounds.numerics.threads import one_blas_thread
from bounds.progress import Share, unwatched
from simulation.prior.candidates import Candidates
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import Hyperprior, Structure
from simulation.prior.importance import Proposal, Sample, StudentLaw, effective_size
from simulation.prior.modes import Mode, Search
from simulation.prior.shapes import TWO_SCALES

DRAWS = 640
"""Members drawn for each kernel family."""

LONG = 400
"""Rows above which a log is long: a factorisation of all its rows is then dear."""

_LEAST_OF_LONG = 64
_MOST_OF_LONG = 8
"""Structures of a long log, the likeliest by every few rows, that are climbed over all rows."""
_THREADS = 2
_KEPT = 5
"""Numbers kept with a point: its evidence and the four of the law of m and s."""
_NO_WEIGHT = 12.0
"""A weight e^12 times below the largest is none."""
_LEAST_WEIGHT = 600.0
_LEAST_DRAWS = 4
_AT_ONCE = 16
"""Draws of a structure that wait for each other: fewer teach a proposal nothing."""
_DRAWS_OF_ONE, _LEAST_STRUCTURES = 32, 12
"""A family is of at most so many structures, the likeliest, as leave each that many draws."""
_ROUNDS = 8
_MORE_ROUNDS = 24
"""Rounds beyond those while the draws are worth too little: few rows leave odd shapes."""
_LEAST_SHARE = 200.0 / 640.0
"""What draws should be worth, as a share of those that were asked for."""
_FULL_SHARE = 0.2
"""Share of all from which a family gets all its draws; below it gets them in proportion."""
_NEGLIGIBLE = 1e-3
"""Share of its family below which a structure is left to Laplace's approximation and not drawn; so
is a family, by its share of all."""


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


def sampled_candidates(
    data: Data,
    hyperprior: Hyperprior,
    mean_and_scale: MeanAndScale,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    periods: tuple[float, ...] = (),
    progress: Share = unwatched,
) -> tuple[Candidates, tuple[StructureEvidence, ...], tuple[FamilyDraws, ...]]:
    """The weighted set for a continuous hyperprior, `draws` members for each likely kernel family.

    O(draws · n³) for each family; of more than `LONG` rows fewer are drawn, in proportion to 1/n²,
    and what structures weigh is found from every few rows first.

    periods : at which a memory that returns is sought beside many others, as a day is
    """
    search = Search(data, hyperprior, mean_and_scale, periods=periods)
    chances = hyperprior.structures(search.dimension)
    kernels = hyperprior.kernels
    usual = replace(
        hyperprior,
        memories=hyperprior.memories[:1],
        powers=hyperprior.powers[:1],
        wild=0.0,
        change=0.0,
        bent=0.0,
        uneven=0.0,
    )
    first = usual.structures(search.dimension)
    # A stream for each family: the same set whatever the number of threads.
    streams = np.random.SeedSequence([seed, data.n], spawn_key=(6,)).spawn(len(kernels))
    generators = {k: np.random.default_rng(s) for k, s in zip(kernels, streams, strict=True)}
    done: list[float] = []

    # Of a long log every few rows say which structures matter, and where.
    long = data.n > LONG
    pilot = replace(search, data=data.thinned(-(-data.n // LONG))) if long else search
    draws = max(round(draws * (LONG / data.n) ** 2), min(draws, _LEAST_OF_LONG)) if long else draws

    def begun(kernel: str) -> list[Mode]:
        return pilot.modes([s for s in first if s.kernel == kernel], generators[kernel])

    with one_blas_thread(), ThreadPoolExecutor(_THREADS) as pool:
        modes = [mode for some in pool.map(begun, kernels) for mode in some]
        plain = list(modes)
        if not hyperprior.narrow:
            more, chances = pilot.wider(modes, chances)
            modes += more
        shares = _shares(modes, chances)
        if long:
            likely = sorted(modes, key=lambda mode: -shares[mode.structure])[:_MOST_OF_LONG]
            kept = {
                replace(mode.structure, wild=False): mode
                for mode in likely
                if shares[mode.structure] >= _NEGLIGIBLE
            }
            carried = partial(search.carried, pilot.data.n)
            modes = list(pool.map(carried, kept, kept.values()))
            modes += search.with_wild_errors(modes)
            shares = _shares(modes, chances)

        def family(kernel: str) -> _Drawn:
            own = [mode for mode in modes if mode.structure.kernel == kernel]
            share = sum(shares[mode.structure] for mode in own)
            # A member of a small family weighs no more than one of a large one.
            part = max(round(draws * min(share / _FULL_SHARE, 1.0)), min(draws, _LEAST_OF_LONG))
            wanted = part if share >= _NEGLIGIBLE else 0
            drawn = _drawn(search, own, chances, wanted, generators[kernel])
            done.append(1.0)
            progress(len(done) / len(kernels))
            return drawn

        drawn_by_family = list(pool.map(family, kernels))
        samples = [(s, sample) for drawn in drawn_by_family for s, sample in drawn.samples]
        # Theory is for the usual structures: where the log has no room for them, a few are drawn.
        spare: list[tuple[Structure, Sample]] = []
        plain = [mode for mode in plain if mode.structure.kernel != TWO_SCALES]
        drawn_of = {replace(structure, wild=False) for structure, _ in samples}
        if plain and not drawn_of & {mode.structure for mode in plain}:
            best = max(plain, key=lambda mode: mode.log_evidence).structure.kernel
            own = [mode for mode in plain if mode.structure.kernel == best]
            few = max(draws // 4, len(own))
            spare = _drawn(search, own, chances, few, generators[best]).samples
    candidates = _together(search, samples, spare, chances)
    rows = [row for drawn in drawn_by_family for row in drawn.evidence]
    logs = np.array([value + np.log(chances[s]) for s, value, _ in rows])
    shares = np.exp(logs - special.logsumexp(logs))
    table = [
        StructureEvidence(s, value, float(share), count)
        for (s, value, count), share in zip(rows, shares, strict=True)
    ]
    families = tuple(
        FamilyDraws(kernel, drawn.draws, drawn.effective)
        for kernel, drawn in zip(hyperprior.kernels, drawn_by_family, strict=True)
    )
    return candidates, tuple(sorted(table, key=lambda row: -row.share)), families


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Samples of the structures of one family, the evidence of all of them, and their worth."""

    samples: list[tuple[Structure, Sample]]
    evidence: list[tuple[Structure, float, int]]
    effective: float

    @property
    def draws(self) -> int:
        return sum(len(sample.values) for _, sample in self.samples)


def _joint(sample: Sample, chance: float) -> FloatArray:
    """Log weights of a structure's members among those of all structures."""
    return np.asarray(sample.log_weights + (np.log(chance) - np.log(len(sample.values))))


def _shares(modes: list[Mode], chances: dict[Structure, float]) -> dict[Structure, float]:
    """The probabilities of structures among these, by Laplace's approximation."""
    logs = np.array([mode.log_evidence + np.log(chances[mode.structure]) for mode in modes])
    shares = np.exp(logs - special.logsumexp(logs))
    return {mode.structure: float(share) for mode, share in zip(modes, shares, strict=True)}


def _drawn(
    search: Search,
    modes: list[Mode],
    chances: dict[Structure, float],
    draws: int,
    rng: np.random.Generator,
) -> _Drawn:
    """Samples of the structures that matter, `draws` members in rounds; more if worth little."""
    if not draws:
        return _Drawn([], [(mode.structure, mode.log_evidence, 0) for mode in modes], 0.0)
    shares = _shares(modes, chances)
    likeliest = sorted(modes, key=lambda mode: -shares[mode.structure])
    likeliest = likeliest[: max(draws // _DRAWS_OF_ONE, _LEAST_STRUCTURES)]
    least = max(shares[likeliest[-1].structure], _NEGLIGIBLE)
    kept = [mode for mode in modes if shares[mode.structure] >= least]
    wanted = np.array([shares[mode.structure] for mode in kept])
    samples = [
        Sample.empty(partial(search.target, mode.structure), len(mode.center), _KEPT)
        for mode in kept
    ]
    proposals = [
        Proposal((StudentLaw.of(mode.center, mode.covariance),), np.ones(1)) for mode in kept
    ]
    left, owed = draws, np.zeros(len(kept))
    for done in range(_ROUNDS + _MORE_ROUNDS):
        if done >= _ROUNDS and _effective(samples, kept, chances) >= _LEAST_SHARE * draws:
            break
        count = left // (_ROUNDS - done) if done < _ROUNDS else draws // _ROUNDS
        # Every structure is drawn from in every round, however few draws were asked for.
        count = max(count, len(kept))
        left = max(left - count, 0)
        owed += _apportioned(wanted / wanted.sum(), count, _LEAST_DRAWS)
        every = done == 0 or done >= _ROUNDS - 1
        for place in map(int, np.flatnonzero(every | (owed >= _AT_ONCE))):
            sample = samples[place]
            sample.extend(proposals[place], int(owed[place]), rng)
            proposals[place] = sample.adapted(proposals[place])
            owed[place] = 0
        logs = np.array([sample.log_evidence for sample in samples])
        logs += np.log([chances[mode.structure] for mode in kept])
        # A mode at the end of the reach: few draws may all lie beyond it.
        if np.any(logs > -np.inf):
            wanted = np.exp(logs - special.logsumexp(logs))
    pairs = [(mode.structure, sample) for mode, sample in zip(kept, samples, strict=True)]
    rows = {mode.structure: (mode.log_evidence, 0) for mode in modes}
    rows |= {s: (sample.log_evidence, len(sample.values)) for s, sample in pairs}
    table = [(s, value, count) for s, (value, count) in rows.items()]
    return _Drawn(pairs, table, _effective(samples, kept, chances))


def _effective(samples: list[Sample], modes: list[Mode], chances: dict[Structure, float]) -> float:
    """What the draws of all structures are worth together."""
    logs = np.concatenate(
        [_joint(sample, chances[m.structure]) for m, sample in zip(modes, samples, strict=True)]
    )
    return effective_size(np.exp(logs - logs.max()))


def _apportioned(shares: FloatArray, count: int, least: int) -> FloatArray:
    """Whole numbers that add to `count`, at least `least` each, near the shares."""
    sizes = np.maximum(np.floor(shares * count), least)
    while sizes.sum() > count:
        sizes[np.argmax(sizes)] -= 1
    while sizes.sum() < count:
        sizes[np.argmax(shares * count - sizes)] += 1
    return np.asarray(sizes)


def _together(
    search: Search,
    samples: list[tuple[Structure, Sample]],
    spare: list[tuple[Structure, Sample]],
    chances: dict[Structure, float],
) -> Candidates:
    """All samples as one weighted set; members of no weight are dropped.

    spare : members of the usual structures where the log has no room for them, kept with what
        weight they have: theory is for these alone
    """
    logs = [_joint(sample, chances[structure]) for structure, sample in samples]
    apart = [_joint(sample, chances[structure]) for structure, sample in spare]
    largest = [max(float(part.max()) for part in logs)] * len(logs)
    if apart:
        own = max(float(part.max()) for part in apart)
        lifted = max(own, largest[0] - _LEAST_WEIGHT)  # a weight of e^−600 is a double
        logs += [part + (lifted - own) for part in apart]
        largest += [lifted] * len(apart)
    members: list[Member] = []
    weights, numbers = [], []
    for (structure, sample), part, top in zip([*samples, *spare], logs, largest, strict=True):
        rows = np.flatnonzero(part > top - _NO_WEIGHT)
        members += search.members(structure, sample.points[rows])
        weights.append(part[rows])
        numbers.append(sample.kept[rows])
    kept = np.concatenate(numbers)
    return Candidates.of(
        tuple(members),
        np.concatenate(weights),
        kept[:, 0],
        search.mean_and_scale,
        Posterior.of_rows(kept[:, 1:]),
        exact=False,
    )
