(******************************************************************************)
(*                          Vectors of real numbers                           *)
(*                                                                            *)
(* R^n as nested pairs with its measurable sets, Lebesgue measure on it.      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   vec n == the measurable type of vectors                                  *)
(*   dot, axpy == the scalar product, and g + t r                             *)
(*   mfst, msnd, mpair, mdot == what is measurable                            *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue.                                     *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section measurable_pairs.
Context d d1 d2 (T : measurableType d) (T1 : measurableType d1) (T2 : measurableType d2).

Lemma mfst : measurable_fun setT (@fst T1 T2).
Proof. by case: (proj1 (prod_measurable_funP (@id (T1 * T2)%type)) (@measurable_fun_id _ _ setT)). Qed.

Lemma msnd : measurable_fun setT (@snd T1 T2).
Proof. by case: (proj1 (prod_measurable_funP (@id (T1 * T2)%type)) (@measurable_fun_id _ _ setT)). Qed.

Lemma mpair (f : T -> T1) (g : T -> T2) : measurable_fun setT f -> measurable_fun setT g ->
  measurable_fun setT (fun x => (f x, g x)).
Proof. by move=> mf mg; apply/prod_measurable_funP. Qed.

End measurable_pairs.

Section vectors.
Variable R : realType.

Fixpoint disp (n : nat) : measure_display :=
  if n is m.+1 then measure_prod_display (default_measure_display, disp m) else default_measure_display.

Fixpoint vec (n : nat) : measurableType (disp n) :=
  match n return measurableType (disp n) with
  | 0%N => [the measurableType _ of unit : Type]
  | m.+1 => [the measurableType _ of (R * vec m)%type : Type]
  end.

(* <r, g> and g + t r *)
Fixpoint dot n : vec n -> vec n -> R :=
  match n return vec n -> vec n -> R with
  | 0%N => fun _ _ => 0
  | m.+1 => fun g h => g.1 * h.1 + dot m g.2 h.2
  end.

Fixpoint axpy n : R -> vec n -> vec n -> vec n :=
  match n return R -> vec n -> vec n -> vec n with
  | 0%N => fun _ _ _ => tt
  | m.+1 => fun t r g => (g.1 + t * r.1, axpy m t r.2 g.2)
  end.

Lemma dotC n (g h : vec n) : dot n g h = dot n h g.
Proof. by elim: n g h => //= n IH g h; rewrite mulrC IH. Qed.

Lemma dot_axpy n t (r g h : vec n) : dot n h (axpy n t r g) = dot n h g + t * dot n h r.
Proof.
elim: n r g h => [|n IH] r g h /=; first by rewrite mulr0 addr0.
by rewrite IH mulrDr mulrDr !addrA mulrCA; congr (_ + _); rewrite addrAC.
Qed.

Lemma axpy0 n (r g : vec n) : axpy n 0 r g = g.
Proof. by elim: n r g => [[] []|n IH r [x g]] //=; rewrite IH mul0r addr0. Qed.

Lemma axpyD n s t (r g : vec n) : axpy n s r (axpy n t r g) = axpy n (t + s) r g.
Proof. by elim: n r g => [[] []|n IH r [x g]] //=; rewrite IH mulrDl addrA. Qed.

Lemma mdot n (r : vec n) : measurable_fun setT (dot n r).
Proof.
elim: n r => [|n IH] r /=; first exact: measurable_fun_cst.
apply: measurable_funD.
  by apply: measurable_funM; [exact: measurable_fun_cst | exact: mfst].
by apply: (measurable_fun_comp (IH r.2)); exact: msnd.
Qed.

Lemma mdot2 n : measurable_fun setT (fun g => dot n g g).
Proof.
elim: n => [|n IH] /=; first exact: measurable_fun_cst.
apply: measurable_funD.
  by apply: measurable_funM; exact: mfst.
by apply: (measurable_fun_comp IH); exact: msnd.
Qed.

Lemma maxpy n (r : vec n) : measurable_fun setT (fun p : vec n.+1 => axpy n p.1 r p.2).
Proof.
elim: n r => [|n IH] r; first exact: measurable_fun_cst.
have m2 : measurable_fun setT (fun p : vec n.+2 => p.2.1).
  by apply: (measurable_fun_comp (f := @fst R (vec n)) (g := @snd R (vec n.+1))); [exact: mfst | exact: msnd].
have m3 : measurable_fun setT (fun p : vec n.+2 => p.2.2).
  by apply: (measurable_fun_comp (f := @snd R (vec n)) (g := @snd R (vec n.+1))); exact: msnd.
apply: mpair.
  apply: measurable_funD => //.
  by apply: measurable_funM; [exact: mfst | exact: measurable_fun_cst].
apply: (measurable_fun_comp (f := fun p : vec n.+1 => axpy n p.1 r.2 p.2) (g := fun p : vec n.+2 => (p.1, p.2.2))) => //.
by apply: mpair => //; exact: mfst.
Qed.

Lemma maxpy1 n t (r : vec n) : measurable_fun setT (axpy n t r).
Proof. exact: (measurable_fun_prod1 t (maxpy n r)). Qed.

(* Lebesgue measure on R^n *)
Lemma sf_dirac : sigma_finite setT [the {measure set vec 0 -> \bar R} of dirac tt].
Proof.
exists (fun=> setT); first by rewrite bigcup_const //; exists 0%N.
by move=> i; split=> //; rewrite /= diracE ltry.
Qed.

Fixpoint lebs (n : nat) : {m : {measure set (vec n) -> \bar R} | sigma_finite setT m} :=
  match n return {m : {measure set (vec n) -> \bar R} | sigma_finite setT m} with
  | 0%N => exist _ [the {measure set vec 0 -> \bar R} of dirac tt] sf_dirac
  | m.+1 => exist _ [the {measure set vec m.+1 -> \bar R} of
      product_measure1 [the {measure set R -> \bar R} of @leb R] (proj2_sig (lebs m))]
      (product_sf (@leb_sf R) (proj2_sig (lebs m)))
  end.

Definition lebn n : {measure set (vec n) -> \bar R} := proj1_sig (lebs n).

End vectors.
