"""The part that must be believed of a proof: how small it is, and that the page names all of it."""

import ast
import re
from functools import lru_cache
from pathlib import Path

import proofs_check
from proofs_check.prover.runner import theory

PACKAGE = Path(str(proofs_check.__file__)).parent
PAGE = (PACKAGE.parent / "docs" / "language.md").read_text(encoding="utf-8")
BELIEVED = re.findall(
    r"`((?:proofs_check|bounds)/[a-z_/]+\.py)`", PAGE.partition("## What has to be believed")[2]
)
# The way from a claim to its row: its tree, what the kernel said of it, the receipt, the verdict.
WAY = (
    "prover.export.tree_of",
    "prover.kernel.axioms_of",
    "prover.kernel.checked_again",
    "prover.receipt.keep",
    "prover.receipt.stands_here",
    "records.ledger.judged",
    "records.ledger.Row.as_recorded",
)
RECORDED = ("prover.record.evidence",)


def _file(module: str) -> Path | None:
    plain = PACKAGE.parent.joinpath(*module.split("."))
    places = (plain.with_suffix(".py"), plain / "__init__.py")
    return next((path for path in places if path.exists()), None)


@lru_cache
def _parts(module: str) -> tuple[dict[str, list[ast.stmt]], dict[str, tuple[str, str]]]:
    """The definitions of a file by name (a method as Class.name), and what its names import."""
    made: dict[str, list[ast.stmt]] = {}
    imported: dict[str, tuple[str, str]] = {}
    for node in ast.walk(ast.parse(_file(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and _file(node.module):
            for one in node.names:
                whole = f"{node.module}.{one.name}"
                imported[one.asname or one.name] = (
                    (whole, "") if _file(whole) else (node.module, one.name)
                )
    for node in ast.parse(_file(module).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            made.setdefault(node.name, []).append(node)
            for part in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(part, ast.FunctionDef):
                    made[f"{node.name}.{part.name}"] = [part]
                elif isinstance(part, ast.AnnAssign):
                    made.setdefault(f"{node.name} matched", []).append(part)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.Try | ast.If):
            for name in ast.walk(node):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    made.setdefault(name.id, []).append(node)
    return made, imported


def reached(start: tuple[str, ...]) -> dict[str, set[int]]:
    """The lines of each file that a call of these goes through, by every name that they use."""
    found: dict[str, set[int]] = {}
    front = [
        (f"proofs_check.{'.'.join(name.split('.')[:2])}", ".".join(name.split(".")[2:]))
        for name in start
    ]
    seen = set(front)
    while front:
        module, name = front.pop()
        made, imported = _parts(module)
        after = [] if name in made else [imported[name]] if name in imported else []
        for node in made.get(name, ()):
            lines = found.setdefault(_file(module).relative_to(PACKAGE.parent).as_posix(), set())
            lines.update(range(node.lineno, node.end_lineno + 1))
            own = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
            # `case Real():` asks of which class a value is, and runs nothing of that class
            matched = [one.cls for one in ast.walk(node) if isinstance(one, ast.MatchClass)]
            for one in matched:
                if isinstance(one, ast.Name) and one.id in imported:
                    where, part = imported[one.id]
                    after.append((where, f"{part} matched"))
            for one in ast.walk(node):
                if isinstance(one, ast.Name) and one.id not in own and one not in matched:
                    if one.id in made:
                        after.append((module, one.id))
                    elif imported.get(one.id, ("", ""))[1]:
                        after.append(imported[one.id])
                elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
                    where, part = imported.get(one.value.id, ("", "x"))
                    after += [] if part else [(where, one.attr)]
        front += [one for one in dict.fromkeys(after) if one not in seen]
        seen.update(after)
    return found


def test_what_must_be_believed_is_small_and_listed() -> None:
    """A file that joins the way from a claim to its row has to be named on the page."""
    found = reached(WAY)
    assert set(BELIEVED) == found.keys()
    assert sum(map(len, found.values())) <= 1823
    assert len(PAGE.splitlines()) <= 170


def test_what_is_as_recorded_believes_a_little_more() -> None:
    more = reached(RECORDED).keys() - reached(WAY).keys()
    part = PAGE.partition("A verdict of the prover is shown «as recorded»")[2]
    assert {Path(name).name for name in more} - {"__init__.py"} <= set(
        re.findall(r"`(\w+\.py)`", part)
    )


def test_the_way_is_followed_through_calls_and_imports() -> None:
    """What the derivation must see: methods, names of other files, and names of modules."""
    found = reached(("records.ledger.Row.as_recorded",))
    assert {
        "proofs_check/prover/receipt.py",
        "proofs_check/prover/record.py",
        "proofs_check/prover/kernel.py",
        "proofs_check/language/formula.py",
        "proofs_check/prover/export.py",
    } <= found.keys()
    assert "proofs_check/prover/scripts.py" not in found
    assert reached(("prover.kernel.proposition",)).keys() == {"proofs_check/prover/kernel.py"}


def test_definitions_hold_no_proof() -> None:
    text = re.sub(r"\(\*.*?\*\)", "", theory("definitions").read_text(encoding="utf-8"), flags=re.S)
    assert not re.search(r"\b(Lemma|Theorem|Axiom|Parameter|Hypothesis|Proof)\b", text)


def test_the_meaning_of_a_claim_holds_no_proof_and_reads_no_other_theory() -> None:
    text = re.sub(r"\(\*.*?\*\)", "", theory("meaning").read_text(encoding="utf-8"), flags=re.S)
    assert not re.search(r"\b(Lemma|Theorem|Axiom|Parameter|Hypothesis|Proof|Notation)\b", text)
    assert not re.search(r"\b(CTV|Coercion|Ltac|Set|Canonical|Instance)\b", text)
    assert len(text.strip().splitlines()) <= 245
    for word in ("whole", "normal_cdf", "means", "eval"):
        assert re.search(rf"^(Definition|Fixpoint) {word}\b", text, re.M)
