(******************************************************************************)
(*           The mean of the largest value is at least that of two            *)
(*                                                                            *)
(* Of two normal values the larger is the second and what the first has more; *)
(* the mean of a positive part is counted in steps.                           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   positive_part == the mean of a positive part is at least 1/sqrt (2 pi)   *)
(*       standard deviations                                                  *)
(*   mean_maximum_pair == m is at least the mean of the larger of two         *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_posterior, normal_density, adaptive_confidence, posterior_kernel, *)
(* moments, scalar, normal, definitions, sums, outcomes, combinations,        *)
(* any_space, expected_regret, floor_in_mean.                                 *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_posterior normal_density adaptive_confidence
  posterior_kernel moments.
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From CTV Require Import scalar normal definitions sums outcomes combinations any_space expected_regret floor_in_mean.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation law m := [the {measure set vec RR m -> \bar RR}%ring of gauss RR normal_density.normal m].

(* ---- sums of tails ---- *)

Definition beyond (t : R) : R := normal_density t - t * normal_cdf (- t).

Lemma beyond_derive t : is_derive beyond t (- normal_cdf (- t)).
Proof.
have e u : beyond u = normal_density u - u + u * normal_cdf u.
  by rewrite /beyond normal_cdf_minus; ring.
apply: (is_derive_ext (fun u => normal_density u - u + u * normal_cdf u)); first by move=> u; rewrite e.
have -> : - normal_cdf (- t) = - t * normal_density t - 1 + (1 * normal_cdf t + t * normal_density t).
  by rewrite normal_cdf_minus; ring.
apply: (@is_derive_plus _ R_NormedModule); last first.
  by apply: (is_derive_mult (fun u => u) normal_cdf t 1 (normal_density t)); [exact: is_derive_id | exact: normal_cdf_derive | move=> x y; exact: Rmult_comm].
by apply: (@is_derive_minus _ R_NormedModule); [exact: normal_density_derive | exact: is_derive_id].
Qed.

Lemma normal_cdf_grows x y : x <= y -> normal_cdf x <= normal_cdf y.
Proof. by move=> xy; apply: (rises normal_cdf normal_density x y) => // t _; [exact: normal_cdf_derive | left; exact: normal_density_positive]. Qed.

Lemma beyond_step x y : x <= y -> beyond x - beyond y <= (y - x) * normal_cdf (- x).
Proof.
move=> xy; have := rises (fun t => beyond t + t * normal_cdf (- x)) (fun t => - normal_cdf (- t) + normal_cdf (- x)) x y.
have dd t : x <= t <= y -> is_derive (fun t => beyond t + t * normal_cdf (- x)) t (- normal_cdf (- t) + normal_cdf (- x)).
  move=> _; apply: (@is_derive_plus _ R_NormedModule); first exact: beyond_derive.
  apply: (is_derive_ext (fun u => normal_cdf (- x) * u)); first by move=> u; exact: Rmult_comm.
  rewrite -[X in is_derive _ _ X]Rmult_1_r; apply: is_derive_scal; exact: is_derive_id.
move=> h; have := h dd (fun t ht => ltac:(have := normal_cdf_grows (- t) (- x) ltac:(lra); lra)) xy; lra.
Qed.

Lemma tails_below e N : 0 < e -> beyond e - beyond (INR (S N) * e) <= sum N (fun j => e * normal_cdf (- (INR (S j) * e))).
Proof.
move=> e0; elim: N => [|N IH]; first by rewrite /= Rmult_1_l; lra.
have s : INR (S (S N)) * e = INR (S N) * e + e by rewrite (S_INR (S N)); ring.
have := beyond_step (INR (S N) * e) (INR (S (S N)) * e) ltac:(lra).
have -> : INR (S (S N)) * e - INR (S N) * e = e by lra.
have -> : sum (S N) (fun j => e * normal_cdf (- (INR (S j) * e))) =
  sum N (fun j => e * normal_cdf (- (INR (S j) * e))) + e * normal_cdf (- (INR (S N) * e)) by [].
lra.
Qed.

(* from steps to the whole: the mean of a positive part *)
Lemma steps_below e N x : 0 < e -> sum N (fun j => e * (if Rlt_dec (INR (S j) * e) x then 1 else 0)) <= Rmax 0 x /\
  sum N (fun j => e * (if Rlt_dec (INR (S j) * e) x then 1 else 0)) <= INR N * e.
Proof.
move=> e0; elim: N => [|N [IH1 IH2]]; first by rewrite /= Rmult_0_l; have := Rmax_l 0 x; lra.
have m := Rmax_r 0 x; have s : INR (S N) * e = INR N * e + e by rewrite S_INR; ring.
rewrite (_ : sum (S N) _ = sum N (fun j => e * (if Rlt_dec (INR (S j) * e) x then 1 else 0)) +
  e * (if Rlt_dec (INR (S N) * e) x then 1 else 0)) //.
move: IH1 IH2; set S' := sum N _ => IH1 IH2.
by case: Rlt_dec => h; rewrite /is_left; split; lra.
Qed.

Lemma tails_in_mean n (u : vec RR n) e N : dotp n u u = 1 -> 0 < e ->
  ((sum N (fun j => e * normal_cdf (- (INR (S j) * e))))%R%:E <= \int[law n]_g (Rmax 0 (dotp n u g))%:E)%E.
Proof.
move=> u1 e0; pose A (j : nat) : set (vec RR n) := [set g | above (INR (S j) * e) (dotp n u g)]%classic.
have mA j : measurable (A j).
  by rewrite -[X in measurable X]setTI; apply: (mdot RR n u measurableT); exact: mabove.
have mI j : measurable_fun setT (fun g => (e * \1_(A j) g)%:E : \bar RR).
  by apply/EFin_measurable_fun; apply: measurable_funM; [exact: measurable_fun_cst | exact: measurable_fun_indic].
have I0 j g : (0 <= (e * \1_(A j) g)%:E)%E.
  by rewrite lee_fin; apply: mulr_ge0; [apply/RleP; exact: (Rlt_le _ _ e0) | rewrite indicE ler0n].
have each j : (\int[law n]_g (e * \1_(A j) g)%:E = (e * normal_cdf (- (INR (S j) * e)))%R%:E)%E.
  rewrite (eq_integral (fun g => e%:E * (\1_(A j) g)%:E)%E) // ge0_integralM //; first last.
  - by rewrite lee_fin; apply/RleP; exact: (Rlt_le _ _ e0).
  - by move=> g _; rewrite lee_fin indicE ler0n.
  - by apply/EFin_measurable_fun; exact: measurable_fun_indic.
  rewrite integral_indic // setIT -[RHS]/(e%:E * (normal_cdf (- (INR (S j) * e)))%:E)%E; congr (_ * _)%E.
  have c0 : 0 <= INR (S j) * e by apply: Rmult_le_pos; [exact: pos_INR | lra].
  by have [<- _] := above_cdf _ c0; rewrite -(unit_law n u _ u1 (mabove _)).
have -> : ((sum N (fun j => e * normal_cdf (- (INR (S j) * e))))%R%:E = \sum_(j < N) \int[law n]_g (e * \1_(A j) g)%:E)%E.
  by rewrite sumE -sumEFin; apply: eq_bigr => j _; rewrite each.
rewrite -(ge0_integral_sum (law n) measurableT (f := fun j : 'I_N => fun g => (e * \1_(A j) g)%:E)) //.
have mx : measurable_fun setT (fun g => (Rmax 0 (dotp n u g))%:E : \bar RR).
  have -> : (fun g => (Rmax 0 (dotp n u g))%:E : \bar RR) = (fun g => (Num.max (cst 0 g) (dotp n u g))%:E).
    by apply: funext => g; rewrite RmaxE.
  by apply/EFin_measurable_fun; apply: measurable_fun_max; [exact: measurable_fun_cst | exact: mdot].
apply: ge0_le_integral => //.
- by move=> g _; apply: sume_ge0.
- by apply: emeasurable_fun_sum.
- by move=> g _; rewrite lee_fin; apply/RleP; exact: Rmax_l.
- move=> g _; rewrite sumEFin lee_fin; apply/RleP; have [h _] := steps_below e N (dotp n u g) e0.
  apply: Rle_trans h; right; rewrite sumE; apply: eq_bigr => j _; congr (_ * _).
  rewrite indicE; case: Rlt_dec => h; first by rewrite mem_set //; exact/RltP.
  by rewrite memNset // => /RltP.
Qed.

Lemma positive_part n (u : vec RR n) : dotp n u u = 1 ->
  ((/ sqrt (2 * PI))%R%:E <= \int[law n]_g (Rmax 0 (dotp n u g))%:E)%E.
Proof.
move=> u1; set I := (\int[_]_g _)%E.
have I0 : (0 <= I)%E by apply: integral_ge0 => g _; rewrite lee_fin; apply/RleP; exact: Rmax_l.
have low e N : dotp n u u = 1 -> 0 < e -> ((sum N (fun j => e * normal_cdf (- (INR (S j) * e))))%R%:E <= I)%E :=
  tails_in_mean n u e N.
case: I I0 low => [v| |] v0 low; [|by rewrite leey|by []].
rewrite lee_fin; apply/RleP; apply: Rnot_lt_le => lt.
have d0 : normal_density 0 = / sqrt (2 * PI).
  by rewrite /normal_density; have -> : - 0 ^ 2 / 2 = 0 by [field]; rewrite exp_0; field; have := normal_root_positive; lra.
(* a small step e, and so many of them that nothing is left beyond *)
pose a := / sqrt (2 * PI) - v; have a0 : 0 < a by rewrite /a; lra.
pose e := Rmin 1 (a / 4); have e1 : 0 < e <= 1 /\ e <= a / 4.
  by rewrite /e; have := Rmin_l 1 (a / 4); have := Rmin_r 1 (a / 4); have := Rmin_glb_lt 1 (a / 4) 0; lra.
have [N hN] : exists N : nat, 1 <= INR (S N) * e /\ normal_density (INR (S N) * e) <= a / 4.
  have [N hN] := nfloor_ex (64 / (a * e) + / e + 1) ltac:(have : 0 < a * e by [nra]; have : 0 < / e by [apply: Rinv_0_lt_compat; lra]; move=> p q; have : 0 < 64 / (a * e) by [apply: Rdiv_lt_0_compat; lra]; lra).
  exists N; have s : 64 / (a * e) + / e + 1 < INR (S N) by rewrite S_INR; lra.
  have ae : 0 < a * e by nra.
  have ie : / e * e = 1 by rewrite Rinv_l; lra.
  have ia : 64 / (a * e) * (a * e) = 64 by field; lra.
  have q0 : 0 < 64 / (a * e) by apply: Rdiv_lt_0_compat; lra.
  have i0 : 0 < / e by apply: Rinv_0_lt_compat; lra.
  have t1 : 1 <= INR (S N) * e by nra.
  split=> //; apply: Rle_trans (normal_density_small _ t1) _.
  have t2 : 64 <= a * (INR (S N) * e) by nra.
  apply: (Rmult_le_reg_r ((INR (S N) * e) ^ 2)); first nra.
  have -> : 16 / (INR (S N) * e) ^ 2 * (INR (S N) * e) ^ 2 = 16 by field; lra.
  by move: t1 t2; set t := INR (S N) * e => t1 t2; nra.
have := low e N u1 ltac:(lra); rewrite lee_fin => /RleP low'.
have b := tails_below e N ltac:(lra); move: hN => [t1 far].
have : beyond (INR (S N) * e) <= a / 4.
  by rewrite /beyond; have := normal_cdf_nonnegative (- (INR (S N) * e)); nra.
have : / sqrt (2 * PI) - a / 2 <= beyond e.
  have h := beyond_step 0 e ltac:(lra); rewrite Ropp_0 normal_cdf_0 in h.
  by have : beyond 0 = / sqrt (2 * PI) by [rewrite /beyond d0; ring]; lra.
by rewrite /a in a0 *; lra.
Qed.

(* ---- two of the values ---- *)

Theorem mean_maximum_pair (Y : finType) k m (a b : Y) : kernel Y k -> mean_maximum Y k m ->
  sqrt (k a a + k b b - 2 * k a b) / sqrt (2 * PI) <= m.
Proof.
move=> pk mm; have [L e0] := features Y k pk; pose D := #|Y|.
have e0' y z : sum D (fun l => L y l * L z l) = k y z by rewrite -e0 sumE.
have := mm _ _ (standard_normal D) D (fun l g => co RR D g l) L b (coordinates D) e0'; rewrite /mean_of => e.
pose v y := mk RR D (L y).
have vE y g : sum D (fun l => L y l * co RR D g l) = dotp D (v y) g by rewrite dot_mk -(sumE D (fun l => L y l * co RR D g l)).
have vv y z : dotp D (v y) (v z) = k y z by rewrite dot_mk2 -(sumE D (fun l => L y l * L z l)).
have hl : has_mean (law D) (fun g => best_value Y b (fun y => dotp D (v y) g)).
  by apply: best_value_has_mean => y; exact: has_mean_dot.
have e' : (\int[law D]_g (best_value Y b (fun y => dotp D (v y) g))%:E = m%:E)%E.
  by rewrite -e; apply: eq_integral => g _; congr (best_value _ _ _)%:E; apply: funext => y; rewrite vE.
have z : (\int[law D]_g (dotp D (v b) g)%:E = 0)%E.
  have := blind D setT (v b) measurableT (fun g => conj (fun=> Logic.I) (fun=> Logic.I)); apply: etrans.
  by apply: eq_integral => g _; rewrite indicE in_setT mulr1.
pose w := axpy RR D (-1)%ring (v b) (v a).
have wE g : dotp D w g = dotp D (v a) g - dotp D (v b) g.
  by rewrite dotC dot_axpy mulN1r [dotp D g (v a)]dotC [dotp D g (v b)]dotC.
set inc := k a a + k b b - 2 * k a b; have wi : dotp D w w = inc.
  have sy : k b a = k a b by rewrite -!vv dotC.
  rewrite (wE w) [dotp D (v a) w]dotC [dotp D (v b) w]dotC !wE !vv sy.
  by suff : @eq R (k a a - k a b - (k a b - k b b)) inc; [ | rewrite /inc; ring].
have i0 : 0 <= inc by rewrite -wi; apply/RleP; exact: dot_ge0.
have m0 := mean_maximum_ge0 Y b k m pk mm.
have [iz|ip] : inc = 0 \/ 0 < inc by lra.
  by rewrite iz sqrt_0 /Rdiv Rmult_0_l.
pose q := sqrt inc; have q0 : 0 < q by exact: sqrt_lt_R0.
have qq : q * q = inc by apply: sqrt_sqrt.
pose u := scale RR D (/ q) w.
have u1 : dotp D u u = 1.
  rewrite /u dot_scale dotC dot_scale wi -qq; change (@eq R (/ q * (/ q * (q * q))) 1); field; lra.
have low := positive_part D u u1.
have bound : (\int[law D]_g (Rmax 0 (dotp D u g))%:E <= (/ q * m)%R%:E)%E.
  have -> : ((/ q * m)%R%:E = \int[law D]_g (/ q * (best_value Y b (fun y => dotp D (v y) g) - dotp D (v b) g))%R%:E)%E.
    transitivity ((/ q)%:E * (\int[law D]_g (best_value Y b (fun y => dotp D (v y) g))%:E - \int[law D]_g (dotp D (v b) g)%:E))%E.
      by rewrite e' z sube0 -EFinM.
    rewrite -(integralB measurableT hl (has_mean_dot D (v b))) -integralM //.
    exact: (integrableB measurableT hl (has_mean_dot D (v b))).
  apply: ge0_le_integral => //.
  - by move=> g _; rewrite lee_fin; apply/RleP; exact: Rmax_l.
  - have -> : (fun g => (Rmax 0 (dotp D u g))%:E : \bar RR) = (fun g => (Num.max (cst 0 g) (dotp D u g))%:E).
      by apply: funext => g; rewrite RmaxE.
    by apply/EFin_measurable_fun; apply: measurable_fun_max; [exact: measurable_fun_cst | exact: mdot].
  - move=> g _; rewrite lee_fin; apply/RleP; apply: Rmult_le_pos; first by left; exact: Rinv_0_lt_compat.
    by have := best_value_ge Y b (fun y => dotp D (v y) g) b; lra.
  - have /integrableP[mi _] := integrablerM measurableT (/ q) (integrableB measurableT hl (has_mean_dot D (v b))).
    exact: mi.
  - move=> g _; rewrite lee_fin; apply/RleP; rewrite /u dot_scale wE.
    have ge y := best_value_ge Y b (fun y => dotp D (v y) g) y.
    have iq : 0 < / q by exact: Rinv_0_lt_compat.
    apply: Rmax_lub; first by apply: Rmult_le_pos; [lra | have := ge b; lra].
    by apply: Rmult_le_compat_l; [lra | have := ge a; lra].
have := le_trans low bound; rewrite lee_fin => /RleP fin.
rewrite -/q /Rdiv; have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ q0) fin.
by have -> : q * (/ q * m) = m by [field; lra].
Qed.
