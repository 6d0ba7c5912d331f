"""Stopping rules in one study after the other: evaluations spent, and what was left to find.

    python -m benchmarks.stopping_live FILE [SEEDS]

Studies of Optuna's TPE on the squared exponential table of `live_search`, as it is at first and as
it forgets a share 0.003 a trial. Every rule looks at the same trials, from 20 on after every tenth,
and is asked for half a deviation of f. Printed is in how many studies it stopped within 60 trials,
the median of the trials that it spent, and in how many of those that it stopped the regret of the
point that it would return was at most that half. Optuna's and Syne Tune's rules are the packages'
own; BoFire's improvement of the best value over ten trials is one line and written here.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import optuna
from optuna.distributions import IntDistribution
from optuna.trial import create_trial

from benchmarks import live_search
from benchmarks.live_search import SIDE, Table, se
from own_runs.live.optuna_stopping import StopWhenNotWorthIt

THRESHOLD, MOST, FIRST, STEP = 0.5, 60, 20, 10
FORGOTTEN = {"still": 0.0, "drifting": 0.003}
AXES = {name: IntDistribution(0, SIDE - 1) for name in ("x1", "x2")}
Rule = Callable[[list[optuna.trial.FrozenTrial], Table, int], tuple[bool, int]]


def best(trials: list[optuna.trial.FrozenTrial]) -> int:
    """The place of the largest value: what a rule without a model of its own returns."""
    top = max(trials, key=lambda trial: trial.value or 0.0)
    return SIDE * top.params["x1"] + top.params["x2"]


def study_of(trials: list[optuna.trial.FrozenTrial]) -> optuna.Study:
    study = optuna.create_study(direction="maximize")
    study.add_trials(trials)
    return study


def of_this_project(trials: list[optuna.trial.FrozenTrial], seed: int) -> tuple[bool, int]:
    rule = StopWhenNotWorthIt(below=THRESHOLD, every=1, seed=seed)
    stop = rule.should_terminate(study_of(trials))
    if not stop or rule.verdict is None:
        return False, 0
    row = rule.verdict.incumbent
    return True, SIDE * int(row["x1"]) + int(row["x2"])


def of_optuna(trials: list[optuna.trial.FrozenTrial], seed: int) -> tuple[bool, int]:
    from optuna.terminator import RegretBoundEvaluator

    found = RegretBoundEvaluator(seed=seed).evaluate(trials, optuna.study.StudyDirection.MAXIMIZE)
    return found < THRESHOLD, best(trials)


def of_syne_tune(trials: list[optuna.trial.FrozenTrial], seed: int) -> tuple[bool, int]:
    import torch
    from syne_tune.config_space import randint
    from syne_tune.stopping_criterions.automatic_termination_criterion import (
        AutomaticTerminationCriterion,
    )

    torch.set_default_dtype(torch.double)
    torch.manual_seed(seed)
    space = {name: randint(0, SIDE - 1) for name in AXES}
    rule = AutomaticTerminationCriterion(space, "y", THRESHOLD, mode="max", seed=seed)
    rows = {t.number: {"y": t.value, **t.params} for t in trials}
    return bool(rule(SimpleNamespace(trial_rows=rows))), best(trials)


def of_bofire(trials: list[optuna.trial.FrozenTrial], seed: int) -> tuple[bool, int]:
    values = np.maximum.accumulate([t.value or 0.0 for t in trials])
    return bool(values[-1] - values[-1 - STEP] < THRESHOLD), best(trials)


RULES = {
    "`StopWhenNotWorthIt`": of_this_project,
    "Optuna, regret bound": of_optuna,
    "Syne Tune, automatic termination": of_syne_tune,
    "BoFire, improvement over 10": of_bofire,
}


def stopped(world: str, seed: int) -> dict[str, dict[str, float]]:
    """Of each rule the trials spent, MOST where it does not stop, and the regret that is left."""
    live_search.FORGOTTEN = FORGOTTEN[world]
    table = se(MOST, seed)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed), direction="maximize")
    trials: list[optuna.trial.FrozenTrial] = []
    origin = datetime(2024, 1, 1)
    for t in range(MOST):
        asked = study.ask(dict(AXES))
        y, _ = table.evaluate(SIDE * asked.params["x1"] + asked.params["x2"])
        study.tell(asked, y)
        made = create_trial(params=asked.params, distributions=dict(AXES), value=y)
        made.number = t
        made.datetime_start = origin + timedelta(seconds=t)
        made.datetime_complete = origin + timedelta(seconds=t + 1)
        trials.append(made)
    found: dict[str, dict[str, float]] = {}
    for name, rule in RULES.items():
        spent, seconds = MOST, []
        left = float("nan")
        for count in range(FIRST, MOST + 1, STEP):
            begun = time.process_time()
            stop, place = rule(trials[:count], seed)
            seconds.append(time.process_time() - begun)
            if stop:
                row = table.values[count - 1]
                spent, left = count, float(row.max() - row[place])
                break
        found[name] = {"spent": spent, "left": left, "seconds": float(np.mean(seconds))}
    return found


def printed(known: dict[str, dict[str, dict[str, float]]]) -> str:
    lines = [
        "| rule | world | stopped | trials | at most 0.5 left | s a look |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for name in RULES:
        for world in FORGOTTEN:
            rows = [found[name] for key, found in known.items() if key.startswith(world + " ")]
            done = [row for row in rows if np.isfinite(row["left"])]
            held = sum(row["left"] <= THRESHOLD for row in done)
            spent = np.median([row["spent"] for row in rows])
            took = np.median([row["seconds"] for row in rows])
            lines.append(
                f"| {name} | {world} | {len(done)} of {len(rows)} | {spent:.0f} | "
                f"{held} of {len(done)} | {took:.2f} |"
            )
    return "\n".join(lines)


def main(path: Path, seeds: int) -> None:
    warnings.filterwarnings("ignore")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for seed in range(seeds):
        for world in FORGOTTEN:
            if f"{world} {seed}" not in known:
                known[f"{world} {seed}"] = stopped(world, seed)
                path.write_text(json.dumps(known, indent=0) + "\n", encoding="utf-8")
    print(printed(known))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20)
