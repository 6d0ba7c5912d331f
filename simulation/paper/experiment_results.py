"""R_n/n of every run of the paper's experiments, in one file that comes with the package.

Figures 1 and 2 with both exploration weights, 30 seeds; `benchmarks/paper_runs.py` writes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from simulation.paper.experiments import ExperimentOptions, figure_1, figure_2
from simulation.paper.sentences import Side
from simulation.study.folder import digest
from simulation.study.study import Progress, StudySpec, run_study

Regrets = Mapping[str, Mapping[Side, FloatArray]]
"""Exploration weight ↦ one policy in one study ↦ R_n/n per seed."""

WEIGHTS = ("beta", "sqrt-beta")
FORMAT = "ctv-bounds experiments 1"
REMEDY = "install ctv-bounds again, or write it anew: benchmarks/paper_runs.py"
_FIGURES = {"figure-1": figure_1, "figure-2": figure_2}


@dataclass(frozen=True, eq=False)
class ExperimentResults:
    """Results as they are stored.

    Attributes
    ----------
    regrets : R_n/n over all rounds, per seed
    identities : exploration weight ↦ study ↦ digest of everything that its numbers depend on
    seeds : of the runs, in the order of the numbers
    version : of the package that made them
    digest : of the file
    """

    regrets: Regrets
    identities: Mapping[str, Mapping[str, str]]
    seeds: tuple[int, ...]
    version: str
    digest: str


def specs(exploration: str) -> dict[str, StudySpec]:
    """The studies of Figures 1 and 2, as printed, with an exploration weight."""
    options = ExperimentOptions(exploration=exploration)
    return {name: spec for figure in _FIGURES.values() for name, spec in figure(options).items()}


def identity_of(spec: StudySpec) -> str:
    """The digest of what makes a study what it is."""
    return digest(json.dumps(spec.identity(), sort_keys=True).encode())


def run_all(
    studies: Sequence[str] | None = None,
    *,
    out: Path | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Regrets:
    """Run the named studies (all by default) with both weights, or read what `out` holds of them.

    The folders below `out` are those of `ctv simulate --experiment`. `progress` counts runs.
    """
    wanted = {
        (weight, name): spec
        for weight in WEIGHTS
        for name, spec in specs(weight).items()
        if studies is None or name in studies
    }
    total = sum(spec.seeds * len(spec.policies) for spec in wanted.values())
    results: dict[str, dict[Side, FloatArray]] = {weight: {} for weight in WEIGHTS}
    done = 0
    for (weight, name), spec in wanted.items():
        figure = next(figure for figure, make in _FIGURES.items() if name in make(None))
        folder = None if out is None else out / figure / f"matern52-{weight}" / name

        def told(count: int, _: int, message: str, before: int = done, name: str = name) -> None:
            if progress:
                progress(before + count, total, f"{name}: {message}")

        study = run_study(spec, folder, workers, told)
        done += spec.seeds * len(spec.policies)
        for policy, runs in study.trajectories.items():
            results[weight][Side(name, policy)] = np.array([run.regret_per_round for run in runs])
    return results


def run_one(spec: StudySpec, policy: str, seed: int) -> float:
    """R_n/n of one run of a study, simulated now."""
    alone = replace(spec, policies=(policy,), seeds=1, seed=seed)
    return run_study(alone).trajectories[policy][0].regret_per_round


def bundled() -> Path:
    """The file that comes with the package."""
    return Path(str(files("simulation") / "data" / "experiments.json"))


def read(path: Path) -> ExperimentResults:
    """Read such a file; raises InvalidInput where it is damaged or something else."""
    body = stored(path, FORMAT)
    return ExperimentResults(
        regrets={
            weight: {
                Side(name, policy): np.array(values, dtype=np.float64)
                for name, of_one in studies.items()
                for policy, values in of_one.items()
            }
            for weight, studies in body["regrets"].items()
        },
        identities=body["identities"],
        seeds=tuple(body["seeds"]),
        version=body["version"],
        digest=body["digest"],
    )


def stored(path: Path, known: str) -> dict[str, Any]:
    """What a file of stored runs holds, of the format `known` and with its own digest.

    Raises InvalidInput where it is damaged or something else.
    """
    try:
        body: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if body["format"] == known and body["digest"] == digest_of(body):
            return body
        fault = "is damaged"
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, LookupError, TypeError) as error:
        fault = f"cannot be read ({error})"
    raise InvalidInput("results", str(path), f"{fault}: {REMEDY}")


def digest_of(body: Mapping[str, Any]) -> str:
    """The digest of all keys but `digest`."""
    rest = {key: value for key, value in body.items() if key != "digest"}
    return digest(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode())
