(******************************************************************************)
(*                     The libraries: mathcomp 2, analysis 1                  *)
(*                                                                            *)
(* The words of mathcomp 1 in which the theories are written, for mathcomp 2. *)
(* It takes the place of the file of this name in the folder libraries.       *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   RR == Coq's reals as mathcomp-analysis has them                          *)
(*   fin_type T == T as a finite type                                         *)
(*                                                                            *)
(* Rests on: the libraries alone.                                             *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra Rstruct reals.
From Coq Require Import Reals.
Import Order.TTheory GRing.Theory Num.Theory.

Notation RR := (R : realType).
Notation fin_type T := [the finType of (T : Type)] (only parsing).

Notation lef_pinv := lef_pV2.
Notation ler_add2l := lerD2l.
Notation ler_addl := lerDl.
Notation ler_oppl := lerNl.
Notation ler_oppr := lerNr.
Notation ler_pdivr_mulr := ler_pdivrMr.
Notation ler_pmul := ler_pM.
Notation ler_pmul2l := ler_pM2l.
Notation ler_pmulr := ler_pMr.
Notation ler_subl_addr := lerBlDr.
Notation ler_subr_addr := lerBrDr.
Notation ler_wpmul2l := ler_wpM2l.
Notation lt_minr := lt_min.
Notation ltr_addl := ltrDl.
Notation ltr_oppl := ltrNl.
Notation ltr_oppr := ltrNr.
Notation ltr_pdivl_mulr := ltr_pdivlMr.
Notation ltr_subl_addr := ltrBlDr.

(* Operations of Coq's reals are those of the ring, with the hypotheses that mathcomp 1 asks for *)
Section reals.
Local Open Scope ring_scope.
Lemma RinvE (x : R) : x != 0 -> Rinv x = x^-1. Proof. by rewrite Rstruct.RinvE. Qed.
Lemma RdivE (x y : R) : y != 0 -> Rdiv x y = x / y. Proof. by rewrite Rstruct.RdivE. Qed.
Lemma RsqrtE (x : R) : 0 <= x -> sqrt x = Num.sqrt x. Proof. by rewrite Rstruct.RsqrtE. Qed.
End reals.
