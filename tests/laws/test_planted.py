"""Bugs planted in the simulator and in the bounds, which the laws must find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from bounds.confidence import schedules
from bounds.domain import Arms, Grid
from bounds.gain.bound import Bound
from bounds.gain.upper.any_pattern import AnyPattern
from bounds.gain.upper.joint_dual import JointDualBound
from bounds.gain.upper.knots import Knots
from bounds.gain.upper.partitioned import Additive, Refined, Theorem1
from bounds.problem import Problem
from simulation.laws import cases, check_policy_laws, check_run_laws, confidence_laws
from simulation.laws.case import one_run, play
from simulation.laws.choice_laws import choice_laws
from simulation.laws.inequality import require
from simulation.laws.looked_at import Looked
from simulation.laws.policy_laws import hold
from simulation.laws.sameness import same_seed
from simulation.model.posterior import MarkovPosterior
from simulation.policies import base
from simulation.policies.base import Criterion
from simulation.policies.registry import forget, register
from simulation.policies.upper_confidence import CtvFixed
from simulation.policies.yardsticks import RandomChoice
from simulation.runs.run import Trajectory, simulate
from simulation.study.study import StudySpec
from simulation.world.evaluation_time import constant

Patch = pytest.MonkeyPatch


def choices(case: StudySpec) -> None:
    """The choices of a run alone: the laws that a policy's own mistake breaks."""
    require(choice_laws(play(case)))


def found(said: str, examples: int = 60, law: Callable[[StudySpec], None] | None = None) -> None:
    """A law fails, the words are in what it says, and so is a command line."""
    drawn = cases(policies=("ctv-fixed",), time_kernels=("forgetting",), longest=8, largest=9)
    with pytest.raises(AssertionError, match=said) as failure:
        hold(law or Looked().at, drawn, examples, shrink=False)
    assert "ctv simulate --" in str(failure.value)


def test_a_beta_of_another_union_bound(monkeypatch: Patch) -> None:
    def wrong(n, domain_size, delta):
        return 2.0 * np.log(domain_size * np.asarray(n, dtype=float) / delta)

    monkeypatch.setattr(confidence_laws, "finite_domain_beta", wrong)
    found(r"2 log\(\|D\| pi_i/delta\) <= beta_i")


def test_a_policy_with_a_beta_of_its_own(monkeypatch: Patch) -> None:
    right = schedules.finite_domain_beta
    monkeypatch.setattr(base, "finite_domain_beta", lambda *given: 0.25 * right(*given))
    found("the largest acquisition <= that of its choice", 300, choices)


def test_a_beta_that_forgets_the_windows_of_theorem_c(monkeypatch: Patch) -> None:
    right = confidence_laws.point_times_beta

    def wrong(n, domain_size, delta, *, slope, longest):
        return right(n, domain_size, delta, slope=0.0, longest=longest)

    monkeypatch.setattr(confidence_laws, "point_times_beta", wrong)
    found("the conditions of Theorem C <= beta_i")


def test_a_gain_that_lost_its_half(monkeypatch: Patch) -> None:
    def twice(run: Trajectory) -> np.ndarray:
        return np.cumsum(np.log1p(run.deviations**2 / run.noise_variance))

    monkeypatch.setattr(Trajectory, "cumulative_gain", property(twice))
    found("the log determinant is the sum over rounds")


def test_a_stale_time(monkeypatch: Patch) -> None:
    right = CtvFixed.criterion

    def stale(policy: CtvFixed, round_index: int) -> Criterion:
        return right(policy, max(round_index - 1, 0))

    monkeypatch.setattr(CtvFixed, "criterion", stale)
    found("the largest acquisition <= that of its choice", 300, choices)


def test_a_posterior_that_stands_still(monkeypatch: Patch) -> None:
    right = MarkovPosterior.observe

    def still(model: MarkovPosterior, index: int, elapsed: float, value: float) -> float:
        return right(model, index, 0.0, value)

    monkeypatch.setattr(MarkovPosterior, "observe", still)
    found("the log determinant is the sum over rounds")


def smaller(bound: type[Bound], wrong: Callable[[float, Problem], float], patch: Patch) -> None:
    right = bound.evaluate

    def evaluate(self, given):
        value = right(self, given)
        if value is None:
            return None
        return replace(value, value=wrong(value.value, given.problem))

    patch.setattr(bound, "evaluate", evaluate)
    patch.setattr(bound, "enclosed", lambda self, given, value: value)


@pytest.mark.parametrize(
    "bound",
    [Theorem1, Additive, Refined, AnyPattern, Knots, JointDualBound],
    ids=lambda bound: bound.name,
)
def test_a_bound_that_lost_a_half(bound: type[Bound], monkeypatch: Patch) -> None:
    smaller(bound, lambda value, problem: 0.5 * value, monkeypatch)
    found(f"<= {bound.name}")


@pytest.mark.parametrize("bound", [Theorem1, Additive, Refined], ids=lambda bound: bound.name)
def test_a_bound_without_its_drift(bound: type[Bound], monkeypatch: Patch) -> None:
    right = bound.evaluate

    def evaluate(self, given):
        value = right(self, given)
        return replace(value, value=value.evidence.gain)

    monkeypatch.setattr(bound, "evaluate", evaluate)
    monkeypatch.setattr(bound, "enclosed", lambda self, given, value: value)
    found(rf"<= {bound.name}|{bound.name} is its formula", 150)


def test_a_policy_that_is_not_reproducible(monkeypatch: Patch) -> None:
    drawn_before = np.random.default_rng(0)

    def choose(policy: RandomChoice, round_index: int) -> int:
        return int(drawn_before.integers(policy._setup.problem.domain.size))

    monkeypatch.setattr(RandomChoice, "choose", choose)
    with pytest.raises(AssertionError, match="twice: other points"):
        same_seed(one_run(Arms(20), (1.0,) * 9, 0, 9, policy="random"))


def test_a_policy_of_ones_own() -> None:
    class Last(RandomChoice):
        name, title = "last", "Last"

        def choose(self, round_index: int) -> int:
            return self._setup.problem.domain.size - 1

    register(Last)
    try:
        assert check_policy_laws("last", examples=8).cases >= 8
    finally:
        forget("last")


def test_check_run_laws_takes_what_simulate_returns() -> None:
    problem = Problem([1.0], domain=Grid(2, 1.0, 3), noise_variance=0.1)
    run = simulate(problem, constant(2.0, 6), "ts", initial=2, rounds=4)
    check_run_laws(problem, run)
    with pytest.raises(AssertionError, match="log determinant"):
        check_run_laws(problem, replace(run, deviations=0.9 * run.deviations))
    with pytest.raises(AssertionError, match="0 <= regret"):
        check_run_laws(problem, replace(run, best_values=run.values - 1.0))
