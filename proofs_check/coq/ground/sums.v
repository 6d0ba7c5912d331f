(******************************************************************************)
(*                         Finite sums and logarithms                         *)
(*                                                                            *)
(* Sums over 0, ..., n - 1 of real numbers, and the inequalities of Cauchy    *)
(* and Schwarz and of Jensen for them.                                        *)
(*                                                                            *)
(* Statements:                                                                *)
(*   sum_ext, sum_le, sum_add, sum_swap == congruence, order, cutting in      *)
(*       two, order of summation                                              *)
(*   cauchy_schwarz == for two sequences                                      *)
(*   jensen_log == for the logarithm                                          *)
(*   sum_of_powers, unit_steps == sums of integers and of squared lags        *)
(*   uniformity_most == C is at most n (n - 1) times its cap                  *)
(*                                                                            *)
(* Rests on: library, definitions.                                            *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions.
Import GRing.Theory.
Open Scope R_scope.

Lemma sumE n f : sum n f = (\sum_(i < n) f (nat_of_ord i))%ring.
Proof. elim: n => [|n IH]; first by rewrite big_ord0. by rewrite big_ord_recr /= IH. Qed.

Lemma sum_ext n f g : (forall i, (i < n)%coq_nat -> f i = g i) -> sum n f = sum n g.
Proof. elim: n => //= n IH h; rewrite IH; [rewrite h //; lia | move=> i hi; apply: h; lia]. Qed.

Lemma sum_le n f g : (forall i, (i < n)%coq_nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
elim: n => /= [|n IH] h; first by lra.
have h1 := h n ltac:(lia); have h2 : sum n f <= sum n g by apply: IH => i hi; apply: h; lia.
lra.
Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. elim: n => /= [|n ->]; lra. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. elim: n => /= [|n ->]; lra. Qed.

Lemma sum_scal n a f : sum n (fun i => a * f i) = a * sum n f.
Proof. elim: n => /= [|n ->]; lra. Qed.

Lemma sum_scalr n a f : sum n (fun i => f i * a) = sum n f * a.
Proof. elim: n => /= [|n ->]; lra. Qed.

Lemma sum_const n a : sum n (fun=> a) = INR n * a.
Proof. elim: n => [|n IH] /=; first by lra. rewrite IH -/(INR n.+1) S_INR; lra. Qed.

Lemma sum_ge0 n f : (forall i, (i < n)%coq_nat -> 0 <= f i) -> 0 <= sum n f.
Proof.
by move=> h; apply: Rle_trans (sum_le n (fun=> 0) f h); rewrite sum_const Rmult_0_r; lra.
Qed.

Lemma sum_0 n : sum n (fun=> 0) = 0.
Proof. by rewrite sum_const Rmult_0_r. Qed.

Lemma sum_add m n f : sum (m + n)%coq_nat f = sum m f + sum n (fun i => f (m + i)%coq_nat).
Proof.
elim: n => [|n IH] /=; first by rewrite Nat.add_0_r; lra.
by rewrite Nat.add_succ_r /= IH; lra.
Qed.

Lemma sum_S n f : sum n.+1 f = f O + sum n (fun i => f i.+1).
Proof. by rewrite -[n.+1]/(1 + n)%coq_nat sum_add /=; lra. Qed.

Lemma sum_swap m n f :
  sum m (fun i => sum n (fun j => f i j)) = sum n (fun j => sum m (fun i => f i j)).
Proof.
elim: m => [|m IH] /=; first by rewrite sum_0.
by rewrite IH -sum_plus.
Qed.

Lemma sum_sq_ge n f i : (i < n)%coq_nat -> (forall j, (j < n)%coq_nat -> 0 <= f j) -> f i <= sum n f.
Proof.
elim: n => [|n IH] hi h; first by lia.
have h0 : 0 <= sum n f by apply: sum_ge0 => j hj; apply: h; lia.
have hn := h n ltac:(lia); rewrite /=.
have [->|ni] : i = n \/ (i < n)%coq_nat by lia.
  lra.
have := IH ni (fun j hj => h j ltac:(lia)); lra.
Qed.

(* Cauchy and Schwarz *)
Lemma cauchy_schwarz n f g :
  (sum n (fun i => f i * g i)) ^ 2 <= sum n (fun i => f i ^ 2) * sum n (fun i => g i ^ 2).
Proof.
set a := sum n (fun i => f i ^ 2); set b := sum n (fun i => f i * g i); set c := sum n _.
have q t : 0 <= a - 2 * t * b + t ^ 2 * c.
  have -> : a - 2 * t * b + t ^ 2 * c = sum n (fun i => (f i - t * g i) ^ 2).
    rewrite /a /b /c -sum_scal -sum_scal -sum_minus -sum_plus; apply: sum_ext => i _; ring.
  by apply: sum_ge0 => i _; exact: pow2_ge_0.
have c0 : 0 <= c by apply: sum_ge0 => i _; exact: pow2_ge_0.
have [cp|cz] : 0 < c \/ c = 0 by lra.
  have := q (b / c).
  have -> : a - 2 * (b / c) * b + (b / c) ^ 2 * c = (a * c - b ^ 2) / c by field; lra.
  move=> h; have : 0 <= (a * c - b ^ 2) / c * c by apply: Rmult_le_pos; lra.
  have -> : (a * c - b ^ 2) / c * c = a * c - b ^ 2 by field; lra.
  lra.
have [bz|bn] : b = 0 \/ b <> 0 by lra.
  by rewrite cz bz; lra.
have := q ((a + 1) / (2 * b)); rewrite cz.
have -> : a - 2 * ((a + 1) / (2 * b)) * b + ((a + 1) / (2 * b)) ^ 2 * 0 = - 1 by field.
lra.
Qed.

Lemma cauchy_schwarz1 n f : (sum n f) ^ 2 <= INR n * sum n (fun i => f i ^ 2).
Proof.
have := cauchy_schwarz n (fun=> 1) f.
rewrite (sum_ext n (fun i => 1 * f i) f); last by move=> i _; ring.
by rewrite (sum_ext n (fun=> 1 ^ 2) (fun=> 1)) ?sum_const; [lra | move=> i _; ring].
Qed.

Lemma sum_sqrt n f : (forall i, (i < n)%coq_nat -> 0 <= f i) ->
  sum n (fun i => sqrt (f i)) <= sqrt (INR n * sum n f).
Proof.
move=> h; apply: Rsqr_incr_0_var; last exact: sqrt_pos.
rewrite Rsqr_sqrt; last first.
  by apply: Rmult_le_pos; [exact: pos_INR | exact: sum_ge0].
have := cauchy_schwarz1 n (fun i => sqrt (f i)); rewrite /Rsqr.
rewrite (sum_ext n (fun i => sqrt (f i) ^ 2) f); last by move=> i hi; rewrite pow2_sqrt //; exact: h.
lra.
Qed.

(* logarithms *)
Lemma ln_le_sub x : 0 < x -> ln x <= x - 1.
Proof.
move=> x0; have := exp_ineq1_le (ln x); rewrite exp_ln //; lra.
Qed.

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. by move=> x0 [h|->]; [left; apply: ln_increasing | right]. Qed.

Lemma ln_tangent x y : 0 < x -> 0 < y -> ln x <= ln y + (x - y) / y.
Proof.
move=> x0 y0; have h : 0 < x / y by apply: Rdiv_lt_0_compat.
have := ln_le_sub (x / y) h; rewrite /Rdiv ln_mult // ?ln_Rinv //; last exact: Rinv_0_lt_compat.
have -> : x * / y - 1 = (x - y) * / y by field; lra.
lra.
Qed.

Lemma ln_ge0 x : 1 <= x -> 0 <= ln x.
Proof. by move=> h; rewrite -ln_1; apply: ln_le; lra. Qed.

(* Jensen for the logarithm *)
Lemma jensen_log n f : (forall i, (i < n)%coq_nat -> 0 < f i) -> (0 < n)%coq_nat ->
  sum n (fun i => ln (f i)) <= INR n * ln (sum n f / INR n).
Proof.
move=> h n0; have nI : 0 < INR n by apply: lt_0_INR.
have s0 : 0 < sum n f.
  by apply: Rlt_le_trans (h O n0) (sum_sq_ge n f O n0 _) => j hj; left; apply: h.
set m := sum n f / INR n; have m0 : 0 < m by apply: Rdiv_lt_0_compat.
apply: Rle_trans (sum_le n _ (fun i => ln m + (f i - m) / m) _) _.
  by move=> i hi; apply: ln_tangent => //; apply: h.
rewrite sum_plus sum_const (sum_ext n (fun i => (f i - m) / m) (fun i => / m * (f i - m))); last by move=> i _; rewrite /Rdiv; ring.
rewrite sum_scal sum_minus sum_const /m.
have -> : sum n f - INR n * (sum n f / INR n) = 0 by field; lra.
lra.
Qed.

(* Powers of whole numbers *)
Lemma sum_of_powers n : sum n INR = INR n * (INR n - 1) / 2 /\
  sum n (fun i => INR i ^ 2) = (INR n - 1) * INR n * (2 * INR n - 1) / 6 /\
  sum n (fun i => INR i ^ 3) = (INR n * (INR n - 1) / 2) ^ 2.
Proof.
elim: n => [|n [h1 [h2 h3]]]; first by rewrite /=; lra.
by cbn [sum]; rewrite h1 h2 h3 S_INR; split; [|split]; field.
Qed.

(* The squared distances of m unit steps, over ordered pairs. *)
Lemma unit_steps m : sum m (fun l => 2 * (INR m - INR l) * INR l ^ 2) = INR m ^ 2 * (INR m ^ 2 - 1) / 6.
Proof.
have [_ [h2 h3]] := sum_of_powers m.
rewrite (sum_ext m _ (fun l => 2 * INR m * INR l ^ 2 - 2 * INR l ^ 3)); last by move=> l _; ring.
by rewrite sum_minus !sum_scal h2 h3; field.
Qed.

(* The line of Lemma 1 with every lag counted twice, at whole x <= i. *)
Lemma lags_doubled x i : (x <= i)%coq_nat ->
  2 * (sum (S x) (fun l => INR l ^ 2 * (INR i - INR l)) + INR x ^ 2 * sum (Nat.sub i x) INR) =
  INR x * (INR i ^ 2 * INR x - 4 * INR i * INR x ^ 2 / 3 + INR x ^ 3 / 2 + INR i / 3 - INR x / 2).
Proof.
move=> h; have [_ [h2 h3]] := sum_of_powers (S x); have [h1 _] := sum_of_powers (Nat.sub i x).
rewrite (sum_ext (S x) _ (fun l => INR i * INR l ^ 2 - INR l ^ 3)); last by move=> l _; ring.
by rewrite sum_minus sum_scal h1 h2 h3 minus_INR // S_INR; field.
Qed.

(* n (n-1) ordered pairs of different rounds, each at most the cap *)
Lemma uniformity_most cap tau d n : 0 <= cap -> 0 <= uniformity cap tau d n <= INR n * (INR n - 1) * cap.
Proof.
move=> hc; split.
  by apply: sum_ge0 => j _; apply: sum_ge0 => k _; apply: Rmin_glb; [|exact: pow2_ge_0].
have -> : INR n * (INR n - 1) * cap = sum n (fun j => (INR n - 1) * cap) by rewrite sum_const; ring.
apply: sum_le => j hj.
have -> : (INR n - 1) * cap = sum n (fun k => if Nat.eqb k j then 0 else cap).
  rewrite (sum_ext n _ (fun k => cap - (if Nat.eqb j k then cap else 0))); last first.
    by move=> k _; rewrite Nat.eqb_sym; case: Nat.eqb; lra.
  rewrite sum_minus sum_const; set s := sum n _.
  have -> : s = cap; last by ring.
  rewrite /s; elim: {s} n hj => [|n IH] hj; first by lia.
  cbn [sum]; case: (Nat.eqb_spec j n) => e.
    rewrite (sum_ext n _ (fun=> 0)) ?sum_0; first by lra.
    by move=> k hk; case: (Nat.eqb_spec j k) => // ?; lia.
  by rewrite IH; [lra | lia].
apply: sum_le => k _; case: (Nat.eqb_spec k j) => [->|_]; last exact: Rmin_l.
by rewrite Rminus_eq_0 (Rmin_right _ (0 ^ 2)); rewrite /=; lra.
Qed.
