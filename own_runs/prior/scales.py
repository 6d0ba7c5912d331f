"""Whether an input was searched by logarithm, where nobody said and it spans a decade or more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log10

import numpy as np
from scipy import special

from bounds.numerics.threads import one_blas_thread
from own_runs.logs.axes import Axis
from own_runs.logs.observations import Observations
from own_runs.prior.fit import data_of
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.hyperprior import Hyperprior
from simulation.prior.modes import Search

DECIDED = 1.0
"""Nats of evidence below which a scale is not decided; the input is then taken as even."""

_ROUNDS = 3


def by_evidence(log: Observations) -> Observations:
    """The log with every input of `unsaid` even or logarithmic, whichever its rows prefer.

    One input after the other takes the other scale where that raises `log_evidence` by more than
    `DECIDED`, until none does. A note says what was chosen and by how much. Raises InvalidInput for
    what `own_runs.prior.fit.data_of` refuses, and for a constant y. O(2^u n³) at most for u
    inputs.
    """
    if not log.unsaid:
        return log
    known: dict[frozenset[str], float] = {}

    def evidence(chosen: frozenset[str]) -> float:
        if chosen not in known:
            known[chosen] = log_evidence(with_scales(log, chosen))
        return known[chosen]

    chosen: frozenset[str] = frozenset()
    for _ in range(_ROUNDS):
        before = chosen
        for name in log.unsaid:
            other = chosen ^ {name}
            if evidence(other) > evidence(chosen) + DECIDED:
                chosen = other
        if chosen == before:
            break
    gains = {name: evidence(chosen | {name}) - evidence(chosen - {name}) for name in log.unsaid}
    notes = tuple(_told(log, axis, gains[axis.name]) for axis in log.axes if axis.name in gains)
    rescaled = with_scales(log, chosen)
    return replace(rescaled, unsaid=(), notes=(*log.notes, *notes))


def as_fitted(log: Observations, inputs: Sequence[str]) -> Observations:
    """The log with the scales of the inputs of a fit, as they print; others are left even."""
    bare = [text.partition(" if ")[0] for text in inputs]
    names = {text.split("=", 1)[0] for text in bare if "log" in text.rsplit("=", 1)[-1].split()}
    return replace(with_scales(log, names.intersection(log.unsaid)), unsaid=())


def with_scales(log: Observations, logarithmic: frozenset[str] | set[str]) -> Observations:
    """The log with these of its inputs by logarithm."""
    axes = tuple(replace(axis, log=axis.log or axis.name in logarithmic) for axis in log.axes)
    return replace(
        log,
        axes=axes,
        points=_moved(log.axes, axes, log.points),
        pending=_moved(log.axes, axes, log.pending),
    )


def _moved(old: Sequence[Axis], new: Sequence[Axis], points: np.ndarray) -> np.ndarray:
    columns = [
        column if before == after else after.to_unit(before.from_unit(column))
        for before, after, column in zip(old, new, points.T, strict=True)
    ]
    return np.stack(columns, axis=1)


def log_evidence(log: Observations) -> float:
    """log p(y) under the default hyperprior, by Laplace's approximation of each of its options."""
    data, believed = data_of(log), Hyperprior()
    search = Search(data, believed, MeanAndScale.around(data.values))
    chances = believed.structures(log.dimension)
    terms = []
    with one_blas_thread():
        for kernel in believed.kernels:
            own = [structure for structure in chances if structure.kernel == kernel]
            modes = search.modes(own, np.random.default_rng(0))
            terms += [mode.log_evidence + np.log(chances[mode.structure]) for mode in modes]
    return float(special.logsumexp(terms))


def _told(log: Observations, axis: Axis, nats: float) -> str:
    """What was chosen for an even axis, by how many nats for the logarithm."""
    chosen = nats > DECIDED
    other = replace(axis, log=not chosen)
    deciding = [str(under) for under in log.axes if under.name == axis.under]
    say = f'say --domain "{", ".join([*deciding, str(other)])}"'
    about = f"{axis.name} spans {log10(axis.high / axis.low):.2f} decades"
    if abs(nats) <= DECIDED:
        return (
            f"{about} and the evidence does not decide its scale ({nats:+.1f} nats for the "
            f"logarithm): taken as even; if it was searched by logarithm, {say}"
        )
    taken, searched = ("by logarithm", "evenly") if chosen else ("as even", "by logarithm")
    return (
        f"{about} and is taken {taken}, which the evidence prefers by {abs(nats):.1f} nats; if it "
        f"was searched {searched}, {say}"
    )
