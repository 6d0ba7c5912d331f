"""What the tables of claims hold for the proof assistant: scripts, and theorems of the theories.

A `proof` is a script of tactics. It proves the readable statement of its claim; of a claim about
lists, or sums up to a parameter, its tree, rule by rule; where a `theorem` of the theories states
the claim, its tree from that theorem; and where the claim is expected to be refuted, its negation.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Parameter
from proofs_check.ledgers import CLAIMS, TEMPLATE
from proofs_check.prover.export import NotExported
from proofs_check.prover.readable import statement_of

Part = Literal["statement", "tree", "theorem", "negation"]


def part_of(claim: Claim) -> Part:
    """What the script of a claim proves."""
    if claim.expected is Verdict.REFUTED:
        return "negation"
    if claim.theorem or not claim.formula:
        return "theorem" if claim.theorem else "statement"
    read = claim.parameters, claim.let, claim.hypotheses, claim.formula
    return "statement" if _is_readable(*read) else "tree"


@lru_cache(maxsize=4096)
def _is_readable(
    parameters: tuple[Parameter, ...],
    let: tuple[tuple[str, str], ...],
    hypotheses: tuple[str, ...],
    formula: str,
) -> bool:
    """Whether a claim is over numbers that can be written out; else its tree is proved."""
    claim = Claim("a", "", "", "", formula, Verdict.PROVED, "", parameters, let, hypotheses)
    try:
        statement_of(claim)
    except NotExported:
        return False
    return True


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Claim]:
    """The claims of the shipped ledgers and of the template, by id."""
    return {claim.id: claim for claim in (*CLAIMS, *TEMPLATE)}


def original(claim: Claim) -> Claim:
    """The shipped claim that a claim cites; else the claim itself."""
    return shipped()[claim.cites] if claim.cites else claim


def _scripts(part: Part) -> dict[str, str]:
    return {
        name: claim.proof
        for name, claim in shipped().items()
        if claim.proof and part_of(claim) == part
    }


@lru_cache(maxsize=1)
def scripts() -> dict[str, str]:
    """The scripts of exported theorems by claim: of statements, and of trees about lists."""
    return _scripts("statement") | _scripts("tree")


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
    theorems: dict[str, dict[str, Any]] = {}
    for claim in sorted(shipped().values(), key=lambda claim: not claim.says):
        if claim.theorem:
            given = {"claims": [], "words": claim.says, "differs": claim.differs}
            theorems.setdefault(claim.theorem, given)["claims"].append(claim.id)
    return theorems


@lru_cache(maxsize=1)
def index() -> dict[str, str]:
    """The theorems of the theories by the claims that they prove; a refuted claim has none."""
    return {
        name: theorem
        for theorem, entry in stated().items()
        for name in entry["claims"]
        if part_of(shipped()[name]) == "theorem"
    }
