"""A certificate of bounds as the whole numbers that the extracted checker reads.

The checker believes nothing of this module: a number that is wrong here is refused there, or proves
a weaker bound. All that enters is rational; durations, ε and the lengthscale are the decimals that
the certificate prints, and the bound is about those decimals.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import Any

import numpy as np
from scipy.optimize import brentq

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput

SCALE = 2**40
_MARGIN = 400  # of the scale: what is left of a variance, above the width of its enclosure
_SLACK = Fraction(1, 10**10)
_HEAD = (
    "From Coq Require Import ZArith List.\n"
    "From Interval Require Import Float.Basic Float.Sig Float.Primitive_ops.\n"
    "From CTV Require Import whole_times enclosed_bounds checked_space_gain checked_joint_gain "
    "checked_regret.\nImport ListNotations.\nOpen Scope Z_scope.\n"
    "Module R := Regret PrimitiveFloat.\n"
)


@dataclass(frozen=True)
class Question:
    """What the checker is asked: the numbers of a problem and its certificate, and the claim.

    Attributes
    ----------
    claim : the bound on the regret of all rounds, at every round, with probability 1 - delta
    gain : the bound on the gain at the larger noise variance from which it follows
    numbers : all that the checker reads, in its order
    """

    claim: Fraction
    gain: Fraction
    numbers: tuple[int, ...]

    def text(self) -> str:
        """The numbers as the extracted program reads them."""
        return " ".join(map(str, self.numbers)) + "\n"

    def theory(self) -> str:
        """A file of the assistant that proves that the checker accepts these numbers.

        The numbers stand in it in the order in which the program reads them.
        """
        left = iter(self.numbers)

        def whole() -> str:
            return f"({next(left)})"

        def fraction() -> str:
            return f"({next(left)}, {next(left)}%positive)"

        def listed(count: int, one: Callable[[], str]) -> str:
            return f"[{'; '.join(one() for _ in range(count))}]"

        rounds = next(left)
        ticks = f"running 0 {listed(rounds, whole)}"
        problem = (
            f"{{| unit := {next(left)}; ticks := {ticks}; epsilon := {fraction()}; "
            f"ratio_s := {fraction()}; points := {next(left)}; delta := {fraction()} |}}"
        )
        side, rate = whole(), fraction()
        line = [fraction() for _ in range(5)]
        claim = fraction()
        scale, alpha = next(left), whole()
        references = next(left)
        places = listed(references, lambda: f"({next(left)}, {next(left)})")
        space = listed(next(left), lambda: listed(references, whole))
        clocks = next(left)
        clock = listed(clocks, lambda: listed(rounds, whole))
        sizes: list[int] = []

        def group() -> str:
            sizes.append(next(left))
            return listed(sizes[-1], lambda: f"({next(left)}%nat, {next(left)})")

        groups = listed(clocks, group)
        features = sum(sizes)
        inverse, root = (listed(features, lambda: listed(features, whole)) for _ in range(2))
        joint = (
            f"{{| jscale := {scale}; jalpha := {alpha}; jref := {places}; jspace := {space}; "
            f"jtime := {clock}; groups := {groups}; jinv := {inverse}; jroot := {root}; "
            f"jleft := {listed(rounds, whole)} |}}"
        )
        names = ("noisy_ratio", "noisy_gain", "contact", "constant", "factor")
        rest = "; ".join(f"{name} := {value}" for name, value in zip(names, line, strict=True))
        return (
            f"{_HEAD}Definition given : regret_certificate := {{| joint := {joint}; {rest} |}}.\n"
            f"Definition asked : problem := {problem}.\n"
            f"Theorem accepted : R.check_regret (PrimitiveFloat.PtoP 53) {side} {rate} asked given "
            f"{claim} = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n"
        )


def question(certificate: Mapping[str, Any], claim: Fraction | None = None) -> Question:
    """The question that a certificate of bounds answers; by default its least provable claim.

    The claim is that the regret of the policy with the theorem's weights is at most so much at
    every round, outside an event of probability less than δ. It goes through the joint dual, at a
    larger noise variance where the certificate has one, and an affine majorant of the posterior
    deviation (docs/theory.md#noise-inflation).

    Raises
    ------
    InvalidInput
        For a problem that the checker does not cover: it knows grids of two dimensions, the squared
        exponential kernel, the forgetting kernel, and one joint dual over all rounds.
    """
    problem = certificate["problem"]
    ratio = 1 / _decimal(problem["noise_variance"])
    inflated = certificate.get("inflated") or {}
    blocks: Sequence[Mapping[str, Any]] = inflated.get("dual") or certificate.get("dual") or []
    noisy = ratio * (1 - _SLACK)  # below it by more than the width of its enclosure
    if inflated.get("dual"):
        noisy = Fraction(round(10**6 / inflated["noise_variance"]), 10**6)
    times = [_decimal(time) for time in problem["times"]]
    _require(problem, len(blocks), len(times))
    (dual,) = blocks
    side = int(problem["grid"])
    step = _decimal(problem["side"]) / (side - 1)
    rate = step**2 / (2 * _decimal(problem["space_kernel"]["lengthscale"]) ** 2)
    # The rate of the kernel: that of the problem is Theorem 1's, and may be another.
    epsilon, delta = _decimal(problem["time_kernel"]["epsilon"]), _decimal(problem["delta"])
    unit = lcm(*(time.denominator for time in times))
    joint, gain = _joint(dual, side, float(rate), np.array(times, float), float(epsilon), noisy)
    width = 2 * np.sqrt(2 * np.log(side**2 * np.pi**2 * len(times) ** 2 / (6 * float(delta))))
    contact, constant, factor = _majorant(float(noisy), len(times), float(gain))
    proved = Fraction(
        ceil(1e7 * width * (len(times) * float(constant) + float(factor * gain)) * (1 + 1e-12)) + 1,
        10**7,
    )
    asked = proved if claim is None else claim
    numbers = (
        len(times),
        *(int(time * unit) for time in times),
        unit,
        *_pair(epsilon),
        *_pair(ratio),
        side**2,
        *_pair(delta),
        side,
        *_pair(rate),
        *_pair(noisy),
        *_pair(gain),
        *_pair(contact),
        *_pair(constant),
        *_pair(factor),
        *_pair(asked),
        *joint,
    )
    return Question(asked, gain, numbers)


def _require(problem: Mapping[str, Any], blocks: int, rounds: int) -> None:
    """Refuse by name what the checker has no theorem for."""
    covered = {
        "given": (problem.get("given") == "durations", "give durations"),
        "delay": (not problem.get("delay"), "only problems without delay are covered"),
        "dimension": (problem.get("dimension") == 2, "grids of two dimensions are covered"),
        "grid": ((problem.get("grid") or 0) >= 2, "grids of at least 2 points an axis are covered"),
        "space_kernel": (
            problem["space_kernel"].get("type") == "SquaredExponential",
            "the squared exponential kernel is covered",
        ),
        "time_kernel": (
            problem["time_kernel"].get("type") == "Forgetting",
            "the forgetting kernel is covered",
        ),
        "dual": (blocks == 1 and rounds > 0, "one joint dual over all rounds is needed"),
    }
    for name, (fine, remedy) in covered.items():
        if not fine:
            raise InvalidInput(f"kernel: {name}", str(problem.get(name)), remedy)


def _decimal(value: float) -> Fraction:
    """The decimal that a number prints as."""
    return Fraction(repr(value))


def _pair(value: Fraction) -> tuple[int, int]:
    return value.numerator, value.denominator


def _whole(values: FloatArray) -> list[int]:
    return [round(value) for value in (values * SCALE).ravel().tolist()]


def _majorant(noisy: float, rounds: int, gain: float) -> tuple[Fraction, Fraction, Fraction]:
    """A contact, and c0, c1 with w <= c0 + c1 ½log(1 + t w²) on [0, 1], for the least regret.

    The line touches where Jensen's inequality does, unless it would then pass below (½log(1+t), 1).
    """

    def information(w: float) -> float:
        return 0.5 * float(np.log1p(noisy * w * w))

    def line(contact: float) -> tuple[float, float, float]:
        factor = (1 + noisy * contact**2) / (noisy * contact)
        return contact - factor * information(contact), 1 - factor * information(1.0), factor

    turn = min(1.0, noisy**-0.5)
    jensen = np.sqrt(np.expm1(2 * gain / rounds) / noisy)
    contact = min(float(jensen), turn)
    touching, at_end, _ = line(contact)
    if at_end > touching:
        contact = brentq(lambda a: line(a)[0] - line(a)[1], 1e-6 * turn, contact, xtol=1e-15)
    touching, at_end, factor = line(contact)
    return (
        Fraction(int(contact * 10**12), 10**12),
        Fraction(ceil(max(touching, at_end) * 10**12), 10**12) + _SLACK,
        Fraction(ceil(factor * 10**12), 10**12),
    )


def _joint(
    dual: Mapping[str, Any],
    side: int,
    rate: float,
    durations: FloatArray,
    epsilon: float,
    noisy: Fraction,
) -> tuple[tuple[int, ...], Fraction]:
    """The joint dual in whole numbers, with an approximate inverse and root; and its bound."""
    half = range((side + 1) // 2)
    orthant = list(itertools.product(half, half))
    flips = list(itertools.product((0, 1), repeat=2))
    places = [
        tuple(
            side - 1 - at if flipped else at
            for at, flipped in zip(orthant[point], flip, strict=True)
        )
        for flip in flips
        for point in dual["points"]
    ]
    columns: list[FloatArray] = []
    parts: list[range] = []
    for parity, modes in zip(flips, dual["space_modes"], strict=True):
        signs = [(-1) ** int(np.dot(flip, parity)) for flip in flips]
        table = np.asarray(modes, float).reshape(len(dual["points"]), -1)
        parts.append(range(len(columns), len(columns) + table.shape[1]))
        columns += [np.concatenate([sign * column for sign in signs]) / 4 for column in table.T]
    space = np.rint(np.array(columns) * SCALE) / SCALE
    clock = np.rint(np.asarray(dual["time_modes"], float).T * SCALE) / SCALE
    groups: list[list[tuple[int, float]]] = [[] for _ in clock]
    for part, gains in zip(parts, dual["gains"], strict=True):
        for group, row in zip(groups, gains, strict=True):
            group += [
                (which, round(np.sqrt(gain) * SCALE) / SCALE)
                for which, gain in zip(part, row, strict=True)
                if gain > 0
            ]
    features = [(a, b, weight) for a, group in enumerate(groups) for b, weight in group]
    in_time = np.array([a for a, _, _ in features])
    in_space = np.array([b for _, b, _ in features])
    weight = np.array([w for _, _, w in features])
    neighbour = np.exp(-rate * np.arange(side) ** 2)
    at, grid = np.array(places), np.array(list(itertools.product(range(side), range(side))))

    def kernel(left: Any, right: Any) -> FloatArray:
        apart = np.abs(left[:, None, :] - right[None, :, :])
        product: FloatArray = neighbour[apart[..., 0]] * neighbour[apart[..., 1]]
        return product

    times = np.cumsum(durations)
    over_time = np.exp(0.5 * np.log1p(-epsilon) * np.abs(times[:, None] - times[None, :]))
    compressed = (space @ kernel(at, at) @ space.T)[np.ix_(in_space, in_space)]
    compressed *= (clock @ over_time @ clock.T)[np.ix_(in_time, in_time)] * np.outer(weight, weight)
    alpha = round(float(dual["alpha"]) * SCALE) / SCALE
    whole = compressed + alpha * np.eye(len(features))
    parity = np.concatenate([np.full(len(part), at) for at, part in enumerate(parts)])[in_space]
    same = parity[:, None] == parity[None, :]
    exact = np.linalg.inv(whole)
    inverse = np.rint(np.where(same, (exact + exact.T) / 2, 0) * SCALE) / SCALE
    root = np.where(same, np.tril(np.linalg.inv(np.linalg.cholesky(whole))), 0)
    root = np.rint(root * SCALE) / SCALE
    core = 2 * inverse - inverse @ whole @ inverse.T
    seen = weight[:, None] * (space @ kernel(at, grid))[in_space]
    choose = np.zeros((len(clock), len(features)))
    choose[in_time, np.arange(len(features))] = 1
    tables = np.einsum("al,lx,lm,mx,bm->xab", choose, seen, core, seen, choose, optimize=True)
    then = over_time @ clock.T
    explained = np.einsum("ia,xab,ib->ix", then, tables, then, optimize=True)
    left = [ceil(value * SCALE) + _MARGIN for value in (1 - explained).max(axis=1).tolist()]
    rows = np.einsum("ij,ij->i", root @ whole, root)
    log_det = float(np.sum(np.log(rows) - 2 * np.log(np.diag(root))))
    residual = np.eye(len(features)) - inverse @ whole
    trace = float(
        np.sum(np.diag(inverse) + np.sum(inverse * residual, 1) + np.sum(residual**2, 1) / alpha)
    )
    psi = np.log(alpha) + 1 / alpha - 1
    rounds = len(durations)
    bound = 0.5 * (
        log_det
        + trace
        - len(features)
        + (rounds - len(features)) * psi
        + float(noisy) / alpha * sum(left) / SCALE
    )
    numbers = (
        SCALE,
        round(alpha * SCALE),
        len(places),
        *itertools.chain.from_iterable(places),
        len(space),
        *_whole(space),
        len(clock),
        *_whole(clock),
        *_listed(groups),
        *_whole(inverse),
        *_whole(root),
        *left,
    )
    return numbers, Fraction(ceil(bound * 10**7) + 10, 10**7)


def _listed(groups: Sequence[Sequence[tuple[int, float]]]) -> Iterator[int]:
    for group in groups:
        yield len(group)
        for which, weight in group:
            yield which
            yield round(weight * SCALE)
