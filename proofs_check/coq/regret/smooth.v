(******************************************************************************)
(*                              Smooth kernels                                *)
(*                                                                            *)
(* The deterministic parts of Lemma SF, of Theorem N and of Lemma H.          *)
(*                                                                            *)
(* Statements:                                                                *)
(*   increments == the mean of a schedule against the prior                   *)
(*   window_sum == what a window costs every policy                           *)
(*   sign_dropped == half a dimension for a sign                              *)
(*                                                                            *)
(* Rests on: definitions, sums, floors.                                       *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums floors.
Open Scope R_scope.

(* ---- Lemma SF ---- *)

Theorem increments (emax : nat -> (nat -> nat -> R) -> R) n K P p : sudakov_fernique emax -> scales emax -> p <= 1 ->
  semidefinite n K -> semidefinite n (fun x y => K x y - P x y) ->
  (forall x y, (x < n)%nat -> (y < n)%nat -> increment P x y <= p * increment K x y) ->
  sqrt (1 - p) * emax n K <= emax n (fun x y => K x y - P x y).
Proof.
intros SF SC p1 SK SD H. rewrite <- (SC n K (sqrt (1 - p)) (sqrt_pos _)).
assert (Q : sqrt (1 - p) * sqrt (1 - p) = 1 - p) by (apply sqrt_sqrt; lra).
apply SF.
- destruct SK as [S1 S2]. split.
  + intros i j Hi Hj. now rewrite (S1 i j).
  + intros c. rewrite (sum_ext n _ (fun i => sqrt (1 - p) ^ 2 * sum n (fun j => c i * c j * K i j))).
    * rewrite sum_scal. apply Rmult_le_pos; [apply pow2_ge_0|apply S2].
    * intros i _. rewrite <- sum_scal. apply sum_ext. intros j _. ring.
- exact SD.
- intros x y Hx Hy. specialize (H x y Hx Hy). unfold increment in *. simpl. rewrite Rmult_1_r, Q. lra.
Qed.

(* ---- Theorem N: the sum over a window ---- *)

(* cases c of weights w; r, psi, q, on: regret, squared weight, posterior variance and good behaviour of
   round k in case c; V k is the drift since the window began *)
Theorem window_sum m (w : nat -> R) L (r psi q : nat -> nat -> R) (on : nat -> nat -> bool) (V : nat -> R)
  s chi mu b S2 G1 H zeta top : 0 < s -> 0 < chi <= 1 -> 0 < b -> 0 < S2 -> 0 < G1 -> 0 < zeta -> 0 <= top ->
  (forall c, 0 <= w c) -> sum m w = 1 -> (forall k, (k < L)%nat -> 0 <= V k <= top) ->
  (forall c k, 0 <= psi c k) -> 2 * b <= H -> 0 <= mu -> mu * (8 * H) <= G1 ->
  3 * top <= zeta ^ 2 -> chi * top ^ 2 * INR L * (64 * S2 * G1) <= b ^ 2 * s ->
  (forall k, (k < L)%nat -> 3 / 4 <= sum m (fun c => if on c k then w c else 0)) ->
  (forall c k, (k < L)%nat -> chi * V k - chi ^ 2 * top ^ 2 / s * sum k (psi c) <= q c k) ->
  (forall k, (k < L)%nat ->
     mu / 2 * sum m (fun c => if on c k then w c * (q c k - 3 * (chi * V k) ^ 2 / (16 * zeta ^ 2)) else 0) <=
     sum m (fun c => w c * r c k)) ->
  (forall k, (k < L)%nat ->
     sum m (fun c => w c * psi c k) <= S2 * (4 * sum m (fun c => w c * r c k) / b + 4 * (G1 * V k) / b ^ 2)) ->
  3 / 10 * (mu * chi * sum L V) <= sum L (fun k => sum m (fun c => w c * r c k)).
Proof.
intros s0 [c0 c1] b0 S0 G0 z0 t0 w0 w1 V0 psi0 curve mu0 muH small short often filter costs looks.
set (E := fun k => sum m (fun c => w c * r c k)).
set (Y := chi ^ 2 * top ^ 2 / s).
assert (Y0 : 0 <= Y) by (unfold Y; apply Rmult_le_pos; [apply Rmult_le_pos; apply pow2_ge_0|left; now apply Rinv_0_lt_compat]).
set (X := sum L (fun k => sum m (fun c => w c * psi c k))).
assert (z2 : 0 < zeta ^ 2) by (apply pow_lt; auto).
(* each round *)
assert (each : forall k, (k < L)%nat -> mu / 2 * (chi * V k * (11 / 16) - Y * X) <= E k).
{ intros k Hk. apply Rle_trans with (2 := costs k Hk). apply Rmult_le_compat_l; [lra|]. specialize (V0 k Hk).
  set (tail := 3 * (chi * V k) ^ 2 / (16 * zeta ^ 2)).
  assert (t1 : 0 <= tail <= chi * V k / 16).
  { unfold tail. split; [apply Rmult_le_pos; [pose proof (pow2_ge_0 (chi * V k)); lra|left; apply Rinv_0_lt_compat; lra]|].
    apply (Rmult_le_reg_r (16 * zeta ^ 2)); [lra|].
    replace (3 * (chi * V k) ^ 2 / (16 * zeta ^ 2) * (16 * zeta ^ 2)) with (chi * V k * (3 * (chi * V k))) by (field; lra).
    replace (chi * V k / 16 * (16 * zeta ^ 2)) with (chi * V k * zeta ^ 2) by field.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. nra. }
  apply Rle_trans with (sum m (fun c => (if on c k then w c else 0) * (chi * V k * (15 / 16)) - w c * (Y * sum L (psi c)))).
  - rewrite sum_minus, sum_scalr. rewrite (sum_ext m (fun c => w c * (Y * sum L (psi c))) (fun c => Y * (w c * sum L (psi c)))) by (intros; ring).
    rewrite sum_scal. rewrite (sum_ext m (fun c => w c * sum L (psi c)) (fun c => sum L (fun k => w c * psi c k))) by (intros; now rewrite sum_scal).
    rewrite sum_swap. fold X. specialize (often k Hk).
    assert (0 <= chi * V k) by (apply Rmult_le_pos; lra). nra.
  - apply sum_le. intros c _. specialize (filter c k Hk). specialize (w0 c). fold Y in filter.
    assert (part : sum k (psi c) <= sum L (psi c)).
    { replace L with (k + (L - k))%nat by lia. rewrite sum_add.
      assert (0 <= sum (L - k) (fun i => psi c (k + i)%nat)) by (apply sum_ge0; intros; apply psi0). lra. }
    assert (Y * sum k (psi c) <= Y * sum L (psi c)) by (apply Rmult_le_compat_l; auto).
    assert (0 <= Y * sum L (psi c)) by (apply Rmult_le_pos; [auto|apply sum_ge0; intros; apply psi0]).
    destruct (on c k); [|nra]. fold tail. rewrite <- Rmult_minus_distr_l. apply Rmult_le_compat_l; lra. }
assert (whole : mu / 2 * (chi * (11 / 16) * sum L V - Y * INR L * X) <= sum L E).
{ apply Rle_trans with (sum L (fun k => mu / 2 * (chi * V k * (11 / 16) - Y * X))); [right|apply sum_le; exact each].
  rewrite sum_scal, sum_minus, sum_const, (sum_ext L (fun k => chi * V k * (11 / 16)) (fun k => chi * (11 / 16) * V k)) by (intros; ring).
  rewrite sum_scal. ring. }
assert (seen : X <= S2 * (4 * sum L E / b + 4 * (G1 * sum L V) / b ^ 2)).
{ replace (S2 * (4 * sum L E / b + 4 * (G1 * sum L V) / b ^ 2)) with (sum L (fun k => S2 * (4 * E k / b + 4 * (G1 * V k) / b ^ 2))).
  - apply sum_le. exact looks.
  - rewrite sum_scal. f_equal. rewrite sum_plus. f_equal; [rewrite (sum_ext L _ (fun k => 4 / b * E k))|rewrite (sum_ext L _ (fun k => 4 * G1 / b ^ 2 * V k))];
    rewrite ?sum_scal; intros; field; lra. }
assert (SV : 0 <= sum L V) by (apply sum_ge0; intros; now apply V0).
set (R := sum L E) in *.
(* what looks take *)
assert (YL : Y * INR L * (64 * S2 * G1) <= chi * b ^ 2).
{ apply (Rmult_le_reg_r s); [auto|]. unfold Y.
  replace (chi ^ 2 * top ^ 2 / s * INR L * (64 * S2 * G1) * s) with (chi * (chi * top ^ 2 * INR L * (64 * S2 * G1))) by (field; lra).
  replace (chi * b ^ 2 * s) with (chi * (b ^ 2 * s)) by ring. apply Rmult_le_compat_l; lra. }
assert (YL0 : 0 <= Y * INR L) by (apply Rmult_le_pos; [auto|apply pos_INR]).
assert (take : Y * INR L * X <= chi * b / (16 * G1) * R + chi * sum L V / 16).
{ apply Rle_trans with (Y * INR L * (S2 * (4 * R / b + 4 * (G1 * sum L V) / b ^ 2))); [apply Rmult_le_compat_l; auto|].
  assert (b2 : 0 < b ^ 2) by (apply pow_lt; auto).
  replace (Y * INR L * (S2 * (4 * R / b + 4 * (G1 * sum L V) / b ^ 2))) with
    (Y * INR L * (64 * S2 * G1) * (R / (16 * G1 * b) + sum L V / (16 * b ^ 2))) by (field; lra).
  replace (chi * b / (16 * G1) * R + chi * sum L V / 16) with (chi * b ^ 2 * (R / (16 * G1 * b) + sum L V / (16 * b ^ 2))) by (field; lra).
  destruct (Rle_lt_dec 0 (R / (16 * G1 * b) + sum L V / (16 * b ^ 2))) as [A|A]; [apply Rmult_le_compat_r; auto|].
  (* then R is negative, and so much that the bound holds without looks *)
  exfalso. assert (X0 : 0 <= X) by (apply sum_ge0; intros; apply sum_ge0; intros; apply Rmult_le_pos; auto).
  assert (S2 * (4 * R / b + 4 * (G1 * sum L V) / b ^ 2) = 64 * S2 * G1 * (R / (16 * G1 * b) + sum L V / (16 * b ^ 2))) as Z by (field; lra).
  rewrite Z in seen. assert (0 < 64 * S2 * G1) by (apply Rmult_lt_0_compat; lra). nra. }
assert (coefficient : mu / 2 * (chi * b / (16 * G1)) <= / 512).
{ apply (Rmult_le_reg_r (512 * G1)); [lra|]. replace (mu / 2 * (chi * b / (16 * G1)) * (512 * G1)) with (chi * (mu * (16 * b))) by (field; lra).
  replace (/ 512 * (512 * G1)) with G1 by (field; lra). assert (mu * (16 * b) <= mu * (8 * H)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= mu * (16 * b)) by (apply Rmult_le_pos; lra). nra. }
assert (mc : 0 <= mu * chi * sum L V) by (repeat apply Rmult_le_pos; lra).
assert (mu / 2 * (Y * INR L * X) <= mu / 2 * (chi * b / (16 * G1) * R + chi * sum L V / 16)) by (apply Rmult_le_compat_l; lra).
destruct (Rle_lt_dec 0 R) as [A|A].
- assert (mu / 2 * (chi * b / (16 * G1)) * R <= / 512 * R) by (apply Rmult_le_compat_r; auto). lra.
- assert (0 <= mu / 2 * (chi * b / (16 * G1))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; lra]]).
  assert (mu / 2 * (chi * b / (16 * G1)) * R <= 0) by nra. lra.
Qed.

(* ---- Lemma H ---- *)

(* N points, k + 1 looks with innovations v and weights c x; those of the first look have one sign *)
Theorem sign_dropped N k (c : nat -> nat -> R) (v : nat -> R) a : 0 <= a ->
  (forall x, (x < N)%nat -> 0 <= c x O) -> (forall x, (x < N)%nat -> sum (S k) (fun j => c x j ^ 2) <= a) ->
  forall x, (x < N)%nat -> sum (S k) (fun j => c x j * v j) <=
    sqrt a * sqrt ((if ssrbool.is_left (Rlt_dec 0 (v O)) then v O ^ 2 else 0) + sum k (fun j => v (S j) ^ 2)).
Proof.
intros a0 sign small x Hx. specialize (sign x Hx). specialize (small x Hx). rewrite sum_S in small. rewrite sum_S.
assert (A0 : 0 <= sum k (fun j => c x (S j) ^ 2)) by (apply sum_ge0; intros; apply pow2_ge_0).
assert (B0 : 0 <= sum k (fun j => v (S j) ^ 2)) by (apply sum_ge0; intros; apply pow2_ge_0).
assert (C0 := pow2_ge_0 (c x O)).
destruct (Rlt_dec 0 (v O)) as [P|P]; cbn [ssrbool.is_left].
- pose proof (rank_step (S k) (c x) v 0 a ltac:(lra) a0) as Q. rewrite !sum_S in Q. rewrite Rminus_0_r, sqrt_1, !Rmult_1_l in Q. apply Q. lra.
- pose proof (rank_step k (fun j => c x (S j)) (fun j => v (S j)) 0 a ltac:(lra) a0) as Q.
  rewrite Rminus_0_r, sqrt_1, !Rmult_1_l in Q. specialize (Q ltac:(lra)). rewrite Rplus_0_l.
  assert (c x O * v O <= 0) by nra. lra.
Qed.
