(******************************************************************************)
(*               Determinants and inverses from approximations                *)
(*                                                                            *)
(* log det A from any triangular matrix with a positive diagonal (Hadamard),  *)
(* and quadratic forms of the inverse from any approximate inverse and what   *)
(* it leaves.                                                                 *)
(*                                                                            *)
(* Statements:                                                                *)
(*   log_det_upper == the determinant                                         *)
(*   inverse_form_bounds == a quadratic form                                  *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, determinants,       *)
(* lemma_r, duality, kernels.                                                 *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains determinants lemma_r duality kernels.
Import GRing.Theory Num.Theory Order.Theory.
Delimit Scope R_scope with coqR.
Open Scope R_scope.

Section Residual.
Variable n : nat.
Implicit Types (A : 'M[R]_n) (b c : 'cV[R]_n).

Lemma residual_form A b c : pd A ->
  (qf (invmx A) b = (b^T *m c) ord0 ord0 + (c^T *m (b - A *m c)) ord0 ord0 + qf (invmx A) (b - A *m c))%ring.
Proof.
case=> sA uA _; set r := (b - A *m c)%ring.
have eb : (b = A *m c + r)%ring by rewrite /r addrC subrK.
have ei : (invmx A *m b = c + invmx A *m r)%ring by rewrite eb mulmxDr mulKmx.
rewrite /qf -mulmxA ei mulmxDr mxE -addrA; congr (_ + _)%ring.
rewrite {1}eb linearD /= mulmxDl mxE trmx_mul sA -!mulmxA; congr (_ + _)%ring.
by rewrite (mulKVmx uA).
Qed.
End Residual.

(* for theories that require this one alone *)
Notation shifted := duality.shifted.

Lemma dot_sum p (u v : nat -> R) : ((col p u)^T *m col p v)%ring ord0 ord0 = sum p (fun i => u i * v i).
Proof. by rewrite mxE sumE; apply: eq_bigr => i _; rewrite !mxE. Qed.

Theorem inverse_form_bounds p al H (b c : nat -> R) : 0 < al -> semidefinite p H ->
  let r i := b i - sum p (fun j => shifted al H i j * c j) in
  let q := sum p (fun i => b i * c i) + sum p (fun i => c i * r i) in
  q <= inverse_form p (shifted al H) b <= q + sum p (fun i => r i ^ 2) / al.
Proof.
move=> al0 pH r q; have pH' := psd_mx _ _ pH.
have al0' : (0 < al)%ring by apply/RltP.
have pdA : pd (al%:M + mx p H)%ring by exact: pd_scalar.
rewrite inverse_form_qf mx_shifted (residual_form _ _ _ (col p c) pdA).
have er : (col p b - (al%:M + mx p H) *m col p c = col p r)%ring.
  apply/matrixP => i j; rewrite -mx_shifted !mxE /r sumE; congr (_ - _)%ring.
  by apply: eq_bigr => l _; rewrite !mxE.
rewrite er !dot_sum -/q.
have lo : 0 <= qf (invmx (al%:M + mx p H)%ring) (col p r) by apply/RleP; exact: (pd_inv pdA).2.
have hi : qf (invmx (al%:M + mx p H)%ring) (col p r) <= sum p (fun i => r i ^ 2) / al.
  have pdal : pd (al%:M : 'M[R]_p)%ring.
    have z : psd (0 : 'M[R]_p)%ring by exact: psd0.
    by have := pd_scalar _ _ _ _ al0' z; rewrite addr0.
  apply: Rle_trans (_ : qf (invmx (al%:M : 'M[R]_p)%ring) (col p r) <= _).
    by apply/RleP; apply: inv_mono => //; case: pdA.
  right; rewrite invmx_scalar /qf -mulmxA mul_scalar_mx -scalemxAr mxE dot_sum.
  have -> : (al^-1)%ring = / al by rewrite -RinvE //; apply/eqP => h; have h' : al = 0 by [exact: h]; lra.
  rewrite /Rdiv Rmult_comm; congr (_ * _); apply: sum_ext => i _; ring.
split.
  by have := Rplus_le_compat_l q _ _ lo; rewrite Rplus_0_r.
exact: Rplus_le_compat_l.
Qed.

Lemma trace_forms p A : trace_inverse p A = sum p (fun i => inverse_form p A (fun j => identity i j)).
Proof.
rewrite /trace_inverse sumE; apply: eq_bigr => i _; rewrite /inverse_form.
have e : (\row_(j < p) identity i j = delta_mx 0 i :> 'rV[R]_p)%ring.
  apply/matrixP => a j; rewrite !mxE ord1 eqxx /= /identity.
  case: (Nat.eqb_spec i j) => [h|h]; first by have -> : j == i by [apply/eqP/val_inj].
  by have -> : (j == i) = false by apply/negbTE/eqP => g; apply: h; rewrite g.
have e' : (\col_(j < p) identity i j = delta_mx i 0 :> 'cV[R]_p)%ring.
  apply/matrixP => j a; rewrite !mxE ord1 eqxx andbT /identity.
  case: (Nat.eqb_spec i j) => [h|h]; first by have -> : j == i by [apply/eqP/val_inj].
  by have -> : (j == i) = false by apply/negbTE/eqP => g; apply: h; rewrite g.
by rewrite e e' -rowE -colE !mxE.
Qed.

(* a triangular matrix of rows r *)
Theorem log_det_upper p A (r : nat -> nat -> R) (q : nat -> R) : semidefinite p A -> 0 < det p A ->
  (forall i, (i < p)%coq_nat -> 0 < r i i) ->
  (forall i j, (i < j)%coq_nat -> (j < p)%coq_nat -> r i j = 0) ->
  (forall i, (i < p)%coq_nat -> sum p (fun a => r i a * sum p (fun b => r i b * A a b)) <= q i) ->
  ln (det p A) <= sum p (fun i => ln (q i) - 2 * ln (r i i)).
Proof.
move=> pA d0 r0 tri hq; pose L := mx p r; pose M := (L *m mx p A *m L^T)%ring.
have ML i : M i i = sum p (fun a => r i a * sum p (fun b => r i b * A a b)).
  rewrite /M mxE sumE.
  transitivity (\sum_(a < p) \sum_(b < p) r i a * (r i b * A a b))%ring; last first.
    by apply: eq_bigr => a _; rewrite sumE; symmetry; exact: mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => b _; rewrite !mxE mulr_suml; apply: eq_bigr => a _.
  by rewrite !mxE -mulrA (mulrC (A _ _)).
have dL : (\det L)%ring = (\prod_(i < p) r i i)%ring.
  rewrite det_trig; first by apply: eq_bigr => i _; rewrite mxE.
  apply/is_trig_mxP => i j ij; rewrite mxE tri //; exact/ssrnat.ltP.
have [P0 lnP] := prod_ln p (fun i => r i i) r0.
have psM : psd M by exact: (psd_conj L (psd_mx _ _ pA)).
have hM : (\det M <= \prod_i M i i)%ring by exact: hadamard.
have dM : (\det M)%ring = (\prod_(i < p) r i i)%ring * det p A * (\prod_(i < p) r i i)%ring.
  by rewrite /M !det_mulmx det_tr dL.
have M0 : 0 < (\det M)%ring.
  by rewrite dM; apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat.
have Mii i : (0 <= M i i)%ring by exact: (psd_diag i psM).
have q0 i : (i < p)%coq_nat -> 0 < q i.
  move=> hi; apply: Rlt_le_trans (hq i hi); have hi' : (i < p)%nat by apply/ssrnat.ltP.
  rewrite -(ML (Ordinal hi')); have [//|z] : 0 < M (Ordinal hi') (Ordinal hi') \/ M (Ordinal hi') (Ordinal hi') = 0.
    by have := Mii (Ordinal hi') => /RleP [h|h]; [left | right].
  exfalso; move: hM; rewrite (bigD1 (Ordinal hi')) //= z mul0r => /RleP; exact: Rlt_not_le.
have [Q0 lnQ] := prod_ln p q q0.
have le : (\det M)%ring <= (\prod_(i < p) q i)%ring.
  apply: Rle_trans (RleP _ _ hM) _; apply/RleP; apply: ler_prod => i _; rewrite Mii /=.
  by rewrite ML; apply/RleP/hq/ssrnat.ltP.
have := ln_le _ _ M0 le; rewrite dM !ln_mult //; try exact: Rmult_lt_0_compat.
rewrite lnP lnQ sum_minus sum_scal; lra.
Qed.

Lemma det_shifted p al H : 0 < al -> semidefinite p H -> 0 < det p (shifted al H).
Proof.
move=> al0 pH; have pdA : pd (mx p (shifted al H)).
  by rewrite mx_shifted; apply: pd_scalar; [apply/RltP | exact: psd_mx].
by have := det_pd_gt0 _ _ pdA; rewrite -[det p _]/(\det (mx p (shifted al H)))%ring.
Qed.

Lemma semidefinite_identity p : semidefinite p identity.
Proof.
apply: mx_psd; have -> : (mx p identity = 1%:M)%ring; last exact: psd1.
apply/matrixP => a b; rewrite !mxE /identity.
case: (Nat.eqb_spec a b) => [e|ne]; first by have -> : a == b by [apply/eqP/val_inj].
by have -> : (a == b) = false by apply/negbTE/eqP => e; apply: ne; rewrite e.
Qed.

Lemma sum_pick p i f : (i < p)%coq_nat -> sum p (fun j => if Nat.eqb i j then f j else 0) = f i.
Proof.
elim: p => [|p IH] h; first by lia.
rewrite /=; case: (Nat.eqb_spec i p) => [e|ne].
  rewrite -e (sum_ext i _ (fun=> 0)) ?sum_0; first by lra.
  by move=> j hj; case: Nat.eqb_spec => // ej; lia.
by rewrite IH; [lra | lia].
Qed.
