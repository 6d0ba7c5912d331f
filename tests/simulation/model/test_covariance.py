import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.domain import Grid
from bounds.errors import NumericalFailure
from bounds.kernels import Matern, SquaredExponential
from simulation.model.covariance import (
    DenseFactor,
    GridCovariance,
    KroneckerFactor,
    ReflectionFactor,
    spectral_root,
    symmetric_root,
)

DRAWN = [-0.8027773930691466, 0.3445033073101317, 0.3058178226720001]
"""At three points of the default grid, from the normals of seed 0."""
GRIDS = [Grid(1, 2.0, 9), Grid(2, 1.0, 1), Grid(2, 1.0, 6), Grid(2, 0.7, 7), Grid(3, 1.0, 4)]
KERNELS = [
    SquaredExponential(0.2),
    SquaredExponential(5.0),
    Matern(0.5, 0.3),
    Matern(2.5, 0.2),
    Matern(1.2, 0.4),
    Matern(40.0, 3.0),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("grid", GRIDS, ids=repr)
def test_rows_blocks_and_factors_are_those_of_the_gram_matrix(kernel, grid):
    covariance = GridCovariance(kernel, grid)
    gram = kernel.gram(grid.points)
    rows = np.array([covariance.row(i) for i in range(grid.size)])
    np.testing.assert_allclose(rows, gram, rtol=0, atol=1e-12)
    some = np.array([0, grid.size - 1, grid.size // 2, 0])
    np.testing.assert_allclose(covariance.block(some), gram[np.ix_(some, some)], rtol=0, atol=1e-12)
    factor = covariance.factor()
    root = factor.apply(np.eye(factor.rank)).T
    assert root.shape == (grid.size, factor.rank)
    np.testing.assert_allclose(root @ root.T, gram, rtol=0, atol=2e-12)


def test_structure_is_used():
    grid = Grid(2, 1.0, 20)
    assert isinstance(GridCovariance(SquaredExponential(0.2), grid).factor(), KroneckerFactor)
    factor = GridCovariance(Matern(2.5, 0.2), grid).factor()
    assert isinstance(factor, ReflectionFactor)
    assert [block.shape for block in factor.blocks] == [(100, 100)] * 4


def test_a_singular_gram_matrix_takes_fewer_columns():
    factor = GridCovariance(Matern(40.0, 3.0), Grid(2, 1.0, 6)).factor()
    assert isinstance(factor, ReflectionFactor)
    assert sum(block.shape[1] for block in factor.blocks) < factor.rank == 36


def test_several_draws_are_those_of_each_alone():
    factor = GridCovariance(Matern(2.5, 0.2), Grid(2, 1.0, 5)).factor()
    normals = np.random.default_rng(3).standard_normal((4, factor.rank))
    together = factor.apply(normals)
    alone = np.concatenate([factor.apply(normals[i : i + 1]) for i in range(4)])
    np.testing.assert_allclose(together, alone, rtol=0, atol=1e-13)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("grid", GRIDS, ids=repr)
def test_whitening_undoes_a_draw(kernel, grid):
    factor = GridCovariance(kernel, grid).factor()
    values = factor.apply(np.random.default_rng(0).standard_normal((1, factor.rank)))
    white = factor.whiten(values[0])
    assert white.shape == (factor.rank,)
    np.testing.assert_allclose(factor.apply(white[None]), values, rtol=0, atol=1e-6)
    # The least such z: no longer than those that made the values.
    assert white @ white <= factor.rank * 10


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_any_covariance_has_a_root_and_its_inverse(kernel):
    """Points that are no grid, one of them twice."""
    points = np.random.default_rng(1).random((9, 2))[[0, 1, 2, 3, 4, 5, 6, 7, 8, 0]]
    gram = kernel.gram(points)
    factor = DenseFactor.of(gram)
    assert factor.root.shape[1] < factor.rank == 10
    root = factor.apply(np.eye(factor.rank)).T
    np.testing.assert_allclose(root @ root.T, gram, rtol=0, atol=2e-12)
    normals = np.random.default_rng(2).standard_normal(factor.rank)
    values = factor.apply(normals[None])[0]
    white = factor.whiten(values)
    assert white.shape == (factor.rank,)
    np.testing.assert_allclose(factor.apply(white[None])[0], values, rtol=0, atol=1e-9)
    assert white @ white <= normals @ normals * (1 + 1e-6)


def test_nothing_is_computed_with_what_memory_held_before(monkeypatch):
    """Once a warning now and then, when the middle row of an odd grid held a signalling NaN."""

    def of_signalling_nans(like):
        return np.full(like.shape, 0x7FF0000000000001, dtype=np.uint64).view(np.float64)

    factor = GridCovariance(Matern(2.5, 0.2), Grid(2, 1.0, 7)).factor()
    normals = np.random.default_rng(0).standard_normal((1, factor.rank))
    expected = factor.apply(normals)
    with monkeypatch.context() as dirty:
        dirty.setattr(np, "empty_like", of_signalling_nans)
        found = factor.apply(normals)
    np.testing.assert_array_equal(found, expected)


def test_what_is_below_the_tolerance_of_a_pivot_is_left_out():
    for least, rank in ((1e-11, 3), (1e-13, 2)):
        gram = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        gram[1, 1] -= 1e-15  # no Cholesky factor
        gram = np.block([[gram, np.zeros((3, 1))], [np.zeros((1, 3)), np.array([[least]])]])
        assert DenseFactor.of(gram).root.shape[1] == rank


@pytest.mark.parametrize(
    "gram",
    [
        [[0.0, 1.0], [1.0, 0.0]],
        [[1.0, 2.0], [2.0, 1.0]],
        [[1.0, 0.0], [0.0, -0.01]],
        [[1e6, 1e6], [1e6, 1e6 - 3e3]],
    ],
)
def test_what_is_not_positive_semidefinite_has_no_root(gram):
    with pytest.raises(NumericalFailure, match="not positive semidefinite"):
        DenseFactor.of(np.array(gram))


def test_a_covariance_that_is_rounding_alone_is_none():
    # Of a posterior over 55 points after nearly noiseless rows, as it was found.
    assert DenseFactor.of(np.array([[1.3e-6, 0.0], [0.0, -1.7e-6]])).root.shape[1] <= 1


def test_eigenvalues_below_rounding_of_the_largest_drop():
    vectors, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))
    values = np.array([4.0, 1.0, 1e-6, 8e-15])
    root = spectral_root((vectors * values) @ vectors.T)
    assert root.shape == (4, 4)  # 1e-12 would follow 1e-6
    np.testing.assert_allclose(root.T @ root, np.diag(np.sort(values)), atol=1e-14)
    falling = np.geomspace(1.0, 1e-19, 20)
    assert spectral_root(np.diag(falling)).shape == (20, 16)


def test_the_default_grid_draws_what_the_bundled_studies_drew():
    gram = GridCovariance(SquaredExponential(0.2), Grid(2, 1.0, 50))
    eigenvalues, vectors = np.linalg.eigh(gram.kernel.gram(gram.grid.axes[0][:, None]))
    known = vectors[:, -17:] * np.sqrt(eigenvalues[-17:])
    root = gram.axis_factor()
    assert root.shape == (50, 20)
    np.testing.assert_allclose(np.abs(root[:, -17:]), np.abs(known), rtol=0, atol=1e-9)
    # A draw stands for its signs.
    drawn = gram.factor().apply(np.random.default_rng(0).standard_normal((1, 400)))[0]
    assert drawn[[0, 1225, 2499]] == pytest.approx(DRAWN, abs=1e-6)


def nudged(gram, rng):
    """The same matrix with other last bits."""
    lower = np.tril(gram * (1.0 + 2e-16 * rng.integers(-1, 2, gram.shape)))
    return lower + np.tril(lower, -1).T


@given(st.integers(1, 40), st.floats(0.02, 5.0), st.booleans(), st.integers(0, 2**32 - 1))
@example(34, 0.10222959876164457, True, 0)  # signs of LAPACK's eigenvectors turned here
@example(50, 0.4, True, 0)  # 13 or 14 eigenvalues above 1e-15 of the largest
@example(3, 0.047536198629763014, True, 0)  # a matrix that is nearly the identity
@settings(max_examples=150, deadline=None)
def test_last_bits_do_not_decide_what_is_drawn(q, lengthscale, even, seed):
    rng = np.random.default_rng(seed)
    places = np.linspace(0.0, 1.0, q) if even else np.sort(rng.random(q))
    gram = SquaredExponential(lengthscale).gram(places[:, None])
    normals = rng.standard_normal(q)
    for root_of in (spectral_root, symmetric_root, lambda one: DenseFactor.of(one).root):
        root, other = root_of(gram), root_of(nudged(gram, rng))
        if root_of is spectral_root:
            assert root.shape == other.shape
        drawn, again = (one @ normals[: one.shape[1]] for one in (root, other))
        np.testing.assert_allclose(drawn, again, rtol=0, atol=3e-5)


def test_rows_that_are_products_are_whitened_axis_by_axis():
    """What is left of k(x, x) given the grid, x beside it, is no more than rounding."""
    places, lengths = np.linspace(0.0, 1.0, 30), (0.2, 0.13)
    grams = [SquaredExponential(ell).gram(places[:, None]) for ell in lengths]
    factor = KroneckerFactor.of_grams(grams)
    points = np.random.default_rng(0).random((5, 2))
    parts = [
        SquaredExponential(ell).gram(points[:, [axis]], places[:, None])
        for axis, ell in enumerate(lengths)
    ]
    loading = factor.whiten_products(parts)
    prior = np.prod(
        [SquaredExponential(ell).gram(points[:, [a]]) for a, ell in enumerate(lengths)], axis=0
    )
    np.testing.assert_allclose(loading @ loading.T, prior, rtol=0, atol=1e-10)
    rows = (parts[0][:, :, None] * parts[1][:, None, :]).reshape(5, -1)
    np.testing.assert_allclose(factor.apply(loading), rows, rtol=0, atol=1e-9)
    assert np.abs(loading - factor.whiten_rows(rows)).max() < 0.1  # its rounding is the larger
