"""γ_m from both sides as it is asked for: around the best of all designs, each road as it says."""

from __future__ import annotations

from math import log1p

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.static_gain.both_sides import (
    GainRange,
    box_gains_at,
    certified_gains_at,
    gain_curve,
    gains_at,
)
from bounds.static_gain.designs import space_gain_lower
from bounds.static_gain.upper_curve import GainCurve, space_gain_upper
from bounds.times import EvaluationTimes
from tests.oracles import largest_gain

NOISE, ROUNDS = 0.3, [3, 1, 4]


def problem_with(kernel=None, n: int = 5) -> Problem:
    times = EvaluationTimes.from_durations([1.0] * n)
    kernel = kernel or SquaredExponential(0.7)
    return Problem(times, space_kernel=kernel, noise_variance=NOISE, domain=Grid(2, 1.0, 2))


def check(found: GainRange, certified: bool) -> None:
    gram = SquaredExponential(0.7).gram(Grid(2, 1.0, 2).points)
    for i, m in enumerate(ROUNDS):
        truth = largest_gain(gram, NOISE, m)
        assert found.m[i] == m and found.certified[i] is certified
        assert 0.98 * truth <= found.lower[i] <= truth * (1 + 1e-12)
        assert truth * (1 - 1e-12) <= found.upper[i] <= found.cap[i] * (1 + 1e-12)
        assert found.cap[i] == pytest.approx(0.5 * m * log1p(1 / NOISE), rel=1e-14)


@pytest.mark.parametrize("road", [gains_at, certified_gains_at, box_gains_at])
def test_the_best_of_all_designs_lies_between(road) -> None:
    found = road(problem_with(), ROUNDS)
    check(found, certified=road is not gains_at)
    assert set(found.upper_names) <= {"cap", "rank-aware dual"}


def test_the_box_is_above_the_grid_and_attains_what_the_grid_does() -> None:
    grid, box = (road(problem_with(), ROUNDS) for road in (certified_gains_at, box_gains_at))
    assert np.array_equal(box.lower, grid.lower)
    assert np.all(box.upper >= grid.upper * (1 - 1e-12)) and np.any(box.upper > grid.upper)
    with pytest.raises(InvalidInput):
        box_gains_at(problem_with(Matern(0.5, 0.7)), ROUNDS)


def test_each_side_is_that_of_its_own_room() -> None:
    problem = problem_with()
    named = (problem.space_kernel, problem.domain, NOISE)
    curve = gain_curve(problem)
    assert np.array_equal(curve.values, space_gain_upper(*named, 5).values)
    given = GainCurve.given(curve.values + np.arange(6.0), 5)
    found = gains_at(problem, ROUNDS, curve=given)
    assert np.array_equal(found.upper, given.values[ROUNDS])
    assert found.upper_names == ("given",) * 3
    assert np.array_equal(found.lower, space_gain_lower(*named, 4, at=ROUNDS).values[ROUNDS])


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ([1, 0], "m = 0: give at least 1 round"),
        ([1, 10**9], "m = 1000000000: give at most 10000000 rounds"),
    ],
)
def test_rounds_that_are_none_or_too_many(rounds, said) -> None:
    with pytest.raises(InvalidInput) as caught:
        gains_at(problem_with(), rounds)
    assert str(caught.value) == said


def test_the_upper_side_is_the_close_one() -> None:
    kernel, line = Matern(2.5, 0.2), Grid(1, 1.0, 25)
    times = EvaluationTimes.from_durations([1.0] * 12)
    problem = Problem(times, space_kernel=kernel, noise_variance=0.1, domain=line)
    close, plain = (space_gain_upper(kernel, line, 0.1, 12, at=at).values for at in ([6, 12], None))
    assert close[6] < plain[6]
    assert gains_at(problem, [6, 12]).upper.tolist() == close[[6, 12]].tolist()
    assert np.array_equal(gain_curve(problem).values, plain)
