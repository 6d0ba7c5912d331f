"""`ctv FILE` for a log with observed values: its fit, and what its run achieved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.errors import InvalidInput
from bounds.reading import Text
from ctv.options.problem import Domain, as_command
from ctv.show.rounding import at_least, at_most, counted, digits
from own_runs.commands.log_options import LogOptions, described

if TYPE_CHECKING:
    from bounds.problem import Problem
    from bounds.progress import Stage
    from ctv.show.sheet import Sheet
    from own_runs.certificates.mixture import CertifiedLog
    from own_runs.commands.fit import FittedPrior
    from own_runs.prior.problems import Assumed

PATHS = 99
"""Posterior paths of the certificate."""

_OF_VALUES = frozenset(field.name for field in fields(LogOptions)) - {"unit", "duration", "end"}
"""Options that say that a file is a log."""


@dataclass(frozen=True)
class LogToLookAt(LogOptions):
    """How to read the log that `ctv FILE` is given."""

    domain: Domain = None

    def recognises(self, where: Path | Text, named: frozenset[str]) -> bool:
        """Whether inputs, observed values and times are known by name, or were named."""
        if named & _OF_VALUES:
            return True
        from own_runs.logs.columns import Columns, named_columns
        from own_runs.logs.exports import open_log
        from own_runs.prior.fit import LARGEST_ROWS, LEAST_ROWS

        try:
            opened = open_log(where, self.study)
            if not opened.tool.name:
                columns = Columns(duration=self.duration, end=self.end)
                named_columns(opened.table, opened.tool, columns)
        except InvalidInput:
            return False
        return LEAST_ROWS <= len(opened.table.rows) <= LARGEST_ROWS

    def fitted(self, where: Path | Text, seed: int, delta: float, advance: Stage) -> LookedLog:
        """The fit, one problem of it, and the certificate where a direction is known."""
        from own_runs.commands.fit import FittedPrior, fit_of
        from own_runs.prior.fit import PLAIN, fit
        from own_runs.prior.problems import assumed

        directed = True
        try:
            log = self.observations(where)
        except InvalidInput as error:
            if error.field != "direction":
                raise
            # The law of the priors is the same for y and −y: no direction is needed for it.
            directed, log = False, replace(self, maximize=True).observations(where)
        worded = next((axis for axis in log.axes if axis.unordered or axis.under), None)
        if worded is not None:
            what = "words without an order" if worded.unordered else "an input of some rows alone"
            remedy = (
                f"no bound is for {what}: ctv fit, ctv certify and "
                "ctv suggest take them; or leave it out of --x"
            )
            raise InvalidInput("x", worded.name, remedy)
        fitted = fit_of(log, seed=seed, progress=partial(advance, "priors"))
        of = fitted.candidates
        plain = [i for i, member in enumerate(of.members) if member.plain]
        if not plain:  # the log asks for something else: the theory's best for it
            of = fit(log, hyperprior=PLAIN, seed=seed).candidates
            plain = list(range(len(of.members)))
        best = max(plain, key=lambda i: of.log_evidence[i])
        times = log.evaluation_times()
        chosen = assumed(of, best, log.axes, times, delta=delta, per_axis=None)
        certified = None
        if directed:
            from own_runs.certificates.mixture import certify_log

            certified = certify_log(
                log,
                fitted.candidates,
                paths=PATHS,
                delta=delta,
                seed=seed,
                progress=partial(advance, "posterior paths"),
            )
        said = as_command("", self).removeprefix("ctv")
        said = said.replace("--maximize False", "--minimize")
        return LookedLog(FittedPrior(fitted, seed), chosen, certified, self.y or "y", said)


@dataclass(frozen=True, eq=False)
class LookedLog:
    """A log with its fitted prior, as `ctv FILE` shows it.

    Attributes
    ----------
    prior : the weighted set
    chosen : the prior of largest evidence as a problem, for which the bounds are: of y itself, one
        scale in space and a forgetting drift or none
    certified : bounds on what the run lost; None where no direction is known
    values : name of the observed values, where it was given
    options : the options that were given of the log, as further commands take them
    """

    prior: FittedPrior
    chosen: Assumed
    certified: CertifiedLog | None
    values: str = "y"
    options: str = ""

    @property
    def problem(self) -> Problem:
        """Under the prior of largest evidence."""
        return self.chosen.problem

    @property
    def unit(self) -> float:
        """What one unit of its regret is in the log's own units."""
        return self.chosen.unit

    @property
    def achieved(self) -> float | None:
        """At most the cumulative regret of this run."""
        return None if self.certified is None else self.certified.certificates[0].value

    @property
    def confidence(self) -> float | None:
        """Of that bound, less the sampling error of the fit."""
        return None if self.certified is None else self.certified.certificates[0].level

    @property
    def warnings(self) -> tuple[str, ...]:
        """What speaks against relying on it."""
        warnings = () if self.certified is None else self.certified.warnings
        return (*warnings, *self.prior.fit.warnings)

    def headlines(self) -> tuple[str, ...]:
        """What was read, what the run achieved, the drift that was fitted."""
        log = self.prior.fit.observations
        inputs = ", ".join(axis.name for axis in log.axes)
        skipped = sum(log.skipped.values())
        left = f"; {skipped} without a value are left out" if skipped else ""
        about = f"{log.source}: a log of {counted(log.n, 'trial')} over {inputs}{left}."
        return about, self._achieved(), self._drift()

    def _achieved(self) -> str:
        if self.certified is None:
            return (
                "The file does not say whether large or small values are good: with --maximize or "
                "--minimize the regret of this run is bounded too."
            )
        total = self.certified.certificates[0]
        simple = next((c for c in self.certified.certificates if c.quantity == "simple"), None)
        line = (
            f"This run has cumulative regret ≤ {at_most(total.value)} in units of {self.values}, "
            f"with confidence {digits(total.level, 3)}"
        )
        if simple is not None:
            line += (
                f"; its best trial (row {self.certified.recommended}) is within "
                f"{at_most(simple.value)} of the optimum"
            )
        return f"{line} (posterior certificate, sampled)."

    def _drift(self) -> str:
        fitted = self.prior.fit
        unit = fitted.observations.unit
        share = fitted.drift_share
        half = next(row for row in fitted.estimates if row.name == "half_life")
        epsilon = next(row for row in fitted.estimates if row.name == "epsilon")
        if not isfinite(half.estimate):
            return (
                f"The fit sees no drift: the objective is static with probability "
                f"{at_least(1.0 - share, 3)}, so ε = 0."
            )
        high = f"to {in_words(half.high, unit)}" if isfinite(half.high) else "or more, or no drift"
        return (
            f"The fitted half-life is {in_words(half.estimate, unit)} (90 % of the posterior: "
            f"{in_words(half.low, unit)} {high}), ε = {digits(epsilon.estimate, 3)} per {unit}; "
            f"the objective drifts with probability {digits(share, 3)}."
        )

    def next_steps(self, file: str) -> tuple[str, ...]:
        """Commands that go on from here."""
        log = self.prior.fit.observations
        way = self.options.lstrip()
        if not {"--maximize", "--minimize"} & set(way.split()):
            goal = "maximize" if self.certified is None else log.direction
            way = f"{way} --{goal}".lstrip()
        steps = [
            f"ctv suggest {file} {way} proposes the next trial.",
            f"ctv fit {file} {way} --out prior.json stores the fitted prior.",
            f"ctv certify {file} {way} --stop-below X says whether to stop.",
        ]
        return tuple(steps if self.certified is not None else [f"ctv {file} {way}", *steps])

    def fit(self) -> Mapping[str, Any]:
        """Estimates with 90 % intervals, by name."""
        content = self.prior.fit.to_dict()
        return {
            "prior": content["prior"],
            "unit": content["unit"],
            "drift_probability": self.prior.fit.drift_share,
            "rows": self.prior.fit.observations.n,
            "confidence": self.confidence,
        }

    def sheet(self) -> Sheet:
        """The estimates, for the page."""
        return self.prior.table()

    def sentence(self) -> str:
        """For which prior the page is."""
        about = " ".join(f"{line}." for line in described(self.prior.fit.observations))
        return (
            f"{about} The bounds of this page are for the prior of largest evidence among those of "
            f"a forgetting drift; one unit of its regret is {digits(self.unit)} of {self.values}."
        )

    def parts(self) -> Mapping[str, Any]:
        """The key `fit`."""
        return {"fit": self.fit()}


def in_words(time: float, unit: str) -> str:
    """A time as a person says it.

    >>> in_words(90.0, "s"), in_words(36.0, "h"), in_words(0.25, "s")
    ('1.5 min', '36 h', '0.25 s')
    """
    from bounds.time_text import UNITS

    seconds = time * UNITS[unit]
    for name, least, per in (
        ("days", 172_800.0, 86_400.0),
        ("h", 7_200.0, 3_600.0),
        ("min", 60.0, 60.0),
        ("s", 0.1, 1.0),
    ):
        if seconds >= least:
            return f"{seconds / per:.3g} {name}"
    return f"{1000.0 * seconds:.3g} ms"
