"""Problems that a fitted prior stands for: what theory promises for each, and the spread of it.

A member of the set is y = m + s·(f + level) + noise over the unit cube. In units of s√(1 + c) it is
a problem of unit variance: the kernel (k + c)/(1 + c) (`bounds.kernels.levelled`) over a box whose
sides are 1/ℓ_i, noise σ²/(1 + c), and regret counts s√(1 + c) of y (docs/theory.md#theorem-h).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from bounds.arrays import FloatArray
from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.gain.answer import Answer
from bounds.kernels import Forgetting, Kernel, Levelled, Matern
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from own_runs.logs.axes import Axis, parse_domain
from own_runs.prior.files import PriorFile
from simulation.prior.candidates import Candidates
from simulation.prior.evidence import Member

DRAWS = 9
"""Priors of the set for which the bounds are computed: odd, so that one is in the middle."""

SITES = 1_600
"""Points of the grid at most, where no number per axis is given."""


@dataclass(frozen=True, eq=False)
class Assumed:
    """One prior of a fitted set as a problem.

    problem : of unit variance
    unit : what one of its units of regret is in y, s√(1 + c) with s its estimate
    member : the prior
    """

    problem: Problem
    unit: float
    member: Member


@dataclass(frozen=True)
class SpreadRow:
    """One bound over the draws of the set.

    Attributes
    ----------
    name : `gain` in nats; `regret` or `floor` in units of y
    kind : `probability`, `mean` or empty for the gain
    covers : the policy
    low, middle, high : smallest, median and largest over the draws
    average : over the draws: for `mean` a bound on E R by the tower rule, if the set is the law
    """

    name: str
    kind: str
    covers: str
    low: float
    middle: float
    high: float
    average: float


@dataclass(frozen=True, eq=False)
class PriorSpread:
    """What theory promises over a fitted set of priors.

    Attributes
    ----------
    rows : the bounds over equally likely draws of the set, in floating point
    fixed : the draw in the middle by its bound on regret: for it alone bounds can be certified
    draws, members : how many were taken, and of how many
    left_out : probability of the members for which there is no theory here: those of another scale
        of y, of two scales in space, of a drift that does not forget
    time_unit : of the evaluation times
    """

    rows: tuple[SpreadRow, ...]
    fixed: Assumed
    draws: int
    members: int
    left_out: float
    time_unit: str


def assumed(
    candidates: Candidates,
    index: int,
    axes: Sequence[Axis],
    times: EvaluationTimes,
    *,
    delta: float,
    per_axis: int | None,
) -> Assumed:
    """Member `index` of a set over these axes and times, which are in the unit of the set.

    Raises InvalidInput where the grid has too many points.
    """
    member = candidates.members[index]
    most = per_axis or max(2, int(SITES ** (1.0 / len(axes)) + 1e-9))
    shape = tuple(len(axis.levels(most)) for axis in axes)
    sides = tuple(1.0 / scale for scale in member.lengthscales)
    even = len({*sides}) == 1 and len({*shape}) == 1
    domain = Grid(len(axes), 1.0 if even else sides, shape[0] if even else shape)
    lengthscale = member.lengthscales[0] if even else 1.0
    levelled = Levelled(member.kernel, lengthscale, member.level)
    epsilon = float(-np.expm1(-2.0 * member.rate))
    # A log in hours that drifts in seconds: ε is 1 in doubles, and θ is what can be said.
    time_kernel: Kernel = Forgetting(epsilon) if epsilon < 1.0 else Matern(0.5, 1.0 / member.rate)
    law = candidates.posterior
    scale = sqrt(float(law.scale[index] / law.shape[index]))
    problem = Problem(
        times,
        epsilon=min(epsilon, float(np.nextafter(1.0, 0.0))),
        time_kernel=time_kernel,
        space_kernel=levelled if member.level else levelled.without_level,
        noise_variance=member.noise_variance / (1.0 + member.level),
        domain=domain,
        delta=delta,
    )
    return Assumed(problem, scale * sqrt(1.0 + member.level), member)


def spread_of(
    file: PriorFile,
    times: EvaluationTimes,
    answered: Callable[[Problem, float], Answer],
    *,
    delta: float = 0.1,
    per_axis: int | None = None,
    draws: int = DRAWS,
) -> PriorSpread:
    """Bounds for equally likely draws of the set.

    Parameters
    ----------
    file : the set
    times : of the rounds, in the unit of the set
    answered : the answer of a problem; told which share of the draws is done
    delta : of the bounds
    per_axis : points of the grid on each axis
    draws : how many, systematically along the half-life: the same every time

    Raises InvalidInput where no member is of the family of the theory.
    """
    plain = np.array([member.plain for member in file.members])
    left_out = float(file.weights[~plain].sum() / file.weights.sum())
    if not float(file.weights[plain].sum()) > 0.0:
        remedy = (
            'no bound is for a drift or a scale of y as the log asks for; fit it with {"kernels": '
            '["se", "matern52"], "memories": ["forgetting"], "powers": [1]} in --prior'
        )
        if all(member.unordered for member in file.members):
            remedy = "no bound is for inputs of words without an order"
        elif all(member.optional for member in file.members):
            remedy = "no bound is for inputs that only some points have"
        raise InvalidInput("prior", f"{len(file.members)} members", remedy)
    file = file.only(np.flatnonzero(plain))
    chosen = _systematic(file, draws)
    axes = [_axis(text) for text in file.inputs]
    cases = [assumed(file, i, axes, times, delta=delta, per_axis=per_axis) for i in chosen]
    answers = [answered(case.problem, done / draws) for done, case in enumerate(cases)]
    units = np.array([case.unit for case in cases])
    rows = [_row("gain", "", "any policy", np.array([a.gain.upper for a in answers]))]
    for kind in ("probability", "mean"):
        best = [answer.best(kind) for answer in answers]
        values = [np.inf if row is None else row.value for row in best]
        covers = next((row.covers for row in best if row is not None), "no policy")
        rows.append(_row("regret", kind, covers, units * np.array(values)))
    floors = [answer.floor for answer in answers]
    lowest = np.array([0.0 if row is None else row.value for row in floors])
    rows.append(_row("floor", "mean", "any policy", units * lowest))
    by_regret = np.argsort([units[i] * _headline(answers[i]) for i in range(draws)], kind="stable")
    middle = cases[int(by_regret[draws // 2])]
    return PriorSpread(tuple(rows), middle, draws, len(file.members), left_out, file.unit)


def _headline(answer: Answer) -> float:
    best = answer.best()
    return float("inf") if best is None else best.value


def _row(name: str, kind: str, covers: str, values: FloatArray) -> SpreadRow:
    return SpreadRow(
        name,
        kind,
        covers,
        float(values.min()),
        float(np.median(values)),
        float(values.max()),
        float(values.mean()),
    )


def _systematic(file: PriorFile, draws: int) -> Sequence[int]:
    """Equally likely members, evenly along their half-life."""
    order = np.argsort([member.rate for member in file.members], kind="stable")
    reached = np.cumsum(file.weights[order])
    levels = (np.arange(draws) + 0.5) / draws * reached[-1]
    return [int(i) for i in order[np.minimum(np.searchsorted(reached, levels), len(order) - 1)]]


def _axis(text: str) -> Axis:
    """The axis as it prints; one whose name cannot be read is an interval."""
    try:
        (axis,) = parse_domain(text)
    except (InvalidInput, ValueError):
        return Axis(text, 0.0, 1.0)
    return axis
