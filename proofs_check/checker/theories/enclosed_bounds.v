(******************************************************************************)
(*                     The numbers of bounds as intervals                     *)
(*                                                                            *)
(* phi, sums over blocks, the bounds of Theorem 1 and Theorem A, beta and     *)
(* regret.                                                                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   problem == a problem in whole numbers                                    *)
(*   mem_beta == beta lies in its interval                                    *)
(*                                                                            *)
(* Rests on: definitions, sums, kernels, theorem_a, theorem_1, intervals,     *)
(*   whole_times, finite_domain.                                              *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums kernels theorem_a theorem_1.
From CTV Require Import intervals whole_times finite_domain.
Import ListNotations.
Open Scope R_scope.

Lemma phi_small x : 0 < x <= 1 -> phi x = x.
Proof.
intros [a b]; unfold phi; destruct Rle_dec; [lra |]; apply Rmin_left.
assert (h := ln_le_sub (/ x) (Rinv_0_lt_compat x a)); rewrite ln_Rinv in h by trivial; lra.
Qed.

Lemma phi_large x : 1 <= x -> phi x = ln x + / x.
Proof.
intros a; unfold phi; destruct Rle_dec; [lra |]; apply Rmin_right.
set (u := sqrt x); assert (e : x = u * u) by (unfold u; rewrite sqrt_sqrt; lra).
assert (u1 : 1 <= u) by (unfold u; rewrite <- sqrt_1; now apply sqrt_le_1_alt).
assert (h := ln_le_sub u ltac:(lra)); rewrite e, ln_mult by lra.
apply Rle_trans with (2 * (u - 1) + / (u * u)); [lra |].
assert (0 <= u * u - / (u * u) - 2 * (u - 1)); [| lra].
replace (u * u - / (u * u) - 2 * (u - 1)) with ((u - 1) * ((u + 1) * (u * u + 1) - 2 * (u * u)) / (u * u)) by (field; lra).
apply Rmult_le_pos; [| left; apply Rinv_0_lt_compat; nra].
apply Rmult_le_pos; nra.
Qed.

(* the rate of the forgetting kernel, (1 - epsilon)^(|t - u| / 2) = exp (- rate |t - u|) *)
Definition rate_of (e : Z * positive) : R := - / 2 * ln (1 - IZR (fst e) / IZR (Zpos (snd e))).
(* beta of round i, from 0, for a domain of so many points *)
Definition beta_of (points : positive) (delta : R) (i : nat) : R :=
  2 * ln (IZR (Zpos points) * PI ^ 2 * INR (S i) ^ 2 / (6 * delta)).

Record problem := {
  unit : positive;               (* ticks in one unit of time *)
  ticks : list Z;                (* the times *)
  epsilon : Z * positive;
  ratio_s : Z * positive;        (* 1 / noise variance *)
  points : positive;
  delta : Z * positive }.

Module Numbers (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Import E := Enclose F.

Definition tau (p : problem) := at_tick (unit p) (ticks p).
Definition s_of (p : problem) : R := valQ (ratio_s p).

Section Checkers.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Div := (I.div prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).
Notation Le := (le prec).

Definition phi_I (x : I.type) : I.type :=
  if lt prec (Z_ 0) x then
    if Le x (Z_ 1) then x else if Le (Z_ 1) x then Add (I.ln prec x) (I.inv prec x) else I.nai
  else I.nai.
Lemma mem_phi r x : mem r x -> mem (phi r) (phi_I x).
Proof.
intros h; unfold phi_I; destruct (lt prec (Z_ 0) x) eqn:e; [| apply mem_nai].
assert (r0 := lt_sound prec _ _ _ _ (mem_Z prec 0) h e).
destruct (Le x (Z_ 1)) eqn:e1.
  now rewrite phi_small; [| split; [| exact (le_sound prec _ _ _ _ h (mem_Z prec 1) e1)]].
destruct (Le (Z_ 1) x) eqn:e2; [| apply mem_nai].
rewrite phi_large by exact (le_sound prec _ _ _ _ (mem_Z prec 1) h e2).
apply mem_add; [now apply mem_ln | now apply mem_inv].
Qed.

(* sums over blocks *)
Fixpoint blocks_I (price : nat -> list Z -> I.type) (i : nat) (l : list Z) (blocks : list nat) : I.type :=
  match blocks with
  | [] => Z_ 0
  | m :: r => Add (price i (firstn m l)) (blocks_I price (S i) (skipn m l) r)
  end.
Lemma mem_blocks p q t : (forall i d m, (d + m <= length t)%nat -> mem (p i d m) (q i (part d m t))) ->
  forall blocks i d, (d + total blocks <= length t)%nat ->
  mem (over_blocks p i d blocks) (blocks_I q i (skipn d t) blocks).
Proof.
intros h blocks; induction blocks as [|m r IH]; intros i d l; simpl; [apply mem_Z |].
simpl in l; apply mem_add; [apply h; lia |].
rewrite skipn_more; apply IH; lia.
Qed.
Lemma mem_lsum A (f : A -> R) (g : A -> I.type) l : (forall a, mem (f a) (g a)) ->
  mem (lsum f l) (fold_right (fun a t => Add (g a) t) (Z_ 0) l).
Proof. intros h; induction l as [|a l IH]; simpl; [apply mem_Z | now apply mem_add]. Qed.

Lemma part_length A d m (l : list A) : (d + m <= length l)%nat -> length (part d m l) = m.
Proof. intros h; unfold part; rewrite firstn_length_le; trivial; rewrite skipn_length; lia. Qed.

(* s theta sqrt (C / m) *)
Definition argument_I (p : problem) (a b : positive) (l : list Z) : I.type :=
  Mul (Mul (Q_ (ratio_s p)) (Q_ (Zpos a, b)))
    (I.sqrt prec (Div (Div (Z_ (whole_uniformity (unit p) a b l)) (Z_ (Zpos (a * a * (unit p * unit p)))))
                      (Z_ (Z.of_nat (length l))))).
Lemma mem_argument p a b d m : (d + m <= length (ticks p))%nat ->
  mem (s_of p * ratio a b * sqrt (uniformity (/ ratio a b ^ 2) (tau p) d m / INR m))
    (argument_I p a b (part d m (ticks p))).
Proof.
intros h; unfold tau; rewrite uniformity_whole by trivial; unfold argument_I; rewrite part_length by trivial.
apply mem_mul; [apply mem_mul; [apply mem_Q | apply (mem_Q prec (Zpos a, b))] |].
apply mem_sqrt, mem_div; [apply mem_div; apply mem_Z | apply mem_nat].
Qed.

Definition half : I.type := I.inv prec (Z_ 2).
Lemma mem_half : mem (/ 2) half.
Proof. apply mem_inv, (mem_Z prec 2). Qed.

(* Theorem 1 as printed, and additive *)
Definition printed (s theta g : R) t blocks : R :=
  INR (length blocks) * g + / 2 * over_blocks (fun i d m =>
    INR m * phi (s * theta * sqrt (uniformity (/ theta ^ 2) t d m / INR m))) 0 0 blocks.
Definition printed_I p a b g blocks : I.type :=
  Add (Mul (Z_ (Z.of_nat (length blocks))) (Q_ g))
    (Mul half (blocks_I (fun _ l => Mul (Z_ (Z.of_nat (length l))) (phi_I (argument_I p a b l))) 0 (ticks p) blocks)).
Lemma mem_printed p a b g blocks : (total blocks <= length (ticks p))%nat ->
  mem (printed (s_of p) (ratio a b) (valQ g) (tau p) blocks) (printed_I p a b g blocks).
Proof.
intros h; apply mem_add; [apply mem_mul; [apply mem_nat | apply mem_Q] |].
apply mem_mul; [apply mem_half |].
apply (mem_blocks _ (fun _ l => Mul (Z_ (Z.of_nat (length l))) (phi_I (argument_I p a b l))) (ticks p)); [| lia].
intros i d m l; rewrite part_length by trivial; apply mem_mul; [apply mem_nat |].
now apply mem_phi, mem_argument.
Qed.

Definition additive (s theta : R) (g : nat -> R) t blocks : R :=
  over_blocks (fun i d m => g m +
    / 2 * INR m * ln (1 + s * theta * sqrt (uniformity (/ theta ^ 2) t d m / INR m))) 0 0 blocks.
Fixpoint found (g : list (nat * (Z * positive))) (m : nat) : Z * positive :=
  match g with [] => (0%Z, 1%positive) | (k, q) :: r => if Nat.eqb k m then q else found r m end.
Definition additive_I p a b g blocks : I.type :=
  blocks_I (fun _ l => Add (Q_ (found g (length l)))
    (Mul (Mul half (Z_ (Z.of_nat (length l)))) (I.ln prec (Add (Z_ 1) (argument_I p a b l))))) 0 (ticks p) blocks.
Lemma mem_additive p a b g blocks : (total blocks <= length (ticks p))%nat ->
  mem (additive (s_of p) (ratio a b) (fun m => valQ (found g m)) (tau p) blocks) (additive_I p a b g blocks).
Proof.
intros h; unfold additive, additive_I.
apply (mem_blocks _ (fun _ l => Add (Q_ (found g (length l)))
    (Mul (Mul half (Z_ (Z.of_nat (length l)))) (I.ln prec (Add (Z_ 1) (argument_I p a b l))))) (ticks p)); [| lia].
intros i d m l; rewrite part_length by trivial; apply mem_add; [apply mem_Q |].
apply mem_mul; [apply mem_mul; [apply mem_half | apply mem_nat] |].
apply mem_ln, mem_add; [apply (mem_Z prec 1) | now apply mem_argument].
Qed.

(* the forgetting kernel at two times *)
Definition rate_I (p : problem) : I.type := Mul (I.neg half) (I.ln prec (Sub (Z_ 1) (Q_ (epsilon p)))).
Lemma mem_rate p : mem (rate_of (epsilon p)) (rate_I p).
Proof. apply mem_mul; [apply mem_neg, mem_half | apply mem_ln, mem_sub; [apply (mem_Z prec 1) | apply mem_Q]]. Qed.
(* with the rate for one tick computed beforehand *)
Definition decay2_I (r2 : I.type) (t u : Z) : I.type := I.exp prec (I.neg (Mul r2 (Z_ (Z.abs (t - u))))).
Lemma mem_decay2 rate U r2 t u : mem (2 * rate / IZR (Zpos U)) r2 ->
  mem (forgetting rate (IZR t / IZR (Zpos U)) (IZR u / IZR (Zpos U)) ^ 2) (decay2_I r2 t u).
Proof.
intros h; assert (U0 : 0 < IZR (Zpos U)) by now apply IZR_lt.
replace (forgetting rate (IZR t / IZR (Zpos U)) (IZR u / IZR (Zpos U)) ^ 2)
  with (exp (- (2 * rate / IZR (Zpos U) * IZR (Z.abs (t - u))))).
  apply mem_exp, mem_neg, mem_mul; [trivial | apply mem_Z].
unfold forgetting; simpl; rewrite Rmult_1_r, <- exp_plus; f_equal.
rewrite abs_IZR, minus_IZR.
replace (IZR t / IZR (Zpos U) - IZR u / IZR (Zpos U)) with ((IZR t - IZR u) / IZR (Zpos U)) by (field; lra).
unfold Rdiv at 2 3; rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (left; now apply Rinv_0_lt_compat).
field; lra.
Qed.

(* Theorem A, centres at ticks *)
Definition refined (s rate : R) (g : nat -> R) t (c : nat -> R) blocks : R :=
  over_blocks (fun i d m => g m + / 2 * sum m (fun j =>
    ln (1 + s * (1 - forgetting rate (t (d + j)%nat) (c i) ^ 2)))) 0 0 blocks.
Definition round_I (s r2 : I.type) (c t : Z) : I.type :=
  I.ln prec (Add (Z_ 1) (Mul s (Sub (Z_ 1) (decay2_I r2 t c)))).
Definition refined_I p g centers blocks : I.type :=
  let s := Q_ (ratio_s p) in
  let r2 := Div (Mul (Z_ 2) (rate_I p)) (Z_ (Zpos (unit p))) in
  blocks_I (fun i l => Add (Q_ (found g (length l)))
    (Mul half (fold_right (fun t v => Add (round_I s r2 (nth i centers 0%Z) t) v) (Z_ 0) l))) 0 (ticks p) blocks.
Lemma mem_refined p g centers blocks : (total blocks <= length (ticks p))%nat ->
  mem (refined (s_of p) (rate_of (epsilon p)) (fun m => valQ (found g m)) (tau p)
         (fun i => IZR (nth i centers 0%Z) / IZR (Zpos (unit p))) blocks)
    (refined_I p g centers blocks).
Proof.
intros h; unfold refined, refined_I.
set (r2 := Div _ _).
assert (m2 : mem (2 * rate_of (epsilon p) / IZR (Zpos (unit p))) r2).
  apply mem_div; [apply mem_mul; [apply (mem_Z prec 2) | apply mem_rate] | apply mem_Z].
apply (mem_blocks _ (fun i l => Add (Q_ (found g (length l)))
    (Mul half (fold_right (fun t v => Add (round_I (Q_ (ratio_s p)) r2 (nth i centers 0%Z) t) v) (Z_ 0) l))) (ticks p)); [| lia].
intros i d m l; rewrite part_length by trivial; apply mem_add; [apply mem_Q |].
apply mem_mul; [apply mem_half |].
unfold tau, at_tick.
rewrite (sum_part _ (fun t => ln (1 + s_of p * (1 - forgetting (rate_of (epsilon p)) (IZR t / IZR (Zpos (unit p)))
   (IZR (nth i centers 0%Z) / IZR (Zpos (unit p))) ^ 2))) (last (ticks p) 0%Z) _ _ _ l).
apply mem_lsum; intros t; apply mem_ln, mem_add; [apply (mem_Z prec 1) |].
apply mem_mul; [apply mem_Q | apply mem_sub; [apply (mem_Z prec 1) | now apply mem_decay2]].
Qed.

(* beta and regret *)
Definition pi2_I : I.type := Mul (I.pi prec) (Mul (I.pi prec) (Z_ 1)).
Definition beta_I (p : problem) (i : nat) : I.type :=
  Mul (Z_ 2) (I.ln prec (Div (Mul (Mul (Z_ (Zpos (points p))) pi2_I) (Mul (Z_ (Z.of_nat (S i))) (Mul (Z_ (Z.of_nat (S i))) (Z_ 1))))
    (Mul (Z_ 6) (Q_ (delta p))))).
Lemma mem_beta p i : mem (beta_of (points p) (valQ (delta p)) i) (beta_I p i).
Proof.
apply mem_mul; [apply (mem_Z prec 2) |]; apply mem_ln, mem_div.
- apply mem_mul; [apply mem_mul; [apply mem_Z |] |].
  + apply mem_mul; [apply mem_pi | apply mem_mul; [apply mem_pi | apply (mem_Z prec 1)]].
  + apply mem_mul; [apply mem_nat | apply mem_mul; [apply mem_nat | apply (mem_Z prec 1)]].
- apply mem_mul; [apply (mem_Z prec 6) | apply mem_Q].
Qed.
Definition regret (s B : R) n G : R := sqrt (8 / ln (1 + s) * B * INR n * G).
Definition regret_I (p : problem) n (G : I.type) : I.type :=
  I.sqrt prec (Mul (Mul (Mul (Div (Z_ 8) (I.ln prec (Add (Z_ 1) (Q_ (ratio_s p))))) (beta_I p (n - 1))) (Z_ (Z.of_nat n))) G).
Lemma mem_regret p n G g : mem G g ->
  mem (regret (s_of p) (beta_of (points p) (valQ (delta p)) (n - 1)) n G) (regret_I p n g).
Proof.
intros h; apply mem_sqrt, mem_mul; [| trivial]; apply mem_mul; [| apply mem_nat]; apply mem_mul; [| apply mem_beta].
apply mem_div; [apply (mem_Z prec 8) | apply mem_ln, mem_add; [apply (mem_Z prec 1) | apply mem_Q]].
Qed.
End Checkers.
End Numbers.
