(******************************************************************************)
(*                      The kernels of a problem as intervals                 *)
(*                                                                            *)
(* Space by squared distances, which are looked up in a table; time by lags   *)
(* in ticks; beta.                                                            *)
(*                                                                            *)
(* Statements:                                                                *)
(*   mem_value, mem_lags, mem_beta == the numbers lie in their intervals      *)
(*                                                                            *)
(* Rests on: definitions, sums, kernels, intervals, whole_times,              *)
(*   interval_matrices, matern, problems.                                     *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool FMapPositive.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums kernels intervals whole_times interval_matrices matern problems.
Import ListNotations.
Open Scope R_scope.

Module Covariances (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export M_ := Matrices F.
Section Covariances.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Div := (I.div prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).

Fixpoint factors_I (p : nat) (r z : I.type) : I.type * I.type :=
  match p with
  | O => (Z_ 1, Add (Z_ 1) r)
  | S p => let (a, b) := factors_I p r z in
    (b, Add b (Div (Mul z a) (Z_ ((2 * Z.of_nat p + 1) * (2 * Z.of_nat p + 3)))))
  end.
Definition correlation_I (f : family) (z : I.type) : I.type :=
  match f with
  | SquaredExponential => I.exp prec (I.neg z)
  | Independent => if lt prec (Z_ 0) z then Z_ 0 else I.nai
  | Matern order => let r := I.sqrt prec z in Mul (fst (factors_I order r (Mul r r))) (I.exp prec (I.neg r))
  end.
Lemma mem_factors p s r z : mem s r -> mem (s * s) z ->
  mem (fst (factors p s)) (fst (factors_I p r z)) /\ mem (snd (factors p s)) (snd (factors_I p r z)).
Proof.
intros hr hz; induction p as [|p IH]; cbn [factors factors_I].
- split; [apply (mem_Z prec 1) | apply mem_add; [apply (mem_Z prec 1) | exact hr]].
- destruct (factors p s) as [a b], (factors_I p r z) as [a' b']; destruct IH as [ha hb]; split; [exact hb |].
  apply mem_add; [exact hb |]; apply mem_div; [now apply mem_mul |].
  refine (mem_eq _ _ _ _ (mem_Z prec _)); rewrite mult_IZR, !plus_IZR, mult_IZR, <- INR_IZR_INZ; ring.
Qed.
Lemma mem_correlation f z i : mem z i -> mem (correlation f z) (correlation_I f i).
Proof.
intros h; destruct f; unfold correlation, correlation_I; cbv zeta.
- now apply mem_exp, mem_neg.
- destruct (lt prec (Z_ 0) i) eqn:e; [| apply mem_nai].
  assert (p := lt_sound prec _ _ _ _ (mem_Z prec 0) h e); destruct Rle_dec; [lra | apply (mem_Z prec 0)].
- assert (r := mem_sqrt prec _ _ h); apply mem_mul; [| now apply mem_exp, mem_neg].
  apply mem_factors; [exact r | now apply mem_mul].
Qed.

Variable P : problem.

(* a table of what has been computed; what is not in it is computed *)
Definition at_distance (D : Z) : I.type :=
  if (D =? 0)%Z then Z_ 1 else correlation_I (shape P) (Mul (Q_ (rate P)) (Z_ D)).
Lemma mem_at D : mem (correlation (shape P) (valQ (rate P) * IZR D)) (at_distance D).
Proof.
unfold at_distance; destruct (Z.eqb_spec D 0) as [->|_].
- rewrite Rmult_0_r, correlation_0; apply (mem_Z prec 1).
- apply mem_correlation, mem_mul; [apply mem_Q | apply mem_Z].
Qed.
Definition table := PositiveMap.t I.type.
Definition key (D : Z) : positive := Z.to_pos (D + 1).
Definition with_distance (t : table) (D : Z) : table :=
  match PositiveMap.find (key D) t with Some _ => t | None => PositiveMap.add (key D) (at_distance D) t end.
Definition table_of (xs ys : list place) : table :=
  fold_left (fun t x => fold_left (fun t y => with_distance t (squared_distance x y)) ys t) xs (PositiveMap.empty _).
Definition value (t : table) (x y : place) : I.type :=
  let D := squared_distance x y in
  match PositiveMap.find (key D) t with Some i => i | None => at_distance D end.

Definition good (t : table) : Prop := forall D i, (0 <= D)%Z -> PositiveMap.find (key D) t = Some i ->
  mem (correlation (shape P) (valQ (rate P) * IZR D)) i.
Lemma good_with t D : (0 <= D)%Z -> good t -> good (with_distance t D).
Proof.
intros D0 g; unfold with_distance; destruct (PositiveMap.find (key D) t); [easy |].
intros E i E0; destruct (Pos.eq_dec (key E) (key D)) as [e|ne].
- rewrite e, PositiveMap.gss; intros [= <-].
  replace E with D; [apply mem_at |]; unfold key in e; apply (f_equal Zpos) in e; rewrite !Z2Pos.id in e; lia.
- rewrite PositiveMap.gso by easy; now apply g.
Qed.
Lemma good_table xs ys : good (table_of xs ys).
Proof.
unfold table_of.
assert (row : forall x ys t, good t -> good (fold_left (fun t y => with_distance t (squared_distance x y)) ys t)).
{ intros x; induction ys0 as [|y ys0 IH]; intros t g; simpl; [easy | apply IH, good_with; [apply squared_distance_ge0 | easy]]. }
assert (e : good (PositiveMap.empty _)) by (intros D i _; now rewrite PositiveMap.gempty).
revert e; generalize (PositiveMap.empty I.type); induction xs as [|x xs IH]; intros t g; simpl; [easy | now apply IH, row].
Qed.
Lemma mem_value t x y : good t -> mem (space_of P x y) (value t x y).
Proof.
intros g; unfold value, space_of; destruct PositiveMap.find eqn:e; [| apply mem_at].
exact (g _ _ (squared_distance_ge0 x y) e).
Qed.

(* lags *)
Definition rate_I (e : Z * positive) : I.type := Mul (I.neg (half prec)) (I.ln prec (Sub (Z_ 1) (Q_ e))).
Lemma mem_rate e : mem (rate_of e) (rate_I e).
Proof. apply mem_mul; [apply mem_neg, mem_half | apply mem_ln, mem_sub; [apply (mem_Z prec 1) | apply mem_Q]]. Qed.
(* per tick, or per squared tick *)
Definition clock_rate : I.type :=
  match clock P with
  | Forgets e => Div (rate_I e) (Z_ (Zpos (per_unit P)))
  | Stationary _ c => Div (Q_ c) (Z_ (Zpos (per_unit P * per_unit P)))
  end.
Definition lag_I (r : I.type) (a b : Z) : I.type :=
  match clock P with
  | Forgets _ => I.exp prec (I.neg (Mul r (Z_ (Z.abs (a - b)))))
  | Stationary f _ => correlation_I f (Mul r (Z_ ((a - b) * (a - b))))
  end.
Definition lags : list (list I.type) :=
  let r := clock_rate in map (fun a => map (fun b => lag_I r a b) (ticks P)) (ticks P).
Lemma mem_lag i j : mem (time_of P (tau P i) (tau P j))
  (lag_I clock_rate (nth i (ticks P) (last (ticks P) 0%Z)) (nth j (ticks P) (last (ticks P) 0%Z))).
Proof.
assert (U0 : 0 < IZR (Zpos (per_unit P))) by now apply IZR_lt.
unfold time_of, tau, at_tick, lag_I, clock_rate; set (a := nth i _ _); set (b := nth j _ _).
destruct (clock P) as [e|f c]; simpl over_time.
- refine (mem_eq _ _ _ _ (mem_exp prec _ _ (mem_neg _ _ (mem_mul prec (rate_of e / IZR (Zpos (per_unit P))) (IZR (Z.abs (a - b))) _ _ _ (mem_Z prec _))))).
  2: apply mem_div; [apply mem_rate | apply mem_Z].
  unfold forgetting; f_equal; f_equal; rewrite abs_IZR, minus_IZR.
  replace (IZR a / IZR (Zpos (per_unit P)) - IZR b / IZR (Zpos (per_unit P))) with ((IZR a - IZR b) / IZR (Zpos (per_unit P))) by (field; lra).
  unfold Rdiv at 2; rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (left; now apply Rinv_0_lt_compat).
  field; lra.
- apply mem_correlation.
  refine (mem_eq _ _ _ _ (mem_mul prec (valQ c / IZR (Zpos (per_unit P * per_unit P))) (IZR ((a - b) * (a - b))) _ _ _ (mem_Z prec _))).
  2: apply mem_div; [apply mem_Q | apply mem_Z].
  rewrite Pos2Z.inj_mul, !mult_IZR, minus_IZR; field; lra.
Qed.
Lemma mem_lags : memM (fun i j => time_of P (tau P i) (tau P j)) lags.
Proof.
apply (memM_map _ _ _ _ (last (ticks P) 0%Z)); intros i _; apply (memV_map _ _ _ _ (last (ticks P) 0%Z)); intros j _; apply mem_lag.
Qed.
Definition time_positive_I : bool :=
  match clock P with Forgets e => le prec (Z_ 0) (rate_I e) | Stationary _ c => (0 <=? fst c)%Z end.
Lemma fraction_ge0 q : (0 <=? fst q)%Z = true -> 0 <= valQ q.
Proof.
intros h; apply Z.leb_le, IZR_le in h; apply Rmult_le_pos; [exact h |]; left; apply Rinv_0_lt_compat; now apply IZR_lt.
Qed.
Lemma time_positive_sound : time_positive_I = true -> time_positive (clock P).
Proof.
unfold time_positive_I; destruct (clock P); simpl; intros h.
- exact (le_sound prec _ _ _ _ (mem_Z prec 0) (mem_rate _) h).
- now apply fraction_ge0.
Qed.
(* both are kernels *)
Definition kernels_I : bool := time_positive_I && (0 <=? fst (rate P))%Z.
Lemma kernels_sound : kernels_I = true -> kernel place (space_of P) /\ kernel R (time_of P).
Proof.
intros h; apply andb_prop in h; destruct h as [h0 h1]; split.
- exact (space_kernel P (fraction_ge0 _ h1)).
- exact (time_kernel P (time_positive_sound h0)).
Qed.

(* beta *)
Definition pi2_I : I.type := Mul (I.pi prec) (Mul (I.pi prec) (Z_ 1)).
Definition beta_I (i : nat) : I.type :=
  Mul (Z_ 2) (I.ln prec (Div (Mul (Mul (Z_ (Z.of_nat (length (points P)))) pi2_I) (Mul (Z_ (Z.of_nat (S i))) (Mul (Z_ (Z.of_nat (S i))) (Z_ 1))))
    (Mul (Z_ 6) (Q_ (delta P))))).
Lemma mem_beta i : mem (beta_of (length (points P)) (valQ (delta P)) i) (beta_I i).
Proof.
apply mem_mul; [apply (mem_Z prec 2) |]; apply mem_ln, mem_div.
- apply mem_mul; [apply mem_mul; [apply mem_nat |] |].
  + apply mem_mul; [apply mem_pi | apply mem_mul; [apply mem_pi | apply (mem_Z prec 1)]].
  + apply mem_mul; [apply mem_nat | apply mem_mul; [apply mem_nat | apply (mem_Z prec 1)]].
- apply mem_mul; [apply (mem_Z prec 6) | apply mem_Q].
Qed.
End Covariances.
End Covariances.
