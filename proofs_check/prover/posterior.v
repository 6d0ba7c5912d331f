(* Posterior variances: the chain rule of the gain, and how they grow with the noise. *)
From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains.
Import Order.TTheory GRing.Theory Num.Theory.

Section Bordered.
Local Open Scope ring_scope.
Variable F : rcfType.

Lemma det_bordered n (M : 'M[F]_n) (b : 'cV_n) (c : 'rV_n) (d : 'M_1) : M \in unitmx ->
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
