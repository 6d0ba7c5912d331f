"""What other packages add to the program: entry points, each group with one shape.

A package that is installed beside this one names objects in its own `pyproject.toml`,

    [project.entry-points."ctv_bounds.commands"]
    forecast = "their_package.commands:forecast"

and they are part of the program: `ctv forecast`, `ctv.forecast()`. The distribution itself adds
`own_runs`, what is about a person's own log, in the same way. Nothing here knows any of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from bounds.errors import InvalidInput

if TYPE_CHECKING:
    from bounds.reading import Text
    from bounds.times import EvaluationTimes

GROUPS = {
    "commands": "a command: a function of option groups and options that returns a `Shown`",
    "times": "a `TimesSource`: reads files that hold more than columns of durations",
    "problems": "a `ProblemSource` (`ctv.options.sources`): options in place of those of the model",
    "certificates": "a `CertificateSource` (there): options for other runs of `ctv certify`",
    "logs": "a `LogSource` (there): options and a reader of logs for `ctv FILE`",
    "studies": "`() -> Shown`, a stored study of `ctv coverage`",
    "figures": "`() -> Figure`, of `ctv figure`",
    "ledgers": "a path of a ledger, which `ctv verify NAME` examines",
}
"""The groups of entry points, `ctv_bounds.` before each, and what an object in them is."""


class TimesSource(Protocol):
    """A reader of `--times FILE` where the file is no comma-separated table of plain durations."""

    def recognises(self, text: Text, cell: str = "") -> bool:
        """Whether this reader knows such a file; `cell` is one that is no number, if any."""

    def read(self, text: Text, unit: str) -> EvaluationTimes:
        """Its evaluation times in this unit; raises InvalidInput that names row and column."""


class Extended(tuple[Any, ...]):
    """Option groups that other packages add to a command, as a parameter of that command."""

    group: ClassVar[str]


@cache
def _points(group: str) -> Mapping[str, EntryPoint]:
    if group not in GROUPS:
        raise KeyError(group)
    return {point.name: point for point in entry_points(group=f"ctv_bounds.{group}")}


def names(group: str) -> tuple[str, ...]:
    """The names that a group has, sorted; nothing is loaded."""
    return tuple(sorted(_points(group)))


def load(group: str, name: str) -> Any:
    """The object of that name; raises InvalidInput where its package is broken."""
    point = _points(group)[name]
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        reason = " ".join(str(error).split())[:120]
        remedy = f"it cannot be loaded ({reason}): reinstall or remove the package that adds it"
        raise InvalidInput("extension", f"{name} = {point.value}", remedy) from None


def loaded(group: str) -> dict[str, Any]:
    """Every object of a group by name."""
    return {name: load(group, name) for name in names(group)}


def option_groups(group: str) -> tuple[type, ...]:
    """The dataclasses of a group; raises InvalidInput for anything else."""
    groups = loaded(group)
    for name, options in groups.items():
        if not (isinstance(options, type) and is_dataclass(options)):
            remedy = "it is no dataclass of options: remove the package that adds it"
            raise InvalidInput("extension", name, remedy)
    return tuple(groups.values())


def option_names(group: type) -> tuple[str, ...]:
    """The fields of a dataclass that are options."""
    return tuple(one.name for one in fields(group) if one.init and one.metadata.get("option", True))
