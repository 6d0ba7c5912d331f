"""Files of JSON: which program wrote one, and rows of objects as a table where nobody known did."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bounds.errors import InvalidInput
from own_runs.logs.exports import ax, mlflow, optuna, smac, trackers, vizier
from own_runs.logs.exports.export import (
    Export,
    Record,
    as_expected,
    axis_of,
    export_of,
    flattened,
    table_export,
)

_START = re.compile(r"\s*[\[{]")


def is_json(text: str) -> bool:
    """Whether a text begins as JSON does, and its first line is no header of a table."""
    if not _START.match(text):
        return False
    first = text.lstrip().split("\n", 1)[0].strip()
    return first[:1] in "[{" and (len(first) < 3 or first[1:].lstrip()[:1] in '"}{[]-0123456789tfn')


def is_manifest(text: str) -> bool:
    """Whether a text is YAML as Kubernetes writes it."""
    return text.lstrip().startswith(("apiVersion:", "items:\n- apiVersion:"))


def _of_yaml(text: str, source: str) -> Any:
    """YAML through its library, if it is installed."""
    try:
        from yaml import YAMLError, safe_load  # type: ignore[import-untyped]
    except ImportError:
        remedy = "YAML is read where PyYAML is installed: kubectl get trials -o json needs nothing"
        raise InvalidInput("data", source, remedy) from None
    try:
        return safe_load(text)
    except YAMLError as error:
        shown = str(error).split("\n")[0][:60]
        raise InvalidInput("data", source, f"it is no YAML ({shown})") from None


def of_text(text: str, study: str | None, source: str, beside: Path | None = None) -> Export:
    """The trials in a file of JSON or of lines of JSON.

    Raises InvalidInput for what is no JSON and for JSON that holds no rows of trials.
    """
    content = _of_yaml(text, source) if is_manifest(text) else _parsed(text, source)
    with as_expected("its objects", source):
        return _recognised(content, study, source, beside)


def _recognised(content: Any, study: str | None, source: str, beside: Path | None) -> Export:
    if smac.is_history(content):
        return smac.of_history(content, source, beside)
    if ax.is_experiment(content):
        return ax.of_experiment(content, source)
    if vizier.is_study(content):
        return vizier.of_study(content, source)
    if trackers.is_katib(content):
        return trackers.of_katib(content, source)
    if trackers.is_dvc(content):
        return trackers.of_dvc(content, source)
    if trackers.is_skopt(content):
        return trackers.of_skopt(content, source)
    if isinstance(content, Mapping):
        if {"ongoing_trials", "hyperparameters"} <= set(content):
            remedy = "this is the oracle of Keras Tuner: give the folder that it lies in"
            raise InvalidInput("data", source, remedy)
        if "hyperopt_results" in content:
            return trackers.of_ludwig(content, source)
        if {"pbounds", "target", "params", "keys"} <= set(content):
            return _bayesian_optimization(content, source)
        runs = content.get("runs")
        if isinstance(runs, list) and all("info" in run for run in runs):
            return mlflow.of_answer(content, source)
    if isinstance(content, list) and content and isinstance(content[0], Mapping):
        if "op_code" in content[0]:
            return optuna.of_journal(content, study, source)
        if {"misc", "result"} <= set(content[0]):
            return _hyperopt(content, source)
    rows = _rows(content)
    if not rows:
        remedy = "this JSON holds no rows of trials: write a table, as DataFrame.to_csv does"
        raise InvalidInput("data", source, remedy)
    return table_export([flattened(row) for row in rows], source)


def _parsed(text: str, source: str) -> Any:
    """One JSON value, or the list of those that the lines are. NaN is a missing number here."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or isinstance(error, RecursionError):
            raise InvalidInput("data", source, f"it is no JSON ({error})"[:150]) from None
    values = []
    for number, line in enumerate(lines, 1):
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            if number == len(lines) and values:
                continue  # a line that is being written
            raise InvalidInput(f"data in line {number}", line[:40], "it is no JSON") from None
    return values


def _rows(content: Any) -> list[Mapping[str, Any]]:
    """Objects that may be trials: a list, the only list of a value, or a frame of pandas."""
    if isinstance(content, Mapping):
        lists = [
            value
            for value in content.values()
            if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value)
        ]
        if len(lists) == 1:
            return lists[0]
    return ax.rows_of_frame(content)


def _bayesian_optimization(content: Mapping[str, Any], source: str) -> Export:
    """`BayesianOptimization.save_state`: points and targets in order, without times."""
    names = list(map(str, content["keys"]))
    records = [
        Record(place + 1, dict(zip(names, point, strict=True)), {"target": value})
        for place, (point, value) in enumerate(
            zip(content["params"], content["target"], strict=True)
        )
    ]
    axes = [axis_of(name, *content["pbounds"][name][:2]) for name in names]
    return export_of("BayesianOptimization", records, source, direction="maximize", axes=axes)


_HYPEROPT = ("waiting", "running", "complete", "failed", "cancelled")


def _hyperopt(content: list[Mapping[str, Any]], source: str) -> Export:
    """`Trials.trials` of Hyperopt: a list of documents, small losses being good."""
    records = []
    for row in content:
        result = row.get("result") or {}
        state = _HYPEROPT[int(row.get("state", 2))]
        if state == "complete" and result.get("status", "ok") != "ok":
            state = str(result["status"]).replace("fail", "failed").replace("failededed", "failed")
        records.append(
            Record(
                row.get("tid"),
                {name: (vals or [None])[0] for name, vals in row["misc"]["vals"].items()},
                {"loss": result["loss"]} if result.get("loss") is not None else {},
                "failed" if state.startswith("fail") else state,
                _date(row.get("book_time")),
                _date(row.get("refresh_time")),
            )
        )
    return export_of("Hyperopt", records, source, direction="minimize")


def _date(given: Any) -> object:
    """A date, which a dump of MongoDB wraps."""
    while isinstance(given, Mapping):
        given = given.get("$date", given.get("$numberLong"))
    return given
