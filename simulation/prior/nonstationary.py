"""What makes a prior nonstationary: one change point, warped inputs, errors that differ.

None of these is in the family of the theory; each is taken up as far as a log speaks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from bounds.arrays import BoolArray, FloatArray

Along = Literal["bends", "slopes"]
"""What an input may have."""
BENDS = (-5.0, -3.0, -1.5, 1.5, 3.0, 5.0)
"""a of the maps of an input that are tried, see `bent`."""
SLOPES = (-6.0, -4.0, -2.0, 2.0, 4.0, 6.0)
"""Slopes of the logarithm of the errors' variance that are tried."""


def bent(shares: FloatArray, bend: float) -> FloatArray:
    """(e^{ax} − 1)/(e^a − 1), from [0, 1] onto itself; a = 0 changes nothing.

    Of a > 0 f changes fastest near 1. The bend −a is that of 1 − x.

    >>> bent(np.array([0.0, 0.5, 1.0]), 2.0).round(3)
    array([0.   , 0.269, 1.   ])
    """
    return np.asarray(np.expm1(bend * shares) / np.expm1(bend)) if bend else shares


@dataclass(frozen=True)
class Nonstationarity:
    """A change point, warped inputs, a noise that differs by input; by default there is none.

    change : instant after which f is another draw
    bends : (d,) a of each input, see `bent`; empty where no input is bent
    slopes : (d,) of log σ² along each input, σ² being that in the middle of the cube; empty where
        errors are alike
    """

    change: float | None = None
    bends: tuple[float, ...] = ()
    slopes: tuple[float, ...] = ()

    @property
    def parts(self) -> dict[str, Any]:
        """What there is, by name."""
        return {name: value for name, value in vars(self).items() if value not in (None, ())}

    @property
    def unlike(self) -> bool:
        """Whether there is any."""
        return bool(self.parts)

    def has(self, other: Nonstationarity) -> bool:
        """Whether all that another one has is here, and the same.

        >>> both = Nonstationarity(1.5, (2.0,))
        >>> both.has(Nonstationarity(1.5)), both.has(Nonstationarity(2.5))
        (True, False)
        """
        return other.parts.items() <= self.parts.items()

    def joined(self, other: Nonstationarity) -> Nonstationarity:
        """With all that another one has."""
        return replace(self, **other.parts)

    def without(self, other: Nonstationarity) -> Nonstationarity:
        """Without what another one has too.

        >>> Nonstationarity(1.5, (2.0,)).without(Nonstationarity(1.5))
        Nonstationarity(change=None, bends=(2.0,), slopes=())
        """
        left = self.parts.keys() - other.parts.keys()
        return Nonstationarity(**{name: self.parts[name] for name in left})

    def to_dict(self) -> dict[str, float | list[float] | None]:
        """For JSON."""
        return {"change": self.change, "bends": [*self.bends], "slopes": [*self.slopes]}

    def along(self, name: Along, values: tuple[float, ...]) -> Nonstationarity:
        """With these bends or slopes."""
        if name == "bends":
            return replace(self, bends=values)
        return replace(self, slopes=values)

    def of_another_log(self) -> Nonstationarity:
        """Without what belongs to the instants of one log."""
        return replace(self, change=None)

    def together(self, left: FloatArray, right: FloatArray) -> BoolArray | float:
        """Whether two instants, of one shape, are on one side of the change."""
        if self.change is None:
            return 1.0
        return np.asarray((left > self.change) == (right > self.change))

    def moved(self, points: FloatArray) -> FloatArray:
        """(n, d) where points lie for the kernel."""
        if not self.bends:
            return points
        columns = [bent(points[:, i], bend) for i, bend in enumerate(self.bends)]
        return np.stack(columns, axis=1)

    def deviations(self, points: FloatArray) -> FloatArray:
        """(n,) of the errors at points (n, d), in units of σ."""
        if not self.slopes:
            return np.ones(len(points))
        return np.asarray(np.exp(0.5 * (points - 0.5) @ np.asarray(self.slopes)))


STATIONARY = Nonstationarity()
"""No change point, inputs as they are, errors alike."""
