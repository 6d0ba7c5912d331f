(******************************************************************************)
(*              Determinants of trees are those of the theories               *)
(*                                                                            *)
(* Expansion along the first row, of which meaning.v speaks, is the           *)
(* determinant of the library; and a product of a list is the library's.      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   laplace_det == the determinant of n rows                                 *)
(*   det_same == of matrices with the same entries                            *)
(*   product_is == the product of n numbers                                   *)
(*                                                                            *)
(* Rests on: library, meaning, listed, definitions, sums.                     *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From mathcomp Require Import reals.
From CTV Require Import library.
From Coq Require Import Reals List Lra Lia.
From CTV Require meaning listed.
From CTV Require Import definitions sums.
Delimit Scope coq_nat_scope with coq_nat.
Import GRing.Theory.
Open Scope R_scope.

Lemma past_is j b : listed.past j b = bump j b.
Proof. rewrite /listed.past /bump. case: (Nat.leb_spec j b) => [/leP ->|K] //. by have -> : leq j b = false by apply/negbTE/negP => /leP; lia. Qed.

Lemma laplace_det n f : meaning.laplace 0 1 (-1) Rplus Rmult n (listed.rows n n f) = det n f.
Proof.
elim: n f => [|n IH] f; first by rewrite /det det_mx00.
rewrite listed.first_row /det (expand_det_row _ ord0) -[meaning.sum]/sum sumE.
apply: eq_bigr => j _; rewrite mxE /cofactor IH Rmult_assoc; congr (_ * _)%ring.
rewrite add0n Rmult_comm; congr (_ * _)%ring.
- have -> : Nat.even j = ~~ odd j.
    by elim: (nat_of_ord j) => [|k E] //; rewrite Nat.even_succ -Nat.negb_even E /= negbK.
  by rewrite -signr_odd; case: (odd j); rewrite /= ?expr0 ?expr1.
- rewrite /det; congr (\det _)%ring; apply/matrixP => a b; rewrite !mxE past_is /=.
  by rewrite /bump /= add1n.
Qed.

Lemma det_same n f g : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> f i j = g i j) -> det n f = det n g.
Proof. by move=> h; rewrite /det; congr (\det _)%ring; apply/matrixP => i j; rewrite !mxE h //; apply/ltP. Qed.

Lemma product_is n f : fold_right Rmult 1 (List.map f (List.seq 0 n)) = \big[Rmult/1]_(i < n) f i.
Proof.
elim: n => [|n IH]; first by rewrite big_ord0.
by rewrite List.seq_S List.map_app List.fold_right_app big_ord_recr /= -IH Rmult_1_r; elim: (List.map f (List.seq 0 n)) => [|x l E] /=; [rewrite Rmult_1_l | rewrite E Rmult_assoc].
Qed.
