"""Certificates of floors and schedules: accepted as they are, refused when anything is bettered."""

import copy
from typing import Any

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.kernels import Forgetting, Independent, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret_itself.ceilings.schedule import Schedule
from bounds.regret_itself.floors.certificate import floor_certificate
from bounds.regret_itself.floors.floors import floors
from bounds.times import EvaluationTimes
from proofs_check.recheck.floor import recheck_floor, recheck_schedule
from proofs_check.recheck.outcome import Refused
from proofs_check.records.bound_certificate import problem_data
from simulation.before_run.schedule import schedule_bound
from simulation.before_run.schedule_search import quick_schedule

TIMES = EvaluationTimes.from_durations([1.0, 0.0, 0.3, 2.0, 1.0, 1.0])


def problem_with(kernel, **more: Any) -> Problem:
    given: dict[str, Any] = {"noise_variance": 0.1, "domain": Grid(2, 1.0, 10), **more}
    return Problem(TIMES, time_kernel=kernel, **given)


@pytest.mark.parametrize(
    "kernel", [Forgetting(0.1), Matern(0.5, 3.0), SquaredExponential(2.0)], ids=repr
)
@pytest.mark.parametrize("space", [SquaredExponential(0.2), Independent()], ids=repr)
@pytest.mark.parametrize("delay", [0, 2])
def test_a_floor_is_derived_again(kernel, space, delay):
    problem = problem_with(kernel, space_kernel=space)
    certificate = floor_certificate(problem, delay=delay)
    assert recheck_floor(certificate, problem_data(problem)) == certificate["value"]
    row = {r.name: r for r in floors(problem, delay=delay)}["rank"]
    assert certificate["value"] <= row.value * (1 + 1e-12)
    alone = floor_certificate(problem, delay=delay, rank=False)
    assert recheck_floor(alone, problem_data(problem)) <= certificate["value"] * (1 + 1e-12)


@pytest.mark.parametrize(
    "change",
    [
        lambda c, p: c.update(value=c["value"] * 1.001),
        lambda c, p: c["shares"].__setitem__(3, c["shares"][3] * 1.001),
        lambda c, p: c["maximum"].update(value=c["maximum"]["value"] * 1.001),
        lambda c, p: c["maximum"].update(points=list(range(90))),
        lambda c, p: c["maximum"].update(points=[0, 0, 3, 9]),
        lambda c, p: c["maximum"].update(points=[0.5, *c["maximum"]["points"][1:]]),
        lambda c, p: p.update(noise_variance=p["noise_variance"] / 2),
        lambda c, p: p["times"].__setitem__(3, 0.5),
        lambda c, p: p["times"].__setitem__(3, -0.5),
        lambda c, p: c.update(shares=c["shares"][:-1]),
        lambda c, p: c["shares"].__setitem__(1, 1.5),
        lambda c, p: p["time_kernel"].update(epsilon=0.05),
        lambda c, p: p.update(time_kernel={"type": "SquaredExponential", "lengthscale": 2.0}),
        lambda c, p: c.update(delay=-1),
    ],
)
def test_a_bettered_floor_is_refused(change):
    problem = problem_with(Forgetting(0.1))
    certificate, data = copy.deepcopy((floor_certificate(problem), problem_data(problem)))
    change(certificate, data)
    with pytest.raises(Refused):
        recheck_floor(certificate, data)


@pytest.mark.parametrize("count", [3, 4])
def test_a_common_part_that_is_told_is_checked(count):
    """Points that are close to each other share the most."""
    space, domain = SquaredExponential(0.8), Grid(1, 1.0, count)
    problem = problem_with(Forgetting(0.1), space_kernel=space, noise_variance=0.3, domain=domain)
    certificate = floor_certificate(problem, rank=False)
    data = problem_data(problem)
    assert certificate["common"] > 0.2
    assert recheck_floor(certificate, data) == certificate["value"]
    row = floors(problem)[0]
    assert certificate["value"] == pytest.approx(row.value)
    assert floor_certificate(problem)["value"] >= certificate["value"]
    for spoilt in (1.001 * certificate["common"], 0.0, 1.0, 1.5, -0.1):
        with pytest.raises(Refused):
            recheck_floor({**certificate, "common": spoilt}, data)


def test_bettered_weights_and_shares_of_other_kernels_are_refused():
    problem = problem_with(SquaredExponential(2.0))
    certificate = floor_certificate(problem)
    for change in (
        lambda c: c["weights"][4].__setitem__(0, c["weights"][4][0] + 0.1),
        lambda c: c["weights"].__setitem__(4, c["weights"][4][:-1]),
        lambda c: c["shares"].__setitem__(4, c["shares"][4] + 1e-6),
    ):
        spoilt = copy.deepcopy(certificate)
        change(spoilt)
        with pytest.raises(Refused):
            recheck_floor(spoilt, problem_data(problem))


def entry_of(schedule: Schedule, value: float, seed: int = 0) -> dict[str, Any]:
    rounds, points = list(schedule.rounds), list(schedule.points)
    return {"value": value, "rounds": rounds, "points": points, "seed": seed}


@pytest.mark.parametrize("kernel", [Forgetting(0.1), SquaredExponential(2.0)], ids=repr)
@pytest.mark.parametrize("space", [SquaredExponential(0.2), Matern(0.8, 0.4)], ids=repr)
def test_a_schedule_is_simulated_again(kernel, space):
    problem = problem_with(kernel, space_kernel=space, domain=Grid(2, 1.0, 6))
    schedule = quick_schedule(problem)
    found = schedule_bound(problem, schedule, draws=4_000)
    entry, data = entry_of(schedule, found.value, found.seed), problem_data(problem)
    assert recheck_schedule(entry, data) == found.value
    with pytest.raises(Refused):
        recheck_schedule({**entry, "value": 0.8 * found.estimate}, data)
    if schedule.rounds:
        with pytest.raises(Refused):
            recheck_schedule({**entry, "rounds": [99, *schedule.rounds[1:]]}, data)


@pytest.mark.parametrize("value", [0.0, 7.9])
def test_a_schedule_of_too_many_rounds_is_refused_after_the_first(value, monkeypatch):
    times = EvaluationTimes.from_durations([1.0] * 400)
    problem = Problem(times, epsilon=0.1, noise_variance=0.1, domain=Grid(1, 1.0, 3))
    solved = []
    solve = np.linalg.solve
    monkeypatch.setattr(np.linalg, "solve", lambda *args: solved.append(1) or solve(*args))
    with pytest.raises(Refused, match="comes out"):
        recheck_schedule(entry_of(Schedule((0, 1), (0, 2)), value), problem_data(problem))
    assert len(solved) < 40
