(******************************************************************************)
(*                Integrals with the density of the normal law                *)
(*                                                                            *)
(* A mean is an integral with the density, and a function that is a product   *)
(* of one that does not see a direction and one of a coordinate along it has  *)
(* a product of integrals.                                                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   law_integral == the mean of a function of standard normal numbers        *)
(*   along == a product of two such functions                                 *)
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

Section integrals.
Variables (R : realType) (D : density R).
Notation vec := (vec R).
Arguments dot {R n}.
Arguments axpy {R n}.
Notation law n := [the {measure set (vec n) -> \bar R} of gauss R D n].
Notation I := (I R).
Notation phi1 := (phi1 R D).
Notation phi := (phi R D).

Lemma law_sf n : sigma_finite setT (law n).
Proof.
exists (fun=> setT); first by rewrite bigcup_const //; exists 0%N.
by move=> i; split=> //; rewrite [X in (X < _)%E]gaussT ltry.
Qed.

Lemma nnm_real n (F : vec n -> R) : measurable_fun setT F -> (forall g, 0 <= F g) -> nnm R n (fun g => (F g)%:E).
Proof. by move=> mF F0; split=> [|g]; [exact/EFin_measurable_fun | rewrite lee_fin]. Qed.

(* the length of what is under a number *)
Lemma under_length (c : R) : 0 <= c -> (\int[@leb R]_t (\1_(`]0, c[%classic : set R) t)%:E = c%:E)%E.
Proof.
move=> c0; have mi : measurable (`]0, c[%classic : set R) by exact: (measurable_itv `]0, c[).
rewrite integral_indic // setIT; change (lebesgue_measure `]0, c[%classic = c%:E); rewrite lebesgue_itv /= lte_fin.
case: ifP => [_|/negbT]; first by rewrite oppr0 adde0.
by rewrite -leNgt => c1; congr EFin; apply: le_anti; rewrite c0 c1.
Qed.

(* the integral of a function with respect to the law has its density *)
Lemma law_integral n (F : vec n -> R) : measurable_fun setT F -> (forall g, 0 <= F g) ->
  (\int[law n]_g (F g)%:E = I n (fun g => (F g * phi n g)%:E))%E.
Proof.
move=> mF F0; pose H := [set p : vec n * R | 0 < p.2 < F p.1].
have m1 : measurable_fun setT (fun p : vec n * R => F p.1) by apply: (measurable_fun_comp mF); exact: mfst.
have m2 : measurable_fun setT (fun p : vec n * R => p.2) by exact: msnd.
have mH : measurable H.
  have -> : H = ((fun p : vec n * R => p.2) @^-1` `]0, +oo[) `&` ((fun p : vec n * R => F p.1 - p.2) @^-1` `]0, +oo[).
    by apply/seteqP; split=> p; rewrite /H /= !in_itv /= !andbT subr_gt0; [move=> /andP | move=> h; apply/andP].
  have m3 : measurable_fun setT (fun p : vec n * R => F p.1 - p.2) by exact: measurable_funB.
  by apply: measurableI; rewrite -[X in measurable X]setTI; [apply: m2 | apply: m3] => //; exact: measurable_itv.
have mI : measurable_fun setT (fun p : vec n * R => (\1_H p : R)%:E) by apply/EFin_measurable_fun; exact: measurable_fun_indic.
have I0 p : (0 <= (\1_H p : R)%:E)%E by rewrite lee_fin indicE.
have below g : (\int[@leb R]_t (\1_H (g, t) : R)%:E = (F g)%:E)%E.
  by rewrite -(under_length (F g)).
pose J (p : vec n * R) := (\1_H p * phi n p.1)%:E.
have mJ : measurable_fun setT J.
  apply/EFin_measurable_fun; apply: measurable_funM; first exact: measurable_fun_indic.
  by apply: (measurable_fun_comp (mphi R D n)); exact: mfst.
have J0 p : (0 <= J p)%E by rewrite lee_fin mulr_ge0 ?phi_ge0 // indicE.
have lsf : sigma_finite setT (lebn R n) := proj2_sig (lebs R n).
transitivity (\int[law n]_g fubini_F [the measure _ _ of @leb R] (fun p => (\1_H p : R)%:E) g)%E.
  by apply: eq_integral => g _; rewrite /fubini_F below.
rewrite -(tonelli1 (law_sf n) (@leb_sf R) mI I0) (fubini_tonelli2 (law_sf n) (@leb_sf R) _ mI I0).
transitivity (\int[@leb R]_t fubini_G (lebn R n) J t)%E; last first.
  rewrite -(fubini_tonelli2 lsf (@leb_sf R) _ mJ J0) (tonelli1 lsf (@leb_sf R) mJ J0).
  apply: eq_integral => g _; rewrite /fubini_F /J.
  under eq_integral do rewrite /= mulrC EFinM.
  rewrite ge0_integralM ?lee_fin ?phi_ge0 //; first by rewrite below -EFinM mulrC.
  exact: (measurable_fun_prod1 g mI).
apply: eq_integral => t _; rewrite /fubini_G.
have mt : measurable [set g | H (g, t)].
  have mp : measurable_fun setT (fun g : vec n => (g, t)) by apply: mpair; [exact: measurable_fun_id | exact: measurable_fun_cst].
  by have := mp measurableT _ mH; rewrite setTI.
have e g : \1_H (g, t) = \1_[set g | H (g, t)] g :> R.
  by rewrite !indicE; congr (nat_of_bool _)%:R; apply/idP/idP; rewrite !inE.
under eq_integral do rewrite e.
rewrite integral_indic // setIT [LHS]gaussE; apply: Iext => g; by rewrite /J e.
Qed.

(* a function that does not see a direction, times one of a coordinate along it *)
Lemma along n (r : vec n) (c W : vec n -> R) (u : R -> R) :
  measurable_fun setT c -> measurable_fun setT W -> measurable_fun setT u -> (forall g, 0 <= W g) -> (forall x, 0 <= u x) ->
  (forall t g, W (axpy t r g) = W g) -> (forall t g, c (axpy t r g) = c g + t) ->
  (I n (fun g => (W g * u (c g))%:E) = (\int[@leb R]_x (u x)%:E) * I n (fun g => (W g * phi1 (c g))%:E))%E.
Proof.
move=> mc mW mu W0 u0 stillW alongc.
have m2 (F : vec n -> R) : measurable_fun setT F -> measurable_fun setT (fun p : vec n.+1 => F p.2).
  by move=> mF; apply: (measurable_fun_comp mF); exact: msnd.
have mxc : measurable_fun setT (fun p : vec n.+1 => p.1 + c p.2).
  by apply: measurable_funD; [exact: mfst | exact: (m2 c)].
have mpc : measurable_fun setT (fun g => phi1 (c g)) by exact: (measurable_fun_comp (mphi1 R D) mc).
have muc : measurable_fun setT (fun g => u (c g)) by exact: (measurable_fun_comp mu mc).
have both (a b : R -> R) : measurable_fun setT a -> measurable_fun setT b -> (forall x, 0 <= a x) -> (forall x, 0 <= b x) ->
  nnm R n.+1 (fun p => (W p.2 * a (p.1 + c p.2) * b (c p.2))%:E).
  move=> ma mb a0 b0; apply: nnm_real => [|p]; last by rewrite !mulr_ge0.
  apply: measurable_funM; last exact: (m2 (fun g => b (c g)) (measurable_fun_comp mb mc)).
  by apply: measurable_funM; [exact: (m2 W) | exact: (measurable_fun_comp ma mxc)].
have m1 := mphi1 R D; have p0 := phi1_ge0 R D.
have first_ (a b : R -> R) : measurable_fun setT a -> measurable_fun setT b -> (forall x, 0 <= a x) -> (forall x, 0 <= b x) ->
    (I n.+1 (fun p => (W p.2 * a (p.1 + c p.2) * b (c p.2))%:E) =
     (\int[@leb R]_x (a x)%:E) * I n (fun g => (W g * b (c g))%:E))%E.
  move=> ma mb a0 b0; rewrite I_S' //; last exact: both.
  rewrite /rotation.I -ge0_integralM //; last 3 first.
  - apply/EFin_measurable_fun; apply: measurable_funM => //; exact: (measurable_fun_comp mb mc).
  - by move=> g _; rewrite lee_fin mulr_ge0.
  - by apply: integral_ge0 => x _; rewrite lee_fin.
  apply: eq_integral => g _; rewrite -(int_shift R (c g) (fun x => (a x)%:E)); last 2 first.
  - exact/EFin_measurable_fun.
  - by move=> x; rewrite lee_fin.
  rewrite muleC -ge0_integralM //; last 3 first.
  - apply/EFin_measurable_fun; apply: (measurable_fun_comp ma); exact: mshift.
  - by move=> x _; rewrite lee_fin.
  - by rewrite lee_fin mulr_ge0.
  by apply: eq_integral => x _; rewrite -EFinM mulrAC.
have sym x y : phi1 (x - y) = phi1 (y - x) by rewrite /gaussian_law.phi1 -opprB mulrNN.
rewrite -first_ // I_S; last exact: both.
transitivity (\int[@leb R]_x I n (fun g => (W g * u (c g) * phi1 (c g - x))%:E))%E; last first.
  apply: eq_integral => x _ /=.
  rewrite -(I_shift R n x r (fun g => (W g * u (c g) * phi1 (c g - x))%:E)); last first.
    apply: nnm_real => [|g]; last by apply: mulr_ge0; [exact: mulr_ge0 | exact: p0].
    apply: measurable_funM; first exact: measurable_funM.
    apply: (measurable_fun_comp m1); apply: measurable_funB => //; exact: measurable_fun_cst.
  by apply: Iext => g; rewrite stillW alongc addrK addrC.
have nn : nnm R n.+1 (fun p => (W p.2 * u (c p.2) * phi1 (c p.2 - p.1))%:E).
  apply: nnm_real => [|p]; last by apply: mulr_ge0; [exact: mulr_ge0 | exact: p0].
  apply: measurable_funM; first by apply: measurable_funM; [exact: (m2 W) | exact: (m2 (fun g => u (c g)))].
  by apply: (measurable_fun_comp m1); apply: measurable_funB; [exact: (m2 c) | exact: mfst].
rewrite -(I_S R n _ nn) I_S' //; apply: Iext => g /=.
transitivity ((W g * u (c g))%:E * \int[@leb R]_x (phi1 (x - c g))%:E)%E; last first.
  rewrite -ge0_integralM //; last 3 first.
  - apply/EFin_measurable_fun; apply: (measurable_fun_comp m1); exact: mshift.
  - by move=> x _; rewrite lee_fin.
  - by rewrite lee_fin mulr_ge0.
  by apply: eq_integral => x _; rewrite -EFinM sym.
rewrite (int_shift R (- c g) (fun x => (phi1 x)%:E)); last 2 first.
- exact/EFin_measurable_fun.
- by move=> x; rewrite lee_fin.
by rewrite (mass1 R D) mule1.
Qed.
End integrals.
