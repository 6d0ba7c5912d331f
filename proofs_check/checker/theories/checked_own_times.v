(******************************************************************************)
(*    A checker of a bound on regret where times depend on the point          *)
(*                                                                            *)
(* Theorem C's weights, and the gain of a run with steps of the longest time. *)
(*                                                                            *)
(* Words:                                                                     *)
(*   wide_enough == the weight of a round has the two conditions of Theorem C *)
(*                                                                            *)
(* Statements:                                                                *)
(*   own_parts == what its yes means, but for probability                     *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, intervals, whole_times,       *)
(*   interval_matrices, problems, covariances, checked_gain, checked_regret,  *)
(*   checked_floor.                                                           *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums gains kernels.
From CTV Require Import intervals whole_times interval_matrices problems covariances checked_gain checked_regret checked_floor.
Import ListNotations.
Open Scope R_scope.

Record own_certificate := {
  longest : Z * positive;            (* no evaluation takes more time *)
  windows : positive;                (* of the time until the last round *)
  widest : Z * positive;             (* the weight of the last round *)
  road : option regret_certificate }.   (* from a gain with steps of the longest time; or each deviation counts 1 *)

(* clocks of Theorem C: those that forget, and one that stands still *)
Definition markov (law : time_law) : bool :=
  match law with Stationary SquaredExponential c => (fst c =? 0)%Z | _ => forgets law end.
Lemma markov_slope law : time_positive law -> markov law = true -> forall t u, over_time law t u = forgetting (slope_of law) t u.
Proof.
intros c0 h; destruct law as [e|[| |p] c]; [now apply forgets_slope | | easy | now apply forgets_slope].
simpl in h; apply Z.eqb_eq in h; intros t u; simpl; unfold forgetting, valQ; rewrite h; unfold Rdiv.
rewrite Rmult_0_l, sqrt_0; f_equal; ring.
Qed.

(* of round i, from 0: its weight b, where no evaluation takes longer than l *)
Definition wide_enough (p : problem) (l : R) (i : nat) (b : R) : Prop := exists W : nat, (0 < W)%nat /\
  slope_of (clock p) * (INR (S i) * l) * b <= INR W /\
  2 * ln (4 * exp 1 * INR (length (points p)) * INR W / share (valQ (delta p)) i) <= b.

(* the same problem with steps of the longest time *)
Definition with_steps (p : problem) (l : Z * positive) : problem :=
  {| per_unit := snd l; ticks := running 0 (repeat (fst l) (length (ticks p))); clock := clock p; ratio_s := ratio_s p;
     shape := shape p; rate := rate p; points := points p; delta := delta p |}.
Lemma running_length a l : length (running a l) = length l.
Proof. revert a; induction l as [|x l IH]; intros a; simpl; [easy | now rewrite IH]. Qed.
Lemma running_even step n a d i : (i < n)%nat -> nth i (running a (repeat step n)) d = (a + Z.of_nat (S i) * step)%Z.
Proof.
revert a i; induction n as [|n IH]; intros a i hi; [lia |].
destruct i as [|i]; cbn [running repeat nth]; [lia | rewrite IH by lia; lia].
Qed.
Lemma steps_even p l i : (i < length (ticks p))%nat -> tau (with_steps p l) i = INR (S i) * valQ l.
Proof.
intros hi; unfold tau, at_tick; cbn [ticks with_steps per_unit].
rewrite running_even by easy; rewrite Z.add_0_l, mult_IZR, <- INR_IZR_INZ; unfold valQ, Rdiv; ring.
Qed.

Module Own (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export F_ := Floor F.
Section Own.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Mul := (I.mul prec).
Notation Div := (I.div prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).
Notation Le := (le prec).
Notation Lt := (lt prec).
Variables (P : problem) (q : own_certificate) (claim : Z * positive).
Let n := length (ticks P).
Let stepped (t : Z * positive) : problem := with_ratio (with_steps P (longest q)) t.

Definition slope_of_I : I.type :=
  match clock P with Forgets e => rate_I prec e | Stationary _ c => I.sqrt prec (Q_ c) end.
Lemma mem_slope_of : mem (slope_of (clock P)) slope_of_I.
Proof. unfold slope_of_I; destruct (clock P); simpl; [apply mem_rate | apply mem_sqrt, mem_Q]. Qed.

(* the two conditions in the last round *)
Definition reach_I : I.type := Mul (Mul slope_of_I (Mul (Z_ (Z.of_nat n)) (Q_ (longest q)))) (Q_ (widest q)).
Definition weight_I : I.type :=
  Mul (Z_ 2) (I.ln prec (Div (Mul (Mul (Mul (Z_ 4) (I.exp prec (Z_ 1))) (Z_ (Z.of_nat (length (points P))))) (Z_ (Zpos (windows q))))
    (Div (Q_ (delta P)) (Div (Mul (pi2_I prec) (Mul (Z_ (Z.of_nat n)) (Mul (Z_ (Z.of_nat n)) (Z_ 1)))) (Z_ 6))))).
(* all deviations together *)
Definition told_I : I.type :=
  match road q with
  | None => Z_ (Z.of_nat n)
  | Some r => Add (Mul (Z_ (Z.of_nat n)) (Q_ (constant r))) (Mul (Q_ (factor r)) (Q_ (noisy_gain r)))
  end.
Definition check_road : bool :=
  match road q with
  | None => Lt (Z_ 0) (Q_ (ratio_s P))
  | Some r => check_majorant prec r && Le (Q_ (noisy_ratio r)) (Q_ (ratio_s P)) &&
      check_above prec (stepped (noisy_ratio r)) (blocks r) (noisy_gain r)
  end.
Definition own_I : I.type := Mul (Mul (Q_ (3064%Z, 1000%positive)) (I.sqrt prec (Q_ (widest q)))) told_I.
Definition check_own : bool :=
  markov (clock P) && (0 <=? fst (longest q))%Z && Lt (Z_ 0) (Q_ (delta P)) && Le (Q_ (delta P)) (Z_ 1) &&
  Nat.ltb 0 n && Nat.ltb 0 (length (points P)) && kernels_I prec P && Le (Z_ 0) (Q_ (widest q)) &&
  Le reach_I (Z_ (Zpos (windows q))) && Le weight_I (Q_ (widest q)) && Le own_I (Q_ claim) && check_road.

Lemma road_sound : check_road = true -> exists t c0 c1 G, 0 < valQ t <= s_of P /\ 0 <= c1 /\
  (forall w, 0 <= w <= 1 -> w <= c0 + c1 * (/ 2 * ln (1 + valQ t * w ^ 2))) /\ mem (INR n * c0 + c1 * G) told_I /\
  (c1 = 0 \/ forall x, plays P x -> gain_of (stepped t) x <= G).
Proof.
unfold check_road, told_I; destruct (road q) as [r|]; intros h.
- apply andb_prop in h; destruct h as [h eg]; apply andb_prop in h; destruct h as [em et].
  destruct (majorant_sound prec r em) as [t0 [c10 maj]].
  apply (le_sound prec _ _ _ _ (mem_Q prec _) (mem_Q prec (ratio_s P))) in et.
  exists (noisy_ratio r), (valQ (constant r)), (valQ (factor r)), (valQ (noisy_gain r)).
  split; [split; [exact t0 | exact et] |]; split; [exact c10 |]; split; [exact maj |]; split.
  + apply mem_add; apply mem_mul; try apply mem_nat; apply mem_Q.
  + right; intros x inside; apply (above_sound prec (stepped (noisy_ratio r)) (blocks r) (noisy_gain r) eg x).
    unfold plays in *; cbn [ticks with_ratio with_steps stepped points] in *; rewrite running_length, repeat_length; exact inside.
- apply (lt_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec (ratio_s P))) in h.
  exists (ratio_s P), 1, 0, 0; split; [split; [exact h | unfold s_of; lra] |]; split; [lra |]; split; [intros w w1; lra |].
  split; [| now left]; replace (INR n * 1 + 0 * 0) with (INR n) by ring; apply mem_nat.
Qed.

Theorem own_parts : check_own = true ->
  0 < valQ (delta P) <= 1 /\ kernel place (space_of P) /\ 0 <= slope_of (clock P) /\
  (forall u v, time_of P u v = forgetting (slope_of (clock P)) u v) /\ 0 <= valQ (widest q) /\
  (forall i, (i < n)%nat -> wide_enough P (valQ (longest q)) i (valQ (widest q))) /\
  exists t c0 c1 G, 0 < valQ t <= s_of P /\ 0 <= c1 /\
    (forall w, 0 <= w <= 1 -> w <= c0 + c1 * (/ 2 * ln (1 + valQ t * w ^ 2))) /\
    3064 / 1000 * sqrt (valQ (widest q)) * (INR n * c0 + c1 * G) <= valQ claim /\
    (c1 = 0 \/ forall x, plays P x -> gain_of (stepped t) x <= G).
Proof.
intros h; unfold check_own in h.
apply andb_prop in h; destruct h as [h eg]; apply andb_prop in h; destruct h as [h er];
apply andb_prop in h; destruct h as [h ew]; apply andb_prop in h; destruct h as [h ea];
apply andb_prop in h; destruct h as [h eb]; apply andb_prop in h; destruct h as [h hk];
apply andb_prop in h; destruct h as [h ep]; apply andb_prop in h; destruct h as [h en];
apply andb_prop in h; destruct h as [h e1]; apply andb_prop in h; destruct h as [h ed];
apply andb_prop in h; destruct h as [mk el].
destruct (road_sound eg) as [t [c0 [c1 [G [ts [c10 [maj [mt above]]]]]]]].
assert (z := mem_Z prec 0); assert (o := mem_Z prec 1).
apply (lt_sound prec _ _ _ _ z (mem_Q prec (delta P))) in ed.
apply (le_sound prec _ _ _ _ (mem_Q prec (delta P)) o) in e1.
apply (le_sound prec _ _ _ _ z (mem_Q prec (widest q))) in eb.
apply Nat.ltb_lt in en, ep; apply fraction_ge0 in el.
destruct (kernels_sound prec P hk) as [pk _]; apply andb_prop in hk; destruct hk as [hk _].
assert (tp := time_positive_sound prec P hk); assert (r0 := slope_ge0 _ tp); assert (rE := markov_slope _ tp mk).
assert (mr : mem (slope_of (clock P) * (INR n * valQ (longest q)) * valQ (widest q)) reach_I).
{ apply mem_mul; [apply mem_mul; [apply mem_slope_of | apply mem_mul; [apply mem_nat | apply mem_Q]] | apply mem_Q]. }
apply (le_sound prec _ _ _ _ mr (mem_Z prec _)) in ea.
assert (mw : mem (2 * ln (4 * exp 1 * INR (length (points P)) * IZR (Zpos (windows q)) /
  (valQ (delta P) / (PI ^ 2 * INR n ^ 2 / 6)))) weight_I).
{ apply mem_mul; [apply (mem_Z prec 2) |]; apply mem_ln, mem_div.
  - apply mem_mul; [| apply mem_Z]; apply mem_mul; [| apply mem_nat]; apply mem_mul; [apply (mem_Z prec 4) | apply mem_exp, o].
  - apply mem_div; [apply mem_Q |]; apply mem_div; [| apply (mem_Z prec 6)]; apply mem_mul.
    + apply mem_mul; [apply mem_pi | apply mem_mul; [apply mem_pi | exact o]].
    + apply mem_mul; [apply mem_nat | apply mem_mul; [apply mem_nat | exact o]]. }
apply (le_sound prec _ _ _ _ mw (mem_Q prec _)) in ew.
assert (mo : mem (3064 / 1000 * sqrt (valQ (widest q)) * (INR n * c0 + c1 * G)) own_I).
{ apply mem_mul; [| exact mt]; apply mem_mul; [apply (mem_Q prec (3064%Z, 1000%positive)) | apply mem_sqrt, mem_Q]. }
apply (le_sound prec _ _ _ _ mo (mem_Q prec claim)) in er.
split; [lra |]; split; [exact pk |]; split; [exact r0 |]; split; [exact rE |]; split; [exact eb |]; split.
- intros i hi; exists (Pos.to_nat (windows q)).
  assert (wE : INR (Pos.to_nat (windows q)) = IZR (Zpos (windows q))) by (rewrite INR_IZR_INZ, positive_nat_Z; easy).
  assert (w1 : 0 < IZR (Zpos (windows q))) by now apply IZR_lt.
  assert (iN : INR (S i) <= INR n) by (apply le_INR; unfold n in *; lia).
  assert (i1 : 1 <= INR (S i)) by (rewrite S_INR; generalize (pos_INR i); lra).
  split; [apply Pos2Nat.is_pos |]; rewrite wE; split.
  + apply Rle_trans with (2 := ea); apply Rmult_le_compat_r; [exact eb |]; apply Rmult_le_compat_l; [exact r0 |].
    now apply Rmult_le_compat_r.
  + apply Rle_trans with (2 := ew); apply Rmult_le_compat_l; [lra |].
    assert (pp := PI_RGT_0); assert (p0 : 0 < PI ^ 2) by (apply pow_lt; lra).
    assert (w0 : 0 < 4 * exp 1 * INR (length (points P)) * IZR (Zpos (windows q))).
    { assert (e0 := exp_pos 1); assert (L0 : 0 < INR (length (points P))) by (now apply lt_0_INR).
      apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat |]; lra. }
    unfold share; rewrite Nat.add_1_r.
    assert (q0 : forall a, 0 < a -> 4 * exp 1 * INR (length (points P)) * IZR (Zpos (windows q)) / (valQ (delta P) / (PI ^ 2 * a ^ 2 / 6)) =
      4 * exp 1 * INR (length (points P)) * IZR (Zpos (windows q)) * / valQ (delta P) * (PI ^ 2 / 6) * a ^ 2).
    { intros a a0; field; repeat split; lra. }
    assert (cc : 0 < 4 * exp 1 * INR (length (points P)) * IZR (Zpos (windows q)) * / valQ (delta P) * (PI ^ 2 / 6)).
    { apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; [exact w0 | now apply Rinv_0_lt_compat] | lra]. }
    rewrite !q0 by lra; destruct iN as [lt|e]; [left; apply ln_increasing | right; now rewrite e].
    * apply Rmult_lt_0_compat; [exact cc | apply pow_lt; lra].
    * apply Rmult_lt_compat_l; [exact cc |]; generalize dependent (INR (S i)); intros a; nra.
- now exists t, c0, c1, G.
Qed.
End Own.
End Own.
