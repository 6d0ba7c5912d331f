"""A red team at the door of ledgers: what a file, its words and its scripts may try, by layer.

Each text is an attack that once passed, or a neighbour of one. None is PROVED; what is damaged is
refused in one line that names file, table and key. `test_*_plants.py` and `test_*_planted.py` hold
the attacks on trees, axioms, certificates and the search.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from proofs_check.enclosures.subdivision import enclose
from proofs_check.language.claim import BadClaim, Evidence, Verdict
from proofs_check.language.formula import BadFormula
from proofs_check.language.ledger_file import read_section
from proofs_check.language.parameters import Integer, Real, Vector
from proofs_check.language.words import states
from proofs_check.prover import alone, export
from proofs_check.prover.kernel import ProverFailed, named, proposition
from proofs_check.prover.runner import cited, compiled_claims, require_tactics
from proofs_check.records.ledger import PROVED, judged
from proofs_check.records.verify import verify
from tests.proofs_check.planted import claim, needs_coq

TABLE = {
    "label": "l",
    "where": "w",
    "kind": "theory",
    "because": "b",
    "statement": "For x, n, v and A.",
    "formula": "x <= 1",
    "for": "x in [0, 1]",
}


def file_of(folder: Path, name: str, table: dict[str, object], more: str = "") -> Path:
    """A ledger's file with one claim; `more` is TOML as it stands."""
    path = folder / "mine.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    path.write_text("\n".join([f"[{json.dumps(name)}]", *lines, more]), encoding="utf-8")
    return path


# Language: what is printed and what is meant are one text.
FORMULAS = [
    "x <= 2 # and x <= 1/2",
    "x <= 2 #",
    "x <= \\\n 2",
    "x\x0c<= 2",
    "x <=\x0b 2",
    "x <= 2\u2028",
    "ｘ <= 2",
    "x <= ٢",
    "x − 1 <= 2",
    "(x <= 2)\x00",
    "x <= 2; x <= 1/2",
    "x <= (y := 2)",
    "x <= 2 if True else 0",
    "x <= 0o7",
    "x <= 2e",
    "all(x <= 2)",
    "all(x <= 2 for k in range(2))",
    "x <= [2][0:1][0]",
    "not x >= 2",
    "x <= 2 and x >= 0",
    "x in [0, 2]",
    "x is x",
    "x @ x <= 2",
    "x // 1 <= 2",
    "x % 1 <= 2",
    "x <= 1 << 1",
    "~x <= 2",
    "x <= 'a'",
    "x <= (1, 2)",
    "x <= sum(k async for k in range(2))",
    "x <= __import__(1)",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_what_is_printed(formula: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"mine\.toml") as caught:
        read_section(file_of(tmp_path, "planted", {**TABLE, "formula": formula}))
    assert "\n" not in str(caught.value)


# Kinds and domains: an infinite end stands where the set has no end, sizes are numbers.
DOMAINS = [
    "x in (oo, 1]",
    "x in [0, -oo)",
    "x in (-oo, -oo)",
    "x in [0, oo]",
    "x in [nan, 1]",
    "x in [0, inf]",
    "x in [0, 1e]",
    "n in {oo..3}; x in [0, 1]",
    "n in {-oo..3}; x in [0, 1]",
    "n in {..3}; x in [0, 1]",
    "n in {1..-oo}; x in [0, 1]",
    "v in [0, 1]^oo; x in [0, 1]",
    "v in [0, 1]^-oo; x in [0, 1]",
    "A in psd^oo; x in [0, 1]",
    "A in symmetric^; x in [0, 1]",
    "t in times^oo; x in [0, 1]",
    "x in [0, 1]; x in [0, 2]",
    "x in [0, y]; y in [0, 1]",
    "x in [0, x]",
    "x in [0, 1] searched nan..1",
]


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_domain_is_what_is_printed(domain: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"mine\.toml") as caught:
        read_section(file_of(tmp_path, "planted", {**TABLE, "for": domain}))
    assert "\n" not in str(caught.value)


# Printing and names: ids become names of theorems, texts stand on screens.
IDS = [
    "",
    "a b",
    "x.y",
    "a_b",
    "-a",
    "a--b",
    "café",
    "x : False. Admitted. Theorem y",
    'x. Notation "held_0" := I. (*',
    "x\n",
]


@pytest.mark.parametrize("name", IDS)
def test_an_id_is_a_name_and_no_text_of_the_assistant(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        read_section(file_of(tmp_path, name, TABLE))
    with pytest.raises(BadClaim, match="an id is made of"):
        claim("1 <= 2", id=name)


HIDDEN = ["\x1b[1A\x1b[2KPROVED", "\u202ePROVED", "n\u200bot", "\ufeffx", "a\x00b", "a\u2028b"]


@pytest.mark.parametrize("text", HIDDEN)
@pytest.mark.parametrize("key", ["label", "statement", "reading", "remark", "proof"])
def test_no_text_moves_what_a_screen_shows(text: str, key: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"U\+|cannot be read|no TOML|control") as caught:
        read_section(file_of(tmp_path, "planted", {**TABLE, key: text}))
    assert "\n" not in str(caught.value)


# Cases: a witness is a point of exact numbers, a box a part of the domain.
CASES = [
    "witnesses = [{ x = nan }]",
    "witnesses = [{ x = inf }]",
    "witnesses = [{ x = 0.5 }]",
    "witnesses = [{ x = true }]",
    'witnesses = [{ x = "nan" }]',
    'witnesses = [{ x = "1/0" }]',
    'witnesses = [{ x = "x" }]',
    "witnesses = [{ y = 1 }]",
    "witnesses = [{}]",
    "witnesses = [{ x = 1, y = 1 }]",
    "witnesses = [{ x = 1979-05-27 }]",
    'box = { y = ["0", "1"] }',
    'box = { x = ["nan", "1"] }',
    'box = { x = ["0", "inf"] }',
    'box = { x = ["0", "1/0"] }',
    'box = { x = ["0"] }',
    'box = "ALL"',
]


@pytest.mark.parametrize("more", CASES)
def test_cases_are_exact_numbers_of_the_parameters(more: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"mine\.toml \[planted\]"):
        read_section(file_of(tmp_path, "planted", TABLE, more))


@pytest.mark.parametrize(
    ("formula", "parameter", "box"),
    [
        ("x >= 2 - 10**9*(1-x)", Real("x", 0, 1), {"x": ("2", "3")}),
        ("x <= 10**60", Real("x", 0), {"x": ("-1", "1")}),
        ("n <= 10**60", Integer("n", 1), {"n": ("-5", "0")}),
        ("n <= 10**60", Integer("n", 1, 10**70), {"n": ("1", f"{10**71}")}),
    ],
)
def test_a_box_beside_the_domain_proves_nothing(formula, parameter, box) -> None:
    (row,) = verify(claims=[claim(formula, parameter, box=box)]).rows
    assert row.verdict in (Verdict.ERROR, Verdict.REFUTED), row.reason


# Rounding: where two sides touch, a neighbour that is false by 1e-40 or at a point is not covered.
TOUCHING = [
    "(x-1/3)**2 >= 1/10**40*(1 if x == 1/3 else 0)",
    "(x-1/3)**2 >= (x-1/3)/10**20",
    "abs(exp(x)-exp(1/3)) >= 1/10**40*abs(x-1/2)",
    "min(x-1/3, 0) >= 0-(x-1/3)**2-1/10**60",
    "(x-1/3)*abs(x-1/3) >= 0-(x-1/3)**4",
    "(x-1/3 if x >= 1/3 else 2*(x-1/3)) >= x-1/3",
    "(x-1/3)**2 >= ((x-1/3)**3 if x > 1/3 else 1/10**45)",
    "(x-1/3)**2/(x-1/3) >= x-1/3",
    "(x-1/3)**2 >= 0*log(abs(x-1/3))",
    "sqrt((x-1/3)**2) >= x-1/3+1/10**50",
]


@pytest.mark.parametrize("formula", TOUCHING)
def test_what_touches_and_is_false_is_not_covered(formula: str) -> None:
    assert enclose(claim(formula, Real("x", 0, 1), box="all"), 80).verdict is Verdict.UNDECIDED


# Vacuous claims: a kernel's proof of nothing is no proof.
NOTHING = Evidence("search", Verdict.UNDECIDED, "no admissible case was found")
ACCEPTED = Evidence("prover", Verdict.PROVED, "accepted", theorem="claim_planted")


@pytest.mark.parametrize(
    "vacuous",
    [
        claim("2**2 <= 1", hypotheses=("1**2 <= 0",), statement="For 1**2 <= 0."),
        claim("2**2 <= 1", hypotheses=("sqrt(0-1) >= 0",), statement="For sqrt(0-1) >= 0."),
        claim("2**2 <= 1", hypotheses=("1/0 == 1/0",), statement="For 1/0 == 1/0."),
        claim("x**2 <= 0-1", Real("x"), hypotheses=("x != x",), statement="For x != x."),
        claim("x**2 <= 0-1", Real("x", 1, 1, low_open=True), statement="For x."),
        claim("n**2 <= 0-1", Integer("n", 3, 2), statement="For n."),
    ],
)
def test_what_speaks_of_nothing_is_not_proved(vacuous) -> None:
    verdict, _, reason = judged(vacuous, (ACCEPTED, NOTHING), {})
    assert verdict is Verdict.UNDECIDED and "it may say nothing" in reason
    assert verify(claims=[vacuous]).rows[0].verdict not in PROVED


# Words: a hypothesis that the sentence takes back, weakens or concludes is none.
# Words that no list of denials has are among them: a hypothesis is what is introduced as one.
AFTER = (
    "is unnecessary|was dropped|is optional|is irrelevant|does not matter|is wrong|is impossible|"
    "is ruled out|is avoided|is spared|is not assumed|would suffice|is sufficient|is of no use|"
    "is no longer assumed|is immaterial|is absent|or x < 0|for some y|sometimes|in Lemma 2 only|"
    "is left open|is a consequence|iff x >= 0|± 1|- 5|modulo 2|-> x >= 1|⇒ y|≠ y|on average|"
    "in expectation"
)
BEFORE = (
    ", regardless of whether|: S, also beyond|: S, unlike Lemma 2 where|: S, except for|"
    ": S, instead of|: it is false that|: S fails where|: S, so|: S implies|: hence|: (1 - x)|"
    ": it needn't be that|, excluding| outside|, rather than|, other than|, apart from|"
    ", independent of|, independently of|; ignoring|; we dispense with|; we do away with|"
    "; contrary to|; the opposite of|; the negation of|; the complement of|; abandon|; discard|"
    "; whenever x < 0 or|; almost|; Lemma 2 assumes|; the paper assumes|; less than|; then|"
    "; we conclude|; this shows|; it yields|; we obtain|; we prove|; sinh|; y +|; x'|; E|"
    "; with probability 1/2"
)
STRUCK = "struck out|deleted|replaced by x <= 0|reversed|relaxed|weakened|left out"
TAKEN_BACK = [
    "For x, without assuming x >= 0: S.",
    "For x: no assumption x >= 0 is made.",
    "For x (dropping x >= 0).",
    "For x, x >= 0 is superfluous.",
    "The paper assumes x >= 0, which is not needed.",
    "For x: S holds if x >= 0 is violated.",
    "For x: x >= 0 unless y.",
    "For x: neither x >= 0 nor y.",
    "For x: ¬ (x >= 0).",
    "For x: x in [0, 1] union [-2, -1].",
    "Even for x >= 0 lacking, S.",
    "For x; the case x >= 0 is excluded.",
    "For x; the restriction x >= 0 is lifted.",
    "For x; once assumed x >= 0, now free.",
    "For x; if x >= 0 or else.",
    "For x; suppose x >= 0 ceases.",
    "For x; what x >= 0 would give.",
    "For x; 2x >= 0.",
    "For x; -x >= 0.",
    "For x; |x >= 0.",
    "For x; x >= 0.5.",
    "For x; x >= 0,5.",
    "For x; x >= 0e.",
    "For x; x >= 0?",
    "For x; P(x >= 0) = 1/2.",
    "For x; x >= 0 a.s. or y.",
    *(f"For x; x >= 0 {words}." for words in AFTER.split("|")),
    *(f"For x{words} x >= 0." for words in BEFORE.split("|")),
    *(f"For x; with x >= 0 {words}." for words in STRUCK.split("|")),
]


@pytest.mark.parametrize("words", TAKEN_BACK)
def test_words_that_take_a_hypothesis_back_do_not_say_it(words: str) -> None:
    assert not states(words, "x >= 0")
    linked = claim("x**3 >= 0", Real("x"), hypotheses=("x >= 0",), statement=words)
    assert judged(linked, (ACCEPTED, replace(NOTHING, witness={"x": 1})), {})[0] is Verdict.OUTLINE


@pytest.mark.parametrize(
    "words",
    [
        "For x >= 0: S.",
        "S where x >= 0. Not y.",
        "S, x in [0, 1].",
        "If x >= 0 then S.",
        "For y and x >= 0 the sum is positive.",
        "Here x >= 0, and y < x; S.",
        "x is real (x >= 0): S.",
        "S, if x >= 0 for every y.",
    ],
)
def test_words_that_say_a_hypothesis_do(words: str) -> None:
    assert states(words, "x >= 0")


# Scripts: tactics, and nothing that the assistant takes for a command.
COMMANDS = [
    "intros. (* *) Abort. (* *) Axiom bad : False. (* *) Theorem t : True.",
    "intros. (* (* *) . *) Axiom bad : False.",
    "intros.\n- Set Universe Checking.",
    "intros.\n+ - * Unset Guard Checking.",
    "intros. { Unset Positivity Checking. } lra.",
    "intros. { lra. } Axiom bad : False.",
    "all: Axiom bad : False.",
    "1: Axiom bad : False.",
    "1-2, 3: Axiom bad : False.",
    "[x]: Axiom bad : False.",
    "!: Axiom bad : False.",
    "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.",
    "lra. (* *) #[global] Set Printing All.",
    'idtac "(*". Axiom bad : False. idtac "*)".',
    'idtac "@@axioms". lra.',
    "intros.\u00a0Axiom bad : False.",
    "intros.\x0cAxiom bad : False.",
    "intros.\rAxiom bad : False.",
    "intros... Axiom bad : False.",
    '(* " *) " *) Axiom bad : False. (* " *) " *)',
    'lra. (* *) Load "evil".',
    'lra. (* *) Declare ML Module "ltac_plugin".',
    'lra. (* *) Redirect "judged" Print nat.',
    'lra. (* *) Extraction "judged" nat.',
    "lra. (* *) Hint Extern 0 => exact I : core.",
    "lra. (* *) Canonical Structure x := 1.",
    "lra. (* *) Coercion c (b : bool) : Prop := True.",
    "lra. (* *) Module statements.",
    "lra.\nQed.\nTheorem claim_other : False.\nProof.",
    "Proof using All. lra.",
    "Qed.\nAxiom bad : False.",
    "lra.\nQed. Lemma helper : True.",
    "#[local] Set X.",
]


@pytest.mark.parametrize("script", COMMANDS)
def test_a_script_holds_tactics_alone(script: str, tmp_path: Path) -> None:
    with pytest.raises(ProverFailed, match="script of planted holds more than tactics"):
        compiled_claims(tmp_path, {"planted": "True"}, {"planted": script})
    with pytest.raises(ProverFailed, match="script of planted holds more than tactics"):
        alone.proved_alone(claim("1 <= 2"), script, {})


def test_tactics_are_no_commands() -> None:
    for script in (
        "intros.\n- lra.\n- { nra. }",
        "all: try lra. 2: { lra. } [x]: lra.",
        "(* As in Lemma 2. Then: *)\nintros x X.\nassert (H : Rabs x <= X) by lra.\nlra.",
        "set (A := 1). pose proof A as B. rewrite Rmult_comm.",
    ):
        require_tactics("planted", script)
    assert cited("(* claim_one *) apply claim_two.") == ("claim_two",)


# Hypotheses at every index: `all(…)` is for hypotheses, and no place to hide one.
SIGNED = claim(
    "sum(v[k] for k in range(n)) >= 0",
    Integer("n", 0),
    Vector("v", "n"),
    hypotheses=("all(v[k] >= 0 for k in range(n))",),
    statement="For n numbers v[k] >= 0, every k: their sum is at least 0.",
)


def test_a_hypothesis_holds_at_every_index() -> None:
    """Of numbers that may be negative the same is refuted, and so is a strict neighbour."""
    (row,) = verify(claims=[SIGNED]).rows
    assert row.verdict is Verdict.SUPPORTED and row.witness is not None
    for other in (
        replace(SIGNED, hypotheses=()),
        replace(SIGNED, hypotheses=("all(v[k] >= 0 for k in range(1, n))",)),
        replace(SIGNED, hypotheses=("all(v[k] >= 0-1 for k in range(n))",)),
        replace(SIGNED, formula="sum(v[k] for k in range(n)) > 0"),
    ):
        assert verify(claims=[other]).rows[0].verdict is Verdict.REFUTED, other
    beyond = replace(SIGNED, hypotheses=("all(v[k] >= 0 for k in range(n+1))",))
    assert verify(claims=[beyond]).rows[0].verdict is Verdict.UNDECIDED  # v[n] has no value
    assert (
        "(Suppose (All (Num 0) (Var 0) (Is Ge (Two Item (Var 1) (Var 2)) (Num 0)))"
        in export.tree_of(SIGNED)
    )
    assert states(SIGNED.statement, SIGNED.hypotheses[0]) and not states(
        "For n numbers v: S.", SIGNED.hypotheses[0]
    )


@pytest.mark.parametrize(
    ("formula", "hypothesis"),
    [
        ("all(v[k] >= 0 for k in range(n))", "n >= 0"),
        ("sum(v) >= 0", "all(v)"),
        ("sum(v) >= 0", "all(v[k] for k in range(n))"),
        ("sum(v) >= 0", "all([v[k] >= 0 for k in range(n)])"),
        ("sum(v) >= 0", "all(v[k] >= 0 for k in range(n) if k > 0)"),
        ("sum(v) >= 0", "all(v[k] >= 0 for k in range(n)) + 1 >= 0"),
        ("sum(v) >= 0", "all(n >= 0 for n in range(2))"),
        ("(1 if all(v[k] >= 0 for k in range(n)) else 0) >= 0", "n >= 0"),
        ("sum(v) >= 0", "all(0 <= v[k] <= 1 for k in range(n))"),
    ],
)
def test_all_is_for_hypotheses_of_comparisons(formula: str, hypothesis: str) -> None:
    with pytest.raises((BadClaim, BadFormula)):
        claim(formula, Integer("n", 0), Vector("v", "n"), hypotheses=(hypothesis,))


def test_a_syllogism_behind_every_index_is_an_outline() -> None:
    hidden = claim(
        "R <= X/1000",
        Real("R", 0),
        Real("X", 0),
        hypotheses=("all(R <= X/1000 for k in range(1))",),
        statement="Theorem 1 by a thousandth: R <= X/1000 for every k.",
    )
    witness = replace(NOTHING, witness={"R": 1})
    assert judged(hidden, (ACCEPTED, witness), {})[0] is Verdict.OUTLINE


@needs_coq
@pytest.mark.slow
def test_a_hypothesis_at_every_index_is_walked_through() -> None:
    script = (
        "walked. apply Rle_ge. clear -H2. induction n as [|n IH]; cbn; [lra|]. "
        "assert (v n >= 0) by (apply H2; lia). "
        "assert (0 <= sum n v) by (apply IH; intros; apply H2; lia). lra."
    )
    proved = replace(SIGNED, theorem="basel", proof=script)
    assert alone.proved_alone(proved, script, {}).propositions
    weaker = replace(proved, hypotheses=("all(v[k] >= 0 for k in range(1, n))",))
    with pytest.raises(ProverFailed):
        alone.proved_alone(weaker, script, {})


FALSE = claim("n <= 10**60", Integer("n", 0))
TACTICS = [
    "intros. admit.",
    "intros. give_up.",
    "shelve.",
    "exact claim_planted.",
    "fix f 1. exact f.",
    "cofix f. exact f.",
    "intros. exact_no_check I.",
    "intros. vm_cast_no_check I.",
    "intros. native_cast_no_check I.",
    "intros. change_no_check True. exact I.",
    "intros n H K. exfalso. tauto.",
    "intros. abstract (admit).",
    "intros. assert_succeeds admit.",
    "intros n H K. unshelve eapply Rle_trans. exact n. shelve. shelve.",
]


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("script", TACTICS)
def test_no_tactic_proves_what_is_false(script: str, tmp_path: Path) -> None:
    with pytest.raises(ProverFailed):
        alone.proved_alone(replace(FALSE, proof=script), script, {})


# Records: a receipt for one theorem is none for another.
def test_a_true_sentence_is_no_receipt_for_another_theorem() -> None:
    true = "means (Holds (Is Le (Num 0) (Num 1)))"
    assert named("statements.theorem_1", true) == f"theorem_1 : {true}"
    assert named("meant.meant_claim_x", true) == true
    assert proposition(named("statements.theorem_1", true)) != proposition(true)
