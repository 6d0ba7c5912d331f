"""What other packages add to the options of commands: other problems, other runs to certify."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bounds.errors import InvalidInput
from ctv.extensions import Extended

if TYPE_CHECKING:
    from bounds.problem import Problem
    from bounds.progress import Stage
    from bounds.reading import Text
    from ctv.options.certificates import CertifyOptions
    from ctv.options.problem import Given, ModelOptions, TimesOptions
    from ctv.show.sheet import Sheet
    from ctv.show.shown import Shown


class SourcedProblem(Protocol):
    """A problem that came from elsewhere, and what is to be said of that.

    Attributes
    ----------
    problem : for which the bounds are
    """

    @property
    def problem(self) -> Problem: ...

    def sheet(self) -> Sheet:
        """A table that comes before the bounds."""

    def sentence(self) -> str:
        """What the bounds hold for."""

    def parts(self) -> Mapping[str, Any]:
        """Further keys of the JSON object."""


class ProblemSource(Protocol):
    """A frozen dataclass whose fields are options, in place of those of the model."""

    @property
    def named(self) -> Mapping[str, Any]:
        """The options that were given, by name; none where nothing is asked of this source."""

    def sourced(
        self, times: TimesOptions, model: ModelOptions, given: Given, advance: Stage
    ) -> SourcedProblem:
        """The problem asked for; raises InvalidInput for options that it settles itself."""


class CertificateSource(Protocol):
    """A frozen dataclass whose fields are options of `ctv certify`, for runs of another kind."""

    def takes(self, target: Path | None, given: Given) -> bool:
        """Whether what is asked is asked of this source."""

    def certified(
        self,
        target: Path | None,
        options: CertifyOptions,
        model: ModelOptions,
        given: Given,
        advance: Stage,
    ) -> Shown:
        """The certificates; raises InvalidInput where options contradict each other."""


class FittedLog(SourcedProblem, Protocol):
    """A log with observed values, and the prior that was fitted to it.

    Attributes
    ----------
    problem : under one prior of the fitted set, in units in which f has variance 1
    unit : what one of these units of regret is, in the units of the log's values
    values : name of the values
    achieved : the bound on the regret that this run suffered, from its data; None where the file
        does not say whether large or small values are good
    confidence : of that bound
    warnings : what speaks against relying on it
    """

    @property
    def unit(self) -> float: ...

    @property
    def values(self) -> str: ...

    @property
    def achieved(self) -> float | None: ...

    @property
    def confidence(self) -> float | None: ...

    @property
    def warnings(self) -> tuple[str, ...]: ...

    def headlines(self) -> tuple[str, ...]:
        """What was read, what the run achieved, and the drift that was fitted, in sentences."""

    def next_steps(self, file: str) -> tuple[str, ...]:
        """Commands that go on from here."""

    def fit(self) -> Mapping[str, Any]:
        """The key `fit` of the JSON object."""


class LogSource(Protocol):
    """A frozen dataclass whose fields are options that say how to read a log."""

    def recognises(self, where: Path | Text, named: frozenset[str]) -> bool:
        """Whether a file holds inputs, observed values and times; `named` are options in use."""

    def fitted(self, where: Path | Text, seed: int, delta: float, advance: Stage) -> FittedLog:
        """The log with its fitted prior; raises InvalidInput that names column and row."""


class ProblemSources(Extended):
    """Other ways to say which problem is meant."""

    group = "problems"

    def asked(self) -> ProblemSource | None:
        """The source whose options are given; raises InvalidInput for two; None without any."""
        sources = [source for source in self if source.named]
        if len(sources) > 1:
            name, value = next(iter(sources[1].named.items()))
            raise InvalidInput(name, str(value), "drop it: another option gives the problem")
        return sources[0] if sources else None

    def named(self) -> dict[str, Any]:
        """The options given, by name."""
        return {name: value for source in self for name, value in source.named.items()}


NO_SOURCES = ProblemSources()


class LogSources(Extended):
    """Readers of logs with observed values."""

    group = "logs"

    def of(self, where: Path | Text, named: frozenset[str]) -> LogSource | None:
        """The first reader that recognises the file; None without."""
        return next((source for source in self if source.recognises(where, named)), None)


NO_LOGS = LogSources()


class CertificateSources(Extended):
    """Other kinds of runs that `ctv certify` takes."""

    group = "certificates"
