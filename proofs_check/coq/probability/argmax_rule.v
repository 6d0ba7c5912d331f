(******************************************************************************)
(*                     A rule that plays a largest index                      *)
(*                                                                            *)
(* It is measurable, and plays a candidate where mean + sqrt(beta) standard   *)
(* deviation is largest.                                                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   ucb_rule, ucb_rule_measurable, ucb_rule_best == the rule and these two   *)
(*       facts                                                                *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, adaptive_posterior.                                        *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section measurable.
Context dT (T : measurableType dT) (R : realType).

Lemma mle (u v : T -> R) : measurable_fun setT u -> measurable_fun setT v -> measurable [set t | u t <= v t].
Proof.
move=> mu mv.
have := measurable_funB mv mu measurableT (measurable_itv `[0, +oo[); rewrite setTI.
by congr measurable; apply/seteqP; split=> t /=; rewrite in_itv /= andbT subr_ge0.
Qed.

(* a function of finitely many truth values *)
Lemma mtruth (X : finType) (Y : Type) (B : X -> T -> bool) (phi : {ffun X -> bool} -> Y) (y : Y) :
  (forall x, measurable [set t | B x t]) -> measurable [set t | phi [ffun x => B x t] = y].
Proof.
move=> mB; rewrite (_ : [set t | _] = \bigcup_(v in [set v : {ffun X -> bool} | phi v = y])
   \bigcap_(x : X) [set t | B x t = v x]).
  apply: fin_bigcup_measurable; first exact: finite_finset.
  move=> v _; apply: fin_bigcap_measurable; first exact: finite_finset.
  move=> x _; case: (v x); first exact: mB.
  rewrite (_ : [set t | _] = ~` [set t | B x t]); first exact: measurableC.
  by apply/seteqP; split=> t /=; [move=> -> | move/negP/negbTE].
apply/seteqP; split=> t /=.
  by move=> e; exists [ffun x => B x t] => // x _; rewrite /= ffunE.
case=> v e h; rewrite -e; congr phi; apply/ffunP => x; rewrite ffunE; exact: h.
Qed.
End measurable.

Section argmax.
Variables (R : realType).
Notation vec := (vec R).
Arguments co {R n}.

Lemma mco n k : measurable_fun setT (fun g : vec n => co g k).
Proof.
elim: n k => [|n IH] k; first exact: measurable_fun_cst.
case: k => [|k] /=; first exact: mfst.
by apply: (measurable_fun_comp (IH k)); exact: msnd.
Qed.

Variables (d N : nat) (X : finType) (L : X -> nat -> R) (sigma : R) (S : nat -> {set X}) (b : nat -> R) (x0 : X).
Hypothesis S0 : forall j, S j != finset.set0.
Notation m := (d + N)%N.
Notation kern := (kern R d X L).

(* posterior at the points s and values h, the last first *)
Definition spot j (s : j.-tuple X) (l : 'I_j) : X := nth x0 s (j - l.+1).
Definition w j (s : j.-tuple X) x : 'rV[R]_j := weights R d X L sigma j (spot j s) x.
Definition score j (s : j.-tuple X) (h : vec j) (x : X) : R :=
  (w j s x *m \col_(l < j) co h (j - l.+1)) ord0 ord0 +
  b j * Num.sqrt (kern x x - (w j s x *m \col_(l < j) kern (spot j s l) x) ord0 ord0).

Definition best j (s : j.-tuple X) (x : X) (h : vec j) : bool :=
  (x \in S j) && [forall x', (x' \in S j) ==> (score j s h x' <= score j s h x)].
Definition choose j (s : j.-tuple X) (h : vec j) : X :=
  odflt x0 [pick x | [ffun x => best j s x h] x].

Fixpoint pts j : vec j -> j.-tuple X :=
  match j return vec j -> j.-tuple X with
  | 0%N => fun _ => [tuple]
  | k.+1 => fun h => [tuple of choose k (pts k h.2) h.2 :: pts k h.2]
  end.

Definition ucb_rule j (h : vec j) : X := choose j (pts j h) h.

Lemma mscore j s x : measurable_fun setT (fun h : vec j => score j s h x).
Proof.
apply: measurable_funD; last exact: measurable_fun_cst.
rewrite (_ : (fun h => _) = (fun h : vec j => \sum_(l < j) w j s x 0 l * co h (j - l.+1))); last first.
  by apply/funext => h; rewrite mxE; apply: eq_bigr => l _; rewrite [X in _ * X]mxE.
elim: (index_enum _) => [|l r IH].
  by under eq_fun do rewrite big_nil; exact: measurable_fun_cst.
under eq_fun do rewrite big_cons.
apply: measurable_funD => //; apply: measurable_funM; first exact: measurable_fun_cst.
exact: mco.
Qed.

Lemma mbest j s x : measurable [set h : vec j | best j s x h].
Proof.
rewrite (_ : [set h | _] = \bigcap_(x' : X) [set h : vec j |
    (x \in S j) && ((x' \in S j) ==> (score j s h x' <= score j s h x))]).
  apply: fin_bigcap_measurable; first exact: finite_finset.
  move=> x' _; case: (x \in S j); last by rewrite (_ : [set h | _] = set0) //; apply/seteqP; split.
  case: (x' \in S j); last by rewrite (_ : [set h | _] = setT) //; apply/seteqP; split.
  by apply: mle; exact: mscore.
apply/seteqP; split=> h /=.
  by move=> /andP[hx /forallP h'] x' _ /=; rewrite hx; exact: h'.
by move=> hh; apply/andP; split; [have /andP[] := hh x Logic.I | apply/forallP => x'; have /andP[] := hh x' Logic.I].
Qed.

Lemma mchoose j s x : measurable [set h : vec j | choose j s h = x].
Proof. by apply: (mtruth _ _ X X (best j s) (fun v => odflt x0 [pick x | v x])) => x'; exact: mbest. Qed.

Lemma mpts j s : measurable [set h : vec j | pts j h = s].
Proof.
elim: j s => [|j IH] s.
  by rewrite (_ : [set h | _] = setT) //; apply/seteqP; split=> h // _ /=; rewrite [RHS]tuple0.
rewrite (_ : [set h | _] = (@snd R (vec j)) @^-1` ([set h | choose j [tuple of behead s] h = thead s] `&`
    [set h | pts j h = [tuple of behead s]])).
  have := @msnd _ _ [the measurableType _ of R : Type] (vec j) measurableT _
    (measurableI _ _ (mchoose j [tuple of behead s] (thead s)) (IH [tuple of behead s])).
  by rewrite setTI.
apply/seteqP; split=> h /=.
  by move=> <-; rewrite /thead (tnth_nth x0) /=; split; [congr choose|]; apply: val_inj.
case=> e1 e2; apply: val_inj; rewrite /= [in RHS](tuple_eta s) /= -e1 -e2.
by rewrite e2.
Qed.

Theorem ucb_rule_measurable j x : measurable [set h : vec j | ucb_rule j h = x].
Proof.
rewrite (_ : [set h | _] = \bigcup_(s : j.-tuple X) ([set h | choose j s h = x] `&` [set h | pts j h = s])).
  apply: fin_bigcup_measurable; first exact: finite_finset.
  by move=> s _; apply: measurableI; [exact: mchoose | exact: mpts].
by apply/seteqP; split=> h /=; [exists (pts j h) | case=> s _ [e e']; rewrite /ucb_rule e'].
Qed.

(* and it plays the largest mean + b sd *)
Notation point := (point R d N X L sigma ucb_rule).
Notation seen := (seen R d N X L sigma ucb_rule).

Lemma seen_value j g l : (l < j)%N -> co (seen j g) (j - l.+1) = y R d N X L sigma ucb_rule l g.
Proof.
elim: j => // j IH; rewrite ltnS leq_eqVlt => /orP[/eqP ->|lj]; first by rewrite subnn.
by rewrite subSS -[(j - l)%N]prednK ?subn_gt0 // -subnS /= IH.
Qed.

Lemma seen_point j g l : (l < j)%N -> nth x0 (pts j (seen j g)) (j - l.+1) = point l g.
Proof.
elim: j => // j IH; rewrite ltnS leq_eqVlt => /orP[/eqP ->|lj]; first by rewrite subnn.
by rewrite subSS -[(j - l)%N]prednK ?subn_gt0 // -subnS /= IH.
Qed.

Lemma scoreE j g x : score j (pts j (seen j g)) (seen j g) x =
  mean R d N X L sigma ucb_rule j x g + b j * sd R d N X L sigma ucb_rule j x g.
Proof.
have e : spot j (pts j (seen j g)) = (fun l : 'I_j => point l g).
  by apply/funext => l; rewrite /spot seen_point.
have e1 : \col_(l < j) co (seen j g) (j - l.+1) = \col_(l < j) y R d N X L sigma ucb_rule l g.
  by apply/matrixP => l k; rewrite !mxE seen_value.
have e2 : \col_(l < j) kern (spot j (pts j (seen j g)) l) x = \col_(l < j) kern (point l g) x.
  by apply/matrixP => l k; rewrite !mxE e.
by rewrite /score e1 e2 /w e.
Qed.

Theorem ucb_rule_best i g : point i g \in S i /\ forall x, x \in S i ->
  mean R d N X L sigma ucb_rule i x g + b i * sd R d N X L sigma ucb_rule i x g <=
  mean R d N X L sigma ucb_rule i (point i g) g + b i * sd R d N X L sigma ucb_rule i (point i g) g.
Proof.
have [z zS] : exists z, z \in S i by apply/set0Pn.
have [x1 x1S x1m] := arg_maxP (score i (pts i (seen i g)) (seen i g)) zS.
have b1 : best i (pts i (seen i g)) x1 (seen i g).
  by apply/andP; split; [exact: x1S | apply/forallP => x'; apply/implyP => /x1m].
have : best i (pts i (seen i g)) (point i g) (seen i g).
  rewrite /adaptive_posterior.point /ucb_rule /choose; case: pickP => [x /=|none]; first by rewrite ffunE.
  by have := none x1; rewrite ffunE b1.
by move=> /andP[pS /forallP h]; split=> // x xS; have := h x; rewrite xS -!scoreE.
Qed.
End argmax.
