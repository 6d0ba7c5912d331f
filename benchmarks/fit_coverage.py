"""How often certificates of a log cover its regret when the prior is fitted to the same log.

    python -m benchmarks.fit_coverage own_runs/data/fit_coverage.json --rounds 60 --runs 12 --seed 0

puts the study of these rounds into the file, in the place of the one that it holds; `--tables` is
for tables of real fits. It writes after every log, a log of each setting before the second of any,
so that a run that is ended holds what it did. Half a second a log at 60 rounds, six at 300.

A truth is drawn, a policy that does not know it runs on it, and the log is certified three times:
by the weighted set of priors, by the best member of that set put in for the truth, and under the
truth itself. Every run has a seed of its own, so that each count is binomial.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray, IntArray
from bounds.writing import write_whole
from own_runs.certificates.mixture import certify_log
from own_runs.certificates.search_space import SearchSpace
from own_runs.certificates.studies import METHODS, QUANTITIES, STOP_BELOW, FitCoverage
from own_runs.logs.axes import Axis
from own_runs.logs.observations import Observations
from own_runs.prior.fit import finite_candidates, fit
from simulation.after_run.coverage import binomial_interval
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import FiniteHyperprior

TABLES = ("svc_digits", "forest_digits")
"""Tables of real fits, made by benchmarks/tables_of_fits.py."""
KNOWN = MeanAndScale(0.0, 0.0, 1e9, 1e9)
"""Mean 0 and scale 1, as good as known."""
SQUARE = (Axis("x1", 0.0, 1.0), Axis("x2", 0.0, 1.0))


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


def settings(rounds: int, *, tables: bool = False) -> list[Setting]:
    """Kernels, lengthscales and rates of drift, or tables of real fits; both policies of each."""
    if tables:
        return [
            Setting(rounds=rounds, policy=policy, table=table)
            for table, policy in product(TABLES, ("ucb", "random"))
        ]
    return [
        Setting(kernel, epsilon, length, 0.01, rounds, policy)
        for kernel, length, epsilon, policy in product(
            ("se", "matern52"), (0.2, 0.4), (1e-3, 1e-2, 1e-1), ("ucb", "random")
        )
    ]


def simulated_trace(setting: Setting, seed: int) -> tuple[Observations, float, FloatArray]:
    """A run of the setting as a log, its true cumulative regret over the grid, and f there when
    the log ends.
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, setting.rounds], spawn_key=(9,)))
    space = SearchSpace.of(SQUARE, np.empty((0, 2)), setting.steps**2)
    sites = space.sites
    world = RealFits(setting.table) if setting.table else Drifting(setting.truth, space, rng)
    played: list[int] = []
    values: list[float] = []
    times: list[float] = []
    regret = 0.0
    for i in range(setting.rounds):
        x = int(rng.integers(len(sites)))
        if i >= 15 and setting.policy == "ucb":
            x = upper_confidence(sites, np.array(played), np.array(values), np.array(times))
        duration, f, value = world.evaluate(x, rng)
        played.append(x)
        values.append(value)
        times.append((times[-1] if times else 0.0) + duration)
        regret += float(f.max() - f[x])
    log = Observations.one_by_one(SQUARE, sites[played], values, times, "maximize", f"run {seed}")
    return log, regret, f


class Drifting:
    """f drawn from the truth of a setting; t = 1 + 2 x1."""

    def __init__(self, truth: Member, space: SearchSpace, rng: np.random.Generator) -> None:
        self._truth, self._sites = truth, space.sites
        self._factor = space.factor(truth, space.rows(truth))
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


class RealFits:
    """Real fits on a 10 × 10 grid: f is the mean over their repetitions, y one of them."""

    def __init__(self, name: str) -> None:
        cells = np.loadtxt(Path(__file__).with_name(f"{name}.csv"), delimiter=",", skiprows=1)
        self._seconds, self._scores = cells[:, 2], cells[:, 3:]

    def evaluate(self, x: int, rng: np.random.Generator) -> tuple[float, FloatArray, float]:
        """Seconds, the mean scores, and one score."""
        repeat = int(rng.integers(self._scores.shape[1]))
        return float(self._seconds[x]), self._scores.mean(axis=1), float(self._scores[x, repeat])


ASSUMED = Member("matern52", 0.005, (0.3, 0.3), 0.02)
"""Of the policy, whatever the truth is: it must not know it."""


def upper_confidence(
    sites: FloatArray, played: FloatArray, values: FloatArray, times: FloatArray
) -> int:
    """The row of `sites` that a time-aware upper confidence rule of an assumed prior plays next."""
    data = Data(sites[played], times, values - values.mean())
    mean, deviation = moments(data, ASSUMED, sites, times[-1])
    return int(np.argmax(mean + 1.5 * deviation))


def moments(
    data: Data, member: Member, sites: FloatArray, now: float
) -> tuple[FloatArray, FloatArray]:
    """(M,) mean and deviation of f at the time `now` under a prior of mean 0 and variance 1."""
    lower = linalg.cholesky(member.observed(data.points, data.times), lower=True)
    kept = np.exp(-member.rate * (now - data.times))
    cross = member.between(data.points, sites) * kept[:, None]
    rows = linalg.solve_triangular(lower, cross, lower=True)
    white = linalg.solve_triangular(lower, data.values, lower=True)
    return np.asarray(white @ rows), np.sqrt(np.maximum(1.0 - np.sum(rows**2, axis=0), 0.0))


def sites_of(log: Observations, steps: int) -> IntArray:
    """(n,) the site of the grid of `steps` points per axis that each row evaluated."""
    places = np.rint(log.points * (steps - 1)).astype(np.int64)
    return np.asarray(places[:, 0] * steps + places[:, 1])


Held = dict[str, dict[str, tuple[float, float]]]
"""Of one log, for each quantity and method: the regret, and its certificate."""


def certificates_of(setting: Setting, seed: int, *, paths: int = 19, delta: float = 0.1) -> Held:
    """The regrets of one simulated log, and the certificates of each method.

    A method has no entry under `stopped` where its deciding draws say go on. Each recommends a row
    of its own, so that simple regrets differ.
    """
    log, regret, f = simulated_trace(setting, seed)
    fitted = fit(log, seed=seed).candidates
    sets = [fitted, fitted.alone(fitted.best)]
    if not setting.table:
        truth = FiniteHyperprior((setting.truth,), (1.0,), KNOWN)
        sets.append(finite_candidates(Data(log.points, log.times, log.values), truth))
    left = f.max() - f[sites_of(log, setting.steps)]
    certificates: Held = {quantity: {} for quantity in QUANTITIES}
    options: dict[str, Any] = {"paths": paths, "delta": delta, "seed": seed}
    for method, candidates in zip(METHODS, sets, strict=False):
        asked = partial(certify_log, log, candidates, sites=setting.steps**2, **options)
        certified = asked()
        cumulative, simple = (certificate.value for certificate in certified.certificates)
        own = float(left[certified.recommended - 1]), simple
        certificates["cumulative"][method] = regret, cumulative
        certificates["simple"][method] = own
        decision = asked(stop_below=STOP_BELOW * float(np.std(log.values))).stop
        if decision is not None and decision.stop:
            certificates["stopped"][method] = own
    return certificates


CertifiedRun = tuple[Setting, Held]
"""A setting, and what one log of it says."""


def certified_runs(chosen: Sequence[Setting], runs: int, seed: int = 0) -> Iterator[CertifiedRun]:
    """A log of each setting, then the next of each: run j of setting i has seed + 1000 i + j."""
    for j, (i, setting) in product(range(runs), enumerate(chosen)):
        yield setting, certificates_of(setting, seed + 1000 * i + j)


def counted(rows: Sequence[CertifiedRun], delta: float = 0.1) -> list[FitCoverage]:
    """How often each method's value was at least the regret, of all rows and of each setting."""
    coverages = []
    groups: list[Setting | None] = [None, *dict.fromkeys(setting for setting, _ in rows)]
    for quantity, group, method in product(QUANTITIES, groups, METHODS):
        own = [
            held for setting, held in rows if group in (None, setting) and method in held[quantity]
        ]
        if not own:
            continue
        pairs = np.array([held[quantity][method] for held in own])
        # Of stopped logs too, whether or not the true prior would have stopped there.
        every = "cumulative" if quantity == "cumulative" else "simple"
        beside = [held[every].get("true prior", held[every]["mixture"])[1] for held in own]
        covered = int(np.count_nonzero(pairs[:, 0] <= pairs[:, 1]))
        interval = binomial_interval(covered, len(own))
        reference = float(np.median(beside))
        width = float(np.median(pairs[:, 1])) / reference if reference else None
        drew = None if group is None else asdict(group)
        coverages.append(
            FitCoverage(drew, quantity, method, 1.0 - delta, covered, len(own), *interval, width)
        )
    return coverages


def main(words: Sequence[str] | None = None) -> None:
    """The command of this module."""
    parser = ArgumentParser(description="Coverage of certificates whose prior was fitted.")
    parser.add_argument("file", type=Path, help="the file to change")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--runs", type=int, default=12, help="of each setting")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tables", action="store_true", help="of real fits, not drawn")
    given = parser.parse_args(words)
    name = f"{'real fits' if given.tables else 'drawn'}, {given.rounds} rounds"
    stored = json.loads(given.file.read_text("utf-8")) if given.file.exists() else []
    held = [row for row in stored if row["study"] != name]
    chosen, rows = settings(given.rounds, tables=given.tables), []
    for row in certified_runs(chosen, given.runs, given.seed):
        rows.append(row)
        studies = held + [{"study": name, **asdict(one)} for one in counted(rows)]
        studies.sort(key=lambda one: (one["study"].startswith("real"), len(one["study"])))
        write_whole(given.file, (json.dumps(studies, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
