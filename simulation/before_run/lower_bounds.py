"""Floors for other settings: t(x) on a lattice, exogenous times, a known mean, with probability.

*Lattice.* Durations that depend on the point, all multiples h, 2h, …, Lh. The player who sees the
whole picture at every multiple of h has ρ_j = E max_x(μ_j + √p_j g) − max μ_j to lose at the j-th,
and each window of L multiples holds a round: E R_n ≥ m* + Σ_{k≥2} E min_{(k−1)L<j≤kL} ρ_j over the
first ⌊n/L⌋ windows. With Theorem F's p_i in place of ρ the statement is false: a policy that
chooses its times waits for times without near ties. See docs/theory.md#theorem-f.

*Exogenous times*, independent of f and of the noise: E R_n ≥ m*·E Σ(1 − √(1−p_i)).

*With probability.* R⁰_n is the regret of the player who knows f up to the round before and takes
the largest conditional mean. For every policy, with probability ≥ 1 − δ₁ − δ₂ − δ₃,
R_n ≥ q − (√log(1/δ₁) + √log(1/δ₃))·√(2v Σ(1−a_i²)), v = 2(1 − min k_space), q the k-th smallest of
N simulated R⁰_n with k/(N+1) ≤ δ₂. Worth something where Σ(1−a_i²) is some tens.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.rounding import at_least
from bounds.problem import Problem
from bounds.regret.ingredients.full_information import variance_left
from bounds.regret.lower.full_information import FullInformationFloor
from bounds.regret.lower.sandwich import SandwichFloor
from bounds.regret.maximum.maximum import least_maximum
from bounds.regret.regret_bound import RegretBound
from bounds.times import EvaluationTimes
from simulation.before_run.draws import (
    generator,
    in_chunks,
    mean_below,
    require_delta,
    require_draws,
)
from simulation.model.covariance import space_factor

_DELTA = 0.01  # of the draws of exogenous times
_PAIRS = 4  # of inner draws; fewer only lower the floor


def lattice_floor(
    problem: Problem,
    spacing: float,
    longest: int,
    *,
    paths: int = 200,
    delta: float = 0.01,
    seed: int = 0,
) -> RegretBound:
    """E R_n for durations t(x) ∈ {h, 2h, …, Lh}, chosen by the policy through x.

    Parameters
    ----------
    problem : of n rounds; its own times are not used
    spacing, longest : h and L
    paths, delta, seed : of the simulation of μ_j

    The inner mean is over a few antithetic pairs, each at least 0 by convexity; a minimum over
    noisy unbiased values is lower in the mean, which is the safe side.
    """
    require_draws(paths)
    require_delta(delta)
    if longest < 1 or not spacing >= 0.0:
        raise InvalidInput("longest, spacing", (longest, spacing), "give L >= 1 and h >= 0")
    if not problem.time_kernel.is_markov:
        raise InvalidInput("time-kernel", problem.time_kernel.name, "give a Markov one")
    least = least_maximum(problem)
    windows = problem.n // longest
    steps = windows * longest
    if windows > 1:
        times = EvaluationTimes.from_durations(np.full(steps, spacing))
        shares = variance_left(times, problem.time_kernel, problem.noise_variance).shares
        values = _window_minima(problem, shares, spacing, longest, paths, generator(seed))
        below = mean_below(values, delta)
    else:
        below = 0.0
    first = least.value if windows else 0.0
    return FullInformationFloor().at(
        first + below,
        f"lattice of {spacing:g}, windows of {longest}, {paths} paths",
        level=1.0 - delta,
        times="t(x)",
        simulated=True,
    )


def _window_minima(
    problem: Problem,
    shares: FloatArray,
    spacing: float,
    longest: int,
    paths: int,
    rng: np.random.Generator,
) -> FloatArray:
    """(paths,) Σ over the windows but the first of min ρ̂_j."""
    factor = space_factor(problem)
    decay = float(problem.time_kernel.at_distance(spacing))
    noise = problem.noise_variance

    def draw() -> FloatArray:
        return factor.apply(rng.standard_normal((paths, factor.rank)))

    mean = 0.0 * draw()
    total, least = np.zeros(paths), np.full(paths, np.inf)
    for j, share in enumerate(shares.tolist()):
        if j >= longest:
            lost = np.zeros(paths)
            for _ in range(_PAIRS):
                rest = sqrt(share) * draw()
                lost += 0.5 * ((mean + rest).max(axis=1) + (mean - rest).max(axis=1))
            least = np.minimum(least, np.maximum(lost / _PAIRS - mean.max(axis=1), 0.0))
        if (j + 1) % longest == 0 and j >= longest:
            total += least
            least = np.full(paths, np.inf)
        # The innovation z_j − μ_j is a draw of GP(0, (p_j + σ²)·k_space).
        mean = decay * (mean + share / sqrt(share + noise) * draw() if share > 0 else mean)
    return total


def exogenous_floor(problem: Problem, durations: ArrayLike) -> RegretBound:
    """E R_n at random times that are independent of f and of the noise.

    durations : (S, n) independent draws of the sequence t_1..t_n
    """
    table = np.asarray(durations, dtype=float)
    if table.ndim != 2 or table.shape[0] < 2:
        raise InvalidInput("durations", f"shape {table.shape}", "give at least two sequences")
    least = least_maximum(problem)
    sums = np.array(
        [
            variance_left(
                EvaluationTimes.from_durations(row), problem.time_kernel, problem.noise_variance
            ).total()
            for row in table
        ]
    )
    below = mean_below(sums, _DELTA)
    return FullInformationFloor().at(
        least.value * below,
        f"m*·E Σ(1 − √(1−p_i)), {len(table)} draws of the times, m* ≥ {at_least(least.value)}",
        level=1.0 - _DELTA,
        times="exogenous",
        simulated=True,
    )


def known_mean_floor(
    problem: Problem,
    mean: ArrayLike,
    *,
    delay: int = 0,
    draws: int = 20_000,
    delta: float = 1e-3,
    seed: int = 0,
) -> RegretBound:
    """E R_n of every policy where f has a known mean m(x), the same at all times.

    E r_i ≥ Φ(1) − Φ(√(1−p_i)), Φ(t) = E max_x(m + t·g). Of g and −g together the maximum is convex
    and even in t, so each pair of draws gives at least 0 and their mean is bounded from below.

    mean : (N,) m(x)

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 9), domain=Arms(2))
    >>> flat = known_mean_floor(problem, [0.0, 0.0]).value
    >>> known_mean_floor(problem, [0.0, 2.0]).value < flat  # mostly known beforehand
    True
    """
    require_draws(draws)
    require_delta(delta)
    m = np.asarray(mean, dtype=float)
    factor, rng = space_factor(problem), generator(seed)
    if m.shape != (problem.domain.size,) or not np.all(np.isfinite(m)):
        remedy = f"give {problem.domain.size} finite ones, one for each point"
        raise InvalidInput("known-mean", f"{m.size} numbers", remedy)
    left = variance_left(problem.times, problem.time_kernel, problem.noise_variance, delay=delay)
    scales, counts = np.unique(np.sqrt(1.0 - left.shares) * (1.0 + 2.0**-50), return_counts=True)
    values = []
    for count in in_chunks(draws, 2 * len(m)):
        g = factor.apply(rng.standard_normal((count, factor.rank)))

        def height(t: float, g: FloatArray = g) -> FloatArray:
            return np.asarray(0.5 * ((m + t * g).max(axis=1) + (m - t * g).max(axis=1)))

        whole = problem.n * height(1.0)
        for t, times in zip(scales.tolist(), counts.tolist(), strict=True):
            whole = whole - times * height(min(t, 1.0))
        values.append(np.maximum(whole, 0.0))
    return FullInformationFloor().at(
        mean_below(np.concatenate(values), delta),
        f"Σ(Φ(1) − Φ(√(1−p_i))), {draws} pairs of draws",
        level=1.0 - delta,
        also="its mean m(x) is known",
        simulated=True,
    )


def promising(problem: Problem, maximum: float) -> bool:
    """Whether `probable_floor` can be above 0, going by the mean of R⁰_n: m*·Σ(1 − a_i)."""
    if not problem.time_kernel.is_markov:
        return False
    quiet = variance_left(problem.times, problem.time_kernel, 0.0)
    slack = 2.0 * sqrt(log(3.0 / problem.delta)) * sqrt(4.0 * float(quiet.shares.sum()))
    return quiet.total() * maximum > slack


def probable_floor(
    problem: Problem, *, runs: int = 999, delta: float | None = None, seed: int = 0
) -> RegretBound:
    """R_n of any policy, with probability ≥ 1 − δ on average over the simulations.

    δ in three equal parts. Fixed times, a Markov time kernel, one n.
    """
    total = problem.delta if delta is None else delta
    require_delta(total)
    part = total / 3.0
    rank = int(part * (runs + 1) + 1e-9)
    if rank < 1:
        raise InvalidInput("runs", runs, f"give at least {int(np.ceil(1.0 / part)) - 1}")
    if not problem.time_kernel.is_markov:
        raise InvalidInput("time-kernel", problem.time_kernel.name, "give a Markov one")
    lost = np.array(problem.time_kernel.deficit(problem.times.durations), dtype=float)
    lost[0] = 1.0
    regrets = _known_past_regrets(problem, runs, seed)
    smallest = 0.0 if problem.space_kernel.is_nonnegative else -1.0
    spread = 2.0 * (1.0 - smallest)
    slack = 2.0 * sqrt(log(1.0 / part)) * sqrt(2.0 * spread * float(lost.sum()))
    value = max(float(np.sort(regrets)[rank - 1]) - slack, 0.0)
    return SandwichFloor().at(
        value,
        f"q − 2√(2v log(3/δ)Σp⁰), {runs} runs, Σp⁰ = {lost.sum():.4g}",
        kind="probability",
        level=1.0 - total,
        simulated=True,
    )


def _known_past_regrets(problem: Problem, runs: int, seed: int) -> FloatArray:
    """(runs,) regrets of the player who takes argmax f(·, τ_{i−1})."""
    factor, rng = space_factor(problem), generator(seed)
    gaps = problem.times.durations
    kept = np.asarray(problem.time_kernel.at_distance(gaps), dtype=float)
    lost = np.sqrt(np.asarray(problem.time_kernel.deficit(gaps), dtype=float))
    now = factor.apply(rng.standard_normal((runs, factor.rank)))
    regrets = now.max(axis=1) - now[:, 0]
    each = np.arange(runs)
    for i in range(1, problem.n):
        chosen = np.argmax(now, axis=1)
        if gaps[i] > 0.0:
            now = kept[i] * now + lost[i] * factor.apply(rng.standard_normal((runs, factor.rank)))
        regrets = regrets + now.max(axis=1) - now[each, chosen]
    return np.asarray(regrets)
