"""The proof of one claim, made by hand: what has to be proved, and what a script does about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim
from proofs_check.prover.alone import ScriptFailed, proved_alone
from proofs_check.prover.export import NotExported, tree_of
from proofs_check.prover.kernel import ProverFailed
from proofs_check.prover.own import proposition_of, theorem_name
from proofs_check.prover.readable import statement_of
from proofs_check.prover.record import recorded
from proofs_check.prover.runner import theorem_of
from proofs_check.prover.written import Part, part_of


@dataclass(frozen=True)
class Goal:
    """What a script for a claim has to prove.

    Attributes
    ----------
    claim : with its domain, hypotheses and formula
    part : the statement, the tree from a theorem of the theories, or the negation
    theorem : the name that the theorem will have
    statement : what is proved, as a person reads it
    tree : the claim as the kernel has it
    given : the theorem of the theories from which the tree is proved; empty for other parts
    citable : the theorems of the claims on which this one rests, by name
    others : the names of all other theorems of claims
    """

    claim: Claim
    part: Part
    theorem: str
    statement: str
    tree: str
    given: str
    citable: Mapping[str, str]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Attempt:
    """What the assistant said of a script.

    Attributes
    ----------
    claim, theorem, script : whose script it is, the name of what it proves, and the script
    accepted : whether the kernel took the proof for the claim's own tree, or its negation
    line : of the script, at which it was refused; 0 where it was not, or at no line of it
    message : the assistant's own, empty where it accepted
    goals : what an unfinished script leaves to be proved
    axioms : on which the theorem stands
    seconds : from start to answer
    """

    claim: Claim
    theorem: str
    script: str
    accepted: bool
    line: int
    message: str
    goals: str
    axioms: tuple[str, ...]
    seconds: float


def goal(claim: Claim, known: Mapping[str, Claim]) -> Goal:
    """What a script for a claim has to prove; raises `InvalidInput` for a claim without a tree."""
    part = part_of(claim)
    try:
        statement, tree = proposition_of(claim), tree_of(claim)
    except NotExported as reason:
        raise _without_tree("goal", claim, reason) from None
    proved = {
        theorem_of(name): other
        for name, other in known.items()
        if other.proof and part_of(other) == "statement" and name != claim.id
    }
    near = [name for name in map(theorem_of, claim.rests_on) if name in proved]
    given = recorded().statements.get(claim.theorem, {}) if part == "theorem" else {}
    return Goal(
        claim=claim,
        part=part,
        theorem=theorem_name(claim),
        statement=statement,
        tree=tree,
        given=str(given.get("statement", "")),
        citable={name: statement_of(proved[name]) for name in near},
        others=tuple(name for name in proved if name not in near),
    )


def tried(claim: Claim, script: str, known: Mapping[str, Claim]) -> Attempt:
    """What the assistant says of a script for a claim, within seconds where theories are compiled.

    Raises `InvalidInput` for a claim without a tree, an empty script, or without the assistant.
    """
    lines = "\n".join(line.rstrip() for line in script.strip().splitlines())
    if not lines:
        raise InvalidInput(
            "try", script, "write a script of tactics: --show goal says what it proves"
        )
    start = perf_counter()
    line, message, goals = 0, "", ""
    axioms: tuple[str, ...] = ()
    try:
        axioms = proved_alone(claim, lines, known).axioms
    except NotExported as reason:
        raise _without_tree("try", claim, reason) from None
    except ScriptFailed as failure:
        line, message, goals = failure.line, str(failure), failure.goals
    except ProverFailed as failure:
        message = str(failure)
    return Attempt(
        claim=claim,
        theorem=theorem_name(claim),
        script=lines,
        accepted=not message,
        line=line,
        message=message,
        goals=goals,
        axioms=axioms,
        seconds=perf_counter() - start,
    )


def _without_tree(option: str, claim: Claim, reason: NotExported) -> InvalidInput:
    return InvalidInput(option, claim.id, f"has nothing for a script to prove: {reason}")
