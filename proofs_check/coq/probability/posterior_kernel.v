(******************************************************************************)
(*     Features of a kernel, and the posterior variance of definitions.v      *)
(*                                                                            *)
(* Every kernel on a finite set is a product of features; the variance from   *)
(* features is that of the kernel.                                            *)
(*                                                                            *)
(* Statements:                                                                *)
(*   features == there are features                                           *)
(*   var_variance == the variance                                             *)
(*                                                                            *)
(* Rests on: library, lebesgue, vectors, rotation, gaussian_law,              *)
(* adaptive_paths, adaptive_posterior, definitions, sums, matrices, gains.    *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import Rstruct reals measure.
From CTV Require Import library.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior.
From Coq Require Import Reals Lra.
From CTV Require Import definitions sums matrices gains.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope nat_scope with N.


Lemma features (X : finType) (k : X -> X -> R) : definitions.kernel X k ->
  exists L : X -> nat -> R, forall x x', adaptive_posterior.kern RR #|X| X L x x' = k x x'.
Proof.
move=> pk; case: (pickP (pred_of_simpl (predT : simpl_pred X))) => [x0 _|none]; last first.
  by exists (fun _ _ => 0) => x; have := none x.
have [G eG] := gram_of_psd (psd_mx _ _ (pk #|X| (nth x0 (enum X)))).
exists (fun x j => if insub j is Some i then G (enum_rank x) i else 0) => x x'.
have := congr1 (fun A : 'M[R]_#|X| => A (enum_rank x) (enum_rank x')) eG.
rewrite /mx !mxE -!enum_val_nth !enum_rankK => ->; apply: eq_bigr => i _.
by rewrite valK mxE.
Qed.

Section variance.
Variables (d N : nat) (X : finType) (L : X -> nat -> R) (sigma : R) (rule : forall j, vec RR j -> X).
Notation k := (adaptive_posterior.kern RR d X L).
Notation point := (adaptive_posterior.point RR d N X L sigma rule).

(* rounds 0..i-1 at the points played, round i at the candidate x *)
Definition covariances i x g (j l : nat) : R :=
  k (if Nat.eqb j i then x else point j g) (if Nat.eqb l i then x else point l g).

Lemma var_variance i x g : 0 < sigma -> (i <= N)%N ->
  adaptive_posterior.var RR d N X L sigma rule i x g = variance (sigma ^+ 2)^-1 i (covariances i x g).
Proof.
move=> s0 iN; rewrite /adaptive_posterior.var /variance {1}/covariances Nat.eqb_refl; congr (_ - _).
have ne (j : 'I_i) : Nat.eqb j i = false.
  by apply/Nat.eqb_neq => e; have := ltn_ord j; rewrite e ltnn.
have kC x1 x2 : k x1 x2 = k x2 x1 by apply: eq_bigr => l _; rewrite mulrC.
pose A := (\matrix_(a < i, l < i) covariances i x g a l).
have eA : adaptive_posterior.cov RR d X L sigma i (fun j => point j g) = sigma ^+ 2 *: (1%:M + (sigma ^+ 2)^-1 *: A).
  rewrite scalerDr scalerA divff ?sqrf_eq0 ?gt_eqF // scale1r addrC scalemx1; congr (_ + _).
  by apply/matrixP => j l; rewrite !mxE /covariances !ne.
have u : sigma ^+ 2 *: (1%:M + (sigma ^+ 2)^-1 *: A) \in unitmx.
  by rewrite -eA; exact: (adaptive_posterior.cov_unit RR d N X L sigma s0 i iN).
rewrite /adaptive_posterior.weights eA invmxZ // -scalemxAr -scalemxAl mxE; congr (_ * _).
congr ((_ *m _ *m _) _ _); first by apply/matrixP => a l; rewrite !mxE /covariances !ne Nat.eqb_refl kC.
by apply/matrixP => a l; rewrite !mxE /covariances !ne Nat.eqb_refl.
Qed.
End variance.
