"""The figure `floor`: floors below what is simulated, that below ceilings; bad input."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bounds.domain import Arms, Grid
from bounds.kernels import Forgetting
from bounds.problem import Problem
from bounds.progress import unstaged
from bounds.regret.rows import floors
from bounds.times import EvaluationTimes
from ctv.figures.floor import SLOPES
from ctv.gallery import floor as gallery

pytestmark = pytest.mark.xdist_group("floor")  # its fixtures take seconds

TIMES = EvaluationTimes.from_durations([1.0] * 12)


@pytest.fixture(scope="module", params=["arms", "grid"])
def drawn(request: pytest.FixtureRequest) -> tuple[Problem, Figure]:
    domain = Arms(3) if request.param == "arms" else Grid(2, 1.0, 4)
    problem = Problem(TIMES, domain=domain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gallery, "EPSILONS", (1e-3, 1e-1))
        patch.setattr(gallery, "_PATHS", 50)
        return problem, gallery.floor_figure(problem, range(6), "theory", unstaged)


def in_data(axes: Axes, line: Line2D) -> bool:
    """Whether a line has the coordinates of the data."""
    return bool(line.get_transform() != axes.transAxes)


def curves(figure: Figure) -> dict[str, np.ndarray]:
    """What is drawn, by colour and style; the fan of slopes and leaders to labels left out."""
    axes = figure.axes[0]
    lines = [line for line in axes.lines if len(line.get_xdata()) == 2 and in_data(axes, line)]
    return {f"{line.get_color()} {line.get_linestyle()}": line.get_ydata() for line in lines}


def test_sides_are_in_order(drawn: tuple[Problem, Figure]) -> None:
    problem, figure = drawn
    found = curves(figure)
    certified, simulated = found["#009e73 -"], found["#009e73 --"]
    best = np.asarray(found["black -"])
    for ceiling in ("#b87d00 -", "#b87d00 --"):
        assert np.all(best <= found[ceiling])
        assert np.all(np.maximum(certified, simulated) <= found[ceiling])
    assert np.all(best >= np.maximum(certified, simulated))
    own = replace(problem, epsilon=1e-1, time_kernel=Forgetting(1e-1))
    largest = max(row.value for row in floors(own) if row.certified) / 12
    assert certified[-1] == pytest.approx(largest)


def test_slopes_are_what_they_say_and_below_every_curve(drawn: tuple[Problem, Figure]) -> None:
    _, figure = drawn
    fans = [line for line in figure.axes[0].lines if len(line.get_xdata()) > 2]
    assert len(fans) == len(SLOPES)
    for line, slope in zip(fans, SLOPES, strict=True):
        x, y = np.log(line.get_xdata()), np.log(line.get_ydata())
        assert (y[-1] - y[0]) / (x[-1] - x[0]) == pytest.approx(float(slope))
        lowest = np.log(np.minimum(curves(figure)["#009e73 -"], curves(figure)["#009e73 --"]))
        assert np.all(y < np.interp(x, np.log([1e-3, 1e-1]), lowest))


def test_labels_do_not_overlap_and_stay_on_the_page(drawn: tuple[Problem, Figure]) -> None:
    _, figure = drawn
    FigureCanvasAgg(figure).draw()
    width, height = figure.canvas.get_width_height()
    texts = [t for t in figure.axes[0].texts if len(t.get_text()) > 3]
    boxes = sorted((t.get_window_extent() for t in texts), key=lambda box: box.y0)
    for below, above in pairwise(boxes):
        assert above.y0 >= below.y1 - 4
    assert all(box.x1 < width + 2 and box.y1 < height + 2 for box in boxes)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--grid", "1"), "domain = 1"),
        (("--time-kernel", "se:lengthscale=3"), "time-kernel"),
        (("--n", "501", "--total", "501"), "n = 501"),
        (("--runs", "0"), "runs = 0"),
    ],
)
def test_bad_input_is_one_line(ctv, tmp_path: Path, words: tuple[str, ...], named: str) -> None:
    out = ("--out", tmp_path / "floor.png")
    assert ctv("figure", "floor", *words, *out).is_one_line_about(named)


def test_one_run_of_one_round_is_drawn(ctv, tmp_path: Path) -> None:
    words = ("--domain", "arms:2", "--n", "1", "--total", "1", "--runs", "1")
    path = tmp_path / "floor.png"
    assert ctv("figure", "floor", *words, "--out", path).code == 0
    assert path.stat().st_size > 20_000
