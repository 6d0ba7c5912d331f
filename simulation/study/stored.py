"""A study from its folder: what it was, rebuilt from the manifest, and its finished runs."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.runs.run import Trajectory
from simulation.study import manifest
from simulation.study.folder import StudyFolder, digest
from simulation.study.study import Cell, StudySpec

_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class StoredStudy:
    """The finished runs of a study's folder, or of one of its files.

    Attributes
    ----------
    problem : with the times of the first run; every run has its own
    identity : what the study is, see `StudySpec.identity`
    runs : at least one, policy by policy
    missing : the cells without a file, and those whose file is damaged
    """

    problem: Problem
    identity: manifest.Identity
    runs: tuple[Trajectory, ...]
    missing: tuple[Cell, ...]

    def lacking(self, policies: Container[str]) -> str:
        """A warning of missing and damaged runs of these policies; empty where there are none."""
        lost = [f"{policy}-{seed}" for policy, seed in self.missing if policy in policies]
        if not lost:
            return ""
        total = len(lost) + sum(run.policy in policies for run in self.runs)
        shown = ", ".join(lost[:_MOST_NAMED]) + (" …" if len(lost) > _MOST_NAMED else "")
        return (
            f"{len(lost)} of {total} runs are missing or damaged ({shown}) and left out: run the "
            "same ctv simulate --out DIR again, which makes only those anew"
        )


def stored_runs(place: Path) -> StoredStudy:
    """The study in a folder, or one file of it.

    Raises InvalidInput unless there is a run with its observations.
    """
    file = place if place.suffix == ".npz" else None
    folder, identity = StudyFolder.existing(place if file is None else place.parent)
    seeds = manifest.seeds_of(identity)
    cells = [(policy, seed) for policy in manifest.policies_of(identity) for seed in seeds]
    if file is not None:
        cells = [cell for cell in cells if folder.path(*cell).name == file.name]
        if not cells:
            raise InvalidInput("run", str(file), "the study beside it has no such run")
    runs_by_cell = {cell: folder.read(*cell)[0] for cell in cells}
    runs = tuple(run for run in runs_by_cell.values() if run is not None)
    if not runs:
        raise InvalidInput(
            "study", str(place), "no run with its observations is stored: finish it with simulate"
        )
    missing = tuple(cell for cell, run in runs_by_cell.items() if run is None)
    return StoredStudy(stored_problem(identity, runs[0], place.name), identity, runs, missing)


def stored_problem(identity: manifest.Identity, run: Trajectory, source: str) -> Problem:
    """The problem of a study at the times of one of its runs."""
    return Problem(
        EvaluationTimes.from_durations(run.durations, source=source),
        epsilon=manifest.number(identity, "epsilon"),
        time_kernel=manifest.kernel(identity, "time_kernel"),
        space_kernel=manifest.kernel(identity, "space_kernel"),
        noise_variance=manifest.number(identity, "noise_variance"),
        domain=manifest.domain(identity),
        delta=manifest.number(identity, "delta"),
    )


def stored_spec(study: StoredStudy, run: Trajectory) -> StudySpec:
    """The study again, to simulate more runs of it.

    Raises InvalidInput for times by regression on inputs, which the folder does not hold.
    """
    problem, identity = study.problem, study.identity
    setting = manifest.text(identity, "setting")
    model = manifest.kernel(identity, "model_kernel")
    if setting == "csv":
        measured = identity.get("measured")
        # Durations in their order are those that every run had; with inputs they were t(x).
        if not isinstance(measured, list) or measured[1:] != [digest(np.zeros(0).tobytes())]:
            raise InvalidInput("study", setting, "its t(x) came from inputs that it does not hold")
        fixed = EvaluationTimes.from_durations(run.durations, source="the study")
        problem = replace(problem, times=fixed)
    return StudySpec(
        problem,
        setting=setting,
        policies=(run.policy,),
        seeds=1,
        initial=manifest.whole(identity, "initial"),
        rounds=manifest.whole(identity, "rounds"),
        acquisition=manifest.text(identity, "acquisition"),
        exploration=manifest.text(identity, "exploration"),
        model_kernel=None if model == problem.space_kernel else model,
        readings=manifest.readings(identity),
        evaluation_time=(
            manifest.number(identity, "evaluation_time") if setting == "uniform" else 0.0
        ),
    )
