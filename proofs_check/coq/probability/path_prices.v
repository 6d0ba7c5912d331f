(******************************************************************************)
(*                       Prices that follow the path                          *)
(*                                                                            *)
(* Theorem P in the mean, for prices that are any random variables, any       *)
(* covariance, and players who know the noises and all values of other        *)
(* points.                                                                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   plays_alone == where a policy plays x is what a player of x does         *)
(*   losses_by_point == regret as prices and what the points earn             *)
(*   path_floor == Theorem P in the mean                                      *)
(*                                                                            *)
(* Rests on: library, measures, vectors, gaussian_law, adaptive_posterior,    *)
(* normal_density, adaptive_confidence, moments, definitions, sums, outcomes, *)
(* joint_law, any_space, expected_regret, floor_in_mean, drawn_policies,      *)
(* one_arm_in_mean.                                                           *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import vectors gaussian_law adaptive_posterior normal_density adaptive_confidence moments.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums outcomes joint_law any_space expected_regret.
From CTV Require Import floor_in_mean drawn_policies one_arm_in_mean.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Lemma has_mean_sums dT (T : measurableType dT) (mu : {measure set T -> \bar RR}%ring) n (X : nat -> T -> RR) :
  (forall i, (i < n)%N -> has_mean mu (X i)) -> has_mean mu (fun w => sum n (X^~ w) : RR).
Proof.
elim: n => [|n IH] h; first exact: (integrable0 mu).
by have := integrableD measurableT (IH (fun i hi => h i (ltnW hi))) (h n (ltnSn n)).
Qed.

Section path.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Hypothesis normals : independent_normals dT T P (d + n) G.
Hypothesis mrule : measurable_rule Y rule.
Notation out w := (fun l => G l w).
Notation plays g i := (played d Y L sigma rule g i).

Theorem plays_alone x : player_of d n Y L x (fun g i => plays g i == x).
Proof.
move=> g g' i hi noises others own.
have same j : (j <= i)%N -> seen d Y L sigma rule j g = seen d Y L sigma rule j g'.
  elim: j => //= j IH ji; have e := IH (ltnW ji); rewrite e /noise (noises j); last by move/ssrnat.leP: ji; lia.
  congr (_ + _, _); have [ex|nx] := eqVneq (rule j (seen d Y L sigma rule j g')) x.
    by rewrite ex; apply: own; [exact/ssrnat.ltP | rewrite /played e ex eqxx].
  by apply: others; [move/ssrnat.leP: ji; lia | exact/eqP].
by rewrite /played same.
Qed.

Lemma mplays x i : (i < n)%N -> measurable [set w | (plays (out w) i == x) = true]%classic.
Proof.
move=> hi; have [_ [mG _]] := normals; have mv := mtogether dT T (d + n)%N G mG.
have mr : measurable_drawn_rule _ (vec RR 0) Y (fun=> rule).
  move=> j z; have -> : [set p : vec RR 0 * vec RR j | rule j p.2 = z]%classic = (snd @^-1` [set g | rule j g = z])%classic by [].
  by rewrite -[X in measurable X]setTI; apply: msnd => //; exact: mrule.
have mp : measurable_fun setT (fun w => (tt, together dT T (d + n)%N G w) : vec RR 0 * vec RR (d + n)%N).
  by apply: mpair => //; exact: measurable_fun_cst.
have := mp measurableT _ (mplayed _ (vec RR 0) d n Y L sigma (fun=> rule) mr i x); rewrite setTI; congr measurable.
have co_ w l : (l < d + n)%N -> co RR (d + n)%N (together dT T (d + n)%N G w) l = G l w.
  by move=> hl; rewrite /together co_mk.
by apply/seteqP; split=> w /=; rewrite (played_same d n Y L sigma rule _ _ (co_ w)) ?(ltnW hi) //; [move=> ->; exact: eqxx | move/eqP].
Qed.

Lemma value_mean i z : has_mean P (fun w => value d Y L (out w) i z : RR).
Proof.
have := has_mean_together dT T P (d + n)%N G (fun g => dotp (d + n)%N (mk RR (d + n)%N (first d (L i z))) g) normals (has_mean_dot _ _).
congr (has_mean _ _); apply: funext => w; rewrite first_dot; last exact: leq_addr.
by apply: sum_ext => l /ssrnat.ltP hl; rewrite /together co_mk // ltn_addr.
Qed.

Variables (Lam : nat -> T -> R) (V : Y -> R) (a : Y) (m : R).
Hypothesis finite : forall i, (i < n)%coq_nat -> finite_mean dT T P (Lam i).

Lemma price_mean i : (i < n)%N -> has_mean P (Lam i : T -> RR).
Proof. by move=> /ssrnat.ltP /finite [mL fL]; apply/integrableP; split; [exact/EFin_measurable_fun | exact: fL]. Qed.

Definition earned_by x w := sum n (fun i => if plays (out w) i == x then value d Y L (out w) i x - Lam i w else 0).
Definition left_by_prices w := sum n (fun i => best_value Y a (value d Y L (out w) i) - Lam i w).

Lemma earned_mean x : has_mean P (earned_by x : T -> RR).
Proof.
apply: (has_mean_sums _ _ _ n (fun i w => if plays (out w) i == x then value d Y L (out w) i x - Lam i w else 0)) => i hi.
have hv := integrableB measurableT (value_mean i x) (price_mean i hi).
apply: (has_mean_le _ _ (fun w => value d Y L (out w) i x - Lam i w : RR)); last exact: hv.
  apply: (mchosen_number _ T (fin_type bool) (fun w => plays (out w) i == x)
    (fun b w => if b then value d Y L (out w) i x - Lam i w else 0)) => b.
    case: b; first exact: mplays.
    have -> : [set w | (plays (out w) i == x) = false]%classic = (~` [set w | (plays (out w) i == x) = true])%classic.
      by apply/seteqP; split=> w /=; [move=> -> | move/negP/negbTE].
    by apply: measurableC; exact: mplays.
  by case: b; [case/integrableP: hv => /EFin_measurable_fun | move=> _; exact: measurable_fun_cst].
by move=> w; case: ifP => // _; rewrite normr0.
Qed.

Lemma prices_mean : has_mean P (left_by_prices : T -> RR).
Proof.
apply: (has_mean_sums _ _ _ n (fun i w => best_value Y a (value d Y L (out w) i) - Lam i w)) => i hi.
have hb : has_mean P (fun w => best_value Y a (value d Y L (out w) i) : RR).
  by apply: (best_value_has_mean _ _ _ Y a (fun z w => value d Y L (out w) i z)) => z; exact: value_mean.
exact: (integrableB measurableT hb (price_mean i hi)).
Qed.

Lemma losses_by_point w : sum n (round_loss d Y L sigma rule (out w)) = left_by_prices w - (\sum_(x : Y) earned_by x w)%ring.
Proof.
have -> : (\sum_(x : Y) earned_by x w)%ring = sum n (fun i => value d Y L (out w) i (plays (out w) i) - Lam i w).
  rewrite (eq_bigr (fun x => \sum_(i < n) (if plays (out w) i == x then value d Y L (out w) i x - Lam i w else 0))%ring); last first.
    by move=> x _; rewrite /earned_by sumE.
  rewrite exchange_big /= sumE; apply: eq_bigr => i _.
  rewrite (bigD1 (plays (out w) i)) //= eqxx big1 ?addr0 // => x /negbTE; by rewrite eq_sym => ->.
rewrite /left_by_prices -sum_minus; apply: sum_ext => i _.
by rewrite /round_loss (best_value_any Y _ a); ring.
Qed.

Hypothesis players : forall x, players_earn dT T P G d n Y L x Lam (V x).

Theorem path_floor : mean_of dT T P left_by_prices = EFin m ->
  mean_at_least dT T P (fun w => sum n (round_loss d Y L sigma rule (out w))) (m - sum_over Y V).
Proof.
move=> em; have hW : has_mean P (fun w => \sum_(x : Y) earned_by x w : RR)%ring by apply: has_mean_sum => x; exact: earned_mean.
rewrite /mean_at_least /mean_of.
have -> : (\int[Measure.sort P]_w (sum n (round_loss d Y L sigma rule (out w)))%R%:E =
    \int[Measure.sort P]_w (left_by_prices w)%:E - \int[Measure.sort P]_w (\sum_(x : Y) earned_by x w)%ring%:E)%E.
  rewrite -(integralB measurableT prices_mean hW); apply: eq_integral => w _; by rewrite losses_by_point EFinB.
have -> : (\int[Measure.sort P]_w (left_by_prices w)%:E = m%:E)%E by exact: em.
rewrite EFinB; apply: lee_sub => //; rewrite (mean_sum _ _ P) => [|x]; last exact: earned_mean.
rewrite /sum_over (_ : \big[Rplus/0]_(x : Y) V x = \sum_(x : Y) V x)%ring // -sumEFin.
apply: lee_sum => x _; apply: (players x (fun g i => plays g i == x)); first exact: plays_alone.
by move=> i /ssrnat.ltP; exact: mplays.
Qed.
End path.
