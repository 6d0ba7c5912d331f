"""Run histories of SMAC (versions 1 and 2) and of HpBandSter: many runs of one configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bounds.errors import InvalidInput
from own_runs.logs.axes import Axis
from own_runs.logs.exports.export import Export, Record, axis_of, export_of, json_file

_STATUS = ("RUNNING", "SUCCESS", "CRASHED", "TIMEOUT", "MEMORYOUT")
"""Of a run by its number, in version 2."""


def is_history(content: object) -> bool:
    """Whether a JSON value is a `runhistory.json`."""
    return isinstance(content, dict) and {"data", "configs"} <= set(content)


def of_history(content: Mapping[str, Any], source: str, beside: Path | None = None) -> Export:
    """The runs of a history, small costs being good; their budgets are the fidelity.

    beside : the folder in which a `configspace.json` with the ranges may be
    """
    configs = content["configs"]
    rows = content["data"]
    if isinstance(rows, Mapping):
        rows = [{"config_id": key, **row} for key, row in rows.items()]
    records = []
    for place, row in enumerate(rows):
        run = _run(row)
        config = configs.get(str(run["config_id"]))
        if config is None:
            remedy = f"its run {place + 1} is of a configuration that the file lacks"
            raise InvalidInput("data", source, remedy)
        costs = run["cost"] if isinstance(run["cost"], list) else [run["cost"]]
        names = ["cost"] if len(costs) == 1 else [f"cost_{i}" for i in range(len(costs))]
        records.append(
            Record(
                place + 1,
                config,
                dict(zip(names, costs, strict=True)),
                _status(run["status"]),
                run.get("starttime") or None,
                run.get("endtime") or None,
                run.get("time"),
                run.get("budget"),
            )
        )
    axes = () if beside is None else _ranges(beside / "configspace.json")
    notes = ("ranges of configspace.json",) if axes else ()
    return export_of(
        "SMAC",
        records,
        source,
        direction="minimize",
        axes=axes,
        fidelity="budget",
        notes=notes,
    )


def _run(row: object) -> Mapping[str, Any]:
    """A run as an object, however its version writes it."""
    if isinstance(row, Mapping):
        return row
    assert isinstance(row, Sequence)
    names = ["config_id", "instance", "seed", "budget", "cost", "time", "status"]
    if len(row) == 2:
        key, value = row
        row = [*key, *value]
        if len(key) == 3:
            names.remove("budget")
    elif len(row) > 10:
        names.insert(6, "cpu_time")
    return dict(zip([*names, "starttime", "endtime"], row, strict=False))


def _status(given: object) -> str:
    if isinstance(given, Mapping):
        given = given.get("__enum__", "")
    if isinstance(given, int):
        return _STATUS[given] if 0 <= given < len(_STATUS) else "FAILED"
    word = str(given).rsplit(".", 1)[-1]
    return {"ABORT": "ABORTED", "MEMOUT": "MEMORYOUT", "CAPPED": "STOPPED", "STOP": "STOPPED"}.get(
        word, word
    )


def _ranges(file: Path) -> tuple[Axis, ...]:
    """Ranges of a configuration space's numbers; none where the file is not there or another."""
    axes = []
    try:
        for row in json_file(file)["hyperparameters"]:
            log, whole = bool(row.get("log")), "int" in str(row["type"])
            ends = row.get("lower"), row.get("upper")
            axes.append(axis_of(str(row["name"]), *ends, log=log, integer=whole))
    except (OSError, ValueError, KeyError, TypeError):
        return ()
    return tuple(axis for axis in axes if axis is not None)


def is_bandster(folder: Path) -> bool:
    """Whether a folder holds the two files of HpBandSter's result logger."""
    return (folder / "configs.json").is_file() and (folder / "results.json").is_file()


def of_bandster(folder: Path, source: str) -> Export:
    """The runs of Hyperband or BOHB: `[id, configuration, info]` and `[id, budget, times, …]`."""
    configs = {tuple(row[0]): row[1] for row in map(json.loads, _lines(folder / "configs.json"))}
    records = []
    lines = map(json.loads, _lines(folder / "results.json"))
    for place, (key, budget, times, result, _) in enumerate(lines):
        done = result is not None and result.get("loss") is not None
        records.append(
            Record(
                f"{place + 1}: " + "-".join(map(str, key)),
                configs.get(tuple(key), {}),
                {"loss": result["loss"]} if done else {},
                "complete" if done else "crashed",
                times.get("started"),
                times.get("finished"),
                None,
                budget,
            )
        )
    return export_of("HpBandSter", records, source, direction="minimize", fidelity="budget")


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
