(******************************************************************************)
(*                 Signs, and exponentials against logarithms                 *)
(*                                                                            *)
(* Tactics that read a sign off the shape of a term: products, quotients,     *)
(* roots, powers, exponentials, logarithms of 1 + x; and those that take      *)
(* exp (- ln z) and the square of a root apart where the signs allow it.      *)
(* Nothing here has to be believed.                                           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   ln_one_plus_positive == 0 < ln (1 + x) for 0 < x                         *)
(*   ln_above_one == 0 <= ln z for 1 <= z                                     *)
(*   above_one == 1 <= a / b for 0 < b <= a                                   *)
(*   positive, above_zero == tactics: 0 < x; that, 0 <= x or x <> 0           *)
(*   at_least_one == tactic: 1 <= z                                           *)
(*   reduced_roots, cancelled == tactics: squares of roots, exp (- ln z)      *)
(*   signed == tactic: equations and comparisons by these                     *)
(*                                                                            *)
(* Rests on: scalar, normal.                                                  *)
(******************************************************************************)

From Coq Require Import Reals Lra Psatz.
From CTV Require Import scalar normal.
Open Scope R_scope.

Lemma ln_one_plus_positive x : 0 < x -> 0 < ln (1 + x).
Proof. intros. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma ln_above_one z : 1 <= z -> 0 <= ln z.
Proof. intros. rewrite <- ln_1. apply ln_monotone; lra. Qed.
Lemma above_one a b : 0 < b -> b <= a -> 1 <= a / b.
Proof. intros B H. apply (Rmult_le_reg_r b); [exact B|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Ltac at_least_one := first [ lra | nra | apply above_one; [lra|first [lra | nra]] ].
Ltac positive := lazymatch goal with
  | |- ?a > ?b => change (b < a); positive
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < sqrt _ => apply sqrt_lt_R0; positive
  | |- 0 < _ ^ _ => first [lra | apply pow_lt; positive | nra]
  | |- 0 < / _ => apply Rinv_0_lt_compat; positive
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; positive
  | |- 0 < _ * _ => first [lra | apply Rmult_lt_0_compat; positive | nra]
  | |- 0 < normal_cdf _ => apply normal_cdf_positive
  | |- 0 < ln (1 + _) => first [apply ln_one_plus_positive; positive | lra]
  | |- 0 < _ + _ => first [lra | apply Rplus_lt_le_0_compat; [positive|unsigned]
      | apply Rplus_le_lt_0_compat; [unsigned|positive] | nra]
  | |- _ => first [lra | nra] end
with unsigned := first [lra | lazymatch goal with
  | |- ?a >= ?b => apply Rle_ge; unsigned
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply pow_le; unsigned
  | |- 0 <= _ / _ => apply Rmult_le_pos; [unsigned|left; apply Rinv_0_lt_compat; positive]
  | |- 0 <= _ * _ => first [apply Rmult_le_pos; unsigned | nra]
  | |- 0 <= _ + _ => first [apply Rplus_le_le_0_compat; unsigned | nra]
  | |- 0 <= ln (1 + _) => apply ln_above_one; first [at_least_one | apply Rplus_le_reg_l with (-1); ring_simplify; unsigned]
  | |- 0 <= ln _ => apply ln_above_one; at_least_one
  | |- 0 <= normal_cdf _ => apply normal_cdf_nonnegative
  | |- 0 <= 1 - normal_cdf _ => pose proof (normal_cdf_below_one); unsigned
  | |- _ => first [left; positive | nra] end].
Ltac above_zero := lazymatch goal with
  | |- _ <> 0 => apply Rgt_not_eq; positive
  | |- 0 < _ => positive | |- _ > 0 => positive
  | |- _ => unsigned end.

(* squares of roots, where what stands under them has a sign *)
Ltac reduced_roots := repeat first [rewrite pow2_sqrt by unsigned | rewrite sqrt_sqrt by unsigned].
(* exp (- ln z) is 1/z, however it is written *)
Ltac cancelled := repeat match goal with |- context [exp ?e] => match e with context [ln ?z] =>
    first
      [ replace e with (- ln z) by (field; rsplit; above_zero); rewrite (exp_minus_ln z) by positive
      | replace e with (ln z) by (field; rsplit; above_zero); rewrite (exp_ln z) by positive ]
  end end.
(* arguments of exponentials that are written in two ways *)
Ltac one_exponent := match goal with |- context [exp ?a] => match goal with |- context [exp ?b] =>
  lazymatch a with b => fail | _ => replace a with b by (field; rsplit; above_zero) end end end.
Ltac know_cdf := repeat match goal with
  | |- context [normal_cdf ?x] => unknown (normal_cdf x <= 1); pose proof (normal_cdf_below_one x); pose proof (normal_cdf_nonnegative x)
  | H : context [normal_cdf ?x] |- _ => unknown (normal_cdf x <= 1); pose proof (normal_cdf_below_one x); pose proof (normal_cdf_nonnegative x)
  end.
Ltac know_logs := repeat match goal with
  | |- context [ln (1 + ?x)] => unknown (0 <= ln (1 + x)); assert (0 <= ln (1 + x)) by unsigned
  end.
Ltac signed := intros; reduced_roots; cancelled; repeat one_exponent; know_cdf; know_logs; first
  [ lra | solve [field; rsplit; above_zero] | nra
  | solve [unfold Rdiv; nra] | solve [right; field; rsplit; above_zero] ].
