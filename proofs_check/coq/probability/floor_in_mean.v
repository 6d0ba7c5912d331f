(******************************************************************************)
(*                The least mean of a regret, for every policy                *)
(*                                                                            *)
(* Theorem F in the mean: whoever sees whole noisy pictures can play every    *)
(* policy, and predicts the objective with 1 - p of its covariance.           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   mean_on_vectors == a mean on any space is one on R^n                     *)
(*   mean_maximum_exists == the mean of the largest value is the same on all  *)
(*       spaces                                                               *)
(*   mean_maximum_ge0 == it is not negative                                   *)
(*   round_floor, regret_floor == what a round and n rounds lose at least     *)
(*   markov_floor == with the shares of the recursion                         *)
(*   charged_floor == the charging lemma of Theorem I in the mean             *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, adaptive_posterior, normal_density, adaptive_confidence,   *)
(* posterior_kernel, reflections, moments, floors, charging, scalar, normal,  *)
(* definitions, sums, gains, full_information, outcomes, combinations,        *)
(* joint_law, any_space, expected_regret.                                     *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior normal_density
  adaptive_confidence posterior_kernel reflections moments.
From Coq Require Import Reals Lra Lia.
From CTV Require floors charging.
From CTV Require Import scalar normal definitions sums gains full_information outcomes combinations joint_law any_space
  expected_regret.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation law m := [the {measure set vec RR m -> \bar RR}%ring of gauss RR normal_density.normal m].

(* ---- a mean on any space is one on vectors ---- *)

Lemma mean_on_vectors dT (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R) m (F : vec RR m -> \bar RR) :
  independent_normals dT T P m G -> measurable_fun setT F ->
  (\int[Measure.sort P]_w F (together dT T m G w) = \int[law m]_g F g)%E.
Proof.
move=> ind mF; have [_ [mG _]] := ind; have mt := mtogether dT T m G mG.
have nn (H : vec RR m -> \bar RR) : measurable_fun setT H -> (forall g, (0 <= H g)%E) ->
    (\int[Measure.sort P]_w H (together dT T m G w) = \int[law m]_g H g)%E.
  move=> mH H0; rewrite -[LHS](integral_pushforward mt P mH H0).
  by apply: eq_measure_integral => A mA _; exact: (joint_law dT T P m G mG ind A mA).
rewrite integralE [RHS]integralE; congr (_ - _)%E.
  rewrite -[RHS]nn //; try exact: (emeasurable_fun_funepos mF); by apply: eq_integral => w _; rewrite !funeposE.
rewrite -[RHS]nn //; try exact: (emeasurable_fun_funeneg mF); by apply: eq_integral => w _; rewrite !funenegE.
Qed.

Lemma fewer m M : (m <= M)%N ->
  independent_normals _ (vec RR M) (standard_normal M) m (fun i g => co RR M g i).
Proof.
move=> mM; split; first exact: gaussT; split; first by move=> i; exact: argmax_rule.mco.
move=> t; pose box' := fix box' (l : nat) (N : nat) (t : nat -> R) : set (vec RR N) :=
  match N return set (vec RR N) with
  | O => setT
  | S K => if l is S l' then (below (t O) `*` box' l' K (fun i => t (S i)))%classic else setT
  end.
have mbox' l N u : measurable (box' l N u).
  elim: N l u => [|N IH] [|l] u //=; apply: measurableM; [exact: mbelow | exact: IH].
have gbox l N u : (l <= N)%N -> gauss RR normal_density.normal N (box' l N u) = EFin (product l (fun i => normal_cdf (u i))).
  elim: l N u => [|l IH] [|N] u //= lN; try by exact: gaussT.
  have -> : (below (u O) `*` box' l N (fun i => u (S i)))%classic =
    [set p : vec RR N.+1 | below (u O) p.1 /\ box' l N (fun i => u (S i)) p.2]%classic by [].
  by rewrite gauss_pair; [rewrite IH // law1_below -EFinM | exact: mbox' | exact: mbelow].
have boxE l N (u : nat -> RR) (g : vec RR N) : (l <= N)%N -> box' l N u g <-> forall i, (i < l)%coq_nat -> co RR N g i < u i.
  elim: l N u g => [|l IH] [|N] u g //= lN; try by split=> // _ i; lia.
  have [h1 h2] := IH N (fun i => u (S i)) g.2 lN; split.
    case=> /= /RltP b0 /h1 b; move=> [|i] hi; first exact: b0.
    by apply: b; lia.
  move=> h; split; first by apply/RltP; apply: (h O); lia.
  by apply: h2 => i hi; apply: (h (S i)); lia.
rewrite -(gbox m M t mM); congr (gauss _ _ _ _).
by apply/seteqP; split=> g; have [a b] := boxE m M t g mM; [exact: b | exact: a].
Qed.

(* combinations of the first d coordinates *)
Definition first (d : nat) (c : nat -> R) (l : nat) : R := if (l < d)%N then c l else 0.

Lemma first_dot d M c (g : vec RR M) : (d <= M)%N -> vectors.dot RR M (mk RR M (first d c)) g = sum d (fun l => c l * co RR M g l).
Proof.
move=> dM; rewrite dot_mk -(sumE M (fun l => first d c l * co RR M g l)).
rewrite -{1}(subnKC dM) -plusE sum_add [X in _ + X](sum_ext _ _ (fun=> 0)); last first.
  by move=> l _; rewrite plusE /first ltnNge leq_addr /= Rmult_0_l.
by rewrite sum_0 Rplus_0_r; apply: sum_ext => l /ssrnat.ltP hl; rewrite /first hl.
Qed.

Lemma first_dot2 d M c e : (d <= M)%N -> vectors.dot RR M (mk RR M (first d c)) (mk RR M (first d e)) = sum d (fun l => c l * e l).
Proof.
move=> dM; rewrite first_dot //; apply: sum_ext => l /ssrnat.ltP hl.
by rewrite co_mk ?(leq_trans hl) // /first hl.
Qed.

(* ---- the mean of the largest value is the same on all spaces ---- *)

Theorem mean_maximum_exists (Y : finType) (y0 : Y) k : kernel Y k -> exists m, mean_maximum Y k m.
Proof.
move=> pk; have [L0 e0] := features Y k pk; pose D := #|Y|.
have e0' y z : sum D (fun l => L0 y l * L0 z l) = k y z by rewrite -e0 sumE.
have hm q M (L : Y -> nat -> R) : has_mean (law M) (fun g => best_value Y y0 (fun y => vectors.dot RR M (mk RR M (first q (L y))) g)).
  by apply: best_value_has_mean => y; exact: has_mean_dot.
have fin := integral_fune_fin_num measurableT (hm D D L0).
exists (fine (\int[law D]_g (best_value Y y0 (fun y => vectors.dot RR D (mk RR D (first D (L0 y))) g))%:E)%E).
move=> dT T P d G L a ind e; pose M := (d + D)%N.
rewrite fineK //; have on q (F : Y -> nat -> R) dT' (T' : measurableType dT') (P' : measure_on dT' T') G' :
    independent_normals dT' T' P' q G' ->
    (\int[Measure.sort P']_w (best_value Y y0 (fun y => sum q (fun l => F y l * G' l w)))%:E =
     \int[law q]_g (best_value Y y0 (fun y => vectors.dot RR q (mk RR q (first q (F y))) g))%:E)%E.
  move=> ind'; rewrite -(mean_on_vectors dT' T' P' G' q _ ind'); last first.
    by have /integrableP[] := hm q q F.
  apply: eq_integral => w _; congr (best_value _ _ _)%:E; apply: funext => y; rewrite first_dot //.
  by apply: sum_ext => l /ssrnat.ltP hl; rewrite /together co_mk.
have -> : mean_of dT T P (fun w => best_value Y a (fun y => sum d (fun l => L y l * G l w))) =
    (\int[Measure.sort P]_w (best_value Y y0 (fun y => sum d (fun l => L y l * G l w)))%:E)%E.
  by apply: eq_integral => w _; rewrite (best_value_any Y a y0).
rewrite on // -(on d L _ _ (standard_normal M) _ (fewer d M (leq_addr _ _))).
rewrite -(on D L0 _ _ (standard_normal M) _ (fewer D M (leq_addl _ _))).
pose u q (F : Y -> nat -> R) i := mk RR M (first q (F (nth y0 (enum Y) i))).
have dM : (d <= M)%N by exact: leq_addr.
have DM : (D <= M)%N by exact: leq_addl.
have [|Q iQ uQ] := carried_to RR normal_density.normal M #|Y| (u d L) (u D L0).
  by move=> i j _ _; rewrite !first_dot2 // e e0'.
have [_ dQ _] := iQ; have /integrableP[mD _] := hm D M L0.
transitivity (\int[law M]_g (best_value Y y0 (fun y => vectors.dot RR M (mk RR M (first D (L0 y))) (Q g)))%:E)%E.
  apply: eq_integral => g _; congr (best_value _ _ _)%:E; apply: funext => y.
  rewrite -first_dot // -(dQ _ g); congr (vectors.dot _ _ _ _).
  by have := uQ (enum_rank y) (ltn_ord _); rewrite /u -enum_val_nth enum_rankK.
rewrite (isometry_integral RR normal_density.normal M Q (fun g => (best_value Y y0 (fun y => vectors.dot RR M (mk RR M (first D (L0 y))) g))%:E) iQ mD).
by apply: eq_integral => g _; congr (best_value _ _ _)%:E; apply: funext => y; rewrite first_dot.
Qed.

(* it is not negative: the largest value is at least that of one point, whose mean is 0 *)
Theorem mean_maximum_ge0 (Y : finType) (y0 : Y) k m : kernel Y k -> mean_maximum Y k m -> 0 <= m.
Proof.
move=> pk mm; have [L e0] := features Y k pk; pose D := #|Y|.
have e0' y z : sum D (fun l => L y l * L z l) = k y z by rewrite -e0 sumE.
have := mm _ _ (standard_normal D) D (fun l g => co RR D g l) L y0 (coordinates D) e0'; rewrite /mean_of => e.
pose v y := mk RR D (L y).
have vE y g : sum D (fun l => L y l * co RR D g l) = dotp D (v y) g by rewrite dot_mk -(sumE D (fun l => L y l * co RR D g l)).
have hl : has_mean (law D) (fun g => best_value Y y0 (fun y => dotp D (v y) g)).
  by apply: best_value_has_mean => y; exact: has_mean_dot.
have e' : (\int[law D]_g (best_value Y y0 (fun y => dotp D (v y) g))%:E = m%:E)%E.
  by rewrite -e; apply: eq_integral => g _; congr (best_value _ _ _)%:E; apply: funext => y; rewrite vE.
have z : (\int[law D]_g (dotp D (v y0) g)%:E = 0)%E.
  have := blind D setT (v y0) measurableT (fun g => conj (fun=> Logic.I) (fun=> Logic.I)); apply: etrans.
  by apply: eq_integral => g _; rewrite indicE in_setT mulr1.
suff : (0 <= m%:E)%E by rewrite lee_fin => /RleP h; exact: h.
rewrite -e' -z -sube_ge0; last by apply/orP; left; rewrite z.
rewrite -(integralB measurableT hl (has_mean_dot D (v y0))); apply: integral_ge0 => g _.
by rewrite /= -EFinB lee_fin subr_ge0; apply/RleP; exact: (best_value_ge Y y0 (fun y => dotp D (v y) g)).
Qed.

(* ---- three kinds of coordinates: the objective's, the noises', and those of the pictures' errors ---- *)
Section three.
Variables d n D : nat.
Notation M := (d + n + D)%N.
Definition three (A B C : nat -> R) (l : nat) : R :=
  if (l < d)%N then A l else if (l < d + n)%N then B (l - d)%N else C (l - (d + n))%N.

Lemma three_sum A B C (F : nat -> R) : sum M (fun l => three A B C l * F l) =
  sum d (fun l => A l * F l) + sum n (fun j => B j * F (d + j)%N) + sum D (fun l => C l * F (d + n + l)%N).
Proof.
rewrite -plusE !sum_add; congr (_ + _ + _); apply: sum_ext => l /ssrnat.ltP hl; rewrite /three ?plusE.
- by rewrite hl.
- by rewrite ltnNge leq_addr /= ltn_add2l hl addKn.
- by rewrite ltnNge -addnA leq_addr /= ltnNge addnA leq_addr /= addKn.
Qed.

Lemma three_dot A B C (g : vec RR M) : dotp M (mk RR M (three A B C)) g =
  sum d (fun l => A l * co RR M g l) + sum n (fun j => B j * co RR M g (d + j)%N) + sum D (fun l => C l * co RR M g (d + n + l)%N).
Proof. by rewrite dot_mk -(sumE M (fun l => three A B C l * co RR M g l)) three_sum. Qed.

Lemma three_dot2 A B C A' B' C' : dotp M (mk RR M (three A B C)) (mk RR M (three A' B' C')) =
  sum d (fun l => A l * A' l) + sum n (fun j => B j * B' j) + sum D (fun l => C l * C' l).
Proof.
rewrite three_dot; congr (_ + _ + _); apply: sum_ext => l /ssrnat.ltP hl.
- by rewrite co_mk ?(leq_trans hl) // -?addnA ?leq_addr // /three hl.
- by rewrite co_mk; [rewrite /three ltnNge leq_addr /= ltn_add2l hl addKn | rewrite -addnA ltn_add2l ltn_addr].
- rewrite co_mk ?ltn_add2l // /three ltnNge -addnA leq_addr /= ltnNge addnA leq_addr /=; congr (_ * C' _).
  by rewrite addKn.
Qed.
End three.

Lemma sum_one n j (F : nat -> R) : (j < n)%coq_nat -> sum n (fun l => identity l j * F l) = F j.
Proof.
move=> hj; rewrite (sum_ext n _ (fun l => if Nat.eqb l j then F l else 0)); last first.
  by move=> l _; rewrite /identity; case: Nat.eqb; ring.
elim: n hj => [|n IH] hj; first by lia.
rewrite /=; case: (Nat.eqb_spec n j) => [e|ne].
  rewrite (sum_ext n _ (fun=> 0)) ?sum_0 ?e; first by ring.
  by move=> l hl; case: (Nat.eqb_spec l j) => // e'; lia.
by rewrite IH; [ring | lia].
Qed.

Lemma identity_kernel : kernel nat identity.
Proof.
move=> n x; split=> [i j _ _|c]; first by rewrite /identity Nat.eqb_sym.
have [N hN] : exists N, forall i, (i < n)%coq_nat -> (x i < N)%coq_nat.
  elim: n => [|n [N h]]; first by exists O => i; lia.
  exists (Nat.max N (S (x n))) => i hi; case: (Nat.eq_dec i n) => [->|ne].
    exact: (Nat.le_trans _ _ _ (Nat.lt_succ_diag_r _) (Nat.le_max_r _ _)).
  exact: (Nat.lt_le_trans _ _ _ (h i ltac:(lia)) (Nat.le_max_l _ _)).
have -> : sum n (fun i => sum n (fun j => c i * c j * identity (x i) (x j))) =
    sum N (fun l => sum n (fun i => identity l (x i) * c i) ^ 2).
  rewrite (sum_ext N _ (fun l => sum n (fun i => sum n (fun j => c i * c j * (identity l (x i) * identity l (x j)))))); last first.
    move=> l _; rewrite /= Rmult_1_r -sum_scalr; apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
  rewrite [RHS]sum_swap; apply: sum_ext => i hi; rewrite [RHS]sum_swap; apply: sum_ext => j hj.
  by rewrite sum_scal sum_one //; exact: hN.
by apply: sum_ge0 => l _; exact: pow2_ge_0.
Qed.

Lemma best_value_scale (Y : finType) (a : Y) (f : Y -> R) t : 0 <= t -> best_value Y a (fun y => t * f y) = t * best_value Y a f.
Proof.
move=> t0; apply: Rle_antisym.
  have [y ->] := best_value_is Y a (fun y => t * f y); apply: Rmult_le_compat_l => //; exact: best_value_ge.
by have [y ->] := best_value_is Y a f; exact: (best_value_ge Y a (fun y => t * f y)).
Qed.

(* ---- Theorem F in the mean ---- *)
Section floor.
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (kappa top : R).
Hypothesis sigma0 : 0 < sigma.
Hypothesis kappa0 : 0 < kappa.
Hypothesis pk : kernel Y k.
Hypothesis ph : kernel R h.
Hypothesis k1 : forall z, k z z <= kappa.
Hypothesis h1 : forall t, h t t = 1.
Hypothesis cov : has_kernel d n Y L k h tau.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis mtop : mean_maximum Y k top.

Definition noise_ratio : R := kappa / sigma ^ 2.
Definition left_share (i : nat) : R :=
  covariance noise_ratio i (gram R h tau) (fun l => h (tau l) (tau i)) (fun l => h (tau l) (tau i)) 1.

Let y0 : Y := rule O tt.
Notation zero := (fun _ : nat => 0).
Notation at_ D := (mk RR (d + n + D)%N).
Definition value_at D i y : vec RR (d + n + D)%N := at_ D (three d n (L i y) zero zero).
Definition told_at D j y : vec RR (d + n + D)%N := at_ D (three d n (L j y) (fun l => identity l j * sigma) zero).

Lemma value_atE D i y g : dotp _ (value_at D i y) g = value d Y L (co RR (d + n + D)%N g) i y.
Proof.
rewrite three_dot (sum_ext n _ (fun=> 0)) ?sum_0; last by move=> j _; ring.
rewrite (sum_ext D _ (fun=> 0)) ?sum_0; last by move=> j _; ring.
by rewrite !Rplus_0_r.
Qed.

Lemma told_atE D j y g : (j < n)%N ->
  dotp _ (told_at D j y) g = value d Y L (co RR (d + n + D)%N g) j y + noise d sigma (co RR (d + n + D)%N g) j.
Proof.
move=> hj; rewrite three_dot (sum_ext D _ (fun=> 0)) ?sum_0; last by move=> l _; ring.
rewrite (sum_ext n _ (fun l => identity l j * (sigma * co RR (d + n + D)%N g (d + l)%N))); last by move=> l _; ring.
by rewrite Rplus_0_r sum_one //; exact/ssrnat.ltP.
Qed.

Lemma picked D i g : (i <= n)%N ->
  played d Y L sigma rule (co RR (d + n + D)%N g) i = pick RR Y (d + n + D)%N (told_at D) rule i g.
Proof.
move=> hi; rewrite /played /pick; congr (rule _ _); elim: i hi => //= i IH hi.
by rewrite IH ?(ltnW hi) // told_atE.
Qed.

Lemma round_loss_is D i g : (i <= n)%N -> round_loss d Y L sigma rule (co RR (d + n + D)%N g) i =
  best_value Y y0 (fun y => dotp _ (value_at D i y) g) - dotp _ (value_at D i (pick RR Y (d + n + D)%N (told_at D) rule i g)) g.
Proof.
move=> hi; rewrite /round_loss (best_value_any Y _ y0) value_atE picked //; congr (best_value _ _ _ - _).
by apply: funext => y; rewrite value_atE.
Qed.

Lemma best_value_mean D i : has_mean (law (d + n + D)%N) (fun g => best_value Y y0 (fun y => dotp _ (value_at D i y) g)).
Proof. by apply: best_value_has_mean => y; exact: has_mean_dot. Qed.

Lemma picked_mean D i : has_mean (law (d + n + D)%N)
  (fun g => dotp _ (value_at D i (pick RR Y (d + n + D)%N (told_at D) rule i g)) g).
Proof. by apply: (has_mean_pick _ i Y rule mrule (told_at D)). Qed.

Lemma round_loss_mean D i : (i <= n)%N ->
  (\int[law (d + n + D)%N]_g (round_loss d Y L sigma rule (co RR (d + n + D)%N g) i)%:E =
   \int[law (d + n + D)%N]_g (best_value Y y0 (fun y => dotp _ (value_at D i y) g))%:E -
   \int[law (d + n + D)%N]_g (dotp _ (value_at D i (pick RR Y (d + n + D)%N (told_at D) rule i g)) g)%:E)%E.
Proof.
move=> hi; rewrite -(integralB measurableT (best_value_mean D i) (picked_mean D i)).
by apply: eq_integral => g _; rewrite round_loss_is.
Qed.

(* the features of the pictures' errors *)
Section pictures.
Variables (D : nat) (E : nat -> Y -> nat -> R).
Hypothesis errors : forall j l x y, (j < n)%N -> (l < n)%N -> sum D (fun a => E j x a * E l y a) = k x y * identity j l.
Notation M := (d + n + D)%N.
Notation q := (sqrt (/ noise_ratio)).
Definition shown_at j y : vec RR M :=
  at_ D (three d n (L j y) (fun l => identity l j * (sigma * sqrt (1 - k y y / kappa))) (fun l => q * E j y l)).

Variable i : nat.
Hypothesis i_n : (i < n)%N.
Variable c : nat -> R.
Definition predicted_at y : vec RR M :=
  at_ D (three d n (fun l => sum i (fun j => c j * L j y l)) zero (fun l => sum i (fun j => c j * (q * E j y l)))).

Lemma noise_ratio0 : 0 < noise_ratio.
Proof. by apply: Rdiv_lt_0_compat => //; apply: pow_lt. Qed.
Lemma qq : q * q = / noise_ratio.
Proof. by apply: sqrt_sqrt; left; apply: Rinv_0_lt_compat; exact: noise_ratio0. Qed.

Lemma zeros m (F : nat -> R) : sum m (fun l => F l * 0) = 0.
Proof. by rewrite (sum_ext m _ (fun=> 0)) ?sum_0 // => l _; ring. Qed.
Lemma zeros' m (F : nat -> R) : sum m (fun l => 0 * F l) = 0.
Proof. by rewrite (sum_ext m _ (fun=> 0)) ?sum_0 // => l _; ring. Qed.

Lemma k0 z : 0 <= k z z.
Proof.
have [_ p] := pk 1%N (fun=> z); have := p (fun=> 1); rewrite /=; lra.
Qed.

Lemma alike_told (s : nat -> Y) j l : (j <= i)%N -> (l <= i)%N ->
  dotp M (told_at D j (s j)) (told_at D l (s l)) = dotp M (shown_at j (s j)) (shown_at l (s l)).
Proof.
move=> ji li; have jn := leq_ltn_trans ji i_n; have ln := leq_ltn_trans li i_n.
rewrite !three_dot2 zeros Rplus_0_r Rplus_assoc; congr (_ + _).
rewrite (sum_ext D _ (fun a => q * q * (E j (s j) a * E l (s l) a))); last by move=> a _; ring.
rewrite sum_scal errors // qq.
have one x x' : sum n (fun a => identity a j * x * (identity a l * x')) = identity j l * x * x'.
  rewrite (sum_ext n _ (fun a => identity a j * (identity a l * x * x'))); last by move=> a _; ring.
  by rewrite sum_one //; exact/ssrnat.ltP.
rewrite !one /identity; case: (Nat.eqb_spec j l) => [->|_]; last by ring.
set u := sqrt (1 - k (s l) (s l) / kappa); have uu : u * u = 1 - k (s l) (s l) / kappa.
  apply: sqrt_sqrt; have := k1 (s l) => kl; apply: Rge_le; apply: Rge_minus; apply: Rle_ge.
  by apply: (Rmult_le_reg_r kappa) => //; rewrite /Rdiv Rmult_assoc Rinv_l; lra.
have -> : 1 * (sigma * u) * (sigma * u) = sigma ^ 2 * (u * u) by ring.
by rewrite uu /noise_ratio; field; split; lra.
Qed.

Lemma alike_value y j x : (j <= i)%N -> dotp M (value_at D i y) (told_at D j x) = dotp M (value_at D i y) (shown_at j x).
Proof. by move=> _; rewrite !three_dot2 !zeros'. Qed.

Hypothesis c1 : forall j (x y : Y), (j < i)%coq_nat ->
  sum i (fun l => c l * (k x y * (h (tau l) (tau j) + identity l j / noise_ratio))) = k x y * h (tau j) (tau i).
Hypothesis c2 : forall x y : Y,
  sum i (fun l => sum i (fun j => c l * c j * (k x y * (h (tau l) (tau j) + identity l j / noise_ratio)))) =
  (1 - left_share i) * k x y.

Lemma predicts_value y j x : (j < i)%N -> dotp M (value_at D i y) (shown_at j x) = dotp M (predicted_at y) (shown_at j x).
Proof.
move=> ji; have jn : (j < n)%N by exact: ltn_trans i_n.
rewrite !three_dot2 !zeros' !Rplus_0_r cov; [|exact/ssrnat.ltP|exact/ssrnat.ltP].
have [sh _] := ph 2%N (fun l => if Nat.eqb l 0 then tau i else tau j); have := sh 0%N 1%N ltac:(lia) ltac:(lia) => /= ->.
rewrite -c1; last exact/ssrnat.ltP.
have part N (F : nat -> Y -> nat -> R) (H : nat -> R) :
    sum N (fun a => sum i (fun l => c l * F l y a) * H a) = sum i (fun l => c l * sum N (fun a => F l y a * H a)).
  rewrite (sum_ext N _ (fun a => sum i (fun l => c l * (F l y a * H a)))); last first.
    by move=> a _; rewrite -sum_scalr; apply: sum_ext => l _; ring.
  by rewrite sum_swap; apply: sum_ext => l _; rewrite sum_scal.
rewrite (part d L) (part D (fun l y a => q * E l y a)) -sum_plus; apply: sum_ext => l /ssrnat.ltP hl.
have ln : (l < n)%N by exact: ltn_trans i_n.
rewrite cov; [|exact/ssrnat.ltP|exact/ssrnat.ltP].
rewrite (sum_ext D _ (fun a => q * q * (E l y a * E j x a))); last by move=> a _; ring.
by rewrite sum_scal errors // qq /Rdiv; ring.
Qed.

Lemma predicted_covariance x y : dotp M (predicted_at x) (predicted_at y) = (1 - left_share i) * k x y.
Proof.
rewrite three_dot2 zeros' Rplus_0_r -c2.
have part N (F : nat -> Y -> nat -> R) :
    sum N (fun a => sum i (fun l => c l * F l x a) * sum i (fun j => c j * F j y a)) =
    sum i (fun l => sum i (fun j => c l * c j * sum N (fun a => F l x a * F j y a))).
  rewrite (sum_ext N _ (fun a => sum i (fun l => sum i (fun j => c l * c j * (F l x a * F j y a))))); last first.
    by move=> a _; rewrite -sum_scalr; apply: sum_ext => l _; rewrite -sum_scal; apply: sum_ext => j _; ring.
  rewrite sum_swap; apply: sum_ext => l _; rewrite sum_swap; apply: sum_ext => j _; by rewrite sum_scal.
rewrite (part d L) (part D (fun l y a => q * E l y a)) -sum_plus; apply: sum_ext => l /ssrnat.ltP hl.
rewrite -sum_plus; apply: sum_ext => j /ssrnat.ltP hj.
have ln : (l < n)%N by exact: ltn_trans i_n.
have jn : (j < n)%N by exact: ltn_trans i_n.
rewrite cov; [|exact/ssrnat.ltP|exact/ssrnat.ltP].
rewrite (sum_ext D _ (fun a => q * q * (E l x a * E j y a))); last by move=> a _; ring.
by rewrite sum_scal errors // qq /Rdiv; ring.
Qed.

(* the mean of the largest prediction *)
Lemma predicted_mean : (\int[law M]_g (best_value Y y0 (fun y => dotp M (predicted_at y) g))%:E = (sqrt (1 - left_share i) * top)%R%:E)%E.
Proof.
have [le|gt] := Rle_lt_dec (1 - left_share i) 0.
  have z y g : dotp M (predicted_at y) g = 0.
    apply: (dot_null RR M); rewrite predicted_covariance; apply: Rle_antisym; first by have := Rmult_le_compat_r _ _ _ (k0 y) le; rewrite Rmult_0_l.
    by rewrite -predicted_covariance; apply/RleP; exact: dot_ge0.
  rewrite sqrt_neg_0 // Rmult_0_l -[RHS](integral0 (law M) setT); apply: eq_integral => g _; congr EFin.
  by have [y ->] := best_value_is Y y0 (fun y => dotp M (predicted_at y) g).
pose t := sqrt (1 - left_share i); have t0 : 0 < t by exact: sqrt_lt_R0.
have tt : t * t = 1 - left_share i by apply: sqrt_sqrt; lra.
pose F y := three d n (fun l => sum i (fun j => c j * L j y l)) zero (fun l => sum i (fun j => c j * (q * E j y l))).
have mt := mtop _ _ (standard_normal M) M (fun l g => co RR M g l) (fun y l => / t * F y l) y0 (coordinates M).
have dotE y g : dotp M (predicted_at y) g = sum M (fun l => F y l * co RR M g l) by rewrite dot_mk -(sumE M (fun l => F y l * co RR M g l)).
have gramF y z : sum M (fun l => / t * F y l * (/ t * F z l)) = k y z.
  rewrite (sum_ext M _ (fun l => / t * / t * (F y l * F z l))); last by move=> l _; ring.
  rewrite sum_scal; have := predicted_covariance y z; rewrite dot_mk2 -(sumE M (fun l => F y l * F z l)) => ->.
  by rewrite -tt; field; lra.
have e g : best_value Y y0 (fun y => sum M (fun l => / t * F y l * co RR M g l)) = / t * best_value Y y0 (fun y => dotp M (predicted_at y) g).
  rewrite -best_value_scale; last by left; exact: Rinv_0_lt_compat.
  by congr (best_value _ _ _); apply: funext => y; rewrite dotE -sum_scal; apply: sum_ext => l _; ring.
have {}mt := mt gramF; move: mt; rewrite /mean_of; under eq_integral do rewrite e EFinM.
have hm : has_mean (law M) (fun g => best_value Y y0 (fun y => dotp M (predicted_at y) g)).
  by apply: best_value_has_mean => y; exact: has_mean_dot.
rewrite integralM //; have := integral_fune_fin_num measurableT hm.
rewrite /comp; case: (\int[_]_g _)%E => //= x _ [] xe; congr EFin.
have {}xe : / t * x = top by [].
by rewrite -xe -/t; change (@eq R x (t * (/ t * x))); field; lra.
Qed.

Lemma value_mean : (\int[law M]_g (best_value Y y0 (fun y => dotp M (value_at D i y) g))%:E = top%:E)%E.
Proof.
rewrite -(mtop _ _ (standard_normal M) M (fun l g => co RR M g l) (fun y => three d n (L i y) zero zero) y0 (coordinates M)).
  apply: eq_integral => g _; congr (best_value _ _ _)%:E; apply: funext => y.
  by rewrite dot_mk -(sumE M (fun l => three d n (L i y) zero zero l * co RR M g l)).
move=> y z; have := three_dot2 d n D (L i y) zero zero (L i z) zero zero.
rewrite dot_mk2 -(sumE M (fun l => three d n (L i y) zero zero l * three d n (L i z) zero zero l)) => ->.
by rewrite !zeros' !Rplus_0_r cov ?h1 ?Rmult_1_r //; exact/ssrnat.ltP.
Qed.

Lemma played_mean : (\int[law M]_g (dotp M (value_at D i (pick RR Y M (told_at D) rule i g)) g)%:E <= (sqrt (1 - left_share i) * top)%R%:E)%E.
Proof.
rewrite -predicted_mean.
exact: (played_below M i Y (value_at D i) (told_at D) shown_at predicted_at rule mrule alike_told alike_value predicts_value y0).
Qed.

Lemma round_loss_floor : (((1 - sqrt (1 - left_share i)) * top)%R%:E <=
  \int[law M]_g (round_loss d Y L sigma rule (co RR M g) i)%:E)%E.
Proof.
rewrite round_loss_mean ?(ltnW i_n) // value_mean.
have -> : (1 - sqrt (1 - left_share i)) * top = top - sqrt (1 - left_share i) * top by ring.
by rewrite EFinB lee_sub // played_mean.
Qed.
End pictures.

(* ---- on any space ---- *)
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Hypothesis normals : independent_normals dT T P (d + n) G.
Notation out w := (fun l => G l w).

Lemma round_loss_same g g' i : (i < n)%N -> (forall l, (l < d + n)%N -> g l = g' l) ->
  round_loss d Y L sigma rule g i = round_loss d Y L sigma rule g' i.
Proof.
move=> hi e; rewrite /round_loss (played_same d n Y L sigma rule g g' e) ?(ltnW hi) // (value_same d n Y L g g' e).
by congr (best_value _ _ _ - _); apply: funext => y; exact: (value_same d n Y L g g' e).
Qed.

Lemma round_loss_measurable i : (i < n)%N ->
  measurable_fun setT (fun g : vec RR (d + n + 0)%N => (round_loss d Y L sigma rule (co RR (d + n + 0)%N g) i)%:E).
Proof.
move=> hi; have /integrableP[mB _] := integrableB measurableT (best_value_mean 0 i) (picked_mean 0 i).
apply: eq_measurable_fun mB => g _; by rewrite round_loss_is // ltnW.
Qed.

Lemma mean_round_loss dT' (T' : measurableType dT') (P' : measure_on dT' T') G' i : (i < n)%N ->
  independent_normals dT' T' P' (d + n) G' ->
  mean_of dT' T' P' (fun w => round_loss d Y L sigma rule (fun l => G' l w) i) =
  (\int[law (d + n + 0)%N]_g (round_loss d Y L sigma rule (co RR (d + n + 0)%N g) i)%:E)%E.
Proof.
move=> hi; rewrite -[X in independent_normals _ _ _ X _]addn0 => ind.
rewrite -(mean_on_vectors dT' T' P' G' _ _ ind (round_loss_measurable i hi)).
apply: eq_integral => w _; congr EFin; apply: round_loss_same => // l hl; by rewrite /together co_mk ?addn0.
Qed.

Theorem round_floor i : (i < n)%coq_nat ->
  (((1 - sqrt (1 - left_share i)) * top)%R%:E <= mean_of dT T P (fun w => round_loss d Y L sigma rule (out w) i))%E.
Proof.
move=> /ssrnat.ltP hi.
have pX : kernel (fin_type (Y * 'I_n.+1)%type) (fun p q => k p.1 q.1 * identity p.2 q.2).
  by move=> m x; exact: (semidefinite_hadamard m _ _ (pk m (fun i => (x i).1)) (identity_kernel m (fun i => (x i).2 : nat))).
have [E0 e0] := features _ _ pX; pose D := #|(fin_type (Y * 'I_n.+1)%type)|.
have errors j l x y : (j < n)%N -> (l < n)%N ->
    sum D (fun a => E0 (x, inord j) a * E0 (y, inord l) a) = k x y * identity j l.
  move=> hj hl; have := e0 (x, inord j) (y, inord l); rewrite /= !inordK ?ltnS ?(ltnW hj) ?(ltnW hl) // => <-.
  by rewrite sumE.
have [c [c1 c2]] := share_player Y k h noise_ratio ph noise_ratio0 i tau (tau i).
rewrite mean_round_loss // -(mean_round_loss _ (vec RR (d + n + D)%N) (standard_normal (d + n + D)) (fun l g => co RR (d + n + D)%N g l) i hi); last first.
  by apply: fewer; exact: leq_addr.
exact: (round_loss_floor D (fun j y => E0 (y, inord j)) errors i hi c c1 c2).
Qed.

Lemma round_loss_ge0 g i : 0 <= round_loss d Y L sigma rule g i.
Proof. by have := best_value_ge Y (played d Y L sigma rule g i) (value d Y L g i) (played d Y L sigma rule g i); rewrite /round_loss; lra. Qed.

Lemma round_loss_variable i : (i < n)%N -> measurable_fun setT (fun w => (round_loss d Y L sigma rule (out w) i)%:E : \bar RR).
Proof.
move=> hi; have [_ [mG _]] := normals.
have := measurable_fun_comp (round_loss_measurable i hi) (mtogether dT T (d + n + 0)%N G mG); apply: eq_measurable_fun => w _.
by congr EFin; apply: round_loss_same => // l hl; rewrite /together co_mk ?addn0.
Qed.

Theorem regret_floor N : (N <= n)%coq_nat ->
  ((top * sum N (fun i => 1 - sqrt (1 - left_share i)))%R%:E <=
   mean_of dT T P (fun w => sum N (round_loss d Y L sigma rule (out w))))%E.
Proof.
move=> /ssrnat.leP; elim: N => [|N IH] hN.
  by rewrite /mean_of /= Rmult_0_r integral0.
have -> : mean_of dT T P (fun w => sum N.+1 (round_loss d Y L sigma rule (out w))) =
  (mean_of dT T P (fun w => sum N (round_loss d Y L sigma rule (out w))) + mean_of dT T P (fun w => round_loss d Y L sigma rule (out w) N))%E.
  rewrite /mean_of -ge0_integralD //.
  - by move=> w _; rewrite lee_fin; apply/RleP; apply: sum_ge0 => i _; exact: round_loss_ge0.
  - elim: N {IH} hN => [|N IH] hN; first exact: (@measurable_fun_cst _ _ _ _ _ (EFin 0)).
    by have := emeasurable_funD (IH (ltnW hN)) (round_loss_variable N (ltnW hN)).
  - by move=> w _; rewrite lee_fin; apply/RleP; exact: round_loss_ge0.
  - exact: round_loss_variable.
have -> : top * sum N.+1 (fun i => 1 - sqrt (1 - left_share i)) =
  top * sum N (fun i => 1 - sqrt (1 - left_share i)) + (1 - sqrt (1 - left_share N)) * top by rewrite /=; ring.
rewrite EFinD; apply: lee_add; [exact: IH (ltnW hN) | by apply: round_floor; exact/ssrnat.ltP].
Qed.
End floor.

(* ---- Markov kernels: the shares by their recursion, and what the charging lemma says of the mean ---- *)
Section markov.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Variables (d n : nat) (Y : finType) (L : nat -> Y -> nat -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (kappa top : R).
Hypothesis normals : independent_normals dT T P (d + n) G.
Hypothesis sigma0 : 0 < sigma.
Hypothesis kappa0 : 0 < kappa.
Hypothesis pk : kernel Y k.
Hypothesis ph : kernel R h.
Hypothesis k1 : forall z, k z z <= kappa.
Hypothesis h1 : forall t, h t t = 1.
Hypothesis markov : forall u v w, u <= v <= w -> h u w = h u v * h v w.
Hypothesis sorted : forall i j, (i <= j)%coq_nat -> tau i <= tau j.
Hypothesis cov : has_kernel d n Y L k h tau.
Hypothesis mrule : measurable_rule Y rule.
Hypothesis mtop : mean_maximum Y k top.
Notation nu := (sigma ^ 2 / kappa).
Notation p := (floor_share (fun j => h (tau j) (tau (S j)) ^ 2) (fun=> nu)).
Notation lost N := (fun w => sum N (round_loss d Y L sigma rule (fun l => G l w))).

Lemma left_share_markov i : left_share sigma h tau kappa i = p i.
Proof.
have s2 : 0 < sigma ^ 2 by apply: pow_lt.
rewrite /left_share share_recursion //; last exact: (noise_ratio0 sigma kappa sigma0 kappa0).
by have -> : / noise_ratio sigma kappa = nu by rewrite /noise_ratio; field; lra.
Qed.

Lemma squares_below t u : 0 <= h t u ^ 2 <= 1.
Proof.
split; first exact: pow2_ge_0.
have pS := ph 2%N (fun i => if Nat.eqb i 0 then t else u); have [sy q] := pS.
have := q (fun i => if Nat.eqb i 0 then h t u else - 1); have := sy 0%N 1%N ltac:(lia) ltac:(lia).
by rewrite /= !h1 => ->; lra.
Qed.

Lemma shares01 i : 0 <= p i <= 1.
Proof.
apply: floors.floor_share01 => [j|_]; first exact: squares_below.
by apply: Rdiv_lt_0_compat => //; apply: pow_lt.
Qed.

Theorem markov_floor N : (N <= n)%coq_nat ->
  mean_at_least dT T P (lost N) (top * sum N (fun i => 1 - sqrt (1 - p i))) /\ mean_at_least dT T P (lost N) (top / 2 * sum N p).
Proof.
move=> hN; have := regret_floor d n Y L sigma rule k h tau kappa top sigma0 kappa0 pk ph k1 h1 cov mrule mtop dT T P G normals N hN.
rewrite (sum_ext N _ (fun i => 1 - sqrt (1 - p i))); last by move=> i _; rewrite left_share_markov.
move=> low; split=> //; apply: le_trans low; rewrite lee_fin; apply/RleP.
have t0 := mean_maximum_ge0 Y (rule O tt) k top pk mtop.
have := Rmult_le_compat_l _ _ _ t0 (floors.losses N p (fun i _ => shares01 i)); lra.
Qed.

Definition step_drift (j : nat) : R := match j with O => 0 | S l => 1 - h (tau l) (tau j) ^ 2 end.

Theorem charged_floor J (start : nat -> nat -> nat) (K : nat -> nat) (counted : nat -> nat -> bool) : (0 < n)%coq_nat ->
  (forall j, (j < J)%coq_nat -> split_at (start j) (K j) n) ->
  (forall j l, (j < J)%coq_nat -> (S l < K j)%coq_nat -> / 2 ^ S j / 2 < drift_between step_drift (start j l) (start j (S l))) ->
  (forall j l, (j < J)%coq_nat -> (l < K j)%coq_nat -> counted j l = true ->
     exists i, ((start j l <= i)%coq_nat /\ (i < start j (S l))%coq_nat) /\ p i <= / 2 ^ S j / 8) ->
  mean_at_least dT T P (lost n) (top / 48 *
    (sum J (fun j => sum (K j) (fun l => if counted j l then / 2 ^ S j + nu else 0)) -
     4 * sum J (fun j => if Rlt_dec nu (/ 2 ^ S j) then 1 else 0) * sum (Nat.pred n) (fun i => step_drift (S i)))).
Proof.
move=> n0 cut far hold.
have share i : floor_share (fun l => 1 - step_drift (S l)) (fun=> nu) i = p i.
  by elim: i => //= i ->; congr (carried _ _ _); rewrite /step_drift; ring.
have nu0 : 0 < nu by apply: Rdiv_lt_0_compat => //; apply: pow_lt.
have d01 i : 0 <= step_drift i <= 1.
  by case: i => [|i]; rewrite /step_drift; [lra | have := squares_below (tau i) (tau i.+1); lra].
have c := charging.classes_charged step_drift nu nu0 d01 n J start K counted n0 cut far.
have {}c := c (fun j l hj hl e => let: ex_intro i (conj a b) := hold j l hj hl e in
  ex_intro _ i (conj a (eq_ind_r (fun x => x <= _) b (share i)))).
rewrite (sum_ext n _ p) in c; last by move=> i _; exact: share.
have [_ low] := markov_floor n (Nat.le_refl n).
have t0 := mean_maximum_ge0 Y (rule O tt) k top pk mtop.
apply: le_trans low; rewrite lee_fin; apply/RleP.
move: c; set A := sum J _; set B := sum J _; set C := sum (Nat.pred n) _; set S' := sum n p => c.
have : top * A <= top * (24 * S' + 4 * B * C) by apply: Rmult_le_compat_l => //; exact: c.
lra.
Qed.
End markov.
