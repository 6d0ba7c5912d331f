(******************************************************************************)
(*                           The gain from below                              *)
(*                                                                            *)
(* Round by round, the variance that is left after the rounds before is at    *)
(* least what any weights for them and their residuals say.                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gain_from_below == the bound                                             *)
(*                                                                            *)
(* Rests on: definitions, matrices, sums, gains, posterior, kernels,          *)
(*   duality, residuals.                                                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains posterior kernels duality residuals.
Open Scope R_scope.

Section Below.
Variables (s : R) (A c : nat -> nat -> R).

(* the weights of round i leave so much of (I + s A) c = a, and the variance is at least left_over *)
Definition unmet i j := A i j - sum i (fun l => shifted 1 (fun a b => s * A a b) j l * c i l).
Definition left_over i :=
  A i i - s * (sum i (fun j => A i j * c i j) + sum i (fun j => c i j * unmet i j) + sum i (fun j => unmet i j ^ 2)).

Lemma left_over_le n i : 0 <= s -> semidefinite n A -> (i < n)%coq_nat -> left_over i <= variance s i A.
Proof.
move=> s0 pA hi; have pi : semidefinite i A by apply: semidefinite_le pA; lia.
have ps : semidefinite i (fun a b => s * A a b) by exact: semidefinite_scal.
have one : 0 < 1 by lra.
have [_ up] := inverse_form_bounds i 1 (fun a b => s * A a b) (fun j => A i j) (c i) one ps.
have e : variance s i A = A i i - s * inverse_form i (shifted 1 (fun a b => s * A a b)) (fun j => A i j).
  rewrite variance_qf inverse_form_qf mx_shifted; congr (_ - s * qf (invmx (_ + _)) _)%ring.
    by apply/matrixP => a b; rewrite !mxE.
  apply/matrixP => a b; rewrite !mxE; have [sA _] := pA; apply: sA; last by [].
  by have /ssrnat.ltP := ltn_ord a; lia.
rewrite e /left_over; apply: Rplus_le_compat_l; apply: Ropp_le_contravar; apply: Rmult_le_compat_l => //.
by apply: Rle_trans up _; right; rewrite /unmet /Rdiv Rinv_1 Rmult_1_r.
Qed.

Theorem gain_from_below n : 0 <= s -> semidefinite n A ->
  (forall i, (i < n)%coq_nat -> 0 < 1 + s * left_over i) ->
  / 2 * sum n (fun i => ln (1 + s * left_over i)) <= gain s n A.
Proof.
move=> s0 pA pos; rewrite gain_sum //; apply: Rmult_le_compat_l; first lra.
apply: sum_le => i hi; apply: ln_le; first exact: pos.
by apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //; exact: (left_over_le n).
Qed.
End Below.
