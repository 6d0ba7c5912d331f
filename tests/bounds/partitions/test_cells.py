"""Cells of rounds, centres between them and cuts inside them, by plain loops."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest

from bounds.kernels import Forgetting
from bounds.partitions.cells import Cells, SearchOptions, _boundaries
from bounds.partitions.center_search import Centers, _gaps, _Line
from bounds.partitions.drift import round_drift
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, improve
from bounds.partitions.uniformity_search import _drift, _Penalty, free_cut, search_by_uniformity
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from tests.oracles import phi

WAITS = np.array([0.0, 1.0, 0.3, 0.0, 9.0, 2.0, 0.1, 0.1, 4.0])
TIMES = EvaluationTimes.from_durations(WAITS)
CELLS = Cells(np.array([0, 2, 3, 6, 8, 9]), WAITS[[0, 2, 3, 6, 8]], np.array([1.0, 0, 11, 0.1, 0]))


def closed_by_hand(costs, limit: float, longest: int) -> list[int]:
    cuts, start = [0], 0
    for k in range(1, len(costs) + 1):
        size = k + 1 - start
        if size * sum(costs[start:k]) > limit or size > longest:
            cuts.append(k)
            start = k
    return [*cuts, len(costs) + 1]


@pytest.mark.parametrize("limit", [0.0, 0.5, 3.0, 1e9])
@pytest.mark.parametrize("longest", [2, 4, 99])
def test_cells_close_where_they_have_cost_enough(limit: float, longest: int) -> None:
    costs = np.random.default_rng(3).exponential(0.4, 30)
    assert _boundaries(costs, limit, longest).tolist() == closed_by_hand(costs, limit, longest)


def test_coarse_cells_are_as_many_as_are_allowed() -> None:
    waits = np.random.default_rng(4).exponential(1.0, 90)
    times = EvaluationTimes.from_durations(waits)
    costs = round_drift(waits[1:], Forgetting(0.1), 0.1)
    found = Cells.coarse(times, costs, 20)
    assert 15 <= len(found.waits) <= 20 and found.n == 90
    assert found.counts.sum() == 90 and found.counts.max() <= (8 * 90) // 20
    for k, (start, end) in enumerate(zip(found.boundaries, found.boundaries[1:], strict=False)):
        assert found.extents[k] == pytest.approx(waits[start + 1 : end].sum())
        assert found.waits[k] == (waits[start] if start else 0.0)
    single = Cells.of_rounds(TIMES)
    assert single.boundaries.tolist() == list(range(10)) and not single.extents.any()
    assert single.waits.tolist() == TIMES.waits.tolist()


@pytest.mark.parametrize("cells", [CELLS, Cells.of_rounds(TIMES)], ids=["coarse", "rounds"])
def test_gaps_are_the_least_distances_to_intervals(cells: Cells) -> None:
    tau = np.cumsum(WAITS)
    first, last = tau[cells.boundaries[:-1]], tau[cells.boundaries[1:] - 1]
    count = len(first)
    for centers in (Centers.of_cells(cells), Centers.covering(cells, 25, 1.5)):
        line = _Line(cells.waits, cells.extents, centers.after, centers.before, centers.groups)
        owner = np.repeat(np.arange(count), np.diff(centers.groups))
        # Each interval by its ends, counted from the last round of the cell before and of its own.
        start = np.where(owner > 0, last[owner - 1], 0.0) + centers.after
        end = last[owner] - centers.before
        for low, high in ((0, count), (1, count - 1), (2, 3)):
            found = _gaps(0, count, low, high, line)
            chosen = (owner >= low) & (owner < high)
            for k in range(count):
                away = np.maximum(start[chosen] - last[k], first[k] - end[chosen])
                np.testing.assert_allclose(found[k], np.maximum(away, 0.0), atol=1e-12)
            np.testing.assert_array_equal(_gaps(1, 3, low, high, line), found[1:3])


def test_a_cut_inside_a_cell_costs_what_is_sure() -> None:
    prices, value = np.array([0.0, 0.5, 0.7]), np.array([9.0, 2.0, 1.0])
    start = np.array([0.0, 1.2, 4.0])
    assert free_cut(0, value, start, prices) == 0.5
    assert free_cut(1, value, start, prices) == pytest.approx(1.7)
    assert free_cut(2, value, start, prices) == 1.0


@pytest.mark.parametrize("concave", [True, False])
@pytest.mark.parametrize("pair_sum", [0.0, 0.01, 5.0, 300.0])
def test_the_drift_of_a_block_from_half_its_uniformity(concave: bool, pair_sum: float) -> None:
    x = 2.0 * np.sqrt(2.0 * pair_sum / 7)
    growth = np.log1p(x) if concave else float(phi(x))
    found = _drift(_Penalty(0.3, 2.0, concave), pair_sum, 7)
    assert found == pytest.approx(3.5 * growth, rel=1e-13)


def uniformity(cells: Cells, first: int, last: int, rate: float) -> float:
    """rate²·C of whole cells by their rounds, those of one cell at its ends' least distance."""
    tau = np.cumsum(WAITS)
    starts, ends = tau[cells.boundaries[:-1]], tau[cells.boundaries[1:] - 1]
    total = 0.0
    for a in range(first, last):
        for b in range(a + 1, last):
            distance = starts[b] - ends[a]
            total += 2 * cells.counts[a] * cells.counts[b] * min(1.0, (rate * distance) ** 2)
    return total


@pytest.mark.parametrize("rate", [0.05, 0.4, 1.0, np.inf])
@pytest.mark.parametrize("concave", [True, False])
@pytest.mark.parametrize("cells", [CELLS, Cells.of_rounds(TIMES)], ids=["coarse", "rounds"])
def test_the_search_is_that_over_every_chain_of_cells(cells, concave, rate) -> None:
    prices, noise = 0.9 * np.sqrt(np.arange(10.0)), 0.5
    count = len(cells.waits)

    def block(a: int, b: int) -> float:
        M = cells.boundaries[b] - cells.boundaries[a]
        scaled = (
            uniformity(cells, a, b, rate)
            if np.isfinite(rate)
            else sum(
                2 * cells.counts[i] * cells.counts[j]
                for i in range(a, b)
                for j in range(i + 1, b)
                if cells.waits[i + 1 : j + 1].sum() + cells.extents[i + 1 : j].sum() > 0
            )
        )
        x = np.sqrt(scaled / M) / noise
        return prices[M] + 0.5 * M * (np.log1p(x) if concave else float(phi(x)))

    chains = [(0, *cuts, count) for k in range(count) for cuts in combinations(range(1, count), k)]
    values = {chain: sum(block(a, b) for a, b in pairwise(chain)) for chain in chains}
    shares: list[float] = []
    found = search_by_uniformity(
        cells, rate, noise, prices, concave=concave, options=SearchOptions(progress=shares.append)
    )
    assert found.complete and shares == [1.0] and found.work > 0
    assert found.value == pytest.approx(min(values.values()), rel=1e-12)
    chain = tuple(np.searchsorted(cells.boundaries, found.cuts))
    assert values[chain] == pytest.approx(found.value, rel=1e-12)
    free = search_by_uniformity(
        cells, rate, noise, prices, concave=concave, options=SearchOptions(True)
    )
    assert free.value <= found.value * (1 + 1e-12)
    if cells is not CELLS:  # there is no inside of a round
        assert free.value == pytest.approx(found.value, rel=1e-12)
    stopped = search_by_uniformity(
        cells, rate, noise, prices, concave=concave, options=SearchOptions(work_limit=0)
    )
    assert (stopped.value, stopped.cuts, stopped.complete) == (-np.inf, (), False)


def test_a_gap_shrinks_with_a_better_partition() -> None:
    problem = Problem(TIMES, 0.1, Forgetting(0.1))
    gamma = np.sqrt(np.arange(10.0))
    poor = evaluate("refined", problem, gamma, Partition((0, 1, 9)))
    other = evaluate("additive", problem, gamma, Partition((0, 4, 9)))
    cut = replace(poor, exact=False, gap=0.5)
    better = improve(problem, gamma, cut, [other])
    own = evaluate("refined", problem, gamma, Partition((0, 4, 9)))
    assert better.partition == own.partition and better.value == own.value < poor.value
    expected = (own.value - 0.5 * poor.value) / own.value + 1e-9  # for rounding
    assert better.gap == pytest.approx(max(expected, 0.0), abs=1e-12) and not better.exact
    assert improve(problem, gamma, replace(poor, exact=True), [other]).partition == poor.partition
    assert improve(problem, gamma, cut, []) is cut
