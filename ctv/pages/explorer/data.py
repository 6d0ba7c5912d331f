"""What the explorer needs beside its own arithmetic: evaluation times, γ curves, constants.

The page computes drifts, partitions, floors and regret itself. The γ curves it takes from here, as
the straight lines that prove them, for a few σ² and lengthscales around those of the problem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bounds.confidence.schedules import finite_domain_beta
from bounds.domain import FiniteKernel
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.errors import InvalidInput
from bounds.gain.answer import largest_floor
from bounds.gain.bounds import Bounds
from bounds.kernels import Kernel
from bounds.partitions.compare import block_drifts
from bounds.partitions.result import SearchResult
from bounds.partitions.search import search
from bounds.problem import Problem
from bounds.progress import Stage, unstaged
from bounds.regret.ingredients.common_part import noise_beyond_common_part
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.rows import floors
from bounds.smooth.order import missing_hypothesis
from bounds.static_gain.both_sides import gain_curve
from bounds.static_gain.designs import gain_of_counts, rounded_design
from bounds.static_gain.relaxation import relaxation_path
from bounds.static_gain.upper_curve import GainCurve
from bounds.times import EvaluationTimes, Family, sequence
from ctv.show.plain import plain, project_version

MOST_ROUNDS = 2_000
"""Beyond, the page would answer too slowly: it takes so many of the rounds, evenly spread."""

OBJECTIVE = "refined"
"""With which the page starts."""

_NOISE_FACTORS = (0.1, 1.0, 10.0)
_LENGTHSCALE_FACTORS = (0.5, 1.0, 2.0)
_FEWEST_FOR_FAMILIES = 8


@dataclass(frozen=True, eq=False)
class Preset:
    """Evaluation times to start from.

    Attributes
    ----------
    name, label : in the address, and on the page
    times : EvaluationTimes
    options : what gives them on the command line, by option; None where nothing does
    """

    name: str
    label: str
    times: EvaluationTimes
    options: Mapping[str, Any] | None


@dataclass(frozen=True, eq=False)
class ExplorerData:
    """One problem as the page takes it.

    Attributes
    ----------
    problem : Problem of at most `MOST_ROUNDS` rounds
    rounds : of the problem that was asked for
    presets : the problem's own times first
    model : the options of the model that no slider holds; None for a problem that has none
    best : the best partition for `OBJECTIVE`, which the page shows without its module
    lower, floor : the largest known lower sides of γ̃_n and of every policy's mean regret; the floor
        is None where none is known
    curves : by (σ², lengthscale), γ̂ above and the gain of one design below; lengthscales are None
        for a kernel without one
    """

    problem: Problem
    rounds: int
    presets: tuple[Preset, ...]
    model: Mapping[str, Any] | None
    best: SearchResult
    curves: Mapping[tuple[float, float | None], tuple[Problem, GainCurve, float]]
    lower: float
    floor: float | None

    @property
    def drifts(self) -> list[float]:
        """Of the blocks of the best partition, in nats."""
        return [float(one) for one in block_drifts(self.problem, self.best)]

    def to_dict(self) -> dict[str, Any]:
        """What the page's module reads."""
        problem, kernel = self.problem, self.problem.time_kernel
        data = {
            "format": 1,
            "version": project_version(),
            "n": problem.n,
            "rounds": self.rounds,
            "domain": problem.domain.phrase,
            "space_kernel": problem.space_kernel.name,
            "time_kernel": kernel.name,
            "markov": kernel.is_markov,
            "smooth": not missing_hypothesis(problem),
            "epsilon_moves_kernel": kernel.at_rate(problem.epsilon) is not None,
            # JSON has no infinity: a kernel without a finite slope.
            "theta": kernel.slope if np.isfinite(kernel.slope) else None,
            "epsilon": problem.epsilon,
            "noise_variance": problem.noise_variance,
            "lengthscale": problem.space_kernel.parameters.get("lengthscale"),
            "delta": problem.delta,
            "beta": float(finite_domain_beta(problem.n, problem.domain.size, problem.delta)),
            "lower": self.lower,
            "floor": self.floor,
            "objective": OBJECTIVE,
            "model": self.model,
            "cuts": self.best.partition.cuts[1:-1],
            "presets": [
                {
                    "name": preset.name,
                    "label": preset.label,
                    "options": preset.options,
                    "durations": preset.times.durations,
                }
                for preset in self.presets
            ],
            "curves": [
                {
                    "noise_variance": noise,
                    "lengthscale": length,
                    "cap": at.trivial_gain_per_round,
                    "lines": curve.lines,
                    "lower": lower,
                    "maximum": least_maximum(at).value,
                    "told": noise_beyond_common_part(at),
                }
                for (noise, length), (at, curve, lower) in self.curves.items()
            ],
        }
        return dict(plain(data))


def explorer_data(
    problem: Problem,
    *,
    bounds: Bounds | None = None,
    label: str | None = None,
    times: Mapping[str, Any] | None = None,
    model: Mapping[str, Any] | None = None,
    sliders: bool = True,
    advance: Stage = unstaged,
) -> ExplorerData:
    """Everything that the explorer of a problem needs.

    Parameters
    ----------
    bounds : the bounds for the problem, where they are at hand: the page has their lower sides
    label : what the problem's own times are called; by default where they come from
    times : the options of the command line that give the problem's times, if any do
    model : the options that give its model, beyond those on sliders
    sliders : whether other σ² and lengthscales can be chosen; each costs a γ curve
    advance : called with the name of the stage under way and the share of it that is done

    Beyond `MOST_ROUNDS` rounds only so many of them are taken, evenly spread.
    """
    rounds = problem.n
    if rounds > MOST_ROUNDS:
        chosen = np.linspace(0, rounds - 1, MOST_ROUNDS).round().astype(np.int64)
        problem = replace(problem, times=problem.times.some(chosen))
        times = bounds = None
    own = Preset("own", label or problem.times.source, problem.times, times)
    advance("γ curves", 0.0)
    points, counts = _design(problem)
    variants = list(_variants(problem)) if sliders else [problem]
    curves = {}
    for done, at in enumerate(variants):
        advance("γ curves", done / len(variants))
        lengthscale = at.space_kernel.parameters.get("lengthscale")
        gram = at.domain.restricted(at.space_kernel).gram(points, points)
        lower = gain_of_counts(gram, counts, at.noise_variance)
        curves[(at.noise_variance, lengthscale)] = (at, gain_curve(at), lower)
    own_curve = curves[
        (problem.noise_variance, problem.space_kernel.parameters.get("lengthscale"))
    ][1]
    advance("best partition", 0.0)
    best = search(OBJECTIVE, problem, own_curve.values)
    advance("lower sides", 0.0)
    lower, floor = _lower_sides(problem, bounds)
    presets = (own, *_families(own))
    return ExplorerData(problem, rounds, presets, model, best, curves, lower, floor)


def _lower_sides(problem: Problem, bounds: Bounds | None) -> tuple[float, float | None]:
    """Of γ̃_n and of the mean regret: those of `bounds`, else the same computed for them alone."""
    if bounds is not None:
        lower, floor = bounds.report.lower, bounds.answer.floor
    else:
        lower, floor = joint_gain_lower(problem).value, largest_floor(floors(problem))
    return lower, None if floor is None else floor.value


def _design(problem: Problem) -> tuple[Any, Any]:
    """Points and multiplicities of one design of n rounds, for the lower side."""
    grid_kernel: FiniteKernel = problem.domain.restricted(problem.space_kernel)
    relaxed = next(relaxation_path(grid_kernel, problem.noise_variance, [problem.n]))
    return rounded_design(grid_kernel, relaxed, problem.n)


def _variants(problem: Problem) -> Iterator[Problem]:
    """The problem itself, and others around it whose γ curves the sliders offer."""
    for stretched in _stretched(problem):
        for factor in _NOISE_FACTORS:
            # Decimal neighbours of the given value, so that 0.01 has 0.001 and 0.1 beside it.
            noise = problem.noise_variance
            noise = noise if factor == 1.0 else float(f"{noise * factor:.12g}")
            try:
                yield replace(problem, noise_variance=noise, space_kernel=stretched)
            except InvalidInput:
                continue  # beyond what σ² may be


def _stretched(problem: Problem) -> list[Kernel]:
    """The space kernel at shorter and longer lengthscales; itself alone where it has none."""
    kernel = problem.space_kernel
    if not isinstance(kernel.parameters.get("lengthscale"), float):
        return [kernel]
    return [kernel if f == 1.0 else kernel.stretched(f) for f in _LENGTHSCALE_FACTORS]


def _families(own: Preset) -> Iterator[Preset]:
    """Families of sequences of as many rounds and the same total time."""
    n, total = own.times.n, own.times.total_time
    if n < _FEWEST_FOR_FAMILIES or not total > 0.0:
        return
    gap = total / 80_000.0
    period = max(2, n // 20)
    shapes: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("bursts", "8 bursts", {"bursts": 8, "gap": gap}),
        ("uniform", "evenly spread", {}),
        ("biased", "one long wait", {}),
        ("periodic", f"a long wait every {period} rounds", {"period": period, "gap": gap}),
        ("power", "slower and slower", {"power": 1.0}),
        ("exponential", "random, exponential", {}),
        ("pareto", "random, heavy tails", {"tail": 1.1}),
    )
    for name, label, given in shapes:
        times = sequence(name, Family(n=n, total=total, rng=np.random.default_rng(0), **given))
        shape = ",".join(f"{key}={value:g}" for key, value in given.items())
        options = {"sequence": f"{name}:{shape}" if shape else name, "n": n, "total": total}
        if own.options is None or dict(own.options) != options:
            yield Preset(name, label, times, options)
