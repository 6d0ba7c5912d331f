(******************************************************************************)
(*                      The vocabulary of the statements                      *)
(*                                                                            *)
(* All that a reader of statements.v needs: definitions, and no proof. Rounds *)
(* are counted from 0, s is the inverse of the noise variance.                *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   sum n f, det n A, gain s n A == sums, determinants, the information      *)
(*       gain                                                                 *)
(*   semidefinite n A, kernel X k == Gram matrices and kernels                *)
(*   gram, joint == the covariances of space alone, and of space and time     *)
(*   bounds_space_gain == gamma m is at least the gain of every m points      *)
(*   over_blocks, total, longest == partitions by the lengths of their        *)
(*       blocks                                                               *)
(*   uniformity cap tau d m == the constant C of a block                      *)
(*   variance, deviation, covariance == posterior moments                     *)
(*   phi x == the drift function of the paper                                 *)
(*   forgetting rate t u == the kernel exp (-rate |t - u|)                    *)
(*   confidence_event, upper_confidence_policy == the hypotheses of Theorem   *)
(*       1                                                                    *)
(*   least_cost, pruned == the search for partitions                          *)
(*   carried, floor_share == the recursion of the lower bound                 *)
(*   seen, arm == what a policy observes and plays                            *)
(*   own, earned, fits == the game of one arm at prices                       *)
(*   drifted, drift_sum, since_first == the drift since a block began         *)
(*   split_at, drift_between == windows of rounds                             *)
(*   root_price, whole_price == the price of a block for smooth kernels       *)
(*   looked_at == the looks of the schedule of a block                        *)
(*   increment, sudakov_fernique, scales == the mean of a maximum             *)
(*                                                                            *)
(* Rests on: library.                                                         *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import classical_sets.
From mathcomp Require Import Rstruct reals ereal measure.
From CTV Require Import library.
From Coq Require Import Reals List.
Delimit Scope ring_scope with ring.
Open Scope R_scope.

(* f 0 + ... + f (n-1) *)
Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => sum m f + f m end.

(* the determinant of the n by n matrix with the entries A i j *)
Definition det (n : nat) (A : nat -> nat -> R) : R :=
  (\det (\matrix_(i < n, j < n) A i j))%ring.

Definition identity (i j : nat) : R := if Nat.eqb i j then 1 else 0.

(* the information gain: half the logarithm of det (I + s A) *)
Definition gain (s : R) (n : nat) (A : nat -> nat -> R) : R :=
  / 2 * ln (det n (fun i j => identity i j + s * A i j)).

(* a symmetric matrix whose quadratic form is never negative *)
Definition semidefinite (n : nat) (A : nat -> nat -> R) : Prop :=
  (forall i j, (i < n)%coq_nat -> (j < n)%coq_nat -> A i j = A j i) /\
  forall c : nat -> R, 0 <= sum n (fun i => sum n (fun j => c i * c j * A i j)).

(* a kernel: semidefinite at every finite sequence of points *)
Definition kernel (X : Type) (k : X -> X -> R) : Prop :=
  forall n (x : nat -> X), semidefinite n (fun i j => k (x i) (x j)).

(* the Gram matrix of the rounds i, j at points x and times tau, and that of space alone *)
Definition gram (X : Type) (k : X -> X -> R) (x : nat -> X) (i j : nat) : R := k (x i) (x j).
Definition joint (X : Type) (k : X -> X -> R) (h : R -> R -> R) (x : nat -> X) (tau : nat -> R)
  (i j : nat) : R := k (x i) (x j) * h (tau i) (tau j).

(* gamma m is at least the gain of every sequence of m points (repetitions allowed) *)
Definition bounds_space_gain (X : Type) (k : X -> X -> R) (s : R) (gamma : nat -> R) : Prop :=
  forall m (x : nat -> X), gain s m (gram X k x) <= gamma m.

(* the sum over consecutive blocks of lengths m_0, m_1, ... of price i d m, where i is the number
   of the block, d the round that it starts with and m its length *)
Fixpoint over_blocks (price : nat -> nat -> nat -> R) (i d : nat) (blocks : list nat) : R :=
  match blocks with
  | nil => 0
  | m :: rest => price i d m + over_blocks price (S i) (d + m)%coq_nat rest
  end.

Fixpoint total (blocks : list nat) : nat :=
  match blocks with nil => O | m :: rest => (m + total rest)%coq_nat end.

Fixpoint longest (blocks : list nat) : nat :=
  match blocks with nil => O | m :: rest => Nat.max m (longest rest) end.

(* the uniformity of the m times that start with number d, its cap being cap (1/theta^2) *)
Definition uniformity (cap : R) (tau : nat -> R) (d m : nat) : R :=
  sum m (fun j => sum m (fun k => Rmin cap ((tau (d + j)%coq_nat - tau (d + k)%coq_nat) ^ 2))).

(* the posterior variance of round n given the n rounds before it, with noise variance 1/s:
   A n n - a^T (A_n + I/s)^-1 a, a the covariances with round n *)
Definition variance (s : R) (n : nat) (A : nat -> nat -> R) : R :=
  A n n -
  s * ((\row_(i < n) A i n *m invmx (1%:M + s *: \matrix_(i < n, j < n) A i j)
        *m \col_(i < n) A i n) ord0 ord0)%ring.

(* phi of the paper, with phi 0 = 0 *)
Definition phi (x : R) : R := if Rle_dec x 0 then 0 else Rmin x (ln x + / x).

(* the kernel (1 - epsilon)^(|t - u| / 2), as exp (- rate |t - u|) *)
Definition forgetting (rate t u : R) : R := exp (- (rate * Rabs (t - u))).

(* the posterior standard deviation of a candidate z for round i, after the rounds before i *)
Definition deviation (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s : R) (x : nat -> X)
  (tau : nat -> R) (i : nat) (z : X) : R :=
  sqrt (variance s i (joint X k h (fun j => if Nat.eqb j i then z else x j) tau)).

(* every round plays a point where mean + sqrt(beta) deviation is largest *)
Definition upper_confidence_policy (X : Type) (mean sd : nat -> X -> R) (beta : nat -> R)
  (n : nat) (x : nat -> X) : Prop :=
  forall i z, (i < n)%coq_nat ->
    mean i z + sqrt (beta i) * sd i z <= mean i (x i) + sqrt (beta i) * sd i (x i).

(* the confidence event of Theorem 1: in every round the value f i at the chosen point lies within
   sqrt(beta) deviations of its mean, and the largest value top i lies within sqrt(beta) deviations
   and 1/(round)^2 of the mean at some point of the domain (the grid point next to the maximiser) *)
Definition confidence_event (X : Type) (mean sd : nat -> X -> R) (beta : nat -> R)
  (n : nat) (x : nat -> X) (f top : nat -> R) : Prop :=
  forall i, (i < n)%coq_nat ->
    Rabs (f i - mean i (x i)) <= sqrt (beta i) * sd i (x i) /\
    exists z, Rabs (top i - mean i z) <= sqrt (beta i) * sd i z + / INR (i + 1) ^ 2.

(* the sum of D over all ordered pairs of times of the block of length m that starts with d *)
Definition pair_sum (D : R -> R) (tau : nat -> R) (d m : nat) : R :=
  sum m (fun j => sum m (fun k => D (Rabs (tau (d + j)%coq_nat - tau (d + k)%coq_nat)))).

(* the uniform times T/n, 2T/n, ... and the biased ones: 0 before round n0 (from 1), then T *)
Definition uniform_times (T : R) (n : nat) (i : nat) : R := T / INR n * INR (i + 1).
Definition biased_times (T : R) (n0 : nat) (i : nat) : R := if Nat.ltb (i + 1) n0 then 0 else T.

(* the search for a partition: F is the least cost of the first x rounds over blocks j..x of at most
   L rounds, each at the price of its length and a drift w j x *)
Definition least_cost (L : nat) (price : nat -> R) (w : nat -> nat -> R) (F : nat -> R) : Prop :=
  F O = 0 /\ forall x, (0 < x)%coq_nat ->
    (forall j, (j < x)%coq_nat -> (Nat.sub x j <= L)%coq_nat ->
       F x <= F j + (price (Nat.sub x j) + w j x)) /\
    (exists j, (j < x)%coq_nat /\ (Nat.sub x j <= L)%coq_nat /\
       F x = F j + (price (Nat.sub x j) + w j x)).

(* start j has been pruned before end x: at an earlier end e it could not beat F e by drift alone *)
Definition pruned (w : nat -> nat -> R) (F : nat -> R) (j x : nat) : Prop :=
  exists e, (j < e)%coq_nat /\ (e < x)%coq_nat /\ F e <= F j + w j e.

(* the posterior variance of a candidate z of round i at any time t, after the rounds before i *)
Definition variance_at (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s : R) (x : nat -> X)
  (tau : nat -> R) (i : nat) (z : X) (t : R) : R :=
  variance s i (joint X k h (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then t else tau j)).

(* the second formula of Lemma 1 as printed *)
Definition printed_second (T N eps i : R) : R :=
  T / (eps * N) * (/ 2 * (N / (T * eps)) ^ 3 - 4 / 3 * i * (N / (T * eps)) ^ 2 +
    (i ^ 2 - / 2) * (N / (T * eps)) + i / 3).

(* capped squares of lags, in units of the step *)
Definition capped (x : R) (i : nat) : R :=
  sum i (fun j => sum i (fun k => Rmin (x ^ 2) ((INR j - INR k) ^ 2))).

(* the convex function of the rank-aware dual *)
Definition psi (a : R) : R := ln a + / a - 1.

(* the trace of the inverse, and the quadratic form b^T A^-1 b, of an n by n matrix *)
Definition trace_inverse (n : nat) (A : nat -> nat -> R) : R :=
  (\tr (invmx (\matrix_(i < n, j < n) A i j)))%ring.
Definition inverse_form (n : nat) (A : nat -> nat -> R) (b : nat -> R) : R :=
  ((\row_(j < n) b j *m invmx (\matrix_(i < n, j < n) A i j) *m \col_(j < n) b j) ord0 ord0)%ring.

(* the share p of the prior variance that is left: p -> 1 - a2 (1 - p nu/(p + nu)), from p = 1 *)
Definition carried (a2 nu p : R) : R := 1 - a2 * (1 - p * nu / (p + nu)).
Fixpoint floor_share (a2 nu : nat -> R) (i : nat) : R :=
  match i with O => 1 | S j => carried (a2 j) (nu j) (floor_share a2 nu j) end.

(* the posterior covariance of two quantities of prior covariance c that have the covariances a and b
   with n observations: c - a^T (A_n + I/s)^-1 b; of one quantity it is the variance above *)
Definition covariance (s : R) (n : nat) (A : nat -> nat -> R) (a b : nat -> R) (c : R) : R :=
  c -
  s * ((\row_(i < n) a i *m invmx (1%:M + s *: \matrix_(i < n, j < n) A i j)
        *m \col_(i < n) b i) ord0 ord0)%ring.

(* the rank of an n by n matrix *)
Definition rank (n : nat) (A : nat -> nat -> R) : nat := \rank (\matrix_(i < n, j < n) A i j)%ring.

(* the variance of value k less its prediction from the q values that follow the first n, with any
   weights a k 0, a k 1, ... *)
Definition residual (n q : nat) (J : nat -> nat -> R) (a : nat -> nat -> R) (k : nat) : R :=
  J k k - 2 * sum q (fun l => a k l * J k (n + l)%coq_nat) +
  sum q (fun l => sum q (fun l' => a k l * a k l' * J (n + l)%coq_nat (n + l')%coq_nat)).

(* the covariance of all points after value b has been observed with noise variance nu; and after m
   rounds, in each an observation and then a drift: squared correlation a2 with what was, the rest new *)
Definition observed (nu : R) (b : nat) (P : nat -> nat -> R) (i j : nat) : R :=
  P i j - P i b * P b j / (P b b + nu).
Fixpoint posterior_covariance (K : nat -> nat -> R) (a2 nu : nat -> R) (b : nat -> nat) (m : nat)
  (i j : nat) : R :=
  match m with
  | O => K i j
  | S l => a2 l * observed (nu l) (b l) (posterior_covariance K a2 nu b l) i j + (1 - a2 l) * K i j
  end.

(* a measure, such as a probability, on a space T of outcomes *)
Definition measure_on (d : measure_display) (T : measurableType d) : Type :=
  {measure set T -> \bar RR}%ring.

(* the event E has at most the probability p; one of n events happens; the share of delta that belongs
   to round k, counted from 0 *)
Definition at_most (d : measure_display) (T : measurableType d) (P : measure_on d T) (E : T -> Prop)
  (p : R) : Prop := measurable E /\ (Measure.sort P E <= p%:E)%E.
Definition one_of (T : Type) (n : nat) (E : nat -> T -> Prop) (x : T) : Prop :=
  exists k, (k < n)%coq_nat /\ E k x.
Definition share (delta : R) (k : nat) : R := delta / (PI ^ 2 * INR (k + 1) ^ 2 / 6).

(* what a policy has observed before round i, the latest first: of arm x in round j the value f x j with
   the error e x j; and the arm that it plays in round i *)
Fixpoint seen (play : nat -> list R -> nat) (f e : nat -> nat -> R) (i : nat) : list R :=
  match i with
  | O => nil
  | S j => let x := play j (seen play f e j) in cons (f x j + e x j) (seen play f e j)
  end.
Definition arm (play : nat -> list R -> nat) (f e : nat -> nat -> R) (i : nat) : nat := play i (seen play f e i).

(* the game of one arm with the values g: what a player has looked at before round i, rounds and values, the
   latest first; what n rounds earn at the prices lam; whether a path has the values of a history *)
Fixpoint own (look : nat -> list (nat * R) -> bool) (g : nat -> R) (i : nat) : list (nat * R) :=
  match i with
  | O => nil
  | S j => if look j (own look g j) then cons (j, g j) (own look g j) else own look g j
  end.
Definition earned (look : nat -> list (nat * R) -> bool) (g lam : nat -> R) (n : nat) : R :=
  sum n (fun i => if look i (own look g i) then g i - lam i else 0).
Fixpoint fits (g : nat -> R) (history : list (nat * R)) : bool :=
  match history with
  | nil => true
  | cons (j, v) earlier => andb (if Req_EM_T (g j) v then true else false) (fits g earlier)
  end.

(* arm x apart from all else, on m cases of weights w: all else (the policy with its chance, the errors, the
   other arms) is case r c of chances v, its own path case k c of chances u, and these are independent; and no
   player who looks at this arm alone earns more than V at the prices lam in the mean *)
Definition arm_alone (m : nat) (w : nat -> R) (play : nat -> nat -> list R -> nat) (e f : nat -> nat -> nat -> R)
  (x : nat) (lam : nat -> R) (n : nat) (V : R) : Prop :=
  exists (q l : nat) (v u : nat -> R) (r k : nat -> nat) (P : nat -> nat -> list R -> nat)
    (E h : nat -> nat -> nat -> R) (g : nat -> nat -> R),
  (forall c, (c < m)%coq_nat -> (forall i s, play c i s = P (r c) i s) /\ (forall y i, e c y i = E (r c) y i) /\
     (forall y i, y <> x -> f c y i = h (r c) y i) /\ forall i, f c x i = g (k c) i) /\
  (forall phi : nat -> nat -> R,
     sum m (fun c => w c * phi (r c) (k c)) = sum q (fun a => v a * sum l (fun b => u b * phi a b))) /\
  (forall a, 0 <= v a) /\ sum q v = 1 /\
  forall look, sum l (fun b => u b * earned look (g b) lam n) <= V.

(* d i is the drift of the step to round i: what has moved k rounds after round b, the sum of that over the
   m rounds of a block that starts with b, and the price F of its length with it *)
Fixpoint kept (d : nat -> R) (b k : nat) : R :=
  match k with O => 1 | S l => kept d b l * (1 - d (b + S l)%coq_nat) end.
Definition drifted (d : nat -> R) (b k : nat) : R := 1 - kept d b k.
Definition drift_sum (d : nat -> R) (b m : nat) : R := sum m (drifted d b).
Definition since_first (F : nat -> R) (d : nat -> R) (i b m : nat) : R := F m + drift_sum d b m.

(* n rounds cut into K windows: window k has the rounds start k, ..., start (k+1) - 1; and the drift of the
   steps from round a to round b *)
Definition split_at (start : nat -> nat) (K n : nat) : Prop :=
  start O = O /\ start K = n /\ forall k, (k < K)%coq_nat -> (start k < start (S k))%coq_nat.
Definition drift_between (d : nat -> R) (a b : nat) : R := sum (Nat.sub b a) (fun l => d (S (a + l)%coq_nat)).

(* the price of a block of m rounds for smooth kernels, and the one that is never below a round *)
Definition root_price (sigma : R) (m : nat) : R := Rmin (INR m) (sigma * sqrt (INR m)).
Definition whole_price (sigma : R) (m : nat) : R := Rmin (INR m) (Rmax 1 (sigma * sqrt (INR m))).

(* the looks before round t + 1 of a block: round t + 1 has one while they are fewer than r or
   2 c sqrt (t + 1) *)
Fixpoint looked_at (r : nat) (c : R) (t : nat) : nat :=
  match t with
  | O => O
  | S u => if Rlt_dec (INR (looked_at r c u)) (Rmax (INR r) (2 * c * sqrt (INR (S u)))) then S (looked_at r c u)
           else looked_at r c u
  end.

(* the variance of the difference of two values; what is asked of the mean of the maximum of n centred
   normal values as a function of their covariance: it grows with the variances of all differences
   (Sudakov and Fernique), and scales with the values *)
Definition increment (A : nat -> nat -> R) (x y : nat) : R := A x x + A y y - 2 * A x y.
Definition sudakov_fernique (emax : nat -> (nat -> nat -> R) -> R) : Prop :=
  forall n A B, semidefinite n A -> semidefinite n B ->
  (forall x y, (x < n)%coq_nat -> (y < n)%coq_nat -> increment A x y <= increment B x y) -> emax n A <= emax n B.
Definition scales (emax : nat -> (nat -> nat -> R) -> R) : Prop :=
  forall n A t, 0 <= t -> emax n (fun x y => t ^ 2 * A x y) = t * emax n A.
