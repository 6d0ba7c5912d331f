(******************************************************************************)
(*               Appendix A: gradients of acquisition functions               *)
(*                                                                            *)
(* The chain rule where the evaluation time depends on the point, for the     *)
(* times of the second and the third lemma.                                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   chain_rule == along one coordinate                                       *)
(*   sample_slope, mean_slope == the slopes of sampled and of mean times      *)
(*   lognormal == the log-normal law by the normal one                        *)
(*                                                                            *)
(* Rests on: the libraries alone.                                             *)
(******************************************************************************)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* Along one coordinate: a is the base acquisition, p its slope in the point and q in the time, r the
   slope of the evaluation time t. *)
Lemma chain_rule (a : R -> R -> R) (t : R -> R) x tau p q r :
  differentiable_pt_lim a x (tau + t x) p q -> derivable_pt_lim t x r ->
  derivable_pt_lim (fun z => a z (tau + t z)) x (p + q * r).
Proof.
intros Ha Ht.
assert (H1 : differentiable_pt_lim (fun z _ => z) x 0 1 0).
{ apply (differentiable_pt_lim_proj1_0 (fun z => z)), derivable_pt_lim_id. }
assert (H2 : differentiable_pt_lim (fun z _ => tau + t z) x 0 r 0).
{ apply (differentiable_pt_lim_proj1_0 (fun z => tau + t z)).
  replace r with (0 + r) by ring.
  apply (derivable_pt_lim_plus (fun _ => tau) t); [apply derivable_pt_lim_const|exact Ht]. }
pose proof (differentiable_pt_lim_comp a _ _ x 0 p q 1 0 r 0 Ha H1 H2) as H.
apply (differentiable_pt_lim_proj1_1 (fun z => a z (tau + t z)) x 0).
replace (p * 0 + q * 0) with 0 in H by ring. replace (p * 1 + q * r) with (p + q * r) in H by ring.
exact H.
Qed.

(* The times of the second and of the third lemma. *)
Lemma sample_slope (sigma mu : R -> R) x s v m :
  derivable_pt_lim sigma x v -> derivable_pt_lim mu x m ->
  derivable_pt_lim (fun z => exp (sqrt 2 * sigma z * s + mu z)) x
    (exp (sqrt 2 * sigma x * s + mu x) * (sqrt 2 * v * s + m)).
Proof.
intros Hs%is_derive_Reals Hm%is_derive_Reals. apply is_derive_Reals.
assert (Es : ex_derive sigma x) by (exists v; exact Hs).
assert (Em : ex_derive mu x) by (exists m; exact Hm).
auto_derive; [repeat split; assumption|].
replace (Derive (fun z => sigma z) x) with v by (symmetry; exact (is_derive_unique _ _ _ Hs)).
replace (Derive (fun z => mu z) x) with m by (symmetry; exact (is_derive_unique _ _ _ Hm)). ring.
Qed.

Lemma mean_slope (sigma mu : R -> R) x w v m :
  derivable_pt_lim sigma x v -> derivable_pt_lim mu x m ->
  derivable_pt_lim (fun z => exp (/ 2 * (sigma z ^ 2 + w) + mu z)) x
    (exp (/ 2 * (sigma x ^ 2 + w) + mu x) * (sigma x * v + m)).
Proof.
intros Hs%is_derive_Reals Hm%is_derive_Reals. apply is_derive_Reals.
assert (Es : ex_derive sigma x) by (exists v; exact Hs).
assert (Em : ex_derive mu x) by (exists m; exact Hm).
auto_derive; [repeat split; assumption|].
replace (Derive (fun z => sigma z) x) with v by (symmetry; exact (is_derive_unique _ _ _ Hs)).
replace (Derive (fun z => mu z) x) with m by (symmetry; exact (is_derive_unique _ _ _ Hm)). simpl. field.
Qed.

(* The log-normal law by the normal one: t = exp (sqrt 2 s u + mu). *)
Lemma lognormal s mu u : 0 < s ->
  derivable_pt_lim (fun v => exp (sqrt 2 * s * v + mu)) u (sqrt 2 * s * exp (sqrt 2 * s * u + mu)) /\
  / (sqrt (2 * PI) * s * exp (sqrt 2 * s * u + mu)) *
    exp (- ((ln (exp (sqrt 2 * s * u + mu)) - mu) ^ 2 / (2 * s ^ 2))) *
    (sqrt 2 * s * exp (sqrt 2 * s * u + mu)) = exp (- u ^ 2) / sqrt PI.
Proof.
intros Hs. split.
- apply is_derive_Reals. auto_derive; [trivial|]. ring.
- pose proof (exp_pos (sqrt 2 * s * u + mu)) as E. pose proof PI_RGT_0 as P.
  assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (SP : 0 < sqrt PI) by (apply sqrt_lt_R0; lra).
  rewrite ln_exp, sqrt_mult by lra.
  replace ((sqrt 2 * s * u + mu - mu) ^ 2 / (2 * s ^ 2)) with (sqrt 2 * sqrt 2 * u ^ 2 / 2) by (field; lra).
  rewrite sqrt_sqrt by lra. replace (- (2 * u ^ 2 / 2)) with (- u ^ 2) by field. field. lra.
Qed.
