import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.times import EvaluationTimes
from simulation.model.time_model import fit_time_model
from simulation.world.evaluation_time import biased, constant, in_order, regressed


def test_the_biased_setting_is_the_printed_function():
    grid = Grid(2, 1.0, 11)
    t = biased(grid).of_round(5)
    for (x, y), found in zip(grid.points, t, strict=True):
        assert found == pytest.approx(2 * (np.sin(2**0.5 * np.pi * np.hypot(x, y)) + 2), abs=1e-14)
    assert biased(grid).durations[0] == pytest.approx(4.0)
    assert t.min() >= 2.0 and t.max() <= 6.0
    assert biased(grid).name == "biased t(x)"


def test_a_constant_time_is_constant():
    assert {float(constant(2.5, 4).of_round(i)) for i in range(4)} == {2.5}
    assert float(constant(0.0, 1).of_round(0)) == 0.0
    assert constant(2.5, 4).name == "constant 2.5" and len(constant(2.5, 4).durations) == 4
    for bad in (-1.0, float("nan"), float("inf")):
        with pytest.raises(InvalidInput, match="evaluation-time"):
            constant(bad, 3)


def test_measured_durations_come_in_their_order():
    times = EvaluationTimes.from_durations([1.0, 0.0, 4.0], source="measured.csv")
    assert [float(in_order(times, 3).of_round(i)) for i in range(3)] == [1.0, 0.0, 4.0]
    assert in_order(times, 2).durations.tolist() == [1.0, 0.0]
    assert in_order(times, 2).name == "durations of measured.csv in order"
    with pytest.raises(InvalidInput, match=r"rounds = 4: there are 3 durations in measured.csv"):
        in_order(times, 4)


def test_regression_recovers_a_function_of_the_point():
    rng = np.random.default_rng(0)
    inputs = rng.random((60, 2))
    truth = np.exp(1.0 + np.sin(3 * inputs[:, 0]) - inputs[:, 1])
    grid = Grid(2, 1.0, 8)
    wanted = np.exp(1.0 + np.sin(3 * grid.points[:, 0]) - grid.points[:, 1])
    found = regressed(grid, inputs, truth).durations
    assert np.abs(np.log(found / wanted)).max() < 0.1
    noisy = truth * np.exp(0.2 * rng.standard_normal(60))
    found = regressed(grid, inputs, noisy).durations
    assert np.sqrt(np.mean(np.log(found / wanted) ** 2)) < 0.2
    assert regressed(grid, inputs, noisy).durations.tolist() == found.tolist()
    assert regressed(grid, inputs, noisy).name == "regression on the inputs"
    # With the noise of one measurement.
    model = fit_time_model(inputs, noisy)
    assert found == pytest.approx(model.mean_duration(grid.points, with_noise=True))


def test_regression_needs_matching_positive_measurements():
    grid = Grid(2, 1.0, 3)
    with pytest.raises(InvalidInput, match="give 2 input columns"):
        regressed(grid, np.ones((4, 3)), np.ones(4))
    with pytest.raises(InvalidInput, match=r"inputs = shape \(2,\): give 2 input columns"):
        regressed(grid, np.ones(2), np.ones(2))
    with pytest.raises(InvalidInput, match="one row of inputs per duration"):
        regressed(grid, np.ones((4, 2)), np.ones(3))
    with pytest.raises(InvalidInput, match=r"duration in row 2 = 0.0"):
        regressed(grid, np.ones((3, 2)), [1.0, 0.0, 2.0])
    with pytest.raises(InvalidInput, match="finite"):
        regressed(grid, [[np.nan, 1.0]], [1.0])
    for outside, shown in ((1.1, "0.5, 1.1"), (-0.1, "0.5, -0.1")):
        with pytest.raises(InvalidInput, match=f"inputs in row 2 = {shown}: stay inside"):
            regressed(grid, [[0.0, 1.0], [0.5, outside]], [1.0, 1.0])
