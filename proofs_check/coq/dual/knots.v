(******************************************************************************)
(*                               Knots in time                                *)
(*                                                                            *)
(* Conditioning on one value after another: each knot costs a gain of space,  *)
(* and the rounds keep their residual variances.                              *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   regression J m i, remainder J m == the weights on value m, and the       *)
(*       covariances that are left                                            *)
(*                                                                            *)
(* Statements:                                                                *)
(*   remainder_semidefinite == what is left is semidefinite                   *)
(*   knots_matrix == the bound on the gain by knots                           *)
(*                                                                            *)
(* Rests on: library, definitions, sums, gains, kernels.                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums gains kernels.
Open Scope R_scope.

Definition form (n : nat) (A : nat -> nat -> R) (c : nat -> R) : R :=
  sum n (fun i => sum n (fun j => c i * c j * A i j)).

(* the regression on value m, and what is left *)
Definition regression (J : nat -> nat -> R) (m i : nat) : R :=
  if Rle_dec (J m m) 0 then 0 else J i m / sqrt (J m m).
Definition remainder (J : nat -> nat -> R) (m i j : nat) : R :=
  J i j - regression J m i * regression J m j.

Lemma form_split n W v c :
  form n (fun i j => W i j + v i * v j) c = form n W c + sum n (fun i => c i * v i) ^ 2.
Proof.
rewrite /form; set S := sum n (fun i => c i * v i).
have -> : S ^ 2 = sum n (fun i => c i * v i * S) by rewrite sum_scalr -/S /=; ring.
rewrite -sum_plus; apply: sum_ext => i _.
have -> : c i * v i * S = sum n (fun j => c i * v i * (c j * v j)) by rewrite sum_scal.
by rewrite -sum_plus; apply: sum_ext => j _; ring.
Qed.

Lemma form_ext n A B c : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> A i j = B i j) ->
  form n A c = form n B c.
Proof. by move=> h; apply: sum_ext => i hi; apply: sum_ext => j hj; rewrite h. Qed.

Lemma form_last n A c : (forall i, (i < S n)%coq_nat -> A i n = 0 /\ A n i = 0) ->
  form (S n) A c = form n A c.
Proof.
move=> h; rewrite /form /=.
rewrite (sum_ext n (fun j => c n * c j * A n j) (fun=> 0)); last first.
  by move=> j hj; rewrite (proj2 (h j ltac:(lia))) Rmult_0_r.
rewrite sum_0 (proj1 (h n ltac:(lia))) Rmult_0_r !Rplus_0_r; apply: sum_ext => i hi.
by rewrite (proj1 (h i ltac:(lia))); lra.
Qed.

(* a value without variance has no covariance *)
Lemma no_variance m J i : semidefinite (S m) J -> J m m <= 0 -> (i <= m)%coq_nat -> J i m = 0.
Proof.
move=> pJ d0 him; have d1 := semidefinite_diag (S m) J m ltac:(lia) pJ.
have d : J m m = 0 by lra.
case: (Nat.eq_dec i m) => [->|ne] //.
have hi : (i < m)%coq_nat by lia.
case: (pJ) => sJ p; have s1 := sJ i m ltac:(lia) ltac:(lia).
have key t : 0 <= J i i + 2 * t * J i m.
  have := p (fun l => if Nat.eqb l i then 1 else if Nat.eqb l m then t else 0).
  have pick (f : nat -> R) : sum (S m) (fun l => (if Nat.eqb l i then 1 else if Nat.eqb l m then t else 0) * f l) = f i + t * f m.
    rewrite /= (proj2 (Nat.eqb_neq m i)); last by lia.
    rewrite Nat.eqb_refl; congr (_ + _).
    have -> : m = (i + S (m - S i))%coq_nat by rewrite -?minusE; lia.
    rewrite sum_add (sum_ext i _ (fun=> 0)); last first.
      move=> l hl; rewrite (proj2 (Nat.eqb_neq l i)); last by lia.
      by case: Nat.eqb_spec => e; [lia | rewrite Rmult_0_l].
    rewrite sum_0 Rplus_0_l sum_S Nat.add_0_r Nat.eqb_refl Rmult_1_l.
    rewrite (sum_ext _ _ (fun=> 0)); first by rewrite sum_0 Rplus_0_r.
    move=> l hl; rewrite (proj2 (Nat.eqb_neq _ i)); last by lia.
    by case: Nat.eqb_spec => e; [move: hl e; rewrite -?minusE; lia | rewrite Rmult_0_l].
  move=> h; have e : J i i + 2 * t * J i m = sum (S m) (fun i0 => sum (S m) (fun j =>
     (if Nat.eqb i0 i then 1 else if Nat.eqb i0 m then t else 0) * (if Nat.eqb j i then 1 else if Nat.eqb j m then t else 0) * J i0 j)).
    rewrite (sum_ext (S m) _ (fun i0 => (if Nat.eqb i0 i then 1 else if Nat.eqb i0 m then t else 0) * (J i0 i + t * J i0 m))).
      by rewrite pick -s1 d; ring.
    by move=> a _; rewrite -(pick (J a)) -sum_scal; apply: sum_ext => b _; rewrite Rmult_assoc.
  by rewrite e.
have k1 := key (- (J i i + 1) / (2 * J i m)).
case: (Req_dec (J i m) 0) => // nz; exfalso.
have : J i i + 2 * (- (J i i + 1) / (2 * J i m)) * J i m = -1 by field.
lra.
Qed.

Lemma remainder_last m J : semidefinite (S m) J ->
  forall i, (i < S m)%coq_nat -> remainder J m i m = 0 /\ remainder J m m i = 0.
Proof.
move=> pJ i hi; have sJ := proj1 pJ i m hi ltac:(lia); rewrite /remainder /regression.
case: Rle_dec => d.
  by have z := no_variance m J i pJ d ltac:(lia); rewrite -sJ z /=; split; lra.
have dp : 0 < J m m by lra.
have q := sqrt_sqrt (J m m) ltac:(lra); have q0 : sqrt (J m m) <> 0 by have := sqrt_lt_R0 _ dp; lra.
rewrite -sJ /=; have e : J i m / sqrt (J m m) * (J m m / sqrt (J m m)) = J i m.
  by rewrite -{2}q; field.
by split; lra.
Qed.

Lemma split_one m J : semidefinite (S m) J ->
  forall i j, J i j = remainder J m i j + regression J m i * regression J m j.
Proof. by move=> _ i j; rewrite /remainder; ring. Qed.

(* what is left is semidefinite: choose the last coefficient so that the square vanishes *)
Lemma remainder_semidefinite m J : semidefinite (S m) J -> semidefinite m (remainder J m).
Proof.
move=> pJ; split=> [i j hi hj|c].
  by rewrite /remainder (proj1 pJ i j ltac:(lia) ltac:(lia)); ring.
pose v := regression J m.
pose c' i := if Nat.ltb i m then c i else - (sum m (fun i => c i * v i)) / v m.
have low i : (i < m)%coq_nat -> c' i = c i by move=> h; rewrite /c' (proj2 (Nat.ltb_lt i m) h).
have -> : sum m (fun i => sum m (fun j => c i * c j * remainder J m i j)) = form m (remainder J m) c'.
  by apply: sum_ext => i hi; apply: sum_ext => j hj; rewrite !low.
rewrite -(form_last m (remainder J m) c' (remainder_last m J pJ)).
have all : form (S m) J c' = form (S m) (remainder J m) c' + sum (S m) (fun i => c' i * v i) ^ 2.
  by rewrite -form_split; apply: form_ext => i j _ _; exact: (split_one m J pJ).
have z : sum (S m) (fun i => c' i * v i) = 0.
  rewrite /= (sum_ext m _ (fun i => c i * v i)); last by move=> i hi; rewrite low.
  rewrite /c' (proj2 (Nat.ltb_ge m m)); last by lia.
  case: (Rle_dec (J m m) 0) => d.
    have v0 i : v i = 0 by rewrite /v /regression; case: Rle_dec => /=.
    by rewrite v0 (sum_ext m _ (fun=> 0)) ?sum_0 => [|i _]; rewrite ?v0; ring.
  have vm : v m <> 0.
    rewrite /v /regression; case: Rle_dec => //= _.
    have dp : 0 < J m m by lra.
    have := sqrt_lt_R0 _ dp => q.
    by have := Rdiv_lt_0_compat _ _ dp q; lra.
  by field.
have := proj2 pJ c'; rewrite -/(form (S m) J c') all z /= Rmult_0_l Rplus_0_r; lra.
Qed.

(* residuals with any weights a of the q values that follow the first n *)
Lemma residual_step n q J a k : semidefinite (n + S q)%coq_nat J -> (k < n)%coq_nat ->
  residual n (S q) J a k = residual n q (remainder J (n + q)%coq_nat) a k +
    (regression J (n + q)%coq_nat k - sum (S q) (fun l => a k l * regression J (n + q)%coq_nat (n + l)%coq_nat)) ^ 2.
Proof.
rewrite Nat.add_succ_r => pJ hk; set m := (n + q)%coq_nat; set v := regression J m; set W := remainder J m.
have last : forall i, (i < S m)%coq_nat -> W i m = 0 /\ W m i = 0 := remainder_last m J pJ.
have JW i j : J i j = W i j + v i * v j by exact: (split_one m J pJ).
have e : residual n (S q) W a k = residual n q W a k.
  rewrite /residual /=; rewrite -/m (proj1 (last k ltac:(rewrite /m; lia))) (proj1 (last m ltac:(lia))).
  rewrite (sum_ext q (fun l' => a k q * a k l' * W m (n + l')%coq_nat) (fun=> 0)); last first.
    by move=> l hl; rewrite (proj2 (last (n + l)%coq_nat ltac:(rewrite /m; lia))) Rmult_0_r.
  rewrite sum_0 (sum_ext q (fun l => sum q (fun l' => a k l * a k l' * W (n + l)%coq_nat (n + l')%coq_nat) + a k l * a k q * W (n + l)%coq_nat m)
    (fun l => sum q (fun l' => a k l * a k l' * W (n + l)%coq_nat (n + l')%coq_nat))); last first.
    by move=> l hl; rewrite (proj1 (last (n + l)%coq_nat ltac:(rewrite /m; lia))); ring.
  ring.
rewrite -e /residual JW.
rewrite (sum_ext (S q) (fun l => a k l * J k (n + l)%coq_nat)
  (fun l => a k l * W k (n + l)%coq_nat + v k * (a k l * v (n + l)%coq_nat))); last by move=> l _; rewrite JW; ring.
rewrite sum_plus sum_scal.
set S1 := sum (S q) (fun l => a k l * v (n + l)%coq_nat).
have -> : sum (S q) (fun l => sum (S q) (fun l' => a k l * a k l' * J (n + l)%coq_nat (n + l')%coq_nat)) =
  sum (S q) (fun l => sum (S q) (fun l' => a k l * a k l' * W (n + l)%coq_nat (n + l')%coq_nat)) + S1 * S1.
  rewrite -[S1 * S1]/(sum (S q) (fun l => a k l * v (n + l)%coq_nat) * S1) -sum_scalr -sum_plus.
  apply: sum_ext => l _; rewrite /S1 -sum_scal -sum_plus; apply: sum_ext => l' _; rewrite JW; ring.
ring.
Qed.

Lemma residual_ge0 n q J a k : semidefinite (n + q)%coq_nat J -> (k < n)%coq_nat -> 0 <= residual n q J a k.
Proof.
elim: q J => [|q IH] J pJ hk.
  by have := semidefinite_diag (n + 0)%coq_nat J k ltac:(lia) pJ; rewrite /residual /=; lra.
rewrite residual_step //; have pW : semidefinite (n + q)%coq_nat (remainder J (n + q)%coq_nat).
  by apply: remainder_semidefinite; rewrite -Nat.add_succ_r.
by have := IH _ pW hk; have := pow2_ge_0 (regression J (n + q)%coq_nat k -
  sum (S q) (fun l => a k l * regression J (n + q)%coq_nat (n + l)%coq_nat)); lra.
Qed.

(* the knots: each costs the gain of space, and the rounds keep their residual variances *)
Theorem knots_matrix s n q K J a : 0 <= s -> semidefinite n K -> (forall i, (i < n)%coq_nat -> K i i <= 1) ->
  semidefinite (n + q)%coq_nat J -> (forall i, (i < n)%coq_nat -> J i i <= 1) ->
  gain s n (fun i j => K i j * J i j) <=
  INR q * gain s n K + / 2 * sum n (fun k => ln (1 + s * residual n q J a k)).
Proof.
move=> s0 pK K1; elim: q J => [|q IH] J pJ J1.
  have pJn : semidefinite n J by apply: semidefinite_le pJ; lia.
  rewrite Rmult_0_l Rplus_0_l; apply: Rle_trans (gain_hadamard s n _ s0 (semidefinite_hadamard n K J pK pJn)) _.
  apply: Rmult_le_compat_l; first lra.
  apply: sum_le => i hi; rewrite /residual /=.
  have d1 := semidefinite_diag n K i hi pK; have d2 := semidefinite_diag n J i hi pJn; have k1 := K1 i hi.
  have kj : 0 <= K i i * J i i <= J i i by split; nra.
  have sk : 0 <= s * (K i i * J i i) by apply: Rmult_le_pos; lra.
  have sj : s * (K i i * J i i) <= s * J i i by apply: Rmult_le_compat_l; lra.
  apply: ln_le; lra.
set m := (n + q)%coq_nat; set v := regression J m; set W := remainder J m.
have pJ' : semidefinite (S m) J by rewrite /m -Nat.add_succ_r.
have pW : semidefinite m W := remainder_semidefinite m J pJ'.
have pWn : semidefinite n W by apply: semidefinite_le pW; rewrite /m; lia.
have JW i j : J i j = v i * v j + W i j by rewrite (split_one m J pJ' i j) -/W -/v; ring.
have v1 i : (i < n)%coq_nat -> v i ^ 2 <= 1.
  by move=> hi; have := semidefinite_diag n W i hi pWn; have := J1 i hi; rewrite (JW i i) /=; lra.
have W1 i : (i < n)%coq_nat -> W i i <= 1.
  by move=> hi; have := J1 i hi; have := pow2_ge_0 (v i); rewrite (JW i i) /=; lra.
have pvK : semidefinite n (fun i j => v i * v j * K i j).
  by apply: semidefinite_hadamard => //; exact: semidefinite_outer.
rewrite (gain_ext s n _ (fun i j => v i * v j * K i j + K i j * W i j)); last by move=> i j _ _; rewrite JW; ring.
apply: Rle_trans (gain_subadditive s n _ _ s0 pvK (semidefinite_hadamard n K W pK pWn)) _.
have g1 := gain_contraction s n K v s0 pK v1.
have g2 := IH W pW W1.
have g3 : sum n (fun k => ln (1 + s * residual n q W a k)) <= sum n (fun k => ln (1 + s * residual n (S q) J a k)).
  apply: sum_le => k hk; have r0 := residual_ge0 n q W a k pW hk.
  have sr := Rmult_le_pos _ _ s0 r0.
  rewrite (residual_step n q J a k pJ hk) -/m -/v -/W; apply: ln_le; first lra.
  apply: Rplus_le_compat_l; apply: Rmult_le_compat_l => //.
  by have := pow2_ge_0 (v k - sum (S q) (fun l => a k l * v (n + l)%coq_nat)); lra.
rewrite -[INR q.+1]/(INR (S q)) S_INR; lra.
Qed.
