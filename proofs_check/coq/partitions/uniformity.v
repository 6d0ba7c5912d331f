(******************************************************************************)
(*                            Lemma 1 and Lemma 2                             *)
(*                                                                            *)
(* The uniformity of evaluation times, by sums over lags, for every size.     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   capped_exact == Lemma 1 for every real length of the memory              *)
(*   lemma_1_uncapped, lemma_1_capped_integer == its two formulas             *)
(*   lemma_1_capped_false == its second formula as printed is false           *)
(*   lemma_2_inside, lemma_2_outside == two groups of equal times             *)
(*   second_formula_above == the second formula is never below                *)
(*                                                                            *)
(* Rests on: library, definitions, sums.                                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums.
Open Scope R_scope.
Ltac lian := change addn with Nat.add in *; change subn with Nat.sub in *; lia.

Lemma sum_last n f : sum (S n) f = sum n f + f n.
Proof. by []. Qed.

Lemma row_by_lags n (g : nat -> R) : sum n (fun k => g (Nat.sub n k)) = sum n (fun l => g (S l)).
Proof.
elim: n => // n IH; rewrite sum_S [RHS]/= -IH Rplus_comm; congr (_ + _).
Qed.

(* every lag l > 0 occurs in 2 (n - l) ordered pairs *)
Lemma sum_by_lags_step n (g : nat -> R) (f : nat -> nat -> R) :
  (forall j k, f j k = g (Nat.sub j k + Nat.sub k j)%coq_nat) ->
  sum (S n) (fun j => sum (S n) (fun k => f j k)) =
  sum n (fun j => sum n (fun k => f j k)) + g O + 2 * sum n (fun l => g (S l)).
Proof.
move=> fE; rewrite /= sum_plus.
have -> : sum n (fun j => f j n) = sum n (fun l => g (S l)).
  rewrite -row_by_lags; apply: sum_ext => i hi; rewrite fE; congr g; lian.
have -> : sum n (fun k => f n k) = sum n (fun l => g (S l)).
  rewrite -row_by_lags; apply: sum_ext => i hi; rewrite fE; congr g; lian.
have -> : f n n = g O by rewrite fE; congr g; lian.
lra.
Qed.

Lemma sum_by_lags n (g : nat -> R) :
  sum n (fun j => sum n (fun k => g (Nat.sub j k + Nat.sub k j)%coq_nat)) =
  INR n * g O + 2 * sum n (fun l => (INR n - INR (S l)) * g (S l)).
Proof.
elim: n => [|n IH]; first by rewrite /=; lra.
rewrite (sum_by_lags_step n g (fun j k => g (Nat.sub j k + Nat.sub k j)%coq_nat)) // IH.
have -> : sum n.+1 (fun l => (INR n.+1 - INR l.+1) * g l.+1) =
  sum n (fun l => (INR n - INR l.+1) * g l.+1) + sum n (fun l => g l.+1).
  transitivity (sum n (fun l => (INR n.+1 - INR l.+1) * g l.+1) + (INR n.+1 - INR n.+1) * g n.+1) => //.
  rewrite Rminus_eq_0 Rmult_0_l Rplus_0_r -sum_plus; apply: sum_ext => l _.
  by rewrite (S_INR n); ring.
by rewrite (S_INR n); lra.
Qed.

Lemma lag_sq j k : (INR j - INR k) ^ 2 = INR (Nat.sub j k + Nat.sub k j)%coq_nat ^ 2.
Proof.
have [l|l] : (j <= k)%coq_nat \/ (k <= j)%coq_nat by lia.
  have -> : (Nat.sub j k + Nat.sub k j)%coq_nat = Nat.sub k j by lia.
  by rewrite minus_INR //; ring.
have -> : (Nat.sub j k + Nat.sub k j)%coq_nat = Nat.sub j k by lia.
by rewrite minus_INR.
Qed.

Lemma capped_step x i : 0 <= x -> capped x (S i) = capped x i + 2 * sum i (fun l => Rmin (x ^ 2) (INR (S l) ^ 2)).
Proof.
move=> x0; rewrite /capped.
rewrite (sum_by_lags_step i (fun l => Rmin (x ^ 2) (INR l ^ 2))); last by move=> j k; rewrite lag_sq.
by rewrite /= Rmin_right; nra.
Qed.

Lemma row_small x i : INR i <= x ->
  sum i (fun l => Rmin (x ^ 2) (INR (S l) ^ 2)) = INR i * (INR i + 1) * (2 * INR i + 1) / 6.
Proof.
elim: i => [|i IH] h; first by rewrite /=; field.
rewrite sum_last IH; last by move: h; rewrite S_INR; lra.
have := pos_INR i => i0.
rewrite Rmin_right !S_INR; first by field.
by move: h; rewrite S_INR => h; nra.
Qed.

Lemma row_large x K p : INR K <= x -> x <= INR K + 1 ->
  sum (K + p)%coq_nat (fun l => Rmin (x ^ 2) (INR (S l) ^ 2)) =
  INR K * (INR K + 1) * (2 * INR K + 1) / 6 + INR p * x ^ 2.
Proof.
move=> h1 h2; elim: p => [|p IH]; first by rewrite Nat.add_0_r row_small //= ; lra.
rewrite Nat.add_succ_r sum_last IH.
have := pos_INR K => k0; have := pos_INR p => p0.
rewrite Rmin_left; first by rewrite S_INR; ring.
rewrite S_INR plus_INR; nra.
Qed.

Lemma capped_small x i : INR i <= x + 1 -> 0 <= x -> capped x i = INR i ^ 2 * (INR i ^ 2 - 1) / 6.
Proof.
elim: i => [|i IH] h x0; first by rewrite /capped /=; field.
rewrite capped_step // IH; last by []; last by move: h; rewrite S_INR; lra.
rewrite row_small; first by rewrite S_INR; field.
by move: h; rewrite S_INR; lra.
Qed.

Lemma capped_large x K p : INR K <= x -> x <= INR K + 1 ->
  capped x (K + 1 + p)%nat =
  INR (K + 1 + p)%nat * INR K * (INR K + 1) * (2 * INR K + 1) / 3 - INR K ^ 2 * (INR K + 1) ^ 2 / 2 +
  x ^ 2 * INR p * (INR p + 1).
Proof.
move=> h1 h2; have k0 := pos_INR K.
elim: p => [|p IH].
  have e : INR (K + 1 + 0) = INR K + 1 by rewrite addn0 addn1 S_INR.
  by rewrite capped_small ?e /=; [field | lra | lra].
have -> : (K + 1 + p.+1)%nat = S (K + 1 + p) by lian.
rewrite capped_step; last lra.
rewrite IH; have -> : (K + 1 + p)%nat = (K + S p)%coq_nat by lian.
rewrite row_large // !S_INR plus_INR S_INR; field.
Qed.

(* Lemma 1 for every real length x = n/(epsilon T) of the memory *)
Theorem capped_exact x K i : (0 < i)%coq_nat -> INR K <= x -> (K <= Nat.sub i 1)%coq_nat ->
  (x <= INR K + 1 \/ K = Nat.sub i 1) ->
  capped x i = INR i * INR K * (INR K + 1) * (2 * INR K + 1) / 3 - INR K ^ 2 * (INR K + 1) ^ 2 / 2 +
    x ^ 2 * (INR i - 1 - INR K) * (INR i - INR K).
Proof.
move=> i0 h1 h2 h3; have k0 := pos_INR K.
case: h3 => [h3|h3].
  have e : i = (K + 1 + Nat.sub i (S K))%nat by lian.
  rewrite {1 2}e capped_large //.
  have -> : INR (K + 1 + Nat.sub i (S K)) = INR i by rewrite -e.
  have -> : INR (Nat.sub i (S K)) = INR i - 1 - INR K by rewrite minus_INR ?S_INR; [ring | lia].
  ring.
have e : INR i = INR K + 1 by rewrite h3 minus_INR /=; [ring | lia].
by rewrite capped_small ?e; [field | lra | lra].
Qed.

Lemma min_scal a u v : 0 <= a -> Rmin (a * u) (a * v) = a * Rmin u v.
Proof. by move=> a0; rewrite /Rmin; case: Rle_dec => h; case: Rle_dec => h2 //; nra. Qed.

Lemma uniformity_scaled T n eps d i : 0 < T -> (0 < n)%coq_nat -> 0 < eps ->
  uniformity (/ eps ^ 2) (uniform_times T n) d i = (T / INR n) ^ 2 * capped (INR n / (eps * T)) i.
Proof.
move=> T0 n0 e0; have N0 : 0 < INR n by apply: lt_0_INR.
rewrite /uniformity /capped -sum_scal; apply: sum_ext => j _; rewrite -sum_scal; apply: sum_ext => k _.
have -> : (uniform_times T n (d + j)%coq_nat - uniform_times T n (d + k)%coq_nat) ^ 2 = (T / INR n) ^ 2 * (INR j - INR k) ^ 2.
  by rewrite /uniform_times !addn1 !S_INR !plus_INR; ring.
have -> : / eps ^ 2 = (T / INR n) ^ 2 * (INR n / (eps * T)) ^ 2 by field; lra.
by apply: min_scal; exact: pow2_ge_0.
Qed.

Theorem lemma_1_uncapped T n eps d i : 0 < T -> (0 < n)%coq_nat -> 0 < eps -> INR i <= INR n / (eps * T) ->
  uniformity (/ eps ^ 2) (uniform_times T n) d i = / 6 * (T ^ 2 / INR n ^ 2) * INR i ^ 2 * (INR i ^ 2 - 1).
Proof.
move=> T0 n0 e0 h; have N0 : 0 < INR n by apply: lt_0_INR.
have := pos_INR i => i0.
rewrite uniformity_scaled // capped_small; [by field; lra | lra | lra].
Qed.

Theorem lemma_1_capped_integer T n eps d i K : 0 < T -> (0 < n)%coq_nat -> 0 < eps ->
  INR n / (eps * T) = INR K -> (0 < K)%coq_nat -> (K <= i)%coq_nat ->
  uniformity (/ eps ^ 2) (uniform_times T n) d i = printed_second T (INR n) eps (INR i).
Proof.
move=> T0 n0 e0 xK k0 hK; have N0 : 0 < INR n by apply: lt_0_INR.
have K0 : 0 < INR K by apply: lt_0_INR.
have c : capped (INR K) i = INR K * (INR K ^ 3 / 2 - 4 * INR i * INR K ^ 2 / 3 + (INR i ^ 2 - / 2) * INR K + INR i / 3).
  have [e|l] : K = i \/ (K < i)%coq_nat by lia.
    by rewrite -e capped_small; [field | lra | lra].
  rewrite (capped_exact (INR K) K); [field | lia | lra | lia | left; lra].
rewrite uniformity_scaled // xK c /printed_second.
have -> : INR n / (T * eps) = INR K by rewrite -xK; field; lra.
have -> : T / (eps * INR n) = (T / INR n) ^ 2 * INR K by rewrite -xK; field; lra.
field; lra.
Qed.

(* as printed, for every n/(epsilon T) <= i, the second formula is false *)
Theorem lemma_1_capped_false :
  exists T n eps i, 0 < T /\ (0 < n)%coq_nat /\ 0 < eps <= 1 /\ (i <= n)%coq_nat /\
    INR n / (eps * T) <= INR i /\
    uniformity (/ eps ^ 2) (uniform_times T n) 0 i <> printed_second T (INR n) eps (INR i).
Proof.
exists (4 / 3), 2%nat, 1, 2%nat.
have e2 : INR 2 = 2 by rewrite /=; ring.
split; [lra | split; [lia | split; [lra | split; [lia | split]]]]; first by rewrite e2; lra.
rewrite uniformity_scaled; [ | lra | lia | lra].
rewrite (capped_exact _ 1%nat); [ | lia | rewrite e2 /=; lra | lia | left; rewrite e2 /=; lra].
rewrite /printed_second e2 /=.
have -> : 2 / (4 / 3 * 1) = 3 / 2 by field.
have -> : 4 / 3 / (1 * 2) = 2 / 3 by field.
lra.
Qed.

(* two groups of equal times *)
Lemma two_levels cap tau d a b u v : 0 <= cap ->
  (forall j, (j < a)%coq_nat -> tau (d + j)%coq_nat = u) ->
  (forall j, (j < b)%coq_nat -> tau (d + (a + j)%coq_nat)%coq_nat = v) ->
  uniformity cap tau d (a + b)%coq_nat = 2 * INR a * INR b * Rmin cap ((u - v) ^ 2).
Proof.
move=> c0 hu hv; rewrite /uniformity sum_add.
have z w : Rmin cap ((w - w) ^ 2) = 0 by rewrite Rmin_right; nra.
have rowu i : (i < a)%coq_nat -> sum (a + b)%coq_nat (fun k => Rmin cap ((tau (d + i)%coq_nat - tau (d + k)%coq_nat) ^ 2)) = INR b * Rmin cap ((u - v) ^ 2).
  move=> hi; rewrite hu // sum_add (sum_ext a _ (fun=> 0)) ?sum_0; last by move=> k hk; rewrite hu // z.
  by rewrite (sum_ext b _ (fun=> Rmin cap ((u - v) ^ 2))) ?sum_const; [lra | move=> k hk; rewrite hv].
have rowv i : (i < b)%coq_nat -> sum (a + b)%coq_nat (fun k => Rmin cap ((tau (d + (a + i)%coq_nat)%coq_nat - tau (d + k)%coq_nat) ^ 2)) = INR a * Rmin cap ((u - v) ^ 2).
  move=> hi; rewrite hv // sum_add (sum_ext a _ (fun=> Rmin cap ((u - v) ^ 2))) ?sum_const; last by move=> k hk; rewrite hu //; congr Rmin; ring.
  by rewrite (sum_ext b _ (fun=> 0)) ?sum_0; [lra | move=> k hk; rewrite hv // z].
rewrite (sum_ext a _ _ rowu) (sum_ext b _ _ rowv) !sum_const; ring.
Qed.

Theorem lemma_2_inside T n0 eps k0 i : (k0 + 1 <= n0)%coq_nat -> (n0 <= (k0 + i)%coq_nat)%coq_nat ->
  uniformity (/ eps ^ 2) (biased_times T n0) k0 i =
  2 * (INR n0 - INR k0 - 1) * (INR k0 + INR i - INR n0 + 1) * Rmin (/ eps ^ 2) (T ^ 2).
Proof.
move=> h1 h2; pose a := Nat.sub n0 (k0 + 1)%coq_nat; pose b := Nat.sub (k0 + i + 1)%nat n0.
have e : i = (a + b)%coq_nat by rewrite /a /b; lian.
have ea : INR a = INR n0 - INR k0 - 1 by rewrite /a minus_INR ?plus_INR /=; [ring | lian].
have eb : INR b = INR k0 + INR i - INR n0 + 1.
  rewrite /b minus_INR; last by lian.
  by rewrite -!plusE !plus_INR /=; ring.
have c0 : 0 <= / eps ^ 2.
  have [->|ne] : eps = 0 \/ eps <> 0 by lra.
    by rewrite /= Rmult_0_l Rinv_0; lra.
  by left; apply: Rinv_0_lt_compat; nra.
rewrite {1}e (two_levels _ _ _ a b 0 T) ?ea ?eb //; first by congr (_ * Rmin _ _); ring.
- by move=> j hj; rewrite /biased_times; case: Nat.ltb_spec => //; rewrite /a in hj; lian.
- by move=> j hj; rewrite /biased_times; case: Nat.ltb_spec => //; rewrite /a; lian.
Qed.

Theorem lemma_2_outside T n0 eps k0 i : (n0 <= k0)%coq_nat \/ ((k0 + i)%coq_nat < n0)%coq_nat ->
  uniformity (/ eps ^ 2) (biased_times T n0) k0 i = 0.
Proof.
move=> h; rewrite /uniformity (sum_ext i _ (fun=> 0)) ?sum_0 // => j hj.
rewrite (sum_ext i _ (fun=> 0)) ?sum_0 // => k hk.
have -> : biased_times T n0 (k0 + j)%coq_nat = biased_times T n0 (k0 + k)%coq_nat.
  by rewrite /biased_times; case: Nat.ltb_spec; case: Nat.ltb_spec => //; lian.
have c0 : 0 <= / eps ^ 2.
  have [->|ne] : eps = 0 \/ eps <> 0 by lra.
    by rewrite /= Rmult_0_l Rinv_0; lra.
  by left; apply: Rinv_0_lt_compat; nra.
by rewrite Rmin_right; nra.
Qed.

(* All pairs of i unit steps. *)
Lemma squares i : sum i (fun j => sum i (fun k => (INR j - INR k) ^ 2)) = INR i ^ 2 * (INR i ^ 2 - 1) / 6.
Proof.
have i0 := pos_INR i; rewrite -(capped_small (INR i) i); [|lra|lra].
apply: sum_ext => j hj; apply: sum_ext => k hk; rewrite Rmin_right //.
have := le_INR j i ltac:(lia); have := le_INR k i ltac:(lia); have := pos_INR j; have := pos_INR k; nra.
Qed.

(* Of the i rounds after k0 those before round n0, counted from 1. *)
Lemma rounds_before k0 i n0 : (k0 + 1 <= n0)%coq_nat -> (n0 <= (k0 + i)%coq_nat)%coq_nat ->
  sum i (fun l => if Nat.ltb (k0 + (l + 1))%coq_nat n0 then 1 else 0) = INR n0 - INR k0 - 1.
Proof.
move=> h1 h2; pose a := Nat.sub n0 (k0 + 1)%coq_nat; pose b := Nat.sub i a.
have -> : i = (a + b)%coq_nat by rewrite /b /a; lian.
rewrite sum_add (sum_ext a _ (fun=> 1)); last first.
  by move=> l hl; case: Nat.ltb_spec => //; rewrite /a in hl; lian.
rewrite (sum_ext b _ (fun=> 0)); last first.
  by move=> l hl; case: Nat.ltb_spec => //; rewrite /a; lian.
by rewrite sum_0 sum_const /a minus_INR ?plus_INR /=; [ring | lian].
Qed.

(* Lemma 1's second formula is above the uniformity wherever it is not exact. *)
Lemma surplus K m f : 0 <= K -> 0 <= m -> 0 <= f <= 1 ->
  0 <= f * (1 - f) * (2 * K * m + 4 * K / 3 - f ^ 2 / 2 + f * (4 * m / 3 - 2 * K / 3 + 5 / 6) + m / 3 + 1 / 3).
Proof.
move=> K0 m0 [f0 f1]; apply: Rmult_le_pos; first by apply: Rmult_le_pos; lra.
have := Rmult_le_pos _ _ K0 m0; have := Rmult_le_pos _ _ f0 m0.
have := Rmult_le_pos (1 - f) K ltac:(lra) K0; nra.
Qed.

Theorem second_formula_above T n eps d i : 0 < T -> (0 < n)%coq_nat -> 0 < eps -> (0 < i)%coq_nat ->
  INR n / (eps * T) <= INR i ->
  uniformity (/ eps ^ 2) (uniform_times T n) d i <= printed_second T (INR n) eps (INR i).
Proof.
move=> T0 n0 e0 i0 h; have N0 : 0 < INR n by apply: lt_0_INR.
rewrite uniformity_scaled //; move: h; set x := INR n / (eps * T) => h.
have x0 : 0 < x by apply: Rdiv_lt_0_compat => //; apply: Rmult_lt_0_compat.
have -> : printed_second T (INR n) eps (INR i) =
  (T / INR n) ^ 2 * (x * (x ^ 3 / 2 - 4 / 3 * INR i * x ^ 2 + (INR i ^ 2 - / 2) * x + INR i / 3)).
  have ex : INR n / (T * eps) = x by rewrite /x Rmult_comm.
  have et : T / (eps * INR n) = (T / INR n) ^ 2 * x by rewrite /x; field; lra.
  by rewrite /printed_second ex et; field; lra.
apply: Rmult_le_compat_l; first exact: pow2_ge_0.
(* K is the integer part of x, or i - 1 *)
have [K [hK [lo hi]]] : exists K, (K <= Nat.sub i 1)%coq_nat /\ INR K <= x /\ x <= INR K + 1.
  clear -i0 h x0; elim: i i0 h => [|i IH] i0 h; first by lia.
  have [l|l] := Rle_lt_dec x (INR i); last first.
    by exists i; split; [lia | split; [lra | move: h; rewrite S_INR; lra]].
  have [z|p] : i = O \/ (0 < i)%coq_nat by lia.
    by move: l; rewrite z /=; lra.
  by have [K [a [b c]]] := IH p l; exists K; split; [lia | split].
rewrite (capped_exact x K i i0 lo hK (or_introl hi)).
have iK : INR K + 1 <= INR i by rewrite -S_INR; apply: le_INR; lia.
have s := surplus (INR K) (INR i - 1 - INR K) (x - INR K) (pos_INR K) ltac:(lra) ltac:(lra).
set k := INR K in s lo hi iK *; set y := INR i in s iK *.
have e : x * (x ^ 3 / 2 - 4 / 3 * y * x ^ 2 + (y ^ 2 - / 2) * x + y / 3) -
  (y * k * (k + 1) * (2 * k + 1) / 3 - k ^ 2 * (k + 1) ^ 2 / 2 + x ^ 2 * (y - 1 - k) * (y - k)) =
  (x - k) * (1 - (x - k)) * (2 * k * (y - 1 - k) + 4 * k / 3 - (x - k) ^ 2 / 2 + (x - k) * (4 * (y - 1 - k) / 3 - 2 * k / 3 + 5 / 6) + (y - 1 - k) / 3 + 1 / 3).
  by field.
lra.
Qed.

(* Rounds within a span g. *)
Lemma span_drift cap tau d m g : 0 <= g ->
  (forall j k, (j < m)%coq_nat -> (k < m)%coq_nat -> Rabs (tau (d + j)%coq_nat - tau (d + k)%coq_nat) <= g) ->
  sqrt (uniformity cap tau d m / INR m) <= sqrt (INR m) * g.
Proof.
move=> g0 h; have [->|m0] : m = O \/ (0 < m)%coq_nat by lia.
  by rewrite /uniformity /= /Rdiv Rmult_0_l sqrt_0; lra.
have M0 : 0 < INR m by apply: lt_0_INR.
have -> : sqrt (INR m) * g = sqrt (INR m * g ^ 2) by rewrite sqrt_mult ?sqrt_pow2 //; [lra | exact: pow2_ge_0].
apply: sqrt_le_1_alt; apply: (Rmult_le_reg_r (INR m)) => //.
have -> : uniformity cap tau d m / INR m * INR m = uniformity cap tau d m by field; lra.
have -> : INR m * g ^ 2 * INR m = INR m * (INR m * g ^ 2) by ring.
rewrite /uniformity -!sum_const; apply: sum_le => j hj; apply: sum_le => k hk.
apply: Rle_trans (Rmin_r _ _) _; rewrite -pow2_abs.
by apply: pow_incr; split; [exact: Rabs_pos | exact: h].
Qed.

(* one block without drift *)
Lemma no_drift s theta (gamma : nat -> R) tau n :
  theta = 0 \/ (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> tau i = tau j) ->
  INR 1 * gamma n + / 2 * (INR n * phi (s * theta * sqrt (uniformity (/ theta ^ 2) tau 0 n / INR n))) = gamma n.
Proof.
move=> h; have -> : s * theta * sqrt (uniformity (/ theta ^ 2) tau 0 n / INR n) = 0.
  case: h => [->|e]; first ring.
  have -> : uniformity (/ theta ^ 2) tau 0 n = 0.
    rewrite /uniformity (sum_ext n _ (fun=> 0)) ?sum_0 // => i hi.
    rewrite (sum_ext n _ (fun=> 0)) ?sum_0 // => j hj; rewrite /= (e i j hi hj) Rminus_eq_0.
    have c0 : 0 <= / theta ^ 2.
      have [->|ne] : theta = 0 \/ theta <> 0 by lra.
        by rewrite /= Rmult_0_l Rinv_0; lra.
      by left; apply: Rinv_0_lt_compat; nra.
    by rewrite Rmin_right; move: c0; rewrite /=; lra.
  by rewrite /Rdiv Rmult_0_l sqrt_0; ring.
by rewrite /phi; case: Rle_dec => [_|n0] /=; [ring | lra].
Qed.
