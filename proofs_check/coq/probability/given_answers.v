(******************************************************************************)
(*                 A value given the answers at fixed points                  *)
(*                                                                            *)
(* Where all points are fixed, the density of the answers is a product of     *)
(* normal densities; along one direction of the numbers that the objective is *)
(* made of it has the value less its prediction as its coordinate. So given   *)
(* any answers whatever, not only almost all, the value is far from its       *)
(* prediction with the normal tail.                                           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   remainder == the direction; the posterior variance is its product with   *)
(*       the value                                                            *)
(*   energy_moved == the exponent of the density along it                     *)
(*   given == the tail given the answers                                      *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_posterior, normal_density, normal_integrals,                      *)
(* measurable_posterior, scalar, definitions, sums, gains, outcomes.          *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_posterior normal_density normal_integrals measurable_posterior.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar definitions sums gains outcomes.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation dotp := (vectors.dot RR).

Section residual.
Variables (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (sigma : R) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypotheses (sigma0 : 0 < sigma) (law : has_kernel d n Y L k h tau).
Notation s := (/ sigma ^ 2).
Notation out g := (co RR d g).

(* the value of round j at z is a product with this vector *)
Definition weights (j : nat) (z : Y) : vec RR d := mk RR d (L j z).

Lemma dot_weights j z g : dotp d (weights j z) g = value d Y L (out g) j z.
Proof. by rewrite /weights dot_mk /value sumE. Qed.

Lemma weights_kernel i j z z' : (i < n)%N -> (j < n)%N -> dotp d (weights i z) (weights j z') = k z z' * h (tau i) (tau j).
Proof. by move=> /ssrnat.ltP hi /ssrnat.ltP hj; rewrite /weights dot_mk2 -law // sumE. Qed.

Variables (x : nat -> Y) (i : nat) (z : Y).
Hypothesis hi : (i < n)%N.
Definition joined := joint Y k h (fun j => if Nat.eqb j i then z else x j) tau.
Notation K := (1%:M + s *: \matrix_(a < i, b < i) joined a b)%ring.
Definition share_of : 'rV[R]_i := (s *: (\row_(b < i) joined b i *m invmx K))%ring.
Notation c j := (share_of ord0 j).
Definition remainder : vec RR d := mk RR d (fun l => L i z l - \sum_(j < i) c j * L j (x j) l)%ring.

Let jn (j : 'I_i) : (j < n)%N. Proof. exact: ltn_trans (ltn_ord j) hi. Qed.
Let s0 : 0 < s. Proof. by apply: Rinv_0_lt_compat; apply: pow_lt. Qed.
Let ne (j : 'I_i) : Nat.eqb j i = false.
Proof. by apply/Nat.eqb_neq => e; have := ltn_ord j; rewrite e ltnn. Qed.
Let colE (l : 'I_i) : joined l i = k (x l) z * h (tau l) (tau i).
Proof. by rewrite /joined /joint Nat.eqb_refl ne. Qed.
Let insideE (j l : 'I_i) : joined j l = k (x j) (x l) * h (tau j) (tau l).
Proof. by rewrite /joined /joint !ne. Qed.

Lemma det_positive : 0 < (\det K)%ring.
Proof.
pose V (j l : nat) := L j (x j) l.
have psd_sum q : semidefinite i (fun a b => sum q (fun l => V a l * V b l)).
  elim: q => [|q IH]; last exact: (semidefinite_plus i _ _ IH (semidefinite_outer i (fun a => V a q))).
  split=> // w; right; rewrite (sum_ext i _ (fun=> 0)) ?sum_0 // => a _.
  by rewrite (sum_ext i _ (fun=> 0)) ?sum_0 // => b _; exact: Rmult_0_r.
have := det_gt0 s i _ (Rlt_le _ _ s0) (psd_sum d); rewrite det_mx.
congr (Rlt 0 (\det (_ + _ *: _))%ring).
apply/matrixP => a b; rewrite !mxE insideE; apply: law; exact/ssrnat.ltP.
Qed.

Lemma unitK : K \in unitmx.
Proof. by rewrite unitmxE unitfE; apply/eqP; apply: Rgt_not_eq; exact: det_positive. Qed.

Lemma share_solves (l : 'I_i) : (\sum_(j < i) c j * joined j l)%ring + sigma ^ 2 * c l = joined l i.
Proof.
have e : (share_of *m K = s *: \row_(b < i) joined b i)%ring by rewrite /share_of -scalemxAl mulmxKV // unitK.
move: share_of e => w e; have := congr1 (fun A : 'rV[R]_i => A ord0 l) e.
rewrite mulmxDr mulmx1 -scalemxAr !mxE (eq_bigr (fun j => w ord0 j * joined j l)%ring); last by move=> j _; rewrite mxE.
move: (\sum_(j < i) _)%ring (w ord0 l) (joined l i) => S u r e'.
have {}e' : u + s * S = s * r := e'; change (@eq R (S + sigma ^ 2 * u) r).
have -> : u = s * r - s * S by lra.
by field; lra.
Qed.

Lemma dot_remainder g : dotp d remainder g = dotp d (weights i z) g - (\sum_(j < i) c j * dotp d (weights j (x j)) g)%ring.
Proof. by rewrite /remainder dot_sub dot_sum. Qed.

Lemma remainder_seen (l : 'I_i) : dotp d (weights l (x l)) remainder = sigma ^ 2 * c l.
Proof.
rewrite dotC dot_remainder dotC weights_kernel // (_ : k _ _ * _ = joined l i); last by rewrite colE.
rewrite (eq_bigr (fun j : 'I_i => c j * joined j l)%ring); last by move=> j _; rewrite weights_kernel // insideE.
by rewrite -share_solves; move: (\sum_(j < i) _)%ring => S; change (@eq R (S + sigma ^ 2 * c l - S) (sigma ^ 2 * c l)); ring.
Qed.

Lemma remainder_value : dotp d (weights i z) remainder = variance s i joined.
Proof.
rewrite dotC dot_remainder weights_kernel // /variance {1}/joined {1}/joint Nat.eqb_refl; congr (_ - _).
rewrite -[RHS](_ : (share_of *m \col_(j < i) joined j i) ord0 ord0 = _)%ring; last by rewrite /share_of -scalemxAl mxE.
by rewrite [RHS]mxE; apply: eq_bigr => j _; congr (_ * _)%ring; rewrite weights_kernel // -colE mxE.
Qed.

Lemma remainder_norm : dotp d remainder remainder + sigma ^ 2 * (\sum_(j < i) c j * c j)%ring = variance s i joined.
Proof.
rewrite dot_remainder remainder_value (eq_bigr (fun j : 'I_i => (sigma ^ 2)%R * (c j * c j))%ring); last first.
  by move=> j _; rewrite remainder_seen; set u := c j; change (@eq R (u * (sigma ^ 2 * u)) (sigma ^ 2 * (u * u))); ring.
rewrite -mulr_sumr; move: (\sum_(j < i) _)%ring (variance _ _ _) => S V.
change (@eq R (V - sigma ^ 2 * S + sigma ^ 2 * S) V); ring.
Qed.

(* answers y, what they leave of the noise for given numbers g, and how far the value is from its prediction *)
Variable y : nat -> R.
Definition noise_left (j : nat) (g : vec RR d) : R := (y j - value d Y L (out g) j (x j)) / sigma.
Definition away (g : vec RR d) : R := value d Y L (out g) i z - prediction Y k h s x tau y i z.
Definition energy (g : vec RR d) : R := (dotp d g g + \sum_(j < i) noise_left j g * noise_left j g)%ring.

Lemma awayE g : away g = dotp d remainder g - sigma * (\sum_(j < i) c j * noise_left j g)%ring.
Proof.
rewrite dot_remainder dot_weights /away /prediction /posterior_mean -/joined.
rewrite -[s * _](_ : (share_of *m \col_(j < i) y j) ord0 ord0 = _)%ring; last by rewrite /share_of -scalemxAl mxE.
rewrite mxE (eq_bigr (fun j : 'I_i => c j * dotp d (weights j (x j)) g + sigma * (c j * noise_left j g))%ring); last first.
  move=> j _; rewrite [(\col_(_ < i) _)%ring _ _]mxE dot_weights /noise_left.
  change (@eq R (c j * y j) (c j * value d Y L (out g) j (x j) + sigma * (c j * ((y j - value d Y L (out g) j (x j)) / sigma)))).
  by field; lra.
rewrite big_split /= -mulr_sumr; move: (\sum_(j < i) _)%ring (\sum_(j < i) _)%ring (value _ _ _ _ _ _) => B A v.
change (@eq R (v - (A + sigma * B)) (v - A - sigma * B)); ring.
Qed.

Lemma value_moved j z' t g : value d Y L (out (axpy RR d t remainder g)) j z' = value d Y L (out g) j z' + t * dotp d (weights j z') remainder.
Proof. by rewrite -!dot_weights dot_axpy. Qed.

Lemma away_moved t g : away (axpy RR d t remainder g) = away g + t * variance s i joined.
Proof.
rewrite /away value_moved remainder_value; move: (value _ _ _ _ _ _) (prediction _ _ _ _ _ _ _ _ _) (variance _ _ _) => v p V.
ring.
Qed.

Lemma left_moved (j : 'I_i) t g : noise_left j (axpy RR d t remainder g) = noise_left j g - t * sigma * c j.
Proof. by rewrite /noise_left value_moved remainder_seen; field; lra. Qed.

Lemma energy_moved t g : energy (axpy RR d t remainder g) = energy g + 2 * t * away g + t * t * variance s i joined.
Proof.
rewrite /energy dot_axpy ![dotp d (axpy _ _ _ _ _) _]dotC !dot_axpy [dotp d g remainder]dotC.
rewrite (eq_bigr (fun j : 'I_i => noise_left j g * noise_left j g + ((- (2 * t * sigma))%R * (c j * noise_left j g) + (t * t * sigma ^ 2)%R * (c j * c j)))%ring); last first.
  move=> j _; rewrite left_moved; set u := noise_left _ _; set v := c j.
  change (@eq R ((u - t * sigma * v) * (u - t * sigma * v)) (u * u + (- (2 * t * sigma) * (v * u) + t * t * sigma ^ 2 * (v * v)))); ring.
rewrite !big_split /= -!mulr_sumr awayE -remainder_norm.
set A := (\sum_(j < i) noise_left _ _ * _)%ring; set B := (\sum_(j < i) c _ * noise_left _ _)%ring; set C := (\sum_(j < i) c _ * c _)%ring.
set a := dotp d g g; set b := dotp d remainder g; set e := dotp d remainder remainder.
change (@eq R ((a + t * b + t * (b + t * e)) + (A + (- (2 * t * sigma) * B + t * t * sigma ^ 2 * C)))
  (a + A + 2 * t * (b - sigma * B) + t * t * (e + sigma ^ 2 * C))); ring.
Qed.

(* the density of numbers and answers, but for powers of sigma *)
Notation E := (dE RR normal).
Definition weight (g : vec RR d) : R := (root ^+ (d + i) * E (energy g))%ring.

Lemma weight0 g : (0 <= weight g)%ring.
Proof. by apply: mulr_ge0; [apply: exprn_ge0; exact: (dK0 RR normal) | exact: (dE0 RR normal)]. Qed.

Lemma mvalue j z' : measurable_fun setT (fun g => value d Y L (out g) j z' : RR).
Proof. by have := mdot RR d (weights j z'); congr measurable_fun; apply/funext => g; exact: dot_weights. Qed.

Lemma maway : measurable_fun setT (away : _ -> RR).
Proof. by apply: measurable_funB; [exact: mvalue | exact: measurable_fun_cst]. Qed.

Lemma mnoise_left j : measurable_fun setT (noise_left j : _ -> RR).
Proof.
apply: measurable_funM; last exact: measurable_fun_cst.
by apply: measurable_funB; [exact: measurable_fun_cst | exact: mvalue].
Qed.

Lemma menergy : measurable_fun setT (energy : _ -> RR).
Proof.
apply: measurable_funD; first exact: mdot2.
by apply: msums => j; apply: measurable_funM; exact: mnoise_left.
Qed.

Lemma mweight : measurable_fun setT (weight : _ -> RR).
Proof.
apply: measurable_funM; first exact: measurable_fun_cst.
exact: (measurable_fun_comp (dmE RR normal) menergy).
Qed.

(* given the answers, the value is far from its prediction with the normal tail *)
Variable b : R.
Definition off : set (vec RR d) := fun g => b * sqrt (variance s i joined) < Rabs (away g).

Lemma still : variance s i joined = 0 -> forall g, away g = 0.
Proof.
rewrite -remainder_norm => e g; set S := (\sum_(j < i) _)%ring in e.
have S0 : 0 <= S by apply/RleP; apply: sumr_ge0 => j _; rewrite -expr2 sqr_ge0.
have r0 : 0 <= dotp d remainder remainder by apply/RleP; exact: dot_ge0.
have s2 : 0 < sigma ^ 2 by apply: pow_lt.
have S1 : S = 0 by nra.
have r1 : dotp d remainder remainder = 0 by nra.
have c0 (j : 'I_i) : c j = 0.
  have pos (l : 'I_i) : xpredT l -> (0 <= c l * c l)%ring by move=> _; rewrite -expr2 sqr_ge0.
  have /eqP : (c j * c j)%ring = 0 by exact: (psumr_eq0P pos S1).
  by rewrite -expr2 sqrf_eq0 => /eqP.
rewrite awayE (dot_null _ _ _ g r1) big1 => [|j _]; last by rewrite c0 mul0r.
by rewrite Rmult_0_r; exact: Rminus_0_r.
Qed.

Lemma variance0 : 0 <= variance s i joined.
Proof.
rewrite -remainder_norm; apply: Rplus_le_le_0_compat; first by apply/RleP; exact: dot_ge0.
apply: Rmult_le_pos; first exact: pow2_ge_0.
by apply/RleP; apply: sumr_ge0 => j _; rewrite -expr2 sqr_ge0.
Qed.

Theorem given : (I RR d (fun g => (\1_off g * weight g)%:E) <= tail RR normal b * I RR d (fun g => (weight g)%:E))%E.
Proof.
have w0 := weight0.
have [V0|V0] : variance s i joined = 0 \/ 0 < variance s i joined by have := variance0; lra.
  have -> : (fun g => (\1_off g * weight g)%:E) = cst 0%E.
    apply/funext => g; rewrite indicE memNset ?mul0r //.
    by rewrite /off (still V0) V0 sqrt_0 Rmult_0_r Rabs_R0 => /Rlt_irrefl.
  rewrite /rotation.I integral0; apply: mule_ge0; first exact: law1_ge0.
  by apply: integral_ge0 => g _; rewrite lee_fin.
set V := variance s i joined in V0 *; pose q := sqrt V; have q0 : 0 < q by exact: sqrt_lt_R0.
have qq : q * q = V by apply: sqrt_sqrt; exact: Rlt_le.
pose u (x : RR) : RR := (\1_[set x : RR | b < `|x|] x * phi1 RR normal x)%ring.
pose a (g : vec RR d) : RR := away g / q.
pose A : R := (root ^+ (d + i) : RR)%ring / root.
pose W (g : vec RR d) : RR := (A * E (energy g - a g * a g))%ring.
have rp := root_pos.
have A0 : (0 <= A)%ring.
  apply/RleP; apply: Rmult_le_pos; last exact: Rlt_le (Rinv_0_lt_compat _ rp).
  by apply/RleP; apply: exprn_ge0; exact: (dK0 RR normal).
have ma : measurable_fun setT a by apply: measurable_funM; [exact: maway | exact: measurable_fun_cst].
have mW : measurable_fun setT W.
  apply: measurable_funM; first exact: measurable_fun_cst.
  apply: (measurable_fun_comp (dmE RR normal)); apply: measurable_funB; first exact: menergy.
  by apply: measurable_funM.
have mu : measurable_fun setT u.
  by apply: measurable_funM; [apply: measurable_fun_indic; exact: mbeyond | exact: mphi1].
have W0 g : (0 <= W g)%ring by apply: mulr_ge0 => //; exact: (dE0 RR normal).
have u0 v : (0 <= u v)%ring by apply: mulr_ge0; [rewrite indicE | exact: phi1_ge0].
have moved t g : axpy RR d t (scale RR d (/ q) remainder) g = axpy RR d (t * / q) remainder g by rewrite axpy_scale.
have am t g : a (axpy RR d t (scale RR d (/ q) remainder) g) = (a g + t)%ring.
  rewrite moved /a away_moved -/V -qq; change (@eq R ((away g + t * / q * (q * q)) / q) (away g / q + t)); field; lra.
have Wm t g : W (axpy RR d t (scale RR d (/ q) remainder) g) = W g.
  rewrite /W am moved energy_moved -/V -qq; congr (_ * E _)%ring; rewrite /a.
  change (@eq R (energy g + 2 * (t * / q) * away g + t * / q * (t * / q) * (q * q) - (away g / q + t) * (away g / q + t))
    (energy g - away g / q * (away g / q))); field; lra.
have := along RR normal d (scale RR d (/ q) remainder) a W u ma mW mu W0 u0 Wm am.
have Wphi g : (W g * phi1 RR normal (a g))%ring = weight g.
  rewrite /W /weight /phi1 mulrACA; congr (_ * _)%ring.
    change (@eq R ((root ^+ (d + i) : RR)%ring / root * root) (root ^+ (d + i) : RR)%ring); field; lra.
  by rewrite -(dED RR normal) subrK.
rewrite (Iext RR d (fun g => (W g * u (a g))%:E) (fun g => (\1_off g * weight g)%:E)); last first.
  move=> g; rewrite /u mulrCA Wphi; congr (_ * _)%:E; rewrite !indicE; congr (nat_of_bool _)%:R%ring.
  have e : Rabs (a g) = Rabs (away g) / q by rewrite /a /Rdiv Rabs_mult (Rabs_pos_eq (/ q)) //; exact: Rlt_le (Rinv_0_lt_compat _ q0).
  apply/idP/idP; rewrite !inE /off /= -/V -/q.
    move=> /RltP; change (b < Rabs (a g) -> b * q < Rabs (away g)); rewrite e => lt.
    by have := Rmult_lt_compat_r q _ _ q0 lt; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
  move=> lt; apply/RltP; change (b < Rabs (a g)); rewrite e.
  by apply: (Rmult_lt_reg_r q) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
rewrite (Iext RR d (fun g => (W g * phi1 RR normal (a g))%:E) (fun g => (weight g)%:E)); last by move=> g; rewrite Wphi.
by rewrite /tail law1E => ->.
Qed.
End residual.
