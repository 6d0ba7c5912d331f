"""The number of a schedule in a certificate of bounds, simulated again with its level.

Theorem X: |E|·m* + Σ_{i∉E}(m* − E max N(0, K − P_i)). Both means are those of half ranges,
(max − min)/2, over draws of this module's own, whose seed the file does not choose. Half the range
of a field is Lipschitz in the normals behind it with ℓ² at most its largest variance and ½ for a
kernel that is nowhere negative; sums of them with the sum of the ℓ, and with the root of the sum of
the ℓ² where the normals of the terms are others. So the mean of S of them errs by more than
ℓ√(2 log(1/δ)/S) on one side with a probability of at most δ (Gaussian concentration).
The draws come from a joint Cholesky factor of the scheduled observations, round by round.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from math import hypot, log, sqrt
from typing import Any

import numpy as np

from bounds.arrays import FloatArray
from proofs_check.recheck.grid import domain_of, float_gram, float_kernel
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.problem import axes_of, is_list
from proofs_check.recheck.sampling import own_generator, symmetric_root
from proofs_check.recheck.times import exact_instants

_FEWEST, _MOST, _WORK = 1_000, 20_000, 3e11
_AT_ONCE = 4_000_000
_LARGEST = 3_000
_HALF_RANGE = 0.5
_SAME = 1e-12  # by which the fields of two rounds differ that count as multiples

Fields = Callable[[FloatArray], FloatArray]


def recheck_schedule(entry: Mapping[str, Any], problem: Mapping[str, Any]) -> tuple[float, int]:
    """(a bound on E R_n at the entry's level 1 − δ, over how many draws of its own).

    The larger of as many draws as the work allows, and refused where even few are too many.
    """
    rounds, chosen, delta = entry["rounds"], entry["points"], float(entry["delta"])
    if not 0.0 < delta < 1.0:
        raise Refused("the schedule has no level in (0, 1)")
    domain = domain_of(problem)
    instants = np.array([float(t) for t in exact_instants(problem)])
    n = len(instants)
    if any(b <= a for a, b in pairwise(rounds)) or len(rounds) != len(chosen):
        raise Refused("rounds must increase, one point for each")
    if rounds and (rounds[0] < 0 or rounds[-1] >= n):
        raise Refused("a scheduled round that does not exist")
    if any(not 0 <= x < domain.size for x in chosen):
        raise Refused("a scheduled point that does not exist")
    if domain.size > _LARGEST:
        raise Refused(f"a schedule over more than {_LARGEST} points")
    draws = int(min(_MOST, _WORK / (domain.size * (domain.size + n * (len(rounds) + 8)))))
    if draws < _FEWEST:
        raise Refused("the schedule is too large to be simulated again")
    gram = float_gram(domain.kernel, domain.points)
    rng = own_generator("schedule", problem, rounds, chosen)
    concentrated = sqrt(2.0 * log(1.0 / delta) / draws)
    highest = _mean_half_range(_of_prior(problem, gram), domain.size, domain.size, rng, draws)
    of_prior = 0.0 if domain.size == 1 else n * sqrt(_HALF_RANGE)
    reached, steepness, last, mean = 0.0, 0.0, np.empty((0, domain.size)), 0.0
    for rows in _rounds(problem, gram, instants, rounds, chosen):
        share = _share_of(rows, last)
        if share is None:
            last, share = rows, 1.0
            known, size = rows.shape
            mean = _mean_half_range(partial(_through, rows), known, size, rng, draws)
        reached += share * mean
        steepness += sqrt(min(float(np.square(rows).sum(axis=0).max()), _HALF_RANGE))
    return n * highest - reached + hypot(of_prior, steepness) * concentrated, draws


def _rounds(
    problem: Mapping[str, Any],
    gram: FloatArray,
    instants: FloatArray,
    rounds: list[int],
    chosen: list[int],
) -> Iterator[FloatArray]:
    """(known, N) R with RᵀR = K − P_i, for each round that is not scheduled."""
    kernel, noise, scheduled = problem["time_kernel"], problem["noise_variance"], set(rounds)
    then, among = instants[rounds], gram[np.ix_(chosen, chosen)]
    lags = np.abs(np.subtract.outer(then, then))
    factor = np.linalg.cholesky(among * float_kernel(kernel, lags) + noise * np.eye(len(then)))
    for i, instant in enumerate(instants):
        known = bisect_left(rounds, i)
        if i not in scheduled and known:
            cross = gram[chosen[:known]] * float_kernel(kernel, instant - then[:known])[:, None]
            # The factor of the first rows is the first part of the factor.
            yield np.asarray(np.linalg.solve(factor[:known, :known], cross), dtype=float)


def _share_of(rows: FloatArray, before: FloatArray) -> float | None:
    """s ≥ 0 with rows = s·before; None where there is none.

    For a Markov time kernel the rounds between two observations see one field, which only shrinks:
    one set of draws serves them all, as a sum of half ranges of the same normals is Lipschitz with
    the sum of their constants too.
    """
    if rows.shape != before.shape:
        return None
    size = float(np.vdot(before, before))
    share = float(np.vdot(rows, before)) / size if size > 0.0 else 0.0
    near = float(np.abs(rows - share * before).max()) <= _SAME * sqrt(size)
    return share if near and share >= 0.0 else None


def _of_prior(problem: Mapping[str, Any], gram: FloatArray) -> Fields:
    """Normals to draws of N(0, K), by the symmetric root: axis by axis where K is a product."""
    kernel = problem["space_kernel"]
    if kernel["type"] != "SquaredExponential" or is_list(problem):
        return partial(_through, symmetric_root(gram))
    sides, counts = axes_of(problem)
    places = (np.linspace(0.0, float(s), q)[:, None] for s, q in zip(sides, counts, strict=True))
    roots = [symmetric_root(float_gram(kernel, along)) for along in places]

    def fields(normals: FloatArray) -> FloatArray:
        shaped = normals.reshape(-1, *counts)
        for axis, root in enumerate(roots, 1):
            shaped = np.moveaxis(np.tensordot(shaped, root, (axis, 0)), -1, axis)
        return shaped.reshape(len(normals), -1)

    return fields


def _through(rows: FloatArray, normals: FloatArray) -> FloatArray:
    return np.asarray(normals @ rows)


def _mean_half_range(
    fields_of: Fields, count: int, size: int, rng: np.random.Generator, draws: int
) -> float:
    """The mean of (max − min)/2 of the fields that so many normals make."""
    total, done = 0.0, 0
    while done < draws:
        some = min(draws - done, max(_AT_ONCE // size, 1))
        fields = fields_of(rng.standard_normal((some, count)))
        total += 0.5 * float((fields.max(axis=1) - fields.min(axis=1)).sum())
        done += some
    return total / draws
