"""The joint dual, in floating point and in balls, against every design of a few rounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import mp

from bounds.domain import Arms, Grid, Points
from bounds.drifting_gain import certified as certified_module
from bounds.drifting_gain import joint_dual as module
from bounds.drifting_gain.certified import (
    certified_block,
    certified_design_gain,
    certified_dual,
)
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.laws.bound_laws import max_gain
from bounds.problem import Problem
from bounds.static_gain.certified import GridBalls
from bounds.times import EvaluationTimes

LINE = Grid(1, 1.0, 4)


def problem_of(durations, epsilon=0.1, noise_variance=0.1, grid=LINE, time_kernel=None) -> Problem:
    return Problem(
        EvaluationTimes.from_durations(durations),
        space_kernel=SquaredExponential(0.5),
        time_kernel=time_kernel or Forgetting(epsilon),
        domain=grid,
        noise_variance=noise_variance,
    )


@settings(max_examples=25, deadline=None)
@given(
    durations=st.lists(st.sampled_from([0.0, 0.3, 1.0, 20.0]), min_size=1, max_size=4),
    epsilon=st.sampled_from([0.0, 1e-6, 0.01, 0.3, 0.999]),
    noise_variance=st.sampled_from([0.01, 0.5, 30.0]),
)
@example([0.0, 0.0, 0.0], 0.0, 0.01)
@example([1.0], 0.5, 0.01)
def test_no_design_gains_more(durations, epsilon: float, noise_variance: float) -> None:
    problem = problem_of(durations, epsilon, noise_variance)
    rough = joint_dual(problem)
    dual = certified_dual(problem, rough)
    assert dual.certified and not rough.certified
    assert dual.value == pytest.approx(rough.value, rel=1e-6)
    assert dual.value >= max_gain(problem) * (1 - 1e-12)
    cap = problem.n * problem.trivial_gain_per_round
    assert dual.value <= cap * (1 + 1e-9)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), alpha=st.floats(1.0, 5.0))
def test_modes_that_are_not_orthogonal_still_give_a_bound(seed: int, alpha: float) -> None:
    problem = problem_of([0.5, 1.0, 0.25])
    certificate = joint_dual(problem).certificates[0]
    rng = np.random.default_rng(seed)
    spoilt = replace(
        certificate,
        time_modes=certificate.time_modes + 0.05 * rng.normal(size=certificate.time_modes.shape),
        space_modes=tuple(q + 0.05 * rng.normal(size=q.shape) for q in certificate.space_modes),
        alpha=alpha,
    )
    balls = GridBalls(problem.space_kernel, problem.domain)
    assert certified_block(problem, spoilt, balls).value >= max_gain(problem)


@pytest.mark.parametrize("spoilt", [0.0, 0.02, 0.2])
def test_a_certified_value_is_the_formula_also_where_modes_are_not_orthogonal(spoilt) -> None:
    """The bound of `certified_block` with η, D, T and S in floating point, from dense matrices."""
    problem = problem_of([0.5, 1.0, 0.25, 2.0] * 4, 0.05, 0.02, Grid(2, 1.0, 4))
    found = joint_dual(problem).certificates[0]
    rng = np.random.default_rng(0)

    def moved(modes):
        return modes + spoilt * rng.normal(size=modes.shape)

    certificate = replace(
        found, time_modes=moved(found.time_modes), space_modes=tuple(map(moved, found.space_modes))
    )
    layout = GridBalls(problem.space_kernel, problem.domain).layout
    K = problem.space_kernel.gram(problem.domain.points)
    J = problem.time_kernel.at_distance(problem.times.distances(slice(None), slice(None)))
    at_times = J @ certificate.time_modes
    T, points = certificate.time_modes.T @ at_times, layout.orthant[certificate.points]
    eta, parts = 0.0, []
    for signs, Q, g in zip(
        layout.characters, certificate.space_modes, certificate.gains, strict=True
    ):
        images = zip(signs, layout.reflections, strict=True)
        folded = sum(sign * K[np.ix_(points, image)] for sign, image in images) / len(signs)
        S = Q.T @ folded[:, points] @ Q
        H = np.kron(T, S) * np.sqrt(np.outer(g, g))
        D = certificate.alpha + np.diagonal(H).reshape(g.shape)
        rest = np.abs(H - np.diag(np.diagonal(H))) / np.sqrt(np.outer(D, D))
        eta = max(eta, rest.sum(axis=1).max(initial=0.0))
        parts.append((g, D, (Q.T @ folded[:, layout.orthant]) ** 2))
    assert (eta > 0.02) == (spoilt > 0) and eta < 1
    logs = sum(np.sum((np.log(D) + 1 / (D * (1 - eta)) - 1)[g > 0]) for g, D, _ in parts)
    explained = (1 - eta) * at_times**2 @ sum(g / D @ squares for g, D, squares in parts)
    psi = np.log(certificate.alpha) + 1 / certificate.alpha - 1
    total = logs + (problem.n - certificate.rank) * psi
    worst = np.maximum(1 - explained.min(axis=1), 0.0).sum()
    total += worst / (problem.noise_variance * certificate.alpha)
    cap = problem.n * problem.trivial_gain_per_round
    balls = GridBalls(problem.space_kernel, problem.domain)
    value = certified_block(problem, certificate, balls).value
    assert value == pytest.approx(total / 2, rel=1e-9) and (spoilt > 0 or value < cap)


def test_modes_far_from_orthogonal_claim_the_cap_and_no_more() -> None:
    problem = problem_of([0.5, 1.0, 0.25])
    found = joint_dual(problem).certificates[0]
    modes = np.repeat(found.time_modes[:, :1], 3, axis=1)
    gains = tuple(np.repeat(g[:1] + 1.0, 3, axis=0) for g in found.gains)
    alike = replace(found, time_modes=modes, gains=gains)
    value = certified_block(problem, alike, GridBalls(problem.space_kernel, LINE))
    assert value.certified
    assert value.value == pytest.approx(3 * problem.trivial_gain_per_round, rel=1e-12)
    assert value.value >= 3 * problem.trivial_gain_per_round * (1 - 1e-15)


@pytest.mark.parametrize("noise_variance", [1e-9, 1e-15])
def test_the_determinant_itself_is_enclosed_where_the_noise_is_tiny(noise_variance) -> None:
    """A point that is seen twice at one instant: doubles have no factor of such a matrix."""
    problem = problem_of([0.5, 0.0, 1.0, 0.25], 0.001, noise_variance)
    design, tau = [0, 0, 3, 0], [0.5, 0.5, 1.5, 1.75]
    with mp.workdps(80):
        rate, noise = 1 - mp.mpf(0.001), mp.mpf(noise_variance)
        gram = mp.matrix(4)
        for j, k in product(range(4), repeat=2):
            distance = mp.mpf(design[j] - design[k]) / 3
            space = mp.exp(-(distance**2) / (2 * mp.mpf(0.5) ** 2))
            gram[j, k] = space * rate ** (mp.mpf(abs(tau[j] - tau[k])) / 2) / noise
        truth = float(mp.log(mp.det(gram + mp.eye(4))) / 2)
    found = certified_design_gain(problem, np.array(design))
    assert truth * (1 - 1e-13) <= found <= truth * (1 + 1e-15)


def test_the_lower_side_is_certified_at_the_design_s_own_times() -> None:
    problem = problem_of([0.5, 1.0, 0.25, 2.0], grid=Grid(2, 1.0, 4))
    design = joint_gain_lower(problem)
    certified = certified_design_gain(problem, design.indices)
    assert certified == pytest.approx(design.value, rel=1e-10)
    assert certified <= design.value * (1 + 1e-13)


@pytest.mark.parametrize("epsilon", [1e-4, 1e-3, 1e-2])
def test_the_two_sides_are_near_each_other(epsilon: float) -> None:
    problem = problem_of([1.0] * 60, epsilon, 0.01, Grid(2, 1.0, 20))
    problem = replace(problem, space_kernel=SquaredExponential(0.2))
    upper = certified_dual(problem, joint_dual(problem)).value
    lower = certified_design_gain(problem, joint_gain_lower(problem).indices)
    assert 1.0 <= upper / lower <= 1.05


def test_blocks_of_rounds_add_up(monkeypatch) -> None:
    problem = problem_of([0.5, 1.0, 0.25, 2.0, 0.3, 0.1, 0.9])
    monkeypatch.setattr(module, "LONGEST_BLOCK", 3)
    found = joint_dual(problem)
    assert [(c.start, c.end) for c in found.certificates] == [(0, 2), (2, 5), (5, 7)]
    total = sum(c.value for c in found.certificates)
    assert total < found.value <= total * (1 + 1e-15)
    for certificate in found.certificates:
        part = replace(problem, times=problem.times.block(certificate.start, certificate.end))
        alone = joint_dual(part).certificates[0]
        assert certificate.value == pytest.approx(alone.value, rel=1e-3)
        assert certificate.rank == sum(int((g > 0).sum()) for g in certificate.gains)
    assert certified_dual(problem, found).certified
    monkeypatch.setattr(module, "MOST_ROUNDS", 7)
    assert joint_dual(problem) is not None
    monkeypatch.setattr(module, "MOST_ROUNDS", 6)
    assert joint_dual(problem) is None


STEPS = EvaluationTimes.from_durations([0.5, 1.0, 0.25, 2.0] * 6)
SCATTERED = Points(np.random.default_rng(4).random((15, 2)))
REACHED = [
    (
        Problem(STEPS, 0.05, Forgetting(0.05), SquaredExponential(0.5), 0.02, Grid(2, 1.0, 5)),
        37.32287181101086,
        13,
        35.72284567216301,
    ),
    (
        Problem(STEPS, 0.05, SquaredExponential(4.0), Matern(2.5, 0.3), 0.1, Grid(1, 1.0, 12)),
        23.845916222637168,
        18,
        22.99273680937357,
    ),
    (
        Problem(STEPS, 0.05, Matern(1.5, 9.0), Matern(1.5, 0.4), 0.01, SCATTERED),
        50.676894886734985,
        14,
        49.301706780322725,
    ),
]


@pytest.mark.parametrize(("problem", "dual", "rank", "design"), REACHED, ids=["a", "b", "c"])
def test_the_searches_reach_what_they_reached(problem, dual, rank, design) -> None:
    """Every dual and every design is a bound: that a change makes them worse is seen here alone."""
    found = joint_dual(problem)
    assert found.value == pytest.approx(dual, rel=1e-6)
    assert sum(certificate.rank for certificate in found.certificates) == rank
    assert joint_gain_lower(problem).value == pytest.approx(design, rel=1e-6)


def test_what_rounding_took_is_a_part_of_every_variance(monkeypatch) -> None:
    rng = np.random.default_rng(0)
    L, P = 4, 3
    F = np.linalg.cholesky(Matern(1.5, 0.5).gram(np.linspace(0, 1, P)[:, None]))[None]
    strengths, modes = np.linalg.eigh(Forgetting(0.3).gram(np.arange(L)[:, None] * 1.0))
    shares, weights = modes**2 * strengths, rng.dirichlet(np.ones(P), L)
    monkeypatch.setattr(module, "_ROUNDINGS", 1e14)
    for ratio in (0.5, 30.0):
        found = module._step(shares, ratio * strengths, F, weights, ratio, L)
        t = found.threshold
        spectrum = found.gains[found.gains > 0] + t
        bound = np.sum(np.log1p(spectrum) - spectrum / (1 + spectrum))
        bound += (L - len(spectrum)) * (np.log1p(t) - t / (1 + t))
        margin = 1e14 * (L + P) * 2.0**-52
        bound += ratio / (1 + t) * np.sum(found.variances.max(axis=1) + margin)
        assert found.bound == pytest.approx(0.5 * bound, rel=1e-12)
    cap = module._cap(F, L, 30.0)
    assert (cap.bound, cap.threshold) == (pytest.approx(2.0 * np.log(31.0)), 30.0)
    assert cap.variances.tolist() == [[1.0] * P] * L and cap.gains.shape == (0, 1, P)


def test_a_design_that_no_factor_serves_gains_nothing_for_certain(monkeypatch) -> None:
    problem, points = problem_of([1.0, 1.0]), np.array([0, 3])

    def refuse(field: str):
        def refused(*given):
            raise InvalidInput(field, 1, "try again")

        monkeypatch.setattr(certified_module, "certified_gains", refused)

    monkeypatch.setattr(certified_module, "certified_gains_in_doubles", lambda *given: None)
    refuse("gram")
    assert certified_design_gain(problem, points) == 0.0
    quiet = replace(problem, noise_variance=1e-8)  # where the determinant is enclosed as well
    gram = problem.space_kernel.gram(problem.domain.points[points]) * np.sqrt(
        0.9 ** np.array([[0, 1], [1, 0]])
    )
    truth = 0.5 * np.linalg.slogdet(np.eye(2) + gram / 1e-8)[1]
    found = certified_design_gain(quiet, points)
    assert truth * (1 - 1e-9) <= found <= truth * (1 + 1e-12)
    refuse("n")
    with pytest.raises(InvalidInput, match="n = 1"):
        certified_design_gain(problem, points)


def test_as_many_uncorrelated_points_as_rounds_attain_the_cap() -> None:
    """5,000 arms: what took minutes of eigenvectors is the cap, and certified."""
    times = EvaluationTimes.from_durations([1.0] * 20)
    problem = Problem(times, 0.01, domain=Arms(5_000))
    found = joint_dual(problem)
    assert found is not None
    cap = 20 * problem.trivial_gain_per_round
    assert found.value == pytest.approx(cap, rel=1e-12) and found.value >= cap
    assert certified_dual(problem, found).value == pytest.approx(cap, rel=1e-9)
    few = joint_dual(Problem(times, 0.01, domain=Arms(19)))
    assert few is not None and few.value < cap * (1.0 - 1e-4)
