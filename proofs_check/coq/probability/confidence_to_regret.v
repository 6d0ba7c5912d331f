(******************************************************************************)
(*                    From the confidence event to regret                     *)
(*                                                                            *)
(* A Gaussian objective that drifts on a finite domain is a case of           *)
(* adaptive_confidence.v, with domain and round as the set; its deviations    *)
(* and predictions are those of outcomes.v.                                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   confidence == outside an event of probability less than delta all        *)
(*       values are near their predictions                                    *)
(*   measurable_loses == that much is lost is an event                        *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, adaptive_posterior, central_interval, tail_increments,     *)
(* normal_density, adaptive_confidence, argmax_rule, posterior_kernel,        *)
(* scalar, normal, definitions, sums, matrices, gains, events, outcomes,      *)
(* runs_on_vectors.                                                           *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior central_interval tail_increments normal_density adaptive_confidence argmax_rule posterior_kernel.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums matrices gains events.
From CTV Require Import outcomes runs_on_vectors.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Section compose.
Variables (d n : nat) (Y : finType) (y0 : Y) (L : nat -> Y -> nat -> R) (sigma : R).
Variable rule : forall j : nat, vec RR j -> Y.
Hypothesis sigma0 : 0 < sigma.
Hypothesis mrule : measurable_rule Y rule.
Notation X := (fin_type (Y * 'I_n.+1)%type).
Notation outcome := (vec RR (d + n)).

Definition at_round (i : nat) (z : Y) : X := (z, inord i).
Definition domain (i : nat) : {set X} := [set at_round i z | z in Y]%SET.
Definition L' (p : X) (l : nat) : R := L (p.2 : 'I_n.+1) p.1 l.
Definition rule' (j : nat) (h : vec RR j) : X := at_round j (rule j h).
Arguments rule' : clear implicits.

Lemma domain0 i : domain i != finset.set0.
Proof. by apply/set0Pn; exists (at_round i y0); apply/imsetP; exists y0. Qed.

Lemma card_domain i : #|domain i| = #|Y|.
Proof. by apply: card_imset => z z' []. Qed.

Lemma mrule' j p : measurable [set h : vec RR j | rule' j h = p]%classic.
Proof.
have [e|ne] := eqVneq (at_round j p.1) p.
  have -> : [set h | rule' j h = p]%classic = [set h | rule j h = p.1]%classic; last exact: mrule.
  by apply/seteqP; split=> h /=; rewrite /rule'; [move=> <- | move=> ->].
have -> : [set h | rule' j h = p]%classic = set0; last exact: measurable0.
by apply/seteqP; split=> h //=; rewrite /rule' => e; case/negP: ne; rewrite -e.
Qed.

Lemma valueE g i z : (i <= n)%N -> value d n Y L g i z = adaptive_posterior.f RR d n X L' (at_round i z) g.
Proof.
move=> hi; rewrite /outcomes.value sumE /adaptive_posterior.f; apply: eq_bigr => l _; congr (_ * _).
by rewrite /L' /at_round /= inordK.
Qed.

Lemma seenE j g : (j <= n)%N -> seen d n Y L sigma rule j g = adaptive_posterior.seen RR d n X L' sigma rule' j g.
Proof.
elim: j => //= j IH hj; have hj' := ltnW hj; rewrite IH //; congr (_, _).
by rewrite valueE.
Qed.

Lemma playedE i g : (i <= n)%N -> adaptive_posterior.point RR d n X L' sigma rule' i g = at_round i (played d n Y L sigma rule g i).
Proof. by move=> hi; rewrite /adaptive_posterior.point /rule' /outcomes.played seenE. Qed.

Lemma answerE i g : (i <= n)%N -> answer d n Y L sigma rule g i = adaptive_posterior.y RR d n X L' sigma rule' i g.
Proof. by move=> hi; rewrite /outcomes.answer /adaptive_posterior.y playedE // valueE. Qed.

Section law.
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypothesis law : has_kernel d n Y L k h tau.

Lemma kernE i j z z' : (i < n)%N -> (j < n)%N ->
  adaptive_posterior.kern RR d X L' (at_round i z) (at_round j z') = k z z' * h (tau i) (tau j).
Proof.
move=> hi hj; rewrite -(law i j z z'); [|exact/ssrnat.ltP|exact/ssrnat.ltP].
rewrite sumE /adaptive_posterior.kern; apply: eq_bigr => l _; rewrite /L' /at_round /=.
by rewrite !inordK // ltnW.
Qed.

Notation A g i z := (joint Y k h (fun j => if Nat.eqb j i then z else played d n Y L sigma rule g j) tau).

Lemma covariancesE g i z j l : (i < n)%N -> (j <= i)%N -> (l <= i)%N ->
  covariances d n X L' sigma rule' i (at_round i z) g j l = A g i z j l.
Proof.
move=> hi ji li; rewrite /covariances /joint.
have hj := leq_ltn_trans ji hi; have hl := leq_ltn_trans li hi.
have at1 a : (a <= i)%N -> (if Nat.eqb a i then at_round i z else adaptive_posterior.point RR d n X L' sigma rule' a g) =
    at_round a (if Nat.eqb a i then z else played d n Y L sigma rule g a).
  move=> ai; case: (Nat.eqb_spec a i) => [->|_] //.
  by rewrite playedE // ltnW // (leq_ltn_trans ai hi).
by rewrite !at1 // kernE.
Qed.

Let p0 : (0 < (sigma : RR))%ring. Proof. by apply/RltP. Qed.
Let s2 : ((sigma ^+ 2)^-1)%ring = / sigma ^ 2.
Proof. by rewrite -RinvE ?RpowE // expf_neq0 // gt_eqF. Qed.

Theorem deviationE g i z : (i < n)%N -> adaptive_posterior.sd RR d n X L' sigma rule' i (at_round i z) g =
  deviation Y k h (/ sigma ^ 2) (played d n Y L sigma rule g) tau i z.
Proof.
move=> hi; have iN := ltnW hi.
have v0 : (0 <= adaptive_posterior.var RR d n X L' sigma rule' i (at_round i z) g)%ring.
  by rewrite /adaptive_posterior.var -(adaptive_posterior.resid_norm RR d n X L' sigma p0 i iN); exact: gaussian_law.dot_ge0.
rewrite /adaptive_posterior.sd -RsqrtE // /deviation; congr sqrt.
rewrite (var_variance d n X L' sigma rule' i _ g p0 iN) s2.
have E j l : (j <= i)%N -> (l <= i)%N -> covariances d n X L' sigma rule' i (at_round i z) g j l = A g i z j l.
  by move=> ji li; exact: covariancesE.
rewrite /variance E //; congr (_ - _ * _); congr ((_ *m invmx (_ + _ *: _) *m _)%ring _ _);
  by apply/matrixP => a b; rewrite !mxE E // ltnW // ltn_ord.
Qed.

Theorem predictionE g i z : (i < n)%N -> adaptive_posterior.mean RR d n X L' sigma rule' i (at_round i z) g =
  prediction Y k h (/ sigma ^ 2) (played d n Y L sigma rule g) tau (answer d n Y L sigma rule g) i z.
Proof.
move=> hi; have iN := ltnW hi; rewrite /adaptive_posterior.mean /prediction /posterior_mean -s2.
have ne (j : 'I_i) : Nat.eqb j i = false.
  by apply/Nat.eqb_neq => e; have := ltn_ord j; rewrite e ltnn.
have kC x1 x2 : adaptive_posterior.kern RR d X L' x1 x2 = adaptive_posterior.kern RR d X L' x2 x1 by apply: eq_bigr => l _; rewrite mulrC.
have E j l : (j <= i)%N -> (l <= i)%N -> covariances d n X L' sigma rule' i (at_round i z) g j l = A g i z j l.
  by move=> ji li; exact: covariancesE.
pose M := (\matrix_(a < i, l < i) A g i z a l)%ring.
have eM : adaptive_posterior.cov RR d X L' sigma i (fun j => adaptive_posterior.point RR d n X L' sigma rule' j g) =
    (sigma ^+ 2 *: (1%:M + (sigma ^+ 2)^-1 *: M))%ring.
  rewrite scalerDr scalerA divff ?sqrf_eq0 ?gt_eqF // scale1r addrC scalemx1; congr (_ + _)%ring.
  by apply/matrixP => j l; rewrite !mxE -E ?(ltnW (ltn_ord _)) // /covariances !ne.
have u : (sigma ^+ 2 *: (1%:M + (sigma ^+ 2)^-1 *: M) \in unitmx)%ring.
  by rewrite -eM; exact: (adaptive_posterior.cov_unit RR d n X L' sigma p0 i iN).
rewrite /adaptive_posterior.weights eM invmxZ // -scalemxAr -scalemxAl mxE; congr (_ * _)%ring.
congr ((_ *m _ *m _)%ring _ _); apply/matrixP => a l; rewrite !mxE.
  by rewrite -E ?(ltnW (ltn_ord _)) // /covariances ne Nat.eqb_refl kC.
by rewrite answerE // ltnW // (leq_trans (ltn_ord _) iN).
Qed.
End law.

(* ---- the regret is a random variable ---- *)
Lemma measurable_loses c : measurable (loses d n Y L sigma rule c : set outcome).
Proof.
pose Q := (fin_type ({ffun 'I_n -> Y} * {ffun 'I_n -> Y})%type).
pose fx (s : {ffun 'I_n -> Y}) (i : nat) : Y := if insub i is Some j then s j else y0.
pose lin (q : Q) : vec RR (d + n) := mk RR (d + n) (fun l => \sum_(i < n) (1 * (cw RR d X L' (at_round i (fx q.1 i)) l - cw RR d X L' (at_round i (fx q.2 i)) l)))%ring.
pose same (q : Q) := [set g : outcome | forall i : 'I_n, adaptive_posterior.point RR d n X L' sigma rule' i g = at_round i (q.2 i)]%classic.
have linE q g : dot RR (d + n) (lin q) g =
    sum n (fun i => value d n Y L g i (fx q.1 i) - value d n Y L g i (fx q.2 i)).
  rewrite /lin dot_sum sumE; apply: eq_bigr => i _; rewrite mul1r dot_sub.
  by rewrite -/(adaptive_posterior.w RR d n X L' _) -/(adaptive_posterior.w RR d n X L' _) !dot_w !valueE // ltnW // ltn_ord.
have fxE s (i : 'I_n) : fx s i = s i by rewrite /fx valK.
have e : (loses d n Y L sigma rule c : set outcome) =
    (\bigcup_(q : Q) ((dot RR (d + n) (lin q) @^-1` `]c, +oo[%classic) `&` same q))%classic.
  apply/seteqP; split=> g.
    case=> best lt; exists ([ffun i : 'I_n => best i], [ffun i : 'I_n => played d n Y L sigma rule g i]) => //; split.
      rewrite /= in_itv /= andbT linE; apply/RltP; apply: Rlt_le_trans lt _; right.
      by apply: sum_ext => i /ssrnat.ltP hi; rewrite -[i]/(nat_of_ord (Ordinal hi)) !fxE !ffunE.
    by move=> i; rewrite /= ffunE playedE // ltnW // ltn_ord.
  case=> q _ [/= lt sm]; exists (fx q.1); move: lt; rewrite in_itv /= andbT linE => /RltP lt.
  apply: Rlt_le_trans lt _; right; apply: sum_ext => i /ssrnat.ltP hi; congr (_ - value _ _ _ _ _ _ _).
  have := sm (Ordinal hi); rewrite /= playedE; last exact: ltnW.
  by rewrite -[in fx _ i]/(nat_of_ord (Ordinal hi)) fxE => -[].
rewrite e; apply: fin_bigcup_measurable; first exact: finite_finset.
move=> q _; apply: measurableI.
  by rewrite -[X in measurable X]setTI; apply: mdot => //; exact: measurable_itv.
have -> : same q = (\bigcap_(i : 'I_n) [set g | pick RR X (d + n) (adaptive_posterior.a RR d n X L' sigma) rule' i g = at_round i (q.2 i)])%classic.
  apply/seteqP; split=> g hs i; first by move=> _; rewrite /= -pointE; exact: (hs i).
  by rewrite pointE; exact: (hs i Logic.I).
apply: fin_bigcap_measurable; first exact: finite_finset.
by move=> i _; apply: mpick; exact: mrule'.
Qed.

(* ---- from the confidence event to the regret ---- *)
Variables (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R) (delta : R).
Hypothesis law : has_kernel d n Y L k h tau.
Hypothesis delta01 : 0 < delta <= 1.
Notation dev g := (deviation Y k h (/ sigma ^ 2) (played d n Y L sigma rule g) tau).
Notation pre g := (prediction Y k h (/ sigma ^ 2) (played d n Y L sigma rule g) tau (answer d n Y L sigma rule g)).
Notation val g := (value d n Y L g).
Notation beta := (width (INR #|Y|) delta).

Lemma betaE i : usual_beta X domain delta i = beta i.
Proof.
have i0 : 0 < INR (S i) by apply: lt_0_INR; lia.
have P0 := PI_RGT_0.
rewrite /usual_beta /width card_domain /share addn1; congr (2 * ln _); field; lra.
Qed.

(* the confidence event: outside an event of probability less than delta *)
Theorem confidence : exists bad : outcome -> Prop,
  (exists q, q < delta /\ at_most _ _ (standard_normal (d + n)) bad q) /\
  forall g, ~ bad g -> forall i z, (i < n)%coq_nat -> Rabs (val g i z - pre g i z) <= sqrt (beta i) * dev g i z.
Proof.
have [q [qd le]] := adaptive_confidence_delta d n X L' sigma rule' domain sigma0 mrule' delta delta01 domain0.
exists (some_miss d n X L' sigma rule' domain (usual_beta X domain delta)); split; first by exists q.
move=> g miss i z /ssrnat.ltP hi; apply: Rnot_lt_le => far; apply: miss; exists i; split; first exact: ltnW.
exists (at_round i z); split; first by apply/imsetP; exists z.
by rewrite betaE (deviationE k h tau law) // (predictionE k h tau law) // -valueE // ltnW.
Qed.

Theorem with_probability c :
  (forall g, (forall i z, (i < n)%coq_nat -> Rabs (val g i z - pre g i z) <= sqrt (beta i) * dev g i z) ->
     forall best : nat -> Y, sum n (fun i => val g i (best i) - val g i (played d n Y L sigma rule g i)) <= c) ->
  exists q, q < delta /\ at_most _ _ (standard_normal (d + n)) (loses d n Y L sigma rule c) q.
Proof.
move=> regret; have [bad [[q [qd [mb le]]] good]] := confidence.
exists q; split=> //; split; first exact: measurable_loses.
apply: Order.POrderTheory.le_trans le; apply: le_measure; rewrite ?inE //; first exact: measurable_loses.
move=> g [best lt]; apply: contrapT => fine; apply: (Rlt_not_le _ _ lt); apply: regret; exact: good.
Qed.
End compose.
