(******************************************************************************)
(*              The mean of the largest of independent values                 *)
(*                                                                            *)
(* As an integral of powers of the normal distribution function.              *)
(*                                                                            *)
(* Statements:                                                                *)
(*   layers == the mean measure of the sections of a set, both ways           *)
(*   largest_of_arms, as_numbers == m* of K independent arms                  *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, gaussian_law,              *)
(* adaptive_posterior, normal_density, adaptive_confidence, argmax_rule,      *)
(* scalar, definitions, sums, outcomes, joint_law, any_space,                 *)
(* expected_regret, drawn_policies, floor_in_mean.                            *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors gaussian_law adaptive_posterior normal_density adaptive_confidence.
From CTV Require argmax_rule floor_in_mean.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar definitions sums outcomes joint_law any_space expected_regret drawn_policies.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Lemma layers k (A : set (vec RR k * RR)) : measurable A ->
  (\int[gauss RR normal k]_g @lebesgue.leb RR (xsection A g) = \int[@lebesgue.leb RR]_t gauss RR normal k (ysection A t))%E.
Proof.
move=> mA; pose law := [the {measure set vec RR k -> \bar RR}%ring of gauss RR normal k].
pose line := [the {measure set RR -> \bar RR}%ring of @lebesgue.leb RR].
pose f (p : vec RR k * RR) := (\1_A p : RR)%:E.
have mf : measurable_fun setT f by apply/EFin_measurable_fun; exact: measurable_fun_indic.
have f0 p : (0 <= f p)%E by rewrite lee_fin indicE ler0n.
have left_ g : fubini_F line f g = line (xsection A g).
  have -> : xsection A g = [set t | A (g, t)]%classic by apply/seteqP; split=> t; rewrite /xsection /= inE.
  by have mB := msection _ _ _ _ A g mA; rewrite -[X in line X]setIT -integral_indic.
have right_ t : fubini_G law f t = law (ysection A t).
  have -> : ysection A t = [set g | A (g, t)]%classic by apply/seteqP; split=> g; rewrite /ysection /= inE.
  have mt : measurable [set g | A (g, t)]%classic.
    have mp : measurable_fun setT (fun g : vec RR k => (g, t)) by apply: mpair; [exact: measurable_fun_id | exact: measurable_fun_cst].
    by have := mp measurableT _ mA; rewrite setTI.
  by rewrite -[X in law X]setIT -integral_indic.
transitivity (\int[law]_g fubini_F line f g)%E; first by apply: eq_integral => g _; rewrite left_.
rewrite -(tonelli1 (gauss_sf k) (@lebesgue.leb_sf RR) mf f0) (fubini_tonelli2 (gauss_sf k) (@lebesgue.leb_sf RR) f) //.
by apply: eq_integral => t _; rewrite right_.
Qed.

Section arms.
Variables (Y : finType) (y0 : Y) (m : R).
Notation k := #|Y|.
Notation law := [the {measure set vec RR k -> \bar RR}%ring of gauss RR normal k].
Definition largest (g : vec RR k) : R := best_value Y y0 (fun y => co RR k g (enum_rank y)).

Lemma mlargest : measurable_fun setT (largest : _ -> RR).
Proof.
by apply: (mbest_value _ _ Y y0 (fun y (g : vec RR k) => co RR k g (enum_rank y))) => y; exact: argmax_rule.mco.
Qed.

Lemma power_product n c : product n (fun=> c) = c ^ n.
Proof. by elim: n => //= n ->. Qed.

Definition all_below (t : R) : R := normal_cdf t ^ k.

Lemma below_all t : law [set g | largest g < t]%classic = (all_below t)%:E.
Proof.
have -> : [set g | largest g < t]%classic = box k (fun=> t).
  apply/seteqP; split=> g /=.
    move=> lt; apply/box_co => i /ssrnat.ltP hi; apply: Rle_lt_trans lt.
    have := best_value_ge Y y0 (fun y => co RR k g (enum_rank y)) (enum_val (Ordinal hi)).
    by rewrite enum_valK.
  move=> /box_co lt; rewrite /largest; have [y ->] := best_value_is Y y0 (fun y => co RR k g (enum_rank y)).
  by apply: lt; exact/ssrnat.ltP.
by rewrite /all_below -power_product; exact: gauss_box.
Qed.

Let up := [set p : vec RR k * RR | 0 < p.2 /\ p.2 <= largest p.1]%classic.
Let down := [set p : vec RR k * RR | largest p.1 < p.2 /\ p.2 <= 0]%classic.

Let mx : measurable_fun setT (fun p : vec RR k * RR => largest p.1 : RR).
Proof. by apply: (measurable_fun_comp (f := largest : _ -> RR) (g := fst)); [exact: mlargest | exact: mfst]. Qed.
Let mt : measurable_fun setT (fun p : vec RR k * RR => p.2 : RR). Proof. exact: msnd. Qed.

Let mup : measurable up.
Proof.
have -> : up = ((fun p : vec RR k * RR => p.2 : RR) @^-1` `]0%ring, +oo[ `&`
    (fun p : vec RR k * RR => largest p.1 - p.2 : RR) @^-1` `[0%ring, +oo[)%classic.
  by apply/seteqP; split=> p /=; rewrite !in_itv /= !andbT subr_ge0 => -[/RltP a /RleP b].
apply: measurableI; rewrite -[X in measurable X]setTI; first by apply: mt => //; exact: measurable_itv.
by apply: (measurable_funB mx mt) => //; exact: measurable_itv.
Qed.

Let mdown : measurable down.
Proof.
have -> : down = ((fun p : vec RR k * RR => p.2 : RR) @^-1` `]-oo, 0%ring] `&`
    (fun p : vec RR k * RR => p.2 - largest p.1 : RR) @^-1` `]0%ring, +oo[)%classic.
  apply/seteqP; split=> p /=; rewrite !in_itv /= ?andbT subr_gt0; first by case=> /RltP a /RleP b.
  by case=> /RleP a /RltP b.
apply: measurableI; rewrite -[X in measurable X]setTI; first by apply: mt => //; exact: measurable_itv.
by apply: (measurable_funB mt mx) => //; exact: measurable_itv.
Qed.

Lemma up_length g : @lebesgue.leb RR (xsection up g) = ((fun g => (largest g)%:E)^\+ g)%E.
Proof.
have -> : xsection up g = `]0%ring, largest g]%classic.
  apply/seteqP; split=> t; rewrite /xsection /= inE /up /= in_itv /=.
    by case=> /RltP a /RleP b; rewrite a b.
  by move=> /andP[/RltP a /RleP b].
rewrite /lebesgue.leb lebesgue_itv /= funeposE lte_fin; case: ltP => h.
  by rewrite sube0 Order.POrderTheory.max_l // lee_fin ltW.
by rewrite Order.POrderTheory.max_r // lee_fin.
Qed.

Lemma down_length g : @lebesgue.leb RR (xsection down g) = ((fun g => (largest g)%:E)^\- g)%E.
Proof.
have -> : xsection down g = `]largest g, 0%ring]%classic.
  apply/seteqP; split=> t; rewrite /xsection /= inE /down /= in_itv /=.
    by case=> /RltP a /RleP b; rewrite a b.
  by move=> /andP[/RltP a /RleP b].
rewrite /lebesgue.leb lebesgue_itv /= funenegE lte_fin; case: ltP => h.
  by rewrite -EFinN -EFinB sub0r Order.POrderTheory.max_l // lee_fin oppr_ge0 ltW.
by rewrite -EFinN Order.POrderTheory.max_r // lee_fin oppr_le0.
Qed.

Lemma up_section t : law (ysection up t) = EFin (if Rlt_dec 0 t then 1 - all_below t else 0).
Proof.
case: Rlt_dec => [t0|t0]; last first.
  by rewrite (_ : ysection up t = set0) ?measure0 //; apply/seteqP; split=> g //; rewrite /ysection /= inE /up /= => -[].
have -> : ysection up t = (~` [set g | largest g < t])%classic.
  apply/seteqP; split=> g; rewrite /ysection /= inE /up /=; first by case=> _ a; exact: Rle_not_lt.
  by move=> a; split=> //; exact: Rnot_lt_le.
have mE : measurable [set g | largest g < t]%classic.
  have -> : [set g | largest g < t]%classic = ((largest : _ -> RR) @^-1` `]-oo, (t : RR)[)%classic.
    by apply/seteqP; split=> g /=; rewrite in_itv /=; [move=> /RltP | move=> /RltP].
  by rewrite -[X in measurable X]setTI; apply: mlargest => //; exact: measurable_itv.
have := measureU law mE (measurableC mE) (setICr _); rewrite setUv [X in X = _ -> _]gaussT.
rewrite [X in _ = (X + _)%E]below_all => e.
by rewrite -[LHS](@addeK _ (all_below t)%:E) // [X in (X - _)%E]addeC -e -EFinB.
Qed.

Lemma down_section t : law (ysection down t) = EFin (if Rle_dec t 0 then all_below t else 0).
Proof.
case: Rle_dec => t0; last first.
  by rewrite (_ : ysection down t = set0) ?measure0 //; apply/seteqP; split=> g //; rewrite /ysection /= inE /down /= => -[].
rewrite -below_all; congr (law _); apply/seteqP; split=> g; rewrite /ysection /= inE /down /=; first by case.
by split.
Qed.

(* m* of independent arms of variance 1 *)
Definition upper_part (t : R) : R := if Rlt_dec 0 t then 1 - all_below t else 0.
Definition lower_part (t : R) : R := if Rle_dec t 0 then all_below t else 0.
Theorem largest_of_arms : mean_maximum Y (independent_arms Y (fun=> 1)) m ->
  (integral_of upper_part - integral_of lower_part)%E = EFin m.
Proof.
move=> mm; have rank (y : Y) : (enum_rank y < k)%coq_nat by apply/ssrnat.ltP; exact: ltn_ord.
rewrite -(mm _ _ (standard_normal k) k (fun l g => co RR k g l) (fun y l => identity l (enum_rank y)) y0 (coordinates k)); last first.
  move=> y z; rewrite (floor_in_mean.sum_one k _ (fun l => identity l (enum_rank z)) (rank y)) /identity /independent_arms.
  case: (Nat.eqb_spec (enum_rank y) (enum_rank z)) => [e|ne]; case: eqP => // e'; first by case: e'; apply: enum_rank_inj; exact: val_inj.
  by case: ne; rewrite e'.
have -> : mean_of _ (vec RR k) (standard_normal k) (fun w => best_value Y y0
    (fun y => sum k (fun l => identity l (enum_rank y) * co RR k w l))) = (\int[law]_g (largest g)%:E)%E.
  apply: eq_integral => g _; congr EFin; congr best_value; apply: funext => y.
  exact: (floor_in_mean.sum_one k _ (co RR k g) (rank y)).
rewrite [RHS]integralE; congr (_ - _)%E.
  transitivity (\int[law]_g lebesgue.leb RR (xsection up g))%E; last by apply: eq_integral => g _; exact: up_length.
  by apply: etrans (esym (layers k up mup)); apply: eq_integral => t _; exact: (esym (up_section t)).
transitivity (\int[law]_g lebesgue.leb RR (xsection down g))%E; last by apply: eq_integral => g _; exact: down_length.
by apply: etrans (esym (layers k down mdown)); apply: eq_integral => t _; exact: (esym (down_section t)).
Qed.
Theorem as_numbers : mean_maximum Y (independent_arms Y (fun=> 1)) m ->
  exists a b, integral_of upper_part = EFin a /\ integral_of lower_part = EFin b /\ m = a - b.
Proof.
move=> /largest_of_arms; case: (integral_of upper_part) => [a||]; case: (integral_of lower_part) => [b||] //= [e].
by exists a, b.
Qed.
End arms.
