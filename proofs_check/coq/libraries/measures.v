(******************************************************************************)
(*               Measures and integrals: mathcomp 1, analysis 0               *)
(*                                                                            *)
(* Statements:                                                                *)
(*   lebesgue_itv, lebesgue_sf, lebesgue_unique == Lebesgue measure           *)
(*   tonelli1 == an integral over a product, the second variable first        *)
(*   product_sf == a product of sigma-finite measures is sigma-finite         *)
(*   integrableP, funeposE, funenegE == definitions of the library            *)
(*                                                                            *)
(* Rests on: library.                                                         *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From mathcomp Require Import real_interval.
From CTV Require Import library.
Import Order.TTheory GRing.Theory Num.Theory.
Set Implicit Arguments.
Unset Strict Implicit.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(* limits of sequences *)
Notation limn u := (lim u) (only parsing).
Notation cvgn u := (cvg u) (only parsing).

Canonical unit_pointed := PointedType unit tt.

Section unit_measurable.
Definition munit : set (set unit) := setT.
Let munit0 : munit set0. Proof. by []. Qed.
Let munitC X : munit X -> munit (~` X). Proof. by []. Qed.
Let munitU (F : (set unit)^nat) : (forall i, munit (F i)) -> munit (\bigcup_i (F i)). Proof. by []. Qed.
HB.instance Definition _ := @isMeasurable.Build default_measure_display unit
  (Pointed.class _) munit munit0 munitC munitU.
End unit_measurable.

Section lebesgue.
Variable R : realType.

Lemma lebesgue_itv (i : interval R) : lebesgue_measure [set` i] =
  (if (ereal_of_itv_bound i.1 < ereal_of_itv_bound i.2)%E
   then (ereal_of_itv_bound i.2 - ereal_of_itv_bound i.1)%E else 0%E).
Proof. by rewrite lebesgue_measure_itv hlength_itv. Qed.

Lemma lebesgue_sf : sigma_finite setT (@lebesgue_measure R).
Proof.
exists (fun k => `](- k%:R), k%:R]%classic).
  apply/esym; rewrite -subTset => x _; exists `|(floor `|x| + 1)%R|%N => //=.
  rewrite in_itv/= !natr_absz intr_norm intrD.
  suff: `|x| < `|(floor `|x|)%:~R + 1| by rewrite ltr_norml => /andP[-> /ltW->].
  rewrite [ltRHS]ger0_norm//; last by rewrite addr_ge0// ler0z floor_ge0.
  by rewrite (le_lt_trans _ (lt_succ_floor _)) ?ler_norm.
move=> k; split; first exact: measurable_itv.
by rewrite lebesgue_itv/= -EFinB; case: ifP; rewrite ltry.
Qed.

Lemma lebesgue_unique (m : {measure set R -> \bar R}) : (forall a b, m `]a, b]%classic = lebesgue_measure `]a, b]%classic) ->
  forall A : set R, measurable A -> lebesgue_measure A = m A.
Proof.
move=> e A mA.
pose T := @measure_salgebraType__canonical__measure_Measurable (topology.numFieldTopology.numField_pointedType (Real.numFieldType R)) (@ocitv R).
have mi : @measurable_fun _ _ [the measurableType _ of R : Type] T setT id := @measurable_fun_id _ _ setT.
pose mu := [the {measure set T -> \bar R} of @pushforward _ _ [the measurableType _ of R : Type] T id R m mi].
apply: (@lebesgue_measure_unique R mu) => // X [[a b] _ <-].
by rewrite /mu /= /pushforward preimage_id e lebesgue_measure_itv.
Qed.
End lebesgue.

Lemma funeposE T (R : realDomainType) (f : T -> \bar R) x : (f^\+ x = maxe (f x) 0)%E.
Proof. by []. Qed.
Lemma funenegE T (R : realDomainType) (f : T -> \bar R) x : (f^\- x = maxe (- f x) 0)%E.
Proof. by []. Qed.

Lemma integrableP d (T : measurableType d) (R : realType) (m : {measure set T -> \bar R}) (D : set T) (f : T -> \bar R) :
  m.-integrable D f <-> measurable_fun D f /\ (\int[m]_(x in D) `|f x| < +oo)%E.
Proof. by []. Qed.

Lemma tonelli1 d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (R : realType)
  (m1 : {measure set T1 -> \bar R}) (m2 : {measure set T2 -> \bar R})
  (s1 : sigma_finite setT m1) (s2 : sigma_finite setT m2) (f : T1 * T2 -> \bar R) :
  measurable_fun setT f -> (forall x, (0 <= f x)%E) ->
  (\int[product_measure1 m1 s2]_z f z = \int[m1]_x fubini_F m2 f x)%E.
Proof. exact: fubini_tonelli1. Qed.

Lemma product_sf d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (R : realType)
  (m1 : {measure set T1 -> \bar R}) (m2 : {measure set T2 -> \bar R})
  (s1 : sigma_finite setT m1) (s2 : sigma_finite setT m2) : sigma_finite setT (product_measure1 m1 s2).
Proof.
move/sigma_finiteP : (s1) => [F1 F1_T [F1_nd F1_oo]].
move/sigma_finiteP : (s2) => [F2 F2_T [F2_nd F2_oo]].
exists (fun n => F1 n `*` F2 n).
  apply/esym; rewrite -setMTT F1_T F2_T predeqE => -[x y]; split.
    by move=> [n _ []/= ? ?]; split; exists n.
  move=> [/= [n _ F1nx] [k _ F2ky]]; exists (maxn n k) => //; split.
  - by move: x F1nx; apply/subsetPset/F1_nd; rewrite leq_maxl.
  - by move: y F2ky; apply/subsetPset/F2_nd; rewrite leq_maxr.
move=> k; have [? ?] := F1_oo k; have [? ?] := F2_oo k.
split; first exact: measurableM.
by rewrite product_measure1E // lte_mul_pinfty// ge0_fin_numE.
Qed.
