"""The studies of certificates of logs that come with the project, made by scripts of `benchmarks`.

How often certificates cover the regret of a log whose prior was fitted to the same log
(`benchmarks/fit_coverage.py`), and how often what stopping rules in use state of the simple regret
is so (`benchmarks/stopping_rules.py`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

METHODS = ("mixture", "plugged in", "true prior")
QUANTITIES = ("cumulative", "simple", "stopped")
"""What is certified: of all logs, and the simple regret of those where `--stop-below` says stop."""
STOP_BELOW = 0.5
"""What `--stop-below` is given, in standard deviations of the log's y."""


@dataclass(frozen=True)
class FitCoverage:
    """How often one method's certificate was at least the regret.

    Attributes
    ----------
    setting : what drew the logs; None for all settings together
    quantity : of `QUANTITIES`
    method : of `METHODS`
    level : nominal
    covered, runs : the count
    low, high : its exact 95 % interval
    width : median certificate over that of the true prior on the same logs; over that of the
        mixture for a table; None where the latter is 0
    """

    setting: Mapping[str, Any] | None
    quantity: str
    method: str
    level: float
    covered: int
    runs: int
    low: float
    high: float
    width: float | None


@dataclass(frozen=True)
class Audit:
    """How often a stopping rule's bound on the simple regret held.

    Attributes
    ----------
    rule, drift, epsilon : what was audited; drift `ignored` gives the rule ε = 0
    level : nominal
    covered, runs : logs whose true simple regret was at most what the rule stated
    low, high : the exact 95 % interval
    bound : median of what it stated
    regret : median of the true simple regret of the point that it returns
    """

    rule: str
    drift: str
    epsilon: float
    level: float
    covered: int
    runs: int
    low: float
    high: float
    bound: float
    regret: float


def bundled_coverage() -> dict[str, tuple[FitCoverage, ...]]:
    """Certificates of fitted priors: of drawn truths of several lengths, and of real fits.

    >>> [name for name in bundled_coverage() if not name.startswith("drawn")]
    ['real fits, 60 rounds']
    """
    studies: dict[str, tuple[FitCoverage, ...]] = {}
    for row in _stored("fit_coverage.json"):
        name = row.pop("study")
        studies[name] = (*studies.get(name, ()), FitCoverage(**row))
    return studies


def covered_of(quantity: str, method: str, studies: str = "") -> tuple[int, int]:
    """How many certificates of the bundled studies held, and of how many.

    studies : how the names of those begin that count, by default all
    """
    rows = [
        row
        for name, study in bundled_coverage().items()
        for row in study
        if name.startswith(studies) and row.setting is None
        if (row.quantity, row.method) == (quantity, method)
    ]
    return sum(row.covered for row in rows), sum(row.runs for row in rows)


def bundled_audit() -> tuple[Audit, ...]:
    """The audit of stopping rules: n = 60, 100 runs of each rate of drift.

    >>> len({row.rule for row in bundled_audit()})
    6
    """
    return tuple(Audit(**row) for row in _stored("stopping_audit.json"))


def _stored(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((files("own_runs") / "data" / name).read_text("utf-8"))
    return rows
