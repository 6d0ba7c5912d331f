"""Bugs planted in the simulator and in the bounds, which the laws must find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from bounds import formulas
from bounds.domain import Arms, Grid
from bounds.gain.bound import Bound
from bounds.gain.upper.any_pattern import AnyPattern
from bounds.gain.upper.joint_dual import JointDualBound
from bounds.gain.upper.knots import Knots
from bounds.gain.upper.partitioned import Additive, Refined, Theorem1
from bounds.problem import Problem
from bounds.regret.ingredients import full_information
from simulation.laws import cases, check_policy_laws, check_run_laws
from simulation.laws.case import one_run, play
from simulation.laws.choice_laws import choice_laws
from simulation.laws.inequality import require
from simulation.laws.looked_at import Looked
from simulation.laws.policy_laws import hold
from simulation.laws.sameness import same_seed
from simulation.model.posterior import MarkovPosterior
from simulation.policies import base
from simulation.policies.registry import forget, register
from simulation.policies.upper_confidence import CtvFixed
from simulation.policies.yardsticks import RandomChoice
from simulation.runs.run import Trajectory, simulate
from simulation.study.study import StudySpec
from simulation.world import evaluation_time
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


class Bug(NamedTuple):
    """What is replaced where, what stands for it, and what the law that finds it says."""

    home: Any
    name: str
    wrong: Callable[[Any], Any]
    said: str
    by_choices: bool = False


CHOICE = "the largest acquisition <= that of its choice"
LOG_DETERMINANT = "the log determinant is the sum over rounds"

BUGS = {
    "beta of another union bound": Bug(
        evaluation_time,
        "finite_domain_beta",
        lambda right: lambda n, *of: right(1, *of) + 2.0 * np.log(np.asarray(n, dtype=float)),
        r"2 log\(\|D\| pi_i/delta\) <= beta_i",
    ),
    "beta that forgets the windows of Theorem C": Bug(
        evaluation_time,
        "point_times_beta",
        lambda right: lambda *given, slope, longest: right(*given, slope=0.0, longest=longest),
        "the conditions of Theorem C <= beta_i",
    ),
    "policy with a beta of its own": Bug(
        base, "betas", lambda right: lambda *of: 0.25 * right(*of), CHOICE, True
    ),
    "policy that forgets the root of beta": Bug(
        base, "betas", lambda right: lambda *of: right(*of) ** 2, CHOICE, True
    ),
    "stale time": Bug(
        CtvFixed,
        "criterion",
        lambda right: lambda self, i: right(self, max(i - 1, 0)),
        CHOICE,
        True,
    ),
    "posterior that stands still": Bug(
        MarkovPosterior,
        "observe",
        lambda right: lambda self, index, elapsed, value: right(self, index, 0.0, value),
        LOG_DETERMINANT,
    ),
    "gain that lost its half": Bug(
        Trajectory,
        "cumulative_gain",
        lambda right: property(lambda run: 2.0 * right.__get__(run)),
        LOG_DETERMINANT,
    ),
    "half of C1": Bug(
        formulas,
        "regret_constant",
        lambda right: lambda a, noise: right(a, noise) / 2,
        "regret by theorem1 is its formula",
    ),
    "floors that are four times too high": Bug(
        full_information, "_DOWN", lambda right: 4.0, "full-information <= "
    ),
}


@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_found(name: str, monkeypatch: Patch) -> None:
    bug = BUGS[name]
    monkeypatch.setattr(bug.home, bug.name, bug.wrong(getattr(bug.home, bug.name)))
    found(bug.said, *((300, choices) if bug.by_choices else ()))


@pytest.mark.parametrize(
    ("bound", "left"),
    [
        *((bound, "half") for bound in (Theorem1, Additive, AnyPattern, Knots, JointDualBound)),
        (Refined, "half"),
        (Refined, "gain without drift"),
    ],
    ids=lambda of: getattr(of, "name", of),
)
def test_a_bound_that_lost_something(bound: type[Bound], left: str, monkeypatch: Patch) -> None:
    right = bound.evaluate

    def evaluate(self, given):
        value = right(self, given)
        if value is None:
            return None
        return replace(value, value=0.5 * value.value if left == "half" else value.evidence.gain)

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
