(******************************************************************************)
(*           Regret where evaluation times depend on the point, counted       *)
(*                                                                            *)
(* A forgetting kernel at later times is that at earlier ones times another:  *)
(* no run with steps of at most so long gains more than one with steps of     *)
(* that length.                                                               *)
(*                                                                            *)
(* Statements:                                                                *)
(*   longer_steps == what every run gains, against equal steps                *)
(*   own_envelope == regret from what each round loses, by a gain at more     *)
(*       noise                                                                *)
(*                                                                            *)
(* Rests on: library, definitions, sums, gains, posterior, kernels,           *)
(* oppenheim, theorem_a, theorem_1.                                           *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums gains posterior kernels oppenheim theorem_a theorem_1.
Open Scope R_scope.

Section steps.
Variables (rate l : R) (tau : nat -> R) (n : nat).
Hypothesis rate0 : 0 <= rate.
Hypothesis step : forall i, (S i < n)%coq_nat -> 0 <= tau (S i) - tau i <= l.

Lemma gaps i j : (i <= j)%coq_nat -> (j < n)%coq_nat -> 0 <= tau j - tau i <= INR (Nat.sub j i) * l.
Proof.
elim: j => [|j IH] ij hj; first by have -> : i = O by [lia]; rewrite Nat.sub_diag /= Rminus_eq_0; lra.
have [->|le] : i = S j \/ (i <= j)%coq_nat by lia.
  by rewrite Nat.sub_diag /= Rminus_eq_0; lra.
have -> : Nat.sub (S j) i = S (Nat.sub j i) by lia.
by have := IH le ltac:(lia); have := step j hj; rewrite S_INR; lra.
Qed.

Notation even := (fun i => INR (S i) * l).
Lemma forgetting_split i j : (i < n)%coq_nat -> (j < n)%coq_nat ->
  forgetting rate (even i) (even j) = forgetting rate (tau i) (tau j) * forgetting rate (even i - tau i) (even j - tau j).
Proof.
have le a b : (a <= b)%coq_nat -> (b < n)%coq_nat ->
    forgetting rate (even a) (even b) = forgetting rate (tau a) (tau b) * forgetting rate (even a - tau a) (even b - tau b).
  move=> ab hb; have := gaps a b ab hb; rewrite minus_INR // => g.
  rewrite /forgetting -exp_plus; congr exp; rewrite !S_INR !Rabs_left1; try nra; ring.
have sy t u : forgetting rate t u = forgetting rate u t by rewrite /forgetting Rabs_minus_sym.
move=> hi hj; have [h|h] : (i <= j)%coq_nat \/ (j <= i)%coq_nat by [lia]; first exact: le.
by rewrite (sy (even i)) (sy (tau i)) (sy (even i - tau i)); exact: le.
Qed.

Theorem longer_steps X (k : X -> X -> R) s (x : nat -> X) : 0 < s -> kernel X k ->
  gain s n (joint X k (forgetting rate) x tau) <= gain s n (joint X k (forgetting rate) x even).
Proof.
move=> s0 pk; have ph := forgetting_kernel rate rate0.
apply: Rle_trans (gain_above_static s n _ (fun i j => forgetting rate (even i - tau i) (even j - tau j)) s0 _ _ _) _.
- exact: semidefinite_joint.
- exact: ph.
- by move=> i _; exact: forgetting_unit.
by right; apply: gain_ext => i j hi hj; rewrite /joint forgetting_split //; ring.
Qed.
End steps.

Theorem own_envelope X k h s t n x tau (loss : nat -> R) c B G c0 c1 : 0 < t <= s -> kernel X k -> kernel R h ->
  (forall z, k z z <= 1) -> (forall u, h u u = 1) -> 0 <= c -> 0 <= B ->
  (forall i, (i < n)%coq_nat -> loss i <= c * (sqrt B * deviation X k h s x tau i (x i))) ->
  gain t n (joint X k h x tau) <= G -> 0 <= c1 ->
  (forall w, 0 <= w <= 1 -> w <= c0 + c1 * (/ 2 * ln (1 + t * w ^ 2))) ->
  forall m, (m <= n)%coq_nat -> sum m loss <= c * sqrt B * (INR n * c0 + c1 * G).
Proof.
move=> ts pk ph k1 h1 cp B0 le hG c10 maj m mn; have s0 : 0 <= s by lra.
pose d i := deviation X k h s x tau i (x i).
have d2 i : 0 <= d i <= 1 /\ d i ^ 2 = variance s i (joint X k h x tau).
  have pi := semidefinite_joint X k h pk ph (S i) x tau.
  have [v0 _] := gain_variance s i _ s0 pi; have v1 := variance_le_prior s i _ s0 pi.
  rewrite {2}/joint h1 in v1; have := k1 (x i) => kx.
  rewrite /d deviation_played pow2_sqrt //; split=> //; split; first exact: sqrt_pos.
  by rewrite -sqrt_1; apply: sqrt_le_1_alt; lra.
have cB : 0 <= c * sqrt B by apply: Rmult_le_pos => //; exact: sqrt_pos.
apply: Rle_trans (_ : sum m (fun i => c * sqrt B * d i) <= _).
  by apply: sum_le => i hi; rewrite Rmult_assoc; apply: le; lia.
apply: Rle_trans (_ : sum n (fun i => c * sqrt B * d i) <= _).
  have -> : n = (m + Nat.sub n m)%coq_nat by rewrite Nat.add_comm Nat.sub_add.
  rewrite sum_add; have := sum_ge0 (Nat.sub n m) (fun i => c * sqrt B * d (m + i)%coq_nat)
    (fun i _ => Rmult_le_pos _ _ cB (proj1 (proj1 (d2 (m + i)%coq_nat)))); lra.
rewrite sum_scal; apply: Rmult_le_compat_l => //.
apply: Rle_trans (_ : sum n (fun i => c0 + c1 * (/ 2 * ln (1 + t * variance s i (joint X k h x tau)))) <= _).
  by apply: sum_le => i _; have [dd e] := d2 i; rewrite -e; exact: maj.
rewrite sum_plus sum_const sum_scal; apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //.
apply: Rle_trans hG; rewrite sum_scal.
exact: noise_inflation s t n (joint X k h x tau) ts (semidefinite_joint X k h pk ph n x tau).
Qed.
