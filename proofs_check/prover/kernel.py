"""What the proof assistant's kernel says: the part of the runner that is believed.

Proofs may come from anywhere. What each claim means is written down, `means` of its tree, in a
file that knows nothing but meaning.v, before the modules with the proofs are loaded; a proof is
then taken for it by name, and `Print Assumptions` of the two together is read against the axioms of
axioms.json, by full name and type. Modules are compiled from their sources in a folder of this run,
and none is imported there, so that no word of theirs changes what a statement says. What was
compiled is then checked by a second program, `coqchk`. See docs/language.md.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bounds.errors import CtvBoundsError, InvalidInput

try:
    import resource
except ImportError:  # Windows has none: there the assistant runs without these limits
    resource = None  # type: ignore[assignment]

ROOT = Path(__file__).resolve().parent
COQ = ROOT.parent / "coq"
"""The folder of the theories; a file `FOLDER/NAME.v` of it is the module `CTV.FOLDER.NAME`."""
MEMORY, SECONDS = 6_000_000_000, 240
_MARK = "@@"
TREES = (
    "From Coq Require Import List String ZArith.\nFrom CTV Require Import meaning.\n"
    "Import ListNotations.\n"
)
"""The words in which the trees of claims are written."""
AXIOMS: dict[str, str] = json.loads((ROOT / "axioms.json").read_text(encoding="utf-8"))
"""The axioms that are allowed, by full name, each with its type as the assistant prints it.

They are those of Coq's real numbers and of classical analysis, and machine integers and floats as
the tactic `interval` computes with them.
"""
_SHORT = {".".join(name.split(".")[-2:]): name for name in AXIOMS}
_NAMED = re.compile(r"([\w.']+) : (.*)")
_PREDICATIVE = "Set is predicative"
_STRICT = {_PREDICATIVE, "Rewrite rules are not allowed"}
"""What the second checker says of the theory; the second sentence from Coq 8.20 on."""
_UNCHECKED = (
    "Constants/Inductives relying on type-in-type",
    "Constants/Inductives relying on unsafe (co)fixpoints",
    "Inductives whose positivity is assumed",
)
_OTHERS = ("Axioms", *_UNCHECKED)


class Judged(NamedTuple):
    """The axioms on which theorems stand, and digests of the propositions that they prove."""

    axioms: tuple[str, ...]
    propositions: tuple[str, ...]


class ProverFailed(CtvBoundsError, RuntimeError):
    """The assistant refused something; the message says what, in one line, and `said` all of it."""

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(message)
        self.said = said


def coqc(folder: Path, name: str) -> str:
    """Compile a file of a folder, by its path there without the suffix; returns what it prints.

    Raises `ProverFailed`.
    """
    return said_by(["coqc", "-q", "-w", "none", "-Q", ".", "CTV", f"{name}.v"], folder)


def said_by(command: Sequence[str], folder: Path | None = None) -> str:
    """What a program of the assistant prints; raises `ProverFailed` where it refuses."""
    try:
        done = subprocess.run(
            list(command),
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=None if resource is None else _within_limits,
        )
    except FileNotFoundError:
        raise InvalidInput(
            "prover",
            command[0],
            "is not installed: apt-get install coq libcoq-mathcomp-analysis libcoq-interval",
        ) from None
    if done.returncode:
        line = " ".join(done.stderr.split())[:400] or f"{command[-1]} took too long"
        raise ProverFailed(line, done.stderr)
    # The second checker says what it found on the channel of errors.
    return done.stdout or done.stderr


def _within_limits() -> None:
    # Data, not addresses: OCaml 5 reserves far more of these than it uses.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
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
) -> Judged:
    """What the kernel says of theorems `module.name`, taken together, those of `others` too.

    Each has the type that `statements` gives it in the `words`, where one does, or `ProverFailed`
    is raised; so it is where an axiom is not on the list. Nothing is imported where the axioms are
    printed, so that their types read as those of the list do.
    """
    head = f"Module said.\n{words}"
    terms, proofs = list(others), ""
    for number, (theorem, statement) in enumerate(statements.items()):
        terms.append(f"held_{number}")
        head += f"Definition said_{number} : Prop :=\n  {statement}.\n"
        proofs += f"Definition held_{number} : said.said_{number} := {theorem}.\n"
    head += f"End said.\nFrom CTV Require {' '.join(modules)}.\n{proofs}"
    head += f"Definition every := ({', '.join(terms) or 'I'}).\n"
    questions = {"axioms": "Print Assumptions every"}
    questions |= {short: f"Locate Term {short}" for short in _SHORT}
    where = asked(folder, "judged", head, questions)
    axioms = axioms_in(where.pop("axioms"), where)
    return Judged(axioms, tuple(proposition(named(*pair)) for pair in statements.items()))


def named(theorem: str, statement: str) -> str:
    """What a receipt keeps: of a theorem of the theories its name too, of a tree what it means.

    So no true sentence stands for a theorem that has not been proved.
    """
    name = theorem.removeprefix("statements.")
    return statement if name == theorem else f"{name} : {statement}"


def proposition(text: str) -> str:
    """The digest of a proposition, however its lines are broken."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def axioms_in(said: str, where: Mapping[str, str]) -> tuple[str, ...]:
    """The full names of the axioms that `Print Assumptions` names; `ProverFailed` for any other.

    `where` has what `Locate` says of each short name: the constant of the list, and no second one.
    """
    lines = said.rstrip().splitlines()
    if lines == ["Closed under the global context"]:
        return ()
    if not lines or lines[0] != "Axioms:":
        raise ProverFailed(f"unexpected assumptions: {said[:200]}")
    names = []
    for line in re.sub(r"\n +", " ", "\n".join(lines[1:])).splitlines():
        match = _NAMED.fullmatch(line)
        short, kind = match.groups() if match else (line, "")
        kind = " ".join(kind.split())
        name = _SHORT.get(short, "")
        if not name or where.get(short, "").split() != ["Constant", name]:
            raise ProverFailed(f"a theorem rests on {short[:200]}, which is not on the list")
        if kind != AXIOMS[name]:
            raise ProverFailed(f"a theorem rests on {name} of another type: {kind[:200]}")
        names.append(name)
    return tuple(sorted(names))


def checked_again(folder: Path) -> int:
    """Check every compiled file of a folder by `coqchk`; the number of files.

    It takes the libraries for granted. Raises `ProverFailed` where it refuses a file, and for an
    axiom, or an inductive type or recursion that was not checked, of these files or any other.
    """
    paths = sorted(path.relative_to(folder).with_suffix("") for path in folder.rglob("*.vo"))
    names = [".".join(("CTV", *path.parts)) for path in paths]
    modules = [word for name in names for word in ("-norec", name)]
    said = said_by(["coqchk", "-silent", "-o", "-Q", ".", "CTV", *modules], folder)
    parts = re.split(r"^\* ", said.partition("CONTEXT SUMMARY")[2], flags=re.M)[1:]
    paragraphs = [(head, rest.split()) for head, _, rest in (part.partition(":") for part in parts)]
    theory = {" ".join(words) for head, words in paragraphs if head == "Theory"}
    others = [head for head, _ in paragraphs if head != "Theory"]
    if sorted(others) != sorted(_OTHERS) or not {_PREDICATIVE} <= theory <= _STRICT:
        raise ProverFailed(f"coqchk says what is not known: {said[-200:]}")
    summary = dict(paragraphs)
    for axiom in summary["Axioms"]:
        if axiom.startswith("CTV."):
            raise ProverFailed(f"coqchk finds the axiom {axiom}, which is not on the list")
    for head in _UNCHECKED:
        if summary[head] != ["<none>"]:
            raise ProverFailed(f"coqchk: {head}: {' '.join(summary[head])[:200]}")
    return len(names)
