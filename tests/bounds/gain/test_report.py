"""The assembled bounds: each term by hand, validity of Theorem 1's hypothesis, limits."""

from __future__ import annotations

from math import log, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from bounds import enclosure
from bounds.confidence.schedules import finite_domain_beta
from bounds.domain import Grid
from bounds.enclosure import matrices
from bounds.errors import InvalidInput, NoEnclosure
from bounds.gain.bound import Bound, GainBound, Ingredients, with_enclosure
from bounds.gain.registry import GAIN_BOUNDS
from bounds.gain.report import bound_report, certified_report, in_order
from bounds.gain.upper.any_pattern import AnyPattern
from bounds.kernels import Matern
from bounds.problem import Problem
from bounds.times import EvaluationTimes

GAMMA = 3.0 * np.log1p(np.arange(20))


def steady(n=10, **options) -> Problem:
    return Problem(EvaluationTimes.from_durations(np.ones(n)), domain=Grid(2, 1.0, 5), **options)


def test_every_term_by_hand():
    problem = steady()
    report = bound_report(problem, GAMMA, lower=1.0)
    assert report.gains["trivial"].value == pytest.approx(5 * log(101))
    theta = -0.5 * log(0.99)
    by_span = GAMMA[10] + sqrt(2 * 100 * GAMMA[10] * 10 * theta * 9)
    assert by_span > report.gains["any_pattern"].value == report.gains["trivial"].value
    gentle = bound_report(steady(epsilon=1e-4), GAMMA, lower=1.0).gains["any_pattern"].value
    assert gentle == pytest.approx(
        GAMMA[10] + sqrt(2 * 100 * GAMMA[10] * 10 * -0.5 * log(1 - 1e-4) * 9)
    )
    for name in ("theorem1", "additive", "refined"):
        assert report.gains[name].value == report.partitions[name].value
    assert report.beta == pytest.approx(float(finite_domain_beta(10, 25, 0.1)))
    for name, bound in report.gains.items():
        by_hand = sqrt(8 / log(101) * report.beta * 10 * bound.value)
        assert report.regret[name] == pytest.approx(by_hand)
    assert report.best == min(b.value for b in report.gains.values() if b.valid)
    assert report.regret["best"] == report.regret[report.best_name]
    assert not any(b.certified for b in report.gains.values())


def bound_at(name: str, value: float, *looser: str, **more) -> GainBound:
    given_ = SimpleNamespace(name=name, improves_on=lambda problem: looser)
    return GainBound(given_, value, **more)


def test_bounds_are_raised_by_rounding_alone() -> None:
    def ordered(lower: float, *bounds: GainBound) -> list[float]:
        found = in_order(None, {bound.name: bound for bound in bounds}, lower)
        assert list(found) == [bound.name for bound in bounds]
        return [bound.value for bound in found.values()]

    near, far = 1.0 - 0.9e-9, 1.0 - 1.1e-9
    assert ordered(1.0, bound_at("a", near), bound_at("b", far), bound_at("c", 2.0)) == [
        1.0,
        far,
        2.0,
    ]
    assert ordered(1.0, bound_at("a", near, reason="fails")) == [near]
    assert ordered(float("nan"), bound_at("a", near)) == [near]
    # Each to the one that improves on it, the tightest first, as far as it is there.
    a, b = bound_at("a", near, certified=True), bound_at("b", near**0.5, "a", "missing")
    c = bound_at("c", 1.0, "b")
    assert ordered(0.0, a, b, c) == [1.0, 1.0, 1.0]
    assert in_order(None, {"a": a, "b": b, "c": c}, 0.0)["a"].certified
    assert ordered(0.0, bound_at("a", 3.0), bound_at("b", 2.0, "a")) == [3.0, 2.0]


def test_a_bound_without_an_enclosure_keeps_its_value() -> None:
    class Refusing(Bound):
        name = title = source = "refusing"

        def evaluate(self, given):
            return self.at(5.0, reason="") if given.problem.n < 9 else None

        def enclosed(self, given, bound):
            raise NoEnclosure("kernel", "k", "none")

    class Plain(Refusing):
        name = title = source = "plain"
        enclosed = Bound.enclosed

    for bound in (Refusing(), Plain()):
        assert GAIN_BOUNDS.register(bound) is bound
    try:
        with pytest.raises(InvalidInput) as caught:
            GAIN_BOUNDS.register(Refusing())
        said = "bound = refusing: is registered already: choose another name"
        assert str(caught.value) == said
        assert [b.name for b in GAIN_BOUNDS.all()] == list(GAIN_BOUNDS.names())
        assert GAIN_BOUNDS.titles()["refusing"] == "refusing" and GAIN_BOUNDS.names()[-2:] == (
            "refusing",
            "plain",
        )
        problem = steady(3)
        report = bound_report(problem, GAMMA, lower=0.25)
        assert report.gains["refusing"].value == 5.0 and not bound_report(
            steady(9), GAMMA, lower=0.25
        ).gains.keys() & {"refusing", "plain"}
        exact = certified_report(
            report,
            SimpleNamespace(values=GAMMA, certified=True),
            SimpleNamespace(indices=None),
        )
        for name in ("refusing", "plain"):
            assert exact.gains[name] == report.gains[name] and not exact.gains[name].certified
        assert exact.gains["refined"].certified and exact.beta_certified
        assert (exact.lower, exact.lower_certified) == (0.25, False)
        rough = certified_report(
            report, SimpleNamespace(values=GAMMA, certified=False), SimpleNamespace(indices=None)
        )
        assert {name for name, bound in rough.gains.items() if bound.certified} == {"trivial"}
        assert exact.regret_from(float("inf")) == float("inf")
    finally:
        for name in ("refusing", "plain", "never"):
            GAIN_BOUNDS.unregister(name)
    assert not {"refusing", "plain"} & set(GAIN_BOUNDS.names())


def test_the_order_of_the_reports() -> None:
    assert GAIN_BOUNDS.titles() == {
        "trivial": "trivial upper bound",
        "theorem1": "Theorem 1 as printed",
        "additive": "additive",
        "refined": "refined (Theorem A)",
        "any_pattern": "any pattern (Th. B)",
        "knots": "inducing times (Nyström)",
        "joint_dual": "joint dual",
    }
    assert tuple(GAIN_BOUNDS.titles()) == GAIN_BOUNDS.names()
    report = bound_report(steady(), GAMMA, lower=1.0)
    assert tuple(report.gains) == tuple(
        name for name in GAIN_BOUNDS.names() if name != "joint_dual"
    )
    assert report.dual is None and report.knots is report.gains["knots"].evidence
    costly = bound_report(steady(2), GAMMA, 1.0, costly=True)
    assert tuple(costly.gains) == GAIN_BOUNDS.names()
    assert costly.dual is costly.gains["joint_dual"].evidence


def test_enclosed_values_that_are_no_doubles_are_not_certified() -> None:
    given_ = Ingredients(steady(3), GAMMA, gamma_certified=True)
    assert given_.gamma_n == GAMMA[3] and given_.earlier == {}
    found = bound_at("a", 1.0, reason="why", evidence="old")
    for value in (None, float("inf"), float("nan")):
        assert with_enclosure(given_, found, value) is found
    rough = Ingredients(steady(3), GAMMA)
    for known in (given_, rough):
        new = with_enclosure(known, found, 1.5)
        assert (new.bound, new.value, new.reason) == (found.bound, 1.5, "why")
        assert (new.certified, new.evidence) == (known is given_, "old")


def test_theorem1_is_flagged_with_its_reason_and_never_best():
    problem = Problem(EvaluationTimes.from_durations([0.1] * 5), epsilon=0.95)
    report = bound_report(problem, GAMMA, lower=0.0)
    bound = report.gains["theorem1"]
    assert not bound.valid
    assert "0.1 apart" in bound.reason
    assert report.best_name != "theorem1"


def test_a_kernel_without_slope_keeps_the_refined_bound():
    problem = steady(time_kernel=Matern(0.3, 100.0))
    report = bound_report(problem, GAMMA, lower=0.0)
    assert report.gains["any_pattern"].value == float("inf")
    assert np.isfinite(report.gains["additive"].value)
    assert report.gains["refined"].value <= report.gains["additive"].value


def test_any_pattern_at_one_instant_is_gamma():
    given = Ingredients(steady(1), np.array([0.0, 2.0]))
    assert AnyPattern().evaluate(given).value == 2.0


@pytest.mark.parametrize("kernel", [Matern(0.5, 4.0), Matern(2.5, 4.0)], ids=lambda k: k.name)
def test_any_pattern_enclosed_is_the_formula_rounded_up(kernel) -> None:
    """γ_n + √(2sγ_n nθT), T the span after the first round, where the slope is known in balls."""
    problem = Problem(
        EvaluationTimes.from_durations([7.0, 1.0, 0.5]), time_kernel=kernel, noise_variance=0.3
    )
    given_ = Ingredients(problem, GAMMA, gamma_certified=True)
    rough = AnyPattern().evaluate(given_)
    with enclosure.precision(matrices.WORKING_BITS):
        found = AnyPattern().enclosed(given_, rough)
    assert found.certified is kernel.is_markov
    assert rough.value == pytest.approx(
        GAMMA[3] + sqrt(2 / 0.3 * GAMMA[3] * 3 * kernel.slope * 1.5), rel=1e-14
    )
    assert rough.value * (1 - 1e-15) <= found.value <= rough.value * (1 + 1e-14)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"epsilon": 1.0}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"noise_variance": 0.0}, "noise-variance"),
        ({"noise_variance": 1e-101}, "noise-variance"),
        ({"noise_variance": 1e101}, "noise-variance"),
        ({"noise_variance": float("inf")}, "noise-variance"),
        ({"delta": 0.0}, "delta"),
        ({"delta": 1.0}, "delta"),
    ],
)
def test_bad_problems_are_named(options, field):
    with pytest.raises(InvalidInput) as caught:
        steady(**options)
    assert caught.value.field == field


def test_grid_points():
    assert np.allclose(Grid(1, 2.0, 3).points[:, 0], [0.0, 1.0, 2.0])
    assert np.allclose(Grid(3, 2.0, 1).points, [[1.0, 1.0, 1.0]])
    grid = Grid(2, 1.0, 4)
    assert grid.size == len(grid.points) == 16
