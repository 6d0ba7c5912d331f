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
    "example",
    "explore",
    "figure",
    "gain",
    "ladder",
    "look",
    "partition",
    "rates",
    "read_times",
    "report",
    "simulate",
    "uniformity",
    "verify",
]

_READERS = ("bundled_times", "read_times")


def __getattr__(name: str) -> Any:
    """Load a command when it is first used; modules such as `ctv.figures` are imported by name."""
    from importlib import import_module

    if name in _READERS:
        found = getattr(import_module("ctv.inputs"), name)
    elif name in __all__:
        from ctv.terminal.command import for_python

        found = for_python(getattr(import_module(f"ctv.commands.{name}"), name))
    elif not name.startswith("_") and name in _added():
        from ctv.extensions import load
        from ctv.terminal.command import for_python

        found = for_python(load("commands", name))
    else:
        raise AttributeError(f"module 'ctv' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted((*__all__, *_added()))


def _added() -> tuple[str, ...]:
    """The commands that other packages add, such as `fit` and `suggest` of `own_runs`."""
    from ctv.extensions import names

    return names("commands")
