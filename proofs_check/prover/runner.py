"""Compiles every theory and the proof of every exported claim from nothing, and asks the kernel.

Nothing here has to be believed: what a proof proves, and on what it stands, is for `kernel` to say.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_check.language.claim import Claim
from proofs_check.prover.export import NotExported, tree_of
from proofs_check.prover.kernel import (
    COQ,
    ProverFailed,
    asked,
    axioms_of,
    checked_again,
    coqc,
    said_by,
)
from proofs_check.prover.links import links, references
from proofs_check.prover.readable import statement_of
from proofs_check.prover.written import part_of

_CLAIMS_A_FILE = 60
SCALAR = ("meaning", "scalar", "saying", "listed", "normal", "signs")
"""The theories on which exported theorems rest."""
LISTS = (*SCALAR, "basel", "sequences")
"""Those for claims about lists, and sums up to a parameter."""
HEAD = (
    "From Coq Require Import Reals Lra Psatz ZArith.\nFrom Coquelicot Require Import Coquelicot.\n"
    "From Interval Require Import Tactic.\nFrom CTV Require Import scalar normal signs.\n"
    "Open Scope R_scope.\n"
)
MEANT = (
    "From Coq Require Import Reals List ZArith String Lra.\n"
    "From CTV Require Import meaning saying listed.\nImport ListNotations.\nOpen Scope R_scope.\n"
)
TYING = (
    "From Coq Require Import Reals List ZArith String Lra Lia Psatz.\n"
    "From Interval Require Import Tactic.\n"
    "From CTV Require Import scalar meaning saying listed bridges.\n"
    "From CTV Require definitions statements.\nImport ListNotations.\nOpen Scope R_scope.\n"
)
LISTED = HEAD + (
    "From Coq Require Import List String Lia.\n"
    "From CTV Require Import meaning saying listed sequences.\nImport ListNotations.\n"
)
LIBRARIES, NEWER, FIRST_NEWER = "libraries", "mathcomp_2", [8, 18]
"""The folders for mathcomp 1 and 2, with the same names, and the first Coq for the second."""
WORDS = ("definitions", "outcomes")
"""The theories that define what the statements say."""
# A claim over single numbers in Coq's own words; another rule by rule.
_SAID = "first [apply to_means; [reflexivity|]; spoken | walked]."
_DENIED = "try (intros H; apply of_means in H; [|reflexivity]; revert H; spoken; intros H)."
_VOCABULARY = (
    "From Coq Require Import Reals List.\nFrom Coquelicot Require Derive_2d.\n"
    "From CTV Require scalar vectors.\nFrom CTV Require Import library definitions outcomes.\n"
    "Open Scope R_scope.\n"
)
_ASKING = (
    f"{_VOCABULARY}From CTV Require statements instances.\n"
    "Set Printing Width 100.\nSet Printing Depth 200.\n"
)
_SENTENCE = re.compile(r"\.(?:\s+|\Z)")
_COMMAND = re.compile(r"(?:[-+*{}\s]|(?:all|par|\d[\d\s,-]*|!|\[[^]]*\])\s*:(?!=))*[A-Z#]")
"""A command of the assistant, behind bullets, braces and selectors of goals."""
_TOKEN = re.compile(r'"[^"]*"|\(\*|\*\)|[^"(*]+|.', re.S)
_BLANK = re.compile(r'("[^"]*")|\s+')
# The constant at the head of an instance, whatever is printed of it.
_MET = """Goal True.
  let rec head t := lazymatch t with proj1 ?u => head u | ?f _ => head f | _ => t end in
  let body := eval cbv delta [instances.at_{0}] in instances.at_{0} in
  let found := head body in
  let T := type of instances.at_{0} in let T := eval cbv beta iota zeta in T in
  first
    [ constr_eq found (@statements.{0}); lazymatch T with forall _, _ => fail | _ => idtac "met" end
    | idtac "waits" ].
Abort"""


@dataclass(frozen=True)
class Theorem:
    """A theorem that the kernel accepted, and its statement as text.

    `tree` is the claim as the kernel has it, proved from the statement; `uses` are the theorems
    that its script names or, in the theories, that its proof goes through; `file` is the compiled
    file with its proof.
    """

    name: str
    statement: str
    uses: tuple[str, ...] = ()
    tree: str = ""
    file: str = ""


@dataclass(frozen=True)
class Accepted:
    """What a compilation of everything gave.

    Attributes
    ----------
    exported : the theorems of claims over numbers, by claim
    refuted : the theorems that claims over numbers are false, by claim
    tied : the trees that a theorem of statements.v was proved to imply, by claim
    stated : the theorems of statements.v, by name
    instances : the same at a case that meets all of their hypotheses, as the assistant prints it
    definitions : those of definitions.v and outcomes.v, as the assistant prints them
    axioms : on which something of all this stands
    propositions : digests of what the kernel took proofs for
    files : digests of the compiled files, by name
    """

    exported: Mapping[str, Theorem]
    refuted: Mapping[str, Theorem]
    tied: Mapping[str, str]
    stated: Mapping[str, Theorem]
    instances: Mapping[str, str]
    definitions: Mapping[str, str]
    axioms: tuple[str, ...]
    propositions: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)


def coq_version() -> str:
    """The version of the assistant that is installed; raises `InvalidInput` where none is."""
    return said_by(["coqc", "--print-version"]).split()[0]


def digest(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def theorem_of(claim_id: str) -> str:
    """The name of the exported theorem of a claim."""
    return "claim_" + claim_id.replace("-", "_")


def refutation_of(claim_id: str) -> str:
    """The name of the theorem that a claim is false."""
    return "refuted_" + claim_id.replace("-", "_")


def cited(script: str) -> tuple[str, ...]:
    """The theorems of claims that a script names, in their order."""
    return tuple(dict.fromkeys(re.findall(r"\bclaim_\w+", code(script))))


def refutation(claim: Claim) -> str:
    """What is proved of a false claim, as a person reads it: its statement where it has one."""
    try:
        return f"~ ({statement_of(claim)})"
    except NotExported:
        return f"~ means\n  {tree_of(claim)}"


def theories(libraries: str = LIBRARIES) -> list[Path]:
    """The files with theories, and what they ask of the libraries from the folder for a version."""
    left_out = {LIBRARIES, NEWER} - {libraries}
    return sorted(path for path in COQ.rglob("*.v") if path.parent.name not in left_out)


def installed_libraries() -> str:
    """The folder for the libraries that go with the assistant that is installed."""
    return LIBRARIES if [*map(int, coq_version().split(".")[:2])] < FIRST_NEWER else NEWER


def theory(name: str, folder: Path = COQ) -> Path:
    """The file of a theory, whatever folder of the theories it lies in."""
    return min(folder.rglob(f"{name}.v"))


def code(text: str) -> str:
    """A theory without its comments, and with one blank where it has any.

    >>> code('Lemma a (* (* b *) "*)" *) :  c "(*". (* d *)')
    'Lemma a : c "(*".'
    """
    kept, depth = [], 0
    for token in _TOKEN.findall(text):
        depth += token == "(*"
        kept.append(" " if depth else token)
        depth -= depth > 0 and token == "*)"
    return _BLANK.sub(lambda match: match[1] or " ", "".join(kept)).strip()


def statements(folder: Path = COQ) -> tuple[str, ...]:
    """The names of the theorems of statements.v, in their order."""
    text = code(theory("statements", folder).read_text(encoding="utf-8"))
    return tuple(re.findall(r"\bTheorem (\w+)", text))


def ordered(
    claims: Mapping[str, Claim], scripts: Mapping[str, str], wanted: Sequence[str] = ()
) -> list[str]:
    """The claims with scripts (or those wanted), each after those that its script names."""
    by_theorem = {theorem_of(name): name for name in scripts}
    order: dict[str, None] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ProverFailed("claims cite each other: " + " -> ".join((*path, name)))
        for word in cited(scripts[name]):
            if word in by_theorem:
                visit(by_theorem[word], (*path, name))
        order.setdefault(name)

    for name in wanted or claims:
        if name in scripts:
            visit(name, ())
    return list(order)


def compiled_theories(folder: Path, wanted: Sequence[str] = ()) -> None:
    """Compile theories (none named: all) in a folder, from their sources alone.

    Others that they require are there already.
    """
    for name in put_sources(folder, wanted):
        coqc(folder, name.removesuffix(".v"))


def put_sources(folder: Path, wanted: Sequence[str] = ()) -> list[str]:
    """Copy theories into a folder; their names there, each after those that it requires."""
    every = theories(installed_libraries())
    paths = [path for path in every if not wanted or path.stem in wanted]
    names = [path.relative_to(COQ).as_posix().replace(NEWER, LIBRARIES) for path in paths]
    for path, name in zip(paths, names, strict=True):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(path, folder / name)
    order = said_by(["coqdep", "-Q", ".", "CTV", "-sort", *names], folder)
    return [name for name in order.split() if name in names]


def proved(
    claims: Mapping[str, Claim],
    scripts: Mapping[str, str],
    refutations: Mapping[str, str],
    bridges: Mapping[str, str],
    *,
    scalar: bool = False,
) -> Accepted:
    """Compile everything from nothing; where it is `scalar`, the theorems of claims alone.

    `scripts` prove the readable statements of claims, or the trees of those about lists,
    `refutations` that trees are false, `bridges` trees from theorems of the theories. What was
    compiled is checked by a second program.
    """
    names = ordered(claims, scripts)
    walks = {name: scripts[name] for name in names if part_of(claims[name]) == "tree"}
    trees = {name: tree_of(claims[name]) for name in (*names, *refutations)}
    names = [name for name in names if name not in walks]
    statements = {name: statement_of(claims[name]) for name in names}
    ground = LISTS if walks else SCALAR
    others = [path.stem for path in theories() if path.stem not in ground]
    with TemporaryDirectory() as temporary, ThreadPoolExecutor(1) as beside:
        folder = Path(temporary)
        compiled_theories(folder, ground)
        # The theorems of claims need none of the other theories: both are compiled at once.
        rest = None if scalar else beside.submit(compiled_theories, folder, others)
        theorems = compiled_claims(folder, statements, scripts)
        asking = bridged(folder, theorems, trees) | refuted(folder, trees, refutations)
        modules = ["meant", "refuted"]
        if walks:
            asking |= walked(folder, trees, walks, theorems)
            modules.append("walked")
        judged = axioms_of(folder, asking, modules)
        exported = {
            name: Theorem(
                theorem_of(name),
                statements[name],
                cited(scripts[name]),
                trees[name],
                theorems[name].partition(".")[0],
            )
            for name in names
        }
        exported |= {
            name: Theorem(
                theorem_of(name), f"means\n  {trees[name]}", cited(text), trees[name], "walked"
            )
            for name, text in walks.items()
        }
        false = {
            name: Theorem(refutation_of(name), refutation(claims[name]), (), trees[name], "refuted")
            for name in refutations
        }
        made = Accepted(exported, false, {}, {}, {}, {}, *judged)
        if rest is not None:
            rest.result()
            tied = {name: tree_of(claims[name]) for name in bridges}
            more = axioms_of(folder, tied_to_theories(folder, tied, bridges), ("tied",))
            axioms = tuple(sorted({*judged.axioms, *more.axioms}))
            propositions = (*judged.propositions, *more.propositions)
            made = replace(made, tied=tied, axioms=axioms, propositions=propositions)
            made = _with_theories(folder, made)
        checked_again(folder)
        files = {
            path.stem: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.rglob("*.vo")
        }
        return replace(made, files=files)


def require_tactics(name: str, script: str) -> None:
    """Raise `ProverFailed` where a script holds a command of the assistant beside tactics.

    Comments are read away first; texts in quotes, and characters that are not ASCII, are refused.
    """
    text = code(script)
    plain = script.isascii() and '"' not in text and script.replace("\n", " ").isprintable()
    if not plain or any(map(_COMMAND.match, _SENTENCE.split(text))):
        raise ProverFailed(f"the script of {name} holds more than tactics")


def compiled_claims(
    folder: Path, statements: Mapping[str, str], scripts: Mapping[str, str]
) -> dict[str, str]:
    """Compile the readable theorems of claims in their order, some a file; their full names.

    A script holds tactics alone, so that all that one proof takes from another is a theorem that
    its script names.
    """
    names = list(statements)
    for name in names:
        require_tactics(name, scripts[name])
    theorems: dict[str, str] = {}
    head = HEAD
    for start in range(0, len(names), _CLAIMS_A_FILE):
        module = f"claims_{start}"
        chunk = names[start : start + _CLAIMS_A_FILE]
        proofs = {theorem_of(name): (statements[name], scripts[name]) for name in chunk}
        _proved_in(folder, module, head, proofs)
        head += f"From CTV Require Import {module}.\n"
        theorems |= {name: f"{module}.{theorem_of(name)}" for name in chunk}
    return theorems


def bridged(folder: Path, theorems: Mapping[str, str], trees: Mapping[str, str]) -> dict[str, str]:
    """Prove in meant.v, from the readable theorem of each claim, what its tree means.

    Returns these proofs by name, each with the proposition that it must have for the kernel.
    """
    proofs = {
        f"meant_{theorem_of(name)}": (
            f"means\n  {trees[name]}",
            f"first [solve [bridged {theorem}] "
            f'| fail 1 "{theorem} does not say what the tree of its claim means"].',
        )
        for name, theorem in theorems.items()
    }
    head = MEANT + _requiring(theorems, "Require")
    return _proved_in(folder, "meant", head, proofs)


def refuted(folder: Path, trees: Mapping[str, str], scripts: Mapping[str, str]) -> dict[str, str]:
    """Prove in refuted.v that claims are false, each by its script; as `bridged` returns them.

    A script has what the claim says as the hypothesis `H`, and no goal but a contradiction. Of a
    claim with lists or matrices it has the goal alone.
    """
    proofs = {refutation_of(name): denying(trees[name], text) for name, text in scripts.items()}
    return _proved_in(folder, "refuted", HEAD + MEANT, proofs)


def tied_to_theories(
    folder: Path,
    trees: Mapping[str, str],
    scripts: Mapping[str, str],
    head: str = TYING,
    module: str = "tied",
) -> dict[str, str]:
    """Prove in a module what the trees of claims mean that a theorem of the theories states.

    From that theorem, or by themselves; returns what `bridged` returns.
    """
    proofs = {
        "tied_" + name.replace("-", "_"): tying(trees[name], text) for name, text in scripts.items()
    }
    return _proved_in(folder, module, head, proofs)


def walked(
    folder: Path,
    trees: Mapping[str, str],
    scripts: Mapping[str, str],
    theorems: Mapping[str, str],
) -> dict[str, str]:
    """Prove in walked.v the trees of claims about lists, which may cite `theorems` of claims."""
    head = LISTED + _requiring(theorems, "Require Import")
    walks = {name: walking(script) for name, script in scripts.items()}
    return tied_to_theories(folder, trees, walks, head, "walked")


def _requiring(theorems: Mapping[str, str], how: str) -> str:
    """The modules in which theorems stand, required."""
    modules = dict.fromkeys(theorem.partition(".")[0] for theorem in theorems.values())
    return "".join(f"From CTV {how} {name}.\n" for name in modules)


def _proved_in(
    folder: Path, module: str, head: str, proofs: Mapping[str, tuple[str, str]]
) -> dict[str, str]:
    """Compile a module of theorems, each a proposition with its script; the propositions."""
    texts = (written(name, *proof) for name, proof in proofs.items())
    (folder / f"{module}.v").write_text(head + "".join(texts), encoding="utf-8")
    coqc(folder, module)
    return {f"{module}.{name}": proposition for name, (proposition, _) in proofs.items()}


def written(theorem: str, proposition: str, script: str) -> str:
    """The text of a theorem with its proof."""
    return f"Theorem {theorem} : {proposition}.\nProof.\n{script}\nQed.\n"


def walking(script: str) -> str:
    """The script of a claim about lists, which begins with the walk through the tree.

    >>> walking("all: sequences.")
    'walked.\\nall: sequences.'
    """
    return script if script.startswith("walked.") else f"walked.\n{script}"


def tying(tree: str, script: str) -> tuple[str, str]:
    """What a tree means, and the proof by a script that may itself begin the walk."""
    opening = "" if script.startswith("walked.") else f"{_SAID}\n"
    return f"means\n  {tree}", f"{opening}{script}"


def denying(tree: str, script: str) -> tuple[str, str]:
    """That a tree is false, and the proof."""
    return f"~ means\n  {tree}", f"{_DENIED}\n{script}"


def _with_theories(folder: Path, before: Accepted) -> Accepted:
    """What the theories state too, as the assistant prints it, each theorem with its instance.

    What is printed is read again, in the words of `WORDS` alone, and the kernel takes the
    theorem for it: no notation of a theory changes what a reader sees. An instance `at_NAME` is the
    theorem applied to all that it asks for: its body begins with the theorem, and nothing is left
    to be assumed.
    """
    names = statements(folder)
    text = "".join(theory(name, folder).read_text(encoding="utf-8") for name in WORDS)
    defined = re.findall(r"^(?:Definition|Fixpoint) (\w+)", text, re.M)
    questions = {f"means:{name}": f"Print {name}" for name in defined}
    for name in names:
        questions |= {
            f"is:{name}": f"Check statements.{name}",
            f"at:{name}": f"Check instances.at_{name}",
            f"met:{name}": _MET.format(name),
        }
    said = asked(folder, "asked", _ASKING, questions)
    printed = {}
    for name in names:
        for key, theorem in (("is", f"statements.{name}"), ("at", f"instances.at_{name}")):
            shown, _, printed[theorem] = said[f"{key}:{name}"].partition(" : ")
            if shown.strip() != theorem:
                raise ProverFailed(f"{theorem} is printed as {shown.strip()[:60]}")
    every = [f"instances.at_{name}" for name in names]
    more = axioms_of(
        folder,
        {f"statements.{name}": printed[f"statements.{name}"] for name in names},
        ("statements", "instances"),
        every,
        _VOCABULARY,
    )
    goes: dict[str, set[str]] = {}
    for path in folder.rglob("*.glob"):
        goes |= references(path.read_text(encoding="utf-8"))
    uses = links(goes, theory("statements", folder).read_text(encoding="utf-8"))
    for name in names:
        if said[f"met:{name}"].strip() != "met":
            raise ProverFailed(f"at_{name} is no case that meets all hypotheses of {name}")
    return replace(
        before,
        stated={
            name: Theorem(name, _shown(said[f"is:{name}"]), uses[name], file="statements")
            for name in names
        },
        instances={name: _shown(said[f"at:{name}"]) for name in names},
        definitions={
            name: said[f"means:{name}"].partition("\n\nArguments")[0].strip() for name in defined
        },
        axioms=tuple(sorted({*before.axioms, *more.axioms})),
        propositions=(*before.propositions, *more.propositions),
    )


def _shown(said: str) -> str:
    """What `Check` prints, without the file in which the theorem stands."""
    return said.strip().partition(".")[2]
