"""Lemma SF on the whole box: against pairs drawn anywhere, a grid of it, and its maximum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Arms, Grid
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.kernels.levelled import Levelled
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.box_increments import (
    BoxCeiling,
    affordable_box_ceiling,
    box_ceiling_at,
    box_maximum,
    least_box_ceiling,
)
from bounds.regret.ingredients.schedules.increments import ceiling_at
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.times import EvaluationTimes

KERNELS = [SquaredExponential(0.3), Matern(2.5, 0.4), Matern(3.5, 0.3), Levelled("se", 0.3, 0.5)]


def problem_of(waits, sides=(1.0,), **more) -> Problem:
    given = {"epsilon": 0.01, "noise_variance": 0.1, **more}
    domain = Grid(len(sides), sides, (5,) * len(sides))
    return Problem(EvaluationTimes.from_durations(waits), domain=domain, **given)


def left_of_pairs(problem: Problem, rounds, places, i: int, x, y) -> np.ndarray:
    """Var(f(x) − f(y) | the looks before round i)/d_K² by whole matrices, pair by pair."""
    k, looks = problem.space_kernel, [j for j in rounds if j < i]
    z, tau = np.asarray(places)[: len(looks)], problem.times.times
    in_time = problem.time_kernel.at_distance(np.abs(np.subtract.outer(tau[looks], tau[looks])))
    noisy = k.gram(z) * in_time + problem.noise_variance * np.eye(len(z))
    reach = problem.time_kernel.at_distance(tau[i] - tau[looks])
    cross = (k.gram(x, z) - k.gram(y, z)) * reach
    apart = 2.0 * k.complement(np.linalg.norm(x - y, axis=1))
    return 1.0 - np.einsum("pi,ip->p", cross, np.linalg.solve(noisy, cross.T)) / apart


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.title)
@pytest.mark.parametrize("sides", [(1.0,), (1.0, 0.6)], ids=["line", "oblong"])
def test_no_pair_of_the_box_is_known_worse(kernel, sides) -> None:
    """Σ√(1−p)·k_time with p the worst of many pairs, close ones among them, is no smaller."""
    rng = np.random.default_rng(1)
    problem = problem_of(rng.pareto(1.0, 30), sides, space_kernel=kernel)
    rounds = tuple(range(0, 18, 2))
    places = np.tile(rng.uniform(0.0, 1.0, (3, len(sides))), (3, 1)) * sides
    found = box_ceiling_at(problem, rounds, places, 400)
    x = rng.uniform(0.0, 1.0, (3_000, len(sides))) * sides
    near = np.clip(x + rng.normal(0.0, 1e-3, x.shape), 0.0, sides)
    x, y = np.vstack([x, x]), np.vstack([x[::-1], near])
    apart = np.linalg.norm(x - y, axis=1) > 1e-6
    lost = float(len(rounds))
    for i in set(range(problem.n)) - set(rounds):
        worst = left_of_pairs(problem, rounds, places, i, x[apart], y[apart]).max()
        lost += 1.0 - np.sqrt(max(0.0, 1.0 - worst))
    assert lost <= found * (1.0 + 1e-9)


def test_with_many_nodes_it_is_the_largest_quotient() -> None:
    """On a line, where thousands of pairs come near the supremum: above it by less than 4 %."""
    problem = problem_of(np.ones(200), epsilon=1e-3)
    rounds, places = tuple(range(0, 200, 5)), np.tile([[0.1], [0.5], [0.9], [0.3], [0.7]], (8, 1))
    fine = replace(problem, domain=Grid(1, 1.0, 201))
    index = tuple(round(200 * place) for place in places[:, 0])
    grid = ceiling_at(fine, Schedule(rounds, index)).value
    found = [box_ceiling_at(problem, rounds, places, nodes) for nodes in (50, 200, 800)]
    assert found == sorted(found, reverse=True)
    assert grid <= found[-1] <= 1.04 * grid


@settings(max_examples=20, deadline=None)
@example(looks=[(0, 0.0)], noise=1e-3, epsilon=0.0)
@given(
    looks=st.lists(
        st.tuples(st.integers(0, 11), st.floats(0.0, 1.0)), max_size=6, unique_by=lambda one: one[0]
    ),
    noise=st.floats(1e-3, 2.0),
    epsilon=st.floats(0.0, 0.5),
)
def test_never_below_a_grid_of_the_box(looks, noise, epsilon) -> None:
    looks = sorted(looks)
    problem = problem_of(np.ones(12), epsilon=epsilon, noise_variance=noise)
    rounds = tuple(i for i, _ in looks)
    index = tuple(round(40 * place) for _, place in looks)
    grid = ceiling_at(replace(problem, domain=Grid(1, 1.0, 41)), Schedule(rounds, index)).value
    found = box_ceiling_at(problem, rounds, np.array(index, dtype=float)[:, None] / 40.0, 60)
    assert grid <= found * (1.0 + 1e-9)
    assert found <= 12.0 + 1e-9


@pytest.mark.parametrize("sides", [(1.0,), (1.0, 1.0), (2.0, 0.3)])
def test_the_maximum_of_the_box(sides) -> None:
    """Above the mean largest value on a grid of it, by simulation."""
    kernel, rng = SquaredExponential(0.3), np.random.default_rng(0)
    points = Grid(len(sides), sides, (20,) * len(sides)).points
    values, vectors = np.linalg.eigh(kernel.gram(points))
    draws = rng.standard_normal((4_000, len(points))) * np.sqrt(np.maximum(values, 0.0))
    largest = (draws @ vectors.T).max(axis=1)
    found = box_maximum(sides, kernel)
    assert largest.mean() - 4.0 * largest.std() / np.sqrt(4_000) <= found
    assert found <= 1.5 * largest.mean()


def test_the_search() -> None:
    problem = problem_of(np.ones(150), epsilon=1e-5, noise_variance=0.01)
    found = least_box_ceiling(problem)
    assert isinstance(found, BoxCeiling)
    assert 0.0 < found.value < 0.6 * 150
    assert found.value <= box_ceiling_at(problem, found.rounds, found.places, 300)
    assert found.to_dict()["rounds"] == list(found.rounds)
    nothing = least_box_ceiling(problem_of(np.ones(6), epsilon=0.5))
    assert nothing.value == 6.0
    assert not nothing.rounds


def test_what_has_none_is_named() -> None:
    for more, field in (
        ({"space_kernel": Matern(1.5, 0.2)}, "kernel"),
        ({"time_kernel": SquaredExponential(1.0)}, "time-kernel"),
    ):
        problem = problem_of(np.ones(5), **more)
        assert affordable_box_ceiling(problem) is None
        with pytest.raises(InvalidInput, match=field):
            least_box_ceiling(problem)
    arms = replace(problem_of(np.ones(5)), domain=Arms(3))
    with pytest.raises(InvalidInput, match="domain"):
        least_box_ceiling(arms)
    with pytest.raises(InvalidInput, match="places"):
        box_ceiling_at(problem_of(np.ones(5)), (0,), np.array([[2.0]]))
    assert affordable_box_ceiling(problem_of(np.ones(1_501))) is None


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.title)
def test_the_curvature_by_differences(kernel) -> None:
    """Var of (f(h) − 2f(0) + f(−h))/h² is (6 − 8k(h) + 2k(2h))/h⁴."""
    h = 1e-2
    k = 1.0 - kernel.complement(np.array([h, 2.0 * h]))
    by_differences = (6.0 - 8.0 * k[0] + 2.0 * k[1]) / h**4
    assert kernel.curvature_variance == pytest.approx(by_differences, rel=0.15)
