"""What must change nothing: laws that compare a run with another run of the same thing.

Choices may differ where two points are equally good up to rounding, so runs are compared up to the
first round in which they differ, and there both choices must be as good by `choice_laws`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import expm1, log, log1p

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Points
from bounds.gain.report import bound_report
from bounds.kernels import Forgetting, Kernel
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.regret.rows import floors
from bounds.static_gain.both_sides import gain_curve
from simulation.laws.case import Played, play
from simulation.laws.choice_laws import FORMULAS, acquisitions, is_ei
from simulation.model.time_model import TimeHyperparameters
from simulation.policies.base import ModelPolicy
from simulation.policies.readings import Readings
from simulation.policies.registry import policies, policy_named
from simulation.runs.run import Trajectory
from simulation.study.study import StudySpec, run_study
from simulation.world.evaluation_time import EvaluationTime, FixedDurations, PointDurations

_ARRAYS = (
    "points",
    "durations",
    "measured_durations",
    "times",
    "observations",
    "values",
    "best_values",
    "deviations",
)


def same_seed(case: StudySpec) -> None:
    """The same seed gives the same bits."""
    require_same_bits(play(case).run, play(case).run, f"seed {case.seed} twice")


def relabelled(case: StudySpec) -> None:
    """Points in another order are the same points: the objective and a schedule move with them.

    Not for `ts` and `random`, which draw labels and whole fields: there it is true in law alone.
    """
    if case.policies[0] not in FORMULAS:
        return
    played = play(case)
    domain = Points(np.array(played.problem.domain.points))
    problem = replace(played.problem, domain=domain)
    if problem.space_kernel != case.problem.space_kernel or case.model_kernel is not None:
        return
    order = _order(domain.size, played.run.points[: case.initial], case.seed)
    place = np.argsort(order)
    moved = Points(domain.points[order])
    times: EvaluationTime = played.evaluation_time
    if isinstance(times, PointDurations):
        times = PointDurations(times.durations[order], times.name)
    readings = _scheduled(played, place)
    again = play(
        case,
        played.objective[:, order],
        problem=replace(problem, domain=moved),
        times=times,
        readings=readings,
    )
    require_same_choices(played, order[again.run.points], f"points in the order {order.tolist()}")


def shifted(case: StudySpec) -> None:
    """A first evaluation that takes longer changes no bound on the gain and no choice.

    Not for policies that learn from it how long the others take.
    """
    times = case.durations
    if not isinstance(times, FixedDurations) or _learns_times(case.policies[0]):
        return
    played = play(case)
    later = replace(times, durations=np.array([times.durations[0] + 7.0, *times.durations[1:]]))
    again = play(case, played.objective, times=later, readings=_scheduled(played))
    require_same_choices(played, again.run.points, "the first evaluation takes 7 more")
    require_same_bounds(played.problem, again.problem, "the first evaluation takes 7 more")


def scaled(case: StudySpec) -> None:
    """Time in another unit, and ε or the lengthscale with it, changes nothing.

    Theorem 1 is left out of the comparison of bounds: its ε is no slope, and does not scale. Not
    for policies whose weight is a multiple of the evaluation time.
    """
    if policy_named(case.policies[0]).weighs_by_time:
        return
    played, unit = play(case), 4.0
    epsilon = -expm1(log1p(-case.problem.epsilon) / unit)
    known = case.problem.time_kernel
    forgets = isinstance(known, Forgetting)
    kernel: Kernel = Forgetting(epsilon) if forgets else known.stretched(unit)
    problem = replace(case.problem, epsilon=epsilon, time_kernel=kernel)
    readings = replace(_scheduled(played), round_length=unit)
    if case.initial == 0:
        # Without data the mean of log t is 0 in every unit: it moves with the unit.
        readings = replace(readings, time_prior=TimeHyperparameters(mean=log(unit)))
    times = with_durations(played.evaluation_time, lambda t: unit * t)
    again = play(case, played.objective, problem=problem, times=times, readings=readings)
    said = f"time in a unit that is {unit:g} times smaller"
    require_same_choices(played, again.run.points, said)
    require_same_bounds(played.problem, again.problem, said, leave_out=("theorem1",))


def split_study(case: StudySpec) -> None:
    """A study of two seeds is the two studies of one seed each."""
    whole = replace(case, seeds=2)
    study = run_study(whole)
    for k in range(2):
        part = run_study(replace(whole, seeds=1, seed=case.seed + k))
        for policy, runs in study.trajectories.items():
            require_same_bits(runs[k], part.trajectories[policy][0], f"{policy} in a split study")


def nothing_forgotten(case: StudySpec) -> None:
    """ε = 0: no choice depends on the times; policies that model f choose what GP-UCB does.

    Not those whose weight is a multiple of the evaluation time.
    """
    if policy_named(case.policies[0]).weighs_by_time:
        return
    known = replace(case.problem, epsilon=0.0, time_kernel=Forgetting(0.0))
    still = replace(case, problem=known)
    played = play(still)
    others = with_durations(played.evaluation_time, lambda t: 3.0 * t + 1.0)
    again = play(still, played.objective, times=others, readings=_scheduled(played))
    require_same_choices(played, again.run.points, "other times at epsilon = 0")
    gp_ucb = play(replace(still, policies=("gp-ucb",)))
    shortest = np.min(played.evaluation_time.durations)
    for policy, made in policies().items():
        usual = issubclass(made, ModelPolicy) and made.criterion is ModelPolicy.criterion
        if not (usual and made.has_weight) or (_learns_times(policy) and shortest <= 0.0):
            continue
        other = play(replace(still, policies=(policy,)))
        require_same_choices(gp_ucb, other.run.points, f"{policy} at epsilon = 0")


def equal_times(case: StudySpec) -> None:
    """Equal evaluation times: CTV-fixed chooses what TV chooses whose rounds last as long.

    The policies that learn t(x) do not: their model does not know that times are equal.
    """
    each = 1.0 if case.setting == "biased" else float(case.problem.times.durations[-1])
    even = replace(
        case,
        setting="uniform",
        evaluation_time=each,
        inputs=None,
        readings=Readings(),
        policies=("ctv-fixed",),
    )
    played = play(even)
    by_rounds = replace(even, policies=("tv",), readings=Readings(round_length=each))
    rounds = play(by_rounds, played.objective)
    require_same_choices(played, rounds.run.points, f"TV where every round lasts {each!r}")


SAMENESS_LAWS = (
    same_seed,
    relabelled,
    shifted,
    scaled,
    split_study,
    nothing_forgotten,
    equal_times,
)
"""Each takes a study of one run and raises AssertionError where more than nothing changes."""


def _learns_times(policy: str) -> bool:
    times = policy_named(policy).times
    return times is not None and times.are_learned


def require_same_bits(one: Trajectory, other: Trajectory, said: str) -> None:
    """Raise AssertionError where two runs differ in any bit."""
    for name in _ARRAYS:
        same = getattr(one, name).tobytes() == getattr(other, name).tobytes()
        assert same, f"{said}: other {name}"


def require_same_choices(played: Played, points: IntArray, said: str) -> None:
    """Raise AssertionError where a run of other labels or units chose a point that is worse."""
    differ = np.flatnonzero(played.run.points != points)
    if not len(differ):
        return
    first = int(differ[0])
    assert first >= played.run.initial, f"{said}: another random start"
    assert played.run.policy in FORMULAS, f"{said}: {played.run.policy} draws another point"
    values = dict(acquisitions(played))[first]
    chosen, other = values[played.run.points[first]], values[points[first]]
    close = 1e-4 * abs(chosen) + 1e-9 if is_ei(played) else 1e-6 * (1.0 + abs(chosen))
    assert abs(chosen - other) <= 10.0 * close, (
        f"{said}: round {first + 1} takes {points[first]} for {played.run.points[first]}"
    )


def require_same_bounds(
    one: Problem, other: Problem, said: str, leave_out: tuple[str, ...] = ()
) -> None:
    """Raise AssertionError where bounds on the gain, or floors, differ by more than rounding."""
    once, again = (bounds_by_name(problem) for problem in (one, other))
    for name in once.keys() & again.keys() - set(leave_out):
        near = np.isclose(once[name], again[name], rtol=1e-6, atol=1e-9)
        assert near, f"{said}: {name} is {again[name]!r} and was {once[name]!r}"


def bounds_by_name(problem: Problem) -> dict[str, float]:
    """The gain bounds that do not search by trial, and the floors."""
    report = bound_report(problem, gain_curve(problem).values, 0.0)
    values = {name: b.value for name, b in report.gains.items() if b.valid and name != "knots"}
    return values | {f"floor {row.name}": row.value for row in floors(problem)}


def _scheduled(played: Played, place: IntArray | None = None) -> Readings:
    """The readings of the run; of a scheduled policy with its schedule, x now being `place[x]`."""
    if not played.is_scheduled:
        return played.readings
    known = played.schedule
    points = known.points if place is None else tuple(place[list(known.points)].tolist())
    return replace(played.readings, schedule=Schedule(known.rounds, points))


def with_durations(
    times: EvaluationTime, change: Callable[[FloatArray], FloatArray]
) -> EvaluationTime:
    """The same kind of times with other durations."""
    return replace(times, durations=change(times.durations))


def _order(size: int, fixed: IntArray, seed: int) -> IntArray:
    """An order of the points that leaves the random first ones where they are."""
    order = np.arange(size)
    free = np.setdiff1d(order, fixed)
    order[free] = np.random.default_rng(seed).permutation(free)
    return order
