(******************************************************************************)
(*                       The standard normal law on R^n                       *)
(*                                                                            *)
(* Its density with respect to Lebesgue measure, and the one fact about it    *)
(* that is needed: an event that does not see a direction is independent of   *)
(* the coordinate along it.                                                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   phi == the density on R^n that the density of a coordinate gives         *)
(*   gauss, gaussT == the law on R^n, of mass 1                               *)
(*   gauss_pair == its coordinates are independent                            *)
(*   independent == an event that does not see direction r is independent     *)
(*       of <r, G>                                                            *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation.                  *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral nsatz_realtype.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section scale.
Variable R : realType.
Notation vec := (vec R).
Arguments dot {R n}.
Arguments axpy {R n}.

Fixpoint vec0 n : vec n := match n return vec n with 0%N => tt | m.+1 => (0, vec0 m) end.

Lemma dot0 n (g : vec n) : dot (vec0 n) g = 0.
Proof. by elim: n g => //= n IH g; rewrite IH mul0r addr0. Qed.

Definition scale n t (r : vec n) : vec n := axpy t r (vec0 n).

Lemma dot_scale n t (r g : vec n) : dot (scale n t r) g = t * dot r g.
Proof. by rewrite dotC dot_axpy dotC dot0 add0r dotC. Qed.

Lemma axpy_scale n s t (r g : vec n) : axpy s (scale n t r) g = axpy (s * t) r g.
Proof.
elim: n r g => //= n IH r g; rewrite -IH; congr (_, _).
by rewrite add0r mulrA.
Qed.

Lemma dot_ge0 n (r : vec n) : 0 <= dot r r.
Proof. by elim: n r => //= n IH r; rewrite addr_ge0 // -expr2 sqr_ge0. Qed.

Lemma dot_null n (r g : vec n) : dot r r = 0 -> dot r g = 0.
Proof.
elim: n r g => //= n IH r g /eqP; rewrite paddr_eq0 ?dot_ge0 -?expr2 ?sqr_ge0 // sqrf_eq0.
by move=> /andP[/eqP -> /eqP /IH ->]; rewrite mul0r addr0.
Qed.
End scale.

(* K E(x^2) is a density of mass 1, with E an exponential: K = 1/sqrt(2 pi), E(t) = exp(-t/2) *)
Record density (R : realType) := Density {
  dK : R; dE : R -> R;
  dK0 : 0 <= dK; dE0 : forall t, 0 <= dE t; dE1 : dE 0 = 1;
  dED : forall s t, dE (s + t) = dE s * dE t; dmE : measurable_fun setT dE;
  dmass : (\int[@leb R]_x (dK * dE (x * x))%:E = 1)%E }.

Section gauss.
Variable R : realType.
Notation vec := (vec R).
Notation lebn := (lebn R).
Arguments dot {R n}.
Arguments axpy {R n}.
Notation I := (I R).
Notation nnm := (nnm R).

Variable D : density R.
Notation K := (dK R D).
Notation E := (dE R D).
Let K0 := dK0 R D.
Let E0 := dE0 R D.
Let E1 := dE1 R D.
Let ED := dED R D.
Let mE := dmE R D.

Definition phi1 (x : R) : R := K * E (x * x).
Definition phi n (g : vec n) : R := K ^+ n * E (dot g g).

Lemma mass1 : (\int[@leb R]_x (phi1 x)%:E = 1)%E. Proof. exact: dmass. Qed.

Lemma phi1_ge0 x : 0 <= phi1 x. Proof. by exact: mulr_ge0. Qed.
Lemma phi_ge0 n g : 0 <= phi n g. Proof. by apply: mulr_ge0 => //; exact: exprn_ge0. Qed.

Lemma phi_S n x (g : vec n) : phi n.+1 (x, g) = phi1 x * phi n g.
Proof. by rewrite /phi /phi1 /= ED exprS mulrACA. Qed.

Lemma mphi1 : measurable_fun setT phi1.
Proof.
apply: measurable_funM; first exact: measurable_fun_cst.
apply: (measurable_fun_comp mE); apply: measurable_funM; exact: measurable_fun_id.
Qed.

Lemma mphi n : measurable_fun setT (phi n).
Proof.
apply: measurable_funM; first exact: measurable_fun_cst.
by apply: (measurable_fun_comp mE); exact: mdot2.
Qed.

(* products of functions of one coordinate and of the others *)
Lemma I_product n (u : R -> R) (v : vec n -> R) :
  measurable_fun setT u -> measurable_fun setT v -> (forall x, 0 <= u x) -> (forall g, 0 <= v g) ->
  (I n.+1 (fun p : vec n.+1 => (u p.1 * v p.2)%:E) = \int[@leb R]_x (u x)%:E * I n (fun g => (v g)%:E))%E.
Proof.
move=> mu mv u0 v0; rewrite I_S; last first.
  split; last by move=> p; rewrite lee_fin mulr_ge0.
  apply/EFin_measurable_fun; apply: measurable_funM.
    by apply: (measurable_fun_comp mu); exact: mfst.
  by apply: (measurable_fun_comp mv); exact: msnd.
have mev : measurable_fun setT (fun g => (v g)%:E) by exact/EFin_measurable_fun.
have meu : measurable_fun setT (fun g => (u g)%:E) by exact/EFin_measurable_fun.
transitivity (\int[@leb R]_x (I n (fun g => (v g)%:E) * (u x)%:E))%E.
  apply: eq_integral => x _ /=.
  rewrite muleC /rotation.I -ge0_integralM //; last by rewrite lee_fin.
  by move=> g _; rewrite lee_fin.
rewrite [RHS]muleC; apply: (ge0_integralM [the {measure set R -> \bar R} of @leb R] measurableT meu).
- by move=> x _; rewrite lee_fin.
- by apply: integral_ge0 => g _; rewrite lee_fin.
Qed.

Lemma I_phi n : (I n (fun g => (phi n g)%:E) = 1)%E.
Proof.
elim: n => [|n IH].
  rewrite I0; first by rewrite /phi /= E1 expr0 mulr1.
  by split; [apply/EFin_measurable_fun; exact: mphi | move=> g; rewrite lee_fin phi_ge0].
transitivity (I n.+1 (fun p : vec n.+1 => (phi1 p.1 * phi n p.2)%:E)).
  by apply: Iext => -[x g]; rewrite phi_S.
rewrite I_product ?IH ?mass1 ?mule1 //; first exact: mphi1.
- exact: mphi.
- exact: phi1_ge0.
- exact: phi_ge0.
Qed.

Definition gauss n (A : set (vec n)) : \bar R := (\int[lebn n]_(g in A) (phi n g)%:E)%E.

Lemma gaussE n (A : set (vec n)) : gauss n A = I n (fun g => (\1_A g * phi n g)%:E).
Proof.
rewrite /gauss integral_mkcond; apply: eq_integral => g _.
by rewrite /patch indicE; case: (g \in A); rewrite ?mul1r ?mul0r.
Qed.

Let gauss0 n : gauss n set0 = 0%E. Proof. exact: integral_set0. Qed.
Let gauss_ge0 n A : (0 <= gauss n A)%E.
Proof. by apply: integral_ge0 => g _; rewrite lee_fin phi_ge0. Qed.
Let gauss_add n : semi_sigma_additive (gauss n).
Proof.
move=> F mF tF mUF; rewrite /gauss ge0_integral_bigcup //.
- apply/cvg_closeP; split; last by rewrite closeE.
  apply: is_cvg_nneseries => *; apply: integral_ge0 => g _; rewrite lee_fin; exact: phi_ge0.
- apply/integrableP; split; first by apply/EFin_measurable_fun; apply: measurable_funTS; exact: mphi.
  rewrite (eq_integral (fun g => (phi n g)%:E)); last by move=> g _; rewrite gee0_abs // lee_fin phi_ge0.
  apply: (@le_lt_trans _ _ 1%E); last by rewrite ltry.
  rewrite -(I_phi n); apply: subset_integral => //.
  + by apply/EFin_measurable_fun; exact: mphi.
  + by move=> g _; rewrite lee_fin phi_ge0.
- by move=> g _; rewrite lee_fin phi_ge0.
Qed.
HB.instance Definition _ n := isMeasure.Build _ _ _ (gauss n) (gauss0 n) (gauss_ge0 n) (@gauss_add n).

Lemma gaussT n : gauss n setT = 1%E. Proof. exact: I_phi. Qed.

(* the law of one coordinate *)
Definition law1 (B : set R) : \bar R := (\int[@leb R]_(x in B) (phi1 x)%:E)%E.

Lemma law1E (B : set R) : (law1 B = \int[@leb R]_x (\1_B x * phi1 x)%:E)%E.
Proof.
rewrite /law1 integral_mkcond; apply: eq_integral => g _.
by rewrite /patch indicE; case: (g \in B); rewrite ?mul1r ?mul0r.
Qed.

Lemma law1_ge0 B : (0 <= law1 B)%E.
Proof. by apply: integral_ge0 => x _; rewrite lee_fin phi1_ge0. Qed.

Lemma gauss_pair n (A : set (vec n)) (B : set R) : measurable A -> measurable B ->
  gauss n.+1 [set p | B p.1 /\ A p.2] = (law1 B * gauss n A)%E.
Proof.
move=> mA mB; rewrite gaussE law1E gaussE.
rewrite -(I_product n (fun x => \1_B x * phi1 x) (fun g => \1_A g * phi n g)).
- apply: Iext => -[x g]; rewrite phi_S /=; congr EFin.
  rewrite [RHS]mulrACA; congr (_ * _); rewrite !indicE.
  have -> : ((x, g) \in [set p : vec n.+1 | B p.1 /\ A p.2]) = (x \in B) && (g \in A).
    by apply/idP/andP; rewrite !inE.
  by case: (x \in B); case: (g \in A); rewrite /= ?mulr1 ?mulr0 ?mul0r.
- by apply: measurable_funM; [exact: measurable_fun_indic | exact: mphi1].
- by apply: measurable_funM; [exact: measurable_fun_indic | exact: mphi].
- by move=> x; rewrite mulr_ge0 ?phi1_ge0 // indicE.
- by move=> g; rewrite mulr_ge0 ?phi_ge0 // indicE.
Qed.

(* an event that does not see the direction r, and a statement about <r, G> only *)
Lemma independent n (r : vec n) (A : set (vec n)) (B : set R) : dot r r = 1 ->
  measurable A -> measurable B -> (forall t g, A g -> A (axpy t r g)) ->
  gauss n [set g | B (dot r g) /\ A g] = (law1 B * gauss n A)%E.
Proof.
move=> r1 mA mB inv; rewrite -gauss_pair //.
have invE t g : A (axpy t r g) <-> A g.
  by split=> [/(inv (- t))|/inv //]; rewrite axpyD subrr axpy0.
set F := fun p : vec n.+1 => (\1_[set p : vec n.+1 | B p.1 /\ A p.2] p * phi n.+1 p)%:E.
have mBA : measurable [set p : vec n.+1 | B p.1 /\ A p.2].
  have -> : [set p : vec n.+1 | B p.1 /\ A p.2] = B `*` A by [].
  exact: measurableM.
have nF : nnm n.+1 F.
  split; last by move=> p; rewrite lee_fin mulr_ge0 ?phi_ge0 // indicE.
  apply/EFin_measurable_fun; apply: measurable_funM; last exact: mphi.
  exact: measurable_fun_indic.
rewrite [RHS]gaussE -/F -(I_turn R n r r1 F nF).
have mB' : measurable [set g : vec n | B (dot r g) /\ A g].
  have -> : [set g : vec n | B (dot r g) /\ A g] = (dot r @^-1` B) `&` A by [].
  apply: measurableI => //; rewrite -[X in measurable X]setTI; exact: (mdot R n r).
rewrite gaussE.
transitivity (I n.+1 (fun p : vec n.+1 => (phi1 p.1 * (fun g => \1_[set g | B (dot r g) /\ A g] g * phi n g) p.2)%:E)).
  apply: esym; rewrite (I_product n phi1 (fun g => \1_[set g | B (dot r g) /\ A g] g * phi n g)).
  - by rewrite mass1 mul1e.
  - exact: mphi1.
  - by apply: measurable_funM; [exact: measurable_fun_indic | exact: mphi].
  - exact: phi1_ge0.
  - by move=> g; rewrite mulr_ge0 ?phi_ge0 // indicE.
apply: Iext => -[x g]; rewrite /F; congr EFin.
rewrite {2}/phi (turn_norm R n r r1) -/(phi n.+1 (x, g)) phi_S mulrCA; congr (_ * _).
rewrite !indicE; congr (nat_of_bool _)%:R.
apply/idP/idP; rewrite !inE /rotation.turn /= => -[hB hA]; split=> //.
  exact: inv.
by have [h _] := invE (- (x + dot r g)) g; apply: h.
Qed.

(* the tail beyond c standard deviations *)
Definition tail (c : R) : \bar R := law1 [set x | c < `|x|].

Lemma mbeyond (c : R) : measurable [set x : R | c < `|x|].
Proof.
have := measurable_fun_normr (D := setT) => /(_ R measurableT `]c, +oo[%classic (measurable_itv _)).
rewrite setTI; congr measurable; apply/seteqP; split=> x /=; by rewrite in_itv /= andbT.
Qed.

Definition far n (r : vec n) (c : R) : set (vec n) := [set g | c * Num.sqrt (dot r r) < `|dot r g|].

Lemma mfar n (r : vec n) (c : R) : measurable (far n r c).
Proof.
rewrite -[X in measurable X]setTI.
exact: (mdot R n r measurableT _ (mbeyond (c * Num.sqrt (dot r r)))).
Qed.

Lemma independent_tail n (r : vec n) (A : set (vec n)) (c : R) : 0 <= c ->
  measurable A -> (forall t g, A g -> A (axpy t r g)) ->
  (gauss n (far n r c `&` A) <= tail c * gauss n A)%E.
Proof.
move=> c0 mA inv; set q := Num.sqrt (dot r r).
have q0 : 0 <= q by exact: sqrtr_ge0.
have [qz|qn] := eqVneq q 0.
  have rr : dot r r = 0 by apply/eqP; rewrite eq_le -sqrtr_eq0 -/q qz eqxx dot_ge0.
  rewrite (_ : _ `&` _ = set0); first by rewrite [gauss n _]measure0 mule_ge0 ?law1_ge0 ?gauss_ge0.
  by apply/seteqP; split=> g //= -[]; rewrite /far /= -/q qz mulr0 (dot_null _ _ _ _ rr) normr0 ltxx.
have rr : dot r r = q ^+ 2 by rewrite sqr_sqrtr // dot_ge0.
set u := scale R n q^-1 r.
have u1 : dot u u = 1.
  by rewrite /u dot_scale dotC dot_scale rr expr2 mulKf // mulVf.
have inv' t g : A g -> A (axpy t u g) by rewrite /u axpy_scale; exact: inv.
rewrite -(independent n u A _ u1 mA (mbeyond c) inv') le_eqVlt; apply/orP; left; apply/eqP; congr (gauss n _).
have qp : 0 < q by rewrite lt_neqAle eq_sym qn.
apply/seteqP; split=> g /= -[h hA]; split=> //; move: h; rewrite /u dot_scale normrM normrV ?unitfE // (ger0_norm q0).
  by rewrite mulrC ltr_pdivl_mulr.
by rewrite mulrC ltr_pdivl_mulr.
Qed.

End gauss.
