"""A fitted set of priors as problems: the same law in other units, and its spread."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.gain.bounds import bounds_of
from bounds.kernels import Forgetting, Levelled, Matern
from bounds.times import EvaluationTimes
from own_runs.prior.files import PriorFile
from own_runs.prior.problems import _axis, _systematic, assumed, spread_of
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Member
from simulation.prior.warp import Warp

TIMES = EvaluationTimes.from_durations([1.0, 2.0, 0.5, 4.0])


def prior_file(*members: Member, inputs=("a=1..5", "b=1e-3..1 log"), weights=None) -> PriorFile:
    count = len(members)
    laws = np.tile([0.3, 0.1, 6.0, 24.0], (count, 1))
    return PriorFile(
        members,
        np.ones(count) if weights is None else np.array(weights),
        np.zeros(count),
        MeanAndScale(0.0, 1.0, 1.0, 1.0),
        Posterior.of_rows(laws),
        False,
        "s",
        inputs,
        9,
        "",
    )


def problem_of(file: PriorFile, index: int, *, delta: float = 0.1, per_axis: int | None = None):
    axes = [_axis(text) for text in file.inputs]
    return assumed(file, index, axes, TIMES, delta=delta, per_axis=per_axis)


@pytest.mark.parametrize(
    "member",
    [
        Member("se", 0.05, (0.3, 0.3), 0.02),
        Member("matern52", 0.05, (0.1, 1.7), 0.02, 1.3),
        Member("matern32", 0.0, (0.4, 0.2), 0.1, 0.5),
    ],
)
def test_a_problem_has_the_law_of_its_member(member):
    """Differences of s·f between sites and times, and the noise, by both descriptions."""
    found = problem_of(prior_file(member), 0, per_axis=4)
    problem, scale = found.problem, np.sqrt(24.0 / 6.0)
    assert problem.domain.shape == (4, 4)
    points = problem.domain.points
    unit = np.stack(np.meshgrid(*[np.linspace(0, 1, 4)] * 2, indexing="ij"), -1).reshape(-1, 2)
    gap = 2.5
    own = problem.space_kernel.gram(points) * problem.time_kernel.at_distance(gap)
    wanted = scale**2 * (member.between(unit, unit) + member.level) * np.exp(-member.rate * gap)
    np.testing.assert_allclose(found.unit**2 * own, wanted, rtol=1e-10)
    noise = found.unit**2 * problem.noise_variance
    assert noise == pytest.approx(scale**2 * member.noise_variance, rel=1e-12)


def test_a_problem_is_the_members_own() -> None:
    """Even axes and one lengthscale are a cube of side 1; else each axis is 1/ℓ long."""
    even, uneven = (
        Member("se", 0.05, (0.3, 0.3), 0.02),
        Member("matern52", 0.0, (0.5, 0.25), 0.1, 1),
    )
    file = prior_file(uneven, even)
    found = problem_of(file, 1, delta=0.2, per_axis=4)
    problem = found.problem
    assert found.member is even and found.unit == pytest.approx(2.0)
    assert problem.domain == Grid(2, 1.0, 4) and problem.times is TIMES and problem.delta == 0.2
    assert problem.epsilon == pytest.approx(1 - np.exp(-0.1)) and problem.noise_variance == 0.02
    assert problem.time_kernel == Forgetting(problem.epsilon)
    assert not isinstance(problem.space_kernel, Levelled)
    assert problem.space_kernel.lengthscale == 0.3
    other = problem_of(file, 0, per_axis=3)
    assert other.unit == pytest.approx(2.0 * np.sqrt(2.0)) and other.member is uneven
    assert other.problem.domain == Grid(2, (2.0, 4.0), (3, 3))
    assert other.problem.noise_variance == 0.05
    assert other.problem.space_kernel == Levelled("matern52", 1.0, 1)
    mixed = prior_file(even, inputs=("a=0..1", "k=1..2 int"))
    assert problem_of(mixed, 0, per_axis=4).problem.domain == Grid(2, (1 / 0.3, 1 / 0.3), (4, 2))


@pytest.mark.parametrize(("inputs", "points"), [(1, 1_600), (2, 40), (3, 11), (12, 2)])
def test_without_a_number_per_axis_the_grid_has_1600_points_at_most(inputs, points) -> None:
    member = Member("se", 0.05, (0.3,) * inputs, 0.02)
    file = prior_file(member, inputs=tuple(f"x{i}=0..1" for i in range(inputs)))
    problem = problem_of(file, 0).problem
    assert problem.domain == Grid(inputs, 1.0, points)


def test_draws_are_spread_evenly_along_the_half_life() -> None:
    """By weight: of three members in the order of their rates the middle ones of nine parts."""
    members = [Member("se", rate, (0.4, 0.4), 0.05) for rate in (0.5, 0.0, 0.1)]
    file = prior_file(*members, weights=[2.0, 1.0, 1.0])
    assert _systematic(file, 4) == [1, 2, 0, 0] and _systematic(file, 1) == [2]
    assert _systematic(prior_file(*members, weights=[0.0, 0.0, 2.0]), 3) == [2, 2, 2]


def test_a_spread_without_bounds_is_infinite_and_its_floor_nothing() -> None:
    """By default nine draws and δ = 0.1."""
    members = [Member("se", 0.1 * i, (0.4, 0.4), 0.05) for i in range(9)]
    seen = []

    def answered(problem, share):
        seen.append((problem.delta, share))
        gain = SimpleNamespace(upper=float(len(seen)))
        return SimpleNamespace(gain=gain, best=lambda kind="": None, floor=None)

    spread = spread_of(prior_file(*members), TIMES, answered, per_axis=2)
    assert seen == [(0.1, i / 9) for i in range(9)]
    assert (spread.draws, spread.members, spread.time_unit) == (9, 9, "s")
    gain, probable, mean, floor = spread.rows
    assert (gain.low, gain.middle, gain.high, gain.average) == (1.0, 5.0, 9.0, 5.0)
    for row, kind in ((probable, "probability"), (mean, "mean")):
        assert (row.name, row.kind, row.covers) == ("regret", kind, "no policy")
        assert (row.low, row.high) == (np.inf, np.inf)
    assert (floor.low, floor.high, floor.average) == (0.0, 0.0, 0.0)
    # All are as good; the one in the middle of those that are equal.
    assert spread.fixed.member is members[4]


def test_members_without_a_theory_are_left_out_and_counted() -> None:
    plain = Member("se", 0.1, (0.4, 0.4), 0.05)
    others = [
        replace(plain, memory="smooth"),
        replace(plain, kernel="two-scales"),
        replace(plain, warp=Warp(0.0, 0.0, 1.0, 0.0, 1.0)),
    ]

    def answered(problem, share):
        gain = SimpleNamespace(upper=1.0)
        return SimpleNamespace(gain=gain, best=lambda kind="": None, floor=None)

    file = prior_file(*others, plain, weights=[1.0, 1.0, 1.0, 2.0])
    spread = spread_of(file, TIMES, answered, per_axis=2)
    assert spread.members == 1 and spread.left_out == pytest.approx(0.6)
    assert spread.fixed.member is plain
    with pytest.raises(InvalidInput, match="prior = 3 members: no bound is for"):
        spread_of(prior_file(*others), TIMES, answered, per_axis=2)


def test_whole_numbers_have_their_places_and_odd_names_do_no_harm():
    member = Member("se", 0.1, (0.3, 0.6), 0.02)
    depth = prior_file(member, inputs=("depth=2..4 int", "b, or c=0..1"))
    assert problem_of(depth, 0, per_axis=9).problem.domain.shape == (3, 9)


def test_a_drift_too_fast_for_epsilon_keeps_its_rate():
    fast = problem_of(prior_file(Member("se", 300.0, (0.3, 0.6), 0.02)), 0, per_axis=3).problem
    assert isinstance(fast.time_kernel, Matern) and fast.time_kernel.slope == pytest.approx(300.0)
    assert fast.epsilon < 1.0


def test_the_spread_is_that_of_the_draws():
    members = [
        Member("se", rate, (0.4, 0.4), 0.05, level)
        for rate in (0.01, 0.1, 1.0)
        for level in (0.0, 1.0)
    ]
    file = prior_file(*members, weights=[1, 1, 0, 0, 1, 1])
    told, answers = [], []

    def answered(problem, share):
        answers.append(bounds_of(problem, certify=False).answer)
        told.append((problem, share))
        return answers[-1]

    spread = spread_of(file, TIMES, answered, per_axis=4, draws=5)
    assert [share for _, share in told] == [0.0, 0.2, 0.4, 0.6, 0.8]
    assert {problem.domain.shape for problem, _ in told} == {(4, 4)}
    rates = [problem.time_kernel.slope for problem, _ in told]
    assert rates == sorted(rates) and pytest.approx(0.1) not in rates
    alone = []
    for (problem, _), answer in zip(told, answers, strict=True):
        level = getattr(problem.space_kernel, "level", 0.0)
        alone.append(2.0 * np.sqrt(1.0 + level) * answer.best().value)
    (row,) = [row for row in spread.rows if (row.name, row.kind) == ("regret", "probability")]
    assert (row.low, row.high) == pytest.approx((min(alone), max(alone)))
    assert (row.middle, row.average) == pytest.approx((np.median(alone), np.mean(alone)))
    place = next(i for i, (problem, _) in enumerate(told) if problem is spread.fixed.problem)
    assert alone[place] == pytest.approx(np.median(alone))
    by_name = {(row.name, row.kind): row for row in spread.rows}
    assert by_name["gain", ""].covers == by_name["floor", "mean"].covers == "any policy"
    assert by_name["floor", "mean"].high <= by_name["regret", "mean"].low
    assert json.dumps(spread.draws) == "5" and spread.members == 6
