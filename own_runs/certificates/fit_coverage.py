"""How often certificates of a log cover its regret when the prior is fitted to the same log.

    python -m own_runs.certificates.fit_coverage simulation/data/fit_coverage.json \
        --rounds 60 --runs 12 --seed 0

puts the study of these rounds into the file, in the place of the one that it holds; `--tables` is
for tables of real fits. It writes after every log, a log of each setting before the second of any,
so that a run that is ended holds what it did. Half a second a log at 60 rounds, six at 300.

A truth is drawn, a policy that does not know it runs on it, and the log is certified three times:
by the weighted set of priors, by the best member of that set put in for the truth, and under the
truth itself. Counted are the cumulative regret, the simple regret of the row that is recommended,
and that of the logs alone where `--stop-below` says stop. Every run has seeds of its own, so that
each count is binomial.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.writing import write_whole
from own_runs.certificates.mixture import certify_log
from own_runs.certificates.search_space import SearchSpace
from own_runs.logs.axes import Axis
from own_runs.logs.observations import Observations
from own_runs.prior.fit import finite_candidates, fit
from simulation.after_run.coverage import binomial_interval
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import FiniteHyperprior

METHODS = ("mixture", "plugged in", "true prior")
QUANTITIES = ("cumulative", "simple", "stopped")
"""What is certified: of all logs, and the simple regret of those where `--stop-below` says stop."""
STOP_BELOW = 0.5
"""What `--stop-below` is given, in standard deviations of the log's y."""
TABLES = ("svc_digits", "forest_digits")
"""Tables of real fits, made by benchmarks/tables_of_fits.py."""

_SQUARE = (Axis("x1", 0.0, 1.0), Axis("x2", 0.0, 1.0))


@dataclass(frozen=True)
class Setting:
    """One truth and one policy.

    kernel, epsilon, lengthscale, noise_variance : of the truth, of mean 0 and variance 1
    rounds : n; the first 15 at random
    policy : `random`, or `ucb`: the largest mean + 1.5 sd under ℓ = 0.3, ε = 0.01, σ² = 0.02
    steps : points per axis of the unit square
    table : a table of real fits in place of a drawn f: it does not drift, its noise is that of the
        fits, and kernel, ε, ℓ and σ² have no meaning
    """

    kernel: str = "se"
    epsilon: float = 0.01
    lengthscale: float = 0.25
    noise_variance: float = 0.01
    rounds: int = 60
    policy: str = "ucb"
    steps: int = 10
    table: str = ""

    @property
    def truth(self) -> Member:
        """The prior that draws f."""
        rate = -0.5 * float(np.log1p(-self.epsilon))
        return Member(self.kernel, rate, (self.lengthscale,) * 2, self.noise_variance)


def settings(rounds: Sequence[int] = (60,)) -> tuple[Setting, ...]:
    """Both kernels, two lengthscales, three rates of drift, two policies, each of the rounds."""
    return tuple(
        Setting(kernel, epsilon, length, 0.01, n, policy)
        for n, kernel, length, epsilon, policy in product(
            rounds, ("se", "matern52"), (0.2, 0.4), (1e-3, 1e-2, 1e-1), ("ucb", "random")
        )
    )


def settings_of_tables(rounds: Sequence[int] = (60,)) -> tuple[Setting, ...]:
    """Both tables of real fits and both policies, for each of the rounds."""
    return tuple(
        Setting(rounds=n, policy=policy, table=table)
        for n, table, policy in product(rounds, TABLES, ("ucb", "random"))
    )


@dataclass(frozen=True)
class FitCoverage:
    """How often one method's certificate was at least the regret.

    Attributes
    ----------
    setting : None for all of them together
    quantity : of `QUANTITIES`
    method : of `METHODS`
    level : nominal
    covered, runs : the count
    low, high : its exact 95 % interval
    width : median certificate over that of the true prior on the same logs; over that of the
        mixture for a table; None where the latter is 0
    """

    setting: Setting | None
    quantity: str
    method: str
    level: float
    covered: int
    runs: int
    low: float
    high: float
    width: float | None


def simulated_trace(setting: Setting, seed: int) -> tuple[Observations, float, FloatArray]:
    """A run of the setting as a log, its true cumulative regret over the grid, and f there when
    the log ends.
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, setting.rounds], spawn_key=(9,)))
    space = SearchSpace.of(_SQUARE, np.empty((0, 2)), setting.steps**2)
    sites, n = space.sites, setting.rounds
    world = _Table(setting.table) if setting.table else _Drifting(setting, space, rng)
    played: list[int] = []
    values: list[float] = []
    times: list[float] = []
    regret = 0.0
    for i in range(n):
        x = int(rng.integers(len(sites)))
        if i >= 15 and setting.policy == "ucb":
            x = upper_confidence(sites, np.array(played), np.array(values), np.array(times))
        duration, f, value = world.evaluate(x, rng)
        played.append(x)
        values.append(value)
        times.append((times[-1] if times else 0.0) + duration)
        regret += float(f.max() - f[x])
    return log_on_square(sites[played], values, times, f"run {seed}"), regret, f


def log_on_square(
    points: FloatArray, values: Sequence[float], ends: Sequence[float], source: str
) -> Observations:
    """A log of two inputs in [0, 1], of evaluations one after the other from time 0 on."""
    times = np.array(ends)
    durations = np.diff(times, prepend=0.0)
    return Observations(
        _SQUARE,
        points,
        np.array(values),
        "maximize",
        times,
        times - durations,
        durations,
        np.empty((0, 2)),
        float(times[-1]),
        "s",
        None,
        {},
        (),
        source,
        tuple(range(1, len(times) + 1)),
    )


class _Drifting:
    """f drawn from the truth of a setting; t = 1 + 2 x1."""

    def __init__(self, setting: Setting, space: SearchSpace, rng: np.random.Generator) -> None:
        self._truth, self._sites = setting.truth, space.sites
        self._factor = space.factor(self._truth, space.rows(self._truth))
        self._f = self._fresh(rng)

    def _fresh(self, rng: np.random.Generator) -> FloatArray:
        return np.asarray(self._factor.apply(rng.standard_normal((1, self._factor.rank)))[0])

    def evaluate(self, x: int, rng: np.random.Generator) -> tuple[float, FloatArray, float]:
        """Duration, f when the evaluation ends, and y."""
        duration = 1.0 + 2.0 * float(self._sites[x, 0])
        kept = float(np.exp(-self._truth.rate * duration))
        self._f = kept * self._f + np.sqrt(1.0 - kept**2) * self._fresh(rng)
        noise = np.sqrt(self._truth.noise_variance) * rng.standard_normal()
        return duration, self._f, float(self._f[x] + noise)


class _Table:
    """Real fits on a 10 × 10 grid: f is the mean over their repetitions, y one of them."""

    def __init__(self, name: str) -> None:
        text = (files("own_runs") / "data" / f"{name}.csv").read_text(encoding="utf-8")
        cells = np.loadtxt(text.splitlines(), delimiter=",", skiprows=1)
        self._seconds, self._scores = cells[:, 2], cells[:, 3:]

    def evaluate(self, x: int, rng: np.random.Generator) -> tuple[float, FloatArray, float]:
        repeat = int(rng.integers(self._scores.shape[1]))
        return float(self._seconds[x]), self._scores.mean(axis=1), float(self._scores[x, repeat])


_ASSUMED = Member("matern52", 0.005, (0.3, 0.3), 0.02)
"""Of the policy, whatever the truth is: it must not know it."""


def upper_confidence(
    sites: FloatArray, played: FloatArray, values: FloatArray, times: FloatArray
) -> int:
    """The row of `sites` that a time-aware upper confidence rule of an assumed prior plays next."""
    data = Data(sites[played], times, values - values.mean())
    mean, deviation = moments(data, _ASSUMED, sites, now=times[-1])
    return int(np.argmax(mean + 1.5 * deviation))


def moments(
    data: Data, member: Member, sites: FloatArray, *, now: float
) -> tuple[FloatArray, FloatArray]:
    """(M,) mean and deviation of f at the time `now` under a prior of mean 0 and variance 1."""
    lower = linalg.cholesky(member.observed(data.points, data.times), lower=True)
    kept = np.exp(-member.rate * (now - data.times))
    cross = member.between(data.points, sites) * kept[:, None]
    rows = linalg.solve_triangular(lower, cross, lower=True)
    white = linalg.solve_triangular(lower, data.values, lower=True)
    return np.asarray(white @ rows), np.sqrt(np.maximum(1.0 - np.sum(rows**2, axis=0), 0.0))


Held = dict[str, dict[str, tuple[float, float]]]
"""Of one log, for each quantity and method: the regret, and its certificate."""


def certificates_of(setting: Setting, seed: int, *, paths: int, delta: float) -> Held:
    """The regrets of one simulated log, and the certificates of each method.

    A method has no entry under `stopped` where its deciding draws say go on. Each recommends a row
    of its own, so that simple regrets differ.
    """
    log, regret, f = simulated_trace(setting, seed)
    fitted = fit(log, seed=seed).candidates
    sets = [fitted, fitted.alone(fitted.best)]
    if not setting.table:
        known = MeanAndScale(0.0, 0.0, 1e9, 1e9)
        truth = FiniteHyperprior((setting.truth,), (1.0,), known)
        sets.append(finite_candidates(Data(log.points, log.times, log.values), truth))
    left = f.max() - f[sites_of(log, setting.steps)]
    wanted = STOP_BELOW * float(np.std(log.values))
    certificates: Held = {quantity: {} for quantity in QUANTITIES}
    for method, candidates in zip(METHODS, sets, strict=False):
        asked = partial(
            certify_log,
            log,
            candidates,
            paths=paths,
            delta=delta,
            seed=seed,
            sites=setting.steps**2,
        )
        certified = asked()
        cumulative, simple = (certificate.value for certificate in certified.certificates)
        own = float(left[certified.recommended - 1]), simple
        certificates["cumulative"][method] = regret, cumulative
        certificates["simple"][method] = own
        decision = asked(stop_below=wanted).stop
        if decision is not None and decision.stop:
            certificates["stopped"][method] = own
    return certificates


def sites_of(log: Observations, steps: int) -> IntArray:
    """(n,) the site of the grid of `steps` points per axis that each row evaluated."""
    places = np.rint(log.points * (steps - 1)).astype(np.int64)
    return np.asarray(places[:, 0] * steps + places[:, 1])


CertifiedRun = tuple[Setting, Held]
"""A setting, and what one log of it says."""


def certified_runs(
    chosen: Sequence[Setting], runs: int, *, paths: int = 19, delta: float = 0.1, seed: int = 0
) -> Iterator[CertifiedRun]:
    """A log of each setting, then the next of each: run j of setting i has seed + 1000 i + j."""
    for j, (i, setting) in product(range(runs), enumerate(chosen)):
        yield setting, certificates_of(setting, seed + 1000 * i + j, paths=paths, delta=delta)


def counted(rows: Sequence[CertifiedRun], delta: float) -> tuple[FitCoverage, ...]:
    """How often each method's value was at least the regret, of all rows and of each setting."""
    coverages = []
    groups: list[Setting | None] = [None, *dict.fromkeys(setting for setting, _ in rows)]
    for quantity, group, method in product(QUANTITIES, groups, METHODS):
        own = [
            held
            for setting, held in rows
            if (group is None or setting == group) and method in held[quantity]
        ]
        if not own:
            continue
        pairs = np.array([held[quantity][method] for held in own])
        # Of stopped logs too, whether or not the true prior would have stopped there.
        every = "cumulative" if quantity == "cumulative" else "simple"
        beside = [held[every].get("true prior", held[every]["mixture"])[1] for held in own]
        covered = int(np.count_nonzero(pairs[:, 0] <= pairs[:, 1]))
        low, high = binomial_interval(covered, len(own))
        reference = float(np.median(beside))
        width = float(np.median(pairs[:, 1])) / reference if reference else None
        coverages.append(
            FitCoverage(group, quantity, method, 1.0 - delta, covered, len(own), low, high, width)
        )
    return tuple(coverages)


def to_json(studies: dict[str, tuple[FitCoverage, ...]]) -> str:
    """Named studies as `bundled_coverage` reads them."""
    rows = [{"study": name, **asdict(row)} for name, study in studies.items() for row in study]
    return json.dumps(rows, indent=1) + "\n"


def bundled_coverage() -> dict[str, tuple[FitCoverage, ...]]:
    """The studies that come with the project: drawn truths of several lengths, and real fits.

    >>> [name for name in bundled_coverage() if not name.startswith("drawn")]
    ['real fits, 60 rounds']
    """
    return studies_of((files("own_runs") / "data" / "fit_coverage.json").read_text("utf-8"))


def studies_of(text: str) -> dict[str, tuple[FitCoverage, ...]]:
    """What `to_json` wrote."""
    rows: list[dict[str, Any]] = json.loads(text)
    studies: dict[str, list[FitCoverage]] = {}
    for row in rows:
        name, setting = row.pop("study"), row.pop("setting")
        own = None if setting is None else Setting(**setting)
        studies.setdefault(name, []).append(FitCoverage(own, **row))
    return {name: tuple(own) for name, own in studies.items()}


def plugged_in_share() -> tuple[int, int]:
    """How many certificates of cumulative regret held with a plugged-in prior, and of how many."""
    return covered_of("cumulative", "plugged in")


def covered_of(quantity: str, method: str, studies: str = "") -> tuple[int, int]:
    """How many certificates of the bundled studies held, and of how many.

    studies : how the names of those begin that count, by default all
    """
    rows = [
        row
        for name, study in bundled_coverage().items()
        for row in study
        if name.startswith(studies) and row.setting is None
        if (row.quantity, row.method) == (quantity, method)
    ]
    return sum(row.covered for row in rows), sum(row.runs for row in rows)


def main(words: Sequence[str] | None = None) -> None:
    """The command of this module."""
    parser = ArgumentParser(description="Coverage of certificates whose prior was fitted.")
    parser.add_argument("file", type=Path, help="the file to change")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--runs", type=int, default=12, help="of each setting")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--every", type=int, default=1, help="take every k-th setting only, for this k"
    )
    parser.add_argument("--tables", action="store_true", help="of real fits, not drawn")
    given = parser.parse_args(words)
    chosen = (settings_of_tables if given.tables else settings)((given.rounds,))[:: given.every]
    name = f"{'real fits' if given.tables else 'drawn'}, {given.rounds} rounds"
    held = studies_of(given.file.read_text("utf-8")) if given.file.exists() else {}
    names = sorted({*held, name}, key=lambda name: (not name.startswith("drawn"), len(name), name))
    rows: list[CertifiedRun] = []
    for row in certified_runs(chosen, given.runs, seed=given.seed):
        rows.append(row)
        studies = {**held, name: counted(rows, 0.1)}
        write_whole(given.file, to_json({study: studies[study] for study in names}).encode())


if __name__ == "__main__":
    main()
