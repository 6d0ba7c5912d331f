"""Experiments of Ax as JSON: `AxClient.save_to_json_file`, `save_experiment`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from own_runs.logs.axes import Axis
from own_runs.logs.exports.export import Export, Record, axis_of, export_of
from own_runs.logs.tools import Direction


def is_experiment(content: object) -> bool:
    """Whether a JSON value is an experiment, or a client that holds one."""
    return _experiment(content) is not None


def of_experiment(content: object, source: str) -> Export:
    """The arms of an experiment, each with the mean of every metric that was attached last."""
    experiment = _experiment(content)
    assert experiment is not None
    means: dict[tuple[str, str], dict[str, object]] = {}
    for kept in ("data_by_trial", "data"):
        for row in _data_rows(experiment.get(kept)):
            key = (str(row.get("trial_index")), str(row.get("arm_name")))
            means.setdefault(key, {})[str(row.get("metric_name"))] = row.get("mean")
    records = []
    trials = experiment.get("trials") or {}
    for index, trial in sorted(trials.items(), key=lambda item: int(item[0])):
        status = trial.get("status")
        word = str(status.get("name") if isinstance(status, Mapping) else status)
        for arm in _arms(trial):
            name = str(arm.get("name"))
            records.append(
                Record(
                    name if name != "None" else index,
                    arm["parameters"],
                    means.get((index, name), {}),
                    word,
                    _moment(trial.get("time_run_started")) or _moment(trial.get("time_created")),
                    _moment(trial.get("time_completed")),
                )
            )
    objective, direction = _objective(experiment)
    notes = [f"experiment {experiment['name']}"] if experiment.get("name") else []
    if objective is not None:
        metrics = {name for row in records for name in row.values}
        if objective in metrics and len(metrics) > 1:
            others = ", ".join(sorted(metrics - {objective}))
            notes.append(f"{objective} is the objective of the file; other metrics: {others}")
            records = [
                replace(row, values={k: v for k, v in row.values.items() if k == objective})
                for row in records
            ]
    axes = _ranges(experiment.get("search_space") or {})
    return export_of("Ax", records, source, direction=direction, axes=axes, notes=notes)


def _experiment(content: object) -> Mapping[str, Any] | None:
    if not isinstance(content, Mapping):
        return None
    inner = content.get("experiment", content.get("_experiment", content))
    if isinstance(inner, Mapping) and "trials" in inner and "search_space" in inner:
        return inner
    return None


def _objects(content: object) -> Iterator[Mapping[str, Any]]:
    """Every object inside a JSON value, from the outside in."""
    if isinstance(content, Mapping):
        yield content
        for value in content.values():
            yield from _objects(value)
    elif isinstance(content, list):
        for value in content:
            yield from _objects(value)


def _arms(trial: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The arms of a trial, each once: abandoned runs of the generator repeat them."""
    arms: dict[str, Mapping[str, Any]] = {}
    for row in _objects({k: v for k, v in trial.items() if k.startswith(("generator", "arm"))}):
        if isinstance(row.get("parameters"), Mapping) and "__type" in row and "name" in row:
            arms.setdefault(json.dumps([row["name"], row["parameters"]], sort_keys=True), row)
    return [row for row in arms.values() if row.get("__type") == "Arm"]


def _data_rows(content: object) -> Iterator[Mapping[str, Any]]:
    """The rows of all frames in a value, which Ax keeps as texts of JSON."""
    for row in _objects(content):
        frame = row.get("df") or row.get("df_json")
        text = frame.get("value") if isinstance(frame, Mapping) else frame
        if isinstance(text, str):
            yield from rows_of_frame(json.loads(text))


def rows_of_frame(content: object) -> list[Mapping[str, Any]]:
    """The rows of a frame that pandas wrote as JSON, by records, columns or split; else none.

    >>> rows_of_frame({"a": {"0": 1, "1": 2}})
    [{'a': 1}, {'a': 2}]
    """
    if isinstance(content, list):
        return content if all(isinstance(row, Mapping) for row in content) else []
    if not isinstance(content, Mapping) or not content:
        return []
    if {"columns", "data"} <= set(content) and isinstance(content["data"], list):
        return [dict(zip(content["columns"], row, strict=False)) for row in content["data"]]
    columns = list(content.values())
    if all(isinstance(column, list) for column in columns):
        if len({len(column) for column in columns}) > 1:
            return []
        return [dict(zip(content, row, strict=True)) for row in zip(*columns, strict=True)]
    if all(isinstance(column, Mapping) for column in columns):
        index = list(dict.fromkeys(key for column in columns for key in column))
        return [{name: column.get(key) for name, column in content.items()} for key in index]
    return []


def _moment(given: object) -> object:
    return given.get("value") if isinstance(given, Mapping) else given


def _objective(experiment: Mapping[str, Any]) -> tuple[str | None, Direction | None]:
    """The metric of a single objective and its direction, where the file has them."""
    config = experiment.get("optimization_config")
    for row in _objects(config):
        metric = row.get("metric")
        if isinstance(row.get("minimize"), bool) and isinstance(metric, Mapping):
            name = metric.get("name")
            return (None if name is None else str(name)), (
                "minimize" if row["minimize"] else "maximize"
            )
    return None, None


def _ranges(space: Mapping[str, Any]) -> Iterator[Axis | None]:
    for row in space.get("parameters") or []:
        if row.get("__type") != "RangeParameter":
            continue
        kind = row.get("parameter_type")
        word = kind.get("name") if isinstance(kind, Mapping) else kind
        log = bool(row.get("log_scale"))
        ends = row.get("lower"), row.get("upper")
        yield axis_of(str(row["name"]), *ends, log=log, integer=word == "INT")
