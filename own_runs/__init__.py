"""What is about a log of one's own: its readers, the priors that fit it, certificates, next points.

Nothing of the other packages imports this one: it enters by the entry points of `ctv.extensions`,
as a package of anybody else does.

>>> from own_runs import Columns, read_log
>>> read_log.__name__, Columns(y="loss").y
('read_log', 'loss')
"""

from __future__ import annotations

from typing import Any

_HOME = {
    "Columns": "logs.columns",
    "Fit": "prior.fit",
    "Observations": "logs.observations",
    "Search": "live.session",
    "certify_log": "certificates.mixture",
    "fit": "prior.fit",
    "next_points": "live.next_point",
    "read_log": "logs.reader",
    "read_log_times": "logs.reader",
    "read_prior": "prior.files",
}
"""What one starts with, and where it lives; loaded when it is first used."""

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    """Load a name of the public face."""
    if name not in _HOME:
        raise AttributeError(f"module 'own_runs' has no attribute {name!r}")
    from importlib import import_module

    attribute = getattr(import_module(f"own_runs.{_HOME[name]}"), name)
    globals()[name] = attribute
    return attribute


def __dir__() -> list[str]:
    return sorted(_HOME)
