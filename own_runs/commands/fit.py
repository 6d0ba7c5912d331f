"""`ctv fit`: the priors under which one's own log would have been likely."""

from __future__ import annotations

import json as json_text
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from bounds.progress import Share, unwatched
from ctv.options.problem import Seed
from ctv.outputs import check_file, write_whole
from ctv.show.rounding import counted, digits
from ctv.show.sheet import Row, Sheet, numbers, words
from ctv.show.shown import Screen, Shown
from ctv.terminal.command import pictured
from own_runs.commands.log_options import LogOptions, described, payload_of_log

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.progress import Stage
    from bounds.reading import Text
    from own_runs.logs.observations import Observations
    from own_runs.prior.fit import Fit
    from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior

EXAMPLE = """\
>>> X, y = [[0.1], [0.9], [0.4], [0.6], [0.5], [0.3]], [0.2, 0.1, 0.8, 0.7, 0.9, 0.6]
>>> prior = ctv.fit(X, y, maximize=True, draws=20)
"""

_option = partial(typer.Option, rich_help_panel="Fit")

Data = Annotated[
    Path,
    typer.Argument(
        help="The log: CSV, TSV or ;-separated, perhaps gzip; - is standard input.",
        metavar="FILE",
        rich_help_panel="Your log",
        show_default=False,
    ),
]
KernelFamily = Annotated[
    str | None,
    _option(
        help="The only kernel family: se, matern32, matern52 or two-scales (default: all of them "
        "but matern32).",
        metavar="NAME",
    ),
]
PriorBefore = Annotated[
    Path | None,
    _option(
        help="What is believed before the log, as JSON: a finite grid with weights, or other "
        "ranges.",
        metavar="FILE",
    ),
]
Out = Annotated[Path | None, _option(help="Write the weighted set here.", metavar="FILE.json")]
Draws = Annotated[
    int, _option(help="Priors drawn for each kernel family, 20 to 20000.", metavar="WHOLE")
]


def believed(
    path: Path | Text | None, kernel: str | None, unit: str
) -> Hyperprior | FiniteHyperprior | None:
    """The hyperprior that the options ask for; None is the default one."""
    from own_runs.prior.files import read_hyperprior
    from own_runs.prior.fit import WIDE
    from simulation.prior.hyperprior import FiniteHyperprior

    hyperprior = None if path is None else read_hyperprior(path, unit)
    if kernel is None:
        return hyperprior
    if isinstance(hyperprior, FiniteHyperprior):
        raise InvalidInput("kernel", kernel, "drop it: the members of --prior have theirs")
    return replace(WIDE if hyperprior is None else hyperprior, kernels=(kernel,))


def fit_of(
    log: Observations,
    *,
    kernel: str | None = None,
    hyperprior: Path | Text | None = None,
    draws: int = 640,
    seed: int = 0,
    progress: Share = unwatched,
) -> Fit:
    """The fit asked for; raises InvalidInput."""
    from own_runs.prior.fit import fit as fit_log

    if not 20 <= draws <= 20_000:
        raise InvalidInput("draws", draws, "give a whole number from 20 to 20000")
    chosen = believed(hyperprior, kernel, log.unit)
    return fit_log(log, hyperprior=chosen, draws=draws, seed=seed, progress=progress)


@dataclass(frozen=True, eq=False, repr=False)
class FittedPrior(Shown):
    """The priors that fit a log, weighted.

    Attributes
    ----------
    fit : the fit
    seed : of its draws
    warnings : what speaks against relying on it
    """

    format = "ctv-bounds prior 1"  # own_runs.prior.files.FORMAT, not imported at the start

    fit: Fit
    seed: int
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        rows = [row for row in self.fit.estimates if row.name != "theta"]
        estimates = (f"{row.name.replace('_', ' ')} {digits(row.estimate, 3)}" for row in rows)
        return f"{counted(self.fit.observations.n, 'row')}; {', '.join(estimates)}"

    def plot(self) -> Figure:
        """Half-life against each lengthscale, weight by weight."""
        from own_runs.figures.fit import draw

        return draw(self.fit)

    def parts(self) -> dict[str, Any]:
        """The JSON object, which `--prior` reads again."""
        from own_runs.prior.files import log_digest

        log = self.fit.observations
        return {
            **self.fit.to_dict(),
            "fitted": {"rows": log.n, "digest": log_digest(log, log.n)},
            "problem": payload_of_log(log),
            "seed": self.seed,
        }

    def screen(self) -> Screen:
        """Estimates, which options the log prefers, and what speaks against them."""
        checks = self.fit.residuals
        sheet = Sheet(
            "Posterior of the hyperparameters of this log",
            (*words("parameter"), *numbers("estimate", "50 %", "90 %")),
            tuple(
                Row(
                    (
                        f"{row.name.replace('_', ' ')} ({row.unit})",
                        digits(row.estimate),
                        f"{digits(row.inner_low)} … {digits(row.inner_high)}",
                        f"{digits(row.low)} … {digits(row.high)}",
                    )
                )
                for row in self.fit.estimates
                if row.name != "theta"
            ),
            "Sampled, not certified.",
            (
                f"Predicted one step ahead, the residuals are uniform with p = "
                f"{digits(checks.uniformity)}, and neighbours have correlation "
                f"{checks.autocorrelation:.2f} (within ±{checks.band:.2f} by chance).",
            ),
        )
        about = (f"{line}." for line in described(self.fit.observations))
        return Screen((*about, sheet, _options_line(self.fit)))


def _options_line(fitted: Fit) -> str:
    if not fitted.structures:
        return f"A finite hyperprior of {len(fitted.candidates.members)} priors: weights are exact."

    def share(chosen: Any) -> str:
        return digits(100 * sum(row.share for row in fitted.structures if chosen(row.structure)))

    kernels = ", ".join(
        f"{kernel} {share(lambda s, k=kernel: s.kernel == k)} %"
        for kernel in dict.fromkeys(row.structure.kernel for row in fitted.structures)
    )
    drawn = [row for row in fitted.families if row.draws]
    worth = ", ".join(f"{row.kernel} {row.effective:.0f}/{row.draws}" for row in drawn)
    asked = f"The log asks for {'; '.join(fitted.asked)}. " if fitted.asked else ""
    return (
        f"{asked}By evidence: {kernels}; drift {share(lambda s: s.drift)} %; a level common to all "
        f"points {share(lambda s: s.level)} %; a lengthscale per input "
        f"{share(lambda s: s.per_input)} %. Effective draws: {worth}."
    )


@pictured
def fit(
    options: LogOptions,
    data: Data,
    kernel: KernelFamily = None,
    prior: PriorBefore = None,
    out: Out = None,
    draws: Draws = 640,
    seed: Seed = 0,
    *,
    advance: Stage,
) -> FittedPrior:
    """Which priors fit the log of my own search? A weighted set of them, with its uncertainty."""
    check_file(out)
    log = options.observations(data, settled=prior is not None)
    fitted = fit_of(
        log,
        kernel=kernel,
        hyperprior=prior,
        draws=draws,
        seed=seed,
        progress=partial(advance, "priors"),
    )
    answer = FittedPrior(fitted, seed, tuple(fitted.warnings))
    if out is not None:
        text = json_text.dumps(answer.to_dict(), allow_nan=False)
        write_whole(out, (text + "\n").encode())
    return answer
