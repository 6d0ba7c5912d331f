"""The laws over every registered bound on regret, each law against a bound that breaks it.

And a bound of a stranger, in one class: it is seen wherever bounds are.
"""

from __future__ import annotations

import json
from math import nan

import numpy as np
import pytest

from bounds.arithmetic import BALLS, DOUBLES
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.gain.bounds import bounds_of
from bounds.laws import check_regret_bound_laws
from bounds.problem import Problem
from bounds.registry import Registry
from bounds.regret.bound import Bound, FormulaBound
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.ingredients.quantities import LETTERS
from bounds.regret.lower.sandwich import SandwichFloor
from bounds.regret.registry import REGRET_BOUNDS
from bounds.regret.rows import regret_rows
from bounds.regret.upper.in_expectation.expected_maximum import SandwichUpper
from bounds.regret.upper.in_probability.deviations import DeviationCap
from bounds.times import EvaluationTimes
from ctv.cli import main


@pytest.mark.parametrize("bound", REGRET_BOUNDS.all(), ids=lambda bound: bound.name)
def test_what_is_registered_keeps_the_laws(bound: Bound) -> None:
    check_regret_bound_laws(bound, examples=4)


class TooLow(SandwichUpper):
    """Below what no policy can be below."""

    def formula(self, a, of):
        return super().formula(a, of) / 100


class NoNumber(SandwichUpper):
    def formula(self, a, of):
        return super().formula(a, of) * nan


class FewerIsMore(DeviationCap):
    def formula(self, a, of):
        return super().formula(a, of) / of.n / of.n


class Sure(DeviationCap):
    """Grows with the probability that it may fail."""

    def formula(self, a, of):
        return of.n * of.delta


class Inward(DeviationCap):
    """Enclosed below itself."""

    def formula(self, a, of):
        return super().formula(a, of) * (1 if a is DOUBLES else a.number(0.5))


class Unsaid(DeviationCap):
    """Fails, without a word of the field."""

    def failure(self, given):
        return "no"


class Hours(DeviationCap):
    """In other units another bound."""

    def evaluate(self, given):
        value = float(np.sum(given.problem.times.durations)) + given.problem.n * 100.0
        return self.at(value, self.source, level=1.0 - given.problem.delta)

    def enclosed(self, given, bound):
        return bound


class High(SandwichFloor):
    """A lower bound above what a policy may lose."""

    def evaluate(self, given):
        return self.at(100.0 * given.problem.n, self.source)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (TooLow(), "is above sandwich_upper"),
        (NoNumber(), "is no number"),
        (FewerIsMore(), "falls with a further round"),
        (Sure(), "falls with a smaller delta"),
        (Inward(), "its enclosure is below it"),
        (Unsaid(), "no field is named"),
        (Hours(), "other units"),
        (High(), "sandwich is above"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Bound) else "",
)
def test_a_broken_law_is_seen(broken: Bound, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check_regret_bound_laws(broken, examples=20)


QUANTITIES = (
    *("n", "size", "delta", "noise", "beta", "gain", "maximum", "explained", "ties", "margin"),
    *("deviations", "mean_deviation", "variances", "range_variance", "own_range_variance"),
    *("exploration", "exploration_tail", "supremum"),
)


@pytest.mark.parametrize(
    "bound",
    [each for each in REGRET_BOUNDS.all() if isinstance(each, FormulaBound)],
    ids=lambda bound: bound.name,
)
def test_a_formula_says_the_same_in_doubles_balls_and_symbols(bound: FormulaBound) -> None:
    """At quantities that are the same numbers in all three readings."""
    values = {str(getattr(LETTERS, name)): 1.3 + 0.17 * i for i, name in enumerate(QUANTITIES)}
    values["delta"] = 0.1

    class Quantities:
        def __init__(self, number):
            self._number = number

        def __getattr__(self, name):
            return self._number(values[str(getattr(LETTERS, name))])

        @property
        def gains(self):
            return ((self.noise, self.gain),)

        def rare_event_mean(self, p):
            return p / self.size

    doubles = bound.formula(DOUBLES, Quantities(float))
    ball = bound.formula(BALLS, Quantities(BALLS.number))
    assert float(ball.mid()) == pytest.approx(doubles, rel=1e-12)
    term = bound.symbolic().replace(lambda t: str(t.func) == "I", lambda t: t.args[0])
    found = term.subs({letter: values[letter.name] for letter in term.free_symbols})
    assert float(found) == pytest.approx(doubles, rel=1e-12)


class Stranger(FormulaBound):
    """m* a round, with the name of nobody here."""

    name = "of_a_stranger"
    title = "a stranger's bound"
    source = "½·m*·n"
    direction = "upper"
    covers = (("ctv-fixed", "theory"),)
    kind = "probability"

    def formula(self, a, of):
        return of.maximum * of.n / 2


@pytest.fixture
def stranger():
    yield REGRET_BOUNDS.register(Stranger())
    REGRET_BOUNDS.unregister("of_a_stranger")


WORDS = ["--n", "6", "--total", "6", "--grid", "3"]


def test_a_bound_of_one_class_is_seen_everywhere(stranger, capsys) -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 6), domain=Grid(2, 1.0, 3))
    found = bounds_of(problem)
    assert found.answer.best().name == "of_a_stranger"
    assert found.answer.best(certified=True).certified

    def ask(*words: str) -> None:
        with pytest.raises(SystemExit) as left:
            main([*words])
        assert left.value.code in (0, None)

    ask("bound", *WORDS, "--json")
    body = json.loads(capsys.readouterr().out)
    assert "of_a_stranger" in {row["name"] for row in body["beside"]}
    assert body["answer"]["headline"]["bound"]["name"] == "of_a_stranger"
    for command in ("bound", "ladder"):
        ask(command, *WORDS, *(["--all"] if command == "bound" else []))
        assert "a stranger's bound" in " ".join(capsys.readouterr().out.split())


def test_what_entry_points_bring_is_listed(monkeypatch) -> None:
    class Entry:
        name = "brought"

        def __init__(self, found):
            self._found = found

        def load(self):
            return self._found

    asked = []

    def points(found):
        def of(*, group):
            asked.append(group)
            return [Entry(found)]

        return of

    for found in (Stranger, Stranger()):
        monkeypatch.setattr("bounds.registry.entry_points", points(found))
        registry = Registry[Bound](Bound, "regret bound", "a group")
        assert registry.names() == ("of_a_stranger",) and registry.titles()
        assert registry.named("of_a_stranger").covers == Stranger.covers
        with pytest.raises(InvalidInput, match="regret bound = of_a_stranger: is registered"):
            registry.register(Stranger())
    assert asked == ["a group", "a group"]
    monkeypatch.setattr("bounds.registry.entry_points", points(7))
    with pytest.raises(InvalidInput, match="regret bound = 7: the entry point brought"):
        Registry[Bound](Bound, "regret bound", "a group").all()


def test_rows_are_in_the_order_of_the_registry() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 2), domain=Grid(1, 1.0, 2))
    names = [row.name for row in regret_rows(Ingredients(problem))]
    order = [name for name in REGRET_BOUNDS.names() if name in names]
    assert list(dict.fromkeys(names)) == order
