(******************************************************************************)
(*          The normal density and the normal distribution function           *)
(*                                                                            *)
(* The law with the density exp(-x^2/2)/sqrt(2 pi) has mass 1, and its tails  *)
(* are those of the normal distribution function of scalar.v.                 *)
(*                                                                            *)
(* Statements:                                                                *)
(*   normal == the density                                                    *)
(*   tail_normal == its tails                                                 *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* central_interval, tail_increments, scalar, normal.                         *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import Rstruct reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law central_interval tail_increments.
From Coq Require Import Reals Lra.
From CTV Require Import scalar normal.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Delimit Scope ring_scope with ring.
Open Scope R_scope.


Definition root : R := / sqrt (2 * PI).
Definition decay (t : R) : R := exp (- t / 2).

Lemma root_pos : 0 < root. Proof. by apply: Rinv_0_lt_compat; exact: normal_root_positive. Qed.

Lemma densityE x : root * decay (x * x) = normal_density x.
Proof.
rewrite /root /decay /normal_density /Rdiv Rmult_comm; congr (exp _ * _).
by rewrite /= Rmult_1_r.
Qed.

Lemma mdecay : measurable_fun setT (decay : RR -> RR).
Proof.
apply: continuous_measurable_fun => t; apply/continuity_pt_cvg.
apply: derivable_continuous_pt; rewrite /decay.
by apply: Coquelicot.Derive.ex_derive_Reals_0; Coquelicot.AutoDerive.auto_derive.
Qed.

Lemma mdensity : measurable_fun setT (normal_density : RR -> RR).
Proof.
have -> : (normal_density : RR -> RR) = (fun x : RR => (root * decay (x * x))%R).
  by apply/funext => x; rewrite densityE.
have ms : measurable_fun setT ((@id RR) \* (@id RR))%ring.
  by apply: measurable_funM; exact: measurable_fun_id.
have mc : measurable_fun setT ((cst root : RR -> RR) \* (decay \o ((@id RR) \* (@id RR))%ring : RR -> RR))%ring.
  apply: measurable_funM; first exact: measurable_fun_cst.
  exact: (measurable_fun_comp mdecay ms).
exact: mc.
Qed.

Lemma density_ge0 (x : RR) : (0 <= normal_density x)%ring.
Proof. by apply/RleP; left; exact: normal_density_positive. Qed.

Lemma density_abs (x : R) : normal_density (Rabs x) = normal_density x.
Proof. by rewrite /normal_density pow2_abs. Qed.

Lemma density_down (x t : RR) : (0 <= x)%ring -> (x <= `|t|)%ring -> (normal_density t <= normal_density x)%ring.
Proof.
move=> /RleP x0 /RleP xt; apply/RleP; rewrite -(density_abs t).
by apply: density_falls.
Qed.

Lemma density_up (y t : RR) : (`|t| <= y)%ring -> (normal_density y <= normal_density t)%ring.
Proof.
move=> /RleP ty; apply/RleP; rewrite -(density_abs t).
by apply: density_falls; split; [exact: Rabs_pos | exact: ty].
Qed.

Notation mass_within := (M RR normal_density).

Lemma within_cdf c : 0 <= c -> mass_within c = 2 * normal_cdf c - 1.
Proof.
move=> c0; apply: (stepwise_unique mass_within (fun x => 2 * normal_cdf x - 1) (fun x => 2 * normal_density x)) => //.
- rewrite (M0 RR normal_density density_ge0 mdensity density_down) normal_cdf_0.
  change (@eq R 0 (2 * (1 / 2) - 1)); lra.
- move=> x y [/RleP x0 /RleP xy].
  have [/RleP h /RleP k] := M_step RR normal_density density_ge0 mdensity density_down density_up x y x0 xy.
  by split; [exact: h | exact: k].
- exact: cdf_stepwise.
Qed.

Lemma INR_natr n : INR n = (n%:R : RR)%ring.
Proof. exact: INRE. Qed.

Lemma whole_mass : over RR normal_density setT = 1%E.
Proof.
apply: (over_all RR normal_density density_ge0 mdensity density_down).
- move=> n; apply/RleP; rewrite -INR_natr within_cdf; last exact: pos_INR.
  exact: middle_below.
- move=> u h; apply/RleP; apply: middle_mass => n.
  by have /RleP := h n; rewrite -INR_natr within_cdf //; exact: pos_INR.
Qed.

Definition normal : density RR.
Proof.
apply: (@Density RR root decay).
- by apply/RleP; left; exact: root_pos.
- by move=> t; apply/RleP; left; exact: exp_pos.
- by rewrite /decay Ropp_0 /Rdiv Rmult_0_l exp_0.
- move=> s t; rewrite /decay -[RHS]exp_plus; congr exp.
  change (@eq R (- (s + t) / 2) (- s / 2 + - t / 2)); lra.
- exact: mdecay.
- rewrite -whole_mass /over; apply: eq_integral => x _; congr EFin; exact: densityE.
Defined.

Lemma tail_normal (c : R) : 0 <= c -> tail RR normal c = (2 * normal_cdf (- c))%:E.
Proof.
move=> c0; have /RleP c0' := c0.
have -> : tail RR normal c = over RR normal_density (past RR c).
  by rewrite /tail /law1 /over; apply: eq_integral => x _; congr EFin; exact: densityE.
rewrite (over_past RR normal_density density_ge0 mdensity density_down) //; last exact: whole_mass.
congr EFin; rewrite within_cdf // normal_cdf_minus.
change (@eq R (1 - (2 * normal_cdf c - 1)) (2 * (1 - normal_cdf c))); lra.
Qed.
