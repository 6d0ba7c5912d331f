(******************************************************************************)
(*                      Regret from a gain at more noise                      *)
(*                                                                            *)
(* Posterior deviations against an affine majorant of information.            *)
(*                                                                            *)
(* Statements:                                                                *)
(*   envelope == the bound                                                    *)
(*                                                                            *)
(* Rests on: library, definitions, sums, gains, posterior, theorem_1,         *)
(* matrices, theorem_a.                                                       *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums gains posterior theorem_1 matrices theorem_a.
Open Scope R_scope.

Theorem envelope X k h s t mean beta n x tau (f : nat -> X -> R) B G c0 c1 :
  0 < t <= s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x tau) beta n x ->
  (forall i z, (i < n)%coq_nat ->
     Rabs (f i z - mean i z) <= sqrt (beta i) * deviation X k h s x tau i z) ->
  gain t n (joint X k h x tau) <= G -> 0 <= c1 ->
  (forall w, 0 <= w <= 1 -> w <= c0 + c1 * (/ 2 * ln (1 + t * w ^ 2))) ->
  forall best : nat -> X,
  sum n (fun i => f i (best i) - f i (x i)) <= 2 * sqrt B * (INR n * c0 + c1 * G).
Proof.
move=> ts pk ph k1 h1 hb pol ev hG c10 maj best; have s0 : 0 <= s by lra.
pose d i := deviation X k h s x tau i (x i).
have d2 i : (i < n)%coq_nat -> 0 <= d i <= 1 /\ d i ^ 2 = variance s i (joint X k h x tau).
  move=> hi; have pi := semidefinite_joint X k h pk ph (S i) x tau.
  have [v0 _] := gain_variance s i _ s0 pi; have v1 := variance_le_prior s i _ s0 pi.
  rewrite {2}/joint h1 in v1; have := k1 (x i) => kx.
  rewrite /d deviation_played pow2_sqrt //; split=> //; split; first exact: sqrt_pos.
  by rewrite -sqrt_1; apply: sqrt_le_1_alt; lra.
have r i : (i < n)%coq_nat -> f i (best i) - f i (x i) <= 2 * sqrt B * d i.
  move=> hi; have := pol i (best i) hi; have [b0 b1] := hb i hi.
  have [_ a] := Rabs_le_inv _ _ (ev i (best i) hi); have [b _] := Rabs_le_inv _ _ (ev i (x i) hi).
  have := sqrt_le_1_alt _ _ b1 => q; have [d0 _] := proj1 (d2 i hi); rewrite -/(d i) in b *.
  have := Rmult_le_compat_r _ _ _ d0 q; rewrite -/(d i); lra.
apply: Rle_trans (sum_le n _ _ r) _; rewrite sum_scal.
apply: Rmult_le_compat_l; first by have := sqrt_pos B; lra.
apply: Rle_trans (_ : sum n (fun i => c0 + c1 * (/ 2 * ln (1 + t * variance s i (joint X k h x tau)))) <= _).
  by apply: sum_le => i hi; have [dd e] := d2 i hi; rewrite -e; exact: maj.
rewrite sum_plus sum_const sum_scal; apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //.
apply: Rle_trans hG; rewrite sum_scal.
exact: noise_inflation s t n (joint X k h x tau) ts (semidefinite_joint X k h pk ph n x tau).
Qed.
