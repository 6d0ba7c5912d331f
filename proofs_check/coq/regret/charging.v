(******************************************************************************)
(*                       Windows and what they are charged to                 *)
(*                                                                            *)
(* Every sequence of times: windows of one class of variances, how many       *)
(* rounds in one look at a point, and what the windows cost in all.           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   looks_of_a_window == looks at a point, steps of any length               *)
(*   window_pays == a window is paid by the shares of it and of the one       *)
(*       before                                                               *)
(*   class_charged == one class                                               *)
(*   classes_charged == all classes                                           *)
(*                                                                            *)
(* Rests on: definitions, sums, floors, elimination.                          *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia Bool.
From CTV Require Import definitions sums floors.
From CTV Require elimination.
Open Scope R_scope.

(* ---- looks at a point within one window ---- *)

Theorem looks_of_a_window T (w d : nat -> R) (counted : nat -> bool) v s :
  0 < v -> 0 < s -> (forall i, 0 <= w i) -> (forall i, 0 <= d i) -> (forall i, w (S i) <= w i + d i) ->
  (forall i, counted i = true -> v <= w i <= 2 * v /\ w (S i) <= w i - w i ^ 2 / (w i + s) + d i) ->
  sum T d <= v / 2 -> sum T (fun i => if counted i then 1 else 0) <= 5 / 2 * (1 + s / v).
Proof.
intros Hv Hs Hw Hd Hg Hc HT.
assert (P : forall k, Rmin (w k) (2 * v) + v ^ 2 / (v + s) * sum k (fun i => if counted i then 1 else 0)
                      <= 2 * v + sum k d).
{ induction k as [|k IH]; [simpl; pose proof (Rmin_r (w 0%nat) (2 * v)); lra|].
  simpl sum. pose proof (Hg k) as G. pose proof (Hd k). destruct (counted k) eqn:E.
  - destruct (Hc k E) as [B L]. pose proof (elimination.look_grows v (w k) s ltac:(lra) Hs).
    rewrite (Rmin_left (w k)) in IH by lra. pose proof (Rmin_l (w (S k)) (2 * v)). lra.
  - revert IH. unfold Rmin. destruct (Rle_dec (w k) (2 * v)), (Rle_dec (w (S k)) (2 * v)); intros; lra. }
pose proof (P T) as Q. assert (0 <= Rmin (w T) (2 * v)) by (apply Rmin_glb; [apply Hw | lra]).
apply (Rmult_le_reg_l (v ^ 2 / (v + s))); [apply Rdiv_lt_0_compat; nra|].
replace (v ^ 2 / (v + s) * (5 / 2 * (1 + s / v))) with (2 * v + v / 2) by (field; lra). lra.
Qed.

(* ---- intervals of rounds ---- *)

Definition between (g : nat -> R) (a b : nat) : R := sum (Nat.sub b a) (fun l => g (a + l)%nat).
Lemma between_join g a b c : (a <= b <= c)%nat -> between g a c = between g a b + between g b c.
Proof.
intros H. unfold between. replace (c - a)%nat with ((b - a) + (c - b))%nat by lia. rewrite sum_add. f_equal.
apply sum_ext. intros i _. f_equal. lia.
Qed.
Lemma between_next g a b : (a <= b)%nat -> between g a (S b) = between g a b + g b.
Proof. intros H. unfold between. replace (S b - a)%nat with (S (b - a)) by lia. simpl. do 2 f_equal. lia. Qed.
Lemma between_ge0 g a b : (forall i, 0 <= g i) -> 0 <= between g a b.
Proof. intros H. apply sum_ge0. intros; apply H. Qed.
Lemma between_le g h a b : (forall i, (a <= i < b)%nat -> g i <= h i) -> between g a b <= between h a b.
Proof. intros H. apply sum_le. intros i Hi. apply H. lia. Qed.
Lemma between_same g h a b : (forall i, (a <= i < b)%nat -> g i = h i) -> between g a b = between h a b.
Proof. intros H. apply sum_ext. intros i Hi. apply H. lia. Qed.
Lemma between_part g a b a' b' : (forall i, 0 <= g i) -> (a <= a' <= b')%nat -> (b' <= b)%nat ->
  between g a' b' <= between g a b.
Proof.
intros G H1 H2. rewrite (between_join g a a' b), (between_join g a' b' b) by lia.
pose proof (between_ge0 g a a' G). pose proof (between_ge0 g b' b G). lra.
Qed.
Lemma between_scal g c a b : between (fun i => c * g i) a b = c * between g a b.
Proof. unfold between. apply sum_scal. Qed.

Lemma last_above (p : nat -> R) c a m : (forall i, (a <= i < a + m)%nat -> p i <= c) \/
  exists i, (a <= i < a + m)%nat /\ c < p i /\ forall l, (i < l < a + m)%nat -> p l <= c.
Proof.
induction m as [|m IH]; [left; intros; exfalso; lia|]. destruct (Rlt_le_dec c (p (a + m)%nat)) as [A|B].
- right. exists (a + m)%nat. repeat split; [lia|lia|exact A|]. intros; exfalso; lia.
- destruct IH as [all|[i [Hi [P L]]]].
  + left. intros i Hi. destruct (Nat.eq_dec i (a + m)) as [->|]; [auto|apply all; lia].
  + right. exists i. repeat split; try lia; auto. intros l Hl.
    destruct (Nat.eq_dec l (a + m)) as [->|]; [auto|apply L; lia].
Qed.
Lemma first_below (p : nat -> R) c a m : p (a + m)%nat <= c ->
  exists i, (a <= i <= a + m)%nat /\ p i <= c /\ forall l, (a <= l < i)%nat -> c < p l.
Proof.
revert a. induction m as [|m IH]; intros a H.
- exists a. replace (a + 0)%nat with a in H by lia. repeat split; [lia|lia|exact H|]. intros; exfalso; lia.
- destruct (Rle_lt_dec (p a) c) as [A|B]; [exists a; repeat split; [lia|lia|exact A|]; intros; exfalso; lia|].
  destruct (IH (S a)) as [i [Hi [P L]]]; [replace (S a + m)%nat with (a + S m)%nat by lia; exact H|].
  exists i. repeat split; try lia; auto. intros l Hl. destruct (Nat.eq_dec l a) as [->|]; [auto|apply L; lia].
Qed.

(* ---- the shares along the rounds ---- *)

Section Shares.
Variables (d : nat -> R) (s : R).
Hypotheses (s0 : 0 < s) (d01 : forall i, 0 <= d i <= 1).
Let p := floor_share (fun i => 1 - d (S i)) (fun _ => s).
Definition took x := x ^ 2 / (x + s).
Lemma share01 i : 0 <= p i <= 1.
Proof. apply floor_share01; intros; [pose proof (d01 (S j)); lra|auto]. Qed.
Lemma after_look x : 0 <= x -> x * s / (x + s) = x - took x.
Proof. intros. unfold took. field. lra. Qed.
Lemma share_step i : p (S i) = p i - took (p i) + d (S i) * (1 - (p i - took (p i))).
Proof.
unfold p at 1. simpl. fold p. unfold carried. rewrite after_look by apply share01. ring.
Qed.
Lemma took_bounds x : 0 <= x -> 0 <= took x <= x /\ took x <= x * x / s.
Proof.
intros X. assert (P : 0 < x + s) by lra. unfold took. repeat split.
- apply Rmult_le_pos; [nra|left; now apply Rinv_0_lt_compat].
- apply (Rmult_le_reg_r (x + s)); [auto|]. replace (x ^ 2 / (x + s) * (x + s)) with (x ^ 2) by (field; lra). nra.
- apply (Rmult_le_reg_r ((x + s) * s)); [apply Rmult_lt_0_compat; lra|].
  replace (x ^ 2 / (x + s) * ((x + s) * s)) with (x ^ 2 * s) by (field; lra).
  replace (x * x / s * ((x + s) * s)) with (x * x * (x + s)) by (field; lra).
  assert (0 <= x * x * x) by (apply Rmult_le_pos; [nra|lra]). nra.
Qed.
Lemma share_drift i : d (S i) <= p (S i).
Proof.
rewrite share_step. pose proof (share01 i) as P. destruct (took_bounds (p i) ltac:(lra)) as [T _].
pose proof (d01 (S i)). assert (0 <= (p i - took (p i)) * (1 - d (S i))) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma drift_below_shares m : sum m (fun i => d (S i)) <= sum (S m) p - 1.
Proof.
rewrite sum_S. replace (p 0) with 1 by reflexivity.
enough (sum m (fun i => d (S i)) <= sum m (fun i => p (S i))) by lra. apply sum_le. intros i _. apply share_drift.
Qed.
(* from round a to round b *)
Lemma share_between a b : (a <= b)%nat ->
  p b = p a + between (fun i => d (S i) * (1 - (p i - took (p i)))) a b - between (fun i => took (p i)) a b.
Proof.
induction 1 as [|b L IH]; [unfold between; rewrite Nat.sub_diag; simpl; ring|].
rewrite !between_next, share_step by lia. rewrite IH at 1. ring.
Qed.

(* what is charged to a round of share x by class v *)
Definition charge (v x : R) : R :=
  (if Rle_dec x (v / 4) then 4 * x ^ 2 / v else 0) + (if Rle_dec x (v / 4) then if Rlt_dec (v / 8) x then 10 / 3 * x else 0 else 0).
Lemma charge_ge0 v x : 0 < v -> 0 <= x -> 0 <= charge v x.
Proof.
intros V X. unfold charge. assert (0 <= 4 * x ^ 2 / v) by (apply Rmult_le_pos; [nra|left; now apply Rinv_0_lt_compat]).
destruct (Rle_dec x (v / 4)); [destruct (Rlt_dec (v / 8) x)|]; lra.
Qed.

(* a round i0 of share at most v/8 after more drift than v/2 from round a on, or after the first round *)
Theorem window_pays v a i0 : 0 < v <= / 2 -> (a <= i0)%nat -> p i0 <= v / 8 ->
  a = O \/ v / 2 < drift_between d a i0 ->
  s / 4 <= between p a (S i0) /\ (v <= s -> s <= between (fun i => charge v (p i)) a (S i0)).
Proof.
intros V L I0 far.
assert (P0 : forall i, 0 <= p i) by (intros; apply share01).
assert (C0 : forall i, 0 <= charge v (p i)) by (intros; apply charge_ge0; [lra|auto]).
destruct (last_above p (v / 4) a (S i0 - a)) as [low|[i' [Hi' [high low]]]].
- (* every share low: the drift has to be taken away by looks *)
  replace (a + (S i0 - a))%nat with (S i0) in low by lia.
  assert (A : v / 2 < drift_between d a i0).
  { destruct far as [->|]; [|auto]. exfalso. pose proof (low 0%nat ltac:(lia)) as B. replace (p 0) with 1 in B by reflexivity. lra. }
  assert (D : 3 / 4 * (v / 2) <= between (fun i => d (S i) * (1 - (p i - took (p i)))) a i0).
  { apply Rle_trans with (3 / 4 * between (fun i => d (S i)) a i0).
    - apply Rmult_le_compat_l; [lra|]. left. exact A.
    - rewrite <- between_scal. apply between_le. intros i Hi. pose proof (low i ltac:(lia)). pose proof (share01 i).
      destruct (took_bounds (p i) ltac:(lra)) as [T _]. pose proof (d01 (S i)).
      rewrite Rmult_comm. apply Rmult_le_compat_l; lra. }
  pose proof (share_between a i0 L) as E. pose proof (share01 a).
  assert (T : v / 4 <= between (fun i => took (p i)) a i0) by lra.
  assert (Q : between (fun i => took (p i)) a i0 <= between (fun i => / s * p i ^ 2) a i0).
  { apply between_le. intros i _. destruct (took_bounds (p i) (P0 i)) as [_ U]. unfold Rdiv in U. lra. }
  rewrite between_scal in Q.
  assert (R : v * s / 4 <= between (fun i => p i ^ 2) a i0).
  { apply (Rmult_le_reg_l (/ s)); [now apply Rinv_0_lt_compat|]. replace (/ s * (v * s / 4)) with (v / 4) by (field; lra). lra. }
  split.
  + apply Rle_trans with s; [lra|]. apply (Rmult_le_reg_l (v / 4)); [lra|].
    apply Rle_trans with (between (fun i => p i ^ 2) a i0); [lra|].
    apply Rle_trans with (between (fun i => v / 4 * p i) a i0).
    * apply between_le. intros i Hi. pose proof (low i ltac:(lia)). pose proof (P0 i). nra.
    * rewrite between_scal. apply Rmult_le_compat_l; [lra|]. apply between_part; auto; lia.
  + intros _. apply Rle_trans with (4 / v * between (fun i => p i ^ 2) a i0).
    * apply (Rmult_le_reg_l (v / 4)); [lra|]. field_simplify; lra.
    * rewrite <- between_scal. apply Rle_trans with (between (fun i => charge v (p i)) a i0); [|apply between_part; auto; lia].
      apply between_le. intros i Hi. pose proof (low i ltac:(lia)). unfold charge.
      destruct (Rle_dec (p i) (v / 4)); [|contradiction]. pose proof (P0 i).
      destruct (Rlt_dec (v / 8) (p i)); unfold Rdiv; lra.
- replace (a + (S i0 - a))%nat with (S i0) in Hi', low by lia.
  assert (i' <> i0) by (intros ->; lra).
  destruct (Rlt_le_dec s v) as [B|B].
  { split; [|lra]. apply Rle_trans with (between p i' (S i')).
    - rewrite between_next by lia. unfold between. rewrite Nat.sub_diag. simpl. lra.
    - apply between_part; auto; lia. }
  destruct (first_below p (v / 8) (S i') (i0 - S i')) as [i1 [Hi1 [below above]]];
    [replace (S i' + (i0 - S i'))%nat with i0 by lia; auto|].
  assert (Q : v / 5 <= p (S i')).
  { rewrite share_step. destruct (took_bounds (p i') (P0 i')) as [T _]. pose proof (d01 (S i')). pose proof (share01 i').
    assert (0 <= d (S i') * (1 - (p i' - took (p i')))) by (apply Rmult_le_pos; lra).
    enough (v / 5 <= p i' - took (p i')) by lra. rewrite <- after_look by lra.
    assert (v / 4 * s / (v / 4 + s) <= p i' * s / (p i' + s)) by (apply parallel_mono; lra).
    enough (v / 5 <= v / 4 * s / (v / 4 + s)) by lra.
    apply (Rmult_le_reg_r (v / 4 + s)); [lra|]. replace (v / 4 * s / (v / 4 + s) * (v / 4 + s)) with (v / 4 * s) by (field; lra).
    nra. }
  pose proof (share_between (S i') i1 ltac:(lia)) as E.
  assert (D : 0 <= between (fun i => d (S i) * (1 - (p i - took (p i)))) (S i') i1).
  { apply between_ge0. intros i. pose proof (d01 (S i)). pose proof (share01 i).
    destruct (took_bounds (p i) (P0 i)) as [T _]. apply Rmult_le_pos; lra. }
  assert (T : 3 / 40 * v <= between (fun i => took (p i)) (S i') i1) by lra.
  assert (U : between (fun i => took (p i)) (S i') i1 <= v / (4 * s) * between p (S i') i1).
  { rewrite <- between_scal. apply between_le. intros i Hi. destruct (took_bounds (p i) (P0 i)) as [_ W].
    apply Rle_trans with (1 := W). pose proof (low i ltac:(lia)). pose proof (P0 i).
    replace (v / (4 * s) * p i) with (v / 4 * p i / s) by (field; lra).
    apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|nra]. }
  assert (G : 3 / 10 * s <= between p (S i') i1).
  { apply (Rmult_le_reg_l (v / (4 * s))); [apply Rdiv_lt_0_compat; lra|].
    replace (v / (4 * s) * (3 / 10 * s)) with (3 / 40 * v) by (field; lra). lra. }
  split; [apply Rle_trans with (between p (S i') i1); [lra|apply between_part; auto; lia]|].
  intros _. apply Rle_trans with (10 / 3 * between p (S i') i1); [lra|]. rewrite <- between_scal.
  apply Rle_trans with (between (fun i => charge v (p i)) (S i') i1); [|apply between_part; auto; lia].
  apply between_le. intros i Hi. pose proof (low i ltac:(lia)). pose proof (above i ltac:(lia)). pose proof (P0 i).
  unfold charge. destruct (Rle_dec (p i) (v / 4)); [|contradiction]. destruct (Rlt_dec (v / 8) (p i)); [|contradiction].
  assert (0 <= 4 * p i ^ 2 / v) by (apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra]). lra.
Qed.

(* ---- one class ---- *)

Lemma windows_add (start : nat -> nat) K n g : split_at start K n ->
  sum K (fun k => between g (start k) (start (S k))) = sum n g.
Proof.
intros [Z [T M]]. rewrite <- T. assert (H : forall k, (k <= K)%nat -> sum k (fun k => between g (start k) (start (S k))) = sum (start k) g).
{ induction k as [|k IH]; intros Hk; [now rewrite Z|]. simpl. rewrite IH by lia. specialize (M k ltac:(lia)).
  unfold between. rewrite <- sum_add. f_equal. lia. }
now apply H.
Qed.

Lemma starts_mono (start : nat -> nat) K n : split_at start K n -> forall k l, (k <= l <= K)%nat -> (start k <= start l)%nat.
Proof.
intros [_ [_ M]] k l [A B]. induction A as [|l A IH]; [lia|]. specialize (M l ltac:(lia)). specialize (IH ltac:(lia)). lia.
Qed.

Definition before (start : nat -> nat) k : nat := match k with O => O | S j => start j end.

Lemma windows_count v (start : nat -> nat) K n : split_at start K n -> 0 < v ->
  (forall k, (S k < K)%nat -> v / 2 < drift_between d (start k) (start (S k))) ->
  v * INR K <= 2 * sum (pred n) (fun i => d (S i)) + v.
Proof.
intros H V far. destruct K as [|K].
- simpl. assert (0 <= sum (pred n) (fun i => d (S i))) by (apply sum_ge0; intros; apply d01). lra.
- assert (Q : forall k, (k <= K)%nat -> v / 2 * INR k <= sum (start k) (fun i => d (S i))).
  { induction k as [|k IH]; intros Hk; [simpl; rewrite Rmult_0_r; apply sum_ge0; intros; apply d01|].
    specialize (far k ltac:(lia)). specialize (IH ltac:(lia)). pose proof (starts_mono _ _ _ H k (S k) ltac:(lia)).
    replace (start (S k)) with (start k + (start (S k) - start k))%nat by lia. rewrite sum_add, S_INR.
    unfold drift_between in far. lra. }
  specialize (Q K ltac:(lia)). rewrite S_INR.
  destruct H as [_ [T M]]. specialize (M K ltac:(lia)).
  assert (R : sum (start K) (fun i => d (S i)) <= sum (pred n) (fun i => d (S i))).
  { replace (pred n) with (start K + (pred n - start K))%nat by lia. rewrite sum_add.
    assert (0 <= sum (pred n - start K) (fun i => d (S (start K + i)))) by (apply sum_ge0; intros; apply d01). lra. }
  lra.
Qed.

Section Class.
Variables (v : R) (start : nat -> nat) (K n : nat) (counted : nat -> bool).
Hypotheses (v0 : 0 < v <= / 2) (cut : split_at start K n)
  (far : forall k, (S k < K)%nat -> v / 2 < drift_between d (start k) (start (S k)))
  (hold : forall k, (k < K)%nat -> counted k = true -> exists i, (start k <= i < start (S k))%nat /\ p i <= v / 8).

Lemma in_two g c : (forall i, 0 <= g i) ->
  (forall a i0, (a <= i0)%nat -> p i0 <= v / 8 -> a = O \/ v / 2 < drift_between d a i0 -> c <= between g a (S i0)) ->
  c * sum K (fun k => if counted k then 1 else 0) <= 2 * sum n g.
Proof.
intros G pays. rewrite <- sum_scal.
apply Rle_trans with (sum K (fun k => between g (before start k) (start (S k)))).
- apply sum_le. intros k Hk. destruct (counted k) eqn:E.
  + destruct (hold k Hk E) as [i [Hi P]]. rewrite Rmult_1_r.
    apply Rle_trans with (between g (before start k) (S i)).
    * destruct k as [|k]; cbn [before].
      -- apply pays; [lia|auto|now left].
      -- specialize (far k ltac:(lia)). pose proof (starts_mono _ _ _ cut k (S k) ltac:(lia)).
         apply pays; [lia|auto|right]. unfold drift_between in *.
         replace (i - start k)%nat with ((start (S k) - start k) + (i - start (S k)))%nat by lia. rewrite sum_add.
         assert (0 <= sum (i - start (S k)) (fun l => d (S (start k + (start (S k) - start k + l))))) by (apply sum_ge0; intros; apply d01).
         lra.
    * apply between_part; auto; [|lia]. destruct k as [|k]; cbn [before]; [lia|].
      pose proof (starts_mono _ _ _ cut k (S k) ltac:(lia)). lia.
  + rewrite Rmult_0_r. now apply between_ge0.
- assert (W := windows_add start K n g cut).
  rewrite (sum_ext K _ (fun k => between g (before start k) (start k) + between g (start k) (start (S k)))).
  2: { intros k Hk. apply between_join. destruct cut as [Z [_ M]]. pose proof (M k Hk). destruct k as [|k]; cbn [before]; [rewrite Z in *; lia|].
       pose proof (M k ltac:(lia)). lia. }
  rewrite sum_plus, W. enough (sum K (fun k => between g (before start k) (start k)) <= sum n g) by lra.
  rewrite <- W. destruct K as [|J]; [simpl; lra|]. rewrite sum_S. simpl sum at 2. cbn [before].
  destruct cut as [Z _]. rewrite Z at 1. unfold between at 1. simpl sum at 1.
  pose proof (between_ge0 g (start J) (start (S J)) G). lra.
Qed.

Theorem class_charged : sum K (fun k => if counted k then v + s else 0) <= 10 * sum n p.
Proof.
assert (A : s / 4 * sum K (fun k => if counted k then 1 else 0) <= 2 * sum n p).
{ apply in_two; [intros; apply share01|]. intros a i0 L P F. now apply (window_pays v a i0). }
assert (B : v * sum K (fun k => if counted k then 1 else 0) <= 2 * sum n p).
{ apply Rle_trans with (v * INR K).
  - apply Rmult_le_compat_l; [lra|]. rewrite <- (Rmult_1_r (INR K)), <- sum_const. apply sum_le. intros k _. destruct (counted k); lra.
  - destruct n as [|m].
    + assert (K = O) as ->; [|simpl; lra]. destruct cut as [Z [T M]]. destruct K as [|J]; [auto|].
      specialize (M J ltac:(lia)). lia.
    + pose proof (windows_count v start K (S m) cut ltac:(lra) far) as C. pose proof (drift_below_shares m). simpl pred in C. lra. }
rewrite (sum_ext K _ (fun k => (v + s) * (if counted k then 1 else 0))) by (intros k _; destruct (counted k); ring).
rewrite sum_scal. lra.
Qed.

Lemma class_quiet : v <= s -> sum K (fun k => if counted k then v + s else 0) <= 4 * sum n (fun i => charge v (p i)).
Proof.
intros q. assert (A : s * sum K (fun k => if counted k then 1 else 0) <= 2 * sum n (fun i => charge v (p i))).
{ apply in_two; [intros; apply charge_ge0; [lra|apply share01]|]. intros a i0 L P F. now apply (window_pays v a i0). }
assert (0 <= sum K (fun k => if counted k then 1 else 0)) by (apply sum_ge0; intros k _; destruct (counted k); lra).
rewrite (sum_ext K _ (fun k => (v + s) * (if counted k then 1 else 0))) by (intros k _; destruct (counted k); ring).
rewrite sum_scal. nra.
Qed.

Lemma class_loud : s < v ->
  sum K (fun k => if counted k then v + s else 0) <= 4 * sum (pred n) (fun i => d (S i)) + 2 * v.
Proof.
intros q. pose proof (windows_count v start K n cut ltac:(lra) far) as C.
apply Rle_trans with (sum K (fun _ => 2 * v)).
- apply sum_le. intros k _. destruct (counted k); lra.
- rewrite sum_const. lra.
Qed.
End Class.

(* ---- all classes ---- *)

Lemma halves_pos j : 0 < / 2 ^ S j <= / 2.
Proof.
split; [apply Rinv_0_lt_compat, pow_lt; lra|]. apply Rinv_le_contravar; [lra|]. simpl.
enough (1 <= 2 ^ j) by lra. apply pow_R1_Rle. lra.
Qed.
Lemma halves_sum J : sum J (fun j => / 2 ^ S j) <= 1.
Proof.
assert (E : sum J (fun j => / 2 ^ S j) = 1 - / 2 ^ J).
{ induction J as [|J IH]; [simpl; lra|]. cbn [sum]. rewrite IH. simpl. field. apply pow_nonzero; lra. }
assert (0 < / 2 ^ J) by (apply Rinv_0_lt_compat, pow_lt; lra). lra.
Qed.

(* classes v >= 4x: the sum of 1/v is at most 1/(2x); and x is between v/8 and v/4 for one class alone *)
Lemma charges_low J x : 0 <= x ->
  sum J (fun j => if Rle_dec x (/ 2 ^ S j / 4) then 4 * x ^ 2 / (/ 2 ^ S j) else 0) <= 2 * x.
Proof.
intros X.
assert (Q : sum J (fun j => if Rle_dec x (/ 2 ^ S j / 4) then 4 * x ^ 2 / (/ 2 ^ S j) else 0) <= 2 * x /\
  sum J (fun j => if Rle_dec x (/ 2 ^ S j / 4) then 4 * x ^ 2 / (/ 2 ^ S j) else 0) <= 8 * x ^ 2 * 2 ^ J).
{ induction J as [|J [I1 I2]]; [simpl; nra|]. cbn [sum].
  assert (P : 0 < 2 ^ J) by (apply pow_lt; lra).
  assert (E : 4 * x ^ 2 / / 2 ^ S J = 8 * x ^ 2 * 2 ^ J) by (simpl; field; lra). rewrite E.
  assert (F : 2 ^ S J = 2 * 2 ^ J) by reflexivity.
  destruct (Rle_dec x (/ 2 ^ S J / 4)) as [L|L]; rewrite F in *; split; try nra.
  apply Rle_trans with (16 * x ^ 2 * 2 ^ J); [lra|].
  assert (x * 2 ^ J <= / 8).
  { apply Rle_trans with (/ (2 * 2 ^ J) / 4 * 2 ^ J); [apply Rmult_le_compat_r; lra|]. right. field. lra. }
  replace (16 * x ^ 2 * 2 ^ J) with (16 * x * (x * 2 ^ J)) by ring. nra. }
apply Q.
Qed.
Lemma charges_near J x : 0 <= x ->
  sum J (fun j => if Rle_dec x (/ 2 ^ S j / 4) then if Rlt_dec (/ 2 ^ S j / 8) x then 10 / 3 * x else 0 else 0) <= 10 / 3 * x.
Proof.
intros X.
assert (Q : forall J, sum J (fun j => if Rle_dec x (/ 2 ^ S j / 4) then if Rlt_dec (/ 2 ^ S j / 8) x then 10 / 3 * x else 0 else 0) <= 10 / 3 * x /\
  (x <= / 2 ^ S J / 4 -> sum J (fun j => if Rle_dec x (/ 2 ^ S j / 4) then if Rlt_dec (/ 2 ^ S j / 8) x then 10 / 3 * x else 0 else 0) = 0)).
{ clear J. induction J as [|J [I1 I2]]; [simpl; lra|]. cbn [sum].
  assert (P : 0 < / 2 ^ S J) by apply halves_pos.
  assert (E : / 2 ^ S (S J) = / 2 ^ S J / 2) by (simpl; field; apply pow_nonzero; lra).
  destruct (Rle_dec x (/ 2 ^ S J / 4)) as [L|L].
  - rewrite (I2 L). destruct (Rlt_dec (/ 2 ^ S J / 8) x); split; rewrite ?E; intros; lra.
  - split; [lra|]. rewrite E. intros. lra. }
apply Q.
Qed.

Theorem classes_charged n J (start : nat -> nat -> nat) (K : nat -> nat) (counted : nat -> nat -> bool) : (0 < n)%nat ->
  (forall j, (j < J)%nat -> split_at (start j) (K j) n) ->
  (forall j k, (j < J)%nat -> (S k < K j)%nat -> / 2 ^ S j / 2 < drift_between d (start j k) (start j (S k))) ->
  (forall j k, (j < J)%nat -> (k < K j)%nat -> counted j k = true ->
     exists i, (start j k <= i < start j (S k))%nat /\ p i <= / 2 ^ S j / 8) ->
  sum J (fun j => sum (K j) (fun k => if counted j k then / 2 ^ S j + s else 0)) <=
  24 * sum n p +
  4 * sum J (fun j => if ssrbool.is_left (Rlt_dec s (/ 2 ^ S j)) then 1 else 0) * sum (pred n) (fun i => d (S i)).
Proof.
rewrite (sum_ext J (fun j => if ssrbool.is_left (Rlt_dec s (/ 2 ^ S j)) then 1 else 0)
  (fun j => if Rlt_dec s (/ 2 ^ S j) then 1 else 0)) by (intros; now destruct Rlt_dec).
intros n0 cut far hold. set (D := sum (pred n) _).
apply Rle_trans with (sum J (fun j => (if Rlt_dec s (/ 2 ^ S j) then 4 * D else 0) +
  (2 * / 2 ^ S j + 4 * sum n (fun i => charge (/ 2 ^ S j) (p i))))).
- apply sum_le. intros j Hj. pose proof (halves_pos j) as V.
  assert (0 <= sum n (fun i => charge (/ 2 ^ S j) (p i))) by (apply sum_ge0; intros; apply charge_ge0; [lra|apply share01]).
  destruct (Rlt_dec s (/ 2 ^ S j)) as [L|L].
  + pose proof (class_loud _ _ _ _ (counted j) V (cut j Hj) (fun k => far j k Hj) L) as Q. fold D in Q. lra.
  + pose proof (class_quiet _ _ _ _ (counted j) V (cut j Hj) (fun k => far j k Hj) (fun k => hold j k Hj) ltac:(lra)). lra.
- rewrite sum_plus, sum_plus, sum_scal, sum_scal.
  assert (A : sum J (fun j => if Rlt_dec s (/ 2 ^ S j) then 4 * D else 0) = 4 * sum J (fun j => if Rlt_dec s (/ 2 ^ S j) then 1 else 0) * D).
  { set (W := sum J (fun j => if Rlt_dec s (/ 2 ^ S j) then 1 else 0)). replace (4 * W * D) with (4 * D * W) by ring.
    unfold W. rewrite <- sum_scal. apply sum_ext. intros j _. destruct (Rlt_dec s (/ 2 ^ S j)); ring. }
  assert (B : sum J (fun j => sum n (fun i => charge (/ 2 ^ S j) (p i))) <= 16 / 3 * sum n p).
  { rewrite sum_swap, <- sum_scal. apply sum_le. intros i _. unfold charge. rewrite sum_plus.
    pose proof (charges_low J (p i) (proj1 (share01 i))). pose proof (charges_near J (p i) (proj1 (share01 i))). lra. }
  pose proof (halves_sum J). assert (1 <= sum n p).
  { destruct n as [|m]; [lia|]. rewrite sum_S. replace (p 0) with 1 by reflexivity.
    assert (0 <= sum m (fun i => p (S i))) by (apply sum_ge0; intros; apply share01). lra. }
  lra.
Qed.
End Shares.
