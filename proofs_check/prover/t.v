(* The uniformity of evaluation times: sums by lags, Lemma 1 and Lemma 2 for every size. *)
From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums.
Open Scope R_scope.
Ltac lian := change addn with Nat.add in *; change subn with Nat.sub in *; lia.

Lemma sum_last n f : sum (S n) f = sum n f + f n.
Proof. by []. Qed.

Lemma row_by_lags n (g : nat -> R) : sum n (fun k => g (Nat.sub n k)) = sum n (fun l => g (S l)).
Proof.
elim: n => // n IH; rewrite sum_S [RHS]/= -IH Rplus_comm; congr (_ + _).
Qed.

(* every lag l > 0 occurs in 2 (n - l) ordered pairs *)
Lemma sum_by_lags_step n (g : nat -> R) (f : nat -> nat -> R) :
  (forall j k, f j k = g (Nat.sub j k + Nat.sub k j)%coq_nat) ->
  sum (S n) (fun j => sum (S n) (fun k => f j k)) =
  sum n (fun j => sum n (fun k => f j k)) + g O + 2 * sum n (fun l => g (S l)).
Proof.
move=> fE; rewrite /= sum_plus.
have -> : sum n (fun j => f j n) = sum n (fun l => g (S l)).
  rewrite -row_by_lags; apply: sum_ext => i hi; rewrite fE; congr g; lian.
have -> : sum n (fun k => f n k) = sum n (fun l => g (S l)).
  rewrite -row_by_lags; apply: sum_ext => i hi; rewrite fE; congr g; lian.
have -> : f n n = g O by rewrite fE; congr g; lian.
lra.
Qed.

Lemma sum_by_lags n (g : nat -> R) :
  sum n (fun j => sum n (fun k => g (Nat.sub j k + Nat.sub k j)%coq_nat)) =
  INR n * g O + 2 * sum n (fun l => (INR n - INR (S l)) * g (S l)).
Proof.
elim: n => [|n IH]; first by rewrite /=; lra.
rewrite (sum_by_lags_step n g (fun j k => g (Nat.sub j k + Nat.sub k j)%coq_nat)) // IH.
have -> : sum n.+1 (fun l => (INR n.+1 - INR l.+1) * g l.+1) =
  sum n (fun l => (INR n - INR l.+1) * g l.+1) + sum n (fun l => g l.+1).
  transitivity (sum n (fun l => (INR n.+1 - INR l.+1) * g l.+1) + (INR n.+1 - INR n.+1) * g n.+1) => //.
  rewrite Rminus_eq_0 Rmult_0_l Rplus_0_r -sum_plus; apply: sum_ext => l _.
  by rewrite (S_INR n); ring.
by rewrite (S_INR n); lra.
Qed.

Lemma lag_sq j k : (INR j - INR k) ^ 2 = INR (Nat.sub j k + Nat.sub k j)%coq_nat ^ 2.
Proof.
have [l|l] : (j <= k)%coq_nat \/ (k <= j)%coq_nat by lia.
  have -> : (Nat.sub j k + Nat.sub k j)%coq_nat = Nat.sub k j by lia.
  by rewrite minus_INR //; ring.
have -> : (Nat.sub j k + Nat.sub k j)%coq_nat = Nat.sub j k by lia.
by rewrite minus_INR.
Qed.

(* capped squares of lags, in units of the step *)
Definition capped (x : R) (i : nat) : R :=
  sum i (fun j => sum i (fun k => Rmin (x ^ 2) ((INR j - INR k) ^ 2))).

Lemma capped_step x i : 0 <= x -> capped x (S i) = capped x i + 2 * sum i (fun l => Rmin (x ^ 2) (INR (S l) ^ 2)).
Proof.
move=> x0; rewrite /capped.
rewrite (sum_by_lags_step i (fun l => Rmin (x ^ 2) (INR l ^ 2))); last by move=> j k; rewrite lag_sq.
by rewrite /= Rmin_right; nra.
Qed.

Lemma row_small x i : INR i <= x ->
  sum i (fun l => Rmin (x ^ 2) (INR (S l) ^ 2)) = INR i * (INR i + 1) * (2 * INR i + 1) / 6.
Proof.
elim: i => [|i IH] h; first by rewrite /=; field.
rewrite sum_last IH; last by move: h; rewrite S_INR; lra.
have := pos_INR i => i0.
rewrite Rmin_right !S_INR; first by field.
by move: h; rewrite S_INR => h; nra.
Qed.

Lemma row_large x K p : INR K <= x -> x <= INR K + 1 ->
  sum (K + p)%coq_nat (fun l => Rmin (x ^ 2) (INR (S l) ^ 2)) =
  INR K * (INR K + 1) * (2 * INR K + 1) / 6 + INR p * x ^ 2.
Proof.
move=> h1 h2; elim: p => [|p IH]; first by rewrite Nat.add_0_r row_small //= ; lra.
rewrite Nat.add_succ_r sum_last IH.
have := pos_INR K => k0; have := pos_INR p => p0.
rewrite Rmin_left; first by rewrite S_INR; ring.
rewrite S_INR plus_INR; nra.
Qed.

Lemma capped_small x i : INR i <= x + 1 -> 0 <= x -> capped x i = INR i ^ 2 * (INR i ^ 2 - 1) / 6.
Proof.
elim: i => [|i IH] h x0; first by rewrite /capped /=; field.
rewrite capped_step // IH; last by []; last by move: h; rewrite S_INR; lra.
rewrite row_small; first by rewrite S_INR; field.
by move: h; rewrite S_INR; lra.
Qed.

Lemma capped_large x K p : INR K <= x -> x <= INR K + 1 ->
  capped x (K + 1 + p)%nat =
  INR (K + 1 + p)%nat * INR K * (INR K + 1) * (2 * INR K + 1) / 3 - INR K ^ 2 * (INR K + 1) ^ 2 / 2 +
  x ^ 2 * INR p * (INR p + 1).
Proof.
move=> h1 h2; have k0 := pos_INR K.
elim: p => [|p IH].
  have e : INR (K + 1 + 0) = INR K + 1 by rewrite addn0 addn1 S_INR.
 rewrite capped_small. Set Printing All. Show.
