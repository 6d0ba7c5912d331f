(******************************************************************************)
(*     A turn of the plane that one direction spans with a new coordinate     *)
(*                                                                            *)
(* The map (x, g) -> (<r, g>, g - (x + <r, g>) r) of R x R^n, |r| = 1, is a   *)
(* product of three shears, each of which keeps Lebesgue measure.             *)
(*                                                                            *)
(* Statements:                                                                *)
(*   I_turn == an integral does not change by the turn                        *)
(*   turn_norm == nor does the norm                                           *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors.                            *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral nsatz_realtype.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.

Section turn.
Variable R : realType.
Notation vec := (vec R).
Notation lebn := (lebn R).
Arguments dot {R n}.
Arguments axpy {R n}.

Definition I n (F : vec n -> \bar R) : \bar R := \int[lebn n]_g F g.
Definition nnm n (F : vec n -> \bar R) : Prop := measurable_fun setT F /\ forall g, 0 <= F g.

Lemma I0 (F : vec 0 -> \bar R) : nnm 0 F -> I 0 F = F tt.
Proof.
case=> mF F0; rewrite /I; apply: etrans (@integral_dirac _ _ tt R setT measurableT F mF) _.
by rewrite /= /dirac indicE in_setT mul1e.
Qed.

Lemma Iext n (F G : vec n -> \bar R) : (forall g, F g = G g) -> I n F = I n G.
Proof. by move=> e; apply: eq_integral => g _. Qed.

Lemma I_S n (F : vec n.+1 -> \bar R) : nnm n.+1 F ->
  I n.+1 F = \int[@leb R]_x I n (fun g => F (x, g)).
Proof. by case=> mF F0; rewrite /I /vectors.lebn /= (tonelli1 (@leb_sf R) (proj2_sig (lebs R n)) mF F0). Qed.

Lemma I_S' n (F : vec n.+1 -> \bar R) : nnm n.+1 F ->
  I n.+1 F = I n (fun g => \int[@leb R]_x F (x, g)).
Proof. by case=> mF F0; rewrite /I /vectors.lebn /= (fubini_tonelli2 (@leb_sf R) (proj2_sig (lebs R n)) F). Qed.

Lemma nnm_fst n (F : vec n.+1 -> \bar R) x : nnm n.+1 F -> nnm n (fun g => F (x, g)).
Proof. by case=> mF F0; split=> //; exact: measurable_fun_prod1. Qed.

Lemma nnm_comp n m (F : vec n -> \bar R) (f : vec m -> vec n) : nnm n F -> measurable_fun setT f ->
  nnm m (fun g => F (f g)).
Proof. by case=> mF F0 mf; split=> //; exact: (measurable_fun_comp mF mf). Qed.

Lemma I_shift n t (r : vec n) (F : vec n -> \bar R) : nnm n F -> I n (fun g => F (axpy t r g)) = I n F.
Proof.
elim: n r F => [|n IH] r F nF; first by apply: Iext => -[]; case: (axpy _ _ _).
have nF1 : nnm n.+1 (fun g : vec n.+1 => F (axpy t r g)) by apply: nnm_comp => //; exact: maxpy1.
rewrite (I_S _ _ nF1) (I_S _ _ nF).
transitivity (\int[@leb R]_x (fun x => I n (fun g => F (x, g))) (x + t * r.1)%R).
  apply: eq_integral => x _; apply: (IH r.2 (fun g => F ((x + t * r.1)%R, g))).
  exact: nnm_fst.
apply: int_shift.
  by case: nF => mF F0; exact: (measurable_fun_fubini_tonelli_F (proj2_sig (lebs R n)) F).
by move=> x; apply: integral_ge0 => g _; case: nF.
Qed.

(* (x, g) -> (x + <r, g>, g) *)
Lemma mshear1 n (r : vec n) : measurable_fun setT (fun p : vec n.+1 => ((p.1 + dot r p.2)%R, p.2) : vec n.+1).
Proof.
apply: mpair; last exact: msnd.
apply: measurable_funD; first exact: mfst.
by apply: (measurable_fun_comp (mdot R n r)); exact: msnd.
Qed.

Lemma shear1 n (r : vec n) (F : vec n.+1 -> \bar R) : nnm n.+1 F ->
  I n.+1 (fun p => F ((p.1 + dot r p.2)%R, p.2)) = I n.+1 F.
Proof.
move=> nF; rewrite (I_S' _ _ nF) (I_S' _ _ (nnm_comp _ _ _ _ nF (mshear1 n r))).
apply: Iext => g /=; case: nF => mF F0.
by apply: (int_shift R (dot r g) (fun x => F (x, g))) => //; exact: measurable_fun_prod2.
Qed.

(* (x, g) -> (x, g - x r) *)
Lemma mshear2 n (r : vec n) : measurable_fun setT (fun p : vec n.+1 => (p.1, axpy (- p.1)%R r p.2) : vec n.+1).
Proof.
apply: mpair; first exact: mfst.
apply: (measurable_fun_comp (f := fun p : vec n.+1 => axpy p.1 r p.2) (g := fun p : vec n.+1 => ((- p.1)%R, p.2) : vec n.+1)).
  exact: maxpy.
apply: mpair; last exact: msnd.
by apply: measurable_funN; exact: mfst.
Qed.

Lemma shear2 n (r : vec n) (F : vec n.+1 -> \bar R) : nnm n.+1 F ->
  I n.+1 (fun p => F (p.1, axpy (- p.1)%R r p.2)) = I n.+1 F.
Proof.
move=> nF; rewrite (I_S _ _ nF) (I_S _ _ (nnm_comp _ _ _ _ nF (mshear2 n r))).
apply: eq_integral => x _; apply: (I_shift n (- x)%R r (fun g => F (x, g))).
exact: nnm_fst.
Qed.

Variables (n : nat) (r : vec n).
Hypothesis r1 : dot r r = 1%R.

Definition turn (p : vec n.+1) : vec n.+1 := (dot r p.2, axpy (- (p.1 + dot r p.2))%R r p.2).

Lemma I_turn (F : vec n.+1 -> \bar R) : nnm n.+1 F -> I n.+1 (fun p => F (turn p)) = I n.+1 F.
Proof.
move=> nF.
have n1 := nnm_comp _ _ _ _ nF (mshear1 n r).
have n2 := nnm_comp _ _ _ _ n1 (mshear2 n r).
rewrite -[RHS](shear1 n r) // -[RHS](shear2 n r) // -[RHS](shear1 n r) //.
apply: Iext => -[x g]; rewrite /turn /=; congr (F (_, _)).
by rewrite dot_axpy r1; nsatz.
Qed.

Lemma turn_norm (p : vec n.+1) : dot (turn p) (turn p) = dot p p.
Proof.
case: p => x g; rewrite /turn /=.
set y := dot r g; set s := (- (x + y))%R.
rewrite dot_axpy ![dot (axpy s r g) _]dotC !dot_axpy [dot g r]dotC -/y r1 mulr1.
by rewrite /s; nsatz.
Qed.
End turn.
