(******************************************************************************)
(*                               The statements                               *)
(*                                                                            *)
(* The theorems that claims stand on, in full, in the words of definitions.v, *)
(* of outcomes.v (those about probability) and of Coq's real numbers; the     *)
(* proofs are in the other files. Rounds are counted from 0. The name of a    *)
(* theorem is the id of its claim with _ for -, unless the table of the claim *)
(* names another.                                                             *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* determinants, theorem_a, theorem_1, theorem_b, theorem_c, kernels,         *)
(* uniformity, search, oppenheim, duality, lemma_r, floors, rates, knots,     *)
(* share, gradients, full_information, games, ceilings, elimination, prices,  *)
(* charging, filters, smooth, blocks, scalar, events, conditioning, slopes,   *)
(* vectors, objective_law, any_space, theorem_1_probability, floor_in_mean,   *)
(* pair_maximum, largest_of_arms, drawn_policies, prices_in_mean,             *)
(* one_arm_in_mean, path_prices, rank_floor, joint_dual, envelope, majorant,  *)
(* sequences, late_confidence, late_drawn, first_passage,                     *)
(* theorem_c_probability, box_confidence, theorem_1_box, outcomes.            *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From mathcomp Require Import classical_sets.
From mathcomp Require Import reals ereal measure.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require definitions matrices sums gains posterior determinants theorem_a theorem_1 theorem_b
  theorem_c kernels uniformity search oppenheim duality lemma_r floors rates knots share gradients
  full_information games ceilings elimination prices charging filters smooth blocks scalar events conditioning slopes vectors
  objective_law any_space theorem_1_probability floor_in_mean pair_maximum largest_of_arms drawn_policies prices_in_mean one_arm_in_mean path_prices rank_floor joint_dual envelope majorant sequences
  late_confidence late_drawn first_passage theorem_c_probability box_confidence theorem_1_box.
From Coquelicot Require Derive_2d.
From CTV Require Import definitions outcomes.
Delimit Scope coq_nat_scope with coq_nat.
Open Scope R_scope.

(* ---- matrices ---- *)

(* The entrywise product of two semidefinite matrices is semidefinite. *)
Theorem schur_product : forall n A B, semidefinite n A -> semidefinite n B ->
  semidefinite n (fun i j => A i j * B i j).
Proof. exact: gains.semidefinite_hadamard. Qed.

(* Hadamard: a semidefinite determinant is at most the product of the diagonal. *)
Theorem hadamard_inequality : forall n A, semidefinite n A ->
  det n A <= \big[Rmult/1]_(i < n) A i i.
Proof. exact: determinants.det_hadamard_R. Qed.

(* Fischer: a semidefinite determinant is at most the product of those of two diagonal blocks. *)
Theorem fischer_inequality : forall m n A, semidefinite (m + n)%coq_nat A ->
  det (m + n)%coq_nat A <= det m A * det n (fun i j => A (m + i)%coq_nat (m + j)%coq_nat).
Proof. exact: determinants.det_fischer_R. Qed.

(* The minor of the first row and column of I + B, times its first entry, is at least its determinant. *)
Theorem inverse_compression : forall n B, semidefinite (S n) B ->
  det (S n) (fun i j => identity i j + B i j) <=
  (1 + B O O) * det n (fun i j => identity i j + B (S i) (S j)).
Proof. exact: determinants.compression. Qed.

(* The tangent of log det at a diagonal matrix of entries a. *)
Theorem log_det_tangent : forall n B a, semidefinite n B -> (forall k, (k < n)%coq_nat -> 0 < a k) ->
  ln (det n (fun i j => identity i j + B i j)) <= sum n (fun k => ln (a k) + (1 + B k k) / a k - 1).
Proof. exact: determinants.tangent. Qed.

(* det (I + sA) is at least 1, so every gain exists and is at least 0. *)
Theorem det_at_least_one : forall s n A, 0 <= s -> semidefinite n A ->
  1 <= det n (fun i j => identity i j + s * A i j).
Proof. exact: gains.det_ge1. Qed.

(* The gain is subadditive: log det (I + s(A+B)) <= log det (I + sA) + log det (I + sB). *)
Theorem det_subadditivity : forall s n A B, 0 <= s -> semidefinite n A -> semidefinite n B ->
  gain s n (fun i j => A i j + B i j) <= gain s n A + gain s n B.
Proof. exact: gains.gain_subadditive. Qed.

(* The gain grows with the matrix. *)
Theorem det_monotone : forall s n A B, 0 <= s -> semidefinite n A -> semidefinite n B ->
  gain s n A <= gain s n (fun i j => A i j + B i j).
Proof. exact: gains.gain_monotone. Qed.

(* Shrinking rows and columns by factors of at most 1 does not raise the gain. *)
Theorem det_contraction : forall s n K v, 0 <= s -> semidefinite n K ->
  (forall i, (i < n)%coq_nat -> v i ^ 2 <= 1) ->
  gain s n (fun i j => v i * v j * K i j) <= gain s n K.
Proof. exact: gains.gain_contraction. Qed.

(* Fischer for gains: rounds cut in two. *)
Theorem lemma_13_block_subadditivity : forall s m n A, 0 <= s -> semidefinite (m + n)%coq_nat A ->
  gain s (m + n)%coq_nat A <= gain s m A + gain s n (fun i j => A (m + i)%coq_nat (m + j)%coq_nat).
Proof. exact: gains.gain_fischer. Qed.

(* More rounds, more gain. *)
Theorem gain_grows_with_points : forall s m n A, (m <= n)%coq_nat -> 0 <= s -> semidefinite n A ->
  gain s m A <= gain s n A.
Proof. exact: gains.gain_le. Qed.

(* The gain of n rounds is half the sum of log (1 + s variance), the variance of a round being its
   posterior variance given the rounds before it; no variance is negative. *)
Theorem posterior_chain_rule : forall s n A, 0 <= s -> semidefinite n A ->
  gain s n A = / 2 * sum n (fun i => ln (1 + s * variance s i A)) /\
  forall i, (i < n)%coq_nat -> 0 <= variance s i A <= A i i.
Proof.
move=> s n A s0 pA; split=> [|i hi]; first exact: posterior.gain_sum.
have pi : semidefinite (S i) A by apply: gains.semidefinite_le pA; lia.
by split; [exact: (proj1 (posterior.gain_variance s i A s0 pi)) | exact: posterior.variance_le_prior].
Qed.

(* A posterior variance grows with the noise (s is the inverse of the noise variance). *)
Theorem theory_regret_noise_one : forall s t n A, 0 < t <= s -> semidefinite (S n) A ->
  variance s n A <= variance t n A.
Proof. exact: posterior.variance_noise. Qed.

(* Noise inflation: the variances at the model's noise, weighed at a larger noise, are a gain there. *)
Theorem theory_regret_noise_chain : forall s t n A, 0 < t <= s -> semidefinite n A ->
  / 2 * sum n (fun i => ln (1 + t * variance s i A)) <= gain t n A.
Proof. exact: posterior.noise_inflation. Qed.

(* Regret from a gain at more noise: a straight line c0 + c1 u that is never below the deviation as a function of
   the information u at the noise 1/t. *)
Theorem theory_envelope : forall X k h s t mean beta n x tau (f : nat -> X -> R) B G c0 c1,
  0 < t <= s -> kernel X k -> kernel R h -> (forall x0, k x0 x0 <= 1) -> (forall t0, h t0 t0 = 1) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x tau) beta n x ->
  (forall i z, (i < n)%coq_nat -> Rabs (f i z - mean i z) <= sqrt (beta i) * deviation X k h s x tau i z) ->
  gain t n (joint X k h x tau) <= G -> 0 <= c1 ->
  (forall w, 0 <= w <= 1 -> w <= c0 + c1 * (/ 2 * ln (1 + t * w ^ 2))) ->
  forall best : nat -> X, sum n (fun i => f i (best i) - f i (x i)) <= 2 * sqrt B * (INR n * c0 + c1 * G).
Proof. exact: envelope.envelope. Qed.

(* Such a line: it is one where its tangent at some a in the convex part, at 0 and at 1/sqrt t, and the curve at 1
   are not above it. *)
Theorem theory_envelope_line : forall t a c0 c1, 0 < t -> 0 <= a -> t * a ^ 2 <= 1 -> 0 <= c1 ->
  let info w := / 2 * ln (1 + t * w ^ 2) in let slope := t * a / (1 + t * a ^ 2) in
  0 <= c0 + c1 * (info a - slope * a) ->
  0 <= c0 + c1 * (info a - slope * a) + (c1 * slope - 1) * / sqrt t ->
  0 <= c0 + c1 * info 1 - 1 ->
  forall w, 0 <= w <= 1 -> w <= c0 + c1 * info w.
Proof. move=> t a c0 c1 t0 a0 a1 c10; exact: (majorant.majorant t t0 a c0 c1 a0 a1 c10). Qed.

(* The cap of a block: n rounds with prior variances of at most 1 gain at most n/2 log (1+s). *)
Theorem theory_block_cap : forall s n A, 0 <= s -> semidefinite n A ->
  (forall i, (i < n)%coq_nat -> A i i <= 1) -> gain s n A <= / 2 * (INR n * ln (1 + s)).
Proof.
move=> s n A s0 pA A1; apply: Rle_trans (gains.gain_hadamard s n A s0 pA) _.
apply: Rmult_le_compat_l; first lra.
rewrite -sums.sum_const; apply: sums.sum_le => i hi.
have d := gains.semidefinite_diag n A i hi pA; have d1 := A1 i hi.
by apply: sums.ln_le; nra.
Qed.

(* A product with a semidefinite matrix of unit diagonal does not lower the gain: the joint gain is at
   least the gain of space alone (Oppenheim). *)
Theorem theory_gain_above_static : forall s n K J, 0 < s -> semidefinite n K -> semidefinite n J ->
  (forall i, (i < n)%coq_nat -> J i i = 1) ->
  gain s n K <= gain s n (fun i j => K i j * J i j).
Proof. exact: oppenheim.gain_above_static. Qed.

(* The determinant of a matrix with noise v on its diagonal is v^n times that of I + A/v: the
   difference of the entropies of the observations and of the noise is the gain. *)
Theorem gain_is_log_det : forall n A v, 0 < v ->
  det n (fun i j => A i j + v * identity i j) = v ^ n * det n (fun i j => identity i j + / v * A i j).
Proof.
move=> n A v v0; rewrite /det.
set M := (\matrix_(i < n, j < n) (identity i j + / v * A i j))%ring.
have -> : v ^ n * (\det M)%ring = (\det (v *: M))%ring by rewrite detZ RpowE.
congr (\det _)%ring; apply/matrixP => i j; rewrite !mxE.
have e : v * (identity i j + / v * A i j) = A i j + v * identity i j by field; lra.
exact: esym e.
Qed.

(* A unit diagonal of J leaves the trace of the entrywise product: differences of eigenvalues sum to 0. *)
Theorem lemma_13_delta_sum : forall n K J, (forall i, (i < n)%coq_nat -> J i i = 1) ->
  sum n (fun i => K i i * J i i) = sum n (fun i => K i i).
Proof. by move=> n K J J1; apply: sums.sum_ext => i hi; rewrite J1 //; lra. Qed.

(* ---- sums and logarithms ---- *)

Theorem cauchy_schwarz : forall n f g,
  sum n (fun i => f i * g i) ^ 2 <= sum n (fun i => f i ^ 2) * sum n (fun i => g i ^ 2).
Proof. exact: sums.cauchy_schwarz. Qed.

(* Jensen for the logarithm. *)
Theorem jensen_log : forall n f, (forall i, (i < n)%coq_nat -> 0 < f i) -> (0 < n)%coq_nat ->
  sum n (fun i => ln (f i)) <= INR n * ln (sum n f / INR n).
Proof. exact: sums.jensen_log. Qed.

(* The sum of equal terms. *)
Theorem uniform_times_sum : forall n a, sum n (fun _ => a) = INR n * a.
Proof. exact: sums.sum_const. Qed.

(* The sum of 1/i^2 over the first n rounds is at most 2. *)
Theorem lemma_12_line_2 : forall n, sum n (fun i => / INR (i + 1) ^ 2) <= 2.
Proof. exact: theorem_1.inverse_squares. Qed.

(* The Cauchy-Schwarz step of Lemma 12. *)
Theorem lemma_12_line_3 : forall n f, sum n f ^ 2 <= INR n * sum n (fun i => f i ^ 2).
Proof. exact: sums.cauchy_schwarz1. Qed.

(* A mean is at most the root of the mean square. *)
Theorem lemma_13_root_mean_square : forall n f, (0 < n)%coq_nat ->
  sum n f / INR n <= sqrt (sum n (fun i => f i ^ 2) / INR n).
Proof.
move=> n f n0; have N0 : 0 < INR n by apply: lt_0_INR.
have c := sums.cauchy_schwarz1 n f.
have [l|l] := Rle_lt_dec (sum n f / INR n) 0; first by apply: Rle_trans l _; exact: sqrt_pos.
apply: theorem_c.sqrt_lower; first lra.
apply: (Rmult_le_reg_r (INR n ^ 2)); first nra.
have -> : (sum n f / INR n) ^ 2 * INR n ^ 2 = sum n f ^ 2 by field; lra.
have -> : sum n (fun i => f i ^ 2) / INR n * INR n ^ 2 = INR n * sum n (fun i => f i ^ 2) by field; lra.
exact: c.
Qed.

(* Deviations p with weights b of their own, b^2 at most B. *)
Theorem theory_sum_of_betas : forall n (b p : nat -> R) B, (forall i, (i < n)%coq_nat -> b i ^ 2 <= B) ->
  sum n (fun i => b i * p i) ^ 2 <= sum n (fun i => b i ^ 2) * sum n (fun i => p i ^ 2) <=
  INR n * B * sum n (fun i => p i ^ 2).
Proof. exact: ceilings.weighted_sums. Qed.

(* v log (1+s) <= log (1+sv) for a variance v in [0, 1]. *)
Theorem theorem_1_constant : forall s v, 0 < s -> 0 <= v <= 1 -> v * ln (1 + s) <= ln (1 + s * v).
Proof. exact: theorem_1.log_chord. Qed.

(* phi is at least log (1+x). *)
Theorem phi_above_log : forall x, 0 <= x -> ln (1 + x) <= phi x.
Proof. exact: theorem_1.phi_above. Qed.

(* ---- the forgetting kernel ---- *)

(* exp (-rate |t-u|) is a kernel at all finite sequences of real times, is 1 at equal times, is
   never negative, and 1 minus it is at most rate |t-u|. *)
Theorem forgetting_kernel_psd : forall rate, 0 <= rate ->
  kernel R (forgetting rate) /\ (forall t, forgetting rate t t = 1) /\
  (forall t u, 0 <= forgetting rate t u) /\
  (forall t u, 1 - forgetting rate t u <= rate * Rabs (t - u)).
Proof.
move=> rate r0; split; first exact: kernels.forgetting_kernel.
split; first exact: kernels.forgetting_unit.
by split; [exact: kernels.forgetting_pos | exact: kernels.forgetting_slope].
Qed.

(* From a time p after all earlier rounds to a later time t a posterior variance of a point with
   prior variance 1 becomes 1 - k_time(p,t)^2 (1 - the variance at p). *)
Theorem theory_filter_variance : forall X k rate s x tau i z p t,
  (forall j, (j < i)%coq_nat -> tau j <= p) -> p <= t -> k z z = 1 ->
  variance_at X k (forgetting rate) s x tau i z t =
  1 - forgetting rate p t ^ 2 * (1 - variance_at X k (forgetting rate) s x tau i z p).
Proof. exact: theorem_c.variance_carried. Qed.

(* ---- Theorem A ---- *)

(* One block with matrices: the centre is the last index of J. *)
Theorem theory_a_block : forall s n K J, 0 <= s -> semidefinite n K ->
  (forall i, (i < n)%coq_nat -> K i i <= 1) -> semidefinite (S n) J ->
  (forall i, (i < S n)%coq_nat -> J i i = 1) ->
  gain s n (fun i j => K i j * J i j) <=
  gain s n K + / 2 * sum n (fun i => ln (1 + s * (1 - J i n ^ 2))).
Proof. exact: gains.gain_centre. Qed.

(* Theorem A: for every partition of the rounds into consecutive blocks, every real centre c i of
   block i and every sequence of points, the joint gain is at most the sum over the blocks of gamma
   at the block's length and half the sum of log (1 + s (1 - k_time(tau, centre)^2)). *)
Theorem theory_a : forall X k h s gamma (blocks : list nat) x tau (c : nat -> R),
  0 <= s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  bounds_space_gain X k s gamma ->
  gain s (total blocks) (joint X k h x tau) <=
  over_blocks (fun i d m =>
    gamma m + / 2 * sum m (fun j => ln (1 + s * (1 - h (tau (d + j)%coq_nat) (c i) ^ 2)))) 0 0 blocks.
Proof. exact: theorem_a.theorem_a. Qed.

(* Theorem A is never above Theorem 1, block by block: some time of the block, as centre, has a drift
   at most that of Theorem 1 (with log (1+x), before phi). *)
Theorem theory_a_below_theorem_1 : forall (h : R -> R -> R) s theta, 0 <= s -> kernel R h ->
  (forall t, h t t = 1) -> (forall t u, 0 <= h t u) -> 0 <= theta ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) ->
  forall tau d m, (0 < m)%coq_nat -> exists j, (j < m)%coq_nat /\
  sum m (fun i => ln (1 + s * (1 - h (tau (d + i)%coq_nat) (tau (d + j)%coq_nat) ^ 2))) <=
  INR m * ln (1 + s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m)).
Proof. exact: theorem_1.drift_below. Qed.

(* ---- Theorem B ---- *)

(* Whatever the pattern of the times tau_0 <= tau_1 <= ... within an interval of length T. *)
Theorem theory_b : forall X k h s theta gamma n x tau a T,
  0 <= s -> 0 <= theta -> 0 <= T -> kernel X k -> kernel R h -> (forall x, k x x <= 1) ->
  (forall t, h t t = 1) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) ->
  bounds_space_gain X k s gamma ->
  (forall i j, (i <= j)%coq_nat -> (j < n)%coq_nat -> tau i <= tau j) ->
  (forall i, (i < n)%coq_nat -> a <= tau i <= a + T) ->
  gain s n (joint X k h x tau) <= gamma n + sqrt (2 * s * gamma n * INR n * theta * T).
Proof. exact: theorem_b.theorem_b. Qed.

(* ---- Theorem 1 ---- *)

(* The block bound for matrices, with the sum of (1 - J_ij)^2. *)
Theorem theorem_1_block : forall s n K J, 0 <= s -> semidefinite n K -> semidefinite n J ->
  (forall i, (i < n)%coq_nat -> K i i <= 1) -> (forall i, (i < n)%coq_nat -> J i i = 1) ->
  gain s n (fun i j => K i j * J i j) <= gain s n K +
  / 2 * INR n * ln (1 + s * sqrt (sum n (fun i => sum n (fun j => (1 - J i j) ^ 2)) / INR n)).
Proof. exact: determinants.block_bound. Qed.

(* Lemma 13: the joint gain of n rounds against N gamma_M and the uniformity of the blocks. *)
Theorem lemma_13 : forall X k h s theta gamma (blocks : list nat) x tau,
  0 <= s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) ->
  (forall t, h t t = 1) -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  gain s (total blocks) (joint X k h x tau) <=
  INR (length blocks) * gamma (longest blocks) +
  / 2 * over_blocks (fun i d m =>
    INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 blocks.
Proof. exact: theorem_1.theorem_1_gain. Qed.

(* The same with the sum of the gammas and the logarithm in place of phi. *)
Theorem lemma_13_block : forall X k h s theta gamma (blocks : list nat) x tau,
  0 <= s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) ->
  (forall t, h t t = 1) -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  gain s (total blocks) (joint X k h x tau) <=
  over_blocks (fun i d m => gamma m +
    / 2 * INR m * ln (1 + s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 blocks.
Proof. exact: theorem_1.theorem_1_gain_sharp. Qed.

(* Lemma 11 on the confidence event: the regret of a round. *)
Theorem lemma_11_round_index_repaired : forall X (mean sd : nat -> X -> R) beta n x f top,
  (forall i z, 0 <= sd i z) -> upper_confidence_policy X mean sd beta n x ->
  confidence_event X mean sd beta n x f top ->
  forall i, (i < n)%coq_nat ->
  top i - f i <= 2 * (sqrt (beta i) * sd i (x i)) + / INR (i + 1) ^ 2.
Proof. exact: theorem_1.round_regret. Qed.

(* Lemma 12 on the confidence event, at the model's noise (t = s) or any larger one (t < s). *)
Theorem lemma_12_repaired : forall X k h s t mean beta n x tau f top B,
  0 < t <= s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x tau) beta n x ->
  confidence_event X mean (deviation X k h s x tau) beta n x f top ->
  sum n (fun i => top i - f i) <=
  sqrt (8 / ln (1 + t) * B * INR n * gain t n (joint X k h x tau)) + 2.
Proof. exact: theorem_1.regret_gain. Qed.

(* Theorem 1 on its confidence event: for every partition of the n rounds, with C = 8/log(1+s) and B
   at least every beta, R_n <= sqrt (C B n gain) + 2, and this is at most the same with
   N gamma_M + 1/2 sum M_i phi(s theta sqrt(C_i/M_i)) for the gain. *)
Theorem theorem_1 : forall X k h s theta gamma mean beta (blocks : list nat) x tau f top B,
  0 < s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) ->
  (forall t, h t t = 1) -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  (forall i, (i < total blocks)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x tau) beta (total blocks) x ->
  confidence_event X mean (deviation X k h s x tau) beta (total blocks) x f top ->
  let n := total blocks in
  sum n (fun i => top i - f i) <=
    sqrt (8 / ln (1 + s) * B * INR n * gain s n (joint X k h x tau)) + 2 <=
    sqrt (8 / ln (1 + s) * B * INR n *
      (INR (length blocks) * gamma (longest blocks) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 blocks)) + 2.
Proof. exact: theorem_1.theorem_1. Qed.

(* The cap that needs no gain. *)
Theorem theory_trivial_regret : forall X k h s mean beta n x tau f top B,
  0 <= s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x tau) beta n x ->
  confidence_event X mean (deviation X k h s x tau) beta n x f top ->
  sum n (fun i => top i - f i) <= 2 * sqrt B * INR n + 2.
Proof. exact: theorem_1.trivial_regret. Qed.

(* ---- Theorem C ---- *)

(* The constant of a round, for every deviation sg in [0, 1/2]. *)
Theorem theory_c_constant_tight : forall sg, 0 <= sg <= / 2 ->
  3 * sg + (1 - 2 * sg) * (1 - sqrt (1 - sg ^ 2)) <= 3064 / 1000 * sg.
Proof. exact: theorem_c.constant_c. Qed.

(* The scalar core. *)
Theorem theory_c_regret_tight : forall q r sg A, 0 <= q -> 0 <= r -> r ^ 2 + q ^ 2 = 1 ->
  q <= sg -> sg <= 1 ->
  Rmin 1 (r * A + q) - Rmax (-1) (A - 2 * sg) <= 3064 / 1000 * sg.
Proof. exact: theorem_c.core_c. Qed.

(* Theorem C on its events, forgetting kernel, evaluation time t z of a point z: the regret of every
   round against every point, and the sum over n rounds against any points. *)
Theorem theory_c : forall X k rate s n x (t : X -> R) tau mean beta (f : nat -> X -> R) B,
  0 < s -> 0 <= rate -> kernel X k -> (forall x, k x x = 1) -> (forall z, 0 <= t z) ->
  (forall i, tau i = (if i is S j then tau j else 0) + t (x i)) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  let before i := if i is S j then tau j else 0 in
  let decay z := forgetting rate 0 (t z) in
  let sd i z u := sqrt (variance_at X k (forgetting rate) s x tau i z u) in
  (* the point of round i maximises the upper confidence value at its own time of evaluation *)
  (forall i z, (i < n)%coq_nat ->
     decay z * mean i z + sqrt (beta i) * sd i z (before i + t z) <=
     decay (x i) * mean i (x i) + sqrt (beta i) * sd i (x i) (tau i)) ->
  (* the events: all values at the time of round i are near their means, and below sqrt beta *)
  (forall i z, (i < n)%coq_nat ->
     Rabs (f i z - decay (x i) * mean i z) <= sqrt (beta i) * sd i z (tau i)) ->
  (forall i z, (i < n)%coq_nat -> Rabs (f i z) <= sqrt (beta i)) ->
  (forall i z, (i < n)%coq_nat ->
     f i z - f i (x i) <= 3064 / 1000 * (sqrt (beta i) * sd i (x i) (tau i))) /\
  forall best : nat -> X, sum n (fun i => f i (best i) - f i (x i)) <=
    sqrt (2348 / 1000 * (8 / ln (1 + s)) * B * INR n * gain s n (joint X k (forgetting rate) x tau)).
Proof. exact: theorem_c.theorem_c. Qed.

(* ---- uniformity ---- *)

(* Sums over pairs by their lags: lag l > 0 occurs 2(n-l) times. *)
Theorem sum_by_lags : forall n (g : nat -> R),
  sum n (fun j => sum n (fun k => g (Nat.sub j k + Nat.sub k j)%coq_nat)) =
  INR n * g O + 2 * sum n (fun l => (INR n - INR (S l)) * g (S l)).
Proof. exact: uniformity.sum_by_lags. Qed.

(* Lemma 1, first formula, for every real n/(epsilon T) >= i. *)
Theorem lemma_1_uncapped : forall T n eps d i, 0 < T -> (0 < n)%coq_nat -> 0 < eps ->
  INR i <= INR n / (eps * T) ->
  uniformity (/ eps ^ 2) (uniform_times T n) d i =
  / 6 * (T ^ 2 / INR n ^ 2) * INR i ^ 2 * (INR i ^ 2 - 1).
Proof. exact: uniformity.lemma_1_uncapped. Qed.

(* Lemma 1, second formula as printed, where n/(epsilon T) is an integer from 1 to i. *)
Theorem lemma_1_capped_integer : forall T n eps d i K, 0 < T -> (0 < n)%coq_nat -> 0 < eps ->
  INR n / (eps * T) = INR K -> (0 < K)%coq_nat -> (K <= i)%coq_nat ->
  uniformity (/ eps ^ 2) (uniform_times T n) d i = printed_second T (INR n) eps (INR i).
Proof. exact: uniformity.lemma_1_capped_integer. Qed.

(* Lemma 1, second formula: without the integer it is false. *)
Theorem lemma_1_capped_false :
  exists T n eps i, 0 < T /\ (0 < n)%coq_nat /\ 0 < eps <= 1 /\ (i <= n)%coq_nat /\
    INR n / (eps * T) <= INR i /\
    uniformity (/ eps ^ 2) (uniform_times T n) 0 i <> printed_second T (INR n) eps (INR i).
Proof. exact: uniformity.lemma_1_capped_false. Qed.

(* Lemma 1 for every real x = n/(epsilon T) >= 0, K the smaller of i-1 and the integer part of x. *)
Theorem lemma_1_exact : forall T n eps d i K, 0 < T -> (0 < n)%coq_nat -> 0 < eps ->
  let x := INR n / (eps * T) in
  (0 < i)%coq_nat -> INR K <= x -> (K <= Nat.sub i 1)%coq_nat -> (x <= INR K + 1 \/ K = Nat.sub i 1) ->
  uniformity (/ eps ^ 2) (uniform_times T n) d i = (T / INR n) ^ 2 *
   (INR i * INR K * (INR K + 1) * (2 * INR K + 1) / 3 - INR K ^ 2 * (INR K + 1) ^ 2 / 2 +
    x ^ 2 * (INR i - 1 - INR K) * (INR i - INR K)).
Proof.
move=> T n eps d i K T0 n0 e0 x i0 h1 h2 h3.
by rewrite uniformity.uniformity_scaled // (uniformity.capped_exact _ K).
Qed.

(* Lemma 2, with membership of round n0 by its index. *)
Theorem lemma_2 : forall T n0 eps k0 i,
  ((k0 + 1 <= n0)%coq_nat -> (n0 <= (k0 + i)%coq_nat)%coq_nat ->
   uniformity (/ eps ^ 2) (biased_times T n0) k0 i =
   2 * (INR n0 - INR k0 - 1) * (INR k0 + INR i - INR n0 + 1) * Rmin (/ eps ^ 2) (T ^ 2)) /\
  ((n0 <= k0)%coq_nat \/ ((k0 + i)%coq_nat < n0)%coq_nat ->
   uniformity (/ eps ^ 2) (biased_times T n0) k0 i = 0).
Proof.
by move=> T n0 eps k0 i; split; [exact: uniformity.lemma_2_inside | exact: uniformity.lemma_2_outside].
Qed.

(* Two groups of equal times, a of them u and b of them v. *)
Theorem appendix_c_biased_sum : forall cap tau d a b u v, 0 <= cap ->
  (forall j, (j < a)%coq_nat -> tau (d + j)%coq_nat = u) ->
  (forall j, (j < b)%coq_nat -> tau (d + (a + j)%coq_nat)%coq_nat = v) ->
  uniformity cap tau d (a + b)%coq_nat = 2 * INR a * INR b * Rmin cap ((u - v) ^ 2).
Proof. exact: uniformity.two_levels. Qed.

(* The squared distances of i unit steps, over ordered pairs. *)
Theorem appendix_c_squares : forall i,
  sum i (fun j => sum i (fun k => (INR j - INR k) ^ 2)) = INR i ^ 2 * (INR i ^ 2 - 1) / 6.
Proof. exact: uniformity.squares. Qed.

(* Of the i rounds after round k0 those before round n0, which is one of them, and the others. *)
Theorem appendix_c_biased_counts : forall k0 i n0, (k0 + 1 <= n0)%coq_nat -> (n0 <= (k0 + i)%coq_nat)%coq_nat ->
  sum i (fun l => if Nat.ltb (k0 + (l + 1))%coq_nat n0 then 1 else 0) = INR n0 - INR k0 - 1 /\
  sum i (fun l => if Nat.ltb (k0 + (l + 1))%coq_nat n0 then 0 else 1) = INR k0 + INR i - INR n0 + 1.
Proof.
move=> k0 i n0 h1 h2; have e := uniformity.rounds_before k0 i n0 h1 h2; split=> //.
rewrite (sums.sum_ext i _ (fun l => 1 - if Nat.ltb (k0 + (l + 1))%coq_nat n0 then 1 else 0)).
  by rewrite sums.sum_minus sums.sum_const e; ring.
by move=> l _; case: Nat.ltb; ring.
Qed.

(* Lemma 1's second formula is an upper bound wherever it is asked for, for every real n/(epsilon T). *)
Theorem appendix_d_second_formula_above : forall T n eps d i, 0 < T -> (0 < n)%coq_nat -> 0 < eps ->
  (0 < i)%coq_nat -> INR n / (eps * T) <= INR i ->
  uniformity (/ eps ^ 2) (uniform_times T n) d i <= printed_second T (INR n) eps (INR i).
Proof. exact: uniformity.second_formula_above. Qed.

(* The drift of m rounds within a span g. *)
Theorem theory_every_sequence_drift : forall cap tau d m g, 0 <= g ->
  (forall j k, (j < m)%coq_nat -> (k < m)%coq_nat -> Rabs (tau (d + j)%coq_nat - tau (d + k)%coq_nat) <= g) ->
  sqrt (uniformity cap tau d m / INR m) <= sqrt (INR m) * g.
Proof. exact: uniformity.span_drift. Qed.

(* Without drift Theorem 1's bound on the gain with one block is gamma n. *)
Theorem remark_no_drift : forall s theta (gamma : nat -> R) tau n,
  theta = 0 \/ (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> tau i = tau j) ->
  INR 1 * gamma n + / 2 * (INR n * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau 0 n / INR n))) = gamma n.
Proof. exact: uniformity.no_drift. Qed.

(* ---- the search ---- *)

(* Lemma M, both halves: the mean pair sum of two adjacent blocks is at least that of each. *)
Theorem theory_m : forall D tau d a b,
  (forall u, 0 <= D u) -> (forall u v, 0 <= u -> u <= v -> D u <= D v) ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) -> (0 < a)%coq_nat -> (0 < b)%coq_nat ->
  pair_sum D tau d a / INR a <= pair_sum D tau d (a + b)%coq_nat / INR (a + b)%coq_nat /\
  pair_sum D tau (d + a)%coq_nat b / INR b <= pair_sum D tau d (a + b)%coq_nat / INR (a + b)%coq_nat.
Proof. exact: search.lemma_m. Qed.

(* So m g(C/m) is superadditive over adjacent blocks, for every non-decreasing g. *)
Theorem theory_superadditive : forall D g tau d a b,
  (forall u, 0 <= D u) -> (forall u v, 0 <= u -> u <= v -> D u <= D v) ->
  (forall u v, u <= v -> g u <= g v) ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) -> (0 < a)%coq_nat -> (0 < b)%coq_nat ->
  INR a * g (pair_sum D tau d a / INR a) + INR b * g (pair_sum D tau (d + a)%coq_nat b / INR b) <=
  INR (a + b)%coq_nat * g (pair_sum D tau d (a + b)%coq_nat / INR (a + b)%coq_nat).
Proof. exact: search.superadditive. Qed.

(* Pruning is exact: every least cost is attained at a start that has not been pruned, with
   non-decreasing prices, a superadditive drift and a cap L on the length of a block. *)
Theorem theory_pruning : forall L price w F,
  (forall m m', (m <= m')%coq_nat -> price m <= price m') ->
  (forall j e x, (j < e)%coq_nat -> (e < x)%coq_nat -> w j e + w e x <= w j x) ->
  least_cost L price w F ->
  forall x, (0 < x)%coq_nat -> exists j, (j < x)%coq_nat /\ (Nat.sub x j <= L)%coq_nat /\
    ~ pruned w F j x /\ F x = F j + (price (Nat.sub x j) + w j x).
Proof. exact: search.pruning_exact. Qed.

(* ---- Theorem 2 ---- *)

(* Biased times, every jump and every place of it: the joint gain is at most twice the space gain. *)
Theorem biased_gain : forall X k h s gamma, 0 <= s -> kernel X k -> kernel R h ->
  (forall t, h t t = 1) -> bounds_space_gain X k s gamma ->
  forall T n0 n x, (1 <= n0)%coq_nat -> (n0 <= n)%coq_nat ->
  gain s n (joint X k h x (biased_times T n0)) <= 2 * gamma n.
Proof. exact: rates.biased_gain. Qed.

(* Theorem 2 (ii) on the confidence event, biased times: with the rate gamma_n <= G n^c the regret is
   at most sqrt (2 C B G) n^((1+c)/2) + 2. *)
Theorem lemma_18 : forall X k h s gamma mean beta n (x : nat -> X) f top B T n0 G c,
  0 < s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  bounds_space_gain X k s gamma ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x (biased_times T n0)) beta n x ->
  confidence_event X mean (deviation X k h s x (biased_times T n0)) beta n x f top ->
  (1 <= n0)%coq_nat -> (n0 <= n)%coq_nat -> 0 <= G -> gamma n <= G * Rpower (INR n) c ->
  sum n (fun i => top i - f i) <= sqrt (16 / ln (1 + s) * B * G) * Rpower (INR n) ((1 + c) / 2) + 2.
Proof. exact: rates.biased_regret. Qed.

(* Any times within a span T with theta T n^(3/2) <= 1: the space gain and s/2. gamma m is any upper bound
   over all sequences of m points; exponents are not stated. *)
Theorem theorem_2_short : forall X k h s theta gamma, 0 <= s -> 0 <= theta -> kernel X k -> kernel R h ->
  (forall x, k x x <= 1) -> (forall t, h t t = 1) -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  forall n x tau T, 0 <= T ->
  (forall j l, (j < n)%coq_nat -> (l < n)%coq_nat -> Rabs (tau j - tau l) <= T) ->
  theta * T * (INR n * sqrt (INR n)) <= 1 ->
  gain s n (joint X k h x tau) <= gamma n + s / 2.
Proof. exact: rates.short_span. Qed.

(* Uniform times over T, N blocks of m rounds that cover the n rounds: the gain is at most
   N (gamma m + m s theta (T/n) m sqrt(m)/2). The choice of m and the exponents are not stated. *)
Theorem theorem_2_uniform : forall X k h s theta gamma, 0 <= s -> 0 <= theta -> kernel X k -> kernel R h ->
  (forall x, k x x <= 1) -> (forall t, h t t = 1) -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  forall n x T m N, 0 <= T -> (0 < n)%coq_nat -> (n <= (N * m)%coq_nat)%coq_nat ->
  gain s n (joint X k h x (uniform_times T n)) <=
  INR N * (gamma m + / 2 * (INR m * (s * theta * (T / INR n * INR m * sqrt (INR m))))).
Proof. exact: rates.uniform_blocks. Qed.

(* Theorem 2 (i), the gain, uniform times over T with theta T <= n^kappa and gamma_m <= G m^c: blocks of
   about n^u rounds, any u, give 4 G n^(1-(1-c)u) + 6 s n^(kappa+3u/2). The rate of gamma is a hypothesis
   for m up to 2n; G may hold logarithms. *)
Theorem theorem_2_uniform_gain : forall X k h s theta gamma, 0 <= s -> 0 <= theta -> kernel X k ->
  kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  forall n x T G c u kappa, (0 < n)%coq_nat -> 0 <= T -> 0 <= G -> 0 <= c <= 1 -> 0 <= u <= 1 ->
  (forall m, (0 < m)%coq_nat -> (m <= (2 * n)%coq_nat)%coq_nat -> gamma m <= G * Rpower (INR m) c) ->
  theta * T <= Rpower (INR n) kappa ->
  gain s n (joint X k h x (uniform_times T n)) <=
  4 * G * Rpower (INR n) (1 - (1 - c) * u) + 6 * s * Rpower (INR n) (kappa + 3 / 2 * u).
Proof. exact: rates.uniform_rate. Qed.

(* Theorem 2 (i) on the confidence event: the exponents of the regret for uniform times. *)
Theorem theorem_2_uniform_regret : forall X k h s theta gamma mean beta n (x : nat -> X) f top B T G c kappa,
  0 < s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) ->
  bounds_space_gain X k s gamma ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x (uniform_times T n)) beta n x ->
  confidence_event X mean (deviation X k h s x (uniform_times T n)) beta n x f top ->
  (0 < n)%coq_nat -> 0 <= T -> 0 <= G -> 0 <= c <= 1 ->
  (forall m, (0 < m)%coq_nat -> (m <= (2 * n)%coq_nat)%coq_nat -> gamma m <= G * Rpower (INR m) c) ->
  theta * T <= Rpower (INR n) kappa ->
  let factor := sqrt (8 / ln (1 + s) * B * (4 * G + 6 * s)) in
  (kappa <= c - 3 / 2 -> sum n (fun i => top i - f i) <= factor * Rpower (INR n) ((1 + c) / 2) + 2) /\
  (c - 3 / 2 <= kappa <= 1 -> sum n (fun i => top i - f i) <=
     factor * Rpower (INR n) ((4 - c + kappa * (1 - c)) / (5 - 2 * c)) + 2).
Proof. exact: rates.uniform_exponents. Qed.

(* Lemma 15: the three regimes with gamma_m <= G, and the last with the cap that needs no gain. *)
Theorem lemma_15 : forall X k h s theta gamma mean beta n (x : nat -> X) f top B T G kappa,
  0 < s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) ->
  bounds_space_gain X k s gamma ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x (uniform_times T n)) beta n x ->
  confidence_event X mean (deviation X k h s x (uniform_times T n)) beta n x f top ->
  (0 < n)%coq_nat -> 0 <= T -> 0 <= G ->
  (forall m, (0 < m)%coq_nat -> (m <= (2 * n)%coq_nat)%coq_nat -> gamma m <= G) ->
  theta * T <= Rpower (INR n) kappa ->
  let factor := sqrt (8 / ln (1 + s) * B * (4 * G + 6 * s)) in
  (kappa <= - 3 / 2 -> sum n (fun i => top i - f i) <= factor * sqrt (INR n) + 2) /\
  (- 3 / 2 <= kappa <= 1 -> sum n (fun i => top i - f i) <= factor * Rpower (INR n) ((4 + kappa) / 5) + 2) /\
  sum n (fun i => top i - f i) <= 2 * sqrt B * INR n + 2.
Proof.
move=> X k h s theta gamma mean beta n x f top B T G kappa s0 t0 pk ph k1 h1 h0 hs bg hb pol ev n0 T0 G0 hg span factor.
have N0 : 0 < INR n by apply: lt_0_INR.
have rate m : (0 < m)%coq_nat -> (m <= (2 * n)%coq_nat)%coq_nat -> gamma m <= G * Rpower (INR m) 0.
  by move=> m0 hm; rewrite Rpower_O ?Rmult_1_r; [exact: hg | apply: lt_0_INR].
have [first middle] := rates.uniform_exponents X k h s theta gamma mean beta n x f top B T G 0 kappa
  s0 t0 pk ph k1 h1 h0 hs bg hb pol ev n0 T0 G0 ltac:(lra) rate span.
split=> [hk|].
  have := first ltac:(lra); have -> : (1 + 0) / 2 = / 2 by lra.
  by rewrite Rpower_sqrt.
split=> [hk|]; last exact: (theorem_1.trivial_regret X k h s mean beta n x (uniform_times T n) f top B (Rlt_le _ _ s0) pk ph k1 h1 hb pol ev).
by have := middle ltac:(lra); rewrite Rmult_0_r !Rminus_0_r Rmult_1_r.
Qed.

(* ---- the certificate of the maximum gain ---- *)

(* Lemma R: A with the eigenvalues a_0 >= a_1 >= ... >= 1 and orthonormal eigenvectors Q_0, Q_1, ..., X
   the sum of n rank-one matrices F_i F_i^T in n + q dimensions:
   log det (I + X) <= the sum of psi over the n largest a and tr (A^-1 X). *)
Theorem theory_r : forall n q (F Q : nat -> nat -> R) (a : nat -> R),
  (forall l m, (l < (n + q)%coq_nat)%coq_nat -> (m < (n + q)%coq_nat)%coq_nat ->
     sum (n + q)%coq_nat (fun p => Q l p * Q m p) = identity l m) ->
  (forall l, 1 <= a l) -> (forall l m, (l <= m)%coq_nat -> a m <= a l) ->
  ln (det (n + q)%coq_nat (fun l m => identity l m + sum n (fun i => F i l * F i m))) <=
  sum n (fun i => psi (a i)) +
  sum n (fun i => sum (n + q)%coq_nat (fun l => sum (n + q)%coq_nat (fun p => Q l p * F i p) ^ 2 / a l)).
Proof. exact: lemma_r.rank_aware_rotated. Qed.

(* The maximum gain by duality: with S = alpha I + H,
   twice the gain of n points is at most ln det S + tr S^-1 - p + (n-p) psi alpha + s n V/alpha;
   H is the compression of the kernel to reference points z by weights W, and V is at least the
   remaining variance k(x,x) - c(x)^T S^-1 c(x) of the points played. *)
Theorem theory_certificate : forall X k s n (x : nat -> X) m (z : nat -> X) p (W : nat -> nat -> R) alpha V,
  0 <= s -> kernel X k -> 1 <= alpha ->
  let H a b := sum m (fun i => sum m (fun j => W i a * k (z i) (z j) * W j b)) in
  let A a b := alpha * identity a b + H a b in
  let c y a := sum m (fun i => W i a * k (z i) y) in
  (forall i, (i < n)%coq_nat -> k (x i) (x i) - inverse_form p A (c (x i)) <= V) ->
  2 * gain s n (gram X k x) <=
  ln (det p A) + trace_inverse p A - INR p + (INR n - INR p) * psi alpha + s * INR n / alpha * V.
Proof. exact: duality.certificate. Qed.

(* The same for the joint gain: a feature is a product of one of space and one of time, with reference points z and
   weights U, reference times u and weights W; V i is at least what remains of round i. *)
Theorem theory_joint_certificate : forall X k h s n (x : nat -> X) tau m (z : nat -> X) q (u : nat -> R) p
  (U W : nat -> nat -> R) alpha (V : nat -> R),
  0 <= s -> kernel X k -> kernel R h -> 1 <= alpha ->
  let H a b := sum m (fun i => sum m (fun j => U i a * k (z i) (z j) * U j b)) *
    sum q (fun i => sum q (fun j => W i a * h (u i) (u j) * W j b)) in
  let A a b := alpha * identity a b + H a b in
  let c y t a := sum m (fun i => U i a * k (z i) y) * sum q (fun i => W i a * h (u i) t) in
  (forall i, (i < n)%coq_nat -> k (x i) (x i) * h (tau i) (tau i) - inverse_form p A (c (x i) (tau i)) <= V i) ->
  2 * gain s n (joint X k h x tau) <=
  ln (det p A) + trace_inverse p A - INR p + (INR n - INR p) * psi alpha + s / alpha * sum n V.
Proof.
move=> X k h s n x tau m z q u p U W alpha V; exact: (joint_dual.joint_dual X k h s n x tau m z q u p U W alpha V).
Qed.

(* The plain dual, alpha = 1: with A = I + H twice the gain of n points is at most
   ln det A + tr A^-1 - p + s n max v. *)
Theorem plain_duality : forall X k s n (x : nat -> X) m (z : nat -> X) p (W : nat -> nat -> R) V,
  0 <= s -> kernel X k ->
  let H a b := sum m (fun i => sum m (fun j => W i a * k (z i) (z j) * W j b)) in
  let A a b := 1 * identity a b + H a b in
  let c y a := sum m (fun i => W i a * k (z i) y) in
  (forall i, (i < n)%coq_nat -> k (x i) (x i) - inverse_form p A (c (x i)) <= V) ->
  2 * gain s n (gram X k x) <= ln (det p A) + trace_inverse p A - INR p + s * INR n * V.
Proof.
move=> X k s n x m z p W V s0 pk H A c hV.
have := duality.certificate X k s n x m z p W 1 V s0 pk ltac:(lra) hV.
have -> : psi 1 = 0 by rewrite /psi ln_1; field.
by rewrite Rmult_0_r Rplus_0_r /Rdiv Rinv_1 Rmult_1_r.
Qed.

(* Knots in time: with q of them, at any times, and any weights a of a round's prediction from them. *)
Theorem theory_knots : forall X k h s gamma n x tau q (knot : nat -> R) (a : nat -> nat -> R),
  0 <= s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  bounds_space_gain X k s gamma ->
  gain s n (joint X k h x tau) <= INR q * gamma n +
  / 2 * sum n (fun i => ln (1 + s * (1 - 2 * sum q (fun l => a i l * h (tau i) (knot l)) +
    sum q (fun l => sum q (fun m => a i l * a i m * h (knot l) (knot m)))))).
Proof.
move=> X k h s gamma n x tau q knot a s0 pk ph k1 h1 bg.
pose t i := if Nat.ltb i n then tau i else knot (Nat.sub i n).
have low i : (i < n)%coq_nat -> t i = tau i by move=> hi; rewrite /t (proj2 (Nat.ltb_lt i n) hi).
have high l : t (n + l)%coq_nat = knot l.
  by rewrite /t (proj2 (Nat.ltb_ge _ _)); [congr knot; lia | lia].
have e := knots.knots_matrix s n q (gram X k x) (fun i j => h (t i) (t j)) a s0 (pk n x) (fun i _ => k1 (x i))
  (ph (n + q)%coq_nat t) (fun i _ => Req_le _ _ (h1 (t i))).
rewrite (gains.gain_ext s n _ (fun i j => gram X k x i j * h (t i) (t j))); last first.
  by move=> i j hi hj; rewrite /joint /gram !low.
apply: Rle_trans e _; apply: Rplus_le_compat.
  by apply: Rmult_le_compat_l; [exact: pos_INR | exact: bg].
right; congr (/ 2 * _); apply: sums.sum_ext => i hi.
rewrite /residual !low // h1; congr (ln (1 + s * (1 - 2 * _ + _))).
  by apply: sums.sum_ext => l _; rewrite high.
by apply: sums.sum_ext => l _; apply: sums.sum_ext => m _; rewrite !high.
Qed.

(* ---- floors ---- *)

(* Rounding squared correlations up, noises down, and the shares themselves down in any round, from any
   start: what comes out is at most the recursion's value in every round. *)
Theorem theory_f_monotone : forall a2 b2 nu mu (p q : nat -> R), (forall j, 0 <= a2 j <= b2 j) ->
  (forall j, b2 j <= 1) -> (forall j, 0 < nu j <= mu j) -> (forall j, p (S j) = carried (a2 j) (mu j) (p j)) ->
  (forall j, 0 <= q (S j) <= carried (b2 j) (nu j) (q j)) -> 0 <= q O <= p O -> p O <= 1 ->
  forall i, q i <= p i.
Proof. exact: floors.rounded_down. Qed.

(* The posterior covariance of all n points keeps at least the floor's share of the prior, whichever
   points are observed: it less that share of K is semidefinite. The covariance is updated round by
   round: an observation, then a drift with the squared correlation a2. *)
Theorem posterior_share : forall n K a2 nu b m, semidefinite n K ->
  (forall i, (i < n)%coq_nat -> K i i <= 1) -> (forall j, (b j < n)%coq_nat) ->
  (forall j, 0 <= a2 j <= 1) -> (forall j, 0 < nu j) ->
  semidefinite n (fun i j => posterior_covariance K a2 nu b m i j - floor_share a2 nu m * K i j).
Proof. exact: share.share_left. Qed.

(* Regrets that are 0 or at least the gap, summed. *)
Theorem margin_inequality : forall n r gap eta, 0 < eta ->
  (forall i, (i < n)%coq_nat -> r i = 0 \/ gap i <= r i) ->
  sum n r <= eta * sum n (fun i => if Rle_dec (gap i) eta then 1 else 0) + sum n (fun i => r i ^ 2) / eta.
Proof. exact: floors.margin_sum. Qed.

(* The deterministic step of Theorems F and X, over finitely many cases with weights w: whatever is
   played in each case, its mean value is at most the mean of the largest value. *)
Theorem floor_step : forall m w, (forall i, 0 <= w i) -> forall N (mu : nat -> nat -> R) top play,
  (forall i, (i < m)%coq_nat -> (play i < N)%coq_nat) ->
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> mu i x <= top i) ->
  sum m (fun i => w i * mu i (play i)) <= sum m (fun i => w i * top i).
Proof. exact: floors.floor_step. Qed.

(* Theorem F's algebra. Looks at f in the points x and times tau with noise variance 1/s; P is the
   posterior covariance of f(z i, t) and f(z j, t); p is the share of the variance of g(t) that looks at
   g(tau) with noise variance 1/(s kappa) leave, g of covariance h. Then p K <= P <= K in the order of
   semidefinite matrices: for all kernels, points, times, and sizes. *)
Theorem theory_f_gram : forall X k h s kappa, 0 < s -> 0 < kappa -> kernel X k -> kernel R h ->
  (forall x, k x x <= kappa) -> forall n x tau t m (z : nat -> X), h t t = 1 ->
  let P i j := covariance s n (joint X k h x tau) (fun l => k (x l) (z i) * h (tau l) t)
                 (fun l => k (x l) (z j) * h (tau l) t) (k (z i) (z j)) in
  let p := covariance (s * kappa) n (gram R h tau) (fun l => h (tau l) t) (fun l => h (tau l) t) 1 in
  semidefinite m (fun i j => P i j - p * k (z i) (z j)) /\
  semidefinite m (fun i j => k (z i) (z j) - P i j).
Proof. exact: full_information.share_gram. Qed.

(* The full-information player: one set of weights c predicts f at time t in every point from whole
   pictures f + error, where the error has 1/s times the covariance of f in space. The prediction error
   is not correlated with any picture, and the prediction has 1 - p times the covariance of f. *)
Theorem theory_f_player : forall X (k : X -> X -> R) h s, kernel R h -> 0 < s -> forall n tau t,
  let p := covariance s n (gram R h tau) (fun l => h (tau l) t) (fun l => h (tau l) t) 1 in
  exists c : nat -> R,
  (forall j (x y : X), (j < n)%coq_nat ->
     sum n (fun l => c l * (k x y * (h (tau l) (tau j) + identity l j / s))) = k x y * h (tau j) t) /\
  (forall x y : X,
     sum n (fun l => sum n (fun j => c l * c j * (k x y * (h (tau l) (tau j) + identity l j / s)))) =
     (1 - p) * k x y).
Proof. exact: full_information.share_player. Qed.

(* Delays and workers: fewer of the n observations, those numbered e 0, ..., e (m-1), leave more. *)
Theorem theory_f_fewer : forall s n A m e b k, 0 < s -> semidefinite n A ->
  (forall i, (i < m)%coq_nat -> (e i < n)%coq_nat) ->
  (forall i j, (i < m)%coq_nat -> (j < m)%coq_nat -> e i = e j -> i = j) ->
  covariance s n A b b k <=
  covariance s m (fun i j => A (e i) (e j)) (fun i => b (e i)) (fun i => b (e i)) k.
Proof. exact: full_information.share_fewer. Qed.

(* The certificate without a factorisation: any numbers c, with the residual r = b - (A + I/s) c. *)
Theorem theory_f_certificate : forall s n A b k c, 0 < s -> semidefinite n A ->
  let r j := b j - sum n (fun l => A j l * c l) - c j / s in
  k - sum n (fun j => b j * c j) - sum n (fun j => c j * r j) - s * sum n (fun j => r j ^ 2) <=
  covariance s n A b b k.
Proof. exact: full_information.share_certificate. Qed.

(* n looks leave at least nu/(nu + n), nu = 1/s, whatever their times. *)
Theorem theory_f_at_least : forall h s n tau t, kernel R h -> (forall u, h u u = 1) -> 0 < s ->
  / s / (/ s + INR n) <=
  covariance s n (gram R h tau) (fun l => h (tau l) t) (fun l => h (tau l) t) 1.
Proof. exact: full_information.share_at_least. Qed.

(* Markov kernels: what n looks leave at the time of round n is the recursion's value. *)
Theorem theory_f_recursion : forall h s tau, kernel R h -> (forall u, h u u = 1) ->
  (forall u v w, u <= v <= w -> h u w = h u v * h v w) -> 0 < s ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) -> forall n,
  covariance s n (gram R h tau) (fun l => h (tau l) (tau n)) (fun l => h (tau l) (tau n)) 1 =
  floor_share (fun j => h (tau j) (tau (S j)) ^ 2) (fun=> / s) n.
Proof. exact: full_information.share_recursion. Qed.

(* The share is never below that of looks without noise. *)
Theorem theory_f_above_sandwich : forall a2 nu i, (forall j, 0 <= a2 j <= 1) -> (forall j, 0 < nu j) ->
  1 - a2 i <= floor_share a2 nu (S i).
Proof. exact: floors.floor_share_above. Qed.

(* Unit steps of the forgetting kernel, a^2 = 1 - eps: the shares fall and stay above p, the solution
   of the recursion. *)
Theorem theory_f_steady : forall eps nu i, 0 <= eps <= 1 -> 0 < nu ->
  let p := / 2 * (eps * (1 - nu) + sqrt (eps ^ 2 * (1 - nu) ^ 2 + 4 * eps * nu)) in
  let share := floor_share (fun=> 1 - eps) (fun=> nu) in
  0 <= p <= 1 /\ carried (1 - eps) nu p = p /\ p <= share (S i) <= share i.
Proof. exact: floors.floor_share_steady. Qed.

(* No drift: the share is nu/(nu + i), and the losses sum to a logarithm. *)
Theorem theory_f_still : forall nu n, 0 < nu ->
  (forall i, floor_share (fun=> 1) (fun=> nu) i = nu / (nu + INR i)) /\
  1 + / 2 * nu * ln ((INR (S n) + nu) / (1 + nu)) <=
  sum (S n) (fun i => 1 - sqrt (1 - floor_share (fun=> 1) (fun=> nu) i)).
Proof.
move=> nu n n0; split=> [i|]; first exact: floors.floor_share_still.
exact: floors.still_floor.
Qed.

(* The floor from one determinant, the gain of looks at one point. *)
Theorem theory_f_determinant : forall s n J, 0 < s -> (0 < n)%coq_nat -> semidefinite n J ->
  (forall i, (i < n)%coq_nat -> J i i = 1) ->
  INR n * (1 - sqrt (1 - / s * (exp (2 * gain s n J / INR n) - 1))) <=
  sum n (fun i => 1 - sqrt (1 - variance s i J)).
Proof. exact: floors.determinant_floor. Qed.

(* What all points have in common: where K w = 1, K - c 11^T is semidefinite for c up to 1/(1^T w) and
   no further; w = K^-1 1 where K has an inverse. *)
Theorem theory_f_common_part : forall n K w, semidefinite n K -> (0 < n)%coq_nat ->
  (forall j, (j < n)%coq_nat -> sum n (fun l => K j l * w l) = 1) ->
  0 < sum n w /\ forall c, semidefinite n (fun i j => K i j - c) <-> c <= / sum n w.
Proof. exact: floors.common_part. Qed.

(* A known mean m: the largest values of m + t g and m - t g together do not fall with t >= 0. *)
Theorem theory_f_known_mean : forall N (m g : nat -> R) t u up down top bottom, 0 <= t <= u ->
  (exists x, (x < N)%coq_nat /\ up = m x + t * g x) ->
  (exists x, (x < N)%coq_nat /\ down = m x - t * g x) ->
  (forall x, (x < N)%coq_nat -> m x + u * g x <= top) ->
  (forall x, (x < N)%coq_nat -> m x - u * g x <= bottom) ->
  up + down <= top + bottom.
Proof. exact: floors.mirrored. Qed.

(* A known mean leaves no more to lose: max (m + g) - max (m + t g) <= (1 - t) max g. *)
Theorem theory_f_known_mean_less : forall N (m g : nat -> R) t whole part most, t <= 1 ->
  (exists x, (x < N)%coq_nat /\ whole = m x + g x) ->
  (forall x, (x < N)%coq_nat -> m x + t * g x <= part) -> (forall x, (x < N)%coq_nat -> g x <= most) ->
  whole - part <= (1 - t) * most.
Proof. exact: floors.known_mean_less. Qed.

(* The start-up floor: a mean with k weights of squared length at most (1-p) kappa on k innovations w. *)
Theorem theory_rank_step : forall k (c w : nat -> R) p kappa, 0 <= p <= 1 -> 0 <= kappa ->
  sum k (fun j => c j ^ 2) <= (1 - p) * kappa ->
  sum k (fun j => c j * w j) <= sqrt (1 - p) * (sqrt kappa * sqrt (sum k (fun j => w j ^ 2))).
Proof. exact: floors.rank_step. Qed.

(* Theorem G on every path: what round costs, top - f a, is at least the price u - psi u of playing a
   and the prices psi of passing the others; rival x is the largest f off x. *)
Theorem theory_g_pathwise : forall N (f rival : nat -> R) top a psi, (a < N)%coq_nat ->
  (forall x, (x < N)%coq_nat -> f x <= top) ->
  (forall x, (x < N)%coq_nat -> (forall y, (y < N)%coq_nat -> y <> x -> f y <= rival x) /\
     exists y, (y < N)%coq_nat /\ y <> x /\ f y = rival x) ->
  (forall u v, 0 <= u <= v -> psi u <= psi v) -> (forall u, 0 <= u -> 0 <= psi u <= u) ->
  sum N (fun x => if Nat.eqb x a then Rmax 0 (rival x - f x) - psi (Rmax 0 (rival x - f x))
                  else psi (Rmax 0 (f x - rival x))) <= top - f a.
Proof. exact: games.arms_pathwise. Qed.

(* A block of one arm's game costs what passing all of it costs, or at least what passing up to some
   round and playing there costs. *)
Theorem theory_g_block : forall m (played : nat -> bool) (play pass : nat -> R),
  (forall k, (k < m)%coq_nat -> 0 <= play k) -> (forall k, (k < m)%coq_nat -> 0 <= pass k) ->
  let cost := sum m (fun k => if played k then play k else pass k) in
  cost = sum m pass \/ exists j, (j < m)%coq_nat /\ sum j pass + play j <= cost.
Proof. exact: games.first_play. Qed.

(* Whatever is played in it, a block costs at least all passes of its first j rounds or the least price of
   playing in one of these. *)
Theorem theory_g_limit_block : forall m j (played : nat -> bool) (play pass : nat -> R) u,
  (j <= m)%coq_nat -> (forall k, (k < m)%coq_nat -> 0 <= play k) ->
  (forall k, (k < m)%coq_nat -> 0 <= pass k) -> (forall k, (k < j)%coq_nat -> u <= play k) ->
  Rmin (sum j pass) u <= sum m (fun k => if played k then play k else pass k).
Proof. exact: games.block_least. Qed.

(* The mean of a step function W on m + 1 cells, P k the chance to be beyond edge k: its rises by the
   least chances, its falls by the largest. *)
Theorem theory_g_cells : forall m W P lo hi, P O = 1 -> P (S m) = 0 ->
  (forall k, (k < m)%coq_nat -> lo k <= P (S k) <= hi k) ->
  W O + sum m (fun k => Rmax 0 (W (S k) - W k) * lo k - Rmax 0 (W k - W (S k)) * hi k) <=
  sum (S m) (fun k => W k * (P k - P (S k))).
Proof. exact: games.cells_below. Qed.

(* Times t(x) on a lattice: n rounds at the multiples J 0 < J 1 < ..., at most L apart, and losses
   rho >= 0 of every multiple: each of W windows of L multiples holds a round, so the least losses of
   the windows are paid. *)
Theorem theory_f_lattice : forall L n (J : nat -> nat) (rho low : nat -> R), (0 < L)%coq_nat ->
  (forall i, (i < n)%coq_nat -> (i = O -> (0 < J i)%coq_nat /\ (J i <= L)%coq_nat) /\
     (forall h, i = S h -> (J h < J i)%coq_nat /\ (J i <= (J h + L)%coq_nat)%coq_nat)) ->
  (forall j, 0 <= rho j) ->
  (forall k j, ((k * L)%coq_nat < j)%coq_nat -> (j <= ((k * L)%coq_nat + L)%coq_nat)%coq_nat ->
     low k <= rho j) ->
  forall W, ((W * L)%coq_nat <= n)%coq_nat -> sum W low <= sum n (fun i => rho (J i)).
Proof. exact: games.lattice_windows. Qed.

(* ---- ceilings before a run ---- *)

(* Theorem T, Thompson sampling, n rounds on N points: chances P, deviations S at most 1, I the
   isoperimetric function at P (phi(y) where P = Phi(y)), a mean deviation of at most mean <= 1. *)
Theorem theory_t : forall n N (P S I : nat -> nat -> R) mean z,
  (2 <= N)%coq_nat ->
  (forall i x, (i < n)%coq_nat -> (x < N)%coq_nat -> 0 <= P i x /\ 0 <= S i x <= 1 /\
     ((I i x = 0 /\ (P i x = 0 \/ P i x = 1)) \/
      exists y, P i x = scalar.normal_cdf y /\ I i x = scalar.normal_density y)) ->
  mean <= 1 -> sum n (fun i => sum N (fun x => P i x * S i x)) <= INR n * mean ->
  scalar.normal_cdf z = mean / INR N ->
  sum n (fun i => sum N (fun x => S i x * I i x)) <= INR n * (INR N * scalar.normal_density z).
Proof. exact: ceilings.thompson_sum. Qed.

(* Theorem X is Jensen: cases i of the scheduled data with weights w, cases j of the rest with weights
   v i; the scheduled mean is the mean of the means given all data, and its largest value is on average
   at most theirs. *)
Theorem theory_x_jensen : forall m w q (v : nat -> nat -> R) N (all : nat -> nat -> nat -> R)
  (sch : nat -> nat -> R) top_all top_sch,
  (forall i, 0 <= w i) -> (forall i j, 0 <= v i j) ->
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> sum q (fun j => v i j * all i j x) = sch i x) ->
  (forall i j x, (i < m)%coq_nat -> (j < q)%coq_nat -> (x < N)%coq_nat -> all i j x <= top_all i j) ->
  (forall i, (i < m)%coq_nat -> exists x, (x < N)%coq_nat /\ top_sch i = sch i x) ->
  sum m (fun i => w i * top_sch i) <= sum m (fun i => w i * sum q (fun j => v i j * top_all i j)).
Proof. exact: ceilings.schedule_jensen. Qed.

(* Fields mu and z over N points, cases i of z with weights w and mean 0: the maximum of the sum is at
   most the sum of the maxima, on average, and at least the maximum of mu. *)
Theorem theory_t_mean_policy : forall m w N (mu : nat -> R) (z : nat -> nat -> R) top_mu top_z top,
  (forall i, 0 <= w i) -> sum m w = 1 -> (forall x, (x < N)%coq_nat -> mu x <= top_mu) ->
  (exists x, (x < N)%coq_nat /\ top_mu = mu x) ->
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> z i x <= top_z i) ->
  (forall i, (i < m)%coq_nat -> exists x, (x < N)%coq_nat /\ top i = mu x + z i x) ->
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> mu x + z i x <= top i) ->
  (forall x, (x < N)%coq_nat -> sum m (fun i => w i * z i x) = 0) ->
  top_mu <= sum m (fun i => w i * top i) <= top_mu + sum m (fun i => w i * top_z i).
Proof. exact: ceilings.two_fields. Qed.

(* The posterior means of two quantities, of weights c and d on the observations, have the prior
   covariance k less the posterior one. *)
Theorem theory_x_covariance : forall s n A a b, 0 < s -> semidefinite n A -> exists c d : nat -> R,
  (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * c l) + c j / s = a j) /\
  (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * d l) + d j / s = b j) /\
  forall k, sum n (fun j => c j * (sum n (fun l => A j l * d l) + d j / s)) = k - covariance s n A a b k.
Proof. exact: full_information.mean_covariance. Qed.

(* The trace of a matrix is at most the root of its rank times its Frobenius norm. *)
Theorem theory_entropy_trace : forall n (M : nat -> nat -> R),
  sum n (fun i => M i i) ^ 2 <= INR (rank n M) * sum n (fun i => sum n (fun j => M i j ^ 2)).
Proof. exact: ceilings.trace_rank. Qed.

(* The entropy is at most the mean length of any code. *)
Theorem theory_entropy_code : forall n p q, (forall i, (i < n)%coq_nat -> 0 <= p i) ->
  (forall i, (i < n)%coq_nat -> 0 < q i) -> sum n q <= sum n p ->
  sum n (fun i => p i * - ln (p i)) <= sum n (fun i => p i * - ln (q i)).
Proof. exact: ceilings.code_length. Qed.

(* Rounds that each pay the root of a times their information. *)
Theorem theory_entropy_sum : forall n r info a whole, (forall i, (i < n)%coq_nat -> 0 <= info i) ->
  (forall i, (i < n)%coq_nat -> r i <= sqrt (a * info i)) -> 0 <= a -> sum n info <= whole ->
  sum n r <= sqrt (a * INR n * whole).
Proof. exact: ceilings.information_sum. Qed.

(* Half the range of a field g x = sum F x j w j, its ends hi and lo at w and within lo', hi' at u:
   Lipschitz in w with the root of v, where Var(g x - g y) <= 4 v. *)
Theorem theory_half_range : forall d N (F : nat -> nat -> R) (w u : nat -> R) v hi lo hi' lo', 0 <= v ->
  (forall x y, (x < N)%coq_nat -> (y < N)%coq_nat -> sum d (fun j => (F x j - F y j) ^ 2) <= 4 * v) ->
  (exists x, (x < N)%coq_nat /\ hi = sum d (fun j => F x j * w j)) ->
  (exists y, (y < N)%coq_nat /\ lo = sum d (fun j => F y j * w j)) ->
  (forall x, (x < N)%coq_nat -> lo' <= sum d (fun j => F x j * u j) <= hi') ->
  (hi - lo) / 2 - (hi' - lo') / 2 <= sqrt v * sqrt (sum d (fun j => (w j - u j) ^ 2)).
Proof. exact: ceilings.half_range. Qed.

(* The maximum: Lipschitz with the root of the largest variance. *)
Theorem theory_maximum_lipschitz : forall d N (F : nat -> nat -> R) (w u : nat -> R) kappa hi hi',
  0 <= kappa -> (forall x, (x < N)%coq_nat -> sum d (fun j => F x j ^ 2) <= kappa) ->
  (exists x, (x < N)%coq_nat /\ hi = sum d (fun j => F x j * w j)) ->
  (forall x, (x < N)%coq_nat -> sum d (fun j => F x j * u j) <= hi') ->
  hi - hi' <= sqrt kappa * sqrt (sum d (fun j => (w j - u j) ^ 2)).
Proof. exact: ceilings.maximum_moves. Qed.

(* Two rounds of a schedule: gradients u of the earlier and a v of the later over the n innovations known
   at the earlier, both u and v no longer than l. *)
Theorem theory_x_lipschitz : forall n (u v : nat -> R) a l, 0 <= a -> 0 <= l ->
  sum n (fun k => u k ^ 2) <= l ^ 2 -> sum n (fun k => v k ^ 2) <= l ^ 2 ->
  Rabs (sum n (fun k => u k * (a * v k))) <= a * l ^ 2.
Proof. exact: ceilings.gradients_product. Qed.

(* Thompson sampling and the weight q: f - mu at any point y, with the largest f - mu - q sd. *)
Theorem theory_t_exploration : forall N (f mu sd : nat -> R) q y top, (y < N)%coq_nat ->
  (forall x, (x < N)%coq_nat -> f x - mu x - q * sd x <= top) -> f y - mu y <= q * sd y + Rmax 0 top.
Proof. exact: ceilings.exploration. Qed.

(* Optimism: the largest f is at most the largest upper confidence value U and the largest f - u. *)
Theorem theory_regret_exploration_optimism : forall N (f u : nat -> R) U best over,
  (exists x, (x < N)%coq_nat /\ best = f x) -> (forall x, (x < N)%coq_nat -> u x <= U) ->
  (forall x, (x < N)%coq_nat -> f x - u x <= over) -> best <= U + Rmax 0 over.
Proof. exact: ceilings.optimism. Qed.

(* Ordered telescoping on every path: low k is c or one of the values before k, as their maximum is. *)
Theorem theory_regret_telescoping : forall N (f low : nat -> R) c,
  (forall k, (k < N)%coq_nat -> low k = c \/ exists j, (j < k)%coq_nat /\ low k = f j) ->
  forall x, (x < N)%coq_nat -> f x <= c + sum N (fun k => Rmax 0 (f k - low k)).
Proof. exact: ceilings.telescoping. Qed.

(* Theorem Q: rounds of one window with a look at variance w in [v, 2v], where a look takes w^2/(w+s) and
   a round adds at most eps. *)
Theorem theory_q_looks : forall T (w : nat -> R) (counted : nat -> bool) v s eps,
  0 < v -> 0 < s -> 0 <= eps -> (forall i, 0 <= w i) -> (forall i, w (S i) <= w i + eps) ->
  (forall i, counted i = true -> v <= w i <= 2 * v /\ w (S i) <= w i - w i ^ 2 / (w i + s) + eps) ->
  INR T * eps <= v / 2 -> sum T (fun i => if counted i then 1 else 0) <= 5 / 2 * (1 + s / v).
Proof. exact: elimination.looks_of_a_window. Qed.

Theorem theory_q_classes : forall n, sum n (fun k => / 2 ^ k) <= 2.
Proof. exact: elimination.classes_add_up. Qed.

(* ---- prices in place of the other arms ---- *)

(* Theorem P on every path: where one of N arms is played in each round, regret is what the prices lam leave
   of the largest values, less what the arms earn above them. *)
Theorem theory_p_identity : forall n N (f : nat -> nat -> R) (a : nat -> nat) (top lam : nat -> R),
  (forall i, (i < n)%coq_nat -> (a i < N)%coq_nat) ->
  sum n (fun i => top i - f (a i) i) =
  sum n (fun i => top i - lam i) - sum N (fun x => sum n (fun i => if Nat.eqb (a i) x then f x i - lam i else 0)).
Proof. exact: prices.prices_identity. Qed.

(* The player of arm x, who knows the policy, the errors e and the other arms h and sees of x what he looks at,
   can look in exactly the rounds in which the policy plays x, whatever the values g of x are. *)
Theorem theory_p_player : forall (play : nat -> list R -> nat) (h e : nat -> nat -> R) x, exists look, forall g i,
  look i (own look g i) = Nat.eqb (arm play (fun y j => if Nat.eqb y x then g j else h y j) e i) x.
Proof. exact: prices.player_follows. Qed.

(* Theorem P for every law on m cases with weights w: z c names chance and errors, V x is at least what every
   player of x earns in the mean who knows them and the other arms; the prices may be any functions. *)
Theorem theory_p : forall m (w : nat -> R) N n (play : nat -> nat -> list R -> nat) (e : nat -> nat -> nat -> R)
  (z : nat -> nat) (f : nat -> nat -> nat -> R) (top lam : nat -> nat -> R) (V : nat -> R),
  (forall c i, (c < m)%coq_nat -> (i < n)%coq_nat -> (arm (play (z c)) (f c) (e (z c)) i < N)%coq_nat) ->
  (forall x, (x < N)%coq_nat -> forall look,
     (forall c c', z c = z c' -> (forall y i, y <> x -> f c y i = f c' y i) -> forall i l, look c i l = look c' i l) ->
     sum m (fun c => w c * earned (look c) (f c x) (lam c) n) <= V x) ->
  sum m (fun c => w c * sum n (fun i => top c i - lam c i)) - sum N V <=
  sum m (fun c => w c * sum n (fun i => top c i - f c (arm (play (z c)) (f c) (e (z c)) i) i)).
Proof. exact: prices.prices. Qed.

(* Theorem L: the same with numbers as prices where each arm is independent of all else, and V x bounds the
   game of arm x alone. *)
Theorem theory_l : forall m (w : nat -> R) N n (play : nat -> nat -> list R -> nat) (e f : nat -> nat -> nat -> R)
  (top : nat -> nat -> R) (lam V : nat -> R),
  (forall c i, (c < m)%coq_nat -> (i < n)%coq_nat -> (arm (play c) (f c) (e c) i < N)%coq_nat) ->
  (forall x, (x < N)%coq_nat -> arm_alone m w play e f x lam n (V x)) ->
  sum m (fun c => w c * sum n (fun i => top c i - lam i)) - sum N V <=
  sum m (fun c => w c * sum n (fun i => top c i - f c (arm (play c) (f c) (e c) i) i)).
Proof. exact: prices.arms_alone. Qed.

(* The recursion from above, for every law on l paths g with weights u: values W of histories that are never
   negative and never below the mean of one more look and what follows bound what every player earns. *)
Theorem theory_l_recursion : forall l (u : nat -> R) (g : nat -> nat -> R) n lam (W : list (nat * R) -> R),
  (forall b, 0 <= u b) -> (forall H, 0 <= W H) ->
  (forall H i, (i < n)%coq_nat -> (forall j v, In (j, v) H -> (j < i)%coq_nat) ->
     sum l (fun b => if fits (g b) H then u b * (g b i - lam i + W (cons (i, g b i) H)) else 0) <=
     sum l (fun b => if fits (g b) H then u b else 0) * W H) ->
  forall look, sum l (fun b => u b * earned look (g b) lam n) <= sum l u * W nil.
Proof. exact: prices.prices_recursion. Qed.

(* ---- every sequence of times ---- *)

(* Half the sum of the shares is at most the sum of the losses. *)
Theorem theory_i_lower : forall n (p : nat -> R), (forall i, (i < n)%coq_nat -> 0 <= p i <= 1) ->
  sum n p / 2 <= sum n (fun i => 1 - sqrt (1 - p i)).
Proof. exact: floors.losses. Qed.

(* A window of T rounds whose drifts d sum to at most v/2 has at most 5/2 (1 + s/v) looks at a variance in
   [v, 2v], where a look takes w^2/(w+s) and a step adds at most its drift. *)
Theorem theory_i_looks : forall T (w d : nat -> R) (counted : nat -> bool) v s,
  0 < v -> 0 < s -> (forall i, 0 <= w i) -> (forall i, 0 <= d i) -> (forall i, w (S i) <= w i + d i) ->
  (forall i, counted i = true -> v <= w i <= 2 * v /\ w (S i) <= w i - w i ^ 2 / (w i + s) + d i) ->
  sum T d <= v / 2 -> sum T (fun i => if counted i then 1 else 0) <= 5 / 2 * (1 + s / v).
Proof. exact: charging.looks_of_a_window. Qed.

(* The charging lemma for one class v: windows that, with the step to the next, have more drift than v/2;
   those with a round whose share is at most v/8 cost at most ten times the sum of the shares. *)
Theorem theory_i_class : forall (d : nat -> R) s, 0 < s -> (forall i, 0 <= d i <= 1) ->
  forall v (start : nat -> nat) K n (counted : nat -> bool), 0 < v <= / 2 -> split_at start K n ->
  (forall k, (S k < K)%coq_nat -> v / 2 < drift_between d (start k) (start (S k))) ->
  (forall k, (k < K)%coq_nat -> counted k = true -> exists i, ((start k <= i)%coq_nat /\ (i < start (S k))%coq_nat) /\
     floor_share (fun j => 1 - d (S j)) (fun=> s) i <= v / 8) ->
  sum K (fun k => if counted k then v + s else 0) <= 10 * sum n (floor_share (fun j => 1 - d (S j)) (fun=> s)).
Proof. exact: charging.class_charged. Qed.

(* The charging lemma for all classes 1/2, 1/4, ..., J of them. *)
Theorem theory_i_charging : forall (d : nat -> R) s, 0 < s -> (forall i, 0 <= d i <= 1) ->
  forall n J (start : nat -> nat -> nat) (K : nat -> nat) (counted : nat -> nat -> bool), (0 < n)%coq_nat ->
  (forall j, (j < J)%coq_nat -> split_at (start j) (K j) n) ->
  (forall j k, (j < J)%coq_nat -> (S k < K j)%coq_nat -> / 2 ^ S j / 2 < drift_between d (start j k) (start j (S k))) ->
  (forall j k, (j < J)%coq_nat -> (k < K j)%coq_nat -> counted j k = true ->
     exists i, ((start j k <= i)%coq_nat /\ (i < start j (S k))%coq_nat) /\
       floor_share (fun l => 1 - d (S l)) (fun=> s) i <= / 2 ^ S j / 8) ->
  sum J (fun j => sum (K j) (fun k => if counted j k then / 2 ^ S j + s else 0)) <=
  24 * sum n (floor_share (fun l => 1 - d (S l)) (fun=> s)) +
  4 * sum J (fun j => if Rlt_dec s (/ 2 ^ S j) then 1 else 0) * sum (Nat.pred n) (fun i => d (S i)).
Proof. exact: charging.classes_charged. Qed.

(* ---- finite rank ---- *)

(* Theorem R: a look in every so many rounds, of drift delta together: the variance before look k (from 0) is
   at least the fixed point q and at most s/(s + k) above it. *)
Theorem theory_r_filter : forall delta s q k, 0 <= delta <= 1 -> 0 < s -> 0 <= q ->
  q ^ 2 = delta * (q + s - q * s) ->
  let p := floor_share (fun=> 1 - delta) (fun=> s) k in q <= p /\ p - q <= s / (s + INR k).
Proof. exact: filters.steady_filter. Qed.

(* What this is over n rounds with a look in every M of them. *)
Theorem theory_r_sum : forall s M n, 0 < s -> (0 < M)%coq_nat ->
  sum n (fun i => s / (s + INR (Nat.div i M))) <= INR M * (1 + s * ln (1 + INR n / (INR M * s))).
Proof. exact: filters.filter_sum. Qed.

(* ---- smooth kernels ---- *)

(* Theorem N, the filter of the hidden part chi of the drift V since the window began, looks weighed by psi: on
   every path the variance q is at least chi V less what the looks so far can have taken. *)
Theorem theory_n_filter : forall s chi (d V psi q : nat -> R) top L, 0 < s -> 0 <= chi ->
  (forall k, 0 <= d k <= 1) -> 0 <= V O -> (forall k, V (S k) = (1 - d k) * V k + d k) ->
  (forall k, (k <= L)%coq_nat -> V k <= top) ->
  q O = chi * V O -> (forall k, q (S k) = (1 - d k) * (q k * s / (s + q k * psi k ^ 2)) + chi * d k) ->
  forall k, (k <= L)%coq_nat ->
    0 <= q k <= chi * V k /\ chi * V k - chi ^ 2 * top ^ 2 / s * sum k (fun j => psi j ^ 2) <= q k.
Proof. exact: filters.weighed_looks. Qed.

(* Theorem N, the sum over a window of L rounds, over m cases of weights w: r regret, psi squared weight of the
   look, q variance, on the good behaviour of what is told; costs and looks are what uncertainty costs and what
   a look costs. *)
Theorem theory_n_window : forall m (w : nat -> R) L (r psi q : nat -> nat -> R) (on : nat -> nat -> bool) (V : nat -> R)
  s chi mu b S2 G1 H zeta top, 0 < s -> 0 < chi <= 1 -> 0 < b -> 0 < S2 -> 0 < G1 -> 0 < zeta -> 0 <= top ->
  (forall c, 0 <= w c) -> sum m w = 1 -> (forall k, (k < L)%coq_nat -> 0 <= V k <= top) ->
  (forall c k, 0 <= psi c k) -> 2 * b <= H -> 0 <= mu -> mu * (8 * H) <= G1 ->
  3 * top <= zeta ^ 2 -> chi * top ^ 2 * INR L * (64 * S2 * G1) <= b ^ 2 * s ->
  (forall k, (k < L)%coq_nat -> 3 / 4 <= sum m (fun c => if on c k then w c else 0)) ->
  (forall c k, (k < L)%coq_nat -> chi * V k - chi ^ 2 * top ^ 2 / s * sum k (psi c) <= q c k) ->
  (forall k, (k < L)%coq_nat ->
     mu / 2 * sum m (fun c => if on c k then w c * (q c k - 3 * (chi * V k) ^ 2 / (16 * zeta ^ 2)) else 0) <=
     sum m (fun c => w c * r c k)) ->
  (forall k, (k < L)%coq_nat ->
     sum m (fun c => w c * psi c k) <= S2 * (4 * sum m (fun c => w c * r c k) / b + 4 * (G1 * V k) / b ^ 2)) ->
  3 / 10 * (mu * chi * sum L V) <= sum L (fun k => sum m (fun c => w c * r c k)).
Proof. exact: smooth.window_sum. Qed.

(* Lemma SF, given the inequality of Sudakov and Fernique for the mean emax of a maximum: where the posterior
   variances of all differences are at most p times the prior ones, the mean of the scheduled data has at least
   sqrt (1 - p) of the maximum. *)
Theorem theory_sf_increments : forall (emax : nat -> (nat -> nat -> R) -> R) n K P p,
  sudakov_fernique emax -> scales emax -> p <= 1 ->
  semidefinite n K -> semidefinite n (fun x y => K x y - P x y) ->
  (forall x y, (x < n)%coq_nat -> (y < n)%coq_nat -> increment P x y <= p * increment K x y) ->
  sqrt (1 - p) * emax n K <= emax n (fun x y => K x y - P x y).
Proof. exact: smooth.increments. Qed.

(* Lemma H on every path: where the weights of the first look have one sign, its innovation counts only where
   it is positive. *)
Theorem theory_h_sign : forall N k (c : nat -> nat -> R) (v : nat -> R) a, 0 <= a ->
  (forall x, (x < N)%coq_nat -> 0 <= c x O) ->
  (forall x, (x < N)%coq_nat -> sum (S k) (fun j => c x j ^ 2) <= a) ->
  forall x, (x < N)%coq_nat -> sum (S k) (fun j => c x j * v j) <=
    sqrt a * sqrt ((if Rlt_dec 0 (v O) then v O ^ 2 else 0) + sum k (fun j => v (S j) ^ 2)).
Proof. exact: smooth.sign_dropped. Qed.

(* ---- partitions with a drift from the first round ---- *)

(* The filter lemma: rounds with k looks in any order and the drift V since the first leave a variance of at
   most s/(s+k) + (1 - s/(s+k)) V. *)
Theorem theory_i3_filter : forall s (p d V : nat -> R) (look : nat -> bool) n, 0 < s -> 0 <= p O <= 1 ->
  (forall i, 0 <= d i <= 1) -> V O = 0 -> (forall i, V (S i) = (1 - d i) * V i + d i) ->
  (forall i, p (S i) = 1 - (1 - d i) * (1 - if look i then p i * s / (p i + s) else p i)) ->
  let k := sum n (fun i => if look i then 1 else 0) in
  p n <= s / (s + k) + (1 - s / (s + k)) * V n.
Proof. exact: filters.filter_step. Qed.

(* The schedule of a block: at most r + 1 + 2 c sqrt t looks in t rounds; and where round t + 1 has none, each
   of the r points, looked at in turn, has had at least c sqrt (t+1)/r. *)
Theorem theory_i3_schedule : forall r c, (0 < r)%coq_nat -> 0 <= c -> forall t,
  INR (looked_at r c t) <= INR r + 1 + 2 * c * sqrt (INR t) /\
  (looked_at r c (S t) = looked_at r c t -> forall j, (j < r)%coq_nat ->
     c * sqrt (INR (S t)) / INR r <=
     INR (Nat.div (Nat.sub (Nat.sub (looked_at r c t + r)%coq_nat 1) j) r)).
Proof. exact: filters.schedule_counts. Qed.

(* The drift from the first round is superadditive over adjacent blocks. *)
Theorem theory_i3_superadditive : forall d, (forall i, 0 <= d i <= 1) -> forall b m k,
  drift_sum d b m + drift_sum d (b + m)%coq_nat k <= drift_sum d b (m + k)%coq_nat.
Proof. exact: blocks.drift_superadditive. Qed.

(* So pruning is exact with it: every least cost is attained at a start that has not been pruned. *)
Theorem theory_i3_pruning : forall d, (forall i, 0 <= d i <= 1) -> forall L price F,
  (forall m m', (m <= m')%coq_nat -> price m <= price m') ->
  least_cost L price (fun j x => drift_sum d j (Nat.sub x j)) F ->
  forall x, (0 < x)%coq_nat -> exists j, (j < x)%coq_nat /\ (Nat.sub x j <= L)%coq_nat /\
    ~ pruned (fun j x => drift_sum d j (Nat.sub x j)) F j x /\
    F x = F j + (price (Nat.sub x j) + drift_sum d j (Nat.sub x j)).
Proof. exact: blocks.pruning. Qed.

(* The greedy windows: one goes on while its drift is at most the price of its length. Half the sum of their
   prices is a floor under every partition, and they cost at most twice that sum. *)
Theorem theory_i3_greedy : forall d, (forall i, 0 <= d i <= 1) -> forall (F : nat -> R) (start : nat -> nat) K n,
  F O = 0 -> (forall m m', (m <= m')%coq_nat -> F m <= F m') ->
  (forall m m', F (m + m')%coq_nat <= F m + F m') -> split_at start K n ->
  (forall k, (S k < K)%coq_nat ->
     F (S (Nat.sub (start (S k)) (start k))) < drift_sum d (start k) (S (Nat.sub (start (S k)) (start k)))) ->
  (forall k, (k < K)%coq_nat ->
     drift_sum d (start k) (Nat.sub (start (S k)) (start k)) <= F (Nat.sub (start (S k)) (start k))) ->
  forall blocks, total blocks = n ->
  sum K (fun k => F (Nat.sub (start (S k)) (start k))) <= 2 * over_blocks (since_first F d) 0 0 blocks /\
  sum K (fun k => since_first F d k (start k) (Nat.sub (start (S k)) (start k))) <=
  2 * sum K (fun k => F (Nat.sub (start (S k)) (start k))).
Proof. exact: blocks.greedy_within_four. Qed.

(* Every partition costs at the price min (m, max (1, sigma sqrt m)) at least what it does at
   min (m, sigma sqrt m), and at most max (1, 1/sigma) times that. *)
Theorem theory_i3_prices : forall sigma d blocks i b, 0 < sigma -> Forall (fun m => (0 < m)%coq_nat) blocks ->
  (forall j, 0 <= d j <= 1) ->
  over_blocks (since_first (root_price sigma) d) i b blocks <= over_blocks (since_first (whole_price sigma) d) i b blocks /\
  over_blocks (since_first (whole_price sigma) d) i b blocks <=
  Rmax 1 (/ sigma) * over_blocks (since_first (root_price sigma) d) i b blocks.
Proof. exact: blocks.two_prices. Qed.

(* Windows of which all but the good ones cost at most half of the one before: the good ones cost half of all. *)
Theorem theory_i3_good : forall K (f : nat -> R) (good : nat -> bool), (0 < K)%coq_nat ->
  (forall k, (k < K)%coq_nat -> 0 <= f k) -> good O = true ->
  (forall k, (S k < K)%coq_nat -> good (S k) = false -> f (S k) <= / 2 * f k) ->
  sum K f <= 2 * sum K (fun k => if good k then f k else 0).
Proof. exact: blocks.good_windows. Qed.

(* ---- Appendix A: gradients ---- *)

(* Along one coordinate x: a is the base acquisition, differentiable with the slopes p in the point and
   q in the time, r the slope of the evaluation time t: the slope of the acquisition is p + q r. *)
Theorem chain_rule : forall (a : R -> R -> R) (t : R -> R) x tau p q r,
  Derive_2d.differentiable_pt_lim a x (tau + t x) p q -> derivable_pt_lim t x r ->
  derivable_pt_lim (fun z => a z (tau + t z)) x (p + q * r).
Proof. exact: gradients.chain_rule. Qed.

(* The slope of the time exp (sqrt 2 sigma s + mu) of the second lemma. *)
Theorem sample_slope : forall (sigma mu : R -> R) x s v m,
  derivable_pt_lim sigma x v -> derivable_pt_lim mu x m ->
  derivable_pt_lim (fun z => exp (sqrt 2 * sigma z * s + mu z)) x
    (exp (sqrt 2 * sigma x * s + mu x) * (sqrt 2 * v * s + m)).
Proof. exact: gradients.sample_slope. Qed.

(* The slope of the time exp ((sigma^2 + w)/2 + mu) of the third lemma. *)
Theorem mean_slope : forall (sigma mu : R -> R) x w v m,
  derivable_pt_lim sigma x v -> derivable_pt_lim mu x m ->
  derivable_pt_lim (fun z => exp (/ 2 * (sigma z ^ 2 + w) + mu z)) x
    (exp (/ 2 * (sigma x ^ 2 + w) + mu x) * (sigma x * v + m)).
Proof. exact: gradients.mean_slope. Qed.

(* ---- Appendix B: slopes in the box ---- *)

(* The increment of f from a point along h, t from 0 to 1, where every slope is at most L. *)
Theorem lemma_10_lipschitz : forall d (h : nat -> R) (f : R -> R) (g : R -> nat -> R) L,
  (forall t, 0 <= t <= 1 -> derivable_pt_lim f t (sum d (fun j => g t j * h j))) ->
  (forall t j, 0 <= t <= 1 -> (j < d)%coq_nat -> Rabs (g t j) <= L) ->
  Rabs (f 1 - f 0) <= L * sum d (fun j => Rabs (h j)).
Proof. exact: slopes.along_segment. Qed.

(* A box [0, r]^d in which d n^2 r L <= 1, L the Lipschitz constant of f in the l1 norm. *)
Theorem theorem_1_beta_positive : forall d r L n (f : (nat -> R) -> R),
  0 <= L -> (0 < n)%coq_nat -> INR d * INR n ^ 2 * r * L <= 1 ->
  (forall x y, (forall j, (j < d)%coq_nat -> 0 <= x j <= r) -> (forall j, (j < d)%coq_nat -> 0 <= y j <= r) ->
     f x - f y <= L * sum d (fun j => Rabs (x j - y j))) ->
  forall x y, (forall j, (j < d)%coq_nat -> 0 <= x j <= r) -> (forall j, (j < d)%coq_nat -> 0 <= y j <= r) ->
  f x - f y <= INR d * r * L <= / INR n ^ 2.
Proof. exact: slopes.small_box. Qed.

(* ---- probability ---- *)

(* The union bound, in every space with a measure. *)
Theorem union_bound : forall d (T : measurableType d) (P : measure_on d T)
  n (E : nat -> T -> Prop) (p : nat -> R),
  (forall k, (k < n)%coq_nat -> at_most d T P (E k) (p k)) -> at_most d T P (one_of T n E) (sum n p).
Proof. exact: events.union_bound. Qed.

(* Of n numbers at least k <= n have fewer than k below them, with ties or without. *)
Theorem theory_regret_rank : forall n (v : nat -> R) k, (k <= n)%coq_nat ->
  let below i := sum n (fun j => if Rlt_dec (v j) (v i) then 1 else 0) in
  INR k <= sum n (fun i => if Rlt_dec (below i) (INR k) then 1 else 0).
Proof. exact: events.ranks. Qed.

(* Markov's inequality for n values x of probabilities p. *)
Theorem markov_inequality : forall n (p x : nat -> R) t,
  (forall i, (i < n)%coq_nat -> 0 <= p i /\ 0 <= x i) -> 0 <= t ->
  t * sum n (fun i => if Rle_dec t (x i) then p i else 0) <= sum n (fun i => p i * x i).
Proof. exact: events.markov. Qed.

(* The inverse squares sum to less than pi^2/6. *)
Theorem basel : forall n, sum n (fun k => / INR (k + 1) ^ 2) < PI ^ 2 / 6.
Proof. exact: events.inverse_squares_lt. Qed.

(* The largest of n numbers, one after the other, below a logarithm of exponentials. *)
Theorem soft_maximum : forall n (f : nat -> R) l k, 0 < l -> (k < n)%coq_nat ->
  f k <= ln (sum n (fun j => exp (l * f j))) / l.
Proof. exact: sequences.soft_maximum_at. Qed.

(* Chernoff's bound for n values z of probabilities p, sub-Gaussian with r at c/r^2. *)
Theorem sub_gaussian_tail : forall n (p z : nat -> R) r c, 0 < r -> 0 <= c ->
  (forall k, (k < n)%coq_nat -> 0 <= p k) ->
  sum n (fun k => p k * exp (c / r ^ 2 * z k)) <= exp ((c / r ^ 2) ^ 2 * r ^ 2 / 2) ->
  sum n (fun k => if Rle_dec c (z k) then p k else 0) <= exp (- (c ^ 2 / (2 * r ^ 2))).
Proof.
move=> n p z r c r0 c0 p0 h; apply: Rle_trans; last exact (sequences.sub_gaussian_tail n p z r c r0 p0 h c0).
apply: (sequences.sum_below n) => k hk; destruct (Rle_dec c (z k)) as [d|d]; exact: Rle_refl.
Qed.

(* A function of a kernel, with weights a on n points, at point i. *)
Theorem rkhs_point : forall n A (a : nat -> R) i, semidefinite n A -> (i < n)%coq_nat ->
  sum n (fun j => A i j * a j) ^ 2 <= A i i * sum n (fun j => sum n (fun k => a j * a k * A j k)).
Proof. exact: sequences.rkhs_point. Qed.

(* The shares delta/pi_k of the rounds sum to less than delta; so does what events of these
   probabilities have together, for every number of rounds; and one of all rounds has at most delta. *)
Theorem lemma_8 : forall n delta, 0 < delta -> sum n (share delta) < delta /\
  (forall d (T : measurableType d) (P : measure_on d T) (E : nat -> T -> Prop),
     (forall k, (k < n)%coq_nat -> at_most d T P (E k) (share delta k)) ->
     exists q, q < delta /\ at_most d T P (one_of T n E) q) /\
  forall d (T : measurableType d) (P : measure_on d T) (E : nat -> T -> Prop),
    (forall k, at_most d T P (E k) (share delta k)) -> at_most d T P (fun x => exists k, E k x) delta.
Proof. exact: events.rounds. Qed.

(* Gaussian conditioning, for n observations: variable 0 has the covariances A O (S j) with those, and w
   are the weights that solve the linear system; v is what is left of its variance. The determinant and
   the quadratic form of the joint density are those of the observations with v and (y - w y)^2 / v. *)
Theorem gp_posterior : forall n (A : nat -> nat -> R) (y w : nat -> R),
  det n (fun i j => A (S i) (S j)) <> 0 ->
  (forall i j, (i < S n)%coq_nat -> (j < S n)%coq_nat -> A i j = A j i) ->
  (forall j, (j < n)%coq_nat -> sum n (fun i => w i * A (S i) (S j)) = A O (S j)) ->
  A O O - sum n (fun i => w i * A (S i) O) <> 0 ->
  det (S n) A = (A O O - sum n (fun i => w i * A (S i) O)) * det n (fun i j => A (S i) (S j)) /\
  inverse_form (S n) A y = inverse_form n (fun i j => A (S i) (S j)) (fun i => y (S i)) +
    (y O - sum n (fun i => w i * y (S i))) ^ 2 / (A O O - sum n (fun i => w i * A (S i) O)).
Proof. exact: conditioning.set_apart. Qed.

(* The posterior covariance of two values of covariance k, which have the covariances a and b with n
   observations y of covariance A + I/s: of what the weighted sums w y and u y leave of them, w and u the
   weights that solve the linear system. *)
Theorem gp_posterior_covariance : forall s n A a b w u k, 0 < s -> semidefinite n A ->
  (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * w l) + w j / s = a j) ->
  (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * u l) + u j / s = b j) ->
  k - sum n (fun j => w j * b j) - sum n (fun j => u j * a j) +
    sum n (fun i => sum n (fun j => w i * u j * (A i j + identity i j / s))) = covariance s n A a b k.
Proof. exact: conditioning.residual_covariance. Qed.

(* A known mean, m at the point and p at n observations p + z, any weights w: what is left of m + g. *)
Theorem prior_mean_zero : forall n (w p z : nat -> R) m g,
  (m + g) - (m + sum n (fun i => w i * ((p i + z i) - p i))) = g - sum n (fun i => w i * z i).
Proof. exact: conditioning.known_mean. Qed.

(* The log-normal law: with t = exp (sqrt 2 s u + mu) the density of t times dt/du is that of u. *)
Theorem lognormal_density : forall s mu u, 0 < s ->
  derivable_pt_lim (fun v => exp (sqrt 2 * s * v + mu)) u (sqrt 2 * s * exp (sqrt 2 * s * u + mu)) /\
  / (sqrt (2 * PI) * s * exp (sqrt 2 * s * u + mu)) *
    exp (- ((ln (exp (sqrt 2 * s * u + mu)) - mu) ^ 2 / (2 * s ^ 2))) *
    (sqrt 2 * s * exp (sqrt 2 * s * u + mu)) = exp (- u ^ 2) / sqrt PI.
Proof. exact: gradients.lognormal. Qed.

(* ---- the probability of Theorem 1, on every finite domain ---- *)

(* An objective of the model of outcomes.v is the Gaussian process of its kernel: every linear combination of values
   and noises is normal, with the variance that the kernel gives. *)
Theorem gaussian_process : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : Type)
  (L : nat -> Y -> nat -> R) sigma (k : Y -> Y -> R) h tau,
  independent_normals dT T P (d + n)%coq_nat G -> has_kernel d n Y L k h tau ->
  forall m (c : nat -> R) (r : nat -> nat) (x : nat -> Y) (e : nat -> R),
  (forall a, (a < m)%coq_nat -> (r a < n)%coq_nat) ->
  let total w := sum m (fun a => c a * value d Y L (fun l => G l w) (r a) (x a)) +
    sum n (fun j => e j * noise d sigma (fun l => G l w) j) in
  let v := sum m (fun a => sum m (fun b => c a * c b * (k (x a) (x b) * h (tau (r a)) (tau (r b))))) +
    sigma ^ 2 * sum n (fun j => e j ^ 2) in
  (v = 0 -> forall w, total w = 0) /\
  (0 < v -> forall t, Measure.sort P (fun w => total w <= t * sqrt v) = EFin (scalar.normal_cdf t)).
Proof. exact: objective_law.gaussian_process. Qed.

(* Such objectives, policies of the index and spaces exist for all kernels, so that what follows says something. *)
Theorem gaussian_model_exists : forall n (Y : finType) (y0 : Y) (k : Y -> Y -> R) h tau sigma beta,
  kernel Y k -> kernel R h -> 0 < sigma ->
  exists d L (rule : policy_on Y), has_kernel d n Y L k h tau /\ measurable_rule Y rule /\
    (forall G, follows d Y L sigma rule n k h tau beta G) /\
    exists dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R), independent_normals dT T P (d + n)%coq_nat G.
Proof. exact: objective_law.model_exists. Qed.

(* The confidence event of a policy that adapts, whatever its rule: outside an event of probability less than delta
   every value of every round lies within sqrt(beta) standard deviations of its posterior mean. *)
Theorem adaptive_confidence : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : finType)
  (L : nat -> Y -> nat -> R) sigma (rule : policy_on Y) (k : Y -> Y -> R) h tau delta,
  independent_normals dT T P (d + n)%coq_nat G -> 0 < sigma -> 0 < delta <= 1 -> has_kernel d n Y L k h tau ->
  measurable_rule Y rule ->
  exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i z, (i < n)%coq_nat ->
    let g l := G l w in let x := played d Y L sigma rule g in let y := answer d Y L sigma rule g in
    Rabs (value d Y L g i z - prediction Y k h (/ sigma ^ 2) x tau y i z) <=
    sqrt (width (size Y) delta i) * deviation Y k h (/ sigma ^ 2) x tau i z.
Proof. move=> dT T P G d n Y L sigma rule k h tau delta a b c e f; exact: (any_space.confidence dT T P G d n Y L sigma rule k h tau delta). Qed.

(* Theorem 1 with its probability: one event of less than delta holds all outcomes in which, at any round n up to the
   horizon N, more is lost than the bound of that n with its own partition. *)
Theorem theorem_1_with_probability : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  (Y : finType) (k : Y -> Y -> R) h tau sigma delta d N (L : nat -> Y -> nat -> R) (rule : policy_on Y)
  theta gamma (blocks : nat -> list nat),
  let s := / sigma ^ 2 in let beta := width (size Y) delta in
  independent_normals dT T P (d + N)%coq_nat G -> 0 < sigma -> 0 < delta <= 1 -> kernel Y k -> kernel R h ->
  (forall z, k z z <= 1) -> (forall t, h t t = 1) -> 0 <= theta -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  has_kernel d N Y L k h tau -> measurable_rule Y rule ->
  (forall w, follows d Y L sigma rule N k h tau beta (fun l => G l w)) ->
  (forall n, (n <= N)%coq_nat -> total (blocks n) = n) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists n, (n <= N)%coq_nat /\
    loses d Y L sigma rule n (sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n))))
      (fun l => G l w)) q.
Proof.
move=> dT T P G Y k h tau sigma delta d N L rule theta gamma blocks s beta.
move=> normals s0 d01 pk ph k1 h1 t0 hp sl bg law mrule policy e.
exact: (theorem_1_probability.theorem_1_with_probability dT T P G Y k h tau sigma delta d N L rule s0 d01 pk ph k1 h1
  normals law mrule policy theta gamma blocks e t0 hp sl bg).
Qed.

(* The same with any bounds on the gain, such as Theorem A's. *)
Theorem gain_bound_with_probability : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  (Y : finType) (k : Y -> Y -> R) h tau sigma delta d N (L : nat -> Y -> nat -> R) (rule : policy_on Y)
  (bound : nat -> R),
  let s := / sigma ^ 2 in let beta := width (size Y) delta in
  independent_normals dT T P (d + N)%coq_nat G -> 0 < sigma -> 0 < delta <= 1 -> kernel Y k -> kernel R h ->
  (forall z, k z z <= 1) -> (forall t, h t t = 1) -> has_kernel d N Y L k h tau -> measurable_rule Y rule ->
  (forall w, follows d Y L sigma rule N k h tau beta (fun l => G l w)) ->
  (forall n x, (n <= N)%coq_nat -> gain s n (joint Y k h x tau) <= bound n) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists n, (n <= N)%coq_nat /\
    loses d Y L sigma rule n (sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * bound n)) (fun l => G l w)) q.
Proof.
move=> dT T P G Y k h tau sigma delta d N L rule bound s beta normals s0 d01 pk ph k1 h1 law mrule policy hg.
exact: (theorem_1_probability.regret_with_probability dT T P G Y k h tau sigma delta d N L rule s0 d01 pk ph k1 h1
  normals law mrule policy bound hg).
Qed.

(* ---- points of any set, such as a box ---- *)

(* The confidence event where a measurable rule plays points of any set with measurable sets, and the objective is a
   Gaussian process of any rank, a draw U of any space on which values depend measurably, independent of the noise: that
   some of finitely many points of some round, or the point played there, is more than sqrt(beta) standard deviations
   from its posterior mean has at most the sum of their tails. *)
Theorem adaptive_confidence_anywhere : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dY (Y : measurableType dY) dV (V : measurableType dV) (U : T -> V) n (F : nat -> Y -> V -> R) sigma (rule : policy_on Y)
  (k : Y -> Y -> R) h tau (beta : nat -> R) (tested : nat -> list Y),
  let f i z w := F i z (U w) in let e i w := sigma * G i w in
  independent_normals dT T P n G -> independent_draws dT T P n G dV V U -> 0 < sigma ->
  is_gaussian_process dT T P n Y k h tau f -> measurable_objective dY Y dV V F -> measurable_kernel dY Y k ->
  measurable_policy dY Y rule -> (forall i, 0 <= beta i) ->
  let x w := chosen T Y f e rule w in let y w := reply T Y f e rule w in
  at_most dT T P (fun w => exists i z, (i < n)%coq_nat /\ (In z (tested i) \/ z = x w i) /\
      sqrt (beta i) * deviation Y k h (/ sigma ^ 2) (x w) tau i z <
      Rabs (f i z w - prediction Y k h (/ sigma ^ 2) (x w) tau (y w) i z))
    (sum n (fun i => INR (S (length (tested i))) * (2 * scalar.normal_cdf (- sqrt (beta i))))).
Proof.
move=> dT T P G dY Y dV V U n F sigma rule k h tau beta tested f e normals drawn s0 gp mF mk mrule b0 x y.
exact: (box_confidence.confidence dT T P G dY Y dV V n U F sigma rule k h tau normals drawn s0 gp mF mk mrule beta tested b0).
Qed.

(* Theorem 1 with its probability on the box [0, r]^m, at every round up to the horizon N, for an objective that is a
   differentiable Gaussian process of any rank; a and b are the constants of the law of its slopes. *)
Theorem theorem_1_box : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dY (Y : measurableType dY) (place : Y -> nat -> R) dV (V : measurableType dV) (U : T -> V) (k : Y -> Y -> R) h tau
  sigma delta N m r a b (F : nat -> (nat -> R) -> V -> R) (M : nat -> (nat -> R) -> nat -> V -> R) (rule : policy_on Y)
  theta gamma (blocks : nat -> list nat),
  let s := / sigma ^ 2 in let beta := box_width m r a b delta in
  let f i z w := F i (place z) (U w) in let e i w := sigma * G i w in
  independent_normals dT T P N G -> independent_draws dT T P N G dV V U -> 0 < sigma -> 0 < delta <= 1 ->
  kernel Y k -> kernel R h -> (forall z, k z z <= 1) -> (forall t, h t t = 1) -> 0 <= theta -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  is_gaussian_process dT T P N Y k h tau f -> measurable_objective dY Y dV V (fun i z u => F i (place z) u) ->
  measurable_kernel dY Y k -> measurable_policy dY Y rule ->
  (0 < m)%coq_nat -> 0 < r -> is_box m r Y place ->
  (forall i u, (i < N)%coq_nat -> has_slopes m r (fun p => F i p u) (fun p j => M i p j u)) ->
  1 <= a -> 0 < b -> slope_tails dT T P m N r (fun i p j w => M i p j (U w)) a b ->
  (forall w, follows_first T Y f e rule N sigma k h tau beta w) ->
  (forall n, (n <= N)%coq_nat -> total (blocks n) = n) ->
  exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall n (best : nat -> Y), (n <= N)%coq_nat ->
    sum n (fun i => f i (best i) w - f i (chosen T Y f e rule w i) w) <=
    sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n))) + 2.
Proof.
move=> dT T P G dY Y place dV V U k h tau sigma delta N m r a b F M rule theta gamma blocks s beta f e.
move=> normals drawn s0 d01 pk ph k1 h1 t0 hp sl bg gp mF mk mrule m0 r0 box smooth a1 b0 tails policy part.
exact: (theorem_1_box.theorem_1_box dT T P G dY Y place dV V U k h tau sigma delta N m r a b F M rule s0 d01 pk ph k1 h1
  normals drawn gp mF mk mrule m0 r0 a1 b0 box smooth tails policy theta gamma blocks part t0 hp sl bg).
Qed.

(* The same with any bounds on the gain. *)
Theorem gain_bound_box : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dY (Y : measurableType dY) (place : Y -> nat -> R) dV (V : measurableType dV) (U : T -> V) (k : Y -> Y -> R) h tau
  sigma delta N m r a b (F : nat -> (nat -> R) -> V -> R) (M : nat -> (nat -> R) -> nat -> V -> R) (rule : policy_on Y)
  (bound : nat -> R),
  let s := / sigma ^ 2 in let beta := box_width m r a b delta in
  let f i z w := F i (place z) (U w) in let e i w := sigma * G i w in
  independent_normals dT T P N G -> independent_draws dT T P N G dV V U -> 0 < sigma -> 0 < delta <= 1 ->
  kernel Y k -> kernel R h -> (forall z, k z z <= 1) -> (forall t, h t t = 1) ->
  is_gaussian_process dT T P N Y k h tau f -> measurable_objective dY Y dV V (fun i z u => F i (place z) u) ->
  measurable_kernel dY Y k -> measurable_policy dY Y rule ->
  (0 < m)%coq_nat -> 0 < r -> is_box m r Y place ->
  (forall i u, (i < N)%coq_nat -> has_slopes m r (fun p => F i p u) (fun p j => M i p j u)) ->
  1 <= a -> 0 < b -> slope_tails dT T P m N r (fun i p j w => M i p j (U w)) a b ->
  (forall w, follows_first T Y f e rule N sigma k h tau beta w) ->
  (forall n x, (n <= N)%coq_nat -> gain s n (joint Y k h x tau) <= bound n) ->
  exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall n (best : nat -> Y), (n <= N)%coq_nat ->
    sum n (fun i => f i (best i) w - f i (chosen T Y f e rule w i) w) <=
    sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * bound n) + 2.
Proof.
move=> dT T P G dY Y place dV V U k h tau sigma delta N m r a b F M rule bound s beta f e.
move=> normals drawn s0 d01 pk ph k1 h1 gp mF mk mrule m0 r0 box smooth a1 b0 tails policy hg.
exact: (theorem_1_box.regret_with_probability dT T P G dY Y place dV V U k h tau sigma delta N m r a b F M rule s0 d01 pk
  ph k1 h1 normals drawn gp mF mk mrule m0 r0 a1 b0 box smooth tails policy bound hg).
Qed.

(* ---- the mean regret of every policy, on every finite domain ---- *)

(* The mean of the largest of normal values of a given covariance is the same on every space and for all weights,
   and not negative. *)
Theorem mean_maximum_exists : forall (Y : finType) (y0 : Y) k, kernel Y k -> exists m, 0 <= m /\ mean_maximum Y k m.
Proof.
move=> Y y0 k pk; have [m mm] := floor_in_mean.mean_maximum_exists Y y0 k pk; exists m; split=> //.
exact: floor_in_mean.mean_maximum_ge0 y0 k m pk mm.
Qed.

(* It is at least the mean of the larger of two of the values: the standard deviation of their difference over
   sqrt (2 pi). *)
Theorem theory_mean_maximum_pair : forall (Y : finType) k m (a b : Y), kernel Y k -> mean_maximum Y k m ->
  sqrt (k a a + k b b - 2 * k a b) / sqrt (2 * PI) <= m.
Proof. exact: pair_maximum.mean_maximum_pair. Qed.

(* For K independent values of variance 1 it is an integral of powers of the normal distribution function. *)
Theorem theory_mean_maximum_arms : forall (Y : finType) (y0 : Y) K m, size Y = INR K ->
  mean_maximum Y (independent_arms Y (fun=> 1)) m ->
  let upper t := if Rlt_dec 0 t then 1 - scalar.normal_cdf t ^ K else 0 in
  let lower t := if Rle_dec t 0 then scalar.normal_cdf t ^ K else 0 in
  exists a b : R, integral_of upper = EFin a /\ integral_of lower = EFin b /\ m = a - b.
Proof.
move=> Y y0 K m e mm upper lower; have {}e := INR_eq _ _ e; rewrite /upper /lower -e.
exact: (largest_of_arms.as_numbers Y y0 m mm).
Qed.

(* Theorem F in the mean: whatever measurable rule plays, adaptive or not, round i loses at least
   (1 - sqrt (1 - p i)) m in the mean, m the mean of the largest value, and n rounds at least the sum. *)
Theorem theory_f_mean : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : finType)
  (L : nat -> Y -> nat -> R) sigma (rule : policy_on Y) (k : Y -> Y -> R) h tau kappa m,
  independent_normals dT T P (d + n)%coq_nat G -> 0 < sigma -> 0 < kappa -> kernel Y k -> kernel R h ->
  (forall z, k z z <= kappa) -> (forall t, h t t = 1) -> has_kernel d n Y L k h tau -> measurable_rule Y rule ->
  mean_maximum Y k m ->
  let p i := covariance (kappa / sigma ^ 2) i (gram R h tau) (fun l => h (tau l) (tau i))
    (fun l => h (tau l) (tau i)) 1 in
  (forall i, (i < n)%coq_nat ->
     mean_at_least dT T P (fun w => round_loss d Y L sigma rule (fun l => G l w) i) ((1 - sqrt (1 - p i)) * m)) /\
  forall N, (N <= n)%coq_nat ->
    mean_at_least dT T P (fun w => sum N (round_loss d Y L sigma rule (fun l => G l w)))
      (m * sum N (fun i => 1 - sqrt (1 - p i))).
Proof.
move=> dT T P G d n Y L sigma rule k h tau kappa m normals s0 kap0 pk ph k1 h1 law mrule mm p; split=> [i|N] hi.
  exact: (floor_in_mean.round_floor d n Y L sigma rule k h tau kappa m s0 kap0 pk ph k1 h1 law mrule mm dT T P G normals i hi).
exact: (floor_in_mean.regret_floor d n Y L sigma rule k h tau kappa m s0 kap0 pk ph k1 h1 law mrule mm dT T P G normals N hi).
Qed.

(* The rank floor in the mean: round i loses at least m - sqrt (1 - p) times the smaller of m and sqrt kappa times the mean
   length of i independent normal variables, m the mean of the largest value. *)
Theorem theory_rank_mean : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : finType)
  (L : nat -> Y -> nat -> R) sigma (rule : policy_on Y) (k : Y -> Y -> R) h tau kappa m i c,
  independent_normals dT T P (d + n)%coq_nat G -> 0 < sigma -> 0 < kappa -> kernel Y k -> kernel R h ->
  (forall z, k z z <= kappa) -> (forall t, h t t = 1) -> has_kernel d n Y L k h tau -> measurable_rule Y rule ->
  mean_maximum Y k m -> (i < n)%coq_nat -> mean_length i c ->
  let p := covariance (kappa / sigma ^ 2) i (gram R h tau) (fun l => h (tau l) (tau i)) (fun l => h (tau l) (tau i)) 1 in
  mean_at_least dT T P (fun w => round_loss d Y L sigma rule (fun l => G l w) i)
    (m - sqrt (1 - p) * Rmin m (sqrt kappa * c)).
Proof.
move=> dT T P G d n Y L sigma rule k h tau kappa m i c normals s0 kap0 pk ph k1 h1 law mrule mm hi len p.
have hi' : (i < n)%nat by exact/ssrnat.ltP.
exact: (rank_floor.rank_floor_mean d n Y L sigma rule k h tau kappa m c i s0 kap0 pk ph k1 h1 law mrule mm hi' len dT T P G normals).
Qed.

(* For Markov kernels and sorted times the shares p are those of the recursion, and half their sum is a floor too:
   Theorem I's lower side. *)
Theorem theory_i_mean : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : finType)
  (L : nat -> Y -> nat -> R) sigma (rule : policy_on Y) (k : Y -> Y -> R) h tau kappa m,
  independent_normals dT T P (d + n)%coq_nat G -> 0 < sigma -> 0 < kappa -> kernel Y k -> kernel R h ->
  (forall z, k z z <= kappa) -> (forall t, h t t = 1) -> (forall u v w, u <= v <= w -> h u w = h u v * h v w) ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) -> has_kernel d n Y L k h tau -> measurable_rule Y rule ->
  mean_maximum Y k m ->
  let p := floor_share (fun j => h (tau j) (tau (S j)) ^ 2) (fun=> sigma ^ 2 / kappa) in
  forall N, (N <= n)%coq_nat ->
    mean_at_least dT T P (fun w => sum N (round_loss d Y L sigma rule (fun l => G l w)))
      (m * sum N (fun i => 1 - sqrt (1 - p i))) /\
    mean_at_least dT T P (fun w => sum N (round_loss d Y L sigma rule (fun l => G l w))) (m / 2 * sum N p).
Proof. exact: floor_in_mean.markov_floor. Qed.

(* The charging lemma in the mean: what the windows of all classes cost, less what drift alone pays of it, is at
   most 48/m times the mean regret of every policy. *)
Theorem theory_i_charging_mean : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n
  (Y : finType) (L : nat -> Y -> nat -> R) sigma (rule : policy_on Y) (k : Y -> Y -> R) h tau kappa m,
  independent_normals dT T P (d + n)%coq_nat G -> 0 < sigma -> 0 < kappa -> kernel Y k -> kernel R h ->
  (forall z, k z z <= kappa) -> (forall t, h t t = 1) -> (forall u v w, u <= v <= w -> h u w = h u v * h v w) ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) -> has_kernel d n Y L k h tau -> measurable_rule Y rule ->
  mean_maximum Y k m ->
  let nu := sigma ^ 2 / kappa in
  let drift j := match j with O => 0 | S l => 1 - h (tau l) (tau j) ^ 2 end in
  forall J (start : nat -> nat -> nat) (K : nat -> nat) (counted : nat -> nat -> bool), (0 < n)%coq_nat ->
  (forall j, (j < J)%coq_nat -> split_at (start j) (K j) n) ->
  (forall j l, (j < J)%coq_nat -> (S l < K j)%coq_nat -> / 2 ^ S j / 2 < drift_between drift (start j l) (start j (S l))) ->
  (forall j l, (j < J)%coq_nat -> (l < K j)%coq_nat -> counted j l = true ->
     exists i, ((start j l <= i)%coq_nat /\ (i < start j (S l))%coq_nat) /\
       floor_share (fun j => h (tau j) (tau (S j)) ^ 2) (fun=> nu) i <= / 2 ^ S j / 8) ->
  mean_at_least dT T P (fun w => sum n (round_loss d Y L sigma rule (fun l => G l w))) (m / 48 *
    (sum J (fun j => sum (K j) (fun l => if counted j l then / 2 ^ S j + nu else 0)) -
     4 * sum J (fun j => if Rlt_dec nu (/ 2 ^ S j) then 1 else 0) * sum (Nat.pred n) (fun i => drift (S i)))).
Proof. exact: floor_in_mean.charged_floor. Qed.

(* ---- policies that draw ---- *)

(* The confidence event of a policy that draws, such as Thompson sampling: the draws U are of any space and
   independent of objective and noise, and the rule may read them. *)
Theorem adaptive_confidence_drawn : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dS (Seed : measurableType dS) (U : T -> Seed) d n (Y : finType) (L : nat -> Y -> nat -> R) sigma (rule : Seed -> policy_on Y)
  (k : Y -> Y -> R) h tau delta,
  independent_normals dT T P (d + n)%coq_nat G -> independent_draws dT T P (d + n)%coq_nat G dS Seed U ->
  0 < sigma -> 0 < delta <= 1 -> has_kernel d n Y L k h tau -> measurable_drawn_rule dS Seed Y rule ->
  exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i z, (i < n)%coq_nat ->
    let g l := G l w in let x := played d Y L sigma (rule (U w)) g in let y := answer d Y L sigma (rule (U w)) g in
    Rabs (value d Y L g i z - prediction Y k h (/ sigma ^ 2) x tau y i z) <=
    sqrt (width (size Y) delta i) * deviation Y k h (/ sigma ^ 2) x tau i z.
Proof.
move=> dT T P G dS Seed U d n Y L sigma rule k h tau delta normals drawn s0 d01 law mrule.
exact: (drawn_policies.confidence dT T P G dS Seed U d n Y L sigma rule k h tau normals drawn s0 law mrule delta d01).
Qed.

(* Theorem 1 with its probability for such a policy, whose draws may break ties. *)
Theorem theorem_1_with_probability_drawn : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dS (Seed : measurableType dS) (U : T -> Seed) (Y : finType) (k : Y -> Y -> R) h tau sigma delta d N
  (L : nat -> Y -> nat -> R) (rule : Seed -> policy_on Y) theta gamma (blocks : nat -> list nat),
  let s := / sigma ^ 2 in let beta := width (size Y) delta in
  independent_normals dT T P (d + N)%coq_nat G -> independent_draws dT T P (d + N)%coq_nat G dS Seed U ->
  0 < sigma -> 0 < delta <= 1 -> kernel Y k -> kernel R h ->
  (forall z, k z z <= 1) -> (forall t, h t t = 1) -> 0 <= theta -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  has_kernel d N Y L k h tau -> measurable_drawn_rule dS Seed Y rule ->
  (forall w, follows d Y L sigma (rule (U w)) N k h tau beta (fun l => G l w)) ->
  (forall n, (n <= N)%coq_nat -> total (blocks n) = n) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists n, (n <= N)%coq_nat /\
    loses d Y L sigma (rule (U w)) n (sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n))))
      (fun l => G l w)) q.
Proof.
move=> dT T P G dS Seed U Y k h tau sigma delta d N L rule theta gamma blocks s beta.
move=> normals drawn s0 d01 pk ph k1 h1 t0 hp sl bg law mrule policy e.
exact: (drawn_policies.theorem_1 dT T P G dS Seed U d N Y L sigma rule k h tau normals drawn s0 law mrule delta d01
  pk ph k1 h1 policy theta gamma blocks e t0 hp sl bg).
Qed.

(* Theorem F in the mean for policies that draw. *)
Theorem theory_f_drawn : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dS (Seed : measurableType dS) (U : T -> Seed) d n (Y : finType) (L : nat -> Y -> nat -> R) sigma (rule : Seed -> policy_on Y)
  (k : Y -> Y -> R) h tau kappa m,
  independent_normals dT T P (d + n)%coq_nat G -> independent_draws dT T P (d + n)%coq_nat G dS Seed U ->
  0 < sigma -> 0 < kappa -> kernel Y k -> kernel R h -> (forall z, k z z <= kappa) -> (forall t, h t t = 1) ->
  has_kernel d n Y L k h tau -> measurable_drawn_rule dS Seed Y rule -> mean_maximum Y k m ->
  let p i := covariance (kappa / sigma ^ 2) i (gram R h tau) (fun l => h (tau l) (tau i))
    (fun l => h (tau l) (tau i)) 1 in
  forall N, (N <= n)%coq_nat ->
    mean_at_least dT T P (fun w => sum N (round_loss d Y L sigma (rule (U w)) (fun l => G l w)))
      (m * sum N (fun i => 1 - sqrt (1 - p i))).
Proof.
move=> dT T P G dS Seed U d n Y L sigma rule k h tau kappa m normals drawn s0 kap0 pk ph k1 h1 law mrule mm p N hN.
apply: (drawn_policies.regret_mean dT T P G dS Seed U d n Y L sigma rule normals drawn mrule); first exact/ssrnat.leP.
move=> r mr; exact: (floor_in_mean.regret_floor d n Y L sigma r k h tau kappa m s0 kap0 pk ph k1 h1 law mr mm _ _ _ _
  (any_space.coordinates (d + n)) N hN).
Qed.

(* Theorem I's lower side for policies that draw. *)
Theorem theory_i_drawn : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dS (Seed : measurableType dS) (U : T -> Seed) d n (Y : finType) (L : nat -> Y -> nat -> R) sigma (rule : Seed -> policy_on Y)
  (k : Y -> Y -> R) h tau kappa m,
  independent_normals dT T P (d + n)%coq_nat G -> independent_draws dT T P (d + n)%coq_nat G dS Seed U ->
  0 < sigma -> 0 < kappa -> kernel Y k -> kernel R h -> (forall z, k z z <= kappa) -> (forall t, h t t = 1) ->
  (forall u v w, u <= v <= w -> h u w = h u v * h v w) -> (forall i j, (i <= j)%coq_nat -> tau i <= tau j) ->
  has_kernel d n Y L k h tau -> measurable_drawn_rule dS Seed Y rule -> mean_maximum Y k m ->
  let p := floor_share (fun j => h (tau j) (tau (S j)) ^ 2) (fun=> sigma ^ 2 / kappa) in
  forall N, (N <= n)%coq_nat ->
    mean_at_least dT T P (fun w => sum N (round_loss d Y L sigma (rule (U w)) (fun l => G l w)))
      (m * sum N (fun i => 1 - sqrt (1 - p i))) /\
    mean_at_least dT T P (fun w => sum N (round_loss d Y L sigma (rule (U w)) (fun l => G l w))) (m / 2 * sum N p).
Proof.
move=> dT T P G dS Seed U d n Y L sigma rule k h tau kappa m normals drawn s0 kap0 pk ph k1 h1 markov sorted law mrule mm p N hN.
have low r mr := floor_in_mean.markov_floor _ _ _ _ d n Y L sigma r k h tau kappa m (any_space.coordinates (d + n)) s0 kap0 pk ph
  k1 h1 markov sorted law mr mm N hN.
by split; apply: (drawn_policies.regret_mean dT T P G dS Seed U d n Y L sigma rule normals drawn mrule);
  (try exact/ssrnat.leP) => r mr; have [a b] := low r mr.
Qed.

(* ---- answers that come late ---- *)

(* The confidence event where round i knows the first known i answers, all but the last D at least, whatever the rule:
   every value of every round lies within sqrt(beta) standard deviations of its mean given those answers. *)
Theorem adaptive_confidence_late : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dS (Seed : measurableType dS) (U : T -> Seed) d n (Y : finType) (L : nat -> Y -> nat -> R) sigma (rule : Seed -> policy_on Y)
  (k : Y -> Y -> R) h tau delta D known,
  independent_normals dT T P (d + n)%coq_nat G -> independent_draws dT T P (d + n)%coq_nat G dS Seed U ->
  0 < sigma -> 0 < delta <= 1 -> has_kernel d n Y L k h tau -> measurable_drawn_rule dS Seed Y rule ->
  comes_late D known ->
  exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> forall i z, (i < n)%coq_nat ->
    let g l := G l w in let x := played d Y L sigma (rule (U w)) g in let y := answer d Y L sigma (rule (U w)) g in
    Rabs (value d Y L g i z - late_prediction Y k h (/ sigma ^ 2) x tau y (known i) i z) <=
    sqrt (width (size Y) delta i) * late_deviation Y k h (/ sigma ^ 2) x tau (known i) i z.
Proof.
move=> dT T P G dS Seed U d n Y L sigma rule k h tau delta D known normals drawn s0 d01 law mrule late.
exact: (late_drawn.late_confidence_drawn dT T P G dS Seed U d n Y L sigma rule k h tau delta D known normals drawn s0 d01
  law mrule late).
Qed.

(* Theorem 1 with its probability for the policy whose index is of those answers: the gain counts D + 1 times. *)
Theorem theorem_1_late : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  (Y : finType) (k : Y -> Y -> R) h tau sigma delta d N (L : nat -> Y -> nat -> R) (rule : policy_on Y)
  theta gamma (blocks : nat -> list nat) D known,
  let s := / sigma ^ 2 in let beta := width (size Y) delta in
  independent_normals dT T P (d + N)%coq_nat G -> 0 < sigma -> 0 < delta <= 1 -> kernel Y k -> kernel R h ->
  (forall z, k z z <= 1) -> (forall t, h t t = 1) -> 0 <= theta -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  has_kernel d N Y L k h tau -> measurable_rule Y rule -> comes_late D known ->
  (forall w, follows_late d Y L sigma rule known N k h tau beta (fun l => G l w)) ->
  (forall n, (n <= N)%coq_nat -> total (blocks n) = n) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists n, (n <= N)%coq_nat /\
    loses d Y L sigma rule n (sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * (INR (S D) *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n)))))
      (fun l => G l w)) q.
Proof.
move=> dT T P G Y k h tau sigma delta d N L rule theta gamma blocks D known s beta.
move=> normals s0 d01 pk ph k1 h1 t0 hp sl bg law mrule late policy e.
exact: (late_confidence.late_theorem_1 dT T P G d N Y L sigma rule k h tau delta D known normals s0 d01 law mrule late
  pk ph k1 h1 policy theta gamma blocks e t0 hp sl bg).
Qed.

(* The same with any bounds on the gain. *)
Theorem gain_bound_late : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  (Y : finType) (k : Y -> Y -> R) h tau sigma delta d N (L : nat -> Y -> nat -> R) (rule : policy_on Y)
  (bound : nat -> R) D known,
  let s := / sigma ^ 2 in let beta := width (size Y) delta in
  independent_normals dT T P (d + N)%coq_nat G -> 0 < sigma -> 0 < delta <= 1 -> kernel Y k -> kernel R h ->
  (forall z, k z z <= 1) -> (forall t, h t t = 1) -> has_kernel d N Y L k h tau -> measurable_rule Y rule ->
  comes_late D known -> (forall w, follows_late d Y L sigma rule known N k h tau beta (fun l => G l w)) ->
  (forall n x, (n <= N)%coq_nat -> gain s n (joint Y k h x tau) <= bound n) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists n, (n <= N)%coq_nat /\
    loses d Y L sigma rule n (sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * (INR (S D) * bound n))) (fun l => G l w)) q.
Proof.
move=> dT T P G Y k h tau sigma delta d N L rule bound D known s beta normals s0 d01 pk ph k1 h1 law mrule late policy hg.
exact: (late_confidence.late_regret_with_probability dT T P G d N Y L sigma rule k h tau delta D known normals s0 d01 law
  mrule late pk ph k1 h1 policy bound hg).
Qed.

(* And for a policy that draws. *)
Theorem theorem_1_late_drawn : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  dS (Seed : measurableType dS) (U : T -> Seed) (Y : finType) (k : Y -> Y -> R) h tau sigma delta d N
  (L : nat -> Y -> nat -> R) (rule : Seed -> policy_on Y) theta gamma (blocks : nat -> list nat) D known,
  let s := / sigma ^ 2 in let beta := width (size Y) delta in
  independent_normals dT T P (d + N)%coq_nat G -> independent_draws dT T P (d + N)%coq_nat G dS Seed U ->
  0 < sigma -> 0 < delta <= 1 -> kernel Y k -> kernel R h ->
  (forall z, k z z <= 1) -> (forall t, h t t = 1) -> 0 <= theta -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain Y k s gamma ->
  has_kernel d N Y L k h tau -> measurable_drawn_rule dS Seed Y rule -> comes_late D known ->
  (forall w, follows_late d Y L sigma (rule (U w)) known N k h tau beta (fun l => G l w)) ->
  (forall n, (n <= N)%coq_nat -> total (blocks n) = n) ->
  exists q, q < delta /\ at_most dT T P (fun w => exists n, (n <= N)%coq_nat /\
    loses d Y L sigma (rule (U w)) n (sqrt (8 / ln (1 + s) * beta (Nat.pred n) * INR n * (INR (S D) *
      (INR (length (blocks n)) * gamma (longest (blocks n)) +
       / 2 * over_blocks (fun i d m =>
         INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 (blocks n)))))
      (fun l => G l w)) q.
Proof.
move=> dT T P G dS Seed U Y k h tau sigma delta d N L rule theta gamma blocks D known s beta.
move=> normals drawn s0 d01 pk ph k1 h1 t0 hp sl bg law mrule late policy e.
exact: (late_drawn.late_theorem_1_drawn dT T P G dS Seed U d N Y L sigma rule k h tau delta D known normals drawn s0 d01
  law mrule late pk ph k1 h1 policy theta gamma blocks e t0 hp sl bg).
Qed.

(* ---- evaluation times that depend on the point ---- *)

(* Theorem C with its probability, forgetting kernel: W windows of the times up to round i, of which each is so short
   that the process moves little in it, and one event of probability less than delta. *)
Theorem theory_c_with_probability : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  d n (Y : finType) (L : R -> Y -> nat -> R) sigma (t : Y -> R) (rule : policy_on Y) (k : Y -> Y -> R) rate longest delta
  (W : nat -> nat) beta,
  let h := forgetting rate in let s := / sigma ^ 2 in
  independent_normals dT T P (d + n)%coq_nat G -> 0 < sigma -> 0 < delta <= 1 -> 0 <= rate -> kernel Y k ->
  (forall z, k z z = 1) -> (forall z, 0 <= t z <= longest) -> has_kernel_at d n Y L k h t -> measurable_rule Y rule ->
  (forall i, (i < n)%coq_nat -> (0 < W i)%coq_nat /\ rate * (INR (S i) * longest) * beta i <= INR (W i)) ->
  (forall i, (i < n)%coq_nat -> 2 * ln (4 * exp 1 * size Y * INR (W i) / share delta i) <= beta i) ->
  (forall w, follows_own d Y L sigma t rule n k h beta (fun l => G l w)) ->
  exists bad : T -> Prop, (exists q, q < delta /\ at_most dT T P bad q) /\
  forall w, ~ bad w -> let g l := G l w in let x := played_at d Y L sigma t rule g in
    let tau := ends_at d Y L sigma t rule g in let f i z := value_at d Y L g (tau i) z in
    (forall i z, (i < n)%coq_nat ->
       f i z - f i (x i) <= 3064 / 1000 * (sqrt (beta i) * sqrt (variance_at Y k h s x tau i (x i) (tau i)))) /\
    forall m B, (m <= n)%coq_nat -> (forall i, (i < m)%coq_nat -> beta i <= B) -> forall best : nat -> Y,
      sum m (fun i => f i (best i) - f i (x i)) <=
      sqrt (2348 / 1000 * (8 / ln (1 + s)) * B * INR m * gain s m (joint Y k h x tau)).
Proof.
move=> dT T P G d n Y L sigma t rule k rate longest delta W beta h s normals s0 [d0 d1] r0 pk k1 t0 law mrule win wide policy.
exact: (theorem_c_probability.theorem_c_with_probability dT T P G d n Y L sigma t rule k rate longest delta W beta normals
  s0 d0 r0 pk k1 t0 law mrule win wide d1 policy).
Qed.

(* The event behind it, in a window of length b: some of finitely many values of a process of variance 1 and
   correlations exp (-rate |t - t'|) is beyond u. *)
Theorem theory_c_event_at_times : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) m
  (row : R -> nat -> R) (times : list R) rate u a b,
  independent_normals dT T P m G -> 0 <= rate -> 0 < u ->
  (forall t t', In t times -> In t' times -> sum m (fun l => row t l * row t' l) = forgetting rate t t') ->
  (forall t, In t times -> a <= t <= a + b) -> rate * b <= / u ^ 2 ->
  at_most dT T P (fun w => exists t, In t times /\ u < Rabs (sum m (fun l => row t l * G l w)))
    (2 * exp 1 * exp (- u ^ 2 / 2)).
Proof. exact: first_passage.window_event. Qed.

(* Theorem P in the mean: for independent arms of the variances v and numbers lam as prices every measurable rule
   loses at least what the prices leave of the mean largest values less what players of single arms earn. *)
Theorem theory_p_mean : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : finType)
  (L : nat -> Y -> nat -> R) sigma (rule : policy_on Y) (v : Y -> R) h tau lam (V : Y -> R) m,
  independent_normals dT T P (d + n)%coq_nat G -> (forall t, h t t = 1) ->
  has_kernel d n Y L (independent_arms Y v) h tau -> measurable_rule Y rule ->
  mean_maximum Y (independent_arms Y v) m -> (forall x, earns_at_most n (v x) sigma h tau lam (V x)) ->
  mean_at_least dT T P (fun w => sum n (round_loss d Y L sigma rule (fun l => G l w)))
    (sum n (fun i => m - lam i) - sum_over Y V).
Proof.
move=> dT T P G d n Y L sigma rule v h tau lam V m normals h1 law mrule mm most.
exact: (prices_in_mean.prices_floor d n Y L sigma rule v h tau lam law mrule V m h1 mm most dT T P G normals).
Qed.

(* Theorem L's recursion from above for normal values: a Markov kernel and sorted times. W j u bounds what is earned
   after a look that showed the value u of the arm in round j, and V all that is earned: no look improves them in the
   mean. A player of one arm of variance v, who may draw and is shown noisy values, earns at most V. *)
Theorem theory_l_recursion_mean : forall n v sigma h tau lam (W : nat -> R -> R) V,
  (forall t, h t t = 1) -> (forall t u s, t <= u <= s -> h t s = h t u * h u s) ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) ->
  (forall j, measurable_real (W j)) -> (forall j u, 0 <= W j u) -> 0 <= V ->
  (forall i, (i < n)%coq_nat ->
     exists e : R, normal_mean (fun z => W i (sqrt v * z)) = EFin e /\ - lam i + e <= V) ->
  (forall j i u, (j < i)%coq_nat -> (i < n)%coq_nat -> let r := h (tau j) (tau i) in
     exists e : R, normal_mean (fun z => W i (r * u + sqrt (v * (1 - r ^ 2)) * z)) = EFin e /\ r * u - lam i + e <= W j u) ->
  earns_at_most n v sigma h tau lam V.
Proof.
move=> n v sigma h tau lam W V h1 markov sorted mW W0 V0 first next.
exact: (one_arm_in_mean.player_earns_at_most n v sigma h tau lam h1 markov sorted W V mW W0 V0 first next).
Qed.

(* Theorem L in the mean: what numbers as prices leave of the mean largest values of independent arms, less what such
   recursions give, one for each arm, is at most the mean regret of every measurable rule. *)
Theorem theory_l_mean : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : finType)
  (L : nat -> Y -> nat -> R) sigma (rule : policy_on Y) (v : Y -> R) h tau lam (W : Y -> nat -> R -> R) (V : Y -> R) m,
  independent_normals dT T P (d + n)%coq_nat G ->
  (forall t, h t t = 1) -> (forall t u s, t <= u <= s -> h t s = h t u * h u s) ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) ->
  has_kernel d n Y L (independent_arms Y v) h tau -> measurable_rule Y rule -> mean_maximum Y (independent_arms Y v) m ->
  (forall x j, measurable_real (W x j)) -> (forall x j u, 0 <= W x j u) -> (forall x, 0 <= V x) ->
  (forall x i, (i < n)%coq_nat ->
     exists e : R, normal_mean (fun z => W x i (sqrt (v x) * z)) = EFin e /\ - lam i + e <= V x) ->
  (forall x j i u, (j < i)%coq_nat -> (i < n)%coq_nat -> let r := h (tau j) (tau i) in
     exists e : R, normal_mean (fun z => W x i (r * u + sqrt (v x * (1 - r ^ 2)) * z)) = EFin e /\
       r * u - lam i + e <= W x j u) ->
  mean_at_least dT T P (fun w => sum n (round_loss d Y L sigma rule (fun l => G l w)))
    (sum n (fun i => m - lam i) - sum_over Y V).
Proof.
move=> dT T P G d n Y L sigma rule v h tau lam W V m normals h1 markov sorted law mrule mm mW W0 V0 first next.
apply: (theory_p_mean dT T P G d n Y L sigma rule v h tau lam V m normals h1 law mrule mm) => x.
exact: (theory_l_recursion_mean n (v x) sigma h tau lam (W x) (V x) h1 markov sorted (mW x) (W0 x) (V0 x) (first x) (next x)).
Qed.

(* Theorem P in the mean with prices that are random variables, on every finite domain and for every covariance: every
   measurable rule loses at least what they leave of the largest values in the mean, less what players of single points
   earn who know the noises and all values of the other points. *)
Theorem theory_p_path_mean : forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : finType)
  (L : nat -> Y -> nat -> R) sigma (rule : policy_on Y) (Lam : nat -> T -> R) (V : Y -> R) (a : Y) (m : R),
  independent_normals dT T P (d + n)%coq_nat G -> measurable_rule Y rule ->
  (forall i, (i < n)%coq_nat -> finite_mean dT T P (Lam i)) ->
  (forall x, players_earn dT T P G d n Y L x Lam (V x)) ->
  mean_of dT T P (fun w => sum n (fun i => best_value Y a (value d Y L (fun l => G l w) i) - Lam i w)) = EFin m ->
  mean_at_least dT T P (fun w => sum n (round_loss d Y L sigma rule (fun l => G l w))) (m - sum_over Y V).
Proof.
move=> dT T P G d n Y L sigma rule Lam V a m normals mrule finite players mean.
exact: (path_prices.path_floor dT T P G d n Y L sigma rule normals mrule Lam V a m finite players mean).
Qed.

(* ---- sums ---- *)

(* The squared distances of m unit steps, over ordered pairs. *)
Theorem rival_mandl_kekkonen_lags : forall m,
  sum m (fun l => 2 * (INR m - INR l) * INR l ^ 2) = INR m ^ 2 * (INR m ^ 2 - 1) / 6.
Proof. exact: sums.unit_steps. Qed.

(* The line of Lemma 1 with every lag counted twice, at whole x <= i. *)
Theorem appendix_c_lags_doubled : forall x i, (x <= i)%coq_nat ->
  2 * (sum (S x) (fun l => INR l ^ 2 * (INR i - INR l)) + INR x ^ 2 * sum (Nat.sub i x) INR) =
  INR x * (INR i ^ 2 * INR x - 4 * INR i * INR x ^ 2 / 3 + INR x ^ 3 / 2 + INR i / 3 - INR x / 2).
Proof. exact: sums.lags_doubled. Qed.

(* The uniformity of n rounds is at most n (n-1) caps. *)
Theorem uniformity_over_rounds : forall cap tau d n, 0 <= cap ->
  0 <= uniformity cap tau d n <= INR n * (INR n - 1) * cap.
Proof. exact: sums.uniformity_most. Qed.
