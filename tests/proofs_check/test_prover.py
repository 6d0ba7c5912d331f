"""The road through the proof assistant: exported statements, scripts, the record, false claims."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_check.language.claim import BadClaim, Verdict
from proofs_check.language.formula import BadFormula
from proofs_check.language.parameters import Integer, Parameter, Real, Vector
from proofs_check.prover import kernel, record, runner, written
from proofs_check.prover.export import NotExported, tree_of
from proofs_check.prover.kernel import ProverFailed
from proofs_check.prover.links import links, references
from proofs_check.prover.readable import statement_of
from proofs_check.prover.written import part_of
from proofs_check.records.verify import verify
from tests.proofs_check.planted import ALL, X, claim, needs_coq

PROVING = (Verdict.PROVED, Verdict.PROVED_ON_BOX, Verdict.PROVED_UP_TO)


def statement(formula: str, *parameters: Parameter, **more: object) -> str:
    return " ".join(statement_of(claim(formula, *parameters, **more)).split())


@pytest.mark.parametrize(
    ("formula", "parameters", "said"),
    [
        ("x + 1 >= 1/3", (X,), "forall x : R, (x >= 0) -> ((x + 1) >= (1 / 3))"),
        ("log(x) <= 1", (X,), "forall x : R, (x >= 0) -> ((ln x) <= 1) /\\ 0 < x"),
        ("sqrt(x) == x", (X,), "forall x : R, (x >= 0) -> ((sqrt x) = x) /\\ 0 <= x"),
        ("1/x != 2", (X,), "forall x : R, (x >= 0) -> ((1 / x) <> 2) /\\ x <> 0"),
        ("x**2 < 0.5", (X,), "forall x : R, (x >= 0) -> ((x ^ 2) < (1 / 2))"),
        ("n > 0", (Integer("n", 1),), "forall n : R, whole n -> (n >= 1) -> (n > 0)"),
        (
            "R >= 0",
            (Real("R", 0, 1, high_open=True),),
            "forall R_ : R, (R_ >= 0) -> (R_ < 1) -> (R_ >= 0)",
        ),
        (
            "(1/x if x > 1 else x) <= 1",
            (X,),
            "forall x : R, (x >= 0) -> ((if Rlt_dec 1 x then (1 / x) else x) <= 1) /\\ "
            "((x > 1) -> x <> 0)",
        ),
        (
            "sum(k*x for k in range(1, 3)) >= 0",
            (X,),
            "forall x : R, (x >= 0) -> (((1 * x) + (2 * x)) >= 0)",
        ),
        ("sum(k*x for k in range(0)) <= x", (X,), "forall x : R, (x >= 0) -> (0 <= x)"),
        (
            "det([[x, 1], [2, x]]) >= 0",
            (X,),
            "forall x : R, (x >= 0) -> ((((x * ((x * 1) * 1)) * 1) + (- 2)) >= 0)",
        ),
        (
            "(x if x != 1 else 2) >= 0",
            (X,),
            "forall x : R, (x >= 0) -> ((if Req_EM_T x 1 then 2 else x) >= 0)",
        ),
        ("floor(x) >= abs(x)", (X,), "forall x : R, (x >= 0) -> ((IZR (Int_part x)) >= (Rabs x))"),
        ("2 >= min(x, 1, 3)", (X,), "forall x : R, (x >= 0) -> (2 >= (Rmin (Rmin x 1) 3))"),
        ("pi >= max(3, x)", (Real("x", None, 3),), "forall x : R, (x <= 3) -> (PI >= (Rmax 3 x))"),
    ],
)
def test_a_formula_says_the_same_in_the_assistant(formula, parameters, said) -> None:
    assert statement(formula, *parameters) == said


def test_hypotheses_come_with_their_values() -> None:
    said = statement("x >= 1", X, hypotheses=("log(x) >= 0",))
    assert said == "forall x : R, (x >= 0) -> 0 < x -> ((ln x) >= 0) -> (x >= 1)"


def test_whatever_has_no_number_of_terms_is_not_exported() -> None:
    n = Integer("n", 1)
    for formula, parameters in (
        ("sum(1 for k in range(n)) == n", (n,)),
        ("x**(10**9) >= 0", (X,)),
        ("gamma(x) >= 0", (X,)),
        ("R >= R_", (Real("R"), Real("R_"))),
        ("t[1] >= 0", (Vector("t", 2),)),
        ("sin(x) <= 1", (X,)),
        ("[1, 2][0] > x", (X,)),
        ("t[0] >= 0", (n, Vector("t", "n"))),
        ("min([x for k in range(0)]) >= 0", (X,)),
    ):
        with pytest.raises(NotExported):
            statement(formula, *parameters)


def test_no_theory_assumes_anything() -> None:
    for path in runner.theories():
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
        words = re.findall(r"^\s*(Axiom|Parameter|Conjecture|Admitted|admit)\b", text, re.M)
        assert not words, path.name


def test_the_record_is_of_these_sources() -> None:
    held = record.recorded()
    assert held.theorems.keys() <= ALL.keys()
    assert {
        name: record.stale(ALL[name]) for name in held.theorems if record.stale(ALL[name])
    } == {}
    assert record.state()["stale"] == []


def test_a_changed_claim_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ALL["log-below-line"]
    assert record.evidence(honest).verdict is Verdict.PROVED
    for forged in (
        replace(honest, formula="log(1+x) <= x + 1"),
        replace(honest, parameters=(Real("x", -1, low_open=True),)),
        replace(honest, hypotheses=("x >= 1",)),
    ):
        found = record.evidence(forged)
        assert found is not None and found.verdict is Verdict.ERROR and "stale" in found.sentence
    for changed, part in (({"log-below-line": "intros."}, "script"), ({}, "theorem")):
        monkeypatch.setattr(record, "scripts", lambda changed=changed: changed)
        assert record.stale(honest) == f"the {part}"


def test_a_changed_theory_makes_its_theorems_stale() -> None:
    held = record.recorded()
    for name, source in (("log-below-line", "scalar.v"), ("det-subadditivity", "dimension.v")):
        other = replace(held, sources={**held.sources, source: "another"})
        assert record.stale(ALL[name]) == "" and record.stale(ALL[name], other) == source


def test_a_theorem_that_refutes_claims_proves_none() -> None:
    refuting = {name for name, one in ALL.items() if one.theorem and part_of(one) == "negation"}
    assert refuting
    assert not refuting & written.index().keys()


def test_a_theorem_that_cites_itself_is_refused() -> None:
    pair = {name: claim("x >= 0", X, id=name) for name in ("one", "two")}
    scripts = {"one": "apply claim_two.", "two": "apply claim_one."}
    with pytest.raises(ProverFailed, match="cite each other"):
        runner.ordered(pair, scripts)


UNIT, LINE, COUNT = Real("x", 0, 1), Real("x"), Integer("n", 1)
FALSE = [
    # the holes that were known
    ("1 == 1.000000000000000000000000000000000000000000000000000000000001", ()),
    ("1e-400 <= 0", ()),
    ("log(1+x) <= x - 2305843009213693951*max(0, x - 10**7)", (X,)),
    ("sum(1 for k in range(n)) == n + 1", (COUNT,)),
    ("x**(2**61-1) <= 1+x", (X,)),
    # small sizes
    ("n**2 >= 2*n", (COUNT,)),
    ("2**n > 2*n", (COUNT,)),
    ("n*(n-1) > 0", (COUNT,)),
    ("(1+1/n)**n > 2", (COUNT,)),
    ("n**3 != 6*n**2 - 11*n + 6", (COUNT,)),
    # late integers
    ("n <= 10**5", (COUNT,)),
    ("log(n) <= 10", (COUNT,)),
    ("(1+1/n)**n <= 2.71", (COUNT,)),
    ("sqrt(n) <= 900", (COUNT,)),
    ("n != 79", (Integer("n", 1, 10_000),)),
    ("floor(sqrt(n))**2 != n", (Integer("n", 2),)),
    ("n**2 - n + 41 < 41*n", (Integer("n", 3),)),
    # needles
    ("1/10**6 <= 1000*(x-3.1415926)**2", (LINE,)),
    ("(x-1/3)**2 > 0", (UNIT,)),
    ("x*(1-x) <= 1/4 - 1/10**15", (UNIT,)),
    ("abs(x-1/7) >= 1/10**9", (UNIT,)),
    ("(x-2)**2*(x-5)**2 > 0", (X,)),
    ("x**2 + 1/10**20 <= x**2", (LINE,)),
    ("floor(x) == x - 1/2", (X,)),
    ("max(x, 1-x) > 1/2", (UNIT,)),
    # constants
    ("pi <= 3.14159265358979", ()),
    ("exp(1) <= 2.718281828459045", ()),
    ("sqrt(2) == 1.41421356", ()),
    ("log(2) > 0.69314718055994531", ()),
    ("22/7 <= pi", ()),
    # undefined somewhere
    ("x/x == 1", (UNIT,)),
    ("sqrt(x-1)**2 == x-1", (UNIT,)),
    ("0*log(x) == 0", (UNIT,)),
    ("x**(-1)*x == 1", (LINE,)),
    ("x**x > 0", (UNIT,)),
    ("(x-1)**(1/2) >= 0", (X,)),
    ("1/(x-1/2)**2 > 0", (UNIT,)),
    ("sum(1/(n-k) for k in range(n+1)) >= 0", (COUNT,)),
    ("[1, 2][n] > 0", (COUNT,)),
    ("1/sin(pi*n) != 2", (COUNT,)),
    ("(1 if x > 0 else 1/x) >= 1/2", (UNIT,)),
    ("log(x**2)/log(x**2) == 1", (LINE,)),
]


def test_false_and_undefined_claims_are_never_proved() -> None:
    """By themselves and over a whole box; all in one ledger, for which a process is started."""
    planted = [
        claim(formula, *parameters, box=box, id=f"planted-{number}-{box}")
        for number, (formula, parameters) in enumerate(FALSE)
        for box in ((None, "all") if parameters else (None,))
    ]
    found = verify(claims=planted).rows
    assert len(found) == len(planted)
    assert [(row.claim.formula, row.reason) for row in found if row.verdict in PROVING] == []


EMPTY = [
    ("x >= 7", (Real("x", 1, 2),), ("exp(x) <= 1+x+x**2/4",)),
    ("x >= 7", (Real("x", 0, 1),), ("x > 1",)),
    ("x >= 7", (Real("x", 0),), ("log(1+x) > x",)),
    ("n >= 7", (Integer("n", 1, 5),), ("sqrt(n) > 3",)),
    ("x >= 7", (Real("x", 2, 1),), ()),
]


@pytest.fixture
def accepting(monkeypatch) -> None:
    """As if the assistant had accepted a theorem of whatever is asked."""
    accepted = record.evidence(ALL["log-below-line"])
    monkeypatch.setattr("proofs_check.records.verify.recorded_evidence", lambda claim: accepted)


@pytest.mark.parametrize(("formula", "parameters", "hypotheses"), EMPTY)
def test_nothing_is_proved_of_nothing(formula, parameters, hypotheses, accepting) -> None:
    """Even where the assistant accepts a theorem, from premises that contradict each other."""
    planted = claim(formula, *parameters, hypotheses=hypotheses)
    assert verify(claims=[planted]).rows[0].verdict in (Verdict.UNDECIDED, Verdict.REFUTED)


def free(*names: str) -> tuple[Real, ...]:
    return tuple(Real(name, 0) for name in names)


# Hypotheses hide as well in the bounds of numbers by other numbers.
CHAIN = (Real("T", 0), Real("P", 0, "1000*T"), Real("R", 0, "P/1000"))
DIVIDED = "Theorem 1 divided by 1000"
SYLLOGISMS = [
    ("Theorem A without any drift", "G <= S + g1", free(*"GHS", "g1"), ("H <= S", "G <= H + g1")),
    (DIVIDED, "R <= T", free(*"PRT"), ("R <= P/1000", "P <= 1000*T")),
    (DIVIDED, "R <= T", CHAIN, ()),
    ("R**2 <= T**2", "R**2 <= T**2", CHAIN, ()),
]


@pytest.mark.parametrize(("words", "formula", "numbers", "chain"), SYLLOGISMS)
def test_words_of_matrices_over_free_numbers_are_an_outline(
    words, formula, numbers, chain, accepting
) -> None:
    planted = claim(formula, *numbers, hypotheses=chain, statement=words)
    assert verify(claims=[planted]).rows[0].verdict is Verdict.OUTLINE


def test_a_chain_that_is_said_is_no_outline(accepting) -> None:
    said = "For T >= 0, 0 <= P <= 1000 T and 0 <= R <= P/1000: R^2 <= T^2."
    apart = claim("R**2 <= T**2", *CHAIN, statement=said)
    assert verify(claims=[apart]).rows[0].verdict is Verdict.PROVED


@pytest.mark.parametrize("name", ["theory-b", "theorem-1-constant", "theory-m"])
def test_a_theorem_is_no_proof_of_other_words_under_its_claims_id(name: str) -> None:
    honest = ALL[name]
    assert record.evidence(honest).verdict is Verdict.PROVED
    for forged in (
        replace(honest, statement="The gain is 0."),
        replace(honest, formula="1 <= 2", case="", parameters=(X,), hypotheses=(), let=()),
    ):
        assert record.evidence(forged) is None
        assert verify(claims=[forged]).rows[0].verdict not in PROVING


@pytest.mark.parametrize(
    "name", ["bound0_", "every k", "pi", "range", "log", "in", "power", "_x", "é"]
)
def test_names_that_are_taken(name: str) -> None:
    with pytest.raises((BadClaim, BadFormula)):
        claim("1 >= 0", Real(name, 0)) if name != "bound0_" else claim("bound0__ >= 0", X)


def test_an_index_captures_nothing() -> None:
    with pytest.raises(BadClaim):
        claim("sum(a for k in range(2)) >= 7", X, Integer("k", 1), let=(("a", "x*k"),))
    apart = claim("sum(b*k for k in range(3)) == 3*b", let=(("b", "sum(j for j in range(3))"),))
    assert verify(claims=[apart]).rows[0].verdict is Verdict.PROVED
    off = replace(apart, formula="sum(b*k for k in range(3)) == 3*b + 1")
    assert verify(claims=[off]).rows[0].verdict is Verdict.REFUTED


@needs_coq
@pytest.mark.slow
def test_the_assistant_refuses_what_is_false() -> None:
    with pytest.raises(ProverFailed):
        runner.proved(
            {"planted": claim("log(1+x) <= x - 1/1000", X)},
            {"planted": "intros.\nrsplit; intros; [solve [closes] | solve [closes]]."},
            {},
            {},
            scalar=True,
        )


TREE = 'means (Real "x" (Open (Num 0)) Free (Holds (Is Ge (Un Exp (Var 0)) (Num 0))))'
SAID = "forall x : R, (x > 0) -> (exp x) >= 0"
SCRIPT = "intros. left. apply exp_pos."
PROOFS = {
    "an honest proof": f"Theorem t : {SAID}. Proof. {SCRIPT} Qed. "
    f"Theorem m : {TREE}. Proof. bridged t. Qed.",
    "of another statement": 'Theorem m : means (Real "x" (Open (Num 0)) Free (Holds (Is Ge (Var 0) '
    "(Num 0)))). Proof. apply to_means; [reflexivity|]; spoken. intros. lra. Qed.",
    "with an axiom of its own": "Axiom classic : False. "
    f"Theorem m : {TREE}. destruct classic. Qed.",
    "admitted": f"Theorem m : {TREE}. Admitted.",
    "with its own words": "Definition means (c : claim) := True. "
    f"Theorem m : {TREE}. Proof. exact I. Qed.",
    "with its own notation": "Notation \"'Real' n a b c\" := (Holds (Is Le (Num 0) (Num 1))) "
    "(at level 9, n at level 8, a at level 8, b at level 8, c at level 8). "
    f"Theorem m : {TREE}. Proof. apply to_means; [reflexivity|]; spoken. lra. Qed.",
    "with its own trees": "Inductive claim := Real (n : string) (a b : bound) (c : claim) | "
    "Holds (c : cond). Definition means (c : claim) := True. "
    f"Theorem m : {TREE}. Proof. exact I. Qed.",
    "with a coercion": "Definition no (c : claim) : claim := Holds (Is Le (Num 0) (Num 1)). "
    f"Definition means c := meaning.means (no c). Theorem m : {TREE}. "
    "Proof. apply to_means; [reflexivity|]; unfold no; spoken. lra. Qed.",
    "without a guard": "Unset Guard Checking. Fixpoint f (n : nat) {struct n} : False := f n. "
    f"Theorem m : {TREE}. Proof. destruct (f O). Qed.",
}


@needs_coq
@pytest.mark.slow
def test_a_proof_is_believed_for_its_tree_alone(tmp_path: Path) -> None:
    """Whatever a module does, it is asked for the tree as it was written before."""
    runner.compiled_theories(tmp_path, runner.SCALAR)
    head = runner.HEAD + runner.MEANT
    for number, (name, text) in enumerate(PROOFS.items()):
        (tmp_path / f"m{number}.v").write_text(head + text, encoding="utf-8")
        kernel.coqc(tmp_path, f"m{number}")
        asked = (tmp_path, {f"m{number}.m": TREE}, [f"m{number}"])
        if name == "an honest proof":
            assert kernel.axioms_of(*asked)
            continue
        with pytest.raises(ProverFailed):
            kernel.axioms_of(*asked)


def test_the_files_of_the_prover_are_shipped_as_data() -> None:
    assert record.RECORD.exists() and runner.theories()


def test_every_theorem_of_a_claim_is_there_and_has_an_instance() -> None:
    text = runner.theory("statements").read_text(encoding="utf-8")
    named = re.findall(r"^Theorem (\w+)", text, re.M)
    cases = runner.theory("instances").read_text(encoding="utf-8")
    held = record.recorded()
    assert named == [*dict.fromkeys(named)]
    assert set(named) == held.statements.keys() >= written.stated().keys()
    assert tuple(named) == runner.statements()
    assert set(re.findall(r"^Definition at_(\w+)", cases, re.M)) == set(named)
    for name, entry in held.statements.items():
        assert entry["statement"].startswith(name)
    for name, entry in written.stated().items():
        assert entry["words"] or entry["claims"][0] not in written.index(), name
        said = [one for one in entry["claims"] if ALL[one].says or ALL[one].differs]
        assert said in ([], entry["claims"][:1]), name


def test_a_theorem_is_shown_with_what_a_reader_needs() -> None:
    found = record.formal(ALL["theory-b"])
    assert found is not None and "gain s n (joint X k h x tau) <= gamma n" in found["theorem"]
    assert found["words"] and found["differs"] and "at_theory_b" in found["instance"]
    assert {"gain", "det", "sum", "semidefinite"} <= found["definitions"].keys()
    scalar = record.formal(ALL["log-below-line"])
    assert scalar is not None and "(ln (1 + x)) <= x" in scalar["theorem"]
    assert record.formal(ALL["lemma-9-along-the-times"])["theorem"].startswith("lemma_8")


STATING = """
Theorem first : 1 = 1.
Proof. exact: one.root. Qed.

Theorem second : 2 = 2.
Proof. by move: (two.middle); rewrite two.plain. Qed.
"""
GLOBS = (
    "DIGEST 0\nFCTV.one\nR3:5 Coq.Init.Logic <> eq ind\nprf 9:12 <> root\n"
    "R30:33 CTV.one <> f' def\nR34:36 mathcomp.algebra.matrix <> det_mulmx thm\n"
    "def 40:41 <> f'\nbinder 44:44 <> x:1\n",
    "FCTV.two\nprf 50:55 <> middle\nprf 9:13 <> plain\nR60:63 CTV.one <> root thm\n"
    "R20:23 Coq.Reals.RIneq <> lra thm\nsec 1:2 <> Part\nvar 3:3 Part h\n",
    "FCTV.statements\nprf 9:13 <> first\nprf 60:65 <> second\nR30:37 CTV.one <> root thm\n"
    "R80:89 CTV.two <> middle thm\nR90:95 CTV.two <> plain thm\n",
)


def test_links_are_those_of_the_assistant() -> None:
    uses = {name: used for glob in GLOBS for name, used in references(glob).items()}
    assert uses == {
        "one.root": {"one.f'"},
        "one.f'": set(),
        "two.plain": set(),
        "two.middle": {"one.root"},
        "statements.first": {"one.root"},
        "statements.second": {"two.middle", "two.plain"},
    }
    assert links(uses, STATING) == {"first": (), "second": ("first",)}
    # a lemma with nothing in common, and one that is the whole proof of two theorems
    assert links({**uses, "two.middle": set()}, STATING)["second"] == ()
    twice = STATING.replace("by move: (two.middle); rewrite two.plain", "exact: one.root")
    assert links({**uses, "statements.second": {"one.root"}}, twice) == {"first": (), "second": ()}


def test_theorem_1_goes_through_theorem_a() -> None:
    held = record.recorded().statements
    assert set().union(*(entry["uses"] for entry in held.values())) <= held.keys()
    assert record.used("theorem-1") == ("lemma-12-repaired", "lemma-13")
    assert "lemma-13-block" in record.used("lemma-13")
    assert "theory-a" in record.used("lemma-13-block")
    assert {"det-subadditivity", "det-contraction", "schur-product"} <= {
        *record.used("theory-a-block")
    }
    assert record.used("basel") == () == record.used("det-subadditivity")


def test_a_theorem_of_the_theories_rests_on_what_the_assistant_says() -> None:
    for name in written.index():
        assert ALL[name].outline or not ALL[name].rests_on, name


def has_tree(name: str) -> bool:
    try:
        return bool(tree_of(ALL[name]))
    except NotExported:
        return False


def test_what_is_false_is_refuted_by_the_kernel_where_there_is_a_tree() -> None:
    refuted = {name for name, one in ALL.items() if one.expected is Verdict.REFUTED}
    assert record.refutations().keys() <= refuted
    assert not any(map(has_tree, refuted - record.refutations().keys()))
    for name in record.refutations():
        found = record.evidence(ALL[name])
        assert found is not None and found.verdict is Verdict.REFUTED, name
        assert record.formal(ALL[name])["theorem"].startswith("refuted_")
    row = verify(["uniformity-epsilon-zero"]).rows[0]
    assert (row.verdict, row.by) == (Verdict.REFUTED, "prover") and row.counterexample


def test_a_formula_that_follows_from_a_theorem_is_said_to() -> None:
    assert record.bridges().keys() <= written.index().keys()
    for name in written.index():
        found = record.evidence(ALL[name])
        assert found is not None and found.verdict is Verdict.PROVED
        tied = name in record.bridges()
        assert (bool(ALL[name].formula), bool(ALL[name].case)) == (tied, not tied), name
        ending = ", and what the formula means" if tied else ", which is the claim"
        assert found.sentence.endswith(ending)
    assert {"basel", "lemma-8", "sum-by-lags", "theory-f-still"} <= record.bridges().keys()
    changed = replace(ALL["basel"], formula="sum(1/k**2 for k in range(1, n+1)) < pi**2/7")
    assert record.stale(changed) == "the tree"
    beside = replace(ALL["theory-b"], formula="1 <= 2", case="")
    assert record.stale(beside) == "the tree"
