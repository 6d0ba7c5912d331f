(******************************************************************************)
(*               Runs of a policy where an outcome is a vector                *)
(*                                                                            *)
(* The words of outcomes.v of the coordinates of a vector of R^(d+n).         *)
(*                                                                            *)
(* Statements:                                                                *)
(*   upper_confidence == in every outcome the policy plays a largest          *)
(*       prediction + sqrt(beta) deviation                                    *)
(*                                                                            *)
(* Rests on: library, definitions, vectors, adaptive_posterior, outcomes.     *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import Rstruct reals measure.
From CTV Require Import library.
From CTV Require Import definitions vectors adaptive_posterior.
From CTV Require outcomes.
From Coq Require Import Reals.
Open Scope R_scope.

Notation coordinates d n g := (co RR (d + n)%coq_nat g).
Notation value d n Y L g := (outcomes.value d Y L (coordinates d n g)).
Notation noise d n sigma g := (outcomes.noise d sigma (coordinates d n g)).
Notation seen d n Y L sigma rule j g := (outcomes.seen d Y L sigma rule j (coordinates d n g)).
Notation played d n Y L sigma rule g := (outcomes.played d Y L sigma rule (coordinates d n g)).
Notation answer d n Y L sigma rule g := (outcomes.answer d Y L sigma rule (coordinates d n g)).
Notation loses d n Y L sigma rule c := (fun g => outcomes.loses d Y L sigma rule n c (coordinates d n g)).

Definition upper_confidence (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (sigma : R)
  (rule : forall j, vec RR j -> Y) (k : Y -> Y -> R) (h : R -> R -> R) (tau beta : nat -> R) : Prop :=
  forall g : vec RR (d + n)%coq_nat,
    outcomes.follows d Y L sigma rule n k h tau beta (coordinates d n g).
