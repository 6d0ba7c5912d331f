(******************************************************************************)
(*                   A checker of the maximum gain of space                   *)
(*                                                                            *)
(* On a grid of two dimensions, from weights, an approximate inverse and an   *)
(* approximate root.                                                          *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gamma_sound == what its yes means                                        *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, determinants, lemma_r,        *)
(*   duality, intervals, whole_times, residuals, squared_exponential.         *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums gains kernels determinants lemma_r duality.
From CTV Require Import intervals whole_times residuals squared_exponential.
Import ListNotations.
Open Scope R_scope.

(* ---- the kernel on the lattice, and on the grid ---- *)
Definition place : Type := (Z * Z)%type.
Definition lattice (c : R) (x y : place) : R :=
  exp (- (c * (IZR (fst x) - IZR (fst y)) ^ 2)) * exp (- (c * (IZR (snd x) - IZR (snd y)) ^ 2)).

Lemma lattice_kernel c : 0 <= c -> kernel place (lattice c).
Proof.
intros c0 n x.
apply (semidefinite_hadamard n (fun i j => exp (- (c * (IZR (fst (x i)) - IZR (fst (x j))) ^ 2)))).
- apply (semidefinite_se n c (fun i => IZR (fst (x i))) c0).
- apply (semidefinite_se n c (fun i => IZR (snd (x i))) c0).
Qed.
Lemma lattice_one c x : lattice c x x = 1.
Proof. unfold lattice; rewrite !Rminus_eq_0; simpl; rewrite Rmult_0_l, Rmult_0_r, Ropp_0, exp_0; ring. Qed.

Definition in_grid (side : Z) (x : place) : bool :=
  ((0 <=? fst x) && (fst x <? side) && (0 <=? snd x) && (snd x <? side))%Z.
Definition grid (side : Z) : Type := {x : place | in_grid side x = true}.
Definition on_grid (side : Z) (c : R) (x y : grid side) : R := lattice c (proj1_sig x) (proj1_sig y).
Definition axis (side : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat side)).

Lemma in_axis side a : (0 <= a < side)%Z -> In a (axis side).
Proof.
intros h; unfold axis; rewrite in_map_iff; exists (Z.to_nat a); split; [lia |].
apply in_seq; lia.
Qed.

(* ---- the certificate ---- *)
Record certificate := {
  scale : positive;
  alpha : Z;                    (* over the scale *)
  reference : list place;
  weights : list (list Z);      (* the columns of W, one weight for each reference point *)
  inverse : list (list Z);      (* the rows of Y *)
  root : list (list Z);         (* the rows of R, lower triangular *)
  largest : Z }.                (* over the scale: no variance left is larger *)

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

Module Gamma (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export E := Enclose F.
Section Gamma.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Div := (I.div prec).
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

(* ---- the kernel from a table ---- *)
Variables (side : Z) (c : Z * positive).
Definition table : list I.type :=
  map (fun d => I.exp prec (I.neg (Mul (Q_ c) (Z_ (Z.of_nat d * Z.of_nat d))))) (seq 0 (Z.to_nat side)).
Definition look (t : list I.type) (d : Z) : I.type := nth (Z.abs_nat d) t I.nai.
Lemma mem_look a b : mem (exp (- (valQ c * (IZR a - IZR b) ^ 2))) (look table (a - b)).
Proof.
unfold look.
assert (h : memV (fun d => exp (- (valQ c * IZR (Z.of_nat d * Z.of_nat d)))) table).
{ apply (memV_map _ _ _ _ 0%nat); intros j hj; rewrite seq_nth by (now rewrite seq_length in hj).
  apply mem_exp, mem_neg, mem_mul; [apply mem_Q | apply mem_Z]. }
specialize (h (Z.abs_nat (a - b))); cbv beta in h.
replace (IZR (Z.of_nat (Z.abs_nat (a - b)) * Z.of_nat (Z.abs_nat (a - b)))) with ((IZR a - IZR b) ^ 2) in h; [exact h |].
rewrite <- minus_IZR; simpl; rewrite Rmult_1_r, <- mult_IZR; f_equal.
rewrite Zabs2Nat.id_abs; destruct (Z.abs_eq_or_opp (a - b)) as [e|e]; rewrite e; ring.
Qed.
Definition value (t : list I.type) (x y : place) : I.type := Mul (look t (fst x - fst y)) (look t (snd x - snd y)).
Lemma mem_value x y : mem (lattice (valQ c) x y) (value table x y).
Proof. apply mem_mul; apply mem_look. Qed.

Section Certificate.
Variable q : certificate.
Let m := length (reference q).
Let p := length (weights q).
Let z i := nth i (reference q) (0%Z, 0%Z).
Let k := lattice (valQ c).
Let W i a := entry (scale q) (weights q) a i.
Let Y := entry (scale q) (inverse q).
Let r := entry (scale q) (root q).
Let al := IZR (alpha q) / IZR (Zpos (scale q)).
Let H a b := sum m (fun i => sum m (fun j => W i a * k (z i) (z j) * W j b)).
Let A := shifted al H.

Definition values_I (t : list I.type) (y : place) : list I.type := map (fun x => value t x y) (reference q).
Lemma mem_values y : memV (fun i => k (z i) y) (values_I table y).
Proof. apply (memV_map _ _ _ _ (0%Z, 0%Z)); intros j _; apply mem_value. Qed.

Definition H_I (t : list I.type) (w : list (list I.type)) : list (list I.type) :=
  times m w (times m w (map (fun x => map (fun y => value t x y) (reference q)) (reference q))).
Lemma mem_H : memM H (H_I table (read (scale q) (weights q))).
Proof.
assert (K : memM (fun i j => k (z i) (z j)) (map (fun x => map (fun y => value table x y) (reference q)) (reference q))).
{ apply (memM_map _ _ _ _ (0%Z, 0%Z)); intros i _; apply (memV_map _ _ _ _ (0%Z, 0%Z)); intros j _; apply mem_value. }
assert (w := mem_read (scale q) (weights q)).
assert (h := mem_times m _ _ _ _ w (mem_times m _ _ _ _ w K)); cbv beta in h.
intros a b; refine (mem_eq _ _ _ _ (h a b)).
unfold H; apply sum_ext; intros i _; rewrite <- sum_scal; apply sum_ext; intros j _; unfold W; ring.
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

Definition alpha_I : I.type := Q_ (alpha q, scale q).
Definition A_I t w := on_diagonal 0 alpha_I (H_I t w).
Lemma mem_A : memM A (A_I table (read (scale q) (weights q))).
Proof. intros i; apply (mem_diagonal al alpha_I (mem_Q prec (alpha q, scale q)) _ 0 H); exact mem_H. Qed.

(* log det *)
Definition get (l : list (list I.type)) (i : nat) : list I.type := nth i l [].
Definition log_det_I (a rr : list (list I.type)) : I.type :=
  let ar := times p rr a in
  isum p (fun i => Sub (I.ln prec (dot p (get rr i) (get ar i))) (Mul (Z_ 2) (I.ln prec (nth i (get rr i) I.nai)))).
Definition quad i := sum p (fun a => r i a * sum p (fun b => r i b * A a b)).
Lemma mem_log_det a rr : memM A a -> memM r rr ->
  mem (sum p (fun i => ln (quad i) - 2 * ln (r i i))) (log_det_I a rr).
Proof.
intros ha hr; apply mem_isum; intros i; apply mem_sub; [apply mem_ln | apply mem_mul; [apply (mem_Z prec 2) | apply mem_ln, hr]].
apply mem_dot; [apply hr |].
exact (mem_times p _ _ _ _ hr ha i).
Qed.

(* the trace of the inverse *)
Definition residual i j := identity i j - sum p (fun l => A j l * Y i l).
Definition residual_I (ay : list (list I.type)) : list (list I.type) :=
  map (fun il => map (fun jx => Sub (Z_ (if Nat.eqb (fst il) (fst jx) then 1 else 0)) (snd jx))
                   (combine (seq 0 (length (snd il))) (snd il))) (combine (seq 0 (length ay)) ay).
Lemma mem_residual ay : memM (fun i j => sum p (fun l => A j l * Y i l)) ay -> memM residual (residual_I ay).
Proof.
intros h; apply (memM_map _ _ _ _ (0%nat, [])); intros i hi.
rewrite combine_length, seq_length, Nat.min_id in hi.
rewrite combine_nth by (now rewrite seq_length); rewrite seq_nth by trivial; simpl fst; simpl snd.
apply (memV_map _ _ _ _ (0%nat, I.nai)); intros j hj.
rewrite combine_length, seq_length, Nat.min_id in hj.
rewrite combine_nth by (now rewrite seq_length); rewrite seq_nth by trivial; simpl fst; simpl snd; simpl plus.
apply mem_sub; [unfold identity; destruct Nat.eqb; apply mem_Z | apply h].
Qed.
Definition trace_I (y re : list (list I.type)) : I.type :=
  isum p (fun i => Add (Add (nth i (get y i) I.nai) (dot p (get y i) (get re i)))
                     (Div (dot p (get re i) (get re i)) alpha_I)).
Lemma mem_trace y re : memM Y y -> memM residual re ->
  mem (sum p (fun i => Y i i + sum p (fun j => Y i j * residual i j) + sum p (fun j => residual i j * residual i j) / al))
    (trace_I y re).
Proof.
intros hy hr; apply mem_isum; intros i; apply mem_add; [apply mem_add |].
- apply hy.
- apply (mem_dot p (Y i) (residual i)); [apply hy | apply hr].
- apply mem_div; [apply (mem_dot p (residual i) (residual i)); apply hr | apply (mem_Q prec (alpha q, scale q))].
Qed.

(* what is explained *)
Definition core i j := 2 * Y i j - sum p (fun a => Y i a * sum p (fun e => A a e * Y j e)).
Definition core_I (y ay : list (list I.type)) : list (list I.type) :=
  map (fun u => map (fun vw => Sub (Mul (Z_ 2) (fst vw)) (snd vw)) (combine (fst u) (snd u)))
    (combine y (times p y ay)).
Lemma combine_nth_any T1 T2 (l : list T1) (l' : list T2) a b j : (j < length (combine l l'))%nat ->
  nth j (combine l l') (a, b) = (nth j l a, nth j l' b).
Proof.
revert l' j; induction l as [|x l IH]; intros [|y l'] [|j] h; simpl in *; try lia; [easy | apply IH; lia].
Qed.
Lemma mem_core y ay : memM Y y -> memM (fun i j => sum p (fun l => A j l * Y i l)) ay -> memM core (core_I y ay).
Proof.
intros hy ha; assert (t := mem_times p _ _ _ _ hy ha).
apply (memM_map _ _ _ _ ([], [])); intros i hi; rewrite combine_nth_any by trivial; simpl fst; simpl snd.
apply (memV_map _ _ _ _ (I.nai, I.nai)); intros j hj; rewrite combine_nth_any by trivial; simpl fst; simpl snd.
apply mem_sub; [apply mem_mul; [apply (mem_Z prec 2) | apply hy] | apply t].
Qed.
Definition explained_I (t : list I.type) (w co : list (list I.type)) (y : place) : I.type :=
  let ks := values_I t y in
  let b := map (fun l => dot m l ks) w in
  dot p b (map (fun l => dot p l b) co).
Definition feature y a := sum m (fun i => W i a * k (z i) y).
Lemma mem_explained co y : memM core co ->
  mem (sum p (fun i => feature y i * sum p (fun j => core i j * feature y j)))
    (explained_I table (read (scale q) (weights q)) co y).
Proof.
intros hc; unfold explained_I.
assert (b : memV (feature y) (map (fun l => dot m l (values_I table y)) (read (scale q) (weights q)))).
{ apply (memV_map _ _ _ _ []); intros a _; apply (mem_dot m (fun i => W i a) (fun i => k (z i) y)); [| apply mem_values].
  intros i; apply (mem_read (scale q) (weights q)). }
apply mem_dot; [exact b |].
apply (memV_map _ _ _ _ []); intros j _; apply mem_dot; [apply hc | exact b].
Qed.

(* ---- the checker ---- *)
Definition triangular : bool :=
  forallb (fun i => (0 <? nth i (nth i (root q) []) 0)%Z &&
    forallb (fun j => (nth j (nth i (root q) []) 0 =? 0)%Z) (seq (S i) (p - S i))) (seq 0 p).
Definition psi_I (a : I.type) : I.type := Sub (Add (I.ln prec a) (I.inv prec a)) (Z_ 1).
Definition total_I (s : Z * positive) (n : nat) (a rr y re : list (list I.type)) : I.type :=
  Add (Add (Sub (Add (log_det_I a rr) (trace_I y re)) (Z_ (Z.of_nat p)))
        (Mul (Sub (Z_ (Z.of_nat n)) (Z_ (Z.of_nat p))) (psi_I alpha_I)))
    (Mul (Div (Mul (Q_ s) (Z_ (Z.of_nat n))) alpha_I) (Q_ (largest q, scale q))).
Definition check_gamma (s : Z * positive) (n : nat) (claim : Z * positive) : bool :=
  let t := table in
  let w := read (scale q) (weights q) in
  let a := A_I t w in
  let y := read (scale q) (inverse q) in
  let rr := read (scale q) (root q) in
  let ay := times p y a in
  let co := core_I y ay in
  triangular && (Zpos (scale q) <=? alpha q)%Z && le prec (Z_ 0) (Q_ s) && le prec (Z_ 0) (Q_ c) &&
  le prec (total_I s n a rr y (residual_I ay)) (Mul (Z_ 2) (Q_ claim)) &&
  forallb (fun u => forallb (fun v => le prec (Sub (Z_ 1) (explained_I t w co (u, v))) (Q_ (largest q, scale q)))
    (axis side)) (axis side).

Theorem gamma_sound s n claim : check_gamma s n claim = true ->
  forall x : nat -> grid side, gain (valQ s) n (gram _ (on_grid side (valQ c)) x) <= valQ claim.
Proof.
unfold check_gamma; intros h x.
apply andb_prop in h; destruct h as [h all]; apply andb_prop in h; destruct h as [h tot];
apply andb_prop in h; destruct h as [h c0]; apply andb_prop in h; destruct h as [h s0].
apply andb_prop in h; destruct h as [tri al1].
apply (le_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec c)) in c0.
apply (le_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec s)) in s0.
set (a := A_I _ _) in *; set (w := read (scale q) (weights q)) in *; set (y := read (scale q) (inverse q)) in *.
set (rr := read (scale q) (root q)) in *; set (ay := times p y a) in *; set (co := core_I y ay) in *.
assert (ha : memM A a) by apply mem_A.
assert (hy : memM Y y) by apply mem_read.
assert (hr : memM r rr) by apply mem_read.
assert (hay : memM (fun i j => sum p (fun l => A j l * Y i l)) ay).
{ intros i j; refine (mem_eq _ _ _ _ (mem_times p _ _ _ _ hy ha i j)); apply sum_ext; intros e _; ring. }
assert (hco : memM core co) by now apply mem_core.
assert (S0 : 0 < IZR (Zpos (scale q))) by now apply IZR_lt.
assert (al1' : 1 <= al).
{ apply Z.leb_le, IZR_le in al1; unfold al; apply (Rmult_le_reg_r (IZR (Zpos (scale q)))); trivial.
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
assert (pk := lattice_kernel (valQ c) c0).
assert (pH : semidefinite p H).
{ split.
  - intros i j _ _; unfold H; rewrite sum_swap; apply sum_ext; intros e _; apply sum_ext; intros f _.
    destruct (pk 2%nat (fun l => if Nat.eqb l 0 then z e else z f)) as [sy _].
    specialize (sy 0%nat 1%nat ltac:(lia) ltac:(lia)); simpl in sy; fold k in sy; rewrite sy; ring.
  - intros v; destruct (pk m z) as [_ pos]; specialize (pos (fun i => sum p (fun e => v e * W i e))).
    refine (ge0_eq _ _ _ pos); unfold H.
    transitivity (sum m (fun i => sum m (fun j => sum p (fun e => sum p (fun f => v e * v f * (W i e * k (z i) (z j) * W j f)))))).
    + apply sum_ext; intros i _; apply sum_ext; intros j _.
      rewrite Rmult_assoc, <- sum_scalr; apply sum_ext; intros e _.
      rewrite (Rmult_comm (sum p _)), <- sum_scal, <- sum_scal; apply sum_ext; intros f _; fold k; ring.
    + rewrite (sum_ext m _ (fun i => sum p (fun e => sum p (fun f => sum m (fun j => v e * v f * (W i e * k (z i) (z j) * W j f)))))).
      2: { intros i _; rewrite sum_swap; apply sum_ext; intros e _; now rewrite sum_swap. }
      rewrite sum_swap; apply sum_ext; intros e _.
      rewrite sum_swap; apply sum_ext; intros f _.
      rewrite <- sum_scal; apply sum_ext; intros i _; now rewrite sum_scal. }
assert (pA : semidefinite p A).
{ apply (semidefinite_ext p (fun i j => al * identity i j + H i j)); [easy |].
  apply (semidefinite_plus p (fun i j => al * identity i j) H); [| exact pH].
  apply (semidefinite_scal p al identity); [lra | apply semidefinite_identity]. }
assert (dA : 0 < det p A) by (apply det_shifted; [lra | exact pH]).
(* log det *)
assert (hr0 : forall i, (i < p)%nat -> 0 < r i i).
{ intros i hi; unfold triangular in tri; rewrite forallb_forall in tri.
  specialize (tri i ltac:(apply in_seq; lia)); apply andb_prop in tri; destruct tri as [t0 _].
  apply Z.ltb_lt, IZR_lt in t0; apply Rdiv_lt_0_compat; trivial. }
assert (htri : forall i j, (i < j)%nat -> (j < p)%nat -> r i j = 0).
{ intros i j ij jp; unfold triangular in tri; rewrite forallb_forall in tri.
  specialize (tri i ltac:(apply in_seq; lia)); apply andb_prop in tri; destruct tri as [_ t1].
  rewrite forallb_forall in t1; specialize (t1 j ltac:(apply in_seq; lia)); apply Z.eqb_eq in t1.
  unfold r, entry; rewrite t1; unfold Rdiv; ring. }
assert (ld := log_det_upper p A r quad pA dA hr0 htri (fun i _ => Rle_refl _)).
(* the trace *)
assert (al0 : 0 < al) by lra.
assert (tr : trace_inverse p A <= sum p (fun i => Y i i + sum p (fun j => Y i j * residual i j) + sum p (fun j => residual i j * residual i j) / al)).
{ rewrite trace_forms; apply sum_le; intros i hi.
  destruct (inverse_form_bounds p al H (fun j => identity i j) (Y i) al0 pH) as [_ up].
  apply Rle_trans with (1 := up); right; unfold residual, A; f_equal; [f_equal |].
  - rewrite (sum_ext p _ (fun j => if Nat.eqb i j then Y i j else 0)) by (intros j _; unfold identity; destruct Nat.eqb; ring).
    now apply sum_pick.
  - f_equal; apply sum_ext; intros j _; ring. }
(* what is left *)
assert (left_ : forall i, (i < n)%nat -> k (proj1_sig (x i)) (proj1_sig (x i)) - inverse_form p A (feature (proj1_sig (x i))) <= IZR (largest q) / IZR (Zpos (scale q))).
{ intros i _; destruct (x i) as [y0 gy]; simpl proj1_sig.
  destruct (inverse_form_bounds p al H (feature y0) (fun j => sum p (fun e => feature y0 e * Y e j)) al0 pH) as [lo _].
  fold A in lo; rewrite (form_identity p A Y (feature y0)) in lo.
  unfold in_grid in gy; repeat (apply andb_prop in gy; destruct gy as [gy ?]).
  rewrite forallb_forall in all; specialize (all (fst y0) ltac:(apply in_axis; lia)).
  rewrite forallb_forall in all; specialize (all (snd y0) ltac:(apply in_axis; lia)).
  rewrite <- surjective_pairing in all.
  apply (le_sound prec _ _ _ _ (mem_sub prec _ _ _ _ (mem_Z prec 1) (mem_explained co y0 hco)) (mem_Q prec (largest q, scale q))) in all.
  unfold k; rewrite lattice_one; apply Rle_trans with (2 := all).
  apply Rplus_le_compat_l, Ropp_le_contravar; exact lo. }
assert (cert : 2 * gain (valQ s) n (gram place k (fun i => proj1_sig (x i))) <=
  ln (det p A) + trace_inverse p A - INR p + (INR n - INR p) * psi al +
  valQ s * INR n / al * (IZR (largest q) / IZR (Zpos (scale q))))
  by exact (duality.certificate place k (valQ s) n (fun i => proj1_sig (x i)) m z p W al _ s0 pk al1' left_).
assert (tt : mem (sum p (fun i => ln (quad i) - 2 * ln (r i i)) +
  sum p (fun i => Y i i + sum p (fun j => Y i j * residual i j) + sum p (fun j => residual i j * residual i j) / al) - INR p +
  (INR n - INR p) * psi al + valQ s * INR n / al * (IZR (largest q) / IZR (Zpos (scale q)))) (total_I s n a rr y (residual_I ay))).
{ assert (hal : mem al alpha_I) by apply (mem_Q prec (alpha q, scale q)).
  apply mem_add; [apply mem_add; [apply mem_sub; [apply mem_add |] |] |].
  - now apply mem_log_det.
  - apply mem_trace; [trivial | now apply mem_residual].
  - apply mem_nat.
  - apply mem_mul; [apply mem_sub; apply mem_nat |].
    unfold psi; apply mem_sub; [apply mem_add; [now apply mem_ln | now apply mem_inv] | apply (mem_Z prec 1)].
  - apply mem_mul; [| apply (mem_Q prec (largest q, scale q))].
    apply mem_div; [apply mem_mul; [apply mem_Q | apply mem_nat] | trivial]. }
apply (le_sound prec _ _ _ _ tt (mem_mul prec _ _ _ _ (mem_Z prec 2) (mem_Q prec claim))) in tot.
change (gram _ (on_grid side (valQ c)) x) with (gram place k (fun i => proj1_sig (x i))).
lra.
Qed.
End Certificate.
End Gamma.
End Gamma.
