"""Lemma SF on the whole box: the quotients of all pairs of points, by nodes and their gradients.

Points may lie anywhere in the box [0, r₁] × … × [0, r_d]. After a look let S be the standard
deviation of what the schedule leaves of a linear functional of f, a seminorm below the prior one.
Nodes lie at the middles of equal cells, so that every point is within ρ, half a cell's diagonal,
of one; finer cells, with ρ' in place of ρ, serve for the gradient. With T² = Var ∂_u²f no
derivative ∂_u f(x) is known worse than

    G = max over fine nodes of the largest S(∂_u f), plus ρ'T,

since ∂_u f changes by at most ρ'T within a cell. For x, y in cells of nodes at the distance r

    S(f(x) − f(y)) ≤ min{G·|x − y|, S of the nodes' difference + 2ρG},

and d_K(x, y)² = 2(1 − k(|x − y|)) with r − 2ρ ≤ |x − y| ≤ r + 2ρ; |x − y|/d_K rises with |x − y|.
So p is bounded over all pairs of the box, the limit x → y included, by the pairs of nodes. Needs
paths with two derivatives. See docs/theory.md#lemma-sf-box. Schedules are compared in doubles; the
best is enclosed by `box_enclosed` where the kernel has enclosures.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log, sqrt

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Grid
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Kernel
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.box_enclosed import (
    FINER,
    LEVELS,
    MAXIMUM_NODES,
    cell_counts,
    enclosed_box_ceiling,
    enclosed_box_maximum,
)
from bounds.regret.ingredients.schedules.increments import (
    ceiling_at,
    gaps_between,
    searched_schedules,
)
from bounds.regret.maximum.slepian import expected_maximum
from bounds.smooth.order import renewed

MOST_NODES = 1_000
"""Nodes at which quotients are formed, all pairs of them after every look."""

_SEARCHED = 64  # points of the grid on which schedules are ranked
_KEPT = 4  # of them, that are tried on the box
_QUICK = 400  # nodes at which they are compared
_MOST_WORK = 100_000_000  # pairs of nodes times looks, some seconds
MOST_ROUNDS = 1_500
"""Rounds up to which it is searched without being asked for."""


@dataclass(frozen=True, eq=False)
class BoxCeiling:
    """E R_n ≤ value·m* ≤ value·maximum, m* the mean of the largest value on the box.

    Attributes
    ----------
    value : n − Σ √(1−p_k)·w_k, at most n
    maximum : m* of the box is at most this
    rounds : (m,) those that look, counted from 0
    places : (m, d) where they look
    rule : the schedule in words
    uncertified : empty where value and maximum are enclosed and rounded up; else what is not
    """

    value: float
    maximum: float
    rounds: tuple[int, ...]
    places: FloatArray
    rule: str
    uncertified: str

    @property
    def certified(self) -> bool:
        """Whether value and maximum are."""
        return not self.uncertified

    @property
    def regret(self) -> float:
        """value·maximum, rounded up."""
        return float(np.nextafter(self.value * self.maximum, np.inf))

    def to_dict(self) -> dict[str, object]:
        """As it stands in JSON."""
        return {
            "value": self.value,
            "maximum": self.maximum,
            "points": np.unique(self.places, axis=0).tolist(),
            "rounds": list(self.rounds),
            "rule": self.rule,
            "certified": self.certified,
        }


def require_box(problem: Problem) -> Grid:
    """The grid of the problem, whose box counts here; InvalidInput where the bound has none."""
    if not isinstance(problem.domain, Grid):
        raise InvalidInput("domain", problem.domain.title, "give a grid, for its box")
    variance = problem.space_kernel.curvature_variance
    if variance is None or not isfinite(variance):
        name = problem.space_kernel.title
        raise InvalidInput("kernel", name, "give one whose paths have two derivatives: se, ν > 2")
    if not problem.time_kernel.is_markov:
        raise InvalidInput("time-kernel", problem.time_kernel.name, "use forgetting or exponential")
    return problem.domain


def affordable_box_ceiling(problem: Problem) -> BoxCeiling | None:
    """`least_box_ceiling` of a problem that has one and at most `MOST_ROUNDS` rounds."""
    try:
        require_box(problem)
    except InvalidInput:
        return None
    return least_box_ceiling(problem) if problem.n <= MOST_ROUNDS else None


def least_box_ceiling(problem: Problem) -> BoxCeiling:
    """The smallest ceiling on the box among schedules that are good on a coarse grid of it.

    Enclosed and rounded up for the squared exponential and Matérn kernels of half-integer ν; else
    in doubles, and says so. Raises InvalidInput for what `require_box` refuses. Some seconds.

    >>> from bounds.times import EvaluationTimes
    >>> times = EvaluationTimes.from_durations([1.0] * 200)
    >>> ceiling = least_box_ceiling(Problem(times, epsilon=1e-5, domain=Grid(1, 1.0, 12)))
    >>> ceiling.value < 70, ceiling.maximum < 1.3, ceiling.certified
    (True, True, True)
    """
    sides = require_box(problem).sides
    counts = cell_counts(sides, _SEARCHED)
    if max(counts) < 2:
        return _ceiling_of(problem)
    coarse = Problem(
        problem.times,
        time_kernel=problem.time_kernel,
        space_kernel=problem.space_kernel,
        noise_variance=problem.noise_variance,
        domain=Grid(len(sides), sides, counts),
    )
    ranked = sorted(
        (ceiling_at(coarse, schedule).value, number, schedule, rule)
        for number, (schedule, rule) in enumerate(searched_schedules(coarse))
        if len(schedule.rounds) < problem.n
    )
    points = coarse.domain.points
    tried = [
        (box_ceiling_at(problem, schedule.rounds, points[list(schedule.points)], _QUICK), number)
        for number, (_, _, schedule, _) in enumerate(ranked[:_KEPT])
    ]
    if not tried:
        return _ceiling_of(problem)
    _, number = min(tried)
    _, _, schedule, rule = ranked[number]
    ceiling = _ceiling_of(problem, schedule.rounds, points[list(schedule.points)], rule)
    return ceiling if ceiling.value < problem.n else _ceiling_of(problem)


def _ceiling_of(
    problem: Problem,
    rounds: tuple[int, ...] = (),
    places: FloatArray | None = None,
    rule: str = "no look",
) -> BoxCeiling:
    """Of one schedule, enclosed; in doubles where something has no enclosure."""
    sides, kernel = require_box(problem).sides, problem.space_kernel
    if places is None:
        places = np.empty((0, len(sides)))
    nodes = min(MOST_NODES, int(sqrt(2 * _MOST_WORK / max(1, len(rounds)))))
    uncertified = ""
    try:
        value: float = enclosed_box_ceiling(problem, rounds, places, nodes)
        maximum: float = enclosed_box_maximum(sides, kernel)
    except NoEnclosure as failure:
        uncertified = f"{failure.field} = {failure.value}"
        maximum = box_maximum(sides, kernel)
        value = box_ceiling_at(problem, rounds, places, nodes)
    return BoxCeiling(value, maximum, rounds, places, rule, uncertified)


def box_ceiling_at(
    problem: Problem, rounds: tuple[int, ...], places: FloatArray, nodes: int = MOST_NODES
) -> float:
    """n − Σ √(1−p_k)·w_k with p_k bounded over the box. O(nodes²) a look.

    Parameters
    ----------
    problem : its domain a grid, whose box counts and whose points do not
    rounds : (m,) that look, counted from 0, increasing
    places : (m, d) in the box
    nodes : at most so many; the more, the smaller is what lies between them
    """
    sides, kernel, noise = require_box(problem).sides, problem.space_kernel, problem.noise_variance
    places = np.asarray(places, dtype=float).reshape(len(rounds), len(sides))
    if np.any(places < 0.0) or np.any(places > np.array(sides)):
        raise InvalidInput("places", places.tolist(), f"give points of the box with sides {sides}")
    kept, weights = gaps_between(np.sqrt(1.0 - renewed(problem)), rounds, 1.0, 0.0)
    cells = _Cells(sides, kernel, nodes)
    looked_at, own = np.unique(places, axis=0, return_inverse=True)
    fresh = cells.covariances(looked_at)
    columns, lost = fresh, float(problem.n)
    variances, slopes = cells.priors
    for z, stay, weight in zip(own.ravel(), kept, weights, strict=True):
        columns = stay * columns + (1.0 - stay) * fresh
        column, at = columns[z], cells.rows(looked_at)
        spread = column[at[z]] + noise
        moved, tilted = cells.parts(column)
        variances = stay * variances + (1.0 - stay) * cells.priors[0] - moved**2 / spread
        slopes = stay * slopes + (1.0 - stay) * cells.priors[1]
        slopes = slopes - tilted[:, :, None] * tilted[:, None, :] / spread
        columns = columns - columns[:, at[z]][:, None] * column[None, :] / spread
        lost -= float(weight) * sqrt(max(0.0, 1.0 - cells.largest(variances, slopes)))
    return lost


def box_maximum(sides: tuple[float, ...], kernel: Kernel) -> float:
    """An upper bound on E max over the box: that of cells' middles, and chaining within cells.

    Each halving of the cells adds a maximum of normals of deviation √(Var ∂f)·(a quarter of the
    diagonal), of which there are 2^d times as many. In doubles.

    >>> from bounds.kernels import SquaredExponential
    >>> 1.12 < box_maximum((1.0,), SquaredExponential(0.2)) < 1.25
    True
    """
    variance = kernel.derivative_variance
    if variance is None or not isfinite(variance):
        raise InvalidInput("kernel", kernel.name, "paths with a derivative are needed")
    counts = cell_counts(sides, MAXIMUM_NODES)
    steps = tuple(side / count for side, count in zip(sides, counts, strict=True))
    inner = tuple(
        side - step if count > 1 else side
        for side, step, count in zip(sides, steps, counts, strict=True)
    )
    middles = Grid(len(sides), inner, counts)
    diagonal, within = sqrt(sum(step * step for step in steps)), 0.0
    for k in range(1, LEVELS):
        many = log(middles.size) + k * len(sides) * log(2.0)
        within += diagonal * 2.0 ** (-k - 1) * sqrt(2.0 * many)
    # Beyond, √k ≤ k and a geometric sum: nothing beside the rest.
    rest = diagonal * 2.0 ** (1 - LEVELS) * (log(middles.size) + LEVELS * len(sides))
    return float(expected_maximum(middles, kernel).upper + sqrt(variance) * (within + rest))


class _Cells:
    """The middles of equal cells of a box, and bounds on quotients from what is left there."""

    def __init__(self, sides: tuple[float, ...], kernel: Kernel, most: int) -> None:
        self._nodes, self._radius = _middles(sides, most)
        self._fine, radius = _middles(sides, FINER * most)
        self._kernel, self._dimension = kernel, len(sides)
        slope, curvature = kernel.derivative_variance, kernel.curvature_variance
        assert slope is not None
        assert curvature is not None
        self._change = radius * sqrt(curvature)
        self._first, self._second = np.triu_indices(len(self._nodes), 1)
        apart = np.linalg.norm(self._nodes[self._first] - self._nodes[self._second], axis=1)
        self.priors = (
            self._squared(apart),
            slope * np.tile(np.eye(self._dimension), (len(self._fine), 1, 1)),
        )
        # Nearest and furthest points of two cells, and two points of one.
        with np.errstate(divide="ignore"):
            nearest = self._squared(np.maximum(apart - 2.0 * self._radius, 0.0))
            self._far = 1.0 / nearest
        furthest = np.append(apart, 0.0) + 2.0 * self._radius
        self._near = furthest**2 / self._squared(furthest)

    def covariances(self, places: FloatArray) -> FloatArray:
        """(r, N + N'd + r) prior covariances of f at the places with f, fine ∇f, and f there."""
        apart = self._fine[None, :, :] - places[:, None, :]
        over = self._kernel.derivative_over_distance(np.linalg.norm(apart, axis=2))
        steep = (over[:, :, None] * apart).reshape(len(places), self._fine.size)
        values = self._kernel.gram(places, self._nodes)
        return np.concatenate([values, steep, self._kernel.gram(places)], axis=1)

    def rows(self, places: FloatArray) -> IntArray:
        """Where f at the places stands in a row of `covariances`."""
        return len(self._nodes) + self._fine.size + np.arange(len(places))

    def parts(self, column: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of one row the differences of all pairs of nodes, and the gradients (N', d)."""
        values, steep, _ = np.split(column, np.cumsum([len(self._nodes), self._fine.size]))
        return values[self._first] - values[self._second], steep.reshape(self._fine.shape)

    def largest(self, variances: FloatArray, slopes: FloatArray) -> float:
        """A bound on the quotients of all pairs of points of the box, at most 1."""
        top = float(_largest_eigenvalues(slopes).max())
        slope = sqrt(max(top, 0.0)) + self._change
        near = slope * slope * self._near
        apart = np.sqrt(np.maximum(variances, 0.0)) + 2.0 * self._radius * slope
        far = apart * apart * self._far
        return min(1.0, max(float(near[-1]), float(np.minimum(near[:-1], far).max(initial=0.0))))

    def _squared(self, distance: FloatArray) -> FloatArray:
        """d_K² at these distances, 2(1 − k)."""
        return np.asarray(2.0 * self._kernel.complement(distance))


def _largest_eigenvalues(matrices: FloatArray) -> FloatArray:
    """(N,) of symmetric (N, d, d); by hand up to d = 2, where it is asked for often."""
    if matrices.shape[1] == 1:
        return matrices[:, 0, 0]
    if matrices.shape[1] == 2:
        a, b, c = matrices[:, 0, 0], matrices[:, 0, 1], matrices[:, 1, 1]
        return np.asarray(0.5 * (a + c) + np.hypot(0.5 * (a - c), b))
    return np.asarray(np.linalg.eigvalsh(matrices)[:, -1])


def _middles(sides: tuple[float, ...], most: int) -> tuple[FloatArray, float]:
    """(N, d) the middles of equal cells, and half the diagonal of one."""
    counts = cell_counts(sides, most)
    steps = np.array(sides) / counts
    axes = [(np.arange(count) + 0.5) * h for count, h in zip(counts, steps, strict=True)]
    grids = np.meshgrid(*axes, indexing="ij")
    nodes = np.stack([grid.ravel() for grid in grids], axis=1)
    return nodes, 0.5 * float(np.linalg.norm(steps))
