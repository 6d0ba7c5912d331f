(******************************************************************************)
(*                 The words of statements about probability                  *)
(*                                                                            *)
(* Independent normal variables, the objective and the noise that are made of *)
(* them, and the run of a policy: what a reader needs beside definitions.v.   *)
(* Rounds are counted from 0; an outcome is a sequence of numbers G 0, G 1,   *)
(* ...                                                                        *)
(*                                                                            *)
(* Words:                                                                     *)
(*   independent_normals == the variables G 0, ..., G (m-1) are independent   *)
(*       and standard normal                                                  *)
(*   independent_draws == so are draws of a policy from all of them           *)
(*   has_kernel == the objective has the covariance k(z, z') h(tau i, tau     *)
(*       j)                                                                   *)
(*   value, noise == of a round, as combinations of the variables             *)
(*   late_prediction, late_deviation, comes_late == the posterior of round i  *)
(*       from the first m answers; round i knows all answers but the last D   *)
(*   policy_on == the point of a round as a function of the answers so far    *)
(*   measurable_rule, measurable_drawn_rule == its choices are events         *)
(*   measurable_policy, measurable_objective, measurable_kernel == what is    *)
(*       asked of them on any set                                             *)
(*   in_box, is_box == the points of [0, r]^m                                 *)
(*   has_slopes, slope_tails == an objective that is differentiable there,    *)
(*       and the constants a and b of the law of its slopes                   *)
(*   steepest, steps, box_width == what beta is made of on the box            *)
(*   played, answer == what a policy plays, and the noisy value that it is    *)
(*       told                                                                 *)
(*   size == the number of points of a finite domain                          *)
(*   follows == it plays a largest mean + sqrt(beta) standard deviation       *)
(*   follows_late == the same from the answers that are known by then         *)
(*   loses == its regret is more than c                                       *)
(*   mean_of, mean_at_least == the mean of a random variable; it is at least  *)
(*       c                                                                    *)
(*   best_value == the largest of the values of a finite domain               *)
(*   mean_maximum == m is the mean of the largest of normal values of a given *)
(*       covariance                                                           *)
(*   round_loss == what a round loses                                         *)
(*   finite_mean == a random variable whose absolute value has a finite mean  *)
(*   mean_length == c is the mean length of k independent normal variables    *)
(*   integral_of == over all real numbers                                     *)
(*   measurable_real, normal_mean == a measurable function of a number, and   *)
(*       its mean for a standard normal variable                              *)
(*   sum_over == over all points of a finite domain                           *)
(*   independent_arms, one_arm, earned_alone, earns_at_most == the game of    *)
(*       one arm                                                              *)
(*   player_of, players_earn == players of one point who know all else        *)
(*   prediction_at, has_kernel_at, ends_at, follows_own == evaluation times   *)
(*       that depend on the point                                             *)
(*   is_gaussian_process == an objective of any rank                          *)
(*   gaussian_objective, told, chosen, follows_first, ever_loses == rounds    *)
(*       without end                                                          *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, scalar, definitions, vectors.       *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import classical_sets.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require lebesgue.
From CTV Require Import scalar definitions vectors.
From Coq Require Import Reals.
Delimit Scope ring_scope with ring.
Open Scope R_scope.

(* f 0 ... f (m-1), multiplied *)
Fixpoint product (m : nat) (f : nat -> R) : R :=
  match m with O => 1 | S l => f O * product l (fun i => f (S i)) end.

(* P is a probability, and for all numbers t the m variables are below their t with the probability that
   independence says *)
Definition independent_normals (dT : measure_display) (T : measurableType dT) (P : measure_on dT T)
  (m : nat) (G : nat -> T -> R) : Prop :=
  Measure.sort P setT = EFin 1 /\ (forall i, measurable_fun setT (G i : T -> RR)) /\
  forall t : nat -> R, Measure.sort P (fun w => forall i, (i < m)%coq_nat -> G i w < t i) =
    EFin (product m (fun i => normal_cdf (t i))).

(* the draws U of a policy, or of an objective, in any space, are independent of these variables *)
Definition independent_draws (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (m : nat)
  (G : nat -> T -> R) (dS : measure_display) (S : measurableType dS) (U : T -> S) : Prop :=
  measurable_fun setT U /\ forall (B : set S) (t : nat -> R), measurable B ->
  Measure.sort P (fun w => B (U w) /\ forall i, (i < m)%coq_nat -> G i w < t i) =
  (Measure.sort P (fun w => B (U w)) * EFin (product m (fun i => normal_cdf (t i))))%E.

(* the covariance of the objective between rounds i, j and points z, z' is k z z' h (tau i) (tau j) *)
Definition has_kernel (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (k : Y -> Y -> R) (h : R -> R -> R)
  (tau : nat -> R) : Prop :=
  forall i j z z', (i < n)%coq_nat -> (j < n)%coq_nat ->
    sum d (fun l => L i z l * L j z' l) = k z z' * h (tau i) (tau j).

(* the posterior mean of round n given the answers y to the n rounds before it, with noise variance 1/s;
   and that of a candidate z for round i *)
Definition posterior_mean (s : R) (n : nat) (A : nat -> nat -> R) (y : nat -> R) : R :=
  s * ((\row_(i < n) A i n *m invmx (1%:M + s *: \matrix_(i < n, j < n) A i j)
        *m \col_(i < n) y i) ord0 ord0)%ring.
Definition prediction (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s : R) (x : nat -> X)
  (tau : nat -> R) (y : nat -> R) (i : nat) (z : X) : R :=
  posterior_mean s i (joint X k h (fun j => if Nat.eqb j i then z else x j) tau) y.

(* where answers come late: what is known of the m first rounds and a candidate z of round i, at the time of round i;
   and that round i knows at least the answers of all rounds but the last D before it, without gaps *)
Definition known_times (tau : nat -> R) (m i j : nat) : R := tau (if Nat.ltb j m then j else i).
Definition late_prediction (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s : R) (x : nat -> X)
  (tau : nat -> R) (y : nat -> R) (m i : nat) (z : X) : R := prediction X k h s x (known_times tau m i) y m z.
Definition late_deviation (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s : R) (x : nat -> X)
  (tau : nat -> R) (m i : nat) (z : X) : R := deviation X k h s x (known_times tau m i) m z.
Definition comes_late (D : nat) (known : nat -> nat) : Prop :=
  forall i, (Nat.sub i D <= known i)%coq_nat /\ (known i <= i)%coq_nat.

(* a policy: the point of round j as a function of the j values seen, the last first *)
Definition policy_on (Y : Type) : Type := forall j : nat, vec RR j -> Y.

(* where the policy plays a given point is an event *)
Definition measurable_rule (Y : Type) (rule : policy_on Y) : Prop :=
  forall j z, measurable [set h : vec RR j | rule j h = z]%classic.

(* of a policy for each value u of some draws: where it plays a given point is an event of draws and answers *)
Definition measurable_drawn_rule (dS : measure_display) (S : measurableType dS) (Y : Type)
  (rule : S -> policy_on Y) : Prop :=
  forall j z, measurable [set p : S * vec RR j | rule p.1 j p.2 = z]%classic.

(* on any set Y that has measurable sets, such as a box: the point of a round is a measurable function of the answers,
   the value at a point z for a draw u of the objective is one of z and u, and the covariance one of two points *)
Definition measurable_policy (dY : measure_display) (Y : measurableType dY) (rule : policy_on Y) : Prop :=
  forall j, measurable_fun setT (rule j).
Definition measurable_objective (dY : measure_display) (Y : measurableType dY) (dS : measure_display)
  (S : measurableType dS) (f : nat -> Y -> S -> R) : Prop :=
  forall i, measurable_fun setT (fun p : Y * S => f i p.1 p.2 : RR).
Definition measurable_kernel (dY : measure_display) (Y : measurableType dY) (k : Y -> Y -> R) : Prop :=
  measurable_fun setT (fun p : Y * Y => k p.1 p.2 : RR).

(* the points of the box [0, r]^m, by their coordinates; and a set Y whose points have these coordinates *)
Definition in_box (m : nat) (r : R) (p : nat -> R) : Prop := forall j, (j < m)%coq_nat -> 0 <= p j <= r.
Definition is_box (m : nat) (r : R) (Y : Type) (place : Y -> nat -> R) : Prop :=
  (forall z, in_box m r (place z)) /\
  forall p, in_box m r p -> exists z, forall j, (j < m)%coq_nat -> place z j = p j.

(* along every segment of the box the function F of the point p is differentiable, and its slope is made of the slopes
   M p j along the coordinates j *)
Definition has_slopes (m : nat) (r : R) (F : (nat -> R) -> R) (M : (nat -> R) -> nat -> R) : Prop :=
  forall p v t, in_box m r p -> in_box m r (fun j => p j + v j) -> 0 <= t <= 1 ->
    derivable_pt_lim (fun u => F (fun j => p j + u * v j)) t (sum m (fun j => M (fun e => p e + t * v e) j * v j)).

(* of each of n rounds, the slope of the objective along any coordinate is at most c everywhere in the box, outside an
   event of probability a exp (-(c/b)^2) *)
Definition slope_tails (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (m n : nat) (r : R)
  (M : nat -> (nat -> R) -> nat -> T -> R) (a b : R) : Prop :=
  forall i j c, (i < n)%coq_nat -> (j < m)%coq_nat -> 0 <= c ->
  exists E : T -> Prop, at_most dT T P E (a * exp (- (c / b) ^ 2)) /\
  forall w p, ~ E w -> in_box m r p -> Rabs (M i p j w) <= c.

(* the slope that stands for the largest one in round i, the number of steps of a grid along each coordinate, and the
   square of the width of the confidence band *)
Definition steepest (m : nat) (a b delta : R) (i : nat) : R :=
  b * sqrt (ln (PI ^ 2 * INR (S i) ^ 2 * INR m * a / (3 * delta))).
Definition steps (m : nat) (r a b delta : R) (i : nat) : R := INR m * INR (S i) ^ 2 * r * steepest m a b delta i.
Definition box_width (m : nat) (r a b delta : R) (i : nat) : R :=
  2 * ln (2 * PI ^ 2 * INR (S i) ^ 2 / (3 * delta)) + 2 * INR m * ln (Rmax 1 (steps m r a b delta i)).

(* the number of points of a finite domain *)
Definition size (Y : finType) : R := INR #|Y|.

(* the square of the width of the confidence band in round i over so many points *)
Definition width (points delta : R) (i : nat) : R :=
  2 * ln (points * PI ^ 2 * INR (S i) ^ 2 / (6 * delta)).

Section run.
(* the objective at round i and point z is the combination of the first d numbers with the weights L i z; the
   noise of round i is sigma times number d + i *)
Variables (d : nat) (Y : Type) (L : nat -> Y -> nat -> R) (sigma : R).
Definition value (G : nat -> R) (i : nat) (z : Y) : R := sum d (fun l => L i z l * G l).
Definition noise (G : nat -> R) (i : nat) : R := sigma * G (d + i)%coq_nat.

Variable rule : policy_on Y.
Fixpoint seen (j : nat) (G : nat -> R) : vec RR j :=
  match j return vec RR j with
  | O => tt
  | S k => (value G k (rule k (seen k G)) + noise G k, seen k G)
  end.
Definition played (G : nat -> R) (i : nat) : Y := rule i (seen i G).
Definition answer (G : nat -> R) (i : nat) : R := value G i (played G i) + noise G i.

(* more than c is lost in n rounds against some sequence of points, that is against the best ones *)
Definition loses (n : nat) (c : R) (G : nat -> R) : Prop :=
  exists best : nat -> Y, c < sum n (fun i => value G i (best i) - value G i (played G i)).

(* every one of n rounds plays a point where prediction + sqrt(beta) deviation is largest *)
Definition follows (n : nat) (k : Y -> Y -> R) (h : R -> R -> R) (tau beta : nat -> R) (G : nat -> R) : Prop :=
  upper_confidence_policy Y (prediction Y k h (/ sigma ^ 2) (played G) tau (answer G))
    (deviation Y k h (/ sigma ^ 2) (played G) tau) beta n (played G).

(* the same from the first known i answers in round i *)
Definition follows_late (known : nat -> nat) (n : nat) (k : Y -> Y -> R) (h : R -> R -> R) (tau beta : nat -> R)
  (G : nat -> R) : Prop :=
  upper_confidence_policy Y (fun i => late_prediction Y k h (/ sigma ^ 2) (played G) tau (answer G) (known i) i)
    (fun i => late_deviation Y k h (/ sigma ^ 2) (played G) tau (known i) i) beta n (played G).
End run.

(* the integral of X, and that it is at least c *)
Definition mean_of (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (X : T -> R) : \bar RR :=
  (\int[Measure.sort P]_w (X w)%:E)%E.
Definition mean_at_least (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (X : T -> R)
  (c : R) : Prop := (c%:E <= mean_of dT T P X)%E.

(* X is measurable, and its absolute value has a finite mean *)
Definition finite_mean (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (X : T -> R) : Prop :=
  measurable_fun setT (X : T -> RR) /\ (mean_of dT T P (fun w => Rabs (X w)) < +oo)%E.

(* c is the mean of the length of k independent standard normal variables, on every space *)
Definition mean_length (k : nat) (c : R) : Prop :=
  forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R), independent_normals dT T P k G ->
  mean_of dT T P (fun w => sqrt (sum k (fun l => G l w ^ 2))) = EFin c.

(* the largest value of f on a finite domain; a is one of its points, and whichever makes no difference *)
Definition best_value (Y : finType) (a : Y) (f : Y -> R) : R := \big[Rmax/f a]_(y : Y) f y.

(* m is the mean of the largest of values of covariance k that are combinations of independent normal variables, on
   every space and for all weights *)
Definition mean_maximum (Y : finType) (k : Y -> Y -> R) (m : R) : Prop :=
  forall dT (T : measurableType dT) (P : measure_on dT T) (d : nat) (G : nat -> T -> R) (L : Y -> nat -> R) (a : Y),
  independent_normals dT T P d G -> (forall y z, sum d (fun l => L y l * L z l) = k y z) ->
  mean_of dT T P (fun w => best_value Y a (fun y => sum d (fun l => L y l * G l w))) = EFin m.

(* what round i loses against the best point of its time *)
Definition round_loss (d : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y)
  (G : nat -> R) (i : nat) : R :=
  best_value Y (played d Y L sigma rule G i) (value d Y L G i) - value d Y L G i (played d Y L sigma rule G i).

(* ---- arms ---- *)

(* the integral of f over all real numbers *)
Definition integral_of (f : R -> R) : \bar RR := (\int[@lebesgue.leb RR]_t (f t)%:E)%E.

(* F is a measurable function of a real number, and the mean of F of a standard normal variable *)
Definition measurable_real (F : R -> R) : Prop := measurable_fun setT (F : RR -> RR).
Definition normal_mean (F : R -> R) : \bar RR := integral_of (fun z => F z * normal_density z).

Definition sum_over (Y : finType) (V : Y -> R) : R := \big[Rplus/0]_(x : Y) V x.

(* independent arms of the variances v; the game of one of them, which a player looks at or passes *)
Definition independent_arms (Y : finType) (v : Y -> R) (y z : Y) : R := if y == z then v y else 0.
Definition one_arm (v : R) (a b : bool) : R := if andb a b then v else 0.

(* what a rule earns that looks (true) or passes: the value less lam i for a look in round i *)
Definition earned_alone (d n : nat) (L : nat -> bool -> nat -> R) (sigma : R) (lam : nat -> R) (look : policy_on bool)
  (G : nat -> R) : R :=
  sum n (fun i => if played d bool L sigma look G i then value d bool L G i true - lam i else 0).

(* whoever sees one arm alone, where he looks, and may draw, earns at most V in the mean *)
Definition earns_at_most (n : nat) (v sigma : R) (h : R -> R -> R) (tau lam : nat -> R) (V : R) : Prop :=
  forall dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) dS (S : measurableType dS) (U : T -> S)
    (d : nat) (L : nat -> bool -> nat -> R) (look : S -> policy_on bool),
  independent_normals dT T P (d + n)%coq_nat G -> independent_draws dT T P (d + n)%coq_nat G dS S U ->
  has_kernel d n bool L (one_arm v) h tau -> measurable_drawn_rule dS S bool look ->
  (mean_of dT T P (fun w => earned_alone d n L sigma lam (look (U w)) (fun l => G l w)) <= V%:E)%E.

(* a player of the point x: where two outcomes have the same noises, the same values of all other points, and the same
   values of x in the rounds before i in which he looks, he decides alike in round i *)
Definition player_of (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (x : Y) (look : (nat -> R) -> nat -> bool) : Prop :=
  forall (G G' : nat -> R) i, (i < n)%coq_nat ->
  (forall j, (j < n)%coq_nat -> G (d + j)%coq_nat = G' (d + j)%coq_nat) ->
  (forall j y, (j < n)%coq_nat -> y <> x -> value d Y L G j y = value d Y L G' j y) ->
  (forall j, (j < i)%coq_nat -> look G j = true -> value d Y L G j x = value d Y L G' j x) -> look G i = look G' i.

(* every such player, where a look in round i is an event, earns at most V in the mean, the value less Lam i for a look *)
Definition players_earn (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R)
  (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (x : Y) (Lam : nat -> T -> R) (V : R) : Prop :=
  forall look : (nat -> R) -> nat -> bool, player_of d n Y L x look ->
  (forall i, (i < n)%coq_nat -> measurable [set w | look (fun l => G l w) i = true]%classic) ->
  (mean_of dT T P (fun w => sum n (fun i =>
     if look (fun l => G l w) i then value d Y L (fun l => G l w) i x - Lam i w else 0)%R) <= V%:E)%E.

(* ---- evaluation times that depend on the point ---- *)

(* the mean of a candidate z of round i at the time u given the answers before round i *)
Definition prediction_at (X : Type) (k : X -> X -> R) (h : R -> R -> R) (s : R) (x : nat -> X) (tau : nat -> R)
  (y : nat -> R) (i : nat) (z : X) (u : R) : R :=
  posterior_mean s i (joint X k h (fun j => if Nat.eqb j i then z else x j) (fun j => if Nat.eqb j i then u else tau j)) y.

(* the time u is that after at most n evaluations *)
Definition reached (Y : Type) (t : Y -> R) (n : nat) (u : R) : Prop :=
  exists (x : nat -> Y) (m : nat), (m <= n)%coq_nat /\ u = sum m (fun j => t (x j)).

(* at all such times the objective, with the weights L u z, has the covariance k h *)
Definition has_kernel_at (d n : nat) (Y : Type) (L : R -> Y -> nat -> R) (k : Y -> Y -> R) (h : R -> R -> R)
  (t : Y -> R) : Prop :=
  forall u u' z z', reached Y t n u -> reached Y t n u' -> sum d (fun l => L u z l * L u' z' l) = k z z' * h u u'.

(* a round begins where the one before it ends, and the value counts that the objective has when the round ends *)
Section own_times.
Variables (d : nat) (Y : Type) (L : R -> Y -> nat -> R) (sigma : R) (t : Y -> R) (rule : policy_on Y).
Fixpoint begins (j : nat) : vec RR j -> R :=
  match j return vec RR j -> R with
  | O => fun _ => 0
  | S i => fun seen => begins i seen.2 + t (rule i seen.2)
  end.
Definition value_at (G : nat -> R) (u : R) (z : Y) : R := sum d (fun l => L u z l * G l).
Fixpoint seen_at (j : nat) (G : nat -> R) : vec RR j :=
  match j return vec RR j with
  | O => tt
  | S i => let x := rule i (seen_at i G) in
      (value_at G (begins i (seen_at i G) + t x) x + noise d sigma G i, seen_at i G)
  end.
Definition played_at (G : nat -> R) (i : nat) : Y := rule i (seen_at i G).
Definition ends_at (G : nat -> R) (i : nat) : R := begins i (seen_at i G) + t (played_at G i).
Definition answer_at (G : nat -> R) (i : nat) : R := value_at G (ends_at G i) (played_at G i) + noise d sigma G i.

(* every round plays a point whose prediction + sqrt(beta) deviation at the end of its own evaluation is largest *)
Definition follows_own (n : nat) (k : Y -> Y -> R) (h : R -> R -> R) (beta : nat -> R) (G : nat -> R) : Prop :=
  forall i z, (i < n)%coq_nat ->
    let s := / sigma ^ 2 in let x := played_at G in let tau := ends_at G in
    let index z := prediction_at Y k h s x tau (answer_at G) i z (begins i (seen_at i G) + t z) +
      sqrt (beta i) * sqrt (variance_at Y k h s x tau i z (begins i (seen_at i G) + t z)) in
    index z <= index (x i).
End own_times.

(* ---- objectives of any rank, and rounds without end ---- *)

(* f is a Gaussian process with the covariance k h in the first n rounds: its values at finitely many points are, outside
   an event of probability 0, combinations of independent standard normal variables, which may belong to these points *)
Definition is_gaussian_process (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (n : nat) (Y : Type)
  (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (f : nat -> Y -> T -> R) : Prop :=
  forall (X : finType) (p : X -> Y), exists (d : nat) (L : nat -> X -> nat -> R) (G : nat -> T -> R),
    independent_normals dT T P d G /\ has_kernel d n X L (fun a b => k (p a) (p b)) h tau /\
    forall i a, (i < n)%coq_nat -> at_most dT T P (fun w => f i (p a) w <> value d X L (fun l => G l w) i a) 0.

(* the objective f and the noises e of all rounds: those of any first rounds are combinations of independent normal
   variables as above *)
Definition gaussian_objective (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (Y : Type)
  (sigma : R) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (f : nat -> Y -> T -> R) (e : nat -> T -> R) : Prop :=
  forall n, exists (d : nat) (L : nat -> Y -> nat -> R) (G : nat -> T -> R),
    independent_normals dT T P (d + n)%coq_nat G /\ has_kernel d n Y L k h tau /\
    forall w i, (i < n)%coq_nat ->
      (forall z, f i z w = value d Y L (fun l => G l w) i z) /\ e i w = noise d sigma (fun l => G l w) i.

Section endless.
Variables (T Y : Type) (f : nat -> Y -> T -> R) (e : nat -> T -> R) (rule : policy_on Y).
Fixpoint told (j : nat) (w : T) : vec RR j :=
  match j return vec RR j with
  | O => tt
  | S i => (f i (rule i (told i w)) w + e i w, told i w)
  end.
Definition chosen (w : T) (i : nat) : Y := rule i (told i w).
Definition reply (w : T) (i : nat) : R := f i (chosen w i) w + e i w.

(* at some round n more than c n has been lost *)
Definition ever_loses (c : nat -> R) (w : T) : Prop :=
  exists n (best : nat -> Y), c n < sum n (fun i => f i (best i) w - f i (chosen w i) w).

(* each of the first n rounds, or every round, plays a point where prediction + sqrt(beta) deviation is largest *)
Definition follows_first (n : nat) (sigma : R) (k : Y -> Y -> R) (h : R -> R -> R) (tau beta : nat -> R) (w : T) : Prop :=
  upper_confidence_policy Y (prediction Y k h (/ sigma ^ 2) (chosen w) tau (reply w))
    (deviation Y k h (/ sigma ^ 2) (chosen w) tau) beta n (chosen w).
Definition always_follows (sigma : R) (k : Y -> Y -> R) (h : R -> R -> R) (tau beta : nat -> R) (w : T) : Prop :=
  forall n, follows_first n sigma k h tau beta w.
End endless.
