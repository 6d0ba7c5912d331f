(******************************************************************************)
(*            The law of independent normal variables on any space            *)
(*                                                                            *)
(* Variables whose joint distribution function is the product of normal ones  *)
(* have the standard normal law on R^m.                                       *)
(*                                                                            *)
(* Statements:                                                                *)
(*   vec_unique == a law on R^m is known by boxes                             *)
(*   joint_law == the law of the variables                                    *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, adaptive_posterior, central_interval, tail_increments,     *)
(* normal_density, adaptive_confidence, scalar, normal, definitions, sums,    *)
(* outcomes, combinations.                                                    *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions set_interval.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior central_interval tail_increments normal_density adaptive_confidence.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums.
From CTV Require Import outcomes combinations.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Lemma line_unique (m1 m2 : {measure set RR -> \bar RR}%ring) :
  (forall t, m1 (below t) = m2 (below t)) -> (m1 setT < +oo)%E -> forall A, measurable A -> m1 A = m2 A.
Proof.
move=> e fin.
have belowE t : below t = `]-oo, t[%classic by apply/seteqP; split=> x; rewrite /below /= in_itv.
apply: (measure_unique (@RGenInftyO.G RR) (fun k => `]-oo, (k%:R)%ring[%classic)) => //.
- exact: RGenInftyO.measurableE.
- move=> _ _ [x ->] [y ->]; exists (Num.min x y); apply/seteqP; split=> z /=; rewrite !in_itv /= lt_minr.
    by case=> -> ->.
  by move=> /andP[].
- by move=> k; exists (k%:R)%ring.
- apply/seteqP; split=> // x _; exists (Num.bound `|x|%ring) => //=; rewrite in_itv /=.
  by apply: le_lt_trans (ler_norm x) (archi_boundP _).
- by move=> _ [x ->]; rewrite -belowE.
- by move=> k; apply: le_lt_trans fin; apply: le_measure; rewrite ?inE //; exact: measurable_itv.
Qed.

Fixpoint box (m : nat) (t : nat -> RR) : set (vec RR m) :=
  match m return set (vec RR m) with
  | O => setT
  | S l => (below (t O) `*` box l (fun i => t (S i)))%classic
  end.

Lemma mbox m t : measurable (box m t).
Proof. by elim: m t => [|m IH] t //; apply: measurableM; [exact: mbelow | exact: IH]. Qed.

Lemma box_co m t (g : vec RR m) : box m t g <-> forall i, (i < m)%coq_nat -> co RR m g i < t i.
Proof.
elim: m t g => [|m IH] t g; first by split=> // _ i; lia.
have [h1 h2] := IH (fun i => t (S i)) g.2; split.
  case=> /= /RltP b0 /h1 b; move=> [|i] hi; first exact: b0.
  by apply: b; lia.
move=> h; split; first by apply/RltP; apply: (h O); lia.
by apply: h2 => i hi; apply: (h (S i)); lia.
Qed.

Section slice.
Context d1 d2 (T1 : measurableType d1) (T2 : measurableType d2).
Variables (mu : {measure set T1 -> \bar RR}%ring) (D : set T1) (mD : measurable D) (f : T1 -> T2) (mf : measurable_fun setT f).
Definition rest := [the {measure set T1 -> \bar RR}%ring of mrestr mu mD].
Definition slice := [the {measure set T2 -> \bar RR}%ring of pushforward rest mf].
Lemma sliceE B : slice B = mu (f @^-1` B `&` D)%classic. Proof. by []. Qed.
End slice.

Lemma vec_unique m (m1 m2 : {measure set (vec RR m) -> \bar RR}%ring) :
  (forall t, m1 (box m t) = m2 (box m t)) -> (m1 setT < +oo)%E ->
  forall A, measurable A -> m1 A = m2 A.
Proof.
elim: m m1 m2 => [|m IH] m1 m2 e fin A mA.
  have [->|ne] := eqVneq A set0; first by rewrite !measure0.
  suff -> : A = setT by exact: (e (fun=> 0)).
  by apply/seteqP; split=> // -[] _; have /set0P[[]] := ne.
have fin' (B : set (vec RR m.+1)) : measurable B -> (m1 B < +oo)%E.
  by move=> mB; apply: le_lt_trans fin; apply: le_measure; rewrite ?inE.
have ms : measurable_fun setT (fun p : vec RR m.+1 => p.2 : vec RR m) by exact: msnd.
have mf : measurable_fun setT (fun p : vec RR m.+1 => p.1 : RR) by exact: mfst.
have step t0 (C : set (vec RR m)) : measurable C -> m1 (below t0 `*` C)%classic = m2 (below t0 `*` C)%classic.
  have mD : measurable (below t0 `*` setT : set (vec RR m.+1))%classic by apply: measurableM => //; exact: mbelow.
  pose nu (mu : {measure set (vec RR m.+1) -> \bar RR}%ring) := slice _ _ (vec RR m.+1) (vec RR m) mu _ mD _ ms.
  have nuE mu B : nu mu B = mu (below t0 `*` B)%classic.
    rewrite /nu sliceE; congr (mu _); apply/seteqP; split=> -[x g] /=.
      by case=> gB [].
    by case=> xb gB; split.
  move=> mC; rewrite -!nuE; apply: IH => //.
    move=> t; rewrite !nuE; exact: (e (fun i => match i with O => t0 | S l => t l end)).
  by rewrite nuE; exact: fin'.
have rect (B : set RR) (C : set (vec RR m)) : measurable B -> measurable C -> m1 (B `*` C)%classic = m2 (B `*` C)%classic.
  move=> mB mC.
  have mD : measurable (setT `*` C : set (vec RR m.+1))%classic by exact: measurableM.
  pose nu (mu : {measure set (vec RR m.+1) -> \bar RR}%ring) := slice _ _ (vec RR m.+1) _ mu _ mD _ mf.
  have nuE mu D : nu mu D = mu (D `*` C)%classic.
    rewrite /nu sliceE; congr (mu _); apply/seteqP; split=> -[x g] /=.
      by case=> gB [].
    by case=> xb gB; split.
  rewrite -!nuE; apply: line_unique => //.
    by move=> t; rewrite !nuE; exact: step.
  by rewrite nuE; exact: fin'.
apply: (measure_unique [set C | exists A1, measurable A1 /\ exists A2, measurable A2 /\ C = (A1 `*` A2)%classic]%classic (fun n => setT)) => //.
- rewrite measurable_prod_measurableType //; congr (<<s _ >>)%classic.
  rewrite predeqE; split => [[A1 mA1 [A2 mA2 <-]]|[A1 [mA1 [A2 [mA2 ->]]]]].
    by exists A1; split => //; exists A2; split.
  by exists A1 => //; exists A2.
- move=> /= _ _ [X1 [mX1 [X2 [mX2 ->]]]] [Y1 [mY1 [Y2 [mY2 ->]]]].
  rewrite -setMI; exists (X1 `&` Y1)%classic; split; first exact: measurableI.
  by exists (X2 `&` Y2)%classic; split => //; exact: measurableI.
- by move=> k; exists setT; split=> //; exists setT; split=> //; rewrite setMTT.
- by rewrite bigcup_const //; exists O.
- by move=> _ [A1 [mA1 [A2 [mA2 ->]]]]; exact: rect.
Qed.

Lemma law1_below t : law1 (below t) = (normal_cdf t)%:E.
Proof.
rewrite -law1_cdf; have -> : upto t = (below t `|` [set t])%classic.
  apply/seteqP; split=> x; rewrite /upto /below /= le_eqVlt.
    by move=> /orP[/eqP ->|h]; [right | left].
  by case=> [->|->]; rewrite ?eqxx ?orbT.
rewrite law1U //; [|exact: mbelow|]; last first.
  by apply/disj_set2P; apply/seteqP; split=> x //= [a b]; move: a; rewrite b /below /= ltxx.
by rewrite law1_point adde0.
Qed.

Lemma gauss_box m t : gauss RR normal_density.normal m (box m t) = EFin (product m (fun i => normal_cdf (t i))).
Proof.
elim: m t => [|m IH] t; first exact: gaussT.
have -> : box m.+1 t = [set p : vec RR m.+1 | below (t O) p.1 /\ box m (fun i => t (S i)) p.2]%classic by [].
by rewrite gauss_pair; [rewrite IH law1_below -EFinM | exact: mbox | exact: mbelow].
Qed.

Section joint_law.
Variables (dT : measure_display) (T : measurableType dT) (Q : measure_on dT T) (m : nat) (G : nat -> T -> R).
Definition together (w : T) : vec RR m := mk RR m (fun i => G i w).

Hypothesis mG : forall i, measurable_fun setT (G i : T -> RR).

Lemma mtogether : measurable_fun setT together.
Proof.
rewrite /together.
have gen l s : measurable_fun setT (fun w => mk RR l (fun i => G (s + i)%N w)).
  elim: l s => [|l IH] s; first exact: measurable_fun_cst.
  have e w : mk RR l (fun i => G (s + i.+1)%N w) = mk RR l (fun i => G (s.+1 + i)%N w).
    by congr (mk _ _ _); apply/funext => i; rewrite addnS addSn.
  apply: (mpair _ _ _ _ _ _ (fun w => G (s + 0)%N w : RR) (fun w => mk RR l (fun i => G (s + i.+1)%N w))); first exact: mG.
  have := IH s.+1; congr (measurable_fun _ _); apply/funext => w; exact: esym (e w).
exact: (gen m O).
Qed.

Lemma below_together t w : box m t (together w) <-> forall i, (i < m)%coq_nat -> G i w < t i.
Proof. by rewrite box_co; split=> h i hi; have := h i hi; rewrite /together co_mk //; exact/ssrnat.ltP. Qed.

Hypothesis ind : independent_normals dT T Q m G.

Theorem joint_law (A : set (vec RR m)) : measurable A ->
  Measure.sort Q (together @^-1` A)%classic = Measure.sort (standard_normal m) A.
Proof.
pose nu := [the {measure set (vec RR m) -> \bar RR}%ring of pushforward Q mtogether].
have [Q1 [_ e]] := ind; move=> mA; apply: (vec_unique m nu (standard_normal m)) => //.
  move=> t; apply: etrans (esym (gauss_box m t)); rewrite -e /nu /= /pushforward.
  by congr (Measure.sort Q _); apply/seteqP; split=> w /below_together.
by rewrite /nu /= /pushforward preimage_setT [X in (X < _)%E]Q1 ltry.
Qed.
End joint_law.
