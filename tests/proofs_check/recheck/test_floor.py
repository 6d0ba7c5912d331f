"""Certificates of floors and schedules: accepted as they are, refused when anything is bettered."""

import copy

import numpy as np
import pytest

from bounds.domain import Arms, Grid
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret_itself.ceilings.schedule import Schedule
from bounds.regret_itself.floors.certificate import floor_certificate, schedule_certificate
from bounds.regret_itself.floors.floors import floors
from bounds.times import EvaluationTimes
from proofs_check.recheck.floor import recheck_floor, recheck_schedule
from proofs_check.recheck.outcome import Refused
from simulation.before_run.schedule import schedule_bound
from simulation.before_run.schedule_search import quick_schedule

TIMES = EvaluationTimes.from_durations([1.0, 0.0, 0.3, 2.0, 1.0, 1.0])
GRAM = np.array([[1.0, 0.3, -0.1], [0.3, 1.0, 0.2], [-0.1, 0.2, 1.0]])


def problem_with(kernel) -> Problem:
    return Problem(TIMES, time_kernel=kernel, noise_variance=0.1, domain=Grid(2, 1.0, 10))


@pytest.mark.parametrize(
    "kernel", [Forgetting(0.1), Matern(0.5, 3.0), SquaredExponential(2.0)], ids=repr
)
@pytest.mark.parametrize("gram", [None, GRAM], ids=["grid", "gram"])
@pytest.mark.parametrize("delay", [0, 2])
def test_a_floor_is_derived_again(kernel, gram, delay):
    problem = problem_with(kernel)
    certificate = floor_certificate(problem, gram=gram, delay=delay)
    assert recheck_floor(certificate) == certificate["value"]
    row = {r.name: r for r in floors(problem, gram=gram, delay=delay)}["rank"]
    assert certificate["value"] <= row.value * (1 + 1e-12)
    alone = floor_certificate(problem, gram=gram, delay=delay, rank=False)
    assert recheck_floor(alone) <= certificate["value"] * (1 + 1e-12)


def forged(change) -> dict:
    certificate = copy.deepcopy(floor_certificate(problem_with(Forgetting(0.1))))
    change(certificate)
    return certificate


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.update(value=c["value"] * 1.001),
        lambda c: c["shares"].__setitem__(3, c["shares"][3] * 1.001),
        lambda c: c["maximum"].update(value=c["maximum"]["value"] * 1.001),
        lambda c: c["maximum"].update(points=list(range(90))),
        lambda c: c["maximum"].update(points=[0, 0, 3, 9]),
        lambda c: c.update(noise_variance=c["noise_variance"] / 2),
        lambda c: c["durations"].__setitem__(3, "1/2"),
        lambda c: c.update(shares=c["shares"][:-1]),
        lambda c: c["shares"].__setitem__(1, 1.5),
        lambda c: c["time_kernel"].update(epsilon=0.05),
        lambda c: c.update(time_kernel={"type": "SquaredExponential", "lengthscale": 2.0}),
        lambda c: c.update(delay=-1),
    ],
)
def test_a_bettered_floor_is_refused(change):
    with pytest.raises(Refused):
        recheck_floor(forged(change))


@pytest.mark.parametrize("domain", [Arms(3), Grid(1, 1.0, 4)], ids=["arms", "line"])
@pytest.mark.parametrize("gram", [None, GRAM + 0.5 * (1.0 - np.eye(3))], ids=["domain", "gram"])
def test_a_common_part_that_is_told_is_checked(domain, gram):
    gram = None if gram is None else np.where(np.eye(3) > 0, 1.0, gram)
    problem = Problem(TIMES, time_kernel=Forgetting(0.1), noise_variance=0.3, domain=domain)
    certificate = floor_certificate(problem, gram=gram, rank=False)
    assert certificate["common"] > 0.2
    assert recheck_floor(certificate) == certificate["value"]
    row = floors(problem, gram=gram)[0]
    assert certificate["value"] == pytest.approx(row.value)
    assert floor_certificate(problem, gram=gram)["value"] >= certificate["value"]
    for spoilt in (1.001 * certificate["common"], 0.0, 1.0, -0.1):
        with pytest.raises(Refused):
            recheck_floor({**certificate, "common": spoilt})


def test_bettered_weights_and_shares_of_other_kernels_are_refused():
    certificate = floor_certificate(problem_with(SquaredExponential(2.0)))
    for change in (
        lambda c: c["weights"][4].__setitem__(0, c["weights"][4][0] + 0.1),
        lambda c: c["weights"].__setitem__(4, c["weights"][4][:-1]),
        lambda c: c["shares"].__setitem__(4, c["shares"][4] + 1e-6),
    ):
        spoilt = copy.deepcopy(certificate)
        change(spoilt)
        with pytest.raises(Refused):
            recheck_floor(spoilt)


@pytest.mark.parametrize("kernel", [Forgetting(0.1), SquaredExponential(2.0)], ids=repr)
@pytest.mark.parametrize("gram", [None, GRAM], ids=["grid", "gram"])
def test_a_schedule_is_simulated_again(kernel, gram):
    problem = Problem(TIMES, time_kernel=kernel, noise_variance=0.1, domain=Grid(2, 1.0, 6))
    schedule = quick_schedule(problem, gram=gram)
    found = schedule_bound(problem, schedule, draws=4_000, gram=gram)
    certificate = schedule_certificate(
        problem, schedule, value=found.value, draws=found.draws, seed=found.seed,
        delta=found.delta, gram=gram,
    )  # fmt: skip
    assert recheck_schedule(certificate) == found.value
    with pytest.raises(Refused):
        recheck_schedule({**certificate, "value": 0.8 * found.estimate})
    if schedule.rounds:
        with pytest.raises(Refused):
            recheck_schedule({**certificate, "rounds": [99, *schedule.rounds[1:]]})


@pytest.mark.parametrize("value", [0.0, 7.9])
def test_a_schedule_of_too_many_rounds_is_refused_after_the_first(value, monkeypatch):
    times = EvaluationTimes.from_durations([1.0] * 400)
    problem = Problem(times, epsilon=0.1, noise_variance=0.1, domain=Grid(1, 1.0, 3))
    certificate = schedule_certificate(
        problem, Schedule((0, 1), (0, 2)), value=value, draws=100, seed=0, delta=0.1, gram=None
    )
    solved = []
    solve = np.linalg.solve
    monkeypatch.setattr(np.linalg, "solve", lambda *args: solved.append(1) or solve(*args))
    with pytest.raises(Refused, match="comes out"):
        recheck_schedule(certificate)
    assert len(solved) < 40
