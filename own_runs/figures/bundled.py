"""The figure of `ctv figure stopping`: the bundled audit of stopping rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from own_runs.certificates.stopping_rules import bundled_audit
from own_runs.figures import stopping as stopping_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def stopping() -> Figure:
    """The bundled audit of stopping rules."""
    return stopping_figure.draw(bundled_audit())
