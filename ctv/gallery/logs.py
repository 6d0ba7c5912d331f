"""What the figures `fit` and `stopping` need: the bundled log and the bundled audit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bounds.problem import Problem
from bounds.progress import Stage
from ctv.figures import fit, stopping
from ctv.inputs import bundled_times
from simulation.after_run.stopping_rules import bundled_audit
from simulation.logs import Columns, read_log
from simulation.prior.fit import fit as fit_log

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLUMNS = Columns(x=("x1_log_n_estimators", "x2_max_depth"), y="test_accuracy")
_DRAWS = 160


def fit_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """The priors that fit the bundled log of 240 model fits; `ctv.fit(…).plot()` draws your own."""
    log = read_log(bundled_times(), direction="maximize", columns=_COLUMNS)
    return fit.draw(fit_log(log, draws=_DRAWS, progress=partial(advance, "priors")))


def stopping_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """The bundled audit of stopping rules."""
    return stopping.draw(bundled_audit())
