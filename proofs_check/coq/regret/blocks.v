(******************************************************************************)
(*                    Partitions with a drift from the first round            *)
(*                                                                            *)
(* Theorem I3: what a partition costs where a block pays for its length and   *)
(* for the drift since its first round.                                       *)
(*                                                                            *)
(* Statements:                                                                *)
(*   drift_superadditive == adjacent blocks                                   *)
(*   pruning == which makes pruning exact                                     *)
(*   greedy_within_four == the greedy windows against every partition         *)
(*   two_prices == the two prices of a partition                              *)
(*   good_windows == windows after a good one                                 *)
(*                                                                            *)
(* Rests on: definitions, sums, charging, search.                             *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums.
From CTV Require Import charging.
From CTV Require search.
Open Scope R_scope.

Section Drift.
Variable d : nat -> R.
Hypothesis d01 : forall i, 0 <= d i <= 1.

Lemma kept01 b k : 0 <= kept d b k <= 1.
Proof. induction k as [|k IH]; cbn [kept]; [lra|]. specialize (d01 (b + S k)%nat). nra. Qed.
Lemma drifted01 b k : 0 <= drifted d b k <= 1.
Proof. unfold drifted. pose proof (kept01 b k). lra. Qed.
Lemma kept_join b m k : kept d b (m + k) = kept d b m * kept d (b + m) k.
Proof.
induction k as [|k IH]; [rewrite Nat.add_0_r; simpl; ring|]. rewrite Nat.add_succ_r. cbn [kept]. rewrite IH.
replace (b + S (m + k))%nat with (b + m + S k)%nat by lia. ring.
Qed.
(* a later first round has less drift behind it *)
Lemma drifted_later b m k : drifted d (b + m) k <= drifted d b (m + k).
Proof. unfold drifted. rewrite kept_join. pose proof (kept01 b m). pose proof (kept01 (b + m) k). nra. Qed.

Theorem drift_superadditive b m k : drift_sum d b m + drift_sum d (b + m) k <= drift_sum d b (m + k).
Proof. unfold drift_sum. rewrite sum_add. apply Rplus_le_compat_l, sum_le. intros. apply drifted_later. Qed.

Theorem pruning L price F : (forall m m', (m <= m')%nat -> price m <= price m') ->
  least_cost L price (fun j x => drift_sum d j (x - j)) F ->
  forall x, (0 < x)%nat -> exists j, (j < x)%nat /\ (x - j <= L)%nat /\
    ~ pruned (fun j x => drift_sum d j (x - j)) F j x /\ F x = F j + (price (x - j)%nat + drift_sum d j (x - j)).
Proof.
intros up least. apply (search.pruning_exact L price (fun j x => drift_sum d j (x - j)) F up); [|exact least].
intros j e x A B. pose proof (drift_superadditive j (e - j) (x - e)) as Q.
replace (j + (e - j))%nat with e in Q by lia. now replace ((e - j) + (x - e))%nat with (x - j)%nat in Q by lia.
Qed.

Lemma drift_sum_ge0 b m : 0 <= drift_sum d b m.
Proof. apply sum_ge0. intros. apply drifted01. Qed.

(* ---- the greedy windows ---- *)

Section Greedy.
Variables (F : nat -> R) (start : nat -> nat) (K n : nat).
Hypotheses (F0 : F O = 0) (up : forall m m', (m <= m')%nat -> F m <= F m')
  (sub : forall m m', F (m + m')%nat <= F m + F m') (cut : split_at start K n)
  (long : forall k, (S k < K)%nat -> F (S (start (S k) - start k)) < drift_sum d (start k) (S (start (S k) - start k)))
  (short : forall k, (k < K)%nat -> drift_sum d (start k) (start (S k) - start k) <= F (start (S k) - start k)%nat).
Let len k := (start (S k) - start k)%nat.

Lemma F_ge0 m : 0 <= F m.
Proof. rewrite <- F0. apply up. lia. Qed.

(* the window that holds round e *)
Lemma window_of e : (e <= n)%nat -> exists w, (w <= K)%nat /\ (start w <= e)%nat /\ ((w < K)%nat -> (e < start (S w))%nat).
Proof.
intros He. pose proof (starts_mono _ _ _ cut) as M. destruct cut as [Z [T _]].
assert (Q : forall k, (k <= K)%nat -> (start (K - k) <= e)%nat \/
  exists w, (w <= K)%nat /\ (w < K - k)%nat /\ (start w <= e)%nat /\ (e < start (S w))%nat).
{ induction k as [|k IH]; intros Hk.
  - rewrite Nat.sub_0_r. destruct (Nat.eq_dec e n) as [->|]; [left; lia|].
    destruct (Nat.le_gt_cases (start K) e); [now left|]. right.
    assert (P : forall j, (j <= K)%nat -> (e < start j)%nat -> exists w, (w < j)%nat /\ (start w <= e)%nat /\ (e < start (S w))%nat).
    { induction j as [|j IHj]; intros Hj L; [lia|]. destruct (Nat.le_gt_cases (start j) e) as [A|A].
      - exists j. repeat split; auto.
      - destruct (IHj ltac:(lia) A) as [w [W1 W2]]. exists w. split; [lia|auto]. }
    destruct (P K ltac:(lia) H) as [w [W1 [W2 W3]]]. exists w. repeat split; auto; lia.
  - destruct (IH ltac:(lia)) as [A|[w [W1 [W2 W3]]]].
    + left. pose proof (M (K - S k)%nat (K - k)%nat ltac:(lia)). lia.
    + destruct (Nat.eq_dec w (K - S k)) as [->|]; [left; apply W3|right; exists w; repeat split; try lia; apply W3]. }
destruct (Q O ltac:(lia)) as [A|[w [W1 [W2 [W3 W4]]]]].
- rewrite Nat.sub_0_r in A. exists K. repeat split; auto; lia.
- exists w. repeat split; auto.
Qed.

(* windows that end, with the next round, inside the block from b on *)
Lemma inner b w k : (b <= start w)%nat -> (w <= k)%nat -> (k < K)%nat ->
  sum (k - w) (fun i => F (len (w + i))) <=
  2 * sum (start k - b) (drifted d b) + drifted d b (start k - b).
Proof.
intros B W. induction W as [|k W IH]; intros Hk.
- rewrite Nat.sub_diag. cbn [sum]. pose proof (drifted01 b (start w - b)).
  assert (0 <= sum (start w - b) (drifted d b)) by (apply sum_ge0; intros; apply drifted01). lra.
- specialize (IH ltac:(lia)). replace (S k - w)%nat with (S (k - w)) by lia. cbn [sum].
  replace (w + (k - w))%nat with k by lia. specialize (long k Hk).
  pose proof (starts_mono _ _ _ cut w k ltac:(lia)) as A. destruct cut as [_ [_ M]]. pose proof (M k ltac:(lia)) as N.
  replace (start (S k) - b)%nat with ((start k - b) + len k)%nat by (unfold len; lia). rewrite sum_add.
  assert (P : F (len k) <= sum (len k) (fun i => drifted d b (start k - b + i)) + drifted d b (start k - b + len k)).
  { apply Rle_trans with (F (S (len k))); [apply up; lia|]. fold (len k) in long. left. apply Rlt_le_trans with (1 := long).
    unfold drift_sum. cbn [sum]. apply Rplus_le_compat.
    - apply sum_le. intros i _. pose proof (drifted_later b (start k - b) i) as Q. now replace (b + (start k - b))%nat with (start k) in Q by lia.
    - pose proof (drifted_later b (start k - b) (len k)) as Q. now replace (b + (start k - b))%nat with (start k) in Q by lia. }
  assert (Q : drifted d b (start k - b) <= sum (len k) (fun i => drifted d b (start k - b + i))).
  { pose proof (sum_sq_ge (len k) (fun i => drifted d b (start k - b + i)) 0 ltac:(unfold len; lia) (fun i _ => proj1 (drifted01 b _))) as Q.
    cbv beta in Q. now rewrite Nat.add_0_r in Q. }
  lra.
Qed.

Lemma split_window b m w w' : (start w <= b)%nat -> ((w < K)%nat -> (b < start (S w))%nat) -> (w <= K)%nat ->
  (start w' <= b + m)%nat -> ((w' < K)%nat -> (b + m < start (S w'))%nat) -> (w' <= K)%nat -> (w <= w')%nat -> (b + m <= n)%nat ->
  sum w' (fun k => F (len k)) + F (b + m - start w')%nat <=
  sum w (fun k => F (len k)) + F (b - start w)%nat + 2 * since_first F d 0 b m.
Proof.
intros A1 A2 A3 B1 B2 B3 W En. unfold since_first. pose proof (F_ge0 m) as Fm. pose proof (drift_sum_ge0 b m) as Dm.
destruct (Nat.eq_dec w' w) as [->|NE].
- replace (b + m - start w)%nat with ((b - start w) + m)%nat by lia. specialize (sub (b - start w)%nat m). lra.
- specialize (A2 ltac:(lia)). pose proof (starts_mono _ _ _ cut (S w) w' ltac:(lia)) as C.
  replace w' with (w + (1 + (w' - S w)))%nat at 1 by lia. rewrite sum_add, sum_add. cbn [sum]. rewrite Nat.add_0_r.
  assert (first : F (len w) <= F (b - start w)%nat + F m).
  { apply Rle_trans with (F ((b - start w) + (start (S w) - b))%nat); [apply up; unfold len; lia|].
    apply Rle_trans with (1 := sub _ _). apply Rplus_le_compat_l, up. lia. }
  enough (rest : sum (w' - S w) (fun i => F (len (S w + i))) + F (b + m - start w')%nat <= F m + 2 * drift_sum d b m).
  { rewrite (sum_ext (w' - S w) (fun i => F (len (w + (1 + i)))) (fun i => F (len (S w + i)))); [lra|].
    intros i _. do 2 f_equal. lia. }
  destruct (Nat.lt_ge_cases (start w') (b + m)) as [L|L].
  + (* the last window goes on behind the block, or is the last of all *)
    assert (last : F (b + m - start w')%nat <= F m) by (apply up; lia).
    enough (sum (w' - S w) (fun i => F (len (S w + i))) <= 2 * drift_sum d b m) by lra.
    destruct (Nat.lt_ge_cases w' K) as [I|I].
    * apply Rle_trans with (1 := inner b (S w) w' ltac:(lia) ltac:(lia) I). unfold drift_sum.
      replace m with ((start w' - b) + S (m - S (start w' - b)))%nat at 1 by lia. rewrite sum_add, sum_S, Nat.add_0_r.
      assert (0 <= sum (m - S (start w' - b)) (fun i => drifted d b (start w' - b + S i))) by (apply sum_ge0; intros; apply drifted01).
      pose proof (drifted01 b (start w' - b)). lra.
    * exfalso. assert (w' = K) as -> by lia. destruct cut as [_ [T _]]. rewrite T in *. lia.
  + assert (start w' = b + m)%nat as E by lia. rewrite E, Nat.sub_diag, F0, Rplus_0_r.
    destruct (Nat.eq_dec w' (S w)) as [->|NE2]; [rewrite Nat.sub_diag; cbn [sum]; lra|].
    replace (w' - S w)%nat with (S (w' - 1 - S w)) by lia. cbn [sum].
    replace (S w + (w' - 1 - S w))%nat with (w' - 1)%nat by lia.
    pose proof (starts_mono _ _ _ cut (S w) (w' - 1)%nat ltac:(lia)) as C2.
    assert (last : F (len (w' - 1)) <= F m).
    { apply up. unfold len. replace (S (w' - 1)) with w' by lia. lia. }
    apply Rle_trans with (F m + sum (w' - 1 - S w) (fun i => F (len (S w + i)))); [lra|]. apply Rplus_le_compat_l.
    apply Rle_trans with (1 := inner b (S w) (w' - 1)%nat ltac:(lia) ltac:(lia) ltac:(lia)). unfold drift_sum.
    assert (start (w' - 1) < b + m)%nat.
    { destruct cut as [_ [_ M]]. specialize (M (w' - 1)%nat ltac:(lia)). replace (S (w' - 1)) with w' in M by lia. lia. }
    replace m with ((start (w' - 1) - b) + S (m - S (start (w' - 1) - b)))%nat at 1 by lia. rewrite sum_add, sum_S, Nat.add_0_r.
    assert (0 <= sum (m - S (start (w' - 1) - b)) (fun i => drifted d b (start (w' - 1) - b + S i))) by (apply sum_ge0; intros; apply drifted01).
    pose proof (drifted01 b (start (w' - 1) - b)). lra.
Qed.

Lemma over_blocks_number i j b blocks : over_blocks (since_first F d) i b blocks = over_blocks (since_first F d) j b blocks.
Proof. revert i j b. induction blocks as [|m l IH]; intros i j b; simpl; [reflexivity|]. now rewrite (IH (S i) (S j)). Qed.

(* the windows' prices: half of them are a floor under every partition, twice them a partition's cost *)
Theorem greedy_within_four blocks : total blocks = n ->
  sum K (fun k => F (len k)) <= 2 * over_blocks (since_first F d) 0 0 blocks /\
  sum K (fun k => since_first F d k (start k) (len k)) <= 2 * sum K (fun k => F (len k)).
Proof.
intros T. split.
- assert (Q : forall l b w, (b + total l = n)%nat -> (w <= K)%nat -> (start w <= b)%nat -> ((w < K)%nat -> (b < start (S w))%nat) ->
    sum K (fun k => F (len k)) <= sum w (fun k => F (len k)) + F (b - start w)%nat + 2 * over_blocks (since_first F d) 0 b l).
  { induction l as [|m l IH]; intros b w E W1 W2 W3; simpl in E; cbn [over_blocks].
    - destruct (Nat.eq_dec w K) as [->|N]; [pose proof (F_ge0 (b - start K)); lra|].
      exfalso. specialize (W3 ltac:(lia)). pose proof (starts_mono _ _ _ cut (S w) K ltac:(lia)). destruct cut as [_ [TK _]]. lia.
    - destruct (window_of (b + m)%nat ltac:(lia)) as [w' [V1 [V2 V3]]].
      assert (w <= w')%nat.
      { destruct (Nat.le_gt_cases w w') as [|G]; [auto|exfalso]. specialize (V3 ltac:(lia)).
        pose proof (starts_mono _ _ _ cut (S w') w ltac:(lia)). lia. }
      specialize (IH (b + m)%nat w' ltac:(lia) V1 V2 V3).
      pose proof (split_window b m w w' W2 W3 W1 V2 V3 V1 H ltac:(lia)). rewrite (over_blocks_number 1 0). lra. }
  destruct (window_of O ltac:(lia)) as [w [V1 [V2 V3]]].
  assert (w = O) as ->.
  { destruct w as [|w]; [auto|exfalso]. destruct cut as [Z [_ M]]. specialize (M w ltac:(lia)). lia. }
  specialize (Q blocks O O ltac:(lia) ltac:(lia) V2 V3). destruct cut as [Z _]. rewrite Z in Q. cbn [sum Nat.sub] in Q. rewrite F0 in Q. lra.
- rewrite <- sum_scal. apply sum_le. intros k Hk. unfold since_first. specialize (short k Hk). fold (len k) in short. lra.
Qed.
End Greedy.
End Drift.

(* ---- the two prices ---- *)

Theorem two_prices sigma d blocks i b : 0 < sigma -> Forall (fun m => (0 < m)%nat) blocks -> (forall i, 0 <= d i <= 1) ->
  over_blocks (since_first (root_price sigma) d) i b blocks <= over_blocks (since_first (whole_price sigma) d) i b blocks /\
  over_blocks (since_first (whole_price sigma) d) i b blocks <=
  Rmax 1 (/ sigma) * over_blocks (since_first (root_price sigma) d) i b blocks.
Proof.
intros S0 P D. revert i b. induction P as [|m l Pm P IH]; intros i b; cbn [over_blocks]; [lra|].
destruct (IH (S i) (b + m)%nat) as [I1 I2]. pose proof (drift_sum_ge0 d D b m) as Dm.
assert (M1 : 1 <= INR m) by (apply (le_INR 1); lia).
assert (R1 : 1 <= sqrt (INR m)) by (rewrite <- sqrt_1; now apply sqrt_le_1_alt).
assert (R2 : sqrt (INR m) * sqrt (INR m) = INR m) by (apply sqrt_sqrt; lra).
assert (A : root_price sigma m <= whole_price sigma m).
{ unfold root_price, whole_price. apply Rmin_glb; [apply Rmin_l|]. apply Rle_trans with (1 := Rmin_r _ _), Rmax_r. }
assert (C1 : 1 <= Rmax 1 (/ sigma)) by apply Rmax_l.
assert (B : whole_price sigma m <= Rmax 1 (/ sigma) * root_price sigma m).
{ unfold root_price, whole_price. set (C := Rmax 1 (/ sigma)) in *.
  assert (C2 : 1 <= C * sigma).
  { apply Rle_trans with (/ sigma * sigma); [rewrite Rinv_l; lra|]. apply Rmult_le_compat_r; [lra|apply Rmax_r]. }
  unfold Rmin at 2. destruct (Rle_dec (INR m) (sigma * sqrt (INR m))).
  - apply Rle_trans with (1 := Rmin_l _ _). nra.
  - apply Rle_trans with (1 := Rmin_r _ _). apply Rmax_lub.
    + apply Rle_trans with (1 * 1); [lra|]. rewrite <- Rmult_assoc. apply Rmult_le_compat; lra.
    + assert (0 <= sigma * sqrt (INR m)) by (apply Rmult_le_pos; lra). nra. }
assert (U : forall F, since_first F d i b m = F m + drift_sum d b m) by reflexivity. rewrite !U. split; [lra|]. assert (drift_sum d b m <= Rmax 1 (/ sigma) * drift_sum d b m) by nra. lra.
Qed.

(* a window is good where it is the first or has at least a quarter of the one before *)
Theorem good_windows K (f : nat -> R) (good : nat -> bool) : (0 < K)%nat -> (forall k, (k < K)%nat -> 0 <= f k) ->
  good O = true -> (forall k, (S k < K)%nat -> good (S k) = false -> f (S k) <= / 2 * f k) ->
  sum K f <= 2 * sum K (fun k => if good k then f k else 0).
Proof.
intros K0 f0 g0 half.
enough (Q : forall k, (k < K)%nat -> sum (S k) f + f k <= 2 * sum (S k) (fun k => if good k then f k else 0)).
{ specialize (Q (K - 1)%nat ltac:(lia)). specialize (f0 (K - 1)%nat ltac:(lia)). replace (S (K - 1)) with K in Q by lia. lra. }
induction k as [|k IH]; intros Hk; [simpl; rewrite g0; lra|].
specialize (IH ltac:(lia)). specialize (half k Hk). cbn [sum] in *. destruct (good (S k)); [|specialize (half eq_refl)]; pose proof (f0 k ltac:(lia)); lra.
Qed.
