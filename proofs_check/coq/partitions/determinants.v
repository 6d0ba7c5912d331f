(******************************************************************************)
(*             Fischer, Hadamard and the block bound for matrices             *)
(*                                                                            *)
(* Inequalities without the identity matrix, and the block bound of Theorem 1 *)
(* without eigenvalues.                                                       *)
(*                                                                            *)
(* Statements:                                                                *)
(*   det_fischer_R, det_hadamard_R == of semidefinite determinants            *)
(*   block_bound == the gain of an entrywise product against that of one      *)
(*       factor                                                               *)
(*   compression, tangent == the inverse of a block; the tangent of log det   *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* theorem_a.                                                                 *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains posterior theorem_a.
Import Order.TTheory GRing.Theory Num.Theory.

Section Det.
Local Open Scope ring_scope.
Variable F : rcfType.

Lemma psd_det n (A : 'M[F]_n) : psd A -> 0 <= \det A.
Proof. by move=> /gram_of_psd [G ->]; rewrite det_mulmx det_tr -expr2 sqr_ge0. Qed.

Lemma det_le_psd n (S E : 'M[F]_n) : psd S -> psd E -> \det S <= \det (S + E).
Proof.
move=> pS pE; have pSE := psdD pS pE; have [G eG] := gram_of_psd pS.
have [z|nz] := eqVneq (\det G) 0.
  by rewrite {1}eG det_mulmx z mul0r psd_det.
have uG : G \in unitmx by rewrite unitmxE unitfE.
have uT : G^T \in unitmx by rewrite unitmx_tr.
have -> : S + E = G *m (1%:M + invmx G *m E *m (invmx G)^T) *m G^T.
  rewrite mulmxDr mulmx1 mulmxDl -eG; congr (_ + _).
  by rewrite !mulmxA mulmxV // mul1mx -mulmxA -trmx_mul mulmxV // trmx1 mulmx1.
rewrite {1}eG !det_mulmx det_tr mulrAC -[leLHS]mulr1 ler_pmul2l.
  by apply: det1D_ge1; exact: psd_conj.
by rewrite -expr2 exprn_even_gt0.
Qed.

Lemma psd_schur m n (A : 'M[F]_m) (B : 'M_(m, n)) (D : 'M_n) : A \in unitmx ->
  psd (block_mx A B B^T D) -> psd (D - B^T *m invmx A *m B).
Proof.
move=> uA pB; have [_ [sA _] [sD _]] := psd_block pB.
split=> [|y].
  by rewrite linearB /= sD !trmx_mul trmxK trmx_inv sA mulmxA.
have := pB.2 (col_mx (- (invmx A *m B *m y)) y); rewrite qf_block.
have [w wE] : exists w, w = invmx A *m B *m y by eexists.
have Aw : A *m w = B *m y by rewrite wE !mulmxA mulmxV // mul1mx.
rewrite -wE.
have e1 : qf A (- w) = (w^T *m B *m y) 0 0.
  rewrite /qf mulmxN [(- w)^T]linearN /= !mulNmx opprK.
  by rewrite -mulmxA Aw mulmxA.
have e2 : ((- w)^T *m B *m y) 0 0 = - (w^T *m B *m y) 0 0.
  by rewrite [(- w)^T]linearN /= !mulNmx mxE.
have e3 : qf (B^T *m invmx A *m B) y = (w^T *m B *m y) 0 0.
  by rewrite /qf wE !trmx_mul trmx_inv sA !mulmxA.
rewrite e1 e2 qfD -[X in _ -> _ <= _ + X]/(qf (- (B^T *m invmx A *m B)) y) -scaleN1r qfZ mulN1r e3.
by rewrite mulr_natl mulr2n addrA addrN add0r addrC.
Qed.

Lemma fischer m n (A : 'M[F]_m) (B : 'M_(m, n)) C (D : 'M_n) : psd (block_mx A B C D) ->
  \det (block_mx A B C D) <= \det A * \det D.
Proof.
move=> p; have [eC pA pD] := psd_block p; rewrite eC in p *.
have [uA|nA] := boolP (A \in unitmx).
  rewrite det_bordered //; apply: ler_wpmul2l; first exact: psd_det.
  have pS := psd_schur _ _ _ _ _ uA p.
  have pE : psd (B^T *m invmx A *m B).
    rewrite -{2}[B]trmxK; apply: psd_conj; case: pA => sA qA; split=> [|x]; first by rewrite trmx_inv sA.
    by have := qA (invmx A *m x); rewrite /qf trmx_mul trmx_inv sA -!mulmxA mulKVmx.
  by have := det_le_psd _ _ _ pS pE; rewrite subrK.
suff -> : \det (block_mx A B B^T D) = 0 by rewrite mulr_ge0 ?psd_det.
move: nA; rewrite unitmxE unitfE negbK => /det0P [v v0 vA].
apply/eqP/det0P; exists (row_mx v 0).
  by apply: contra v0 => /eqP e; rewrite -[v](row_mxKl v (0 : 'rV_n)) e linear0.
have [G eG] := gram_of_psd p.
have z : row_mx v 0 *m G = 0.
  apply: (can_inj trmxK); rewrite trmx0; apply: dot_eq0.
  rewrite trmxK trmx_mul mulmxA -[_ *m G *m G^T]mulmxA -eG tr_row_mx mul_row_block mul_row_col.
  by rewrite vA !mul0mx !addr0 trmx0 mulmx0 mul0mx ?mulmx0 ?addr0 mxE.
by rewrite eG mulmxA z mul0mx.
Qed.

Lemma hadamard n (A : 'M[F]_n) : psd A -> \det A <= \prod_i A i i.
Proof.
elim: n A => [|n IH] A pA; first by rewrite det_mx00 big_ord0.
rewrite -[n.+1]/(1 + n)%nat in A pA *.
have pA' := pA; rewrite -(submxK A) in pA'.
have [_ pa pD] := psd_block pA'.
rewrite big_split_ord /= big_ord1 -{1}(submxK A).
apply: le_trans (fischer _ _ _ _ _ _ pA') _.
apply: ler_pmul.
- exact: psd_det.
- exact: psd_det.
- by rewrite [X in \det X]mx11_scalar det_scalar expr1 !mxE.
apply: le_trans (IH _ pD) _.
by apply: ler_prod => i _; apply/andP; split; [exact: psd_diag | rewrite !mxE].
Qed.

End Det.

Open Scope R_scope.

Lemma detE n A : det n A = (\det (mx n A))%ring.
Proof. by []. Qed.

Lemma det_ge0_psd n A : semidefinite n A -> 0 <= det n A.
Proof. by move=> /psd_mx /psd_det /RleP. Qed.

Lemma det_hadamard_R n A : semidefinite n A -> det n A <= (\prod_(i < n) A i i)%ring.
Proof.
move=> /psd_mx /hadamard h; apply/RleP; apply: le_trans h _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; rewrite !mxE.
Qed.

Lemma det_fischer_R m n A : semidefinite (m + n)%coq_nat A ->
  det (m + n)%coq_nat A <= det m A * det n (shift2 m A).
Proof.
move=> /psd_mx; rewrite plusE => p; rewrite mx_split in p.
have := fischer _ _ _ _ _ _ _ p; rewrite -mx_split => /RleP; exact.
Qed.

(* repeating one index of a semidefinite matrix *)
Lemma semidefinite_repeat n J c : (c < n)%coq_nat -> semidefinite n J ->
  semidefinite (S n) (fun i j => J (if Nat.ltb i n then i else c) (if Nat.ltb j n then j else c)).
Proof.
move=> cn [sJ pJ]; pose m i := if Nat.ltb i n then i else c.
have mn i : (m i < n)%coq_nat by rewrite /m; case: Nat.ltb_spec.
have mi i : (i < n)%coq_nat -> m i = i by rewrite /m; case: Nat.ltb_spec => //; lia.
have mc : m n = c by rewrite /m Nat.ltb_irrefl.
split=> [i j _ _|b]; first exact: (sJ (m i) (m j)).
rewrite -/m; pose b' i := b i + identity c i * b n.
have pick g : sum n (fun i => identity c i * g i) = g c.
  have -> : sum n (fun i => identity c i * g i) = sum n (fun i => identity c i * g c).
    by apply: sum_ext => i _; rewrite /identity; case: Nat.eqb_spec => [->|_]; ring.
  rewrite sum_scalr sum_identity; have -> : Nat.ltb c n = true by apply/Nat.ltb_lt.
  ring.
have row i : sum (S n) (fun j => b i * b j * J (m i) (m j)) = b i * sum n (fun j => b' j * J (m i) j).
  rewrite -[sum n.+1 _]/(sum n (fun j => b i * b j * J (m i) (m j)) + b i * b n * J (m i) (m n)) mc.
  have -> : sum n (fun j => b' j * J (m i) j) = sum n (fun j => b j * J (m i) j) + sum n (fun j => identity c j * (b n * J (m i) j)).
    by rewrite -sum_plus; apply: sum_ext => j _; rewrite /b'; ring.
  rewrite pick Rmult_plus_distr_l -sum_scal.
  rewrite (sum_ext n (fun j => b i * b j * J (m i) (m j)) (fun i0 => b i * (b i0 * J (m i) i0))); first by ring.
  by move=> j hj; rewrite (mi j hj); ring.
rewrite (sum_ext (S n) _ (fun i => b i * sum n (fun j => b' j * J (m i) j))); last by move=> i _; exact: row.
have -> : sum (S n) (fun i => b i * sum n (fun j => b' j * J (m i) j)) = sum n (fun i => sum n (fun j => b' i * b' j * J i j)).
  rewrite -[sum n.+1 _]/(sum n (fun i => b i * sum n (fun j => b' j * J (m i) j)) + b n * sum n (fun j => b' j * J (m n) j)) mc.
  have -> : sum n (fun i => sum n (fun j => b' i * b' j * J i j)) =
     sum n (fun i => b i * sum n (fun j => b' j * J i j)) + sum n (fun i => identity c i * (b n * sum n (fun j => b' j * J i j))).
    rewrite -sum_plus; apply: sum_ext => i _.
    rewrite (sum_ext n (fun j => b' i * b' j * J i j) (fun j => b' i * (b' j * J i j))); last by move=> j _; ring.
    by rewrite sum_scal /b'; ring.
  rewrite pick; congr (_ + _); apply: sum_ext => i hi; by rewrite mi.
exact: pJ.
Qed.

(* the block bound of Theorem 1 for matrices, without eigenvalues *)
Theorem block_bound s n K J : 0 <= s -> semidefinite n K -> semidefinite n J ->
  (forall i, (i < n)%coq_nat -> K i i <= 1) -> (forall i, (i < n)%coq_nat -> J i i = 1) ->
  gain s n (fun i j => K i j * J i j) <= gain s n K +
  / 2 * INR n * ln (1 + s * sqrt (sum n (fun i => sum n (fun j => (1 - J i j) ^ 2)) / INR n)).
Proof.
move=> s0 pK pJ K1 J1.
have [->|n0] : n = O \/ (0 < n)%coq_nat by lia.
  by rewrite !gain_0 /=; lra.
have J_small i j : (i < n)%coq_nat -> (j < n)%coq_nat -> J i j ^ 2 <= 1.
  move=> hi hj; pose c l := (identity i l - J i j * identity j l).
  have := proj2 pJ c.
  have pick a (g : nat -> R) : (a < n)%coq_nat -> sum n (fun l => identity a l * g l) = g a.
    move=> ha; have -> : sum n (fun l => identity a l * g l) = sum n (fun l => identity a l * g a).
      by apply: sum_ext => l _; rewrite /identity; case: Nat.eqb_spec => [->|_]; ring.
    rewrite sum_scalr sum_identity; have -> : Nat.ltb a n = true by apply/Nat.ltb_lt.
    ring.
  have -> : sum n (fun a => sum n (fun b => c a * c b * J a b)) =
     J i i - J i j * J i j - J i j * J j i + J i j * J i j * J j j.
    have row a : sum n (fun b => c a * c b * J a b) = c a * (J a i - J i j * J a j).
      rewrite (sum_ext n _ (fun b => c a * (identity i b * J a b - J i j * (identity j b * J a b)))); last by move=> b _; rewrite /c; ring.
      by rewrite sum_scal sum_minus sum_scal !pick.
    rewrite (sum_ext n _ (fun a => identity i a * (J a i - J i j * J a j) - J i j * (identity j a * (J a i - J i j * J a j)))); last by move=> a _; rewrite row /c; ring.
    by rewrite sum_minus sum_scal !pick //; ring.
  by rewrite !J1 // (proj1 pJ j i hj hi); nra.
pose D i j := if Nat.ltb i n && Nat.ltb j n then 1 - J i j else 0.
have DE i j : (i < n)%coq_nat -> (j < n)%coq_nat -> D i j = 1 - J i j.
  by move=> hi hj; rewrite /D (proj2 (Nat.ltb_lt i n) hi) (proj2 (Nat.ltb_lt j n) hj).
have D0 i j : 0 <= D i j.
  rewrite /D; case: (Nat.ltb_spec i n) => hi; case: (Nat.ltb_spec j n) => hj /=; try lra.
  by have := J_small i j hi hj; nra.
have Dd i : D i i = 0.
  by rewrite /D; case: (Nat.ltb_spec i n) => hi //=; rewrite J1 //; ring.
have QE : sum n (fun i => sum n (fun j => D i j ^ 2)) = sum n (fun i => sum n (fun j => (1 - J i j) ^ 2)).
  by apply: sum_ext => i hi; apply: sum_ext => j hj; rewrite DE.
have [c [hc le]] := own_time n s D _ _ n0 s0 D0 Dd (Req_le _ _ QE) erefl.
have J1' i : (i < S n)%coq_nat -> J (if Nat.ltb i n then i else c) (if Nat.ltb i n then i else c) = 1.
  by move=> hi; rewrite J1 //; case: Nat.ltb_spec.
have := gain_centre s n K _ s0 pK K1 (semidefinite_repeat n J c hc pJ) J1'.
rewrite Nat.ltb_irrefl => bound.
rewrite (gain_ext s n _ (fun i j => K i j * J i j)) in bound; last first.
  by move=> i j hi hj; rewrite (proj2 (Nat.ltb_lt i n) hi) (proj2 (Nat.ltb_lt j n) hj).
apply: Rle_trans bound _; apply: Rplus_le_compat_l; rewrite Rmult_assoc; apply: Rmult_le_compat_l; first lra.
apply: Rle_trans le; apply: sum_le => i hi; rewrite (proj2 (Nat.ltb_lt i n) hi) DE //.
have b := J_small i c hi hc; rewrite (proj1 pJ c i hc hi); set v := J i c in b *.
apply: ln_le; first by have := Rmult_le_pos s (1 - v ^ 2) s0 ltac:(lra); lra.
have : s * (1 - v ^ 2) <= s * (2 * (1 - v)) by apply: Rmult_le_compat_l => //; nra.
lra.
Qed.

(* The inverse of a block, in determinants, and the tangent of log det at a diagonal. *)
Theorem compression n B : semidefinite (S n) B ->
  det (S n) (fun i j => identity i j + B i j) <=
  (1 + B O O) * det n (fun i j => identity i j + B (S i) (S j)).
Proof.
move=> pB; have pI : semidefinite (S n) (fun i j => identity i j + B i j).
  have [sB qB] := pB; split=> [i j hi hj|c].
    by rewrite sB // /identity Nat.eqb_sym.
  apply: Rle_trans (qB c) _; apply: sum_le => i hi.
  rewrite (sum_ext (S n) (fun j => c i * c j * (identity i j + B i j))
    (fun j => (if Nat.eqb i j then c j ^ 2 else 0) + c i * c j * B i j)); last first.
    by move=> j _; rewrite /identity; case: (Nat.eqb_spec i j) => [->|_]; ring.
  rewrite sum_plus; suff : 0 <= sum (S n) (fun j => if Nat.eqb i j then c j ^ 2 else 0) by lra.
  by apply: sum_ge0 => j _; case: Nat.eqb; [exact: pow2_ge_0 | lra].
have := det_fischer_R 1 n _ pI.
have -> : det 1 (fun i j => identity i j + B i j) = 1 + B O O by rewrite /det det_mx11 mxE.
by [].
Qed.

Theorem tangent n B a : semidefinite n B -> (forall k, (k < n)%coq_nat -> 0 < a k) ->
  ln (det n (fun i j => identity i j + B i j)) <= sum n (fun k => ln (a k) + (1 + B k k) / a k - 1).
Proof.
move=> pB ha; have := gain_hadamard 1 n B ltac:(lra) pB; rewrite /gain => h.
have e : det n (fun i j => identity i j + 1 * B i j) = det n (fun i j => identity i j + B i j).
  by rewrite /det; congr (\det _)%ring; apply/matrixP => i j; rewrite !mxE Rmult_1_l.
rewrite e in h; apply: Rle_trans (_ : sum n (fun k => ln (1 + 1 * B k k)) <= _); first lra.
apply: sum_le => k hk; have d := semidefinite_diag n B k hk pB; have ak := ha k hk.
have := ln_tangent (1 + 1 * B k k) (a k) ltac:(lra) ak.
have -> : (1 + 1 * B k k - a k) / a k = (1 + B k k) / a k - 1 by field; lra.
lra.
Qed.
