"""The rechecks' grids, reflections and kernels, against `bounds` and their definitions."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bounds import enclosure
from bounds.domain import Grid, Points
from bounds.enclosure import matrices
from bounds.kernels import Forgetting, Independent, Matern, SquaredExponential, kernel_data
from proofs_check.recheck import grid as room
from proofs_check.recheck.grid import (
    domain_of,
    float_gram,
    float_kernel,
    forgets,
    kernel_value,
    time_gram,
)
from proofs_check.recheck.outcome import Refused

SPACE = SquaredExponential(0.4)


def problem_of(domain: Any, kernel: Any = SPACE) -> dict[str, Any]:
    given: dict[str, Any] = {"dimension": domain.dimension, "space_kernel": kernel_data(kernel)}
    if isinstance(domain, Points):
        return given | {"domain": {"type": "Points", "rows": domain.points.tolist()}}
    sides, counts = (
        list(one) if isinstance(one, tuple) else one
        for one in (domain.side, domain.points_per_axis)
    )
    return given | {
        "domain": {
            "type": "Grid",
            "dimension": domain.dimension,
            "side": sides,
            "points_per_axis": counts,
        }
    }


DOMAINS = [
    Grid(1, 2.0, 5),
    Grid(2, 1.0, 1),
    Grid(2, 1.5, 4),
    Grid(2, (1.0, 0.5), (3, 2)),
    Grid(3, 1.0, 2),
    Grid(4, 1.0, 2),
    Grid(4, (1.0, 1.0, 1.0, 2.0), (1, 2, 1, 3)),
    Points([[0.1, 0.2], [0.9, 0.3], [0.4, 0.8]]),
]


def floats(balls: Any) -> np.ndarray:
    return np.array([[float(enclosure.ball(b).mid()) for b in row] for row in balls])


@pytest.mark.parametrize("domain", DOMAINS, ids=repr)
def test_points_and_their_covariances_are_those_of_the_domain(domain: Any) -> None:
    found = domain_of(problem_of(domain))
    assert found.size == domain.size == len(found.points)
    np.testing.assert_allclose(found.points, domain.points, atol=1e-15)
    every = range(found.size)
    np.testing.assert_allclose(floats(found.gram(every, every)), SPACE.gram(domain.points))
    np.testing.assert_allclose(
        float_gram(kernel_data(SPACE), domain.points), SPACE.gram(domain.points)
    )
    for wrong in (-1, found.size, 0.5, "0"):
        with pytest.raises((ValueError, TypeError)):
            found.gram([wrong], [0])


@pytest.mark.parametrize("domain", DOMAINS, ids=repr)
def test_projections_are_parts_of_the_covariance_that_add_up(domain: Any) -> None:
    """By reflecting coordinates: of e the average of (−1)^{e·s} k(x, sy) over all s."""
    found = domain_of(problem_of(domain))
    axes = 0 if isinstance(domain, Points) else min(domain.dimension, 3)
    parities = list(itertools.product((0, 1), repeat=axes))
    points = [0, found.size - 1]
    factors = [[[1.0, 0.5], [0.0, 2.0]] for _ in parities]
    where = domain.points
    middle = 0.5 * (where.min(axis=0) + where.max(axis=0))

    def reflected(parity: Any, rows: Any, columns: Any) -> np.ndarray:
        total = np.zeros((len(rows), len(columns)))
        for flips in parities:
            image = where[columns].copy()
            for axis, flip in enumerate(flips):
                if flip:
                    image[:, axis] = 2 * middle[axis] - image[:, axis]
            total += (-1) ** int(np.dot(flips, parity)) * SPACE.gram(where[rows], image)
        return total / len(parities)

    R = np.array(factors[0])
    parts = found.projections(points, factors)
    assert len(parts) == len(parities)
    for parity, (rank, among, cross) in zip(parities, parts, strict=True):
        assert rank == 2
        for part, columns in ((among, points), (cross, found.orthant)):
            expected = R.T @ reflected(parity, points, columns)
            expected = expected @ R if part is among else expected
            np.testing.assert_allclose(floats(matrices.entries(part)), expected, atol=1e-14)
    # Every point is the image of one of the orthant, which holds as few as that takes.
    halves = [-(-q // 2) if a < axes else q for a, q in enumerate(found._shape)]
    assert len(found.orthant) == len(set(found.orthant)) == int(np.prod(halves))
    images = {found._place(i, flips) for i in found.orthant for flips in parities}
    assert len(images) == found.size
    empty = [[] for _ in parities]
    empty[-1] = factors[0]
    assert len(found.projections(points, empty)) == 1
    assert found.projections(points, [[[], []] for _ in parities]) == []
    with pytest.raises(ValueError, match="zip"):
        found.projections(points, [*factors, factors[0]])
    with pytest.raises(Refused, match="another shape"):
        found.projections([0, 0, 0], factors)


KERNELS = [
    SquaredExponential(0.7),
    Forgetting(0.3),
    Independent(),
    *(Matern(nu, 0.7) for nu in (0.5, 0.8, 1.5, 2.5, 40.0)),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_kernels_have_their_values(kernel: Any) -> None:
    data = kernel_data(kernel)
    distances = [Fraction(0), Fraction(1, 3), Fraction(2), Fraction(9)]
    expected = kernel.at_distance(np.array([float(r) for r in distances]))
    with enclosure.precision(128):
        found = [float(enclosure.ball(kernel_value(data, r)).mid()) for r in distances]
    assert found == pytest.approx(expected.tolist(), rel=1e-9)
    tiny = np.array([0.0, 1e-12, 1e-5, *map(float, distances)])
    assert float_kernel(data, tiny) == pytest.approx(kernel.at_distance(tiny), abs=1e-8)
    instants = [Fraction(1, 3), Fraction(2), Fraction(2), Fraction(7, 2)]
    lags = np.abs(np.subtract.outer([float(t) for t in instants], [float(t) for t in instants[:2]]))
    table = time_gram(data, instants, instants[:2])
    assert floats(table) == pytest.approx(kernel.at_distance(lags), rel=1e-9)
    assert table.shape == (4, 2)
    # What lies between two instants forgets where the kernel of their sum is a product.
    first, then, both = kernel.at_distance(np.array([0.4, 0.7, 1.1]))
    assert forgets(data) == (0.0 < both == pytest.approx(first * then, rel=1e-9))


@pytest.mark.parametrize("distance", [0.01, 0.3, 2.0])
def test_a_matern_kernel_whose_bessel_function_overflows(distance: float) -> None:
    """ν = 400 and a short distance: 1 − νr²/(2(ν−1)ℓ²) and most of what follows."""
    found = float_kernel({"type": "Matern", "nu": 400.0, "lengthscale": 2.0}, np.array([distance]))
    assert found[0] == pytest.approx(np.exp(-(distance**2) * 400 / 399 / 8), rel=2e-3)


def test_kernels_that_are_not_known_or_not_decided() -> None:
    for kernel in (kernel_value, lambda data, r: float_kernel(data, np.array([float(r)]))):
        with pytest.raises(Refused, match="a family that is not known here"):
            kernel({"type": "Oracle", "lengthscale": 1.0}, Fraction(1))
    near = enclosure.interval(Fraction(0), Fraction(1))
    low, high = enclosure.endpoints(kernel_value(kernel_data(Independent()), near))
    assert low <= 0 and high >= 1


def test_matrices_have_their_shape() -> None:
    found = room.exact_matrix([[0.5, 1.0], [0.1, -2.0]], 2)
    assert floats(matrices.entries(found)).tolist() == [[0.5, 1.0], [0.1, -2.0]]
    for rows, length in (([[1.0]], 2), ([[1.0], [1.0, 2.0]], 2), ([], 0)):
        with pytest.raises(Refused, match="another shape"):
            room.exact_matrix(rows, length)
    scaled = matrices.entries(room.scaled_identity(2, room.exact("3/2")))
    assert floats(scaled).tolist() == [[1.5, 0.0], [0.0, 1.5]]
    assert enclosure.to_fraction(room.exact(0.1)) == Fraction(0.1)
