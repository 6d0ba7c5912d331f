(******************************************************************************)
(*                               The joint dual                               *)
(*                                                                            *)
(* A feature of the joint kernel is a product of one of space and one of      *)
(* time.                                                                      *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, determinants,       *)
(* lemma_r, duality, kernels, residuals.                                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains determinants lemma_r duality kernels.
From CTV Require Import residuals.
Import GRing.Theory Num.Theory Order.Theory.
Open Scope R_scope.

Lemma compress_semidefinite X k m z p W : kernel X k -> semidefinite p (compress X k m z W).
Proof.
move=> pk; apply: mx_psd; have := feature_block X k 0 (fun=> z O) m z p W pk.
by case/psd_block.
Qed.

Theorem joint_dual X k h s n x tau m z mt (zt : nat -> R) p (Ws Wt : nat -> nat -> R) alpha (V : nat -> R) :
  0 <= s -> kernel X k -> kernel R h -> 1 <= alpha ->
  let A := shifted alpha (fun a b => compress X k m z Ws a b * compress R h mt zt Wt a b) in
  (forall i, (i < n)%coq_nat -> k (x i) (x i) * h (tau i) (tau i) -
     inverse_form p A (fun a => against X k m z Ws (x i) a * against R h mt zt Wt (tau i) a) <= V i) ->
  2 * gain s n (joint X k h x tau) <=
  ln (det p A) + trace_inverse p A - INR p + (INR n - INR p) * psi alpha + s / alpha * sum n V.
Proof.
move=> s0 pk ph al1 A hV.
have pS := feature_block X k n x m z p Ws pk.
have pT := feature_block R h n tau mt zt p Wt ph.
have := psd_hadp pS pT.
set Cs := (\matrix_(i < n, a < p) against X k m z Ws (x i) a)%ring in pS *.
set Ct := (\matrix_(i < n, a < p) against R h mt zt Wt (tau i) a)%ring in pT *.
pose C := (\matrix_(i < n, a < p) (against X k m z Ws (x i) a * against R h mt zt Wt (tau i) a))%ring.
pose Hm := mx p (fun a b => compress X k m z Ws a b * compress R h mt zt Wt a b).
have -> : hadp (block_mx (mx n (gram X k x)) Cs Cs^T (mx p (compress X k m z Ws)))%ring
               (block_mx (mx n (gram R h tau)) Ct Ct^T (mx p (compress R h mt zt Wt)))%ring =
          (block_mx (mx n (joint X k h x tau)) C C^T Hm)%ring.
  apply/matrixP => i j; rewrite mxE.
  by case: (split_ordP i) => i' ->; case: (split_ordP j) => j' ->;
    rewrite ?block_mxEul ?block_mxEur ?block_mxEdl ?block_mxEdr !mxE.
move=> pB.
have cert := certificate_psd _ _ _ _ _ _ _ s0 al1 pB.
rewrite /Hm -mx_shifted -/A in cert.
have -> : 2 * gain s n (joint X k h x tau) = ln (\det (1%:M + s *: mx n (joint X k h x tau)))%ring.
  have q2 q : 2 * (/ 2 * q) = q by field.
  by rewrite /gain det_mx q2.
apply: Rle_trans cert _; apply: Rplus_le_compat_l.
apply: Rmult_le_compat_l.
  by apply: Rmult_le_pos => //; left; apply: Rinv_0_lt_compat; lra.
rewrite sumE; apply/RleP; apply: ler_sum => i _; apply/RleP.
have hi : (i < n)%coq_nat by exact/ssrnat.ltP.
apply: Rle_trans (hV i hi); right; rewrite inverse_form_qf mxE; congr (_ - qf _ _)%ring.
by apply/matrixP => a b; rewrite !mxE.
Qed.
