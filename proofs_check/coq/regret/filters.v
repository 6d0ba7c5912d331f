(******************************************************************************)
(*                          Filters of scalar looks                           *)
(*                                                                            *)
(* What looks and drift leave of a variance: with a look in every so many     *)
(* rounds, after looks and steps in any order, and where looks are weighed.   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   steady_filter == the distance to the fixed point                         *)
(*   filter_sum == what it sums to                                            *)
(*   filter_step == looks and steps in any order                              *)
(*   weighed_looks == looks of weight psi from below, on every path           *)
(*   schedule_counts == how many looks the schedule of a block has            *)
(*                                                                            *)
(* Rests on: definitions, sums, floors.                                       *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia Psatz.
From CTV Require Import definitions sums floors.
Open Scope R_scope.

(* ---- Theorem R: a look in every r m rounds ---- *)

Theorem steady_filter delta s q k : 0 <= delta <= 1 -> 0 < s -> 0 <= q -> q ^ 2 = delta * (q + s - q * s) ->
  let p := floor_share (fun _ => 1 - delta) (fun _ => s) k in q <= p /\ p - q <= s / (s + INR k).
Proof.
intros D S0 Q E p.
assert (fixed : carried (1 - delta) s q = q).
{ unfold carried. apply (Rmult_eq_reg_r (q + s)); [|lra].
  replace ((1 - (1 - delta) * (1 - q * s / (q + s))) * (q + s)) with (q + s - (1 - delta) * (q + s - q * s)) by (field; lra).
  nra. }
assert (q1 : q <= 1).
{ destruct (Rle_lt_dec q 1) as [|L]; [auto|exfalso].
  assert (q * (q * s / (q + s)) = q * q - q * (q ^ 2 / (q + s))) by (field; lra).
  assert (0 <= q + s - q * s \/ q + s - q * s < 0) as [A|A] by lra; [|nra].
  assert (delta * (q + s - q * s) <= 1 * (q + s - q * s)) by (apply Rmult_le_compat_r; lra). nra. }
unfold p. clear p. induction k as [|k [I1 I2]].
- simpl. split; [auto|]. replace (s / (s + 0)) with 1 by (field; lra). lra.
- cbn [floor_share]. set (p := floor_share _ _ k) in *. rewrite S_INR. pose proof (pos_INR k).
  assert (step : carried (1 - delta) s p - q = (1 - delta) * (s / (p + s)) * (s / (q + s)) * (p - q)).
  { rewrite <- fixed at 1. unfold carried. field. lra. }
  assert (a1 : 0 < s / (p + s)) by (apply Rdiv_lt_0_compat; lra).
  assert (b1 : 0 < s / (q + s) <= 1).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (q + s)); [lra|].
    replace (s / (q + s) * (q + s)) with s by (field; lra). lra. }
  assert (P : 0 <= carried (1 - delta) s p - q) by (rewrite step; apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rmult_le_pos|]|]; lra).
  split; [lra|]. rewrite step.

  apply Rle_trans with (s / (p + s) * (p - q)).
  { apply Rmult_le_compat_r; [lra|]. apply Rle_trans with (1 * (s / (p + s)) * 1); [|lra].
    apply Rmult_le_compat; try lra; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; lra. }
  (* the excess x = p - q, a look at it, and its bound t = s/(s+k) *)
  set (x := p - q) in *. assert (x0 : 0 <= x) by (unfold x; lra).
  apply Rle_trans with (x * s / (x + s)).
  { replace (s / (p + s) * x) with (x * s / (p + s)) by (field; lra). apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
    apply Rinv_le_contravar; unfold x; lra. }
  apply Rle_trans with (s / (s + INR k) * s / (s / (s + INR k) + s)); [apply parallel_mono; unfold x in *; lra|].
  right. field. repeat split; nra.
Qed.

(* n rounds, a look at the same point in every M rounds *)
Theorem filter_sum s M n : 0 < s -> (0 < M)%nat ->
  sum n (fun i => s / (s + INR (Nat.div i M))) <= INR M * (1 + s * ln (1 + INR n / (INR M * s))).
Proof.
intros S0 M0. assert (MR : 1 <= INR M) by (apply (le_INR 1); lia).
assert (Ms : 0 < INR M * s) by (apply Rmult_lt_0_compat; lra).
assert (arg : forall k, 0 < 1 + INR k / (INR M * s)).
{ intros k. pose proof (pos_INR k). enough (0 <= INR k / (INR M * s)) by lra.
  apply Rmult_le_pos; [auto|left; now apply Rinv_0_lt_compat]. }
assert (Q : sum n (fun i => s / (s + INR (Nat.div i M))) <= INR M * (1 + s * ln (1 + INR (n - M) / (INR M * s))) /\
            ((n <= M)%nat -> sum n (fun i => s / (s + INR (Nat.div i M))) <= INR n)).
{ induction n as [|n [I1 I2]].
  - split; intros; cbn [sum]; [|simpl; lra]. replace (0 - M)%nat with O by lia. simpl INR at 2.
    replace (1 + 0 / (INR M * s)) with 1 by (field; lra). rewrite ln_1. lra.
  - cbn [sum]. destruct (Nat.lt_ge_cases n M) as [L|L].
    + rewrite (Nat.div_small n M L). change (INR 0) with 0. replace (s / (s + 0)) with 1 by (field; lra).
      specialize (I2 ltac:(lia)). assert (J := S_INR n). split; intros; [|lra].
      replace (S n - M)%nat with O by lia. change (INR 0) with 0. replace (1 + 0 / (INR M * s)) with 1 by (field; lra).
      rewrite ln_1. pose proof (le_INR (S n) M ltac:(lia)). lra.
    + split; [|intros; lia]. apply Rle_trans with (1 := Rplus_le_compat_r _ _ _ I1).
      set (a := 1 + INR (n - M) / (INR M * s)). set (b := 1 + INR (S n - M) / (INR M * s)).
      assert (b0 : 0 < b) by apply arg. assert (a0 : 0 < a) by apply arg.
      assert (ab : a - b = - / (INR M * s)).
      { unfold a, b. replace (S n - M)%nat with (S (n - M)) by lia. rewrite S_INR. field. lra. }
      pose proof (ln_tangent a b a0 b0) as T. rewrite ab in T.
      enough (s / (s + INR (n / M)) <= INR M * (s * (ln b - ln a))) by lra.
      apply Rle_trans with (INR M * (s * (/ (INR M * s) / b))).
      2: { apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [lra|]. unfold Rdiv in *. lra. }
      replace (INR M * (s * (/ (INR M * s) / b))) with (s / (s * b)) by (field; repeat split; lra).
      apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [nra|]. unfold b.
      replace (s * (1 + INR (S n - M) / (INR M * s))) with (s + INR (S n - M) / INR M) by (field; repeat split; lra).
      apply Rplus_le_compat_l. apply (Rmult_le_reg_r (INR M)); [lra|].
      replace (INR (S n - M) / INR M * INR M) with (INR (S n - M)) by (field; lra). rewrite <- mult_INR. apply le_INR.
      pose proof (Nat.div_mod n M ltac:(lia)). pose proof (Nat.mod_upper_bound n M ltac:(lia)). nia. }
apply Rle_trans with (1 := proj1 Q). apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_l, Rmult_le_compat_l; [lra|].
apply ln_le; [apply arg|]. apply Rplus_le_compat_l. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
apply le_INR. lia.
Qed.

(* ---- looks and steps in any order ---- *)

(* p i is the variance before round i, V i the drift since the first of the rounds; a round may have a look, and
   a step of drift d i follows *)
Theorem filter_step s (p d V : nat -> R) (look : nat -> bool) n : 0 < s -> 0 <= p O <= 1 ->
  (forall i, 0 <= d i <= 1) -> V O = 0 -> (forall i, V (S i) = (1 - d i) * V i + d i) ->
  (forall i, p (S i) = 1 - (1 - d i) * (1 - if look i then p i * s / (p i + s) else p i)) ->
  let k := sum n (fun i => if look i then 1 else 0) in
  p n <= s / (s + k) + (1 - s / (s + k)) * V n.
Proof.
intros S0 P0 D V0 stepV step k.
assert (B01 : forall m, 0 <= 1 - V m <= 1).
{ induction m as [|m IH]; [rewrite V0; lra|]. rewrite stepV. specialize (D m). nra. }
assert (P01 : forall i, 0 <= p i <= 1).
{ induction i as [|i IH]; [auto|]. rewrite step. specialize (D i). destruct (look i).
  - destruct (parallel_le (p i) s IH S0). nra.
  - nra. }
assert (K0 : forall m, 0 <= sum m (fun i => if look i then 1 else 0)) by (intros; apply sum_ge0; intros i _; destruct (look i); lra).
enough (Q : forall m, sum m (fun i => if look i then 1 else 0) / (s + sum m (fun i => if look i then 1 else 0)) * (1 - V m) <= 1 - p m).
{ specialize (Q n). fold k in Q. specialize (K0 n). fold k in K0.
  replace (s / (s + k) + (1 - s / (s + k)) * V n) with (1 - k / (s + k) * (1 - V n)) by (field; lra). lra. }
clear k. induction m as [|m IH]; [simpl; specialize (P01 O); unfold Rdiv; rewrite Rmult_0_l, Rmult_0_l; lra|].
cbn [sum]. rewrite stepV, step. replace (1 - ((1 - d m) * V m + d m)) with ((1 - V m) * (1 - d m)) by ring.
set (k := sum m _) in *. specialize (B01 m). set (B := 1 - V m) in *.
specialize (K0 m). fold k in K0. specialize (D m). specialize (P01 m).
assert (A0 : 0 <= k / (s + k) <= 1).
{ split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|]. apply (Rmult_le_reg_r (s + k)); [lra|].
  replace (k / (s + k) * (s + k)) with k by (field; lra). lra. }
destruct (look m).
- enough (H : (k + 1) / (s + (k + 1)) * B <= 1 - p m * s / (p m + s)) by nra.
  set (A := k / (s + k)) in *. set (P := 1 - A * B).
  assert (AB : 0 <= A * B <= 1) by nra.
  assert (PP : 0 <= P) by (unfold P; lra).
  apply Rle_trans with (1 - P * s / (P + s)).
  2: { enough (p m * s / (p m + s) <= P * s / (P + s)) by lra. apply parallel_mono; unfold P; lra. }
  set (A' := (k + 1) / (s + (k + 1))).
  assert (A'01 : 0 <= A' <= 1).
  { split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|]. apply (Rmult_le_reg_r (s + (k + 1))); [lra|].
    unfold A'. replace ((k + 1) / (s + (k + 1)) * (s + (k + 1))) with (k + 1) by (field; lra). lra. }
  assert (E : (1 - P * s / (P + s) - A' * B) * (P + s) = (1 - B) * (1 - A * A' * B)).
  { replace ((1 - P * s / (P + s) - A' * B) * (P + s)) with (P + s - P * s - A' * B * (P + s)) by (field; lra).
    unfold P, A, A'. field. lra. }
  assert (0 <= A * A' * B <= 1) by (assert (0 <= A * A' <= 1) by nra; nra).
  assert (0 <= (1 - B) * (1 - A * A' * B)) by (apply Rmult_le_pos; lra).
  apply Rnot_lt_le. intros L.
  assert ((1 - P * s / (P + s) - A' * B) * (P + s) < 0) by (apply Ropp_lt_cancel; rewrite Ropp_0, Ropp_mult_distr_l; apply Rmult_lt_0_compat; lra).
  lra.
- rewrite Rplus_0_r. set (A := k / (s + k)) in *. nra.
Qed.

(* ---- Theorem N: the filter of the hidden part, on every path ---- *)

(* q k is the posterior variance before look k of a part chi of the drift V k since the window began, looks
   weighed by psi k *)
Theorem weighed_looks s chi (d V psi q : nat -> R) top L : 0 < s -> 0 <= chi ->
  (forall k, 0 <= d k <= 1) -> 0 <= V O -> (forall k, V (S k) = (1 - d k) * V k + d k) ->
  (forall k, (k <= L)%nat -> V k <= top) ->
  q O = chi * V O -> (forall k, q (S k) = (1 - d k) * (q k * s / (s + q k * psi k ^ 2)) + chi * d k) ->
  forall k, (k <= L)%nat ->
    0 <= q k <= chi * V k /\ chi * V k - chi ^ 2 * top ^ 2 / s * sum k (fun j => psi j ^ 2) <= q k.
Proof.
intros S0 C0 D V0 stepV below q0 stepq.
assert (Vp : forall k, 0 <= V k) by (induction k as [|k IH]; [auto|rewrite stepV; specialize (D k); nra]).
induction k as [|k IH]; intros Hk.
- rewrite q0. cbn [sum]. specialize (Vp O). assert (0 <= chi * V O) by (apply Rmult_le_pos; lra). lra.
- destruct (IH ltac:(lia)) as [[A B] C]. clear IH. rewrite stepq, stepV. cbn [sum].
  specialize (D k). specialize (Vp k). pose proof (below k ltac:(lia)) as T.
  set (x := psi k ^ 2) in *. assert (x0 : 0 <= x) by apply pow2_ge_0.
  assert (den : 0 < s + q k * x) by nra.
  assert (up : q k * s / (s + q k * x) <= q k).
  { apply (Rmult_le_reg_r (s + q k * x)); [auto|]. replace (q k * s / (s + q k * x) * (s + q k * x)) with (q k * s) by (field; lra).
    assert (0 <= q k * (q k * x)) by (apply Rmult_le_pos; nra). lra. }
  assert (pos : 0 <= q k * s / (s + q k * x)) by (apply Rmult_le_pos; [nra|left; now apply Rinv_0_lt_compat]).
  assert (low : q k - q k ^ 2 * x / s <= q k * s / (s + q k * x)).
  { apply (Rmult_le_reg_r ((s + q k * x) * s)); [apply Rmult_lt_0_compat; lra|].
    replace (q k * s / (s + q k * x) * ((s + q k * x) * s)) with (q k * s * s) by (field; lra).
    replace ((q k - q k ^ 2 * x / s) * ((s + q k * x) * s)) with (q k * s * s - q k * (q k * x) ^ 2) by (field; lra).
    pose proof (Rmult_le_pos (q k) ((q k * x) ^ 2) A (pow2_ge_0 _)). lra. }
  assert (sq : q k ^ 2 <= chi ^ 2 * top ^ 2).
  { replace (chi ^ 2 * top ^ 2) with ((chi * top) ^ 2) by ring. apply pow_incr. split; [auto|]. nra. }
  assert (taken : q k ^ 2 * x / s <= chi ^ 2 * top ^ 2 / s * x).
  { replace (chi ^ 2 * top ^ 2 / s * x) with (chi ^ 2 * top ^ 2 * x / s) by (field; lra).
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|]. apply Rmult_le_compat_r; auto. }
  set (Y := chi ^ 2 * top ^ 2 / s) in *.
  assert (Y0 : 0 <= Y) by (apply Rmult_le_pos; [apply Rmult_le_pos; apply pow2_ge_0|left; now apply Rinv_0_lt_compat]).
  set (Z := sum k (fun j => psi j ^ 2)) in *. assert (Z0 : 0 <= Z) by (apply sum_ge0; intros; apply pow2_ge_0).
  set (u := q k * s / (s + q k * x)) in *.
  assert (0 <= Y * (Z + x)) by (apply Rmult_le_pos; lra).
  assert (0 <= chi * d k) by (apply Rmult_le_pos; lra).
  repeat split.
  + assert (0 <= (1 - d k) * u) by (apply Rmult_le_pos; lra). lra.
  + assert ((1 - d k) * u <= (1 - d k) * (chi * V k)) by (apply Rmult_le_compat_l; lra). lra.
  + assert ((1 - d k) * (chi * V k - Y * (Z + x)) <= (1 - d k) * u) by (apply Rmult_le_compat_l; lra).
    assert (d k * (Y * (Z + x)) >= 0) by (apply Rle_ge, Rmult_le_pos; lra). lra.
Qed.

(* ---- the schedule of a block ---- *)

Theorem schedule_counts r c : (0 < r)%nat -> 0 <= c -> forall t,
  INR (looked_at r c t) <= INR r + 1 + 2 * c * sqrt (INR t) /\
  (looked_at r c (S t) = looked_at r c t -> forall j, (j < r)%nat ->
     c * sqrt (INR (S t)) / INR r <= INR (Nat.div (looked_at r c t + r - 1 - j) r)).
Proof.
intros R0 C0. assert (RR : 1 <= INR r) by (apply (le_INR 1); lia).
assert (grow : forall t, 2 * c * sqrt (INR t) <= 2 * c * sqrt (INR (S t))).
{ intros t. apply Rmult_le_compat_l; [lra|]. apply sqrt_le_1_alt, le_INR. lia. }
assert (Q0 : forall t, 0 <= 2 * c * sqrt (INR t)) by (intros; apply Rmult_le_pos; [lra|apply sqrt_pos]).
intros t. split.
- induction t as [|t IH]; [simpl INR at 1; specialize (Q0 O); lra|]. cbn [looked_at]. specialize (grow t). specialize (Q0 (S t)).
  destruct Rlt_dec as [L|L]; cbn [ssrbool.is_left]; [|lra]. rewrite S_INR. revert L. unfold Rmax. destruct Rle_dec; intros; lra.
- intros E j Hj. cbn [looked_at] in E. destruct Rlt_dec as [L|L]; cbn [ssrbool.is_left] in E; [lia|]. apply Rnot_lt_le in L.
  set (N := looked_at r c t) in *.
  pose proof (Rle_trans _ _ _ (Rmax_l _ _) L) as L1. pose proof (Rle_trans _ _ _ (Rmax_r _ _) L) as L2.
  apply INR_le in L1.
  apply Rle_trans with (INR (Nat.div N r)).
  + apply (Rmult_le_reg_r (INR r)); [lra|]. replace (c * sqrt (INR (S t)) / INR r * INR r) with (c * sqrt (INR (S t))) by (field; lra).
    rewrite <- mult_INR. apply Rle_trans with (INR N / 2); [lra|].
    apply (Rmult_le_reg_r 2); [lra|]. replace (INR N / 2 * 2) with (INR N) by field.
    replace 2 with (INR 2) by (simpl; ring). rewrite <- mult_INR. apply le_INR.
    pose proof (Nat.div_mod N r ltac:(lia)). pose proof (Nat.mod_upper_bound N r ltac:(lia)).
    assert (1 <= Nat.div N r)%nat by (apply Nat.div_le_lower_bound; lia). nia.
  + apply le_INR, Nat.div_le_mono; lia.
Qed.
