"""`--prior` of `ctv bound` and `ctv report`: the priors that fit a log in place of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bounds.gain.answer import Answer
    from bounds.problem import Problem
    from bounds.progress import Stage
    from ctv.options.problem import Given, ModelOptions, TimesOptions
    from own_runs.values.prior_spread import OverPrior

_KEPT = ("delta", "grid")
"""Options of the model that a set of priors leaves open."""


@dataclass(frozen=True)
class PriorOptions:
    """A fitted set of priors, in place of the model."""

    prior: Annotated[
        Path | None,
        typer.Option(
            help="The priors that ctv fit --out wrote, in place of the model: the bounds are "
            "certified for one of them and their spread over the others is shown. Times are "
            "converted to its unit.",
            metavar="FILE.json",
        ),
    ] = None

    @property
    def named(self) -> Mapping[str, Any]:
        """The option, where it is given."""
        return {} if self.prior is None else {"prior": self.prior}

    def sourced(
        self, times: TimesOptions, model: ModelOptions, given: Given, advance: Stage
    ) -> OverPrior:
        """The spread over the file; InvalidInput for options that it settles."""
        assert self.prior is not None
        given.refuse("drop it, or drop --prior: the file has its own", model, kept=_KEPT)
        from bounds.gain.bounds import bounds_of
        from own_runs.prior.files import read_prior
        from own_runs.prior.problems import spread_of
        from own_runs.values.prior_spread import OverPrior

        file = read_prior(self.prior)
        measured = times.evaluation_times(file.unit)

        def answered(problem: Problem, share: float) -> Answer:
            advance("bounds over the prior", share)
            return bounds_of(problem, certify=False).answer

        per_axis = model.grid if "grid" in given.names else None
        spread = spread_of(file, measured, answered, delta=model.delta, per_axis=per_axis)
        return OverPrior(spread)
