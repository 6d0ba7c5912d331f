(******************************************************************************)
(*                 Sums over rounds, and what papers do with them             *)
(*                                                                            *)
(* What proofs about sequences repeat: term by term, step by step, Cauchy and *)
(* Schwarz, Jensen, potentials, and the tactics that scripts begin with where *)
(* a claim is about lists or sums up to a parameter. Sums are those of        *)
(* meaning.v, so that no other theory is loaded.                              *)
(*                                                                            *)
(* Statements:                                                                *)
(*   sum_below, sum_at_least, sum_at_most == term by term                     *)
(*   sum_by_steps, sum_over_steps, telescoping == by induction over rounds    *)
(*   cauchy_schwarz, cauchy_schwarz_of_two, sum_of_roots == the squared sum   *)
(*   jensen_ln == n logarithms and that of the mean                           *)
(*   potential, potential_capped == variances below logarithms                *)
(*   inverse_squares, inverse_squares_two == sums of 1/k^2                    *)
(*   inverse_roots == the sum of 1/sqrt k is at most 2 sqrt n                 *)
(*   largest_at_most, soft_maximum, soft_maximum_at == the largest of a list  *)
(*   sub_gaussian_tail == Chernoff's bound                                    *)
(*   rkhs_point == |f(i)|^2 <= k(i, i) ||f||^2                                *)
(*   floors == tactic: a whole part is within one of its number               *)
(*   tangents == tactic: each of two logarithms below the tangent at another  *)
(*   places == tactic: what is known of the entries of lists                  *)
(*   counted, sized == tactics: numbers of rounds, as they are written        *)
(*   termwise, squared, stepwise, sequences == tactics for sums               *)
(*                                                                            *)
(* Rests on: scalar, meaning, listed, signs, basel.                           *)
(******************************************************************************)

From Coq Require Import Reals List Lra Lia Psatz.
From Interval Require Import Tactic.
From CTV Require Import scalar meaning listed signs.
From CTV Require basel.
Open Scope R_scope.

Lemma sum_S n f : sum (S n) f = sum n f + f n.
Proof. reflexivity. Qed.

Lemma sum_below n f g : (forall k, (k < n)%nat -> f k <= g k) -> sum n f <= sum n g.
Proof.
induction n as [|n IH]; intros H; [apply Rle_refl|]. rewrite !sum_S.
apply Rplus_le_compat; [apply IH; intros; apply H|apply H]; lia.
Qed.

Lemma sum_constant n c : sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite sum_S, IH, S_INR. ring. Qed.

Lemma sum_at_most n f c : (forall k, (k < n)%nat -> f k <= c) -> sum n f <= INR n * c.
Proof. intros H. rewrite <- sum_constant. now apply sum_below. Qed.

Lemma sum_at_least n f c : (forall k, (k < n)%nat -> c <= f k) -> INR n * c <= sum n f.
Proof. intros H. rewrite <- sum_constant. now apply sum_below. Qed.

Lemma sum_positive n f : (forall k, (k < n)%nat -> 0 <= f k) -> 0 <= sum n f.
Proof. intros H. apply (sum_at_least _ _ 0) in H. lra. Qed.

Lemma sum_above_zero n f : (0 < n)%nat -> (forall k, (k < n)%nat -> 0 < f k) -> 0 < sum n f.
Proof.
destruct n as [|n]; [lia|]. intros _ H. rewrite sum_S. pose proof (H n ltac:(lia)).
assert (0 <= sum n f) by (apply sum_positive; intros; left; apply H; lia). lra.
Qed.

Lemma sum_scaled n c f : c * sum n f = sum n (fun k => c * f k).
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite !sum_S, <- IH. ring. Qed.

Lemma sum_scaled_right n c f : sum n f * c = sum n (fun k => f k * c).
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite !sum_S, <- IH. ring. Qed.

Lemma sum_divided n c f : sum n f / c = sum n (fun k => f k / c).
Proof. apply sum_scaled_right. Qed.

Lemma sum_added n f g : sum n f + sum n g = sum n (fun k => f k + g k).
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite !sum_S, <- IH. ring. Qed.

Lemma sum_taken n f g : sum n f - sum n g = sum n (fun k => f k - g k).
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite !sum_S, <- IH. ring. Qed.

(* a bound that holds of no round, and grows in each by what the round adds *)
Lemma sum_by_steps n f (g : nat -> R) : 0 <= g 0%nat ->
  (forall k, (k < n)%nat -> g k + f k <= g (S k)) -> sum n f <= g n.
Proof.
induction n as [|n IH]; intros Z H; [exact Z|]. rewrite sum_S.
pose proof (H n ltac:(lia)). pose proof (IH Z ltac:(intros; apply H; lia)). lra.
Qed.

(* the same from one round on *)
Lemma sum_from_one n f (g : nat -> R) : (1 <= n)%nat -> f 0%nat <= g 1%nat ->
  (forall k, (1 <= k < n)%nat -> g k + f k <= g (S k)) -> sum n f <= g n.
Proof.
intros N Z. induction n as [|n IH]; [lia|]. intros H. destruct n as [|n]; [simpl; lra|].
rewrite sum_S. pose proof (H (S n) ltac:(lia)). pose proof (IH ltac:(lia) ltac:(intros; apply H; lia)). lra.
Qed.

(* a number that is nothing before any round, and grows in each by no more than the round adds *)
Lemma sum_over_steps n f (g : nat -> R) : g 0%nat <= 0 ->
  (forall k, (k < n)%nat -> g (S k) <= g k + f k) -> g n <= sum n f.
Proof.
induction n as [|n IH]; intros Z H; [exact Z|]. rewrite sum_S.
pose proof (H n ltac:(lia)). pose proof (IH Z ltac:(intros; apply H; lia)). lra.
Qed.

Lemma telescoping n (g : nat -> R) : sum n (fun k => g (S k) - g k) = g n - g 0%nat.
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite sum_S, IH. ring. Qed.

Lemma cauchy_schwarz_of_two n f g :
  sum n (fun k => f k * g k) ^ 2 <= sum n (fun k => f k ^ 2) * sum n (fun k => g k ^ 2).
Proof.
induction n as [|n IH]; [simpl; lra|]. rewrite !sum_S.
assert (P : 0 <= sum n (fun k => f k ^ 2)) by (apply sum_positive; intros; nra).
assert (Q : 0 <= sum n (fun k => g k ^ 2)) by (apply sum_positive; intros; nra).
revert IH P Q. generalize (sum n (fun k => f k * g k)) (sum n (fun k => f k ^ 2)) (sum n (fun k => g k ^ 2)).
generalize (f n) (g n). intros x y a p q H P Q.
(* 2 a x y <= p y^2 + q x^2, as a^2 <= p q *)
assert (M : 2 * (a * (x * y)) <= p * y ^ 2 + q * x ^ 2).
{ assert (N : 0 <= p * y ^ 2 + q * x ^ 2) by nra.
  destruct (Rle_lt_dec (a * (x * y)) 0) as [L|L]; [lra|].
  apply (Rsqr_incr_0_var); [|exact N]. unfold Rsqr.
  assert (S : a ^ 2 * (x * y) ^ 2 <= (p * q) * (x * y) ^ 2) by (apply Rmult_le_compat_r; [nra|exact H]).
  pose proof (pow2_ge_0 (p * y ^ 2 - q * x ^ 2)). nra. }
nra.
Qed.

Lemma cauchy_schwarz n f : sum n f ^ 2 <= INR n * sum n (fun k => f k ^ 2).
Proof.
pose proof (cauchy_schwarz_of_two n (fun _ => 1) f) as H. cbv beta in H.
rewrite (sum_ext n (fun k => 1 * f k) f) in H by (intros; ring).
rewrite (sum_ext n (fun _ => 1 ^ 2) (fun _ => 1)) in H by (intros; ring).
rewrite sum_constant, Rmult_1_r in H. exact H.
Qed.

(* a sum of roots of products, as a widest factor takes it apart *)
Lemma widths n f c b : 0 <= c -> (forall k, (k < n)%nat -> 0 <= b k) -> (forall k, (k < n)%nat -> f k ^ 2 <= c * b k) ->
  sum n f ^ 2 <= INR n * c * sum n b.
Proof.
intros C B H. eapply Rle_trans; [apply cauchy_schwarz|]. rewrite Rmult_assoc.
apply Rmult_le_compat_l; [apply pos_INR|]. rewrite sum_scaled. now apply sum_below.
Qed.

(* a sum of roots by the sum *)
Lemma sum_of_roots n f b : (forall k, (k < n)%nat -> 0 <= b k) -> (forall k, (k < n)%nat -> f k ^ 2 <= b k) ->
  sum n f ^ 2 <= INR n * sum n b.
Proof.
intros B H. rewrite <- (Rmult_1_r (INR n)). apply widths; [lra|exact B|]. intros k K. rewrite Rmult_1_l. now apply H.
Qed.

Lemma jensen_ln n f : (0 < n)%nat -> (forall k, (k < n)%nat -> 0 < f k) ->
  sum n (fun k => ln (f k)) <= INR n * ln (sum n f / INR n).
Proof.
intros N F. assert (M : 0 < INR n) by (now apply lt_0_INR).
assert (S : 0 < sum n f) by now apply sum_above_zero.
set (m := sum n f / INR n). assert (P : 0 < m) by (apply Rdiv_lt_0_compat; assumption).
apply Rle_trans with (sum n (fun k => ln m + (f k / m - 1))).
{ apply sum_below. intros k K. apply ln_tangent; [exact P|now apply F]. }
rewrite <- sum_added, <- sum_taken, <- sum_divided, !sum_constant.
replace (sum n f / m) with (INR n) by (unfold m; field; lra). lra.
Qed.

(* ---- Potentials: v <= c ln (1 + s v), and what is capped. ---- *)
Lemma half_logarithm x : 0 <= x <= 1 -> x <= 2 * ln (1 + x).
Proof.
intros H. pose proof (ln_chord 1 x ltac:(lra) H) as C. rewrite Rmult_1_l in C.
pose proof (ln_above_tangent 2 ltac:(lra)) as T. replace (1 + 1) with 2 in C by ring. nra.
Qed.

Lemma capped_logarithm x : 0 <= x -> Rmin 1 x <= 2 * ln (1 + x).
Proof.
intros H. destruct (Rle_lt_dec x 1) as [L|L].
- rewrite Rmin_right by lra. apply half_logarithm. lra.
- rewrite Rmin_left by lra. eapply Rle_trans; [apply (half_logarithm 1); lra|].
  apply Rmult_le_compat_l; [lra|]. apply ln_monotone; lra.
Qed.

Lemma potential n s v : 0 < s -> (forall k, (k < n)%nat -> 0 <= v k <= 1) ->
  sum n v <= sum n (fun k => ln (1 + s * v k)) / ln (1 + s).
Proof.
intros S V. assert (L : 0 < ln (1 + s)) by (rewrite <- ln_1; apply ln_increasing; lra).
rewrite sum_divided. apply sum_below. intros k K.
apply (Rmult_le_reg_r (ln (1 + s))); [exact L|].
replace (ln (1 + s * v k) / ln (1 + s) * ln (1 + s)) with (ln (1 + s * v k)) by (field; lra).
apply ln_chord; [lra|now apply V].
Qed.

Lemma chord_over x v : 0 < x -> 0 <= v <= 1 -> v * ln (1 + 1 / x) <= ln (1 + v / x).
Proof.
intros X V. replace (v / x) with (1 / x * v) by (field; lra). apply ln_chord; [|exact V].
left. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma below_quotient a b v : 0 < b -> v * b <= a -> v <= a / b.
Proof. intros B H. apply (Rmult_le_reg_r b); [exact B|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma potential_capped n x : (forall k, (k < n)%nat -> 0 <= x k) ->
  sum n (fun k => Rmin 1 (x k)) <= 2 * sum n (fun k => ln (1 + x k)).
Proof. intros H. rewrite sum_scaled. apply sum_below. intros k K. now apply capped_logarithm, H. Qed.

(* ---- Weights of the rounds. ---- *)
Lemma inverse_squares_before n : sum n (fun k => 1 / INR (S k) ^ 2) = 2 * (basel.B 0 / basel.A 0) - 2 * (basel.B n / basel.A n).
Proof.
induction n as [|n IH]; [simpl; ring|]. rewrite sum_S, IH.
rewrite S_INR. replace (1 / (INR n + 1) ^ 2) with (/ (INR n + 1) ^ 2) by (unfold Rdiv; ring).
rewrite basel.inverse_square. ring.
Qed.

Lemma inverse_squares n : sum n (fun k => 1 / INR (S k) ^ 2) < PI ^ 2 / 6.
Proof.
rewrite inverse_squares_before, basel.B_over_A.
assert (0 < basel.B n / basel.A n) by (apply Rdiv_lt_0_compat; [apply basel.B_positive|apply basel.A_positive]). lra.
Qed.

(* weights that fall as 1/k^2, against their whole sum *)
Lemma below_basel n f c : 0 <= c -> (forall k, (k < n)%nat -> f k <= c * (6 / PI ^ 2) * (1 / INR (S k) ^ 2)) -> sum n f <= c.
Proof.
intros C H. apply Rle_trans with (c * (6 / PI ^ 2) * sum n (fun k => 1 / INR (S k) ^ 2)).
- rewrite sum_scaled. now apply sum_below.
- pose proof PI_RGT_0 as Q. assert (P : 0 < PI ^ 2) by nra.
  apply Rle_trans with (c * (6 / PI ^ 2) * (PI ^ 2 / 6)); [|right; field; lra].
  apply Rmult_le_compat_l; [|left; apply inverse_squares].
  apply Rmult_le_pos; [exact C|]. left. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma inverse_squares_two n : (1 <= n)%nat -> sum n (fun k => 1 / INR (S k) ^ 2) <= 2 - 1 / INR n.
Proof.
intros N. apply (sum_from_one n _ (fun m => 2 - 1 / INR m)); [exact N|simpl; lra|].
intros k K. rewrite S_INR. assert (1 <= INR k) by (apply (le_INR 1); lia).
apply Rle_trans with (2 - 1 / INR k + 1 / (INR k * (INR k + 1))).
- apply Rplus_le_compat_l. unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; nra.
- right. field. split; lra.
Qed.

Lemma inverse_roots n : sum n (fun k => 1 / sqrt (INR (S k))) <= 2 * sqrt (INR n).
Proof.
apply (sum_by_steps n _ (fun m => 2 * sqrt (INR m))); [simpl; rewrite sqrt_0; lra|].
intros k _. rewrite S_INR. pose proof (pos_INR k) as P. set (x := INR k) in *.
assert (A : 0 < sqrt (x + 1)) by (apply sqrt_lt_R0; lra). pose proof (sqrt_pos x).
assert (E : sqrt (x + 1) * sqrt (x + 1) = x + 1) by (apply sqrt_sqrt; lra).
assert (F : sqrt x * sqrt x = x) by (apply sqrt_sqrt; lra).
apply (Rmult_le_reg_r (sqrt (x + 1))); [exact A|].
replace ((2 * sqrt x + 1 / sqrt (x + 1)) * sqrt (x + 1)) with (2 * (sqrt x * sqrt (x + 1)) + 1) by (field; lra).
pose proof (pow2_ge_0 (sqrt x - sqrt (x + 1))). nra.
Qed.

Lemma largest_at_most n f c : (0 < n)%nat -> (forall k, (k < n)%nat -> f k <= c) -> largest n f <= c.
Proof. intros N H. destruct (largest_reached n f N) as (k & K & ->). now apply H. Qed.

(* ---- The largest of a list, tails, and functions of a kernel. ---- *)
Lemma soft_maximum_at n f l k : 0 < l -> (k < n)%nat -> f k <= ln (sum n (fun j => exp (l * f j))) / l.
Proof.
intros L K. apply below_quotient; [exact L|].
rewrite <- (ln_exp (f k * l)), (Rmult_comm (f k)). apply ln_monotone; [apply exp_pos|].
induction n as [|n IH]; [lia|]. rewrite sum_S. pose proof (exp_pos (l * f n)).
destruct (Nat.eq_dec k n) as [->|D].
- assert (0 <= sum n (fun k => exp (l * f k))) by (apply sum_positive; intros; left; apply exp_pos). lra.
- pose proof (IH ltac:(lia)). lra.
Qed.

Lemma soft_maximum n f l : (0 < n)%nat -> 0 < l -> largest n f <= ln (sum n (fun k => exp (l * f k))) / l.
Proof. intros N L. apply largest_at_most; [exact N|]. intros k K. now apply soft_maximum_at. Qed.

Lemma sub_gaussian_tail n p z r c : 0 < r -> (forall k, (k < n)%nat -> 0 <= p k) ->
  sum n (fun k => p k * exp (c / r ^ 2 * z k)) <= exp ((c / r ^ 2) ^ 2 * r ^ 2 / 2) -> 0 <= c ->
  sum n (fun k => if Rle_dec c (z k) then p k else 0) <= exp (- (c ^ 2 / (2 * r ^ 2))).
Proof.
intros Q P H C. set (l := c / r ^ 2) in *. assert (R2 : 0 < r ^ 2) by nra.
assert (L : 0 <= l) by (apply Rmult_le_pos; [exact C|left; apply Rinv_0_lt_compat; exact R2]).
apply Rle_trans with (exp (- (l * c)) * sum n (fun k => p k * exp (l * z k))).
- rewrite sum_scaled. apply sum_below. intros k K. specialize (P k K).
  replace (exp (- (l * c)) * (p k * exp (l * z k))) with (p k * exp (l * (z k - c)))
    by (replace (l * (z k - c)) with (- (l * c) + l * z k) by ring; rewrite exp_plus; ring).
  pose proof (exp_pos (l * (z k - c))). destruct (Rle_dec c (z k)) as [D|D]; [|nra].
  assert (1 <= exp (l * (z k - c))) by (rewrite <- exp_0; apply exp_monotone; nra). nra.
- apply Rle_trans with (exp (- (l * c)) * exp (l ^ 2 * r ^ 2 / 2)).
  + apply Rmult_le_compat_l; [left; apply exp_pos|exact H].
  + right. rewrite <- exp_plus. f_equal. unfold l. field. lra.
Qed.

Lemma picked n i g : (i < n)%nat -> sum n (fun j => (if Nat.eqb j i then 1 else 0) * g j) = g i.
Proof.
intros I. induction n as [|n IH]; [lia|]. rewrite sum_S. destruct (Nat.eq_dec i n) as [->|D].
- rewrite Nat.eqb_refl. rewrite (sum_ext n _ (fun _ => 0)), sum_constant; [ring|].
  intros k K. destruct (Nat.eqb_spec k n); [lia|ring].
- rewrite IH by lia. destruct (Nat.eqb_spec n i); [lia|ring].
Qed.

Lemma never_negative a q s : (forall x, 0 <= q + 2 * x * s + x ^ 2 * a) -> 0 <= a -> s ^ 2 <= a * q.
Proof.
intros H [A|A].
- pose proof (H (- s / a)) as K.
  replace (q + 2 * (- s / a) * s + (- s / a) ^ 2 * a) with ((a * q - s ^ 2) / a) in K by (field; lra).
  destruct (Rle_lt_dec (s ^ 2) (a * q)) as [L|L]; [exact L|]. exfalso.
  assert ((a * q - s ^ 2) / a < 0) by (apply (Rmult_lt_reg_r a); [exact A|];
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra). lra.
- subst a. rewrite Rmult_0_l. destruct (Req_EM_T s 0) as [->|D]; [lra|]. exfalso.
  pose proof (H (- (q + 1) / (2 * s))) as K.
  replace (q + 2 * (- (q + 1) / (2 * s)) * s + (- (q + 1) / (2 * s)) ^ 2 * 0) with (- 1) in K by (field; exact D). lra.
Qed.

(* a function of the kernel at a point: |f(i)|^2 <= k(i, i) ||f||^2 *)
Lemma rkhs_point n A a i :
  ((forall j k, (j < n)%nat -> (k < n)%nat -> A j k = A k j) /\
   forall c, 0 <= sum n (fun j => sum n (fun k => c j * c k * A j k))) -> (i < n)%nat ->
  sum n (fun j => A i j * a j) ^ 2 <= A i i * sum n (fun j => sum n (fun k => a j * a k * A j k)).
Proof.
intros [T P] I. set (d := fun j => if Nat.eqb j i then 1 else 0).
assert (D : forall g, sum n (fun j => d j * g j) = g i) by (intros; now apply picked).
assert (E : forall x, sum n (fun j => sum n (fun k => (a j + x * d j) * (a k + x * d k) * A j k)) =
  sum n (fun j => sum n (fun k => a j * a k * A j k)) + 2 * x * sum n (fun j => A i j * a j) + x ^ 2 * A i i).
{ intros x.
  rewrite (sum_ext n _ (fun j => (sum n (fun k => a j * a k * A j k) + x * (d j * sum n (fun k => A j k * a k))) +
    (x * (a j * A j i) + x ^ 2 * (d j * A j i)))).
  - rewrite <- !sum_added, <- !sum_scaled, (D (fun j => sum n (fun k => A j k * a k))), (D (fun j => A j i)).
    rewrite (sum_ext n (fun j => a j * A j i) (fun j => A i j * a j)) by (intros j J; rewrite (T j i J I); ring). ring.
  - intros j J. pose proof (D (fun k => A j k)) as Dj. pose proof (D (fun k => a j * A j k)) as Da. cbv beta in Dj, Da.
    rewrite (sum_ext n _ (fun k => (a j * a k * A j k + x * d j * (A j k * a k)) +
      (x * (d k * (a j * A j k)) + x ^ 2 * d j * (d k * A j k)))) by (intros; ring).
    rewrite <- !sum_added, <- !sum_scaled, Da, Dj. ring. }
apply never_negative.
- intros x. rewrite <- E. apply P.
- pose proof (P d) as K.
  rewrite (sum_ext n _ (fun j => d j * sum n (fun k => d k * A j k))) in K
    by (intros j J; rewrite sum_scaled; apply sum_ext; intros; ring).
  rewrite D, D in K. exact K.
Qed.

(* ---- Tactics. ---- *)
(* what is known of the entries at the places of the context, also of lists in order *)
Ltac places := repeat match goal with
  | H : (?k + 1 <= ?n)%nat |- _ => unknown (k < n)%nat; assert (k < n)%nat by lia
  | K : (?k < ?n)%nat, V : forall j : nat, (j < ?n)%nat -> @?P j |- _ =>
    let T := eval cbv beta in (P k) in lazymatch goal with _ : T |- _ => fail | _ => pose proof (V k K); cbv beta in * end
  | K : (?k < ?n)%nat, V : forall i j : nat, (i <= j < ?n)%nat -> ?v i <= ?v j |- _ =>
    unknown (v k <= v (n - 1)%nat);
    assert (v k <= v (n - 1)%nat) by (apply V; lia); assert (v 0%nat <= v k) by (apply V; lia)
  end; repeat match goal with H : _ /\ _ |- _ => destruct H | H : True |- _ => clear H end.
(* numbers of rounds as real numbers: none is negative, and those that are counted from 1 are at least 1 *)
Ltac counted := in_reals; repeat match goal with
  | |- context [INR ?k] => unknown (0 <= INR k); pose proof (pos_INR k)
  | H : context [INR ?k] |- _ => unknown (0 <= INR k); pose proof (pos_INR k)
  end; repeat match goal with
  | H : (1 <= ?n)%nat |- _ => unknown (1 <= INR n); assert (1 <= INR n) by (apply (le_INR 1); exact H)
  end.
(* n + 1 - 1 rounds are n, and the last one is one of them *)
Ltac sized :=
  repeat match goal with
  | |- context [sum (?n + 1 - 1) ?f] => replace (n + 1 - 1)%nat with n by lia
  | |- context [sum (?n - 0) ?f] => replace (n - 0)%nat with n by lia
  end;
  try match goal with H : (1 <= ?n)%nat |- _ => unknown (n - 1 < n)%nat; assert (n - 1 < n)%nat by lia end.
(* the whole part of a number is within one of it *)
Ltac floors := repeat match goal with
  | |- context [IZR (Int_part ?x)] =>
    destruct (base_Int_part x); generalize dependent (IZR (Int_part x)); intros
  end.
(* each of two logarithms below the tangent at the other *)
Ltac tangents := rewrite ?ln_1; repeat match goal with
  | |- context [ln ?x] => match goal with |- context [ln ?y] => tryif constr_eq x y then fail else idtac;
      unknown (ln y <= ln x + (y / x - 1)); assert (ln y <= ln x + (y / x - 1)) by (apply ln_tangent; small) end
  end.
Ltac quotients := repeat (apply below_quotient; [positive|]).
Ltac term := places; counted; cbv beta; rewrite ?pow2_sqrt by small; first
  [ closes | solve [functions] | solve [powers; closes] | solve [apply half_logarithm; known; plain]
  | solve [apply capped_logarithm; plain] | solve [right; fields] | solve [right; field; rsplit; apply Rgt_not_eq; known; plain]
  | solve [quotients; first [apply chord_over; plain | apply ln_chord; plain | multiplied; known; plain]]
  | solve [apply chord_over; plain] | solve [apply ln_chord; plain] | solve [above_zero] | solve [timeout 4 signed]
  | solve [floors; plain] | solve [tangents; known; plain] ].
(* sums with their factors inside *)
Ltac inside := repeat first
  [ rewrite sum_scaled | rewrite sum_divided | rewrite sum_scaled_right | rewrite sum_added | rewrite sum_taken ].
Ltac termwise := sized; inside; first
  [ apply sum_below; intros ? ?; term | apply Rle_ge; apply sum_below; intros ? ?; term
  | apply sum_ext; intros ? ?; term
  | apply sum_above_zero; [lia|intros ? ?; term] | apply Rlt_gt; apply sum_above_zero; [lia|intros ? ?; term]
  | apply sum_positive; intros ? ?; term | apply Rle_ge; apply sum_positive; intros ? ?; term ].
Ltac squared := sized; first
  [ apply cauchy_schwarz | apply cauchy_schwarz_of_two
  | apply widths; [places; counted; plain | intros ? ?; term | intros ? ?; term]
  | apply sum_of_roots; [intros ? ?; term | intros ? ?; term] ].
Ltac stepwise := sized; lazymatch goal with
  | |- sum ?n ?f >= ?g => apply Rle_ge; stepwise
  | |- ?g <= sum ?n ?f =>
  let h := eval pattern (INR n) in g in
  lazymatch h with ?G _ =>
    apply (sum_over_steps n f (fun m => G (INR m))); [cbn [INR]; term | intros ? ?; term] end
  | |- sum ?n ?f <= ?g =>
  let h := eval pattern (INR n) in g in
  lazymatch h with ?G _ => first
    [ apply (sum_by_steps n f (fun m => G (INR m))); [cbn [INR]; term | intros ? ?; term]
    | apply (sum_from_one n f (fun m => G (INR m))); [lia | cbn [INR]; term | intros ? ?; term] ] end end.
Ltac weights := sized; first
  [ apply inverse_roots | apply inverse_squares | apply Rlt_le, inverse_squares | apply inverse_squares_two; assumption
  | apply below_basel; [term | intros ? ?; term]
  | eapply Rle_trans; [apply below_basel with (c := PI ^ 2 / 6); [term | intros ? ?; term] | interval] ].
Ltac averaged := sized; first [ apply jensen_ln; [lia | intros ? ?; term] ].
Ltac sequences := first
  [ solve [term] | solve [termwise] | solve [squared] | solve [weights] | solve [averaged] | solve [stepwise] ].
