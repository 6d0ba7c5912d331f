(******************************************************************************)
(*                 Theorem 1 with its probability on the box                  *)
(*                                                                            *)
(* A measurable rule plays points of [0, r]^m; the objective has finitely     *)
(* many features, differentiable and with slopes of the law of Assumption 1   *)
(* (III).                                                                     *)
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
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (sigma delta : R) (d N m : nat) (r a b : R).
Variables (W : nat -> (nat -> R) -> nat -> R) (M : nat -> (nat -> R) -> nat -> nat -> R) (rule : policy_on Y).
Notation L := (fun i z l => W i (place z) l).
Notation s := (/ sigma ^ 2).
Notation beta := (box_width m r a b delta).
Notation out w := (fun l => G l w).
Notation x w := (played d Y L sigma rule (out w)).
Notation y w := (answer d Y L sigma rule (out w)).
Hypotheses (sigma0 : 0 < sigma) (delta01 : 0 < delta <= 1) (pk : kernel Y k) (ph : kernel R h).
Hypotheses (k1 : forall z, k z z <= 1) (h1 : forall t, h t t = 1).
Hypothesis normals : independent_normals dT T P (d + N) G.
Hypothesis law : has_kernel d N Y L k h tau.
Hypotheses (mL : measurable_weights dY Y L) (mrule : measurable_policy dY Y rule).
Hypotheses (m0 : (0 < m)%coq_nat) (r0 : 0 < r) (a1 : 1 <= a) (b0 : 0 < b).
Hypothesis box : is_box m r Y place.
Hypothesis smooth : forall i, (i < N)%coq_nat -> has_slopes m d r (W i) (M i).
Hypothesis slopes_ : slope_tails dT T P G m d N r M a b.
Hypothesis policy : forall w, follows d Y L sigma rule N k h tau beta (out w).

(* slopes of at most c: values at points of the box differ by at most c times their l1 distance *)
Lemma lipschitz w i c z z' : (i < N)%coq_nat ->
  (forall p j, (j < m)%coq_nat -> in_box m r p -> Rabs (sum d (fun l => M i p j l * G l w)) <= c) ->
  Rabs (value d Y L (out w) i z' - value d Y L (out w) i z) <= c * sum m (fun j => Rabs (place z' j - place z j)).
Proof.
move=> hi steep; pose p := place z; pose v j := place z' j - place z j.
have [inb _] := box.
have e1 : (fun j => p j + 1 * v j) = place z' by apply: funext => j; rewrite /p /v; ring.
have e0 : (fun j => p j + 0 * v j) = place z by apply: funext => j; rewrite /p /v; ring.
pose f u := sum d (fun l => W i (fun j => p j + u * v j) l * G l w).
have -> : value d Y L (out w) i z' - value d Y L (out w) i z = f 1 - f 0 by rewrite /f e1 e0.
apply: (along_segment m v f (fun t j => sum d (fun l => M i (fun e => p e + t * v e) j l * G l w))) => [t ht|t j ht hj]; last first.
  apply: steep => // e he; rewrite /p /v; have := inb z e he; have := inb z' e he; nra.
have -> : sum m (fun j => sum d (fun l => M i (fun e => p e + t * v e) j l * G l w) * v j) =
    sum d (fun l => G l w * sum m (fun j => M i (fun e => p e + t * v e) j l * v j)).
  rewrite (sum_ext m _ (fun j => sum d (fun l => G l w * (M i (fun e => p e + t * v e) j l * v j)))); last first.
    by move=> j _; rewrite -sum_scalr; apply: sum_ext => l _; ring.
  by rewrite sum_swap; apply: sum_ext => l _; rewrite sum_scal.
have slope l : (l < d)%coq_nat -> derivable_pt_lim (fun u => W i (fun j => p j + u * v j) l) t
    (sum m (fun j => M i (fun e => p e + t * v e) j l * v j)).
  move=> hl; apply: (smooth i hi) => // e he; first exact: inb.
  by rewrite /p /v; have := inb z' e he; lra.
suff gen q : (q <= d)%coq_nat -> derivable_pt_lim (fun u => sum q (fun l => W i (fun j => p j + u * v j) l * G l w)) t
    (sum q (fun l => G l w * sum m (fun j => M i (fun e => p e + t * v e) j l * v j))) by exact: gen.
elim: q => [|q IH] hq; first exact: (derivable_pt_lim_const 0 t).
apply: (derivable_pt_lim_plus (fun u => sum q (fun l => W i (fun j => p j + u * v j) l * G l w))
  (fun u => W i (fun j => p j + u * v j) q * G q w)); first by apply: IH; lia.
have -> : (fun u => W i (fun j => p j + u * v j) q * G q w) = mult_real_fct (G q w) (fun u => W i (fun j => p j + u * v j) q).
  by apply: funext => u; rewrite /mult_real_fct Rmult_comm.
by apply: derivable_pt_lim_scal; apply: slope; lia.
Qed.

(* a grid of each round *)
Lemma grids : exists Z : nat -> list Y, forall i, INR (length (Z i)) <= Rmax 1 (steps m r a b delta i) ^ m /\
  forall p, in_box m r p -> exists z, In z (Z i) /\ forall j, (j < m)%coq_nat -> Rabs (p j - place z j) <= r / steps m r a b delta i.
Proof.
have g i := grid m r _ Y place r0 (steps_pos m r a b delta m0 r0 a1 b0 delta01 i) box.
by exists (fun i => proj1_sig (cid (g i))) => i; exact: (proj2_sig (cid (g i))).
Qed.

Notation miss z i w := (sqrt (beta i) * deviation Y k h s (x w) tau i z <
  Rabs (value d Y L (out w) i z - prediction Y k h s (x w) tau (y w) i z)).

(* some round where a slope is too large anywhere, or a value at the grid or at the point played is far from its mean *)
Lemma good_event : exists (bad : T -> Prop) (Z : nat -> list Y), (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i, (i < N)%coq_nat ->
    (forall p j, (j < m)%coq_nat -> in_box m r p -> Rabs (sum d (fun l => M i p j l * G l w)) <= steepest m a b delta i) /\
    (forall z, In z (Z i) \/ z = x w i -> ~ miss z i w) /\
    forall p, in_box m r p -> exists z, In z (Z i) /\ forall j, (j < m)%coq_nat -> Rabs (p j - place z j) <= r / steps m r a b delta i.
Proof.
have [Z hZ] := grids.
have c0 i : 0 <= steepest m a b delta i by left; exact: steepest_pos.
have tails := confidence dT T P G dY Y d N L sigma rule k h tau normals sigma0 law mL mrule beta Z
  (width_pos m r a b delta m0 delta01).
pose E i j : T -> Prop := match lt_dec i N, lt_dec j m with
  | left hi, left hj => proj1_sig (cid (slopes_ i j _ hi hj (c0 i))) | _, _ => fun=> False end.
have hE i j : (i < N)%coq_nat -> (j < m)%coq_nat ->
    at_most dT T P (E i j) (a * exp (- (steepest m a b delta i / b) ^ 2)) /\
    forall w p, ~ E i j w -> in_box m r p -> Rabs (sum d (fun l => M i p j l * G l w)) <= steepest m a b delta i.
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
    sum n (fun i => value d Y L (out w) i (best i) - value d Y L (out w) i (x w i)) <=
    sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * g n) + 2.
Proof.
move=> hg; have [bad [Z [small good]]] := good_event; exists bad; split=> // w fine n best nN.
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
have widths i : (i < n)%coq_nat -> 0 <= beta i <= beta (Nat.pred n).
  by move=> hi; split; [exact: width_pos | apply: width_up => //; lia].
have pol : upper_confidence_policy Y (prediction Y k h s (x w) tau (y w)) (deviation Y k h s (x w) tau) beta n (x w).
  by move=> i z hi; apply: (policy w); lia.
have near : confidence_event Y (prediction Y k h s (x w) tau (y w)) (deviation Y k h s (x w) tau) beta n (x w)
    (fun i => value d Y L (out w) i (x w i)) (fun i => value d Y L (out w) i (best i)).
  move=> i hi; have [steep [near net]] := good w fine i ltac:(lia).
  have near' z : In z (Z i) \/ z = x w i -> Rabs (value d Y L (out w) i z - prediction Y k h s (x w) tau (y w) i z) <=
      sqrt (beta i) * deviation Y k h s (x w) tau i z by move=> hz; apply: Rnot_lt_le; exact: near.
  split; first by apply: near'; right.
  have [z [hz d0]] := net _ (proj1 box (best i)); exists z.
  have := near' z (or_introl hz); have := lipschitz w i _ z (best i) ltac:(lia) steep.
  have : steepest m a b delta i * sum m (fun j => Rabs (place (best i) j - place z j)) <= / INR (i + 1) ^ 2.
    rewrite -(step_cost m r a b delta m0 r0 a1 b0 delta01); apply: Rmult_le_compat_l.
      by left; exact: steepest_pos.
    by rewrite -sum_const; apply: sum_le => j hj; exact: d0.
  move=> l1 l2 l3; have := Rabs_triang (value d Y L (out w) i (best i) - value d Y L (out w) i z)
    (value d Y L (out w) i z - prediction Y k h s (x w) tau (y w) i z).
  rewrite (_ : _ - _ + (_ - _) = value d Y L (out w) i (best i) - prediction Y k h s (x w) tau (y w) i z); last by ring.
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
    sum n (fun i => value d Y L (out w) i (best i) - value d Y L (out w) i (x w i)) <=
    sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n))) + 2.
Proof.
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
move=> part t0 hp sl bg; apply: (regret_with_probability (fun n => INR (length (blocks n)) * gamma (longest (blocks n)) +
  / 2 * over_blocks (fun i e l =>
    INR l * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau e l / INR l))) 0 0 (blocks n))) => n p nN.
by rewrite -{1}(part n nN); apply: theorem_1_gain => //; lra.
Qed.
End box.
