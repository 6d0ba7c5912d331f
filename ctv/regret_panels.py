"""What the regret figures need from finished studies: running means, spreads, differences."""

from __future__ import annotations

import numpy as np

from ctv.figures.regret import RegretPanel
from simulation.statistics import estimate, reference_policy
from simulation.study import Study


def regret_panel(study: Study, title: str) -> RegretPanel:
    """R_m/m over the rounds of a study, from the last random round on, and paired differences."""
    first = max(study.spec.initial, 1)
    rounds = np.arange(first, study.spec.total_rounds + 1)
    running = {
        policy: np.array([run.cumulative_regret[first - 1 :] for run in runs]) / rounds
        for policy, runs in study.trajectories.items()
    }
    compared = reference_policy(running)
    spread = 1 if study.spec.seeds > 1 else 0
    return RegretPanel(
        title=title,
        rounds=rounds,
        mean={policy: values.mean(axis=0) for policy, values in running.items()},
        sd={policy: values.std(axis=0, ddof=spread) for policy, values in running.items()},
        seeds=study.spec.seeds,
        reference=compared,
        differences={
            policy: estimate(values[:, -1] - running[compared][:, -1])
            for policy, values in running.items()
            if policy != compared and study.spec.seeds > 1
        },
    )
