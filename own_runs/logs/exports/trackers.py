"""What trackers of experiments and smaller programs write: Katib, DVC, Sacred, scikit-optimize."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bounds.errors import InvalidInput
from own_runs.logs.axes import Axis
from own_runs.logs.exports.export import (
    Export,
    Record,
    axis_of,
    direction_of,
    export_of,
    flattened,
    json_file,
)

_MOST_RUNS = 100_000
"""Runs in the largest folder of Sacred that is read."""


def is_katib(content: object) -> bool:
    """Whether a JSON or YAML value is of Kubernetes: `kubectl get trials -o json`."""
    return isinstance(content, Mapping) and {"apiVersion", "kind"} <= set(content)


def of_katib(content: Mapping[str, Any], source: str) -> Export:
    """The trials of a list of Kubernetes, or one of them; ranges where the experiment is there.

    Raises InvalidInput for an experiment without its trials.
    """
    items = content.get("items", [content])
    trials = [item for item in items if item.get("kind") == "Trial"]
    if not trials:
        remedy = "it holds no Trial: kubectl get trials -o json has them"
        raise InvalidInput("data", source, remedy)
    direction = direction_of(*{str(trial["spec"]["objective"]["type"]) for trial in trials})
    axes = [axis for item in items if item.get("kind") == "Experiment" for axis in _ranges(item)]
    return export_of("Katib", map(_of_trial, trials), source, direction=direction, axes=axes)


def _of_trial(item: Mapping[str, Any]) -> Record:
    spec, status = item["spec"], item.get("status") or {}
    objective = spec["objective"]
    name = str(objective["objectiveMetricName"])
    ways = {row["name"]: row["value"] for row in objective.get("metricStrategies") or []}
    way = ways.get(name, "max" if objective["type"] == "maximize" else "min")
    metrics = (status.get("observation") or {}).get("metrics") or []
    values = [metric.get(way, metric.get("latest")) for metric in metrics if metric["name"] == name]
    true = [row["type"] for row in status.get("conditions") or [] if str(row["status"]) == "True"]
    return Record(
        item["metadata"]["name"],
        {row["name"]: row["value"] for row in spec.get("parameterAssignments") or []},
        {name: values[0]} if values else {},
        _KATIB.get(true[-1] if true else "Created", "failed"),
        status.get("startTime"),
        status.get("completionTime"),
    )


_KATIB = {"Created": "waiting", "Running": "running", "Succeeded": "succeeded"}
"""Words of conditions; the others are failures, early stops among them."""


def _ranges(item: Mapping[str, Any]) -> Iterator[Axis | None]:
    for row in item["spec"].get("parameters") or []:
        space = row.get("feasibleSpace") or {}
        log = str(space.get("distribution", "")).startswith("log")
        whole = row["parameterType"] == "int"
        yield axis_of(row["name"], space.get("min"), space.get("max"), log=log, integer=whole)


def is_dvc(content: object) -> bool:
    """Whether a JSON value is what `dvc exp show --json` prints, in version 2 or 3."""
    if isinstance(content, Mapping) and "workspace" in content:
        return all(isinstance(group, Mapping) and "baseline" in group for group in content.values())
    rows = content if isinstance(content, list) else []
    return bool(rows) and all(
        isinstance(row, Mapping) and {"rev", "experiments"} <= set(row) for row in rows
    )


def of_dvc(content: Any, source: str) -> Export:
    """The experiments, each ending when it was committed; commits between them are left out."""
    records, left = [], 0
    if isinstance(content, Mapping):
        for group in content.values():
            left += 1
            for rev, row in group.items():
                if rev != "baseline":
                    data = row.get("data") or {}
                    state = "queued" if data.get("queued") else "complete"
                    records.append(_of_revision(data, data.get("name") or rev, state))
    else:
        for commit in content:
            left += 1
            for experiment in commit.get("experiments") or []:
                state = (experiment.get("executor") or {}).get("state") or "complete"
                for rev in (experiment.get("revs") or [])[:1]:
                    name = experiment.get("name") or rev.get("rev")
                    records.append(_of_revision(rev.get("data") or {}, name, str(state)))
    notes = (f"{left} commits that are no experiments are left out",)
    return export_of("DVC", records, source, notes=notes)


def _of_revision(data: Mapping[str, Any], name: object, state: str) -> Record:
    def numbers(kind: str) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for file in (data.get(kind) or {}).values():
            values |= flattened(file.get("data") or {})
        return values

    values = numbers("metrics")
    done = state if values or state != "complete" else "failed"
    return Record(name, numbers("params"), values, done, None, data.get("timestamp"))


def is_skopt(content: object) -> bool:
    """Whether a JSON value has the points and values of a result of scikit-optimize."""
    return isinstance(content, Mapping) and {"x_iters", "func_vals"} <= set(content)


def of_skopt(content: Mapping[str, Any], source: str) -> Export:
    """`x_iters` and `func_vals`, small values being good, without times."""
    points, given = content["x_iters"], content.get("space")
    names = [f"x{i + 1}" for i in range(len(points[0]))]
    if isinstance(given, list) and all(isinstance(name, str) for name in given):
        names = given
    records = [
        Record(place + 1, dict(zip(names, point, strict=True)), {"fun": value})
        for place, (point, value) in enumerate(zip(points, content["func_vals"], strict=True))
    ]
    return export_of("scikit-optimize", records, source, direction="minimize")


def of_ludwig(content: Mapping[str, Any], source: str) -> Export:
    """`hyperopt_statistics.json` of Ludwig, without times."""
    asked = content.get("hyperopt_config") or {}
    name = str(asked.get("metric") or "metric_score")
    records = [
        Record(place + 1, flattened(row["parameters"]), {name: row["metric_score"]})
        for place, row in enumerate(content["hyperopt_results"])
    ]
    return export_of("Ludwig", records, source, direction=direction_of(asked.get("goal")))


def sacred_runs(folder: Path) -> list[Path]:
    """The runs of Sacred's `FileStorageObserver` in a folder."""
    folders = [file.parent for file in folder.glob("*/run.json")]
    return sorted(run for run in folders if (run / "config.json").is_file())[:_MOST_RUNS]


def of_sacred(folder: Path, source: str) -> Export:
    """What the runs returned, or the last of each metric where they returned nothing."""
    records = []
    for run in sacred_runs(folder):
        about, config = json_file(run / "run.json"), json_file(run / "config.json")
        result = about.get("result")
        values = flattened(result) if isinstance(result, Mapping) else {}
        if isinstance(result, int | float) and not isinstance(result, bool):
            values = {"result": result}
        if not values:
            logged = json_file(run / "metrics.json")
            values = {name: row["values"][-1] for name, row in logged.items() if row["values"]}
        inputs = {name: value for name, value in flattened(config).items() if name != "seed"}
        records.append(
            Record(
                run.name,
                inputs,
                values,
                str(about.get("status")),
                about.get("start_time"),
                about.get("stop_time"),
            )
        )
    return export_of("Sacred", records, source)
