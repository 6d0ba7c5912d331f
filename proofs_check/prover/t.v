(* The forgetting kernel is a kernel at all times; its slope. *)
From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains.
Open Scope R_scope.

Lemma semidefinite_ext n A B : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> A i j = B i j) ->
  semidefinite n A -> semidefinite n B.
Proof.
move=> e [sA pA]; split=> [i j hi hj|c]; first by rewrite -!e //; exact: sA.
rewrite (sum_ext n _ (fun i => sum n (fun j => c i * c j * A i j))) // => i hi.
by apply: sum_ext => j hj; rewrite e.
Qed.

Lemma semidefinite_outer n e : semidefinite n (fun i j => e i * e j).
Proof.
split=> [i j _ _|c]; first by ring.
have -> : sum n (fun i => sum n (fun j => c i * c j * (e i * e j))) = (sum n (fun i => c i * e i)) ^ 2.
  rewrite (sum_ext n _ (fun i => c i * e i * sum n (fun j => c j * e j))); first by rewrite sum_scalr; ring.
  by move=> i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
exact: pow2_ge_0.
Qed.

Lemma semidefinite_scal n a A : 0 <= a -> semidefinite n A -> semidefinite n (fun i j => a * A i j).
Proof.
move=> a0 [sA pA]; split=> [i j hi hj|c]; first by rewrite sA.
have -> : sum n (fun i => sum n (fun j => c i * c j * (a * A i j))) = a * sum n (fun i => sum n (fun j => c i * c j * A i j)).
  by rewrite -sum_scal; apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
exact: Rmult_le_pos.
Qed.

Fixpoint non_zero n (a : nat -> R) : nat :=
  match n with O => O | S m => Nat.add (non_zero m a) (if Req_EM_T (a m) 0 then O else S O) end.

Lemma non_zero_le n a b : (forall i, (i < n)%coq_nat -> a i = 0 -> b i = 0) -> (non_zero n b <= non_zero n a)%coq_nat.
Proof.
elim: n => //= n IH h; have := IH (fun i hi => h i ltac:(lia)); have := h n ltac:(lia).
case: (Req_EM_T (b n) 0) => [zb|nb]; case: (Req_EM_T (a n) 0) => [za|na] e l; try lia.
Show.
