(******************************************************************************)
(*                     Policies that adapt, path by path                      *)
(*                                                                            *)
(* Of a policy on a finite set the paths of points are finitely many, and on  *)
(* each of them what is left of a value after its prediction is one fixed     *)
(* combination.                                                               *)
(*                                                                            *)
(* Statements:                                                                *)
(*   path, pick, hist == what a rule plays                                    *)
(*   one_round == the probability that a combination, fixed on each path,     *)
(*       is large                                                             *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law.    *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section process.
Variables (R : realType) (D : density R).
Notation vec := (vec R).
Arguments dot {R n}.
Arguments axpy {R n}.
Variables (X : finType) (m : nat) (a : nat -> X -> vec m).
Variable rule : forall j, vec j -> X.
Hypothesis mrule : forall j x, measurable [set h : vec j | rule j h = x].

Notation P := (gauss R D m).

(* the values seen, the last first; the point of round j; the points of the first i rounds *)
Fixpoint hist (j : nat) (g : vec m) : vec j :=
  match j return vec j with
  | 0%N => tt
  | k.+1 => (dot (a k (rule k (hist k g))) g, hist k g)
  end.
Definition pick j g := rule j (hist j g).
Definition path i g : {ffun 'I_i -> X} := [ffun j : 'I_i => pick j g].

Lemma mpre j x : measurable_fun setT (hist j) -> measurable [set g | pick j g = x].
Proof. by move=> mh; have := mh measurableT _ (mrule j x); rewrite setTI. Qed.

Lemma mhist j : measurable_fun setT (hist j).
Proof.
elim: j => [|j IH]; first exact: measurable_fun_cst.
apply: mpair => // _ B mB; rewrite setTI.
rewrite (_ : _ @^-1` B = \bigcup_(x : X) ([set g | pick j g = x] `&` dot (a j x) @^-1` B)).
  apply: fin_bigcup_measurable; first exact: finite_finset.
  move=> x _; apply: measurableI; first exact: mpre.
  by rewrite -[X in measurable X]setTI; exact: mdot.
by apply/seteqP; split=> g /=; [exists (pick j g) | case=> x _ [<-]].
Qed.

Lemma mpick j x : measurable [set g | pick j g = x].
Proof. by apply: mpre; exact: mhist. Qed.

Lemma pathP i g s : path i g = s <-> forall j : 'I_i, pick j g = s j.
Proof. by split=> [<- j|h]; [rewrite ffunE | apply/ffunP => j; rewrite ffunE]. Qed.

Lemma mpath i s : measurable [set g | path i g = s].
Proof.
rewrite (_ : [set g | _] = \bigcap_(j : 'I_i) [set g | pick j g = s j]).
  by apply: fin_bigcap_measurable; [exact: finite_finset | move=> j _; exact: mpick].
by apply/seteqP; split=> g /= => [/pathP h j _ //|h]; apply/pathP => j; exact: h.
Qed.

(* along a direction that the observed functionals do not see, the path does not change *)
Lemma path_along i (s : {ffun 'I_i -> X}) (r : vec m) : (forall j : 'I_i, dot (a j (s j)) r = 0) ->
  forall t g, path i g = s -> path i (axpy t r g) = s.
Proof.
move=> orth t g /pathP hs; apply/pathP => j.
have key k : (k <= i)%N -> hist k (axpy t r g) = hist k g.
  elim: k => // k IH ki; have e := IH (ltnW ki).
  have hk := hs (Ordinal ki); rewrite /pick /= in hk.
  by rewrite /= e hk dot_axpy (orth (Ordinal ki)) mulr0 addr0.
by rewrite -hs /pick key // ltnW.
Qed.

(* one round: the residual r s of a quantity after the path s *)
Definition out i (r : {ffun 'I_i -> X} -> vec m) (c : R) : set (vec m) :=
  [set g | c * Num.sqrt (dot (r (path i g)) (r (path i g))) < `|dot (r (path i g)) g|].

Lemma outE i r c : out i r c = \bigcup_(s : {ffun 'I_i -> X}) (far R m (r s) c `&` [set g | path i g = s]).
Proof.
apply/seteqP; split=> g /=; first by move=> h; exists (path i g).
by case=> s _ [h e]; rewrite /out /= e.
Qed.

Lemma mout i r c : measurable (out i r c).
Proof.
rewrite outE; apply: fin_bigcup_measurable; first exact: finite_finset.
by move=> s _; apply: measurableI; [exact: mfar | exact: mpath].
Qed.

Lemma one_round i (r : {ffun 'I_i -> X} -> vec m) c : 0 <= c ->
  (forall (s : {ffun 'I_i -> X}) (j : 'I_i), dot (a j (s j)) (r s) = 0) -> (P (out i r c) <= tail R D c)%E.
Proof.
move=> c0 orth.
have fin (A : set {ffun 'I_i -> X}) : finite_set A by exact: finite_finset.
have triv : trivIset setT (fun s : {ffun 'I_i -> X} => [set g | path i g = s]).
  by move=> s s' _ _ [g [/= <- <-]].
have step : (P (out i r c) <= \sum_(s \in [set: {ffun 'I_i -> X}]) tail R D c * P [set g | path i g = s])%E.
  apply: (@le_trans _ _ (\sum_(s \in [set: {ffun 'I_i -> X}]) P (far R m (r s) c `&` [set g | path i g = s]))%E).
    apply: content_sub_fsum => //.
    - by move=> s _; apply: measurableI; [exact: mfar | exact: mpath].
    - exact: mout.
    - by rewrite outE.
  apply: lee_fsum => // s _; apply: independent_tail => //; first exact: mpath.
  by move=> t g; apply: path_along => j; exact: orth.
apply: (le_trans step); rewrite -ge0_mule_fsumr; last by move=> s; exact: measure_ge0.
rewrite -(measure_fin_bigcup [the {measure set vec m -> \bar R} of P]) //; last by move=> s _; exact: mpath.
rewrite (_ : \bigcup_(s in _) _ = setT); first by rewrite [X in (_ * X)%E](gaussT R D m) mule1.
by apply/seteqP; split=> g // _; exists (path i g).
Qed.

End process.
