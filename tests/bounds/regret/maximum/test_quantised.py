"""Lemma Q: m* from below by quantisation, against simulation, its symmetries and its parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from bounds.domain import Grid
from bounds.enclosure import Lower
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.maximum import quantised
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.maximum.quantised import (
    allotted,
    cell_means,
    distances_of,
    positive,
    quantised_maximum,
    quantised_value,
    spread_variances,
)
from bounds.times import EvaluationTimes


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(2.5, 0.2), Matern(0.5, 0.3)])
@pytest.mark.parametrize("domain", [Grid(1, 1.0, 12), Grid(2, 1.0, 8)], ids=lambda one: one.title)
def test_it_lies_below_the_simulated_maximum(kernel, domain) -> None:
    found = quantised_maximum(domain, kernel)
    gram = kernel.gram(domain.points)
    factor = np.linalg.cholesky(gram + 1e-10 * np.eye(len(gram)))
    draws = np.random.default_rng(0).standard_normal((20_000, len(gram))) @ factor.T
    simulated = draws.max(axis=1)
    error = simulated.std() / np.sqrt(len(simulated))
    assert isinstance(found.value, Lower)
    assert 0.7 * simulated.mean() < found.value < simulated.mean() + 4 * error


def test_the_value_of_the_bundled_grid() -> None:
    """Far above Slepian's 1.515, below the simulated 2.066, and the parts hold."""
    problem = Problem(EvaluationTimes.from_durations([1.0]))
    least = least_maximum(problem)
    assert least.certified
    assert 1.73 < least.value < 2.05
    found = least.quantised
    chosen = np.array(found.points)
    gram = problem.domain.restricted(problem.space_kernel).gram(chosen, chosen)
    rest = gram - found.features @ found.features.T
    assert np.linalg.eigvalsh(rest).min() > 0
    first, second = np.triu_indices(len(chosen), 1)
    apart = rest[first, first] + rest[second, second] - 2 * rest[first, second]
    assert np.all(found.variances[first] + found.variances[second] <= apart)


@pytest.mark.slow
def test_what_is_stored_is_derived_again() -> None:
    (entry,) = quantised._stored()
    again = quantised.store(Grid(2, 1.0, 50), SquaredExponential(0.2))
    assert again["cells"] == entry["cells"]
    assert again["value"] == pytest.approx(entry["value"], abs=1e-6)


def test_independent_values_are_integrated() -> None:
    """Without features: E max of independent normals of unequal variances, by another integral."""
    variances = np.array([1.0, 0.5, 0.25, 1.0])

    def above(t):
        return 1.0 - np.prod([stats.norm.cdf(t / np.sqrt(v)) for v in variances], axis=0)

    t = np.linspace(-9.0, 9.0, 200_001)
    exact = np.trapezoid(np.where(t > 0, above(t), above(t) - 1.0), t)
    value = quantised_value(np.zeros((4, 0)), variances, (), [])
    assert exact - 0.01 < value < exact


@given(st.lists(st.floats(-2, 2), min_size=2, max_size=5), st.integers(1, 4))
@settings(max_examples=30, deadline=None)
def test_halves_are_whole(direction, pairs) -> None:
    """Of a coordinate that a reflection negates half of the cells give the same sum."""
    half = np.array(direction)
    features = np.concatenate((half, -half))[:, None]
    variances = np.full(2 * len(half), 0.3)
    cells = (2 * pairs,)
    whole = quantised_value(features, variances, cells, [])
    assert quantised_value(features, variances, cells, [0]) == pytest.approx(whole, abs=1e-10)


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_cells_keep_mass_and_mean_of_a_normal(count: int) -> None:
    chances, means = cell_means(count)
    assert chances.sum() == pytest.approx(1.0, abs=1e-14)
    assert chances @ means == pytest.approx(0.0, abs=1e-14)
    known = {1: 0.0, 2: 2 / np.pi, 3: 0.8098, 6: 0.9420}[count]
    assert chances @ means**2 == pytest.approx(known, abs=1e-3)


def test_more_cells_are_no_worse() -> None:
    values = [
        quantised_maximum(Grid(1, 1.0, 30), SquaredExponential(0.15), most_cells=most).value
        for most in (1, 10, 100, 1000)
    ]
    assert values == sorted(values)


def test_variances_meet_their_constraints_and_positivity_is_no_guess() -> None:
    gram = Matern(1.5, 0.4).gram(np.linspace(0, 1, 6)[:, None])
    variances = spread_variances(gram, 0.0, np.zeros((0, 6), dtype=int))
    first, second = np.triu_indices(6, 1)
    assert np.all(variances >= 0)
    assert np.all(variances[first] + variances[second] <= distances_of(gram, 0.0))
    assert positive(gram, 0.0)
    assert not positive(gram - 1.01 * np.linalg.eigvalsh(gram).min() * np.eye(6), 0.0)
    assert not positive(gram, 1.0)
    assert allotted(np.array([1.0, 1.0, 0.01]), 10) == (3, 3, 1)
