"""Noise inflation and the envelope, against convex hulls and runs of random designs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from bounds.errors import InvalidInput
from bounds.kernels import SquaredExponential
from bounds.regret.ingredients.noise_inflation import (
    DeviationBound,
    deviation_bound,
    envelope,
    tangent_point,
)
from bounds.static_gain.information import gain, sequential_gains

NOISES = [1e-4, 0.01, 0.2, 0.99, 1.0, 30.0]


@pytest.mark.parametrize("noise", NOISES)
def test_envelope_is_the_hull_of_the_curve(noise: float) -> None:
    end = 0.5 * np.log1p(1.0 / noise)
    u = np.linspace(0.0, 1.0, 4_001) ** 3 * end
    h = np.sqrt(np.expm1(2.0 * u) * noise)
    hull = ConvexHull(np.column_stack([u, h]))
    corners = np.sort(hull.vertices)
    # The upper hull: corners above the chord from end to end.
    upper = [i for i in corners if h[i] >= h[-1] * u[i] / end - 1e-12]
    dense = np.interp(u, u[upper], h[upper])
    ours = np.array([envelope(v, noise) for v in u])
    assert np.all(ours >= h - 1e-9)
    assert np.max(np.abs(ours - dense)) <= 2e-3


@pytest.mark.parametrize("noise", NOISES)
def test_tangent_touches(noise: float) -> None:
    start, end = tangent_point(noise), 0.5 * np.log1p(1.0 / noise)
    if noise >= 1.0:
        assert start == end
        return
    step = 1e-6 * start
    chord = (1.0 - envelope(start, noise)) / (end - start)
    slope = (envelope(start, noise) - envelope(start - step, noise)) / step
    assert slope == pytest.approx(chord, rel=1e-3)


@given(st.integers(0, 1_000), st.sampled_from([0.01, 0.1, 1.0]), st.sampled_from([1.0, 3.0, 50.0]))
@settings(max_examples=40, deadline=None)
def test_deviations_of_a_design_stay_below(seed: int, noise: float, factor: float) -> None:
    points = np.random.default_rng(seed).random((12, 2))
    gram = SquaredExponential(0.3).gram(points)
    deviations = np.sqrt(np.maximum(np.expm1(2.0 * sequential_gains(gram, noise)) * noise, 0.0))
    level = noise * factor
    found = deviation_bound(12, noise, [(level, gain(gram, level))])
    assert found.value >= deviations.sum() * (1.0 - 1e-9)
    assert found.value <= np.sqrt(24.0 * gain(gram, level) / np.log1p(1.0 / level)) * (1.0 + 1e-9)
    # Pathwise: what the design gains at more noise is more than its deviations there.
    assert 0.5 * np.log1p(deviations**2 / level).sum() <= gain(gram, level) * (1.0 + 1e-9)


def test_corners() -> None:
    assert envelope(1e9, 0.01) == 1.0
    assert deviation_bound(1, 0.01, []).value == 1.0
    assert deviation_bound(3, 0.01, [(0.01, 0.0)]).value == 0.0
    for bad, words in (
        (lambda: deviation_bound(3, 0.01, [(0.001, 1.0)]), "noise level"),
        (lambda: deviation_bound(3, 0.01, [(0.01, -1.0)]), "gain"),
        (lambda: deviation_bound(0, 0.01, []), "n = 0"),
        (lambda: envelope(-1.0, 0.01), "gain"),
        (lambda: envelope(1.0, 0.0), "noise-variance"),
    ):
        with pytest.raises(InvalidInput, match=words):
            bad()


def test_what_a_bound_on_deviations_says_of_itself() -> None:
    pairs = [(0.01, 8.0), (0.2, 2.0), (1.0, 1e9)]
    found = deviation_bound(5, 0.01, pairs)
    values = {
        level: 5 * envelope(min(gain / 5, 0.5 * np.log1p(1 / level)), level)
        for level, gain in pairs
    }
    best = min(values, key=values.get)
    assert found == DeviationBound(values[best], best, dict(pairs)[best], "envelope")
    alone = deviation_bound(5, 0.01, [])
    assert alone == DeviationBound(5.0, 0.01, 2.5 * np.log(101), "cap")
    loud = deviation_bound(5, 3.0, [(3.0, 0.1)])  # h itself where the precision is at most 1
    assert loud.value == pytest.approx(5 * np.sqrt(3 * np.expm1(0.04)), rel=1e-12)
    deviation_bound(5, 0.01, [(0.01 * (1 - 0.9e-12), 1.0)])
    with pytest.raises(InvalidInput, match=r"^noise level = .*: give at least sigma\^2 = 0.01$"):
        deviation_bound(5, 0.01, [(0.01 * (1 - 1.1e-12), 1.0)])
    for bad in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(InvalidInput, match=r"noise-variance = .*: give a positive number"):
            deviation_bound(5, bad, [])
        with pytest.raises(InvalidInput, match="noise-variance"):
            tangent_point(bad)
    assert envelope(0.0, 0.01) == 0.0 and envelope(0.5 * np.log1p(0.5), 2.0) == 1.0
