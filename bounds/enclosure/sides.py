"""Which side a rounded double is on, as its type."""

from __future__ import annotations


class Upper(float):
    """A double that is certainly at least the number that it stands for.

    It is a float in every computation, and what a computation returns is a float again: rounded to
    nearest it is on no side. Only the negative keeps a side, the other one.

    >>> type(Upper(2.0) + Upper(1.0)), type(-Upper(2.0))
    (<class 'float'>, <class 'bounds.enclosure.sides.Lower'>)
    """

    __slots__ = ()

    def __neg__(self) -> Lower:
        return Lower(-float(self))


class Lower(float):
    """A double that is certainly at most the number that it stands for; else as `Upper`."""

    __slots__ = ()

    def __neg__(self) -> Upper:
        return Upper(-float(self))
