"""Figures: what is drawn is what was computed, labels do not overlap, files repeat to the byte."""

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.gain.bounds import bounds_of, upper_bounds
from bounds.gain.ladder import Ladder, Step
from bounds.partitions.compare import block_drifts
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate
from bounds.problem import Problem
from bounds.progress import unstaged
from bounds.static_gain.both_sides import gain_curve
from bounds.times import EvaluationTimes, Family, sequence
from ctv.figures import canvas, ladder, partition
from ctv.figures.canvas import caption_of
from ctv.gallery import problem as gallery

CASES = {
    "one round": EvaluationTimes.from_durations([2.0]),
    "equal times": EvaluationTimes.from_durations([0.0] * 5),
    "bursts": sequence("bursts", Family(n=30, total=4000.0, bursts=5, gap=0.5)),
    "far from the origin": EvaluationTimes.from_times([1e9, 1e9 + 1, 1e9 + 300]),
}


@cache
def drawn(name: str, times: EvaluationTimes, exploration: str = "theory") -> Figure:
    """A figure of two runs, which no test changes."""
    problem = Problem(times, epsilon=0.001, domain=Grid(2, 1.0, 4))
    return gallery.FIGURES[name](problem, range(2), exploration, unstaged)


@pytest.mark.parametrize("name", ["bound-vs-regret", "bounds", "sweep", "partition", "gain"])
@pytest.mark.parametrize("case", CASES)
def test_every_case_is_drawn_within_the_page(name: str, case: str) -> None:
    figure = drawn(name, CASES[case])
    FigureCanvasAgg(figure).draw()
    width, height = figure.canvas.get_width_height()
    for axes in figure.axes:
        texts = [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts]
        for box in [text.get_window_extent() for text in texts if text.get_text()]:
            assert box.x0 > -2
            assert box.x1 < width + 2
            assert box.y0 > -2
            assert box.y1 < height + 2


@pytest.mark.parametrize("name", ["bound-vs-regret", "gain"])
def test_labels_of_curves_do_not_overlap(name: str) -> None:
    figure = drawn(name, CASES["bursts"])
    FigureCanvasAgg(figure).draw()
    for axes in figure.axes:
        boxes = sorted((t.get_window_extent() for t in axes.texts), key=lambda box: box.y0)
        for below, above in pairwise(boxes):
            assert above.y0 >= below.y1 - 4  # letters have some air within their boxes


def test_curves_are_the_bounds() -> None:
    problem = Problem(CASES["bursts"], epsilon=0.001, domain=Grid(2, 1.0, 4))
    found = bounds_of(problem, certify=False)
    figure = gallery.FIGURES["bound-vs-regret"](problem, range(2), "theory", unstaged)
    for axes, values in (
        (figure.axes[0], found.report.regret),
        (figure.axes[1], {name: bound.value for name, bound in found.report.gains.items()}),
    ):
        ends = [line.get_ydata()[-1] for line in axes.lines]
        for name in ("trivial", "refined"):
            assert any(end == pytest.approx(values[name]) for end in ends)


def test_what_does_not_count_is_called_an_observation() -> None:
    counted = drawn("bound-vs-regret", CASES["bursts"])
    observed = drawn("bound-vs-regret", CASES["bursts"], "beta")
    assert "counts against" in caption_of(counted)
    assert "observation" in caption_of(observed)
    assert "not certified" in caption_of(counted)


@pytest.mark.parametrize("suffix", canvas.SUFFIXES)
def test_the_same_figure_is_the_same_file(suffix: str) -> None:
    """Also where one of them was drawn before."""
    again = drawn.__wrapped__("partition", CASES["bursts"])
    assert canvas.rendered(drawn("partition", CASES["bursts"]), suffix) == canvas.rendered(
        again, suffix
    )


def test_resolution_is_for_print(tmp_path: Path) -> None:
    path = canvas.save(drawn("gain", CASES["bursts"]), tmp_path / "gain.PNG")
    width = int.from_bytes(path.read_bytes()[16:20], "big")
    assert width == round(300 * 4.6)
    with pytest.raises(InvalidInput, match="png"):
        canvas.checked_path(tmp_path / "gain.gif")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InvalidInput, match="this is a folder"):
        canvas.checked_path(tmp_path / "folder.png")


def test_the_caption_lies_beside_with_the_command(tmp_path: Path) -> None:
    figure = drawn("partition", CASES["bursts"])
    canvas.save(figure, tmp_path / "partition.svg", "ctv figure partition")
    beside = (tmp_path / "partition.txt").read_text(encoding="utf-8").splitlines()
    assert beside == [caption_of(figure), "Made by: ctv figure partition"]
    assert "Darker blocks pay more for drift" in beside[0]


def test_partition_is_no_bar_code() -> None:
    """Blocks of one length in a row are one bar, with what it stands for."""
    n = 120
    problem = Problem(EvaluationTimes.from_times(np.arange(float(n))), domain=Grid(1, 1.0, 2))
    result = evaluate("additive", problem, np.arange(n + 1.0), Partition.equal(n, 1))
    figure = partition.draw(
        problem, {"additive": result}, {"additive": block_drifts(problem, result)}
    )
    rows = figure.axes[1]
    assert len(rows.collections[0].get_paths()) == 1
    assert [text.get_text() for text in rows.texts] == ["120 × 1"]


def test_many_rounds_make_a_small_file() -> None:
    n = 8_000
    times = EvaluationTimes.from_times(np.arange(n, dtype=float))
    problem = Problem(times, epsilon=0.5, domain=Grid(1, 1.0, 2))
    gamma = 10.0 * np.log1p(np.arange(n + 1))
    result = evaluate("additive", problem, gamma, Partition.equal(n, 2))
    figure = partition.draw(
        problem, {"additive": result}, {"additive": block_drifts(problem, result)}
    )
    assert len(canvas.rendered(figure, ".svg")) < 2_000_000


def test_labels_of_the_ladder_are_rounded_outward() -> None:
    steps = tuple(
        Step(name, value, None, factor, kind, "", "", certified=True)
        for name, value, factor, kind in (
            ("regret", 10.0049, None, "observed"),
            ("refined", 20.0901, 2.008, "probability 1-delta"),
        )
    )
    design = Step("gain_lower", 20.0099, 1.0, None, "probability 1-delta", "", "", certified=True)
    seen = Ladder(steps, "fixed", {}, run=True, exceeded=False, gain_lower=design)
    shown = [text.get_text() for text in ladder.draw(seen, (), "").axes[0].texts]
    assert shown == ["10.00", "20.10  ×2.01", "20.00"]


def test_no_bound_is_drawn_below_itself() -> None:
    """Once chords of concave bounds, with runs above a line and under the bound."""
    n = 40
    times = sequence("bursts", Family(n=n, total=40.0, bursts=5, gap=0.5))
    problem = Problem(times, epsilon=0.001, domain=Grid(2, 1.0, 5))
    figure = gallery.FIGURES["bound-vs-regret"](problem, range(1), "theory", unstaged)
    curve = gain_curve(problem)
    rounds = np.arange(1, n + 1)
    reports = [
        upper_bounds(replace(problem, times=problem.times.block(0, int(m))), curve) for m in rounds
    ]
    for axes, values in (
        (figure.axes[0], [report.regret for report in reports]),
        (figure.axes[1], [{n: b.value for n, b in r.gains.items()} for r in reports]),
    ):
        lines = {line.get_color(): line for line in axes.lines if line.get_marker() == "o"}
        assert {canvas.COLOURS[name] for name in ("trivial", "refined")} <= set(lines)
        for name in ("trivial", "refined", "theorem1", "additive", "any_pattern"):
            if canvas.COLOURS[name] not in lines:
                continue
            x, y = lines[canvas.COLOURS[name]].get_data()
            drawn_at = np.exp(np.interp(rounds, x, np.log(y)))
            true = [min(at[name], at["trivial"]) for at in values]
            assert np.all(drawn_at >= (1.0 - 1e-12) * np.array(true))
            if name == "trivial":
                np.testing.assert_allclose(drawn_at, true, rtol=1e-12)


def test_bounds_that_are_the_cap_are_named_below() -> None:
    figure = drawn("bound-vs-regret", EvaluationTimes.from_durations([4000.0] * 6))
    silent = "Theorem 1 as printed, additive, refined (Theorem A), any pattern (Th. B)"
    silent += ", inducing times (Nyström)"
    assert f"{silent}: not below the trivial upper bound" in caption_of(figure)
    names = {text.get_text() for axes in figure.axes for text in axes.texts}
    names = {name.strip() for name in names}
    both_sides = {"lower bound, any policy", "best: noise inflation or concentration"}
    assert names == {"trivial upper bound", "mean of 2 runs"} | both_sides


def test_bounds_that_coincide_share_a_line_and_its_label() -> None:
    figure = drawn("bound-vs-regret", EvaluationTimes.from_durations([0.0] * 30))
    labels = [text.get_text() for text in figure.axes[1].texts]
    words = sorted(word for label in labels for word in re.split(r",\s", label))
    assert len(words) == len(set(words)) > len(labels)


def test_labels_pushed_from_their_curves_are_led_back_to_them() -> None:
    with canvas.frame(4.0, 3.0) as figure:
        axes = figure.subplots()
        axes.set(xlim=(0, 1), ylim=(0, 2))
        canvas.label_ends(axes, [(1.0, "one", "red"), (1.01, "two", "blue"), (0.2, "low", "green")])
    texts = {text.get_text(): text.get_position() for text in axes.texts}
    for name, height in (("one", 0.5), ("two", 0.505), ("low", 0.1)):
        (line,) = [line for line in axes.lines if line.get_label() == name]
        (start, end), (low, high) = line.get_data()
        assert (start, low) == (pytest.approx(1.0, abs=0.02), pytest.approx(height))
        assert (end, high) == (pytest.approx(texts[name][0], abs=0.02), texts[name][1])
    with canvas.frame(4.0, 3.0) as figure:
        axes = figure.subplots()
        canvas.label_ends(axes, [(0.2, "one", "red"), (0.9, "two", "blue")])
    assert not axes.lines
