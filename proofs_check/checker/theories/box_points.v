(******************************************************************************)
(*                   From the points of a grid to its whole box               *)
(*                                                                            *)
(* A point between two of a grid is nearly the mean of both: for kernels of   *)
(* which the second derivatives are bounded what is missing is of the order   *)
(* of the square of the step.                                                 *)
(*                                                                            *)
(* Words:                                                                     *)
(*   space_at == the kernel of a problem for points of real coordinates       *)
(*   inside_box == a point of the box whose axes have these steps             *)
(*                                                                            *)
(* Statements:                                                                *)
(*   space_at_kernel == it is a kernel                                        *)
(*   within_box == what is left of the variance at points of the box          *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, intervals, residuals, matern, *)
(*   problems, residual_kernel.                                               *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia.
From Coquelicot Require Import Coquelicot.
From CTV Require Import definitions sums gains kernels.
From CTV Require Import intervals residuals matern problems.
From CTV Require residual_kernel.
Import ListNotations.
Open Scope R_scope.

(* kernels that are 1 - m z but for a small gap *)
Definition smooth (f : family) : bool :=
  match f with Independent | Matern O => false | _ => true end.
Definition gap (f : family) (z : R) : R :=
  match f with
  | SquaredExponential => z * z / 2
  | Matern (S O) => z * sqrt z / 3
  | Matern (S (S p)) => z * z / (8 * ((2 * INR p + 1) * (2 * INR p + 3)))
  | _ => 0
  end.

Lemma matern_0 p : matern p 0 = 1.
Proof. unfold matern; rewrite sqrt_0, factor_0, Ropp_0, exp_0; ring. Qed.
Lemma matern_le1 p z : 0 <= z -> matern p z <= 1.
Proof. intros z0; rewrite <- (matern_0 p); apply matern_falls; lra. Qed.
(* what begins at 0 and falls *)
Lemma below_0 f F : F 0 = 0 -> (forall z, 0 < z -> is_derive F z (- f z)) -> (forall z, 0 <= z -> continuity_pt F z) ->
  (forall z, 0 <= z -> 0 <= f z) -> forall z, 0 <= z -> F z <= 0.
Proof. intros e slope cont f0 z z0; rewrite <- e; apply (falls_by f); trivial; lra. Qed.
Lemma matern_above p y : 0 <= y -> 1 - / (2 * (2 * INR p + 1)) * y <= matern (S p) y.
Proof.
intros y0; destruct (odd_pos p) as [o _]; set (c := 2 * (2 * INR p + 1)) in *; assert (c0 : 0 < c) by (unfold c; lra).
enough (c - y - c * matern (S p) y <= 0).
{ apply (Rmult_le_reg_l c); [easy |]; replace (c * (1 - / c * y)) with (c - y) by (field; lra); lra. }
apply (below_0 (fun z => 1 - matern p z) (fun z => c - z - c * matern (S p) z)); trivial.
- rewrite matern_0; ring.
- intros z z0; replace (- (1 - matern p z)) with (0 - 1 - - matern p z) by ring.
  apply (is_derive_minus (fun z => c - z) (fun z => c * matern (S p) z)); [| now apply matern_slope].
  apply (is_derive_minus (fun _ => c) (fun z => z)); [apply (is_derive_const c) | apply (is_derive_id z)].
- intros z z0; apply continuity_pt_minus; [reg |].
  apply continuity_pt_mult; [now apply continuity_pt_const | now apply matern_continuous].
- intros z z0; generalize (matern_le1 p z z0); lra.
Qed.
Lemma matern_below p (m : R -> R) (dm : R -> R) z : m 0 = 0 -> (forall z, 0 < z -> is_derive m z (dm z)) ->
  (forall z, 0 <= z -> continuity_pt m z) -> (forall z, 0 <= z -> 1 - dm z <= matern p z) -> 0 <= z ->
  matern (S p) z <= 1 - / (2 * (2 * INR p + 1)) * z + / (2 * (2 * INR p + 1)) * m z.
Proof.
intros m0 dmE mc low z0; destruct (odd_pos p) as [o _]; set (c := 2 * (2 * INR p + 1)) in *; assert (c0 : 0 < c) by (unfold c; lra).
enough (c * matern (S p) z - c + z - m z <= 0).
{ apply (Rmult_le_reg_l c); [easy |]; replace (c * (1 - / c * z + / c * m z)) with (c - z + m z) by (field; lra); lra. }
apply (below_0 (fun z => matern p z - 1 + dm z) (fun z => c * matern (S p) z - c + z - m z)); trivial.
- rewrite matern_0, m0; ring.
- intros u u0; replace (- (matern p u - 1 + dm u)) with (- matern p u - 0 + 1 - dm u) by ring.
  apply (is_derive_minus (fun z => c * matern (S p) z - c + z) m); [| now apply dmE].
  apply (is_derive_plus (fun z => c * matern (S p) z - c) (fun z => z)); [| apply (is_derive_id u)].
  apply (is_derive_minus (fun z => c * matern (S p) z) (fun _ => c)); [now apply matern_slope | apply (is_derive_const c)].
- intros u u0; apply continuity_pt_minus; [| now apply mc]; apply continuity_pt_plus; [| reg].
  apply continuity_pt_minus; [| now apply continuity_pt_const].
  apply continuity_pt_mult; [now apply continuity_pt_const | now apply matern_continuous].
- intros u u0; generalize (low u u0); lra.
Qed.

Lemma gap_sound f z : smooth f = true -> 0 <= z -> 0 <= gap f z /\
  exists m, (forall y, 0 <= y -> 1 - m * y <= correlation f y) /\ correlation f z <= 1 - m * z + gap f z.
Proof.
intros s z0; destruct f as [| |[|[|p]]]; simpl in s; try easy; simpl gap; simpl correlation.
- split; [nra |]; exists 1; split; [intros y y0; generalize (exp_ineq1_le (- y)); lra |].
  enough (exp (- z) - 1 + z - z * z / 2 <= 0) by lra.
  apply (below_0 (fun z => exp (- z) - 1 + z) (fun z => exp (- z) - 1 + z - z * z / 2)); trivial.
  + rewrite Ropp_0, exp_0; field.
  + intros u _; auto_derive; [easy | field].
  + intros u _; reg.
  + intros u _; generalize (exp_ineq1_le (- u)); lra.
- assert (r := sqrt_pos z); split; [assert (0 <= z * sqrt z) by nra; lra |]; exists (/ 2); split.
  + intros y y0; assert (l := matern_above 0 y y0); simpl in l; replace (/ (2 * (2 * 0 + 1))) with (/ 2) in l by (f_equal; ring); exact l.
  + assert (l := matern_below 0 (fun z => 2 / 3 * (z * sqrt z)) sqrt z); simpl INR in l.
    replace (/ (2 * (2 * 0 + 1))) with (/ 2) in l by (f_equal; ring).
    apply Rle_trans with (1 - / 2 * z + / 2 * (2 / 3 * (z * sqrt z))); [| right; field]; apply l; trivial.
    * ring.
    * intros u u0; assert (s0 := sqrt_lt_R0 _ u0); auto_derive; [easy |].
      replace u with (sqrt u * sqrt u) at 2 by (rewrite sqrt_sqrt; lra); field; lra.
    * intros u u0; reg; now apply continuity_pt_sqrt.
    * intros u u0; unfold matern; simpl; generalize (exp_ineq1_le (- sqrt u)); lra.
- destruct (odd_pos p) as [o1 o3]; set (e := (2 * INR p + 1) * (2 * INR p + 3)); assert (e0 : 0 < e) by (unfold e; nra).
  split; [apply Rmult_le_pos; [nra | left; apply Rinv_0_lt_compat; lra] |].
  exists (/ (2 * (2 * INR (S p) + 1))); split; [intros y y0; now apply matern_above |].
  apply Rle_trans with (1 - / (2 * (2 * INR (S p) + 1)) * z + / (2 * (2 * INR (S p) + 1)) * (/ (2 * (2 * INR p + 1)) * (z * z / 2))).
  + apply (matern_below (S p) (fun z => / (2 * (2 * INR p + 1)) * (z * z / 2)) (fun z => / (2 * (2 * INR p + 1)) * z)); trivial.
    * field; lra.
    * intros u u0; auto_derive; [easy | field; lra].
    * intros u u0; reg.
    * intros u u0; now apply matern_above.
  + right; rewrite S_INR; unfold e; field; repeat split; lra.
Qed.
(* a point between two others of distance z, by one of z t^2 and one of z (1 - t)^2 *)
Lemma gap_between f z t : smooth f = true -> 0 <= z -> 0 <= t <= 1 ->
  1 + (1 - t) ^ 2 * 1 + t ^ 2 * 1 - 2 * (1 - t) * correlation f (z * t ^ 2) - 2 * t * correlation f (z * (1 - t) ^ 2) +
    2 * t * (1 - t) * correlation f z <= sqrt (gap f z / 2) ^ 2.
Proof.
intros s z0 t01; destruct (gap_sound f z s z0) as [g0 [m [low up]]]; rewrite pow2_sqrt by lra.
assert (a := low (z * t ^ 2) ltac:(apply Rmult_le_pos; [easy | apply pow2_ge_0])).
assert (b := low (z * (1 - t) ^ 2) ltac:(apply Rmult_le_pos; [easy | apply pow2_ge_0])).
assert (c0 : 0 <= t * (1 - t) <= / 4) by (generalize (pow2_ge_0 (t - / 2)); nra).
assert (A := Rmult_le_compat_l (2 * (1 - t)) _ _ ltac:(lra) a); assert (B := Rmult_le_compat_l (2 * t) _ _ ltac:(lra) b).
assert (C := Rmult_le_compat_l (2 * (t * (1 - t))) _ _ ltac:(lra) up).
assert (D : 2 * (t * (1 - t)) * gap f z <= gap f z / 2) by nra.
lra.
Qed.

(* the kernel for points of real coordinates *)
Definition space_at (p : problem) (d : nat) (x y : nat -> R) : R :=
  correlation (shape p) (valQ (rate p) * sum d (fun l => (x l - y l) ^ 2)).
Theorem space_at_kernel p d : 0 <= valQ (rate p) -> kernel (nat -> R) (space_at p d).
Proof.
intros c0 n x; apply (semidefinite_ext n (fun i j => correlation (shape p) (valQ (rate p) * (0 + apart d x i j)))).
- intros i j _ _; unfold space_at; now rewrite Rplus_0_l.
- apply (mix_rate _ _ c0 (mix_correlation (shape p))); lra.
Qed.
Lemma space_at_one p d x : space_at p d x x = 1.
Proof.
unfold space_at; rewrite (sum_ext d _ (fun _ => 0)) by (intros; ring); rewrite sum_0, Rmult_0_r; apply correlation_0.
Qed.
Lemma space_at_ext p d x x' y y' : (forall l, (l < d)%nat -> x l = x' l) -> (forall l, (l < d)%nat -> y l = y' l) ->
  space_at p d x y = space_at p d x' y'.
Proof. intros a b; unfold space_at; f_equal; f_equal; apply sum_ext; intros l hl; now rewrite a, b. Qed.
Definition embed (y : place) (l : nat) : R := IZR (nth l y 0%Z).
Lemma space_at_embed p d x y : (length x <= d)%nat -> (length y <= d)%nat ->
  space_at p d (embed x) (embed y) = space_of p x y.
Proof. intros a b; unfold space_at, space_of; now rewrite (distance_sum x y d a b). Qed.

(* of each axis the length of a step, in whole coordinates, and how many there are *)
Definition axis (axes : list (positive * nat)) (l : nat) : positive * nat := nth l axes (1%positive, 0%nat).
Definition step_of axes l : R := IZR (Zpos (fst (axis axes l))).
Definition inside_box (axes : list (positive * nat)) (x : nat -> R) : Prop := forall l, (l < length axes)%nat ->
  0 <= x l <= INR (snd (axis axes l)) * step_of axes l.
Fixpoint grid (axes : list (positive * nat)) : list place :=
  match axes with
  | [] => [[]]
  | (g, q) :: rest => flat_map (fun c => map (cons (Z.of_nat c * Zpos g)%Z) (grid rest)) (seq 0 (S q))
  end.
Fixpoint on_grid (axes : list (positive * nat)) (c : nat -> nat) : place :=
  match axes with [] => [] | (g, _) :: rest => (Z.of_nat (c 0%nat) * Zpos g)%Z :: on_grid rest (fun l => c (S l)) end.
Lemma on_grid_in axes c : (forall l, (l < length axes)%nat -> (c l <= snd (axis axes l))%nat) -> In (on_grid axes c) (grid axes).
Proof.
revert c; induction axes as [|[g q] rest IH]; intros c h; simpl; [now left |].
apply (in_flat_map (fun c => map (cons (Z.of_nat c * Zpos g)%Z) (grid rest)) (seq 0 (S q))); exists (c 0%nat); split.
- apply in_seq; specialize (h 0%nat ltac:(simpl; lia)); simpl in h; lia.
- apply in_map, IH; intros l hl; exact (h (S l) ltac:(simpl; lia)).
Qed.
Lemma on_grid_embed axes c l : (l < length axes)%nat -> embed (on_grid axes c) l = INR (c l) * step_of axes l.
Proof.
unfold embed, step_of, axis; revert c l; induction axes as [|[g q] rest IH]; intros c l hl; simpl in hl; [lia |].
destruct l as [|l]; simpl; [now rewrite mult_IZR, <- INR_IZR_INZ | apply (IH (fun l => c (S l))); lia].
Qed.

Lemma chosen d (Q : nat -> nat -> Prop) : (forall l, (l < d)%nat -> exists c, Q l c) -> exists f, forall l, (l < d)%nat -> Q l (f l).
Proof.
induction d as [|d IH]; intros h; [exists (fun _ => 0%nat); intros; lia |].
destruct IH as [f hf]; [intros l hl; apply h; lia |]; destruct (h d ltac:(lia)) as [c hc].
exists (fun l => if Nat.eqb l d then c else f l); intros l hl; destruct (Nat.eqb_spec l d) as [->|ne]; [easy | apply hf; lia].
Qed.
Lemma cell g q x : 0 < g -> (0 < q)%nat -> 0 <= x <= INR q * g -> exists c, (S c <= q)%nat /\ INR c * g <= x <= INR (S c) * g.
Proof.
intros g0; induction q as [|q IH]; intros q0 h; [lia |].
destruct (Rle_lt_dec (INR q * g) x) as [l|l]; [exists q; split; [lia | lra] |].
destruct q as [|q]; [simpl in l; lra |].
destruct (IH ltac:(lia) ltac:(lra)) as [c [a b]]; exists c; split; [lia | easy].
Qed.
Definition moved (x : nat -> R) (m : nat) (v : R) (l : nat) : R := if Nat.eqb l m then v else x l.

(* what interpolation misses along an axis *)
Definition missing (p : problem) (axes : list (positive * nat)) (l : nat) : R :=
  if Nat.eqb (snd (axis axes l)) 0 then 0 else sqrt (gap (shape p) (valQ (rate p) * step_of axes l ^ 2) / 2).

Section box.
Variables (p : problem) (axes : list (positive * nat)) (r : (nat -> R) -> (nat -> R) -> R) (M : R).
Let d := length axes.
Hypotheses (sm : smooth (shape p) = true) (c0 : 0 <= valQ (rate p)) (M0 : 0 <= M).
Hypotheses (pr : kernel (nat -> R) r) (pd : kernel (nat -> R) (fun x y => space_at p d x y - r x y)).
Hypothesis rext : forall x y, (forall l, (l < d)%nat -> x l = y l) -> r x x = r y y.
Hypothesis left_ : forall y, In y (grid axes) -> r (embed y) (embed y) <= M ^ 2.

Lemma missing_ge0 l : 0 <= missing p axes l.
Proof. unfold missing; destruct Nat.eqb; [lra | apply sqrt_pos]. Qed.
Lemma one_moved x m u v : (m < d)%nat -> sum d (fun l => (moved x m u l - moved x m v l) ^ 2) = (u - v) ^ 2.
Proof.
intros hm; rewrite (sum_ext d _ (fun l => if Nat.eqb m l then (u - v) ^ 2 else 0)).
- now apply (sum_pick d m (fun _ => (u - v) ^ 2)).
- intros l _; unfold moved; rewrite Nat.eqb_sym; destruct Nat.eqb; ring.
Qed.
Lemma moved_same x m l : moved x m (x m) l = x l.
Proof. unfold moved; destruct (Nat.eqb_spec l m) as [->|]; easy. Qed.

Theorem within_first m : (m <= d)%nat -> forall x, (forall l, (l < m)%nat -> 0 <= x l <= INR (snd (axis axes l)) * step_of axes l) ->
  (forall l, (m <= l < d)%nat -> exists c, (c <= snd (axis axes l))%nat /\ x l = INR c * step_of axes l) ->
  r x x <= (M + sum m (missing p axes)) ^ 2.
Proof.
induction m as [|m IH]; intros hm x inside on.
- destruct (chosen d (fun l c => (c <= snd (axis axes l))%nat /\ x l = INR c * step_of axes l)) as [c hc]; [intros l hl; apply on; lia |].
  simpl sum; rewrite Rplus_0_r, (rext x (embed (on_grid axes c))).
  + apply left_, on_grid_in; intros l hl; now apply hc.
  + intros l hl; rewrite on_grid_embed by exact hl; now apply hc.
- destruct (Nat.eqb (snd (axis axes m)) 0) eqn:q0.
  { assert (z : missing p axes m = 0) by (unfold missing; now rewrite q0).
    simpl sum; rewrite z, Rplus_0_r; apply IH; [lia | intros l hl; apply inside; lia |].
    intros l hl; destruct (Nat.eq_dec l m) as [->|ne]; [| apply on; lia].
    exists 0%nat; split; [lia |]; apply Nat.eqb_eq in q0; assert (i := inside m ltac:(lia)); rewrite q0 in i; simpl in *; lra. }
  assert (g0 : 0 < step_of axes m) by (now apply IZR_lt); set (g := step_of axes m) in *; apply Nat.eqb_neq in q0.
  destruct (cell g (snd (axis axes m)) (x m) g0 ltac:(lia) (inside m ltac:(lia))) as [c [cq xc]].
  set (t := (x m - INR c * g) / g).
  assert (tE : x m = INR c * g + t * g) by (unfold t; field; lra).
  assert (t01 : 0 <= t <= 1).
  { rewrite S_INR in xc; split; apply (Rmult_le_reg_r g); trivial; lra. }
  assert (S0 : 0 <= sum m (missing p axes)) by (apply sum_ge0; intros; apply missing_ge0).
  assert (side : forall v, (exists c, (c <= snd (axis axes m))%nat /\ v = INR c * g) -> r (moved x m v) (moved x m v) <= (M + sum m (missing p axes)) ^ 2).
  { intros v hv; apply IH; [lia | intros l hl; unfold moved; destruct (Nat.eqb_spec l m); [lia | apply inside; lia] |].
    intros l hl; unfold moved; destruct (Nat.eqb_spec l m) as [->|ne]; [exact hv | apply on; lia]. }
  simpl sum; rewrite <- Rplus_assoc.
  apply (residual_kernel.between_points _ (space_at p d) r pr pd x (moved x m (INR c * g)) (moved x m (INR (S c) * g)) t
    (M + sum m (missing p axes)) (missing p axes m)); trivial; [lra | apply missing_ge0 | apply side; exists c; split; [lia | easy] |
    apply side; exists (S c); split; [lia | easy] |].
  rewrite !space_at_one.
  assert (near : forall v, space_at p d x (moved x m v) = correlation (shape p) (valQ (rate p) * (x m - v) ^ 2)).
  { intros v; rewrite (space_at_ext p d x (moved x m (x m)) (moved x m v) (moved x m v)) by (intros; now rewrite ?moved_same).
    unfold space_at; now rewrite one_moved by lia. }
  rewrite !near; unfold space_at at 1; rewrite one_moved by lia.
  assert (e := gap_between (shape p) (valQ (rate p) * g ^ 2) t sm ltac:(apply Rmult_le_pos; [easy | apply pow2_ge_0]) t01).
  unfold missing; destruct (Nat.eqb_spec (snd (axis axes m)) 0); [easy |]; fold g.
  replace (x m - INR c * g) with (t * g) by lra.
  replace (x m - INR (S c) * g) with ((t - 1) * g) by (rewrite S_INR; lra).
  replace (INR c * g - INR (S c) * g) with (- g) by (rewrite S_INR; ring).
  replace (valQ (rate p) * (t * g) ^ 2) with (valQ (rate p) * g ^ 2 * t ^ 2) by ring.
  replace (valQ (rate p) * ((t - 1) * g) ^ 2) with (valQ (rate p) * g ^ 2 * (1 - t) ^ 2) by ring.
  replace (valQ (rate p) * (- g) ^ 2) with (valQ (rate p) * g ^ 2) by ring.
  lra.
Qed.

Theorem within_box x : inside_box axes x -> r x x <= (M + sum d (missing p axes)) ^ 2.
Proof. intros inside; apply within_first; [lia | exact inside | intros l hl; lia]. Qed.
End box.
