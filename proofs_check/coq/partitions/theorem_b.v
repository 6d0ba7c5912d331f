(******************************************************************************)
(*                                 Theorem B                                  *)
(*                                                                            *)
(* Equal cells of time with their middles as centres, whatever the pattern of *)
(* times.                                                                     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   cells_price == the price of the cells                                    *)
(*   theorem_b == the bound on the gain for every pattern                     *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior,          *)
(* theorem_a, theorem_1.                                                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains posterior theorem_a theorem_1.
Open Scope R_scope.
Ltac lian := change addn with Nat.add in *; change subn with Nat.sub in *; lia.

(* where a sorted sequence passes a level *)
Lemma passes tau d n a : (forall i j, (i <= j)%coq_nat -> (j < d + n)%coq_nat -> tau i <= tau j) ->
  exists m, (m <= n)%coq_nat /\ (forall j, (j < m)%coq_nat -> tau (d + j)%coq_nat <= a) /\
    (forall j, (m <= j)%coq_nat -> (j < n)%coq_nat -> a <= tau (d + j)%coq_nat).
Proof.
elim: n => [|n IH] so; first by exists O; split; [lian | split=> j; lian].
have so' i j : (i <= j)%coq_nat -> (j < d + n)%coq_nat -> tau i <= tau j by move=> hi hj; apply: so => //; lian.
have [m [hm [l g]]] := IH so'.
have [e|lt] : m = n \/ (m < n)%coq_nat by lian.
  have [le|gt] := Rle_lt_dec (tau (d + n)%coq_nat) a.
    exists n.+1; split; [lian | split=> j hj; last by lian].
    by have [->//|hj'] : j = n \/ (j < m)%coq_nat by [lian]; exact: l.
  exists n; split; [lian | split=> j hj]; first by apply: l; lian.
  by move=> hj'; have -> : j = n by [lian]; lra.
exists m; split; [lian | split=> // j hj hj'].
have [->|hj2] : j = n \/ (j < n)%coq_nat by lian.
  apply: Rle_trans (g m ltac:(lian) lt) _; apply: so; lian.
exact: g.
Qed.

(* prices of the cells: each has at most n rounds, all within w/2 of its middle *)
Lemma cells_price tau w price N i0 d n n0 a G g :
  0 <= w -> (n <= n0)%coq_nat ->
  (forall i j, (i <= j)%coq_nat -> (j < d + n)%coq_nat -> tau i <= tau j) ->
  (forall j, (j < n)%coq_nat -> a + INR i0 * w <= tau (d + j)%coq_nat <= a + INR (i0 + S N)%coq_nat * w) ->
  (forall i d m, (m <= n0)%coq_nat -> (forall j, (j < m)%coq_nat ->
      a + INR i * w <= tau (d + j)%coq_nat <= a + INR (S i) * w) -> price i d m <= G + INR m * g) ->
  exists bs, total bs = n /\ over_blocks price i0 d bs <= INR (S N) * G + INR n * g.
Proof.
move=> w0; elim: N i0 d n => [|N IH] i0 d n nn so sp hp.
  exists (n :: nil); split=> /=; first by lian.
  rewrite Rplus_0_r Rmult_1_l; apply: hp => // j hj.
  by have := sp j hj; rewrite -Nat.add_succ_comm Nat.add_0_r.
have [m [hm [l u]]] := passes tau d n (a + INR (S i0) * w) so.
have [||||bs [e le]] := IH (S i0) (d + m)%coq_nat (Nat.sub n m).
- lian.
- by move=> i j hi hj; apply: so => //; lian.
- move=> j hj; have e : (d + m + j)%coq_nat = (d + (m + j))%coq_nat by lian.
  rewrite e; split; first by apply: u; lian.
  by have := sp (m + j)%coq_nat ltac:(lian); rewrite -Nat.add_succ_comm; case.
- exact: hp.
exists (m :: bs); split; first by rewrite /=; lian.
have h0 : price i0 d m <= G + INR m * g.
  apply: hp => [|j hj]; first by lian.
  by split; [have [] := sp j ltac:(lian) | exact: l].
rewrite [over_blocks _ _ _ _]/=; have -> : INR (S (S N)) = INR (S N) + 1 by rewrite -S_INR.
have -> : INR n = INR m + INR (Nat.sub n m) by rewrite -plus_INR; congr INR; lian.
lra.
Qed.

Lemma square_root_choice g G a : 0 <= G -> 0 <= a ->
  (forall N, g <= INR (S N) * G + a / INR (S N)) -> g <= G + sqrt (4 * a * G).
Proof.
move=> G0 a0 h.
have [z|Gp] : G = 0 \/ 0 < G by lra.
  rewrite z Rmult_0_r sqrt_0.
  have lim : forall e, 0 < e -> g <= e.
    move=> e e0; have [hN _] := archimed (a / e).
    have [K hK] : exists K, a / e <= INR (S K).
      have pos : 0 <= a / e by apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat.
      exists (Z.to_nat (up (a / e))); rewrite S_INR INR_IZR_INZ Z2Nat.id; first lra.
      by apply: le_IZR; lra.
    have := h K; rewrite z Rmult_0_r Rplus_0_l => hg; apply: Rle_trans hg _.
    have K0 : 0 < INR (S K) by apply: lt_0_INR; lian.
    apply: (Rmult_le_reg_r (INR (S K))) => //.
    have -> : a / INR (S K) * INR (S K) = a by field; lra.
    have := Rmult_le_compat_l e _ _ ltac:(lra) hK.
    by have -> : e * (a / e) = a by field; lra.
  rewrite Rplus_0_r; have [//|gp] := Rle_lt_dec g 0.
  by have := lim (g / 2) ltac:(lra); lra.
pose r := sqrt (a / G).
have ag : 0 <= a / G by apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat.
have r0 : 0 <= r by exact: sqrt_pos.
have rr : r * r = a / G by rewrite /r sqrt_sqrt.
have root : sqrt (4 * a * G) = 2 * (r * G).
  have -> : 4 * a * G = (2 * (r * G)) ^ 2.
    have -> : (2 * (r * G)) ^ 2 = 4 * (r * r) * G ^ 2 by ring.
    by rewrite rr; field; lra.
  by rewrite sqrt_pow2 //; apply: Rmult_le_pos; [lra | apply: Rmult_le_pos; lra].
rewrite root.
(* the least K with r <= K + 1 *)
have [K [hK1 hK2]] : exists K, r <= INR (S K) /\ INR K <= r.
  have [u1 u2] := archimed r.
  have up0 : (0 < up r)%Z by apply: lt_IZR; lra.
  exists (Z.to_nat (up r - 1)); split.
    by rewrite S_INR INR_IZR_INZ Z2Nat.id ?minus_IZR; [lra | lian].
  by rewrite INR_IZR_INZ Z2Nat.id ?minus_IZR; [lra | lian].
have := h K; have K0 : 0 < INR (S K) by apply: lt_0_INR; lian.
have : a / INR (S K) <= r * G.
  apply: (Rmult_le_reg_r (INR (S K))) => //.
  have -> : a / INR (S K) * INR (S K) = r * r * G by rewrite rr; field; lra.
  have := Rmult_le_compat_l (r * G) _ _ ltac:(apply: Rmult_le_pos; lra) hK1; lra.
rewrite S_INR; have := Rmult_le_compat_r G _ _ ltac:(lra) hK2; lra.
Qed.

Theorem theorem_b X k h s theta gamma n x tau a T :
  0 <= s -> 0 <= theta -> 0 <= T -> kernel X k -> kernel R h -> (forall x, k x x <= 1) ->
  (forall t, h t t = 1) -> (forall t u, 1 - h t u <= theta * Rabs (t - u)) ->
  bounds_space_gain X k s gamma ->
  (forall i j, (i <= j)%coq_nat -> (j < n)%coq_nat -> tau i <= tau j) ->
  (forall i, (i < n)%coq_nat -> a <= tau i <= a + T) ->
  gain s n (joint X k h x tau) <= gamma n + sqrt (2 * s * gamma n * INR n * theta * T).
Proof.
move=> s0 t0 T0 pk ph k1 h1 sl bg so sp.
have G0 : 0 <= gamma n by apply: Rle_trans (bg n x); apply: gain_ge0 => //; exact: pk.
have a0 : 0 <= s * INR n * theta * T / 2.
  have := pos_INR n => n0; apply: Rmult_le_pos; last lra.
  by repeat apply: Rmult_le_pos => //.
have -> : 2 * s * gamma n * INR n * theta * T = 4 * (s * INR n * theta * T / 2) * gamma n by field.
apply: square_root_choice => // N.
have N0 : 0 < INR (S N) by apply: lt_0_INR; lian.
pose w := T / INR (S N).
have w0 : 0 <= w by apply: Rmult_le_pos => //; left; exact: Rinv_0_lt_compat.
have wT : INR (S N) * w = T by rewrite /w; field; lra.
pose price (i d m : nat) := gamma n + / 2 * sum m (fun j => ln (1 + s * (1 - h (tau (d + j)%coq_nat) (a + (INR i + / 2) * w) ^ 2))).
have [|||bs [e le]] := cells_price tau w price N O O n n a (gamma n) (/ 2 * (s * theta * w)) w0 (le_n n).
- by move=> i j hi hj; exact: so.
- by move=> j hj; rewrite /= Rmult_0_l Rplus_0_r; have := sp j hj; rewrite -/(INR (S N)) wT.
- move=> i d m hm hj; rewrite /price; apply: Rplus_le_compat_l.
  rewrite -Rmult_assoc (Rmult_comm (INR m)) Rmult_assoc; apply: Rmult_le_compat_l; first lra.
  rewrite -sum_const; apply: sum_le => j /hj; rewrite S_INR => tj.
  set c := a + _; set t := tau _ in tj *.
  have b := time_small h ph h1 t c; have v1 := time_le1 h ph h1 t c; have := sl t c.
  have ab : Rabs (t - c) <= w / 2 by apply: Rabs_le; rewrite /c; lra.
  have := Rmult_le_compat_l theta _ _ t0 ab => q r.
  have q2 : s * (1 - h t c ^ 2) <= s * (theta * w) by apply: Rmult_le_compat_l => //; nra.
  have p : 0 <= s * (1 - h t c ^ 2) by apply: Rmult_le_pos => //; lra.
  have := ln_le_sub (1 + s * (1 - h t c ^ 2)) ltac:(lra); lra.
apply: Rle_trans (_ : over_blocks price 0 0 bs <= _); last first.
  apply: Rle_trans le _; right; rewrite /w; field; lra.
rewrite -e -gain_shift0; apply: gain_partition => //; first by move=> m; exact: semidefinite_joint.
move=> i d m hm.
have mn : (m <= n)%coq_nat.
  rewrite -e; elim: bs hm {e le} => //= b bs IH [->|/IH]; lian.
have := block_gain X k h s s0 pk ph k1 h1 x tau d m (a + (INR i + / 2) * w).
have := space_gain_below X k s gamma m n (fun i => x (d + i)%coq_nat) s0 pk bg mn.
rewrite /price; lra.
Qed.
