(******************************************************************************)
(*              What a player of one arm earns at most in the mean            *)
(*                                                                            *)
(* Theorem L's recursion for normal values. A player who is shown exact       *)
(* values draws the noises himself; what he has not seen is drawn anew, so    *)
(* that the mean of what follows a look is an integral over one normal        *)
(* variable.                                                                  *)
(*                                                                            *)
(* Statements:                                                                *)
(*   coordinate_mean, shifted_mean == the mean of a function of a combination *)
(*       as an integral over the line                                         *)
(*   step == what is earned in a round and the value after it have at most    *)
(*       the mean of the value before it                                      *)
(*   exact_earns == a player who sees exact values                            *)
(*   has_mean_together == a mean on vectors is one on any space               *)
(*   drawn_most == a mean of at most V for all draws is one                   *)
(*   player_earns_at_most == every player of one arm                          *)
(*   normal_mean_0, absolute_mean == two means                                *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_posterior, normal_density, adaptive_confidence, argmax_rule,      *)
(* reflections, resampling, moments, scalar, normal, definitions, sums,       *)
(* outcomes, joint_law, any_space, expected_regret, floor_in_mean,            *)
(* drawn_policies, largest_of_arms, prices_in_mean.                           *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_posterior normal_density adaptive_confidence
  reflections moments.
From CTV Require resampling argmax_rule largest_of_arms.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums outcomes joint_law any_space expected_regret.
From CTV Require Import floor_in_mean drawn_policies prices_in_mean.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation law m := [the {measure set vec RR m -> \bar RR}%ring of gauss RR normal_density.normal m].
Notation line := [the {measure set RR -> \bar RR}%ring of @lebesgue.leb RR].

(* ---- the mean of a function of one coordinate ---- *)

Lemma phi_density z : phi1 RR normal z = normal_density z.
Proof. exact: densityE. Qed.

Lemma coordinate_mean m (u : vec RR m) (F : RR -> RR) : dotp m u u = 1 -> measurable_fun setT F -> (forall x, 0 <= F x) ->
  (\int[law m]_g (F (dotp m u g))%:E = normal_mean F)%E.
Proof.
move=> u1 mF F0; pose B := [set p : RR * RR | 0 <= p.2 /\ p.2 < F p.1]%classic.
have mB : measurable B.
  have m1 : measurable_fun setT (fun p : RR * RR => p.2 : RR) by exact: msnd.
  have m2 : measurable_fun setT (fun p : RR * RR => F p.1 - p.2 : RR).
    by apply: measurable_funB => //; apply: (measurable_fun_comp mF); exact: mfst.
  have -> : B = ((fun p : RR * RR => p.2 : RR) @^-1` `[0%ring, +oo[ `&` (fun p : RR * RR => F p.1 - p.2 : RR) @^-1` `]0%ring, +oo[)%classic.
    by apply/seteqP; split=> p /=; rewrite !in_itv /= !andbT subr_gt0 => -[/RleP a /RltP b].
  by apply: measurableI; rewrite -[X in measurable X]setTI; [apply: m1 | apply: m2] => //; exact: measurable_itv.
have length z : lebesgue.leb RR [set t | B (z, t)]%classic = EFin (F z).
  have -> : [set t | B (z, t)]%classic = `[0%ring, F z[%classic.
    by apply/seteqP; split=> t; rewrite /B /= in_itv /=; [case=> /RleP -> /RltP -> | move=> /andP[/RleP a /RltP b]].
  rewrite /lebesgue.leb lebesgue_itv /= lte_fin; case: ltP => [_|h]; first by rewrite sube0.
  by congr EFin; apply/eqP; rewrite eq_le h andbT; exact/RleP.
have sections : (\int[law m]_g (F (dotp m u g))%:E = \int[line]_t \int[line]_z ((\1_B (z, t) : RR) * normal_density z)%:E)%E.
  pose A := [set p : vec RR m * RR | B (dotp m u p.1, p.2)]%classic.
  have mA : measurable A.
    have mp : measurable_fun setT (fun p : vec RR m * RR => (dotp m u p.1, p.2)).
      by apply: mpair; [apply: (measurable_fun_comp (mdot RR m u)); exact: mfst | exact: msnd].
    by have := mp measurableT _ mB; rewrite setTI.
  have e := largest_of_arms.layers m A mA.
  transitivity (\int[law m]_g @lebesgue.leb RR (xsection A g))%E.
    apply: eq_integral => g _; rewrite -length; congr (lebesgue.leb _ _).
    by apply/seteqP; split=> t; rewrite /xsection /= inE.
  rewrite e; apply: eq_integral => t _.
  have mt : measurable [set z | B (z, t)]%classic.
    have mp : measurable_fun setT (fun z : RR => (z, t)) by apply: mpair; [exact: measurable_fun_id | exact: measurable_fun_cst].
    by have := mp measurableT _ mB; rewrite setTI.
  have := independent RR normal m u setT [set z | B (z, t)]%classic u1 measurableT mt (fun _ _ h => h).
  rewrite [X in (_ * X)%E]gaussT mule1 law1E => e'.
  transitivity (gauss RR normal m [set g | [set z | B (z, t)]%classic (dotp m u g) /\ [set: vec RR m]%classic g]%classic).
    by congr (gauss _ _ _ _); apply/seteqP; split=> g; rewrite /ysection /= inE; [move=> b; split | case].
  by rewrite e'; apply: eq_integral => z _; rewrite phi_density.
pose f (p : RR * RR) := EFin ((\1_B p : RR)%ring * normal_density p.1).
have mf : measurable_fun setT f.
  apply/EFin_measurable_fun; apply: measurable_funM; first exact: measurable_fun_indic.
  by apply: (measurable_fun_comp mdensity); exact: mfst.
have f0 p : (0 <= f p)%E by rewrite lee_fin mulr_ge0 ?density_ge0 // indicE ler0n.
rewrite sections; transitivity (\int[line]_t fubini_G line f t)%E; first by [].
rewrite -(fubini_tonelli2 (@leb_sf RR) (@leb_sf RR) f) // (tonelli1 (@leb_sf RR) (@leb_sf RR) mf f0).
apply: eq_integral => z _; rewrite /fubini_F /f /=.
have mz : measurable [set t | B (z, t)]%classic by exact: msection.
rewrite (eq_integral (fun t => (normal_density z)%:E * (\1_[set t | B (z, t)]%classic t : RR)%:E)%E); last first.
  by move=> t _; rewrite -EFinM mulrC.
rewrite ge0_integralM //; last 3 first.
- by apply/EFin_measurable_fun; exact: measurable_fun_indic.
- by move=> t _; rewrite lee_fin indicE ler0n.
- by rewrite lee_fin density_ge0.
by rewrite integral_indic // setIT [X in (_ * X)%E]length -EFinM mulrC.
Qed.

Lemma shifted_mean m (r : vec RR m) (c : R) (F : RR -> RR) : measurable_fun setT F -> (forall x, 0 <= F x) ->
  (\int[law m]_g (F (c + dotp m r g)%R)%:E = normal_mean (fun z => F (c + sqrt (dotp m r r) * z)%R))%E.
Proof.
move=> mF F0; have r0 : 0 <= dotp m r r by apply/RleP; exact: dot_ge0.
case: (Req_EM_T (dotp m r r) 0) => [z|nz].
  rewrite z sqrt_0 (eq_integral (fun=> (F c)%:E)); last by move=> g _; rewrite (dot_null _ _ _ g z) Rplus_0_r.
  rewrite integral_cst // [X in (_ * X)%E]gaussT mule1.
  have mm : measurable_fun setT (fun x : RR => normal_density x : RR) by exact: mdensity.
  have -> : normal_mean (fun z0 => F (c + 0 * z0)) = (\int[line]_t ((F c)%:E * (normal_density t)%:E))%E.
    by apply: eq_integral => t _; rewrite Rmult_0_l Rplus_0_r EFinM.
  rewrite ge0_integralM //; last 3 first.
  - by apply/EFin_measurable_fun.
  - by move=> t _; rewrite lee_fin density_ge0.
  - by rewrite lee_fin; apply/RleP.
  have -> : (\int[line]_t (normal_density t)%:E = 1)%E.
    by rewrite -(mass1 RR normal); apply: eq_integral => t _; rewrite phi_density.
  by rewrite mule1.
have rp : 0 < dotp m r r by lra.
set q := sqrt (dotp m r r); have q0 : 0 < q by exact: sqrt_lt_R0.
have qq : q * q = dotp m r r by apply: sqrt_sqrt; lra.
pose u := scale RR m (/ q) r.
have u1 : dotp m u u = 1.
  rewrite /u dot_scale dotC dot_scale -qq; change (@eq R (/ q * (/ q * (q * q))) 1); field; lra.
have cancel (y : R) : y = q * (/ q * y) by field; lra.
have e g : dotp m r g = q * dotp m u g.
  by rewrite /u dot_scale; exact: (cancel (dotp m r g)).
have mF' : measurable_fun setT (fun x : RR => F (c + q * x) : RR).
  apply: (measurable_fun_comp (f := F) (g := fun x : RR => (c + q * x : RR))) => //.
  by apply: measurable_funD; [exact: measurable_fun_cst | apply: measurable_funM; [exact: measurable_fun_cst | exact: measurable_fun_id]].
rewrite -(coordinate_mean m u (fun x => F (c + q * x)) u1 mF' (fun x => F0 _)).
by apply: eq_integral => g _; rewrite e.
Qed.

Lemma balance (p q c e : \bar RR) : p \is a fin_num -> q \is a fin_num -> (p - q + c <= e)%E = (p + c <= e + q)%E.
Proof.
case: p q => [a||] [b||] //=; case: c e => [c||] [e||] // _ _; rewrite -?EFinN -?EFinD ?lee_fin.
- by rewrite addrAC ler_subl_addr.
- by rewrite !leey.
- by rewrite !leNye.
Qed.

(* ---- a player who sees exact values ---- *)
Section exact.
Variables (d n : nat) (w : nat -> vec RR d) (v : R) (h : R -> R -> R) (tau lam : nat -> R).
Hypothesis h1 : forall t, h t t = 1.
Hypothesis markov : forall t u s, t <= u <= s -> h t s = h t u * h u s.
Hypothesis sorted : forall i j, (i <= j)%coq_nat -> tau i <= tau j.
Hypothesis gram : forall i j, (i < n)%N -> (j < n)%N -> dotp d (w i) (w j) = v * h (tau i) (tau j).
Variables (W : nat -> R -> R) (V : R).
Hypothesis mW : forall j, measurable_fun setT (W j : RR -> RR).
Hypothesis W0 : forall j u, 0 <= W j u.
Hypothesis V0 : 0 <= V.
Notation corr j i := (h (tau j) (tau i)).
Notation spread j i := (sqrt (v * (1 - corr j i ^ 2))).
Hypothesis first_look : forall i, (i < n)%N ->
  ((- lam i)%R%:E + normal_mean (fun z => W i (sqrt v * z)%R) <= V%:E)%E.
Hypothesis next_look : forall j i u, (j < i)%N -> (i < n)%N ->
  ((corr j i * u - lam i)%R%:E + normal_mean (fun z => W i (corr j i * u + spread j i * z)%R) <= (W j u)%:E)%E.

Variable look : policy_on bool.
Hypothesis mlook : measurable_rule bool look.

Definition asked (j : nat) (hs : vec RR j) : vec RR d := if look j hs then w j else vec0 RR d.
Notation hist := (resampling.hist RR d asked).
Notation anew := (resampling.anew RR d asked).

Lemma looked j hs : look j hs -> asked j hs = w j.
Proof. by rewrite /asked => ->. Qed.
Lemma not_looked j hs : look j hs = false -> asked j hs = vec0 RR d.
Proof. by rewrite /asked => ->. Qed.

Lemma masked j : measurable_fun setT (asked j).
Proof.
apply: (mchosen _ _ (vec RR j) (vec RR d) (fin_type bool) (look j) (fun b _ => if b then w j else vec0 RR d)) => b.
  exact: mlook.
exact: measurable_fun_cst.
Qed.

(* after the looks of a history: the value from above, the mean of round i, what is left of it and its deviation *)
Fixpoint worth (j : nat) : vec RR j -> R :=
  match j return vec RR j -> R with
  | O => fun _ => V
  | S l => fun s => if look l s.2 then W l s.1 else worth l s.2
  end.
Fixpoint mean_at (i j : nat) : vec RR j -> R :=
  match j return vec RR j -> R with
  | O => fun _ => 0
  | S l => fun s => if look l s.2 then corr l i * s.1 else mean_at i l s.2
  end.
Fixpoint left_at (i j : nat) : vec RR j -> vec RR d :=
  match j return vec RR j -> vec RR d with
  | O => fun _ => w i
  | S l => fun s => if look l s.2 then axpy RR d (- corr l i) (w l) (w i) else left_at i l s.2
  end.
Fixpoint spread_at (i j : nat) : vec RR j -> R :=
  match j return vec RR j -> R with
  | O => fun _ => sqrt v
  | S l => fun s => if look l s.2 then spread l i else spread_at i l s.2
  end.

Lemma worth_ge0 j s : 0 <= worth j s.
Proof. by elim: j s => //= j IH s; case: look. Qed.

Lemma mlooks dT (T : measurableType dT) j (s : T -> vec RR j) b : measurable_fun setT s ->
  measurable [set t | look j (s t) = b]%classic.
Proof. by move=> ms; have := ms measurableT _ (mlook j b); rewrite setTI. Qed.

Lemma mworth j : measurable_fun setT (worth j : vec RR j -> RR).
Proof.
elim: j => [|j IH] /=; first exact: measurable_fun_cst.
apply: (mchosen_number _ (vec RR j.+1) (fin_type bool) (fun s => look j s.2) (fun b s => if b then W j s.1 else worth j s.2)) => b.
  by apply: (mlooks _ (vec RR j.+1)); exact: msnd.
by case: b; [apply: (measurable_fun_comp (mW j)); exact: mfst | apply: (measurable_fun_comp IH); exact: msnd].
Qed.

Lemma value_split i j g : dotp d (w i) g = mean_at i j (hist j g) + dotp d (left_at i j (hist j g)) g.
Proof.
elim: j => [|j IH] /=; first by rewrite Rplus_0_l.
case: ifP => lj; last by [].
rewrite looked //; have sum_ (a b c : R) : a = c * b + (a + - c * b) by ring.
by rewrite [dotp d (axpy _ _ _ _ _) g]dotC dot_axpy ![dotp d g _]dotC; exact: sum_.
Qed.

Lemma left_unseen i j g l : (i < n)%N -> (j <= i)%N -> (l < j)%N -> dotp d (asked l (hist l g)) (left_at i j (hist j g)) = 0.
Proof.
move=> hi; elim: j => [|j IH] // ji; rewrite ltnS => lj /=.
have hl : (l < n)%N by exact: leq_ltn_trans lj (ltn_trans ji hi).
case: ifP => lo; last first.
  by move: lj; rewrite leq_eqVlt => /orP[/eqP ->|lj]; [rewrite not_looked // dot0 | exact: IH (ltnW ji) lj].
case lo' : (look l (hist l g)); last by rewrite not_looked // dot0.
rewrite looked //.
rewrite dot_axpy !gram //; last exact: ltn_trans ji hi.
have := markov (tau l) (tau j) (tau i) (conj (sorted l j (elimT ssrnat.leP lj)) (sorted j i (elimT ssrnat.leP (ltnW ji)))) => ->.
have null (a b : R) : v * (a * b) + - b * (v * a) = 0 by ring.
exact: null.
Qed.

Lemma left_norm i j s : (i < n)%N -> (j <= i)%N -> sqrt (dotp d (left_at i j s) (left_at i j s)) = spread_at i j s.
Proof.
move=> hi; elim: j s => [|j IH] s ji /=; first by rewrite gram // h1 Rmult_1_r.
case: ifP => lo; last exact: IH (ltnW ji).
have hj : (j < n)%N by exact: ltn_trans ji hi.
congr sqrt; rewrite dot_axpy dotC dot_axpy [dotp d (axpy _ _ _ _ _) _]dotC dot_axpy [dotp d (w i) (w j)]dotC !gram // !h1.
have square (c : R) : v * 1 + - c * (v * c) + - c * (v * c + - c * (v * 1)) = v * (1 - c ^ 2) by ring.
exact: square.
Qed.

Lemma look_bound i j s : (i < n)%N -> (j <= i)%N ->
  ((mean_at i j s - lam i)%R%:E + normal_mean (fun z => W i (mean_at i j s + spread_at i j s * z)%R) <= (worth j s)%:E)%E.
Proof.
move=> hi; elim: j s => [|j IH] s ji /=.
  have := first_look i hi; rewrite Rminus_0_l; congr (_ + _ <= _)%E.
  by apply: eq_integral => z _; rewrite Rplus_0_l.
by case: ifP => lo; [exact: next_look | exact: IH (ltnW ji)].
Qed.

Lemma value_anew i g b : (i < n)%N -> dotp d (w i) (anew i g b) = mean_at i i (hist i g) + dotp d (left_at i i (hist i g)) b.
Proof.
move=> hi; rewrite (value_split i i) resampling.hist_anew; congr (_ + _).
have still := resampling.left_still RR d asked i g (left_at i i (hist i g)) (fun l li => left_unseen i i g l hi (leqnn i) li).
by rewrite -{1}still resampling.left_anew still.
Qed.

(* what is earned in a round *)
Definition gained (i : nat) (g : vec RR d) : R := if look i (hist i g) then dotp d (w i) g - lam i else 0.

Lemma mgained i : measurable_fun setT (gained i : vec RR d -> RR).
Proof.
apply: (mchosen_number _ (vec RR d) (fin_type bool) (fun g => look i (hist i g)) (fun b g => if b then dotp d (w i) g - lam i else 0)) => b.
  by apply: (mlooks _ (vec RR d)); exact: (resampling.mhist RR d asked masked).
by case: b; [apply: measurable_funB; [exact: mdot|] |]; exact: measurable_fun_cst.
Qed.

Lemma gained_has_mean i : has_mean (law d) (gained i).
Proof.
have hm : has_mean (law d) (fun g => `|dotp d (w i) g| + `|lam i : RR|)%ring.
  have := integrableD measurableT (has_mean_abs _ _ _ _ (has_mean_dot d (w i))) (has_mean_cst d `|lam i : RR|%ring).
  by [].
apply: (has_mean_le _ _ (fun g => `|dotp d (w i) g| + `|lam i : RR|)%ring) => //; first exact: mgained.
move=> g; rewrite /gained; case: ifP => _; last by rewrite normr0.
rewrite [X in (_ <= X)%ring]ger0_norm ?addr_ge0 //; apply/RleP.
by have := Rabs_triang (dotp d (w i) g) (- lam i); rewrite Rabs_Ropp; exact.
Qed.

Definition value_after (i : nat) : \bar RR := (\int[law d]_g (worth i (hist i g))%:E)%E.

Lemma mworth_hist i : measurable_fun setT (fun g : vec RR d => (worth i (hist i g))%:E).
Proof.
apply/EFin_measurable_fun; apply: (measurable_fun_comp (mworth i)); exact: (resampling.mhist RR d asked masked).
Qed.

Theorem step i : (i < n)%N -> (value_after i < +oo)%E ->
  (\int[law d]_g (gained i g)%:E + value_after i.+1 <= value_after i)%E.
Proof.
move=> hi fin; pose X := EFin \o gained i; pose Phi (g : vec RR d) := (worth i.+1 (hist i.+1 g))%:E.
have mX : measurable_fun setT X by apply/EFin_measurable_fun; exact: mgained.
have mP : measurable_fun setT Phi by exact: mworth_hist.
have P0 g : (0 <= Phi g)%E by rewrite lee_fin; apply/RleP; exact: worth_ge0.
have mXp : measurable_fun setT (X^\+)%E by exact: emeasurable_fun_funepos.
have mXn : measurable_fun setT (X^\-)%E by exact: emeasurable_fun_funeneg.
have ma := resampling.manew RR d asked masked i.
have mF (F : vec RR d -> \bar RR) : measurable_fun setT F -> (forall g, (0 <= F g)%E) ->
    measurable_fun setT (fun g => \int[law d]_b F (anew i g b))%E.
  move=> mF F0; exact: (@measurable_fun_fubini_tonelli_F _ _ _ _ _ (law d) (gauss_sf d)
    (fun p => F (anew i p.1 p.2)) (measurable_fun_comp mF ma) (fun p => F0 _)).
have aw F (mF : measurable_fun setT F) (F0 : forall g, (0 <= F g)%E) := resampling.anew_law RR normal d asked masked i F mF F0.
have hX : (law d).-integrable setT X := gained_has_mean i.
have finN : (\int[law d]_g X^\- g)%E \is a fin_num by apply: integrable_neg_fin_num.
have finP : (\int[law d]_g X^\+ g)%E \is a fin_num by apply: integrable_pos_fin_num.
suff key : (\int[law d]_g X^\+ g + \int[law d]_g Phi g <= value_after i + \int[law d]_g X^\- g)%E.
  have e : (\int[law d]_g (gained i g)%:E = \int[law d]_g X^\+ g - \int[law d]_g X^\- g)%E by rewrite [LHS]integralE.
  by rewrite [X in (X + _ <= _)%E]e (balance _ _ _ _ finP finN); exact: key.
have Xp0 g : (0 <= X^\+ g)%E by exact: funepos_ge0.
have Xn0 g : (0 <= X^\- g)%E by exact: funeneg_ge0.
rewrite -(aw _ mXp Xp0) -(aw _ mP P0) -(aw _ mXn Xn0).
have i0 (F : vec RR d -> \bar RR) g : (forall g, (0 <= F g)%E) -> (0 <= \int[law d]_b F (anew i g b))%E.
  by move=> F0; apply: integral_ge0.
have w0 g : [set: vec RR d]%classic g -> (0 <= (worth i (hist i g))%:E)%E.
  by move=> _; rewrite lee_fin; apply/RleP; exact: worth_ge0.
have mw := mworth_hist i; have mp := mF _ mXp Xp0; have mq := mF _ mXn Xn0; have mr := mF _ mP P0.
have p0 g (_ : [set: vec RR d]%classic g) := i0 _ g Xp0; have q0 g (_ : [set: vec RR d]%classic g) := i0 _ g Xn0.
have r0 g (_ : [set: vec RR d]%classic g) := i0 _ g P0.
rewrite -(ge0_integralD (law d) measurableT p0 mp r0 mr) -(ge0_integralD (law d) measurableT w0 mw q0 mq).
apply: ge0_le_integral.
- exact: measurableT.
- by move=> g _; apply: adde_ge0; [exact: p0 | exact: r0].
- exact: (emeasurable_funD mp mr).
- by move=> g _; apply: adde_ge0; [exact: w0 | exact: q0].
- exact: (emeasurable_funD mw mq).
move=> g _; set s := hist i g.
have same b : hist i (anew i g b) = s by exact: resampling.hist_anew.
case lo : (look i s); last first.
  have X0 b : X (anew i g b) = 0%E by rewrite /X /gained /= same lo.
  rewrite (eq_integral (fun=> 0%E)) ?integral0 ?add0e; last by move=> b _; rewrite funeposE X0 maxxx.
  rewrite [X in (_ <= _ + X)%E](eq_integral (fun=> 0%E)) ?integral0 ?adde0; last by move=> b _; rewrite funenegE X0 oppe0 maxxx.
  rewrite (eq_integral (fun=> (worth i s)%:E)); last by move=> b _; rewrite /Phi /= same lo.
  by rewrite integral_cst // [X in (_ * X)%E]gaussT mule1.
pose r := left_at i i s; pose c := mean_at i i s; pose x b := (c + dotp d r b - lam i).
have Xb b : X (anew i g b) = (x b)%:E by rewrite /X /gained /= same lo value_anew.
have Pb b : Phi (anew i g b) = (W i (c + dotp d r b)%R)%:E.
  by rewrite /Phi /= same {1}/asked lo value_anew // same.
have xE b : (x b)%:E = ((dotp d r b)%:E + (c - lam i)%R%:E)%E.
  by have apart (p q : R) : c + p - q = p + (c - q) by [ring]; rewrite -EFinD; congr EFin; exact: apart.
have hx : (law d).-integrable setT (EFin \o x).
  have := integrableD measurableT (has_mean_dot d r) (has_mean_cst d (c - lam i)).
  by apply: eq_integrable => // b _; exact: (esym (xE b)).
have mean_x : (\int[law d]_b (EFin \o x) b = (c - lam i)%R%:E)%E.
  rewrite (eq_integral (fun b => (dotp d r b)%:E + (c - lam i)%R%:E)%E); last by move=> b _; exact: xE.
  rewrite (integralD measurableT (has_mean_dot d r) (has_mean_cst d (c - lam i))).
  have -> : (\int[law d]_b (EFin \o dotp d r) b = 0)%E.
    have := blind d setT r measurableT (fun g => conj (fun=> Logic.I) (fun=> Logic.I)); apply: etrans.
    by apply: eq_integral => b _; rewrite indicE in_setT mulr1.
  have e := integral_cst (law d) measurableT (c - lam i)%R%:E; rewrite [X in (_ * X)%E]gaussT mule1 in e.
  by rewrite add0e; exact: e.
rewrite (eq_integral ((EFin \o x)^\+)%E); last by move=> b _; rewrite !funeposE Xb.
rewrite [X in (_ <= _ + X)%E](eq_integral ((EFin \o x)^\-)%E); last by move=> b _; rewrite !funenegE Xb.
rewrite [X in (_ + X <= _)%E](eq_integral (fun b => (W i (c + dotp d r b)%R)%:E)); last by move=> b _; rewrite Pb.
rewrite (shifted_mean d r c (W i) (mW i) (W0 i)) left_norm //.
have bound := look_bound i i s hi (leqnn i); rewrite -/c in bound.
have finp : (\int[law d]_b ((EFin \o x)^\+)%E b)%E \is a fin_num by apply: integrable_pos_fin_num.
have finn : (\int[law d]_b ((EFin \o x)^\-)%E b)%E \is a fin_num by apply: integrable_neg_fin_num.
by rewrite -(balance _ _ _ _ finp finn) -integralE mean_x; exact: bound.
Qed.

Theorem exact_earns N : (N <= n)%N ->
  (\int[law d]_g (sum N (fun i => gained i g))%R%:E + value_after N <= V%:E)%E.
Proof.
elim: N => [|N IH] hN.
  rewrite /value_after /= integral0 add0e (eq_integral (fun=> V%:E)) // integral_cst // [X in (_ * X)%E]gaussT mule1.
  by [].
have {}IH := IH (ltnW hN).
have hs M : has_mean (law d) (fun g => sum M (fun i => gained i g)).
  elim: M => [|M IHM]; first exact: has_mean_cst.
  by have := integrableD measurableT IHM (gained_has_mean M).
have -> : (\int[law d]_g (sum N.+1 (fun i => gained i g))%:E =
    \int[law d]_g (sum N (fun i => gained i g))%R%:E + \int[law d]_g (gained N g)%:E)%E.
  by rewrite -(integralD measurableT (hs N) (gained_has_mean N)).
have f1 := integral_fune_fin_num measurableT (hs N).
have fin : (value_after N < +oo)%E.
  move: IH f1; rewrite /comp; case: (\int[law d]_g _)%E => // a.
  by case: (value_after N) => [b||] //=; rewrite ltry.
rewrite -addeA; apply: le_trans IH; apply: lee_add2l; exact: step.
Qed.
End exact.

(* ---- what holds of the mean for all draws ---- *)

Lemma has_mean_together dT (T : measurableType dT) (P : measure_on dT T) m (G : nat -> T -> R) (F : vec RR m -> RR) :
  independent_normals dT T P m G -> has_mean (law m) F -> has_mean P (fun w => F (together dT T m G w)).
Proof.
move=> normals hF; have [_ [mG _]] := normals; have mv := mtogether dT T m G mG.
have mF : measurable_fun setT F by case/integrableP: hF => /EFin_measurable_fun.
apply/integrableP; split; first by apply/EFin_measurable_fun; exact: (measurable_fun_comp mF mv).
case/integrableP: hF => _; congr (_ < _)%E.
have mA : measurable_fun setT (fun g => `|F g|)%ring.
  by apply: (measurable_fun_comp (f := fun x : RR => `|x|%ring)) => //; exact: measurable_fun_normr.
apply: esym; apply: (mean_on_vectors dT T P G m (fun g => `|F g|%ring%:E) normals); exact/EFin_measurable_fun.
Qed.

Lemma drawn_most dT (T : measurableType dT) (P : measure_on dT T) m (G : nat -> T -> R) dS (S : measurableType dS) (U : T -> S)
  (X : S * vec RR m -> R) (Z : vec RR m -> R) V :
  independent_normals dT T P m G -> independent_draws dT T P m G dS S U ->
  measurable_fun setT (X : _ -> RR) -> has_mean (law m) (Z : _ -> RR) -> (forall p, Rabs (X p) <= Z p.2) ->
  (forall u, (\int[law m]_g (X (u, g))%:E <= V%:E)%E) -> (mean_of dT T P (fun w => X (U w, together dT T m G w)) <= V%:E)%E.
Proof.
move=> normals drawn mX hZ XZ most; have [P1 [mG _]] := normals; have [mU _] := drawn.
have mv := mtogether dT T m G mG; set vector := together dT T m G in mv *.
have mboth : measurable_fun setT (fun w => (U w, vector w)) by exact: mpair.
have Z0 g (u : S) : 0 <= Z g by have := XZ (u, g); have := Rabs_pos (X (u, g)); rewrite /=; lra.
have mZ : measurable_fun setT (Z : _ -> RR) by case/integrableP: hZ => /EFin_measurable_fun.
have finZ := integral_fune_fin_num measurableT hZ; set z := fine (\int[law m]_g (Z g)%:E).
have eZ : (\int[law m]_g (Z g)%:E = z%:E)%E by rewrite fineK.
have onP (F : vec RR m -> RR) : measurable_fun setT F -> mean_of dT T P (fun w => F (vector w)) = (\int[law m]_g (F g)%:E)%E.
  by move=> mF; apply: (mean_on_vectors dT T P G m (fun g => (F g)%:E) normals); exact/EFin_measurable_fun.
have hZP := has_mean_together dT T P m G (Z : _ -> RR) normals hZ.
have hXP : has_mean P (fun w => X (U w, vector w) : RR).
  apply: (has_mean_le _ _ (fun w => Z (vector w) : RR)) hZP; first exact: (measurable_fun_comp mX mboth).
  by move=> w; rewrite [X in (_ <= X)%ring]ger0_norm; [apply/RleP; exact: (XZ (U w, vector w)) | apply/RleP; exact: (Z0 _ (U w))].
pose F (p : S * vec RR m) : RR := X p + Z p.2.
have mF : measurable_fun setT F.
  by apply: measurable_funD => //; apply: (measurable_fun_comp mZ); exact: msnd.
have F0 p : 0 <= F p by have := XZ p; have := Rle_abs (- X p); rewrite Rabs_Ropp /F; lra.
have mF' : measurable_fun setT (EFin \o F) by apply/EFin_measurable_fun.
have F0' p : (0 <= (EFin \o F) p)%E by rewrite lee_fin; apply/RleP.
pose draws := of_draws dT T P m G dS S U drawn.
have e : mean_of dT T P (fun w => F (U w, vector w)) = (\int[draws]_u fubini_F (law m) (EFin \o F) u)%E.
  rewrite -(tonelli1 (draws_sf dT T P m G dS S U normals drawn) (gauss_sf m) mF' F0') /mean_of.
  rewrite -[LHS](integral_pushforward mboth P mF' F0').
  by apply: eq_measure_integral => A mA _; exact: (draw_law dT T P m G dS S U normals drawn A mA).
have mXu u : measurable_fun setT (fun g => X (u, g) : RR).
  by apply: (measurable_fun_comp mX); apply: mpair; [exact: measurable_fun_cst | exact: measurable_fun_id].
have hX u : has_mean (law m) (fun g => X (u, g) : RR).
  apply: (has_mean_le _ _ (Z : _ -> RR)) => // g.
  by rewrite [X in (_ <= X)%ring]ger0_norm; [apply/RleP; exact: (XZ (u, g)) | apply/RleP; exact: (Z0 _ u)].
have each u : (\int[law m]_g (F (u, g))%:E <= (V + z)%R%:E)%E.
  rewrite (eq_integral (fun g => (X (u, g))%:E + (Z g)%:E)%E) // (integralD measurableT (hX u) hZ).
  by rewrite [X in (_ + X)%E]eZ EFinD; apply: lee_add2r; exact: most.
have low : 0 <= V + z.
  apply: Rnot_lt_le => neg; have empty : [set: T]%classic = set0.
    apply/seteqP; split=> // w _; have := each (U w); apply/negP; rewrite -ltNge.
    apply: (@lt_le_trans _ _ 0%E); first by rewrite lte_fin; apply/RltP.
    by apply: integral_ge0 => g _; exact: F0'.
  by move: P1; rewrite empty measure0 => /eqP; rewrite eq_sym onee_eq0.
have above : (mean_of dT T P (fun w => F (U w, vector w)) <= (V + z)%R%:E)%E.
  rewrite e; have c1 := integral_cst draws measurableT (V + z)%R%:E; rewrite (of_drawsT dT T P m G dS S U normals) mule1 in c1.
  rewrite -[X in (_ <= X)%E]c1; apply: ge0_le_integral => //; try exact: measurable_fun_cst.
  - by move=> u _; apply: integral_ge0 => g _; exact: F0'.
  - exact: (@measurable_fun_fubini_tonelli_F _ _ _ _ _ (law m) (gauss_sf m) _ mF' F0').
  - by move=> u _; rewrite lee_fin; apply/RleP.
  - by move=> u _; exact: each.
have sumP : mean_of dT T P (fun w => F (U w, vector w)) = (mean_of dT T P (fun w => X (U w, vector w)) + z%:E)%E.
  rewrite -eZ -onP // /mean_of -(integralD measurableT hXP hZP); exact: eq_integral.
move: above; rewrite sumP; have := integral_fune_fin_num measurableT hXP.
rewrite /mean_of /comp; case: (\int[_]_w _)%E => // a _; rewrite -EFinD !lee_fin => /RleP le.
by apply/RleP; move: le; rewrite -RplusE; lra.
Qed.

(* ---- every player of one arm ---- *)

Lemma co_inj m (g g' : vec RR m) : (forall l, (l < m)%N -> co RR m g l = co RR m g' l) -> g = g'.
Proof.
elim: m g g' => [|m IH] g g' e; first by clear e; case: g; case: g'.
by case: g g' e => x g [y g'] e; congr (_, _); [exact: (e 0%N) | apply: IH => l hl; exact: (e l.+1)].
Qed.

Section player.
Variables (n : nat) (v sigma : R) (h : R -> R -> R) (tau lam : nat -> R).
Hypothesis h1 : forall t, h t t = 1.
Hypothesis markov : forall t u s, t <= u <= s -> h t s = h t u * h u s.
Hypothesis sorted : forall i j, (i <= j)%coq_nat -> tau i <= tau j.
Variables (W : nat -> R -> R) (V : R).
Hypothesis mW : forall j, measurable_fun setT (W j : RR -> RR).
Hypothesis W0 : forall j u, 0 <= W j u.
Hypothesis V0 : 0 <= V.
Hypothesis first_look : forall i, (i < n)%coq_nat ->
  exists e : R, normal_mean (fun z => W i (sqrt v * z)) = EFin e /\ - lam i + e <= V.
Hypothesis next_look : forall j i u, (j < i)%coq_nat -> (i < n)%coq_nat -> let r := h (tau j) (tau i) in
  exists e : R, normal_mean (fun z => W i (r * u + sqrt (v * (1 - r ^ 2)) * z)) = EFin e /\ r * u - lam i + e <= W j u.

Lemma as_numbers c F m : (exists e : R, normal_mean F = EFin e /\ c + e <= m) -> (c%:E + normal_mean F <= m%:E)%E.
Proof. by case=> e [-> le]; rewrite -EFinD lee_fin; exact/RleP. Qed.

Section arm.
Variables (d : nat) (L : nat -> bool -> nat -> R).
Hypothesis cov : has_kernel d n bool L (one_arm v) h tau.
Notation arm i := (mk RR d (L i true)).
Notation value_ := (value d bool L).

Lemma arm_gram i j : (i < n)%N -> (j < n)%N -> dotp d (arm i) (arm j) = v * h (tau i) (tau j).
Proof.
move=> /ssrnat.ltP hi /ssrnat.ltP hj; have := cov i j true true hi hj; rewrite /one_arm /= => <-.
by rewrite dot_mk2 -(sumE d (fun l => L i true l * L j true l)).
Qed.

Lemma passed i G : (i < n)%N -> value_ G i false = 0.
Proof.
move=> /ssrnat.ltP hi; have := cov i i false false hi hi; rewrite /one_arm /= Rmult_0_l => e.
rewrite /value (sum_ext d _ (fun=> 0)) ?sum_0 // => l hl.
have := sum_sq_ge d (fun l => L i false l * L i false l) l hl (fun j _ => Rle_0_sqr _); rewrite e => le0.
by rewrite (Rsqr_0_uniq (L i false l)) ?Rmult_0_l //; apply: Rle_antisym le0 (Rle_0_sqr _).
Qed.

(* answers from exact values and noises *)
Fixpoint noisy (e : nat -> R) (j : nat) : vec RR j -> vec RR j :=
  match j return vec RR j -> vec RR j with
  | O => fun _ => tt
  | S l => fun s => (s.1 + sigma * e l, noisy e l s.2)
  end.

Lemma mnoisy e j : measurable_fun setT (noisy e j).
Proof.
elim: j => [|j IH] /=; first exact: measurable_fun_cst.
apply: mpair; last by apply: (measurable_fun_comp IH); exact: msnd.
by apply: measurable_funD; [exact: mfst | exact: measurable_fun_cst].
Qed.

Definition joined (e : vec RR n) (g : vec RR d) : vec RR (d + n)%N :=
  mk RR (d + n)%N (fun l => if (l < d)%N then co RR d g l else co RR n e (l - d)%N).

Lemma mjoined : measurable_fun setT (fun p : vec RR n * vec RR d => joined p.1 p.2).
Proof.
apply: (mtogether _ (vec RR n * vec RR d)%type (d + n)%N (fun l p => if (l < d)%N then co RR d p.2 l else co RR n p.1 (l - d)%N)) => l.
by case: (l < d)%N; [apply: (measurable_fun_comp (argmax_rule.mco RR d l)); exact: msnd |
  apply: (measurable_fun_comp (argmax_rule.mco RR n (l - d)%N)); exact: mfst].
Qed.

Lemma joined_value e g i : value_ (co RR (d + n)%N (joined e g)) i true = dotp d (arm i) g.
Proof.
rewrite dot_mk -(sumE d (fun l => L i true l * co RR d g l)); apply: sum_ext => l /ssrnat.ltP hl.
by rewrite co_mk ?ltn_addr // hl.
Qed.

Lemma joined_noise e g i : (i < n)%N -> noise d sigma (co RR (d + n)%N (joined e g)) i = sigma * co RR n e i.
Proof. by move=> hi; rewrite /noise plusE co_mk ?ltn_add2l // ltnNge leq_addr /= addKn. Qed.

Section rule.
Variable rule : policy_on bool.
Hypothesis mrule : measurable_rule bool rule.
Definition exactly (e : nat -> R) : policy_on bool := fun j s => rule j (noisy e j s).
Notation earned_ := (earned_alone d n L sigma lam rule).

Lemma mexactly e : measurable_rule bool (exactly e).
Proof. by move=> j b; have := mnoisy e j measurableT _ (mrule j b); rewrite setTI. Qed.

Lemma joined_seen e g j : (j <= n)%N ->
  seen d bool L sigma rule j (co RR (d + n)%N (joined e g)) =
  noisy (co RR n e) j (resampling.hist RR d (asked d (fun i => arm i) (exactly (co RR n e))) j g).
Proof.
elim: j => //= j IH hj; rewrite IH ?(ltnW hj) // joined_noise //; congr (_ + _, _).
set s := resampling.hist _ _ _ _ _; case lo : (rule j (noisy (co RR n e) j s)).
  by rewrite joined_value (looked d (fun i => arm i) (exactly (co RR n e)) j s lo).
by rewrite passed // (not_looked d (fun i => arm i) (exactly (co RR n e)) j s lo) dot0.
Qed.

Lemma joined_earned e g : earned_ (co RR (d + n)%N (joined e g)) =
  sum n (fun i => gained d (fun i => arm i) lam (exactly (co RR n e)) i g).
Proof.
apply: sum_ext => i /ssrnat.ltP hi; rewrite /played joined_seen ?(ltnW hi) // /gained /exactly.
by case: ifP => // _; rewrite joined_value.
Qed.
End rule.

(* what bounds all that can be earned *)
Definition everything (G : nat -> R) : R := sum n (fun i => Rabs (value_ G i true) + Rabs (lam i)).

Lemma earned_everything rule G : Rabs (earned_alone d n L sigma lam rule G) <= everything G.
Proof.
rewrite /earned_alone /everything; elim: (n) => [|N IH] /=; first by rewrite Rabs_R0; lra.
apply: Rle_trans (Rabs_triang _ _) _; apply: Rplus_le_compat => //; case: ifP => _.
  by apply: Rle_trans (Rabs_triang _ _) _; rewrite Rabs_Ropp; lra.
by rewrite Rabs_R0; have := Rabs_pos (value_ G N true); have := Rabs_pos (lam N); lra.
Qed.

Lemma everything_mean m : (d <= m)%N -> has_mean (law m) (fun g => everything (co RR m g) : RR).
Proof.
move=> dm; have one i : has_mean (law m) (fun g => Rabs (value_ (co RR m g) i true) + Rabs (lam i) : RR).
  have hv : has_mean (law m) (fun g => `|dotp m (mk RR m (first d (L i true))) g|%ring).
    by apply: has_mean_abs; exact: has_mean_dot.
  have := integrableD measurableT hv (has_mean_cst m (Rabs (lam i))).
  by apply: eq_integrable => // g _; rewrite /= -EFinD first_dot.
by rewrite /everything; elim: (n) => [|N IH]; [exact: has_mean_cst | have := integrableD measurableT IH (one N)].
Qed.

Lemma mearned dS (S : measurableType dS) (look : S -> policy_on bool) : measurable_drawn_rule dS S bool look ->
  measurable_fun setT (fun p : S * vec RR (d + n)%N => earned_alone d n L sigma lam (look p.1) (co RR (d + n)%N p.2) : RR).
Proof.
move=> ml; apply: (msum dS S d n n (fun i p =>
  if played d bool L sigma (look p.1) (co RR (d + n)%N p.2) i then value_ (co RR (d + n)%N p.2) i true - lam i else 0)) => i hi.
apply: (mchosen_number _ (S * vec RR (d + n)%N)%type (fin_type bool) (fun p => played d bool L sigma (look p.1) (co RR (d + n)%N p.2) i)
  (fun b p => if b then value_ (co RR (d + n)%N p.2) i true - lam i else 0)) => b.
  exact: (mplayed dS S d n (fin_type bool) L sigma look ml).
case: b; last exact: measurable_fun_cst.
by apply: measurable_funB; [exact: (mvalue dS S d n (fin_type bool)) | exact: measurable_fun_cst].
Qed.

Lemma rule_earns rule : measurable_rule bool rule ->
  (\int[law (d + n)%N]_g (earned_alone d n L sigma lam rule (co RR (d + n)%N g))%:E <= V%:E)%E.
Proof.
move=> mrule; pose X (p : vec RR n * vec RR d) := earned_alone d n L sigma lam rule (co RR (d + n)%N (joined p.1 p.2)).
have mr : measurable_drawn_rule _ (vec RR n) bool (fun=> rule).
  move=> j b; have -> : [set p : vec RR n * vec RR j | rule j p.2 = b]%classic = (snd @^-1` [set g | rule j g = b])%classic by [].
  by rewrite -[X in measurable X]setTI; apply: msnd => //; exact: mrule.
have mX : measurable_fun setT (X : _ -> RR).
  apply: (measurable_fun_comp (mearned _ (vec RR n) (fun=> rule) mr) (g := fun p : vec RR n * vec RR d => (p.1, joined p.1 p.2))).
  by apply: mpair; [exact: mfst | exact: mjoined].
have e g : joined (rest d n g) (together _ (vec RR (d + n)%N) d (fun l g => co RR (d + n)%N g l) g) = g.
  apply: co_inj => l hl.
  by rewrite co_mk //; case: ltnP => ld; [rewrite /together co_mk | rewrite co_rest subnKC].
have most := drawn_most _ (vec RR (d + n)%N) (standard_normal (d + n)) d (fun l g => co RR (d + n)%N g l) _ (vec RR n) (rest d n)
  X (fun g => everything (co RR d g)) V (fewer d (d + n) (leq_addr n d)) (rest_draws d n) mX (everything_mean d (leqnn d)).
apply: le_trans (most _ _); first by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_integral => g _; rewrite /X e.
  move=> [e' g]; apply: Rle_trans (earned_everything _ _) _; right; apply: sum_ext => i _; rewrite /= joined_value.
  by rewrite dot_mk -(sumE d (fun l => L i true l * co RR d g l)).
move=> e'; rewrite /X /=.
have := exact_earns d n (fun i => arm i) v h tau lam h1 markov sorted arm_gram W V mW W0 V0
  (fun i hi => as_numbers _ _ _ (first_look i (elimT ssrnat.ltP hi)))
  (fun j i u hj hi => as_numbers _ _ _ (next_look j i u (elimT ssrnat.ltP hj) (elimT ssrnat.ltP hi)))
  (exactly rule (co RR n e')) (mexactly rule mrule (co RR n e')) n (leqnn n).
apply: le_trans; rewrite (eq_integral (fun g => (sum n (fun i => gained d (fun i => arm i) lam (exactly rule (co RR n e')) i g))%:E)); last first.
  by move=> g _; rewrite joined_earned.
rewrite -[X in (X <= _)%E]adde0; apply: lee_add2l; apply: integral_ge0 => g _; rewrite lee_fin; apply/RleP.
exact: (worth_ge0 W V W0 V0).
Qed.
End arm.

Theorem player_earns_at_most : earns_at_most n v sigma h tau lam V.
Proof.
move=> dT T P G dS S U d L look normals drawn cov ml; have [P1 [mG _]] := normals.
have := drawn_most dT T P (d + n)%N G dS S U (fun p => earned_alone d n L sigma lam (look p.1) (co RR (d + n)%N p.2))
  (fun g => everything d L (co RR (d + n)%N g)) V normals drawn (mearned d L dS S look ml)
  (everything_mean d L (d + n)%N (leq_addr n d)) (fun p => earned_everything d L _ _)
  (fun u => rule_earns d L cov (look u) (fun j b => msection _ _ _ _ _ u (ml j b))).
apply: le_trans; rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_integral => w _; congr EFin.
apply: sum_ext => i /ssrnat.ltP hi; have co_ l : (l < d + n)%N -> co RR (d + n)%N (together dT T (d + n)%N G w) l = G l w.
  by move=> hl; rewrite /together co_mk.
by rewrite /= (played_same d n bool L sigma _ _ _ co_) ?(ltnW hi) // (value_same d n bool L _ _ co_).
Qed.
End player.

(* ---- two means ---- *)

Lemma normal_mean_0 : normal_mean (fun=> 0) = EFin 0.
Proof.
rewrite /normal_mean -[RHS](integral0 line setT); apply: eq_integral => z _; congr EFin; exact: Rmult_0_l.
Qed.

Lemma absolute_mean : exists V, 0 <= V /\ normal_mean (fun z => Rabs (sqrt 1 * z)) = EFin V.
Proof.
have u1 : dotp 1 (1, tt) (1, tt) = 1 by rewrite /=; change (1 * 1 + 0 = 1); ring.
have mA : measurable_fun setT (Rabs : RR -> RR) by exact: measurable_fun_normr.
have e := coordinate_mean 1 (1, tt) Rabs u1 mA Rabs_pos.
have fin := integral_fune_fin_num measurableT (has_mean_abs _ _ _ _ (has_mean_dot 1 (1, tt))).
have one : normal_mean (fun z => Rabs (sqrt 1 * z)) = normal_mean Rabs.
  by congr normal_mean; apply: funext => z; rewrite sqrt_1 Rmult_1_l.
have {}fin : normal_mean Rabs \is a fin_num by rewrite -e; exact: fin.
exists (fine (normal_mean Rabs)); rewrite one fineK //; split=> //; apply/RleP; apply: fine_ge0.
apply: integral_ge0 => z _; rewrite lee_fin; apply/RleP; apply: Rmult_le_pos; first exact: Rabs_pos.
by left; exact: normal_density_positive.
Qed.
