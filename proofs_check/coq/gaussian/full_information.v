(******************************************************************************)
(*          The share of the prior variance that observations leave           *)
(*                                                                            *)
(* The algebra of Theorem F: everything is read off the least mean square     *)
(* error of a linear prediction.                                              *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   form n A c == the quadratic form of c in the matrix A                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   least_error, error_attained == the best weights and their error          *)
(*   share_gram == the posterior covariance lies between p K and K            *)
(*   share_fewer == fewer observations leave more                             *)
(*   share_certificate == a lower bound from any weights                      *)
(*   share_recursion == the recursion for Markov kernels                      *)
(*   share_player == the player who sees whole noisy pictures                 *)
(*                                                                            *)
(* Rests on: library, definitions, matrices, sums, gains, posterior.          *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From CTV Require Import library.
From Coq Require Import Reals Lra Lia.
From CTV Require Import definitions matrices sums gains posterior.
Import Order.TTheory GRing.Theory Num.Theory.
Open Scope R_scope.

Lemma sum_last n f : sum (S n) f = sum n f + f n.
Proof. by []. Qed.

Lemma sum_one n p g : (p < n)%coq_nat -> sum n (fun j => if Nat.eqb p j then g j else 0) = g p.
Proof.
elim: n => [|q IH] hp; first by lia.
rewrite sum_last; case: (Nat.eqb_spec p q) => [->|ne]; last by rewrite IH; [ring | lia].
rewrite (sum_ext q _ (fun=> 0)); first by rewrite sum_0; ring.
by move=> j hj; case: (Nat.eqb_spec q j) => // ?; lia.
Qed.

(* the quadratic form of c in the matrix A *)
Definition form (n : nat) (A : nat -> nat -> R) (c : nat -> R) : R :=
  sum n (fun i => sum n (fun j => c i * c j * A i j)).

Lemma variance_covariance s n A : variance s n A = covariance s n A (fun j => A j n) (fun j => A j n) (A n n).
Proof. by []. Qed.

(* the weights of the posterior mean solve the normal equations *)
Lemma best_weights s n A b : 0 < s -> semidefinite n A -> exists c : nat -> R,
  (forall j, (j < n)%coq_nat -> b j = sum n (fun l => A j l * c l) + c j / s) /\
  forall a k, covariance s n A a b k = k - sum n (fun j => a j * c j).
Proof.
move=> s0 pA; have [_ uM _] := pd1D (psd_scaled s n A (Rlt_le _ _ s0) pA).
have [y yE] : exists y : 'cV[R]_n, y = (invmx (1%:M + s *: mx n A) *m col n b)%ring by eexists.
have [w wE] := col_of n y.
have e : (col n b = y + s *: (mx n A *m y))%ring.
  by rewrite -{1}[col n b](mulKVmx uM) -yE mulmxDl mul1mx scalemxAl.
exists (fun j => s * w j); split=> [j hj|a k].
  have hj' : (j < n)%nat by apply/ssrnat.ltP.
  have /matrixP /(_ (Ordinal hj') ord0) := e.
  rewrite wE !mxE /= => ->; rewrite -[LHS]/(_ + s * _).
  have -> : (\sum_j0 mx n A (Ordinal hj') j0 * col n w j0 0)%ring = sum n (fun l => A j l * w l).
    by rewrite sumE; apply: eq_bigr => l _; rewrite !mxE.
  rewrite (sum_ext n (fun l => A j l * (s * w l)) (fun l => s * (A j l * w l))); last by move=> l _; ring.
  by rewrite sum_scal; field; lra.
rewrite /covariance; congr (_ - _).
have -> : (\row_(i < n) a i *m invmx (1%:M + s *: \matrix_(i, j) A i j) *m \col_i b i = \row_(i < n) a i *m y)%ring.
  by rewrite yE mulmxA.
rewrite wE mxE.
have -> : (\sum_j (\row_(i < n) a i)%R ord0 j * col n w j ord0)%ring = sum n (fun j => a j * w j).
  by rewrite sumE; apply: eq_bigr => l _; rewrite !mxE.
rewrite (sum_ext n (fun l => a l * (s * w l)) (fun l => s * (a l * w l))); last by move=> l _; ring.
by rewrite sum_scal.
Qed.

Lemma form_ext n A B c d : (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> c i * c j * A i j = d i * d j * B i j) ->
  form n A c = form n B d.
Proof. by move=> h; apply: sum_ext => i hi; apply: sum_ext => j hj; exact: h. Qed.

(* the mean square error of any weights is at least that of the best *)
Lemma least_error s n A b k w : 0 < s -> semidefinite n A ->
  covariance s n A b b k <=
  k - 2 * sum n (fun j => b j * w j) + form n A w + sum n (fun j => w j ^ 2) / s.
Proof.
move=> s0 pA; have [c [eq ->]] := best_weights s n A b s0 pA.
have [sA pos] := pA.
have := pos (fun j => w j - c j).
rewrite -/(form n A (fun j => w j - c j)).
have -> : form n A (fun j => w j - c j) =
  form n A w - 2 * sum n (fun j => w j * sum n (fun l => A j l * c l)) +
  sum n (fun j => c j * sum n (fun l => A j l * c l)).
  rewrite /form.
  have e1 : sum n (fun j => w j * sum n (fun l => A j l * c l)) = sum n (fun i => sum n (fun j => w i * c j * A i j)).
    by apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
  have e2 : sum n (fun i => sum n (fun j => w i * c j * A i j)) = sum n (fun i => sum n (fun j => c i * w j * A i j)).
    rewrite sum_swap; apply: sum_ext => i hi; apply: sum_ext => j hj; rewrite (sA j i hj hi); ring.
  have e3 : sum n (fun j => c j * sum n (fun l => A j l * c l)) = sum n (fun i => sum n (fun j => c i * c j * A i j)).
    by apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
  rewrite e3 e1.
  have -> : 2 * sum n (fun i => sum n (fun j => w i * c j * A i j)) =
    sum n (fun i => sum n (fun j => w i * c j * A i j)) + sum n (fun i => sum n (fun j => c i * w j * A i j)).
    by rewrite -e2; ring.
  rewrite -sum_plus -sum_minus -sum_plus; apply: sum_ext => i _.
  by rewrite -sum_plus -sum_minus -sum_plus; apply: sum_ext => j _; ring.
have bc : sum n (fun j => b j * c j) = sum n (fun j => c j * sum n (fun l => A j l * c l)) + sum n (fun j => c j ^ 2) / s.
  rewrite /Rdiv -sum_scalr -sum_plus; apply: sum_ext => j hj; rewrite eq // /Rdiv; ring.
have bw : sum n (fun j => b j * w j) = sum n (fun j => w j * sum n (fun l => A j l * c l)) + sum n (fun j => w j * c j) / s.
  rewrite /Rdiv -sum_scalr -sum_plus; apply: sum_ext => j hj; rewrite eq // /Rdiv; ring.
have sq : 0 <= sum n (fun j => (w j - c j) ^ 2) / s.
  by apply: Rmult_le_pos; [apply: sum_ge0 => j _; exact: pow2_ge_0 | left; exact: Rinv_0_lt_compat].
have sqE : sum n (fun j => (w j - c j) ^ 2) / s =
  sum n (fun j => w j ^ 2) / s - 2 * (sum n (fun j => w j * c j) / s) + sum n (fun j => c j ^ 2) / s.
  rewrite /Rdiv.
  have -> : sum n (fun j => (w j - c j) ^ 2) = sum n (fun j => w j ^ 2) - 2 * sum n (fun j => w j * c j) + sum n (fun j => c j ^ 2).
    by rewrite -sum_scal -sum_minus -sum_plus; apply: sum_ext => j _; ring.
  ring.
lra.
Qed.

(* ... and the best weights attain it *)
Lemma error_attained s n A b k : 0 < s -> semidefinite n A -> exists w : nat -> R,
  covariance s n A b b k =
  k - 2 * sum n (fun j => b j * w j) + form n A w + sum n (fun j => w j ^ 2) / s.
Proof.
move=> s0 pA; have [c [eq e]] := best_weights s n A b s0 pA.
exists c; rewrite e.
have bc : sum n (fun j => b j * c j) = form n A c + sum n (fun j => c j ^ 2) / s.
  rewrite /form /Rdiv -sum_scalr -sum_plus; apply: sum_ext => j hj; rewrite {1}eq // /Rdiv.
  rewrite Rmult_plus_distr_r -sum_scalr; congr (_ + _); last by ring.
  by apply: sum_ext => l _; ring.
lra.
Qed.

(* bilinear, symmetric *)
Lemma covariance_sym s n A a b k : 0 < s -> semidefinite n A -> covariance s n A a b k = covariance s n A b a k.
Proof.
move=> s0 pA; have [sA _] := pA.
have [c [ec ->]] := best_weights s n A b s0 pA; have [d [ed ->]] := best_weights s n A a s0 pA.
congr (_ - _).
rewrite (sum_ext n (fun j => a j * c j) (fun j => sum n (fun l => A j l * d l * c j) + d j * c j / s)); last first.
  by move=> j hj; rewrite ed // Rmult_plus_distr_r -sum_scalr /Rdiv; congr (_ + _); ring.
rewrite (sum_ext n (fun j => b j * d j) (fun j => sum n (fun l => A j l * c l * d j) + d j * c j / s)); last first.
  by move=> j hj; rewrite ec // Rmult_plus_distr_r -sum_scalr /Rdiv; congr (_ + _); ring.
rewrite !sum_plus; congr (_ + _); rewrite sum_swap; apply: sum_ext => i hi; apply: sum_ext => j hj.
by rewrite (sA j i hj hi); ring.
Qed.

Lemma covariance_lin s n A m c a b k : 0 < s -> semidefinite n A ->
  sum m (fun p => c p * covariance s n A (a p) b (k p)) =
  covariance s n A (fun l => sum m (fun p => c p * a p l)) b (sum m (fun p => c p * k p)).
Proof.
move=> s0 pA; have [w [_ e]] := best_weights s n A b s0 pA; rewrite e.
rewrite (sum_ext m _ (fun p => c p * k p - sum n (fun j => c p * a p j * w j))); last first.
  by move=> p _; rewrite e Rmult_minus_distr_l -sum_scal; congr (_ - _); apply: sum_ext => j _; ring.
rewrite sum_minus; congr (_ - _); rewrite sum_swap; apply: sum_ext => j _.
by rewrite -sum_scalr.
Qed.

Lemma form_covariance s n A m c a k : 0 < s -> semidefinite n A ->
  form m (fun i j => covariance s n A (a i) (a j) (k i j)) c =
  covariance s n A (fun l => sum m (fun p => c p * a p l)) (fun l => sum m (fun p => c p * a p l)) (form m k c).
Proof.
move=> s0 pA; rewrite /form; pose b l := sum m (fun p => c p * a p l); rewrite -/b.
have inner i : sum m (fun j => c i * c j * covariance s n A (a i) (a j) (k i j)) =
    c i * covariance s n A (a i) b (sum m (fun j => c j * k i j)).
  rewrite (covariance_sym s n A (a i) b) // /b -(covariance_lin s n A m c a (a i) (k i)) // -sum_scal.
  by apply: sum_ext => j _; rewrite (covariance_sym s n A (a j) (a i)) //; ring.
rewrite (sum_ext m _ (fun i => c i * covariance s n A (a i) b (sum m (fun j => c j * k i j)))); last by move=> i _.
rewrite covariance_lin //; congr (covariance _ _ _ _ _ _).
by apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
Qed.

Lemma discriminant a b c : 0 <= c -> (forall t, 0 <= a - 2 * t * b + t ^ 2 * c) -> b ^ 2 <= a * c.
Proof.
move=> c0 h; have [cp|cz] : 0 < c \/ c = 0 by lra.
  have := h (b / c); have -> : a - 2 * (b / c) * b + (b / c) ^ 2 * c = (a * c - b ^ 2) / c by field; lra.
  move=> q; have : 0 <= (a * c - b ^ 2) / c * c by apply: Rmult_le_pos; lra.
  by have -> : (a * c - b ^ 2) / c * c = a * c - b ^ 2 by [field; lra]; lra.
have [bz|bn] : b = 0 \/ b <> 0 by lra.
  by rewrite cz bz; lra.
have := h ((a + 1) / (2 * b)); rewrite cz.
by have -> : a - 2 * ((a + 1) / (2 * b)) * b + ((a + 1) / (2 * b)) ^ 2 * 0 = - 1 by [field]; lra.
Qed.

(* Cauchy and Schwarz between points of two sequences *)
Lemma kernel_schwarz X (k : X -> X -> R) n (x : nat -> X) m (z : nat -> X) v c : kernel X k ->
  (sum n (fun l => v l * sum m (fun i => c i * k (x l) (z i)))) ^ 2 <=
  form n (gram X k x) v * form m (gram X k z) c.
Proof.
move=> pk; apply: discriminant => [|t]; first by have [_ h] := pk m z; exact: h.
pose u l := if Nat.ltb l n then x l else z (Nat.sub l n).
pose w l := if Nat.ltb l n then v l else - t * c (Nat.sub l n).
have [sy pos] := pk (n + m)%coq_nat u; have := pos w.
have lo l : (l < n)%coq_nat -> u l = x l /\ w l = v l by move=> /Nat.ltb_lt h; rewrite /u /w h.
have hi l : u (n + l)%coq_nat = z l /\ w (n + l)%coq_nat = - t * c l.
  have h : Nat.ltb (n + l)%coq_nat n = false by apply/Nat.ltb_ge; lia.
  by rewrite /u /w h; have -> : Nat.sub (n + l)%coq_nat n = l by lia.
have symk a b : k a b = k b a.
  pose y (i : nat) := match i with O => a | _ => b end.
  by have [s _] := pk 2%nat y; have := s O 1%nat ltac:(lia) ltac:(lia).
rewrite sum_add.
rewrite (sum_ext n _ (fun i => sum n (fun j => v i * v j * gram X k x i j) - t * (v i * sum m (fun j => c j * k (x i) (z j))))); last first.
  move=> i ii; rewrite sum_add; have [-> ->] := lo i ii.
  have -> : sum m (fun j => v i * w (n + j)%coq_nat * k (x i) (u (n + j)%coq_nat)) = - t * v i * sum m (fun j => c j * k (x i) (z j)).
    by rewrite -sum_scal; apply: sum_ext => j _; have [-> ->] := hi j; ring.
  rewrite (sum_ext n _ (fun j => v i * v j * gram X k x i j)); last by move=> j jj; have [-> ->] := lo j jj.
  by ring.
rewrite (sum_ext m _ (fun i => t ^ 2 * sum m (fun j => c i * c j * gram X k z i j) - t * (sum n (fun j => v j * (c i * k (x j) (z i)))))); last first.
  move=> i _; rewrite sum_add; have [-> ->] := hi i.
  rewrite (sum_ext m _ (fun j => t ^ 2 * (c i * c j * gram X k z i j))); last by move=> j _; have [-> ->] := hi j; rewrite /gram; ring.
  rewrite (sum_ext n _ (fun j => - t * (v j * (c i * k (x j) (z i))))); last by move=> j jj; have [-> ->] := lo j jj; rewrite (symk (z i)); ring.
  by rewrite !sum_scal; ring.
rewrite !sum_minus !sum_scal.
have -> : sum m (fun i => sum n (fun j => v j * (c i * k (x j) (z i)))) = sum n (fun l => v l * sum m (fun i => c i * k (x l) (z i))).
  by rewrite sum_swap; apply: sum_ext => l _; rewrite sum_scal.
by rewrite /form => h; apply: Rle_trans h _; right; ring.
Qed.

Lemma form_0 n A : form n A (fun=> 0) = 0.
Proof.
rewrite /form (sum_ext n _ (fun=> 0)) ?sum_0 // => i _.
by rewrite (sum_ext n _ (fun=> 0)) ?sum_0 // => j _; ring.
Qed.

Lemma covariance_below s n A b k : 0 < s -> semidefinite n A -> covariance s n A b b k <= k.
Proof.
move=> s0 pA; have := least_error s n A b k (fun=> 0) s0 pA.
rewrite form_0 (sum_ext n (fun j => b j * 0) (fun=> 0)); last by move=> *; ring.
rewrite (sum_ext n (fun=> 0 ^ 2) (fun=> 0)); last by move=> *; ring.
by rewrite sum_0 /Rdiv; lra.
Qed.

(* P_i is at least p_i K and at most K *)
Theorem share_gram X k h s kappa : 0 < s -> 0 < kappa -> kernel X k -> kernel R h -> (forall x, k x x <= kappa) ->
  forall n x tau t m z, h t t = 1 ->
  let P i j := covariance s n (joint X k h x tau) (fun l => k (x l) (z i) * h (tau l) t)
                 (fun l => k (x l) (z j) * h (tau l) t) (k (z i) (z j)) in
  let p := covariance (s * kappa) n (gram R h tau) (fun l => h (tau l) t) (fun l => h (tau l) t) 1 in
  semidefinite m (fun i j => P i j - p * k (z i) (z j)) /\ semidefinite m (fun i j => k (z i) (z j) - P i j).
Proof.
move=> s0 k0 pk ph kk n x tau t m z ht P p.
have pA : semidefinite n (joint X k h x tau) by apply: semidefinite_hadamard; [exact: pk | exact: ph].
have sk0 : 0 < s * kappa by apply: Rmult_lt_0_compat.
have [sz pz] := pk m z; have [st pt] := ph n tau.
have symP i j : (i < m)%coq_nat -> (j < m)%coq_nat -> P i j = P j i.
  by move=> hi hj; rewrite /P covariance_sym // (sz i j).
have formP c : form m P c = covariance s n (joint X k h x tau)
  (fun l => sum m (fun i => c i * (k (x l) (z i) * h (tau l) t))) (fun l => sum m (fun i => c i * (k (x l) (z i) * h (tau l) t)))
  (form m (fun i j => k (z i) (z j)) c) by rewrite /P form_covariance.
have split B C c : form m (fun i j => B i j - C i j) c = form m B c - form m C c.
  rewrite /form -sum_minus; apply: sum_ext => i _; rewrite -sum_minus; apply: sum_ext => j _; ring.
split; last first.
  split=> [i j hi hj|c]; first by rewrite (symP i j) // (sz i j).
  rewrite -/(form m _ c) split formP.
  by have := covariance_below s n _ (fun l => sum m (fun i => c i * (k (x l) (z i) * h (tau l) t))) (form m (fun i j => k (z i) (z j)) c) s0 pA; lra.
split=> [i j hi hj|c]; first by rewrite (symP i j) // (sz i j).
rewrite -/(form m _ c) split formP.
set q := form m (fun i j => k (z i) (z j)) c.
have q0 : 0 <= q by exact: (pz c).
have -> : form m (fun i j => p * k (z i) (z j)) c = p * q.
  rewrite /q /form -sum_scal; apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
pose d l := sum m (fun i => c i * k (x l) (z i)).
have [w ->] := error_attained s n (joint X k h x tau) (fun l => sum m (fun i => c i * (k (x l) (z i) * h (tau l) t))) q s0 pA.
have -> : sum n (fun j => sum m (fun i => c i * (k (x j) (z i) * h (tau j) t)) * w j) = sum n (fun j => h (tau j) t * (d j * w j)).
  apply: sum_ext => j _; rewrite /d.
  rewrite -!sum_scalr -sum_scal; apply: sum_ext => i _; ring.
have [qp|qz] : 0 < q \/ q = 0 by lra.
  pose D l l' := k (x l) (x l') - d l * d l' / q.
  have pD : semidefinite n D.
    split=> [i j hi hj|v].
      by have [sx _] := pk n x; rewrite /D (sx i j hi hj); rewrite /Rdiv; ring.
    have cs := kernel_schwarz X k n x m z v c pk.
    have -> : sum n (fun i => sum n (fun j => v i * v j * D i j)) = form n (gram X k x) v - (sum n (fun l => v l * d l)) ^ 2 / q.
      have -> : (sum n (fun l => v l * d l)) ^ 2 / q = sum n (fun i => sum n (fun j => v i * v j * (d i * d j / q))).
        rewrite (sum_ext n (fun i => sum n _) (fun i => v i * d i * (sum n (fun l => v l * d l)) * / q)); last first.
          by move=> i _; rewrite -sum_scal -sum_scalr; apply: sum_ext => j _; rewrite /Rdiv; ring.
        by rewrite !sum_scalr /Rdiv; ring.
      rewrite /form -sum_minus; apply: sum_ext => i _; rewrite -sum_minus; apply: sum_ext => j _; rewrite /D /gram; ring.
    suff : (sum n (fun l => v l * d l)) ^ 2 / q <= form n (gram X k x) v by lra.
    apply: (Rmult_le_reg_r q) => //; rewrite /Rdiv Rmult_assoc Rinv_l; last lra.
    by rewrite Rmult_1_r.
  have pDH := semidefinite_hadamard n D (gram R h tau) pD (ph n tau).
  have hD := pDH.2 w.
  pose v l := w l * d l / q.
  have low := least_error (s * kappa) n (gram R h tau) (fun l => h (tau l) t) 1 v sk0 (ph n tau).
  rewrite -/p in low.
  have f1 : sum n (fun j => h (tau j) t * v j) * q = sum n (fun j => h (tau j) t * (d j * w j)).
    by rewrite -sum_scalr; apply: sum_ext => j _; rewrite /v; field; lra.
  have f2 : form n (gram R h tau) v * q + sum n (fun i => sum n (fun j => w i * w j * (D i j * gram R h tau i j))) = form n (joint X k h x tau) w.
    rewrite /form -sum_scalr -sum_plus; apply: sum_ext => i _; rewrite -sum_scalr -sum_plus; apply: sum_ext => j _.
    by rewrite /v /D /joint /gram; field; lra.
  have f3 : sum n (fun j => v j ^ 2) / (s * kappa) * q <= sum n (fun j => w j ^ 2) / s.
    rewrite /Rdiv -!sum_scalr; apply: sum_le => j _.
    have cs := kernel_schwarz X k 1 (fun=> x j) m z (fun=> 1) c pk.
    have dj : d j ^ 2 <= kappa * q.
      have e1 : form 1 (gram X k (fun=> x j)) (fun=> 1) = k (x j) (x j) by rewrite /form /gram /=; ring.
      rewrite e1 /= -/(d j) in cs; have kj := kk (x j).
      have := Rmult_le_compat_r q _ _ q0 kj; rewrite /q /form /gram in cs *; nra.
    have -> : v j ^ 2 * / (s * kappa) * q = w j ^ 2 * / s * (d j ^ 2 * / (kappa * q)).
      by rewrite /v; field; lra.
    rewrite -[X in _ <= X]Rmult_1_r; apply: Rmult_le_compat_l.
      by apply: Rmult_le_pos; [exact: pow2_ge_0 | left; exact: Rinv_0_lt_compat].
    have kq : 0 < kappa * q by apply: Rmult_lt_0_compat.
    by apply: (Rmult_le_reg_r (kappa * q)) => //; rewrite Rmult_assoc Rinv_l; lra.
  have := Rmult_le_compat_r q _ _ q0 low; nra.
have dz j : d j = 0.
  have cs := kernel_schwarz X k 1 (fun=> x j) m z (fun=> 1) c pk.
  rewrite [form m _ c](_ : _ = q) // qz Rmult_0_r /= -/(d j) in cs.
  by have := pow2_ge_0 (d j); nra.
rewrite (sum_ext n _ (fun=> 0)); last by move=> j _; rewrite dz; ring.
have fA := pA.2 w; rewrite -/(form n (joint X k h x tau) w) in fA.
have W : 0 <= sum n (fun j => w j ^ 2) / s.
  by apply: Rmult_le_pos; [apply: sum_ge0 => j _; exact: pow2_ge_0 | left; exact: Rinv_0_lt_compat].
by rewrite sum_0 qz; lra.
Qed.

(* fewer observations (delays, workers) leave more: those numbered e 0, ..., e (m-1) of n *)
Theorem share_fewer s n A m e b k : 0 < s -> semidefinite n A ->
  (forall i, (i < m)%coq_nat -> (e i < n)%coq_nat) ->
  (forall i j, (i < m)%coq_nat -> (j < m)%coq_nat -> e i = e j -> i = j) ->
  covariance s n A b b k <=
  covariance s m (fun i j => A (e i) (e j)) (fun i => b (e i)) (fun i => b (e i)) k.
Proof.
move=> s0 pA he inj.
pose w' (w : nat -> R) j := sum m (fun i => if Nat.eqb (e i) j then w i else 0).
have pick f w : sum n (fun j => f j * w' w j) = sum m (fun i => f (e i) * w i).
  rewrite /w' (sum_ext n _ (fun j => sum m (fun i => if Nat.eqb (e i) j then f j * w i else 0))); last first.
    by move=> j _; rewrite -sum_scal; apply: sum_ext => i _; case: Nat.eqb; ring.
  rewrite sum_swap; apply: sum_ext => i hi.
  by rewrite (sum_one n (e i) (fun j => f j * w i)) //; exact: he.
have same w i : (i < m)%coq_nat -> w' w (e i) = w i.
  move=> hi; rewrite /w'.
  have one q g : (i < q)%coq_nat -> (q <= m)%coq_nat -> sum q (fun l => if Nat.eqb (e l) (e i) then g l else 0) = g i.
    elim: q => [|q IH] hq hm; first by lia.
    rewrite /=; case: (Nat.eqb_spec (e q) (e i)) => [eq|ne].
      have qi : q = i by apply: inj => //; lia.
      rewrite qi (sum_ext i _ (fun=> 0)); first by rewrite sum_0; ring.
      by move=> j hj; case: (Nat.eqb_spec (e j) (e i)) => // ej; have := inj j i ltac:(lia) hi ej; lia.
    by rewrite IH; [ring | have : q <> i by [move=> qi; apply: ne; rewrite qi]; lia | lia].
  exact: (one m w).
have pS : semidefinite m (fun i j => A (e i) (e j)).
  have [sA pos] := pA; split=> [i j hi hj|w]; first by apply: sA; exact: he.
  have := pos (w' w); rewrite (sum_ext n _ (fun i => sum m (fun j => A i (e j) * w j) * w' w i)); last first.
    by move=> i _; rewrite -pick -sum_scalr; apply: sum_ext => j _; ring.
  rewrite pick => h; apply: Rle_trans h _; right; apply: sum_ext => i _.
  by rewrite -sum_scalr; apply: sum_ext => j _; ring.
have [w ->] := error_attained s m _ (fun i => b (e i)) k s0 pS.
apply: Rle_trans (least_error s n A b k (w' w) s0 pA) _; right.
rewrite pick; congr (_ + _).
  congr (_ + _); rewrite /form (sum_ext n _ (fun i => sum m (fun j => A i (e j) * w j) * w' w i)); last first.
    by move=> i _; rewrite -pick -sum_scalr; apply: sum_ext => j _; ring.
  rewrite pick; apply: sum_ext => i _; rewrite -sum_scalr; apply: sum_ext => j _; ring.
rewrite (sum_ext n (fun j => w' w j ^ 2) (fun j => w' w j * w' w j)); last by move=> j _; ring.
rewrite pick; congr (_ / _); apply: sum_ext => i hi; rewrite same //; ring.
Qed.

(* the certificate without a factorisation: any numbers c and their residual r *)
Theorem share_certificate s n A b k c : 0 < s -> semidefinite n A ->
  let r j := b j - sum n (fun l => A j l * c l) - c j / s in
  k - sum n (fun j => b j * c j) - sum n (fun j => c j * r j) - s * sum n (fun j => r j ^ 2) <=
  covariance s n A b b k.
Proof.
move=> s0 pA r; have [w [eq ->]] := best_weights s n A b s0 pA; have [sA pos] := pA.
pose d j := w j - c j.
have rd j : (j < n)%coq_nat -> r j = sum n (fun l => A j l * d l) + d j / s.
  move=> hj; rewrite /r {1}eq // /d.
  rewrite (sum_ext n (fun l => A j l * (w l - c l)) (fun l => A j l * w l - A j l * c l)); last by move=> l _; ring.
  by rewrite sum_minus /Rdiv; ring.
have bil u v : sum n (fun j => u j * (sum n (fun l => A j l * v l) + v j / s)) =
  sum n (fun j => v j * (sum n (fun l => A j l * u l) + u j / s)).
  have ex (p q : nat -> R) : sum n (fun j => p j * (sum n (fun l => A j l * q l) + q j / s)) =
    sum n (fun j => sum n (fun l => p j * q l * A j l)) + sum n (fun j => p j * q j / s).
    rewrite -sum_plus; apply: sum_ext => j _; rewrite Rmult_plus_distr_l -sum_scal /Rdiv; congr (_ + _); last by ring.
    by apply: sum_ext => l _; ring.
  rewrite !ex; congr (_ + _); last by apply: sum_ext => j _; rewrite /Rdiv; ring.
  by rewrite sum_swap; apply: sum_ext => i hi; apply: sum_ext => j hj; rewrite (sA j i hj hi); ring.
have e1 : sum n (fun j => b j * w j) = sum n (fun j => b j * c j) + sum n (fun j => c j * r j) + sum n (fun j => d j * r j).
  have -> : sum n (fun j => b j * w j) = sum n (fun j => b j * c j) + sum n (fun j => b j * d j).
    by rewrite -sum_plus; apply: sum_ext => j _; rewrite /d; ring.
  have -> : sum n (fun j => b j * d j) = sum n (fun j => w j * r j).
    rewrite (sum_ext n _ (fun j => d j * (sum n (fun l => A j l * w l) + w j / s))); last by move=> j hj; rewrite eq //; ring.
    by rewrite bil; apply: sum_ext => j hj; rewrite rd.
  have -> : sum n (fun j => w j * r j) = sum n (fun j => c j * r j) + sum n (fun j => d j * r j).
    by rewrite -sum_plus; apply: sum_ext => j _; rewrite /d; ring.
  by ring.
have Y : sum n (fun j => d j ^ 2) / s <= sum n (fun j => d j * r j).
  rewrite (sum_ext n (fun j => d j * r j) (fun j => sum n (fun l => d j * d l * A j l) + d j ^ 2 / s)); last first.
    move=> j hj; rewrite rd // Rmult_plus_distr_l -sum_scal; congr (_ + _); last by rewrite /Rdiv; ring.
    by apply: sum_ext => l _; ring.
  rewrite sum_plus; have := pos d; rewrite /Rdiv sum_scalr; lra.
have Z : 0 <= s ^ 2 * sum n (fun j => r j ^ 2) - 2 * s * sum n (fun j => d j * r j) + sum n (fun j => d j ^ 2).
  have -> : s ^ 2 * sum n (fun j => r j ^ 2) - 2 * s * sum n (fun j => d j * r j) + sum n (fun j => d j ^ 2) = sum n (fun j => (s * r j - d j) ^ 2).
    by rewrite -!sum_scal -sum_minus -sum_plus; apply: sum_ext => j _; ring.
  by apply: sum_ge0 => j _; exact: pow2_ge_0.
have D : sum n (fun j => d j ^ 2) <= s * sum n (fun j => d j * r j).
  by have := Rmult_le_compat_l s _ _ (Rlt_le _ _ s0) Y; have -> : s * (sum n (fun j => d j ^ 2) / s) = sum n (fun j => d j ^ 2) by [field; lra].
suff : sum n (fun j => d j * r j) <= s * sum n (fun j => r j ^ 2) by lra.
apply: (Rmult_le_reg_l s) => //; nra.
Qed.

(* n looks leave at least nu/(nu + n), nu = 1/s *)
Theorem share_at_least h s n tau t : kernel R h -> (forall u, h u u = 1) -> 0 < s ->
  / s / (/ s + INR n) <= covariance s n (gram R h tau) (fun l => h (tau l) t) (fun l => h (tau l) t) 1.
Proof.
move=> ph h1 s0; have [w ->] := error_attained s n (gram R h tau) (fun l => h (tau l) t) 1 s0 (ph n tau).
have cs v := kernel_schwarz R h n tau 1 (fun=> t) v (fun=> 1) ph.
have f1 : form 1 (gram R h (fun=> t)) (fun=> 1) = 1 by rewrite /form /gram /= h1; ring.
have in1 l : sum 1 (fun=> 1 * h (tau l) t) = h (tau l) t by rewrite /=; ring.
set beta := sum n (fun j => h (tau j) t * w j).
have b2 : beta ^ 2 <= form n (gram R h tau) w.
  have := cs w; rewrite f1 Rmult_1_r => c; apply: Rle_trans c; right; congr (_ ^ 2).
  by apply: sum_ext => l _; rewrite in1; ring.
have bW : beta ^ 2 <= INR n * sum n (fun j => w j ^ 2).
  apply: Rle_trans (cauchy_schwarz n _ _) _; apply: Rmult_le_compat_r.
    by apply: sum_ge0 => j _; exact: pow2_ge_0.
  rewrite -[INR n]Rmult_1_r -sum_const; apply: sum_le => j hj.
  have := kernel_schwarz R h 1 (fun=> tau j) 1 (fun=> t) (fun=> 1) (fun=> 1) ph.
  have f2 : form 1 (gram R h (fun=> tau j)) (fun=> 1) = 1 by rewrite /form /gram /= h1; ring.
  by rewrite f1 f2 /= => q; apply: Rle_trans (Rle_trans _ _ _ _ q) _; right; ring.
move: b2 bW; set W := sum n (fun j => w j ^ 2); set Q := form n _ w => b2 bW.
have n0 := pos_INR n.
have -> : / s / (/ s + INR n) = / (1 + INR n * s) by field; split; nra.
apply: (Rmult_le_reg_r (1 + INR n * s)); first nra.
rewrite Rinv_l; last nra.
have W0 : 0 <= W by apply: sum_ge0 => j _; exact: pow2_ge_0.
apply: Rle_trans (Rmult_le_compat_r (1 + INR n * s) ((1 - beta) ^ 2 + W / s) _ _ _); last 2 first.
- nra.
- lra.
have [nz|np] : INR n = 0 \/ 0 < INR n by lra.
  rewrite nz in bW *; have : 0 <= W / s by apply: Rmult_le_pos; [done | left; exact: Rinv_0_lt_compat].
  by have : beta = 0 by [nra]; move=> ->; lra.
have e : (1 + INR n * s) * (W / s) = W / s + INR n * W by field; lra.
have l1 : beta ^ 2 / (INR n * s) <= W / s.
  apply: (Rmult_le_reg_r (INR n * s)); first nra.
  have -> : beta ^ 2 / (INR n * s) * (INR n * s) = beta ^ 2 by field; lra.
  by have -> : W / s * (INR n * s) = INR n * W by field; lra.
have sq : INR n * s * (1 - beta) ^ 2 + beta ^ 2 / (INR n * s) - 2 * beta * (1 - beta) = (INR n * s * (1 - beta) - beta) ^ 2 / (INR n * s) by field; lra.
have : 0 <= (INR n * s * (1 - beta) - beta) ^ 2 / (INR n * s).
  by apply: Rmult_le_pos; [exact: pow2_ge_0 | left; apply: Rinv_0_lt_compat; nra].
rewrite -sq; nra.
Qed.

(* one more look at the quantity itself: v becomes v nu/(v + nu) *)
Lemma share_look s n A : 0 < s -> semidefinite (S n) A ->
  covariance s (S n) A (fun l => A l n) (fun l => A l n) (A n n) = variance s n A / (1 + s * variance s n A).
Proof.
move=> s0 pA; have [v0 _] := gain_variance s n A (Rlt_le _ _ s0) pA.
have pn : semidefinite n A by apply: semidefinite_le pA; lia.
have [sA _] := pA.
rewrite variance_covariance in v0 *; set v := covariance s n A _ _ _ in v0 *.
have sv : 0 < 1 + s * v by nra.
have error w u : A n n - 2 * sum (S n) (fun j => A j n * (if Nat.eqb j n then u else w j)) +
    form (S n) A (fun j => if Nat.eqb j n then u else w j) + sum (S n) (fun j => (if Nat.eqb j n then u else w j) ^ 2) / s =
    (1 - u) ^ 2 * A n n - 2 * (1 - u) * sum n (fun j => A j n * w j) + form n A w + sum n (fun j => w j ^ 2) / s + u ^ 2 / s.
  have lt j : (j < n)%coq_nat -> Nat.eqb j n = false by move=> h; apply/Nat.eqb_neq; lia.
  rewrite /form !sum_last !Nat.eqb_refl.
  rewrite (sum_ext n (fun j => A j n * _) (fun j => A j n * w j)); last by move=> j hj; rewrite lt.
  rewrite (sum_ext n (fun j => (if Nat.eqb j n then u else w j) ^ 2) (fun j => w j ^ 2)); last by move=> j hj; rewrite lt.
  rewrite (sum_ext n (fun i => sum (S n) _) (fun i => sum n (fun j => w i * w j * A i j) + u * (A i n * w i))); last first.
    move=> i hi; rewrite sum_last (lt i hi) Nat.eqb_refl; congr (_ + _); last by ring.
    by apply: sum_ext => j hj; rewrite lt.
  rewrite (sum_ext n (fun j => u * _ * _) (fun j => u * (A j n * w j))); last first.
    by move=> j hj; rewrite lt // (sA n j ltac:(lia) ltac:(lia)); ring.
  by rewrite sum_plus !sum_scal /Rdiv; ring.
have ends (w : nat -> R) : exists u w', forall j, (j < S n)%coq_nat -> w j = if Nat.eqb j n then u else w' j.
  by exists (w n), w => j _; case: (Nat.eqb_spec j n) => [->|].
apply: Rle_antisym.
  have [w ew] := error_attained s n A (fun l => A l n) (A n n) s0 pn; rewrite -/v in ew.
  set u := s * v / (1 + s * v).
  apply: Rle_trans (least_error s (S n) A _ _ (fun j => if Nat.eqb j n then u else (1 - u) * w j) s0 pA) _.
  rewrite error.
  have -> : sum n (fun j => A j n * ((1 - u) * w j)) = (1 - u) * sum n (fun j => A j n * w j).
    by rewrite -sum_scal; apply: sum_ext => j _; ring.
  have -> : form n A (fun j => (1 - u) * w j) = (1 - u) ^ 2 * form n A w.
    by rewrite /form -sum_scal; apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
  have -> : sum n (fun j => ((1 - u) * w j) ^ 2) = (1 - u) ^ 2 * sum n (fun j => w j ^ 2).
    by rewrite -sum_scal; apply: sum_ext => i _; ring.
  have -> : (1 - u) ^ 2 * A n n - 2 * (1 - u) * ((1 - u) * sum n (fun j => A j n * w j)) + (1 - u) ^ 2 * form n A w +
    (1 - u) ^ 2 * sum n (fun j => w j ^ 2) / s + u ^ 2 / s = (1 - u) ^ 2 * v + u ^ 2 / s.
    by rewrite ew /Rdiv; ring.
  by right; rewrite /u; field; split; lra.
have [w0 e0] := error_attained s (S n) A (fun l => A l n) (A n n) s0 pA.
have [u [w ew]] := ends w0; rewrite e0.
rewrite (sum_ext (S n) (fun j => A j n * w0 j) (fun j => A j n * (if Nat.eqb j n then u else w j))); last by move=> j hj; rewrite ew.
rewrite (form_ext (S n) A A w0 (fun j => if Nat.eqb j n then u else w j)); last by move=> i j hi hj; rewrite !ew.
rewrite (sum_ext (S n) (fun j => w0 j ^ 2) (fun j => (if Nat.eqb j n then u else w j) ^ 2)); last by move=> j hj; rewrite ew.
rewrite error.
have vle : v / (1 + s * v) <= / s.
  apply: (Rmult_le_reg_r (1 + s * v)) => //; have -> : v / (1 + s * v) * (1 + s * v) = v by field; lra.
  by have -> : / s * (1 + s * v) = / s + v by [field; lra]; have := Rinv_0_lt_compat _ s0; lra.
have [u1|u1] : u = 1 \/ u <> 1 by lra.
  rewrite u1; have := (proj2 pn) w; rewrite -/(form n A w) => f0.
  have W : 0 <= sum n (fun j => w j ^ 2) / s.
    by apply: Rmult_le_pos; [apply: sum_ge0 => j _; exact: pow2_ge_0 | left; exact: Rinv_0_lt_compat].
  have -> : 1 ^ 2 / s = / s by field; lra.
  lra.
have low := least_error s n A (fun l => A l n) (A n n) (fun j => w j / (1 - u)) s0 pn; rewrite -/v in low.
have q0 : 0 <= (1 - u) ^ 2 by exact: pow2_ge_0.
have low2 := Rmult_le_compat_l _ _ _ q0 low.
have e1 : (1 - u) ^ 2 * (A n n - 2 * sum n (fun j => A j n * (w j / (1 - u))) + form n A (fun j => w j / (1 - u)) + sum n (fun j => (w j / (1 - u)) ^ 2) / s) =
  (1 - u) ^ 2 * A n n - 2 * (1 - u) * sum n (fun j => A j n * w j) + form n A w + sum n (fun j => w j ^ 2) / s.
  have -> : sum n (fun j => A j n * (w j / (1 - u))) = / (1 - u) * sum n (fun j => A j n * w j).
    by rewrite -sum_scal; apply: sum_ext => j _; rewrite /Rdiv; ring.
  have -> : form n A (fun j => w j / (1 - u)) = (/ (1 - u)) ^ 2 * form n A w.
    by rewrite /form -sum_scal; apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; rewrite /Rdiv; ring.
  have -> : sum n (fun j => (w j / (1 - u)) ^ 2) = (/ (1 - u)) ^ 2 * sum n (fun j => w j ^ 2).
    by rewrite -sum_scal; apply: sum_ext => i _; rewrite /Rdiv; ring.
  by field; split; lra.
rewrite e1 in low2.
suff : v / (1 + s * v) <= (1 - u) ^ 2 * v + u ^ 2 / s by lra.
have e2 : (1 - u) ^ 2 * v + u ^ 2 / s - v / (1 + s * v) = s * (v * (1 - u) - u / s) ^ 2 / (1 + s * v) by field; split; lra.
have : 0 <= s * (v * (1 - u) - u / s) ^ 2 / (1 + s * v).
  by apply: Rmult_le_pos; [apply: Rmult_le_pos; [lra | exact: pow2_ge_0] | left; exact: Rinv_0_lt_compat].
lra.
Qed.

(* later, nothing seen in between *)
Lemma share_wait s n A b a : 0 < s -> semidefinite n A ->
  covariance s n A (fun l => a * b l) (fun l => a * b l) 1 = 1 - a ^ 2 * (1 - covariance s n A b b 1).
Proof.
move=> s0 pA.
have lin x y k : covariance s n A (fun l => a * x l) y (a * k) = a * covariance s n A x y k.
  have [w [_ e]] := best_weights s n A y s0 pA.
  by rewrite !e Rmult_minus_distr_l -sum_scal; congr (_ - _); apply: sum_ext => j _; ring.
have [w [_ e]] := best_weights s n A (fun l => a * b l) s0 pA.
have -> : covariance s n A (fun l => a * b l) (fun l => a * b l) 1 =
  covariance s n A (fun l => a * b l) (fun l => a * b l) (a * (a * 1)) + (1 - a ^ 2) by rewrite !e; ring.
by rewrite lin covariance_sym // lin; ring.
Qed.

(* the recursion for Markov kernels *)
Theorem share_recursion h s tau : kernel R h -> (forall u, h u u = 1) ->
  (forall u v w, u <= v <= w -> h u w = h u v * h v w) -> 0 < s ->
  (forall i j, (i <= j)%coq_nat -> tau i <= tau j) -> forall n,
  covariance s n (gram R h tau) (fun l => h (tau l) (tau n)) (fun l => h (tau l) (tau n)) 1 =
  floor_share (fun j => h (tau j) (tau (S j)) ^ 2) (fun=> / s) n.
Proof.
move=> ph h1 markov s0 sorted.
have vE n : variance s n (gram R h tau) = covariance s n (gram R h tau) (fun l => h (tau l) (tau n)) (fun l => h (tau l) (tau n)) 1.
  by rewrite variance_covariance /gram h1.
elim=> [|n IH].
  have [w [_ e]] := best_weights s 0 (gram R h tau) (fun l => h (tau l) (tau O)) s0 (ph O tau).
  by rewrite e /=; ring.
have e : covariance s (S n) (gram R h tau) (fun l => h (tau l) (tau (S n))) (fun l => h (tau l) (tau (S n))) 1 =
  covariance s (S n) (gram R h tau) (fun l => h (tau n) (tau (S n)) * h (tau l) (tau n)) (fun l => h (tau n) (tau (S n)) * h (tau l) (tau n)) 1.
  rewrite /covariance; congr (_ - _ * _).
  have ex (i : 'I_(S n)) : h (tau i) (tau (S n)) = h (tau n) (tau (S n)) * h (tau i) (tau n).
    rewrite Rmult_comm; apply: markov; split; apply: sorted; last lia.
    by have /ssrnat.ltP := ltn_ord i; lia.
  by congr ((_ *m _ *m _)%ring ord0 ord0); apply/matrixP => i j; rewrite !mxE ex.
rewrite e share_wait //; last exact: (ph (S n) tau).
have look := share_look s n (gram R h tau) s0 (ph (S n) tau).
rewrite /gram h1 -/(gram R h tau) in look; rewrite look vE IH.
rewrite [in RHS]/floor_share -/floor_share /carried.
set p := floor_share _ _ n; have p0 : 0 <= p.
  have [v0 _] := gain_variance s n (gram R h tau) (Rlt_le _ _ s0) (ph (S n) tau).
  by rewrite vE IH in v0.
have s1 : 0 < 1 + s * p by nra.
have s2 : p + / s = (1 + s * p) / s by field; lra.
rewrite s2; congr (_ - _ * (_ - _)); field; split; lra.
Qed.

(* the posterior means of two quantities: their weights c and d, and their covariance, the prior one
   less the posterior one *)
Theorem mean_covariance s n A a b : 0 < s -> semidefinite n A -> exists c d : nat -> R,
  (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * c l) + c j / s = a j) /\
  (forall j, (j < n)%coq_nat -> sum n (fun l => A j l * d l) + d j / s = b j) /\
  forall k, sum n (fun j => c j * (sum n (fun l => A j l * d l) + d j / s)) = k - covariance s n A a b k.
Proof.
move=> s0 pA; have [c [ec fc]] := best_weights s n A a s0 pA; have [d [ed fd]] := best_weights s n A b s0 pA.
exists c, d; split; first by move=> j hj; rewrite ec.
split=> [j hj|k]; first by rewrite ed.
rewrite covariance_sym // fc (_ : k - (k - _) = sum n (fun j => b j * c j)); last by ring.
by apply: sum_ext => j hj; rewrite -ed //; ring.
Qed.

(* the full-information player: one set of weights c predicts f at every point from the whole noisy
   pictures, whose error has the law of f in space; the error of the prediction is not correlated with
   any picture, and the prediction has 1 - p times the covariance of f *)
Theorem share_player X k h s : kernel R h -> 0 < s ->
  forall n tau t,
  let p := covariance s n (gram R h tau) (fun l => h (tau l) t) (fun l => h (tau l) t) 1 in
  exists c : nat -> R,
  (forall j (x y : X), (j < n)%coq_nat ->
     sum n (fun l => c l * (k x y * (h (tau l) (tau j) + identity l j / s))) = k x y * h (tau j) t) /\
  (forall x y : X, sum n (fun l => sum n (fun j => c l * c j * (k x y * (h (tau l) (tau j) + identity l j / s)))) =
     (1 - p) * k x y).
Proof.
move=> ph s0 n tau t p; have [sh _] := ph n tau.
have [c [eq e]] := best_weights s n (gram R h tau) (fun l => h (tau l) t) s0 (ph n tau).
have row j : (j < n)%coq_nat -> sum n (fun l => c l * (h (tau l) (tau j) + identity l j / s)) = h (tau j) t.
  move=> hj; rewrite (eq j hj) (sum_ext n _ (fun l => gram R h tau j l * c l + c l * identity l j / s)); last first.
    by move=> l hl; rewrite /gram (sh l j hl hj) /Rdiv; ring.
  rewrite sum_plus; congr (_ + _).
  have one q g : (j < q)%coq_nat -> sum q (fun l => g l * identity l j / s) = g j / s.
    elim: q => [|q IH] hq; first by lia.
    rewrite /= {2}/identity; case: (Nat.eqb_spec q j) => [qj|ne]; last by rewrite IH; [rewrite /Rdiv; ring | lia].
    rewrite qj (sum_ext j _ (fun=> 0)); first by rewrite sum_0 /Rdiv; ring.
    by move=> l hl; rewrite /identity; case: (Nat.eqb_spec l j) => [?|_]; [lia | rewrite /Rdiv; ring].
  exact: one.
exists c; split=> [j x y hj|x y].
  by rewrite -(row j hj) -sum_scal; apply: sum_ext => l _; ring.
rewrite /p e (_ : 1 - (1 - _) = sum n (fun j => h (tau j) t * c j)); last by ring.
rewrite sum_swap -sum_scalr; apply: sum_ext => j hj; rewrite -{1}(row j hj) -!sum_scalr.
by apply: sum_ext => l _; ring.
Qed.
