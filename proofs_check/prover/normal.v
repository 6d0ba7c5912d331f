(* The normal law: its whole integral, its tails, its mean excess.

   With B(x) the integral of exp(-t^2/2) from 0 to x and A(x) that of exp(-x^2(1+u^2)/2)/(1+u^2) over u in
   [0,1], B^2/2 + A has the derivative 0 and is pi/4 at 0; and A is between 0 and exp(-x^2/2) pi/4. *)
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
