"""How many rounds until regret is low: by the bounds at so many rounds, and by hand."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cache
from math import log, sqrt

import numpy as np
import pytest

from bounds.confidence.schedules import finite_domain_beta
from bounds.domain import Arms, Grid
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.errors import InvalidInput
from bounds.gain import planning
from bounds.gain.bounds import bounds_of
from bounds.gain.planning import equal_steps, rounds_until_level
from bounds.kernels import Forgetting, Matern
from bounds.problem import Problem
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.regret_bound import RegretBound
from bounds.times import EvaluationTimes


def test_until_is_what_the_bounds_say_at_so_many_rounds() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0] * 6), 1e-4, domain=Arms(3))

    @cache
    def rows_of(rounds: int) -> tuple[RegretBound, ...]:
        return bounds_of(equal_steps(problem, rounds), certify=False).answer.regret

    for one in rounds_until_level(problem, 0.5, most=100).bounds:
        if one.rounds is not None:
            rows = rows_of(one.rounds)
            least = min(
                row.value for row in rows if (row.covers, row.kind) == (one.covers, one.kind)
            )
            # Equal blocks and blocks of one length are looser than the searches behind a bound.
            assert least <= 0.5 * one.rounds * (1.0 + 1e-9)


def test_until_by_the_formula_where_nothing_drifts() -> None:
    # One point that stands still: the gain of n looks is ½log(1 + n/σ²) whatever the partition.
    times = EvaluationTimes.from_durations([1.0] * 4)
    problem = Problem(times, 0.0, domain=Arms(2), noise_variance=1.0)
    found = {one.name: one.rounds for one in rounds_until_level(problem, 0.9).bounds}

    def envelope(n: int) -> float:
        # Two arms: each looked at n/2 times at best; h of the mean gain, as Lemma S has it.
        gain = log(1.0 + n / 2.0) / n
        mean = sqrt(min(1.0, np.expm1(2.0 * gain)))
        return 2.0 * sqrt(float(finite_domain_beta(n, 2, problem.delta))) * mean

    by_hand = next(n for n in range(1, 5_000) if envelope(n) <= 0.9)
    assert found["envelope"] is not None
    assert found["envelope"] <= 1.02 * by_hand + 2


@pytest.mark.parametrize("level", [0.0, -1.0, float("inf"), float("nan")])
def test_until_refuses(level: float) -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Grid(1, 1.0, 2))
    with pytest.raises(InvalidInput) as caught:
        rounds_until_level(problem, level)
    assert str(caught.value) == f"until = {level}: give a positive regret per round"


def test_gains_of_blocks_add_up(monkeypatch) -> None:
    """Blocks of three rounds at the dual of three, the rest at the cap, or whole partitions."""
    monkeypatch.setattr(planning, "LONGEST_DUAL", 3)
    times = EvaluationTimes.from_durations([0.5, 1.5])
    problem = Problem(times, 0.05, domain=Grid(1, 1.0, 3), noise_variance=0.2)
    rows = planning._Rows(problem, 12)
    for noise in rows._curves:
        at_noise = replace(problem, noise_variance=noise)
        cap = at_noise.trivial_gain_per_round
        dual = joint_dual(equal_steps(at_noise, 3)).value
        for n in (1, 3, 7, 8, 12):
            blocks = n // 3 * dual + min(dual, n % 3 * cap)
            found = rows._gain(noise, n)
            assert found == min(blocks, n * cap, rows._by_blocks(noise, n))
            assert found >= joint_gain_lower(equal_steps(at_noise, n)).value * (1 - 1e-12)


def test_a_dual_that_is_too_dear_is_not_needed(monkeypatch) -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0]), 0.05, domain=Arms(2))
    monkeypatch.setattr(planning, "joint_dual", lambda problem: None)
    rows = planning._Rows(problem, 5)
    for noise in rows._curves:
        cap = replace(problem, noise_variance=noise).trivial_gain_per_round
        assert rows._gain(noise, 5) == min(rows._by_blocks(noise, 5), 5 * cap)


def test_the_smallest_row_of_each_policy_and_kind_is_kept(monkeypatch) -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0]), 0.05, domain=Arms(2))
    rows = planning._Rows(problem, 4)
    known = rows.at(3)
    assert rows.at(3) is known
    assert all(key == (row.policy, row.exploration, row.kind) for key, row in known.items())
    some = next(iter(known.values()))
    above = [
        replace(some, name="dearer", value=1.01 * some.value),
        replace(some, name="same"),
        replace(some, name="new", policy="other"),
    ]
    own = tuple(known.values())
    monkeypatch.setattr(planning, "regret_rows", lambda given, direction: (*own, *above))
    again = planning._Rows(problem, 4).at(3)
    assert {row.name for row in again.values()} >= {some.name, "new"}
    assert not {"dearer", "same"} & {row.name for row in again.values()}


def test_a_kernel_that_is_not_markov_is_tried_for_fewer_rounds(monkeypatch) -> None:
    monkeypatch.setattr(planning, "MOST_WITHOUT_MARKOV", 5)
    asked = []
    monkeypatch.setattr(
        planning, "floor_rounds_until", lambda *said, **more: asked.append((*said, more)) or 7
    )
    times = EvaluationTimes.from_durations([1.0, 2.0])
    smooth, rough = Matern(2.5, 30.0), Forgetting(0.05)
    for kernel, most, tried in ((smooth, 9, 5), (smooth, 4, 4), (rough, 9, 9)):
        problem = Problem(times, 0.05, kernel, domain=Arms(2))
        found = rounds_until_level(problem, 1e-9, most=most, delay=most % 2)
        assert {(one.most, one.rounds) for one in found.bounds} == {(tried, None)}
        least = least_maximum(problem).value
        assert asked.pop() == (1.5, kernel, 0.01, least, 1e-9, {"delay": most % 2})
    assert asdict(found) == {
        "level": 1e-9,
        "duration": 1.5,
        "bounds": tuple(asdict(one) for one in found.bounds),
        "floor": 7,
        "most_of_floor": 1_000_000,
    }


def test_steps_are_of_the_mean_duration_and_late_results_leave_bounds_of_any_policy() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0, 4.0]), 0.01, domain=Arms(2))
    assert np.all(equal_steps(problem, 7).times.durations == 2.5)
    prompt, late = (rounds_until_level(problem, 0.5, delay=d, most=16) for d in (0, 3))
    assert prompt.duration == late.duration == 2.5 and prompt.level == 0.5
    assert late.floor >= prompt.floor
    assert {one.covers for one in late.bounds} <= {"any policy"}
    assert len(prompt.bounds) > len(late.bounds)
    assert all(one.most == 16 and (one.rounds or 1) <= 16 for one in prompt.bounds)
    assert len({(one.covers, one.kind) for one in prompt.bounds}) == len(prompt.bounds)
