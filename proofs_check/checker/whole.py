"""A certificate of bounds as the whole numbers that the extracted checker reads.

The checker believes nothing of these modules: a number that is wrong here is refused there, or
proves a weaker bound, but for the problem itself, the longest evaluation time and the axes of the
box, which its theorems speak of. All that enters is rational; durations, ε and lengthscales are
the decimals that the certificate prints, and the bound is about those decimals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
from scipy.optimize import brentq

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from proofs_check.checker.blocks import Block, block_of, blocks_of
from proofs_check.checker.losses import LOWEST, WIDTH, far_apart, largest_of, levels, shares
from proofs_check.checker.notation import (
    Part,
    choice,
    fraction,
    listed,
    natural,
    optional,
    pair,
    positive,
    record,
    whole,
    wholes,
)
from proofs_check.checker.stated import INDEPENDENT, SCALE, Family, Stated, decimal

_SLACK = Fraction(1, 10**10)
_STEP = 10**10  # claims are multiples of 1/_STEP
_HEAD = (
    "From Coq Require Import ZArith List.\n"
    "From Interval Require Import Float.Basic Float.Sig Float.Primitive_ops.\n"
    "From CTV Require Import whole_times problems checked_joint_gain checked_design checked_gain "
    "checked_regret checked_floor checked_own_times checked_box.\n"
    "Import ListNotations.\nOpen Scope Z_scope.\n"
    "Module B := Box PrimitiveFloat.\nModule O := B.O_.\nModule F := O.F_.\nModule R := F.R_.\n"
)
_CHECKED = (
    ("R.N.check_above {} asked", "list block"),
    ("R.N.D.check_design {} asked", "design_certificate"),
    ("R.check_regret {} asked", "regret_certificate"),
    ("R.N.check_above {} (still asked)", "list block"),
    ("F.check_floor {} asked", "floor_certificate"),
    ("O.check_own {} asked", "own_certificate"),
    ("B.check_box {} (still asked)", "box_certificate"),
)
"""By kind: what computes the answer, and the type of the evidence."""
ABOVE, BELOW, REGRET, STILL, FLOOR, OWN, BOX = range(7)
"""Kinds of questions: the gain of every sequence of points, that of one, the regret, the gain of
every sequence of points if the objective did not move, the mean that every policy loses, the regret
where evaluation times depend on the point, and the gain of all points of the box of a grid if the
objective did not move."""


@dataclass(frozen=True)
class Question:
    """What the checker is asked about a problem.

    Attributes
    ----------
    kind : ABOVE, BELOW, REGRET, STILL, FLOOR, OWN or BOX
    claim : the number that is claimed
    problem, evidence : what the checker reads
    """

    kind: int
    claim: Fraction
    problem: Part
    evidence: Part

    def words(self) -> tuple[int, ...]:
        """The numbers of the question as the extracted program reads them after the problem."""
        return (self.kind, *self.evidence.words, *fraction(self.claim).words)

    def theory(self) -> str:
        """A file of the assistant that proves that the checker accepts."""
        checked, given = _CHECKED[self.kind]
        return (
            f"{_HEAD}Definition given : {given} := {self.evidence.term}.\n"
            f"Definition asked : problem := {self.problem.term}.\n"
            f"Theorem accepted : {checked.format('(PrimitiveFloat.PtoP 53)')} given "
            f"{fraction(self.claim).term} = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n"
        )


def text(questions: Sequence[Question]) -> str:
    """Questions about one problem as the extracted program reads them."""
    numbers = (*questions[0].problem.words, len(questions))
    asked = (word for question in questions for word in question.words())
    return f"{' '.join(map(str, (*numbers, *asked)))}\n"


def regret_question(certificate: Mapping[str, Any]) -> Question:
    """The question about the regret, with its least provable claim.

    The claim is that the regret of the policy with the theorem's weights is at most so much at
    every round, outside an event of probability less than δ. It goes through the joint dual, at a
    larger noise variance where the certificate has one, and an affine majorant of the posterior
    deviation (docs/theory.md#noise-inflation). Where results are late the index of that policy is
    made of those that are known, and the gain counts once more for each round of delay.

    Raises
    ------
    InvalidInput
        For a problem that the checker does not cover.
    """
    stated = Stated.of(certificate)
    late = min(certificate["problem"].get("delay", 0), len(stated.times))
    evidence, deviations = _road(stated, certificate, late)
    rounds, delta = len(stated.times), float(stated.delta)
    size = len(stated.places)
    width = 2 * np.sqrt(2 * np.log(size * np.pi**2 * rounds**2 / (6 * delta)))
    return Question(REGRET, _above(width * deviations), _problem(stated), evidence)


def own_question(certificate: Mapping[str, Any]) -> Question | None:
    """The question about the regret where evaluation times depend on the point (Theorem C).

    No evaluation takes longer than the certificate says, and each deviation counts as 1. None for
    clocks that are not the theorem's, without a longest time, and where results are late.
    """
    return _own(certificate, None)


def own_envelope_question(certificate: Mapping[str, Any]) -> Question | None:
    """The same with what deviations tell, where every round has taken the longest time.

    No run with shorter evaluations gains more than one whose evaluations all take the longest
    time: so the joint dual of these rounds is one of every run. None where they differ.
    """
    stated = Stated.of(certificate)
    longest = certificate.get("longest")
    if longest is None or set(stated.durations) != {decimal(longest)}:
        return None
    return _own(certificate, _road(stated, certificate, 0))


def _own(certificate: Mapping[str, Any], road: tuple[Part, float] | None) -> Question | None:
    stated, longest = Stated.of(certificate), certificate.get("longest")
    slope, rounds = stated.slope, len(stated.times)
    if slope is None or longest is None or certificate["problem"].get("delay", 0):
        return None
    if decimal(longest) < max(stated.durations):
        raise InvalidInput("kernel: longest", longest, "a round of the file takes longer")
    least = 2 * np.log(4 * np.e * len(stated.places) * np.pi**2 * rounds**2 / 6)
    widest, windows = _least_weight(
        least - 2 * np.log(float(stated.delta)), slope * rounds * longest
    )
    evidence = record(
        longest=fraction(decimal(longest)),
        windows=positive(windows),
        widest=fraction(widest),
        road=optional(None if road is None else road[0]),
    )
    value = 3.064 * np.sqrt(float(widest)) * (rounds if road is None else road[1])
    return Question(OWN, _above(value), _problem(stated), evidence)


def _least_weight(base: float, reach: float) -> tuple[Fraction, int]:
    """The least β ≥ base + 2 log max(1, ⌈reach·β⌉), a little above it, and what is rounded up."""
    beta = base
    while True:
        widest = Fraction(ceil(beta * (1 + 1e-9) * _STEP), _STEP)
        windows = max(1, ceil(reach * float(widest) * (1 + 1e-9)))
        needed = base + 2 * np.log(windows)
        if needed * (1 + 1e-10) <= widest:
            return widest, windows
        beta = needed


def _above(value: float) -> Fraction:
    """A number that is larger by more than rounding."""
    return Fraction(ceil(1e7 * value * (1 + 1e-12)) + 1, 10**7)


def _road(stated: Stated, certificate: Mapping[str, Any], late: int) -> tuple[Part, float]:
    """The gain and the majorant behind a regret, and what they make of all deviations."""
    inflated = certificate.get("inflated") or {}
    noisy = stated.ratio * (1 - _SLACK)  # below it by more than the width of its enclosure
    if inflated.get("dual"):
        noisy = Fraction(round(10**6 / inflated["noise_variance"]), 10**6)
    duals = inflated.get("dual") or certificate.get("dual") or []
    blocks = blocks_of(stated, duals, noisy)
    gain = sum((block.gain for block in blocks), Fraction(1, _STEP))
    counted = gain * (1 + late)
    rounds = len(stated.times)
    contact, constant, factor = _majorant(float(noisy), rounds, float(counted))
    evidence = record(
        noisy_ratio=fraction(noisy),
        blocks=_parts(blocks),
        noisy_gain=fraction(gain),
        contact=fraction(contact),
        constant=fraction(constant),
        factor=fraction(factor),
        answers_late=natural(late),
    )
    return evidence, rounds * float(constant) + float(factor * counted)


def gain_question(certificate: Mapping[str, Any]) -> Question:
    """The question about the gain of every sequence of points, with its least provable claim."""
    stated = Stated.of(certificate)
    blocks = blocks_of(stated, certificate.get("dual") or [], stated.ratio)
    proved = sum((block.gain for block in blocks), Fraction(1, _STEP))
    return Question(ABOVE, proved, _problem(stated), _parts(blocks))


def space_question(certificate: Mapping[str, Any]) -> Question | None:
    """The question about γ_n, the gain of n points at one instant, with its least provable claim.

    None where it rests on no line: of independent arms it counts looks, which has no theorem here.
    """
    stated = Stated.of(certificate)
    block = _still(stated, certificate, 0.0)
    if block is None:
        return None
    return Question(STILL, block.gain + Fraction(1, _STEP), _problem(stated), _parts([block]))


def box_question(certificate: Mapping[str, Any]) -> Question | None:
    """The same for all points of the box of a grid, with its least provable claim.

    The deviation that is left between points of the grid is at most the largest left at them and
    what interpolation misses. None where it proves no more than n rounds of deviation 1 tell, of
    lists of points, of grids with one point along an axis, and of kernels whose slope at 0 is not
    known.
    """
    stated = Stated.of(certificate)
    missed = stated.missed
    block = None if missed is None else _still(stated, certificate, missed)
    if block is None or block.gain >= len(stated.times) * np.log1p(float(stated.ratio)) / 2:
        return None
    evidence = record(
        axes=listed(pair(positive(step), natural(count)) for step, count in stated.axes),
        box_dual=block.dual,
    )
    return Question(BOX, block.gain + Fraction(1, _STEP), _problem(stated), evidence)


def _still(stated: Stated, certificate: Mapping[str, Any], missed: float) -> Block | None:
    """The line of γ_n as a dual, where it rests on one and looks are not counted."""
    entries = certificate.get("gamma") or []
    rounds = len(stated.times)
    lines = [entry["line"] for entry in entries if entry["m"] == rounds]
    if stated.space[0] == INDEPENDENT or not lines or lines[0] is None:
        return None
    line = certificate["lines"][lines[0]]
    dual = {
        **{name: line[name] for name in ("points", "alpha")},
        "space_modes": line["factors"],
        # One mode of time, of weight 1 in the first round: all features are those of space.
        "time_modes": np.eye(rounds, 1).tolist(),
        "gains": [[[1.0] * (len(rows[0]) if rows else 0)] for rows in line["factors"]],
    }
    return block_of(stated, dual, np.ones((rounds, rounds)), stated.ratio, missed)


def design_question(certificate: Mapping[str, Any]) -> Question:
    """The question about the gain of the points of the design, with its largest provable claim.

    Row i of the weights predicts round i from the rounds before it.
    """
    stated = Stated.of(certificate)
    design = certificate.get("design") or []
    if len(design) != len(stated.times):
        raise InvalidInput("kernel: design", str(len(design)), "one point for each round is needed")
    at = [stated.places[i] for i in design]
    weights, left = stated.weights(stated.over_space(at, at) * stated.over_time())
    gain = float(0.5 * np.sum(np.log1p(float(stated.ratio) * left)))
    proved = Fraction(floor(_STEP * (gain - 1e-9 * max(1.0, gain))), _STEP)
    evidence = record(
        dscale=positive(SCALE),
        design=listed(map(natural, design)),
        dweights=_below_diagonal(weights),
    )
    return Question(BELOW, proved, _problem(stated), evidence)


def floor_question(certificate: Mapping[str, Any]) -> Question | None:
    """The question about the mean that every policy loses, with its largest provable claim.

    It is m*·Σ(1 − √(1−p_i)) with m* from points that are far apart and p_i of what is known, a
    delay of results with it where the clock forgets: weaker than the floor of the certificate,
    which has its start-up part and more of m* besides. None where it would prove nothing: of a
    single point, or where the points are all but one.
    """
    stated = Stated.of(certificate)
    points, own, root = far_apart(stated)
    if not points:
        return None
    delay = certificate["problem"].get("delay", 0)
    left, weights = shares(stated, delay)
    lost = float(np.sum(1 - np.sqrt(1 - np.minimum(left, 1.0))))
    value = np.sqrt(own) * largest_of(len(points)) * lost
    # √(1 − p) of the first round, where p is 1, has an enclosure of width 1.5e-8.
    proved = Fraction(floor(_STEP * value * (1 - 1e-7)), _STEP)
    evidence = record(
        fscale=positive(SCALE),
        chosen_points=listed(map(natural, points)),
        apart=whole(round(own * SCALE)),
        froot=listed(wholes(round(v * SCALE) for v in row) for row in root.tolist()),
        lowest=whole(round(LOWEST * SCALE)),
        step=positive(round(WIDTH * SCALE)),
        steps=natural(levels(len(points))),
        late=natural(min(delay, len(left)) if weights is None else 0),
        fweights=listed([]) if weights is None else _below_diagonal(weights),
    )
    return Question(FLOOR, proved, _problem(stated), evidence)


def _below_diagonal(weights: FloatArray) -> Part:
    """Row i with its first i numbers, over the scale."""
    rows = enumerate(weights.tolist())
    return listed(wholes(round(weight * SCALE) for weight in row[:i]) for i, row in rows)


def _problem(stated: Stated) -> Part:
    (shape, rate), clock = stated.space, stated.clock
    if isinstance(clock, tuple):
        family, lags = clock
        law = choice(1, "Stationary", _family(family), fraction(lags))
    else:
        law = choice(0, "Forgets", fraction(clock))
    durations = wholes(int(time * stated.unit) for time in stated.durations)
    return record(
        ticks=Part(durations.words, f"running 0 {durations.term}"),
        per_unit=positive(stated.unit),
        clock=law,
        ratio_s=fraction(stated.ratio),
        shape=_family(shape),
        rate=fraction(rate),
        points=listed(map(wholes, stated.places)),
        delta=fraction(stated.delta),
    )


def _family(family: Family) -> Part:
    if family.name == "Matern":
        return choice(2, "Matern", natural(family.order))
    return choice(int(family == INDEPENDENT), family.name)


def _parts(blocks: Sequence[Block]) -> Part:
    return listed(
        record(rounds=natural(block.rounds), dual=block.dual, part_gain=fraction(block.gain))
        for block in blocks
    )


def _majorant(noisy: float, rounds: int, gain: float) -> tuple[Fraction, Fraction, Fraction]:
    """A contact, and c0, c1 with w <= c0 + c1 ½log(1 + t w²) on [0, 1], for the least regret.

    The line touches where Jensen's inequality does, unless it would then pass below (½log(1+t), 1).
    Where the gain is larger than n rounds can tell at deviations of 1, it is the constant 1.
    """

    def information(w: float) -> float:
        return 0.5 * float(np.log1p(noisy * w * w))

    def line(contact: float) -> tuple[float, float, float]:
        factor = (1 + noisy * contact**2) / (noisy * contact)
        return contact - factor * information(contact), 1 - factor * information(1.0), factor

    turn = min(1.0, noisy**-0.5)
    if gain >= rounds * information(1.0):
        return Fraction(int(turn * 10**12), 10**12), 1 + _SLACK, _SLACK  # wider than enclosures
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
