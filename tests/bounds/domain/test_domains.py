"""Domains: what each says of its points against the points themselves, and bad ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Arms, Grid, Points, domain_data, domain_from_data
from bounds.enclosure import matrices
from bounds.encoding import read_spelling, spelled
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Independent, Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret_itself.expected_maximum.maximum import least_maximum
from bounds.regret_itself.expected_maximum.slepian import expected_maximum
from bounds.static_gain.designs import space_gain_lower
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from simulation.model.covariance import GridCovariance
from tests.oracles import log_det_gain

SCATTERED = Points(np.random.default_rng(3).random((7, 2)))
DOMAINS = [
    Grid(2, 1.3, 4), Grid(2, (1.0, 2.0), (3, 4)), Grid(3, (1.0, 0.5, 2.0), (2, 1, 3)), SCATTERED,
    Points([0.0, 0.2, 5.0]), Points([[1.0, 2.0]]), Arms(5), Arms(1),
]  # fmt: skip
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
    assert finite.parity_variances().sum(axis=0) == pytest.approx(np.ones(len(finite.orthant)))
    assert len(finite.reflections) == domain.symmetries
    assert finite.orbit_sizes.sum() == domain.size


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
    assert index.tolist() == list(range(size)) and not np.any(off)
    assert not np.any(domain.outside(points))
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
    gram, noise, n = dense(domain), 0.1, 3
    best = max(
        log_det_gain(gram[np.ix_(chosen, chosen)], noise)
        for chosen in itertools.combinations_with_replacement(range(domain.size), n)
    )
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


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Points([]), "at least one"),
        (lambda: Points([[1.0, 2.0], [3.0]]), "row 2"),
        (lambda: Points([[1.0], [float("nan")]]), "finite"),
        (lambda: Points([1.0, 2.0, 1.0]), "row 1 is the same"),
        (lambda: Points("points.csv"), "rows of numbers"),
        (lambda: Points(np.arange(5001.0)), "at most 5000"),
        (lambda: Arms(0), "from 1"),
        (lambda: Grid(2, (1.0,), 3), "one for each axis"),
        (lambda: Grid(2, 1.0, (3, 0)), "at least 1"),
        (lambda: Grid(2, 1.0, (300, 300)), "at most 20000"),
        (lambda: Grid(2, (1.0, 2.0), 3).cube(), "same side"),
        (lambda: Points([1.0]).box_side(), "only a grid"),
        (lambda: domain_from_data({"type": "Ball", "radius": 1.0}), "Points and Arms|Arms"),
        (lambda: domain_from_data({"type": "Arms", "count": 2.5}), "number belongs"),
    ],
)
def test_bad_domains_are_named(make, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        make()
