"""Options that hold several values by name: `NAME=VALUE,…`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from bounds.errors import InvalidInput


def named_values(option: str, text: str | None, known: Iterable[str]) -> dict[str, str]:
    """The values of a list such as `power=2,gap=0.5`; names may be written with - for _.

    Raises InvalidInput for a part without a value, an unknown name, and one that comes twice.

    >>> named_values("readings", "c1=0.2, time-nodes=8", ("c1", "c2", "time_nodes"))
    {'c1': '0.2', 'time_nodes': '8'}
    """
    names = tuple(known)
    values: dict[str, str] = {}
    for part in (text or "").split(",") if text else ():
        written, equal, value = (piece.strip() for piece in part.partition("="))
        name = written.replace("-", "_")
        if not (equal and value):
            raise InvalidInput(option, part.strip() or "''", "write NAME=VALUE,NAME=VALUE")
        if name not in names:
            remedy = f"use {', '.join(names)}" if names else "drop it: nothing has a value here"
            raise InvalidInput(option, written, remedy)
        if name in values:
            raise InvalidInput(option, written, "give it once")
        values[name] = value
    return values


def listed(text: str) -> tuple[str, ...]:
    """The parts of a comma list, as they are written.

    >>> listed("rank, expected")
    ('rank', 'expected')
    """
    return tuple(part.strip() for part in text.split(","))


def number(option: str, text: str) -> float:
    """A number of such a list; raises InvalidInput that names it."""
    try:
        return float(text)
    except ValueError:
        raise InvalidInput(option, text, "give a number") from None


def yes_or_no(option: str, text: str) -> bool:
    """`yes` or `no`; raises InvalidInput for anything else."""
    if text.lower() not in ("yes", "no", "true", "false"):
        raise InvalidInput(option, text, "give yes or no")
    return text.lower() in ("yes", "true")


@contextmanager
def named_as(options: Mapping[str, str]) -> Iterator[None]:
    """Let an error about a value name the option by which it was given."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(
            options.get(error.field, error.field), error.value, error.remedy
        ) from None
