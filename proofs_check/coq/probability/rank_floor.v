(******************************************************************************)
(*                      The rank floor with its mean                          *)
(*                                                                            *)
(* What a policy has been told are i numbers, however it has chosen its       *)
(* points: their innovations are independent and standard normal, and a       *)
(* prediction is a combination of them with weights that are known before.    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   innovations_law == innovations of an adaptive design are independent     *)
(*   residue_mean == what is not seen of a vector has mean 0                  *)
(*   told_share == weights of a prediction have at most the share 1 - p       *)
(*   rank_floor_mean == a round loses at least m - sqrt(1 - p) min(m, sqrt    *)
(*       kappa c)                                                             *)
(*   mean_length_exists == there is such a c                                  *)
(*                                                                            *)
(* Rests on: library, measures, vectors, gaussian_law, adaptive_posterior,    *)
(* normal_density, adaptive_confidence, reflections, resampling, moments,     *)
(* combinations, argmax_rule, scalar, definitions, sums, gains, floors,       *)
(* full_information, answer_vectors, outcomes, joint_law, any_space,          *)
(* expected_regret, floor_in_mean, drawn_policies, one_arm_in_mean.           *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import vectors gaussian_law adaptive_posterior normal_density adaptive_confidence reflections moments combinations.
From CTV Require resampling floors answer_vectors argmax_rule.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar definitions sums outcomes joint_law any_space expected_regret.
From CTV Require gains full_information.
From CTV Require Import floor_in_mean drawn_policies one_arm_in_mean.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation law m := [the {measure set vec RR m -> \bar RR}%ring of gauss RR normal_density.normal m].

Lemma product_last l f : product (S l) f = product l f * f l.
Proof. by elim: l f => [|l IH] f; [rewrite /=; ring | rewrite -[LHS]/(f O * product l.+1 (fun i => f i.+1)) IH /=; ring]. Qed.

Lemma msqrt dT (T : measurableType dT) (t : T -> RR) : measurable_fun setT t -> measurable_fun setT (fun w => sqrt (t w) : RR).
Proof.
move=> mt; apply: (measurable_fun_comp (f := fun x : RR => sqrt x : RR)) => //.
apply: continuous_measurable_fun => x; apply/continuity_pt_cvg.
case: (Rle_lt_dec 0 x) => [x0|x0]; first exact: continuity_pt_sqrt.
move=> e e0; exists (- x); split; first lra.
move=> y [_]; rewrite /= /R_dist => near; have y0 : y <= 0 by have := Rle_abs (y - x); lra.
by rewrite (sqrt_neg_0 y y0) (sqrt_neg_0 x (Rlt_le _ _ x0)) Rminus_0_r Rabs_R0.
Qed.

Lemma differ0 (p q : \bar RR) : q \is a fin_num -> p = q -> (p - q = 0)%E.
Proof. by move=> fq ->; exact: subee. Qed.

Lemma differ0_eq (p q : \bar RR) : p \is a fin_num -> q \is a fin_num -> (p - q = 0)%E -> p = q.
Proof. by case: p q => [p||] [q||] // _ _ [] /eqP; rewrite subr_eq0 => /eqP ->. Qed.

Section innovations.
Variables (m : nat) (a : forall j, vec RR j -> vec RR m).
Hypothesis ma : forall j, measurable_fun setT (a j).
Notation hist := (resampling.hist RR m a).
Notation left_ := (resampling.left RR m a).
Notation anew := (resampling.anew RR m a).

(* the new part of round j, its norm, and its component of g *)
Definition fresh j g := left_ j (hist j g) (a j (hist j g)).
Definition norm_of j g := sqrt (dotp m (fresh j g) (fresh j g)).
Definition part j g v : R := (dotp m (fresh j g) v * (norm_of j g)^-1)%ring.
Definition innovation j g := part j g g.

Lemma fresh_left j g v : dotp m (fresh j g) (left_ j (hist j g) v) = dotp m (fresh j g) v.
Proof. by have [sym idem _] := resampling.left_facts RR m a j (hist j g); rewrite -sym /fresh idem. Qed.

Lemma fresh_unseen l j g v : (l < j)%N -> dotp m (fresh l g) (left_ j (hist j g) v) = 0.
Proof.
elim: j v => // j IH v; rewrite ltnS => lj /=; rewrite -/(fresh j g) dot_axpy.
move: lj; rewrite leq_eqVlt => /orP[/eqP ->|lj]; last first.
  by rewrite IH // /fresh IH // mulr0 addr0.
rewrite fresh_left; have [z|ne] := eqVneq (dotp m (fresh j g) (fresh j g)) 0%ring.
  by rewrite (dot_null _ _ _ v z) z mulr0 addr0.
by rewrite mulNr mulfVK // subrr.
Qed.

Lemma innovation_before l j g b : (l < j)%N -> innovation l (anew j g b) = innovation l g.
Proof.
move=> lj; have e : hist l (anew j g b) = hist l g by apply: resampling.hist_along; exact: ltnW.
by rewrite /innovation /part /norm_of /fresh e dot_axpy -/(fresh l g) (fresh_unseen l j) // mulr0 addr0.
Qed.

Lemma innovation_now j g b : innovation j (anew j g b) = dotp m (scale RR m (norm_of j g)^-1%ring (fresh j g)) b.
Proof.
rewrite /innovation /part dot_scale mulrC /norm_of /fresh resampling.hist_anew resampling.left_anew.
by [].
Qed.

Lemma mfresh j : measurable_fun setT (fresh j).
Proof.
apply: resampling.mleft => //; first exact: resampling.mhist.
by apply: (measurable_fun_comp (ma j)); exact: resampling.mhist.
Qed.

Lemma minnovation j : measurable_fun setT (innovation j : vec RR m -> RR).
Proof.
apply: measurable_funM; first by apply: resampling.mdots; [exact: mfresh | exact: measurable_fun_id].
have mn : measurable_fun setT (norm_of j : vec RR m -> RR).
  by apply: msqrt; apply: resampling.mdots; exact: mfresh.
by apply: resampling.minv => // g; apply/RleP; exact: sqrt_pos.
Qed.

Section many.
Variable n : nat.
Hypothesis new : forall j g, (j < n)%N -> 0 < dotp m (fresh j g) (fresh j g).

Lemma norm_pos j g : (j < n)%N -> 0 < norm_of j g.
Proof. by move=> jn; apply: sqrt_lt_R0; exact: new. Qed.
Lemma norm_square j g : (j < n)%N -> norm_of j g * norm_of j g = dotp m (fresh j g) (fresh j g).
Proof. by move=> jn; apply: sqrt_sqrt; left; exact: new. Qed.

Lemma below_law N t : (N <= n)%N ->
  law m (fun g => forall l, (l < N)%coq_nat -> innovation l g < t l) = EFin (product N (fun l => normal_cdf (t l))).
Proof.
elim: N => [|N IH] hN.
  by rewrite -[RHS](gaussT RR normal m); congr (gauss _ _ _ _); apply/seteqP; split=> // g _ l; lia.
pose E M := [set g | forall l, (l < M)%coq_nat -> innovation l g < t l]%classic.
have mE M : measurable (E M).
  have -> : E M = (\bigcap_(l in [set: 'I_M]) ((innovation l : vec RR m -> RR) @^-1` below (t l)))%classic.
    apply/seteqP; split=> g /= h.
      by move=> l _; apply/RltP; apply: h; exact/ssrnat.ltP.
    by move=> l /ssrnat.ltP hl; apply/RltP; exact: (h (Ordinal hl) Logic.I).
  apply: fin_bigcap_measurable => [|l _]; first exact: finite_finset.
  by rewrite -[X in measurable X]setTI; apply: minnovation => //; exact: mbelow.
have ind M : law m (E M) = (\int[law m]_g ((\1_(E M) g)%ring : RR)%:E)%E.
  by rewrite integral_indic // setIT.
have m1 M : measurable_fun setT (fun g => ((\1_(E M) g)%ring : RR)%:E).
  by apply/EFin_measurable_fun; exact: measurable_fun_indic.
have p1 M g : (0 <= ((\1_(E M) g)%ring : RR)%:E)%E by rewrite lee_fin indicE ler0n.
rewrite -[LHS]/(law m (E N.+1)) ind -(resampling.anew_law RR normal m a ma N _ (m1 N.+1) (p1 N.+1)).
rewrite product_last EFinM -(IH (ltnW hN)) -/(E N) muleC ind -ge0_integralM //; last first.
  by rewrite lee_fin; apply/RleP; have := law1_ge0 RR normal (below (t N)); rewrite law1_below lee_fin => /RleP.
apply: eq_integral => g _.
set u := scale RR m (norm_of N g)^-1%ring (fresh N g).
have u1 : dotp m u u = 1.
  have /RltP p := norm_pos N g hN; rewrite /u dot_scale dotC dot_scale -(norm_square N g hN) RmultE.
  by rewrite mulKf ?gt_eqF // mulVf // gt_eqF.
have now b : ((\1_(E N.+1) (anew N g b))%ring : RR) = (\1_(E N) g * \1_(below (t N)) (dotp m u b))%ring.
  rewrite !indicE -natrM mulnb; congr (nat_of_bool _)%:R%ring; apply/idP/andP; rewrite !inE.
    move=> h; split.
      by move=> l hl; have := h l ltac:(lia); rewrite innovation_before //; exact/ssrnat.ltP.
    by apply/RltP; have := h N ltac:(lia); rewrite innovation_now.
  move=> -[h /RltP now] l hl; case: (Nat.eq_dec l N) => [->|ne]; first by rewrite innovation_now.
  have lN : (l < N)%coq_nat by lia.
  by rewrite innovation_before; [exact: h | exact/ssrnat.ltP].
rewrite (eq_integral (fun b => ((\1_(E N) g)%ring : RR)%:E * ((\1_(below (t N)) (dotp m u b))%ring : RR)%:E)%E); last first.
  by move=> b _; rewrite now EFinM.
have mu_ : measurable_fun setT (fun b : vec RR m => ((\1_(below (t N)) (dotp m u b))%ring : RR)%:E).
  apply/EFin_measurable_fun; apply: (measurable_fun_comp (f := (\1_(below (t N)))%ring : RR -> RR)); last exact: mdot.
  by apply: measurable_fun_indic; exact: mbelow.
rewrite ge0_integralM //; last by move=> b _; rewrite lee_fin indicE ler0n.
rewrite [LHS]muleC; congr (_ * _)%E.
have := independent RR normal m u setT (below (t N)) u1 measurableT (mbelow (t N)) (fun _ _ h => h).
rewrite [X in (_ * X)%E]gaussT mule1 law1_below => <-.
have mB : measurable [set b | below (t N) (dotp m u b) /\ [set: vec RR m]%classic b]%classic.
  have := mdot RR m u measurableT _ (mbelow (t N)); rewrite setTI; congr measurable.
  by apply/seteqP; split=> b /=; [move=> h; split | case].
have e := integral_indic (law m) measurableT mB; rewrite setIT in e; rewrite -[RHS]e.
by apply: eq_integral => b _; congr EFin; rewrite !indicE; congr (nat_of_bool _)%:R%ring; apply/idP/idP; rewrite !inE; [move=> h; split | case].
Qed.

Theorem innovations_law N : (N <= n)%N -> independent_normals _ (vec RR m) (standard_normal m) N innovation.
Proof.
move=> hN; split; first exact: gaussT; split; first exact: minnovation.
by move=> t; exact: below_law.
Qed.

Lemma left_sum j g v x : (j <= n)%N -> dotp m (left_ j (hist j g) v) x = dotp m v x -
  sum j (fun l => part l g v * part l g x).
Proof.
elim: j => [|j IH] hj /=; first by rewrite Rminus_0_r.
rewrite -/(fresh j g) [LHS]dotC dot_axpy [dotp m x (left_ _ _ _)]dotC IH ?(ltnW hj) // [dotp m x _]dotC -(norm_square j g hj).
rewrite RmultE invfM /part; move: (dotp m v x) (dotp m (fresh j g) v) (dotp m (fresh j g) x) (norm_of j g)^-1%ring (sum j _) => x1 x2 x3 q S'.
have e : x1 - S' + - (x2 * (q * q)) * x3 = x1 - (S' + x2 * q * (x3 * q)) by ring.
exact: e.
Qed.
End many.

(* what is left of a vector is v less a combination of those that were asked for *)
Lemma left_combination j g v : exists c : nat -> R, forall x,
  dotp m (left_ j (hist j g) v) x = dotp m v x - sum j (fun l => c l * dotp m (a l (hist l g)) x).
Proof.
elim: j v => [|j IH] v; first by exists (fun=> 0) => x; rewrite /= Rminus_0_r.
have [c ec] := IH v; have [e ee] := IH (a j (hist j g)).
have [t et] : exists t : R, t = (- (dotp m (fresh j g) v * (dotp m (fresh j g) (fresh j g))^-1))%ring by eexists.
exists (fun l => if Nat.eqb l j then - t else c l + t * e l) => x.
rewrite /= -/(fresh j g) -et Nat.eqb_refl [LHS]dotC dot_axpy [dotp m x (left_ _ _ _)]dotC ec [dotp m x _]dotC /fresh ee.
rewrite (sum_ext j (fun l => (if Nat.eqb l j then - t else c l + t * e l) * dotp m (a l (hist l g)) x)
  (fun l => c l * dotp m (a l (hist l g)) x + t * (e l * dotp m (a l (hist l g)) x))); last first.
  move=> l hl; case: (Nat.eqb_spec l j) => [?|_]; first by lia.
  have r (y : R) : (c l + t * e l) * y = c l * y + t * (e l * y) by ring.
  exact: r.
rewrite sum_plus sum_scal; move: (dotp m v x) (dotp m (a j (hist j g)) x) (sum j _) (sum j _) => x1 x2 s2 s1.
have r : x1 - s1 + t * (x2 - s2) = x1 - (s1 + t * s2 + - t * x2) by ring.
exact: r.
Qed.

Section unseen.
Variables (j : nat) (w : vec RR j -> vec RR m).
Hypothesis mw : measurable_fun setT w.
Definition rest_of g := dotp m (resampling.residue RR m a j w g) g.

Lemma mrest_of : measurable_fun setT (rest_of : vec RR m -> RR).
Proof.
apply: resampling.mdots; last exact: measurable_fun_id.
apply: resampling.mleft => //; first exact: resampling.mhist.
by apply: (measurable_fun_comp mw); exact: resampling.mhist.
Qed.

Theorem residue_mean : has_mean (law m) (rest_of : _ -> RR) -> (\int[law m]_g (rest_of g)%:E = 0)%E.
Proof.
move=> hX; pose X := EFin \o (rest_of : vec RR m -> RR).
have mX : measurable_fun setT X by apply/EFin_measurable_fun; exact: mrest_of.
have mXp : measurable_fun setT (X^\+)%E by exact: emeasurable_fun_funepos.
have mXn : measurable_fun setT (X^\-)%E by exact: emeasurable_fun_funeneg.
have finN : (\int[law m]_g X^\- g)%E \is a fin_num by apply: integrable_neg_fin_num.
have Xp0 g : (0 <= X^\+ g)%E by exact: funepos_ge0.
have Xn0 g : (0 <= X^\- g)%E by exact: funeneg_ge0.
suff e : (\int[law m]_g X^\+ g = \int[law m]_g X^\- g)%E by apply: etrans (integralE (law m) setT X) _; exact: differ0.
apply: etrans (esym (resampling.anew_law RR normal m a ma j _ mXp Xp0)) _.
apply: etrans (resampling.anew_law RR normal m a ma j _ mXn Xn0); apply: eq_integral => g _; pose r := resampling.residue RR m a j w g.
have Xb b : X (anew j g b) = (dotp m r b)%:E.
  by rewrite /X /= /rest_of /resampling.residue resampling.hist_anew resampling.left_anew.
transitivity (\int[law m]_b ((EFin \o dotp m r)^\+)%E b)%E; first by apply: eq_integral => b _; rewrite !funeposE Xb.
transitivity (\int[law m]_b ((EFin \o dotp m r)^\-)%E b)%E; last by apply: eq_integral => b _; rewrite !funenegE Xb.
have hr := has_mean_dot m r.
have zero : (\int[law m]_b (EFin \o dotp m r) b = 0)%E.
  have := blind m setT r measurableT (fun g => conj (fun=> Logic.I) (fun=> Logic.I)); apply: etrans.
  by apply: eq_integral => b _; rewrite indicE in_setT mulr1.
have finp : (\int[law m]_b ((EFin \o dotp m r)^\+)%E b)%E \is a fin_num by apply: integrable_pos_fin_num.
have finn : (\int[law m]_b ((EFin \o dotp m r)^\-)%E b)%E \is a fin_num by apply: integrable_neg_fin_num.
exact: (differ0_eq _ _ finp finn (etrans (esym (integralE (law m) setT (EFin \o dotp m r))) zero)).
Qed.
End unseen.
End innovations.

(* ---- the rank floor ---- *)
Section floor.
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (kappa top c : R) (i : nat).
Hypothesis sigma0 : 0 < sigma.
Hypothesis kappa0 : 0 < kappa.
Hypothesis pk : kernel Y k.
Hypothesis ph : kernel R h.
Hypothesis k1 : forall z, k z z <= kappa.
Hypothesis h1 : forall t, h t t = 1.
Hypothesis cov : has_kernel d n Y L k h tau.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis mtop : mean_maximum Y k top.
Hypothesis hi : (i < n)%N.
Hypothesis length : mean_length i c.
Notation M := (d + n)%N.
Notation out g := (co RR M g).
Notation p := (left_share sigma h tau kappa i).
Notation value_vector j z := (mk RR M (answer_vectors.of_value d Y L j z)).
Notation answer_vector j z := (mk RR M (answer_vectors.of_answer d Y L sigma j z)).
Let y0 : Y := rule O tt.

Definition told (j : nat) (hs : vec RR j) : vec RR M := answer_vector j (rule j hs).
Notation hist := (resampling.hist RR M told).
Notation x g := (fun j => rule j (hist j g)).

Lemma mtold j : measurable_fun setT (told j).
Proof.
apply: (mchosen _ _ (vec RR j) (vec RR M) Y (rule j) (fun z _ => answer_vector j z)) => z; first exact: mrule.
exact: measurable_fun_cst.
Qed.

Lemma told_seen j g : hist j g = seen d Y L sigma rule j (out g).
Proof. by elim: j => //= j IH; rewrite IH /told answer_vectors.dot_answer. Qed.

Lemma told_fresh j g : (j < n)%N -> 0 < dotp M (fresh M told j g) (fresh M told j g).
Proof.
move=> jn; pose e := mk RR M (fun l => identity l (d + j)%N).
have dj : (d + j < M)%N by rewrite ltn_add2l.
have at_e l z : (l < n)%N -> dotp M (answer_vector l z) e = if j == l then sigma else 0.
  move=> ln; rewrite dotC dot_mk2 -(sumE M (fun q => identity q (d + j)%N * answer_vectors.of_answer d Y L sigma l z q)).
  rewrite (floor_in_mean.sum_one M _ (answer_vectors.of_answer d Y L sigma l z)); last exact/ssrnat.ltP.
  by rewrite /answer_vectors.of_answer ltnNge leq_addr /= eqn_add2l.
have [w ew] := left_combination M told j g (told j (hist j g)).
have fe : dotp M (fresh M told j g) e = sigma.
  rewrite /fresh ew at_e // eqxx (sum_ext j _ (fun=> 0)) ?sum_0 ?Rminus_0_r // => l /ssrnat.ltP lj.
  by rewrite at_e ?(ltn_trans lj) // gtn_eqF // Rmult_0_r.
have ge : 0 <= dotp M (fresh M told j g) (fresh M told j g) by apply/RleP; exact: dot_ge0.
case: ge => // z; have := dot_null _ _ _ e (esym z); rewrite fe => e0; move: sigma0; rewrite e0 => lt.
by have := Rlt_irrefl 0 lt.
Qed.

Lemma share_between : 0 <= p <= 1.
Proof.
have s0 := noise_ratio0 sigma kappa sigma0 kappa0; split; last exact: (full_information.covariance_below _ _ _ _ _ s0 (ph i tau)).
apply: Rle_trans (full_information.share_at_least h _ i tau (tau i) ph h1 s0).
apply: Rmult_le_pos; first by left; exact: Rinv_0_lt_compat.
by left; apply: Rinv_0_lt_compat; have := pos_INR i; have := Rinv_0_lt_compat _ s0; lra.
Qed.

Theorem told_share z g : sum i (fun l => part M told l g (value_vector i z) ^ 2) <= (1 - p) * kappa.
Proof.
have s0 : 0 < / sigma ^ 2 by apply: Rinv_0_lt_compat; apply: pow_lt.
set v := value_vector i z; set lv := resampling.left RR M told i (hist i g) v.
have [sym idem _] := resampling.left_facts RR M told i (hist i g).
have e1 : sum i (fun l => part M told l g v ^ 2) = dotp M v v - dotp M lv lv.
  have -> : dotp M lv lv = dotp M lv v by rewrite /lv sym idem dotC.
  rewrite /lv (left_sum M told n told_fresh i g v v (ltnW hi)).
  rewrite (sum_ext i _ (fun l => part M told l g v * part M told l g v)); last by move=> l _; ring.
  by have r (q S' : R) : S' = q - (q - S') by [ring]; exact: r.
have [w ew] := left_combination M told i g v.
have vv : dotp M v v = k z z by rewrite (answer_vectors.value_value d n Y L k h tau cov) // h1 Rmult_1_r.
have av l : (l < i)%N -> dotp M (told l (hist l g)) v = k (x g l) z * h (tau l) (tau i).
  by move=> li; rewrite /told (answer_vectors.answer_value d n Y L sigma k h tau cov) // (ltn_trans li).
have aa l q : (l < i)%N -> (q < i)%N -> dotp M (told l (hist l g)) (told q (hist q g)) =
    k (x g l) (x g q) * h (tau l) (tau q) + (if l == q then sigma ^ 2 else 0).
  by move=> li qi; rewrite /told (answer_vectors.answer_answer d n Y L sigma k h tau cov) // ?(ltn_trans li) // (ltn_trans qi).
have e2 : dotp M lv lv = k z z - 2 * sum i (fun j => k (x g j) z * h (tau j) (tau i) * w j) +
    full_information.form i (joint Y k h (x g) tau) w + sum i (fun j => w j ^ 2) / / sigma ^ 2.
  rewrite [LHS]ew [dotp M v lv]dotC ew vv.
  rewrite (sum_ext i (fun l => w l * dotp M (told l (hist l g)) lv) (fun l => k (x g l) z * h (tau l) (tau i) * w l -
    (sum i (fun q => w l * w q * joint Y k h (x g) tau l q) + w l ^ 2 * sigma ^ 2))); last first.
    move=> l /ssrnat.ltP li; rewrite [dotp M _ lv]dotC ew [dotp M v _]dotC av //.
    rewrite (sum_ext i (fun q => w q * dotp M (told q (hist q g)) (told l (hist l g)))
      (fun q => w q * joint Y k h (x g) tau l q + (if Nat.eqb l q then w q * sigma ^ 2 else 0))); last first.
      move=> q /ssrnat.ltP qi; rewrite [dotp M _ _]dotC aa // /joint; case: (Nat.eqb_spec l q) => [->|ne]; first by rewrite eqxx; ring.
      by rewrite (introF eqP ne); ring.
    rewrite sum_plus (full_information.sum_one i l (fun q => w q * sigma ^ 2)); last exact/ssrnat.ltP.
    rewrite (sum_ext i (fun q => w l * w q * joint Y k h (x g) tau l q) (fun q => w l * (w q * joint Y k h (x g) tau l q))); last by move=> q _; ring.
    by rewrite sum_scal; ring.
  rewrite (sum_ext i (fun l => w l * dotp M (told l (hist l g)) v) (fun l => k (x g l) z * h (tau l) (tau i) * w l)); last first.
    by move=> l /ssrnat.ltP li; rewrite av //; ring.
  have r (A B C q : R) : q - A - (A - (B + C * sigma ^ 2)) = q - 2 * A + B + C / / sigma ^ 2 by field; lra.
  rewrite sum_minus sum_plus sum_scalr; exact: r.
have le := full_information.least_error (/ sigma ^ 2) i (joint Y k h (x g) tau) (fun j => k (x g j) z * h (tau j) (tau i)) (k z z) w s0
  (gains.semidefinite_hadamard _ _ _ (pk _ _) (ph _ _)).
have [_ low] := proj1 (full_information.share_gram Y k h (/ sigma ^ 2) kappa s0 kappa0 pk ph k1 i (x g) tau (tau i) 1 (fun=> z) (h1 _)).
have := low (fun=> 1); rewrite /= !Rmult_1_l !Rplus_0_l.
have -> : / sigma ^ 2 * kappa = noise_ratio sigma kappa by rewrite /noise_ratio; field; lra.
rewrite -/(left_share sigma h tau kappa i) => low1.
have [p0 p1] := share_between; have kz := k1 z.
have : (1 - p) * k z z <= (1 - p) * kappa by apply: Rmult_le_compat_l; lra.
rewrite e1 vv e2; rewrite /= in le low1 *; lra.
Qed.

(* what the policy plays in round i *)
Definition seat g : vec RR M := value_vector i (rule i (hist i g)).
Definition length_ g := sqrt (sum i (fun l => innovation M told l g ^ 2)).
Notation K := (sqrt (1 - p) * sqrt kappa).
Notation rest_ := (rest_of M told i (fun hs => value_vector i (rule i hs))).

Lemma seat_split g : dotp M (seat g) g = rest_ g + sum i (fun l => part M told l g (seat g) * innovation M told l g).
Proof.
rewrite /rest_of /resampling.residue (left_sum M told n told_fresh i g _ _ (ltnW hi)) -/(seat g).
by have r (q S' : R) : q = q - S' + S' by [ring]; exact: r.
Qed.

Lemma seat_bound g : Rabs (dotp M (seat g) g - rest_ g) <= K * length_ g.
Proof.
rewrite seat_split; have e (q S' : R) : q + S' - q = S' by ring.
rewrite e.
have st := floors.rank_step i (fun l => part M told l g (seat g)) _ p kappa share_between (Rlt_le _ _ kappa0) (told_share (rule i (hist i g)) g).
rewrite Rmult_assoc; apply: Rabs_le; split; last exact: st.
have := st (fun l => - innovation M told l g).
rewrite (sum_ext i (fun l => (- innovation M told l g) ^ 2) (fun l => innovation M told l g ^ 2)); last by move=> l _; ring.
rewrite (sum_ext i (fun l => part M told l g (seat g) * - innovation M told l g) (fun l => -1 * (part M told l g (seat g) * innovation M told l g))); last by move=> l _; ring.
rewrite sum_scal /length_; lra.
Qed.

Let normals_ := innovations_law M told mtold n told_fresh i (ltnW hi).

Lemma mlength : measurable_fun setT (length_ : vec RR M -> RR).
Proof.
apply: msqrt; elim: (i) => [|l IH]; first exact: measurable_fun_cst.
apply: measurable_funD => //; rewrite /=; apply: measurable_funM; first exact: (minnovation M told mtold).
by apply: measurable_funM; [exact: (minnovation M told mtold) | exact: measurable_fun_cst].
Qed.

Lemma length_mean : (\int[law M]_g (length_ g)%:E = c%:E)%E.
Proof. exact: (length _ _ _ _ normals_). Qed.

Lemma length_has_mean : has_mean (law M) (length_ : _ -> RR).
Proof.
apply/integrableP; split; first by apply/EFin_measurable_fun; exact: mlength.
rewrite (eq_integral (fun g => (length_ g)%:E)); first by rewrite length_mean ltry.
by move=> g _; rewrite gee0_abs // lee_fin; apply/RleP; exact: sqrt_pos.
Qed.

Lemma mpick z : measurable [set g | rule i (hist i g) = z]%classic.
Proof. by have := resampling.mhist RR M told mtold i measurableT _ (mrule i z); rewrite setTI. Qed.

Lemma seat_has_mean : has_mean (law M) (fun g => dotp M (seat g) g : RR).
Proof.
apply: (has_mean_le _ _ (fun g => \sum_(z : Y) `|dotp M (value_vector i z) g|)%ring).
- by apply: (mchosen_number _ (vec RR M) Y (fun g => rule i (hist i g)) (fun z g => dotp M (value_vector i z) g)) => z; [exact: mpick | exact: mdot].
- move=> g; rewrite [X in (_ <= X)%ring]ger0_norm; last exact: sumr_ge0.
  by rewrite (bigD1 (rule i (hist i g))) //= ler_addl sumr_ge0.
- by apply: has_mean_sum => z; apply: has_mean_abs; exact: has_mean_dot.
Qed.

Lemma mseat : measurable_fun setT (fun hs : vec RR i => value_vector i (rule i hs)).
Proof.
apply: (mchosen _ _ (vec RR i) (vec RR M) Y (rule i) (fun z _ => value_vector i z)) => z; first exact: mrule.
exact: measurable_fun_cst.
Qed.

Lemma scaled_has_mean : has_mean (law M) (fun g => K * length_ g : RR).
Proof. by have := integrablerM measurableT K length_has_mean. Qed.

Lemma rest_has_mean : has_mean (law M) (rest_ : _ -> RR).
Proof.
have hs := integrableD measurableT (has_mean_abs _ _ _ _ seat_has_mean) scaled_has_mean.
apply: (has_mean_le _ _ (fun g => `|dotp M (seat g) g| + K * length_ g : RR)%ring) => //; first exact: (mrest_of M told mtold i _ mseat).
move=> g; have k0 : 0 <= K * length_ g by apply: Rmult_le_pos; [apply: Rmult_le_pos; exact: sqrt_pos | exact: sqrt_pos].
rewrite [X in (_ <= X)%ring]ger0_norm; last by apply: addr_ge0 => //; exact/RleP.
apply/RleP; have := seat_bound g; have := Rabs_triang (dotp M (seat g) g) (- (dotp M (seat g) g - rest_ g)); rewrite Rabs_Ropp.
have e (q r : R) : q + - (q - r) = r by ring.
rewrite e.
by move=> a b; apply: Rle_trans a _; apply: Rplus_le_compat_l.
Qed.

Theorem seat_mean : (\int[law M]_g (dotp M (seat g) g)%:E <= (K * c)%R%:E)%E.
Proof.
have zero := residue_mean M told mtold i (fun hs => value_vector i (rule i hs)) mseat rest_has_mean.
have scaled : (\int[law M]_g (K * length_ g)%R%:E = (K * c)%R%:E)%E.
  rewrite (eq_integral (fun g => K%:E * (length_ g)%:E)%E) // (integralM measurableT length_has_mean).
  by rewrite -[X in (_ * X)%E]/(\int[law M]_g (length_ g)%:E)%E length_mean -EFinM.
rewrite -scaled -[X in (_ <= X)%E]add0e -zero.
rewrite -(integralD measurableT rest_has_mean scaled_has_mean) -sube_ge0; last first.
  by apply/orP; left; exact: (integral_fune_fin_num measurableT seat_has_mean).
rewrite -(integralB measurableT (integrableD measurableT rest_has_mean scaled_has_mean) seat_has_mean).
apply: integral_ge0 => g _; change (0%:E <= (rest_ g + K * length_ g - dotp M (seat g) g)%R%:E)%E; rewrite lee_fin; apply/RleP.
have e (q r s t : R) : q - r <= s -> s <= t -> 0 <= r + t - q by lra.
exact: (e _ _ _ _ (Rle_abs _) (seat_bound g)).
Qed.

Lemma loss_is g : round_loss d Y L sigma rule (out g) i =
  best_value Y y0 (fun y => dotp M (value_vector i y) g) - dotp M (seat g) g.
Proof.
rewrite /round_loss (best_value_any Y _ y0) /seat answer_vectors.dot_value told_seen; congr (best_value _ _ _ - _).
by apply: funext => y; rewrite answer_vectors.dot_value.
Qed.

Lemma best_has_mean : has_mean (law M) (fun g => best_value Y y0 (fun y => dotp M (value_vector i y) g)).
Proof. by apply: best_value_has_mean => y; exact: has_mean_dot. Qed.

Lemma best_mean : (\int[law M]_g (best_value Y y0 (fun y => dotp M (value_vector i y) g))%:E = top%:E)%E.
Proof.
rewrite -(mtop _ _ (standard_normal M) M (fun l g => out g l) (fun y => answer_vectors.of_value d Y L i y) y0 (coordinates M)).
  apply: eq_integral => g _; congr (best_value _ _ _)%:E; apply: funext => y.
  by rewrite dot_mk -(sumE M (fun l => answer_vectors.of_value d Y L i y l * out g l)).
move=> y z; rewrite (sumE M (fun l => answer_vectors.of_value d Y L i y l * answer_vectors.of_value d Y L i z l)) -dot_mk2.
by rewrite (answer_vectors.value_value d n Y L k h tau cov) // h1 Rmult_1_r.
Qed.

Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Hypothesis normals : independent_normals dT T P (d + n) G.

Theorem rank_floor_mean : mean_at_least dT T P (fun w => round_loss d Y L sigma rule (fun l => G l w) i)
  (top - sqrt (1 - p) * Rmin top (sqrt kappa * c)).
Proof.
have one := round_floor d n Y L sigma rule k h tau kappa top sigma0 kappa0 pk ph k1 h1 cov mrule mtop dT T P G normals i (elimT ssrnat.ltP hi).
rewrite /mean_at_least /Rmin; case: Rle_dec => _.
  by have -> : top - sqrt (1 - p) * top = (1 - sqrt (1 - p)) * top by ring.
have hl := integrableB measurableT best_has_mean seat_has_mean.
have ml : measurable_fun setT (fun g : vec RR M => (round_loss d Y L sigma rule (out g) i)%:E).
  have /integrableP[mB _] := hl; apply: eq_measurable_fun mB => g _; by rewrite loss_is.
have -> : mean_of dT T P (fun w => round_loss d Y L sigma rule (fun l => G l w) i) = (\int[law M]_g (round_loss d Y L sigma rule (out g) i)%:E)%E.
  rewrite -(mean_on_vectors dT T P G M _ normals ml); apply: eq_integral => w _; congr EFin.
  by apply: (round_loss_same d n Y L sigma rule) => // l hl'; rewrite /together co_mk.
under eq_integral do rewrite loss_is EFinB.
rewrite (integralB measurableT best_has_mean seat_has_mean) best_mean -Rmult_assoc EFinB.
by apply: lee_sub => //; exact: seat_mean.
Qed.
End floor.

(* ---- there is such a mean length ---- *)

Lemma length_below l (f : nat -> R) : sqrt (sum l (fun j => f j ^ 2)) <= sum l (fun j => Rabs (f j)).
Proof.
have [s0 s2] : 0 <= sum l (fun j => Rabs (f j)) /\ sum l (fun j => f j ^ 2) <= sum l (fun j => Rabs (f j)) ^ 2.
  elim: l => [|l [s0 s2]]; first by rewrite /=; lra.
  have a0 := Rabs_pos (f l); have a2 := pow2_abs (f l); have := Rmult_le_pos _ _ s0 a0.
  by rewrite /= in s2 a2 *; move=> p; split; lra.
by rewrite -[X in _ <= X](sqrt_pow2 _ s0); exact: sqrt_le_1_alt.
Qed.

Theorem mean_length_exists l : exists c, mean_length l c.
Proof.
pose F (g : vec RR l) : RR := sqrt (sum l (fun j => co RR l g j ^ 2)).
have mF : measurable_fun setT F.
  have ms q : measurable_fun setT (fun g : vec RR l => sum q (fun j => co RR l g j ^ 2) : RR).
    elim: q => [|q IH]; first exact: measurable_fun_cst.
    apply: measurable_funD => //; rewrite /=; apply: measurable_funM; first exact: argmax_rule.mco.
    by apply: measurable_funM; [exact: argmax_rule.mco | exact: measurable_fun_cst].
  by apply: msqrt; exact: ms.
have one j : (j < l)%N -> has_mean (law l) (fun g => Rabs (co RR l g j) : RR).
  move=> jl; have := has_mean_abs _ _ _ _ (has_mean_dot l (mk RR l (fun q => identity q j))).
  congr (has_mean _ _); apply: funext => g; congr (Rabs _).
  rewrite dot_mk -(sumE l (fun q => identity q j * co RR l g q)).
  by rewrite (floor_in_mean.sum_one l j (co RR l g)) //; exact/ssrnat.ltP.
have all j : (j <= l)%N -> has_mean (law l) (fun g => sum j (fun q => Rabs (co RR l g q)) : RR).
  elim: j => [|j IH] jl; first exact: (integrable0 (law l)).
  by have := integrableD measurableT (IH (ltnW jl)) (one j jl).
have hF : has_mean (law l) F.
  apply: (has_mean_le _ _ _ mF _ (all l (leqnn l))) => g.
  have s0 : 0 <= sum l (fun q => Rabs (co RR l g q)) by apply: sum_ge0 => q _; exact: Rabs_pos.
  rewrite !ger0_norm; [apply/RleP; exact: length_below | exact/RleP | apply/RleP; exact: sqrt_pos].
exists (fine (\int[law l]_g (F g)%:E)%E) => dT T P G ind; rewrite fineK; last exact: (integral_fune_fin_num measurableT hF).
have mF' : measurable_fun setT (fun g => (F g)%:E) by exact/EFin_measurable_fun.
rewrite -(mean_on_vectors dT T P G l _ ind mF'); apply: eq_integral => w _; congr (sqrt _)%:E.
by apply: sum_ext => j /ssrnat.ltP hj; rewrite /together co_mk.
Qed.
