"""What must change nothing: laws that compare a run with another run of the same thing.

Choices may differ where two points are equally good up to rounding, so runs are compared up to the
first round in which they differ, and there both choices must be as good by `choice_laws`.
"""

from __future__ import annotations

from dataclasses import replace
from math import expm1, log1p

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Points
from bounds.kernels import Forgetting, Kernel
from bounds.problem import Problem
from bounds.promises.report import bound_report
from bounds.regret_itself.floors.floors import floors
from bounds.static_gain.both_sides import gain_curve
from bounds.times import EvaluationTimes
from simulation.laws.case import Case, Played, play
from simulation.laws.choice_laws import CHECKED, acquisitions
from simulation.policies.readings import Readings
from simulation.runs.run import Trajectory
from simulation.study.study import StudySpec, run_study
from simulation.world.evaluation_time import EvaluationTime, FixedDurations, PointDurations

_ARRAYS = (
    "points", "durations", "measured_durations", "times", "observations", "values", "best_values",
    "deviations",
)  # fmt: skip


def same_seed(case: Case) -> None:
    """The same seed gives the same bits."""
    require_same_bits(case.play().run, case.play().run, f"seed {case.seed} twice")


def relabelled(case: Case) -> None:
    """Points in another order are the same points: the objective moves with them."""
    if case.policy not in CHECKED:
        return
    played = case.play()
    domain = Points(np.array(played.problem.domain.points))
    problem = replace(played.problem, domain=domain)
    if problem.space_kernel != case.problem.space_kernel or case.model_kernel is not None:
        return
    order = _order(domain.size, played.run.points[: case.initial], case.seed)
    moved = Points(domain.points[order])
    times: EvaluationTime = played.evaluation_time
    if isinstance(times, PointDurations):
        times = PointDurations(times.durations[order], times.name)
    again = _again(case, replace(problem, domain=moved), times, played.objective[:, order])
    require_same_choices(played, order[again.run.points], f"points in the order {order.tolist()}")


def shifted(case: Case) -> None:
    """A first evaluation that takes longer changes no bound on the gain and no choice."""
    if case.durations is None or case.policy not in CHECKED or case.time_noise_variance:
        return
    played, later = case.play(), (case.durations[0] + 7.0, *case.durations[1:])
    moved = replace(case, durations=later)
    again = moved.play(objective=played.objective)
    require_same_choices(played, again.run.points, "the first evaluation takes 7 more")
    require_same_bounds(played.problem, again.problem, "the first evaluation takes 7 more")


def scaled(case: Case) -> None:
    """Time in another unit, and ε or the lengthscale with it, changes nothing.

    Theorem 1 is left out of the comparison of bounds: its ε is no slope, and does not scale.
    """
    if case.policy not in CHECKED or case.time_noise_variance:
        return
    played, unit = case.play(), 4.0
    epsilon = -expm1(log1p(-case.epsilon) / unit)
    kernel: Kernel | None = Forgetting(epsilon)
    if case.time_kernel != "forgetting":
        slower = replace(case, time_lengthscale=unit * (case.time_lengthscale or 1.0))
        kernel = slower.problem.time_kernel
    assert kernel is not None
    problem = replace(case.problem, epsilon=epsilon, time_kernel=kernel)
    times: EvaluationTime = played.evaluation_time
    if isinstance(times, PointDurations):
        times = PointDurations(unit * times.durations, times.name)
    else:
        times = FixedDurations(unit * times.durations, times.name)
    again = _again(case, problem, times, played.objective, Readings(round_length=unit))
    said = f"time in a unit that is {unit:g} times smaller"
    require_same_choices(played, again.run.points, said)
    require_same_bounds(played.problem, again.problem, said, leave_out=("theorem1",))


def split_study(case: Case) -> None:
    """A study of two seeds is the two studies of one seed each."""
    whole = StudySpec(
        problem=case.problem, setting="biased" if case.durations is None else "csv",
        policies=(case.policy,), seeds=2, seed=case.seed, initial=case.initial,
        rounds=case.rounds, acquisition=case.acquisition, exploration=case.exploration,
        model_kernel=case.assumed_kernel,
        readings=Readings(time_noise_variance=case.time_noise_variance),
    )  # fmt: skip
    found = run_study(whole)
    for k in range(2):
        part = run_study(replace(whole, seeds=1, seed=case.seed + k))
        for policy, runs in found.trajectories.items():
            require_same_bits(runs[k], part.trajectories[policy][0], f"{policy} in a split study")


def nothing_forgotten(case: Case) -> None:
    """ε = 0: CTV-fixed and TV choose what GP-UCB chooses, whatever the times."""
    still = replace(
        case, epsilon=0.0, time_kernel="forgetting", time_lengthscale=None, time_noise_variance=0.0
    )
    runs = [replace(still, policy=policy).play() for policy in CHECKED]
    for other in runs[1:]:
        require_same_choices(runs[0], other.run.points, f"{other.run.policy} at epsilon = 0")


def equal_times(case: Case) -> None:
    """Equal evaluation times: CTV-fixed chooses what TV chooses whose rounds last as long."""
    n, each = case.initial + case.rounds, (case.durations or (1.0,))[-1]
    even = replace(case, durations=(each,) * n, time_noise_variance=0.0, policy="ctv-fixed")
    played = even.play()
    rounds = _again(
        replace(even, policy="tv"), even.problem, even.evaluation_time, played.objective,
        Readings(round_length=each),
    )  # fmt: skip
    require_same_choices(played, rounds.run.points, f"TV where every round lasts {each!r}")


SAMENESS_LAWS = (
    same_seed, relabelled, shifted, scaled, split_study, nothing_forgotten, equal_times,
)  # fmt: skip
"""Each takes a `Case` and raises AssertionError where something that changes nothing does."""


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
    values = dict(acquisitions(played))[first]
    chosen, other = values[played.run.points[first]], values[points[first]]
    close = 1e-6 * (1.0 + abs(chosen)) if played.acquisition == "ucb" else 1e-4 * abs(chosen) + 1e-9
    assert abs(chosen - other) <= 10.0 * close, (
        f"{said}: round {first + 1} takes {points[first]} for {played.run.points[first]}"
    )


def require_same_bounds(
    one: Problem, other: Problem, said: str, leave_out: tuple[str, ...] = ()
) -> None:
    """Raise AssertionError where bounds on the gain, or floors, differ by more than rounding."""
    found, again = (bounds_by_name(problem) for problem in (one, other))
    for name in found.keys() & again.keys() - set(leave_out):
        near = np.isclose(found[name], again[name], rtol=1e-6, atol=1e-9)
        assert near, f"{said}: {name} is {again[name]!r} and was {found[name]!r}"


def bounds_by_name(problem: Problem) -> dict[str, float]:
    """The gain bounds that do not search by trial, and the floors."""
    report = bound_report(problem, gain_curve(problem).values, 0.0)
    found = {name: b.value for name, b in report.gains.items() if b.valid and name != "knots"}
    return found | {f"floor {row.name}": row.value for row in floors(problem)}


def _again(
    case: Case,
    problem: Problem,
    times: EvaluationTime,
    objective: FloatArray,
    readings: Readings | None = None,
) -> Played:
    """The case with other labels or units, on the objective that it met."""
    return play(
        replace(problem, times=EvaluationTimes.from_durations([1.0])), times, case.policy,
        seed=case.seed, initial=case.initial, rounds=case.rounds, acquisition=case.acquisition,
        exploration=case.exploration, model_kernel=case.assumed_kernel, readings=readings,
        objective=objective,
    )  # fmt: skip


def _order(size: int, fixed: IntArray, seed: int) -> IntArray:
    """An order of the points that leaves the random first ones where they are."""
    order = np.arange(size)
    free = np.setdiff1d(order, fixed)
    order[free] = np.random.default_rng(seed).permutation(free)
    return order
