"""MLflow's stores: a folder of runs, a database, an answer of its REST interface."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from own_runs.logs.exports.export import Export, Record, export_of, one_of

_STATUS = {"1": "RUNNING", "2": "SCHEDULED", "3": "FINISHED", "4": "FAILED", "5": "KILLED"}
"""Words of a status that `meta.yaml` writes as a number."""
_LINE = re.compile(r"^(\w+):\s*(.*?)\s*$", re.MULTILINE)


def is_folder(folder: Path) -> bool:
    """Whether a folder is a store of runs, or one experiment of it."""
    return bool(_experiments(folder))


def of_folder(folder: Path, study: str | None, source: str) -> Export:
    """The runs of one experiment; raises InvalidInput for several of which none is named."""
    experiments = {}
    for place in _experiments(folder):
        runs = [meta.parent for meta in sorted(place.glob("*/meta.yaml"))]
        if runs:
            experiments[_meta(place).get("name") or place.name] = runs
    name = one_of(list(experiments), study, "experiment", source)
    records = []
    for run in experiments[name]:
        meta = _meta(run)
        if meta.get("lifecycle_stage", "active") != "active":
            continue
        values = {}
        for file in _files(run / "metrics"):
            lines = file.read_text(encoding="utf-8").split("\n")
            steps = [line.split(" ") for line in lines if line.strip()]
            if steps:
                last = max(steps, key=lambda cells: int(cells[2]) if len(cells) > 2 else 0)
                values[file.relative_to(run / "metrics").as_posix()] = last[1]
        records.append(
            Record(
                run.name,
                {
                    file.relative_to(run / "params").as_posix(): file.read_text(encoding="utf-8")
                    for file in _files(run / "params")
                },
                values,
                _STATUS.get(meta.get("status", ""), meta.get("status", "")),
                _instant(meta.get("start_time")),
                _instant(meta.get("end_time")),
            )
        )
    return export_of("MLflow", records, source, notes=(f"experiment {name}",))


def of_database(database: sqlite3.Connection, study: str | None, source: str) -> Export:
    """The runs of one experiment in a tracking database, each metric as it was last."""
    rows = database.execute("SELECT experiment_id, name FROM experiments")
    names = {str(name): key for key, name in rows}
    filled = {key for (key,) in database.execute("SELECT DISTINCT experiment_id FROM runs")}
    name = one_of([n for n, key in names.items() if key in filled], study, "experiment", source)
    inputs: dict[str, dict[str, object]] = {}
    for key, value, run in database.execute("SELECT key, value, run_uuid FROM params"):
        inputs.setdefault(run, {})[key] = value
    values: dict[str, dict[str, object]] = {}
    latest = "SELECT key, value, is_nan, run_uuid FROM latest_metrics"
    for key, value, unknown, run in database.execute(latest):
        values.setdefault(run, {})[key] = float("nan") if unknown else value
    runs = database.execute(
        "SELECT run_uuid, status, start_time, end_time FROM runs WHERE experiment_id = ? "
        "AND lifecycle_stage = 'active' ORDER BY start_time",
        (names[name],),
    )
    records = [
        Record(run, inputs.get(run, {}), values.get(run, {}), status, start, end)
        for run, status, start, end in runs
    ]
    return export_of("MLflow", records, source, notes=(f"experiment {name}",))


def of_answer(content: Mapping[str, Any], source: str) -> Export:
    """What `runs/search` answers: `{"runs": [{"info": …, "data": …}]}`."""
    records = []
    for run in content["runs"]:
        info, data = run["info"], run.get("data", {})
        records.append(
            Record(
                info.get("run_id") or info.get("run_uuid"),
                {row["key"]: row.get("value") for row in data.get("params", [])},
                {row["key"]: row.get("value") for row in data.get("metrics", [])},
                str(info.get("status", "")),
                _instant(info.get("start_time")),
                _instant(info.get("end_time")),
            )
        )
    return export_of("MLflow", records, source)


def _experiments(folder: Path) -> list[Path]:
    """Folders of experiments in a store, the folder itself included."""
    places = [folder, *sorted(place for place in folder.iterdir() if place.is_dir())]
    return [place for place in places if any(place.glob("*/metrics")) and _has_runs(place)]


def _has_runs(place: Path) -> bool:
    return any((run / "meta.yaml").is_file() for run in place.iterdir() if run.is_dir())


def _meta(place: Path) -> dict[str, str]:
    """The plain entries of a `meta.yaml`, which MLflow writes a line each."""
    file = place / "meta.yaml"
    if not file.is_file():
        return {}
    text = file.read_text(encoding="utf-8")
    return {key: value.strip("'\"") for key, value in _LINE.findall(text)}


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else []


def _instant(given: object) -> object:
    """Milliseconds since 1970; None where there are none."""
    return None if given in (None, "", "null", "None") else given
