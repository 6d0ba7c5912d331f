"""A counterexample made simple: smaller numbers, fewer entries, each step confirmed."""

from __future__ import annotations

from collections.abc import Iterator

from proofs_check.language.claim import Claim
from proofs_check.language.parameters import Integer, Symmetric, Vector
from proofs_check.language.simplicity import complexity
from proofs_check.search.cases import TROUBLE, Case, admits, confirm, float_violation


def shrink(claim: Claim, case: Case, attempts: int) -> Case:
    """A simpler counterexample: greedy, each step confirmed; it keeps a visible violation."""
    best, left = case, attempts
    visible = min(float_violation(claim, case) or 0.0, 1e-3)
    improved = True
    while improved and left > 0:
        improved = False
        for candidate in _simpler_cases(claim, best):
            if weight(candidate) >= weight(best):
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


def _simpler_cases(claim: Claim, case: Case) -> Iterator[Case]:
    yield from _smaller_sizes(claim, case)
    for parameter in claim.parameters:
        before = {name: value for name, value in case.items() if name != parameter.name}
        try:
            for simpler in parameter.simpler(case[parameter.name], before):
                yield {**case, parameter.name: simpler}
        except TROUBLE:
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


def weight(case: Case) -> int:
    """How hard a case is to read."""
    return sum(complexity(value) for value in case.values())
