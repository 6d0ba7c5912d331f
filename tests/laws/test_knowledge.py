"""The laws on what policies may know: each holds of every policy, and finds one that breaks it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from bounds.domain import Arms
from simulation.laws.case import one_run
from simulation.laws.drawn import cases
from simulation.laws.knowledge import (
    KNOWLEDGE_LAWS,
    deafened,
    every_policy_says_what_it_is,
    in_the_domain,
    times_that_it_does_not_know,
    what_is_to_come,
    what_was_not_observed,
)
from simulation.laws.policy_laws import hold
from simulation.policies.base import ModelPolicy, Policy, Times
from simulation.policies.registry import forget, names, register
from simulation.policies.yardsticks import RandomChoice
from simulation.study.study import StudySpec


@pytest.mark.parametrize("policy", names())
def test_every_policy_knows_what_it_says(policy: str) -> None:
    for law in KNOWLEDGE_LAWS:
        hold(law, cases(policies=(policy,), longest=8, largest=12), 3)


class Cheat(RandomChoice):
    """What the policies below share."""

    name, title = "cheat", "Cheat"

    def __init__(self, setup) -> None:
        super().__init__(setup)
        self.seen = np.zeros(setup.problem.domain.size)


class FromTheEnd(Cheat):
    """Counts points from the end of the domain."""

    def choose(self, round_index: int) -> int:
        return -1


class Peeks(Cheat):
    """Sees f and does not say so."""

    def choose(self, round_index: int) -> int:
        return int(np.argmax(self.seen))

    def reveal(self, objective) -> None:
        self.seen = objective


class Punctual(Cheat):
    """Knows the durations of its rounds and says that it knows none."""

    def choose(self, round_index: int) -> int:
        return int(self._setup.evaluation_time.of_round(round_index)) % len(self.seen)


class Obstinate(ModelPolicy):
    """Hears of every observation a million million times as much."""

    name, title = "cheat", "Cheat"
    times = Times.KNOWN

    def observe(self, point, duration: float, value: float) -> float | None:
        return super().observe(point, duration, 1e12 * value)


@pytest.fixture(autouse=True)
def cheat() -> Iterator[None]:
    yield
    forget("cheat")


def case_of(policy: type[Policy]) -> StudySpec:
    """A study of one run of a policy that is registered for it."""
    register(policy)
    return one_run(Arms(6), (1.0, 2.0, 5.0, 3.0, 4.0, 2.0), 1, 5, policy="cheat")


@pytest.mark.parametrize(
    ("policy", "law", "said"),
    [
        (FromTheEnd, in_the_domain, "points .* of 6"),
        (Peeks, what_was_not_observed, "another where nothing was observed"),
        (Punctual, times_that_it_does_not_know, "other times are known"),
        (Obstinate, deafened, "beside endless noise"),
    ],
)
def test_a_policy_that_breaks_its_word_is_found(policy: type[Policy], law, said) -> None:
    case = case_of(policy)
    with pytest.raises(AssertionError, match=said):
        law(case)


def test_words_that_contradict_each_other_are_found() -> None:
    class Both(Cheat):
        sees_objective, covered_by = True, ("theorem-1",)

    register(Both)
    with pytest.raises(AssertionError, match="sees f and is covered"):
        every_policy_says_what_it_is()
    forget("cheat")

    class Same(Cheat):
        title = "TV-GP-UCB"

    register(Same)
    with pytest.raises(AssertionError, match="share a title"):
        every_policy_says_what_it_is()


def test_a_policy_that_foresees_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing hands the future to a policy: a path that is read ahead stands for it."""

    class Foresees(Cheat):
        sees_objective = True

        def choose(self, round_index: int) -> int:
            return int(np.argmax(TOLD[-1][round_index]))

    from simulation.laws import case as room

    TOLD: list = []
    right = room.Told.__init__

    def told(path, objective) -> None:
        TOLD.append(objective)
        right(path, objective)

    monkeypatch.setattr(room.Told, "__init__", told)
    TOLD.append(np.random.default_rng(0).normal(size=(6, 6)))
    case = case_of(Foresees)
    with pytest.raises(AssertionError, match="f is another from round"):
        what_is_to_come(case)
