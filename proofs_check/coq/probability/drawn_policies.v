(******************************************************************************)
(*                             Policies that draw                             *)
(*                                                                            *)
(* A rule that reads draws, independent of objective and noise, is for each   *)
(* value of the draws a rule that does not: what holds of every such rule is  *)
(* integrated over the draws.                                                 *)
(*                                                                            *)
(* Statements:                                                                *)
(*   draw_law == draws and variables have the law of a product                *)
(*   drawn_event == an event of probability less than delta for all draws     *)
(*       is one                                                               *)
(*   drawn_mean == so is a mean of at least c                                 *)
(*   confidence == the confidence event of a policy that draws                *)
(*   regret_with_probability, theorem_1 == bounds on its regret               *)
(*   regret_mean == its mean regret is at least what it is without draws      *)
(*                                                                            *)
(* Rests on: library, measures, vectors, adaptive_paths, normal_density,      *)
(* adaptive_confidence, argmax_rule, definitions, sums, gains, theorem_1,     *)
(* outcomes, finite_domain, confidence_to_regret, joint_law, any_space,       *)
(* expected_regret, floor_in_mean, theorem_1_probability, adaptive_posterior, *)
(* gaussian_law, lebesgue.                                                    *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors gaussian_law adaptive_paths adaptive_posterior normal_density adaptive_confidence.
From CTV Require argmax_rule confidence_to_regret finite_domain.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums gains theorem_1 outcomes joint_law any_space expected_regret.
From CTV Require floor_in_mean theorem_1_probability.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* one of finitely many measurable functions, which a measurable index chooses *)
Lemma mchosen d1 d2 (A : measurableType d1) (B : measurableType d2) (I : finType) (c : A -> I) (h : I -> A -> B) :
  (forall i, measurable [set a | c a = i]%classic) -> (forall i, measurable_fun setT (h i)) ->
  measurable_fun setT (fun a => h (c a) a).
Proof.
move=> mc mh _ E mE; rewrite setTI.
have -> : ((fun a => h (c a) a) @^-1` E = \bigcup_(i in [set: I]) ([set a | c a = i] `&` h i @^-1` E))%classic.
  by apply/seteqP; split=> a /=; [exists (c a) | case=> i _ [<-]].
apply: fin_bigcup_measurable => [|i _]; first exact: finite_finset.
by apply: measurableI => //; rewrite -[X in measurable X]setTI; exact: mh.
Qed.

Lemma mchosen_number d1 (A : measurableType d1) (I : finType) (c : A -> I) (h : I -> A -> RR) :
  (forall i, measurable [set a | c a = i]%classic) -> (forall i, measurable_fun setT (h i)) ->
  measurable_fun setT (fun a => h (c a) a).
Proof. exact: mchosen. Qed.

(* what holds of a pair whose first part is u *)
Lemma msection d1 d2 (A : measurableType d1) (B : measurableType d2) (E : set (A * B)%type) u :
  measurable E -> measurable [set v | E (u, v)]%classic.
Proof.
move=> mE; have mp : measurable_fun setT (fun v : B => (u, v)).
  by apply: mpair; [exact: measurable_fun_cst | exact: measurable_fun_id].
by have := mp measurableT _ mE; rewrite setTI.
Qed.

Lemma gauss_sf m : sigma_finite setT [the {measure set vec RR m -> \bar RR}%ring of gauss RR normal m].
Proof.
exists (fun=> setT); first by rewrite bigcup_const //; exists 0%N.
by move=> i; split=> //; rewrite [X in (X < _)%E]gaussT ltry.
Qed.

Section draws.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (m : nat) (G : nat -> T -> R).
Variables (dS : measure_display) (S : measurableType dS) (U : T -> S).
Hypothesis normals : independent_normals dT T P m G.
Hypothesis drawn : independent_draws dT T P m G dS S U.
Notation law := [the {measure set vec RR m -> \bar RR}%ring of gauss RR normal m].
Notation vector := (together dT T m G).

Let mG : forall i, measurable_fun setT (G i : T -> RR). Proof. by have [_ []] := normals. Qed.
Let mU : measurable_fun setT U. Proof. by have [] := drawn. Qed.
Let mboth : measurable_fun setT (fun w => (U w, vector w)).
Proof. by apply: mpair => //; exact: (mtogether dT T m G mG). Qed.

Definition of_draws := [the {measure set S -> \bar RR}%ring of pushforward P mU].
Definition of_both := [the {measure set (S * vec RR m)%type -> \bar RR}%ring of pushforward P mboth].
Definition apart := [the {measure set (S * vec RR m)%type -> \bar RR}%ring of product_measure1 of_draws (gauss_sf m)].

Lemma of_drawsT : of_draws setT = 1%E.
Proof. by have [P1 _] := normals; rewrite -[RHS]P1 /of_draws /= /pushforward preimage_setT. Qed.

Lemma draws_fin B : measurable B -> (of_draws B < +oo)%E.
Proof. by move=> mB; apply: (@le_lt_trans _ _ (of_draws setT)); [apply: le_measure; rewrite ?inE | rewrite of_drawsT ltry]. Qed.

Lemma draws_sf : sigma_finite setT of_draws.
Proof. by exists (fun=> setT); [rewrite bigcup_const //; exists 0%N | move=> i; split=> //; exact: draws_fin]. Qed.

Lemma rectangle B A : measurable B -> measurable A -> of_both (B `*` A)%classic = (of_draws B * law A)%E.
Proof.
move=> mB mA; have mD : measurable (U @^-1` B)%classic by rewrite -[X in measurable X]setTI; exact: mU.
have mv := mtogether dT T m G mG.
pose left_ := slice _ _ T (vec RR m) P _ mD _ mv.
have mD' : measurable (fst @^-1` B : set (S * vec RR m))%classic by rewrite -[X in measurable X]setTI; exact: mfst.
have ms : measurable_fun setT (snd : S * vec RR m -> vec RR m) by exact: msnd.
pose right_ := slice _ _ _ (vec RR m) apart _ mD' _ ms.
have rE C : measurable C -> right_ C = (of_draws B * law C)%E.
  move=> mC; transitivity (apart (B `*` C)%classic); last exact: product_measure1E.
  by rewrite /right_ sliceE; congr (apart _); apply/seteqP; split=> p /= -[]; split.
have -> : of_both (B `*` A)%classic = left_ A.
  by rewrite /left_ sliceE; congr (Measure.sort P _); apply/seteqP; split=> w /= -[].
rewrite -(rE A mA).
apply: vec_unique => //; last by rewrite /left_ sliceE preimage_setT setTI; exact: draws_fin.
move=> t; rewrite rE; last exact: mbox.
rewrite [X in (_ * X)%E]gauss_box; have [_ h] := drawn; rewrite -(h B t mB).
rewrite /left_ sliceE; congr (Measure.sort P _).
by apply/seteqP; split=> w /= -[wB wt]; split=> //; exact/below_together.
Qed.

Theorem draw_law A : measurable A -> Measure.sort P [set w | A (U w, vector w)]%classic = apart A.
Proof.
move=> mA; have e := @product_measure_unique _ _ _ _ _ of_draws law draws_sf (gauss_sf m) of_both rectangle A mA.
exact: (esym e).
Qed.

Theorem drawn_event (E : set (S * vec RR m)%type) delta : measurable E ->
  (forall u, (law [set g | E (u, g)]%classic < delta%:E)%E) ->
  exists q, q < delta /\ at_most dT T P [set w | E (U w, vector w)]%classic q.
Proof.
move=> mE less; have mW : measurable [set w | E (U w, vector w)]%classic by rewrite -[X in measurable X]setTI; exact: mboth.
have pE := draw_law E mE.
have fin : Measure.sort P [set w | E (U w, vector w)]%classic \is a fin_num.
  have [P1 _] := normals; rewrite ge0_fin_numE; last exact: measure_ge0.
  by apply: (@le_lt_trans _ _ (Measure.sort P setT)); [apply: le_measure; rewrite ?inE | rewrite [X in (X < _)%E]P1 ltry].
exists (fine (Measure.sort P [set w | E (U w, vector w)]%classic)); split; last by split=> //; rewrite fineK.
apply/RltP; rewrite -lte_fin fineK // pE /apart /= /product_measure1.
pose f u := law (xsection E u).
have fE u : f u = law [set g | E (u, g)]%classic.
  by congr (law _); apply/seteqP; split=> g; rewrite /xsection /= inE.
have mf : measurable_fun setT f by apply: measurable_fun_xsection; [exact: gauss_sf | rewrite inE].
have f0 u : (0 <= f u)%E by exact: measure_ge0.
have fd u : (f u < delta%:E)%E by rewrite fE.
rewrite -/f ltNge; apply/negP => ge.
have mc : measurable_fun setT (fun u => delta%:E - f u)%E.
  by apply: emeasurable_funB => //; exact: measurable_fun_cst.
have ff u : f u \is a fin_num by rewrite ge0_fin_numE // (lt_trans (fd u)) ?ltry.
have c0 u : (0 <= delta%:E - f u)%E by rewrite suber_ge0 // ltW.
have c1 := integral_cst of_draws measurableT delta%:E; rewrite of_drawsT mule1 in c1.
have e : (\int[of_draws]_u (delta%:E - f u) + \int[of_draws]_u f u = delta%:E)%E.
  by rewrite -ge0_integralD // -[RHS]c1; apply: eq_integral => u _; rewrite subeK.
have z : (\int[of_draws]_u `|delta%:E - f u| = 0)%E.
  rewrite (eq_integral (fun u => delta%:E - f u)%E); last by move=> u _; rewrite gee0_abs.
  have i0 : (0 <= \int[of_draws]_u (delta%:E - f u))%E by exact: integral_ge0.
  have := lee_add2l (\int[of_draws]_u (delta%:E - f u))%E ge; rewrite e; move: i0.
  case: (\int[of_draws]_u (delta%:E - f u))%E => //= a; rewrite -EFinD !lee_fin => a0 a1.
  by congr EFin; apply: le_anti; rewrite a0 andbT -(ler_add2l delta) addr0 addrC.
have [N [mN N0 sub]] := (proj1 (ae_eq_integral_abs of_draws measurableT mc) z).
have NT : N = setT.
  apply/seteqP; split=> // u _; apply: sub => /= h; have := fd u.
  by have := subeK delta%:E (ff u); rewrite (h Logic.I) add0e => ->; rewrite ltxx.
by move: N0; rewrite NT of_drawsT => /eqP; rewrite onee_eq0.
Qed.

Theorem drawn_mean (F : S * vec RR m -> R) c : measurable_fun setT (F : _ -> RR) -> (forall p, 0 <= F p) ->
  (forall u, (c%:E <= \int[law]_g (F (u, g))%:E)%E) -> mean_at_least dT T P (fun w => F (U w, vector w)) c.
Proof.
move=> mF F0 low.
have mF' : measurable_fun setT (EFin \o F) by apply/EFin_measurable_fun.
have F0' p : (0 <= (EFin \o F) p)%E by rewrite lee_fin; apply/RleP.
have e : mean_of dT T P (fun w => F (U w, vector w)) = (\int[of_draws]_u fubini_F law (EFin \o F) u)%E.
  rewrite -(tonelli1 draws_sf (gauss_sf m) mF' F0') /mean_of.
  rewrite -[LHS](integral_pushforward mboth P mF' F0').
  by apply: eq_measure_integral => A mA _; exact: (draw_law A mA).
rewrite /mean_at_least e.
have [neg|pos] := Rle_lt_dec c 0.
  apply: (@le_trans _ _ 0%E); first by rewrite lee_fin; apply/RleP.
  by apply: integral_ge0 => u _; apply: integral_ge0 => g _; exact: F0'.
have c1 := integral_cst of_draws measurableT c%:E; rewrite of_drawsT mule1 in c1.
rewrite -[X in (X <= _)%E]c1; apply: ge0_le_integral => //; try exact: measurable_fun_cst.
- by move=> u _; rewrite lee_fin; apply/RleP; exact: Rlt_le.
- by move=> u _; apply: integral_ge0 => g _; exact: F0'.
- exact: (@measurable_fun_fubini_tonelli_F _ _ _ _ _ law (gauss_sf m) _ mF' F0').
- by move=> u _; exact: low.
Qed.
End draws.

(* ---- the run of a policy that draws, as functions of draws and numbers ---- *)
Section run.
Variables (dS : measure_display) (S : measurableType dS) (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R).
Variable rule : S -> policy_on Y.
Hypothesis mrule : measurable_drawn_rule dS S Y rule.
Notation world := (S * vec RR (d + n))%type.
Notation out p := (co RR (d + n) p.2).
Notation x p := (played d Y L sigma (rule p.1) (out p)).
Notation y p := (answer d Y L sigma (rule p.1) (out p)).

Lemma mco i : measurable_fun setT (fun p : world => out p i : RR).
Proof. by apply: (measurable_fun_comp (argmax_rule.mco RR (d + n) i)); exact: msnd. Qed.

Lemma msum l (F : nat -> world -> R) : (forall i, (i < l)%N -> measurable_fun setT (F i : world -> RR)) ->
  measurable_fun setT (fun p => sum l (F^~ p) : RR).
Proof.
elim: l => [|l IH] mF; first exact: measurable_fun_cst.
by apply: measurable_funD; [apply: IH => i hi; apply: mF; exact: ltnW | exact: mF].
Qed.

Lemma mvalue i z : measurable_fun setT (fun p : world => value d Y L (out p) i z : RR).
Proof. by apply: msum => l _; apply: measurable_funM; [exact: measurable_fun_cst | exact: mco]. Qed.

Lemma mnoise i : measurable_fun setT (fun p : world => noise d sigma (out p) i : RR).
Proof. by apply: measurable_funM; [exact: measurable_fun_cst | exact: mco]. Qed.

Lemma mchoice j z : measurable_fun setT (fun p : world => seen d Y L sigma (rule p.1) j (out p)) ->
  measurable [set p : world | x p j = z]%classic.
Proof.
move=> ms; have mp : measurable_fun setT (fun p : world => (p.1, seen d Y L sigma (rule p.1) j (out p))).
  by apply: mpair => //; exact: mfst.
by have := mp measurableT _ (mrule j z); rewrite setTI.
Qed.

Lemma mseen j : measurable_fun setT (fun p : world => seen d Y L sigma (rule p.1) j (out p)).
Proof.
elim: j => [|j IH]; first exact: measurable_fun_cst.
apply: (mchosen _ _ world (vec RR j.+1) Y (fun p => x p j)
  (fun z p => (value d Y L (out p) j z + noise d sigma (out p) j, seen d Y L sigma (rule p.1) j (out p)))) => z.
  exact: mchoice.
by apply: mpair => //; apply: measurable_funD; [exact: mvalue | exact: mnoise].
Qed.

Lemma mplayed j z : measurable [set p : world | x p j = z]%classic.
Proof. by apply: mchoice; exact: mseen. Qed.

Lemma manswer i : measurable_fun setT (fun p : world => y p i : RR).
Proof.
apply: (mchosen_number _ world Y (fun p => x p i) (fun z p => value d Y L (out p) i z + noise d sigma (out p) i)) => z.
  exact: mplayed.
by apply: measurable_funD; [exact: mvalue | exact: mnoise].
Qed.

Lemma mround_loss i : measurable_fun setT (fun p : world => round_loss d Y L sigma (rule p.1) (out p) i : RR).
Proof.
apply: (mchosen_number _ world Y (fun p => x p i) (fun z p => best_value Y z (value d Y L (out p) i) - value d Y L (out p) i z)) => z.
  exact: mplayed.
apply: measurable_funB; last exact: mvalue.
by apply: (mbest_value _ _ Y z (fun z p => value d Y L (out p) i z)) => z'; exact: mvalue.
Qed.

Lemma loses_sum c m (g : nat -> R) (r : policy_on Y) :
  loses d Y L sigma r m c g <-> c < sum m (round_loss d Y L sigma r g).
Proof.
split=> [[best lt]|lt].
  apply: Rlt_le_trans lt _; apply: sum_le => i _; rewrite /round_loss.
  by apply: Rplus_le_compat_r; exact: best_value_ge.
have ex i : exists z, value d Y L g i z = best_value Y (played d Y L sigma r g i) (value d Y L g i).
  by have [z e] := best_value_is Y (played d Y L sigma r g i) (value d Y L g i); exists z.
have [best e] := choice ex; exists best; rewrite (sum_ext m _ (round_loss d Y L sigma r g)) //.
by move=> i _; rewrite e.
Qed.

Lemma mloses m c : measurable [set p : world | loses d Y L sigma (rule p.1) m c (out p)]%classic.
Proof.
have ms : measurable_fun setT (fun p : world => sum m (round_loss d Y L sigma (rule p.1) (out p)) : RR).
  by apply: (msum m (fun i p => round_loss d Y L sigma (rule p.1) (out p) i)) => i _; exact: mround_loss.
have -> : [set p : world | loses d Y L sigma (rule p.1) m c (out p)]%classic =
    ((fun p : world => sum m (round_loss d Y L sigma (rule p.1) (out p)) : RR) @^-1` `]c, +oo[)%classic.
  apply/seteqP; split=> p /=; rewrite in_itv /= andbT; first by move=> /loses_sum h; exact/RltP.
  by move=> /RltP h; exact/loses_sum.
by rewrite -[X in measurable X]setTI; apply: ms => //; exact: measurable_itv.
Qed.

(* some value is farther from its prediction than sqrt(beta) deviations *)
Section far.
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau beta : nat -> R).
Notation s := (/ sigma ^ 2).
Definition over (p : world) (i : nat) (z : Y) : R :=
  Rabs (value d Y L (out p) i z - prediction Y k h s (fun j => x p j) tau (fun j => y p j) i z) -
  sqrt (beta i) * deviation Y k h s (fun j => x p j) tau i z.
Definition far : set world := [set p | exists i z, (i < n)%N /\ 0 < over p i z]%classic.

Lemma mprediction a i z : measurable_fun setT (fun p : world => prediction Y k h s a tau (fun j => y p j) i z : RR).
Proof.
rewrite /prediction /posterior_mean; apply: measurable_funM; first exact: measurable_fun_cst.
move: (_ *m _)%ring => A.
have -> : (fun p : world => (A *m \col_(j < i) y p j)%ring ord0 ord0) = (fun p => \sum_(j < i) A ord0 j * y p j)%ring.
  by apply: funext => p; rewrite mxE; apply: eq_bigr => j _; rewrite mxE.
elim: (index_enum _) => [|j q IH].
  have -> : (fun p : world => \sum_(j <- [::]) A ord0 j * y p j)%ring = cst 0%ring by apply: funext => p; rewrite big_nil.
  exact: measurable_fun_cst.
have -> : (fun p : world => \sum_(l <- j :: q) A ord0 l * y p l)%ring = (fun p => A ord0 j * y p j + \sum_(l <- q) A ord0 l * y p l)%ring.
  by apply: funext => p; rewrite big_cons.
apply: measurable_funD => //.
by apply: measurable_funM; [exact: measurable_fun_cst | exact: manswer].
Qed.

Lemma mover i z : measurable_fun setT (fun p : world => over p i z : RR).
Proof.
pose Q := (fin_type {ffun 'I_i -> Y}).
pose along (q : Q) (j : nat) : Y := if insub j is Some j' then q j' else z.
pose path (p : world) : Q := [ffun j : 'I_i => x p j].
have e p j : (j < i)%N -> along (path p) j = x p j.
  by move=> ji; rewrite /along insubT ffunE.
have -> : (fun p : world => over p i z) = (fun p : world =>
    Rabs (value d Y L (out p) i z - prediction Y k h s (along (path p)) tau (fun j => y p j) i z) -
    sqrt (beta i) * deviation Y k h s (along (path p)) tau i z).
  apply: funext => p; rewrite /over.
  have ex j : (j < i)%N -> x p j = along (path p) j by move=> ji; rewrite e.
  by rewrite (prediction_ext _ _ _ _ _ _ _ _ (fun j => y p j) _ _ ex (fun j _ => erefl)) (deviation_ext _ _ _ _ _ _ _ _ _ ex).
apply: (mchosen_number _ world Q path (fun q p =>
    Rabs (value d Y L (out p) i z - prediction Y k h s (along q) tau (fun j => y p j) i z) -
    sqrt (beta i) * deviation Y k h s (along q) tau i z)) => q.
  have -> : [set p | path p = q]%classic = (\bigcap_(j in [set: 'I_i]) [set p : world | x p j = q j])%classic.
    apply/seteqP; split=> p /=; first by move=> <- j _; rewrite /path ffunE.
    by move=> hq; apply/ffunP => j; rewrite ffunE; exact: hq.
  by apply: fin_bigcap_measurable => [|j _]; [exact: finite_finset | exact: mplayed].
apply: measurable_funB; last exact: measurable_fun_cst.
apply: (measurable_fun_comp (f := fun x : RR => (`|x|)%ring) (g := fun p : world => (value d Y L (out p) i z -
  prediction Y k h s (along q) tau (fun j => y p j) i z : RR))); first exact: measurable_fun_normr.
by apply: measurable_funB; [exact: mvalue | exact: mprediction].
Qed.

Lemma mfar : measurable far.
Proof.
have -> : far = (\bigcup_(q in [set: 'I_n * Y]) ((fun p : world => over p q.1 q.2 : RR) @^-1` `]0%ring, +oo[))%classic.
  apply/seteqP; split=> p.
    by case=> i [z [hi lt]]; exists (Ordinal hi, z) => //=; rewrite in_itv /= andbT; exact/RltP.
  by case=> -[i z] _ /=; rewrite in_itv /= andbT => /RltP lt; exists i, z.
apply: fin_bigcup_measurable => [|q _]; first exact: finite_finset.
by rewrite -[X in measurable X]setTI; apply: mover => //; exact: measurable_itv.
Qed.
End far.
End run.

(* ---- confidence, regret and means on any space ---- *)
Section policies.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (dS : measure_display) (S : measurableType dS) (U : T -> S).
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : S -> policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypothesis normals : independent_normals dT T P (d + n) G.
Hypothesis drawn : independent_draws dT T P (d + n) G dS S U.
Hypothesis sigma0 : 0 < sigma.
Hypothesis law : has_kernel d n Y L k h tau.
Hypothesis mrule : measurable_drawn_rule dS S Y rule.
Notation out w := (fun l => G l w).
Notation x w := (played d Y L sigma (rule (U w)) (out w)).
Notation y w := (answer d Y L sigma (rule (U w)) (out w)).
Notation vector := (together dT T (d + n) G).
Notation s := (/ sigma ^ 2).

Lemma fixed_draw u : measurable_rule Y (rule u).
Proof. by move=> j z; exact: (msection _ _ _ _ _ u (mrule j z)). Qed.

Section confidence.
Variable delta : R.
Hypothesis delta01 : 0 < delta <= 1.
Notation beta := (width (size Y) delta).

Theorem confidence : exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i z, (i < n)%coq_nat ->
    Rabs (value d Y L (out w) i z - prediction Y k h s (x w) tau (y w) i z) <=
    sqrt (beta i) * deviation Y k h s (x w) tau i z.
Proof.
pose bad := far dS S d n Y L sigma rule k h tau beta.
exists [set w | bad (U w, vector w)]%classic; split.
  apply: drawn_event => // [|u]; first exact: mfar.
  have [b [[q [qd [mb le]]] good]] := confidence_to_regret.confidence d n Y (rule u O tt) L sigma (rule u) sigma0
    (fixed_draw u) k h tau delta law delta01.
  apply: (@le_lt_trans _ _ q%:E); last by rewrite lte_fin; exact/RltP.
  apply: le_trans le; apply: le_measure; rewrite ?inE //.
    by apply: (msection _ _ _ _ bad); exact: mfar.
  move=> g [i [z [hi lt]]]; apply: contrapT => fine; apply: (Rlt_not_le _ _ lt).
  by apply: Rle_minus; exact: (good g fine i z (elimT ssrnat.ltP hi)).
move=> w fine i z hi; have /ssrnat.ltP hi' := hi.
have co_ l : (l < d + n)%N -> co RR (d + n) (vector w) l = G l w by move=> hl; rewrite /together co_mk.
have ex j : (j < i)%N -> played d Y L sigma (rule (U w)) (co RR (d + n) (vector w)) j = x w j.
  by move=> ji; apply: (played_same d n Y L sigma _ _ _ co_); rewrite ltnW // (ltn_trans ji).
have ey j : (j < i)%N -> answer d Y L sigma (rule (U w)) (co RR (d + n) (vector w)) j = y w j.
  by move=> ji; apply: (answer_same d n Y L sigma _ _ _ co_); rewrite (ltn_trans ji).
apply: Rnot_lt_le => lt; apply: fine; exists i, z; split=> //; rewrite /over /=.
rewrite (value_same d n Y L _ _ co_) (prediction_ext _ _ _ _ _ _ _ _ _ _ _ ex ey) (deviation_ext _ _ _ _ _ _ _ _ _ ex).
exact: Rlt_Rminus lt.
Qed.

Hypotheses (pk : kernel Y k) (ph : kernel R h) (k1 : forall z, k z z <= 1) (h1 : forall t, h t t = 1).
Hypothesis policy : forall w, follows d Y L sigma (rule (U w)) n k h tau beta (out w).

(* any bounds g on the gain, and all rounds up to the horizon n at once *)
Theorem regret_with_probability (g : nat -> R) :
  (forall m a, (m <= n)%coq_nat -> gain s m (joint Y k h a tau) <= g m) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\
    loses d Y L sigma (rule (U w)) m (sqrt (8 / ln (1 + s) * beta (Nat.pred m) * INR m * g m)) (out w)) q.
Proof.
move=> hg; have [bad [[q [qd [mb le]]] good]] := confidence; exists q; split=> //.
set c := fun m => sqrt (8 / ln (1 + s) * beta (Nat.pred m) * INR m * g m).
set E := fun w => exists m, _.
have mboth : measurable_fun setT (fun w => (U w, vector w)).
  have [mU _] := drawn; have [_ [mG _]] := normals.
  by apply: mpair => //; exact: (mtogether dT T (d + n) G mG).
have mE : measurable E.
  have -> : E = (\bigcup_(m in [set m | (m <= n)%N]) ((fun w => (U w, vector w)) @^-1`
      [set p | loses d Y L sigma (rule p.1) m (c m) (co RR (d + n) p.2)]))%classic.
    have co_ w l : (l < d + n)%N -> co RR (d + n) (vector w) l = G l w by move=> hl; rewrite /together co_mk.
    apply/seteqP; split=> w [m].
      by case=> /ssrnat.leP mn lost; exists m => //=; apply/(loses_same d n Y L sigma _ _ _ (co_ w) m).
    by move=> /= mn lost; exists m; split; [exact/ssrnat.leP | apply/(loses_same d n Y L sigma _ _ _ (co_ w) m)].
  by apply: bigcup_measurable => m _; rewrite -[X in measurable X]setTI; apply: mboth => //; exact: mloses.
split=> //; apply: le_trans le; apply: le_measure; rewrite ?inE //.
move=> w [m [mn [best lt]]]; apply: contrapT => fine; apply: (Rlt_not_le _ _ lt).
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
apply: (finite_domain.finite_regret Y k h s _ beta m (x w) tau (value d Y L (out w)) _ _ s0 pk ph k1 h1 _ _ _ (hg m _ mn)).
- by move=> i hi; exact: (theorem_1_probability.betas Y delta (rule (U w)) delta01 m i hi).
- by move=> i z hi; apply: policy; lia.
- by move=> i z hi; apply: (good w fine); lia.
Qed.

Theorem theorem_1 theta gamma (blocks : nat -> list nat) :
  (forall m, (m <= n)%coq_nat -> total (blocks m) = m) -> 0 <= theta ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  exists q, q < delta /\ at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\
    loses d Y L sigma (rule (U w)) m (sqrt (8 / ln (1 + s) * beta (Nat.pred m) * INR m *
      (INR (length (blocks m)) * gamma (longest (blocks m)) +
       / 2 * over_blocks (fun i e l =>
         INR l * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau e l / INR l))) 0 0 (blocks m))))
      (out w)) q.
Proof.
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
move=> e t0 hp sl bg.
apply: (regret_with_probability (fun m => INR (length (blocks m)) * gamma (longest (blocks m)) +
       / 2 * over_blocks (fun i d l =>
         INR l * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d l / INR l))) 0 0 (blocks m))) => m a mn.
by rewrite -{1}(e m mn); apply: theorem_1_gain => //; lra.
Qed.
End confidence.

(* ---- means ---- *)

(* what holds of the mean regret of every measurable rule, on R^(d+n), holds of one that draws *)
Theorem regret_mean N c : (N <= n)%N ->
  (forall r : policy_on Y, measurable_rule Y r ->
     mean_at_least _ (vec RR (d + n)) (standard_normal (d + n)) (fun g => sum N (round_loss d Y L sigma r (co RR (d + n) g))) c) ->
  mean_at_least dT T P (fun w => sum N (round_loss d Y L sigma (rule (U w)) (out w))) c.
Proof.
move=> Nn low.
have -> : (fun w => sum N (round_loss d Y L sigma (rule (U w)) (out w))) =
    (fun w => (fun p : S * vec RR (d + n) => sum N (round_loss d Y L sigma (rule p.1) (co RR (d + n) p.2))) (U w, vector w)).
  apply: funext => w; apply: sum_ext => i /ssrnat.ltP hi.
  apply: (floor_in_mean.round_loss_same d n Y L sigma) => [|l hl]; first exact: leq_trans Nn.
  by rewrite /= /together co_mk.
apply: (drawn_mean dT T P (d + n) G dS S U normals drawn
  (fun p => sum N (round_loss d Y L sigma (rule p.1) (co RR (d + n) p.2)))) => [|p|u].
- by apply: (msum dS S d n N (fun i p => round_loss d Y L sigma (rule p.1) (co RR (d + n) p.2) i)) => i _; exact: mround_loss.
- by apply: sum_ge0 => i _; exact: floor_in_mean.round_loss_ge0.
- exact: (low (rule u) (fixed_draw u)).
Qed.
End policies.
