(******************************************************************************)
(*                  How far a process gets in a span of time                  *)
(*                                                                            *)
(* Levy's inequality for finitely many normal variables with independent      *)
(* increments, and from it the largest absolute value of a process with the   *)
(* covariance exp (-rate |t - t'|) at finitely many times.                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   half == of an event that does not see a direction half is on its side    *)
(*   passing == Levy: some of M + 1 values is above c                         *)
(*   passing_both == some is beyond c on either side                          *)
(*   within_window == the process at times within a window                    *)
(*   within_span == and within W windows                                      *)
(*   window_event == a window, on any space, with the usual bound             *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* normal_density, adaptive_confidence, scalar, normal, definitions, sums,    *)
(* events, outcomes, adaptive_posterior, joint_law, combinations,             *)
(* pair_maximum.                                                              *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law normal_density adaptive_confidence.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums events outcomes adaptive_posterior joint_law.
From CTV Require Import combinations.
From CTV Require pair_maximum.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation law n := (gauss RR normal_density.normal n).

Lemma normal_cdf_0 : normal_cdf 0 = / 2.
Proof. by have := normal_cdf_minus 0; rewrite Ropp_0; lra. Qed.

Definition at_least_0 : set RR := [set x | (0 <= x)%ring]%classic.
Lemma mat_least_0 : measurable at_least_0.
Proof.
by have := measurable_itv `[(0 : RR)%ring, +oo[; congr measurable; apply/seteqP; split=> x /=; rewrite in_itv /= andbT.
Qed.

Lemma half n (r : vec RR n) (A : set (vec RR n)) : measurable A -> (forall t g, A g -> A (axpy RR n t r g)) ->
  (law n A <= 2%:E * law n (A `&` [set g | (0 <= dotp n r g)%ring])%classic)%E.
Proof.
move=> mA inv; have [r0|rn] := eqVneq (dotp n r r) 0%ring.
  have -> : (A `&` [set g | (0 <= dotp n r g)%ring])%classic = A.
    by apply/seteqP; split=> g /=; [case | move=> hg; split=> //; rewrite dot_null].
  rewrite -[X in (X <= _)%E]mul1e; apply: lee_wpmul2r; first exact: measure_ge0.
  by rewrite lee_fin; apply/RleP; change (1 <= 2); lra.
have qp : (0 < dotp n r r)%ring by rewrite lt_neqAle eq_sym rn gaussian_law.dot_ge0.
set q := Num.sqrt (dotp n r r); have q0 : (0 < q)%ring by rewrite sqrtr_gt0.
have rr : dotp n r r = (q ^+ 2)%ring by rewrite sqr_sqrtr // ltW.
set u := scale RR n (q^-1)%ring r.
have u1 : dotp n u u = 1 by rewrite /u dot_scale dotC dot_scale rr expr2 mulKf ?gt_eqF // mulVf // gt_eqF.
have inv' t g : A g -> A (axpy RR n t u g) by rewrite /u axpy_scale; exact: inv.
pose B := at_least_0; have mB : measurable B := mat_least_0.
have hB : law1 B = (/ 2)%:E.
  rewrite law1_sym // -normal_cdf_0 -law1_cdf; congr (gaussian_law.law1 _ _ _).
  by apply/seteqP; split=> x; rewrite /B /at_least_0 /upto /= oppr_ge0.
have -> : (A `&` [set g | (0 <= dotp n r g)%ring])%classic = [set g | B (dotp n u g) /\ A g]%classic.
  by apply/seteqP; split=> g; rewrite /B /at_least_0 /u /= dot_scale pmulr_rge0 ?invr_gt0 //; case.
rewrite (independent RR normal_density.normal n u A B u1 mA mB inv') hB muleA -EFinM.
rewrite (_ : (_ * _)%ring = 1%ring) ?mul1e //; change (2 * / 2 = 1); lra.
Qed.

Section passing.
Variables (n M : nat) (v : nat -> vec RR n) (c : R).
(* the increments are independent *)
Hypothesis forward : forall j k, (j <= k)%N -> (k <= M)%N -> dotp n (v j) (v k) = dotp n (v j) (v j).

Let mval j : measurable [set g : vec RR n | above c (dotp n (v j) g)]%classic.
Proof. by rewrite -[X in measurable X]setTI; exact: (mdot RR n (v j) measurableT _ (mabove c)). Qed.

Definition first_at (k : nat) : set (vec RR n) :=
  ([set g | above c (dotp n (v k) g)] `&` ~` (\bigcup_(j in [set j | (j < k)%N]) [set g | above c (dotp n (v j) g)]))%classic.

Lemma mfirst k : measurable (first_at k).
Proof. by apply: measurableI => //; apply: measurableC; apply: bigcup_measurable => j _; exact: mval. Qed.

Lemma some_first g k : above c (dotp n (v k) g) -> exists2 j, (j <= k)%N & first_at j g.
Proof.
elim/ltn_ind: k => k IH hk.
have [[j hj a]|none] := pselect (exists2 j, (j < k)%N & above c (dotp n (v j) g)).
  by have [l hl f] := IH j hj a; exists l => //; rewrite (leq_trans hl) // ltnW.
by exists k => //; split=> // -[j hj a]; apply: none; exists j.
Qed.

Lemma first_axpy k t g : (k <= M)%N -> first_at k g -> first_at k (axpy RR n t (axpy RR n (-1)%ring (v k) (v M)) g).
Proof.
move=> kM [hk no]; have e j : (j <= k)%N -> dotp n (v j) (axpy RR n t (axpy RR n (-1)%ring (v k) (v M)) g) = dotp n (v j) g.
  move=> jk; rewrite !dot_axpy (forward j M (leq_trans jk kM)) // (forward j k jk kM).
  by rewrite mulN1r subrr mulr0 addr0.
split; first by rewrite /= e.
by move=> -[j jk a]; apply: no; exists j => //; move: a; rewrite /= e // ltnW.
Qed.

Theorem passing : (law n (\bigcup_(k in [set k | (k <= M)%N]) [set g | above c (dotp n (v k) g)])%classic <=
  2%:E * law n [set g | above c (dotp n (v M) g)]%classic)%E.
Proof.
set P := [the {measure set vec RR n -> \bar RR}%ring of law n].
have fin : finite_set [set k | (k <= M)%N].
  by apply: (sub_finite_set (B := `I_M.+1)); [move=> k /= | exact: finite_II].
have triv (F : nat -> set (vec RR n)) : (forall k, F k `<=` first_at k)%classic -> trivIset [set k | (k <= M)%N] F.
  move=> sub j k _ _ [g [/sub [aj nj] /sub [ak nk]]]; apply/eqP; rewrite eqn_leq; apply/andP.
  by split; rewrite leqNgt; apply/negP => lt; [apply: nj; exists k | apply: nk; exists j].
have -> : (\bigcup_(k in [set k | (k <= M)%N]) [set g | above c (dotp n (v k) g)] = \bigcup_(k in [set k | (k <= M)%N]) first_at k)%classic.
  apply/seteqP; split=> g [k /= kM].
    by move=> a; have [j jk f] := some_first g k a; exists j => //=; exact: leq_trans kM.
  by case=> a _; exists k.
pose S k := (first_at k `&` [set g | (0 <= dotp n (axpy RR n (-1)%ring (v k) (v M)) g)%ring])%classic.
have mS k : measurable (S k).
  apply: measurableI; first exact: mfirst.
  by have := mdot RR n (axpy RR n (-1)%ring (v k) (v M)) measurableT _ mat_least_0; rewrite setTI.
rewrite (measure_fin_bigcup P fin) //; [|by apply: triv => k|by move=> k _; exact: mfirst].
apply: (@le_trans _ _ (\sum_(k \in [set k | (k <= M)%N]) 2%:E * P (S k))%E).
  apply: lee_fsum => // k /= kM; apply: half; first exact: mfirst.
  by move=> t g; exact: first_axpy.
rewrite -ge0_mule_fsumr; last by move=> k; exact: measure_ge0.
apply: lee_wpmul2l; first by rewrite lee_fin; apply/RleP; change (0 <= 2); lra.
rewrite -(measure_fin_bigcup P fin); [|by apply: triv => k g; case|by move=> k _; exact: mS].
have mB : measurable [set g | above c (dotp n (v M) g)]%classic.
  by have := mdot RR n (v M) measurableT _ (mabove c); rewrite setTI.
apply: le_measure; rewrite ?inE //; first by apply: fin_bigcup_measurable => // k _; exact: mS.
move=> g [k kM [[a _] /=]]; rewrite dotC dot_axpy ![dotp n g _]dotC mulN1r subr_ge0; exact: lt_le_trans.
Qed.
End passing.

Section both.
Variables (n M : nat) (v : nat -> vec RR n) (c q : R).
Hypothesis c0 : 0 <= c.
Hypothesis q0 : 0 < q.
Hypothesis forward : forall j k, (j <= k)%N -> (k <= M)%N -> dotp n (v j) (v k) = dotp n (v j) (v j).
Hypothesis norm : dotp n (v M) (v M) = q ^ 2.

Lemma last_above (w : vec RR n) : dotp n w w = q ^ 2 -> law n [set g | above c (dotp n w g)]%classic = (normal_cdf (- (c / q)))%:E.
Proof.
move=> ww; have [e _] := above_cdf (c / q) ltac:(apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat); rewrite -e.
have q0' : (0 < (q : RR))%ring by apply/RltP.
rewrite -(unit_law n (scale RR n (q^-1)%ring w)); last exact: mabove; last first.
  by rewrite dot_scale dotC dot_scale ww RpowE expr2 mulKf ?gt_eqF // mulVf // gt_eqF.
congr (gauss _ _ _ _); apply/seteqP; split=> g; rewrite /above /= dot_scale RdivE ?gt_eqF // [(q^-1 * _)%ring]mulrC ltr_pdivl_mulr // divfK ?gt_eqF //; by [].
Qed.

Theorem passing_both : (law n (\bigcup_(k in [set k | (k <= M)%N]) [set g | (c < `|dotp n (v k) g|)%ring])%classic <=
  (4 * normal_cdf (- (c / q)))%R%:E)%E.
Proof.
pose w k := scale RR n (-1)%ring (v k).
have wE k g : dotp n (w k) g = (- dotp n (v k) g)%ring by rewrite /w dot_scale mulN1r.
have fw j k : (j <= k)%N -> (k <= M)%N -> dotp n (w j) (w k) = dotp n (w j) (w j).
  by move=> jk kM; rewrite !wE ![dotp n (v j) (w _)]dotC !wE !opprK ![dotp n _ (v j)]dotC forward.
pose up (x : nat -> vec RR n) := (\bigcup_(k in [set k | (k <= M)%N]) [set g | above c (dotp n (x k) g)])%classic.
have mup x : measurable (up x).
  apply: bigcup_measurable => k _; rewrite -[X in measurable X]setTI; exact: (mdot RR n (x k) measurableT _ (mabove c)).
have nw : dotp n (w M) (w M) = q ^ 2 by rewrite wE dotC wE opprK.
have one x : (forall j k, (j <= k)%N -> (k <= M)%N -> dotp n (x j) (x k) = dotp n (x j) (x j)) -> dotp n (x M) (x M) = q ^ 2 ->
    at_most _ _ (standard_normal n) (up x) (2 * normal_cdf (- (c / q))).
  move=> fx nx; split; first exact: mup.
  by apply: le_trans (passing n M x c fx) _; rewrite last_above // -EFinM lee_fin; apply/RleP; right.
have [mU le] := union_bound _ _ (standard_normal n) 2 (fun i => if i is O then up v else up w) (fun=> 2 * normal_cdf (- (c / q)))
  (fun i _ => match i with O => one v forward norm | S _ => one w fw nw end).
rewrite (_ : 4 * normal_cdf (- (c / q)) = sum 2 (fun=> 2 * normal_cdf (- (c / q)))); last by rewrite /=; lra.
apply: le_trans le; apply: le_measure; rewrite ?inE //.
  apply: bigcup_measurable => k _; rewrite -[X in measurable X]setTI; exact: (mdot RR n (v k) measurableT _ (gaussian_law.mbeyond RR c)).
move=> g [k kM /=]; rewrite ltr_normr => /orP[a|a]; first by exists O; split; [lia | exists k].
by exists 1%N; split; [lia | exists k => //=; rewrite wE].
Qed.
End both.

(* a process of variance 1 and correlations exp (-rate |t - t'|), as combinations row t of n normal variables *)
Section process.
Variables (n : nat) (rate u : R) (row : R -> vec RR n) (ts : seq R).
Hypothesis rate0 : 0 <= rate.
Hypothesis u0 : 0 < u.
Hypothesis correlated : forall t t', t \in ts -> t' \in ts -> dotp n (row t) (row t') = forgetting rate t t'.
Notation beyond t := [set g | (u < `|dotp n (row t) g|)%ring]%classic.
Notation most := (4 * normal_cdf (- (u * exp (- / u ^ 2)))).

Let mbeyond_at t : measurable (beyond t).
Proof. by rewrite -[X in measurable X]setTI; exact: (mdot RR n (row t) measurableT _ (gaussian_law.mbeyond RR u)). Qed.

Let most_ge0 : 0 <= most.
Proof. by have := normal_cdf_positive (- (u * exp (- / u ^ 2))); lra. Qed.

Lemma msome (s : seq R) : measurable (\bigcup_(t in [set t | t \in s]) beyond t)%classic.
Proof. by apply: fin_bigcup_measurable => [|t _]; [exact: finite_seq | exact: mbeyond_at]. Qed.

(* all times within a window of length b *)
Theorem within_window a b (s : seq R) : {subset s <= ts} -> (forall t, t \in s -> a <= t <= a + b) -> rate * b <= / u ^ 2 ->
  at_most _ _ (standard_normal n) (\bigcup_(t in [set t | t \in s]) beyond t)%classic most.
Proof.
move=> sub span short; split; first exact: msome.
pose l := sort <=%O (s : seq RR); have inl t : (t \in l) = (t \in s) by rewrite mem_sort.
case: (posnP (seq.size l)) => [l0|lp].
  have -> : (\bigcup_(t in [set t | t \in s]) beyond t)%classic = set0.
    by apply/seteqP; split=> g // -[t /=]; rewrite -inl; move/size0nil: l0 => ->.
  by rewrite measure0 lee_fin; apply/RleP.
pose M := (seq.size l).-1; pose at_ k : R := nth 0%ring l k.
have atl k : (k <= M)%N -> at_ k \in s by move=> kM; rewrite -inl mem_nth // -(prednK lp).
have grows j k : (j <= k)%N -> (k <= M)%N -> at_ j <= at_ k.
  move=> jk kM; apply/RleP; have ks : (k < seq.size l)%N by rewrite -(prednK lp).
  apply: (sorted_leq_nth (@le_trans _ _) (@lexx _ _) 0%ring (sort_le_sorted _)) => //.
  by rewrite inE (leq_ltn_trans jk).
pose v k := scale RR n (exp (rate * (at_ k - a))) (row (at_ k)).
have vv j k : (j <= k)%N -> (k <= M)%N -> dotp n (v j) (v k) = exp (rate * (at_ j - a)) ^ 2.
  move=> jk kM; rewrite /v dot_scale dotC dot_scale dotC correlated; [|apply: sub; apply: atl; exact: leq_trans kM|apply: sub; exact: atl].
  have g := grows j k jk kM; rewrite /forgetting Rabs_left1; last lra.
  rewrite -!RmultE -[exp _ ^ 2]/(exp _ * (exp _ * 1)) Rmult_1_r -!exp_plus; congr exp; ring.
have q0 := exp_pos (rate * (at_ M - a)).
apply: (@Order.POrderTheory.le_trans _ _ (4 * normal_cdf (- (u / exp (rate * (at_ M - a)))))%R%:E); last first.
  rewrite lee_fin; apply/RleP; apply: Rmult_le_compat_l; first lra.
  apply: pair_maximum.normal_cdf_grows; apply: Ropp_le_contravar; rewrite /Rdiv -exp_Ropp.
  apply: Rmult_le_compat_l; first lra.
  have [lo hi] := span (at_ M) (atl M (leqnn M)).
  have le : rate * (at_ M - a) <= / u ^ 2 by apply: Rle_trans short; apply: Rmult_le_compat_l; lra.
  by case: (Rle_lt_or_eq_dec _ _ le) => [lt|->]; [left; apply: exp_increasing; lra | right].
apply: Order.POrderTheory.le_trans (passing_both n M v u _ (Rlt_le _ _ u0) q0 _ _); last exact: vv.
  apply: le_measure; rewrite ?inE //; first exact: msome.
    apply: bigcup_measurable => k _; rewrite -[X in measurable X]setTI; exact: (mdot RR n (v k) measurableT _ (gaussian_law.mbeyond RR u)).
  move=> g [t /=]; rewrite -inl => tl hg; have tM : (index t l <= M)%N by rewrite -ltnS (prednK lp) index_mem.
  exists (index t l) => //=; rewrite /v dot_scale /at_ nth_index // normrM; apply: lt_le_trans hg _.
  have [lo hi] := span t ltac:(by rewrite -inl).
  have e1 : (1 <= `|exp (rate * (t - a)) : RR|)%ring.
    apply/RleP; rewrite ger0_norm; last by apply/RleP; left; exact: exp_pos.
    have := exp_ineq1_le (rate * (t - a)); have : 0 <= rate * (t - a) by apply: Rmult_le_pos; lra.
    by move=> p e; change (1 <= exp (rate * (t - a))); lra.
  by rewrite -[X in (X <= _)%ring]mulr1 [X in (_ <= X)%ring]mulrC ler_wpmul2l.
by move=> j k jk kM; rewrite !vv // (leq_trans jk).
Qed.

(* and within W windows, which together have the length T *)
Theorem within_span T W : (0 < W)%coq_nat -> (forall t, t \in ts -> 0 <= t <= T) -> rate * T * u ^ 2 <= INR W ->
  at_most _ _ (standard_normal n) (\bigcup_(t in [set t | t \in ts]) beyond t)%classic (INR W * most).
Proof.
move=> W0 span enough; have w0 : 0 < INR W by exact: lt_0_INR.
have [->|ne] := eqVneq ts [::].
  split; first by exact: msome.
  have -> : (\bigcup_(t in [set t | t \in [::]]) beyond t)%classic = set0 by apply/seteqP; split=> g // -[].
  by rewrite measure0 lee_fin; apply/RleP; apply: Rmult_le_pos => //; exact: pos_INR.
have T0 : 0 <= T.
  by case: ts ne span => // t s _ h; have := h t; rewrite inE eqxx => /(_ isT); lra.
pose b := T / INR W; have b0 : 0 <= b by apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat.
pose s k : seq R := [seq t <- ts | (INR k * b <= t)%ring && (t <= INR k * b + b)%ring].
have short : rate * b <= / u ^ 2.
  have u2 : 0 < u ^ 2 by exact: pow_lt.
  apply: (Rmult_le_reg_r (INR W * u ^ 2)); first exact: Rmult_lt_0_compat.
  by rewrite (_ : / u ^ 2 * (INR W * u ^ 2) = INR W); [rewrite (_ : rate * b * (INR W * u ^ 2) = rate * T * u ^ 2) //; rewrite /b; field; lra | field; lra].
have each k : (k < W)%coq_nat -> at_most _ _ (standard_normal n) (\bigcup_(t in [set t | t \in s k]) beyond t)%classic most.
  move=> hk; apply: (within_window (INR k * b) b) short; first by move=> t; rewrite mem_filter => /andP[].
  by move=> t; rewrite mem_filter => /andP[/andP[/RleP lo /RleP hi] _].
have [mU le] := union_bound _ _ (standard_normal n) W (fun k => \bigcup_(t in [set t | t \in s k]) beyond t)%classic (fun=> most) each.
split; first exact: msome.
rewrite -(sum_const W most) //; apply: Order.POrderTheory.le_trans le; apply: le_measure; rewrite ?inE //; first exact: msome.
move=> g [t /= tts hg]; have [lo hi] := span t tts.
have cover m : t <= INR m * b -> (0 < m)%N -> exists2 k, (k < m)%N & INR k * b <= t <= INR k * b + b.
  elim: m => // m IH; rewrite S_INR => le1 _.
  have [l|l] := Rle_lt_dec (INR m * b) t; first by exists m => //; lra.
  have m0 : (0 < m)%N by case: m l {IH le1} => //; rewrite Rmult_0_l; lra.
  by have [k km h] := IH ltac:(lra) m0; exists k => //; exact: ltnW.
have tb : t <= INR W * b by rewrite /b (_ : INR W * (T / INR W) = T); [lra | field; lra].
have [k kW [h1 h2]] := cover W tb ltac:(exact/ssrnat.ltP).
exists k; split; first exact/ssrnat.ltP.
by exists t => //=; rewrite mem_filter tts andbT; apply/andP; split; exact/RleP.
Qed.

(* the usual form of the probability of a window *)
Lemma window_tail : most <= 2 * exp 1 * exp (- u ^ 2 / 2).
Proof.
have u2 : 0 < u ^ 2 by exact: pow_lt.
have := gaussian_tail (u * exp (- / u ^ 2)) ltac:(apply: Rmult_le_pos; [lra | left; exact: exp_pos]).
suff : exp (- (u * exp (- / u ^ 2)) ^ 2 / 2) <= exp 1 * exp (- u ^ 2 / 2) by lra.
rewrite -exp_plus; have Q : exp (- / u ^ 2) * exp (- / u ^ 2) = exp (- (2 * / u ^ 2)) by rewrite -exp_plus; congr exp; ring.
have l := exp_ineq1_le (- (2 * / u ^ 2)).
have e : u ^ 2 * (1 - 2 * / u ^ 2) = u ^ 2 - 2 by field; lra.
have := Rmult_le_compat_l (u ^ 2) _ _ (Rlt_le _ _ u2) l => m.
have le : - (u * exp (- / u ^ 2)) ^ 2 / 2 <= 1 + - u ^ 2 / 2.
  by rewrite (_ : (u * exp (- / u ^ 2)) ^ 2 = u ^ 2 * (exp (- / u ^ 2) * exp (- / u ^ 2))); [rewrite Q; lra | ring].
by case: le => [lt|->]; [left; exact: exp_increasing | right].
Qed.
End process.

(* the same on any space *)
Theorem window_event dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) m (row : R -> nat -> R)
  (times : list R) rate u a b : independent_normals dT T P m G -> 0 <= rate -> 0 < u ->
  (forall t t', List.In t times -> List.In t' times -> sum m (fun l => row t l * row t' l) = forgetting rate t t') ->
  (forall t, List.In t times -> a <= t <= a + b) -> rate * b <= / u ^ 2 ->
  at_most dT T P (fun w => exists t, List.In t times /\ u < Rabs (sum m (fun l => row t l * G l w))) (2 * exp 1 * exp (- u ^ 2 / 2)).
Proof.
move=> normals rate0 u0 corr span short.
have inE t (l : seq R) : List.In t l <-> t \in l.
  elim: l => //= x l IH; rewrite in_cons; split=> [[->|/IH ->]|/orP[/eqP ->|/IH h]]; rewrite ?eqxx ?orbT //; by [left | right].
pose v (t : R) : vec RR m := mk RR m (row t).
have vE t w : dotp m (v t) (together dT T m G w) = sum m (fun l => row t l * G l w).
  by rewrite /v dot_mk sumE; apply: eq_bigr => l _; rewrite /together co_mk.
have cv t t' : t \in times -> t' \in times -> dotp m (v t) (v t') = forgetting rate t t'.
  by move=> /inE ht /inE ht'; rewrite -(corr t t' ht ht') /v dot_mk2 sumE.
have [mE le] := within_window m rate u v times rate0 u0 cv a b times (fun t h => h) (fun t h => span t (proj2 (inE t times) h)) short.
have [_ [mG _]] := normals.
have -> : (fun w => exists t, List.In t times /\ u < Rabs (sum m (fun l => row t l * G l w))) =
    (together dT T m G @^-1` (\bigcup_(t in [set t | t \in times]) [set g | (u < `|dotp m (v t) g|)%ring]))%classic.
  apply/seteqP; split=> w [t].
    by case=> /inE ht lt; exists t => //=; rewrite vE; exact/RltP.
  by move=> /= ht; rewrite vE => /RltP lt; exists t; split=> //; exact/inE.
split; first by rewrite -[X in measurable X]setTI; exact: (mtogether dT T m G mG).
rewrite (joint_law dT T P m G mG normals) //; apply: Order.POrderTheory.le_trans le _; rewrite lee_fin; apply/RleP.
exact: window_tail.
Qed.
