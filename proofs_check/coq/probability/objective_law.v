(******************************************************************************)
(*                    The objective is a Gaussian process                     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gaussian_process == on any space with independent normal variables       *)
(*       every linear combination of values and noises is normal, its         *)
(*       variance the quadratic form of the kernel and of sigma^2             *)
(*   model_exists == for all kernels there are an objective, a policy of      *)
(*       the index and a space                                                *)
(*                                                                            *)
(* Rests on: library, measures, vectors, adaptive_posterior,                  *)
(* adaptive_confidence, combinations, scalar, normal, definitions, sums,      *)
(* outcomes, joint_law, any_space, existence.                                 *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure.
From CTV Require Import library measures.
From CTV Require Import vectors adaptive_posterior adaptive_confidence combinations.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums outcomes joint_law any_space.
From CTV Require existence.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Theorem gaussian_process dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) d n (Y : Type)
  (L : nat -> Y -> nat -> R) sigma (k : Y -> Y -> R) h tau :
  independent_normals dT T P (d + n) G -> has_kernel d n Y L k h tau ->
  forall m (c : nat -> R) (r : nat -> nat) (x : nat -> Y) (e : nat -> R), (forall a, (a < m)%coq_nat -> (r a < n)%coq_nat) ->
  let total w := sum m (fun a => c a * value d Y L (fun l => G l w) (r a) (x a)) +
    sum n (fun j => e j * noise d sigma (fun l => G l w) j) in
  let v := sum m (fun a => sum m (fun b => c a * c b * (k (x a) (x b) * h (tau (r a)) (tau (r b))))) +
    sigma ^ 2 * sum n (fun j => e j ^ 2) in
  (v = 0 -> forall w, total w = 0) /\
  (0 < v -> forall t, Measure.sort P (fun w => total w <= t * sqrt v) = EFin (normal_cdf t)).
Proof.
move=> ind law m c r x e rn total v.
have [_ [mG _]] := ind.
have [null normal] := combination_normal d n Y L sigma k h tau law m c r x e rn.
have same w : combination d n Y L sigma m c r x e (together dT T (d + n) G w) = total w.
  have co_G l : (l < d + n)%N -> co RR (d + n) (together dT T (d + n) G w) l = G l w.
    by move=> hl; rewrite /together co_mk.
  rewrite /combination /total; congr (_ + _); apply: sum_ext => i /ssrnat.ltP hi; congr (_ * _).
    exact: (value_same d n Y L _ _ co_G).
  exact: (noise_same d n sigma _ _ co_G).
split=> [v0 w|v0 t]; first by rewrite -same; exact: null.
rewrite -(normal v0 t) -(joint_law dT T P (d + n) G mG ind).
  by congr (Measure.sort P _); apply/seteqP; split=> w /=; rewrite -same.
exact: combination_measurable.
Qed.

Theorem model_exists n (Y : finType) (y0 : Y) (k : Y -> Y -> R) h tau sigma beta :
  kernel Y k -> kernel R h -> 0 < sigma ->
  exists d L rule, has_kernel d n Y L k h tau /\ measurable_rule Y rule /\
    (forall G, follows d Y L sigma rule n k h tau beta G) /\
    exists dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R), independent_normals dT T P (d + n) G.
Proof.
move=> pk ph s0; have [d [L [rule [law [mrule pol]]]]] := existence.there_are n Y y0 k h tau sigma beta pk ph s0.
exists d, L, rule; split=> //; split=> //; split; first exact: follows_always.
by exists _, (vec RR (d + n)), (standard_normal (d + n)), (fun i g => co RR (d + n) g i); exact: coordinates.
Qed.
