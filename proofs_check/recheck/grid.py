"""The points of a certificate's domain and its kernels, computed anew for the rechecks."""

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
from proofs_check.recheck.problem import axes_of, is_list
from proofs_check.recheck.times import in_ticks

_MOST_PAIRS = 20_000_000
"""Entries of a matrix of balls: 4,000 rounds against each other, and a GiB or two."""


class GridByReflections:
    """The points i·side/(q−1) of a grid, its reflections, and the kernel by parity."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.kernel = problem["space_kernel"]
        self._sides, self._shape = axes_of(problem)
        self._steps = [
            Fraction(side) / (q - 1) if q > 1 else Fraction(0)
            for side, q in zip(self._sides, self._shape, strict=True)
        ]
        self._values: dict[tuple[int, ...], Number] = {}
        # Three axes at most are reflected, the first ones.
        self._axes = min(len(self._shape), 3)
        half = [-(-q // 2) if a < self._axes else q for a, q in enumerate(self._shape)]
        places = np.array(list(np.ndindex(*half))).T
        self.orthant = np.ravel_multi_index(tuple(places), self._shape).tolist()

    @property
    def size(self) -> int:
        """How many points there are."""
        return prod(self._shape)

    @property
    def points(self) -> FloatArray:
        """Every point in doubles, (size, dimension); the midpoint where an axis has one."""
        axes = [
            [float(step * c) for c in range(q)] if q > 1 else [side / 2]
            for step, side, q in zip(self._steps, self._sides, self._shape, strict=True)
        ]
        return np.array(list(itertools.product(*axes)))

    def _place(self, index: int, flips: Sequence[int] = ()) -> tuple[int, ...]:
        """Where a point stands on each axis, reflected along those of `flips`."""
        place = [int(c) for c in np.unravel_index(index, self._shape)]
        for axis, flip in enumerate(flips):
            place[axis] = self._shape[axis] - 1 - place[axis] if flip else place[axis]
        return tuple(place)

    def gram(
        self, rows: Sequence[int], columns: Sequence[int], flips: Sequence[int] = ()
    ) -> BallArray:
        """k(x, y) entry by entry, y reflected."""
        _affordable(len(rows), len(columns))
        left, right = [self._place(i) for i in rows], [self._place(i, flips) for i in columns]
        table = [[self._at(x, y) for y in right] for x in left]
        return np.array(table, dtype=object).reshape(len(left), len(right))

    def _at(self, x: tuple[int, ...], y: tuple[int, ...]) -> Number:
        lag = tuple(abs(a - b) for a, b in zip(x, y, strict=True))
        if lag not in self._values:
            apart = [step * steps for step, steps in zip(self._steps, lag, strict=True)]
            self._values[lag] = self._of_lag(apart)
        return self._values[lag]

    def _of_lag(self, lag: Sequence[Fraction]) -> Number:
        square = sum((apart**2 for apart in lag), Fraction(0))
        return enclosure.ball(kernel_value(self.kernel, enclosure.sqrt(square)))

    def projections(
        self, points: Sequence[int], factors: Sequence[Any]
    ) -> list[tuple[int, Any, Any]]:
        """(k_e, R_eᵀK_eR_e, R_eᵀk_e(z, x) over the orthant) for each parity with columns."""
        parities = list(itertools.product((0, 1), repeat=self._axes))
        images = [
            (self.gram(points, points, flips), self.gram(points, self.orthant, flips))
            for flips in parities
        ]
        blocks = []
        for parity, rows in zip(parities, factors, strict=True):
            if not rows or not rows[0]:
                continue
            R = exact_matrix(rows, len(points))
            signs = [(-1) ** int(np.dot(flips, parity)) for flips in parities]
            among, cross = (
                matrices.ball_matrix(
                    sum(sign * image[part] for sign, image in zip(signs, images, strict=True))
                    / len(parities)
                )
                for part in (0, 1)
            )
            blocks.append((len(rows[0]), R.transpose() * among * R, R.transpose() * cross))
        return blocks


class PointsAlone(GridByReflections):
    """Points in a list, which has no reflections: a place is the number of a row."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        rows = problem["domain"]["rows"]
        self.kernel, self._rows = problem["space_kernel"], rows
        self._values, self._axes, self._shape = {}, 0, [len(rows)]
        self.orthant = list(range(len(rows)))

    @property
    def points(self) -> FloatArray:
        return np.array(self._rows, dtype=float)

    def _at(self, x: tuple[int, ...], y: tuple[int, ...]) -> Number:
        if x + y not in self._values:
            pairs = zip(self._rows[x[0]], self._rows[y[0]], strict=True)
            self._values[x + y] = self._of_lag([Fraction(a) - Fraction(b) for a, b in pairs])
        return self._values[x + y]


def domain_of(problem: Mapping[str, Any]) -> GridByReflections:
    """The domain of a problem, by its reflections if it has any."""
    return PointsAlone(problem) if is_list(problem) else GridByReflections(problem)


def _affordable(rows: int, columns: int) -> None:
    if rows * columns > _MOST_PAIRS:
        raise Refused(f"a matrix of {rows} x {columns}, and at most {_MOST_PAIRS} entries are made")


def time_gram(
    kernel: Mapping[str, Any],
    rows: Sequence[Fraction],
    columns: Sequence[Fraction],
    known: dict[Fraction, Number] | None = None,
) -> BallArray:
    """k_time of each pair of instants; `known` keeps what it is at each distance."""
    _affordable(len(rows), len(columns))
    unit, ticks = in_ticks([*rows, *columns])
    left, right = ticks[: len(rows)], ticks[len(rows) :]
    known = {} if known is None else known
    of_lag: dict[int, Number] = {}
    for lag in {abs(a - b) for a in left for b in right}:
        distance = Fraction(lag, unit)
        if distance not in known:
            known[distance] = enclosure.ball(kernel_value(kernel, distance))
        of_lag[lag] = known[distance]
    table = [[of_lag[abs(a - b)] for b in right] for a in left]
    return np.array(table, dtype=object).reshape(len(rows), len(columns))


def kernel_value(kernel: Mapping[str, Any], distance: Number) -> Number:
    """k(r), a Matérn kernel by its Bessel function whatever ν is."""
    if enclosure.is_exact(distance) and distance == 0:
        return 1
    if kernel["type"] == "Forgetting":
        rate = enclosure.log(1 - Fraction(kernel["epsilon"]))
        return enclosure.exp(enclosure.divide(enclosure.product((distance, rate)), 2))
    if kernel["type"] == "Independent":
        apart = enclosure.certainly_lt(0, distance) is True
        return 0 if apart else enclosure.interval(Fraction(0), Fraction(1))
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


def forgets(kernel: Mapping[str, Any]) -> bool:
    """Whether a time kernel is the forgetting or the exponential one: a Markov process."""
    markov = kernel["type"] == "Matern" and kernel["nu"] == 0.5
    return bool(markov or kernel["type"] == "Forgetting")


def is_definite(gram: BallArray) -> bool:
    """Whether every pivot of an elimination is certainly positive."""
    rest = gram.copy()
    for k in range(len(rest)):
        if enclosure.certainly_lt(0, rest[k, k]) is not True:
            return False
        below = rest[k + 1 :, k] / rest[k, k]
        rest[k + 1 :] = rest[k + 1 :] - below[:, None] * rest[k]
    return True


def float_kernel(kernel: Mapping[str, Any], distances: FloatArray) -> FloatArray:
    """The kernel in doubles, for what is simulated again; (…) distances to (…) values."""
    if kernel["type"] == "Forgetting":
        return np.asarray((1.0 - float(kernel["epsilon"])) ** (distances / 2.0))
    if kernel["type"] == "Independent":
        return np.asarray(distances == 0.0, dtype=float)
    if kernel["type"] not in ("SquaredExponential", "Matern"):
        raise Refused("rests on a kernel of a family that is not known here")
    # Of what is far apart the kernel is 0.
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        scaled = distances / float(kernel["lengthscale"])
        if kernel["type"] == "SquaredExponential":
            return np.asarray(np.exp(-scaled * scaled / 2.0))
        nu = float(kernel["nu"])
        z = np.maximum(np.sqrt(2.0 * nu) * scaled, 1e-300)
        bessel = kve(nu, z)  # e^z K_ν(z); too large for a double where ν is large and z is not
        logs = (1.0 - nu) * np.log(2.0) - gammaln(nu) + nu * np.log(z) + np.log(bessel) - z
        # There k is 1, or ν > 30: the first term of 1 − k, and most of the second.
        near = -z * z / (4.0 * max(nu - 1.0, 1.0))
        values = np.exp(np.where(np.isfinite(bessel), logs, near))
    return np.asarray(np.where(distances == 0.0, 1.0, values))


def float_gram(kernel: Mapping[str, Any], sites: FloatArray) -> FloatArray:
    """The Gram matrix of points (n, d) in doubles."""
    with np.errstate(over="ignore"):
        squares = np.square(sites[:, None, :] - sites[None, :, :]).sum(axis=2)
    return float_kernel(kernel, np.sqrt(squares))


def exact(value: float | str | Fraction) -> Number:
    """The exact number that a double, a fraction or its text is."""
    return enclosure.exact(Fraction(value))


def exact_matrix(rows: Sequence[Sequence[float]], length: int) -> Any:
    """Rows of doubles as a matrix of exact numbers; refused where there are not `length` rows."""
    if len(rows) != length or len({len(row) for row in rows}) != 1:
        raise Refused("a matrix of another shape than the points or rounds")
    return matrices.ball_matrix(np.array(rows, dtype=float))


def scaled_identity(size: int, alpha: Number) -> Any:
    """α on the diagonal of a matrix of balls."""
    return matrices.ball_matrix(np.eye(size, dtype=int).astype(object) * enclosure.ball(alpha))
