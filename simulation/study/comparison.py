"""Theory beside practice: every run of a study against the bounds that hold at its times.

The gain of a run is ½ log det(I + K̃/σ²) of its points and times; an upper bound on γ̃_n at those
times covers every policy. A bound on regret covers CTV-fixed with UCB, exploration `theory` and
the true model, with probability ≥ 1 − δ: by the theorem where times are fixed, and by Theorem C
(another β_n, and C₁ larger by 2.352) where they are t(x). Everything else is an observation.

The initial rounds are no choices of the policy: regret is that of its own rounds. The bounds hold
for these too, with their number in place of n outside γ̃_n.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from bounds.confidence.point_times import CONSTANT_FACTOR, REGRET_PER_DEVIATION
from bounds.confidence.schedules import regret_from_gain
from bounds.gain.ladder import RunSummary
from bounds.gain.report import bound_report
from bounds.problem import Problem
from bounds.regret.lower.rank import floor_after, protocol_floor
from bounds.regret.regret_bound import RegretBound
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from simulation.policies.registry import policies, policy_named
from simulation.runs.run import Trajectory
from simulation.study.statistics import estimate
from simulation.study.study import Progress, Study, StudySpec
from simulation.world.evaluation_time import EvaluationTime, PointDurations, betas

FIXED_TIMES = "fixed times"
POINT_TIMES = "t(x)"
DEVIATIONS = "deviations"
_ROUNDING = 1.0 + 1e-9


@dataclass(frozen=True, eq=False)
class RunComparison:
    """One run against the bounds at its times.

    Attributes
    ----------
    policy, seed : of the run
    gain : ½ log det of the run, in nats
    gain_bounds : valid upper bounds on γ̃_n at the run's times, by name
    regret : of the policy's own rounds
    regret_bounds : by the names of the gain bounds; and `deviations`, what the confidence event
        alone says of this run, 2√β_n Σσ_{i−1}(x_i,τ_i) (3.067 for t(x)), which needs no γ̃_n
    """

    policy: str
    seed: int
    gain: float
    gain_bounds: Mapping[str, float]
    regret: float
    regret_bounds: Mapping[str, float]

    @property
    def gain_above(self) -> tuple[str, ...]:
        """The gain bounds that this run exceeds: a defect, wherever there is one."""
        return tuple(k for k, v in self.gain_bounds.items() if self.gain > v * _ROUNDING)

    @property
    def regret_above(self) -> tuple[str, ...]:
        """The regret bounds that this run exceeds."""
        return tuple(k for k, v in self.regret_bounds.items() if self.regret > v * _ROUNDING)


@dataclass(frozen=True, eq=False)
class StudyComparison:
    """All runs of a study.

    Attributes
    ----------
    setting : `fixed times` (the theorem's) or `t(x)` (the experiments')
    beta : β_n of the setting
    delta : the probability with which a regret bound may fail
    covered : policy ↦ whether the regret bounds cover it
    observation : policy ↦ why not; empty where they do
    runs : in the order of the study
    floor : under the mean regret of the own rounds of every policy that sees f through its
        observations; None for t(x)
    protocol : under the mean regret of all rounds, the random ones at the start included, which
        are all that counts for t(x); None where there are none
    """

    setting: str
    beta: float
    delta: float
    covered: Mapping[str, bool]
    observation: Mapping[str, str]
    runs: tuple[RunComparison, ...]
    floor: RegretBound | None = None
    protocol: RegretBound | None = None

    def of(self, policy: str) -> tuple[RunComparison, ...]:
        """The runs of one policy."""
        return tuple(run for run in self.runs if run.policy == policy)

    def gain_within_bound(self, policy: str) -> bool:
        """Whether no run exceeds any gain bound."""
        return not any(run.gain_above for run in self.of(policy))

    def regret_within_bound(self, policy: str) -> bool:
        """Whether no run exceeds any regret bound."""
        return not any(run.regret_above for run in self.of(policy))

    def above_floor(self, policy: str) -> bool | None:
        """Whether the mean regret is at least the floor, or below it by no more than chance.

        By the 95 % interval over seeds. None where no floor covers the policy: for t(x), for one
        that sees f itself, and for one run below it, which says nothing of a mean.
        """
        if self.floor is None or policy_named(policy).sees_objective:
            return None
        regrets = np.array([run.regret for run in self.of(policy)])
        if regrets.mean() >= self.floor.value:
            return True
        return None if len(regrets) < 2 else estimate(regrets).ci_high >= self.floor.value

    def share_above(self, policy: str) -> dict[str, float]:
        """By regret bound, the share of runs above it; where covered it is to be ≤ δ."""
        runs = self.of(policy)
        names = runs[0].regret_bounds
        return {n: sum(n in run.regret_above for run in runs) / len(runs) for n in names}


def compare_with_bounds(
    study: Study, gamma: ArrayLike | None = None, progress: Progress | None = None
) -> StudyComparison:
    """Compare every run with the bounds at its own times.

    Parameters
    ----------
    study : a finished study
    gamma : (≥ n+1,) upper bounds on γ_0..γ_n of the true kernel; computed where not given
    progress : called as progress(done, total, message)

    Cost: one gain curve, and the partition searches once per sequence of times: for fixed times
    once, for t(x) once a run.
    """
    spec = study.spec
    n = spec.total_rounds
    problem = spec.problem
    if gamma is None:
        gamma = space_gain_upper(
            problem.space_kernel, problem.domain, problem.noise_variance, n
        ).values
    moving = isinstance(spec.durations, PointDurations)
    beta = float(betas(problem, spec.durations, n))
    reasons = {policy: why_not_covered(spec, policy) for policy in study.trajectories}
    known: dict[bytes, dict[str, float]] = {}
    runs = [run for per_policy in study.trajectories.values() for run in per_policy]
    compared = []
    for done, run in enumerate(runs):
        key = run.durations.tobytes()
        if key not in known:
            report = bound_report(replace(problem, times=run_times(run)), gamma, 0.0)
            known[key] = {b.name: b.value for b in report.gains.values() if b.valid}
        compared.append(_against(run, known[key], beta, moving=moving))
        if progress is not None:
            progress(done + 1, len(runs), f"bounds for {run.policy} seed {run.seed}")
    first = replace(problem, times=run_times(runs[0]))
    return StudyComparison(
        POINT_TIMES if moving else FIXED_TIMES,
        beta,
        problem.delta,
        {policy: not reason for policy, reason in reasons.items()},
        reasons,
        tuple(compared),
        None if moving else floor_after(first, runs[0].initial),
        protocol_of(first, spec.initial, moving=moving),
    )


def run_times(run: Trajectory) -> EvaluationTimes:
    """The times of a run."""
    return EvaluationTimes.from_durations(run.durations, source="the run")


def protocol_of(problem: Problem, initial: int, *, moving: bool) -> RegretBound | None:
    """Under the mean regret of all rounds of every policy behind so many random ones.

    problem : at the times of a run; with times t(x), `moving`, the random rounds alone count.
    None without random rounds.
    """
    if not initial:
        return None
    if moving:
        problem = replace(problem, times=problem.times.block(0, initial))
    return protocol_floor(problem, initial)


def why_not_covered(spec: StudySpec, policy: str) -> str:
    """The hypothesis of the regret bounds that this policy in this study fails; empty if none.

    Theorem C asks for a Markov time kernel, without which there is no study with t(x).
    """
    if not policy_named(policy).covered_by:
        covered = " and ".join(one.title for one in policies().values() if one.covered_by)
        return f"the bounds on regret are for {covered}"
    if spec.acquisition != "ucb":
        return "the bounds on regret are for UCB"
    if spec.exploration != "theory":
        return "the exploration weight is not that of a theorem"
    if spec.model_kernel not in (None, spec.problem.space_kernel):
        return "the model is not the truth"
    if spec.readings.time_noise_variance:
        return "the measured times are noisy"
    if not spec.readings.hold_the_truth:
        return "the hyperparameters are tuned"
    return ""


@dataclass(frozen=True)
class RunSetting:
    """The constants under which a run's bounds hold.

    Attributes
    ----------
    times : `fixed times` (the theorem's) or `t(x)` (Theorem C's)
    beta : β_n at the last round
    constant_factor : by which C₁ grows, 1 or 2.352
    """

    times: str
    beta: float
    constant_factor: float


def run_summary(
    problem: Problem, run: Trajectory, times: EvaluationTime, *, covered: bool
) -> tuple[RunSummary, RunSetting]:
    """What the ladder needs of a run: sums over the policy's own rounds, those after the initial.

    Σ c√β_i σ_{i−1}(x_i,τ_i) with β_i of each round: c = 2 where times are fixed, 3.067 for t(x).
    `covered` says whether a theorem covers the policy (see `why_not_covered`).
    """
    beta, moving = betas(problem, times, np.arange(1, run.n + 1)), isinstance(times, PointDurations)
    own = slice(run.initial, None)
    gains = 0.5 * np.log1p(run.deviations**2 / run.noise_variance)
    deviations = float(np.sum(np.sqrt(beta[own]) * run.deviations[own]))
    summary = RunSummary(
        regret=float(run.regrets[own].sum()),
        deviations=(REGRET_PER_DEVIATION if moving else 2.0) * deviations,
        gain=float(gains[own].sum()),
        full_gain=float(gains.sum()),
        rounds=run.n - run.initial,
        covered=covered,
    )
    names, factor = (POINT_TIMES, CONSTANT_FACTOR) if moving else (FIXED_TIMES, 1.0)
    return summary, RunSetting(names, float(beta[-1]), factor)


def _against(
    run: Trajectory, gain_bounds: Mapping[str, float], beta: float, *, moving: bool
) -> RunComparison:
    own = slice(run.initial, None)
    count = run.n - run.initial
    factor = sqrt(CONSTANT_FACTOR) if moving else 1.0
    per_deviation = REGRET_PER_DEVIATION if moving else 2.0
    regret_bounds = {
        name: factor * regret_from_gain(count, beta, value, run.noise_variance)
        for name, value in gain_bounds.items()
    }
    deviations = per_deviation * sqrt(beta) * float(np.sum(run.deviations[own]))
    return RunComparison(
        policy=run.policy,
        seed=run.seed,
        gain=float(run.cumulative_gain[-1]),
        gain_bounds=gain_bounds,
        regret=float(np.sum(run.regrets[own])),
        regret_bounds=regret_bounds | {DEVIATIONS: deviations},
    )
