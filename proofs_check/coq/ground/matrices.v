(******************************************************************************)
(*               Determinants of positive semidefinite matrices               *)
(*                                                                            *)
(* Over every real closed field, by induction along factors G G^T: no         *)
(* eigenvalue occurs.                                                         *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   qf A x == the quadratic form x^T A x                                     *)
(*   psd A, pd A == semidefinite; semidefinite and invertible                 *)
(*   hadp A B == the entrywise product                                        *)
(*   dg v == the diagonal matrix of v                                         *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gram_of_psd == a semidefinite matrix is G G^T                            *)
(*   det_mono, det_subadd == det (I + A) grows with A and is                  *)
(*       submultiplicative                                                    *)
(*   det_fischer, det_hadamard == blocks and diagonals                        *)
(*   psd_hadp == Schur: entrywise products are semidefinite                   *)
(*   det_contract == contraction by a diagonal                                *)
(*   psd_centre == conditioning on a centre                                   *)
(*                                                                            *)
(* Rests on: library.                                                         *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From CTV Require Import library.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Matrices.
Variable F : rcfType.

Definition qf n (A : 'M[F]_n) (x : 'cV_n) : F := (x^T *m A *m x) 0 0.
Definition psd n (A : 'M[F]_n) := A^T = A /\ forall x, 0 <= qf A x.
Definition hadp n (A B : 'M[F]_n) : 'M_n := \matrix_(i, j) (A i j * B i j).
Definition dg n (v : 'cV[F]_n) : 'M_n := \matrix_(i, j) (v i 0 *+ (i == j)).

Lemma qfD n (A B : 'M_n) x : qf (A + B) x = qf A x + qf B x.
Proof. by rewrite /qf mulmxDr mulmxDl mxE. Qed.

Lemma qfZ n a (A : 'M_n) x : qf (a *: A) x = a * qf A x.
Proof. by rewrite /qf -scalemxAr -scalemxAl mxE. Qed.

Lemma qf_sum n (A : 'M_n) x : qf A x = \sum_i \sum_j x i 0 * x j 0 * A i j.
Proof.
rewrite /qf mxE exchange_big /=; apply: eq_bigr => j _.
rewrite mxE mulr_suml; apply: eq_bigr => i _; rewrite mxE.
by rewrite mulrAC.
Qed.

Lemma dot_ge0 n (x : 'cV[F]_n) : 0 <= (x^T *m x) 0 0.
Proof. by rewrite mxE sumr_ge0 // => i _; rewrite mxE -expr2 sqr_ge0. Qed.

Lemma dot_eq0 n (x : 'cV[F]_n) : (x^T *m x) 0 0 = 0 -> x = 0.
Proof.
rewrite mxE => /eqP; rewrite psumr_eq0; last by move=> i _; rewrite mxE -expr2 sqr_ge0.
move=> /allP h; apply/matrixP => i j; rewrite ord1 !mxE.
have /eqP := h i (mem_index_enum i).
by rewrite mxE -expr2 => /eqP; rewrite sqrf_eq0 => /eqP.
Qed.

Lemma qf_gram n k (G : 'M[F]_(n, k)) x : qf (G *m G^T) x = ((G^T *m x)^T *m (G^T *m x)) 0 0.
Proof. by rewrite /qf trmx_mul trmxK !mulmxA. Qed.

Lemma psd_gram n k (G : 'M[F]_(n, k)) : psd (G *m G^T).
Proof. by split=> [|x]; [rewrite trmx_mul trmxK | rewrite qf_gram dot_ge0]. Qed.

Lemma qf0l n x : qf (0 : 'M[F]_n) x = 0.
Proof. by rewrite /qf mulmx0 mul0mx mxE. Qed.

Lemma psd0 n : psd (0 : 'M[F]_n).
Proof. by split=> [|x]; [rewrite trmx0 | rewrite /qf mulmx0 mul0mx mxE]. Qed.

Lemma psdD n (A B : 'M_n) : psd A -> psd B -> psd (A + B).
Proof.
move=> [sA pA] [sB pB]; split=> [|x]; first by rewrite linearD /= sA sB.
by rewrite qfD addr_ge0.
Qed.

Lemma psdZ n a (A : 'M_n) : 0 <= a -> psd A -> psd (a *: A).
Proof.
move=> a0 [sA pA]; split=> [|x]; first by rewrite linearZ /= sA.
by rewrite qfZ mulr_ge0.
Qed.

Lemma psd1 n : psd (1%:M : 'M[F]_n).
Proof. by have := psd_gram (1%:M : 'M[F]_n); rewrite trmx1 mulmx1. Qed.

Lemma qf_conj n m (A : 'M_n) (B : 'M_(m, n)) x : qf (B *m A *m B^T) x = qf A (B^T *m x).
Proof. by rewrite /qf trmx_mul trmxK !mulmxA. Qed.

Lemma psd_conj n m (A : 'M_n) (B : 'M_(m, n)) : psd A -> psd (B *m A *m B^T).
Proof.
move=> [sA pA]; split=> [|x]; last by rewrite qf_conj.
by rewrite !trmx_mul trmxK sA mulmxA.
Qed.

(* Cholesky *)
Lemma qf_block m n (A : 'M_m) (B : 'M_(m, n)) (D : 'M_n) x y :
  qf (block_mx A B B^T D) (col_mx x y) =
  qf A x + 2%:R * (x^T *m B *m y) 0 0 + qf D y.
Proof.
rewrite /qf tr_col_mx -mulmxA mul_block_col mul_row_col !mulmxDr !mulmxA.
rewrite 3!mxE; rewrite -!addrA; congr (_ + _).
rewrite [X in _ + X]mxE addrA; congr (_ + _); rewrite mulr2n mulrDl !mul1r; congr (_ + _).
have -> : y^T *m B^T *m x = (x^T *m B *m y)^T by rewrite !trmx_mul trmxK mulmxA.
by rewrite mxE.
Qed.

Lemma psd_block m n (A : 'M_m) (B : 'M_(m, n)) C (D : 'M_n) :
  psd (block_mx A B C D) -> [/\ C = B^T, psd A & psd D].
Proof.
case=> s p; have := s; rewrite tr_block_mx => /eq_block_mx [sA sC sB sD].
have eC : C = B^T by rewrite -sC ?trmxK // -sB trmxK.
have q0 k (M : 'M[F]_k) : qf M 0 = 0 by rewrite /qf mulmx0 mxE.
have z0 : (0 : 'M[F]_1) 0 0 = 0 by rewrite mxE.
split=> //; split=> // x.
- by have := p (col_mx x 0); rewrite eC qf_block mulmx0 z0 q0 mulr0 !addr0.
- by have := p (col_mx 0 x); rewrite eC qf_block trmx0 !mul0mx z0 q0 mulr0 !add0r.
Qed.

Lemma sq_small (a c : F) : 0 <= a -> (forall t, 0 <= t * c + a) -> c = 0.
Proof.
move=> a0 h; apply/eqP; apply: contraT => c0.
have := h (- ((a + 1) / c)); rewrite mulNr divfK // opprD addrAC addNr add0r.
by rewrite ler_oppr oppr0 ler10.
Qed.

Lemma gram_of_psd n (A : 'M_n) : psd A -> exists G : 'M[F]_n, A = G *m G^T.
Proof.
elim: n A => [|n IH] A pA.
  by exists 0; apply/matrixP => -[].
rewrite -[n.+1]/(1 + n)%N in A pA *.
have := pA; rewrite -(submxK A).
set a := ulsubmx A; set r := ursubmx A; set D := drsubmx A => pB.
have [eC pa pD] := psd_block pB; rewrite eC; rewrite eC in pB.
have [al ea] : exists al, a = al%:M by exists (a 0 0); exact: mx11_scalar.
have a0 : 0 <= al by case: pa => _ /(_ 1%:M); rewrite /qf trmx1 mul1mx mulmx1 ea mxE eqxx.
have [a00|an0] := eqVneq (al) 0.
  have z : a = 0 by rewrite ea a00 raddf0.
  have r0 : r = 0.
    apply/matrixP => i j; rewrite ord1 [RHS]mxE.
    apply: (@sq_small (D j j)).
      by case: pD => _ /(_ (delta_mx j 0)); rewrite /qf trmx_delta -rowE -colE !mxE.
    move=> t; have := pB.2 (col_mx ((t / 2%:R)%:M) (delta_mx j 0)).
    rewrite qf_block z qf0l add0r tr_scalar_mx mul_scalar_mx -scalemxAl mxE.
    rewrite -colE [col _ _ _ _]mxE /qf trmx_delta -rowE -colE [col _ _ _ _]mxE [row _ _ _ _]mxE.
    by rewrite mulrA mulrCA divff ?pnatr_eq0 // mulr1.
  have [G eG] := IH D pD.
  exists (block_mx 0 0 0 G); rewrite z r0 tr_block_mx mulmx_block !trmx0 !(mulmx0, mul0mx) eG.
  by rewrite !(add0r, addr0).
have ap : 0 < al by rewrite lt_neqAle eq_sym an0.
have pS : psd (D - (al)^-1 *: (r^T *m r)).
  split=> [|y].
    by rewrite linearB /= linearZ /= trmx_mul trmxK; case: pD => ->.
  have := pB.2 (col_mx (- (al)^-1 *: (r *m y)) y).
  rewrite qf_block ea -scaleNr qfD qfZ.
  have eq1 : qf (r^T *m r) y = (r *m y) 0 0 ^+ 2.
    rewrite /qf mulmxA -mulmxA -trmx_mul mxE big_ord1 !mxE expr2 //.
  rewrite eq1 /qf mul_mx_scalar.
  set z := (r *m y).
  have sE k (M : 'M[F]_1) : (k *: M) 0 0 = k * M 0 0 by rewrite mxE.
  have ez : (z^T *m z) 0 0 = z 0 0 ^+ 2 by rewrite mxE big_ord1 mxE expr2.
  have -> : ((al *: (- (al)^-1 *: z)^T) *m (- (al)^-1 *: z)) 0 0 = (al)^-1 * z 0 0 ^+ 2.
    rewrite [(_ *: z)^T]linearZ /= -!scalemxAl -scalemxAr; rewrite !sE ez.
    by rewrite !mulNr !mulrN opprK mulVKf.
  have -> : ((- (al)^-1 *: z)^T *m r *m y) 0 0 = - ((al)^-1 * z 0 0 ^+ 2).
    by rewrite -mulmxA [(_ *: z)^T]linearZ /= -scalemxAl sE ez mulNr.
  by rewrite mulrN mulr2n mulrDl mul1r opprD addrA subrr add0r addrC mulNr.
have [G eG] := IH _ pS.
pose w := Num.sqrt (al).
have w2 : w * w = al by rewrite -expr2 sqr_sqrtr.
have wn0 : w != 0 by apply: contra_neq an0 => w0; rewrite -w2 w0 mul0r.
exists (block_mx w%:M 0 (w^-1 *: r^T) G).
rewrite tr_block_mx mulmx_block trmx0 mul0mx addr0 mulmx0 addr0 -eG.
rewrite tr_scalar_mx -scalar_mxM w2 -ea mul_scalar_mx linearZ /= trmxK scalerA divff // scale1r.
rewrite mul0mx addr0 mul_mx_scalar scalerA divff // scale1r.
by rewrite -scalemxAl -scalemxAr scalerA -invfM w2 addrCA subrr addr0.
Qed.

Lemma psd_ind n (P : 'M[F]_n -> Prop) :
  P 0 -> (forall A (b : 'cV_n), psd A -> P A -> P (A + b *m b^T)) -> forall A, psd A -> P A.
Proof.
move=> P0 PS A /gram_of_psd [G ->].
have : forall k (G : 'M[F]_(n, k)), P (G *m G^T).
  elim=> [|k IH] H; first by rewrite [H]thinmx0 mul0mx.
  rewrite -[k.+1]/(1 + k)%N in H *.
  rewrite -(hsubmxK H) tr_row_mx mul_row_col addrC.
  by apply: PS; [exact: psd_gram | exact: IH].
by apply.
Qed.

(* determinants *)
Lemma sylvester m n (A : 'M[F]_(m, n)) (B : 'M_(n, m)) :
  \det (1%:M + A *m B) = \det (1%:M + B *m A).
Proof.
have e1 : block_mx 1%:M A 0 1%:M *m block_mx 1%:M (- A) B 1%:M =
          block_mx (1%:M + A *m B) 0 B 1%:M :> 'M_(m + n).
  by rewrite mulmx_block !(mul1mx, mulmx1, mul0mx, add0r) addNr.
have e2 : block_mx 1%:M 0 (- B) 1%:M *m block_mx 1%:M (- A) B 1%:M =
          block_mx 1%:M (- A) 0 (1%:M + B *m A) :> 'M_(m + n).
  by rewrite mulmx_block !(mul1mx, mulmx1, mul0mx, addr0) mulNmx mulmxN opprK addNr [_ *m _ + _]addrC.
have := congr1 determinant e1; rewrite det_mulmx det_ublock det_lblock !det1 !mul1r mulr1 => <-.
by have := congr1 determinant e2; rewrite det_mulmx det_ublock det_lblock !det1 !mul1r.
Qed.

Lemma det_update n (M : 'M[F]_n) (b : 'cV_n) (c : 'rV_n) : M \in unitmx ->
  \det (M + b *m c) = \det M * (1 + (c *m invmx M *m b) 0 0).
Proof.
move=> uM; have -> : M + b *m c = M *m (1%:M + (invmx M *m b) *m c).
  by rewrite mulmxDr mulmx1 !mulmxA mulmxV // mul1mx.
rewrite det_mulmx sylvester -mulmxA; congr (_ * _).
by rewrite [X in \det X]mx11_scalar det_scalar expr1 !mxE eqxx.
Qed.

Definition pd n (M : 'M[F]_n) := [/\ M^T = M, M \in unitmx & psd M].

Lemma pd_inv n (M : 'M[F]_n) : pd M -> psd (invmx M).
Proof.
case=> sM uM [_ pM]; split=> [|x]; first by rewrite trmx_inv sM.
have := pM (invmx M *m x).
by rewrite /qf trmx_mul trmx_inv sM -!mulmxA mulKVmx.
Qed.

Lemma det1D_ge1 n (A : 'M[F]_n) : psd A -> 1 <= \det (1%:M + A).
Proof.
move: A; apply: psd_ind => [|A b pA dA]; first by rewrite addr0 det1.
have uA : 1%:M + A \in unitmx.
  by rewrite unitmxE unitfE gt_eqF // (lt_le_trans ltr01 dA).
have pdA : pd (1%:M + A).
  by case: (pA) => sA _; split=> //; [rewrite linearD /= trmx1 sA | apply: psdD => //; exact: psd1].
rewrite addrA det_update //; apply: (le_trans dA).
rewrite ler_pmulr ?(lt_le_trans ltr01 dA) // ler_addl.
exact: (pd_inv pdA).2.
Qed.

Lemma det1D_gt0 n (A : 'M[F]_n) : psd A -> 0 < \det (1%:M + A).
Proof. by move=> /det1D_ge1; apply: lt_le_trans ltr01. Qed.

Lemma pd1D n (A : 'M[F]_n) : psd A -> pd (1%:M + A).
Proof.
move=> pA; split.
- by case: pA => sA _; rewrite linearD /= trmx1 sA.
- by rewrite unitmxE unitfE gt_eqF // det1D_gt0.
- by apply: psdD => //; exact: psd1.
Qed.

Lemma inv_mono n (M D : 'M[F]_n) (b : 'cV_n) : pd M -> psd D -> M + D \in unitmx ->
  qf (invmx (M + D)) b <= qf (invmx M) b.
Proof.
move=> [sM uM [_ pM]] [sD pD] uMD.
have [x xE] : exists x, x = invmx (M + D) *m b by eexists.
have [y yE] : exists y, y = invmx M *m b by eexists.
have ex : (M + D) *m x = b by rewrite xE mulKVmx.
have ey : M *m y = b by rewrite yE mulKVmx.
have eM : M *m x = b - D *m x by rewrite -ex mulmxDl addrK.
have := pM (y - x).
have -> : qf M (y - x) = (b^T *m y) 0 0 - (b^T *m x) 0 0 - qf D x.
  rewrite /qf -mulmxA mulmxBr ey eM opprB addrCA subrr addr0 linearB /= mulmxBl.
  have t1 : x^T *m (D *m x) = x^T *m D *m x by rewrite mulmxA.
  have t2 : y^T *m (D *m x) = y^T *m b - b^T *m x.
    have -> : D *m x = b - M *m x by rewrite eM opprB addrCA subrr addr0.
    rewrite mulmxBr; congr (_ - _).
    by rewrite mulmxA -{1}sM -trmx_mul ey.
  rewrite t1 t2; have -> : y^T *m b = (b^T *m y)^T by rewrite trmx_mul trmxK.
  by rewrite !mxE.
move=> h; rewrite /qf -!mulmxA -xE -yE -subr_ge0.
by apply: le_trans h _; rewrite ler_subl_addr ler_addl.
Qed.

Lemma det_mono n (A B : 'M[F]_n) : psd A -> psd B -> \det (1%:M + A) <= \det (1%:M + A + B).
Proof.
move=> pA; move: B; apply: psd_ind => [|B b pB dB]; first by rewrite addr0.
have pAB := pd1D (psdD pA pB); rewrite addrA in pAB.
case: (pAB) => _ uAB _.
rewrite addrA det_update //; apply: (le_trans dB).
rewrite ler_pmulr; last by rewrite -addrA det1D_gt0 //; exact: psdD.
by rewrite ler_addl; exact: (pd_inv pAB).2.
Qed.

Lemma det_subadd n (A B : 'M[F]_n) : psd A -> psd B ->
  \det (1%:M + A + B) <= \det (1%:M + A) * \det (1%:M + B).
Proof.
move=> pA; move: B; apply: psd_ind => [|B b pB dB]; first by rewrite !addr0 det1 mulr1.
have pAB := pd1D (psdD pA pB); rewrite addrA in pAB.
case: (pAB) => _ uAB _; case: (pd1D pB) => _ uB _.
rewrite !addrA det_update // det_update // mulrA.
apply: ler_pmul => //.
- by rewrite -addrA ltW // det1D_gt0 //; exact: psdD.
- by rewrite addr_ge0 ?ler01 //; exact: (pd_inv pAB).2.
rewrite ler_add2l.
have -> : 1%:M + A + B = (1%:M + B) + A by rewrite addrAC.
apply: inv_mono => //; first exact: pd1D.
by rewrite addrAC.
Qed.

(* Fischer: a bordered matrix *)
Lemma det_fischer m n (A : 'M[F]_m) (B : 'M_(m, n)) C (D : 'M_n) :
  psd (block_mx A B C D) ->
  \det (1%:M + block_mx A B C D) <= \det (1%:M + A) * \det (1%:M + D).
Proof.
move=> /gram_of_psd [G eG].
rewrite -(vsubmxK G) tr_col_mx mul_col_row in eG.
have [eA _ _ eD] := eq_block_mx eG.
rewrite eG -mul_col_row -tr_col_mx sylvester tr_col_mx mul_row_col addrA.
rewrite eA eD ![\det (1%:M + _ *m _^T)]sylvester.
by apply: det_subadd; rewrite -{2}[_ G]trmxK; exact: psd_gram.
Qed.

Lemma det_ulblock_le m n (A : 'M[F]_m) (B : 'M_(m, n)) C (D : 'M_n) :
  psd (block_mx A B C D) -> \det (1%:M + A) <= \det (1%:M + block_mx A B C D).
Proof.
move=> /gram_of_psd [G eG].
rewrite -(vsubmxK G) tr_col_mx mul_col_row in eG.
have [eA _ _ eD] := eq_block_mx eG.
rewrite eG -mul_col_row -tr_col_mx sylvester tr_col_mx mul_row_col addrA.
rewrite eA sylvester.
by apply: det_mono; rewrite -{2}[_ G]trmxK; exact: psd_gram.
Qed.

Lemma psd_diag n (A : 'M[F]_n) i : psd A -> 0 <= A i i.
Proof. by case=> _ /(_ (delta_mx i 0)); rewrite /qf trmx_delta -rowE -colE !mxE. Qed.

Lemma det_hadamard n (A : 'M[F]_n) : psd A -> \det (1%:M + A) <= \prod_i (1 + A i i).
Proof.
elim: n A => [|n IH] A pA; first by rewrite det_mx00 big_ord0.
rewrite -[n.+1]/(1 + n)%N in A pA *.
have pA' := pA; rewrite -(submxK A) in pA'.
have [_ pa pD] := psd_block pA'.
rewrite big_split_ord /= big_ord1 -{1}(submxK A).
apply: le_trans (det_fischer pA') _.
apply: ler_pmul.
- exact/ltW/det1D_gt0.
- exact/ltW/det1D_gt0.
- by rewrite [X in \det X]mx11_scalar det_scalar expr1 !mxE eqxx.
apply: le_trans (IH _ pD) _.
apply: ler_prod => i _; apply/andP; split; last by rewrite !mxE.
by apply: addr_ge0; [exact: ler01 | exact: psd_diag].
Qed.

(* Schur product *)
Lemma hadp_outer n (b : 'cV[F]_n) B : hadp (b *m b^T) B = dg b *m B *m (dg b)^T.
Proof.
apply/matrixP => i j; rewrite !mxE big_ord1 mxE.
rewrite (bigD1 j) //= big1 ?addr0; last first.
  by move=> k kj; rewrite [(dg b)^T _ _]mxE [dg b j k]mxE eq_sym (negbTE kj) mulr0.
rewrite mxE (bigD1 i) //= big1 ?addr0; last first.
  by move=> k ki; rewrite [dg b i k]mxE eq_sym (negbTE ki) mul0r.
by rewrite !mxE !eqxx !mulr1n mulrAC.
Qed.

Lemma psd_hadp n (A B : 'M[F]_n) : psd A -> psd B -> psd (hadp A B).
Proof.
move=> pA pB; move: A pA; apply: psd_ind => [|A b pA pAB].
  have -> : hadp 0 B = 0 by apply/matrixP => i j; rewrite !mxE mul0r.
  exact: psd0.
have -> : hadp (A + b *m b^T) B = hadp A B + hadp (b *m b^T) B.
  by apply/matrixP => i j; rewrite !mxE mulrDl.
by apply: psdD => //; rewrite hadp_outer; exact: psd_conj.
Qed.

Lemma qf_dg n (w : 'cV[F]_n) x : qf (dg w) x = \sum_i w i 0 * x i 0 ^+ 2.
Proof.
rewrite qf_sum; apply: eq_bigr => i _.
rewrite (bigD1 i) //= big1 ?addr0; last by move=> k ki; rewrite mxE eq_sym (negbTE ki) mulr0.
by rewrite mxE eqxx mulr1n mulrC expr2.
Qed.

Lemma psd_dg n (w : 'cV[F]_n) : (forall i, 0 <= w i 0) -> psd (dg w).
Proof.
move=> w0; split=> [|x]; last by rewrite qf_dg sumr_ge0 // => i _; rewrite mulr_ge0 ?sqr_ge0.
by apply/matrixP => i j; rewrite !mxE eq_sym; case: eqP => [->|].
Qed.

Lemma dgM n (v w : 'cV[F]_n) : dg v *m dg w = dg (\col_i (v i 0 * w i 0)).
Proof.
apply/matrixP => i j; rewrite !mxE (bigD1 i) //= big1 ?addr0; last first.
  by move=> k ki; rewrite mxE eq_sym (negbTE ki) mul0r.
by rewrite !mxE eqxx mulr1n -mulrnAr.
Qed.

Lemma dg_tr n (v : 'cV[F]_n) : (dg v)^T = dg v.
Proof. by apply/matrixP => i j; rewrite !mxE eq_sym; case: eqP => [->|]. Qed.

(* contraction *)
Lemma det_contract n (K : 'M[F]_n) (v : 'cV_n) s : 0 <= s -> psd K -> (forall i, v i 0 ^+ 2 <= 1) ->
  \det (1%:M + s *: (dg v *m K *m (dg v)^T)) <= \det (1%:M + s *: K).
Proof.
move=> s0 /gram_of_psd [G ->] v1.
have -> : s *: (dg v *m (G *m G^T) *m (dg v)^T) = (s *: (dg v *m G)) *m (dg v *m G)^T.
  by rewrite trmx_mul -scalemxAl !mulmxA.
have -> : s *: (G *m G^T) = (s *: G) *m G^T by rewrite scalemxAl.
rewrite [leLHS]sylvester [leRHS]sylvester trmx_mul dg_tr -!scalemxAr.
rewrite -mulmxA [dg v *m (_ *m _)]mulmxA dgM.
set w := \col_i _.
have -> : G^T *m G = G^T *m (dg w *m G) + G^T *m (dg (\col_i (1 - w i 0)) *m G).
  rewrite -mulmxDr -mulmxDl; have -> : dg w + dg (\col_i (1 - w i 0)) = 1%:M; last by rewrite mul1mx.
  by apply/matrixP => i j; rewrite !mxE -mulrnDl addrCA subrr addr0.
rewrite scalerDr addrA; apply: det_mono; apply: psdZ => //; rewrite mulmxA -{2}[G]trmxK; apply: psd_conj; apply: psd_dg => i.
  by rewrite mxE -expr2 sqr_ge0.
by rewrite !mxE -expr2 subr_ge0.
Qed.

(* conditioning on a centre *)
Lemma psd_centre n (J : 'M[F]_n) (v : 'cV_n) : psd (block_mx J v v^T (1%:M : 'M_1)) -> psd (J - v *m v^T).
Proof.
move=> pB; have [_ [sJ _] _] := psd_block pB.
split=> [|x]; first by rewrite linearB /= sJ trmx_mul trmxK.
have := pB.2 (col_mx x (- (v^T *m x))); rewrite qf_block.
have e : (x^T *m v) 0 0 = (v^T *m x) 0 0.
  by rewrite -[v^T *m x]trmxK trmx_mul trmxK [RHS]mxE.
have -> : qf 1%:M (- (v^T *m x)) = (v^T *m x) 0 0 ^+ 2.
  by rewrite /qf mulmx1 mxE big_ord1 !mxE mulrNN expr2.
have -> : (x^T *m v *m - (v^T *m x)) 0 0 = - (v^T *m x) 0 0 ^+ 2.
  by rewrite mulmxN mxE mxE big_ord1 e expr2.
have -> : qf (J - v *m v^T) x = qf J x - (v^T *m x) 0 0 ^+ 2.
  rewrite qfD -scaleN1r qfZ mulN1r; congr (_ - _).
  by rewrite /qf mulmxA -mulmxA mxE big_ord1 e expr2.
by rewrite mulr_natl mulr2n addrA subrK.
Qed.

End Matrices.
