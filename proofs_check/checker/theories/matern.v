(******************************************************************************)
(*                  Mixtures of squared exponentials are kernels              *)
(*                                                                            *)
(* A function of squared distances that is a limit of sums of exp (- u z)     *)
(* with positive weights: exp (- sqrt z), and what has such a function as its *)
(* slope, so that the Matern kernels of smoothness 1/2, 3/2, 5/2, ... are     *)
(* kernels in every dimension.                                                *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   matern p z == that of smoothness p + 1/2, of a scaled squared distance   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   mix_matern == it is such a function                                      *)
(*   mix_independent == points that have nothing in common                    *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, squared_exponential.          *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia List Psatz.
From Coquelicot Require Import Coquelicot.
From CTV Require Import definitions sums gains kernels squared_exponential.
Open Scope R_scope.

(* squared distances of points with d coordinates *)
Definition apart (d : nat) (x : nat -> nat -> R) (i j : nat) : R := sum d (fun l => (x i l - x j l) ^ 2).

Definition mixture (phi : R -> R) : Prop := forall n d x y, 0 <= y ->
  semidefinite n (fun i j => phi (y + apart d x i j)).

Lemma apart_sym d x i j : apart d x i j = apart d x j i.
Proof. apply sum_ext; intros; ring. Qed.
Lemma apart_ge0 d x i j : 0 <= apart d x i j.
Proof. apply sum_ge0; intros; apply pow2_ge_0. Qed.

Lemma mix_ext f g : (forall z, 0 <= z -> f z = g z) -> mixture f -> mixture g.
Proof.
intros e h n d x y y0; apply (semidefinite_ext n (fun i j => f (y + apart d x i j))); [| now apply h].
intros i j _ _; apply e; generalize (apart_ge0 d x i j); lra.
Qed.
Lemma mix_mul f g : mixture f -> mixture g -> mixture (fun z => f z * g z).
Proof. intros a b n d x y y0; apply semidefinite_hadamard; [now apply a | now apply b]. Qed.
Lemma mix_plus f g : mixture f -> mixture g -> mixture (fun z => f z + g z).
Proof. intros a b n d x y y0; apply semidefinite_plus; [now apply a | now apply b]. Qed.
Lemma mix_scal c f : 0 <= c -> mixture f -> mixture (fun z => c * f z).
Proof. intros c0 a n d x y y0; apply semidefinite_scal; [easy | now apply a]. Qed.
Lemma mix_shift t f : 0 <= t -> mixture f -> mixture (fun z => f (z + t)).
Proof.
intros t0 a n d x y y0; apply (semidefinite_ext n (fun i j => f (y + t + apart d x i j))); [| apply a; lra].
intros i j _ _; f_equal; ring.
Qed.
Lemma mix_exp u : 0 <= u -> mixture (fun z => exp (- (u * z))).
Proof.
intros u0 n d x y y0.
apply (semidefinite_ext n (fun i j => exp (- (u * y)) * exp (- (u * apart d x i j)))).
  intros i j _ _; rewrite <- exp_plus; f_equal; ring.
apply semidefinite_scal; [left; apply exp_pos |].
induction d as [|d IH].
- apply (semidefinite_ext n (fun _ _ => 1 * 1)); [| exact (semidefinite_outer n (fun _ => 1))].
  intros i j _ _; unfold apart; simpl; rewrite Rmult_0_r, Ropp_0, exp_0; ring.
- apply (semidefinite_ext n (fun i j => exp (- (u * apart d x i j)) * exp (- (u * (x i d - x j d) ^ 2)))).
    intros i j _ _; rewrite <- exp_plus; f_equal; unfold apart; simpl sum; ring.
  apply semidefinite_hadamard; [exact IH | exact (semidefinite_se n u (fun i => x i d) u0)].
Qed.
Lemma mix_const c : 0 <= c -> mixture (fun _ => c).
Proof.
intros c0; apply (mix_ext (fun z => c * exp (- (0 * z)))); [| apply mix_scal; [easy | apply mix_exp; lra]].
intros z _; rewrite Rmult_0_l, Ropp_0, exp_0; ring.
Qed.

Lemma lim_sum n (f : nat -> nat -> R) (l : nat -> R) : (forall i, is_lim_seq (f i) (l i)) ->
  is_lim_seq (fun m => sum n (fun i => f i m)) (sum n l).
Proof. intros h; induction n as [|n IH]; simpl; [apply is_lim_seq_const | exact (is_lim_seq_plus' _ _ _ _ IH (h n))]. Qed.
Lemma mix_limit (f : nat -> R -> R) (g : R -> R) : (forall m, mixture (f m)) ->
  (forall z, 0 <= z -> is_lim_seq (fun m => f m z) (g z)) -> mixture g.
Proof.
intros h l n d x y y0; split.
  intros i j _ _; now rewrite (apart_sym d x i j).
intros c.
apply (is_lim_seq_le (fun _ => 0) (fun m => sum n (fun i => sum n (fun j => c i * c j * f m (y + apart d x i j)))) 0
  (sum n (fun i => sum n (fun j => c i * c j * g (y + apart d x i j))))).
- intros m; exact (proj2 (h m n d x y y0) c).
- apply is_lim_seq_const.
- apply (lim_sum n (fun i m => sum n (fun j => c i * c j * f m (y + apart d x i j)))); intros i.
  apply (lim_sum n (fun j m => c i * c j * f m (y + apart d x i j))); intros j.
  apply (is_lim_seq_scal_l _ (c i * c j) (g (y + apart d x i j))); apply l.
  generalize (apart_ge0 d x i j); lra.
Qed.

Lemma mix_sum n (f : nat -> R -> R) : (forall k, mixture (f k)) -> mixture (fun z => sum n (fun k => f k z)).
Proof. intros h; induction n as [|n IH]; simpl; [apply mix_const; lra | now apply mix_plus]. Qed.
Lemma mix_pow k f : mixture f -> mixture (fun z => f z ^ k).
Proof. intros h; induction k as [|k IH]; simpl; [apply mix_const; lra | now apply mix_mul]. Qed.

Lemma sum_n_sum f n : sum_n f n = sum (S n) f.
Proof. induction n as [|n IH]; [rewrite sum_O; symmetry; apply Rplus_0_l | rewrite sum_Sn, IH; reflexivity]. Qed.
Lemma lim_series (f : nat -> R) (l : R) : is_series f l -> is_lim_seq (fun n => sum (S n) f) l.
Proof. intros h; apply (is_lim_seq_ext (sum_n f)); [apply sum_n_sum | exact h]. Qed.

Lemma mix_exp_of f : mixture f -> mixture (fun z => exp (f z)).
Proof.
intros h; apply (mix_limit (fun m z => sum (S m) (fun k => / INR (fact k) * f z ^ k))).
- intros m; apply mix_sum; intros k; apply mix_scal; [left; apply Rinv_0_lt_compat, lt_0_INR, lt_O_fact | now apply mix_pow].
- intros z _; apply lim_series.
  apply (is_series_ext (fun k => f z ^ k / INR (fact k))); [intros k; apply Rmult_comm | apply exp_series].
Qed.

(* 1 at distance 0 and 0 elsewhere *)
Lemma mix_independent : mixture (fun z => if Rle_dec z 0 then 1 else 0).
Proof.
apply (mix_limit (fun m z => exp (- (INR m * z)))); [intros m; apply mix_exp, pos_INR |].
intros z z0; destruct Rle_dec as [l|l].
- apply (is_lim_seq_ext (fun _ => 1)); [| apply is_lim_seq_const].
  intros m; replace z with 0 by lra; now rewrite Rmult_0_r, Ropp_0, exp_0.
- assert (q : Rabs (exp (- z)) < 1).
  { rewrite Rabs_pos_eq by (left; apply exp_pos); rewrite <- exp_0; apply exp_increasing; lra. }
  apply (is_lim_seq_ext (fun m => exp (- z) ^ m)); [| now apply is_lim_seq_geom].
  intros m; induction m as [|m IH]; [simpl; now rewrite Rmult_0_l, Ropp_0, exp_0 |].
  rewrite <- tech_pow_Rmult, IH, <- exp_plus, S_INR; f_equal; ring.
Qed.

(* exp (- sum of w (1 - exp (- u z))) *)
Definition bent (u z : R) : R := 1 - exp (- (u * z)).
Lemma mix_bent w u : 0 <= w -> 0 <= u -> mixture (fun z => exp (- (w * bent u z))).
Proof.
intros w0 u0; apply (mix_ext (fun z => exp (- w) * exp (w * exp (- (u * z))))).
- intros z _; rewrite <- exp_plus; f_equal; unfold bent; ring.
- apply mix_scal; [left; apply exp_pos |]; apply (mix_exp_of (fun z => w * exp (- (u * z)))).
  now apply mix_scal, mix_exp.
Qed.
Lemma mix_bents n w u : (forall k, 0 <= w k) -> (forall k, 0 <= u k) ->
  mixture (fun z => exp (- sum n (fun k => w k * bent (u k) z))).
Proof.
intros w0 u0; induction n as [|n IH]; simpl.
- apply (mix_ext (fun _ => 1)); [intros; now rewrite Ropp_0, exp_0 | apply mix_const; lra].
- apply (mix_ext (fun z => exp (- sum n (fun k => w k * bent (u k) z)) * exp (- (w n * bent (u n) z)))).
  + intros z _; rewrite <- exp_plus; f_equal; ring.
  + apply mix_mul; [exact IH | now apply mix_bent].
Qed.

Lemma bent_le u z : 0 <= u * z -> 0 <= bent u z <= Rmin 1 (u * z).
Proof.
intros h; unfold bent; assert (e := exp_ineq1_le (- (u * z))); assert (p := exp_pos (- (u * z))).
assert (exp (- (u * z)) <= 1). { rewrite <- exp_0; destruct h as [h|h]; [left; apply exp_increasing; lra | right; f_equal; lra]. }
split; [lra |]; apply Rmin_glb; lra.
Qed.
Lemma bent_mono u z z' : 0 <= u -> z <= z' -> bent u z <= bent u z'.
Proof.
intros h l; unfold bent; assert (u * z <= u * z') by (now apply Rmult_le_compat_l).
assert (exp (- (u * z')) <= exp (- (u * z))); [| lra].
destruct H as [H|H]; [left; apply exp_increasing; lra | right; f_equal; lra].
Qed.

(* a sum over rates r^(2k), k any whole number, of weight r^(-k): multiplied by 1/r where z is by 1/r^2 *)
Section Root.
Variable r : R.
Hypothesis r01 : 0 < r < 1.
Definition fast_w (k : nat) := r ^ k.
Definition fast_u (k : nat) := / r ^ (2 * k).
Definition slow_w (k : nat) := / r ^ S k.
Definition slow_u (k : nat) := r ^ (2 * S k).
Definition fast z k := fast_w k * bent (fast_u k) z.
Definition slow z k := slow_w k * bent (slow_u k) z.

Lemma rk k : 0 < r ^ k.
Proof. apply pow_lt; lra. Qed.
Lemma fast_ge z k : 0 <= z -> 0 <= fast z k <= r ^ k.
Proof.
intros z0; unfold fast, fast_w; assert (p := rk k); assert (p2 := Rinv_0_lt_compat _ (rk (2 * k))).
destruct (bent_le (fast_u k) z) as [a b]; [unfold fast_u; nra |].
assert (c := Rmin_l 1 (fast_u k * z)); nra.
Qed.
Lemma slow_ge z k : 0 <= z -> 0 <= slow z k <= z * r ^ S k.
Proof.
intros z0; unfold slow, slow_w; assert (p := rk (S k)); assert (p1 := Rinv_0_lt_compat _ (rk (S k))).
destruct (bent_le (slow_u k) z) as [a b]; [unfold slow_u; assert (q := rk (2 * S k)); nra |].
assert (c := Rmin_r 1 (slow_u k * z)); split; [nra |].
apply Rle_trans with (/ r ^ S k * (slow_u k * z)); [apply Rmult_le_compat_l; lra |].
right; unfold slow_u; replace (2 * S k)%nat with (S k + S k)%nat by lia; rewrite pow_add; field; lra.
Qed.
Lemma ex_fast z : 0 <= z -> ex_series (fast z).
Proof.
intros z0; apply (ex_series_le (fast z) (fun k => r ^ k)).
- intros k; change (Rabs (fast z k) <= r ^ k); destruct (fast_ge z k z0); rewrite Rabs_pos_eq; lra.
- apply ex_series_geom; rewrite Rabs_pos_eq; lra.
Qed.
Lemma ex_slow z : 0 <= z -> ex_series (slow z).
Proof.
intros z0; apply (ex_series_le (slow z) (fun k => z * r * r ^ k)).
- intros k; change (Rabs (slow z k) <= z * r * r ^ k); destruct (slow_ge z k z0) as [a b]; rewrite Rabs_pos_eq by lra.
  simpl in b; lra.
- apply (ex_series_scal_l (z * r) (fun k => r ^ k)), ex_series_geom; rewrite Rabs_pos_eq; lra.
Qed.
Definition whole_sum z := Series (fast z) + Series (slow z).

Lemma whole_scaled z : 0 <= z -> whole_sum (z / r ^ 2) = whole_sum z / r.
Proof.
intros z0; assert (q0 : 0 <= z / r ^ 2). { apply Rmult_le_pos; [easy | left; apply Rinv_0_lt_compat, (rk 2)]. }
assert (rn : r <> 0) by lra.
assert (a : Series (fast z) = bent 1 z + r * Series (fast (z / r ^ 2))).
{ rewrite (Series_incr_1 _ (ex_fast z z0)); f_equal.
  - unfold fast, fast_w, fast_u, bent; simpl; rewrite Rinv_1; ring.
  - rewrite <- Series_scal_l; apply Series_ext; intros k; unfold fast, fast_w, fast_u, bent.
    replace (/ r ^ (2 * S k) * z) with (/ r ^ (2 * k) * (z / r ^ 2)); [simpl; ring |].
    replace (2 * S k)%nat with (2 * k + 2)%nat by lia; rewrite pow_add; field; split; [easy | apply Rgt_not_eq, rk]. }
assert (b : r * Series (slow (z / r ^ 2)) = bent 1 z + Series (slow z)).
{ rewrite (Series_incr_1 _ (ex_slow _ q0)), Rmult_plus_distr_l; f_equal.
  - unfold slow, slow_w, slow_u, bent; replace (2 * 1)%nat with 2%nat by lia.
    replace (r ^ 2 * (z / r ^ 2)) with (1 * z) by (field; lra); simpl; field; lra.
  - rewrite <- Series_scal_l; apply Series_ext; intros k; unfold slow, slow_w, slow_u, bent.
    replace (r ^ (2 * S (S k)) * (z / r ^ 2)) with (r ^ (2 * S k) * z).
    + replace (/ r ^ S (S k)) with (/ r * / r ^ S k); [field; split; [apply Rgt_not_eq, rk | easy] |].
      simpl; field; split; [apply Rgt_not_eq, rk | easy].
    + replace (2 * S (S k))%nat with (2 * S k + 2)%nat by lia; rewrite pow_add; field; easy. }
unfold whole_sum; apply (Rmult_eq_reg_l r); [| easy]; unfold Rdiv; rewrite (Rmult_comm _ (/ r)), <- Rmult_assoc, Rinv_r, Rmult_1_l by easy.
unfold Rdiv in a, b; lra.
Qed.

Lemma whole_mono z z' : 0 <= z <= z' -> whole_sum z <= whole_sum z'.
Proof.
intros [z0 l]; assert (z1 : 0 <= z') by lra; apply Rplus_le_compat; apply Series_le.
- intros k; destruct (fast_ge z k z0); split; [easy |]; unfold fast; apply Rmult_le_compat_l; [left; apply rk |].
  apply bent_mono; [left; apply Rinv_0_lt_compat, rk | easy].
- now apply ex_fast.
- intros k; destruct (slow_ge z k z0); split; [easy |]; unfold slow; apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat, rk |].
  apply bent_mono; [left; apply rk | easy].
- now apply ex_slow.
Qed.
Lemma whole_0 : whole_sum 0 = 0.
Proof.
unfold whole_sum; rewrite (Series_ext (fast 0) (fun _ => 0 * 0)), (Series_ext (slow 0) (fun _ => 0 * 0)).
- rewrite Series_scal_l; ring.
- intros k; unfold slow, bent; rewrite Rmult_0_r, Ropp_0, exp_0; ring.
- intros k; unfold fast, bent; rewrite Rmult_0_r, Ropp_0, exp_0; ring.
Qed.
Lemma whole_1 : 0 < whole_sum 1.
Proof.
assert (f0 : 0 <= Series (fun k => fast 1 (S k))).
{ apply (series_ge0 (fun k => fast 1 (S k))); [intros k; apply fast_ge; lra |].
  apply Series_correct; apply (ex_series_incr_1 (fast 1)), ex_fast; lra. }
assert (s0 : 0 <= Series (slow 1)).
{ apply (series_ge0 (slow 1)); [intros k; apply slow_ge; lra | apply Series_correct, ex_slow; lra]. }
unfold whole_sum; rewrite (Series_incr_1 _ (ex_fast 1 ltac:(lra))).
assert (0 < fast 1 0); [| lra].
unfold fast, fast_w, fast_u, bent; simpl; rewrite Rinv_1, !Rmult_1_l.
assert (e : exp (- (1)) < exp 0) by (apply exp_increasing; lra); rewrite exp_0 in e; lra.
Qed.
Definition near_root z := whole_sum z / whole_sum 1.

Lemma near_scaled m z : 0 <= z -> near_root (z / r ^ (2 * m)) = near_root z / r ^ m.
Proof.
intros z0; assert (n0 := whole_1); induction m as [|m IH].
{ simpl; unfold Rdiv; now rewrite Rinv_1, !Rmult_1_r. }
replace (z / r ^ (2 * S m)) with (z / r ^ (2 * m) / r ^ 2).
- unfold near_root in *; rewrite whole_scaled.
  + replace (whole_sum (z / r ^ (2 * m)) / r / whole_sum 1) with (whole_sum (z / r ^ (2 * m)) / whole_sum 1 / r) by (field; lra).
    rewrite IH; simpl; field; split; [lra | split; [apply Rgt_not_eq, rk | lra]].
  + apply Rmult_le_pos; [easy | left; apply Rinv_0_lt_compat, rk].
- replace (2 * S m)%nat with (2 * m + 2)%nat by lia; rewrite pow_add; field; split; [lra | apply Rgt_not_eq, rk].
Qed.
Lemma near_mono z z' : 0 <= z <= z' -> near_root z <= near_root z'.
Proof.
intros h; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, whole_1 | now apply whole_mono].
Qed.
Lemma near_one m : near_root (1 / r ^ (2 * m)) = / r ^ m.
Proof.
rewrite near_scaled by lra; unfold near_root; assert (n0 := whole_1); field; split; [apply Rgt_not_eq, rk | lra].
Qed.
Lemma root_power m : sqrt (1 / r ^ (2 * m)) = / r ^ m.
Proof.
replace (1 / r ^ (2 * m)) with ((/ r ^ m) ^ 2); [apply sqrt_pow2; left; apply Rinv_0_lt_compat, rk |].
replace (2 * m)%nat with (m + m)%nat by lia; rewrite pow_add; field; apply Rgt_not_eq, rk.
Qed.

(* between which powers a number from 1 on lies *)
Lemma powers_pass z : 0 < z -> exists m, z <= 1 / r ^ (2 * m).
Proof.
intros z0; destruct (pow_lt_1_zero r ltac:(rewrite Rabs_pos_eq; lra) (/ z) (Rinv_0_lt_compat _ z0)) as [N h].
exists N; specialize (h (2 * N)%nat ltac:(lia)); rewrite Rabs_pos_eq in h by (left; apply rk).
unfold Rdiv; rewrite Rmult_1_l; rewrite <- (Rinv_inv z); apply Rinv_le_contravar; [apply rk | lra].
Qed.
Lemma powers_around z : 1 <= z -> exists m, 1 / r ^ (2 * m) <= z <= 1 / r ^ (2 * S m).
Proof.
intros z1; destruct (powers_pass z ltac:(lra)) as [N h]; revert h; induction N as [|N IH]; intros h.
- exists 0%nat; simpl in h; simpl Nat.mul; split; [simpl; lra |].
  apply Rle_trans with (1 := h); apply Rmult_le_compat_l; [lra |]; apply Rinv_le_contravar; [apply rk |].
  simpl; assert (0 < r * r < 1) by nra; lra.
- destruct (Rle_lt_dec z (1 / r ^ (2 * N))) as [l|l]; [now apply IH |]; exists N; split; [lra | exact h].
Qed.

Lemma near_close z : 0 <= z -> Rabs (near_root z - sqrt z) <= sqrt z * (/ r - 1).
Proof.
assert (ir : 1 < / r) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
assert (one : forall z, 1 <= z -> Rabs (near_root z - sqrt z) <= sqrt z * (/ r - 1)).
{ clear z; intros z z1; destruct (powers_around z z1) as [m [a b]].
  assert (pa : 0 < 1 / r ^ (2 * m)) by (apply Rdiv_lt_0_compat; [lra | apply rk]).
  assert (na := near_mono _ z (conj (Rlt_le _ _ pa) a)); assert (nb := near_mono z _ (conj (Rle_trans 0 1 z Rle_0_1 z1) b)).
  assert (sa := sqrt_le_1_alt _ _ a); assert (sb := sqrt_le_1_alt _ _ b).
  rewrite near_one in na, nb; rewrite root_power in sa, sb.
  assert (e : / r ^ S m = / r * / r ^ m) by (simpl; field; split; [apply Rgt_not_eq, rk | lra]).
  rewrite e in nb, sb; assert (p := Rinv_0_lt_compat _ (rk m)); apply Rabs_le.
  assert (/ r ^ m * (/ r - 1) <= sqrt z * (/ r - 1)) by (apply Rmult_le_compat_r; lra).
  split; lra. }
intros z0; destruct (Rle_lt_or_eq_dec 0 z z0) as [p|<-].
- destruct (powers_pass (/ z) (Rinv_0_lt_compat _ p)) as [m h].
  assert (h1 : 1 <= z / r ^ (2 * m)).
  { unfold Rdiv in *; rewrite Rmult_1_l in h; rewrite <- (Rinv_r z) by lra; apply Rmult_le_compat_l; lra. }
  assert (c := one _ h1); rewrite near_scaled in c by easy.
  assert (e : sqrt (z / r ^ (2 * m)) = sqrt z / r ^ m).
  { replace (z / r ^ (2 * m)) with (z * (1 / r ^ (2 * m))) by (unfold Rdiv; ring).
    rewrite sqrt_mult, root_power; [reflexivity | easy |].
    apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, rk]. }
  rewrite e in c; assert (q := Rinv_0_lt_compat _ (rk m)).
  replace (near_root z / r ^ m - sqrt z / r ^ m) with ((near_root z - sqrt z) * / r ^ m) in c by (unfold Rdiv; ring).
  rewrite Rabs_mult, (Rabs_pos_eq (/ r ^ m)) in c by lra.
  apply (Rmult_le_reg_r (/ r ^ m)); [easy |]; unfold Rdiv in c; lra.
- unfold near_root; rewrite whole_0, sqrt_0; unfold Rdiv; rewrite Rmult_0_l, Rminus_0_r, Rabs_R0; lra.
Qed.

Lemma mix_near : mixture (fun z => exp (- near_root z)).
Proof.
assert (n0 := whole_1); assert (i0 := Rinv_0_lt_compat _ n0).
apply (mix_limit (fun m z => exp (- sum (S m) (fun k => fast_w k / whole_sum 1 * bent (fast_u k) z)) *
                             exp (- sum (S m) (fun k => slow_w k / whole_sum 1 * bent (slow_u k) z)))).
- intros m; apply mix_mul; apply mix_bents; intros k; unfold fast_w, fast_u, slow_w, slow_u.
  + apply Rmult_le_pos; [left; apply rk | lra].
  + left; apply Rinv_0_lt_compat, rk.
  + apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, rk | lra].
  + left; apply rk.
- intros z z0.
  apply (is_lim_seq_ext (fun m => exp (- (/ whole_sum 1 * sum (S m) (fast z) + / whole_sum 1 * sum (S m) (slow z))))).
  + intros m; rewrite <- exp_plus; f_equal; rewrite <- !sum_scal, Ropp_plus_distr; f_equal; f_equal; apply sum_ext; intros k _;
      unfold fast, slow; field; lra.
  + apply (is_lim_seq_continuous exp (fun m => - (/ whole_sum 1 * sum (S m) (fast z) + / whole_sum 1 * sum (S m) (slow z))) (- near_root z)).
    * apply derivable_continuous_pt, derivable_pt_exp.
    * replace (- near_root z) with (- (/ whole_sum 1 * Series (fast z) + / whole_sum 1 * Series (slow z)))
        by (unfold near_root; change (whole_sum z) with (Series (fast z) + Series (slow z)); field; lra).
      apply (is_lim_seq_opp _ (/ whole_sum 1 * Series (fast z) + / whole_sum 1 * Series (slow z))), is_lim_seq_plus'.
      -- apply (is_lim_seq_scal_l _ (/ whole_sum 1) (Series (fast z))), lim_series, Series_correct, ex_fast; easy.
      -- apply (is_lim_seq_scal_l _ (/ whole_sum 1) (Series (slow z))), lim_series, Series_correct, ex_slow; easy.
Qed.
End Root.

(* r_m with 1/r_m - 1 = 1/(m + 1) *)
Definition toward (m : nat) : R := / (1 + / INR (S m)).
Lemma toward01 m : 0 < toward m < 1 /\ / toward m - 1 = / INR (S m).
Proof.
assert (p : 0 < / INR (S m)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
unfold toward; rewrite Rinv_inv; split; [| ring]; split; [apply Rinv_0_lt_compat; lra |].
rewrite <- Rinv_1; apply Rinv_lt_contravar; lra.
Qed.
Lemma lim_inv_S : is_lim_seq (fun m => / INR (S m)) 0.
Proof.
apply (is_lim_seq_incr_1 (fun m => / INR m)).
replace (Finite 0) with (Rbar_inv p_infty) by reflexivity.
apply is_lim_seq_inv; [apply is_lim_seq_INR | easy].
Qed.

Theorem mix_root : mixture (fun z => exp (- sqrt z)).
Proof.
apply (mix_limit (fun m z => exp (- near_root (toward m) z))); [intros m; apply mix_near, toward01 |].
intros z z0.
apply (is_lim_seq_continuous exp (fun m => - near_root (toward m) z) (- sqrt z)).
  apply derivable_continuous_pt, derivable_pt_exp.
apply (is_lim_seq_opp _ (sqrt z)).
apply (is_lim_seq_le_le (fun m => sqrt z - sqrt z * / INR (S m)) _ (fun m => sqrt z + sqrt z * / INR (S m)) (sqrt z)).
- intros m; destruct (toward01 m) as [r01 e]; assert (c := near_close (toward m) r01 z z0); rewrite e in c.
  apply Rabs_le_between in c; lra.
- replace (Finite (sqrt z)) with (Finite (sqrt z - sqrt z * 0)) by (f_equal; ring).
  apply is_lim_seq_minus'; [apply is_lim_seq_const | apply (is_lim_seq_scal_l _ (sqrt z) 0), lim_inv_S].
- replace (Finite (sqrt z)) with (Finite (sqrt z + sqrt z * 0)) by (f_equal; ring).
  apply is_lim_seq_plus'; [apply is_lim_seq_const | apply (is_lim_seq_scal_l _ (sqrt z) 0), lim_inv_S].
Qed.

(* what falls with such a slope and vanishes far away *)
Theorem mix_tail (f F : R -> R) C : mixture f -> (forall z z', 0 <= z <= z' -> f z' <= f z) ->
  (forall z, 0 < z -> is_derive F z (- f z)) -> (forall z, 0 <= z -> continuity_pt F z) ->
  (forall z, 0 <= z -> 0 <= F z) -> (forall z, 0 < z -> F z <= C / z) -> mixture F.
Proof.
intros mf falls slope cont F0 FC.
assert (step : forall z h, 0 <= z -> 0 < h -> h * f (z + h) <= F z - F (z + h) <= h * f z).
{ intros z h z0 h0.
  destruct (MVT_gen F z (z + h) (fun u => - f u)) as [c [cc e]].
  - intros u hu; rewrite Rmin_left, Rmax_right in hu by lra; apply slope; lra.
  - intros u hu; rewrite Rmin_left, Rmax_right in hu by lra; apply cont; lra.
  - rewrite Rmin_left, Rmax_right in cc by lra.
    assert (a := falls z c ltac:(lra)); assert (b := falls c (z + h) ltac:(lra)); nra. }
assert (many : forall N z h, 0 <= z -> 0 < h ->
  F (z + h) - F (z + INR (S N) * h) <= sum N (fun j => h * f (z + INR (S j) * h)) <= F z - F (z + INR N * h)).
{ intros N z h z0 h0; set (g := fun j => h * f (z + INR (S j) * h)); induction N as [|N IH].
  - simpl; rewrite Rmult_0_l, Rmult_1_l, Rplus_0_r; lra.
  - change (sum (S N) g) with (sum N g + h * f (z + INR (S N) * h)).
    assert (q : 0 <= INR (S N) * h) by (apply Rmult_le_pos; [apply pos_INR | lra]).
    assert (q' : 0 <= INR N * h) by (apply Rmult_le_pos; [apply pos_INR | lra]).
    destruct (step (z + INR (S N) * h) h ltac:(lra) h0) as [_ u].
    destruct (step (z + INR N * h) h ltac:(lra) h0) as [l _].
    replace (z + INR (S (S N)) * h) with (z + INR (S N) * h + h) by (rewrite (S_INR (S N)); ring).
    replace (z + INR N * h + h) with (z + INR (S N) * h) in l by (rewrite (S_INR N); ring).
    lra. }
apply (mix_limit (fun m z => sum (S m * S m) (fun j => / INR (S m) * f (z + INR (S j) * / INR (S m))))).
- intros m; assert (p : 0 < / INR (S m)) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
  apply (mix_sum _ (fun j z => / INR (S m) * f (z + INR (S j) * / INR (S m)))); intros j; apply mix_scal; [lra |].
  apply (mix_shift (INR (S j) * / INR (S m))); [apply Rmult_le_pos; [apply pos_INR | lra] | exact mf].
- intros z z0.
  apply (is_lim_seq_le_le (fun m => F (z + / INR (S m)) - C * / INR (S m)) _ (fun _ => F z)).
  + intros m; assert (p0 : 0 < INR (S m)) by (apply lt_0_INR; lia); assert (p := Rinv_0_lt_compat _ p0).
    destruct (many (S m * S m)%nat z (/ INR (S m)) z0 p) as [l u]; split.
    * apply Rle_trans with (2 := l); apply Rplus_le_compat_l, Ropp_le_contravar.
      assert (big : INR (S m) <= z + INR (S (S m * S m)) * / INR (S m)).
      { rewrite (S_INR (S m * S m)), mult_INR; replace ((INR (S m) * INR (S m) + 1) * / INR (S m)) with (INR (S m) + / INR (S m)) by (field; lra); lra. }
      assert (C0 : 0 <= C).
      { assert (a := F0 1 ltac:(lra)); assert (b := FC 1 ltac:(lra)); unfold Rdiv in b; rewrite Rinv_1 in b; lra. }
      apply Rle_trans with (1 := FC _ (Rlt_le_trans _ _ _ p0 big)).
      apply Rmult_le_compat_l; [easy |]; apply Rinv_le_contravar; lra.
    * apply Rle_trans with (1 := u).
      assert (0 <= F (z + INR (S m * S m) * / INR (S m))); [apply F0 | lra].
      assert (0 <= INR (S m * S m) * / INR (S m)) by (apply Rmult_le_pos; [apply pos_INR | lra]); lra.
  + replace (Finite (F z)) with (Finite (F z - C * 0)) by (f_equal; ring).
    apply is_lim_seq_minus'; [| apply (is_lim_seq_scal_l _ C 0), lim_inv_S].
    apply (is_lim_seq_continuous F (fun m => z + / INR (S m)) z); [now apply cont |].
    replace (Finite z) with (Finite (z + 0)) by (f_equal; ring).
    apply is_lim_seq_plus'; [apply is_lim_seq_const | apply lim_inv_S].
  + apply is_lim_seq_const.
Qed.

(* what has a slope that is not positive falls *)
Lemma falls_by f F : (forall z, 0 < z -> is_derive F z (- f z)) -> (forall z, 0 <= z -> continuity_pt F z) ->
  (forall z, 0 <= z -> 0 <= f z) -> forall z z', 0 <= z <= z' -> F z' <= F z.
Proof.
intros slope cont f0 z z' [z0 l].
destruct (MVT_gen F z z' (fun u => - f u)) as [c [cc e]].
- intros u hu; rewrite Rmin_left, Rmax_right in hu by lra; apply slope; lra.
- intros u hu; rewrite Rmin_left, Rmax_right in hu by lra; apply cont; lra.
- rewrite Rmin_left, Rmax_right in cc by lra; assert (a := f0 c ltac:(lra)); nra.
Qed.

(* Matern's kernel of smoothness p + 1/2: a polynomial of s, by the recursion of the Bessel functions, times exp (- s);
   factors p s has the polynomials of p and p + 1 *)
Fixpoint factors (p : nat) (s : R) : R * R :=
  match p with
  | O => (1, 1 + s)
  | S p => let (a, b) := factors p s in (b, b + s * s * a / ((2 * INR p + 1) * (2 * INR p + 3)))
  end.
Definition matern (p : nat) (z : R) : R := fst (factors p (sqrt z)) * exp (- sqrt z).

Notation factor p s := (fst (factors p s)).
Lemma factors_next p s : snd (factors p s) = factor (S p) s.
Proof. simpl; now destruct (factors p s). Qed.
Lemma factor_SS p s : factor (S (S p)) s = factor (S p) s + s * s * factor p s / ((2 * INR p + 1) * (2 * INR p + 3)).
Proof. rewrite <- (factors_next (S p)), <- (factors_next p); simpl factors; now destruct (factors p s). Qed.

Lemma two_steps (P : nat -> Prop) : P 0%nat -> P 1%nat -> (forall p, P p -> P (S p) -> P (S (S p))) -> forall p, P p.
Proof. intros a b h p; enough (P p /\ P (S p)) by easy; induction p as [|p [i j]]; [easy | split; [easy | now apply h]]. Qed.

Lemma factor_0 p : factor p 0 = 1.
Proof. revert p; apply two_steps; [easy | simpl; ring |]; intros p a b; rewrite factor_SS, b; unfold Rdiv; ring. Qed.

(* what the first are in print *)
Lemma matern_printed z : 0 <= z -> matern 0 z = exp (- sqrt z) /\ matern 1 z = (1 + sqrt z) * exp (- sqrt z) /\
  matern 2 z = (1 + sqrt z + z / 3) * exp (- sqrt z).
Proof.
intros z0; unfold matern; simpl; repeat split; [ring |]; f_equal; rewrite sqrt_sqrt by easy; field.
Qed.

Lemma odd_pos p : 0 < 2 * INR p + 1 /\ 0 < 2 * INR p + 3.
Proof. generalize (pos_INR p); lra. Qed.
Lemma factor_between s : 0 <= s -> forall p, 1 <= factor p s <= (1 + s) ^ p.
Proof.
intros s0; apply two_steps; [simpl; lra | simpl; lra |]; intros p [a b] [c d]; rewrite factor_SS.
destruct (odd_pos p) as [o1 o3]; set (m := (2 * INR p + 1) * (2 * INR p + 3)).
assert (m1 : 1 <= m) by (unfold m; generalize (pos_INR p); nra).
assert (q0 : 0 <= s * s * factor p s) by (apply Rmult_le_pos; [nra | lra]).
assert (l : s * s * factor p s / m <= s * s * factor p s).
{ apply (Rmult_le_reg_r m); [lra |]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra. }
assert (z : 0 <= s * s * factor p s / m) by (apply Rmult_le_pos; [easy | left; apply Rinv_0_lt_compat; lra]).
split; [lra |]; simpl in d |- *; assert (w : 0 < (1 + s) ^ p) by (apply pow_lt; lra).
assert (s * s * factor p s <= s * s * (1 + s) ^ p) by (apply Rmult_le_compat_l; nra); nra.
Qed.

(* the slope of each is one before it *)
Lemma derive_next (f g : R -> R) df dg c s : c <> 0 -> is_derive f s df -> is_derive g s dg ->
  is_derive (fun s => f s + s * s * g s / c) s (df + (2 * s * g s + s * s * dg) / c).
Proof.
intros c0 i j; auto_derive; [split; [eexists; exact i | split; [eexists; exact j | easy]] |].
replace (Derive (fun x => f x) s) with df by (symmetry; now apply is_derive_unique).
replace (Derive (fun x => g x) s) with dg by (symmetry; now apply is_derive_unique); now field.
Qed.
Lemma factor_slope s : forall p, is_derive (fun s => factor (S p) s) s (factor (S p) s - s * factor p s / (2 * INR p + 1)).
Proof.
assert (one : is_derive (fun s => factor 1 s) s 1) by (apply (is_derive_ext (fun s => 1 + s)); [easy | auto_derive; [easy | ring]]).
apply two_steps.
- replace (factor 1 s - _) with 1 by (simpl; field); exact one.
- replace (factor 2 s - _) with (1 + (2 * s * 1 + s * s * 0) / ((2 * INR 0 + 1) * (2 * INR 0 + 3))) by (simpl; field).
  apply (is_derive_ext (fun s => factor 1 s + s * s * 1 / ((2 * INR 0 + 1) * (2 * INR 0 + 3)))); [intros t; symmetry; apply (factor_SS 0) |].
  apply (derive_next (fun s => factor 1 s) (fun _ => 1)); [simpl; lra | exact one | apply (is_derive_const 1)].
- intros p i j; destruct (odd_pos p).
  apply (is_derive_ext (fun s => factor (S (S p)) s + s * s * factor (S p) s / ((2 * INR (S p) + 1) * (2 * INR (S p) + 3)))).
    intros t; symmetry; apply factor_SS.
  assert (c0 : (2 * INR (S p) + 1) * (2 * INR (S p) + 3) <> 0) by (rewrite S_INR; apply Rmult_integral_contrapositive_currified; lra).
  assert (d := derive_next (fun s => factor (S (S p)) s) (fun s => factor (S p) s) _ _ _ s c0 j i).
  match type of d with is_derive _ _ ?e => match goal with |- is_derive _ _ ?e' => replace e' with e; [exact d |] end end; clear d c0 i j.
  rewrite !(factor_SS (S p)), (factor_SS p), !S_INR; field; repeat split; lra.
Qed.
Lemma derive_root (q : R -> R) d c z : 0 < z -> is_derive q (sqrt z) d ->
  is_derive (fun z => c * (q (sqrt z) * exp (- sqrt z))) z (c * (d - q (sqrt z)) * exp (- sqrt z) / (2 * sqrt z)).
Proof.
intros z0 i; assert (s0 := sqrt_lt_R0 _ z0); auto_derive; [repeat split; try easy; eexists; exact i |].
replace (Derive (fun x => q x) (sqrt z)) with d by (symmetry; now apply is_derive_unique); field; lra.
Qed.
Lemma matern_slope p z : 0 < z -> is_derive (fun z => 2 * (2 * INR p + 1) * matern (S p) z) z (- matern p z).
Proof.
intros z0; assert (s0 := sqrt_lt_R0 _ z0); destruct (odd_pos p).
assert (d := derive_root (fun s => factor (S p) s) _ (2 * (2 * INR p + 1)) z z0 (factor_slope (sqrt z) p)).
replace (- matern p z) with (2 * (2 * INR p + 1) * (factor (S p) (sqrt z) - sqrt z * factor p (sqrt z) / (2 * INR p + 1) - factor (S p) (sqrt z)) *
  exp (- sqrt z) / (2 * sqrt z)); [exact d |].
unfold matern; field; repeat split; lra.
Qed.

Lemma factor_continuous p s : continuity_pt (fun s => factor p s) s.
Proof.
destruct p as [|p]; [now apply continuity_pt_const |].
apply derivable_continuous_pt; eexists; apply is_derive_Reals, factor_slope.
Qed.
Lemma matern_continuous p z : 0 <= z -> continuity_pt (matern p) z.
Proof.
intros z0; assert (c := continuity_pt_sqrt z z0); apply continuity_pt_mult.
- exact (continuity_pt_comp sqrt (fun s => factor p s) z c (factor_continuous p (sqrt z))).
- apply (continuity_pt_comp sqrt (fun s => exp (- s)) z c); reg.
Qed.
Lemma matern_ge0 p z : 0 <= matern p z.
Proof.
destruct (factor_between (sqrt z) (sqrt_pos z) p) as [a _].
apply Rmult_le_pos; [lra | left; apply exp_pos].
Qed.
Lemma exp_le_opp s t : s <= t -> exp (- t) <= exp (- s).
Proof. intros [h| ->]; [left; apply exp_increasing; lra | lra]. Qed.
Lemma matern_falls p z z' : 0 <= z <= z' -> matern p z' <= matern p z.
Proof.
intros h; destruct p as [|p].
- unfold matern; simpl; rewrite !Rmult_1_l; apply exp_le_opp, sqrt_le_1_alt, h.
- destruct (odd_pos p); apply (Rmult_le_reg_l (2 * (2 * INR p + 1))); [lra |].
  apply (falls_by (matern p) (fun z => 2 * (2 * INR p + 1) * matern (S p) z)) with (4 := h).
  + intros u u0; now apply matern_slope.
  + intros u u0; apply continuity_pt_mult; [now apply continuity_pt_const | now apply matern_continuous].
  + intros u _; apply matern_ge0.
Qed.

Lemma exp_power x n : exp x ^ n = exp (INR n * x).
Proof. induction n as [|n IH]; [simpl; now rewrite Rmult_0_l, exp_0 | simpl pow; rewrite IH, <- exp_plus, S_INR; f_equal; ring]. Qed.
Lemma power_below_exp s n : 0 <= s -> (1 + s) ^ S n <= INR (S n) ^ S n * exp s.
Proof.
intros s0; assert (m1 : 1 <= INR (S n)) by (rewrite S_INR; generalize (pos_INR n); lra).
replace (exp s) with (exp (s / INR (S n)) ^ S n) by (rewrite exp_power; f_equal; field; lra).
rewrite <- Rpow_mult_distr; apply pow_incr; split; [lra |].
assert (e := exp_ineq1_le (s / INR (S n))).
apply Rle_trans with (INR (S n) * (1 + s / INR (S n))); [| apply Rmult_le_compat_l; lra].
rewrite Rmult_plus_distr_l; replace (INR (S n) * (s / INR (S n))) with s by (field; lra); lra.
Qed.
Lemma matern_vanishes p z : 0 < z -> matern p z <= INR (S (S p)) ^ S (S p) / z.
Proof.
intros z0; set (s := sqrt z); assert (s0 : 0 <= s) by apply sqrt_pos; assert (q : z = s * s) by (unfold s; rewrite sqrt_sqrt; lra).
destruct (factor_between s s0 p) as [a b]; assert (h := power_below_exp s (S p) s0); assert (E := exp_pos s).
apply (Rmult_le_reg_r z); [easy |]; unfold Rdiv; rewrite (Rmult_assoc _ (/ z)), Rinv_l, Rmult_1_r by lra.
unfold matern; fold s; rewrite exp_Ropp; apply (Rmult_le_reg_r (exp s)); [easy |].
replace (factor p s * / exp s * z * exp s) with (factor p s * z) by (field; lra).
apply Rle_trans with (2 := h); rewrite q; simpl pow.
assert (w : 0 < (1 + s) ^ p) by (apply pow_lt; lra).
apply Rle_trans with ((1 + s) ^ p * ((1 + s) * (1 + s))); [apply Rmult_le_compat; nra | right; ring].
Qed.

Theorem mix_matern p : mixture (matern p).
Proof.
induction p as [|p IH].
- apply (mix_ext (fun z => exp (- sqrt z))); [intros; unfold matern; simpl; ring | exact mix_root].
- destruct (odd_pos p) as [o _]; set (c := 2 * (2 * INR p + 1)).
  apply (mix_ext (fun z => / c * (c * matern (S p) z))); [intros; unfold c; field; lra |].
  apply mix_scal; [left; apply Rinv_0_lt_compat; unfold c; lra |].
  apply (mix_tail (matern p) _ (c * INR (S (S (S p))) ^ S (S (S p))) IH).
  + intros z z' h; now apply matern_falls.
  + intros z z0; now apply matern_slope.
  + intros z z0; apply continuity_pt_mult; [now apply continuity_pt_const | now apply matern_continuous].
  + intros z _; apply Rmult_le_pos; [unfold c; lra | apply matern_ge0].
  + intros z z0; unfold Rdiv; rewrite Rmult_assoc; apply Rmult_le_compat_l; [unfold c; lra | now apply matern_vanishes].
Qed.
