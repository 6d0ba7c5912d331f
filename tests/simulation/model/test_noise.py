"""Noise whose rows are not alike: its covariance, its draws, and what is no covariance."""

import numpy as np
import pytest

from bounds.errors import InvalidInput
from simulation.model.noise import NoiseMatrix

CORRELATED = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.4]])


@pytest.mark.parametrize("given", [[1, 4, 2], [0.25], CORRELATED, CORRELATED.tolist(), [[3]]])
def test_errors_are_drawn_with_the_covariance_that_is_given(given) -> None:
    noise = NoiseMatrix.of(given)
    array = np.array(given, dtype=float)
    expected = np.diag(array) if array.ndim == 1 else array
    assert noise.matrix.dtype == float and np.array_equal(noise.matrix, expected)
    assert noise.n == len(expected)
    columns = noise.draw(np.eye(noise.n))
    np.testing.assert_allclose(columns.T @ columns, expected, atol=1e-14)
    assert noise.least == pytest.approx(np.linalg.eigvalsh(expected)[0])
    behind = noise.beside(2)
    assert np.array_equal(behind[: noise.n, : noise.n], expected)
    assert np.array_equal(behind[noise.n :, noise.n :], np.trace(expected) / noise.n * np.eye(2))
    assert not behind[: noise.n, noise.n :].any() and np.array_equal(behind, behind.T)


@pytest.mark.parametrize(
    ("given", "said"),
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
def test_what_is_no_covariance_is_refused(given, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        NoiseMatrix.of(given)


def test_rounding_of_one_side_is_evened_out() -> None:
    uneven = CORRELATED + np.triu(np.full((3, 3), 1e-12), 1)
    even = NoiseMatrix.of(uneven).matrix
    assert np.array_equal(even, even.T) and np.abs(even - CORRELATED).max() < 1e-11


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_a_covariance_is_symmetric_to_nine_digits_of_its_size(scale: float) -> None:
    for apart, sound in ((9e-10, True), (1.1e-9, False)):
        given = np.diag([4.0, 1.0]) * scale
        given[0, 1] = 2.0 * apart * scale
        if sound:
            assert NoiseMatrix.of(given).matrix[1, 0] == pytest.approx(apart * scale)
        else:
            with pytest.raises(InvalidInput, match="not symmetric"):
                NoiseMatrix.of(given)
