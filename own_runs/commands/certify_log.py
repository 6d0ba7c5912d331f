"""`ctv certify LOG`: a log of one's own, its prior that of the options or not known."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bounds.errors import InvalidInput
from bounds.progress import Stage
from ctv.commands.certify import Cell, certified_cells
from ctv.extensions import option_names
from ctv.options.certificates import CertifyOptions
from ctv.options.problem import Domain
from ctv.show.rounding import at_most, digits
from ctv.show.sheet import Row, Sheet, numbers, words
from ctv.show.shown import Block, Screen, Shown
from own_runs.commands.log_options import LogOptions, described, payload_of_log

if TYPE_CHECKING:
    from bounds.problem import Problem
    from bounds.reading import Text
    from ctv.options.problem import Given, ModelOptions
    from own_runs.certificates.mixture import CertifiedLog
    from own_runs.logs.observations import Observations
    from simulation.prior.candidates import Candidates

_option = partial(typer.Option, rich_help_panel="A prior that is not known")

_NAMES = {
    "cumulative": "cumulative regret",
    "simple": "simple regret, recommended row",
    "lenient": "lenient regret",
}
WORST_CASE, PLUG_IN = _KINDS = ("worst-case", "plug-in")
"""Certificates under a prior that is not known, beside that on average."""
_OF_KNOWN_PRIOR = ("x", "y", "duration", "end")
"""Columns that a log has also where the options describe its prior."""
_KEPT = ("delta", "kernel")
"""Options of the model that a fit takes too: given alone they leave the prior open."""


@dataclass(frozen=True)
class UnknownPrior:
    """Where the prior comes from, if not from the options of the model."""

    prior: Annotated[
        Path | None,
        _option(
            help="The weighted set that ctv fit --out wrote; or a finite set with weights, or "
            "ranges, fixed before.",
            metavar="FILE.json",
        ),
    ] = None
    stop_below: Annotated[
        float | None,
        _option(
            help="Say whether to stop: if the simple regret is below this, in units of y.",
            metavar="NUMBER",
        ),
    ] = None
    tolerance: Annotated[
        float | None,
        _option(help="The tolerance of lenient regret, in units of y.", metavar="NUMBER"),
    ] = None

    def is_open(self, model: ModelOptions, given: Given) -> bool:
        """Whether the prior is not that of the model's options; InvalidInput where two say it."""
        said = {one.name for one in fields(model)} - {*_KEPT}
        said -= {"domain"} if model.has_ranges else set()
        if self.prior is None and given.names & said:
            remedy = "drop it: it needs a prior that is fitted, or --prior FILE"
            given.refuse(remedy, self, kept=option_names(LogOptions))
            return False
        kept = (*_KEPT, "domain") if model.has_ranges else _KEPT
        given.refuse("drop it: the prior is not yours here", model, kept=kept)
        return True


@dataclass(frozen=True)
class OwnLog(UnknownPrior, LogOptions):
    """Certificates of a log, as a part of `ctv certify`."""

    domain: Domain = None

    def takes(self, target: Path | None, given: Given) -> bool:
        """Whether the first argument is a log, or nothing is and an option of a log is given."""
        if target is None:
            return bool(given.names & set(option_names(OwnLog)))
        return _is_log(target)

    def certified(
        self,
        target: Path | None,
        options: CertifyOptions,
        model: ModelOptions,
        given: Given,
        advance: Stage,
    ) -> Shown:
        """Under the prior of the options, or one that is not known; InvalidInput otherwise."""
        if target is None:
            raise InvalidInput("data", "nothing", "name the log: ctv certify FILE")
        if self.is_open(model, given):
            self.refuse_without_names(options, given)
            return certified_log(target, self, model, options, given, advance)
        kept = _OF_KNOWN_PRIOR if model.has_ranges else (*_OF_KNOWN_PRIOR, "domain")
        remedy = "drop it, or drop the options of the prior, which is fitted then"
        given.refuse(remedy, self, kept=kept)
        names = options.checked(given)
        if "rank" in names:
            from simulation.after_run.rank import rank_of

            rank_of(options.draws, model.delta)
        problem, cells = _own_data(self, target, model, options, given)
        return certified_cells(problem, cells, options, names, model.delta, advance)

    def refuse_without_names(self, options: CertifyOptions, given: Given) -> None:
        """Raise InvalidInput for options that certificates under an unknown prior do not have."""
        remedy = "drop it: it is for a prior that the options of the model say"
        given.refuse(remedy, options, kept=("bound", "draws", "seed"))
        kind = options.bound
        if "bound" in given.names and kind not in (*_KINDS, "average"):
            remedy = f"use average, {', '.join(_KINDS)}, or say the prior by options of the model"
            raise InvalidInput("bound", kind, remedy)
        if kind == WORST_CASE and self.prior is None:
            remedy = "name a finite set of priors with weights: --prior FILE"
            raise InvalidInput("bound", kind, remedy)
        if kind == WORST_CASE and self.stop_below is not None:
            raise InvalidInput("stop-below", self.stop_below, f"drop it, or drop {kind}")


def _is_log(target: Path) -> bool:
    """Whether this is a log and no run or study; a folder of a tuner holds no run of a policy."""
    if target.is_dir():
        from simulation.study.folder import MANIFEST

        held = [one.suffix for one in target.iterdir()]
        return bool(held) and ".npz" not in held and not (target / MANIFEST).exists()
    return target.suffix != ".npz" and (str(target) == "-" or target.exists())


def _own_data(
    log: LogOptions, path: Path, model: ModelOptions, options: CertifyOptions, given: Given
) -> tuple[Problem, list[Cell]]:
    from bounds.reading import read_text
    from ctv.inputs import read_columns, read_times
    from simulation.after_run.observed import Observed

    kept = ("bound", "draws", "seed", "certificate")
    given.refuse("drop it: it needs the folder of a study", options, kept=kept)
    if options.simulations is not None:
        remedy = "drop simulation: it needs the folder of a study"
        raise InvalidInput("bound", options.bound, remedy)
    file = read_text(path, "data")  # once: it may be a pipe
    times = read_times(file, log.duration, end=log.end)
    if times.n < 2:
        raise InvalidInput("data", f"{times.n} row", "give at least two rows")
    if model.noise_variance == 0.0:
        tied = next((i for i in range(1, times.n) if times.durations[i] == 0.0), None)
        where = "" if tied is None else f"rows {tied} and {tied + 1} have the same time; "
        raise InvalidInput("noise-variance", 0.0, f"{where}give a positive number")
    problem = model.problem(times)
    dimension = model.dimension
    default = "x" if dimension == 1 else ",".join(f"x{i + 1}" for i in range(dimension))
    columns = [name.strip() for name in (log.x or default).split(",")]
    if len(columns) != dimension:
        raise InvalidInput("x", ",".join(columns), f"name {dimension}, as --dimension says")
    points, values = read_columns(file, columns, "x"), read_columns(file, [log.y or "y"], "y")
    observed = Observed.of_data(problem, points, values[:, 0])
    return problem, [(file.name, observed, None, slice(None), options.seed)]


@dataclass(frozen=True, eq=False, repr=False)
class LogCertificates(Shown):
    """Bounds on the regret of a log under a prior that is not known.

    Attributes
    ----------
    log, certified : what was read, and what it certifies
    members, effective : how many priors, and how many their weights amount to
    seed, delta : of the draws, and of the level
    warnings : what to know first
    """

    format = "ctv-bounds certificates of a log 1"

    log: Observations
    certified: CertifiedLog
    members: int
    effective: float
    seed: int
    delta: float
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        if not self.certified.certificates:
            return "go on: nothing is certified yet"
        first = self.certified.certificates[0]
        return f"{_NAMES[first.quantity]} of {self.log.source} <= {at_most(first.value)}"

    def parts(self) -> dict[str, Any]:
        answer = self.certified
        seconds = answer.seconds / max(len(answer.certificates), 1)
        same = {"kind": "probability", "ratio": None, "seconds": seconds, "certified": False}
        return {
            "certificates": [{**vars(row), **same} for row in answer.certificates],
            "recommended_row": answer.recommended,
            "sites": answer.sites,
            "priors": {"members": self.members, "effective": self.effective, "kept": answer.kept},
            "stop": None if answer.stop is None else vars(answer.stop),
            "warnings": list(self.warnings),
            "problem": {**payload_of_log(self.log), "delta": self.delta},
            "seed": self.seed,
        }

    def screen(self) -> Screen:
        """What the log's regret is at most, and what that rests on."""
        answer = self.certified
        first: list[Block] = []
        about = tuple(f"{line}." for line in described(self.log))
        if answer.stop is not None:
            verdict = "Stop" if answer.stop.stop else "Go on"
            bound, wanted = at_most(answer.stop.bound), digits(answer.stop.threshold)
            first.append(
                f"{verdict}: simple regret by the first draws at most {bound}, wanted {wanted}."
            )
            if not answer.stop.stop:
                first.append(
                    "They decided, so they certify nothing; certificates come with the stop."
                )
                return Screen((*first, *about))
            first.append("The stop is final: fresh draws follow, whatever they say.")
        rows = []
        for row in answer.certificates:
            error = f" − {digits(row.sampling_error, 2)}" if row.sampling_error else ""
            level = f"{digits(row.level + row.sampling_error, 3)}{error}"
            mean = f"{digits(row.mean, 3)} ± {digits(row.mean_error, 2)}"
            rows.append(Row((_NAMES[row.quantity], at_most(row.value), level, mean)))
        sheet = Sheet(
            "Upper bounds on the regret of this log, in units of y",
            (*words("regret"), *numbers("at most", "confidence", "mean")),
            tuple(rows),
            "Sampled, not certified.",
            (
                f"Recommended: row {answer.recommended}. Regret is against the best of "
                f"{answer.sites:,} points. {self._meaning()}",
            ),
        )
        return Screen((*first, sheet, *about))

    def _meaning(self) -> str:
        answer = self.certified
        if answer.kept is not None:
            return (
                f"For each of the {self.members} priors; {answer.kept} of them are not excluded by "
                "the log."
            )
        certificate = answer.certificates[0]
        if certificate.name == "rank-plugged-in":
            return "Under one prior, taken as if it were the true one."
        if certificate.exact:
            return f"Exact on average over the hyperprior of {self.members} priors, not for each."
        return (
            f"Each posterior sample uses hyperparameters drawn from {self.members:,} weighted "
            f"candidates ({self.effective:.0f} effective); the confidence is reduced by the Monte "
            "Carlo error of their weights, and half of δ is reserved for misfit of the priors."
        )


def certified_log(
    data: Path,
    chosen: OwnLog,
    model: ModelOptions,
    options: CertifyOptions,
    given: Given,
    advance: Stage,
) -> LogCertificates:
    """The certificates asked for; raises InvalidInput where options contradict each other."""
    from bounds.reading import read_text
    from own_runs.certificates.mixture import ALLOWANCE, certify_log, rank_with, worst_case
    from own_runs.prior.files import is_fitted, read_hyperprior, read_prior
    from simulation.after_run.rank import rank_of
    from simulation.prior.hyperprior import FiniteHyperprior

    paths, seed, kind = options.draws, options.seed, options.bound
    said = None if chosen.prior is None else read_text(chosen.prior, "prior")  # once: as a pipe
    fitted = read_prior(said) if said is not None and is_fitted(said) else None
    before = said if fitted is None else None
    if kind == WORST_CASE:
        rank_of(paths, 0.5 * model.delta)
    elif fitted is None:
        fixed = kind == PLUG_IN or (
            before is not None and isinstance(read_hyperprior(before, "s"), FiniteHyperprior)
        )
        rank_with(paths, model.delta, 0.0 if fixed else ALLOWANCE * model.delta)
    log = chosen.observations(data, prior=fitted, settled=before is not None)
    progress = partial(advance, "posterior paths")
    if kind == WORST_CASE:
        believed = None if before is None else read_hyperprior(before, log.unit)
        if not isinstance(believed, FiniteHyperprior):
            remedy = "give a finite set of priors: members, with weights"
            raise InvalidInput("prior", str(chosen.prior), remedy)
        certified = worst_case(
            log,
            believed,
            paths=paths,
            delta=model.delta,
            seed=seed,
            tolerance=chosen.tolerance,
            progress=progress,
        )
        count = len(believed.members)
        return LogCertificates(log, certified, count, count, seed, model.delta, certified.warnings)
    warnings: tuple[str, ...] = ()
    if fitted is not None:
        if "kernel" in given.names:
            raise InvalidInput("kernel", model.kernel, "drop it: the file has its own")
        candidates = fitted.candidates(log)
    else:
        candidates, warnings = _fitted(log, before, model, given, seed, advance)
    members, effective = len(candidates.members), candidates.effective_size
    if kind == PLUG_IN:
        from own_runs.certificates.studies import covered_of

        candidates = candidates.alone(candidates.best)
        covered, runs = covered_of("cumulative", "plugged in")
        warnings = (
            *warnings,
            f"--bound {PLUG_IN}: of {runs} simulated logs such 90 % certificates covered "
            f"{covered} ({100 * covered / runs:.0f} %); by default every path has its own prior",
        )
    elif chosen.stop_below is not None and not candidates.exact:
        from own_runs.certificates.studies import covered_of

        covered, runs = covered_of("simple", "mixture", "drawn")
        warnings = (
            *warnings,
            f"--stop-below: of {runs} simulated logs 90 % certificates of simple regret covered "
            f"{covered} ({100 * covered / runs:.0f} %): ctv coverage --study fitted",
        )
    certified = certify_log(
        log,
        candidates,
        paths=paths,
        delta=model.delta,
        seed=seed,
        tolerance=chosen.tolerance,
        stop_below=chosen.stop_below,
        progress=progress,
    )
    return LogCertificates(
        log, certified, members, effective, seed, model.delta, (*certified.warnings, *warnings)
    )


def _fitted(
    log: Observations,
    before: Text | None,
    model: ModelOptions,
    given: Given,
    seed: int,
    advance: Stage,
) -> tuple[Candidates, tuple[str, ...]]:
    from own_runs.commands.fit import fit_of

    fitted = fit_of(
        log,
        kernel=model.kernel if "kernel" in given.names else None,
        hyperprior=before,
        seed=seed,
        progress=partial(advance, "priors"),
    )
    return fitted.candidates, fitted.warnings
