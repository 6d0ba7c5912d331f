(******************************************************************************)
(*                                 Theorem 2                                  *)
(*                                                                            *)
(* What Theorem 1 gives for biased times, for a short span, and for uniform   *)
(* times.                                                                     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   short_span == times within a short span                                  *)
(*   biased_gain, biased_regret == two groups of equal times                  *)
(*   uniform_blocks, uniform_rate == equal steps in blocks of one length      *)
(*   uniform_exponents == the exponents of the regret                         *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* theorem_a, theorem_1, uniformity.                                          *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains posterior theorem_a theorem_1 uniformity.
Open Scope R_scope.

Lemma phi_le x : 0 <= x -> phi x <= x.
Proof.
move=> x0; rewrite /phi; case: Rle_dec => [l|_] /=; first lra.
exact: Rmin_l.
Qed.

Section Rates.
Variables (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s theta : R) (gamma : nat -> R).
Hypotheses (s0 : 0 <= s) (t0 : 0 <= theta) (pk : kernel X k) (ph : kernel R h)
  (k1 : forall x, k x x <= 1) (h1 : forall t, h t t = 1) (hp : forall t u, 0 <= h t u)
  (sl : forall t u, 1 - h t u <= theta * Rabs (t - u)) (bg : bounds_space_gain X k s gamma).

(* a block of m rounds within a span g *)
Lemma span_block x tau d m g : 0 <= g ->
  (forall j l, (j < m)%coq_nat -> (l < m)%coq_nat -> Rabs (tau (d + j)%coq_nat - tau (d + l)%coq_nat) <= g) ->
  gain s m (shift2 d (joint X k h x tau)) <= gamma m + / 2 * (INR m * (s * theta * (g * sqrt (INR m)))).
Proof.
move=> g0 sp; have := theorem_1_block h s theta s0 ph h1 hp t0 sl X k pk k1 x tau d m.
have := bg m (fun i => x (d + i)%coq_nat).
have m0 := pos_INR m.
have [z|mp] : m = O \/ (0 < m)%coq_nat by lia.
  by rewrite z /=; lra.
have mp' : 0 < INR m by apply: lt_0_INR.
have C : uniformity (/ theta ^ 2) tau d m <= INR m * (INR m * g ^ 2).
  rewrite /uniformity -sum_const; apply: sum_le => j hj; rewrite -sum_const; apply: sum_le => l hl.
  apply: Rle_trans (Rmin_r _ _) _.
  have := sp j l hj hl; have := Rabs_pos (tau (d + j)%coq_nat - tau (d + l)%coq_nat) => p q.
  have -> : (tau (d + j)%coq_nat - tau (d + l)%coq_nat) ^ 2 = Rabs (tau (d + j)%coq_nat - tau (d + l)%coq_nat) ^ 2.
    by rewrite RPow_abs Rabs_pos_eq //; exact: pow2_ge_0.
  by apply: pow_incr.
have r : sqrt (uniformity (/ theta ^ 2) tau d m / INR m) <= g * sqrt (INR m).
  rewrite -{1}(sqrt_pow2 g g0) -sqrt_mult_alt; last exact: pow2_ge_0.
  apply: sqrt_le_1_alt; apply: (Rmult_le_reg_r (INR m)) => //.
  have -> : uniformity (/ theta ^ 2) tau d m / INR m * INR m = uniformity (/ theta ^ 2) tau d m by field; lra.
  lra.
set u := s * theta * _; have st : 0 <= s * theta by exact: Rmult_le_pos.
have u0 : 0 <= u by apply: Rmult_le_pos => //; exact: sqrt_pos.
have ux : u <= s * theta * (g * sqrt (INR m)) by apply: Rmult_le_compat_l.
have := ln_le_sub (1 + u) ltac:(lra) => l1 b1 b2.
have : INR m * ln (1 + u) <= INR m * (s * theta * (g * sqrt (INR m))) by apply: Rmult_le_compat_l; lra.
lra.
Qed.

(* any times within a span T with theta T n^(3/2) <= 1: as if nothing moved, up to s/2 *)
Theorem short_span n x tau T : 0 <= T ->
  (forall j l, (j < n)%coq_nat -> (l < n)%coq_nat -> Rabs (tau j - tau l) <= T) ->
  theta * T * (INR n * sqrt (INR n)) <= 1 ->
  gain s n (joint X k h x tau) <= gamma n + s / 2.
Proof.
move=> T0 sp small; rewrite -gain_shift0.
apply: Rle_trans (span_block x tau 0 n T T0 sp) _.
have -> : / 2 * (INR n * (s * theta * (T * sqrt (INR n)))) = s / 2 * (theta * T * (INR n * sqrt (INR n))) by field.
have := Rmult_le_compat_l (s / 2) _ _ ltac:(lra) small; lra.
Qed.

Lemma total_repeat m N : total (repeat m N) = (N * m)%coq_nat.
Proof. by elim: N => //= N ->. Qed.

(* uniform times, N blocks of m rounds that cover the n rounds *)
Theorem uniform_blocks n x T m N : 0 <= T -> (0 < n)%coq_nat -> (n <= (N * m)%coq_nat)%coq_nat ->
  gain s n (joint X k h x (uniform_times T n)) <=
  INR N * (gamma m + / 2 * (INR m * (s * theta * (T / INR n * INR m * sqrt (INR m))))).
Proof.
move=> T0 n0 cov; have N0 : 0 < INR n by apply: lt_0_INR.
have step : 0 <= T / INR n by apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat.
apply: Rle_trans (gain_le s n (N * m)%coq_nat _ cov s0 (semidefinite_joint X k h pk ph _ x _)) _.
rewrite -total_repeat -gain_shift0.
have -> : INR N = INR (length (repeat m N)) by rewrite repeat_length.
rewrite -(over_blocks_const _ O O); apply: gain_partition => //.
  by move=> p; exact: semidefinite_joint.
move=> i d p hin; rewrite (repeat_spec _ _ _ hin); apply: span_block.
  by apply: Rmult_le_pos => //; exact: pos_INR.
move=> j l hj hl; rewrite /uniform_times.
have -> : T / INR n * INR ((d + j)%coq_nat + 1) - T / INR n * INR ((d + l)%coq_nat + 1) = T / INR n * (INR j - INR l).
  by rewrite !addn1 !S_INR !plus_INR; ring.
rewrite Rabs_mult (Rabs_pos_eq _ step); apply: Rmult_le_compat_l => //.
have := le_INR j m ltac:(lia); have := le_INR l m ltac:(lia); have := pos_INR j; have := pos_INR l.
by move=> *; apply: Rabs_le; lra.
Qed.

(* biased times, whatever the jump and its place: two blocks of equal times *)
Theorem biased_gain T n0 n (x : nat -> X) :
  (1 <= n0)%coq_nat -> (n0 <= n)%coq_nat ->
  gain s n (joint X k h x (biased_times T n0)) <= 2 * gamma n.
Proof.
move=> h0 hn; pose a := Nat.sub n0 1; pose b := Nat.sub n a.
have e : n = (a + b)%coq_nat by rewrite /b /a; lia.
have pA := semidefinite_joint X k h pk ph n x (biased_times T n0).
have equal d m : (forall j l, (j < m)%coq_nat -> (l < m)%coq_nat ->
    biased_times T n0 (d + j)%coq_nat = biased_times T n0 (d + l)%coq_nat) -> (m <= n)%coq_nat ->
    gain s m (shift2 d (joint X k h x (biased_times T n0))) <= gamma n.
  move=> eq mn; rewrite (gain_ext s m _ (gram X k (fun i => x (d + i)%coq_nat))).
    exact: (space_gain_below X k s gamma m n _ s0 pk bg mn).
  by move=> j l hj hl; rewrite /shift2 /joint (eq j l hj hl) h1 Rmult_1_r.
have f : gain s n (joint X k h x (biased_times T n0)) <= gain s a (joint X k h x (biased_times T n0)) +
   gain s b (shift2 a (joint X k h x (biased_times T n0))).
  by rewrite {1}e; apply: gain_fischer => //; rewrite -e.
have g1 := equal O a; have g2 := equal a b.
apply: Rle_trans f _; rewrite -[gain s a _]gain_shift0.
have r1 : gain s a (shift2 0 (joint X k h x (biased_times T n0))) <= gamma n.
  apply: g1 => [j l hj hl|]; last by rewrite /a; lia.
  by rewrite /biased_times; case: Nat.ltb_spec => u; case: Nat.ltb_spec => v //; move: u v hj hl; rewrite /a -!plusE; lia.
have r2 : gain s b (shift2 a (joint X k h x (biased_times T n0))) <= gamma n.
  apply: g2 => [j l hj hl|]; last by rewrite /b; lia.
  by rewrite /biased_times; case: Nat.ltb_spec => u; case: Nat.ltb_spec => v //; move: u v; rewrite /a -!plusE; lia.
lra.
Qed.

End Rates.

(* the regret for biased times with a rate of the space gain *)
Theorem biased_regret X k h s gamma mean beta n (x : nat -> X) f top B T n0 G c :
  0 < s -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  bounds_space_gain X k s gamma ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x (biased_times T n0)) beta n x ->
  confidence_event X mean (deviation X k h s x (biased_times T n0)) beta n x f top ->
  (1 <= n0)%coq_nat -> (n0 <= n)%coq_nat -> 0 <= G -> gamma n <= G * Rpower (INR n) c ->
  sum n (fun i => top i - f i) <= sqrt (16 / ln (1 + s) * B * G) * Rpower (INR n) ((1 + c) / 2) + 2.
Proof.
move=> s0 pk ph k1 h1 bg hb pol ev l0 ln0 G0 rate.
have n0' : (0 < n)%coq_nat by lia.
have N0 : 0 < INR n by apply: lt_0_INR.
have L0 : 0 < ln (1 + s) by rewrite -ln_1; apply: ln_increasing; lra.
have B0 : 0 <= B by have := hb O n0'; lra.
have r := regret_gain X k h s s mean beta n x (biased_times T n0) f top B ltac:(lra) pk ph k1 h1 hb pol ev.
apply: Rle_trans r _; apply: Rplus_le_compat_r.
have g := biased_gain X k h s gamma ltac:(lra) pk ph h1 bg T n0 n x l0 ln0.
have A0 : 0 <= 16 / ln (1 + s) * B * G.
  have q : 0 <= 16 / ln (1 + s) by left; apply: Rdiv_lt_0_compat; lra.
  by apply: Rmult_le_pos => //; apply: Rmult_le_pos.
have P : Rpower (INR n) ((1 + c) / 2) ^ 2 = INR n * Rpower (INR n) c.
  rewrite /= Rmult_1_r -Rpower_plus; have -> : (1 + c) / 2 + (1 + c) / 2 = 1 + c by field.
  by rewrite Rpower_plus Rpower_1.
have P0 : 0 <= Rpower (INR n) ((1 + c) / 2) by left; exact: exp_pos.
rewrite -(sqrt_pow2 _ P0) -sqrt_mult_alt // P; apply: sqrt_le_1_alt.
have -> : 16 / ln (1 + s) * B * G * (INR n * Rpower (INR n) c) =
  8 / ln (1 + s) * B * INR n * (2 * (G * Rpower (INR n) c)) by field; lra.
apply: Rmult_le_compat_l; last lra.
have q : 0 <= 8 / ln (1 + s) by left; apply: Rdiv_lt_0_compat; lra.
by apply: Rmult_le_pos; [apply: Rmult_le_pos | lra].
Qed.

Lemma rpower_pos x y : 0 < Rpower x y. Proof. exact: exp_pos. Qed.
Lemma rpower_ge1 n u : 1 <= n -> 0 <= u -> 1 <= Rpower n u.
Proof. by move=> n1 u0; rewrite -(Rpower_O n); [apply: Rle_Rpower | lra]. Qed.

(* a length m between n^u and 2 n^u, and N blocks of it that cover n rounds, N at most 2 n^(1-u) *)
Lemma lengths n u : (0 < n)%coq_nat -> 0 <= u <= 1 -> exists m N, (0 < m)%coq_nat /\ (n <= (N * m)%coq_nat)%coq_nat /\
  Rpower (INR n) u <= INR m <= 2 * Rpower (INR n) u /\ INR N <= 2 * Rpower (INR n) (1 - u).
Proof.
move=> n0 [u0 u1]; have N1 : 1 <= INR n by have := le_INR 1 n n0.
set w := Rpower (INR n) u; have w1 : 1 <= w by exact: rpower_ge1.
have [up1 up2] := archimed w.
have z0 : (0 <= up w)%Z by apply: le_IZR; lra.
pose m := Z.to_nat (up w); have em : INR m = IZR (up w) by rewrite INR_IZR_INZ /m Z2Nat.id.
have m1 : w <= INR m <= 2 * w by rewrite em; lra.
have mp : (0 < m)%coq_nat by apply: INR_lt; rewrite /=; lra.
exists m, (S (Nat.div n m)).
have d1 := Nat.div_mod n m ltac:(lia); have d2 := Nat.mod_upper_bound n m ltac:(lia).
split=> //; split; first by rewrite /=; nia.
split=> //.
have r1 : 1 <= Rpower (INR n) (1 - u) by apply: rpower_ge1; lra.
have q : Rpower (INR n) (1 - u) * w = INR n by rewrite /w -Rpower_plus; have -> : 1 - u + u = 1 by [ring]; rewrite Rpower_1; lra.
have dm : INR (Nat.div n m) * INR m <= INR n by rewrite -mult_INR; apply: le_INR; nia.
have dv : INR (Nat.div n m) <= Rpower (INR n) (1 - u).
  apply: (Rmult_le_reg_r w); first lra.
  rewrite q; apply: Rle_trans dm; apply: Rmult_le_compat_l; [exact: pos_INR | lra].
rewrite S_INR; lra.
Qed.

Section Uniform.
Variables (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s theta : R) (gamma : nat -> R).
Hypotheses (s0 : 0 <= s) (th0 : 0 <= theta) (pk : kernel X k) (ph : kernel R h).
Hypotheses (k1 : forall x, k x x <= 1) (h1 : forall t, h t t = 1) (hp : forall t u, 0 <= h t u).
Hypotheses (sl : forall t u, 1 - h t u <= theta * Rabs (t - u)) (bg : bounds_space_gain X k s gamma).

Theorem uniform_rate n x T G c u kappa : (0 < n)%coq_nat -> 0 <= T -> 0 <= G -> 0 <= c <= 1 -> 0 <= u <= 1 ->
  (forall m, (0 < m)%coq_nat -> (m <= (2 * n)%coq_nat)%coq_nat -> gamma m <= G * Rpower (INR m) c) ->
  theta * T <= Rpower (INR n) kappa ->
  gain s n (joint X k h x (uniform_times T n)) <=
  4 * G * Rpower (INR n) (1 - (1 - c) * u) + 6 * s * Rpower (INR n) (kappa + 3 / 2 * u).
Proof.
move=> n0 T0 G0 [c0 c1] hu rate tk.
have [m [N [mp [nm [[m1 m2] N2]]]]] := lengths n u n0 hu.
have P : 0 < INR n by apply: lt_0_INR.
have P1 : 1 <= INR n by have := le_INR 1 n n0.
set w := Rpower (INR n) u in m1 m2; have w1 : 1 <= w by apply: rpower_ge1 => //; lra.
have W0 : 0 < w by lra.
have M0 : 0 < INR m by lra.
have NN := pos_INR N.
have mn : (m <= (2 * n)%coq_nat)%coq_nat.
  have wn : w <= INR n by rewrite -[X in _ <= X](Rpower_1 (INR n) P); apply: Rle_Rpower; lra.
  by apply: INR_le; rewrite mult_INR /=; lra.
apply: Rle_trans (uniform_blocks X k h s theta gamma s0 th0 pk ph k1 h1 hp sl bg n x T m N T0 n0 nm) _.
rewrite Rmult_plus_distr_l; apply: Rplus_le_compat.
  (* N gamma_m <= 2 n^(1-u) * G (2 n^u)^c *)
  have g1 : gamma m <= G * (2 * Rpower (INR n) (u * c)).
    apply: Rle_trans (rate m mp mn) _; apply: Rmult_le_compat_l => //.
    apply: Rle_trans (_ : Rpower (2 * w) c <= _).
      apply: Rle_Rpower_l; lra.
    rewrite -Rpower_mult_distr; [|lra|lra].
    rewrite /w Rpower_mult; apply: Rmult_le_compat_r; first by left; exact: rpower_pos.
    by rewrite -{2}(Rpower_1 2 ltac:(lra)); apply: Rle_Rpower; lra.
  have gg : 0 <= G * (2 * Rpower (INR n) (u * c)) by apply: Rmult_le_pos => //; have := rpower_pos (INR n) (u * c); lra.
  apply: Rle_trans (Rmult_le_compat_l _ _ _ NN g1) _.
  apply: Rle_trans (Rmult_le_compat_r _ _ _ gg N2) _; right.
  have -> : 1 - (1 - c) * u = (1 - u) + u * c by ring.
  rewrite Rpower_plus; ring.
(* the drift: N m <= 4 n and m^(3/2) <= (2 n^u)^(3/2) *)
have root : INR m * sqrt (INR m) <= 3 * Rpower (INR n) (3 / 2 * u).
  have sq : sqrt (INR m) <= 3 / 2 * Rpower (INR n) (u / 2).
    rewrite -(sqrt_pow2 (3 / 2 * Rpower (INR n) (u / 2))); last by have := rpower_pos (INR n) (u / 2); lra.
    apply: sqrt_le_1_alt; have -> : (3 / 2 * Rpower (INR n) (u / 2)) ^ 2 = 9 / 4 * w; last by lra.
    have -> : w = Rpower (INR n) (u / 2) * Rpower (INR n) (u / 2) by rewrite /w -Rpower_plus; congr Rpower; field.
    by field.
  have -> : 3 / 2 * u = u + u / 2 by field.
  rewrite Rpower_plus -/w.
  have sp := sqrt_pos (INR m); have rp := rpower_pos (INR n) (u / 2).
  have a1 : INR m * sqrt (INR m) <= 2 * w * sqrt (INR m) by apply: Rmult_le_compat_r.
  have a2 : 2 * w * sqrt (INR m) <= 2 * w * (3 / 2 * Rpower (INR n) (u / 2)) by apply: Rmult_le_compat_l; lra.
  lra.
have cover : INR N * INR m <= 4 * INR n.
  have a1 : INR N * INR m <= 2 * Rpower (INR n) (1 - u) * (2 * w).
    by apply: Rmult_le_compat => //; lra.
  have q : Rpower (INR n) (1 - u) * w = INR n by rewrite /w -Rpower_plus; have -> : 1 - u + u = 1 by [ring]; rewrite Rpower_1.
  have -> : 4 * INR n = 2 * Rpower (INR n) (1 - u) * (2 * w) by rewrite -{1}q; ring.
  exact: a1.
have -> : INR N * (/ 2 * (INR m * (s * theta * (T / INR n * INR m * sqrt (INR m))))) =
  / 2 * s * (INR N * INR m / INR n) * (theta * T) * (INR m * sqrt (INR m)) by field; lra.
have r0 : 0 <= INR m * sqrt (INR m) by apply: Rmult_le_pos; [lra | exact: sqrt_pos].
have t0 : 0 <= theta * T by apply: Rmult_le_pos.
have f4 : INR N * INR m / INR n <= 4.
  apply: (Rmult_le_reg_r (INR n)) => //; have -> : INR N * INR m / INR n * INR n = INR N * INR m by field; lra.
  exact: cover.
have f0 : 0 <= INR N * INR m / INR n.
  by apply: Rmult_le_pos; [apply: Rmult_le_pos; lra | left; exact: Rinv_0_lt_compat].
rewrite Rpower_plus.
have -> : 6 * s * (Rpower (INR n) kappa * Rpower (INR n) (3 / 2 * u)) =
  / 2 * s * 4 * Rpower (INR n) kappa * (3 * Rpower (INR n) (3 / 2 * u)) by field.
have s2 : 0 <= / 2 * s by lra.
apply: Rmult_le_compat => //.
  by apply: Rmult_le_pos => //; apply: Rmult_le_pos.
apply: Rmult_le_compat => //; first by apply: Rmult_le_pos.
by apply: Rmult_le_compat_l.
Qed.
End Uniform.

(* the regret at the balance of the two terms, or at any u beyond it *)
Theorem uniform_regret X k h s theta gamma mean beta n (x : nat -> X) f top B T G c u kappa :
  0 < s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  upper_confidence_policy X mean (deviation X k h s x (uniform_times T n)) beta n x ->
  confidence_event X mean (deviation X k h s x (uniform_times T n)) beta n x f top ->
  (0 < n)%coq_nat -> 0 <= T -> 0 <= G -> 0 <= c <= 1 -> 0 <= u <= 1 ->
  (forall m, (0 < m)%coq_nat -> (m <= (2 * n)%coq_nat)%coq_nat -> gamma m <= G * Rpower (INR m) c) ->
  theta * T <= Rpower (INR n) kappa -> kappa + 3 / 2 * u <= 1 - (1 - c) * u ->
  sum n (fun i => top i - f i) <=
  sqrt (8 / ln (1 + s) * B * (4 * G + 6 * s)) * Rpower (INR n) (1 - (1 - c) * u / 2) + 2.
Proof.
move=> s0 th0 pk ph k1 h1 hp sl bg hb pol ev n0 T0 G0 hc hu rate tk bal.
have N1 : 1 <= INR n by have := le_INR 1 n n0.
have L0 : 0 < ln (1 + s) by rewrite -ln_1; apply: ln_increasing; lra.
have B0 : 0 <= B by have := hb O n0; lra.
have r := regret_gain X k h s s mean beta n x (uniform_times T n) f top B ltac:(lra) pk ph k1 h1 hb pol ev.
apply: Rle_trans r _; apply: Rplus_le_compat_r.
have g := uniform_rate X k h s theta gamma ltac:(lra) th0 pk ph k1 h1 hp sl bg n x T G c u kappa n0 T0 G0 hc hu rate tk.
have g2 : gain s n (joint X k h x (uniform_times T n)) <= (4 * G + 6 * s) * Rpower (INR n) (1 - (1 - c) * u).
  have up : Rpower (INR n) (kappa + 3 / 2 * u) <= Rpower (INR n) (1 - (1 - c) * u) by apply: Rle_Rpower.
  have := Rmult_le_compat_l (6 * s) _ _ ltac:(lra) up; lra.
have C0 : 0 <= 8 / ln (1 + s) * B.
  by apply: Rmult_le_pos => //; left; apply: Rdiv_lt_0_compat; lra.
have A0 : 0 <= 8 / ln (1 + s) * B * (4 * G + 6 * s) by apply: Rmult_le_pos; lra.
have P0 : 0 <= Rpower (INR n) (1 - (1 - c) * u / 2) by left; exact: exp_pos.
have P2 : Rpower (INR n) (1 - (1 - c) * u / 2) ^ 2 = INR n * Rpower (INR n) (1 - (1 - c) * u).
  rewrite /= Rmult_1_r -Rpower_plus.
  have -> : 1 - (1 - c) * u / 2 + (1 - (1 - c) * u / 2) = 1 + (1 - (1 - c) * u) by field.
  by rewrite Rpower_plus Rpower_1; lra.
rewrite -(sqrt_pow2 _ P0) -sqrt_mult_alt // P2; apply: sqrt_le_1_alt.
have -> : 8 / ln (1 + s) * B * (4 * G + 6 * s) * (INR n * Rpower (INR n) (1 - (1 - c) * u)) =
  8 / ln (1 + s) * B * INR n * ((4 * G + 6 * s) * Rpower (INR n) (1 - (1 - c) * u)) by ring.
by apply: Rmult_le_compat_l => //; apply: Rmult_le_pos; lra.
Qed.

(* the exponents: with gamma_m <= G m^c the regret has (1+c)/2 up to kappa = c - 3/2 and the balance of
   the two terms from there to kappa = 1 *)
Theorem uniform_exponents X k h s theta gamma mean beta n (x : nat -> X) f top B T G c kappa :
  0 < s -> 0 <= theta -> kernel X k -> kernel R h -> (forall x, k x x <= 1) -> (forall t, h t t = 1) ->
  (forall t u, 0 <= h t u) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) -> bounds_space_gain X k s gamma ->
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
Proof.
move=> s0 th0 pk ph k1 h1 hp sl bg hb pol ev n0 T0 G0 hc rate tk factor.
have main u := uniform_regret X k h s theta gamma mean beta n x f top B T G c u kappa
  s0 th0 pk ph k1 h1 hp sl bg hb pol ev n0 T0 G0 hc.
split=> hk.
  have := main 1 ltac:(lra) rate tk ltac:(lra).
  by have -> : 1 - (1 - c) * 1 / 2 = (1 + c) / 2 by field.
have d : 0 < 5 - 2 * c by lra.
pose u := 2 * (1 - kappa) / (5 - 2 * c).
have ud : u * (5 - 2 * c) = 2 * (1 - kappa) by rewrite /u; field; lra.
have u0 : 0 <= u by apply: (Rmult_le_reg_r (5 - 2 * c)) => //; rewrite ud; lra.
have u1 : u <= 1 by apply: (Rmult_le_reg_r (5 - 2 * c)) => //; rewrite ud; lra.
have := main u (conj u0 u1) rate tk ltac:(nra).
by have -> : 1 - (1 - c) * u / 2 = (4 - c + kappa * (1 - c)) / (5 - 2 * c) by rewrite /u; field; lra.
Qed.
