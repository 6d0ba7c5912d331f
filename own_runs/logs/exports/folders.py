"""Folders that programs write: one reader for each kind, found by the names of the files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from bounds.errors import InvalidInput
from bounds.reading import read_text
from own_runs.logs.exports import mlflow, smac, trackers
from own_runs.logs.exports.documents import of_text
from own_runs.logs.exports.export import Export, Record, cell_of, export_of, flattened
from own_runs.logs.exports.frames import of_frame
from own_runs.logs.exports.workbook import only_table
from own_runs.logs.table import Table, table_of
from own_runs.logs.tools import tool_of

_MOST = 100_000
"""Trials in the largest folder that is read."""


def of_folder(folder: Path, study: str | None) -> Export:
    """The log that a folder is; raises InvalidInput for a folder of nobody known."""
    name = folder.name or str(folder)
    try:
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
    except (KeyError, TypeError, IndexError, AttributeError, ValueError, OSError) as error:
        if isinstance(error, InvalidInput):
            raise
        shown = f"{type(error).__name__} {error}"[:60]
        raise InvalidInput("data", name, f"its files are not as expected ({shown})") from None
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
    meta: Mapping[str, Any] = {}
    if (folder / "metadata.json").is_file():
        meta = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
    names = meta.get("metric_names") or []
    modes = meta.get("metric_mode") or []
    modes = [modes] * len(names) if isinstance(modes, str) else modes
    direction: Literal["maximize", "minimize"] | None = None
    tool = export.tool
    if len(names) == 1:
        direction = {"min": "minimize", "max": "maximize"}.get(str(modes[0]) if modes else "")  # type: ignore[assignment]
        from dataclasses import replace

        tool = replace(tool, values=str(names[0]))
    return Export(export.table, tool, direction, export.axes, export.notes)


def _ray_trials(folder: Path) -> list[Path]:
    return sorted(file.parent for file in folder.glob("*/result.json"))[:_MOST]


def _ray_tune(folder: Path, source: str) -> Export:
    """Folders of trials, each with a line of `result.json` for every report."""
    rows = []
    for trial in _ray_trials(folder):
        params: Mapping[str, Any] = {}
        if (trial / "params.json").is_file():
            params = json.loads((trial / "params.json").read_text(encoding="utf-8"))
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
    header = tuple(dict.fromkeys(name for row in rows for name in row))
    cells = tuple(tuple(cell_of(row.get(name)) for name in header) for row in rows)
    return Export(Table(header, cells, ",", source), tool_of(header))


def _keras_trials(folder: Path) -> list[Path]:
    return sorted(folder.glob("trial_*/trial.json"))[:_MOST]


def _keras_tuner(folder: Path, source: str) -> Export:
    """`trial_*/trial.json`, without times; the objective's direction is that of its metric."""
    objective: str | None = None
    if (folder / "oracle.json").is_file():
        content = json.loads((folder / "oracle.json").read_text(encoding="utf-8"))
        given = content.get("objective")
        objective = given.get("name") if isinstance(given, Mapping) else given
    records = []
    directions: dict[str, str] = {}
    for file in _keras_trials(folder):
        row = json.loads(file.read_text(encoding="utf-8"))
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
    direction: Literal["maximize", "minimize"] | None = None
    if len(names) == 1:
        word = directions.get(next(iter(names)))
        direction = "minimize" if word == "min" else "maximize" if word == "max" else None
    return export_of("Keras Tuner", records, source, direction=direction)
