(******************************************************************************)
(*                                 Theorem 1                                  *)
(*                                                                            *)
(* The gain of a block against its uniformity, and the regret on the          *)
(* confidence event.                                                          *)
(*                                                                            *)
(* Statements:                                                                *)
(*   theorem_1_gain_sharp, theorem_1_gain == the bound on the gain, sharp     *)
(*       and as printed                                                       *)
(*   variances_gain == sums of variances against a gain                       *)
(*   regret_gain == Lemma 12: regret against the gain                         *)
(*   theorem_1 == the bound on regret                                         *)
(*   trivial_regret == the trivial cap                                        *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* theorem_a.                                                                 *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains posterior theorem_a.
Open Scope R_scope.

Lemma phi_above x : 0 <= x -> ln (1 + x) <= phi x.
Proof.
move=> x0; rewrite /phi; case: Rle_dec => [l|l].
  have z : x = 0 by lra.
  by rewrite /= z Rplus_0_r ln_1; lra.
have x1 : 0 < x by lra.
apply: Rmin_glb; first by have := ln_le_sub (1 + x) ltac:(lra); lra.
have i0 := Rinv_0_lt_compat x x1.
have -> : 1 + x = x * (1 + / x) by field; lra.
rewrite ln_mult //; last lra.
by have := ln_le_sub (1 + / x) ltac:(lra); lra.
Qed.

Lemma over_blocks_from p q i d bs : (forall l d m, (i <= l)%coq_nat -> p l d m <= q l d m) ->
  over_blocks p i d bs <= over_blocks q i d bs.
Proof.
elim: bs i d => [|m bs IH] i d e /=; first by lra.
have := IH (S i) (d + m)%coq_nat (fun l d m hl => e l d m ltac:(lia)).
by have := e i d m (le_n i); lra.
Qed.

Section Drift.
Variables (h : R -> R -> R) (s theta : R).
Hypotheses (s0 : 0 <= s) (ph : kernel R h) (h1 : forall t, h t t = 1)
  (hp : forall t u, 0 <= h t u) (t0 : 0 <= theta)
  (slope : forall t u, 1 - h t u <= theta * Rabs (t - u)).

Lemma deficit_sq t u : (1 - h t u) ^ 2 <= theta ^ 2 * Rmin (/ theta ^ 2) ((t - u) ^ 2).
Proof.
have d0 := time_le1 h ph h1 t u; have d1 := hp t u; have d2 := slope t u.
have a2 : Rabs (t - u) ^ 2 = (t - u) ^ 2 by rewrite RPow_abs Rabs_pos_eq //; exact: pow2_ge_0.
have le2 : (1 - h t u) ^ 2 <= theta ^ 2 * (t - u) ^ 2.
  by rewrite -a2 -Rpow_mult_distr; apply: pow_incr; lra.
have [z|p] : theta = 0 \/ 0 < theta by lra.
  by rewrite z in le2 *; nra.
rewrite /Rmin; case: Rle_dec => // _.
have -> : theta ^ 2 * / theta ^ 2 = 1 by field; lra.
by nra.
Qed.

Lemma drift_below tau d m : (0 < m)%coq_nat -> exists j, (j < m)%coq_nat /\
  sum m (fun i => ln (1 + s * (1 - h (tau (d + i)%coq_nat) (tau (d + j)%coq_nat) ^ 2))) <=
  INR m * ln (1 + s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m)).
Proof.
move=> m0; pose D j i := 1 - h (tau (d + j)%coq_nat) (tau (d + i)%coq_nat).
have M0 : 0 < INR m by apply: lt_0_INR.
have D0 i j : 0 <= D i j by have := time_le1 h ph h1 (tau (d + i)%coq_nat) (tau (d + j)%coq_nat); rewrite /D; lra.
have hQ : sum m (fun j => sum m (fun i => D j i ^ 2)) <= theta ^ 2 * uniformity (/ theta ^ 2) tau d m.
  rewrite /uniformity -sum_scal; apply: sum_le => j _; rewrite -sum_scal; apply: sum_le => i _.
  exact: deficit_sq.
have [j [hj le]] := own_time m s D _ _ m0 s0 D0 (fun i => ltac:(rewrite /D h1; ring)) hQ erefl.
exists j; split=> //.
have -> : s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m) =
  s * sqrt (theta ^ 2 * uniformity (/ theta ^ 2) tau d m / INR m).
  rewrite Rmult_assoc; congr (_ * _); rewrite /Rdiv (Rmult_assoc (theta ^ 2)) [RHS]sqrt_mult_alt; last exact: pow2_ge_0.
  by rewrite sqrt_pow2.
apply: Rle_trans le; apply: sum_le => i _.
have b := time_small h ph h1 (tau (d + i)%coq_nat) (tau (d + j)%coq_nat).
have c := time_le1 h ph h1 (tau (d + i)%coq_nat) (tau (d + j)%coq_nat).
rewrite /D (time_sym h ph (tau (d + j)%coq_nat)); set v := h _ _ in b c *.
apply: ln_le; first by have := Rmult_le_pos s (1 - v ^ 2) s0 ltac:(lra); lra.
have : s * (1 - v ^ 2) <= s * (2 * (1 - v)) by apply: Rmult_le_compat_l => //; nra.
lra.
Qed.

(* one for each block of a partition *)
Lemma centres tau (g : nat -> R) blocks i d : exists c : nat -> R,
  over_blocks (fun i d m =>
    g m + / 2 * sum m (fun j => ln (1 + s * (1 - h (tau (d + j)%coq_nat) (c i) ^ 2)))) i d blocks <=
  over_blocks (fun i d m => g m +
    / 2 * INR m * ln (1 + s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) i d blocks.
Proof.
elim: blocks i d => [|m blocks IH] i d; first by exists (fun=> 0) => /=; lra.
have [c le] := IH (S i) (d + m)%coq_nat.
have [u ub] : exists u, sum m (fun j => ln (1 + s * (1 - h (tau (d + j)%coq_nat) u ^ 2))) <=
    INR m * ln (1 + s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m)).
  have [->|m0] : m = O \/ (0 < m)%coq_nat by lia.
    by exists 0; rewrite Rmult_0_l; exact: Rle_refl.
  by have [j [_ b]] := drift_below tau d m m0; exists (tau (d + j)%coq_nat).
exists (fun l => if Nat.eqb l i then u else c l); cbn [over_blocks]; rewrite Nat.eqb_refl.
apply: Rplus_le_compat; first by rewrite (Rmult_assoc (/ 2)); lra.
apply: Rle_trans le; apply: over_blocks_from => l e n hl.
by rewrite (proj2 (Nat.eqb_neq l i)); [lra | lia].
Qed.

(* the same with the kernel itself: no slope and no sign *)
Lemma drift_below_exact tau d m : (0 < m)%coq_nat -> exists j, (j < m)%coq_nat /\
  sum m (fun i => ln (1 + s * (1 - h (tau (d + i)%coq_nat) (tau (d + j)%coq_nat) ^ 2))) <=
  INR m * ln (1 + s * sqrt (sum m (fun a => sum m (fun b =>
     (1 - h (tau (d + a)%coq_nat) (tau (d + b)%coq_nat)) ^ 2)) / INR m)).
Proof.
move=> m0; pose D j i := 1 - h (tau (d + j)%coq_nat) (tau (d + i)%coq_nat).
have D0 i j : 0 <= D i j by have := time_le1 h ph h1 (tau (d + i)%coq_nat) (tau (d + j)%coq_nat); rewrite /D; lra.
have [j [hj le]] := own_time m s D _ _ m0 s0 D0 (fun i => ltac:(rewrite /D h1; ring)) (Rle_refl _) erefl.
exists j; split=> //; apply: Rle_trans le; apply: sum_le => i _.
have b := time_small h ph h1 (tau (d + i)%coq_nat) (tau (d + j)%coq_nat).
have c := time_le1 h ph h1 (tau (d + i)%coq_nat) (tau (d + j)%coq_nat).
rewrite /D (time_sym h ph (tau (d + j)%coq_nat)); set v := h _ _ in b c *.
apply: ln_le; first by have := Rmult_le_pos s (1 - v ^ 2) s0 ltac:(lra); lra.
have : s * (1 - v ^ 2) <= s * (2 * (1 - v)) by apply: Rmult_le_compat_l => //; nra.
lra.
Qed.

Variables (X : Type) (k : X -> X -> R).
Hypotheses (pk : kernel X k) (k1 : forall x, k x x <= 1).

Lemma theorem_1_block x tau d m :
  gain s m (shift2 d (joint X k h x tau)) <=
  gain s m (gram X k (fun i => x (d + i)%coq_nat)) +
  / 2 * INR m * ln (1 + s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m)).
Proof.
have [->|m0] : m = O \/ (0 < m)%coq_nat by lia.
  by rewrite !gain_0 /=; lra.
have [j [_ le]] := drift_below tau d m m0.
have := block_gain X k h s s0 pk ph k1 h1 x tau d m (tau (d + j)%coq_nat); lra.
Qed.

End Drift.

Lemma longest_in m bs : In m bs -> (m <= longest bs)%coq_nat.
Proof. elim: bs => //= a bs IH [->|/IH]; lia. Qed.

Lemma space_gain_below X k s gamma m M x : 0 <= s -> kernel X k -> bounds_space_gain X k s gamma ->
  (m <= M)%coq_nat -> gain s m (gram X k x) <= gamma M.
Proof.
move=> s0 pk bg mM; apply: Rle_trans (bg M x).
by apply: gain_le => //; exact: pk.
Qed.

Lemma over_blocks_plus p q i d bs :
  over_blocks (fun i d m => p i d m + q i d m) i d bs = over_blocks p i d bs + over_blocks q i d bs.
Proof. by elim: bs i d => [|m bs IH] i d /=; [lra | rewrite IH; lra]. Qed.

Lemma over_blocks_scal a p i d bs :
  over_blocks (fun i d m => a * p i d m) i d bs = a * over_blocks p i d bs.
Proof. by elim: bs i d => [|m bs IH] i d /=; [lra | rewrite IH; lra]. Qed.

Lemma over_blocks_const a i d bs : over_blocks (fun _ _ _ => a) i d bs = INR (length bs) * a.
Proof.
elim: bs i d => [|m bs IH] i d; first by rewrite /=; lra.
have -> : INR (length (m :: bs)) = INR (length bs) + 1 by rewrite -S_INR.
by rewrite [LHS]/= IH; lra.
Qed.

(* Theorem 1's bound on the gain with the sum of the gammas and the logarithm: Theorem A with an own
   time of each block as its centre *)
Theorem theorem_1_gain_sharp X k h s theta gamma (blocks : list nat) x tau :
  0 <= s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) ->
  (forall t, h t t = 1) -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  gain s (total blocks) (joint X k h x tau) <=
  over_blocks (fun i d m => gamma m +
    / 2 * INR m * ln (1 + s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 blocks.
Proof.
move=> s0 t0 pk ph k1 h1 hp sl bg.
have [c le] := centres h s theta s0 ph h1 hp t0 sl tau gamma blocks 0%N 0%N.
by apply: Rle_trans le; exact: theorem_a.
Qed.

(* the same as printed *)
Theorem theorem_1_gain X k h s theta gamma (blocks : list nat) x tau :
  0 <= s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) ->
  (forall t, h t t = 1) -> (forall t u, 0 <= h t u) ->
  (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  gain s (total blocks) (joint X k h x tau) <=
  INR (length blocks) * gamma (longest blocks) +
  / 2 * over_blocks (fun i d m =>
    INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau d m / INR m))) 0 0 blocks.
Proof.
move=> s0 t0 pk ph k1 h1 hp sl bg; set M := longest blocks.
have bM : bounds_space_gain X k s (fun m => gamma (Nat.max m M)).
  move=> m y; exact: space_gain_below X k s gamma m _ y s0 pk bg (Nat.le_max_l _ _).
apply: Rle_trans (theorem_1_gain_sharp X k h s theta _ blocks x tau s0 t0 pk ph k1 h1 hp sl bM) _.
rewrite -(over_blocks_const _ 0%N 0%N) -over_blocks_scal -over_blocks_plus.
apply: over_blocks_le => i d m /longest_in hm; rewrite (Nat.max_r m M hm).
set u := s * theta * _; have u0 : 0 <= u by repeat apply: Rmult_le_pos => //; exact: sqrt_pos.
have := Rmult_le_compat_l (/ 2 * INR m) _ _ ltac:(have := pos_INR m; lra) (phi_above u u0); lra.
Qed.

(* regret *)
Lemma log_chord s v : 0 < s -> 0 <= v <= 1 -> v * ln (1 + s) <= ln (1 + s * v).
Proof.
move=> s0 [v0 v1]; set y := 1 + s * v; have y0 : 0 < y by rewrite /y; nra.
have a := ln_tangent 1 y ltac:(lra) y0; have b := ln_tangent (1 + s) y ltac:(lra) y0.
rewrite ln_1 in a.
have e1 : (1 - y) / y = - (s * v) * / y by rewrite /y; field; rewrite -/y; lra.
have e2 : (1 + s - y) / y = s * (1 - v) * / y by rewrite /y; field; rewrite -/y; lra.
rewrite e1 in a; rewrite e2 in b.
have a' := Rmult_le_compat_l (1 - v) _ _ ltac:(lra) a.
have b' := Rmult_le_compat_l v _ _ v0 b.
nra.
Qed.

Lemma inverse_squares n : sum n (fun i => / INR (i + 1) ^ 2) <= 2.
Proof.
suff h m : sum m.+1 (fun i => / INR (i + 1) ^ 2) <= 2 - / INR (m + 1).
  case: n => [|n]; first by rewrite /=; lra.
  have := h n; have : 0 < / INR (n + 1) by apply: Rinv_0_lt_compat; apply: lt_0_INR; rewrite addn1; lia.
  lra.
elim: m => [|m IH]; first by rewrite /= Rmult_1_r Rinv_1; lra.
have n0 : 0 <= INR m := pos_INR m.
have e1 : INR (m + 1) = INR m + 1 by rewrite addn1 S_INR.
have e2 : INR (m.+1 + 1) = INR m + 2 by rewrite addn1 !S_INR; lra.
rewrite -[sum m.+2 _]/(sum m.+1 (fun i => / INR (i + 1) ^ 2) + / INR (m.+1 + 1) ^ 2).
rewrite e1 in IH; rewrite e2.
have : / (INR m + 2) ^ 2 <= / (INR m + 1) - / (INR m + 2).
  have -> : / (INR m + 1) - / (INR m + 2) = / ((INR m + 1) * (INR m + 2)) by field; lra.
  by apply: Rinv_le_contravar; nra.
lra.
Qed.

Lemma variance_ext s n A B : (forall i j, (i <= n)%coq_nat -> (j <= n)%coq_nat -> A i j = B i j) ->
  variance s n A = variance s n B.
Proof.
move=> e; rewrite !variance_qf e // (mx_ext n A B); last by move=> i j hi hj; apply: e; lia.
congr (_ - _ * qf _ _)%ring; apply/matrixP => i j; rewrite !mxE; apply: e => //.
by apply: Nat.lt_le_incl; apply/ssrnat.ltP.
Qed.

Lemma deviation_played X k h s x tau i :
  deviation X k h s x tau i (x i) = sqrt (variance s i (joint X k h x tau)).
Proof.
congr sqrt; apply: variance_ext => a b _ _; rewrite /joint.
by case: Nat.eqb_spec => [->|_]; case: Nat.eqb_spec => [->|_].
Qed.

(* sums of deviations against a gain at any smaller s *)
Lemma variances_gain X k h s t x tau n : 0 < t <= s -> kernel X k -> kernel R h ->
  (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  ln (1 + t) * sum n (fun i => deviation X k h s x tau i (x i) ^ 2) <= 2 * gain t n (joint X k h x tau).
Proof.
move=> ts pk ph k1 h1; have s0 : 0 <= s by lra.
have := noise_inflation s t n (joint X k h x tau) ts (semidefinite_joint X k h pk ph n x tau).
suff : ln (1 + t) * sum n (fun i => deviation X k h s x tau i (x i) ^ 2) <=
       sum n (fun i => ln (1 + t * variance s i (joint X k h x tau))) by lra.
rewrite -sum_scal; apply: sum_le => i _.
have pi := semidefinite_joint X k h pk ph (S i) x tau.
have [v0 _] := gain_variance s i _ s0 pi; have v1 := variance_le_prior s i _ s0 pi.
rewrite {2}/joint h1 in v1; have := k1 (x i) => kx.
rewrite deviation_played pow2_sqrt // Rmult_comm; apply: log_chord; lra.
Qed.

Lemma root_split a b : 0 <= a -> 0 <= b -> sqrt a * b = sqrt (a * b ^ 2).
Proof. by move=> a0 b0; rewrite sqrt_mult_alt // sqrt_pow2. Qed.

(* Cauchy and Schwarz over the rounds *)
Lemma sum_widths n beta (b : nat -> R) (d : nat -> R) G t : 0 < t ->
  (forall i, (i < n)%coq_nat -> 0 <= b i <= beta) -> (forall i, 0 <= d i) ->
  ln (1 + t) * sum n (fun i => d i ^ 2) <= 2 * G ->
  sum n (fun i => 2 * (sqrt (b i) * d i)) <= sqrt (8 / ln (1 + t) * beta * INR n * G).
Proof.
move=> t0 hb d0 hG.
have L0 : 0 < ln (1 + t) by rewrite -ln_1; apply: ln_increasing; lra.
have [->|n0] : n = O \/ (0 < n)%coq_nat by lia.
  exact: sqrt_pos.
have be0 : 0 <= beta by have := hb O n0; lra.
apply: Rle_trans (_ : sum n (fun i => sqrt (4 * b i * d i ^ 2)) <= _).
  apply: sum_le => i hi; have [b0 _] := hb i hi; right.
  rewrite Rmult_assoc sqrt_mult_alt; last lra.
  have -> : sqrt 4 = 2 by have := sqrt_pow2 2 ltac:(lra) => <-; congr sqrt; ring.
  by rewrite root_split.
apply: Rle_trans (sum_sqrt n _ _) _.
  by move=> i hi; have [b0 _] := hb i hi; apply: Rmult_le_pos; [lra | exact: pow2_ge_0].
apply: sqrt_le_1_alt.
have : sum n (fun i => 4 * b i * d i ^ 2) <= 4 * beta * sum n (fun i => d i ^ 2).
  rewrite -sum_scal; apply: sum_le => i hi; have [b0 b1] := hb i hi.
  by apply: Rmult_le_compat_r; [exact: pow2_ge_0 | lra].
have : sum n (fun i => d i ^ 2) <= 2 * G / ln (1 + t).
  apply: (Rmult_le_reg_l (ln (1 + t))) => //.
  by have -> : ln (1 + t) * (2 * G / ln (1 + t)) = 2 * G by field; lra.
move=> u v; have -> : 8 / ln (1 + t) * beta * INR n * G = INR n * (4 * beta * (2 * G / ln (1 + t))) by field; lra.
apply: Rmult_le_compat_l; first exact: pos_INR.
by apply: Rle_trans v _; apply: Rmult_le_compat_l; lra.
Qed.

Lemma Rabs_le_inv x a : Rabs x <= a -> - a <= x <= a.
Proof. by rewrite /Rabs; case: Rcase_abs; lra. Qed.

(* one round *)
Lemma round_regret X mean sd beta n x f top : (forall i z, 0 <= sd i z) ->
  upper_confidence_policy X mean sd beta n x ->
  confidence_event X mean sd beta n x f top ->
  forall i, (i < n)%coq_nat -> top i - f i <= 2 * (sqrt (beta i) * sd i (x i)) + / INR (i + 1) ^ 2.
Proof.
move=> sd0 pol ev i hi; have [e1 [z e2]] := ev i hi; have := pol i z hi.
move: e1 e2 => /Rabs_le_inv e1 /Rabs_le_inv e2; lra.
Qed.

Lemma deviation_ge0 X k h s x tau i z : 0 <= deviation X k h s x tau i z.
Proof. exact: sqrt_pos. Qed.

(* Lemma 12: regret against the gain, at the noise of the model or a larger one *)
Theorem regret_gain X k h s t mean beta n x tau f top B :
  0 < t <= s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x tau) beta n x ->
  confidence_event X mean (deviation X k h s x tau) beta n x f top ->
  sum n (fun i => top i - f i) <=
  sqrt (8 / ln (1 + t) * B * INR n * gain t n (joint X k h x tau)) + 2.
Proof.
move=> ts pk ph k1 h1 hb pol ev.
have r := round_regret X mean _ beta n x f top (deviation_ge0 X k h s x tau) pol ev.
apply: Rle_trans (sum_le n _ _ r) _; rewrite sum_plus.
have := inverse_squares n.
have := sum_widths n B beta (fun i => deviation X k h s x tau i (x i)) _ t ltac:(lra) hb
  (fun i => deviation_ge0 X k h s x tau i (x i)) (variances_gain X k h s t x tau n ts pk ph k1 h1).
lra.
Qed.

Theorem theorem_1 X k h s theta gamma mean beta (blocks : list nat) x tau f top B :
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
Proof.
move=> s0 t0 pk ph k1 h1 hp sl bg hb pol ev /=; split.
  by apply: (regret_gain X k h s s mean beta _ x tau f top B) => //; lra.
apply: Rplus_le_compat_r; apply: sqrt_le_1_alt.
have L0 : 0 < ln (1 + s) by rewrite -ln_1; apply: ln_increasing; lra.
have [e|n0] : total blocks = O \/ (0 < total blocks)%coq_nat by lia.
  by rewrite e /=; lra.
have be0 : 0 <= B by have := hb O n0; lra.
apply: Rmult_le_compat_l.
  apply: Rmult_le_pos; last exact: pos_INR.
  by apply: Rmult_le_pos => //; left; apply: Rdiv_lt_0_compat; lra.
by apply: theorem_1_gain => //; lra.
Qed.

(* the trivial cap *)
Theorem trivial_regret X k h s mean beta n x tau f top B :
  0 <= s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x tau) beta n x ->
  confidence_event X mean (deviation X k h s x tau) beta n x f top ->
  sum n (fun i => top i - f i) <= 2 * sqrt B * INR n + 2.
Proof.
move=> s0 pk ph k1 h1 hb pol ev.
have r := round_regret X mean _ beta n x f top (deviation_ge0 X k h s x tau) pol ev.
apply: Rle_trans (sum_le n _ _ r) _; rewrite sum_plus.
have := inverse_squares n.
suff : sum n (fun i => 2 * (sqrt (beta i) * deviation X k h s x tau i (x i))) <= INR n * (2 * sqrt B) by lra.
rewrite -sum_const; apply: sum_le => i hi; have [b0 b1] := hb i hi.
have pi := semidefinite_joint X k h pk ph (S i) x tau.
have := variance_le_prior s i _ s0 pi; rewrite {2}/joint h1 => v1; have := k1 (x i) => kx.
have d1 : deviation X k h s x tau i (x i) <= 1.
  by rewrite deviation_played -sqrt_1; apply: sqrt_le_1_alt; lra.
have := sqrt_le_1_alt _ _ b1; have := sqrt_pos (beta i).
have := deviation_ge0 X k h s x tau i (x i); nra.
Qed.
