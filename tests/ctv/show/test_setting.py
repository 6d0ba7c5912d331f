"""A screen says how fast the objective drifts by the parameter of its own time kernel."""

import pytest

from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from ctv.show.shown import drift_rate, setting


@pytest.mark.parametrize(
    ("kernel", "short", "long"),
    [
        (Forgetting(0.25), "ε = 0.25", "forgetting time kernel, ε = 0.25,"),
        (
            Matern(1.5, 600.0),
            "matern32 time kernel, ℓ = 600",
            "Matérn-3/2 time kernel of lengthscale 600,",
        ),
        (
            SquaredExponential(600.0),
            "se time kernel, ℓ = 600",
            "squared exponential time kernel of lengthscale 600,",
        ),
    ],
)
def test_the_drift_is_that_of_the_time_kernel(kernel, short: str, long: str) -> None:
    """The ε of the problem is Theorem 1's, and no rate of another kernel."""
    problem = Problem(EvaluationTimes.from_durations([1.0, 2.0]), epsilon=0.25, time_kernel=kernel)
    assert drift_rate(problem) == short
    assert long in setting(problem)
    assert ("ε = " in setting(problem)) is isinstance(kernel, Forgetting)
