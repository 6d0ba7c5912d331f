"""The definitions of the proof assistant and the functions of the library give the same numbers.

Each number of the library is put into a statement about a definition on rational data, which the
assistant must prove by computing.
"""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bounds.arithmetic import DOUBLES
from bounds.formulas import phi
from bounds.kernels import Forgetting
from bounds.partitions.uniformity import uniformity
from bounds.regret.ingredients.full_information import variance_left
from bounds.static_gain.information import sequential_gains
from bounds.times import EvaluationTimes
from proofs_check.prover import kernel, runner
from tests.proofs_check.planted import needs_coq

pytestmark = [pytest.mark.slow, needs_coq]
HEAD = """From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
From CTV Require Import definitions sums.
Import GRing.Theory.
Open Scope R_scope.
Lemma det2 (A : nat -> nat -> R) : det 2 A = A O O * A 1%nat 1%nat - A O 1%nat * A 1%nat O.
Proof.
rewrite /det (expand_det_row _ ord0) !big_ord_recl big_ord0 /cofactor !det_mx11 !mxE /=.
rewrite addr0 expr0 expr1 mul1r mulN1r; change (A O O * A 1%nat 1%nat + A O 1%nat * - A 1%nat O =
  A O O * A 1%nat 1%nat - A O 1%nat * A 1%nat O); ring.
Qed.
(* y solves A y = b: so b A^-1 b = b y *)
Lemma solved (A : nat -> nat -> R) (b y : nat -> R) : det 2 A <> 0 ->
  A O O * y O + A O 1%nat * y 1%nat = b O -> A 1%nat O * y O + A 1%nat 1%nat * y 1%nat = b 1%nat ->
  inverse_form 2 A b = b O * y O + b 1%nat * y 1%nat.
Proof.
move=> d0 h0 h1; rewrite /inverse_form.
set M := (\\matrix_(i < 2, j < 2) A i j)%ring.
have uM : (M \\in unitmx)%ring by rewrite unitmxE unitfE; apply/eqP.
have e : (\\col_(j < 2) b j = M *m \\col_(j < 2) y j)%ring.
  apply/matrixP => i j; rewrite !mxE !big_ord_recl big_ord0 !mxE addr0.
  by case: i => [[|[|i]] hi].
by rewrite e mulmxA mulmxKV // mxE !big_ord_recl big_ord0 !mxE addr0.
Qed.
Lemma variance2 s A : variance s 2 A =
  A 2%nat 2%nat - s * inverse_form 2 (fun i j => identity i j + s * A i j) (fun i => A i 2%nat).
Proof.
rewrite /variance /inverse_form; congr (_ - s * _).
have -> : (1%:M + s *: \\matrix_(i < 2, j < 2) A i j =
  \\matrix_(i < 2, j < 2) (identity i j + s * A i j)%R)%ring.
  apply/matrixP => i j; rewrite !mxE /identity; congr (_ + _)%ring.
  by case: i => [[|[|i]] hi] //; case: j => [[|[|j]] hj].
by [].
Qed.
"""


def real(value: Fraction | float) -> str:
    number = Fraction(value)
    return f"({number.numerator} / {number.denominator})"


def listed(numbers: list[Fraction]) -> str:
    """A sequence as a function of its index."""
    text = "0"
    for place in range(len(numbers) - 1, -1, -1):
        text = f"(if Nat.eqb i {place} then {real(numbers[place])} else {text})"
    return f"(fun i : nat => {text})"


def matrix(rows: list[list[Fraction]]) -> str:
    """A matrix as a function of two indices."""
    text = "0"
    for i, row in reversed(list(enumerate(rows))):
        text = f"(if Nat.eqb i {i} then {listed(row)} j else {text})"
    return f"(fun i j : nat => {text})"


def near(term: str, value: float, tactic: str) -> str:
    number = real(Fraction(value).limit_denominator(10**12))
    return (
        f"Goal Rabs ({term} - {number}) <= 1 / 10 ^ 9.\nProof. rewrite {tactic}; interval. Qed.\n"
    )


def solved(first: str, rows: list[list[Fraction]], side: list[Fraction]) -> str:
    """The tactic that inserts the solution of two linear equations, found by Cramer."""
    (a, b), (c, d) = rows
    by = a * d - b * c
    solution = [(side[0] * d - b * side[1]) / by, (a * side[1] - side[0] * c) / by]
    found = f"{first} (solved _ _ {listed(solution)}) ?det2 /identity /="
    return f"{found}; try lra; try (apply: Rgt_not_eq; lra)"


def variances(rng: np.random.Generator) -> str:
    """The posterior variance of a third round, and what two looks leave of a third instant.

    The library has them from a Cholesky factor and from the Markov recursion.
    """
    roots = [[Fraction(int(k), 4) for k in row] for row in rng.integers(1, 5, (3, 3))]
    K = [
        [sum((a * b for a, b in zip(r, q, strict=True)), Fraction(0)) for q in roots] for r in roots
    ]
    s = Fraction(int(rng.integers(1, 9)), 4)
    gains = sequential_gains(np.array(K, dtype=float), float(1 / s))
    inner = [[s * K[i][j] + (i == j) for j in range(2)] for i in range(2)]
    value = float(np.expm1(2 * gains[2]) / float(s))
    text = near(
        f"variance {real(s)} 2 {matrix(K)}", value, solved("variance2", inner, [K[0][2], K[1][2]])
    )
    gaps = [Fraction(int(k)) for k in rng.integers(1, 4, 3)]
    at = [sum(gaps[: k + 1], Fraction(0)) for k in range(3)]
    J = [[Fraction(1, 2) ** int(abs(a - b)) for b in at] for a in at]
    noise = Fraction(int(rng.integers(1, 9)), 4)
    times = EvaluationTimes.from_durations([float(gap) for gap in gaps])
    left = float(variance_left(times, Forgetting(0.75), float(noise)).shares[2])
    seen = [[J[i][j] + noise * (i == j) for j in range(2)] for i in range(2)]
    cross = [J[0][2], J[1][2]]
    looks = f"inverse_form 2 {matrix(seen)} {listed(cross)}"
    return text + near(looks, 1 - left, solved("", seen, cross))


def test_definitions_are_those_of_the_library(tmp_path: Path) -> None:
    rng = np.random.default_rng(16)
    text = HEAD
    for _ in range(3):
        gaps = [Fraction(int(k), 4) for k in rng.integers(0, 9, 4)]
        times = [sum(gaps[: k + 1], Fraction(0)) for k in range(4)]
        cap = Fraction(int(rng.integers(1, 30)), 4)
        found = uniformity(EvaluationTimes.from_times([float(t) for t in times]), float(cap))
        text += f"Goal uniformity {real(cap)} {listed(times)} 0 4 = {real(found)}.\n"
        text += (
            "Proof. rewrite /uniformity /=; unfold Rmin; repeat (destruct Rle_dec; try lra). Qed.\n"
        )
    for _ in range(3):
        a, b, s = (Fraction(int(k), 8) for k in rng.integers(1, 8, 3))
        K = np.array([[1.0, float(b * a)], [float(b * a), float(a)]])
        gain = 0.5 * float(np.linalg.slogdet(np.eye(2) + float(s) * K)[1])
        beside = f"if Nat.eqb (Nat.add i j) 1 then {real(a * b)} else {real(a)}"
        entries = f"(fun i j => if Nat.eqb (Nat.add i j) 0 then 1 else {beside})"
        text += near(f"gain {real(s)} 2 {entries}", gain, "/gain det2 /identity /=")
    x = Fraction(int(rng.integers(9, 30)), 8)
    number = float(x)
    decayed = Forgetting(0.1).at_distance(np.array(abs(1 - number)))
    text += near(f"forgetting (- ln (9 / 10) / 2) 1 {real(x)}", float(decayed), "/forgetting")
    text += near("share (1 / 10) 4", 0.1 / (np.pi**2 * 25 / 6), "/share /=")
    text += near(f"psi {real(x)}", np.log(number) + 1 / number - 1, "/psi")
    text += "Goal phi 0 = 0.\nProof. rewrite /phi; case: Rle_dec => h /=; lra. Qed.\n"
    for argument, side in ((Fraction(1, 2), "left"), (x, "right")):
        value = float(phi(DOUBLES, float(argument)))
        text += near(
            f"phi {real(argument)}",
            value,
            f"/phi; case: Rle_dec => [h|_] /=; [lra|]; rewrite Rmin_{side}; [|interval]",
        )
    text += variances(rng)
    runner.compiled_theories(tmp_path, ("library", "definitions", "sums"))
    (tmp_path / "compared.v").write_text(text, encoding="utf-8")
    kernel.coqc(tmp_path, "compared")
    (tmp_path / "wrong.v").write_text(text.replace("Goal ", "Goal 1 + ", 1), encoding="utf-8")
    with pytest.raises(kernel.ProverFailed):
        kernel.coqc(tmp_path, "wrong")
