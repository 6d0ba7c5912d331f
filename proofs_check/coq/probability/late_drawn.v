(******************************************************************************)
(*               Answers that come late to a policy that draws                *)
(*                                                                            *)
(* For each value of the draws the rule is one of late_confidence.v.          *)
(*                                                                            *)
(* Statements:                                                                *)
(*   late_confidence_drawn == the confidence event                            *)
(*   late_theorem_1_drawn == Theorem 1, with draws that may break ties        *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, gaussian_law,              *)
(* adaptive_paths, adaptive_posterior, normal_density, adaptive_confidence,   *)
(* definitions, sums, gains, theorem_1, outcomes, joint_law, any_space,       *)
(* theorem_1_probability, drawn_policies, late_regret, late_confidence.       *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors gaussian_law adaptive_paths adaptive_posterior normal_density adaptive_confidence.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums gains theorem_1 outcomes joint_law any_space.
From CTV Require theorem_1_probability.
From CTV Require Import drawn_policies late_regret late_confidence.
Import Order.TTheory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Section drawn.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (dS : measure_display) (S : measurableType dS) (U : T -> S).
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : S -> policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (delta : R) (D : nat) (known : nat -> nat).
Hypothesis normals : independent_normals dT T P (d + n) G.
Hypothesis drawn : independent_draws dT T P (d + n) G dS S U.
Hypothesis sigma0 : 0 < sigma.
Hypothesis delta01 : 0 < delta <= 1.
Hypothesis law : has_kernel d n Y L k h tau.
Hypothesis mrule : measurable_drawn_rule dS S Y rule.
Hypothesis late : comes_late D known.
Notation world := (S * vec RR (d + n))%type.
Notation vector := (together dT T (d + n) G).
Notation beta := (width (size Y) delta).
Notation s := (/ sigma ^ 2).
Notation out w := (fun l => G l w).
Notation gap r g i z := (Rabs (value d Y L g i z -
    late_prediction Y k h s (played d Y L sigma r g) tau (answer d Y L sigma r g) (known i) i z) -
  sqrt (beta i) * late_deviation Y k h s (played d Y L sigma r g) tau (known i) i z).

Let co_ w l : (l < d + n)%N -> co RR (d + n) (vector w) l = G l w. Proof. by move=> hl; rewrite /together co_mk. Qed.

(* some value is farther from its prediction than sqrt(beta) deviations *)
Definition far_late : set world :=
  [set p | exists i z, (i < n)%N /\ 0 < gap (rule p.1) (co RR (d + n) p.2) i z]%classic.

Lemma mgap i z : measurable_fun setT (fun p : world => gap (rule p.1) (co RR (d + n) p.2) i z : RR).
Proof.
have := mover dS S d n Y (fun j => L (if Nat.ltb j (known i) then j else i)) sigma rule mrule k h
  (known_times tau (known i) i) (fun=> beta i) (known i) z.
congr measurable_fun; apply: funext => p; rewrite /over.
have ex j : (j < known i)%N -> _ := fun hj => late_played d Y L sigma (rule p.1) (known i) i (co RR (d + n) p.2) j (ltnW hj).
have ey j : (j < known i)%N -> _ := fun hj => late_answer d Y L sigma (rule p.1) (known i) i (co RR (d + n) p.2) j hj.
rewrite (deviation_ext _ _ _ _ _ _ _ _ _ ex) (prediction_ext _ _ _ _ _ _ _ _ _ _ _ ex ey).
by rewrite /value Nat.ltb_irrefl.
Qed.

Lemma mfar_late : measurable far_late.
Proof.
have -> : far_late = (\bigcup_(q in [set: 'I_n * Y]) ((fun p : world => gap (rule p.1) (co RR (d + n) p.2) q.1 q.2 : RR) @^-1` `]0%ring, +oo[))%classic.
  apply/seteqP; split=> p.
    by case=> i [z [hi lt]]; exists (Ordinal hi, z) => //=; rewrite in_itv /= andbT; exact/RltP.
  by case=> -[i z] _ /=; rewrite in_itv /= andbT => /RltP lt; exists i, z.
apply: fin_bigcup_measurable => [|q _]; first exact: finite_finset.
by rewrite -[X in measurable X]setTI; apply: mgap => //; exact: measurable_itv.
Qed.

Theorem late_confidence_drawn : exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i z, (i < n)%coq_nat ->
    Rabs (value d Y L (out w) i z - late_prediction Y k h s (played d Y L sigma (rule (U w)) (out w)) tau
      (answer d Y L sigma (rule (U w)) (out w)) (known i) i z) <=
    sqrt (beta i) * late_deviation Y k h s (played d Y L sigma (rule (U w)) (out w)) tau (known i) i z.
Proof.
exists [set w | far_late (U w, vector w)]%classic; split.
  apply: drawn_event => // [|u]; first exact: mfar_late.
  have [b [[q [qd [mb le]]] good]] := late_on_vectors d n Y L sigma (rule u) k h tau delta D known sigma0 delta01 law
    (fixed_draw _ _ _ _ mrule u) late.
  apply: (@le_lt_trans _ _ q%:E); last by rewrite lte_fin; exact/RltP.
  apply: le_trans le; apply: le_measure; rewrite ?inE //.
    by apply: (msection _ _ _ _ far_late); exact: mfar_late.
  move=> g [i [z [hi lt]]]; apply: contrapT => fine; apply: (Rlt_not_le _ _ lt).
  by apply: Rle_minus; exact: (good g fine i z (elimT ssrnat.ltP hi)).
move=> w fine i z hi; apply: (late_same d n Y L sigma (rule (U w)) k h tau delta D known late _ _ i z (co_ w) hi).
apply: Rnot_lt_le => lt; apply: fine; exists i, z; split; [exact/ssrnat.ltP | exact: Rlt_Rminus].
Qed.

Hypotheses (pk : kernel Y k) (ph : kernel R h) (k1 : forall z, k z z <= 1) (h1 : forall t, h t t = 1).
Hypothesis policy : forall w, follows_late d Y L sigma (rule (U w)) known n k h tau beta (out w).

Theorem late_theorem_1_drawn theta gamma (blocks : nat -> list nat) :
  (forall m, (m <= n)%coq_nat -> total (blocks m) = m) -> 0 <= theta ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  exists q, q < delta /\ at_most dT T P (fun w => exists m, (m <= n)%coq_nat /\
    loses d Y L sigma (rule (U w)) m (sqrt (8 / ln (1 + s) * beta (Nat.pred m) * INR m * (INR (Datatypes.S D) *
      (INR (length (blocks m)) * gamma (longest (blocks m)) +
       / 2 * over_blocks (fun i e l =>
         INR l * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau e l / INR l))) 0 0 (blocks m)))))
      (out w)) q.
Proof.
move=> e t0 hp sl bg; have [bad [[q [qd [mb le]]] good]] := late_confidence_drawn; exists q; split=> //.
set c := fun m => sqrt (8 / ln (1 + s) * beta (Nat.pred m) * INR m * (INR (Datatypes.S D) *
  (INR (length (blocks m)) * gamma (longest (blocks m)) + / 2 * over_blocks (fun i e l =>
     INR l * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau e l / INR l))) 0 0 (blocks m)))).
set E := fun w => exists m, _.
have mboth : measurable_fun setT (fun w => (U w, vector w)).
  have [mU _] := drawn; have [_ [mG _]] := normals.
  by apply: mpair => //; exact: (mtogether dT T (d + n) G mG).
have mE : measurable E.
  have -> : E = (\bigcup_(m in [set m | (m <= n)%N]) ((fun w => (U w, vector w)) @^-1`
      [set p | loses d Y L sigma (rule p.1) m (c m) (co RR (d + n) p.2)]))%classic.
    apply/seteqP; split=> w [m].
      by case=> /ssrnat.leP mn lost; exists m => //=; apply/(loses_same d n Y L sigma _ _ _ (co_ w) m).
    by move=> /= mn lost; exists m; split; [exact/ssrnat.leP | apply/(loses_same d n Y L sigma _ _ _ (co_ w) m)].
  by apply: bigcup_measurable => m _; rewrite -[X in measurable X]setTI; apply: mboth => //; exact: mloses.
split=> //; apply: le_trans le; apply: le_measure; rewrite ?inE //.
move=> w [m [mn [best lt]]]; apply: contrapT => fine; apply: (Rlt_not_le _ _ lt).
have s0 : 0 < s by apply: Rinv_0_lt_compat; apply: pow_lt.
apply: (late_finite_regret Y k h (played d Y L sigma (rule (U w)) (out w)) tau pk ph D known late k1 h1 s
  (fun i => late_prediction Y k h s (played d Y L sigma (rule (U w)) (out w)) tau
     (answer d Y L sigma (rule (U w)) (out w)) (known i) i) beta m (value d Y L (out w)) _ s0).
- by move=> i hi; exact: (theorem_1_probability.betas Y delta (rule (U w)) delta01 m i hi).
- by move=> i z hi; apply: policy; lia.
- by move=> i z hi; apply: (good w fine); lia.
- by rewrite -{1}(e m mn); apply: theorem_1_gain => //; lra.
Qed.
End drawn.
