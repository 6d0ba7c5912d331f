(******************************************************************************)
(*                        A problem in whole numbers                          *)
(*                                                                            *)
(* Instants in ticks, points by whole coordinates, and the two covariances.   *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   correlation f z == of a family, as a function of a scaled squared        *)
(*       distance                                                             *)
(*   problem == the problem; space_of, time_of == its kernels                 *)
(*                                                                            *)
(* Statements:                                                                *)
(*   space_kernel, time_kernel == they are kernels                            *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, intervals, whole_times,       *)
(*   squared_exponential, matern.                                             *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia.
From CTV Require Import definitions sums gains kernels.
From CTV Require Import intervals whole_times squared_exponential matern.
Import ListNotations.
Open Scope R_scope.

Inductive family := SquaredExponential | Independent | Matern (order : nat).   (* of smoothness order + 1/2 *)

Definition correlation (f : family) (z : R) : R :=
  match f with
  | SquaredExponential => exp (- z)
  | Independent => if Rle_dec z 0 then 1 else 0
  | Matern order => matern order z
  end.

(* a point by its coordinates; those that are left out are 0 *)
Definition place : Type := list Z.
Definition squares (x : place) : Z := fold_right (fun a s => a * a + s)%Z 0%Z x.
Fixpoint squared_distance (x y : place) : Z :=
  match x, y with
  | a :: x, b :: y => (a - b) * (a - b) + squared_distance x y
  | [], _ => squares y
  | _, [] => squares x
  end%Z.

(* the covariance of two instants: (1 - epsilon)^(|t - u| / 2) or a family with a rate for squared lags *)
Inductive time_law := Forgets (epsilon : Z * positive) | Stationary (f : family) (rate : Z * positive).
Definition rate_of (e : Z * positive) : R := - / 2 * ln (1 - valQ e).
Definition over_time (law : time_law) (t u : R) : R :=
  match law with
  | Forgets e => forgetting (rate_of e) t u
  | Stationary f rate => correlation f (valQ rate * (t - u) ^ 2)
  end.

Record problem := {
  per_unit : positive;              (* ticks in one unit of time *)
  ticks : list Z;                (* the times *)
  clock : time_law;
  ratio_s : Z * positive;        (* 1 / noise variance *)
  shape : family;                (* of the kernel over space *)
  rate : Z * positive;           (* of squared distances between whole coordinates *)
  points : list place;
  delta : Z * positive }.

Definition space_of (p : problem) (x y : place) : R :=
  correlation (shape p) (valQ (rate p) * IZR (squared_distance x y)).
Definition time_of (p : problem) : R -> R -> R := over_time (clock p).
Definition tau (p : problem) : nat -> R := at_tick (per_unit p) (ticks p).
Definition s_of (p : problem) : R := valQ (ratio_s p).
(* beta of round i, from 0, for a domain of so many points *)
Definition beta_of (count : nat) (delta : R) (i : nat) : R :=
  2 * ln (INR count * PI ^ 2 * INR (S i) ^ 2 / (6 * delta)).

Lemma mix_correlation f : mixture (correlation f).
Proof.
destruct f.
- apply (mix_ext (fun z => exp (- (1 * z)))); [intros z _; simpl; f_equal; ring | apply mix_exp; lra].
- exact mix_independent.
- apply mix_matern.
Qed.
Lemma correlation_0 f : correlation f 0 = 1.
Proof.
destruct f; simpl; [now rewrite Ropp_0, exp_0 | destruct Rle_dec; [easy | lra] |].
unfold matern; rewrite sqrt_0, factor_0, Ropp_0, exp_0; ring.
Qed.

Lemma mix_rate f c : 0 <= c -> mixture f -> mixture (fun z => f (c * z)).
Proof.
intros c0 h n d x y y0.
apply (semidefinite_ext n (fun i j => f (c * y + apart d (fun i l => sqrt c * x i l) i j))).
- intros i j _ _; f_equal; rewrite Rmult_plus_distr_l; f_equal; unfold apart; rewrite <- sum_scal.
  apply sum_ext; intros l _; assert (e := sqrt_sqrt c c0).
  transitivity ((sqrt c * sqrt c) * (x i l - x j l) ^ 2); [ring | now rewrite e].
- apply h; now apply Rmult_le_pos.
Qed.

Lemma squares_sum : forall x N, (length x <= N)%nat -> IZR (squares x) = sum N (fun l => IZR (nth l x 0%Z) ^ 2).
Proof.
induction x as [|a x IH]; intros N h.
- rewrite (sum_ext N _ (fun _ => 0)), sum_0; [easy |]; intros l _; destruct l; simpl; ring.
- destruct N as [|N]; simpl in h; [lia |]; rewrite sum_S; simpl squares.
  rewrite plus_IZR, mult_IZR, (IH N) by lia; simpl nth; ring.
Qed.
Lemma distance_sum : forall x y N, (length x <= N)%nat -> (length y <= N)%nat ->
  IZR (squared_distance x y) = sum N (fun l => (IZR (nth l x 0%Z) - IZR (nth l y 0%Z)) ^ 2).
Proof.
induction x as [|a x IH]; intros y N hx hy.
- simpl squared_distance; rewrite (squares_sum y N hy); apply sum_ext; intros l _; destruct l; simpl; ring.
- destruct y as [|b y].
  + simpl squared_distance; change (a * a + squares x)%Z with (squares (a :: x)); rewrite (squares_sum _ N hx).
    apply sum_ext; intros l _; rewrite (nth_overflow []) by (simpl; lia); ring.
  + destruct N as [|N]; simpl in hx, hy; [lia |]; rewrite sum_S; simpl squared_distance.
    rewrite plus_IZR, mult_IZR, minus_IZR, (IH y N) by lia; simpl nth; ring.
Qed.
Lemma squared_distance_ge0 x y : (0 <= squared_distance x y)%Z.
Proof.
apply le_IZR; rewrite (distance_sum x y (length x + length y)) by lia; apply sum_ge0; intros; apply pow2_ge_0.
Qed.
Lemma squared_distance_0 x : squared_distance x x = 0%Z.
Proof.
apply eq_IZR; rewrite (distance_sum x x (length x)) by lia.
rewrite (sum_ext _ _ (fun _ => 0)), sum_0; [easy | intros; ring].
Qed.

Lemma longest_place n (x : nat -> place) : exists N, forall i, (i < n)%nat -> (length (x i) <= N)%nat.
Proof.
induction n as [|n [N h]]; [exists 0%nat; lia | exists (N + length (x n))%nat].
intros i hi; destruct (Nat.eq_dec i n) as [->|ne]; [lia | specialize (h i ltac:(lia)); lia].
Qed.

Theorem space_kernel p : 0 <= valQ (rate p) -> kernel place (space_of p).
Proof.
intros c0 n x; destruct (longest_place n x) as [N h].
apply (semidefinite_ext n (fun i j => correlation (shape p) (valQ (rate p) * (0 + apart N (fun i l => IZR (nth l (x i) 0%Z)) i j)))).
- intros i j hi hj; unfold space_of; rewrite (distance_sum _ _ N) by (now apply h); rewrite Rplus_0_l; reflexivity.
- apply (mix_rate _ _ c0 (mix_correlation (shape p))); lra.
Qed.
Lemma space_one p x : space_of p x x = 1.
Proof. unfold space_of; rewrite squared_distance_0, Rmult_0_r; apply correlation_0. Qed.

Definition time_positive (law : time_law) : Prop :=
  match law with Forgets e => 0 <= rate_of e | Stationary _ c => 0 <= valQ c end.
Theorem time_kernel p : time_positive (clock p) -> kernel R (time_of p).
Proof.
unfold time_of; destruct (clock p) as [e|f c]; simpl; intros c0; [exact (forgetting_kernel _ c0) |].
intros n t; apply (semidefinite_ext n (fun i j => correlation f (valQ c * (0 + apart 1 (fun i _ => t i) i j)))).
- intros i j _ _; unfold apart; simpl; f_equal; ring.
- apply (mix_rate _ _ c0 (mix_correlation f)); lra.
Qed.
Lemma time_one p t : time_of p t t = 1.
Proof.
unfold time_of; destruct (clock p) as [e|f c]; simpl; [apply forgetting_unit |].
rewrite Rminus_eq_0; replace (valQ c * (0 * (0 * 1))) with 0 by ring; apply correlation_0.
Qed.
Lemma time_sym p t u : time_of p t u = time_of p u t.
Proof.
unfold time_of; destruct (clock p) as [e|f c]; simpl; [unfold forgetting; now rewrite Rabs_minus_sym | f_equal; ring].
Qed.
