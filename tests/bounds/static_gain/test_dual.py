"""The rank-aware dual certificate against dense algebra, brute force and its special cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bounds.domain import Grid, Points
from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.static_gain.dual import certify
from tests.oracles import largest_gain, log_det_gain
from tests.strategies import noise_variances

KERNELS = [SquaredExponential(0.3), SquaredExponential(5.0), Matern(0.5, 0.2), Matern(2.5, 0.4)]


def plain(kernel, grid: Grid):
    """The kernel without a split into parities."""
    return Points(grid.points).restricted(kernel)


def from_features(gram, points, R, alpha, noise, n):
    """½[Σ_{i≤n} ψ(a_i) + n/σ²·max φᵀA⁻¹φ] with A itself, in coordinates where K = ΦᵀΦ."""
    eigenvalues, vectors = np.linalg.eigh(gram)
    features = np.sqrt(np.maximum(eigenvalues, 0.0))[:, None] * vectors.T
    F = features[:, points] @ R
    A = alpha * np.eye(len(gram)) + F @ F.T
    spectrum = np.append(np.linalg.eigvalsh(A)[::-1], np.full(n, alpha))[:n]
    leverage = np.einsum("ix,ix->x", features, np.linalg.solve(A, features)).max()
    return 0.5 * float(np.sum(np.log(spectrum) + 1 / spectrum - 1) + n / noise * leverage)


@given(
    st.sampled_from(KERNELS),
    st.integers(0, 3),
    st.floats(1.0, 50.0),
    noise_variances,
    st.integers(0, 1000),
)
@settings(max_examples=60, deadline=None)
def test_certificate_is_the_formula_and_an_upper_bound(kernel, k, alpha, noise, seed):
    rng = np.random.default_rng(seed)
    grid_kernel = plain(kernel, Grid(1, 1.0, 5))
    points = rng.integers(0, 5, size=4)
    R = rng.normal(size=(4, k)) * 10.0 ** rng.uniform(-1, 2)
    certificate = certify(grid_kernel, points, (R,), alpha, noise)
    gram = grid_kernel.gram(np.arange(5), np.arange(5))
    for n in range(max(k, 1), 5):
        bound = certificate.bound(n)
        assert bound == pytest.approx(
            from_features(gram, points, R, alpha, noise, n), rel=1e-6, abs=1e-6
        )
        assert bound >= largest_gain(gram, noise, n) * (1.0 - 1e-12)


@pytest.mark.parametrize("noise", [1e-6, 0.01, 1e3])
def test_without_points_it_is_the_cap(noise):
    grid_kernel = plain(Matern(1.5, 0.2), Grid(2, 1.0, 4))
    empty = np.zeros(0, dtype=np.int64)
    certificate = certify(grid_kernel, empty, (np.zeros((0, 0)),), 1.0 + 1.0 / noise, noise)
    assert certificate.rank == 0
    for n in (1, 7, 1000):
        assert certificate.bound(n) == pytest.approx(0.5 * n * np.log1p(1.0 / noise), rel=1e-9)


def test_alpha_one_is_the_plain_dual():
    noise, n = 0.1, 12
    grid_kernel = plain(SquaredExponential(0.4), Grid(1, 1.0, 6))
    gram = grid_kernel.gram(np.arange(6), np.arange(6))
    w = np.array([0.3, 0.1, 0.1, 0.1, 0.1, 0.3])
    certificate = certify(grid_kernel, np.arange(6), (np.diag(np.sqrt(n * w / noise)),), 1.0, noise)
    # h(w) + max_x ∂_x h − ⟨∇h, w⟩ with h(w) = ½ log det(I + sn W^½KW^½).
    root = np.diag(np.sqrt(w))
    h = log_det_gain(n * root @ gram @ root, noise)
    posterior = gram - gram @ np.linalg.solve(gram + noise / n * np.diag(1 / w), gram)
    gradient = 0.5 * n / noise * np.diag(posterior)
    assert certificate.bound(n) == pytest.approx(h + gradient.max() - gradient @ w, rel=1e-9)


def test_split_and_whole_kernel_give_the_same_bound():
    """A certificate on the orthant, unfolded to all images of its points."""
    noise = 0.05
    split = Grid(2, 1.0, 5).restricted(Matern(2.5, 0.3))
    whole = plain(Matern(2.5, 0.3), Grid(2, 1.0, 5))
    rng = np.random.default_rng(3)
    points = split.orthant[[0, 2, 4]]
    factors = tuple(rng.normal(size=(3, k)) for k in (2, 1, 0, 3))
    folded = certify(split, points, factors, 3.0, noise)
    images = split.reflections[:, points]
    blocks = [
        np.hstack([sign * R / 4.0 for sign, R in zip(signs, factors, strict=True)])
        for signs in split.characters.T
    ]
    unfolded = certify(whole, images.ravel(), (np.vstack(blocks),), 3.0, noise)
    assert folded.rank == unfolded.rank == 6
    assert folded.bound(9) == pytest.approx(unfolded.bound(9), rel=1e-12)


def test_rounding_margin_covers_an_ill_conditioned_certificate():
    """Huge R over nearly equal points: the bound stays above the truth, the margin says why."""
    noise = 1e-6
    grid_kernel = plain(SquaredExponential(50.0), Grid(1, 1.0, 9))
    certificate = certify(grid_kernel, np.arange(9), (1e6 * np.eye(9),), 1.0, noise)
    assert certificate.margin[0] > 0.0 and certificate.margin[1] > 0.0
    gram = grid_kernel.gram(np.repeat(np.arange(9), 2), np.repeat(np.arange(9), 2))
    assert certificate.bound(18) >= log_det_gain(gram, noise)


@pytest.mark.parametrize("size", [1.0, 3e5])  # of which margins are what counts
def test_margins_are_first_order_bounds_on_rounding(size: float) -> None:
    """By their formulas: 32 ulps a kernel value, those of products and of a factor."""
    grid_kernel = plain(Matern(1.5, 0.4), Grid(1, 1.0, 6))
    points, noise, alpha = np.array([0, 2, 5]), 0.1, 2.5
    R = size * np.random.default_rng(1).normal(size=(3, 2))
    found = certify(grid_kernel, points, (R,), alpha, noise)
    unit, (count, k) = 2.0**-53, R.shape
    K, cross = grid_kernel.gram(points, points), grid_kernel.gram(points, np.arange(6))
    A = alpha * np.eye(k) + R.T @ K @ R
    error = (2 * count + 32) * unit * (np.abs(R).T @ np.abs(K) @ np.abs(R))
    error += (k + 4) * unit * np.sqrt(np.outer(np.diag(A), np.diag(A)))
    inverse = np.linalg.inv(A)
    assert found.margin[0] == pytest.approx(np.sum(np.abs(inverse) * error), rel=1e-9)
    y = inverse @ R.T @ cross
    residual = 1 - np.sum((R.T @ cross) * y, axis=0)
    b_error = (count + 32) * unit * (np.abs(R).T @ np.abs(cross))
    slack = 32 * unit + 2 * np.sum(np.abs(y) * b_error, axis=0)
    slack += np.einsum("ix,ij,jx->x", np.abs(y), error, np.abs(y)) + (k + 2) * unit
    worst = int(np.argmax(residual + slack))
    assert found.supremum == pytest.approx(residual[worst] + slack[worst], rel=1e-12)
    assert found.margin[1] == pytest.approx(0.5 * slack[worst] / (noise * alpha), rel=1e-9)
    psi = np.log(alpha) + 1 / alpha - 1
    logs = np.log(np.linalg.det(A)) + np.trace(inverse) - k
    assert found.intercept == pytest.approx(0.5 * (logs - k * psi), rel=1e-12)
    assert found.slope == pytest.approx(0.5 * (psi + found.supremum / (noise * alpha)), rel=1e-12)
    assert (found.rank, found.alpha, found.noise_variance, found.certified) == (2, 2.5, 0.1, False)
    assert found.bound(2) == found.intercept + 2 * found.slope
    for call, said in (
        (lambda: found.bound(1), "n = 1: this certificate is a bound for n >= 2"),
        (
            lambda: certify(grid_kernel, points, (R,), 0.5, noise),
            "alpha = 0.5: give a number of at least 1",
        ),
        (
            lambda: certify(grid_kernel, points, (R, R), 1.0, noise),
            "factors = [(3, 2), (3, 2)]: give 1 matrices with 3 rows",
        ),
    ):
        with pytest.raises(InvalidInput) as caught:
            call()
        assert str(caught.value) == said
