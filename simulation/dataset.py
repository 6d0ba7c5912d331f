"""A study as one labelled xarray Dataset, with named dimensions and units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from simulation.study import Study

if TYPE_CHECKING:
    import xarray

_VARIABLES = {
    "points": ("x_i, index into the grid", "1"),
    "durations": ("evaluation time t_i", "time"),
    "measured_durations": ("evaluation time as the policy was told", "time"),
    "times": ("time of observation tau_i", "time"),
    "observations": ("y_i = f(x_i, tau_i) + noise", "prior standard deviations of f"),
    "values": ("f(x_i, tau_i)", "prior standard deviations of f"),
    "best_values": ("max over the grid of f(x, tau_i)", "prior standard deviations of f"),
    "deviations": ("sigma_{i-1}(x_i, tau_i), true model", "prior standard deviations of f"),
    "regrets": ("best value minus value", "prior standard deviations of f"),
    "cumulative_regret": ("R_i", "prior standard deviations of f"),
    "cumulative_gain": ("half the log det of the first i rounds, true model", "nats"),
}


def dataset(study: Study) -> xarray.Dataset:
    """Every array of every run, over the dimensions policy, seed and round (from 1).

    The attributes hold what the study is (`StudySpec.identity`, as text where it is not a number).

    >>> from bounds.domain import Grid
    >>> from bounds.problem import Problem
    >>> from bounds.times import EvaluationTimes
    >>> from simulation.study import StudySpec, run_study
    >>> problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(2, 1.0, 4))
    >>> labelled = dataset(run_study(StudySpec(problem, seeds=2, initial=3, rounds=2)))
    >>> dict(labelled.sizes)
    {'policy': 2, 'seed': 2, 'round': 5}
    """
    # Imported here: it takes longer to load than a study of a few cells takes to run.
    import xarray

    dimensions = ("policy", "seed", "round")
    spec = study.spec
    variables = {
        name: (dimensions, study.array(name), {"long_name": meaning, "units": unit})
        for name, (meaning, unit) in _VARIABLES.items()
    }
    identity = {
        key: value if isinstance(value, int | float | str) else str(value)
        for key, value in spec.identity().items()
    }
    return xarray.Dataset(
        variables,
        coords={
            "policy": list(study.trajectories),
            "seed": list(spec.all_seeds),
            "round": ("round", np.arange(1, spec.total_rounds + 1), {"long_name": "round, from 1"}),
        },
        attrs=identity,
    )
