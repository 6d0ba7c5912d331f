"""Certificates of floors: derived again as they are, refused when anything is bettered."""

import copy
from contextlib import suppress
from typing import Any

import pytest

from bounds import enclosure
from bounds.domain import Grid
from bounds.kernels import Forgetting, Independent, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.lower.certificate import floor_certificate
from bounds.regret.rows import floors
from bounds.times import EvaluationTimes
from proofs_check.recheck.bounds.floor import recheck_floor
from proofs_check.recheck.outcome import Refused
from proofs_check.records.bound_certificate import problem_data

TIMES = EvaluationTimes.from_durations([1.0, 0.0, 0.3, 2.0, 1.0, 1.0])


def problem_with(kernel, **more: Any) -> Problem:
    given: dict[str, Any] = {"noise_variance": 0.1, "domain": Grid(2, 1.0, 10), **more}
    return Problem(TIMES, time_kernel=kernel, **given)


def stated(problem: Problem, delay: int = 0) -> dict[str, Any]:
    return {**problem_data(problem), "delay": delay}


def derived(certificate: dict[str, Any], data: dict[str, Any]) -> float:
    return float(enclosure.endpoints(recheck_floor(certificate, data))[0])


@pytest.mark.parametrize(
    "kernel", [Forgetting(0.1), Matern(0.5, 3.0), SquaredExponential(2.0)], ids=repr
)
@pytest.mark.parametrize("space", [SquaredExponential(0.2), Independent()], ids=repr)
@pytest.mark.parametrize("delay", [0, 2])
def test_a_floor_is_derived_again(kernel, space, delay):
    problem = problem_with(kernel, space_kernel=space)
    certificate = floor_certificate(problem, delay=delay)
    # The recheck has finer cells of its own.
    again = pytest.approx(certificate["value"], rel=1e-3)
    assert derived(certificate, stated(problem, delay)) == again
    assert derived(certificate, stated(problem, delay)) >= certificate["value"]
    row = {r.name: r for r in floors(problem, delay=delay)}["rank"]
    assert certificate["value"] <= row.value * (1 + 1e-12)
    alone = floor_certificate(problem, delay=delay, rank=False)
    assert derived(alone, stated(problem, delay)) <= certificate["value"] * (1 + 1e-12)


@pytest.mark.parametrize(
    "change",
    [
        lambda c, p: p.update(delay=0),
        lambda c, p: c["shares"].__setitem__(3, c["shares"][3] * 1.001),
        lambda c, p: c["maximum"].update(value=c["maximum"]["value"] * 1.001),
        lambda c, p: c["maximum"].update(points=list(range(90))),
        lambda c, p: c["maximum"].update(points=[0, 0, 3, 9]),
        lambda c, p: c["maximum"].update(points=[-1, *c["maximum"]["points"][1:]]),
        lambda c, p: p.update(noise_variance=p["noise_variance"] / 2),
        lambda c, p: p["times"].__setitem__(3, 0.5),
        lambda c, p: p["times"].__setitem__(3, -0.5),
        lambda c, p: c.update(shares=c["shares"][:-1]),
        lambda c, p: c["shares"].__setitem__(1, 1.5),
        lambda c, p: p["time_kernel"].update(epsilon=0.05),
        lambda c, p: p.update(time_kernel={"type": "SquaredExponential", "lengthscale": 2.0}),
        lambda c, p: p.update(
            time_kernel={"type": "SquaredExponential", "lengthscale": 2.0, "nu": 0.5}
        ),
    ],
)
def test_a_bettered_floor_is_refused(change):
    problem = problem_with(Forgetting(0.1))
    certificate, data = copy.deepcopy((floor_certificate(problem, delay=1), stated(problem, 1)))
    value = derived(certificate, data)
    assert value >= certificate["value"]
    change(certificate, data)
    with suppress(Refused, ValueError):
        assert derived(certificate, data) < value


@pytest.mark.parametrize("count", [3, 4])
def test_a_common_part_that_is_told_is_checked(count):
    """Points that are close to each other share the most."""
    space, domain = SquaredExponential(0.8), Grid(1, 1.0, count)
    problem = problem_with(Forgetting(0.1), space_kernel=space, noise_variance=0.3, domain=domain)
    certificate = floor_certificate(problem, rank=False)
    data = stated(problem)
    assert certificate["common"] > 0.2
    assert derived(certificate, data) == pytest.approx(certificate["value"])
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
        with pytest.raises((Refused, ValueError)):
            recheck_floor(spoilt, stated(problem))
