(******************************************************************************)
(*                         Upper bounds before a run                          *)
(*                                                                            *)
(* The deterministic parts of Theorem T, of scheduled exploration and of the  *)
(* entropy bound, and how far half the range of a Gaussian field moves.       *)
(*                                                                            *)
(* Statements:                                                                *)
(*   thompson_sum == Theorem T                                                *)
(*   schedule_jensen == scheduled data against all data                       *)
(*   two_fields == the maximum of a sum                                       *)
(*   trace_rank == trace, rank and Frobenius norm                             *)
(*   code_length, information_sum == the entropy bound                        *)
(*   half_range, maximum_moves == Lipschitz constants                         *)
(*   exploration, optimism, telescoping == one round of an index policy       *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, full_information,   *)
(* scalar, normal.                                                            *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains full_information.
From CTV Require scalar normal.
Import Order.TTheory GRing.Theory Num.Theory.
Open Scope R_scope.

(* Theorem T: Thompson sampling with n rounds on N points. P i x are the chances, S i x the deviations,
   I i x the isoperimetric function at P i x *)
Theorem thompson_sum n N (P S I : nat -> nat -> R) mean z :
  (2 <= N)%coq_nat ->
  (forall i x, (i < n)%coq_nat -> (x < N)%coq_nat -> 0 <= P i x /\ 0 <= S i x <= 1 /\
     ((I i x = 0 /\ (P i x = 0 \/ P i x = 1)) \/
      exists y, P i x = scalar.normal_cdf y /\ I i x = scalar.normal_density y)) ->
  mean <= 1 -> sum n (fun i => sum N (fun x => P i x * S i x)) <= INR n * mean ->
  scalar.normal_cdf z = mean / INR N ->
  sum n (fun i => sum N (fun x => S i x * I i x)) <= INR n * (INR N * scalar.normal_density z).
Proof.
have ex := normal.normal_excess z; move=> N2 h m1 hs ez; have NI : 2 <= INR N by have := le_INR 2 N N2; rewrite /=; lra.
have nI := pos_INR n; have d0 := scalar.normal_density_positive z.
have [n0|np] : INR n = 0 \/ 0 < INR n by lra.
  have -> : n = O by apply: INR_eq.
  by rewrite /=; lra.
have mean0 : 0 <= mean.
  have s0 : 0 <= sum n (fun i => sum N (fun x => P i x * S i x)).
    by apply: sum_ge0 => i hi; apply: sum_ge0 => x hx; have [p [s _]] := h i x hi hx; apply: Rmult_le_pos; lra.
  by apply: Rnot_lt_le => l; nra.
have p0 : 0 <= mean / INR N by apply: Rmult_le_pos => //; left; apply: Rinv_0_lt_compat; lra.
have p1 : mean / INR N <= 1 / 2.
  apply: (Rmult_le_reg_r (INR N)); first lra.
  by have -> : mean / INR N * INR N = mean by [field; lra]; lra.
have z0 : z <= 0 by apply: Rnot_lt_le => l; have := scalar.normal_cdf_above_half z l; lra.
set E := scalar.normal_density z + z * scalar.normal_cdf z in ex.
apply: (Rle_trans _ (sum n (fun i => sum N (fun x => E - z * (P i x * S i x))))).
  apply: sum_le => i hi; apply: sum_le => x hx; have [hp [hs1 [[-> hp2]|[y [ep ->]]]]] := h i x hi hx.
    have : 0 <= E - z * (P i x * S i x); last lra.
    have : 0 <= - z * (P i x * S i x) by apply: Rmult_le_pos; [lra | apply: Rmult_le_pos; lra].
    lra.
  have t := scalar.normal_tangent z y; rewrite -ep in t.
  have := Rmult_le_compat_l (S i x) _ _ (proj1 hs1) t.
  have -> : S i x * (scalar.normal_density z - z * (P i x - scalar.normal_cdf z)) = S i x * E - z * (P i x * S i x) by rewrite /E; ring.
  have := Rmult_le_compat_r E _ _ ex (proj2 hs1); lra.
have -> : sum n (fun i => sum N (fun x => E - z * (P i x * S i x))) =
    INR n * (INR N * E) - z * sum n (fun i => sum N (fun x => P i x * S i x)).
  rewrite -sum_scal -sum_const -sum_minus; apply: sum_ext => i _.
  by rewrite sum_minus sum_const sum_scal.
have zs : - z * sum n (fun i => sum N (fun x => P i x * S i x)) <= - z * (INR n * mean) by apply: Rmult_le_compat_l; lra.
have e : INR N * scalar.normal_cdf z = mean by rewrite ez; field; lra.
rewrite /E; nra.
Qed.

(* scheduled exploration: in each of m cases of the scheduled data, of weight w i, the mean given them is
   the mean v i of the means given all data, so the largest of the latter is larger on average *)
Theorem schedule_jensen m w q (v : nat -> nat -> R) N (all : nat -> nat -> nat -> R) sch top_all top_sch :
  (forall i, 0 <= w i) -> (forall i j, 0 <= v i j) ->
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> sum q (fun j => v i j * all i j x) = sch i x) ->
  (forall i j x, (i < m)%coq_nat -> (j < q)%coq_nat -> (x < N)%coq_nat -> all i j x <= top_all i j) ->
  (forall i, (i < m)%coq_nat -> exists x, (x < N)%coq_nat /\ top_sch i = sch i x) ->
  sum m (fun i => w i * top_sch i) <= sum m (fun i => w i * sum q (fun j => v i j * top_all i j)).
Proof.
move=> w0 v0 hs ha ht; apply: sum_le => i hi; apply: Rmult_le_compat_l => //.
have [x [hx ->]] := ht i hi; rewrite -hs //; apply: sum_le => j hj.
by apply: Rmult_le_compat_l => //; exact: ha.
Qed.

(* a sum of two fields: its maximum is at most the sum of their maxima, and the mean of its maximum over
   cases of the second of mean 0 is at least the maximum of the first *)
Theorem two_fields m w N (mu : nat -> R) (z : nat -> nat -> R) top_mu top_z top :
  (forall i, 0 <= w i) -> sum m w = 1 -> (forall x, (x < N)%coq_nat -> mu x <= top_mu) ->
  (exists x, (x < N)%coq_nat /\ top_mu = mu x) ->
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> z i x <= top_z i) ->
  (forall i, (i < m)%coq_nat -> exists x, (x < N)%coq_nat /\ top i = mu x + z i x) ->
  (forall i x, (i < m)%coq_nat -> (x < N)%coq_nat -> mu x + z i x <= top i) ->
  (forall x, (x < N)%coq_nat -> sum m (fun i => w i * z i x) = 0) ->
  top_mu <= sum m (fun i => w i * top i) <= top_mu + sum m (fun i => w i * top_z i).
Proof.
move=> w0 w1 hmu [y [hy ey]] hz htop above centred; split.
  rewrite ey -[mu y]Rplus_0_r -(centred y hy) -{1}[mu y]Rmult_1_r -w1 -sum_scal -sum_plus.
  apply: sum_le => i hi; have := Rmult_le_compat_l _ _ _ (w0 i) (above i y hi hy); lra.
rewrite -{1}[top_mu]Rmult_1_r -w1 -sum_scal -sum_plus; apply: sum_le => i hi.
have [x [hx ->]] := htop i hi; have := hmu x hx; have := hz i x hi hx => a b.
by have := Rmult_le_compat_l _ _ _ (w0 i) (Rplus_le_compat _ _ _ _ b a); lra.
Qed.

(* the trace of a matrix is at most the root of its rank times its Frobenius norm *)
Section Trace.
Local Open Scope ring_scope.
Variable F : rcfType.

Lemma gram_zero m n (B : 'M[F]_(m, n)) : B^T *m B = 0 -> B = 0.
Proof.
move=> e; apply/matrixP => i j; rewrite [RHS]mxE.
suff : matrix.col j B = 0 by move/matrixP/(_ i ord0); rewrite !mxE.
apply: dot_eq0; have h : (B^T *m B) j j = 0 by rewrite e mxE.
by rewrite -[RHS]h mxE [RHS]mxE; apply: eq_bigr => k _; rewrite !mxE.
Qed.

Lemma projector n (M : 'M[F]_n) : exists Q : 'M[F]_n,
  [/\ Q *m M = M, Q^T = Q, Q *m Q = Q & \tr Q = (\rank M)%:R].
Proof.
pose A := col_base M; pose G := A^T *m A.
have [B BA] : exists B, B *m A = 1%:M by apply/row_fullP; exact: col_base_full.
have uG : G \in unitmx.
  rewrite -row_free_unit -kermx_eq0; apply/eqP.
  have k0 : kermx G *m G = 0 by exact: mulmx_ker.
  have z : A *m (kermx G)^T = 0.
    apply: gram_zero; have -> : (A *m (kermx G)^T)^T *m (A *m (kermx G)^T) = kermx G *m G *m (kermx G)^T.
      by rewrite trmx_mul trmxK /G -!mulmxA.
    by rewrite k0 mul0mx.
  by apply: trmx_inj; rewrite trmx0 -[LHS]mul1mx -BA -mulmxA z mulmx0.
have sG : G^T = G by rewrite /G trmx_mul trmxK.
pose Q := A *m invmx G *m A^T.
have QA : Q *m A = A by rewrite /Q -!mulmxA -/G mulVmx // mulmx1.
exists Q; split.
- have : Q *m (A *m row_base M) = A *m row_base M by rewrite mulmxA QA.
  by rewrite /A mulmx_base.
- by rewrite /Q [LHS]trmx_mul [(A *m invmx G)^T]trmx_mul trmxK trmx_inv sG mulmxA.
- have : Q *m (A *m (invmx G *m A^T)) = A *m (invmx G *m A^T) by rewrite mulmxA QA.
  by have -> : A *m (invmx G *m A^T) = Q by rewrite mulmxA.
by rewrite /Q -mulmxA mxtrace_mulC -mulmxA -/G mulVmx // mxtrace1.
Qed.
End Trace.

Theorem trace_rank n (M : nat -> nat -> R) :
  sum n (fun i => M i i) ^ 2 <= INR (rank n M) * sum n (fun i => sum n (fun j => M i j ^ 2)).
Proof.
have [Q [QM sQ QQ trQ]] := projector _ n (mx n M).
pose q i j := if insub i is Some a then if insub j is Some b then Q a b else 0 else 0.
have qE (a b : 'I_n) : q a b = Q a b by rewrite /q !valK.
have tr1 : sum n (fun i => M i i) = sum n (fun i => sum n (fun j => q i j * M j i)).
  rewrite sumE; have -> : (\sum_(i < n) M i i = \tr (mx n M))%ring by apply: eq_bigr => i _; rewrite mxE.
  rewrite -QM /mxtrace sumE; apply: eq_bigr => i _; rewrite mxE sumE; apply: eq_bigr => j _.
  by rewrite qE mxE.
have tr2 : sum n (fun i => sum n (fun j => q i j ^ 2)) = INR (rank n M).
  have -> : INR (rank n M) = ((\rank (mx n M))%:R : R)%ring by rewrite INRE.
  rewrite -trQ -[in RHS]QQ /mxtrace sumE; apply: eq_bigr => i _; rewrite mxE sumE; apply: eq_bigr => j _.
  have e : Q j i = Q i j by rewrite -{1}sQ mxE.
  by rewrite qE e RpowE expr2.
rewrite -tr2 tr1; apply: discriminant => [|t].
  by apply: sum_ge0 => i _; apply: sum_ge0 => j _; exact: pow2_ge_0.
have -> : sum n (fun i => sum n (fun j => q i j ^ 2)) - 2 * t * sum n (fun i => sum n (fun j => q i j * M j i)) +
  t ^ 2 * sum n (fun i => sum n (fun j => M i j ^ 2)) = sum n (fun i => sum n (fun j => (q i j - t * M j i) ^ 2)).
  rewrite [X in t ^ 2 * X]sum_swap -!sum_scal -sum_minus -sum_plus; apply: sum_ext => i _.
  rewrite -!sum_scal -sum_minus -sum_plus; apply: sum_ext => j _; ring.
by apply: sum_ge0 => i _; apply: sum_ge0 => j _; exact: pow2_ge_0.
Qed.

(* the entropy is at most the mean length of any code *)
Theorem code_length n p q : (forall i, (i < n)%coq_nat -> 0 <= p i) -> (forall i, (i < n)%coq_nat -> 0 < q i) ->
  sum n q <= sum n p -> sum n (fun i => p i * - ln (p i)) <= sum n (fun i => p i * - ln (q i)).
Proof.
move=> p0 q0 s; apply: Rminus_le; rewrite -sum_minus; apply: Rle_trans (_ : sum n (fun i => q i - p i) <= 0); last first.
  by rewrite sum_minus; lra.
apply: sum_le => i hi; have qi := q0 i hi; have [pi|<-] := p0 i hi; last lra.
have t := ln_tangent (q i) (p i) qi pi; have := Rmult_le_compat_l (p i) _ _ (Rlt_le _ _ pi) t.
have -> : p i * (ln (p i) + (q i - p i) / p i) = p i * ln (p i) + (q i - p i) by field; lra.
lra.
Qed.

(* n rounds that each pay for their information pay for all of it *)
Theorem information_sum n r info a total : (forall i, (i < n)%coq_nat -> 0 <= info i) ->
  (forall i, (i < n)%coq_nat -> r i <= sqrt (a * info i)) -> 0 <= a -> sum n info <= total ->
  sum n r <= sqrt (a * INR n * total).
Proof.
move=> i0 h a0 s; apply: Rle_trans (sum_le n _ _ h) _.
apply: Rle_trans (sum_sqrt n (fun i => a * info i) _) _.
  by move=> i hi; apply: Rmult_le_pos => //; exact: i0.
rewrite sum_scal; apply: sqrt_le_1_alt.
have := Rmult_le_compat_l (a * INR n) _ _ (Rmult_le_pos _ _ a0 (pos_INR n)) s; lra.
Qed.

(* a Gaussian field g x = sum F x j w j of N points: half its range and its maximum are Lipschitz in w *)
Lemma one_side d N (F : nat -> nat -> R) (w u : nat -> R) v x y hi lo : 0 <= v ->
  sum d (fun j => (F x j - F y j) ^ 2) <= 4 * v ->
  hi = sum d (fun j => F x j * w j) -> lo = sum d (fun j => F y j * w j) ->
  forall hi' lo', sum d (fun j => F x j * u j) <= hi' -> lo' <= sum d (fun j => F y j * u j) -> (x < N)%coq_nat ->
  (hi - lo) / 2 - (hi' - lo') / 2 <= sqrt v * sqrt (sum d (fun j => (w j - u j) ^ 2)).
Proof.
move=> v0 hF -> -> hi' lo' h1 h2 _.
have D0 : 0 <= sum d (fun j => (w j - u j) ^ 2) by apply: sum_ge0 => j _; exact: pow2_ge_0.
have cs := cauchy_schwarz d (fun j => F x j - F y j) (fun j => w j - u j).
set c := sum d (fun j => (F x j - F y j) * (w j - u j)) in cs.
have ce : sum d (fun j => F x j * w j) - sum d (fun j => F y j * w j) - (sum d (fun j => F x j * u j) - sum d (fun j => F y j * u j)) = c.
  by rewrite /c -!sum_minus; apply: sum_ext => j _; ring.
have : c / 2 <= sqrt v * sqrt (sum d (fun j => (w j - u j) ^ 2)); last lra.
rewrite -sqrt_mult //; apply: Rle_trans (Rle_abs _) _; rewrite -sqrt_Rsqr_abs; apply: sqrt_le_1_alt; rewrite /Rsqr.
have := Rmult_le_compat_r _ _ _ D0 hF; nra.
Qed.

Theorem half_range d N (F : nat -> nat -> R) (w u : nat -> R) v hi lo hi' lo' : 0 <= v ->
  (forall x y, (x < N)%coq_nat -> (y < N)%coq_nat -> sum d (fun j => (F x j - F y j) ^ 2) <= 4 * v) ->
  (exists x, (x < N)%coq_nat /\ hi = sum d (fun j => F x j * w j)) ->
  (exists y, (y < N)%coq_nat /\ lo = sum d (fun j => F y j * w j)) ->
  (forall x, (x < N)%coq_nat -> lo' <= sum d (fun j => F x j * u j) <= hi') ->
  (hi - lo) / 2 - (hi' - lo') / 2 <= sqrt v * sqrt (sum d (fun j => (w j - u j) ^ 2)).
Proof.
move=> v0 hF [x [hx ex]] [y [hy ey]] h; have [_ a] := h x hx; have [b _] := h y hy.
exact: (one_side d N F w u v x y hi lo v0 (hF x y hx hy) ex ey hi' lo' a b hx).
Qed.

Theorem maximum_moves d N (F : nat -> nat -> R) (w u : nat -> R) kappa hi hi' : 0 <= kappa ->
  (forall x, (x < N)%coq_nat -> sum d (fun j => F x j ^ 2) <= kappa) ->
  (exists x, (x < N)%coq_nat /\ hi = sum d (fun j => F x j * w j)) ->
  (forall x, (x < N)%coq_nat -> sum d (fun j => F x j * u j) <= hi') ->
  hi - hi' <= sqrt kappa * sqrt (sum d (fun j => (w j - u j) ^ 2)).
Proof.
move=> k0 hF [x [hx ->]] h; have hx' := h x hx.
have D0 : 0 <= sum d (fun j => (w j - u j) ^ 2) by apply: sum_ge0 => j _; exact: pow2_ge_0.
have cs := cauchy_schwarz d (F x) (fun j => w j - u j).
have ce : sum d (fun j => F x j * (w j - u j)) = sum d (fun j => F x j * w j) - sum d (fun j => F x j * u j).
  by rewrite -sum_minus; apply: sum_ext => j _; ring.
rewrite ce in cs; move: cs; set c := _ - _ => cs.
have : c <= sqrt kappa * sqrt (sum d (fun j => (w j - u j) ^ 2)); last by rewrite /c; lra.
rewrite -sqrt_mult //; apply: Rle_trans (Rle_abs _) _; rewrite -sqrt_Rsqr_abs; apply: sqrt_le_1_alt; rewrite /Rsqr.
have := Rmult_le_compat_r _ _ _ D0 (hF x hx); nra.
Qed.

(* Two rounds' gradients over the innovations known at the earlier one. *)
Theorem gradients_product n (u v : nat -> R) a l : 0 <= a -> 0 <= l ->
  sum n (fun k => u k ^ 2) <= l ^ 2 -> sum n (fun k => v k ^ 2) <= l ^ 2 ->
  Rabs (sum n (fun k => u k * (a * v k))) <= a * l ^ 2.
Proof.
move=> a0 l0 hu hv; rewrite (sum_ext n _ (fun k => a * (u k * v k))); last by move=> k _; ring.
rewrite sum_scal Rabs_mult (Rabs_pos_eq a) //; apply: Rmult_le_compat_l => //.
have cs := cauchy_schwarz n u v; have u0 : 0 <= sum n (fun k => u k ^ 2) by apply: sum_ge0 => k _; exact: pow2_ge_0.
have v0 : 0 <= sum n (fun k => v k ^ 2) by apply: sum_ge0 => k _; exact: pow2_ge_0.
have q : sum n (fun k => u k * v k) ^ 2 <= (l ^ 2) ^ 2.
  by apply: Rle_trans cs _; have -> : (l ^ 2) ^ 2 = l ^ 2 * l ^ 2 by [ring]; apply: Rmult_le_compat.
have l2 := pow2_ge_0 l; rewrite -(Rabs_pos_eq (l ^ 2)) //; apply: Rsqr_le_abs_0; rewrite /Rsqr; lra.
Qed.

Theorem weighted_sums n (b p : nat -> R) B : (forall i, (i < n)%coq_nat -> b i ^ 2 <= B) ->
  sum n (fun i => b i * p i) ^ 2 <= sum n (fun i => b i ^ 2) * sum n (fun i => p i ^ 2) <=
  INR n * B * sum n (fun i => p i ^ 2).
Proof.
move=> h; split; first exact: cauchy_schwarz.
apply: Rmult_le_compat_r; first by apply: sum_ge0 => i _; exact: pow2_ge_0.
by rewrite -sum_const; exact: sum_le.
Qed.

Theorem exploration N (f mu sd : nat -> R) q y top : (y < N)%coq_nat ->
  (forall x, (x < N)%coq_nat -> f x - mu x - q * sd x <= top) -> f y - mu y <= q * sd y + Rmax 0 top.
Proof. by move=> hy h; have := h y hy; have := Rmax_r 0 top; lra. Qed.

Theorem optimism N (f u : nat -> R) U best over :
  (exists x, (x < N)%coq_nat /\ best = f x) -> (forall x, (x < N)%coq_nat -> u x <= U) ->
  (forall x, (x < N)%coq_nat -> f x - u x <= over) -> best <= U + Rmax 0 over.
Proof. by move=> [x [hx ->]] hu ho; have := hu x hx; have := ho x hx; have := Rmax_r 0 over; lra. Qed.

(* Ordered telescoping: low k is c or a value before k. *)
Theorem telescoping N (f low : nat -> R) c :
  (forall k, (k < N)%coq_nat -> low k = c \/ exists j, (j < k)%coq_nat /\ low k = f j) ->
  forall x, (x < N)%coq_nat -> f x <= c + sum N (fun k => Rmax 0 (f k - low k)).
Proof.
elim: N => [|N IH] h x hx; first by lia.
have {}IH := IH (fun k hk => h k ltac:(lia)); rewrite sum_last.
have p := Rmax_l 0 (f N - low N); have q := Rmax_r 0 (f N - low N).
have s0 : 0 <= sum N (fun k => Rmax 0 (f k - low k)) by apply: sum_ge0 => k _; exact: Rmax_l.
have [hx'|->] : (x < N)%coq_nat \/ x = N by lia.
  by have := IH x hx'; lra.
have [e|[j [hj e]]] := h N ltac:(lia); last have := IH j hj; lra.
Qed.
