(******************************************************************************)
(*                 Theorem 1 with its probability on the box                  *)
(*                                                                            *)
(* A measurable rule plays points of [0, r]^m; the objective is a Gaussian    *)
(* process of any rank, differentiable and with slopes of the law of          *)
(* Assumption 1 (III).                                                        *)
(*                                                                            *)
(* Statements:                                                                *)
(*   lipschitz == from slopes to the values at two points                     *)
(*   good_event == slopes, values at the grid and at the point played         *)
(*   regret_with_probability == the regret of every round up to a horizon at  *)
(*       once, from any bounds on the gain                                    *)
(*   theorem_1_box == the same with the bound of Theorem 1                    *)
(*                                                                            *)
(* Rests on: library, measures, vectors, scalar, definitions, sums,           *)
(* theorem_1, slopes, events, outcomes, box_grid, box_confidence.             *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp classical_sets.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure.
From CTV Require Import library measures.
From CTV Require Import vectors.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import scalar definitions sums theorem_1 slopes events outcomes box_grid box_confidence.
Open Scope R_scope.

Section box.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (dY : measure_display) (Y : measurableType dY) (place : Y -> nat -> R).
Variables (dV : measure_display) (V : measurableType dV) (U : T -> V).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (sigma delta : R) (N m : nat) (r a b : R).
Variables (F : nat -> (nat -> R) -> V -> R) (M : nat -> (nat -> R) -> nat -> V -> R) (rule : policy_on Y).
Notation at_place := (fun i z u => F i (place z) u).
Notation f := (fun i z w => F i (place z) (U w)).
Notation e := (fun i w => sigma * G i w).
Notation s := (/ sigma ^ 2).
Notation beta := (box_width m r a b delta).
Notation x w := (chosen T Y f e rule w).
Notation y w := (reply T Y f e rule w).
Hypotheses (sigma0 : 0 < sigma) (delta01 : 0 < delta <= 1) (pk : kernel Y k) (ph : kernel R h).
Hypotheses (k1 : forall z, k z z <= 1) (h1 : forall t, h t t = 1).
Hypotheses (normals : independent_normals dT T P N G) (drawn : independent_draws dT T P N G dV V U).
Hypothesis gp : is_gaussian_process dT T P N Y k h tau f.
Hypotheses (mf : measurable_objective dY Y dV V at_place) (mk_ : measurable_kernel dY Y k) (mrule : measurable_policy dY Y rule).
Hypotheses (m0 : (0 < m)%coq_nat) (r0 : 0 < r) (a1 : 1 <= a) (b0 : 0 < b).
Hypothesis box : is_box m r Y place.
Hypothesis smooth : forall i u, (i < N)%coq_nat -> has_slopes m r (fun p => F i p u) (fun p j => M i p j u).
Hypothesis slopes_ : slope_tails dT T P m N r (fun i p j w => M i p j (U w)) a b.
Hypothesis policy : forall w, follows_first T Y f e rule N sigma k h tau beta w.

(* slopes of at most c: values at points of the box differ by at most c times their l1 distance *)
Lemma lipschitz w i c z z' : (i < N)%coq_nat ->
  (forall p j, (j < m)%coq_nat -> in_box m r p -> Rabs (M i p j (U w)) <= c) ->
  Rabs (f i z' w - f i z w) <= c * sum m (fun j => Rabs (place z' j - place z j)).
Proof.
move=> hi steep; pose p := place z; pose v j := place z' j - place z j.
have [inb _] := box.
have e1 : (fun j => p j + 1 * v j) = place z' by apply: funext => j; rewrite /p /v; ring.
have e0 : (fun j => p j + 0 * v j) = place z by apply: funext => j; rewrite /p /v; ring.
pose along_ u := F i (fun j => p j + u * v j) (U w).
have -> : F i (place z') (U w) - F i (place z) (U w) = along_ 1 - along_ 0 by rewrite /along_ e1 e0.
apply: (along_segment m v along_ (fun t j => M i (fun e => p e + t * v e) j (U w))) => [t ht|t j ht hj].
  apply: (smooth i (U w) hi) => // l hl; first exact: inb.
  by rewrite /p /v; have := inb z' l hl; lra.
by apply: steep => // l hl; rewrite /p /v; have := inb z l hl; have := inb z' l hl; nra.
Qed.

(* a grid of each round *)
Lemma grids : exists Z : nat -> list Y, forall i, INR (length (Z i)) <= Rmax 1 (steps m r a b delta i) ^ m /\
  forall p, in_box m r p -> exists z, In z (Z i) /\ forall j, (j < m)%coq_nat -> Rabs (p j - place z j) <= r / steps m r a b delta i.
Proof.
have g i := grid m r _ Y place r0 (steps_pos m r a b delta m0 r0 a1 b0 delta01 i) box.
by exists (fun i => proj1_sig (cid (g i))) => i; exact: (proj2_sig (cid (g i))).
Qed.

Notation miss z i w := (sqrt (beta i) * deviation Y k h s (x w) tau i z <
  Rabs (f i z w - prediction Y k h s (x w) tau (y w) i z)).

(* some round where a slope is too large anywhere, or a value at the grid or at the point played is far from its mean *)
Lemma good_event : exists (bad : T -> Prop) (Z : nat -> list Y), (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i, (i < N)%coq_nat ->
    (forall p j, (j < m)%coq_nat -> in_box m r p -> Rabs (M i p j (U w)) <= steepest m a b delta i) /\
    (forall z, In z (Z i) \/ z = x w i -> ~ miss z i w) /\
    forall p, in_box m r p -> exists z, In z (Z i) /\ forall j, (j < m)%coq_nat -> Rabs (p j - place z j) <= r / steps m r a b delta i.
Proof.
have [Z hZ] := grids.
have c0 i : 0 <= steepest m a b delta i by left; exact: steepest_pos.
have tails := confidence dT T P G dY Y dV V N U at_place sigma rule k h tau normals drawn sigma0 gp mf mk_ mrule beta Z
  (width_pos m r a b delta m0 delta01).
pose E i j : T -> Prop := match lt_dec i N, lt_dec j m with
  | left hi, left hj => proj1_sig (cid (slopes_ i j _ hi hj (c0 i))) | _, _ => fun=> False end.
have hE i j : (i < N)%coq_nat -> (j < m)%coq_nat ->
    at_most dT T P (E i j) (a * exp (- (steepest m a b delta i / b) ^ 2)) /\
    forall w p, ~ E i j w -> in_box m r p -> Rabs (M i p j (U w)) <= steepest m a b delta i.
  by move=> hi hj; rewrite /E; case: lt_dec => // hi'; case: lt_dec => // hj'; exact: (proj2_sig (cid (slopes_ i j _ hi' hj' (c0 i)))).
pose steep_ := one_of T N (fun i => one_of T m (E i)).
pose far_ (w : T) := exists i z, (i < N)%coq_nat /\ (In z (Z i) \/ z = x w i) /\ miss z i w.
pose q1 := sum N (fun i => sum m (fun=> a * exp (- (steepest m a b delta i / b) ^ 2))).
pose q2 := sum N (fun i => INR (S (length (Z i))) * (2 * normal_cdf (- sqrt (beta i)))).
have a1_ : at_most dT T P steep_ q1.
  by apply: union_bound => i hi; apply: union_bound => j hj; exact: (proj1 (hE i j hi hj)).
exists (one_of T 2 (fun l => if l is O then steep_ else far_)), Z; split.
  exists (sum 2 (fun l => if l is O then q1 else q2)); split; last first.
    by apply: union_bound => -[|[|l]] hl //; lia.
  have e1 : q1 = sum N (fun i => share delta i / 2).
    by apply: sum_ext => i _; rewrite sum_const; exact: steep_share.
  have e2 : q2 <= sum N (fun i => share delta i / 2).
    apply: sum_le => i _; rewrite S_INR; apply: tails_share => //; exact: (proj1 (hZ i)).
  have := shares N delta ltac:(lra).
  have -> : sum N (share delta) = sum N (fun i => share delta i / 2) + sum N (fun i => share delta i / 2).
    by rewrite -sum_plus; apply: sum_ext => i _; lra.
  by rewrite /= e1; lra.
move=> w fine i hi; split=> [p j hj hp|].
  apply: (proj2 (hE i j hi hj)) => // bad; apply: fine; exists O; split; first by lia.
  by exists i; split=> //; exists j.
split=> [z hz bad|]; last exact: (proj2 (hZ i)).
by apply: fine; exists 1%nat; split; [lia | exists i, z].
Qed.

(* any bounds g on the gain *)
Theorem regret_with_probability (g : nat -> R) :
  (forall n p, (n <= N)%coq_nat -> gain s n (joint Y k h p tau) <= g n) ->
  exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall n (best : nat -> Y), (n <= N)%coq_nat ->
    sum n (fun i => f i (best i) w - f i (x w i) w) <=
    sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * g n) + 2.
Proof.
move=> hg; have [bad [Z [small good]]] := good_event; exists bad; split=> // w fine n best nN.
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
have widths i : (i < n)%coq_nat -> 0 <= beta i <= beta (Nat.pred n).
  by move=> hi; split; [exact: width_pos | apply: width_up => //; lia].
have pol : upper_confidence_policy Y (prediction Y k h s (x w) tau (y w)) (deviation Y k h s (x w) tau) beta n (x w).
  by move=> i z hi; apply: (policy w); lia.
have near : confidence_event Y (prediction Y k h s (x w) tau (y w)) (deviation Y k h s (x w) tau) beta n (x w)
    (fun i => f i (x w i) w) (fun i => f i (best i) w).
  move=> i hi; have [steep [near net]] := good w fine i ltac:(lia).
  have near' z : In z (Z i) \/ z = x w i -> Rabs (f i z w - prediction Y k h s (x w) tau (y w) i z) <=
      sqrt (beta i) * deviation Y k h s (x w) tau i z by move=> hz; apply: Rnot_lt_le; exact: near.
  split; first by apply: near'; right.
  have [z [hz d0]] := net _ (proj1 box (best i)); exists z.
  have := near' z (or_introl hz); have := lipschitz w i _ z (best i) ltac:(lia) steep.
  have : steepest m a b delta i * sum m (fun j => Rabs (place (best i) j - place z j)) <= / INR (i + 1) ^ 2.
    rewrite -(step_cost m r a b delta m0 r0 a1 b0 delta01); apply: Rmult_le_compat_l.
      by left; exact: steepest_pos.
    by rewrite -sum_const; apply: sum_le => j hj; exact: d0.
  move=> l1 l2 l3; have := Rabs_triang (f i (best i) w - f i z w)
    (f i z w - prediction Y k h s (x w) tau (y w) i z).
  rewrite (_ : _ - _ + (_ - _) = f i (best i) w - prediction Y k h s (x w) tau (y w) i z); last by ring.
  lra.
apply: Rle_trans (regret_gain Y k h s s _ beta n (x w) tau _ _ (beta (Nat.pred n)) ltac:(lra) pk ph k1 h1 widths pol near) _.
apply: Rplus_le_compat_r; apply: sqrt_le_1_alt.
have [->|n0] : n = O \/ (0 < n)%coq_nat by lia.
  by rewrite /= Rmult_0_r !Rmult_0_l; lra.
apply: Rmult_le_compat_l; last exact: hg.
have l0 : 0 < ln (1 + s) by rewrite -ln_1; apply: ln_increasing; lra.
apply: Rmult_le_pos; last exact: pos_INR.
by apply: Rmult_le_pos; [left; apply: Rdiv_lt_0_compat; lra | have := widths O n0; lra].
Qed.

Theorem theorem_1_box theta gamma (blocks : nat -> list nat) :
  (forall n, (n <= N)%coq_nat -> total (blocks n) = n) -> 0 <= theta ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall n (best : nat -> Y), (n <= N)%coq_nat ->
    sum n (fun i => f i (best i) w - f i (x w i) w) <=
    sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i l q =>
         INR q * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau l q / INR q))) 0 0 (blocks n))) + 2.
Proof.
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
move=> part t0 hp sl bg; apply: (regret_with_probability (fun n => INR (length (blocks n)) * gamma (longest (blocks n)) +
  / 2 * over_blocks (fun i l q =>
    INR q * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau l q / INR q))) 0 0 (blocks n))) => n p nN.
by rewrite -{1}(part n nN); apply: theorem_1_gain => //; lra.
Qed.
End box.
