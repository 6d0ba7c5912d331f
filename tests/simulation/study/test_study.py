import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace

import numpy as np
import pytest

import simulation.runs.run as run_module
import simulation.study.folder as folder_module
import simulation.study.study as study_module
from bounds.domain import Grid
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Matern
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.runs.run import Trajectory
from simulation.study.study import StudySpec, run_study
from simulation.study.workers import StudyFailed

PROBLEM = Problem(
    EvaluationTimes.from_durations(np.linspace(1.0, 2.0, 12)),
    space_kernel=Matern(2.5, 0.2),
    domain=Grid(2, 1.0, 7),
)
SPEC = StudySpec(PROBLEM, "biased", seeds=3, initial=4, rounds=6)


def same_bits(first, second):
    for policy in first.trajectories:
        pairs = zip(first.trajectories[policy], second.trajectories[policy], strict=True)
        for a, b in pairs:
            for field in fields(Trajectory):
                np.testing.assert_array_equal(getattr(a, field.name), getattr(b, field.name))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The finished study and its folder."""
    folder = tmp_path_factory.mktemp("whole")
    return run_study(SPEC, folder), folder


@pytest.fixture
def held(whole, tmp_path):
    """A copy of the folder, to be changed."""
    return shutil.copytree(whole[1], tmp_path / "held")


def test_the_number_of_workers_does_not_change_a_bit(whole, tmp_path):
    same_bits(whole[0], run_study(SPEC, tmp_path / "two", workers=2))
    same_bits(whole[0], run_study(SPEC, tmp_path / "two"))


def test_results_are_labelled_by_policy_and_seed(whole):
    study, _ = whole
    assert list(study.trajectories) == ["ctv-fixed", "random"]
    for policy, runs in study.trajectories.items():
        assert [(run.policy, run.seed) for run in runs] == [(policy, s) for s in (0, 1, 2)]
    assert study.array("cumulative_regret").shape == (2, 3, 10)
    assert study.array("regrets")[1, 2, 3] == study.trajectories["random"][2].regrets[3]


def test_seeds_start_where_they_are_told(whole):
    later = run_study(replace(SPEC, seed=2, seeds=1))
    same = whole[0].trajectories["random"][2]
    np.testing.assert_array_equal(later.trajectories["random"][0].points, same.points)


class Interrupted(Exception):
    pass


def test_an_interrupted_study_resumes_to_the_same_bits(whole, tmp_path):
    def interrupt(done, total, message):
        if done == 3:
            raise Interrupted

    with pytest.raises(Interrupted):
        run_study(SPEC, tmp_path, progress=interrupt)
    assert len(list(tmp_path.glob("*.npz"))) == 3
    told = []
    resumed = run_study(SPEC, tmp_path, progress=lambda *event: told.append(event))
    assert resumed.resumed == 3
    assert told[0] == (3, 6, "3 finished cells read")
    assert [done for done, _, _ in told] == [3, 4, 5, 6]
    same_bits(resumed, whole[0])
    assert run_study(SPEC, tmp_path).resumed == 6


def test_leftovers_of_a_kill_are_no_obstacle(held, tmp_path):
    (held / ".random-1.npz.123.tmp").write_bytes(b"half a ce")
    assert run_study(SPEC, held).resumed == 6
    killed_at_once = tmp_path / "other"
    killed_at_once.mkdir()
    (killed_at_once / ".study.json.123.tmp").write_bytes(b"{")
    assert run_study(SPEC, killed_at_once).resumed == 0


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "swapped", "foreign"])
def test_a_damaged_cell_is_found_and_computed_again(whole, held, damage):
    cell = held / "random-1.npz"
    content = bytearray(cell.read_bytes())
    if damage == "empty":
        content = b""
    elif damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "flipped":
        # A number of the array of observations, wherever that lies in the file.
        place = content.index(whole[0].trajectories["random"][1].observations.tobytes())
        content[place + 3] ^= 0x40
    elif damage == "swapped":
        content = (held / "random-2.npz").read_bytes()
    else:
        content = b"\x93NUMPY and nothing else"
    cell.write_bytes(content)
    told = []
    again = run_study(SPEC, held, progress=lambda *event: told.append(event))
    assert again.repaired == ("random-1.npz",)
    assert "damaged, computed again: random-1.npz" in told[0][2]
    same_bits(whole[0], again)
    assert run_study(SPEC, held).repaired == ()


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("seed", np.array([1, 1])),
        ("seed", np.array("one")),
        ("seed", np.array(np.inf)),
        ("initial", np.array(5)),
        ("noise_variance", np.array(np.nan)),
        ("points", np.full(10, 49)),
        ("points", np.full(10, -1)),
        ("points", np.full(10, 0.5)),
        ("points", np.zeros(9, dtype=int)),
        ("durations", np.full(10, -1.0)),
        ("observations", np.full(10, np.nan)),
        ("values", np.full(10, "1")),
        ("best_values", lambda one: one - 100.0),
        ("values", lambda one: one + 100.0),
        ("times", lambda one: one[::-1]),
        ("times", lambda one: one * (1.0 + 1e-6)),
        ("durations", lambda one: 2.0 * one),
        ("deviations", lambda one: -one),
        ("deviations", lambda one: 1.1 * one),
    ],
)
def test_a_cell_with_impossible_numbers_is_damaged(whole, held, entry, value):
    """Of themselves, or beside others: once a best value 100 too low gave a regret below 0."""
    cell = held / "random-1.npz"
    with np.load(cell, allow_pickle=False) as numbers:
        changed = value(numbers[entry]) if callable(value) else value
        np.savez(cell, **{**numbers, entry: changed})
    again = run_study(SPEC, held)
    assert again.repaired == ("random-1.npz",)
    same_bits(whole[0], again)


def test_a_stored_gain_that_rounding_spoilt_is_not_taken_over(tmp_path, monkeypatch):
    """A folder from before such runs were refused."""
    still = Problem(PROBLEM.times, epsilon=0.0, noise_variance=1e-16, domain=Grid(1, 1.0, 2))
    spec = replace(SPEC, problem=still, policies=("ctv-fixed",), rounds=20)
    with monkeypatch.context() as unchecked:
        unchecked.setattr(run_module, "is_resolved", lambda variances, noise_variance: True)
        run_study(spec, tmp_path)
    with pytest.raises(NumericalFailure, match=r"noise-variance = 1e-16: rounding"):
        run_study(spec, tmp_path)


def test_a_manifest_that_was_changed_is_restored(held):
    manifest = held / "study.json"
    before = manifest.read_bytes()
    said = json.loads(before)
    manifest.write_text(json.dumps({**said, "study": {**said["study"], "policies": "tv"}}))
    with pytest.raises(InvalidInput, match=r"study.json was changed: .* restores it"):
        folder_module.StudyFolder.existing(held)
    assert run_study(SPEC, held).resumed == 6
    assert manifest.read_bytes() == before


def test_the_folder_of_another_study_is_refused_and_left_alone(held):
    before = {path.name: path.read_bytes() for path in held.iterdir()}
    with pytest.raises(InvalidInput, match=r"another study \(other rounds\)"):
        run_study(replace(SPEC, rounds=7), held)
    with pytest.raises(InvalidInput, match=r"other space_kernel, model_kernel"):
        other = replace(PROBLEM, space_kernel=Matern(1.5, 0.2))
        run_study(replace(SPEC, problem=other), held)
    assert before == {path.name: path.read_bytes() for path in held.iterdir()}


def test_a_folder_that_holds_something_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(InvalidInput, match="not empty and holds no study"):
        run_study(SPEC, tmp_path)
    (tmp_path / "study.json").write_text("not json")
    with pytest.raises(InvalidInput, match="cannot be read as a study"):
        run_study(SPEC, tmp_path)
    with pytest.raises(InvalidInput, match="cannot be used"):
        run_study(SPEC, tmp_path / "thesis.tex" / "below")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["study.json", "thesis.tex"]


def test_a_full_disk_is_one_line_and_leaves_no_half_cell(held, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    (held / "random-2.npz").unlink()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidInput, match=r"No space left on device\); earlier cells are intact"):
        run_study(SPEC, held)
    assert not list(held.glob(".*.tmp"))
    monkeypatch.undo()
    assert run_study(SPEC, held).resumed == 5


def test_the_identity_is_plain_data_and_forgets_how_it_is_run(tmp_path):
    identity = json.loads(json.dumps(SPEC.identity()))
    assert "workers" not in identity and "out" not in identity
    assert identity == json.loads(json.dumps(replace(SPEC).identity()))
    csv = replace(SPEC, setting="csv", rounds=8)
    longer = Problem(
        EvaluationTimes.from_durations(np.linspace(1.0, 2.1, 12)), domain=Grid(2, 1.0, 7)
    )
    assert csv.identity() != replace(csv, problem=longer).identity()


def test_measured_durations_are_used_in_order_or_by_regression():
    in_order = replace(SPEC, setting="csv", rounds=8)
    run = run_study(in_order).trajectories["random"][0]
    np.testing.assert_array_equal(run.durations, PROBLEM.times.durations)
    inputs = np.random.default_rng(0).random((12, 2))
    moving = replace(SPEC, setting="csv", rounds=20, inputs=inputs)
    run = run_study(moving).trajectories["random"][0]
    np.testing.assert_array_equal(run.durations, moving.durations.of_round(0)[run.points])
    with pytest.raises(
        InvalidInput, match="rounds = 13: there are 12 durations in the times given"
    ):
        replace(in_order, rounds=9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policies": ("ctv-fixd",)}, "did you mean ctv-fixed"),
        ({"policies": ()}, "at least one policy"),
        ({"policies": ("random", "random")}, "each policy once"),
        ({"setting": "unform"}, "setting = unform"),
        ({"seeds": 0}, "seeds = 0"),
        ({"seeds": 10**10}, "seeds = 10000000000: give at most 1000000"),
        ({"rounds": 10**10}, "rounds = 10000000000: give at most 10000000"),
        ({"initial": 10**10}, "initial = 10000000000: give at most 10000000"),
        ({"seed": -1}, "seed = -1"),
        ({"initial": -1}, "initial = -1"),
        ({"rounds": -5}, "rounds = -5"),
        ({"initial": 0, "rounds": 0}, "at least one round"),
        ({"acquisition": "x"}, "acquisition = x"),
        ({"exploration": "x"}, "exploration = x"),
        ({"inputs": np.ones((12, 2))}, "inputs belong to the setting csv"),
        ({"setting": "uniform", "evaluation_time": -1.0}, "evaluation-time = -1.0"),
        (
            {"setting": "uniform", "evaluation_time": 0.0, "policies": ("ctv-simple",)},
            "ctv-simple: it models log t",
        ),
        ({"setting": "csv", "inputs": np.ones((3, 2))}, "one row of inputs per duration"),
        (
            {"problem": replace(PROBLEM, time_kernel=Matern(1.5, 9.0))},
            "need the forgetting or the exponential time kernel",
        ),
    ],
)
def test_bad_specifications_are_named(changes, message):
    with pytest.raises(InvalidInput, match=message):
        replace(SPEC, **changes)


def kill_worker_once(job, factor):
    """A cell whose worker dies unless a file says that it died before."""
    marks = job.folder.root.parent / "marks"
    dies = (job.policy, job.seed) == ("random", 1)
    if dies and len(list(marks.iterdir())) < int((marks.parent / "deaths").read_text()):
        (marks / str(time.monotonic_ns())).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return whole_cell(job, factor)


whole_cell = study_module._run


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_cell_whose_worker_dies_is_tried_again_and_then_named(
    whole, tmp_path, monkeypatch, deaths
):
    (tmp_path / "marks").mkdir()
    (tmp_path / "deaths").write_text(str(deaths))
    monkeypatch.setattr(study_module, "_run", kill_worker_once)
    told = []
    out = tmp_path / "out"
    if deaths == 1:
        study = run_study(SPEC, out, workers=2, progress=lambda *event: told.append(event[2]))
        assert "a worker died: its cells are run again" in told
        same_bits(study, whole[0])
        return
    with pytest.raises(StudyFailed, match="died twice at random seed 1"):
        run_study(SPEC, out, workers=2)
    monkeypatch.undo()
    resumed = run_study(SPEC, out)
    assert resumed.resumed >= 1 and resumed.repaired == ()
    same_bits(resumed, whole[0])


@pytest.mark.parametrize(
    "pause", [0.15, *(pytest.param(p, marks=pytest.mark.slow) for p in (0.0, 0.4, 1.0))]
)
def test_kill_minus_nine_leaves_a_study_that_resumes(tmp_path, pause):
    """The whole process is killed at some moment after its first cell."""
    code = (
        "import sys; from pathlib import Path; from tests.simulation.study.test_study import SPEC\n"
        "from dataclasses import replace; from simulation.study.study import run_study\n"
        "told = lambda *event: print(event, flush=True)\n"
        "run_study(replace(SPEC, seeds=40), Path(sys.argv[1]), progress=told)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "out")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    process.stdout.readline()
    time.sleep(pause)
    process.kill()
    process.communicate()
    resumed = run_study(replace(SPEC, seeds=40), tmp_path / "out")
    assert resumed.resumed >= 1 and resumed.repaired == ()
    same_bits(resumed, run_study(replace(SPEC, seeds=40)))


def test_an_error_in_a_worker_is_the_same_one_line(held):
    (held / "random-2.npz").unlink()
    (held / "random-2.npz").mkdir()
    with pytest.raises(InvalidInput, match=r"random-2.npz: cannot be written"):
        run_study(SPEC, held, workers=2)


@pytest.mark.slow
def test_a_local_dask_cluster_gives_the_same_bits(tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
        ) as cluster,
        distributed.Client(cluster),
    ):
        study = run_study(SPEC, tmp_path / "out", workers=2, backend="dask")
    same_bits(study, run_study(SPEC))
    assert run_study(SPEC, tmp_path / "out").resumed == 6


def test_what_cannot_be_asked_is_refused(monkeypatch):
    with pytest.raises(InvalidInput, match="workers = 0"):
        run_study(SPEC, workers=0)
    with pytest.raises(InvalidInput, match="backend = threads: use loky, dask"):
        run_study(SPEC, backend="threads")
    pytest.importorskip("distributed")
    with pytest.raises(InvalidInput, match=r"backend = dask: connect a distributed.Client"):
        run_study(SPEC, backend="dask")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InvalidInput, match=r"backend = dask: install ctv-bounds\[cluster\]"):
        run_study(SPEC, backend="dask")
