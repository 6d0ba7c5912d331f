(******************************************************************************)
(*                                 Theorem C                                  *)
(*                                                                            *)
(* Evaluation times that depend on the point, for the forgetting kernel.      *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   acq mu c rho == the scaled index of a point whose correlation with now   *)
(*       is rho                                                               *)
(*                                                                            *)
(* Statements:                                                                *)
(*   constant_c, core_c == the constant, and the inequality of one round      *)
(*   theorem_c == the bound on regret, on its events                          *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior, kernels, *)
(* theorem_a, theorem_1.                                                      *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions matrices sums gains posterior kernels theorem_a theorem_1.
Open Scope R_scope.

Lemma sqrt_lower x y : 0 <= y -> y ^ 2 <= x -> y <= sqrt x.
Proof. by move=> y0 h; rewrite -(sqrt_pow2 y y0); exact: sqrt_le_1_alt. Qed.

Lemma sqrt_upper x y : 0 <= y -> x <= y ^ 2 -> sqrt x <= y.
Proof. by move=> y0 h; rewrite -(sqrt_pow2 y y0); exact: sqrt_le_1_alt. Qed.

(* the constant *)
Theorem constant_c sg : 0 <= sg <= / 2 ->
  3 * sg + (1 - 2 * sg) * (1 - sqrt (1 - sg ^ 2)) <= 3064 / 1000 * sg.
Proof.
move=> [s0 s1].
have l : 1 - 536 / 1000 * sg ^ 2 <= sqrt (1 - sg ^ 2).
  have q : 0 <= sg ^ 2 <= / 4 by nra.
  by apply: sqrt_lower; nra.
have r0 := sqrt_pos (1 - sg ^ 2).
have r2 : sqrt (1 - sg ^ 2) * sqrt (1 - sg ^ 2) = 1 - sg ^ 2 by rewrite sqrt_sqrt; nra.
move: l r0 r2; set r := sqrt _ => l r0 r2.
have e : (1 - r) * (1 + r) = sg ^ 2 by nra.
suff : (1 - 2 * sg) * (1 - r) <= 64 / 1000 * sg by lra.
apply: (Rmult_le_reg_r (1 + r)); first lra.
have -> : (1 - 2 * sg) * (1 - r) * (1 + r) = (1 - 2 * sg) * sg ^ 2 by rewrite Rmult_assoc e.
have : (1 - 2 * sg) * sg <= 64 / 1000 * (2 - 536 / 1000 * sg ^ 2).
  have := pow2_ge_0 (sg - 2544 / 10000); nra.
nra.
Qed.

Theorem core_c q r sg A : 0 <= q -> 0 <= r -> r ^ 2 + q ^ 2 = 1 -> q <= sg -> sg <= 1 ->
  Rmin 1 (r * A + q) - Rmax (-1) (A - 2 * sg) <= 3064 / 1000 * sg.
Proof.
move=> q0 r0 e qs s1; have r1 : r <= 1 by nra.
have B : Rmin 1 (r * A + q) - Rmax (-1) (A - 2 * sg) <= 1 + (q + r * (2 * sg - 1)).
  have m2 := Rmin_r 1 (r * A + q).
  have [l|l] := Rle_lt_dec (2 * sg - 1) A.
    have := Rmax_r (-1) (A - 2 * sg); nra.
  have := Rmax_l (-1) (A - 2 * sg); nra.
have [l|l] := Rle_lt_dec (/ 2) sg; first by nra.
apply: Rle_trans B _; apply: Rle_trans (constant_c sg _); last lra.
have rl : sqrt (1 - sg ^ 2) <= r by apply: sqrt_upper => //; nra.
nra.
Qed.

Definition acq (mu c rho : R) : R := rho * mu + sqrt (1 - c * rho ^ 2).

Lemma acq_concave mu c a b l : 0 <= c <= 1 -> 0 <= a <= 1 -> 0 <= b <= 1 -> 0 <= l <= 1 ->
  (1 - l) * acq mu c a + l * acq mu c b <= acq mu c ((1 - l) * a + l * b).
Proof.
move=> c01 a01 b01 l01; rewrite /acq.
have ca : 0 <= 1 - c * a ^ 2 by have : a ^ 2 <= 1 by [nra]; nra.
have cb : 0 <= 1 - c * b ^ 2 by have : b ^ 2 <= 1 by [nra]; nra.
have u0 := sqrt_pos (1 - c * a ^ 2); have v0 := sqrt_pos (1 - c * b ^ 2).
have u2 := sqrt_sqrt _ ca; have v2 := sqrt_sqrt _ cb.
move: u0 v0 u2 v2; set u := sqrt _; set v := sqrt _ => u0 v0 u2 v2.
have uv : u * v <= 1 - c * a * b.
  have ab : a * b <= 1 by nra.
  have p : 0 <= 1 - c * a * b by nra.
  apply: Rsqr_incr_0_var => //; rewrite /Rsqr.
  have -> : u * v * (u * v) = (u * u) * (v * v) by ring.
  by rewrite u2 v2; have := pow2_ge_0 (a - b); nra.
have : (1 - l) * u + l * v <= sqrt (1 - c * ((1 - l) * a + l * b) ^ 2).
  apply: sqrt_lower; first by nra.
  have -> : ((1 - l) * u + l * v) ^ 2 = (1 - l) ^ 2 * (u * u) + l ^ 2 * (v * v) + 2 * (l * (1 - l)) * (u * v) by ring.
  rewrite u2 v2; have : 0 <= l * (1 - l) by nra.
  move=> h; have := Rmult_le_compat_l (2 * (l * (1 - l))) _ _ ltac:(lra) uv; nra.
lra.
Qed.

Lemma convex_above l a b c : 0 <= l <= 1 -> c < a -> c < b -> c < (1 - l) * a + l * b.
Proof. by move=> l01 ha hb; have [h|h] := Rle_lt_dec a b; nra. Qed.

(* one round, scaled to sqrt beta = 1 *)
Lemma round_c mux cx muz cz rz r fx fz : 0 <= cx <= 1 -> 0 <= cz <= 1 -> 0 <= rz <= 1 -> 0 <= r <= 1 ->
  acq muz cz rz <= acq mux cx r ->
  r * mux - sqrt (1 - cx * r ^ 2) <= fx -> fz <= acq muz cz r -> -1 <= fx -> fz <= 1 ->
  fz - fx <= 3064 / 1000 * sqrt (1 - cx * r ^ 2).
Proof.
move=> cx01 cz01 rz01 r01 pol e1x e1z e3x e3z.
set sg := sqrt (1 - cx * r ^ 2); set A := acq mux cx r.
have s0 : 0 <= sg by exact: sqrt_pos.
have r2 : 0 <= r ^ 2 <= 1 by nra.
have s1 : sg <= 1 by apply: sqrt_upper; nra.
have fxA : A - 2 * sg <= fx by rewrite /A /acq -/sg; rewrite -/sg in e1x; lra.
rewrite -/A in pol.
have [l|l] := Rle_lt_dec (acq muz cz r) A; first by lra.
have h0 : acq muz cz 0 = 1 by rewrite /acq; have -> : 1 - cz * 0 ^ 2 = 1 by [ring]; rewrite sqrt_1; ring.
have [rl|rl] := Rle_lt_dec rz r.
  have [a1|a1] := Rle_lt_dec 1 A; first by lra.
  have [z|rp] : r = 0 \/ 0 < r by lra.
    by have e : rz = r by [lra]; rewrite e in pol; lra.
  have k01 : 0 <= rz / r <= 1.
    split; first by apply: Rmult_le_pos; [lra | left; exact: Rinv_0_lt_compat].
    apply: (Rmult_le_reg_r r) => //; have -> : rz / r * r = rz by field; lra. 
    lra.
  have := acq_concave muz cz 0 r (rz / r) cz01 ltac:(lra) r01 k01.
  have -> : (1 - rz / r) * 0 + rz / r * r = rz by field; lra.
  by rewrite h0; have := convex_above _ _ _ A k01 a1 l; lra.
have h1 : acq muz cz 1 <= A.
  have [//|g] := Rle_lt_dec (acq muz cz 1) A; exfalso.
  have k01 : 0 <= (rz - r) / (1 - r) <= 1.
    split; first by apply: Rmult_le_pos; [lra | left; apply: Rinv_0_lt_compat; lra].
    apply: (Rmult_le_reg_r (1 - r)); first lra.
    have -> : (rz - r) / (1 - r) * (1 - r) = rz - r by field; lra.
    lra.
  have := acq_concave muz cz r 1 _ cz01 r01 ltac:(lra) k01.
  have -> : (1 - (rz - r) / (1 - r)) * r + (rz - r) / (1 - r) * 1 = rz by field; lra.
  by have := convex_above _ _ _ A k01 l g; lra.
have r2' : 0 <= 1 - r ^ 2 by lra.
pose q := sqrt (1 - r ^ 2); have q0 : 0 <= q by exact: sqrt_pos.
have q2 : q * q = 1 - r ^ 2 by exact: sqrt_sqrt.
have qs : q <= sg by apply: sqrt_le_1_alt; nra.
have shift : sqrt (1 - cz * r ^ 2) - r * sqrt (1 - cz) <= q.
  have c0 : 0 <= 1 - cz by lra.
  have w0 := sqrt_pos (1 - cz); have w2 := sqrt_sqrt _ c0.
  suff : sqrt (1 - cz * r ^ 2) <= q + r * sqrt (1 - cz) by lra.
  apply: sqrt_upper; first by nra.
  have -> : (q + r * sqrt (1 - cz)) ^ 2 = q * q + r ^ 2 * (sqrt (1 - cz) * sqrt (1 - cz)) + 2 * (r * (q * sqrt (1 - cz))) by ring.
  rewrite q2 w2; have : 0 <= r * (q * sqrt (1 - cz)) by repeat apply: Rmult_le_pos => //; lra.
  nra.
have fzA : fz <= r * A + q.
  apply: Rle_trans e1z _; rewrite /acq.
  have : r * (1 * muz + sqrt (1 - cz * 1 ^ 2)) <= r * A by apply: Rmult_le_compat_l; [lra | exact: h1].
  have -> : 1 - cz * 1 ^ 2 = 1 - cz by ring.
  lra.
have := core_c q r sg A q0 ltac:(lra) ltac:(lra) qs s1.
have : fz <= Rmin 1 (r * A + q) by apply: Rmin_glb.
have : Rmax (-1) (A - 2 * sg) <= fx by apply: Rmax_lub.
lra.
Qed.

(* the forgetting kernel carries variances from one time to a later one *)
Lemma deviation_at X k h s x tau i z : deviation X k h s x tau i z = sqrt (variance_at X k h s x tau i z (tau i)).
Proof.
congr sqrt; apply: variance_ext => a b _ _; rewrite /joint.
by case: (Nat.eqb_spec a i) => [->|_]; case: (Nat.eqb_spec b i) => [->|_].
Qed.

Import GRing.Theory.

Lemma variance_carried X k rate s x tau i z p t : (forall j, (j < i)%coq_nat -> tau j <= p) -> p <= t ->
  k z z = 1 ->
  variance_at X k (forgetting rate) s x tau i z t =
  1 - forgetting rate p t ^ 2 * (1 - variance_at X k (forgetting rate) s x tau i z p).
Proof.
move=> hp pt kz; rewrite /variance_at !variance_qf.
set M1 := mx i _; set M2 := mx i _.
have -> : M1 = M2.
  apply: mx_ext => a b ha hb; rewrite /joint.
  by case: (Nat.eqb_spec a i) => [|_]; [lia | case: (Nat.eqb_spec b i) => [|_]; [lia | ]].
have diag u : joint X k (forgetting rate) (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then u else tau j) i i = 1.
  by rewrite /joint Nat.eqb_refl kz forgetting_unit; ring.
rewrite !diag.
set b1 := (\col_(_ < _) _)%ring; set b2 := (\col_(_ < _) _)%ring.
have -> : (b1 = forgetting rate p t *: b2)%ring.
  apply/matrixP => a c; rewrite !mxE /joint Nat.eqb_refl.
  have ha : (a < i)%coq_nat by apply/ssrnat.ltP.
  case: (Nat.eqb_spec a i) => [|_]; first by lia.
  have ta := hp a ha.
  have -> : forgetting rate (tau a) t = forgetting rate p t * forgetting rate (tau a) p.
    rewrite /forgetting -exp_plus; congr exp.
    by rewrite !Rabs_left1; lra.
  by rewrite -!RmultE; ring.
set M := invmx _.
have -> : (qf M (forgetting rate p t *: b2) = forgetting rate p t * (forgetting rate p t * qf M b2))%ring.
  have sE c (N : 'M[R]_1) : ((c *: N) 0 0 = c * N 0 0)%ring by rewrite mxE.
  by rewrite /qf [((_ *: b2)^T)%ring]linearZ /= -!scalemxAl -scalemxAr !sE.
set f := forgetting rate p t; set v := qf M b2.
rewrite -[X in X = _]/(1 - s * (f * (f * v))) -[X in _ = 1 - _ * (1 - X)]/(1 - s * v); ring.
Qed.

(* Theorem C on its events *)
Theorem theorem_c X k rate s n x (t : X -> R) tau mean beta (f : nat -> X -> R) B :
  0 < s -> 0 <= rate -> kernel X k -> (forall x, k x x = 1) -> (forall z, 0 <= t z) ->
  (forall i, tau i = (if i is S j then tau j else 0) + t (x i)) ->
  (forall i, (i < n)%coq_nat -> 0 <= beta i <= B) ->
  let before i := if i is S j then tau j else 0 in
  let decay z := forgetting rate 0 (t z) in
  let sd i z u := sqrt (variance_at X k (forgetting rate) s x tau i z u) in
  (* the point of round i maximises the upper confidence value at its own time of evaluation *)
  (forall i z, (i < n)%coq_nat ->
     decay z * mean i z + sqrt (beta i) * sd i z (before i + t z) <=
     decay (x i) * mean i (x i) + sqrt (beta i) * sd i (x i) (tau i)) ->
  (* the events: all values at the time of round i are near their means, and below sqrt beta *)
  (forall i z, (i < n)%coq_nat ->
     Rabs (f i z - decay (x i) * mean i z) <= sqrt (beta i) * sd i z (tau i)) ->
  (forall i z, (i < n)%coq_nat -> Rabs (f i z) <= sqrt (beta i)) ->
  (forall i z, (i < n)%coq_nat ->
     f i z - f i (x i) <= 3064 / 1000 * (sqrt (beta i) * sd i (x i) (tau i))) /\
  forall best : nat -> X, sum n (fun i => f i (best i) - f i (x i)) <=
    sqrt (2348 / 1000 * (8 / ln (1 + s)) * B * INR n * gain s n (joint X k (forgetting rate) x tau)).
Proof.
move=> s0 r0 pk k1 t0 tauE hb before decay sd pol e1 e3.
have ph := forgetting_kernel rate r0.
have tau_le i j : (j < i)%coq_nat -> tau j <= before i.
  elim: i => [|i IH] hj; first by lia.
  rewrite /before; have [->|l] : j = i \/ (j < i)%coq_nat by lia.
    lra.
  by apply: Rle_trans (IH l) _; rewrite tauE -/(before i); have := t0 (x i); lra.
have dec01 z : 0 <= decay z <= 1.
  split; first by left; exact: exp_pos.
  exact: (time_le1 _ ph (forgetting_unit rate)).
have dec_shift i z : forgetting rate (before i) (before i + t z) = decay z.
  by rewrite /decay /forgetting; congr exp; congr (- (_ * Rabs _)); ring.
pose c i z := 1 - variance_at X k (forgetting rate) s x tau i z (before i).
have va i z u : 0 <= variance_at X k (forgetting rate) s x tau i z u <= 1.
  have pi := semidefinite_joint X k (forgetting rate) pk ph (S i) (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then u else tau j).
  have [v0 _] := gain_variance s i _ ltac:(lra) pi; split=> //.
  have := variance_le_prior s i _ ltac:(lra) pi.
  by rewrite {2}/joint Nat.eqb_refl k1 forgetting_unit Rmult_1_r.
have c01 i z : 0 <= c i z <= 1 by have := va i z (before i); rewrite /c; lra.
have sdE i z y : sd i z (before i + t y) = sqrt (1 - c i z * decay y ^ 2).
  rewrite /sd (variance_carried X k rate s x tau i z (before i)) //; first by rewrite dec_shift /c; congr sqrt; ring.
  - by move=> j hj; exact: tau_le.
  - by have := t0 y; lra.
have tE i : tau i = before i + t (x i) by rewrite tauE.
have rounds i z : (i < n)%coq_nat ->
     f i z - f i (x i) <= 3064 / 1000 * (sqrt (beta i) * sd i (x i) (tau i)).
  move=> hi; have w0 := sqrt_pos (beta i).
  have pz := pol i z hi; have ex := e1 i (x i) hi; have ez := e1 i z hi.
  have bx := e3 i (x i) hi; have bz := e3 i z hi.
  move: ex ez bx bz => /Rabs_le_inv ex /Rabs_le_inv ez /Rabs_le_inv bx /Rabs_le_inv bz.
  rewrite !tE !sdE in pz ex ez *.
  move: w0 pz ex ez bx bz; set w := sqrt (beta i) => w0 pz ex ez bx bz.
  have [wz|wp] : w = 0 \/ 0 < w by lra.
    have : 0 <= w * sqrt (1 - c i (x i) * decay (x i) ^ 2) by apply: Rmult_le_pos => //; exact: sqrt_pos.
    lra.
  pose iw := / w; have iw0 : 0 < iw by exact: Rinv_0_lt_compat.
  have wi : w * iw = 1 by rewrite /iw; field; lra.
  have sc a b : a <= b -> a * iw <= b * iw by move=> ab; apply: Rmult_le_compat_r; lra.
  have wS q : w * q * iw = q by rewrite Rmult_comm -Rmult_assoc (Rmult_comm iw) wi; ring.
  have := round_c (mean i (x i) * iw) (c i (x i)) (mean i z * iw) (c i z) (decay z) (decay (x i)) (f i (x i) * iw) (f i z * iw)
    (c01 _ _) (c01 _ _) (dec01 _) (dec01 _).
  rewrite /acq => hr.
  have {hr} hr : f i z * iw - f i (x i) * iw <= 3064 / 1000 * sqrt (1 - c i (x i) * decay (x i) ^ 2).
    apply: hr.
    - by have := sc _ _ pz; rewrite !Rmult_plus_distr_r !wS; lra.
    - by have := sc _ _ (proj1 ex); rewrite Rmult_minus_distr_r Ropp_mult_distr_l_reverse wS; lra.
    - by have := sc _ _ (proj2 ez); rewrite Rmult_minus_distr_r wS; lra.
    - by have := sc _ _ (proj1 bx); rewrite Ropp_mult_distr_l_reverse wi; lra.
    - by have := sc _ _ (proj2 bz); rewrite wi; lra.
  have := Rmult_le_compat_l w _ _ w0 hr.
  have -> : w * (f i z * iw - f i (x i) * iw) = (w * iw) * (f i z - f i (x i)) by ring.
  by rewrite wi; lra.
split=> // best.
have sdd i : sd i (x i) (tau i) = deviation X k (forgetting rate) s x tau i (x i) by rewrite deviation_at.
apply: Rle_trans (sum_le n _ (fun i => 1532 / 1000 * (2 * (sqrt (beta i) * deviation X k (forgetting rate) s x tau i (x i)))) _) _.
  by move=> i hi; have := rounds i (best i) hi; rewrite sdd; lra.
rewrite sum_scal.
have := sum_widths n B beta (fun i => deviation X k (forgetting rate) s x tau i (x i)) _ s ltac:(lra) hb
  (fun i => deviation_ge0 X k (forgetting rate) s x tau i (x i))
  (variances_gain X k (forgetting rate) s s x tau n ltac:(lra) pk ph (fun z => Req_le _ _ (k1 z)) (forgetting_unit rate)).
set G := 8 / ln (1 + s) * B * INR n * _ => le.
apply: Rle_trans (Rmult_le_compat_l _ _ _ _ le) _; first lra.
have -> : 2348 / 1000 * (8 / ln (1 + s)) * B * INR n * gain s n (joint X k (forgetting rate) x tau) = 2348 / 1000 * G.
  by rewrite /G; ring.
have [l|l] := Rle_lt_dec G 0.
  by rewrite (sqrt_neg_0 G) // Rmult_0_r; exact: sqrt_pos.
rewrite sqrt_mult_alt; last lra.
apply: Rmult_le_compat_r; first exact: sqrt_pos.
by apply: sqrt_lower; lra.
Qed.
