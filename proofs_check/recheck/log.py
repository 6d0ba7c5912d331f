"""Check the certificate of a finished run again: its order statistic, and its draws by other code.

The posterior is computed densely, from roots of whole Gram matrices and one linear system a draw,
without the finder's passes through time. Fresh draws refute and do not prove: the draws of the file
are refused where they are not of the same law as those made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.progress import Stage
from bounds.reading import Text
from proofs_check.recheck import reading as files
from proofs_check.recheck.grid import domain_of, float_gram, float_kernel
from proofs_check.recheck.outcome import Rechecked, Refused, each
from proofs_check.recheck.problem import is_number, require_problem
from proofs_check.recheck.same_law import agreement
from proofs_check.recheck.times import exact_instants

_LARGEST = 4_000
_MOST_ROUNDS = 2_000
_FEWEST_DRAWS, _MOST_DRAWS, _MOST_WORK = 99, 4_000, 2e10
_SURELY_OTHER = 1e-6
_ROUNDING = 1e-9
"""Of regrets, as a share of Σ(1 + |y|): other code parts by it what is equal, such as regrets 0."""


def recheck_log(path: Path | Text, progress: Stage | None = None) -> tuple[Rechecked, ...]:
    """Derive the claim of the certificate of a run again; `InvalidInput` where it is damaged.

    Seconds at 130 rounds and 2,500 points.
    """
    body = files.read(path, files.LOG_FORMAT)
    return each(body["claims"], lambda claim: _check(body, claim), progress, "SAMPLED")


def _check(body: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    problem, draws, rank = body["problem"], body["draws"], body["rank"]
    require_problem(problem)
    if claim["id"] != "rank" or not is_number(claim["value"]):
        raise Refused("is no claim of this kind")
    if not isinstance(draws, list) or not draws or not all(map(is_number, draws)):
        raise Refused("the draws are no list of numbers")
    if type(rank) is not int or not 1 <= rank <= len(draws):
        raise Refused("no draw has this rank")
    if Fraction(rank, len(draws) + 1) < 1 - Fraction(repr(float(problem["delta"]))):
        raise Refused(f"rank {rank} of {len(draws)} draws does not reach the level")
    if claim["value"] < sorted(draws)[rank - 1]:
        raise Refused(f"is below draw number {rank}, {sorted(draws)[rank - 1]:.6g}")
    again = posterior_regrets(body)
    size = sum(1.0 + abs(float(value)) for value in body["observations"])
    alike = agreement(np.array(draws, dtype=float), again, _ROUNDING * size)
    if alike < _SURELY_OTHER:
        raise Refused(
            f"the draws are not of this posterior: their mean is {np.mean(draws):.4g}, that of "
            f"{len(again)} fresh ones {again.mean():.4g}"
        )
    return f"draw {rank} of {len(draws)}; {len(again)} fresh ones agree (p = {alike:.2g})"


def posterior_regrets(body: Mapping[str, Any]) -> FloatArray:
    """Σ_i max_x f(x,τ_i) − f(x_i,τ_i) on posterior paths, as many as time allows."""
    problem = body["problem"]
    played = np.array(body["points"], dtype=float)
    y = np.array(body["observations"], dtype=float)
    times = np.array([float(t) for t in exact_instants(problem)])
    n = len(times)
    domain = domain_of(problem)
    grid = domain.points
    if played.shape != (n, grid.shape[1]) or y.shape != (n,) or n > _MOST_ROUNDS:
        raise Refused("points or observations of other rounds than there are, or too many")
    if not (np.all(np.isfinite(played)) and np.all(np.isfinite(y))):
        raise Refused("points and observations are finite")
    sites = np.concatenate([grid, played])
    if len(sites) > _LARGEST:
        raise Refused(f"more than {_LARGEST} points are too many to be checked densely")
    places = np.arange(len(grid), len(sites))
    K = float_gram(domain.kernel, sites)
    J = float_kernel(problem["time_kernel"], np.abs(np.subtract.outer(times, times)))
    noise = float(problem["noise_variance"])
    seen = K[np.ix_(places, places)] * J + noise * np.eye(n)
    space, time = _root(K), _root(J)
    rng = np.random.default_rng(np.random.SeedSequence(body["seed"], spawn_key=(77,)))
    affordable = int(_MOST_WORK / (n * len(sites) ** 2))
    regrets = np.empty(min(max(affordable, _FEWEST_DRAWS), _MOST_DRAWS))
    for draw in range(len(regrets)):
        path = time @ rng.standard_normal((time.shape[1], space.shape[1])) @ space.T
        own = path[np.arange(n), places] + np.sqrt(noise) * rng.standard_normal(n)
        path += (J * np.linalg.solve(seen, y - own)) @ K[places]
        regrets[draw] = (path.max(axis=1) - path[np.arange(n), places]).sum()
    return regrets


def _root(gram: FloatArray) -> FloatArray:
    """R with RRᵀ = gram, of the numerical rank."""
    values, vectors = np.linalg.eigh(gram)
    kept = values > 1e-12 * values[-1]
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]))
