(******************************************************************************)
(*                 From a statement to the tree of its claim                  *)
(*                                                                            *)
(* Sums up to a parameter as the theories write them, and the tactics of the  *)
(* scripts that prove trees from statements.                                  *)
(*                                                                            *)
(* Statements:                                                                *)
(*   summed_is == a sum of a tree as a sum of the theories                    *)
(*   count, owes, terms == tactics: a parameter as a natural number; what     *)
(*       is owed; terms of sums                                               *)
(*                                                                            *)
(* Rests on: scalar, meaning, saying, definitions.                            *)
(******************************************************************************)

From Coq Require Import Reals ZArith Lra Lia.
From CTV Require Import scalar meaning saying.
From CTV Require definitions.
Open Scope R_scope.

Lemma counted_from_zero f low n : summed_ f low n = definitions.sum n (fun k => f (low + Z.of_nat k)%Z).
Proof. induction n as [|n IH]; [reflexivity|]. simpl. now rewrite IH. Qed.
Lemma summed_is a b f i n : a = IZR i -> b = a + INR n -> summed a b f = definitions.sum n (fun k => f (i + Z.of_nat k)%Z).
Proof.
intros -> ->. unfold summed. rewrite INR_IZR_INZ, <- plus_IZR, !Int_part_IZR.
replace (i + Z.of_nat n - i)%Z with (Z.of_nat n) by ring. rewrite Nat2Z.id. apply counted_from_zero.
Qed.
Lemma sum_same n f g : (forall k, (k < n)%nat -> f k = g k) -> definitions.sum n f = definitions.sum n g.
Proof. induction n as [|n IH]; intros H; [reflexivity|]. simpl. rewrite IH, H; auto. Qed.
Lemma sum_times n c f : definitions.sum n (fun k => c * f k) = c * definitions.sum n f.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.
Lemma whole_IZR k : whole (IZR k).
Proof. now exists k. Qed.
Lemma whole_INR n : whole (INR n).
Proof. exists (Z.of_nat n). apply INR_IZR_INZ. Qed.
Lemma whole_plus x y : whole x -> whole y -> whole (x + y).
Proof. intros [k ->] [l ->]. exists (k + l)%Z. now rewrite plus_IZR. Qed.
Lemma whole_minus x y : whole x -> whole y -> whole (x - y).
Proof. intros [k ->] [l ->]. exists (k - l)%Z. now rewrite minus_IZR. Qed.
Lemma whole_opp x : whole x -> whole (- x).
Proof. intros [k ->]. exists (- k)%Z. now rewrite opp_IZR. Qed.
Lemma counting x : whole x -> 0 <= x -> exists n : nat, x = INR n.
Proof. intros [k ->] H. apply le_IZR in H. exists (Z.to_nat k). rewrite INR_IZR_INZ, Z2Nat.id by assumption. reflexivity. Qed.

Ltac wholes := repeat first [apply whole_plus | apply whole_minus | apply whole_opp | apply whole_IZR | apply whole_INR | assumption].
(* x is the number n of something: the parameter of a claim that the theories count by *)
Ltac count x n := let E := fresh in destruct (counting x) as [n E]; [assumption | lra | rewrite E in *; clear E x].
Lemma power_counted x k : power x (IZR (Z.of_nat k)) = x ^ k.
Proof. rewrite power_whole. symmetry. apply pow_powerRZ. Qed.
Lemma power_not_zero x y : 0 < x -> power x y <> 0.
Proof. intros H. rewrite power_positive by exact H. pose proof (exp_pos (y * ln x)). lra. Qed.
Lemma sum_last n f : definitions.sum (S n) f = definitions.sum n f + f n.
Proof. reflexivity. Qed.
Lemma sum_first n f : definitions.sum (S n) f = f O + definitions.sum n (fun k => f (S k)).
Proof. induction n as [|n IH]; [simpl; ring|]. change (definitions.sum (S (S n)) f) with (definitions.sum (S n) f + f (S n)). rewrite IH. simpl. ring. Qed.

(* what is owed of whole ends, divisions and powers *)
Ltac owes := repeat match goal with |- _ /\ _ => split | |- _ -> _ => intro | |- forall _, _ => intro end; first
  [ solve [wholes] | lra | solve [left; lra] | apply pow_nonzero; lra | apply power_not_zero; lra
  | apply Rgt_not_eq; lra | nra ].
(* the terms of two sums, as real numbers *)
Ltac terms := let k := fresh "k" in apply sum_same; intros k ?; pose proof (pos_INR k);
  rewrite ?plus_IZR, <- ?INR_IZR_INZ, ?plus_INR, ?S_INR; cbv beta; try change (INR 1) with 1;
  rewrite ?Rplus_0_l; try (field; repeat split; lra).
