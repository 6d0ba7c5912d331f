(******************************************************************************)
(*                               The normal law                               *)
(*                                                                            *)
(* Its whole integral, its tails, its mean excess, and the ratio of its       *)
(* density to its distribution function. With B(x) the integral of            *)
(* exp(-t^2/2) from 0 to x and A(x) that of exp(-x^2 (1+u^2)/2)/(1+u^2) over  *)
(* u in [0, 1], B^2/2 + A has the derivative 0 and is pi/4 at 0; and A is     *)
(* between 0 and exp(-x^2/2) pi/4.                                            *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   bell x, arc x == the integrals B and A                                   *)
(*   ratio z == density over distribution function                            *)
(*   square_over z == squared density over distribution function              *)
(*                                                                            *)
(* Statements:                                                                *)
(*   gaussian_tail == two tails beyond c have at most exp (-c^2/2)            *)
(*   normal_excess == the mean of (Z + a)_+ is not negative                   *)
(*   sampford == z + ratio z does not fall                                    *)
(*   ratio_log == ratio^2 <= -2 ln of the distribution function               *)
(*   square_tangent == the tangent of the squared isoperimetric function      *)
(*       over p                                                               *)
(*                                                                            *)
(* Rests on: scalar.                                                          *)
(******************************************************************************)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From CTV Require Import scalar.
Open Scope R_scope.

Definition bell (x : R) : R := RInt (fun t => exp (- t ^ 2 / 2)) 0 x.
Definition arc (x : R) : R := RInt (fun u => exp (- x ^ 2 * (1 + u ^ 2) / 2) / (1 + u ^ 2)) 0 1.

Lemma one_plus u : 0 < 1 + u ^ 2. Proof. pose proof (pow2_ge_0 u). lra. Qed.

Lemma bell_derive x : is_derive bell x (exp (- x ^ 2 / 2)).
Proof.
assert (C : forall t, continuous (fun t => exp (- t ^ 2 / 2)) t).
{ intros t. apply (ex_derive_continuous (fun t => exp (- t ^ 2 / 2))). auto_derive. trivial. }
apply (is_derive_RInt (fun t => exp (- t ^ 2 / 2)) _ 0 x); [|apply C].
exists (mkposreal 1 Rlt_0_1). intros y _. apply (RInt_correct (V := R_CompleteNormedModule)).
apply ex_RInt_continuous. intros z _. apply C.
Qed.

Lemma arc_slope x u :
  is_derive (fun z => exp (- z ^ 2 * (1 + u ^ 2) / 2) / (1 + u ^ 2)) x (- x * exp (- x ^ 2 * (1 + u ^ 2) / 2)).
Proof.
pose proof (one_plus u). auto_derive; [trivial|].
replace (- (x * (x * 1)) * (1 + u * (u * 1)) * / 2) with (- x ^ 2 * (1 + u ^ 2) / 2) by (simpl; unfold Rdiv; ring).
match goal with |- ?u = ?v => change (@eq R u v) end. field. lra.
Qed.

Lemma arc_continuous x u : continuous (fun u => exp (- x ^ 2 * (1 + u ^ 2) / 2) / (1 + u ^ 2)) u.
Proof.
pose proof (one_plus u). apply (ex_derive_continuous (fun u => exp (- x ^ 2 * (1 + u ^ 2) / 2) / (1 + u ^ 2))).
auto_derive. simpl in *; lra.
Qed.

Lemma arc_derive x : is_derive arc x (- exp (- x ^ 2 / 2) * bell x).
Proof.
assert (D : is_derive arc x (RInt (fun u => - x * exp (- x ^ 2 * (1 + u ^ 2) / 2)) 0 1)).
{ apply (is_derive_ext_loc arc arc x); [exists (mkposreal 1 Rlt_0_1); reflexivity|].
  replace (RInt (fun u => - x * exp (- x ^ 2 * (1 + u ^ 2) / 2)) 0 1)
    with (RInt (fun u => Derive (fun z => exp (- z ^ 2 * (1 + u ^ 2) / 2) / (1 + u ^ 2)) x) 0 1)
    by (apply RInt_ext; intros u _; apply is_derive_unique, arc_slope).
  apply (is_derive_RInt_param (fun z u => exp (- z ^ 2 * (1 + u ^ 2) / 2) / (1 + u ^ 2)) 0 1 x).
  - exists (mkposreal 1 Rlt_0_1). intros y _ u _. eexists. apply arc_slope.
  - intros u _.
    apply (continuity_2d_pt_ext (fun z v => - z * exp (- z ^ 2 * (1 + v ^ 2) / 2))).
    { intros z v. symmetry. apply is_derive_unique, arc_slope. }
    apply continuity_2d_pt_mult; [apply continuity_2d_pt_opp, continuity_2d_pt_id1|].
    apply (continuity_1d_2d_pt_comp exp (fun z v => - z ^ 2 * (1 + v ^ 2) / 2));
      [apply derivable_continuous_pt, derivable_pt_exp|].
    apply (continuity_2d_pt_ext (fun z v => - / 2 * (z * z) * (1 + v * v)));
      [intros; unfold Rdiv; ring|].
    apply continuity_2d_pt_mult; [apply continuity_2d_pt_mult; [apply continuity_2d_pt_const|]|].
    + apply continuity_2d_pt_mult; apply continuity_2d_pt_id1.
    + apply continuity_2d_pt_plus; [apply continuity_2d_pt_const|].
      apply continuity_2d_pt_mult; apply continuity_2d_pt_id2.
  - exists (mkposreal 1 Rlt_0_1). intros y _. apply (ex_RInt_continuous (V := R_CompleteNormedModule)).
    intros u _. apply arc_continuous. }
replace (- exp (- x ^ 2 / 2) * bell x) with (RInt (fun u => - x * exp (- x ^ 2 * (1 + u ^ 2) / 2)) 0 1); [exact D|].
unfold bell.
rewrite (RInt_ext _ (fun u => scal (- exp (- x ^ 2 / 2)) (scal x (exp (- (x * u + 0) ^ 2 / 2))))).
2:{ intros u _. unfold scal; simpl; unfold mult; simpl.
    replace (- (x * (x * 1)) * (1 + u * (u * 1)) / 2) with (- (x * (x * 1)) / 2 + - ((x * u + 0) * ((x * u + 0) * 1)) / 2) by (field; lra).
    rewrite exp_plus. ring. }
assert (C : forall t, continuous (fun t => exp (- t ^ 2 / 2)) t).
{ intros t. apply (ex_derive_continuous (fun t => exp (- t ^ 2 / 2))). auto_derive. trivial. }
assert (X : ex_RInt (fun t => exp (- t ^ 2 / 2)) (x * 0 + 0) (x * 1 + 0)).
{ apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z _. apply C. }
pose proof (RInt_comp_lin (V := R_CompleteNormedModule) _ x 0 0 1 X) as L.
pose proof (ex_RInt_comp_lin (V := R_NormedModule) _ x 0 0 1 X) as Y.
pose proof (RInt_scal (V := R_CompleteNormedModule) _ 0 1 (- exp (- x ^ 2 / 2)) Y) as S.
rewrite Rmult_0_r, Rmult_1_r, !Rplus_0_r in L.
exact (eq_trans S (f_equal (fun r => - exp (- x ^ 2 / 2) * r) L)).
Qed.

Lemma arc_0 : arc 0 = PI / 4.
Proof.
unfold arc. rewrite (RInt_ext _ (fun u => / (1 + u ^ 2))).
2:{ intros u _. replace (- 0 ^ 2 * (1 + u ^ 2) / 2) with 0 by (unfold Rdiv; ring). rewrite exp_0. match goal with |- ?u = ?v => change (@eq R u v) end. unfold Rdiv. ring. }
apply is_RInt_unique.
replace (PI / 4) with (minus (atan 1) (atan 0)).
2:{ rewrite atan_1, atan_0. unfold minus, plus, opp; simpl. ring. }
apply (is_RInt_derive (V := R_CompleteNormedModule) atan (fun u => / (1 + u ^ 2))).
- intros u _. apply is_derive_Reals, derivable_pt_lim_atan.
- intros u _. pose proof (one_plus u). apply (ex_derive_continuous (fun u => / (1 + u ^ 2))). auto_derive. simpl in *; lra.
Qed.

Lemma bell_square x : 0 <= x -> bell x ^ 2 / 2 + arc x = PI / 4.
Proof.
intros Hx. set (f := fun t => bell t ^ 2 / 2 + arc t).
assert (Df : forall t, is_derive f t 0).
{ intros t. unfold f.
  replace 0 with (plus (/ 2 * (INR 2 * exp (- t ^ 2 / 2) * bell t ^ 1)) (- exp (- t ^ 2 / 2) * bell t)) by (unfold plus; simpl; field).
  apply @is_derive_plus; [|apply arc_derive].
  apply (is_derive_ext (fun t => / 2 * bell t ^ 2)); [intros; unfold Rdiv; apply Rmult_comm|].
  apply is_derive_scal. apply (is_derive_pow bell 2 t), bell_derive. }
assert (E : f 0 = PI / 4).
{ unfold f. rewrite arc_0. unfold bell. rewrite RInt_point. unfold zero; simpl. field. }
change (f x = PI / 4). apply Rle_antisym.
- cut (0 <= PI / 4 - f x); [lra|].
  apply (growth (fun t => PI / 4 - f t) (fun t => 0 - 0) 0 x); [|intros; lra|lra|exact Hx].
  intros t _. apply @is_derive_minus; [apply @is_derive_const | apply Df].
- cut (0 <= f x - PI / 4); [lra|].
  apply (growth (fun t => f t - PI / 4) (fun t => 0 - 0) 0 x); [|intros; lra|lra|exact Hx].
  intros t _. apply @is_derive_minus; [apply Df | apply @is_derive_const].
Qed.

Lemma arc_between x : 0 <= arc x <= exp (- x ^ 2 / 2) * (PI / 4).
Proof.
assert (X : ex_RInt (fun u => exp (- x ^ 2 * (1 + u ^ 2) / 2) / (1 + u ^ 2)) 0 1).
{ apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros u _. apply arc_continuous. }
assert (Y : ex_RInt (fun u => / (1 + u ^ 2)) 0 1).
{ apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros u _. pose proof (one_plus u).
  apply (ex_derive_continuous (fun u => / (1 + u ^ 2))). auto_derive. simpl in *; lra. }
assert (E : PI / 4 = RInt (fun u => / (1 + u ^ 2)) 0 1).
{ rewrite <- arc_0. unfold arc. apply RInt_ext. intros u _.
  replace (- 0 ^ 2 * (1 + u ^ 2) / 2) with 0 by (unfold Rdiv; ring). rewrite exp_0.
  match goal with |- ?u = ?v => change (@eq R u v) end. unfold Rdiv. ring. }
split.
- apply RInt_ge_0; [lra | exact X |]. intros u _. left. apply Rdiv_lt_0_compat; [apply exp_pos | apply one_plus].
- rewrite E.
  change (exp (- x ^ 2 / 2) * RInt (fun u => / (1 + u ^ 2)) 0 1)
    with (scal (exp (- x ^ 2 / 2)) (RInt (fun u => / (1 + u ^ 2)) 0 1)).
  rewrite <- (RInt_scal (V := R_CompleteNormedModule)) by exact Y.
  apply RInt_le; [lra | exact X | apply (ex_RInt_scal (V := R_NormedModule)), Y |].
  intros u _. unfold scal; simpl; unfold mult; simpl.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, one_plus|].
  apply exp_monotone. pose proof (pow2_ge_0 (x * u)). nra.
Qed.

Lemma normal_cdf_minus x : normal_cdf (- x) = 1 - normal_cdf x.
Proof.
unfold normal_cdf. assert (E : RInt (fun t => exp (- t ^ 2 / 2)) 0 (- x) = - RInt (fun t => exp (- t ^ 2 / 2)) 0 x).
{ assert (C : forall t, continuous (fun t => exp (- t ^ 2 / 2)) t).
  { intros t. apply (ex_derive_continuous (fun t => exp (- t ^ 2 / 2))). auto_derive. trivial. }
  assert (X : ex_RInt (fun t => exp (- t ^ 2 / 2)) (-1 * 0 + 0) (-1 * x + 0)).
  { apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z _. apply C. }
  pose proof (RInt_comp_lin (V := R_CompleteNormedModule) _ (-1) 0 0 x X) as L.
  assert (Y : ex_RInt (fun t => exp (- t ^ 2 / 2)) 0 x).
  { apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z _. apply C. }
  pose proof (RInt_scal (V := R_CompleteNormedModule) _ 0 x (-1) Y) as S.
  replace (-1 * 0 + 0) with 0 in L by ring. replace (-1 * x + 0) with (- x) in L by ring.
  assert (Z : RInt (fun t => scal (-1) (exp (- (-1 * t + 0) ^ 2 / 2))) 0 x = RInt (fun t => scal (-1) (exp (- t ^ 2 / 2))) 0 x).
  { apply RInt_ext. intros t _. replace ((-1 * t + 0) ^ 2) with (t ^ 2) by ring. reflexivity. }
  pose proof (eq_trans (eq_sym L) (eq_trans Z S)) as T. rewrite T. unfold scal; simpl; unfold mult; simpl. ring. }
rewrite E. pose proof normal_root_positive. field. lra.
Qed.

(* the integral from 0 is at most half of the whole *)
Lemma normal_cdf_nonnegative x : 0 <= normal_cdf x.
Proof.
destruct (Rle_lt_dec 0 x) as [H|H].
- destruct H as [H| <-]; [pose proof (normal_cdf_above_half x H) | pose proof normal_cdf_0]; lra.
- replace x with (- - x) by ring. rewrite normal_cdf_minus. pose proof normal_root_positive as P.
  pose proof (bell_square (- x) ltac:(lra)) as K. destruct (arc_between (- x)) as [O _].
  assert (B : bell (- x) <= sqrt (2 * PI) / 2).
  { apply Rsqr_incr_0_var; [|lra]. unfold Rsqr.
    replace (sqrt (2 * PI) / 2 * (sqrt (2 * PI) / 2)) with (sqrt (2 * PI) * sqrt (2 * PI) / 4) by field.
    rewrite sqrt_sqrt by (pose proof PI_RGT_0; lra). simpl in K. lra. }
  unfold normal_cdf. fold (bell (- x)).
  assert (bell (- x) / sqrt (2 * PI) <= 1 / 2); [|lra].
  apply (Rmult_le_reg_r (sqrt (2 * PI))); [exact P|].
  replace (bell (- x) / sqrt (2 * PI) * sqrt (2 * PI)) with (bell (- x)) by (field; lra). lra.
Qed.

(* the two tails beyond c, Chernoff with the constant 1/2 *)
Theorem gaussian_tail c : 0 <= c -> 2 * normal_cdf (- c) <= exp (- c ^ 2 / 2).
Proof.
intros H. rewrite normal_cdf_minus. pose proof normal_root_positive as P.
pose proof (bell_square c H) as K. destruct (arc_between c) as [_ O].
assert (Q0 : 0 < exp (- c ^ 2 / 2)) by apply exp_pos.
assert (Q1 : exp (- c ^ 2 / 2) <= 1) by (apply exp_below_one; pose proof (pow2_ge_0 c); lra).
assert (B0 : 0 <= bell c).
{ unfold bell. apply RInt_ge_0; [exact H | | intros; left; apply exp_pos].
  apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros t _.
  apply (ex_derive_continuous (fun t => exp (- t ^ 2 / 2))). auto_derive. trivial. }
unfold normal_cdf. fold (bell c). revert O K Q0 Q1. generalize (exp (- c ^ 2 / 2)). intros q O K Q0 Q1.
assert (B : (1 - q) * (sqrt (2 * PI) / 2) <= bell c).
{ apply Rsqr_incr_0_var; [|exact B0]. unfold Rsqr.
  replace ((1 - q) * (sqrt (2 * PI) / 2) * ((1 - q) * (sqrt (2 * PI) / 2)))
    with ((1 - q) * (1 - q) * (sqrt (2 * PI) * sqrt (2 * PI)) / 4) by field.
  rewrite sqrt_sqrt by (pose proof PI_RGT_0; lra). pose proof PI_RGT_0. simpl in K.
  assert (0 <= PI * (q * (1 - q))) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]). nra. }
assert ((1 - q) / 2 <= bell c / sqrt (2 * PI)); [|lra].
apply (Rmult_le_reg_r (sqrt (2 * PI))); [exact P|].
replace (bell c / sqrt (2 * PI) * sqrt (2 * PI)) with (bell c) by (field; lra). lra.
Qed.

(* E(Z + a)_+ is not negative: it grows with a, and is above every -1/n far to the left *)
Theorem normal_excess a : 0 <= normal_density a + a * normal_cdf a.
Proof.
set (f := fun t => normal_density t + t * normal_cdf t).
assert (Df : forall t, is_derive f t (normal_cdf t)).
{ intros t. unfold f.
  replace (normal_cdf t) with (- t * normal_density t + (1 * normal_cdf t + t * normal_density t)) at 1 by ring.
  apply @is_derive_plus; [apply normal_density_derive|].
  apply (is_derive_mult (fun t => t) normal_cdf t 1 (normal_density t)); [apply @is_derive_id | apply normal_cdf_derive | intros; apply Rmult_comm]. }
change (0 <= f a). apply Rnot_lt_le. intros N.
set (b := Rmin (a - 1) (- 2 / (- f a) - 1)).
assert (Ba : b <= a - 1) by apply Rmin_l.
assert (Bf : b <= - 2 / (- f a) - 1) by apply Rmin_r.
assert (I0 : 0 < / (- f a)) by (apply Rinv_0_lt_compat; lra).
assert (Bn : b <= - 1) by (unfold Rdiv in Bf; lra).
assert (G : 0 <= f a - f b).
{ apply (growth (fun t => f t - f b) (fun t => normal_cdf t - 0) b a); [| |lra|lra].
  - intros t _. apply @is_derive_minus; [apply Df | apply @is_derive_const].
  - intros t _. pose proof (normal_cdf_nonnegative t). lra. }
pose proof (gaussian_tail (- b) ltac:(lra)) as T. rewrite Ropp_involutive in T.
replace (- (- b) ^ 2 / 2) with (- (b ^ 2 / 2)) in T by (unfold Rdiv; ring).
assert (Q : exp (- (b ^ 2 / 2)) <= 2 / b ^ 2).
{ rewrite exp_Ropp. replace (2 / b ^ 2) with (/ (b ^ 2 / 2)) by (field; lra).
  apply Rinv_le_contravar; [nra|]. pose proof (exp_ineq1_le (b ^ 2 / 2)). lra. }
pose proof (normal_density_positive b).
assert (L : - (1 / - b) <= b * normal_cdf b).
{ replace (- (1 / - b)) with (b * (1 / b ^ 2)) by (field; lra).
  assert (normal_cdf b <= 1 / b ^ 2) by (replace (1 / b ^ 2) with (2 / b ^ 2 / 2) by (field; lra); lra). nra. }
assert (M : 1 / - b < - f a).
{ apply (Rmult_lt_reg_r (- b)); [lra|]. replace (1 / - b * - b) with 1 by (field; lra).
  assert (2 / (- f a) * (- f a) = 2) by (field; lra). unfold Rdiv in *. nra. }
unfold f in *. lra.
Qed.

(* ---- the ratio of density and distribution function, and the second form of Theorem T ---- *)

Lemma rises f g a b : (forall t, a <= t <= b -> is_derive f t (g t)) -> (forall t, a <= t <= b -> 0 <= g t) ->
  a <= b -> f a <= f b.
Proof.
intros D G H. cut (0 <= f b - f a); [lra|].
apply (growth (fun t => f t - f a) (fun t => g t - 0) a b); [| |lra|exact H].
- intros t T. apply @is_derive_minus; [apply D, T | apply @is_derive_const].
- intros t T. rewrite Rminus_0_r. apply G, T.
Qed.

Lemma sinks f g a b : (forall t, a <= t <= b -> is_derive f t (g t)) -> (forall t, a <= t <= b -> g t <= 0) ->
  a <= b -> f b <= f a.
Proof.
intros D G H. cut (- f a <= - f b); [lra|].
apply (rises (fun t => - f t) (fun t => - g t)); [| |exact H].
- intros t T. apply @is_derive_opp, D, T.
- intros t T. pose proof (G t T). lra.
Qed.

Lemma vanishes C d Y0 : (forall Y, 1 <= Y -> Y0 <= Y -> - (C / Y ^ 2) <= d) -> 0 <= d.
Proof.
intros H. apply Rnot_lt_le. intros N.
assert (I : 0 < / - d) by (apply Rinv_0_lt_compat; lra).
pose proof (Rmax_l 1 Y0). pose proof (Rmax_r 1 Y0). pose proof (Rabs_pos C). pose proof (Rle_abs C).
set (Y := Rmax 1 Y0 + Rabs C / - d).
assert (P : 0 <= Rabs C / - d) by (apply Rmult_le_pos; lra).
assert (Y1 : 1 <= Y) by (unfold Y; lra).
pose proof (H Y Y1 ltac:(unfold Y; lra)) as K.
assert (E : Rabs C / - d * - d = Rabs C) by (field; lra).
assert (Y2 : 0 < Y ^ 2) by nra.
assert (L : C / Y ^ 2 < - d); [|lra].
apply (Rmult_lt_reg_r (Y ^ 2)); [exact Y2|]. replace (C / Y ^ 2 * Y ^ 2) with C by (field; lra).
assert (Rabs C < - d * Y) by (unfold Y; nra). nra.
Qed.

(* a function that does not fall and is hardly below 0 far to the left *)
Lemma from_the_left f g C : (forall t, is_derive f t (g t)) -> (forall t, 0 <= g t) ->
  (forall b, 1 <= b -> - (C / b ^ 2) <= f (- b)) -> forall a, 0 <= f a.
Proof.
intros D G L a. apply (vanishes C (f a) (- a)). intros Y Y1 Ya.
apply Rle_trans with (f (- Y)); [apply L, Y1|].
apply (rises f g); [intros t _; apply D | intros t _; apply G | lra].
Qed.

Lemma bell_far b : 0 < b -> exp (- b ^ 2 / 2) <= 16 / b ^ 4.
Proof.
intros H. assert (Q : 0 < b ^ 2) by nra.
replace (- b ^ 2 / 2) with (- (b ^ 2 / 4) + - (b ^ 2 / 4)) by field. rewrite exp_plus, exp_Ropp.
assert (E : / exp (b ^ 2 / 4) <= 4 / b ^ 2).
{ replace (4 / b ^ 2) with (/ (b ^ 2 / 4)) by (field; lra).
  apply Rinv_le_contravar; [lra|]. pose proof (exp_ineq1_le (b ^ 2 / 4)). lra. }
replace (16 / b ^ 4) with (4 / b ^ 2 * (4 / b ^ 2)) by (field; lra).
assert (0 < / exp (b ^ 2 / 4)) by apply Rinv_0_lt_compat, exp_pos. apply Rmult_le_compat; lra.
Qed.

Lemma root_above_one : 1 <= sqrt (2 * PI).
Proof. rewrite <- sqrt_1. apply sqrt_le_1_alt. pose proof PI_between. lra. Qed.

Lemma normal_density_minus z : normal_density (- z) = normal_density z.
Proof. unfold normal_density. replace ((- z) ^ 2) with (z ^ 2) by ring. reflexivity. Qed.

Lemma normal_density_bell z : normal_density z <= exp (- z ^ 2 / 2).
Proof.
unfold normal_density. pose proof root_above_one. pose proof (exp_pos (- z ^ 2 / 2)).
apply (Rmult_le_reg_r (sqrt (2 * PI))); [lra|].
replace (exp (- z ^ 2 / 2) / sqrt (2 * PI) * sqrt (2 * PI)) with (exp (- z ^ 2 / 2)) by (field; lra). nra.
Qed.

Lemma normal_density_far b : 1 <= b -> b * normal_density b <= 16 / b ^ 2.
Proof.
intros H. pose proof (bell_far b ltac:(lra)) as E. pose proof (normal_density_bell b) as D.
assert (Q : 0 < b ^ 2) by nra.
apply Rle_trans with (b * (16 / b ^ 4)); [apply Rmult_le_compat_l; lra|].
replace (b * (16 / b ^ 4)) with (16 / b ^ 2 * / b) by (field; lra).
assert (/ b <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
assert (0 < 16 / b ^ 2) by (apply Rdiv_lt_0_compat; lra). nra.
Qed.

Lemma normal_density_small b : 1 <= b -> normal_density b <= 16 / b ^ 2.
Proof. intros H. pose proof (normal_density_far b H). pose proof (normal_density_positive b). nra. Qed.

Lemma normal_density_below_one z : normal_density z <= 1.
Proof.
eapply Rle_trans; [apply normal_density_bell|]. apply exp_below_one. pose proof (pow2_ge_0 z). lra.
Qed.

Lemma normal_cdf_below_one z : normal_cdf z <= 1.
Proof. pose proof (normal_cdf_nonnegative (- z)). rewrite normal_cdf_minus in H. lra. Qed.

Lemma normal_cdf_positive z : 0 < normal_cdf z.
Proof.
destruct (MVT_gen normal_cdf (z - 1) z normal_density) as (c & _ & E).
- intros t _. apply normal_cdf_derive.
- intros t _. apply continuity_pt_filterlim, (ex_derive_continuous normal_cdf t). exists (normal_density t). apply normal_cdf_derive.
- pose proof (normal_density_positive c). pose proof (normal_cdf_nonnegative (z - 1)). lra.
Qed.

Lemma normal_cdf_half z : 0 <= z -> 1 / 2 <= normal_cdf z.
Proof. intros [H|<-]; [pose proof (normal_cdf_above_half z H) | pose proof normal_cdf_0]; lra. Qed.

(* (1+z^2) Phi + z phi, twice the integral of the mean excess *)
Lemma second_excess z : 0 <= (1 + z ^ 2) * normal_cdf z + z * normal_density z.
Proof.
apply (from_the_left (fun z => (1 + z ^ 2) * normal_cdf z + z * normal_density z)
  (fun z => 2 * (normal_density z + z * normal_cdf z)) 16).
- intros t.
  replace (2 * (normal_density t + t * normal_cdf t))
    with (((2 * t) * normal_cdf t + (1 + t ^ 2) * normal_density t) + (1 * normal_density t + t * (- t * normal_density t))) by ring.
  apply @is_derive_plus.
  + apply (is_derive_mult (fun t => 1 + t ^ 2) normal_cdf t (2 * t) (normal_density t));
      [auto_derive; [trivial | ring] | apply normal_cdf_derive | intros; apply Rmult_comm].
  + apply (is_derive_mult (fun t => t) normal_density t 1 (- t * normal_density t));
      [apply @is_derive_id | apply normal_density_derive | intros; apply Rmult_comm].
- intros t. pose proof (normal_excess t). lra.
- intros b B. pose proof (normal_cdf_nonnegative (- b)). rewrite normal_density_minus.
  pose proof (normal_density_far b B). nra.
Qed.

(* Sampford: z + phi/Phi does not fall *)
Lemma sampford z : normal_density z * (z * normal_cdf z + normal_density z) <= normal_cdf z ^ 2.
Proof.
cut (0 <= normal_cdf z ^ 2 - normal_density z * (normal_density z + z * normal_cdf z)); [lra|].
apply (from_the_left (fun z => normal_cdf z ^ 2 - normal_density z * (normal_density z + z * normal_cdf z))
  (fun z => normal_density z * ((1 + z ^ 2) * normal_cdf z + z * normal_density z)) 16).
- intros t.
  replace (normal_density t * ((1 + t ^ 2) * normal_cdf t + t * normal_density t))
    with (INR 2 * normal_density t * normal_cdf t ^ 1 -
      ((- t * normal_density t) * (normal_density t + t * normal_cdf t) + normal_density t * normal_cdf t)) by (simpl; ring).
  apply @is_derive_minus; [apply (is_derive_pow normal_cdf 2 t), normal_cdf_derive|].
  apply (is_derive_mult normal_density (fun t => normal_density t + t * normal_cdf t) t (- t * normal_density t) (normal_cdf t));
    [apply normal_density_derive | | intros; apply Rmult_comm].
  replace (normal_cdf t) with (- t * normal_density t + (1 * normal_cdf t + t * normal_density t)) at 1 by ring.
  apply @is_derive_plus; [apply normal_density_derive|].
  apply (is_derive_mult (fun t => t) normal_cdf t 1 (normal_density t));
    [apply @is_derive_id | apply normal_cdf_derive | intros; apply Rmult_comm].
- intros t. pose proof (normal_density_positive t). pose proof (second_excess t). nra.
- intros b B. pose proof (normal_cdf_nonnegative (- b)). rewrite normal_density_minus.
  pose proof (normal_density_small b B). pose proof (normal_density_below_one b).
  pose proof (normal_density_positive b). pose proof (pow2_ge_0 (normal_cdf (- b))).
  assert (0 <= b * normal_cdf (- b)) by (apply Rmult_le_pos; lra).
  assert (normal_density b * (normal_density b + - b * normal_cdf (- b)) <= normal_density b * 1)
    by (apply Rmult_le_compat_l; lra). lra.
Qed.

Definition ratio (z : R) : R := normal_density z / normal_cdf z.

Lemma ratio_positive z : 0 < ratio z.
Proof. apply Rdiv_lt_0_compat; [apply normal_density_positive | apply normal_cdf_positive]. Qed.

Lemma ratio_derive z : is_derive ratio z (- (ratio z * (z + ratio z))).
Proof.
pose proof (normal_cdf_positive z). unfold ratio.
replace (- (normal_density z / normal_cdf z * (z + normal_density z / normal_cdf z)))
  with ((- z * normal_density z * normal_cdf z - normal_density z * normal_density z) / normal_cdf z ^ 2) by (field; lra).
replace (- z * normal_density z * normal_cdf z) with (- z * normal_density z * normal_cdf z) by ring.
apply (is_derive_div normal_density normal_cdf z); [apply normal_density_derive | apply normal_cdf_derive | lra].
Qed.

Lemma ratio_below z : ratio z * (z + ratio z) <= 1.
Proof.
pose proof (normal_cdf_positive z) as P. pose proof (sampford z) as S. unfold ratio.
apply (Rmult_le_reg_r (normal_cdf z ^ 2)); [nra|].
replace (normal_density z / normal_cdf z * (z + normal_density z / normal_cdf z) * normal_cdf z ^ 2)
  with (normal_density z * (z * normal_cdf z + normal_density z)) by (field; lra). lra.
Qed.

Lemma ratio_lead z : 0 <= z + ratio z.
Proof.
pose proof (normal_cdf_positive z) as P. pose proof (normal_excess z) as S. unfold ratio.
apply (Rmult_le_reg_r (normal_cdf z)); [lra|].
replace ((z + normal_density z / normal_cdf z) * normal_cdf z) with (normal_density z + z * normal_cdf z) by (field; lra). lra.
Qed.

Lemma lead_derive z : is_derive (fun z => z + ratio z) z (1 - ratio z * (z + ratio z)).
Proof.
replace (1 - ratio z * (z + ratio z)) with (1 + - (ratio z * (z + ratio z))) by ring.
apply @is_derive_plus; [apply @is_derive_id | apply ratio_derive].
Qed.

Lemma lead_rises y z : y <= z -> y + ratio y <= z + ratio z.
Proof.
apply (rises (fun z => z + ratio z) (fun t => 1 - ratio t * (t + ratio t))); [intros t _; apply lead_derive | intros t _; pose proof (ratio_below t); lra].
Qed.

(* the square of the mean on an event of chance Phi(z) is at most 2 log(1/Phi(z)) *)
Lemma ratio_far z : 1 <= z -> ratio z ^ 2 <= 64 / z ^ 2.
Proof.
intros H. pose proof (normal_cdf_half z ltac:(lra)) as P. pose proof (normal_density_small z H) as D.
pose proof (normal_density_positive z). pose proof (normal_density_below_one z).
assert (Q : 0 < z ^ 2) by nra.
assert (E : ratio z <= 2 * normal_density z).
{ unfold ratio. apply (Rmult_le_reg_r (normal_cdf z)); [lra|].
  replace (normal_density z / normal_cdf z * normal_cdf z) with (normal_density z) by (field; lra). nra. }
pose proof (ratio_positive z).
apply Rle_trans with (4 * normal_density z); [nra|].
replace (64 / z ^ 2) with (4 * (16 / z ^ 2)) by (field; lra). lra.
Qed.

Theorem ratio_log z : ratio z ^ 2 <= - 2 * ln (normal_cdf z).
Proof.
cut (0 <= - 2 * ln (normal_cdf z) - ratio z ^ 2); [lra|].
assert (D : forall t, is_derive (fun t => - 2 * ln (normal_cdf t) - ratio t ^ 2) t
  (- (2 * ratio t * (1 - ratio t * (t + ratio t))))).
{ intros t. pose proof (normal_cdf_positive t) as P.
  replace (- (2 * ratio t * (1 - ratio t * (t + ratio t))))
    with (- 2 * (normal_density t * / normal_cdf t) - INR 2 * - (ratio t * (t + ratio t)) * ratio t ^ 1)
    by (unfold ratio; simpl; field; lra).
  apply @is_derive_minus; [|apply (is_derive_pow ratio 2 t), ratio_derive].
  apply is_derive_scal. apply (is_derive_comp ln normal_cdf t); [|apply normal_cdf_derive].
  apply is_derive_Reals, derivable_pt_lim_ln, P. }
apply (vanishes 64 _ z). intros Y Y1 Yz.
apply Rle_trans with (- 2 * ln (normal_cdf Y) - ratio Y ^ 2).
- pose proof (ratio_far Y Y1).
  assert (ln (normal_cdf Y) <= 0); [|lra].
  rewrite <- ln_1. apply ln_monotone; [apply normal_cdf_positive | apply normal_cdf_below_one].
- apply (sinks (fun t => - 2 * ln (normal_cdf t) - ratio t ^ 2) (fun t => - (2 * ratio t * (1 - ratio t * (t + ratio t))))).
  + intros t _. apply D.
  + intros t _. pose proof (ratio_below t). pose proof (ratio_positive t). nra.
  + exact Yz.
Qed.

(* the slope of I(p)^2/p at p = Phi(z) is - slope2 z *)
Definition slope2 (z : R) : R := 2 * z * ratio z + ratio z ^ 2.

Lemma slope2_derive z : is_derive slope2 z (2 * ratio z * (1 - (z + ratio z) ^ 2)).
Proof.
unfold slope2.
replace (2 * ratio z * (1 - (z + ratio z) ^ 2))
  with ((2 * ratio z + 2 * z * - (ratio z * (z + ratio z))) + INR 2 * - (ratio z * (z + ratio z)) * ratio z ^ 1) by (simpl; ring).
apply @is_derive_plus; [|apply (is_derive_pow ratio 2 z), ratio_derive].
apply (is_derive_mult (fun z => 2 * z) ratio z 2 (- (ratio z * (z + ratio z))));
  [auto_derive; [trivial | ring] | apply ratio_derive | intros; apply Rmult_comm].
Qed.

Lemma slope2_rises y z : y <= z -> z + ratio z <= 1 -> slope2 y <= slope2 z.
Proof.
intros H W. apply (rises slope2 (fun z => 2 * ratio z * (1 - (z + ratio z) ^ 2))); [intros t _; apply slope2_derive | | exact H].
intros t T. pose proof (ratio_positive t). pose proof (ratio_lead t). pose proof (lead_rises t z ltac:(lra)).
assert (0 <= 1 - (t + ratio t) ^ 2) by nra. nra.
Qed.

Lemma slope2_sinks y z : y <= z -> 1 <= y + ratio y -> slope2 z <= slope2 y.
Proof.
intros H W. apply (sinks slope2 (fun z => 2 * ratio z * (1 - (z + ratio z) ^ 2))); [intros t _; apply slope2_derive | | exact H].
intros t T. pose proof (ratio_positive t). pose proof (lead_rises y t ltac:(lra)).
assert (1 - (t + ratio t) ^ 2 <= 0) by nra. nra.
Qed.

Definition square_over (z : R) : R := normal_density z ^ 2 / normal_cdf z.

Lemma square_over_derive z : is_derive square_over z (- (normal_density z * slope2 z)).
Proof.
pose proof (normal_cdf_positive z). unfold square_over.
replace (- (normal_density z * slope2 z))
  with ((INR 2 * (- z * normal_density z) * normal_density z ^ 1 * normal_cdf z - normal_density z ^ 2 * normal_density z) / normal_cdf z ^ 2)
  by (unfold slope2, ratio; simpl; field; lra).
apply (is_derive_div (fun z => normal_density z ^ 2) normal_cdf z);
  [apply (is_derive_pow normal_density 2 z), normal_density_derive | apply normal_cdf_derive | lra].
Qed.

Lemma lead_left z : z <= 0 -> z + ratio z <= 1.
Proof.
intros H. pose proof (lead_rises z 0 H) as L. unfold ratio in L at 2. rewrite normal_cdf_0 in L.
pose proof (normal_density_most 0) as M.
assert (/ sqrt (2 * PI) <= / 2); [|lra].
apply Rinv_le_contravar; [lra|]. pose proof PI_between.
replace 2 with (sqrt (2 * 2)) at 1 by (rewrite sqrt_square; lra). apply sqrt_le_1_alt. lra.
Qed.

(* the tangent at Phi(z) <= 1/2 is not negative at p = 1 *)
Lemma tangent_at_one z : z <= 0 -> slope2 z * (1 - normal_cdf z) <= square_over z.
Proof.
intros H. cut (0 <= square_over z - slope2 z * (1 - normal_cdf z)); [lra|].
assert (E : square_over 0 - slope2 0 * (1 - normal_cdf 0) = 0).
{ unfold square_over, slope2, ratio. rewrite normal_cdf_0. field. }
rewrite <- E at 1.
apply (sinks (fun z => square_over z - slope2 z * (1 - normal_cdf z))
  (fun z => - (2 * ratio z * (1 - (z + ratio z) ^ 2) * (1 - normal_cdf z)))); [| |exact H].
- intros t _.
  replace (- (2 * ratio t * (1 - (t + ratio t) ^ 2) * (1 - normal_cdf t)))
    with (- (normal_density t * slope2 t) - (2 * ratio t * (1 - (t + ratio t) ^ 2) * (1 - normal_cdf t) + slope2 t * (0 - normal_density t))) by ring.
  apply @is_derive_minus; [apply square_over_derive|].
  apply (is_derive_mult slope2 (fun t => 1 - normal_cdf t) t); [apply slope2_derive | | intros; apply Rmult_comm].
  apply @is_derive_minus; [apply @is_derive_const | apply normal_cdf_derive].
- intros t T. pose proof (ratio_positive t). pose proof (ratio_lead t). pose proof (lead_left t ltac:(lra)).
  pose proof (normal_cdf_below_one t). assert (0 <= 1 - (t + ratio t) ^ 2) by nra.
  assert (0 <= 2 * ratio t * (1 - (t + ratio t) ^ 2)) by nra. nra.
Qed.

Theorem square_tangent z y : z <= 0 ->
  square_over y <= ratio z ^ 2 * normal_cdf z - slope2 z * (normal_cdf y - normal_cdf z).
Proof.
intros H. assert (Ez : ratio z ^ 2 * normal_cdf z = square_over z).
{ pose proof (normal_cdf_positive z). unfold ratio, square_over. field. lra. }
rewrite Ez.
set (d := fun t => square_over z - slope2 z * (normal_cdf t - normal_cdf z) - square_over t).
assert (Dd : forall t, is_derive d t (normal_density t * (slope2 t - slope2 z))).
{ intros t. unfold d.
  replace (normal_density t * (slope2 t - slope2 z))
    with (0 - slope2 z * (normal_density t - 0) - - (normal_density t * slope2 t)) by ring.
  apply @is_derive_minus; [|apply square_over_derive].
  apply @is_derive_minus; [apply @is_derive_const|].
  apply is_derive_scal. apply @is_derive_minus; [apply normal_cdf_derive | apply @is_derive_const]. }
assert (d0 : d z = 0) by (unfold d; ring).
cut (0 <= d y); [unfold d; lra|].
destruct (Rle_lt_dec y z) as [L|L].
- rewrite <- d0. apply (sinks d (fun t => normal_density t * (slope2 t - slope2 z))); [intros t _; apply Dd | | exact L].
  intros t T. pose proof (normal_density_positive t). pose proof (slope2_rises t z ltac:(lra) (lead_left z H)). nra.
- assert (up : (forall t, z <= t <= y -> slope2 z <= slope2 t) -> 0 <= d y).
  { intros U. rewrite <- d0. apply (rises d (fun t => normal_density t * (slope2 t - slope2 z))); [intros t _; apply Dd | | lra].
    intros t T. pose proof (normal_density_positive t). pose proof (U t T). nra. }
  assert (early : forall t, z <= t -> t + ratio t <= 1 -> slope2 z <= slope2 t).
  { intros t T W. apply slope2_rises; assumption. }
  destruct (Rle_lt_dec (y + ratio y) 1) as [W|W].
  { apply up. intros t T. apply early; [lra|]. pose proof (lead_rises t y ltac:(lra)). lra. }
  destruct (Rle_lt_dec (slope2 z) (slope2 y)) as [S|S].
  { apply up. intros t T. destruct (Rle_lt_dec (t + ratio t) 1) as [V|V]; [apply early; lra|].
    pose proof (slope2_sinks t y ltac:(lra) ltac:(lra)). lra. }
  apply (vanishes (16 * Rabs (slope2 z) + 64) _ y). intros Y Y1 Yy.
  apply Rle_trans with (d Y).
  + unfold d. pose proof (tangent_at_one z H) as T1.
    pose proof (gaussian_tail Y ltac:(lra)) as G. rewrite normal_cdf_minus in G.
    assert (Q : 1 <= Y ^ 2) by nra.
    assert (B : exp (- Y ^ 2 / 2) <= 16 / Y ^ 2).
    { eapply Rle_trans; [apply bell_far; lra|]. unfold Rdiv. apply Rmult_le_compat_l; [lra|].
      apply Rinv_le_contravar; [lra|]. replace (Y ^ 4) with (Y ^ 2 * Y ^ 2) by ring. nra. }
    pose proof (normal_cdf_below_one Y) as C1.
    assert (A : - (slope2 z * (1 - normal_cdf Y)) <= 16 * Rabs (slope2 z) / Y ^ 2).
    { pose proof (Rabs_pos (slope2 z)). pose proof (Rle_abs (- slope2 z)) as A1. rewrite Rabs_Ropp in A1.
      apply Rle_trans with (Rabs (slope2 z) * (1 - normal_cdf Y)); [nra|].
      replace (16 * Rabs (slope2 z) / Y ^ 2) with (Rabs (slope2 z) * (16 / Y ^ 2)) by (field; lra).
      apply Rmult_le_compat_l; lra. }
    assert (F : square_over Y <= 64 / Y ^ 2).
    { pose proof (ratio_far Y Y1) as R1. pose proof (normal_cdf_positive Y).
      replace (square_over Y) with (ratio Y ^ 2 * normal_cdf Y) by (unfold ratio, square_over; field; lra).
      pose proof (pow2_ge_0 (ratio Y)). nra. }
    replace (- ((16 * Rabs (slope2 z) + 64) / Y ^ 2)) with (- (16 * Rabs (slope2 z) / Y ^ 2) - 64 / Y ^ 2) by (field; lra).
    nra.
  + apply (sinks d (fun t => normal_density t * (slope2 t - slope2 z))); [intros t _; apply Dd | | exact Yy].
    intros t T. pose proof (normal_density_positive t). pose proof (slope2_sinks y t ltac:(lra) ltac:(lra)). nra.
Qed.
