(******************************************************************************)
(*                        Theorem 1 at every round at once                    *)
(*                                                                            *)
(* The bound for the first n rounds does not depend on a horizon, and the     *)
(* events of longer and longer horizons grow: their union has at most the     *)
(* probability delta.                                                         *)
(*                                                                            *)
(* Statements:                                                                *)
(*   at_every_round == from any bounds on the gain                            *)
(*   theorem_1_every_round == with the bound of Theorem 1                     *)
(*                                                                            *)
(* Rests on: library, vectors, adaptive_confidence, definitions, sums, gains, *)
(* theorem_1, outcomes, any_space, theorem_1_probability.                     *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp classical_sets functions.
From mathcomp Require Import Rstruct reals ereal topology normedtype sequences measure.
From CTV Require Import library.
From CTV Require Import vectors adaptive_confidence.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums gains theorem_1 outcomes any_space theorem_1_probability.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Section every_round.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T).
Variables (Y : finType) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (sigma delta : R).
Variables (f : nat -> Y -> T -> R) (e : nat -> T -> R) (rule : policy_on Y).
Notation s := (/ sigma ^ 2).
Notation beta := (width (size Y) delta).
Hypotheses (sigma0 : 0 < sigma) (delta01 : 0 < delta <= 1) (pk : kernel Y k) (ph : kernel R h).
Hypotheses (k1 : forall z, k z z <= 1) (h1 : forall t, h t t = 1).
Hypothesis gp : gaussian_objective dT T P Y sigma k h tau f e.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis policy : forall w, always_follows T Y f e rule sigma k h tau beta w.

(* the first n rounds are those of a run of outcomes.v *)
Section first_rounds.
Variables (n d : nat) (L : nat -> Y -> nat -> R) (G : nat -> T -> R).
Hypothesis same : forall w i, (i < n)%coq_nat ->
  (forall z, f i z w = value d Y L (fun l => G l w) i z) /\ e i w = noise d sigma (fun l => G l w) i.

Lemma told_seen w j : (j <= n)%coq_nat -> told T Y f e rule j w = seen d Y L sigma rule j (fun l => G l w).
Proof.
elim: j => //= j IH hj; have [fv en] := same w j hj.
by rewrite IH ?fv ?en //; lia.
Qed.

Lemma chosen_played w i : (i <= n)%coq_nat -> chosen T Y f e rule w i = played d Y L sigma rule (fun l => G l w) i.
Proof. by move=> hi; rewrite /chosen told_seen. Qed.

Lemma reply_answer w i : (i < n)%coq_nat -> reply T Y f e rule w i = answer d Y L sigma rule (fun l => G l w) i.
Proof.
move=> hi; have [fv en] := same w i hi; rewrite /reply /answer fv en chosen_played //; lia.
Qed.

Lemma sums_same w m best : (m <= n)%coq_nat -> sum m (fun i => f i (best i) w - f i (chosen T Y f e rule w i) w) =
  sum m (fun i => value d Y L (fun l => G l w) i (best i) - value d Y L (fun l => G l w) i (played d Y L sigma rule (fun l => G l w) i)).
Proof.
move=> mn; apply: sum_ext => i hi; have [fv _] := same w i ltac:(lia).
by rewrite !fv chosen_played //; lia.
Qed.

Lemma follows_first w : follows d Y L sigma rule n k h tau beta (fun l => G l w).
Proof.
move=> i z hi; have := policy w n i z hi.
have ex j : (j < i)%N -> chosen T Y f e rule w j = played d Y L sigma rule (fun l => G l w) j.
  by move=> /ssrnat.ltP ji; apply: chosen_played; lia.
have ey j : (j < i)%N -> reply T Y f e rule w j = answer d Y L sigma rule (fun l => G l w) j.
  by move=> /ssrnat.ltP ji; apply: reply_answer; lia.
have -> : chosen T Y f e rule w i = played d Y L sigma rule (fun l => G l w) i by apply: chosen_played; lia.
by rewrite !(prediction_ext _ _ _ _ _ _ _ _ _ _ _ ex ey) !(deviation_ext _ _ _ _ _ _ _ _ _ ex).
Qed.
End first_rounds.

Definition lost_by (c : nat -> R) (N : nat) : set T :=
  [set w | exists n, (n <= N)%coq_nat /\ exists best : nat -> Y, c n < sum n (fun i => f i (best i) w - f i (chosen T Y f e rule w i) w)]%classic.

Theorem at_every_round (g : nat -> R) :
  (forall n x, gain s n (joint Y k h x tau) <= g n) ->
  at_most dT T P (ever_loses T Y f e rule (fun n => sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * g n))) delta.
Proof.
move=> hg; set c := fun n => sqrt _.
have part N : measurable (lost_by c N) /\ (Measure.sort P (lost_by c N) <= delta%:E)%E.
  have [d [L [G [normals [law same]]]]] := gp N.
  have [q [qd [mE le]]] := regret_with_probability dT T P G Y k h tau sigma delta d N L rule sigma0 delta01 pk ph k1 h1 normals law
    mrule (follows_first N d L G same) g (fun n x _ => hg n x).
  have E : (fun w => exists n, (n <= N)%coq_nat /\ loses d Y L sigma rule n (c n) (fun l => G l w)) = lost_by c N.
    apply/seteqP; split=> w [n [nN [best lt]]]; exists n; split=> //; exists best; move: lt;
      by rewrite (sums_same N d L G same w n best nN).
  rewrite E in mE le; split=> //; apply: le_trans le _; rewrite lee_fin; apply/RleP; lra.
have -> : ever_loses T Y f e rule c = (\bigcup_N lost_by c N)%classic.
  apply/seteqP; split=> w.
    by case=> n [best lt]; exists n => //; exists n; split; [lia | exists best].
  by case=> N _ [n [_ [best lt]]]; exists n, best.
have mU : measurable (\bigcup_N lost_by c N)%classic by apply: bigcupT_measurable => N; case: (part N).
split=> //.
have up : nondecreasing_seq (lost_by c).
  move=> a b ab; apply/subsetPset => w [n [na lost]]; exists n; split=> //.
  by have /ssrnat.leP := ab; lia.
have lim := nondecreasing_cvg_mu (mu := P) (fun N => proj1 (part N)) mU up.
rewrite -(cvg_lim _ lim) //; apply: lime_le; first by apply/cvg_ex; exists (Measure.sort P (\bigcup_N lost_by c N)%classic).
by apply: nearW => N; case: (part N).
Qed.

Theorem theorem_1_every_round theta gamma (blocks : nat -> list nat) :
  (forall n, total (blocks n) = n) -> 0 <= theta ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  at_most dT T P (ever_loses T Y f e rule (fun n => sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n))))) delta.
Proof.
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
move=> tot t0 hp sl bg; apply: at_every_round => n x.
by rewrite -{1}(tot n); apply: theorem_1_gain => //; lra.
Qed.
End every_round.
