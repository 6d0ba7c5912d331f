(* Facts of probability that are assumed, in full generality: the only axioms of these theories. *)
From Coq Require Import Reals.
From CTV Require Import scalar.
Open Scope R_scope.

(* The two tails of the standard normal law beyond c (Chernoff with the constant 1/2). *)
Axiom gaussian_tail : forall c : R, 0 <= c -> 2 * normal_cdf (- c) <= exp (- c ^ 2 / 2).
