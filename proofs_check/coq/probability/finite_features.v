(******************************************************************************)
(*                    Objectives of finitely many features                    *)
(*                                                                            *)
(* An objective that is made of the first d of d + n independent standard     *)
(* normal variables, with weights that depend measurably on the point, is a   *)
(* Gaussian process in the sense of any rank, a draw of R^d that is           *)
(* independent of the noises, the variables that follow.                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   law_split == the normal law on R^(d + n) is a product                    *)
(*   first_normals, later_normals, later_draws == the variables of the        *)
(*       objective and those of the noise                                     *)
(*   features_process, features_measurable == the process, and its values as  *)
(*       functions of point and draw                                          *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_posterior, normal_density, adaptive_confidence, argmax_rule,      *)
(* scalar, definitions, sums, outcomes, joint_law.                            *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_posterior normal_density adaptive_confidence.
From CTV Require argmax_rule.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar definitions sums outcomes joint_law.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* ---- the first and the later coordinates ---- *)
Fixpoint first_ d n : vec RR (d + n) -> vec RR d :=
  match d return vec RR (d + n) -> vec RR d with O => fun _ => tt | S c => fun g => (g.1, first_ c n g.2) end.
Fixpoint later d n : vec RR (d + n) -> vec RR n :=
  match d return vec RR (d + n) -> vec RR n with O => fun g => g | S c => fun g => later c n g.2 end.

Lemma mfirst d n : measurable_fun setT (first_ d n).
Proof.
elim: d => [|d IH]; first exact: measurable_fun_cst.
by apply: mpair; [exact: mfst | apply: (measurable_fun_comp IH); exact: msnd].
Qed.

Lemma mlater d n : measurable_fun setT (later d n).
Proof.
elim: d => [|d IH]; first exact: measurable_fun_id.
by apply: (measurable_fun_comp IH); exact: msnd.
Qed.

Lemma first_mk d n (c : nat -> R) : first_ d n (mk RR (d + n) c) = mk RR d c.
Proof. by elim: d c => //= d IH c; rewrite IH. Qed.

Lemma later_mk d n (c : nat -> R) : later d n (mk RR (d + n) c) = mk RR n (fun l => c (d + l)%N).
Proof. by elim: d c => //= d IH c; rewrite IH. Qed.

Notation law := (gauss RR normal).

Lemma law_slice d (B : set (vec RR d.+1)) : measurable B -> let slice x := [set g | B (x, g)]%classic in
  law d.+1 B = (\int[@lebesgue.leb RR]_x ((phi1 RR normal x)%:E * law d (slice x)))%E /\
  measurable_fun setT (fun x => (phi1 RR normal x)%:E * law d (slice x))%E /\ forall x, measurable (slice x).
Proof.
move=> mB slice.
have mS x : measurable (slice x).
  have mp : measurable_fun setT (fun g : vec RR d => (x, g)) by apply: mpair; [exact: measurable_fun_cst | exact: measurable_fun_id].
  by have := mp measurableT _ mB; rewrite setTI.
have nn : nnm RR d.+1 (fun p => (\1_B p * gaussian_law.phi RR normal d.+1 p)%:E).
  split; last by move=> p; rewrite lee_fin mulr_ge0 ?phi_ge0 // indicE.
  by apply/EFin_measurable_fun; apply: measurable_funM; [exact: measurable_fun_indic | exact: mphi].
have e x : I RR d (fun g => (\1_B (x, g) * gaussian_law.phi RR normal d.+1 (x, g))%:E) = ((phi1 RR normal x)%:E * law d (slice x))%E.
  rewrite gaussE /rotation.I -ge0_integralM //; last 3 first.
  - by apply/EFin_measurable_fun; apply: measurable_funM; [exact: measurable_fun_indic | exact: mphi].
  - by move=> g _; rewrite lee_fin mulr_ge0 ?phi_ge0 // indicE.
  - by rewrite lee_fin phi1_ge0.
  have e g : (\1_B (x, g) = \1_(slice x) g :> RR)%ring by rewrite !indicE /slice; congr (nat_of_bool _)%:R%ring; apply/idP/idP; rewrite !inE.
  by apply: eq_integral => g _; rewrite phi_S -EFinM e mulrCA.
split; first by rewrite gaussE I_S //; apply: eq_integral => x _; exact: e.
split=> //; case: nn => mF F0.
have := @measurable_fun_fubini_tonelli_F _ _ _ _ _ _ (proj2_sig (lebs RR d)) _ mF F0.
by congr measurable_fun; apply/funext => x; exact: e.
Qed.

Theorem law_split d n (B : set (vec RR d)) (C : set (vec RR n)) : measurable B -> measurable C ->
  law (d + n) [set g | B (first_ d n g) /\ C (later d n g)]%classic = (law d B * law n C)%E.
Proof.
elim: d B => [|d IH] B mB mC.
  have [b|nb] := pselect (B tt).
    have -> : B = setT by apply/seteqP; split=> // -[].
    by rewrite gaussT mul1e; congr (law n _); apply/seteqP; split=> g /=; [case | split].
  have -> : B = set0 by apply/seteqP; split=> // -[].
  rewrite [law 0 _]measure0 mul0e; have -> : [set g : vec RR (0 + n) | set0 (first_ 0 n g) /\ C (later 0 n g)]%classic = set0.
    by apply/seteqP; split=> g // -[].
  exact: measure0.
have mBC : measurable [set g : vec RR (d.+1 + n) | B (first_ d.+1 n g) /\ C (later d.+1 n g)]%classic.
  by apply: measurableI; rewrite -[X in measurable X]setTI; [exact: (mfirst d.+1 n) | exact: (mlater d.+1 n)].
have [-> _] := law_slice (d + n) _ mBC; have [-> [mF mS]] := law_slice d B mB.
rewrite muleC -ge0_integralM //; last by move=> x _; apply: mule_ge0; [rewrite lee_fin phi1_ge0 | exact: measure_ge0].
by apply: eq_integral => x _; rewrite [RHS]muleCA [X in _ = (_ * X)%E]muleC -(IH _ (mS x) mC).
Qed.

Section features.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (d n : nat) (G : nat -> T -> R).
Hypothesis normals : independent_normals dT T P (d + n) G.
Notation U := (together dT T d G).
Notation noises := (fun l => G (d + l)%N).

Let mG : forall i, measurable_fun setT (G i : T -> RR). Proof. by have [_ []] := normals. Qed.

Lemma both_law (B : set (vec RR d)) (C : set (vec RR n)) : measurable B -> measurable C ->
  Measure.sort P [set w | B (U w) /\ C (together dT T n noises w)]%classic = (law d B * law n C)%E.
Proof.
move=> mB mC; rewrite -law_split //.
have mBC : measurable [set g : vec RR (d + n) | B (first_ d n g) /\ C (later d n g)]%classic.
  by apply: measurableI; rewrite -[X in measurable X]setTI; [exact: (mfirst d n) | exact: (mlater d n)].
rewrite -(joint_law dT T P (d + n) G mG normals _ mBC); congr (Measure.sort P _).
by apply/seteqP; split=> w; rewrite /= /together first_mk later_mk.
Qed.

(* the first variables, and the later ones, which are independent of them *)
Lemma first_normals : independent_normals dT T P d G.
Proof.
have [P1 _] := normals; split=> //; split=> // t; rewrite -gauss_box -[RHS]mule1 -(gaussT RR normal n) -both_law //; last exact: mbox.
by congr (Measure.sort P _); apply/seteqP; split=> w /= b; [split=> //; exact/below_together | by case: b => b _; exact/below_together].
Qed.

Lemma later_draws : independent_draws dT T P n noises _ (vec RR d) U.
Proof.
split=> [|B t mB]; first exact: (mtogether dT T d G mG).
transitivity (law d B * law n (joint_law.box n t))%E.
  rewrite -both_law //; last exact: mbox.
  by congr (Measure.sort P _); apply/seteqP; split=> w /= -[b c]; split=> //; exact/(below_together dT T n noises).
rewrite gauss_box; congr (_ * _)%E; rewrite -[LHS]mule1 -(gaussT RR normal n) -both_law //.
by congr (Measure.sort P _); apply/seteqP; split=> w /=; [case | split].
Qed.

Lemma later_normals : independent_normals dT T P n noises.
Proof.
have [P1 _] := normals; split=> //; split=> [i|t]; first exact: mG.
have [_ e] := later_draws; have := e setT t measurableT.
rewrite [X in Measure.sort P X = _](_ : _ = (fun w => forall i, (i < n)%coq_nat -> noises i w < t i)); last first.
  by apply/seteqP; split=> w /=; [case | split].
by move=> ->; rewrite [X in Measure.sort P X](_ : _ = setT) // P1 mul1e.
Qed.

Variables (dY : measure_display) (Y : measurableType dY) (L : nat -> Y -> nat -> R) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypothesis law_ : has_kernel d n Y L k h tau.
Hypothesis mL : forall i l, measurable_fun setT (fun z => L i z l : RR).
Definition of_features (i : nat) (z : Y) (u : vec RR d) : R := value d Y L (co RR d u) i z.

Lemma features_process : is_gaussian_process dT T P n Y k h tau (fun i z w => of_features i z (U w)).
Proof.
move=> X p; exists d, (fun i a => L i (p a)), G; split; first exact: first_normals.
split=> [i j a c hi hj|i a _]; first exact: law_.
have -> : (fun w => of_features i (p a) (U w) <> value d X (fun i a => L i (p a)) (fun l => G l w) i a) = set0.
  apply/seteqP; split=> w //; apply; apply: sum_ext => l /ssrnat.ltP hl.
  by rewrite /together co_mk.
by split=> //; rewrite measure0.
Qed.

Lemma features_measurable : measurable_objective dY Y _ (vec RR d) of_features.
Proof.
move=> i; suff gen q : measurable_fun setT (fun p : Y * vec RR d => sum q (fun l => L i p.1 l * co RR d p.2 l) : RR) by exact: gen.
elim: q => [|q IH]; first exact: measurable_fun_cst.
apply: measurable_funD; first exact: IH.
apply: measurable_funM; first by apply: (measurable_fun_comp (mL i q)); exact: mfst.
by apply: (measurable_fun_comp (argmax_rule.mco RR d q)); exact: msnd.
Qed.
End features.
