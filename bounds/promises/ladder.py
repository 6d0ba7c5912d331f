"""The ladder: from the floor to the trivial cap, the factor lost at each step.

floor for any policy (→ smallest bound by any road) → regret → Σ 2√β_i σ_{i−1} → Cauchy–Schwarz
with the realised gain → γ̃_n (lower, upper) → Theorem A → Σγ_{M_i} with the exact kernel → with θ
and C → with φ → N γ_M (Theorem 1) → the cap.

Every value is in units of cumulative regret, √(C₁β_n m·gain) for a gain, m the number of rounds
that count. From the sum on each rung is at least the one before; where arithmetic says otherwise
by more than rounding, that is an error. The floor is one in the mean, and of observed regret only
a mean: where it lies above the next rung it is left out. See docs/theory.md#ladder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite, sqrt

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.confidence.schedules import regret_constant
from bounds.errors import NumericalFailure
from bounds.partitions.drift import phi
from bounds.partitions.pair_search import MOST_ROUNDS, PairOptimum, search_pairs
from bounds.partitions.result import checked_gains
from bounds.partitions.search import evaluate
from bounds.problem import Problem
from bounds.promises.report import BoundReport
from bounds.regret_itself.regret_bound import RegretBound
from bounds.rounding import at_least

_ROUNDING = 1e-9
TITLES = {
    "floor": "floor (any policy, mean)",
    "best_bound": "smallest bound, any road",
    "regret": "cumulative regret",
    "deviations": "Σ c√β·σ of the points played",
    "realised_gain": "Cauchy–Schwarz, realised gain",
    "gain_lower": "γ̃ₙ, lower side",
    "gain_upper": "γ̃ₙ, upper side",
    "refined": "Theorem A, best partition",
    "exact_kernel": "Σγ_M, log(1+·), exact kernel",
    "additive": "with θ and C",
    "phi": "with φ and ε",
    "theorem1": "N·γ_M: Theorem 1 as printed",
    "trivial": "trivial cap",
}
"""What each rung is called, in the order of the chain."""


@dataclass(frozen=True)
class RunSummary:
    """What the ladder needs of a finished run, or of the mean of several.

    Attributes
    ----------
    regret : Σ r_i over the rounds that count
    deviations : Σ c√β_i σ_{i−1}(x_i, τ_i) over them, c = 2 or that of Theorem C
    gain : ½Σ log(1 + σ²_{i−1}/σ²) over them
    full_gain : the same over all rounds, the gain of the run's own design at its times
    rounds : how many rounds count
    covered : whether the theorem covers the policy, so that regret ≤ deviations with
        probability 1 − δ
    """

    regret: float
    deviations: float
    gain: float
    full_gain: float
    rounds: int
    covered: bool


@dataclass(frozen=True)
class Step:
    """One rung.

    Attributes
    ----------
    name : a key of `TITLES`
    value : in units of cumulative regret
    gain : the gain it stands for in nats; None for regret and deviations
    factor : value over that of the rung before; None for the first
    kind : "mean" (the floor), "observed" or "probability 1-delta"
    covers : the policies it speaks of
    when : "after the run" or "before the run"
    certified : whether gain and value were rounded outward
    """

    name: str
    value: float
    gain: float | None
    factor: float | None
    kind: str
    covers: str
    when: str
    certified: bool


@dataclass(frozen=True)
class Ladder:
    """The rungs from bottom to top.

    Attributes
    ----------
    steps : in the order of the chain; rungs that do not hold or are not known are left out
    times : "fixed" or "t(x)"
    left_out : name ↦ why
    run : whether it starts at a run
    exceeded : whether a covered run's regret is above its sum, an event of probability ≤ δ
    """

    steps: tuple[Step, ...]
    times: str
    left_out: dict[str, str]
    run: bool
    exceeded: bool

    @property
    def loosest(self) -> Step:
        """The rung that loses most against the one before, the floor left aside: it is no step."""
        above = [s for b, s in pairwise(self.steps) if b.name != "floor"]
        return max(above, key=lambda step: step.factor or 0.0)


def ladder(
    report: BoundReport,
    gamma: ArrayLike,
    run: RunSummary | None = None,
    *,
    beta: float | None = None,
    constant_factor: float = 1.0,
    times: str = "fixed",
    best: RegretBound | None = None,
) -> Ladder:
    """The ladder of one problem, and of a run at its times where one is given.

    Parameters
    ----------
    report : bounds at the times of the problem, certified or not; its lower side may be NaN
    gamma : (≥ n+1,) upper bounds on γ_0..γ_n
    run : of a policy at these times
    beta : β_n of the setting; by default that of the report (fixed times, finite domain)
    constant_factor : by which C₁ grows (2.352 for times t(x), Theorem C)
    times : "fixed" or "t(x)"
    best : the smallest bound on R_n for CTV-fixed with exploration theory, a rung where it is below
        the smallest one on γ̃_n; without a run

    Raises NumericalFailure that names the step where a rung lies below the one before.
    Cost: O(n²) for the two rungs that are searched pair by pair, left out beyond 6,000 rounds.
    """
    problem = report.problem
    rounds = problem.n if run is None else run.rounds
    beta = report.beta if beta is None else beta
    scale = constant_factor * regret_constant(problem.noise_variance) * beta * rounds
    gains, certified, left_out = _gains(report, checked_gains(gamma, problem.n), run)
    steps: list[Step] = []

    def add(name: str, value: float, gain: float | None, kind: str, when: str) -> None:
        before = steps[-1].value if steps else None
        factor = value / before if before else None
        covers = "this run" if when == "after the run" else "CTV-fixed, exploration theory"
        steps.append(Step(name, value, gain, factor, kind, covers, when, name in certified))

    if run is not None:
        add("regret", run.regret, None, "observed", "after the run")
        add("deviations", run.deviations, None, "probability 1-delta", "after the run")
        add(
            "realised_gain",
            sqrt(scale * run.gain),
            run.gain,
            "probability 1-delta",
            "after the run",
        )
    for name, gain in gains:
        add(name, sqrt(scale * gain), gain, "probability 1-delta", "before the run")
    _require_rising(steps[1:] if run is not None else steps)
    if run is None and best is not None:
        steps = _with_best(steps, best)
    exceeded = run is not None and run.covered and run.regret > run.deviations
    return Ladder(tuple(steps), times, left_out, run is not None, exceeded)


def on_floor(found: Ladder, floor: RegretBound | None) -> Ladder:
    """The ladder with a floor under E R of the rounds that count, for any policy, as lowest rung.

    Left out, with the reason, where the times are t(x), and where the floor, which is one in the
    mean, lies above the next rung.
    """
    if floor is None:
        return found
    first = found.steps[0]
    reason = ""
    if not found.times.startswith(floor.times):
        reason = "it is for times fixed beforehand"
    elif floor.value > first.value:
        reason = f"one in the mean, {at_least(floor.value)}, above {TITLES[first.name]}"
    if reason:
        return replace(found, left_out={**found.left_out, "floor": reason})
    rung = Step(
        "floor", floor.value, None, None, "mean", floor.covers, "before the run", floor.certified
    )
    return replace(found, steps=tuple(_with_factors([rung, *found.steps])))


def mean_ladder(ladders: Sequence[Ladder]) -> Ladder:
    """Rung by rung the mean over runs; the factors are those of the means.

    A rung that is missing in one run, as its bound does not hold at that run's times, is left out.
    """
    first = ladders[0]
    by_name = [{step.name: step for step in each.steps} for each in ladders]
    left_out = dict(first.left_out)
    for each in ladders:
        left_out.update({name: f"in some runs {why}" for name, why in each.left_out.items()
                         if name in by_name[0]})  # fmt: skip
    steps: list[Step] = []
    for step in first.steps:
        if not all(step.name in names for names in by_name):
            continue
        of_runs = [names[step.name] for names in by_name]
        value = sum(s.value for s in of_runs) / len(of_runs)
        gains = [s.gain for s in of_runs if s.gain is not None]
        steps.append(
            replace(
                step,
                value=value,
                gain=sum(gains) / len(gains) if gains else None,
                factor=value / steps[-1].value if steps and steps[-1].value else None,
                certified=all(s.certified for s in of_runs),
            )
        )
    exceeded = any(each.exceeded for each in ladders)
    return replace(first, steps=tuple(steps), left_out=left_out, exceeded=exceeded)


def _with_best(steps: list[Step], best: RegretBound) -> list[Step]:
    """The rungs with the smallest bound by any road where it belongs, if that is below γ̃_n's."""
    if best.value >= next(s.value for s in steps if s.name == "gain_upper"):
        return steps
    rung = Step(
        "best_bound", best.value, None, None, "probability 1-delta", best.covers, "before the run",
        best.certified,
    )  # fmt: skip
    place = sum(step.value <= best.value for step in steps)
    return _with_factors([*steps[:place], rung, *steps[place:]])


def _with_factors(steps: Sequence[Step]) -> list[Step]:
    """The same rungs, each with its factor over the one before."""
    found = [replace(steps[0], factor=None)]
    for before, step in pairwise(steps):
        found.append(replace(step, factor=step.value / before.value if before.value else None))
    return found


def _gains(
    report: BoundReport, gamma: FloatArray, run: RunSummary | None
) -> tuple[list[tuple[str, float]], set[str], dict[str, str]]:
    """The rungs that are gains, which of them are certified, and why others are left out."""
    problem, left_out = report.problem, {}
    lower = report.lower if isfinite(report.lower) else 0.0
    own = 0.0 if run is None else run.full_gain
    found: list[tuple[str, float]] = []
    certified = {name for name, bound in report.gains.items() if bound.certified}
    if max(lower, own) > 0.0:
        found.append(("gain_lower", max(lower, own)))
        if report.lower_certified and lower >= own:
            certified.add("gain_lower")
    else:
        left_out["gain_lower"] = "no lower side was computed"
    found.append(("gain_upper", report.best))
    if report.gains[report.best_name].certified:
        certified.add("gain_upper")
    rungs = {"trivial": report.gains["trivial"].value}
    if report.gains["theorem1"].valid:
        rungs["theorem1"] = report.gains["theorem1"].value
    else:
        left_out["theorem1"] = left_out["phi"] = report.gains["theorem1"].reason
    if "theorem1" in rungs and problem.time_kernel.slope > problem.epsilon:
        # (II) holds at these gaps with an ε below θ: the two rungs are in no order.
        left_out["additive"] = "its slope is above the epsilon with which Theorem 1 holds here"
    else:
        rungs["additive"] = report.gains["additive"].value
    _search_pairs(report, gamma, rungs, left_out)
    rungs["refined"] = report.gains["refined"].value
    if "exact_kernel" in rungs and not report.partitions["refined"].exact:
        # A search with a gap may miss what a looser rung found.
        partition = _exact_kernel(problem, gamma).partition
        rungs["refined"] = min(
            rungs["refined"], evaluate("refined", problem, gamma, partition).value
        )
        certified.discard("refined")
    order = [name for name in TITLES if name in rungs]
    return [*found, *((name, rungs[name]) for name in order)], certified, left_out


def _search_pairs(
    report: BoundReport, gamma: FloatArray, rungs: dict[str, float], left_out: dict[str, str]
) -> None:
    problem = report.problem
    if problem.n > MOST_ROUNDS:
        left_out["exact_kernel"] = f"searched pair by pair, up to {MOST_ROUNDS:,} rounds"
        left_out.setdefault("phi", left_out["exact_kernel"])
        return
    rungs["exact_kernel"] = _exact_kernel(problem, gamma).value
    if "theorem1" in rungs:
        rungs["phi"] = search_pairs(
            problem.times, gamma, problem.noise_variance,
            lambda lags: np.minimum(1.0, problem.epsilon * lags), phi,
        ).value  # fmt: skip


def _exact_kernel(problem: Problem, gamma: FloatArray) -> PairOptimum:
    return search_pairs(
        problem.times, gamma, problem.noise_variance, problem.time_kernel.complement, np.log1p
    )


def _require_rising(steps: Sequence[Step]) -> None:
    for before, step in pairwise(steps):
        if not step.value >= before.value * (1.0 - _ROUNDING):
            raise NumericalFailure(
                f"ladder: the step from {before.name} ({before.value:.12g}) to {step.name} "
                f"({step.value:.12g}) falls"
            )
