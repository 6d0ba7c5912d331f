"""What a log asks for that the fitted family lacks: another scale of y, errors that differ.

Each check compares the fitted set with one member beside it, by evidence or by an exact test, and
names the remedy. A log that passes is not proved to be of the family.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from own_runs.prior.checks import Residuals
from simulation.prior.candidates import Candidates
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Data, Member
from simulation.prior.warp import Warp

DECIDED = 3.0
"""Nats of evidence from which another scale of y is asked for."""
POWERS = (0.0, 0.5, 1.5, 2.0)
"""λ of the scales of y that are compared with y itself, λ = 1: see `simulation.prior.warp`."""
_MEMBERS = 48
_UNLIKELY = 1e-3
"""p-value below which the size of errors is said to depend on an input, of each input."""


@dataclass(frozen=True)
class ScaleOfY:
    """The scale that the evidence prefers to y itself.

    power : λ of `simulation.prior.warp.powered`; 1 is y itself
    nats : log evidence above that of y; at least so much, as the members were fitted to y
    """

    power: float
    nats: float


def scale_of_y(data: Data, candidates: Candidates) -> ScaleOfY:
    """Which of `POWERS` the evidence prefers, if any. O(5 · 48 n³/3).

    p(y) on a scale over p(y) is Σ w exp(ℓ' − ℓ) over the members, their weights w being those given
    y: an importance estimate over members that were found for y, and so rather too small.
    """
    heavy = np.argsort(-candidates.weights, kind="stable")[:_MEMBERS]
    members = [candidates.members[i] for i in heavy]
    weights = np.log(
        np.maximum(candidates.weights[heavy] / candidates.weights[heavy].sum(), 1e-300)
    )
    own = _evidence(data, data.values, members)
    best = ScaleOfY(1.0, 0.0)
    for power in POWERS:
        warp = Warp.of(data.values, power)
        values, jacobian = warp.forward(data.values), warp.log_jacobian(data.values)
        nats = float(special.logsumexp(weights + _evidence(data, values, members) - own)) + jacobian
        if nats > best.nats:
            best = ScaleOfY(power, nats)
    return best


def _evidence(data: Data, values: FloatArray, members: list[Member]) -> FloatArray:
    return replace(data, values=values).log_evidence(members, MeanAndScale.around(values))


def uneven_errors(data: Data, residuals: Residuals) -> tuple[int, ...]:
    """Inputs with which the size of the one-step-ahead residuals rises or falls.

    Spearman's correlation of their squares with the input, by its normal approximation.
    """
    inputs = []
    ranks = _ranks(residuals.scores**2)
    for axis in range(data.points.shape[1]):
        if axis in data.optional:
            continue  # where it is absent there is no order
        other = _ranks(data.points[1:, axis])
        if float(np.ptp(other)) == 0.0 or float(np.ptp(ranks)) == 0.0:
            continue
        correlation = float(np.corrcoef(ranks, other)[0, 1])
        score = abs(correlation) * sqrt(max(len(ranks) - 1, 1))
        if 2.0 * float(special.ndtr(-score)) < _UNLIKELY:
            inputs.append(axis)
    return tuple(inputs)


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks from 0, those of equals averaged."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - 0.5 * (count + 1.0))[place])


def asked_for(
    data: Data,
    candidates: Candidates,
    residuals: Residuals,
    names: tuple[str, ...],
    *,
    minimised: bool,
    scales: bool,
) -> tuple[str, ...]:
    """What the log asks for, in words with the remedy.

    minimised : whether the values are −y
    scales : whether the set is of y itself alone, so that other scales are not in it already
    """
    requests = []
    scale = scale_of_y(data, candidates) if scales else None
    if scale is not None and scale.nats > DECIDED:
        drawn_in = (scale.power < 1.0) is not minimised
        which = "large" if drawn_in else "small"
        remedy = "give a column of log y" if drawn_in else "give a column of y on such a scale"
        requests.append(
            f"y is better described on a scale that draws its {which} values in, by "
            f"{scale.nats:.1f} nats: bounds on the regret in y may be too small; {remedy}"
        )
    for axis in uneven_errors(data, residuals):
        requests.append(
            f"the size of the errors changes with {names[axis]}, and the bounds take it as "
            "constant: give a column of their standard deviations (--sd)"
        )
    return tuple(requests)
