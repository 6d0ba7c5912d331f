"""Gain of a design: three roads to one number, and what it must do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp

from bounds.domain import Grid
from bounds.errors import InvalidInput, NumericalFailure
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.static_gain.information import gain, gain_rounded_down, joint_gram, sequential_gains
from bounds.times import EvaluationTimes
from tests.oracles import dense_posterior, log_det_gain
from tests.strategies import durations, noise_variances

points = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.floats(0.0, 1.0)), min_size=1, max_size=7
)


@given(points, noise_variances, st.sampled_from([SquaredExponential(0.3), Matern(2.5, 0.3)]))
@settings(max_examples=40, deadline=None)
def test_gain_is_the_log_determinant_and_the_sum_of_posterior_gains(xs, noise, kernel):
    gram = kernel.gram(np.array(xs))
    parts = sequential_gains(gram, noise)
    assert gain(gram, noise) == pytest.approx(log_det_gain(gram, noise), rel=1e-6, abs=1e-9)
    for i in range(len(xs)):
        past = np.zeros(i)
        _, variance = dense_posterior(
            gram[:i, :i], gram[:i, i : i + 1], gram[i : i + 1, i], past, noise
        )
        assert parts[i] == pytest.approx(
            0.5 * np.log1p(max(variance[0], 0.0) / noise), rel=1e-5, abs=1e-6
        )


integers = st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=7)


@given(integers, st.sampled_from([1e-30, 1e-9, 1e-3, 1.0, 1e6]))
@example([(1, 0, 0), (1, 0, 0)], 1e-30)
@example([(-2, 0, -1), (3, 0, 1), (0, 0, 1)], 1e-30)  # the third by large weights of the others
@example([(3, -1, 2)] * 7, 1e-9)
@example([(1, 0, 0), (0, 1, 0), (0, 0, 1)], 1e6)
@settings(max_examples=60, deadline=None)
def test_a_gain_rounded_down_is_below_the_gain_in_exact_numbers(vectors, noise):
    """Gram matrices of whole numbers, of rank 3 at most: doubles hold them exactly."""
    table = np.array(vectors, dtype=float)
    gram = table @ table.T
    with mp.workdps(250):
        exact = mp.matrix(gram.tolist()) / mp.mpf(noise) + mp.eye(len(gram))
        truth = float(mp.log(mp.det(exact)) / 2)
    found = gain_rounded_down(gram, noise)
    assert found <= truth * (1 + 1e-15)
    if noise >= 1e-3:
        assert found == pytest.approx(truth, rel=1e-9, abs=1e-12)
    # Pivots keep one minor of rank 3 at most, the largest up to (3!)², of the 35 that there are.
    assert found >= truth - 0.5 * np.log(35 * 36)


@given(durations(max_size=6), st.integers(0, 10))
@settings(max_examples=40, deadline=None)
def test_joint_gram_is_the_product_of_the_two_kernels(ts, seed):
    problem = Problem(EvaluationTimes.from_durations(ts), epsilon=0.2, domain=Grid(2, 1.0, 4))
    rng = np.random.default_rng(seed)
    xs = problem.domain.points[rng.integers(0, 16, size=len(ts))]
    tau = np.cumsum(ts)
    for j, k in np.ndindex(len(ts), len(ts)):
        space = np.exp(-0.5 * np.sum((xs[j] - xs[k]) ** 2) / 0.2**2)
        time = 0.8 ** (abs(tau[j] - tau[k]) / 2)
        assert joint_gram(problem, xs)[j, k] == pytest.approx(space * time, rel=1e-3, abs=1e-12)


def test_joint_gram_of_the_first_rounds_is_a_corner():
    problem = Problem(EvaluationTimes.from_durations([1.0, 2.0, 3.0]), epsilon=0.1)
    xs = np.array([[0.0, 0.0], [0.2, 0.1], [1.0, 1.0]])
    assert np.array_equal(joint_gram(problem, xs[:2]), joint_gram(problem, xs)[:2, :2])


def test_gain_of_nothing_is_nothing():
    assert gain(np.zeros((0, 0)), 0.01) == 0.0


@pytest.mark.parametrize(
    ("gram", "noise", "field"),
    [
        ([[1.0, 0.5]], 1.0, "gram"),
        ([[1.0, 0.5], [0.1, 1.0]], 1.0, "gram"),
        ([[np.nan]], 1.0, "gram"),
        ([[1.0]], 0.0, "noise-variance"),
    ],
)
def test_bad_input_names_its_field(gram, noise, field):
    with pytest.raises(InvalidInput) as caught:
        gain(gram, noise)
    assert caught.value.field == field


def test_an_indefinite_gram_is_refused():
    with pytest.raises(NumericalFailure):
        gain([[1.0, 9.0], [9.0, 1.0]], 1.0)


@pytest.mark.parametrize("bad", [np.zeros((1, 3)), np.zeros((5, 2))])
def test_points_must_fit_the_problem(bad):
    problem = Problem(EvaluationTimes.from_durations([1.0, 1.0]))
    with pytest.raises(InvalidInput):
        joint_gram(problem, bad)
