"""The definitions of the proof assistant and the functions of the library give the same numbers.

Each number of the library is put into a statement about a definition on rational data, which the
assistant must prove by computing.
"""

import shutil
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bounds.partitions.uniformity import uniformity
from bounds.times import EvaluationTimes
from proofs_check.prover import kernel, runner

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("coqc") is None, reason="the proof assistant is absent"),
]
HEAD = """From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
From CTV Require Import definitions sums.
Import GRing.Theory.
Open Scope R_scope.
Ltac least := repeat (rewrite Rmin_left; [|lra]) || (rewrite Rmin_right; [|lra]).
Lemma det2 (A : nat -> nat -> R) : det 2 A = A O O * A 1%nat 1%nat - A O 1%nat * A 1%nat O.
Proof.
rewrite /det (expand_det_row _ ord0) !big_ord_recl big_ord0 /cofactor !det_mx11 !mxE /=.
rewrite addr0 expr0 expr1 mul1r mulN1r; change (A O O * A 1%nat 1%nat + A O 1%nat * - A 1%nat O =
  A O O * A 1%nat 1%nat - A O 1%nat * A 1%nat O); ring.
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


def near(term: str, value: float, tactic: str) -> str:
    return (f"Goal Rabs ({term} - {real(Fraction(value).limit_denominator(10**12))}) <= 1 / 10 ^ 9.\n"
            f"Proof. {tactic} Qed.\n")  # fmt: skip


def test_definitions_are_those_of_the_library(tmp_path: Path) -> None:
    rng = np.random.default_rng(16)
    text = HEAD
    for _ in range(3):
        gaps = [Fraction(int(k), 4) for k in rng.integers(0, 9, 4)]
        times = [sum(gaps[: k + 1], Fraction(0)) for k in range(4)]
        cap = Fraction(int(rng.integers(1, 30)), 4)
        found = uniformity(EvaluationTimes.from_times([float(t) for t in times]), float(cap))
        text += (f"Goal uniformity {real(cap)} {listed(times)} 0 4 = {real(found)}.\n"
                 "Proof. rewrite /uniformity /=; unfold Rmin; repeat destruct Rle_dec; lra. Qed.\n")  # fmt: skip
    for _ in range(3):
        a, b, s = (Fraction(int(k), 8) for k in rng.integers(1, 8, 3))
        K = np.array([[1.0, float(b * a)], [float(b * a), float(a)]])
        gain = 0.5 * float(np.linalg.slogdet(np.eye(2) + float(s) * K)[1])
        entries = (f"(fun i j => if Nat.eqb (i + j) 0 then 1 else if Nat.eqb (i + j) 1 then "
                   f"{real(a * b)} else {real(a)})")  # fmt: skip
        text += near(
            f"gain {real(s)} 2 {entries}", gain, "rewrite /gain det2 /identity /=; interval."
        )
    x, eps = Fraction(int(rng.integers(9, 30)), 8), Fraction(1, 10)
    text += near(f"phi {real(x)}", min(float(x), float(np.log(float(x))) + 1 / float(x)),
                 "rewrite /phi; destruct Rle_dec; [lra|]; rewrite Rmin_right; interval.")  # fmt: skip
    rate = -float(np.log(1 - float(eps))) / 2
    text += near(f"forgetting (- ln (1 - {real(eps)}) / 2) 1 {real(x)}",
                 float(np.exp(-rate * abs(1 - float(x)))), "rewrite /forgetting; interval.")  # fmt: skip
    text += near("share (1 / 10) 4", 0.1 / (np.pi**2 * 25 / 6), "rewrite /share /=; interval.")
    text += near(f"psi {real(x)}", float(np.log(float(x))) + 1 / float(x) - 1,
                 "rewrite /psi; interval.")  # fmt: skip
    runner.compiled_theories(tmp_path, ("definitions", "sums"))
    (tmp_path / "compared.v").write_text(text, encoding="utf-8")
    kernel.coqc(tmp_path, "compared")
    wrong = text.replace("Goal uniformity", "Goal 1 + uniformity", 1)
    (tmp_path / "wrong.v").write_text(wrong, encoding="utf-8")
    with pytest.raises(kernel.ProverFailed):
        kernel.coqc(tmp_path, "wrong")
