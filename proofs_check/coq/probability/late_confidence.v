(******************************************************************************)
(*                The confidence event where answers come late                *)
(*                                                                            *)
(* Round i, which knows m answers, is round m of a problem where that round   *)
(* has the values and the time of round i: what all rounds miss together is   *)
(* at most the sum of what each misses in its own problem.                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   late_confidence == the event, on any space                               *)
(*   late_regret_with_probability == from any bounds on the gain, for all     *)
(*       rounds at once                                                       *)
(*   late_theorem_1 == with the bound of Theorem 1                            *)
(*                                                                            *)
(* Rests on: library, measures, vectors, adaptive_posterior,                  *)
(* adaptive_confidence, confidence_to_regret, scalar, normal, definitions,    *)
(* sums, gains, events, theorem_1, outcomes, joint_law, any_space,            *)
(* runs_on_vectors, theorem_1_probability, late_regret.                       *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import vectors adaptive_posterior adaptive_confidence.
From CTV Require confidence_to_regret.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import scalar normal definitions sums gains events theorem_1 outcomes joint_law any_space.
From CTV Require Import runs_on_vectors.
From CTV Require theorem_1_probability.
From CTV Require Import late_regret.
Import Order.TTheory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* one round, on R^(d+n) *)
Section round.
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypothesis sigma0 : 0 < sigma.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis law : has_kernel d n Y L k h tau.
Variables (m i : nat).
Hypotheses (m_i : (m <= i)%N) (i_n : (i < n)%N).
Notation past j := (if Nat.ltb j m then j else i).
Notation L' := (fun j => L (past j)).
Notation tau' := (known_times tau m i).

Let m_n : (m < n)%N. Proof. exact: leq_ltn_trans i_n. Qed.
Let law' : has_kernel d n Y L' k h tau'.
Proof. by move=> a b z z' ha hb; apply: law; case: Nat.ltb => //; exact/ssrnat.ltP. Qed.

Lemma late_seen G j : (j <= m)%N -> outcomes.seen d Y L' sigma rule j G = outcomes.seen d Y L sigma rule j G.
Proof.
elim: j => //= j IH hj; rewrite IH ?(ltnW hj) // /outcomes.value.
by have -> : Nat.ltb j m = true by apply/Nat.ltb_lt/ssrnat.ltP.
Qed.

Lemma late_played G j : (j <= m)%N -> outcomes.played d Y L' sigma rule G j = outcomes.played d Y L sigma rule G j.
Proof. by move=> hj; rewrite /outcomes.played late_seen. Qed.

Lemma late_answer G j : (j < m)%N -> outcomes.answer d Y L' sigma rule G j = outcomes.answer d Y L sigma rule G j.
Proof.
move=> hj; rewrite /outcomes.answer late_played ?(ltnW hj) // /outcomes.value.
by have -> : Nat.ltb j m = true by apply/Nat.ltb_lt/ssrnat.ltP.
Qed.

Notation X := (fin_type (Y * 'I_n.+1)%type).
Notation at_round := (confidence_to_regret.at_round n Y).
Notation L2 := (confidence_to_regret.L' n Y L').
Notation rule' := (confidence_to_regret.rule' n Y rule).

Theorem late_round b : 0 <= b -> exists bad : vec RR (d + n) -> Prop,
  at_most _ _ (standard_normal (d + n)) bad (size Y * (2 * normal_cdf (- sqrt b))) /\
  forall g, ~ bad g -> forall z,
    Rabs (value d n Y L g i z - late_prediction Y k h (/ sigma ^ 2) (played d n Y L sigma rule g) tau (answer d n Y L sigma rule g) m i z) <=
    sqrt b * late_deviation Y k h (/ sigma ^ 2) (played d n Y L sigma rule g) tau m i z.
Proof.
move=> b0; pose S j : {set X} := if j == m then confidence_to_regret.domain n Y m else finset.set0.
exists (some_miss d n X L2 sigma rule' S (fun=> b)); split.
  have := adaptive_confidence d n X L2 sigma rule' S sigma0 (confidence_to_regret.mrule' n Y rule mrule) (fun=> b) (fun=> b0).
  have -> : sum n.+1 (fun j => INR #|S j| * (2 * normal_cdf (- sqrt b))) = size Y * (2 * normal_cdf (- sqrt b)) => //.
  rewrite sumE (bigD1 (Ordinal (leqW m_n))) //= big1 => [|j ne].
    by rewrite /S eqxx confidence_to_regret.card_domain; exact: Rplus_0_r.
  rewrite /S; have -> : ((j : nat) == m) = false by apply/negbTE; move: ne; apply: contraNN => /eqP e; apply/eqP/val_inj.
  by rewrite cards0; exact: Rmult_0_l.
move=> g fine z; apply: Rnot_lt_le => far; apply: fine; exists m; split; first exact: ltnW.
exists (at_round m z); split; first by rewrite /S eqxx; apply/imsetP; exists z.
rewrite (confidence_to_regret.deviationE d n Y L' sigma rule sigma0 k h tau' law') //.
rewrite (confidence_to_regret.predictionE d n Y L' sigma rule sigma0 k h tau' law') //.
rewrite -(confidence_to_regret.valueE d n Y L') ?(ltnW m_n) //.
have ex j : (j < m)%N -> played d n Y L' sigma rule g j = played d n Y L sigma rule g j by move=> hj; apply: late_played; exact: ltnW.
have ey j : (j < m)%N -> answer d n Y L' sigma rule g j = answer d n Y L sigma rule g j by move=> hj; exact: late_answer.
rewrite (deviation_ext _ _ _ _ _ _ _ _ _ ex) (prediction_ext _ _ _ _ _ _ _ _ _ _ _ ex ey).
by have -> : value d n Y L' g m z = value d n Y L g i z by rewrite /outcomes.value Nat.ltb_irrefl.
Qed.
End round.

(* all rounds, on any space *)
Lemma width_share points delta i : 1 <= points -> 0 < delta <= 1 ->
  points * (2 * normal_cdf (- sqrt (width points delta i))) <= share delta i.
Proof.
move=> p1 d01; have w0 := theorem_1_probability.width_ge0 points delta i p1 d01.
have := gaussian_tail _ (sqrt_pos (width points delta i)); have P0 := PI_RGT_0; have [d0 _] := d01.
have i0 : 0 < INR (S i) by apply: lt_0_INR; lia.
rewrite pow2_sqrt // => t; apply: Rle_trans (Rmult_le_compat_l points _ _ ltac:(lra) t) _; right.
have -> : - width points delta i / 2 = - ln (points * PI ^ 2 * INR (S i) ^ 2 / (6 * delta)) by rewrite /width; lra.
rewrite exp_Ropp exp_ln; first by rewrite /share addn1; field; lra.
have P2 : 0 < PI ^ 2 by exact: pow_lt.
have i2 : 0 < INR (S i) ^ 2 by exact: pow_lt.
by apply: Rdiv_lt_0_compat; last lra; apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat => //; lra.
Qed.

Section any_space.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (delta : R) (D : nat) (known : nat -> nat).
Hypothesis normals : independent_normals dT T P (d + n)%coq_nat G.
Hypothesis sigma0 : 0 < sigma.
Hypothesis delta01 : 0 < delta <= 1.
Hypothesis law : has_kernel d n Y L k h tau.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis late : comes_late D known.
Notation out w := (fun l => G l w).
Notation x w := (outcomes.played d Y L sigma rule (out w)).
Notation y w := (outcomes.answer d Y L sigma rule (out w)).
Notation beta := (width (size Y) delta).
Notation s := (/ sigma ^ 2).
Notation vector := (together dT T (d + n) G).
Notation near g i z := (Rabs (outcomes.value d Y L g i z -
    late_prediction Y k h s (outcomes.played d Y L sigma rule g) tau (outcomes.answer d Y L sigma rule g) (known i) i z) <=
  sqrt (beta i) * late_deviation Y k h s (outcomes.played d Y L sigma rule g) tau (known i) i z).

Let Y1 : 1 <= size Y.
Proof.
have -> : 1 = INR 1 by [].
by apply: le_INR; apply/ssrnat.leP/card_gt0P; exists (rule O tt).
Qed.

(* on R^(d+n) *)
Lemma late_on_vectors : exists bad : vec RR (d + n) -> Prop,
  (exists q, q < delta /\ at_most _ _ (standard_normal (d + n)) bad q) /\
  forall g, ~ bad g -> forall i z, (i < n)%coq_nat -> near (co RR (d + n) g) i z.
Proof.
have one i : exists bad : vec RR (d + n) -> Prop, (i < n)%coq_nat ->
    at_most _ _ (standard_normal (d + n)) bad (share delta i) /\ forall g, ~ bad g -> forall z, near (co RR (d + n) g) i z.
  have [hi|hi] := Nat.lt_ge_cases i n; last by exists (fun=> False); lia.
  have [_ /ssrnat.leP m_i] := late i; have /ssrnat.ltP i_n := hi.
  have [bad [[mb le] good]] := late_round d n Y L sigma rule k h tau sigma0 mrule law (known i) i m_i i_n (beta i)
    (theorem_1_probability.width_ge0 _ _ _ Y1 delta01).
  exists bad => _; split; last exact: good.
  by split=> //; apply: le_trans le _; rewrite lee_fin; apply/RleP; exact: width_share.
have [bad all] := choice one; have [d0 _] := delta01.
exists (one_of _ n bad); split.
  exists (sum n (share delta)); split; first exact: shares.
  by apply: union_bound => i hi; have [] := all i hi.
move=> g fine i z hi; have [_ good] := all i hi; apply: good => b; apply: fine; exists i; split=> //.
Qed.

Lemma late_same g g' i z : (forall l, (l < d + n)%N -> g l = g' l) -> (i < n)%coq_nat -> near g i z -> near g' i z.
Proof.
move=> e /ssrnat.ltP hi; have [_ /ssrnat.leP mi] := late i; have mn := leq_ltn_trans mi hi.
have ex j : (j < known i)%N -> outcomes.played d Y L sigma rule g j = outcomes.played d Y L sigma rule g' j.
  by move=> hj; apply: (played_same d n Y L sigma rule _ _ e); rewrite ltnW // (ltn_trans hj).
have ey j : (j < known i)%N -> outcomes.answer d Y L sigma rule g j = outcomes.answer d Y L sigma rule g' j.
  by move=> hj; apply: (answer_same d n Y L sigma rule _ _ e); rewrite (ltn_trans hj).
by rewrite (value_same d n Y L _ _ e) /late_prediction /late_deviation (prediction_ext _ _ _ _ _ _ _ _ _ _ _ ex ey) (deviation_ext _ _ _ _ _ _ _ _ _ ex).
Qed.

Theorem late_confidence : exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i z, (i < n)%coq_nat -> near (out w) i z.
Proof.
have [bad [[q [qd le]] good]] := late_on_vectors.
exists (fun w => bad (vector w)); split; first by exists q; split=> //; exact: (same_law dT T P G d n normals q bad).
move=> w fine i z hi; apply: (late_same _ _ i z (coE dT T G d n w) hi); exact: good.
Qed.

(* on that event at most c m is lost in the first m rounds, for every m up to n *)
Theorem late_with_probability (c : nat -> R) :
  (forall w m, (m <= n)%coq_nat -> (forall i z, (i < n)%coq_nat -> near (out w) i z) ->
     forall best : nat -> Y, sum m (fun i => outcomes.value d Y L (out w) i (best i) - outcomes.value d Y L (out w) i (x w i)) <= c m) ->
  exists q, q < delta /\
    at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\ outcomes.loses d Y L sigma rule m (c m) (out w)) q.
Proof.
move=> regret; have [bad [[q [qd [mb le]]] good]] := late_confidence.
have mE : measurable (fun w => exists m, (m <= n)%coq_nat /\ outcomes.loses d Y L sigma rule m (c m) (out w)).
  have -> : (fun w => exists m, (m <= n)%coq_nat /\ outcomes.loses d Y L sigma rule m (c m) (out w)) =
      (\bigcup_(m in [set m | (m <= n)%N]) (fun w => outcomes.loses d Y L sigma rule m (c m) (out w)))%classic.
    by apply/seteqP; split=> w [m]; [case=> /ssrnat.leP mn lost | move=> /= /ssrnat.leP mn lost]; exists m.
  by apply: bigcup_measurable => m _; exact: (measurable_loses dT T P G d n).
exists q; split=> //; split=> //.
apply: le_trans le; apply: le_measure; rewrite ?inE //.
move=> w [m [mn [best lt]]]; apply: contrapT => fine; apply: (Rlt_not_le _ _ lt); apply: regret => //; exact: good.
Qed.

Hypotheses (pk : kernel Y k) (ph : kernel R h) (k1 : forall z, k z z <= 1) (h1 : forall t, h t t = 1).
Hypothesis policy : forall w, follows_late d Y L sigma rule known n k h tau beta (out w).

Let s0 : 0 < s. Proof. by apply: Rinv_0_lt_compat; apply: pow_lt. Qed.

(* any bounds on the gains of all sequences of m points *)
Theorem late_regret_with_probability (g : nat -> R) :
  (forall m a, (m <= n)%coq_nat -> gain s m (joint Y k h a tau) <= g m) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\
    outcomes.loses d Y L sigma rule m (sqrt (8 / ln (1 + s) * beta (Nat.pred m) * INR m * (INR (S D) * g m))) (out w)) q.
Proof.
move=> hg; apply: (late_with_probability (fun m => sqrt (8 / ln (1 + s) * beta (Nat.pred m) * INR m * (INR (S D) * g m)))).
move=> w m mn close best.
apply: (late_finite_regret Y k h (x w) tau pk ph D known late k1 h1 s
  (fun i => late_prediction Y k h s (x w) tau (y w) (known i) i) beta m (outcomes.value d Y L (out w)) _ s0 _ _ _ _ best (hg m _ mn)).
- by move=> i hi; exact: (theorem_1_probability.betas Y delta rule delta01 m i hi).
- by move=> i z hi; apply: policy; lia.
- by move=> i z hi; apply: close; lia.
Qed.

Theorem late_theorem_1 theta gamma (blocks : nat -> list nat) :
  (forall m, (m <= n)%coq_nat -> total (blocks m) = m) -> 0 <= theta ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  exists q, q < delta /\ at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\
    outcomes.loses d Y L sigma rule m (sqrt (8 / ln (1 + s) * beta (Nat.pred m) * INR m * (INR (S D) *
      (INR (length (blocks m)) * gamma (longest (blocks m)) +
       / 2 * over_blocks (fun i e l =>
         INR l * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau e l / INR l))) 0 0 (blocks m)))))
      (out w)) q.
Proof.
move=> e t0 hp sl bg.
apply: (late_regret_with_probability (fun m => INR (length (blocks m)) * gamma (longest (blocks m)) +
       / 2 * over_blocks (fun i d l =>
         INR l * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d l / INR l))) 0 0 (blocks m))) => m a mn.
by rewrite -{1}(e m mn); apply: theorem_1_gain => //; lra.
Qed.
End any_space.
