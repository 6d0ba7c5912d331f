(******************************************************************************)
(*               What a policy loses that knows results late                  *)
(*                                                                            *)
(* Round i of such a policy is round i - D of one that knows each result at   *)
(* once, in a problem where that round has the time of round i.               *)
(*                                                                            *)
(* Words:                                                                     *)
(*   knows_late == the policy does not use the last D answers                 *)
(*                                                                            *)
(* Statements:                                                                *)
(*   late_round_floor, late_regret_floor == what a round and all lose         *)
(*                                                                            *)
(* Rests on: library, measures, vectors, adaptive_posterior, joint_law,       *)
(* definitions, sums, outcomes, floor_in_mean, argmax_rule.                   *)
(******************************************************************************)

From Coq Require Import Arith Lia.

Lemma late_index i l D : (D <= l -> l < i -> i - D - 1 - (l - D) = i - 1 - l)%nat.
Proof. lia. Qed.
Lemma late_below i l D : (D <= l -> l < i -> l - D < i - D)%nat.
Proof. lia. Qed.
Lemma next_index j l : (S j - 1 - S l = j - 1 - l)%nat.
Proof. lia. Qed.
Lemma first_index j : (S j - 1 - 0 = j)%nat.
Proof. lia. Qed.

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp classical_sets functions.
From mathcomp Require Import Rstruct reals ereal numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures vectors adaptive_posterior.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums outcomes joint_law.
From CTV Require argmax_rule floor_in_mean.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* answers are listed the last first *)
Definition knows_late (Y : Type) (D : nat) (rule : policy_on Y) : Prop :=
  forall j (h h' : vec RR j), (forall l, (D <= l)%coq_nat -> co RR j h l = co RR j h' l) -> rule j h = rule j h'.

Lemma knows_at_once Y (rule : policy_on Y) : knows_late Y 0 rule.
Proof.
move=> j h h' e; congr (rule j _); elim: j h h' e => [|j IH]; first by case; case.
case=> a h; case=> b h' e; congr (_, _); first exact: (e O (Nat.le_refl 0)).
by apply: IH => l _; exact: (e l.+1 (Nat.le_0_l _)).
Qed.

Section late.
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (kappa top : R) (D : nat).
Hypothesis sigma0 : 0 < sigma.
Hypothesis kappa0 : 0 < kappa.
Hypothesis pk : kernel Y k.
Hypothesis ph : kernel R h.
Hypothesis k1 : forall z, k z z <= kappa.
Hypothesis h1 : forall t, h t t = 1.
Hypothesis cov : has_kernel d n Y L k h tau.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis mtop : mean_maximum Y k top.
Hypothesis late : knows_late Y D rule.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Hypothesis normals : independent_normals dT T P (d + n) G.

Lemma co_seen G' j l : (l < j)%coq_nat -> co RR j (seen d Y L sigma rule j G') l = answer d Y L sigma rule G' (j - 1 - l)%coq_nat.
Proof.
elim: j l => [|j IH] l hl; first lia.
case: l hl => [|l] hl; first by rewrite first_index.
by rewrite next_index; apply: IH; lia.
Qed.

Section round.
Variable i : nat.
Hypothesis i_n : (i < n)%coq_nat.
Notation known := (i - D)%coq_nat.
Definition moved (j : nat) : nat := if Nat.ltb j known then j else i.
Definition last_time (j : nat) : R := tau (moved j).
Definition padded (j : nat) (g : vec RR j) : vec RR i :=
  mk RR i (fun l => if Nat.ltb l D then 0 else co RR j g (l - D)%coq_nat).
Definition moved_rule : policy_on Y := fun j g => if Nat.eqb j known then rule i (padded j g) else rule j g.
Notation L' := (fun j => L (moved j)).

Lemma moved_measurable : measurable_rule Y moved_rule.
Proof.
move=> j z; rewrite /moved_rule; case: (Nat.eqb_spec j known) => _; last exact: mrule.
pose F (l : nat) (g : vec RR j) : R := if Nat.ltb l D then 0 else co RR j g (l - D)%coq_nat.
have mF l : measurable_fun setT (F l : vec RR j -> RR).
  by rewrite /F; case: Nat.ltb; [exact: measurable_fun_cst | exact: argmax_rule.mco].
have := mtogether _ (vec RR j) i F mF measurableT [set g : vec RR i | rule i g = z]%classic (mrule i z).
by rewrite setTI.
Qed.

Lemma moved_seen G' j : (j <= known)%coq_nat -> seen d Y L' sigma moved_rule j G' = seen d Y L sigma rule j G'.
Proof.
elim: j => //= j IH hj; have e := IH ltac:(lia); rewrite e /value /moved_rule /moved.
have -> : Nat.ltb j known = true by apply/Nat.ltb_lt.
by have -> : Nat.eqb j known = false by apply/Nat.eqb_neq => f; move: hj; rewrite f; exact: Nat.nle_succ_diag_l.
Qed.

Lemma moved_played G' : played d Y L' sigma moved_rule G' known = played d Y L sigma rule G' i.
Proof.
rewrite /played moved_seen // /moved_rule Nat.eqb_refl; apply: late => l hl; rewrite /padded.
case: (Nat.lt_ge_cases l i) => li; last by rewrite !co_out //; apply/ssrnat.leP.
rewrite co_mk; last exact/ssrnat.ltP.
have -> : Nat.ltb l D = false by apply/Nat.ltb_ge.
by rewrite !co_seen //; [rewrite late_index | exact: late_below].
Qed.

Lemma moved_loss G' : round_loss d Y L' sigma moved_rule G' known = round_loss d Y L sigma rule G' i.
Proof.
rewrite /round_loss moved_played; have e z : value d Y L' G' known z = value d Y L G' i z by rewrite /value /moved Nat.ltb_irrefl.
by rewrite e; congr (best_value _ _ _ - _); apply: funext => z.
Qed.

Theorem late_round_floor :
  (((1 - sqrt (1 - floor_in_mean.left_share sigma h last_time kappa known)) * top)%R%:E <=
   mean_of dT T P (fun w => round_loss d Y L sigma rule (fun l => G l w) i))%E.
Proof.
have cov' : has_kernel d n Y L' k h last_time.
  by move=> a b z z' ha hb; apply: cov; rewrite /moved; case: Nat.ltb.
have := floor_in_mean.round_floor d n Y L' sigma moved_rule k h last_time kappa top sigma0 kappa0 pk ph k1 h1 cov'
  moved_measurable mtop dT T P G normals known (Nat.le_lt_trans _ _ _ (Nat.le_sub_l i D) i_n).
by rewrite (_ : (fun w => round_loss d Y L' sigma moved_rule _ known) = (fun w => round_loss d Y L sigma rule (fun l => G l w) i)) //;
  apply: funext => w; exact: moved_loss.
Qed.
End round.

Notation lost i := (1 - sqrt (1 - floor_in_mean.left_share sigma h (last_time i) kappa (i - D)%coq_nat)).
Theorem late_regret_floor N : (N <= n)%coq_nat ->
  mean_at_least dT T P (fun w => sum N (round_loss d Y L sigma rule (fun l => G l w))) (top * sum N (fun i => lost i)).
Proof.
rewrite /mean_at_least => /ssrnat.leP; elim: N => [|N IH] hN.
  by rewrite /mean_of /= Rmult_0_r integral0.
have var i : (i < n)%N -> measurable_fun setT (fun w => (round_loss d Y L sigma rule (fun l => G l w) i)%:E : \bar RR).
  exact: (floor_in_mean.round_loss_variable d n Y L sigma rule mrule dT T P G normals).
have -> : mean_of dT T P (fun w => sum N.+1 (round_loss d Y L sigma rule (fun l => G l w))) =
  (mean_of dT T P (fun w => sum N (round_loss d Y L sigma rule (fun l => G l w))) + mean_of dT T P (fun w => round_loss d Y L sigma rule (fun l => G l w) N))%E.
  rewrite /mean_of -ge0_integralD //.
  - by move=> w _; rewrite lee_fin; apply/RleP; apply: sum_ge0 => i _; exact: floor_in_mean.round_loss_ge0.
  - elim: N {IH} hN => [|N IH] hN; first exact: (@measurable_fun_cst _ _ _ _ _ (EFin 0)).
    by have := emeasurable_funD (IH (ltnW hN)) (var N (ltnW hN)).
  - by move=> w _; rewrite lee_fin; apply/RleP; exact: floor_in_mean.round_loss_ge0.
  - exact: var.
have -> : top * sum N.+1 (fun i => lost i) = top * sum N (fun i => lost i) + lost N * top by rewrite /=; ring.
rewrite EFinD; apply: lee_add; [exact: IH (ltnW hN) | by apply: late_round_floor; exact/ssrnat.ltP].
Qed.
End late.
