(******************************************************************************)
(*                            The game of one arm                             *)
(*                                                                            *)
(* The deterministic parts of Theorem G and of the lower bound for times that *)
(* depend on the point.                                                       *)
(*                                                                            *)
(* Statements:                                                                *)
(*   arms_pathwise == a round pays the prices of playing and of passing       *)
(*   first_play, block_least == blocks of one arm                             *)
(*   cells_below == means of step functions                                   *)
(*   lattice_windows == rounds on a lattice of times                          *)
(*                                                                            *)
(* Rests on: library, definitions, sums, gains, full_information.             *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums gains full_information.
Open Scope R_scope.

Lemma found_or_not n (f g : nat -> R) a :
  (exists b, (b < n)%coq_nat /\ b <> a /\ g b < f b) \/ forall b, (b < n)%coq_nat -> b <> a -> f b <= g b.
Proof.
elim: n => [|n [[b [hb h]]|IH]]; first by right=> b hb; lia.
  by left; exists b; split=> //; lia.
case: (Nat.eq_dec n a) => [na|na].
  right=> b hb ba; apply: IH => //; lia.
have [l|l] := Rle_lt_dec (f n) (g n); last by left; exists n; split; [lia | split].
right=> b hb ba; have [->|hb'] : b = n \/ (b < n)%coq_nat by lia.
  exact: l.
exact: IH.
Qed.

Lemma sum_two n g a b A B : (a < n)%coq_nat -> (b < n)%coq_nat -> a <> b -> g a <= A -> g b <= B ->
  (forall x, (x < n)%coq_nat -> x <> a -> x <> b -> g x <= 0) -> sum n g <= A + B.
Proof.
move=> ha hb ab gA gB go.
rewrite -(sum_one n a (fun=> A) ha) -(sum_one n b (fun=> B) hb) -sum_plus; apply: sum_le => x hx.
case: (Nat.eqb_spec a x) => [e|na]; case: (Nat.eqb_spec b x) => [e2|nb]; rewrite -?e -?e2 //; try lra; try lia.
have := go x hx (fun h => na (esym h)) (fun h => nb (esym h)); lra.
Qed.

(* what a round costs is at least the prices of playing and of passing, summed over the arms *)
Theorem arms_pathwise N (f rival : nat -> R) top a psi : (a < N)%coq_nat ->
  (forall x, (x < N)%coq_nat -> f x <= top) ->
  (forall x, (x < N)%coq_nat -> (forall y, (y < N)%coq_nat -> y <> x -> f y <= rival x) /\
     exists y, (y < N)%coq_nat /\ y <> x /\ f y = rival x) ->
  (forall u v, 0 <= u <= v -> psi u <= psi v) -> (forall u, 0 <= u -> 0 <= psi u <= u) ->
  sum N (fun x => if Nat.eqb x a then Rmax 0 (rival x - f x) - psi (Rmax 0 (rival x - f x))
                  else psi (Rmax 0 (f x - rival x))) <= top - f a.
Proof.
move=> ha htop hr mono psi01.
have psi0 : psi 0 = 0 by have := psi01 0 ltac:(lra); lra.
have top0 := htop a ha.
have [riv [y [hy [ya fy]]]] := hr a ha.
have u1 : 0 <= Rmax 0 (rival a - f a) <= top - f a.
  by split; [exact: Rmax_l | apply: Rmax_lub; [lra | have := htop y hy; lra]].
have [[b [hb [ba gb]]]|all] := found_or_not N f rival a.
  have [rivb [z [hz [zb fz]]]] := hr b hb.
  have fab := rivb a ha (fun e => ba (esym e)).
  have fba := riv b hb ba.
  apply: Rle_trans (sum_two N _ a b (Rmax 0 (rival a - f a) - psi (Rmax 0 (rival a - f a)))
                            (psi (Rmax 0 (rival a - f a))) ha hb (fun e => ba (esym e)) _ _ _) _; last lra.
  - by rewrite Nat.eqb_refl; lra.
  - case: (Nat.eqb_spec b a) => // _; apply: mono; split; first exact: Rmax_l.
    by apply: Rmax_lub; [exact: Rmax_l | apply: Rle_trans (Rmax_r _ _); lra].
  move=> x hx xa xb; case: (Nat.eqb_spec x a) => // _.
  have [rx _] := hr x hx; have := rx b hb (fun e => xb (esym e)) => r1.
  have := rivb x hx xb => r2; rewrite Rmax_left; lra.
have zero x : (x < N)%coq_nat -> x <> a -> psi (Rmax 0 (f x - rival x)) = 0.
  by move=> hx xa; have := all x hx xa => l; rewrite Rmax_left; lra.
apply: Rle_trans (_ : _ <= sum N (fun x => if Nat.eqb a x then Rmax 0 (rival x - f x) - psi (Rmax 0 (rival x - f x)) else 0)) _.
  apply: sum_le => x hx; rewrite Nat.eqb_sym; case: (Nat.eqb_spec a x) => [_|na]; first lra.
  by rewrite zero //; [lra | move=> e; apply: na].
by rewrite sum_one //; have := psi01 _ (proj1 u1); lra.
Qed.

(* a block of one arm's game: the first play, or none *)
Theorem first_play m (played : nat -> bool) (play pass : nat -> R) :
  (forall k, (k < m)%coq_nat -> 0 <= play k) -> (forall k, (k < m)%coq_nat -> 0 <= pass k) ->
  let cost := sum m (fun k => if played k then play k else pass k) in
  cost = sum m pass \/ exists j, (j < m)%coq_nat /\ sum j pass + play j <= cost.
Proof.
elim: m => [|m IH] hp hq cost; first by left.
have [e|[j [hj l]]] := IH (fun k hk => hp k ltac:(lia)) (fun k hk => hq k ltac:(lia)).
  rewrite /cost sum_last e; case E: (played m); last by left.
  by right; exists m; split; [lia | lra].
right; exists j; split; first lia.
by rewrite /cost sum_last; case: (played m); [have := hp m ltac:(lia) | have := hq m ltac:(lia)]; lra.
Qed.

(* of a block, whatever is played in it: all passes of the first j rounds, or a price of playing there *)
Theorem block_least m j (played : nat -> bool) (play pass : nat -> R) u : (j <= m)%coq_nat ->
  (forall k, (k < m)%coq_nat -> 0 <= play k) -> (forall k, (k < m)%coq_nat -> 0 <= pass k) ->
  (forall k, (k < j)%coq_nat -> u <= play k) ->
  Rmin (sum j pass) u <= sum m (fun k => if played k then play k else pass k).
Proof.
move=> jm hp hq hu.
have more a b : (a <= b)%coq_nat -> (b <= m)%coq_nat -> sum a pass <= sum b pass.
  move=> ab bm; have -> : b = (a + (Nat.sub b a))%coq_nat by lia.
  rewrite sum_add; suff : 0 <= sum (Nat.sub b a) (fun i => pass (a + i)%coq_nat) by lra.
  by apply: sum_ge0 => i hi; apply: hq; lia.
have [->|[k [hk l]]] := first_play m played play pass hp hq.
  by apply: Rle_trans (Rmin_l _ _) _; apply: more; lia.
have [kj|jk] : (k < j)%coq_nat \/ (j <= k)%coq_nat by lia.
  apply: Rle_trans (Rmin_r _ _) _; have := hu k kj; have := more O k ltac:(lia) ltac:(lia); rewrite [sum 0 _]/=; lra.
by apply: Rle_trans (Rmin_l _ _) _; have := more j k jk ltac:(lia); have := hp k hk; lra.
Qed.

(* the mean of a step function by its steps, and below it with chances known from both sides *)
Theorem cells_below m W P lo hi : P O = 1 -> P (S m) = 0 ->
  (forall k, (k < m)%coq_nat -> lo k <= P (S k) <= hi k) ->
  W O + sum m (fun k => Rmax 0 (W (S k) - W k) * lo k - Rmax 0 (W k - W (S k)) * hi k) <=
  sum (S m) (fun k => W k * (P k - P (S k))).
Proof.
move=> P0 Pm h.
have abel q : sum (S q) (fun k => W k * (P k - P (S k))) =
  W O * P O + sum q (fun k => (W (S k) - W k) * P (S k)) - W q * P (S q).
  by elim: q => [|q IH]; [rewrite /=; ring | rewrite sum_last IH sum_last; ring].
rewrite abel P0 Pm; suff : sum m (fun k => Rmax 0 (W (S k) - W k) * lo k - Rmax 0 (W k - W (S k)) * hi k) <=
  sum m (fun k => (W (S k) - W k) * P (S k)) by lra.
apply: sum_le => k hk; have [l1 l2] := h k hk.
have [l|l] := Rle_lt_dec (W k) (W (S k)).
  rewrite (Rmax_right 0 (W (S k) - W k)) ?(Rmax_left 0 (W k - W (S k))); try lra.
  by have := Rmult_le_compat_l (W (S k) - W k) _ _ ltac:(lra) l1; lra.
rewrite (Rmax_left 0 (W (S k) - W k)) ?(Rmax_right 0 (W k - W (S k))); try lra.
by have := Rmult_le_compat_l (W k - W (S k)) _ _ ltac:(lra) l2; lra.
Qed.

(* rounds at the multiples J 0 < J 1 < ... of a lattice, at most L apart: each window of L multiples
   holds one of them *)
Theorem lattice_windows L n (J : nat -> nat) (rho low : nat -> R) : (0 < L)%coq_nat ->
  (forall i, (i < n)%coq_nat -> (i = O -> (0 < J i)%coq_nat /\ (J i <= L)%coq_nat) /\
     (forall h, i = S h -> (J h < J i)%coq_nat /\ (J i <= (J h + L)%coq_nat)%coq_nat)) ->
  (forall j, 0 <= rho j) ->
  (forall k j, ((k * L)%coq_nat < j)%coq_nat -> (j <= ((k * L)%coq_nat + L)%coq_nat)%coq_nat -> low k <= rho j) ->
  forall W, ((W * L)%coq_nat <= n)%coq_nat -> sum W low <= sum n (fun i => rho (J i)).
Proof.
move=> L0 hJ r0 hl W hW.
have grow i : (i < n)%coq_nat -> (i < J i)%coq_nat.
  elim: i => [|i IH] hi; first by have [a _] := hJ O hi; have := a erefl; lia.
  by have [_ b] := hJ (S i) hi; have [c _] := b i erefl; have := IH ltac:(lia); lia.
have mono m m' : (m <= m')%coq_nat -> sum m (fun i => rho (J i)) <= sum m' (fun i => rho (J i)).
  elim: m' => [|m' IH] h; first by have -> : m = O by [lia]; lra.
  have [->|h'] : m = S m' \/ (m <= m')%coq_nat by lia.
    lra.
  by rewrite sum_last; have := IH h'; have := r0 (J m'); lra.
(* the first m rounds lie in the first W windows, and the next beyond *)
suff : exists m, (m <= n)%coq_nat /\ (forall i, (i < m)%coq_nat -> (J i <= (W * L)%coq_nat)%coq_nat) /\
    ((m < n)%coq_nat -> ((W * L)%coq_nat < J m)%coq_nat) /\ sum W low <= sum m (fun i => rho (J i)).
  by move=> [m [mn [_ [_ h]]]]; apply: Rle_trans h _; exact: mono.
elim: W hW => [|W IH] hW.
  exists O; split; first lia; split; first by move=> i; lia.
  split=> [hn|]; last by rewrite /=; lra.
  by have := grow O hn; rewrite Nat.mul_0_l.
have SW : (S W * L)%coq_nat = ((W * L)%coq_nat + L)%coq_nat by rewrite Nat.mul_succ_l.
rewrite SW in hW; have [m [mn [before [after le]]]] := IH ltac:(lia).
rewrite SW; clear SW IH; move: before after hW (hl W); set WL := (W * L)%coq_nat => before after hW hlW.
have mn' : (m < n)%coq_nat.
  have [e|//] : m = n \/ (m < n)%coq_nat by lia.
  by have := before (Nat.sub n 1) ltac:(lia); have := grow (Nat.sub n 1) ltac:(lia); lia.
have inside : (J m <= (WL + L)%coq_nat)%coq_nat.
  have [hz hs] := hJ m mn'; case: (m) (before) hz hs => [|h] bef hz hs.
    by have := hz erefl; lia.
  by have [_ g] := hs h erefl; have := bef h ltac:(lia); lia.
have low1 := hlW (J m) (after mn') inside.
have next gap : forall p, (p <= n)%coq_nat -> (S m <= p)%coq_nat -> Nat.sub n p = gap ->
    (forall i, (i < p)%coq_nat -> (J i <= (WL + L)%coq_nat)%coq_nat) ->
    exists q, (S m <= q)%coq_nat /\ (q <= n)%coq_nat /\ (forall i, (i < q)%coq_nat -> (J i <= (WL + L)%coq_nat)%coq_nat) /\
      ((q < n)%coq_nat -> ((WL + L)%coq_nat < J q)%coq_nat).
  elim: gap => [|gap IHg] p pn pm d base.
    by exists p; split=> //; split=> //; split=> // ?; lia.
  case: (Compare_dec.le_lt_dec (J p) (WL + L)%coq_nat) => [l|l]; last by exists p; split=> //; split=> //; split.
  apply: (IHg (S p)); [lia | lia | lia | move=> i hi].
  have [->|hi'] : i = p \/ (i < p)%coq_nat by lia.
    by [].
  exact: base.
have [q [mq [qn [bq aq]]]] : exists q, (S m <= q)%coq_nat /\ (q <= n)%coq_nat /\
    (forall i, (i < q)%coq_nat -> (J i <= (WL + L)%coq_nat)%coq_nat) /\ ((q < n)%coq_nat -> ((WL + L)%coq_nat < J q)%coq_nat).
  apply: (next (Nat.sub n (S m)) (S m)); [lia | lia | by [] | move=> i hi].
  have [->|hi'] : i = m \/ (i < m)%coq_nat by lia.
    by lia.
  by have := before i hi'; lia.
exists q; split=> //; split=> //; split=> //.
apply: Rle_trans (mono (S m) q mq); rewrite !sum_last; lra.
Qed.
