"""Looks for the script of a claim's theorem: what closes each of its goals.

A script stands in the table of its claim; one that nothing finds is written there by hand, one
tactic a line. Nothing here has to be believed: the assistant's kernel checks the proof that a
script makes.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim
from proofs_check.prover.alone import put_theories
from proofs_check.prover.export import NotExported, tree_of
from proofs_check.prover.kernel import ProverFailed
from proofs_check.prover.readable import statement_of
from proofs_check.prover.runner import (
    HEAD,
    LISTED,
    LISTS,
    SCALAR,
    theorem_of,
    tying,
    walking,
    written,
)
from proofs_check.prover.written import part_of

# Tactics with the seconds that a search for one may spend on each.
_CLOSERS = (
    ("lra", 3),
    ("left; lra", 2),
    ("above_zero", 3),
    ("fields", 3),
    ("nra", 4),
    ("interval", 3),
    ("functions", 4),
    ("signed", 6),
    ("cases; lra", 3),
    ("cases; nra", 5),
    ("roots", 5),
    ("cancels; first [fields | known; plain]", 5),
    ("known; lra", 5),
    ("known; nra", 7),
    ("multiplied; plain", 4),
    ("multiplied; known; plain", 6),
    ("cases; known; plain", 7),
    ("rewrite ?pow2_sqrt by unsigned; first [fields | f_equal; fields]", 5),
    (
        "rewrite ?pow2_sqrt by unsigned; rewrite <- !Rpower_pow by plain; unfold Rpower, Rdiv; "
        "rewrite ?Rmult_1_l, <- ?exp_Ropp; f_equal; cbn [INR]; fields",
        5,
    ),
)
_WALKS = "all: sequences."
_MARK = "@@"
_SECONDS_OF_A_SUM = 8
_MINUTES = 25


def found_scripts(claims: Mapping[str, Claim], wanted: Sequence[str]) -> dict[str, str]:
    """Scripts for the claims that the tactics reach, by one pass of the assistant's toplevel."""
    numbers, lists = [HEAD], [LISTED]
    for name in wanted:
        try:
            if part_of(claims[name]) == "tree":
                lists.append(_walking(name, tree_of(claims[name])))
            else:
                numbers.append(_searching(name, statement_of(claims[name])))
        except NotExported:
            continue
    said = ""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        put_theories(folder, LISTS if lists[1:] else SCALAR)
        for text in (numbers, lists):
            said += _toplevel(folder, "".join(text)) if text[1:] else ""
    closers: dict[str, list[str]] = {}
    for name, number in re.findall(_MARK + r"(\S+) (\d+)$", said, re.M):
        closers.setdefault(name, []).append(f"solve [{_CLOSERS[int(number)][0]}]")
    scripts = {}
    for name, solved in closers.items():
        if not re.search(rf"\(in proof {theorem_of(name)}\): Attempt to save", said):
            # In the order of the goals: each said what closed it, and nothing else is tried again.
            scripts[name] = f"intros.\npowers; rsplit; intros; [{' | '.join(solved)}]."
    return scripts | dict.fromkeys(re.findall(_MARK + r"(\S+) walked$", said, re.M), _WALKS)


def _toplevel(folder: Path, text: str) -> str:
    """What the assistant's toplevel says of commands; InvalidInput where it is not installed."""
    try:
        done = subprocess.run(
            ["coqtop", "-w", "none", "-quiet", "-Q", str(folder), "CTV"],
            input=text,
            capture_output=True,
            text=True,
            timeout=60 * _MINUTES,
            check=False,
        )
    except FileNotFoundError:
        remedy = "is not installed: apt-get install coq libcoq-mathcomp-analysis libcoq-interval"
        raise InvalidInput("prover", "coqtop", remedy) from None
    except subprocess.TimeoutExpired:
        raise ProverFailed(f"the search for scripts took more than {_MINUTES} minutes") from None
    return done.stdout + done.stderr


def _searching(name: str, statement: str) -> str:
    tried = " | ".join(
        f'(timeout {seconds} (solve [{tactic}]); idtac "{_MARK}{name} {number}")'
        for number, (tactic, seconds) in enumerate(_CLOSERS)
    )
    script = f"intros.\npowers; rsplit; intros; first [{tried}]."
    return f"{written(theorem_of(name), statement, script)}Abort All.\n"


def _walking(name: str, tree: str) -> str:
    """The tactics for sums, on every goal that the walk through a tree leaves."""
    theorem = theorem_of(name)
    tried = f"all: timeout {_SECONDS_OF_A_SUM} sequences."
    return (
        f"{written(theorem, *tying(tree, walking(tried)))}Abort All.\n"
        f'Goal True. pose proof {theorem} as T; idtac "{_MARK}{name} walked". Abort.\nAbort All.\n'
    )
