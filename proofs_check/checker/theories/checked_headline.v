(******************************************************************************)
(*          What the yes of the checker means, with its probability           *)
(*                                                                            *)
(* In every probability space, for every Gaussian objective of the problem's  *)
(* covariance on the grid and every policy that plays a largest index:        *)
(* outside an event of probability less than delta the regret is at most the  *)
(* claim, at every round.                                                     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   headline_sound == the statement                                          *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, theorem_1, vectors, outcomes, *)
(*   any_space, theorem_1_probability, whole_times, enclosed_bounds,          *)
(*   checked_space_gain, checked_regret.                                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.classical Require Import boolp classical_sets.
From mathcomp.analysis Require Import Rstruct reals ereal measure.
From Coq Require Import Reals Lra Lia ZArith.
From Coq Require Bool List.
From Interval Require Import Float.Sig.
From Flocq Require Import Zaux.
From CTV Require Import definitions sums gains kernels theorem_1 vectors outcomes any_space.
From CTV Require theorem_1_probability.
From CTV Require Import whole_times enclosed_bounds checked_space_gain checked_regret.
Open Scope R_scope.

(* a grid of side by side points; the rate c is that of neighbours, exp (- c) their correlation *)
Definition lattice_points (side : nat) : finType := [finType of 'I_side * 'I_side].
Definition neighbours (side : nat) (c : R) (a b : lattice_points side) : R :=
  exp (- (c * (INR a.1 - INR b.1) ^ 2)) * exp (- (c * (INR a.2 - INR b.2) ^ 2)).

Section places.
Variable side : nat.
Notation Y := (lattice_points side).
Lemma place_ok (a : Y) : in_grid (Z.of_nat side) (Z.of_nat a.1, Z.of_nat a.2) = true.
Proof.
case: a => [[a ha] [b hb]]; rewrite /in_grid /=; move: ha hb => /ssrnat.ltP ha /ssrnat.ltP hb.
by rewrite !Bool.andb_true_iff; lia.
Qed.
Definition to_grid (a : Y) : grid (Z.of_nat side) := exist _ _ (place_ok a).
Lemma below (z : Z) : (0 <= z < Z.of_nat side)%Z -> (Z.to_nat z < side)%nat.
Proof. by move=> h; apply/ssrnat.ltP; lia. Qed.
Lemma of_grid_exists (z : grid (Z.of_nat side)) : exists a : Y, to_grid a = z.
Proof.
case: z => [[a b] g]; have g' := g; move: g'; rewrite /in_grid /= !Bool.andb_true_iff => -[[[/Z.leb_le a0 /Z.ltb_lt a1] /Z.leb_le b0] /Z.ltb_lt b1].
exists (Ordinal (below a (conj a0 a1)), Ordinal (below b (conj b0 b1))).
by apply: eq_exist; rewrite /= !Z2Nat.id.
Qed.
Definition of_grid (z : grid (Z.of_nat side)) : Y := projT1 (cid (of_grid_exists z)).
Lemma of_gridK z : to_grid (of_grid z) = z.
Proof. exact: (projT2 (cid (of_grid_exists z))). Qed.
Lemma to_gridK a : of_grid (to_grid a) = a.
Proof.
have := of_gridK (to_grid a); move: (of_grid _) => b /(f_equal (@proj1_sig _ _)) [/Nat2Z.inj e1 /Nat2Z.inj e2].
by case: a b e1 e2 => [a1 a2] [b1 b2] /= /val_inj -> /val_inj ->.
Qed.
Lemma neighboursE c a b : on_grid (Z.of_nat side) c (to_grid a) (to_grid b) = neighbours side c a b.
Proof. by rewrite /on_grid /lattice /neighbours /= -!INR_IZR_INZ. Qed.
Lemma sizeE : size Y = INR (side * side). 
Proof. by rewrite /size card_prod card_ord. Qed.
End places.

Module Headline (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export R_ := Regret F.
Section Headline.
Variables (prec : F.precision) (side : nat) (c : Z * positive) (p : problem) (q : regret_certificate) (claim : Z * positive).
Notation n := (List.length (ticks p)).
Notation Y := (lattice_points side).
Notation space := (neighbours side (valQ c)).
Notation time := (forgetting (rate_of (epsilon p))).
Notation clock := (at_tick (enclosed_bounds.unit p) (ticks p)).
Notation delta := (valQ (enclosed_bounds.delta p)).

Theorem headline_sound : check_regret prec (Z.of_nat side) c p q claim = true ->
  forall sigma, 0 < sigma -> / sigma ^ 2 = valQ (ratio_s p) ->
  forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d (L : nat -> Y -> nat -> R)
    (rule : forall j, vec RR j -> Y),
  independent_normals dT T P (d + n)%coq_nat G -> has_kernel d n Y L space time clock -> measurable_rule Y rule ->
  (forall w, follows d Y L sigma rule n space time clock (width (size Y) delta) (fun l => G l w)) ->
  exists r, r < delta /\ at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\
    loses d Y L sigma rule m (valQ claim) (fun l => G l w)) r.
Proof.
move=> ok sigma s0 sE dT T P G d L rule normals law mrule policy.
have [sp [d01 [ep [pk [ph [h1 sound]]]]]] := regret_sound prec _ c p q claim ok.
have sizeP : size Y = IZR (Zpos (points p)) by rewrite sizeE ep INR_IZR_INZ; congr IZR; rewrite -multE; lia.
have size1 : 1 <= size Y by rewrite sizeP; apply: IZR_le; lia.
have widthE i : width (size Y) delta i = beta_of (points p) delta i by rewrite /width sizeP.
apply: (with_probability dT T P G d n Y L sigma rule space time clock delta normals s0 d01 law mrule (fun=> valQ claim)).
move=> w m mn near best.
pose x := played d Y L sigma rule (fun l => G l w); pose f := outcomes.value d Y L (fun l => G l w).
pose pre := prediction Y space time (/ sigma ^ 2) x clock (answer d Y L sigma rule (fun l => G l w)).
pose all i := if Nat.ltb i m then best i else x i.
have -> : sum m (fun i => f i (best i) - f i (x i)) = sum n (fun i => f i (all i) - f i (x i)).
  have nE : n = (m + Nat.sub n m)%coq_nat by rewrite Nat.add_comm Nat.sub_add.
  rewrite [in RHS]nE.
  rewrite sum_add [X in _ + X](_ : _ = 0); last first.
    rewrite -[RHS](sum_0 (Nat.sub n m)); apply: sum_ext => i _; rewrite /all.
    by have -> : Nat.ltb (m + i)%coq_nat m = false; [apply/Nat.ltb_ge; lia | ring].
  by rewrite Rplus_0_r; apply: sum_ext => i hi; rewrite /all; have -> : Nat.ltb i m = true by apply/Nat.ltb_lt.
pose x' i := to_grid side (x i).
have dev i z : deviation Y space time (/ sigma ^ 2) x clock i (of_grid side z) =
    deviation (grid (Z.of_nat side)) (on_grid (Z.of_nat side) (valQ c)) time (valQ (ratio_s p)) x' clock i z.
  rewrite sE /deviation; congr sqrt; apply: variance_ext => a b _ _; rewrite /joint; congr (_ * _); rewrite -neighboursE /x'.
  by case: (Nat.eqb a i); case: (Nat.eqb b i); rewrite ?of_gridK.
have := sound x' (fun i z => pre i (of_grid side z)) (fun i z => f i (of_grid side z)) _ _ _ (fun i => to_grid side (all i)).
rewrite (sum_ext n _ (fun i => f i (all i) - f i (x i))); last by move=> i _; rewrite /x' !to_gridK.
apply.
- move=> i hi; rewrite -!widthE; split; first exact: theorem_1_probability.width_ge0.
  by apply: theorem_1_probability.width_grows; [lra | lra | lia].
- by move=> i z hi; have := policy w i (of_grid side z) hi; rewrite -/x -/pre -!dev -!widthE /x' to_gridK.
- by move=> i z hi; rewrite -dev -widthE; exact: near.
Qed.
End Headline.
End Headline.
