"""Asks the proof assistant: compiles every theory and every exported claim from nothing.

What it accepts is Coq's kernel's word alone: each theorem is stated by `export` or stands in the
theories, is compiled anew, and `Print Assumptions` of it is read against a short list. A script is
one tactic a line, so that it can close a goal and nothing else.
"""

from __future__ import annotations

import hashlib
import re
import resource
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim
from proofs_check.prover.export import Exported
from proofs_check.prover.links import links, references

ROOT = Path(__file__).resolve().parent
MEMORY = 6_000_000_000
_SECONDS = 240
_CLAIMS_A_FILE = 60
_MARK = "@@"
SCALAR = ("scalar", "normal")
"""The theories on which exported theorems rest."""
HEAD = (
    "From Coq Require Import Reals Lra Psatz ZArith.\nFrom Coquelicot Require Import Coquelicot.\n"
    "From Interval Require Import Tactic.\nFrom CTV Require Import scalar normal.\n"
    "Open Scope R_scope.\n"
)
_ASKING = (
    "From Coq Require Import Reals List.\n"
    "From CTV Require Import definitions statements instances.\n"
    "Open Scope R_scope.\nSet Printing Width 100.\n"
)
# The axioms of Coq's real numbers and of classical analysis, and machine integers and floats as
# the tactic `interval` computes with them.
_AXIOMS = re.compile(
    r"ClassicalDedekindReals\.sig_(not_dec|forall_dec)"
    r"|FunctionalExtensionality\.functional_extensionality_dep|functional_extensionality_dep"
    r"|(Classical_Prop\.)?classic|sig_(not_dec|forall_dec)"
    r"|((Indefinite|Classical)?Epsilon\.|ClassicalEpsilon\.)?"
    r"(constructive_indefinite_description|epsilon_statement)"
    r"|(boolp\.)?(propositional_extensionality|functional_extensionality_dep)"
    r"|(PrimInt63|Uint63|Sint63|PrimFloat|FloatAxioms|FloatOps|SpecFloat)\.\w+"
)


class ProverFailed(RuntimeError):
    """The assistant refused something; the message says what, in one line."""


@dataclass(frozen=True)
class Theorem:
    """A theorem that the kernel accepted, its statement as text, and what it stands on.

    `uses` are the theorems that its script names or, in the theories, that its proof goes through.
    """

    name: str
    statement: str
    axioms: tuple[str, ...]
    uses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Accepted:
    """What a compilation of everything gave.

    Attributes
    ----------
    exported : the theorems of claims over numbers, by claim
    stated : the theorems of statements.v, by name
    instances : the same at a case that meets all of their hypotheses, as the assistant prints it
    definitions : those of definitions.v, as the assistant prints them
    """

    exported: Mapping[str, Theorem]
    stated: Mapping[str, Theorem]
    instances: Mapping[str, str]
    definitions: Mapping[str, str]


def digest(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def theorem_of(claim_id: str) -> str:
    """The name of the exported theorem of a claim."""
    return "claim_" + claim_id.replace("-", "_")


def theories() -> list[Path]:
    """The files with theories."""
    return sorted(ROOT.glob("*.v"))


@lru_cache(maxsize=1)
def stated() -> dict[str, dict[str, Any]]:
    """What index.toml says of each theorem of statements.v: its claims, in words, what differs."""
    return tomllib.loads((ROOT / "index.toml").read_text(encoding="utf-8"))


def index() -> dict[str, str]:
    """The theorems of the theories by the claims that they state.

    The first that names a claim states it; a theorem that refutes one is no proof of it.
    """
    found: dict[str, str] = {}
    for theorem, entry in stated().items():
        for name in () if "refutes" in entry["differs"] else entry["claims"]:
            found.setdefault(str(name), theorem)
    return found


def require_tactics(name: str, script: str) -> None:
    """Raise `ProverFailed` unless each line of a script is one tactic: no sentence hides in it."""
    for line in script.splitlines():
        body = line.strip()
        inside = body.removesuffix(".")
        if not body.endswith(".") or re.search(r"\.(\s|$)|\(\*|admit|Axiom|\"", inside):
            raise ProverFailed(f"the script of {name} is no list of tactics: {body[:80]}")


def ordered(
    claims: Mapping[str, Claim], scripts: Mapping[str, str], wanted: Sequence[str] = ()
) -> list[str]:
    """The claims with scripts (or those wanted), each after those that its script names."""
    by_theorem = {theorem_of(name): name for name in scripts}
    found: dict[str, None] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ProverFailed("claims cite each other: " + " -> ".join((*path, name)))
        for word in re.findall(r"\bclaim_\w+", scripts[name]):
            if word in by_theorem:
                visit(by_theorem[word], (*path, name))
        found.setdefault(name)

    for name in wanted or claims:
        if name in scripts:
            visit(name, ())
    return list(found)


def sentences(claims: Mapping[str, Claim], scripts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The exported theorems in order, by the name of the claim, as text for the assistant."""
    for name in ordered(claims, scripts):
        require_tactics(name, scripts[name])
        statement = Exported(claims[name]).statement
        yield name, f"Theorem {theorem_of(name)} : {statement}.\nProof.\n{scripts[name]}\nQed.\n"


def coqc(folder: Path, name: str, seconds: int = _SECONDS) -> str:
    """Compile one file of a folder and return what it prints; raises `ProverFailed`."""
    if shutil.which("coqc") is None:
        raise InvalidInput("prover", "coqc", "is not installed: apt-get install coq "
                           "libcoq-mathcomp-analysis libcoq-interval")  # fmt: skip
    try:
        done = subprocess.run(
            ["coqc", "-q", "-w", "none", "-Q", ".", "CTV", f"{name}.v"], cwd=folder,
            capture_output=True, text=True, timeout=seconds, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ProverFailed(f"{name}.v took more than {seconds} s") from None
    if done.returncode:
        raise ProverFailed(" ".join(done.stderr.split())[:400])
    return done.stdout


def compiled_theories(folder: Path, wanted: Sequence[str] = ()) -> None:
    """Compile theories (none named: all) in a folder, from their sources alone."""
    paths = [path for path in theories() if not wanted or path.stem in wanted]
    for path in paths:
        shutil.copy(path, folder)
    names = [path.name for path in paths]
    order = subprocess.run(["coqdep", "-Q", ".", "CTV", "-sort", *names], cwd=folder,
                           capture_output=True, text=True, check=True).stdout  # fmt: skip
    for name in order.split():
        coqc(folder, Path(name).stem)


def proved(
    claims: Mapping[str, Claim], scripts: Mapping[str, str], *, scalar: bool = False
) -> Accepted:
    """Compile everything from nothing; where it is `scalar`, the exported theorems alone."""
    found: dict[str, Theorem] = {}
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        compiled_theories(folder, SCALAR if scalar else ())
        texts = list(sentences(claims, scripts))
        modules: list[str] = []
        for start in range(0, len(texts), _CLAIMS_A_FILE):
            chunk = texts[start : start + _CLAIMS_A_FILE]
            module = f"claims_{len(modules)}"
            head = HEAD + "".join(f"From CTV Require Import {earlier}.\n" for earlier in modules)
            groups = _groups([name for name, _ in chunk], scripts)
            body = "".join(text for _, text in chunk) + "".join(
                f"Definition {group} := ({', '.join(map(theorem_of, names))}).\n"
                + _question(group, f"Print Assumptions {group}")
                for group, names in groups.items()
            )
            (folder / f"{module}.v").write_text(head + body, encoding="utf-8")
            said = _answers(coqc(folder, module))
            for group, names in groups.items():
                for name in names:
                    statement = Exported(claims[name]).statement
                    uses = re.findall(r"\bclaim_\w+", scripts[name])
                    found[name] = _theorem(theorem_of(name), statement, said[group], uses)
            modules.append(module)
        return Accepted(found, {}, {}, {}) if scalar else _with_theories(folder, found)


def _groups(names: Sequence[str], scripts: Mapping[str, str]) -> dict[str, list[str]]:
    """Theorems whose axioms are asked for at once, as that takes a second each time.

    What is said of a group holds of each theorem in it.
    """
    found: dict[str, list[str]] = {}
    for name in names:
        computing = re.search(r"interval|closes|grows", scripts[name])
        found.setdefault("computing" if computing else "reasoning", []).append(name)
    return found


def _with_theories(folder: Path, exported: Mapping[str, Theorem]) -> Accepted:
    """What the theories state, as the assistant prints it, each theorem with its instance.

    An instance `at_NAME` is the theorem applied to all that it asks for: its body begins with the
    theorem, and nothing is left to be assumed. What is said of the axioms of all holds of each.
    """
    names = list(stated())
    text = (folder / "definitions.v").read_text(encoding="utf-8")
    defined = re.findall(r"^(?:Definition|Fixpoint) (\w+)", text, re.M)
    asked = _ASKING
    for name in names:
        for key, command in (("is", "Check {}"), ("at", "Check at_{}"), ("by", "Print at_{}")):
            asked += _question(f"{key}:{name}", command.format(name))
    asked += f"Definition every := ({', '.join(f'{name}, at_{name}' for name in names)}).\n"
    asked += _question("axioms", "Print Assumptions every")
    for name in defined:
        asked += _question(f"means:{name}", f"Print {name}")
    goes: dict[str, set[str]] = {}
    for path in folder.glob("*.glob"):
        goes |= references(path.read_text(encoding="utf-8"))
    uses = links(goes, (folder / "statements.v").read_text(encoding="utf-8"))
    (folder / "asked.v").write_text(asked, encoding="utf-8")
    said = _answers(coqc(folder, "asked"))
    for name in names:
        body, left = said[f"by:{name}"], said[f"at:{name}"].partition(" : ")[2]
        if not re.match(rf"at_{name} =\s+(proj1\s+\()?{name}\b", body) or awaits(left):
            raise ProverFailed(f"at_{name} is no case that meets all hypotheses of {name}")
    return Accepted(
        exported,
        {name: _theorem(name, said[f"is:{name}"].strip(), said["axioms"], uses[name])
         for name in names},
        {name: said[f"at:{name}"].strip() for name in names},
        {name: said[f"means:{name}"].partition("\n\nArguments")[0].strip() for name in defined},
    )  # fmt: skip


def awaits(proposition: str) -> bool:
    """Whether a proposition as the assistant prints it is quantified or has premises.

    >>> awaits("forall n : nat, n = n"), awaits("0 <= s -> s = s")
    (True, True)
    >>> awaits("1 = 1 /\\\\ forall n, P n -> Q")
    False
    """
    depth = 0
    for token in re.finditer(r"[(){}\[\]]|->|\b(forall|exists)\b", proposition):
        depth += token[0] in "([{"
        depth -= token[0] in ")]}"
        if depth == 0 and token[0] == "->":
            return True
        if depth == 0 and token[0] in ("forall", "exists"):
            return token[0] == "forall" and not proposition[: token.start()].strip()
    return False


def _question(key: str, command: str) -> str:
    return f'Goal True. idtac "{_MARK}{key}". Abort.\n{command}.\n'


def _answers(printed: str) -> dict[str, str]:
    parts = re.split(rf"^{_MARK}(\S+)\n", printed, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _theorem(name: str, statement: str, said: str, uses: Sequence[str]) -> Theorem:
    return Theorem(name, statement, axioms_in(name, said), tuple(dict.fromkeys(uses)))


def axioms_in(name: str, said: str) -> tuple[str, ...]:
    """The axioms that `Print Assumptions` names; raises `ProverFailed` for one not allowed."""
    if said.startswith("Closed under the global context"):
        return ()
    lines = said.splitlines()
    if not lines or lines[0] != "Axioms:":
        raise ProverFailed(f"{name}: unexpected assumptions: {said[:200]}")
    found = [line.split(" : ")[0].split()[0] for line in lines[1:] if line and line[0] != " "]
    for axiom in found:
        if not _AXIOMS.fullmatch(axiom):
            raise ProverFailed(f"{name} rests on {axiom}, which is not on the list")
    return tuple(sorted(found))
