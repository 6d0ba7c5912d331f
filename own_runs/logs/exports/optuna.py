"""Optuna's storages, read without Optuna: SQLite databases and journals."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bounds.errors import InvalidInput
from own_runs.logs.axes import Axis
from own_runs.logs.exports.export import Export, Record, axis_of, direction_of, export_of, one_of

_STATES = ("RUNNING", "COMPLETE", "PRUNED", "FAIL", "WAITING")
"""Of a trial, by its number in a journal."""
_CREATE, _DELETE, _TRIAL, _PARAM, _STATE = 0, 1, 4, 5, 6
"""Operations of a journal that are read."""


def of_database(database: sqlite3.Connection, study: str | None, source: str) -> Export:
    """A study in a database of Optuna's `RDBStorage`.

    Raises InvalidInput for several studies of which none is named.
    """
    names = [row[0] for row in database.execute("SELECT study_name FROM studies")]
    name = one_of(names, study, "study", source)
    (key,) = database.execute("SELECT study_id FROM studies WHERE study_name = ?", (name,))
    directions = [
        row[0]
        for row in database.execute(
            "SELECT direction FROM study_directions WHERE study_id = ? ORDER BY objective", key
        )
    ]
    params: dict[int, dict[str, tuple[float, str]]] = {}
    rows = database.execute(
        "SELECT p.trial_id, param_name, param_value, distribution_json FROM trial_params p "
        "JOIN trials t ON t.trial_id = p.trial_id WHERE study_id = ?",
        key,
    )
    for trial, parameter, internal, distribution in rows:
        params.setdefault(trial, {})[parameter] = (internal, distribution)
    values: dict[int, dict[int, float | None]] = {}
    rows = database.execute(
        "SELECT v.trial_id, objective, value FROM trial_values v "
        "JOIN trials t ON t.trial_id = v.trial_id WHERE study_id = ?",
        key,
    )
    for trial, objective, value in rows:
        values.setdefault(trial, {})[objective] = value
    trials = [
        {
            "number": number,
            "state": state,
            "start": start,
            "end": end,
            "params": params.get(trial, {}),
            "values": values.get(trial, {}),
        }
        for trial, number, state, start, end in database.execute(
            "SELECT trial_id, number, state, datetime_start, datetime_complete FROM trials "
            "WHERE study_id = ? ORDER BY number",
            key,
        )
    ]
    return _export(name, directions, trials, source)


def of_journal(lines: Iterable[Mapping[str, Any]], study: str | None, source: str) -> Export:
    """A study in a journal of Optuna's `JournalStorage`, its operations one after the other.

    Raises InvalidInput for several studies of which none is named.
    """
    studies: list[dict[str, Any]] = []
    trials: list[dict[str, Any]] = []
    for line in lines:
        operation = line.get("op_code")
        if operation == _CREATE:
            given = {"name": line["study_name"], "directions": line["directions"], "trials": []}
            studies.append(given)
        elif operation == _DELETE:
            studies[line["study_id"]]["name"] = None
        elif operation == _TRIAL:
            trials.append(_begun(line, len(studies[line["study_id"]]["trials"])))
            studies[line["study_id"]]["trials"].append(trials[-1])
        elif operation == _PARAM:
            parameter = (line["param_value_internal"], line["distribution"])
            trials[line["trial_id"]]["params"][line["param_name"]] = parameter
        elif operation == _STATE:
            trial = trials[line["trial_id"]]
            if trial["state"] in ("COMPLETE", "PRUNED", "FAIL"):
                continue  # a worker that came too late: Optuna refuses its report too
            trial["state"] = _STATES[line["state"]]
            trial["start"] = line.get("datetime_start") or trial["start"]
            trial["end"] = line.get("datetime_complete") or trial["end"]
            trial["values"] = dict(enumerate(line.get("values") or ()))
    kept = {s["name"]: s for s in studies if s["name"] is not None}
    name = one_of(list(kept), study, "study", source)
    directions = [("", "MINIMIZE", "MAXIMIZE")[int(d)] for d in kept[name]["directions"]]
    return _export(name, directions, kept[name]["trials"], source)


def _begun(line: Mapping[str, Any], number: int) -> dict[str, Any]:
    """A trial as its journal creates it: one that was added when it was over has all at once."""
    distributions = line.get("distributions") or {}
    params = line.get("params") or {}
    values = line.get("values") or ([] if line.get("value") is None else [line["value"]])
    return {
        "number": number,
        "state": _STATES[line.get("state", 0)],
        "start": line.get("datetime_start"),
        "end": line.get("datetime_complete"),
        "params": {name: (params[name], text) for name, text in distributions.items()},
        "values": dict(enumerate(values)),
    }


def _export(
    name: str, directions: Sequence[str], trials: Sequence[Mapping[str, Any]], source: str
) -> Export:
    """The trials of one study; with several objectives the direction is asked for."""
    records, axes = [], {}
    for trial in trials:
        inputs = {}
        for parameter, (internal, text) in trial["params"].items():
            kind, attributes = _distribution(text, source)
            choices = attributes.get("choices")
            inputs[parameter] = internal if choices is None else choices[int(internal)]
            axes[parameter] = _axis(parameter, kind, attributes)
        values = {
            "value" if len(directions) == 1 else f"value_{place}": value
            for place, value in trial["values"].items()
        }
        times = trial["start"], trial["end"]
        records.append(Record(trial["number"], inputs, values, trial["state"], *times))
    return export_of(
        "Optuna",
        records,
        source,
        direction=direction_of(*directions),
        axes=axes.values(),
        notes=(f"study {name}",),
    )


def _distribution(text: str, source: str) -> tuple[str, Mapping[str, Any]]:
    try:
        distribution = json.loads(text)
        return str(distribution["name"]), dict(distribution["attributes"])
    except (ValueError, KeyError, TypeError):
        raise InvalidInput("data", source, "a distribution of its parameters is none") from None


def _axis(name: str, kind: str, attributes: Mapping[str, Any]) -> Axis | None:
    """The range of a parameter, or its words; None for choices of another kind."""
    choices = attributes.get("choices") or ()
    if len(set(choices)) > 1 and all(isinstance(word, str) and word.strip() for word in choices):
        return Axis.of_words(name, [word.strip() for word in choices])
    if "low" not in attributes:
        return None
    integer = kind.startswith("Int") and attributes.get("step", 1) in (1, None)
    log = bool(attributes.get("log")) or "Log" in kind
    return axis_of(name, attributes["low"], attributes["high"], log=log, integer=integer)
