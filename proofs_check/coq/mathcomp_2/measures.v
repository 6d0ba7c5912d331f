(******************************************************************************)
(*               Measures and integrals: mathcomp 2, analysis 1               *)
(*                                                                            *)
(* Statements:                                                                *)
(*   lebesgue_itv, lebesgue_sf, lebesgue_unique == Lebesgue measure           *)
(*   tonelli1 == an integral over a product, the second variable first        *)
(*   product_sf == a product of sigma-finite measures is sigma-finite         *)
(*   product_measure1, product_measure2 == as mathcomp 1 has them, of         *)
(*       measures and proofs that they are sigma-finite                       *)
(*   measurable_fun_comp, ge0_integral_bigcup == as mathcomp 1 has them       *)
(*                                                                            *)
(* Rests on: library.                                                         *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral lebesgue_stieltjes_measure.
From mathcomp Require Export measurable_realfun.
From mathcomp Require Rstruct_topology.
From mathcomp Require Import real_interval.
From CTV Require Import library.
Import Order.TTheory GRing.Theory Num.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Notation continuity_pt_cvg := Rstruct_topology.continuity_pt_cvg.
Notation EFin_measurable_fun := measurable_EFinP.
Notation integral_pushforward := ge0_integral_pushforward.
Notation integrablerM := integrableZl.
Notation integralM := integralZl.
Notation measurable_fun_abse := abse_measurable.
Notation measurable_fun_cst := measurable_cst.
Notation measurable_fun_id := measurable_id.
Notation measurable_fun_indic := measurable_indic.
Notation measurable_fun_normr := normr_measurable.
Notation negligible_integral := ge0_negligible_integral.
Notation subset_integral := ge0_subset_integral.

Section functions.
Context d d1 d2 d3 (T : measurableType d) (T1 : measurableType d1) (T2 : measurableType d2) (T3 : measurableType d3).

Lemma measurable_fun_comp (f : T2 -> T3) (E : set T1) (g : T1 -> T2) :
  measurable_fun setT f -> measurable_fun E g -> measurable_fun E (f \o g).
Proof. exact: measurableT_comp. Qed.

Lemma measurable_fun_prod1 (f : T1 * T2 -> T) (x : T1) : measurable_fun setT f -> measurable_fun setT (fun y => f (x, y)).
Proof. by move=> mf; exact: (measurableT_comp mf (measurable_pair1 x)). Qed.

Lemma measurable_fun_prod2 (f : T1 * T2 -> T) (y : T2) : measurable_fun setT f -> measurable_fun setT (fun x => f (x, y)).
Proof. by move=> mf; exact: (measurableT_comp mf (measurable_pair2 y)). Qed.
End functions.

Lemma measurable_funN d (T : measurableType d) (R : realType) (D : set T) (f : T -> R) :
  measurable_fun D f -> measurable_fun D (-%R \o f).
Proof. exact: measurableT_comp. Qed.

Lemma ge0_integral_bigcup d (T : measurableType d) (R : realType) (m : {measure set T -> \bar R}) (F : (set T)^nat)
  (f : T -> \bar R) : (forall k, measurable (F k)) -> m.-integrable (\bigcup_k F k) f ->
  (forall x, (\bigcup_k F k) x -> (0 <= f x)%E) -> trivIset setT F ->
  (\int[m]_(x in \bigcup_i F i) f x = \sum_(i <oo) \int[m]_(x in F i) f x)%E.
Proof. by move=> mF /integrableP[mf _] f0 tF; exact: lebesgue_integral.ge0_integral_bigcup. Qed.

Section lebesgue.
Variable R : realType.

Lemma lebesgue_itv (i : interval R) : lebesgue_measure [set` i] =
  (if (ereal_of_itv_bound i.1 < ereal_of_itv_bound i.2)%E
   then (ereal_of_itv_bound i.2 - ereal_of_itv_bound i.1)%E else 0%E).
Proof. exact: lebesgue_measure_itv. Qed.

Lemma lebesgue_sf : sigma_finite setT (@lebesgue_measure R).
Proof. exact: sigma_finiteT. Qed.

Lemma lebesgue_unique (m : {measure set R -> \bar R}) : (forall a b, m `]a, b]%classic = lebesgue_measure `]a, b]%classic) ->
  forall A : set R, measurable A -> lebesgue_measure A = m A.
Proof.
move=> e A mA.
have mi : measurable_fun (T := R) (U := measurableTypeR R) setT id := @measurable_id _ _ setT.
pose mu := [the {measure set (measurableTypeR R) -> \bar R} of pushforward m mi].
apply: (@lebesgue_stieltjes_measure_unique R idfun mu) => // X [[a b] _ <-].
by rewrite /mu /= /pushforward preimage_id e.
Qed.
End lebesgue.

(* a measure that is sigma-finite *)
Section kept.
Context d (T : measurableType d) (R : realType).
Variable m : {measure set T -> \bar R}.
Definition kept (_ : sigma_finite setT m) : set T -> \bar R := m.
Variable s : sigma_finite setT m.
HB.instance Definition _ := Measure.copy (kept s) m.
HB.instance Definition _ := @Measure_isSigmaFinite.Build _ _ _ (kept s) s.
End kept.

Section products.
Context d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (R : realType).
Variables (m1 : {measure set T1 -> \bar R}) (m2 : {measure set T2 -> \bar R}).
Variables (s1 : sigma_finite setT m1) (s2 : sigma_finite setT m2).

Definition product_measure1 : set (T1 * T2) -> \bar R := lebesgue_integral.product_measure1 m1 (kept s2).
HB.instance Definition _ := Measure.copy product_measure1 (lebesgue_integral.product_measure1 m1 (kept s2)).
Definition product_measure2 : set (T1 * T2) -> \bar R := lebesgue_integral.product_measure2 (kept s1) m2.
HB.instance Definition _ := Measure.copy product_measure2 (lebesgue_integral.product_measure2 (kept s1) m2).

Lemma product_measure1E A B : measurable A -> measurable B -> product_measure1 (A `*` B) = (m1 A * m2 B)%E.
Proof. exact: (lebesgue_integral.product_measure1E m1 (kept s2)). Qed.
Lemma product_measure2E A B : measurable A -> measurable B -> product_measure2 (A `*` B) = (m1 A * m2 B)%E.
Proof. exact: (lebesgue_integral.product_measure2E (kept s1) m2). Qed.

Lemma product_sf : sigma_finite setT product_measure1.
Proof. exact: (sigma_finiteT (lebesgue_integral.product_measure1 (kept s1) (kept s2))). Qed.

Lemma product_measure_unique (m : {measure set (T1 * T2)%type -> \bar R}) :
  (forall A B, measurable A -> measurable B -> m (A `*` B) = (m1 A * m2 B)%E) ->
  forall X, measurable X -> product_measure1 X = m X.
Proof. exact: (@lebesgue_integral.product_measure_unique _ _ _ _ _ (kept s1) (kept s2)). Qed.

Lemma tonelli1 (f : T1 * T2 -> \bar R) : measurable_fun setT f -> (forall x, (0 <= f x)%E) ->
  (\int[product_measure1]_z f z = \int[m1]_x fubini_F m2 f x)%E.
Proof. exact: (@lebesgue_integral.fubini_tonelli1 _ _ _ _ _ (kept s1) (kept s2)). Qed.

Lemma fubini_tonelli2 (f : T1 * T2 -> \bar R) : measurable_fun setT f -> (forall x, (0 <= f x)%E) ->
  (\int[product_measure1]_z f z = \int[m2]_y fubini_G m1 f y)%E.
Proof. exact: (@lebesgue_integral.fubini_tonelli2 _ _ _ _ _ (kept s1) (kept s2)). Qed.

Lemma measurable_fun_fubini_tonelli_F (f : T1 * T2 -> \bar R) : measurable_fun setT f -> (forall x, (0 <= f x)%E) ->
  measurable_fun setT (fubini_F m2 f).
Proof. exact: (@lebesgue_integral.measurable_fun_fubini_tonelli_F _ _ _ _ _ (kept s2)). Qed.

Lemma measurable_fun_xsection (A : set (T1 * T2)) : A \in measurable -> measurable_fun setT (m2 \o xsection A).
Proof. by rewrite inE; exact: (@lebesgue_integral.measurable_fun_xsection _ _ _ _ _ (kept s2)). Qed.
End products.

Arguments fubini_tonelli2 {d1 d2 T1 T2 R m1 m2} s1 s2 f.
Arguments measurable_fun_fubini_tonelli_F {d1 d2 T1 T2 R m2} s2 f.
