"""The ladder: one proof from regret to the trivial cap, the factor lost at each of its steps.

regret → Σ 2√β_i σ_{i−1} → Cauchy–Schwarz with the realised gain → γ̃_n, from above → Theorem A →
Σγ_{M_i} with the exact kernel → with θ and C → with φ → N γ_M (Theorem 1) → the cap.

Every value is in units of cumulative regret, √(C₁β_n m·gain) for a gain, m the number of rounds
that count. Each step bounds the one before, so that the product of the factors is the last value
over the first; from the sum on, a step that falls by more than rounding is an error. What is no
step of this proof stands beside it: the lower bound on regret under every policy, the gain of a
design (what no bound through γ̃_n can be below), and bounds by other methods. See
docs/theory.md#ladder.
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
from bounds.formulas import log_growth, phi
from bounds.gain.report import BoundReport
from bounds.partitions.pair_search import MOST_ROUNDS, PairOptimum, search_pairs
from bounds.partitions.result import ROUNDING, checked_gains
from bounds.partitions.search import evaluate
from bounds.problem import Problem
from bounds.regret.regret_bound import RegretBound

TITLES = {
    "regret": "cumulative regret",
    "deviations": "sum of c√β·σ at the points played",
    "realised_gain": "Cauchy–Schwarz, realised gain",
    "gain_upper": "upper bound on γ̃ₙ",
    "refined": "Theorem A, best partition",
    "exact_kernel": "additive, exact time kernel",
    "additive": "additive, θ and C",
    "phi": "additive, φ and ε",
    "theorem1": "Theorem 1 as printed (N·γ_M)",
    "trivial": "trivial upper bound",
}
"""What each step is called, in the order of the proof."""
OUTSIDE = {"floor": "lower bound, any policy", "gain_lower": "lower bound on γ̃ₙ"}
"""What stands beside the steps under a name of its own."""


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
    """One step of the proof, or the gain of a design beside it.

    Attributes
    ----------
    name : a key of `TITLES`; "gain_lower" beside them
    value : in units of cumulative regret
    gain : the gain it stands for in nats; None for regret and deviations
    factor : value over that of the step before; None for the first, and where that one is 0
    kind : "observed" or "probability 1-delta"
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
    """The steps of one proof from bottom to top, and what is known beside them.

    Attributes
    ----------
    steps : in the order of the proof; those that do not hold or are not known are left out
    times : "fixed" or "t(x)"
    left_out : name ↦ why
    run : whether it starts at a run
    exceeded : whether a covered run's regret is above its sum, an event of probability ≤ δ
    gain_lower : γ̃_n from below by a design, no step; None where none was computed
    floor : the lower bound on the expected regret of any policy, no step
    other : the smallest bound on R_n for the policy, of probability 1 − δ, by another method,
        where it is below every step through γ̃_n; no step
    """

    steps: tuple[Step, ...]
    times: str
    left_out: dict[str, str]
    run: bool
    exceeded: bool
    gain_lower: Step | None = None
    floor: RegretBound | None = None
    other: RegretBound | None = None

    @property
    def loosest(self) -> Step:
        """The step that loses most against the one before."""
        return max(self.steps[1:], key=lambda step: step.factor or 0.0)

    @property
    def total(self) -> float | None:
        """The last step over the first, the product of all factors; None where the first is 0."""
        first, last = self.steps[0], self.steps[-1]
        return last.value / first.value if first.value else None


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
    """The steps of the proof for one problem, and for a run at its times where one is given.

    Parameters
    ----------
    report : bounds at the times of the problem, certified or not; its lower side may be NaN
    gamma : (≥ n+1,) upper bounds on γ_0..γ_n
    run : of a policy at these times
    beta : β_n of the setting; by default that of the report (fixed times, finite domain)
    constant_factor : by which C₁ grows (2.352 for times t(x), Theorem C)
    times : "fixed" or "t(x)"
    best : the smallest bound on R_n for CTV-fixed with exploration theory, which stands beside the
        steps where it is below the one at γ̃_n; for a run of all rounds only

    Raises NumericalFailure that names the step that lies below the one before.
    Cost: O(n²) for the two steps that are searched pair by pair, left out beyond 6,000 rounds.
    """
    problem = report.problem
    rounds = problem.n if run is None else run.rounds
    beta = report.beta if beta is None else beta
    scale = constant_factor * regret_constant(problem.noise_variance) * beta * rounds
    gains, certified, left_out = _gains(report, checked_gains(gamma, problem.n), run)

    def step(name: str, value: float, gain: float | None, kind: str, when: str) -> Step:
        covers = "this run" if when == "after the run" else "CTV-fixed, exploration theory"
        return Step(name, value, gain, None, kind, covers, when, name in certified)

    def through(name: str, gain: float, when: str = "before the run") -> Step:
        return step(name, sqrt(scale * gain), gain, "probability 1-delta", when)

    observed: list[Step] = []
    if run is not None:
        observed = [
            step("regret", run.regret, None, "observed", "after the run"),
            step("deviations", run.deviations, None, "probability 1-delta", "after the run"),
            through("realised_gain", run.gain, "after the run"),
        ]
    lower = None if "gain_lower" not in gains else through("gain_lower", gains.pop("gain_lower"))
    steps = [*observed, *(through(name, gain) for name, gain in gains.items())]
    _require_rising(steps if run is None else steps[1:])
    upper = next(rung for rung in steps if rung.name == "gain_upper")
    if lower is not None:
        _require_rising([lower, upper])
    return Ladder(
        tuple(_with_factors(steps)),
        times,
        left_out,
        run is not None,
        exceeded=run is not None and run.covered and run.regret > run.deviations,
        gain_lower=lower,
        other=best if best is not None and best.value < upper.value else None,
    )


def with_floor(rungs: Ladder, floor: RegretBound | None) -> Ladder:
    """The ladder with the lower bound under E R of the rounds that count, for any policy, beside.

    Left out, with the reason, where the times are t(x) and it is for fixed ones.
    """
    if floor is None:
        return rungs
    if not rungs.times.startswith(floor.times):
        reason = "it is for times fixed beforehand"
        return replace(rungs, left_out={**rungs.left_out, "floor": reason})
    return replace(rungs, floor=floor)


def mean_ladder(ladders: Sequence[Ladder]) -> Ladder:
    """Step by step the mean over runs; the factors are those of the means.

    A step that is missing in one run, as its bound does not hold at that run's times, is left out.
    """
    first = ladders[0]
    by_name = [{step.name: step for step in each.steps} for each in ladders]
    left_out = dict(first.left_out)
    for each in ladders:
        left_out.update(
            {
                name: f"in some runs {why}"
                for name, why in each.left_out.items()
                if name in by_name[0]
            }
        )
    names = [step.name for step in first.steps if all(step.name in known for known in by_name)]
    lower = [each.gain_lower for each in ladders if each.gain_lower is not None]
    return replace(
        first,
        steps=tuple(_with_factors([_mean([known[name] for known in by_name]) for name in names])),
        left_out=left_out,
        exceeded=any(each.exceeded for each in ladders),
        gain_lower=_mean(lower) if len(lower) == len(ladders) else None,
    )


def _mean(of_runs: Sequence[Step]) -> Step:
    """The mean of one step over runs."""
    gains = [step.gain for step in of_runs if step.gain is not None]
    return replace(
        of_runs[0],
        value=sum(step.value for step in of_runs) / len(of_runs),
        gain=sum(gains) / len(gains) if gains else None,
        factor=None,
        certified=all(step.certified for step in of_runs),
    )


def _with_factors(steps: Sequence[Step]) -> list[Step]:
    """The same steps, each with its factor over the one before."""
    steps_with_factors = [replace(steps[0], factor=None)]
    for before, step in pairwise(steps):
        steps_with_factors.append(
            replace(step, factor=step.value / before.value if before.value else None)
        )
    return steps_with_factors


def _gains(
    report: BoundReport, gamma: FloatArray, run: RunSummary | None
) -> tuple[dict[str, float], set[str], dict[str, str]]:
    """The gain of a design if there is one, then the steps that are gains in their order.

    And which of them are certified, and why others are left out.
    """
    problem, left_out = report.problem, {}
    lower = report.lower if isfinite(report.lower) else 0.0
    own = 0.0 if run is None else run.full_gain
    gains: dict[str, float] = {}
    certified = {name for name, bound in report.gains.items() if bound.certified}
    if max(lower, own) > 0.0:
        gains["gain_lower"] = max(lower, own)
        if report.lower_certified and lower >= own:
            certified.add("gain_lower")
    else:
        left_out["gain_lower"] = "no lower side was computed"
    gains["gain_upper"] = report.best
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
    return gains | {name: rungs[name] for name in TITLES if name in rungs}, certified, left_out


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
            problem.times,
            gamma,
            problem.noise_variance,
            lambda lags: np.minimum(1.0, problem.epsilon * lags),
            phi,
        ).value


def _exact_kernel(problem: Problem, gamma: FloatArray) -> PairOptimum:
    return search_pairs(
        problem.times, gamma, problem.noise_variance, problem.time_kernel.complement, log_growth
    )


def _require_rising(steps: Sequence[Step]) -> None:
    for before, step in pairwise(steps):
        if not step.value >= before.value * (1.0 - ROUNDING):
            raise NumericalFailure(
                f"ladder: the step from {before.name} ({before.value:.12g}) to {step.name} "
                f"({step.value:.12g}) falls"
            )
