"""Everything that draws a random number: drifting objectives, policies, runs and studies.

>>> from simulation import StudySpec, simulate
>>> simulate.__name__, StudySpec.__name__
('simulate', 'StudySpec')
"""

from __future__ import annotations

from typing import Any

_HOME = {
    "Observed": "after_run.observed",
    "Study": "study.study",
    "StudySpec": "study.study",
    "Trajectory": "runs.run",
    "certify": "after_run.certificates",
    "compare_with_bounds": "study.comparison",
    "constant": "world.evaluation_time",
    "coverage_study": "after_run.coverage",
    "in_order": "world.evaluation_time",
    "run_study": "study.study",
    "runs_under_bounds": "study.under_bounds",
    "simulate": "runs.run",
    "simulation_certificate": "after_run.simulated",
    "stored_runs": "study.stored",
    "summarize": "study.statistics",
}
"""What one starts with, and where it lives; loaded when it is first used."""

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    """Load a name of the public face."""
    if name not in _HOME:
        raise AttributeError(f"module 'simulation' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"simulation.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOME)
