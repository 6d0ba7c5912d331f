(******************************************************************************)
(*               Vectors with the same scalar products are alike              *)
(*                                                                            *)
(* A reflection keeps the normal law of R^m, for it is a half of a turn by    *)
(* two right angles with a new coordinate. Vectors that have the scalar       *)
(* products of others are carried to them by reflections, one after another,  *)
(* so that their combinations have the same law.                              *)
(*                                                                            *)
(* Statements:                                                                *)
(*   reflect v g == g, reflected in the direction v                           *)
(*   isometry Q == Q is measurable, keeps scalar products and the normal law  *)
(*   carried_to == an isometry carries vectors to others with the same scalar *)
(*       products                                                             *)
(*   isometry_integral == integrals do not change by it                       *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law.    *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral nsatz_realtype.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section reflections.
Variables (R : realType) (D : density R).
Notation vec := (vec R).
Arguments dot {R n}.
Arguments axpy {R n}.
Notation phi := (phi R D).
Notation phi1 := (phi1 R D).

Definition reflect n (v g : vec n) : vec n := axpy (- ((dot v g + dot v g) / dot v v)) v g.
Arguments reflect {n}.

Lemma mreflect n (v : vec n) : measurable_fun setT (reflect v).
Proof.
apply: (measurable_fun_comp (f := fun p : vec n.+1 => axpy p.1 v p.2)
  (g := fun g : vec n => (- ((dot v g + dot v g) / dot v v), g) : vec n.+1)); first exact: maxpy.
apply: mpair; last exact: measurable_fun_id.
apply: measurable_funN; apply: measurable_funM; last exact: measurable_fun_cst.
by apply: measurable_funD; exact: mdot.
Qed.

Lemma reflect_dot n (v g h : vec n) : dot (reflect v g) (reflect v h) = dot g h.
Proof.
rewrite /reflect dot_axpy dotC dot_axpy [dot (axpy _ v g) v]dotC dot_axpy [dot h g]dotC [dot h v]dotC.
have [e|ne] := eqVneq (dot v v) 0; first by rewrite e invr0 !mulr0 oppr0 !mul0r !addr0.
have := divff ne; move: (dot g h) (dot v g) (dot v h) (dot v v) (dot v v)^-1 => c a b q i qi.
nsatz.
Qed.

Lemma reflect_still n (v g : vec n) : dot v g = 0 -> reflect v g = g.
Proof. by move=> e; rewrite /reflect e addr0 mul0r oppr0 axpy0. Qed.

Lemma mturn n (r : vec n) : measurable_fun setT (turn R n r).
Proof.
have m2 : measurable_fun setT (fun p : vec n.+1 => dot r p.2).
  by apply: (measurable_fun_comp (mdot R n r)); exact: msnd.
apply: mpair => //; apply: (measurable_fun_comp (f := fun p : vec n.+1 => axpy p.1 r p.2)
  (g := fun p : vec n.+1 => (- (p.1 + dot r p.2), p.2) : vec n.+1)); first exact: maxpy.
apply: mpair; last exact: msnd.
by apply: measurable_funN; apply: measurable_funD => //; exact: mfst.
Qed.

Lemma turned_twice n (r : vec n) (p : vec n.+1) : dot r r = 1 ->
  (turn R n r (turn R n r p)).2 = axpy (- (dot r p.2 + dot r p.2)) r p.2.
Proof.
case: p => x g r1; rewrite /turn /= dot_axpy r1 axpyD; congr (axpy _ r g).
by move: (dot r g) => y; nsatz.
Qed.

(* a reflection keeps the law *)
Lemma reflect_law n (v : vec n) (A : set (vec n)) : measurable A -> gauss R D n (reflect v @^-1` A) = gauss R D n A.
Proof.
move=> mA; have [q0|qn] := eqVneq (dot v v) 0.
  congr (gauss _ _ _ _); apply/seteqP; split=> g /=; by rewrite reflect_still // dot_null.
have qp : 0 < dot v v by rewrite lt_neqAle eq_sym qn dot_ge0.
set q := Num.sqrt (dot v v); have qq : q ^+ 2 = dot v v by rewrite sqr_sqrtr // ltW.
have q0 : q != 0 by rewrite sqrtr_eq0 -ltNge.
set u := scale R n q^-1 v.
have u1 : dot u u = 1 by rewrite /u dot_scale dotC dot_scale -qq expr2 mulKf // mulVf.
have e g : reflect v g = axpy (- (dot u g + dot u g)) u g.
  rewrite /u axpy_scale dot_scale /reflect -qq; congr (axpy _ v g).
  by have := mulVf q0; rewrite expr2 invfM; move: (q^-1) (dot v g) => i a qi; nsatz.
have mA' : measurable (reflect v @^-1` A) by rewrite -[X in measurable X]setTI; exact: mreflect.
have whole B : measurable B -> gauss R D n B = I R n.+1 (fun p : vec n.+1 => (\1_B p.2 * phi n.+1 p)%:E).
  move=> mB; rewrite gaussE -[LHS]mul1e -(mass1 R D) -I_product.
  - by apply: Iext => -[x g]; rewrite phi_S /= mulrCA.
  - exact: mphi1.
  - by apply: measurable_funM; [exact: measurable_fun_indic | exact: mphi].
  - exact: phi1_ge0.
  - by move=> g; rewrite mulr_ge0 ?phi_ge0 // indicE.
rewrite !whole //; set F := fun p : vec n.+1 => (\1_A p.2 * phi n.+1 p)%:E.
have nF : nnm R n.+1 F.
  split; last by move=> p; rewrite lee_fin mulr_ge0 ?phi_ge0 // indicE.
  apply/EFin_measurable_fun; apply: measurable_funM; last exact: mphi.
  by apply: (measurable_fun_comp (f := \1_A : vec n -> R) (g := @snd R (vec n))); [exact: measurable_fun_indic | exact: msnd].
rewrite -[RHS](I_turn R n u u1 F nF) -[RHS](I_turn R n u u1) //; last by apply: nnm_comp => //; exact: mturn.
apply: Iext => p; rewrite /F turned_twice // -e; congr (_ * _)%:E.
by rewrite /gaussian_law.phi !turn_norm.
Qed.

(* ---- from vectors to others with the same scalar products ---- *)
Definition isometry n (Q : vec n -> vec n) : Prop :=
  [/\ measurable_fun setT Q, (forall g h, dot (Q g) (Q h) = dot g h) &
      forall A, measurable A -> gauss R D n (Q @^-1` A) = gauss R D n A].

Lemma apart_axpy n (a b : vec n) : axpy (-1) (axpy (-1) b a) a = b.
Proof.
elim: n a b => [|n IH] a b; first by case: b.
by case: a b => x a [y b] /=; rewrite IH; congr (_, _); nsatz.
Qed.

Lemma null_axpy n (a b : vec n) : dot (axpy (-1) b a) (axpy (-1) b a) = 0 -> a = b.
Proof.
elim: n a b => [|n IH] a b; first by case: a b => -[].
case: a b => x a [y b] /= /eqP; rewrite paddr_eq0 ?dot_ge0 -?expr2 ?sqr_ge0 //.
rewrite sqrf_eq0 mulN1r subr_eq0 => /andP[/eqP -> /eqP h]; congr (_, _); exact: IH.
Qed.

Lemma carried_to n q (a b : nat -> vec n) :
  (forall i j, (i < q)%N -> (j < q)%N -> dot (a i) (a j) = dot (b i) (b j)) ->
  exists2 Q, isometry n Q & forall i, (i < q)%N -> Q (a i) = b i.
Proof.
elim: q => [|q IH] same.
  by exists id => //; split=> //; exact: measurable_fun_id.
have [|Q [mQ dQ gQ] ab] := IH; first by move=> i j iq jq; apply: same; exact: ltnW.
set z := Q (a q); set v := axpy (-1) (b q) z.
have zz : dot z z = dot (b q) (b q) by rewrite /z dQ same.
exists (reflect v \o Q).
  split.
  - exact: (measurable_fun_comp (mreflect n v) mQ).
  - by move=> g h; rewrite /= reflect_dot.
  - move=> A mA; rewrite comp_preimage gQ ?reflect_law //.
    by rewrite -[X in measurable X]setTI; exact: mreflect.
move=> i; rewrite ltnS leq_eqVlt => /orP[/eqP -> /=|iq /=]; last first.
  rewrite ab // reflect_still // /v dotC dot_axpy dotC -(ab i iq) dQ same ?(ltnW iq) //; last by rewrite ltnS ltnW.
  by rewrite ab // [dot (b i) _]dotC mulN1r subrr.
have vz : dot v z = dot z z - dot (b q) z by rewrite /v dotC dot_axpy mulN1r [dot z (b q)]dotC.
have vb : dot v (b q) = - dot v z by rewrite vz /v dotC dot_axpy -zz mulN1r opprB.
have vv : dot v v = dot v z + dot v z by rewrite {2}/v dot_axpy vb mulN1r opprK.
have [v0|vn] := eqVneq (dot v v) 0.
  by rewrite -/z reflect_still; [exact: (null_axpy _ _ _ v0) | exact: (dot_null _ _ _ _ v0)].
rewrite -/z /reflect -vv divff // /v; exact: apart_axpy.
Qed.

Local Open Scope ereal_scope.
Lemma isometry_integral n (Q : vec n -> vec n) (F : vec n -> \bar R) : isometry n Q -> measurable_fun setT F ->
  \int[gauss R D n]_g F (Q g) = \int[gauss R D n]_g F g.
Proof.
move=> [mQ _ gQ] mF.
have nn (H : vec n -> \bar R) : measurable_fun setT H -> (forall g, 0 <= H g) ->
    \int[gauss R D n]_g H (Q g) = \int[gauss R D n]_g H g.
  move=> mH H0; rewrite -[LHS](integral_pushforward mQ [the {measure set vec n -> \bar R} of gauss R D n] mH H0).
  by apply: eq_measure_integral => A mA _; exact: gQ.
rewrite integralE [RHS]integralE; congr (_ - _).
  rewrite -[RHS]nn //; try exact: (emeasurable_fun_funepos mF); by apply: eq_integral => g _; rewrite !funeposE.
rewrite -[RHS]nn //; try exact: (emeasurable_fun_funeneg mF); by apply: eq_integral => g _; rewrite !funenegE.
Qed.
End reflections.
