"""The search engine: look for a counterexample, then re-verify it and make it simple.

Cases are drawn at the boundary, at structured points and at random; a falsifier then moves the
most violating cases further. A violation in floating point is only a suspicion: it counts once
exact numbers or enclosures confirm it. What is left after shrinking is the simplest case found.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from bounds import enclosure
from proofs_check import formula
from proofs_check.claim import Claim, Counterexample, Evidence, Verdict
from proofs_check.parameters import Integer, Symmetric, Vector
from proofs_check.simplicity import complexity

Case = dict[str, Any]
_PRECISIONS = (64, 256, 1024)
# A relative difference of floats below _NOISE is checked a few times, then taken for rounding.
_NOISE = 1e-9
_PATIENCE = 25
_FLOAT_TROUBLE = (ArithmeticError, ValueError, IndexError, np.linalg.LinAlgError, TypeError)
_TROUBLE = (ArithmeticError, ValueError, IndexError)


@dataclass(frozen=True)
class SearchBudget:
    """How many cases to draw, how many moves of the falsifier, how many shrinking attempts."""

    cases: int = 600
    moves: int = 300
    shrinks: int = 600


def search(claim: Claim, budget: SearchBudget, seed: int) -> Evidence:
    """Search for a counterexample; the same seed draws the same cases.

    REFUTED carries the counterexample, confirmed by `confirm`. UNDECIDED: a violation in floating
    point that no precision confirms nor dispels, or no admissible case at all. Else SUPPORTED.
    """
    rng = np.random.default_rng([seed, zlib.crc32(claim.id.encode())])
    admitted = 0
    undefined = 0
    suspects: list[tuple[float, Case]] = []
    unconfirmed: Case | None = None
    patience = _PATIENCE
    for case in _draws(claim, budget.cases, rng):
        if not admits(claim, case):
            continue
        violation = float_violation(claim, case)
        if violation is None:
            undefined += 1
            continue
        admitted += 1
        suspects.append((violation, case))
        if violation > _NOISE or (violation > 0 and patience > 0):
            patience -= violation <= _NOISE
            confirmed = confirm(claim, case)
            if confirmed:
                return _refuted(claim, case, budget, admitted)
            if confirmed is None and violation > _NOISE:
                unconfirmed = case
    if not admitted:
        reason = "no admissible case was found: the domain may be empty, the claim vacuous"
        return Evidence("search", Verdict.UNDECIDED, reason)
    suspects.sort(key=lambda pair: -pair[0])
    for violation, case in _falsify(claim, suspects[:6], budget.moves, rng):
        admitted += 1
        if violation > _NOISE and confirm(claim, case):
            return _refuted(claim, case, budget, admitted)
    if unconfirmed is not None:
        reason = "a violation in floating point that no enclosure confirms"
        return Evidence("search", Verdict.UNDECIDED, reason, admitted)
    tail = f", undefined in {undefined} more" if undefined else ""
    return Evidence(
        "search", Verdict.SUPPORTED, f"no counterexample in {admitted} cases{tail}", admitted
    )


def admits(claim: Claim, case: Case) -> bool:
    """Whether the case is in the domain for certain: parameters and hypotheses, decided exactly."""
    seen: Case = {}
    for parameter in claim.parameters:
        try:
            if not parameter.admits(case[parameter.name], seen):
                return False
        except _TROUBLE:
            return False
        seen[parameter.name] = case[parameter.name]
    if not claim.hypotheses:
        return True
    # Floats first: they settle most draws at a tenth of the price.
    slack = _hypothesis_slack(claim, case)
    if slack is not None and abs(slack) > 1e-6:
        return slack < 0
    try:
        with enclosure.precision(_PRECISIONS[1]):
            exact = exact_values(claim, case)
            return all(formula.holds(text, formula.rigorous(), exact) for text in claim.hypotheses)
    except _TROUBLE:
        return False


def _hypothesis_slack(claim: Claim, case: Case) -> float | None:
    """The largest relative violation of a hypothesis in floats; None if one is undefined."""
    try:
        values = float_values(claim, case)
        return max(_float_slack(text, values) for text in claim.hypotheses)
    except _FLOAT_TROUBLE:
        return None


def float_violation(claim: Claim, case: Case) -> float | None:
    """By how much the two sides, in floats, violate the claim (relative); None if undefined."""
    try:
        return _float_slack(claim.formula, float_values(claim, case))
    except _FLOAT_TROUBLE:
        return None


def confirm(claim: Claim, case: Case) -> Counterexample | Literal[False] | None:
    """The counterexample with both sides enclosed, if the claim fails at the case for certain.

    False if it holds there for certain, or is undefined; None if no precision decides.
    """
    sides = formula.relation(claim.formula)
    for bits in _PRECISIONS:
        with enclosure.precision(bits):
            try:
                values = exact_values(claim, case)
                left = formula.evaluate(sides.left, formula.rigorous(), values)
                right = formula.evaluate(sides.right, formula.rigorous(), values)
                verdict = enclosure.compare(sides.operator, left, right)
                if verdict is None:
                    continue
                if verdict:
                    return False
                ends = [tuple(map(str, enclosure.endpoints(side))) for side in (left, right)]
            except enclosure.Undecided:
                continue
            except _TROUBLE:
                return False
            return Counterexample(case, ends[0], ends[1], sides.operator)  # type: ignore[arg-type]
    return None


def float_values(claim: Claim, case: Case) -> Case:
    """The case for floating point, with the claim's definitions evaluated in order."""
    values = {name: formula.as_float(value) for name, value in case.items()}
    for name, meaning in claim.let:
        values[name] = formula.evaluate(meaning, formula.floats(), values)
    return values


def exact_values(claim: Claim, case: Case) -> Case:
    """The case for the rigorous arithmetic, with the claim's definitions evaluated in order."""
    values = {name: formula.as_exact(value) for name, value in case.items()}
    for name, meaning in claim.let:
        values[name] = formula.evaluate(meaning, formula.rigorous(), values)
    return values


def shrink(claim: Claim, case: Case, attempts: int) -> Case:
    """A simpler counterexample: greedy, each step confirmed; it keeps a visible violation."""
    best, left = case, attempts
    visible = min(float_violation(claim, case) or 0.0, 1e-3)
    improved = True
    while improved and left > 0:
        improved = False
        for candidate in _simpler_cases(claim, best):
            if _weight(candidate) >= _weight(best):
                continue
            left -= 1
            if left <= 0:
                break
            if not admits(claim, candidate):
                continue
            violation = float_violation(claim, candidate)
            if violation is not None and violation < visible:
                continue
            if confirm(claim, candidate):
                best, improved = candidate, True
                break
    return best


def _refuted(claim: Claim, case: Case, budget: SearchBudget, tried: int) -> Evidence:
    simple = shrink(claim, case, budget.shrinks)
    counterexample = confirm(claim, simple)
    assert counterexample
    how = "exactly" if _all_exact(counterexample) else "by enclosure"
    return Evidence(
        "search", Verdict.REFUTED, f"counterexample verified {how}", tried, counterexample
    )


def _all_exact(found: Counterexample) -> bool:
    return found.left[0] == found.left[1] and found.right[0] == found.right[1]


def _draws(claim: Claim, count: int, rng: np.random.Generator) -> Iterator[Case]:
    for witness in claim.witnesses:
        yield {parameter.name: _as_value(witness[parameter.name]) for parameter in claim.parameters}
    if not claim.parameters:
        yield {}
        return
    for _ in range(count):
        case: Case = {}
        for parameter in claim.parameters:
            case[parameter.name] = parameter.draw(rng, case)
        yield case


def _as_value(value: Any) -> Any:
    """A witness may write numbers as text: "1/3"."""
    if isinstance(value, list | tuple):
        return [_as_value(item) for item in value]
    return Fraction(value) if isinstance(value, str) else value


def _falsify(
    claim: Claim, starts: list[tuple[float, Case]], moves: int, rng: np.random.Generator
) -> Iterator[tuple[float, Case]]:
    """Climb from the most violating cases: one parameter moves at a time, uphill only."""
    if not claim.parameters:
        return
    for violation, case in starts:
        best, current = violation, case
        for _ in range(moves // max(len(starts), 1)):
            parameter = claim.parameters[int(rng.integers(0, len(claim.parameters)))]
            moved = dict(current)
            before = {p.name: current[p.name] for p in claim.parameters if p is not parameter}
            moved[parameter.name] = parameter.nearby(rng, current[parameter.name], before)
            if not admits(claim, moved):
                continue
            reached = float_violation(claim, moved)
            if reached is not None and reached > best:
                best, current = reached, moved
                yield best, current


def _simpler_cases(claim: Claim, case: Case) -> Iterator[Case]:
    yield from _smaller_sizes(claim, case)
    for parameter in claim.parameters:
        before = {name: value for name, value in case.items() if name != parameter.name}
        try:
            for simpler in parameter.simpler(case[parameter.name], before):
                yield {**case, parameter.name: simpler}
        except _TROUBLE:
            continue


def _smaller_sizes(claim: Claim, case: Case) -> Iterator[Case]:
    """Leave one index out of everything that has the same size, and the size with it."""
    for parameter in claim.parameters:
        if not isinstance(parameter, Integer):
            continue
        sized = [
            p for p in claim.parameters
            if (isinstance(p, Vector) and p.length == parameter.name)
            or (isinstance(p, Symmetric) and p.size == parameter.name)
        ]  # fmt: skip
        if not sized:
            continue
        for out in range(case[parameter.name]):
            smaller = {**case, parameter.name: case[parameter.name] - 1}
            for p in sized:
                kept = [item for index, item in enumerate(case[p.name]) if index != out]
                if isinstance(p, Symmetric):
                    kept = [[x for index, x in enumerate(row) if index != out] for row in kept]
                smaller[p.name] = kept
            yield smaller


def _weight(case: Case) -> int:
    return sum(complexity(value) for value in case.values())


def _float_slack(text: str, values: Case) -> float:
    """Positive where the comparison fails in floats, relative to the size of its sides."""
    sides = formula.relation(text)
    left = float(formula.evaluate(sides.left, formula.floats(), values))
    right = float(formula.evaluate(sides.right, formula.floats(), values))
    if not (math.isfinite(left) and math.isfinite(right)):
        raise ValueError("a side is not finite")
    gap = left - right if sides.operator in ("<=", "<") else right - left
    if sides.operator in ("==", "!="):
        gap = abs(left - right) if sides.operator == "==" else float(left == right)
    if gap == 0 and sides.operator in ("<", ">"):
        return 1e-300
    return gap / max(abs(left), abs(right), 1e-300)
