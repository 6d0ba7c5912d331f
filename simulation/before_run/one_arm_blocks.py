"""Theorem G by its closed form: blocks of rounds, the first play of each, any time kernel.

Before each block the player is told ξ_x at every earlier round. From then on only the first play of
x in the block counts, or none, so that with H what was told

    V_x ≥ Σ_blocks E min{min_j(Σ_{k<j} E[pass_k | H] + E[play_j | H]), Σ_k E[pass_k | H]},

one minimum of sums of normal integrals for each path and block. As blocks are disjoint sets of
rounds, each takes this or the sum of its rounds' own floors (Theorem F, start-up), whichever was
larger on paths of their own. See docs/theory.md#theorem-g.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from bounds.arrays import FloatArray
from bounds.problem import Problem
from bounds.regret.ingredients.one_arm import Arms, Share, mean_excess
from bounds.regret.lower.arms import OneArmFloor
from bounds.regret.maximum.maximum import gram_of
from bounds.regret.regret_bound import RegretBound
from simulation.before_run.draws import (
    field_paths,
    generator,
    mean_below,
    require_delta,
    require_draws,
)
from simulation.model.covariance import DenseFactor

_TRAINED = 100
_WEIGHTS = (0.0, 0.2, 0.5)
_HEIGHTS = (0.16, 0.4, 1.0)
_JITTER = 1e-10


def one_arm_blocks_floor(
    problem: Problem,
    *,
    others: FloatArray | None = None,
    paths: int = 1_000,
    delta: float = 0.01,
    seed: int = 0,
) -> RegretBound:
    """E R_n for every policy at fixed times, a small domain and any time kernel.

    Parameters
    ----------
    problem : Problem of n rounds
    others : (n,) floors of the single rounds, for the blocks where they are larger
    paths, delta, seed : of the simulation; ψ, the length of blocks and which floor each takes are
        chosen on other paths

    Cost: O(n³ + S·N·n²). In floating point. Raises InvalidInput for one point or a singular K.
    """
    require_draws(paths)
    require_delta(delta)
    matrix = gram_of(problem)
    arms, factor = Arms.of(matrix), DenseFactor.of(matrix)
    n = problem.n
    rounds = np.zeros(n) if others is None else others
    training, main = generator(seed).spawn(2)
    tried = field_paths(problem, factor, _TRAINED, training)
    best, chosen = -1.0, (Share(0.0, 1.0), n, np.ones(1, dtype=bool))
    for length in sorted({min(n, 2**k) for k in range(2, 12)}):
        told = told_before(problem, length)
        plain = np.add.reduceat(rounds, np.arange(0, n, length))
        for weight in _WEIGHTS:
            for height in _HEIGHTS:
                share = Share(weight, height)
                means = _block_values(arms, tried, told, length, share).mean(axis=0)
                total = float(np.maximum(means, plain).sum())
                if total > best:
                    best, chosen = total, (share, length, means > plain)
    share, length, own = chosen
    values = _block_values(
        arms, field_paths(problem, factor, paths, main), told_before(problem, length), length, share
    )
    rest = float(np.add.reduceat(rounds, np.arange(0, n, length))[~own].sum())
    below = mean_below(values[:, own].sum(axis=1), delta) if np.any(own) else 0.0
    return OneArmFloor().at(
        rest + below,
        f"closed form, blocks of {length} ({int(own.sum())} of {len(own)}; floors of rounds in the "
        f"others), {paths} paths, ψ(u) = {1.0 - share.weight:.3g}·min(u, {share.height:.3g})",
        level=1.0 - delta,
        simulated=True,
    )


def told_before(problem: Problem, length: int) -> tuple[FloatArray, FloatArray]:
    """(n, n) weights of the earlier blocks' ξ in E[ξ_k | H], and (n,) the deviations left."""
    every = slice(None)
    gram = np.asarray(problem.time_kernel.at_distance(problem.times.distances(every, every)))
    n = len(gram)
    weights, left = np.zeros((n, n)), np.ones(n)
    factor = linalg.cholesky(gram + _JITTER * np.eye(n), lower=True)
    for start in range(length, n, length):
        some = slice(start, min(start + length, n))
        solved = linalg.cho_solve((factor[:start, :start], True), gram[:start, some]).T
        weights[some, :start] = solved
        left[some] = 1.0 - np.einsum("ij,ij->i", solved, gram[some, :start])
    return weights, np.sqrt(np.maximum(left, 0.0))


def _block_values(
    arms: Arms,
    fields: FloatArray,
    told: tuple[FloatArray, FloatArray],
    length: int,
    share: Share,
) -> FloatArray:
    """(S, blocks) Σ_x of the minima."""
    weights, left = told
    n = len(left)
    starts = np.arange(0, n, length)
    total = np.zeros((len(fields), len(starts)))
    for x, variance in enumerate(arms.variances.tolist()):
        root = float(np.sqrt(variance))
        path = arms.thresholds(fields, x)
        means = (root * (fields @ arms.inverse[:, x])) @ weights.T  # of ξ = √c (K⁻¹f)_x
        w, h = share.weight, share.height / root
        gap = path - means
        play = root * (w * mean_excess(gap, left) + (1.0 - w) * mean_excess(gap - h, left))
        skip = root * (1.0 - w) * (mean_excess(-gap, left) - mean_excess(-gap - h, left))
        for block, start in enumerate(starts.tolist()):
            some = slice(start, min(start + length, n))
            passed = np.cumsum(skip[:, some], axis=1)
            first = (passed - skip[:, some] + play[:, some]).min(axis=1)
            total[:, block] += np.minimum(first, passed[:, -1])
    return np.maximum(total, 0.0)
