"""Check the floor of a certificate of bounds again, by code of its own.

The floor is redone with exact fractions and balls: the scalar recursion of p_i, or for other time
kernels the residual of each predictor; Slepian's comparison for m*; the start-up part. Nothing here
calls the code that found the numbers: kernels are those of `recheck.grid`, and E max of independent
normals is another integral.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray
from bounds.enclosure import Number, matrices
from bounds.enclosure.integrals import integral
from proofs_check.recheck.bounds.first_looks import mean_lengths, shaped_worth
from proofs_check.recheck.bounds.quantised import recheck_quantised
from proofs_check.recheck.grid import (
    GridByReflections,
    domain_of,
    exact,
    forgets,
    is_definite,
    kernel_value,
    time_gram,
)
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.times import exact_instants

_BITS = 128
_REACH = 15
_MOST_POINTS = 64
_MOST_SHAPED = 12


def recheck_floor(entry: Mapping[str, Any], problem: Mapping[str, Any]) -> Number:
    """The floor that p_i and m* of a certificate give for its problem and its delay.

    Refused where one of them is not certainly on the safe side of what is derived.
    """
    with enclosure.precision(_BITS):
        domain, instants = domain_of(problem), exact_instants(problem)
        noise = exact(problem["noise_variance"])
        common = Fraction(entry["common"])
        if common:
            _check_common(domain, common)
            noise = enclosure.divide(noise, 1 - exact(common))
        shares = [exact(p) for p in entry["shares"]]
        if len(shares) != len(instants):
            raise Refused("one p_i for each duration")
        if any(not 0 <= p <= 1 for p in shares):
            raise Refused("a p_i outside [0, 1]")
        delay = problem["delay"]
        if entry["weights"] is None:
            _check_recursion(problem["time_kernel"], instants, noise, delay, shares)
        else:
            J = time_gram(problem["time_kernel"], instants, instants)
            _check_residuals(J, entry["weights"], noise, delay, shares)
        maximum = _checked_maximum(entry["maximum"], domain)
        total, worths = enclosure.ball(0), mean_lengths(len(shares))
        for i, share in enumerate(shares):
            spread = enclosure.sqrt(1 - share)
            term = maximum * (1 - spread)
            known = max(i - delay, 0)
            if entry["rank"]:
                worth = worths[known]
                if known and not common:
                    # The kernels known here are nowhere negative: half a look for a sign.
                    worth = (worths[known] + worths[known - 1]) / 2
                if common:
                    # What is left of f beside the part that is told has the variance 1 − c.
                    worth = worth * enclosure.sqrt(1 - exact(common))
                worth = spread * worth
                if entry["shape"] and not common and 2 <= known <= _MOST_SHAPED:
                    shaped = _shaped(problem, instants, i, known, share)
                    worth = enclosure.minimum(worth, shaped)
                term = enclosure.maximum(term, maximum - worth)
            total += enclosure.ball(term)
        return total


def _check_recursion(
    kernel: Mapping[str, Any],
    instants: Sequence[Fraction],
    noise: Number,
    delay: int,
    shares: Sequence[Number],
) -> None:
    """p = 1 − k(τ_i−τ_j)²·(1 − pσ²/(p+σ²)), j the last round known: each p_i lies below."""
    if not forgets(kernel):
        raise Refused("the recursion holds for the forgetting and the exponential kernel alone")
    after: list[Number] = []

    def left(i: int, last: int) -> Number:
        if last < 0:
            return 1
        decay = enclosure.ball(kernel_value(kernel, instants[i] - instants[last]))
        return 1 - decay * decay * (1 - after[last])

    for i, share in enumerate(shares):
        at_once = left(i, i - 1)
        after.append(enclosure.divide(at_once * noise, at_once + noise))
        if enclosure.certainly_le(share, left(i, i - 1 - delay)) is not True:
            raise Refused(f"p_{i + 1} is not below what the recursion gives")


def _check_residuals(
    J: BallArray, weights: Sequence[Any], noise: Number, delay: int, shares: Sequence[Number]
) -> None:
    """p_i ≥ 1 − jᵀc − cᵀr − |r|²/σ² with r = j − (J + σ²I)c, or p_i ≥ σ²/(σ²+k)."""
    for i, share in enumerate(shares):
        known = max(i - delay, 0)
        if share * (noise + known) <= noise:
            continue
        c = np.array([exact(w) for w in weights[i][:known]], dtype=object)
        j = J[i, :known]
        residual = j - J[:known, :known] @ c - c * noise
        explained = (j * c + c * residual + residual * residual / noise).sum()
        if enclosure.certainly_le(share, 1 - explained) is not True:
            raise Refused(f"p_{i + 1} is not below what its weights prove")


def _checked_maximum(maximum: Mapping[str, Any], domain: GridByReflections) -> Number:
    """m* ≥ √(1−ρ)·M_p for the points named, ρ derived from all their pairs."""
    value, chosen = exact(maximum["value"]), list(maximum["points"])
    if value <= 0:
        return 0
    if maximum["cells"] is not None:
        if enclosure.certainly_le(value, recheck_quantised(maximum, domain)) is not True:
            raise Refused("m* is not below what the quantised subset gives")
        return value
    rows = domain.gram(chosen, chosen)
    pairs = [rows[a, b] for a, b in itertools.combinations(range(len(chosen)), 2)]
    least = enclosure.sqrt(1 - enclosure.maximum(pairs)) * largest_of_normals(len(chosen))
    if enclosure.certainly_le(value, least) is not True:
        raise Refused("m* is not below what the comparison gives")
    return value


def _check_common(domain: GridByReflections, common: Fraction) -> None:
    """c > 0 and K − c·11ᵀ is positive definite."""
    if common < 0:
        raise Refused("a negative common part")
    if domain.size > _MOST_POINTS:
        raise Refused(f"a common part of more than {_MOST_POINTS} points")
    if not is_definite(domain.gram(range(domain.size), range(domain.size)) - exact(common)):
        raise Refused("the common part is not certainly one")


def largest_of_normals(count: int, *, above: bool = False) -> Number:
    """E max of independent normals from one side, ∫_0^R (1 − Φ^m) − ∫_{−R}^0 Φ^m ∓ tail.

    Below −R Φ^m is at most Φ, beyond R 1 − Φ^m at most m(1 − Φ); ∫_R^∞ (1 − Φ) is below ϕ(R)/R².
    """
    root = enclosure.sqrt(2)

    def below(x: Any) -> Any:
        return ((-x / root).erfc() / 2) ** count

    middle = integral(lambda x: 1 - below(x), 0, _REACH) - integral(below, -_REACH, 0)
    tail = enclosure.exp(enclosure.exact(Fraction(-_REACH * _REACH, 2)))
    return middle + count * tail if above else middle - tail


def _shaped(
    problem: Mapping[str, Any],
    instants: Sequence[Fraction],
    i: int,
    known: int,
    share: Number,
) -> Number:
    """What the looks known at round i (from 0) are worth on a field of the squared exponential."""
    if problem["space_kernel"]["type"] != "SquaredExponential":
        raise Refused("the shape of the first looks is known of the squared exponential alone")
    since = enclosure.ball(kernel_value(problem["time_kernel"], instants[i] - instants[0]))
    correlation = max(0.0, float(matrices.downward(since)))
    left = float(matrices.downward(enclosure.ball(share)))
    return exact(shaped_worth(known, float(problem["noise_variance"]), correlation, left))
