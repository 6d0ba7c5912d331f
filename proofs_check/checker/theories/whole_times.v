(******************************************************************************)
(*                           Times as whole numbers                           *)
(*                                                                            *)
(* Instants as multiples of a tick, sums over rounds as sums over lists, and  *)
(* the uniformity exactly.                                                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   at_tick == the instant of a round                                        *)
(*   running == durations to instants                                         *)
(*   uniformity_whole == the uniformity                                       *)
(*                                                                            *)
(* Rests on: definitions, sums.                                               *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia.
From CTV Require Import definitions sums.
Import ListNotations.
Open Scope R_scope.

Definition lsum {A} (f : A -> R) (l : list A) : R := fold_right (fun a t => f a + t) 0 l.
Definition zsum {A} (f : A -> Z) (l : list A) : Z := fold_right (fun a t => (f a + t)%Z) 0%Z l.

Lemma lsum_app A (f : A -> R) l m : lsum f (l ++ m) = lsum f l + lsum f m.
Proof. induction l as [|a l IH]; simpl; [lra | unfold lsum in *; simpl; rewrite IH; lra]. Qed.

Lemma lsum_ext A (f g : A -> R) l : (forall a, f a = g a) -> lsum f l = lsum g l.
Proof. intros h; induction l as [|a l IH]; [easy | unfold lsum in *; simpl; now rewrite h, IH]. Qed.

Lemma lsum_scal A c (f : A -> R) l : lsum (fun a => c * f a) l = c * lsum f l.
Proof. induction l as [|a l IH]; unfold lsum in *; simpl; [lra | rewrite IH; lra]. Qed.

Lemma zsum_IZR A (f : A -> Z) l : IZR (zsum f l) = lsum (fun a => IZR (f a)) l.
Proof. induction l as [|a l IH]; [easy | unfold lsum, zsum in *; simpl; now rewrite plus_IZR, IH]. Qed.

(* the m entries from number d on *)
Definition part {A} (d m : nat) (l : list A) : list A := firstn m (skipn d l).

Lemma sum_part A (f : A -> R) x l d m : (d + m <= length l)%nat ->
  sum m (fun j => f (nth (d + j) l x)) = lsum f (part d m l).
Proof.
revert d; induction m as [|m IH]; intros d h; [easy |].
unfold part; simpl sum; rewrite (IH d) by lia; unfold part.
assert (e : skipn d l = firstn m (skipn d l) ++ nth (d + m) l x :: skipn (S m) (skipn d l)).
{ rewrite <- (firstn_skipn m (skipn d l)) at 1; f_equal.
  rewrite <- (firstn_skipn d l) at 2; rewrite app_nth2; rewrite firstn_length_le; try lia.
  replace (d + m - d)%nat with m by lia.
  assert (k : (m < length (skipn d l))%nat) by (rewrite skipn_length; lia).
  revert k; generalize (skipn d l); clear; induction m as [|m IH]; intros [|a l]; simpl; try lia; [easy |].
  intros k; apply IH; lia. }
rewrite e at 2; rewrite firstn_app, firstn_firstn, firstn_length_le by (rewrite skipn_length; lia).
replace (Nat.min (S m) m) with m by lia; replace (S m - m)%nat with 1%nat by lia.
rewrite lsum_app; simpl; unfold lsum; simpl; lra.
Qed.

Lemma skipn_more A d m (l : list A) : skipn m (skipn d l) = skipn (d + m) l.
Proof.
revert l; induction d as [|d IH]; intros l; [easy |].
destruct l; simpl; [now rewrite skipn_nil | apply IH].
Qed.

(* times as multiples of 1/unit; after the last round time stands still *)
Definition at_tick (unit : positive) (ticks : list Z) (i : nat) : R :=
  IZR (nth i ticks (last ticks 0%Z)) / IZR (Zpos unit).

(* the sum of min (capped, scale (t - u)^2) over ordered pairs *)
Definition pairs (capped scale : Z) (l : list Z) : Z :=
  zsum (fun t => zsum (fun u => Z.min capped (scale * ((t - u) * (t - u)))) l) l.

(* the uniformity with the cap 1/(a/b)^2, times (a unit)^2 *)
Definition whole_uniformity (unit a b : positive) (l : list Z) : Z :=
  pairs (Zpos (b * b * (unit * unit))) (Zpos (a * a)) l.

Definition ratio (a b : positive) : R := IZR (Zpos a) / IZR (Zpos b).

Lemma IZR_min x y : IZR (Z.min x y) = Rmin (IZR x) (IZR y).
Proof.
destruct (Z_le_gt_dec x y) as [h|h].
- rewrite Z.min_l, Rmin_left by (trivial; now apply IZR_le); trivial.
- rewrite Z.min_r, Rmin_right by (try (apply IZR_le); lia); trivial.
Qed.

Lemma Rmin_scal c x y : 0 < c -> c * Rmin x y = Rmin (c * x) (c * y).
Proof. intros h; unfold Rmin; repeat destruct Rle_dec; nra. Qed.

Theorem uniformity_whole unit a b ticks d m : (d + m <= length ticks)%nat ->
  uniformity (/ ratio a b ^ 2) (at_tick unit ticks) d m =
  IZR (whole_uniformity unit a b (part d m ticks)) / IZR (Zpos (a * a * (unit * unit))).
Proof.
intros h; unfold uniformity, whole_uniformity, pairs, at_tick, ratio.
assert (A : 0 < IZR (Zpos a)) by now apply IZR_lt.
assert (B : 0 < IZR (Zpos b)) by now apply IZR_lt.
assert (U : 0 < IZR (Zpos unit)) by now apply IZR_lt.
set (K := IZR (Zpos (a * a * (unit * unit)))).
assert (k : K = IZR (Zpos a) ^ 2 * IZR (Zpos unit) ^ 2).
{ unfold K; rewrite !Pos2Z.inj_mul, !mult_IZR; ring. }
assert (K0 : 0 < K) by (rewrite k; apply Rmult_lt_0_compat; apply pow_lt; assumption).
rewrite zsum_IZR; unfold Rdiv at 4; rewrite Rmult_comm, <- lsum_scal.
rewrite <- (sum_part _ _ (last ticks 0%Z) ticks d m h); apply sum_ext; intros j hj.
rewrite zsum_IZR, <- lsum_scal.
rewrite <- (sum_part _ _ (last ticks 0%Z) ticks d m h); apply sum_ext; intros i hi.
rewrite IZR_min, Rmin_scal by (now apply Rinv_0_lt_compat); f_equal.
- rewrite !Pos2Z.inj_mul, !mult_IZR, k; field; lra.
- rewrite !Pos2Z.inj_mul, !mult_IZR, minus_IZR, k; field; lra.
Qed.

(* running sums *)
Fixpoint running (from : Z) (l : list Z) : list Z :=
  match l with [] => [] | x :: r => (from + x)%Z :: running (from + x)%Z r end.
