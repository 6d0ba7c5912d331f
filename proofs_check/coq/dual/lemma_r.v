(******************************************************************************)
(*                                  Lemma R                                   *)
(*                                                                            *)
(* The rank-aware dual, in the basis of the eigenvectors.                     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   rank_aware == for diagonal matrices                                      *)
(*   rank_aware_rotated == for a matrix with its eigenvalues and              *)
(*       orthonormal eigenvectors                                             *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* determinants, theorem_a, duality.                                          *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains posterior determinants theorem_a duality.
Import Order.TTheory GRing.Theory Num.Theory.
Open Scope R_scope.

Lemma det_dg n (v : nat -> R) : (\det (dg (col n v)) = \prod_(i < n) v i)%ring.
Proof.
have -> : dg (col n v) = (diag_mx (col n v)^T)%ring.
  by apply/matrixP => i j; rewrite !mxE.
by rewrite det_diag; apply: eq_bigr => i _; rewrite !mxE.
Qed.

Lemma dg_mul n (u v : nat -> R) : (dg (col n u) *m dg (col n v))%ring = dg (col n (fun i => u i * v i)).
Proof. by rewrite dgM; congr dg; apply/matrixP => i j; rewrite !mxE. Qed.

Lemma dg_one n (v : nat -> R) : (forall i, (i < n)%coq_nat -> v i = 1) -> dg (col n v) = (1%:M)%ring.
Proof.
move=> h; apply/matrixP => i j; rewrite !mxE; case: (i == j) => //=.
by rewrite !mulr1n h //; apply/ssrnat.ltP.
Qed.

Lemma inv_dg n (v : nat -> R) : (forall i, (i < n)%coq_nat -> 0 < v i) ->
  (invmx (dg (col n v)) = dg (col n (fun i => / v i)))%ring.
Proof.
move=> h; have e : (dg (col n v) *m dg (col n (fun i => / v i)) = 1%:M)%ring.
  rewrite dg_mul dg_one // => i /h hi; field; lra.
have [u _] := mulmx1_unit e.
by rewrite -[RHS](mulKmx u) e mulmx1.
Qed.

Theorem rank_aware n q (F : nat -> nat -> R) (a : nat -> R) :
  (forall l, 1 <= a l) -> (forall l m, (l <= m)%coq_nat -> a m <= a l) ->
  ln (det (n + q)%coq_nat (fun l m => identity l m + sum n (fun i => F i l * F i m))) <=
  sum n (fun i => psi (a i)) + sum n (fun i => sum (n + q)%coq_nat (fun l => F i l ^ 2 / a l)).
Proof.
move=> a1 am; rewrite plusE.
pose Fm := (\matrix_(i < n, l < n + q) F i l)%ring.
pose al := a (Nat.sub n 1); have al1 : 1 <= al by exact: a1.
pose w i := sqrt (a i - al).
have w2 i : (i < n)%coq_nat -> w i * w i = a i - al.
  by move=> hi; rewrite /w sqrt_sqrt // /al; have := am i (Nat.sub n 1) ltac:(lia); lra.
pose W := (col_mx (dg (col n w)) 0 : 'M[R]_(n + q, n))%ring.
have HW : (al%:M + W^T *m W)%ring = dg (col n a).
  rewrite /W tr_col_mx mul_row_col trmx0 mulmx0 addr0 dg_tr dg_mul.
  apply/matrixP => i j; rewrite !mxE; case: (i == j) => /=; last by rewrite !mulr0n addr0.
  rewrite !mulr1n w2; last exact/ssrnat.ltP.
  by rewrite -[LHS]/(al + (a i - al)); ring.
have pB : psd (block_mx (Fm *m Fm^T) (Fm *m W) (Fm *m W)^T (W^T *m W))%ring.
  have -> : block_mx (Fm *m Fm^T)%ring (Fm *m W)%ring (Fm *m W)^T%ring (W^T *m W)%ring =
            (col_mx Fm W^T *m (col_mx Fm W^T)^T)%ring.
    by rewrite tr_col_mx mul_col_row trmxK trmx_mul.
  exact: psd_gram.
have := certificate_psd _ _ _ _ _ 1 al ltac:(lra) al1 pB.
have -> : (\det (1%:M + 1 *: (Fm *m Fm^T)))%ring = det (n + q)%nat (fun l m => identity l m + sum n (fun i => F i l * F i m)).
  rewrite scale1r sylvester.
  transitivity (det (n + q)%nat (fun l m => identity l m + 1 * sum n (fun i => F i l * F i m))).
    rewrite det_mx scale1r; congr (\det (_ + _))%ring; apply/matrixP => l m; rewrite !mxE sumE.
    by apply: eq_bigr => i _; rewrite !mxE.
  by congr determinant; apply/matrixP => l m; rewrite !mxE Rmult_1_l.
move=> h; apply: Rle_trans h _; rewrite HW inv_dg; last by move=> i _; have := a1 i; lra.
have [_ dE] := prod_ln n a (fun i _ => ltac:(have := a1 i; lra)).
rewrite det_dg dE.
have -> : (\tr (dg (col n (fun i => / a i))))%ring = sum n (fun i => / a i).
  by rewrite sumE; apply: eq_bigr => i _; rewrite !mxE eqxx mulr1n.
have -> : sum n (fun i => psi (a i)) = sum n (fun i => ln (a i)) + sum n (fun i => / a i) - INR n.
  by rewrite /psi sum_minus sum_plus sum_const; ring.
rewrite Rminus_eq_0 Rmult_0_l Rplus_0_r; apply: Rplus_le_compat_l.
rewrite -[1 / al * _]/(1 / al * (\sum_i ((Fm *m Fm^T) i i - qf (dg (col n (fun i0 => / a i0))) (row i (Fm *m W))^T))%ring).
have -> : 1 / al = / al by field; lra.
have term (i : 'I_n) : ((Fm *m Fm^T) i i - qf (dg (col n (fun j => / a j))) (row i (Fm *m W))^T)%ring =
   sum n (fun l => al * (F i l ^ 2 / a l)) + sum q (fun l => F i (n + l)%coq_nat ^ 2).
  have -> : (Fm *m Fm^T)%ring i i = sum (n + q)%coq_nat (fun l => F i l ^ 2).
    rewrite plusE sumE mxE; apply: eq_bigr => l _; rewrite !mxE.
    by rewrite /= Rmult_1_r.
  have -> : qf (dg (col n (fun j => / a j))) (row i (Fm *m W))^T%ring = sum n (fun l => F i l ^ 2 * (a l - al) / a l).
    rewrite qf_dg sumE; apply: eq_bigr => j _; rewrite [(col n _ _ _)%ring]mxE.
    have -> : ((row i (Fm *m W))^T j 0)%ring = F i j * w j.
      rewrite mxE mxE /W.
      have -> : Fm = (row_mx (\matrix_(i < n, l < n) F i l) (\matrix_(i < n, l < q) F i (n + l)%coq_nat))%ring.
        by apply/matrixP => b l; rewrite !mxE; case: splitP => m em; rewrite !mxE em.
      rewrite mul_row_col mulmx0 addr0 mxE (bigD1 j) //= big1 ?addr0; last first.
        by move=> m mj; rewrite [(dg _ _ _)%ring]mxE (negbTE mj) mulr0n mulr0.
      by rewrite !mxE eqxx mulr1n.
    have := w2 j ltac:(exact/ssrnat.ltP) => wj.
    have e : / a j * (F i j * w j) ^ 2 = F i j ^ 2 * (a j - al) / a j by rewrite -wj /Rdiv; ring.
    by rewrite -e -RpowE.
  rewrite sum_add.
  have -> : sum n (fun l => al * (F i l ^ 2 / a l)) = sum n (fun l => F i l ^ 2) - sum n (fun l => F i l ^ 2 * (a l - al) / a l).
    by rewrite -sum_minus; apply: sum_ext => l _; have := a1 l => al_; field; lra.
  have g u v y : u + v - y = u - y + v by ring.
  exact: g.
rewrite (eq_bigr (fun i : 'I_n => sum n (fun l => al * (F i l ^ 2 / a l)) + sum q (fun l => F i (n + l)%coq_nat ^ 2))); last by move=> i _; exact: term.
rewrite -(sumE n (fun i => sum n (fun l => al * (F i l ^ 2 / a l)) + sum q (fun l => F i (n + l)%coq_nat ^ 2))) -sum_scal.
apply: sum_le => i hi; rewrite -plusE sum_add Rmult_plus_distr_l; apply: Rplus_le_compat.
  by rewrite sum_scal -Rmult_assoc Rinv_l ?Rmult_1_l; [lra | lra].
rewrite -sum_scal; apply: sum_le => l _; rewrite Rmult_comm; apply: Rmult_le_compat_l; first exact: pow2_ge_0.
apply: Rinv_le_contravar; first by have := a1 (n + l)%coq_nat; lra.
by rewrite /al; apply: am; lia.
Qed.

(* A with the eigenvalues a and the orthonormal eigenvectors Q 0, Q 1, ... *)
Theorem rank_aware_rotated n q (F Q : nat -> nat -> R) (a : nat -> R) :
  (forall l m, (l < (n + q)%coq_nat)%coq_nat -> (m < (n + q)%coq_nat)%coq_nat ->
     sum (n + q)%coq_nat (fun p => Q l p * Q m p) = identity l m) ->
  (forall l, 1 <= a l) -> (forall l m, (l <= m)%coq_nat -> a m <= a l) ->
  ln (det (n + q)%coq_nat (fun l m => identity l m + sum n (fun i => F i l * F i m))) <=
  sum n (fun i => psi (a i)) +
  sum n (fun i => sum (n + q)%coq_nat (fun l => sum (n + q)%coq_nat (fun p => Q l p * F i p) ^ 2 / a l)).
Proof.
move=> orth a1 am; set N := (n + q)%coq_nat.
have := rank_aware n q (fun i l => sum N (fun p => Q l p * F i p)) a a1 am; rewrite -/N.
apply: Rle_trans; right; congr ln.
pose Qm := (\matrix_(l < N, p < N) Q l p)%ring.
have QQ : (Qm *m Qm^T = 1%:M)%ring.
  apply/matrixP => l m; rewrite !mxE; have := orth l m ltac:(exact/ssrnat.ltP) ltac:(exact/ssrnat.ltP).
  rewrite -/N sumE => e; rewrite (eq_bigr (fun p : 'I_N => (Q l p * Q m p)%ring)); last by move=> p _; rewrite !mxE.
  rewrite [LHS]e /identity; case: (Nat.eqb_spec l m) => [e2|ne]; first by have -> : l == m by apply/eqP/val_inj.
  by have -> : (l == m) = false by apply/negbTE/eqP => e2; apply: ne; rewrite e2.
pose M := (\matrix_(l < N, m < N) (identity l m + sum n (fun i => F i l * F i m)))%ring.
have dQ : (\det Qm * \det Qm^T = 1)%ring by rewrite -det_mulmx QQ det1.
have -> : det N (fun l m => identity l m + sum n (fun i => F i l * F i m)) = (\det (Qm *m M *m Qm^T))%ring.
  by rewrite !det_mulmx mulrAC dQ mul1r.
rewrite /det; congr determinant.
have -> : M = (1%:M + \sum_(i < n) (\col_(l < N) F i l) *m (\col_(l < N) F i l)^T)%ring.
  apply/matrixP => l m; rewrite !mxE summxE /identity; congr (_ + _)%ring.
    case: (Nat.eqb_spec l m) => [e2|ne]; first by have -> : l == m by apply/eqP/val_inj.
    by have -> : (l == m) = false by apply/negbTE/eqP => e2; apply: ne; rewrite e2.
  by rewrite sumE; apply: eq_bigr => i _; rewrite !mxE big_ord1 !mxE.
rewrite mulmxDr mulmxDl mulmx1 QQ mulmx_sumr mulmx_suml; apply/matrixP => l m; rewrite !mxE; congr (_ + _)%ring.
  rewrite /identity; case: (Nat.eqb_spec l m) => [e2|ne]; first by have -> : l == m by apply/eqP/val_inj.
  by have -> : (l == m) = false by apply/negbTE/eqP => e2; apply: ne; rewrite e2.
rewrite summxE sumE; apply: eq_bigr => i _.
rewrite mulmxA -mulmxA -trmx_mul !mxE big_ord1 !mxE !sumE; congr (_ * _)%ring; apply: eq_bigr => p _; rewrite !mxE //.
Qed.
