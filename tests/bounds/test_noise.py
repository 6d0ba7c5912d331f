"""Noise in its three forms: its covariance, its draws, its ratio, and what is no covariance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import enclosure
from bounds.errors import InvalidInput
from bounds.noise import LEAST_VARIANCE, Noise, NoiseLevel, noise_of_rows

CORRELATED = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.4]])


@pytest.mark.parametrize("table", [[1, 4, 2], [0.25], CORRELATED, CORRELATED.tolist(), [[3]]])
def test_errors_are_drawn_with_the_covariance_that_is_given(table) -> None:
    noise = noise_of_rows(table)
    array = np.array(table, dtype=float)
    expected = np.diag(array) if array.ndim == 1 else array
    assert noise.matrix.dtype == float and np.array_equal(noise.matrix, expected)
    assert noise.n == len(expected)
    columns = noise.draw(np.eye(noise.n))
    np.testing.assert_allclose(columns.T @ columns, expected, atol=1e-14)
    assert noise.least == pytest.approx(np.linalg.eigvalsh(expected)[0])
    behind = noise.extended(2)
    assert np.array_equal(behind[: noise.n, : noise.n], expected)
    assert np.array_equal(behind[noise.n :, noise.n :], np.trace(expected) / noise.n * np.eye(2))
    assert not behind[: noise.n, noise.n :].any() and np.array_equal(behind, behind.T)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (1.0, "shape"),
        ([], "shape"),
        (np.ones((2, 3)), "shape"),
        (np.ones((2, 2, 2)), "shape"),
        ([1.0, np.nan], "not finite"),
        ([[1.0, np.inf], [np.inf, 1.0]], "not finite"),
        ([1.0, 0.0, 2.0], "noise of row 2"),
        ([[1.0, 0.0], [0.0, -1.0]], "noise of row 2"),
        ([[1.0, 0.1], [0.2, 1.0]], "not symmetric"),
        (np.ones((2, 2)), "not positive definite"),
        ([[1.0, 2.0], [2.0, 1.0]], "not positive definite"),
    ],
)
def test_what_is_no_covariance_is_refused(table, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        noise_of_rows(table)


def test_rounding_of_one_side_is_evened_out() -> None:
    uneven = CORRELATED + np.triu(np.full((3, 3), 1e-12), 1)
    even = noise_of_rows(uneven).matrix
    assert np.array_equal(even, even.T) and np.abs(even - CORRELATED).max() < 1e-11


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_a_covariance_is_symmetric_to_nine_digits_of_its_size(scale: float) -> None:
    for apart, sound in ((9e-10, True), (1.1e-9, False)):
        table = np.diag([4.0, 1.0]) * scale
        table[0, 1] = 2.0 * apart * scale
        if sound:
            assert noise_of_rows(table).matrix[1, 0] == pytest.approx(apart * scale)
        else:
            with pytest.raises(InvalidInput, match="not symmetric"):
                noise_of_rows(table)


def test_one_door_tells_the_three_forms_apart() -> None:
    assert Noise.of(0.5) == NoiseLevel(0.5)
    assert Noise.of([0.5, 2.0]).covariance(2).tolist() == [[0.5, 0.0], [0.0, 2.0]]
    assert Noise.of([[0.5]]).covariance(1).tolist() == [[0.5]]
    for noise in (Noise.of(0.5), Noise.of([0.5, 0.5]), Noise.of(0.5 * np.eye(2))):
        assert np.array_equal(noise.covariance(2), 0.5 * np.eye(2)) and noise.least == 0.5
        assert noise.draw(np.ones(2)) == pytest.approx(np.full(2, np.sqrt(0.5)))
    for noise in (Noise.of([0.5, 0.5]), Noise.of(0.5 * np.eye(2))):
        with pytest.raises(InvalidInput, match="2 rows"):
            noise.covariance(3)


@pytest.mark.parametrize("variance", [0.0, -1.0, float("nan"), float("inf"), 1e-101, 1e101])
def test_a_level_is_a_positive_number_that_leaves_the_doubles_room(variance: float) -> None:
    with pytest.raises(InvalidInput, match="noise-variance"):
        NoiseLevel(variance)


@given(st.floats(LEAST_VARIANCE, 1.0 / LEAST_VARIANCE))
def test_the_enclosed_cap_contains_the_cap(variance: float) -> None:
    noise = NoiseLevel(variance)
    low, high = enclosure.endpoints(noise.enclosed_gain_cap())
    assert float(low) * (1 - 1e-14) <= noise.gain_cap <= float(high) * (1 + 1e-14)
    assert noise.times(1.0) == noise


@given(
    st.lists(st.floats(0.01, 100.0), min_size=1, max_size=5),
    st.integers(0, 2**32 - 1),
)
def test_no_more_is_learned_than_at_the_least_eigenvalue(variances: list[float], seed: int) -> None:
    n = len(variances)
    root = np.random.default_rng(seed).standard_normal((n, n))
    gram = root @ root.T
    correlated = np.diag(variances) + 0.3 * np.outer(variances, variances) ** 0.5
    for noise in (Noise.of(variances), Noise.of(correlated)):
        level = NoiseLevel(noise.least)
        assert noise.least <= min(np.diagonal(noise.covariance(n))) * (1 + 1e-12)
        assert _gain(gram, noise) <= _gain(gram, level) * (1 + 1e-9) + 1e-12
        assert noise.gain_cap == level.gain_cap


def _gain(gram: np.ndarray, noise: Noise) -> float:
    covariance = noise.covariance(len(gram))
    whole, alone = (np.linalg.slogdet(m)[1] for m in (gram + covariance, covariance))
    return 0.5 * (whole - alone)
