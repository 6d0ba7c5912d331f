"""How often certificates cover the truth: over settings, policies and wrong priors.

Runs are simulated under one prior and certified under another, the *assumed* one: the same, or with
another forgetting rate, lengthscale or noise. Every run has draws of its own, posterior paths and
simulated runs alike, so each count is binomial, with the exact interval and test that go with that
(Clopper and Pearson).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.numerics.threads import one_blas_thread
from bounds.problem import Problem
from bounds.progress import Stage
from bounds.times import EvaluationTimes
from simulation.after_run.certificates import CertifiedRun, certify, checked_names
from simulation.after_run.observed import Observed
from simulation.after_run.rank import rank_of
from simulation.after_run.simulated import simulated_regrets
from simulation.model.covariance import space_factor
from simulation.policies.registry import policy_named
from simulation.runs.run import Trajectory
from simulation.study.manifest import LARGEST_SEEDS
from simulation.study.study import StudySpec

PRIORS = (
    "true",
    "epsilon / 10",
    "epsilon x 10",
    "lengthscale / 1.5",
    "lengthscale x 1.5",
    "noise / 4",
    "noise x 4",
)
"""What the certificates assume; the first is the truth."""

PROBABILISTIC = ("rank", "probability", "probability-forward", "simulation")
DEFAULT_POLICIES = ("ctv-fixed theory", "ctv-fixed sqrt-beta", "random")
SETTINGS = ("uniform", "biased")
CONFIDENCE = 0.95
FALSE_ALARM = 0.001
"""Greatest probability of a study that marks any certificate whose level holds."""

_DOUBT = 0.01


@dataclass(frozen=True)
class Coverage:
    """One cell of the study.

    Attributes
    ----------
    setting, policy, prior, certificate : what was counted
    level : what the certificate claims
    covered, runs : in how many of the runs the regret was at most the certificate
    low, high : exact interval of the probability of that, at 95 %
    ratio : mean certificate over mean regret
    doubted : share of the runs whose observations spoke against the prior at 1 %
    broken : whether the count is too small for the level, see `judged`
    """

    setting: str
    policy: str
    prior: str
    certificate: str
    level: float
    covered: int
    runs: int
    low: float
    high: float
    ratio: float
    doubted: float
    broken: bool = False

    @property
    def p_value(self) -> float:
        """P(Bin(runs, level) ≤ covered): exact, one-sided; small where the level does not hold."""
        return float(special.bdtr(self.covered, self.runs, self.level))


def broken_below(rows: Sequence[Coverage]) -> float:
    """`FALSE_ALARM` divided by the rows under the true prior, in which every level should hold."""
    return FALSE_ALARM / max(sum(row.prior == PRIORS[0] for row in rows), 1)


def judged(rows: Sequence[Coverage]) -> tuple[Coverage, ...]:
    """The rows of one study, broken where the p-value is below `broken_below`.

    The intervals cannot decide this: of exact certificates a fortieth of them lie below the level,
    which among many rows some do nearly always.
    """
    threshold = broken_below(rows)
    return tuple(replace(row, broken=row.p_value < threshold) for row in rows)


def binomial_interval(
    successes: int, trials: int, level: float = CONFIDENCE
) -> tuple[float, float]:
    """The exact two-sided interval of Clopper and Pearson.

    >>> tuple(round(end, 4) for end in binomial_interval(9, 10))
    (0.555, 0.9975)
    """
    if not 0 <= successes <= trials or trials < 1:
        raise InvalidInput("successes", (successes, trials), "give 0 <= successes <= trials >= 1")
    tail = 0.5 * (1.0 - level)
    low = special.betaincinv(successes, trials - successes + 1, tail) if successes else 0.0
    high = (
        special.betaincinv(successes + 1, trials - successes, 1.0 - tail)
        if successes < trials
        else 1.0
    )
    return float(low), float(high)


def assumed(problem: Problem, prior: str) -> Problem:
    """The problem as a certificate with the named prior takes it to be.

    Raises InvalidInput for a name that is not in `PRIORS`.
    """
    if prior == "true":
        return problem
    if prior not in PRIORS:
        raise InvalidInput("prior", prior, f"use {', '.join(PRIORS)}")
    what, sign, number = prior.split()
    factor = float(number) if sign == "x" else 1.0 / float(number)
    if what == "epsilon":
        epsilon = min(problem.epsilon * factor, 0.99)
        return replace(problem, epsilon=epsilon, time_kernel=Forgetting(epsilon))
    if what == "noise":
        return replace(problem, noise_variance=problem.noise_variance * factor)
    return replace(problem, space_kernel=problem.space_kernel.stretched(factor))


def coverage_study(
    problem: Problem,
    *,
    runs: int = 100,
    rounds: int = 20,
    settings: tuple[str, ...] = SETTINGS,
    policies: tuple[str, ...] = DEFAULT_POLICIES,
    priors: tuple[str, ...] = PRIORS,
    certificates: tuple[str, ...] = PROBABILISTIC,
    paths: int = 19,
    seed: int = 0,
    progress: Stage | None = None,
) -> tuple[Coverage, ...]:
    """Count how often each certificate is at least the regret.

    Parameters
    ----------
    problem : the truth; its times do not matter (3 a round, or the paper's t(x))
    runs : simulated runs of each setting and policy; every prior and certificate sees the same
    rounds : n, of which the first three are random
    settings : `uniform` (fixed times) and `biased` (t depends on x)
    policies : a name of `simulation.policies.registry.policies`, and an exploration behind it
    priors : of `PRIORS`
    certificates : of `PROBABILISTIC`
    paths : S of the rank certificate of each run, and N of its simulation certificate
    seed : of the first run
    progress : called with the cell and the share that is done

    Raises InvalidInput, before anything is simulated, for fewer runs than 2, names that are not
    known or given twice, and a policy that sees f itself.
    """
    if runs < 2:
        raise InvalidInput("runs", runs, "give at least 2")
    if runs > LARGEST_SEEDS:
        raise InvalidInput("runs", runs, f"give at most {LARGEST_SEEDS}")
    checked_names(settings, "setting", SETTINGS)
    checked_names(priors, "priors", PRIORS)
    checked_names(certificates, "certificates", PROBABILISTIC)
    for policy in policies:
        if policy_named(_words(policy)[0]).sees_objective:
            raise InvalidInput(
                "policies", policy, "drop it: it sees f itself, on which no certificate conditions"
            )
    specs = {(s, p): _spec(problem, s, p, rounds) for s in settings for p in policies}
    named = [" ".join(_words(policy)) for policy in policies]
    checked_names(named, "policies", named)
    coverages: list[Coverage] = []
    cells = [(s, p, q) for s in settings for p in policies for q in priors]
    for setting in settings:
        for policy in policies:
            spec = specs[setting, policy]
            with one_blas_thread():
                truth = [spec.played(spec.policies[0], seed + i) for i in range(runs)]
            for prior in priors:
                if progress is not None:
                    done = cells.index((setting, policy, prior))
                    progress(f"{setting}, {policy}, {prior}", done / len(cells))
                coverages += _cell(spec, policy, prior, truth, certificates, paths, seed)
    return judged(coverages)


def _cell(
    spec: StudySpec,
    policy: str,
    prior: str,
    truth: list[Trajectory],
    certificates: tuple[str, ...],
    paths: int,
    seed: int,
) -> list[Coverage]:
    model = assumed(spec.problem, prior)
    after = tuple(name for name in certificates if name != "simulation")
    regrets = np.array([run.cumulative_regret[-1] for run in truth])
    certified: list[CertifiedRun] = []
    doubts = []
    factor = space_factor(model)
    for i, run in enumerate(truth):
        seen = Observed.of_run(model, run)
        doubts.append(seen.prior_fit() < _DOUBT)
        if after:
            certified.append(
                certify(seen, str(i), names=after, paths=paths, seed=seed + i, factor=factor)
            )
    doubted = float(np.mean(doubts))
    rows = []

    def counted(name: str, level: float, values: FloatArray) -> Coverage:
        covered = int(np.sum(regrets <= values))
        low, high = binomial_interval(covered, len(truth))
        ratio = float(np.mean(values) / np.mean(regrets))
        return Coverage(
            spec.setting, policy, prior, name, level, covered, len(truth), low, high, ratio, doubted
        )

    for place, name in enumerate(after):
        level = certified[0].certificates[place].level
        assert level is not None
        rows.append(
            counted(name, level, np.array([run.certificates[place].value for run in certified]))
        )
    if "simulation" in certificates:
        rows.append(_simulated(spec, model, len(truth), paths, seed, counted))
    return rows


def _simulated(
    spec: StudySpec,
    model: Problem,
    runs: int,
    paths: int,
    seed: int,
    counted: Callable[[str, float, FloatArray], Coverage],
) -> Coverage:
    """The simulation certificate, each run with simulated runs of its own."""
    believed = replace(spec, problem=model)
    # Drawn from one pool, the thresholds of all runs would err together.
    regrets = simulated_regrets(believed, spec.policies[0], runs * paths, seed=seed)
    rank = rank_of(paths, spec.problem.delta)
    thresholds = np.sort(regrets.reshape(runs, paths), axis=1)[:, rank - 1]
    return counted("simulation", rank / (paths + 1), thresholds)


def small_problem(kernel: str = "se", delta: float = 0.1) -> Problem:
    """The problem of the bundled study: 6×6 points, lengthscale 0.3, ε = 0.02, σ² = 0.01."""
    kernels: dict[str, Kernel] = {"se": SquaredExponential(0.3), "matern52": Matern(2.5, 0.3)}
    return Problem(
        EvaluationTimes.from_durations([3.0]),
        epsilon=0.02,
        space_kernel=kernels[kernel],
        domain=Grid(2, 1.0, 6),
        delta=delta,
    )


def _spec(problem: Problem, setting: str, policy: str, rounds: int) -> StudySpec:
    name, exploration = _words(policy)
    return StudySpec(
        problem,
        setting=setting,
        policies=(name,),
        seeds=1,
        initial=min(3, rounds),
        rounds=max(rounds - 3, 0),
        exploration=exploration,
    )


def _words(policy: str) -> tuple[str, str]:
    """The name of a policy and the exploration behind it."""
    name, _, exploration = policy.strip().partition(" ")
    return name, exploration.strip() or "theory"
