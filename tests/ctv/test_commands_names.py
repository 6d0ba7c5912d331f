"""The names that people try in Python work, or are told."""

import inspect
import json
import re
import tempfile

import numpy as np
import pytest

import ctv
from bounds.errors import InvalidInput
from bounds.static_gain import certified, of_points

T = [1.0, 2.0, 1.0]
SMALL = {"grid": 3, "budget": "fast"}


def test_other_words_for_one_option() -> None:
    usual = ctv.bound(T, epsilon=0.1, noise_variance=0.2, kernel="se", **SMALL).to_dict()
    assert ctv.bound(T, eps=0.1, sigma2=0.2, kernel="rbf", **SMALL).to_dict() == usual
    assert ctv.bound(times=np.array(T), eps=0.1, noise=0.2, **SMALL).to_dict() == usual
    assert ctv.bound(T, eps=0.1, noise=0.2, kernel="RBFKernel", **SMALL).to_dict() == usual
    matern = [
        ctv.partition(T, kernel=k, grid=3).value for k in ("matern52", "matern-5/2", "Matern 2.5")
    ]
    assert matern == matern[:1] * 3
    with pytest.raises(TypeError, match="eps and epsilon are one option"):
        ctv.bound(T, eps=0.1, epsilon=0.1, **SMALL)
    study = ctv.simulate(policy="random", times=T, grid=3, runs=1, out=None)
    assert list(study.to_dict()["policies"]) == ["random"]


def test_a_word_for_another_quantity_is_only_a_hint() -> None:
    """δ is 1 − confidence, and a horizon may count rounds or time."""
    for word, meant in (("confidence", "delta"), ("level", "delta"), ("horizon", "n")):
        with pytest.raises(TypeError, match=f"no option '{word}'; did you mean {meant}"):
            ctv.bound(T, **{word: 0.9}, **SMALL)


def test_wrong_parameters_are_told_what_to_write() -> None:
    class RBF:
        length_scale = 0.2

    with pytest.raises(InvalidInput, match=r"the class RBF: give a kernel of it, RBF\(\.\.\.\)"):
        ctv.gain(kernel=RBF, X=np.eye(2))
    with pytest.raises(TypeError, match=r"write EvaluationTimes\.from_durations\(t\)"):
        ctv.EvaluationTimes(np.array(T))
    with pytest.raises(TypeError, match=r"'kernel': .*ctv\.bound\(times, kernel='matern52'"):
        ctv.Problem(T, kernel="rbf")
    assert "space_kernel" in str(inspect.signature(ctv.Problem))
    for word, meant in {
        "sigma": "noise_variance",
        "likelihood_noise": "noise_variance",
        "nu": "kernel",
        "candidates": "domain",
        "train_X": "domain",
        "bounds": "side",
        "confidence_level": "delta",
        "decay": "epsilon",
        "K": "domain",
        "T": "n",
        "noise_std": "noise_variance",
    }.items():
        with pytest.raises(TypeError, match=f"did you mean {meant}"):
            ctv.bound(T, **{word: 2.5}, **SMALL)


def test_what_another_command_has_and_points_for_times_are_told() -> None:
    with pytest.raises(TypeError, match=r"no option 'policy'; ctv\.simulate has it"):
        ctv.bound(T, policy="random", **SMALL)
    with pytest.raises(TypeError, match=r"points are no times: pass them as X=\.\.\."):
        ctv.gain(np.ones((3, 2)), noise_variance=0.1)
    with pytest.raises(TypeError, match="the parameters are times, epsilon, "):
        ctv.Problem(T, eps=0.1)
    assert ctv.bound(T, dims=1, grid_size=3, budget="fast").problem.domain.size == 3


def test_points_may_be_an_array() -> None:
    points = np.random.default_rng(5).random((6, 2))
    assert ctv.bound(T, points=points, budget="fast").to_dict() == (
        ctv.bound(T, X=points, budget="fast").to_dict()
    )
    assert ctv.bound(T, domain=points, budget="fast").problem.domain.size == 6
    with pytest.raises(TypeError, match="domain and X are one thing"):
        ctv.bound(T, domain=points, X=points)


def test_results_say_what_is_called_otherwise() -> None:
    found = ctv.bound(T, **SMALL)
    for tried, told in {
        "times": "problem.times",
        "epsilon": "problem.epsilon",
        "is_certified": "best.certified",
        "beta": "bounds.report.beta",
        "theorem1": "bounds.report.gains",
        "confidence": "problem.delta",
        "sigma2": "problem.noise_variance",
        "total": "problem.times.total_time",
        "rows": "bounds.rows",
        "to_pandas": "to_frame()",
        "to_csv": "table().csv()",
        "keys": "to_dict()",
        "params": "problem",
        "print": "summary()",
        "show": "plot()",
    }.items():
        with pytest.raises(AttributeError, match=f"did you mean {re.escape(told)}"):
            getattr(found, tried)
        place = found
        for name in told.removesuffix("()").split("."):
            place = getattr(place() if callable(place) else place, name.removesuffix("()"))


@pytest.mark.parametrize("by_position", [True, False])
def test_arrays_of_points_and_values_are_a_log(by_position: bool) -> None:
    """As the dictionary of the same columns."""
    rng = np.random.default_rng(3)
    X, y = rng.random((14, 2)), rng.random(14)
    asked = {"maximize": True, "duration": np.ones(14), "draws": 20}
    found = ctv.fit(X, y, **asked) if by_position else ctv.fit(X=X, y=y, **asked)
    log = {"x1": X[:, 0], "x2": X[:, 1], "y": y, "duration": np.ones(14)}
    same = ctv.fit(log, x="x1,x2", y="y", duration="duration", maximize=True, draws=20)
    assert found.table().csv() == same.table().csv()
    with pytest.raises(ctv.InvalidInput, match="as many as there are values of y, 5"):
        ctv.fit(X, y[:5], maximize=True)
    with pytest.raises(TypeError, match="y is missing"):
        ctv.fit(X=X, maximize=True)
    with pytest.raises(ctv.InvalidInput, match="give an array of numbers"):
        ctv.fit(X, ["a"] * 14, maximize=True)


def test_a_switch_that_says_no_is_a_keyword_too() -> None:
    """`minimize=True` is `maximize=False`, in either spelling; both at once are refused."""
    X, y = np.linspace(0.0, 1.0, 6)[:, None], np.linspace(0.0, 1.0, 6) ** 2
    for asked in ({"minimize": True}, {"minimise": True}, {"maximize": False}):
        found = ctv.fit(X, y, draws=20, **asked)
        assert found.fit.observations.direction == "minimize"
    assert ctv.fit(X, y, draws=20, minimize=False).fit.observations.direction == "maximize"
    with pytest.raises(TypeError, match="minimize"):
        ctv.fit(X, y, minimize=True, maximize=True)


@pytest.mark.usefixtures("without_pictures")
def test_a_page_names_no_file_that_is_gone(tmp_path) -> None:
    """What came from Python is called so, in commands and in errors."""
    for given, said in (
        ({"duration": T}, "the table given in Python"),
        (T, "the times given in P"),
    ):
        ctv.report(given, grid=3, out=tmp_path, runs=1)
        page = (tmp_path / "report.html").read_text(encoding="utf-8")
        assert said in page and tempfile.gettempdir() + "/tmp" not in page
    with pytest.raises(ctv.InvalidInput, match="the table given in Python"):
        ctv.fit({"x": [0.0, 1.0], "y": [0.0, 1.0]}, duration="tau", maximize=True)


def test_results_have_the_attributes_that_people_try() -> None:
    found = ctv.bound(T, **SMALL)
    assert found.value == found.best.value <= found.gain.upper * 1e9
    assert found.floor.value <= found.value
    assert {row.kind for row in found.regret} == {"probability", "mean"}
    assert found.blocks == {name: len(cuts) - 1 for name, cuts in found.cuts.items()}
    part = ctv.partition(T, grid=3)
    assert part.blocks == tuple(zip(part.cuts, part.cuts[1:], strict=False))
    assert part.value >= part.gain > 0.0
    assert found.summary().splitlines()[0].startswith("the times given: 3 rounds")
    assert json.loads(found.to_json()) == found.to_dict()
    gain = ctv.gain(rounds=[1, 2], **SMALL)
    assert (gain.m, gain.value) == ((1, 2), (gain.lower[-1], gain.upper[-1]))


def test_a_table_is_a_frame_where_pandas_is() -> None:
    try:
        import pandas  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError, match=r"ctv-bounds\[data\]"):
            ctv.partition(T, grid=3).to_frame()
    else:
        assert len(ctv.partition(T, grid=3).to_frame())


def test_a_name_that_is_not_there_is_answered_with_one_that_is() -> None:
    with pytest.raises(AttributeError, match="did you mean value"):
        _ = ctv.partition(T, grid=3).values
    with pytest.raises(AttributeError, match=r"did you mean ctv\.bound"):
        _ = ctv.bond
    with pytest.raises(AttributeError, match=r"did you mean ctv\.load_times"):
        _ = ctv.read_csv
    with pytest.raises(ctv.InvalidInput, match="one number for each round"):
        ctv.bound([[1.0, 2.0], [3.0, 4.0]])
    assert ctv.__version__ and ctv.EvaluationTimes.from_durations(T).n == 3
    with pytest.raises(TypeError, match="data is missing: pass a path or a table, by position"):
        ctv.fit()
    assert ctv.load_times is ctv.read_times
    assert ctv.Problem(T).n == 3


def test_signatures_and_help_are_for_people() -> None:
    for name in ctv.__all__:
        function = getattr(ctv, name)
        if name[0].isupper() or name in ("read_times", "load_times", "bundled_times"):
            continue
        shown, text = str(inspect.signature(function)), inspect.getdoc(function)
        assert "Annotated" not in shown and "OptionInfo" not in shown, name
        assert "Parameters\n----------" in text and "Returns\n-------" in text, name
        assert " object at 0x" not in text, name


def test_points_beyond_those_of_one_determinant_have_the_gain_of_the_best(monkeypatch) -> None:
    monkeypatch.setattr(certified, "MOST_IN_DOUBLES", 7)
    X = np.random.default_rng(0).random((8, 2))
    found = ctv.gain(X=X, noise_variance=0.1, rounds=[3])
    assert found.of_points is None and "3 rounds" in repr(found)
    assert "all 8 points, each observed once, is computed for at most 7" in found.summary()


def test_the_gain_of_points_is_certified_from_both_sides(monkeypatch) -> None:
    kernels = pytest.importorskip("sklearn.gaussian_process.kernels")
    X = np.random.default_rng(0).random((8, 2))
    found = ctv.gain(kernel=2.0 * kernels.RBF([0.2, 0.4]), X=X, noise_variance=0.1)
    K = (2.0 * kernels.RBF([0.2, 0.4]))(X)
    truth = 0.5 * np.linalg.slogdet(np.eye(8) + K / 0.1)[1]
    low, high = found.value
    assert low <= high and low == pytest.approx(truth, rel=1e-12)
    assert high - low < 1e-12
    assert found.to_dict()["of_points"]["certified"] and "these 8 points" in repr(found)
    assert found.lower[-1] <= high * (1 + 1e-9) <= found.upper[-1] * (1 + 1e-6)
    monkeypatch.setattr(of_points, "_FEW", 0)
    doubles = ctv.gain(kernel=2.0 * kernels.RBF([0.2, 0.4]), X=X, noise_variance=0.1)
    assert doubles.value[0] <= high and low <= doubles.value[1]
    assert doubles.of_points.certified and doubles.value[1] - doubles.value[0] < 1e-10
    named = ctv.gain(X=X, kernel="se", lengthscale=0.2, noise_variance=0.1, rounds=[3])
    assert named.m == (3,)
    with pytest.raises(InvalidInput, match="one a row"):
        ctv.gain(X="points", noise_variance=0.1)
    with pytest.raises(InvalidInput, match="the kernel has its"):
        ctv.gain(kernel=kernels.RBF(0.2), lengthscale=0.2, noise_variance=0.1)


def test_complex_points_are_refused() -> None:
    """Their imaginary parts would be dropped in silence."""
    with pytest.raises(InvalidInput, match="give an array of points"):
        ctv.gain(rounds=2, kernel="se", X=np.ones((2, 2)) + 1j)


def test_few_points_an_axis_have_a_lower_bound() -> None:
    """A value by quantisation that is no number takes no lower bound away."""
    found = ctv.bound(T, **SMALL).floor
    assert found is not None
    assert found.value > 0.0
