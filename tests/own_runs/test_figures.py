"""The figures of logs: what stands in them is what the values say."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from benchmarks.fit_coverage import Setting, simulated_trace
from ctv import extensions
from own_runs.certificates.studies import bundled_audit
from own_runs.figures import fit
from own_runs.prior.fit import fit as fit_log


@pytest.mark.parametrize("name", ["stopping"])
def test_drawn_within_the_page(name):
    figure = extensions.load("figures", name)()
    FigureCanvasAgg(figure).draw()
    width, height = figure.canvas.get_width_height()
    for axes in figure.axes:
        for text in (axes.title, axes.xaxis.label, axes.yaxis.label):
            if text.get_text():
                box = text.get_window_extent()
                assert box.x0 > -2 and box.x1 < width + 2 and box.y0 > -2 and box.y1 < height + 2
    if name == "stopping":
        held = {mark for line in figure.axes[0].lines for mark in line.get_xdata()}
        assert {row.covered / row.runs for row in bundled_audit() if row.drift == "known"} <= held


def test_every_member_is_a_mark_of_its_weight():
    found = fit_log(simulated_trace(Setting(rounds=20, steps=5, epsilon=0.05), seed=1)[0], draws=60)
    figure = fit.draw(found)
    marks = np.concatenate([c.get_sizes() for c in figure.axes[0].collections])
    assert len(marks) == len(found.candidates.members)
    weights = found.candidates.weights
    assert sorted(marks) == pytest.approx(sorted(4.0 + 240.0 * weights / weights.max()))
