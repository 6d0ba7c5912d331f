(* For theorems with hypotheses: cases that meet all of them, so that nothing is vacuous. *)
From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains posterior theorem_a theorem_1 theorem_c kernels
  uniformity search.
Open Scope R_scope.

Definition k0 := forgetting 1.
Definition gamma0 (m : nat) : R := / 2 * (INR m * ln 2).

Lemma gamma0_bounds : bounds_space_gain R k0 1 gamma0.
Proof.
move=> m x; have pk := forgetting_kernel 1 ltac:(lra) m x.
apply: Rle_trans (gain_hadamard 1 m _ ltac:(lra) pk) _.
rewrite /gamma0 -sum_const; apply: Rmult_le_compat_l; first lra.
by apply: sum_le => i _; rewrite /gram forgetting_unit; right; congr ln; ring.
Qed.

(* the setting of Theorems A, B and 1: real points, exponential kernels in space and time, noise 1,
   rate 1, five rounds at the times 0, 1, ... in two blocks *)
Theorem setting_met :
  kernel R k0 /\ kernel R (forgetting 1) /\ (forall x, k0 x x <= 1) /\ (forall t, forgetting 1 t t = 1) /\
  (forall t u, 0 <= forgetting 1 t u) /\ (forall t u, 1 - forgetting 1 t u <= 1 * Rabs (t - u)) /\
  bounds_space_gain R k0 1 gamma0 /\ total (cons 2%nat (cons 3%nat nil)) = 5%nat /\
  (forall i j, (i <= j)%coq_nat -> (j < 5)%coq_nat -> INR i <= INR j) /\
  (forall i, (i < 5)%coq_nat -> 0 <= INR i <= 0 + 5).
Proof.
have r0 : 0 <= 1 by lra.
do ! split.
- exact: (proj1 (forgetting_kernel 1 r0 n x)).
- exact: (proj2 (forgetting_kernel 1 r0 n x)).
- exact: (proj1 (forgetting_kernel 1 r0 n x)).
- exact: (proj2 (forgetting_kernel 1 r0 n x)).
- by move=> x; rewrite /k0 forgetting_unit; lra.
- by move=> t; exact: forgetting_unit.
- by move=> t u; exact: forgetting_pos.
- by move=> t u; exact: forgetting_slope.
- exact: gamma0_bounds.
- by move=> i j ij _; apply: le_INR.
- exact: pos_INR.
- have := le_INR i 5 ltac:(lia); rewrite /=; lra.
Qed.

(* the policy and the confidence event of Theorem 1, with a regret of 2 deviations in every round *)
Theorem event_met : exists mean (x : nat -> R) f top,
  upper_confidence_policy R mean (deviation R k0 (forgetting 1) 1 x INR) (fun=> 4) 5 x /\
  confidence_event R mean (deviation R k0 (forgetting 1) 1 x INR) (fun=> 4) 5 x f top /\
  (forall i, (i < 5)%coq_nat -> 0 <= 4 <= 4) /\
  forall i, top i - f i = 4 * deviation R k0 (forgetting 1) 1 x INR i (x i).
Proof.
pose x (i : nat) : R := INR i; pose sd := deviation R k0 (forgetting 1) 1 x INR.
have s4 : sqrt 4 = 2 by rewrite -(sqrt_pow2 2 ltac:(lra)); congr sqrt; ring.
exists (fun i z => 7 - 2 * sd i z), x, (fun i => 7 - 4 * sd i (x i)), (fun=> 7).
split; first by move=> i z _; rewrite s4 -/sd; lra.
split; last by split=> [i _|i]; [lra | rewrite -/sd; ring].
move=> i _; rewrite s4 -/sd.
have d0 : 0 <= sd i (x i) by exact: sqrt_pos.
have i0 : 0 < / INR (i + 1) ^ 2.
  by apply: Rinv_0_lt_compat; apply: pow_lt; apply: lt_0_INR; apply/ssrnat.ltP; rewrite addn1.
split; first by rewrite Rabs_left1; lra.
by exists (x i); rewrite Rabs_right; lra.
Qed.

(* matrices for Theorem A's block and Theorem 1's block: K = the constant 1, J exponential *)
Theorem matrices_met : forall n,
  semidefinite n (fun _ _ => 1) /\ semidefinite n (fun i j => forgetting 1 (INR i) (INR j)) /\
  semidefinite (S n) (fun i j => forgetting 1 (INR i) (INR j)) /\
  (forall i, forgetting 1 (INR i) (INR i) = 1).
Proof.
move=> n; split; first exact: (constant_kernel R n INR).
split; first exact: (forgetting_kernel 1 ltac:(lra) n INR).
by split; [exact: (forgetting_kernel 1 ltac:(lra) (S n) INR) | move=> i; exact: forgetting_unit].
Qed.

(* Theorem C: one round, evaluation time |z|, a regret of 2 *)
Theorem theory_c_met : exists (x : nat -> R) tau mean (f : nat -> R -> R),
  let t z := Rabs z in
  let before (i : nat) := if i is S j then tau j else 0 in
  let decay z := forgetting 1 0 (t z) in
  let sd i z u := sqrt (variance_at R k0 (forgetting 1) 1 x tau i z u) in
  kernel R k0 /\ (forall z, k0 z z = 1) /\ (forall z, 0 <= t z) /\
  (forall i, tau i = (if i is S j then tau j else 0) + t (x i)) /\
  (forall i, (i < 1)%coq_nat -> 0 <= 1 <= 1) /\
  (forall i z, (i < 1)%coq_nat ->
     decay z * mean i z + sqrt 1 * sd i z (before i + t z) <=
     decay (x i) * mean i (x i) + sqrt 1 * sd i (x i) (tau i)) /\
  (forall i z, (i < 1)%coq_nat ->
     Rabs (f i z - decay (x i) * mean i z) <= sqrt 1 * sd i z (tau i)) /\
  (forall i z, (i < 1)%coq_nat -> Rabs (f i z) <= sqrt 1) /\
  f 0%nat 2 - f 0%nat (x 0%nat) = 2.
Proof.
pose x (i : nat) : R := 1; pose tau i := INR (i + 1).
exists x, tau, (fun _ _ => 0), (fun i z => if Req_EM_T z 1 then -1 else 1) => t before decay sd.
have sd1 i z u : (i < 1)%coq_nat -> sd i z u = 1.
  move=> hi; have -> : i = O by lia.
  rewrite /sd /variance_at variance_qf.
  have -> : qf (invmx (1%:M + 1 *: mx 0 (joint R k0 (forgetting 1) (fun j : nat => if Nat.eqb j 0 then z else x j) (fun j : nat => if Nat.eqb j 0 then u else tau j))))%ring
    (\col_i joint R k0 (forgetting 1) (fun j : nat => if Nat.eqb j 0 then z else x j) (fun j : nat => if Nat.eqb j 0 then u else tau j) i 0%nat)%ring = 0.
    by rewrite qf_sum big_ord0.
  rewrite /joint /= /k0 !forgetting_unit.
  rewrite -[X in sqrt X = _]/(1 * 1 - 1 * 0).
  by rewrite Rmult_0_r Rminus_0_r Rmult_1_r sqrt_1.
have fv z : (if Req_EM_T z 1 then -1 else 1) = -1 \/ (if Req_EM_T z 1 then -1 else 1) = 1.
  by case: Req_EM_T; [left | right].
split; first exact: (forgetting_kernel 1 ltac:(lra)).
split; first by move=> z; exact: forgetting_unit.
split; first by move=> z; exact: Rabs_pos.
split; first by case=> [|i]; rewrite /tau /t /x Rabs_R1 !addn1 ?S_INR /=; lra.
split; first by move=> i _; lra.
split; first by move=> i z hi; rewrite !sd1 //; lra.
rewrite sqrt_1; split.
  move=> i z hi; rewrite sd1 // Rmult_0_r Rminus_0_r; case: (fv z) => ->; rewrite ?Rabs_Ropp Rabs_R1; lra.
split; first by move=> i z hi; case: (fv z) => ->; rewrite ?Rabs_Ropp Rabs_R1; lra.
rewrite /x; case: (Req_EM_T 2 1) => [|_] /=; first lra.
by case: (Req_EM_T 1 1) => [_|] //=; lra.
Qed.

Theorem lemma_1_met : let n := 6%nat in let T := 4 in let eps := / 2 in
  0 < T /\ (0 < n)%coq_nat /\ 0 < eps /\ INR n / (eps * T) = INR 3 /\ (3 <= 5)%coq_nat.
Proof. by rewrite /=; split; [lra | split; [lia | split; [lra | split; [field | lia]]]]. Qed.

Theorem theory_m_met : (forall u, 0 <= Rmin 1 (u ^ 2)) /\
  (forall u v, 0 <= u -> u <= v -> Rmin 1 (u ^ 2) <= Rmin 1 (v ^ 2)) /\
  (forall u v, u <= v -> u <= v) /\ (forall i j, (i <= j)%coq_nat -> INR i <= INR j).
Proof.
split; first by move=> u; apply: Rmin_glb; [lra | exact: pow2_ge_0].
split; first by move=> u v u0 uv; apply: Rle_min_compat_l; apply: pow_incr.
by split=> // i j; exact: le_INR.
Qed.

Theorem theory_pruning_met :
  (forall m m', (m <= m')%coq_nat -> INR m <= INR m') /\
  (forall j e x, (j < e)%coq_nat -> (e < x)%coq_nat -> 0 + 0 <= 0) /\
  least_cost 3 INR (fun _ _ => 0) INR.
Proof.
split; first by move=> m m'; exact: le_INR.
split; first by move=> *; lra.
split=> // x x0; split=> [j hj _|].
  by rewrite minus_INR; [lra | lia].
exists (Nat.sub x 1); split; first lia.
split; first lia.
have -> : Nat.sub x (Nat.sub x 1) = 1%nat by lia.
by rewrite minus_INR; [rewrite /=; lra | lia].
Qed.

Theorem constant_met : 0 < 3 /\ 0 <= / 2 <= 1.
Proof. lra. Qed.

(* the policy, the event and the rate of lemma_18: five rounds, a jump before round 3, c = 1 *)
Theorem biased_met : exists mean (x : nat -> R) f top,
  upper_confidence_policy R mean (deviation R k0 (forgetting 1) 1 x (biased_times 7 3)) (fun=> 4) 5 x /\
  confidence_event R mean (deviation R k0 (forgetting 1) 1 x (biased_times 7 3)) (fun=> 4) 5 x f top /\
  (1 <= 3)%coq_nat /\ (3 <= 5)%coq_nat /\ 0 <= ln 2 /\ gamma0 5 <= ln 2 * Rpower (INR 5) 1.
Proof.
pose x (i : nat) : R := INR i; pose sd := deviation R k0 (forgetting 1) 1 x (biased_times 7 3).
have s4 : sqrt 4 = 2 by rewrite -(sqrt_pow2 2 ltac:(lra)); congr sqrt; ring.
have l2 : 0 <= ln 2 by apply: ln_ge0; lra.
exists (fun i z => 7 - 2 * sd i z), x, (fun i => 7 - 4 * sd i (x i)), (fun=> 7).
split; first by move=> i z _; rewrite s4 -/sd; lra.
split.
  move=> i _; rewrite s4 -/sd.
  have d0 : 0 <= sd i (x i) by exact: sqrt_pos.
  have i0 : 0 < / INR (i + 1) ^ 2.
    by apply: Rinv_0_lt_compat; apply: pow_lt; apply: lt_0_INR; apply/ssrnat.ltP; rewrite addn1.
  split; first by rewrite Rabs_left1; lra.
  by exists (x i); rewrite Rabs_right; lra.
do ! (split; first by [lia | exact: l2]).
have p5 : 0 < INR 5 by apply: lt_0_INR; lia.
by rewrite Rpower_1 // /gamma0; nra.
Qed.

Theorem theory_r_met : let a l := 1 + / INR (l + 1) in
  (forall l, 1 <= a l) /\ (forall l m, (l <= m)%coq_nat -> a m <= a l).
Proof.
have p l : 0 < INR (l + 1) by apply: lt_0_INR; apply/ssrnat.ltP; rewrite addn1.
split=> [l|l m lm]; first by have := Rinv_0_lt_compat _ (p l); lra.
apply: Rplus_le_compat_l; apply: Rinv_le_contravar; first exact: p.
by apply: le_INR; rewrite !addn1; lia.
Qed.

(* the certificate with p = 0 columns, alpha = 2, V = 1: every point of the line *)
Theorem theory_certificate_met : forall x : R, kernel R k0 /\ 1 <= 2 /\
  k0 x x - inverse_form 0 (fun _ _ => 0) (fun=> 0) <= 1.
Proof.
move=> x; split; first exact: (forgetting_kernel 1 ltac:(lra)).
split; first by lra.
have -> : inverse_form 0 (fun _ _ => 0) (fun=> 0) = 0 by rewrite /inverse_form mxE big_ord0.
by rewrite /k0 forgetting_unit; lra.
Qed.
