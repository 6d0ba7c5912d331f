"""Files in the shapes that trackers and smaller programs write."""

import json

import pytest

from bounds.errors import InvalidInput
from own_runs.logs.columns import Columns
from own_runs.logs.reader import read_log

RUNS = [(0.001, 0.9, 0.71), (0.01, 0.5, 0.83), (0.1, 0.2, 0.64)]
"""Learning rate, momentum and accuracy."""
BEGAN = ["2024-05-01T12:00:00", "2024-05-01T12:01:00", "2024-05-01T12:02:30"]
ENDED = ["2024-05-01T12:00:40", "2024-05-01T12:02:20", "2024-05-01T12:03:00"]
TIMES = [40.0, 140.0, 180.0]
EQUAL = Columns(duration="equal")


def katib_trial(i, word="Succeeded"):
    lr, momentum, accuracy = RUNS[i]
    conditions = [{"type": "Created", "status": "True"}]
    if word != "Running":
        conditions.append({"type": "Running", "status": "False"})
    conditions.append({"type": word, "status": "True"})
    metric = {"name": "accuracy", "latest": "0.1", "max": f"{accuracy}", "min": "0.01"}
    other = {"name": "loss", "latest": "0.3", "max": "0.9", "min": "0.3"}
    status = {"conditions": conditions, "startTime": f"{BEGAN[i]}Z"}
    if word != "Running":
        status |= {"completionTime": f"{ENDED[i]}Z"}
    if word == "Succeeded":
        status |= {"observation": {"metrics": [other, metric]}}
    given = [{"name": "lr", "value": str(lr)}, {"name": "momentum", "value": str(momentum)}]
    objective = {"type": "maximize", "goal": 0.99, "objectiveMetricName": "accuracy"}
    return {
        "apiVersion": "kubeflow.org/v1beta1",
        "kind": "Trial",
        "metadata": {"name": f"random-{i}-{word}"},
        "spec": {"objective": objective, "parameterAssignments": given},
        "status": status,
    }


EXPERIMENT = {
    "apiVersion": "kubeflow.org/v1beta1",
    "kind": "Experiment",
    "metadata": {"name": "random"},
    "spec": {
        "parameters": [
            {
                "name": "lr",
                "parameterType": "double",
                "feasibleSpace": {"min": "0.001", "max": "1", "distribution": "logUniform"},
            },
            {"name": "momentum", "parameterType": "double", "feasibleSpace": {"min": "0"}},
        ]
    },
}


def test_katib(tmp_path):
    """The metric by its strategy, the largest here; failed trials stay in the clock."""
    items = [katib_trial(i) for i in range(3)]
    file = tmp_path / "trials.json"
    listed = {"apiVersion": "v1", "kind": "List", "items": [EXPERIMENT, *items]}
    file.write_text(json.dumps(listed, indent=4))
    log = read_log(file, direction=None)
    assert log.direction == "maximize" and log.values.tolist() == [0.71, 0.83, 0.64]
    assert log.times.tolist() == TIMES
    assert str(log.axes[0]) == "params.lr=0.001..1 log"
    listed["items"] = [items[0], items[1], katib_trial(2, "EarlyStopped")]
    listed["items"] += [katib_trial(2, "Running")]
    file.write_text(json.dumps(listed))
    log = read_log(file, direction=None)
    assert log.values.tolist() == [0.71, 0.83] and len(log.pending) == 1
    assert log.skipped == {"state failed": 1, "under way or waiting": 1}
    items[0]["spec"]["objective"]["metricStrategies"] = [{"name": "accuracy", "value": "latest"}]
    file.write_text(json.dumps({**listed, "items": items}))
    assert read_log(file, direction=None).values.tolist() == [0.1, 0.83, 0.64]
    yaml = pytest.importorskip("yaml")
    manifest = tmp_path / "trials.yaml"
    manifest.write_text(yaml.safe_dump({**listed, "items": items}))
    assert read_log(manifest, direction=None).times.tolist() == TIMES
    file.write_text(json.dumps(EXPERIMENT))
    with pytest.raises(InvalidInput, match="kubectl get trials -o json"):
        read_log(file, direction=None)
    manifest.write_text("apiVersion: v1\nitems: [")
    with pytest.raises(InvalidInput, match="it is no YAML"):
        read_log(manifest, direction=None)


def revision(i, name="main"):
    lr, momentum, accuracy = RUNS[i]
    return {
        "rev": f"{i:07x}",
        "name": name,
        "data": {
            "rev": f"{i:07x}",
            "timestamp": ENDED[i],
            "params": {"params.yaml": {"data": {"train": {"lr": lr, "momentum": momentum}}}},
            "metrics": {"dvclive/metrics.json": {"data": {"acc": accuracy}}},
        },
        "error": None,
    }


def test_dvc(tmp_path):
    """`dvc exp show --json` of both versions and `--csv`; a commit is no trial."""
    ended = [{"revs": [revision(i)], "executor": None, "name": f"exp-{i}"} for i in range(3)]
    broken = {"revs": [{"rev": "b", "data": None}], "executor": {"state": "failed"}, "name": "b"}
    workspace = revision(0, "workspace") | {"experiments": None}
    file = tmp_path / "show.json"
    file.write_text(json.dumps([workspace, revision(1) | {"experiments": [*ended, broken]}]))
    log = read_log(file, direction="maximize")
    assert log.values.tolist() == [0.71, 0.83, 0.64]
    assert log.times.tolist() == [0.0, 100.0, 140.0]  # the clock begins at the first end
    assert [axis.name for axis in log.axes] == ["params.train.lr", "params.train.momentum"]
    assert log.skipped == {"state failed": 1} and any("2 commits" in note for note in log.notes)
    old = {"workspace": {"baseline": {"data": revision(0)["data"]}}}
    old["c0ffee"] = {"baseline": {"data": {}}}
    old["c0ffee"] |= {f"{i:07x}": {"data": {**revision(i)["data"], "name": "x"}} for i in range(3)}
    file.write_text(json.dumps(old))
    assert read_log(file, direction="maximize").values.tolist() == [0.71, 0.83, 0.64]
    table = tmp_path / "show.csv"
    head = "Experiment,rev,typ,Created,parent,State,Executor,acc,lr,momentum"
    rows = [
        f"e{i},{i},branch_commit,{ENDED[i]},,,,{a},{lr},{m}" for i, (lr, m, a) in enumerate(RUNS)
    ]
    table.write_text("\n".join([head, ",workspace,baseline,,,,,,0.1,0.2", *rows]) + "\n")
    log = read_log(table, direction="maximize", columns=Columns(x=("lr", "momentum"), y="acc"))
    assert log.values.tolist() == [0.71, 0.83, 0.64] and log.n == 3


def test_sacred(tmp_path):
    for i, (lr, momentum, accuracy) in enumerate(RUNS):
        run = tmp_path / "runs" / str(i + 1)
        run.mkdir(parents=True)
        about = {"status": "COMPLETED", "start_time": BEGAN[i], "stop_time": ENDED[i]}
        about |= {"result": accuracy if i else None}
        (run / "run.json").write_text(json.dumps(about))
        config = {"opt": {"lr": lr, "momentum": momentum}, "seed": i}
        (run / "config.json").write_text(json.dumps(config))
        logged = {"result": {"steps": [0, 1], "values": [0.2, accuracy]}}
        (run / "metrics.json").write_text(json.dumps(logged))
    (tmp_path / "runs" / "_sources").mkdir()
    log = read_log(tmp_path / "runs", direction="maximize")
    assert log.values.tolist() == [0.71, 0.83, 0.64] and log.times.tolist() == TIMES
    assert [axis.name for axis in log.axes] == ["params.opt.lr", "params.opt.momentum"]


def test_programs_without_times(tmp_path):
    file = tmp_path / "log.json"
    result = {
        "x_iters": [[lr, m] for lr, m, _ in RUNS],
        "func_vals": [-a for *_, a in RUNS],
        "space": ["lr", "momentum"],
    }
    results = [{"parameters": {"lr": lr}, "metric_score": -a} for lr, _, a in RUNS]
    ludwig = {
        "hyperopt_config": {"goal": "minimize", "metric": "loss"},
        "hyperopt_results": results,
    }
    nevergrad = [
        {"#num-ask": i, "#num-tell": i, "#loss": -a, "#optimizer": "DE", "lr": lr, "m": m}
        for i, (lr, m, a) in enumerate(RUNS)
    ]
    gpyopt = ["Iteration\tY\tvar_1\tvar_2"]
    gpyopt += [f"{i}\t{-a}\t{lr}\t{m}" for i, (lr, m, a) in enumerate(RUNS)]
    for text in (
        json.dumps(result),
        json.dumps({key: value for key, value in result.items() if key != "space"}),
        json.dumps(ludwig),
        "\n".join(map(json.dumps, nevergrad)),
        "\n".join(gpyopt) + "\n",
    ):
        file.write_text(text)
        log = read_log(file, direction=None, columns=EQUAL)
        assert log.direction == "minimize" and log.values.tolist() == [-0.71, -0.83, -0.64]
        assert log.times.tolist() == [1.0, 2.0, 3.0]


def test_tables_of_flaml_orion_guild_and_neptune(tmp_path):
    file = tmp_path / "log.txt"
    took = [40.0, 80.0, 30.0]
    flaml = [
        {
            "record_id": i,
            "trial_time": took[i],
            "wall_clock_time": TIMES[i],
            "validation_loss": -a,
            "config": {"learning_rate": lr, "subsample": m},
            "learner": "lgbm",
        }
        for i, (lr, m, a) in enumerate(RUNS)
    ]
    orion = [",id,experiment_id,status,suggested,reserved,completed,objective,lr,momentum"]
    guild = ["run,operation,started,time,status,label,lr,momentum,loss"]
    neptune = [
        "sys/id,sys/creation_time,sys/running_time,sys/state,parameters/lr,parameters/m,metrics/loss"
    ]
    for i, (lr, m, a) in enumerate(RUNS):
        orion.append(f"{i},a{i},1,completed,{BEGAN[i]},{BEGAN[i]},{ENDED[i]},{-a},{lr},{m}")
        minutes = f"0:0{int(took[i]) // 60}:{int(took[i]) % 60:02}"
        guild.append(f"a{i},train,{BEGAN[i]},{minutes},completed,best,{lr},{m},{-a}")
        neptune.append(f"P-{i},{BEGAN[i]}Z,{took[i]},inactive,{lr},{m},{-a}")
    named = Columns(x=("lr", "momentum"), y="loss")
    for text, columns, direction in (
        ("\n".join([*map(json.dumps, flaml), '{"curr_best_record_id": 1}']), None, None),
        ("\n".join(orion), None, None),
        ("\n".join(guild), named, "minimize"),
        ("\n".join(neptune), None, "minimize"),
    ):
        file.write_text(text + "\n")
        log = read_log(file, direction=direction, columns=columns)
        assert log.direction == "minimize" and log.values.tolist() == [-0.71, -0.83, -0.64]
        assert log.times.tolist() == TIMES and log.dimension == 2


def _openbox(rows):
    observations = [
        {
            "config": {"lr": lr, "depth": depth},
            "objectives": [y],
            "constraints": None,
            "trial_state": "SUCCESS",
            "elapsed_time": 60.0,
            "extra_info": {},
        }
        for lr, depth, y in rows
    ]
    return json.dumps({"task_id": "t", "num_objectives": 1, "observations": observations})


def _determined(rows):
    trials = [
        {
            "id": i,
            "state": "STATE_COMPLETED",
            "hparams": {"lr": lr, "depth": depth},
            "startTime": f"2024-05-01T12:{i:02}:00Z",
            "endTime": f"2024-05-01T12:{i + 1:02}:00Z",
            "searcherMetricValue": y,
        }
        for i, (lr, depth, y) in enumerate(rows)
    ]
    return json.dumps({"trials": trials})


def _csv(head, row):
    def written(rows):
        lines = [row.format(i=i, lr=lr, depth=d, y=y) for i, (lr, d, y) in enumerate(rows)]
        return "\n".join([head, *lines]) + "\n"

    return written


TABLES = {
    "OpenBox": (_openbox, {"y": "objectives", "duration": "elapsed_time", "state": "trial_state"}),
    "Determined": (
        _determined,
        {"y": "searcherMetricValue", "start": "startTime", "end": "endTime"},
    ),
    "Aim": (
        _csv("run.hash,run.duration,hparams.lr,hparams.depth,acc", "h{i},60,{lr},{depth},{y}"),
        {"y": "acc", "duration": "run.duration"},
    ),
    "ClearML": (
        _csv("task id,objective,iteration,status,General/lr,General/depth",
             "t{i},{y},100,completed,{lr},{depth}"),
        {"y": "objective", "duration": "equal"},
    ),
    "Polyaxon": (
        _csv("uuid,status,duration,inputs.lr,inputs.depth,outputs.acc",
             "u{i},succeeded,60,{lr},{depth},{y}"),
        {"y": "outputs.acc"},
    ),
    "Vizier's frame": (
        _csv("id,state,creation_time,completion_time,parameters.lr,parameters.depth,final.acc",
             "{i},COMPLETED,2024-05-01T12:{i:02}:00,2024-05-01T12:{i:02}:30,{lr},{depth},{y}"),
        {"y": "final.acc", "start": "creation_time", "end": "completion_time"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("tool", TABLES)
def test_inputs_are_known_by_how_their_names_begin(tmp_path, tool):
    made, named = TABLES[tool]
    rows = [(0.01, 3, 0.8), (0.1, 5, 0.9), (0.03, 4, 0.85)]
    file = tmp_path / "log"
    file.write_text(made(rows), encoding="utf-8")
    log = read_log(file, direction="maximize", columns=Columns(**named))
    assert log.values.tolist() == [0.8, 0.9, 0.85] and log.dimension == 2
    assert all(a.name.endswith(end) for a, end in zip(log.axes, ("lr", "depth"), strict=True))


def test_an_index_without_a_name_is_no_y(tmp_path):
    """As `DataFrame.to_csv` writes one: the value is asked for, not taken from it."""
    file = tmp_path / "log.csv"
    file.write_text(",x1,loss,duration\n0,1,5,1\n1,2,6,1\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="y = unknown"):
        read_log(file, direction="maximize")
