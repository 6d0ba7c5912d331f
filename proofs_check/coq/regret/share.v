(******************************************************************************)
(*              What observations leave of the prior covariance               *)
(*                                                                            *)
(* After any observations the posterior covariance of all points keeps a      *)
(* share of the prior.                                                        *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   moved c b t == c with t taken from its place b                           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   observed_share == one observation                                        *)
(*   share_left == any number of rounds                                       *)
(*                                                                            *)
(* Rests on: library, definitions, sums, floors, knots.                       *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions sums floors knots.
Open Scope R_scope.

Definition moved (c : nat -> R) (b : nat) (t : R) (i : nat) : R := c i - t * (if Nat.eqb i b then 1 else 0).

Lemma pick n b f : (b < n)%coq_nat -> sum n (fun i => (if Nat.eqb i b then 1 else 0) * f i) = f b.
Proof.
elim: n => [|n IH] hb /=; first by lia.
case: (Nat.eqb_spec n b) => e.
  rewrite (sum_ext n _ (fun=> 0)) ?sum_0; first by rewrite e; ring.
  by move=> i hi; rewrite (proj2 (Nat.eqb_neq i b)); [ring | lia].
by rewrite IH; [ring | lia].
Qed.

Lemma form_moved n A c b t : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> A i j = A j i) -> (b < n)%coq_nat ->
  form n A (moved c b t) = form n A c - 2 * t * sum n (fun j => c j * A b j) + t ^ 2 * A b b.
Proof.
move=> sA hb; set L := sum n (fun j => c j * A b j).
have row i : (i < n)%coq_nat -> sum n (fun j => moved c b t i * moved c b t j * A i j) =
    moved c b t i * (sum n (fun j => c j * A i j) - t * A i b).
  move=> hi; rewrite -(pick n b (A i) hb) -sum_scal -sum_minus -sum_scal; apply: sum_ext => j _.
  by rewrite /moved; ring.
rewrite /form (sum_ext n _ _ row) (sum_ext n _ (fun i => (sum n (fun j => c i * c j * A i j) - t * (c i * A b i)) -
   t * ((if Nat.eqb i b then 1 else 0) * (sum n (fun j => c j * A i j) - t * A i b)))); last first.
  move=> i hi; have -> : sum n (fun j => c i * c j * A i j) = c i * sum n (fun j => c j * A i j).
    by rewrite -sum_scal; apply: sum_ext => j _; ring.
  by rewrite /moved (sA i b hi hb); ring.
by rewrite !sum_minus !sum_scal (pick n b (fun i => sum n (fun j => c j * A i j) - t * A i b) hb) -/L; ring.
Qed.

Lemma form_observed n nu b P c : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> P i j = P j i) -> (b < n)%coq_nat ->
  0 < P b b + nu ->
  let t := sum n (fun j => c j * P b j) / (P b b + nu) in
  form n (observed nu b P) c = form n P (moved c b t) + nu * t ^ 2.
Proof.
move=> sP hb d t; rewrite form_moved //; set L := sum n (fun j => c j * P b j).
have -> : form n (observed nu b P) c = form n P c - L * L / (P b b + nu).
  rewrite /form (sum_ext n _ (fun i => sum n (fun j => c i * c j * P i j) - c i * P b i * (L / (P b b + nu)))).
    by rewrite sum_minus sum_scalr -/L; field; lra.
  move=> i hi; have -> : c i * P b i * (L / (P b b + nu)) = sum n (fun j => c i * P b i / (P b b + nu) * (c j * P b j)).
    by rewrite sum_scal -/L; field; lra.
  rewrite -sum_minus; apply: sum_ext => j hj; rewrite /observed (sP i b hi hb); field; lra.
by rewrite /t -/L; field; lra.
Qed.

Lemma observed_sym n nu b P : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> P i j = P j i) -> (b < n)%coq_nat ->
  forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> observed nu b P i j = observed nu b P j i.
Proof. by move=> sP hb i j hi hj; rewrite /observed (sP i j) // (sP i b) // (sP b j) //; congr (_ - _); rewrite /Rdiv; ring. Qed.

Lemma observed_share n nu b K P p : semidefinite n K -> (forall i, (i < n)%coq_nat -> K i i <= 1) ->
  (b < n)%coq_nat -> 0 < nu -> 0 <= p -> semidefinite n (fun i j => P i j - p * K i j) ->
  semidefinite n (fun i j => observed nu b P i j - p * nu / (p + nu) * K i j).
Proof.
move=> pK K1 hb nu0 p0 pD.
have sK := proj1 pK.
have sP i j : (i < n)%coq_nat -> (j < n)%coq_nat -> P i j = P j i.
  by move=> hi hj; have := proj1 pD i j hi hj; rewrite (sK i j hi hj); lra.
have Pge c : p * form n K c <= form n P c.
  have := proj2 pD c; rewrite -/(form n _ c).
  have -> : form n (fun i j => P i j - p * K i j) c = form n P c - p * form n K c; last by lra.
  rewrite /form -sum_scal -sum_minus; apply: sum_ext => i _; rewrite -sum_scal -sum_minus; apply: sum_ext => j _; ring.
have Kge c : 0 <= form n K c by exact: (proj2 pK c).
have kb := gains.semidefinite_diag n K b hb pK; have kb1 := K1 b hb.
have pb : 0 <= P b b.
  by have := gains.semidefinite_diag n _ b hb pD; have := Rmult_le_pos _ _ p0 kb; lra.
have r0 : 0 < p + nu by lra.
split=> [i j hi hj|c]; first by rewrite (observed_sym n nu b P sP hb i j hi hj) (sK i j hi hj).
rewrite -/(form n _ c).
have -> : form n (fun i j => observed nu b P i j - p * nu / (p + nu) * K i j) c =
    form n (observed nu b P) c - p * nu / (p + nu) * form n K c.
  rewrite /form -sum_scal -sum_minus; apply: sum_ext => i _; rewrite -sum_scal -sum_minus; apply: sum_ext => j _; ring.
rewrite form_observed //; last lra.
set t := _ / (P b b + nu); have low := Pge (moved c b t).
have nt : 0 <= nu * t ^ 2 by apply: Rmult_le_pos; [lra | exact: pow2_ge_0].
case: (Req_dec p 0) => [e|ne].
  by move: low; rewrite e /Rdiv !Rmult_0_l; lra.
have pp : 0 < p by lra.
have sq := Kge (moved c b (t * (p + nu) / p)).
move: low sq; rewrite !form_moved //; set q := form n K c; set kap := sum n (fun j => c j * K b j).
set LP := _ + t ^ 2 * P b b => low sq.
have e : p * (q - 2 * t * kap + t ^ 2 * K b b) + nu * t ^ 2 - p * nu / (p + nu) * q =
   p ^ 2 / (p + nu) * (q - 2 * (t * (p + nu) / p) * kap + (t * (p + nu) / p) ^ 2 * K b b) + nu * t ^ 2 * (1 - K b b).
  by field; lra.
have a0 : 0 <= p ^ 2 / (p + nu) * (q - 2 * (t * (p + nu) / p) * kap + (t * (p + nu) / p) ^ 2 * K b b).
  by apply: Rmult_le_pos => //; left; apply: Rdiv_lt_0_compat => //; apply: pow_lt.
have b0 : 0 <= nu * t ^ 2 * (1 - K b b) by apply: Rmult_le_pos; lra.
lra.
Qed.

Lemma semidefinite_scale n r A : 0 <= r -> semidefinite n A -> semidefinite n (fun i j => r * A i j).
Proof. exact: kernels.semidefinite_scal. Qed.

Theorem share_left n K a2 nu b m : semidefinite n K -> (forall i, (i < n)%coq_nat -> K i i <= 1) ->
  (forall j, (b j < n)%coq_nat) -> (forall j, 0 <= a2 j <= 1) -> (forall j, 0 < nu j) ->
  semidefinite n (fun i j => posterior_covariance K a2 nu b m i j - floor_share a2 nu m * K i j).
Proof.
move=> pK K1 hb ha hn; elim: m => [|m IH] /=.
  apply: (kernels.semidefinite_ext n (fun i j => 0 * K i j)) (semidefinite_scale n 0 K (Rle_refl 0) pK).
  by move=> i j _ _; ring.
have p01 := floor_share01 a2 nu m ha hn.
have step := observed_share n (nu m) (b m) K _ _ pK K1 (hb m) (hn m) (proj1 p01) IH.
apply: (kernels.semidefinite_ext n _ _ _ (semidefinite_scale n (a2 m) _ (proj1 (ha m)) step)).
by move=> i j _ _; rewrite /carried; ring.
Qed.
