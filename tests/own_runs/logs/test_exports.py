"""Files as tuners write them: each is one study, and its log is known beforehand."""

import json
import sqlite3
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from bounds.errors import InvalidInput
from own_runs.logs.columns import Columns
from own_runs.logs.exports import open_log
from own_runs.logs.reader import read_log

# The study that every file tells: lr, depth, loss, from, to (seconds after noon), and its fate.
TRIALS = [
    (0.01, 3, 0.5, 0.0, 10.0, "ok"),
    (0.001, 5, 0.4, 10.0, 25.0, "ok"),
    (0.1, 4, None, 25.0, 30.0, "failed"),
    (0.02, 8, 0.9, 30.0, 34.0, "ok"),
    (0.05, 6, None, 34.0, None, "running"),
]
NOON = 1_714_564_800  # 2024-05-01 12:00:00 UTC


def date(seconds, zone=""):
    return f"2024-05-01 12:00:{seconds:09.6f}{zone}" if seconds is not None else ""


def lines(rows):
    return "\n".join(map(json.dumps, rows)) + "\n"


def optuna_database(tmp_path):
    file = tmp_path / "study.db"
    with sqlite3.connect(file) as db:
        db.executescript(
            "CREATE TABLE studies (study_id INTEGER, study_name VARCHAR);"
            "CREATE TABLE study_directions (direction VARCHAR, study_id INTEGER, "
            "objective INTEGER);"
            "CREATE TABLE trials (trial_id INTEGER, number INTEGER, study_id INTEGER, "
            "state VARCHAR, datetime_start DATETIME, datetime_complete DATETIME);"
            "CREATE TABLE trial_params (trial_id INTEGER, param_name VARCHAR, param_value FLOAT, "
            "distribution_json TEXT);"
            "CREATE TABLE trial_values (trial_id INTEGER, objective INTEGER, value FLOAT);"
            "INSERT INTO studies VALUES (1, 'other'), (2, 'mine');"
            "INSERT INTO study_directions VALUES ('MAXIMIZE', 1, 0), ('MINIMIZE', 2, 0);"
            "INSERT INTO trials VALUES (9, 0, 1, 'COMPLETE', NULL, NULL);"
        )
        states = {"ok": "COMPLETE", "failed": "FAIL", "running": "RUNNING"}
        for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
            db.execute(
                "INSERT INTO trials VALUES (?, ?, 2, ?, ?, ?)",
                (10 + i, i, states[fate], date(start), date(end) or None),
            )
            for name, value, text in (("lr", lr, FLOAT), ("depth", depth, INT)):
                db.execute("INSERT INTO trial_params VALUES (?,?,?,?)", (10 + i, name, value, text))
            if loss is not None:
                db.execute("INSERT INTO trial_values VALUES (?, 0, ?)", (10 + i, loss))
    return file, {"study": "mine"}


FLOAT = json.dumps(
    {"name": "FloatDistribution", "attributes": {"low": 1e-4, "high": 1.0, "log": True}}
)
INT = json.dumps({"name": "IntUniformDistribution", "attributes": {"low": 2, "high": 12}})


def optuna_journal(tmp_path):
    rows = [{"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [1]}]
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        zone = "+00:00"
        rows.append({"op_code": 4, "study_id": 0, "datetime_start": date(start, zone)})
        for name, value, text in (("lr", lr, FLOAT), ("depth", float(depth), INT)):
            told = {"param_name": name, "param_value_internal": value, "distribution": text}
            rows.append({"op_code": 5, "trial_id": i, **told})
        if fate != "running":
            state, values = (1, [loss]) if fate == "ok" else (3, None)
            over = {"state": state, "values": values, "datetime_complete": date(end, zone)}
            rows.append({"op_code": 6, "trial_id": i, **over})
            # A worker that reports once more comes too late.
            rows.append({"op_code": 6, "trial_id": i, **over, "values": [99.0]})
    file = tmp_path / "journal.log"
    file.write_text(lines(rows) + '{"op_code": 4, "study')
    return file, {}


def optuna_two_rows_of_names(tmp_path):
    states = {"ok": "COMPLETE", "failed": "FAIL", "running": "RUNNING"}
    rows = [
        ",number,value,datetime_start,datetime_complete,duration,params,params,state",
        ",,,,,,depth,lr,",
    ]
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        took = "" if end is None else f"0 days 00:00:{end - start:09.6f}"
        shown = "" if loss is None else loss
        cells = [i, i, shown, date(start), date(end), took, depth, lr, states[fate]]
        rows.append(",".join(map(str, cells)))
    file = tmp_path / "trials.csv"
    file.write_text("\n".join(rows) + "\n")
    return file, {"direction": "minimize"}


def mlflow_folder(tmp_path):
    states = {"ok": 3, "failed": 4, "running": 1}
    place = tmp_path / "mlruns" / "7"
    (tmp_path / "mlruns" / "0").mkdir(parents=True)
    (tmp_path / "mlruns" / "0" / "meta.yaml").write_text("name: Default\n")
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        run = place / f"run{i}"
        for name in ("params", "metrics"):
            (run / name).mkdir(parents=True)
        ended = "null" if end is None else int(1000 * (NOON + end))
        begun = int(1000 * (NOON + start))
        (run / "meta.yaml").write_text(
            f"end_time: {ended}\nlifecycle_stage: active\nstart_time: {begun}\n"
            f"status: {states[fate]}\n"
        )
        (run / "params" / "lr").write_text(str(lr))
        (run / "params" / "depth").write_text(str(depth))
        (run / "params" / "optimizer").write_text("adam")
        if loss is not None:
            (run / "metrics" / "loss").write_text(f"{begun} 7.5 0\n{begun + 1} {loss} 1\n")
    gone = place / "gone"
    (gone / "metrics").mkdir(parents=True)
    (gone / "meta.yaml").write_text("lifecycle_stage: deleted\nstatus: 3\nstart_time: 1\n")
    (place / "meta.yaml").write_text("experiment_id: '7'\nname: mine\n")
    return tmp_path / "mlruns", {"direction": "minimize"}


def mlflow_database(tmp_path):
    file = tmp_path / "mlflow.db"
    states = {"ok": "FINISHED", "failed": "FAILED", "running": "RUNNING"}
    with sqlite3.connect(file) as db:
        db.executescript(
            "CREATE TABLE experiments (experiment_id INTEGER, name VARCHAR);"
            "CREATE TABLE runs (run_uuid VARCHAR, status VARCHAR, start_time BIGINT, "
            "end_time BIGINT, lifecycle_stage VARCHAR, experiment_id INTEGER);"
            "CREATE TABLE params (key VARCHAR, value VARCHAR, run_uuid VARCHAR);"
            "CREATE TABLE latest_metrics (key VARCHAR, value FLOAT, is_nan BOOLEAN, "
            "run_uuid VARCHAR);"
            "INSERT INTO experiments VALUES (0, 'Default'), (1, 'mine');"
        )
        for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
            ended = None if end is None else int(1000 * (NOON + end))
            begun = int(1000 * (NOON + start))
            db.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, 'active', 1)",
                (f"r{i}", states[fate], begun, ended),
            )
            for name, value in (("lr", lr), ("depth", depth)):
                db.execute("INSERT INTO params VALUES (?, ?, ?)", (name, str(value), f"r{i}"))
            if loss is not None:
                db.execute("INSERT INTO latest_metrics VALUES ('loss', ?, 0, ?)", (loss, f"r{i}"))
    return file, {"direction": "minimize"}


def mlflow_answer(tmp_path):
    states = {"ok": "FINISHED", "failed": "FAILED", "running": "RUNNING"}
    runs = []
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        info = {"run_id": f"r{i}", "status": states[fate], "start_time": 1000 * (NOON + start)}
        if end is not None:
            info["end_time"] = 1000 * (NOON + end)
        data = {"params": [{"key": "lr", "value": str(lr)}, {"key": "depth", "value": str(depth)}]}
        if loss is not None:
            data["metrics"] = [{"key": "loss", "value": loss, "timestamp": 1, "step": 0}]
        runs.append({"info": info, "data": data})
    file = tmp_path / "runs.json"
    file.write_text(json.dumps({"runs": runs}))
    return file, {"direction": "minimize"}


def ax_client(tmp_path):
    states = {"ok": "COMPLETED", "failed": "FAILED", "running": "RUNNING"}

    def moment(seconds):
        return None if seconds is None else {"__type": "datetime", "value": date(seconds)}

    trials, data = {}, {}
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        parameters = {"lr": lr, "depth": depth}
        arm = {"__type": "Arm", "parameters": parameters, "name": f"{i}_0"}
        trials[str(i)] = {
            "__type": "Trial",
            "index": i,
            "status": {"__type": "TrialStatus", "name": states[fate]},
            "time_created": moment(start),
            "time_run_started": moment(start),
            "time_completed": moment(end),
            "generator_run": {"__type": "GeneratorRun", "arms": [arm], "weights": [1.0]},
        }
        if loss is not None:
            row = {"arm_name": f"{i}_0", "metric_name": "loss", "mean": loss, "sem": None}
            frame = {name: {"0": cell} for name, cell in {**row, "trial_index": i}.items()}
            value = {"__type": "DataFrame", "value": json.dumps(frame)}
            data[str(i)] = {"value": [[1, {"__type": "Data", "df": value}]]}
    metric = {"__type": "Metric", "name": "loss", "lower_is_better": True}
    parameters = [
        {
            "__type": "RangeParameter",
            "name": name,
            "parameter_type": {"__type": "ParameterType", "name": kind},
            "lower": low,
            "upper": high,
            "log_scale": log,
        }
        for name, kind, low, high, log in (
            ("lr", "FLOAT", 1e-4, 1.0, True),
            ("depth", "INT", 2, 12, False),
        )
    ]
    experiment = {
        "__type": "Experiment",
        "name": "mine",
        "search_space": {"__type": "SearchSpace", "parameters": parameters},
        "optimization_config": {
            "__type": "OptimizationConfig",
            "objective": {"__type": "Objective", "metric": metric, "minimize": True},
        },
        "trials": trials,
        "data_by_trial": data,
    }
    file = tmp_path / "ax.json"
    file.write_text(json.dumps({"_type": "AxClient", "experiment": experiment}))
    return file, {}


def smac(tmp_path, version=2):
    data, configs = [], {}
    fates = {"ok": 1, "failed": 2, "running": 0}
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        configs[str(i + 1)] = {"lr": lr, "depth": depth}
        cost = float("inf") if fate == "failed" else 0.0 if loss is None else loss
        took = 0.0 if end is None else end - start
        ended = 0.0 if end is None else NOON + end
        key, times = [i + 1, None, 0, None], [NOON + start, ended, {}]
        if version == 1:
            word = {"ok": "SUCCESS", "failed": "CRASHED", "running": "RUNNING"}[fate]
            run = [[*key[:3], 0.0], [cost, took, {"__enum__": f"StatusType.{word}"}, *times]]
        elif version == 2:
            run = [*key, cost, took, fates[fate], *times]
        else:
            names = "config_id instance seed budget cost time cpu_time status starttime endtime"
            cells = [*key, cost, took, took, fates[fate], *times[:2]]
            run = {**dict(zip(names.split(), cells, strict=True)), "additional_info": {}}
        data.append(run)
    file = tmp_path / "runhistory.json"
    file.write_text(json.dumps({"data": data, "configs": configs, "config_origins": {}}))
    space = [
        {"type": "uniform_float", "name": "lr", "lower": 1e-4, "upper": 1.0, "log": True},
        {"type": "uniform_int", "name": "depth", "lower": 2, "upper": 12, "log": False},
        {"type": "categorical", "name": "kind", "choices": ["a"]},
    ]
    (tmp_path / "configspace.json").write_text(json.dumps({"hyperparameters": space}))
    return (file if version < 3 else tmp_path), {}


def smac_1(tmp_path):
    return smac(tmp_path, 1)


def smac_folder(tmp_path):
    return smac(tmp_path, 3)


def weights_and_biases(tmp_path):
    """The frame of the public interface: objects as text."""
    rows = ["name,state,config,summary"]
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        words = {"ok": "finished", "failed": "crashed", "running": "running"}
        summary = {"_timestamp": NOON + (end or start), "_runtime": (end or start) - start}
        if loss is not None:
            summary |= {"loss": loss, "_step": 3}
        config = {"lr": lr, "depth": depth, "seed": 1}
        shown = str(summary).replace("}", ", 'extra': nan}")
        rows.append(f'run{i},{words[fate]},"{config}","{shown}"')
    file = tmp_path / "project.csv"
    file.write_text("\n".join(rows) + "\n")
    columns = Columns(y="loss")
    return file, {"direction": "minimize", "columns": columns, "running": None}


def vizier(tmp_path):
    trials = []
    words = {"ok": "SUCCEEDED", "failed": "INFEASIBLE", "running": "ACTIVE"}
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        trial = {
            "id": str(i + 1),
            "state": words[fate],
            "parameters": [
                {"parameterId": "lr", "value": lr},
                {"parameterId": "depth", "value": {"numberValue": depth}},
            ],
            "startTime": date(start).replace(" ", "T") + "Z",
        }
        if end is not None:
            trial["endTime"] = date(end).replace(" ", "T") + "Z"
        if loss is not None:
            trial["finalMeasurement"] = {
                "stepCount": "3",
                "metrics": [{"metricId": "loss", "value": loss}],
            }
        trials.append(trial)
    spec = {
        "metrics": [{"metricId": "loss", "goal": "MINIMIZE"}],
        "parameters": [
            {
                "parameterId": "lr",
                "doubleValueSpec": {"minValue": 1e-4, "maxValue": 1},
                "scaleType": "UNIT_LOG_SCALE",
            },
            {"parameterId": "depth", "integerValueSpec": {"minValue": "2", "maxValue": "12"}},
        ],
    }
    file = tmp_path / "study.json"
    file.write_text(json.dumps({"studySpec": spec, "trials": trials}, indent=1))
    return file, {}


def hyperopt(tmp_path):
    states = {"ok": 2, "failed": 3, "running": 1}
    rows = []
    for i, (lr, depth, loss, start, end, fate) in enumerate(TRIALS):
        result = {"status": "ok", "loss": loss} if loss is not None else {"status": "new"}
        rows.append(
            {
                "tid": i,
                "state": states[fate],
                "result": result,
                "misc": {"vals": {"lr": [lr], "depth": [depth]}},
                "book_time": {"$date": date(start)},
                "refresh_time": {"$date": date(end)} if end is not None else None,
            }
        )
    file = tmp_path / "trials.json"
    file.write_text(json.dumps(rows))
    return file, {}


WRITERS = [
    optuna_database,
    optuna_journal,
    optuna_two_rows_of_names,
    mlflow_folder,
    mlflow_database,
    mlflow_answer,
    ax_client,
    smac,
    smac_1,
    smac_folder,
    weights_and_biases,
    vizier,
    hyperopt,
]
SAYS_RANGES = {optuna_database, optuna_journal, ax_client, smac, smac_1, smac_folder, vizier}


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__)
def test_one_study_in_the_files_of_every_tool(tmp_path, writer):
    path, given = writer(tmp_path)
    given = {"direction": None, **given}
    running = given.pop("running", 1)
    log = read_log(path, **given)
    short = [axis.name.split(".")[-1].removeprefix("params_") for axis in log.axes]
    order = [short.index("lr"), short.index("depth")]
    assert len(short) == 2
    assert log.direction == "minimize"
    assert log.values.tolist() == [0.5, 0.4, 0.9]
    assert log.times == pytest.approx([10.0, 25.0, 34.0], abs=1e-6)
    assert log.durations == pytest.approx([10.0, 15.0, 4.0], abs=1e-6)
    assert sum(count for reason, count in log.skipped.items() if "way" not in reason) == 1
    if running is not None:
        assert len(log.pending) == 1
    axes = [log.axes[i] for i in order]
    if writer in SAYS_RANGES:
        assert [(a.low, a.high, a.log, a.integer) for a in axes] == [
            (1e-4, 1.0, True, False),
            (2.0, 12.0, False, True),
        ]
        assert log.points[0, order] == pytest.approx([0.5, 0.1])
    else:
        lr, depth = (axis.from_unit(log.points[:, i]) for axis, i in zip(axes, order, strict=True))
        assert lr == pytest.approx([0.01, 0.001, 0.02])
        assert depth == pytest.approx([3, 5, 8])


def test_several_studies_are_asked_for(tmp_path):
    path, _ = optuna_database(tmp_path)
    with pytest.raises(InvalidInput, match=r"study = one of other, mine: .*--study NAME"):
        read_log(path, direction=None)
    with pytest.raises(InvalidInput, match=r"study = none: study.db has no such study; it has"):
        read_log(path, direction=None, study="none")


@pytest.mark.parametrize("address", ["sqlite:///{}", "sqlite:///{}?timeout=5", "sqlite:{}"])
def test_the_address_of_a_database(tmp_path, address):
    path, given = optuna_database(tmp_path)
    assert read_log(address.format(path), direction=None, **given).n == 3
    with pytest.raises(InvalidInput, match="databases behind an address are not opened"):
        read_log("postgresql://me@there/optuna", direction=None)


def test_the_users_word_against_the_files(tmp_path):
    path, given = optuna_database(tmp_path)
    log = read_log(path, direction="maximize", domain="lr=1e-3..0.5 log", **given)
    assert log.direction == "maximize"
    assert any("the file says minimize" in note for note in log.notes)
    assert sorted((a.low, a.high) for a in log.axes) == [(1e-3, 0.5), (2.0, 12.0)]


RAY = """loss,time_this_iter_s,training_iteration,trial_id,timestamp,time_total_s,config/lr,config/w
0.9,5,1,a,1714564805,5,0.1,1
0.7,5,2,a,1714564810,10,0.1,1
0.8,6,1,b,1714564816,6,0.2,3
0.6,4,2,b,1714564820,10,0.2,3
0.95,2,1,c,1714564822,2,0.4,2
"""


def test_epochs_of_ray_tune(tmp_path):
    file = tmp_path / "results.csv"
    file.write_text(RAY)
    log = read_log(file, direction="minimize", columns=Columns(y="loss"))
    assert log.values.tolist() == [0.7, 0.6]
    assert log.durations.tolist() == [10.0, 10.0]
    assert log.times.tolist() == [10.0, 20.0]
    assert log.now == 22.0
    assert log.rows == (2, 4)
    assert log.skipped == {"not at training_iteration 2": 1}
    every = read_log(file, direction="minimize", columns=Columns(y="loss", any_fidelity=True))
    assert every.values.tolist() == [0.7, 0.6, 0.95]


def test_folders_of_ray_tune_are_their_frame(tmp_path):
    header, *rows = RAY.strip().split("\n")
    names = header.split(",")
    for row in rows:
        cells = dict(zip(names, row.split(","), strict=True))
        place = tmp_path / "exp" / f"trial_{cells['trial_id']}"
        place.mkdir(parents=True, exist_ok=True)
        config = {n[7:]: float(v) for n, v in cells.items() if n.startswith("config/")}
        own = {n: float(v) for n, v in cells.items() if n != "trial_id" and n[:7] != "config/"}
        with (place / "result.json").open("a") as file:
            file.write(json.dumps({**own, "config": config}) + "\n")
    file = tmp_path / "results.csv"
    file.write_text(RAY)
    columns = Columns(y="loss")
    one = read_log(file, direction="minimize", columns=columns)
    other = read_log(tmp_path / "exp", direction="minimize", columns=columns)
    for name in ("points", "values", "times", "durations"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_syne_tune(tmp_path):
    rows = ["trial_id,config_lr,config_n,epoch,loss,st_decision,st_tuner_time,st_worker_time"]
    clock = 0.0
    for trial, (lr, n, epochs) in enumerate([(0.1, 1, 3), (0.2, 2, 3), (0.3, 3, 1), (0.4, 5, 3)]):
        for epoch in range(1, epochs + 1):
            clock += 2.0
            decision = "STOP" if epoch == epochs else "CONTINUE"
            loss = lr / epoch
            cells = [trial, lr, n, epoch, loss, decision, clock + 1.0, 2.0 * epoch]
            rows.append(",".join(map(str, cells)))
    folder = tmp_path / "exp"
    folder.mkdir()
    with zipfile.ZipFile(folder / "results.csv.zip", "w") as packed:
        packed.writestr("results.csv", "\n".join(rows) + "\n")
    (folder / "metadata.json").write_text(
        json.dumps({"metric_names": ["loss"], "metric_mode": "min"})
    )
    log = read_log(folder, direction=None)
    assert log.values == pytest.approx([0.1 / 3, 0.2 / 3, 0.4 / 3])
    assert log.durations.tolist() == [6.0, 6.0, 6.0]
    assert log.skipped == {"not at epoch 3": 1}
    alone = read_log(folder / "results.csv.zip", direction="minimize", columns=Columns(y="loss"))
    assert np.array_equal(alone.times, log.times)


@pytest.mark.parametrize(
    ("durations", "expected"),
    [
        ([1, 1, 1, 2, 2, 2, 1, 2, 3, 1, 1, 1], [3, 6, 6, 3]),  # each of an epoch: they add up
        ([1, 2, 3, 1, 3, 4, 2, 3, 4, 1, 5, 6, 2, 3, 5], [3, 4, 4, 6, 5]),  # of the trial until then
    ],
)
def test_durations_of_epochs(tmp_path, durations, expected):
    trials = len(durations) // 3
    rows = [
        f"{i},{e + 1},{i / 10},{durations[3 * i + e]},{i + e}"
        for i in range(trials)
        for e in range(3)
    ]
    file = tmp_path / "log.csv"
    file.write_text("trial,epoch,x,duration,y\n" + "\n".join(rows) + "\n")
    log = read_log(file, direction="maximize")
    assert log.durations.tolist() == expected
    assert log.times.tolist() == np.cumsum(expected).tolist()
    assert log.values.tolist() == [i + 2.0 for i in range(trials)]


def test_epochs_without_a_name_of_the_trial(tmp_path):
    rows = [f"{e},{x},2024-05-01 10:0{2 * x + e}:00,{x + e}" for x in range(3) for e in (1, 2)]
    file = tmp_path / "log.csv"
    file.write_text("epoch,x,end,y\n" + "\n".join(rows) + "\n")
    assert read_log(file, direction="maximize").values.tolist() == [2.0, 3.0, 4.0]


def test_budgets_of_smac_are_fidelities(tmp_path):
    data = [
        [1, None, 0, 1.0, 0.5, 1.0, 1, NOON, NOON + 1, {}],
        [2, None, 0, 1.0, 0.6, 1.0, 1, NOON + 1, NOON + 2, {}],
        [1, None, 0, 9.0, 0.3, 9.0, 1, NOON + 2, NOON + 11, {}],
        [2, None, 0, 9.0, 0.4, 9.0, 1, NOON + 11, NOON + 20, {}],
    ]
    configs = {"1": {"lr": 0.1}, "2": {"lr": 0.3}}
    file = tmp_path / "runhistory.json"
    file.write_text(json.dumps({"data": data, "configs": configs}))
    log = read_log(file, direction=None)
    assert log.values.tolist() == [0.3, 0.4]
    assert log.times.tolist() == [11.0, 20.0]
    assert log.skipped == {"not at budget 9": 2}


AX_FRAME = """trial_index,arm_name,trial_status,generation_node,loss,lr,depth
0,0_0,COMPLETED,Sobol,0.5,0.01,3
1,1_0,FAILED,Sobol,,0.02,4
2,2_0,COMPLETED,MBM,0.4,0.05,5
3,3_0,RUNNING,MBM,,0.03,6
"""


def test_equal_times(tmp_path):
    file = tmp_path / "ax.csv"
    file.write_text(AX_FRAME)
    columns = Columns(x=("lr", "depth"), y="loss")
    with pytest.raises(InvalidInput, match=r"duration = unknown: .*--duration equal"):
        read_log(file, direction="minimize", columns=columns)
    columns = Columns(x=("lr", "depth"), y="loss", duration="equal")
    log = read_log(file, direction="minimize", columns=columns)
    assert log.times.tolist() == [1.0, 3.0]  # the failed one took its time
    assert log.now == 3.0 and len(log.pending) == 1
    assert any("--duration equal" in note for note in log.notes)
    hours = read_log(file, direction="minimize", columns=columns, unit="h")
    assert hours.times.tolist() == [1.0, 3.0]
    columns = Columns(x=("lr",), y="loss", duration="equal", end="depth")
    with pytest.raises(InvalidInput, match="duration = equal, beside --end"):
        read_log(file, direction="minimize", columns=columns)
    file.write_text(AX_FRAME.replace("depth", "equal", 1))
    with pytest.raises(InvalidInput, match="duration = equal: a column is called so"):
        read_log(file, direction="minimize", columns=replace(columns, end=None))


def test_a_grid_of_scikit_learn(tmp_path):
    rows = [
        "mean_fit_time,std_fit_time,mean_score_time,param_C,params,split0_test_score,"
        "split1_test_score,mean_test_score,std_test_score,rank_test_score",
        "1.0,0.1,0.5,1,\"{'C': 1}\",0.8,0.9,0.85,0.05,2",
        "2.0,0.1,0.5,10,\"{'C': 10}\",0.9,0.9,0.9,0.0,1",
    ]
    file = tmp_path / "grid.csv"
    file.write_text("\n".join(rows) + "\n")
    log = read_log(file, direction=None)
    assert log.direction == "maximize"
    assert log.times.tolist() == [3.0, 8.0]
    assert log.values.tolist() == [0.85, 0.9]
    assert [axis.name for axis in log.axes] == ["param_C"]


def test_keras_tuner_and_hpbandster(tmp_path):
    folder = tmp_path / "keras"
    for i, (lr, score) in enumerate([(0.1, 0.9), (0.2, 0.8), (0.4, None)]):
        place = folder / f"trial_{i}"
        place.mkdir(parents=True)
        seen = [] if score is None else [{"value": [score], "step": 0}]
        metric = {"direction": "min", "observations": seen}
        trial = {
            "trial_id": str(i),
            "hyperparameters": {"space": [], "values": {"lr": lr, "tuner/epochs": 3}},
            "metrics": {"metrics": {"val_loss": metric}},
            "score": score,
            "best_step": 0,
            "status": "COMPLETED" if score is not None else "INVALID",
        }
        (place / "trial.json").write_text(json.dumps(trial))
    (folder / "oracle.json").write_text(json.dumps({"objective": {"name": "val_loss"}}))
    log = read_log(folder, direction=None, columns=Columns(duration="equal"))
    assert log.direction == "minimize" and log.values.tolist() == [0.9, 0.8]

    folder = tmp_path / "bohb"
    folder.mkdir()
    times = {"submitted": NOON - 1, "started": NOON, "finished": NOON + 3}
    later = {"submitted": NOON - 1, "started": NOON + 3, "finished": NOON + 9}
    key, other = [0, 0, 0], [0, 0, 1]
    (folder / "configs.json").write_text(lines([[key, {"lr": 0.1}, {}], [other, {"lr": 0.3}, {}]]))
    (folder / "results.json").write_text(
        lines(
            [
                [key, 9.0, times, {"loss": 0.5, "info": None}, None],
                [other, 9.0, later, {"loss": 0.4, "info": None}, None],
                [other, 9.0, later, None, "traceback"],
            ]
        )
    )
    log = read_log(folder, direction=None)
    assert log.times.tolist() == [3.0, 9.0] and log.values.tolist() == [0.5, 0.4]
    assert log.skipped == {"state crashed": 1}


def test_bayesian_optimization(tmp_path):
    state = {
        "pbounds": {"x": [0.0, 1.0], "y": [0.0, 2.0]},
        "keys": ["x", "y"],
        "params": [[0.5, 1.0], [0.2, 0.4]],
        "target": [3.0, 4.0],
    }
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    log = read_log(file, direction=None, columns=Columns(duration="equal"))
    assert log.direction == "maximize"
    assert log.points.tolist() == [[0.5, 0.5], [0.2, 0.2]]
    file = tmp_path / "logs.json"
    told = [
        {"target": 3.0, "params": {"x": 0.5}, "datetime": {"datetime": "2024", "elapsed": 2.0}},
        {"target": 4.0, "params": {"x": 0.2}, "datetime": {"datetime": "2024", "elapsed": 5.0}},
    ]
    file.write_text(lines(told))
    log = read_log(file, direction=None)
    assert log.times.tolist() == [2.0, 5.0] and log.direction == "maximize"


def test_rows_of_objects_are_a_table(tmp_path):
    rows = [{"x": 0.1, "duration": 1, "y": 5}, {"x": 0.4, "duration": 2, "y": 7}]
    columns = {name: {str(i): row[name] for i, row in enumerate(rows)} for name in rows[0]}
    split = {
        "columns": list(rows[0]),
        "index": [0, 1],
        "data": [list(row.values()) for row in rows],
    }
    lists = {name: [row[name] for row in rows] for name in rows[0]}
    for name, text in {
        "records": json.dumps(rows),
        "indented": json.dumps(rows, indent=2),
        "lines": lines(rows),
        "columns": json.dumps(columns),
        "split": json.dumps(split),
        "lists": json.dumps(lists),
        "inside": json.dumps({"name": "mine", "history": rows}),
    }.items():
        file = tmp_path / f"{name}.json"
        file.write_text(text)
        log = read_log(file, direction="maximize")
        assert (log.times.tolist(), log.values.tolist()) == ([1.0, 3.0], [5.0, 7.0]), name


SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def workbook(file, sheets):
    """The parts of an .xlsx that hold cells; texts are shared, as spreadsheets keep them."""
    shared = []
    with zipfile.ZipFile(file, "w") as book:
        names = "".join(
            f'<sheet name="{name}" sheetId="{i}" r:id="rId{i}"/>'
            for i, name in enumerate(sheets, 1)
        )
        book.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>{names}</sheets></workbook>',
        )
        links = "".join(
            f'<Relationship Id="rId{i}" Target="worksheets/sheet{i}.xml"/>'
            for i in range(1, len(sheets) + 1)
        )
        book.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{links}</Relationships>")
        styles = '<numFmt numFmtId="164" formatCode="[h]:mm:ss.000"/>'
        book.writestr(
            "xl/styles.xml",
            f'<styleSheet xmlns="{SHEET}"><numFmts>{styles}</numFmts><cellXfs>'
            '<xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
        )
        for i, rows in enumerate(sheets.values(), 1):
            lines_ = []
            for r, row in enumerate(rows, 1):
                cells = []
                for c, value in enumerate(row):
                    place = f"{chr(65 + c)}{r}"
                    if value is None:
                        continue
                    if isinstance(value, str):
                        shared.append(value)
                        cells.append(f'<c r="{place}" t="s"><v>{len(shared) - 1}</v></c>')
                    else:
                        style, number = value if isinstance(value, tuple) else (0, value)
                        cells.append(f'<c r="{place}" s="{style}"><v>{number}</v></c>')
                lines_.append(f'<row r="{r}">{"".join(cells)}</row>')
            book.writestr(
                f"xl/worksheets/sheet{i}.xml",
                f'<worksheet xmlns="{SHEET}"><sheetData>{"".join(lines_)}</sheetData></worksheet>',
            )
        items = "".join(f"<si><t>{text}</t></si>" for text in shared)
        book.writestr("xl/sharedStrings.xml", f'<sst xmlns="{SHEET}">{items}</sst>')


def test_a_workbook(tmp_path):
    file = tmp_path / "log.xlsx"
    rows = [
        ["x", "duration", "y", "note"],
        [0.1, (1, 10 / 86400), 5, None],
        [0.4, (1, 15 / 86400), None, "failed"],
        [0.2, (1, 4 / 86400), 7, "fine"],
    ]
    workbook(file, {"log": rows, "empty": [["nothing"]]})
    log = read_log(file, direction="maximize")
    assert log.times == pytest.approx([10.0, 29.0])
    assert log.values.tolist() == [5.0, 7.0]
    assert "sheet log" in log.notes
    workbook(file, {"a": rows, "b": rows})
    with pytest.raises(InvalidInput, match="study = one of a, b: name the sheet"):
        read_log(file, direction="maximize")
    assert read_log(file, direction="maximize", study="b").n == 2


def test_an_open_document(tmp_path):
    office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    table = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
    text = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"

    def cell(value):
        if isinstance(value, str):
            return f"<table:table-cell><text:p>{value}</text:p></table:table-cell>"
        return f'<table:table-cell office:value="{value}"/>'

    rows = [["x", "duration", "y"], [0.1, 1, 5], [0.4, 2, 7]]
    body = "".join(
        f"<table:table-row>{''.join(map(cell, row))}"
        '<table:table-cell table:number-columns-repeated="1000"/></table:table-row>'
        for row in rows
    )
    file = tmp_path / "log.ods"
    with zipfile.ZipFile(file, "w") as book:
        book.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{office}" xmlns:table="{table}" '
            f'xmlns:text="{text}"><table:table table:name="log">{body}'
            '<table:table-row table:number-rows-repeated="1048000"/></table:table>'
            "</office:document-content>",
        )
    assert read_log(file, direction="maximize").times.tolist() == [1.0, 3.0]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("folder", None, "this is a folder of no tuner that is known"),
        ("log", b"PAR1" + bytes(9), "Parquet"),
        ("log", b"PK\x03\x04" + bytes(9), "this zip archive is damaged"),
        ("log", b'{"data": [[9, 1]], "configs": {}}', "lacks|not as expected"),
        ("log", b"[" * 100_000, "it is no JSON"),
        ("log", b'{"op_code": 6}\n{"op_code": 6}', "not as expected"),
        ("log", b"\x80\x04\x95", "a pickle runs whatever it holds, so none is opened"),
        ("log", b'{"ongoing_trials": {}, "hyperparameters": {}}', "the folder that it lies in"),
        ("events.out.tfevents.17", b"\x18" + bytes(7) + b"\xa3", "HParams page as CSV"),
    ],
)
def test_what_is_no_log_is_named(tmp_path, name, content, message):
    file = tmp_path / name
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    with pytest.raises(InvalidInput, match=message) as caught:
        open_log(file)
    assert "\n" not in str(caught.value)


def test_a_database_of_another(tmp_path):
    file = tmp_path / "other.db"
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE t (x)")
    with pytest.raises(InvalidInput, match="neither Optuna's nor MLflow's"):
        open_log(file)


def test_a_storage_says_its_words(tmp_path):
    """Words that no trial had too; choices of another kind, and words of no trial, as observed."""
    rows = [{"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [1]}]
    choices = {
        "kernel": ["rbf", "poly", "linear"],
        "size": ["16", "32"],
        "mixed": ["a", None, "b"],
    }
    for i in range(6):
        rows.append({"op_code": 4, "study_id": 0, "datetime_start": date(2.0 * i)})
        for name, own in choices.items():
            text = json.dumps({"name": "CategoricalDistribution", "attributes": {"choices": own}})
            told = {"param_name": name, "param_value_internal": 2 * (i % 2), "distribution": text}
            if name == "size":
                told["param_value_internal"] = i % 2
            rows.append({"op_code": 5, "trial_id": i, **told})
        end = {"state": 1, "values": [float(i)], "datetime_complete": date(2.0 * i + 1)}
        rows.append({"op_code": 6, "trial_id": i, **end})
    file = tmp_path / "journal.log"
    file.write_text(lines(rows))
    log = read_log(file, direction=None)
    assert {str(axis) for axis in log.axes} == {
        "params.kernel=rbf|poly|linear",
        "params.size=16|32",
        "params.mixed=a|b",
    }
    kernel = [axis.name for axis in log.axes].index("params.kernel")
    assert [log.axes[kernel].value(place) for place in log.points[:, kernel]] == [
        "rbf",
        "linear",
    ] * 3
    assert any("ranges of the file" in note and "rbf|poly|linear" in note for note in log.notes)
    assert any("words as observed" in note and "mixed=a|b" in note for note in log.notes)
