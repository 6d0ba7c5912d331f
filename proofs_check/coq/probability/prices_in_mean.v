(******************************************************************************)
(*                            Prices in the mean                              *)
(*                                                                            *)
(* The player of one arm draws the values of the other arms himself and       *)
(* follows the policy: where he looks it plays his arm, with the same law.    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   rest, rest_draws == the last D numbers of d + n + D are draws            *)
(*   player_earns == what a policy earns from one arm a player of it earns    *)
(*   prices_floor == Theorem P in the mean                                    *)
(*   earns_exists == some number bounds what every player earns               *)
(*                                                                            *)
(* Rests on: library, measures, vectors, gaussian_law, adaptive_paths,        *)
(* adaptive_posterior, normal_density, adaptive_confidence, argmax_rule,      *)
(* reflections, moments, definitions, sums, outcomes, joint_law, any_space,   *)
(* expected_regret, floor_in_mean, drawn_policies, combinations, lebesgue,    *)
(* scalar.                                                                    *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors gaussian_law adaptive_paths adaptive_posterior normal_density
  adaptive_confidence reflections moments.
From CTV Require argmax_rule.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar definitions sums outcomes combinations joint_law any_space expected_regret.
From CTV Require Import floor_in_mean drawn_policies.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* ---- the last D numbers as draws ---- *)
Fixpoint rest (m D : nat) : vec RR (m + D)%N -> vec RR D :=
  match m return vec RR (m + D)%N -> vec RR D with
  | O => fun g => g
  | S l => fun g => rest l D g.2
  end.

Lemma mrest m D : measurable_fun setT (rest m D).
Proof.
elim: m => [|m IH] /=; first exact: measurable_fun_id.
by apply: (measurable_fun_comp IH); exact: msnd.
Qed.

Lemma co_rest m D g l : co RR D (rest m D g) l = co RR (m + D)%N g (m + l)%N.
Proof. by elim: m g => [|m IH] g //=; rewrite IH. Qed.

Lemma rest_draws m D :
  independent_draws _ (vec RR (m + D)%N) (standard_normal (m + D)) m (fun i g => co RR (m + D)%N g i) _ (vec RR D) (rest m D).
Proof.
split; first exact: mrest.
move=> B t mB.
have one l : gauss RR normal (l + D)%N (rest l D @^-1` B)%classic = gauss RR normal D B.
  elim: l => [|l IH] //.
  have mR : measurable (rest l D @^-1` B)%classic by rewrite -[X in measurable X]setTI; exact: mrest.
  have -> : (rest l.+1 D @^-1` B)%classic = [set p : vec RR (l + D).+1 | setT p.1 /\ (rest l D @^-1` B)%classic p.2]%classic.
    by apply/seteqP; split=> p //= [].
  rewrite gauss_pair // IH law1E (eq_integral (fun z => (phi1 RR normal z)%:E)%E) ?mass1 ?mul1e // => z _.
  by rewrite indicE in_setT mul1r.
have all l u : gauss RR normal (l + D)%N [set g | B (rest l D g) /\ forall i, (i < l)%coq_nat -> co RR (l + D)%N g i < u i]%classic =
    (gauss RR normal D B * EFin (product l (fun i => normal_cdf (u i))))%E.
  elim: l u => [|l IH] u.
    rewrite mule1; congr (gauss _ _ _ _); apply/seteqP; split=> g /=; first by case.
    by move=> b; split=> // i; lia.
  pose C := [set g : vec RR (l + D)%N | B (rest l D g) /\ forall i, (i < l)%coq_nat -> co RR (l + D)%N g i < u (S i)]%classic.
  have mC : measurable C.
    have -> : C = (rest l D @^-1` B `&` \bigcap_(i in [set: 'I_l]) ((fun g : vec RR (l + D)%N => co RR (l + D)%N g i) @^-1` below (u (S i))))%classic.
      apply/seteqP; split=> g /= [b c]; split=> //.
        by move=> i _; apply/RltP; apply: c; exact/ssrnat.ltP.
      by move=> i /ssrnat.ltP hi; apply/RltP; exact: (c (Ordinal hi) Logic.I).
    apply: measurableI; first by rewrite -[X in measurable X]setTI; exact: mrest.
    apply: fin_bigcap_measurable => [|i _]; first exact: finite_finset.
    by rewrite -[X in measurable X]setTI; apply: (argmax_rule.mco RR (l + D) i) => //; exact: mbelow.
  have -> : [set g : vec RR (l.+1 + D)%N | B (rest l.+1 D g) /\ forall i, (i < l.+1)%coq_nat -> co RR (l.+1 + D)%N g i < u i]%classic =
      [set p : vec RR (l + D).+1 | below (u O) p.1 /\ C p.2]%classic.
    apply/seteqP; split=> p /=.
      case=> b c; split; first by apply/RltP; exact: (c O ltac:(lia)).
      by split=> // i hi; exact: (c (S i) ltac:(lia)).
    by case=> /RltP b0 [b c]; split=> // -[|i] hi; [exact: b0 | apply: c; lia].
  by rewrite gauss_pair //; [rewrite (IH (fun i => u (S i))) law1_below /= EFinM muleCA | exact: mbelow].
have e : Measure.sort (standard_normal (m + D)) (fun w => B (rest m D w)) = gauss RR normal D B := one m.
by rewrite e -(all m t).
Qed.

(* a family of vectors is carried to another one with the same scalar products *)
Lemma carried_family M (I : finType) (a b : I -> vec RR M) : (forall i j, dotp M (a i) (a j) = dotp M (b i) (b j)) ->
  exists2 Q, isometry RR normal M Q & forall i, Q (a i) = b i.
Proof.
move=> e; have [i0 _|none] := pickP (@predT I); last first.
  have [//|Q iQ _] := carried_to RR normal M 0 (fun=> mk RR M (fun=> 0)) (fun=> mk RR M (fun=> 0)).
  by exists Q => // i; have := none i.
have [|Q iQ Qa] := carried_to RR normal M #|I| (fun l => a (nth i0 (enum I) l)) (fun l => b (nth i0 (enum I) l)).
  by move=> l m _ _; exact: e.
by exists Q => // i; have := Qa (enum_rank i) (ltn_ord _); rewrite nth_enum_rank.
Qed.

Lemma has_mean_cst M (c : RR) : has_mean (law M) (fun=> c).
Proof.
apply/integrableP; split; first by apply/EFin_measurable_fun; exact: measurable_fun_cst.
have e := integral_cst (law M) measurableT `|c|%ring%:E; rewrite [X in (_ * X)%E]gaussT mule1 in e.
by rewrite (_ : (\int[law M]_g `|(EFin \o (fun=> c)) g|)%E = `|c|%ring%:E) ?ltry.
Qed.

Section prices.
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (v : Y -> R) (h : R -> R -> R) (tau lam : nat -> R).
Hypothesis cov : has_kernel d n Y L (independent_arms Y v) h tau.
Hypothesis mrule : measurable_rule Y rule.

Notation D := d.
Notation M := (d + n + D)%N.
Notation law_ := (law M).
Notation out g := (co RR M g).
Notation zero := (fun _ : nat => 0).
Notation at_ := (mk RR M).
Notation told := (told_at d n Y L sigma D).
Notation own := (value_at d n Y L D).
Let y0 : Y := rule O tt.

Section one_arm.
Variable x : Y.

(* arm x as it is, the others made of the last numbers *)
Definition apart_at (j : nat) (y : Y) : vec RR M :=
  if y == x then told j y else at_ (three d n zero (fun l => identity l j * sigma) (L j y)).

Lemma zeros0 l (F : nat -> R) : sum l (fun i => 0 * F i) = 0.
Proof. by rewrite (sum_ext l _ (fun=> 0)) ?sum_0 // => i _; ring. Qed.
Lemma zeros1 l (F : nat -> R) : sum l (fun i => F i * 0) = 0.
Proof. by rewrite (sum_ext l _ (fun=> 0)) ?sum_0 // => i _; ring. Qed.

Lemma same_told j l y z : (j < n)%N -> (l < n)%N -> dotp M (told j y) (told l z) = dotp M (apart_at j y) (apart_at l z).
Proof.
move=> /ssrnat.ltP hj /ssrnat.ltP hl.
have e y' z' := cov j l y' z' hj hl; rewrite /independent_arms in e.
rewrite /apart_at; have [->|yx] := eqVneq y x; have [->|zx] := eqVneq z x => //; rewrite !three_dot2 ?zeros0 ?zeros1.
- by rewrite e eq_sym (negbTE zx) Rmult_0_l.
- by rewrite e (negbTE yx) Rmult_0_l.
- by rewrite Rplus_0_l Rplus_0_r Rplus_comm.
Qed.

Lemma same_own j l z : (j < n)%N -> (l < n)%N -> dotp M (own j x) (told l z) = dotp M (own j x) (apart_at l z).
Proof.
move=> /ssrnat.ltP hj /ssrnat.ltP hl; rewrite /apart_at; have [->|zx] := eqVneq z x => //.
by rewrite !three_dot2 ?zeros0 ?zeros1 (cov j l x z hj hl) /independent_arms eq_sym (negbTE zx) Rmult_0_l.
Qed.

Definition earned_from (a : nat -> Y -> vec RR M) (g : vec RR M) : R :=
  sum n (fun i => if pick RR Y M a rule i g == x then dotp M (own i x) g - lam i else 0).

Lemma earned_measurable a : measurable_fun setT (earned_from a : _ -> RR).
Proof.
have gen N : measurable_fun setT (fun g => sum N (fun i => if pick RR Y M a rule i g == x then dotp M (own i x) g - lam i else 0) : RR).
  elim: N => [|N IH]; first exact: measurable_fun_cst.
  apply: measurable_funD => //.
  apply: (mchosen_number _ _ Y (fun g => pick RR Y M a rule N g) (fun z g => if z == x then dotp M (own N x) g - lam N else 0)) => z.
    exact: (mpick RR Y M a rule mrule).
  by case: (z == x); [apply: measurable_funB; [exact: mdot|] |]; exact: measurable_fun_cst.
exact: gen.
Qed.

Lemma earned_has_mean a : has_mean law_ (earned_from a).
Proof.
apply: (has_mean_le _ _ (fun g => \sum_(i < n) (`|dotp M (own i x) g| + `|lam i|))%ring).
- exact: earned_measurable.
- move=> g; rewrite /earned_from sumE; apply: le_trans (ler_norm_sum _ _ _) _.
  rewrite [X in (_ <= X)%ring]ger0_norm; last by apply: sumr_ge0 => i _; exact: addr_ge0.
  apply: ler_sum => i _; case: ifP => _; last by rewrite normr0 addr_ge0.
  by apply/RleP; have := Rabs_triang (dotp M (own i x) g) (- lam i); rewrite Rabs_Ropp => tri; exact: tri.
- apply: has_mean_sum => i.
  by have := integrableD measurableT (has_mean_abs _ _ _ _ (has_mean_dot M (own i x))) (has_mean_cst M `|lam i|%ring).
Qed.

Lemma earned_apart : (\int[law_]_g (earned_from told g)%:E = \int[law_]_g (earned_from apart_at g)%:E)%E.
Proof.
pose I := (fin_type ('I_n * option Y)%type).
pose u (a : nat -> Y -> vec RR M) (i : I) := if i.2 is Some y then a (i.1 : 'I_n) y else own (i.1 : 'I_n) x.
have [|Q iQ uQ] := carried_family M I (u told) (u apart_at).
  move=> [j [y|]] [l [z|]]; rewrite /u /=.
  - exact: same_told.
  - by rewrite dotC [RHS]dotC; exact: same_own.
  - exact: same_own.
  - by [].
rewrite -(isometry_integral RR normal M Q (fun g => (earned_from apart_at g)%:E) iQ); last first.
  by apply/EFin_measurable_fun; exact: earned_measurable.
have [_ dQ _] := iQ; apply: eq_integral => g _; congr EFin.
have hQ j : (j <= n)%N -> hist RR Y M apart_at rule j (Q g) = hist RR Y M told rule j g.
  elim: j => //= j IH hj; rewrite IH ?(ltnW hj) //; congr (_, _); set z := rule j _.
  by have := uQ (Ordinal hj, Some z); rewrite /u /= => <-; exact: dQ.
apply: sum_ext => i /ssrnat.ltP hi; rewrite /pick hQ ?(ltnW hi) //.
have e := uQ (Ordinal hi, None); rewrite /u /= in e.
by case: ifP => // _; rewrite -{2}e dQ.
Qed.

(* the player of arm x, who draws the other arms *)
Definition own_weights (i : nat) (b : bool) (l : nat) : R := if b then L i x l else 0.
Definition other (u : vec RR D) (j : nat) (z : Y) : R := if z == x then 0 else sum d (fun l => L j z l * co RR D u l).
Fixpoint replay (u : vec RR D) (j : nat) : vec RR j -> vec RR j :=
  match j return vec RR j -> vec RR j with
  | O => fun=> tt
  | S i => fun p => let before := replay u i p.2 in (p.1 + other u i (rule i before), before)
  end.
Definition look (u : vec RR D) : policy_on bool := fun j p => rule j (replay u j p) == x.

Lemma mother j z : measurable_fun setT (fun u : vec RR D => other u j z : RR).
Proof.
rewrite /other; case: (z == x); first exact: measurable_fun_cst.
have gen N : measurable_fun setT (fun u : vec RR D => sum N (fun l => L j z l * co RR D u l) : RR).
  elim: N => [|N IH]; first exact: measurable_fun_cst.
  by apply: measurable_funD => //; apply: measurable_funM; [exact: measurable_fun_cst | exact: argmax_rule.mco].
exact: gen.
Qed.

Lemma mreplay j : measurable_fun setT (fun p : vec RR D * vec RR j => replay p.1 j p.2).
Proof.
elim: j => [|j IH]; first exact: measurable_fun_cst.
have mb : measurable_fun setT (fun p : vec RR D * vec RR j.+1 => replay p.1 j p.2.2).
  apply: (measurable_fun_comp (f := fun p : vec RR D * vec RR j => replay p.1 j p.2)
    (g := fun p : vec RR D * vec RR j.+1 => (p.1, p.2.2 : vec RR j))) => //.
  apply: mpair; first exact: mfst.
  by apply: (measurable_fun_comp (f := fun p : vec RR j.+1 => p.2 : vec RR j)); exact: msnd.
apply: (mchosen _ _ (vec RR D * vec RR j.+1)%type (vec RR j.+1) Y (fun p => rule j (replay p.1 j p.2.2))
  (fun z p => (p.2.1 + other p.1 j z, replay p.1 j p.2.2))) => z.
  by have := mb measurableT _ (mrule j z); rewrite setTI.
apply: mpair => //; apply: measurable_funD.
  by apply: (measurable_fun_comp (f := fun p : vec RR j.+1 => p.1 : RR)); [exact: mfst | exact: msnd].
by apply: (measurable_fun_comp (f := fun u : vec RR D => other u j z : RR)); [exact: mother | exact: mfst].
Qed.

Lemma mlook : measurable_drawn_rule _ (vec RR D) bool look.
Proof.
move=> j b; have -> : [set p : vec RR D * vec RR j | look p.1 j p.2 = b]%classic =
    (\bigcup_(z in [set z : Y | (z == x) = b]) ((fun p : vec RR D * vec RR j => replay p.1 j p.2) @^-1` [set g | rule j g = z]))%classic.
  by apply/seteqP; split=> p /=; [move=> e; exists (rule j (replay p.1 j p.2)) | case=> z e r; rewrite /look r].
apply: fin_bigcup_measurable => [|z _]; first exact: finite_finset.
by rewrite -[X in measurable X]setTI; apply: mreplay.
Qed.

Lemma own_kernel : has_kernel d n bool own_weights (one_arm (v x)) h tau.
Proof.
move=> i j a b hi hj; rewrite /own_weights /one_arm; case: a; case: b => /=; rewrite ?zeros0 ?zeros1; try ring.
by rewrite cov // /independent_arms eqxx.
Qed.

Lemma replayed g j : (j <= n)%N ->
  replay (rest (d + n) D g) j (outcomes.seen d bool own_weights sigma (look (rest (d + n) D g)) j (out g)) =
  hist RR Y M apart_at rule j g.
Proof.
elim: j => //= j IH hj; set u := rest (d + n) D g in IH *; rewrite IH ?(ltnW hj) //; congr (_, _).
rewrite /look IH ?(ltnW hj) //; set z := rule j _; rewrite /apart_at /other; case: eqP => [e|_].
  rewrite e told_atE // /outcomes.value /= Rplus_0_r; congr (_ + _).
have -> : outcomes.value d bool own_weights (out g) j false = 0 by exact: zeros0.
rewrite three_dot zeros0 (sum_ext n _ (fun l => identity l j * (sigma * out g (d + l)%N))); last by move=> l _; ring.
rewrite sum_one; last exact/ssrnat.ltP.
rewrite !Rplus_0_l /noise plusE; congr (_ + _); apply: sum_ext => l _.
by rewrite /u co_rest.
Qed.

Theorem player_earns V : earns_at_most n (v x) sigma h tau lam V -> (\int[law_]_g (earned_from told g)%:E <= V%:E)%E.
Proof.
move=> most; rewrite earned_apart.
have := most _ _ (standard_normal M) (fun l g => out g l) _ (vec RR D) (rest (d + n) D) d own_weights look
  (fewer (d + n) M (leq_addr _ _)) (rest_draws (d + n) D) own_kernel mlook; apply: le_trans.
rewrite /mean_of le_eqVlt; apply/orP; left; apply/eqP; apply: eq_integral => g _; congr EFin.
rewrite /earned_alone; apply: sum_ext => i /ssrnat.ltP hi; rewrite /outcomes.played {1}/look replayed ?(ltnW hi) // -/(pick RR Y M apart_at rule i g).
by case: ifP => // _; rewrite value_atE.
Qed.
End one_arm.

(* what is played, by the prices and the arms *)
Lemma by_arm g : sum n (fun i => dotp M (own i (pick RR Y M told rule i g)) g) = (sum n lam + \sum_(x : Y) earned_from x told g)%ring.
Proof.
rewrite /earned_from (eq_bigr (fun x => \sum_(i < n) (if pick RR Y M told rule i g == x then dotp M (own i x) g - lam i else 0))%ring); last first.
  by move=> x _; rewrite sumE.
rewrite exchange_big /= !sumE -big_split /=; apply: eq_bigr => i _.
rewrite (bigD1 (pick RR Y M told rule i g)) //= eqxx big1 ?addr0; last by move=> x /negbTE; rewrite eq_sym => ->.
by rewrite addrC subrK.
Qed.

Section floor.
Variables (V : Y -> R) (top : R).
Hypothesis h1 : forall t, h t t = 1.
Hypothesis mtop : mean_maximum Y (independent_arms Y v) top.
Hypothesis most : forall x, earns_at_most n (v x) sigma h tau lam (V x).

Lemma best_mean i : (i < n)%N -> (\int[law_]_g (best_value Y y0 (fun y => dotp M (own i y) g))%:E = top%:E)%E.
Proof.
move=> /ssrnat.ltP hi; rewrite -(mtop _ _ (standard_normal M) M (fun l g => out g l) (fun y => three d n (L i y) zero zero) y0 (coordinates M)).
  apply: eq_integral => g _; congr (best_value _ _ _)%:E; apply: funext => y.
  by rewrite dot_mk -(sumE M (fun l => three d n (L i y) zero zero l * out g l)).
move=> y z; have := three_dot2 d n D (L i y) zero zero (L i z) zero zero.
rewrite dot_mk2 -(sumE M (fun l => three d n (L i y) zero zero l * three d n (L i z) zero zero l)) => ->.
by rewrite !zeros0 !Rplus_0_r cov ?h1 ?Rmult_1_r.
Qed.

Lemma vectors_floor : ((sum n (fun i => top - lam i) - sum_over Y V)%R%:E <=
  \int[law_]_g (sum n (round_loss d Y L sigma rule (out g)))%:E)%E.
Proof.
pose B g : R := (\sum_(i < n) best_value Y y0 (fun y => dotp M (own i y) g))%ring.
pose W g : R := (\sum_(x : Y) earned_from x told g)%ring.
have hB : has_mean law_ B.
  by apply: has_mean_sum => i; apply: best_value_has_mean => y; exact: has_mean_dot.
have hW : has_mean law_ W by apply: has_mean_sum => x; exact: earned_has_mean.
have hl := has_mean_cst M (sum n lam).
have split_ g : (sum n (round_loss d Y L sigma rule (out g)))%:E = ((B g)%:E - (sum n lam)%:E - (W g)%:E)%E.
  rewrite -!EFinB; congr EFin; rewrite (sum_ext n _ (fun i => best_value Y y0 (fun y => dotp M (own i y) g) -
    dotp M (own i (pick RR Y M told rule i g)) g)); last by move=> i /ssrnat.ltP hi; rewrite round_loss_is // ltnW.
  rewrite sum_minus by_arm /B /W -(sumE n (fun i => best_value Y y0 (fun y => dotp M (own i y) g))).
  by rewrite -!RminusE -RplusE; ring.
under eq_integral do rewrite split_.
rewrite (integralB measurableT) //; last by have := integrableB measurableT hB hl.
rewrite (integralB measurableT hB hl).
have -> : (\int[law_]_g (B g)%:E = (sum n (fun=> top))%:E)%E.
  rewrite /B (mean_sum _ _ law_) => [|i]; last by apply: best_value_has_mean => y; exact: has_mean_dot.
  by rewrite (eq_bigr (fun=> top%:E)) ?sumEFin ?sumE // => i _; rewrite best_mean.
have -> : (\int[law_]_g (sum n lam)%:E = (sum n lam)%:E)%E.
  by have := integral_cst law_ measurableT (sum n lam)%:E; rewrite [X in (_ * X)%E]gaussT mule1.
have W_ : (\int[law_]_g (W g)%:E <= (sum_over Y V)%:E)%E.
  rewrite /W (mean_sum _ _ law_) => [|x]; last exact: earned_has_mean.
  rewrite /sum_over (_ : \big[Rplus/0]_(x : Y) V x = \sum_(x : Y) V x)%ring // -sumEFin.
  by apply: lee_sum => x _; exact: player_earns.
by rewrite sum_minus -EFinB [X in (X <= _)%E]EFinB; apply: lee_sub.
Qed.

Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Hypothesis normals : independent_normals dT T P (d + n) G.

Theorem prices_floor : mean_at_least dT T P (fun w => sum n (round_loss d Y L sigma rule (fun l => G l w)))
  (sum n (fun i => top - lam i) - sum_over Y V).
Proof.
pose F (g : vec RR (d + n)) : \bar RR := (sum n (round_loss d Y L sigma rule (co RR (d + n) g)))%:E.
have mF : measurable_fun setT F.
  have mr : measurable_drawn_rule _ [the measurableType _ of unit : Type] Y (fun=> rule).
    move=> j z; have -> : [set p : unit * vec RR j | rule j p.2 = z]%classic = (snd @^-1` [set g | rule j g = z])%classic by [].
    by rewrite -[X in measurable X]setTI; apply: (@msnd _ _ [the measurableType _ of unit : Type] (vec RR j)) => //; exact: mrule.
  apply/EFin_measurable_fun; apply: (measurable_fun_comp (g := fun g : vec RR (d + n) => (tt, g))
    (f := fun p : unit * vec RR (d + n) => sum n (round_loss d Y L sigma rule (co RR (d + n) p.2)) : RR)).
    by apply: (msum _ _ d n n (fun i p => round_loss d Y L sigma rule (co RR (d + n) p.2) i)) => i _;
      exact: (mround_loss _ _ d n Y L sigma (fun=> rule)).
  by apply: mpair; [exact: measurable_fun_cst | exact: measurable_fun_id].
have on dT' (T' : measurableType dT') (P' : measure_on dT' T') G' : independent_normals dT' T' P' (d + n) G' ->
    mean_of dT' T' P' (fun w => sum n (round_loss d Y L sigma rule (fun l => G' l w))) = (\int[law (d + n)%N]_g F g)%E.
  move=> ind; rewrite -(mean_on_vectors dT' T' P' G' _ F ind mF); apply: eq_integral => w _; congr EFin.
  apply: sum_ext => i /ssrnat.ltP hi; apply: round_loss_same hi _ => l hl; by rewrite /together co_mk.
rewrite /mean_at_least on // -(on _ (vec RR M) (standard_normal M) (fun l g => out g l)); last exact: fewer (leq_addr _ _).
exact: vectors_floor.
Qed.
End floor.
End prices.

(* ---- some number bounds what every player earns ---- *)
Section bounded.
Variables (n : nat) (v sigma : R) (h : R -> R -> R) (tau lam : nat -> R).
Hypothesis v0 : 0 <= v.
Hypothesis h1 : forall t, h t t = 1.

Lemma one_arm_kernel : kernel bool (one_arm v).
Proof.
move=> m x; split=> [i j _ _|c]; first by rewrite /one_arm andbC.
have e : sum m (fun i => sum m (fun j => c i * c j * one_arm v (x i) (x j))) = v * (sum m (fun i => if x i then c i else 0)) ^ 2.
  rewrite /= Rmult_1_r -sum_scalr -sum_scal; apply: sum_ext => i _; rewrite -!sum_scal; apply: sum_ext => j _.
  by rewrite /one_arm; case: (x i); case: (x j) => /=; ring.
by rewrite e; apply: Rmult_le_pos => //; exact: pow2_ge_0.
Qed.

Theorem earns_exists : exists V, earns_at_most n v sigma h tau lam V.
Proof.
have [top mm] := mean_maximum_exists (fin_type bool) true (one_arm v) one_arm_kernel.
exists (sum n (fun i => top + Rabs (lam i))) => dT T P G dS S U d L look normals drawn law mlook.
have [P1 [mG _]] := normals.
pose wide i (b : bool) := first d (L i b).
pose best i w := best_value (fin_type bool) true (fun b => value d bool L (fun l => G l w) i b).
have valueE i b w : value d bool L (fun l => G l w) i b = sum (d + n) (fun l => wide i b l * G l w).
  rewrite /value /wide -plusE sum_add [X in _ + X](sum_ext _ _ (fun=> 0)); last first.
    by move=> l _; rewrite plusE /first ltnNge leq_addr /= Rmult_0_l.
  by rewrite sum_0 Rplus_0_r; apply: sum_ext => l /ssrnat.ltP hl; rewrite /first hl.
have wideE i a b : (i < n)%coq_nat -> sum (d + n) (fun l => wide i a l * wide i b l) = one_arm v a b.
  move=> hi; have := law i i a b hi hi; rewrite h1 Rmult_1_r => <-; rewrite /wide -plusE sum_add.
  rewrite [X in _ + X](sum_ext _ _ (fun=> 0)); last by move=> l _; rewrite plusE /first ltnNge leq_addr /= Rmult_0_l.
  by rewrite sum_0 Rplus_0_r; apply: sum_ext => l /ssrnat.ltP hl; rewrite /first hl.
have zero i w : (i < n)%coq_nat -> value d bool L (fun l => G l w) i false = 0.
  move=> hi; have := law i i false false hi hi; rewrite /one_arm /= Rmult_0_l => e.
  have L0 l : (l < d)%coq_nat -> L i false l = 0.
    by move=> hl; have := sum_sq_ge d (fun l => L i false l * L i false l) l hl (fun j _ => Rle_0_sqr _); rewrite e => le0; apply: Rsqr_0_uniq; apply: Rle_antisym le0 (Rle_0_sqr _).
  by rewrite /value (sum_ext d _ (fun=> 0)) ?sum_0 // => l hl; rewrite L0 //; ring.
have bestE i : (i < n)%coq_nat -> mean_of dT T P (best i) = EFin top.
  move=> hi; rewrite -(mm dT T P (d + n)%N G (wide i) true normals (fun a b => wideE i a b hi)).
  by apply: eq_integral => w _; congr EFin; congr best_value; apply: funext => b; exact: valueE.
have mval i b : measurable_fun setT (fun w => value d bool L (fun l => G l w) i b : RR).
  rewrite /value; elim: (d) => [|N IH]; first exact: measurable_fun_cst.
  by apply: measurable_funD => //; apply: measurable_funM; [exact: measurable_fun_cst | exact: mG].
have mbest i : measurable_fun setT (best i : T -> RR).
  exact: (mbest_value _ _ (fin_type bool) true (fun b w => value d bool L (fun l => G l w) i b) (mval i)).
have best0 i w : (i < n)%coq_nat -> 0 <= best i w.
  by move=> hi; rewrite -(zero i w hi); exact: (best_value_ge _ _ _ false).
pose X w := earned_alone d n L sigma lam (look (U w)) (fun l => G l w).
pose Z w := sum n (fun i => best i w + Rabs (lam i)).
have XZ w : X w <= Z w.
  apply: sum_le => i hi; have b0 := best0 i w hi; have l0 := Rabs_pos (lam i); case: ifP => _; last lra.
  have := best_value_ge (fin_type bool) true (fun b => value d bool L (fun l => G l w) i b) true; rewrite -/(best i w).
  have := Rle_abs (- lam i); rewrite Rabs_Ropp; lra.
have Z0 w : 0 <= Z w by apply: sum_ge0 => i hi; have := best0 i w hi; have := Rabs_pos (lam i); lra.
have both : measurable_fun setT (fun w => (U w, together dT T (d + n) G w)).
  by case: drawn => mU _; apply: mpair => //; exact: (mtogether dT T (d + n) G mG).
pose plays w i := played d bool L sigma (look (U w)) (fun l => G l w) i.
have mpl i b : (i < n)%N -> measurable [set w | plays w i = b]%classic.
  move=> hi; have -> : [set w | plays w i = b]%classic = ((fun w => (U w, together dT T (d + n) G w)) @^-1`
      [set p | played d bool L sigma (look p.1) (co RR (d + n) p.2) i = b])%classic.
    have co_ w l : (l < d + n)%N -> co RR (d + n) (together dT T (d + n) G w) l = G l w by move=> hl; rewrite /together co_mk.
    by apply/seteqP; split=> w /=; rewrite /plays (played_same d n bool L sigma (look (U w)) _ _ (co_ w)) // ltnW.
  by rewrite -[X in measurable X]setTI; apply: both => //; exact: (mplayed dS S d n (fin_type bool) L sigma look mlook).
have mX : measurable_fun setT (X : T -> RR).
  have gen N : (N <= n)%N -> measurable_fun setT (fun w => sum N (fun i => if plays w i then value d bool L (fun l => G l w) i true - lam i else 0) : RR).
    elim: N => [|N IH] hN; first exact: measurable_fun_cst.
    apply: measurable_funD; first exact: IH (ltnW hN).
    apply: (mchosen_number _ T (fin_type bool) (fun w => plays w N)
      (fun b w => if b then value d bool L (fun l => G l w) N true - lam N else 0)) => b; first exact: mpl.
    by case: b; [apply: measurable_funB; [exact: mval|] |]; exact: measurable_fun_cst.
  exact: gen.
have parts N : (N <= n)%N -> measurable_fun setT (fun w => (sum N (fun i => best i w + Rabs (lam i)))%:E : \bar RR) /\
    (\int[Measure.sort P]_w (sum N (fun i => best i w + Rabs (lam i)))%:E = (sum N (fun i => top + Rabs (lam i)))%:E)%E.
  elim: N => [|N IH] hN.
    by split; [apply/EFin_measurable_fun; exact: measurable_fun_cst | exact: integral0].
  have [mN eN] := IH (ltnW hN); have hN' : (N < n)%coq_nat by exact/ssrnat.ltP.
  have m1 : measurable_fun setT (fun w => (best N w)%:E : \bar RR) by apply/EFin_measurable_fun.
  have m2 : measurable_fun setT (fun w : T => (Rabs (lam N))%:E : \bar RR) by apply/EFin_measurable_fun; exact: measurable_fun_cst.
  have m12 := emeasurable_funD m1 m2.
  split; first by have := emeasurable_funD mN m12.
  have -> : (fun w => (sum N.+1 (fun i => best i w + Rabs (lam i)))%:E) =
    (fun w => (sum N (fun i => best i w + Rabs (lam i)))%:E + ((best N w)%:E + (Rabs (lam N))%:E))%E by [].
  rewrite ge0_integralD //; last 2 first.
  - move=> w _; rewrite lee_fin; apply/RleP; apply: sum_ge0 => i hi.
    have iN : (i < n)%coq_nat by move/ssrnat.leP: hN; lia.
    exact: Rplus_le_le_0_compat (best0 i w iN) (Rabs_pos _).
  - by move=> w _; rewrite -EFinD lee_fin; apply/RleP; exact: Rplus_le_le_0_compat (best0 N w hN') (Rabs_pos _).
  rewrite eN ge0_integralD //; last 2 first.
  - by move=> w _; rewrite lee_fin; apply/RleP; exact: best0.
  - by move=> w _; rewrite lee_fin; apply/RleP; exact: Rabs_pos.
  have := bestE N hN'; rewrite /mean_of => ->; rewrite integral_cst // [X in (_ * X)%E]P1 mule1; by [].
have [mZ eZ] := parts n (leqnn n).
rewrite /mean_of -eZ -/Z; apply: (@le_trans _ _ (\int[Measure.sort P]_w ((fun w => (X w)%:E)^\+ w))%E).
  rewrite integralE; apply: gee_addl; rewrite oppe_le0; apply: integral_ge0 => w _; exact: funeneg_ge0.
apply: ge0_le_integral => //.
- by apply: emeasurable_fun_funepos; apply/EFin_measurable_fun.
- by move=> w _; rewrite lee_fin; apply/RleP; exact: Z0.
- by move=> w _; rewrite funeposE; case: (leP (X w)%:E 0%E) => _; rewrite lee_fin; apply/RleP; [exact: Z0 | exact: XZ].
Qed.
End bounded.
