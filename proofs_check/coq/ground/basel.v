(******************************************************************************)
(*                 The inverse squares sum to at most pi^2/6                  *)
(*                                                                            *)
(* With A n the integral of cos^(2n) and B n that of x^2 cos^(2n) over [0,    *)
(* pi/2], 1/n^2 = 2 B_(n-1)/A_(n-1) - 2 B_n/A_n.                              *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   A n, B n == the two integrals                                            *)
(*                                                                            *)
(* Statements:                                                                *)
(*   inverse_square == a term as a difference                                 *)
(*   B_over_A == the first quotient is pi^2/12                                *)
(*                                                                            *)
(* Rests on: the libraries alone.                                             *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Definition even_power (n : nat) (x : R) : R := cos x ^ (2 * n).
Definition weighted (n : nat) (x : R) : R := x ^ 2 * cos x ^ (2 * n).
Definition top : R := PI / 2.
Definition A (n : nat) : R := RInt (even_power n) 0 top.
Definition B (n : nat) : R := RInt (weighted n) 0 top.

Lemma top_positive : 0 < top.
Proof. unfold top; pose proof PI_RGT_0; lra. Qed.

Lemma even_power_continuous n x : continuous (even_power n) x.
Proof. apply (ex_derive_continuous (even_power n)); unfold even_power; auto_derive; trivial. Qed.

Lemma weighted_continuous n x : continuous (weighted n) x.
Proof. apply (ex_derive_continuous (weighted n)); unfold weighted; auto_derive; trivial. Qed.

Lemma A_is n : is_RInt (even_power n) 0 top (A n).
Proof.
apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous; intros.
apply even_power_continuous.
Qed.

Lemma B_is n : is_RInt (weighted n) 0 top (B n).
Proof.
apply (RInt_correct (V := R_CompleteNormedModule)), ex_RInt_continuous; intros.
apply weighted_continuous.
Qed.

Lemma cos_inside x : 0 < x < top -> 0 < cos x.
Proof. unfold top; intros; apply cos_gt_0; lra. Qed.

Lemma A_positive n : 0 < A n.
Proof.
apply RInt_gt_0; [exact top_positive| |intros; apply even_power_continuous].
intros x Hx; apply pow_lt, cos_inside, Hx.
Qed.

Lemma B_positive n : 0 < B n.
Proof.
apply RInt_gt_0; [exact top_positive| |intros; apply weighted_continuous].
intros x Hx; apply Rmult_lt_0_compat; apply pow_lt; [lra|apply cos_inside, Hx].
Qed.

Lemma sin_square x : sin x * sin x = 1 - cos x * cos x.
Proof. pose proof (sin2_cos2 x) as H; unfold Rsqr in H; lra. Qed.

(* The integral of a derivative whose primitive is the same at both ends. *)
Lemma closed (F f : R -> R) : (forall x, is_derive F x (f x)) -> (forall x, continuous f x) ->
  F top = F 0 -> is_RInt f 0 top 0.
Proof.
intros HF Hf E. replace 0 with (minus (F top) (F 0)) at 2 by (rewrite E; exact (minus_eq_zero (F 0))).
apply (is_RInt_derive F f); intros; auto.
Qed.

Lemma recursion_A n : (2 * INR n + 2) * A (S n) = (2 * INR n + 1) * A n.
Proof.
set (f x := (2 * INR n + 2) * even_power (S n) x - (2 * INR n + 1) * even_power n x).
assert (H0 : is_RInt f 0 top 0).
{ apply (closed (fun x => sin x * cos x ^ (2 * n + 1))).
  - intros x; unfold f, even_power; auto_derive; trivial.
    replace (pred (n + (n + 0) + 1)) with (2 * n)%nat by lia.
    replace (2 * S n)%nat with (S (S (2 * n))) by lia.
    replace (n + (n + 0) + 1)%nat with (S (2 * n)) by lia.
    rewrite S_INR, mult_INR; simpl (INR 2). rewrite <- !tech_pow_Rmult.
    pose proof (sin_square x) as Q. set (c := cos x ^ (2 * n)). 
    transitivity (cos x * (cos x * c) - (2 * INR n + 1) * c * (sin x * sin x)); [ring|].
    rewrite Q; ring.
  - intros x; unfold f; apply (continuous_minus (V := R_NormedModule));
      apply (continuous_scal_r (V := R_NormedModule)), even_power_continuous.
  - unfold top; rewrite cos_PI2, sin_0, pow_ne_zero by lia; ring. }
assert (H1 : is_RInt f 0 top ((2 * INR n + 2) * A (S n) - (2 * INR n + 1) * A n)).
{ apply (is_RInt_minus (V := R_NormedModule)); apply (is_RInt_scal (V := R_NormedModule)), A_is. }
pose proof (is_RInt_unique _ _ _ _ H0); pose proof (is_RInt_unique _ _ _ _ H1); lra.
Qed.

Lemma recursion_B n :
  A (S n) + 2 * (INR n + 1) ^ 2 * B (S n) = (INR n + 1) * (2 * INR n + 1) * B n.
Proof.
set (f x := even_power (S n) x + (2 * (INR n + 1) ^ 2 * weighted (S n) x
            - (INR n + 1) * (2 * INR n + 1) * weighted n x)).
assert (H0 : is_RInt f 0 top 0).
{ apply (closed (fun x => x * cos x ^ (2 * n + 2) + (INR n + 1) * (x ^ 2 * (sin x * cos x ^ (2 * n + 1))))).
  - intros x; unfold f, even_power, weighted; auto_derive; trivial.
    replace (pred (n + (n + 0) + 2)) with (S (2 * n)) by lia.
    replace (pred (n + (n + 0) + 1)) with (2 * n)%nat by lia.
    replace (2 * S n)%nat with (S (S (2 * n))) by lia.
    replace (n + (n + 0) + 1)%nat with (S (2 * n)) by lia.
    replace (n + (n + 0) + 2)%nat with (S (S (2 * n))) by lia.
    rewrite !S_INR, mult_INR; simpl (INR 2). rewrite <- !tech_pow_Rmult.
    pose proof (sin_square x) as Q. set (c := cos x ^ (2 * n)). simpl (x ^ _).
    transitivity (cos x * (cos x * c) +
      (INR n + 1) * (x * x) * (cos x * (cos x * c) - (2 * INR n + 1) * c * (sin x * sin x))).
    { ring. }
    rewrite Q; ring.
  - intros x; unfold f; apply (continuous_plus (V := R_NormedModule));
      [|apply (continuous_minus (V := R_NormedModule));
        apply (continuous_scal_r (V := R_NormedModule))];
      [apply even_power_continuous|apply weighted_continuous|apply weighted_continuous].
  - unfold top; rewrite cos_PI2, sin_0, !pow_ne_zero by lia; ring. }
assert (H1 : is_RInt f 0 top (A (S n) + (2 * (INR n + 1) ^ 2 * B (S n)
                              - (INR n + 1) * (2 * INR n + 1) * B n))).
{ apply (is_RInt_plus (V := R_NormedModule)); [apply A_is|].
  apply (is_RInt_minus (V := R_NormedModule)); apply (is_RInt_scal (V := R_NormedModule)), B_is. }
pose proof (is_RInt_unique _ _ _ _ H0); pose proof (is_RInt_unique _ _ _ _ H1); lra.
Qed.

Lemma inverse_square n : / (INR n + 1) ^ 2 = 2 * (B n / A n) - 2 * (B (S n) / A (S n)).
Proof.
pose proof (recursion_A n) as HA; pose proof (recursion_B n) as HB.
pose proof (A_positive n) as P; pose proof (A_positive (S n)) as P'; pose proof (pos_INR n).
revert HA HB P P'; generalize (A n) (A (S n)) (B n) (B (S n)); intros a a' b b' HA HB P P'.
assert (E : a * a' = 2 * (INR n + 1) ^ 2 * (b * a' - b' * a)).
{ replace (2 * (INR n + 1) ^ 2 * (b * a' - b' * a)) with
    ((INR n + 1) * b * ((2 * INR n + 2) * a') - 2 * (INR n + 1) ^ 2 * b' * a) by ring.
  rewrite HA; replace a' with
    ((INR n + 1) * (2 * INR n + 1) * b - 2 * (INR n + 1) ^ 2 * b') by lra; ring. }
apply Rmult_eq_reg_r with ((INR n + 1) ^ 2 * (a * a')).
2: apply Rgt_not_eq; repeat apply Rmult_lt_0_compat; lra.
replace (/ (INR n + 1) ^ 2 * ((INR n + 1) ^ 2 * (a * a'))) with (a * a') by (field; lra).
transitivity (2 * (INR n + 1) ^ 2 * (b * a' - b' * a)); [exact E|field; lra].
Qed.

Lemma B_over_A : 2 * (B 0 / A 0) = PI ^ 2 / 6.
Proof.
assert (EA : A 0 = top).
{ unfold A; rewrite (RInt_ext _ (fun _ => 1)) by (intros; reflexivity).
  rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; lra. }
assert (EB : B 0 = top ^ 3 / 3).
{ apply is_RInt_unique.
  replace (top ^ 3 / 3) with (minus ((fun x => x ^ 3 / 3) top) ((fun x => x ^ 3 / 3) 0))
    by (unfold minus, plus, opp; simpl; lra).
  apply (is_RInt_derive (fun x => x ^ 3 / 3)); intros; [|apply weighted_continuous].
  unfold weighted; auto_derive; trivial; simpl; lra. }
pose proof top_positive; rewrite EA, EB; unfold top in *; field; lra.
Qed.
