"""The stored runs of the paper's experiments, simulated anew.

    python benchmarks/paper_runs.py experiments runs --workers 2
    python benchmarks/paper_runs.py tuned runs

write `simulation/data/experiments.json` (minutes) and `simulation/data/tuned.json` (half an hour on
one core). What the folder `runs` holds of them is read: `ctv simulate --experiment
figure-1,figure-2 --exploration beta,sqrt-beta --out runs` has the layout of the first.
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from simulation.paper import experiment_results as experiments
from simulation.paper import tuned_results as tuned
from simulation.paper.experiments import (
    RELEASED_POLICIES,
    ExperimentOptions,
    figure_1,
    figure_released,
)
from simulation.paper.sentences import Side
from simulation.policies.readings import Readings, Tuning
from simulation.study.study import StudySpec, run_study

Key = tuple[str, Tuning, str, str]
"""Horizon, tuning, weight and setting."""

WEIGHTS: Mapping[str, tuple[str, float]] = {
    "beta": ("beta", 0.8),
    "sqrt-beta": ("sqrt-beta", 0.8),
    "beta/16": ("beta", 0.05),
    "released": ("beta", 0.8),
}
"""Weight of σ ↦ exploration and c₁; `released` is that of the policies as released."""

_CURVE = (10, 30, 50, 100, 150, 200, 300)
_LONG = ("gp-ucb", "tv", "ctv", "ctv-simple")


def experiments_text(regrets: experiments.Regrets) -> str:
    """The file of Figures 1 and 2, its numbers as shortest decimals that read back the same."""
    of_weight = {weight: experiments.specs(weight) for weight in experiments.WEIGHTS}
    first = next(iter(of_weight[experiments.WEIGHTS[0]].values()))
    body = {
        "what": "R_n/n over all rounds of each run, in the order of the seeds",
        "seeds": list(first.all_seeds),
        "initial": first.initial,
        "rounds": first.rounds,
        "identities": {
            weight: {name: experiments.identity_of(spec) for name, spec in specs.items()}
            for weight, specs in of_weight.items()
        },
        "regrets": {
            weight: {
                name: {
                    policy: list(regrets[weight][Side(name, policy)]) for policy in spec.policies
                }
                for name, spec in specs.items()
            }
            for weight, specs in of_weight.items()
        },
    }
    return signed(experiments.FORMAT, "experiments", body)


def planned() -> dict[Key, StudySpec]:
    """Every study with tuned hyperparameters."""
    specs: dict[Key, StudySpec] = {}
    tunings: tuple[Tuning, ...] = ("none", "likelihood")
    for weight in ("beta", "sqrt-beta", "beta/16"):
        for tune in tunings:
            every = figure_1(_options(tune, weight, seeds=5, initial=5, rounds=295))
            for name in ("se-uniform", "se-biased") if weight == "beta" else ("se-uniform",):
                specs["published", tune, weight, name] = replace(every[name], policies=_LONG)
    for (tune, weight), names in tuned.FIGURE_1.items():
        released = weight == "released"
        every = figure_1(_options(tune, weight, seeds=30 if released else 10))
        for name in names:
            policies = RELEASED_POLICIES if released else every[name].policies
            specs["figure-1", tune, weight, name] = replace(every[name], policies=policies)
    options = _options("none", "released", seeds=24, initial=10, rounds=290)
    for name, spec in figure_released(options).items():
        specs["released", "none", "released", name] = spec
    return specs


def _options(tune: Tuning, weight: str, **more: Any) -> ExperimentOptions:
    exploration, c1 = WEIGHTS[weight]
    readings = Readings(tune=tune, c1=c1, refit_every=10)
    return ExperimentOptions(exploration=exploration, readings=readings, **more)


def tuned_rows(out: Path | None = None, workers: int = 1) -> list[dict[str, Any]]:
    """The studies of the file, run or read in `out`."""
    rows = []
    for key, spec in planned().items():
        folder = None if out is None else out / "-".join(key).replace("/", "-")
        study = run_study(spec, folder, workers)
        rounds = (*(n for n in _CURVE if n < spec.total_rounds), spec.total_rounds)
        rows.append(
            dict(zip(("horizon", "tune", "weight", "study"), key, strict=True))
            | {
                "identity": experiments.identity_of(spec),
                "seeds": list(spec.all_seeds),
                "rounds": list(rounds),
                "regrets": {
                    policy: [[run.cumulative_regret[n - 1] / n for n in rounds] for run in runs]
                    for policy, runs in study.trajectories.items()
                },
            }
        )
    return rows


def signed(known: str, which: str, body: Mapping[str, Any]) -> str:
    """A file of these keys, what made it and its digest, every list of numbers on one line."""
    made = {
        "format": known,
        "version": version("ctv-bounds"),
        "command": f"python benchmarks/paper_runs.py {which} runs",
        **body,
    }
    text = json.dumps({**made, "digest": experiments.digest_of(made)}, indent=1)
    return re.sub(r"\[[^][{}]*\]", lambda match: " ".join(match[0].split()), text) + "\n"


def main(words: Sequence[str] | None = None) -> None:
    """The command of this module."""
    parser = ArgumentParser(description="Simulate the stored runs of the paper's experiments.")
    parser.add_argument("which", choices=("experiments", "tuned"))
    parser.add_argument("runs", type=Path, help="folder of the runs")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--file", type=Path, help="the file to write, by default the bundled one")
    given = parser.parse_args(words)
    if given.which == "experiments":
        regrets = experiments.run_all(out=given.runs, workers=given.workers)
        text, bundled = experiments_text(regrets), experiments.bundled()
    else:
        body = {
            "what": "R_n/n of each run (a row a seed) at the rounds named",
            "studies": tuned_rows(given.runs, given.workers),
        }
        text, bundled = signed(tuned.FORMAT, "tuned", body), tuned.bundled()
    (given.file or bundled).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
