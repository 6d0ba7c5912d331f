"""Partitions of one's own beside the best one, and what a name stands for."""

from __future__ import annotations

import numpy as np
import pytest

from bounds.errors import InvalidInput
from bounds.partitions.compare import block_drifts, compare_partitions, named_partitions
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.search import evaluate, search
from bounds.problem import Problem
from bounds.times import EvaluationTimes

PROBLEM = Problem(EvaluationTimes.from_durations([1.0, 1.0, 50.0, 1.0, 0.0]), epsilon=0.2)
GAMMA = np.minimum(np.arange(6.0), 2.5)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_rows_are_what_their_names_say(objective: str) -> None:
    heard: list[tuple[str, float]] = []
    found = compare_partitions(
        PROBLEM, GAMMA, objective, "cuts:0-2-5, best,equal:2", lambda *said: heard.append(said)
    )
    assert [name for name, _ in found.rows] == ["cuts:0-2-5", "best", "equal:2"]
    own, best, equal = (result for _, result in found.rows)
    assert best is found.best
    assert best.value == search(objective, PROBLEM, GAMMA).value
    for result, cuts in ((own, (0, 2, 5)), (equal, (0, 2, 4, 5))):
        assert result.partition.cuts == cuts and result.objective == objective
        assert result.value == evaluate(objective, PROBLEM, GAMMA, result.partition).value
        assert best.value <= result.value
    for result in (own, best, equal):
        drifts = block_drifts(PROBLEM, result)
        assert drifts.shape == (len(result.partition),)
        assert drifts.sum() == pytest.approx(result.drift)
    assert all(stage == f"search {objective}" and 0 <= share <= 1 for stage, share in heard)


def test_the_best_is_compared_with_itself_where_nothing_is_said() -> None:
    ((name, result),) = compare_partitions(PROBLEM, GAMMA).rows
    assert name == "best" and result.objective == "refined"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "worst",
        "equal",
        "equal:",
        "equal:0",
        "equal:2-3",
        "equal:x",
        "equal:-2",
        "equal:²",
        "equals:2",
        "cuts:0-2",
        "cuts:1-5",
        "cuts:0-3-2-5",
        "cuts:0-5-9",
        "cut:0-5",
        "equal:" + "9" * 19,
        "best,",
    ],
)
def test_what_names_no_partition(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"^compare = ('')?\S*: "):
        named_partitions(name, 5)


def test_names_of_partitions() -> None:
    assert named_partitions("equal:5", 5)["equal:5"].cuts == (0, 5)
    assert named_partitions("equal:" + "9" * 18, 5).popitem()[1].cuts == (0, 5)
    assert named_partitions("best", 5) == {"best": None}
    with pytest.raises(InvalidInput):
        compare_partitions(PROBLEM, GAMMA, "unknown")
