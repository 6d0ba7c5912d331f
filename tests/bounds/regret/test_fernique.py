"""m* from above by comparison: exact for one correlation, above the truth elsewhere."""

from math import pi, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Arms, Grid, Points
from bounds.kernels import Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.maximum.fernique import axes_dominate
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.maximum.most_maximum import most_maximum
from bounds.regret.maximum.slepian import expected_maximum
from bounds.times import EvaluationTimes

KERNELS = [SquaredExponential(0.5), SquaredExponential(0.1), Matern(0.5, 0.4), Matern(2.5, 0.3)]


def problem_on(domain, kernel=KERNELS[0]) -> Problem:
    return Problem(EvaluationTimes.from_durations([1.0]), domain=domain, space_kernel=kernel)


def largest_of_normals(count: int) -> float:
    """E max of independent normals by the density of the largest, in 30 digits."""
    with mpmath.workdps(30):
        return float(
            mpmath.quad(
                lambda x: count * x * mpmath.npdf(x) * mpmath.ncdf(x) ** (count - 1),
                [-12, -4, -1, 0, 1, 2, 4, 6, 12],
            )
        )


def drawn_maximum(domain, kernel: Kernel, draws: int = 40_000) -> tuple[float, float]:
    """The mean of simulated maxima, and its standard error."""
    gram = kernel.gram(domain.points) + 1e-10 * np.eye(domain.size)
    normals = np.random.default_rng(3).standard_normal((draws, domain.size))
    found = (normals @ np.linalg.cholesky(gram).T).max(axis=1)
    return float(found.mean()), float(found.std() / sqrt(draws))


@pytest.mark.parametrize("count", [2, 3, 5, 40, 300])
def test_m_star_of_independent_arms_is_enclosed_closely(count) -> None:
    truth = largest_of_normals(count)
    above = most_maximum(Arms(count), SquaredExponential(0.2))
    below = least_maximum(problem_on(Arms(count)))
    assert below.certified
    assert truth * (1 - 2e-9) <= below.value <= truth <= above.value <= truth * (1 + 1e-9)
    bracket = expected_maximum(Arms(count), SquaredExponential(0.2))
    assert bracket.lower <= bracket.upper <= truth * (1 + 1e-8)


def test_m_star_of_equicorrelated_points_is_enclosed_closely() -> None:
    # The corners of a simplex: all distances are √2.
    corners = Points(np.eye(6))
    kernel = SquaredExponential(1.5)
    truth = sqrt(1 - float(kernel.at_distance(sqrt(2.0)))) * largest_of_normals(6)
    above = most_maximum(corners, kernel)
    assert above.family == "independent"
    assert least_maximum(problem_on(corners, kernel)).value <= truth * (1 + 1e-14)
    assert truth * (1 - 1e-14) <= above.value <= truth * (1 + 1e-9)
    assert least_maximum(problem_on(corners, kernel)).value >= truth * (1 - 2e-9)


def test_three_by_three_points_are_compared_with_sums_of_their_axes() -> None:
    grid, kernel = Grid(2, 1.0, 3), SquaredExponential(0.5)
    found = most_maximum(grid, kernel)
    mean, error = drawn_maximum(grid, kernel, 400_000)
    assert mean == pytest.approx(1.171, abs=6 * error)
    near, far = (sqrt(2 * (1 - float(kernel.at_distance(r)))) for r in (0.5, 1.0))
    # Twice what the largest of three normals is worth.
    assert found.value == pytest.approx(2 * (2 * near + far) / (2 * sqrt(2 * pi)), rel=1e-9)
    assert (found.family, round(found.value, 4)) == ("axes", 1.2324)


@settings(max_examples=12, deadline=None)
@given(
    kernel=st.sampled_from(KERNELS),
    shape=st.sampled_from([(2, 2), (3, 2), (4, 4), (2, 2, 3), (7,)]),
    sides=st.lists(st.floats(0.1, 3.0), min_size=3, max_size=3),
)
@example(Matern(0.5, 0.4), (2, 2), [1.0, 1.0, 1.0])
def test_no_bound_on_a_grid_is_below_what_is_simulated(kernel, shape, sides) -> None:
    grid = Grid(len(shape), tuple(sides[: len(shape)]), shape)
    mean, error = drawn_maximum(grid, kernel)
    assert most_maximum(grid, kernel).value >= mean - 6 * error
    assert expected_maximum(grid, kernel).upper >= mean - 6 * error


@settings(max_examples=40, deadline=None)
@given(
    points=st.lists(
        st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)), min_size=3, max_size=3, unique=True
    ),
    kernel=st.sampled_from(KERNELS),
)
def test_of_three_points_it_is_above_the_closed_form(points, kernel) -> None:
    domain = Points(points)
    gram = kernel.gram(domain.points)
    truth = sum(sqrt(max(2 * (1 - gram[i, j]), 0)) for i in range(3) for j in range(i)) / (
        2 * sqrt(2 * pi)
    )
    assert most_maximum(domain, kernel).value >= truth * (1 - 1e-9)


class Hole(Kernel):
    """(1 − r²)e^{−r²/2} on a line, and what makes it fail in the plane: increments above 1."""

    name, formula = "hole", "(1 - r^2) exp(-r^2/2)"

    def at_distance(self, distance):
        square = np.square(distance)
        return (1.0 - square) * np.exp(-0.5 * square)


def test_where_the_sum_of_the_axes_is_not_above_it_is_not_taken() -> None:
    # At the lag (1, 1) the increment is 1 + e⁻¹ > 1; along an axis it is 1: 2 are enough.
    assert axes_dominate(Grid(2, 1.0, 2), Hole(), enclosed=False)
    # At (√3, √3) 1 + 5e⁻³ is at most twice 1 + 2e^(−3/2), but at (2, 2) of small axes it is not.
    flat = Grid(2, 4.0, 2)

    class Rises(Hole):
        def at_distance(self, distance):
            return np.where(np.asarray(distance) > 5.0, -0.9, np.where(distance, 0.9, 1.0))

    assert not axes_dominate(flat, Rises(), enclosed=False)
