(******************************************************************************)
(*                   Lemma M and the search for partitions                    *)
(*                                                                            *)
(* The mean pair sum of a block grows when a neighbour joins; pruning loses   *)
(* nothing.                                                                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   lemma_m == mean pair sums grow                                           *)
(*   superadditive == prices of adjacent blocks                               *)
(*   pruning_exact == the pruned search finds the least cost                  *)
(*                                                                            *)
(* Rests on: library, definitions, sums.                                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums.
Open Scope R_scope.
Ltac lian := change addn with Nat.add in *; change subn with Nat.sub in *; lia.

Section LemmaM.
Variables (D : R -> R) (tau : nat -> R) (d a b : nat).
Hypotheses (D0 : forall u, 0 <= D u) (Dm : forall u v, 0 <= u -> u <= v -> D u <= D v)
  (so : forall i j, (i <= j)%coq_nat -> (j < (a + b)%coq_nat)%coq_nat -> tau (d + i)%coq_nat <= tau (d + j)%coq_nat).

Let P j k := D (Rabs (tau (d + j)%coq_nat - tau (d + k)%coq_nat)).

Lemma pair_sym j k : P j k = P k j.
Proof. by rewrite /P Rabs_minus_sym. Qed.

Lemma pair_mono i j k l : (i <= j)%coq_nat -> (j <= k)%coq_nat -> (k <= l)%coq_nat -> (l < (a + b)%coq_nat)%coq_nat ->
  P j k <= P i l.
Proof.
move=> h1 h2 h3 hl; have s1 := so i j h1 ltac:(lian); have s2 := so j k h2 ltac:(lian); have s3 := so k l h3 ltac:(lian).
by apply: Dm; [exact: Rabs_pos | rewrite !Rabs_left1; lra].
Qed.

Lemma pair_split : pair_sum D tau d (a + b)%coq_nat =
  pair_sum D tau d a + 2 * sum a (fun j => sum b (fun k => P j (a + k)%coq_nat)) + pair_sum D tau (d + a)%coq_nat b.
Proof.
rewrite /pair_sum sum_add.
rewrite (sum_ext a _ (fun j => sum a (fun k => P j k) + sum b (fun k => P j (a + k)%coq_nat))); last by move=> j _; rewrite sum_add.
rewrite (sum_ext b _ (fun j => sum a (fun k => P k (a + j)%coq_nat) + sum b (fun k => P (a + j)%coq_nat (a + k)%coq_nat))); last first.
  by move=> j _; rewrite sum_add; congr (_ + _); apply: sum_ext => k _; rewrite [RHS]pair_sym.
rewrite !sum_plus (sum_swap b a).
have -> : sum b (fun i => sum b (fun k => P (a + i)%coq_nat (a + k)%coq_nat)) =
  sum b (fun j => sum b (fun k => D (Rabs (tau ((d + a)%coq_nat + j)%coq_nat - tau ((d + a)%coq_nat + k)%coq_nat)))).
  apply: sum_ext => j _; apply: sum_ext => k _; rewrite /P.
  by congr (D (Rabs (tau _ - tau _))); lian.
by rewrite /P; cbv beta; ring.
Qed.

(* the first block *)
Lemma mean_first : INR (a + b)%coq_nat * pair_sum D tau d a <= INR a * pair_sum D tau d (a + b)%coq_nat.
Proof.
have [z|a0] : a = O \/ (0 < a)%coq_nat by lia.
  by rewrite /pair_sum z /=; lra.
set l := Nat.sub a 1; pose S := sum a (fun j => P j l).
have c0 n (f : nat -> nat -> R) m : (forall i j, 0 <= f i j) -> 0 <= sum n (fun i => sum m (fun j => f i j)).
  by move=> h; apply: sum_ge0 => i _; apply: sum_ge0 => j _.
have inner : pair_sum D tau d a <= 2 * INR a * S.
  have -> : 2 * INR a * S = sum a (fun j => sum a (fun k => P j l + P k l)).
    rewrite (sum_ext a _ (fun j => INR a * P j l + S)); last by move=> j _; rewrite sum_plus sum_const.
    by rewrite sum_plus sum_scal sum_const -/S; ring.
  apply: sum_le => j hj; apply: sum_le => k hk; rewrite -/(P j k).
  have p1 : 0 <= P j l by exact: D0.
  have p2 : 0 <= P k l by exact: D0.
  have [jk|kj] : (j <= k)%coq_nat \/ (k <= j)%coq_nat by lia.
    by have := pair_mono j j k l ltac:(lia) jk ltac:(rewrite /l; lia) ltac:(rewrite /l; lian); lra.
  by rewrite pair_sym; have := pair_mono k k j l ltac:(lia) kj ltac:(rewrite /l; lia) ltac:(rewrite /l; lian); lra.
have cross : INR b * S <= sum a (fun j => sum b (fun k => P j (a + k)%coq_nat)).
  rewrite /S -sum_scal; apply: sum_le => j hj; rewrite -sum_const; apply: sum_le => k hk.
  by apply: pair_mono; rewrite /l; lian.
rewrite pair_split plus_INR.
have := c0 b (fun j k => D (Rabs (tau ((d + a)%coq_nat + j)%coq_nat - tau ((d + a)%coq_nat + k)%coq_nat))) b (fun _ _ => D0 _).
rewrite -/(pair_sum D tau (d + a)%coq_nat b) => C0.
have a0' := pos_INR a; have b0' := pos_INR b.
have := Rmult_le_compat_l (INR b) _ _ b0' inner.
have := Rmult_le_compat_l (INR a) _ _ a0' cross.
have := Rmult_le_pos _ _ a0' C0; nra.
Qed.

(* the second block *)
Lemma mean_second : INR (a + b)%coq_nat * pair_sum D tau (d + a)%coq_nat b <= INR b * pair_sum D tau d (a + b)%coq_nat.
Proof.
have [z|b0] : b = O \/ (0 < b)%coq_nat by lia.
  by rewrite /pair_sum z /=; lra.
pose S := sum b (fun j => P a (a + j)%coq_nat).
have c0 n (f : nat -> nat -> R) m : (forall i j, 0 <= f i j) -> 0 <= sum n (fun i => sum m (fun j => f i j)).
  by move=> h; apply: sum_ge0 => i _; apply: sum_ge0 => j _.
have inner : pair_sum D tau (d + a)%coq_nat b <= 2 * INR b * S.
  have -> : 2 * INR b * S = sum b (fun j => sum b (fun k => P a (a + j)%coq_nat + P a (a + k)%coq_nat)).
    rewrite (sum_ext b _ (fun j => INR b * P a (a + j)%coq_nat + S)); last by move=> j _; rewrite sum_plus sum_const.
    by rewrite sum_plus sum_scal sum_const -/S; ring.
  apply: sum_le => j hj; apply: sum_le => k hk.
  have -> : D (Rabs (tau ((d + a)%coq_nat + j)%coq_nat - tau ((d + a)%coq_nat + k)%coq_nat)) = P (a + j)%coq_nat (a + k)%coq_nat.
    by rewrite /P; congr (D (Rabs (tau _ - tau _))); lian.
  have p1 : 0 <= P a (a + j)%coq_nat by exact: D0.
  have p2 : 0 <= P a (a + k)%coq_nat by exact: D0.
  have [jk|kj] : (j <= k)%coq_nat \/ (k <= j)%coq_nat by lia.
    by have := pair_mono a (a + j)%coq_nat (a + k)%coq_nat (a + k)%coq_nat ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lian); lra.
  by rewrite pair_sym; have := pair_mono a (a + k)%coq_nat (a + j)%coq_nat (a + j)%coq_nat ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lian); lra.
have cross : INR a * S <= sum a (fun j => sum b (fun k => P j (a + k)%coq_nat)).
  rewrite sum_swap /S -sum_scal; apply: sum_le => j hj; rewrite -sum_const; apply: sum_le => k hk.
  by apply: pair_mono; lian.
rewrite pair_split plus_INR.
have := c0 a (fun j k => D (Rabs (tau (d + j)%coq_nat - tau (d + k)%coq_nat))) a (fun _ _ => D0 _).
rewrite -/(pair_sum D tau d a) => C0.
have a0' := pos_INR a; have b0' := pos_INR b.
have := Rmult_le_compat_l (INR a) _ _ a0' inner.
have := Rmult_le_compat_l (INR b) _ _ b0' cross.
have := Rmult_le_pos _ _ b0' C0; nra.
Qed.

End LemmaM.

Theorem lemma_m D tau d a b :
  (forall u, 0 <= D u) -> (forall u v, 0 <= u -> u <= v -> D u <= D v) ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) -> (0 < a)%coq_nat -> (0 < b)%coq_nat ->
  pair_sum D tau d a / INR a <= pair_sum D tau d (a + b)%coq_nat / INR (a + b)%coq_nat /\
  pair_sum D tau (d + a)%coq_nat b / INR b <= pair_sum D tau d (a + b)%coq_nat / INR (a + b)%coq_nat.
Proof.
move=> D0 Dm so a0 b0; have A0 : 0 < INR a by apply: lt_0_INR.
have B0 : 0 < INR b by apply: lt_0_INR.
have AB0 : 0 < INR (a + b)%coq_nat by apply: lt_0_INR; lia.
have so' i j : (i <= j)%coq_nat -> (j < (a + b)%coq_nat)%coq_nat -> tau (d + i)%coq_nat <= tau (d + j)%coq_nat.
  by move=> hi _; apply: so; lia.
have m1 := mean_first D tau d a b D0 Dm so'; have m2 := mean_second D tau d a b D0 Dm so'.
have mov u v p q : 0 < p -> 0 < q -> q * u <= p * v -> u / p <= v / q.
  move=> p0 q0 h; apply: (Rmult_le_reg_r (p * q)); first nra.
  have -> : u / p * (p * q) = q * u by field; lra.
  by have -> : v / q * (p * q) = p * v by field; lra.
by split; apply: mov.
Qed.

(* w = m g(C/m) is superadditive over adjacent blocks *)
Theorem superadditive D g tau d a b :
  (forall u, 0 <= D u) -> (forall u v, 0 <= u -> u <= v -> D u <= D v) ->
  (forall u v, u <= v -> g u <= g v) ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) -> (0 < a)%coq_nat -> (0 < b)%coq_nat ->
  INR a * g (pair_sum D tau d a / INR a) + INR b * g (pair_sum D tau (d + a)%coq_nat b / INR b) <=
  INR (a + b)%coq_nat * g (pair_sum D tau d (a + b)%coq_nat / INR (a + b)%coq_nat).
Proof.
move=> D0 Dm gm so a0 b0; have [m1 m2] := lemma_m D tau d a b D0 Dm so a0 b0.
rewrite plus_INR Rmult_plus_distr_r.
by apply: Rplus_le_compat; apply: Rmult_le_compat_l; [exact: pos_INR | rewrite -?plus_INR; exact: gm | exact: pos_INR | rewrite -?plus_INR; exact: gm].
Qed.

(* the last best start is never pruned *)
Lemma last_best x (Q : nat -> Prop) : (forall j, Q j \/ ~ Q j) ->
  (exists j, (j < x)%coq_nat /\ Q j) ->
  exists j, (j < x)%coq_nat /\ Q j /\ forall e, (j < e)%coq_nat -> (e < x)%coq_nat -> ~ Q e.
Proof.
move=> dec; elim: x => [|x IH] [j [hj qj]]; first by lia.
case: (dec x) => [qx|nq]; first by exists x; split; [lia | split=> // e; lia].
have [|i [hi [qi l]]] := IH.
  exists j; split=> //; have [e|//] : j = x \/ (j < x)%coq_nat by lia.
  by rewrite e in qj.
exists i; split; first lia.
split=> // e he hx; have [->//|hx'] : e = x \/ (e < x)%coq_nat by lia.
exact: l.
Qed.

Theorem pruning_exact L price w F :
  (forall m m', (m <= m')%coq_nat -> price m <= price m') ->
  (forall j e x, (j < e)%coq_nat -> (e < x)%coq_nat -> w j e + w e x <= w j x) ->
  least_cost L price w F ->
  forall x, (0 < x)%coq_nat -> exists j, (j < x)%coq_nat /\ (Nat.sub x j <= L)%coq_nat /\
    ~ pruned w F j x /\ F x = F j + (price (Nat.sub x j) + w j x).
Proof.
move=> pm sup [F0 hF] x x0; have [lo [j0 [hj0 [hL0 e0]]]] := hF x x0.
pose Q j := (Nat.sub x j <= L)%coq_nat /\ F x = F j + (price (Nat.sub x j) + w j x).
have dec j : Q j \/ ~ Q j.
  rewrite /Q; case: (Req_EM_T (F x) (F j + (price (Nat.sub x j) + w j x))) => e.
    by have [l|l] : (Nat.sub x j <= L)%coq_nat \/ ~ (Nat.sub x j <= L)%coq_nat by [lia]; [left | right; case].
  by right; case.
have [j [hj [[hL e] last]]] := last_best x Q dec (ex_intro _ j0 (conj hj0 (conj hL0 e0))).
exists j; split=> //; split=> //; split=> // -[c [jc [cx le]]].
apply: (last c jc cx); split; first by lia.
have := lo c cx ltac:(lia); have := sup j c x jc cx; have := pm (Nat.sub x c) (Nat.sub x j) ltac:(lia).
by move: e le; lra.
Qed.
