"""A grid, its kernel and its reflections read from a certificate of bounds, for `recheck_bound`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
from scipy.special import gammaln, kve

from bounds import enclosure
from bounds.arrays import BallArray, FloatArray
from bounds.enclosure import Number, matrices
from proofs_check.recheck.outcome import Refused


class GridByReflections:
    """The points i·side/(q−1) of a grid, its reflections, and the kernel by parity."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self._kernel, d = problem["space_kernel"], int(problem["dimension"])
        domain = problem.get("domain", {"side": problem.get("side"),
                                        "points_per_axis": problem.get("grid")})  # fmt: skip
        sides, counts = domain["side"], domain["points_per_axis"]
        self._shape = list(counts) if isinstance(counts, list) else [int(counts)] * d
        listed = sides if isinstance(sides, list) else [sides] * d
        self._steps = [
            Fraction(side) / (q - 1) if q > 1 else Fraction(0)
            for side, q in zip(listed, self._shape, strict=True)
        ]
        self._values: dict[Fraction, Number] = {}
        # Three axes at most are reflected, the first ones.
        self._axes = min(d, 3)
        half = [range(-(-q // 2)) if a < self._axes else range(q)
                for a, q in enumerate(self._shape)]  # fmt: skip
        self.orthant = [self._index(place) for place in itertools.product(*half)]

    @property
    def size(self) -> int:
        """How many points there are."""
        return prod(self._shape)

    def _index(self, place: Sequence[int]) -> int:
        index = 0
        for q, coordinate in zip(self._shape, place, strict=True):
            index = index * q + coordinate
        return index

    def _place(self, index: int) -> tuple[int, ...]:
        if not 0 <= index < self.size:
            raise Refused(f"point {index} is not on the grid")
        place = []
        for q in reversed(self._shape):
            index, coordinate = divmod(index, q)
            place.append(coordinate)
        return tuple(reversed(place))

    def _at(self, left: Sequence[int], right: Sequence[int]) -> Number:
        steps = zip(self._steps, left, right, strict=True)
        return self._of_square(sum(((step * (a - b)) ** 2 for step, a, b in steps), Fraction(0)))

    def _of_square(self, square: Fraction) -> Number:
        """k at the root of an exact squared distance."""
        if square not in self._values:
            value = kernel_value(self._kernel, enclosure.sqrt(square))
            self._values[square] = enclosure.ball(value)
        return self._values[square]

    def gram(self, rows: Sequence[int], columns: Sequence[int]) -> BallArray:
        """k(x, y) entry by entry."""
        left, right = [self._place(i) for i in rows], [self._place(i) for i in columns]
        table = [[self._at(x, y) for y in right] for x in left]
        return np.array(table, dtype=object).reshape(len(left), len(right))

    def projections(
        self, points: Sequence[int], factors: Sequence[Any]
    ) -> list[tuple[int, Any, Any]]:
        """(k_e, R_eᵀK_eR_e, R_eᵀk_e(z, x) over the orthant) for each parity with columns."""
        parities = list(itertools.product((0, 1), repeat=self._axes))
        if len(factors) != len(parities):
            raise Refused("factors of other parities than there are")
        places = [self._place(i) for i in points]
        orthant = [self._place(i) for i in self.orthant]
        images = {
            flips: (self._reflected(places, places, flips), self._reflected(places, orthant, flips))
            for flips in parities
        }
        found = []
        for parity, rows in zip(parities, factors, strict=True):
            k = len(rows[0]) if rows else 0
            if k == 0:
                continue
            R = exact_matrix(rows, len(points))
            signs = {f: (-1) ** sum(a * b for a, b in zip(f, parity, strict=True)) for f in images}
            among = sum(signs[f] * images[f][0] for f in images) / len(parities)
            cross = sum(signs[f] * images[f][1] for f in images) / len(parities)
            transposed = R.transpose()
            H = transposed * matrices.ball_matrix(np.asarray(among)) * R
            found.append((k, H, transposed * matrices.ball_matrix(np.asarray(cross))))
        return found

    def _reflected(
        self, left: Sequence[Sequence[int]], right: Sequence[Sequence[int]], flips: Sequence[int]
    ) -> BallArray:
        turned = [
            [
                self._shape[a] - 1 - c if a < self._axes and flips[a] else c
                for a, c in enumerate(place)
            ]
            for place in right
        ]
        table = [[self._at(x, y) for y in turned] for x in left]
        return np.array(table, dtype=object).reshape(len(left), len(turned))


class PointsAlone(GridByReflections):
    """Points in a list, which has no reflections: a place is the number of a row."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self._kernel = problem["space_kernel"]
        self._rows = [[Fraction(value) for value in row] for row in problem["domain"]["rows"]]
        self._values, self._axes, self._shape = {}, 0, [len(self._rows)]
        self.orthant = list(range(len(self._rows)))

    def _at(self, left: Sequence[int], right: Sequence[int]) -> Number:
        pairs = zip(self._rows[left[0]], self._rows[right[0]], strict=True)
        return self._of_square(sum(((a - b) ** 2 for a, b in pairs), Fraction(0)))


def domain_of(problem: Mapping[str, Any]) -> GridByReflections:
    """The domain of a problem, by its reflections if it has any."""
    if "domain" in problem and problem["domain"]["type"] == "Points":
        return PointsAlone(problem)
    return GridByReflections(problem)


def kernel_value(kernel: Mapping[str, Any], distance: Number) -> Number:
    """k(r), a Matérn kernel by its Bessel function whatever ν is."""
    if enclosure.is_exact(distance) and distance == 0:
        return 1
    if kernel["type"] == "Forgetting":
        exponent = enclosure.divide(distance, 2)
        return enclosure.exp(
            enclosure.product((exponent, enclosure.log(1 - Fraction(kernel["epsilon"]))))
        )
    if kernel["type"] == "Independent":
        if enclosure.certainly_lt(0, distance) is not True:
            raise Refused("two points of an independent kernel are not certainly different")
        return 0
    if kernel["type"] not in ("SquaredExponential", "Matern"):
        raise Refused("rests on a kernel of a family that is not known here")
    scaled = enclosure.divide(distance, Fraction(kernel["lengthscale"]))
    if kernel["type"] == "SquaredExponential":
        return enclosure.exp(-enclosure.divide(scaled * scaled, 2))
    nu = Fraction(kernel["nu"])
    if nu == Fraction(1, 2):
        return enclosure.exp(-scaled)
    z = enclosure.sqrt(2 * nu) * enclosure.ball(scaled)
    factor = enclosure.divide(2 * enclosure.bessel_k(nu, z), enclosure.gamma(nu))
    return factor * enclosure.power(z / 2, nu)


def float_kernel(kernel: Mapping[str, Any], distances: FloatArray) -> FloatArray:
    """The kernel in doubles, for what is simulated again; (…) distances to (…) values."""
    if kernel["type"] == "Forgetting":
        return np.asarray((1.0 - float(kernel["epsilon"])) ** (distances / 2.0))
    if kernel["type"] == "Independent":
        return np.asarray(distances == 0.0, dtype=float)
    if kernel["type"] not in ("SquaredExponential", "Matern"):
        raise Refused("rests on a kernel of a family that is not known here")
    scaled = distances / float(kernel["lengthscale"])
    if kernel["type"] == "SquaredExponential":
        return np.asarray(np.exp(-scaled * scaled / 2.0))
    nu = float(kernel["nu"])
    z = np.sqrt(2.0 * nu) * np.maximum(scaled, 1e-9)  # from there on k is 1 to all digits
    bessel = kve(nu, z)  # e^z K_ν(z); too large for a double where ν is large and z is not
    logs = (1.0 - nu) * np.log(2.0) - gammaln(nu) + nu * np.log(z) + np.log(bessel) - z
    # There z < 0.1 and ν > 30: the first term of 1 − k, and most of the second.
    return np.exp(np.where(np.isfinite(bessel), logs, -z * z / (4.0 * max(nu - 1.0, 1.0))))


def exact(value: float | Fraction) -> Number:
    """The exact number that a double or a Fraction is."""
    return enclosure.exact(Fraction(value))


def exact_matrix(rows: Sequence[Sequence[float]], length: int) -> Any:
    """Rows of doubles as a matrix of exact numbers; refused where there are not `length` rows."""
    table = np.array(rows, dtype=float).reshape(len(rows), -1)
    if len(table) != length or not np.all(np.isfinite(table)):
        raise Refused("a matrix of another shape than the points or rounds")
    return matrices.ball_matrix(table)


def scaled_identity(size: int, alpha: Number) -> Any:
    """α on the diagonal of a matrix of balls."""
    balls = np.full((size, size), enclosure.ball(0), dtype=object)
    np.fill_diagonal(balls, enclosure.ball(alpha))
    return matrices.ball_matrix(balls)
