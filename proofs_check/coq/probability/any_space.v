(******************************************************************************)
(*               The confidence event on any probability space                *)
(*                                                                            *)
(* What holds on R^(d+n) with its normal law holds wherever independent       *)
(* normal variables are.                                                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   confidence == outside an event of probability less than delta all        *)
(*       values are near their predictions                                    *)
(*   with_probability == bounds on regret that hold on it, for all rounds     *)
(*       at once                                                              *)
(*   follows_always, coordinates == policies and a space that meet the        *)
(*       hypotheses                                                           *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, adaptive_posterior, normal_density, adaptive_confidence,   *)
(* argmax_rule, scalar, normal, definitions, sums, theorem_1,                 *)
(* runs_on_vectors, confidence_to_regret, outcomes, joint_law.                *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior normal_density adaptive_confidence.
From CTV Require argmax_rule.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums theorem_1.
From CTV Require runs_on_vectors confidence_to_regret.
From CTV Require Import outcomes joint_law.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Lemma prediction_ext X k h s x x' tau y y' i z : (forall j, (j < i)%N -> x j = x' j) -> (forall j, (j < i)%N -> y j = y' j) ->
  prediction X k h s x tau y i z = prediction X k h s x' tau y' i z.
Proof.
move=> ex ey; rewrite /prediction /posterior_mean.
have J a b : (a <= i)%N -> (b <= i)%N -> joint X k h (fun j => if Nat.eqb j i then z else x j) tau a b =
    joint X k h (fun j => if Nat.eqb j i then z else x' j) tau a b.
  move=> ha hb; rewrite /joint; congr (k _ _ * _).
    by case: (Nat.eqb_spec a i) => // /eqP ne; apply: ex; rewrite ltn_neqAle ne.
  by case: (Nat.eqb_spec b i) => // /eqP ne; apply: ex; rewrite ltn_neqAle ne.
congr (_ * _); congr ((_ *m invmx (_ + _ *: _) *m _)%ring _ _); apply/matrixP => a b; rewrite !mxE ?J ?(ltnW (ltn_ord _)) //.
exact: ey.
Qed.

Lemma deviation_ext X k h s x x' tau i z : (forall j, (j < i)%N -> x j = x' j) ->
  deviation X k h s x tau i z = deviation X k h s x' tau i z.
Proof.
move=> ex; congr sqrt; apply: variance_ext => a b /ssrnat.leP ha /ssrnat.leP hb; rewrite /joint; congr (k _ _ * _).
  by case: (Nat.eqb_spec a i) => // /eqP ne; apply: ex; rewrite ltn_neqAle ne.
by case: (Nat.eqb_spec b i) => // /eqP ne; apply: ex; rewrite ltn_neqAle ne.
Qed.

(* two sequences that agree on the numbers of n rounds: so do the runs *)
Section same.
Variables (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (sigma : R) (rule : forall j, vec RR j -> Y).
Variables g G : nat -> R.
Hypothesis gG : forall l, (l < d + n)%N -> g l = G l.

Lemma value_same i z : value d Y L g i z = value d Y L G i z.
Proof. by apply: sum_ext => l /ssrnat.ltP hl; rewrite gG // ltn_addr. Qed.
Lemma noise_same i : (i < n)%N -> noise d sigma g i = noise d sigma G i.
Proof. by move=> hi; rewrite /noise plusE gG // ltn_add2l. Qed.
Lemma seen_same j : (j <= n)%N -> seen d Y L sigma rule j g = seen d Y L sigma rule j G.
Proof. by elim: j => //= j IH hj; rewrite IH ?(ltnW hj) // value_same noise_same. Qed.
Lemma played_same i : (i <= n)%N -> played d Y L sigma rule g i = played d Y L sigma rule G i.
Proof. by move=> hi; rewrite /played seen_same. Qed.
Lemma answer_same i : (i < n)%N -> answer d Y L sigma rule g i = answer d Y L sigma rule G i.
Proof. by move=> hi; rewrite /answer played_same ?(ltnW hi) // value_same noise_same. Qed.
Lemma loses_same m c : (m <= n)%N -> loses d Y L sigma rule m c g <-> loses d Y L sigma rule m c G.
Proof.
move=> mn; have e best : sum m (fun i => value d Y L g i (best i) - value d Y L g i (played d Y L sigma rule g i)) =
    sum m (fun i => value d Y L G i (best i) - value d Y L G i (played d Y L sigma rule G i)).
  by apply: sum_ext => i /ssrnat.ltP hi; rewrite !value_same played_same // ltnW // (leq_trans hi).
by split=> -[best lt]; exists best; rewrite ?e // -e.
Qed.
End same.

Section any_space.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : forall j, vec RR j -> Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (delta : R).
Hypothesis normals : independent_normals dT T P (d + n) G.
Hypothesis sigma0 : 0 < sigma.
Hypothesis delta01 : 0 < delta <= 1.
Hypothesis law : has_kernel d n Y L k h tau.
Hypothesis mrule : measurable_rule Y rule.
Notation out w := (fun l => G l w).
Notation x w := (played d Y L sigma rule (out w)).
Notation y w := (answer d Y L sigma rule (out w)).
Notation beta := (width (INR #|Y|) delta).
Notation vector := (together dT T (d + n) G).

Let mG : forall i, measurable_fun setT (G i : T -> RR). Proof. by have [_ []] := normals. Qed.

Lemma coE m w l : (l < d + m)%N -> co RR (d + m) (together dT T (d + m) G w) l = G l w.
Proof. by move=> hl; rewrite /together co_mk. Qed.

Lemma same_law q (B : set (vec RR (d + n))) (E : T -> Prop) : (forall w, E w <-> B (vector w)) ->
  at_most _ _ (standard_normal (d + n)) B q -> at_most dT T P E q.
Proof.
move=> e [mB le]; have -> : E = (vector @^-1` B)%classic by apply/seteqP; split=> w /e.
split; last by rewrite (joint_law dT T P (d + n) G mG normals).
by rewrite -[X in measurable X]setTI; exact: (mtogether dT T (d + n) G mG).
Qed.

Theorem confidence : exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i z, (i < n)%coq_nat ->
    Rabs (value d Y L (out w) i z - prediction Y k h (/ sigma ^ 2) (x w) tau (y w) i z) <=
    sqrt (beta i) * deviation Y k h (/ sigma ^ 2) (x w) tau i z.
Proof.
have [bad [[q [qd le]] good]] := confidence_to_regret.confidence d n Y (rule O tt) L sigma rule sigma0 mrule k h tau delta law delta01.
exists (fun w => bad (vector w)); split; first by exists q; split=> //; exact: (same_law q bad).
move=> w fine i z hi; have := good _ fine i z hi; have /ssrnat.ltP hi' := hi.
have ex j : (j < i)%N -> played d Y L sigma rule (co RR (d + n) (vector w)) j = x w j.
  by move=> ji; apply: (played_same d n Y L sigma rule _ _ (coE n w)); rewrite ltnW // (ltn_trans ji).
have ey j : (j < i)%N -> answer d Y L sigma rule (co RR (d + n) (vector w)) j = y w j.
  by move=> ji; apply: (answer_same d n Y L sigma rule _ _ (coE n w)); rewrite (ltn_trans ji).
by rewrite (value_same d n Y L _ _ (coE n w)) (prediction_ext _ _ _ _ _ _ _ _ _ _ _ ex ey) (deviation_ext _ _ _ _ _ _ _ _ _ ex).
Qed.

Lemma measurable_loses m c : measurable (fun w => loses d Y L sigma rule m c (out w)).
Proof.
have -> : (fun w => loses d Y L sigma rule m c (out w)) =
    (together dT T (d + m) G @^-1` (runs_on_vectors.loses d m Y L sigma rule c))%classic.
  by apply/seteqP; split=> w; have [a b] := loses_same d m Y L sigma rule _ _ (coE m w) m c (leqnn m); [exact: b | exact: a].
rewrite -[X in measurable X]setTI; apply: (mtogether dT T (d + m) G mG) => //.
exact: (confidence_to_regret.measurable_loses d m Y (rule O tt) L sigma rule mrule).
Qed.

(* on the confidence event at most c m is lost in the first m rounds, for every m up to n *)
Theorem with_probability (c : nat -> R) :
  (forall w m, (m <= n)%coq_nat -> (forall i z, (i < n)%coq_nat ->
       Rabs (value d Y L (out w) i z - prediction Y k h (/ sigma ^ 2) (x w) tau (y w) i z) <=
       sqrt (beta i) * deviation Y k h (/ sigma ^ 2) (x w) tau i z) ->
     forall best : nat -> Y, sum m (fun i => value d Y L (out w) i (best i) - value d Y L (out w) i (x w i)) <= c m) ->
  exists q, q < delta /\
    at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\ loses d Y L sigma rule m (c m) (out w)) q.
Proof.
move=> regret; have [bad [[q [qd [mb le]]] good]] := confidence.
have mE : measurable (fun w => exists m, (m <= n)%coq_nat /\ loses d Y L sigma rule m (c m) (out w)).
  have -> : (fun w => exists m, (m <= n)%coq_nat /\ loses d Y L sigma rule m (c m) (out w)) =
      (\bigcup_(m in [set m | (m <= n)%N]) (fun w => loses d Y L sigma rule m (c m) (out w)))%classic.
    by apply/seteqP; split=> w [m]; [case=> /ssrnat.leP mn lost | move=> /= /ssrnat.leP mn lost]; exists m.
  by apply: bigcup_measurable => m _; exact: measurable_loses.
exists q; split=> //; split=> //.
apply: Order.POrderTheory.le_trans le; apply: le_measure; rewrite ?inE //.
move=> w [m [mn [best lt]]]; apply: contrapT => fine; apply: (Rlt_not_le _ _ lt); apply: regret => //; exact: good.
Qed.
End any_space.

(* policies of the model follow on every sequence of numbers *)
Lemma follows_always d n (Y : Type) (L : nat -> Y -> nat -> R) sigma rule k h tau beta :
  runs_on_vectors.upper_confidence d n Y L sigma rule k h tau beta -> forall G, follows d Y L sigma rule n k h tau beta G.
Proof.
move=> pol G i z /ssrnat.ltP hi; pose g := mk RR (d + n) G.
have gG l : (l < d + n)%N -> co RR (d + n) g l = G l by move=> hl; rewrite co_mk.
have ex j : (j < i)%N -> played d Y L sigma rule (co RR (d + n) g) j = played d Y L sigma rule G j.
  by move=> ji; apply: (played_same d n) => //; rewrite ltnW // (ltn_trans ji).
have ey j : (j < i)%N -> answer d Y L sigma rule (co RR (d + n) g) j = answer d Y L sigma rule G j.
  by move=> ji; apply: (answer_same d n) => //; rewrite (ltn_trans ji).
have /ssrnat.ltP hi' := hi; have := pol g i z hi'.
have ei : played d Y L sigma rule (co RR (d + n) g) i = played d Y L sigma rule G i by apply: (played_same d n) => //; exact: ltnW.
by rewrite ei !(prediction_ext _ _ _ _ _ _ _ _ _ _ _ ex ey) !(deviation_ext _ _ _ _ _ _ _ _ _ ex).
Qed.

(* there is such a space: R^m and its coordinates *)
Theorem coordinates m : independent_normals _ (vec RR m) (standard_normal m) m (fun i g => co RR m g i).
Proof.
split; first exact: gaussT; split; first by move=> i; exact: argmax_rule.mco.
move=> t; rewrite -gauss_box; congr (Measure.sort (standard_normal m) _).
by apply/seteqP; split=> g /box_co.
Qed.
