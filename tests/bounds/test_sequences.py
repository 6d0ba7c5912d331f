"""Families as n grows: derived exponents against brute force, measured ones against derived."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from bounds.partitions.partition import Partition
from bounds.partitions.search import evaluate, search
from bounds.problem import Problem
from bounds.rates.exponents import regimes
from bounds.sequences import (
    TABLE,
    Scaling,
    derived_regimes,
    equal_block_exponent,
    fit_exponent,
    measure,
    measured_table,
)
from bounds.sequences.measured import EPSILON, best_equal_gain
from bounds.times import FAMILIES

SMALL = tuple(2**k for k in range(7, 12))
cs = st.fractions(0, Fraction(9, 10), max_denominator=10)
kappas = st.fractions(-2, 3, max_denominator=20)


def growth_of(bound: str) -> Fraction:
    return Fraction(1) if bound == "refined" else Fraction(3, 2)


@settings(max_examples=40, deadline=None)
@given(
    q=st.fractions(Fraction(21, 20), 5, max_denominator=20),
    c=cs,
    kappa=kappas,
    bound=st.sampled_from(["refined", "additive"]),
)
def test_power_law_is_the_worst_scale_at_its_best_block(q, c, kappa, bound) -> None:
    # γ̃_n ~ max over x of n^x·min over u ≤ x of max(n^{−(1−c)u}, min(1, n^{κ−qx+ρu})).
    x = np.linspace(0, 1, 401)[:, None]
    u = np.linspace(0, 1, 401)[None, :] * x
    drift = np.minimum(0.0, float(kappa) - float(q) * x + float(growth_of(bound)) * u)
    # Single points do not drift.
    cost = np.where(u > 0, np.maximum(-(1 - float(c)) * u, drift), 0.0)
    gain = (x[:, 0] + cost.min(axis=1)).max()
    derived = derived_regimes(Scaling("power", power=-q), c, bound).exponent(kappa)
    assert float(derived) == pytest.approx((1 + gain) / 2, abs=0.012)


@settings(max_examples=40, deadline=None)
@given(q=st.fractions(Fraction(21, 20), 5, max_denominator=20), c=cs, kappa=kappas)
def test_equal_blocks_on_a_power_law(q, c, kappa) -> None:
    at, power, gain = float(kappa), float(q), float(c)
    best = np.inf
    x = np.linspace(0, 1, 401)
    for u in np.linspace(0, 1, 201):
        late = x[x >= u]
        early = x[x <= u]
        cost = max(
            1 - (1 - gain) * u,
            (late + np.minimum(0, at - power * late + u)).max(),
            (early + np.minimum(0, at + (1 - power) * early)).max(),
        )
        best = min(best, cost)
    scaling = Scaling("power", power=-q)
    found = equal_block_exponent(scaling, c, kappa)
    assert float(found) == pytest.approx((1 + best) / 2, abs=0.012)
    assert found >= derived_regimes(scaling, c).exponent(kappa)


@settings(max_examples=40, deadline=None)
@given(
    b=st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=10),
    contrast=st.one_of(st.none(), st.fractions(0, 2, max_denominator=10)),
    c=cs,
    kappa=kappas,
    bound=st.sampled_from(["refined", "additive"]),
)
def test_clusters_take_whole_clusters_or_parts_of_one(b, contrast, c, kappa, bound) -> None:
    scaling = Scaling("periodic", period=1 - b, contrast=contrast)
    size, rho, gain = float(1 - b), float(growth_of(bound)), 1 - float(c)
    u = np.linspace(0, 1, 4001)
    many = np.minimum(0, float(kappa) - 1 + rho * u)
    if contrast is None:
        few = np.full_like(u, -np.inf)
    else:
        few = np.minimum(0, float(kappa) - 1 - float(contrast) + rho * u)
    drift = np.where(u <= size + 1e-12, few, many)
    cost = np.where(u > 0, np.maximum(-gain * u, drift), 0.0).min()
    found = derived_regimes(scaling, c, bound).exponent(kappa)
    assert float(found) == pytest.approx(1 + cost / 2, abs=2e-3)
    if contrast is None:
        assert found == derived_regimes(Scaling("bursts", bursts=b), c, bound).exponent(kappa)


@settings(max_examples=30, deadline=None)
@given(tail=st.fractions(Fraction(1, 5), 1, max_denominator=20), c=cs, kappa=kappas)
def test_heavy_tail_is_the_balance_of_blocks(tail, c, kappa) -> None:
    u = np.linspace(0, 1, 4001)
    drift = np.minimum(0, float(kappa) - (1 - u) / float(tail))
    cost = np.maximum(-(1 - float(c)) * u, drift).min()
    found = derived_regimes(Scaling("pareto", tail=tail), c).exponent(kappa)
    # Steep drift: a step of u is worth up to its slope 1/tail.
    assert float(found) == pytest.approx(1 + cost / 2, abs=2e-3 / float(tail))


@settings(max_examples=40, deadline=None)
@given(q=st.fractions(Fraction(21, 20), 5, max_denominator=20), c=cs, kappa=kappas)
@example(q=Fraction(2), c=Fraction(1, 2), kappa=Fraction(1, 2))
@example(q=Fraction(5, 2), c=Fraction(0), kappa=Fraction(1))
def test_power_law_by_number_of_blocks_is_the_best_number(q, c, kappa) -> None:
    power, at, gain = float(q), float(kappa), float(c)
    y = np.linspace(0, 1, 501)[:, None]
    x = np.linspace(0, 1, 501)[None, :]
    # A scale in n^y blocks has blocks of n^{x-y}; single points do not drift.
    paid = np.where(x > y, np.minimum(x, x + at - power * x + 1.5 * (x - y)), 0.0).max(axis=1)
    best = np.maximum(y[:, 0] + gain * (1 - y[:, 0]), paid).min()
    scaling = Scaling("power", power=-q)
    found = derived_regimes(scaling, c, "theorem1").exponent(kappa)
    # A step of y or x moves a term by at most 3.5 + q steps.
    assert float(found) == pytest.approx((1 + best) / 2, abs=(3.5 + power) / 1000)
    # N·γ_M is at least Σγ_{M_i}, and the same where γ is constant.
    additive = derived_regimes(scaling, c, "additive").exponent(kappa)
    assert additive <= found <= regimes("theorem1", c).exponent(kappa)
    if c == 0:
        assert found == additive


@pytest.mark.parametrize(
    ("power", "c", "kappa", "exponent"),
    [("-3", "3/10", "1", "37/51"), ("-4", "0", "1", "5/8")],
)
def test_power_law_by_number_grows_as_derived(power, c, kappa, exponent) -> None:
    sizes = [2**k for k in range(6, 10)]
    found = measure(Scaling("power", power=power), c, kappa, bound="theorem1", sizes=sizes)
    assert found.derived == Fraction(exponent)
    assert found.agrees
    # The exponent of every sequence with this total time lies further off.
    worst = float(regimes("theorem1", c).exponent(kappa))
    assert worst - found.fit.exponent > 1.2 * abs(found.fit.exponent - float(found.derived))


@settings(max_examples=40, deadline=None)
@given(tail=st.fractions(Fraction(1, 5), 1, max_denominator=20), c=cs, kappa=kappas)
@example(tail=Fraction(1, 2), c=Fraction(0), kappa=Fraction(1, 2))
def test_equal_blocks_of_a_heavy_tail_pay_for_every_long_duration(tail, c, kappa) -> None:
    a, at, gain = float(tail), float(kappa), 1 - float(c)
    y = max(0.0, -at) + np.linspace(0, 3, 1201)
    u = np.linspace(0, 1, 801)[:, None]
    # n^{a(kappa+y)} durations drift by n^{-y}; no more blocks than there are hold one.
    holding = np.minimum(1 - u, np.minimum(1.0, a * (at + y)))
    paid = np.minimum(1.0, (holding + u - y).max(axis=1))
    cost = np.maximum(1 - gain * u[:, 0], np.where(u[:, 0] > 0, paid, 0)).min()
    scaling = Scaling("pareto", tail=tail)
    found = equal_block_exponent(scaling, c, kappa)
    assert float(found) == pytest.approx((1 + cost) / 2, abs=2e-3)
    best = derived_regimes(scaling, c).exponent(kappa)
    assert best <= found <= regimes("refined", c).exponent(kappa)
    if tail == 1:
        assert best == found
    elif 0 < kappa < 1 / tail:
        assert found > best


def test_equal_blocks_of_a_heavy_tail_grow_as_derived() -> None:
    rng = np.random.default_rng(8)
    cases = (("1/2", "0", "1/2"), ("1/2", "0", "-1/2"))
    for tail, c, kappa in cases:
        scaling, means, errors = Scaling("pareto", tail=tail), [], []
        sizes = [2**8, 2**12]
        for n in sizes:
            gamma = np.arange(n + 1.0) ** float(Fraction(c))
            gamma[0] = 0.0
            lengths = np.unique(np.geomspace(1, n, 20).round().astype(int))
            gains = [
                best_equal_gain(
                    Problem(scaling.times(n, kappa, rng), epsilon=EPSILON, noise_variance=1.0),
                    gamma,
                    lengths,
                )
                for _ in range(30)
            ]
            means.append(np.log(gains).mean())
            errors.append(np.log(gains).std() / np.sqrt(len(gains)))
        span = np.log(sizes[1] / sizes[0])
        measured = (1 + (means[1] - means[0]) / span) / 2
        derived = float(equal_block_exponent(scaling, c, kappa))
        best = float(derived_regimes(scaling, c).exponent(kappa))
        error = np.hypot(*errors) / span / 2
        assert measured == pytest.approx(derived, abs=3 * error + 0.01), (tail, c, kappa)
        # Far from the best partition: n^{1/16} and n^{1/24} in regret.
        assert measured - 2 * error > best


@settings(max_examples=30, deadline=None)
@given(c=cs, kappa=kappas, bound=st.sampled_from(["refined", "theorem1"]))
def test_every_family_is_at_most_uniform_and_at_least_static(c, kappa, bound) -> None:
    worst = regimes(bound, c).exponent(kappa)
    for scaling, _, _ in TABLE:
        table = derived_regimes(scaling, c, bound)
        assert (1 + c) / 2 <= table.exponent(kappa) <= worst
        assert table.continuous and table.monotone


def test_exponents_named_in_the_theory_notes() -> None:
    assert derived_regimes(Scaling("uniform"), 0, "theorem1").exponent(0) == Fraction(4, 5)
    assert derived_regimes(Scaling("uniform"), 0).exponent(0) == Fraction(3, 4)
    assert derived_regimes(Scaling("biased"), "1/2").exponent(5) == Fraction(3, 4)
    assert derived_regimes(Scaling("power", power=-3), 0).exponent(1) == Fraction(2, 3)
    # One tail and one power at their borders join the uniform family.
    for border in (Scaling("pareto", tail=1), Scaling("power", power=-1)):
        for kappa in (-1, 0, Fraction(1, 2), 1):
            expected = regimes("refined", "1/3").exponent(kappa)
            assert derived_regimes(border, "1/3").exponent(kappa) == expected


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_times_have_the_size_and_the_total_they_should(family) -> None:
    scaling = Scaling(family)
    times = scaling.times(200, "1/2", np.random.default_rng(0))
    assert times.n == 200
    assert times.total_time == pytest.approx(np.sqrt(200), rel=1e-12)
    assert all(1 <= length <= 200 for length in scaling.natural_lengths(200))


def test_bursts_periods_and_their_contrast() -> None:
    bursts = Scaling("bursts", bursts="1/2").times(256, 1)
    assert len(np.unique(bursts.times)) == 16
    periodic = Scaling("periodic", period="1/2", contrast="1/2").times(256, 1)
    assert np.sort(np.unique(periodic.durations)) == pytest.approx([1 / 16, (256 - 15) / 16])
    assert Scaling("periodic", period="1/2").natural_lengths(256) == (16, 32, 64, 128, 256)


def test_fixed_numbers_of_bursts_and_fixed_periods() -> None:
    bursts, periodic = Scaling("bursts", bursts=5), Scaling("periodic", period="4")
    for n in (128, 200):
        assert len(np.unique(bursts.times(n, 1).times)) == 5
        assert len(np.unique(periodic.times(n, 1).times)) == n // 4 + 1
    assert periodic.natural_lengths(16) == (4, 8, 16)
    for kappa in (-1, 0, 1, 2):
        assert derived_regimes(bursts, "1/3").exponent(kappa) == Fraction(2, 3)
        expected = regimes("refined", "1/3").exponent(kappa)
        assert derived_regimes(periodic, "1/3").exponent(kappa) == expected
    for scaling in (bursts, periodic):
        found = measure(scaling, "1/2", "1/2", sizes=[2**k for k in range(8, 12)])
        assert found.fit.exponent == pytest.approx(float(found.derived), abs=0.03)


@pytest.mark.parametrize("row", TABLE, ids=lambda value: getattr(value, "label", str(value)))
def test_measured_exponents_lie_near_the_derived_ones(row) -> None:
    scaling, c, kappa = row
    found = measure(scaling, c, kappa, sizes=SMALL, rng=np.random.default_rng(11), draws=3)
    assert np.all(found.gaps <= 0.01)
    # Small n: terms that die out slowly, and the draws of the heavy tail.
    slack = 0.12 if scaling.family == "pareto" else 0.05
    assert abs(found.fit.exponent - float(found.derived)) <= found.fit.uncertainty + slack


@pytest.mark.slow
def test_measured_table_agrees_with_the_derivations() -> None:
    table = measured_table(np.random.default_rng(4))
    for found in table:
        assert found.n[-1] >= 2**11
        assert abs(found.fit.exponent - float(found.derived)) <= found.fit.uncertainty + 0.02
        if found.derived_loss:
            assert found.loss > 0.03


def test_other_bounds_are_measured_too() -> None:
    found = measure(Scaling("uniform"), 0, 0, bound="theorem1", sizes=SMALL)
    assert found.derived == Fraction(4, 5)
    assert abs(found.fit.exponent - 0.8) <= found.fit.uncertainty + 0.02
    assert found.equal_fit is None and found.loss is None and found.derived_loss is None


def test_equal_block_value_is_near_the_exact_one_and_above_the_optimum() -> None:
    n = 150
    gamma = np.sqrt(np.arange(n + 1.0))
    times = Scaling("pareto", tail="1/2").times(n, 1, np.random.default_rng(2))
    problem = Problem(times, epsilon=EPSILON, noise_variance=1.0)
    for length in (1, 4, 7, 75, 150):
        exact = evaluate("refined", problem, gamma, Partition.equal(n, length)).value
        value = best_equal_gain(problem, gamma, [length])
        assert exact * (1 - 1e-12) <= value <= 1.15 * exact
    assert best_equal_gain(problem, gamma, [4, 7]) >= search("refined", problem, gamma).value


def test_fit_recovers_a_power_and_sees_a_second_term() -> None:
    n = 2.0 ** np.arange(6, 14)
    clean = fit_exponent(n, 3 * n**0.7)
    assert clean.exponent == pytest.approx(0.7, abs=1e-12)
    assert clean.uncertainty < 1e-9
    mixed = fit_exponent(n, n**0.7 + 5 * n**0.3)
    assert abs(mixed.exponent - 0.7) <= mixed.uncertainty
    assert abs(mixed.exponent - 0.7) < abs(mixed.slope - 0.7)
    again = fit_exponent(np.repeat(n, 2), np.repeat(n**0.7 + 5 * n**0.3, 2), erratic=True)
    assert again.exponent == again.slope == pytest.approx(mixed.slope, abs=1e-12)


def test_fit_needs_four_positive_values() -> None:
    with pytest.raises(InvalidInput, match="sizes"):
        fit_exponent([1, 2, 3], [1, 2, 3])
    with (
        pytest.raises(InvalidInput, match="sizes"),
        np.errstate(divide="ignore"),
    ):
        fit_exponent([1, 2, 3, 4], [1, 0, 3, 4])


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"family": "spiral"}, "sequence"),
        ({"family": "geometric", "ratio": 1}, "ratio"),
        ({"family": "geometric", "ratio": -2}, "ratio"),
        ({"family": "pareto", "tail": 0}, "tail"),
        ({"family": "bursts", "bursts": "3/2"}, "bursts"),
        ({"family": "periodic", "period": 0}, "period"),
        ({"family": "periodic", "period": "x"}, "period"),
        ({"family": "periodic", "contrast": -1}, "contrast"),
        ({"family": "power", "power": float("nan")}, "power"),
        ({"family": "power", "power": "1e400"}, "power = 1.00000e[+]400"),
        ({"family": "geometric", "ratio": "1e-400"}, "ratio = 1.00000e-400: give at most 300"),
        ({"family": "pareto", "tail": "1e-19"}, "tail"),
        ({"family": "bursts", "bursts": "1e-400"}, "bursts"),
        ({"family": "periodic", "contrast": "1e400"}, "contrast"),
    ],
)
def test_bad_shapes_are_named(arguments, name) -> None:
    with pytest.raises(InvalidInput, match=name):
        Scaling(**arguments)


def test_other_bad_input_is_named() -> None:
    with pytest.raises(InvalidInput, match="rng"):
        Scaling("pareto").times(10, 0)
    with pytest.raises(InvalidInput, match="n = 1"):
        Scaling("uniform").times(1, 0)
    with pytest.raises(InvalidInput, match="kappa"):
        Scaling("uniform").times(10, float("inf"))
    for kappa in (1000, "1e5", "1e400"):
        with pytest.raises(InvalidInput, match=r"kappa = 1.*give at most 300: n"):
            Scaling("uniform").times(10, kappa)
    assert Scaling("uniform").times(10, "-1e400").total_time == pytest.approx(0, abs=1e-299)
    with pytest.raises(InvalidInput, match="bound"):
        derived_regimes(Scaling("uniform"), 0, "best")
    with pytest.raises(InvalidInput, match=r"^c"):
        derived_regimes(Scaling("uniform"), 1)


def test_uncertainty_covers_the_spread_of_draws() -> None:
    """Of 200 noisy power laws, the exponent lies outside for about one in twenty at most."""
    rng = np.random.default_rng(4)
    sizes = np.repeat(2.0 ** np.arange(8, 14), 3)
    outside = 0
    for _ in range(200):
        found = fit_exponent(sizes, sizes**0.75 * np.exp(0.05 * rng.standard_normal(len(sizes))))
        outside += abs(found.exponent - 0.75) > found.uncertainty
    assert outside <= 20


def test_a_bound_near_the_trivial_one_tells_no_exponent() -> None:
    sizes = [2**k for k in range(7, 11)]
    early = measure(Scaling("uniform"), "9/20", "7/10", sizes=sizes)
    assert early.saturated
    assert early.agrees is None
    trivial = measure(Scaling("uniform"), "1/5", 2, sizes=sizes)
    assert (trivial.derived, trivial.saturated, trivial.agrees) == (1, False, True)
    assert not measure(Scaling("biased"), "1/2", 0, sizes=sizes).saturated


def test_too_few_rounds_for_a_pattern_tell_no_exponent() -> None:
    sizes = [2**k for k in range(7, 11)]
    patterns = [
        Scaling("periodic", period=10**6),
        Scaling("bursts", bursts=10**6),
        Scaling("geometric", ratio="1.0000000001"),
        Scaling("power", power=1000),
    ]
    for scaling in patterns:
        found = measure(scaling, 0, "1/2", sizes=sizes)
        assert found.early, scaling.label
        assert found.agrees is None
        assert found.fit.exponent <= 1
    for scaling, _, _ in TABLE:
        assert scaling.settled(512)
    # Ratios as far from 1 on either side.
    for ratio in ("1e300", "1e-300", "1/2"):
        assert Scaling("geometric", ratio=ratio).settled(512)
    assert not Scaling("geometric", ratio="0.9999999999").settled(10**6)
