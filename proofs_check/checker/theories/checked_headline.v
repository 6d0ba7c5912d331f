(******************************************************************************)
(*          What the yes of the checker means, with its probability           *)
(*                                                                            *)
(* In every probability space, for every Gaussian objective of the problem's  *)
(* covariance on the points and every policy that plays a largest index:        *)
(* outside an event of probability less than delta the regret is at most the  *)
(* claim, at every round.                                                     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   headline_sound, late_headline_sound == the statement, where answers come *)
(*       at once, and late                                                    *)
(*   floor_sound == the mean of what every policy loses is at least the claim *)
(*   own_headline_sound == the regret where evaluation times depend on the    *)
(*       point, and weights of Theorem C that are small enough                *)
(*                                                                            *)
(* Rests on: library, definitions, sums, gains, kernels, theorem_1, vectors,  *)
(* outcomes, any_space, theorem_1_probability, intervals, whole_times,        *)
(* problems, checked_gain, checked_regret, checked_floor, checked_own_times,  *)
(* checked_box, floor_in_mean, late_floor, largest_of_normals, full_information,           *)
(* late_regret, late_confidence, own_gain, theorem_c_probability.             *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp classical_sets.
From mathcomp Require Import Rstruct reals ereal measure.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia ZArith.
From Coq Require Bool List.
From Interval Require Import Float.Sig.
From Flocq Require Import Zaux.
From CTV Require Import definitions sums gains kernels theorem_1 vectors outcomes any_space.
From CTV Require theorem_1_probability.
From CTV Require floor_in_mean full_information largest_of_normals own_gain theorem_c theorem_c_probability.
From CTV Require Import late_regret late_confidence late_floor.
From CTV Require Import intervals whole_times problems checked_gain checked_regret checked_floor checked_own_times checked_box.
Open Scope R_scope.

(* the points of a problem by their numbers *)
Definition listed (p : problem) : finType := (fin_type 'I_(List.length (points p))).
Definition point (p : problem) (a : listed p) : place := List.nth (nat_of_ord a) (points p) List.nil.
Definition over_space (p : problem) (a b : listed p) : R := space_of p (point p a) (point p b).

Lemma point_in p (a : listed p) : List.In (point p a) (points p).
Proof. by apply: List.nth_In; apply/ssrnat.ltP. Qed.
Lemma sizeE p : size (listed p) = INR (List.length (points p)).
Proof. by rewrite /size card_ord. Qed.

Module Headline (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export B_ := Box F.
Section Headline.
Variables (prec : F.precision) (p : problem) (q : regret_certificate) (claim : Z * positive).
Notation n := (List.length (ticks p)).
Notation Y := (listed p).
Notation delta := (valQ (problems.delta p)).

(* where answers come up to as many rounds late as the certificate says *)
Theorem late_headline_sound : check_regret prec p q claim = true ->
  forall sigma, 0 < sigma -> / sigma ^ 2 = valQ (ratio_s p) ->
  forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d (L : nat -> Y -> nat -> R)
    (rule : policy_on Y) (known : nat -> nat),
  independent_normals dT T P (d + n)%coq_nat G -> has_kernel d n Y L (over_space p) (time_of p) (tau p) -> measurable_rule Y rule ->
  comes_late (answers_late q) known ->
  (forall w, follows_late d Y L sigma rule known n (over_space p) (time_of p) (tau p) (width (size Y) delta) (fun l => G l w)) ->
  exists r, r < delta /\ at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\
    loses d Y L sigma rule m (valQ claim) (fun l => G l w)) r.
Proof.
move=> ok sigma s0 sE dT T P G d L rule known normals law mrule late policy.
have [sp [d01 [ep sound]]] := regret_sound prec p q claim Y (point p) (point_in p) ok.
have size1 : 1 <= size Y by rewrite sizeE -[1]/(INR 1); apply: le_INR; lia.
have widthE i : width (size Y) delta i = beta_of (List.length (points p)) delta i by rewrite /width sizeE.
apply: (late_with_probability dT T P G d n Y L sigma rule (over_space p) (time_of p) (tau p) delta (answers_late q) known
  normals s0 d01 law mrule late (fun=> valQ claim)).
move=> w m mn near best.
pose x := played d Y L sigma rule (fun l => G l w); pose f := outcomes.value d Y L (fun l => G l w).
pose pre i := late_prediction Y (over_space p) (time_of p) (/ sigma ^ 2) x (tau p)
  (answer d Y L sigma rule (fun l => G l w)) (known i) i.
pose all i := if Nat.ltb i m then best i else x i.
have -> : sum m (fun i => f i (best i) - f i (x i)) = sum n (fun i => f i (all i) - f i (x i)).
  have nE : n = (m + Nat.sub n m)%coq_nat by rewrite Nat.add_comm Nat.sub_add.
  rewrite [in RHS]nE.
  rewrite sum_add [X in _ + X](_ : _ = 0); last first.
    rewrite -[RHS](sum_0 (Nat.sub n m)); apply: sum_ext => i _; rewrite /all.
    by have -> : Nat.ltb (m + i)%coq_nat m = false; [apply/Nat.ltb_ge; lia | ring].
  by rewrite Rplus_0_r; apply: sum_ext => i hi; rewrite /all; have -> : Nat.ltb i m = true by apply/Nat.ltb_lt.
apply: (sound known x pre f late _ _ _ all).
- move=> i hi; rewrite -!widthE; split; first exact: theorem_1_probability.width_ge0.
  by apply: theorem_1_probability.width_grows; [lra | lra | lia].
- by move=> i z hi; have := policy w i z hi; rewrite -/x widthE -/(pre i z) -/(pre i (x i)) sE.
- by move=> i z hi; have := near i z hi; rewrite -/x -/(f i z) -/(pre i z) widthE sE.
Qed.

(* where each is known at once *)
Theorem headline_sound : check_regret prec p q claim = true ->
  forall sigma, 0 < sigma -> / sigma ^ 2 = valQ (ratio_s p) ->
  forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d (L : nat -> Y -> nat -> R)
    (rule : policy_on Y),
  independent_normals dT T P (d + n)%coq_nat G -> has_kernel d n Y L (over_space p) (time_of p) (tau p) -> measurable_rule Y rule ->
  (forall w, follows d Y L sigma rule n (over_space p) (time_of p) (tau p) (width (size Y) delta) (fun l => G l w)) ->
  exists r, r < delta /\ at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\
    loses d Y L sigma rule m (valQ claim) (fun l => G l w)) r.
Proof.
move=> ok sigma s0 sE dT T P G d L rule normals law mrule policy.
apply: (late_headline_sound ok sigma s0 sE dT T P G d L rule (fun i => i) normals law mrule); first exact: at_once_is_late.
by move=> w; apply/follows_at_once.
Qed.
End Headline.

Section Losses.
Variables (prec : F.precision) (p : problem) (q : floor_certificate) (claim : Z * positive).
Notation n := (List.length (ticks p)).
Notation Y := (listed p).

Theorem floor_sound : check_floor prec p q claim = true ->
  forall sigma, 0 < sigma -> / sigma ^ 2 = valQ (ratio_s p) ->
  forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d (L : nat -> Y -> nat -> R) (rule : policy_on Y),
  independent_normals dT T P (d + n)%coq_nat G -> has_kernel d n Y L (over_space p) (time_of p) (tau p) -> measurable_rule Y rule ->
  knows_late Y (late q) rule ->
  mean_at_least dT T P (fun w => sum n (round_loss d Y L sigma rule (fun l => G l w))) (valQ claim).
Proof.
move=> ok sigma s0 sE dT T P G d L rule normals law mrule known.
have [pk [ph [sp [inside [m [lost [pE [b0 [w0 [d0 [sd [[l0 lost_le] le]]]]]]]]]]]] := floor_parts prec p q claim ok.
have pY : kernel Y (over_space p) by move=> N x; exact: (pk N (fun i => point p (x i))).
pose y0 : Y := rule O tt.
have [top mtop] := floor_in_mean.mean_maximum_exists Y y0 (over_space p) pY.
pose at_ (i : nat) : Y := odflt y0 (insub (List.nth i (chosen_points q) O)).
have atE i : (i < S m)%coq_nat -> point p (at_ i) = List.nth (List.nth i (chosen_points q) O) (points p) List.nil.
  move=> hi; rewrite /at_; case: insubP => [a _ e|/negP no]; first by rewrite /= /point e.
  by case: no; apply/ssrnat.ltP; apply: inside; rewrite pE.
have far : semidefinite (S m) (fun i j => over_space p (at_ i) (at_ j) - valQ (apart q, fscale q) * identity i j).
  by apply: kernels.semidefinite_ext sd => i j hi hj; rewrite /over_space !atE.
have big := largest_of_normals.mean_maximum_apart Y (over_space p) top m (steps q) at_ _ _ _ pY mtop d0 far b0 w0.
have low := largest_of_normals.step_sum_below m (steps q) _ _ b0 w0.
have top0 := floor_in_mean.mean_maximum_ge0 Y y0 (over_space p) top pY mtop.
have := late_floor.late_regret_floor d n Y L sigma rule (over_space p) (time_of p) (tau p) 1 top (late q) s0 Rlt_0_1 pY ph
  (fun z => Req_le _ _ (space_one p (point p z))) (time_one p) law mrule mtop known dT T P G normals n (Nat.le_refl n).
rewrite /mean_at_least (sum_ext n _ (fun i => 1 - sqrt (1 - variance (s_of p) (Nat.sub i (late q)) (gram R (time_of p) (when_last p q i))))); last first.
  move=> i _; rewrite /floor_in_mean.left_share full_information.variance_covariance /gram time_one /floor_in_mean.noise_ratio.
  by rewrite /Rdiv Rmult_1_l sE.
apply: Order.POrderTheory.le_trans; rewrite lee_fin; apply/RleP; apply: Rle_trans le _.
apply: Rle_trans (_ : top * lost <= _); last exact: Rmult_le_compat_l.
apply: Rmult_le_compat_r => //; apply: Rle_trans big; apply: Rmult_le_compat_l => //; exact: sqrt_pos.
Qed.
End Losses.

Section OwnTimes.
Variables (prec : F.precision) (p : problem) (q : own_certificate) (claim : Z * positive).
Notation n := (List.length (ticks p)).
Notation Y := (listed p).

(* the weights of the certificate are wide enough; and whichever are, and are no wider, have the claim *)
Theorem own_headline_sound : check_own prec p q claim = true ->
  (forall i, (i < n)%coq_nat -> wide_enough p (valQ (longest q)) i (valQ (widest q))) /\
  forall sigma, 0 < sigma -> / sigma ^ 2 = valQ (ratio_s p) ->
  forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d (L : R -> Y -> nat -> R) (t : Y -> R)
    (rule : policy_on Y) (beta : nat -> R),
  independent_normals dT T P (d + n)%coq_nat G -> (forall z, 0 <= t z <= valQ (longest q)) ->
  has_kernel_at d n Y L (over_space p) (time_of p) t -> measurable_rule Y rule ->
  (forall i, (i < n)%coq_nat -> wide_enough p (valQ (longest q)) i (beta i) /\ beta i <= valQ (widest q)) ->
  (forall w, follows_own d Y L sigma t rule n (over_space p) (time_of p) beta (fun l => G l w)) ->
  exists bad : T -> Prop, (exists r, r < valQ (problems.delta p) /\ at_most dT T P bad r) /\
    forall w, ~ bad w -> forall m (best : nat -> Y), (m <= n)%coq_nat ->
      let f i := value_at d Y L (fun l => G l w) (ends_at d Y L sigma t rule (fun l => G l w) i) in
      sum m (fun i => f i (best i) - f i (played_at d Y L sigma t rule (fun l => G l w) i)) <= valQ claim.
Proof.
move=> ok; have [d01 [pk [r0 [hE [B0 [wide [tq [c0 [c1 [g [ts [c10 [maj [le above]]]]]]]]]]]]]] := own_parts prec p q claim ok.
split=> // sigma s0 sE dT T P G d L t rule beta normals t01 law mrule enough policy.
have hF : time_of p = forgetting (slope_of (clock p)) by apply: funext => u; apply: funext => v; exact: hE.
have pY : kernel Y (over_space p) by move=> N x; exact: (pk N (fun i => point p (x i))).
have kone z : over_space p z z = 1 by exact: space_one.
have one i : exists W : nat, (i < n)%coq_nat -> [/\ (0 < W)%coq_nat, slope_of (clock p) * (INR (S i) * valQ (longest q)) * beta i <= INR W,
    2 * ln (4 * exp 1 * size Y * INR W / share (valQ (problems.delta p)) i) <= beta i & beta i <= valQ (widest q)].
  have [hi|hi] := Nat.lt_ge_cases i n; last by exists O; lia.
  by have [[W [W0 [reach weight]]] small] := enough i hi; exists W => _; rewrite sizeE.
have [W hW] := choice one.
rewrite hF in law policy.
have wins i (hi : (i < n)%coq_nat) : (0 < W i)%coq_nat /\ slope_of (clock p) * (INR (S i) * valQ (longest q)) * beta i <= INR (W i).
  by have [] := hW i hi.
have wts i (hi : (i < n)%coq_nat) : 2 * ln (4 * exp 1 * size Y * INR (W i) / share (valQ (problems.delta p)) i) <= beta i.
  by have [] := hW i hi.
have [bad [small good]] := theorem_c_probability.theorem_c_with_probability dT T P G d n Y L sigma t rule (over_space p)
  (slope_of (clock p)) (valQ (longest q)) (valQ (problems.delta p)) W beta normals s0 (proj1 d01) r0 pY kone t01 law mrule
  wins wts (proj2 d01) policy.
exists bad; split=> // w fine m best mn f; have [rounds _] := good w fine.
pose x := played_at d Y L sigma t rule (fun l => G l w); pose tau := ends_at d Y L sigma t rule (fun l => G l w).
pose h := forgetting (slope_of (clock p)).
have loss i (hi : (i < n)%coq_nat) : f i (best i) - f i (x i) <=
    3064 / 1000 * (sqrt (valQ (widest q)) * deviation Y (over_space p) h (s_of p) x tau i (x i)).
  apply: Rle_trans (rounds i (best i) hi) _; rewrite sE -theorem_c.deviation_at.
  apply: Rmult_le_compat_l; first lra.
  by apply: Rmult_le_compat_r; [exact: sqrt_pos | apply: sqrt_le_1_alt; have [] := hW i hi].
have c306 : 0 <= 3064 / 1000 by lra.
have step i : (S i < n)%coq_nat -> 0 <= tau (S i) - tau i <= valQ (longest q).
  move=> _; have -> : tau (S i) = tau i + t (x (S i)) by [].
  by have := t01 (x (S i)); lra.
have := own_gain.own_envelope Y (over_space p) h (s_of p) (valQ tq) n x tau
  (fun i => f i (best i) - f i (x i)) _ _ _ c0 c1 ts pY (forgetting_kernel _ r0) (fun z => Req_le _ _ (kone z))
  (forgetting_unit _) c306 B0 loss => run.
case: above => [c1E | above].
  by apply: Rle_trans (run _ (Rle_refl _) c10 maj m mn) _; apply: Rle_trans le; rewrite c1E !Rmult_0_l; exact: Rle_refl.
apply: Rle_trans (run g _ c10 maj m mn) le.
have t0 : 0 < valQ tq by case: ts.
apply: Rle_trans (own_gain.longer_steps _ _ tau n r0 step Y (over_space p) _ x t0 pY) _.
apply: Rle_trans (above (fun i => point p (x i)) (fun i _ => point_in p (x i))).
rewrite /gain_of /= running_length List.repeat_length; right; apply: gain_ext => i j hi hj.
rewrite /joint; congr (_ * _).
by rewrite /h -hE -!(steps_even p (longest q)).
Qed.
End OwnTimes.
End Headline.
