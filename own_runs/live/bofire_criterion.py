"""A convergence criterion for BoFire: converged when further experiments are not worth it.

Needs BoFire, 0.5 or later. `NotWorthItCriterion` enters its registry with this module, so that a
strategy takes it as `convergence_criterion=NotWorthItCriterion(below=0.05)`, and
`strategy.has_converged()` asks it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field, PositiveFloat, PositiveInt

from bounds.errors import InvalidInput
from own_runs.live.verdict import LEAST, Verdict, verdict_of
from own_runs.logs.axes import Axis, to_cube
from own_runs.logs.observations import Direction, Observations
from own_runs.prior.fit import fit

try:
    from bofire.data_models.strategies.convergence_criteria.api import (
        ConvergenceCriterion,
        register_convergence_criterion,
    )
except ImportError:  # pragma: no cover
    remedy = "pip install bofire, 0.5 or later: earlier ones have no convergence criteria"
    raise InvalidInput("bofire", "not installed", remedy) from None

if TYPE_CHECKING:
    from bofire.data_models.domain.api import Domain


class NotWorthItCriterion(ConvergenceCriterion):
    r"""Convergence based on a bound on the regret of the best recorded experiment.

    Let :math:`f` be the objective at the last experiment and :math:`x` the inputs that the
    posterior recommends of those recorded. The optimization is considered converged once

    .. math:: \Pr\left(\max f - f(x) \le \text{below}\right) \ge 1 - \text{delta}

    under a weighted set of Gaussian process priors, fitted to the recorded experiments and
    allowed to drift. No further experiment can improve on :math:`x` by more. The level is exact
    in that model, and is not that of the strategy's own surrogate, which is not read.

    At least ten experiments with valid outputs are required. The criterion is over all inputs that
    are not fixed, categories being equally far apart, and one output that is maximised or
    minimised. Experiments are taken to last equally long. Constraints are not known to it: where
    the domain has some, :math:`\max f` is over more than it allows.

    Attributes:
        below: Regret up to which an improvement is not relevant, in units of the output.
        delta: Probability with which the bound may fail.
        draws: Priors that are drawn for each kernel.
        seed: Of everything random.
    """

    type: Literal["NotWorthItCriterion"] = "NotWorthItCriterion"
    below: PositiveFloat
    delta: Annotated[float, Field(gt=0.0, lt=1.0)] = 0.1
    draws: PositiveInt = 160
    seed: int = 0

    @classmethod
    def is_applicable_to_multiobjective(cls) -> bool:
        return False

    @classmethod
    def is_applicable_to_singleobjective(cls) -> bool:
        return True

    @classmethod
    def is_applicable_to_objective_free(cls) -> bool:
        return False


def has_converged(criterion: NotWorthItCriterion, strategy: Any) -> bool:
    """Whether a strategy has, by its recorded experiments alone."""
    verdict = verdict_on(criterion, strategy.domain, strategy.experiments)
    return verdict is not None and verdict.stop


def verdict_on(criterion: NotWorthItCriterion, domain: Domain, experiments: Any) -> Verdict | None:
    """What the experiments say; None for fewer than ten, or where they are all alike."""
    log = None if experiments is None else observations_of(domain, experiments)
    if log is None or log.n < LEAST or float(np.ptp(log.values)) == 0.0:
        return None
    candidates = fit(log, draws=criterion.draws, seed=criterion.seed).candidates
    return verdict_of(
        log, candidates, threshold=criterion.below, delta=criterion.delta, seed=criterion.seed
    )


def observations_of(domain: Domain, experiments: Any) -> Observations | None:
    """The valid rows of BoFire's frame of experiments as a log; None where there are none.

    Raises InvalidInput where every input is fixed, and for anything but one output to maximise or
    minimise.
    """
    outputs = [(o.key, o.objective) for o in domain.outputs.get() if o.objective is not None]
    if len(outputs) != 1 or type(outputs[0][1]).__name__ not in _DIRECTIONS:
        shown = ", ".join(f"{key} ({type(o).__name__})" for key, o in outputs) or "none"
        raise InvalidInput("outputs", shown, "give one output to maximise or to minimise")
    key, objective = outputs[0]
    direction = _DIRECTIONS[type(objective).__name__]
    axes = [axis for feature in domain.inputs.get() if (axis := _axis(feature)) is not None]
    if not axes:
        raise InvalidInput("inputs", "none that changes", "give one with two values or more")
    valid = experiments
    if f"valid_{key}" in experiments.columns:
        valid = experiments[experiments[f"valid_{key}"].astype(bool)]
    valid = valid[valid[key].notna()]
    if not len(valid):
        return None
    columns = [np.array([axis.number(value) for value in valid[axis.name]]) for axis in axes]
    return Observations.one_by_one(
        axes,
        to_cube(axes, columns),
        valid[key].to_numpy(dtype=float),
        np.arange(1.0, len(valid) + 1.0),
        direction,
        "experiments",
        notes=("every experiment is taken to last 1 s",),
    )


_DIRECTIONS: dict[str, Direction] = {
    "MaximizeObjective": "maximize",
    "MinimizeObjective": "minimize",
}


def _axis(feature: Any) -> Axis | None:
    """Of an input: its categories as words, or the range of its numbers; None for a fixed one."""
    words = getattr(feature, "categories", None)
    if words is not None:
        return Axis.of_words(feature.key, words) if len(words) > 1 else None
    ends = getattr(feature, "bounds", None) or getattr(feature, "values", None)
    if ends is None or float(min(ends)) == float(max(ends)):
        return None
    return Axis(feature.key, float(min(ends)), float(max(ends)))


# Into BoFire's registries: the one of data always, that of strategies where it is loaded.
try:
    from bofire.strategies.convergence_criteria.mapper import register
except ImportError:  # BoFire without its optimisers
    register_convergence_criterion(NotWorthItCriterion)
else:
    register(NotWorthItCriterion, has_converged)
