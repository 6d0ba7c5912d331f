(******************************************************************************)
(*             What features leave unexplained is a kernel                    *)
(*                                                                            *)
(* And a smaller one than that of the prior: so that the deviation left at a  *)
(* point is at most that at two others between which it lies, and the         *)
(* distance from what interpolates them.                                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   residual_kernel, joint_residual == both are kernels                      *)
(*   between_points == the deviation left between two points                  *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, determinants,       *)
(* duality, full_information.                                                 *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains determinants duality.
From CTV Require full_information.
Import GRing.Theory Num.Theory Order.Theory.
Open Scope R_scope.

Section Algebra.
Local Open Scope ring_scope.
Variable F : rcfType.

Lemma residual_psd n p (K : 'M[F]_n) (C : 'M_(n, p)) (H : 'M_p) : pd H -> psd (block_mx K C C^T H) ->
  psd (K - C *m invmx H *m C^T) /\ psd (C *m invmx H *m C^T).
Proof.
move=> pdH pB; have [_ uH _] := pdH; split; last exact: psd_conj (pd_inv pdH).
have := psd_conj (block_mx (0 : 'M_(p, n)) (1%:M : 'M_p) (1%:M : 'M_n) (0 : 'M_(n, p))) pB.
rewrite tr_block_mx !trmx0 !trmx1 !mulmx_block !(mul1mx, mul0mx, mulmx0, mulmx1, addr0, add0r) => sw.
have := psd_schur _ _ _ H C^T K uH; rewrite trmxK; exact.
Qed.
End Algebra.

(* features c y a = against X k m z W y a, times weights w of their own *)
Theorem residual_kernel X k m (z : nat -> X) p Ws (t : nat -> R) H al : kernel X k -> 0 < al ->
  (forall n (x : nat -> X), psd (block_mx (mx n (gram X k x)) (\matrix_(i < n, a < p) (against X k m z Ws (x i) a * t a))
    (\matrix_(i < n, a < p) (against X k m z Ws (x i) a * t a))^T (mx p H))%ring) ->
  exists r : X -> X -> R, kernel X r /\ kernel X (fun y y' => k y y' - r y y') /\
    forall y, r y y = k y y - inverse_form p (shifted al H) (fun a => against X k m z Ws y a * t a).
Proof.
move=> pk al0 blocks; pose A := mx p (shifted al H).
pose c y := (\row_(a < p) (against X k m z Ws y a * t a))%ring.
exists (fun y y' => k y y' - (c y *m invmx A *m (c y')^T)%ring ord0 ord0).
have AE : A = (al%:M + mx p H)%ring by rewrite /A mx_shifted.
have all n (x : nat -> X) : psd (mx n (fun i j => k (x i) (x j) - (c (x i) *m invmx A *m (c (x j))^T)%ring ord0 ord0)) /\
    psd (mx n (fun i j => (c (x i) *m invmx A *m (c (x j))^T)%ring ord0 ord0)).
  have b := blocks n x; have [_ _ pH] := psd_block b.
  set C := (\matrix_(i < n, a < p) _)%ring in b.
  have pdA : pd A by rewrite AE; apply: pd_scalar => //; exact/RltP.
  have pA : psd (block_mx (mx n (gram X k x)) C C^T A)%ring.
    have e : (block_mx (mx n (gram X k x)) C C^T A = block_mx (mx n (gram X k x)) C C^T (mx p H) + block_mx 0 0 0 al%:M)%ring.
      by rewrite add_block_mx !addr0 AE addrC.
    rewrite e; apply: psdD => //.
    have := psd_conj (col_mx (0 : 'M_(n, p)) (1%:M : 'M_p))%ring (psdZ _ (psd1 _ p) : psd (al *: 1%:M)%ring).
    rewrite tr_col_mx trmx0 trmx1 mul_col_mx mul0mx mul1mx mul_col_row !mul0mx mulmx0 mulmx1 scalemx1; apply.
    by apply/RleP; exact: Rlt_le.
  have [p1 p2] := residual_psd _ _ _ _ _ _ pdA pA.
  have e : (mx n (fun i j => (c (x i) *m invmx A *m (c (x j))^T)%ring ord0 ord0) = C *m invmx A *m C^T)%ring.
    apply/matrixP => i j; rewrite [LHS]mxE.
    have -> : c (x i) = row i C by apply/matrixP => a b'; rewrite !mxE.
    have -> : c (x j) = row j C by apply/matrixP => a b'; rewrite !mxE.
    by rewrite -row_mul !mxE; apply: eq_bigr => l _; rewrite !mxE.
  split; last by rewrite e.
  have -> // : mx n (fun i j => k (x i) (x j) - (c (x i) *m invmx A *m (c (x j))^T)%ring ord0 ord0) =
    (mx n (gram X k x) - C *m invmx A *m C^T)%ring.
  by rewrite -e; apply/matrixP => i j; rewrite !mxE.
split; first by move=> n x; apply: mx_psd; have [] := all n x.
split.
  move=> n x; have [_ q] := all n x; apply: mx_psd; rewrite (_ : mx n _ = mx n (fun i j => (c (x i) *m invmx A *m (c (x j))^T)%ring ord0 ord0)) //.
  by apply: mx_ext => i j _ _; ring.
move=> y; congr (_ - _); rewrite /inverse_form; congr ((_ *m _ *m _)%ring ord0 ord0).
by apply/matrixP => a b; rewrite !mxE.
Qed.

(* of space and time together, at one instant u *)
Theorem joint_residual X k m (z : nat -> X) h mt (zt : nat -> R) p Ws Wt al u : kernel X k -> kernel R h -> h u u = 1 -> 0 < al ->
  exists r : X -> X -> R, kernel X r /\ kernel X (fun y y' => k y y' - r y y') /\
    forall y, r y y = k y y - inverse_form p (shifted al (fun a b => compress X k m z Ws a b * compress R h mt zt Wt a b))
      (fun a => against X k m z Ws y a * against R h mt zt Wt u a).
Proof.
move=> pk ph h1 al0.
apply: (residual_kernel X k m z p Ws (fun a => against R h mt zt Wt u a) _ al pk al0) => n x.
have := psd_hadp (feature_block X k n x m z p Ws pk) (feature_block R h n (fun=> u) mt zt p Wt ph).
set Cs := (\matrix_(i < n, a < p) against X k m z Ws (x i) a)%ring; set Ct := (\matrix_(i < n, a < p) against R h mt zt Wt u a)%ring.
set B := block_mx _ _ _ _; set B' := block_mx _ _ _ _; set B'' := block_mx _ _ _ _; suff -> : hadp B B' = B'' by [].
apply/matrixP => i j; rewrite mxE /B /B' /B''.
case: (split_ordP i) => i' ->; case: (split_ordP j) => j' ->;
  rewrite ?block_mxEul ?block_mxEur ?block_mxEdl ?block_mxEdr !mxE //.
by rewrite /gram h1 mulr1.
Qed.

Section points.
Variables (X : Type) (k r : X -> X -> R).
Hypotheses (pr : kernel X r) (pd : kernel X (fun y y' => k y y' - r y y')).

Definition three (x a b : X) (i : nat) : X := match i with O => x | S O => a | _ => b end.
Lemma form3 q (pq : kernel X q) x a b u v w :
  0 <= u ^ 2 * q x x + v ^ 2 * q a a + w ^ 2 * q b b + 2 * u * v * q x a + 2 * u * w * q x b + 2 * v * w * q a b.
Proof.
have [sy le] := pq 3%nat (three x a b); have {le} := le (fun i => match i with O => u | S O => v | _ => w end).
have s01 := sy 0%nat 1%nat ltac:(lia) ltac:(lia); have s02 := sy 0%nat 2%nat ltac:(lia) ltac:(lia); have s12 := sy 1%nat 2%nat ltac:(lia) ltac:(lia).
by move: s01 s02 s12; rewrite /= => <- <- <-; lra.
Qed.

Theorem between_points x a b t M rho : 0 <= t <= 1 -> 0 <= M -> 0 <= rho -> r a a <= M ^ 2 -> r b b <= M ^ 2 ->
  k x x + (1 - t) ^ 2 * k a a + t ^ 2 * k b b - 2 * (1 - t) * k x a - 2 * t * k x b + 2 * t * (1 - t) * k a b <= rho ^ 2 ->
  r x x <= (M + rho) ^ 2.
Proof.
move=> t01 M0 rho0 ra rb near.
pose Fy := (1 - t) ^ 2 * r a a + t ^ 2 * r b b + 2 * t * (1 - t) * r a b.
pose Fe := r x x + (1 - t) ^ 2 * r a a + t ^ 2 * r b b - 2 * (1 - t) * r x a - 2 * t * r x b + 2 * t * (1 - t) * r a b.
pose B := (r x x - Fy - Fe) / 2.
have y0 : 0 <= Fy by have := form3 r pr x a b 0 (1 - t) t; rewrite /Fy; lra.
have e0 : 0 <= Fe by have := form3 r pr x a b 1 (- (1 - t)) (- t); rewrite /Fe; lra.
have yM : Fy <= M ^ 2.
  have := form3 r pr x a b 0 1 (- 1) => ab; have c : 0 <= t * (1 - t) by nra.
  have : 2 * t * (1 - t) * r a b <= t * (1 - t) * (r a a + r b b) by nra.
  rewrite /Fy => l; have : (1 - t) * r a a + t * r b b <= M ^ 2 by nra.
  lra.
have eR : Fe <= rho ^ 2.
  have := form3 _ pd x a b 1 (- (1 - t)) (- t) => /= d; rewrite /Fe; lra.
have dis : B ^ 2 <= Fy * Fe.
  apply: full_information.discriminant => // u.
  have := form3 r pr x a b (- u) ((1 - t) * (1 + u)) (t * (1 + u)).
  rewrite /B /Fe /Fy; lra.
have Bl : B <= M * rho.
  apply: Rsqr_incr_0_var; last by apply: Rmult_le_pos.
  have := Rmult_le_compat _ _ _ _ y0 e0 yM eR; rewrite /Rsqr; lra.
have -> : r x x = Fy + 2 * B + Fe by rewrite /B; field.
lra.
Qed.
End points.
