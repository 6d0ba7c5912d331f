"""Floors: against plain linear algebra, and between them and the ceilings the best policy."""

from dataclasses import replace
from math import gamma, sqrt

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Arms, Grid, Points
from bounds.enclosure.doubles import Doubles
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.numerics.rounding import at_least
from bounds.problem import Problem
from bounds.regret.ingredients import full_information
from bounds.regret.ingredients.common_part import common_part, information, noise_beyond_common_part
from bounds.regret.ingredients.first_looks import FirstLooks
from bounds.regret.ingredients.full_information import (
    VarianceLeft,
    _dense,
    _explained_above,
    determinant_floor,
    variance_left,
)
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.start_up import floor_curve, mean_length, round_floors, summed
from bounds.regret.lower import rank as module
from bounds.regret.lower.certificate import floor_certificate
from bounds.regret.lower.rank import floor_after, floor_of_rounds
from bounds.regret.maximum.maximum import LeastMaximum, least_maximum
from bounds.regret.regret_bound import PRIOR, RegretBound
from bounds.regret.rows import floors, regret_rows
from bounds.times import EvaluationTimes
from tests.bounds.gain.test_negative_kernels import Cosine
from tests.bounds.regret.correlated import correlated
from tests.bounds.regret.optimum import mean_maximum, optimal_regret
from tests.oracles import log_det_gain
from tests.strategies import durations, epsilons, noise_variances

NEAR = np.array([[1.0, 0.8], [0.8, 1.0]])
THREE = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 1.0]])
GRAMS = {"independent": np.eye(2), "near": NEAR, "opposite": 2 * np.eye(2) - NEAR, "three": THREE}
KERNELS = [Forgetting(0.3), Forgetting(0.0), SquaredExponential(2.0), Matern(2.5, 1.5)]


def times_of(values) -> EvaluationTimes:
    return EvaluationTimes.from_durations(values)


def left_by_solving(times, kernel, noise_variance, delay=0) -> np.ndarray:
    every = slice(None)
    gram = kernel.at_distance(times.distances(every, every))
    shares = np.ones(times.n)
    for i in range(delay + 1, times.n):
        k = i - delay
        noisy = gram[:k, :k] + noise_variance * np.eye(k)
        shares[i] = 1.0 - gram[i, :k] @ np.linalg.solve(noisy, gram[i, :k])
    return shares


@given(durations(max_size=7), st.sampled_from(KERNELS), noise_variances, st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_variance_left_is_that_of_a_plain_solve(values, kernel, noise, delay):
    times = times_of(values)
    found = variance_left(times, kernel, noise, delay=delay)
    expected = left_by_solving(times, kernel, noise, delay)
    assert found.certified
    assert np.all(found.shares <= expected + 1e-8)
    np.testing.assert_allclose(found.shares, expected, rtol=1e-6, atol=1e-7)


@given(durations(max_size=7), epsilons, noise_variances, st.integers(0, 2))
@settings(max_examples=40, deadline=None)
def test_the_recursion_is_the_factorisation(values, epsilon, noise, delay):
    times, kernel = times_of(values), Forgetting(epsilon)
    by_steps = variance_left(times, kernel, noise, delay=delay).shares
    np.testing.assert_allclose(by_steps, _dense(times, kernel, noise, delay).shares, atol=1e-7)


def test_closed_forms_of_unit_steps_and_of_equal_times():
    epsilon, noise = 0.01, 0.04
    shares = variance_left(times_of(np.ones(4000)), Forgetting(epsilon), noise).shares
    e = epsilon * (1 - noise)
    limit = 0.5 * (e + np.sqrt(e * e + 4 * epsilon * noise))
    assert shares[-1] == pytest.approx(limit, rel=1e-9)
    assert np.all(np.diff(shares) <= 0)
    still = variance_left(times_of(np.ones(50)), Forgetting(0.0), noise).shares
    np.testing.assert_allclose(still, noise / (noise + np.arange(50)), rtol=1e-12)
    tied = variance_left(times_of(np.zeros(50)), Forgetting(0.5), noise).shares
    np.testing.assert_allclose(tied, still, rtol=1e-12)


@given(durations(max_size=8), epsilons, noise_variances)
@settings(max_examples=40, deadline=None)
def test_the_determinant_gives_less_from_the_gain_of_one_point(values, epsilon, noise):
    times = times_of(values)
    left = variance_left(times, Forgetting(epsilon), noise)
    every = slice(None)
    gram = Forgetting(epsilon).at_distance(times.distances(every, every))
    gain = 0.5 * np.sum(np.log1p(left.shares / noise))
    assert gain == pytest.approx(log_det_gain(gram, noise), rel=1e-6, abs=1e-9)
    assert determinant_floor(left) <= left.total() * (1 + 1e-9)


def test_many_different_durations_are_rounded_down_together():
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.exponential(size=6000), np.zeros(10), [1e9, 1e-9]])
    found = variance_left(times_of(values), Forgetting(0.01), 0.01)
    p, shares = 1.0, [1.0]
    for lost in Forgetting(0.01).deficit(values[1:]):
        p = lost + (1 - lost) * p * 0.01 / (p + 0.01)
        shares.append(p)
    assert np.all(found.shares <= shares)
    np.testing.assert_allclose(found.shares, shares, rtol=0.01)


@pytest.mark.parametrize("name", GRAMS)
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("noise", [1e-4, 0.1, 3.0])
def test_the_best_policy_lies_between_floors_and_ceilings(name, kernel, noise):
    gram, steps = GRAMS[name], [1.0, 1.0, 0.0, 2.0]
    times = times_of(steps[: 4 if len(gram) == 2 else 3])
    problem = Problem(times, time_kernel=kernel, noise_variance=noise, **correlated(gram))
    maximum = mean_maximum(gram)
    every = slice(None)
    time_gram = kernel.at_distance(times.distances(every, every))
    best = optimal_regret(gram, time_gram, noise, maximum)
    for row in floors(problem):
        assert row.value <= best + 0.01, row
    # γ̃ is at most the gain of independent rounds.
    gains = [(noise, problem.n * problem.trivial_gain_per_round)]
    for row in regret_rows(Ingredients(problem, gains), "upper"):
        if row.kind != "mean":
            continue
        assert row.value >= best - 0.01, row


def test_telling_the_common_part_is_worth_it_for_alike_arms():
    gram = np.array([[1.0, 0.95], [0.95, 1.0]])
    problem = Problem(times_of(np.zeros(4)), noise_variance=0.3, **correlated(gram))
    assert noise_beyond_common_part(problem) == pytest.approx(0.3 / 0.025)
    best = {row.name: row for row in floors(problem)}["full-information"]
    assert best.value == pytest.approx(0.3655, abs=1e-3)
    assert best.value <= optimal_regret(gram, np.ones((4, 4)), 0.3, mean_maximum(gram))


def equicorrelated(size: int, r: float) -> np.ndarray:
    return np.full((size, size), r) + (1.0 - r) * np.eye(size)


@pytest.mark.parametrize(("size", "r", "noise"), [(3, 0.9, 0.05), (4, 0.95, 0.01), (3, 0.5, 0.3)])
def test_what_the_common_part_leaves_makes_the_first_looks_worth_less(size, r, noise) -> None:
    """K − c·11ᵀ with c = (1 + (N−1)r)/N: the floor of that bandit by its own formula."""
    gram, n = equicorrelated(size, r), 3
    problem = Problem(times_of(np.zeros(n)), noise_variance=noise, **correlated(gram))
    rows = {row.name: row.value for row in floors(problem)}
    maximum = sqrt(1.0 - r) * mean_maximum(np.eye(size))
    variance = 1.0 - (1.0 + (size - 1) * r) / size
    own = noise / variance
    expected = 0.0
    for k in range(n):
        kept = k / (k + own)  # of n looks at one instant p_i is ν/(ν + k)
        length = sqrt(2.0) * gamma((k + 1) / 2) / gamma(k / 2) if k else 0.0
        expected += max((1.0 - sqrt(kept)) * maximum, maximum - sqrt(variance * kept) * length, 0.0)
    assert rows["rank"] >= expected - 0.01
    assert rows["rank"] <= optimal_regret(gram, np.ones((n, n)), noise, maximum) + 0.01
    plain = round_floors(
        variance_left(problem.times, problem.time_kernel, noise), maximum, non_negative=True
    )
    assert rows["rank"] > summed(plain) + 0.01


@given(durations(min_size=2, max_size=8), epsilons, noise_variances, st.integers(0, 3))
@example([1.0, 4.0], 0.9999, 1e-6, 0)
@settings(max_examples=40, deadline=None)
def test_laws_of_floors(values, epsilon, noise, delay):
    problem = Problem(times_of(values), epsilon, noise_variance=noise, domain=Grid(1, 1.0, 6))
    rows = {row.name: row.value for row in floors(problem, delay=delay)}
    slack = 1.0 + 1e-6  # near p = 1 the root turns 1e-15 of rounding down into 1e-8
    assert 0.0 <= rows["sandwich"] <= rows["full-information"] * slack
    assert rows["full-information"] <= rows["rank"] * slack
    later = {row.name: row.value for row in floors(problem, delay=delay + 1)}
    louder = replace(problem, noise_variance=4 * noise)
    noisier = {row.name: row.value for row in floors(louder, delay=delay)}
    fewer = replace(problem, times=times_of(values[:-1]))
    shorter = {row.name: row.value for row in floors(fewer, delay=delay)}
    for name in ("full-information", "sandwich"):
        assert rows[name] <= later[name] * slack and rows[name] <= noisier[name] * slack
        assert shorter[name] <= rows[name] * slack


def test_one_point_costs_nothing_and_one_round_the_whole_maximum():
    alone = Problem(times_of(np.ones(5)), domain=Grid(1, 1.0, 1))
    assert [row.value for row in floors(alone)] == [0.0, 0.0, 0.0]
    once = [
        row for row in floors(Problem(times_of([1.0]), domain=Arms(2))) if row.hypotheses == PRIOR
    ]
    assert len(once) == 3
    for row in once:
        assert row.value == pytest.approx(1 / np.sqrt(np.pi), rel=1e-8)
        assert row.certified and row.value <= 1 / np.sqrt(np.pi)


@pytest.mark.parametrize("name", GRAMS)
def test_the_least_maximum_is_one(name):
    least = least_maximum(Problem(times_of([1.0]), **correlated(GRAMS[name])))
    assert least.value <= mean_maximum(GRAMS[name]) + 0.003
    if len(GRAMS[name]) == 2:
        assert least.value == pytest.approx(mean_maximum(GRAMS[name]), rel=1e-8)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(1.5, 0.4)], ids=repr)
@pytest.mark.parametrize("domain", [Grid(2, 1.0, 8), Points(Grid(2, 1.0, 8).points)], ids=type)
def test_the_least_maximum_of_a_grid_and_of_its_points(kernel, domain):
    maximum = mean_maximum(kernel.gram(domain.points), 20_000)
    found = least_maximum(Problem(times_of([1.0]), space_kernel=kernel, domain=domain))
    assert found.certified and 0.5 * maximum <= found.value <= maximum + 0.03


@pytest.mark.parametrize("kernel", [Forgetting(0.3), SquaredExponential(2.0)], ids=repr)
def test_floors_of_later_rounds_are_what_the_first_ones_leave(kernel):
    problem = Problem(times_of([1.0, 0.0, 2.0, 1.0]), time_kernel=kernel)
    least = least_maximum(problem)
    noise = problem.noise_variance
    shape = FirstLooks.of(problem)
    curve = floor_curve(problem.times, kernel, noise, least.value, non_negative=True, shape=shape)
    np.testing.assert_allclose(floor_of_rounds(problem), curve, rtol=1e-12)
    (rank,) = [row.value for row in floors(problem) if row.name == "rank"]
    assert curve[-1] == pytest.approx(rank, rel=1e-12)
    whole = np.append(0.0, curve)
    for initial in range(5):
        row = floor_after(problem, initial)
        assert row is not None and row.certified and (row.name, row.direction) == ("rank", "lower")
        assert row.value == pytest.approx(whole[-1] - whole[initial], rel=1e-9, abs=1e-12)
        assert (row.policy, row.kind, row.rounds, row.level) == ("any", "mean", "one n", None)


@pytest.mark.parametrize("n", [2, 4])
@pytest.mark.parametrize("radius", [0.0, 0.01])
def test_what_is_explained_is_above_for_every_gram_within_its_radii(n, radius):
    """jᵀc + cᵀr + |r|²/σ² at the corners of the box that the radii leave; exact without them."""
    rng, noise = np.random.default_rng(n), 0.1
    known = np.tril(np.ones((n, n), dtype=bool), -1)
    middle = Forgetting(0.3).gram(np.arange(n)[:, None])
    weights = np.where(known, rng.uniform(-1, 1, (n, n)), 0.0)
    spread = radius * (1.0 - np.eye(n))
    above = _explained_above(Doubles(middle, spread), weights, known, noise)
    largest = np.full(n, -np.inf)
    for _ in range(60):
        signs = np.tril(rng.choice([-1.0, 1.0], (n, n)), -1)
        J = middle + spread * (signs + signs.T)
        for i in range(n):
            j, c = J[i, :i], weights[i, :i]
            r = j - (J[:i, :i] + noise * np.eye(i)) @ c
            largest[i] = max(largest[i], j @ c + c @ r + r @ r / noise)
    assert np.all(largest <= above + 1e-15)
    if n == 2 or not radius:
        slack = 1e-12 if not radius else 4 * radius * np.abs(weights).sum() + 0.1
        assert np.all(above <= largest + slack)


def test_a_negative_delay_is_refused():
    with pytest.raises(InvalidInput):
        floors(Problem(times_of([1.0])), delay=-1)


@pytest.mark.parametrize("noise", [1e-12, 1e12])
@pytest.mark.parametrize("epsilon", [0.0, 1.0 - 1e-12])
def test_extreme_noise_and_forgetting(noise, epsilon):
    problem = Problem(times_of(np.ones(20)), epsilon, noise_variance=noise)
    for row in floors(problem):
        assert 0.0 <= row.value <= 20 * 2.07


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize("kernel", [Forgetting(0.3), Matern(2.5, 1.5)], ids=repr)
def test_every_row_is_its_formula(kernel, delay: int) -> None:
    times = times_of([1.0, 0.5, 2.0])
    problem = Problem(times, time_kernel=kernel, noise_variance=0.1, **correlated(THREE))
    least = LeastMaximum(0.5, (0, 1), True, source="here")
    rows = floors(problem, maximum=least, delay=delay)
    told = noise_beyond_common_part(problem)
    shares = {noise: left_by_solving(problem.times, kernel, noise, delay) for noise in (0.1, told)}
    noise = max(shares, key=lambda each: np.sum(1 - np.sqrt(1 - shares[each])))
    losses = 1 - np.sqrt(1 - np.clip(shares[noise], 0, 1))
    lengths = [0.0, np.sqrt(2 / np.pi), np.sqrt(np.pi / 2)]
    ranked = []
    for each in (0.1, noise):
        p = np.clip(shares[each], 0, 1)
        ranked.append(
            sum(
                0.5
                * max(
                    1 - np.sqrt(1 - p[i]), 1 - np.sqrt(1 - p[i]) * lengths[max(i - delay, 0)] / 0.5
                )
                for i in range(3)
            )
        )
    gain = 0.5 * np.sum(np.log1p(shares[0.1] / 0.1))
    share = min(0.1 * np.expm1(2 * gain / 3), 1.0)
    one = 3 * (1 - np.sqrt(1 - share)) * 0.5
    quiet = left_by_solving(problem.times, kernel, 1e-9, delay)
    values = {
        "full-information": 0.5 * losses.sum(),
        "rank": max(ranked),
        "sandwich": 0.5 * np.sum(1 - np.sqrt(1 - np.clip(quiet, 0, 1))),
    }
    assert [row.name for row in rows] == list(values)
    shown, left_of_f = "σ² = 0.1", "√(1−p_i)"
    if noise == told:
        shown = f"σ²/(1−c) = {told:.4g}, the common part told"
        left_of_f = "√((1−c)(1−p_i))"
    beside = f"{shown}, by one determinant {at_least(one)}, m* ≥ 0.5 (here)"
    sources = {
        "full-information": f"m*·Σ(1 − √(1−p_i)), {beside}",
        "rank": f"Σ max(F, m* − {left_of_f}·Eχ), {beside}",
        "sandwich": "m*·Σ(1 − a_i), m* ≥ 0.5 (here)",
    }
    for row in rows:
        slack = 1e-3 if row.name == "sandwich" else 1e-7
        assert row.value == pytest.approx(values[row.name], rel=slack), row.name
        known = kernel.is_markov or row.name != "sandwich"
        assert row == RegretBound(
            row.name,
            row.value,
            "lower",
            "any",
            PRIOR,
            "mean",
            None,
            "one n",
            sources[row.name],
            certified=known,
        )
    drawn = replace(least, certified=False, level=0.99)
    for row in floors(problem, maximum=drawn, delay=delay):
        assert (row.level, row.simulated, row.certified) == (0.99, True, False)


def test_the_part_common_to_all_is_the_largest_that_can_be_told() -> None:
    problem = Problem(
        times_of([1.0]), noise_variance=0.3, domain=Grid(1, 1.0, 4), space_kernel=Matern(0.5, 2.0)
    )
    gram = Matern(0.5, 2.0).gram(problem.domain.points)
    share = 1.0 / np.linalg.inv(gram).sum()
    assert share * (1 - 2e-9) <= common_part(problem) < share
    assert noise_beyond_common_part(problem) == pytest.approx(0.3 / (1 - share), rel=1e-7)
    assert common_part(replace(problem, domain=Arms(1))) is None
    assert common_part(replace(problem, domain=Arms(65))) is None
    assert common_part(replace(problem, domain=Arms(64))) == pytest.approx(1 / 64, rel=1e-8)
    alike = Points([0.0, 1e-45, 2e-45])  # K is not told from a singular one
    singular = replace(problem, domain=alike, space_kernel=SquaredExponential(1.0))
    assert common_part(singular) is None and noise_beyond_common_part(singular) is None
    opposite = correlated(np.array([[1.0, -0.9], [-0.9, 1.0]]))
    assert common_part(replace(problem, **opposite)) == pytest.approx(0.05)


@pytest.mark.parametrize("noise", [0.1, 1e-6])
def test_more_lags_than_are_enclosed(noise: float, monkeypatch) -> None:
    times, kernel = times_of([1.0, 0.5, 2.0, 0.5]), Matern(2.5, 1.5)
    expected = left_by_solving(times, kernel, noise)
    lags = len(np.unique(times.distances(slice(None), slice(None))))
    for most, certified in ((lags, True), (lags - 1, False)):
        monkeypatch.setattr(full_information, "_MOST_LAGS", most)
        found = variance_left(times, kernel, noise)
        assert found.certified is certified and np.all(found.shares <= expected + 1e-12)
        np.testing.assert_allclose(found.shares, expected, rtol=1e-6, atol=1e-9)
    plain = variance_left(times, Cosine(9.0), noise)
    assert not plain.certified
    np.testing.assert_allclose(
        plain.shares, left_by_solving(times, Cosine(9.0), noise), rtol=1e-5, atol=2e-7
    )


def test_looks_without_noise_and_too_many_rounds(monkeypatch) -> None:
    times = times_of([1.0, 0.5, 2.0, 0.5])
    for kernel in (SquaredExponential(2.0), Forgetting(0.3)):
        for delay in (0, 2):
            found = variance_left(times, kernel, 0.0, delay=delay)
            expected = left_by_solving(times, kernel, 1e-13, delay)
            np.testing.assert_allclose(found.shares, expected, atol=1e-6)
            assert found.certified is kernel.is_markov
            assert (found.noise_variance, found.delay, found.n) == (0.0, delay, 4)
            assert determinant_floor(found) == found.total()
    monkeypatch.setattr(full_information, "LARGEST_DENSE", 4)
    variance_left(times, SquaredExponential(2.0), 0.1)
    monkeypatch.setattr(full_information, "LARGEST_DENSE", 3)
    for call, said in (
        (
            lambda: variance_left(times, SquaredExponential(2.0), 0.1),
            "n = 4: give at most 3 with this time kernel",
        ),
        (
            lambda: variance_left(times, Forgetting(0.3), 0.1, delay=-1),
            "delay = -1: give a whole number of at least 0",
        ),
        (
            lambda: variance_left(times, Forgetting(0.3), -0.1),
            "noise-variance = -0.1: give a number of at least 0",
        ),
        (
            lambda: variance_left(times, Forgetting(0.3), float("inf")),
            "noise-variance = inf: give a number of at least 0",
        ),
        (lambda: mean_length(-1), "count = -1: give at least 0"),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert str(caught.value) == said


def test_start_up_floors_by_hand() -> None:
    """m* − √(1−p_i)·Eχ_k, or half of two such lengths where nothing is negative (Lemma H)."""
    left = VarianceLeft(np.array([1.0, 0.75, 0.5, 0.36]), 0.1, 0, True)
    maximum = 2.0
    lengths = [0.0, np.sqrt(2 / np.pi), np.sqrt(np.pi / 2), 2 * np.sqrt(2 / np.pi)]
    assert [mean_length(k) for k in range(4)] == pytest.approx(lengths, rel=1e-15)
    root = np.sqrt(1 - left.shares)
    np.testing.assert_allclose(left.losses(), 1 - root, rtol=1e-12)
    assert left.total() == pytest.approx(np.sum(1 - root), rel=1e-12)
    for told in (False, True):
        halves = 0.5 * (np.array(lengths) + np.array([0.0, *lengths[:-1]]))
        spread = halves if told else np.array(lengths)
        assert halves[1] == pytest.approx(1 / np.sqrt(2 * np.pi), rel=1e-15)
        found = round_floors(left, maximum, non_negative=told)
        by_hand = np.maximum((1 - root) * maximum, maximum - root * spread)
        np.testing.assert_allclose(found, by_hand, rtol=1e-12)
        assert np.all(found <= by_hand * (1 + 1e-16)) and summed(found) <= found.sum()
        half = round_floors(left, maximum, non_negative=told, scale=0.5)
        np.testing.assert_allclose(
            half, np.maximum((1 - root) * maximum, maximum - root * 0.5 * spread), rtol=1e-12
        )
    late = round_floors(replace(left, delay=2), maximum)
    np.testing.assert_allclose(late[:3], [2.0, 2.0, 2.0], rtol=1e-12)
    np.testing.assert_allclose(late[3], maximum - root[3] * lengths[1], rtol=1e-12)
    small = round_floors(left, 0.5)  # Eχ₁ is larger: nothing beyond Theorem F
    np.testing.assert_allclose(small, (1 - root) * 0.5, rtol=1e-12)
    gain = np.mean(np.log1p(left.shares / 0.1))
    share = min(0.1 * np.expm1(gain), 1.0)
    assert determinant_floor(left) == pytest.approx(4 * (1 - np.sqrt(1 - share)), rel=1e-9)


@pytest.mark.parametrize("kernel", [Forgetting(0.3), Matern(2.5, 1.5)], ids=repr)
def test_a_certificate_holds_what_its_floor_rests_on(kernel) -> None:
    problem = Problem(
        times_of([1.0, 0.5, 2.0]), 0.1, kernel, Matern(0.5, 0.3), 0.2, Grid(1, 1.0, 3)
    )
    least = least_maximum(problem)
    for rank, delay in ((True, 0), (False, 1), (True, 2)):
        data = floor_certificate(problem, rank=rank, delay=delay)
        ways = dict(information(problem, delay))
        left = ways[data["common"]]
        assert (data["rank"], data["delay"], set(data)) == (
            rank,
            delay,
            {"value", "rank", "delay", "common", "shares", "weights", "shape", "maximum"},
        )
        assert data["shares"] == left.shares.tolist()
        assert data["shape"] is False  # of the squared exponential alone
        found = least.quantised
        assert data["maximum"] == {
            "value": least.value,
            "points": list(least.points),
            "features": found and found.features.tolist(),
            "variances": found and found.variances.tolist(),
            "cells": found and list(found.cells),
        }
        rows = {row.name: row.value for row in floors(problem, delay=delay)}
        named = rows["rank" if rank else "full-information"]
        assert data["value"] == pytest.approx(named, rel=1e-14)
        if kernel.is_markov:
            assert data["weights"] is None
        else:
            assert [len(row) for row in data["weights"]] == [max(i - delay, 0) for i in range(3)]
            assert data["weights"][2] == left.weights[2, : max(2 - delay, 0)].tolist()
    with pytest.raises(InvalidInput) as caught:
        floor_certificate(replace(problem, time_kernel=Cosine(9.0)))
    assert str(caught.value) == (
        "time-kernel = cosine: a certificate needs kernels with an enclosure and at most 200,000 "
        "lags"
    )


def test_no_floor_of_later_rounds_without_a_factor(monkeypatch) -> None:
    problem = Problem(times_of([1.0, 0.5]), time_kernel=Matern(2.5, 1.5))
    monkeypatch.setattr(module, "LARGEST_DENSE", 2)
    row = floor_after(problem, 1)
    least = least_maximum(problem).value
    assert row.source == f"rounds 2 to 2, m* ≥ {at_least(least)}" and row.hypotheses == PRIOR
    monkeypatch.setattr(module, "LARGEST_DENSE", 1)
    assert floor_after(problem, 1) is None
    assert floor_after(replace(problem, time_kernel=Forgetting(0.1)), 1) is not None
