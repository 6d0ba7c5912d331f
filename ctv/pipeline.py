"""The stages between the door and the table: which packages a command calls, in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bounds.drift import additive_drift, drift_at_center, theorem1_drift
from bounds.errors import InvalidInput
from bounds.gain_bound import GainCurve, space_gain_upper
from bounds.joint_gain import joint_gain_lower
from bounds.partition import Partition
from bounds.partition_search import OBJECTIVES, SearchResult, checked_gains, evaluate, search
from bounds.problem import Problem
from bounds.regret import BoundReport, bound_report
from ctv.inputs import read_gamma
from ctv.options import whole_number

FloatArray = NDArray[np.float64]
Advance = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class Bounds:
    """The gain curve of a problem and every bound that follows from it."""

    curve: GainCurve
    report: BoundReport


def bounds_of(problem: Problem, advance: Advance) -> Bounds:
    """Gain curve, lower side, partitions and bounds of one problem."""
    advance("gain without drift", 0.0)
    curve = space_gain_upper(
        problem.space_kernel, problem.domain, problem.noise_variance, problem.n
    )
    advance("gain of a design", 0.3)
    lower = joint_gain_lower(problem).value
    report = bound_report(problem, curve.values, lower, progress=advance)
    return Bounds(curve, report)


def compared_partitions(
    problem: Problem, objective: str, compare: str, gamma: Path | None, advance: Advance
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
        prices = space_gain_upper(
            problem.space_kernel, problem.domain, problem.noise_variance, problem.n
        ).values
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
    if result.centers is None:
        slope = problem.time_kernel.slope
        return additive_drift(times, result.partition, slope, noise_variance)
    return np.array(
        [
            drift_at_center(
                times.block(start, end), center - times.times[start], problem.time_kernel,
                noise_variance,
            )
            for (start, end), center in zip(
                result.partition.blocks(), result.centers, strict=True
            )
        ]
    )  # fmt: skip


def bounds_over_rounds(problem: Problem, found: Bounds, count: int = 12) -> list[BoundReport]:
    """Bounds for the first m rounds at some `count` values of m, the last of them n.

    A γ curve for n rounds serves every m ≤ n. The lower side is not asked for (NaN).
    """
    reach = np.unique(np.geomspace(1, problem.n, count).round().astype(int))
    shorter = [
        bound_report(first_rounds(problem, int(m)), found.curve.values, float("nan"))
        for m in reach[:-1]
    ]
    return [*shorter, found.report]


def first_rounds(problem: Problem, m: int) -> Problem:
    """The same problem with its first m rounds only."""
    return Problem(
        problem.times.block(0, m),
        problem.epsilon,
        problem.time_kernel,
        problem.space_kernel,
        problem.noise_variance,
        problem.domain,
        problem.delta,
    )
