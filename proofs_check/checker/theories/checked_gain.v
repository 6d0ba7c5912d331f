(******************************************************************************)
(*                     A checker of both sides of the gain                    *)
(*                                                                            *)
(* From above by a joint dual for each of some consecutive blocks of rounds,  *)
(* from below by one sequence of points.                                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   above_sound, below_sound, space_sound == what its yes means              *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, posterior, kernels, intervals,         *)
(*   whole_times, interval_matrices, problems, covariances,                   *)
(*   checked_joint_gain, checked_design.                                      *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums gains posterior kernels.
From CTV Require Import intervals whole_times interval_matrices problems covariances checked_joint_gain checked_design.
Import ListNotations.
Open Scope R_scope.

Record block := { rounds : nat; dual : joint_certificate; part_gain : Z * positive }.

(* the same problem at other times, and with more noise *)
Definition at_times (p : problem) (ts : list Z) : problem :=
  {| per_unit := per_unit p; ticks := ts; clock := clock p; ratio_s := ratio_s p; shape := shape p; rate := rate p;
     points := points p; delta := delta p |}.
Definition with_ratio (p : problem) (s : Z * positive) : problem :=
  {| per_unit := per_unit p; ticks := ticks p; clock := clock p; ratio_s := s; shape := shape p; rate := rate p;
     points := points p; delta := delta p |}.

(* and with a function that does not move *)
Definition still (p : problem) : problem :=
  {| per_unit := per_unit p; ticks := ticks p; clock := Stationary SquaredExponential (0%Z, 1%positive);
     ratio_s := ratio_s p; shape := shape p; rate := rate p; points := points p; delta := delta p |}.

Lemma time_still p t u : time_of (still p) t u = 1.
Proof.
unfold time_of; simpl; replace (valQ (0%Z, 1%positive)) with 0 by (unfold valQ; simpl; field).
now rewrite Rmult_0_l, Ropp_0, exp_0.
Qed.

(* the points of a problem, as what is played *)
Definition plays (p : problem) (x : nat -> place) : Prop :=
  forall i, (i < length (ticks p))%nat -> In (x i) (points p).
Definition gain_of (p : problem) (x : nat -> place) : R :=
  gain (s_of p) (length (ticks p)) (joint place (space_of p) (time_of p) x (tau p)).

Lemma last_skipn (l : list Z) m d : (m < length l)%nat -> last (skipn m l) d = last l d.
Proof.
revert l; induction m as [|m IH]; intros [|a l] h; simpl in h; try lia; [easy |].
rewrite skipn_cons, IH by lia; destruct l; [simpl in h; lia | reflexivity].
Qed.
Lemma tick_before u ts m i : (i < m)%nat -> (m <= length ts)%nat -> at_tick u (firstn m ts) i = at_tick u ts i.
Proof.
intros h l; unfold at_tick; f_equal; f_equal; rewrite <- (firstn_skipn m ts) at 3.
rewrite app_nth1 by (rewrite firstn_length_le; lia); apply nth_indep; rewrite firstn_length_le; lia.
Qed.
Lemma tick_behind u ts m i : (m + i < length ts)%nat -> at_tick u (skipn m ts) i = at_tick u ts (m + i).
Proof.
intros h; unfold at_tick; f_equal; f_equal; rewrite last_skipn by lia.
rewrite <- (firstn_skipn m ts) at 3; rewrite app_nth2; rewrite firstn_length_le by lia; [f_equal; lia | lia].
Qed.

Module Gain (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export D := Design F.
Section Gain.
Variables (prec : F.precision) (P : problem).
Notation Q_ := (ofQ prec).

Fixpoint check_blocks (ts : list Z) (bs : list block) : bool :=
  match bs with
  | [] => match ts with [] => true | _ => false end
  | b :: r => Nat.leb (rounds b) (length ts) && check_joint prec (at_times P (firstn (rounds b) ts)) (dual b) (part_gain b) &&
      check_blocks (skipn (rounds b) ts) r
  end.
Definition parts_I (bs : list block) : I.type := fold_right (fun b s => I.add prec (Q_ (part_gain b)) s) (ofZ prec 0) bs.
Definition check_above (bs : list block) (claim : Z * positive) : bool :=
  kernels_I prec P && le prec (ofZ prec 0) (Q_ (ratio_s P)) && check_blocks (ticks P) bs && le prec (parts_I bs) (Q_ claim).

Lemma blocks_sound : kernels_I prec P = true -> 0 <= s_of P -> forall bs ts, check_blocks ts bs = true ->
  forall x, plays (at_times P ts) x -> gain_of (at_times P ts) x <= lsum (fun b => valQ (part_gain b)) bs.
Proof.
intros hk s0; destruct (kernels_sound prec P hk) as [pk ph].
induction bs as [|b bs IH]; intros ts h x inside; simpl in h.
- destruct ts as [|t ts]; [| easy]; unfold gain_of; simpl length; rewrite gain_0; simpl; lra.
- apply andb_prop in h; destruct h as [h hr]; apply andb_prop in h; destruct h as [hl hj].
  apply Nat.leb_le in hl; set (m := rounds b) in *.
  unfold plays in inside; unfold gain_of; simpl ticks in *.
  assert (len : length ts = (m + length (skipn m ts))%nat) by (rewrite skipn_length; lia).
  set (A := joint place (space_of P) (time_of P) x (at_tick (per_unit P) ts)).
  change (gain (s_of P) (length ts) A <= valQ (part_gain b) + lsum (fun b => valQ (part_gain b)) bs).
  rewrite len; apply Rle_trans with (gain (s_of P) m A + gain (s_of P) (length (skipn m ts)) (shift2 m A)).
  + apply gain_fischer; [exact s0 |]; rewrite <- len.
    exact (semidefinite_hadamard _ (gram place (space_of P) x) (gram R (time_of P) (at_tick (per_unit P) ts)) (pk _ x) (ph _ _)).
  + apply Rplus_le_compat.
    * assert (j := joint_sound prec _ _ _ hj x).
      assert (fl : length (firstn m ts) = m) by (rewrite firstn_length_le; lia).
      simpl ticks in j; rewrite fl in j; apply Rle_trans with (2 := j (fun i hi => inside i (Nat.lt_le_trans _ _ _ hi hl))).
      right; apply gain_ext; intros i i' hi hi'; unfold A, joint, tau; simpl; rewrite (tick_before _ ts m i), (tick_before _ ts m i') by (try lia; exact hl); reflexivity.
    * assert (behind : plays (at_times P (skipn m ts)) (fun i => x (m + i)%nat)).
      { intros i hi; simpl in hi; apply inside; lia. }
      apply Rle_trans with (2 := IH (skipn m ts) hr _ behind).
      right; apply gain_ext; intros i i' hi hi'; unfold A, shift2, joint, tau; simpl.
      rewrite (tick_behind _ ts m i), (tick_behind _ ts m i'); [reflexivity | |]; rewrite len; now apply Nat.add_lt_mono_l.
Qed.

Theorem above_sound bs claim : check_above bs claim = true -> forall x, plays P x -> gain_of P x <= valQ claim.
Proof.
unfold check_above; intros h x inside.
apply andb_prop in h; destruct h as [h hc]; apply andb_prop in h; destruct h as [h hb].
apply andb_prop in h; destruct h as [hk s0].
apply (le_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec _)) in s0.
assert (m : mem (lsum (fun b => valQ (part_gain b)) bs) (parts_I bs)).
{ clear; induction bs as [|b bs IH]; [apply (mem_Z prec 0) | apply mem_add; [apply mem_Q | exact IH]]. }
apply (le_sound prec _ _ _ _ m (mem_Q prec claim)) in hc; apply Rle_trans with (2 := hc).
exact (blocks_sound hk s0 bs (ticks P) hb x inside).
Qed.

End Gain.

Section Other.
Variables (prec : F.precision) (P : problem).

(* of the problem that stands still: the gain of space alone *)
Theorem space_sound bs claim : check_above prec (still P) bs claim = true ->
  forall x, plays P x -> gain (s_of P) (length (ticks P)) (gram place (space_of P) x) <= valQ claim.
Proof.
intros h x inside; apply Rle_trans with (2 := above_sound prec (still P) bs claim h x inside); right.
apply gain_ext; intros i j _ _; unfold joint; rewrite time_still; unfold gram, space_of; simpl; ring.
Qed.

Theorem below_sound q claim : check_design prec P q claim = true -> exists x, plays P x /\ valQ claim <= gain_of P x.
Proof. exact (design_sound prec P q claim). Qed.
End Other.
End Gain.
