(******************************************************************************)
(*              The grid of a round on the box, and its numbers               *)
(*                                                                            *)
(* Centres of equal cells are near every point of the box and as few as beta  *)
(* counts; with the slope that stands for the largest one a step costs at     *)
(* most 1/round^2.                                                            *)
(*                                                                            *)
(* Statements:                                                                *)
(*   grid == at most max(1, x)^m points, to one of which it is at most r/x    *)
(*   steep_share, tails_share == the probabilities of a round                 *)
(*   step_cost == what a step costs                                           *)
(*   width_pos, width_up == beta is not negative, and does not fall           *)
(*                                                                            *)
(* Rests on: library, scalar, normal, definitions, sums, events, outcomes.    *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import Rstruct reals.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import scalar normal definitions sums events outcomes.
Open Scope R_scope.

(* ---- a grid ---- *)

Lemma whole_steps x : exists K, (0 < K)%coq_nat /\ INR K <= Rmax 1 x /\ x < 2 * INR K.
Proof.
case: (Rlt_le_dec x 1) => hx; first by exists 1%nat; split; [lia | split; [exact: Rmax_l | rewrite /=; lra]].
have [lo hi] := base_Int_part x.
have z0 : (0 <= Int_part x)%Z by apply: le_IZR; have : IZR (-1) < IZR (Int_part x); [lra | move=> /lt_IZR h; apply: IZR_le; lia].
have e : INR (Z.to_nat (Int_part x)) = IZR (Int_part x) by rewrite INR_IZR_INZ Z2Nat.id.
have p : (0 < Int_part x)%Z by apply: lt_IZR; lra.
exists (Z.to_nat (Int_part x)); split; first by lia.
rewrite e; split; first by apply: Rle_trans lo _; exact: Rmax_r.
have := IZR_le 1 (Int_part x) ltac:(lia); lra.
Qed.

Lemma near_centre h n x : 0 <= x <= INR (S n) * h -> exists q, (q < S n)%coq_nat /\ Rabs (x - (INR q + / 2) * h) <= h / 2.
Proof.
elim: n => [|n IH] [x0 xn].
  by exists O; split; [lia | apply: Rabs_le; rewrite /= in xn *; lra].
case: (Rle_lt_dec x (INR (S n) * h)) => hx.
  by have [|q [hq d]] := IH; [lra | exists q; split; [lia | exact: d]].
by exists (S n); split; [lia | apply: Rabs_le; rewrite (S_INR (S n)) in xn; lra].
Qed.

Lemma centres m r K : 0 < r -> (0 < K)%coq_nat -> exists Z : list (nat -> R),
  length Z = Nat.pow K m /\ (forall c, In c Z -> in_box m r c) /\
  forall p, in_box m r p -> exists c, In c Z /\ forall j, (j < m)%coq_nat -> Rabs (p j - c j) <= r / (2 * INR K).
Proof.
move=> r0 K0; have k0 : 0 < INR K by apply: lt_0_INR.
pose at_ q := (INR q + / 2) * (r / INR K).
have range q : (q < K)%coq_nat -> 0 <= at_ q <= r.
  move=> hq; have := pos_INR q; have := le_INR (S q) K ltac:(lia); rewrite S_INR => h1 h2.
  have h0 : 0 < r / INR K by apply: Rdiv_lt_0_compat.
  have e : INR K * (r / INR K) = r by field; lra.
  rewrite /at_; split; first by apply: Rmult_le_pos; lra.
  have : (INR q + / 2) * (r / INR K) <= INR K * (r / INR K) by apply: Rmult_le_compat_r; lra.
  by lra.
elim: m => [|m [Z [len [inside near]]]].
  exists (cons (fun=> 0) nil); split=> //; split=> [c _ j|p _]; first by lia.
  by exists (fun=> 0); split; [left | move=> j; lia].
pose put (qc : nat * (nat -> R)) (j : nat) := if Nat.eqb j m then at_ qc.1 else qc.2 j.
exists (List.map put (list_prod (seq 0 K) Z)); split; first by rewrite map_length prod_length seq_length len.
split=> [c /in_map_iff[[q c'] [<- /in_prod_iff[/in_seq hq hc]]] j hj|p hp].
  rewrite /put /=; case: (Nat.eqb_spec j m) => [_|ne]; first by apply: range; lia.
  by apply: (inside c' hc); lia.
have [|c [hc d]] := near p; first by move=> j hj; apply: hp; lia.
have [K' eK] : exists K', K = S K' by exists (Nat.pred K); lia.
have [|q [hq dq]] := near_centre (r / INR K) K' (p m).
  have -> : INR (S K') * (r / INR K) = r by rewrite -eK; field; lra.
  by apply: hp; lia.
exists (put (q, c)); split; first by apply: in_map; apply/in_prod_iff; split=> //; apply/in_seq; lia.
move=> j hj; rewrite /put /=; case: (Nat.eqb_spec j m) => [->|ne]; last by apply: d; lia.
have -> : r / (2 * INR K) = r / INR K / 2 by field; lra.
exact: dq.
Qed.

Lemma of_set m r (Y : Type) (place : Y -> nat -> R) Z : is_box m r Y place -> (forall c, In c Z -> in_box m r c) ->
  exists Z' : list Y, length Z' = length Z /\
  forall c, In c Z -> exists z, In z Z' /\ forall j, (j < m)%coq_nat -> place z j = c j.
Proof.
move=> [_ onto]; elim: Z => [|c Z IH] inside; first by exists nil.
have [Z' [len all_]] := IH (fun c' hc => inside c' (or_intror hc)).
have [z ez] := onto c (inside c (or_introl erefl)).
exists (cons z Z'); split=> [|c' [<-|hc]]; first by rewrite /= len.
  by exists z; split=> //; left.
by have [z' [hz e]] := all_ c' hc; exists z'; split=> //; right.
Qed.

(* at most max(1, x)^m points of the box, and to one of them at most r/x along every coordinate *)
Lemma grid m r x (Y : Type) (place : Y -> nat -> R) : 0 < r -> 0 < x -> is_box m r Y place -> exists Z : list Y,
  INR (length Z) <= Rmax 1 x ^ m /\
  forall p, in_box m r p -> exists z, In z Z /\ forall j, (j < m)%coq_nat -> Rabs (p j - place z j) <= r / x.
Proof.
move=> r0 x0 box; have [K [K0 [few many]]] := whole_steps x; have k0 : 0 < INR K by apply: lt_0_INR.
have [Z [len [inside near]]] := centres m r K r0 K0.
have [Z' [len' all_]] := of_set m r Y place Z box inside.
exists Z'; split.
  by rewrite len' len pow_INR; apply: pow_incr; lra.
move=> p hp; have [c [hc d]] := near p hp; have [z [hz e]] := all_ c hc.
exists z; split=> // j hj; rewrite e //; apply: Rle_trans (d j hj) _; apply: Rmult_le_compat_l; first by lra.
by apply: Rinv_le_contravar; lra.
Qed.

(* ---- the numbers of a round ---- *)
Section numbers.
Variables (m : nat) (r a b delta : R).
Hypotheses (m0 : (0 < m)%coq_nat) (r0 : 0 < r) (a1 : 1 <= a) (b0 : 0 < b) (delta01 : 0 < delta <= 1).
Notation inside i := (PI ^ 2 * INR (S i) ^ 2 * INR m * a / (3 * delta)).
Notation V i := (Rmax 1 (steps m r a b delta i)).

Let m1 : 1 <= INR m. Proof. by have := le_INR 1 m ltac:(lia). Qed.
Let q1 i : 1 <= INR (S i). Proof. by have := le_INR 1 (S i) ltac:(lia). Qed.
Let i1 i : 1 <= INR (S i) ^ 2. Proof. by have := q1 i; nra. Qed.
Let P9 : 9 <= PI ^ 2. Proof. by have := PI2_3_2; nra. Qed.

Lemma shareE i : share delta i = 6 * delta / (PI ^ 2 * INR (S i) ^ 2).
Proof.
by rewrite /share addn1; have := q1 i; have := PI_RGT_0; move: (INR (S i)) => q P0 j1; field; lra.
Qed.

Lemma inside_above i : 1 < inside i.
Proof.
apply: (Rmult_lt_reg_r (3 * delta)); first by lra.
have -> : inside i * (3 * delta) = PI ^ 2 * INR (S i) ^ 2 * INR m * a by field; lra.
have h1 : 9 <= PI ^ 2 * INR (S i) ^ 2 by have := i1 i; nra.
have h2 : 9 <= PI ^ 2 * INR (S i) ^ 2 * INR m by nra.
have h3 : 9 <= PI ^ 2 * INR (S i) ^ 2 * INR m * a by nra.
by lra.
Qed.

Lemma steepest_pos i : 0 < steepest m a b delta i.
Proof.
apply: Rmult_lt_0_compat => //; apply: sqrt_lt_R0; rewrite -ln_1; apply: ln_increasing; [lra | exact: inside_above].
Qed.

Lemma steps_pos i : 0 < steps m r a b delta i.
Proof.
have := steepest_pos i; have := i1 i => j1 s0.
by apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat => //; apply: Rmult_lt_0_compat; lra.
Qed.

(* all coordinates together are too steep with half the share of the round *)
Lemma steep_share i : INR m * (a * exp (- (steepest m a b delta i / b) ^ 2)) = share delta i / 2.
Proof.
have h := inside_above i; have l0 : 0 < ln (inside i) by rewrite -ln_1; apply: ln_increasing; lra.
have -> : steepest m a b delta i / b = sqrt (ln (inside i)) by rewrite /steepest; field; lra.
rewrite pow2_sqrt; last by lra.
rewrite exp_Ropp exp_ln; last by lra.
by rewrite shareE; have := q1 i; have := PI_RGT_0; move: (INR (S i)) => q P0 j1; field; lra.
Qed.

(* the step of the grid costs at most 1/round^2 *)
Lemma step_cost i : steepest m a b delta i * (INR m * (r / steps m r a b delta i)) = / INR (i + 1) ^ 2.
Proof.
have := steepest_pos i; have := q1 i; rewrite /steps addn1.
by move: (INR (S i)) (steepest _ _ _ _ _) => q u hq hu; field; lra.
Qed.

Lemma V1 i : 1 <= V i. Proof. exact: Rmax_l. Qed.

Lemma width_pos i : 0 <= box_width m r a b delta i.
Proof.
rewrite /box_width; have l1 : 0 <= ln (V i) by apply: ln_ge0; exact: V1.
have : 0 <= ln (2 * PI ^ 2 * INR (S i) ^ 2 / (3 * delta)); last by nra.
apply: ln_ge0; apply: (Rmult_le_reg_r (3 * delta)); first by lra.
have -> : 2 * PI ^ 2 * INR (S i) ^ 2 / (3 * delta) * (3 * delta) = 2 * PI ^ 2 * INR (S i) ^ 2 by field; lra.
by have := i1 i; nra.
Qed.

(* the tails of at most V^m points and of the one that is played *)
Lemma tails_share i L : L <= V i ^ m -> (L + 1) * (2 * normal_cdf (- sqrt (box_width m r a b delta i))) <= share delta i / 2.
Proof.
move=> few; have w0 := width_pos i; have v1 := V1 i.
have Vm : 1 <= V i ^ m by apply: pow_R1_Rle.
have := gaussian_tail (sqrt (box_width m r a b delta i)) (sqrt_pos _).
have s0 : 0 < share delta i.
  by rewrite shareE; apply: Rdiv_lt_0_compat; [lra | have := i1 i; nra].
have e : ln (2 * PI ^ 2 * INR (S i) ^ 2 / (3 * delta)) = - ln (share delta i / 4).
  rewrite -ln_Rinv; last by lra.
  congr ln; rewrite shareE; have := q1 i; have := PI_RGT_0; move: (INR (S i)) => q P0 j1; field; lra.
have -> : - sqrt (box_width m r a b delta i) ^ 2 / 2 = ln (share delta i / 4) + - ln (V i ^ m).
  rewrite pow2_sqrt // ln_pow; last by lra.
  by rewrite /box_width e; lra.
rewrite exp_plus exp_Ropp !exp_ln; [|lra|lra]; set t := 2 * _ => ht.
have t0 : 0 <= t by apply: Rmult_le_pos; [lra | exact: normal_cdf_nonnegative].
apply: Rle_trans (_ : 2 * V i ^ m * t <= _); first by apply: Rmult_le_compat_r; lra.
apply: Rle_trans (Rmult_le_compat_l (2 * V i ^ m) _ _ ltac:(lra) ht) _.
by right; field; lra.
Qed.

Lemma width_up i j : (i <= j)%coq_nat -> box_width m r a b delta i <= box_width m r a b delta j.
Proof.
move=> ij; have u : 1 <= INR (S i) <= INR (S j) by split; [exact: q1 | apply: le_INR; lia].
have u2 : INR (S i) ^ 2 <= INR (S j) ^ 2 by apply: pow_incr; lra.
have P0 : 0 < PI ^ 2 by lra.
have i0 : 0 < / (3 * delta) by apply: Rinv_0_lt_compat; lra.
have up : inside i <= inside j.
  apply: Rmult_le_compat_r; first by lra.
  do 2 (apply: Rmult_le_compat_r; first by lra).
  by apply: Rmult_le_compat_l; lra.
have steep : steepest m a b delta i <= steepest m a b delta j.
  apply: Rmult_le_compat_l; first by lra.
  by apply: sqrt_le_1_alt; apply: ln_le => //; have := inside_above i; lra.
have st : steps m r a b delta i <= steps m r a b delta j.
  have := steepest_pos i => s0; apply: Rmult_le_compat => //; try lra.
    by apply: Rmult_le_pos; [have := i1 i; nra | lra].
  by apply: Rmult_le_compat_r; [lra | apply: Rmult_le_compat_l; lra].
apply: Rplus_le_compat.
  apply: Rmult_le_compat_l; first by lra.
  have g0 : 0 < 2 * PI ^ 2 * INR (S i) ^ 2 by have := i1 i; nra.
  apply: ln_le; first by apply: Rmult_lt_0_compat; lra.
  by apply: Rmult_le_compat_r; [lra | apply: Rmult_le_compat_l; lra].
apply: Rmult_le_compat_l; first by lra.
apply: ln_le; first by have := V1 i; lra.
by apply: Rmax_lub; [exact: Rmax_l | apply: Rle_trans st _; exact: Rmax_r].
Qed.
End numbers.
