(* The recursion of the floor, the margin inequality, and the deterministic parts of the floors and of
   scheduled exploration. *)
From mathcomp Require Import all_ssreflect all_algebra Rstruct.
From Coq Require Import Reals Lra Lia List.
From CTV Require Import definitions sums.
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

Theorem floor_share_mono a2 b2 nu mu i : (forall j, 0 <= a2 j <= b2 j) -> (forall j, b2 j <= 1) ->
  (forall j, 0 < nu j <= mu j) -> floor_share b2 nu i <= floor_share a2 mu i.
Proof.
move=> ab b1 nm; elim: i => [|i IH] /=; first lra.
have [l0 _] := floor_share01 b2 nu i (fun j => ltac:(have := ab j; have := b1 j; lra)) (fun j => proj1 (nm j)).
have [_ u1] := floor_share01 a2 mu i (fun j => ltac:(have := ab j; have := b1 j; lra)) (fun j => ltac:(have := nm j; lra)).
have [a0 ab'] := ab i.
by apply: carried_mono => //; lra.
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
