(******************************************************************************)
(*                       Events and their probabilities                       *)
(*                                                                            *)
(* The union bound over a measure space, the shares of Lemma 8, Markov's      *)
(* inequality, and ranks.                                                     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   union_bound, union_of_all == finitely and countably many events          *)
(*   shares, rounds == the shares of delta sum to at most delta               *)
(*   markov == for weighted values                                            *)
(*   ranks == how many of n numbers have few below them                       *)
(*                                                                            *)
(* Rests on: library, basel, definitions, sums.                               *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp classical_sets.
From mathcomp Require Import Rstruct reals ereal measure topology normedtype sequences.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require basel.
From CTV Require Import definitions sums.
Open Scope ring_scope.
Open Scope R_scope.

Lemma one_ofE T n (E : nat -> set T) : one_of T n E = \big[setU/set0]_(i < n) E i.
Proof.
rewrite -bigcup_mkord; apply/seteqP; split => x [k].
- by case=> /ltP hk Ek; exists k.
- by move=> /= /ltP hk Ek; exists k.
Qed.

Lemma sum_ereal n (p : nat -> R) : ((sum n p)%:E = \sum_(i < n) (p i)%:E)%E.
Proof. by elim: n => [|n IH] /=; rewrite ?big_ord0 // big_ord_recr /= -IH EFinD. Qed.

Lemma union_bound d (T : measurableType d) (P : measure_on d T)
  n (E : nat -> T -> Prop) (p : nat -> R) :
  (forall k, (k < n)%coq_nat -> at_most d T P (E k) (p k)) -> at_most d T P (one_of T n E) (sum n p).
Proof.
move=> h; rewrite /at_most (one_ofE T n E) sum_ereal; split.
  by apply: bigsetU_measurable => i _; case: (h i (elimT ltP (ltn_ord i))).
apply: (order.Order.POrderTheory.le_trans (@Boole_inequality _ _ _ P E n _)).
- by move=> i /= /ltP hi; case: (h i hi).
- by apply: lee_sum => i _; case: (h i (elimT ltP (ltn_ord i))).
Qed.

(* infinitely many events *)
Lemma union_of_all d (T : measurableType d) (P : measure_on d T) (E : nat -> T -> Prop) (p : nat -> R) q :
  (forall k, at_most d T P (E k) (p k)) -> (forall n, sum n p <= q) ->
  at_most d T P (fun x => exists k, E k x) q.
Proof.
move=> h hq.
have e : (fun x => exists k, E k x) = (\bigcup_n E n)%classic :> set T.
  by apply/seteqP; split=> x [k]; [move=> Ek; exists k | move=> _ Ek; exists k].
have mE k : measurable (E k : set T) by case: (h k).
have mU : measurable (\bigcup_n E n)%classic by exact: bigcupT_measurable.
rewrite /at_most e; split=> //.
apply: (order.Order.POrderTheory.le_trans (@generalized_Boole_inequality _ _ _ P E mE mU)).
apply: lime_le; first by apply: is_cvg_nneseries => *; exact: measure_ge0.
apply: nearW => n; rewrite big_mkord.
apply: (order.Order.POrderTheory.le_trans (y := (sum n p)%:E)).
  by rewrite sum_ereal; apply: lee_sum => i _; case: (h i).
by rewrite lee_fin; apply/RleP; exact: hq.
Qed.

Lemma inverse_squares n :
  sum n (fun k => / INR (k + 1) ^ 2) = PI ^ 2 / 6 - 2 * (basel.B n / basel.A n).
Proof.
elim: n => [|n IH]; first by rewrite -basel.B_over_A /=; lra.
by move: (basel.inverse_square n); cbn [sum]; rewrite IH addn1 S_INR; lra.
Qed.

Lemma inverse_squares_lt n : sum n (fun k => / INR (k + 1) ^ 2) < PI ^ 2 / 6.
Proof.
rewrite inverse_squares; have := basel.A_positive n; have := basel.B_positive n => hB hA.
have := Rdiv_lt_0_compat _ _ hB hA; lra.
Qed.

Lemma shares n delta : 0 < delta -> sum n (share delta) < delta.
Proof.
move=> hd; have hp := PI_RGT_0; have hs := inverse_squares_lt n.
rewrite (sum_ext n _ (fun k => delta * 6 / PI ^ 2 * / INR (k + 1) ^ 2)); last first.
  move=> k _; rewrite /share addn1 S_INR; have := pos_INR k => hk; field.
  by split; [lra | rewrite /=; lra].
rewrite sum_scal -{2}(_ : delta * 6 / PI ^ 2 * (PI ^ 2 / 6) = delta); last by field; lra.
apply: Rmult_lt_compat_l => //.
by apply: Rdiv_lt_0_compat; [lra | apply: pow_lt].
Qed.

Lemma rounds n delta : 0 < delta -> sum n (share delta) < delta /\
  (forall d (T : measurableType d) (P : measure_on d T) (E : nat -> T -> Prop),
     (forall k, (k < n)%coq_nat -> at_most d T P (E k) (share delta k)) ->
     exists q, q < delta /\ at_most d T P (one_of T n E) q) /\
  forall d (T : measurableType d) (P : measure_on d T) (E : nat -> T -> Prop),
    (forall k, at_most d T P (E k) (share delta k)) -> at_most d T P (fun x => exists k, E k x) delta.
Proof.
move=> h; split; [exact: shares | split=> d T P E hE].
  by exists (sum n (share delta)); split; [exact: shares | exact: union_bound].
by apply: union_of_all hE _ => m; left; exact: shares.
Qed.

(* Markov's inequality for n values of weights p. *)
Lemma markov n (p x : nat -> R) t : (forall i, (i < n)%coq_nat -> 0 <= p i /\ 0 <= x i) -> 0 <= t ->
  t * sum n (fun i => if Rle_dec t (x i) then p i else 0) <= sum n (fun i => p i * x i).
Proof.
move=> h ht; rewrite -sum_scal; apply: sum_le => i /h [hp hx].
case: Rle_dec => c; [have := Rmult_le_compat_l _ _ _ hp c | have := Rmult_le_pos _ _ hp hx]; rewrite /=; lra.
Qed.

(* Ranks: of n numbers at least k have fewer than k below them, ties or not. *)
Lemma least_of n (v : nat -> R) (P : nat -> Prop) : (forall i, {P i} + {~ P i}) ->
  (forall i, (i < n)%coq_nat -> ~ P i) \/
  exists i, (i < n)%coq_nat /\ P i /\ forall j, (j < n)%coq_nat -> P j -> v i <= v j.
Proof.
move=> dec; elim: n => [|n [none|[i [hi [pi least]]]]]; first by left=> i; lia.
  case: (dec n) => [pn|np]; last first.
    by left=> i hi; have [->|h] : i = n \/ (i < n)%coq_nat by [lia]; [|exact: none].
  right; exists n; split; [lia | split=> // j hj pj].
  have [->|h] : j = n \/ (j < n)%coq_nat by lia.
    lra.
  by case: (none j h).
case: (dec n) => [pn|np]; last first.
  right; exists i; split; [lia | split=> // j hj pj].
  by have [e|h] : j = n \/ (j < n)%coq_nat by [lia]; [case: np; rewrite -e | exact: least].
have [l|l] := Rle_lt_dec (v i) (v n).
  right; exists i; split; [lia | split=> // j hj pj].
  by have [->|h] : j = n \/ (j < n)%coq_nat by [lia]; [|exact: least].
right; exists n; split; [lia | split=> // j hj pj].
have [->|h] : j = n \/ (j < n)%coq_nat by lia.
  lra.
by have := least j h pj; lra.
Qed.

Theorem ranks n (v : nat -> R) k : (k <= n)%coq_nat ->
  let below i := sum n (fun j => if Rlt_dec (v j) (v i) then 1 else 0) in
  INR k <= sum n (fun i => if Rlt_dec (below i) (INR k) then 1 else 0).
Proof.
move=> kn below; apply: Rnot_lt_le => few.
have [all|[i [hi [bi least]]]] := least_of n v (fun i => ~ below i < INR k)
  (fun i => match Rlt_dec (below i) (INR k) with left h => right (fun f => f h) | right h => left h end).
  have : sum n (fun i => if Rlt_dec (below i) (INR k) then 1 else 0) = INR n * 1.
    rewrite -sum_const; apply: sum_ext => i hi; case: Rlt_dec => // h; by case: (all i hi).
  by have := le_INR k n kn; lra.
case: bi; rewrite {1}/below; apply: Rle_lt_trans few; apply: sum_le => j hj.
case: (Rlt_dec (below j) (INR k)) => [b|nb]; case: (Rlt_dec (v j) (v i)) => [l|l] /=; try lra.
by have := least j hj nb; lra.
Qed.
