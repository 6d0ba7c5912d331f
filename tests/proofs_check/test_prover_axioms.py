"""On what a theorem may stand: axioms by full name and type, and a second checker of it all."""

import subprocess
from pathlib import Path

import pytest

from proofs_check.prover import kernel
from proofs_check.prover.kernel import AXIOMS, ProverFailed
from tests.proofs_check.planted import needs_coq

CLASSIC = "Coq.Logic.Classical_Prop.classic"
PLACES = {".".join(name.split(".")[-2:]): f"Constant {name}\n" for name in AXIOMS}
SAID = f"Axioms:\nClassical_Prop.classic\n  : {AXIOMS[CLASSIC]}\n"


def test_the_list_holds_axioms_of_the_libraries_alone() -> None:
    assert len(AXIOMS) == 111
    assert {name.split(".")[0] for name in AXIOMS} == {"Coq", "mathcomp"}
    assert "False" not in "".join(AXIOMS.values())
    assert len(PLACES) == len(AXIOMS)  # no two of one short name


@pytest.mark.parametrize(
    ("said", "where", "about"),
    [
        (SAID.replace("P \\/ ~ P", "P"), {}, "of another type: forall P : Prop, P"),
        (
            SAID,
            {"Classical_Prop.classic": "Constant CTV.Classical_Prop.classic\n"},
            "rests on Classical_Prop.classic, which is not on the list",
        ),
        (
            SAID,
            {
                "Classical_Prop.classic": f"Constant {CLASSIC}\nConstant CTV.Classical_Prop."
                "classic\n  (shorter name to refer to it in current context is x)\n"
            },
            "rests on Classical_Prop.classic, which",
        ),
        (
            SAID,
            {"Classical_Prop.classic": "No term of suffix Classical_Prop.classic\n"},
            "rests on Classical_Prop.classic, which",
        ),
        ("Axioms:\nFloatAxioms.add_spec : False\n", {}, "of another type: False"),
        ("Axioms:\nFloatAxioms.more : False\n", {}, "rests on FloatAxioms.more, which"),
        ("Axioms:\nFloatAxioms.add_spec is assumed to be guarded.\n", {}, "assumed to be guarded"),
        ("Axioms:\nClassical_Prop.classic relies on an unsafe hierarchy.\n", {}, "unsafe hier"),
        (f"{SAID}Classical_Prop.classic is assumed to be positive.\n", {}, "assumed to be posit"),
        (f"{SAID}Theory:\nType hierarchy is collapsed (logic is inconsistent)\n", {}, "Theory:"),
        ("Theory:\nSet is impredicative\n", {}, "unexpected assumptions: Theory:"),
        ("Section Variables:\nClassical_Prop.classic : P\n", {}, "unexpected assumptions: Section"),
        ("Axioms:\nclassic : False\n", {}, "rests on classic, which"),
        ("Axioms:\nnormal.gaussian_tail : forall c, P\n", {}, "rests on normal.gaussian_tail"),
        ("Axioms:\nclaims_0.f is assumed to be guarded.\n", {}, "rests on claims_0.f is assumed"),
        ("", {}, "unexpected assumptions"),
    ],
)
def test_an_axiom_is_known_by_its_full_name_and_its_type(said, where, about) -> None:
    assert kernel.axioms_in(SAID, PLACES) == (CLASSIC,)
    assert kernel.axioms_in("Closed under the global context\n", {}) == ()
    with pytest.raises(ProverFailed, match=r"rests on|assumptions") as caught:
        kernel.axioms_in(said, PLACES | where)
    assert about in str(caught.value)


def test_a_proposition_is_known_however_its_lines_are_broken() -> None:
    assert kernel.proposition("means\n  (Holds Le\n (Num 0))") == kernel.proposition(
        "means (Holds Le (Num 0))"
    )
    assert kernel.proposition("1 = 1") != kernel.proposition("~ 1 = 1")


PARADOX = "From Coq Require Import Hurkens. "
PLANTS = {
    # name of the theory, what stands in it before a theorem is proved from `bad : False`
    "as a law of floats": ("FloatAxioms", "Axiom add_spec : False. Definition bad := add_spec."),
    "as one of machine integers": (
        "Uint63",
        "Parameter of_to_Z : False. Definition bad := of_to_Z.",
    ),
    "as excluded middle": (
        "Classical_Prop",
        "Conjecture classic : False. Definition bad := classic.",
    ),
    "as choice": (
        "boolp",
        "Variable constructive_indefinite_description : False. "
        "Definition bad := constructive_indefinite_description.",
    ),
    "beside the true one": (
        "Classical_Prop",
        "From Coq Require Classical_Prop. Axiom classic : False. Definition bad := classic.",
    ),
    "admitted": ("Classical_Prop", "Theorem classic : False. Admitted. Definition bad := classic."),
    "by a given up proof": (
        "Uint63",
        "Lemma of_to_Z : False. Proof. admit. Admitted. Definition bad := of_to_Z.",
    ),
    "by the type of a module": (
        "FloatAxioms",
        "Module Type T. Parameter add_spec : False. End T. "
        "Declare Module M : T. Definition bad := M.add_spec.",
    ),
    "included": (
        "FloatAxioms",
        "Module Type T. Axiom add_spec : False. End T. Include T. Definition bad := add_spec.",
    ),
    "by a functor": (
        "FloatAxioms",
        "Module Type T. Axiom add_spec : False. End T. "
        "Module F (X : T). Definition bad := X.add_spec. End F. "
        "Declare Module X : T. Module G := F X. Definition bad := G.bad.",
    ),
    "in a module of that name": (
        "one",
        "Module FloatAxioms. Axiom add_spec : False. End "
        "FloatAxioms. Definition bad := FloatAxioms.add_spec.",
    ),
    "in a section": (
        "boolp",
        "Section S. Axiom propositional_extensionality : False. "
        "Definition bad := propositional_extensionality. End S.",
    ),
    "with the type of the true one": (
        "Classical_Prop",
        "Axiom classic : forall P : Prop, P \\/ ~ P. Axiom bad : False.",
    ),
    "behind notations": (
        "Classical_Prop",
        "Axiom classic : False. Notation \"'forall' 'P' ':' "
        "'Prop,' 'P'\" := False. Definition bad := classic.",
    ),
    "by recursion without end": (
        "Uint63",
        "Unset Guard Checking. Fixpoint of_to_Z (n : nat) "
        "{struct n} : False := of_to_Z n. Definition bad := of_to_Z 0.",
    ),
    "by an attribute": (
        "FloatAxioms",
        "#[bypass_check(guard)] Fixpoint add_spec (n : nat) "
        "{struct n} : False := add_spec n. Definition bad := add_spec 0.",
    ),
    "by a type that is not positive": (
        "boolp",
        "#[bypass_check(positivity)] Inductive t := c : "
        "(t -> False) -> t. Definition no (x : t) : False := "
        "match x with c f => f x end. Definition bad := no (c no).",
    ),
    "by a flag for positivity": (
        "boolp",
        "Unset Positivity Checking. Inductive t := c : "
        "(t -> False) -> t. Definition no (x : t) : False := "
        "match x with c f => f x end. Definition bad := no (c no).",
    ),
    "by Type in Type": (
        "one",
        PARADOX + "Unset Universe Checking. Definition bad : False := "
        "TypeNeqSmallType.paradox Type eq_refl.",
    ),
    "by Type in Type, for all": (
        "one",
        PARADOX + "Global Unset Universe Checking. Definition bad "
        ": False := TypeNeqSmallType.paradox Type eq_refl.",
    ),
    "by an attribute for universes": (
        "one",
        PARADOX + "#[bypass_check(universes)] Definition bad "
        ": False := TypeNeqSmallType.paradox Type eq_refl.",
    ),
}
PROOF = "Theorem m : 1 = 2. Proof. destruct bad. Qed."
QUICK = ("as a law of floats", "included")


def planted(folder: Path, name: str) -> str:
    theory, text = PLANTS[name]
    (folder / f"{theory}.v").write_text(f"{text}\n{PROOF}\n", encoding="utf-8")
    kernel.coqc(folder, theory)
    return theory


@needs_coq
@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in PLANTS],
)
def test_falsehood_under_the_name_of_an_axiom_is_refused(name: str, tmp_path: Path) -> None:
    theory = planted(tmp_path, name)
    with pytest.raises(ProverFailed, match=r"rests on|unexpected assumptions"):
        kernel.axioms_of(tmp_path, {f"{theory}.m": "1 = 2"}, [theory], words="")


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_the_second_checker_refuses_it_too(name: str, tmp_path: Path) -> None:
    planted(tmp_path, name)
    with pytest.raises(ProverFailed, match="coqchk"):
        kernel.checked_again(tmp_path)


@needs_coq
def test_an_honest_proof_passes_both(tmp_path: Path) -> None:
    text = "From Coq Require Classical_Prop.\nTheorem m : 1 = 1 \\/ 1 <> 1.\n"
    (tmp_path / "one.v").write_text(f"{text}Proof. apply Classical_Prop.classic. Qed.\n")
    kernel.coqc(tmp_path, "one")
    said = "1 = 1 \\/\n  1 <> 1"
    found = kernel.axioms_of(tmp_path, {"one.m": said}, ["one"], words="")
    assert found == kernel.Judged((CLASSIC,), (kernel.proposition(said),))
    assert kernel.axioms_of(tmp_path, {}, ["one"], words="") == kernel.Judged((), ())
    assert kernel.checked_again(tmp_path) == 2


@needs_coq
def test_the_second_checker_refuses_a_file_that_was_changed(tmp_path: Path) -> None:
    (tmp_path / "one.v").write_text("Theorem m : 1 = 1. Proof. reflexivity. Qed.\n")
    kernel.coqc(tmp_path, "one")
    body = bytearray((tmp_path / "one.vo").read_bytes())
    body[len(body) // 2] ^= 1
    (tmp_path / "one.vo").write_bytes(bytes(body))
    with pytest.raises(ProverFailed):
        kernel.checked_again(tmp_path)


SUMMARY = (
    "\nCONTEXT SUMMARY\n===============\n\n* Theory: Set is predicative\n  \n* Axioms:\n"
    "    Coq.Reals.ClassicalDedekindReals.sig_not_dec\n  \n"
    "* Constants/Inductives relying on type-in-type: <none>\n  \n"
    "* Constants/Inductives relying on unsafe (co)fixpoints: <none>\n  \n"
    "* Inductives whose positivity is assumed: <none>\n  \n"
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Coq.Reals.Class", "CTV.Class"),
        ("Set is predicative", "Set is impredicative"),
        ("* Axioms", "* Theory: Rewrite rules are allowed\n  \n* Axioms"),
        ("* Axioms", "* Axioms: <none>\n  \n* Axioms"),
        ("type-in-type: <none>", "type-in-type:\n    Coq.one"),
        ("fixpoints: <none>", "fixpoints:\n    Coq.one.two"),
        ("assumed: <none>", "assumed:\n    one"),
        ("* Inductives whose", "* Whatever else"),
        ("\nCONTEXT SUMMARY", "\n"),
        ("* Inductives", "* Rewrite rules: <none>\n\n* Inductives"),
    ],
)
def test_the_summary_of_the_second_checker_is_read_whole(old, new, tmp_path, monkeypatch) -> None:
    (tmp_path / "one.vo").touch()
    newer = SUMMARY.replace("* Axioms", "* Theory: Rewrite rules are not allowed\n  \n* Axioms")
    answers = [SUMMARY, newer, SUMMARY.replace(old, new)]

    def ran(command, **options):
        assert command[-2:] == ["-norec", "CTV.one"]
        return subprocess.CompletedProcess(command, 0, "", answers.pop(0))

    monkeypatch.setattr(subprocess, "run", ran)
    assert kernel.checked_again(tmp_path) == kernel.checked_again(tmp_path) == 1
    with pytest.raises(ProverFailed, match="coqchk"):
        kernel.checked_again(tmp_path)
