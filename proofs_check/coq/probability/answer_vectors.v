(******************************************************************************)
(*                       Values and answers as vectors                        *)
(*                                                                            *)
(* Of an objective of finitely many features: its values and the answers of   *)
(* its rounds are products of the normal variables with these vectors.        *)
(*                                                                            *)
(* Statements:                                                                *)
(*   of_value, of_answer == the vectors of a round and a point                *)
(*   dot_value, dot_answer == their products with the variables               *)
(*   value_value, answer_value, answer_answer == those with each other, the   *)
(*       covariances                                                          *)
(*                                                                            *)
(* Rests on: library, vectors, adaptive_posterior, definitions, sums,         *)
(* outcomes, joint_law, any_space.                                            *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import Rstruct reals measure.
From CTV Require Import library.
From CTV Require Import vectors adaptive_posterior.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums outcomes joint_law any_space.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation dotp := (vectors.dot RR).

Section vectors_of.
Variables (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (sigma : R) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypotheses (sigma0 : 0 < sigma) (law : has_kernel d n Y L k h tau).
Notation m := (d + n)%N.
Notation s := (/ sigma ^ 2).

(* the value of round i at z, and the answer at z, are products with these vectors *)
Definition of_value (i : nat) (z : Y) (l : nat) : R := if (l < d)%N then L i z l else 0.
Definition of_answer (i : nat) (z : Y) (l : nat) : R :=
  if (l < d)%N then L i z l else if l == (d + i)%N then sigma else 0.
Notation value_vector i z := (mk RR m (of_value i z)).
Notation answer_vector i z := (mk RR m (of_answer i z)).

Lemma dot_split (F G : nat -> R) (g : vec RR m) :
  dotp m (mk RR m (fun l => if (l < d)%N then F l else G l)) g =
  sum d (fun l => F l * co RR m g l) + sum n (fun l => G (d + l)%N * co RR m g (d + l)%N).
Proof.
rewrite dot_mk !sumE big_split_ord /=; congr (_ + _)%ring; apply: eq_bigr => l _; first by rewrite ltn_ord.
by rewrite ltnNge leq_addr.
Qed.

Lemma dot_value i z g : dotp m (value_vector i z) g = value d Y L (co RR m g) i z.
Proof.
rewrite dot_split (_ : sum n _ = 0) ?Rplus_0_r // (sum_ext n _ (fun=> 0)); first exact: sum_0.
by move=> l _; rewrite Rmult_0_l.
Qed.

Lemma dot_answer i z g : dotp m (answer_vector i z) g = value d Y L (co RR m g) i z + noise d sigma (co RR m g) i.
Proof.
rewrite dot_split; congr (_ + _); rewrite sumE.
rewrite (eq_bigr (fun l : 'I_n => if (l : nat) == i then sigma * co RR m g (d + l)%N else 0)); last first.
  by move=> l _; rewrite eqn_add2l; case: eqP => // _; exact: Rmult_0_l.
rewrite (adaptive_posterior.sum_at RR n i (fun l => sigma * co RR m g (d + l)%N)) /noise; case: ltnP => // hn.
by rewrite co_out ?leq_add2l //; apply: esym; exact: Rmult_0_r.
Qed.

Lemma value_of (f : nat -> R) i z : (forall l, (l < d)%N -> f l = L i z l) ->
  forall j z', (i < n)%N -> (j < n)%N -> value d Y L (co RR m (mk RR m f)) j z' = k z z' * h (tau i) (tau j).
Proof.
move=> e j z' /ssrnat.ltP hi /ssrnat.ltP hj; rewrite -(law i j z z') //; apply: sum_ext => l /ssrnat.ltP hl.
by rewrite co_mk ?ltn_addr // e // Rmult_comm.
Qed.

Lemma value_value i j z z' : (i < n)%N -> (j < n)%N -> dotp m (value_vector i z) (value_vector j z') = k z z' * h (tau i) (tau j).
Proof. by move=> hi hj; rewrite dotC dot_value (value_of _ i z) // => l hl; rewrite /of_value hl. Qed.

Lemma answer_value i j z z' : (i < n)%N -> (j < n)%N -> dotp m (answer_vector i z) (value_vector j z') = k z z' * h (tau i) (tau j).
Proof. by move=> hi hj; rewrite dotC dot_value (value_of _ i z) // => l hl; rewrite /of_answer hl. Qed.

Lemma answer_answer i j z z' : (i < n)%N -> (j < n)%N ->
  dotp m (answer_vector i z) (answer_vector j z') = k z z' * h (tau i) (tau j) + (if i == j then sigma ^ 2 else 0).
Proof.
move=> hi hj; rewrite dotC dot_answer (value_of _ i z) // => [|l hl]; last by rewrite /of_answer hl.
congr (_ + _); rewrite /noise plusE co_mk ?ltn_add2l // /of_answer ltnNge leq_addr /= eqn_add2l eq_sym.
by case: eqP => _; ring.
Qed.
End vectors_of.
