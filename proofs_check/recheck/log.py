"""Check the certificate of a finished run again: another rank certificate, by other code.

Of the file only the data and the claim count. The posterior is computed densely, from roots of
whole Gram matrices and one linear system a draw, without the finder's passes through time, and the
seed of the draws is a digest of the data: k of the S draws made here have k/(S + 1) ≥ 1 − δ, so
that the k-th smallest is a certificate by itself, and a claim below it is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.progress import Stage
from bounds.reading import Text, read_text
from proofs_check.recheck import reading as files
from proofs_check.recheck.grid import domain_of, float_gram, float_kernel
from proofs_check.recheck.outcome import Rechecked, Refused, each
from proofs_check.recheck.problem import require_problem
from proofs_check.recheck.sampling import own_generator, symmetric_root
from proofs_check.recheck.shape import LOG, require_shape
from proofs_check.recheck.times import exact_instants, stated

_LARGEST = 4_000
_MOST_ROUNDS = 2_000
_FEWEST_DRAWS, _MOST_DRAWS, _MOST_WORK = 99, 3_999, 2e10


def recheck_log(path: Path | Text, progress: Stage | None = None) -> tuple[Rechecked, ...]:
    """Derive the claim of the certificate of a run again; `InvalidInput` where it is damaged.

    Seconds at 130 rounds and 2,500 points.
    """
    file = read_text(path, "recheck")
    body = files.read(file, files.LOG_FORMAT)
    require_shape(body, LOG, file.name)
    return each(body["claims"], lambda claim: _check(body, claim), progress, "SAMPLED")


def certified_run(path: Path | Text) -> dict[str, Any]:
    """What the certificate of a run is about: its problem, and its data as their digest."""
    body = files.read(path, files.LOG_FORMAT)
    problem = stated(body["problem"], exact_instants(body["problem"]))
    data = json.dumps([body["points"], body["observations"]], separators=(",", ":"))
    return {**problem, "data": hashlib.sha256(data.encode()).hexdigest()}


def _check(body: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    if claim["id"] != "rank":
        raise Refused("is no claim of this kind")
    value, level, draws = rank_again(body)
    if claim["value"] < value:
        raise Refused(f"claims {claim['value']!r}, but {value!r} comes out at level {level:.4g}")
    return f"at level {level:.4g} again, by {draws:,} draws of its own"


def rank_again(body: Mapping[str, Any]) -> tuple[float, float, int]:
    """(R^(k), k/(S + 1) ≥ 1 − δ, S) of S regrets drawn here, for the least such k."""
    problem = body["problem"]
    require_problem(problem)
    level = 1 - Fraction(repr(float(problem["delta"])))
    regrets = posterior_regrets(body, ceil(1 / (1 - level)) - 1)
    if np.isnan(regrets).any():
        raise Refused("the data are too large to be drawn from in doubles")
    rank = max(ceil(level * (len(regrets) + 1)), 1)
    # Of a level that is higher than so many draws can have nothing but infinity is a bound.
    value = float(np.sort([*regrets, np.inf])[rank - 1])
    return value, rank / (len(regrets) + 1), len(regrets)


def posterior_regrets(body: Mapping[str, Any], least: int) -> FloatArray:
    """Σ_i max_x f(x,τ_i) − f(x_i,τ_i) on posterior paths, as many as time allows.

    They are `least` at least, where that is not too many. Problem and data are the seed.
    """
    problem = body["problem"]
    domain = domain_of(problem)
    grid = domain.points
    played = np.array(body["points"], dtype=float)
    y = np.array(body["observations"], dtype=float)
    times = np.array([float(t) for t in exact_instants(problem)])
    n = len(times)
    if played.shape != (n, grid.shape[1]) or y.shape != (n,):
        raise Refused("points or observations of other rounds than there are")
    if n > _MOST_ROUNDS or domain.size + n > _LARGEST:
        raise Refused(f"at most {_MOST_ROUNDS} rounds and {_LARGEST} points are checked densely")
    sites = np.concatenate([grid, played])
    places = np.arange(len(grid), len(sites))
    K = float_gram(domain.kernel, sites)
    J = float_kernel(problem["time_kernel"], np.abs(np.subtract.outer(times, times)))
    noise = float(problem["noise_variance"])
    covariance = K[np.ix_(places, places)] * J + noise * np.eye(n)
    space, time = symmetric_root(K), symmetric_root(J)
    rng = own_generator("rank", problem, body["points"], body["observations"])
    affordable = int(_MOST_WORK / (n * len(sites) ** 2))
    regrets = np.empty(min(max(affordable, _FEWEST_DRAWS, least), _MOST_DRAWS))
    for draw in range(len(regrets)):
        path = time @ rng.standard_normal((n, len(sites))) @ space
        own = path[np.arange(n), places] + np.sqrt(noise) * rng.standard_normal(n)
        path += (J * np.linalg.solve(covariance, y - own)) @ K[places]
        regrets[draw] = (path.max(axis=1) - path[np.arange(n), places]).sum()
    return regrets
