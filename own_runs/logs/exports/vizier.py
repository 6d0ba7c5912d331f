"""Trials of Vizier: the open one, Vertex AI, and the tuning jobs of AI Platform, as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from own_runs.logs.axes import Axis
from own_runs.logs.exports.export import Export, Record, axis_of, direction_of, export_of

_VALUES = ("value", "floatValue", "intValue", "stringValue", "numberValue", "number_value")


def is_study(content: object) -> bool:
    """Whether a JSON value is a list of trials, or a study or tuning job that holds one."""
    trials = _trials(content)
    return bool(trials) and all(
        isinstance(row, Mapping)
        and bool({"parameters", "hyperparameters"} & set(row))
        and bool({"state", "status", "finalMeasurement", "final_measurement"} & set(row))
        for row in trials
    )


def of_study(content: object, source: str) -> Export:
    """The trials, each with the metrics of its final measurement."""
    records = []
    for row in _trials(content):
        final = _get(row, "finalMeasurement", "finalMetric") or {}
        values: dict[str, object] = {}
        if "objectiveValue" in final:
            values["objective"] = final["objectiveValue"]
        metrics = final.get("metrics") or []
        if isinstance(metrics, Mapping):
            metrics = [{"metricId": name, "value": value} for name, value in metrics.items()]
        for metric in metrics:
            values[str(_get(metric, "metricId", "metric", "name"))] = _plain(metric)
        state = str(_get(row, "state", "status") or "")
        if row.get("trialInfeasible") or row.get("infeasibleReason"):
            state = "infeasible"
        took = _get(final, "elapsedDuration", "elapsedTime", "elapsedSecs")
        records.append(
            Record(
                _get(row, "id", "trialId", "name"),
                _inputs(_get(row, "parameters", "hyperparameters") or {}),
                values,
                state,
                _get(row, "startTime", "creationTime"),
                _get(row, "endTime", "completionTime"),
                took,
            )
        )
    spec = _spec(content)
    direction = direction_of(*(metric.get("goal") for metric in spec.get("metrics") or []))
    return export_of("Vizier", records, source, direction=direction, axes=_ranges(spec))


def _get(row: Mapping[str, Any], *names: str) -> Any:
    """The first of these that is there, as `camelCase` or as `snake_case`."""
    for name in names:
        snake = "".join("_" + c.lower() if c.isupper() else c for c in name)
        for spelt in (name, snake):
            if row.get(spelt) is not None:
                return row[spelt]
    return None


def _trials(content: object) -> list[Any]:
    if isinstance(content, Mapping):
        inner = content.get("trainingOutput")
        content = (inner if isinstance(inner, Mapping) else content).get("trials")
    return content if isinstance(content, list) else []


def _plain(row: Mapping[str, Any]) -> object:
    """The value in an object; whole numbers of a protocol buffer are texts, and so they stay."""
    for name in _VALUES:
        if row.get(name) is not None:
            value = row[name]
            return _plain(value) if isinstance(value, Mapping) else value
    return None


def _inputs(given: object) -> dict[str, object]:
    if isinstance(given, Mapping):
        return {
            str(name): _plain(value) if isinstance(value, Mapping) else value
            for name, value in given.items()
        }
    assert isinstance(given, list)
    return {str(_get(row, "parameterId", "parameter", "name")): _plain(row) for row in given}


def _spec(content: object) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        return {}
    spec = _get(content, "studySpec", "studyConfig")
    return spec if isinstance(spec, Mapping) else {}


def _ranges(spec: Mapping[str, Any]) -> Iterator[Axis | None]:
    for row in spec.get("parameters") or []:
        real, whole = _get(row, "doubleValueSpec"), _get(row, "integerValueSpec")
        range_ = real or whole
        if isinstance(range_, Mapping):
            ends = _get(range_, "minValue"), _get(range_, "maxValue")
            log = "LOG" in str(_get(row, "scaleType") or "")
            name = str(_get(row, "parameterId", "parameter"))
            yield axis_of(name, *ends, log=log, integer=real is None)
