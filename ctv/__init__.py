"""Bounds, floors and simulations of time-varying bandits: every command as a function.

A command `ctv NAME --option value` is here `ctv.NAME(durations, option=value)`. It returns the
value that the command prints: with a short `repr`, a display in notebooks, `.to_dict()` (the JSON),
`.table()`, and `.plot()` where there is a picture. `durations` may be a list, an array, a column of
a table, a path, an `EvaluationTimes` (`end=` has the instants τ instead), or a whole `Problem`
for kernels and domains of one's own. Nothing heavy is loaded before a function is used.

>>> import ctv
>>> ctv.uniformity([1.0, 2.0, 3.0], epsilon=0.0).to_dict()["uniformity"]
76.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bounds.errors import InvalidInput
    from bounds.problem import Problem
    from bounds.times import EvaluationTimes
    from ctv.inputs import bundled_times, read_times
    from ctv.inputs import read_times as load_times

    __version__: str

__all__ = [
    "EvaluationTimes",
    "InvalidInput",
    "Problem",
    "bound",
    "bundled_times",
    "certify",
    "coverage",
    "example",
    "explore",
    "figure",
    "gain",
    "ladder",
    "load_times",
    "look",
    "partition",
    "rates",
    "read_times",
    "report",
    "simulate",
    "uniformity",
    "verify",
]

_ELSEWHERE = {
    "EvaluationTimes": ("bounds.times", "EvaluationTimes"),
    "InvalidInput": ("bounds.errors", "InvalidInput"),
    "Problem": ("bounds.problem", "Problem"),
    "bundled_times": ("ctv.inputs", "bundled_times"),
    "load_times": ("ctv.inputs", "read_times"),
    "read_times": ("ctv.inputs", "read_times"),
}
"""What is no command: where it lives, and its name there."""

_MEANT = {
    "load_times(FILE)": ("load", "load_csv", "load_data", "read", "read_csv", "times"),
    "look(FILE)": (
        *("analyse", "analyze", "from_csv", "from_optuna", "from_pandas", "load_log", "load_study"),
        *("log", "quick", "read_log", "run", "summarize", "summary"),
    ),
    "__version__": ("show_versions", "version"),
    "example()": ("data", "dataset", "datasets", "demo", "load_dataset", "load_example"),
    "gain": (
        "information_gain",
        "gamma",
        "max_info_gain",
        "max_information_gain",
        "mig",
        "mutual_information",
    ),
    "bound(…).lower": ("floor", "lower_bound"),
    "bound(…).value": ("cumulative_regret", "regret", "regret_bound", "upper_bound"),
    "bound(…).plot()": ("plot_bounds", "plot_regret"),
    "certify(FILE)": ("certificate", "posterior", "score", "simple_regret"),
    "bound": ("bounds", "theorem1"),
    "partition": ("blocks", "changepoints", "cuts", "segment", "segmentation"),
    "report": ("page", "plot", "show"),
    "suggest(FILE)": (
        *("ask", "bandit", "bayesianoptimization", "bo", "ctv", "gp", "maximize", "minimize"),
        *("create_study", "exactgp", "gaussianprocessregressor", "next_point", "optimize"),
        *("optimizer", "predict", "qupperconfidencebound", "search", "singletaskgp", "tell"),
        *("tune", "ucb"),
    ),
    "verify": ("check", "claims", "ledger", "lemma", "lemmas", "proof", "prove", "theorems"),
    "simulate(policy=…)": ("policies", "policy", "simulation", "experiment", "study"),
    "bound(times, kernel='matern52')": ("kernel", "kernels", "matern", "rbf", "squaredexponential"),
    "bound(times, grid=50, dimension=2)": ("domain", "grid", "box"),
}
"""What people look for, and where it is."""


def __getattr__(name: str) -> Any:
    """Load a command when it is first used; modules such as `ctv.figures` are imported by name."""
    from importlib import import_module

    if name == "__version__":
        from ctv.show.plain import project_version

        return project_version()
    if name in _ELSEWHERE:
        module, own = _ELSEWHERE[name]
        attribute = getattr(import_module(module), own)
    elif name in __all__:
        from ctv.terminal.command import for_python

        attribute = for_python(getattr(import_module(f"ctv.commands.{name}"), name))
    elif not name.startswith("_") and name in _added():
        from ctv.extensions import load
        from ctv.terminal.command import for_python

        attribute = for_python(load("commands", name))
    else:
        from difflib import get_close_matches

        close = [here for here, words in _MEANT.items() if name.lower() in words]
        if not close and not name.startswith("_"):
            close = get_close_matches(name, __dir__(), 1, 0.6)
        hint = f": did you mean ctv.{close[0]}?" if close else ""
        raise AttributeError(f"module 'ctv' has no attribute {name!r}{hint}")
    globals()[name] = attribute
    return attribute


def __dir__() -> list[str]:
    return sorted((*__all__, *_added()))


def _added() -> tuple[str, ...]:
    """The commands that other packages add, such as `fit` and `suggest` of `own_runs`."""
    from ctv.extensions import names

    return names("commands")
