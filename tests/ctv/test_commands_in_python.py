"""`import ctv`: quick, and every function returns the value that its command prints."""

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import bounds
import ctv
import simulation
from bounds import EvaluationTimes, Grid, InvalidInput, Problem, SquaredExponential
from ctv import extensions
from ctv.cli import COMMANDS, hidden_package
from ctv.show.plain import plain

DURATIONS = [1.0, 2.0, 3.0, 30.0, 1.0, 2.0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "durations.csv"
    path.write_text("duration\n" + "".join(f"{t}\n" for t in DURATIONS))
    return path


def test_every_command_is_a_function() -> None:
    assert set(COMMANDS) <= set(ctv.__all__)
    assert set(dir(ctv)) == {*ctv.__all__, *extensions.names("commands")}
    for name in COMMANDS:
        function = getattr(ctv, name)
        assert (function.__name__, bool(inspect.getdoc(function))) == (name, True)
    with pytest.raises(AttributeError, match="nothing"):
        _ = ctv.nothing


def test_import_is_quick_and_loads_nothing_heavy() -> None:
    code = (
        "import time, sys; start = time.perf_counter(); import ctv, bounds, simulation; "
        "spent = time.perf_counter() - start; dir(ctv), dir(bounds); "
        "heavy = {'numpy', 'matplotlib', 'numba', 'scipy', 'proofs_check', 'typer'} "
        "& set(sys.modules); print(spent, *heavy)"
    )
    done = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    assert min(float(one.stdout.split()[0]) for one in done) < 0.3
    assert all(len(one.stdout.split()) == 1 for one in done), done[0].stdout


@pytest.mark.parametrize("name", ["bounds", "simulation"])
def test_public_faces_are_small_and_whole(name: str) -> None:
    package = {"bounds": bounds, "simulation": simulation}[name]
    assert dir(package) == sorted(package.__all__)
    assert len(package.__all__) <= 25
    assert all(getattr(package, one) is not None for one in package.__all__)
    with pytest.raises(AttributeError):
        _ = package.nothing


def test_durations_may_be_anything_that_holds_them(file: Path) -> None:
    given = [
        DURATIONS,
        tuple(DURATIONS),
        np.array(DURATIONS),
        file,
        str(file),
        EvaluationTimes.from_durations(DURATIONS),
        Problem(EvaluationTimes.from_durations(DURATIONS)),
    ]
    values = [ctv.uniformity(one).value for one in given]
    assert values == [values[0]] * len(given)
    assert ctv.uniformity(end=np.cumsum(DURATIONS)).value == values[0]
    pandas = pytest.importorskip("pandas")
    assert ctv.uniformity(pandas.Series(DURATIONS)).value == values[0]


def test_a_function_returns_what_its_command_prints(ctv, file: Path) -> None:
    import ctv as library

    small = {"epsilon": 1e-3, "grid": 6}
    words = ("--times", file, "--epsilon", 1e-3, "--grid", 6, "--json")
    found = library.bound(file, **small, budget="fast")
    assert found.to_dict() == ctv("bound", *words, "--budget", "fast").json
    compared = library.partition(file, **small, compare=["equal:2", "best", "cuts:0-3-6"])
    printed = ctv("partition", *words, "--compare", "equal:2,best,cuts:0-3-6").json
    assert compared.to_dict() == printed
    assert [row["name"] for row in printed["rows"]] == ["equal:2", "best", "cuts:0-3-6"]
    assert (
        library.gain(grid=6, rounds=[1, 5]).to_dict()
        == ctv("gain", "--grid", 6, "--rounds", "1,5", "--json").json
    )


def test_times_come_first_in_every_command_that_takes_them(file: Path) -> None:
    """A list, a path and `EvaluationTimes` are the same; none of them is ignored."""
    times = EvaluationTimes.from_durations(DURATIONS)
    for command, small in (
        (ctv.bound, {"budget": "fast"}),
        (ctv.ladder, {"budget": "fast"}),
        (ctv.gain, {"budget": "fast"}),
        (ctv.partition, {}),
        (ctv.simulate, {"runs": 1}),
    ):
        found = [command(one, grid=3, **small).to_dict() for one in (DURATIONS, file, times)]
        for one in found:
            assert one.pop("problem")["n"] == len(DURATIONS), command.__name__
        assert found[0] == found[1] == found[2], command.__name__
    with pytest.raises(InvalidInput, match="drop it: the times came first"):
        ctv.ladder(file, times=file)


def test_the_gain_of_durations_is_that_at_these_times() -> None:
    found = ctv.gain(DURATIONS, grid=5, budget="fast").to_dict()
    bound = ctv.bound(DURATIONS, grid=5, budget="fast").to_dict()["answer"]["gain"]
    assert found["m"] == [len(DURATIONS)]
    assert {name: found["at_times"][name] for name in ("lower", "upper")} == {
        name: pytest.approx(bound[name]) for name in ("lower", "upper")
    }
    assert found["at_times"]["n"] == len(DURATIONS)
    still = ctv.gain(DURATIONS, grid=5, budget="fast", epsilon=0.0).to_dict()
    assert still["at_times"]["upper"] <= found["at_times"]["upper"] * (1 + 1e-9)
    assert "at_times" not in ctv.gain(grid=5, budget="fast", rounds=[2]).to_dict()


def test_a_log_that_comes_first_is_certified_with_a_fitted_prior(tmp_path: Path) -> None:
    rows = ["x,duration,value", *(f"0.{i},1,{(i % 4) / 3}" for i in range(1, 9))]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(rows) + "\n")
    small = {"maximize": True, "y": "value", "x": "x", "duration": "duration"}
    first = ctv.certify(path, **small).to_dict()
    named = ctv.certify(data=path, **small).to_dict()
    for found in (first, named):
        for one in found["certificates"]:
            one.pop("seconds")
    assert first == named
    with pytest.raises(InvalidInput, match="drop it: the data came first"):
        ctv.certify(path, data=path)


def test_the_half_life_that_was_assumed_is_said(file: Path) -> None:
    said = "No drift was given"
    for command in (ctv.bound, ctv.ladder):
        text = command(DURATIONS, grid=3, budget="fast").screen().html()
        assert said in text and "137.9 units of time" in text and "ctv fit FILE" in text
        for given in ({"epsilon": 0.01}, {"half_life": "2min"}, {"time_kernel": "exponential"}):
            assert said not in command(file, grid=3, budget="fast", **given).screen().html()
        assert said not in command(grid=3, n=4, budget="fast").screen().html()
    found = ctv.bound(file, grid=3, budget="fast").to_dict()
    # (1 − ε)^{h/2} = ½ at ε = 0.01
    assert 0.99 ** (found["assumed_half_life"] / 2) == pytest.approx(0.5)
    assert "assumed_half_life" not in ctv.bound(file, grid=3, budget="fast", epsilon=0.1).to_dict()


def test_values_show_themselves(file: Path) -> None:
    found = ctv.partition(file, grid=6)
    assert repr(found).startswith("<Partitions: refined <= ")
    assert "<table>" in found._repr_html_()
    assert found.table().columns[0].title == "partition"
    assert found.to_dict() == {"format": "ctv-bounds partition 1", **plain(found.parts())}
    assert found.plot().axes
    assert ctv.gain(grid=5, rounds=[1, 2], budget="fast").plot().axes
    with pytest.raises(NotImplementedError, match="has no picture"):
        ctv.uniformity(DURATIONS).plot()


def test_a_kernel_and_domain_of_ones_own() -> None:
    problem = Problem(DURATIONS, space_kernel=SquaredExponential(0.7), domain=Grid(1, 2.0, 7))
    found = ctv.partition(problem)
    assert (found.problem.space_kernel, found.problem.domain) == (
        problem.space_kernel,
        problem.domain,
    )
    with pytest.raises(InvalidInput, match="epsilon"):
        ctv.partition(problem, epsilon=0.1)


@pytest.mark.parametrize(
    ("options", "error", "named"),
    [
        ({"epsilon": "0.1"}, InvalidInput, "epsilon = 0.1: give a number"),
        ({"epsilon": True}, InvalidInput, "epsilon"),
        ({"grid": 2.5}, InvalidInput, "give a whole number"),
        ({"cumulative": True}, TypeError, "write --end"),
        ({"symbolic": "yes"}, InvalidInput, "give latex, a number of digits"),
        ({"kernel": 3}, InvalidInput, "kernel"),
        ({"epsilom": 0.1}, TypeError, "did you mean epsilon"),
        ({"times": "x.csv"}, InvalidInput, "times"),
    ],
)
def test_wrong_types_are_refused_at_the_door(options, error, named: str) -> None:
    with pytest.raises(error, match=named):
        ctv.uniformity(DURATIONS, **options)


@pytest.mark.parametrize("durations", [{"a": 1}, "missing.csv", [1.0, "x"], [-1.0], 3.0])
def test_durations_that_are_none(durations: object) -> None:
    with pytest.raises(InvalidInput):
        ctv.uniformity(durations)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"times": "durations.csv"}, "read_times"),
        ({"space_kernel": "se"}, "SquaredExponential"),
        ({"time_kernel": 0.1}, "Forgetting"),
        ({"domain": 50}, "Grid"),
        ({"delta": "x"}, "delta"),
    ],
)
def test_a_problem_says_what_to_pass(wrong: dict, named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        Problem(**{"times": DURATIONS, **wrong})


@pytest.mark.parametrize("name", ["bounds", "simulation"])
def test_a_file_that_hides_a_package_gets_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "ctv", "uniformity"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert f"{name}.py: this file hides the package" in done.stderr
    assert hidden_package() is None


FIRST_SCREENS = [
    ("bound", "--n", "30", "--grid", "8"),
    ("bound", "--n", "30", "--grid", "8", "--time-kernel", "se:lengthscale=1"),
    ("partition", "--n", "300", "--grid", "5"),
    ("uniformity",),
    ("gain", "--grid", "5", "--budget", "fast", "--rounds", ",".join(map(str, range(1, 60)))),
    ("rates", "--bound", "refined", "--kernel", "matern52", "--kappa", "1/2"),
    ("ladder", "--n", "20", "--grid", "5", "--budget", "fast"),
    ("simulate", "--rounds", "4", "--initial", "2", "--runs", "2", "--grid", "5"),
    ("simulate --domain box --rounds 3 --initial 2 --runs 2 --grid 5",),
    ("verify", "lemma-1-capped", "lemma-1-exact", "sum-by-lags", "basel"),
    ("coverage", "--runs", "2", "--rounds", "1", "--bound", "probability"),
]


@pytest.mark.parametrize("words", FIRST_SCREENS, ids=lambda words: " ".join(words)[:30])
def test_first_screens_fit_and_say_what_is_certified(ctv, monkeypatch, words: tuple) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = ctv(*words).stdout.splitlines()
    assert lines
    assert len(lines) <= 25, "\n".join(lines)
    assert max(map(len, lines)) <= 80
    text = " ".join(lines)
    assert any(word in text for word in ("ertified", "Observed", "exact arithmetic")), text


def test_bounds_on_means_stand_apart(tmp_path: Path) -> None:
    """A column and a sentence of their own; nowhere among bounds on the regret."""
    folder = tmp_path / "study"
    few = {"policies": "ctv-fixed", "exploration": "theory", "runs": 2, "grid": 4, "rounds": 5}
    study = ctv.simulate(**few, initial=3, out=folder)
    costs = study.to_dict()["policies"]["ctv-fixed"]
    assert costs["random_regret"] + costs["own_regret"] == pytest.approx(
        8 * costs["regret_per_round"]
    )
    assert "The first 3 rounds are random and cost" in study.screen().html()
    ladder = ctv.ladder(folder, budget="fast").to_dict()["initial"]
    assert ladder == {"rounds": 3, "regret": pytest.approx(costs["random_regret"])}
    found = ctv.certify(folder, bound="rank,expected,simulation:9")
    at_most, mean = 2, 4
    heads = [column.title for column in found.table().columns]
    assert (heads[at_most], heads[mean]) == ("regret at most", "mean at most")
    for row in found.table().rows:
        assert bool(row.cells[mean]) is row.in_mean is not bool(row.cells[at_most])
    assert "the regret itself may be larger" in found.table().text
    assert "conditional mean" in ctv.certify(folder, bound="expected").headline()
    bound = ctv.bound(n=4, grid=3, budget="fast")
    sheets = [block for block in bound.screen().blocks if not isinstance(block, str)]
    rows = [sheet for sheet in sheets if sheet.title.startswith("Bounds on")]
    assert [column.title for column in rows[0].columns][1:4] == [
        "regret",
        "with probability",
        "expected regret",
    ]
    for row in rows[0].rows:
        assert bool(row.cells[3]) is row.in_mean is not bool(row.cells[1])
    assert "does not bound the regret of a single run" in rows[0].text


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ctv.certify(), "data = nothing: give the folder of a study, or a log"),
        (lambda: ctv.certify(minimize=True), "data = nothing: name the log"),
        (lambda: ctv.look(), "times = nothing: "),
        (lambda: ctv.bound([1.0, 2.0], epsilon=0.1, half_life="3min"), "or drop epsilon="),
    ],
)
def test_errors_speak_python(call, said: str) -> None:
    """Fields and remedies as keywords, where the terminal has options and metavariables."""
    with pytest.raises(InvalidInput) as refused:
        call()
    assert said in str(refused.value) and " --" not in str(refused.value)


class Frame:
    """What a data frame of any library has: names, and a column for each."""

    def __init__(self, **columns: object) -> None:
        self.columns, self._columns = list(columns), columns

    def __getitem__(self, name: str) -> object:
        return self._columns[name]


@pytest.mark.parametrize("table", [dict, Frame], ids=["dictionary", "frame"])
def test_a_table_in_memory_is_read_as_its_file_is(tmp_path: Path, table) -> None:
    """Floats to the last bit; an empty cell stands for what is not a number."""
    rng = np.random.default_rng(5)
    a, y = rng.random(12), rng.random(12)
    path = tmp_path / "log.csv"
    rows = zip(a.tolist(), y.tolist(), strict=True)
    path.write_text("a,y,duration\n" + "".join(f"{one!r},{two!r},0.5\n" for one, two in rows))
    columns = {"a": a, "y": y, "duration": [0.5] * 12}
    asked = {"x": "a", "y": "y", "maximize": True, "draws": 20}
    fitted = [ctv.fit(log, **asked).table().csv() for log in (table(**columns), path)]
    assert fitted[0] == fitted[1]
    bounds_of = [ctv.bound(times, grid=4).value for times in (table(duration=DURATIONS), DURATIONS)]
    assert bounds_of[0] == bounds_of[1]
    lacking = ctv.fit(table(**columns | {"y": [*y[:11], float("nan")]}), **asked)
    assert lacking.table().csv() != fitted[0]


def test_columns_of_a_table_have_one_length() -> None:
    with pytest.raises(InvalidInput, match="give columns of one length"):
        ctv.bound({"duration": [1.0, 2.0], "a": [1.0]})
    with pytest.raises(InvalidInput, match="give columns of one length"):
        ctv.fit({})
    with pytest.raises(InvalidInput, match="give a path or a table"):
        ctv.fit(np.ones((3, 3)))


def test_durations_are_a_keyword_and_sides_have_plain_names() -> None:
    found = ctv.bound(durations=DURATIONS, grid=4)
    assert (found.lower, found.upper) == (found.floor.value, found.value)
    assert ctv.partition(times=DURATIONS, grid=4).value == ctv.partition(DURATIONS, grid=4).value
    runs = ctv.simulate(policy="ts", times=DURATIONS, runs=2, grid=4)
    assert runs.regret["ts"].shape == (2, len(DURATIONS))
    assert ctv.verify("theorem-1").verdicts == {"theorem-1": "PROVED"}
    for wrong, right in (("boundaries", "cuts"), ("labels", "blocks"), ("cost", "value")):
        with pytest.raises(AttributeError, match=f"did you mean {right}"):
            getattr(ctv.partition(DURATIONS, grid=4), wrong)
