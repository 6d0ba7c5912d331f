"""Scripts that prove anything: found for empty theorems, and none of the shipped ones is.

A theorem whose hypotheses contradict each other, or whose goal says nothing, has a script that
proves anything. So each script is tried on its claim with the formula `1 <= 0` in place of its own,
and with its formula negated; that of a refutation on a formula that holds everywhere, and on the
negation. Whatever passes is an empty theorem. All scripts are tried by
`python -m tests.proofs_check.test_prover_emptied`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from proofs_check.language import formula
from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real
from proofs_check.ledgers import opened
from proofs_check.prover.export import tree_of
from proofs_check.prover.readable import statement_of
from proofs_check.prover.runner import (
    HEAD,
    LISTED,
    LISTS,
    MEANT,
    TYING,
    compiled_claims,
    compiled_theories,
    denying,
    ordered,
    theorem_of,
    tying,
    walking,
    written,
)
from proofs_check.prover.written import Part, part_of
from tests.proofs_check.planted import ALL, claim, needs_coq

LINE = Real("x")
NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
A_RUN = 40
SECONDS = 20
MARK = "@@"


def emptied(one: Claim) -> dict[str, Claim]:
    """The claim with formulas that its script must not prove, by what was done to it."""
    relation = formula.relation(one.formula)
    negated = f"({relation.left}) {NEGATED[relation.operator]} ({relation.right})"
    constant = "0 <= 1" if part_of(one) == "negation" else "1 <= 0"
    return {"emptied": replace(one, formula=constant), "negated": replace(one, formula=negated)}


def tried(part: Part, name: str, one: Claim, script: str) -> str:
    """A theorem of a changed claim with the script of the honest one."""
    if part == "statement":
        return written(name, statement_of(one), script)
    if part == "negation":
        return written(name, *denying(tree_of(one), script))
    return written(name, *tying(tree_of(one), walking(script) if part == "tree" else script))


def passing(
    claims: Mapping[str, Claim], scripts: Mapping[str, str], wanted: Sequence[str] = ()
) -> dict[str, str]:
    """The claims (none named: all) whose script proves what it must not, and what that is."""
    names = [name for name in (wanted or scripts) if name in scripts]
    by_part: dict[Part, list[str]] = {"statement": [], "tree": [], "theorem": [], "negation": []}
    for name in names:
        by_part[part_of(claims[name])].append(name)
    proved: dict[str, str] = {}
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        compiled_theories(folder, () if by_part["theorem"] else LISTS)
        stated = {n: text for n, text in scripts.items() if part_of(claims[n]) == "statement"}
        needed = ordered(claims, stated, by_part["statement"]) if by_part["statement"] else []
        theorems = compiled_claims(folder, {n: statement_of(claims[n]) for n in needed}, stated)
        modules = dict.fromkeys(theorem.partition(".")[0] for theorem in theorems.values())
        heads: dict[Part, str] = {
            "statement": HEAD + "".join(f"From CTV Require Import {name}.\n" for name in modules),
            "tree": LISTED,
            "theorem": TYING,
            "negation": HEAD + MEANT,
        }
        for part, of_part in by_part.items():
            trials = [(n, how, trial) for n in of_part for how, trial in emptied(claims[n]).items()]
            for start in range(0, len(trials), A_RUN):
                text = [heads[part], f"Set Default Timeout {SECONDS}.\n"]
                run = trials[start : start + A_RUN]
                for name, how, one in run:
                    theorem = f"{how}_{theorem_of(name)}"
                    text.append(tried(part, theorem, one, scripts[name]))
                    text.append(f"Abort All.\nGoal True. first [pose proof {theorem} as T; idtac ")
                    text.append(f'"{MARK}{name} {how}" | idtac "{MARK}{name} refused"]. Abort.\n')
                    text.append(f'Goal True. idtac "{MARK}{name} tried". Abort.\n')
                proved |= said_of(folder, "".join(text), [name for name, _, _ in run])
    return proved


def said_of(folder: Path, text: str, names: Sequence[str]) -> dict[str, str]:
    """The trials that the assistant's toplevel went through with, or ran out of time for.

    It goes on after an error, to the end of each: what was not tried did not fail.
    """
    command = ["coqtop", "-w", "none", "-quiet", "-Q", ".", "CTV"]
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(command, cwd=folder, input=text, text=True, check=False, **both)
    parts = re.split(rf"^{MARK}(\S+) tried$", done.stdout, flags=re.M)
    assert parts[1::2] == list(names), done.stdout
    outcomes = {}
    for name, said in zip(names, parts[::2], strict=False):
        passed = re.search(rf"^{MARK}{name} (emptied|negated)$", said, re.M)
        if passed or "Timeout!" in said:
            outcomes[name] = passed[1] if passed else f"not known: more than {SECONDS} s"
    return outcomes


def test_a_claim_is_emptied_and_negated() -> None:
    honest = claim("(x if x > 0 else 0) >= x", LINE)
    formulas = [one.formula for one in emptied(honest).values()]
    assert formulas == ["1 <= 0", "(x if x > 0 else 0) < (x)"]
    false = replace(
        claim("x == 0", LINE), expected=Verdict.REFUTED, finding="false", proof="fails H."
    )
    assert [one.formula for one in emptied(false).values()] == ["0 <= 1", "(x) != (0)"]


@needs_coq
@pytest.mark.slow
def test_a_script_of_an_empty_theorem_is_found() -> None:
    """Hypotheses that contradict each other prove all; an honest script proves its claim alone."""
    claims = {
        "empty": claim("x <= 7", LINE, hypotheses=("x >= 1", "x <= 0")),
        "honest": claim("x**2 >= 0", LINE),
    }
    scripts = {"empty": "intros. lra.", "honest": "intros. nra."}
    assert set(passing(claims, scripts)) == {"empty"}


@needs_coq
@pytest.mark.slow
def test_no_script_of_a_refutation_is_of_an_empty_theorem() -> None:
    some = ("lemma-2-membership-by-value", "matern-smoothness", "tv-reset-lag")
    claims = {**ALL, **opened(["docs/ledgers/bogunovic2016"]).known}
    scripts = {name: one.proof for name, one in claims.items() if one.proof}
    assert passing(claims, scripts, some) == {}


if __name__ == "__main__":
    SCRIPTS = {name: one.proof for name, one in ALL.items() if one.proof}
    EMPTY = passing(ALL, SCRIPTS, sys.argv[1:])
    sys.exit("\n".join(f"{name}: its script proves the claim {how}" for name, how in EMPTY.items()))
