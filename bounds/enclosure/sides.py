"""Which side a rounded double is on, or an array of them, as its type."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


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


class _Sided(np.ndarray[Any, np.dtype[np.float64]]):
    """An array of doubles on one side; what is computed from it, but its negative, is on none."""

    __array_priority__ = -1.0
    _entry: type[Upper] | type[Lower]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Self:
        """The same doubles, not copied, by one who knows on which side they are."""
        return np.asarray(values, dtype=float).view(cls)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> Any:
        if any(isinstance(output, _Sided) for output in more.get("out", ())):
            raise TypeError("what is on a side is not written over")
        plain = [np.asarray(entry) if isinstance(entry, _Sided) else entry for entry in inputs]
        result = getattr(ufunc, method)(*plain, **more)
        if ufunc is np.negative and result is not NotImplemented:
            return (LowerArray if isinstance(self, UpperArray) else UpperArray).of(result)
        return result

    def __setitem__(self, place: Any, value: Any) -> None:
        raise TypeError("what is on a side is not written over")

    def __getitem__(self, place: Any) -> Any:
        """A number on that side, or a part that is an array on it."""
        part = super().__getitem__(place)
        return part if isinstance(part, np.ndarray) else self._entry(part)


class UpperArray(_Sided):
    """Doubles, each at least the number that it stands for, as `Upper`; parts are so too.

    >>> values = UpperArray.of(np.array([1.0, 2.0]))
    >>> type(values[0]).__name__, type(values[1:]).__name__, type(values + values).__name__
    ('Upper', 'UpperArray', 'ndarray')
    """

    _entry = Upper


class LowerArray(_Sided):
    """Doubles, each at most the number that it stands for; else as `UpperArray`."""

    _entry = Lower
