"""bounds: deterministic mathematics of time-varying Gaussian process bandits.

Numbers go in, a bound comes out. Nothing here draws a random number, prints, plots or reads a file.

>>> from bounds import EvaluationTimes, Problem, bounds_of
>>> all_bounds = bounds_of(Problem(EvaluationTimes.from_durations([1.0, 2.0])), certify=False)
>>> all_bounds.report.best <= all_bounds.report.gains["trivial"].value
True
"""

from __future__ import annotations

from typing import Any

_HOME = {
    "Answer": "gain.answer",
    "Arms": "domain",
    "BoundReport": "gain.report",
    "Bounds": "gain.bounds",
    "CtvBoundsError": "errors",
    "EvaluationTimes": "times",
    "Family": "times",
    "Forgetting": "kernels",
    "GainBound": "gain.bound",
    "Grid": "domain",
    "InvalidInput": "errors",
    "Kernel": "kernels",
    "Matern": "kernels",
    "Partition": "partitions.partition",
    "Points": "domain",
    "Problem": "problem",
    "RegretBound": "regret.regret_bound",
    "SearchResult": "partitions.search",
    "SquaredExponential": "kernels",
    "bounds_of": "gain.bounds",
    "compare_partitions": "partitions.compare",
    "gain_curve": "static_gain.both_sides",
    "ladder": "gain.ladder",
    "sequence": "times",
    "uniformity": "partitions.uniformity",
}
"""What one starts with, and where it lives; loaded when it is first used."""

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    """Load a name of the public face."""
    if name not in _HOME:
        raise AttributeError(f"module 'bounds' has no attribute {name!r}")
    from importlib import import_module

    member = getattr(import_module(f"bounds.{_HOME[name]}"), name)
    globals()[name] = member
    return member


def __dir__() -> list[str]:
    return sorted(_HOME)
