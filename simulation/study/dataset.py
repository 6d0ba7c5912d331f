"""A study as one labelled xarray Dataset, with named dimensions and units."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from simulation.runs.run import Trajectory
from simulation.study import manifest
from simulation.study.folder import StudyFolder
from simulation.study.study import Study

if TYPE_CHECKING:
    import xarray

_VARIABLES = {
    "points": ("x_i, index into the grid", "1"),
    "durations": ("evaluation time t_i", "time"),
    "measured_durations": ("evaluation time as the policy was told", "time"),
    "times": ("time of observation tau_i", "time"),
    "observations": ("y_i = f(x_i, tau_i) + noise", "prior standard deviations of f"),
    "values": ("f(x_i, tau_i)", "prior standard deviations of f"),
    "best_values": ("max over the grid of f(x, tau_i)", "prior standard deviations of f"),
    "deviations": ("sigma_{i-1}(x_i, tau_i), true model", "prior standard deviations of f"),
    "regrets": ("best value minus value", "prior standard deviations of f"),
    "cumulative_regret": ("R_i", "prior standard deviations of f"),
    "cumulative_gain": ("half the log det of the first i rounds, true model", "nats"),
}


def dataset(study: Study) -> xarray.Dataset:
    """Every array of every run, over the dimensions policy, seed and round (from 1).

    The attributes hold what the study is (`StudySpec.identity`): numbers and text as they are,
    anything else (a list, or null where nothing is) as JSON.

    >>> from bounds.domain import Grid
    >>> from bounds.problem import Problem
    >>> from bounds.times import EvaluationTimes
    >>> from simulation.study.study import StudySpec, run_study
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 4))
    >>> labelled = dataset(run_study(StudySpec(problem, seeds=2, initial=3, rounds=2)))
    >>> dict(labelled.sizes)
    {'policy': 2, 'seed': 2, 'round': 5}
    """
    spec = study.spec
    runs = {(run.policy, run.seed): run for runs in study.trajectories.values() for run in runs}
    return _labelled(
        runs, list(spec.policies), list(spec.all_seeds), spec.total_rounds, spec.identity()
    )


def open_dataset(folder: Path) -> xarray.Dataset:
    """The same from the folder of a study, finished or not.

    The arrays of cells that are missing or damaged are NaN (−1 for `points`); the attribute
    `missing` counts them. Raises InvalidInput unless the folder holds a study.
    """
    held, identity = StudyFolder.existing(folder)
    policies, seeds = manifest.policies_of(identity), list(manifest.seeds_of(identity))
    read = {(p, s): held.read(p, s)[0] for p in policies for s in seeds}
    runs = {cell: run for cell, run in read.items() if run is not None}
    missing = len(read) - len(runs)
    return _labelled(runs, policies, seeds, held.rounds, identity | {"missing": missing})


def _labelled(
    runs: Mapping[tuple[str, int], Trajectory],
    policies: list[str],
    seeds: list[int],
    rounds: int,
    identity: Mapping[str, object],
) -> xarray.Dataset:
    # Imported here: it takes longer to load than a study of a few cells takes to run.
    try:
        import xarray
    except ImportError:
        raise ImportError("labelled datasets need xarray: install ctv-bounds[data]") from None

    def stacked(name: str) -> NDArray[np.generic]:
        nothing = np.full(rounds, -1 if name == "points" else np.nan)
        rows = [
            [getattr(runs[p, s], name) if (p, s) in runs else nothing for s in seeds]
            for p in policies
        ]
        return np.array(rows, dtype=np.int64 if name == "points" else np.float64)

    dimensions = ("policy", "seed", "round")
    numbers = np.arange(1, rounds + 1)
    return xarray.Dataset(
        {
            name: (dimensions, stacked(name), {"long_name": meaning, "units": unit})
            for name, (meaning, unit) in _VARIABLES.items()
        },
        coords={
            "policy": policies,
            "seed": seeds,
            "round": ("round", numbers, {"long_name": "round, from 1"}),
        },
        attrs={
            key: value if isinstance(value, int | float | str) else json.dumps(value)
            for key, value in identity.items()
        },
    )
