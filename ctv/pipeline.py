"""The stages between the door and the table: which packages a command calls, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bounds.arrays import FloatArray, Stage
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.drifting_gain.lower_bound import JointGain, joint_gain_lower
from bounds.errors import InvalidInput
from bounds.partitions.drift import additive_drift, refined_drift, theorem1_drift
from bounds.partitions.partition import Partition
from bounds.partitions.search import OBJECTIVES, SearchResult, checked_gains, evaluate, search
from bounds.problem import Problem
from bounds.promises.certified import certified_report
from bounds.promises.report import BoundReport, bound_report
from bounds.regret_itself.before_run import beside_rows, noise_levels
from bounds.regret_itself.regret_bound import RegretBound
from bounds.regret_itself.sandwich import LARGEST_DENSE
from bounds.rivals import Rival, rivals
from bounds.rivals.rival import is_static
from bounds.static_gain.box_gain import box_curve, require_known
from bounds.static_gain.certified import (
    certification_seconds,
    certified_curve,
    certified_design_gains,
)
from bounds.static_gain.designs import GainDesigns, space_gain_lower
from bounds.static_gain.exchange import ExchangeableDesign
from bounds.static_gain.information import gain
from bounds.static_gain.upper_curve import GainCurve, space_gain_upper
from bounds.times import EvaluationTimes
from ctv.commands.options import LARGEST_N, whole_number
from ctv.figures.bound_vs_regret import RegretUnderBounds
from ctv.figures.gain import GainRange
from ctv.inputs import read_gamma
from simulation.after_run.simulated_rows import simulated_rows
from simulation.runs.run import simulate
from simulation.study.manifest import LARGEST_SEEDS
from simulation.world.evaluation_time import in_order

LONGEST_GREEDY = 1_500
"""Rounds up to which a published bound that needs a greedy design gets one, at O(N·n²)."""


def unwatched(stage: str, share: float) -> None:
    """Take no notice of progress."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """The gain curve of a problem, every bound that follows from it, and the published ones.

    Attributes
    ----------
    curve : upper bounds on γ_0..γ_n
    report : every bound on γ̃_n and on the regret
    design : the lower side of γ̃_n; None where it was not asked for
    rivals : the published bounds
    """

    curve: GainCurve
    report: BoundReport
    design: JointGain | None = None
    rivals: tuple[Rival, ...] = ()


def gain_curve(problem: Problem) -> GainCurve:
    """Upper bounds on γ_0 … γ_n for the space kernel, the grid and the noise of a problem."""
    return space_gain_upper(problem.space_kernel, problem.domain, problem.noise_variance, problem.n)


@dataclass(frozen=True, eq=False)
class SpaceGains:
    """γ_1 … γ_n from both sides: the curve of upper bounds and the designs of the lower side."""

    curve: GainCurve
    designs: GainDesigns


def space_gains(
    problem: Problem,
    rounds: Sequence[int],
    advance: Stage = unwatched,
    curve: GainCurve | None = None,
) -> SpaceGains:
    """Both sides up to the largest of the given m ≥ 1; a long enough curve may be at hand."""
    if min(rounds) < 1:
        raise InvalidInput("m", min(rounds), "give at least 1 round")
    if max(rounds) > LARGEST_N:
        raise InvalidInput("m", max(rounds), f"give at most {LARGEST_N} rounds")
    space = (problem.space_kernel, problem.domain, problem.noise_variance, max(rounds))
    if curve is None:
        advance("upper side", 0.0)
        curve = space_gain_upper(*space)
    advance("lower side", 0.2)
    return SpaceGains(curve, space_gain_lower(*space))


def gains_at(
    problem: Problem,
    rounds: Sequence[int],
    advance: Stage = unwatched,
    curve: GainCurve | None = None,
) -> GainRange:
    """γ_m from both sides for the given m ≥ 1, in floating point."""
    found = space_gains(problem, rounds, advance, curve)
    lower = found.designs.values[np.array(rounds, dtype=np.int64)]
    return _gain_range(problem, rounds, found.curve, lower, np.zeros(len(rounds), dtype=bool))


def certified_gains_at(
    problem: Problem,
    rounds: Sequence[int],
    advance: Stage = unwatched,
    within: float | None = None,
) -> GainRange:
    """γ_m of the grid from both sides, rounded outward; `certified` where both sides are."""
    found = space_gains(problem, rounds, advance)
    affordable(problem, found.curve, within)
    curve = certified_curve(
        problem.space_kernel, problem.domain, found.curve,
        lambda share: advance("certify the upper side", share),
    )  # fmt: skip
    return _certified_range(problem, rounds, found, curve, advance)


def box_gains_at(problem: Problem, rounds: Sequence[int], advance: Stage = unwatched) -> GainRange:
    """γ_m of the whole box from both sides: what the grid attains, and the cells between."""
    require_known(problem.space_kernel, problem.domain)
    found = space_gains(problem, rounds, advance)
    curve = box_curve(
        problem.space_kernel, problem.domain, found.curve, np.array(rounds, dtype=np.int64),
        lambda share: advance("certify the box", share),
    )  # fmt: skip
    return _certified_range(problem, rounds, found, curve, advance)


def _certified_range(
    problem: Problem,
    rounds: Sequence[int],
    found: SpaceGains,
    curve: GainCurve,
    advance: Stage,
) -> GainRange:
    kernel, domain = problem.space_kernel, problem.domain
    m = np.array(rounds, dtype=np.int64)
    lower = certified_design_gains(
        kernel, domain, problem.noise_variance, found.designs, m,
        lambda share: advance("certify the lower side", share),
    )  # fmt: skip
    known = np.isfinite(lower)
    lower = np.where(known, lower, found.designs.values[m])
    return _gain_range(problem, rounds, curve, lower, known & curve.certified)


def _gain_range(
    problem: Problem,
    rounds: Sequence[int],
    curve: GainCurve,
    lower: FloatArray,
    certified: NDArray[np.bool_],
) -> GainRange:
    m = np.array(rounds, dtype=np.int64)
    return GainRange(
        m=m,
        lower=lower,
        upper=curve.values[m],
        cap=m.astype(float) * problem.trivial_gain_per_round,
        upper_names=tuple(curve.upper_name(int(k)) for k in m),
        certified=tuple(bool(each) for each in certified),
    )


def bounds_of(problem: Problem, advance: Stage = unwatched) -> Bounds:
    """Gain curve, lower side, dual, partitions and bounds of one problem, in floating point."""
    advance("gain without drift", 0.0)
    curve = gain_curve(problem)
    advance("gain of a design", 0.2)
    design = joint_gain_lower(problem)
    dual = joint_dual(problem, lambda share: advance("dual over points and times", share))
    report = bound_report(problem, curve.values, design.value, dual=dual, progress=advance)
    advance("published bounds", 0.9)
    return Bounds(curve, report, design, _rivals(problem, curve, report))


def affordable(problem: Problem, curve: GainCurve, within: float | None) -> None:
    """Raise InvalidInput where certifying the curve takes longer than the seconds allowed."""
    if within is None:
        return
    if not within > 0:
        raise InvalidInput("within", within, "give a number of seconds above 0")
    seconds = certification_seconds(curve, problem.domain)
    if seconds > within:
        grid = problem.domain
        raise InvalidInput(
            "grid",
            grid.title,
            f"certifying takes about {seconds:.3g} s, more than --within {within:g}: use a smaller "
            "--grid, or --quick",
        )


def certified(found: Bounds, advance: Stage = unwatched, within: float | None = None) -> Bounds:
    """The same bounds in ball arithmetic, rounded outward; the published ones from them."""
    problem = found.report.problem
    affordable(problem, found.curve, within)
    assert found.design is not None
    curve = certified_curve(
        problem.space_kernel, problem.domain, found.curve,
        lambda share: advance("certify the gain without drift", share),
    )  # fmt: skip
    report = certified_report(found.report, curve, found.design, advance)
    advance("published bounds", 0.9)
    return Bounds(curve, report, found.design, _rivals(problem, curve, report))


def rows_beside(
    problem: Problem,
    report: BoundReport,
    advance: Stage = unwatched,
    simulations: int | None = None,
) -> tuple[RegretBound, ...]:
    """The bounds on regret itself that are known before a run, for fixed times (THEORY 10).

    None beyond 4,000 rounds with a time kernel that is not Markov: the sandwich needs its factor.
    """
    if problem.n > LARGEST_DENSE and not problem.time_kernel.is_markov:
        return ()
    levels = noise_levels(problem)
    gains = [(problem.noise_variance, report.best)]
    for done, noise_variance in enumerate(levels[1:]):
        advance("gain at more noise", done / len(levels))
        noisier = replace(problem, noise_variance=noise_variance)
        dual = joint_dual(noisier)
        cap = problem.n * noisier.trivial_gain_per_round
        gains.append((noise_variance, cap if dual is None else dual.value))
    advance("bounds on regret itself", 0.9)
    rows = beside_rows(problem, gains)
    if simulations is None:
        return rows
    simulated = simulated_rows(
        problem, runs=simulations, progress=lambda share: advance("simulated runs", share)
    )
    return (*rows, *simulated)


def check_simulations(simulations: int | None, delta: float) -> None:
    """Raise InvalidInput, before anything is computed, for fewer runs than 1/δ − 1 or too many."""
    if simulations is None:
        return
    # δ as it was written: ten times the double 0.1 must not ask for one run more.
    least = max(1, ceil(1 / Fraction(repr(float(delta)))) - 1)
    if simulations < least:
        raise InvalidInput("simulations", simulations, f"give at least {least} (1/delta - 1)")
    if simulations > LARGEST_SEEDS:
        raise InvalidInput("simulations", simulations, f"give at most {LARGEST_SEEDS}")


def _rivals(problem: Problem, curve: GainCurve, report: BoundReport) -> tuple[Rival, ...]:
    """The published bounds; what only static ones need is computed where nothing drifts."""
    greedy = None
    if is_static(problem) and problem.n <= LONGEST_GREEDY:
        grid_kernel = problem.domain.restricted(problem.space_kernel)
        design = ExchangeableDesign(grid_kernel, problem.noise_variance, problem.n)
        design.grow(problem.n)
        greedy = gain(grid_kernel.gram(design.points, design.points), problem.noise_variance)
    # Where the bounds are certified the value of the partition is too.
    value = report.gains["theorem1"].value
    return rivals(
        problem,
        curve.values,
        theorem1=replace(report.partitions["theorem1"], value=value),
        greedy_gain=greedy,
    )


def runs_under_bounds(
    found: Bounds,
    seeds: Iterable[int] = range(8),
    exploration: str = "theory",
    advance: Stage = unwatched,
) -> RegretUnderBounds:
    """CTV-fixed at the evaluation times of the problem, one run a seed, and bounds over rounds.

    The policy chooses from round 1 on (no random start), which is what the theorem covers; with
    exploration `theory` and the true model the comparison counts against δ.
    """
    problem = found.report.problem
    times = in_order(problem.times, problem.n)
    wanted = list(seeds)
    runs = []
    for done, seed in enumerate(wanted):
        advance("runs of CTV-fixed", done / len(wanted))
        runs.append(
            simulate(
                problem,
                times,
                "ctv-fixed",
                seed=seed,
                initial=0,
                rounds=problem.n,
                exploration=exploration,
            )
        )
    return RegretUnderBounds(
        reports=bounds_over_rounds(problem, found),
        regret=np.array([run.cumulative_regret for run in runs]),
        gain=np.array([run.cumulative_gain for run in runs]),
        policy=f"CTV-fixed with exploration {exploration}",
        counted=exploration == "theory",
    )


def compared_partitions(
    problem: Problem, objective: str, compare: str, gamma: Path | None, advance: Stage
) -> tuple[SearchResult, list[tuple[str, SearchResult]]]:
    """The best partition for one objective, and the rows that `--compare` asks for.

    Everything given is checked before anything long is computed.
    """
    if objective not in OBJECTIVES:
        raise InvalidInput("objective", objective, f"use {', '.join(OBJECTIVES)}")
    names = [name.strip() for name in compare.split(",")]
    wanted = {name: _compared(name, problem.n) for name in names}
    if gamma is None:
        advance("gain without drift", 0.0)
        prices = gain_curve(problem).values
    else:
        prices = checked_gains(read_gamma(gamma), problem.n)
    best = search(
        objective, problem, prices, progress=lambda share: advance(f"search {objective}", share)
    )
    rows = [
        (name, best if blocks is None else evaluate(objective, problem, prices, blocks))
        for name, blocks in wanted.items()
    ]
    return best, rows


def _compared(name: str, n: int) -> Partition | None:
    """The partition that a name in `--compare` stands for; None for the optimum."""
    if name == "best":
        return None
    kind, _, length = name.partition(":")
    if kind != "equal":
        raise InvalidInput("compare", name, "use best and equal:L, e.g. equal:10,best")
    return Partition.equal(n, whole_number("compare equal", length))


def block_drifts(problem: Problem, result: SearchResult) -> FloatArray:
    """(N,) drift of each block of a search result, in nats; sums to its `drift`."""
    times, noise_variance = problem.times, problem.noise_variance
    if result.objective == "theorem1":
        return theorem1_drift(times, result.partition, problem.epsilon, noise_variance)
    if result.objective == "additive":
        slope = problem.time_kernel.slope
        return additive_drift(times, result.partition, slope, noise_variance)
    return refined_drift(times, result.partition, problem.time_kernel, noise_variance).drift


def bounds_over_rounds(problem: Problem, found: Bounds, count: int = 20) -> list[BoundReport]:
    """Bounds for the first m rounds at some `count` values of m, the last of them n.

    They lie as squares do: a step between the last ones is a share 2/`count` of all rounds. A γ
    curve for n rounds serves every m ≤ n. The lower side is not asked for (NaN).
    """
    shares = (np.arange(1, count + 1) / count) ** 2
    reach = np.union1d([1], np.ceil(problem.n * shares).astype(int))
    shorter = [
        upper_bounds(at_times(problem, problem.times.block(0, int(m))), found.curve)
        for m in reach[:-1]
    ]
    return [*shorter, found.report]


def at_times(problem: Problem, times: EvaluationTimes) -> Problem:
    """The same problem with other evaluation times."""
    return replace(problem, times=times)


def upper_bounds(problem: Problem, curve: GainCurve) -> BoundReport:
    """Every upper bound from a γ curve that is long enough; no lower side is sought (NaN)."""
    return bound_report(problem, curve.values, float("nan"))
