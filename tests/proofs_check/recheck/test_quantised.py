"""m* by quantisation derived again by other code: what the finder states is confirmed, no more."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from scipy import stats

from bounds import enclosure
from bounds.domain import Grid
from bounds.kernels import SquaredExponential
from bounds.problem import Problem
from bounds.regret.maximum.quantised import quantised_maximum
from bounds.times import EvaluationTimes
from proofs_check.recheck.bounds.first_looks import _corners, mean_lengths, shaped_worth
from proofs_check.recheck.bounds.quantised import _exp_up, _largest, _nodes, recheck_quantised
from proofs_check.recheck.grid import domain_of
from proofs_check.recheck.outcome import Refused
from proofs_check.records.bound_certificate import problem_data

SPACE = SquaredExponential(0.2)


def stated(domain: Grid, most_cells: int) -> tuple[dict[str, Any], Any, float]:
    found = quantised_maximum(domain, SPACE, most_cells=most_cells)
    problem = Problem(EvaluationTimes.from_durations([1.0]), space_kernel=SPACE, domain=domain)
    parts = {
        "points": list(found.points),
        "features": found.features.tolist(),
        "variances": found.variances.tolist(),
        "cells": list(found.cells),
    }
    return parts, domain_of(problem_data(problem)), found.value


def derived(parts: dict[str, Any], domain: Any) -> float:
    with enclosure.precision(128):
        return float(enclosure.endpoints(recheck_quantised(parts, domain))[0])


@pytest.mark.parametrize("domain", [Grid(1, 1.0, 12), Grid(2, 1.0, 6)], ids=lambda one: one.title)
def test_a_small_value_is_derived_again(domain) -> None:
    parts, points, value = stated(domain, 200)
    assert value <= derived(parts, points) < value + 2e-3


@pytest.mark.slow
def test_the_stored_value_is_derived_again() -> None:
    parts, points, value = stated(Grid(2, 1.0, 50), 200)
    assert len(parts["points"]) == 64
    assert value <= derived(parts, points) < value + 2e-3


def test_what_does_not_fit_is_refused() -> None:
    parts, points, _ = stated(Grid(1, 1.0, 12), 50)
    for change in (
        lambda p: p.update(variances=[v * 1.01 for v in p["variances"]]),
        lambda p: p.update(features=(1.01 * np.array(p["features"])).tolist()),
        lambda p: p.update(cells=[10**4] * len(p["cells"])),
    ):
        spoilt = copy.deepcopy(parts)
        change(spoilt)
        with pytest.raises(Refused):
            derived(spoilt, points)


@pytest.mark.parametrize("seed", range(4))
def test_a_cell_is_below_its_integral(seed) -> None:
    rng = np.random.default_rng(seed)
    means, deviations = rng.normal(0.0, 0.5, 3), rng.uniform(0.2, 0.6, 3)
    t = np.linspace(-8.0, 8.0, 160_001)
    below = np.prod(stats.norm.cdf((t[:, None] - means) / deviations), axis=1)
    exact = 8.0 - np.trapezoid(below, t)
    assert exact - 1e-2 < _largest(means, deviations, *_nodes()) < exact + 1e-9


@pytest.mark.parametrize("x", [-700.0, -3.0, -0.01, 0.0, 0.01, 3.0, 100.0])
def test_exponentials_are_above(x) -> None:
    assert float(np.exp(x)) <= _exp_up(x)
    assert abs(x) > 1.0 or _exp_up(x) < float(np.exp(x)) * (1 + 1e-11)


@pytest.mark.parametrize("freedom", [1, 2, 3, 10])
def test_corners_keep_mass_and_mean(freedom) -> None:
    with enclosure.precision(128):
        at, weights, rest = _corners(freedom)
        mean = float(enclosure.ball(mean_lengths(freedom)[-1]).mid())
    assert weights.sum() == pytest.approx(1.0, abs=1e-13)
    assert weights @ at + rest == pytest.approx(mean, abs=1e-12)
    assert mean == pytest.approx(stats.chi(freedom).mean(), rel=1e-12)


def test_two_looks_by_the_table() -> None:
    """B_2 = 0.805 and B_3 = 1.307 at σ² = 0.01 without drift, a little above."""
    assert 0.805 < shaped_worth(2, 0.01, 1.0, 0.0) < 0.8083
    assert 1.307 < shaped_worth(3, 0.01, 1.0, 0.0) < 1.3110
