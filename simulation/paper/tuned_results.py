"""The experiments with tuned hyperparameters, in one file that comes with the package.

    python -m simulation.paper.tuned_results runs simulation/data/tuned.json

writes it anew (some thirty minutes on one core): Figure 1 with each way of tuning and with the
policies of the authors' released code; runs of 300 rounds after 5 random ones, as long as those
that the authors published, with fixed and with tuned hyperparameters and with less and less
exploration; and the setting of the released code. Runs that the folder holds are read.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from simulation.paper.experiment_results import digest_of, identity_of, signed
from simulation.paper.experiments import (
    RELEASED_POLICIES,
    ExperimentOptions,
    figure_1,
    figure_released,
)
from simulation.paper.findings import Finding, judged
from simulation.paper.sentences import FIGURE_1 as ALL_SETTINGS
from simulation.paper.sentences import Side
from simulation.policies.readings import Readings, Tuning
from simulation.study.study import Progress, StudySpec, run_study

FORMAT = "ctv-bounds tuned experiments 1"
COMMAND = "python -m simulation.paper.tuned_results runs simulation/data/tuned.json"

Horizon = Literal["figure-1", "published", "released"]

WEIGHTS: Mapping[str, tuple[str, float]] = {
    "beta": ("beta", 0.8),
    "sqrt-beta": ("sqrt-beta", 0.8),
    "beta/16": ("beta", 0.05),
    "released": ("beta", 0.8),
}
"""Weight of σ ↦ exploration and c₁; `released` is that of the policies as released."""

FIGURE_1: Mapping[tuple[Tuning, str], tuple[str, ...]] = {
    ("likelihood", "beta"): ALL_SETTINGS,
    ("posterior", "beta"): ("se-uniform", "se-biased"),
    ("cross-validation", "beta"): ALL_SETTINGS,
    ("none", "released"): ALL_SETTINGS,
}
"""Ways of tuning and weights with which Figure 1 is run again ↦ settings: by posterior draws,
the dearest, with the squared exponential alone."""

PUBLISHED: tuple[tuple[Tuning, str], ...] = (
    ("none", "beta"),
    ("likelihood", "beta"),
    ("none", "sqrt-beta"),
    ("likelihood", "sqrt-beta"),
    ("none", "beta/16"),
    ("likelihood", "beta/16"),
)
"""The same for runs as long as the published ones; equal times, squared exponential."""

PUBLISHED_SOURCE = "HideakiImamura/TimeVaryingGPBO, experiments/graph_writer.ipynb"
"""Where the authors' runs of 300 rounds can be read."""

PUBLISHED_ENDS: Mapping[str, Mapping[str, float]] = {
    "se-uniform": {"gp-ucb": 2.73, "tv": 2.18, "ctv": 1.51, "ctv-simple": 1.46},
    "se-biased": {"gp-ucb": 3.18, "tv": 2.59, "ctv": 1.44, "ctv-simple": 1.57},
}
"""R_n/n at n = 300 there. How many runs, and on which objectives, is not said."""

_CURVE = (10, 30, 50, 100, 150, 200, 300)
_LONG = ("gp-ucb", "tv", "ctv", "ctv-simple")


@dataclass(frozen=True, eq=False)
class TunedStudy:
    """R_n/n of the runs of one study.

    Attributes
    ----------
    horizon : `figure-1` (30 random rounds and 100), `published` (5 and 295) or `released` (10 and
        290)
    tune : how hyperparameters are found, see `simulation.policies.readings.Readings`
    weight : of σ, a key of `WEIGHTS`
    study : name of the setting
    identity : digest of everything that the numbers depend on
    seeds : of the runs
    rounds : n
    regrets : policy ↦ (seeds, rounds) R_n/n
    """

    horizon: Horizon
    tune: Tuning
    weight: str
    study: str
    identity: str
    seeds: tuple[int, ...]
    rounds: tuple[int, ...]
    regrets: Mapping[str, FloatArray]


def planned() -> dict[tuple[Horizon, Tuning, str, str], StudySpec]:
    """Every study of the file by horizon, tuning, weight and setting."""
    specs: dict[tuple[Horizon, Tuning, str, str], StudySpec] = {}
    for tune, weight in PUBLISHED:
        settings = ("se-uniform", "se-biased") if weight == "beta" else ("se-uniform",)
        every = figure_1(_options(tune, weight, seeds=5, initial=5, rounds=295))
        for name in settings if tune in ("none", "likelihood") else settings[:1]:
            specs["published", tune, weight, name] = replace(every[name], policies=_LONG)
    for (tune, weight), names in FIGURE_1.items():
        released = weight == "released"
        every = figure_1(_options(tune, weight, seeds=30 if released else 10))
        for name in names:
            spec = every[name]
            if released:
                spec = replace(spec, policies=RELEASED_POLICIES)
            specs["figure-1", tune, weight, name] = spec
    options = _options("none", "released", seeds=24, initial=10, rounds=290)
    for name, spec in figure_released(options).items():
        specs["released", "none", "released", name] = spec
    return specs


def _options(
    tune: Tuning,
    weight: str,
    *,
    seeds: int,
    initial: int = 30,
    rounds: int = 100,
) -> ExperimentOptions:
    exploration, c1 = WEIGHTS[weight]
    return ExperimentOptions(
        exploration=exploration,
        seeds=seeds,
        initial=initial,
        rounds=rounds,
        readings=Readings(tune=tune, c1=c1, refit_every=10),
    )


def run_all(
    out: Path | None = None,
    *,
    workers: int = 1,
    only: Sequence[tuple[Horizon, Tuning, str, str]] | None = None,
    progress: Progress | None = None,
) -> tuple[TunedStudy, ...]:
    """Run the studies (all by default), or read what `out` holds of them."""
    results = []
    for key, spec in planned().items():
        if only is not None and key not in only:
            continue
        folder = None if out is None else out / "-".join(key).replace("/", "-")
        study = run_study(spec, folder, workers, progress)
        rounds = (*(n for n in _CURVE if n < spec.total_rounds), spec.total_rounds)
        regrets = {
            policy: np.array([[run.cumulative_regret[n - 1] / n for n in rounds] for run in runs])
            for policy, runs in study.trajectories.items()
        }
        identity = identity_of(spec)
        results.append(TunedStudy(*key, identity, tuple(spec.all_seeds), rounds, regrets))
    return tuple(results)


def tuned_findings(studies: Sequence[TunedStudy], tune: Tuning, weight: str) -> tuple[Finding, ...]:
    """The sentences about Figure 1, judged by the runs that were tuned in one way."""
    return judged(
        {
            Side(one.study, policy.removesuffix("-as-released")): values[:, -1]
            for one in studies
            if (one.horizon, one.tune, one.weight) == ("figure-1", tune, weight)
            for policy, values in one.regrets.items()
        }
    )


def text_of(studies: Sequence[TunedStudy]) -> str:
    """The file: what made it, and the numbers as shortest decimals that read back the same."""
    rows = [
        {
            "horizon": one.horizon,
            "tune": one.tune,
            "weight": one.weight,
            "study": one.study,
            "identity": one.identity,
            "seeds": list(one.seeds),
            "rounds": list(one.rounds),
            "regrets": {name: values.tolist() for name, values in one.regrets.items()},
        }
        for one in studies
    ]
    return signed(
        {
            "format": FORMAT,
            "version": version("ctv-bounds"),
            "command": COMMAND,
            "what": "R_n/n of each run (a row a seed) at the rounds named",
            "studies": rows,
        }
    )


def bundled() -> Path:
    """The file that comes with the package."""
    return Path(str(files("simulation") / "data" / "tuned.json"))


def read(path: Path) -> tuple[TunedStudy, ...]:
    """Read such a file; raises InvalidInput where it is damaged or something else."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        if body["format"] != FORMAT or body["digest"] != digest_of(body):
            raise InvalidInput("results", str(path), f"is damaged: write it anew, {COMMAND}")
        return tuple(_study(row) for row in body["studies"])
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, LookupError, TypeError) as error:
        remedy = f"cannot be read ({error}): write it anew, {COMMAND}"
        raise InvalidInput("results", str(path), remedy) from None


def _study(row: Mapping[str, Any]) -> TunedStudy:
    regrets = {name: np.array(values, dtype=float) for name, values in row["regrets"].items()}
    plain = {name: row[name] for name in ("horizon", "tune", "weight", "study", "identity")}
    return TunedStudy(
        **plain, seeds=tuple(row["seeds"]), rounds=tuple(row["rounds"]), regrets=regrets
    )


def main(words: Sequence[str] | None = None) -> None:
    """The command of this module."""
    parser = ArgumentParser(description="Run the experiments with tuned hyperparameters.")
    parser.add_argument("runs", type=Path, help="folder of the runs")
    parser.add_argument("file", type=Path, help="the file to write")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(words)
    given.file.write_text(text_of(run_all(given.runs, workers=given.workers)), encoding="utf-8")


if __name__ == "__main__":
    main()
