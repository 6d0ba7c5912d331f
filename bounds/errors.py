"""The errors that this project raises on purpose; anything else that escapes is a defect."""

from __future__ import annotations

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
