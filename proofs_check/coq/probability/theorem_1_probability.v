(******************************************************************************)
(*                       Theorem 1 with its probability                       *)
(*                                                                            *)
(* On every finite domain, for every round up to a horizon at once.           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   regret_with_probability == from any bounds on the gain                   *)
(*   theorem_1_with_probability == with the bound of Theorem 1, each round    *)
(*       with a partition of its own                                          *)
(*                                                                            *)
(* Rests on: library, vectors, adaptive_confidence, definitions, sums, gains, *)
(* theorem_1, events, finite_domain, outcomes, any_space.                     *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import classical_sets.
From mathcomp Require Import Rstruct reals ereal measure.
From CTV Require Import library.
From CTV Require Import vectors adaptive_confidence.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums gains theorem_1 events.
From CTV Require finite_domain.
From CTV Require Import outcomes any_space.
Open Scope R_scope.

Lemma width_grows p delta i j : 0 < p -> 0 < delta -> (i <= j)%coq_nat -> width p delta i <= width p delta j.
Proof.
move=> hp hd ij; apply: Rmult_le_compat_l; first by lra.
have i0 : 0 < INR (S i) by apply: lt_0_INR; lia.
have ij' : INR (S i) <= INR (S j) by apply: le_INR; lia.
have P0 := PI_RGT_0; have P2 : 0 < PI ^ 2 by apply: pow_lt.
have i2 : 0 < INR (S i) ^ 2 by apply: pow_lt.
have r : INR (S i) ^ 2 <= INR (S j) ^ 2 by apply: pow_incr; lra.
have c0 : 0 < p * PI ^ 2 by exact: Rmult_lt_0_compat.
apply: ln_le; first by apply: Rdiv_lt_0_compat; [exact: Rmult_lt_0_compat | lra].
apply: Rmult_le_compat_r; first by left; apply: Rinv_0_lt_compat; lra.
apply: Rmult_le_compat_l => //; lra.
Qed.

Lemma width_ge0 p delta i : 1 <= p -> 0 < delta <= 1 -> 0 <= width p delta i.
Proof.
move=> hp [d0 d1]; suff : 0 <= ln (p * PI ^ 2 * INR (S i) ^ 2 / (6 * delta)) by rewrite /width; lra.
apply: ln_ge0.
have i1 : 1 <= INR (S i) by have := le_INR 1 (S i) ltac:(lia); rewrite /=; lra.
have := PI2_3_2; have := PI_RGT_0 => P0 P2.
have i2 : 1 <= INR (S i) ^ 2 by nra.
have P6 : 6 <= PI ^ 2 by nra.
have pP : 6 <= p * PI ^ 2 by nra.
have q : 6 <= p * PI ^ 2 * INR (S i) ^ 2 by nra.
apply: (Rmult_le_reg_r (6 * delta)); first by lra.
rewrite /Rdiv Rmult_assoc Rinv_l; last by lra.
lra.
Qed.

(* every round up to the horizon N at once, each with a partition of its own *)
Section theorem_1.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (Y : finType) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (sigma delta : R) (d N : nat)
  (L : nat -> Y -> nat -> R) (rule : forall j, vec RR j -> Y).
Notation s := (/ sigma ^ 2).
Notation beta := (width (INR #|Y|) delta).
Hypotheses (sigma0 : 0 < sigma) (delta01 : 0 < delta <= 1) (pk : kernel Y k) (ph : kernel R h).
Hypotheses (k1 : forall z, k z z <= 1) (h1 : forall t, h t t = 1).
Hypothesis normals : independent_normals dT T P (d + N) G.
Hypothesis law : has_kernel d N Y L k h tau.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis policy : forall w, follows d Y L sigma rule N k h tau beta (fun l => G l w).

Let s0 : 0 < s. Proof. by apply: Rinv_0_lt_compat; apply: pow_lt. Qed.
Let y0 : Y := rule O tt.
Let Y1 : 1 <= INR #|Y|.
Proof.
have -> : 1 = INR 1 by [].
by apply: le_INR; apply/ssrnat.leP/card_gt0P; exists y0.
Qed.

Lemma betas n i : (i < n)%coq_nat -> 0 <= beta i <= beta (Nat.pred n).
Proof. by move=> hi; split; [exact: width_ge0 | apply: width_grows; [lra|lra|lia]]. Qed.

(* any bounds on the gains of all sequences of n points *)
Theorem regret_with_probability (g : nat -> R) :
  (forall n x, (n <= N)%coq_nat -> gain s n (joint Y k h x tau) <= g n) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists n, (n <= N)%coq_nat /\
    loses d Y L sigma rule n (sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * g n)) (fun l => G l w)) q.
Proof.
move=> hg; apply: (with_probability dT T P G d N Y L sigma rule k h tau delta normals sigma0 delta01 law mrule
  (fun n => sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * g n))) => w n nN near best.
apply: (finite_domain.finite_regret Y k h s _ beta n (played d Y L sigma rule (fun l => G l w)) tau
  (value d Y L (fun l => G l w)) _ _ s0 pk ph k1 h1 _ _ _ (hg n _ nN)).
- exact: betas.
- by move=> i z hi; apply: policy; lia.
- by move=> i z hi; apply: near; lia.
Qed.

Theorem theorem_1_with_probability theta gamma (blocks : nat -> list nat) :
  (forall n, (n <= N)%coq_nat -> total (blocks n) = n) -> 0 <= theta ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  exists q, q < delta /\ at_most dT T P (fun w => exists n, (n <= N)%coq_nat /\
    loses d Y L sigma rule n (sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n))))
      (fun l => G l w)) q.
Proof.
move=> e t0 hp sl bg.
apply: (regret_with_probability (fun n => INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n))) => n x nN.
by rewrite -{1}(e n nN); apply: theorem_1_gain => //; lra.
Qed.
End theorem_1.
