"""The exact searches against enumeration of all partitions, and the cells beyond their reach."""

from __future__ import annotations

import numpy as np
import pytest
import ruptures
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.partitions.cells import Cells, SearchOptions
from bounds.partitions.drift import round_drift
from bounds.partitions.objectives import OBJECTIVES
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, search
from bounds.partitions.uniformity_search import search_by_uniformity
from bounds.problem import Problem
from bounds.times import EvaluationTimes, Family, sequence
from tests.oracles import all_partitions, phi
from tests.strategies import durations, epsilons, gain_lists, noise_variances


def block_costs(objective: str, problem: Problem) -> np.ndarray:
    """w[j, e] of every block from the definition, with dense algebra."""
    n, noise = problem.n, problem.noise_variance
    distance = problem.times.distances(slice(None), slice(None))
    rate = problem.epsilon if objective == "theorem1" else problem.time_kernel.slope
    table = np.zeros((n + 1, n + 1))
    for j in range(n):
        for e in range(j + 1, n + 1):
            part = distance[j:e, j:e]
            if objective == "refined":
                terms = round_drift(part, problem.time_kernel, noise).sum(axis=1)
                table[j, e] = terms.min()
            else:
                c = np.minimum(1.0, (rate * part) ** 2).sum()
                x = np.sqrt(c / (e - j)) / noise
                g = phi(x) if objective == "theorem1" else np.log1p(x)
                table[j, e] = 0.5 * (e - j) * float(g)
    return table


def enumerated_optimum(objective: str, problem: Problem, gamma: np.ndarray) -> float:
    costs = block_costs(objective, problem)
    best = np.inf
    for partition in all_partitions(problem.n):
        lengths = partition.lengths
        if objective == "theorem1":
            gain = len(lengths) * gamma[max(lengths)]
        else:
            gain = sum(gamma[m] for m in lengths)
        best = min(best, gain + sum(costs[a, b] for a, b in partition.blocks()))
    return float(best)


@pytest.mark.parametrize("objective", OBJECTIVES)
@given(durations(max_size=10), epsilons, noise_variances, st.data())
@example([0.0, 0.0, 0.0, 1.0], 0.01, 0.01, None)
@example([1.0, 1e12, 1e-9, 1e-9, 1e12], 1e-9, 1e-6, None)
@settings(deadline=None, max_examples=60)
def test_global_over_all_partitions(objective, values, epsilon, noise_variance, data):
    problem = Problem(
        EvaluationTimes.from_durations(values), epsilon=epsilon, noise_variance=noise_variance
    )
    # The list that breaks SMAWK and divide-and-conquer, continued.
    broken = np.array([0, 1, 1.5, 1.75, 1.75, 1.75])
    gamma = broken[: problem.n + 1] if data is None else data.draw(gain_lists(problem.n))
    found = search(objective, problem, gamma)
    assert found.exact
    assert found.gap == 0.0
    assert found.value == pytest.approx(
        enumerated_optimum(objective, problem, gamma), rel=1e-10, abs=1e-12
    )
    again = evaluate(objective, problem, gamma, found.partition)
    assert again.value == pytest.approx(found.value, rel=1e-10, abs=1e-12)
    assert found.value == found.gain + found.drift


@pytest.mark.parametrize("kernel", [SquaredExponential(3.0), Matern(2.5, 3.0)], ids=repr)
def test_smooth_time_kernels_are_within_the_proved_gap(kernel):
    rng = np.random.default_rng(5)
    problem = Problem(EvaluationTimes.from_durations(rng.exponential(size=5)), time_kernel=kernel)
    gamma = np.array([0.0, 2.3, 4.0, 5.0, 5.5, 5.8])
    found = search("refined", problem, gamma)
    best = min(evaluate("refined", problem, gamma, p).value for p in all_partitions(problem.n))
    assert not found.exact
    assert 0 <= found.gap < 1e-4
    assert best * (1 - 1e-7) <= found.value <= best * (1 + found.gap)


def test_no_drift_is_the_time_invariant_bound():
    gamma = 3 * np.log1p(np.arange(51))
    for values, epsilon in (([1.0] * 50, 0.0), ([7.0, *[0.0] * 49], 0.5)):
        problem = Problem(EvaluationTimes.from_durations(values), epsilon=epsilon)
        for objective in OBJECTIVES:
            found = search(objective, problem, gamma)
            assert (found.value, found.drift) == (gamma[50], 0.0)
            assert found.partition.cuts == (0, 50)


def test_a_later_start_of_time_changes_nothing():
    values = np.random.default_rng(0).exponential(size=40)
    gamma = 5 * np.log1p(np.arange(41))
    near = Problem(EvaluationTimes.from_durations(values), epsilon=0.1)
    values[0] += 1e9
    far = Problem(EvaluationTimes.from_durations(values), epsilon=0.1)
    for objective in OBJECTIVES:
        a, b = search(objective, near, gamma), search(objective, far, gamma)
        assert a.partition == b.partition
        assert a.value == pytest.approx(b.value, rel=1e-12)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("name", ["uniform", "pareto", "geometric", "bursts"])
def test_beyond_the_work_limit_the_gap_is_true(objective, name, monkeypatch):
    """With tiny limits the cells take over; their gap must cover the exact optimum."""
    for each in OBJECTIVES.values():
        monkeypatch.setattr(each, "fewest_cells", 150, raising=False)
    family = Family(n=600, total=600.0, rng=np.random.default_rng(1))
    problem = Problem(sequence(name, family), epsilon=1e-3)
    m = np.arange(601)
    gamma = np.minimum(0.5 * m * np.log(101), 12 * np.log1p(m))
    exact = search(objective, problem, gamma)
    rough = search(objective, problem, gamma, work_limit=1)
    assert exact.exact
    assert not rough.exact
    assert exact.value <= rough.value * (1 + 1e-12)
    assert rough.value <= exact.value / (1 - min(rough.gap, 1 - 1e-9))
    assert 0 < rough.gap < 1


def test_many_ends_cross_the_steps_of_the_programme():
    """More rounds than one step of either search, against quadratic dynamic programming."""
    n = 700
    problem = Problem(EvaluationTimes.from_durations(np.ones(n)), epsilon=3e-3)
    m = np.arange(n + 1)
    gamma = np.minimum(0.5 * m * np.log(101), 12 * np.log1p(m))
    half = np.arange(n)
    h = round_drift(half, problem.time_kernel, problem.noise_variance)
    # For steady times the best centre of M rounds is the middle one.
    sums = np.concatenate(([0.0], np.cumsum(h)))
    w = np.array([0.0, *(sums[(k + 1) // 2] + sums[k - (k + 1) // 2 + 1] for k in range(1, n + 1))])
    best = np.zeros(n + 1)
    for e in range(1, n + 1):
        best[e] = np.min(best[:e] + (gamma + w)[e - np.arange(e)])
    assert search("refined", problem, gamma).value == pytest.approx(best[n], rel=1e-12)


class _BlockCost(ruptures.base.BaseCost):
    """The additive drift as a cost of ruptures, for a peer's search."""

    model = "additive-drift"
    min_size = 1

    def __init__(self, problem: Problem) -> None:
        self.table = block_costs("additive", problem)

    def fit(self, signal):
        self.signal = signal
        return self

    def error(self, start, end):
        return self.table[start, end]


def test_same_optimum_as_another_library_at_a_constant_price():
    problem = Problem(
        EvaluationTimes.from_durations(np.random.default_rng(3).exponential(size=60)), epsilon=0.02
    )
    price = 6.0
    peer = ruptures.Pelt(custom_cost=_BlockCost(problem), jump=1, min_size=1)
    ends = peer.fit(np.zeros((60, 1))).predict(pen=price)
    theirs = evaluate("additive", problem, [0.0] + [price] * 60, Partition((0, *ends)))
    ours = search("additive", problem, [0.0] + [price] * 60)
    assert ours.value == pytest.approx(theirs.value, rel=1e-12)


def test_free_cuts_never_exceed_the_optimum():
    times = EvaluationTimes.from_durations(np.random.default_rng(2).exponential(size=120))
    gamma = 5 * np.log1p(np.arange(121))
    waits = round_drift(np.diff(times.times), Forgetting(0.01), 0.01)
    exact = search_by_uniformity(Cells.of_rounds(times), 0.005, 0.01, gamma, concave=True)
    for count in (16, 30, 60):
        cells = Cells.coarse(times, waits, count)
        assert len(cells.boundaries) - 1 <= count
        assert int(cells.counts.sum()) == 120
        bound = search_by_uniformity(
            cells, 0.005, 0.01, gamma, concave=True, options=SearchOptions(True)
        )
        assert bound.value <= exact.value * (1 + 1e-12)


@pytest.mark.parametrize(
    ("gamma", "message"),
    [
        ([0.0, 1.0], "at least 4 values"),
        ([0.0, 2.0, 1.0, 3.0], "gamma_2 = 1.0"),
        ([1.0, 2.0, 3.0, 3.0], "gamma_0 = 1.0"),
        ([0.0, 1.0, float("nan"), 3.0], "gamma_2 = nan"),
        (["a", "b"], "list of numbers"),
    ],
)
def test_bad_gamma_lists(gamma, message):
    problem = Problem(EvaluationTimes.from_durations([1.0, 1.0, 1.0]))
    with pytest.raises(InvalidInput, match=message.replace(".", r"\.")):
        search("refined", problem, gamma)


def test_bad_objective_and_partition():
    problem = Problem(EvaluationTimes.from_durations([1.0, 1.0]))
    with pytest.raises(InvalidInput, match="objective"):
        search("best", problem, [0.0, 1.0, 2.0])
    with pytest.raises(InvalidInput, match="objective"):
        evaluate("best", problem, [0.0, 1.0, 2.0], Partition((0, 2)))
    for cuts in ((0,), (1, 2), (0, 2, 2), (0, 3)):
        with pytest.raises(InvalidInput, match="partition"):
            Partition.of(cuts, 2)
    with pytest.raises(InvalidInput, match="block length"):
        Partition.equal(3, 0)


@pytest.mark.parametrize("objective", OBJECTIVES)
@settings(max_examples=25, deadline=None)
@given(durations(min_size=20, max_size=60), st.integers(1, 4_000), st.sampled_from([0.5, 1.0, 1.5]))
@example([1.0] * 60, 650, 1.0)
def test_whatever_the_work_limit_the_gap_holds(
    objective: str, lengths: list[float], limit: int, power: float
) -> None:
    """A search given up half-way must neither claim to be exact nor a gap that is too small."""
    problem = Problem(EvaluationTimes.from_durations(lengths))
    gamma = np.concatenate(([0.0], np.cumsum(2.0 / np.arange(1, problem.n + 1) ** power)))
    best = search(objective, problem, gamma).value
    found = search(objective, problem, gamma, work_limit=limit)
    assert found.value >= best * (1 - 1e-9)
    assert found.value * (1 - found.gap) <= best * (1 + 1e-9)
    assert not found.exact or found.value == pytest.approx(best, rel=1e-9)


def test_caps_that_were_given_up_are_not_passed_over() -> None:
    """Found by chance: 159 of 480 limits led to a false optimum or to an error."""
    rng = np.random.default_rng(0)
    problem = Problem(EvaluationTimes.from_durations(rng.exponential(size=90)))
    gamma = np.concatenate(([0.0], np.cumsum(2.0 / np.arange(1, 91) ** 0.5)))
    best = search("theorem1", problem, gamma).value
    for limit in range(100, 6_000, 200):
        found = search("theorem1", problem, gamma, work_limit=limit)
        assert found.value * (1 - found.gap) <= best * (1 + 1e-9)
        assert not found.exact or found.value == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("limit", [20_000, 100_000, 500_000])
def test_what_was_found_before_the_limit_counts(limit: int, monkeypatch) -> None:
    """Once a search over caps that was given up forgot its bounds: a gap of 0.99 at n = 10^6."""
    for each in OBJECTIVES.values():
        monkeypatch.setattr(each, "fewest_cells", 500, raising=False)
    problem = Problem(EvaluationTimes.from_durations([0.01] * 3_000), epsilon=1e-3)
    m = np.arange(3_001)
    gamma = np.minimum(2.3 * m, 20 * np.log1p(m) ** 1.5)
    best = search("theorem1", problem, gamma)
    found = search("theorem1", problem, gamma, work_limit=limit)
    assert best.exact
    assert best.value * (1 - 1e-9) <= found.value <= 1.02 * best.value
    assert (1 - found.gap) * found.value <= best.value * (1 + 1e-9)
    assert found.gap < 0.15


def test_steady_times_need_few_intervals_of_the_longest_block() -> None:
    """Their best blocks are nearly equal: paying γ_m for m rounds is nearly N·γ_M already."""
    n = 3_000
    problem = Problem(EvaluationTimes.from_durations(np.ones(n)), epsilon=1e-3)
    gamma = np.minimum(2.3 * np.arange(n + 1), 12.0 * np.log1p(np.arange(n + 1)))
    cells = Cells.of_rounds(problem.times)
    whole = OBJECTIVES["theorem1"].solve(problem, gamma, cells)
    once = search_by_uniformity(cells, 1e-3, problem.noise_variance, gamma, concave=False)
    assert whole.work <= 2 * once.work
    assert whole.value == pytest.approx(
        evaluate("theorem1", problem, gamma, Partition(whole.cuts)).value, rel=1e-9
    )
