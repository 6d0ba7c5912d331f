"""The figures of `ctv figure` about logs: of the bundled log, and of the bundled audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctv.inputs import bundled_times
from own_runs.certificates.stopping_rules import bundled_audit
from own_runs.figures import fit as fit_figure
from own_runs.figures import stopping as stopping_figure
from own_runs.logs import Columns, read_log
from own_runs.prior.fit import fit as fit_log

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLUMNS = Columns(x=("x1_log_n_estimators", "x2_max_depth"), y="test_accuracy")
_DRAWS = 160


def fit() -> Figure:
    """The priors that fit the bundled log of 240 model fits; `ctv.fit(…).plot()` draws your own."""
    log = read_log(bundled_times(), direction="maximize", columns=_COLUMNS)
    return fit_figure.draw(fit_log(log, draws=_DRAWS))


def stopping() -> Figure:
    """The bundled audit of stopping rules."""
    return stopping_figure.draw(bundled_audit())
