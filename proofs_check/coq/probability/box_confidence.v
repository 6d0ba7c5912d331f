(******************************************************************************)
(*            The confidence event where points come from any set             *)
(*                                                                            *)
(* For objectives that are Gaussian processes, of any rank, and policies      *)
(* whose points are of any set with measurable sets, such as a box: the       *)
(* values at finitely many points of each round and at the point that is      *)
(* played, which may be any measurable functions of the answers. Given the    *)
(* answers all points are fixed, and the objective is seen at finitely many;  *)
(* what the rule is makes no difference to the density of the answers, and is *)
(* integrated last.                                                           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   given_answers == the tail of a value given the answers                   *)
(*   law_of == objective and noises are independent                           *)
(*   at_one_point == one round and one point                                  *)
(*   at_all_points, confidence == finitely many points of each round          *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_posterior, normal_density, adaptive_confidence, normal_integrals, *)
(* measurable_posterior, scalar, definitions, sums, theorem_1, events,        *)
(* outcomes, joint_law, any_space, drawn_policies, given_answers,             *)
(* answers_and_noises.                                                        *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_posterior normal_density adaptive_confidence.
From CTV Require Import normal_integrals measurable_posterior.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar definitions sums theorem_1 events outcomes joint_law any_space drawn_policies given_answers answers_and_noises.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* ---- fixed points ---- *)

(* the first i rounds and a candidate as finitely many points *)
Section numbered.
Variables (Y : Type) (i : nat) (x : nat -> Y) (z : Y).
Definition numbered (a : 'I_i.+1) : Y := if (a < i)%N then x a else z.
Definition number (j : nat) : 'I_i.+1 := inord j.

Lemma numbered_seen j : (j < i)%N -> numbered (number j) = x j.
Proof. by move=> hj; rewrite /numbered /number inordK ?hj // ltnW // ltnS. Qed.
Lemma numbered_candidate : numbered (number i) = z.
Proof. by rewrite /numbered /number inordK ?ltnn. Qed.

Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (s : R).
Notation k' := (fun a b => k (numbered a) (numbered b)).

Lemma numbered_joint a b : (a <= i)%N -> (b <= i)%N -> joined 'I_i.+1 k' h tau number i (number i) a b =
  joint Y k h (fun j => if Nat.eqb j i then z else x j) tau a b.
Proof.
have e j : (j <= i)%N -> numbered (if Nat.eqb j i then number i else number j) = if Nat.eqb j i then z else x j.
  move=> hj; case: (Nat.eqb_spec j i) => [_|/eqP ne]; first exact: numbered_candidate.
  by apply: numbered_seen; rewrite ltn_neqAle ne.
by move=> ha hb; rewrite /joined /joint !e.
Qed.

Lemma numbered_variance : variance s i (joined 'I_i.+1 k' h tau number i (number i)) =
  variance s i (joint Y k h (fun j => if Nat.eqb j i then z else x j) tau).
Proof. by apply: variance_ext => a b /ssrnat.leP ha /ssrnat.leP hb; exact: numbered_joint. Qed.

Lemma numbered_prediction y : prediction 'I_i.+1 k' h s number tau y i (number i) = prediction Y k h s x tau y i z.
Proof.
rewrite /prediction /posterior_mean -/(joined 'I_i.+1 k' h tau number i (number i)).
have J := numbered_joint; congr (_ * _).
by congr ((_ *m invmx (_ + _ *: _) *m _)%ring _ _); apply/matrixP => a b; rewrite !mxE J // ltnW.
Qed.
End numbered.

Section given_the_answers.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T).
Context dY (Y : measurableType dY) dS (S : measurableType dS).
Variables (n : nat) (f : nat -> Y -> S -> R) (U : T -> S) (sigma : R).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypotheses (sigma0 : 0 < sigma) (mf : measurable_objective dY Y dS S f) (mU : measurable_fun setT U).
Hypothesis gp : is_gaussian_process dT T P n Y k h tau (fun i z w => f i z (U w)).
Notation s := (/ sigma ^ 2).
Notation of_objective := [the {measure set S -> \bar RR}%ring of pushforward P mU].
Notation E := (dE RR normal).

Variables (i : nat) (x : nat -> Y) (z : Y) (y : nat -> R) (b : R).
Hypothesis hi : (i < n)%N.
Notation V := (variance s i (joint Y k h (fun j => if Nat.eqb j i then z else x j) tau)).
Notation K := (1%:M + s *: \matrix_(a < i, b < i) joint Y k h (fun j => if Nat.eqb j i then z else x j) tau a b)%ring.

(* the density of the answers, but for powers of sigma, and far values *)
Definition chance (u : S) : RR :=
  (root ^+ i * E (\sum_(j < i) let e := ((y j - f j (x j) u) / sigma)%R in (e * e : RR)))%ring.
Definition distant : set S := fun u => b * sqrt V < Rabs (f i z u - prediction Y k h s x tau y i z).

Lemma mat j v : measurable_fun setT (fun u => f j v u : RR).
Proof.
have mp : measurable_fun setT (fun u : S => (v, u)) by apply: mpair; [exact: measurable_fun_cst | exact: measurable_fun_id].
exact: (measurable_fun_comp (mf j) mp).
Qed.

Lemma mchance : measurable_fun setT chance.
Proof.
apply: measurable_funM; first exact: measurable_fun_cst.
apply: (measurable_fun_comp (dmE RR normal)); apply: msums => j.
have me : measurable_fun setT (fun u : S => ((y j - f j (x j) u) / sigma)%R : RR).
  by apply: measurable_funM; [apply: measurable_funB; [exact: measurable_fun_cst | exact: mat] | exact: measurable_fun_cst].
exact: measurable_funM.
Qed.

Lemma chance0 u : (0 <= chance u)%ring.
Proof. by apply: mulr_ge0; [apply: exprn_ge0; exact: (dK0 RR normal) | exact: (dE0 RR normal)]. Qed.

Lemma mdistant : measurable distant.
Proof.
have ma : measurable_fun setT (fun u => f i z u - prediction Y k h s x tau y i z : RR).
  by apply: measurable_funB; [exact: mat | exact: measurable_fun_cst].
have := ma measurableT _ (mbeyond RR (b * sqrt V)); rewrite setTI; congr measurable.
by apply/seteqP; split=> u /RltP.
Qed.

Theorem given_answers : 0 < (\det K)%ring /\ 0 <= V /\
  (\int[of_objective]_u (\1_distant u * chance u)%:E <= tail RR normal b * \int[of_objective]_u (chance u)%:E)%E.
Proof.
have [d [L [G [normals [law same]]]]] := gp (fin_type 'I_i.+1) (numbered Y i x z).
pose k' (a c : 'I_i.+1) := k (numbered Y i x z a) (numbered Y i x z c).
pose pt := number i; pose cand := number i i.
have Vsame : variance s i (joined 'I_i.+1 k' h tau pt i cand) = V by exact: numbered_variance.
split.
  have := det_positive d n 'I_i.+1 L sigma k' h tau sigma0 law pt i cand hi; congr (Rlt 0 (\det (_ + _ *: _))%ring).
  by apply/matrixP => a c; rewrite !mxE; apply: numbered_joint; exact: ltnW.
split; first by rewrite -Vsame; exact: (variance0 d n 'I_i.+1 L sigma k' h tau sigma0 law pt i cand hi).
have mG : forall l, measurable_fun setT (G l : T -> RR) by have [_ []] := normals.
pose vector := together dT T d G; have mv : measurable_fun setT vector by exact: mtogether.
(* an event of probability 0 *)
pose N (w : T) := one_of T i.+1 (fun j => one_of T i.+1 (fun a w =>
  f j (numbered Y i x z (inord a)) (U w) <> value d 'I_i.+1 L (fun l => G l w) j (inord a))) w.
have [mN N0] : at_most dT T P N (sum i.+1 (fun=> sum i.+1 (fun=> 0))).
  apply: union_bound => j hj; apply: union_bound => a ha; apply: same; apply/ssrnat.ltP; apply: leq_ltn_trans hi.
  by have /ssrnat.ltP := hj; rewrite ltnS.
have {}N0 : Measure.sort P N = 0%E.
  apply/eqP; rewrite eq_le measure_ge0 andbT; apply: le_trans N0 _; rewrite lee_fin; apply/RleP; right.
  by rewrite (sum_ext i.+1 _ (fun=> 0)) ?sum_0 // => j _; exact: sum_0.
have fine w : ~ N w -> forall j a, (j <= i)%N -> f j (numbered Y i x z a) (U w) = value d 'I_i.+1 L (co RR d (vector w)) j a.
  move=> ok j a hj; apply: contrapT => bad; apply: ok; exists j; split; first exact/ssrnat.ltP.
  exists a; split; first by apply/ssrnat.ltP.
  rewrite inord_val => e; apply: bad; rewrite e; apply: sum_ext => l /ssrnat.ltP hl; by rewrite /vector /together co_mk.
have transfer (F : S -> RR) (Psi : vec RR d -> RR) : measurable_fun setT F -> measurable_fun setT Psi ->
    (forall u, (0 <= F u)%ring) -> (forall g, (0 <= Psi g)%ring) -> (forall w, ~ N w -> F (U w) = Psi (vector w)) ->
    (\int[of_objective]_u (F u)%:E = I RR d (fun g => (Psi g * gaussian_law.phi RR normal d g)%:E))%E.
  move=> mF mPsi F0 Psi0 e.
  have mF' : measurable_fun setT (EFin \o F) by exact/EFin_measurable_fun.
  have mPsi' : measurable_fun setT (EFin \o Psi) by exact/EFin_measurable_fun.
  rewrite -(law_integral RR normal d Psi mPsi Psi0).
  transitivity (\int[Measure.sort P]_w ((EFin \o F) (U w)))%E.
    by rewrite -(integral_pushforward mU P mF') // => u; rewrite lee_fin.
  transitivity (\int[Measure.sort P]_w ((EFin \o Psi) (vector w)))%E.
    apply: ae_eq_integral => //.
    - exact: (measurable_fun_comp mF' mU).
    - exact: (measurable_fun_comp mPsi' mv).
    exists N; split=> // w /= ne; apply: contrapT => ok; apply: ne => _; congr EFin; exact: e.
  rewrite -(integral_pushforward mv P mPsi') => [|g]; last by rewrite lee_fin.
  by apply: eq_measure_integral => A mA _; exact: (joint_law dT T P d G mG normals).
pose Psi (g : vec RR d) : RR := (root ^+ i *
  E (\sum_(j < i) noise_left d 'I_i.+1 L sigma pt y j g * noise_left d 'I_i.+1 L sigma pt y j g))%ring.
pose far_ := off d 'I_i.+1 L sigma k' h tau pt i cand y b.
have mPsi : measurable_fun setT Psi.
  apply: measurable_funM; first exact: measurable_fun_cst.
  apply: (measurable_fun_comp (dmE RR normal)); apply: msums => j; apply: measurable_funM; exact: mnoise_left.
have Psi0 g : (0 <= Psi g)%ring by apply: mulr_ge0; [apply: exprn_ge0; exact: (dK0 RR normal) | exact: (dE0 RR normal)].
have mfar_ : measurable far_.
  have ma := maway d 'I_i.+1 L sigma k' h tau pt i cand y.
  have := ma measurableT _ (mbeyond RR (b * sqrt (variance s i (joined 'I_i.+1 k' h tau pt i cand)))); rewrite setTI; congr measurable.
  by apply/seteqP; split=> g /RltP.
have ePsi w : ~ N w -> chance (U w) = Psi (vector w).
  move=> ok; congr (_ * E _)%ring; apply: eq_bigr => j _; rewrite /noise_left /= -(fine w ok) ?(ltnW (ltn_ord j)) //.
  by rewrite numbered_seen.
have efar w : ~ N w -> \1_distant (U w) = \1_far_ (vector w) :> RR.
  move=> ok; have e : distant (U w) = far_ (vector w).
    by rewrite /distant /far_ /off Vsame /away -(fine w ok) // numbered_candidate numbered_prediction.
  by rewrite !indicE; congr (nat_of_bool _)%:R%ring; apply/idP/idP; rewrite !inE e.
have wE g : (Psi g * gaussian_law.phi RR normal d g)%ring = weight d 'I_i.+1 L sigma pt i y g.
  rewrite /Psi /gaussian_law.phi /weight mulrC mulrACA -exprD; congr (_ * _)%ring.
  by rewrite -(dED RR normal).
rewrite (transfer chance Psi mchance mPsi chance0 Psi0 ePsi).
rewrite (transfer (fun u => \1_distant u * chance u)%ring (fun g => \1_far_ g * Psi g)%ring); last first.
- by move=> w ok; rewrite efar // ePsi.
- by move=> g; apply: mulr_ge0; [rewrite indicE | exact: Psi0].
- by move=> u; apply: mulr_ge0; [rewrite indicE | exact: chance0].
- by apply: measurable_funM => //; exact: measurable_fun_indic.
- by apply: measurable_funM; [apply: measurable_fun_indic; exact: mdistant | exact: mchance].
have eI : I RR d (fun g => (Psi g * gaussian_law.phi RR normal d g)%:E) = I RR d (fun g => (weight d 'I_i.+1 L sigma pt i y g)%:E).
  by apply: Iext => g; rewrite wE.
have eF : I RR d (fun g => (\1_far_ g * Psi g * gaussian_law.phi RR normal d g)%:E) =
    I RR d (fun g => (\1_far_ g * weight d 'I_i.+1 L sigma pt i y g)%:E).
  by apply: Iext => g; rewrite -mulrA wE.
have := given d n 'I_i.+1 L sigma k' h tau sigma0 law pt i cand hi y b.
by rewrite -eI -/far_ -eF.
Qed.
End given_the_answers.

Arguments distant {dY Y dS S}.
Arguments chance {dY Y dS S}.

(* ---- on any space ---- *)
Section anywhere.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (G : nat -> T -> R).
Context dY (Y : measurableType dY) dS (S : measurableType dS).
Variables (n : nat) (U : T -> S) (f : nat -> Y -> S -> R) (sigma : R) (rule : policy_on Y).
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Notation objective := (fun i z w => f i z (U w)).
Notation errors := (fun i w => sigma * G i w).
Hypotheses (normals : independent_normals dT T P n G) (drawn : independent_draws dT T P n G dS S U) (sigma0 : 0 < sigma).
Hypothesis gp : is_gaussian_process dT T P n Y k h tau objective.
Hypotheses (mf : measurable_objective dY Y dS S f) (mk_ : measurable_kernel dY Y k) (mrule : measurable_policy dY Y rule).
Notation s := (/ sigma ^ 2).
Notation told_ i w := (told T Y objective errors rule i w).
Notation x w := (chosen T Y objective errors rule w).
Notation y w := (reply T Y objective errors rule w).
Notation scaled i g := (scale RR i sigma g).

Let mU : measurable_fun setT U. Proof. exact: (proj1 drawn). Qed.
Notation mu := [the {measure set S -> \bar RR}%ring of pushforward P mU].

Lemma mu1 : mu setT = 1%E.
Proof. by have [P1 _] := normals; rewrite -[RHS]P1 /= /pushforward preimage_setT. Qed.

Lemma mu_sf : sigma_finite setT mu.
Proof.
exists (fun=> setT); first by rewrite bigcup_const //; exists 0%N.
by move=> l; split=> //; rewrite [X in (X < _)%E]mu1 ltry.
Qed.

(* ---- the noises of the first rounds, the last first ---- *)
Fixpoint errors_of (i : nat) (w : T) : vec RR i :=
  match i return vec RR i with 0%N => tt | l.+1 => (G l w, errors_of l w) end.

Lemma errors_ofE i w : errors_of i w = mk RR i (fun l => G (i - l.+1)%N w).
Proof. by elim: i => //= i ->; rewrite subSS subn0; congr (_, mk _ _ _); apply/funext => l; rewrite subSS. Qed.

Lemma law_of i (A : set (S * vec RR i)) : (i <= n)%N -> measurable A ->
  Measure.sort P [set w | A (U w, errors_of i w)]%classic = (\int[mu]_u gauss RR normal i [set e | A (u, e)]%classic)%E.
Proof.
move=> /subnKC; move: (n - i)%N => l; elim: l i A => [|l IH] i A e mA.
  move: A mA; rewrite addn0 in e; rewrite e => A mA.
  have := draw_law dT T P n (fun l => G (n - l.+1)%N) dS S U (turned_normals _ _ _ _ _ normals) (turned_draws _ _ _ _ _ _ _ _ drawn) A mA.
  have -> : [set w | A (U w, together dT T n (fun l => G (n - l.+1)%N) w)]%classic = [set w | A (U w, errors_of n w)]%classic.
    by apply/seteqP; split=> w /=; rewrite errors_ofE.
  move=> ->; rewrite /apart /= /product_measure1.
  transitivity (\int[mu]_u gauss RR normal n (xsection A u))%E; first by apply: eq_measure_integral.
  by apply: eq_integral => u _; congr (gauss _ _ _ _); apply/seteqP; split=> g; rewrite /xsection /= inE.
have mp : measurable_fun setT (fun p : S * vec RR i.+1 => (p.1, p.2.2)).
  by apply: mpair; [exact: mfst | apply: (measurable_fun_comp (f := @snd RR (vec RR i)) (g := @snd S (vec RR i.+1))); exact: msnd].
have mA' : measurable [set p : S * vec RR i.+1 | A (p.1, p.2.2)]%classic by have := mp measurableT _ mA; rewrite setTI.
rewrite addnS -addSn in e; rewrite -[LHS]/(Measure.sort P [set w | [set p : S * vec RR i.+1 | A (p.1, p.2.2)] (U w, errors_of i.+1 w)]%classic).
rewrite IH //; apply: eq_integral => u _.
have mAu : measurable [set g | A (u, g)]%classic by exact: msection.
have l1 : gaussian_law.law1 RR normal setT = 1%E by exact: (mass1 RR normal).
have := gauss_pair RR normal i _ setT mAu measurableT; rewrite l1 mul1e.
by move=> <-; congr (gauss _ _ _ _); apply/seteqP; split=> g /=; [split | case].
Qed.

Lemma told_answered i w : told_ i w = answered f sigma rule (U w) i (errors_of i w).
Proof. by elim: i => //= i ->. Qed.

Lemma points_chosen i j w : (j < i)%N -> points rule i (told_ i w) j = x w j.
Proof.
elim: i => // i IH; rewrite ltnS leq_eqVlt => /orP[/eqP ->|hj] /=; first by rewrite eqxx.
by rewrite (ltn_eqF hj); exact: IH.
Qed.

Lemma answers_reply i j w : (j < i)%N -> answers i (told_ i w) j = y w j.
Proof.
elim: i => // i IH; rewrite ltnS leq_eqVlt => /orP[/eqP ->|hj] /=; first by rewrite eqxx.
by rewrite (ltn_eqF hj); exact: IH.
Qed.

(* ---- one round and one point, a measurable function of the answers before it ---- *)
Section one_point.
Variables (i : nat) (z : vec RR i -> Y) (b : R).
Hypotheses (hi : (i < n)%N) (mz : measurable_fun setT z) (b0 : 0 <= b).
Notation far_from g := (distant f sigma k h tau i (points rule i g) (z g) (answers i g) b).
Notation law_at g := (chance f sigma i (points rule i g) (answers i g)).
Notation fixed g := (given_answers dT T P dY Y dS S n f U sigma k h tau sigma0 mf mU gp i (points rule i g) (z g) (answers i g) b hi).

Definition far_pair : set (S * vec RR i) := fun p => far_from p.2 p.1.

Lemma mjoint a c : measurable_fun setT (fun g : vec RR i =>
  joint Y k h (fun j => if Nat.eqb j i then z g else points rule i g j) tau a c : RR).
Proof.
have mpt j : measurable_fun setT (fun g : vec RR i => if Nat.eqb j i then z g else points rule i g j).
  by case: (Nat.eqb j i) => //; exact: (mpoints rule mrule i j).
apply: measurable_funM; last exact: measurable_fun_cst.
exact: (measurable_fun_comp mk_ (mpair _ _ _ _ _ _ _ _ (mpt a) (mpt c))).
Qed.

Lemma mfar_pair : measurable far_pair.
Proof.
pose J (g : vec RR i) := joint Y k h (fun j => if Nat.eqb j i then z g else points rule i g j) tau.
have pos g : ((0 : RR) < \det (1%:M + s *: \matrix_(a < i, c < i) J g a c))%ring by have [d0 _] := fixed g; exact/RltP.
have mJ a c : (a <= i)%N -> (c <= i)%N -> measurable_fun setT (fun g => J g a c : RR) by move=> _ _; exact: mjoint.
have mV : measurable_fun setT (fun g => variance s i (J g) : RR) by apply: mvariance.
have mM : measurable_fun setT (fun g => posterior_mean s i (J g) (answers i g) : RR).
  by apply: mposterior_mean => // c _; exact: manswers.
have ma : measurable_fun setT (fun p : S * vec RR i => f i (z p.2) p.1 - posterior_mean s i (J p.2) (answers i p.2) : RR).
  apply: measurable_funB; first exact: (mvalue_at f mf i z mz).
  by apply: (measurable_fun_comp mM); exact: msnd.
have mV2 : measurable_fun setT (fun p : S * vec RR i => b * b * variance s i (J p.2) : RR).
  apply: measurable_funM; first exact: measurable_fun_cst.
  by apply: (measurable_fun_comp mV); exact: msnd.
have md := measurable_funB (measurable_funM ma ma) mV2.
have := md measurableT _ (measurable_itv `]0, +oo[); rewrite setTI; congr measurable.
apply/seteqP; split=> p; rewrite /far_pair /distant /prediction -/(J p.2) /= in_itv /= andbT;
  have [_ [V0 _]] := fixed p.2; rewrite -/(J p.2) in V0;
  set a := _ - posterior_mean _ _ _ _; set V := variance s i _ in V0 *.
  move=> /RltP lt; change (0 < a * a - b * b * V) in lt; have q := sqrt_sqrt V V0; have q0 := sqrt_pos V.
  apply: Rnot_le_lt => le; have := Rabs_pos a; have e : Rabs a * Rabs a = a * a by rewrite -Rabs_mult Rabs_pos_eq //; nra.
  by nra.
move=> lt; apply/RltP; change (0 < a * a - b * b * V); have q := sqrt_sqrt V V0; have q0 := sqrt_pos V.
have e : Rabs a * Rabs a = a * a by rewrite -Rabs_mult Rabs_pos_eq //; nra.
have := Rmult_le_pos _ _ b0 q0; nra.
Qed.

Notation both := (S * vec RR i)%type.
Definition density_at (p : both) : RR := gaussian_law.phi RR normal i (noises f sigma rule p.1 i p.2).
Lemma density_chance p : density_at p = law_at (scaled i p.2) p.1.
Proof. by rewrite /density_at /gaussian_law.phi (dot_noises f sigma rule sigma0). Qed.

Lemma mdensity_at : measurable_fun setT density_at.
Proof. exact: (measurable_fun_comp (mphi RR normal i) (mnoises f sigma rule mf mrule i)). Qed.

Lemma swap (F : both -> RR) : measurable_fun setT F -> (forall p, (0 <= F p)%ring) ->
  (\int[mu]_u I RR i (fun g => (F (u, g))%:E) = I RR i (fun g => \int[mu]_u (F (u, g))%:E))%E /\
  measurable_fun setT (fun g => \int[mu]_u (F (u, g))%:E)%E.
Proof.
move=> mF F0; have mF' : measurable_fun setT (EFin \o F) by exact/EFin_measurable_fun.
have F0' p : (0 <= (EFin \o F) p)%E by rewrite lee_fin.
have lsf : sigma_finite setT (lebn RR i) := proj2_sig (lebs RR i).
split.
  transitivity (\int[mu]_u fubini_F (lebn RR i) (EFin \o F) u)%E; first by [].
  by rewrite -(tonelli1 mu_sf lsf mF' F0') (fubini_tonelli2 mu_sf lsf _ mF' F0').
have := @measurable_fun_fubini_tonelli_F _ _ _ _ _ mu mu_sf (fun p : vec RR i * S => (EFin \o F) (p.2, p.1)).
apply => [|p]; last exact: F0'.
by apply: (measurable_fun_comp mF'); apply: mpair; [exact: msnd | exact: mfst].
Qed.

Lemma whole : (I RR i (fun g => \int[mu]_u (density_at (u, g))%:E) = 1)%E.
Proof.
have [<- _] := swap density_at mdensity_at (fun p => phi_ge0 RR normal i _).
transitivity (\int[mu]_u 1)%E; last by rewrite (integral_cst mu) // mu1 mule1.
apply: eq_integral => u _; rewrite -[RHS](I_phi RR normal i).
rewrite -(I_noises f sigma rule mf mrule u i (fun e => (gaussian_law.phi RR normal i e)%:E)) //.
by apply: nnm_real; [exact: mphi | move=> e; exact: phi_ge0].
Qed.

(* the value of round i at the point z plays is more than b deviations from its prediction *)
Definition missed_at (w : T) : Prop :=
  let p := z (told_ i w) in
  b * deviation Y k h s (x w) tau i p < Rabs (f i p (U w) - prediction Y k h s (x w) tau (y w) i p).

Lemma missedE w : missed_at w <-> far_pair (U w, told_ i w).
Proof.
pose p := z (told_ i w); pose xs := points rule i (told_ i w); pose ys := answers i (told_ i w).
have e : far_pair (U w, told_ i w) =
  (b * deviation Y k h s xs tau i p < Rabs (f i p (U w) - prediction Y k h s xs tau ys i p)) by [].
have ed : deviation Y k h s xs tau i p = deviation Y k h s (x w) tau i p.
  by apply: deviation_ext => j hj; exact: points_chosen.
have ep : prediction Y k h s xs tau ys i p = prediction Y k h s (x w) tau (y w) i p.
  by apply: prediction_ext => j hj; [exact: points_chosen | exact: answers_reply].
by rewrite e ed ep.
Qed.

Theorem at_one_point : at_most dT T P missed_at (2 * normal_cdf (- b)).
Proof.
have mtold : measurable_fun setT (fun p : both => (p.1, answered f sigma rule p.1 i p.2)).
  by apply: mpair; [exact: mfst | exact: (manswered f sigma rule mf mrule i)].
pose A : set both := [set p | far_pair (p.1, answered f sigma rule p.1 i p.2)]%classic.
have mA : measurable A by have := mtold measurableT _ mfar_pair; rewrite setTI.
have mE i' : measurable_fun setT (errors_of i').
  elim: i' => [|l IH]; first exact: measurable_fun_cst.
  by apply: mpair => //; have [_ [mG _]] := normals; exact: mG.
have e : missed_at = [set w | A (U w, errors_of i w)]%classic.
  by apply/seteqP; split=> w; rewrite /A /= -told_answered => /missedE.
have mUE : measurable_fun setT (fun w => (U w, errors_of i w)) by apply: mpair; [exact: mU | exact: mE].
rewrite e; split; first by have := mUE measurableT _ mA; rewrite setTI.
rewrite law_of ?(ltnW hi) // -tail_normal //.
have mfarS : measurable [set p : both | far_pair (p.1, scaled i p.2)]%classic.
  have mp : measurable_fun setT (fun p : both => (p.1, scaled i p.2)).
    by apply: mpair; [exact: mfst | apply: (measurable_fun_comp (mscaled sigma i)); exact: msnd].
  by have := mp measurableT _ mfar_pair; rewrite setTI.
set B := [set p : both | _]%classic in mfarS.
pose F (p : both) : RR := (\1_B p * density_at p)%ring.
have mF : measurable_fun setT F by apply: measurable_funM; [exact: measurable_fun_indic | exact: mdensity_at].
have F0 p : (0 <= F p)%ring by apply: mulr_ge0; [rewrite indicE | exact: phi_ge0].
have eF u : gauss RR normal i [set e | A (u, e)]%classic = I RR i (fun g => (F (u, g))%:E).
  have mAu : measurable [set g | A (u, g)]%classic by exact: msection.
  rewrite gaussE -(I_noises f sigma rule mf mrule u i (fun e => (\1_[set e | A (u, e)]%classic e * gaussian_law.phi RR normal i e)%:E)).
    apply: Iext => g; congr (_ * _)%:E; rewrite !indicE; congr (nat_of_bool _)%:R%ring.
    by apply/idP/idP; rewrite !inE /A /B /= (answered_noises f sigma rule sigma0).
  apply: nnm_real => [|g]; last by apply: mulr_ge0; [rewrite indicE | exact: phi_ge0].
  by apply: measurable_funM; [exact: measurable_fun_indic | exact: mphi].
rewrite (eq_integral (fun u => I RR i (fun g => (F (u, g))%:E))); last by move=> u _; exact: eF.
have [-> mFm] := swap F mF F0.
have [_ mdm] := swap density_at mdensity_at (fun p => phi_ge0 RR normal i _).
apply: (@le_trans _ _ (\int[lebn RR i]_g (tail RR normal b * \int[mu]_u (density_at (u, g))%:E))%E).
  apply: ge0_le_integral => //.
  - by move=> g _; apply: integral_ge0 => u _; rewrite lee_fin.
  - by move=> g _; apply: mule_ge0; [exact: law1_ge0 | apply: integral_ge0 => u _; rewrite lee_fin; exact: phi_ge0].
  - by apply: emeasurable_funM => //; exact: measurable_fun_cst.
  move=> g _; have [_ [_ le]] := fixed (scaled i g).
  rewrite (eq_integral (fun u => (\1_(far_from (scaled i g)) u * law_at (scaled i g) u)%:E)); last first.
    by move=> u _; rewrite /F density_chance.
  by rewrite [X in (_ <= _ * X)%E](eq_integral (fun u => (law_at (scaled i g) u)%:E)) // => u _; rewrite density_chance.
rewrite ge0_integralM //; last 2 first.
- by move=> g _; apply: integral_ge0 => u _; rewrite lee_fin; exact: phi_ge0.
- exact: law1_ge0.
by rewrite -/(I RR i _) whole mule1.
Qed.
End one_point.

Definition missed (b : R) (i : nat) (z : policy_on Y) (w : T) : Prop := missed_at i (z i) b w.

(* finitely many points of each round, which may depend on the answers before it *)
Lemma at_points (b : R) i (Z : list (policy_on Y)) : 0 <= b -> (i < n)%N ->
  (forall z, List.In z Z -> measurable_fun setT (z i)) ->
  at_most dT T P (fun w => exists z, List.In z Z /\ missed b i z w) (INR (length Z) * (2 * normal_cdf (- b))).
Proof.
move=> b0 hi mZ.
have -> : (fun w : T => exists z, List.In z Z /\ missed b i z w) =
    one_of T (length Z) (fun l => missed b i (List.nth l Z rule)).
  apply/seteqP; split=> w.
    by case=> z [/(List.In_nth Z z rule)[l [hl <-]] miss]; exists l.
  by case=> l [hl miss]; exists (List.nth l Z rule); split=> //; exact: List.nth_In.
rewrite -sum_const; apply: (union_bound dT T P (length Z)) => l hl.
by apply: at_one_point => //; apply: mZ; exact: List.nth_In.
Qed.

Theorem at_all_points (beta : nat -> R) (Z : nat -> list (policy_on Y)) : (forall i, 0 <= beta i) ->
  (forall i z, (i < n)%N -> List.In z (Z i) -> measurable_fun setT (z i)) ->
  at_most dT T P (fun w => exists i, (i < n)%coq_nat /\ exists z, List.In z (Z i) /\ missed (sqrt (beta i)) i z w)
    (sum n (fun i => INR (length (Z i)) * (2 * normal_cdf (- sqrt (beta i))))).
Proof.
move=> b0 mZ; apply: (union_bound dT T P n (fun i w => exists z, List.In z (Z i) /\ missed (sqrt (beta i)) i z w)) => i /ssrnat.ltP hi.
by apply: at_points => // [|z]; [exact: sqrt_pos | exact: mZ].
Qed.

(* some of finitely many points of each round, and the point that is played *)
Theorem confidence (beta : nat -> R) (Z : nat -> list Y) : (forall i, 0 <= beta i) ->
  at_most dT T P (fun w => exists i z, (i < n)%coq_nat /\ (List.In z (Z i) \/ z = x w i) /\
      sqrt (beta i) * deviation Y k h s (x w) tau i z < Rabs (f i z (U w) - prediction Y k h s (x w) tau (y w) i z))
    (sum n (fun i => INR (Datatypes.S (length (Z i))) * (2 * normal_cdf (- sqrt (beta i))))).
Proof.
move=> b0; pose W i : list (policy_on Y) := (rule :: List.map (fun z _ _ => z) (Z i))%SEQ.
have := at_all_points beta W b0; rewrite /at_most.
have -> : (fun w => exists i, (i < n)%coq_nat /\ exists z, List.In z (W i) /\ missed (sqrt (beta i)) i z w) =
  (fun w => exists i z, (i < n)%coq_nat /\ (List.In z (Z i) \/ z = x w i) /\
      sqrt (beta i) * deviation Y k h s (x w) tau i z < Rabs (f i z (U w) - prediction Y k h s (x w) tau (y w) i z)).
  apply: funext => w; apply: propext; split.
    case=> i [hi [z [[<-|/List.in_map_iff[c [<- hc]]] miss]]]; first by exists i, (x w i); split=> //; split=> //; right.
    by exists i, c; split=> //; split=> //; left.
  case=> i [z [hi [[hz|->] miss]]]; exists i; split=> //; last by exists rule; split=> //; left.
  by exists (fun _ _ => z); split=> //; right; apply/List.in_map_iff; exists z.
rewrite (sum_ext n _ (fun i => INR (Datatypes.S (length (Z i))) * (2 * normal_cdf (- sqrt (beta i))))); last first.
  by move=> i _; rewrite /W /= List.map_length.
apply=> i z _ [<-|/List.in_map_iff[c [<- _]]]; [exact: mrule | exact: measurable_fun_cst].
Qed.
End anywhere.
