(******************************************************************************)
(*                  Regret from answers that come late, counted               *)
(*                                                                            *)
(* What round i tells beyond the m answers that are known is at most what all *)
(* rounds from m to i tell; with answers at most D rounds late every round    *)
(* is counted D + 1 times.                                                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   late_variance == what a round that knows m answers tells                 *)
(*   late_gain == all rounds together: at most D + 1 gains                    *)
(*   late_finite_regret == regret on the confidence event against any bound   *)
(*       on the gain                                                          *)
(*   late_envelope == the same from a gain at more noise                      *)
(*   follows_at_once == with each answer at once it is the usual policy       *)
(*                                                                            *)
(* Rests on: library, definitions, sums, matrices, gains, posterior,          *)
(* theorem_a, theorem_1, outcomes.                                            *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From mathcomp Require Import perm.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums matrices gains posterior theorem_a theorem_1 outcomes.
Import GRing.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* rounds in another order have the same gain *)
Lemma gain_order s n A (p : nat -> nat) : (forall i, (i < n)%coq_nat -> (p i < n)%coq_nat) ->
  (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> p i = p j -> i = j) ->
  gain s n (fun i j => A (p i) (p j)) = gain s n A.
Proof.
move=> into inj; rewrite /gain !det_mx; congr (_ * ln _).
have bound (i : 'I_n) : (p i < n)%N by apply/ssrnat.ltP; apply: into; apply/ssrnat.ltP.
pose q (i : 'I_n) : 'I_n := Ordinal (bound i).
have qi : injective q.
  move=> i j e; apply: val_inj; apply: inj; [apply/ssrnat.ltP; exact: ltn_ord | apply/ssrnat.ltP; exact: ltn_ord |].
  by have := congr1 (@nat_of_ord n) e.
have -> : (1%:M + s *: mx n (fun i j => A (p i) (p j)) = row_perm (perm qi) (col_perm (perm qi) (1%:M + s *: mx n A)))%ring.
  by apply/matrixP => i j; rewrite !mxE !permE /= (eqtype.inj_eq qi).
rewrite row_permE col_permE !det_mulmx !det_perm mulrC -mulrA -signr_addb.
by rewrite odd_permV addbb expr0 mulr1.
Qed.

Section late.
Variables (X : Type) (k : X -> X -> R) (h : R -> R -> R) (x : nat -> X) (tau : nat -> R).
Hypotheses (pk : kernel X k) (ph : kernel R h).
Notation J := (joint X k h x tau).
(* the first m rounds, and then round i *)
Notation past m i := (fun j => if Nat.ltb j m then j else i).

Lemma late_joint s m i : late_deviation X k h s x tau m i (x i) = sqrt (variance s m (fun a b => J (past m i a) (past m i b))).
Proof.
congr sqrt; apply: variance_ext => a b ha hb; rewrite /joint /known_times.
have e c : (c <= m)%coq_nat -> (if Nat.eqb c m then x i else x c) = x (if Nat.ltb c m then c else i).
  move=> hc; case: (Nat.eqb_spec c m) => [->|ne]; first by rewrite Nat.ltb_irrefl.
  by have -> : Nat.ltb c m = true; [apply/Nat.ltb_lt; lia |].
by rewrite !e.
Qed.

Let semi n y t : semidefinite n (joint X k h y t). Proof. exact: semidefinite_joint. Qed.
Let semi_past n m i : semidefinite n (fun a b => J (past m i a) (past m i b)).
Proof. exact: (semi n (fun j => x (past m i j)) (fun j => tau (past m i j))). Qed.

Lemma past_gain t m i : 0 <= t -> (m <= i)%coq_nat -> gain t (S m) (fun a b => J (past m i a) (past m i b)) <= gain t (S i) J.
Proof.
move=> t0 mi; pose p j := if Nat.ltb j m then j else if Nat.eqb j m then i else Nat.pred j.
have pE j : p j = j /\ (j < m)%coq_nat \/ p j = i /\ j = m \/ p j = Nat.pred j /\ (m < j)%coq_nat.
  rewrite /p; case: (Nat.ltb_spec j m) => hj; first by left.
  by case: (Nat.eqb_spec j m) => e; right; [left | right; split=> //; lia].
rewrite -[X in _ <= X](gain_order t (S i) J p); first last.
- by move=> a b ha hb; have := pE a; have := pE b; lia.
- by move=> a ha; have := pE a; lia.
rewrite (gain_ext t (S m) _ (fun a b => J (p a) (p b))); last first.
  by move=> a b ha hb; congr (J _ _); [have := pE a | have := pE b]; case: Nat.ltb_spec; lia.
by apply: gain_le => //; [lia | exact: (semi (S i) (fun j => x (p j)) (fun j => tau (p j)))].
Qed.

Lemma late_variance s t m i : 0 < t <= s -> (m <= i)%coq_nat ->
  / 2 * ln (1 + t * late_deviation X k h s x tau m i (x i) ^ 2) <= gain t (S i) J - gain t m J.
Proof.
move=> ts mi; set A := fun a b => J (past m i a) (past m i b).
have pA : semidefinite (S m) A by exact: semi_past.
have [v0 _] := gain_variance s m A ltac:(lra) pA; have [_ e] := gain_variance t m A ltac:(lra) pA.
rewrite late_joint -/A pow2_sqrt //.
have := past_gain t m i ltac:(lra) mi; rewrite -/A e (gain_ext t m A J); last first.
  by move=> a b ha hb; rewrite /A; have -> : Nat.ltb a m = true; [apply/Nat.ltb_lt | have -> : Nat.ltb b m = true; [apply/Nat.ltb_lt |]].
have := variance_noise s t m A ts pA => v1.
have : ln (1 + t * variance s m A) <= ln (1 + t * variance t m A); last lra.
apply: ln_le; last by apply: Rplus_le_compat_l; apply: Rmult_le_compat_l; lra.
by have := Rmult_le_pos t _ ltac:(lra) v0; lra.
Qed.

Lemma telescoped (g : nat -> R) D n : (forall i, 0 <= g i) -> (forall i j, (i <= j)%coq_nat -> (j <= n)%coq_nat -> g i <= g j) ->
  sum n (fun i => g (S i) - g (Nat.sub i D)) <= INR (S D) * g n.
Proof.
move=> g0 up; suff more m : (m <= n)%coq_nat -> sum m (fun i => g (S i) - g (Nat.sub i D)) <= sum (S D) (fun l => g (Nat.sub m l)).
  apply: Rle_trans (more n (le_n n)) _; rewrite -sum_const; apply: sum_le => l _; apply: up; lia.
elim: m => [|m IH] hm; first by apply: sum_ge0.
have := IH ltac:(lia); rewrite (sum_S D (fun l => g (Nat.sub (S m) l))) Nat.sub_0_r.
have -> : sum D (fun i => g (Nat.sub (S m) (S i))) = sum D (fun l => g (Nat.sub m l)) by apply: sum_ext.
by rewrite /=; lra.
Qed.

Variables (D : nat) (known : nat -> nat).
Hypothesis late : comes_late D known.

Lemma late_gain s t n : 0 < t <= s ->
  / 2 * sum n (fun i => ln (1 + t * late_deviation X k h s x tau (known i) i (x i) ^ 2)) <= INR (S D) * gain t n J.
Proof.
move=> ts; have up i j : (i <= j)%coq_nat -> gain t i J <= gain t j J by move=> ij; apply: gain_le => //; lra.
apply: Rle_trans (telescoped (fun i => gain t i J) D n _ (fun i j ij _ => up i j ij)); last first.
  by move=> i; apply: gain_ge0 => //; lra.
rewrite -sum_scal; apply: sum_le => i _; have [l0 l1] := late i.
by have := late_variance s t (known i) i ts l1; have := up _ _ l0; lra.
Qed.

Hypotheses (k1 : forall z, k z z <= 1) (h1 : forall t, h t t = 1).

Lemma late_deviation_small s m i : 0 < s -> 0 <= late_deviation X k h s x tau m i (x i) <= 1.
Proof.
move=> s0; rewrite late_joint; split; first exact: sqrt_pos.
rewrite -sqrt_1; apply: sqrt_le_1_alt.
apply: Rle_trans (variance_le_prior s m _ ltac:(lra) (semi_past _ m i)) _.
by rewrite Nat.ltb_irrefl /joint h1; have := k1 (x i); lra.
Qed.

Variables (s : R) (mean : nat -> X -> R) (beta : nat -> R) (n : nat) (f : nat -> X -> R) (B : R).
Notation dev := (fun i => late_deviation X k h s x tau (known i) i).
Hypothesis s0 : 0 < s.
Hypothesis hb : forall i, (i < n)%coq_nat -> 0 <= beta i <= B.
Hypothesis policy : upper_confidence_policy X mean dev beta n x.
Hypothesis near : forall i z, (i < n)%coq_nat -> Rabs (f i z - mean i z) <= sqrt (beta i) * dev i z.

Let one i z : (i < n)%coq_nat -> f i z - f i (x i) <= 2 * (sqrt (beta i) * dev i (x i)).
Proof.
move=> hi; have := policy i z hi.
by have [_ a] := Rabs_le_inv _ _ (near i z hi); have [b _] := Rabs_le_inv _ _ (near i (x i) hi); lra.
Qed.

Theorem late_finite_regret G (best : nat -> X) : gain s n J <= G ->
  sum n (fun i => f i (best i) - f i (x i)) <= sqrt (8 / ln (1 + s) * B * INR n * (INR (S D) * G)).
Proof.
move=> hG; apply: Rle_trans (sum_le n _ _ (fun i hi => one i (best i) hi)) _.
apply: (sum_widths n B beta (fun i => dev i (x i)) _ s s0 hb); first by move=> i; exact: sqrt_pos.
have := late_gain s s n ltac:(lra); have := Rmult_le_compat_l _ _ _ (pos_INR (S D)) hG.
suff : ln (1 + s) * sum n (fun i => dev i (x i) ^ 2) <= sum n (fun i => ln (1 + s * dev i (x i) ^ 2)) by lra.
rewrite -sum_scal; apply: sum_le => i _; have [d0 d1] := late_deviation_small s (known i) i s0.
by rewrite Rmult_comm; apply: log_chord => //; nra.
Qed.

Theorem late_envelope t G c0 c1 (best : nat -> X) : 0 < t <= s -> gain t n J <= G -> 0 <= c1 ->
  (forall w, 0 <= w <= 1 -> w <= c0 + c1 * (/ 2 * ln (1 + t * w ^ 2))) ->
  sum n (fun i => f i (best i) - f i (x i)) <= 2 * sqrt B * (INR n * c0 + c1 * (INR (S D) * G)).
Proof.
move=> ts hG c10 maj.
apply: Rle_trans (sum_le n _ (fun i => 2 * sqrt B * dev i (x i)) _) _.
  move=> i hi; have [b0 b1] := hb i hi; have [d0 _] := late_deviation_small s (known i) i s0.
  apply: Rle_trans (one i (best i) hi) _; rewrite Rmult_assoc; apply: Rmult_le_compat_l; first lra.
  by apply: Rmult_le_compat_r => //; exact: sqrt_le_1_alt.
rewrite sum_scal; apply: Rmult_le_compat_l; first by have := sqrt_pos B; lra.
apply: Rle_trans (sum_le n _ _ (fun i _ => maj _ (late_deviation_small s (known i) i s0))) _.
rewrite sum_plus sum_const sum_scal sum_scal; apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //.
by apply: Rle_trans (late_gain s t n ts) _; apply: Rmult_le_compat_l => //; exact: pos_INR.
Qed.
End late.

(* with each answer at once *)
Lemma at_once_is_late D : comes_late D (fun i => i).
Proof. by move=> i; lia. Qed.

Lemma late_deviation_at_once X k h s x tau i z : late_deviation X k h s x tau i i z = deviation X k h s x tau i z.
Proof.
congr sqrt; apply: variance_ext => a b ha hb; rewrite /joint /known_times.
have e c : (c <= i)%coq_nat -> tau (if Nat.ltb c i then c else i) = tau c.
  by move=> hc; case: (Nat.ltb_spec c i) => // l; congr tau; lia.
by rewrite !e.
Qed.

Lemma late_prediction_at_once X k h s x tau y i z : late_prediction X k h s x tau y i i z = prediction X k h s x tau y i z.
Proof.
have e c : (c <= i)%coq_nat -> known_times tau i i c = tau c.
  by move=> hc; rewrite /known_times; case: (Nat.ltb_spec c i) => // l; congr tau; lia.
rewrite /late_prediction /prediction /posterior_mean; congr (_ * _).
have l (a : 'I_i) : (a < i)%coq_nat by apply/ssrnat.ltP; exact: ltn_ord.
by congr ((_ *m invmx (_ + _ *: _) *m _)%ring _ _); apply/matrixP => a b; rewrite !mxE /joint !e //; apply: Nat.lt_le_incl; exact: l.
Qed.

Lemma follows_at_once d Y L sigma rule n k h tau beta G :
  follows_late d Y L sigma rule (fun i => i) n k h tau beta G <-> follows d Y L sigma rule n k h tau beta G.
Proof.
by split=> p i z hi; have := p i z hi; rewrite !late_prediction_at_once !late_deviation_at_once.
Qed.
