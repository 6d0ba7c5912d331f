(******************************************************************************)
(*                            The information gain                            *)
(*                                                                            *)
(* From determinants of matrices to gains of sequences of rounds.             *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   mx n A, col n c == functions of indices as matrices and columns          *)
(*   shift2 d A == the matrix of the rounds from d on                         *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gain_fischer == a gain is at most the sum of those of two parts          *)
(*   gain_le == more rounds, more gain                                        *)
(*   gain_subadditive, gain_monotone, gain_contraction == in the matrix       *)
(*   semidefinite_hadamard == the Schur product for functions of indices      *)
(*   gain_centre == Theorem A for one block                                   *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums.                            *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums.
Import Order.TTheory GRing.Theory Num.Theory.
Open Scope R_scope.

Definition mx (n : nat) (A : nat -> nat -> R) : 'M[R]_n := (\matrix_(i < n, j < n) A i j)%ring.
Definition col (n : nat) (c : nat -> R) : 'cV[R]_n := (\col_(i < n) c i)%ring.

Lemma mx_ext n A B : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> A i j = B i j) -> mx n A = mx n B.
Proof. by move=> h; apply/matrixP => i j; rewrite !mxE h //; apply/ssrnat.ltP. Qed.

Lemma qf_mx n A c : qf (mx n A) (col n c) = sum n (fun i => sum n (fun j => c i * c j * A i j)).
Proof.
rewrite qf_sum sumE; apply: eq_bigr => i _; rewrite sumE; apply: eq_bigr => j _.
by rewrite !mxE.
Qed.

Lemma col_of n (x : 'cV[R]_n) : exists c, x = col n c.
Proof.
exists (fun i => if insub i is Some o then x o ord0 else 0).
by apply/matrixP => i j; rewrite !mxE ord1 valK.
Qed.

Lemma psd_mx n A : semidefinite n A -> psd (mx n A).
Proof.
case=> s p; split=> [|x].
  by apply/matrixP => i j; rewrite !mxE s //; apply/ssrnat.ltP.
have [c ->] := col_of n x; rewrite qf_mx; exact/RleP.
Qed.

Lemma mx_psd n A : psd (mx n A) -> semidefinite n A.
Proof.
case=> s p; split=> [i j /ssrnat.ltP hi /ssrnat.ltP hj|c].
  by have /matrixP /(_ (Ordinal hj) (Ordinal hi)) := s; rewrite !mxE.
by have /RleP := p (col n c); rewrite qf_mx.
Qed.

Lemma det_mx s n A : det n (fun i j => identity i j + s * A i j) = (\det (1%:M + s *: mx n A))%ring.
Proof.
congr determinant; apply/matrixP => i j; rewrite !mxE /identity.
case: (Nat.eqb_spec i j) => [e|ne]; first by have -> : i == j by apply/eqP/val_inj.
by have -> : (i == j) = false by apply/negbTE/eqP => e; apply: ne; rewrite e.
Qed.

Lemma det_gt0 s n A : 0 <= s -> semidefinite n A -> 0 < det n (fun i j => identity i j + s * A i j).
Proof.
move=> s0 pA; rewrite det_mx; apply/RltP; apply: det1D_gt0; apply: psdZ; last exact: psd_mx.
exact/RleP.
Qed.

Lemma det_ge1 s n A : 0 <= s -> semidefinite n A -> 1 <= det n (fun i j => identity i j + s * A i j).
Proof.
move=> s0 pA; rewrite det_mx; apply/RleP; apply: det1D_ge1; apply: psdZ; last exact: psd_mx.
exact/RleP.
Qed.

Lemma gain_ge0 s n A : 0 <= s -> semidefinite n A -> 0 <= gain s n A.
Proof. by move=> s0 pA; rewrite /gain; have := ln_ge0 _ (det_ge1 s n A s0 pA); lra. Qed.

Lemma gain_ext s n A B : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> A i j = B i j) ->
  gain s n A = gain s n B.
Proof. by move=> h; rewrite /gain !det_mx (mx_ext n A B h). Qed.

Definition shift2 d (A : nat -> nat -> R) (i j : nat) := A (d + i)%coq_nat (d + j)%coq_nat.

Lemma mx_split m n A :
  mx (m + n) A = (block_mx (mx m A) (\matrix_(i < m, j < n) A i (m + j)%coq_nat)
                   (\matrix_(i < n, j < m) A (m + i)%coq_nat j) (mx n (shift2 m A)))%ring.
Proof.
apply/matrixP => i j; rewrite [LHS]mxE /block_mx /col_mx /row_mx !mxE.
by case: splitP => a ea; rewrite !mxE; case: splitP => b eb; rewrite !mxE ea eb.
Qed.

Lemma prod_ln n (f : nat -> R) : (forall i, (i < n)%coq_nat -> 0 < f i) ->
  0 < (\prod_(i < n) f (nat_of_ord i))%ring /\ ln (\prod_(i < n) f (nat_of_ord i))%ring = sum n (fun i => ln (f i)).
Proof.
elim: n => [|n IH] h; first by rewrite big_ord0 ln_1; split=> //; exact: Rlt_0_1.
have [p e] := IH (fun i hi => h i ltac:(lia)).
have hn := h n ltac:(lia).
rewrite big_ord_recr /= -e; split; first exact: Rmult_lt_0_compat.
exact: ln_mult.
Qed.

Lemma semidefinite_split m n A : semidefinite (m + n)%coq_nat A -> semidefinite m A /\ semidefinite n (shift2 m A).
Proof.
rewrite plusE => /psd_mx; rewrite mx_split => /psd_block [_ h1 h2].
by split; apply: mx_psd.
Qed.

Lemma semidefinite_le m n A : (m <= n)%coq_nat -> semidefinite n A -> semidefinite m A.
Proof. move=> h; have e : n = (m + (Nat.sub n m))%coq_nat by lia. by rewrite e => p; have [] := semidefinite_split _ _ _ p. Qed.

Lemma semidefinite_diag n A i : (i < n)%coq_nat -> semidefinite n A -> 0 <= A i i.
Proof. by move=> /ssrnat.ltP h /psd_mx p; have := psd_diag (Ordinal h) p; rewrite mxE => /RleP. Qed.

Lemma psd_scaled s n A : 0 <= s -> semidefinite n A -> psd (s *: mx n A)%ring.
Proof. by move=> s0 pA; apply: psdZ; [exact/RleP | exact: psd_mx]. Qed.

(* Fischer: two halves *)
Lemma gain_fischer s m n A : 0 <= s -> semidefinite (m + n)%coq_nat A ->
  gain s (m + n)%coq_nat A <= gain s m A + gain s n (shift2 m A).
Proof.
move=> s0 pA; have [p1 p2] := semidefinite_split m n A pA.
rewrite /gain -Rmult_plus_distr_l -ln_mult; try exact: det_gt0.
apply: Rmult_le_compat_l; first lra.
apply: ln_le; first exact: det_gt0.
rewrite !det_mx plusE; have := psd_scaled s _ A s0 pA; rewrite plusE mx_split scale_block_mx => /det_fischer.
by move/RleP.
Qed.

Lemma gain_more s m n A : 0 <= s -> semidefinite (m + n)%coq_nat A -> gain s m A <= gain s (m + n)%coq_nat A.
Proof.
move=> s0 pA; have [p1 p2] := semidefinite_split m n A pA.
rewrite /gain; apply: Rmult_le_compat_l; first lra.
apply: ln_le; first exact: det_gt0.
rewrite !det_mx plusE; have := psd_scaled s _ A s0 pA; rewrite plusE mx_split scale_block_mx => /det_ulblock_le.
by move/RleP.
Qed.

Lemma gain_le s m n A : (m <= n)%coq_nat -> 0 <= s -> semidefinite n A -> gain s m A <= gain s n A.
Proof. move=> h s0; have e : n = (m + (Nat.sub n m))%coq_nat by lia. by rewrite e; exact: gain_more. Qed.

Lemma gain_hadamard s n A : 0 <= s -> semidefinite n A -> gain s n A <= / 2 * sum n (fun i => ln (1 + s * A i i)).
Proof.
move=> s0 pA; rewrite /gain; apply: Rmult_le_compat_l; first lra.
have h i : (i < n)%coq_nat -> 0 < 1 + s * A i i.
  move=> hi; have := semidefinite_diag n A i hi pA => d.
  by have := Rmult_le_pos _ _ s0 d; lra.
have [p <-] := prod_ln n _ h; apply: ln_le; first exact: det_gt0.
rewrite det_mx; apply/RleP; apply: le_trans (det_hadamard (psd_scaled s n A s0 pA)) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; rewrite !mxE.
Qed.

(* Schur and the subadditivity of log det *)
Lemma semidefinite_hadamard n A B : semidefinite n A -> semidefinite n B ->
  semidefinite n (fun i j => A i j * B i j).
Proof.
move=> pA pB; apply: mx_psd; have := psd_hadp (psd_mx _ _ pA) (psd_mx _ _ pB).
by congr psd; apply/matrixP => i j; rewrite !mxE.
Qed.

Lemma semidefinite_plus n A B : semidefinite n A -> semidefinite n B ->
  semidefinite n (fun i j => A i j + B i j).
Proof.
move=> pA pB; apply: mx_psd; have := psdD (psd_mx _ _ pA) (psd_mx _ _ pB).
by congr psd; apply/matrixP => i j; rewrite !mxE.
Qed.

Lemma gain_subadditive s n A B : 0 <= s -> semidefinite n A -> semidefinite n B ->
  gain s n (fun i j => A i j + B i j) <= gain s n A + gain s n B.
Proof.
move=> s0 pA pB; have pAB := semidefinite_plus n A B pA pB.
rewrite /gain -Rmult_plus_distr_l -ln_mult; try exact: det_gt0.
apply: Rmult_le_compat_l; first lra.
apply: ln_le; first exact: det_gt0.
rewrite !det_mx; apply/RleP.
have -> : (mx n (fun i j => A i j + B i j) = mx n A + mx n B)%ring by apply/matrixP => i j; rewrite !mxE.
by rewrite scalerDr addrA; apply: det_subadd; exact: psd_scaled.
Qed.

Lemma gain_monotone s n A B : 0 <= s -> semidefinite n A -> semidefinite n B ->
  gain s n A <= gain s n (fun i j => A i j + B i j).
Proof.
move=> s0 pA pB; have pAB := semidefinite_plus n A B pA pB.
rewrite /gain; apply: Rmult_le_compat_l; first lra.
apply: ln_le; first exact: det_gt0.
rewrite !det_mx; apply/RleP.
have -> : (mx n (fun i j => A i j + B i j) = mx n A + mx n B)%ring by apply/matrixP => i j; rewrite !mxE.
by rewrite scalerDr addrA; apply: det_mono; exact: psd_scaled.
Qed.

Lemma gain_contraction s n K v : 0 <= s -> semidefinite n K -> (forall i, (i < n)%coq_nat -> v i ^ 2 <= 1) ->
  gain s n (fun i j => v i * v j * K i j) <= gain s n K.
Proof.
move=> s0 pK v1.
have e : mx n (fun i j => v i * v j * K i j) = (dg (col n v) *m mx n K *m (dg (col n v))^T)%ring.
  rewrite -hadp_outer; apply/matrixP => i j; rewrite !mxE big_ord1 !mxE //.
have pv : semidefinite n (fun i j => v i * v j * K i j).
  by apply: mx_psd; rewrite e; apply: psd_conj; exact: psd_mx.
rewrite /gain; apply: Rmult_le_compat_l; first lra.
apply: ln_le; first exact: det_gt0.
rewrite !det_mx e; apply/RleP; apply: det_contract; [exact/RleP | exact: psd_mx |].
by move=> i; rewrite !mxE -RpowE; apply/RleP; apply: v1; apply/ssrnat.ltP.
Qed.

Lemma semidefinite_outer n e : semidefinite n (fun i j => e i * e j).
Proof.
split=> [i j _ _|c]; first by ring.
have -> : sum n (fun i => sum n (fun j => c i * c j * (e i * e j))) = (sum n (fun i => c i * e i)) ^ 2.
  rewrite (sum_ext n _ (fun i => c i * e i * sum n (fun j => c j * e j))); first by rewrite sum_scalr; ring.
  by move=> i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
exact: pow2_ge_0.
Qed.

(* Theorem A for one block: c is one more point of the time matrix, with the number n *)
Lemma gain_centre s n K J : 0 <= s -> semidefinite n K -> (forall i, (i < n)%coq_nat -> K i i <= 1) ->
  semidefinite (S n) J -> (forall i, (i < S n)%coq_nat -> J i i = 1) ->
  gain s n (fun i j => K i j * J i j) <=
  gain s n K + / 2 * sum n (fun i => ln (1 + s * (1 - J i n ^ 2))).
Proof.
move=> s0 pK K1 pJ J1.
have pJ' : psd (block_mx (mx n J) (col n (fun i => J i n)) (col n (fun i => J i n))^T (1%:M : 'M_1))%ring.
  move: (pJ); rewrite -Nat.add_1_r plusE => /psd_mx; rewrite mx_split.
  congr psd; congr block_mx; apply/matrixP => i j; rewrite ?ord1 !mxE //=.
  - by congr J; lia.
  - case: pJ => sJ _; rewrite sJ /=; [congr J; lia | lia | ].
    by apply: Nat.lt_lt_succ_r; apply/ssrnat.ltP.
  - by rewrite /shift2 /= J1 //; lia.
pose v i := J i n; have pR : semidefinite n (fun i j => J i j - v i * v j).
  apply: mx_psd; have := psd_centre pJ'.
  by congr psd; apply/matrixP => i j; rewrite !mxE big_ord1 !mxE.
have pV := semidefinite_hadamard n _ _ (semidefinite_outer n v) pK.
have pKR := semidefinite_hadamard n _ _ pK pR.
have d i : (i < n)%coq_nat -> 0 <= 1 - v i ^ 2.
  by move=> hi; have := semidefinite_diag n _ i hi pR; rewrite J1; [lra | lia].
rewrite (gain_ext s n _ (fun i j => v i * v j * K i j + K i j * (J i j - v i * v j))); last first.
  by move=> i j _ _; ring.
apply: Rle_trans (gain_subadditive s n _ _ s0 pV pKR) _; apply: Rplus_le_compat.
  by apply: gain_contraction => // i hi; have := d i hi; lra.
apply: Rle_trans (gain_hadamard s n _ s0 pKR) _; apply: Rmult_le_compat_l; first lra.
apply: sum_le => i hi; have k1 := K1 i hi; have k0 := semidefinite_diag n K i hi pK.
have di := d i hi; have e : J i i = 1 by apply: J1; lia.
have := Rmult_le_compat_l s _ _ s0 (Rmult_le_compat_r _ _ _ di k1).
have := Rmult_le_pos _ _ s0 (Rmult_le_pos _ _ k0 di).
by rewrite e -/(v i) => p q; apply: ln_le; lra.
Qed.
