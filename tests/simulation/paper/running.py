"""The studies of one of the paper's figures, run one after the other."""

from __future__ import annotations

from pathlib import Path

from simulation.paper.experiments import FIGURES, ExperimentOptions
from simulation.study.study import Study, run_study


def run_figure(
    figure: str, options: ExperimentOptions, out: Path | None = None
) -> dict[str, Study]:
    """Each in a folder of its own below `out`, where that is given."""
    return {
        name: run_study(spec, None if out is None else out / name)
        for name, spec in FIGURES[figure](options).items()
    }
