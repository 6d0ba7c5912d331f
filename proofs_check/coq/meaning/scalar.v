(******************************************************************************)
(*      Real functions of claims, and the tactics that close most goals       *)
(*                                                                            *)
(* The words of exported statements that the libraries lack, what is known of *)
(* logarithms, roots, powers and the normal density, and tactics that use it. *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   power x y == x^y: products for integers y, 0^y = 0 otherwise at 0, exp   *)
(*       (y ln x)                                                             *)
(*   normal_density z == the density of the normal law                        *)
(*                                                                            *)
(* Statements:                                                                *)
(*   growth == a function with a derivative >= 0 is at least its first        *)
(*       value                                                                *)
(*   bernoulli == 1 - a e <= (1 - e)^a for a >= 1                             *)
(*   ln_chord == v ln (1+s) <= ln (1+sv) on [0, 1]                            *)
(*   normal_tangent == the tangents of the isoperimetric function lie above   *)
(*       it                                                                   *)
(*   closes, known, powers, functions, roots, cases, grows == the tactics     *)
(*       of scripts                                                           *)
(*                                                                            *)
(* Rests on: meaning.                                                         *)
(******************************************************************************)

From Coq Require Import Reals Lra Psatz ZArith.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From CTV Require meaning.
Open Scope R_scope.

(* The words that claims and theories have in common stand in meaning.v. *)
Notation whole := meaning.whole.
Notation normal_cdf := meaning.normal_cdf.

(* x^y: by multiplication for whole y, 0^y = 0 for other y, exp(y ln x) otherwise. *)
Definition power (x y : R) : R :=
  if Req_EM_T (IZR (Int_part y)) y then powerRZ x (Int_part y)
  else if Req_EM_T x 0 then 0 else Rpower x y.

Lemma power_positive x y : 0 < x -> power x y = exp (y * ln x).
Proof.
intros Hx; unfold power.
destruct (Req_EM_T (IZR (Int_part y)) y) as [E|_].
- rewrite powerRZ_Rpower by exact Hx. rewrite E. reflexivity.
- destruct (Req_EM_T x 0); [lra|reflexivity].
Qed.

Lemma ln_below_line x : 0 < x -> ln x <= x - 1.
Proof.
intros Hx. pose proof (exp_ineq1_le (ln x)) as H. rewrite exp_ln in H by exact Hx. lra.
Qed.

Lemma ln_above_tangent x : 0 < x -> x - 1 <= x * ln x.
Proof.
intros Hx. pose proof (ln_below_line (/ x) (Rinv_0_lt_compat _ Hx)) as H.
rewrite ln_Rinv in H by exact Hx.
apply Rmult_le_compat_l with (r := x) in H; [|lra].
replace (x * (/ x - 1)) with (1 - x) in H by (field; lra). lra.
Qed.

Lemma exp_below_one x : x <= 0 -> exp x <= 1.
Proof.
intros Hx. rewrite <- exp_0. destruct (Rle_lt_or_eq_dec _ _ Hx) as [H| ->]; [|lra].
left; apply exp_increasing, H.
Qed.

Lemma ln_monotone x y : 0 < x -> x <= y -> ln x <= ln y.
Proof.
intros Hx [H|H]; [left; apply ln_increasing; assumption|rewrite H; lra].
Qed.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [H|H]; [left; apply exp_increasing; assumption|rewrite H; lra]. Qed.

Lemma ln_tangent x y : 0 < x -> 0 < y -> ln y <= ln x + (y / x - 1).
Proof.
intros Hx Hy. pose proof (ln_below_line (y / x)) as H.
unfold Rdiv in H. rewrite ln_mult, ln_Rinv in H; [|assumption..|apply Rinv_0_lt_compat, Hx].
assert (0 < y * / x) by (apply Rmult_lt_0_compat; [|apply Rinv_0_lt_compat]; assumption).
unfold Rdiv. lra.
Qed.

Lemma ln_chord s v : 0 <= s -> 0 <= v <= 1 -> v * ln (1 + s) <= ln (1 + s * v).
Proof.
intros Hs Hv. assert (Hx : 0 < 1 + s * v) by nra.
pose proof (ln_tangent _ (1 + s) Hx ltac:(lra)) as H.
pose proof (ln_tangent _ 1 Hx ltac:(lra)) as K. rewrite ln_1 in K.
assert (E : v * ((1 + s) / (1 + s * v) - 1) + (1 - v) * (1 / (1 + s * v) - 1) = 0)
  by (field; lra).
apply (Rmult_le_compat_l v) in H; [|lra]. apply (Rmult_le_compat_l (1 - v)) in K; [|lra].
nra.
Qed.

Lemma bernoulli e a : 0 <= e < 1 -> 1 <= a -> 1 - a * e <= exp (a * ln (1 - e)).
Proof.
intros He Ha. destruct (Rle_lt_dec (1 - a * e) 0) as [H|H].
- pose proof (exp_pos (a * ln (1 - e))). lra.
- rewrite <- (exp_ln (1 - a * e)) by exact H. apply exp_monotone.
  pose proof (ln_tangent (1 - e) (1 - a * e) ltac:(lra) H) as T.
  pose proof (ln_above_tangent (1 - e) ltac:(lra)) as L.
  assert (E : (1 - a * e) / (1 - e) - 1 = - (a - 1) * e / (1 - e)) by (field; lra).
  rewrite E in T.
  assert (F : - (a - 1) * e / (1 - e) <= (a - 1) * ln (1 - e)).
  { apply (Rmult_le_reg_r (1 - e)); [lra|].
    replace (- (a - 1) * e / (1 - e) * (1 - e)) with (- (a - 1) * e) by (field; lra). nra. }
  lra.
Qed.

Lemma bernoulli_below_one e a : 0 <= e < 1 -> 0 <= a <= 1 -> 1 - e <= exp (a * ln (1 - e)).
Proof.
intros He Ha. rewrite <- (exp_ln (1 - e)) at 1 by lra. apply exp_monotone.
pose proof (ln_below_line (1 - e) ltac:(lra)). nra.
Qed.

Lemma power_monotone x y e : 0 < x -> x <= y -> 0 <= e -> power x e <= power y e.
Proof.
intros Hx Hy He. rewrite !power_positive by lra. apply exp_monotone.
apply Rmult_le_compat_l; [exact He|apply ln_monotone; assumption].
Qed.

Lemma root_below a b : 0 <= b -> a <= b * b -> sqrt a <= b.
Proof. intros Hb Ha. rewrite <- (sqrt_square b Hb). apply sqrt_le_1_alt, Ha. Qed.

Lemma root_above a b : b * b <= a -> b <= sqrt a.
Proof.
intros Ha. destruct (Rle_lt_dec b 0) as [Hb|Hb].
- pose proof (sqrt_pos a). lra.
- rewrite <- (sqrt_square b) by lra. apply sqrt_le_1_alt, Ha.
Qed.

Lemma exp_minus_ln x : 0 < x -> exp (- ln x) = / x.
Proof. intros Hx. rewrite exp_Ropp, exp_ln by exact Hx. reflexivity. Qed.

Lemma PI_between : 3 < PI < 22 / 7.
Proof. split; interval. Qed.

(* A function whose derivative is not negative from a on is there at least what it is at a. *)
Lemma growth (f g : R -> R) (a x : R) :
  (forall t, a <= t <= x -> is_derive f t (g t)) -> (forall t, a <= t <= x -> 0 <= g t) ->
  0 <= f a -> a <= x -> 0 <= f x.
Proof.
intros Hd Hg Ha [Hx|Hx]; [|rewrite <- Hx; exact Ha].
destruct (MVT_gen f a x g) as (c & Hc & E).
- intros t Ht. rewrite Rmin_left, Rmax_right in Ht by lra. apply Hd; lra.
- intros t Ht. rewrite Rmin_left, Rmax_right in Ht by lra.
  apply continuity_pt_filterlim, (ex_derive_continuous f t). exists (g t). apply Hd; lra.
- rewrite Rmin_left, Rmax_right in Hc by lra.
  assert (0 <= g c * (x - a)) by (apply Rmult_le_pos; [apply Hg; lra|lra]).
  unfold Rminus in *; lra.
Qed.

(* Whole numbers: more than k is at least k+1. *)
Lemma whole_next x y : whole x -> whole y -> x < y -> x + 1 <= y.
Proof.
intros [k ->] [l ->] H. apply lt_IZR in H. rewrite <- plus_IZR. apply IZR_le. lia.
Qed.

(* Minima, maxima, absolute values and branches, case by case. *)
Ltac cases :=
  unfold Rmin, Rmax, Rabs in *;
  repeat match goal with
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  | |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b)
  | |- context [Rcase_abs ?a] => destruct (Rcase_abs a)
  | H : context [Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b)
  | H : context [Rlt_dec ?a ?b] |- _ => destruct (Rlt_dec a b)
  | H : context [Req_EM_T ?a ?b] |- _ => destruct (Req_EM_T a b)
  | H : context [Rcase_abs ?a] |- _ => destruct (Rcase_abs a)
  end.

Ltac rsplit := repeat apply conj.
Ltac plain := first [assumption | lra | nra].
Ltac fields := field; rsplit; plain.

(* What is known of the functions that occur: tangents, signs, squares of roots. *)
Ltac unknown P := lazymatch goal with _ : P |- _ => fail | |- _ => idtac end.
Ltac small := first [assumption | lra | nra].
Ltac know_exp x :=
  unknown (0 < exp x); pose proof (exp_pos x); pose proof (exp_ineq1_le x);
  try (assert (exp x <= 1) by (apply exp_below_one; small)).
Ltac know_ln x :=
  unknown (ln x <= x - 1);
  assert (ln x <= x - 1) by (apply ln_below_line; small);
  assert (x - 1 <= x * ln x) by (apply ln_above_tangent; small).
Ltac know_sqrt x :=
  unknown (0 <= sqrt x); pose proof (sqrt_pos x);
  try (assert (sqrt x * sqrt x = x) by (apply sqrt_sqrt; small));
  try (assert (0 < sqrt x) by (apply sqrt_lt_R0; small)).
Ltac know_inv x :=
  unknown (x * / x = 1);
  assert (x * / x = 1) by (apply Rinv_r; small);
  try (assert (0 < / x) by (apply Rinv_0_lt_compat; small)).
Ltac known :=
  unfold Rdiv in *;
  repeat match goal with
  | |- context [exp ?x] => know_exp x
  | H : context [exp ?x] |- _ => know_exp x
  | |- context [sqrt ?x] => know_sqrt x
  | H : context [sqrt ?x] |- _ => know_sqrt x
  | |- context [ln ?x] => know_ln x
  | H : context [ln ?x] |- _ => know_ln x
  | |- context [/ ?x] => know_inv x
  | H : context [/ ?x] |- _ => know_inv x
  | |- context [PI] => unknown (3 < PI < 22 / 7); pose proof PI_between
  end.
Ltac powers :=
  repeat match goal with
  | |- context [power ?x ?y] => rewrite (power_positive x y) by small
  | H : context [power ?x ?y] |- _ => rewrite (power_positive x y) in H by small
  end.

(* What is known of logarithms, roots and exponentials as wholes. *)
Ltac functions := first
  [ apply ln_monotone; small | apply exp_monotone; small | apply sqrt_le_1_alt; small
  | apply ln_mult; small | rewrite <- ?exp_plus; f_equal; fields
  | rewrite ?ln_mult by small; known; lra
  | rewrite <- ln_mult by small; f_equal; fields ].

(* Roots by their squares. *)
Ltac roots :=
  first [apply root_below | apply root_above | apply Rmult_le_compat_l; [small|]; first
    [apply root_below | apply root_above]]; known; first [lra | fields | nra].

(* exp (- ln z) = 1/z, however the argument is written. *)
Ltac cancels :=
  repeat match goal with
  | |- context [exp ?e] => match e with context [ln ?z] =>
      replace e with (- ln z) by (field; rsplit; small);
      rewrite (exp_minus_ln z) by (known; small)
    end
  end.

(* Multiply a goal by a denominator. *)
Ltac multiplied :=
  match goal with
  | |- _ / ?d <= _ / ?d => apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]
  | |- ?a / ?d <= ?b => apply (Rmult_le_reg_r d); [|replace (a / d * d) with a by (field; lra)]
  | |- ?b <= ?a / ?d => apply (Rmult_le_reg_r d); [|replace (a / d * d) with a by (field; lra)]
  | |- ?a / ?d < ?b => apply (Rmult_lt_reg_r d); [|replace (a / d * d) with a by (field; lra)]
  | |- ?b < ?a / ?d => apply (Rmult_lt_reg_r d); [|replace (a / d * d) with a by (field; lra)]
  end.

Ltac closes := first
  [ solve [lra] | solve [fields] | solve [nra] | solve [interval] | solve [known; lra]
  | solve [known; nra] | solve [multiplied; known; plain] | solve [cases; known; plain] ].

(* A goal about x by the derivative g of f = right - left, from a on. *)
Ltac grows f g a x :=
  cut (0 <= f x); [cbv beta; lra | apply (growth f g a x)];
  [ intros t Ht; auto_derive; [rsplit; small | try field; rsplit; small]
  | intros t Ht; cbv beta; closes | cbv beta; closes | closes ].

(* The density of the normal law, and the tangents of its isoperimetric function. *)
Definition normal_density (z : R) : R := exp (- z ^ 2 / 2) / sqrt (2 * PI).

Lemma normal_root_positive : 0 < sqrt (2 * PI).
Proof. apply sqrt_lt_R0. pose proof PI_RGT_0. lra. Qed.

Lemma normal_density_positive z : 0 < normal_density z.
Proof. apply Rdiv_lt_0_compat; [apply exp_pos | exact normal_root_positive]. Qed.

Lemma normal_cdf_derive x : is_derive normal_cdf x (normal_density x).
Proof.
unfold normal_cdf, normal_density.
assert (C : forall t, continuous (fun t => exp (- t ^ 2 / 2)) t).
{ intros t. apply (ex_derive_continuous (fun t => exp (- t ^ 2 / 2))). auto_derive. trivial. }
assert (D : is_derive (fun y => RInt (fun t => exp (- t ^ 2 / 2)) 0 y) x (exp (- x ^ 2 / 2))).
{ apply (is_derive_RInt (fun t => exp (- t ^ 2 / 2)) _ 0 x); [|apply C].
  exists (mkposreal 1 Rlt_0_1). intros y _. apply (RInt_correct (V := R_CompleteNormedModule)).
  apply ex_RInt_continuous. intros z _. apply C. }
pose proof normal_root_positive as P.
apply (is_derive_ext (fun y => / sqrt (2 * PI) * RInt (fun t => exp (- t ^ 2 / 2)) 0 y + 1 / 2)).
{ intros t. match goal with |- ?u = ?v => change (@eq R u v) end. unfold Rdiv. ring. }
replace (exp (- x ^ 2 / 2) / sqrt (2 * PI)) with (/ sqrt (2 * PI) * exp (- x ^ 2 / 2) + 0)
  by (field; lra).
apply @is_derive_plus; [apply is_derive_scal, D | apply @is_derive_const].
Qed.

Lemma normal_density_derive x : is_derive normal_density x (- x * normal_density x).
Proof.
unfold normal_density. pose proof normal_root_positive. auto_derive; [trivial|].
replace (- (x * (x * 1)) * / 2) with (- x ^ 2 / 2) by (simpl; unfold Rdiv; ring).
match goal with |- ?u = ?v => change (@eq R u v) end. field. lra.
Qed.

(* at the value p of the distribution function the isoperimetric function has the slope - a *)
Theorem normal_tangent a z : normal_density z <= normal_density a - a * (normal_cdf z - normal_cdf a).
Proof.
set (f := fun t => normal_density a - a * (normal_cdf t - normal_cdf a) - normal_density t).
assert (Df : forall t, is_derive f t ((t - a) * normal_density t)).
{ intros t. unfold f.
  apply (is_derive_ext (fun t => normal_density a + - a * (normal_cdf t - normal_cdf a) + - normal_density t)).
  { intros u. match goal with |- ?u = ?v => change (@eq R u v) end. ring. }
  replace ((t - a) * normal_density t) with (0 + - a * (normal_density t - 0) + - (- t * normal_density t)) by ring.
  apply @is_derive_plus; [apply @is_derive_plus; [apply @is_derive_const|]|].
  - apply is_derive_scal. apply @is_derive_minus; [apply normal_cdf_derive | apply @is_derive_const].
  - apply @is_derive_opp. apply normal_density_derive. }
assert (E : f a = 0) by (unfold f; ring).
cut (0 <= f z); [unfold f; lra|].
destruct (Rle_lt_dec a z) as [H|H].
- apply (growth f (fun t => (t - a) * normal_density t) a z); [intros; apply Df| |lra|exact H].
  intros t Ht. pose proof (normal_density_positive t). nra.
- replace z with (a - (a - z)) by ring.
  apply (growth (fun u => f (a - u)) (fun u => u * normal_density (a - u)) 0 (a - z)); [| |rewrite Rminus_0_r; lra|lra].
  + intros u Hu. replace (u * normal_density (a - u)) with (- 1 * ((a - u - a) * normal_density (a - u))) by ring.
    apply (is_derive_comp f (fun u => a - u) u); [apply Df|]. auto_derive; [trivial|ring].
  + intros u Hu. pose proof (normal_density_positive (a - u)). nra.
Qed.

Lemma normal_density_falls a : 0 < a -> normal_density a < normal_density 0.
Proof.
intros Ha. unfold normal_density, Rdiv. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, normal_root_positive|].
apply exp_increasing. nra.
Qed.

Lemma normal_cdf_0 : normal_cdf 0 = 1 / 2.
Proof. unfold normal_cdf. rewrite RInt_point. unfold zero; simpl. unfold Rdiv. ring. Qed.

Lemma normal_cdf_above_half a : 0 < a -> 1 / 2 < normal_cdf a.
Proof.
intros Ha. pose proof (normal_tangent a 0) as T. pose proof (normal_density_falls a Ha). rewrite normal_cdf_0 in T. nra.
Qed.

Lemma normal_density_most z : normal_density z <= / sqrt (2 * PI).
Proof.
unfold normal_density, Rdiv. rewrite <- (Rmult_1_l (/ sqrt (2 * PI))) at 2.
apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, normal_root_positive|].
apply exp_below_one. pose proof (pow2_ge_0 z). lra.
Qed.

Lemma normal_cdf_slope a h : 0 <= h -> normal_cdf (a + h) - normal_cdf a <= h / sqrt (2 * PI).
Proof.
intros Hh. set (f := fun t => t / sqrt (2 * PI) - (normal_cdf (a + t) - normal_cdf a)).
cut (0 <= f h); [unfold f; lra|].
apply (growth f (fun t => / sqrt (2 * PI) - normal_density (a + t)) 0 h); [| | |exact Hh].
- intros t _. unfold f. apply @is_derive_minus.
  + auto_derive; [trivial|]. rewrite Rmult_1_l. reflexivity.
  + replace (normal_density (a + t)) with (1 * normal_density (a + t) - 0) by ring.
    apply @is_derive_minus; [|apply @is_derive_const].
    apply (is_derive_comp normal_cdf (fun u => a + u) t); [apply normal_cdf_derive|].
    auto_derive; [trivial|ring].
- intros t _. pose proof (normal_density_most (a + t)). lra.
- unfold f. rewrite Rplus_0_r. unfold Rdiv. rewrite Rmult_0_l. lra.
Qed.
