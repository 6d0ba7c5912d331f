"""Lemma Q: m* from below by quantisation, against simulation, its symmetries and its parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from bounds.domain import Grid
from bounds.enclosure import Lower
from bounds.enclosure.doubles import Doubles
from bounds.enclosure.exponential import exp_table
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.maximum import quantised
from bounds.regret.maximum.cells import (
    cell_means,
    excesses,
    expected_largest,
    quantised_value,
    tangents,
)
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.maximum.quantised import (
    allotted,
    distances_of,
    fits,
    positive,
    quantised_maximum,
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
    assert 1.776 < least.value < 2.05
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
    parts = np.array(entry["features"]), np.array(entry["variances"])
    whole = quantised_value(*parts, entry["cells"], [])  # without symmetry: four times the cells
    assert whole == pytest.approx(entry["value"], abs=1e-8)


def test_what_is_stored_is_proved_to_fit() -> None:
    """Features and variances of the file are looked at again, and not used where one is spoilt."""
    (entry,) = quantised._stored()
    domain, kernel = Grid(2, 1.0, 50), SquaredExponential(0.2)
    assert quantised._of_stored(domain, kernel, entry).value == entry["value"]
    longer = {**entry, "variances": [v * 1.001 for v in entry["variances"]]}
    assert quantised._of_stored(domain, kernel, longer) is None
    more = {**entry, "features": (np.array(entry["features"]) * 1.01).tolist()}
    assert quantised._of_stored(domain, kernel, more) is None
    assert quantised._of_stored(domain, SquaredExponential(0.21), entry) is None


@given(st.integers(1, 6), st.integers(0, 10**6))
@example(count=2, seed=3943)  # 0.0228 below
@settings(max_examples=15, deadline=None)
def test_a_cell_is_below_its_integral(count, seed) -> None:
    """E max of normals of unequal means and variances by a fine trapezoidal sum."""
    rng = np.random.default_rng(seed)
    means = rng.normal(0.0, 0.5, count)
    deviations = rng.uniform(0.1, 0.6, count)

    def below(t):
        return np.prod(stats.norm.cdf((t[:, None] - means) / deviations), axis=1)

    t = np.linspace(-8.0, 8.0, 160_001)
    exact = 8.0 - np.trapezoid(below(t), t)
    near = np.zeros(count, dtype=np.int64)
    found = expected_largest(means, deviations, *tangents(), excesses(), exp_table(), near)
    assert exact - 5e-2 < found < exact + 1e-9


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
    assert quantised_value(features, variances, cells, [0], 1e-15) == pytest.approx(
        whole, abs=1e-10
    )


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_cells_keep_mass_and_mean_of_a_normal(count: int) -> None:
    found, centres = cell_means(count)
    chances, means = found.mid, centres.mid
    assert max(found.rad.max(), centres.rad.max()) < 1e-15
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
    exact = Doubles.exact(gram)
    variances = spread_variances(exact, np.zeros((0, 6), dtype=int))
    first, second = np.triu_indices(6, 1)
    assert np.all(variances >= 0)
    assert variances.sum() > 0.1
    assert np.all(variances[first] + variances[second] <= distances_of(exact))
    assert not fits(exact, variances * 1.01)
    assert positive(exact)
    least = np.linalg.eigvalsh(gram).min()
    assert not positive(Doubles.exact(gram - 1.01 * least * np.eye(6)))
    assert not positive(Doubles(gram, np.ones((6, 6))))
    assert allotted(np.array([1.0, 1.0, 0.01]), 10) == (3, 3, 1)
