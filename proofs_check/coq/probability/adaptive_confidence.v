(******************************************************************************)
(*                  The probability of the confidence event                   *)
(*                                                                            *)
(* For every policy on a finite set, in the words of Coq's reals.             *)
(*                                                                            *)
(* Statements:                                                                *)
(*   standard_normal n == the law on R^n                                      *)
(*   adaptive_confidence == some value is far from its mean: a sum of tails   *)
(*   adaptive_confidence_delta == less than delta with the usual widths       *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, adaptive_posterior, central_interval, tail_increments,     *)
(* normal_density, scalar, normal, definitions, sums, events, outcomes.       *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior central_interval tail_increments normal_density.
From Coq Require Import Reals Lra.
From CTV Require Import scalar normal definitions sums events outcomes.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* the standard normal law on R^n, as a measure *)
Definition standard_normal n : measure_on _ (vec RR n) := [the {measure set (vec RR n) -> \bar RR} of gauss RR normal n].

Lemma standard_normal_whole n : Measure.sort (standard_normal n) setT = 1%E.
Proof. exact: gaussT. Qed.

Section final.
Variables (d N : nat) (X : finType) (L : X -> nat -> R) (sigma : R) (rule : forall j, vec RR j -> X).
Arguments rule : clear implicits.

Variable S : nat -> {set X}. (* the candidates of each round *)

(* in one of the rounds 0..N the value at a candidate is over sqrt(beta) standard deviations from its mean *)
Definition some_miss (beta : nat -> R) (g : vec RR (d + N)) : Prop :=
  exists i, (i <= N)%N /\ exists x : X, x \in S i /\
    sqrt (beta i) * adaptive_posterior.sd RR d N X L sigma rule i x g <
    Rabs (adaptive_posterior.f RR d N X L x g - adaptive_posterior.mean RR d N X L sigma rule i x g).

Hypothesis sigma0 : 0 < sigma.
Hypothesis mrule : forall j x, measurable [set h : vec RR j | rule j h = x].

Theorem adaptive_confidence (beta : nat -> R) : (forall i, 0 <= beta i) ->
  at_most _ _ (standard_normal (d + N)) (some_miss beta)
    (sum N.+1 (fun i => INR #|S i| * (2 * normal_cdf (- sqrt (beta i))))).
Proof.
move=> b0.
have s0 i : (0 <= sqrt (beta i) :> RR)%ring by apply/RleP; exact: sqrt_pos.
have p0 : (0 < (sigma : RR))%ring by apply/RltP.
have [mb le] := confidence RR normal d N X L sigma p0 rule mrule (fun i => sqrt (beta i)) S s0.
have e : some_miss beta = [set g | exists i, (i <= N)%N /\ exists x, x \in S i /\
    missed RR d N X L sigma rule (fun i => sqrt (beta i)) i x g].
  apply/seteqP; split=> g [i [iN [x [xS h]]]]; exists i; split=> //; exists x; (split; [exact: xS | exact/RltP]).
rewrite /at_most e; split=> //; apply: (order.Order.POrderTheory.le_trans le).
rewrite sum_ereal; apply: lee_sum => i _.
rewrite (eq_bigr (fun=> (2 * normal_cdf (- sqrt (beta i)))%:E)); last first.
  by move=> x _; apply: tail_normal; exact: sqrt_pos.
rewrite sumEFin lee_fin; apply/RleP; right.
by rewrite sumr_const -[LHS]mulr_natl -(INRE #|S i|).
Qed.

(* the usual beta: 2 ln (|S i| pi^2 (i+1)^2 / (6 delta)) *)
Definition usual_beta (delta : R) (i : nat) : R := 2 * ln (INR #|S i| / share delta i).

Theorem adaptive_confidence_delta (delta : R) : 0 < delta <= 1 -> (forall i, S i != finset.set0) ->
  exists q, q < delta /\ at_most _ _ (standard_normal (d + N)) (some_miss (usual_beta delta)) q.
Proof.
move=> [d0 d1] nonempty.
have X1 i : 1 <= INR #|S i|.
  have -> : 1 = INR 1 by [].
  by apply: le_INR; apply/ssrnat.leP; rewrite card_gt0; exact: nonempty.
have pp := PI_RGT_0.
have P6 : 6 < PI ^ 2 * 1 by have := PI2_3_2; nra.
have sh i : 0 < share delta i <= 1.
  have i1 : 1 <= INR (i + 1) by rewrite addn1 S_INR; have := pos_INR i; lra.
  have k : 1 <= PI ^ 2 * INR (i + 1) ^ 2 / 6 by nra.
  rewrite /share; split; first by apply: Rdiv_lt_0_compat; lra.
  by apply: (Rmult_le_reg_r (PI ^ 2 * INR (i + 1) ^ 2 / 6)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
have r1 i : 1 <= INR #|S i| / share delta i.
  have [s0 s1] := sh i; have := X1 i => xi; apply: (Rmult_le_reg_r (share delta i)) => //.
  by rewrite /Rdiv Rmult_assoc Rinv_l; lra.
have b0 i : 0 <= usual_beta delta i.
  rewrite /usual_beta; have := r1 i => h.
  have : 0 <= ln (INR #|S i| / share delta i); [rewrite -ln_1 | lra].
  by case: h => [h| <-]; [left; apply: ln_increasing => //; lra | right].
exists (sum N.+1 (share delta)); split; first exact: shares.
have [mb le] := adaptive_confidence (usual_beta delta) b0.
split=> //; apply: (order.Order.POrderTheory.le_trans le); rewrite lee_fin; apply/RleP.
apply: sum_le => i _; have := gaussian_tail (sqrt (usual_beta delta i)) (sqrt_pos _).
have -> : - sqrt (usual_beta delta i) ^ 2 / 2 = - ln (INR #|S i| / share delta i).
  by rewrite pow2_sqrt // /usual_beta; lra.
have [s0 s1] := sh i; have := X1 i => xi; rewrite exp_Ropp exp_ln; last by have := r1 i; lra.
move=> t; have : INR #|S i| * (2 * normal_cdf (- sqrt (usual_beta delta i))) <= INR #|S i| * / (INR #|S i| / share delta i).
  by apply: Rmult_le_compat_l; lra.
have -> : INR #|S i| * / (INR #|S i| / share delta i) = share delta i by field; lra.
by [].
Qed.
End final.
