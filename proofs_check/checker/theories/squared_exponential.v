(******************************************************************************)
(*                    The squared exponential is a kernel                     *)
(*                                                                            *)
(* exp(-c (x - y)^2) on the line.                                             *)
(*                                                                            *)
(* Statements:                                                                *)
(*   semidefinite_se == the statement                                         *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels.                               *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From CTV Require Import definitions sums gains kernels.
Open Scope R_scope.

Lemma series_sum n (f : nat -> nat -> R) (l : nat -> R) :
  (forall i, (i < n)%nat -> is_series (f i) (l i)) -> is_series (fun k => sum n (fun i => f i k)) (sum n l).
Proof.
induction n as [|n IH]; intros h; simpl.
- apply (is_series_ext (fun _ => scal 0 ((fun k => / 2 ^ k) 0%nat))).
  + intros k; unfold scal; simpl; unfold mult; simpl; lra.
  + unfold is_series. apply (filterlim_ext (fun _ => 0)).
    * intros k; rewrite sum_n_const; unfold scal; simpl; unfold mult; simpl; lra.
    * apply filterlim_const.
- apply (is_series_plus (fun k => sum n (fun i => f i k)) (f n)); [apply IH; intros i hi; apply h; lia | apply h; lia].
Qed.

Lemma series_ge0 (a : nat -> R) l : (forall k, 0 <= a k) -> is_series a l -> 0 <= l.
Proof.
intros h s; rewrite <- (is_series_unique _ _ s).
rewrite <- (Rmult_0_l (Series (fun _ => 0))), <- Series_scal_l.
apply Series_le; [| now exists l].
intros k; split; [lra | rewrite Rmult_0_l; apply h].
Qed.

Lemma exp_series x : is_series (fun k => x ^ k / INR (fact k)) (exp x).
Proof.
apply (is_series_ext (fun k => scal (pow_n x k) (/ INR (fact k)))).
- intros k; rewrite pow_n_pow; reflexivity.
- apply is_exp_Reals.
Qed.

(* exp (a u v) for a >= 0 *)
Lemma semidefinite_exp n a (u : nat -> R) : 0 <= a -> semidefinite n (fun i j => exp (a * u i * u j)).
Proof.
intros a0; split; [intros i j _ _; f_equal; ring |].
intros c.
apply (series_ge0 (fun k => sum n (fun i => sum n (fun j => c i * c j * ((a * u i * u j) ^ k / INR (fact k)))))).
- intros k.
  replace (sum n (fun i => sum n (fun j => c i * c j * ((a * u i * u j) ^ k / INR (fact k)))))
    with (a ^ k / INR (fact k) * sum n (fun i => c i * u i ^ k) ^ 2).
  + apply Rmult_le_pos; [| apply pow2_ge_0].
    apply Rmult_le_pos; [now apply pow_le |].
    left; apply Rinv_0_lt_compat, lt_0_INR, lt_O_fact.
  + transitivity (sum n (fun i => (a ^ k / INR (fact k) * (c i * u i ^ k)) * sum n (fun j => c j * u j ^ k))).
    * rewrite sum_scalr, sum_scal; ring.
    * apply sum_ext; intros i _; rewrite <- sum_scal.
      apply sum_ext; intros j _; rewrite !Rpow_mult_distr; unfold Rdiv; ring.
- apply series_sum; intros i _; apply series_sum; intros j _.
  apply (is_series_scal_l (c i * c j) _ _ (exp_series _)).
Qed.

Theorem semidefinite_se n a (u : nat -> R) : 0 <= a -> semidefinite n (fun i j => exp (- (a * (u i - u j) ^ 2))).
Proof.
intros a0.
apply (semidefinite_ext n (fun i j => exp (- (a * u i ^ 2)) * exp (- (a * u j ^ 2)) * exp (2 * a * u i * u j))).
- intros i j _ _; rewrite <- !exp_plus; f_equal; ring.
- apply (semidefinite_hadamard n (fun i j => exp (- (a * u i ^ 2)) * exp (- (a * u j ^ 2)))).
  + apply (semidefinite_outer n (fun i => exp (- (a * u i ^ 2)))).
  + apply semidefinite_exp; lra.
Qed.
