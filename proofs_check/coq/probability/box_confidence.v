(******************************************************************************)
(*            The confidence event where points come from any set             *)
(*                                                                            *)
(* For policies whose points are of any set with measurable sets, such as a   *)
(* box: the values at finitely many points of each round and at the point     *)
(* that is played, which may be any measurable functions of the answers.      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   remainder, remainder_norm, remainder_value == a value less its           *)
(*       prediction, as a vector; its norm is the posterior deviation         *)
(*   at_one_point == one round and one point                                  *)
(*   at_all_points, confidence == finitely many points of each round          *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, gaussian_law,              *)
(* adaptive_posterior, normal_density, adaptive_confidence, resampling,       *)
(* scalar, definitions, sums, gains, events, outcomes, joint_law, any_space.  *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors gaussian_law adaptive_posterior normal_density adaptive_confidence resampling.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar definitions sums gains events outcomes joint_law any_space.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation dotp := (vectors.dot RR).

(* ---- the posterior at fixed points ---- *)
Section residual.
Variables (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (sigma : R) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypotheses (sigma0 : 0 < sigma) (law : has_kernel d n Y L k h tau).
Notation m := (d + n)%N.
Notation s := (/ sigma ^ 2).

(* the value of round i at z, and the answer at z, are products with these vectors *)
Definition of_value (i : nat) (z : Y) (l : nat) : R := if (l < d)%N then L i z l else 0.
Definition of_answer (i : nat) (z : Y) (l : nat) : R :=
  if (l < d)%N then L i z l else if l == (d + i)%N then sigma else 0.
Notation value_vector i z := (mk RR m (of_value i z)).
Notation answer_vector i z := (mk RR m (of_answer i z)).

Lemma dot_split (F G : nat -> R) (g : vec RR m) :
  dotp m (mk RR m (fun l => if (l < d)%N then F l else G l)) g =
  sum d (fun l => F l * co RR m g l) + sum n (fun l => G (d + l)%N * co RR m g (d + l)%N).
Proof.
rewrite dot_mk !sumE big_split_ord /=; congr (_ + _)%ring; apply: eq_bigr => l _; first by rewrite ltn_ord.
by rewrite ltnNge leq_addr.
Qed.

Lemma dot_value i z g : dotp m (value_vector i z) g = value d Y L (co RR m g) i z.
Proof.
rewrite dot_split (_ : sum n _ = 0) ?Rplus_0_r // (sum_ext n _ (fun=> 0)); first exact: sum_0.
by move=> l _; rewrite Rmult_0_l.
Qed.

Lemma dot_answer i z g : dotp m (answer_vector i z) g = value d Y L (co RR m g) i z + noise d sigma (co RR m g) i.
Proof.
rewrite dot_split; congr (_ + _); rewrite sumE.
rewrite (eq_bigr (fun l : 'I_n => if (l : nat) == i then sigma * co RR m g (d + l)%N else 0)); last first.
  by move=> l _; rewrite eqn_add2l; case: eqP => // _; exact: Rmult_0_l.
rewrite (adaptive_posterior.sum_at RR n i (fun l => sigma * co RR m g (d + l)%N)) /noise; case: ltnP => // hn.
by rewrite co_out ?leq_add2l //; apply: esym; exact: Rmult_0_r.
Qed.

Lemma value_of (f : nat -> R) i z : (forall l, (l < d)%N -> f l = L i z l) ->
  forall j z', (i < n)%N -> (j < n)%N -> value d Y L (co RR m (mk RR m f)) j z' = k z z' * h (tau i) (tau j).
Proof.
move=> e j z' /ssrnat.ltP hi /ssrnat.ltP hj; rewrite -(law i j z z') //; apply: sum_ext => l /ssrnat.ltP hl.
by rewrite co_mk ?ltn_addr // e // Rmult_comm.
Qed.

Lemma value_value i j z z' : (i < n)%N -> (j < n)%N -> dotp m (value_vector i z) (value_vector j z') = k z z' * h (tau i) (tau j).
Proof. by move=> hi hj; rewrite dotC dot_value (value_of _ i z) // => l hl; rewrite /of_value hl. Qed.

Lemma answer_value i j z z' : (i < n)%N -> (j < n)%N -> dotp m (answer_vector i z) (value_vector j z') = k z z' * h (tau i) (tau j).
Proof. by move=> hi hj; rewrite dotC dot_value (value_of _ i z) // => l hl; rewrite /of_answer hl. Qed.

Lemma answer_answer i j z z' : (i < n)%N -> (j < n)%N ->
  dotp m (answer_vector i z) (answer_vector j z') = k z z' * h (tau i) (tau j) + (if i == j then sigma ^ 2 else 0).
Proof.
move=> hi hj; rewrite dotC dot_answer (value_of _ i z) // => [|l hl]; last by rewrite /of_answer hl.
congr (_ + _); rewrite /noise plusE co_mk ?ltn_add2l // /of_answer ltnNge leq_addr /= eqn_add2l eq_sym.
by case: eqP => _; ring.
Qed.

Variables (x : nat -> Y) (i : nat) (z : Y).
Hypothesis hi : (i < n)%N.
Definition joined := joint Y k h (fun j => if Nat.eqb j i then z else x j) tau.
Notation K := (1%:M + s *: \matrix_(a < i, b < i) joined a b)%ring.
Definition share_of : 'rV[R]_i := (s *: (\row_(b < i) joined b i *m invmx K))%ring.
Definition remainder : vec RR m := mk RR m (fun l => of_value i z l - \sum_(j < i) share_of ord0 j * of_answer j (x j) l)%ring.

Let jn (j : 'I_i) : (j < n)%N. Proof. exact: ltn_trans (ltn_ord j) hi. Qed.
Let s0 : 0 < s. Proof. by apply: Rinv_0_lt_compat; apply: pow_lt. Qed.
Let ne (j : 'I_i) : Nat.eqb j i = false.
Proof. by apply/Nat.eqb_neq => e; have := ltn_ord j; rewrite e ltnn. Qed.
Let colE (l : 'I_i) : joined l i = k (x l) z * h (tau l) (tau i).
Proof. by rewrite /joined /joint Nat.eqb_refl ne. Qed.
Let insideE (j l : 'I_i) : joined j l = k (x j) (x l) * h (tau j) (tau l).
Proof. by rewrite /joined /joint !ne. Qed.

Lemma unitK : K \in unitmx.
Proof.
pose V (j l : nat) := L j (x j) l.
have psd_sum q : semidefinite i (fun a b => sum q (fun l => V a l * V b l)).
  elim: q => [|q IH]; last exact: (semidefinite_plus i _ _ IH (semidefinite_outer i (fun a => V a q))).
  split=> // c; right; rewrite (sum_ext i _ (fun=> 0)) ?sum_0 // => a _.
  by rewrite (sum_ext i _ (fun=> 0)) ?sum_0 // => b _; exact: Rmult_0_r.
have := det_gt0 s i _ (Rlt_le _ _ s0) (psd_sum d); rewrite det_mx => /Rgt_not_eq ne0.
rewrite unitmxE unitfE; apply/eqP; move: ne0; congr (_ <> _); congr (\det (_ + _ *: _))%ring.
apply/matrixP => a b; rewrite !mxE insideE; apply: law; exact/ssrnat.ltP.
Qed.

Lemma share_solves (l : 'I_i) : (\sum_(j < i) share_of ord0 j * joined j l)%ring + sigma ^ 2 * share_of ord0 l = joined l i.
Proof.
have e : (share_of *m K = s *: \row_(b < i) joined b i)%ring by rewrite /share_of -scalemxAl mulmxKV // unitK.
move: share_of e => c e; have := congr1 (fun A : 'rV[R]_i => A ord0 l) e.
rewrite mulmxDr mulmx1 -scalemxAr !mxE (eq_bigr (fun j => c ord0 j * joined j l)%ring); last by move=> j _; rewrite mxE.
move: (\sum_(j < i) _)%ring (c ord0 l) (joined l i) => S u r e'.
have {}e' : u + s * S = s * r := e'; change (@eq R (S + sigma ^ 2 * u) r).
have -> : u = s * r - s * S by lra.
by field; lra.
Qed.

Lemma dot_remainder g : dotp m remainder g = dotp m (value_vector i z) g - (\sum_(j < i) share_of ord0 j * dotp m (answer_vector j (x j)) g)%ring.
Proof. by rewrite /remainder dot_sub dot_sum. Qed.

Lemma remainder_unseen (l : 'I_i) : dotp m remainder (answer_vector l (x l)) = 0.
Proof.
rewrite dot_remainder dotC answer_value // (_ : k _ _ * _ = joined l i); last by rewrite colE.
rewrite (eq_bigr (fun j : 'I_i => share_of ord0 j * joined j l + (if j == l then share_of ord0 l * (sigma ^ 2)%R else 0))%ring); last first.
  have dist (u v w : R) : (u * Rplus v w)%ring = (u * v + u * w)%ring by exact: mulrDr.
  move=> j _; rewrite answer_answer // insideE dist; congr (_ + _)%ring; case: (eqVneq j l) => [->|nl].
    by rewrite eqxx.
  have -> : (j == l :> nat) = false by exact: negbTE nl.
  exact: mulr0.
rewrite big_split /= -big_mkcond big_pred1_eq -share_solves.
move: (\sum_(j < i) _)%ring (share_of ord0 l) => S u.
change (@eq R (S + sigma ^ 2 * u - (S + u * sigma ^ 2)) 0); ring.
Qed.

Lemma remainder_norm : dotp m remainder remainder = variance s i joined.
Proof.
rewrite dot_remainder [X in _ - X]big1; last by move=> j _; rewrite [dotp _ _ remainder]dotC remainder_unseen mulr0.
rewrite Rminus_0_r dotC dot_remainder value_value // /variance {1}/joined {1}/joint Nat.eqb_refl; congr (_ - _).
rewrite -[RHS](_ : (share_of *m \col_(j < i) joined j i) ord0 ord0 = _)%ring; last by rewrite /share_of -scalemxAl mxE.
by rewrite [RHS]mxE; apply: eq_bigr => j _; congr (_ * _)%ring; rewrite answer_value // -colE mxE.
Qed.

Lemma remainder_value g y : (forall j, (j < i)%N -> y j = dotp m (answer_vector j (x j)) g) ->
  dotp m remainder g = value d Y L (co RR m g) i z - prediction Y k h s x tau y i z.
Proof.
move=> ey; rewrite dot_remainder dot_value /prediction /posterior_mean; congr (_ - _).
rewrite -/joined -[RHS](_ : (share_of *m \col_(j < i) y j) ord0 ord0 = _)%ring; last by rewrite /share_of -scalemxAl mxE.
by rewrite [RHS]mxE; apply: eq_bigr => j _; congr (_ * _)%ring; rewrite mxE ey.
Qed.
End residual.

(* ---- a rule into any measurable set ---- *)
Section on_vectors.
Context dY (Y : measurableType dY).
Variables (d n : nat) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypotheses (sigma0 : 0 < sigma) (law : has_kernel d n Y L k h tau).
Hypothesis mL : measurable_weights dY Y L.
Hypothesis mrule : measurable_policy dY Y rule.
Notation m := (d + n)%N.
Notation s := (/ sigma ^ 2).
Notation out g := (co RR m g).
Notation x g := (played d Y L sigma rule (out g)).
Notation y g := (answer d Y L sigma rule (out g)).
Notation told g i := (seen d Y L sigma rule i (out g)).
Notation value_vector i z := (mk RR m (of_value d Y L i z)).
Notation answer_vector i z := (mk RR m (of_answer d Y L sigma i z)).

Definition asked (j : nat) (hs : vec RR j) : vec RR m := answer_vector j (rule j hs).

Lemma mof_value i l : measurable_fun setT (fun z : Y => of_value d Y L i z l : RR).
Proof. by rewrite /of_value; case: (l < d)%N; [exact: mL | exact: measurable_fun_cst]. Qed.

Lemma masked j : measurable_fun setT (asked j).
Proof.
apply: (mtogether _ _ m (fun l hs => of_answer d Y L sigma j (rule j hs) l)) => l.
rewrite /of_answer; case: (l < d)%N; last exact: measurable_fun_cst.
exact: (measurable_fun_comp (mL j l) (mrule j)).
Qed.

Lemma histE j g : hist RR m asked j g = told g j.
Proof. by elim: j => //= j IH; rewrite IH /asked dot_answer. Qed.

(* the point looked at in round i, a measurable function of the answers before it *)
Variables (i : nat) (z : vec RR i -> Y) (b : R).
Hypotheses (hi : (i < n)%N) (mz : measurable_fun setT z) (b0 : 0 <= b).
Notation seat g := (z (told g i)).

Definition looked (hs : vec RR i) : vec RR m := value_vector i (z hs).

Lemma mlooked : measurable_fun setT looked.
Proof.
apply: (mtogether _ _ m (fun l hs => of_value d Y L i (z hs) l)) => l.
exact: (measurable_fun_comp (mof_value i l) mz).
Qed.

Lemma residue_remainder g : residue RR m asked i looked g = remainder d n Y L sigma k h tau (x g) i (seat g).
Proof.
set r := remainder _ _ _ _ _ _ _ _ _ _ _.
have [sym idem _] := left_facts RR m asked i (hist RR m asked i g).
have unseen (j : 'I_i) : dotp m r (answer_vector j (x g j)) = 0 by exact: remainder_unseen.
have still : left RR m asked i (hist RR m asked i g) r = r.
  by apply: left_still => l li; rewrite dotC histE; exact: (unseen (Ordinal li)).
apply: (dot_ext RR m) => v; rewrite /residue -sym dotC; set u := left _ _ _ _ _ v.
have := dot_remainder d n Y L sigma k h tau (x g) i (seat g) u.
rewrite big1 ?Rminus_0_r => [e|j _]; last first.
  by have := left_unseen RR m asked i j g v (ltn_ord j); rewrite histE /asked => ->; rewrite mulr0.
by rewrite /looked histE -e -/r -sym still dotC.
Qed.

Definition misses : set (vec RR m) := fun g => b * deviation Y k h s (x g) tau i (seat g) <
  Rabs (value d Y L (out g) i (seat g) - prediction Y k h s (x g) tau (y g) i (seat g)).

Lemma missesE : misses = far_off RR m asked i looked b.
Proof.
have dev g : deviation Y k h s (x g) tau i (seat g) = Num.sqrt (dotp m (residue RR m asked i looked g) (residue RR m asked i looked g)).
  rewrite residue_remainder -RsqrtE; last exact: gaussian_law.dot_ge0.
  by rewrite remainder_norm.
have away g : value d Y L (out g) i (seat g) - prediction Y k h s (x g) tau (y g) i (seat g) = dotp m (residue RR m asked i looked g) g.
  rewrite residue_remainder (remainder_value d n Y L sigma k h tau (x g) i (seat g) g (y g)) // => j _.
  by rewrite dot_answer.
by apply/seteqP; split=> g; rewrite /misses /far_off dev away => /RltP.
Qed.

Theorem at_one_point : at_most _ _ (standard_normal m) misses (2 * normal_cdf (- b)).
Proof.
have /RleP b0' := b0; rewrite missesE; split; first exact: (mfar_off RR m asked masked i looked b mlooked b0').
rewrite -tail_normal //; exact: (left_tail RR normal_density.normal m asked masked i looked b mlooked b0').
Qed.
End on_vectors.

(* ---- on any space ---- *)
Section anywhere.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Context dY (Y : measurableType dY).
Variables (d n : nat) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypothesis normals : independent_normals dT T P (d + n) G.
Hypotheses (sigma0 : 0 < sigma) (law : has_kernel d n Y L k h tau).
Hypothesis mL : measurable_weights dY Y L.
Hypothesis mrule : measurable_policy dY Y rule.
Notation s := (/ sigma ^ 2).
Notation out w := (fun l => G l w).
Notation x w := (played d Y L sigma rule (out w)).
Notation y w := (answer d Y L sigma rule (out w)).
Notation vector := (together dT T (d + n) G).

(* the value of round i at the point z plays is more than b deviations from its prediction *)
Definition missed_at (b : R) (i : nat) (z : policy_on Y) (w : T) : Prop :=
  let p := z i (seen d Y L sigma rule i (out w)) in
  b * deviation Y k h s (x w) tau i p < Rabs (value d Y L (out w) i p - prediction Y k h s (x w) tau (y w) i p).

Lemma at_point (b : R) i (z : policy_on Y) : 0 <= b -> (i < n)%N -> measurable_fun setT (z i) ->
  at_most dT T P (missed_at b i z) (2 * normal_cdf (- b)).
Proof.
move=> b0 hi mz; have := at_one_point dY Y d n L sigma rule k h tau sigma0 law mL mrule i (z i) b hi mz b0.
apply: (same_law dT T P G d n normals) => w; have co_ := coE dT T G d n w.
have ex j : (j < i)%N -> played d Y L sigma rule (co RR (d + n) (vector w)) j = x w j.
  by move=> ji; apply: (played_same d n Y L sigma rule _ _ co_); rewrite ltnW // (ltn_trans ji).
have ey j : (j < i)%N -> answer d Y L sigma rule (co RR (d + n) (vector w)) j = y w j.
  by move=> ji; apply: (answer_same d n Y L sigma rule _ _ co_); rewrite (ltn_trans ji).
rewrite /missed_at /misses (seen_same d n Y L sigma rule _ _ co_) ?(ltnW hi) //.
by rewrite (value_same d n Y L _ _ co_) (prediction_ext _ _ _ _ _ _ _ _ _ _ _ ex ey) (deviation_ext _ _ _ _ _ _ _ _ _ ex).
Qed.

(* finitely many points of each round, which may depend on the answers before it *)
Lemma at_points (b : R) i (Z : list (policy_on Y)) : 0 <= b -> (i < n)%N ->
  (forall z, List.In z Z -> measurable_fun setT (z i)) ->
  at_most dT T P (fun w => exists z, List.In z Z /\ missed_at b i z w) (INR (length Z) * (2 * normal_cdf (- b))).
Proof.
move=> b0 hi mZ.
have -> : (fun w : T => exists z, List.In z Z /\ missed_at b i z w) =
    one_of T (length Z) (fun l => missed_at b i (List.nth l Z rule)).
  apply/seteqP; split=> w.
    by case=> z [/(List.In_nth Z z rule)[l [hl <-]] miss]; exists l.
  by case=> l [hl miss]; exists (List.nth l Z rule); split=> //; exact: List.nth_In.
rewrite -sum_const; apply: (union_bound dT T P (length Z)) => l hl.
by apply: at_point => //; apply: mZ; exact: List.nth_In.
Qed.

Theorem at_all_points (beta : nat -> R) (Z : nat -> list (policy_on Y)) : (forall i, 0 <= beta i) ->
  (forall i z, (i < n)%N -> List.In z (Z i) -> measurable_fun setT (z i)) ->
  at_most dT T P (fun w => exists i, (i < n)%coq_nat /\ exists z, List.In z (Z i) /\ missed_at (sqrt (beta i)) i z w)
    (sum n (fun i => INR (length (Z i)) * (2 * normal_cdf (- sqrt (beta i))))).
Proof.
move=> b0 mZ; apply: (union_bound dT T P n (fun i w => exists z, List.In z (Z i) /\ missed_at (sqrt (beta i)) i z w)) => i /ssrnat.ltP hi.
by apply: at_points => // [|z]; [exact: sqrt_pos | exact: mZ].
Qed.

(* some of finitely many points of each round, and the point that is played *)
Theorem confidence (beta : nat -> R) (Z : nat -> list Y) : (forall i, 0 <= beta i) ->
  at_most dT T P (fun w => exists i z, (i < n)%coq_nat /\ (List.In z (Z i) \/ z = x w i) /\
      sqrt (beta i) * deviation Y k h s (x w) tau i z <
      Rabs (value d Y L (out w) i z - prediction Y k h s (x w) tau (y w) i z))
    (sum n (fun i => INR (S (length (Z i))) * (2 * normal_cdf (- sqrt (beta i))))).
Proof.
move=> b0; pose W i : list (policy_on Y) := (rule :: List.map (fun z _ _ => z) (Z i))%SEQ.
have := at_all_points beta W b0; rewrite /at_most.
have -> : (fun w => exists i, (i < n)%coq_nat /\ exists z, List.In z (W i) /\ missed_at (sqrt (beta i)) i z w) =
  (fun w => exists i z, (i < n)%coq_nat /\ (List.In z (Z i) \/ z = x w i) /\
      sqrt (beta i) * deviation Y k h s (x w) tau i z <
      Rabs (value d Y L (out w) i z - prediction Y k h s (x w) tau (y w) i z)).
  apply: funext => w; apply: propext; split.
    case=> i [hi [z [[<-|/List.in_map_iff[c [<- hc]]] miss]]]; first by exists i, (x w i); split=> //; split=> //; right.
    by exists i, c; split=> //; split=> //; left.
  case=> i [z [hi [[hz|->] miss]]]; exists i; split=> //; last by exists rule; split=> //; left.
  by exists (fun _ _ => z); split=> //; right; apply/List.in_map_iff; exists z.
rewrite (sum_ext n _ (fun i => INR (S (length (Z i))) * (2 * normal_cdf (- sqrt (beta i))))); last first.
  by move=> i _; rewrite /W /= List.map_length.
apply=> i z _ [<-|/List.in_map_iff[c [<- _]]]; [exact: mrule | exact: measurable_fun_cst].
Qed.
End anywhere.
