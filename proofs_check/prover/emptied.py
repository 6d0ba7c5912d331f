"""Empties proofs: the script of a claim has to fail for what the claim does not say.

A theorem whose hypotheses contradict each other, or whose goal says nothing, has a script that
proves anything. So each script is tried on its claim with the formula `1 <= 0` in place of its own,
and with its formula negated; that of a refutation on a formula that holds everywhere, and on the
negation. Whatever passes is an empty theorem. Nothing here has to be believed.
"""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.prover.export import tree_of
from proofs_check.prover.kernel import ProverFailed
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
)
from proofs_check.prover.written import Part, part_of, shipped

_LOG = logging.getLogger(__name__)
_NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}
_A_RUN = 40
_SECONDS = 20
_MARK = "@@"


def emptied(claim: Claim) -> dict[str, Claim]:
    """The claim with formulas that its script must not prove, by what was done to it.

    >>> from proofs_check.ledgers import CLAIMS
    >>> claim = next(one for one in CLAIMS if one.id == "log-increasing")
    >>> [one.formula for one in emptied(claim).values()]
    ['1 <= 0', '(log(x)) > (log(y))']
    """
    relation = formula.relation(claim.formula)
    negated = f"({relation.left}) {_NEGATED[relation.operator]} ({relation.right})"
    constant = "0 <= 1" if part_of(claim) == "negation" else "1 <= 0"
    return {"emptied": replace(claim, formula=constant), "negated": replace(claim, formula=negated)}


def _tried(part: Part, name: str, claim: Claim, script: str) -> str:
    """A theorem of a changed claim with the script of the honest one."""
    if part == "statement":
        return f"Theorem {name} : {statement_of(claim)}.\nProof.\n{script}\nQed.\n"
    if part in ("theorem", "tree"):
        return tying(name, tree_of(claim), walking(script) if part == "tree" else script)
    return denying(name, tree_of(claim), script)


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
            for start in range(0, len(trials), _A_RUN):
                text = [heads[part], f"Set Default Timeout {_SECONDS}.\n"]
                run = trials[start : start + _A_RUN]
                for name, how, claim in run:
                    theorem = f"{how}_{theorem_of(name)}"
                    text.append(_tried(part, theorem, claim, scripts[name]))
                    text.append(f"Abort All.\nGoal True. first [pose proof {theorem} as T; idtac ")
                    text.append(f'"{_MARK}{name} {how}" | idtac "{_MARK}{name} refused"]. Abort.\n')
                    text.append(f'Goal True. idtac "{_MARK}{name} tried". Abort.\n')
                proved |= _said(folder, "".join(text), [name for name, _, _ in run])
    return proved


def _said(folder: Path, text: str, names: Sequence[str]) -> dict[str, str]:
    """The trials that the assistant's toplevel went through with, or ran out of time for.

    It goes on after an error. Raises `ProverFailed` where it did not come to the end of each: what
    was not tried did not fail.
    """
    done = subprocess.run(
        ["coqtop", "-w", "none", "-quiet", "-Q", ".", "CTV"],
        cwd=folder,
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    parts = re.split(rf"^{_MARK}(\S+) tried$", done.stdout, flags=re.M)
    if parts[1::2] != list(names):
        raise ProverFailed("the toplevel ended before every script was tried", done.stdout)
    outcomes = {}
    for name, said in zip(names, parts[::2], strict=False):
        passed = re.search(rf"^{_MARK}{name} (emptied|negated)$", said, re.M)
        if passed or "Timeout!" in said:
            outcomes[name] = passed[1] if passed else f"not known: more than {_SECONDS} s"
    return outcomes


def main(names: Sequence[str]) -> int:
    """Try the scripts of the named claims (none: all); 1 where one proves what it must not."""
    claims = shipped()
    scripts = {name: claim.proof for name, claim in claims.items() if claim.proof}
    proved = passing(claims, scripts, names)
    for name, how in proved.items():
        _LOG.info(f"{name}: its script proves the claim {how}")
    _LOG.info(f"{len(names or scripts)} scripts tried, {len(proved)} of empty theorems")
    return 1 if proved else 0


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    raise SystemExit(main(sys.argv[1:]))
