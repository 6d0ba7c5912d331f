"""What is asked of the proof assistant and made of its answers, with an assistant that is played.

That the real one compiles, accepts and refuses what it must is for the slow tests.
"""

import json
import logging
import subprocess
from dataclasses import replace
from types import SimpleNamespace

import pytest

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim, Verdict
from proofs_check.prover import kernel, record, runner, written
from proofs_check.prover.kernel import ProverFailed
from proofs_check.prover.record import Record
from proofs_check.prover.runner import Accepted, Theorem, digest
from tests.proofs_check.planted import ALL, X
from tests.proofs_check.planted import claim as planted


def claim(name: str, formula: str = "x >= 0", **more) -> Claim:
    return planted(formula, X, **{"id": name, "expected": Verdict.PROVED, **more})


class Played:
    """Stands for `subprocess.run`: keeps the calls, gives these answers."""

    def __init__(self, code: int = 0, out: str = "", err: str = "") -> None:
        self.calls: list[tuple] = []
        self.answer = SimpleNamespace(returncode=code, stdout=out, stderr=err)

    def __call__(self, command, **options):
        self.calls.append((command, options))
        return self.answer


def test_a_file_is_compiled_within_limits(tmp_path, monkeypatch) -> None:
    played = Played(out="said\n")
    monkeypatch.setattr(subprocess, "run", played)
    assert kernel.coqc(tmp_path, "judged") == "said\n"
    ((command, options),) = played.calls
    assert command == ["coqc", "-q", "-w", "none", "-Q", ".", "CTV", "judged.v"]
    within = options.pop("preexec_fn")
    assert options == {"cwd": tmp_path, "capture_output": True, "text": True, "check": False}
    limits = []
    monkeypatch.setattr(kernel.resource, "setrlimit", lambda *given: limits.append(given))
    within()
    assert limits == [
        (kernel.resource.RLIMIT_DATA, (6_000_000_000,) * 2),
        (kernel.resource.RLIMIT_CPU, (240, 240)),
    ]
    monkeypatch.setattr(subprocess, "run", Played(1, err="Error:\n  not\tproved " + "x" * 900))
    with pytest.raises(ProverFailed) as caught:
        kernel.coqc(tmp_path, "judged")
    assert str(caught.value).startswith("Error: not proved xxx") and len(str(caught.value)) == 400
    monkeypatch.setattr(subprocess, "run", Played(-9))
    with pytest.raises(ProverFailed, match=r"^judged.v took too long$"):
        kernel.coqc(tmp_path, "judged")

    def absent(command, **options):
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "run", absent)
    with pytest.raises(InvalidInput, match="prover = coqc: is not installed: apt-get install coq"):
        kernel.coqc(tmp_path, "judged")


def test_answers_are_taken_apart_by_their_marks(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(kernel, "coqc", lambda folder, name: "ahead\n@@a\none\ntwo\n@@b:c\nthree\n")
    found = kernel.asked(tmp_path, "ask", "Head.\n", {"a": "Check a", "b:c": "Print b"})
    assert found == {"a": "one\ntwo\n", "b:c": "three\n"}
    assert (tmp_path / "ask.v").read_text(encoding="utf-8") == (
        'Head.\nGoal True. idtac "@@a". Abort.\nCheck a.\n'
        'Goal True. idtac "@@b:c". Abort.\nPrint b.\n'
    )


def test_a_proof_is_taken_for_the_statement_that_is_written_down_before_it(
    tmp_path, monkeypatch
) -> None:
    classic = "Coq.Logic.Classical_Prop.classic"
    answer = f"@@axioms\nAxioms:\nClassical_Prop.classic\n  : {kernel.AXIOMS[classic]}\n"
    answer += f"@@Classical_Prop.classic\nConstant {classic}\n"
    monkeypatch.setattr(kernel, "coqc", lambda folder, name: answer)
    said = {"m.t": "1 = 1", "m.u": "2 = 2"}
    found = kernel.axioms_of(tmp_path, said, ("m", "n"), ("n.w",))
    assert found == ((classic,), tuple(map(kernel.proposition, said.values())))
    text = (tmp_path / "judged.v").read_text(encoding="utf-8")
    assert text.startswith(
        "Module said.\nFrom Coq Require Import List String ZArith.\n"
        "From CTV Require Import meaning.\nImport ListNotations.\n"
        "Definition said_0 : Prop :=\n  1 = 1.\nDefinition said_1 : Prop :=\n  2 = 2.\nEnd said.\n"
        "From CTV Require m n.\nDefinition held_0 : said.said_0 := m.t.\n"
        "Definition held_1 : said.said_1 := m.u.\nDefinition every := (n.w, held_0, held_1).\n"
        'Goal True. idtac "@@axioms". Abort.\nPrint Assumptions every.\n'
    )
    assert text.count("\nLocate Term ") == len(kernel.AXIOMS)


def test_the_kernel_is_asked_for_what_a_tree_means_or_its_negation(tmp_path, monkeypatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(runner, "coqc", lambda folder, name: compiled.append(name))
    trees, theorems = {"a-1": "(A)", "b": "(B)"}, {"a-1": "claims_0.claim_a_1", "b": "claims_9.b"}
    for found, asked, required in (
        (
            runner.bridged(tmp_path, theorems, trees),
            {"meant.meant_claim_a_1": "means\n  (A)", "meant.meant_claim_b": "means\n  (B)"},
            "From CTV Require claims_0.\nFrom CTV Require claims_9.\n",
        ),
        (
            runner.refuted(tmp_path, trees, {"b": "fails H."}),
            {"refuted.refuted_b": "~ means\n  (B)"},
            "",
        ),
        (
            runner.walked(tmp_path, trees, {"a-1": "lra."}, {"b": "claims_9.b"}),
            {"walked.tied_a_1": "means\n  (A)"},
            "From CTV Require Import claims_9.\n",
        ),
    ):
        assert found == asked
        module = next(iter(asked)).partition(".")[0]
        text = (tmp_path / f"{module}.v").read_text(encoding="utf-8")
        assert required in text
        for name, said in asked.items():
            assert f"Theorem {name.removeprefix(module + '.')} : {said}.\nProof.\n" in text
    assert compiled == ["meant", "refuted", "walked"]


def test_scripts_come_after_those_that_they_name() -> None:
    claims = {name: claim(name) for name in ("a-1", "b", "c", "d")}
    written = {"a-1": "apply claim_b; lra.", "b": "exact: claim_c.", "c": "lra.", "z": "lra."}
    assert runner.ordered(claims, written) == ["c", "b", "a-1"]
    assert runner.ordered(claims, written, ["b"]) == ["c", "b"]
    assert runner.ordered(claims, {"a-1": "apply claim_elsewhere."}) == ["a-1"]
    assert runner.ordered(claims, written, ["d"]) == []
    with pytest.raises(ProverFailed, match="claims cite each other: b -> c -> b"):
        runner.ordered(claims, {"b": "claim_c", "c": "claim_b"})
    assert runner.theorem_of("lemma-1-a") == "claim_lemma_1_a"
    assert digest("ä") == "33e6d73fee82904c8d7afb78de1154d1e8dc2a0edb08120e63df5b9385c2d9cc"
    assert [path.suffix for path in runner.theories()] == [".v"] * len(runner.theories())
    assert {path.stem for path in runner.theories()} >= {"scalar", "normal", "statements"}


def test_what_a_table_says_of_a_theorem(monkeypatch) -> None:
    """The first claim of a theorem holds its words; a claim that is refuted has no proof by it."""
    planted = {
        "a": claim("a", theorem="one"),
        "b": claim("b", theorem="one", says="Words.", differs="in the order", proof="lra."),
        "c": replace(
            claim("c"), theorem="two", expected=Verdict.REFUTED, finding="false", proof="fails H."
        ),
        "d": claim("d", proof="nra."),
    }
    monkeypatch.setattr(written, "shipped", lambda: planted)
    for part in (written.stated, written.index, written.scripts, written.bridges):
        monkeypatch.setattr(written, part.__name__, part.__wrapped__)
    assert written.stated() == {
        "one": {"claims": ["b", "a"], "words": "Words.", "differs": "in the order"},
        "two": {"claims": ["c"], "words": "", "differs": ""},
    }
    assert written.index() == {"a": "one", "b": "one"}
    assert written.scripts() == {"d": "nra."} and written.bridges() == {"b": "lra."}
    assert written.refutations.__wrapped__() == {"c": "fails H."}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"met:two": "waits\n"},
        {"met:one": ""},
        {"is:one": "statements.oneself\n : 1 = 1\n"},
        {"at:two": "2 = 2"},
    ],
)
def test_a_theory_states_what_the_assistant_prints_at_a_case_that_meets_it(
    changes, tmp_path, monkeypatch
) -> None:
    said = {
        "means:gain": "gain = means\n\nArguments gain",
        "means:loop": " loop = again\n",
        "is:one": "statements.one\n : 1 = 1\n",
        "is:two": "statements.two : 2 = 2",
        "at:one": " instances.at_one : 1\n",
        "at:two": "instances.at_two : 2",
        "met:one": "met\n",
        "met:two": "met",
    } | changes
    (tmp_path / "definitions.v").write_text(
        "Definition gain := 1.\nFixpoint loop n := n.\n  Definition inner := 1.\nLemma no : 1."
    )
    for name in runner.WORDS[1:]:
        (tmp_path / f"{name}.v").write_text("")
    (tmp_path / "statements.v").write_text(
        "Theorem one : 1.\nProof. exact: a.root. Qed.\nTheorem two : 2.\nProof. by []. Qed.\n"
    )
    (tmp_path / "a.glob").write_text("FCTV.a\nprf 9:12 <> root\n")
    (tmp_path / "statements.glob").write_text(
        "FCTV.statements\nprf 9:13 <> one\nR20:22 CTV.a <> root thm\nprf 40:43 <> two\n"
        "R50:52 CTV.a <> root thm\n"
    )
    asked = []

    def axioms(folder, statements, modules, others, words):
        asked.append((folder, statements, modules, others, words))
        return kernel.Judged(("Uint63.add", "Classical_Prop.classic"), ("said",))

    def answers(folder, name, head, questions):
        asked.append((folder, name, head, questions))
        return said

    monkeypatch.setattr(runner, "axioms_of", axioms)
    monkeypatch.setattr(runner, "asked", answers)
    exported, false = {"c": Theorem("claim_c", "x")}, {"d": Theorem("refuted_d", "y")}
    before = Accepted(
        exported, false, {"c": "tree"}, {}, {}, {}, ("Uint63.add", "Uint63.mul"), ("first",)
    )
    given = (tmp_path, before)
    if changes:
        fault = "is printed as" if "met" not in next(iter(changes)) else "is no case that meets all"
        with pytest.raises(ProverFailed, match=fault):
            runner._with_theories(*given)
        return
    found = runner._with_theories(*given)
    assert asked[0][0] == tmp_path and asked[0][3].keys() == said.keys()
    assert "constr_eq found (@statements.two)" in asked[0][3]["met:two"]
    printed = {"statements.one": "1 = 1\n", "statements.two": "2 = 2"}
    every = ["instances.at_one", "instances.at_two"]
    assert asked[1] == (tmp_path, printed, ("statements", "instances"), every, runner._VOCABULARY)
    assert found == Accepted(
        exported,
        false,
        {"c": "tree"},
        {
            "one": Theorem("one", "one\n : 1 = 1", file="statements"),
            "two": Theorem("two", "two : 2 = 2", ("one",), file="statements"),
        },
        {"one": "at_one : 1", "two": "at_two : 2"},
        {"gain": "gain = means", "loop": "loop = again"},
        ("Classical_Prop.classic", "Uint63.add", "Uint63.mul"),
        ("first", "said"),
    )


HELD = Record(
    "8.18",
    {},
    [],
    {
        "a": {"theorem": "ta", "tree": "", "script": "", "uses": ["hidden", "tb"]},
        "b": {"theorem": "tb", "script": "s", "uses": []},
        "c": {"theorem": "tb", "script": "s", "uses": ["ta"]},
        "d": {"theorem": "td", "script": "s", "uses": ["hidden"]},
    },
    {"hidden": {"uses": ["deeper", "ta"]}, "deeper": {"uses": ["hidden", "td"]}},
    {},
)


def test_what_a_theorem_uses_is_named_by_claims(monkeypatch) -> None:
    """One that states no claim gives way to those beyond it; of several claims the first stands."""
    monkeypatch.setattr(record, "index", lambda: {"c": "tb", "x": "other"})
    assert record.used("a", HELD) == ("c", "a", "d")
    assert record.used("b", HELD) == () == record.used("unknown", HELD)
    assert record.used("c", HELD) == ("a",) and record.used("d", HELD) == ("a", "d")
    monkeypatch.setattr(record, "recorded", lambda: HELD)
    assert record.used("c") == ("a",)
    assert record.supports(claim("c", rests_on=("z", "a"))) == ("a", "z")
    near = {"a": "bc", "b": "d", "c": "db", "d": "a"}
    assert record.reachable("a", near.__getitem__) == ["a", "b", "c", "d"]


def test_a_theorem_without_a_claim_or_a_record_is_no_evidence(monkeypatch) -> None:
    entry = {"theorem": "claim_c", "tree": "t", "script": "s", "uses": ["ta"]}
    false = {"theorem": "refuted_f", "tree": "t", "script": "s", "uses": []}
    held = replace(HELD, theorems={**HELD.theorems, "c": entry, "f": false})
    monkeypatch.setattr(record, "recorded", lambda: held)
    monkeypatch.setattr(record, "stale", lambda claim, held: "")
    monkeypatch.setattr(record, "index", dict)
    assert record.evidence(claim("a")) is None  # of the theories, but no claim of the ledger
    found = record.evidence(claim("c"))
    assert (found.engine, found.verdict, found.theorem) == ("prover", Verdict.PROVED, "claim_c")
    assert found.sentence == "Coq 8.18 accepts claim_c" and found.uses == ("a",)
    found = record.evidence(claim("f"))
    assert (found.verdict, found.theorem) == (Verdict.REFUTED, "refuted_f")
    monkeypatch.setattr(record, "stale", lambda claim, held: "scalar.v")
    found = record.evidence(claim("c"))
    assert (found.engine, found.verdict, found.theorem) == ("prover", Verdict.ERROR, "")
    assert found.sentence == "the record is stale, scalar.v differs: make proofs-record"
    assert record.evidence(claim("nobody")) is None and record.formal(claim("nobody")) is None


COMPARED = Record(
    "8.18", {"s": "1"}, ["x"], {"log-below-line": {"theorem": "t"}}, {"one": {}}, {"gain": "g"}
)


@pytest.mark.parametrize(
    ("changes", "ids", "differing"),
    [
        ({}, (), []),
        ({"prover": "9"}, (), ["prover"]),
        ({"sources": {}}, (), ["sources"]),
        ({"theorems": {}}, (), ["log-below-line"]),
        ({"axioms": []}, (), ["axioms"]),
        ({"theorems": {"log-below-line": {"theorem": "u"}}}, (), ["log-below-line"]),
        ({"theorems": {"log-below-line": {"theorem": "t", "proof": "p"}}}, ("log-below-line",), []),
        ({"statements": {"one": {"uses": 1}}}, (), ["statements"]),
        ({"definitions": {}}, (), ["definitions"]),
        ({"statements": {}, "definitions": {}}, (), []),
        ({"axioms": [], "theorems": {}}, ("log-below-line",), []),
        (
            {"sources": {}, "theorems": {"log-below-line": {"theorem": 1}}},
            ("log-below-line",),
            ["log-below-line", "sources"],
        ),
    ],
)
def test_what_differs_from_the_record_is_named(changes, ids, differing, monkeypatch) -> None:
    asked = []
    new = Record(**{**vars(COMPARED), **changes})
    monkeypatch.setattr(record, "recorded", lambda: COMPARED)
    monkeypatch.setattr(
        record, "compiled_record", lambda claims, ids: asked.append((claims, ids)) or (new, ())
    )
    found = record.compared(ids)
    assert found == {
        "version": new.prover,
        "accepted": len(new.theorems),
        "differing": differing,
        "same_files": None if ids else COMPARED.theorems.keys() == new.theorems.keys(),
        "receipt": "",
    }
    assert asked[0][0].keys() == ALL.keys() and asked[0][1] == ids
    with pytest.raises(InvalidInput, match="claim = nobody: run ctv verify for all ids"):
        record.compared(["nobody"])
    with pytest.raises(InvalidInput, match="prover = theorem-1: has no theorem: name another"):
        record.compared(["theorem-1"])


def test_the_record_is_compared_or_written(tmp_path, monkeypatch, caplog) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(record, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(record, "compiled_record", lambda claims: (COMPARED, ()))
    assert record.main("write") == 0 and caplog.messages == ["1 theorems recorded"]
    text = (tmp_path / "record.json").read_text(encoding="utf-8")
    assert text.endswith("\n") and text.startswith('{\n "format": 3,\n "prover": "8.18"')
    record.recorded.cache_clear()
    assert record.recorded() == COMPARED
    (tmp_path / "record.json").unlink()
    record.recorded.cache_clear()
    assert record.recorded() == Record()
    record.recorded.cache_clear()
    caplog.clear()
    for differing, code in (([], 0), (["sources", "axioms"], 1)):
        answer = {
            "version": "8.18",
            "accepted": 7,
            "differing": differing,
            "same_files": not differing,
            "receipt": "" if differing else "r",
        }
        monkeypatch.setattr(record, "compared", lambda answer=answer: answer)
        assert record.main("compare") == code
    named = [said for said in caplog.messages if said.startswith("differs")]
    assert named == [f"differs from the record: {part}" for part in ("sources", "axioms")]
    assert {"receipt: r", "receipt: none was written"} < set(caplog.messages)

    def failing():
        raise ProverFailed("no")

    caplog.clear()
    monkeypatch.setattr(record, "compared", failing)
    assert record.main("compare") == 1 and caplog.messages == ["no"]


def test_the_state_of_the_record_names_what_has_changed(monkeypatch) -> None:
    held = Record("8.18", {"a.v": "1", "b.v": "2", "gone.v": "3"})
    monkeypatch.setattr(record, "recorded", lambda: held)
    monkeypatch.setattr(record, "sources", lambda: {"b.v": "9", "a.v": "1", "new.v": "4"})
    monkeypatch.setattr(record, "scripts", lambda: {"one": "lra."})
    monkeypatch.setattr(record, "refutations", lambda: {"two": "fails H."})
    monkeypatch.setattr(record, "bridges", lambda: {"three": "ring."})
    files = {"a.v": "1", "b.v": "9", "new.v": "4"}
    scripts = [{"one": "lra."}, {"two": "fails H."}, {"three": "ring."}]
    text = json.dumps([files, *scripts], sort_keys=True)
    assert record.state() == {
        "version": "8.18",
        "digest": digest(text),
        "stale": ["b.v", "gone.v", "new.v"],
        "run_here": False,
    }
