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


class ProblemSources(Extended):
    """Other ways to say which problem is meant."""

    group = "problems"

    def asked(self) -> ProblemSource | None:
        """The source whose options are given; raises InvalidInput for two; None without any."""
        found = [source for source in self if source.named]
        if len(found) > 1:
            name, value = next(iter(found[1].named.items()))
            raise InvalidInput(name, str(value), "drop it: another option gives the problem")
        return found[0] if found else None

    def named(self) -> dict[str, Any]:
        """The options given, by name."""
        return {name: value for source in self for name, value in source.named.items()}


NO_SOURCES = ProblemSources()


class CertificateSources(Extended):
    """Other kinds of runs that `ctv certify` takes."""

    group = "certificates"
