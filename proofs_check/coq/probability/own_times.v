(******************************************************************************)
(*           Confidence where evaluation times depend on the point            *)
(*                                                                            *)
(* Times that can be reached are finitely many, and a point at such a time is *)
(* a point of adaptive_posterior.v. Point and time of a round are known       *)
(* before its answer: one event for all candidates at that time.              *)
(*                                                                            *)
(* Statements:                                                                *)
(*   one_round_next == a combination that the path of points and the next one *)
(*       fix                                                                  *)
(*   prediction_carried == the forgetting kernel carries means forward        *)
(*   own_round == one round's confidence event                                *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, adaptive_posterior, normal_density, argmax_rule,           *)
(* posterior_kernel, drawn_policies, adaptive_confidence, scalar, normal,     *)
(* definitions, sums, matrices, gains, posterior, theorem_1, theorem_c,       *)
(* events, outcomes.                                                          *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior normal_density.
From CTV Require argmax_rule posterior_kernel drawn_policies.
From CTV Require Import adaptive_confidence.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums matrices gains posterior theorem_1 theorem_c events outcomes.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* ---- the next point is known before its answer ---- *)
Section next.
Variables (X : finType) (m : nat) (a : nat -> X -> vec RR m) (rule : forall j, vec RR j -> X).
Hypothesis mrule : forall j x, measurable [set h : vec RR j | rule j h = x]%classic.
Notation law := (gauss RR normal m).
Notation path := (path RR X m a rule).

Lemma path_along_next i (s : {ffun 'I_i.+1 -> X}) (r : vec RR m) :
  (forall j : 'I_i, dot RR m (a j (s (widen_ord (leqnSn i) j))) r = 0%ring) ->
  forall t g, path i.+1 g = s -> path i.+1 (axpy RR m t r g) = s.
Proof.
move=> orth t g /pathP hs; apply/pathP => j.
have key k : (k <= i)%N -> hist RR X m a rule k (axpy RR m t r g) = hist RR X m a rule k g.
  elim: k => // k IH ki; have e := IH (ltnW ki).
  have hk := hs (widen_ord (leqnSn i) (Ordinal ki)); rewrite /pick /= in hk.
  by rewrite /= e hk dot_axpy (orth (Ordinal ki)) mulr0 addr0.
by rewrite -hs /pick key // -ltnS.
Qed.

Lemma one_round_next i (r : {ffun 'I_i.+1 -> X} -> vec RR m) c : (0 <= c)%ring ->
  (forall (s : {ffun 'I_i.+1 -> X}) (j : 'I_i), dot RR m (a j (s (widen_ord (leqnSn i) j))) (r s) = 0%ring) ->
  (law (out RR X m a rule i.+1 r c) <= tail RR normal c)%E.
Proof.
move=> c0 orth.
have fin (A : set {ffun 'I_i.+1 -> X}) : finite_set A by exact: finite_finset.
have triv : trivIset setT (fun s : {ffun 'I_i.+1 -> X} => [set g | path i.+1 g = s]%classic).
  by move=> s s' _ _ [g [/= <- <-]].
have mp s : measurable [set g | path i.+1 g = s]%classic by exact: mpath.
have step : (law (out RR X m a rule i.+1 r c) <= \sum_(s \in [set: {ffun 'I_i.+1 -> X}]) tail RR normal c * law [set g | path i.+1 g = s]%classic)%E.
  apply: (@le_trans _ _ (\sum_(s \in [set: {ffun 'I_i.+1 -> X}]) law (far RR m (r s) c `&` [set g | path i.+1 g = s])%classic)%E).
    apply: content_sub_fsum => //.
    - by move=> s _; apply: measurableI; [exact: mfar | exact: mp].
    - exact: mout.
    - by rewrite outE.
  apply: lee_fsum => // s _; apply: independent_tail => //.
  by move=> t g; apply: path_along_next => j; exact: orth.
apply: (le_trans step); rewrite -ge0_mule_fsumr; last by move=> s; exact: measure_ge0.
rewrite -(measure_fin_bigcup [the {measure set vec RR m -> \bar RR}%ring of law]) //.
rewrite (_ : \bigcup_(s in _) _ = setT)%classic; first by rewrite [X in (_ * X)%E](gaussT RR normal m) mule1.
by apply/seteqP; split=> g // _; exists (path i.+1 g).
Qed.
End next.

(* ---- means are carried forward ---- *)
Lemma prediction_carried X k rate s x tau y i z p u : (forall j, (j < i)%coq_nat -> tau j <= p) -> p <= u ->
  prediction_at X k (forgetting rate) s x tau y i z u =
  forgetting rate p u * prediction_at X k (forgetting rate) s x tau y i z p.
Proof.
move=> hp pu; rewrite /prediction_at /posterior_mean.
have off (a : 'I_i) : Nat.eqb a i = false.
  by apply/Nat.eqb_neq => e; have := ltn_ord a; rewrite e ltnn.
have -> : (\row_(a < i) joint X k (forgetting rate) (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then u else tau j) a i =
    forgetting rate p u *: \row_(a < i) joint X k (forgetting rate) (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then p else tau j) a i)%ring.
  apply/matrixP => b a; rewrite !mxE /joint Nat.eqb_refl off.
  have ha : (a < i)%coq_nat by apply/ssrnat.ltP; exact: ltn_ord.
  have ta := hp a ha.
  have -> : forgetting rate (tau a) u = forgetting rate p u * forgetting rate (tau a) p.
    by rewrite /forgetting -exp_plus; congr exp; rewrite !Rabs_left1; lra.
  by rewrite -!RmultE; ring.
have e : (\matrix_(a < i, b < i) joint X k (forgetting rate) (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then u else tau j) a b =
    \matrix_(a < i, b < i) joint X k (forgetting rate) (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then p else tau j) a b)%ring.
  by apply/matrixP => a b; rewrite !mxE /joint !off.
by rewrite e -!scalemxAl mxE; exact: mulrCA.
Qed.

(* ---- a point at a time is a point of adaptive_posterior.v ---- *)
Section model.
Variables (d n : nat) (Y : finType) (L : R -> Y -> nat -> R) (sigma : R) (t : Y -> R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R).
Hypothesis sigma0 : 0 < sigma.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis law : has_kernel_at d n Y L k h t.
Notation outcome := (vec RR (d + n)).
Notation co := (co RR (d + n)).
Notation pl g := (played_at d Y L sigma t rule (co g)).
Notation en g := (ends_at d Y L sigma t rule (co g)).
Notation an g := (answer_at d Y L sigma t rule (co g)).
Notation s := (/ sigma ^ 2).

Let y0 : Y := rule O tt.
Notation Q := (fin_type ({ffun 'I_n -> Y} * 'I_n.+1)%type).
Definition time_of (q : Q) : R := sum q.2 (fun j => t (if insub j is Some j' then q.1 j' else y0)).
Definition label (u : R) : Q := odflt ([ffun=> y0], ord0) [pick q | [ffun q => time_of q == u :> RR] q].

Lemma time_reached q : reached Y t n (time_of q).
Proof.
exists (fun j => if insub j is Some j' then q.1 j' else y0), q.2; split=> //.
by have := ltn_ord q.2; rewrite ltnS => /ssrnat.leP.
Qed.

Lemma label_time u : reached Y t n u -> time_of (label u) = u.
Proof.
move=> [x [m [/ssrnat.leP mn e]]]; rewrite /label; case: pickP => [q /=|none]; first by rewrite ffunE => /eqP.
have := none ([ffun j : 'I_n => x j], inord m : 'I_n.+1); rewrite ffunE => /eqP [].
rewrite e /time_of /= inordK //; apply: sum_ext => j /ssrnat.ltP jm.
by rewrite insubT ?(leq_trans jm) // => jn; rewrite ffunE.
Qed.

Notation X := (fin_type (Y * Q)%type).
Definition LX (p : X) (l : nat) : R := L (time_of p.2) p.1 l.
Definition ruleX (j : nat) (g : vec RR j) : X := (rule j g, label (begins Y t rule j g + t (rule j g))).
Arguments ruleX : clear implicits.

Lemma mbegins j : measurable_fun setT (fun g : vec RR j => begins Y t rule j g : RR).
Proof.
elim: j => [|j IH]; first exact: measurable_fun_cst.
have m2 : measurable_fun setT (fun g : vec RR j.+1 => g.2 : vec RR j) by exact: msnd.
apply: measurable_funD; first exact: (measurable_fun_comp IH m2).
apply: (drawn_policies.mchosen_number _ _ Y (fun g : vec RR j.+1 => rule j g.2) (fun z _ => t z)) => z.
  by have := m2 measurableT _ (mrule j z); rewrite setTI.
exact: measurable_fun_cst.
Qed.

Lemma mruleX j p : measurable [set g : vec RR j | ruleX j g = p]%classic.
Proof.
have mend : measurable_fun setT (fun g : vec RR j => begins Y t rule j g + t (rule j g) : RR).
  apply: measurable_funD; first exact: mbegins.
  by apply: (drawn_policies.mchosen_number _ _ Y (fun g => rule j g) (fun z _ => t z)) => [z|z]; [exact: mrule | exact: measurable_fun_cst].
have -> : [set g : vec RR j | ruleX j g = p]%classic = ([set g | rule j g = p.1] `&` [set g | label (begins Y t rule j g + t (rule j g)) = p.2])%classic.
  by apply/seteqP; split=> g; rewrite /ruleX /=; [move=> <- | case=> -> ->; case: p].
apply: measurableI; first exact: mrule.
apply: (argmax_rule.mtruth _ _ Q Q (fun q g => time_of q == (begins Y t rule j g + t (rule j g) : RR)) (fun v => odflt ([ffun=> y0], ord0) [pick q | v q])) => q.
have := mend measurableT _ (measurable_set1 (time_of q : RR)); rewrite setTI.
by congr measurable; apply/seteqP; split=> g /=; [move=> -> | move=> /eqP ->].
Qed.

Lemma begins_sum G j : begins Y t rule j (seen_at d Y L sigma t rule j G) = sum j (fun i => t (played_at d Y L sigma t rule G i)).
Proof. by elim: j => //= j ->. Qed.

Lemma ends_sum G j : ends_at d Y L sigma t rule G j = sum (S j) (fun i => t (played_at d Y L sigma t rule G i)).
Proof. by rewrite /ends_at begins_sum. Qed.

Lemma ends_reached G j : (j < n)%N -> reached Y t n (ends_at d Y L sigma t rule G j).
Proof. by move=> jn; exists (played_at d Y L sigma t rule G), (S j); rewrite ends_sum; split=> //; exact/ssrnat.ltP. Qed.

Lemma valueX g u z : reached Y t n u -> value_at d Y L (co g) u z = adaptive_posterior.f RR d n X LX (z, label u) g.
Proof. by move=> r; rewrite /value_at sumE; apply: eq_bigr => l _; rewrite /LX /= label_time. Qed.

Lemma seenX j g : (j <= n)%N -> seen_at d Y L sigma t rule j (co g) = adaptive_posterior.seen RR d n X LX sigma ruleX j g.
Proof.
elim: j => // j IH hj; have e := IH (ltnW hj).
rewrite [LHS]/= [RHS]/= -e; congr (_, _); congr (_ + _); rewrite /ruleX.
exact: (valueX g _ _ (ends_reached (co g) j hj)).
Qed.

Lemma pointX j g : (j <= n)%N -> adaptive_posterior.point RR d n X LX sigma ruleX j g = (pl g j, label (en g j)).
Proof. by move=> hj; rewrite /adaptive_posterior.point -seenX. Qed.

Lemma answerX j g : (j < n)%N -> an g j = adaptive_posterior.y RR d n X LX sigma ruleX j g.
Proof.
move=> hj; rewrite /answer_at /adaptive_posterior.y pointX ?(ltnW hj) // valueX //; exact: ends_reached.
Qed.

Lemma kernX u u' z z' : reached Y t n u -> reached Y t n u' ->
  adaptive_posterior.kern RR d X LX (z, label u) (z', label u') = k z z' * h u u'.
Proof.
move=> r r'; rewrite -(law u u' z z' r r') sumE; apply: eq_bigr => l _; rewrite /LX /=.
by rewrite !label_time.
Qed.

Let p0 : (0 < (sigma : RR))%ring. Proof. by apply/RltP. Qed.
Let s2 : ((sigma ^+ 2)^-1)%ring = s.
Proof. by rewrite -RinvE ?RpowE // expf_neq0 // gt_eqF. Qed.

(* rounds 0..i-1 as they were played, round i at the candidate z and the time u *)
Notation A g i z u := (joint Y k h (fun j => if Nat.eqb j i then z else pl g j) (fun j => if Nat.eqb j i then u else en g j)).

Lemma covariancesX g i z u a b : reached Y t n u -> (i < n)%N -> (a <= i)%N -> (b <= i)%N ->
  posterior_kernel.covariances d n X LX sigma ruleX i (z, label u) g a b = A g i z u a b.
Proof.
move=> r hi ai bi; rewrite /posterior_kernel.covariances /joint.
have e c : (c <= i)%N -> (if Nat.eqb c i then (z, label u) else adaptive_posterior.point RR d n X LX sigma ruleX c g) =
    ((if Nat.eqb c i then z else pl g c), label (if Nat.eqb c i then u else en g c)).
  move=> ci; case: (Nat.eqb_spec c i) => // _; rewrite pointX // ltnW // (leq_ltn_trans ci hi).
  by [].
have rc c : (c <= i)%N -> reached Y t n (if Nat.eqb c i then u else en g c).
  by move=> ci; case: Nat.eqb => //; apply: ends_reached; exact: leq_ltn_trans ci hi.
by rewrite !e // kernX //; exact: rc.
Qed.

Theorem deviationX g i z u : reached Y t n u -> (i < n)%N -> adaptive_posterior.sd RR d n X LX sigma ruleX i (z, label u) g =
  sqrt (variance_at Y k h s (pl g) (en g) i z u).
Proof.
move=> r hi; have iN := ltnW hi.
have v0 : (0 <= adaptive_posterior.var RR d n X LX sigma ruleX i (z, label u) g)%ring.
  by rewrite /adaptive_posterior.var -(adaptive_posterior.resid_norm RR d n X LX sigma p0 i iN); exact: gaussian_law.dot_ge0.
rewrite /adaptive_posterior.sd -RsqrtE //; congr sqrt.
rewrite (posterior_kernel.var_variance d n X LX sigma ruleX i _ g p0 iN) s2 /variance_at.
by apply: variance_ext => a b /ssrnat.leP ha /ssrnat.leP hb; exact: covariancesX.
Qed.

Theorem predictionX g i z u : reached Y t n u -> (i < n)%N -> adaptive_posterior.mean RR d n X LX sigma ruleX i (z, label u) g =
  prediction_at Y k h s (pl g) (en g) (an g) i z u.
Proof.
move=> r hi; have iN := ltnW hi; rewrite /adaptive_posterior.mean /prediction_at /posterior_mean -s2.
have ne (j : 'I_i) : Nat.eqb j i = false.
  by apply/Nat.eqb_neq => e; have := ltn_ord j; rewrite e ltnn.
have kC x1 x2 : adaptive_posterior.kern RR d X LX x1 x2 = adaptive_posterior.kern RR d X LX x2 x1 by apply: eq_bigr => l _; rewrite mulrC.
have E a b : (a <= i)%N -> (b <= i)%N -> posterior_kernel.covariances d n X LX sigma ruleX i (z, label u) g a b = A g i z u a b.
  by move=> ha hb; exact: covariancesX.
pose M := (\matrix_(a < i, l < i) A g i z u a l)%ring.
have eM : adaptive_posterior.cov RR d X LX sigma i (fun j => adaptive_posterior.point RR d n X LX sigma ruleX j g) =
    (sigma ^+ 2 *: (1%:M + (sigma ^+ 2)^-1 *: M))%ring.
  rewrite scalerDr scalerA divff ?sqrf_eq0 ?gt_eqF // scale1r addrC scalemx1; congr (_ + _)%ring.
  by apply/matrixP => j l; rewrite !mxE -E ?(ltnW (ltn_ord _)) // /posterior_kernel.covariances !ne.
have um : (sigma ^+ 2 *: (1%:M + (sigma ^+ 2)^-1 *: M) \in unitmx)%ring.
  by rewrite -eM; exact: (adaptive_posterior.cov_unit RR d n X LX sigma p0 i iN).
rewrite /adaptive_posterior.weights eM invmxZ // -scalemxAr -scalemxAl mxE; congr (_ * _)%ring.
congr ((_ *m _ *m _)%ring _ _); apply/matrixP => a l; rewrite !mxE.
  by rewrite -E ?(ltnW (ltn_ord _)) // /posterior_kernel.covariances ne Nat.eqb_refl kC.
by rewrite answerX // (ltn_trans (ltn_ord _) hi).
Qed.

(* one round: every candidate at the time at which the round ends *)
Notation missed g i z b := (sqrt b * sqrt (variance_at Y k h s (pl g) (en g) i z (en g i)) <
  Rabs (value_at d Y L (co g) (en g i) z - prediction_at Y k h s (pl g) (en g) (an g) i z (en g i))).

Theorem own_round i b : (i < n)%N -> 0 <= b ->
  at_most _ _ (standard_normal (d + n)) (fun g => exists z, missed g i z b) (size Y * (2 * normal_cdf (- sqrt b))).
Proof.
move=> hi b0; have iN := ltnW hi.
pose wide (q : {ffun 'I_i.+1 -> X}) (j : 'I_i) : X := q (widen_ord (leqnSn i) j).
pose r z (q : {ffun 'I_i.+1 -> X}) := adaptive_posterior.resid RR d n X LX sigma i (wide q) (z, (q ord_max).2).
pose ax := adaptive_posterior.a RR d n X LX sigma.
have one z : at_most _ _ (standard_normal (d + n)) [set g : outcome | missed g i z b]%classic (2 * normal_cdf (- sqrt b)).
  have -> : [set g : outcome | missed g i z b]%classic = out RR X (d + n) ax ruleX i.+1 (r z) (sqrt b).
    apply/seteqP; suff e g : missed g i z b <-> out RR X (d + n) ax ruleX i.+1 (r z) (sqrt b) g by split=> g /e.
    have pe j : (j <= i)%N -> pick RR X (d + n) ax ruleX j g = (pl g j, label (en g j)).
      by move=> ji; rewrite -(adaptive_posterior.pointE RR d n X LX sigma ruleX) pointX // (leq_trans ji).
    have we : wide (path RR X (d + n) ax ruleX i.+1 g) = (fun j : 'I_i => adaptive_posterior.point RR d n X LX sigma ruleX j g).
      by apply/funext => j; rewrite /wide ffunE; exact: esym (adaptive_posterior.pointE RR d n X LX sigma ruleX j g).
    have le : (path RR X (d + n) ax ruleX i.+1 g ord_max).2 = label (en g i).
      by rewrite ffunE (_ : pick _ _ _ _ _ _ _ = (pl g i, label (en g i))) //; exact: (pe i (leqnn i)).
    have rc := ends_reached (co g) i hi.
    have ev : dot RR (d + n) (r z (path RR X (d + n) ax ruleX i.+1 g)) (r z (path RR X (d + n) ax ruleX i.+1 g)) =
        adaptive_posterior.var RR d n X LX sigma ruleX i (z, label (en g i)) g.
      rewrite /r le (adaptive_posterior.resid_norm RR d n X LX sigma p0 i iN) /adaptive_posterior.var we; congr (_ - (_ *m _) _ _)%ring.
    have em : dot RR (d + n) (r z (path RR X (d + n) ax ruleX i.+1 g)) g =
        (adaptive_posterior.f RR d n X LX (z, label (en g i)) g - adaptive_posterior.mean RR d n X LX sigma ruleX i (z, label (en g i)) g)%ring.
      rewrite /r le (adaptive_posterior.dot_resid RR d n X LX sigma) we /adaptive_posterior.mean; congr (_ - _)%ring.
      by rewrite mxE; apply: eq_bigr => j _; congr (_ * _)%ring; rewrite mxE /adaptive_posterior.y.
    rewrite /out /= ev em -/(adaptive_posterior.sd RR d n X LX sigma ruleX i (z, label (en g i)) g) (deviationX g i z _ rc hi) (predictionX g i z _ rc hi) -valueX //.
    by split=> lt; exact/RltP.
  split; first by apply: mout; exact: mruleX.
  apply: le_trans (one_round_next X (d + n) ax ruleX mruleX i (r z) (sqrt b) _ _) _.
  - by apply/RleP; exact: sqrt_pos.
  - by move=> q j; exact: (adaptive_posterior.resid_orth RR d n X LX sigma p0 i iN (wide q)).
  - by rewrite tail_normal //; exact: sqrt_pos.
have mE : (fun g : outcome => exists z, missed g i z b) = (\bigcup_(z in [set: Y]) [set g | missed g i z b])%classic.
  by apply/seteqP; split=> g; [case=> z lt; exists z | case=> z _ lt; exists z].
have mU : measurable (fun g : outcome => exists z, missed g i z b).
  by rewrite mE; apply: fin_bigcup_measurable => [|z _]; [exact: finite_finset | case: (one z)].
split=> //; rewrite mE.
apply: (@le_trans _ _ (\sum_(z \in [set: Y]) standard_normal (d + n) [set g | missed g i z b]%classic)%E).
  by apply: content_sub_fsum => [|z _||]; [exact: finite_finset | case: (one z) | rewrite -mE |].
rewrite (fsbigE (index_enum Y)) ?index_enum_uniq //; last by move=> z _; rewrite mem_index_enum.
rewrite (eq_bigl xpredT); last by move=> z; rewrite in_setT.
apply: (@le_trans _ _ (\sum_(z : Y) (2 * normal_cdf (- sqrt b))%R%:E)%E); first by apply: lee_sum => z _; case: (one z).
rewrite sumEFin lee_fin; apply/RleP; right; rewrite big_const iter_addr_0 -mulr_natl; congr (_ * _)%ring.
by rewrite /outcomes.size INRE.
Qed.
End model.
