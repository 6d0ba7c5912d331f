"""Published bounds against the true γ̃_n of tiny domains, at every noise level."""

import itertools
from dataclasses import replace
from math import e, exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.confidence.smoothness import slope_constants
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.partitions.search import search
from bounds.problem import Problem
from bounds.rivals import grid_spectrum, rival_curves, rivals
from bounds.rivals.box import box_gains
from bounds.rivals.drifting import (
    bogunovic_corrected,
    bogunovic_is_proved,
    bogunovic_printed,
    expected_regret_on_box,
    krause_ong,
    mandl_kekkonen,
    mandl_kekkonen_any_times,
    repeated_point_gain,
    reset_regret,
)
from bounds.rivals.static import (
    allocated_gain_upper,
    greedy_gain_upper,
    iwazaki_gain_upper,
    spectral_gain_upper,
    vakili_gain_upper,
)
from bounds.times import EvaluationTimes
from tests.oracles import log_det_gain

NOISES = [1e-8, 1e-4, 1e-2, 0.4, 0.5, 1.0, 3.0, 100.0]
GRIDS = [Grid(1, 1.0, 1), Grid(1, 1.0, 2), Grid(1, 0.3, 3)]


def brute_force_gamma(gram, noise, n) -> np.ndarray:
    """γ_0..γ_n over all multisets of points."""
    gamma = [0.0]
    for m in range(1, n + 1):
        designs = itertools.combinations_with_replacement(range(len(gram)), m)
        gamma.append(max(log_det_gain(gram[np.ix_(d, d)], noise) for d in designs))
    return np.array(gamma)


def brute_force_joint(gram, time_gram, noise) -> float:
    """γ̃_n over all sequences of points."""
    designs = itertools.product(range(len(gram)), repeat=len(time_gram))
    return max(log_det_gain(gram[np.ix_(d, d)] * time_gram, noise) for d in designs)


def time_gram_of(kernel, times) -> np.ndarray:
    return kernel.at_distance(np.abs(np.subtract.outer(times, times)))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("grid", GRIDS, ids=lambda g: f"{g.size} points")
def test_unit_step_bounds_hold_at_every_noise(noise, grid) -> None:
    n = 5
    gram = SquaredExponential(0.5).gram(grid.points)
    gamma = brute_force_gamma(gram, noise, n)
    for epsilon in (0.0, 1e-6, 1e-3, 0.05, 0.5, 0.99):
        joint = brute_force_joint(gram, time_gram_of(Forgetting(epsilon), np.arange(n)), noise)
        slack = joint * (1 - 1e-9) - 1e-9
        assert bogunovic_corrected(n, epsilon, noise, gamma).value >= slack
        assert mandl_kekkonen(n, epsilon, noise, gamma).value >= slack
        assert krause_ong(n, n, gamma[-1]) >= slack
        if bogunovic_is_proved(epsilon, noise):
            assert bogunovic_printed(n, epsilon, gamma).value >= slack
        # Repeating a point is one of the designs.
        assert repeated_point_gain(n, epsilon, noise) <= joint * (1 + 1e-9) + 1e-9
        problem = Problem(
            EvaluationTimes.from_durations(np.ones(n)), epsilon=epsilon,
            space_kernel=SquaredExponential(0.5), noise_variance=noise, domain=grid,
        )  # fmt: skip
        for rival in rivals(problem, gamma):
            if rival.applies and rival.gain is not None:
                assert rival.gain >= slack, rival.name


@pytest.mark.parametrize("noise", NOISES)
def test_every_block_length_of_the_corrected_form_holds(noise) -> None:
    # The smallest over block lengths is what the previous test sees; here each length alone.
    n, epsilon = 6, 0.01
    gram = SquaredExponential(0.5).gram(Grid(1, 1.0, 2).points)
    gamma = brute_force_gamma(gram, noise, n)
    joint = brute_force_joint(gram, time_gram_of(Forgetting(epsilon), np.arange(n)), noise)
    for length in range(1, n + 1):
        drift = 0.5 * length * np.log1p(length**2 * epsilon / noise)
        assert (n / length + 1) * (gamma[length] + drift) >= joint * (1 - 1e-9)


@settings(max_examples=40, deadline=None)
@given(
    gaps=st.lists(st.one_of(st.just(0.0), st.floats(1e-3, 1e3)), min_size=1, max_size=5),
    noise=st.sampled_from(NOISES),
    epsilon=st.floats(1e-6, 0.9),
    smooth=st.booleans(),
)
def test_any_time_extension_holds_and_is_the_printed_form_at_unit_steps(
    gaps, noise, epsilon, smooth
) -> None:
    times = EvaluationTimes.from_durations(gaps)
    kernel = Matern(1.5, 20.0) if smooth else Forgetting(epsilon)
    gram = SquaredExponential(0.5).gram(Grid(1, 1.0, 2).points)
    gamma = brute_force_gamma(gram, noise, times.n)
    joint = brute_force_joint(gram, time_gram_of(kernel, times.times), noise)
    bound = mandl_kekkonen_any_times(times, kernel.slope, noise, gamma).value
    assert bound >= joint * (1 - 1e-9) - 1e-9
    unit = EvaluationTimes.from_durations(np.ones(9))
    prices = np.sqrt(np.arange(10.0))
    printed = mandl_kekkonen(9, 1e-4, noise, prices).value
    # ε in place of θ, and no cap reached: the same numbers up to the shorter last block.
    assert mandl_kekkonen_any_times(unit, 1e-4, noise, prices).value <= printed * (1 + 1e-12)


@pytest.mark.parametrize("noise", [1e-6, 1e-2, 0.5, 2.0, 50.0])
def test_reset_policy_sees_posteriors_as_close_as_its_theorem_needs(noise) -> None:
    # ψ allows 2√β|Δσ| + 2|Δμ| a round: (3s+s²)N³ε for 4|Δσ²|, (s+s²)N³ε·|y| for 2|Δμ|.
    rng = np.random.default_rng(5)
    ratio = 1 / noise
    for _ in range(200):
        size = int(rng.integers(1, 8))
        epsilon = float(10 ** rng.uniform(-9, 0) * 0.999)
        points = rng.uniform(0, 1, (size + 1, 1)) * rng.choice([0.0, 0.3, 1.0])
        static = SquaredExponential(0.4).gram(points)
        drifting = static * time_gram_of(Forgetting(epsilon), np.arange(size + 1))
        observed = rng.uniform(-1, 1, size)
        results = []
        for gram in (static, drifting):
            weights = np.linalg.solve(gram[:-1, :-1] + noise * np.eye(size), gram[:-1, -1])
            results.append((weights @ observed, 1 - weights @ gram[:-1, -1]))
        (mean, variance), (true_mean, true_variance) = results
        cube = (size + 1) ** 3 * epsilon
        rounding = 1e-7
        assert 4 * abs(variance - true_variance) <= (3 * ratio + ratio**2) * cube + rounding
        assert 2 * abs(mean - true_mean) <= (ratio + ratio**2) * cube + rounding


def test_reset_regret_is_its_formula_at_one_length() -> None:
    gamma = [0.0, 2.0, 2.5]
    found = reset_regret(2, 0.01, 0.5, gamma, beta=9.0, delta=0.1, a0=3.0, b0=1.5)
    by_length = []
    for length in (1, 2):
        psi = sqrt(9 * (6 + 4) * length**3 * 0.01) + (2 + 4) * length**3 * 0.01 * 3.5 * sqrt(
            log(2 * 4 * np.pi**2 * 4 / 0.3)
        )
        main = sqrt(8 / log(3) * 2 * 9 * (2 / length + 1) * gamma[length])
        by_length.append(main + 2 * psi)
    assert found.value == pytest.approx(min(by_length), rel=1e-12)
    assert found.length == 1 + int(np.argmin(by_length))


def test_large_noise_needs_a_larger_noise_term() -> None:
    problem = Problem(EvaluationTimes.from_durations(np.ones(4)), noise_variance=8.0)
    rows = {rival.name: rival for rival in rivals(problem, [0.0, 0.1, 0.2, 0.3, 0.4])}
    assert not rows["bogunovic2016-reset"].applies
    corrected = rows["bogunovic2016-reset-corrected"]
    assert corrected.applies and corrected.form == "corrected"
    assert corrected.regret > rows["bogunovic2016-reset"].regret


# Static bounds


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("grid", [*GRIDS, Grid(2, 1.0, 2)], ids=lambda g: f"{g.size} points")
def test_static_bounds_hold_at_every_noise(noise, grid) -> None:
    kernel, n = SquaredExponential(0.5), 4
    gram = kernel.gram(grid.points)
    gamma = brute_force_gamma(gram, noise, n)
    spectrum = grid_spectrum(kernel, grid)
    radius = grid.enclosing_radius
    for m in range(1, n + 1):
        exact = gamma[m] * (1 - 1e-9)
        assert allocated_gain_upper(spectrum, noise, m) >= exact
        assert spectral_gain_upper(spectrum, noise, m) >= 1.58 * exact
        assert vakili_gain_upper(spectrum, noise, m) >= exact
        assert iwazaki_gain_upper(0.5, grid.dimension, radius, noise, m) >= exact
    chosen: list[int] = []
    for _ in range(n):
        best = max(
            range(len(gram)),
            key=lambda x: log_det_gain(gram[np.ix_([*chosen, x], [*chosen, x])], noise),
        )
        chosen.append(best)
    assert greedy_gain_upper(log_det_gain(gram[np.ix_(chosen, chosen)], noise)) >= gamma[n]


@pytest.mark.parametrize("grid", [Grid(1, 1.0, 7), Grid(2, 1.0, 4), Grid(2, 1.0, 5)])
@pytest.mark.parametrize("kernel", [SquaredExponential(0.3), Matern(2.5, 0.3)])
def test_spectrum_by_parity_is_the_spectrum(grid, kernel) -> None:
    spectrum = grid_spectrum(kernel, grid)
    values, vectors = np.linalg.eigh(kernel.gram(grid.points))
    values, vectors = values[::-1], vectors[:, ::-1]
    assert spectrum.values == pytest.approx(np.maximum(values, 0), abs=1e-10)
    # Where eigenvalues differ, what remains of the diagonal is settled too.
    for m in range(grid.size):
        if m == 0 or values[m - 1] - values[m] > 1e-6:
            remainder = ((vectors[:, m:] ** 2) @ values[m:]).max()
            assert spectrum.tails[m] == pytest.approx(remainder, abs=1e-9)


def test_water_filling_is_the_best_allocation() -> None:
    spectrum = grid_spectrum(SquaredExponential(0.2), Grid(1, 1.0, 3))
    best = max(
        sum(np.log1p(m * v / 0.1) for m, v in zip((a, b, 6 - a - b), spectrum.values, strict=True))
        for a in np.linspace(0, 6, 121)
        for b in np.linspace(0, 6 - a, 121)
    )
    expected = 0.5 * best / (1 - 1 / e)
    assert spectral_gain_upper(spectrum, 0.1, 6) == pytest.approx(expected, rel=1e-3)
    assert spectral_gain_upper(spectrum, 0.1, 6) >= expected


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_sphere_has_the_trace_of_the_kernel(dimension) -> None:
    # As σ² → ∞ the sum tends to n/(2σ²)·Σ N_mλ_m/|S^d| = n/(2σ²): the kernel is 1 on the diagonal.
    assert iwazaki_gain_upper(0.3, dimension, 0.7, 1e9, 1) == pytest.approx(0.5e-9, rel=1e-6)


def test_the_sphere_bound_of_a_tiny_lengthscale_does_not_sum_for_ever():
    assert iwazaki_gain_upper(1e-9, 2, 0.7, 0.01, 10) == 500.0
    just_summed = iwazaki_gain_upper(0.7e-4, 2, 0.7, 0.01, 10)
    assert 499.9 < just_summed <= 500.0


def test_static_bounds_say_when_the_objective_drifts() -> None:
    times = EvaluationTimes.from_durations([1.0, 1.0, 1.0])
    grid = Grid(1, 1.0, 4)
    gamma = [0.0, 2.0, 3.0, 4.0]
    static = (
        "srinivas2010", "srinivas2010-spectral", "srinivas2010-spectral-sharp", "vakili2021",
        "iwazaki2025",
    )  # fmt: skip
    for epsilon in (0.0, 0.1):
        rows = {r.name: r for r in rivals(Problem(times, epsilon=epsilon, domain=grid), gamma)}
        for name in static:
            assert rows[name].applies is (epsilon == 0.0), name
            assert ("drifts" in rows[name].reason) is (epsilon > 0), name
        assert rows["vakili2021"].form == rows["srinivas2010-spectral-sharp"].form == "extension"
    equal = Problem(EvaluationTimes.from_durations([2.0, 0.0, 0.0]), epsilon=0.5, domain=grid)
    assert {r.name: r for r in rivals(equal, gamma)}["srinivas2010"].applies


def test_unit_step_bounds_say_which_round_is_off() -> None:
    times = EvaluationTimes.from_durations([7.0, 1.0, 2.5])
    problem = Problem(times, epsilon=0.1, domain=Grid(1, 1.0, 4))
    rows = {r.name: r for r in rivals(problem, [0.0, 2.0, 3.0, 4.0])}
    assert not rows["mandl-kekkonen2026"].applies
    assert "round 3 comes 2.5" in rows["mandl-kekkonen2026"].reason
    assert rows["mandl-kekkonen2026-any-times"].applies
    other = Problem(times, epsilon=0.1, time_kernel=SquaredExponential(3.0), domain=Grid(1, 1.0, 4))
    rows = {r.name: r for r in rivals(other, [0.0, 2.0, 3.0, 4.0])}
    assert "forgetting kernel" in rows["bogunovic2016-corrected"].reason
    # The exponential kernel of lengthscale 1/θ is the forgetting kernel.
    unit = EvaluationTimes.from_durations(np.ones(3))
    same = Problem(unit, epsilon=0.1, time_kernel=Matern(0.5, 1 / Forgetting(0.1).slope))
    assert {r.name: r for r in rivals(same, [0, 2, 3, 4])}["bogunovic2016-corrected"].applies


def test_imamura_is_the_first_theorem_and_its_hypothesis() -> None:
    times = EvaluationTimes.from_durations([0.1, 0.1, 0.1])
    problem = Problem(times, epsilon=0.95, domain=Grid(1, 1.0, 4))
    found = replace(search("theorem1", problem, [0, 2, 3, 4]), value=5.0)
    row = {r.name: r for r in rivals(problem, [0, 2, 3, 4], theorem1=found)}["imamura2020"]
    assert row.gain == 5.0
    assert not row.applies and "fails" in row.reason


@pytest.mark.parametrize("epsilon", [0.0, 1e-3])
def test_a_number_or_the_reason_why_there_is_none(epsilon: float) -> None:
    times = EvaluationTimes.from_durations(np.ones(4))
    problem = Problem(times, epsilon=epsilon, domain=Grid(1, 1.0, 4))
    rows = {row.name: row for row in rivals(problem, np.arange(5.0))}
    for row in rows.values():
        assert isinstance(row.reason, str)
        if not row.applies or (row.gain is None and row.regret is None):
            assert row.reason, row.name
    greedy = [row.name for row in rows.values() if "gain of a greedy design" in row.reason]
    assert bool(greedy) is (epsilon == 0.0)  # a static bound alone needs one
    with_design = {row.name: row for row in rivals(problem, np.arange(5.0), greedy_gain=2.0)}
    for name in greedy:
        assert rows[name].gain is None and with_design[name].gain is not None
        assert "greedy design" not in with_design[name].reason
    assert "best partition" in rows["imamura2020"].reason


BOX_ROWS = (
    "srinivas2010", "bogunovic2016", "bogunovic2016-corrected", "imamura2020",
    "mandl-kekkonen2026", "mandl-kekkonen2026-any-times",
)  # fmt: skip


def test_box_regret_is_larger_and_absent_without_constants_or_gain() -> None:
    times = EvaluationTimes.from_durations(np.ones(5))
    gamma = np.arange(6.0)
    for row in rivals(Problem(times, epsilon=1e-3, domain=Grid(2, 1.0, 6)), gamma):
        assert (row.regret_box is None) == (row.beta_box is None)
        assert (row.regret_box is not None) == (row.name in (*BOX_ROWS, "iwazaki2025"))
        if row.regret_box is not None:
            assert "box: gain by Iwazaki" in row.reason
    for nu, why in ((0.8, "a and b are not known"), (2.5, "its gain is not known")):
        other = Problem(times, epsilon=1e-3, space_kernel=Matern(nu, 0.2), domain=Grid(2, 1.0, 6))
        rows = {row.name: row for row in rivals(other, gamma)}
        assert all(row.regret_box is None for row in rows.values())
        assert all(why in rows[name].reason for name in BOX_ROWS)


def test_box_regret_does_not_depend_on_the_grid() -> None:
    # Points of the box that a coarse grid leaves out gain too: with 5,001 of them, two
    # lengthscales apart, the regret of the policy of Srinivas et al. was 11,379 in one run.
    times = EvaluationTimes.from_durations(np.ones(3_000))
    found = []
    for points in (1, 25):
        problem = Problem(
            times, epsilon=0.0, space_kernel=SquaredExponential(1e-4), noise_variance=1.0,
            domain=Grid(1, 1.0, points),
        )  # fmt: skip
        gamma = 0.5 * points * np.log1p(np.arange(3_001) / points)
        rows = {row.name: row for row in rivals(problem, gamma)}
        # All but Imamura's partition, which is the best one for the grid.
        names = [name for name in BOX_ROWS if name != "imamura2020"]
        found.append([rows[name].regret_box for name in names])
        assert rows["srinivas2010"].regret_box > 11_379 > rows["srinivas2010"].regret
        assert rows["imamura2020"].regret_box >= rows["imamura2020"].regret
    assert found[0] == found[1]


@pytest.mark.parametrize(("dimension", "lengthscale"), [(1, 0.05), (2, 0.3)])
def test_gain_of_the_box_exceeds_that_of_its_finest_designs(dimension, lengthscale) -> None:
    times = EvaluationTimes.from_durations(np.ones(40))
    kernel, noise = SquaredExponential(lengthscale), 0.1
    problem = Problem(
        times, space_kernel=kernel, noise_variance=noise, domain=Grid(dimension, 1.0, 2)
    )
    upper = box_gains(problem)
    rng = np.random.default_rng(3)
    points = rng.uniform(0, 1, (40, dimension))
    gains = [log_det_gain(kernel.gram(points[:m]), noise) for m in range(1, 41)]
    assert np.all(upper[1:] >= gains)
    assert np.all(np.diff(upper) >= 0)
    alone = [
        iwazaki_gain_upper(lengthscale, dimension, 0.5 * sqrt(dimension), noise, m)
        for m in range(1, 41)
    ]
    assert upper[1:] == pytest.approx(np.minimum(alone, np.arange(1, 41) * 0.5 * log(11)))


def test_rows_in_expectation_name_the_beta_that_the_policy_plays_with() -> None:
    times = EvaluationTimes.from_durations(np.ones(5))
    rows = rivals(Problem(times, epsilon=1e-3, domain=Grid(2, 1.0, 6)), np.arange(6.0))
    for row in rows:
        if row.regret_kind == "mean":
            failing = 36 * exp(-row.beta / 2)
            main = sqrt(8 / log(101) * 5 * row.beta * row.gain)
            spread = 2 * sqrt(2 * log(36)) + 4 * sqrt(1 - log(failing))
            assert row.regret == pytest.approx(main + 5 * failing * spread, rel=1e-9)
            assert f"fixed times and a constant beta, here {row.beta:.4g}" in row.reason
            assert f"delta' = {failing:.2g}" in row.reason
            assert f"box: gain by Iwazaki 2025, beta = {row.beta_box:.4g}" in row.reason
        elif row.name != "bogunovic2016-reset":
            assert row.beta == pytest.approx(2 * log(36 * np.pi**2 * 25 / 0.6))


def test_expected_regret_on_the_box_is_below_its_formula_at_any_choice() -> None:
    slopes = slope_constants(SquaredExponential(0.2), 2, 1.0)
    chosen = expected_regret_on_box(50, 20.0, 0.01, 2, 1.0, slopes, mean_spread=8.0)
    found = chosen.regret
    assert chosen.beta >= 2 * log(6 / chosen.failing)
    for failing, level in ((0.01, 1e3), (1e-4, 1e5)):
        beta = 2 * (log(6 / failing) + 2 * log(level))
        second = 2 * slopes.b / level * sqrt(log(3 * slopes.a * 2 / failing))
        third = 8.0 + 2 * sqrt(2) * sqrt(2 * log(e / failing))
        value = sqrt(8 / log(101) * 50 * beta * 20.0) + 50 * second + 50 * failing * third
        assert found <= value * 1.02


# Over ε


@pytest.mark.parametrize(("epsilon", "noise"), [(1e-6, 0.01), (0.01, 0.01), (0.3, 2.0), (0.9, 50)])
def test_one_repeated_point(epsilon, noise) -> None:
    n = 60
    lag = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    exact = log_det_gain((1 - epsilon) ** (lag / 2), noise)
    assert repeated_point_gain(n, epsilon, noise) == pytest.approx(exact, rel=1e-9)


def test_curves_have_the_slopes_of_the_ladder() -> None:
    # γ_m = 1: the exponents of ε at c = 0, in the middle regime of a large n.
    n = 100_000
    gamma = np.concatenate(([0.0], np.full(n, 1.0)))
    epsilons = np.geomspace(1e-8, 1e-6, 9)
    curves = {c.name: c for c in rival_curves(n, epsilons, gamma, 1.0, domain_size=100)}
    expected = {
        "bogunovic2016": 1 / 6,
        "bogunovic2016-corrected": 1 / 6,
        "imamura2020": 1 / 5,
        "mandl-kekkonen2026": 1 / 4,
        "refined": 1 / 4,
        "trivial": 0.0,
    }
    for name, slope in expected.items():
        assert curves[name].slope[4] == pytest.approx(slope, abs=0.015), name
    # Slower to settle: the second term of ψ, and the first rounds of the repeated point.
    assert curves["bogunovic2016-reset"].slope[4] == pytest.approx(1 / 8, abs=0.06)
    assert curves["repeated-point"].slope[4] == pytest.approx(1 / 4, abs=0.06)
    assert curves["repeated-point"].direction == "lower"
    assert curves["bogunovic2016"].valid
    assert np.all(curves["refined"].gain <= curves["imamura2020"].gain)


@pytest.mark.parametrize("epsilons", [[0.1], [0.2, 0.1], [0.0, 0.1], [0.5, 1.0]])
def test_curves_refuse_bad_rates(epsilons) -> None:
    with pytest.raises(InvalidInput, match="epsilon"):
        rival_curves(3, epsilons, [0, 1, 1, 1], 1.0, domain_size=2)


def test_rank_of_the_time_kernel_is_counted() -> None:
    times = EvaluationTimes.from_durations([1.0, 0.0, 2.0, 0.0])
    gamma = np.array([0.0, 1.0, 1.7, 2.2, 2.5])
    for epsilon, rank in ((0.0, 1), (0.1, 2)):
        problem = Problem(times, epsilon=epsilon, domain=Grid(1, 1.0, 3))
        (row,) = (r for r in rivals(problem, gamma) if r.name == "krause-ong2011")
        assert row.gain == pytest.approx(rank * (2.5 + log(4)))
        assert f" {rank}" in row.reason
