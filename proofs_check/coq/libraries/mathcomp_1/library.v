(******************************************************************************)
(*                     The libraries: mathcomp 1, analysis 0                  *)
(*                                                                            *)
(* The theories are written in the words of mathcomp 1. The file of this name *)
(* beside this one gives them to mathcomp 2.                                  *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   RR == Coq's reals as mathcomp-analysis has them                          *)
(*                                                                            *)
(* Rests on: the libraries alone.                                             *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct reals.
From Coq Require Import Reals.

Notation RR := [realType of R].
