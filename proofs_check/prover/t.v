(* Gains over the reals: from determinants of matrices to sums of logarithms. *)
From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums.
Import Order.TTheory GRing.Theory Num.Theory.
Open Scope R_scope.

Definition mx (n : nat) (A : nat -> nat -> R) : 'M[R]_n := (\matrix_(i < n, j < n) A i j)%ring.
Goal forall m n, (m <= n)%coq_nat -> n = (m + Nat.sub n m)%coq_nat.
move=> m n h. Set Printing All. Show. Fail lia. Fail (rewrite /Nat.sub; lia).
Fail (clear -h; lia).
