"""Stopping rules in use, by their definitions, and how often what they state is so.

    python -m benchmarks.stopping_rules own_runs/data/stopping_audit.json

audits them on simulated logs of the upper-confidence policy of `benchmarks.fit_coverage`. Each
states an upper bound on the simple regret of the point that it would return and stops once that is
small. Those with confidence bounds take max (μ + √β σ) over the domain less max (μ − √β σ) over the
evaluated points, with different β:

- Makarova et al. 2022 (Automatic termination for hyperparameter optimization), section 4:
  β = 2 log(|D| n² π²/(6δ)) / 5, the fifth being Srinivas et al.'s choice in experiments;
- Optuna's `RegretBoundEvaluator`: the same with the number of parameters for |D|;
- Syne Tune's `AutomaticTerminationCriterion`: β = 1 at every n (its default; it states no level),
  with the model fitted to the best half of the rows, or to the best 20;
- the same with |D| and without the fifth, which is what the union bound asks for.

Wilson 2024 (Stopping Bayesian optimization with probabilistic regret bounds) asks of posterior
draws whether the regret is below ε with probability 1 − δ_mod, by an interval for it that fails
with δ_est; δ = δ_mod + δ_est in halves here. The rank certificate needs no such split.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import log, pi, sqrt
from pathlib import Path

import numpy as np
from scipy import special

from benchmarks.fit_coverage import KNOWN, Setting, moments, simulated_trace, sites_of
from own_runs.certificates.mixture import LogPosterior
from own_runs.certificates.studies import Audit
from own_runs.logs.observations import Observations
from own_runs.prior.fit import finite_candidates
from simulation.after_run.coverage import binomial_interval
from simulation.after_run.rank import rank_of
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import FiniteHyperprior

CONFIDENCE = ("optuna", "syne-tune", "makarova", "union")
RULES = (*CONFIDENCE, "wilson", "rank")
DRIFTS = ("known", "ignored")
PLAIN = Setting()


def beta_of(rule: str, rounds: int, delta: float, *, parameters: int, size: int) -> float:
    """β of a rule with confidence bounds after n rounds.

    >>> round(beta_of("optuna", 50, 0.1, parameters=2, size=100), 3)
    4.527
    """
    if rule == "syne-tune":
        return 1.0
    count = parameters if rule == "optuna" else size
    union = 2.0 * log(count * rounds**2 * pi**2 / (6.0 * delta))
    return union if rule == "union" else union / 5.0


def draws_below(paths: int, delta: float) -> int:
    """How many of the draws Wilson's rule wants below ε; more than there are if all will not do.

    The least k whose Clopper–Pearson lower limit at confidence 1 − δ/2 is 1 − δ/2 or more.

    >>> draws_below(99, 0.1), draws_below(19, 0.1)
    (98, 20)
    """
    k = np.arange(1, paths + 1)
    low = special.betaincinv(k, paths - k + 1, 0.5 * delta)
    return int(np.searchsorted(low, 1.0 - 0.5 * delta)) + 1


@dataclass(frozen=True)
class Stated:
    """What a rule says of a log: the simple regret of the row (from 0) is at most `bound`."""

    rule: str
    row: int
    bound: float


def stated(
    log: Observations,
    member: Member,
    *,
    delta: float = 0.1,
    sites: int = 100,
    seed: int = 0,
    paths: int = 99,
) -> tuple[Stated, ...]:
    """What every rule of `RULES` says under one prior of mean 0 and variance 1.

    log : in units in which f has variance 1; y is to be maximised
    delta : each rule's own
    sites : of D, as in `certify_log`
    paths : posterior draws of wilson and rank, the same for both
    """
    rank = rank_of(paths, delta)
    data = Data(log.points, log.times, log.to_maximise)
    candidates = finite_candidates(data, FiniteHyperprior((member,), (1.0,), KNOWN))
    posterior = LogPosterior(log, candidates, sites=sites)
    size = posterior.space.grid_size
    bounds = []
    for rule in CONFIDENCE:
        count = max(20, log.n // 2) if rule == "syne-tune" else log.n
        used = np.sort(np.argsort(-data.values, kind="stable")[:count])
        observed = Data(data.points[used], data.times[used], data.values[used])
        mean, deviation = moments(observed, member, posterior.space.sites, log.times[-1])
        weight = sqrt(beta_of(rule, log.n, delta, parameters=log.dimension, size=size))
        low = (mean - weight * deviation)[posterior.space.played[used]]
        bound = float(np.max(mean + weight * deviation) - np.max(low))
        bounds.append(Stated(rule, int(used[np.argmax(low)]), bound))
    draws = posterior.draws(paths, seed)
    ordered = np.sort(draws.simple)
    needed = draws_below(paths, delta)
    bound = float(ordered[needed - 1]) if needed <= paths else float("inf")
    bounds.append(Stated("wilson", draws.recommended, bound))
    bounds.append(Stated("rank", draws.recommended, float(ordered[rank - 1])))
    return tuple(bounds)


def audit(
    epsilons: Sequence[float] = (0.0, 1e-3, 1e-2),
    runs: int = 100,
    *,
    delta: float = 0.1,
    seed: int = 0,
    setting: Setting = PLAIN,
) -> list[Audit]:
    """The rules on simulated logs, with the true kernel and noise.

    Run j of rate i has the seed `seed` + 1000 i + j.
    """
    audits = []
    for i, epsilon in enumerate(epsilons):
        chosen = replace(setting, epsilon=epsilon)
        outcomes: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for number in range(seed + 1000 * i, seed + 1000 * i + runs):
            log, _, f = simulated_trace(chosen, number)
            on_grid = sites_of(log, setting.steps)
            for drift in DRIFTS:
                member = chosen.truth if drift == "known" else replace(chosen.truth, rate=0.0)
                sites = setting.steps**2
                for row in stated(log, member, delta=delta, sites=sites, seed=number):
                    regret = float(f.max() - f[on_grid[row.row]])
                    outcomes.setdefault((row.rule, drift), []).append((regret, row.bound))
        for (rule, drift), pairs in outcomes.items():
            covered = sum(regret <= bound for regret, bound in pairs)
            interval = binomial_interval(covered, runs)
            regret, bound = np.median(np.array(pairs), axis=0).tolist()
            count = (covered, runs, *interval)
            audits.append(Audit(rule, drift, epsilon, 1.0 - delta, *count, bound, regret))
    return audits


if __name__ == "__main__":
    rows = [asdict(row) for row in audit()]
    Path(sys.argv[1]).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
