"""What the proof assistant's kernel says: the part of the runner that is believed.

Proofs may come from anywhere. What each claim means is written down, `means` of its tree, in a
file that knows nothing but meaning.v, before the modules with the proofs are loaded; a proof is
then taken for it by name, and `Print Assumptions` of the two together is read against a short list.
Modules are compiled from their sources in a folder of this run, and none is imported there, so that
no word of theirs changes what a statement says. See docs/language.md.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bounds.errors import InvalidInput

try:
    import resource
except ImportError:  # Windows has none: there the assistant runs without these limits
    resource = None  # type: ignore[assignment]

ROOT = Path(__file__).resolve().parent
MEMORY, SECONDS = 6_000_000_000, 240
_MARK = "@@"
TREES = (
    "From Coq Require Import List String ZArith.\nFrom CTV Require Import meaning.\n"
    "Import ListNotations.\n"
)
"""The words in which the trees of claims are written."""
# Those of Coq's real numbers and of classical analysis, and machine integers and floats as the
# tactic `interval` computes with them.
_AXIOMS = re.compile(
    r"ClassicalDedekindReals\.sig_(not_dec|forall_dec)"
    r"|FunctionalExtensionality\.functional_extensionality_dep"
    r"|Classical_Prop\.classic|Epsilon\.epsilon_statement"
    r"|boolp\.(propositional_extensionality|functional_extensionality_dep)"
    r"|boolp\.constructive_indefinite_description"
    r"|(PrimInt63|Uint63|Sint63|PrimFloat|FloatAxioms)\.\w+"
)


class ProverFailed(RuntimeError):
    """The assistant refused something; the message says what, in one line."""


def coqc(folder: Path, name: str) -> str:
    """Compile one file of a folder and return what it prints; raises `ProverFailed`."""
    try:
        done = subprocess.run(
            ["coqc", "-q", "-w", "none", "-Q", ".", "CTV", f"{name}.v"], cwd=folder,
            capture_output=True, text=True, check=False,
            preexec_fn=None if resource is None else _within_limits,
        )  # fmt: skip
    except FileNotFoundError:
        raise InvalidInput("prover", "coqc", "is not installed: apt-get install coq "
                           "libcoq-mathcomp-analysis libcoq-interval") from None  # fmt: skip
    if done.returncode:
        raise ProverFailed(" ".join(done.stderr.split())[:400] or f"{name}.v took too long")
    return done.stdout


def _within_limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def asked(folder: Path, name: str, head: str, questions: Mapping[str, str]) -> dict[str, str]:
    """What the assistant prints of each of some commands, in a file of its own."""
    text = head + "".join(
        f'Goal True. idtac "{_MARK}{key}". Abort.\n{command}.\n'
        for key, command in questions.items()
    )
    (folder / f"{name}.v").write_text(text, encoding="utf-8")
    parts = re.split(rf"^{_MARK}(\S+)\n", coqc(folder, name), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def axioms_of(
    folder: Path,
    statements: Mapping[str, str],
    modules: Iterable[str],
    others: Sequence[str] = (),
    words: str = TREES,
) -> tuple[str, ...]:
    """The axioms on which theorems `module.name` stand, taken together, those of `others` too.

    Each has the type that `statements` gives it in the `words`, where one does, or `ProverFailed`
    is raised; so it is where an axiom is not on the list.
    """
    head = words
    terms, proofs = list(others), ""
    for number, (theorem, statement) in enumerate(statements.items()):
        terms.append(f"held_{number}")
        head += f"Definition said_{number} : Prop :=\n  {statement}.\n"
        proofs += f"Definition held_{number} : said_{number} := {theorem}.\n"
    head += f"From CTV Require {' '.join(modules)}.\n{proofs}"
    head += f"Definition every := ({', '.join(terms)}).\n"
    said = asked(folder, "judged", head, {"axioms": "Print Assumptions every"})
    return axioms_in(said["axioms"])


def axioms_in(said: str) -> tuple[str, ...]:
    """The axioms that `Print Assumptions` names; raises `ProverFailed` for one not allowed."""
    lines = said.splitlines()
    if lines == ["Closed under the global context"]:
        return ()
    if not lines or lines[0] != "Axioms:":
        raise ProverFailed(f"unexpected assumptions: {said[:200]}")
    found = [line.split(" : ")[0].split()[0] for line in lines[1:] if line and line[0] != " "]
    for axiom in found:
        if not _AXIOMS.fullmatch(axiom):
            raise ProverFailed(f"a theorem rests on {axiom}, which is not on the list")
    return tuple(sorted(found))
