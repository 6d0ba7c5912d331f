(******************************************************************************)
(*                     Conditioning of a Gaussian vector                      *)
(*                                                                            *)
(* What its quadratic form and its determinant become when one variable is    *)
(* set apart from the others.                                                 *)
(*                                                                            *)
(* Statements:                                                                *)
(*   set_apart == quadratic form and determinant with one variable apart      *)
(*   residual_covariance == the covariance of two residuals                   *)
(*   known_mean == a known mean changes no residual                           *)
(*                                                                            *)
(* Rests on: library, definitions, sums, full_information.                    *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra.
From CTV Require Import definitions sums full_information.
Import GRing.Theory.
Local Open Scope ring_scope.

Section Blocks.
Variables (F : fieldType) (n : nat) (c : 'M[F]_1) (D : 'M[F]_n) (b w : 'rV[F]_n).
Hypotheses (unitD : D \in unitmx) (symD : D^T = D) (wD : w *m D = b).
Let M : 'M_(1 + n) := block_mx c b b^T D.
Let v := c - w *m b^T.

Lemma det_set_apart : \det M = v 0 0 * \det D.
Proof.
have -> : M = block_mx 1%:M w 0 1%:M *m block_mx v 0 b^T D.
  by rewrite mulmx_block !mul0mx !mul1mx !add0r /v addrNK wD.
by rewrite det_mulmx det_ublock det_lblock !det1 !mul1r det_mx11.
Qed.

Hypothesis v0 : v 0 0 != 0.

Lemma inverse_set_apart (z : 'M[F]_1) (y : 'cV[F]_n) :
  row_mx z y^T *m invmx M *m col_mx z y =
  y^T *m invmx D *m y + (v 0 0)^-1 *: ((z - w *m y) *m (z - w *m y)).
Proof.
have Dw : D *m w^T = b^T by rewrite -wD trmx_mul symD.
have [u vu] : {u | v *m u = 1%:M & u = (v 0 0)^-1%:M}.
  by exists (v 0 0)^-1%:M => //; rewrite {1}[v]mx11_scalar -scalar_mxM mulfV.
move=> eu.
pose N : 'M_(1 + n) := block_mx u (- (u *m w)) (- (w^T *m u)) (invmx D + w^T *m u *m w).
have MN : M *m N = 1%:M.
  rewrite mulmx_block scalar_mx_block; congr block_mx.
  - by rewrite mulmxN mulmxA -wD -[w *m D *m w^T]mulmxA Dw -mulmxBl -/v.
  - rewrite mulmxN mulmxDr -[in b *m invmx D]wD mulmxK // !mulmxA.
    rewrite -[in b *m w^T]wD -[w *m D *m w^T]mulmxA Dw.
    have H : c *m u *m w - w *m b^T *m u *m w = w by rewrite -!mulmxBl -/v vu mul1mx.
    move: H; set X := c *m u *m w; set Y := w *m b^T *m u *m w => H.
    by rewrite -[in w + Y]H subrK addNr.
  - by rewrite mulmxN mulmxA Dw subrr.
  - by rewrite mulmxN mulmxDr mulmxV // !mulmxA Dw addrCA addNr addr0.
have -> : invmx M = N.
  by rewrite -[N]mul1mx -(mulVmx (mulmx1_unit MN).1) -mulmxA MN mulmx1.
have yw : y^T *m w^T = w *m y.
  by rewrite -trmx_mul [w *m y]mx11_scalar tr_scalar_mx.
rewrite mul_row_block mul_row_col !mulmxN !mulmxDr !mulmxA yw.
rewrite eu !mul_mx_scalar -!scalemxAl -!scalerBr -?scalerDr.
rewrite mulmxDl mulNmx mulmxDl -!scalemxAl scalerDr mulmxN [(z - _) *m (w *m y)]mulmxBl.
rewrite opprB scalerBr !mulmxA.
by rewrite [- _ + _]addrC -addrA [LHS]addrCA.
Qed.
End Blocks.

Open Scope R_scope.

(* Variable 0 set apart from the n others: their covariances D, those with it b. *)
Lemma set_apart n (A : nat -> nat -> R) (y : nat -> R) (w : nat -> R) :
  det n (fun i j => A i.+1 j.+1) <> 0 ->
  (forall i j, (i < n.+1)%coq_nat -> (j < n.+1)%coq_nat -> A i j = A j i) ->
  (forall j, (j < n)%coq_nat -> sum n (fun i => w i * A i.+1 j.+1) = A O j.+1) ->
  A O O - sum n (fun i => w i * A i.+1 O) <> 0 ->
  det n.+1 A = (A O O - sum n (fun i => w i * A i.+1 O)) * det n (fun i j => A i.+1 j.+1) /\
  inverse_form n.+1 A y = inverse_form n (fun i j => A i.+1 j.+1) (fun i => y i.+1) +
    (y O - sum n (fun i => w i * y i.+1)) ^ 2 / (A O O - sum n (fun i => w i * A i.+1 O)).
Proof.
move=> d0 sym wD v0.
pose c : 'M[R]_1 := (\matrix_(i < 1, j < 1) A O O)%ring.
pose D := (\matrix_(i < n, j < n) A i.+1 j.+1)%ring.
pose b := (\row_(j < n) A O j.+1)%ring.
pose r := (\row_(j < n) w j)%ring.
have unitD : (D \in unitmx)%ring by rewrite unitmxE unitfE; apply/eqP.
have symD : (D^T)%ring = D.
  by apply/matrixP => i j; rewrite !mxE; apply: sym; apply/ltP; rewrite ltnS.
have rD : (r *m D)%ring = b.
  apply/matrixP => i j; rewrite !mxE -(wD j); last exact/ltP.
  by rewrite sumE; apply: eq_bigr => k _; rewrite !mxE.
have ev : ((c - r *m b^T) ord0 ord0)%ring = A O O - sum n (fun i => w i * A i.+1 O).
  rewrite !mxE sumE; congr (_ + _)%ring; congr (- _)%ring; apply: eq_bigr => k _.
  by rewrite !mxE sym //; apply/ltP; rewrite ?ltnS.
have eM : (\matrix_(i < 1 + n, j < 1 + n) A i j)%ring = block_mx c b (b^T)%ring D.
  apply/matrixP => i j; rewrite [LHS]mxE.
  case: (split_ordP i) => i' ->; case: (split_ordP j) => j' ->;
    rewrite ?block_mxEul ?block_mxEur ?block_mxEdl ?block_mxEdr !mxE ?ord1 //=.
  by apply: sym; apply/ltP; rewrite ?ltnS.
split.
  by rewrite /det eM (@det_set_apart _ n c D b r rD) ev.
have nz : ((c - r *m b^T) ord0 ord0 != 0)%ring by rewrite ev; apply/eqP.
have er : (\row_(i < 1 + n) y i)%ring =
    row_mx (\matrix_(i < 1, j < 1) y O)%ring (\col_(i < n) y i.+1)^T%ring :> 'rV_(1 + n).
  apply/matrixP => i j; rewrite [LHS]mxE; case: (split_ordP j) => j' ->;
    by rewrite ?row_mxEl ?row_mxEr !mxE ?ord1.
have ec : (\col_(i < 1 + n) y i)%ring =
    col_mx (\matrix_(i < 1, j < 1) y O)%ring (\col_(i < n) y i.+1)%ring :> 'cV_(1 + n).
  apply/matrixP => i j; rewrite [LHS]mxE; case: (split_ordP i) => i' ->;
    by rewrite ?col_mxEu ?col_mxEd !mxE ?ord1.
rewrite /inverse_form eM er ec (@inverse_set_apart _ n c D b r unitD) // -ev.
set t := ((\matrix_(i < 1, j < 1) y O) - r *m _)%ring.
have et : (t ord0 ord0)%ring = y O - sum n (fun i => w i * y i.+1).
  rewrite /t !mxE sumE.
  congr (_ + _)%ring; congr (- _)%ring; apply: eq_bigr => k _.
  by rewrite !mxE.
rewrite -et [LHS]mxE; congr (_ + _)%ring.
  by congr ((_ *m _ *m _) _ _)%ring; apply/matrixP => i j; rewrite !mxE.
rewrite mxE [(t *m t)%ring _ _]mxE big_ord1.
rewrite !ord1; rewrite !ord1 in nz.
move: nz; set q := ((c - _)%ring _ _); move: (t _ _) => p /eqP nz.
rewrite -RinvE; last exact/eqP.
by change (/ q * (p * p) = p * (p * 1) * / q); rewrite Rmult_1_r Rmult_comm.
Qed.

(* The covariance of what two weighted sums of n observations leave of two quantities. *)
Lemma residual_covariance s n A a b w u k : 0 < s -> semidefinite n A ->
  (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * w l) + w j / s = a j) ->
  (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * u l) + u j / s = b j) ->
  k - sum n (fun j => w j * b j) - sum n (fun j => u j * a j) +
    sum n (fun i => sum n (fun j => w i * u j * (A i j + identity i j / s))) = covariance s n A a b k.
Proof.
move=> s0 pA ew eu; have [sA _] := pA; have [c [ec ->]] := best_weights s n A b s0 pA.
have noise i x : (i < n)%coq_nat -> sum n (fun j => x j * (identity i j / s)) = x i / s.
  move=> hi; rewrite (sum_ext n _ (fun j => if Nat.eqb i j then x j / s else 0)) ?sum_one //.
  by move=> j _; rewrite /identity; case: Nat.eqb; rewrite /Rdiv; ring.
have whole x y t : (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * y l) + y j / s = t j) ->
    sum n (fun i => sum n (fun j => x i * y j * (A i j + identity i j / s))) = sum n (fun i => x i * t i).
  move=> ey; apply: sum_ext => i hi; rewrite -ey // -noise // -sum_plus -sum_scal.
  by apply: sum_ext => j _; ring.
have -> : sum n (fun j => a j * c j) = sum n (fun j => w j * b j).
  rewrite -(whole w c b (fun j hj => esym (ec j hj))) sum_swap.
  rewrite (sum_ext n (fun j => a j * c j) (fun j => c j * a j)); last by move=> j _; ring.
  rewrite -(whole c w a ew); apply: sum_ext => i hi; apply: sum_ext => j hj.
  by rewrite (sA i j hi hj) /identity Nat.eqb_sym; ring.
have -> : sum n (fun j => u j * a j) = sum n (fun j => w j * b j).
  rewrite -(whole w u b eu) sum_swap -(whole u w a ew); apply: sum_ext => i hi; apply: sum_ext => j hj.
  by rewrite (sA i j hi hj) /identity Nat.eqb_sym; ring.
by rewrite (whole w u b eu); ring.
Qed.

(* A known mean m: what is left of m + g is what is left of g, with the same weights. *)
Lemma known_mean n (w p z : nat -> R) m g :
  (m + g) - (m + sum n (fun i => w i * ((p i + z i) - p i))) = g - sum n (fun i => w i * z i).
Proof. by rewrite (sum_ext n _ (fun i => w i * z i)); [ring | move=> i _; ring]. Qed.
