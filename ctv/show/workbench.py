"""What `ctv verify --show goal`, `--try` and `--out FILE.toml` answer: the workbench of a proof."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctv.show.shown import Screen, Shown

if TYPE_CHECKING:
    from proofs_check.prover.workbench import Attempt, Goal

_PROVES = {
    "statement": "The script proves this statement.",
    "tree": "The script proves what this tree means; before it the tactic `walked` goes through\n"
    "the tree and leaves the comparison.",
    "theorem": "The script proves, from the theorem below, `means` of the tree in words of Coq.",
    "negation": "The claim is expected to be false. The script has its statement as hypothesis H\n"
    "and proves False: specialize (H (1) (1 / 2)) at a counterexample, then fails H.",
}


@dataclass(frozen=True, eq=False, repr=False)
class Goals(Shown):
    """What a script has to prove for one claim."""

    format = "ctv-bounds proof goal 1"

    goal: Goal

    def headline(self) -> str:
        return f"{self.goal.theorem} : {' '.join(self.goal.statement.split())}"

    def parts(self) -> dict[str, Any]:
        goal = self.goal
        return {
            "id": goal.claim.id,
            "part": goal.part,
            "theorem": goal.theorem,
            "goal": goal.statement,
            "tree": goal.tree,
            "domain": [parameter.describe() for parameter in goal.claim.parameters],
            "hypotheses": list(goal.claim.hypotheses),
            "formula": goal.claim.formula,
            "given": goal.given,
            "citable": dict(goal.citable),
            "others": list(goal.others),
            "script": goal.claim.proof,
        }

    def screen(self) -> Screen:
        goal, claim = self.goal, self.goal.claim
        first = [
            f"{claim.id}: {claim.statement}",
            "",
            f"Theorem {goal.theorem} :",
            f"  {goal.statement}.",
            "",
            f"domain      {'; '.join(parameter.describe() for parameter in claim.parameters)}",
            *(f"hypothesis  {text}" for text in claim.hypotheses),
            f"formula     {claim.formula}",
            *(f"  where     {name} = {meaning}" for name, meaning in claim.let),
            "",
            _PROVES[goal.part],
        ]
        first += ["", goal.given] if goal.given else []
        for name, statement in goal.citable.items():
            first += ["", f"It may cite {name} :", f"  {statement}"]
        first += ["", f"It may cite {len(goal.others)} theorems of other claims too (--json)."]
        if claim.proof:
            first += ["", "The script in the table of the claim:", claim.proof]
        first += ["", f"ctv verify {claim.id} --try FILE asks the assistant about a script."]
        tree = ("", "The tree, as the kernel has it:", f"means\n  {goal.tree}")
        return Screen(tuple(first), tree, verbatim=True)


@dataclass(frozen=True, eq=False, repr=False)
class Tried(Shown):
    """What the proof assistant says of a script for one claim."""

    format = "ctv-bounds proof attempt 1"

    attempt: Attempt

    def headline(self) -> str:
        attempt = self.attempt
        if attempt.accepted:
            return f"Coq accepts {attempt.theorem}, {attempt.seconds:.1f} s"
        place = f"line {attempt.line} of the script" if attempt.line else "the script"
        return f"Coq refuses {place} for {attempt.claim.id}"

    def exit_code(self) -> int:
        return int(not self.attempt.accepted)

    def parts(self) -> dict[str, Any]:
        attempt = self.attempt
        return {
            "id": attempt.claim.id,
            "theorem": attempt.theorem,
            "accepted": attempt.accepted,
            "script": attempt.script,
            "line": attempt.line or None,
            "message": attempt.message,
            "goals": attempt.goals,
            "axioms": list(attempt.axioms),
            "seconds": round(attempt.seconds, 3),
        }

    def screen(self) -> Screen:
        attempt = self.attempt
        lines = [f"{self.headline()}.", attempt.message, attempt.goals]
        if attempt.accepted:
            lines += ["Keep it in the table of the claim:", f"proof = '''\n{attempt.script}\n'''"]
        return Screen(tuple(line for line in lines if line), verbatim=True)


@dataclass(frozen=True, eq=False, repr=False)
class Started(Shown):
    """The files that begin a ledger of one's own."""

    format = "ctv-bounds new ledger 1"

    path: Path
    files: tuple[Path, ...]

    def headline(self) -> str:
        return f"A ledger begins in {', '.join(map(str, self.files))}"

    def parts(self) -> dict[str, Any]:
        return {"files": [str(path) for path in self.files]}

    def screen(self) -> Screen:
        return Screen((f"{self.headline()}.", f"ctv verify {self.path} examines it."))
