(******************************************************************************)
(*                       A checker of a bound on regret                       *)
(*                                                                            *)
(* From a joint gain at more noise, on the confidence event, where answers    *)
(* come at once or late.                                                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   regret_sound == what its yes means                                       *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, intervals, whole_times,       *)
(*   interval_matrices, problems, covariances, checked_gain, majorant,        *)
(*   outcomes, late_regret.                                                   *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums gains kernels.
From CTV Require Import intervals whole_times interval_matrices problems covariances checked_gain majorant.
From CTV Require outcomes late_regret.
Import ListNotations.
Open Scope R_scope.

Record regret_certificate := {
  noisy_ratio : Z * positive;        (* one over the larger noise variance *)
  blocks : list block;               (* the gain at that noise *)
  noisy_gain : Z * positive;
  contact : Z * positive;            (* where the affine majorant touches *)
  constant : Z * positive;
  factor : Z * positive;
  answers_late : nat }.              (* rounds that answers may be late *)

Module Regret (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export N := Gain F.
Section Regret.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Div := (I.div prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).
Notation Le := (le prec).
Notation Lt := (lt prec).
Variables (P : problem) (q : regret_certificate) (claim : Z * positive).
Let n := length (ticks P).
Let t := noisy_ratio q.

Definition noisy : problem := with_ratio P t.

Definition square_I (w : I.type) : I.type := Mul w (Mul w (Z_ 1)).
Definition info_I (w : I.type) : I.type :=
  Mul (half prec) (I.ln prec (Add (Z_ 1) (Mul (Q_ t) (square_I w)))).
Definition slope_I (w : I.type) : I.type :=
  Div (Mul (Q_ t) w) (Add (Z_ 1) (Mul (Q_ t) (square_I w))).
Lemma mem_square r i : mem r i -> mem (r ^ 2) (square_I i).
Proof. intros h; apply mem_mul; [trivial | apply mem_mul; [trivial | apply (mem_Z prec 1)]]. Qed.
Lemma mem_info r i : mem r i -> mem (info (valQ t) r) (info_I i).
Proof.
intros h; apply mem_mul; [apply mem_half |]; apply mem_ln, mem_add; [apply (mem_Z prec 1) |].
apply mem_mul; [apply mem_Q | now apply mem_square].
Qed.
Lemma mem_slope r i : mem r i -> mem (slope (valQ t) r) (slope_I i).
Proof.
intros h; apply mem_div; [apply mem_mul; [apply mem_Q | trivial] |].
apply mem_add; [apply (mem_Z prec 1) | apply mem_mul; [apply mem_Q | now apply mem_square]].
Qed.

(* the affine function: its value at 0, where the curvature turns, and at 1 *)
Definition at_zero_I : I.type :=
  let a := Q_ (contact q) in
  Add (Q_ (constant q)) (Mul (Q_ (factor q)) (Sub (info_I a) (Mul (slope_I a) a))).
Definition at_turn_I : I.type :=
  Add at_zero_I (Mul (Sub (Mul (Q_ (factor q)) (slope_I (Q_ (contact q)))) (Z_ 1)) (I.inv prec (I.sqrt prec (Q_ t)))).
Definition at_one_I : I.type := Sub (Add (Q_ (constant q)) (Mul (Q_ (factor q)) (info_I (Z_ 1)))) (Z_ 1).
(* or a constant that is no less than 1, which says nothing *)
Definition check_majorant : bool :=
  Lt (Z_ 0) (Q_ t) && Le (Z_ 0) (Q_ (factor q)) && (Le (Z_ 1) (Q_ (constant q)) ||
  Le (Z_ 0) (Q_ (contact q)) && Le (Mul (Q_ t) (square_I (Q_ (contact q)))) (Z_ 1) &&
  Le (Z_ 0) at_zero_I && Le (Z_ 0) at_turn_I && Le (Z_ 0) at_one_I).

Lemma majorant_sound : check_majorant = true -> 0 < valQ t /\ 0 <= valQ (factor q) /\
  forall w, 0 <= w <= 1 -> w <= valQ (constant q) + valQ (factor q) * (/ 2 * ln (1 + valQ t * w ^ 2)).
Proof.
intros h; unfold check_majorant in h.
apply andb_prop in h; destruct h as [h e]; apply andb_prop in h; destruct h as [e0 e3].
apply (lt_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec t)) in e0.
apply (le_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec (factor q))) in e3.
split; [trivial |]; split; [trivial |]; apply orb_prop in e; destruct e as [e | h].
{ apply (le_sound prec _ _ _ _ (mem_Z prec 1) (mem_Q prec (constant q))) in e; intros w [w0 w1].
  assert (0 <= / 2 * ln (1 + valQ t * w ^ 2)); [| nra].
  assert (0 <= valQ t * w ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
  assert (0 <= ln (1 + valQ t * w ^ 2)) by (apply ln_ge0; lra); lra. }
apply andb_prop in h; destruct h as [h e6]; apply andb_prop in h; destruct h as [h e5];
apply andb_prop in h; destruct h as [h e4]; apply andb_prop in h; destruct h as [e1 e2].
assert (z := mem_Z prec 0); assert (o := mem_Z prec 1).
assert (ma := mem_Q prec (contact q)); assert (mt := mem_Q prec t).
assert (m0 : mem (valQ (constant q) + valQ (factor q) * (info (valQ t) (valQ (contact q)) - slope (valQ t) (valQ (contact q)) * valQ (contact q))) at_zero_I).
{ apply mem_add; [apply mem_Q |]; apply mem_mul; [apply mem_Q |].
  apply mem_sub; [now apply mem_info | apply mem_mul; [now apply mem_slope | trivial]]. }
apply (le_sound prec _ _ _ _ z ma) in e1.
apply (le_sound prec _ _ _ _ (mem_mul prec _ _ _ _ mt (mem_square _ _ ma)) o) in e2.
apply (le_sound prec _ _ _ _ z m0) in e4.
assert (m1 : mem (valQ (constant q) + valQ (factor q) * (info (valQ t) (valQ (contact q)) - slope (valQ t) (valQ (contact q)) * valQ (contact q))
   + (valQ (factor q) * slope (valQ t) (valQ (contact q)) - 1) * / sqrt (valQ t)) at_turn_I).
{ apply mem_add; [exact m0 |]; apply mem_mul; [| now apply mem_inv, mem_sqrt].
  apply mem_sub; [| exact o]; apply mem_mul; [apply mem_Q | now apply mem_slope]. }
apply (le_sound prec _ _ _ _ z m1) in e5.
assert (m2 : mem (valQ (constant q) + valQ (factor q) * info (valQ t) 1 - 1) at_one_I).
{ apply mem_sub; [| exact o]; apply mem_add; [apply mem_Q |]; apply mem_mul; [apply mem_Q | now apply mem_info]. }
apply (le_sound prec _ _ _ _ z m2) in e6.
exact (majorant (valQ t) e0 (valQ (contact q)) _ _ e1 e2 e3 e4 e5 e6).
Qed.

Definition regret_I : I.type :=
  Mul (Mul (Z_ 2) (I.sqrt prec (beta_I prec P (Nat.pred n))))
    (Add (Mul (Z_ (Z.of_nat n)) (Q_ (constant q)))
      (Mul (Q_ (factor q)) (Mul (Z_ (Z.of_nat (S (answers_late q)))) (Q_ (noisy_gain q))))).
Definition check_regret : bool :=
  Nat.leb (answers_late q) n && check_majorant && Le (Q_ t) (Q_ (ratio_s P)) && Lt (Z_ 0) (Q_ (delta P)) && Le (Q_ (delta P)) (Z_ 1) &&
  Nat.ltb 0 (length (points P)) && kernels_I prec P && Le regret_I (Q_ claim) &&
  check_above prec noisy (blocks q) (noisy_gain q).

Let time := time_of P.
Let beta := beta_of (length (points P)) (valQ (delta P)).
Let s := s_of P.

(* X lists the points of the problem *)
Theorem regret_sound X (at_ : X -> place) : (forall a, In (at_ a) (points P)) -> check_regret = true ->
  let k a b := space_of P (at_ a) (at_ b) in
  0 < s /\ 0 < valQ (delta P) <= 1 /\ (0 < length (points P))%nat /\
  forall known x mean (f : nat -> X -> R), outcomes.comes_late (answers_late q) known ->
  (forall i, (i < n)%nat -> 0 <= beta i <= beta (Nat.pred n)) ->
  let dev i := outcomes.late_deviation X k time s x (tau P) (known i) i in
  upper_confidence_policy X mean dev beta n x ->
  (forall i z, (i < n)%nat -> Rabs (f i z - mean i z) <= sqrt (beta i) * dev i z) ->
  forall best : nat -> X, sum n (fun i => f i (best i) - f i (x i)) <= valQ claim.
Proof.
intros inside h k; unfold check_regret in h.
apply andb_prop in h; destruct h as [h ej]; apply andb_prop in h; destruct h as [h er];
apply andb_prop in h; destruct h as [h hk]; apply andb_prop in h; destruct h as [h ep];
apply andb_prop in h; destruct h as [h e1]; apply andb_prop in h; destruct h as [h ed];
apply andb_prop in h; destruct h as [h et]; apply andb_prop in h; destruct h as [_ em].
destruct (majorant_sound em) as [t0 [c10 maj]].
assert (z := mem_Z prec 0); assert (o := mem_Z prec 1).
apply (le_sound prec _ _ _ _ (mem_Q prec t) (mem_Q prec (ratio_s P))) in et.
apply (lt_sound prec _ _ _ _ z (mem_Q prec (delta P))) in ed.
apply (le_sound prec _ _ _ _ (mem_Q prec (delta P)) o) in e1.
apply Nat.ltb_lt in ep.
assert (mr : mem (2 * sqrt (beta (Nat.pred n)) * (INR n * valQ (constant q) +
  valQ (factor q) * (INR (S (answers_late q)) * valQ (noisy_gain q)))) regret_I).
{ apply mem_mul; [apply mem_mul; [apply (mem_Z prec 2) | apply mem_sqrt, mem_beta] |].
  apply mem_add; [apply mem_mul; [apply mem_nat | apply mem_Q] |].
  apply mem_mul; [apply mem_Q |]; apply mem_mul; [apply mem_nat | apply mem_Q]. }
apply (le_sound prec _ _ _ _ mr (mem_Q prec claim)) in er.
assert (ts : 0 < valQ t <= s) by (split; [exact t0 | exact et]).
split; [destruct ts; lra |]; split; [lra |]; split; [exact ep |].
destruct (kernels_sound prec P hk) as [pk ph].
intros known x mean f late hb dev pol ev best; apply Rle_trans with (2 := er).
apply (late_regret.late_envelope X k time x (tau P)) with (known := known) (s := s) (mean := mean) (beta := beta) (t := valQ t); trivial.
- intros m y; exact (pk m (fun i => at_ (y i))).
- intros y; unfold k; rewrite space_one; lra.
- intros u; apply time_one.
- destruct ts; lra.
- exact (above_sound prec noisy (blocks q) (noisy_gain q) ej (fun i => at_ (x i)) (fun i _ => inside (x i))).
Qed.
End Regret.
End Regret.
