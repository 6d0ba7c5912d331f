"""How often certificates of a log cover its regret when the prior is fitted to the same log.

A truth is drawn, a policy that does not know it runs on it, and the log is certified three times:
by the weighted set of priors, by the best member of that set put in for the truth, and under the
truth itself. Every run has seeds of its own, so that each count is binomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.progress import Share, unwatched
from simulation.after_run.coverage import binomial_interval
from simulation.after_run.mixture import certify_log
from simulation.after_run.search_space import SearchSpace
from simulation.logs.axes import Axis
from simulation.logs.observations import Observations
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.fit import finite_candidates, fit
from simulation.prior.hyperprior import FiniteHyperprior

METHODS = ("mixture", "plugged in", "true prior")


@dataclass(frozen=True)
class Setting:
    """One truth and one policy.

    kernel, epsilon, lengthscale, noise_variance : of the truth, of mean 0 and variance 1
    rounds : n; the first 15 at random
    policy : `random`, or `ucb`: the largest mean + 1.5 sd under ℓ = 0.3, ε = 0.01, σ² = 0.02
    steps : points per axis of the unit square
    """

    kernel: str = "se"
    epsilon: float = 0.01
    lengthscale: float = 0.25
    noise_variance: float = 0.01
    rounds: int = 60
    policy: str = "ucb"
    steps: int = 10

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


@dataclass(frozen=True)
class FitCoverage:
    """How often one method's certificate was at least the regret.

    Attributes
    ----------
    setting : None for all of them together
    method : of `METHODS`
    level : nominal
    covered, runs : the count
    low, high : its exact 95 % interval
    width : median of certificate over that of the true prior
    """

    setting: Setting | None
    method: str
    level: float
    covered: int
    runs: int
    low: float
    high: float
    width: float


def simulated_log(setting: Setting, seed: int) -> tuple[Observations, float]:
    """A run of the setting as a log, and its true cumulative regret over the grid."""
    rng = np.random.default_rng(np.random.SeedSequence([seed, setting.rounds], spawn_key=(9,)))
    axes = (Axis("x1", 0.0, 1.0), Axis("x2", 0.0, 1.0))
    nothing = np.empty((0, 2))
    space = SearchSpace.of(axes, nothing, setting.steps**2)
    sites, truth, n = space.sites, setting.truth, setting.rounds
    factor = space.factor(truth, space.rows(truth))
    f = factor.apply(rng.standard_normal((1, factor.rank)))[0]
    played: list[int] = []
    values: list[float] = []
    times: list[float] = []
    regret = 0.0
    for i in range(n):
        x = int(rng.integers(len(sites)))
        if i >= 15 and setting.policy == "ucb":
            x = _upper_confidence(sites, np.array(played), np.array(values), np.array(times))
        duration = 1.0 + 2.0 * float(sites[x, 0])
        kept = float(np.exp(-truth.rate * duration))
        fresh = factor.apply(rng.standard_normal((1, factor.rank)))[0]
        f = kept * f + np.sqrt(1.0 - kept**2) * fresh
        played.append(x)
        values.append(float(f[x] + np.sqrt(setting.noise_variance) * rng.standard_normal()))
        times.append((times[-1] if times else 0.0) + duration)
        regret += float(f.max() - f[x])
    ends = np.array(times)
    durations = np.diff(ends, prepend=0.0)
    return Observations(
        axes, sites[played], np.array(values), "maximize", ends, ends - durations, durations,
        nothing, float(ends[-1]), "s", None, {}, (), f"run {seed}", tuple(range(1, n + 1)),
    ), regret  # fmt: skip


_ASSUMED = Member("matern52", 0.005, (0.3, 0.3), 0.02)
"""Of the policy, whatever the truth is: it must not know it."""


def _upper_confidence(
    sites: FloatArray, played: FloatArray, values: FloatArray, times: FloatArray
) -> int:
    from simulation.prior.shapes import SHAPES

    def space(left: FloatArray, right: FloatArray) -> FloatArray:
        squared = np.zeros((len(left), len(right)))
        for axis, scale in enumerate(_ASSUMED.lengthscales):
            squared += np.subtract.outer(left[:, axis] / scale, right[:, axis] / scale) ** 2
        return SHAPES[_ASSUMED.kernel].value(squared)

    points = sites[played]
    gaps = np.abs(np.subtract.outer(times, times))
    gram = space(points, points) * np.exp(-_ASSUMED.rate * gaps)
    gram[np.diag_indices(len(values))] += _ASSUMED.noise_variance
    lower = linalg.cholesky(gram, lower=True)
    cross = space(points, sites) * np.exp(-_ASSUMED.rate * (times[-1] - times))[:, None]
    rows = linalg.solve_triangular(lower, cross, lower=True)
    white = linalg.solve_triangular(lower, values - values.mean(), lower=True)
    deviation = np.sqrt(np.maximum(1.0 - np.sum(rows**2, axis=0), 0.0))
    return int(np.argmax(white @ rows + 1.5 * deviation))


def certificates_of(
    setting: Setting, seed: int, *, paths: int, delta: float
) -> tuple[float, dict[str, float]]:
    """The true regret of one simulated log, and the certificate of each method."""
    log, regret = simulated_log(setting, seed)
    fitted = fit(log, seed=seed).candidates
    known = MeanAndScale(0.0, 0.0, 1e9, 1e9)
    truth = FiniteHyperprior((setting.truth,), (1.0,), known)
    data = Data(log.points, log.times, log.values)
    sets = (fitted, fitted.alone(fitted.best), finite_candidates(data, truth))
    found = {}
    for method, candidates in zip(METHODS, sets, strict=True):
        certified = certify_log(
            log, candidates, paths=paths, delta=delta, seed=seed, sites=setting.steps**2
        )
        found[method] = certified.certificates[0].value
    return regret, found


def fit_coverage(
    chosen: Sequence[Setting],
    runs: int,
    *,
    paths: int = 19,
    delta: float = 0.1,
    seed: int = 0,
    progress: Share = unwatched,
) -> tuple[FitCoverage, ...]:
    """Coverage of every method, of all settings together and of each.

    Run j of setting i has the seed `seed` + i·runs + j.
    """
    rows: list[tuple[Setting, float, dict[str, float]]] = []
    for i, setting in enumerate(chosen):
        for j in range(runs):
            regret, values = certificates_of(setting, seed + i * runs + j, paths=paths, delta=delta)
            rows.append((setting, regret, values))
            progress(len(rows) / (runs * len(chosen)))
    found = []
    groups: list[Setting | None] = [None, *chosen]
    for group in groups:
        mine = [row for row in rows if group is None or row[0] == group]
        for method in METHODS:
            covered = sum(regret <= values[method] for _, regret, values in mine)
            ratios = [values[method] / values["true prior"] for _, _, values in mine]
            low, high = binomial_interval(covered, len(mine))
            found.append(
                FitCoverage(
                    group, method, 1.0 - delta, covered, len(mine), low, high,
                    float(np.median(ratios)),
                )
            )  # fmt: skip
    return tuple(found)
