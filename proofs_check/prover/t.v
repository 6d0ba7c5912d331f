(* Lemma M: the mean pair sum of a block grows when a neighbour joins; exactness of pruning. *)
From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums.
Open Scope R_scope.
Ltac lian := change addn with Nat.add in *; change subn with Nat.sub in *; lia.

Section LemmaM.
Variables (D : R -> R) (tau : nat -> R) (d a b : nat).
Hypotheses (D0 : forall u, 0 <= D u) (Dm : forall u v, 0 <= u -> u <= v -> D u <= D v)
  (so : forall i j, (i <= j)%coq_nat -> (j < (a + b)%coq_nat)%coq_nat -> tau (d + i)%coq_nat <= tau (d + j)%coq_nat).

Let P j k := D (Rabs (tau (d + j)%coq_nat - tau (d + k)%coq_nat)).

Lemma pair_sym j k : P j k = P k j.
Proof. by rewrite /P Rabs_minus_sym. Qed.

Lemma pair_mono i j k l : (i <= j)%coq_nat -> (j <= k)%coq_nat -> (k <= l)%coq_nat -> (l < (a + b)%coq_nat)%coq_nat ->
  P j k <= P i l.
Proof.
move=> h1 h2 h3 hl; have s1 := so i j h1 ltac:(lian); have s2 := so j k h2 ltac:(lian); have s3 := so k l h3 ltac:(lian).
by apply: Dm; [exact: Rabs_pos | rewrite !Rabs_left1; lra].
Qed.

Lemma pair_split : pair_sum D tau d (a + b)%coq_nat =
  pair_sum D tau d a + 2 * sum a (fun j => sum b (fun k => P j (a + k)%coq_nat)) + pair_sum D tau (d + a)%coq_nat b.
Proof.
rewrite /pair_sum sum_add.
rewrite (sum_ext a _ (fun j => sum a (fun k => P j k) + sum b (fun k => P j (a + k)%coq_nat))); last by move=> j _; rewrite sum_add.
rewrite (sum_ext b _ (fun j => sum a (fun k => P k (a + j)%coq_nat) + sum b (fun k => P (a + j)%coq_nat (a + k)%coq_nat))); last first.
  by move=> j _; rewrite sum_add; congr (_ + _); apply: sum_ext => k _; rewrite [RHS]pair_sym.
rewrite !sum_plus (sum_swap b a).
have -> : sum b (fun i => sum b (fun k => P (a + i)%coq_nat (a + k)%coq_nat)) =
  sum b (fun j => sum b (fun k => D (Rabs (tau (d + a + j)%coq_nat - tau (d + a + k)%coq_nat)))).
  apply: sum_ext => j _; apply: sum_ext => k _; rewrite /P.
  by congr (D (Rabs (tau _ - tau _))); lian.
rewrite /P; cbv beta. Show.
