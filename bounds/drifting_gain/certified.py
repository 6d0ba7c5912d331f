"""The joint dual and the gain of a design with its times, evaluated in balls, rounded outward."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import isfinite, log2

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray, FloatArray, IntArray
from bounds.drifting_gain.joint_dual import JointCertificate, JointDual
from bounds.enclosure import Lower, Number, matrices
from bounds.enclosure.doubles import Doubles
from bounds.enclosure.matrices import BallMatrix
from bounds.errors import InvalidInput
from bounds.kernels import Kernel
from bounds.noise import NoiseLevel
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.static_gain.certified import (
    GridBalls,
    certified_gains,
    certified_gains_in_doubles,
    grid_doubles,
)
from bounds.times import ExactTimes

_NOISE_FACTORED_WELL = 1e-7  # σ² below which a floating point factor may be of no use
_MOST_DETERMINANT, _MOST_BITS = 400, 4_000  # rounds and precision of a determinant in balls
_PRODUCTS = 1.0 + 2.0**-50  # more than the roundings of three products of doubles


def time_balls(kernel: Kernel, exact: ExactTimes) -> BallArray:
    """(n, n) balls around k_time(τ_j, τ_k)."""
    return time_columns(kernel, exact, np.arange(len(exact.ticks)))


def time_columns(kernel: Kernel, exact: ExactTimes, rounds: IntArray) -> BallArray:
    """(n, m) balls around k_time(τ_k, τ_j) for the rounds j of `rounds`; equal distances once.

    An exponential kernel is the product of its values at the waits in between: n exponentials
    instead of nm, and no exponential of a long time.
    """
    n = len(exact.ticks)
    table = np.empty((n, len(rounds)), dtype=object)
    with matrices.working_precision():
        if kernel.is_markov:
            decays = wait_decays(kernel, exact)
            table[rounds, np.arange(len(rounds))] = enclosure.ball(1)
            for k in range(1, n):
                past = rounds < k
                table[k, past] = table[k - 1, past] * decays[k]
            for k in range(n - 2, -1, -1):
                ahead = rounds > k
                table[k, ahead] = table[k + 1, ahead] * decays[k + 1]
            return table
        value = _values(kernel, exact)
        for column, j in enumerate(rounds.tolist()):
            for k in range(n):
                table[k, column] = value(abs(exact.ticks[k] - exact.ticks[j]))
    return table


def _values(kernel: Kernel, exact: ExactTimes) -> Callable[[int], Number]:
    """Balls around k_time at whole numbers of ticks, each evaluated once."""
    return cache(lambda ticks: enclosure.ball(kernel.enclosed_at_distance(ticks * exact.unit)))


def time_doubles(kernel: Kernel, exact: ExactTimes) -> Doubles:
    """`time_balls` as intervals in doubles; a product of n decays has n roundings more."""
    with matrices.working_precision():
        if not kernel.is_markov:
            return Doubles.of_balls(time_balls(kernel, exact))
        return decay_products(Doubles.of_balls(wait_decays(kernel, exact)))


def decay_products(decays: Doubles) -> Doubles:
    """(n, n) the products of the decays after one instant up to another; the first is not used."""
    n = len(decays.mid)
    mid, rad = np.eye(n), np.zeros((n, n))
    for k in range(1, n):
        row = Doubles(mid[k - 1, :k], rad[k - 1, :k]) * decays[k]
        mid[k, :k] = mid[:k, k] = row.mid
        rad[k, :k] = rad[:k, k] = row.rad
    return Doubles(mid, rad)


def wait_decays(kernel: Kernel, exact: ExactTimes) -> BallArray:
    """(n,) balls around k_time(τ_i, τ_{i−1}), the first of them 1; at the working precision."""
    value, one = _values(kernel, exact), enclosure.ball(1)
    decays = np.full(len(exact.ticks), one, dtype=object)
    for i, (before, ticks) in enumerate(pairwise(exact.ticks), start=1):
        decays[i] = value(ticks - before) if ticks > before else one
    return decays


def certified_design_gain(problem: Problem, indices: IntArray) -> Lower:
    """A lower bound on the gain of the points `indices` (n,) at the times of the problem.

    Hence one on γ̃_n. Cost O(n³) operations on balls; raises InvalidInput beyond 1,200 rounds.
    Where σ² is so small that a factor in doubles is of no use, the determinant itself is enclosed.
    """
    space = grid_doubles(problem.space_kernel, problem.domain).gram(indices, indices)
    times = time_doubles(problem.time_kernel, problem.times.exact)
    close = certified_gains_in_doubles(space * times, problem.noise_variance)
    if close is not None:
        return Lower(close[-1])
    try:
        gain = Lower(certified_gains(_gram(problem, indices), problem.noise_variance)[-1])
    except InvalidInput as failure:
        if failure.field != "gram":
            raise
        gain = Lower(0.0)
    if problem.noise_variance < _NOISE_FACTORED_WELL and problem.n <= _MOST_DETERMINANT:
        bits = matrices.WORKING_BITS + int(2 * problem.n - 3 * log2(problem.noise_variance))
        with enclosure.precision(min(bits, _MOST_BITS)):
            variance = enclosure.exact_double(problem.noise_variance)
            A = matrices.ball_matrix(_gram(problem, indices) / enclosure.ball(variance))
            A = A + matrices.identity(problem.n, 1.0)
            determinant = A.det()
            if determinant > 1:
                gain = max(gain, matrices.downward(determinant.log() / 2))
    return gain


def _gram(problem: Problem, indices: IntArray) -> BallArray:
    balls = GridBalls(problem.space_kernel, problem.domain)
    times = time_balls(problem.time_kernel, problem.times.exact)
    with matrices.working_precision():
        return np.asarray(balls.gram(indices, indices) * times)


def certified_dual(problem: Problem, dual: JointDual, advance: Share = unwatched) -> JointDual:
    """The same certificates with their values computed in balls, rounded upward."""
    balls = GridBalls(problem.space_kernel, problem.domain)
    columns = []
    for done, certificate in enumerate(dual.certificates):
        advance(done / len(dual.certificates))
        columns.append(certified_block(problem, certificate, balls))
    return JointDual(tuple(columns))


def certified_block(
    problem: Problem, certificate: JointCertificate, balls: GridBalls
) -> JointCertificate:
    """The value of one certificate, from modes and gains taken as exact numbers.

    With T_aa' = ũ_aᵀJũ_a', S_bb' = q_bᵀKq_b', the matrix M = αI + H has the entries
    α[ab = a'b'] + √(g_ab g_a'b') T_aa' S_bb'. With D its diagonal and
    η ≥ ‖D^{−½}(M−D)D^{−½}‖ (largest row sum of absolute values):

    log det M ≤ Σ log D (Hadamard), tr M⁻¹ ≤ Σ 1/D / (1−η), and with b the cross-covariance
    bᵀM⁻¹b ≥ (1−η) bᵀD⁻¹b, so that v_i(x) ≤ 1 − (1−η) Σ_ab g_ab/D_ab (Jũ_a)_i² (q_bᵀk(x))_b².

    Cost O(L²A + L·A·N₀ + N₀PB) operations on balls.
    """
    with enclosure.precision(matrices.WORKING_BITS):
        alpha = enclosure.ball(enclosure.exact_double(certificate.alpha))
        exact = problem.times.exact[certificate.start : certificate.end]
        L = len(exact.ticks)
        J = matrices.ball_matrix(time_balls(problem.time_kernel, exact))
        modes = matrices.ball_matrix(certificate.time_modes)
        at_times = J * modes  # (L, A)
        T = matrices.entries(modes.transpose() * at_times)
        shares = matrices.squares(matrices.entries(at_times))
        columns = _smallest_explained(certificate, at_times, T, balls)
        parts = _space_parts(certificate, balls, columns)
        diagonals = [
            alpha + matrices.exact_entries(g) * np.outer(np.diagonal(T), np.diagonal(S))
            for g, (S, _) in zip(certificate.gains, parts, strict=True)
        ]
        ratios = [
            _off_diagonal(g, D, T, S)
            for g, D, (S, _) in zip(certificate.gains, diagonals, parts, strict=True)
        ]
        eta = float(np.max([0.0, *ratios]))  # NaN where one is: it must not pass for 0
        if not eta < 1.0:
            # The modes are far from orthogonal: nothing is claimed beyond the cap of the block.
            return _capped(certificate, L, problem.noise_variance)
        kept = 1 - enclosure.ball(enclosure.exact_double(eta))
        logs, explained = enclosure.ball(0), None
        for g, D, (_, projected) in zip(certificate.gains, diagonals, parts, strict=True):
            positive = g > 0.0
            chosen = D[positive]
            logs += sum((d.log() + 1 / (d * kept) - 1 for d in chosen), enclosure.ball(0))
            ratio = np.full(g.shape, enclosure.ball(0), dtype=object)
            ratio[positive] = matrices.exact_entries(g)[positive] / chosen
            if g.size:
                term = matrices.ball_matrix(ratio) * matrices.ball_matrix(projected)
                explained = term if explained is None else explained + term
        worst = [enclosure.ball(1)] * L
        if explained is not None:
            left = matrices.entries(matrices.ball_matrix(shares) * explained)  # (L, columns)
            low = -matrices.upward_array(-left)
            least = matrices.exact_entries(np.maximum(low.min(axis=1), 0.0))
            worst = list(
                matrices.exact_entries(np.maximum(matrices.upward_array(1 - kept * least), 0.0))
            )
        psi = alpha.log() + 1 / alpha - 1
        variance = enclosure.ball(enclosure.exact_double(problem.noise_variance))
        total = logs + (L - certificate.rank) * psi
        total += sum(worst, enclosure.ball(0)) / (variance * alpha)
        value = matrices.upward(total / 2)
        if not isfinite(value):
            return _capped(certificate, L, problem.noise_variance)
        return replace(certificate, value=value, certified=True)


def _smallest_explained(
    certificate: JointCertificate, at_times: BallMatrix, T: BallArray, balls: GridBalls
) -> IntArray:
    """Places in the orthant that hold, for each round, the least of what the modes explain.

    By intervals in doubles, which cost a hundredth of balls; all places where they prove nothing.
    """
    every = np.arange(len(balls.layout.orthant))
    points = balls.layout.orthant[certificate.points]
    if not any(Q.shape[1] for Q in certificate.space_modes):
        return every[:1]  # nothing is explained anywhere
    shares = Doubles.of_balls(matrices.entries(at_times)).squares()
    along = Doubles.of_balls(np.diagonal(T))[:, None]
    alpha = Doubles.exact(certificate.alpha)
    low = high = np.zeros((len(shares.mid), len(every)))
    cross = balls.doubles.cross(points)
    for Q, g, k_zx in zip(certificate.space_modes, certificate.gains, cross, strict=True):
        if Q.shape[1] == 0:
            continue
        projected = Doubles.exact(Q.T) @ k_zx
        S = projected[:, certificate.points] @ Doubles.exact(Q)
        across = Doubles(np.diagonal(S.mid), np.diagonal(S.rad))[None, :]
        gains = Doubles.exact(g)
        ratio = gains / (alpha + gains * (along * across))
        term = shares @ (ratio @ projected.squares())
        low, high = low + term.lower(), high + term.upper()
    slack = 2.0**-49 * np.maximum(np.abs(low), np.abs(high))  # of 2³ roundings at most
    near = ~(low - slack > np.min(high + slack, axis=1, keepdims=True))
    return np.flatnonzero(near.any(axis=0))


def _space_parts(
    certificate: JointCertificate, balls: GridBalls, columns: IntArray
) -> list[tuple[BallArray, BallArray]]:
    """For each parity S = QᵀK_e(z,z)Q, (B, B), and the squares of Qᵀk_e(z,x), x at `columns`."""
    points = balls.layout.orthant[certificate.points]
    empty = np.zeros((0, 0), dtype=object), np.zeros((0, len(columns)), dtype=object)
    if not any(Q.shape[1] for Q in certificate.space_modes):
        return [empty] * len(certificate.space_modes)
    parts = []
    P = len(points)
    grams = balls.parity_grams(points, np.concatenate((points, balls.layout.orthant[columns])))
    for Q, k_zx in zip(certificate.space_modes, grams, strict=True):
        if Q.shape[1] == 0:
            parts.append(empty)
            continue
        modes = matrices.ball_matrix(Q)
        projected = modes.transpose() * matrices.ball_matrix(k_zx[:, P:])
        K: BallMatrix = matrices.ball_matrix(k_zx[:, :P])
        S = modes.transpose() * K * modes
        parts.append((matrices.entries(S), matrices.squares(matrices.entries(projected))))
    return parts


def _off_diagonal(g: FloatArray, D: BallArray, T: BallArray, S: BallArray) -> float:
    """The largest row sum of |D^{−½}(M−D)D^{−½}| over the pairs with a positive gain."""
    a, b = np.nonzero(g > 0.0)
    if len(a) == 0:
        return 0.0
    scale = matrices.upward_array(np.sqrt(matrices.exact_entries(g)[a, b] / D[a, b]))
    size = matrices.magnitudes(T)[np.ix_(a, a)] * matrices.magnitudes(S)[np.ix_(b, b)]
    size *= np.outer(scale, scale)
    np.fill_diagonal(size, 0.0)
    return float(size.sum(axis=1).max()) * _PRODUCTS * (1.0 + 2.0**-52 * len(a))


def _capped(certificate: JointCertificate, L: int, noise_variance: float) -> JointCertificate:
    value = matrices.upward(NoiseLevel(noise_variance).enclosed_gain_cap() * L)
    return replace(certificate, value=value, certified=True)
