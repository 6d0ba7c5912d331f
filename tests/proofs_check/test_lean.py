"""The statements for Lean: whole, compared, linked from their claims, never said to be checked."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from ctv.show.ledger import exported
from proofs_check.prover.kernel import COQ, ROOT
from proofs_check.prover.written import index, shipped
from proofs_check.records.lean import LEAN, REFERENCE, in_lean, stated_in_lean
from proofs_check.records.verify import verify

# Theorem 1 with its probability, A, B, M, F, L, Lemma R, the certificate of the maximum gain.
EIGHT = (
    *("theorem_1_with_probability", "theory_a", "theory_b", "theory_m", "theory_f_gram"),
    *("theory_l", "theory_r", "theory_certificate"),
)
FILES = {
    path.relative_to(LEAN).as_posix(): path.read_text(encoding="utf-8")
    for path in LEAN.rglob("*.lean")
}
BRACKETS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩"}


def code(name: str) -> str:
    """A file without its comments."""
    return re.sub(r"/-.*?-/|--[^\n]*", "", FILES[name], flags=re.S)


def test_the_files_are_those_that_the_page_names() -> None:
    page = (ROOT.parents[1] / "docs" / "trust.md").read_text(encoding="utf-8")
    section = page.partition("## A second kernel")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([\w/]+\.lean)`", section)) == set(FILES)
    assert "The Lean statements were never compiled here" in section
    assert "No verdict rests on them" in section


def test_lean_and_mathlib_are_pinned_to_one_release() -> None:
    lake = tomllib.loads((LEAN / "lakefile.toml").read_text(encoding="utf-8"))
    release = (LEAN / "lean-toolchain").read_text(encoding="utf-8").strip().partition(":")[2]
    assert [(one["name"], one["rev"]) for one in lake["require"]] == [("mathlib", release)]
    assert {one["name"] for one in lake["lean_lib"]} == {
        name.split("/")[0].removesuffix(".lean") for name in FILES
    }
    page = (ROOT.parents[1] / "docs" / "trust.md").read_text(encoding="utf-8")
    assert f"Mathlib {release}" in page


def test_the_reference_states_the_eight_and_proves_nothing() -> None:
    assert stated_in_lean() == EIGHT
    for name in ("Reference/Definitions.lean", "Reference/Statements.lean"):
        assert not re.search(
            r"\b(sorry|axiom|theorem|lemma|example|instance|unsafe|opaque)\b", code(name)
        )
    opened_by = re.findall(r"-/\ndef (\w+) : Prop :=$", FILES["Reference/Statements.lean"], re.M)
    assert tuple(opened_by) == EIGHT, "each statement has a sentence before it"


@pytest.mark.parametrize("name", EIGHT)
def test_each_is_compared_once_with_what_has_to_prove_it(name: str) -> None:
    proofs, compare = code("Proofs/Theorems.lean"), code("Compare.lean")
    assert re.findall(rf"^theorem {name} : (\S+) := by$", proofs, re.M) == [f"Reference.{name}"]
    assert len(re.findall(rf"\bReference\.{name}\b", compare)) == 1
    assert f"example : Reference.{name} := Proofs.{name}\n#print axioms Proofs.{name}\n" in compare


@pytest.mark.parametrize("name", EIGHT)
def test_each_is_a_theorem_that_coq_states_and_that_one_claim_is(name: str) -> None:
    statements = (COQ / "statements" / "statements.v").read_text(encoding="utf-8")
    assert len(re.findall(rf"^Theorem {name} :", statements, re.M)) == 1
    assert list(index().values()).count(name) == 1


@pytest.mark.parametrize("name", sorted(FILES))
def test_brackets_close_and_words_are_of_the_file(name: str) -> None:
    """What can be checked without Lean: brackets, and that no name of Coq was left behind."""
    waiting = []
    for sign in code(name):
        if sign in BRACKETS:
            waiting.append(BRACKETS[sign])
        elif sign in BRACKETS.values():
            assert waiting and waiting.pop() == sign
    assert not waiting
    assert not re.search(r"\b(forall|exists|INR|Rmin|Rabs|Prop\.)\b|/\\|<=|->", code(name))


def test_every_definition_is_used() -> None:
    text = code("Reference/Definitions.lean") + code("Reference/Statements.lean")
    for name in re.findall(r"^(?:def|abbrev) (\w+)", code("Reference/Definitions.lean"), re.M):
        assert len(re.findall(rf"\b{name}\b", text)) > 1, name


def test_a_claim_says_where_it_is_stated_and_that_nothing_compiled_it() -> None:
    ledger = verify(("theory-m", "theory-m-proof"), claims=tuple(shipped().values()))
    body = json.loads(json.dumps(exported(ledger, ())))
    stated, other = (one["lean"] for one in body["claims"])
    path = REFERENCE.relative_to(ROOT.parents[1]).as_posix()
    assert stated == {"file": path, "name": "Reference.theory_m", "compiled": False}
    assert other is None
    found = {name: in_lean(claim) for name, claim in shipped().items() if in_lean(claim)}
    assert len(found) == len(EIGHT) and not any(one["compiled"] for one in found.values())


def test_no_verdict_rests_on_lean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = verify(("theory-m",), claims=tuple(shipped().values()))
    monkeypatch.setattr("proofs_check.records.lean.REFERENCE", tmp_path / "gone.lean")
    stated_in_lean.cache_clear()
    after = verify(("theory-m",), claims=tuple(shipped().values()))
    monkeypatch.undo()
    stated_in_lean.cache_clear()
    assert after.digest() == before.digest()
