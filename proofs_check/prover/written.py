"""What the tables of claims hold for the proof assistant: scripts, and theorems of the theories.

A `proof` is a script of tactics. It proves the readable statement of its claim; where a `theorem`
of the theories states the claim, the claim's tree from that theorem; and where the claim is
expected to be refuted, its negation.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from proofs_check.language.claim import Claim, Verdict
from proofs_check.ledgers import CLAIMS, TEMPLATE

Part = Literal["statement", "theorem", "negation"]


def part_of(claim: Claim) -> Part:
    """What the script of a claim proves."""
    if claim.expected is Verdict.REFUTED:
        return "negation"
    return "theorem" if claim.theorem else "statement"


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Claim]:
    """The claims of the shipped ledgers and of the template, by id."""
    return {claim.id: claim for claim in (*CLAIMS, *TEMPLATE)}


def _scripts(part: Part) -> dict[str, str]:
    return {
        name: claim.proof
        for name, claim in shipped().items()
        if claim.proof and part_of(claim) == part
    }


@lru_cache(maxsize=1)
def scripts() -> dict[str, str]:
    """The scripts of exported theorems by claim."""
    return _scripts("statement")


@lru_cache(maxsize=1)
def refutations() -> dict[str, str]:
    """The scripts that refute claims, by claim: the point of a counterexample, and tactics."""
    return _scripts("negation")


@lru_cache(maxsize=1)
def bridges() -> dict[str, str]:
    """The scripts that prove the trees of claims that a theorem of the theories states."""
    return _scripts("theorem")


@lru_cache(maxsize=1)
def stated() -> dict[str, dict[str, Any]]:
    """What claims say of each theorem of the theories: claims, in words, what differs.

    The first claim is the one that holds the words.
    """
    found: dict[str, dict[str, Any]] = {}
    for claim in sorted(shipped().values(), key=lambda claim: not claim.says):
        if claim.theorem:
            given = {"claims": [], "words": claim.says, "differs": claim.differs}
            found.setdefault(claim.theorem, given)["claims"].append(claim.id)
    return found


@lru_cache(maxsize=1)
def index() -> dict[str, str]:
    """The theorems of the theories by the claims that they prove; a refuted claim has none."""
    return {
        name: theorem
        for theorem, entry in stated().items()
        for name in entry["claims"]
        if part_of(shipped()[name]) == "theorem"
    }
