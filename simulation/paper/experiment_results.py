"""R_n/n of every run of the paper's experiments, in one file that comes with the package.

    python -m simulation.paper.experiment_results runs simulation/data/experiments.json --workers 2

writes it anew: Figures 1 and 2 with both exploration weights, 30 seeds. Runs that the folder holds,
of this command or of `ctv simulate --experiment figure-1,figure-2 --exploration beta,sqrt-beta
--out runs`, are read; the others are simulated (minutes).
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
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
COMMAND = (
    "python -m simulation.paper.experiment_results runs simulation/data/experiments.json "
    "--workers 2"
)
_FIGURES = {"figure-1": figure_1, "figure-2": figure_2}


@dataclass(frozen=True, eq=False)
class ExperimentResults:
    """Results as they are stored.

    Attributes
    ----------
    regrets : R_n/n over all rounds, per seed
    identities : exploration weight ↦ study ↦ digest of everything that its numbers depend on
    seeds : of the runs, in the order of the numbers
    version, command : what made them
    digest : of all of this
    """

    regrets: Regrets
    identities: Mapping[str, Mapping[str, str]]
    seeds: tuple[int, ...]
    version: str
    command: str
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


def text_of(regrets: Regrets) -> str:
    """The file: what made it, and the numbers as shortest decimals that read back the same."""
    first = next(iter(specs(WEIGHTS[0]).values()))
    body: dict[str, Any] = {
        "format": FORMAT,
        "version": version("ctv-bounds"),
        "command": COMMAND,
        "what": "R_n/n over all rounds of each run, in the order of the seeds",
        "seeds": list(first.all_seeds),
        "initial": first.initial,
        "rounds": first.rounds,
        "identities": {
            weight: {name: identity_of(spec) for name, spec in specs(weight).items()}
            for weight in WEIGHTS
        },
        "regrets": {
            weight: {
                name: {policy: list(of_one[Side(name, policy)]) for policy in spec.policies}
                for name, spec in specs(weight).items()
            }
            for weight, of_one in regrets.items()
        },
    }
    return signed(body)


def signed(body: Mapping[str, Any]) -> str:
    """A file of these keys and their digest, with every list of numbers on one line."""
    text = json.dumps({**body, "digest": digest_of(body)}, indent=1)
    return re.sub(r"\[[^][{}]*\]", lambda match: " ".join(match[0].split()), text) + "\n"


def bundled() -> Path:
    """The file that comes with the package."""
    return Path(str(files("simulation") / "data" / "experiments.json"))


def read(path: Path) -> ExperimentResults:
    """Read such a file; raises InvalidInput where it is damaged or something else."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        if body["format"] != FORMAT or body["digest"] != digest_of(body):
            raise InvalidInput("results", str(path), f"is damaged: write it anew, {COMMAND}")
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
            command=body["command"],
            digest=body["digest"],
        )
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, LookupError, TypeError) as error:
        remedy = f"cannot be read ({error}): write it anew, {COMMAND}"
        raise InvalidInput("results", str(path), remedy) from None


def write(path: Path, regrets: Regrets) -> None:
    """Write the file; raises InvalidInput where it cannot be written."""
    try:
        path.write_text(text_of(regrets), encoding="utf-8")
    except OSError as error:
        raise InvalidInput("results", str(path), str(error.strerror).lower()) from None


def digest_of(body: Mapping[str, Any]) -> str:
    """The digest of all keys but `digest`."""
    rest = {key: value for key, value in body.items() if key != "digest"}
    return digest(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode())


def main(words: Sequence[str] | None = None) -> None:
    """The command of this module."""
    parser = ArgumentParser(description="Run the paper's experiments and write R_n/n of each run.")
    parser.add_argument("runs", type=Path, help="folder of the runs")
    parser.add_argument("file", type=Path, help="the file to write")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(words)
    write(given.file, run_all(out=given.runs, workers=given.workers))


if __name__ == "__main__":
    main()
