"""Certified rows before a run: m* from both sides, each row against its floating point value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, pi, sqrt

import numpy as np
import pytest
from scipy import integrate, stats

from bounds import enclosure
from bounds.arithmetic import BALLS
from bounds.domain import Arms, Grid
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.enclosure import matrices
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.enclosed import EnclosedQuantities
from bounds.regret.ingredients.exploration import best_exploration
from bounds.regret.ingredients.ingredients import Ingredients, noise_levels
from bounds.regret.ingredients.margin import enclosed_margin_rate
from bounds.regret.ingredients.noise_inflation import envelope, majorant, tangent_point
from bounds.regret.ingredients.rare_events import isoperimetric_sum
from bounds.regret.maximum.most_maximum import (
    increment_upper,
    most_maximum,
)
from bounds.regret.maximum.slepian import expected_maximum
from bounds.regret.rows import certified_rows, regret_rows, with_certified
from bounds.regret.upper.in_expectation.constant_exploration import ConstantExploration
from bounds.regret.upper.in_expectation.margin import MarginBound
from bounds.regret.upper.in_probability.tail import range_tail
from bounds.times import EvaluationTimes

ALL = {
    "cap",
    "envelope",
    "cauchy_schwarz",
    "theory_smallest",
    "tail",
    "sandwich_upper",
    "constant_exploration",
}


def problem_of(time_kernel=None, grid=None, noise_variance=0.01) -> Problem:
    return Problem(
        EvaluationTimes.from_durations([1.0, 0.0, 2.0, 5.0, 0.3] * 4),
        0.01,
        time_kernel or Forgetting(0.01),
        SquaredExponential(0.3),
        noise_variance,
        grid or Grid(2, 1.0, 5),
    )


def evidence_of(problem: Problem):
    duals = {
        level: joint_dual(replace(problem, noise_variance=level)) for level in noise_levels(problem)
    }
    return duals, known_of(problem, duals)


def known_of(problem, duals, **given_) -> Ingredients:
    """Ingredients with these duals, or numbers, at their noise variances."""
    pairs = [(level, getattr(d, "value", d)) for level, d in duals.items() if d is not None]
    return Ingredients(problem, pairs, evidence=duals, **given_)


def chain_of(given_: Ingredients):
    """The rows of the theorem's policy and of any policy."""
    rows = regret_rows(given_, "upper")
    return tuple(row for row in rows if row.name in ALL and row.policy in ("ctv-fixed", "any"))


def ceilings_of(given_: Ingredients):
    """Those in expectation for policies that are named."""
    return tuple(row for row in regret_rows(given_, "upper") if row.name in POLICIES)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.3), Matern(1.5, 0.2)], ids=repr)
@pytest.mark.parametrize(
    "grid", [Grid(1, 1.0, 7), Grid(2, 1.0, 4), Grid(1, 1.0, 1), Grid(2, (1.0, 2.0), 3)], ids=repr
)
def test_the_most_of_the_maximum_is_above_simulated_means(kernel, grid) -> None:
    found = most_maximum(grid, kernel)
    draws = stats.multivariate_normal(
        np.zeros(grid.size), kernel.gram(grid.points), allow_singular=True, seed=1
    ).rvs(40_000)
    maxima = np.reshape(draws, (40_000, grid.size)).max(axis=1)
    allowance = 6.0 / sqrt(40_000)  # the maximum has a variance of at most 1
    assert found.value >= maxima.mean() - allowance
    assert not grid.is_cube or found.value <= 1.12 * expected_maximum(grid, kernel).upper + 1e-9


def test_two_and_three_points_are_known_in_closed_form() -> None:
    kernel = Matern(0.5, 0.4)
    two = most_maximum(Grid(1, 1.0, 2), kernel)
    truth = sqrt((1 - float(kernel.at_distance(1.0))) / pi)
    assert truth * (1 - 1e-15) <= two.value <= truth * (1 + 1e-12)
    d = [sqrt(2 * (1 - float(kernel.at_distance(r)))) for r in (0.5, 0.5, 1.0)]
    three = most_maximum(Grid(1, 1.0, 3), kernel)
    assert three.value == pytest.approx(sum(d) / (2 * sqrt(2 * pi)), rel=1e-12)


@pytest.mark.parametrize("rho", [(0.9, 0.9, 0.7), (0.99, 0.95, 0.93), (0.5, 0.2, 0.3)])
@pytest.mark.parametrize("level", [0.0, 1.0, 2.2])
def test_an_increment_is_above_its_expectation(rho, level) -> None:
    """E[(f_k − max(f_a, f_b))₊; f_k > c] by quadrature over f_k and the larger of the others."""
    near, far, mutual = rho
    cov = np.array([[1 - near**2, mutual - near * far], [mutual - near * far, 1 - far**2]])
    rng = np.random.default_rng(0)
    U = rng.multivariate_normal([0.0, 0.0], cov, size=100_000)

    def inner(t: float) -> float:
        best = np.maximum(near * t + U[:, 0], far * t + U[:, 1])
        return float(np.maximum(t - best, 0.0).mean() * stats.norm.pdf(t))

    truth = integrate.fixed_quad(np.vectorize(inner), level, level + 6.0, n=40)[0]
    with enclosure.precision(96):
        balls = [enclosure.ball(enclosure.exact_double(r)) for r in rho]
        value = matrices.upward(increment_upper(*balls, level))
    assert truth * (1 - 0.02) <= value
    if near == far:
        assert value <= truth * 1.1


@pytest.mark.parametrize("noise_variance", [1e-6, 0.01, 0.3, 1.0, 50.0])
def test_a_tangent_is_above_the_envelope_and_close_to_it(noise_variance) -> None:
    end = 0.5 * np.log1p(1 / noise_variance)
    for share in (0.001, 0.05, 0.2, 0.5, 0.9):
        with enclosure.precision(96):
            gain = float(share * end * 7)
            value = matrices.upward(majorant(gain / 7, gain, 7, noise_variance))
        truth = envelope(gain / 7, noise_variance)
        assert truth * (1 - 1e-12) <= value <= truth * (1 + 1e-6)
        # Above h itself at every u, as Jensen asks: the line through two values of the majorant.
        u = np.linspace(0.0, end, 500)[1:]
        h = np.sqrt(np.expm1(2 * u) * noise_variance)
        assert np.all(h <= [envelope(float(x), noise_variance) * (1 + 1e-9) for x in u])


def test_a_tangent_that_is_none_is_the_cap() -> None:
    """At 0 h is vertical; beyond the point that touches the end the line would pass below it."""
    with enclosure.precision(96):
        for near in (0.0, -1.0):
            assert majorant(near, 0.5, 4, 0.01) == 1
        far = matrices.upward(majorant(5.0, 0.5, 4, 0.01))
    start = tangent_point(0.01)
    height = sqrt(np.expm1(2 * start) * 0.01)
    slope = np.exp(2 * start) * 0.01 / height
    assert far == pytest.approx(height + slope * (0.125 - start), rel=1e-7)


@pytest.mark.parametrize(
    ("time_kernel", "left_out"),
    [(None, set()), (SquaredExponential(9.0), set()), (Matern(0.5, 20.0), set())],
)
def test_every_row_is_rounded_outward(time_kernel, left_out) -> None:
    problem = problem_of(time_kernel)
    _, found = evidence_of(problem)
    rows = certified_rows(found, chain_of(found))
    assert {row.name for row in rows} == ALL - left_out
    floats = {row.name: row.value for row in chain_of(found)}
    for row in rows:
        assert row.certified
        # m* itself is enclosed by another road than the one in floating point.
        by_m = row.name in ("tail", "sandwich_upper", "theory_smallest")
        slack = 1.0 + (0.13 if by_m else 1e-6)
        if time_kernel is not None and row.name == "sandwich_upper":
            slack *= 2.0  # a_i ≤ 1 for a smooth time kernel
        if row.direction == "lower":
            assert floats[row.name] * (1 - 1e-8) <= row.value <= floats[row.name] * (1 + 1e-8)
        elif row.name != "cauchy_schwarz":
            least = floats[row.name] * (1 - (1e-3 if by_m else 1e-9))
            assert least <= row.value <= floats[row.name] * slack


def test_only_rows_that_could_be_the_smallest_are_enclosed() -> None:
    problem = problem_of()
    _, found = evidence_of(problem)
    rows = with_certified(found, chain_of(found))
    certified = {row.name for row in rows if row.certified}
    assert {"constant_exploration", "sandwich_upper", "tail"} <= certified
    assert "cauchy_schwarz" not in certified
    for row in chain_of(found):
        same = [
            r
            for r in rows
            if (r.policy, r.kind, r.direction) == (row.policy, row.kind, row.direction)
            and r.certified
        ]
        assert same, row.name


def test_a_row_without_an_enclosure_is_left_out() -> None:
    problem = problem_of()
    duals, found = evidence_of(problem)
    bare = Ingredients(problem)
    assert {row.name for row in certified_rows(bare, chain_of(bare))} == ALL
    larger = replace(found.explored, supremum=replace(found.explored.supremum, distance=0.01))
    given_ = known_of(problem, duals, explored=larger)
    rows = certified_rows(given_, chain_of(given_))
    assert {row.name for row in rows} == ALL - {"constant_exploration"}


POLICIES = {
    "theorem_t",
    "theorem_t_variances",
    "irgp_ucb",
    "expected_maximum",
    "theorem_m",
    "margin",
}


@pytest.mark.parametrize("noise_variance", [1e-4, 0.01, 3.0])
@pytest.mark.parametrize("grid", [Grid(2, 1.0, 5), Grid(1, 1.0, 2), Grid(1, 1.0, 1)], ids=repr)
def test_ceilings_by_policy_are_rounded_outward(grid, noise_variance) -> None:
    problem = problem_of(grid=grid, noise_variance=noise_variance)
    _, found = evidence_of(problem)
    floats = ceilings_of(found)
    certified = certified_rows(found, floats)
    named = {(row.name, row.policy): row.value for row in floats}
    assert {row.name for row in certified} == POLICIES - (
        {"theorem_m", "margin"} if grid.size == 1 else set()
    )
    m_star = most_maximum(grid, problem.space_kernel).value
    for row in certified:
        assert row.certified
        value = named[row.name, row.policy]
        if row.name == "expected_maximum":
            # m* itself is enclosed by another road than the one in floating point.
            assert row.value == pytest.approx(problem.n * m_star, rel=1e-14)
            assert row.value >= problem.n * m_star
        elif row.name in ("margin", "theorem_m"):  # m* is a part of it
            assert value * (1 - 1e-3) <= row.value <= value * 1.03
        else:
            assert value * (1 - 1e-12) <= row.value <= value * (1 + 1e-6)


@pytest.mark.parametrize("size", [2, 25, 2500])
@pytest.mark.parametrize("mean", [1.0, 0.3, 1e-3, 0.0])
def test_the_tangent_of_theorem_t_is_the_largest_mean_on_rare_events(size, mean) -> None:
    """n·|D|·I(S̄/|D|) by quadrature of the quantile: I(p) = ∫_0^p Φ̄⁻¹(u) du."""
    with enclosure.precision(96):
        exact = enclosure.ball(enclosure.exact_double(mean))
        value = matrices.upward(isoperimetric_sum(size, exact))
    p = mean / size
    z = stats.norm.isf(p) if p else np.inf
    truth = size * integrate.quad(lambda x: x * stats.norm.pdf(x), z, z + 40.0)[0] if p else 0.0
    assert truth * (1 - 1e-8) <= value <= truth * (1 + 1e-6) + 1e-200


def test_the_answer_for_thompson_sampling_and_its_kin_is_certified() -> None:
    problem = problem_of()
    _, found = evidence_of(problem)
    with_some = with_certified(found, regret_rows(found, "upper"))
    policies = {row.policy for row in with_some if row.certified and row.kind == "mean"}
    assert {"ts", "random-weight-ucb", "posterior-mean", "irgp-ucb", "ctv-fixed", "any"} <= policies


@pytest.mark.parametrize(("rounds", "epsilon", "near"), [(4_000, 0.0, True), (60, 0.1, False)])
def test_the_margin_is_enclosed(rounds: int, epsilon: float, near: bool) -> None:
    """Where ties are rare enough for κη < 1, and where M(η) ≤ 1 is all that is used."""
    noise = 1e-4
    times = EvaluationTimes.from_durations(np.ones(rounds))
    problem = Problem(times, epsilon, domain=Arms(3), noise_variance=noise)
    gain = 1.5 * log(1.0 + rounds / 3.0 / noise) if near else 0.5 * rounds * log(1.0 + 1.0 / noise)
    given_ = known_of(problem, {noise: gain})
    (row,) = MarginBound().rows(given_)
    (found,) = certified_rows(given_, [row])
    assert found.certified and found.value == pytest.approx(row.value, rel=0.01)
    # Again, from the formula: independent arms have κ = |D|/√(2π).
    beta = 2.0 * log(3 * pi**2 * rounds**2 / (6.0 * problem.delta))
    price, rate = 8.0 / log(1.0 + 1.0 / noise) * beta * gain, 3.0 / sqrt(2.0 * pi)
    eta = (price / (2.0 * rounds * rate)) ** (1.0 / 3.0) if near else sqrt(price / rounds)
    assert (rate * eta < 1.0) is near
    a = (1.0 - epsilon) ** 0.5
    lags = np.abs(np.subtract.outer(np.arange(rounds), np.arange(rounds)))
    spread = 2.0 * float(np.sum(a**lags))
    ranges = 2.0 * rounds * 1.5 / sqrt(pi) + sqrt(2.0 * spread * log(1.0 / problem.delta))
    by_hand = rounds * eta * min(rate * eta, 1.0) + price / eta + problem.delta * ranges
    by_hand = min(by_hand, 2.0 * rounds * 1.5 / sqrt(pi))  # what no policy exceeds
    # The enclosed m* is up to 0.1 % above 1.5/√π.
    assert by_hand * (1.0 - 1e-9) <= found.value <= by_hand * 1.01


def test_the_rate_of_ties_is_none_where_the_kernel_is_nearly_singular() -> None:
    problem = problem_of(grid=Grid(1, 1.0, 190))
    with matrices.working_precision():
        assert enclosed_margin_rate(problem) is None
        assert enclosed_margin_rate(problem_of(grid=Grid(2, 1.0, 15))) is None  # too many points
        rate = enclosed_margin_rate(problem_of(grid=Grid(1, 1.0, 4)))
    gram = SquaredExponential(0.3).gram(Grid(1, 1.0, 4).points)
    expected = np.sum(np.sqrt(np.diagonal(np.linalg.inv(gram)) / (2.0 * pi)))
    assert float(rate.mid()) == pytest.approx(expected, rel=1e-10)


def test_constant_exploration_is_enclosed_where_its_parts_are() -> None:
    for domain, known in (
        (Grid(1, 1.0, 1), True),
        (Grid(1, 1.0, 2), True),
        (Grid(2, (1.0, 2.0), 2), False),
    ):
        problem = problem_of(grid=domain)
        given_ = Ingredients(problem, explored=best_exploration(problem, 1.0, 4.0))
        found = certified_rows(given_, ConstantExploration().rows(given_))
        assert bool(found) is known
        for row in found:  # S̄ ≤ 1 without a gain
            tail = stats.norm.pdf(2.0) - 2.0 * stats.norm.sf(2.0)
            supremum = given_.explored.supremum
            rest = 0.0 if supremum is None else (domain.size - 1) * supremum.upper
            assert row.value == pytest.approx(problem.n * (2.0 + tail + rest), rel=1e-12)
            assert row.value >= problem.n * (2.0 + tail + rest) * (1 - 1e-14)


def test_a_certified_row_replaces_or_stands_behind() -> None:
    problem, level = problem_of(), 0.01
    gains = {level: joint_dual(problem)}
    given_ = known_of(problem, gains)
    every = chain_of(given_)
    rows = tuple(row for row in every if row.name in ("cap", "tail", "sandwich_upper"))
    with_some = with_certified(given_, rows)
    named = [(row.name, row.certified) for row in with_some]
    assert named == [
        ("cap", True),
        ("tail", False),
        ("tail", True),
        ("sandwich_upper", False),
        ("sandwich_upper", True),
    ]
    values = {row.name: row.value for row in rows}
    assert with_some[0].value == pytest.approx(values["cap"], rel=1e-9)
    known = with_certified(given_, rows, known=0.5 * values["cap"])
    assert (known[0].name, known[0].certified) == ("cap", False)
    assert len(known) == 5  # of the first group alone
    envelope_row = next(row for row in every if row.name == "envelope")
    (sure,) = certified_rows(given_, [envelope_row])
    assert sure.inflated == (level, gains[level])
    assert envelope_row.value < rows[0].value  # from the smallest on, until one is below the rest
    both = with_certified(given_, (rows[0], envelope_row))
    assert {row.name for row in both if row.certified} == {"envelope"}
    (plain,) = certified_rows(given_, [rows[0]])
    assert plain.inflated is None
    (by_cap,) = certified_rows(known_of(problem, {level: None}), [envelope_row])
    assert by_cap.inflated is None
    assert certified_rows(given_, [replace(rows[0], name="unknown")]) == ()


@dataclass(frozen=True)
class Doubtful(SquaredExponential):
    """The same numbers, but nobody says that they are not negative."""

    @property
    def is_nonnegative(self) -> bool:  # type: ignore[override]
        return False


@pytest.mark.parametrize("time_kernel", [Forgetting(0.1), SquaredExponential(3.0)], ids=repr)
def test_the_tail_of_a_kernel_that_may_be_negative_deviates_by_a_root_of_two_more(time_kernel):
    """Var of a range is at most 2(1 + κ⁻): 2 where nothing is negative, 4 where −1 is possible."""

    def deviation(kernel):
        problem = Problem(
            EvaluationTimes.from_durations([1.0, 0.5, 2.0]),
            time_kernel=time_kernel,
            space_kernel=kernel,
            domain=Grid(1, 1.0, 4),
        )
        with enclosure.precision(128):
            of = EnclosedQuantities(Ingredients(problem))
            return range_tail(BALLS, of) - 2 * problem.n * of.maximum

    ratio = deviation(Doubtful(0.3)) / deviation(SquaredExponential(0.3))
    assert float(ratio.mid()) == pytest.approx(np.sqrt(2.0), rel=1e-12)
