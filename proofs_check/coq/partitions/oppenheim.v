(******************************************************************************)
(*           A product with a unit diagonal does not lower the gain           *)
(*                                                                            *)
(* Oppenheim's inequality for gains.                                          *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gain_above_static == the joint gain is at least that of space alone      *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* theorem_a, determinants.                                                   *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains posterior theorem_a determinants.
Import Order.TTheory GRing.Theory Num.Theory.

Section Algebra.
Local Open Scope ring_scope.
Variable F : rcfType.

Lemma psd_of_schur n (N : 'M[F]_n) (b : 'cV_n) (d : 'M_1) : pd N ->
  0 <= d 0 0 - qf (invmx N) b -> psd (block_mx N b b^T d).
Proof.
move=> [sN uN [_ pN]] h; split=> [|x].
  rewrite tr_block_mx trmxK sN; congr block_mx.
  by apply/matrixP => i j; rewrite !ord1 mxE.
rewrite -(vsubmxK x) qf_block; set y := usubmx x; set t := dsubmx x.
have [w wE] : exists w, w = invmx N *m b by eexists.
have Nw : N *m w = b by rewrite wE mulKVmx.
have := pN (y + t 0 0 *: w).
have e1 : qf N (y + t 0 0 *: w) = qf N y + 2%:R * (y^T *m b *m t) 0 0 + t 0 0 ^+ 2 * qf (invmx N) b.
  have sE k (M : 'M[F]_1) : (k *: M) 0 0 = k * M 0 0 by rewrite mxE.
  have aE (M M' : 'M[F]_1) : (M + M') 0 0 = M 0 0 + M' 0 0 by rewrite mxE.
  have wb : (w^T *m b) 0 0 = qf (invmx N) b by rewrite wE trmx_mul trmx_inv sN /qf.
  have yt : (y^T *m b *m t) 0 0 = t 0 0 * (y^T *m b) 0 0 by rewrite mxE big_ord1 mulrC.
  have wy : (w^T *m N *m y) 0 0 = (y^T *m b) 0 0.
    have -> : w^T *m N *m y = (y^T *m b)^T by rewrite -Nw !trmx_mul trmxK sN.
    by rewrite mxE.
  have split u : qf N (y + u) = (qf N y + (y^T *m N *m u) 0 0) + ((u^T *m N *m y) 0 0 + qf N u).
    by rewrite /qf [(y + u)^T]linearD /= !mulmxDl !mulmxDr !aE.
  have uT : (t 0 0 *: w)^T = t 0 0 *: w^T by rewrite linearZ.
  have p1 : (y^T *m N *m (t 0 0 *: w)) 0 0 = t 0 0 * (y^T *m b) 0 0 by rewrite -scalemxAr sE -mulmxA Nw.
  have p2 : ((t 0 0 *: w)^T *m N *m y) 0 0 = t 0 0 * (y^T *m b) 0 0 by rewrite uT -!scalemxAl sE wy.
  have p3 : qf N (t 0 0 *: w) = t 0 0 * (t 0 0 * qf (invmx N) b).
    have ww : (w^T *m N *m w) 0 0 = qf (invmx N) b by rewrite -mulmxA Nw wb.
    by rewrite {1}/qf uT -!scalemxAl -scalemxAr !sE ww.
  by rewrite split p1 p2 p3 yt mulr_natl mulr2n expr2 !addrA mulrA.
have e2 : qf d t = t 0 0 ^+ 2 * d 0 0.
  by rewrite /qf !mxE big_ord1 !mxE big_ord1 !mxE expr2 mulrAC.
rewrite e1 e2 => p; apply: le_trans (addr_ge0 p (mulr_ge0 (sqr_ge0 (t 0 0)) h)) _.
by rewrite mulrBr -!addrA ler_add2l ler_add2l addrC -addrA addNr addr0.
Qed.

Lemma key_noise n (A : 'M[F]_n) s b : 0 < s -> psd A ->
  pd (s^-1%:M + A) /\ s * qf (invmx (1%:M + s *: A)) b = qf (invmx (s^-1%:M + A)) b.
Proof.
move=> s0 pA; have e : s^-1%:M + A = s^-1 *: (1%:M + s *: A).
  by rewrite scalerDr scalerA mulVf ?gt_eqF // scale1r scalemx1.
have [sM uM pM] := pd1D (psdZ (ltW s0) pA).
have u : s^-1 *: (1%:M + s *: A) \in unitmx by rewrite unitmxZ // unitfE invr_eq0 gt_eqF.
rewrite e; split; last by rewrite invmxZ // invrK qfZ.
by split=> //; [rewrite linearZ /= sM | apply: psdZ => //; rewrite invr_ge0 ltW].
Qed.

Lemma variance_product n (A J : 'M[F]_n) (b c : 'cV_n) (d e : 'M_1) s : 0 < s ->
  psd (block_mx A b b^T d) -> psd (block_mx J c c^T e) -> (forall i, J i i = 1) -> e 0 0 = 1 ->
  d 0 0 - s * qf (invmx (1%:M + s *: A)) b <=
  d 0 0 - s * qf (invmx (1%:M + s *: hadp A J)) (\col_i (b i 0 * c i 0)).
Proof.
move=> s0 pK pJ J1 e1; have [_ pA _] := psd_block pK; have [_ pJ' _] := psd_block pJ.
have [pN ->] := key_noise _ _ _ b s0 pA.
have [pN' ->] := key_noise _ _ _ (\col_i (b i 0 * c i 0)) s0 (psd_hadp pA pJ').
set v := d 0 0 - _.
have dE (u : F) : (d - u%:M) 0 0 = d 0 0 - u by rewrite !mxE eqxx mulr1n.
have pB : psd (block_mx (s^-1%:M + A) b b^T (d - v%:M)).
  by apply: psd_of_schur => //; rewrite dE /v opprB addrCA subrr addr0 subrr.
have := psd_hadp pB pJ.
have -> : hadp (block_mx (s^-1%:M + A) b b^T (d - v%:M)) (block_mx J c c^T e) =
  block_mx (s^-1%:M + hadp A J) (\col_i (b i 0 * c i 0)) (\col_i (b i 0 * c i 0))^T (d - v%:M).
  apply/matrixP => i j; rewrite mxE /block_mx /col_mx /row_mx !mxE.
  case: splitP => a _; rewrite !mxE; case: splitP => a' _; rewrite !mxE //.
  - by rewrite mulrDl; congr (_ + _); case: (eqVneq a a') => [->|_]; rewrite ?J1 ?mulr1 // mulr0n mul0r.
  - by rewrite (ord1 a').
  - by rewrite (ord1 a).
  - by rewrite (ord1 a) (ord1 a') e1 mulr1.
case: pN' => _ uN' _ p; have := (psd_schur _ _ _ _ _ _ uN' p).2 1%:M.
have one (M : 'M[F]_1) : qf M 1%:M = M 0 0 by rewrite /qf trmx1 mul1mx mulmx1.
have aE (M M' : 'M[F]_1) : (M - M') 0 0 = M 0 0 - M' 0 0 by rewrite !mxE.
by rewrite one aE dE addrAC subr_ge0.
Qed.

End Algebra.

Open Scope R_scope.

Theorem gain_above_static s n K J : 0 < s -> semidefinite n K -> semidefinite n J ->
  (forall i, (i < n)%coq_nat -> J i i = 1) ->
  gain s n K <= gain s n (fun i j => K i j * J i j).
Proof.
move=> s0 pK pJ J1; have pKJ := semidefinite_hadamard n K J pK pJ.
rewrite (gain_sum s n K ltac:(lra) pK) (gain_sum s n _ ltac:(lra) pKJ).
apply: Rmult_le_compat_l; first lra.
apply: sum_le => i hi.
have le i' : (i' <= n)%coq_nat -> forall A, semidefinite n A -> semidefinite i' A by move=> h A; exact: semidefinite_le.
have bl A : semidefinite n A -> psd (block_mx (mx i A) (\col_(j < i) A j i) (\col_(j < i) A j i)^T (const_mx (A i i) : 'M_1))%ring.
  move=> pA; have := psd_mx _ _ (le (S i) ltac:(lia) A pA); rewrite mx_border; last by apply: le => //; lia.
  by move: (block_mx _ _ _ _) (addn1 i); rewrite addn1 => M e; rewrite castmx_id.
have [v0 _] := gain_variance s i K ltac:(lra) (le (S i) ltac:(lia) K pK).
have h : variance s i K <= variance s i (fun a b => K a b * J a b).
  rewrite !variance_qf; apply/RleP.
  have := variance_product _ _ _ _ _ _ _ _ s _ (bl K pK) (bl J pJ).
  rewrite !mxE => H.
  have -> : mx i (fun a b => K a b * J a b) = hadp (mx i K) (mx i J) by apply/matrixP => a b; rewrite !mxE.
  have -> : (\col_(a < i) (K a i * J a i) = \col_a ((\col_(j < i) K j i) a 0 * (\col_(j < i) J j i) a 0))%ring by apply/matrixP => a b; rewrite !mxE.
  have -> : K i i * J i i = K i i by rewrite J1 //; ring.
  apply: H; first exact/RltP; last by rewrite J1.
  by move=> a; rewrite !mxE J1 //; have := ssrnat.ltP (ltn_ord a); lia.
have h1 : 0 <= s * variance s i K by apply: Rmult_le_pos; lra.
apply: ln_le; first lra.
by apply: Rplus_le_compat_l; apply: Rmult_le_compat_l; lra.
Qed.
