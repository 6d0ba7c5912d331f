(******************************************************************************)
(*                     Affine majorants of the deviation                      *)
(*                                                                            *)
(* w <= c0 + c1 ln(1 + t w^2)/2 on [0, 1] from one tangent and two values.    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   tangent, chord == convex below the turn, concave above                   *)
(*   majorant == the majorant                                                 *)
(*                                                                            *)
(* Rests on: the libraries alone.                                             *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Section majorant.
Variables (t : R) (t0 : 0 < t).
Definition info (w : R) : R := / 2 * ln (1 + t * w ^ 2).
Definition slope (w : R) : R := t * w / (1 + t * w ^ 2).

Lemma inside w : 0 < 1 + t * w ^ 2.
Proof. assert (h := pow2_ge_0 w); assert (0 <= t * w ^ 2) by (apply Rmult_le_pos; lra); lra. Qed.

Lemma info_derive w : is_derive info w (slope w).
Proof. assert (h := inside w); unfold info, slope; auto_derive; [lra | field; lra]. Qed.

Lemma between a b : a <= b -> exists c, a <= c <= b /\ info b - info a = slope c * (b - a).
Proof.
intros ab; destruct (MVT_gen info a b slope) as [c [hc e]].
- intros x _; apply info_derive.
- intros x _; apply derivable_continuous_pt; exists (slope x); apply is_derive_Reals, info_derive.
- rewrite Rmin_left, Rmax_right in hc by trivial; now exists c.
Qed.

Lemma slope_order a b : 0 <= (b - a) * (1 - t * a * b) -> slope a <= slope b.
Proof.
intros h; assert (ha := inside a); assert (hb := inside b); unfold slope.
apply (Rmult_le_reg_r (1 + t * a ^ 2)); trivial; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
apply (Rmult_le_reg_r (1 + t * b ^ 2)); trivial.
replace (t * b * / (1 + t * b ^ 2) * (1 + t * a ^ 2) * (1 + t * b ^ 2)) with (t * b * (1 + t * a ^ 2)) by (field; lra).
assert (0 <= t * ((b - a) * (1 - t * a * b))) by (apply Rmult_le_pos; lra); nra.
Qed.

(* below 1/sqrt t the function is convex *)
Lemma tangent a w : 0 <= a -> 0 <= w -> t * a ^ 2 <= 1 -> t * w ^ 2 <= 1 -> info a + slope a * (w - a) <= info w.
Proof.
intros a0 w0 a1 w1; destruct (Rle_or_lt a w) as [l|l].
- destruct (between a w l) as [c [[ac cw] e]].
  assert (s : slope a <= slope c).
  { apply slope_order, Rmult_le_pos; [lra |].
    assert (t * (a * c) <= t * (w * w)) by (apply Rmult_le_compat_l; [lra | apply Rmult_le_compat; lra]); nra. }
  assert (slope a * (w - a) <= slope c * (w - a)) by (apply Rmult_le_compat_r; lra); lra.
- destruct (between w a ltac:(lra)) as [c [[wc ca] e]].
  assert (s : slope c <= slope a).
  { apply slope_order, Rmult_le_pos; [lra |].
    assert (t * (c * a) <= t * (a * a)) by (apply Rmult_le_compat_l; [lra | apply Rmult_le_compat; lra]); nra. }
  assert (slope c * (a - w) <= slope a * (a - w)) by (apply Rmult_le_compat_r; lra); nra.
Qed.

(* above it concave *)
Lemma chord b w : 0 <= b -> 1 <= t * b ^ 2 -> b <= w <= 1 ->
  (1 - w) * info b + (w - b) * info 1 <= (1 - b) * info w.
Proof.
intros b0 b1 [bw w1]; destruct (between b w bw) as [c [[bc cw] e]]; destruct (between w 1 w1) as [d [[wd d1] f]].
assert (s : slope d <= slope c).
{ apply slope_order; replace ((c - d) * (1 - t * d * c)) with ((d - c) * (t * d * c - 1)) by ring.
  apply Rmult_le_pos; [lra |].
  assert (t * (b * b) <= t * (d * c)) by (apply Rmult_le_compat_l; [lra | apply Rmult_le_compat; lra]); nra. }
assert ((w - b) * (slope d * (1 - w)) <= (w - b) * (slope c * (1 - w))) by
  (apply Rmult_le_compat_l; [lra |]; apply Rmult_le_compat_r; lra).
rewrite <- f in H; replace ((w - b) * (slope c * (1 - w))) with ((1 - w) * (info w - info b)) in H by (rewrite e; ring); lra.
Qed.

(* an affine majorant from one tangent, its value where the curvature turns, and its value at 1 *)
Theorem majorant a c0 c1 : 0 <= a -> t * a ^ 2 <= 1 -> 0 <= c1 ->
  0 <= c0 + c1 * (info a - slope a * a) ->
  0 <= c0 + c1 * (info a - slope a * a) + (c1 * slope a - 1) * / sqrt t ->
  0 <= c0 + c1 * info 1 - 1 ->
  forall w, 0 <= w <= 1 -> w <= c0 + c1 * info w.
Proof.
intros a0 a1 c10 left_ right_ end_ w [w0 w1].
set (b := / sqrt t) in *.
assert (q0 : 0 < sqrt t) by now apply sqrt_lt_R0.
assert (b0 : 0 < b) by now apply Rinv_0_lt_compat.
assert (tb : t * b ^ 2 = 1).
{ unfold b; rewrite <- (sqrt_sqrt t) at 1 by lra; field; lra. }
assert (convex : forall v, 0 <= v <= b -> 0 <= c0 + c1 * info v - v).
{ intros v [v0 vb].
  assert (vt : t * v ^ 2 <= 1).
  { rewrite <- tb; apply Rmult_le_compat_l; [lra | apply pow_incr; lra]. }
  assert (h := tangent a v a0 v0 a1 vt).
  assert (g : c1 * (info a + slope a * (v - a)) <= c1 * info v) by now apply Rmult_le_compat_l.
  apply Rle_trans with (c0 + c1 * (info a - slope a * a) + (c1 * slope a - 1) * v); [| lra].
  destruct (Rle_or_lt 0 (c1 * slope a - 1)) as [p|p].
  - assert (0 <= (c1 * slope a - 1) * v) by now apply Rmult_le_pos. lra.
  - assert ((c1 * slope a - 1) * b <= (c1 * slope a - 1) * v) by nra. lra. }
destruct (Rle_or_lt w b) as [l|l]; [assert (h := convex w (conj w0 l)); lra |].
assert (hb := convex b ltac:(lra)).
assert (h := chord b w ltac:(lra) ltac:(lra) ltac:(lra)).
assert (b1 : 0 < 1 - b) by lra.
assert (g : c1 * ((1 - w) * info b + (w - b) * info 1) <= c1 * ((1 - b) * info w)) by now apply Rmult_le_compat_l.
assert (0 <= (1 - w) * (c0 + c1 * info b - b)) by (apply Rmult_le_pos; lra).
assert (0 <= (w - b) * (c0 + c1 * info 1 - 1)) by (apply Rmult_le_pos; lra).
apply (Rmult_le_reg_l (1 - b)); trivial; nra.
Qed.
End majorant.
