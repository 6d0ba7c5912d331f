(******************************************************************************)
(*                A checker of the gain over a whole box                      *)
(*                                                                            *)
(* From a joint dual that is looked at on a grid, and what interpolation      *)
(* between its points misses.                                                 *)
(*                                                                            *)
(* Statements:                                                                *)
(*   box_sound == what its yes means                                          *)
(*   box_space_sound == the same of space alone                               *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, duality, intervals,           *)
(*   interval_matrices, problems, covariances, joint_dual,                    *)
(*   checked_joint_gain, checked_gain, checked_own_times, box_points,         *)
(*   residual_kernel.                                                         *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool FunctionalExtensionality.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums gains kernels duality.
From CTV Require Import intervals interval_matrices problems covariances joint_dual checked_joint_gain checked_gain checked_own_times box_points.
From CTV Require residual_kernel.
Import ListNotations.
Open Scope R_scope.

Record box_certificate := {
  axes : list (positive * nat);      (* of each axis the step of the grid, in whole coordinates, and how many *)
  box_dual : joint_certificate }.

Lemma grid_length ax y : In y (grid ax) -> length y = length ax.
Proof.
revert y; induction ax as [|[g q] ax IH]; intros y; simpl grid; [intros [<-|[]]; easy |].
intros h; apply (proj1 (in_flat_map (fun c => map (cons (Z.of_nat c * Zpos g)%Z) (grid ax)) (seq 0 (S q)) y)) in h; destruct h as [c [_ h]]; apply in_map_iff in h; destruct h as [y' [<- h]]; simpl; f_equal; now apply IH.
Qed.

Lemma box_dual_gain P ax m (z : nat -> place) n (t : nat -> R) p Ws Wt al (l : nat -> R) x :
  let d := length ax in let h := time_of P in let S := sum d (missing P ax) in
  let A := shifted al (fun a b => compress place (space_of P) m z Ws a b * compress R h n t Wt a b) in
  smooth (shape P) = true -> 0 <= valQ (rate P) -> 0 <= s_of P -> kernel R h -> 1 <= al ->
  (forall i, (i < m)%nat -> (length (z i) <= d)%nat) -> (forall i, (i < n)%nat -> 0 <= l i /\ S <= sqrt (l i)) ->
  (forall y i, In y (grid ax) -> (i < n)%nat -> space_of P y y * h (t i) (t i) -
     inverse_form p A (fun a => against place (space_of P) m z Ws y a * against R h n t Wt (t i) a) <= (sqrt (l i) - S) ^ 2) ->
  (forall i, (i < n)%nat -> inside_box ax (x i)) ->
  2 * gain (s_of P) n (joint (nat -> R) (space_at P d) h x t) <=
  ln (det p A) + trace_inverse p A - INR p + (INR n - INR p) * psi al + s_of P / al * sum n l.
Proof.
intros d h S A sm c0 s0 ph al1 short big left_ inside; assert (al0 : 0 < al) by lra.
set (k := space_at P d); assert (pk : kernel (nat -> R) k) by now apply space_at_kernel.
assert (cE : (fun a b => compress (nat -> R) k m (fun i => embed (z i)) Ws a b * compress R h n t Wt a b) =
  (fun a b => compress place (space_of P) m z Ws a b * compress R h n t Wt a b)).
{ extensionality a; extensionality b; f_equal; apply sum_ext; intros i hi; apply sum_ext; intros j hj.
  unfold k; rewrite space_at_embed; [easy | now apply short | now apply short]. }
unfold A; rewrite <- cE.
apply (joint_dual (nat -> R) k h (s_of P) n x t m (fun i => embed (z i)) n t p Ws Wt al l s0 pk ph al1).
intros i hi; destruct (big i hi) as [l0 lS].
destruct (residual_kernel.joint_residual (nat -> R) k m (fun i => embed (z i)) h n t p Ws Wt al (t i) pk ph (time_one P (t i)) al0)
  as [r [pr [pd rE]]].
assert (kE : k (x i) (x i) * h (t i) (t i) = k (x i) (x i)) by (unfold h; rewrite time_one; ring).
rewrite kE, <- rE; replace (l i) with ((sqrt (l i) - S + S) ^ 2) by (replace (sqrt (l i) - S + S) with (sqrt (l i)) by ring; now apply pow2_sqrt).
apply (within_box P ax r (sqrt (l i) - S)); trivial; [lra | | | now apply inside].
- intros u v same; rewrite !rE; unfold k; rewrite !space_at_one; f_equal; f_equal; extensionality a; f_equal.
  apply sum_ext; intros j _; f_equal; now apply space_at_ext.
- intros y iy; rewrite rE.
  assert (ly : (length y <= d)%nat) by (rewrite (grid_length _ _ iy); lia).
  assert (low := left_ y i iy hi); unfold A in low; rewrite <- cE in low.
  apply Rle_trans with (2 := low); right; unfold h at 3; rewrite time_one, Rmult_1_r; unfold k; rewrite space_at_embed by easy; f_equal; f_equal.
  extensionality a; f_equal; apply sum_ext; intros j hj; f_equal; apply space_at_embed; [now apply short | easy].
Qed.

Module Box (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export O_ := Own F.
Section Box.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Div := (I.div prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).
Notation Le := (le prec).
Variables (P : problem) (q : box_certificate) (claim : Z * positive).
Let n := length (ticks P).
Let J := box_dual q.
Let d := length (axes q).

Definition gap_I (f : family) (z : I.type) : I.type :=
  match f with
  | SquaredExponential => Div (Mul z z) (Z_ 2)
  | Matern (S O) => Div (Mul z (I.sqrt prec z)) (Z_ 3)
  | Matern (S (S p)) => Div (Mul z z) (Z_ (8 * ((2 * Z.of_nat p + 1) * (2 * Z.of_nat p + 3))))
  | _ => Z_ 0
  end.
Lemma mem_gap f z i : mem z i -> mem (gap f z) (gap_I f i).
Proof.
intros h; destruct f as [| |[|[|p]]]; unfold gap, gap_I; try apply (mem_Z prec 0).
- apply mem_div; [now apply mem_mul | apply (mem_Z prec 2)].
- apply mem_div; [apply mem_mul; [easy | now apply mem_sqrt] | apply (mem_Z prec 3)].
- apply mem_div; [now apply mem_mul |]; refine (mem_eq _ _ _ _ (mem_Z prec _)).
  rewrite !mult_IZR, !plus_IZR, !mult_IZR, <- INR_IZR_INZ; ring.
Qed.
Definition missing_I (l : nat) : I.type :=
  if Nat.eqb (snd (axis (axes q) l)) 0 then Z_ 0 else
  let g := fst (axis (axes q) l) in I.sqrt prec (Div (gap_I (shape P) (Mul (Q_ (rate P)) (Z_ (Zpos (g * g))))) (Z_ 2)).
Lemma mem_missing l : mem (missing P (axes q) l) (missing_I l).
Proof.
unfold missing, missing_I; destruct Nat.eqb; [apply (mem_Z prec 0) |].
apply mem_sqrt, mem_div; [| apply (mem_Z prec 2)]; apply mem_gap, mem_mul; [apply mem_Q |].
refine (mem_eq _ _ _ _ (mem_Z prec _)); unfold step_of; rewrite Pos2Z.inj_mul, mult_IZR; ring.
Qed.
Definition missed_I : I.type := isum prec d missing_I.

(* what is left at the points of the grid, so that no more is left in the box than the certificate says *)
Definition at_grid_I : list I.type :=
  map (fun v => let w := Sub (I.sqrt prec (Q_ (v, jscale J))) missed_I in Mul w (Mul w (Z_ 1))) (jleft J).
Definition counted : Z := fold_right (fun a s => (Z.of_nat (S (snd a)) * s)%Z) 1%Z (axes q).
Definition check_box : bool :=
  smooth (shape P) && (counted =? Z.of_nat (length (points P)))%Z &&   (* before the grid is listed *)
  (if list_eq_dec (list_eq_dec Z.eq_dec) (grid (axes q)) (points P) then true else false) &&
  forallb (fun z => Nat.leb (length z) d) (jref J) && Nat.leb n (length (jleft J)) &&
  forallb (fun v => (0 <=? v)%Z && Le missed_I (I.sqrt prec (Q_ (v, jscale J)))) (jleft J) &&
  kernels_I prec P && check_left prec P J at_grid_I claim.

Theorem box_sound : check_box = true -> forall x : nat -> nat -> R, (forall i, (i < n)%nat -> inside_box (axes q) (x i)) ->
  gain (s_of P) n (joint (nat -> R) (space_at P d) (time_of P) x (tau P)) <= valQ claim.
Proof.
unfold check_box; intros e x inside.
apply andb_prop in e; destruct e as [e ok]; apply andb_prop in e; destruct e as [e hk];
apply andb_prop in e; destruct e as [e big]; apply andb_prop in e; destruct e as [e enough];
apply andb_prop in e; destruct e as [e short]; apply andb_prop in e; destruct e as [e same];
apply andb_prop in e; destruct e as [sm _].
destruct list_eq_dec as [pE|]; [| easy].
assert (c0 : 0 <= valQ (rate P)) by (apply fraction_ge0; now apply andb_prop in hk).
set (left i := valQ (nth i (jleft J) 0%Z, jscale J)); set (S := sum d (missing P (axes q))).
assert (mS : mem S missed_I) by (apply mem_isum; intros l; apply mem_missing).
assert (mv : memV (fun i => (sqrt (left i) - S) ^ 2) at_grid_I).
{ intros i; destruct (Nat.lt_ge_cases i (length (jleft J))) as [hi|hi].
  - unfold at_grid_I; set (f := fun v : Z => _); rewrite (nth_indep _ I.nai (f 0%Z)) by (now rewrite map_length).
    rewrite (map_nth f); unfold f; cbv zeta.
    assert (mw : mem (sqrt (left i) - S) (Sub (I.sqrt prec (Q_ (nth i (jleft J) 0%Z, jscale J))) missed_I)) by
      (apply mem_sub; [apply mem_sqrt, mem_Q | exact mS]).
    apply mem_mul; [exact mw | apply mem_mul; [exact mw | apply (mem_Z prec 1)]].
  - rewrite nth_overflow by (unfold at_grid_I; now rewrite map_length); apply mem_nai. }
destruct (joint_parts prec P J at_grid_I _ claim mv ok) as [s0 [pk [ph [al1 [at_grid total]]]]].
assert (half : forall a b, 2 * a <= 2 * b -> a <= b) by (intros; lra); apply half, Rle_trans with (2 := total).
rewrite forallb_forall in short, big; apply Nat.leb_le in enough.
refine (box_dual_gain P (axes q) _ _ n (tau P) _ _ _ _ _ x sm c0 s0 ph al1 _ _ _ inside).
- intros i hi; apply Nat.leb_le, short, nth_In, hi.
- intros i hi; assert (iv := big _ (nth_In (jleft J) 0%Z (Nat.lt_le_trans _ _ _ hi enough))); apply andb_prop in iv; destruct iv as [v0 vS].
  split; [apply fraction_ge0; exact v0 |]; exact (le_sound prec _ _ _ _ mS (mem_sqrt prec _ _ (mem_Q prec _)) vS).
- intros y i iy hi; rewrite pE in iy; exact (at_grid y i iy hi).
Qed.
End Box.

(* of the problem that stands still *)
Theorem box_space_sound prec P q claim : check_box prec (still P) q claim = true ->
  forall x : nat -> nat -> R, (forall i, (i < length (ticks P))%nat -> inside_box (axes q) (x i)) ->
  gain (s_of P) (length (ticks P)) (gram (nat -> R) (space_at P (length (axes q))) x) <= valQ claim.
Proof.
intros e x inside; apply Rle_trans with (2 := box_sound prec (still P) q claim e x inside); right.
apply gain_ext; intros i j _ _; unfold joint; rewrite time_still; unfold gram, space_at; simpl; ring.
Qed.
End Box.
