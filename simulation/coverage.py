"""How often certificates cover the truth: over settings, policies and wrong priors.

Runs are simulated under one prior and certified under another, the *assumed* one: the same, or with
another forgetting rate, lengthscale or noise. Each count is binomial, so its interval is exact
(Clopper and Pearson).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special
from threadpoolctl import threadpool_limits

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.certificates import certify, grid_factor
from simulation.manifest import LARGEST_SEEDS
from simulation.observed import Observed
from simulation.regret_certificate import rank_of
from simulation.run import Trajectory, simulate
from simulation.simulation_certificate import simulated_regrets
from simulation.study import StudySpec

FloatArray = NDArray[np.float64]
Progress = Callable[[str, float], None]

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
_DOUBT = 0.01
_POOL = 200


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

    @property
    def broken(self) -> bool:
        """Whether the whole interval is below the level claimed."""
        return self.high < self.level


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
    return replace(problem, space_kernel=_stretched(problem.space_kernel, factor))


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
    progress: Progress | None = None,
) -> tuple[Coverage, ...]:
    """Count how often each certificate is at least the regret.

    Parameters
    ----------
    problem : the truth; its times do not matter (3 a round, or the paper's t(x))
    runs : simulated runs of each setting and policy; every prior and certificate sees the same
    rounds : n, of which the first three are random
    settings : `uniform` (fixed times) and `biased` (t depends on x)
    policies : a name of `simulation.policies`, and an exploration behind it
    priors : of `PRIORS`
    certificates : of `PROBABILISTIC`
    paths : S of the rank certificate, and the least N of the simulation certificate
    seed : of the first run
    progress : called with the cell and the share that is done

    Raises InvalidInput for fewer runs than 2 and names that are not known.
    """
    if runs < 2:
        raise InvalidInput("runs", runs, "give at least 2")
    if runs > LARGEST_SEEDS:
        raise InvalidInput("runs", runs, f"give at most {LARGEST_SEEDS}")
    for name in certificates:
        if name not in PROBABILISTIC:
            raise InvalidInput("certificates", name, f"use {', '.join(PROBABILISTIC)}")
    found: list[Coverage] = []
    cells = [(s, p, q) for s in settings for p in policies for q in priors]
    for setting in settings:
        for policy in policies:
            spec = _spec(problem, setting, policy, rounds)
            with threadpool_limits(1, user_api="blas"):
                truth = [_run(spec, seed + i) for i in range(runs)]
            for prior in priors:
                if progress is not None:
                    done = cells.index((setting, policy, prior))
                    progress(f"{setting}, {policy}, {prior}", done / len(cells))
                found += _cell(spec, policy, prior, truth, certificates, paths, seed)
    return tuple(found)


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
    names, factor = after or ("rank",), grid_factor(Observed.of_run(model, truth[0]))
    found = [
        certify(
            Observed.of_run(model, run), str(i), names=names, paths=paths, seed=seed + i,
            factor=factor,
        )
        for i, run in enumerate(truth)
    ]  # fmt: skip
    doubted = float(np.mean([run.fit < _DOUBT for run in found]))
    rows = []

    def counted(name: str, level: float, values: FloatArray) -> Coverage:
        covered = int(np.sum(regrets <= values))
        low, high = binomial_interval(covered, len(truth))
        ratio = float(np.mean(values) / np.mean(regrets))
        return Coverage(
            spec.setting, policy, prior, name, level, covered, len(truth), low, high, ratio, doubted
        )

    for place, name in enumerate(after):
        level = found[0].certificates[place].level
        assert level is not None
        rows.append(
            counted(name, level, np.array([run.certificates[place].value for run in found]))
        )
    if "simulation" in certificates:
        rows.append(_simulated(spec, model, policy, len(truth), paths, seed, counted))
    return rows


def _simulated(
    spec: StudySpec,
    model: Problem,
    policy: str,
    runs: int,
    paths: int,
    seed: int,
    counted: Callable[[str, float, FloatArray], Coverage],
) -> Coverage:
    """The simulation certificate, each run with simulations of its own out of one pool."""
    name = policy.split()[0]
    believed = replace(spec, problem=model)
    pool = simulated_regrets(believed, name, max(_POOL, paths), seed=seed)
    rng = np.random.default_rng(np.random.SeedSequence([seed, runs], spawn_key=(6,)))
    drawn = np.array([rng.choice(pool, size=paths, replace=False) for _ in range(runs)])
    rank = rank_of(paths, spec.problem.delta)
    return counted("simulation", rank / (paths + 1), np.sort(drawn, axis=1)[:, rank - 1])


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


def _stretched(kernel: Kernel, factor: float) -> Kernel:
    if isinstance(kernel, Matern):
        return Matern(kernel.nu, kernel.lengthscale * factor)
    assert isinstance(kernel, SquaredExponential)
    return SquaredExponential(kernel.lengthscale * factor)


def _spec(problem: Problem, setting: str, policy: str, rounds: int) -> StudySpec:
    name, _, exploration = policy.partition(" ")
    return StudySpec(
        problem,
        setting=setting,
        policies=(name,),
        seeds=1,
        initial=min(3, rounds),
        rounds=max(rounds - 3, 0),
        exploration=exploration or "theory",
    )


def _run(spec: StudySpec, seed: int) -> Trajectory:
    return simulate(
        spec.problem,
        spec.durations,
        spec.policies[0],
        seed=seed,
        initial=spec.initial,
        rounds=spec.rounds,
        exploration=spec.exploration,
    )
