(******************************************************************************)
(*                                 Theorem A                                  *)
(*                                                                            *)
(* The joint gain against the gain of space, for every partition and every    *)
(* choice of centres.                                                         *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gain_partition == the gain is at most the sum over the blocks of any     *)
(*       partition                                                            *)
(*   theorem_a == each block at gamma of its length and the drift from its    *)
(*       centre                                                               *)
(*   own_time == a round of the block as its centre                           *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior.          *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains posterior.
Open Scope R_scope.

Section Kernels.
Variables (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s : R).
Hypotheses (s0 : 0 <= s) (pk : kernel X k) (ph : kernel R h)
  (k1 : forall x, k x x <= 1) (h1 : forall t, h t t = 1).

Lemma semidefinite_joint n x tau : semidefinite n (joint X k h x tau).
Proof. by apply: semidefinite_hadamard; [exact: pk | exact: ph]. Qed.

Lemma time_sym t u : h t u = h u t.
Proof.
have [sy _] := ph 2%N (fun i => if Nat.eqb i 0 then t else u).
by apply: (sy O (S O)); apply/ssrnat.ltP.
Qed.

Lemma time_small t u : h t u ^ 2 <= 1.
Proof.
have [_ q] := ph 2%N (fun i => if Nat.eqb i 0 then t else u).
have := q (fun i => if Nat.eqb i 0 then 1 else - h t u).
by rewrite /= (time_sym u t) !h1; nra.
Qed.

Lemma time_le1 t u : h t u <= 1.
Proof. by have := time_small t u; nra. Qed.

Lemma block_gain x tau d m c :
  gain s m (shift2 d (joint X k h x tau)) <=
  gain s m (gram X k (fun i => x (d + i)%coq_nat)) +
  / 2 * sum m (fun j => ln (1 + s * (1 - h (tau (d + j)%coq_nat) c ^ 2))).
Proof.
pose t' i := if Nat.ltb i m then tau (d + i)%coq_nat else c.
have e i : (i < m)%coq_nat -> t' i = tau (d + i)%coq_nat.
  by move=> hi; rewrite /t'; have -> : Nat.ltb i m = true by apply/Nat.ltb_lt.
have ec : t' m = c by rewrite /t' Nat.ltb_irrefl.
have := gain_centre s m (gram X k (fun i => x (d + i)%coq_nat)) (fun i j => h (t' i) (t' j)) s0
  (pk m _) (fun i _ => k1 _) (ph _ _) (fun i _ => h1 _).
rewrite (gain_ext s m _ (shift2 d (joint X k h x tau))); last by move=> i j hi hj; rewrite !e.
by rewrite (sum_ext m _ (fun j => ln (1 + s * (1 - h (tau (d + j)%coq_nat) c ^ 2)))) // => i hi; rewrite e // ec.
Qed.

End Kernels.

(* any partition *)
Lemma over_blocks_le p q i d bs :
  (forall i d m, In m bs -> p i d m <= q i d m) -> over_blocks p i d bs <= over_blocks q i d bs.
Proof.
elim: bs i d => [|m bs IH] i d hyp /=; first by lra.
have h0 := hyp i d m ltac:(by left).
have := IH (S i) (d + m)%coq_nat (fun i d m hm => hyp i d m (or_intror hm)); lra.
Qed.

Lemma gain_partition s A price i d bs : 0 <= s -> (forall n, semidefinite n A) ->
  (forall i d m, In m bs -> gain s m (shift2 d A) <= price i d m) ->
  gain s (total bs) (shift2 d A) <= over_blocks price i d bs.
Proof.
move=> s0 pA; elim: bs i d => [|m bs IH] i d hyp /=; first by rewrite gain_0; lra.
have pd : semidefinite (m + total bs)%coq_nat (shift2 d A).
  by have := pA (d + (m + total bs))%coq_nat => /semidefinite_split [].
have f := gain_fischer s m (total bs) (shift2 d A) s0 pd.
have e : gain s (total bs) (shift2 m (shift2 d A)) = gain s (total bs) (shift2 (d + m)%coq_nat A).
  by apply: gain_ext => a b _ _; rewrite /shift2; congr A; lia.
have := IH (S i) (d + m)%coq_nat (fun i d m hm => hyp i d m (or_intror hm)).
have := hyp i d m ltac:(by left); lra.
Qed.

Lemma gain_shift0 s n A : gain s n (shift2 0 A) = gain s n A.
Proof. exact: gain_ext. Qed.

Theorem theorem_a X k h s gamma (blocks : list nat) x tau (c : nat -> R) :
  0 <= s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  bounds_space_gain X k s gamma ->
  gain s (total blocks) (joint X k h x tau) <=
  over_blocks (fun i d m =>
    gamma m + / 2 * sum m (fun j => ln (1 + s * (1 - h (tau (d + j)%coq_nat) (c i) ^ 2)))) 0 0 blocks.
Proof.
move=> s0 pk ph k1 h1 bg; rewrite -gain_shift0.
apply: gain_partition => //; first by move=> n; exact: semidefinite_joint.
move=> i d m _; have := block_gain X k h s s0 pk ph k1 h1 x tau d m (c i).
by have := bg m (fun i => x (d + i)%coq_nat); lra.
Qed.

(* an index below average *)
Lemma below_average n f : (0 < n)%coq_nat -> exists j, (j < n)%coq_nat /\ INR n * f j <= sum n f.
Proof.
move=> n0; have [j [hj hm]] : exists j, (j < n)%coq_nat /\ forall i, (i < n)%coq_nat -> f j <= f i.
  elim: n n0 => [|n IH] n1; first by lia.
  have [n0|n0] : n = O \/ (0 < n)%coq_nat by lia.
    by exists O; split=> [|i hi]; [lia | rewrite (_ : i = O); [lra | lia]].
  have [j [hj hm]] := IH n0.
  have [l|l] := Rle_lt_dec (f j) (f n).
    exists j; split=> [|i hi]; first lia.
    have [->|hi2] : i = n \/ (i < n)%coq_nat by lia.
      exact: l.
    exact: hm.
  exists n; split=> [|i hi]; first lia.
  have [->|hi'] : i = n \/ (i < n)%coq_nat by lia.
    lra.
  by have := hm i hi'; lra.
by exists j; split=> //; rewrite -sum_const; apply: sum_le.
Qed.

Lemma sum_identity n j : sum n (identity j) = if Nat.ltb j n then 1 else 0.
Proof.
elim: n => [|n IH] //=; rewrite IH /identity.
case: (Nat.ltb_spec j n); case: (Nat.eqb_spec j n); case: (Nat.ltb_spec j n.+1); try lra; lia.
Qed.

Lemma ln1_lower x : 0 <= x -> x / (1 + x) <= ln (1 + x).
Proof.
move=> x0; have := ln_le_sub (/ (1 + x)) ltac:(apply: Rinv_0_lt_compat; lra).
rewrite ln_Rinv; last lra.
have -> : / (1 + x) - 1 = - (x / (1 + x)) by field; lra.
lra.
Qed.

(* own times as centres: the average of the deficits *)
Lemma own_time m s (D : nat -> nat -> R) Q x : (0 < m)%coq_nat -> 0 <= s ->
  (forall i j, 0 <= D i j) -> (forall i, D i i = 0) ->
  sum m (fun j => sum m (fun i => D j i ^ 2)) <= Q -> x = s * sqrt (Q / INR m) ->
  exists j, (j < m)%coq_nat /\ sum m (fun i => ln (1 + 2 * s * D j i)) <= INR m * ln (1 + x).
Proof.
move=> m0 s0 D0 Dd hQ xE.
have [j [hj avg]] := below_average m (fun j => sum m (fun i => ln (1 + 2 * s * D j i))) m0.
exists j; split=> //.
set M := INR m in xE avg *; have M1 : 1 <= M by apply: (le_INR 1); lia.
set L := ln (1 + x).
have Q0 : 0 <= Q by apply: Rle_trans hQ; apply: sum_ge0 => i _; apply: sum_ge0 => l _; exact: pow2_ge_0.
have x0 : 0 <= x by rewrite xE; apply: Rmult_le_pos => //; exact: sqrt_pos.
pose S := sum m (fun j => sum m (fun i => D j i)).
have S0 : 0 <= S by apply: sum_ge0 => i _; exact: sum_ge0.
have rows i : (i < m)%coq_nat -> (sum m (fun l => D i l)) ^ 2 <= (M - 1) * sum m (fun l => D i l ^ 2).
  move=> hi; have := cauchy_schwarz m (fun l => 1 - identity i l) (fun l => D i l).
  rewrite (sum_ext m (fun l => (1 - identity i l) * D i l) (fun l => D i l)); last first.
    by move=> l _; rewrite /identity; case: Nat.eqb_spec => [->|_]; [rewrite Dd; ring | ring].
  rewrite (sum_ext m (fun l => (1 - identity i l) ^ 2) (fun l => 1 - identity i l)); last first.
    by move=> l _; rewrite /identity; case: Nat.eqb => //; ring.
  rewrite sum_minus sum_const sum_identity; have -> : Nat.ltb i m = true by apply/Nat.ltb_lt.
  by rewrite Rmult_1_r.
have S2 : S ^ 2 <= M * ((M - 1) * Q).
  apply: Rle_trans (cauchy_schwarz1 m _) _; apply: Rmult_le_compat_l; first exact: pos_INR.
  apply: Rle_trans (sum_le m _ _ rows) _; rewrite sum_scal.
  by apply: Rmult_le_compat_l; lra.
have x2 : M * x ^ 2 = s ^ 2 * Q.
  rewrite xE Rpow_mult_distr pow2_sqrt; first by field; lra.
  by apply: Rmult_le_pos => //; left; apply: Rinv_0_lt_compat; lra.
have key : 2 * s * S <= M ^ 2 * x.
  apply: Rsqr_incr_0_var; last by apply: Rmult_le_pos; nra.
  rewrite /Rsqr.
  have -> : M ^ 2 * x * (M ^ 2 * x) = M ^ 3 * (s ^ 2 * Q) by rewrite -x2; ring.
  have -> : 2 * s * S * (2 * s * S) = 4 * s ^ 2 * S ^ 2 by ring.
  apply: Rle_trans (_ : 4 * s ^ 2 * (M * ((M - 1) * Q)) <= _).
    by apply: Rmult_le_compat_l; nra.
  have -> : 4 * s ^ 2 * (M * ((M - 1) * Q)) = (4 * (M - 1)) * (M * (s ^ 2 * Q)) by ring.
  have -> : M ^ 3 * (s ^ 2 * Q) = M ^ 2 * (M * (s ^ 2 * Q)) by ring.
  apply: Rmult_le_compat_r; last by have := pow2_ge_0 (M - 2); rewrite /=; lra.
  by apply: Rmult_le_pos; [lra | apply: Rmult_le_pos => //; exact: pow2_ge_0].
have entry a b : ln (1 + 2 * s * D a b) <= (1 - identity a b) * (L - x / (1 + x)) + 2 * s / (1 + x) * D a b.
  rewrite /identity; case: Nat.eqb_spec => [->|_].
    by rewrite Dd !Rmult_0_r Rplus_0_r ln_1; lra.
  have p : 0 < 1 + 2 * s * D a b by have := Rmult_le_pos _ _ s0 (D0 a b); lra.
  have := ln_tangent _ (1 + x) p ltac:(lra); rewrite -/L.
  have -> : (1 + 2 * s * D a b - (1 + x)) / (1 + x) = 2 * s / (1 + x) * D a b - x / (1 + x) by field; lra.
  lra.
have tot : sum m (fun j => sum m (fun i => ln (1 + 2 * s * D j i))) <=
    (M ^ 2 - M) * (L - x / (1 + x)) + 2 * s / (1 + x) * S.
  apply: Rle_trans (sum_le m _ (fun a => (M - 1) * (L - x / (1 + x)) + 2 * s / (1 + x) * sum m (fun b => D a b)) _) _.
    move=> a ha; apply: Rle_trans (sum_le m _ _ (fun b _ => entry a b)) _.
    rewrite sum_plus sum_scalr sum_scal sum_minus sum_const sum_identity.
    have -> : Nat.ltb a m = true by apply/Nat.ltb_lt.
    by rewrite Rmult_1_r; right.
  rewrite sum_plus sum_const sum_scal -/M -/S; right; ring.
have low := ln1_lower x x0; rewrite -/L in low.
have k2 : 2 * s / (1 + x) * S <= M ^ 2 * (x / (1 + x)).
  have -> : 2 * s / (1 + x) * S = (2 * s * S) * / (1 + x) by field; lra.
  have -> : M ^ 2 * (x / (1 + x)) = (M ^ 2 * x) * / (1 + x) by field; lra.
  by apply: Rmult_le_compat_r => //; left; apply: Rinv_0_lt_compat; lra.
apply: (Rmult_le_reg_l M); first lra.
apply: Rle_trans avg _; apply: Rle_trans tot _.
have : M * (x / (1 + x)) <= M * L by apply: Rmult_le_compat_l; lra.
have -> : M * (M * L) = M ^ 2 * L by ring.
nra.
Qed.
