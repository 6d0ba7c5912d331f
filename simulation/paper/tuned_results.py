"""The experiments with tuned hyperparameters, in one file that comes with the package.

Figure 1 with each way of tuning and with the policies of the authors' released code; runs of 300
rounds after 5 random ones, as long as those that the authors published, with fixed and with tuned
hyperparameters and with less and less exploration; and the setting of the released code.
`benchmarks/paper_runs.py` writes it anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bounds.arrays import FloatArray
from simulation.paper.experiment_results import stored
from simulation.paper.findings import Finding, judged
from simulation.paper.sentences import FIGURE_1 as ALL_SETTINGS
from simulation.paper.sentences import Side
from simulation.policies.readings import Tuning

FORMAT = "ctv-bounds tuned experiments 1"

Horizon = Literal["figure-1", "published", "released"]

FIGURE_1: Mapping[tuple[Tuning, str], tuple[str, ...]] = {
    ("likelihood", "beta"): ALL_SETTINGS,
    ("posterior", "beta"): ("se-uniform", "se-biased"),
    ("cross-validation", "beta"): ALL_SETTINGS,
    ("none", "released"): ALL_SETTINGS,
}
"""Ways of tuning and weights with which Figure 1 is run again ↦ settings: by posterior draws,
the dearest, with the squared exponential alone."""

PUBLISHED_SOURCE = "HideakiImamura/TimeVaryingGPBO, experiments/graph_writer.ipynb"
"""Where the authors' runs of 300 rounds can be read."""

PUBLISHED_ENDS: Mapping[str, Mapping[str, float]] = {
    "se-uniform": {"gp-ucb": 2.73, "tv": 2.18, "ctv": 1.51, "ctv-simple": 1.46},
    "se-biased": {"gp-ucb": 3.18, "tv": 2.59, "ctv": 1.44, "ctv-simple": 1.57},
}
"""R_n/n at n = 300 there. How many runs, and on which objectives, is not said."""


@dataclass(frozen=True, eq=False)
class TunedStudy:
    """R_n/n of the runs of one study.

    Attributes
    ----------
    horizon : `figure-1` (30 random rounds and 100), `published` (5 and 295) or `released` (10 and
        290)
    tune : how hyperparameters are found, see `simulation.policies.readings.Readings`
    weight : of σ; `released` is that of the policies as released
    study : name of the setting
    identity : digest of everything that the numbers depend on
    seeds : of the runs
    rounds : n
    regrets : policy ↦ (seeds, rounds) R_n/n
    """

    horizon: Horizon
    tune: Tuning
    weight: str
    study: str
    identity: str
    seeds: tuple[int, ...]
    rounds: tuple[int, ...]
    regrets: Mapping[str, FloatArray]


def tuned_findings(studies: Sequence[TunedStudy], tune: Tuning, weight: str) -> tuple[Finding, ...]:
    """The sentences about Figure 1, judged by the runs that were tuned in one way."""
    return judged(
        {
            Side(one.study, policy.removesuffix("-as-released")): values[:, -1]
            for one in studies
            if (one.horizon, one.tune, one.weight) == ("figure-1", tune, weight)
            for policy, values in one.regrets.items()
        }
    )


def bundled() -> Path:
    """The file that comes with the package."""
    return Path(str(files("simulation") / "data" / "tuned.json"))


def read(path: Path) -> tuple[TunedStudy, ...]:
    """Read such a file; raises InvalidInput where it is damaged or something else."""
    return tuple(_study(row) for row in stored(path, FORMAT)["studies"])


def _study(row: Mapping[str, Any]) -> TunedStudy:
    regrets = {name: np.array(values, dtype=float) for name, values in row["regrets"].items()}
    plain = {name: row[name] for name in ("horizon", "tune", "weight", "study", "identity")}
    return TunedStudy(
        **plain, seeds=tuple(row["seeds"]), rounds=tuple(row["rounds"]), regrets=regrets
    )
