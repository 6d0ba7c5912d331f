(******************************************************************************)
(*                            Posterior variances                             *)
(*                                                                            *)
(* The chain rule of the gain, and how variances grow with the noise.         *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gain_variance, gain_sum == the gain as a sum of logarithms of            *)
(*       posterior variances                                                  *)
(*   variance_le_prior == a posterior variance is at most the prior one       *)
(*   variance_noise == a larger noise leaves a larger variance                *)
(*   noise_inflation == variances at one noise against the gain at a larger   *)
(*       one                                                                  *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains.                     *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains.
Import Order.TTheory GRing.Theory Num.Theory.

Section Bordered.
Local Open Scope ring_scope.
Variable F : rcfType.

Lemma det_bordered n m (M : 'M[F]_n) (b : 'M_(n, m)) (c : 'M_(m, n)) (d : 'M_m) : M \in unitmx ->
  \det (block_mx M b c d) = \det M * \det (d - c *m invmx M *m b).
Proof.
move=> uM.
have <- : block_mx 1%:M 0 (c *m invmx M) 1%:M *m block_mx M b 0 (d - c *m invmx M *m b) = block_mx M b c d.
  by rewrite mulmx_block !(mul1mx, mul0mx, mulmx0, addr0) mulmxKV // addrCA subrr addr0.
by rewrite det_mulmx det_lblock !det1 !mul1r det_ublock.
Qed.

Lemma variance_gap n (A : 'M[F]_n) (b : 'cV_n) (d : 'M_1) s : 0 <= s -> psd (block_mx A b b^T d) ->
  0 <= d 0 0 - s * (b^T *m invmx (1%:M + s *: A) *m b) 0 0.
Proof.
move=> s0 pB; have [_ pA _] := psd_block pB.
have [_ uM _] := pd1D (psdZ s0 pA).
have sE k (M : 'M[F]_1) : (k *: M) 0 0 = k * M 0 0 by rewrite mxE.
have [y yE] : exists y, y = invmx (1%:M + s *: A) *m b by eexists.
have bE : b = y + s *: (A *m y) by rewrite yE -{1}[b](mulKVmx uM) mulmxDl mul1mx scalemxAl.
rewrite -mulmxA -yE; have := pB.2 (col_mx (- s *: y) 1%:M); rewrite qf_block.
have -> : qf d 1%:M = d 0 0 by rewrite /qf trmx1 mul1mx mulmx1.
have -> : qf A (- s *: y) = s * (s * qf A y).
  rewrite /qf [(_ *: y)^T]linearZ /= -!scalemxAl -scalemxAr.
  by rewrite !sE !mulNr mulrN opprK.
have -> : ((- s *: y)^T *m b *m 1%:M) 0 0 = - s * (b^T *m y) 0 0.
  rewrite mulmx1 [(_ *: y)^T]linearZ /= -scalemxAl sE; congr (_ * _).
  by rewrite -[y^T *m b]trmxK trmx_mul trmxK mxE.
have aE (M N : 'M[F]_1) : (M + N) 0 0 = M 0 0 + N 0 0 by rewrite mxE.
have eb : (b^T *m y) 0 0 = (y^T *m y) 0 0 + s * qf A y.
  have -> : (b^T *m y) 0 0 = (y^T *m b) 0 0 by rewrite -[y^T *m b]trmxK trmx_mul trmxK [RHS]mxE.
  by rewrite {1}bE mulmxDr -scalemxAr aE sE /qf mulmxA.
have -> : s * qf A y = (b^T *m y) 0 0 - (y^T *m y) 0 0 by rewrite eb addrAC subrr add0r.
move=> h; apply: le_trans h _.
have gen (p q e : F) : p - q + (- p - p) + e + q = e - p.
  by rewrite addrACA subrr add0r addrAC [- q - p]addrC subrK addrC.
rewrite mulNr mulr_natl mulr2n mulrBr -[leRHS](gen _ (s * (y^T *m y) 0 0)).
by rewrite ler_addl mulr_ge0 ?dot_ge0.
Qed.

Lemma noise_mono n (A : 'M[F]_n) (b : 'cV_n) s t : psd A -> 0 < t -> t <= s ->
  t * qf (invmx (1%:M + t *: A)) b <= s * qf (invmx (1%:M + s *: A)) b.
Proof.
move=> pA t0 ts; have s0 := lt_le_trans t0 ts.
have pdu (u : F) : 0 < u -> pd (u^-1 *: (1%:M + u *: A)).
  move=> u0; have [sM uM pM] := pd1D (psdZ (ltW u0) pA); split.
  - by rewrite linearZ /= sM.
  - by rewrite unitmxZ // unitfE invr_eq0 gt_eqF.
  - by apply: psdZ => //; rewrite invr_ge0 ltW.
have key (u : F) : 0 < u -> u * qf (invmx (1%:M + u *: A)) b = qf (invmx (u^-1 *: (1%:M + u *: A))) b.
  by move=> u0; case: (pdu u u0) => _ uM _; rewrite invmxZ // invrK qfZ.
rewrite !key //.
have e (u : F) : 0 < u -> u^-1 *: (1%:M + u *: A) = u^-1 *: 1%:M + A.
  by move=> u0; rewrite scalerDr scalerA mulVf ?scale1r // gt_eqF.
have E : t^-1 *: (1%:M + t *: A) = s^-1 *: (1%:M + s *: A) + (t^-1 - s^-1) *: 1%:M.
  by rewrite !e // scalerBl [s^-1 *: _ + A]addrC addrACA subrr addr0 addrC.
have [_ u _] := pdu t t0; rewrite E in u *.
apply: inv_mono => //; first exact: pdu.
by apply: psdZ; [rewrite subr_ge0 lef_pinv | exact: psd1].
Qed.

End Bordered.

Open Scope R_scope.

Lemma mx_border n A : semidefinite (S n) A -> mx n.+1 A = castmx (addn1 n, addn1 n)
  (block_mx (mx n A) (\col_(i < n) A i n) (\col_(i < n) A i n)^T (const_mx (A n n) : 'M_1))%ring.
Proof.
move=> [sA _]; apply/matrixP => i j; rewrite castmxE /block_mx /col_mx /row_mx !mxE.
have hi (k : 'I_n) : (k < S n)%coq_nat by apply: Nat.lt_lt_succ_r; apply/ssrnat.ltP.
case: splitP => a /= ea; rewrite !mxE; case: splitP => b /= eb; rewrite !mxE ea eb ?ord1 //= ?addn0 //.
by apply: sA => //; lia.
Qed.

(* the chain rule *)
Lemma gain_variance s n A : 0 <= s -> semidefinite (S n) A ->
  0 <= variance s n A /\ gain s (S n) A = gain s n A + / 2 * ln (1 + s * variance s n A).
Proof.
move=> s0 pA; have s0' : (0 <= s)%ring by apply/RleP.
have pA' : semidefinite n A by apply: semidefinite_le pA; lia.
have eB := mx_border n A pA.
set b := (\col_(i < n) A i n)%ring in eB; set d := (const_mx _) in eB.
have pB : psd (block_mx (mx n A) b b^T d)%ring.
  have := psd_mx _ _ pA; rewrite eB; move: (block_mx _ _ _ _) (addn1 n); rewrite addn1 => M e.
  by rewrite castmx_id.
have vE : variance s n A = (d 0 0 - s * (b^T *m invmx (1%:M + s *: mx n A) *m b) 0 0)%ring.
  rewrite /variance [(d _ _)%ring]mxE; congr (_ - _ * _)%ring.
  by congr ((_ *m _ *m _)%ring ord0 ord0); apply/matrixP => i j; rewrite !mxE.
have v0 : 0 <= variance s n A by rewrite vE; apply/RleP; exact: variance_gap.
split=> //.
have g0 := det_gt0 s n A s0 pA'.
have v1 : 0 < 1 + s * variance s n A by have := Rmult_le_pos _ _ s0 v0; lra.
rewrite /gain -Rmult_plus_distr_l -ln_mult //; congr (_ * ln _).
rewrite !det_mx.
have [_ uM _] := pd1D (psd_scaled s n A s0 pA').
have -> : (\det (1%:M + s *: mx n.+1 A) = \det (1%:M + s *: block_mx (mx n A) b b^T d))%ring.
  by rewrite eB; move: (block_mx _ _ _ _) (addn1 n); rewrite addn1 => M e; rewrite castmx_id.
have -> : (1%:M + s *: block_mx (mx n A) b b^T d = block_mx (1%:M + s *: mx n A) (s *: b) (s *: b^T) (1%:M + s *: d))%ring.
  by rewrite scalar_mx_block scale_block_mx add_block_mx !add0r.
rewrite det_bordered //; congr (_ * _)%ring.
rewrite [X in (\det X)%ring]mx11_scalar det_scalar expr1 -scalemxAr -!scalemxAl.
have sE k (M : 'M[R]_1) : ((k *: M) 0 0 = k * M 0 0)%ring by rewrite mxE.
have aE (M N : 'M[R]_1) : ((M - N) 0 0 = M 0 0 - N 0 0)%ring by rewrite !mxE.
have a2E (M N : 'M[R]_1) : ((M + N) 0 0 = M 0 0 + N 0 0)%ring by rewrite !mxE.
rewrite aE a2E !sE [(1%:M 0 0)%ring]mxE eqxx vE.
by rewrite -[RHS]/(1 + s * (_ - s * _))%ring mulrBr addrA.
Qed.

Lemma variance_qf s n A : variance s n A = (A n n - s * qf (invmx (1%:M + s *: mx n A)) (\col_(i < n) A i n))%ring.
Proof.
rewrite /variance /qf; congr (_ - _ * _)%ring.
by congr ((_ *m _ *m _)%ring ord0 ord0); apply/matrixP => i j; rewrite !mxE.
Qed.

Lemma variance_le_prior s n A : 0 <= s -> semidefinite (S n) A -> variance s n A <= A n n.
Proof.
move=> s0 pA; have pA' : semidefinite n A by apply: semidefinite_le pA; lia.
rewrite variance_qf; set q := qf _ _.
have q0 : 0 <= q by apply/RleP; exact: (pd_inv (pd1D (psd_scaled s n A s0 pA'))).2.
have := Rmult_le_pos _ _ s0 q0 => h; rewrite -[X in X <= _]/(A n n - s * q); lra.
Qed.

(* a larger noise leaves a larger variance *)
Lemma variance_noise s t n A : 0 < t <= s -> semidefinite (S n) A -> variance s n A <= variance t n A.
Proof.
move=> [t0 ts] pA; have pA' : semidefinite n A by apply: semidefinite_le pA; lia.
rewrite !variance_qf.
have : (t * qf (invmx (1%:M + t *: mx n A)) (\col_(i < n) A i n) <= s * qf (invmx (1%:M + s *: mx n A)) (\col_(i < n) A i n))%ring.
  by apply: noise_mono; [exact: psd_mx | exact/RltP | exact/RleP].
move=> /RleP; set p := (t * _)%ring; set q := (s * _)%ring => h.
rewrite -[X in X <= _]/(A n n - q) -[X in _ <= X]/(A n n - p); lra.
Qed.

Lemma gain_0 s A : gain s 0 A = 0.
Proof. by rewrite /gain /det det_mx00 ln_1 Rmult_0_r. Qed.

Lemma gain_sum s n A : 0 <= s -> semidefinite n A ->
  gain s n A = / 2 * sum n (fun i => ln (1 + s * variance s i A)).
Proof.
move=> s0; elim: n => [|n IH] pA; first by rewrite gain_0 /=; lra.
have [v0 ->] := gain_variance s n A s0 pA.
by rewrite IH /=; [lra | apply: semidefinite_le pA; lia].
Qed.

(* noise inflation *)
Lemma noise_inflation s t n A : 0 < t <= s -> semidefinite n A ->
  / 2 * sum n (fun i => ln (1 + t * variance s i A)) <= gain t n A.
Proof.
move=> ts pA; rewrite gain_sum //; last lra.
apply: Rmult_le_compat_l; first lra.
apply: sum_le => i hi.
have pi : semidefinite (S i) A by apply: semidefinite_le pA; lia.
have [v0 _] := gain_variance s i A ltac:(lra) pi.
have h := variance_noise s t i A ts pi.
apply: ln_le; first by have := Rmult_le_pos t _ ltac:(lra) v0; lra.
by apply: Rplus_le_compat_l; apply: Rmult_le_compat_l; lra.
Qed.
