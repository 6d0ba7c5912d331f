"""Compiles the scripts of some claims in seconds, beside theories that were compiled before.

The kernel says what it accepts, as in a run of everything (`kernel.axioms_of`): the claim's own
tree, or its negation. The theories lie compiled in the user's cache until one of them changes.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_check.language.claim import Claim
from proofs_check.prover.export import tree_of
from proofs_check.prover.kernel import Judged, ProverFailed, axioms_of, coqc
from proofs_check.prover.readable import statement_of
from proofs_check.prover.receipt import folder as cache
from proofs_check.prover.record import sources
from proofs_check.prover.runner import (
    LISTS,
    SCALAR,
    bridged,
    compiled_claims,
    compiled_theories,
    coq_version,
    digest,
    ordered,
    refutation_of,
    refuted,
    require_tactics,
    theorem_of,
    tied_to_theories,
    walked,
)
from proofs_check.prover.written import Part, part_of

_PLACE = re.compile(r'File "\./([\w/]+\.v)", line (\d+), characters [\d-]+:\n')


class ScriptFailed(ProverFailed):
    """The assistant refused a script: `line` of it (0: not there), and the `goals` left open."""

    def __init__(self, message: str, line: int, goals: str = "") -> None:
        super().__init__(message)
        self.line, self.goals = line, goals


def proved_alone(claim: Claim, script: str, known: Mapping[str, Claim]) -> Judged:
    """What the kernel says of the proof of a claim by a script that may cite `known` claims.

    Raises `ScriptFailed` where the assistant refuses it, and `NotExported` for a claim without a
    tree.
    """
    with TemporaryDirectory() as temporary:
        try:
            return _judged(Path(temporary), {claim.id: script}, {**known, claim.id: claim})
        except ProverFailed as failure:
            raise _located(failure, Path(temporary), claim, script) from None


def proved_together(claims: Sequence[Claim], known: Mapping[str, Claim]) -> Judged:
    """What the kernel says of the proofs of several claims, each for its own tree, taken at once.

    A start of the assistant for all of them, not for each. Raises `ProverFailed` where it refuses
    any, without saying which, and `NotExported` for a claim without a tree.
    """
    own = {claim.id: claim for claim in claims}
    with TemporaryDirectory() as temporary:
        scripts = {name: claim.proof for name, claim in own.items()}
        return _judged(Path(temporary), scripts, {**known, **own})


def _judged(folder: Path, scripts: Mapping[str, str], every: Mapping[str, Claim]) -> Judged:
    """What the kernel says of scripts, compiled in a folder after those that they cite."""
    of_part: dict[Part, dict[str, str]] = {}
    for name, script in scripts.items():
        require_tactics(name, script)
        of_part.setdefault(part_of(every[name]), {})[name] = script
    trees = {name: tree_of(every[name]) for name in scripts}
    put_theories(folder, () if "theorem" in of_part else LISTS if "tree" in of_part else SCALAR)
    stated = {
        name: claim.proof
        for name, claim in every.items()
        if claim.proof and part_of(claim) == "statement"
    }
    stated |= of_part.get("statement", {})
    cited = [*of_part.get("statement", {}), *of_part.get("tree", {})]
    order = ordered(every, {**scripts, **stated}, cited) if cited else []
    statements = {name: statement_of(every[name]) for name in order if name in stated}
    theorems = compiled_claims(folder, statements, stated) if statements else {}
    asking: dict[str, str] = {}
    if "statement" in of_part:
        asking |= bridged(folder, {name: theorems[name] for name in of_part["statement"]}, trees)
    if "negation" in of_part:
        asking |= refuted(folder, trees, of_part["negation"])
    if "theorem" in of_part:
        asking |= tied_to_theories(folder, trees, of_part["theorem"])
    if "tree" in of_part:
        asking |= walked(folder, trees, of_part["tree"], theorems)
    return axioms_of(folder, asking, dict.fromkeys(name.partition(".")[0] for name in asking))


def put_theories(folder: Path, wanted: tuple[str, ...]) -> None:
    """Put compiled theories into a folder, from the user's cache where that can be written."""
    try:
        shutil.copytree(_compiled(wanted), folder, dirs_exist_ok=True)
    except OSError:
        compiled_theories(folder, wanted)


def _compiled(wanted: tuple[str, ...]) -> Path:
    """The folder of compiled theories in the user's cache, made where there is none."""
    key = digest(json.dumps([coq_version(), sorted(sources().items()), wanted]))[:32]
    place = cache() / "theories" / key
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=place.parent) as temporary:
            made = Path(temporary) / "made"
            made.mkdir()
            compiled_theories(made, wanted)
            try:
                made.replace(place)
            except OSError:  # another process was first
                if not place.exists():
                    raise
    return place


def _located(failure: ProverFailed, folder: Path, claim: Claim, script: str) -> ScriptFailed:
    """The failure with its line of the script, and the goals that an unfinished script leaves."""
    place = _PLACE.search(failure.said)
    if place is None:
        return ScriptFailed(str(failure), 0)
    text = (folder / place[1]).read_text(encoding="utf-8")
    said = failure.said[place.end() :].removeprefix("Error:").strip()
    names = (theorem_of(claim.id), refutation_of(claim.id))
    begins = [at for name in names if (at := text.find(f"Theorem {name} ")) >= 0]
    begins += [at for at in (text.find("Theorem tied_"),) if at >= 0]
    at = text.find(f"\n{script}\nQed.", begins[0]) if begins else -1
    line = int(place[2]) - text.count("\n", 0, at) - 1 if at >= 0 else 0
    if not 1 <= line <= script.count("\n") + 2:
        return ScriptFailed(said, 0)
    goals = ""
    if "incomplete proof" in said:
        (folder / "left.v").write_text(f"{text[:at]}\n{script}\nShow.\nAbort.\n", encoding="utf-8")
        goals = coqc(folder, "left").strip()
    return ScriptFailed(said, min(line, script.count("\n") + 1), goals)
