"""Folders that programs write: one reader for each kind, found by the names of the files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bounds.errors import InvalidInput
from bounds.reading import read_text
from own_runs.logs.exports import mlflow, smac, trackers
from own_runs.logs.exports.documents import of_text
from own_runs.logs.exports.export import (
    Export,
    Record,
    as_expected,
    direction_of,
    export_of,
    flattened,
    json_file,
    table_export,
)
from own_runs.logs.exports.frames import of_frame
from own_runs.logs.exports.workbook import only_table
from own_runs.logs.table import table_of

_MOST = 100_000
"""Trials in the largest folder that is read."""


def of_folder(folder: Path, study: str | None) -> Export:
    """The log that a folder is; raises InvalidInput for a folder of nobody known."""
    name = folder.name or str(folder)
    with as_expected("its files", name):
        if (folder / "runhistory.json").is_file():
            text = read_text(folder / "runhistory.json", "data").text
            return of_text(text, study, name, folder)
        if smac.is_bandster(folder):
            return smac.of_bandster(folder, name)
        if (folder / "results.csv.zip").is_file() or (folder / "results.csv").is_file():
            return _syne_tune(folder, name)
        if _keras_trials(folder):
            return _keras_tuner(folder, name)
        if _ray_trials(folder):
            return _ray_tune(folder, name)
        if trackers.sacred_runs(folder):
            return trackers.of_sacred(folder, name)
        if mlflow.is_folder(folder):
            return mlflow.of_folder(folder, study, name)
    remedy = (
        "this is a folder of no tuner that is known (MLflow, Ray Tune, Syne Tune, SMAC, "
        "HpBandSter, Keras Tuner, Sacred): give a file"
    )
    raise InvalidInput("data", str(folder), remedy)


def _syne_tune(folder: Path, source: str) -> Export:
    """`results.csv.zip` and `metadata.json` of an experiment: a row for every report."""
    packed = folder / "results.csv.zip"
    if packed.is_file():
        content = only_table(packed.read_bytes(), source)
        if content is None:
            raise InvalidInput("data", source, "its results.csv.zip is not one table")
        text = content.decode("utf-8-sig")
    else:
        text = read_text(folder / "results.csv", "data").text
    export = of_frame(table_of(text, source))
    meta = json_file(folder / "metadata.json")
    names, modes = meta.get("metric_names") or [], meta.get("metric_mode") or []
    if len(names) != 1:
        return export
    direction = direction_of(*([modes] if isinstance(modes, str) else modes))
    return replace(export, tool=replace(export.tool, values=str(names[0])), direction=direction)


def _ray_trials(folder: Path) -> list[Path]:
    return sorted(file.parent for file in folder.glob("*/result.json"))[:_MOST]


def _ray_tune(folder: Path, source: str) -> Export:
    """Folders of trials, each with a line of `result.json` for every report."""
    rows = []
    for trial in _ray_trials(folder):
        params = json_file(trial / "params.json")
        for line in (trial / "result.json").read_text(encoding="utf-8").split("\n"):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                continue  # a line that was being written
            config = row.pop("config", params)
            kept = {name: value for name, value in row.items() if not isinstance(value, list)}
            rows.append(
                {
                    "trial_id": trial.name,
                    **flattened(kept),
                    **{f"config/{name}": value for name, value in flattened(config).items()},
                }
            )
    return table_export(rows, source)


def _keras_trials(folder: Path) -> list[Path]:
    return sorted(folder.glob("trial_*/trial.json"))[:_MOST]


def _keras_tuner(folder: Path, source: str) -> Export:
    """`trial_*/trial.json`, without times; the objective's direction is that of its metric."""
    objective = json_file(folder / "oracle.json").get("objective")
    if isinstance(objective, Mapping):
        objective = objective.get("name")
    records = []
    directions: dict[str, str] = {}
    for row in map(json_file, _keras_trials(folder)):
        values: dict[str, object] = {}
        for name, metric in ((row.get("metrics") or {}).get("metrics") or {}).items():
            directions[name] = str(metric.get("direction"))
            if metric.get("observations") and objective in (None, name):
                best = [
                    observation["value"]
                    for observation in metric["observations"]
                    if observation.get("step") in (row.get("best_step"), None)
                ]
                values[name] = (best or [metric["observations"][-1]["value"]])[0]
        values = {k: v[0] if isinstance(v, list) and len(v) == 1 else v for k, v in values.items()}
        if not values and row.get("score") is not None:
            values = {objective or "score": row["score"]}
        inputs = {
            name: value
            for name, value in row["hyperparameters"]["values"].items()
            if not name.startswith("tuner/")
        }
        records.append(Record(row.get("trial_id"), inputs, values, str(row.get("status"))))
    names = {name for record in records for name in record.values}
    direction = direction_of(*map(directions.get, names))
    return export_of("Keras Tuner", records, source, direction=direction)
