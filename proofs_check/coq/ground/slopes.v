(******************************************************************************)
(*                       Appendix B: slopes in the box                        *)
(*                                                                            *)
(* Slopes of at most L along every coordinate bound increments in the l1      *)
(* norm.                                                                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   holder == a sum of products by the largest slope                         *)
(*   along_segment == increments along a segment                              *)
(*   small_box == boxes too small for anything to be won                      *)
(*                                                                            *)
(* Rests on: library, definitions, sums.                                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From CTV Require Import definitions sums.
Open Scope R_scope.

Lemma holder d (g h : nat -> R) L : (forall j, (j < d)%coq_nat -> Rabs (g j) <= L) ->
  Rabs (sum d (fun j => g j * h j)) <= L * sum d (fun j => Rabs (h j)).
Proof.
move=> b; elim: d b => [|d IH] b; first by rewrite /= Rabs_R0; lra.
have {}IH := IH (fun j hj => b j ltac:(lia)); cbn [sum].
apply: Rle_trans (Rabs_triang _ _) _; rewrite Rabs_mult.
have := Rmult_le_compat_r _ _ _ (Rabs_pos (h d)) (b d ltac:(lia)); lra.
Qed.

(* Along the segment from a point to another in d coordinates: f t has the slope sum g_j h_j there. *)
Lemma along_segment d (h : nat -> R) (f : R -> R) (g : R -> nat -> R) L :
  (forall t, 0 <= t <= 1 -> derivable_pt_lim f t (sum d (fun j => g t j * h j))) ->
  (forall t j, 0 <= t <= 1 -> (j < d)%coq_nat -> Rabs (g t j) <= L) ->
  Rabs (f 1 - f 0) <= L * sum d (fun j => Rabs (h j)).
Proof.
move=> df bg; have [c [hc e]] : exists c, 0 <= c <= 1 /\ f 1 - f 0 = sum d (fun j => g c j * h j) * (1 - 0).
  have [||c [hc e]] := MVT_gen f 0 1 (fun t => sum d (fun j => g t j * h j)).
  - rewrite Rmin_left ?Rmax_right; [|lra|lra] => t ht; apply/is_derive_Reals; apply: df; lra.
  - rewrite Rmin_left ?Rmax_right; [|lra|lra] => t ht.
    apply: derivable_continuous_pt; exists (sum d (fun j => g t j * h j)); exact: df.
  by exists c; split=> //; move: hc; rewrite Rmin_left ?Rmax_right; lra.
rewrite e Rminus_0_r Rmult_1_r; apply: holder => j hj; exact: bg.
Qed.

(* Where d n^2 r L <= 1 nothing is to be won in the box [0, r]^d. *)
Lemma small_box d r L n (f : (nat -> R) -> R) : 0 <= L -> (0 < n)%coq_nat -> INR d * INR n ^ 2 * r * L <= 1 ->
  (forall x y, (forall j, (j < d)%coq_nat -> 0 <= x j <= r) -> (forall j, (j < d)%coq_nat -> 0 <= y j <= r) ->
     f x - f y <= L * sum d (fun j => Rabs (x j - y j))) ->
  forall x y, (forall j, (j < d)%coq_nat -> 0 <= x j <= r) -> (forall j, (j < d)%coq_nat -> 0 <= y j <= r) ->
  f x - f y <= INR d * r * L <= / INR n ^ 2.
Proof.
move=> L0 n0 small lip x y hx hy; have N0 : 0 < INR n ^ 2 by apply: pow_lt; apply: lt_0_INR.
split.
  apply: Rle_trans (lip x y hx hy) _; rewrite [X in _ <= X]Rmult_comm; apply: Rmult_le_compat_l => //.
  rewrite -sum_const; apply: sum_le => j hj; have := hx j hj; have := hy j hj => a b.
  by apply: Rabs_le; lra.
apply: (Rmult_le_reg_r (INR n ^ 2)) => //; rewrite Rinv_l; lra.
Qed.
