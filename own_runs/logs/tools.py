"""Which columns hold what in the exports of tuners that people use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

COMPLETE = frozenset(
    (
        "complete",
        "completed",
        "finished",
        "done",
        "ok",
        "success",
        "succeeded",
        "successful",
        "terminated",
        "true",
        "1",
        "1.0",
        "yes",
    )
)
PENDING = frozenset(
    (
        "running",
        "waiting",
        "scheduled",
        "pending",
        "queued",
        "paused",
        "restoring",
        "requested",
        "active",
        "inprogress",
        "in_progress",
        "starting",
        "stopping",
        "staged",
        "candidate",
        "new",
    )
)
FAILED = frozenset(
    (
        "",
        "fail",
        "failed",
        "failure",
        "error",
        "errored",
        "crashed",
        "killed",
        "pruned",
        "aborted",
        "cancelled",
        "canceled",
        "user_canceled",
        "sys_canceled",
        "stopped",
        "early_stopped",
        "earlystopped",
        "timeout",
        "timed_out",
        "memoryout",
        "preempted",
        "preempting",
        "abandoned",
        "infeasible",
        "invalid",
        "interrupted",
        "skipped",
        "discarded",
        "false",
        "0",
        "0.0",
        "no",
        "nan",
        "none",
        "null",
    )
)
"""Words of a state, in lower case, as Optuna, Ray Tune, MLflow, Weights & Biases, SMAC, Ax, Katib,
SageMaker and Vertex write them; every other one is asked for."""

TRIALS = (
    "trial_id",
    "trial",
    "trial_number",
    "number",
    "run_id",
    "Run ID",
    "run",
    "run_name",
    "trial_name",
)
"""Columns that name the trial of a row."""
EPOCHS = (
    "epoch",
    "epochs",
    "step",
    "_step",
    "global_step",
    "training_iteration",
    "iteration",
    "iter",
)
"""Columns that count within a trial."""


@dataclass(frozen=True)
class Tool:
    """The columns of one program's export.

    Attributes
    ----------
    name : of the program
    marks : columns by which the export is known, all of them
    start, end, duration, state : names that may hold these, the first that is there is used
    inputs : how names of inputs begin
    values : how names of observed values begin
    direction : which values are good, where the program's convention says it
    apart : where given, every column is an input whose name begins with none of these
    trial, fidelity : names that may hold the trial of a row and how far it had come
    cumulative : whether the duration of a row is that of its trial until then
    in_seconds : whether plain durations are seconds whatever the unit
    """

    name: str
    marks: tuple[str, ...]
    start: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    duration: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    inputs: str = ""
    values: str = ""
    direction: Literal["maximize", "minimize"] | None = None
    trial: tuple[str, ...] = ()
    fidelity: tuple[str, ...] = ()
    cumulative: bool = False
    in_seconds: bool = False
    apart: tuple[str, ...] = ()


TOOLS = (
    Tool(
        "Optuna",
        ("number", "state"),
        ("datetime_start",),
        ("datetime_complete",),
        ("duration",),
        ("state",),
        "params_",
        "value",
    ),
    Tool(
        "Optuna",
        ("number", "state"),
        ("datetime_start",),
        ("datetime_complete",),
        ("duration",),
        ("state",),
        "params.",
        "value",
    ),
    Tool(
        "MLflow",
        ("run_id", "status"),
        ("start_time",),
        ("end_time",),
        (),
        ("status",),
        "params.",
        "metrics.",
    ),
    Tool("MLflow", ("Run ID", "Status"), ("Start Time",), (), ("Duration",), ("Status",)),
    Tool("DVC", ("Experiment", "rev", "typ", "Created"), end=("Created",)),
    Tool("Weights & Biases", ("State", "Created"), ("Created",), (), ("Runtime",), ("State",)),
    Tool(
        "Weights & Biases",
        ("summary._timestamp",),
        end=("summary._timestamp",),
        duration=("summary._runtime",),
        state=("state",),
        inputs="config.",
        values="summary.",
        in_seconds=True,
    ),
    Tool(
        "Weights & Biases",
        ("_timestamp",),
        end=("_timestamp",),
        duration=("_runtime",),
        state=("state",),
        cumulative=True,
        in_seconds=True,
    ),
    *(
        Tool(
            "Ray Tune",
            ("training_iteration", "time_total_s"),
            end=("timestamp",),
            duration=("time_total_s",),
            inputs=inputs,
            trial=("trial_id",),
            fidelity=("training_iteration",),
            cumulative=True,
            in_seconds=True,
        )
        for inputs in ("config/", "config.")  # of its result files, and of its frames
    ),
    Tool(
        "Syne Tune",
        ("st_tuner_time", "trial_id"),
        end=("st_tuner_time",),
        duration=("st_worker_time",),
        inputs="config_",
        trial=("trial_id",),
        fidelity=EPOCHS,
        cumulative=True,
        in_seconds=True,
    ),
    Tool(
        "scikit-learn",
        ("mean_fit_time", "params"),
        duration=("duration_seconds",),
        inputs="param_",
        values="mean_test_",
        direction="maximize",
    ),
    Tool(
        "DeepHyper",
        ("m:timestamp_submit", "objective"),
        ("m:timestamp_start", "m:timestamp_submit"),
        ("m:timestamp_end", "m:timestamp_gather"),
        state=("job_status",),
        inputs="p:",
        values="objective",
        direction="maximize",
        in_seconds=True,
    ),
    Tool(
        "SageMaker",
        ("TrainingJobName", "FinalObjectiveValue"),
        ("TrainingStartTime",),
        ("TrainingEndTime",),
        ("TrainingElapsedTimeSeconds",),
        ("TrainingJobStatus",),
        values="FinalObjectiveValue",
        in_seconds=True,
    ),
    Tool("Ax", ("trial_index", "arm_name"), state=("trial_status",), trial=("trial_index",)),
    Tool(
        "BayesianOptimization",
        ("target", "datetime.elapsed"),
        end=("datetime.elapsed",),
        inputs="params.",
        values="target",
        direction="maximize",
        in_seconds=True,
    ),
    Tool(
        "NNI",
        ("trialJobId", "value"),
        ("startTime",),
        ("endTime",),
        state=("status",),
        inputs="parameter.",
        values="value",
    ),
    Tool(
        "Nevergrad",
        ("#num-tell", "#loss"),
        values="#loss",
        direction="minimize",
        apart=("#",),
    ),
    Tool(
        "FLAML",
        ("record_id", "validation_loss", "wall_clock_time"),
        end=("wall_clock_time",),
        duration=("trial_time",),
        inputs="config.",
        values="validation_loss",
        direction="minimize",
        in_seconds=True,
    ),
    Tool("GPyOpt", ("Iteration", "Y", "var_1"), inputs="var_", values="Y", direction="minimize"),
    Tool(
        "Orion",
        ("experiment_id", "suggested", "completed", "objective"),
        ("reserved", "suggested"),
        ("completed",),
        state=("status",),
        values="objective",
        direction="minimize",
        apart=(
            *("id", "experiment_id", "status", "suggested", "reserved", "completed", "objective"),
            *("end_time", "heartbeat", "parent", "exp_working_dir", "Unnamed"),
        ),
    ),
    Tool(
        "Guild AI",
        ("run", "operation", "started", "time"),
        ("started",),
        duration=("time",),
        state=("status",),
    ),
    Tool(
        "Neptune",
        ("sys/id", "sys/creation_time"),
        ("sys/creation_time",),
        duration=("sys/running_time",),
        inputs="parameters/",
        values="metrics/",
        in_seconds=True,
    ),
)
"""Programs whose exports are known: the first whose marks are all there and whose inputs are."""

IN_SECONDS = frozenset(("duration_seconds", "_runtime", "Runtime"))
"""Columns of durations whose bare numbers are seconds, whatever `--unit` says."""

PLAIN = Tool(
    "",
    (),
    ("start", "datetime_start", "start_time", "started", "started_at"),
    (
        *("end", "datetime_complete", "end_time", "tau", "completed", "completed_at"),
        *("finished", "finished_at", "ended", "ended_at"),
    ),
    ("duration", "duration_seconds", "t"),
    ("state", "status"),
)
"""A table of nobody's; names in other letters are these too, where one column has such a name."""


def tool_of(header: Sequence[str]) -> Tool:
    """The program that wrote a table with these columns, or `PLAIN`.

    >>> tool_of(["number", "value", "datetime_start", "duration", "params_lr", "state"]).name
    'Optuna'
    """
    present = set(header)
    marked = [tool for tool in TOOLS if present.issuperset(tool.marks)]
    with_inputs = (tool for tool in marked if any(name.startswith(tool.inputs) for name in header))
    return next(with_inputs, marked[0] if marked else PLAIN)


def in_full(name: str, prefix: str, known: Sequence[str]) -> str:
    """A name as the columns have it, which may be given without their prefix.

    >>> in_full("lr", "params_", ["number", "params_lr"])
    'params_lr'
    """
    return prefix + name if name not in known and prefix + name in known else name


def inputs_of(tool: Tool, header: Sequence[str]) -> tuple[str, ...]:
    """The columns of x that are known by name; empty where none are."""
    if tool.apart:
        return tuple(name for name in header if name and not name.startswith(tool.apart))
    if tool.inputs:
        return tuple(name for name in header if name.startswith(tool.inputs))
    if "x" in header:
        return ("x",)
    count = 0
    while f"x{count + 1}" in header:
        count += 1
    if count:
        return tuple(f"x{i + 1}" for i in range(count))
    groups = [tuple(name for name in header if name.startswith(start)) for start in _INPUTS]
    groups = [group for group in groups if group]
    return groups[0] if len(groups) == 1 else ()


_INPUTS = (
    *("config.", "config/", "hparams.", "hparams/", "H-Params.", "hyperparameters."),
    *("hyper_parameters.", "parameters.", "params.", "inputs.", "General/"),
)
"""How names of inputs begin in tables of OpenBox, Aim, Determined, ClearML, Polyaxon and others."""


def values_of(tool: Tool, header: Sequence[str]) -> tuple[str, ...]:
    """The columns that may be y by their names; an index without a name is none."""
    if tool.values and tool.values in header:
        return (tool.values,)
    if tool.values:
        return tuple(
            name
            for name in header
            if name.startswith(tool.values) and name[len(tool.values) :][:1] != "_"
        )
    return tuple(name for name in ("y", "value") if name in header)[:1]
