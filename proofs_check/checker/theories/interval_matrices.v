(******************************************************************************)
(*                    Vectors and matrices of intervals                       *)
(*                                                                            *)
(* Lists, and lists of lists, where what is missing is anything.              *)
(*                                                                            *)
(* Statements:                                                                *)
(*   memV, memM == the numbers of a vector or matrix lie in such a list       *)
(*   form_identity == explained variance as a quadratic form                  *)
(*                                                                            *)
(* Rests on: definitions, sums, residuals, intervals.                         *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums residuals intervals.
Import ListNotations.
Open Scope R_scope.

(* whole numbers over one scale *)
Definition entry (d : positive) (m : list (list Z)) (i j : nat) : R :=
  IZR (nth j (nth i m []) 0%Z) / IZR (Zpos d).

(* explained variance as a quadratic form *)
Lemma form_identity p (A Y : nat -> nat -> R) (b : nat -> R) :
  let c j := sum p (fun i => b i * Y i j) in
  let AY j a := sum p (fun e => A a e * Y j e) in
  sum p (fun j => b j * c j) + sum p (fun j => c j * (b j - sum p (fun e => A j e * c e))) =
  sum p (fun i => b i * sum p (fun j => (2 * Y i j - sum p (fun a => Y i a * AY j a)) * b j)).
Proof.
intros c AY.
assert (Ac : forall a, sum p (fun e => A a e * c e) = sum p (fun j => b j * AY j a)).
{ intros a; unfold c, AY.
  rewrite (sum_ext p (fun e => A a e * sum p (fun i => b i * Y i e)) (fun e => sum p (fun i => A a e * (b i * Y i e))))
    by (intros e _; now rewrite sum_scal).
  rewrite sum_swap; apply sum_ext; intros j _; rewrite <- sum_scal; apply sum_ext; intros e _; ring. }
assert (bc : sum p (fun j => b j * c j) = sum p (fun i => b i * sum p (fun j => Y i j * b j))).
{ unfold c; rewrite (sum_ext p (fun j => b j * sum p (fun i => b i * Y i j)) (fun j => sum p (fun i => b j * (b i * Y i j))))
    by (intros j _; now rewrite sum_scal).
  rewrite sum_swap; apply sum_ext; intros i _; rewrite <- sum_scal; apply sum_ext; intros j _; ring. }
assert (cAc : sum p (fun j => c j * sum p (fun e => A j e * c e)) =
  sum p (fun i => b i * sum p (fun j => sum p (fun a => Y i a * AY j a) * b j))).
{ rewrite (sum_ext p _ (fun a => sum p (fun i => b i * Y i a * sum p (fun j => b j * AY j a))))
    by (intros a _; rewrite Ac; unfold c; now rewrite sum_scalr).
  rewrite sum_swap; apply sum_ext; intros i _.
  rewrite (sum_ext p _ (fun a => b i * sum p (fun j => Y i a * (b j * AY j a))))
    by (intros a _; rewrite sum_scal; ring).
  rewrite sum_scal, sum_swap; f_equal; apply sum_ext; intros j _; rewrite <- sum_scalr; apply sum_ext; intros a _; ring. }
rewrite (sum_ext p (fun j => c j * (b j - sum p (fun e => A j e * c e)))
  (fun j => b j * c j - c j * sum p (fun e => A j e * c e))) by (intros j _; ring).
rewrite sum_minus, cAc, bc, <- sum_minus, <- sum_plus; apply sum_ext; intros i _.
rewrite <- Rmult_minus_distr_l, <- Rmult_plus_distr_l, <- sum_minus, <- sum_plus; f_equal.
apply sum_ext; intros j _; ring.
Qed.

Module Matrices (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export E := Enclose F.
Section Matrices.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).

Lemma mem_eq a b i : a = b -> mem a i -> mem b i.
Proof. now intros ->. Qed.
Lemma ge0_eq a b : a = b -> 0 <= a -> 0 <= b.
Proof. now intros ->. Qed.

(* vectors and matrices of intervals: what is missing is anything *)
Definition memV (v : nat -> R) (l : list I.type) : Prop := forall j, mem (v j) (nth j l I.nai).
Definition memM (A : nat -> nat -> R) (m : list (list I.type)) : Prop := forall i, memV (A i) (nth i m []).
Lemma memV_nil v : memV v [].
Proof. intros [|j]; apply mem_nai. Qed.

Fixpoint dot (n : nat) (v w : list I.type) : I.type :=
  match n with
  | O => Z_ 0
  | S n => match v, w with x :: v, y :: w => Add (Mul x y) (dot n v w) | _, _ => I.nai end
  end.
Lemma mem_dot n : forall u v a b, memV u a -> memV v b -> mem (sum n (fun j => u j * v j)) (dot n a b).
Proof.
induction n as [|n IH]; intros u v a b ua vb; [apply (mem_Z prec 0) |].
destruct a as [|x a]; [apply mem_nai |]; destruct b as [|y b]; [apply mem_nai |].
rewrite sum_S; apply mem_add; [apply mem_mul; [apply (ua 0%nat) | apply (vb 0%nat)] |].
apply (IH (fun j => u (S j)) (fun j => v (S j))); intros j; [apply (ua (S j)) | apply (vb (S j))].
Qed.

Lemma memV_map A (f : A -> I.type) (g : nat -> R) l d : (forall j, (j < length l)%nat -> mem (g j) (f (nth j l d))) ->
  memV g (map f l).
Proof.
intros h j; destruct (Nat.lt_ge_cases j (length l)) as [k|k].
- rewrite (nth_indep _ _ (f d)) by (rewrite map_length; trivial); rewrite map_nth; now apply h.
- rewrite nth_overflow by (rewrite map_length; trivial); apply mem_nai.
Qed.
Lemma memM_map A (f : A -> list I.type) (g : nat -> nat -> R) l d :
  (forall i, (i < length l)%nat -> memV (g i) (f (nth i l d))) -> memM g (map f l).
Proof.
intros h i; destruct (Nat.lt_ge_cases i (length l)) as [k|k].
- rewrite (nth_indep _ _ (f d)) by (rewrite map_length; trivial); rewrite map_nth; now apply h.
- rewrite nth_overflow by (rewrite map_length; trivial); apply memV_nil.
Qed.

(* (i, j) is row i of a times row j of b *)
Definition times (n : nat) (a b : list (list I.type)) : list (list I.type) :=
  map (fun r => map (dot n r) b) a.
Lemma mem_times n A B a b : memM A a -> memM B b ->
  memM (fun i j => sum n (fun l => A i l * B j l)) (times n a b).
Proof.
intros ha hb; apply (memM_map _ _ _ a []); intros i _; apply (memV_map _ _ _ b []); intros j _.
apply mem_dot; [apply ha | apply hb].
Qed.

Fixpoint isum (n : nat) (f : nat -> I.type) : I.type :=
  match n with O => Z_ 0 | S m => Add (isum m f) (f m) end.
Lemma mem_isum n u f : (forall i, mem (u i) (f i)) -> mem (sum n u) (isum n f).
Proof. intros h; induction n as [|n IH]; simpl; [apply (mem_Z prec 0) | now apply mem_add]. Qed.

Definition read (d : positive) (m : list (list Z)) : list (list I.type) := map (map (fun z => Q_ (z, d))) m.
Lemma mem_read d m : memM (entry d m) (read d m).
Proof.
apply (memM_map _ _ _ m []); intros i _; apply (memV_map _ _ _ _ 0%Z); intros j _.
apply (mem_Q prec (nth j (nth i m []) 0%Z, d)).
Qed.

(* alpha on the diagonal *)
Fixpoint on_diagonal (i : nat) (v : I.type) (rows : list (list I.type)) : list (list I.type) :=
  match rows with
  | [] => []
  | l :: rows => (map (fun jx => if Nat.eqb i (fst jx) then Add v (snd jx) else snd jx) (combine (seq 0 (length l)) l))
                 :: on_diagonal (S i) v rows
  end.
Lemma mem_diagonal v vi : mem v vi -> forall rows i0 B, (forall i, memV (B (i0 + i)%nat) (nth i rows [])) ->
  forall i, memV (shifted v B (i0 + i)%nat) (nth i (on_diagonal i0 vi rows) []).
Proof.
intros hv; induction rows as [|l rows IH]; intros i0 B h i; [destruct i; apply memV_nil |].
destruct i as [|i].
- simpl; specialize (h 0%nat); simpl in h; rewrite Nat.add_0_r in *.
  apply (memV_map _ _ _ _ (0%nat, I.nai)); intros j hj.
  rewrite combine_length, seq_length, Nat.min_id in hj.
  rewrite combine_nth by (now rewrite seq_length); rewrite seq_nth by trivial; simpl fst; simpl snd.
  unfold shifted, identity; simpl plus.
  destruct (Nat.eqb i0 j).
  + apply mem_add; [now rewrite Rmult_1_r | apply h].
  + rewrite Rmult_0_r, Rplus_0_l; apply h.
- replace (i0 + S i)%nat with (S i0 + i)%nat by lia; simpl nth.
  apply IH; intros j; specialize (h (S j)); simpl nth in h.
  now replace (S i0 + j)%nat with (i0 + S j)%nat by lia.
Qed.

Definition residual_I (ay : list (list I.type)) : list (list I.type) :=
  map (fun il => map (fun jx => Sub (Z_ (if Nat.eqb (fst il) (fst jx) then 1 else 0)) (snd jx))
                   (combine (seq 0 (length (snd il))) (snd il))) (combine (seq 0 (length ay)) ay).
Definition psi_I (a : I.type) : I.type := Sub (Add (I.ln prec a) (I.inv prec a)) (Z_ 1).

Definition half : I.type := I.inv prec (Z_ 2).
Lemma mem_half : mem (/ 2) half.
Proof. apply mem_inv, (mem_Z prec 2). Qed.
End Matrices.
End Matrices.
