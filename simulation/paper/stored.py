"""Finished experiments as they lie in a folder: their statistics and verdicts, nothing run.

The layout is that of `ctv simulate --experiment … --out DIR`: DIR/figure/variant/study, a variant
being one model kernel with one exploration weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.regret.regret_bound import RegretBound
from bounds.times import EvaluationTimes
from simulation.paper.experiments import FIGURES
from simulation.paper.findings import Finding, judged
from simulation.paper.sentences import Side
from simulation.study import manifest
from simulation.study.comparison import protocol_of
from simulation.study.folder import StudyFolder
from simulation.study.statistics import Estimate, estimate
from simulation.study.stored import stored_problem, stored_runs


@dataclass(frozen=True, eq=False)
class StoredExperiment:
    """One figure of the paper with one model kernel and one exploration weight.

    Attributes
    ----------
    figure : a name of `simulation.paper.experiments.FIGURES`
    variant : the name of its folder, model kernel and exploration
    seeds, initial, rounds : of every study in it
    regrets : study ↦ policy ↦ R_n/n over seeds
    findings : the sentences about it; none with one seed, and none for a figure without any
    floors : study ↦ what every policy behind its random rounds loses at least, all rounds
    """

    figure: str
    variant: str
    seeds: int
    initial: int
    rounds: int
    regrets: Mapping[str, Mapping[str, Estimate]]
    findings: tuple[Finding, ...]
    floors: Mapping[str, RegretBound]


def stored_experiments(root: Path) -> tuple[StoredExperiment, ...]:
    """Every experiment below `root`, by figure and variant.

    Raises InvalidInput where there is none, where a study lacks a run, or where the studies of one
    experiment have different seeds or rounds.
    """
    experiments = tuple(
        _read(figure, folder)
        for figure in FIGURES
        for folder in sorted(root.glob(f"{figure}/*"))
        if folder.is_dir()
    )
    if not experiments:
        raise _nothing(root)
    return experiments


def experiment_problem(root: Path) -> Problem:
    """The problem of the first study with equal times below `root`: its own times, grid and prior.

    Raises InvalidInput as `stored_experiments` does.
    """
    for figure in FIGURES:
        for folder in sorted(root.glob(f"{figure}/*")):
            for name, spec in FIGURES[figure](None).items():
                if folder.is_dir() and spec.setting == "uniform":
                    problem = stored_runs(folder / name).problem
                    source = f"{figure}, {name}"
                    times = EvaluationTimes.from_durations(problem.times.durations, source=source)
                    return replace(problem, times=times)
    raise _nothing(root)


def _nothing(root: Path) -> InvalidInput:
    wanted = "give the folder of ctv simulate --experiment … --out DIR"
    return InvalidInput("study", str(root), wanted)


def _read(figure: str, folder: Path) -> StoredExperiment:
    names = list(FIGURES[figure](None))
    lengths: set[tuple[range, int, int]] = set()
    values: dict[Side, FloatArray] = {}
    floors: dict[str, RegretBound] = {}
    for name in names:
        held, identity = StudyFolder.existing(folder / name)
        seeds = manifest.seeds_of(identity)
        lengths.add((seeds, held.initial, held.rounds - held.initial))
        for policy in manifest.policies_of(identity):
            runs = [held.read(policy, seed)[0] for seed in seeds]
            whole = [run.regret_per_round for run in runs if run is not None]
            if len(whole) < len(seeds):
                raise InvalidInput(
                    "study", str(held.root), "lacks runs: finish it with ctv simulate --experiment"
                )
            values[Side(name, policy)] = np.array(whole)
            first = next(run for run in runs if run is not None)
        moving = manifest.text(identity, "setting") != "uniform"
        at_run = stored_problem(identity, first, name)
        if floor := protocol_of(at_run, held.initial, moving=moving):
            floors[name] = floor
    if len(lengths) > 1:
        raise InvalidInput("study", str(folder), "has studies of different seeds or rounds")
    ((seeds, initial, rounds),) = lengths
    regrets: dict[str, dict[str, Estimate]] = {name: {} for name in names}
    for side, regret in values.items():
        regrets[side.study][side.policy] = estimate(regret)
    return StoredExperiment(
        figure,
        folder.name,
        len(seeds),
        initial,
        rounds,
        regrets,
        judged(values) if len(seeds) > 1 else (),
        floors,
    )
