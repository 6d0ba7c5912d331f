"""Bounds, floors and simulations of time-varying bandits: every command as a function.

A command `ctv NAME --option value` is here `ctv.NAME(durations, option=value)`. It returns the
value that the command prints: with a short `repr`, a display in notebooks, `.to_dict()` (the JSON),
`.table()`, and `.plot()` where there is a picture. `durations` may be a list, an array, a column of
a table, a path, an `EvaluationTimes` (with `cumulative=True` for instants τ), or a whole `Problem`
for kernels and domains of one's own. Nothing heavy is loaded before a function is used.

>>> import ctv
>>> ctv.uniformity([1.0, 2.0, 3.0], epsilon=0.0).to_dict()["uniformity"]
76.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctv.inputs import bundled_times, read_times

__all__ = [
    "bound",
    "bundled_times",
    "certify",
    "coverage",
    "explore",
    "figure",
    "fit",
    "gain",
    "ladder",
    "partition",
    "rates",
    "read_times",
    "report",
    "simulate",
    "suggest",
    "uniformity",
    "verify",
]

_READERS = ("bundled_times", "read_times")


def __getattr__(name: str) -> Any:
    """Load a command when it is first used; modules such as `ctv.figures` are imported by name."""
    if name not in __all__:
        raise AttributeError(f"module 'ctv' has no attribute {name!r}")
    from importlib import import_module

    if name in _READERS:
        found = getattr(import_module("ctv.inputs"), name)
    else:
        from ctv.commands.command import for_python

        found = for_python(getattr(import_module(f"ctv.commands.{name}"), name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
