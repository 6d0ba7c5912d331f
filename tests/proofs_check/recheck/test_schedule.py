"""The number of a schedule, drawn again: a bound at its level, by a seed that nobody chooses."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.times import EvaluationTimes
from proofs_check.recheck.bounds import schedule as checker
from proofs_check.recheck.bounds.schedule import recheck_schedule
from proofs_check.recheck.grid import float_kernel
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.sampling import own_generator, symmetric_root
from proofs_check.records.bound_certificate import problem_data
from simulation.before_run.schedule import schedule_bound
from simulation.before_run.schedule_search import quick_schedule

TIMES = EvaluationTimes.from_durations([1.0, 0.0, 0.3, 2.0, 1.0, 1.0])


def problem_with(kernel, **more: Any) -> Problem:
    given: dict[str, Any] = {"noise_variance": 0.1, "domain": Grid(2, 1.0, 6), **more}
    return Problem(TIMES, time_kernel=kernel, **given)


def entry_of(schedule: Schedule, delta: float = 1e-3) -> dict[str, Any]:
    return {"rounds": list(schedule.rounds), "points": list(schedule.points), "delta": delta}


@pytest.mark.parametrize("kernel", [Forgetting(0.1), SquaredExponential(2.0)], ids=repr)
@pytest.mark.parametrize("space", [SquaredExponential(0.2), Matern(0.8, 0.4)], ids=repr)
def test_two_codes_bound_one_mean(kernel, space) -> None:
    """Both estimates lie below either bound, and the bounds are close to each other."""
    problem = problem_with(kernel, space_kernel=space)
    schedule = quick_schedule(problem)
    found = schedule_bound(problem, schedule)
    again, draws = recheck_schedule(entry_of(schedule), problem_data(problem))
    assert draws == 20_000
    assert again > found.estimate
    assert again == pytest.approx(found.value, abs=0.3 * (found.value - found.estimate) + 0.05)
    looser, _ = recheck_schedule(entry_of(schedule, 1e-6), problem_data(problem))
    assert looser > again


def test_the_slack_is_that_of_concentration(monkeypatch) -> None:
    """By hand for one scheduled round of two, two points: Λ² = largest variance + 2²·½ of 2m*."""
    monkeypatch.setattr(checker, "_MOST", 4_000)
    problem = problem_with(Forgetting(0.2), domain=Grid(1, 1.0, 2), space_kernel=Matern(0.5, 1.0))
    data = {**problem_data(problem), "times": [0.0, 1.0]}
    found, draws = recheck_schedule({"rounds": [0], "points": [1], "delta": 0.01}, data)
    gram = np.array([[1.0, np.exp(-1.0)], [np.exp(-1.0), 1.0]])
    rng = own_generator("schedule", data, [0], [1])
    prior = rng.standard_normal((draws, 2)) @ symmetric_root(gram)
    mean = gram[1] * sqrt(0.8) / sqrt(1.1)
    known = rng.standard_normal((draws, 1)) * mean
    highest = np.abs(prior[:, 0] - prior[:, 1]).mean() / 2
    reached = np.abs(known[:, 0] - known[:, 1]).mean() / 2
    slack = sqrt(2.0 * log(100.0) / draws) * sqrt(min(mean.max() ** 2, 0.5) + 2.0)
    assert found == pytest.approx(2 * highest - reached + slack, rel=1e-9)
    assert draws == 4_000


def test_a_product_kernel_is_drawn_axis_by_axis_as_the_whole_root_draws_it(monkeypatch) -> None:
    """With nothing scheduled: n times the mean over the prior and its slack, by the whole root."""
    monkeypatch.setattr(checker, "_MOST", 2_000)
    space = SquaredExponential(0.3)
    problem = problem_with(Forgetting(0.2), domain=Grid(2, (1.0, 2.0), (3, 4)), space_kernel=space)
    data = problem_data(problem)
    found, draws = recheck_schedule({"rounds": [], "points": [], "delta": 0.01}, data)
    fields = own_generator("schedule", data, [], []).standard_normal((draws, 12))
    points = problem.domain.points
    fields = fields @ symmetric_root(space.gram(points))
    highest = (fields.max(axis=1) - fields.min(axis=1)).mean() / 2
    slack = sqrt(0.5) * sqrt(2.0 * log(100.0) / draws)
    assert found == pytest.approx(problem.n * (highest + slack), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.05, 0.6])
def test_rounds_that_see_one_field_are_its_multiples(monkeypatch, epsilon) -> None:
    """One look, then free rounds: the mean of the first, times how much is remembered of it.

    At a level of nearly 0 next to nothing is added to the means.
    """
    monkeypatch.setattr(checker, "_MOST", 4_000)
    problem = problem_with(Forgetting(epsilon), domain=Grid(1, 1.0, 3), noise_variance=1.5)
    one, two = ({**problem_data(problem), "times": [0.0, 1.0, 3.0][:n]} for n in (2, 3))
    found, sure = [], 1.0 - 2.0**-52
    for data in (one, two):
        monkeypatch.setattr(checker, "own_generator", lambda *_: np.random.default_rng(7))
        found.append(recheck_schedule({"rounds": [0], "points": [1], "delta": sure}, data)[0])
    nothing = recheck_schedule({"rounds": [], "points": [], "delta": sure}, one)[0] / 2
    first, both = 2 * nothing - found[0], 3 * nothing - found[1]
    # After one unit of time (1 − ε)^½ is left, after three more (1 − ε)².
    assert both == pytest.approx(first * (1.0 + (1.0 - epsilon) ** 1.5), rel=1e-7)


@pytest.mark.parametrize(
    ("rounds", "points", "delta", "said"),
    [
        ([1, 0], [0, 1], 0.1, "must increase"),
        ([0, 0], [0, 1], 0.1, "must increase"),
        ([0], [0, 1], 0.1, "one point for each"),
        ([-1], [0], 0.1, "round that does not"),
        ([6], [0], 0.1, "round that does not"),
        ([0], [36], 0.1, "point that does not"),
        ([0], [-1], 0.1, "point that does not"),
        ([0], [0], 0.0, "no level"),
        ([0], [0], 1.0, "no level"),
        ([0], [0], 7.0, "no level"),
    ],
)
def test_schedules_that_cannot_be(rounds, points, delta, said) -> None:
    data = problem_data(problem_with(Forgetting(0.1)))
    with pytest.raises(Refused, match=said):
        recheck_schedule({"rounds": rounds, "points": points, "delta": delta}, data)


def test_what_is_too_large_is_refused_at_once(monkeypatch) -> None:
    data, entry = problem_data(problem_with(Forgetting(0.1))), entry_of(Schedule((0,), (3,)))
    work = 36 * (36 + 6 * (1 + 8))
    for name, value, said in (
        ("_LARGEST", 35, "more than 35 points"),
        ("_WORK", 999 * work, "too large to be simulated"),
    ):
        kept = getattr(checker, name)
        monkeypatch.setattr(checker, name, value)
        with pytest.raises(Refused, match=said):
            recheck_schedule(entry, data)
        monkeypatch.setattr(checker, name, value + (1 if name == "_LARGEST" else work))
        recheck_schedule(entry, data)
        monkeypatch.setattr(checker, name, kept)


def test_the_seed_is_a_digest_of_what_the_draws_depend_on() -> None:
    """One stream for the same law and data, however they are written; another for any other."""
    problem = problem_data(problem_with(Forgetting(0.1)))
    first = own_generator("rank", problem, [0.5]).random(3)
    later = {
        **problem,
        "times": [t + (3.0 if i == 0 else 0.0) for i, t in enumerate(problem["times"])],
    }
    for same in (dict(reversed(problem.items())), {**problem, "delta": 0.2, "side": 1}, later):
        assert np.array_equal(first, own_generator("rank", same, [0.5]).random(3))
    kernel = {**problem["space_kernel"], "lengthscale": 0.25}
    others = ({"noise_variance": 0.2}, {"grid": 7}, {"times": [1.0, 2.0]}, {"space_kernel": kernel})
    streams = [own_generator("rank", {**problem, **other}, [0.5]) for other in others]
    streams += [own_generator("schedule", problem, [0.5]), own_generator("rank", problem, [0.25])]
    assert not any(np.array_equal(first, stream.random(3)) for stream in streams)


def test_the_root_does_not_depend_on_the_eigenvectors() -> None:
    """Of a Gram matrix with double eigenvalues, as symmetric grids have; it is symmetric."""
    points = np.array([[x, y] for x in (0.0, 1.0) for y in (0.0, 1.0)])
    squares = np.square(points[:, None] - points[None]).sum(axis=2)
    gram = float_kernel({"type": "SquaredExponential", "lengthscale": 0.7}, np.sqrt(squares))
    root, order = symmetric_root(gram), np.array([2, 0, 3, 1])
    np.testing.assert_allclose(root @ root, gram, atol=1e-12)
    np.testing.assert_allclose(root, root.T, atol=1e-12)
    turned = symmetric_root(gram[np.ix_(order, order)])
    np.testing.assert_allclose(turned, root[np.ix_(order, order)], atol=1e-9)
    assert np.all(np.isfinite(symmetric_root(np.ones((3, 3)))))
