"""Scales of y against scipy's transform, and there and back."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bounds.errors import InvalidInput
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data
from simulation.prior.hyperprior import Hyperprior
from simulation.prior.modes import Search
from simulation.prior.warp import Warp, powered, unpowered

POWERS = st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0])


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=12), POWERS)
def test_the_transform_is_that_of_scipy_and_its_inverse_goes_back(values, power):
    z = np.array(values)
    changed = powered(z, power)
    assert changed == pytest.approx(stats.yeojohnson(z, power), rel=1e-9, abs=1e-12)
    assert unpowered(changed, power) == pytest.approx(z, rel=1e-9, abs=1e-9)
    assert np.all(np.diff(powered(np.sort(z), power)) >= 0)


@given(st.lists(st.integers(-50, 50), min_size=4, max_size=12, unique=True), POWERS)
def test_a_scale_keeps_mean_and_deviation_and_has_its_slopes(values, power):
    y = np.array(values, dtype=float)
    warp = Warp.of(y, power)
    changed = warp.forward(y)
    assert np.mean(changed) == pytest.approx(np.mean(y), abs=1e-8)
    assert np.std(changed) == pytest.approx(np.std(y))
    assert warp.inverse(changed) == pytest.approx(y, abs=1e-8)
    step = 1e-5
    slopes = (warp.forward(y + step) - warp.forward(y - step)) / (2 * step)
    assert warp.log_jacobian(y) == pytest.approx(float(np.sum(np.log(slopes))), abs=1e-3)
    if power == 1.0:
        assert changed == pytest.approx(y)


def test_values_far_out_stay_numbers():
    """The exponential of a draw far beyond the log is large, never infinite."""
    assert np.all(np.isfinite(unpowered(np.array([1e6, -1e6]), 0.0)))
    assert np.all(np.isfinite(unpowered(np.array([1e6, -1e6]), 2.0)))


def test_scales_that_leave_no_numbers_are_left_out():
    values = np.array([0.0, 1e-9, 2e-9, 3e-9, 1e90])
    assert Warp.of(values, 0.0).usable
    data = Data(np.random.default_rng(0).random((5, 1)), np.arange(5.0), values * 1e3)
    law = MeanAndScale.around(np.arange(5.0))
    steep = Search(
        replace(data, values=data.values * 1e60), Hyperprior(powers=(1.0, 0.0, 2.0)), law
    )
    assert set(steep._warps) == {1.0, 0.0}
    first = replace(steep, hyperprior=Hyperprior(powers=(2.0,)))
    with pytest.raises(InvalidInput, match=r"hyperprior powers = 2\.0: y is of too many decades"):
        first._warps  # noqa: B018
