import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, SquaredExponential
from bounds.partitions.equal_blocks import block_lengths, equal_block_gains
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate
from bounds.problem import Problem
from bounds.times import EvaluationTimes


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(1, 24),
    spacing=st.floats(0.0, 30.0),
    epsilon=st.floats(0.0, 0.95),
    smooth=st.booleans(),
    seed=st.integers(0, 2**31),
)
@example(n=1, spacing=1.0, epsilon=5e-324, smooth=False, seed=0)  # 1/ε is no double
def test_closed_form_is_the_bound_of_the_partition(n, spacing, epsilon, smooth, seed) -> None:
    rng = np.random.default_rng(seed)
    gamma = np.concatenate(([0.0], np.cumsum(rng.uniform(0, 2, n))))
    kernel = SquaredExponential(2.0) if smooth else Forgetting(epsilon)
    times = EvaluationTimes.from_durations(np.full(n, spacing))
    problem = Problem(
        times, epsilon=epsilon, time_kernel=kernel, noise_variance=0.3, domain=Grid(1, 1.0, 2)
    )
    table = equal_block_gains(
        n, spacing, epsilon=epsilon, time_kernel=kernel, noise_variance=0.3, gamma=gamma
    )
    for i, length in enumerate(table.lengths):
        partition = Partition.equal(n, int(length))
        for objective in OBJECTIVES:
            exact = evaluate(objective, problem, gamma, partition).value
            value = table.gains[objective][i]
            if objective == "refined" and smooth:
                # Only two centres are tried for a smooth kernel: an upper bound.
                assert value >= exact - 1e-9 * (1 + exact)
            else:
                assert value == pytest.approx(exact, rel=1e-9, abs=1e-9)


def test_steps_whose_square_is_no_double() -> None:
    """No two rounds are near: every pair of a block counts with the cap."""
    table = equal_block_gains(
        4,
        1e200,
        epsilon=0.1,
        time_kernel=Forgetting(0.1),
        noise_variance=1.0,
        gamma=[0.0, 1.0, 1.0, 1.0, 1.0],
    )
    for length, found in zip(table.lengths, table.gains["additive"], strict=True):
        blocks = [min(length, 4 - start) for start in range(0, 4, length)]
        by_hand = sum(1.0 + 0.5 * size * np.log1p(np.sqrt(size - 1.0)) for size in blocks)
        assert found == pytest.approx(by_hand, rel=1e-12)


def test_lengths_reach_from_one_to_n() -> None:
    lengths = block_lengths(100_000)
    assert lengths[0] == 1 and lengths[-1] == 100_000
    assert np.all(np.diff(lengths) > 0) and len(lengths) < 1_000


def test_bad_input_is_named() -> None:
    with pytest.raises(InvalidInput, match="spacing"):
        equal_block_gains(
            2, -1.0, epsilon=0.0, time_kernel=Forgetting(0.0), noise_variance=1.0, gamma=[0, 1, 1]
        )
    with pytest.raises(InvalidInput, match="n = 0"):
        block_lengths(0)


def test_a_centre_between_two_rounds_serves_blocks_of_even_length() -> None:
    """γ_M + Σ ½ log(1 + (1 − k²)/σ²) around the middle of each block, round or not."""
    kernel, noise, h = SquaredExponential(2.0), 0.3, 0.9
    gamma = np.sqrt(np.arange(7.0))
    table = equal_block_gains(
        6, h, epsilon=0.1, time_kernel=kernel, noise_variance=noise, gamma=gamma
    )

    def drift(size: int) -> float:
        at = (np.arange(size) - (size - 1) / 2) * h
        return 0.5 * float(np.log1p(kernel.deficit(np.abs(at)) / noise).sum())

    for length, found in zip(table.lengths.tolist(), table.gains["refined"], strict=True):
        blocks = [min(length, 6 - start) for start in range(0, 6, length)]
        by_hand = sum(gamma[size] + drift(size) for size in blocks)
        assert found == pytest.approx(by_hand, rel=1e-12)
    best = min(zip(table.gains["refined"], table.lengths, strict=True))
    assert table.best("refined") == best and table.valid == ("refined",)


def test_lengths_grow_by_one_in_a_hundred() -> None:
    assert block_lengths(256).tolist() == list(range(1, 257)) and block_lengths(1).tolist() == [1]
    for n, every in ((10_000, 256), (500, 10), (257, 256)):
        lengths = block_lengths(n, every)
        assert lengths[:every].tolist() == list(range(1, every + 1)) and lengths[-1] == n
        assert np.all(lengths[every:] <= np.ceil(1.0101 * lengths[every - 1 : -1]))
        assert np.all(np.diff(lengths) >= 1) and lengths.dtype == np.int64
    assert len(block_lengths(10_000)) < 256 + 2 * np.log(10_000 / 256) / np.log(1.01)
    for call, said in (
        (lambda: block_lengths(0), "n = 0: give at least 1 round"),
        (
            lambda: equal_block_gains(
                1,
                float("nan"),
                epsilon=0.0,
                time_kernel=Forgetting(0.0),
                noise_variance=1.0,
                gamma=[0, 1],
            ),
            "spacing = nan: give a time of at least 0",
        ),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert str(caught.value) == said
