(******************************************************************************)
(*                    The certificate of the maximum gain                     *)
(*                                                                            *)
(* Lemma R without eigenvalues: the tangent of log det in a low rank and a    *)
(* diagonal.                                                                  *)
(*                                                                            *)
(* Statements:                                                                *)
(*   woodbury, det_woodbury, trace_woodbury == inverse, determinant and       *)
(*       trace of a low rank                                                  *)
(*   log_det_tangent == the tangent of log det                                *)
(*   compress, against, feature_block == features of reference points         *)
(*   certificate == a bound on every gain of n points from reference points   *)
(*       and weights                                                          *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* determinants, theorem_a.                                                   *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains posterior determinants theorem_a.
Import Order.TTheory GRing.Theory Num.Theory.

Section Algebra.
Local Open Scope ring_scope.
Variable F : rcfType.

Lemma pd_scalar n al (P : 'M[F]_n) : 0 < al -> psd P -> pd (al%:M + P).
Proof.
move=> a0 pP; have e : al%:M + P = al *: (1%:M + al^-1 *: P).
  by rewrite scalerDr scalerA divff ?gt_eqF // scale1r scalemx1.
have [s u p] : pd (1%:M + al^-1 *: P) by apply: pd1D; apply: psdZ; rewrite ?invr_ge0 ?ltW.
split; rewrite e.
- by rewrite linearZ /= s.
- by rewrite unitmxZ // unitfE gt_eqF.
- by apply: psdZ => //; exact: ltW.
Qed.

Lemma psd_tr_gram n k (Y : 'M[F]_(n, k)) : psd (Y^T *m Y).
Proof. by have := psd_gram Y^T; rewrite trmxK. Qed.

Lemma woodbury n k (Y : 'M[F]_(n, k)) al : 0 < al ->
  invmx (al%:M + Y *m Y^T) = al^-1 *: (1%:M - Y *m invmx (al%:M + Y^T *m Y) *m Y^T).
Proof.
move=> a0; have [_ uM _] := pd_scalar _ _ _ a0 (psd_gram Y).
have [_ uS _] := pd_scalar _ _ _ a0 (psd_tr_gram _ _ Y).
set M := al%:M + _ in uM *; set S := al%:M + _ in uS *.
apply: (can_inj (mulKmx uM)); rewrite mulmxV // -scalemxAr mulmxBr mulmx1 !mulmxA.
have -> : M *m Y = Y *m S by rewrite mulmxDl mulmxDr mul_scalar_mx mul_mx_scalar mulmxA.
rewrite -[Y *m S *m _]mulmxA mulmxV // mulmx1 addrK scale_scalar_mx mulVf //.
by rewrite gt_eqF.
Qed.

Lemma det_woodbury n k (Y : 'M[F]_(n, k)) al : 0 < al ->
  al ^+ k * \det (al%:M + Y *m Y^T) = al ^+ n * \det (al%:M + Y^T *m Y).
Proof.
move=> a0; have e p (P : 'M[F]_p) : al%:M + P = al *: (1%:M + al^-1 *: P).
  by rewrite scalerDr scalerA divff ?gt_eqF // scale1r scalemx1.
rewrite (e n) (e k) !detZ scalemxAl sylvester -scalemxAr.
by rewrite mulrCA.
Qed.

Lemma trace_woodbury n k (Y : 'M[F]_(n, k)) al : 0 < al ->
  \tr (invmx (al%:M + Y *m Y^T)) = al^-1 * (n%:R - k%:R) + \tr (invmx (al%:M + Y^T *m Y)).
Proof.
move=> a0; have [_ uS _] := pd_scalar _ _ _ a0 (psd_tr_gram _ _ Y).
rewrite woodbury // linearZ /= linearB /= mxtrace1 -mulmxA mxtrace_mulC -mulmxA.
set S := al%:M + Y^T *m Y in uS *.
have e : Y^T *m Y = S - al%:M by rewrite /S addrC addKr.
have -> : \tr (invmx S *m (Y^T *m Y)) = k%:R - al * \tr (invmx S).
  by rewrite e mulmxBr mulVmx // mul_mx_scalar linearB /= mxtrace1 linearZ.
by rewrite opprB addrA addrAC mulrDr mulKf ?gt_eqF.
Qed.

End Algebra.

Open Scope R_scope.

Lemma det_pd_gt0 n (M : 'M[R]_n) : pd M -> 0 < (\det M)%ring.
Proof.
case=> _ uM pM; have := psd_det _ _ _ pM => /RleP d0.
move: uM; rewrite unitmxE unitfE => /eqP ne.
by case: d0 => // e; case: ne; rewrite -e.
Qed.

Lemma rplus (a b : R) : (a + b)%ring = a + b. Proof. by []. Qed.
Lemma rmult (a b : R) : (a * b)%ring = a * b. Proof. by []. Qed.
Lemma ropp (a : R) : (- a)%ring = - a. Proof. by []. Qed.

(* log det S + tr S^-1 grows with S above the identity *)
Lemma potential_mono n (P E : 'M[R]_n) : psd P -> psd E ->
  ln (\det (1%:M + P))%ring + (\tr (invmx (1%:M + P)))%ring <=
  ln (\det (1%:M + P + E))%ring + (\tr (invmx (1%:M + P + E)))%ring.
Proof.
move=> pP; move: E; apply: psd_ind => [|E b pE IH]; first by rewrite addr0; lra.
apply: Rle_trans IH _.
have pPE := psdD pP pE; have pdS := pd1D pPE; rewrite addrA in pdS.
set S := (1%:M + P + E)%ring in pdS *.
have [sS uS pS] := pdS.
have [y yE] : exists y, y = (invmx S *m b)%ring by eexists.
have yT : (b^T *m invmx S = y^T)%ring by rewrite yE trmx_mul trmx_inv sS.
have Sy : (S *m y = b)%ring by rewrite yE mulKVmx.
pose u := qf S y; pose w := ((y^T *m y) 0 0)%ring.
have w0 : 0 <= w by apply/RleP; exact: dot_ge0.
have uw : w <= u.
  have -> : u = w + qf (P + E)%ring y.
    by rewrite /u /S -addrA qfD; congr (_ + _); rewrite /qf mulmx1.
  have h : 0 <= qf (P + E)%ring y by apply/RleP; exact: (proj2 pPE).
  lra.
have uE : (b^T *m y)%ring = (u%:M)%ring.
  by rewrite [LHS]mx11_scalar -Sy trmx_mul sS.
have [_ uS' _] : pd (S + b *m b^T)%ring.
  by have := pd1D (psdD pPE (psd_gram b)); rewrite !addrA.
have dE : (\det (S + b *m b^T))%ring = (\det S)%ring * (1 + u).
  by rewrite det_update // yT -Sy mulmxA.
have u1 : 0 < 1 + u by lra.
have une : (1 + u != 0)%ring.
  by apply/eqP => h; have h' : 1 + u = 0 by [exact: h]; lra.
have iE : (invmx (S + b *m b^T) = invmx S - (1 + u)^-1 *: (y *m y^T))%ring.
  apply: (can_inj (mulKmx uS')); rewrite mulmxV // mulmxBr mulmxDl mulmxV // -mulmxA yT -scalemxAr.
  rewrite mulmxA mulmxDl Sy -[(b *m b^T *m y)%ring]mulmxA uE mul_mx_scalar.
  have -> : (b + u *: b = (1 + u) *: b)%ring by rewrite scalerDl scale1r.
  by rewrite -scalemxAl scalerA mulVf // scale1r addrK.
rewrite [(1%:M + P + (E + _))%ring]addrA -/S dE iE linearB /= linearZ /= mxtrace_mulC.
have -> : (\tr (y^T *m y))%ring = w by rewrite /mxtrace big_ord1.
have d0 := det_pd_gt0 _ _ pdS.
rewrite ln_mult // rplus ropp rmult.
have iu : ((1 + u)^-1)%ring = / (1 + u).
  by rewrite -RinvE.
rewrite iu.
have l := ln1_lower u ltac:(lra).
have : / (1 + u) * w <= u / (1 + u).
  by rewrite Rmult_comm; apply: Rmult_le_compat_r => //; left; apply: Rinv_0_lt_compat.
lra.
Qed.

Lemma log_prod_le n (Q : 'M[R]_n) : (forall i, 0 < Q i i) ->
  ln (\prod_i Q i i)%ring <= (\tr Q)%ring - INR n.
Proof.
rewrite /mxtrace; elim: n Q => [|n IH] Q qp.
  by rewrite !big_ord0 /= -[X in ln X]/1 -[X in _ <= X - _]/0 ln_1; lra.
rewrite S_INR !big_ord_recr /= rmult rplus.
pose Q' := (\matrix_(i < n, j < n) Q (widen_ord (leqnSn n) i) (widen_ord (leqnSn n) j))%ring.
have := IH Q' (fun i => ltac:(rewrite mxE; exact: qp)).
have -> : (\prod_i Q' i i)%ring = (\prod_(i < n) Q (widen_ord (leqnSn n) i) (widen_ord (leqnSn n) i))%ring.
  by apply: eq_bigr => i _; rewrite mxE.
have -> : (\sum_i Q' i i)%ring = (\sum_(i < n) Q (widen_ord (leqnSn n) i) (widen_ord (leqnSn n) i))%ring.
  by apply: eq_bigr => i _; rewrite mxE.
have pp : 0 < (\prod_(i < n) Q (widen_ord (leqnSn n) i) (widen_ord (leqnSn n) i))%ring.
  by apply/RltP; apply: prodr_gt0 => i _; apply/RltP; exact: qp.
rewrite ln_mult //; have := ln_le_sub _ (qp ord_max) => a b.
have e p l q t N : l <= t - 1 -> p <= q - N -> p + l <= q + t - (N + 1) by move=> *; lra.
exact: e a b.
Qed.

(* the tangent of log det *)
Lemma log_det_tangent n (M P : 'M[R]_n) : pd M -> pd P ->
  ln (\det P)%ring <= ln (\det M)%ring + (\tr (invmx M *m P))%ring - INR n.
Proof.
move=> pdM pdP; have dM := det_pd_gt0 _ _ pdM; have dP := det_pd_gt0 _ _ pdP.
have [_ uM pM] := pdM; have [_ _ pP] := pdP.
have [G eG] := gram_of_psd pM.
have uG : (G \in unitmx)%ring.
  by move: uM; rewrite eG unitmx_mul => /andP [].
have uT : (G^T \in unitmx)%ring by rewrite unitmx_tr.
pose Q := (invmx G *m P *m (invmx G)^T)%ring.
have pQ : psd Q by exact: psd_conj.
have PE : (P = G *m Q *m G^T)%ring.
  by rewrite /Q !mulmxA mulmxV // mul1mx -mulmxA trmx_inv mulVmx // mulmx1.
have dE : (\det P)%ring = (\det M)%ring * (\det Q)%ring.
  by rewrite {1}PE eG !det_mulmx -!rmult mulrAC.
have dQ : 0 < (\det Q)%ring.
  apply: (Rmult_lt_reg_l (\det M)%ring) => //; rewrite Rmult_0_r -dE //.
have tE : (\tr (invmx M *m P))%ring = (\tr Q)%ring.
  have iM : (invmx M = (invmx G)^T *m invmx G)%ring.
    apply: (can_inj (mulKmx uM)); rewrite mulmxV // eG mulmxA -[(G *m G^T *m _)%ring]mulmxA trmx_inv mulmxV //.
    by rewrite mulmx1 mulmxV.
  by rewrite iM -mulmxA mxtrace_mulC.
rewrite dE ln_mult // tE.
have qi i : 0 <= Q i i by apply/RleP; exact: psd_diag.
have h : (\det Q)%ring <= (\prod_i Q i i)%ring by apply/RleP; exact: hadamard.
suff : ln (\prod_i Q i i)%ring <= (\tr Q)%ring - INR n.
  by have := ln_le _ _ dQ h; lra.
have pos : 0 < (\prod_i Q i i)%ring by lra.
have qp i : 0 < Q i i.
  case: (qi i) => // z; move: pos; rewrite (bigD1 i) //= -z rmult -[X in X * _]/0 Rmult_0_l; lra.
exact: log_prod_le.
Qed.

(* the certificate in matrices; K invertible *)
Lemma certificate_pd n k (K : 'M[R]_n) (C : 'M_(n, k)) (H : 'M_k) s al :
  0 <= s -> 1 <= al -> pd K -> psd (block_mx K C C^T H)%ring ->
  ln (\det (1%:M + s *: K))%ring <=
  ln (\det (al%:M + H))%ring + (\tr (invmx (al%:M + H)))%ring - INR k + (INR n - INR k) * psi al +
  s / al * (\sum_i (K i i - qf (invmx (al%:M + H)) (row i C)^T))%ring.
Proof.
move=> s0 al1 pdK pB; have a0 : 0 < al by lra.
have a0' : (0 < al)%ring by apply/RltP.
have [_ uK pK] := pdK; have [_ _ pH] := psd_block pB.
have [L eL] := gram_of_psd pK.
have uL : (L \in unitmx)%ring by move: uK; rewrite eL unitmx_mul => /andP [].
have [Y YE] : exists Y, (Y = invmx L *m C)%ring by eexists.
have LY : (L *m Y = C)%ring by rewrite YE mulKVmx.
have YY : (Y^T *m Y = C^T *m invmx K *m C)%ring.
  have iK : (invmx K = (invmx L)^T *m invmx L)%ring.
    apply: (can_inj (mulKmx uK)); rewrite mulmxV // eL mulmxA -[(L *m L^T *m _)%ring]mulmxA trmx_inv mulmxV ?unitmx_tr //.
    by rewrite mulmx1 mulmxV.
  by rewrite YE trmx_mul iK !mulmxA.
have pE : psd (H - Y^T *m Y)%ring by rewrite YY; apply: psd_schur.
have pY := psd_tr_gram _ _ _ Y.
pose S := (al%:M + Y^T *m Y)%ring; pose M := (al%:M + Y *m Y^T)%ring.
have pdS : pd S by exact: pd_scalar.
have pdM : pd M by apply: pd_scalar => //; exact: psd_gram.
have SH : (al%:M + H = S + (H - Y^T *m Y))%ring by rewrite /S -addrA [(Y^T *m Y + _)%ring]addrC subrK.
have pdH : pd (al%:M + H)%ring by exact: pd_scalar.
(* the tangent at M *)
have pL : psd (s *: (L^T *m L))%ring by apply: psdZ; [exact/RleP | exact: psd_tr_gram].
have detE : (\det (1%:M + s *: K) = \det (1%:M + s *: (L^T *m L)))%ring.
  by rewrite eL scalemxAl sylvester -scalemxAr.
have tan := log_det_tangent n M _ pdM (pd1D pL).
rewrite detE; apply: Rle_trans tan _.
have trE : (\tr (invmx M *m (1%:M + s *: (L^T *m L))))%ring =
  (\tr (invmx M))%ring + s * (\tr (L *m invmx M *m L^T))%ring.
  rewrite mulmxDr mulmx1 linearD /= -scalemxAr linearZ /=; congr (_ + _ * _).
  by rewrite mulmxA mxtrace_mulC mulmxA.
have spE : (L *m invmx M *m L^T = al^-1 *: (K - C *m invmx S *m C^T))%ring.
  rewrite woodbury // -scalemxAr -scalemxAl mulmxBr mulmx1 mulmxBl -eL; congr (_ *: (_ - _))%ring.
  by rewrite !mulmxA LY -[LHS]mulmxA -[(Y^T *m L^T)%ring]trmx_mul LY.
have ia : (al^-1)%ring = / al.
  by rewrite -RinvE //; apply/eqP => h; have h' : al = 0 by [exact: h]; lra.
have tr2 : (\tr (L *m invmx M *m L^T))%ring <= / al * (\sum_i (K i i - qf (invmx (al%:M + H)) (row i C)^T))%ring.
  rewrite spE linearZ /= rmult ia; apply: Rmult_le_compat_l; first by left; exact: Rinv_0_lt_compat.
  apply/RleP; apply: ler_sum => i _; rewrite mxE [X in (_ + X)%ring]mxE ler_add2l ler_oppl opprK.
  have -> : ((C *m invmx S *m C^T) i i = qf (invmx S) (row i C)^T)%ring.
    by rewrite /qf trmxK -row_mul !mxE; apply: eq_bigr => j _; rewrite !mxE.
  by rewrite SH; apply: inv_mono => //; rewrite -SH; case: pdH.
have tr1 : (\tr (invmx M))%ring = / al * (INR n - INR k) + (\tr (invmx S))%ring.
  by rewrite /M trace_woodbury // ia -!INRE.
have dMS : ln (\det M)%ring = (INR n - INR k) * ln al + ln (\det S)%ring.
  have dM := det_pd_gt0 _ _ pdM; have dS := det_pd_gt0 _ _ pdS.
  have := det_woodbury _ _ _ Y _ a0'; rewrite -/M -/S !rmult -!RpowE => e.
  have := congr1 ln e; rewrite !ln_mult //; try exact: pow_lt.
  have gen p l u q v : p * l + u = q * l + v -> u = (q - p) * l + v by move=> ?; lra.
  by rewrite !ln_pow // => /gen.
have mono : ln (\det S)%ring + (\tr (invmx S))%ring <= ln (\det (al%:M + H))%ring + (\tr (invmx (al%:M + H)))%ring.
  have e : (S = 1%:M + ((al - 1)%:M + Y^T *m Y))%ring.
    by rewrite /S addrA -raddfD /= addrCA subrr addr0.
  have pP : psd ((al - 1)%:M + Y^T *m Y)%ring.
    apply: psdD => //; rewrite -scalemx1; apply: psdZ; last exact: psd1.
    by apply/RleP; rewrite -[X in X <= _]/0 -[X in _ <= X]/(al - 1); lra.
  by rewrite SH e; exact: potential_mono.
rewrite trE tr1 dMS /psi.
have := Rmult_le_compat_l s _ _ s0 tr2; rewrite /Rdiv -Rmult_assoc; lra.
Qed.

Lemma limit_le a b c : 0 <= c -> (forall e, 0 < e -> a <= b + c * e) -> a <= b.
Proof.
move=> c0 h; have [//|l] := Rle_lt_dec a b.
have := h ((a - b) / (2 * (c + 1))) ltac:(apply: Rdiv_lt_0_compat; lra).
have -> : c * ((a - b) / (2 * (c + 1))) = c / (c + 1) * ((a - b) / 2) by field; lra.
have : c / (c + 1) <= 1.
  by apply: (Rmult_le_reg_r (c + 1)); [lra | have -> : c / (c + 1) * (c + 1) = c by [field; lra]; lra].
nra.
Qed.

Lemma certificate_psd n k (K : 'M[R]_n) (C : 'M_(n, k)) (H : 'M_k) s al :
  0 <= s -> 1 <= al -> psd (block_mx K C C^T H)%ring ->
  ln (\det (1%:M + s *: K))%ring <=
  ln (\det (al%:M + H))%ring + (\tr (invmx (al%:M + H)))%ring - INR k + (INR n - INR k) * psi al +
  s / al * (\sum_i (K i i - qf (invmx (al%:M + H)) (row i C)^T))%ring.
Proof.
move=> s0 al1 pB; have [_ pK pH] := psd_block pB.
have ia0 : 0 < / al by apply: Rinv_0_lt_compat; lra.
apply: (limit_le _ _ (s / al * INR n)) => [|e e0].
  by apply: Rmult_le_pos; [apply: Rmult_le_pos; lra | exact: pos_INR].
have e0' : (0 < e)%ring by apply/RltP.
have pdK : pd (e%:M + K)%ring by exact: pd_scalar.
have pe p : psd (e%:M : 'M[R]_p)%ring.
  by rewrite -scalemx1; apply: psdZ; [exact: ltW | exact: psd1].
have pB' : psd (block_mx (e%:M + K) C C^T H)%ring.
  have -> : (block_mx (e%:M + K) C C^T H = block_mx K C C^T H + block_mx e%:M 0 0^T 0)%ring.
    by rewrite add_block_mx trmx0 !addr0 [(K + _)%ring]addrC.
  apply: psdD => //; split=> [|x].
    by rewrite tr_block_mx !trmx0 tr_scalar_mx.
  rewrite -(vsubmxK x) qf_block mulmx0 mul0mx qf0l [X in (_ + _ * X + _)%ring]mxE mulr0 !addr0.
  exact: (proj2 (pe n)).
have psK : psd (s *: K)%ring by apply: psdZ => //; exact/RleP.
have mono : ln (\det (1%:M + s *: K))%ring <= ln (\det (1%:M + s *: (e%:M + K)))%ring.
  apply: ln_le; first by apply/RltP; exact: det1D_gt0.
  apply/RleP; have -> : (1%:M + s *: (e%:M + K) = 1%:M + s *: K + s *: e%:M)%ring.
    by rewrite scalerDr [(s *: e%:M + _)%ring]addrC addrA.
  by apply: det_mono => //; apply: psdZ => //; exact/RleP.
apply: Rle_trans mono _.
apply: Rle_trans (certificate_pd _ _ _ _ _ _ _ s0 al1 pdK pB') _.
have -> : (\sum_i ((e%:M + K : 'M[R]_n)%ring i i - qf (invmx (al%:M + H)) (row i C)^T) =
  \sum_i (K i i - qf (invmx (al%:M + H)) (row i C)^T) + INR n * e)%ring.
  transitivity (\sum_i ((K i i - qf (invmx (al%:M + H)) (row i C)^T) + e))%ring.
    by apply: eq_bigr => i _; rewrite [((_ + K) _ _)%ring]mxE [(_%:M _ _)%ring]mxE eqxx mulr1n [(e + _)%ring]addrC addrAC.
  by rewrite big_split /= sumr_const card_ord -mulr_natl -INRE.
set sm := (\sum_i _)%ring; rewrite rplus rmult; right; rewrite /Rdiv; ring.
Qed.

Lemma inverse_form_qf n A b : inverse_form n A b = qf (invmx (mx n A)) (col n b).
Proof.
rewrite /inverse_form /qf; congr ((_ *m _ *m _)%ring ord0 ord0).
by apply/matrixP => i j; rewrite !mxE.
Qed.

Definition shifted (al : R) (H : nat -> nat -> R) (i j : nat) : R := al * identity i j + H i j.

Lemma mx_shifted p al H : mx p (shifted al H) = (al%:M + mx p H)%ring.
Proof.
apply/matrixP => a b; rewrite !mxE /shifted /identity; congr (_ + _)%ring.
case: (Nat.eqb_spec a b) => [e|ne].
  by have -> : a == b by [apply/eqP/val_inj]; rewrite mulr1n Rmult_1_r.
have -> : (a == b) = false by apply/negbTE/eqP => e; apply: ne; rewrite e.
by rewrite mulr0n Rmult_0_r.
Qed.

(* reference points z and weights W beside n points: the features are a block of a semidefinite matrix *)
Definition compress (X : Type) (k : X -> X -> R) m (z : nat -> X) (W : nat -> nat -> R) (a b : nat) : R :=
  sum m (fun i => sum m (fun j => W i a * k (z i) (z j) * W j b)).
Definition against (X : Type) (k : X -> X -> R) m (z : nat -> X) (W : nat -> nat -> R) (y : X) (a : nat) : R :=
  sum m (fun i => W i a * k (z i) y).

Lemma feature_block X k n (x : nat -> X) m z p W : kernel X k ->
  psd (block_mx (mx n (gram X k x)) (\matrix_(i < n, a < p) against X k m z W (x i) a)
    (\matrix_(i < n, a < p) against X k m z W (x i) a)^T (mx p (compress X k m z W)))%ring.
Proof.
move=> pk.
pose y i := if Nat.ltb i n then x i else z (Nat.sub i n).
have yx i : (i < n)%coq_nat -> y i = x i by rewrite /y => /Nat.ltb_lt ->.
have yz i : y (n + i)%coq_nat = z i.
  rewrite /y; case: Nat.ltb_spec => [|_]; first by lia.
  by congr z; lia.
have big := psd_mx _ _ (pk (n + m)%nat y); rewrite mx_split in big.
pose Wm := (\matrix_(i < m, a < p) W i a)%ring.
pose Kx := mx n (gram X k x); pose Kz := mx m (gram X k z).
pose Kxz := (\matrix_(i < n, j < m) k (x i) (z j))%ring.
have sym u v : k u v = k v u.
  by have [sy _] := pk 2%nat (fun l => if Nat.eqb l 0 then u else v); apply: (sy O (S O)); apply/ssrnat.ltP.
have E : block_mx (mx n (fun i j => k (y i) (y j))) (\matrix_(i < n, j < m) k (y i) (y (n + j)%coq_nat))
   (\matrix_(i < m, j < n) k (y (n + i)%coq_nat) (y j)) (mx m (shift2 n (fun i j => k (y i) (y j)))) =
   block_mx Kx Kxz Kxz^T Kz :> 'M[R]_(n + m).
  by congr block_mx; apply/matrixP => i j; rewrite !mxE /shift2 /gram ?yz ?yx //; try exact/ssrnat.ltP.
rewrite E in big.
have := psd_conj (block_mx (1%:M : 'M[R]_n) (0 : 'M_(n, m)) (0 : 'M_(p, n)) Wm^T)%ring big.
rewrite tr_block_mx !trmx0 trmx1 trmxK !mulmx_block !(mul1mx, mul0mx, mulmx0, mulmx1, addr0, add0r).
have -> : (Kxz *m Wm = \matrix_(i < n, a < p) against X k m z W (x i) a)%ring.
  apply/matrixP => i a; rewrite !mxE /against sumE; apply: eq_bigr => j _; rewrite !mxE.
  by rewrite sym mulrC.
have -> : (Wm^T *m Kxz^T = (\matrix_(i < n, a < p) against X k m z W (x i) a)^T)%ring.
  apply/matrixP => a i; rewrite !mxE /against sumE; apply: eq_bigr => j _; rewrite !mxE.
  by rewrite sym.
have -> // : (Wm^T *m Kz *m Wm = mx p (compress X k m z W))%ring.
apply/matrixP => a b; rewrite [LHS]mxE [RHS]mxE /compress sum_swap sumE; apply: eq_bigr => j _.
by rewrite sumE mxE big_distrl /=; apply: eq_bigr => i _; rewrite !mxE.
Qed.

(* the certificate for a kernel: any reference points z_0..z_(m-1) and any m by p matrix W *)
Theorem certificate X k s n (x : nat -> X) m (z : nat -> X) p (W : nat -> nat -> R) alpha V :
  0 <= s -> kernel X k -> 1 <= alpha ->
  let H a b := sum m (fun i => sum m (fun j => W i a * k (z i) (z j) * W j b)) in
  let A a b := alpha * identity a b + H a b in
  let c y a := sum m (fun i => W i a * k (z i) y) in
  (forall i, (i < n)%coq_nat -> k (x i) (x i) - inverse_form p A (c (x i)) <= V) ->
  2 * gain s n (gram X k x) <=
  ln (det p A) + trace_inverse p A - INR p + (INR n - INR p) * psi alpha + s * INR n / alpha * V.
Proof.
move=> s0 pk al1 H A c hV.
have cert := certificate_psd _ _ _ _ _ _ _ s0 al1 (feature_block X k n x m z p W pk).
rewrite -mx_shifted in cert.
have -> : 2 * gain s n (gram X k x) = ln (\det (1%:M + s *: mx n (gram X k x)))%ring.
  have q2 q : 2 * (/ 2 * q) = q by field.
  by rewrite /gain det_mx q2.
apply: Rle_trans cert _; apply: Rplus_le_compat_l.
have -> : s * INR n / alpha * V = s / alpha * (INR n * V) by field; lra.
apply: Rmult_le_compat_l.
  by apply: Rmult_le_pos => //; left; apply: Rinv_0_lt_compat; lra.
rewrite -sum_const sumE; apply/RleP; apply: ler_sum => i _; apply/RleP.
have hi : (i < n)%coq_nat by exact/ssrnat.ltP.
apply: Rle_trans (hV i hi); right; rewrite inverse_form_qf mxE; congr (_ - qf _ _)%ring.
by apply/matrixP => a b; rewrite !mxE.
Qed.
