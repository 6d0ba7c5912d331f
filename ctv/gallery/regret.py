"""What the regret figures need from studies: running means, spreads, differences, a caption."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.regret.lower.rank import floor_of_rounds
from ctv.figures.runs.regret import RegretPanel
from simulation.policies.registry import policy_named
from simulation.study.comparison import run_times
from simulation.study.statistics import estimate, reference_policy
from simulation.study.study import Study, StudySpec
from simulation.world.evaluation_time import PointDurations


def regret_panel(study: Study, title: str) -> RegretPanel:
    """R_m/m over the rounds of a study, from the last random round on, and paired differences."""
    first = max(study.spec.initial, 1)
    rounds = np.arange(first, study.spec.total_rounds + 1)
    running = {
        policy: np.array([run.cumulative_regret[first - 1 :] for run in runs]) / rounds
        for policy, runs in study.trajectories.items()
    }
    compared = reference_policy(running)
    spread = 1 if study.spec.seeds > 1 else 0
    return RegretPanel(
        title=title,
        rounds=rounds,
        mean={policy: values.mean(axis=0) for policy, values in running.items()},
        sd={policy: values.std(axis=0, ddof=spread) for policy, values in running.items()},
        seeds=study.spec.seeds,
        reference=compared,
        differences={
            policy: estimate(values[:, -1] - running[compared][:, -1])
            for policy, values in running.items()
            if policy != compared and study.spec.seeds > 1
        },
        floor=_floor(study, rounds),
    )


def _floor(study: Study, rounds: NDArray[np.int64]) -> FloatArray | None:
    """What every policy behind the random rounds loses at least, a round, at these rounds."""
    spec = study.spec
    if not spec.initial:
        return None
    problem = replace(spec.problem, times=run_times(next(iter(study.trajectories.values()))[0]))
    moving = isinstance(spec.durations, PointDurations)
    if moving:  # of t(x) the random rounds alone are known to cost anything
        problem = replace(problem, times=problem.times.block(0, spec.initial))
    least = np.asarray(floor_of_rounds(problem, spec.initial), dtype=float)
    return np.asarray(least[np.minimum(rounds, len(least)) - 1] / rounds)


def check_drawable(spec: StudySpec) -> None:
    """Raise InvalidInput unless a curve of `regret_panel` would have two rounds."""
    least = 1 if spec.initial else 2
    if spec.rounds < least:
        raise InvalidInput("rounds", spec.rounds, f"a curve needs two points: give {least} or more")


def regret_caption(spec: StudySpec) -> str:
    """What is to be said below the panels of studies that share this specification."""
    said = "One run"
    if spec.seeds > 1:
        said = f"Mean and standard deviation (bands, one where they coincide) of {spec.seeds} runs"
    if spec.initial:
        first = "round is" if spec.initial == 1 else f"{spec.initial} rounds are"
        said += f"; the first {first} random"
        said += ". Dotted: lower bound on the expected regret of any policy behind them"
    without = [name for name in spec.policies if not policy_named(name).has_model]
    every = f"Every policy but {' and '.join(without)}" if without else "Every policy"
    said += (
        f". {every} models $f$ with {_kernel(spec.model_kernel)} and maximises {_criterion(spec)}"
    )
    if spec.seeds > 1:
        said += (
            f"; below, paired differences after $n={spec.total_rounds}$ rounds with 95 % intervals"
        )
    return said + "."


def _kernel(kernel: Kernel | None) -> str:
    """A kernel in words; None is that of the objective."""
    return "the kernel of the objective" if kernel is None else f"the {kernel.title} kernel"


def _criterion(spec: StudySpec) -> str:
    """The acquisition function, with the weight of the deviation as a formula."""
    if spec.acquisition == "ei":
        return "expected improvement"
    weight = rf"{spec.readings.c1:g}\log({spec.readings.c2:g}m)"
    weights = {"beta": weight, "sqrt-beta": rf"\sqrt{{{weight}}}", "theory": r"\sqrt{\beta_m}"}
    return rf"$\mu+w\sigma$ with $w={weights[spec.exploration]}$"
