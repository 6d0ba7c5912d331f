"""What is true of every run, whatever the policy: its gain, and the order of all bounds on it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isfinite

import numpy as np

from bounds.arrays import FloatArray
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.gain.report import BoundReport, bound_report, certified_report
from bounds.problem import Problem
from bounds.regret.regret_bound import RegretBound
from bounds.static_gain.both_sides import gain_curve
from bounds.static_gain.certified import certified_curve
from bounds.static_gain.information import gain
from simulation.laws.case import at_times_of
from simulation.laws.formula_laws import formula_laws
from simulation.laws.inequality import Inequality, require
from simulation.laws.posterior import joint_gram, log_det_gain
from simulation.runs.run import Trajectory


def check_run_laws(problem: Problem, run: Trajectory) -> None:
    """Raise AssertionError where a run breaks what must be true of every run of the problem.

    Parameters
    ----------
    problem : as given to `simulate`; its evaluation times are not used
    run : what `simulate` returned

    The dense log determinant against the sum over rounds, every registered bound on the gain,
    certified and not, and their order among themselves. Some hundredths of a second for 20 rounds.

    >>> from bounds.domain import Grid
    >>> from simulation.runs.run import simulate
    >>> from simulation.world.evaluation_time import constant
    >>> problem = Problem([1.0], domain=Grid(1, 1.0, 4), noise_variance=0.1)
    >>> check_run_laws(problem, simulate(problem, constant(1.0, 4), initial=0, rounds=4))
    """
    at = at_times_of(problem, run)
    plain, enclosed, gamma = gain_reports(at)
    require(record_laws(run))
    require(gain_laws(at, run, plain, enclosed))
    require(order_laws(plain, enclosed))
    require(formula_laws(plain, gamma))


def gain_reports(problem: Problem) -> tuple[BoundReport, BoundReport, FloatArray]:
    """Every bound on the gain, costly ones too: plain, rounded outward; and the curve of γ_m."""
    curve, design = gain_curve(problem), joint_gain_lower(problem)
    plain = bound_report(problem, curve.values, design.value, costly=True)
    enclosed = certified_curve(problem.space_kernel, problem.domain, curve)
    return plain, certified_report(plain, enclosed, design), np.asarray(curve.values)


def rounding_of_gain(run: Trajectory) -> float:
    """What rounding may take from the gain of a run: 1e-12 of every variance."""
    return 0.5e-12 * run.n * (1.0 + 1.0 / run.noise_variance)


def record_laws(run: Trajectory) -> Iterator[Inequality]:
    """Regret is not negative, times do not decrease and are the sums of the durations."""
    yield Inequality("0 <= regret of a round", 0.0, float(run.regrets.min()))
    total = float(np.sum(run.durations))
    off = abs(float(run.times[-1]) - total)
    yield Inequality("the last instant is the sum of the durations", off, 1e-12 * total)
    yield Inequality("a deviation is at most 1", float(run.deviations.max()), 1.0)


def gain_laws(
    problem: Problem, run: Trajectory, plain: BoundReport, enclosed: BoundReport
) -> Iterator[Inequality]:
    """½ log det is the sum over rounds, and at most every valid bound at the run's times."""
    rounding = rounding_of_gain(run)
    summed = float(run.cumulative_gain[-1])
    gram = joint_gram(problem, run.points, run.durations)
    dense = log_det_gain(gram, problem.noise_variance)
    apart = abs(summed - dense)
    yield Inequality("the log determinant is the sum over rounds", apart, rounding + 1e-9 * summed)
    apart = abs(gain(gram, problem.noise_variance) - dense)
    yield Inequality("the log determinant is that of `bounds`", apart, rounding + 1e-9 * summed)
    for kind, report in (("", plain), ("certified ", enclosed)):
        for name, bound in report.gains.items():
            if bound.valid and (bound.certified or not kind):
                yield Inequality(f"gain <= {kind}{name}", dense, bound.value, rounding)


def order_laws(plain: BoundReport, enclosed: BoundReport) -> Iterator[Inequality]:
    """No upper bound is below a lower one, nor above a bound that it improves on."""
    for kind, report in (("", plain), ("certified ", enclosed)):
        for name, bound in report.gains.items():
            if not bound.valid:
                continue
            yield Inequality(f"{kind}gain of a design <= {name}", report.lower, bound.value)
            for looser in bound.bound.improves_on(report.problem):
                if looser in report.gains and report.gains[looser].valid:
                    other = report.gains[looser].value
                    yield Inequality(f"{kind}{name} <= {looser}", bound.value, other)
        trivial = report.gains["trivial"].value
        yield Inequality(f"{kind}best <= trivial", report.best, trivial)
    for name, bound in enclosed.gains.items():
        if bound.certified and name in plain.gains:
            yield Inequality(f"{name} <= certified {name}", plain.gains[name].value, bound.value)


def row_laws(rows: tuple[RegretBound, ...]) -> Iterator[Inequality]:
    """No floor of the mean is above a ceiling of it; a sandwich keeps its sides."""
    mean = [row for row in rows if row.kind == "mean" and not row.simulated]
    floors = [row for row in mean if row.direction == "lower" and row.policy == "any"]
    for floor in floors:
        for ceiling in mean:
            if ceiling.direction == "upper" and isfinite(ceiling.value):
                yield Inequality(f"{floor.name} <= {ceiling.name}", floor.value, ceiling.value)
    ordered = {row.name: row.value for row in rows if row.policy == "ctv-fixed"}
    chain = [ordered[name] for name in ("envelope", "cauchy_schwarz") if name in ordered]
    for tighter, looser in pairwise(chain):
        yield Inequality("envelope <= cauchy_schwarz", tighter, looser)
