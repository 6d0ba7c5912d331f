"""A convergence criterion for BoFire: converged when further experiments are not worth it.

Needs BoFire. `NotWorthItCriterion` enters its registry with this module, so that a strategy takes
it as `convergence_criterion=NotWorthItCriterion(below=0.05)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bounds.errors import InvalidInput
from own_runs.live.verdict import LEAST, Verdict, verdict_of
from own_runs.logs.axes import Axis
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
    """Converged when the incumbent's regret is at most `below` with probability 1 − `delta`.

    Over the continuous and discrete inputs of a domain with one output that is maximised or
    minimised, in its units. Experiments are taken to last equally long: the drift is that from
    experiment to experiment.
    """

    type: Literal["NotWorthItCriterion"] = "NotWorthItCriterion"
    below: float
    delta: float = 0.1
    draws: int = 160
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
    found = verdict_on(criterion, strategy.domain, strategy.experiments)
    return found is not None and found.stop


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

    Raises InvalidInput for no input that is a number, and for anything but one output to maximise
    or minimise.
    """
    outputs = [(o.key, o.objective) for o in domain.outputs.get() if o.objective is not None]
    if len(outputs) != 1 or type(outputs[0][1]).__name__ not in _DIRECTIONS:
        shown = ", ".join(f"{key} ({type(o).__name__})" for key, o in outputs) or "none"
        raise InvalidInput("outputs", shown, "give one output to maximise or to minimise")
    key, objective = outputs[0]
    direction = _DIRECTIONS[type(objective).__name__]
    axes = []
    for feature in domain.inputs.get():
        bounds = getattr(feature, "bounds", None) or _ends(getattr(feature, "values", None))
        if bounds is not None and float(bounds[0]) < float(bounds[1]):
            axes.append(Axis(feature.key, float(bounds[0]), float(bounds[1])))
    if not axes:
        raise InvalidInput("inputs", "no numbers", "give an input that is continuous or discrete")
    valid = experiments
    if f"valid_{key}" in experiments.columns:
        valid = experiments[experiments[f"valid_{key}"].astype(bool)]
    valid = valid[valid[key].notna()]
    if not len(valid):
        return None
    n = len(valid)
    columns = [axis.to_unit(valid[axis.name].to_numpy(dtype=float)) for axis in axes]
    times = np.arange(1.0, n + 1.0)
    return Observations(
        tuple(axes),
        np.stack(columns, axis=1),
        valid[key].to_numpy(dtype=float),
        direction,
        times,
        times - 1.0,
        np.ones(n),
        np.empty((0, len(axes))),
        float(n),
        "s",
        None,
        {},
        ("every experiment is taken to last 1 s",),
        "experiments",
        tuple(range(1, n + 1)),
    )


_DIRECTIONS: dict[str, Direction] = {
    "MaximizeObjective": "maximize",
    "MinimizeObjective": "minimize",
}


def _ends(values: Any) -> tuple[float, float] | None:
    return None if not values else (min(values), max(values))


def _enter() -> None:
    """Into BoFire's registries: the one of data always, that of strategies where it is loaded."""
    try:
        from bofire.strategies.convergence_criteria.mapper import register
    except ImportError:  # BoFire without its optimisers
        register_convergence_criterion(NotWorthItCriterion)
    else:
        register(NotWorthItCriterion, has_converged)


_enter()
