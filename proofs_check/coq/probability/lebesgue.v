(******************************************************************************)
(*                        Lebesgue measure on the line                        *)
(*                                                                            *)
(* Lebesgue measure as a measure on the reals themselves, and the integral of *)
(* a shifted function.                                                        *)
(*                                                                            *)
(* Statements:                                                                *)
(*   leb == Lebesgue measure                                                  *)
(*   leb_pre, int_shift == it does not change when the line is shifted        *)
(*                                                                            *)
(* Rests on: library, measures.                                               *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section leb.
Variable R : realType.

Definition leb (A : set R) : \bar R := lebesgue_measure A.
Let leb0 : leb set0 = 0%E. Proof. exact: measure0. Qed.
Let leb_ge0 A : (0 <= leb A)%E. Proof. exact: measure_ge0. Qed.
Let leb_add : semi_sigma_additive leb. Proof. exact: (@measure_semi_sigma_additive _ _ _ (@lebesgue_measure R)). Qed.
HB.instance Definition _ := isMeasure.Build _ _ _ leb leb0 leb_ge0 leb_add.

Lemma leb_sf : sigma_finite setT leb. Proof. exact: lebesgue_sf. Qed.

Lemma mshift (s : R) : measurable_fun setT (fun x : R => x + s).
Proof. by apply: measurable_funD; [exact: measurable_fun_id | exact: measurable_fun_cst]. Qed.

Lemma leb_pre (s : R) (A : set R) : measurable A -> leb ((fun x => x + s) @^-1` A) = leb A.
Proof.
move=> mA; apply/esym.
pose mu := [the {measure set R -> \bar R} of pushforward [the {measure set R -> \bar R} of leb] (mshift s)].
apply: (@lebesgue_unique R mu) => // a b; rewrite /mu /= /pushforward /=.
have -> : (fun x => x + s) @^-1` `]a, b]%classic = `]a - s, b - s]%classic.
  by apply/seteqP; split=> x /=; rewrite !in_itv /= ltr_subl_addr ler_subr_addr.
rewrite /leb !lebesgue_itv /= !lte_fin ltr_subl_addr subrK.
by case: ifP => // _; rewrite -!EFinD opprB addrA subrK.
Qed.

Lemma int_shift (s : R) (F : R -> \bar R) : measurable_fun setT F -> (forall x, (0 <= F x)%E) ->
  (\int[leb]_x F (x + s)%R = \int[leb]_x F x)%E.
Proof.
move=> mF F0; rewrite -[LHS](integral_pushforward (mshift s) [the measure _ _ of leb] mF F0).
by apply: eq_measure_integral => A mA _; exact: leb_pre.
Qed.
End leb.
