(******************************************************************************)
(*                   A checker of what every policy loses                     *)
(*                                                                            *)
(* The mean of the largest value from points that are far apart, times what   *)
(* each round loses of it.                                                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   floor_parts == what its yes means, but for probability                   *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, posterior, full_information,           *)
(*   theorem_1, kernels, scalar, residuals, intervals, whole_times,           *)
(*   interval_matrices, problems, covariances, gain_from_below,               *)
(*   checked_joint_gain, checked_design, checked_regret, largest_of_normals.  *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool FunctionalExtensionality.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import scalar definitions sums gains posterior kernels.
From CTV Require full_information theorem_1.
From CTV Require Import intervals residuals whole_times interval_matrices matern problems covariances gain_from_below checked_joint_gain
  checked_design checked_regret largest_of_normals.
Import ListNotations.
Open Scope R_scope.

Record floor_certificate := {
  fscale : positive;
  chosen_points : list nat;      (* the numbers of points that are far apart *)
  apart : Z;                     (* so much of the identity is in their covariance, over the scale *)
  froot : list (list Z);         (* and the square of this, over the scale *)
  lowest : Z; step : positive;   (* levels, over the scale *)
  steps : nat;
  late : nat;                    (* the last results that a policy does not know; 0 for other clocks *)
  fweights : list (list Z) }.    (* of the rounds before each round; none where the clock forgets *)

(* a matrix with a large diagonal *)
Lemma semidefinite_dominated n A : (forall i j, (i < n)%nat -> (j < n)%nat -> A i j = A j i) ->
  (forall i, (i < n)%nat -> sum n (fun j => if Nat.eqb i j then 0 else Rabs (A i j)) <= A i i) -> semidefinite n A.
Proof.
intros sy big; split; [exact sy |]; intros c.
set (B := fun i j => if Nat.eqb i j then 0 else Rabs (A i j)).
assert (half : sum n (fun i => sum n (fun j => c j ^ 2 * B i j)) = sum n (fun i => sum n (fun j => c i ^ 2 * B i j))).
{ rewrite sum_swap; apply sum_ext; intros i hi; apply sum_ext; intros j hj; unfold B.
  rewrite Nat.eqb_sym; destruct Nat.eqb; [easy | now rewrite sy]. }
assert (low : 0 <= sum n (fun i => c i ^ 2 * A i i) - sum n (fun i => sum n (fun j => c i ^ 2 * B i j))).
{ rewrite <- sum_minus; apply sum_ge0; intros i hi; rewrite sum_scal, <- Rmult_minus_distr_l.
  apply Rmult_le_pos; [apply pow2_ge_0 |]; specialize (big i hi); unfold B; lra. }
assert (mid : sum n (fun i => c i ^ 2 * A i i) = sum n (fun i => sum n (fun j => if Nat.eqb i j then c j ^ 2 * A j j else 0))).
{ apply sum_ext; intros i hi; now rewrite (sum_pick n i (fun j => c j ^ 2 * A j j)). }
apply Rle_trans with (1 := low); rewrite mid.
apply Rle_trans with (sum n (fun i => sum n (fun j => if Nat.eqb i j then c j ^ 2 * A j j else 0)) -
  / 2 * (sum n (fun i => sum n (fun j => c i ^ 2 * B i j)) + sum n (fun i => sum n (fun j => c j ^ 2 * B i j)))).
  rewrite half; lra.
rewrite <- sum_plus, <- sum_scal, <- sum_minus; apply sum_le; intros i hi.
rewrite <- sum_plus, <- sum_scal, <- sum_minus; apply sum_le; intros j hj; unfold B.
destruct (Nat.eqb_spec i j) as [->|ne]; [right; ring |].
assert (a := Rle_abs (c i * c j * - A i j)); rewrite !Rabs_mult, Rabs_Ropp in a.
assert (p := Rabs_pos (A i j)); assert (q := pow2_ge_0 (Rabs (c i) - Rabs (c j))).
assert (e : (Rabs (c i) - Rabs (c j)) ^ 2 = c i ^ 2 + c j ^ 2 - 2 * (Rabs (c i) * Rabs (c j))).
{ rewrite <- (pow2_abs (c i)), <- (pow2_abs (c j)); ring. }
rewrite e in q; nra.
Qed.
Lemma semidefinite_square n p (L : nat -> nat -> R) : semidefinite n (fun i j => sum p (fun l => L i l * L j l)).
Proof.
induction p as [|p IH].
- apply (semidefinite_ext n (fun _ _ => 0 * 0)); [intros; simpl; ring | exact (semidefinite_outer n (fun _ => 0))].
- apply (semidefinite_plus n (fun i j => sum p (fun l => L i l * L j l)) (fun i j => L i p * L j p)); [exact IH |].
  exact (semidefinite_outer n (fun i => L i p)).
Qed.

(* clocks that forget *)
Definition forgets (law : time_law) : bool :=
  match law with Forgets _ => true | Stationary (Matern O) _ => true | _ => false end.
Lemma forgetting_markov r t u v : t <= u <= v -> forgetting r t v = forgetting r t u * forgetting r u v.
Proof.
intros h; unfold forgetting; rewrite <- exp_plus; f_equal.
rewrite !(Rabs_minus_sym _ v), (Rabs_minus_sym t u), !Rabs_pos_eq by lra; ring.
Qed.
Definition slope_of (law : time_law) : R :=
  match law with Forgets e => rate_of e | Stationary _ c => sqrt (valQ c) end.
Lemma slope_ge0 law : time_positive law -> 0 <= slope_of law.
Proof. destruct law; simpl; [easy | intros _; apply sqrt_pos]. Qed.
Lemma forgets_slope law : time_positive law -> forgets law = true -> forall t u, over_time law t u = forgetting (slope_of law) t u.
Proof.
destruct law as [e|f c]; simpl; intros c0 h t u; [easy |].
destruct f as [| |[|p]]; try easy; unfold correlation, matern, forgetting; simpl.
replace (valQ c * ((t - u) * ((t - u) * 1))) with (valQ c * Rsqr (t - u)) by (unfold Rsqr; ring).
rewrite sqrt_mult, sqrt_Rsqr_abs, Rmult_1_l by (exact c0 || apply Rle_0_sqr); f_equal; ring.
Qed.

Fixpoint sorted (l : list Z) : bool :=
  match l with a :: (b :: _) as r => (a <=? b)%Z && sorted r | _ => true end.
Lemma sorted_at l : sorted l = true -> forall i j, (i <= j)%nat -> (nth i l (last l 0) <= nth j l (last l 0))%Z.
Proof.
induction l as [|a [|b r] IH]; intros h; [intros [|i] [|j]; simpl; lia | intros [|[|i]] [|[|j]]; simpl; lia |].
apply andb_prop in h; destruct h as [ab h]; apply Z.leb_le in ab; specialize (IH h).
assert (e : last (a :: b :: r) 0%Z = last (b :: r) 0%Z) by easy; rewrite e.
intros [|i] [|j] ij; [simpl; lia | | lia |].
- apply Z.le_trans with b; [exact ab |]; exact (IH 0%nat j ltac:(lia)).
- exact (IH i j ltac:(lia)).
Qed.

Lemma nth_skipn_ (l : list Z) m i : nth i (skipn m l) 0%Z = nth (m + i) l 0%Z.
Proof. revert l; induction m as [|m IH]; intros [|a l]; simpl; trivial; now destruct i. Qed.

Lemma losing_mono q p : q <= p -> 1 - sqrt (1 - q) <= 1 - sqrt (1 - p).
Proof. intros h; apply Rplus_le_compat_l, Ropp_le_contravar, sqrt_le_1_alt; lra. Qed.

Module Floor (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export R_ := Regret F.
Section Floor.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Div := (I.div prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).
Variables (P : problem) (q : floor_certificate).
Let n := length (ticks P).
Let s := s_of P.
Let J := gram R (time_of P) (tau P).

(* powers *)
Fixpoint power_I (p : positive) (x : I.type) : I.type :=
  match p with
  | xH => x
  | xO p => let y := power_I p x in Mul y y
  | xI p => let y := power_I p x in Mul x (Mul y y)
  end.
Lemma mem_power p r i : mem r i -> mem (r ^ Pos.to_nat p) (power_I p i).
Proof.
intros h; induction p as [p IH|p IH|]; simpl power_I.
- refine (mem_eq _ _ _ _ (mem_mul prec _ _ _ _ h (mem_mul prec _ _ _ _ IH IH))).
  rewrite Pos2Nat.inj_xI; replace (S (2 * Pos.to_nat p)) with (S (Pos.to_nat p + Pos.to_nat p)) by lia; simpl; now rewrite pow_add.
- refine (mem_eq _ _ _ _ (mem_mul prec _ _ _ _ IH IH)).
  rewrite Pos2Nat.inj_xO; replace (2 * Pos.to_nat p)%nat with (Pos.to_nat p + Pos.to_nat p)%nat by lia; now rewrite pow_add.
- now refine (mem_eq _ _ _ _ h); simpl; ring.
Qed.

(* the mean of the largest of independent values, in steps *)
Let p := length (chosen_points q).
Let below := valQ (lowest q, fscale q).
Let wide := valQ (Zpos (step q), fscale q).
Definition wide_I : I.type := Q_ (Zpos (step q), fscale q).
Definition below_I : I.type := Q_ (lowest q, fscale q).
Definition start_I : I.type := Mul (half prec) (I.exp prec (I.neg (Mul (half prec) (I.sqr prec below_I)))).
Definition root_I : I.type := I.inv prec (I.sqrt prec (Mul (Z_ 2) (I.pi prec))).
Definition thin_I : I.type := Sub (Z_ 1) (I.sqr prec (Mul (half prec) wide_I)).
Definition increment_I (thin root w f : I.type) (j : nat) : I.type :=
  let a := Add f (Mul (Add (Z_ (Z.of_nat j)) (half prec)) w) in
  Mul w (Mul root (I.exp prec (Mul (I.neg (Mul (half prec) (I.sqr prec a))) thin))).
Fixpoint counted_I (thin root w f : I.type) (many j : nat) (u : I.type) : I.type :=
  match many with
  | O => Z_ 0
  | S many => let v := Add u (increment_I thin root w f j) in
    Add (Mul w (Sub (Z_ 1) (power_I (Pos.of_nat p) v))) (counted_I thin root w f many (S j) v)
  end.
Definition largest_I : I.type :=
  let w := wide_I in
  Sub (Add below_I (counted_I thin_I root_I w below_I (steps q) 0 start_I))
    (Mul (Mul (Z_ (Z.of_nat (steps q))) w) (power_I (Pos.of_nat (Nat.pred p)) start_I)).

Lemma mem_start : mem (cdf_above below wide 0) start_I.
Proof.
refine (mem_eq _ _ _ _ (mem_mul prec _ _ _ _ (mem_half prec) (mem_exp prec _ _ (mem_neg _ _ (mem_mul prec _ _ _ _ (mem_half prec) (mem_sqr prec _ _ (mem_Q prec (lowest q, fscale q)))))))).
simpl; f_equal; f_equal; fold below; field.
Qed.
Lemma mem_increment j : mem (cdf_above below wide (S j) - cdf_above below wide j) (increment_I thin_I root_I wide_I below_I j).
Proof.
assert (w := mem_Q prec (Zpos (step q), fscale q)); assert (b := mem_Q prec (lowest q, fscale q)); assert (h := mem_half prec).
fold wide in w; fold below in b.
refine (mem_eq _ _ _ _ (mem_mul prec _ _ _ _ w (mem_mul prec _ _ _ _
  (mem_inv prec _ _ (mem_sqrt prec _ _ (mem_mul prec _ _ _ _ (mem_Z prec 2) (mem_pi prec))))
  (mem_exp prec _ _ (mem_mul prec _ _ _ _ (mem_neg _ _ (mem_mul prec _ _ _ _ h (mem_sqr prec _ _
    (mem_add prec _ _ _ _ b (mem_mul prec _ _ _ _ (mem_add prec _ _ _ _ (mem_nat prec j) h) w)))))
    (mem_sub prec _ _ _ _ (mem_Z prec 1) (mem_sqr prec _ _ (mem_mul prec _ _ _ _ h w)))))))).
change (cdf_above below wide (S j)) with (cdf_above below wide j +
  wide * (/ sqrt (2 * PI) * exp (- ((below + (INR j + / 2) * wide) ^ 2 / 2) * (1 - (wide / 2) ^ 2)))).
unfold Rminus at 2; rewrite Rplus_assoc, (Rplus_comm _ (- _)), <- Rplus_assoc, Rplus_opp_r, Rplus_0_l.
f_equal; f_equal; f_equal; field.
Qed.
Lemma mem_counted many : (1 <= p)%nat -> forall j u, mem (cdf_above below wide j) u ->
  mem (sum many (fun l => wide * (1 - cdf_above below wide (S (j + l)) ^ p))) (counted_I thin_I root_I wide_I below_I many j u).
Proof.
intros p1; induction many as [|many IH]; intros j u hu; [apply (mem_Z prec 0) |].
rewrite sum_S; cbn [counted_I]; cbv zeta.
assert (v : mem (cdf_above below wide (S j)) (Add u (increment_I thin_I root_I wide_I below_I j))).
{ refine (mem_eq _ _ _ _ (mem_add prec _ _ _ _ hu (mem_increment j))); ring. }
apply mem_add.
- rewrite Nat.add_0_r; apply mem_mul; [apply mem_Q |]; apply mem_sub; [apply (mem_Z prec 1) |].
  replace p with (Pos.to_nat (Pos.of_nat p)) at 1 by (apply Nat2Pos.id; lia); now apply mem_power.
- refine (mem_eq _ _ _ _ (IH (S j) _ v)); apply sum_ext; intros l _; now replace (S j + l)%nat with (j + S l)%nat by lia.
Qed.
Lemma mem_largest m : p = S m -> (1 <= m)%nat -> mem (steps_below m (steps q) below wide) largest_I.
Proof.
intros e m1; apply mem_sub; [apply mem_add; [apply mem_Q |] |].
- rewrite <- e; apply mem_counted; [lia | apply mem_start].
- apply mem_mul; [apply mem_mul; [apply mem_nat | apply mem_Q] |].
  replace m with (Pos.to_nat (Pos.of_nat (Nat.pred p))) by (rewrite Nat2Pos.id; lia); apply mem_power, mem_start.
Qed.

(* points that are far apart *)
Let x i := nth (nth i (chosen_points q) 0%nat) (points P) [].
Let k i j := space_of P (x i) (x j).
Let L := entry (fscale q) (froot q).
Let d := valQ (apart q, fscale q).
Definition chosen : list place := map (fun i => nth i (points P) []) (chosen_points q).
Definition between_I : list (list I.type) :=
  let xs := chosen in let t := table_of prec P xs xs in map (fun a => map (value prec P t a) xs) xs.
Lemma nth_chosen i : (i < length chosen)%nat -> nth i chosen [] = x i.
Proof.
unfold chosen, x; intros h; rewrite (nth_indep _ _ (nth 0 (points P) [])) by easy.
now rewrite (map_nth (fun i => nth i (points P) [])).
Qed.
Lemma mem_between : memM k between_I.
Proof.
apply (memM_map place _ _ _ []); intros i hi; apply (memV_map place _ _ _ []); intros j hj.
rewrite !nth_chosen by easy; apply mem_value, good_table.
Qed.
Let E i j := k i j - d * identity i j - sum p (fun l => L i l * L j l).
Definition entry_I (K G : list (list I.type)) (i j : nat) : I.type :=
  Sub (Sub (nth j (nth i K []) I.nai) (if Nat.eqb i j then Q_ (apart q, fscale q) else Z_ 0)) (nth j (nth i G []) I.nai).
Definition apart_I : bool :=
  let K := between_I in let r := read prec (fscale q) (froot q) in let G := times prec p r r in
  (0 <=? apart q)%Z && forallb (fun i => le prec
    (isum prec p (fun j => if Nat.eqb i j then Z_ 0 else I.abs (entry_I K G i j))) (entry_I K G i i)) (seq 0 p).
Lemma mem_abs r i : mem r i -> mem (Rabs r) (I.abs i).
Proof. apply (I.abs_correct i (Xreal r)). Qed.
Lemma apart_sound : apart_I = true -> kernel place (space_of P) -> 0 <= d /\ semidefinite p (fun i j => k i j - d * identity i j).
Proof.
unfold apart_I; cbv zeta; intros h pk; apply andb_prop in h; destruct h as [d0 h]; split; [now apply (fraction_ge0 (apart q, fscale q)) |].
set (r := read _ _ _) in h; set (G := times _ _ _ _) in h.
assert (mE : forall i j, mem (E i j) (entry_I between_I G i j)).
{ intros i j; apply mem_sub; [apply mem_sub; [apply mem_between |] |].
  - unfold identity; destruct Nat.eqb; [rewrite Rmult_1_r; apply mem_Q | rewrite Rmult_0_r; apply (mem_Z prec 0)].
  - exact (mem_times prec p L L _ _ (mem_read prec _ _) (mem_read prec _ _) i j). }
assert (sk : forall i j, k i j = k j i).
{ intros i j; destruct (pk 2%nat (fun a => if Nat.eqb a 0 then x i else x j)) as [sy _].
  exact (sy 0%nat 1%nat ltac:(lia) ltac:(lia)). }
apply (semidefinite_ext p (fun i j => E i j + sum p (fun l => L i l * L j l))); [intros; unfold E; ring |].
apply semidefinite_plus; [| apply semidefinite_square].
apply semidefinite_dominated.
- intros i j _ _; unfold E; rewrite sk; unfold identity; rewrite Nat.eqb_sym; f_equal; apply sum_ext; intros; ring.
- intros i hi; rewrite forallb_forall in h; specialize (h i ltac:(apply in_seq; lia)).
  refine (le_sound prec _ _ _ _ _ (mE i i) h); apply mem_isum; intros j.
  destruct Nat.eqb; [apply (mem_Z prec 0) | now apply mem_abs].
Qed.

(* what each round loses of the mean *)
Definition losing_I (v : I.type) : I.type := Sub (Z_ 1) (I.sqrt prec (Sub (Z_ 1) v)).
Lemma mem_losing r i : mem r i -> mem (1 - sqrt (1 - r)) (losing_I i).
Proof. intros h; apply mem_sub; [apply (mem_Z prec 1) |]; apply mem_sqrt, mem_sub; [apply (mem_Z prec 1) | exact h]. Qed.

(* by the recursion *)
Definition carried_I (a nu v : I.type) : I.type :=
  Sub (Z_ 1) (Mul (Mul a (Mul a (Z_ 1))) (Sub (Z_ 1) (Div (Mul v nu) (Add v nu)))).
(* of the rounds whose last result that is known is the first of l, of which v was left before it *)
Fixpoint recursion_I (rate nu v : I.type) (l ahead : list Z) : I.type :=
  match l, ahead with
  | b :: r, a :: ahead =>
    Add (losing_I (carried_I (lag_I prec P rate b a) nu v))
      (recursion_I rate nu (carried_I (lag_I prec P rate b (hd 0%Z r)) nu v) r ahead)
  | _, _ => Z_ 0
  end.
Let share := floor_share (fun j => time_of P (tau P j) (tau P (S j)) ^ 2) (fun _ => / s).
Definition nu_I : I.type := I.inv prec (Q_ (ratio_s P)).
Let tick i := nth i (ticks P) (last (ticks P) 0%Z).
Let D := late q.
Let losing m := 1 - sqrt (1 - carried (time_of P (tau P m) (tau P (S D + m)) ^ 2) (/ s) (share m)).
Lemma mem_carried_at m i v : mem (share m) v ->
  mem (carried (time_of P (tau P m) (tau P i) ^ 2) (/ s) (share m)) (carried_I (lag_I prec P (clock_rate prec P) (tick m) (tick i)) nu_I v).
Proof.
intros hv; assert (hn := mem_inv prec _ _ (mem_Q prec (ratio_s P))); assert (ha := mem_lag prec P m i).
apply mem_sub; [apply (mem_Z prec 1) |]; apply mem_mul; [apply mem_mul; [exact ha | apply mem_mul; [exact ha | apply (mem_Z prec 1)]] |].
apply mem_sub; [apply (mem_Z prec 1) |]; apply mem_div; [now apply mem_mul | now apply mem_add].
Qed.
Lemma mem_recursion ahead : forall l j v, mem (share j) v -> (length ahead <= length l)%nat ->
  (forall m, (m < length l)%nat -> nth m l 0%Z = tick (j + m)) ->
  (forall m, (m < length ahead)%nat -> nth m ahead 0%Z = tick (S D + (j + m))) ->
  mem (sum (length ahead) (fun m => losing (j + m))) (recursion_I (clock_rate prec P) nu_I v l ahead).
Proof.
induction ahead as [|a ahead IH]; intros l j v hv len hl ha; [destruct l; apply (mem_Z prec 0) |].
destruct l as [|b r]; [simpl in len; lia |]; simpl length in *; rewrite sum_S.
assert (eb := hl 0%nat ltac:(lia)); assert (ea := ha 0%nat ltac:(lia)); rewrite Nat.add_0_r in *; simpl in eb, ea.
cbn [recursion_I]; rewrite eb, ea; apply mem_add.
- unfold losing; apply mem_losing, mem_carried_at; exact hv.
- destruct r as [|b' r].
  + destruct ahead; [| simpl in len; lia]; apply (mem_Z prec 0).
  + assert (eb' := hl 1%nat ltac:(simpl; lia)); simpl in eb'.
    refine (mem_eq _ _ _ _ (IH (b' :: r) (S j) _ _ _ _ _)).
    * apply sum_ext; intros m _; now replace (S j + m)%nat with (j + S m)%nat by lia.
    * simpl hd; rewrite eb'; replace (j + 1)%nat with (S j) by lia; exact (mem_carried_at j (S j) v hv).
    * lia.
    * intros m hm; transitivity (tick (j + S m)); [exact (hl (S m) ltac:(simpl in *; lia)) | f_equal; lia].
    * intros m hm; transitivity (tick (S D + (j + S m))); [exact (ha (S m) ltac:(lia)) | f_equal; lia].
Qed.

(* by weights: as a design that stays at one point *)
Let still_design : design_certificate := {| dscale := fscale q; design := repeat 0%nat n; dweights := fweights q |}.
Let c := entry (fscale q) (fweights q).
Definition losing_row (rows : list (list I.type)) (irw : nat * (list I.type * list I.type)) : I.type :=
  losing_I (left_over_I prec P rows (fst irw) (fst (snd irw)) (snd (snd irw))).
Definition weighted : list I.type :=
  let rows := design_I prec P still_design in
  map (losing_row rows) (combine (seq 0 n) (combine rows (read prec (fscale q) (fweights q)))).
Definition lost_I : I.type :=
  if forgets (clock P) then
    Add (Z_ (Z.of_nat (Nat.min n (S D)))) (recursion_I (clock_rate prec P) nu_I (Z_ 1) (ticks P) (skipn (S D) (ticks P)))
  else let w := weighted in isum prec n (fun i => nth i w I.nai).
Definition lost_known : bool :=
  if forgets (clock P) then sorted (ticks P)
  else Nat.eqb D 0 && Nat.eqb (length (combine (seq 0 n) (combine (design_I prec P still_design) (read prec (fscale q) (fweights q))))) n.

(* the rounds that are known when round i is played, and then that round *)
Definition when_last i j : R := tau P (if Nat.ltb j (i - D) then j else i).
Let var i := variance s (i - D) (gram R (time_of P) (when_last i)).
Lemma late_share i : time_positive (clock P) -> forgets (clock P) = true -> sorted (ticks P) = true -> 0 < s ->
  var i = floor_share (fun j => time_of P (when_last i j) (when_last i (S j)) ^ 2) (fun _ => / s) (i - D).
Proof.
intros tp f so s0; set (r := slope_of (clock P)); assert (hr := forgets_slope _ tp f).
assert (mono : forall a b, (a <= b)%nat -> tau P a <= tau P b).
{ intros a b ab; unfold tau, at_tick; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; now apply IZR_lt |].
  now apply IZR_le, sorted_at. }
assert (mono' : forall a b, (a <= b)%nat -> when_last i a <= when_last i b).
{ intros a b ab; apply mono; destruct (Nat.ltb_spec a (i - D)), (Nat.ltb_spec b (i - D)); lia. }
assert (e := full_information.share_recursion (time_of P) s (when_last i) (time_kernel P tp) (time_one P)
  (fun u v w h => eq_trans (hr u w) (eq_trans (forgetting_markov r u v w h) (f_equal2 Rmult (eq_sym (hr u v)) (eq_sym (hr v w))))) s0 mono' (i - D)).
rewrite <- e; unfold var; rewrite full_information.variance_covariance; unfold gram; now rewrite time_one.
Qed.
Lemma share_same i m : (m < i - D)%nat ->
  floor_share (fun j => time_of P (when_last i j) (when_last i (S j)) ^ 2) (fun _ => / s) m = share m.
Proof.
induction m as [|m IH]; intros h; [reflexivity |]; unfold share; cbn [floor_share]; fold share; rewrite IH by lia; f_equal.
unfold when_last; destruct (Nat.ltb_spec m (i - D)), (Nat.ltb_spec (S m) (i - D)); try lia; reflexivity.
Qed.
Lemma late_known i : time_positive (clock P) -> forgets (clock P) = true -> sorted (ticks P) = true -> 0 < s ->
  1 - sqrt (1 - var (S D + i)) = losing i.
Proof.
intros tp f so s0; rewrite late_share by easy; unfold losing; f_equal; f_equal; f_equal.
assert (e : (S D + i - D = S i)%nat) by lia.
set (N := fun _ : nat => / s); set (F := fun j => _ ^ 2).
transitivity (floor_share F N (S i)); [now rewrite e at 1 |].
cbn [floor_share]; assert (same := share_same (S D + i) i ltac:(lia)); fold F N in same; rewrite same; f_equal.
unfold F, when_last; rewrite e; destruct (Nat.ltb_spec i (S i)), (Nat.ltb_spec (S i) (S i)); try lia; reflexivity.
Qed.
Lemma late_unknown i : time_positive (clock P) -> forgets (clock P) = true -> sorted (ticks P) = true -> 0 < s -> (i <= D)%nat ->
  1 - sqrt (1 - var i) = 1.
Proof.
intros tp f so s0 h; rewrite late_share by easy; set (F := fun j => _ ^ 2).
assert (e : (i - D = 0)%nat) by lia; transitivity (1 - sqrt (1 - floor_share F (fun _ => / s) 0)); [now rewrite e at 1 |].
cbn [floor_share]; rewrite Rminus_eq_0, sqrt_0; ring.
Qed.

Let one_point i : place := nth (nth i (repeat 0%nat n) 0%nat) (points P) [].
Lemma still_joint : joint place (space_of P) (time_of P) one_point (tau P) = J.
Proof.
assert (z : forall i m, nth i (repeat 0%nat m) 0%nat = 0%nat).
{ intros i m; revert i; induction m as [|m IH]; intros [|i]; simpl; trivial. }
apply functional_extensionality; intros i; apply functional_extensionality; intros j.
unfold joint, J, gram, one_point; rewrite !z, space_one; ring.
Qed.
Lemma lost_sound : lost_known = true -> kernels_I prec P = true -> 0 < s ->
  exists lost, mem lost lost_I /\ lost <= sum n (fun i => 1 - sqrt (1 - var i)).
Proof.
unfold lost_known, lost_I; cbv zeta; intros hk ker s0; destruct (kernels_sound prec P ker) as [pk ph].
destruct (forgets (clock P)) eqn:f.
- assert (tp : time_positive (clock P)) by (apply andb_prop in ker; now apply (time_positive_sound prec)).
  assert (ls : length (skipn (S D) (ticks P)) = (n - S D)%nat) by (apply skipn_length).
  exists (INR (Nat.min n (S D)) + sum (length (skipn (S D) (ticks P))) (fun m => losing (0 + m))); split.
  + apply mem_add; [apply mem_nat |]; apply mem_recursion; [apply (mem_Z prec 1) | rewrite ls; unfold n; lia | |].
    * intros m hm; unfold tick; now apply nth_indep.
    * intros m hm; unfold tick; rewrite nth_skipn_; apply nth_indep; rewrite ls in hm; unfold n in hm; lia.
  + rewrite ls; right; destruct (Nat.le_gt_cases n (S D)) as [l|l].
    * replace (n - S D)%nat with 0%nat by lia; rewrite Nat.min_l by easy; simpl sum; rewrite Rplus_0_r.
      rewrite (sum_ext n _ (fun _ => 1)) by (intros i hi; apply late_unknown; trivial; lia); rewrite sum_const; ring.
    * rewrite Nat.min_r by lia; replace n with (S D + (n - S D))%nat at 2 by lia; rewrite sum_add; f_equal.
      -- rewrite (sum_ext (S D) _ (fun _ => 1)) by (intros i hi; apply late_unknown; trivial; lia); rewrite sum_const; ring.
      -- apply sum_ext; intros i _; symmetry; now apply late_known.
- apply andb_prop in hk; destruct hk as [hD hk]; apply Nat.eqb_eq in hk, hD.
  assert (now_ : forall i, var i = variance s i J).
  { intros i; unfold var; rewrite hD, Nat.sub_0_r; apply theorem_1.variance_ext; intros a b ha hb; unfold gram, J, gram, when_last.
    assert (w : forall c, (c <= i)%nat -> (if Nat.ltb c (i - D) then c else i) = c).
    { intros c0 hc; rewrite hD, Nat.sub_0_r; destruct (Nat.ltb_spec c0 i); lia. }
    now rewrite !w. }
  set (A := joint place (space_of P) (time_of P) one_point (tau P)).
  assert (eA : A = J) by apply still_joint.
  assert (pA : semidefinite n A) by (rewrite eA; exact (ph n (tau P))).
  exists (sum n (fun i => 1 - sqrt (1 - left_over s A c i))); split.
  2: { apply sum_le; intros i hi; rewrite now_, <- eA; apply losing_mono, left_over_le with n; [lra | exact pA | exact hi]. }
  assert (m : forall i, (i < n)%nat -> mem (1 - sqrt (1 - left_over s A c i)) (nth i weighted I.nai)).
  { intros i hi; unfold weighted in *; cbv zeta in *; set (f0 := losing_row (design_I prec P still_design)) in *.
    rewrite (nth_indep _ _ (f0 (0%nat, ([], [])))) by (rewrite map_length, hk; exact hi).
    assert (l1 : (i < length (combine (seq 0 n) (combine (design_I prec P still_design) (read prec (fscale q) (fweights q)))))%nat) by (rewrite hk; exact hi).
    assert (l2 : (i < length (combine (design_I prec P still_design) (read prec (fscale q) (fweights q))))%nat) by (rewrite combine_length in l1; lia).
    rewrite map_nth, (nth_both nat) by exact l1; rewrite nth_both by exact l2.
    rewrite seq_nth by easy; unfold f0, losing_row; simpl fst; simpl snd; simpl plus.
    apply mem_losing, (mem_left_over prec P still_design); [apply (mem_design prec P still_design) | apply mem_read | lia | exact pA]. }
  assert (some : forall j, (j <= n)%nat -> mem (sum j (fun i => 1 - sqrt (1 - left_over s A c i))) (isum prec j (fun i => nth i weighted I.nai))).
  { induction j as [|j IH]; intros jn; [apply (mem_Z prec 0) | apply mem_add; [apply IH; lia | apply m; lia]]. }
  now apply some.
Qed.

Definition check_floor (claim : Z * positive) : bool :=
  let lost := lost_I in
  kernels_I prec P && lt prec (Z_ 0) (Q_ (ratio_s P)) && Nat.ltb 1 p &&
  forallb (fun i => Nat.ltb i (length (points P))) (chosen_points q) && (lowest q <=? 0)%Z && apart_I && lost_known &&
  le prec (Z_ 0) lost && le prec (Q_ claim) (Mul (Mul (I.sqrt prec (Q_ (apart q, fscale q))) largest_I) lost).

Theorem floor_parts claim : check_floor claim = true ->
  kernel place (space_of P) /\ kernel R (time_of P) /\ 0 < s /\
  (forall i, (i < p)%nat -> (nth i (chosen_points q) 0 < length (points P))%nat) /\
  exists m lost, p = S m /\ below <= 0 /\ 0 < wide /\ 0 <= d /\
    semidefinite (S m) (fun i j => k i j - d * identity i j) /\
    0 <= lost <= sum n (fun i => 1 - sqrt (1 - var i)) /\
    valQ claim <= sqrt d * steps_below m (steps q) below wide * lost.
Proof.
unfold check_floor; cbv zeta; intros h.
apply andb_prop in h; destruct h as [h total]; apply andb_prop in h; destruct h as [h l0];
apply andb_prop in h; destruct h as [h known]; apply andb_prop in h; destruct h as [h far];
apply andb_prop in h; destruct h as [h b0]; apply andb_prop in h; destruct h as [h inside];
apply andb_prop in h; destruct h as [h p1]; apply andb_prop in h; destruct h as [ker s0].
destruct (kernels_sound prec P ker) as [pk ph].
apply (lt_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec _)) in s0; apply Nat.ltb_lt in p1.
destruct (lost_sound known ker s0) as [lost [ml up]].
destruct (apart_sound far pk) as [d0 sd].
split; [exact pk |]; split; [exact ph |]; split; [exact s0 |]; split.
  intros i hi; rewrite forallb_forall in inside; apply Nat.ltb_lt, inside, nth_In; exact hi.
assert (e : p = S (Nat.pred p)) by lia.
exists (Nat.pred p), lost; split; [exact e |]; split.
  apply Z.leb_le, IZR_le in b0; unfold below, valQ; simpl fst; simpl snd.
  assert (iv : 0 < / IZR (Zpos (fscale q))) by (apply Rinv_0_lt_compat; now apply IZR_lt); unfold Rdiv; nra.
split; [unfold wide, valQ; simpl; apply Rdiv_lt_0_compat; now apply IZR_lt |].
split; [exact d0 |]; split; [rewrite <- e; exact sd |]; split.
  split; [exact (le_sound prec _ _ _ _ (mem_Z prec 0) ml l0) | exact up].
refine (le_sound prec _ _ _ _ (mem_Q prec claim) _ total).
apply mem_mul; [apply mem_mul; [apply mem_sqrt, mem_Q | apply mem_largest; lia] | exact ml].
Qed.
End Floor.
End Floor.
