(******************************************************************************)
(*                     Increments of a normal probability                     *)
(*                                                                            *)
(* Bounds of the probability of a short interval by values of the density at  *)
(* its ends.                                                                  *)
(*                                                                            *)
(* Rests on: scalar, normal.                                                  *)
(******************************************************************************)

From Coq Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
From CTV Require Import scalar normal.
Open Scope R_scope.

Lemma INR_unbounded x : exists n, x < INR n.
Proof.
destruct (archimed x) as [A _]. exists (Z.to_nat (up x)). rewrite INR_IZR_INZ.
destruct (Z_le_gt_dec 0 (up x)) as [H|H].
- rewrite Z2Nat.id by exact H. exact A.
- apply Rlt_le_trans with (IZR (up x)); [exact A|]. apply IZR_le. lia.
Qed.

Definition stepwise (F p : R -> R) : Prop :=
  forall x y, 0 <= x <= y -> (y - x) * p y <= F y - F x <= (y - x) * p x.

Lemma stepwise_unique F G p c : 0 <= c -> F 0 = G 0 -> stepwise F p -> stepwise G p -> F c = G c.
Proof.
intros C E SF SG.
assert (near : forall n h, 0 <= h -> Rabs (F (INR n * h) - G (INR n * h)) <= h * (p 0 - p (INR n * h))).
{ intros n h H. induction n as [|n IH].
  - simpl. rewrite !Rmult_0_l, E. unfold Rminus. rewrite Rplus_opp_r, Rabs_R0. lra.
  - set (x := INR n * h) in *. assert (X : 0 <= x) by (apply Rmult_le_pos; [apply pos_INR | exact H]).
    replace (INR (S n) * h) with (x + h) by (rewrite S_INR; unfold x; ring).
    pose proof (SF x (x + h) ltac:(lra)). pose proof (SG x (x + h) ltac:(lra)).
    replace (x + h - x) with h in * by ring.
    revert IH. unfold Rabs. repeat destruct Rcase_abs; lra. }
apply Rminus_diag_uniq. apply Rabs_eq_0. apply Rle_antisym; [|apply Rabs_pos].
apply Rnot_lt_le. intros N. set (d := Rabs (F c - G c)) in *.
set (q := c * (p 0 - p c)).
destruct (INR_unbounded (q / d)) as [n Hn].
assert (Q : q < INR (S n) * d).
{ rewrite S_INR. apply Rle_lt_trans with (q / d * d); [right; field; lra|]. nra. }
assert (P : 0 < INR (S n)) by apply lt_0_INR, Nat.lt_0_succ.
pose proof (near (S n) (c / INR (S n)) ltac:(apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, P])) as K.
replace (INR (S n) * (c / INR (S n))) with c in K by (field; lra).
fold d in K. apply (Rmult_le_compat_l (INR (S n))) in K; [|lra].
replace (INR (S n) * (c / INR (S n) * (p 0 - p c))) with q in K by (unfold q; field; lra).
lra.
Qed.

Lemma density_falls x y : 0 <= x <= y -> normal_density y <= normal_density x.
Proof.
intros H. unfold normal_density, Rdiv. apply Rmult_le_compat_r.
- left. apply Rinv_0_lt_compat, normal_root_positive.
- assert (D : - y ^ 2 * / 2 <= - x ^ 2 * / 2) by nra.
  destruct D as [D|D]; [left; apply exp_increasing, D | right; f_equal; exact D].
Qed.

Lemma cdf_stepwise : stepwise (fun x => 2 * normal_cdf x - 1) (fun x => 2 * normal_density x).
Proof.
intros x y H. assert (K : (y - x) * normal_density y <= normal_cdf y - normal_cdf x <= (y - x) * normal_density x); [|lra].
split.
- cut (0 <= normal_cdf y - normal_cdf x - (y - x) * normal_density y); [lra|].
  apply (growth (fun t => normal_cdf t - normal_cdf x - (t - x) * normal_density y) (fun t => normal_density t - normal_density y) x y).
  + intros t _. apply (is_derive_ext (fun t => normal_cdf t + (- normal_cdf x - (t - x) * normal_density y))).
    { intros u. match goal with |- ?a = ?b => change (@eq R a b) end. ring. }
    replace (normal_density t - normal_density y) with (plus (normal_density t) (- normal_density y)) by reflexivity.
    apply @is_derive_plus; [apply normal_cdf_derive|]. auto_derive; [trivial|ring].
  + intros t T. pose proof (density_falls t y ltac:(lra)). lra.
  + lra.
  + lra.
- cut (0 <= (y - x) * normal_density x - (normal_cdf y - normal_cdf x)); [lra|].
  apply (growth (fun t => (t - x) * normal_density x - (normal_cdf t - normal_cdf x)) (fun t => normal_density x - normal_density t) x y).
  + intros t _. apply (is_derive_ext (fun t => ((t - x) * normal_density x + normal_cdf x) + - normal_cdf t)).
    { intros u. match goal with |- ?a = ?b => change (@eq R a b) end. ring. }
    replace (normal_density x - normal_density t) with (plus (normal_density x) (- normal_density t)) by reflexivity.
    apply @is_derive_plus; [auto_derive; [trivial|ring] | apply @is_derive_opp, normal_cdf_derive].
  + intros t T. pose proof (density_falls x t ltac:(lra)). lra.
  + lra.
  + lra.
Qed.

(* the middle mass tends to 1 *)
Lemma middle_mass t : (forall n, 2 * normal_cdf (INR n) - 1 <= t) -> 1 <= t.
Proof.
intros H. apply Rnot_lt_le. intros L.
destruct (INR_unbounded (2 / (1 - t) + 1)) as [n Hn].
assert (I : 0 < 2 / (1 - t)) by (apply Rdiv_lt_0_compat; lra).
pose proof (H n) as M. pose proof (gaussian_tail (INR n) ltac:(lra)) as T. rewrite normal_cdf_minus in T.
assert (Q : exp (- INR n ^ 2 / 2) < 1 - t); [|lra].
replace (- INR n ^ 2 / 2) with (- (INR n ^ 2 / 2)) by (unfold Rdiv; ring). rewrite exp_Ropp.
assert (X : INR n ^ 2 / 2 < exp (INR n ^ 2 / 2)) by (pose proof (exp_ineq1_le (INR n ^ 2 / 2)); lra).
assert (Y : 1 / (1 - t) < INR n ^ 2 / 2).
{ replace (2 / (1 - t)) with (2 * (1 / (1 - t))) in * by (field; lra). nra. }
apply (Rmult_lt_reg_r (exp (INR n ^ 2 / 2))); [apply exp_pos|].
rewrite Rinv_l; [|pose proof (exp_pos (INR n ^ 2 / 2)); lra].
assert (Z : 1 / (1 - t) * (1 - t) = 1) by (field; lra). nra.
Qed.

Lemma middle_below n : 2 * normal_cdf (INR n) - 1 <= 1.
Proof.
pose proof (normal_cdf_nonnegative (- INR n)) as H. rewrite normal_cdf_minus in H. lra.
Qed.
