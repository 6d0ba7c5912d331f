"""What the figure `floor` needs: floors, ceilings and simulated regret at several ε."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from bounds.domain import Arms
from bounds.errors import InvalidInput
from bounds.gain.bounds import rows_before_run, upper_bounds
from bounds.kernels import Forgetting
from bounds.problem import Problem
from bounds.progress import Stage
from bounds.regret.regret_bound import RegretBound
from bounds.static_gain.both_sides import gain_curve
from ctv.figures import floor
from ctv.figures.canvas import COLOURS
from ctv.show.shown import space_setting
from simulation.before_run.rows import affordable_paths, simulated_ceilings, simulated_floors
from simulation.policies.readings import Readings
from simulation.runs.arms import best_simulated
from simulation.runs.run import simulate
from simulation.study.statistics import estimate
from simulation.world.evaluation_time import in_order

EPSILONS = (1e-4, 1e-3, 1e-2, 1e-1)
POLICIES = ("ts", "random-weight-ucb", "scheduled", "flat-ucb", "predictive", "look-ahead")
WEIGHTS, FLAT = (0.5, 1.0, 2.0), 0.35
"""Of σ in a plain index, and c₀ of `flat-ucb`, tried beside the policies: the best simulated is the
best of them all."""

_ALMOST_CONSTANT = 200.0
_RUNS_OF_ARMS = 500
_HALF = 1.96  # standard errors of half a 95 % interval
LARGEST = 500
"""Rounds up to which the figure is drawn: each ε is a study of its own."""

_PATHS = 200
_CEILINGS = (
    ("ctv-fixed", "theory", "probability", "ctv-fixed, theory (prob.)", "#d55e00", "v"),
    ("random-weight-ucb", "", "mean", "random-weight UCB (expected)", COLOURS["mean"], "D"),
    ("scheduled", "", "mean", "a schedule (expected)", COLOURS["mean"], "^"),
)


def floor_figure(problem: Problem, seeds: range, exploration: str, advance: Stage) -> Figure:
    """Floors, ceilings and the best simulated policy per round, over ε at the problem's times."""
    if problem.n > LARGEST:
        raise InvalidInput("n", problem.n, f"give at most {LARGEST} rounds for this figure")
    if problem.domain.size < 2:
        raise InvalidInput("points", 1, "there is no regret on one point: give two at least")
    if not isinstance(problem.time_kernel, Forgetting):
        name = problem.time_kernel.name
        raise InvalidInput("time-kernel", name, "drop it: the figure varies ε of forgetting")
    rows: list[tuple[RegretBound, ...]] = []
    best: list[tuple[float, float, str]] = []
    curve = gain_curve(problem)
    for done, epsilon in enumerate(EPSILONS):
        drifting = replace(problem, epsilon=epsilon, time_kernel=Forgetting(epsilon))
        advance(f"bounds at ε = {epsilon:g}", done / len(EPSILONS))
        report = upper_bounds(drifting, curve)
        paths = min(_PATHS, affordable_paths(drifting))
        own = (
            *rows_before_run(drifting, report),
            *simulated_ceilings(drifting),
            *simulated_floors(drifting, paths=paths),
        )
        rows.append(own)
        advance(f"runs at ε = {epsilon:g}", (done + 0.5) / len(EPSILONS))
        best.append(_best(drifting, seeds))
    n = problem.n
    regrets, errors, names = zip(*best, strict=True)
    return floor.draw(
        floor.FloorPicture(
            epsilons=np.array(EPSILONS),
            sides=[side for side in _sides(rows, n) if np.any(np.isfinite(side.values))],
            regrets=np.array(regrets),
            errors=np.array(errors),
            policies=names,
            setting=f"{space_setting(problem)}; {n} rounds in time {problem.times.total_time:g}",
            runs=4 * _RUNS_OF_ARMS if isinstance(problem.domain, Arms) else len(seeds),
        )
    )


def _best(problem: Problem, seeds: range) -> tuple[float, float, str]:
    """The least mean regret over policies and weights, per round."""
    if isinstance(problem.domain, Arms):
        one = best_simulated(problem, runs=_RUNS_OF_ARMS, seed=seeds.start)
        return one.mean / problem.n, _HALF * one.error / problem.n, one.policy
    means = [_simulated(problem, policy, seeds) for policy in POLICIES]
    for weight in WEIGHTS:
        # √(c₁ log(c₂n)) with a c₂ beside which n does not count.
        readings = Readings(c1=weight**2 / _ALMOST_CONSTANT, c2=float(np.exp(_ALMOST_CONSTANT)))
        value, half, _ = _simulated(problem, "ctv-fixed", seeds, "sqrt-beta", readings)
        means.append((value, half, f"UCB of weight {weight:g}"))
    readings = Readings(flat_weight=FLAT)
    value, half, _ = _simulated(problem, "flat-ucb", seeds, readings=readings)
    means.append((value, half, f"flat-ucb of weight {FLAT:g}"))
    return min(means)


def _simulated(
    problem: Problem,
    policy: str,
    seeds: range,
    exploration: str = "beta",
    readings: Readings | None = None,
) -> tuple[float, float, str]:
    """Mean regret per round, half its 95 % interval, and the policy."""
    times, n = in_order(problem.times, problem.n), problem.n
    regrets = np.array(
        [
            simulate(
                problem,
                times,
                policy,
                seed=seed,
                initial=0,
                rounds=n,
                exploration=exploration,
                readings=readings,
            ).regrets.mean()
            for seed in seeds
        ]
    )
    half = float("nan")
    if len(regrets) > 1:
        half = estimate(regrets).ci_high - float(regrets.mean())
    return float(regrets.mean()), half, policy


def _sides(rows: list[tuple[RegretBound, ...]], n: int) -> list[floor.Side]:
    sides = []
    for certified in (True, False):
        values = [
            max(
                (r.value for r in own if r.direction == "lower" and r.certified is certified),
                default=np.nan,
            )
            for own in rows
        ]
        sides.append(
            floor.Side(
                "lower bound, certified" if certified else "lower bound, simulated",
                "#009e73",
                "o",
                np.array(values) / n,
                certified,
                dashed=not certified,
            )
        )
    for policy, exploration, kind, label, colour, marker in _CEILINGS:
        key = (policy, exploration, kind, "upper")
        values = [
            min(
                (r.value for r in own if (r.policy, r.exploration, r.kind, r.direction) == key),
                default=np.nan,
            )
            for own in rows
        ]
        sides.append(
            floor.Side(label, colour, marker, np.array(values) / n, dashed=policy == "scheduled")
        )
    return sides
