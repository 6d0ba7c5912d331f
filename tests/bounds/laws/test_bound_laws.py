"""The laws over every bound that is registered, and each law against a bound that breaks it."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from bounds.gain.bound import Bound
from bounds.gain.registry import GAIN_BOUNDS
from bounds.gain.upper.trivial import TrivialCap
from bounds.laws import check_bound_laws
from bounds.laws.bound_laws import max_gain, max_space_gains
from bounds.problem import Problem


@pytest.mark.parametrize("bound", GAIN_BOUNDS.all(), ids=lambda bound: bound.name)
def test_what_is_registered_keeps_the_laws(bound: Bound) -> None:
    check_bound_laws(bound, examples=10)


class Broken(TrivialCap):
    """The trivial cap, and one thing that is not so."""

    def __init__(self, lie: str) -> None:
        self.lie = lie

    def evaluate(self, given):
        n, noise, span = given.problem.n, given.problem.noise_variance, given.problem.times.span
        factor = {
            "low": 0.01,
            "nan": nan,
            "rounds": 25.0 / n**2,
            "noise": 1.0 + noise**2,
            "drift": 2.0**n * (1.0 + 1.0 / (1.0 + span)),
            "wobbling": (5.0 - 0.05 * (n % 2 == 0)) / n,
        }.get(self.lie, 1.0)
        found = super().evaluate(given)
        return replace(found, value=factor * found.value, certified=self.lie == "floating point")

    def improves_on(self, problem):
        return {"above": ("refined",), "unknown": ("nobody",)}.get(self.lie, ())

    def enclosed(self, given, bound):
        if self.lie == "curve":
            return replace(bound, value=bound.value + given.gamma_n, certified=True)
        value = {"inward": 0.9 * bound.value, "infinite": inf}.get(self.lie, bound.value)
        return replace(bound, value=value, certified=True)


@pytest.mark.parametrize(
    ("lie", "says"),
    [
        ("low", "above it"),
        ("nan", "no number"),
        ("floating point", "called certified"),
        ("rounds", "further round"),
        ("noise", "with the noise"),
        ("drift", "cost"),
        ("above", "above refined"),
        ("unknown", "not known"),
        ("inward", "enclosure is below"),
        ("infinite", "infinite"),
        ("curve", "rests on"),
        ("wobbling", "further round"),
    ],
)
def test_a_lie_is_found(lie: str, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        check_bound_laws(Broken(lie), examples=15)


def test_the_truth_is_not_a_lie_and_slack_is_given() -> None:
    check_bound_laws(Broken("none"), examples=15)
    check_bound_laws(Broken("wobbling"), examples=15, slack=0.02)


def test_gains_by_every_design() -> None:
    """One round: ½ log(1 + s). Two equal instants at far points: both gain nearly that."""
    from bounds.domain import Arms

    one = Problem([1.0], noise_variance=0.5, domain=Arms(3))
    assert max_gain(one) == pytest.approx(0.5 * np.log(3.0))
    two = replace(one, times=Problem([1.0, 0.0]).times)
    assert max_gain(two) == pytest.approx(np.log(3.0))
    assert max_space_gains(two) == pytest.approx([0.0, 0.5 * np.log(3.0), np.log(3.0)])
