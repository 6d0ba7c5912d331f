(******************************************************************************)
(*                    Intervals over any format of numbers                    *)
(*                                                                            *)
(* What lies in the result of an operation on intervals, for every format of  *)
(* CoqInterval; what is not a number holds everything, so that no statement   *)
(* has a side condition.                                                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   valQ == the number that a fraction is                                    *)
(*   mem == a real number lies in an interval                                 *)
(*   le, le_sound == a decision, and that it may be believed                  *)
(*                                                                            *)
(* Rests on: the libraries alone.                                             *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia.
From Flocq Require Import Zaux.
From Interval Require Import Float.Basic Float.Sig Real.Xreal Interval.Interval Interval.Float_full.
Open Scope R_scope.

(* a fraction *)
Definition valQ (q : Z * positive) : R := IZR (fst q) / IZR (Zpos (snd q)).

Module Enclose (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module I := FloatIntervalFull F.

Definition mem (r : R) (i : I.type) : Prop := contains (I.convert i) (Xreal r).

Lemma whole i x : contains i Xnan -> contains i x.
Proof. destruct i; simpl; [now destruct x | easy]. Qed.

Section Operations.
Variable prec : F.precision.

(* a format may know only small whole numbers: larger ones in parts of 50 bits *)
Fixpoint in_parts (parts : nat) (n : Z) : I.type :=
  match parts with
  | O => I.fromZ prec n
  | S parts =>
    if (Z.abs n <? 1125899906842624)%Z then I.fromZ prec n
    else I.add prec (I.mul prec (in_parts parts (n / 1125899906842624)) (I.fromZ prec 1125899906842624))
           (I.fromZ prec (n mod 1125899906842624))
  end.
Definition ofZ (n : Z) : I.type := in_parts 20 n.
Definition ofQ (q : Z * positive) : I.type := I.div prec (ofZ (fst q)) (ofZ (Zpos (snd q))).

Lemma mem_add r s i j : mem r i -> mem s j -> mem (r + s) (I.add prec i j).
Proof. apply (I.add_correct prec i j (Xreal r) (Xreal s)). Qed.
Lemma mem_sub r s i j : mem r i -> mem s j -> mem (r - s) (I.sub prec i j).
Proof. apply (I.sub_correct prec i j (Xreal r) (Xreal s)). Qed.
Lemma mem_mul r s i j : mem r i -> mem s j -> mem (r * s) (I.mul prec i j).
Proof. apply (I.mul_correct prec i j (Xreal r) (Xreal s)). Qed.
Lemma mem_Z n : mem (IZR n) (ofZ n).
Proof.
unfold ofZ; generalize 20%nat; intros parts; revert n; induction parts as [|parts IH]; intros n; simpl; [apply I.fromZ_correct |].
destruct Z.ltb; [apply I.fromZ_correct |].
replace (IZR n) with (IZR (n / 1125899906842624) * IZR 1125899906842624 + IZR (n mod 1125899906842624)).
- apply mem_add; [apply mem_mul; [apply IH | apply I.fromZ_correct] | apply I.fromZ_correct].
- rewrite <- mult_IZR, <- plus_IZR; f_equal; rewrite (Z.div_mod n 1125899906842624) at 3 by easy; ring.
Qed.
Lemma mem_div r s i j : mem r i -> mem s j -> mem (r / s) (I.div prec i j).
Proof.
intros a b; generalize (I.div_correct prec i j (Xreal r) (Xreal s) a b); simpl; unfold Xdiv'.
destruct (is_zero s); [intros n; exact (whole _ _ n) | easy].
Qed.
Lemma mem_inv r i : mem r i -> mem (/ r) (I.inv prec i).
Proof.
intros a; generalize (I.inv_correct prec i (Xreal r) a); simpl; unfold Xinv'.
destruct (is_zero r); [intros n; exact (whole _ _ n) | easy].
Qed.
Lemma mem_neg r i : mem r i -> mem (- r) (I.neg i).
Proof. apply (I.neg_correct i (Xreal r)). Qed.
Lemma mem_sqr r i : mem r i -> mem (r * r) (I.sqr prec i).
Proof. apply (I.sqr_correct prec i (Xreal r)). Qed.
Lemma mem_sqrt r i : mem r i -> mem (sqrt r) (I.sqrt prec i).
Proof. apply (I.sqrt_correct prec i (Xreal r)). Qed.
Lemma mem_ln r i : mem r i -> mem (ln r) (I.ln prec i).
Proof.
intros a; generalize (I.ln_correct prec i (Xreal r) a); simpl; unfold Xln'.
destruct (is_positive r); [easy | intros n; exact (whole _ _ n)].
Qed.
Lemma mem_exp r i : mem r i -> mem (exp r) (I.exp prec i).
Proof. apply (I.exp_correct prec i (Xreal r)). Qed.
Lemma mem_pi : mem PI (I.pi prec).
Proof. apply I.pi_correct. Qed.
Lemma mem_nai r : mem r I.nai.
Proof. unfold mem; now rewrite I.nai_correct. Qed.
Lemma mem_Q q : mem (valQ q) (ofQ q).
Proof. apply mem_div; apply mem_Z. Qed.
Lemma mem_nat n : mem (INR n) (ofZ (Z.of_nat n)).
Proof. rewrite INR_IZR_INZ; apply mem_Z. Qed.

(* decisions *)
Definition le (i j : I.type) : bool :=
  match I.sign_large (I.sub prec i j) with Xlt | Xeq => true | _ => false end.
Definition lt (i j : I.type) : bool :=
  match I.sign_strict (I.sub prec i j) with Xlt => true | _ => false end.

Lemma le_sound r s i j : mem r i -> mem s j -> le i j = true -> r <= s.
Proof.
intros a b; assert (c := mem_sub _ _ _ _ a b); unfold le.
generalize (I.sign_large_correct (I.sub prec i j)); destruct I.sign_large; try easy.
- intros h _; specialize (h _ c); injection h; lra.
- intros h _; destruct (h _ c) as [e l]; simpl in l; lra.
Qed.
Lemma lt_sound r s i j : mem r i -> mem s j -> lt i j = true -> r < s.
Proof.
intros a b; assert (c := mem_sub _ _ _ _ a b); unfold lt.
generalize (I.sign_strict_correct (I.sub prec i j)); destruct I.sign_strict; try easy.
intros h _; destruct (h _ c) as [e l]; simpl in l; lra.
Qed.

(* the larger of two *)
Definition larger (i j : I.type) : I.type :=
  if le i j then j else if le j i then i else I.join i j.
Lemma mem_larger r s i j : mem r i -> mem s j -> mem (Rmax r s) (larger i j).
Proof.
intros a b; unfold larger; destruct (le i j) eqn:e.
  now rewrite Rmax_right; [| exact (le_sound _ _ _ _ a b e)].
destruct (le j i) eqn:e'.
  now rewrite Rmax_left; [| exact (le_sound _ _ _ _ b a e')].
apply I.join_correct; unfold Rmax; destruct Rle_dec; [right | left]; assumption.
Qed.

Definition between (lo hi : Z * positive) (i : I.type) : bool := le (ofQ lo) i && le i (ofQ hi).
Lemma between_sound lo hi r i : mem r i -> between lo hi i = true -> valQ lo <= r <= valQ hi.
Proof.
intros a h; apply andb_prop in h; destruct h as [h g]; split.
- exact (le_sound _ _ _ _ (mem_Q lo) a h).
- exact (le_sound _ _ _ _ a (mem_Q hi) g).
Qed.
End Operations.
End Enclose.
