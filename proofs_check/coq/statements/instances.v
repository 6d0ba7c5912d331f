(******************************************************************************)
(*                         Every statement at a case                          *)
(*                                                                            *)
(* at_NAME is the theorem NAME with all its hypotheses met, so that none      *)
(* speaks of nothing. The cases: real points and five rounds at the times 0,  *)
(* 1, 2, ... or at a jump, exponential kernels in space and time with rate 1, *)
(* noise 1, and the policy and the confidence event of a mean that falls      *)
(* where the deviation rises.                                                 *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* theorem_a, theorem_1, theorem_c, kernels, uniformity, search, outcomes,    *)
(* statements, scalar, normal, vectors, adaptive_posterior, any_space,        *)
(* expected_regret, floor_in_mean, prices_in_mean, one_arm_in_mean,           *)
(* path_prices, rank_floor, joint_law, finite_features, measures.             *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From mathcomp Require Import classical_sets.
From mathcomp Require Import reals ereal measure lebesgue_measure.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Derive_2d.
From CTV Require Import definitions matrices sums gains posterior theorem_a theorem_1 theorem_c kernels
  uniformity search outcomes statements.
From CTV Require scalar normal vectors adaptive_posterior any_space expected_regret floor_in_mean prices_in_mean
  one_arm_in_mean path_prices rank_floor joint_law finite_features.
Open Scope R_scope.

(* ---- the setting ---- *)

Definition k0 := forgetting 1.
Definition gamma0 (m : nat) : R := / 2 * (INR m * ln 2).
Definition blocks0 : list nat := cons 2%nat (cons 3%nat nil).
Definition K0 := gram R k0 INR.
Definition half (i : nat) : R := / 2.

Lemma r0 : 0 <= 1. Proof. lra. Qed.
Lemma r1 : 0 < 1. Proof. lra. Qed.
Lemma pk : kernel R k0. Proof. exact: (kernels.forgetting_kernel 1 r0). Qed.
Lemma kx x : k0 x x = 1. Proof. exact: forgetting_unit. Qed.
Lemma k1 x : k0 x x <= 1. Proof. by rewrite kx; lra. Qed.
Lemma kp t u : 0 <= k0 t u. Proof. exact: forgetting_pos. Qed.
Lemma ks t u : 1 - k0 t u <= 1 * Rabs (t - u). Proof. exact: forgetting_slope. Qed.
Lemma pK n : semidefinite n K0. Proof. exact: (pk n INR). Qed.
Lemma K1 n i : (i < n)%coq_nat -> K0 i i = 1. Proof. by move=> _; exact: kx. Qed.
Lemma Kle n i : (i < n)%coq_nat -> K0 i i <= 1. Proof. by move=> _; exact: k1. Qed.
Lemma half2 n i : (i < n)%coq_nat -> half i ^ 2 <= 1. Proof. by move=> _; rewrite /half; lra. Qed.

Lemma pg : bounds_space_gain R k0 1 gamma0.
Proof.
move=> m x; have pm := pk m x.
apply: Rle_trans (gain_hadamard 1 m _ ltac:(lra) pm) _.
rewrite /gamma0 -sum_const; apply: Rmult_le_compat_l; first lra.
by apply: sum_le => i _; rewrite /gram kx; right; congr ln; ring.
Qed.

Lemma times_sorted i j : (i <= j)%coq_nat -> (j < 5)%coq_nat -> INR i <= INR j.
Proof. by move=> ij _; exact: le_INR. Qed.
Lemma times_within i : (i < 5)%coq_nat -> 0 <= INR i <= 0 + 5.
Proof. by move=> h; have := pos_INR i; have := le_INR i 5 ltac:(lia); rewrite /=; lra. Qed.

(* ---- the policy and the event, a regret of 4 deviations in every round ---- *)

Definition sd0 tau := deviation R k0 k0 1 INR tau.
Definition mean0 tau (i : nat) (z : R) := 7 - 2 * sd0 tau i z.
Definition f0 tau (i : nat) := 7 - 4 * sd0 tau i (INR i).
Definition top0 (i : nat) : R := 7.
Definition four (i : nat) : R := 4.

Lemma sqrt4 : sqrt 4 = 2.
Proof. by rewrite -(sqrt_pow2 2 ltac:(lra)); congr sqrt; ring. Qed.
Lemma four_le n i : (i < n)%coq_nat -> 0 <= four i <= 4.
Proof. by move=> _; rewrite /four; lra. Qed.
Lemma sd_pos tau i (z : R) : 0 <= sd0 tau i z. Proof. exact: sqrt_pos. Qed.

Lemma policy0 tau n : upper_confidence_policy R (mean0 tau) (sd0 tau) four n INR.
Proof. by move=> i z _; rewrite /mean0 /four sqrt4; lra. Qed.

Lemma event0 tau n : confidence_event R (mean0 tau) (sd0 tau) four n INR (f0 tau) top0.
Proof.
move=> i _; rewrite /mean0 /f0 /top0 /four sqrt4; have d0 := sd_pos tau i (INR i).
have i0 : 0 < / INR (i + 1) ^ 2.
  by apply: Rinv_0_lt_compat; apply: pow_lt; apply: lt_0_INR; apply/ssrnat.ltP; rewrite addn1.
split; first by rewrite Rabs_left1; lra.
by exists (INR i); rewrite Rabs_right; lra.
Qed.

(* ---- matrices ---- *)

Definition at_schur_product := schur_product 5 K0 K0 (pK 5) (pK 5).
Definition at_hadamard_inequality := hadamard_inequality 5 K0 (pK 5).
Definition at_fischer_inequality := fischer_inequality 2 3 K0 (pK 5).
Definition at_inverse_compression := inverse_compression 4 K0 (pK 5).
Lemma some_tangent k : (k < 5)%coq_nat -> 0 < 2. Proof. lra. Qed.
Definition at_log_det_tangent := log_det_tangent 5 K0 (fun=> 2) (pK 5) some_tangent.
Definition at_det_at_least_one := det_at_least_one 1 5 K0 r0 (pK 5).
Definition at_det_subadditivity := det_subadditivity 1 5 K0 K0 r0 (pK 5) (pK 5).
Definition at_det_monotone := det_monotone 1 5 K0 K0 r0 (pK 5) (pK 5).
Definition at_det_contraction := det_contraction 1 5 K0 half r0 (pK 5) (half2 5).
Definition at_lemma_13_block_subadditivity := lemma_13_block_subadditivity 1 2 3 K0 r0 (pK 5).
Definition at_gain_grows_with_points := gain_grows_with_points 1 3 5 K0 ltac:(lia) r0 (pK 5).
Definition at_posterior_chain_rule := posterior_chain_rule 1 5 K0 r0 (pK 5).
Definition at_theory_regret_noise_one :=
  theory_regret_noise_one 1 (/ 2) 5 K0 ltac:(lra) (pK 6).
Definition at_theory_regret_noise_chain :=
  theory_regret_noise_chain 1 (/ 2) 5 K0 ltac:(lra) (pK 5).
Lemma near0 i z : (i < 5)%coq_nat -> Rabs (mean0 INR i z - mean0 INR i z) <= sqrt (four i) * deviation R k0 k0 1 INR INR i z.
Proof. by move=> _; rewrite Rminus_eq_0 Rabs_R0; apply: Rmult_le_pos; [exact: sqrt_pos | exact: sd_pos]. Qed.
Lemma flat_line t w : 0 <= w <= 1 -> w <= 1 + 0 * (/ 2 * ln (1 + t * w ^ 2)). Proof. lra. Qed.
Definition at_theory_envelope :=
  theory_envelope R k0 k0 1 (/ 2) (mean0 INR) four 5 INR INR (mean0 INR) 4 (gain (/ 2) 5 (joint R k0 k0 INR INR)) 1 0
    ltac:(lra) pk pk k1 kx (four_le 5) (policy0 INR 5) near0 (Rle_refl _) (Rle_refl 0) (flat_line (/ 2)) INR.
Lemma one_line : 0 <= 1 + 0 * (/ 2 * ln (1 + 1 * 0 ^ 2) - 1 * 0 / (1 + 1 * 0 ^ 2) * 0) +
  (0 * (1 * 0 / (1 + 1 * 0 ^ 2)) - 1) * / sqrt 1.
Proof. by rewrite sqrt_1 Rinv_1; lra. Qed.
Definition at_theory_envelope_line :=
  theory_envelope_line 1 0 1 0 r1 (Rle_refl 0) ltac:(lra) (Rle_refl 0) ltac:(lra) one_line ltac:(lra) (/ 2) ltac:(lra).
Definition at_theory_block_cap := theory_block_cap 1 5 K0 r0 (pK 5) (Kle 5).
Definition at_theory_gain_above_static :=
  theory_gain_above_static 1 5 K0 K0 r1 (pK 5) (pK 5) (K1 5).

(* ---- sums and logarithms ---- *)

Lemma succ_pos n i : (i < n)%coq_nat -> 0 < INR (i + 1).
Proof. by move=> _; apply: lt_0_INR; apply/ssrnat.ltP; rewrite addn1. Qed.

Definition at_gain_is_log_det := gain_is_log_det 5 K0 1 r1.
Definition at_lemma_13_delta_sum := lemma_13_delta_sum 5 K0 K0 (K1 5).
Definition at_uniform_times_sum := uniform_times_sum 5 (/ 2).
Definition at_cauchy_schwarz := cauchy_schwarz 5 INR half.
Definition at_jensen_log := jensen_log 5 (fun i => INR (i + 1)) (succ_pos 5) ltac:(lia).
Definition at_lemma_12_line_2 := lemma_12_line_2 5.
Definition at_lemma_12_line_3 := lemma_12_line_3 5 INR.
Definition at_lemma_13_root_mean_square := lemma_13_root_mean_square 5 INR ltac:(lia).
Lemma half_weight i : (i < 5)%coq_nat -> half i ^ 2 <= 1. Proof. exact: half2. Qed.
Definition at_theory_sum_of_betas := theory_sum_of_betas 5 half INR 1 half_weight.
Definition at_theorem_1_constant := theorem_1_constant 3 (/ 2) ltac:(lra) ltac:(lra).
Definition at_phi_above_log := phi_above_log 2 ltac:(lra).

(* ---- the forgetting kernel and Theorems A and B ---- *)

Lemma before_five j : (j < 5)%coq_nat -> INR j <= 5.
Proof. by move=> h; have := le_INR j 5 ltac:(lia); rewrite /=; lra. Qed.

Definition at_forgetting_kernel_psd := forgetting_kernel_psd 1 r0.
Definition at_theory_filter_variance :=
  theory_filter_variance R k0 1 1 INR INR 5 7 5 6 before_five ltac:(lra) (kx 7).
Definition at_theory_a_block := theory_a_block 1 5 K0 K0 r0 (pK 5) (Kle 5) (pK 6) (K1 6).
Definition at_theory_a :=
  theory_a R k0 k0 1 gamma0 blocks0 INR INR (fun i => 2 * INR i + / 2) r0 pk pk k1 kx pg.
Definition at_theory_a_below_theorem_1 :=
  theory_a_below_theorem_1 k0 1 1 r0 pk kx kp r0 ks INR 2 3 ltac:(lia).
Definition at_theory_b :=
  theory_b R k0 k0 1 1 gamma0 5 INR INR 0 5 r0 r0 ltac:(lra) pk pk k1 kx ks pg
    times_sorted times_within.

(* ---- Theorem 1 ---- *)

Definition at_theorem_1_block := theorem_1_block 1 5 K0 K0 r0 (pK 5) (pK 5) (Kle 5) (K1 5).
Definition at_lemma_13 :=
  lemma_13 R k0 k0 1 1 gamma0 blocks0 INR INR r0 r0 pk pk k1 kx kp ks pg.
Definition at_lemma_13_block :=
  lemma_13_block R k0 k0 1 1 gamma0 blocks0 INR INR r0 r0 pk pk k1 kx kp ks pg.
Definition at_lemma_11_round_index_repaired :=
  lemma_11_round_index_repaired R (mean0 INR) (sd0 INR) four 5 INR (f0 INR) top0
    (sd_pos INR) (policy0 INR 5) (event0 INR 5) 3 ltac:(lia).
Definition at_lemma_12_repaired :=
  lemma_12_repaired R k0 k0 1 (/ 2) (mean0 INR) four 5 INR INR (f0 INR) top0 4
    ltac:(lra) pk pk k1 kx (four_le 5) (policy0 INR 5) (event0 INR 5).
Definition at_theorem_1 :=
  theorem_1 R k0 k0 1 1 gamma0 (mean0 INR) four blocks0 INR INR (f0 INR) top0 4
    r1 r0 pk pk k1 kx kp ks pg (four_le 5) (policy0 INR 5) (event0 INR 5).
Definition at_theory_trivial_regret :=
  theory_trivial_regret R k0 k0 1 (mean0 INR) four 5 INR INR (f0 INR) top0 4
    r0 pk pk k1 kx (four_le 5) (policy0 INR 5) (event0 INR 5).

(* ---- Theorem C: one round, evaluation time |z|, a regret of 2 ---- *)

Definition one_point (i : nat) : R := 1.
Definition after (i : nat) : R := if i is S j then INR (j + 1) else 0.
Definition tau_c (i : nat) : R := INR (i + 1).
Definition f_c (i : nat) (z : R) : R := if Req_EM_T z 1 then -1 else 1.
Definition sd_c i z u := sqrt (variance_at R k0 k0 1 one_point tau_c i z u).

Lemma sd_c1 i z u : (i < 1)%coq_nat -> sd_c i z u = 1.
Proof.
move=> hi; have -> : i = O by lia.
rewrite /sd_c /variance_at variance_qf.
have -> : qf (invmx (1%:M + 1 *: mx 0 (joint R k0 k0 (fun j : nat => if Nat.eqb j 0 then z else one_point j) (fun j : nat => if Nat.eqb j 0 then u else tau_c j))))%ring
  (\col_i joint R k0 k0 (fun j : nat => if Nat.eqb j 0 then z else one_point j) (fun j : nat => if Nat.eqb j 0 then u else tau_c j) i 0%nat)%ring = 0.
  by rewrite qf_sum big_ord0.
rewrite /joint /= !kx -[X in sqrt X = _]/(1 * 1 - 1 * 0).
by rewrite Rmult_0_r Rminus_0_r Rmult_1_r sqrt_1.
Qed.

Lemma f_c_ends i z : f_c i z = -1 \/ f_c i z = 1.
Proof. by rewrite /f_c; case: Req_EM_T; [left | right]. Qed.
Lemma abs_pos z : 0 <= Rabs z. Proof. exact: Rabs_pos. Qed.
Lemma tau_c_next i : tau_c i = after i + Rabs (one_point i).
Proof. by case: i => [|i]; rewrite /tau_c /after /one_point Rabs_R1 !addn1 ?S_INR /=; lra. Qed.
Lemma one_le i : (i < 1)%coq_nat -> 0 <= 1 <= 1. Proof. lra. Qed.
Lemma policy_c i z : (i < 1)%coq_nat ->
  forgetting 1 0 (Rabs z) * 0 + sqrt 1 * sd_c i z (after i + Rabs z) <=
  forgetting 1 0 (Rabs (one_point i)) * 0 + sqrt 1 * sd_c i (one_point i) (tau_c i).
Proof. by move=> hi; rewrite !sd_c1 //; lra. Qed.
Lemma near_c i z : (i < 1)%coq_nat ->
  Rabs (f_c i z - forgetting 1 0 (Rabs (one_point i)) * 0) <= sqrt 1 * sd_c i z (tau_c i).
Proof.
move=> hi; rewrite sqrt_1 sd_c1 // Rmult_0_r Rminus_0_r.
by case: (f_c_ends i z) => ->; rewrite ?Rabs_Ropp Rabs_R1; lra.
Qed.
Lemma below_c i z : (i < 1)%coq_nat -> Rabs (f_c i z) <= sqrt 1.
Proof. by move=> hi; rewrite sqrt_1; case: (f_c_ends i z) => ->; rewrite ?Rabs_Ropp Rabs_R1; lra. Qed.

Definition at_theory_c_constant_tight := theory_c_constant_tight (/ 3) ltac:(lra).
Definition at_theory_c_regret_tight :=
  theory_c_regret_tight (3 / 5) (4 / 5) (4 / 5) 1 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra).
Definition at_theory_c :=
  theory_c R k0 1 1 1 one_point Rabs tau_c (fun _ _ => 0) one_point f_c 1 r1 r0 pk kx abs_pos
    tau_c_next one_le policy_c near_c below_c.

(* ---- uniformity ---- *)

Lemma half_pos : 0 < / 2. Proof. lra. Qed.
Lemma lag_uncapped : INR 3 <= INR 6 / (/ 2 * 4). Proof. rewrite /=; lra. Qed.
Lemma lag_three : INR 6 / (/ 2 * 4) = INR 3. Proof. rewrite /=; lra. Qed.
Lemma lag_from : INR 2 <= INR 6 / (/ 2 * 4). Proof. rewrite /=; lra. Qed.
Lemma lag_to : INR 6 / (/ 2 * 4) <= INR 2 + 1 \/ 2%nat = Nat.sub 5 1. Proof. left; rewrite /=; lra. Qed.
Lemma left_times j : (j < 2)%coq_nat -> biased_times 7 3 (0 + j)%coq_nat = 0.
Proof. by case: j => [|[|j]] h; rewrite ?/biased_times //=; lia. Qed.
Lemma right_times j : (j < 3)%coq_nat -> biased_times 7 3 (0 + (2 + j)%coq_nat)%coq_nat = 7.
Proof. by case: j => [|[|[|j]]] h; rewrite ?/biased_times //=; lia. Qed.

Definition at_sum_by_lags := sum_by_lags 5 INR.
Definition at_lemma_1_uncapped :=
  lemma_1_uncapped 4 6 (/ 2) 1 3 ltac:(lra) ltac:(lia) half_pos lag_uncapped.
Definition at_lemma_1_capped_integer :=
  lemma_1_capped_integer 4 6 (/ 2) 0 5 3 ltac:(lra) ltac:(lia) half_pos lag_three ltac:(lia) ltac:(lia).
Definition at_lemma_1_capped_false := lemma_1_capped_false.
Definition at_lemma_1_exact :=
  lemma_1_exact 4 6 (/ 2) 0 5 2 ltac:(lra) ltac:(lia) half_pos ltac:(lia) lag_from ltac:(simpl; lia) lag_to.
Lemma jump_from : (1 + 1 <= 3)%coq_nat. Proof. by do 2 constructor. Qed.
Lemma jump_to : (3 <= (1 + 3)%coq_nat)%coq_nat. Proof. by do 2 constructor. Qed.
Definition at_lemma_2 := proj1 (lemma_2 7 3 (/ 2) 1 3) jump_from jump_to.
Definition at_appendix_c_biased_sum :=
  appendix_c_biased_sum 4 (biased_times 7 3) 0 2 3 0 7 ltac:(lra) left_times right_times.

Lemma lag_within : INR 6 / (/ 2 * 4) <= INR 5. Proof. rewrite /=; lra. Qed.
Lemma times_apart j k : (j < 4)%coq_nat -> (k < 4)%coq_nat -> Rabs (INR (1 + j) - INR (1 + k)) <= 3.
Proof.
move=> hj hk; rewrite !add1n !S_INR; have := le_INR j 3 ltac:(lia); have := le_INR k 3 ltac:(lia).
by have := pos_INR j; have := pos_INR k; rewrite /=; split_Rabs; lra.
Qed.
Definition at_appendix_c_squares := appendix_c_squares 5.
Definition at_appendix_c_biased_counts := appendix_c_biased_counts 1 3 3 jump_from jump_to.
Definition at_appendix_d_second_formula_above :=
  appendix_d_second_formula_above 4 6 (/ 2) 0 5 ltac:(lra) ltac:(lia) half_pos ltac:(lia) lag_within.
Definition at_theory_every_sequence_drift := theory_every_sequence_drift 1 INR 1 4 3 ltac:(lra) times_apart.
Definition at_remark_no_drift := remark_no_drift 1 0 gamma0 INR 5 (or_introl erefl).

(* ---- the search ---- *)

Definition D0 (u : R) := Rmin 1 (u ^ 2).
Lemma D_pos u : 0 <= D0 u. Proof. by apply: Rmin_glb; [lra | exact: pow2_ge_0]. Qed.
Lemma D_mono u v : 0 <= u -> u <= v -> D0 u <= D0 v.
Proof. by move=> u0 uv; apply: Rle_min_compat_l; apply: pow_incr. Qed.
Lemma sorted i j : (i <= j)%coq_nat -> INR i <= INR j. Proof. exact: le_INR. Qed.
Definition no_drift (j e : nat) : R := 0.
Lemma no_drift_super j e x : (j < e)%coq_nat -> (e < x)%coq_nat ->
  no_drift j e + no_drift e x <= no_drift j x.
Proof. by rewrite /no_drift; lra. Qed.
Lemma least : least_cost 3 INR no_drift INR.
Proof.
split=> // x x0; split=> [j hj _|]; rewrite /no_drift.
  by rewrite minus_INR; [lra | lia].
exists (Nat.sub x 1); split; first lia.
split; first lia.
have -> : Nat.sub x (Nat.sub x 1) = 1%nat by lia.
by rewrite minus_INR; [rewrite /=; lra | lia].
Qed.

Definition at_theory_m := theory_m D0 INR 1 2 3 D_pos D_mono sorted ltac:(lia) ltac:(lia).
Definition at_theory_superadditive :=
  theory_superadditive D0 (fun u => 2 * u) INR 1 2 3 D_pos D_mono ltac:(intros; lra) sorted
    ltac:(lia) ltac:(lia).
Definition at_theory_pruning :=
  theory_pruning 3 INR no_drift INR sorted no_drift_super least 5 ltac:(lia).

(* ---- Theorem 2: a jump before round 3, gamma of the rate n^1; a short span; uniform times ---- *)

Lemma ln2_pos : 0 <= ln 2. Proof. by apply: ln_ge0; lra. Qed.
Lemma gamma_rate : gamma0 5 <= ln 2 * Rpower (INR 5) 1.
Proof.
have p5 : 0 < INR 5 by apply: lt_0_INR; lia.
by rewrite Rpower_1 // /gamma0; have := ln2_pos; nra.
Qed.
Definition short (i : nat) : R := / 100 * INR i.
Lemma short_within j l : (j < 4)%coq_nat -> (l < 4)%coq_nat -> Rabs (short j - short l) <= / 10.
Proof.
move=> hj hl; have := le_INR j 4 ltac:(lia); have := le_INR l 4 ltac:(lia).
by have := pos_INR j; have := pos_INR l; rewrite /short /=; split_Rabs; lra.
Qed.
Lemma short_span : 1 * / 10 * (INR 4 * sqrt (INR 4)) <= 1.
Proof. have -> : INR 4 = 4 by rewrite /=; lra. by rewrite sqrt4; lra. Qed.

Definition at_biased_gain :=
  biased_gain R k0 k0 1 gamma0 r0 pk pk kx pg 7 3 5 INR ltac:(lia) ltac:(lia).
Definition at_lemma_18 :=
  lemma_18 R k0 k0 1 gamma0 (mean0 (biased_times 7 3)) four 5 INR (f0 (biased_times 7 3)) top0 4 7 3
    (ln 2) 1 r1 pk pk k1 kx pg (four_le 5) (policy0 _ 5) (event0 _ 5) ltac:(lia) ltac:(lia)
    ln2_pos gamma_rate.
Definition at_theorem_2_short :=
  theorem_2_short R k0 k0 1 1 gamma0 r0 r0 pk pk k1 kx kp ks pg 4 INR short (/ 10)
    ltac:(lra) short_within short_span.
Definition at_theorem_2_uniform :=
  theorem_2_uniform R k0 k0 1 1 gamma0 r0 r0 pk pk k1 kx kp ks pg 5 INR 7 3 2
    ltac:(lra) ltac:(lia) ltac:(simpl; lia).

Lemma gamma_rate_all m : (0 < m)%coq_nat -> (m <= (2 * 5)%coq_nat)%coq_nat -> gamma0 m <= ln 2 * Rpower (INR m) 1.
Proof.
move=> m0 _; have p : 0 < INR m by apply: lt_0_INR.
by rewrite Rpower_1 // /gamma0; have := ln2_pos; nra.
Qed.
Lemma span_rate : 1 * / 10 <= Rpower (INR 5) (- / 2).
Proof.
rewrite Rpower_Ropp -(Rinv_inv (1 * / 10)); apply: Rinv_le_contravar; first exact: exp_pos.
have -> : Rpower (INR 5) (/ 2) = sqrt (INR 5) by rewrite Rpower_sqrt //; apply: lt_0_INR; lia.
have -> : / (1 * / 10) = sqrt (10 ^ 2) by rewrite sqrt_pow2; [field | lra].
by apply: sqrt_le_1_alt; rewrite /=; lra.
Qed.
Definition at_theorem_2_uniform_gain :=
  theorem_2_uniform_gain R k0 k0 1 1 gamma0 r0 r0 pk pk k1 kx kp ks pg 5 INR (/ 10) (ln 2) 1 (/ 2) (- / 2)
    ltac:(lia) ltac:(lra) ln2_pos ltac:(lra) ltac:(lra) gamma_rate_all span_rate.
Definition at_theorem_2_uniform_regret :=
  proj1 (theorem_2_uniform_regret R k0 k0 1 1 gamma0 (mean0 (uniform_times (/ 10) 5)) four 5 INR
    (f0 (uniform_times (/ 10) 5)) top0 4 (/ 10) (ln 2) 1 (- / 2) r1 r0 pk pk k1 kx kp ks pg (four_le 5)
    (policy0 _ 5) (event0 _ 5) ltac:(lia) ltac:(lra) ln2_pos ltac:(lra) gamma_rate_all span_rate) ltac:(lra).

Lemma gamma_most m : (0 < m)%coq_nat -> (m <= (2 * 5)%coq_nat)%coq_nat -> gamma0 m <= 5 * ln 2.
Proof. by move=> _ hm; rewrite /gamma0; have := le_INR m 10 hm; have := ln2_pos; rewrite /=; nra. Qed.
Definition at_lemma_15 :=
  lemma_15 R k0 k0 1 1 gamma0 (mean0 (uniform_times (/ 10) 5)) four 5 INR (f0 (uniform_times (/ 10) 5)) top0 4
    (/ 10) (5 * ln 2) (- / 2) r1 r0 pk pk k1 kx kp ks pg (four_le 5) (policy0 _ 5) (event0 _ 5) ltac:(lia)
    ltac:(lra) ltac:(have := ln2_pos; lra) gamma_most span_rate.

(* ---- the certificate of the maximum gain, without columns, alpha = 2, V = 1 ---- *)

Definition a0 (l : nat) : R := 1 + / INR (l + 1).
Lemma a0_ge l : 1 <= a0 l.
Proof. by have := Rinv_0_lt_compat _ (succ_pos (S l) l (Nat.lt_succ_diag_r l)); rewrite /a0; lra. Qed.
Lemma a0_mono l m : (l <= m)%coq_nat -> a0 m <= a0 l.
Proof.
move=> lm; apply: Rplus_le_compat_l; apply: Rinv_le_contravar; first exact: (succ_pos (S l) l (Nat.lt_succ_diag_r l)).
by apply: le_INR; rewrite !addn1; lia.
Qed.
(* one column, the sum of two reference points: the variance that is left is 1 - c^2 / (alpha + H) *)
Lemma one_column alpha : 0 < alpha -> forall i, (i < 5)%coq_nat ->
  k0 (INR i) (INR i) - inverse_form 1
    (fun a b => alpha * identity a b + sum 2 (fun i => sum 2 (fun j => 1 * k0 (INR i) (INR j) * 1)))
    (fun a => sum 2 (fun j => 1 * k0 (INR j) (INR i))) <= 1.
Proof.
move=> a0 i _; set A := fun _ _ => _; set c := fun _ => _.
have A0 : 0 < A O O.
  by rewrite /A /identity /=; have := kp 0 0; have := kp 0 1; have := kp 1 0; have := kp 1 1; lra.
have [_ ->] : det 1 A = (A O O - sum 0 (fun i => 0 * A i.+1 O)) * det 0 (fun i j => A i.+1 j.+1) /\
    inverse_form 1 A c = inverse_form 0 (fun i j => A i.+1 j.+1) (fun i => c i.+1) +
      (c O - sum 0 (fun i => 0 * c i.+1)) ^ 2 / (A O O - sum 0 (fun i => 0 * A i.+1 O)).
  apply: (conditioning.set_apart 0 A c (fun=> 0)) => /=.
  - by rewrite /det det_mx00; exact: R1_neq_R0.
  - by move=> [|x] [|y] hx hy //; lia.
  - by move=> j hj; lia.
  - lra.
have -> M b : inverse_form 0 M b = 0 by rewrite /inverse_form mxE big_ord0.
rewrite kx [sum 0 _]/= [sum 0 _]/= !Rminus_0_r.
have : 0 <= c O ^ 2 / A O O by apply: Rmult_le_pos; [exact: pow2_ge_0 | left; exact: Rinv_0_lt_compat].
lra.
Qed.

Definition Q0 (l p : nat) : R :=
  match l, p with
  | 0%nat, 0%nat => 3 / 5 | 0%nat, 1%nat => 4 / 5 | 1%nat, 0%nat => - (4 / 5) | 1%nat, 1%nat => 3 / 5
  | 2%nat, 2%nat => 1 | _, _ => 0
  end.
Lemma Q0_orthonormal l m : (l < (2 + 1)%coq_nat)%coq_nat -> (m < (2 + 1)%coq_nat)%coq_nat ->
  sum (2 + 1)%coq_nat (fun p => Q0 l p * Q0 m p) = identity l m.
Proof.
have big j : (S (S (S j)) < (2 + 1)%coq_nat)%coq_nat -> False by rewrite /=; lia.
case: l => [|[|[|l]]]; case: m => [|[|[|m]]] hl hm;
  first [by case: (big _ hl) | by case: (big _ hm) | rewrite /identity /=; field].
Qed.

Definition at_theory_r := theory_r 2 1 K0 Q0 a0 Q0_orthonormal a0_ge a0_mono.
Definition at_theory_certificate :=
  theory_certificate R k0 1 5 INR 2 INR 1 (fun _ _ => 1) 2 1 r0 pk ltac:(lra) (one_column 2 ltac:(lra)).
Lemma no_column i : (i < 5)%coq_nat -> k0 (INR i) (INR i) * k0 (INR i) (INR i) - inverse_form 0
  (fun a b => 1 * identity a b + sum 2 (fun i => sum 2 (fun j => 1 * k0 (INR i) (INR j) * 1)) *
    sum 2 (fun i => sum 2 (fun j => 1 * k0 (INR i) (INR j) * 1)))
  (fun a => sum 2 (fun j => 1 * k0 (INR j) (INR i)) * sum 2 (fun j => 1 * k0 (INR j) (INR i))) <= 1.
Proof. by move=> _; rewrite kx /inverse_form mxE big_ord0; change (1 * 1 - 0 <= 1); lra. Qed.
Definition at_theory_joint_certificate :=
  theory_joint_certificate R k0 k0 1 5 INR INR 2 INR 2 INR 0 (fun _ _ => 1) (fun _ _ => 1) 1 (fun=> 1) r0 pk pk
    (Rle_refl 1) no_column.
Definition at_plain_duality :=
  plain_duality R k0 1 5 INR 2 INR 1 (fun _ _ => 1) 1 r0 pk (one_column 1 ltac:(lra)).
Definition at_theory_knots :=
  theory_knots R k0 k0 1 gamma0 5 INR INR 2 (fun l => 3 * INR l) (fun _ _ => / 3) r0 pk pk k1 kx pg.

(* ---- floors ---- *)

Lemma share_corr (j : nat) : 0 <= / 3 <= / 2. Proof. lra. Qed.
Lemma share_most (j : nat) : / 2 <= 1. Proof. lra. Qed.
Lemma share_noise (j : nat) : 0 < 1 <= 2. Proof. lra. Qed.
Lemma gap_met i : (i < 3)%coq_nat -> INR i = 0 \/ / 2 <= INR i.
Proof.
case: i => [|i] _; first by left.
by right; rewrite S_INR; have := pos_INR i; lra.
Qed.
Lemma weight_pos (i : nat) : 0 <= half i. Proof. by rewrite /half; lra. Qed.
Lemma play_in i : (i < 2)%coq_nat -> (i < 3)%coq_nat. Proof. lia. Qed.
Lemma top_above i x : (i < 2)%coq_nat -> (x < 3)%coq_nat -> INR x <= 2.
Proof. by move=> _ h; have := le_INR x 2 ltac:(lia); rewrite /=; lra. Qed.

Fixpoint share0 (i : nat) : R := match i with O => 1 | S j => carried (/ 3) 2 (share0 j) end.
Lemma share_down (j : nat) : 0 <= 0 <= carried (/ 2) 1 0.
Proof. by rewrite /carried; lra. Qed.
Definition at_theory_f_monotone :=
  theory_f_monotone (fun=> / 3) (fun=> / 2) (fun=> 1) (fun=> 2) share0 (fun=> 0) share_corr share_most share_noise
    (fun=> erefl) share_down ltac:(rewrite /=; lra) ltac:(rewrite /=; lra) 5.
Lemma arm_of (j : nat) : (3 < 5)%coq_nat. Proof. lia. Qed.
Lemma kept (j : nat) : 0 <= / 3 <= 1. Proof. lra. Qed.
Lemma noisy (j : nat) : 0 < 2. Proof. lra. Qed.
Definition at_posterior_share :=
  posterior_share 5 K0 (fun=> / 3) (fun=> 2) (fun=> 3%nat) 4 (pK 5) (Kle 5) arm_of kept noisy.
Definition at_margin_inequality := margin_inequality 3 INR half (/ 4) ltac:(lra) gap_met.
Definition at_floor_step := floor_step 2 half weight_pos 3 (fun _ x => INR x) (fun=> 2) (fun i => i) play_in top_above.

Definition looks0 (j : nat) : R := k0 (INR j) 9.
Lemma fewer_in i : (i < 2)%coq_nat -> (S i < 5)%coq_nat. Proof. lia. Qed.
Lemma fewer_apart i j : (i < 2)%coq_nat -> (j < 2)%coq_nat -> S i = S j -> i = j. Proof. lia. Qed.
Lemma k0_markov u v w : u <= v <= w -> k0 u w = k0 u v * k0 v w.
Proof. by move=> [uv vw]; rewrite /k0 /forgetting -exp_plus; congr exp; rewrite !Rabs_left1; lra. Qed.
Lemma corr_between (j : nat) : 0 <= / 3 <= 1. Proof. lra. Qed.
Lemma noise_of (j : nat) : 0 < 2. Proof. lra. Qed.
Definition at_theory_f_gram := theory_f_gram R k0 k0 1 1 r1 r1 pk pk k1 5 INR INR 7 3 INR (kx 7).
Definition at_theory_f_player := theory_f_player R k0 k0 1 pk r1 5 INR 7.
Definition at_theory_f_fewer := theory_f_fewer 1 5 K0 2 S looks0 1 r1 (pK 5) fewer_in fewer_apart.
Definition at_theory_f_certificate := theory_f_certificate 1 5 K0 looks0 1 half r1 (pK 5).
Definition at_theory_f_at_least := theory_f_at_least k0 1 5 INR 7 pk kx r1.
Definition at_theory_f_recursion :=
  theory_f_recursion k0 1 INR pk kx k0_markov r1 (fun i j (ij : (i <= j)%coq_nat) => le_INR i j ij) 5.
Definition at_theory_f_above_sandwich := theory_f_above_sandwich (fun=> / 3) (fun=> 2) 4 corr_between noise_of.
Definition at_theory_f_steady := theory_f_steady (/ 100) (/ 10) 4 ltac:(lra) ltac:(lra).
Definition at_theory_f_still := theory_f_still (/ 10) 6 ltac:(lra).
Definition at_theory_f_determinant := theory_f_determinant 1 5 K0 r1 ltac:(lia) (pK 5) (K1 5).

Definition pair0 (i j : nat) : R := if Nat.eqb i j then 1 else / 2.
Lemma pair0_psd : semidefinite 2 pair0.
Proof.
split=> [i j _ _|c]; first by rewrite /pair0 Nat.eqb_sym.
rewrite /pair0 /=; have := pow2_ge_0 (c 0%nat + c 1%nat); have := pow2_ge_0 (c 0%nat); have := pow2_ge_0 (c 1%nat); lra.
Qed.
Lemma pair0_solved j : (j < 2)%coq_nat -> sum 2 (fun l => pair0 j l * (2 / 3)) = 1.
Proof. by move=> h; have [->|->] : j = 0%nat \/ j = 1%nat by [lia]; rewrite /pair0 /=; lra. Qed.
Definition at_theory_f_common_part :=
  theory_f_common_part 2 pair0 (fun=> 2 / 3) pair0_psd ltac:(lia) pair0_solved.

Lemma met_up : exists x, (x < 2)%coq_nat /\ 3 / 2 = INR x + / 2 * INR x.
Proof. by exists 1%nat; split; [lia | rewrite /=; lra]. Qed.
Lemma met_down : exists x, (x < 2)%coq_nat /\ / 2 = INR x - / 2 * INR x.
Proof. by exists 1%nat; split; [lia | rewrite /=; lra]. Qed.
Lemma met_whole : exists x, (x < 2)%coq_nat /\ 2 = INR x + INR x.
Proof. by exists 1%nat; split; [lia | rewrite /=; lra]. Qed.
Lemma below_one x : (x < 2)%coq_nat -> INR x <= 1.
Proof. by move=> h; have := le_INR x 1 ltac:(lia); rewrite /=; lra. Qed.
Lemma met_top x : (x < 2)%coq_nat -> INR x + 1 * INR x <= 2. Proof. by move=> /below_one; lra. Qed.
Lemma met_bottom x : (x < 2)%coq_nat -> INR x - 1 * INR x <= 0. Proof. lra. Qed.
Lemma met_part x : (x < 2)%coq_nat -> INR x + / 2 * INR x <= 3 / 2. Proof. by move=> /below_one; lra. Qed.
Definition at_theory_f_known_mean :=
  theory_f_known_mean 2 INR INR (/ 2) 1 (3 / 2) (/ 2) 2 0 ltac:(lra) met_up met_down met_top met_bottom.
Definition at_theory_f_known_mean_less :=
  theory_f_known_mean_less 2 INR INR (/ 2) 2 (3 / 2) 1 ltac:(lra) met_whole met_part below_one.

Lemma rank_weights : sum 2 (fun j => half j ^ 2) <= (1 - / 4) * 1. Proof. by rewrite /half /=; lra. Qed.
Definition at_theory_rank_step := theory_rank_step 2 half INR (/ 4) 1 ltac:(lra) ltac:(lra) rank_weights.

Definition rival0 (x : nat) : R := if Nat.eqb x 2 then 1 else 2.
Lemma arm_top x : (x < 3)%coq_nat -> INR x <= 2.
Proof. by move=> h; have := le_INR x 2 ltac:(lia); rewrite /=; lra. Qed.
Lemma arm_rivals x : (x < 3)%coq_nat -> (forall y, (y < 3)%coq_nat -> y <> x -> INR y <= rival0 x) /\
  exists y, (y < 3)%coq_nat /\ y <> x /\ INR y = rival0 x.
Proof.
move=> hx; rewrite /rival0; case: (Nat.eqb_spec x 2) => [->|nx].
  split; last by exists 1%nat; split; [lia | split; [lia | rewrite /=; lra]].
  by move=> y hy ny; have := le_INR y 1 ltac:(lia); rewrite /=; lra.
split; first by move=> y hy _; exact: arm_top.
by exists 2%nat; split; [lia | split; [lia | rewrite /=; lra]].
Qed.
Lemma halves_grow u v : 0 <= u <= v -> u / 2 <= v / 2. Proof. lra. Qed.
Lemma halves_below u : 0 <= u -> 0 <= u / 2 <= u. Proof. lra. Qed.
Definition at_theory_g_pathwise :=
  theory_g_pathwise 3 INR rival0 2 0 (fun u => u / 2) ltac:(lia) arm_top arm_rivals halves_grow halves_below.
Definition at_theory_g_block :=
  theory_g_block 3 (fun k => Nat.eqb k 1) half half (fun k _ => weight_pos k) (fun k _ => weight_pos k).
Lemma half_price k : (k < 2)%coq_nat -> / 3 <= half k. Proof. by rewrite /half; lra. Qed.
Definition at_theory_g_limit_block :=
  theory_g_limit_block 3 2 (fun k => Nat.eqb k 1) half half (/ 3) ltac:(lia) (fun k _ => weight_pos k)
    (fun k _ => weight_pos k) half_price.
Definition beyond0 (k : nat) : R := match k with O => 1 | 1%nat => / 2 | _ => 0 end.
Lemma beyond_between k : (k < 1)%coq_nat -> / 3 <= beyond0 (S k) <= 2 / 3.
Proof. by move=> h; have -> : k = O by [lia]; rewrite /beyond0; lra. Qed.
Definition at_theory_g_cells :=
  theory_g_cells 1 INR beyond0 (fun=> / 3) (fun=> 2 / 3) erefl erefl beyond_between.
Lemma every_multiple i : (i < 4)%coq_nat -> (i = O -> (0 < S i)%coq_nat /\ (S i <= 2)%coq_nat) /\
  (forall h, i = S h -> (S h < S i)%coq_nat /\ (S i <= (S h + 2)%coq_nat)%coq_nat).
Proof. by move=> hi; split=> [->|h ->]; lia. Qed.
Definition window0 (k : nat) : R := INR (k * 2)%coq_nat.
Lemma window_low k j : ((k * 2)%coq_nat < j)%coq_nat -> (j <= ((k * 2)%coq_nat + 2)%coq_nat)%coq_nat -> window0 k <= INR j.
Proof. by move=> h _; apply: le_INR; lia. Qed.
Definition at_theory_f_lattice :=
  theory_f_lattice 2 4 S INR window0 ltac:(lia) every_multiple pos_INR window_low 2 ltac:(lia).

(* ---- ceilings ---- *)

Lemma even_chances i x : (i < 3)%coq_nat -> (x < 2)%coq_nat -> 0 <= half i /\ 0 <= half i <= 1 /\
  ((scalar.normal_density 0 = 0 /\ (half i = 0 \/ half i = 1)) \/
   exists y, half i = scalar.normal_cdf y /\ scalar.normal_density 0 = scalar.normal_density y).
Proof.
move=> _ _; rewrite /half; split; first lra.
split; first lra.
by right; exists 0; split=> //; rewrite scalar.normal_cdf_0; lra.
Qed.
Lemma even_mean : sum 3 (fun i => sum 2 (fun x => half i * half i)) <= INR 3 * 1.
Proof. by rewrite /half /=; lra. Qed.
Lemma even_point : scalar.normal_cdf 0 = 1 / INR 2. Proof. by rewrite scalar.normal_cdf_0 /=; lra. Qed.
Definition at_theory_t :=
  theory_t 3 2 (fun i _ => half i) (fun i _ => half i) (fun _ _ => scalar.normal_density 0) 1 0
    ltac:(lia) even_chances ltac:(lra) even_mean even_point.

Lemma rest_mean i x : (i < 2)%coq_nat -> (x < 2)%coq_nat -> sum 2 (fun j => half j * INR j) = half i.
Proof. by move=> _ _; rewrite /half /=; lra. Qed.
Lemma rest_top i j x : (i < 2)%coq_nat -> (j < 2)%coq_nat -> (x < 2)%coq_nat -> INR j <= INR j. Proof. lra. Qed.
Lemma sch_top i : (i < 2)%coq_nat -> exists x, (x < 2)%coq_nat /\ half i = half i.
Proof. by exists 1%nat; split=> //; lia. Qed.
Definition at_theory_x_jensen :=
  theory_x_jensen 2 half 2 (fun _ => half) 2 (fun _ j _ => INR j) (fun i _ => half i) (fun _ j => INR j) half
    weight_pos (fun _ => weight_pos) rest_mean rest_top sch_top.
Definition swing0 (i x : nat) : R := if Nat.eqb i 0 then INR x else - INR x.
Definition high0 (i : nat) : R := if Nat.eqb i 0 then 2 else 0.
Lemma half_sum : sum 2 half = 1. Proof. by rewrite /half /=; lra. Qed.
Lemma mean_top x : (x < 2)%coq_nat -> INR x <= 1.
Proof. by move=> h; have := le_INR x 1 ltac:(lia); rewrite /=; lra. Qed.
Lemma mean_met : exists x, (x < 2)%coq_nat /\ 1 = INR x. Proof. by exists 1%nat; split; [lia | rewrite /=; lra]. Qed.
Lemma swing_top i x : (i < 2)%coq_nat -> (x < 2)%coq_nat -> swing0 i x <= 1.
Proof. by move=> _ h; have := mean_top x h; have := pos_INR x; rewrite /swing0; case: Nat.eqb; lra. Qed.
Lemma sum_met i : (i < 2)%coq_nat -> exists x, (x < 2)%coq_nat /\ high0 i = INR x + swing0 i x.
Proof. by move=> _; rewrite /high0 /swing0; exists 1%nat; split; [lia | case: Nat.eqb; rewrite /=; lra]. Qed.
Lemma sum_top i x : (i < 2)%coq_nat -> (x < 2)%coq_nat -> INR x + swing0 i x <= high0 i.
Proof. by move=> _ h; have := mean_top x h; have := pos_INR x; rewrite /swing0 /high0; case: Nat.eqb; lra. Qed.
Lemma swing_mean x : (x < 2)%coq_nat -> sum 2 (fun i => half i * swing0 i x) = 0.
Proof. by move=> _; rewrite /half /swing0 /=; lra. Qed.
Definition at_theory_t_mean_policy :=
  theory_t_mean_policy 2 half 2 INR swing0 1 (fun=> 1) high0 weight_pos half_sum mean_top mean_met swing_top
    sum_met sum_top swing_mean.
Definition at_theory_x_covariance := theory_x_covariance 1 5 K0 half looks0 r1 (pK 5).
Definition at_theory_entropy_trace := theory_entropy_trace 3 K0.
Definition code0 (i : nat) : R := if Nat.eqb i 0 then / 3 else 2 / 3.
Lemma code_pos i : (i < 2)%coq_nat -> 0 < code0 i.
Proof. by move=> _; rewrite /code0; case: Nat.eqb; lra. Qed.
Lemma code_sum : sum 2 code0 <= sum 2 half. Proof. by rewrite /code0 /half /=; lra. Qed.
Definition at_theory_entropy_code :=
  theory_entropy_code 2 half code0 (fun i _ => weight_pos i) code_pos code_sum.
Lemma pays i : (i < 3)%coq_nat -> 1 <= sqrt (4 * 1).
Proof. by move=> _; rewrite Rmult_1_r sqrt4; lra. Qed.
Lemma pays_pos i : (i < 3)%coq_nat -> 0 <= 1. Proof. lra. Qed.
Lemma pays_all : sum 3 (fun=> 1) <= 3. Proof. by rewrite /=; lra. Qed.
Definition at_theory_entropy_sum :=
  theory_entropy_sum 3 (fun=> 1) (fun=> 1) 4 3 pays_pos pays ltac:(lra) pays_all.

Lemma two_points x y : (x < 2)%coq_nat -> (y < 2)%coq_nat -> sum 1 (fun j => (INR x - INR y) ^ 2) <= 4 * / 4.
Proof.
move=> hx hy; have := pos_INR x; have := pos_INR y; have := le_INR x 1 ltac:(lia); have := le_INR y 1 ltac:(lia).
by rewrite /=; nra.
Qed.
Lemma point_norm x : (x < 2)%coq_nat -> sum 1 (fun j => INR x ^ 2) <= 1.
Proof. by move=> hx; have := pos_INR x; have := le_INR x 1 ltac:(lia); rewrite /=; nra. Qed.
Lemma point_high : exists x, (x < 2)%coq_nat /\ 1 = sum 1 (fun j => INR x * 1).
Proof. by exists 1%nat; split; [lia | rewrite /=; lra]. Qed.
Lemma point_low : exists x, (x < 2)%coq_nat /\ 0 = sum 1 (fun j => INR x * 1).
Proof. by exists 0%nat; split; [lia | rewrite /=; lra]. Qed.
Lemma point_within x : (x < 2)%coq_nat -> 0 <= sum 1 (fun j => INR x * 3) <= 3.
Proof. by move=> hx; have := pos_INR x; have := le_INR x 1 ltac:(lia); rewrite /=; lra. Qed.
Definition at_theory_half_range :=
  theory_half_range 1 2 (fun x _ => INR x) (fun=> 1) (fun=> 3) (/ 4) 1 0 3 0 ltac:(lra) two_points
    point_high point_low point_within.
Definition at_theory_maximum_lipschitz :=
  theory_maximum_lipschitz 1 2 (fun x _ => INR x) (fun=> 1) (fun=> 3) 1 1 3 ltac:(lra) point_norm
    point_high (fun x hx => proj2 (point_within x hx)).

Lemma short_gradient : sum 2 (fun k => half k ^ 2) <= 1 ^ 2. Proof. by rewrite /half /=; lra. Qed.
Definition at_theory_x_lipschitz := theory_x_lipschitz 2 half half (/ 2) 1 ltac:(lra) r0 short_gradient short_gradient.
Lemma excess0 x : (x < 2)%coq_nat -> INR x - half x - 1 * half x <= 0.
Proof. by move=> /below_one; rewrite /half; lra. Qed.
Lemma excess1 x : (x < 2)%coq_nat -> INR x - half x <= / 2. Proof. by move=> /below_one; rewrite /half; lra. Qed.
Lemma half_ucb x : (x < 2)%coq_nat -> half x <= / 2. Proof. by rewrite /half; lra. Qed.
Definition at_theory_t_exploration := theory_t_exploration 2 INR half half 1 1 0 ltac:(lia) excess0.
Definition at_theory_regret_exploration_optimism :=
  theory_regret_exploration_optimism 2 INR half (/ 2) 1 (/ 2) mean_met half_ucb excess1.
Definition first_before (k : nat) : R := if Nat.eqb k 0 then 0 else INR 0.
Lemma known_before k : (k < 3)%coq_nat -> first_before k = 0 \/ exists j, (j < k)%coq_nat /\ first_before k = INR j.
Proof. by case: k => [|k] _; [left | right; exists 0%nat; split; [lia | ]]. Qed.
Definition at_theory_regret_telescoping := theory_regret_telescoping 3 INR first_before 0 known_before 2 ltac:(lia).

(* one look at variance 1 with noise 1, then rounds without *)
Definition looked (i : nat) : R := if Nat.eqb i 0 then 1 else / 2.
Lemma looked_pos i : 0 <= looked i. Proof. by rewrite /looked; case: Nat.eqb; lra. Qed.
Lemma looked_grows i : looked (S i) <= looked i + / 8. Proof. by rewrite /looked /=; case: Nat.eqb; lra. Qed.
Lemma looked_takes i : Nat.eqb i 0 = true ->
  1 <= looked i <= 2 * 1 /\ looked (S i) <= looked i - looked i ^ 2 / (looked i + 1) + / 8.
Proof.
move=> e; have h : / (1 + 1) = / 2 by have -> : 1 + 1 = 2 by lra.
by rewrite /looked e /= /Rdiv h; lra.
Qed.
Lemma looked_window : INR 4 * / 8 <= 1 / 2. Proof. by rewrite /=; lra. Qed.
Definition at_theory_q_looks :=
  theory_q_looks 4 looked (fun i => Nat.eqb i 0) 1 1 (/ 8) ltac:(lra) ltac:(lra) ltac:(lra)
    looked_pos looked_grows looked_takes looked_window.
Definition at_theory_q_classes := theory_q_classes 3.

(* ---- prices in place of the other arms ---- *)

Lemma second_of_two (i : nat) : (i < 3)%coq_nat -> (1 < 2)%coq_nat. Proof. lia. Qed.
Definition at_theory_p_identity :=
  theory_p_identity 3 2 (fun x _ => INR x) (fun=> 1%nat) (fun=> 1) half second_of_two.
Definition at_theory_p_player := theory_p_player (fun i _ => i) (fun _ _ => 0) (fun _ _ => 1) 0.
(* two cases, two rounds: arm 0 has the value c in both, arm 1 is 0; arm i is played in round i *)
Definition worth (c y i : nat) : R := if Nat.eqb y 0 then INR c else 0.
Lemma played_in_turn c i : (c < 2)%coq_nat -> (i < 2)%coq_nat ->
  (arm (fun j _ => j) (worth c) (fun _ _ => 0) i < 2)%coq_nat.
Proof. by rewrite /arm. Qed.
Lemma earned_most look (g lam : nat -> R) n b : 0 <= b -> (forall i, g i - lam i <= b) -> earned look g lam n <= INR n * b.
Proof. by move=> b0 h; rewrite /earned -sum_const; apply: sum_le => i _; case: (look i _). Qed.
Lemma worth_one c y i : (c < 2)%coq_nat -> worth c y i - 0 <= 1.
Proof. by move=> h; have := le_INR c 1 ltac:(lia); rewrite /worth /=; case: Nat.eqb; lra. Qed.
Lemma worth_game x : (x < 2)%coq_nat -> forall look,
  (forall c c', c = c' -> (forall y i, y <> x -> worth c y i = worth c' y i) -> forall i l, look c i l = look c' i l) ->
  sum 2 (fun c => half c * earned (look c) (worth c x) (fun=> 0) 2) <= 2.
Proof.
move=> _ look _; apply: Rle_trans (_ : _ <= sum 2 (fun c => half c * (INR 2 * 1))) _; last by rewrite /half /=; lra.
apply: sum_le => c hc; apply: Rmult_le_compat_l; first by rewrite /half; lra.
by apply: earned_most => [|i]; [lra | exact: worth_one].
Qed.
Definition at_theory_p :=
  theory_p 2 half 2 2 (fun _ i _ => i) (fun _ _ _ => 0) (fun c => c) worth (fun c _ => INR c) (fun _ _ => 0) (fun=> 2)
    played_in_turn worth_game.
Lemma worth_alone x : (x < 2)%coq_nat ->
  arm_alone 2 half (fun _ i _ => i) (fun _ _ _ => 0) worth x (fun=> 0) 2 2.
Proof.
have game (l : nat) (u : nat -> R) (g : nat -> nat -> R) : (forall b, 0 <= u b) -> sum l u = 1 ->
    (forall b i, (b < l)%coq_nat -> g b i - 0 <= 1) -> forall look, sum l (fun b => u b * earned look (g b) (fun=> 0) 2) <= 2.
  move=> u0 u1 h look; apply: Rle_trans (_ : _ <= sum l (fun b => u b * (INR 2 * 1))) _.
    by apply: sum_le => b hb; apply: Rmult_le_compat_l; [exact: u0 | apply: earned_most => [|i]; [lra | exact: h]].
  by rewrite sum_scalr u1 /=; lra.
case: x => [|[|x]] hx; last by lia.
  exists 1%nat, 2%nat, (fun=> 1), half, (fun=> O), (fun c => c), (fun _ i _ => i), (fun _ _ _ => 0), (fun _ _ _ => 0),
    (fun b _ => INR b); split=> [c hc|].
    by split=> //; split=> //; split=> // y i ny; rewrite /worth; case: Nat.eqb_spec.
  split=> [phi|]; first by rewrite /=; ring.
  split=> [a|]; first lra.
  split; first by rewrite /=; lra.
  apply: game => [b||b i hb]; [by rewrite /half; lra | by rewrite /half /=; lra |].
  by have := worth_one b 0 i hb.
exists 2%nat, 1%nat, half, (fun=> 1), (fun c => c), (fun=> O), (fun _ i _ => i), (fun _ _ _ => 0), worth,
  (fun _ _ => 0); split=> [c hc|]; first by [].
split=> [phi|]; first by rewrite /=; ring.
split=> [a|]; first by rewrite /half; lra.
split; first by rewrite /half /=; lra.
by apply: game => [b||b i hb]; [lra | rewrite /=; lra | lra].
Qed.
Definition at_theory_l :=
  theory_l 2 half 2 2 (fun _ i _ => i) (fun _ _ _ => 0) worth (fun c _ => INR c) (fun=> 0) (fun=> 2)
    played_in_turn worth_alone.
(* a price of 1/2 in two rounds, values 0 or 1: a look earns at most 1/2 *)
Definition rounds_left (H : list (nat * R)) : R := match H with nil => 2 | cons (j, _) _ => INR (Nat.sub 1 j) end.
Lemma rounds_left_pos H : 0 <= rounds_left H. Proof. by case: H => [|[j v] H] /=; [lra | exact: pos_INR]. Qed.
Lemma look_earns H i : (i < 2)%coq_nat -> (forall j v, In (j, v) H -> (j < i)%coq_nat) ->
  sum 2 (fun b => if fits (fun=> INR b) H then half b * (INR b - / 2 + rounds_left (cons (i, INR b) H)) else 0) <=
  sum 2 (fun b => if fits (fun=> INR b) H then half b else 0) * rounds_left H.
Proof.
move=> hi old; rewrite -sum_scalr; apply: sum_le => b hb.
case: (fits _ H); last by rewrite Rmult_0_l; right.
apply: Rmult_le_compat_l; first by rewrite /half; lra.
have b1 := le_INR b 1 ltac:(lia); rewrite /= in b1.
have {old} : INR (Nat.sub 1 i) + 1 <= rounds_left H.
  case: H old => [|[j v] H] old.
    by have := le_INR (Nat.sub 1 i) 1 ltac:(lia); change (INR 1) with 1; change (rounds_left nil) with 2; lra.
  have := old j v (or_introl erefl) => ji; change (rounds_left (cons (j, v) H)) with (INR (Nat.sub 1 j)).
  have -> : Nat.sub 1 j = S (Nat.sub 1 i) by lia.
  by rewrite S_INR; lra.
by change (rounds_left (cons (i, INR b) H)) with (INR (Nat.sub 1 i)); lra.
Qed.
Definition at_theory_l_recursion :=
  theory_l_recursion 2 half (fun b _ => INR b) 2 (fun=> / 2) rounds_left weight_pos rounds_left_pos look_earns
    (fun _ _ => true).

(* ---- every sequence of times ---- *)

Lemma half_shares (i : nat) : (i < 3)%coq_nat -> 0 <= half i <= 1. Proof. by rewrite /half; lra. Qed.
Definition at_theory_i_lower := theory_i_lower 3 half half_shares.
Lemma eighth (i : nat) : 0 <= / 8. Proof. lra. Qed.
Lemma looked_drift : sum 4 (fun=> / 8) <= 1 / 2. Proof. by rewrite /=; lra. Qed.
Definition at_theory_i_looks :=
  theory_i_looks 4 looked (fun=> / 8) (fun i => Nat.eqb i 0) 1 1 r1 r1 looked_pos eighth looked_grows looked_takes looked_drift.
(* two rounds without drift, a look of noise 1/100: one window *)
Lemma drift0 (i : nat) : 0 <= 0 <= 1. Proof. lra. Qed.
Lemma noise0 : 0 < / 100. Proof. lra. Qed.
Definition pair_from (k : nat) : nat := (k * 2)%coq_nat.
Lemma one_window : split_at pair_from 1 2.
Proof. by split=> //; split=> // k hk; rewrite /pair_from; lia. Qed.
Lemma no_next v k : (S k < 1)%coq_nat -> v < drift_between (fun=> 0) (pair_from k) (pair_from (S k)). Proof. lia. Qed.
Lemma share_after : floor_share (fun=> 1 - 0) (fun=> / 100) 1 <= / 16.
Proof. by rewrite /= /carried; have -> : 1 - (1 - 0) * (1 - 1 * / 100 / (1 + / 100)) = / 101 by [field]; lra. Qed.
Lemma well_known k : (k < 1)%coq_nat -> true = true ->
  exists i, ((pair_from k <= i)%coq_nat /\ (i < pair_from (S k))%coq_nat) /\ floor_share (fun=> 1 - 0) (fun=> / 100) i <= / 2 / 8.
Proof.
move=> hk _; exists 1%nat; split; first by rewrite /pair_from; lia.
by have := share_after; lra.
Qed.
Definition at_theory_i_class :=
  theory_i_class (fun=> 0) (/ 100) noise0 drift0 (/ 2) pair_from 1 2 (fun=> true)
    (conj half_pos (Rle_refl _)) one_window (no_next (/ 2 / 2)) well_known.
Lemma well_known0 j k : (j < 1)%coq_nat -> (k < 1)%coq_nat -> true = true ->
  exists i, ((pair_from k <= i)%coq_nat /\ (i < pair_from (S k))%coq_nat) /\
    floor_share (fun=> 1 - 0) (fun=> / 100) i <= / 2 ^ S j / 8.
Proof.
move=> hj hk _; have -> : j = O by [lia]; exists 1%nat; split; first by rewrite /pair_from; lia.
by have := share_after; rewrite /= Rmult_1_r; lra.
Qed.
Definition at_theory_i_charging :=
  theory_i_charging (fun=> 0) (/ 100) noise0 drift0 2 1 (fun=> pair_from) (fun=> 1%nat) (fun _ _ => true)
    ltac:(lia) (fun _ _ => one_window) (fun j k _ => no_next (/ 2 ^ S j / 2) k) well_known0.

(* ---- finite rank ---- *)

Definition at_theory_r_filter :=
  theory_r_filter (/ 4) 1 (/ 2) 3 ltac:(lra) r1 ltac:(lra) ltac:(field).
Definition at_theory_r_sum := theory_r_sum 1 2 5 r1 ltac:(lia).

(* ---- smooth kernels ---- *)

Definition moved0 (k : nat) : R := 1 - / 2 ^ S k.
Lemma moved_step k : moved0 (S k) = (1 - / 2) * moved0 k + / 2.
Proof. by rewrite /moved0 /=; field; apply: pow_nonzero; lra. Qed.
Lemma moved_below k : (k <= 3)%coq_nat -> moved0 k <= 1.
Proof. by move=> _; rewrite /moved0; have := Rinv_0_lt_compat _ (pow_lt 2 (S k) ltac:(lra)); lra. Qed.
Lemma half01 (i : nat) : 0 <= / 2 <= 1. Proof. lra. Qed.
Fixpoint hidden0 (k : nat) : R :=
  match k with O => / 2 * moved0 0 | S l => (1 - / 2) * (hidden0 l * 1 / (1 + hidden0 l * 1 ^ 2)) + / 2 * / 2 end.
Definition at_theory_n_filter :=
  theory_n_filter 1 (/ 2) (fun=> / 2) moved0 (fun=> 1) hidden0 1 3 r1 ltac:(lra) half01
    ltac:(by rewrite /moved0 /=; lra) moved_step moved_below erefl (fun _ => erefl) 3 ltac:(lia).
Lemma window_filter (c k : nat) : (k < 1)%coq_nat -> 1 * / 4 - 1 ^ 2 * (/ 4) ^ 2 / 64 * sum k (fun=> 0) <= / 4.
Proof. by move=> hk; rewrite sum_0; lra. Qed.
Definition at_theory_n_window :=
  theory_n_window 1 (fun=> 1) 1 (fun _ _ => 1) (fun _ _ => 0) (fun _ _ => / 4) (fun _ _ => true) (fun=> / 4)
    64 1 1 1 1 16 2 1 (/ 4) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)
    (fun _ => r0) ltac:(by rewrite /=; lra) ltac:(by move=> *; lra) (fun _ _ => Rle_refl 0) ltac:(lra) ltac:(lra) ltac:(lra)
    ltac:(by rewrite /=; lra) ltac:(by rewrite /=; lra) ltac:(by move=> *; rewrite /=; lra) window_filter
    ltac:(by move=> *; rewrite /=; lra) ltac:(by move=> *; rewrite /=; lra).

(* of two points the mean of the maximum is the root of the variance of their difference, over sqrt (2 pi) *)
Definition emax0 (n : nat) (A : nat -> nat -> R) : R := if Nat.ltb n 2 then 0 else sqrt (increment A 0 1).
Lemma emax_grows : sudakov_fernique emax0.
Proof.
move=> n A B _ _ h; rewrite /emax0; case: Nat.ltb_spec => hn; first lra.
by apply: sqrt_le_1_alt; apply: h; lia.
Qed.
Lemma emax_scales : scales emax0.
Proof.
move=> n A t t0; rewrite /emax0; case: Nat.ltb_spec => hn; first by ring.
have -> : increment (fun x y => t ^ 2 * A x y) 0 1 = t ^ 2 * increment A 0 1 by rewrite /increment; ring.
by rewrite sqrt_mult_alt ?sqrt_pow2 //; exact: pow2_ge_0.
Qed.
Lemma half_left : semidefinite 2 (fun x y => K0 x y - / 2 * K0 x y).
Proof.
apply: (kernels.semidefinite_ext 2 (fun x y => / 2 * K0 x y)); last by apply: kernels.semidefinite_scal; [lra | exact: pK].
by move=> i j _ _; lra.
Qed.
Lemma half_increment x y : (x < 2)%coq_nat -> (y < 2)%coq_nat ->
  increment (fun i j => / 2 * K0 i j) x y <= / 2 * increment K0 x y.
Proof. by move=> _ _; rewrite /increment; lra. Qed.
Definition at_theory_sf_increments :=
  theory_sf_increments emax0 2 K0 (fun x y => / 2 * K0 x y) (/ 2) emax_grows emax_scales ltac:(lra) (pK 2)
    half_left half_increment.
Lemma same_sign x : (x < 2)%coq_nat -> 0 <= half x. Proof. by move=> _; rewrite /half; lra. Qed.
Lemma same_length x : (x < 2)%coq_nat -> sum 2 (fun j => half x ^ 2) <= 1. Proof. by move=> _; rewrite /half /=; lra. Qed.
Definition at_theory_h_sign :=
  theory_h_sign 2 1 (fun x _ => half x) INR 1 r0 same_sign same_length 1 ltac:(lia).

(* ---- partitions with a drift from the first round ---- *)

Definition kept_of := definitions.kept (fun=> 0).
Definition moved1 (k : nat) : R := 1 - / 2 ^ k.
Lemma moved1_step k : moved1 (S k) = (1 - / 2) * moved1 k + / 2.
Proof. by rewrite /moved1 /=; field; apply: pow_nonzero; lra. Qed.
Definition at_theory_i3_filter :=
  theory_i3_filter 1 (floor_share (fun=> 1 - / 2) (fun=> 1)) (fun=> / 2) moved1 (fun=> true) 3 r1
    (conj r0 (Rle_refl 1)) half01 ltac:(by rewrite /moved1 /=; lra) moved1_step (fun _ => erefl).
Definition at_theory_i3_schedule := theory_i3_schedule 2 1 ltac:(lia) r0 3.
Definition at_theory_i3_superadditive := theory_i3_superadditive half half01 0 1 2.
Lemma still (i : nat) : 0 <= 0 <= 1. Proof. lra. Qed.
Lemma nothing_kept b k : kept_of b k = 1. Proof. by elim: k => [|k IH] //; change (kept_of b k * (1 - 0) = 1); rewrite IH; ring. Qed.
Lemma nothing_moved b m : drift_sum (fun=> 0) b m = 0.
Proof. by rewrite /drift_sum (sum_ext m _ (fun=> 0)) ?sum_0 // => i _; rewrite /drifted -/(kept_of b i) nothing_kept; ring. Qed.
Lemma least_still : least_cost 3 INR (fun j x => drift_sum (fun=> 0) j (Nat.sub x j)) INR.
Proof.
have [z h] := least; split=> // x x0; have [a [j [jx [jl e]]]] := h x x0.
split=> [i ix il|]; first by have := a i ix il; rewrite nothing_moved /no_drift.
by exists j; rewrite nothing_moved.
Qed.
Definition at_theory_i3_pruning := theory_i3_pruning (fun=> 0) still 3 INR INR sorted least_still 5 ltac:(lia).
Definition quarter (m : nat) : R := if Nat.eqb m 0 then 0 else / 4.
Lemma quarter_up m m' : (m <= m')%coq_nat -> quarter m <= quarter m'.
Proof. by rewrite /quarter => h; case: Nat.eqb_spec => a; case: Nat.eqb_spec => b; try lra; lia. Qed.
Lemma quarter_sub m m' : quarter (m + m')%coq_nat <= quarter m + quarter m'.
Proof. by rewrite /quarter; case: Nat.eqb_spec => a; case: Nat.eqb_spec => b; case: Nat.eqb_spec => c; try lra; lia. Qed.
Lemma windows_of_one : split_at (fun k => k) 3 3. Proof. by split=> //; split=> // k hk; lia. Qed.
Lemma one_long k : (S k < 3)%coq_nat -> quarter (S (Nat.sub (S k) k)) < drift_sum half k (S (Nat.sub (S k) k)).
Proof. by move=> _; have -> : Nat.sub (S k) k = 1%nat by [lia]; rewrite /quarter /drift_sum /drifted /half /=; lra. Qed.
Lemma one_short k : (k < 3)%coq_nat -> drift_sum half k (Nat.sub (S k) k) <= quarter (Nat.sub (S k) k).
Proof. by move=> _; have -> : Nat.sub (S k) k = 1%nat by [lia]; rewrite /quarter /drift_sum /drifted /=; lra. Qed.
Definition two_and_one : list nat := cons 2%nat (cons 1%nat nil).
Definition at_theory_i3_greedy :=
  theory_i3_greedy half half01 quarter (fun k => k) 3 3 erefl quarter_up quarter_sub windows_of_one one_long one_short
    two_and_one erefl.
Lemma blocks_there : List.Forall (fun m => (0 < m)%coq_nat) two_and_one. Proof. by do 3 (constructor; try lia). Qed.
Definition at_theory_i3_prices := theory_i3_prices (/ 2) half two_and_one 0 0 half_pos blocks_there half01.
Lemma halved (k : nat) : (S k < 3)%coq_nat -> Nat.eqb (S k) 0 = false -> / 2 ^ S k <= / 2 * / 2 ^ k.
Proof. by move=> _ _; right; rewrite /=; field; apply: pow_nonzero; lra. Qed.
Lemma halves_there (k : nat) : (k < 3)%coq_nat -> 0 <= / 2 ^ k.
Proof. by move=> _; left; apply: Rinv_0_lt_compat; apply: pow_lt; lra. Qed.
Definition at_theory_i3_good :=
  theory_i3_good 3 (fun k => / 2 ^ k) (fun k => Nat.eqb k 0) ltac:(lia) halves_there erefl halved.

(* ---- Appendix A: the acquisition is the point, its time too ---- *)

Lemma id_slope x : derivable_pt_lim (fun z : R => z) x 1. Proof. exact: derivable_pt_lim_id. Qed.
Lemma id_slopes x y : Derive_2d.differentiable_pt_lim (fun u _ : R => u) x y 1 0.
Proof. by apply: (Derive_2d.differentiable_pt_lim_proj1_0 (fun u => u)); exact: id_slope. Qed.

Definition at_chain_rule :=
  chain_rule (fun u _ => u) (fun z => z) 2 3 1 0 1 (id_slopes 2 (3 + 2)) (id_slope 2).
Definition at_sample_slope := sample_slope (fun z => z) (fun z => z) 2 1 1 1 (id_slope 2) (id_slope 2).
Definition at_mean_slope := mean_slope (fun z => z) (fun z => z) 2 1 1 1 (id_slope 2) (id_slope 2).

(* ---- Appendix B: slopes in the box ---- *)

Lemma segment_slope t : 0 <= t <= 1 -> derivable_pt_lim (fun t => t) t (sum 2 (fun j => / 2 * 1)).
Proof. by move=> _; have -> : sum 2 (fun j => / 2 * 1) = 1 by [rewrite /=; lra]; exact: id_slope. Qed.
Lemma segment_bound (t : R) (j : nat) : 0 <= t <= 1 -> (j < 2)%coq_nat -> Rabs (/ 2) <= 1.
Proof. by move=> _ _; rewrite Rabs_pos_eq; lra. Qed.
Definition at_lemma_10_lipschitz :=
  lemma_10_lipschitz 2 (fun=> 1) (fun t => t) (fun _ _ => / 2) 1 segment_slope segment_bound.
Definition first_part (x : nat -> R) : R := / 4 * x O.
Lemma first_slope x y : (forall j, (j < 2)%coq_nat -> 0 <= x j <= 1) -> (forall j, (j < 2)%coq_nat -> 0 <= y j <= 1) ->
  first_part x - first_part y <= / 4 * sum 2 (fun j => Rabs (x j - y j)).
Proof.
move=> _ _; rewrite /first_part /=; have := Rle_abs (x 0%nat - y 0%nat); have := Rabs_pos (x 1%nat - y 1%nat); lra.
Qed.
Lemma in_box j : (j < 2)%coq_nat -> 0 <= half j <= 1. Proof. by rewrite /half; lra. Qed.
Lemma in_corner (j : nat) : (j < 2)%coq_nat -> 0 <= 0 <= 1. Proof. lra. Qed.
Definition at_theorem_1_beta_positive :=
  theorem_1_beta_positive 2 1 (/ 4) 1 first_part ltac:(lra) ltac:(lia) ltac:(rewrite /=; lra) first_slope
    half (fun=> 0) in_box in_corner.

(* ---- probability: a coin that always shows its head ---- *)

Definition coin : measure_on _ bool :=
  [the {measure set bool -> \bar RR}%ring of dirac true].
Definition tail (k : nat) (x : bool) : Prop := x = false.
Lemma tail_never k p : 0 <= p -> at_most _ bool coin (tail k) p.
Proof.
move=> hp; split => //; rewrite /coin /= diracE memNset //=.
by rewrite lee_fin; apply/RleP.
Qed.
Lemma half_at_most k : at_most _ bool coin (tail k) (half k). Proof. by apply: tail_never; rewrite /half; lra. Qed.

Definition at_union_bound := union_bound _ bool coin 5 tail half (fun k _ => half_at_most k).
Definition at_theory_regret_rank := theory_regret_rank 5 INR 3 ltac:(lia).
Definition at_markov_inequality :=
  markov_inequality 5 half half 1 ltac:(by move=> *; rewrite /half; lra) ltac:(lra).
Definition at_basel := basel 5.
Definition at_soft_maximum := soft_maximum 5 INR 1 3 ltac:(lra) ltac:(lia).
Lemma no_chance : sum 5 (fun k => 0 * exp (1 / 1 ^ 2 * INR k)) <= exp ((1 / 1 ^ 2) ^ 2 * 1 ^ 2 / 2).
Proof. by rewrite /sum !Rmult_0_l; have := exp_pos ((1 / 1 ^ 2) ^ 2 * 1 ^ 2 / 2); lra. Qed.
Definition at_sub_gaussian_tail :=
  sub_gaussian_tail 5 (fun=> 0) INR 1 1 ltac:(lra) ltac:(lra) (fun _ _ => Rle_refl 0) no_chance.
Definition at_rkhs_point := rkhs_point 5 K0 half 3 (pK 5) ltac:(lia).
Definition at_lemma_8 := lemma_8 5 1 ltac:(lra).

(* one observation of variance 2, a value of variance 1 and covariance 1 with it *)
Definition seen_pair (i j : nat) : R := if Nat.eqb (i + j) 2 then 2 else 1.
Lemma pair_det : det 1 (fun i j => seen_pair (S i) (S j)) <> 0.
Proof. by rewrite /det det_mx11 mxE /seen_pair /=; lra. Qed.
Definition at_gp_posterior :=
  gp_posterior 1 seen_pair INR half pair_det
    ltac:(by move=> [|[|i]] [|[|j]] hi hj; rewrite /seen_pair //=; lia)
    ltac:(by move=> [|j] hj; rewrite /seen_pair /half /=; [lra | lia])
    ltac:(by rewrite /seen_pair /half /=; lra).
Lemma weights_met j : (j < 1)%coq_nat -> sum 1 (fun l => K0 j l * half l) + half j / 1 = 1.
Proof. by move=> hj; have -> : j = O by [lia]; rewrite /= /K0 /gram kx /half; lra. Qed.
Definition at_gp_posterior_covariance :=
  gp_posterior_covariance 1 1 K0 (fun=> 1) (fun=> 1) half half (/ 2) r1 (pK 1) weights_met weights_met.
Definition at_prior_mean_zero := prior_mean_zero 5 half INR half 1 2.
Definition at_lognormal_density := lognormal_density 1 2 3 r1.
Definition at_rival_mandl_kekkonen_lags := rival_mandl_kekkonen_lags 5.
Definition at_appendix_c_lags_doubled := appendix_c_lags_doubled 2 5 ltac:(lia).
Definition at_uniformity_over_rounds := uniformity_over_rounds 1 INR 0 5 ltac:(lra).

(* ---- the probability of Theorem 1: one point, a constant objective, two rounds, R^3 with its normal law ---- *)

Definition flat (T : Type) (x y : T) : R := 1.
Lemma flat_kernel T : kernel T (flat T).
Proof.
move=> n x; split=> // c; rewrite (sum_ext n _ (fun i => c i * sum n c)).
  by rewrite sum_scalr; exact: Rle_0_sqr.
by move=> i _; rewrite -sum_scal; apply: sum_ext => j _; rewrite /flat; ring.
Qed.
Definition weights_flat (i : nat) (z : unit) (l : nat) : R := 1.
Definition stay (j : nat) (seen : vectors.vec RR j) : unit := tt.
Lemma law_flat n : has_kernel 1 n unit weights_flat (flat unit) (flat R) INR.
Proof. by move=> i j z z' _ _; rewrite /weights_flat /flat /=; ring. Qed.
Lemma stay_measurable : measurable_rule unit stay.
Proof.
move=> j []; have -> : [set h | stay j h = tt]%classic = setT; last exact: measurableT.
by apply/seteqP; split=> h.
Qed.
Lemma stay_follows s n beta G : follows 1 unit weights_flat s stay n (flat unit) (flat R) INR beta G.
Proof. by move=> i [] _; rewrite /played; right. Qed.
Definition drawn (i : nat) (g : vectors.vec RR (1 + 2)) : R := adaptive_posterior.co RR (1 + 2) g i.
Definition drawn_normal := any_space.coordinates (1 + 2).
Lemma flat_slope (t u : R) : 1 - flat R t u <= 1 * Rabs (t - u).
Proof. by have := Rabs_pos (t - u); rewrite /flat; lra. Qed.
Lemma flat_gain (x : nat -> unit) m : gain (/ 1 ^ 2) m (joint unit (flat unit) (flat R) x INR) <= gamma0 m.
Proof.
have p : semidefinite m (joint unit (flat unit) (flat R) x INR).
  by apply: semidefinite_hadamard; [exact: (flat_kernel unit m x) | exact: (flat_kernel R m INR)].
apply: Rle_trans (gain_hadamard (/ 1 ^ 2) m _ ltac:(lra) p) _.
rewrite /gamma0 -sum_const; apply: Rmult_le_compat_l; first lra.
by apply: sum_le => i _; rewrite /joint /flat; right; congr ln; field.
Qed.
Lemma flat_bounded : bounds_space_gain unit (flat unit) (/ 1 ^ 2) gamma0.
Proof.
move=> m x; apply: Rle_trans (flat_gain x m); right; congr (_ * ln (det _ _)).
by apply: boolp.funext => i; apply: boolp.funext => j; rewrite /gram /joint /flat; ring.
Qed.
Lemma one_block n : (n <= 2)%coq_nat -> total (cons n nil) = n. Proof. by move=> _ /=; lia. Qed.

Definition at_gaussian_process :=
  gaussian_process _ _ _ drawn 1 2 unit weights_flat 1 (flat unit) (flat R) INR drawn_normal (law_flat 2)
    2 half (fun a => a) (fun=> tt) half (fun _ h => h).
Definition at_gaussian_model_exists :=
  gaussian_model_exists 2 (fin_type unit) tt (flat unit) (flat R) INR 1 half (flat_kernel unit) (flat_kernel R) r1.
Definition at_adaptive_confidence :=
  adaptive_confidence _ _ _ drawn 1 2 (fin_type unit) weights_flat 1 stay (flat unit) (flat R) INR (/ 2)
    drawn_normal r1 ltac:(lra) (law_flat 2) stay_measurable.
Definition at_theorem_1_with_probability :=
  theorem_1_with_probability _ _ _ drawn (fin_type unit) (flat unit) (flat R) INR 1 (/ 2) 1 2 weights_flat stay 1 gamma0
    (fun n => cons n nil) drawn_normal r1 ltac:(lra) (flat_kernel unit) (flat_kernel R)
    (fun _ => Rle_refl 1) (fun _ => erefl) r0 (fun _ _ => r0) flat_slope flat_bounded (law_flat 2) stay_measurable
    (fun _ => stay_follows _ _ _ _) one_block.
Definition at_gain_bound_with_probability :=
  gain_bound_with_probability _ _ _ drawn (fin_type unit) (flat unit) (flat R) INR 1 (/ 2) 1 2 weights_flat stay gamma0
    drawn_normal r1 ltac:(lra) (flat_kernel unit) (flat_kernel R)
    (fun _ => Rle_refl 1) (fun _ => erefl) (law_flat 2) stay_measurable
    (fun _ => stay_follows _ _ _ _) (fun n x _ => flat_gain x n).

(* a rule that plays the answer before it, any real number *)
Notation line := (vectors.vec RR 1).
Definition weights_line (i : nat) (z : line) (l : nat) : R := 1.
Definition echo (j : nat) : vectors.vec RR j -> line :=
  match j with O => fun _ => (0, tt) | S _ => fun seen => (seen.1, tt) end.
Lemma echo_measurable : measurable_policy _ line echo.
Proof.
case=> [|j]; first exact: measurable_fun_cst.
by apply: vectors.mpair; [exact: vectors.mfst | exact: measurable_fun_cst].
Qed.
Lemma line_measurable i l : measurable_fun setT (fun z : line => weights_line i z l : RR). Proof. exact: measurable_fun_cst. Qed.
Lemma law_line n : has_kernel 1 n line weights_line (flat line) (flat R) INR.
Proof. by move=> i j z z' _ _; rewrite /weights_line /flat /=; ring. Qed.
(* the first of the three numbers is the objective, the other two are the noises *)
Definition one_number (g : vectors.vec RR (1 + 2)) : line := joint_law.together _ (vectors.vec RR (1 + 2)) 1 drawn g.
Definition two_noises (i : nat) : vectors.vec RR (1 + 2) -> R := drawn (addn 1 i).
Definition constant_value : nat -> line -> line -> R := finite_features.of_features 1 _ line weights_line.
Definition noises_normal := finite_features.later_normals _ _ _ 1 2 drawn drawn_normal.
Definition number_drawn := finite_features.later_draws _ _ _ 1 2 drawn drawn_normal.
Definition number_process := finite_features.features_process _ _ _ 1 2 drawn drawn_normal _ line weights_line _ _ _ (law_line 2).
Definition number_measurable := finite_features.features_measurable 1 _ line weights_line line_measurable.
Lemma flat_measurable : measurable_kernel _ line (flat line). Proof. exact: measurable_fun_cst. Qed.
Lemma echo_follows T f e n s beta w : follows_first T line f e echo n s (flat line) (flat R) INR beta w.
Proof. by move=> i z _; right. Qed.
Definition at_adaptive_confidence_anywhere :=
  adaptive_confidence_anywhere _ _ _ two_noises _ line _ line one_number 2 constant_value 1 echo (flat line) (flat R) INR half
    (fun=> cons (7, tt) nil) noises_normal number_drawn r1 number_process number_measurable flat_measurable echo_measurable
    (fun _ => ltac:(rewrite /half; lra)).
Definition on_line (z : line) (j : nat) : R := Rmax 0 (Rmin 1 z.1).
Lemma line_box : is_box 1 1 line on_line.
Proof.
split=> [z j _|p hp]; first by split; [exact: Rmax_l | apply: Rmax_lub; [lra | exact: Rmin_l]].
exists (p O, tt) => j hj; have -> : j = O by [lia]; have := hp O ltac:(lia); rewrite /on_line /= => b.
by rewrite Rmin_right ?Rmax_right; lra.
Qed.
Definition constant_function (i : nat) (p : nat -> R) (u : line) : R := constant_value i (0, tt) u.
Lemma no_slopes i u : (i < 2)%coq_nat -> has_slopes 1 1 (fun p => constant_function i p u) (fun _ _ => 0).
Proof. by move=> _ p v t _ _ _; rewrite /= Rmult_0_l Rplus_0_l; exact: derivable_pt_lim_const. Qed.
Lemma no_slope_tails : slope_tails _ _ (adaptive_confidence.standard_normal 3) 1 2 1 (fun _ _ _ _ => 0) 1 1.
Proof.
move=> i j c _ _ c0; exists (fun=> False); split=> [|w p _ _]; last by rewrite Rabs_R0.
have -> : (fun=> False) = set0 :> set (vectors.vec RR 3) by apply/seteqP; split.
split; first exact: measurable0.
by rewrite measure0 lee_fin; apply/RleP; rewrite Rmult_1_l; exact: Rlt_le (exp_pos _).
Qed.
Lemma line_bounded : bounds_space_gain line (flat line) (/ 1 ^ 2) gamma0.
Proof. by move=> m x; apply: Rle_trans (flat_bounded m (fun=> tt)); right. Qed.
Lemma line_gain (x : nat -> line) n : gain (/ 1 ^ 2) n (joint line (flat line) (flat R) x INR) <= gamma0 n.
Proof. by apply: Rle_trans (flat_gain (fun=> tt) n); right. Qed.
Definition at_theorem_1_box :=
  theorem_1_box _ _ _ two_noises _ line on_line _ line one_number (flat line) (flat R) INR 1 (/ 2) 2 1 1 1 1
    constant_function (fun _ _ _ _ => 0) echo 1 gamma0 (fun n => cons n nil) noises_normal number_drawn r1 ltac:(lra)
    (flat_kernel line) (flat_kernel R) (fun _ => Rle_refl 1) (fun _ => erefl) r0 (fun _ _ => r0) flat_slope line_bounded
    number_process number_measurable flat_measurable echo_measurable (le_n 1) r1 line_box no_slopes (Rle_refl 1) r1
    no_slope_tails (fun _ => echo_follows _ _ _ _ _ _ _) one_block.
Definition at_gain_bound_box :=
  gain_bound_box _ _ _ two_noises _ line on_line _ line one_number (flat line) (flat R) INR 1 (/ 2) 2 1 1 1 1
    constant_function (fun _ _ _ _ => 0) echo gamma0 noises_normal number_drawn r1 ltac:(lra) (flat_kernel line)
    (flat_kernel R) (fun _ => Rle_refl 1) (fun _ => erefl) number_process number_measurable flat_measurable echo_measurable
    (le_n 1) r1 line_box no_slopes (Rle_refl 1) r1 no_slope_tails (fun _ => echo_follows _ _ _ _ _ _ _)
    (fun n x _ => line_gain x n).

(* ---- the mean regret, at the same case ---- *)

Definition at_mean_maximum_exists := mean_maximum_exists (fin_type unit) tt (flat unit) (flat_kernel unit).
Definition flat_top := boolp.cid at_mean_maximum_exists.
Definition flat_mean : mean_maximum (fin_type unit) (flat unit) (proj1_sig flat_top) := proj2 (proj2_sig flat_top).
Definition at_theory_mean_maximum_pair :=
  theory_mean_maximum_pair (fin_type unit) (flat unit) (proj1_sig flat_top) tt tt (flat_kernel unit) flat_mean.
Lemma flat_markov (u v w : R) : u <= v <= w -> flat R u w = flat R u v * flat R v w.
Proof. by move=> _; rewrite /flat; ring. Qed.
Lemma tenth : 0 < / 10. Proof. lra. Qed.
Definition at_theory_f_mean :=
  theory_f_mean _ _ _ drawn 1 2 (fin_type unit) weights_flat (/ 10) stay (flat unit) (flat R) INR 1 (proj1_sig flat_top)
    drawn_normal tenth r1 (flat_kernel unit) (flat_kernel R) (fun _ => Rle_refl 1) (fun _ => erefl) (law_flat 2)
    stay_measurable flat_mean.
Definition length_1 := boolp.cid (rank_floor.mean_length_exists 1).
Definition at_theory_rank_mean :=
  theory_rank_mean _ _ _ drawn 1 2 (fin_type unit) weights_flat (/ 10) stay (flat unit) (flat R) INR 1 (proj1_sig flat_top) 1
    (proj1_sig length_1) drawn_normal tenth r1 (flat_kernel unit) (flat_kernel R) (fun _ => Rle_refl 1) (fun _ => erefl)
    (law_flat 2) stay_measurable flat_mean (le_n 2) (proj2_sig length_1).
Definition at_theory_i_mean :=
  theory_i_mean _ _ _ drawn 1 2 (fin_type unit) weights_flat (/ 10) stay (flat unit) (flat R) INR 1 (proj1_sig flat_top)
    drawn_normal tenth r1 (flat_kernel unit) (flat_kernel R) (fun _ => Rle_refl 1) (fun _ => erefl) flat_markov
    (fun _ _ => le_INR _ _) (law_flat 2) stay_measurable flat_mean 2 (le_n 2).
Lemma flat_drift k : (S k < 1)%coq_nat -> forall v, v < drift_between
  (fun j => match j with O => 0 | S l => 1 - flat R (INR l) (INR j) ^ 2 end) (pair_from k) (pair_from (S k)).
Proof. lia. Qed.
Lemma flat_known j k : (j < 1)%coq_nat -> (k < 1)%coq_nat -> true = true ->
  exists i, ((pair_from k <= i)%coq_nat /\ (i < pair_from (S k))%coq_nat) /\
    floor_share (fun j => flat R (INR j) (INR (S j)) ^ 2) (fun=> (/ 10) ^ 2 / 1) i <= / 2 ^ S j / 8.
Proof.
move=> hj hk e; have [i [a b]] := well_known0 j k hj hk e; exists i; split=> //; apply: Rle_trans b; right.
by elim: i {a} => //= i ->; congr (carried _ _ _); rewrite /flat; field.
Qed.
Definition at_theory_i_charging_mean :=
  theory_i_charging_mean _ _ _ drawn 1 2 (fin_type unit) weights_flat (/ 10) stay (flat unit) (flat R) INR 1
    (proj1_sig flat_top) drawn_normal tenth r1 (flat_kernel unit) (flat_kernel R) (fun _ => Rle_refl 1) (fun _ => erefl)
    flat_markov (fun _ _ => le_INR _ _) (law_flat 2) stay_measurable flat_mean 1 (fun=> pair_from) (fun=> 1%nat)
    (fun _ _ => true) ltac:(lia) (fun _ _ => one_window) (fun j k _ h => flat_drift k h (/ 2 ^ S j / 2)) flat_known.

(* ---- policies that draw: a fourth normal variable, which the rule may read ---- *)

Definition dealt (i : nat) (g : vectors.vec RR (1 + 2 + 1)) : R := adaptive_posterior.co RR (1 + 2 + 1) g i.
Definition dealt_normal := floor_in_mean.fewer (1 + 2) (1 + 2 + 1) isT.
Definition dealt_draws := prices_in_mean.rest_draws (1 + 2) 1.
Definition stay_drawn (u : vectors.vec RR 1) := stay.
Lemma stay_drawn_measurable : measurable_drawn_rule _ (vectors.vec RR 1) unit stay_drawn.
Proof.
move=> j []; have -> : [set p | stay_drawn p.1 j p.2 = tt]%classic = setT; last exact: measurableT.
by apply/seteqP; split=> p.
Qed.
Definition at_adaptive_confidence_drawn :=
  adaptive_confidence_drawn _ _ _ dealt _ _ _ 1 2 (fin_type unit) weights_flat 1 stay_drawn (flat unit) (flat R) INR (/ 2)
    dealt_normal dealt_draws r1 ltac:(lra) (law_flat 2) stay_drawn_measurable.
Definition at_theorem_1_with_probability_drawn :=
  theorem_1_with_probability_drawn _ _ _ dealt _ _ _ (fin_type unit) (flat unit) (flat R) INR 1 (/ 2) 1 2 weights_flat
    stay_drawn 1 gamma0 (fun n => cons n nil) dealt_normal dealt_draws r1 ltac:(lra) (flat_kernel unit) (flat_kernel R)
    (fun _ => Rle_refl 1) (fun _ => erefl) r0 (fun _ _ => r0) flat_slope flat_bounded (law_flat 2) stay_drawn_measurable
    (fun _ => stay_follows _ _ _ _) one_block.
Definition at_theory_f_drawn :=
  theory_f_drawn _ _ _ dealt _ _ _ 1 2 (fin_type unit) weights_flat (/ 10) stay_drawn (flat unit) (flat R) INR 1
    (proj1_sig flat_top) dealt_normal dealt_draws tenth r1 (flat_kernel unit) (flat_kernel R) (fun _ => Rle_refl 1)
    (fun _ => erefl) (law_flat 2) stay_drawn_measurable flat_mean 2 (le_n 2).
Definition at_theory_i_drawn :=
  theory_i_drawn _ _ _ dealt _ _ _ 1 2 (fin_type unit) weights_flat (/ 10) stay_drawn (flat unit) (flat R) INR 1
    (proj1_sig flat_top) dealt_normal dealt_draws tenth r1 (flat_kernel unit) (flat_kernel R) (fun _ => Rle_refl 1)
    (fun _ => erefl) flat_markov (fun _ _ => le_INR _ _) (law_flat 2) stay_drawn_measurable flat_mean 2 (le_n 2).

(* ---- answers that come one round late ---- *)

Lemma one_late : comes_late 1 Nat.pred. Proof. by move=> i; lia. Qed.
Lemma stay_follows_late n beta G : follows_late 1 unit weights_flat 1 stay Nat.pred n (flat unit) (flat R) INR beta G.
Proof. by move=> i [] _; rewrite /played; right. Qed.
Definition at_adaptive_confidence_late :=
  adaptive_confidence_late _ _ _ dealt _ _ _ 1 2 (fin_type unit) weights_flat 1 stay_drawn (flat unit) (flat R) INR (/ 2)
    1%nat Nat.pred dealt_normal dealt_draws r1 ltac:(lra) (law_flat 2) stay_drawn_measurable one_late.
Definition at_theorem_1_late :=
  theorem_1_late _ _ _ drawn (fin_type unit) (flat unit) (flat R) INR 1 (/ 2) 1 2 weights_flat stay 1 gamma0
    (fun n => cons n nil) 1%nat Nat.pred drawn_normal r1 ltac:(lra) (flat_kernel unit) (flat_kernel R)
    (fun _ => Rle_refl 1) (fun _ => erefl) r0 (fun _ _ => r0) flat_slope flat_bounded (law_flat 2) stay_measurable one_late
    (fun _ => stay_follows_late _ _ _) one_block.
Definition at_gain_bound_late :=
  gain_bound_late _ _ _ drawn (fin_type unit) (flat unit) (flat R) INR 1 (/ 2) 1 2 weights_flat stay gamma0
    1%nat Nat.pred drawn_normal r1 ltac:(lra) (flat_kernel unit) (flat_kernel R)
    (fun _ => Rle_refl 1) (fun _ => erefl) (law_flat 2) stay_measurable one_late
    (fun _ => stay_follows_late _ _ _) (fun n x _ => flat_gain x n).
Definition at_theorem_1_late_drawn :=
  theorem_1_late_drawn _ _ _ dealt _ _ _ (fin_type unit) (flat unit) (flat R) INR 1 (/ 2) 1 2 weights_flat
    stay_drawn 1 gamma0 (fun n => cons n nil) 1%nat Nat.pred dealt_normal dealt_draws r1 ltac:(lra) (flat_kernel unit)
    (flat_kernel R) (fun _ => Rle_refl 1) (fun _ => erefl) r0 (fun _ _ => r0) flat_slope flat_bounded (law_flat 2)
    stay_drawn_measurable one_late (fun _ => stay_follows_late _ _ _) one_block.

(* ---- a point that takes one unit of time, and a clock that forgets nothing ---- *)

Definition still_weights (u : R) (z : unit) (l : nat) : R := 1.
Definition wide_beta (i : nat) : R := 2 * ln (4 * exp 1 * size (fin_type unit) * INR 1 / share (/ 2) i).
Lemma still_law n : has_kernel_at 1 n unit still_weights (flat unit) (forgetting 0) (fun=> 1).
Proof. by move=> u u' z z' _ _; rewrite /still_weights /flat /forgetting Rmult_0_l Ropp_0 exp_0 /=; ring. Qed.
Lemma still_windows i : (i < 2)%coq_nat -> (0 < 1)%coq_nat /\ 0 * (INR (S i) * 1) * wide_beta i <= INR 1.
Proof. by move=> _; split; [lia | rewrite !Rmult_0_l /=; lra]. Qed.
Definition at_theory_c_with_probability :=
  theory_c_with_probability _ _ _ drawn 1 2 (fin_type unit) still_weights 1 (fun=> 1) stay (flat unit) 0 1 (/ 2)
    (fun=> 1%nat) wide_beta drawn_normal r1 ltac:(lra) (Rle_refl 0) (flat_kernel unit) (fun _ => erefl) (fun _ => conj r0 (Rle_refl 1))
    (still_law 2) stay_measurable still_windows (fun _ _ => Rle_refl _) ltac:(by move=> w i [] _; rewrite /=; right; case: (played_at _ _ _ _ _ _ _ _)).
Definition at_theory_c_event_at_times :=
  theory_c_event_at_times _ _ _ drawn 3 (fun _ l => if l is O then 1 else 0) (cons 1 nil) 0 1 0 1 drawn_normal (Rle_refl 0) r1
    ltac:(by move=> u u' _ _; rewrite /forgetting Rmult_0_l Ropp_0 exp_0 /=; ring) ltac:(by move=> u /= [<-|[]]; lra)
    ltac:(rewrite Rmult_0_l; left; apply: Rinv_0_lt_compat; lra).

(* ---- prices, for a single arm of variance 1 ---- *)

Lemma arms_flat : independent_arms (fin_type unit) (fun=> 1) = flat unit.
Proof. by apply: boolp.funext => -[]; apply: boolp.funext => -[]; rewrite /independent_arms eqxx. Qed.
Lemma law_arms n : has_kernel 1 n unit weights_flat (independent_arms (fin_type unit) (fun=> 1)) (flat R) INR.
Proof. by rewrite arms_flat; exact: law_flat. Qed.
Lemma arms_mean : mean_maximum (fin_type unit) (independent_arms (fin_type unit) (fun=> 1)) (proj1_sig flat_top).
Proof. by rewrite arms_flat; exact: flat_mean. Qed.
Definition earned_half := boolp.cid (prices_in_mean.earns_exists 2 1 1 (flat R) INR half r0 (fun=> erefl)).
Definition at_theory_p_mean :=
  theory_p_mean _ _ _ drawn 1 2 (fin_type unit) weights_flat 1 stay (fun=> 1) (flat R) INR half
    (fun=> proj1_sig earned_half) (proj1_sig flat_top) drawn_normal (fun=> erefl) (law_arms 2) stay_measurable arms_mean
    (fun=> proj2_sig earned_half).
Lemma size_unit : size (fin_type unit) = INR 1. Proof. by rewrite /size card_unit. Qed.
Definition at_theory_mean_maximum_arms :=
  theory_mean_maximum_arms (fin_type unit) tt 1 (proj1_sig flat_top) size_unit arms_mean.

(* ---- a player of one arm, of two rounds, at a price of a half ---- *)

From mathcomp Require Import lebesgue_integral.
From CTV Require Import measures.

Definition absolute := boolp.cid one_arm_in_mean.absolute_mean.
Definition worth_flat (j : nat) (u : R) : R := if j is O then Rabs u else 0.
Lemma worth_measurable j : measurable_real (worth_flat j).
Proof. by case: j => [|j]; [exact: measurable_fun_normr | exact: measurable_fun_cst]. Qed.
Lemma worth_ge0 j u : 0 <= worth_flat j u. Proof. by case: j => [|j]; [exact: Rabs_pos | exact: Rle_refl]. Qed.
Definition absolute_ge0 : 0 <= proj1_sig absolute := proj1 (proj2_sig absolute).
Lemma half_first i : (i < 2)%coq_nat ->
  exists e : R, normal_mean (fun z => worth_flat i (sqrt 1 * z)) = EFin e /\ - half i + e <= proj1_sig absolute.
Proof.
have := proj2_sig absolute; move: (proj1_sig absolute) => V [V0 e]; rewrite /half; case: i => [|i] _.
  by exists V; split=> //; lra.
by exists 0; split; [exact: one_arm_in_mean.normal_mean_0 | lra].
Qed.
Lemma half_next j i u : (j < i)%coq_nat -> (i < 2)%coq_nat -> let r := flat R (INR j) (INR i) in
  exists e : R, normal_mean (fun z => worth_flat i (r * u + sqrt (1 * (1 - r ^ 2)) * z)) = EFin e /\ r * u - half i + e <= worth_flat j u.
Proof.
move=> ji i2; have [-> ->] : j = O /\ i = S O by lia.
exists 0; split; first exact: one_arm_in_mean.normal_mean_0.
by rewrite /flat /half /=; have := Rle_abs u; lra.
Qed.
Definition at_theory_l_recursion_mean :=
  theory_l_recursion_mean 2 1 1 (flat R) INR half worth_flat (proj1_sig absolute) (fun=> erefl) flat_markov (fun _ _ => le_INR _ _)
    worth_measurable worth_ge0 absolute_ge0 half_first half_next.
Definition at_theory_l_mean :=
  theory_l_mean _ _ _ drawn 1 2 (fin_type unit) weights_flat 1 stay (fun=> 1) (flat R) INR half (fun=> worth_flat)
    (fun=> proj1_sig absolute) (proj1_sig flat_top) drawn_normal (fun=> erefl) flat_markov (fun _ _ => le_INR _ _) (law_arms 2)
    stay_measurable arms_mean (fun=> worth_measurable) (fun=> worth_ge0) (fun=> absolute_ge0) (fun=> half_first)
    (fun=> half_next).

(* the value itself as the price *)
Definition own_price (i : nat) (w : vectors.vec RR 3) : R := value 1 unit weights_flat (fun l => drawn l w) i tt.
Lemma own_price_finite i : (i < 2)%coq_nat -> finite_mean _ _ (adaptive_confidence.standard_normal 3) (own_price i).
Proof.
move=> _; have /integrableP[m f] := path_prices.value_mean _ _ _ drawn 1 2 (fin_type unit) weights_flat drawn_normal i tt.
by split; [exact/EFin_measurable_fun | exact: f].
Qed.
Lemma own_price_players (x : unit) :
  players_earn _ _ (adaptive_confidence.standard_normal 3) drawn 1 2 unit weights_flat x own_price 0.
Proof.
case: x => look _ _; rewrite /mean_of (eq_integral (fun=> 0%E)) ?integral0 // => w _.
by congr EFin; rewrite (sums.sum_ext 2 _ (fun=> 0)) ?sums.sum_0 // => i _; case: ifP => _ //; exact: Rminus_diag_eq.
Qed.
Lemma own_price_left : mean_of _ _ (adaptive_confidence.standard_normal 3) (fun w => sum 2 (fun i =>
  best_value (fin_type unit) tt (value 1 unit weights_flat (fun l => drawn l w) i) - own_price i w)) = EFin 0.
Proof.
rewrite /mean_of (eq_integral (fun=> 0%E)) ?integral0 // => w _; congr EFin.
rewrite (sums.sum_ext 2 _ (fun=> 0)) ?sums.sum_0 // => i _.
by have [[] ->] := expected_regret.best_value_is (fin_type unit) tt (value 1 unit weights_flat (fun l => drawn l w) i); exact: Rminus_diag_eq.
Qed.
Definition at_theory_p_path_mean :=
  theory_p_path_mean _ _ _ drawn 1 2 (fin_type unit) weights_flat 1 stay own_price (fun=> 0) tt 0 drawn_normal stay_measurable
    own_price_finite own_price_players own_price_left.
