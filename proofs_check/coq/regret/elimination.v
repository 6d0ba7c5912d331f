(******************************************************************************)
(*                                 Theorem Q                                  *)
(*                                                                            *)
(* How many rounds of one window look at a point of one class of variances,   *)
(* and how the classes add up.                                                *)
(*                                                                            *)
(* Statements:                                                                *)
(*   looks_of_a_window == looks at one class                                  *)
(*   classes_add_up == the sum over the classes                               *)
(*                                                                            *)
(* Rests on: definitions.                                                     *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions.
Open Scope R_scope.

Lemma look_grows v w s : 0 <= v <= w -> 0 < s -> v ^ 2 / (v + s) <= w ^ 2 / (w + s).
Proof.
intros H Hs. apply (Rmult_le_reg_r ((v + s) * (w + s))); [apply Rmult_lt_0_compat; lra|].
replace (v ^ 2 / (v + s) * ((v + s) * (w + s))) with (v ^ 2 * (w + s)) by (field; lra).
replace (w ^ 2 / (w + s) * ((v + s) * (w + s))) with (w ^ 2 * (v + s)) by (field; lra).
assert (0 <= v * w * (w - v)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]).
assert (0 <= s * ((w - v) * (w + v))) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]).
lra.
Qed.

Theorem looks_of_a_window T (w : nat -> R) (counted : nat -> bool) v s eps :
  0 < v -> 0 < s -> 0 <= eps -> (forall i, 0 <= w i) -> (forall i, w (S i) <= w i + eps) ->
  (forall i, counted i = true -> v <= w i <= 2 * v /\ w (S i) <= w i - w i ^ 2 / (w i + s) + eps) ->
  INR T * eps <= v / 2 -> sum T (fun i => if counted i then 1 else 0) <= 5 / 2 * (1 + s / v).
Proof.
intros Hv Hs He Hw Hg Hc HT.
assert (P : forall k, Rmin (w k) (2 * v) + v ^ 2 / (v + s) * sum k (fun i => if counted i then 1 else 0)
                      <= 2 * v + INR k * eps).
{ induction k as [|k IH]; [simpl; pose proof (Rmin_r (w 0%nat) (2 * v)); lra|].
  rewrite S_INR. simpl sum. pose proof (Hg k) as G. destruct (counted k) eqn:E.
  - destruct (Hc k E) as [B L]. pose proof (look_grows v (w k) s ltac:(lra) Hs).
    rewrite (Rmin_left (w k)) in IH by lra. pose proof (Rmin_l (w (S k)) (2 * v)). lra.
  - revert IH. unfold Rmin. destruct (Rle_dec (w k) (2 * v)), (Rle_dec (w (S k)) (2 * v)); intros; lra. }
pose proof (P T) as Q. assert (0 <= Rmin (w T) (2 * v)) by (apply Rmin_glb; [apply Hw | lra]).
apply (Rmult_le_reg_l (v ^ 2 / (v + s))); [apply Rdiv_lt_0_compat; nra|].
replace (v ^ 2 / (v + s) * (5 / 2 * (1 + s / v))) with (2 * v + v / 2) by (field; lra). lra.
Qed.

Theorem classes_add_up n : sum n (fun k => / 2 ^ k) <= 2.
Proof.
assert (E : sum n (fun k => / 2 ^ k) = 2 - 2 / 2 ^ n).
{ induction n as [|n IH]; [simpl; lra|]. simpl sum. rewrite IH. simpl. field. apply pow_nonzero; lra. }
assert (0 < 2 / 2 ^ n) by (apply Rdiv_lt_0_compat; [lra | apply pow_lt; lra]). lra.
Qed.
