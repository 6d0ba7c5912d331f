(******************************************************************************)
(*                       Objectives and policies exist                        *)
(*                                                                            *)
(* For all kernels on a finite domain there is an objective with their        *)
(* covariance, and a measurable policy that plays a largest index.            *)
(*                                                                            *)
(* Statements:                                                                *)
(*   objective, largest_measurable, largest_best, there_are == these          *)
(*       statements                                                           *)
(*                                                                            *)
(* Rests on: library, lebesgue, vectors, rotation, gaussian_law,              *)
(* adaptive_paths, adaptive_posterior, central_interval, tail_increments,     *)
(* normal_density, adaptive_confidence, argmax_rule, posterior_kernel,        *)
(* scalar, normal, definitions, sums, matrices, gains, events, outcomes,      *)
(* runs_on_vectors, confidence_to_regret.                                     *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal measure.
From CTV Require Import library.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior central_interval tail_increments normal_density adaptive_confidence argmax_rule posterior_kernel.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums matrices gains events.
From CTV Require Import outcomes runs_on_vectors confidence_to_regret.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Section features.
Variables (n : nat) (Y : finType) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypotheses (pk : kernel Y k) (ph : kernel R h).

Theorem objective : exists d L, has_kernel d n Y L k h tau.
Proof.
pose X := (fin_type (Y * 'I_n.+1)%type).
have pX : kernel X (fun p q => k p.1 q.1 * h (tau p.2) (tau q.2)).
  by move=> m x; exact: (semidefinite_hadamard m _ _ (pk m (fun i => (x i).1)) (ph m (fun i => tau (x i).2))).
have [L eL] := features X _ pX.
exists #|X|, (fun i z => L (z, inord i)) => i j z z' /ssrnat.ltP hi /ssrnat.ltP hj.
have := eL (z, inord i) (z', inord j); rewrite /= !inordK ?(ltnW hi) ?(ltnW hj) //; last by rewrite ltnW.
  by move=> <-; rewrite sumE.
by rewrite ltnW.
Qed.
End features.

Section policy.
Variables (d n : nat) (Y : finType) (y0 : Y) (L : nat -> Y -> nat -> R) (sigma : R) (beta : nat -> R).
Hypothesis sigma0 : 0 < sigma.
Notation X := (fin_type (Y * 'I_n.+1)%type).
Notation L' := (L' n Y L).
Notation dom := (domain n Y).
Notation urule := (ucb_rule RR d X L' sigma dom (fun i => sqrt (beta i)) (at_round n Y 0 y0)).
Definition largest (j : nat) (hs : vec RR j) : Y := (urule j hs).1.

Lemma urule_in j hs : urule j hs \in dom j.
Proof.
rewrite /ucb_rule /choose; case: pickP => [x /=|none]; first by rewrite ffunE => /andP[].
have [z zS] : exists z, z \in dom j by apply/set0Pn; exact: (domain0 n Y y0).
have [x1 x1S x1m] := arg_maxP (score RR d X L' sigma (fun i => sqrt (beta i)) (at_round n Y 0 y0) j
  (pts RR d X L' sigma dom (fun i => sqrt (beta i)) (at_round n Y 0 y0) j hs) hs) zS.
have := none x1; rewrite /= ffunE => /negP[]; apply/andP; split; first exact: x1S.
by apply/forallP => x'; apply/implyP; exact: x1m.
Qed.

Lemma uruleE : rule' n Y largest = urule.
Proof.
apply: functional_extensionality_dep => j; apply: functional_extensionality_dep => hs.
by rewrite /rule' /largest; have /imsetP[z _ ->] := urule_in j hs.
Qed.

Lemma largest_measurable : measurable_rule Y largest.
Proof.
move=> j z; have -> : [set hs | largest j hs = z]%classic = [set hs | urule j hs = at_round n Y j z]%classic.
  apply/seteqP; split=> hs /=; rewrite /largest; last by move=> ->.
  by have /imsetP[z' _ ->] := urule_in j hs; move=> /= ->.
exact: ucb_rule_measurable.
Qed.

Lemma largest_best (k : Y -> Y -> R) h tau : has_kernel d n Y L k h tau ->
  upper_confidence d n Y L sigma largest k h tau beta.
Proof.
move=> law g i z /ssrnat.ltP hi; have hi' := ltnW hi.
have [_ best] := ucb_rule_best RR d n X L' sigma dom (fun i => sqrt (beta i)) (at_round n Y 0 y0) (domain0 n Y y0) i g.
have zS : at_round n Y i z \in dom i by apply/imsetP; exists z.
have := best _ zS; rewrite -uruleE playedE // !(predictionE d n Y L sigma _ sigma0 k h tau law) //.
by rewrite !(deviationE d n Y L sigma _ sigma0 k h tau law) // => /RleP.
Qed.
End policy.

(* no hypothesis is empty: an objective with the kernel, and a policy for it, exist *)
Theorem there_are n (Y : finType) (y0 : Y) (k : Y -> Y -> R) h tau sigma beta :
  kernel Y k -> kernel R h -> 0 < sigma ->
  exists d L rule, has_kernel d n Y L k h tau /\ measurable_rule Y rule /\
    upper_confidence d n Y L sigma rule k h tau beta.
Proof.
move=> pk ph s0; have [d [L law]] := objective n Y k h tau pk ph.
exists d, L, (largest d n Y y0 L sigma beta); split=> //; split.
  exact: largest_measurable.
exact: largest_best.
Qed.
