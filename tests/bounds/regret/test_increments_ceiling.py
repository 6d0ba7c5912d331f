"""Lemma SF and (U) as ceilings: by whole matrices, by simulation, enclosed, beside Theorem R."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy import linalg

from bounds.domain import Arms, Grid
from bounds.enclosure import matrices
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Matern, SquaredExponential
from bounds.partitions.partition import Partition
from bounds.problem import Problem
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.schedules.block_looks import (
    Design,
    block_schedule,
    design_of,
    designs,
    least_block_ceiling,
    long_enough,
)
from bounds.regret.ingredients.schedules.increments import (
    block_ceiling_of,
    block_schedule_for,
    ceiling_at,
    enclosed_ceiling,
    greedy_ceiling,
    greedy_schedule_for,
    least_ceiling,
)
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.regret.rows import certified_rows, regret_rows
from bounds.smooth.order import renewed
from bounds.times import EvaluationTimes
from tests.bounds.regret.correlated import correlated

DOMAIN = Grid(1, 1.0, 61)
WAITS = np.random.default_rng(3).pareto(1.0, 50)


def chebyshev(count: int) -> np.ndarray:
    places = 0.5 - 0.5 * np.cos((2 * np.arange(count) + 1) * np.pi / (2 * count))
    return np.unique(np.round(places * 60).astype(int))


def problem_of(epsilon: float, waits: int | np.ndarray, **more) -> Problem:
    waits = np.ones(waits) if isinstance(waits, int) else waits
    given = {"noise_variance": 1.0, "domain": DOMAIN, **more}
    return Problem(EvaluationTimes.from_durations(waits), epsilon=epsilon, **given)


def in_turn(points, spacing: int, n: int) -> Schedule:
    rounds = tuple(range(0, n, spacing))
    return Schedule(rounds, tuple(int(points[k % len(points)]) for k in range(len(rounds))))


def apart(matrix: np.ndarray) -> np.ndarray:
    first, second = np.triu_indices(len(matrix), 1)
    spread = np.diagonal(matrix)
    return spread[first] + spread[second] - 2 * matrix[first, second]


def covariances(problem: Problem, schedule: Schedule, i: int):
    """K and P at round i by whole matrices."""
    gram = problem.space_kernel.gram(problem.domain.points)
    looks = np.array([j for j in schedule.rounds if j < i], dtype=int)
    z = np.array(schedule.points[: len(looks)], dtype=int)
    tau = problem.times.times
    time = problem.time_kernel.at_distance(np.abs(np.subtract.outer(tau[looks], tau[looks])))
    noisy = gram[np.ix_(z, z)] * time + problem.noise_variance * np.eye(len(z))
    cross = gram[:, z] * problem.time_kernel.at_distance(tau[i] - tau[looks])
    return gram, gram - cross @ np.linalg.solve(noisy, cross.T)


def by_whole_matrices(problem: Problem, schedule: Schedule) -> float:
    """Σ of 1 over looks and 1 − √(1−p_i) over other rounds, every p_i from its own covariance."""
    lost = float(len(schedule.rounds))
    for i in set(range(problem.n)) - set(schedule.rounds):
        K, P = covariances(problem, schedule, i)
        lost += 1 - np.sqrt(max(0.0, 1 - np.max(apart(P) / apart(K))))
    return lost


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(2.5, 0.3)])
@pytest.mark.parametrize("waits", [np.ones(50), WAITS, np.zeros(50)], ids=["unit", "tail", "once"])
def test_by_whole_matrices(kernel, waits) -> None:
    problem = problem_of(0.01, waits, domain=Grid(1, 1.0, 9), space_kernel=kernel)
    for schedule in (in_turn([1, 4, 7], 4, 50), Schedule((3, 4, 20, 49), (0, 8, 4, 4))):
        found = ceiling_at(problem, schedule).value
        assert found == pytest.approx(by_whole_matrices(problem, schedule), rel=1e-7)
    assert ceiling_at(problem, Schedule((), ())).value == 50


@pytest.mark.parametrize(
    ("epsilon", "count", "spacing", "p"), [(1e-2, 5, 9, 0.804), (1e-3, 6, 12, 0.555)]
)
def test_known_values(epsilon, count, spacing, p) -> None:
    """p of the table, the largest of a cycle, up to where Chebyshev points fall on the grid."""
    problem = problem_of(epsilon, 1000)
    schedule = in_turn(chebyshev(count), spacing, 1000)
    last = [covariances(problem, schedule, i) for i in schedule.rounds[-count:]]
    assert max(np.max(apart(P) / apart(K)) for K, P in last) == pytest.approx(p, abs=0.05)
    late = ceiling_at(problem, schedule).value
    early = ceiling_at(problem_of(epsilon, 500), in_turn(chebyshev(count), spacing, 500)).value
    assert (late - early) / 500 <= 1 / spacing + 1 - np.sqrt(1 - p - 0.05)


def test_enclosed_from_above_and_closely() -> None:
    for problem in (
        problem_of(0.01, WAITS, domain=Grid(2, 1.0, 4), noise_variance=0.01),
        problem_of(0.001, 60, domain=Arms(4)),
        problem_of(1e-4, 80, domain=Grid(1, 1.0, 21), space_kernel=Matern(1.5, 0.4)),
    ):
        found = least_ceiling(problem)
        above = matrices.upward(enclosed_ceiling(problem, found.schedule))
        assert found.value * (1 - 1e-12) <= above <= found.value * (1 + 1e-9)
    with pytest.raises(NoEnclosure, match="points"):
        enclosed_ceiling(problem_of(0.1, 2000), in_turn([0, 30], 2, 2000))


def test_enclosed_by_another_hand_in_fractions() -> None:
    """Two arms, no drift: after k looks at each p = σ²/(σ²+k), of which the root is taken."""
    problem = problem_of(0.0, 6, domain=Arms(2), noise_variance=0.25)
    schedule = in_turn([0, 1], 1, 2)
    share = Fraction(1, 4) / (Fraction(1, 4) + 1)
    exact = 2 + 4 * (1 - np.sqrt(float(1 - share)))
    assert ceiling_at(problem, schedule).value == pytest.approx(exact, rel=1e-14)
    assert float(enclosed_ceiling(problem, schedule)) == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("epsilon", [1e-2, 1e-4])
@pytest.mark.parametrize("spacing", [2, 8, 20])
def test_never_above_theorem_r(epsilon, spacing) -> None:
    """The circle in two features: the same schedule by increments and by Theorem R, β = 1."""
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    gram = np.cos(np.subtract.outer(angles, angles))
    problem = problem_of(epsilon, 3000, **correlated(gram))
    found = ceiling_at(problem, in_turn([0, 10], spacing, 3000))
    # q² = δq + δ(1−q) at σ = 1; a look at each of the two points every 2·spacing rounds.
    cycle = 2 * spacing
    drift = 1 - (1 - epsilon) ** cycle
    bound = 3000 / spacing + 1 + 2 * (3000 * np.sqrt(drift) + cycle * (1 + np.log1p(3000 / cycle)))
    assert found.value <= min(bound, 3000) * (1 + 1e-12)
    assert least_ceiling(problem).value <= found.value


def test_the_quotient_is_never_above_the_matrix_order() -> None:
    problem, schedule = problem_of(0.01, 50, domain=Grid(1, 1.0, 9)), in_turn([1, 4, 7], 4, 50)
    for i in (3, 17, 49):
        K, P = covariances(problem, schedule, i)
        order = linalg.eigh(P, K + 1e-13 * np.eye(9), eigvals_only=True)[-1]
        assert np.max(apart(P) / apart(K)) <= order * (1 + 1e-4)


def test_never_below_theorem_x_by_simulation() -> None:
    """m*(1 − √(1−p)) is at least m* − E max N(0, K − P), both by the same draws."""
    problem, rng = problem_of(1e-3, 200), np.random.default_rng(0)
    schedule = in_turn(chebyshev(6), 8, 200)
    for i in (99, 199):
        K, P = covariances(problem, schedule, i)
        share, both = np.max(apart(P) / apart(K)), []
        for matrix in (K, K - P):
            values, vectors = np.linalg.eigh(matrix)
            factor = vectors * np.sqrt(np.maximum(values, 0))
            draws = rng.standard_normal((20_000, 61)) @ factor.T
            both.append((draws.max(axis=1) - draws.min(axis=1)) / 2)
        lost = both[0].mean() - both[1].mean()
        error = 4 * (both[0].std() + both[1].std()) / np.sqrt(20_000)
        assert lost <= both[0].mean() * (1 - np.sqrt(1 - share)) + error


# The ceiling (U) of Theorem I3.


def test_a_and_lambda_by_their_definitions() -> None:
    """Every pair on its own, the deviation of the error by the posterior of exact looks."""
    domain = Grid(1, 1.0, 7)
    gram, points = SquaredExponential(0.5).gram(domain.points), np.array([0, 3, 6])
    found = design_of(gram, points)
    weights = np.linalg.solve(gram[np.ix_(points, points)], gram[points])
    left = gram - gram[:, points] @ weights
    error = steepness = 0.0
    for x, y in combinations(range(7), 2):
        distance = gram[x, x] + gram[y, y] - 2 * gram[x, y]
        error = max(error, (left[x, x] + left[y, y] - 2 * left[x, y]) / distance)
        steepness = max(steepness, np.abs(weights[:, x] - weights[:, y]).sum() / distance**0.5)
    assert found.error == pytest.approx(error**0.5, rel=1e-6)
    assert found.steepness == pytest.approx(steepness, rel=1e-9)


def u_at(design: Design, shares: np.ndarray, noise: float, cuts: tuple[int, ...]) -> float:
    """(U) at one partition, from its definition."""
    r, total = len(design.points), 0.0
    for a, b in pairwise(cuts):
        size = b - a
        drift = sum(1.0 - np.prod(1.0 - shares[a + 1 : k + 1]) for k in range(a, b))
        looks = r + 1 + 4 * design.steepness * np.sqrt(2 * noise * r * size)
        learnt = 2 * design.error**2 * size + 2 * design.steepness**2 * drift
        total += min(size, looks + learnt)
    return total


def test_u_is_the_least_over_all_partitions() -> None:
    waits = np.array([1.0, 0, 0, 30.0, 0, 0, 0, 0.5, 0, 0])
    shares = renewed(problem_of(0.05, waits))
    gram, noise = np.eye(2), 0.001
    found = least_block_ceiling(gram, shares, noise, None)
    everything = [
        u_at(design, shares, noise, (0, *cuts, 10))
        for design in (design_of(gram, points) for points in designs(gram))
        for count in range(10)
        for cuts in combinations(range(1, 10), count)
    ]
    assert found.value == pytest.approx(min(everything), rel=1e-12)
    assert found.value < 10


@pytest.mark.parametrize("arms", [2, 5])
@pytest.mark.parametrize("noise", [0.001, 0.01, 0.3])
@pytest.mark.parametrize("waits", [np.ones(200), np.tile([0.0] * 19 + [50.0], 10)])
def test_lemma_sf_at_its_own_schedule_is_below_u(arms, noise, waits) -> None:
    """At every horizon: the ceilings of the first rounds are those of their own problems."""
    for n in (50, len(waits)):
        problem = problem_of(1e-4, waits[:n], domain=Arms(arms), noise_variance=noise)
        found = block_ceiling_of(problem)
        assert ceiling_at(problem, found.schedule).value <= found.value * (1 + 1e-12) <= n + 1e-9
        assert least_ceiling(problem).value <= found.value * (1 + 1e-12)


def test_counts_of_a_block() -> None:
    """At most r + 1 + 2c√M looks in M rounds; without a look each point has had c√t/r at least."""
    points, rate = np.array([3, 1, 4]), 1.3
    rounds = block_schedule([(0, 400)], points, rate).rounds
    for length in range(1, 401):
        looks = sum(1 for i in rounds if i < length)
        assert looks <= len(points) + 1 + 2 * rate * length**0.5
        if length - 1 not in rounds:
            assert looks // len(points) >= rate * length**0.5 / len(points)
    assert long_enough(Partition((0, 4, 400)), points, rate) == [(4, 400)]


def test_searched_schedules_and_refusals() -> None:
    problem = problem_of(1e-5, 300, noise_variance=0.01, domain=Grid(1, 1.0, 20))
    best = least_ceiling(problem)
    assert best.value < 0.2 * problem.n
    assert ceiling_at(problem, best.schedule).value == pytest.approx(best.value, rel=1e-12)
    assert block_schedule_for(problem) == best.schedule
    assert least_ceiling(problem_of(0.5, 40, domain=Grid(1, 1.0, 8))).value <= 40
    with pytest.raises(InvalidInput, match="points"):
        ceiling_at(problem_of(0.1, 5, domain=Grid(2, 1.0, 20)), Schedule((), ()))
    with pytest.raises(InvalidInput, match="schedule"):
        ceiling_at(problem, Schedule((300,), (0,)))
    with pytest.raises(InvalidInput, match="time-kernel"):
        ceiling_at(problem_of(0.1, 5, time_kernel=SquaredExponential(1.0)), Schedule((), ()))


def test_a_large_problem_looks_in_the_blocks_of_psi() -> None:
    for more in ({}, {"time_kernel": SquaredExponential(1e6)}):
        problem = problem_of(1e-5, 400, domain=Grid(2, 1.0, 30), noise_variance=0.01, **more)
        schedule = block_schedule_for(problem)
        schedule.require(400, 900)
        assert 10 < len(schedule.rounds) < 200


# The rows.


def rows_of(problem: Problem) -> dict[str, float]:
    rows = regret_rows(Ingredients(problem), "upper")
    return {row.name: row for row in rows if row.policy == "block-schedule"}


def test_both_rows_and_the_certified_one() -> None:
    problem = problem_of(1e-4, 200, domain=Arms(3), noise_variance=0.001)
    found = rows_of(problem)
    assert set(found) == {"lemma_sf", "theorem_i3"}
    assert found["lemma_sf"].value < found["theorem_i3"].value
    (certified,) = certified_rows(Ingredients(problem), [found["lemma_sf"]])
    assert certified.certified and certified.value == pytest.approx(
        found["lemma_sf"].value, rel=1e-2
    )


def test_hypotheses_are_named() -> None:
    from bounds.regret.registry import REGRET_BOUNDS

    for name in ("lemma_sf", "theorem_i3"):
        bound = REGRET_BOUNDS.named(name)
        smooth = problem_of(0.1, 5, domain=Arms(2), time_kernel=SquaredExponential(1.0))
        assert "time-kernel" in bound.failure(Ingredients(smooth))
        assert "points" in bound.failure(Ingredients(problem_of(0.1, 5, domain=Grid(2, 1.0, 20))))
        assert "points" in bound.failure(Ingredients(problem_of(0.1, 5, domain=Arms(1))))


# One schedule for every number of rounds.


@pytest.mark.parametrize("waits", [np.ones(300), np.tile([0.0] * 19 + [50.0], 15)])
@pytest.mark.parametrize("domain", [Grid(1, 1.0, 30), Grid(2, 1.0, 30), Arms(4)])
def test_greedy_blocks_do_not_look_ahead(waits, domain) -> None:
    """The looks of the first rounds are those of the shorter problem, whatever comes later."""
    whole = greedy_schedule_for(problem_of(1e-4, waits, domain=domain, noise_variance=0.1))
    later = np.concatenate([waits[:120], np.full(40, 1e4)])
    for other in (waits[:120], later):
        part = greedy_schedule_for(problem_of(1e-4, other, domain=domain, noise_variance=0.1))
        first = [i for i in part.rounds if i < 120]
        assert list(whole.rounds[: len(first)]) == first
        assert whole.points[: len(first)] == part.points[: len(first)]
        assert len(whole.rounds) == len(first) or whole.rounds[len(first)] >= 120


def test_greedy_blocks_end_with_the_greedy_partition() -> None:
    """A wait renews everything before round 30; a block may lose a round, and ends behind it."""
    problem = problem_of(1e-4, np.tile([0.0] * 29 + [1e5], 4), domain=Arms(3), noise_variance=0.001)
    rounds = greedy_schedule_for(problem).rounds
    assert {0, 30, 60, 90} <= set(rounds)
    assert 29 not in rounds and len(rounds) < 30


@pytest.mark.parametrize("epsilon", [1e-3, 1e-5])
@pytest.mark.parametrize("noise", [0.01, 1.0])
def test_greedy_blocks_against_the_searched_schedule(epsilon, noise) -> None:
    problem = problem_of(epsilon, 400, noise_variance=noise, domain=Grid(1, 1.0, 30))
    least, greedy = least_ceiling(problem).value, greedy_ceiling(problem)
    assert greedy.value == pytest.approx(ceiling_at(problem, greedy.schedule).value, rel=1e-12)
    assert 0.9 * least <= greedy.value <= 2.0 * least


def test_the_row_of_greedy_blocks() -> None:
    problem = problem_of(1e-4, 200, domain=Arms(3), noise_variance=0.001)
    (found,) = (
        row for row in regret_rows(Ingredients(problem), "upper") if row.policy == "greedy-blocks"
    )
    assert found.rounds == "all n"
    (certified,) = certified_rows(Ingredients(problem), [found])
    assert certified.certified and certified.value == pytest.approx(found.value, rel=1e-2)
