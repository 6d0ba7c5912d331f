(******************************************************************************)
(*                 Means of combinations of normal variables                  *)
(*                                                                            *)
(* Statements:                                                                *)
(*   dot_integrable == a combination has a mean                               *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* normal_density, reflections, scalar, normal.                               *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import Rstruct reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law normal_density reflections.
From Coq Require Import Reals Lra.
From CTV Require Import scalar normal.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation dotp := (vectors.dot RR).
Notation law n := (gauss RR normal n).

(* ---- a combination has a mean ---- *)

Lemma tail_geometric k : tail RR normal (INR k) = (2 * normal_cdf (- INR k))%:E /\
  2 * normal_cdf (- INR k) <= exp (/ 2) * (2 * (exp (- INR k) - exp (- INR (S k)))).
Proof.
have k0 := pos_INR k; split; first exact: tail_normal.
apply: Rle_trans (gaussian_tail _ k0) _.
have -> : - INR k ^ 2 / 2 = / 2 + (- INR k - (INR k - 1) ^ 2 / 2) by field.
rewrite exp_plus; apply: Rmult_le_compat_l; first by left; exact: exp_pos.
have -> : exp (- INR (S k)) = exp (- INR k) * exp (- 1) by rewrite -exp_plus S_INR; congr exp; ring.
have e0 := exp_pos (- INR k); have e1 : exp (- 1) <= / 2.
  have -> : exp (- 1) = / exp 1 by rewrite -exp_Ropp; congr exp; lra.
  apply: Rinv_le_contravar; first lra.
  by have := exp_ineq1_le 1; lra.
apply: Rle_trans (_ : exp (- INR k) <= _); last by have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ e0) e1; lra.
case: (pow2_ge_0 (INR k - 1)) => [p|<-]; last by right; congr exp; field.
by left; apply: exp_increasing; lra.
Qed.

Definition all_tails : R := 2 * exp (/ 2).

Lemma tails_finite n : (\sum_(0 <= k < n) tail RR normal (INR k) <= all_tails%:E)%E.
Proof.
have s m : exists2 t, (\sum_(0 <= k < m) tail RR normal (INR k) = t%:E)%E & t <= exp (/ 2) * (2 * (1 - exp (- INR m))).
  elim: m => [|m [t et lt]].
    by exists 0; rewrite ?big_geq //= Ropp_0 exp_0; lra.
  have [e l] := tail_geometric m; exists (t + 2 * normal_cdf (- INR m)); first by rewrite big_nat_recr //= et e.
  lra.
have [t -> lt] := s n; rewrite lee_fin; apply/RleP; apply: Rle_trans lt _.
have p := exp_pos (/ 2); have q := exp_pos (- INR n); have r := Rmult_lt_0_compat _ _ p q.
rewrite /all_tails; lra.
Qed.

Lemma dot_integrable n (v : vec RR n) : (law n).-integrable setT (EFin \o dotp n v).
Proof.
set P := [the {measure set vec RR n -> \bar RR}%ring of law n].
have mv : measurable_fun setT (EFin \o dotp n v) by apply/EFin_measurable_fun; exact: mdot.
apply/integrableP; split=> //; pose q : RR := Num.sqrt (dotp n v v).
pose far_ (k : nat) : set (vec RR n) := far RR n v (INR k).
have q0 : (0 <= q)%ring by exact: sqrtr_ge0.
have mf k : measurable (far_ k) by exact: mfar.
have m1 k : measurable_fun setT (fun g => (q * \1_(far_ k) g)%:E).
  by apply/EFin_measurable_fun; apply: measurable_funM; [exact: measurable_fun_cst | exact: measurable_fun_indic].
have q1 k g : (0 <= (q * \1_(far_ k) g)%:E)%E by rewrite lee_fin mulr_ge0 // indicE ler0n.
have cover g : (`|(dotp n v g)%:E| <= \sum_(k <oo) (q * \1_(far_ k) g)%:E)%E.
  have [z|z] := eqVneq q 0%ring.
    have vv : dotp n v v = 0%ring by apply/eqP; rewrite eq_le -sqrtr_eq0 -/q z eqxx dot_ge0.
    by rewrite (dot_null _ _ _ _ vv) abse0 nneseries_ge0.
  have qp : (0 < q)%ring by rewrite lt_neqAle eq_sym z.
  pose u : RR := (`|dotp n v g| / q)%ring.
  have [N [hN hi]] : exists N, (forall k, (k < N)%N -> (INR k < u)%ring) /\ (u <= INR N)%ring.
    have ex : exists N, (u <= INR N)%ring by exists (Num.bound u); rewrite INRE ltW // archi_boundP // divr_ge0.
    case: (ex_minnP ex) => N hN least; exists N; split=> // k kN; rewrite ltNge; apply/negP => /least; by rewrite leqNgt kN.
  apply: le_trans (nneseries_lim_ge (P := xpredT) N _); last by [].
  rewrite sumEFin lee_fin; apply: (@le_trans _ _ (\sum_(0 <= k < N) q)%ring).
    by rewrite sumr_const_nat subn0 -mulr_natl -INRE -ler_pdivr_mulr.
  rewrite !big_nat; apply: ler_sum => k /andP[_ kN]; rewrite indicE mem_set ?mulr1 //.
  by rewrite /far_ /far /= -/q -ltr_pdivl_mulr //; exact: hN.
apply: (@le_lt_trans _ _ (\int[P]_g \sum_(k <oo) (q * \1_(far_ k) g)%:E)%E).
  apply: ge0_le_integral => //; try by move=> *; exact: abse_ge0.
  - exact: (measurable_fun_comp (@measurable_fun_abse RR setT) mv).
  - by move=> g _; exact: nneseries_ge0.
  - by apply: ge0_emeasurable_fun_sum => // k; exact: m1.
  - by move=> g _; exact: cover.
rewrite integral_nneseries //.
have each k : (\int[P]_g (q * \1_(far_ k) g)%:E <= q%:E * tail RR normal (INR k))%E.
  rewrite (eq_integral (fun g => q%:E * (\1_(far_ k) g)%:E)%E) // ge0_integralM //; last 2 first.
  - by apply/EFin_measurable_fun; exact: measurable_fun_indic.
  - by move=> g _; rewrite lee_fin.
  rewrite integral_indic // setIT; apply: lee_pmul => //.
  have := independent_tail RR normal n v setT (INR k); rewrite setIT [X in (_ * X)%E]gaussT mule1; apply => //.
  by apply/RleP; exact: pos_INR.
apply: (@le_lt_trans _ _ (q * all_tails)%:E); last by rewrite ltry.
apply: lime_le.
  by apply: is_cvg_nneseries => *; exact: integral_ge0.
apply: nearW => N; apply: (@le_trans _ _ (\sum_(0 <= k < N) q%:E * tail RR normal (INR k))%E).
  by apply: lee_sum.
rewrite -ge0_sume_distrr; last by move=> k _; exact: law1_ge0.
by rewrite EFinM; apply: lee_pmul; rewrite ?lee_fin ?tails_finite // sume_ge0 // => k _; exact: law1_ge0.
Qed.
