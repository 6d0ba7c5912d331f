(******************************************************************************)
(*                 From a statement to the tree of its claim                  *)
(*                                                                            *)
(* Sums up to a parameter, determinants and gains as the theories write them, *)
(* and the tactics of the scripts that prove trees from statements.           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   summed_is == a sum of a tree as a sum of the theories                    *)
(*   gain_is, unit_gain == logarithms of determinants as gains                *)
(*   count, owes, terms == tactics: a parameter as a natural number; what     *)
(*       is owed; terms of sums                                               *)
(*   dets, above, psd == tactics: determinants as the theories write them;    *)
(*       those that are above 0; semidefinite matrices                        *)
(*   entries, branches == tactics: what is known of entries; case by case     *)
(*   variance_is, posteriors == posterior variances of the words of the       *)
(*       field as those of the theories, and the tactic that writes them so   *)
(*   rounds, settled == tactics: what is known of n rounds; determinants      *)
(*       and signs                                                            *)
(*                                                                            *)
(* Rests on: scalar, meaning, saying, listed, definitions, statements,        *)
(* determined, gains, kernels, sums, signs, sequences, posterior.             *)
(******************************************************************************)

From Coq Require Import Reals ZArith Lra Lia.
From CTV Require Import scalar meaning saying listed.
From CTV Require definitions statements determined gains kernels sums signs sequences posterior.
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

(* ---- Matrices. ---- *)
Lemma gain_is s n A : ln (definitions.det n (fun i j => (if Nat.eqb i j then 1 else 0) + s * A i j)) = 2 * definitions.gain s n A.
Proof. unfold definitions.gain, definitions.identity. field. Qed.
Lemma unit_det n A : definitions.det n (fun i j => (if Nat.eqb i j then 1 else 0) + A i j) =
  definitions.det n (fun i j => (if Nat.eqb i j then 1 else 0) + 1 * A i j).
Proof. apply determined.det_same. intros i j _ _. now rewrite Rmult_1_l. Qed.
Lemma unit_gain n A : ln (definitions.det n (fun i j => (if Nat.eqb i j then 1 else 0) + A i j)) = 2 * definitions.gain 1 n A.
Proof. now rewrite unit_det, gain_is. Qed.
Lemma det_above s n A : 0 <= s -> definitions.semidefinite n A ->
  0 < definitions.det n (fun i j => (if Nat.eqb i j then 1 else 0) + s * A i j).
Proof. exact (gains.det_gt0 s n A). Qed.
Lemma unit_above n A : definitions.semidefinite n A -> 0 < definitions.det n (fun i j => (if Nat.eqb i j then 1 else 0) + A i j).
Proof. intros H. rewrite unit_det. apply det_above; [lra|exact H]. Qed.
Ltac psd := first
  [ assumption | apply statements.schur_product; psd | apply gains.semidefinite_plus; psd
  | apply gains.semidefinite_outer | eapply gains.semidefinite_le; [|eassumption]; lia ].
(* determinants, sums and gains as the theories write them; what is above 0 *)
Ltac sums := change sum with definitions.sum in *.
Ltac dets := rewrite ?determined.laplace_det, ?determined.product_is; rewrite ?gain_is; rewrite ?unit_gain.
Lemma shifted s m n A : definitions.det n (fun k l => (if Nat.eqb (m + k) (m + l) then 1 else 0) + s * A (m + k)%nat (m + l)%nat) =
  definitions.det n (fun k l => (if Nat.eqb k l then 1 else 0) + s * A (m + k)%nat (m + l)%nat).
Proof.
apply determined.det_same. intros i j _ _. destruct (Nat.eqb_spec i j) as [->|N]; [now rewrite Nat.eqb_refl|].
destruct (Nat.eqb_spec (m + i) (m + j)); [lia|reflexivity].
Qed.
Lemma later m n A : (m <= n)%nat -> definitions.semidefinite n A -> definitions.semidefinite (n - m) (fun i j => A (m + i)%nat (m + j)%nat).
Proof.
intros L S. replace n with (m + (n - m))%nat in S by lia. exact (proj2 (gains.semidefinite_split m (n - m) A S)).
Qed.
Ltac above := rewrite ?determined.laplace_det, ?shifted; first
  [ apply det_above; [lra|first [psd | apply later; [lia|psd]]] | apply unit_above; psd | apply Rmult_lt_0_compat; above | assumption | lra ].
Lemma sum_above n f : (forall k, (k < n)%nat -> 0 <= f k) -> 0 <= sum n f.
Proof. exact (sums.sum_ge0 n f). Qed.
Lemma mean_above n f : (forall k, (k < n)%nat -> 0 <= f k) -> 0 <= sum n f / INR n.
Proof.
intros H. destruct n as [|n]; [simpl; unfold Rdiv; lra|]. apply Rmult_le_pos; [now apply sum_above|].
left. apply Rinv_0_lt_compat, lt_0_INR. lia.
Qed.
(* what is known of the entries at the places of the context *)
Ltac entries := repeat match goal with K : (?k < ?n)%nat, V : forall j : nat, (j < ?n)%nat -> @?P j |- _ =>
  let T := eval cbv beta in (P k) in lazymatch goal with _ : T |- _ => fail | _ => pose proof (V k K) end end.
(* comparisons case by case, as the theories and the trees write them *)
Ltac branches := cbn [decide] in *; repeat match goal with
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b)
  | |- context [Rge_dec ?a ?b] => destruct (Rge_dec a b) | |- context [Rgt_dec ?a ?b] => destruct (Rgt_dec a b)
  | |- context [Req_EM_T ?a ?b] => destruct (Req_EM_T a b) end; cbn [ssrbool.is_left]; try lra.
Ltac parted := intros; repeat apply conj; intros.
(* capped squares of lags, as the uniformity of unit steps *)
Lemma lags x i : 0 < x -> definitions.sum i (fun j => definitions.sum i (fun k => Rmin (x ^ 2) ((INR j - INR k) ^ 2))) =
  definitions.uniformity (/ (/ x) ^ 2) (definitions.uniform_times 1 1) 0 i.
Proof.
intros X. unfold definitions.uniformity, definitions.uniform_times. apply sum_same. intros j _. apply sum_same. intros k _.
rewrite !Nat.add_0_l, !plus_INR. cbn [INR]. f_equal; field; lra.
Qed.
Lemma unit_ratio x : 0 < x -> INR 1 / (/ x * 1) = x.
Proof. intros. cbn [INR]. field. lra. Qed.

(* ---- Posteriors: a ratio of determinants, as the words of the field write it. ---- *)
Lemma variance_is w t n A : 0 < w -> definitions.semidefinite n A -> (t + 1 <= n)%nat ->
  w * (definitions.det (t + 1) (fun i j => (if Nat.eqb i j then 1 else 0) + 1 / w * A i j) /
    definitions.det t (fun i j => (if Nat.eqb i j then 1 else 0) + 1 / w * A i j) - 1) = definitions.variance (1 / w) t A.
Proof.
intros W S T. assert (Q : 0 < 1 / w) by (apply Rdiv_lt_0_compat; lra).
assert (S1 : definitions.semidefinite (Datatypes.S t) A) by (eapply gains.semidefinite_le; [|exact S]; lia).
assert (S0 : definitions.semidefinite t A) by (eapply gains.semidefinite_le; [|exact S]; lia).
destruct (posterior.gain_variance (1 / w) t A ltac:(lra) S1) as [V E].
rewrite Nat.add_1_r. pose proof (det_above (1 / w) (Datatypes.S t) A ltac:(lra) S1) as P1.
pose proof (det_above (1 / w) t A ltac:(lra) S0) as P0.
pose proof (gain_is (1 / w) (Datatypes.S t) A) as G1. pose proof (gain_is (1 / w) t A) as G0.
revert P1 P0 G1 G0. generalize (definitions.det (Datatypes.S t) (fun i j => (if Nat.eqb i j then 1 else 0) + 1 / w * A i j)).
generalize (definitions.det t (fun i j => (if Nat.eqb i j then 1 else 0) + 1 / w * A i j)). intros d0 d1 P1 P0 G1 G0.
assert (V1 : 0 < 1 + 1 / w * definitions.variance (1 / w) t A) by (assert (0 <= 1 / w * definitions.variance (1 / w) t A) by (apply Rmult_le_pos; lra); lra).
assert (L : ln d1 = ln (d0 * (1 + 1 / w * definitions.variance (1 / w) t A))) by (rewrite ln_mult by assumption; lra).
apply ln_inv in L; [|assumption|apply Rmult_lt_0_compat; assumption]. rewrite L. field. lra.
Qed.
(* posterior variances and gains as the theories write them *)
Ltac posteriors :=
  rewrite ?determined.laplace_det; repeat match goal with
  | |- context [sum ?n ?f] => lazymatch f with context [listed.rows] => idtac end;
    let k := fresh "k" in let K := fresh "K" in let y := fresh in let E := fresh in
    erewrite (listed.sum_ext n f); [|intros k K; cbv beta; match goal with |- ?l = _ => remember l as y eqn:E end;
      rewrite ?determined.laplace_det in E; erewrite variance_is in E; [exact E|lra|eassumption|lia]]
  end; rewrite ?gain_is;
  repeat (erewrite variance_is; [|lra|eassumption|lia]).
Lemma variances s n A : 0 <= s -> definitions.semidefinite n A ->
  forall i, (i < n)%nat -> 0 <= definitions.variance s i A <= A i i.
Proof. intros H S. exact (proj2 (statements.posterior_chain_rule s n A H S)). Qed.
Lemma gain_by_rounds s n A : 0 <= s -> definitions.semidefinite n A ->
  2 * definitions.gain s n A = sum n (fun i => ln (1 + s * definitions.variance s i A)).
Proof. intros H S. rewrite (proj1 (statements.posterior_chain_rule s n A H S)). change sum with definitions.sum. lra. Qed.
Lemma over_noise w n A : 0 < w -> sum n (fun i => ln (1 + definitions.variance (1 / w) i A / w)) =
  sum n (fun i => ln (1 + 1 / w * definitions.variance (1 / w) i A)).
Proof. intros W. apply listed.sum_ext. intros k _. do 2 f_equal. field. lra. Qed.
(* what is known of the n rounds of A at noise w, and what their determinants owe *)
Ltac rounds w n A :=
  let Q := fresh "Q" in assert (Q : 0 < 1 / w) by (apply Rdiv_lt_0_compat; lra);
  let V := fresh "V" in pose proof (variances (1 / w) n A ltac:(lra) ltac:(assumption)) as V;
  let G := fresh "G" in pose proof (gain_by_rounds (1 / w) n A ltac:(lra) ltac:(assumption)) as G.
Ltac settled := cbv beta; first
  [ apply det_above; [lra|assumption]
  | apply Rgt_not_eq; apply det_above; [lra|eapply gains.semidefinite_le; [|eassumption]; lia]
  | sequences.places; signs.above_zero ].
