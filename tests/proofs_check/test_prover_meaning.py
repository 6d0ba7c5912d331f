"""A claim as a tree: what is printed, and what the kernel makes of claims that texts had proved."""

import ast
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_check.language.claim import BadClaim, Claim
from proofs_check.language.formula import BadFormula, expand
from proofs_check.language.parameters import (
    Integer,
    Parameter,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Times,
    Vector,
)
from proofs_check.ledgers import opened
from proofs_check.prover import kernel, runner
from proofs_check.prover.export import NotExported, condition, tree_of
from proofs_check.prover.kernel import ProverFailed
from proofs_check.prover.readable import statement_of
from tests.proofs_check.planted import ALL, claim, needs_coq

X, LINE, COUNT = Real("x", 0), Real("x"), Integer("n", 1)


def tree(formula: str, *parameters: Parameter, **more: object) -> str:
    return " ".join(tree_of(claim(formula, *parameters, **more)).split())


@pytest.mark.parametrize(
    ("formula", "parameters", "printed"),
    [
        ("1/3 <= -2", (), "(Holds (Is Le (Bin Div (Num 1) (Num 3)) (Un Neg (Num 2))))"),
        ("0.5 == +1", (), "(Holds (Is Eq (Bin Div (Num 1) (Num 2)) (Num 1)))"),
        (
            "x - pi < x*2",
            (X,),
            '(Real "x" (Closed (Num 0)) Free (Holds (Is Lt (Bin Sub (Var 0) Pi) '
            "(Bin Mul (Var 0) (Num 2)))))",
        ),
        (
            "x**n > n",
            (Real("x", 0, 1, high_open=True), Integer("n", "x+1", 9)),
            '(Real "x" (Closed (Num 0)) (Open (Num 1)) (Integer "n" '
            "(Closed (Bin Add (Var 0) (Num 1))"
            ") (Closed (Num 9)) (Holds (Is Gt (Bin Pow (Var 0) (Var 1)) (Var 1)))))",
        ),
        (
            "x >= 0",
            (Real("x", "1/2", low_open=True),),
            '(Real "x" (Open (Bin Div (Num 1) (Num 2))) Free (Holds (Is Ge (Var 0) (Num 0))))',
        ),
        (
            "(1/x if x != 0 else exp(x)) >= 0",
            (LINE,),
            '(Real "x" Free Free (Holds (Is Ge (If Ne (Var 0)'
            " (Num 0) (Bin Div (Num 1) (Var 0)) (Un Exp (Var 0))) (Num 0))))",
        ),
        (
            "max(x, 1, sqrt(x)) >= min(x, 2)",
            (X,),
            '(Real "x" (Closed (Num 0)) Free (Holds (Is Ge '
            "(Bin Max (Bin Max (Var 0) (Num 1)) (Un Sqrt (Var 0))) (Bin Min (Var 0) (Num 2)))))",
        ),
        (
            "sum(k*l for k in range(n) for l in range(k, 3)) >= n",
            (COUNT,),
            '(Integer "n" (Closed (Num 1)) Free (Holds (Is Ge (Sum (Num 0) (Var 0) (Sum (Var 1) '
            "(Num 3) (Bin Mul (Var 1) (Var 2)))) (Var 0))))",
        ),
        (
            "sum(sum(k for k in range(2)) + k for k in range(3)) >= 0",
            (),
            "(Holds (Is Ge (Sum (Num 0) "
            "(Num 3) (Bin Add (Sum (Num 0) (Num 2) (Var 1)) (Var 0))) (Num 0)))",
        ),
        (
            "det([[1, 2], [3, 4]]) < 0",
            (),
            "(Holds (Is Lt (det [[(Num 1); (Num 2)]; [(Num 3); (Num 4)]]) (Num 0)))",
        ),
    ],
)
def test_a_claim_is_printed_as_it_is_written(formula, parameters, printed) -> None:
    assert tree(formula, *parameters) == printed


def test_definitions_and_hypotheses_come_in_their_order() -> None:
    said = tree("b >= a", X, let=(("a", "x**2"), ("b", "a+x")), hypotheses=("log(b) != 1", "a > 2"))
    assert said == (
        '(Real "x" (Closed (Num 0)) Free (Let "a" (Bin Pow (Var 0) (Num 2)) (Let "b" (Bin Add '
        "(Var 1) (Var 0)) (Suppose (Is Ne (Un Log (Var 2)) (Num 1)) "
        "(Suppose (Is Gt (Var 1) (Num 2)) "
        "(Holds (Is Ge (Var 2) (Var 1)))))))" + ")"
    )


@pytest.mark.parametrize(
    ("formula", "parameters", "printed"),
    [
        ("[1, 2][0] > n", (COUNT,), "(Is Gt (Two Item (Cons (Num 1) (Cons (Num 2) Nil)) (Num 0))"),
        ("sum([n]) >= len([])", (COUNT,), "(Is Ge (One Total (Cons (Var 0) Nil)) (One Len Nil))"),
        (
            "max(j*k for j in range(n) for k in range(1, 3)) > 0",
            (COUNT,),
            "(One Greatest (One Joined (Each (Num 0) (Var 0) (Each (Num 1) (Num 3) "
            "(Bin Mul (Var 1) (Var 2))))))",
        ),
        (
            "t[n-1] >= 0",
            (COUNT, Times("t", "n")),
            '(Vector "t" (Var 0) (Closed (Num 0)) Free true (Holds (Is Ge '
            "(Two Item (Var 1) (Bin Sub (Var 0) (Num 1)))",
        ),
        (
            "v[0] <= 1",
            (Vector("v", 2, 0, 1),),
            '(Vector "v" (Num 2) (Closed (Num 0)) (Closed (Num 1)) false (Holds',
        ),
        (
            "det(add(A, scale(2, identity(n)))) >= trace(block(A, 0, 1))",
            (COUNT, Symmetric("A", "n")),
            '(Symmetric "A" (Var 0) (Holds (Is Ge (One Det (Two Plus (Var 1) (Two Scale (Num 2) '
            "(One Identity (Var 0))))) (One Trace (Block (Var 1) (Num 0) (Num 1))))))",
        ),
        (
            "det(matmul(K, transpose(hadamard(K, K)))) >= 0",
            (PositiveSemidefinite("K", 2, unit=True),),
            '(Semidefinite "K" (Num 2) Unit (Holds (Is Ge (One Det (Two Matmul (Var 0) '
            "(One Transpose (Two Hadamard (Var 0) (Var 0)))))",
        ),
        (
            "det(K) >= 0",
            (PositiveSemidefinite("K", 2, bound=True),),
            '(Semidefinite "K" (Num 2) At_most_one',
        ),
        ("det([[1], ones(1)[0]]) > 0", (), "(One Det (Cons (Cons (Num 1) Nil) (Cons (Two Item "),
        ("sin(x) <= ceil(erf(x))", (X,), "(Is Le (Un Sin (Var 0)) (Un Ceil (Un Erf (Var 0))))"),
    ],
)
def test_lists_and_matrices_are_printed_as_they_are_written(formula, parameters, printed) -> None:
    assert printed in tree(formula, *parameters)


def test_a_condition_at_every_index_is_a_quantifier() -> None:
    """In hypotheses; statements have a parameter in its place."""
    said = ast.parse("all(t[j] <= t[k] for j in range(n) for k in range(j, n))", mode="eval").body
    assert " ".join(condition(said, ["n", "t"]).split()) == (
        "(All (Num 0) (Var 0) (All (Var 2) (Var 0) "
        "(Is Le (Two Item (Var 1) (Var 2)) (Two Item (Var 1) (Var 3)))))"
    )
    with pytest.raises(NotExported, match="is no comparison"):
        condition(ast.parse("any(k > 0 for k in range(2))", mode="eval").body, [])
    assert tree_of(claim("n >= 1", COUNT, hypotheses=("all(k >= 0 for k in range(n))",)))


def test_what_has_no_meaning_in_the_assistant_has_no_tree() -> None:
    for formula in ("gamma(x) >= 0", "bessel_k(1, x) >= 0", "eigenvalues(ones(2))[0] > x"):
        with pytest.raises(NotExported, match="has no tree"):
            tree(formula, X)


def test_an_index_that_is_called_like_a_number_is_refused() -> None:
    captured = "sum(k for k in range(2)) + max(0, k-10**40)"
    with pytest.raises(BadClaim, match="'k' is an index and a number"):
        claim("sum(S for k in range(3)) <= 3", Real("k", 0), let=(("S", captured),))
    with pytest.raises(BadClaim, match=r"'k'. not defined"):
        claim("sum(k for k in range(2)) + k >= 0")
    with pytest.raises(BadFormula, match="k is an index and a number"):
        expand("sum(k for k in range(2)) + k >= 0", ())


X12 = Real("x", 1, 2)
ROOT = """
assert (E : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
pose proof (sqrt_pos 2). assert (1 <= sqrt 2 <= 2) by (split; nra).
assert (sqrt 2 ^ 2 = 2) by (simpl; lra).
"""
TURNED = "((1/x if x > 0 else 1/(x-5)))"
TO_THE_LEFT = "intros x H1 H2 [_ H]. lra."
ABSURD = "intros. exfalso. tauto."
PLANTS = {
    "a goal behind an arrow": (
        claim("0 < (x**2-2)**2 + (0/x if x > 0 else 0)", X12),
        TO_THE_LEFT,
        ROOT + "destruct (H (sqrt 2)) as [G _]; [lra|lra|]. replace (sqrt 2 ^ 2) with 2 in G. "
        "destruct (Rlt_dec 0 (sqrt 2)); [|lra]. unfold Rdiv in G. rewrite Rmult_0_l in G. lra.",
    ),
    "a hypothesis with a branch": (
        claim("0 < (x**2-2)**2", X12, hypotheses=(f"{TURNED} <= 5",)),
        ABSURD,
        ROOT + "specialize (H (sqrt 2)). replace (sqrt 2 ^ 2) with 2 in H. "
        "enough (0 < (2 - 2) ^ 2) by lra. apply H; try lra. destruct (Rlt_dec 0 (sqrt 2)); [|lra]. "
        "apply (Rmult_le_reg_r (sqrt 2)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.",
    ),
    "a hypothesis that seems absurd": (
        claim("n <= 10**60", COUNT, hypotheses=("(log(n) if n > 0 else sqrt(1-n)) >= 0",)),
        ABSURD,
        "specialize (H (IZR (10 ^ 60 + 1))). set (x := IZR (10 ^ 60 + 1)) in *. "
        "assert (G : IZR (10 ^ 60) < x) by (unfold x; apply IZR_lt; reflexivity). "
        "enough (x <= IZR (10 ^ 60)) by lra. "
        "apply H; try lra; [now exists (10 ^ 60 + 1)%Z|]. destruct (Rlt_dec 0 x); [|lra]. "
        "apply Rle_ge. rewrite <- ln_1. apply ln_monotone; lra.",
    ),
    "the bound of a parameter": (
        claim("0 < (x**2-2)**2", X12, Real("y", TURNED)),
        ABSURD,
        ROOT + "specialize (H (sqrt 2) "
        "(if Rlt_dec 0 (sqrt 2) then 1 / sqrt 2 else 1 / (sqrt 2 - 5))). "
        "replace (sqrt 2 ^ 2) with 2 in H. enough (0 < (2 - 2) ^ 2) by lra. apply H; lra.",
    ),
    "a branch without a value": (
        claim("x >= 0", Real("x", -1, 1), hypotheses=("(sqrt(x) if x >= 0 else 7) <= 9",)),
        "intros. lra.",
        "specialize (H (- 1 / 2)). enough (- 1 / 2 >= 0) by lra. apply H; try lra. "
        "destruct (Rle_dec 0 (- 1 / 2)); lra.",
    ),
}


@pytest.fixture(scope="module")
def theories(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("theories")
    runner.compiled_theories(folder, runner.SCALAR)
    return folder


def judged(folder: Path, planted: Claim, script: str) -> tuple[str, ...]:
    """All that the runner does for one claim, in a folder with the compiled theories."""
    theorems = runner.compiled_claims(
        folder, {"planted": statement_of(planted)}, {"planted": script}
    )
    found = runner.bridged(folder, theorems, {"planted": tree_of(planted)})
    return kernel.axioms_of(folder, found, ["meant"])


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_a_plant_is_not_proved_and_its_tree_is_false(name: str, theories: Path) -> None:
    planted, script, refutation = PLANTS[name]
    with pytest.raises(ProverFailed):
        judged(theories, planted, script)
    found = runner.refuted(theories, {"planted": tree_of(planted)}, {"planted": refutation})
    assert kernel.axioms_of(theories, found, ["refuted"])


@needs_coq
@pytest.mark.slow
def test_a_theorem_that_says_something_else_gives_no_tree(theories: Path) -> None:
    """Where the readable text is wrong, as it was without parentheses, the kernel refuses it."""
    planted, script, _ = PLANTS["a goal behind an arrow"]
    said = statement_of(planted)
    wrong = said.replace("((x > 0) -> x <> 0)", "(x > 0) -> x <> 0")
    assert wrong != said
    theorems = runner.compiled_claims(theories, {"planted": wrong}, {"planted": script})
    with pytest.raises(ProverFailed, match="does not say what the tree of its claim means"):
        runner.bridged(theories, theorems, {"planted": tree_of(planted)})


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", ["tv-reset-lag", "theorem-2-I-b-middle"])
def test_theorems_that_once_said_nothing_say_what_their_claims_mean(name, theories) -> None:
    honest = {**ALL, **opened(["docs/ledgers/bogunovic2016"]).known}[name]
    script = honest.proof
    assert judged(theories, honest, script)
    for false in ("1 <= 0", honest.formula.replace("<=", ">")):
        with pytest.raises(ProverFailed):
            judged(theories, replace(honest, formula=false), script)


DEFINED = """From Coq Require Import Reals.
Open Scope R_scope.
Definition gain (x : R) : R := x + 1.
"""
STATED = """From Coq Require Import Reals Lra.
From CTV Require Import definitions.
Open Scope R_scope.
{0}
Theorem one : forall x : R, 0 <= x -> {1}.
Proof. {2} Qed.
"""
AT = """From Coq Require Import Reals Lra.
From CTV Require Import definitions statements.
Open Scope R_scope.
Theorem one' : 0 <= gain 0. Proof. unfold gain. lra. Qed.
Lemma met : 0 <= 0. Proof. lra. Qed.
Definition at_one := {0}.
"""
ONE = "0 <= gain x"
PROOF = "unfold gain; intros; lra."
HONEST = ("", ONE, PROOF), "one 0 met"
PRINTED = {
    "an honest theorem": (*HONEST, "forall x : R, 0 <= x -> 0 <= gain x"),
    "a notation": (
        ('Notation "a <= b" := (a <= b + 5) : R_scope.', "gain x <= x", PROOF),
        "one 0 ltac:(lra)",
        "forall x : R, 0 <= x + 5 -> gain x <= x + 5",
    ),
    "a notation that prints": (
        (
            "Notation \"'gain' x <= 'gain' y\" := (0 <= x + y) (at level 70, only printing, "
            "x at level 9, y at level 9) : R_scope.",
            "0 <= x + x",
            "intros; lra.",
        ),
        "one 0 met",
        "forall x : R, 0 <= x -> 0 <= x + x",
    ),
    "an abbreviation": (
        ("Notation zero := 0.", "0 <= gain zero", PROOF),
        "one 0 met",
        "forall x : R, 0 <= x -> 0 <= gain 0",
    ),
    "a coercion": (
        (
            "Definition more (n : nat) : R := INR n + 1. Coercion more : nat >-> R.",
            "(O : R) <= gain 0",
            "unfold more, gain; simpl; intros; lra.",
        ),
        "one 0 met",
        None,
    ),
    "a word of its own": (
        ("Definition gain (x : R) : R := 1.", "0 <= gain x", PROOF),
        "one 0 met",
        None,
    ),
    "an instance by another theorem": (HONEST[0], "one'", None),
    "an instance that waits": (HONEST[0], "one 0", None),
}


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", PRINTED)
def test_what_is_printed_of_a_theorem_is_what_it_says(
    name, theories, tmp_path, monkeypatch
) -> None:
    """Whatever a theory does to printing: the words are read again and meet the theorem."""
    (notation, said, proof), instance, printed = PRINTED[name]
    for path in theories.rglob("*.v*"):
        if path.stem in ("meaning", "scalar"):
            (tmp_path / path.parent.name).mkdir(exist_ok=True)
            shutil.copy(path, tmp_path / path.parent.name)
    for module, text in (
        ("library", ""),
        ("vectors", ""),
        ("outcomes", ""),
        ("definitions", DEFINED),
        ("statements", STATED.format(notation, said, proof)),
        ("instances", AT.format(instance)),
    ):
        (tmp_path / f"{module}.v").write_text(text, encoding="utf-8")
        kernel.coqc(tmp_path, module)
    try:
        found = runner._with_theories(tmp_path, runner.Accepted({}, {}, {}, {}, {}, {}, ()))
    except ProverFailed:
        assert printed is None
        return
    assert printed is not None
    assert " ".join(found.stated["one"].statement.split()) == f"one : {printed}"


VALUED = {
    "0**0 == 1": "lra",
    "2**(-1) == 1/2": "lra",
    "(-2)**3 == -8": "lra",
    "1/3 + 1/6 == 1/2": "lra",
    "sum(k**2 for k in range(1, 4)) == 14": "lra",
    "sum(1/k for k in range(5, 2)) == 0": "lra",
    "sum(sum(l*k for l in range(k)) for k in range(4)) == 11": "lra",
    "(5 if 0 < 1 else 1/0) == 5": "rewrite yes by lra; repeat split; intros; lra",
    "(1/0 if 0 != 0 else 5) == 5": "rewrite yes by lra; repeat split; intros; lra",
    "det([[1, 2], [3, 4]]) == -2": "lra",
    "det([[1, 2, 3], [4, 5, 6], [7, 8, 10]]) == -3": "lra",
    "floor(-1/2) == -1": "rewrite (floor_is _ (-1)) by (cbn; lra); repeat split; lra",
    "0**(1/3) == 0": "rewrite power_of_zero by lra; split; [lra | right; left; lra]",
    "min(3, 1, 2) == 1": "unfold Rmin; repeat destruct Rle_dec; lra",
    "sqrt(0) == 0": "rewrite sqrt_0; lra",
    "normal_cdf(0) == 1/2": "rewrite normal_cdf_0; lra",
}
HALF = "assert (N : forall k, IZR k * {0} <> 1) by (intros k E; rewrite <- mult_IZR in E; apply eq_IZR in E; lia)"  # noqa: E501
WITHOUT = {
    "1/0": "lra",
    "log(0)": "lra",
    "sqrt(-1)": "lra",
    "0**(-1)": "lra",
    "0*(1/0)": "lra",
    "sum(1/k for k in range(2))": "lra",
    "(5 if 1 < 0 else 1/0)": "match goal with K : ~ _ -> _ |- _ => apply K; lra end",
    "det([[1, 2], [3]])": "lra",
    "(1/0)**0": "lra",
    "(-8)**(1/3)": HALF.format(3) + "; match goal with K : _ \\/ _ |- _ => destruct K as "
    "[K|[[K _]|[[k K] _]]]; [lra|lra|apply (N k); lra] end",
    "sum(1 for k in range(1/2))": HALF.format(2) + "; match goal with K : whole (1 / 2) |- _ => "
    "destruct K as [k K]; apply (N k); lra end",
}


LARGEST = "unfold Rmax, Rmin; repeat destruct Rle_dec; lra"
OF_LISTS = {
    "[1, 2][1] == 2": "lra",
    "sum([1, 2, 4]) == 7": "cbn; lra",
    "len([1, 2, 4]) == 3": "cbn; lra",
    "len([]) == 0": "cbn; lra",
    "prod([k for k in range(1, 4)]) == 6": "cbn; lra",
    "prod(k for k in range(3, 1)) == 1": "cbn; lra",
    "max([3, 1, 4][k] for k in range(3)) == 4": "unfold largest; cbn; " + LARGEST,
    "min(k**2 for k in range(1, 3)) == 1": "unfold smallest; cbn; " + LARGEST,
    "det(identity(2)) == 1": "cbn; lra",
    "det(add(identity(2), scale(3, ones(2)))) == 7": "cbn; lra",
    "trace([[j + 2*k for k in range(3)] for j in range(3)]) == 9": "cbn; lra",
    "transpose([[j + 2*k for k in range(2)] for j in range(3)])[1][2] == 4": "cbn; lra",
    "matmul(ones(2), [[j + 2*k for k in range(2)] for j in range(2)])[0][1] == 5": "cbn; lra",
    "hadamard(ones(2), diagonal([k for k in range(2)]))[1][1] == 1": "cbn; lra",
    "outer([k for k in range(2)], [k+1 for k in range(3)])[1][2] == 3": "cbn; lra",
    "block([[j + 3*k for k in range(3)] for j in range(3)], 1, 3)[0][1] == 7": "cbn; lra",
    "det([[k for k in range(0)] for j in range(0)]) == 1": "cbn; lra",
}
# Places beyond an end, shapes that do not fit, negative sizes, nothing to choose from.
LISTS_WITHOUT = (
    "[1, 2][2]",
    "[1, 2][0-1]",
    "identity(-3)[0][0]",
    "max([k for k in range(0)])",
    "min(k for k in range(3, 1))",
    "trace([[1, 2]])",
    "det([[k for k in range(2)], [1]])",
    "det([ones(2)[0]])",
    "transpose([[1, 2], [3]])[0][0]",
    "add(ones(2), ones(3))[0][0]",
    "hadamard(ones(2), ones(3))[0][0]",
    "matmul(ones(2), ones(3))[0][0]",
    "block(ones(3), -1, 2)[0][0]",
    "block(ones(3), 2, 1)[0][0]",
    "block(ones(3), 1, 4)[0][0]",
    "block([[1, 2]], 0, 1)[0][0]",
    "ones(2)[0][2]",
    "ones(2)[2][0]",
    "1 + 0*[1][1]",
    "scale(2, [[1], [2, 3]])[0][0]",
    "[1/0, 2][1]",
    "[1/k for k in range(2)][1]",
)


@needs_coq
@pytest.mark.slow
def test_a_tree_means_what_the_page_says(theories: Path) -> None:
    """Values and places without one; a definition that is not used owes nothing."""
    text = [runner.HEAD, runner.MEANT, "From Coq Require Import Lia.\n"]
    direct = "Proof. apply to_means; [reflexivity|]; spoken. "
    for formula, tactic in VALUED.items():
        text.append(f"Goal means {tree(formula)}. {direct}{tactic}. Qed.\n")
    for term, tactic in WITHOUT.items():
        for formula in (f"{term} <= 0", f"{term} > 0", f"{term} != {term}"):
            text.append(
                f"Goal ~ means {tree(formula)}. Proof. intros H; "
                f"apply of_means in H; [|reflexivity]; revert H; "
                f"spoken; intros H; decompose [and] H; {tactic}. Qed.\n"
            )
    for formula, tactic in OF_LISTS.items():
        text.append(f"Goal means {tree(formula)}. Proof. walked. {tactic}. Qed.\n")
    for term in LISTS_WITHOUT:
        for formula in (f"{term} <= 0", f"0 < {term}"):
            text.append(f"Goal ~ means {tree(formula)}. Proof. nothing. Qed.\n")
    for low, high, holds in ((0, 3, True), (0, 4, False), (2, 1, True)):
        every = f"(Holds (All (Num {low}) (Num {high}) (Is Lt (Var 0) (Num 3))))"
        if holds:
            text.append(
                f"Goal means {every}. Proof. split; [reflexivity|]. exists {low}%Z, {high}%Z. "
                "split; [reflexivity|]. split; [reflexivity|]. intros k K. exists (IZR k), 3. "
                "split; [reflexivity|]. split; [reflexivity|]. apply IZR_lt. lia. Qed.\n"
            )
        else:
            text.append(
                f"Goal ~ means {every}. Proof. intros [_ (i & j & I & J & K)]. "
                "injection I as I. injection J as J. apply eq_IZR in I, J. subst. "
                "destruct (K 3%Z ltac:(lia)) as (x & y & X & Y & C). "
                "injection X as <-. injection Y as <-. simpl in C. lra. Qed.\n"
            )
    text.append(
        "Goal ~ means (Holds (All (Num 0) (Bin Div (Num 1) (Num 0)) (Is Le (Num 0) (Num 1)))). "
        "Proof. intros [_ (i & j & _ & J & _)]. computed J. discriminate J. Qed.\n"
    )
    unused = tree("0 <= 1", let=(("S", "1/0"),))
    outside = tree("x >= 7", Real("x", 1, 2), hypotheses=("1/(x-x) > 0",))
    text.append(f"Goal means {unused}. {direct}lra. Qed.\n")
    text.append(f"Goal means {outside}. {direct}intros; exfalso; lra. Qed.\n")
    text.append(
        "Goal ~ means (Suppose (Is Le (Var 7) (Num 0)) (Holds (Is Le (Num 1) (Num 0)))). "
        "Proof. intros [H _]. discriminate. Qed.\n"
    )
    (theories / "values.v").write_text("".join(text), encoding="utf-8")
    kernel.coqc(theories, "values")
