"""The search engine: look for a counterexample, then re-verify it and make it simple.

Cases are drawn at the boundary, at structured points and at random; a falsifier then moves the
most violating cases further, and climbs lead to the top, which is rounded. A violation in floating
point is only a suspicion: it counts once exact numbers or enclosures confirm it. What is left after
shrinking is the simplest case found.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from heapq import nlargest
from itertools import chain
from typing import Any

import numpy as np

from proofs_check.language import formula
from proofs_check.language.claim import Claim, Evidence, Verdict, show
from proofs_check.language.parameters import Integer, Real
from proofs_check.search.cases import Case, admits, confirm, float_excess, has_value
from proofs_check.search.moves import balanced, by_steps, drawn, far, nearby, uphill
from proofs_check.search.shrinking import shrink, weight

# A relative difference of floats below _NOISE is checked a few times, then taken for rounding.
# The best cases are decided exactly whatever the difference, if it is above -_ROUNDING; a plain
# difference below _ROUNDING that nothing confirms is that of 1 + tiny numbers.
_NOISE = 1e-9
_ROUNDING = 1e-12
_PATIENCE = 25
_SURE = 3
_WITNESSES = 40


@dataclass(frozen=True)
class SearchBudget:
    """How many cases to draw, near and far, and what to spend on each kind of climbing.

    `moves` of the falsifier, `climbs` from the best cases with `evaluations` each, and `shrinks`
    attempts to make a counterexample simple.
    """

    cases: int = 600
    moves: int = 300
    shrinks: int = 600
    far: int = 60
    climbs: int = 2
    evaluations: int = 70

    def third(self) -> SearchBudget:
        """A third of the cases and moves, and a single climb."""
        return replace(
            self, cases=self.cases // 3, moves=self.moves // 3, far=self.far // 3, climbs=1
        )

    def glance(self) -> SearchBudget:
        """A tenth of the cases and nothing else: enough for a point of the domain."""
        return replace(self, cases=self.cases // 10, moves=0, far=0, climbs=0)


def search(claim: Claim, budget: SearchBudget, seed: int) -> Evidence:
    """Search for a counterexample; the same seed draws the same cases.

    REFUTED carries the counterexample, confirmed by `confirm`. UNDECIDED: a violation in floating
    point that no precision confirms nor dispels, or no admissible case at all. Else SUPPORTED.
    """
    label = zlib.crc32(claim.id.encode())
    rng = np.random.default_rng([seed, label])
    hunt = _Hunt(claim)
    beyond = far(claim, budget.far, np.random.default_rng([seed, label, 1]))
    for case in chain(_draws(claim, budget.cases, rng), beyond):
        case = balanced(claim, case)
        if hunt.meets(case):
            return _refuted(claim, case, budget, hunt.admitted)
    if not hunt.admitted and not hunt.undefined:
        reason = "no admissible case was found: the domain may be empty, the claim vacuous"
        return Evidence("search", Verdict.UNDECIDED, reason)
    for gap, violation, case in _falsify(claim, hunt.worst(6), budget.moves, rng):
        hunt.note(gap, violation, case)
        if violation > _NOISE and confirm(claim, case):
            return _refuted(claim, case, budget, hunt.admitted)
    for case in chain(_tops(claim, hunt, budget), [case for _, case in hunt.worst(_SURE)]):
        case = balanced(claim, case)
        if hunt.meets(case, sure=True):
            return _refuted(claim, case, budget, hunt.admitted)
    return hunt.outcome()


class _Hunt:
    """What one search has seen: admitted cases, where the claim is undefined, its suspects."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.admitted = 0
        self.undefined: list[Case] = []
        self.suspects: list[tuple[float, float, Case]] = []
        self.unconfirmed = False
        self.patience = _PATIENCE
        self.doubts = _PATIENCE
        self.span: dict[str, tuple[Any, Any]] = {}
        self.witness: Case | None = None

    def meets(self, case: Case, sure: bool = False) -> bool:
        """Whether the case is a confirmed counterexample; `sure` confirms within noise as well."""
        claim = self.claim
        if not admits(claim, case):
            return False
        excess = float_excess(claim, case)
        if excess is None:
            return self._without_floats(case)
        gap, violation = excess
        self.note(gap, violation, case)
        visible, slight = violation > _NOISE, violation > 0 and self.patience > 0
        if not (visible or slight or (sure and violation > -_ROUNDING)):
            return False
        self.patience -= not visible
        confirmed = confirm(claim, case)
        self.unconfirmed |= confirmed is None and visible and gap > _ROUNDING
        return bool(confirmed)

    def _without_floats(self, case: Case) -> bool:
        """Floats have no value here: either nobody has, or they overflow and balls decide."""
        self.doubts -= 1
        if self.doubts < 0 and self.undefined:
            self.undefined.append(case)
            return False
        if self.doubts < 0 or has_value(self.claim, case) is not False:
            self.admitted += 1
            return self.doubts >= 0 and bool(confirm(self.claim, case))
        self.undefined.append(case)
        return False

    def note(self, gap: float, violation: float, case: Case) -> None:
        """Count an admitted case with its violation, plain and relative."""
        claim = self.claim
        self.admitted += 1
        if self.witness is None and self.admitted <= _WITNESSES:
            sound = admits(claim, case, surely=True) and has_value(claim, case)
            self.witness = case if sound else None
        self.suspects.append((violation, gap, case))
        for name in (p.name for p in claim.parameters if isinstance(p, Real | Integer)):
            low, high = self.span.get(name, (case[name], case[name]))
            self.span[name] = min(low, case[name]), max(high, case[name])

    def worst(self, count: int) -> list[tuple[float, Case]]:
        """The most violating cases, or those that come nearest to it."""
        return [(v, case) for v, _, case in nlargest(count, self.suspects, key=lambda s: s[0])]

    def outcome(self) -> Evidence:
        """The evidence where nothing was refuted."""
        evidence = partial(Evidence, "search", cases=self.admitted)
        if self.unconfirmed:
            reason = "a violation in floating point that no enclosure confirms"
            return evidence(Verdict.UNDECIDED, reason, witness=self.witness)
        if self.undefined:
            simplest, count = min(self.undefined, key=weight), len(self.undefined)
            reason = f"undefined in {count} cases of its domain, at {show(simplest)}"
            return evidence(Verdict.UNDECIDED, reason, undefined=count)
        where = [
            f"{name} {_short(low)} … {_short(high)}" for name, (low, high) in self.span.items()
        ]
        reason = f"no counterexample in {self.admitted} cases" + ": " * bool(where)
        integers = {p.name for p in self.claim.parameters if isinstance(p, Integer)}
        sizes = {name: int(high) for name, (_, high) in self.span.items() if name in integers}
        reason += "; ".join(where)
        return evidence(Verdict.SUPPORTED, reason, witness=self.witness, sizes=sizes)


def _tops(claim: Claim, hunt: _Hunt, budget: SearchBudget) -> Iterator[Case]:
    """What climbs reach, rounded: one from the largest plain gap, others from the worst cases.

    None where a claim of equality seems to hold: there is no slope to climb.
    """
    starts = [case for _, case in hunt.worst(budget.climbs - 1)]
    tied = formula.relation(claim.searched).operator == "=="
    if not (budget.climbs and hunt.suspects) or (tied and hunt.worst(1)[0][0] <= _NOISE):
        return
    widest = max(hunt.suspects, key=lambda suspect: suspect[1])[2]
    if any(isinstance(p, Integer) for p in claim.parameters):
        widest = by_steps(claim, widest)
        yield widest
    yield from uphill(claim, widest, budget.evaluations, relative=False)
    for case in starts:
        yield from uphill(claim, case, budget.evaluations, relative=True)


def _refuted(claim: Claim, case: Case, budget: SearchBudget, tried: int) -> Evidence:
    confirmed = confirm(claim, shrink(claim, case, budget.shrinks))
    assert confirmed
    exact = confirmed.left[0] == confirmed.left[1] and confirmed.right[0] == confirmed.right[1]
    sentence = f"counterexample verified {'exactly' if exact else 'by enclosure'}"
    return Evidence("search", Verdict.REFUTED, sentence, tried, confirmed)


def _draws(claim: Claim, count: int, rng: np.random.Generator) -> Iterator[Case]:
    for witness in claim.witnesses:
        yield {parameter.name: _as_value(witness[parameter.name]) for parameter in claim.parameters}
    if not claim.parameters:
        yield {}
        return
    for _ in range(count):
        yield drawn(claim, rng)


def _as_value(value: Any) -> Any:
    """A witness may write numbers as text: "1/3"."""
    if isinstance(value, list | tuple):
        return [_as_value(item) for item in value]
    return Fraction(value) if isinstance(value, str) else value


def _falsify(
    claim: Claim, starts: list[tuple[float, Case]], moves: int, rng: np.random.Generator
) -> Iterator[tuple[float, float, Case]]:
    """Climb from the most violating cases: one parameter moves at a time, uphill only."""
    if not claim.parameters:
        return
    for violation, case in starts:
        best, current = violation, case
        for _ in range(moves // max(len(starts), 1)):
            parameter = claim.parameters[int(rng.integers(0, len(claim.parameters)))]
            moved = dict(current)
            before = {p.name: current[p.name] for p in claim.parameters if p is not parameter}
            moved[parameter.name] = nearby(parameter, rng, current[parameter.name], before)
            moved = balanced(claim, moved)
            if not admits(claim, moved):
                continue
            reached = float_excess(claim, moved)
            if reached is not None and reached[1] > best:
                best, current = reached[1], moved
                yield *reached, current


def _short(value: int | Fraction) -> str:
    return str(value) if isinstance(value, int) and value < 10**7 else f"{float(value):.4g}"
