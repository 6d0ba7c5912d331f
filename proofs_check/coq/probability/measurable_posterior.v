(******************************************************************************)
(*                     What is measurable of a posterior                      *)
(*                                                                            *)
(* The posterior moments are made of an inverse matrix, which is a quotient   *)
(* of determinants: where the entries are measurable functions, so are the    *)
(* moments.                                                                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   minv, msums, mprods, mdet, minvmx == inverses, sums, products,           *)
(*       determinants and inverse matrices                                    *)
(*   mvariance, mposterior_mean == the posterior moments                      *)
(*                                                                            *)
(* Rests on: library, measures, vectors, definitions, outcomes.               *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import vectors.
From Coq Require Import Reals.
From CTV Require Import definitions outcomes.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Delimit Scope nat_scope with N.

Section numbers.
Context dT (T : measurableType dT) (R : realType).

Lemma minv (t : T -> R) : measurable_fun setT t -> (forall w, 0 <= t w) -> measurable_fun setT (fun w => (t w)^-1).
Proof.
move=> mt t0; apply: (measurability (RGenOInfty.measurableE R)) => // _ [_ [c ->] <-]; rewrite setTI.
have [c0|c0] := leP 0 c; last first.
  rewrite (_ : _ @^-1` _ = setT) //; apply/seteqP; split=> w // _.
  by rewrite /= in_itv /= andbT (lt_le_trans c0) // invr_ge0.
have mc : measurable_fun setT (fun w => c * t w) by apply: measurable_funM => //; exact: measurable_fun_cst.
rewrite (_ : _ @^-1` _ = (t @^-1` `]0, +oo[) `&` ((fun w => c * t w) @^-1` `]-oo, 1[)).
  by apply: measurableI; rewrite -[X in measurable X]setTI; [apply: mt | apply: mc] => //; exact: measurable_itv.
apply/seteqP; split=> w; rewrite /= !in_itv /= !andbT.
  move=> lt; have p : 0 < t w by rewrite lt_neqAle t0 andbT; apply: contraTneq lt => <-; rewrite invr0 -leNgt.
  by rewrite p -ltr_pdivl_mulr // div1r.
by case=> p; rewrite -ltr_pdivl_mulr // div1r.
Qed.

Lemma msums (J : finType) (F : J -> T -> R) : (forall j, measurable_fun setT (F j)) ->
  measurable_fun setT (fun w => \sum_j F j w).
Proof.
move=> mF; rewrite /index_enum; elim: (Finite.enum J) => [|j l IH].
  by have := measurable_fun_cst (0 : R) (D := [set: T]); congr measurable_fun; apply/funext => w; rewrite big_nil.
by have := measurable_funD (mF j) IH; congr measurable_fun; apply/funext => w; rewrite big_cons.
Qed.

Lemma mprods (J : finType) (F : J -> T -> R) : (forall j, measurable_fun setT (F j)) ->
  measurable_fun setT (fun w => \prod_j F j w).
Proof.
move=> mF; rewrite /index_enum; elim: (Finite.enum J) => [|j l IH].
  by have := measurable_fun_cst (1 : R) (D := [set: T]); congr measurable_fun; apply/funext => w; rewrite big_nil.
by have := measurable_funM (mF j) IH; congr measurable_fun; apply/funext => w; rewrite big_cons.
Qed.

Lemma mdet n (A : T -> 'M[R]_n) : (forall a b, measurable_fun setT (fun w => A w a b)) ->
  measurable_fun setT (fun w => \det (A w)).
Proof.
move=> mA; rewrite /determinant; apply: msums => s; apply: measurable_funM; first exact: measurable_fun_cst.
by apply: mprods => i; exact: mA.
Qed.

Lemma minvmx n (A : T -> 'M[R]_n) a b : (forall a b, measurable_fun setT (fun w => A w a b)) ->
  (forall w, 0 < \det (A w)) -> measurable_fun setT (fun w => invmx (A w) a b).
Proof.
move=> mA pos.
have -> : (fun w => invmx (A w) a b) = (fun w => (\det (A w))^-1 * ((-1) ^+ (b + a) * \det (row' b (col' a (A w))))).
  apply/funext => w; rewrite /invmx unitmxE unitfE gt_eqF //=; by rewrite !mxE /cofactor.
apply: measurable_funM; first by apply: minv; [exact: mdet | move=> w; exact: ltW].
apply: measurable_funM; first exact: measurable_fun_cst.
by apply: mdet => c e; have := mA (lift b c) (lift a e); congr measurable_fun; apply/funext => w; rewrite !mxE.
Qed.
End numbers.

Section posterior.
Context dT (T : measurableType dT).
Variables (s : R) (i : nat) (A : T -> nat -> nat -> R).
Hypothesis mA : forall a b, (a <= i)%N -> (b <= i)%N -> measurable_fun setT (fun w => A w a b : RR).
Notation K w := (1%:M + s *: \matrix_(a < i, b < i) A w a b).
Hypothesis pos : forall w, (0 : RR) < \det (K w).

Lemma mform (c : T -> nat -> R) : (forall b, (b < i)%N -> measurable_fun setT (fun w => c w b : RR)) ->
  measurable_fun setT (fun w => (\row_(a < i) A w a i *m invmx (K w) *m \col_(b < i) c w b) ord0 ord0 : RR).
Proof.
move=> mc.
have -> : (fun w => (\row_(a < i) A w a i *m invmx (K w) *m \col_(b < i) c w b) ord0 ord0 : RR) =
    (fun w => \sum_(b < i) (\sum_(a < i) A w a i * invmx (K w) a b) * c w b).
  apply/funext => w; rewrite mxE; apply: eq_bigr => b _; rewrite [(\col__ _) _ _]mxE; congr (_ * _).
  by rewrite mxE; apply: eq_bigr => a _; rewrite [(\row__ _) _ _]mxE.
have mK (a b : 'I_i) : measurable_fun setT (fun w => K w a b : RR).
  have -> : (fun w => K w a b : RR) = (fun w => (a == b)%:R + s * A w a b) by apply/funext => w; rewrite !mxE.
  apply: measurable_funD; first exact: measurable_fun_cst.
  apply: measurable_funM; first exact: measurable_fun_cst.
  by apply: mA; exact: ltnW.
apply: msums => b; apply: measurable_funM; last exact: mc.
apply: msums => a; apply: measurable_funM; first by apply: mA => //; exact: ltnW.
exact: minvmx.
Qed.

Lemma mvariance : measurable_fun setT (fun w => variance s i (A w) : RR).
Proof.
apply: measurable_funB; first exact: mA.
apply: measurable_funM; first exact: measurable_fun_cst.
by apply: (mform (fun w b => A w b i)) => b hb; apply: mA => //; exact: ltnW.
Qed.

Lemma mposterior_mean (y : T -> nat -> R) : (forall b, (b < i)%N -> measurable_fun setT (fun w => y w b : RR)) ->
  measurable_fun setT (fun w => posterior_mean s i (A w) (y w) : RR).
Proof. by move=> my; apply: measurable_funM; [exact: measurable_fun_cst | exact: mform]. Qed.
End posterior.
