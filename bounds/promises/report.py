"""Every upper bound on γ̃_n and on the regret that this project proves or repeats, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import Stage
from bounds.confidence.schedules import finite_domain_beta, regret_from_gain
from bounds.drifting_gain.joint_dual import JointDual
from bounds.drifting_gain.knots import KnotBound, knot_bound
from bounds.partitions.search import (
    OBJECTIVES,
    SearchResult,
    checked_gains,
    improve,
    improvements,
    search,
)
from bounds.problem import Problem

_ROUNDING = 1e-9


@dataclass(frozen=True)
class GainBound:
    """One upper bound on γ̃_n, in nats.

    Attributes
    ----------
    name : as in `BoundReport.gains`
    value : the number the formula gives, also where a hypothesis fails
    valid : whether every hypothesis holds for these times and kernels
    hypotheses : what the bound rests on beyond a product of unit-variance kernels
    source : the statement it comes from
    reason : the hypothesis that fails, with the rounds at which it does; empty where valid
    certified : True only for outward rounded arithmetic; floating point is never certified
    """

    name: str
    value: float
    valid: bool
    hypotheses: str
    source: str
    reason: str = ""
    certified: bool = False


@dataclass(frozen=True, eq=False)
class BoundReport:
    """What the theory promises for one problem.

    Attributes
    ----------
    problem : Problem
    lower : lower bound on γ̃_n, the gain of a design with these times
    gains : upper bounds on γ̃_n by name: trivial, theorem1, additive, refined, any_pattern, and
        where they were computed knots and joint_dual
    partitions : the partition of each objective, with `exact` and `gap`
    beta : β_n of the finite domain, 2 log(|D|π_n/δ)
    regret : √(C₁ β_n n · gain) by the same names, and `best`; holds for CTV-fixed with
        probability ≥ 1 − δ where the gain bound is valid and the times are fixed beforehand
    knots, dual : what the bounds knots and joint_dual rest on
    lower_certified : whether `lower` was rounded outward
    """

    problem: Problem
    lower: float
    gains: Mapping[str, GainBound]
    partitions: Mapping[str, SearchResult]
    beta: float
    regret: Mapping[str, float]
    knots: KnotBound | None = None
    dual: JointDual | None = None
    lower_certified: bool = False

    @property
    def best_name(self) -> str:
        """The name of the smallest valid upper bound on γ̃_n."""
        return min((b for b in self.gains.values() if b.valid), key=lambda b: b.value).name

    @property
    def best(self) -> float:
        """The smallest valid upper bound on γ̃_n."""
        return self.gains[self.best_name].value


def bound_report(
    problem: Problem,
    gamma: ArrayLike,
    lower: float,
    *,
    dual: JointDual | None = None,
    progress: Stage | None = None,
) -> BoundReport:
    """All bounds for one problem from upper bounds on γ_m and a lower bound on γ̃_n.

    Parameters
    ----------
    problem : Problem of n rounds
    gamma : (≥ n+1,) non-decreasing upper bounds on γ_0..γ_n (see `gain_bound`)
    lower : lower bound on γ̃_n (see `joint_gain`)
    dual : the bound of `joint_dual`, where it is wanted
    progress : called with the name of the search under way and the share of it that is done

    Cost: that of the three exact searches (`partition_search.search`).
    """
    gamma_upper = checked_gains(gamma, problem.n)

    def found(objective: str) -> SearchResult:
        report = None if progress is None else lambda share: progress(objective, share)
        return search(objective, problem, gamma_upper, progress=report)

    partitions = improve(
        problem, gamma_upper, {objective: found(objective) for objective in OBJECTIVES}
    )
    reason = theorem1_failure(problem)
    knots = knot_bound(problem, float(gamma_upper[problem.n]))
    gains = {
        bound.name: bound
        for bound in (
            GainBound(
                "trivial", problem.n * problem.trivial_gain_per_round, True, "none",
                "each round gains at most ½ log(1+1/σ²)",
            ),
            GainBound(
                "theorem1", partitions["theorem1"].value, not reason,
                "1 − k_time ≤ ε|τ−τ′| for all pairs of rounds", "Theorem 1, best partition",
                reason,
            ),
            GainBound(
                "additive", partitions["additive"].value, True, "none (θ is the kernel's slope)",
                "Theorem 1 with Σγ_{M_i}, log(1+x) for φ(x) and θ for ε, best partition",
            ),
            GainBound(
                "refined", partitions["refined"].value, True, "none",
                "Theorem A, best partition and centres",
            ),
            GainBound(
                "any_pattern", any_pattern_gain(problem, float(gamma_upper[problem.n])), True,
                "none (θ is the kernel's slope)", "Theorem B: γ_n + √(2sγ_n nθT)",
            ),
        )
    }  # fmt: skip
    if knots is not None:
        source = f"|S|γ_n + ½Σ log(1+s Var[g(τ)|g(S)]), {len(knots.knots)} knots"
        gains["knots"] = GainBound("knots", knots.value, True, "none", source)
    if dual is not None:
        source = "rank-aware dual over points and times (Lemma R)"
        gains["joint_dual"] = GainBound("joint_dual", dual.value, True, "none", source)
    gains = in_order(problem, gains, lower)
    beta = float(finite_domain_beta(problem.n, problem.domain.size, problem.delta))
    regret = {
        name: regret_from_gain(problem.n, beta, bound.value, problem.noise_variance)
        for name, bound in gains.items()
    }
    report = BoundReport(problem, lower, gains, partitions, beta, regret, knots, dual)
    regret["best"] = regret[report.best_name]
    return report


def in_order(
    problem: Problem, gains: Mapping[str, GainBound], lower: float
) -> dict[str, GainBound]:
    """The bounds, none below the lower side nor below a bound that improves on it, by rounding.

    A bound in floating point may miss its true value by some 1e-16 for each term, so that it falls
    below one that cannot be larger. It is raised to that one, which leaves it a bound. What crosses
    by more than a relative 1e-9 is not rounding and stays as it is.
    """
    found = dict(gains)

    def raised(name: str, to: float) -> None:
        bound = found[name]
        if bound.valid and bound.value < to <= bound.value * (1.0 + _ROUNDING):
            found[name] = replace(bound, value=to)

    for name in found:
        raised(name, lower)
    for looser, tighter in reversed(improvements(problem)):
        if looser in found and tighter in found:
            raised(looser, found[tighter].value)
    return found


def any_pattern_gain(problem: Problem, gamma_n: float) -> float:
    """γ_n + √(2sγ_n nθT), T = τ_n − τ_1: an upper bound on γ̃_n for every pattern (Theorem B).

    Infinite where the time kernel has no finite slope and the times differ.
    """
    span = problem.times.span
    if span == 0.0:
        return gamma_n
    drift = 2.0 * gamma_n / problem.noise_variance * problem.n * problem.time_kernel.slope * span
    return gamma_n + sqrt(drift)


def theorem1_failure(problem: Problem) -> str:
    """Why 1 − k_time ≤ ε|·| fails for these times, with the pair it fails at; empty if it holds.

    (1 − k)/r has one peak, so only the pairs whose distance is next to the peak on either side
    need a look: O(n log n).
    """
    kernel, epsilon = problem.time_kernel, problem.epsilon
    if kernel.slope <= epsilon:
        return ""
    # Rounds at the same time satisfy the hypothesis with equality; keep one of each.
    rounds = np.flatnonzero((problem.times.waits > 0.0) | (np.arange(problem.n) == 0))
    if len(rounds) < 2:
        return ""
    distinct = problem.times.offsets()[rounds]
    rows = np.arange(len(distinct))
    after = np.searchsorted(distinct, distinct + kernel.steepest_distance, side="right")
    partners = np.clip(np.concatenate((after - 1, after)), 0, len(distinct) - 1)
    rows = np.concatenate((rows, rows))
    keep = partners > rows
    if not np.any(keep):
        return ""
    distance = problem.times.gaps(rounds[rows[keep]], rounds[partners[keep]])
    complement = kernel.complement(distance)
    worst = int(np.argmax(complement / distance))
    r, left = float(distance[worst]), float(complement[worst])
    if left <= epsilon * r * (1.0 + 1e-12):
        return ""
    return (
        f"1 - k_time <= epsilon*|tau-tau'| fails: two rounds {r:.4g} apart have "
        f"1 - k_time = {left:.4g} > {epsilon * r:.4g}"
    )
