(******************************************************************************)
(*                       Theorem C with its probability                       *)
(*                                                                            *)
(* On a finite domain, for the forgetting kernel: both events and the regret  *)
(* of every round up to a horizon.                                            *)
(*                                                                            *)
(* Statements:                                                                *)
(*   bounded == the event that no value is beyond sqrt(beta)                  *)
(*   theorem_c_with_probability == Theorem C                                  *)
(*                                                                            *)
(* Rests on: library, measures, vectors, gaussian_law, adaptive_posterior,    *)
(* adaptive_confidence, scalar, normal, definitions, sums, kernels,           *)
(* theorem_c, events, outcomes, joint_law, any_space, first_passage,          *)
(* own_times.                                                                 *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import vectors gaussian_law adaptive_posterior adaptive_confidence.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums kernels theorem_c events outcomes joint_law any_space.
From CTV Require Import first_passage own_times.
Import Order.TTheory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* runs that agree on the numbers of n rounds *)
Section same.
Variables (d n : nat) (Y : Type) (L : R -> Y -> nat -> R) (sigma : R) (t : Y -> R) (rule : policy_on Y) (g g' : nat -> R).
Hypothesis e : forall l, (l < d + n)%N -> g l = g' l.

Lemma value_at_same u z : value_at d Y L g u z = value_at d Y L g' u z.
Proof. by apply: sum_ext => l /ssrnat.ltP hl; rewrite e // ltn_addr. Qed.
Lemma seen_at_same j : (j <= n)%N -> seen_at d Y L sigma t rule j g = seen_at d Y L sigma t rule j g'.
Proof. by elim: j => //= j IH hj; rewrite IH ?(ltnW hj) // value_at_same /noise plusE e // ltn_add2l. Qed.
Lemma played_at_same j : (j <= n)%N -> played_at d Y L sigma t rule g j = played_at d Y L sigma t rule g' j.
Proof. by move=> hj; rewrite /played_at seen_at_same. Qed.
Lemma ends_at_same j : (j <= n)%N -> ends_at d Y L sigma t rule g j = ends_at d Y L sigma t rule g' j.
Proof. by move=> hj; rewrite /ends_at seen_at_same // played_at_same. Qed.
Lemma answer_at_same j : (j < n)%N -> answer_at d Y L sigma t rule g j = answer_at d Y L sigma t rule g' j.
Proof.
move=> hj; rewrite /answer_at ends_at_same ?(ltnW hj) // played_at_same ?(ltnW hj) // value_at_same /noise plusE e //.
by rewrite ltn_add2l.
Qed.
End same.

Lemma variance_at_ext X k h s x x' tau tau' i z u : (forall j, (j < i)%N -> x j = x' j) -> (forall j, (j < i)%N -> tau j = tau' j) ->
  variance_at X k h s x tau i z u = variance_at X k h s x' tau' i z u.
Proof.
move=> ex et; apply: theorem_1.variance_ext => a b ha hb; rewrite /joint; congr (k _ _ * h _ _);
  by case: Nat.eqb_spec => // ne; rewrite ?ex ?et //; apply/ssrnat.ltP; lia.
Qed.

Lemma prediction_at_ext X k h s x x' tau tau' y y' i z u : (forall j, (j < i)%N -> x j = x' j) ->
  (forall j, (j < i)%N -> tau j = tau' j) -> (forall j, (j < i)%N -> y j = y' j) ->
  prediction_at X k h s x tau y i z u = prediction_at X k h s x' tau' y' i z u.
Proof.
move=> ex et ey; rewrite /prediction_at /posterior_mean.
have J a b : (a <= i)%N -> (b <= i)%N -> joint X k h (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then u else tau j) a b =
    joint X k h (fun j => if Nat.eqb j i then z else x' j) (fun j => if Nat.eqb j i then u else tau' j) a b.
  move=> /ssrnat.leP ha /ssrnat.leP hb; rewrite /joint; congr (k _ _ * h _ _);
    by case: Nat.eqb_spec => // ne; rewrite ?ex ?et //; apply/ssrnat.ltP; lia.
congr (_ * _); congr ((_ *m invmx (_ + _ *: _) *m _)%ring _ _); apply/matrixP => a b; rewrite !mxE ?J ?(ltnW (ltn_ord _)) //.
exact: ey.
Qed.

Section vectors.
Variables (d n : nat) (Y : finType) (L : R -> Y -> nat -> R) (sigma : R) (t : Y -> R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (rate longest : R).
Notation h := (forgetting rate).
Hypothesis rate0 : 0 <= rate.
Hypothesis k1 : forall z, k z z = 1.
Hypothesis t0 : forall z, 0 <= t z <= longest.
Hypothesis law : has_kernel_at d n Y L k h t.
Notation co := (co RR (d + n)).
Notation en g := (ends_at d Y L sigma t rule (co g)).

(* in round i no value at its end is beyond u *)
Theorem bounded i u W : (i < n)%N -> 0 < u -> (0 < W)%coq_nat -> rate * (INR (S i) * longest) * u ^ 2 <= INR W ->
  exists bad : vec RR (d + n) -> Prop,
    at_most _ _ (standard_normal (d + n)) bad (size Y * (INR W * (2 * exp 1 * exp (- u ^ 2 / 2)))) /\
    forall g, ~ bad g -> forall z, Rabs (value_at d Y L (co g) (en g i) z) <= u.
Proof.
move=> hi u0 W0 enough.
pose Q := (fin_type ({ffun 'I_n -> Y} * 'I_n.+1)%type).
pose time := time_of n Y t rule; pose lab := label n Y t rule.
pose ts : seq R := map time (filter (fun q : Q => (q.2 <= i.+1)%N) (enum Q)).
pose X := (fin_type (Y * Q)%type); pose LX' := LX n Y L t rule.
pose row z (v : R) := adaptive_posterior.w RR d n X LX' (z, lab v).
have rch v : v \in ts -> reached Y t n v by move=> /mapP [q _ ->]; exact: time_reached.
have corr z v v' : v \in ts -> v' \in ts -> dot RR (d + n) (row z v) (row z v') = forgetting rate v v'.
  move=> /rch r /rch r'; rewrite adaptive_posterior.dot_w adaptive_posterior.f_w.
  by rewrite (kernX d n Y L t rule k h law) // k1 Rmult_1_l.
have span v : v \in ts -> 0 <= v <= INR (S i) * longest.
  move=> /mapP [q]; rewrite mem_filter => /andP[/ssrnat.leP qi _] ->; rewrite /time /time_of.
  have l0 : 0 <= longest by have := t0 (rule O tt); lra.
  split; first by apply: sum_ge0 => j _; have [] := t0 (if insub j is Some j' then q.1 j' else rule O tt).
  apply: Rle_trans (_ : INR q.2 * longest <= _); last by apply: Rmult_le_compat_r => //; exact: le_INR.
  rewrite -sum_const; apply: sum_le => j _; exact: (proj2 (t0 _)).
have one z := within_span (d + n) rate u (row z) ts rate0 u0 (corr z) (INR (S i) * longest) W W0 span enough.
have [y ye] : exists y : nat -> Y, forall z, exists2 j, (j < #|Y|)%N & y j = z.
  exists (fun j => nth (rule O tt) (enum Y) j) => z; exists (index z (enum Y)); last by rewrite nth_index // mem_enum.
  by rewrite cardE index_mem mem_enum.
have [mU le] := union_bound _ _ (standard_normal (d + n)) #|Y| (fun j => \bigcup_(v in [set v | v \in ts])
   [set g | (u < `|dot RR (d + n) (row (y j) v) g|)%ring])%classic (fun=> INR W * (4 * normal_cdf (- (u * exp (- / u ^ 2))))) (fun j _ => one (y j)).
exists (one_of _ #|Y| (fun j => \bigcup_(v in [set v | v \in ts]) [set g | (u < `|dot RR (d + n) (row (y j) v) g|)%ring])%classic); split.
  split=> //; apply: le_trans le _; rewrite lee_fin sum_const; apply/RleP.
  apply: Rmult_le_compat_l; first exact: pos_INR.
  by apply: Rmult_le_compat_l; [exact: pos_INR | exact: window_tail].
move=> g fine z; apply: Rnot_lt_le => lt; apply: fine; have [j hj e] := ye z; rewrite -e in lt; exists j; split; first exact/ssrnat.ltP.
have r := ends_reached d n Y L sigma t rule (co g) i hi.
exists (en g i).
  pose q : Q := ([ffun j : 'I_n => played_at d Y L sigma t rule (co g) j], inord i.+1).
  have q2 : nat_of_ord q.2 = i.+1 by rewrite /= inordK.
  apply/mapP; exists q; first by rewrite mem_filter q2 leqnn mem_enum.
  rewrite ends_sum /time /time_of q2; apply: sum_ext => l /ssrnat.ltP hl.
  by rewrite insubT ?(leq_trans hl) // => hn; rewrite ffunE.
by rewrite /= /row adaptive_posterior.dot_w -(valueX d n Y L t rule g _ (y j) r); apply/RltP.
Qed.
End vectors.

Section theorem.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (d n : nat) (Y : finType) (L : R -> Y -> nat -> R) (sigma : R) (t : Y -> R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (rate longest delta : R) (W : nat -> nat) (beta : nat -> R).
Notation h := (forgetting rate).
Notation s := (/ sigma ^ 2).
Hypothesis normals : independent_normals dT T P (d + n) G.
Hypothesis sigma0 : 0 < sigma.
Hypothesis delta0 : 0 < delta.
Hypothesis rate0 : 0 <= rate.
Hypothesis pk : kernel Y k.
Hypothesis k1 : forall z, k z z = 1.
Hypothesis t0 : forall z, 0 <= t z <= longest.
Hypothesis law : has_kernel_at d n Y L k h t.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis windows : forall i, (i < n)%coq_nat -> (0 < W i)%coq_nat /\ rate * (INR (S i) * longest) * beta i <= INR (W i).
Hypothesis wide : forall i, (i < n)%coq_nat -> 2 * ln (4 * exp 1 * size Y * INR (W i) / share delta i) <= beta i.
Hypothesis delta1 : delta <= 1.
Notation out w := (fun l => G l w).
Notation vector := (together dT T (d + n) G).
Notation pl g := (played_at d Y L sigma t rule g).
Notation en g := (ends_at d Y L sigma t rule g).
Notation an g := (answer_at d Y L sigma t rule g).
Notation near g i z := (Rabs (value_at d Y L g (en g i) z - prediction_at Y k h s (pl g) (en g) (an g) i z (en g i)) <=
  sqrt (beta i) * sqrt (variance_at Y k h s (pl g) (en g) i z (en g i))).
Notation small g i z := (Rabs (value_at d Y L g (en g i) z) <= sqrt (beta i)).

Let Y1 : 1 <= size Y.
Proof.
have -> : 1 = INR 1 by [].
by apply: le_INR; apply/ssrnat.leP/card_gt0P; exists (rule O tt).
Qed.

Let share01 i : 0 < share delta i <= 1.
Proof.
have pp := PI_RGT_0; have P6 : 6 < PI ^ 2 * 1 by have := PI2_3_2; nra.
have i1 : 1 <= INR (i + 1) by rewrite addn1 S_INR; have := pos_INR i; lra.
have c : 1 <= PI ^ 2 * INR (i + 1) ^ 2 / 6 by nra.
rewrite /share; split; first by apply: Rdiv_lt_0_compat; lra.
by apply: (Rmult_le_reg_r (PI ^ 2 * INR (i + 1) ^ 2 / 6)); [lra | rewrite /Rdiv Rmult_assoc Rinv_l; lra].
Qed.

(* what the weights give *)
Lemma enough i : (i < n)%coq_nat -> 0 < beta i /\ 4 * exp 1 * size Y * INR (W i) * exp (- beta i / 2) <= share delta i.
Proof.
move=> hi; have [W0 _] := windows i hi; have b := wide i hi; have [s0 s1] := share01 i.
have W1 : 1 <= INR (W i) by rewrite -[1]/(INR 1); apply: le_INR.
have e1 : 2 < exp 1 by have := exp_ineq1 1 R1_neq_R0; lra.
set c := 4 * exp 1 * size Y * INR (W i) in b *.
have YW : 1 <= size Y * INR (W i) by nra.
have c8 : 8 <= c by rewrite /c; nra.
have r8 : 8 <= c / share delta i.
  apply: (Rmult_le_reg_r (share delta i)) => //; rewrite /Rdiv Rmult_assoc Rinv_l; nra.
have l0 : 0 < ln (c / share delta i) by rewrite -ln_1; apply: ln_increasing; lra.
split; first lra.
have : exp (- beta i / 2) <= exp (- ln (c / share delta i)).
  by have [lt|<-] : - beta i / 2 <= - ln (c / share delta i) by [lra]; [left; exact: exp_increasing | right].
rewrite exp_Ropp exp_ln; last lra.
move=> le; have := Rmult_le_compat_l c _ _ ltac:(lra) le.
by rewrite (_ : c * / (c / share delta i) = share delta i) //; field; lra.
Qed.

Lemma on_vectors : exists bad : vec RR (d + n) -> Prop,
  (exists q, q < delta /\ at_most _ _ (standard_normal (d + n)) bad q) /\
  forall g, ~ bad g -> forall i z, (i < n)%coq_nat -> near (co RR (d + n) g) i z /\ small (co RR (d + n) g) i z.
Proof.
have one i : exists bad : vec RR (d + n) -> Prop, (i < n)%coq_nat ->
    at_most _ _ (standard_normal (d + n)) bad (share delta i) /\
    forall g, ~ bad g -> forall z, near (co RR (d + n) g) i z /\ small (co RR (d + n) g) i z.
  have [hi|hi] := Nat.lt_ge_cases i n; last by exists (fun=> False); lia.
  have /ssrnat.ltP hi' := hi; have [b0 le] := enough i hi; have [W0 en_] := windows i hi.
  have sb := sqrt_lt_R0 _ b0; have sb2 : sqrt (beta i) ^ 2 = beta i by rewrite pow2_sqrt //; lra.
  have [bad [e3 good]] := bounded d n Y L sigma t rule k rate longest rate0 k1 t0 law i (sqrt (beta i)) (W i) hi' sb W0
    ltac:(by rewrite sb2).
  rewrite sb2 in e3.
  have e1 := own_round d n Y L sigma t rule k h sigma0 mrule law i (beta i) hi' (Rlt_le _ _ b0).
  pose E j : vec RR (d + n) -> Prop := if j is O then bad else fun g => exists z, sqrt (beta i) * sqrt (variance_at Y k h s (pl (co RR (d + n) g)) (en (co RR (d + n) g)) i z (en (co RR (d + n) g) i)) <
    Rabs (value_at d Y L (co RR (d + n) g) (en (co RR (d + n) g) i) z - prediction_at Y k h s (pl (co RR (d + n) g)) (en (co RR (d + n) g)) (an (co RR (d + n) g)) i z (en (co RR (d + n) g) i)).
  pose p j := if j is O then size Y * (INR (W i) * (2 * exp 1 * exp (- beta i / 2))) else size Y * (2 * normal_cdf (- sqrt (beta i))).
  have ep j : (j < 2)%coq_nat -> at_most _ _ (standard_normal (d + n)) (E j) (p j) by case: j => [|j] _; [exact: e3 | exact: e1].
  have [mb lb] := union_bound _ _ (standard_normal (d + n)) 2 E p ep.
  exists (one_of _ 2 E) => _; split.
    split=> //; apply: le_trans lb _; rewrite lee_fin; apply/RleP; rewrite /= Rplus_0_l.
    have := gaussian_tail (sqrt (beta i)) (sqrt_pos _); rewrite sb2 => tl.
    have := Rmult_le_compat_l (size Y) _ _ ltac:(lra) tl.
    have W1 : 1 <= INR (W i) by rewrite -[1]/(INR 1); apply: le_INR.
    have e1' : 2 < exp 1 by have := exp_ineq1 1 R1_neq_R0; lra.
    have x0 := exp_pos (- beta i / 2).
    have : size Y * exp (- beta i / 2) <= 2 * exp 1 * size Y * INR (W i) * exp (- beta i / 2).
      have yx : 0 <= size Y * exp (- beta i / 2) by apply: Rmult_le_pos; lra.
      have : 1 <= 2 * exp 1 * INR (W i) by nra.
      by move=> m1; have := Rmult_le_compat_r _ _ _ yx m1; lra.
    lra.
  move=> g fine z; split; last by apply: good => hb; apply: fine; exists O; split; [lia | exact: hb].
  by apply: Rnot_lt_le => lt; apply: fine; exists 1%N; split; [lia | exists z].
have [bad all] := choice one.
exists (one_of _ n bad); split.
  exists (sum n (share delta)); split; first exact: shares.
  by apply: union_bound => i hi; have [] := all i hi.
move=> g fine i z hi; have [_ good] := all i hi; apply: good => b; apply: fine; exists i; split=> //.
Qed.

Hypothesis policy : forall w, follows_own d Y L sigma t rule n k h beta (out w).

Theorem theorem_c_with_probability : exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> let f i z := value_at d Y L (out w) (en (out w) i) z in let x := pl (out w) in let tau := en (out w) in
  (forall i z, (i < n)%coq_nat ->
     f i z - f i (x i) <= 3064 / 1000 * (sqrt (beta i) * sqrt (variance_at Y k h s x tau i (x i) (tau i)))) /\
  forall m B, (m <= n)%coq_nat -> (forall i, (i < m)%coq_nat -> beta i <= B) -> forall best : nat -> Y,
    sum m (fun i => f i (best i) - f i (x i)) <=
    sqrt (2348 / 1000 * (8 / ln (1 + s)) * B * INR m * gain s m (joint Y k h x tau)).
Proof.
have [bad [[q [qd le]] good]] := on_vectors.
exists (fun w => bad (vector w)); split; first by exists q; split=> //; exact: (same_law dT T P G d n normals q bad).
move=> w fine f x tau; have e := coE dT T G d n w.
have evs i z : (i < n)%coq_nat -> near (out w) i z /\ small (out w) i z.
  move=> /ssrnat.ltP hi; have := good _ fine i z (elimT ssrnat.ltP hi).
  have ex j : (j < i)%N -> pl (co RR (d + n) (vector w)) j = pl (out w) j.
    by move=> ji; apply: (played_at_same d n Y L sigma t rule _ _ e); rewrite ltnW // (ltn_trans ji).
  have et j : (j < i)%N -> en (co RR (d + n) (vector w)) j = en (out w) j.
    by move=> ji; apply: (ends_at_same d n Y L sigma t rule _ _ e); rewrite ltnW // (ltn_trans ji).
  have ey j : (j < i)%N -> an (co RR (d + n) (vector w)) j = an (out w) j.
    by move=> ji; apply: (answer_at_same d n Y L sigma t rule _ _ e); rewrite (ltn_trans ji).
  rewrite !(value_at_same d n Y L _ _ e) (ends_at_same d n Y L sigma t rule _ _ e i (ltnW hi)).
  by rewrite (variance_at_ext _ _ _ _ _ _ _ _ _ _ _ ex et) (prediction_at_ext _ _ _ _ _ _ _ _ _ _ _ _ _ ex et ey).
have before j i : (j < i)%coq_nat -> tau j <= begins Y t rule i (seen_at d Y L sigma t rule i (out w)).
  elim: i => [|i IH] ji; first lia.
  have -> : begins Y t rule (S i) (seen_at d Y L sigma t rule (S i) (out w)) = tau i by [].
  have [->|l] : j = i \/ (j < i)%coq_nat by lia.
    exact: Rle_refl.
  by have := IH l; have [p0 _] := t0 (x i); rewrite /tau /ends_at -/(x i); lra.
have beforeE i : begins Y t rule i (seen_at d Y L sigma t rule i (out w)) = if i is S j then tau j else 0 by case: i.
have tauE i : tau i = (if i is S j then tau j else 0) + t (x i) by rewrite -beforeE.
pose mean i z := prediction_at Y k h s x tau (an (out w)) i z (if i is S j then tau j else 0).
have carry i z y : prediction_at Y k h s x tau (an (out w)) i z ((if i is S j then tau j else 0) + t y) = forgetting rate 0 (t y) * mean i z.
  have [p0 _] := t0 y; rewrite (prediction_carried _ _ _ _ _ _ _ _ _ (if i is S j then tau j else 0)); [|by move=> j hj; rewrite -beforeE; exact: before|lra].
  by congr (_ * _); rewrite /forgetting; congr exp; congr (- (_ * Rabs _)); ring.
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
have main m B : (m <= n)%coq_nat -> (forall i, (i < m)%coq_nat -> beta i <= B) -> _ :=
  fun mn hB => theorem_c.theorem_c Y k rate s m x t tau mean beta f B s0 rate0 pk k1 (fun z => proj1 (t0 z)) tauE.
have run m B (mn : (m <= n)%coq_nat) (hB : forall i, (i < m)%coq_nat -> beta i <= B) :
  (forall i z, (i < m)%coq_nat -> f i z - f i (x i) <= 3064 / 1000 * (sqrt (beta i) * sqrt (variance_at Y k h s x tau i (x i) (tau i)))) /\
  forall best : nat -> Y, sum m (fun i => f i (best i) - f i (x i)) <= sqrt (2348 / 1000 * (8 / ln (1 + s)) * B * INR m * gain s m (joint Y k h x tau)).
  apply: (main m B mn hB) => [i hi|i z hi|i z hi|i z hi].
  - by have [b0 _] := enough i ltac:(lia); have := hB i hi; lra.
  - have := policy w i z ltac:(lia); rewrite /= -/x -/tau beforeE !carry tauE.
    by rewrite -tauE.
  - by rewrite -carry -tauE; have [] := evs i z ltac:(lia).
  - by have [] := evs i z ltac:(lia).
have most i : (i < n)%coq_nat -> forall j, (j < S i)%coq_nat -> beta j <= sum (S i) beta.
  by move=> hi j hj; apply: (sum_sq_ge (S i) beta j hj) => l hl; have [b0 _] := enough l ltac:(lia); lra.
split; first by move=> i z hi; exact: (proj1 (run (S i) (sum (S i) beta) hi (most i hi)) i z (Nat.lt_succ_diag_r i)).
by move=> m B mn hB best; exact: (proj2 (run m B mn hB) best).
Qed.
End theorem.
