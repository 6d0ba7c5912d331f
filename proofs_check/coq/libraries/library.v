(******************************************************************************)
(*                     The libraries: mathcomp 1, analysis 0                  *)
(*                                                                            *)
(* The theories are written in the words of mathcomp 1. The file of this name *)
(* in the folder mathcomp_2 gives them to mathcomp 2.                         *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   RR == Coq's reals as mathcomp-analysis has them                          *)
(*   fin_type T == T as a finite type                                         *)
(*                                                                            *)
(* Rests on: the libraries alone.                                             *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct reals.
From Coq Require Import Reals.

Notation RR := [realType of R].
Notation fin_type T := [finType of T] (only parsing).
