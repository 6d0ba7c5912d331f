"""The part that must be believed of a proof: how small it is, and that the page names all of it."""

import ast
import re
from pathlib import Path

import proofs_check
from proofs_check.prover.kernel import ROOT

PACKAGE = Path(str(proofs_check.__file__)).parent
PAGE = (PACKAGE.parent / "docs" / "language.md").read_text(encoding="utf-8")
BELIEVED = re.findall(
    r"`(proofs_check/[a-z/]+\.py)`", PAGE.partition("## What has to be believed")[2]
)
# Of these a statement takes data alone: the fields of a claim and of its parameters.
DATA = {"proofs_check.language.claim", "proofs_check.language.parameters", "bounds.errors"}


def test_what_must_be_believed_is_small() -> None:
    assert BELIEVED == [
        "proofs_check/language/formula.py", "proofs_check/prover/export.py",
        "proofs_check/prover/kernel.py",
    ]  # fmt: skip
    lines = [len((PACKAGE.parent / name).read_text(encoding="utf-8").splitlines())
             for name in BELIEVED]  # fmt: skip
    assert sum(lines) <= 600
    assert len(PAGE.splitlines()) <= 130


def test_what_is_believed_uses_nothing_that_is_not() -> None:
    believed = {name.removesuffix(".py").replace("/", ".") for name in BELIEVED}
    for name in BELIEVED:
        for node in ast.walk(ast.parse((PACKAGE.parent / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                full = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
                own = node.module.startswith(("proofs_check", "bounds", "simulation", "ctv"))
                assert not own or full & (believed | DATA), (name, node.module)


def test_definitions_hold_no_proof() -> None:
    text = re.sub(
        r"\(\*.*?\*\)", "", (ROOT / "definitions.v").read_text(encoding="utf-8"), flags=re.S
    )
    assert not re.search(r"\b(Lemma|Theorem|Axiom|Parameter|Hypothesis|Proof)\b", text)


def test_the_meaning_of_a_claim_holds_no_proof_and_reads_no_other_theory() -> None:
    text = re.sub(r"\(\*.*?\*\)", "", (ROOT / "meaning.v").read_text(encoding="utf-8"), flags=re.S)
    assert not re.search(r"\b(Lemma|Theorem|Axiom|Parameter|Hypothesis|Proof|Notation)\b", text)
    assert not re.search(r"\b(CTV|Coercion|Ltac|Set|Canonical|Instance)\b", text)
    assert len(text.splitlines()) <= 130
    for word in ("whole", "normal_cdf", "means", "eval"):
        assert re.search(rf"^(Definition|Fixpoint) {word}\b", text, re.M)
