(******************************************************************************)
(*               The mean of what is played, for every policy                 *)
(*                                                                            *)
(* A policy sees one noisy value a round. Whoever sees more, from which the   *)
(* same values follow in law, can play it; and of what is played only the     *)
(* prediction from all that is seen has a mean.                               *)
(*                                                                            *)
(* Statements:                                                                *)
(*   mean_sum == the mean of a finite sum                                     *)
(*   by_path == the mean of a combination that the path chooses               *)
(*   blind == a combination has mean 0 over an event that does not see its    *)
(*       direction                                                            *)
(*   played_below == what a policy plays has at most the mean of the largest  *)
(*       prediction from more                                                 *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, normal_density, reflections, moments, outcomes.            *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import Rstruct reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths normal_density reflections moments.
From Coq Require Import Reals.
From CTV Require Import outcomes.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Delimit Scope nat_scope with N.

Notation vecR := (vec RR).
Notation dotp := (vectors.dot RR).
Notation law m := [the {measure set vec RR m -> \bar RR} of gauss RR normal m].

(* ---- sums and largest values ---- *)
Section sums.
Context dT (T : measurableType dT) (mu : {measure set T -> \bar RR}).
Definition has_mean (X : T -> RR) : Prop := mu.-integrable setT (EFin \o X).

Lemma has_mean_sum (I : Type) (s : seq I) (X : I -> T -> RR) : (forall i, has_mean (X i)) ->
  has_mean (fun w => \sum_(i <- s) X i w).
Proof.
move=> h; elim: s => [|i s IH].
  have -> : (fun w => \sum_(i <- [::]) X i w) = cst 0 by apply/funext => w; rewrite big_nil.
  exact: (integrable0 mu).
have -> : (fun w => \sum_(j <- i :: s) X j w) = (fun w => X i w + \sum_(j <- s) X j w).
  by apply/funext => w; rewrite big_cons.
by have := integrableD measurableT (h i) IH.
Qed.

Lemma mean_sum (I : Type) (s : seq I) (X : I -> T -> RR) : (forall i, has_mean (X i)) ->
  (\int[mu]_w (\sum_(i <- s) X i w)%:E = \sum_(i <- s) \int[mu]_w (X i w)%:E)%E.
Proof.
move=> h; elim: s => [|i s IH].
  by rewrite big_nil -[RHS](integral0 mu setT); apply: eq_integral => w _; rewrite big_nil.
rewrite big_cons -IH -(integralD measurableT (h i) (has_mean_sum _ s X h)).
by apply: eq_integral => w _; rewrite big_cons.
Qed.

Lemma has_mean_le (X Z : T -> RR) : measurable_fun setT X -> (forall w, `|X w| <= `|Z w|) -> has_mean Z -> has_mean X.
Proof.
move=> mX le; apply: (le_integrable measurableT); first exact/EFin_measurable_fun.
by move=> w _; rewrite lee_fin.
Qed.

Lemma has_mean_abs (X : T -> RR) : has_mean X -> has_mean (fun w => `|X w|).
Proof.
move=> /integrableP[mX fX]; apply/integrableP; split.
  by apply/EFin_measurable_fun; apply: (measurable_fun_comp (f := fun x : RR => `|x|)); [exact: measurable_fun_normr | exact/EFin_measurable_fun].
by move: fX; congr (_ < _)%E; apply: eq_integral => w _; rewrite /= normr_id.
Qed.
End sums.
Arguments has_mean {dT T}.
Arguments has_mean_le {dT T}.

Lemma best_value_ge (Y : finType) (a : Y) (f : Y -> R) y : (f y <= best_value Y a f)%R.
Proof.
rewrite /best_value; have : y \in index_enum Y by exact: mem_index_enum.
elim: (index_enum Y) => // z s IH; rewrite inE big_cons => /orP[/eqP ->|/IH h].
  exact: Rmax_l.
exact: Rle_trans h (Rmax_r _ _).
Qed.

Lemma best_value_is (Y : finType) (a : Y) (f : Y -> R) : exists y, best_value Y a f = f y.
Proof.
rewrite /best_value; elim: (index_enum Y) => [|z s [y IH]]; first by exists a; rewrite big_nil.
by rewrite big_cons IH /Rmax; case: Rle_dec => _; [exists y | exists z].
Qed.

Lemma best_value_any (Y : finType) (a b : Y) (f : Y -> R) : best_value Y a f = best_value Y b f.
Proof.
apply: Rle_antisym; [have [y ->] := best_value_is Y a f | have [y ->] := best_value_is Y b f]; exact: best_value_ge.
Qed.

Lemma mbest_value dT (T : measurableType dT) (Y : finType) (a : Y) (f : Y -> T -> RR) :
  (forall y, measurable_fun setT (f y)) -> measurable_fun setT (fun w => best_value Y a (f^~ w) : RR).
Proof.
move=> mf; rewrite /best_value; elim: (index_enum Y) => [|z s IH].
  have -> : (fun w => \big[Rmax/f a w]_(y <- [::]) f y w) = f a by apply/funext => w; rewrite big_nil.
  exact: mf.
have -> : (fun w => \big[Rmax/f a w]_(y <- z :: s) f y w) = (fun w => Num.max (f z w) (\big[Rmax/f a w]_(y <- s) f y w)).
  by apply/funext => w; rewrite big_cons RmaxE.
exact: measurable_fun_max.
Qed.

Lemma best_value_has_mean dT (T : measurableType dT) (mu : {measure set T -> \bar RR}) (Y : finType) (a : Y) (f : Y -> T -> RR) :
  (forall y, has_mean mu (f y)) -> has_mean mu (fun w => best_value Y a (f^~ w)).
Proof.
move=> h; apply: (has_mean_le _ _ (fun w => \sum_(y : Y) `|f y w|)).
- by apply: mbest_value => y; move: (h y) => /integrableP[/EFin_measurable_fun].
- move=> w; have [y ->] := best_value_is Y a (f^~ w); rewrite [X in _ <= X]ger0_norm; last exact: sumr_ge0.
  by rewrite (bigD1 y) //= ler_addl sumr_ge0.
- by apply: has_mean_sum => y; exact: has_mean_abs.
Qed.

(* ---- a policy and whoever sees more ---- *)
Section more.
Variables (M i : nat) (Y : finType) (w : Y -> vecR M) (a a' : nat -> Y -> vecR M) (m : Y -> vecR M).
Variable rule : forall j, vecR j -> Y.
Hypothesis mrule : forall j x, measurable [set h : vecR j | rule j h = x].
Notation P := (law M).
Notation "u *. v" := (dotp M u v) (at level 40).

(* seen and seen by the other have the same law along every path, with the value of the round *)
Hypothesis alike : forall (s : nat -> Y) j l, (j <= i)%N -> (l <= i)%N -> a j (s j) *. a l (s l) = a' j (s j) *. a' l (s l).
Hypothesis alike_w : forall y j x, (j <= i)%N -> w y *. a j x = w y *. a' j x.
(* m y is the prediction of w y: what is left is not correlated with what the other sees *)
Hypothesis predicts : forall y j x, (j < i)%N -> w y *. a' j x = m y *. a' j x.

Notation pick_ b := (pick RR Y M b rule).
Notation path_ b := (path RR Y M b rule i.+1).
Definition along (s : {ffun 'I_i.+1 -> Y}) (j : nat) : Y := s (inord j).

Lemma path_same b b' s g g' : (forall j, (j < i)%N -> b j (along s j) *. g = b' j (along s j) *. g') ->
  path_ b g = s -> path_ b' g' = s.
Proof.
move=> e /pathP hs; apply/pathP => j.
have key l : (l <= i)%N -> hist RR Y M b' rule l g' = hist RR Y M b rule l g.
  elim: l => // l IH li; have el := IH (ltnW li).
  have li' : (l < i.+1)%N by exact: ltnW.
  have hl := hs (Ordinal li'); rewrite /pick /= in hl.
  by rewrite /= el hl; congr (_, _); have := e l li; rewrite /along -[inord l](_ : Ordinal li' = _) //; apply: val_inj; rewrite /= inordK.
by rewrite -hs /pick key // -ltnS.
Qed.

Notation on b s := (fun g : vecR M => (path_ b g == s)%:R : RR).
Lemma onE b s : on b s = \1_[set g | path_ b g = s].
Proof. by apply/funext => g; rewrite indicE; congr (nat_of_bool _)%:R; apply/eqP/idP; rewrite ?inE. Qed.

Lemma mon b s : measurable_fun setT (on b s).
Proof. by rewrite onE; apply: measurable_fun_indic; exact: mpath. Qed.

Lemma has_mean_dot (v : vecR M) : has_mean P (dotp M v).
Proof. exact: dot_integrable. Qed.

Lemma has_mean_on b s (v : vecR M) : has_mean P (fun g => v *. g * on b s g).
Proof.
apply: (has_mean_le _ _ (dotp M v)); last exact: has_mean_dot.
- by apply: measurable_funM; [exact: mdot | exact: mon].
- by move=> g; case: eqP => _; rewrite ?mulr1 // mulr0 normr0.
Qed.

(* the mean of a combination that the path chooses *)
Lemma by_path b (v : Y -> vecR M) :
  (\int[P]_g (v (pick_ b i g) *. g)%:E = \sum_(s : {ffun 'I_i.+1 -> Y}) \int[P]_g (v (s ord_max) *. g * on b s g)%:E)%E.
Proof.
rewrite -mean_sum; last by move=> s; exact: has_mean_on.
apply: eq_integral => g _; congr EFin; rewrite (bigD1 (path_ b g)) //= eqxx mulr1 ffunE big1 ?addr0 //.
by move=> s ns; rewrite eq_sym (negbTE ns) mulr0.
Qed.

Lemma has_mean_pick b (v : Y -> vecR M) : has_mean P (fun g => v (pick_ b i g) *. g).
Proof.
have -> : (fun g => v (pick_ b i g) *. g) = (fun g => \sum_(s : {ffun 'I_i.+1 -> Y}) (v (s ord_max) *. g * on b s g)).
  apply/funext => g; rewrite (bigD1 (path_ b g)) //= eqxx mulr1 ffunE big1 ?addr0 //.
  by move=> s ns; rewrite eq_sym (negbTE ns) mulr0.
by apply: has_mean_sum => s; exact: has_mean_on.
Qed.

Lemma swapped (s : {ffun 'I_i.+1 -> Y}) : (\int[P]_g (w (s ord_max) *. g * on a s g)%:E = \int[P]_g (w (s ord_max) *. g * on a' s g)%:E)%E.
Proof.
pose u (b : nat -> Y -> vecR M) l := if l is j.+1 then b j (along s j) else w (s ord_max).
have [|Q iQ uQ] := carried_to RR normal M i.+1 (u a) (u a').
  move=> [|j] [|l] //=; rewrite !ltnS => jl ll.
  - by apply: alike_w; exact: ltnW.
  - by rewrite dotC [RHS]dotC; apply: alike_w; exact: ltnW.
  - by apply: alike; exact: ltnW.
rewrite -(isometry_integral RR normal M Q (fun g => (w (s ord_max) *. g * on a' s g)%:E) iQ); last first.
  by apply/EFin_measurable_fun; apply: measurable_funM; [exact: mdot | exact: mon].
have [_ dQ _] := iQ; apply: eq_integral => g _; congr (_ * _%:R)%:E.
  have e0 : Q (w (s ord_max)) = w (s ord_max) := uQ 0%N erefl.
  by rewrite -{2}e0 dQ.
congr nat_of_bool; apply/eqP/eqP; apply: path_same => j ji; first by rewrite -(dQ _ g); congr (_ *. _); exact: (uQ j.+1).
by rewrite -(dQ _ g); congr (_ *. _); apply: esym; exact: (uQ j.+1).
Qed.

Lemma blind (A : set (vecR M)) (r : vecR M) : measurable A -> (forall g, A (reflect RR M r g) <-> A g) ->
  (\int[P]_g (r *. g * \1_A g)%:E = 0)%E.
Proof.
move=> mA inv; set X := fun g => (r *. g * \1_A g)%:E.
have iX : P.-integrable setT X.
  apply: (has_mean_le _ _ (dotp M r)); last exact: has_mean_dot.
    by apply: measurable_funM; [exact: mdot | exact: measurable_fun_indic].
  by move=> g; rewrite indicE; case: (_ \in _); rewrite ?mulr1 // mulr0 normr0.
have iR : isometry RR normal M (reflect RR M r).
  by split; [exact: mreflect | move=> g h; exact: reflect_dot | move=> B mB; exact: reflect_law].
have e : (\int[P]_g X g = - \int[P]_g X g)%E.
  have /integrableP[mX _] := iX; rewrite -{1}(isometry_integral RR normal M _ X iR mX).
  rewrite -integralN; last exact: integrable_add_def.
  apply: eq_integral => g _; rewrite /X -EFinN -mulNr; congr (_ * _)%:E.
    rewrite /reflect dot_axpy; have [z|nz] := eqVneq (r *. r) 0; first by rewrite z mulr0 addr0 (dot_null _ _ _ _ z) oppr0.
    by rewrite mulNr divfK // opprD addrA subrr sub0r.
  by rewrite !indicE; congr (nat_of_bool _)%:R; apply/idP/idP; rewrite !inE => /inv.
have := integral_fune_fin_num measurableT iX; move: e; case: (\int[P]_g X g)%E => // x [] xe _.
by move/eqP: xe; rewrite -subr_eq0 opprK -mulr2n mulrn_eq0 /= => /eqP ->.
Qed.

Lemma predicted (s : {ffun 'I_i.+1 -> Y}) : (\int[P]_g (w (s ord_max) *. g * on a' s g)%:E = \int[P]_g (m (s ord_max) *. g * on a' s g)%:E)%E.
Proof.
set y := s ord_max; pose r := axpy RR M (-1) (m y) (w y).
have re g : r *. g = w y *. g - m y *. g by rewrite dotC dot_axpy mulN1r [dotp M g _]dotC [X in _ - X]dotC.
have z : (\int[P]_g (r *. g * on a' s g)%:E = 0)%E.
  have -> : (fun g => (r *. g * on a' s g)%:E) = (fun g => (r *. g * \1_[set g | path_ a' g = s] g)%:E).
    by apply/funext => g; rewrite -onE.
  apply: blind => [|g]; first exact: mpath.
  have e j : (j < i)%N -> a' j (along s j) *. reflect RR M r g = a' j (along s j) *. g.
    move=> ji; have e0 : a' j (along s j) *. r = 0 by rewrite dotC re predicts // subrr.
    by rewrite /reflect dot_axpy e0 mulr0 addr0.
  by split; apply: path_same => j ji; rewrite e.
have -> : (\int[P]_g (w y *. g * on a' s g)%:E = \int[P]_g ((m y *. g * on a' s g)%:E + (r *. g * on a' s g)%:E))%E.
  by apply: eq_integral => g _; rewrite -EFinD -mulrDl re addrC subrK.
rewrite integralD //; first by rewrite z adde0.
- exact: (has_mean_on a' s (m y)).
- exact: (has_mean_on a' s r).
Qed.

Theorem played_below (y0 : Y) :
  (\int[P]_g (w (pick_ a i g) *. g)%:E <= \int[P]_g (best_value Y y0 (fun y => m y *. g))%:E)%E.
Proof.
rewrite by_path (eq_bigr (fun s : {ffun 'I_i.+1 -> Y} => \int[P]_g (m (s ord_max) *. g * on a' s g)%:E)%E); last first.
  by move=> s _; rewrite swapped predicted.
rewrite -by_path -sube_ge0; last first.
  by apply/orP; left; apply: (integral_fune_fin_num measurableT); exact: (has_mean_pick a' m).
rewrite -integralB //; last first.
- exact: has_mean_pick.
- by apply: best_value_has_mean => y; exact: has_mean_dot.
apply: integral_ge0 => g _; rewrite /= -EFinB lee_fin subr_ge0; apply/RleP; exact: (best_value_ge Y y0 (fun y => m y *. g)).
Qed.
End more.
