"""The rows beside the chain: each names what it covers, and their order is what theory says."""

from dataclasses import replace

import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.problem import Problem
from bounds.regret_itself.ceilings.before_run import before_run, noise_levels
from bounds.static_gain.information import gain, joint_gram
from bounds.times import EvaluationTimes

PROBLEM = Problem(EvaluationTimes.from_durations([1.0] * 20), domain=Grid(1, 1.0, 15))


def capped(problem: Problem) -> list[tuple[float, float]]:
    return [
        (noise, problem.n * replace(problem, noise_variance=noise).trivial_gain_per_round)
        for noise in noise_levels(problem)
    ]


def test_rows_name_what_they_cover() -> None:
    rows = {row.name: row for row in before_run(PROBLEM, capped(PROBLEM))}
    assert rows["envelope"].policy == rows["cap"].policy == "ctv-fixed"
    assert rows["tail"].policy == rows["sandwich_upper"].policy == "any"
    for row in rows.values():
        assert row.times == "fixed"
        assert (row.level is None) == (row.kind == "mean")
        assert row.direction == "upper"
    assert rows["theory_smallest"].value == min(rows["envelope"].value, rows["tail"].value)
    assert rows["theory_smallest"].rounds == "one n"
    assert rows["envelope"].value <= rows["cauchy_schwarz"].value <= rows["cap"].value * 1.0000001


def test_a_small_gain_makes_the_envelope_small() -> None:
    points = [[0.5]] * PROBLEM.n
    pairs = [(noise, gain(joint_gram(PROBLEM, points), noise)) for noise in noise_levels(PROBLEM)]
    rows = {row.name: row.value for row in before_run(PROBLEM, pairs, b=1.0)}
    assert rows["envelope"] < 0.6 * rows["cap"]


def test_less_noise_than_there_is_is_refused() -> None:
    with pytest.raises(InvalidInput, match="noise level"):
        before_run(PROBLEM, [(0.001, 1.0)])


def test_levels_reach_up() -> None:
    levels = noise_levels(replace(PROBLEM, noise_variance=3.0))
    assert levels[0] == 3.0 and levels[-1] == pytest.approx(48.0)
