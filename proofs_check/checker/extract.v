(* The checker as an OCaml program. Real numbers occur in proofs and types alone: what is left of them
   is realised by the unit type. *)
From Coq Require Import ZArith List Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt ExtrOCamlInt63 ExtrOCamlFloats.
From Interval Require Import Float.Basic Float.Sig Float.Primitive_ops.
From CTV Require Import intervals whole_times problems checked_joint_gain checked_design checked_gain checked_regret checked_floor
  checked_own_times checked_box.
From Coq Require Import Reals ClassicalDedekindReals.
Extract Constant Rdefinitions.RbaseSymbolsImpl.R => "unit".
Extract Constant Rdefinitions.RbaseSymbolsImpl.R0 => "()".
Extract Constant Rdefinitions.RbaseSymbolsImpl.R1 => "()".
Extract Constant Rdefinitions.RbaseSymbolsImpl.Rplus => "(fun _ _ -> ())".
Extract Constant Rdefinitions.RbaseSymbolsImpl.Rmult => "(fun _ _ -> ())".
Extract Constant Rdefinitions.RbaseSymbolsImpl.Ropp => "(fun _ -> ())".
Extract Constant Rtrigo1.PI_2_aux => "()".
Extract Constant Rdefinitions.RinvImpl.Rinv => "(fun _ -> ())".
Extract Constant Rdefinitions.total_order_T => "(fun _ _ -> assert false)".
Extract Constant RIneq.Rle_dec => "(fun _ _ -> assert false)".
Extract Constant RIneq.Rlt_dec => "(fun _ _ -> assert false)".
Extract Constant RIneq.Req_EM_T => "(fun _ _ -> assert false)".
Extract Constant Rbasic_fun.Rcase_abs => "(fun _ -> assert false)".
Extract Constant ClassicalDedekindReals.sig_forall_dec => "(fun _ -> assert false)".
Extract Constant ClassicalDedekindReals.sig_not_dec => "false".
Module B := Box PrimitiveFloat.
Module O := B.O_.
Module F := O.F_.
Module R := F.R_.
Definition bits : PrimitiveFloat.precision := PrimitiveFloat.PtoP 53.
Definition asked_regret := R.check_regret bits.
Definition asked_above := R.N.check_above bits.
Definition asked_still (p : problem) := R.N.check_above bits (still p).
Definition asked_below := R.N.D.check_design bits.
Definition asked_floor := F.check_floor bits.
Definition asked_own := O.check_own bits.
Definition asked_box (p : problem) := B.check_box bits (still p).
Extraction "checker.ml" asked_regret asked_above asked_still asked_below asked_floor asked_own asked_box running.
