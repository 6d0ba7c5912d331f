"""The hypothesis of Theorem 1 against all pairs, and better partitions of looser objectives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.partitions import hypothesis as hypothesis_module
from bounds.partitions.cells import Cells
from bounds.partitions.center_search import Centers
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, improve, search
from bounds.partitions.uniformity_search import out_of_reach
from bounds.problem import Problem
from bounds.times import EvaluationTimes


@pytest.mark.parametrize(
    "kernel",
    [SquaredExponential(3.0), Matern(1.5, 2.0), Matern(0.3, 5.0), Forgetting(0.9)],
    ids=repr,
)
@given(
    st.lists(st.sampled_from([0.0, 0.2, 1.0, 3.0, 9.0]), min_size=1, max_size=7),
    st.floats(0.01, 0.99),
)
@example([1.0] * 7, 0.1)  # it fails at distant rounds alone
@example([1.0] * 7, 0.23)
@settings(max_examples=60, deadline=None)
def test_the_hypothesis_is_decided_as_by_all_pairs(
    kernel: Kernel, durations: list[float], epsilon: float
) -> None:
    times = EvaluationTimes.from_durations(durations)
    distance = np.abs(np.subtract.outer(times.times, times.times))
    distance = distance[distance > 0.0]
    steepest = float(np.max(kernel.complement(distance) / distance, initial=0.0))
    # The one that is drawn, and those on either side of the least with which it holds.
    for rate in (epsilon, min(0.999 * steepest, 0.99), min(1.001 * steepest, 0.999)):
        if abs(rate - steepest) > 1e-9:
            problem = Problem(times, epsilon=rate, time_kernel=kernel)
            assert (theorem1_failure(problem) != "") == (rate < steepest)


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


class Straight(Kernel):
    """1 − k(r) = 0.25·r·(1 + extra), of which no peak and only a large slope are known."""

    name, slope = "straight", 1.0

    def __init__(self, extra: float, bend: float = 0.0) -> None:
        self.extra, self.bend = extra, bend

    def at_distance(self, distance):
        return 1.0 - self.complement(distance)

    def complement(self, distance):
        r = np.asarray(distance, dtype=float)
        return 0.25 * r * (1.0 + self.extra + self.bend * (r == 2.0))


def test_pairs_of_a_kernel_without_a_peak_are_all_compared(monkeypatch) -> None:
    times = EvaluationTimes.from_durations([5.0, 1.0, 0.0, 1.0, 0.5])
    for extra, bend, fails in (
        (0.5e-12, 0.0, False),
        (2e-12, 0.0, True),
        (-1e-3, 0.1, True),
        (-1.0, 0.0, False),
    ):
        said = theorem1_failure(Problem(times, 0.25, Straight(extra, bend)))
        assert bool(said) is fails
        if bend:  # rounds 1 and 4
            assert said == (
                "1 - k_time <= epsilon*|tau-tau'| fails: two rounds 2 apart have 1 - k_time = "
                "0.5495 > 0.5"
            )
    monkeypatch.setattr(hypothesis_module, "_MOST_COMPARED", 4)  # instants that differ
    assert theorem1_failure(Problem(times, 0.25, Straight(-0.5))) == ""
    monkeypatch.setattr(hypothesis_module, "_MOST_COMPARED", 3)
    assert theorem1_failure(Problem(times, 0.25, Straight(-0.5))) == (
        "1 - k_time <= epsilon*|tau-tau'| is not checked: the slope of k_time is not known"
    )
    assert theorem1_failure(Problem(times, 0.99, Matern(0.5, 2.0))) == ""
    one = EvaluationTimes.from_durations([5.0, 0.0])
    assert theorem1_failure(Problem(one, 0.25, Straight(9.0))) == ""


def test_a_search_gives_up_where_it_cannot_end() -> None:
    """Beyond the limit, or beyond a twentieth of it with more ahead than is left."""
    for work, ahead, gives_up in (
        (101, 0, True),
        (100, 0, False),
        (6, 95, True),
        (6, 94, False),
        (5, 9999, False),
        (0, 9999, False),
    ):
        assert out_of_reach(work, ahead, 100) is gives_up


def test_intervals_for_centres_cover_the_time_between_rounds() -> None:
    waits = np.array([0.0, 1.0, 0.3, 50.0, 2.0])
    cells = Cells.of_rounds(EvaluationTimes.from_durations(waits))
    for count, reach in ((10, 4.0), (40, 0.5), (3, 1e9)):
        found = Centers.covering(cells, count, reach)
        for wait, start, end in zip(waits, found.groups, found.groups[1:], strict=False):
            low, high = found.after[start:end], wait - found.before[start:end]
            assert low[0] == 0.0 and high[-1] == wait
            assert np.all(low[1:] <= high[:-1]) and np.all(low <= high)
            np.testing.assert_allclose(low[1:], high[:-1], rtol=1e-12)
            near = min(wait / 2, reach)
            pieces = (end - start - 1) // 2
            assert (end - start) % 2 == 1 and pieces >= 1
            widths = np.delete(high - low, pieces)
            np.testing.assert_allclose(widths, near / pieces, rtol=1e-9, atol=1e-15)
            assert high[pieces] - low[pieces] == pytest.approx(wait - 2 * near, abs=1e-9)
            total = 2 * np.minimum(waits / 2, reach).sum()
            assert pieces == max(1, np.ceil(near / (total / count)))
