(******************************************************************************)
(*                 A checker of the gain of one sequence of points            *)
(*                                                                            *)
(* From weights for the rounds before each round, in whole numbers.           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   design_sound == what its yes means                                       *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, intervals, residuals,         *)
(*   interval_matrices, problems, covariances, gain_from_below,               *)
(*   checked_joint_gain.                                                      *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums gains kernels.
From CTV Require Import intervals residuals interval_matrices problems covariances gain_from_below checked_joint_gain.
Import ListNotations.
Open Scope R_scope.

Record design_certificate := {
  dscale : positive;
  design : list nat;             (* the numbers of the points that are played *)
  dweights : list (list Z) }.    (* of the rounds before each round, over the scale *)

Module Design (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export J := Joint F.
Section Design.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).
Notation dot := (dot prec).
Variables (P : problem) (q : design_certificate).
Let n := length (ticks P).
Let s := s_of P.
Let x i := nth (nth i (design q) 0%nat) (points P) [].
Let A := joint place (space_of P) (time_of P) x (tau P).
Let c := entry (dscale q) (dweights q).

Definition places : list place := map (fun i => nth i (points P) []) (design q).
Definition products (u v : list I.type) : list I.type := map (fun ab => Mul (fst ab) (snd ab)) (combine u v).
Definition design_I : list (list I.type) :=
  let xs := places in
  let t := table_of prec P xs xs in
  map (fun xl => products (map (value prec P t (fst xl)) xs) (snd xl)) (combine xs (lags prec P)).
Lemma mem_products u v a b : memV u a -> memV v b -> memV (fun j => u j * v j) (products a b).
Proof.
intros ha hb; apply (memV_map _ _ _ _ (I.nai, I.nai)); intros j hj; rewrite nth_both by easy; simpl fst; simpl snd.
apply mem_mul; [apply ha | apply hb].
Qed.
Lemma nth_places i : (i < length places)%nat -> nth i places [] = x i.
Proof.
unfold places, x; intros h; rewrite (nth_indep _ _ (nth 0 (points P) [])) by easy.
now rewrite (map_nth (fun i => nth i (points P) [])).
Qed.
Lemma mem_design : memM A design_I.
Proof.
unfold design_I; apply (memM_map (place * list I.type) _ _ _ ([], [])); intros i hi; rewrite (nth_both place) by easy; simpl fst; simpl snd.
rewrite combine_length in hi.
apply (mem_products (fun j => space_of P (x i) (x j)) (fun j => time_of P (tau P i) (tau P j))); [| apply mem_lags].
apply (memV_map place _ _ _ []); intros j hj; rewrite (nth_places i), (nth_places j) by lia; apply mem_value, good_table.
Qed.

(* round i from the rows of A, its own row and its weights *)
Definition unmet_I (rows : list (list I.type)) (i : nat) (a w : list I.type) : list I.type :=
  map (fun r => Sub (fst (snd r)) (Add (snd (snd r)) (Mul (Q_ (ratio_s P)) (dot i (fst r) w)))) (combine rows (combine a w)).
Definition left_over_I (rows : list (list I.type)) (i : nat) (a w : list I.type) : I.type :=
  let r := unmet_I (firstn i rows) i a w in
  Sub (nth i a I.nai) (Mul (Q_ (ratio_s P)) (Add (Add (dot i a w) (dot i w r)) (dot i r r))).

Lemma mem_unmet i a w : memV (A i) a -> memV (c i) w -> (i <= n)%nat -> semidefinite n A ->
  forall j, (j < i)%nat -> mem (unmet s A c i j) (nth j (unmet_I (firstn i design_I) i a w) I.nai).
Proof.
intros ha hw hi pA j hj; unfold unmet_I; set (l := combine _ _).
destruct (Nat.lt_ge_cases j (length l)) as [hl|hl].
2: { rewrite nth_overflow by (rewrite map_length; exact hl); apply mem_nai. }
set (f := fun r => _); rewrite (nth_indep _ _ (f ([], (I.nai, I.nai)))) by (rewrite map_length; exact hl).
rewrite map_nth; unfold f, l in *; rewrite nth_both by exact hl.
rewrite combine_length in hl; rewrite nth_both by lia; simpl fst; simpl snd.
assert (e : nth j (firstn i design_I) [] = nth j design_I []).
{ rewrite <- (firstn_skipn i design_I) at 2; rewrite app_nth1; [easy | lia]. }
rewrite e; unfold unmet; apply mem_sub; [apply ha |].
refine (mem_eq _ _ _ _ (mem_add prec _ _ _ _ (hw j) (mem_mul prec _ _ _ _ (mem_Q prec (ratio_s P)) (mem_dot prec i _ _ _ _ (mem_design j) hw)))).
unfold shifted.
rewrite (sum_ext i (fun l => (1 * identity j l + s * A j l) * c i l) (fun l => (if Nat.eqb j l then c i l else 0) + s * (A j l * c i l))).
- now rewrite sum_plus, sum_pick, sum_scal.
- intros l0 _; unfold identity; destruct Nat.eqb; ring.
Qed.
Lemma dot_below i u v a b : (forall j, (j < i)%nat -> mem (u j) (nth j a I.nai)) -> (forall j, (j < i)%nat -> mem (v j) (nth j b I.nai)) ->
  mem (sum i (fun j => u j * v j)) (dot i a b).
Proof.
revert u v a b; induction i as [|i IH]; intros u v a b ha hb; [apply (mem_Z prec 0) |].
destruct a as [|a0 a]; [apply mem_nai |]; destruct b as [|b0 b]; [apply mem_nai |].
rewrite sum_S; apply mem_add; [apply mem_mul; [apply (ha 0%nat); lia | apply (hb 0%nat); lia] |].
apply (IH (fun j => u (S j)) (fun j => v (S j))); intros j hj; [apply (ha (S j)); lia | apply (hb (S j)); lia].
Qed.
Lemma mem_left_over i a w : memV (A i) a -> memV (c i) w -> (i <= n)%nat -> semidefinite n A ->
  mem (left_over s A c i) (left_over_I design_I i a w).
Proof.
intros ha hw hi pA; assert (r := mem_unmet i a w ha hw hi pA).
apply mem_sub; [apply ha |]; apply mem_mul; [apply mem_Q |].
apply mem_add; [apply mem_add |].
- now apply (mem_dot prec i (A i) (c i)).
- apply (dot_below i (c i) (unmet s A c i)); [intros j _; apply hw | exact r].
- refine (mem_eq _ _ _ _ (dot_below i (unmet s A c i) (unmet s A c i) _ _ r r)); apply sum_ext; intros; ring.
Qed.

Definition check_design (claim : Z * positive) : bool :=
  let rows := design_I in
  let found := map (fun irw => Add (Z_ 1) (Mul (Q_ (ratio_s P)) (left_over_I rows (fst irw) (fst (snd irw)) (snd (snd irw)))))
    (combine (seq 0 n) (combine rows (read prec (dscale q) (dweights q)))) in
  kernels_I prec P && le prec (Z_ 0) (Q_ (ratio_s P)) &&
  Nat.eqb (length (design q)) n && forallb (fun i => Nat.ltb i (length (points P))) (design q) &&
  Nat.eqb (length found) n && forallb (fun v => lt prec (Z_ 0) v) found &&
  le prec (Q_ claim) (Mul (half prec) (isum prec n (fun i => I.ln prec (nth i found I.nai)))).

Theorem design_sound claim : check_design claim = true ->
  exists x : nat -> place, (forall i, (i < n)%nat -> In (x i) (points P)) /\
    valQ claim <= gain s n (joint place (space_of P) (time_of P) x (tau P)).
Proof.
unfold check_design; set (found := map _ _); intros h.
apply andb_prop in h; destruct h as [h total]; apply andb_prop in h; destruct h as [h pos];
apply andb_prop in h; destruct h as [h lf]; apply andb_prop in h; destruct h as [h inside];
apply andb_prop in h; destruct h as [h ld]; apply andb_prop in h; destruct h as [hk s0].
destruct (kernels_sound prec P hk) as [pk ph].
apply (le_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec _)) in s0.
apply Nat.eqb_eq in ld, lf.
exists x; split.
- intros i hi; apply nth_In; rewrite forallb_forall in inside.
  apply Nat.ltb_lt, inside, nth_In; lia.
- fold A; assert (pA : semidefinite n A).
  { exact (semidefinite_hadamard n (gram place (space_of P) x) (gram R (time_of P) (tau P)) (pk n x) (ph n (tau P))). }
  assert (m : forall i, (i < n)%nat -> mem (1 + s * left_over s A c i) (nth i found I.nai)).
  { intros i hi; unfold found; set (f := fun irw => _); rewrite (nth_indep _ _ (f (0%nat, ([], [])))) by (change (i < length found)%nat; rewrite lf; exact hi).
    unfold found in lf; rewrite map_length in lf.
    assert (l1 : (i < length (combine (seq 0 n) (combine design_I (read prec (dscale q) (dweights q)))))%nat) by (rewrite lf; exact hi).
    assert (l2 : (i < length (combine design_I (read prec (dscale q) (dweights q))))%nat) by (rewrite combine_length in l1; lia).
    rewrite map_nth, (nth_both nat) by exact l1; rewrite nth_both by exact l2.
    rewrite seq_nth by easy; unfold f; simpl fst; simpl snd; simpl plus.
    apply mem_add; [apply (mem_Z prec 1) |]; apply mem_mul; [apply mem_Q |].
    apply mem_left_over; [apply mem_design | apply mem_read | lia | exact pA]. }
  apply (le_sound prec _ (/ 2 * sum n (fun i => ln (1 + s * left_over s A c i))) _ _ (mem_Q prec claim)) in total.
  + apply Rle_trans with (1 := total); apply gain_from_below; [exact s0 | exact pA |].
    intros i hi; rewrite forallb_forall in pos; assert (l : (i < length found)%nat) by (rewrite lf; exact hi).
    exact (lt_sound prec _ _ _ _ (mem_Z prec 0) (m i hi) (pos _ (nth_In _ _ l))).
  + apply mem_mul; [apply mem_half |].
    assert (some : forall k, (k <= n)%nat -> mem (sum k (fun i => ln (1 + s * left_over s A c i))) (isum prec k (fun i => I.ln prec (nth i found I.nai)))).
    { induction k as [|k IH]; intros kn; [apply (mem_Z prec 0) | apply mem_add; [apply IH; lia | apply mem_ln, m; lia]]. }
    now apply some.
Qed.
End Design.
End Design.
