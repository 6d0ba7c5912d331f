"""The hypothesis of Theorem 1 against all pairs, and better partitions of looser objectives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.kernels import Kernel, Matern, SquaredExponential
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, improve, search
from bounds.problem import Problem
from bounds.times import EvaluationTimes


@pytest.mark.parametrize("kernel", [SquaredExponential(3.0), Matern(1.5, 2.0)], ids=repr)
@given(
    st.lists(st.sampled_from([0.0, 0.2, 1.0, 3.0, 9.0]), min_size=1, max_size=7),
    st.floats(0.01, 0.5),
)
@example([1.0] * 7, 0.1)  # it fails at distant rounds alone
@example([1.0] * 7, 0.23)
@settings(max_examples=60, deadline=None)
def test_the_hypothesis_is_decided_as_by_all_pairs(
    kernel: Kernel, durations: list[float], epsilon: float
) -> None:
    times = EvaluationTimes.from_durations(durations)
    distance = np.abs(np.subtract.outer(times.times, times.times))
    excess = kernel.complement(distance) - epsilon * distance
    if abs(excess.max()) < 1e-9 and excess.max() != 0.0:
        return  # too near to call
    problem = Problem(times, epsilon=epsilon, time_kernel=kernel)
    assert (theorem1_failure(problem) != "") == (excess.max() > 0.0)


def test_a_better_partition_of_another_objective_is_taken_and_no_worse_one() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0, 0.0, 5.0]))
    gamma = [0.0, 2.0, 2.5, 2.9]
    poor = evaluate("refined", problem, gamma, Partition((0, 1, 3)))
    good = search("additive", problem, gamma)
    better = improve(problem, gamma, poor, [good])
    assert better.partition.cuts == (0, 2, 3)
    assert better.value == evaluate("refined", problem, gamma, Partition((0, 2, 3))).value
    rough = evaluate("refined", problem, gamma, Partition((0, 2, 3)))
    assert improve(problem, gamma, rough, [poor]) is rough
