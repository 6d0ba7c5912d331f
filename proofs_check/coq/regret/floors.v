(******************************************************************************)
(*                           Lower bounds on regret                           *)
(*                                                                            *)
(* The recursion of the shares, the margin inequality, and the deterministic  *)
(* parts of the lower bounds.                                                 *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   mean f == the expectation over m cases of weights w                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   carried_mono, rounded_down == rounding the recursion                     *)
(*   floor_share_still, still_floor == without drift                          *)
(*   losses == half the sum of the shares                                     *)
(*   determinant_floor == from one determinant                                *)
(*   common_part, rank_step == what all points have in common; the start      *)
(*   margin, margin_sum == regret against its square                          *)
(*   jensen_maximum, floor_step == the largest mean and the mean of the       *)
(*       largest                                                              *)
(*   mirrored, known_mean_less == a known mean                                *)
(*                                                                            *)
(* Rests on: library, definitions, sums, gains, posterior, full_information.  *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums gains posterior full_information.
Open Scope R_scope.

Lemma parallel_mono p q nu mu : 0 <= p <= q -> 0 < nu <= mu -> p * nu / (p + nu) <= q * mu / (q + mu).
Proof.
move=> [p0 pq] [n0 nm]; have d1 : 0 < p + nu by lra.
have d2 : 0 < q + mu by lra.
apply: (Rmult_le_reg_r ((p + nu) * (q + mu))); first by apply: Rmult_lt_0_compat.
have -> : p * nu / (p + nu) * ((p + nu) * (q + mu)) = p * nu * (q + mu) by field; lra.
have -> : q * mu / (q + mu) * ((p + nu) * (q + mu)) = q * mu * (p + nu) by field; lra.
have h1 : 0 <= p * q * (mu - nu) by apply: Rmult_le_pos; [apply: Rmult_le_pos; lra | lra].
have h2 : 0 <= nu * mu * (q - p) by apply: Rmult_le_pos; [apply: Rmult_le_pos; lra | lra].
lra.
Qed.

Lemma parallel_le p nu : 0 <= p <= 1 -> 0 < nu -> 0 <= p * nu / (p + nu) <= 1.
Proof.
move=> [p0 p1] n0; have d : 0 < p + nu by lra.
split; first by apply: Rmult_le_pos; [apply: Rmult_le_pos; lra | left; exact: Rinv_0_lt_compat].
apply: (Rmult_le_reg_r (p + nu)) => //.
have -> : p * nu / (p + nu) * (p + nu) = p * nu by field; lra.
nra.
Qed.

(* rounding p and nu down and a2 up rounds the next p down *)
Theorem carried_mono a2 b2 p q nu mu : 0 <= a2 -> a2 <= b2 -> 0 <= p <= q -> q <= 1 -> 0 < nu <= mu ->
  carried b2 nu p <= carried a2 mu q.
Proof.
move=> a0 ab pq q1 nm; have m := parallel_mono p q nu mu pq nm.
have [_ l] := parallel_le p nu ltac:(lra) ltac:(lra).
have [_ l2] := parallel_le q mu ltac:(lra) ltac:(lra).
rewrite /carried; move: m l l2; set u := p * nu / _; set v := q * mu / _ => m l l2.
have : a2 * (1 - v) <= b2 * (1 - u) by apply: Rmult_le_compat; lra.
lra.
Qed.

Lemma floor_share01 a2 nu i : (forall j, 0 <= a2 j <= 1) -> (forall j, 0 < nu j) -> 0 <= floor_share a2 nu i <= 1.
Proof.
move=> ha hn; elim: i => [|i IH] /=; first lra.
have [u0 u1] := parallel_le _ (nu i) IH (hn i); have [a0 a1] := ha i.
rewrite /carried; move: u0 u1; set u := _ / _ => u0 u1; nra.
Qed.

(* Rounding the recursion itself: any start and any steps that are rounded down. *)
Theorem rounded_down a2 b2 nu mu (p q : nat -> R) : (forall j, 0 <= a2 j <= b2 j) -> (forall j, b2 j <= 1) ->
  (forall j, 0 < nu j <= mu j) -> (forall j, p (S j) = carried (a2 j) (mu j) (p j)) ->
  (forall j, 0 <= q (S j) <= carried (b2 j) (nu j) (q j)) -> 0 <= q O <= p O -> p O <= 1 ->
  forall i, q i <= p i.
Proof.
move=> ab b1 nm ep hq q0 p0 i; suff : 0 <= q i <= p i /\ p i <= 1 by lra.
elim: i => [|i [[l0 l1] u1]]; first by [].
have [a0 ab'] := ab i; have [h0 h1] := hq i.
have m := carried_mono (a2 i) (b2 i) (q i) (p i) (nu i) (mu i) a0 ab' (conj l0 l1) u1 (nm i).
have [v0 v1] := parallel_le (p i) (mu i) ltac:(lra) ltac:(have := nm i; lra).
have e := ep i; have bi := b1 i; rewrite e; split; [split; lra |].
by rewrite /carried; move: v0 v1; set v := _ / _ => v0 v1; nra.
Qed.

(* ... and the floor without noise is never above *)
Theorem floor_share_above a2 nu i : (forall j, 0 <= a2 j <= 1) -> (forall j, 0 < nu j) ->
  1 - a2 i <= floor_share a2 nu (S i).
Proof.
move=> ha hn; have [p0 p1] := floor_share01 a2 nu i ha hn.
have [u0 u1] := parallel_le _ (nu i) (conj p0 p1) (hn i); have [a0 a1] := ha i.
rewrite /= /carried; move: u0 u1; set u := _ / _ => u0 u1; nra.
Qed.

(* unit steps: the shares fall, and stay above the fixed point *)
Theorem floor_share_steady eps nu i : 0 <= eps <= 1 -> 0 < nu ->
  let p := / 2 * (eps * (1 - nu) + sqrt (eps ^ 2 * (1 - nu) ^ 2 + 4 * eps * nu)) in
  let share := floor_share (fun=> 1 - eps) (fun=> nu) in
  0 <= p <= 1 /\ carried (1 - eps) nu p = p /\ p <= share (S i) <= share i.
Proof.
move=> [e0 e1] n0 p share.
have d0 : 0 <= eps ^ 2 * (1 - nu) ^ 2 + 4 * eps * nu.
  have -> : eps ^ 2 * (1 - nu) ^ 2 = (eps * (1 - nu)) ^ 2 by ring.
  by have := pow2_ge_0 (eps * (1 - nu)); have := Rmult_le_pos eps nu e0 ltac:(lra); lra.
have r0 := sqrt_pos (eps ^ 2 * (1 - nu) ^ 2 + 4 * eps * nu); have r2 := sqrt_sqrt _ d0.
rewrite /p; move: r0 r2; set r := sqrt _ => r0 r2.
have lo : - r <= eps * (1 - nu) by apply: Rnot_lt_le => h; nra.
have hi : r <= 2 - eps * (1 - nu).
  apply: Rnot_lt_le => h; have b : 0 <= 2 - eps * (1 - nu) by nra.
  have : (2 - eps * (1 - nu)) ^ 2 < r * r by nra.
  by rewrite r2; nra.
set q := / 2 * _.
have q01 : 0 <= q <= 1 by rewrite /q; lra.
have quad : q ^ 2 - eps * (1 - nu) * q - eps * nu = 0.
  have e4 : q ^ 2 - eps * (1 - nu) * q - eps * nu = / 4 * (r * r - (eps ^ 2 * (1 - nu) ^ 2 + 4 * eps * nu)) by rewrite /q; field.
  by rewrite e4 r2; ring.
have fixed : carried (1 - eps) nu q = q.
  rewrite /carried; apply: (Rmult_eq_reg_r (q + nu)); last lra.
  have -> : (1 - (1 - eps) * (1 - q * nu / (q + nu))) * (q + nu) = q + nu - (1 - eps) * (q + nu - q * nu) by field; lra.
  by nra.
have f01 j : 0 <= share j <= 1 by apply: floor_share01 => _; lra.
split=> //; split=> //.
elim: i => [|i [IH1 IH2]].
  have [a b] := f01 1%nat; split; last by move: b; rewrite /share /=; lra.
  rewrite -{1}fixed; apply: carried_mono; lra.
split.
  by rewrite -{1}fixed; apply: (carried_mono _ _ _ (share (S i))); have := f01 (S i); lra.
apply: (carried_mono _ _ (share (S i)) (share i)); have := f01 i; have := f01 (S i); lra.
Qed.

(* no drift: nu/(nu + i), and the sum of the losses grows with the logarithm *)
Theorem floor_share_still nu i : 0 < nu -> floor_share (fun=> 1) (fun=> nu) i = nu / (nu + INR i).
Proof.
move=> n0; elim: i => [|i IH]; first by rewrite /=; field; lra.
have i0 := pos_INR i.
rewrite /= -/(INR (S i)) IH /carried S_INR; field; split; [lra | split; nra].
Qed.

Lemma loss_between p : 0 <= p <= 1 -> p / 2 <= 1 - sqrt (1 - p) <= p.
Proof.
move=> p01; have r0 := sqrt_pos (1 - p); have r2 := sqrt_sqrt (1 - p) ltac:(lra).
move: r0 r2; set r := sqrt _ => r0 r2; nra.
Qed.

Theorem losses n (p : nat -> R) : (forall i, (i < n)%coq_nat -> 0 <= p i <= 1) ->
  sum n p / 2 <= sum n (fun i => 1 - sqrt (1 - p i)).
Proof.
move=> h; rewrite /Rdiv -sum_scalr; apply: sum_le => i hi; have [l _] := loss_between _ (h i hi); lra.
Qed.

Theorem still_floor nu n : 0 < nu ->
  1 + / 2 * nu * ln ((INR (S n) + nu) / (1 + nu)) <=
  sum (S n) (fun i => 1 - sqrt (1 - floor_share (fun=> 1) (fun=> nu) i)).
Proof.
move=> n0; elim: n => [|n IH].
  have e1 : 1 - 1 = 0 by ring.
  have e2 : (1 + nu) / (1 + nu) = 1 by field; lra.
  by rewrite /= e1 e2 sqrt_0 ln_1; lra.
rewrite sum_last floor_share_still //.
have i0 := pos_INR n; have S1 : INR (S n) = INR n + 1 by exact: S_INR.
have S2 : INR (S (S n)) = INR n + 2 by rewrite S_INR S1; ring.
have t := ln_tangent (INR (S (S n)) + nu) (INR (S n) + nu) ltac:(lra) ltac:(lra).
have p01 : 0 <= nu / (nu + INR (S n)) <= 1.
  split; first by apply: Rmult_le_pos; [lra | left; apply: Rinv_0_lt_compat; lra].
  apply: (Rmult_le_reg_r (nu + INR (S n))); first lra.
  by have -> : nu / (nu + INR (S n)) * (nu + INR (S n)) = nu by [field; lra]; lra.
have [l _] := loss_between _ p01.
rewrite /Rdiv !ln_mult in IH *; try (apply: Rinv_0_lt_compat; lra); try lra.
have e : (INR (S (S n)) + nu - (INR (S n) + nu)) / (INR (S n) + nu) = / (INR (S n) + nu) by rewrite S1 S2; field; lra.
rewrite e in t.
have l2 : / 2 * nu * / (INR (S n) + nu) <= 1 - sqrt (1 - nu * / (nu + INR (S n))).
  by apply: Rle_trans l; right; field; lra.
have := Rmult_le_compat_l (/ 2 * nu) _ _ ltac:(lra) t; lra.
Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. by move=> [h|->]; [left; exact: exp_increasing | lra]. Qed.

(* the same floor from one determinant, the gain of looks at one point *)
Theorem determinant_floor s n J : 0 < s -> (0 < n)%coq_nat -> semidefinite n J ->
  (forall i, (i < n)%coq_nat -> J i i = 1) ->
  INR n * (1 - sqrt (1 - / s * (exp (2 * gain s n J / INR n) - 1))) <=
  sum n (fun i => 1 - sqrt (1 - variance s i J)).
Proof.
move=> s0 n0 pJ J1; have nI : 0 < INR n by apply: lt_0_INR.
have v01 i : (i < n)%coq_nat -> 0 <= variance s i J <= 1.
  move=> hi; have pi : semidefinite (S i) J by apply: semidefinite_le pJ; lia.
  have [v0 _] := gain_variance s i J (Rlt_le _ _ s0) pi.
  by have := variance_le_prior s i J (Rlt_le _ _ s0) pi; rewrite J1 //; lra.
have e := gain_sum s n J (Rlt_le _ _ s0) pJ.
set V := sum n (fun i => variance s i J).
have jl := jensen_log n (fun i => 1 + s * variance s i J) (fun i hi => ltac:(have := v01 i hi; nra)) n0.
rewrite sum_plus sum_const sum_scal -/V in jl.
have V0 : 0 <= V by apply: sum_ge0 => i hi; have := v01 i hi; lra.
have V1 : V <= INR n by rewrite -[INR n]Rmult_1_r -sum_const; apply: sum_le => i hi; have := v01 i hi; lra.
have q : / s * (exp (2 * gain s n J / INR n) - 1) <= V / INR n.
  apply: (Rmult_le_reg_l s) => //.
  have -> : s * (/ s * (exp (2 * gain s n J / INR n) - 1)) = exp (2 * gain s n J / INR n) - 1 by field; lra.
  suff : exp (2 * gain s n J / INR n) <= (INR n * 1 + s * V) / INR n.
    have -> : (INR n * 1 + s * V) / INR n = 1 + s * (V / INR n) by field; lra.
    lra.
  have pp : 0 < (INR n * 1 + s * V) / INR n by apply: Rdiv_lt_0_compat => //; nra.
  apply: (Rle_trans _ (exp (ln ((INR n * 1 + s * V) / INR n)))); last by rewrite exp_ln //; lra.
  apply: exp_le; apply: (Rmult_le_reg_r (INR n)) => //.
  have -> : 2 * gain s n J / INR n * INR n = 2 * gain s n J by field; lra.
  rewrite e; lra.
apply: (Rle_trans _ (INR n * (1 - sqrt (1 - V / INR n)))).
  apply: Rmult_le_compat_l; first lra.
  by have := sqrt_le_1_alt (1 - V / INR n) (1 - / s * (exp (2 * gain s n J / INR n) - 1)) ltac:(lra); lra.
rewrite sum_minus sum_const.
have ss := sum_sqrt n (fun i => 1 - variance s i J) (fun i hi => ltac:(have := v01 i hi; lra)).
rewrite sum_minus sum_const -/V in ss.
have e2 : sqrt (INR n * (INR n * 1 - V)) = INR n * sqrt (1 - V / INR n).
  have -> : INR n * (INR n * 1 - V) = INR n ^ 2 * (1 - V / INR n) by field; lra.
  rewrite sqrt_mult ?sqrt_pow2 //; try lra; first exact: pow2_ge_0.
  have : V / INR n <= 1 by [apply: (Rmult_le_reg_r (INR n)) => //; have -> : V / INR n * INR n = V by [field; lra]; lra].
  lra.
rewrite e2 in ss; lra.
Qed.

(* what all points have in common: K - c 11^T is semidefinite up to c = 1/(1^T K^-1 1), no further *)
Theorem common_part n K w : semidefinite n K -> (0 < n)%coq_nat ->
  (forall j, (j < n)%coq_nat -> sum n (fun l => K j l * w l) = 1) ->
  0 < sum n w /\ forall c, semidefinite n (fun i j => K i j - c) <-> c <= / sum n w.
Proof.
move=> [sK pK] n0 ew; set W := sum n w.
have fw : form n K w = W.
  by apply: sum_ext => i hi; rewrite -[RHS]Rmult_1_r -(ew i hi) -sum_scal; apply: sum_ext => j _; ring.
have cross v : (sum n v) ^ 2 <= form n K v * W.
  apply: discriminant => [|t]; first by rewrite -fw; exact: pK.
  have := pK (fun i => v i - t * w i); rewrite -/(form n K _).
  have -> : form n K (fun i => v i - t * w i) = form n K v - 2 * t * sum n v + t ^ 2 * W; last done.
  have mid : sum n (fun i => sum n (fun j => v i * w j * K i j)) = sum n v.
    by apply: sum_ext => i hi; rewrite -[RHS]Rmult_1_r -(ew i hi) -sum_scal; apply: sum_ext => j _; ring.
  have mid2 : sum n (fun i => sum n (fun j => w i * v j * K i j)) = sum n v.
    rewrite -[RHS]mid sum_swap; apply: sum_ext => i hi; apply: sum_ext => j hj; rewrite (sK j i hj hi); ring.
  have -> : 2 * t * sum n v = t * sum n v + t * sum n v by ring.
  rewrite -{1}mid -mid2 -fw /form -!sum_scal -sum_plus -sum_minus -sum_plus; apply: sum_ext => i _.
  rewrite -!sum_scal -sum_plus -sum_minus -sum_plus; apply: sum_ext => j _; ring.
have W0 : 0 < W.
  have f0 := pK w; rewrite -/(form n K w) fw in f0.
  have [//|z] : 0 < W \/ W = 0 by lra.
  have := cross (fun i => if Nat.eqb i 0 then 1 else 0).
  have -> : sum n (fun i => if Nat.eqb i 0 then 1 else 0) = 1.
    case: (n) n0 => [|m] hm; first by lia.
    by rewrite sum_S /= sum_0; ring.
  by rewrite z; lra.
split=> // c.
have f v : form n (fun i j => K i j - c) v = form n K v - c * (sum n v) ^ 2.
  have -> : c * sum n v ^ 2 = sum n (fun i => sum n (fun j => c * (v i * v j))).
    have row i : sum n (fun j => c * (v i * v j)) = c * sum n v * v i by rewrite !sum_scal; ring.
    have -> : sum n (fun i => sum n (fun j => c * (v i * v j))) = sum n (fun i => c * sum n v * v i).
      by apply: sum_ext => i _; exact: row.
    by rewrite sum_scal; ring.
  rewrite /form -sum_minus; apply: sum_ext => i _; rewrite -sum_minus; apply: sum_ext => j _; ring.
split=> [[_ h]|h].
  have := h w; rewrite -/(form n (fun i j => K i j - c) w) f fw -/W => q.
  apply: (Rmult_le_reg_r W) => //; rewrite Rinv_l; last lra.
  apply: (Rmult_le_reg_r W) => //; lra.
split=> [i j hi hj|v]; first by rewrite sK.
rewrite -/(form n (fun i j => K i j - c) v) f.
have := cross v; have := pow2_ge_0 (sum n v) => q0 cr.
have l1 : sum n v ^ 2 * / W <= form n K v.
  by apply: (Rmult_le_reg_r W) => //; rewrite Rmult_assoc Rinv_l; lra.
have := Rmult_le_compat_l _ _ _ q0 h; lra.
Qed.

(* the start-up floor: k observations span k directions *)
Theorem rank_step k (c w : nat -> R) p kappa : 0 <= p <= 1 -> 0 <= kappa ->
  sum k (fun j => c j ^ 2) <= (1 - p) * kappa ->
  sum k (fun j => c j * w j) <= sqrt (1 - p) * (sqrt kappa * sqrt (sum k (fun j => w j ^ 2))).
Proof.
move=> p01 k0 h; have W0 : 0 <= sum k (fun j => w j ^ 2) by apply: sum_ge0 => j _; exact: pow2_ge_0.
rewrite -sqrt_mult // -sqrt_mult; try lra; last by apply: Rmult_le_pos.
apply: Rle_trans (Rle_abs _) _; rewrite -sqrt_Rsqr_abs; apply: sqrt_le_1_alt; rewrite /Rsqr.
have cs := cauchy_schwarz k c w; have := Rmult_le_compat_r _ _ _ W0 h; nra.
Qed.

(* regret is 0 or at least the gap: r <= eta [gap <= eta] + r^2/eta *)
Theorem margin r gap eta : 0 < eta -> (r = 0 \/ gap <= r) ->
  r <= eta * (if Rle_dec gap eta then 1 else 0) + r ^ 2 / eta.
Proof.
move=> e0 h; have i0 := Rinv_0_lt_compat _ e0.
have sq : 0 <= r ^ 2 / eta by apply: Rmult_le_pos; [exact: pow2_ge_0 | lra].
case: Rle_dec => [l|l] /=.
  have : r * eta <= eta * eta + r ^ 2 by have := pow2_ge_0 (r - eta / 2); nra.
  move=> q; apply: (Rmult_le_reg_r eta) => //.
  have -> : (eta * 1 + r ^ 2 / eta) * eta = eta * eta + r ^ 2 by field; lra.
  exact: q.
case: h => [->|h]; first by lra.
apply: (Rmult_le_reg_r eta) => //.
have -> : (eta * 0 + r ^ 2 / eta) * eta = r ^ 2 by field; lra.
nra.
Qed.

(* sums of it over n rounds *)
Theorem margin_sum n r gap eta : 0 < eta -> (forall i, (i < n)%coq_nat -> r i = 0 \/ gap i <= r i) ->
  sum n r <= eta * sum n (fun i => if Rle_dec (gap i) eta then 1 else 0) + sum n (fun i => r i ^ 2) / eta.
Proof.
move=> e0 h; rewrite -sum_scal /Rdiv -sum_scalr -sum_plus; apply: sum_le => i hi.
by apply: margin => //; exact: h.
Qed.

(* expectations over a finite probability space with weights w *)
Section Expectation.
Variables (m : nat) (w : nat -> R).
Hypotheses (w0 : forall i, 0 <= w i).
Definition mean (f : nat -> R) : R := sum m (fun i => w i * f i).

Lemma mean_le f g : (forall i, (i < m)%coq_nat -> f i <= g i) -> mean f <= mean g.
Proof. by move=> h; apply: sum_le => i hi; apply: Rmult_le_compat_l; [exact: w0 | exact: h]. Qed.

(* the largest mean is at most the mean of the largest value: the Jensen step of scheduled exploration *)
Theorem jensen_maximum N (mu : nat -> nat -> R) (top : nat -> R) :
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> mu i x <= top i) ->
  forall x, (x < N)%coq_nat -> mean (fun i => mu i x) <= mean top.
Proof. by move=> h x hx; apply: mean_le => i hi; exact: h. Qed.

(* Theorem F's deterministic step: whatever is played in each case, its mean value is at most the
   mean of the largest posterior mean *)
Theorem floor_step N (mu : nat -> nat -> R) (top : nat -> R) (play : nat -> nat) :
  (forall i, (i < m)%coq_nat -> (play i < N)%coq_nat) ->
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> mu i x <= top i) ->
  mean (fun i => mu i (play i)) <= mean top.
Proof. by move=> hp h; apply: mean_le => i hi; apply: h => //; exact: hp. Qed.
End Expectation.

(* A known mean: fields m + t g over N points; their largest values at t and at -t. *)
Theorem mirrored N (m g : nat -> R) t u up down top bottom : 0 <= t <= u ->
  (exists x, (x < N)%coq_nat /\ up = m x + t * g x) ->
  (exists x, (x < N)%coq_nat /\ down = m x - t * g x) ->
  (forall x, (x < N)%coq_nat -> m x + u * g x <= top) ->
  (forall x, (x < N)%coq_nat -> m x - u * g x <= bottom) ->
  up + down <= top + bottom.
Proof.
move=> [t0 tu] [x [hx ->]] [y [hy ->]] ht hb.
have [u0|u0] : u = 0 \/ 0 < u by lra.
  have -> : t = 0 by lra.
  by have := ht x hx; have := hb y hy; rewrite u0; lra.
pose l := (1 + t / u) / 2; have r01 : 0 <= t / u <= 1.
  split; first by apply: Rmult_le_pos => //; left; apply: Rinv_0_lt_compat.
  by apply: (Rmult_le_reg_r u) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
have e z : m z + t * g z = l * (m z + u * g z) + (1 - l) * (m z - u * g z) by rewrite /l; field; lra.
have e' z : m z - t * g z = (1 - l) * (m z + u * g z) + l * (m z - u * g z) by rewrite /l; field; lra.
have l0 : 0 <= l by rewrite /l; lra.
have l1 : 0 <= 1 - l by rewrite /l; lra.
rewrite e e'.
have := Rmult_le_compat_l l _ _ l0 (ht x hx); have := Rmult_le_compat_l (1 - l) _ _ l1 (hb x hx).
have := Rmult_le_compat_l (1 - l) _ _ l1 (ht y hy); have := Rmult_le_compat_l l _ _ l0 (hb y hy); lra.
Qed.

Theorem known_mean_less N (m g : nat -> R) t whole part most : t <= 1 ->
  (exists x, (x < N)%coq_nat /\ whole = m x + g x) ->
  (forall x, (x < N)%coq_nat -> m x + t * g x <= part) -> (forall x, (x < N)%coq_nat -> g x <= most) ->
  whole - part <= (1 - t) * most.
Proof.
move=> t1 [x [hx ->]] hp hm; have := hp x hx.
have := Rmult_le_compat_l (1 - t) _ _ ltac:(lra) (hm x hx); lra.
Qed.
