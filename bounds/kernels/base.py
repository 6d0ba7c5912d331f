"""What a kernel is: its formula, and what else of it is known.

A family is a frozen dataclass of plain parameters in a file of its own. It has to give its name and
its formula; all the rest has a default that is right for every kernel, and says less. What rests
on a part that is missing is then computed in floating point, by a slower road, or left out with a
reason; nothing is refused because of it.

Notation: r ≥ 0 is a distance, k(0) = 1, |k| ≤ 1, and k(‖x − x'‖) is positive semi-definite.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from math import inf, isfinite, log, log1p
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import BallArray, FloatArray
from bounds.errors import InvalidInput, NoEnclosure

if TYPE_CHECKING:
    from fractions import Fraction

    from bounds.enclosure import Number
    from bounds.enclosure.doubles import Doubles


LEAST_LENGTH = 1e-50
"""Below it, and above its inverse, cubes of sides over lengthscales leave the doubles."""


class Kernel(ABC):
    """A unit-variance stationary kernel r ↦ k(r), for space or for time."""

    space_names: ClassVar[tuple[str, ...]] = ()
    """Texts that stand for a kernel of this family in space; `NAME:NU` has a number behind it."""
    time_names: ClassVar[tuple[str, ...]] = ()
    """The same in time."""

    # What it is.

    @property
    @abstractmethod
    def name(self) -> str:
        """The short name that tables show, with what tells it from others of its family."""

    @abstractmethod
    def at_distance(self, distance: ArrayLike) -> FloatArray:
        """k(r) for distances r ≥ 0 of any shape."""

    @property
    def title(self) -> str:
        """Its name in a sentence: the … kernel."""
        return self.name

    def complement(self, distance: ArrayLike) -> FloatArray:
        """1 − k(r); a family that can keeps its digits also where k(r) is near 1."""
        return np.asarray(1.0 - self.at_distance(distance))

    def deficit(self, distance: ArrayLike) -> FloatArray:
        """1 − k(r)²: the variance left at distance r of a point whose value is known."""
        complement = self.complement(distance)
        return complement * (2.0 - complement)

    # What is known of it: False, NaN, infinite or None is "not known".

    @property
    def slope(self) -> float:
        """θ, the smallest number known with 1 − k(r) ≤ θ·r for all r ≥ 0; infinite if none is."""
        return float("inf")

    @property
    def steepest_distance(self) -> float | None:
        """The r at which (1 − k(r))/r is largest, if it rises before and falls after it."""
        return None

    @property
    def smoothness(self) -> float:
        """The Matérn ν whose gain has the same growth; infinite for analytic kernels."""
        return float("nan")

    @property
    def is_markov(self) -> bool:
        """Whether k(r + r') = k(r)·k(r'): the process forgets all but its latest value."""
        return False

    @property
    def is_nonnegative(self) -> bool:
        """Whether k(r) ≥ 0 for all r."""
        return False

    @property
    def is_nonincreasing(self) -> bool:
        """Whether k(r) does not rise with r; with `is_nonnegative` neither does k(r)²."""
        return False

    @property
    def completely_monotone(self) -> bool:
        """Whether k is completely monotone in r; then 1 − k² is concave in r ≥ 0."""
        return False

    @property
    def gaussian_lengthscale(self) -> float | None:
        """ℓ if k(r) = exp(−r²/(2ℓ²)), the one shape that is a product over the axes."""
        return None

    @property
    def derivative_variance(self) -> float | None:
        """Var ∂_j f = −k''(0), infinite where sample paths have no derivative."""
        return None

    @property
    def curvature_variance(self) -> float | None:
        """Var ∂_u² f along a unit vector u, infinite where paths have no second derivative.

        No mixed second derivative along unit vectors varies more.
        """
        return None

    def derivative_rise(self, dimension: int, sides: FloatArray) -> FloatArray | None:
        """Bounds on E sup of ∂_j f less its value at the centre, over cubes of these sides."""
        return None

    # The same in balls, its parameters taken as exact: what makes a number certified.

    def enclosed_at_distance(self, distance: Number) -> Number:
        """k(r) enclosed, for a number r ≥ 0, exact or a ball; raises NoEnclosure by default."""
        self._no_enclosure("no enclosure is known for this kernel")

    def doubles_at_squares(self, squared: Doubles) -> Doubles | None:
        """k as intervals in doubles from r², for whole arrays; None where balls alone know it."""
        return None

    def enclosed_deficit(self, distance: Number) -> Number:
        """1 − k(r)² enclosed."""
        value = self.enclosed_at_distance(distance)
        return 1 - value * value

    def enclosed_slope(self) -> Number | None:
        """θ enclosed; None where no certified slope is known. Of a Markov kernel, its rate."""
        return None

    def enclosed_derivative_variance(self) -> Number:
        """Var ∂_j f enclosed, for the constants a and b and for cells of the box."""
        self._no_enclosure("constants a and b are known for se, matern32 and matern52")

    def enclosed_curvature_variance(self) -> Number:
        """`curvature_variance` enclosed, for what changes within cells of the box."""
        self._no_enclosure("it is enclosed for se and Matérn kernels with ν > 2")

    def enclosed_derivative_rise(self, dimension: int, side: Fraction) -> Number:
        """`derivative_rise` of one cube, enclosed."""
        self._no_enclosure("constants a and b are known for se, matern32 and matern52")

    def enclosed_radial(self, squared: BallArray) -> tuple[BallArray, BallArray]:
        """k and g from |x − z|², where ∇_x k = g·(x − z)."""
        self._no_enclosure("gradients are enclosed for se and Matérn kernels of half-integer ν")

    def enclosed_remainder(self, distance: Number) -> Number:
        """rem(d) ≥ ‖φ(x) − φ(x₀) − Dφ(x₀)(x − x₀)‖ for |x − x₀| ≤ d, φ(x) = k(·, x)."""
        self._no_enclosure("the box is done for se, matern32 and matern52")

    def _no_enclosure(self, remedy: str) -> NoReturn:
        raise NoEnclosure("kernel", self.name, remedy)

    # What follows.

    def reach(self, level: float) -> float:
        """A distance at which k(r) ≤ `level`, found by doubling and halving; infinite if none."""
        low, high = 0.0, 1.0
        while float(self.at_distance(high)) > level:
            low, high = high, 2.0 * high
            if high > 1e300:
                return float("inf")
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if float(self.at_distance(middle)) > level else (low, middle)
        return high

    def gram(self, left: ArrayLike, right: ArrayLike | None = None) -> FloatArray:
        """K_ij = k(‖left_i − right_j‖) for points (m, d) and (n, d); right defaults to left."""
        left_points = np.asarray(left, dtype=float)
        right_points = left_points if right is None else np.asarray(right, dtype=float)
        return self.at_distance(distances(left_points, right_points))

    def derivative(self, distance: FloatArray) -> FloatArray:
        """k′(r), from the right at r = 0."""
        return np.asarray(distance * self.derivative_over_distance(distance))

    def derivative_over_distance(self, distance: FloatArray) -> FloatArray:
        """k′(r)/r, so that ∇_x k(‖x − z‖) = (x − z)·k′(r)/r; by default by differences."""
        step = 1e-5 * self.reach(0.5)
        apart = np.maximum(distance, step)
        rise = self.at_distance(apart + step) - self.at_distance(apart - step)
        return np.asarray(rise / (2.0 * step) / apart)

    def stretched(self, factor: float) -> Kernel:
        """The kernel r ↦ k(r/factor), for a family that has a lengthscale; else InvalidInput."""
        lengthscale = self.parameters.get("lengthscale")
        if not isinstance(lengthscale, float):
            raise InvalidInput("kernel", self.name, "it has no lengthscale to change")
        return type(self)(**{**self.parameters, "lengthscale": lengthscale * factor})

    def at_rate(self, epsilon: float) -> Kernel | None:
        """The kernel of its family at another forgetting rate ε; None where it has no ε."""
        return None

    @property
    def parameters(self) -> dict[str, Any]:
        """The fields of the dataclass that it is, by name, their numbers as Python's own."""
        names = [field.name for field in fields(cast(Any, self)) if field.init]
        return {name: _plain(getattr(self, name)) for name in names}

    # From a text of the command line.

    @classmethod
    def from_text(cls, text: str, lengthscale: float) -> Self:
        """The kernel that one of `space_names` stands for; of a single lengthscale by default."""
        return cls(lengthscale)  # type: ignore[call-arg]

    @classmethod
    def from_time_text(cls, text: str, epsilon: float, lengthscale: float | None) -> Self:
        """The same for one of `time_names`; without a lengthscale it is 1/θ(ε)."""
        return cls.from_text(text, time_lengthscale(epsilon, lengthscale))


def distances(left: FloatArray, right: FloatArray) -> FloatArray:
    """Euclidean distances between the rows of (m, d) and (n, d), each by direct subtraction."""
    squared = np.zeros((len(left), len(right)))
    for axis in range(left.shape[1]):
        squared += np.subtract.outer(left[:, axis], right[:, axis]) ** 2
    return np.sqrt(squared)


def time_lengthscale(epsilon: float, lengthscale: float | None) -> float:
    """The lengthscale given, or 1/θ(ε), at which the exponential kernel is the forgetting one."""
    if lengthscale is None:
        if epsilon == 0.0:
            raise InvalidInput(
                "time-lengthscale", "none", "give one, since epsilon = 0 implies none"
            )
        return 1.0 / forgetting_rate(epsilon)
    require_positive("time-lengthscale", lengthscale)
    return lengthscale


def forgetting_rate(epsilon: float) -> float:
    """θ = −½ log(1−ε); raises InvalidInput unless 0 ≤ ε < 1."""
    if not 0.0 <= epsilon < 1.0:
        raise InvalidInput("epsilon", epsilon, "give a forgetting rate in [0, 1)")
    return -0.5 * log1p(-epsilon)


def half_life(epsilon: float) -> float:
    """log 2/θ: after how many units of time half of what is known is forgotten; ∞ for ε = 0.

    >>> round(half_life(0.01), 1)
    137.9
    """
    rate = forgetting_rate(epsilon)
    return log(2.0) / rate if rate > 0.0 else inf


def require_positive(field: str, value: float) -> None:
    """Raise InvalidInput unless the value is a positive finite number."""
    if not (isfinite(value) and value > 0):
        raise InvalidInput(field, value, "give a positive finite number")


def require_length(field: str, value: float) -> None:
    """Raise InvalidInput for a side or lengthscale that is no positive number, or out of range."""
    require_positive(field, value)
    if not LEAST_LENGTH <= value <= 1.0 / LEAST_LENGTH:
        remedy = f"give a number from {LEAST_LENGTH:g} to {1 / LEAST_LENGTH:g}"
        raise InvalidInput(field, value, remedy)


def number_behind(text: str, prefix: str) -> float:
    """The number of a text such as `matern:1.5` or `matern:3/2`.

    >>> number_behind("matern:1.5", "matern:"), number_behind("matern:7/2", "matern:")
    (1.5, 3.5)
    """
    above, stroke, below = text.removeprefix(prefix).partition("/")
    try:
        return float(above) / float(below) if stroke else float(above)
    except (ValueError, ZeroDivisionError):
        remedy = f"give a number after {prefix}, e.g. {prefix}1.5 or {prefix}3/2"
        raise InvalidInput("kernel", text, remedy) from None


def _plain(value: Any) -> Any:
    """A number of numpy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value
