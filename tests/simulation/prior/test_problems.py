"""A fitted set of priors as problems: the same law in other units, and its spread."""

import json
from fractions import Fraction

import numpy as np
import pytest

from bounds.enclosure import endpoints
from bounds.kernels import Levelled, Matern
from bounds.promises.bounds import bounds_of
from bounds.times import EvaluationTimes
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Member
from simulation.prior.files import PriorFile
from simulation.prior.problems import assumed, spread_of

TIMES = EvaluationTimes.from_durations([1.0, 2.0, 0.5, 4.0])


def prior_file(*members: Member, inputs=("a=1..5", "b=1e-3..1 log"), weights=None) -> PriorFile:
    count = len(members)
    laws = np.tile([0.3, 0.1, 6.0, 24.0], (count, 1))
    return PriorFile(
        members, np.ones(count) if weights is None else np.array(weights), np.zeros(count),
        MeanAndScale(0.0, 1.0, 1.0, 1.0), Posterior.of_rows(laws), False, "s", inputs, 9, "",
    )  # fmt: skip


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
    found = assumed(prior_file(member), 0, TIMES, delta=0.1, per_axis=4)
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


def test_whole_numbers_have_their_places_and_odd_names_do_no_harm():
    member = Member("se", 0.1, (0.3, 0.6), 0.02)
    depth = prior_file(member, inputs=("depth=2..4 int", "b, or c=0..1"))
    assert assumed(depth, 0, TIMES, delta=0.1, per_axis=9).problem.domain.shape == (3, 9)


def test_a_drift_too_fast_for_epsilon_keeps_its_rate():
    fast = assumed(prior_file(Member("se", 300.0, (0.3, 0.6), 0.02)), 0, TIMES, delta=0.1,
                   per_axis=3).problem  # fmt: skip
    assert isinstance(fast.time_kernel, Matern) and fast.time_kernel.slope == pytest.approx(300.0)
    assert fast.epsilon < 1.0


def test_the_spread_is_that_of_the_draws():
    members = [Member("se", rate, (0.4, 0.4), 0.05, level) for rate in (0.01, 0.1, 1.0)
               for level in (0.0, 1.0)]  # fmt: skip
    file = prior_file(*members, weights=[1, 1, 0, 0, 1, 1])
    told = []

    def answered(problem, share):
        told.append((problem, share))
        return bounds_of(problem, certify=False).answer

    spread = spread_of(file, TIMES, answered, per_axis=4, draws=5)
    assert [share for _, share in told] == [0.0, 0.2, 0.4, 0.6, 0.8]
    assert {problem.domain.shape for problem, _ in told} == {(4, 4)}
    rates = [problem.time_kernel.slope for problem, _ in told]
    assert rates == sorted(rates) and pytest.approx(0.1) not in rates
    alone = []
    for problem, _ in told:
        level = getattr(problem.space_kernel, "level", 0.0)
        alone.append(
            2.0 * np.sqrt(1.0 + level) * bounds_of(problem, certify=False).answer.best().value
        )
    (row,) = [row for row in spread.rows if (row.name, row.kind) == ("regret", "probability")]
    assert (row.low, row.high) == pytest.approx((min(alone), max(alone)))
    assert (row.middle, row.average) == pytest.approx((np.median(alone), np.mean(alone)))
    mine = bounds_of(spread.fixed.problem, certify=False).answer.best().value * spread.fixed.unit
    assert mine == pytest.approx(np.median(alone))
    by_name = {(row.name, row.kind): row for row in spread.rows}
    assert by_name["gain", ""].covers == by_name["floor", "mean"].covers == "any policy"
    assert by_name["floor", "mean"].high <= by_name["regret", "mean"].low
    assert json.dumps(spread.draws) == "5" and spread.members == 6


@pytest.mark.parametrize("base", ["se", "matern12", "matern32", "matern52"])
def test_the_enclosure_of_a_level_holds_its_value(base):
    kernel = Levelled(base, 0.3, 0.7)
    for r in (0.05, 0.4, 2.0):
        low, high = endpoints(kernel.enclosed_at_distance(Fraction(r)))
        value = float(kernel.at_distance(r))
        assert float(low) - 1e-15 <= value <= float(high) + 1e-15 and float(high - low) < 1e-12
    assert kernel.enclosed_at_distance(0) == 1
