"""The errors that this project raises on purpose; anything else that escapes is a defect."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

Made = TypeVar("Made")

_LONGEST_VALUE = 60


class CtvBoundsError(Exception):
    """Base of every error that the project raises on purpose."""


class InvalidInput(CtvBoundsError, ValueError):
    """A value that came from outside is not in the domain of what was asked.

    The message is one line: the field, the value (shortened to 60 characters), the remedy.

    >>> str(InvalidInput("delta", 1.5, "give a probability in (0, 1)"))
    'delta = 1.5: give a probability in (0, 1)'
    """

    def __init__(self, field: str, value: object, remedy: str) -> None:
        self.field = field
        self.value = value
        self.remedy = remedy
        super().__init__(f"{field} = {shortened(value)}: {remedy}")

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[str, str, str]]:
        """Pickle by what it was made from, so that a worker process can raise it."""
        return type(self), (self.field, shortened(self.value), self.remedy)


class NoEnclosure(InvalidInput):
    """What was asked for in balls has a floating point formula alone; it stays uncertified."""


class NumericalFailure(CtvBoundsError, ArithmeticError):
    """A computation lost too many digits to stand behind its result."""


def shortened(value: object) -> str:
    """Return `value` as one printable line of at most 60 characters."""
    text = value if isinstance(value, str) else repr(value)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a remedy that names what may have been meant; empty where nothing is near.

    >>> "is no key here" + did_you_mean("becuase", ("because", "where"))
    'is no key here; did you mean because?'
    """
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


def explained(remedy: str) -> Callable[[type[Made]], type[Made]]:
    """A class whose TypeError, where its parameters are others, ends in what to write.

    >>> @explained("give its side")
    ... class Square:
    ...     def __init__(self, side: float) -> None: ...
    >>> Square(1.0, colour="red")
    Traceback (most recent call last):
    TypeError: Square.__init__() got an unexpected keyword argument 'colour': give its side
    """

    def decorated(kind: type[Made]) -> type[Made]:
        made = kind.__init__

        @wraps(made)
        def explain(self: Made, *parts: Any, **named: Any) -> None:
            try:
                made(self, *parts, **named)
            except TypeError as error:
                try:
                    signature(made).bind(self, *parts, **named)
                except TypeError:
                    raise TypeError(f"{error}: {remedy}") from None
                raise  # of something within

        setattr(kind, "__init__", explain)  # noqa: B010 - a type checker refuses the assignment
        return kind

    return decorated
