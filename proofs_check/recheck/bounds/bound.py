"""Check the certificate of a report of bounds again, by other code than that which made it.

Everything is read from the file and computed anew with more digits: kernels from Bessel functions,
the reflections of the grid from coordinates, determinants and quadratic forms of whole matrices
without the shortcuts of `bounds`, uniformity pair by pair or from sorted gaps. A claim is accepted
where the number derived here is certainly on its safe side.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bounds import enclosure
from bounds.arrays import BallArray
from bounds.enclosure import Number, matrices
from bounds.errors import InvalidInput
from bounds.progress import Stage
from bounds.reading import Text, read_text
from proofs_check.recheck import reading as files
from proofs_check.recheck.bounds.confidence import ConfidenceAgain
from proofs_check.recheck.bounds.floor import recheck_floor
from proofs_check.recheck.bounds.maximum import recheck_maximum
from proofs_check.recheck.bounds.prices import recheck_prices
from proofs_check.recheck.bounds.schedule import recheck_schedule
from proofs_check.recheck.grid import domain_of, exact, exact_matrix, scaled_identity, time_gram
from proofs_check.recheck.outcome import Rechecked, Refused, each
from proofs_check.recheck.problem import domain_size, require_problem
from proofs_check.recheck.shape import BOUND, require_shape
from proofs_check.recheck.times import (
    exact_center,
    exact_instants,
    instants_digest,
    stated,
    uniformity,
)

_BITS = 160
_MOST_OF_DESIGN = 1_200
_LONGEST_BLOCK = 1_000
"""Rounds of a design, and of a block of the dual: whole matrices of balls."""


def recheck_bound(
    path: Path | Text, progress: Stage | None = None, instants: Sequence[Fraction] | None = None
) -> tuple[Rechecked, ...]:
    """Derive every claim of a bound certificate again; `InvalidInput` where it is damaged.

    Where `instants` are given, they must be those of the certificate, exactly.
    `progress` is called before each with its name and the share that is done. Seconds at 130
    rounds, minutes at 2,000: the dual over points and times takes most of it.
    """
    file = read_text(path, "recheck")
    body = files.read(file, files.BOUND_FORMAT)
    require_shape(body, BOUND, file.name)
    if instants is not None and list(instants) != _instants_of(body):
        raise InvalidInput("times", f"{len(instants)} instants", "are not those of the certificate")
    with enclosure.precision(_BITS):
        derive = _Derivation(body)
        return _without_contradictions(each(body["claims"], derive.check, progress, "CERTIFIED"))


def is_lower(name: str) -> bool:
    """Whether a claim bounds from below."""
    return name in ("gain.lower", "floor", "floor.prices")


def at_once(name: str) -> bool:
    """Whether a claim is about the regret of a policy that knows each result at once."""
    return name.startswith("row.") or "regret" in name


def _without_contradictions(results: Sequence[Rechecked]) -> tuple[Rechecked, ...]:
    """Refuse a lower bound that is above an upper bound of the same, and that one with it.

    However each was derived: one of the two is false.
    """
    false = {}
    accepted = [result for result in results if result.accepted]
    for low in accepted:
        others = (high for high in accepted if _is_above(low.id, high.id))
        for high in others if is_lower(low.id) else ():
            if _value(low) > _value(high):
                false[low.id] = false[high.id] = f"{low.id} is above {high.id}: one is false"
    return tuple(
        replace(result, accepted=False, reason=false[result.id])
        if result.accepted and result.id in false
        else result
        for result in results
    )


def _is_above(low: str, high: str) -> bool:
    """Whether one claim is an upper bound of what the other bounds from below."""
    if low.startswith("floor"):
        return at_once(high)
    return high.startswith("gain.") and high != low


def _value(result: Rechecked) -> Fraction:
    return Fraction(result.value or 0.0)


def _instants_of(body: Mapping[str, Any]) -> list[Fraction]:
    try:
        return exact_instants(body["problem"])
    except (LookupError, TypeError, ValueError, ArithmeticError):
        return []  # every claim is refused for it


def certified_problem(path: Path | Text) -> dict[str, Any]:
    """What a bound certificate is about: its problem, and all else that its numbers depend on.

    The instants stand as their number, the last of them and their digest.
    """
    body = files.read(path, files.BOUND_FORMAT)
    instants = exact_instants(body["problem"])
    level = None if body["schedule"] is None else body["schedule"]["delta"]
    return {
        **stated(body["problem"], instants),
        "longest": body["longest"],
        "schedule_delta": level,
    }


class _Gains(dict[int, Number]):
    """γ̂_m by m; no bound where the file has none."""

    def __missing__(self, m: int) -> Number:
        return enclosure.infinite()


class _Derivation:
    """The numbers of one certificate, derived when they are asked for."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._body = body
        self._accepted: dict[str, Number] = {}
        self._how: dict[str, str] = {}
        self._at_distance: dict[Fraction, Number] = {}
        self._counts = Counter(claim["id"] for claim in body["claims"])

    def check(self, claim: Mapping[str, Any]) -> str:
        """Accept a claim or raise `Refused` with the number derived."""
        name, value, tau = claim["id"], claim["value"], self._instants
        if self._counts[name] > 1:
            raise Refused("stands in the file more than once")
        claimed = exact(value)
        if self._problem["delay"] and at_once(name):
            raise Refused("is for results at once, and the problem has a delay")
        rules: dict[str, Callable[[], Number]] = {
            "beta": self._beta,
            "gamma": lambda: self._gains[self._n],
            "gain.lower": self._lower,
            "gain.trivial": lambda: self._n * self._cap_rate(),
            "gain.theorem1": lambda: self._partitioned("theorem1"),
            "gain.additive": lambda: self._partitioned("additive"),
            "gain.refined": lambda: self._partitioned("refined"),
            "gain.any_pattern": self._any_pattern,
            "gain.knots": self._knots,
            "gain.joint_dual": lambda: self._dual(self._body["dual"], self._ratio),
            "row.envelope": self._envelope,
            "maximum": self._maximum,
            "floor": self._floor,
            "floor.prices": self._prices,
            "row.schedule": self._schedule,
        }
        if name.startswith("regret."):
            derived = self._regret(name.removeprefix("regret."))
        elif name in rules:
            derived = rules[name]()
        else:
            derived = ConfidenceAgain(self._body, tau, self._slope).derive(name, claimed)
        if name in ("gain.any_pattern", "gain.knots"):
            # These may be above the trivial cap, which no design exceeds.
            derived = enclosure.minimum(derived, self._n * self._cap_rate())
        sides = (claimed, derived) if is_lower(name) else (derived, claimed)
        if enclosure.certainly_le(*sides) is not True:
            middle = float(enclosure.ball(derived).mid())
            raise Refused(f"claims {value!r}, but {middle:.17g} is what follows")
        self._accepted[name] = claimed
        return self._how.get(name, "derived again")

    # The problem, as exact numbers.

    @property
    def _problem(self) -> Mapping[str, Any]:
        problem: Mapping[str, Any] = self._body["problem"]
        return problem

    @property
    def _n(self) -> int:
        return len(self._problem["times"])

    @cached_property
    def _instants(self) -> list[Fraction]:
        """The instants of a problem that can be."""
        require_problem(self._problem)
        instants = exact_instants(self._problem)
        if self._body["instants"] != instants_digest(instants):
            raise Refused("the instants have another digest")
        return instants

    @cached_property
    def _ratio(self) -> Number:
        return 1 / exact(self._problem["noise_variance"])

    def _cap_rate(self) -> Number:
        return enclosure.divide(enclosure.log(1 + self._ratio), 2)

    def _time(self, rows: Sequence[Fraction], columns: Sequence[Fraction]) -> BallArray:
        return time_gram(self._problem["time_kernel"], rows, columns, self._at_distance)

    def _drift(self, variances: BallArray) -> Number:
        """½ Σ log(1 + s·v)."""
        growth = [enclosure.log(1 + self._ratio * v) for v in variances]
        return enclosure.divide(enclosure.total(growth), 2)

    def _slope(self) -> Number:
        """θ of an exponential kernel; of any other none is certified, so that it is infinite."""
        kernel = self._problem["time_kernel"]
        if kernel["type"] == "Forgetting":
            return -enclosure.divide(enclosure.log(1 - Fraction(kernel["epsilon"])), 2)
        if kernel["type"] == "Matern" and kernel["nu"] == 0.5:
            return 1 / exact(kernel["lengthscale"])
        return enclosure.infinite()

    # The claims.

    def _beta(self) -> Number:
        points = domain_size(self._problem)
        weight = Fraction(points * self._n**2, 6) / Fraction(self._problem["delta"])
        return 2 * (enclosure.log(weight) + 2 * enclosure.log(enclosure.pi()))

    def _regret(self, name: str) -> Number:
        if name == "lower":
            raise Refused("a lower side of the gain bounds no regret")
        # Infinite where the file does not establish them before.
        unknown = enclosure.infinite()
        gain: Number = self._accepted.get(f"gain.{name}", unknown)
        beta: Number = self._accepted.get("beta", unknown)
        product = 8 * beta * self._n * gain
        return enclosure.sqrt(enclosure.divide(product, 2 * self._cap_rate()))

    @cached_property
    def _gains(self) -> _Gains:
        """The claimed γ̂_m, each checked against its line, the cap or the looks of arms."""
        lines = [self._line(line) for line in self._body["lines"]]
        gains = _Gains()
        for entry in self._body["gamma"]:
            m, claimed = int(entry["m"]), exact(entry["value"])
            bound = m * self._cap_rate()
            if self._problem["space_kernel"]["type"] == "Independent":
                bound = self._of_arms(m)
            elif entry["line"] is not None:
                rank, intercept, slope = lines[entry["line"]]
                # A bound on the gain of more rounds is one on the gain of fewer.
                bound = intercept + slope * max(m, rank)
            if enclosure.certainly_le(bound, claimed) is not True:
                raise Refused(f"gamma_{m} is below what its line gives")
            gains[m] = claimed
        return gains

    def _of_arms(self, m: int) -> Number:
        """γ_m of independent arms: ½ Σ log(1 + s·n_x) of looks dealt out one after another."""
        arms = domain_of(self._problem).size
        looks = Counter(m // arms + (x < m % arms) for x in range(arms))
        return enclosure.total(
            enclosure.divide(count * enclosure.log(1 + self._ratio * each), 2)
            for each, count in looks.items()
        )

    def _line(self, line: Mapping[str, Any]) -> tuple[int, Number, Number]:
        """(rank, intercept, slope) of γ_n ≤ intercept + slope·n, from whole matrices."""
        alpha = exact(line["alpha"])
        if alpha < 1:
            raise Refused("a certificate has alpha below 1")
        grid = domain_of(self._problem)
        space = grid.projections(line["points"], line["factors"])
        logs, rank, explained = enclosure.ball(0), 0, None
        for k, H, b in space:
            rank += k
            A = H + scaled_identity(k, alpha)
            logs += A.det().log() + A.inv().trace() - k
            quadratic = (matrices.entries(b) * matrices.entries(A.solve(b))).sum(axis=0)
            explained = quadratic if explained is None else explained + quadratic
        worst: Number = 1 if explained is None else _upper(1 - explained)
        psi = _psi(alpha)
        slope = enclosure.divide(psi + enclosure.divide(self._ratio * worst, alpha), 2)
        return rank, enclosure.divide(logs - rank * psi, 2), slope

    def _partitioned(self, objective: str) -> Number:
        entry, tau = self._body["partitions"][objective], self._instants
        cuts = entry["cuts"]
        if cuts[0] != 0 or cuts[-1] != self._n or any(b <= a for a, b in itertools.pairwise(cuts)):
            raise Refused("the cuts are no partition of the rounds")
        blocks = [tau[a:b] for a, b in itertools.pairwise(cuts)]
        gamma = self._gains
        if objective == "theorem1":
            price = len(blocks) * gamma[max(map(len, blocks))]
            rate: Number = exact(self._problem["epsilon"])
            if enclosure.certainly_le(self._slope(), rate) is not True:
                raise Refused("the hypothesis of Theorem 1, slope <= epsilon, is not certain")
        else:
            price = sum(gamma[len(block)] for block in blocks)
            rate = None if objective == "refined" else self._slope()
        total = enclosure.ball(price)
        for position, block in enumerate(blocks):
            if objective == "refined":
                center = exact_center(entry["centers"][position], tau)
                total += self._drift(1 - matrices.squares(self._time(block, [center])[:, 0]))
            else:
                x = self._ratio * enclosure.sqrt(
                    enclosure.divide(uniformity(block, rate), len(block))
                )
                growth = _phi(x) if objective == "theorem1" else enclosure.log(1 + x)
                total = total + enclosure.divide(len(block) * growth, 2)
        return total

    def _any_pattern(self) -> Number:
        tau, gamma = self._instants, self._gains[self._n]
        factor = 2 * self._ratio * gamma * self._n * exact(tau[-1] - tau[0])
        return gamma + enclosure.sqrt(enclosure.product((factor, self._slope())))

    def _knots(self) -> Number:
        entry, tau = self._body["knots"], self._instants
        knots = [exact_center((place, 0.0), tau) for place in entry["rounds"]]
        weights = matrices.entries(exact_matrix(entry["weights"], self._n))
        explained = 2 * self._time(tau, knots) - weights @ self._time(knots, knots)
        variances = 1 - (weights * explained).sum(axis=1)
        return len(knots) * self._gains[self._n] + self._drift(variances)

    def _lower(self) -> Number:
        """½ log det(I + K̃/σ²) of the design, from the determinant of the whole matrix."""
        points, tau = self._body["design"], self._instants
        if len(points) != self._n:
            raise Refused("a design of other rounds than there are")
        if len(points) > _MOST_OF_DESIGN:
            raise Refused(f"a design of more than {_MOST_OF_DESIGN} rounds")
        gram = domain_of(self._problem).gram(points, points) * self._time(tau, tau)
        A = matrices.ball_matrix(gram * enclosure.ball(self._ratio))
        return enclosure.divide((A + matrices.identity(self._n, 1.0)).det().log(), 2)

    def _maximum(self) -> Number:
        entry = self._body["maximum"]
        return enclosure.infinite() if entry is None else recheck_maximum(entry, self._problem)

    def _floor(self) -> Number:
        """Of a file without evidence that no policy has less than nothing."""
        entry = self._body["floor"]
        return 0 if entry is None else recheck_floor(entry, self._problem)

    def _prices(self) -> Number:
        entry = self._body["prices"]
        return 0 if entry is None else recheck_prices(entry, self._problem)

    def _schedule(self) -> Number:
        entry = self._body["schedule"]
        if entry is None:
            return enclosure.infinite()
        value, draws = recheck_schedule(entry, self._problem)
        level = f"1 - {entry['delta']!r}"
        self._how["row.schedule"] = f"at level {level} again, by {draws:,} draws of its own"
        return exact(value)

    def _envelope(self) -> Number:
        """2√β·n·min(1, L(γ̂/n)), L a tangent to h(u) = √((e^{2u}−1)/s') above (½log(1+s'), 1).

        Sought here among the points of contact from 0 to ½ log 2, where h is concave.
        """
        inflated = self._body["inflated"]
        if inflated is None:
            return enclosure.infinite()
        noise = exact(inflated["noise_variance"])
        if enclosure.certainly_le(exact(self._problem["noise_variance"]), noise) is not True:
            raise Refused("the noise variance of the envelope is below that of the problem")
        ratio = enclosure.divide(1, noise)
        end = enclosure.divide(enclosure.log(1 + ratio), 2)
        mean = enclosure.divide(self._dual(inflated["dual"], ratio), self._n)
        best: Number = 1
        low, high = Fraction(0), Fraction(693147, 2_000_000)
        for _ in range(90):  # the contact nearest to the mean at which the tangent is a majorant
            middle = (low + high) / 2
            at = exact(middle)
            growth = enclosure.exp(2 * at)
            height = enclosure.sqrt((growth - 1) / ratio)
            slope = growth / (ratio * height)
            above = (
                enclosure.certainly_le(1, height + slope * (end - at)) is True
                and enclosure.certainly_le(at, end) is True
            )
            if above:
                best = enclosure.minimum(best, height + slope * (mean - at))
            further = above and enclosure.certainly_le(at, mean) is True
            low, high = (middle, high) if further else (low, middle)
        return 2 * enclosure.sqrt(self._beta()) * self._n * best

    def _dual(self, blocks: Sequence[Mapping[str, Any]], ratio: Number) -> Number:
        at, total = 0, enclosure.ball(0)
        tau = self._instants
        for block in blocks:
            if block["start"] != at or not at < block["end"] <= self._n:
                raise Refused("the blocks of the dual do not follow each other")
            at = block["end"]
            total = total + self._dual_of(block, tau[block["start"] : at], ratio)
        if at != self._n:
            raise Refused("the dual leaves rounds out")
        return total

    def _dual_of(self, block: Mapping[str, Any], tau: Sequence[Fraction], ratio: Number) -> Number:
        """½[Σ ψ(a_i) + s Σ_i max_x ψᵀA⁻¹ψ] with the whole matrix of each parity inverted."""
        alpha, L = exact(block["alpha"]), len(tau)
        if alpha < 1:
            raise Refused("the dual has alpha below 1")
        if L > _LONGEST_BLOCK:
            raise Refused(f"a block of the dual has more than {_LONGEST_BLOCK} rounds")
        modes = exact_matrix(block["time_modes"], L)
        at_times = matrices.entries(matrices.ball_matrix(self._time(tau, tau)) * modes)
        T = matrices.entries(modes.transpose() * matrices.ball_matrix(at_times))
        grid = domain_of(self._problem)
        points = [grid.orthant[i] for i in block["points"]]
        logs, rank = enclosure.ball(0), 0
        explained = np.full((L, len(grid.orthant)), enclosure.ball(0), dtype=object)
        parts = grid.projections(points, block["space_modes"])
        for (k, S, q), gains in zip(
            parts, _by_parity(block["space_modes"], block["gains"]), strict=True
        ):
            roots = [[enclosure.sqrt(Fraction(g)) for g in row] for row in gains]
            kept = [(a, b) for a, row in enumerate(gains) for b, g in enumerate(row) if g > 0]
            if not kept:
                continue
            if k != len(roots[0]):
                raise Refused("gains of other modes than there are")
            a, b = (np.array(index) for index in zip(*kept, strict=True))
            scale = np.array([enclosure.ball(roots[i][j]) for i, j in kept], dtype=object)
            space = matrices.entries(S)
            M = np.outer(scale, scale) * T[np.ix_(a, a)] * space[np.ix_(b, b)]
            A = matrices.ball_matrix(M) + scaled_identity(len(kept), alpha)
            inverse = A.inv()
            logs += A.det().log() + inverse.trace() - len(kept)
            rank += len(kept)
            explained = explained + _quadratic(
                matrices.entries(inverse) * np.outer(scale, scale),
                a,
                b,
                at_times,
                matrices.entries(q),
            )
        if rank > L:
            raise Refused("the dual has more gains than rounds")
        worst = sum(_upper(1 - explained[i]) for i in range(L))
        total = logs + (L - rank) * _psi(alpha) + enclosure.divide(ratio * worst, alpha)
        return enclosure.divide(total, 2)


def _quadratic(
    weights: BallArray, a: NDArray[Any], b: NDArray[Any], at_times: BallArray, q: BallArray
) -> BallArray:
    """(L, N₀) Σ_jk W_jk u_{a_j}(i) u_{a_k}(i) q_{b_j}(x) q_{b_k}(x), one product of matrices.

    Of each pair (a, a′) and (b, b′) the products are the same in both orders: one of them stands.
    """
    A, B = at_times.shape[1], len(q)
    table = np.full((A, A, B, B), enclosure.ball(0), dtype=object)
    table[a[:, None], a[None, :], b[:, None], b[None, :]] = weights
    (i, j), (k, m) = np.triu_indices(A), np.triu_indices(B)
    pairs = _folded(np.moveaxis(_folded(table), 0, -1))
    first = matrices.ball_matrix(at_times[:, i] * at_times[:, j])
    last = matrices.ball_matrix(q[k] * q[m])
    return matrices.entries(first * matrices.ball_matrix(pairs.T) * last)


def _folded(table: BallArray) -> BallArray:
    """(A(A+1)/2, …) t_ij + t_ji for i < j and t_ii, of a table (A, A, …)."""
    i, j = np.triu_indices(len(table))
    kept, apart = table[i, j], i < j
    kept[apart] = kept[apart] + table[j, i][apart]
    return kept


def _psi(alpha: Number) -> Number:
    return enclosure.log(alpha) + (1 / alpha - 1)


def _phi(x: Number) -> Number:
    """min(x, log x + 1/x), whichever is certainly a bound."""
    if enclosure.certainly_le(1, x):
        return enclosure.log(x) + enclosure.divide(1, x)
    return x


def _by_parity(modes: Sequence[Any], gains: Sequence[Any]) -> list[Any]:
    """The gains of the parities that have modes, each an (A, B) table of numbers."""
    return [g for q, g in zip(modes, gains, strict=True) if q and q[0]]


def _upper(balls: BallArray) -> Number:
    """The largest upper end, at least 0, as an exact number."""
    highest = max(ball.upper() for ball in balls)  # exact, so that Python's order is theirs
    return exact(max(Fraction(0), enclosure.endpoints(highest)[1]))
