"""Domains: what each says of its points against the points themselves, and bad ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

from bounds.domain import Arms, Grid, Points, domain_data, domain_from_data
from bounds.enclosure import matrices
from bounds.encoding import read_spelling, spelled
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Independent, Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.maximum.slepian import expected_maximum
from bounds.static_gain.designs import space_gain_lower
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from simulation.model.covariance import GridCovariance
from tests.oracles import largest_gain

SCATTERED = Points(np.random.default_rng(3).random((7, 2)))
DOMAINS = [
    Grid(2, 1.3, 4),
    Grid(2, (1.0, 2.0), (3, 4)),
    Grid(3, (1.0, 0.5, 2.0), (2, 1, 3)),
    Grid(4, 1.3, 2),
    Grid(1, 1.3, 6),
    Grid(2, 1.3, 1),
    SCATTERED,
    Points([0.0, 0.2, 5.0]),
    Points([[1.0, 2.0]]),
    Arms(5),
    Arms(1),
]
KERNEL = Matern(2.5, 0.4)


def dense(domain, kernel: Kernel = KERNEL):
    return domain.space_kernel(kernel).gram(domain.points)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda d: d.title)
def test_a_kernel_on_a_domain_is_its_gram_matrix(domain) -> None:
    finite, every = domain.restricted(KERNEL), np.arange(domain.size)
    assert finite.size == domain.size == len(domain.points)
    assert domain.points.shape[1] == domain.dimension
    assert finite.gram(every, every) == pytest.approx(dense(domain), abs=1e-13)
    assert np.stack([finite.column(i) for i in every]) == pytest.approx(dense(domain), abs=1e-13)
    table, left, right = finite.lag_table()
    assert table[left[:, None] + right[None, :]] == pytest.approx(dense(domain), abs=1e-13)
    balls = finite.enclosed_gram(every, every)
    assert matrices.upward_array(balls) == pytest.approx(dense(domain), abs=1e-14)
    parts = finite.parity_grams(every, every)
    assert parts.sum(axis=0) == pytest.approx(dense(domain), abs=1e-13)
    diagonals = np.array([np.diag(part)[finite.orthant] for part in parts])
    assert finite.parity_variances() == pytest.approx(diagonals, abs=1e-13)
    assert finite.orbit_sizes.sum() == domain.size


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda d: d.title)
def test_parities_are_kernels_that_do_not_mix(domain) -> None:
    finite, every = domain.restricted(KERNEL), np.arange(domain.size)
    parts = finite.parity_grams(every, every)
    axes = 0 if isinstance(domain, Points) else min(domain.dimension, 3)
    assert len(finite.reflections) == len(finite.characters) == len(parts) == 2**axes
    for part, other in itertools.combinations(parts, 2):
        assert np.abs(part @ other).max() < 1e-12
    assert min(np.linalg.eigvalsh(part).min() for part in parts) > -1e-12
    assert set(finite.reflections[:, finite.orthant].ravel()) == set(range(domain.size))
    assert np.array_equal(finite.reflections[0], every)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda d: d.title)
def test_what_a_domain_says_of_its_points(domain) -> None:
    points, size = domain.points, domain.size
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    assert apart.max() <= 2.0 * domain.enclosing_radius * (1 + 1e-12)
    for m, gap in domain.separated():  # some m points are that far apart: seen by trying them all
        if size <= 7:
            found = max(
                min(apart[a, b] for a, b in itertools.combinations(chosen, 2))
                for chosen in itertools.combinations(range(size), m)
            )
            assert gap <= found + 1e-12
    links = domain.links()
    if size == 1:
        assert len(links) == 0
    else:  # the graph of pairs no longer than the longest link joins all points
        near = (apart <= links.max() * (1 + 1e-12)).astype(float)
        assert np.all(np.linalg.matrix_power(near, size) > 0)
    assert sorted(np.argsort(domain.coarse_to_fine(), kind="stable")) == list(range(size))
    spread = domain.spread(3)
    assert 1 <= len(spread) <= max(3, 1) and np.all(np.diff(spread) > 0)
    index, off = domain.located(points)
    assert index.tolist() == list(range(size)) and index.dtype == np.int64
    for said in (off, domain.outside(points)):
        assert said.dtype == bool and said.tolist() == [False] * size
    assert 0 in domain.restricted(KERNEL).neighbours(0)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda d: d.title)
def test_plain_data_and_back(domain) -> None:
    data = domain_data(domain)
    assert domain_from_data(data) == domain
    assert domain_from_data(read_spelling(spelled(data))) == domain


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda d: d.title)
def test_gains_bracket_the_best_design_of_all(domain) -> None:
    if domain.size > 7:
        return
    noise, n = 0.1, 3
    best = largest_gain(dense(domain), noise, n)
    assert space_gain_upper(KERNEL, domain, noise, n).values[n] >= best * (1 - 1e-12)
    lower = float(space_gain_lower(KERNEL, domain, noise, n).values[n])
    assert 0.95 * best <= lower <= best * (1 + 1e-9)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda d: d.title)
def test_paths_have_the_covariance_of_the_domain(domain) -> None:
    for kernel in (KERNEL, SquaredExponential(0.4)):
        factor = GridCovariance(kernel, domain).factor()
        root = factor.apply(np.eye(factor.rank))
        assert root.T @ root == pytest.approx(dense(domain, kernel), abs=1e-6)


@pytest.mark.parametrize("domain", [SCATTERED, Arms(5), Grid(2, (1.0, 2.0), (3, 4))], ids=str)
def test_the_maximum_is_bracketed(domain) -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0]), domain=domain, space_kernel=KERNEL)
    values, vectors = np.linalg.eigh(dense(domain))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    draws = (root @ np.random.default_rng(0).standard_normal((domain.size, 40_000))).max(axis=0)
    truth, error = float(draws.mean()), 5.0 * float(draws.std()) / 200.0
    found = expected_maximum(domain, KERNEL)
    assert found.lower <= truth + error and found.upper >= truth - error
    assert least_maximum(problem).value <= truth + error


@settings(max_examples=25, deadline=None)
@example(rows=[(0.0, 0.0), (0.0, 4.5156517675579984e-179)])  # whose square is no double
@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=9, unique=True))
def test_any_different_points_are_a_domain(rows) -> None:
    if len({(x + 0.0, y + 0.0) for x, y in rows}) < len(rows):
        return
    domain = Points(rows)
    every = np.arange(domain.size)
    assert np.allclose(domain.restricted(KERNEL).gram(every, every), KERNEL.gram(np.array(rows)))
    assert domain.located(np.array(rows))[0].tolist() == every.tolist()


def test_arms_make_any_kernel_independent() -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0]), domain=Arms(3))
    assert problem.space_kernel == Independent()


def test_a_kernel_without_an_enclosure_has_none_on_a_domain() -> None:
    class Triangle(Kernel):
        name = "triangle"

        def at_distance(self, distance):
            return np.maximum(1.0 - np.asarray(distance, dtype=float), 0.0)

    for domain in (Grid(1, 1.0, 3), Points([0.0, 0.5])):
        with pytest.raises(NoEnclosure):
            domain.restricted(Triangle()).enclosed_gram(np.arange(2), np.arange(2))


STORED = "give the type of a domain, Grid, Points or Arms, and what it is made from"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Points([]), "points = none: give at least one point"),
        (lambda: Points([[1.0, 2.0], [3.0]]), "row 2 of points = 1 numbers: give 2 as in row 1"),
        (lambda: Points([[], [3.0]]), "row 1 of points = 0 numbers: give 1 as in row 1"),
        (lambda: Points([[1.0], [float("nan")]]), "row 2 of points = nan: give finite numbers"),
        (lambda: Points([[0.0, -1.1e50]]), "row 1 of points = 0, -1.1e+50: give finite numbers"),
        (lambda: Points([1.0, -0.0, 0.0]), "row 3 of points = 0: drop it: row 2 is the same point"),
        (lambda: Points("points.csv"), "points = points.csv: give rows of numbers"),
        (lambda: Points(np.arange(10001.0)), "points = 10001 points: give at most 10000"),
        (lambda: Arms(0), "arms = 0: give a whole number from 1 to 5000"),
        (lambda: Arms(5001), "arms = 5001: give a whole number from 1 to 5000"),
        (lambda: Arms(True), "arms = True: give a whole number from 1 to 5000"),
        (lambda: Grid(1, 1.0, 2.5), "grid = 2.5: give a whole number of at least 1"),
        (lambda: Grid(2.5), "dimension = 2.5: give a whole number from 1 to 64"),
        (lambda: Grid(0), "dimension = 0: give a whole number from 1 to 64"),
        (lambda: Grid(65, 1.0, 1), "dimension = 65: give a whole number from 1 to 64"),
        (lambda: Grid(2, (1.0,), 3), "side = (1.0,): give one number, or 2: one for each axis"),
        (lambda: Grid(2, 1.0, (3,)), "grid = (3,): give one number, or 2: one for each axis"),
        (lambda: Grid(2, (1.0, 0.0), 3), "side = 0.0: give a positive finite number"),
        (lambda: Grid(2, 1.0, (3, 0)), "grid = 0: give a whole number of at least 1"),
        (
            lambda: Grid(2, 1.0, 142),
            "grid = 142^2 points: use at most 20,000 points: lower --grid or --dimension",
        ),
        (
            lambda: Grid(2, 1.0, (2, 10_001)),
            "grid = 2x10001 points: use at most 20,000 points: lower --grid or --dimension",
        ),
        (
            lambda: Grid(2, (1.0, 2.0), 3).cube(),
            "grid = 3x3 grid of sides 1, 2: needs the same side and points on each axis",
        ),
        (
            lambda: Points([1.0]).cube(),
            "domain = 1 point in 1 dimension: give a grid with the same side on each axis",
        ),
        (
            lambda: Points([1.0]).box_side(),
            "domain = 1 point in 1 dimension: only a grid has a box around it",
        ),
        (lambda: domain_data(None), "domain = NoneType: a Grid, Points and Arms can be stored"),
        (lambda: domain_from_data({"type": "Ball"}), f"domain = {{'type': 'Ball'}}: {STORED}"),
        (
            lambda: domain_from_data({"type": "Arms", "rows": 1}),
            f"domain = {{'type': 'Arms', 'rows': 1}}: {STORED}",
        ),
        (lambda: domain_from_data({"count": 1}), f"domain = {{'count': 1}}: {STORED}"),
        (
            lambda: domain_from_data({"type": "Arms", "count": 2.5}),
            "arms = 2.5: give a whole number from 1 to 5000",
        ),
        (
            lambda: domain_from_data({"type": "Arms", "count": 0}),
            "arms = 0: give a whole number from 1 to 5000",
        ),
    ],
)
def test_bad_domains_are_named(make, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert str(caught.value) == said


def test_a_side_that_is_a_word_is_no_number() -> None:
    with pytest.raises(InvalidInput, match="something else where a number belongs"):
        domain_from_data({**domain_data(Grid()), "side": "x"})


def test_the_largest_domains_are_accepted() -> None:
    assert Grid(64, 1.0, 1).dimension == 64
    assert Grid(1, 1.0, 20_000).size == Grid(2, 1.0, (2, 10_000)).size == 20_000
    assert Arms(5000).size == 5000
    assert len(Points(np.r_[-1e50, 1e50, np.arange(9998.0)]).rows) == 10_000


@pytest.mark.parametrize("extent", [1e-6, 1.0, 1e3])
def test_a_point_may_miss_by_a_billionth(extent: float) -> None:
    """Of the extent of points, and of the step of a grid: 1 and −1e-9 miss 0 by so much."""
    points, grid = Points([0.0, extent, 0.25 * extent]), Grid(1, 3.0 * extent, 4)
    asked = np.array([[-1e-9], [0.25 + 1.5e-9], [1.0 - 0.5e-9]]) * extent
    index, off = points.located(asked)
    assert (index.tolist(), off.tolist()) == ([0, 2, 1], [False, True, False])
    asked = np.array([[-1e-9], [1.0 + 1.5e-9], [2.0 - 0.5e-9], [2.6], [-7.0], [9.0]]) * extent
    index, off = grid.located(asked)
    assert index.tolist() == [0, 1, 2, 3, 0, 3] and index.dtype == np.int64
    assert off.tolist() == [False, True, False, True, True, True]
    single, one = Grid(1, 2.0 * extent, 1), Points([[extent]])
    for domain, scale in ((single, 2.0 * extent), (one, 1.0)):
        asked = domain.points + scale * np.array([[0.9e-9], [1.1e-9]])
        assert domain.located(asked)[1].tolist() == [False, True]


def test_what_is_outside() -> None:
    grid = Grid(2, (1.0, 2.0), 3)
    asked = np.array([[0.0, 0.0], [1.0, 2.0], [0.5, -1e-9], [1.001, 1.0], [-1.0, 3.0]])
    assert grid.outside(asked).tolist() == [False, False, True, True, True]
    assert grid.where == "stay inside the domain [0, 1] x [0, 2]"
    assert Grid(2, 1.5, (2, 3)).where == "stay inside the domain [0, 1.5]^d"
    asked = np.array([[0.0], [0.5], [2.0], [3.0]])
    assert Arms(3).outside(asked).tolist() == [False, True, False, True]
    assert Arms(3).where == "give the number of an arm, 0 to 2" and SCATTERED.where == ""


def test_points_far_apart_come_first() -> None:
    many = Points(np.random.default_rng(5).random((200, 2)))
    sizes = [m for m, _ in many.separated()]
    assert sizes == sorted({int(199 ** (i / 59) + 1e-9) + 1 for i in range(60)})
    order = np.argsort(many.coarse_to_fine())
    for count in (-1, 0, 1, 7, 200, 999):
        assert many.spread(count).tolist() == sorted(order[: max(1, count)])
    middle = 0.5 * (many.points.max(axis=0) + many.points.min(axis=0))
    assert order[0] == np.argmin(np.linalg.norm(many.points - middle, axis=1))
    tree = minimum_spanning_tree(np.linalg.norm(many.points[:, None] - many.points, axis=2))
    np.testing.assert_allclose(many.links(), np.unique(tree.data), rtol=1e-12)
    assert Grid(1, 1.0, 7).spread(1).tolist() == [3] and Grid(2, 1.0, 5).spread(1).tolist() == [12]
    assert str(Points([-0.0, 1.0]).rows) == "((0.0,), (1.0,))"
    # A grid: the largest least step among so many coordinates per axis, and the steps of its axes.
    assert list(Grid(2, 1.0, 5).separated()) == [(4, 1.0), (9, 0.5), (16, 0.25), (25, 0.25)]
    assert Grid(3, (1.0, 3.0, 5.0), (3, 4, 1)).links().tolist() == [0.5, 1.0]


def test_neighbours_are_the_nearest_points() -> None:
    points = Points(np.random.default_rng(6).random((40, 2)))
    apart = np.linalg.norm(points.points - points.points[7], axis=1)
    near = points.restricted(KERNEL).neighbours(7)
    assert near.tolist() == np.argsort(apart)[:25].tolist()
    assert sorted(SCATTERED.restricted(KERNEL).neighbours(2)) == list(range(7))
    for grid, index in (
        (Grid(2, 1.0, 7), 24),
        (Grid(2, (1.0, 3.0), (4, 9)), 0),
        (Grid(1, 1.0, 9), 7),
    ):
        finite = grid.restricted(KERNEL)
        away = np.abs(finite.coordinates - finite.coordinates[index]).max(axis=1)
        assert finite.neighbours(index).tolist() == np.flatnonzero(away <= 2).tolist()
