(******************************************************************************)
(*                   Theorem 1's regret on a finite domain                    *)
(*                                                                            *)
(* No grid is needed, hence no 1/i^2.                                         *)
(*                                                                            *)
(* Statements:                                                                *)
(*   finite_regret == regret on the confidence event against any bound on     *)
(*       the gain                                                             *)
(*                                                                            *)
(* Rests on: library, definitions, sums, gains, posterior, theorem_1,         *)
(* matrices.                                                                  *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums gains posterior theorem_1 matrices.
Open Scope R_scope.

Theorem finite_regret X k h s mean beta n x tau (f : nat -> X -> R) B G :
  0 < s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x tau) beta n x ->
  (forall i z, (i < n)%coq_nat ->
     Rabs (f i z - mean i z) <= sqrt (beta i) * deviation X k h s x tau i z) ->
  gain s n (joint X k h x tau) <= G ->
  forall best : nat -> X,
  sum n (fun i => f i (best i) - f i (x i)) <= sqrt (8 / ln (1 + s) * B * INR n * G).
Proof.
move=> s0 pk ph k1 h1 hb pol ev hG best.
have r i : (i < n)%coq_nat -> f i (best i) - f i (x i) <= 2 * (sqrt (beta i) * deviation X k h s x tau i (x i)).
  move=> hi; have := pol i (best i) hi.
  have [_ a] := Rabs_le_inv _ _ (ev i (best i) hi); have [b _] := Rabs_le_inv _ _ (ev i (x i) hi); lra.
apply: Rle_trans (sum_le n _ _ r) _.
apply: (sum_widths n B beta (fun i => deviation X k h s x tau i (x i)) G s s0 hb
  (fun i => deviation_ge0 X k h s x tau i (x i))).
have := variances_gain X k h s s x tau n ltac:(lra) pk ph k1 h1; lra.
Qed.
