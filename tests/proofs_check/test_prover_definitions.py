"""The definitions of the proof assistant and the functions of the library give the same numbers.

Each number of the library is put into a statement about a definition on rational data, which the
assistant must prove by computing.
"""

import shutil
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from bounds.kernels import Forgetting
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
    number = real(Fraction(value).limit_denominator(10**12))
    return (
        f"Goal Rabs ({term} - {number}) <= 1 / 10 ^ 9.\nProof. rewrite {tactic}; interval. Qed.\n"
    )


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
    runner.compiled_theories(tmp_path, ("definitions", "sums"))
    (tmp_path / "compared.v").write_text(text, encoding="utf-8")
    kernel.coqc(tmp_path, "compared")
    (tmp_path / "wrong.v").write_text(text.replace("Goal ", "Goal 1 + ", 1), encoding="utf-8")
    with pytest.raises(kernel.ProverFailed):
        kernel.coqc(tmp_path, "wrong")
