(******************************************************************************)
(*                           The forgetting kernel                            *)
(*                                                                            *)
(* exp (-rate |t - u|) is a kernel at all real times; its slope, and the      *)
(* constant kernel.                                                           *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   non_zero n a == how many of n numbers are not 0                          *)
(*                                                                            *)
(* Statements:                                                                *)
(*   semidefinite_min == the entrywise minimum is semidefinite                *)
(*   forgetting_kernel == the forgetting kernel is a kernel                   *)
(*   forgetting_slope == 1 - k(t, u) <= rate |t - u|                          *)
(*   constant_kernel == a function that does not move                         *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains.                     *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains.
Open Scope R_scope.

Lemma semidefinite_ext n A B : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> A i j = B i j) ->
  semidefinite n A -> semidefinite n B.
Proof.
move=> e [sA pA]; split=> [i j hi hj|c]; first by rewrite -!e //; exact: sA.
rewrite (sum_ext n _ (fun i => sum n (fun j => c i * c j * A i j))) // => i hi.
by apply: sum_ext => j hj; rewrite e.
Qed.

Lemma semidefinite_scal n a A : 0 <= a -> semidefinite n A -> semidefinite n (fun i j => a * A i j).
Proof.
move=> a0 [sA pA]; split=> [i j hi hj|c]; first by rewrite sA.
have -> : sum n (fun i => sum n (fun j => c i * c j * (a * A i j))) = a * sum n (fun i => sum n (fun j => c i * c j * A i j)).
  by rewrite -sum_scal; apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
exact: Rmult_le_pos.
Qed.

Fixpoint non_zero n (a : nat -> R) : nat :=
  match n with O => O | S m => Nat.add (non_zero m a) (if Req_EM_T (a m) 0 then O else S O) end.

Lemma non_zero_le n a b : (forall i, (i < n)%coq_nat -> a i = 0 -> b i = 0) -> (non_zero n b <= non_zero n a)%coq_nat.
Proof.
elim: n => //= n IH h; have := IH (fun i hi => h i ltac:(lia)); have := h n ltac:(lia).
case: (Req_EM_T (b n) 0) => [zb|nb]; case: (Req_EM_T (a n) 0) => [za|na] e l /=; try lia.
by case: nb; apply: e.
Qed.

Lemma non_zero_lt n a b j : (j < n)%coq_nat -> a j <> 0 -> b j = 0 ->
  (forall i, (i < n)%coq_nat -> a i = 0 -> b i = 0) -> (non_zero n b < non_zero n a)%coq_nat.
Proof.
elim: n => /= [|n IH] hj aj bj h; first by lia.
have hn := h n ltac:(lia).
have [e|l] : j = n \/ (j < n)%coq_nat by lia.
  have := non_zero_le n a b (fun i hi => h i ltac:(lia)); rewrite -e => l.
  by case: (Req_EM_T (a j) 0) => // na; case: (Req_EM_T (b j) 0) => // zb /=; lia.
have := IH l aj bj (fun i hi => h i ltac:(lia)).
case: (Req_EM_T (b n) 0) => [zb|nb]; case: (Req_EM_T (a n) 0) => [za|na] l2 /=; try lia.
by case: nb; apply: hn.
Qed.

Lemma least_positive n a : (forall i, (i < n)%coq_nat -> a i = 0) \/
  exists j, (j < n)%coq_nat /\ a j <> 0 /\ forall i, (i < n)%coq_nat -> a i <> 0 -> a j <= a i.
Proof.
elim: n => [|n IH]; first by left=> i; lia.
have cases i : (i < S n)%coq_nat -> i = n \/ (i < n)%coq_nat by lia.
have [z|nz] := Req_EM_T (a n) 0.
  case: IH => [h|[j [hj [nj l]]]]; [left=> i /cases [->|] //; exact: h | right].
  by exists j; split; [lia | split=> // i /cases [->|] //; exact: l].
right; case: IH => [h|[j [hj [nj l]]]].
  exists n; split; [lia | split=> // i /cases [-> _|hi ai]; first exact: Rle_refl].
  by rewrite h in ai.
have [le|lt] := Rle_lt_dec (a j) (a n).
  by exists j; split; [lia | split=> // i /cases [->|] //; exact: l].
exists n; split; [lia | split=> // i /cases [-> _|hi ai]; first exact: Rle_refl].
by have := l i hi ai; lra.
Qed.

Lemma semidefinite_min n a : (forall i, (i < n)%coq_nat -> 0 <= a i) ->
  semidefinite n (fun i j => Rmin (a i) (a j)).
Proof.
have [N] : exists N, (non_zero n a <= N)%coq_nat by exists (non_zero n a).
elim: N a => [|N IH] a hN a0; case: (least_positive n a) => [z|[j [hj [nj lj]]]].
- apply: (semidefinite_ext n (fun i j => 0 * 0)) (semidefinite_outer n (fun=> 0)) => i l hi hl.
  by rewrite !z // Rmin_left; lra.
- have := non_zero_lt n a (fun=> 0) j hj nj erefl (fun _ _ _ => erefl); lia.
- apply: (semidefinite_ext n (fun i j => 0 * 0)) (semidefinite_outer n (fun=> 0)) => i l hi hl.
  by rewrite !z // Rmin_left; lra.
pose e i := if Req_EM_T (a i) 0 then 0 else 1.
pose b i := if Req_EM_T (a i) 0 then 0 else a i - a j.
have pb : semidefinite n (fun i l => Rmin (b i) (b l)).
  apply: IH => [|i hi].
    suff : (non_zero n b < non_zero n a)%coq_nat by lia.
    apply: (non_zero_lt n a b j) => //; first by rewrite /b; destruct (Req_EM_T (a j) 0) => /=; lra.
    by move=> i hi' z; rewrite /b; destruct (Req_EM_T (a i) 0).
  by rewrite /b; destruct (Req_EM_T (a i) 0) as [|ne] => /=; [lra | have := lj i hi ne; lra].
apply: semidefinite_ext (semidefinite_plus n _ _ (semidefinite_scal n (a j) _ (a0 j hj) (semidefinite_outer n e)) pb) => i l hi hl.
rewrite /e /b; destruct (Req_EM_T (a i) 0) as [zi|ni]; destruct (Req_EM_T (a l) 0) as [zl|nl] => /=.
- by rewrite zi zl; lra.
- have := a0 l hl; have := lj l hl nl => x y; rewrite zi !Rmin_left; lra.
- have := a0 i hi; have := lj i hi ni => x y; rewrite zl !Rmin_right; lra.
- by rewrite /Rmin; case: Rle_dec => u; case: Rle_dec => v; lra.
Qed.

Lemma forgetting_factors rate t u : 0 <= rate ->
  forgetting rate t u = exp (- (rate * t)) * exp (- (rate * u)) * Rmin (exp (2 * rate * t)) (exp (2 * rate * u)).
Proof.
move=> r0; rewrite /forgetting -exp_plus.
have mono a b : a <= b -> exp (2 * rate * a) <= exp (2 * rate * b).
  move=> ab; have : 2 * rate * a <= 2 * rate * b by apply: Rmult_le_compat_l; lra.
  by case=> [l|->]; [left; exact: exp_increasing | lra].
have [le|le] : t <= u \/ u <= t by lra.
  rewrite Rmin_left; last exact: mono.
  by rewrite -exp_plus; congr exp; rewrite Rabs_left1; lra.
rewrite Rmin_right; last exact: mono.
by rewrite -exp_plus; congr exp; rewrite Rabs_right; lra.
Qed.

Theorem forgetting_kernel rate : 0 <= rate -> kernel R (forgetting rate).
Proof.
move=> r0 n t.
apply: semidefinite_ext (semidefinite_hadamard n _ _ (semidefinite_outer n (fun i => exp (- (rate * t i))))
  (semidefinite_min n (fun i => exp (2 * rate * t i)) _)) => [i j _ _|i _].
  by rewrite forgetting_factors.
by left; exact: exp_pos.
Qed.

Lemma forgetting_unit rate t : forgetting rate t t = 1.
Proof. by rewrite /forgetting Rminus_eq_0 Rabs_R0 Rmult_0_r Ropp_0 exp_0. Qed.

Lemma forgetting_pos rate t u : 0 <= forgetting rate t u.
Proof. by left; exact: exp_pos. Qed.

Lemma forgetting_slope rate t u : 1 - forgetting rate t u <= rate * Rabs (t - u).
Proof. by rewrite /forgetting; have := exp_ineq1_le (- (rate * Rabs (t - u))); lra. Qed.

(* the constant kernel: every point has the same value *)
Lemma constant_kernel X : kernel X (fun _ _ => 1).
Proof.
move=> n x; apply: semidefinite_ext (semidefinite_outer n (fun=> 1)) => i j _ _; ring.
Qed.
