(******************************************************************************)
(*            Drawing anew what a policy that adapts has not seen             *)
(*                                                                            *)
(* A policy sees scalar products of G with vectors that depend on what it has *)
(* seen before; its points are of no concern, finitely many or not. All of G  *)
(* that these vectors do not span may be replaced by that of an independent   *)
(* copy: the law of G stays, and so does what is seen. So the rest of a       *)
(* prediction is normal given all that is seen, without conditional laws.     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   hist j g == what is seen in the first j rounds, the last first           *)
(*   left j h v == what the vectors of the history h do not span of v         *)
(*   replaced_mean == the component along one vector, drawn anew              *)
(*   anew, anew_law == G with all drawn anew that is not seen, and its law    *)
(*   residue == the rest of a vector that depends on the history              *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* reflections.                                                               *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral nsatz_realtype.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law reflections.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section measurable.
Context dT (T : measurableType dT) (R : realType).
Notation vec := (vec R).

Lemma mhead n (f : T -> vec n.+1) : measurable_fun setT f -> measurable_fun setT (fun w => (f w).1).
Proof. by move=> mf; apply: (measurable_fun_comp (f := @fst R (vec n)) (g := f)) => //; exact: mfst. Qed.

Lemma mtail n (f : T -> vec n.+1) : measurable_fun setT f -> measurable_fun setT (fun w => (f w).2).
Proof. by move=> mf; apply: (measurable_fun_comp (f := @snd R (vec n)) (g := f)) => //; exact: msnd. Qed.

Lemma mdots n (f g : T -> vec n) : measurable_fun setT f -> measurable_fun setT g ->
  measurable_fun setT (fun w => dot R n (f w) (g w)).
Proof.
elim: n f g => [|n IH] f g mf mg; first exact: measurable_fun_cst.
apply: measurable_funD; first by apply: measurable_funM; exact: mhead.
by apply: (IH (fun w => (f w).2) (fun w => (g w).2)); exact: mtail.
Qed.

Lemma maxpys n (t : T -> R) (r g : T -> vec n) : measurable_fun setT t -> measurable_fun setT r ->
  measurable_fun setT g -> measurable_fun setT (fun w => axpy R n (t w) (r w) (g w)).
Proof.
elim: n r g => [|n IH] r g mt mr mg; first exact: measurable_fun_cst.
apply: mpair.
  by apply: measurable_funD; [exact: mhead | apply: measurable_funM => //; exact: mhead].
by apply: (IH (fun w => (r w).2) (fun w => (g w).2)) => //; exact: mtail.
Qed.

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
End measurable.

Section turned.
Variables (R : realType) (D : density R).
Notation vec := (vec R).
Arguments dot {R n}.
Arguments axpy {R n}.
Notation law n := [the {measure set (vec n) -> \bar R} of gauss R D n].

Lemma law_sf n : sigma_finite setT (law n).
Proof.
exists (fun=> setT); first by rewrite bigcup_const //; exists 0%N.
by move=> i; split=> //; rewrite [X in (X < _)%E]gaussT ltry.
Qed.

Definition twice n := [the {measure set (vec n * vec n)%type -> \bar R} of product_measure1 (law n) (law_sf n)].

(* the component of b along q, replaced by that of a *)
Definition replaced n (q a b : vec n) : vec n := axpy ((dot q a - dot q b) * (dot q q)^-1) q b.

Lemma mreplaced dT (T : measurableType dT) n (q a b : T -> vec n) : measurable_fun setT q -> measurable_fun setT a ->
  measurable_fun setT b -> measurable_fun setT (fun w => replaced n (q w) (a w) (b w)).
Proof.
move=> mq ma mb; apply: maxpys => //; apply: measurable_funM; last first.
  by apply: minv; [exact: mdots | move=> w; exact: dot_ge0].
by apply: measurable_funB; exact: mdots.
Qed.

Lemma gauss_turn n (r : vec n) (A : set (vec n.+1)) : dot r r = 1 -> measurable A ->
  gauss R D n.+1 (turn R n r @^-1` A) = gauss R D n.+1 A.
Proof.
move=> r1 mA; rewrite !gaussE -[RHS](I_turn R n r r1); last first.
  split; last by move=> p; rewrite lee_fin mulr_ge0 ?phi_ge0 // indicE.
  apply/EFin_measurable_fun; apply: measurable_funM; last exact: mphi.
  exact: measurable_fun_indic.
by apply: Iext => p; rewrite /phi turn_norm.
Qed.

(* the law does not change by it *)
Lemma replaced_set n (q : vec n) (A : set (vec n)) : measurable A ->
  twice n [set p | A (replaced n q p.1 p.2)] = law n A.
Proof.
move=> mA; have [q0|qn] := eqVneq (dot q q) 0.
  have -> : [set p : vec n * vec n | A (replaced n q p.1 p.2)] = setT `*` A.
    apply/seteqP; split=> -[a b]; rewrite /= /replaced q0 invr0 mulr0 axpy0; by [case | move=> ?; split].
  by rewrite /twice /= product_measure1E // [X in (X * _)%E]gaussT mul1e.
have qp : 0 < dot q q by rewrite lt_neqAle eq_sym qn dot_ge0.
set s := Num.sqrt (dot q q); have ss : s ^+ 2 = dot q q by rewrite sqr_sqrtr // ltW.
have s0 : s != 0 by rewrite sqrtr_eq0 -ltNge.
set u := scale R n s^-1 q.
have u1 : dot u u = 1 by rewrite /u dot_scale dotC dot_scale -ss expr2 mulKf // mulVf.
set v := scale R n (- s^-1) q.
have v1 : dot v v = 1 by rewrite /v dot_scale dotC dot_scale -ss expr2 !mulNr mulrN opprK mulKf // mulVf.
have uv a : dot u a = - dot v a by rewrite /u /v !dot_scale mulNr opprK.
have e a b : replaced n q a b = (turn R n u (dot v a, b)).2.
  rewrite /turn /= /u axpy_scale /replaced; congr (axpy _ q b).
  rewrite -/u -ss dot_scale /v dot_scale expr2 invfM; move: (s^-1) (dot q a) (dot q b) => i x y.
  by nsatz.
pose W (p : vec n * vec n) : vec n.+1 := (dot v p.1, p.2).
have mW : measurable_fun setT W.
  apply: mpair; last exact: msnd.
  by apply: (measurable_fun_comp (mdot R n v)); exact: mfst.
pose m1 := [the {measure set R -> \bar R} of pushforward (law n) (mdot R n v)].
have m1E B : measurable B -> m1 B = law1 R D B.
  move=> mB; have := independent R D n v setT B v1 measurableT mB (fun _ _ h => h).
  rewrite gaussT mule1 => <-; congr (gauss _ _ _ _); apply/seteqP; split=> g /=; [by split | by case].
have m1sf : sigma_finite setT m1.
  exists (fun=> setT); first by rewrite bigcup_const //; exists 0%N.
  by move=> i; split=> //; rewrite /m1 /= /pushforward preimage_setT [X in (X < _)%E]gaussT ltry.
have same C : measurable C -> twice n (W @^-1` C) = law n.+1 C.
  move=> mC; pose m2 := [the {measure set (R * vec n)%type -> \bar R} of pushforward (twice n) mW].
  have := @product_measure_unique _ _ _ _ _ m1 (law n) m1sf (law_sf n) m2.
  have := @product_measure_unique _ _ _ _ _ m1 (law n) m1sf (law_sf n) (law n.+1).
  move=> h1 h2; rewrite -[RHS]h1 //; last first.
    move=> B B' mB mB'; have := gauss_pair R D n B' B mB' mB; rewrite -m1E // => h; exact: h.
  rewrite [RHS]h2 // => B B' mB mB'.
  have -> : m2 (B `*` B') = twice n ((dot v @^-1` B) `*` B') by [].
  by rewrite /twice /= product_measure1E // -[X in measurable X]setTI; exact: mdot.
have mT : measurable (turn R n u @^-1` (setT `*` A)).
  by rewrite -[X in measurable X]setTI; apply: mturn => //; exact: measurableM.
rewrite (_ : [set p | _] = W @^-1` (turn R n u @^-1` (setT `*` A))); last first.
  by apply/seteqP; split=> -[a b]; rewrite /= e; [split | case].
rewrite same // [LHS]gauss_turn //; last exact: measurableM.
have -> : setT `*` A = [set p : vec n.+1 | setT p.1 /\ A p.2] by [].
by rewrite gauss_pair // /law1 mass1 mul1e.
Qed.

Lemma replaced_mean n (q : vec n) (F : vec n -> \bar R) : measurable_fun setT F -> (forall g, (0 <= F g)%E) ->
  (\int[law n]_a \int[law n]_b F (replaced n q a b) = \int[law n]_g F g)%E.
Proof.
move=> mF F0.
have mr : measurable_fun setT (fun p : vec n * vec n => replaced n q p.1 p.2).
  by apply: mreplaced; [exact: measurable_fun_cst | exact: mfst | exact: msnd].
have mFr : measurable_fun setT (fun p : vec n * vec n => F (replaced n q p.1 p.2)) by exact: (measurable_fun_comp mF mr).
transitivity (\int[twice n]_p F (replaced n q p.1 p.2))%E.
  by rewrite (tonelli1 (law_sf n) (law_sf n) mFr (fun p => F0 _)).
rewrite -[LHS](integral_pushforward mr (twice n) mF F0).
by apply: eq_measure_integral => A mA _; exact: replaced_set.
Qed.
End turned.

Section process.
Variables (R : realType) (D : density R).
Notation vec := (vec R).
Arguments dot {R n}.
Arguments axpy {R n}.
Arguments replaced {R n}.
Notation law n := [the {measure set (vec n) -> \bar R} of gauss R D n].
Variables (m : nat) (a : forall j, vec j -> vec m).
Hypothesis ma : forall j, measurable_fun setT (a j).

Fixpoint hist (j : nat) (g : vec m) : vec j :=
  match j return vec j with
  | 0%N => tt
  | k.+1 => (dot (a k (hist k g)) g, hist k g)
  end.

Fixpoint left (j : nat) : vec j -> vec m -> vec m :=
  match j return vec j -> vec m -> vec m with
  | 0%N => fun _ v => v
  | k.+1 => fun h v => let q := left k h.2 (a k h.2) in axpy (- (dot q v * (dot q q)^-1)) q (left k h.2 v)
  end.

Definition anew j (g g' : vec m) : vec m := axpy 1 (left j (hist j g) (axpy (-1) g g')) g.

Lemma dot_ext (v w : vec m) : (forall x, dot x v = dot x w) -> v = w.
Proof. by move=> e; apply: null_axpy; rewrite dot_axpy [dot _ v]e mulN1r [dot _ w]dotC subrr. Qed.

Lemma left_facts j (h : vec j) :
  [/\ forall v w, dot (left j h v) w = dot v (left j h w),
      forall v, left j h (left j h v) = left j h v &
      forall t v w, left j h (axpy t v w) = axpy t (left j h v) (left j h w)].
Proof.
elim: j h => [|j IH] h //=; have [sym idem lin] := IH h.2.
set P := left j h.2 in sym idem lin *; set q := P (a j h.2).
have Pq : P q = q by exact: idem.
have qP v : dot q (P v) = dot q v by rewrite -sym Pq.
have c v : (dot q q)^-1 * dot q v * dot q q = dot q v.
  have [e|ne] := eqVneq (dot q q) 0; first by rewrite (dot_null _ _ q v e) mulr0 mul0r.
  by rewrite mulrAC mulVf ?mul1r.
have sym' v w : dot (axpy (- (dot q v * (dot q q)^-1)) q (P v)) w = dot v (axpy (- (dot q w * (dot q q)^-1)) q (P w)).
  rewrite [LHS]dotC !dot_axpy [dot w q]dotC [dot v q]dotC [dot w (P v)]dotC sym.
  by move: (dot v (P w)) (dot q v) (dot q w) (dot q q)^-1 => x y z i; nsatz.
split=> // [v|t v w]; apply: dot_ext => x; last first.
  rewrite lin !dot_axpy.
  by move: (dot x (P w)) (dot x (P v)) (dot x q) (dot q v) (dot q w) (dot q q)^-1 => x1 x2 x3 x4 x5 i; nsatz.
rewrite -sym' [LHS]dotC !dot_axpy dotC !dot_axpy sym idem [dot (P x) q]dotC qP [dot (axpy _ _ _) q]dotC dot_axpy qP [dot x q]dotC.
have := c v; move: (dot x (P v)) (dot q v) (dot q x) (dot q q) (dot q q)^-1 => x1 x2 x3 x4 i e.
by nsatz.
Qed.

Let sym j h v w : dot (left j h v) w = dot v (left j h w). Proof. by have [f _ _] := left_facts j h. Qed.
Let idem j h v : left j h (left j h v) = left j h v. Proof. by have [_ f _] := left_facts j h. Qed.
Let lin j h t v w : left j h (axpy t v w) = axpy t (left j h v) (left j h w).
Proof. by have [_ _ f] := left_facts j h. Qed.

Lemma left_unseen j l g w : (l < j)%N -> dot (a l (hist l g)) (left j (hist j g) w) = 0.
Proof.
elim: j w => // j IH w; rewrite ltnS leq_eqVlt => /orP[/eqP ->|lj] /=.
  set v := a j _; set q := left j _ v; have e : dot v q = dot q q by rewrite /q sym idem.
  rewrite dot_axpy -sym -/q e; have [z|ne] := eqVneq (dot q q) 0; first by rewrite (dot_null _ _ q w z) z mulr0 addr0.
  by rewrite mulNr mulfVK // subrr.
by rewrite dot_axpy !IH // mulr0 addr0.
Qed.

Lemma hist_along j t g w l : (l <= j)%N -> hist l (axpy t (left j (hist j g) w) g) = hist l g.
Proof. by elim: l => //= l IH lj; rewrite IH ?(ltnW lj) // dot_axpy left_unseen // mulr0 addr0. Qed.

Lemma replaced_left (P : vec m -> vec m) q g b c : (forall v w, dot v (P w) = dot (P v) w) ->
  (forall v, P (P v) = P v) -> P q = q -> let G := axpy 1 (P (axpy (-1) g b)) g in let v := axpy (-1) G c in
  axpy 1 (axpy (- (dot q v * (dot q q)^-1)) q (P v)) G = axpy 1 (P (axpy (-1) g (replaced q b c))) g.
Proof.
move=> symP idemP Pq G v; apply: dot_ext => x.
have xq : dot (P x) q = dot x q by rewrite -symP Pq.
rewrite /v /G /replaced !(dot_axpy, symP, idemP, Pq, xq).
move: (dot x g) (dot (P x) g) (dot (P x) b) (dot (P x) c) (dot x q) (dot q g) (dot q b) (dot q c) (dot q q)^-1.
by move=> x1 x2 x3 x4 x5 x6 x7 x8 i; nsatz.
Qed.

Lemma anew_twice j g b c : anew j.+1 (anew j g b) c = anew j g (replaced (left j (hist j g) (a j (hist j g))) b c).
Proof.
rewrite {1}/anew /= {2 3 4 5}/anew !hist_along //.
apply: replaced_left => [v w|v|]; by rewrite ?idem // sym.
Qed.

Lemma left_still j g v : (forall l, (l < j)%N -> dot (a l (hist l g)) v = 0) -> left j (hist j g) v = v.
Proof.
elim: j => //= j IH e; have P := IH (fun l lj => e l (ltnW lj)).
by rewrite P sym P e // mul0r oppr0 axpy0.
Qed.

(* what is seen, and what is left of a vector, do not change; of the rest the copy is looked at *)
Lemma hist_anew j g b : hist j (anew j g b) = hist j g. Proof. exact: hist_along. Qed.
Lemma left_anew j g b v : dot (left j (hist j g) v) (anew j g b) = dot (left j (hist j g) v) b.
Proof. by rewrite dot_axpy -sym idem dot_axpy mulN1r mul1r addrCA subrr addr0. Qed.

Lemma mhist j : measurable_fun setT (hist j).
Proof.
elim: j => [|j IH]; first exact: measurable_fun_cst.
apply: mpair => //; apply: mdots; last exact: measurable_fun_id.
exact: (measurable_fun_comp (ma j) IH).
Qed.

Lemma mleft dT (T : measurableType dT) j (h : T -> vec j) (v : T -> vec m) : measurable_fun setT h ->
  measurable_fun setT v -> measurable_fun setT (fun w => left j (h w) (v w)).
Proof.
elim: j h v => [|j IH] h v mh mv //=.
have mh2 : measurable_fun setT (fun w => (h w).2) by exact: mtail.
have mq : measurable_fun setT (fun w => left j (h w).2 (a j (h w).2)).
  by apply: (IH (fun w => (h w).2) (fun w => a j (h w).2)) => //; exact: (measurable_fun_comp (ma j) mh2).
apply: maxpys => //; last exact: IH.
apply: measurable_funN; apply: measurable_funM; first exact: mdots.
by apply: minv; [exact: mdots | move=> w; exact: dot_ge0].
Qed.

Lemma manew j : measurable_fun setT (fun p : vec m * vec m => anew j p.1 p.2).
Proof.
have m1 : measurable_fun setT (fun p : vec m * vec m => p.1) by exact: mfst.
have m2 : measurable_fun setT (fun p : vec m * vec m => p.2) by exact: msnd.
apply: maxpys => //; try exact: measurable_fun_cst.
apply: mleft; first exact: (measurable_fun_comp (mhist j) m1).
by apply: maxpys => //; exact: measurable_fun_cst.
Qed.

Theorem anew_law j (F : vec m -> \bar R) : measurable_fun setT F -> (forall g, (0 <= F g)%E) ->
  (\int[law m]_g \int[law m]_b F (anew j g b) = \int[law m]_g F g)%E.
Proof.
elim: j F => [|j IH] F mF F0.
  have e g b : anew 0 g b = b.
    by apply: dot_ext => x; rewrite /anew /= !dot_axpy mulN1r mul1r addrCA subrr addr0.
  rewrite (eq_integral (fun=> \int[law m]_b F b))%E; last first.
    by move=> g _; apply: eq_integral => b _; rewrite e.
  by rewrite (integral_cst (law m)) // [X in (_ * X)%E]gaussT mule1.
pose phi g := (\int[law m]_c F (anew j.+1 g c))%E.
have mG i : measurable_fun setT (fun p : vec m * vec m => F (anew i p.1 p.2)) by exact: (measurable_fun_comp mF (manew i)).
have mphi : measurable_fun setT phi.
  exact: (@measurable_fun_fubini_tonelli_F _ _ _ _ _ (law m) (law_sf R D m) _ (mG j.+1)).
rewrite -/phi -[LHS](IH phi) //; last by move=> g; apply: integral_ge0.
rewrite -[RHS](IH F mF F0); apply: eq_integral => g _; rewrite /phi.
set q := left j (hist j g) (a j (hist j g)).
transitivity (\int[law m]_b \int[law m]_c (fun w => F (anew j g w)) (replaced q b c))%E.
  by apply: eq_integral => b _; apply: eq_integral => c _; rewrite anew_twice.
apply: replaced_mean => //; exact: (measurable_fun_prod1 g (mG j)).
Qed.

(* what is left of a vector that depends on what has been seen, after j rounds *)
Definition residue j (w : vec j -> vec m) g := left j (hist j g) (w (hist j g)).
End process.
