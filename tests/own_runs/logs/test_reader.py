"""Logs of several tools and spellings, and every obstacle: a result, or one line that mends it."""

import gzip
import io
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from own_runs.logs.clock import clock_of
from own_runs.logs.columns import Columns
from own_runs.logs.reader import read_log, read_log_times

OPTUNA = """,number,value,datetime_start,datetime_complete,duration,params_depth,params_lr,state
0,0,0.5,2024-05-01 10:00:00,2024-05-01 10:00:10,0 days 00:00:10,3,0.01,COMPLETE
1,1,,2024-05-01 10:00:10,2024-05-01 10:00:20,0 days 00:00:10,4,0.02,FAIL
2,2,0.4,2024-05-01 10:00:30.5,2024-05-01 10:00:50,0 days 00:00:19.5,5,0.001,COMPLETE
3,3,0.9,2024-05-01 10:00:35,2024-05-01 10:00:45,0 days 00:00:10,6,0.1,TrialState.COMPLETE
4,4,0.7,2024-05-01 10:00:50,2024-05-01 10:00:55,0 days 00:00:05,7,0.1,PRUNED
5,5,,2024-05-01 10:00:55,,,8,0.05,RUNNING
"""
MLFLOW = """run_id,status,start_time,end_time,metrics.loss,params.lr
a,FINISHED,2024-05-01 10:00:00+00:00,2024-05-01 12:00:10+02:00,1.5,0.1
b,FAILED,2024-05-01 10:00:10+00:00,2024-05-01 10:00:12+00:00,,0.2
c,FINISHED,2024-05-01 10:00:12+00:00,2024-05-01 10:00:20+00:00,1.25,0.3
"""
WANDB = """Name,State,Created,Runtime,lr,loss
a,finished,2024-05-01T10:00:00.000Z,10,0.1,1.5
b,crashed,2024-05-01T10:00:10.000Z,5,0.2,
c,finished,2024-05-01T10:00:20.000Z,5,0.3,1.25
"""
PLAIN = "x1,x2,duration,y\n0.1,0.2,1,5\n0.3,0.4,2,7\n0.5,0.9,1.5,6\n"


def read(tmp_path, content, direction="minimize", name="log.csv", **options):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_log(file, direction=direction, **options)


def test_optuna(tmp_path):
    log = read(tmp_path, OPTUNA, domain="params_lr=1e-4..1 log, params_depth=2..12 int")
    assert log.times.tolist() == [10.0, 45.0, 50.0]
    assert log.durations.tolist() == [10.0, 10.0, 19.5]
    assert log.values.tolist() == [0.5, 0.9, 0.4]
    assert log.to_maximise.tolist() == [-0.5, -0.9, -0.4]
    assert log.rows == (1, 4, 3)
    assert log.now == 55.0
    assert log.skipped == {"state fail": 1, "state pruned": 1, "under way or waiting": 1}
    assert log.pending.shape == (1, 2)
    assert log.clock.workers == 2
    assert log.clock.idle == pytest.approx(10.5)
    assert log.clock.overlapping == pytest.approx(10.0)
    assert log.points[0] == pytest.approx([0.1, 0.5])
    assert log.evaluation_times().times.tolist() == [10.0, 45.0, 50.0]


def test_mlflow_and_weights_and_biases(tmp_path):
    mlflow = read(tmp_path, MLFLOW)
    assert mlflow.times.tolist() == [10.0, 20.0]
    assert [axis.name for axis in mlflow.axes] == ["params.lr"]
    wandb = read(tmp_path, WANDB, columns=Columns(x=("lr",), y="loss"))
    assert wandb.times.tolist() == [10.0, 25.0]
    assert wandb.skipped == {"state crashed": 1}


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.encode(),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        PLAIN.encode("utf-16-le"),
        PLAIN.encode("utf-16-be"),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace(",", "\t").encode(),
        PLAIN.replace(",", ";").replace(".", ",").encode(),
        gzip.compress(PLAIN.encode(), mtime=0),
        ("\n" + PLAIN + "\n\n").encode(),
    ],
)
def test_one_table_in_every_dress(tmp_path, content):
    log = read(tmp_path, content)
    assert log.times.tolist() == [1.0, 3.0, 4.5]
    assert log.values.tolist() == [5.0, 7.0, 6.0]
    assert log.points.tolist()[0] == [0.0, 0.0]
    assert log.clock is None


def test_standard_input(tmp_path, monkeypatch):
    standard = io.TextIOWrapper(io.BytesIO(PLAIN.encode()))
    monkeypatch.setattr("sys.stdin", standard)
    assert read_log("-", direction="maximize").n == 3


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**5)), min_size=2, max_size=8),
    st.sampled_from(["ms", "iso", "elapsed"]),
)
def test_ends_are_the_clock_however_they_are_written(tmp_path_factory, trials, spelling):
    base = 1_714_557_600_000

    def written(ms):
        if spelling == "ms":
            return str(base + ms)
        if spelling == "iso":
            return str(np.datetime64(base + ms, "ms"))
        return repr(ms / 1e3)

    rows = [f"{i / 10},{written(a)},{written(a + d)},{i}" for i, (a, d) in enumerate(trials)]
    content = "x,start,end,y\n" + "\n".join(rows) + "\n"
    log = read(tmp_path_factory.mktemp("log"), content, "maximize")
    origin = 0 if spelling == "elapsed" else min(a for a, _ in trials)
    ends = [(a + d - origin, i) for i, (a, d) in enumerate(trials)]
    expected = sorted(ends, key=lambda pair: pair[0])
    assert log.times == pytest.approx([e / 1e3 for e, _ in expected], abs=2e-3)
    assert log.values.tolist() == [float(i) for _, i in expected]
    assert log.durations == pytest.approx([trials[i][1] / 1e3 for _, i in expected], abs=2e-3)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), min_size=1, max_size=9))
def test_idle_and_overlap_by_counting_instants(trials):
    starts = np.array([a for a, _ in trials], float)
    ends = np.array([a + d for a, d in trials], float)
    running = [sum(a <= s < a + d for a, d in trials) for s in range(45)]
    clock = clock_of(starts, ends)
    assert clock.busy == sum(count > 0 for count in running)
    assert clock.overlapping == sum(max(count - 1, 0) for count in running)
    assert clock.idle == ends.max() - starts.min() - clock.busy
    assert clock.workers == max(1, *running)


OBSTACLES = [
    ("direction", PLAIN, {"direction": None}, "direction = unknown for y: .*--minimize"),
    ("empty", "", {}, "empty"),
    ("header alone", "x,duration,y\n", {}, "no rows"),
    ("no inputs", "a,duration,y\n1,1,1\n", {}, "inputs by --x, some of a, duration, y$"),
    ("no value", "x,duration,loss\n1,1,1\n", {}, "by --y, one of x, duration, loss$"),
    (
        "two values",
        "number,values_0,values_1,duration,params_a,state\n0,1,2,3,4,COMPLETE\n",
        {},
        "one of values_0, values_1",
    ),
    ("no times", "x,y\n1,1\n", {}, "name --duration, or --start and --end, of x, y; or say"),
    ("starts alone", "x,start,y\n1,1,1\n", {}, "only starts"),
    (
        "words and numbers",
        "x1,x2,duration,y\nadam,1,1,1\n3,1,1,1\n",
        {},
        "x1 in row 1 = adam: inputs are numbers, or words alone",
    ),
    (
        "as many words as rows",
        "x1,x2,duration,y\nadam,1,1,1\nsgd,2,1,1\n",
        {},
        "x1 = 2 words in 2 rows: too many to compare",
    ),
    ("text for y", "x,duration,y\n1,1,good\n", {}, "y in row 1 = good.*--y"),
    ("unknown column", PLAIN, {"columns": Columns(y="loss")}, "y = loss: log.csv has no such"),
    ("constant input", "x,duration,y\n1,1,1\n1,1,2\n", {}, "x = 1 in every row"),
    ("all failed", "x,duration,y,state\n1,1,,FAIL\n2,1,,FAIL\n", {}, "none has a value"),
    (
        "branches",
        "x1,x2,x3,kind,duration,y\n1.5,2,,a,1,5\n2,,3,b,1,6\n2,,4,b,1,7\n3,,3,b,1,7\n1,3,,b,1,5\n",
        {"columns": Columns(x=("x1", "x2", "x3", "kind"))},
        r"data = 5 rows: none has a value to use \(an input is missing\): take a branch, "
        r"--x x1,x3 \(3 rows\) or --x x1,x2,kind \(2 rows\)",
    ),
    ("backwards", "x,start,end,y\n1,5,4,1\n2,1,2,3\n", {}, "end in row 1 = 4: it ends before"),
    ("mixed kinds", "x,start,end,y\n1,2024-05-01,5,1\n", {}, "write both in one way"),
    ("short row", "x,duration,y\n1,1\n", {}, "data in row 1 = 2 cells"),
    ("long row", "x,duration,y\n1,1,2,3\n", {}, "decimal comma"),
    ("no UTF-8", "x,duration,y\n1,1,é\n".encode("latin-1"), {}, "save it as UTF-8"),
    ("cut gzip", gzip.compress(PLAIN.encode(), mtime=0)[:-9], {}, "damaged"),
    ("unit", PLAIN, {"unit": "fortnight"}, "unit = fortnight"),
    (
        "outside",
        PLAIN,
        {"domain": "x1=0.2..0.4"},
        r"x1 = 0.1 in row 1 to 0.5 in row 3: outside 0.2..0.4: give x1=0.1..0.5 in --domain",
    ),
    (
        "states of nobody",
        "x,duration,y,status\n1,1,1,fine\n2,1,2,fine\n",
        {},
        "status in row 1 = fine: neither .* --state status=WORD",
    ),
    ("no success", "x,duration,y,status\n1,1,1,0\n2,1,2,0\n", {}, "--state status=WORD"),
    (
        "epochs of a trial",
        "trial_id,epoch,x,duration,y\na,1,1,1,1\nb,1,2,1,2\na,2,1,1,3\n",
        {},
        "epoch = 2 in one trial of 2: .* --fidelity epoch=any",
    ),
    (
        "rows of a trial without an epoch",
        "trial_id,x,duration,y\na,1,1,1\nb,2,1,2\na,1,1,3\n",
        {},
        "trial_id = a in rows 1 and 3: one trial has several rows: .*--fidelity NAME",
    ),
    (
        "durations of epochs or of trials",
        "trial,epoch,x,duration,y\na,1,1,1,1\na,2,1,2,2\nb,1,2,1,3\nb,2,2,3,4\n",
        {},
        "duration = rising within its trials: .*give --start and --end",
    ),
    (
        "day or month",
        "x,end,y\n1,05/06/2024 10:00,1\n2,06/06/2024 10:00,2\n",
        {},
        "end = 05/06/2024 10:00: day or month first.* as 2024-06-05",
    ),
    (
        "day and month",
        "x,end,y\n1,13/06/2024 10:00,1\n2,06/14/2024 10:00,2\n",
        {},
        "end = 13/06/2024 10:00: 06/14/2024 10:00 has the month first",
    ),
    ("two digits of a year", "x,end,y\n1,13/06/24,1\n2,14/06/24,2\n", {}, "no date that is known"),
    ("half of no day", "x,end,y\n1,13/06/2024 13:00 PM,1\n", {}, "no date that is known"),
    (
        "named zone",
        "x,end,y\n1,2024-05-01 10:00:00 CET,1\n",
        {},
        "end in row 1 .*CET may be several zones: write its offset",
    ),
    (
        "days and dates",
        "x,start,end,y\n1,45413.1,2024-05-01T00:00:00Z,1\n",
        {},
        "days of a spreadsheet and dates with a zone",
    ),
    ("JSON without rows", '{\n "x": 1\n}', {}, "this JSON holds no rows of trials"),
    ("no JSON", '{"x": 1,', {}, "it is no JSON"),
    ("bad line of JSON", '{"x": 1}\n{"x": \n{"x": 2}\n', {}, "data in line 2 = .*no JSON"),
    ("SQLite", b"SQLite format 3\x00" + bytes(84), {}, "this database (is neither|cannot)"),
    ("zip", b"PK\x03\x04" + bytes(26), {}, "this zip archive is damaged"),
    ("zip in gzip", gzip.compress(b"PK\x03\x04" + bytes(26)), {}, "a zip archive"),
    ("domain said twice", OPTUNA, {"domain": "lr=1e-4..1, params_lr=1e-4..2"}, "one range for"),
    (
        "no deviation",
        "x,duration,y,sd\n1,1,1,2\n2,1,2,0\n",
        {"columns": Columns(sd="sd")},
        "sd in row 2 = 0: give a positive standard deviation",
    ),
    ("domain of another", PLAIN, {"domain": "z=0..1"}, "domain = z"),
    ("y among x", PLAIN, {"columns": Columns(x=("y",), y="y")}, "among the inputs"),
]


@pytest.mark.parametrize(
    ("content", "options", "message"), [o[1:] for o in OBSTACLES], ids=[o[0] for o in OBSTACLES]
)
def test_obstacles_are_one_line(tmp_path, content, options, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        read(tmp_path, content, **options)
    assert "\n" not in str(caught.value)


def test_names_of_inputs_may_lack_the_prefix_of_the_tool(tmp_path):
    long = read(tmp_path, OPTUNA, domain="params_lr=1e-4..1 log, params_depth=2..12 int")
    short = read(tmp_path, OPTUNA, domain="lr=1e-4..1 log, depth=2..12 int")
    assert short.axes == long.axes
    named = read(tmp_path, MLFLOW, columns=Columns(x=("lr",), y="loss"))
    assert [axis.name for axis in named.axes] == ["params.lr"]


def test_seconds_in_a_name_are_seconds_in_any_unit(tmp_path):
    plain = PLAIN.replace("duration", "duration_seconds")
    hours = [time / 3600 for time in read(tmp_path, plain).times]
    assert read(tmp_path, plain, unit="h").times == pytest.approx(hours)
    assert read(tmp_path, PLAIN, unit="h").times.tolist() == [1.0, 3.0, 4.5]
    runtime = read(tmp_path, WANDB, unit="min", columns=Columns(x=("lr",), y="loss"))
    assert runtime.durations == pytest.approx([10 / 60, 5 / 60])


def test_deviations_of_y_are_variances_of_one_on_average(tmp_path):
    content = "x,duration,y,se\n1,1,5,1\n2,1,,\n3,1,7,3\n"
    log = read(tmp_path, content, columns=Columns(sd="se"))
    assert log.noise.matrix == pytest.approx(np.diag([0.2, 1.8]))
    assert log.notes[-1] == "the noise of each row is in proportion to se"
    with pytest.raises(InvalidInput, match="noise = 2 rows: give 3"):
        replace(read(tmp_path, PLAIN), noise=log.noise)


def test_a_noise_matrix_is_of_all_rows_of_the_file(tmp_path):
    content = "x,duration,y,end\n1,1,5,9\n2,1,,7\n3,1,7,3\n"
    given = np.array([[4.0, 9.0, 1.0], [9.0, -1.0, 9.0], [1.0, 9.0, 12.0]])
    log = read(tmp_path, content, noise=given)
    # The third row ends before the first, and the second has no value.
    assert log.noise.matrix == pytest.approx(np.array([[12.0, 1.0], [1.0, 4.0]]) / 8.0)
    alone = read(tmp_path, content, noise=np.diag([4.0, 1.0, 12.0]))
    by_sd = (
        content.replace("end\n", "end,sd\n").replace(",9\n", ",9,2\n").replace(",7\n2", ",7,1\n2")
    )
    by_sd = by_sd.replace("7\n3", "7,1\n3").replace("7,3\n", f"7,3,{12**0.5}\n")
    same = read(tmp_path, by_sd, columns=Columns(sd="sd"))
    assert alone.noise.matrix == pytest.approx(same.noise.matrix)
    with pytest.raises(InvalidInput, match="noise-matrix = 2 x 2: give 3 x 3"):
        read(tmp_path, content, noise=np.eye(2))
    with pytest.raises(InvalidInput, match="drop it, or drop --sd"):
        read(tmp_path, by_sd, columns=Columns(sd="sd"), noise=given)
    for wrong, why in ((-given, "positive"), (given * [[1], [1], [0]], "positive|symmetric")):
        with pytest.raises(InvalidInput, match=f"noise.*({why})"):
            read(tmp_path, content, noise=wrong)


def test_duplicated_timestamps_and_a_missing_file(tmp_path):
    log = read(tmp_path, "x,end,y\n1,5,1\n2,5,2\n3,5,3\n")
    assert log.times.tolist() == [5.0, 5.0, 5.0] and "end before" not in " ".join(log.notes)
    back = read(tmp_path, "x,tau,y\n1,5,1\n2,3,2\n3,7,3\n")
    assert back.rows == (2, 1, 3)
    assert back.notes[-1] == "1 rows end before the one above: taken in the order of their ends"
    with pytest.raises(InvalidInput, match="no such file"):
        read_log(tmp_path / "none.csv", direction="maximize")


def test_ten_thousand_rows_in_a_second(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["number,value,datetime_start,datetime_complete,duration,params_a,state"]
    for i in range(10_000):
        start = np.datetime64("2024-05-01T00:00:00.000001") + np.timedelta64(i, "s")
        lines.append(f"{i},{rng.random()},{start},{start},0 days 00:00:02.96,{i % 7},COMPLETE")
    begun = time.process_time()
    log = read(tmp_path, "\n".join(lines))
    assert log.n == 10_000
    assert time.process_time() - begun < 1.0


def test_times_alone(tmp_path):
    file = tmp_path / "trials.csv"
    file.write_text(OPTUNA)
    times, notes = read_log_times(file)
    assert times.times.tolist() == [10.0, 45.0, 50.0]
    assert "3 rows that are not complete are no rounds" in notes
    file.write_text("t;y\n0:00:02;1\n1:00;2\n")
    assert read_log_times(file, unit="min")[0].times.tolist() == pytest.approx(
        [2 / 60, 60 + 2 / 60]
    )
    file.write_text("duration,state\n1,FAIL\n")
    with pytest.raises(InvalidInput, match="none is complete"):
        read_log_times(file)


@pytest.mark.parametrize(
    "word", ["SUCCEEDED", "TERMINATED", "True", "1", "1.0", "Finished", "StatusType.SUCCESS"]
)
def test_successes_of_other_tools(tmp_path, word):
    content = f"x,duration,y,status\n1,1,1,{word}\n2,1,,FAILED\n3,1,3,{word}\n4,1,,False\n"
    log = read(tmp_path, content)
    assert log.rows == (1, 3) and log.skipped == {"state failed": 1, "state false": 1}


def test_words_of_success_may_be_named(tmp_path):
    content = "x,duration,y,how\n1,1,1,fine\n2,1,5,complete\n3,1,3,Good\n4,1,4,\n"
    assert read(tmp_path, content).n == 4
    log = read(tmp_path, content, columns=Columns(state="how", successes=("fine", "good")))
    assert log.rows == (1, 3) and log.skipped == {"state complete": 1, "state empty": 1}


def test_repetitions_and_rounds_are_no_epochs(tmp_path):
    """Repeated inputs, a counter of rounds, and a last epoch that differs from trial to trial."""
    for content in (
        "step,x,duration,y\n1,1,1,1\n2,2,1,2\n3,1,1,3\n4,3,1,3\n5,4,1,3\n",
        "epoch,x,duration,y\n10,1,1,1\n7,2,1,2\n9,3,1,3\n",
        "run,step,x,duration,y\n1,1,1,1,1\n1,2,2,1,2\n1,3,3,1,3\n",
        "trial,x,duration,y\n1,1,1,1\n2,1,1,2\n3,2,1,3\n",
    ):
        assert read(tmp_path, content).n == content.count("\n") - 1


MOMENTS = [np.datetime64("2024-05-13T09:30:00"), np.datetime64("2024-06-02T21:05:30")]


@pytest.mark.parametrize(
    ("spelling", "note"),
    [
        (("2024-05-13 09:30:00 UTC", "2024-06-02 21:05:30 UTC"), ""),
        (("2024-05-13T09:30:00Z", "2024-06-02 21:05:30 GMT"), ""),
        (("2024-05-13 09:30:00 +0000 UTC", "2024-06-02 23:05:30 +02:00"), ""),
        (("13/05/2024 09:30", "02/06/2024 21:05:30"), ""),
        (("13.5.2024 9:30:00", "2.6.2024, 21:05:30"), ""),
        (("5/13/2024 9:30 AM", "6/2/2024 9:05:30 PM"), ""),
        (("13-05-2024 11:30 +0200", "02-06-2024 21:05:30 UTC"), ""),
        (("2024/05/13 9:30", "2024/6/2 21:05:30"), ""),
        (("2024-05-13_09-30-00", "2024-06-02_21-05-30"), ""),
        (
            ("45425.395833333336", "45445.87881944445"),
            "end is read as days of a spreadsheet, from 2024-05-13",
        ),
    ],
)
def test_dates_as_tools_and_spreadsheets_write_them(tmp_path, spelling, note):
    content = f'x,end,y\n1,"{spelling[0]}",1\n2,"{spelling[1]}",2\n'
    log = read(tmp_path, content)
    apart = (MOMENTS[1] - MOMENTS[0]) / np.timedelta64(1, "s")
    assert log.times[1] - log.times[0] == pytest.approx(apart, abs=1e-3)
    assert any(one.startswith(note) for one in log.notes)
    semicolons = content.replace(",", ";").replace(";;", ";")
    assert read(tmp_path, semicolons.replace("2024;", "2024,")).times == pytest.approx(
        log.times, abs=1e-3
    )


def test_one_column_shows_the_day_of_the_other(tmp_path):
    content = "x,start,end,y\n1,05/12/2024 23:00,06/12/2024 01:00,1\n2,12/12/2024,13/12/2024,2\n"
    assert read(tmp_path, content).durations.tolist() == [7200.0, 86400.0]
    one_day = "x,start,end,y\n1,05/06/2024 10:00,05/06/2024 10:30,1\n"
    one_day += "2,05/06/2024 11:00,05/06/2024 11:01,1\n"
    assert read(tmp_path, one_day).durations.tolist() == [1800.0, 60.0]


def test_times_elapsed_are_no_serial_days(tmp_path):
    log = read(tmp_path, "x,end,y\n1,36600,1\n2,45000,2\n")
    assert log.times.tolist() == [36600.0, 45000.0]
    assert not any("spreadsheet" in note for note in log.notes)


def test_inputs_of_unsaid_scale_are_named(tmp_path):
    content = "a,b,c,duration,y\n1,1,-1,1,1\n10,9.9,50,1,2\n"
    columns = Columns(x=("a", "b", "c"))
    assert read(tmp_path, content, columns=columns).unsaid == ("a",)
    assert read(tmp_path, content, columns=columns, domain="a=1..10").unsaid == ()


def test_times_of_epochs_are_those_of_their_trials(tmp_path):
    file = tmp_path / "log.csv"
    file.write_text("trial_id;epoch;duration\na;1;1\na;2;1\nb;1;1\nb;2;3\n")
    assert read_log_times(file)[0].times.tolist() == [2.0, 6.0]
    for content in ("run;step;duration\n1;1;1\n1;2;1\n", "trial_id;duration\n1;1\n1;2\n"):
        file.write_text(content)
        assert read_log_times(file)[0].n == 2


def test_a_duration_that_disagrees_with_its_ends(tmp_path):
    """As a frame with timedeltas is when a spreadsheet kept them as shares of a day."""
    dates = ["2024-05-01 10:00:00", "2024-05-01 10:00:10", "2024-05-01 10:00:25"]
    rows = [f"{i},{dates[i]},{dates[i + 1]},{(10, 15)[i] / 86400},{i}" for i in range(2)]
    log = read(tmp_path, "x,start,end,duration,y\n" + "\n".join(rows) + "\n")
    assert log.durations.tolist() == [10.0, 15.0]
    assert "duration disagrees with the starts and ends, which are taken" in log.notes


def test_names_of_times_and_states_in_other_letters(tmp_path):
    """As spreadsheets and trackers have them: a row that failed is not taken for one that did."""
    text = (
        "ID,STATUS,STARTED,COMPLETED,lr,loss\n"
        "a,Completed,2025-03-04T09:00:00,2025-03-04T09:00:30,0.1,0.5\n"
        "b,Failed,2025-03-04T09:00:30,2025-03-04T09:00:40,0.2,0.1\n"
        "c,Completed,2025-03-04T09:00:40,2025-03-04T09:01:40,0.3,0.4\n"
    )
    log = read(tmp_path, text, columns=Columns(x=("lr",), y="loss"))
    assert log.durations.tolist() == [30.0, 60.0] and log.skipped == {"state failed": 1}
    sheet = read(tmp_path, PLAIN.replace("duration", "Duration"))
    assert sheet.durations.tolist() == [1.0, 2.0, 1.5]
    with pytest.raises(InvalidInput, match="duration = unknown"):  # two that may be meant
        read(tmp_path, "x1,Duration,DURATION,y\n0.1,1,1,5\n0.3,2,2,7\n")
