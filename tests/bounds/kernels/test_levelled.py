"""A kernel with a level, and one of independent points, by their definitions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bounds import enclosure
from bounds.enclosure import matrices
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.kernels.independent import Independent
from bounds.kernels.levelled import Levelled

OWN = {
    "se": SquaredExponential(0.4),
    "matern12": Matern(0.5, 0.4),
    "matern32": Matern(1.5, 0.4),
    "matern52": Matern(2.5, 0.4),
}
R = np.array([0.0, 0.05, 0.6, 9.0])


@pytest.mark.parametrize("base", OWN)
@pytest.mark.parametrize("level", [0.0, 0.25, 3.0])
def test_a_level_is_a_normal_that_all_points_share(base: str, level: float) -> None:
    kernel, own = Levelled(base, 0.4, level), OWN[base]
    share = 1.0 / (1.0 + level)
    np.testing.assert_allclose(
        kernel.at_distance(R), (own.at_distance(R) + level) * share, atol=1e-15
    )
    np.testing.assert_allclose(kernel.complement(R), share * own.complement(R), rtol=1e-14)
    for name in ("derivative", "derivative_over_distance"):
        np.testing.assert_allclose(getattr(kernel, name)(R[1:]), share * getattr(own, name)(R[1:]))
    assert kernel.slope == pytest.approx(share * own.slope) and kernel.share == share
    if np.isfinite(own.derivative_variance):
        assert kernel.derivative_variance == pytest.approx(share * own.derivative_variance)
    assert kernel.is_markov is (level == 0.0 and base == "matern12")
    assert kernel.smoothness == own.smoothness
    assert kernel.enclosed_at_distance(0) == 1
    with enclosure.precision(matrices.WORKING_BITS):
        for r in R[1:].tolist():
            ball = enclosure.ball(kernel.enclosed_at_distance(Fraction(r)))
            value = float(kernel.at_distance(r))
            assert matrices.downward(ball) == pytest.approx(value, rel=1e-14, abs=1e-15)
            assert matrices.upward(ball) == pytest.approx(value, rel=1e-14, abs=1e-15)


def test_levels_and_bases_that_are_none() -> None:
    for base, level in (("cubic", 1.0), ("se", -1.0), ("se", float("inf")), ("se", float("nan"))):
        with pytest.raises(InvalidInput):
            Levelled(base, 0.4, level)


def test_independent_points_share_nothing() -> None:
    kernel = Independent()
    for found, expected in (
        (kernel.at_distance(R), [1, 0, 0, 0]),
        (kernel.complement(R), [0, 1, 1, 1]),
        (kernel.deficit(R), [0, 1, 1, 1]),
        (kernel.derivative_over_distance(R), [0, 0, 0, 0]),
    ):
        assert found.dtype == float and found.tolist() == expected
    assert kernel.slope == float("inf") and kernel.is_markov
