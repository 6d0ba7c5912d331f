"""The flat index: its p by two roads, its choice, its gradient on the box, and what it is worth."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.domain import Arms
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.full_information import variance_left
from bounds.times import EvaluationTimes
from simulation.model.box_posterior import BoxPosterior
from simulation.policies.flat import LooksEverywhere
from simulation.policies.on_box.acquisition import BoxAcquisition, known_waits
from simulation.policies.readings import Readings
from simulation.policies.tuned import make_policy
from simulation.runs.run import simulate
from simulation.world.evaluation_time import constant, constant_time
from tests.simulation.policies.test_randomised import setup_for

KERNELS = (Forgetting(0.2), Forgetting(0.0), Matern(0.5, 2.0), SquaredExponential(1.5))


@settings(max_examples=25, deadline=None)
@given(
    waits=st.lists(st.floats(0.0, 9.0), min_size=1, max_size=8),
    noise=st.floats(0.01, 4.0),
    kernel=st.sampled_from(KERNELS),
)
def test_p_is_what_the_lower_bound_leaves(waits, noise, kernel):
    looks = LooksEverywhere(kernel, noise)
    found = []
    for wait in waits:
        found.append(float(looks.left(wait)[0]))
        looks.look(wait)
    left = variance_left(EvaluationTimes.from_durations(waits), kernel, noise)
    np.testing.assert_allclose(found, left.shares, atol=1e-9)


@pytest.mark.parametrize("kernel", [Forgetting(0.2), SquaredExponential(1.5)], ids=repr)
def test_p_rises_with_the_wait_as_its_derivative_says(kernel):
    looks = LooksEverywhere(kernel, 0.3)
    for wait in (1.0, 0.5, 2.0):
        looks.look(wait)
    at = np.array([0.2, 1.0, 3.0])
    _, rise = looks.left(at)
    step = 1e-5
    by_hand = (looks.left(at + step)[0] - looks.left(at - step)[0]) / (2 * step)
    np.testing.assert_allclose(rise, by_hand, rtol=1e-5)


def test_the_index_is_the_mean_where_no_policy_knows_more():
    problem = Problem(
        EvaluationTimes.from_durations(np.ones(8)), 0.1, domain=Arms(2), noise_variance=0.5
    )
    once, twice = (
        make_policy("flat-ucb", setup_for(problem, flat_weight=weight)) for weight in (1.0, 2.0)
    )
    for policy in (once, twice):
        policy.observe(0, 1.0, 0.4)
    # Arm 0 has w = p: its weight is √log 2. Arm 1 is unknown: w = 1.
    p = 1.0 - 0.9 * (1.0 / 1.5)
    kept = 0.9**0.5 * 0.4 / 1.5
    first, second = once.belief.values(once.criterion(1))
    assert first == pytest.approx(kept + np.sqrt(p * np.log(2.0)))
    assert second == pytest.approx(np.sqrt(np.log1p(p**-2)))
    _, wider = twice.belief.values(twice.criterion(1))
    assert wider == pytest.approx(np.sqrt(2.0) * second)


@pytest.mark.parametrize("kernel", [Forgetting(0.3), SquaredExponential(1.5)], ids=repr)
def test_the_gradient_on_the_box_is_that_of_the_value(kernel):
    rng = np.random.default_rng(3)
    points, durations, values = rng.random((5, 2)), 0.5 + rng.random(5), rng.standard_normal(5)
    looks = LooksEverywhere(kernel, 0.05)
    for duration in durations:
        looks.look(duration)
    posterior = BoxPosterior(points, durations, values, SquaredExponential(0.3), kernel, 0.05)

    def time(at):
        return 1.0 + at[:, 0] ** 2, np.stack([2.0 * at[:, 0], np.zeros(len(at))], axis=1)

    function = BoxAcquisition(posterior, known_waits(time), 1.2, None, looks.left)
    at, step = rng.random((4, 2)), 1e-6
    _, gradient = function(at)
    for axis in range(2):
        move = step * np.eye(2)[axis]
        slope = (function(at + move)[0] - function(at - move)[0]) / (2 * step)
        np.testing.assert_allclose(gradient[:, axis], slope, rtol=2e-4, atol=2e-6)
    still = BoxAcquisition(posterior, known_waits(constant_time(1.0)), 1.2, None, looks.left)
    mean, variance = posterior.at(at, np.ones(4))
    least = float(looks.left(1.0)[0])
    height = 1.2 * np.sqrt(np.log1p((variance.value / least) ** 2) * variance.value)
    np.testing.assert_allclose(still(at)[0], mean.value + height)


def test_it_loses_less_than_thompson_sampling_on_two_arms():
    """By a factor of about 1.3 (docs/theory.md#flat-index); some 15 standard errors here."""
    rounds = 1_000
    times = EvaluationTimes.from_durations(np.ones(rounds))
    problem = Problem(times, 1e-2, domain=Arms(2), noise_variance=1.0)
    mean = {}
    for policy in ("flat-ucb", "ts"):
        runs = [
            simulate(problem, constant(1.0, rounds), policy, seed=seed, initial=0, rounds=rounds)
            for seed in range(4)
        ]
        mean[policy] = np.mean([run.regrets.mean() for run in runs])
    assert mean["flat-ucb"] < 0.9 * mean["ts"]


def test_a_usual_weight_is_no_part_of_an_identity():
    assert "flat_weight" not in repr(replace(Readings(), c1=0.7))
