"""`--prior` of `ctv bound` and `ctv report`: the priors that fit a log in place of the model."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput

if TYPE_CHECKING:
    from bounds.gain.answer import Answer
    from bounds.problem import Problem
    from bounds.progress import Stage
    from ctv.commands.options import Given, ModelOptions, TimesOptions
    from simulation.prior.problems import PriorSpread

Prior = Annotated[
    Path | None,
    typer.Option(
        help="In place of the model: the set that ctv fit --out wrote. Certified for one prior of "
        "it, and how far the bounds spread over it; times are brought into its unit.",
        metavar="FILE.json",
    ),
]

_KEPT = ("delta", "grid")
"""Options of the model that a set of priors leaves open."""


def over_prior(
    prior: Path, times: TimesOptions, model: ModelOptions, given: Given, advance: Stage
) -> PriorSpread:
    """The spread over a file of `ctv fit --out`; InvalidInput for options that it settles."""
    for field in fields(model):
        if field.name in given.names and field.name not in _KEPT:
            option, value = field.name.replace("_", "-"), getattr(model, field.name)
            raise InvalidInput(option, str(value), "drop it, or drop --prior: the file has its own")
    from bounds.gain.bounds import bounds_of
    from simulation.prior.files import read_prior
    from simulation.prior.problems import spread_of

    file = read_prior(prior)
    measured = times.evaluation_times(file.unit)

    def answered(problem: Problem, share: float) -> Answer:
        advance("bounds over the prior", share)
        return bounds_of(problem, certify=False).answer

    per_axis = model.grid if "grid" in given.names else None
    return spread_of(file, measured, answered, delta=model.delta, per_axis=per_axis)
