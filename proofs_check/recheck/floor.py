"""Check the certificates of floors and of schedules again, by code of their own.

A floor's certificate (`floor_certificate` of `bounds.regret_itself.floors.certificate`) is redone
from the durations with exact fractions and balls: the scalar recursion of p_i, or for other time
kernels the residual of each predictor; Slepian's comparison for m*; the start-up part. Nothing here
calls the code that found the numbers: kernels are those of `recheck.grid`, and E max of independent
normals is another integral. A schedule's certificate is simulated again from its seed through a
joint Cholesky factor.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds import enclosure
from bounds.arrays import FloatArray
from bounds.enclosure import Number
from bounds.enclosure.integrals import integral
from proofs_check.recheck.grid import domain_of, float_kernel, kernel_value
from proofs_check.recheck.outcome import Refused

_BITS = 128
_REACH = 15
_MOST_POINTS = 64


def recheck_floor(certificate: Mapping[str, Any]) -> float:
    """The certified floor derived again; raises `Refused` where a step does not hold.

    Everything claimed must be on the safe side of what is derived: p_i, m* and the floor itself.
    """
    with enclosure.precision(_BITS):
        noise = _exact(certificate["noise_variance"])
        if not noise > 0:
            raise Refused("the noise variance must be positive")
        common = Fraction(certificate.get("common") or 0)
        if common:
            _check_common(certificate["maximum"], common)
            noise = enclosure.divide(noise, 1 - _exact(common))
        durations = [_exact(t) for t in certificate["durations"]]
        if any(t < 0 for t in durations) or not durations:
            raise Refused("durations are not negative, and there is at least one")
        shares = [_exact(p) for p in certificate["shares"]]
        if len(shares) != len(durations):
            raise Refused("one p_i for each duration")
        if any(not 0 <= p <= 1 for p in shares):
            raise Refused("a p_i outside [0, 1]")
        delay = int(certificate["delay"])
        if delay < 0:
            raise Refused("a negative delay")
        if certificate["weights"] is None:
            _check_recursion(certificate["time_kernel"], durations, noise, delay, shares)
        else:
            _check_residuals(certificate, durations, noise, delay, shares)
        maximum = _checked_maximum(certificate["maximum"])
        total: Number = 0
        for i, share in enumerate(shares):
            spread = enclosure.sqrt(1 - share)
            term = maximum * (1 - spread)
            known = max(i - delay, 0)
            if certificate["rank"]:
                alone = known == 1 and not common and _non_negative(certificate)
                rest = maximum - spread * (_one_look() if alone else _mean_length(known))
                term = enclosure.maximum(term, rest)
            total = total + enclosure.ball(term)
        value = float(certificate["value"])
        claimed = _exact(value)
        if enclosure.certainly_le(claimed, total) is not True:
            raise Refused(
                f"claims {certificate['value']!r}, but {float(total.mid())!r} is what follows"
            )
        return float(certificate["value"])


def recheck_schedule(certificate: Mapping[str, Any], *, draws: int = 2_000) -> float:
    """A schedule's number simulated again on other draws: the bound, if the two agree.

    By one Cholesky factor of all scheduled observations a round, maxima instead of half ranges, and
    other streams. A simulation can refute and not prove: refused where the number claimed is
    below the new mean by more than four standard errors.
    """
    points = np.array(certificate["points"], dtype=float)
    rounds, chosen = list(certificate["rounds"]), list(certificate["schedule_points"])
    if any(b <= a for a, b in itertools.pairwise(rounds)) or len(rounds) != len(chosen):
        raise Refused("rounds must increase, one point for each")
    instants = np.cumsum([float(Fraction(t)) for t in certificate["durations"]])
    n, noise = len(instants), float(certificate["noise_variance"])
    if rounds and (rounds[-1] >= n or rounds[0] < 0 or max(chosen) >= len(points)):
        raise Refused("a scheduled round or point that does not exist")
    space = certificate["gram"]
    if space is None:
        gaps = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))
        gram = float_kernel(certificate["space_kernel"], gaps)
    else:
        gram = np.array(space, dtype=float)
    rng = np.random.default_rng(np.random.SeedSequence(certificate["seed"], spawn_key=(99,)))
    values, vectors = np.linalg.eigh(gram)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    highest = (rng.standard_normal((draws, len(gram))) @ root.T).max(axis=1)
    reached = np.zeros(draws)
    claimed, scheduled = float(certificate["value"]), set(rounds)
    for i in range(n):
        if i & (i - 1) == 0:
            _require_at_least(claimed, i, highest, reached)
        known = bisect_left(rounds, i)
        if i in scheduled or not known:
            continue
        at, then = chosen[:known], instants[rounds[:known]]
        seen = gram[np.ix_(at, at)] * float_kernel(
            certificate["time_kernel"], np.abs(np.subtract.outer(then, then))
        ) + noise * np.eye(len(at))
        cross = gram[at] * float_kernel(certificate["time_kernel"], instants[i] - then)[:, None]
        rows = np.linalg.solve(np.linalg.cholesky(seen), cross)
        reached += (rng.standard_normal((draws, len(at))) @ rows).max(axis=1)
    _require_at_least(claimed, n, highest, reached)
    return claimed


def _require_at_least(claimed: float, n: int, highest: FloatArray, reached: FloatArray) -> None:
    """Refuse a number that is below what n rounds lose, by more than four standard errors."""
    estimate = n * float(highest.mean()) - float(reached.mean())
    error = float(np.sqrt((n * n * highest.var() + reached.var()) / len(highest)))
    if claimed + 4.0 * error < estimate:
        raise Refused(f"claims {claimed:.4g}, but {estimate:.4g} ± {error:.2g} is what comes out")


def _exact(value: Any) -> Number:
    """A fraction written as text, or the exact number that a double is."""
    return enclosure.exact(Fraction(value))


def _check_recursion(
    kernel: Mapping[str, Any],
    durations: Sequence[Number],
    noise: Number,
    delay: int,
    shares: Sequence[Number],
) -> None:
    """p_1 = 1, p_{i+1} = 1 − a²·p/(p+σ²)·…: each claimed p_i must lie below the true one."""
    if kernel["type"] != "Forgetting" and Fraction(kernel.get("nu", 0)) != Fraction(1, 2):
        raise Refused("the recursion holds for the forgetting and the exponential kernel alone")
    exact_share: Number = 1
    after: list[Number] = []
    for i, duration in enumerate(durations):
        if i:
            decay = enclosure.ball(kernel_value(kernel, duration))
            exact_share = 1 - decay * decay * (1 - after[-1])
        after.append(enclosure.divide(exact_share * noise, exact_share + noise))
        true_share: Number = exact_share
        if delay:
            true_share = 1
            if i > delay:
                wait = sum(durations[i - delay : i + 1])
                decay = enclosure.ball(kernel_value(kernel, wait))
                true_share = 1 - decay * decay * (1 - after[i - delay - 1])
        if enclosure.certainly_le(shares[i], true_share) is not True:
            raise Refused(f"p_{i + 1} is not below what the recursion gives")


def _check_residuals(
    certificate: Mapping[str, Any],
    durations: Sequence[Number],
    noise: Number,
    delay: int,
    shares: Sequence[Number],
) -> None:
    """p_i ≥ 1 − jᵀc − cᵀr − |r|²/σ² with r = j − (J + σ²I)c, or p_i ≥ σ²/(σ²+k)."""
    instants = list(itertools.accumulate(durations))
    values: dict[Number, Number] = {}

    def time(i: int, j: int) -> Number:
        lag = abs(instants[i] - instants[j])
        if lag not in values:
            values[lag] = enclosure.ball(kernel_value(certificate["time_kernel"], lag))
        return values[lag]

    for i, share in enumerate(shares):
        known = max(i - delay, 0)
        if share * (noise + known) <= noise:
            continue
        c = [_exact(w) for w in certificate["weights"][i][:known]]
        if len(c) != known:
            raise Refused(f"round {i + 1} has no weight for every known round")
        explained: Number = 0
        for k in range(known):
            fitted = enclosure.total(time(k, j) * c[j] for j in range(known)) + noise * c[k]
            residual = time(i, k) - fitted
            explained = explained + time(i, k) * c[k] + c[k] * residual
            explained = explained + enclosure.divide(residual * residual, noise)
        if enclosure.certainly_le(share, 1 - explained) is not True:
            raise Refused(f"p_{i + 1} is not below what its weights prove")


def _checked_maximum(maximum: Mapping[str, Any]) -> Number:
    """m* ≥ √(1−ρ)·M_p for the points named, ρ derived from all their pairs."""
    value, chosen = _exact(maximum["value"]), list(maximum["points"])
    if value <= 0:
        return 0
    if len(chosen) < 2 or len(set(chosen)) != len(chosen):
        raise Refused("two different points at least")
    rows = _gram(maximum, chosen)
    pairs = [rows[a][b] for a, b in itertools.combinations(range(len(chosen)), 2)]
    least = enclosure.sqrt(1 - enclosure.maximum(pairs)) * _largest_of_normals(len(chosen))
    if enclosure.certainly_le(value, least) is not True:
        raise Refused("m* is not below what the comparison gives")
    return value


def _check_common(maximum: Mapping[str, Any], common: Fraction) -> None:
    """0 < c < 1 and K − c·11ᵀ positive definite: every pivot of its elimination is positive."""
    if not 0 < common < 1:
        raise Refused("the common part lies between 0 and 1")
    rest = [[enclosure.ball(value - _exact(common)) for value in row] for row in _gram(maximum)]
    for k, pivots in enumerate(rest):
        if enclosure.certainly_lt(0, pivots[k]) is not True:
            raise Refused("the common part is not certainly one")
        for row in rest[k + 1 :]:
            factor = enclosure.divide(row[k], pivots[k])
            for j in range(k, len(row)):
                row[j] = row[j] - factor * pivots[j]


def _gram(maximum: Mapping[str, Any], points: Sequence[int] = ()) -> list[list[Number]]:
    """K at the points named, or over the whole domain where none are."""
    rows, domain = maximum["gram"], maximum["domain"]
    arms = rows is None and domain["type"] == "Arms"
    if rows is None and not arms:
        grid = domain_of({**domain, **maximum})
        return grid.gram(*2 * [points or _few(grid.size)]).tolist()  # type: ignore[no-any-return]
    chosen = points or _few(int(domain["count"]) if arms else len(rows))
    if arms and not 0 <= min(chosen) <= max(chosen) < int(domain["count"]):
        raise Refused("an arm that does not exist")
    if not arms and any(_exact(rows[a][a]) != 1 for a in chosen):
        raise Refused("the prior's variance is 1")
    return [[_exact(int(a == b) if arms else rows[a][b]) for b in chosen] for a in chosen]


def _few(count: int) -> Sequence[int]:
    if count > _MOST_POINTS:
        raise Refused(f"a common part of more than {_MOST_POINTS} points")
    return range(count)


def _largest_of_normals(count: int) -> Number:
    """A lower bound on E max of independent normals, ∫_0^R (1 − Φ^m) − ∫_{−R}^0 Φ^m − tail.

    Beyond −R Φ^m is at most Φ, whose integral is below ϕ(R)/R².
    """
    root = enclosure.sqrt(2)

    def below(x: Any) -> Any:
        return ((-x / root).erfc() / 2) ** count

    above = integral(lambda x: 1 - below(x), 0, _REACH)
    tail = enclosure.exp(enclosure.exact(Fraction(-_REACH * _REACH, 2)))
    return above - integral(below, -_REACH, 0) - tail


def _mean_length(count: int) -> Number:
    """Eχ_k = √(2/π) for k = 1, then Eχ_k = (k−1)/Eχ_{k−1}; the recursion of Γ, not Γ itself."""
    if count == 0:
        return 0
    length = enclosure.sqrt(enclosure.divide(2, enclosure.pi()))
    for k in range(2, count + 1):
        length = enclosure.divide(k - 1, length)
    return length


def _one_look() -> Number:
    """E w₊ = 1/√(2π): what one observation is worth where no covariance is negative."""
    return enclosure.divide(1, enclosure.sqrt(2 * enclosure.pi()))


def _non_negative(certificate: Mapping[str, Any]) -> bool:
    """Whether k_space ≥ 0: true of the kernels that `kernel_value` knows, as k_time ≥ 0 is."""
    rows = certificate["maximum"]["gram"]
    return rows is None or all(_exact(value) >= 0 for row in rows for value in row)
