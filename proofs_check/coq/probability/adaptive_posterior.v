(******************************************************************************)
(*                   The posterior of a policy that adapts                    *)
(*                                                                            *)
(* Posterior mean and standard deviation from the points that were played;    *)
(* the confidence event for every round and candidate.                        *)
(*                                                                            *)
(* Statements:                                                                *)
(*   mk, co == a vector from its coordinates, and its coordinates             *)
(*   mean, sd, var == of a candidate, given the answers                       *)
(*   resid_norm == the norm of what is left is the standard deviation         *)
(*   confidence == the probability that some value is far from its mean       *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths.                                                            *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section coordinates.
Variable R : realType.
Notation vec := (vec R).
Arguments dot {R n}.

Fixpoint mk n (c : nat -> R) : vec n :=
  match n return vec n with 0%N => tt | m.+1 => (c 0%N, mk m (fun k => c k.+1)) end.

(* coordinate k of g; 0 beyond the last *)
Fixpoint co n (g : vec n) (k : nat) : R :=
  match n return vec n -> R with
  | 0%N => fun _ => 0
  | m.+1 => fun g => if k is l.+1 then co m g.2 l else g.1
  end g.

Lemma dot_mk n c (g : vec n) : dot (mk n c) g = \sum_(k < n) c k * co n g k.
Proof. by elim: n c g => [|n IH] c g /=; rewrite ?big_ord0 // big_ord_recl /= IH. Qed.

Lemma co_mk n c k : (k < n)%N -> co n (mk n c) k = c k.
Proof. by elim: n c k => // n IH c [|k] //= kn; rewrite IH. Qed.

Lemma co_out n (g : vec n) k : (n <= k)%N -> co n g k = 0.
Proof. by elim: n g k => // n IH g [|k] //= nk; rewrite IH. Qed.

Lemma dot_mk2 n c e : dot (mk n c) (mk n e) = \sum_(k < n) c k * e k.
Proof. by rewrite dot_mk; apply: eq_bigr => k _; rewrite co_mk. Qed.

Lemma dot_sum n i (v : 'I_i -> R) (A : 'I_i -> nat -> R) (g : vec n) :
  dot (mk n (fun k => \sum_j v j * A j k)) g = \sum_j v j * dot (mk n (A j)) g.
Proof.
rewrite dot_mk /=; under eq_bigr do rewrite big_distrl /=.
rewrite exchange_big /=; apply: eq_bigr => j _; rewrite dot_mk big_distrr /=.
by apply: eq_bigr => k _; rewrite mulrA.
Qed.

Lemma dot_sub n c e (g : vec n) : dot (mk n (fun k => c k - e k)) g = dot (mk n c) g - dot (mk n e) g.
Proof. by rewrite !dot_mk -sumrB; apply: eq_bigr => k _; rewrite mulrBl. Qed.

End coordinates.

Section ucb.
Variables (R : realType) (D : density R).
Notation vec := (vec R).
Arguments dot {R n}.
Arguments mk {R n}.
Arguments co {R n}.

(* f(x) = sum over k < d of L x k g_k with g standard normal, so the covariance of f is kern; the noise
   of round j is sigma g_(d+j); N rounds *)
Variables (d N : nat) (X : finType) (L : X -> nat -> R) (sigma : R).
Hypothesis sigma0 : 0 < sigma.
Variable rule : forall j, vec j -> X.
Hypothesis mrule : forall j x, measurable [set h : vec j | rule j h = x].
Notation m := (d + N)%N.
Notation P := (gauss R D m).

Definition f (x : X) (g : vec m) : R := \sum_(k < d) L x k * co g k.
Definition z (j : nat) (g : vec m) : R := sigma * co g (d + j).
Definition kern (x x' : X) : R := \sum_(k < d) L x k * L x' k.

(* the values seen, the last first; the point and the value of round j *)
Fixpoint seen (j : nat) (g : vec m) : vec j :=
  match j return vec j with
  | 0%N => tt
  | k.+1 => (f (rule k (seen k g)) g + z k g, seen k g)
  end.
Definition point j g := rule j (seen j g).
Definition y j g := f (point j g) g + z j g.

(* posterior mean and standard deviation after the first i rounds *)
Definition cov i (s : 'I_i -> X) : 'M[R]_i := \matrix_(j, l) kern (s j) (s l) + (sigma ^+ 2)%:M.
Definition weights i (s : 'I_i -> X) x : 'rV[R]_i := (\row_j kern x (s j)) *m invmx (cov i s).
Definition mean i x g : R :=
  (weights i (fun j => point j g) x *m \col_(j < i) y j g) ord0 ord0.
Definition var i x g : R :=
  kern x x - (weights i (fun j => point j g) x *m \col_(j < i) kern (point j g) x) ord0 ord0.
Definition sd i x g : R := Num.sqrt (var i x g).

Definition missed (b : nat -> R) (i : nat) (x : X) : set (vec m) :=
  [set g | b i * sd i x g < `|f x g - mean i x g|].

(* ---- the observations as linear functionals ---- *)
Definition ca (j : nat) (x : X) (k : nat) : R := if (k < d)%N then L x k else if k == (d + j)%N then sigma else 0.
Definition cw (x : X) (k : nat) : R := if (k < d)%N then L x k else 0.
Definition a j x : vec m := mk (ca j x).
Definition w x : vec m := mk (cw x).

Lemma sum_left (F G : nat -> R) : \sum_(k < m) (if (k < d)%N then F k else G k) =
  \sum_(k < d) F k + \sum_(k < N) G (d + k)%N.
Proof.
rewrite big_split_ord /=; congr (_ + _); apply: eq_bigr => k _; first by rewrite ltn_ord.
by rewrite ltnNge leq_addr.
Qed.

Lemma dot_w x g : dot (w x) g = f x g.
Proof.
rewrite dot_mk /cw (eq_bigr (fun k : 'I_m => if (k < d)%N then L x k * co g k else 0)); last first.
  by move=> k _; case: ifP; rewrite ?mul0r.
rewrite (sum_left (fun k => L x k * co g k) (fun=> 0)) big1_eq addr0.
by [].
Qed.

Lemma sum_at n j (F : nat -> R) : \sum_(k < n) (if (k : nat) == j then F k else 0) = if (j < n)%N then F j else 0.
Proof.
rewrite -big_mkcond /=; case: ifP => jn; last first.
  by rewrite big1 // => k /eqP e; rewrite -e ltn_ord in jn.
by rewrite (big_pred1 (Ordinal jn)).
Qed.

Lemma dot_a j x g : dot (a j x) g = f x g + z j g.
Proof.
rewrite dot_mk /ca.
rewrite (eq_bigr (fun k : 'I_m => if (k < d)%N then L x k * co g k else if (k : nat) == (d + j)%N then sigma * co g k else 0)); last first.
  by move=> k _; case: ifP => // _; case: ifP; rewrite ?mul0r.
rewrite (sum_left (fun k => L x k * co g k) (fun k => if k == (d + j)%N then sigma * co g k else 0)); congr (_ + _).
rewrite (eq_bigr (fun k : 'I_N => if (k : nat) == j then sigma * co g (d + k)%N else 0)); last first.
  by move=> k _; rewrite eqn_add2l.
rewrite (sum_at N j (fun k => sigma * co g (d + k)%N)); case: ltnP => // h.
by rewrite /z co_out ?mulr0 // leq_add2l.
Qed.

Lemma f_w x x' : f x (w x') = kern x x'.
Proof. by apply: eq_bigr => k _; rewrite co_mk ?ltn_addr // /cw ltn_ord. Qed.

Lemma f_a x j x' : f x (a j x') = kern x x'.
Proof. by apply: eq_bigr => k _; rewrite co_mk ?ltn_addr // /ca ltn_ord. Qed.

Lemma z_w j x : z j (w x) = 0.
Proof.
rewrite /z; case: (ltnP (d + j) m) => h; last by rewrite co_out ?mulr0.
by rewrite co_mk // /cw ltnNge leq_addr mulr0.
Qed.

Lemma z_a j l x : (j < N)%N -> z j (a l x) = if j == l then sigma ^+ 2 else 0.
Proof.
move=> jN; rewrite /z co_mk ?ltn_add2l // /ca ltnNge leq_addr /= eqn_add2l.
by case: eqP; rewrite ?mulr0 // expr2.
Qed.

Lemma seenE j g : seen j g = hist R X m a rule j g.
Proof. by elim: j => //= j IH; rewrite dot_a IH. Qed.

Lemma pointE j g : point j g = pick R X m a rule j g.
Proof. by rewrite /point /pick seenE. Qed.

Section residual.
Variables (i : nat) (iN : (i <= N)%N) (s : 'I_i -> X).

Lemma covE j l : cov i s j l = dot (a j (s j)) (a l (s l)).
Proof.
rewrite dot_a f_a z_a; last exact: leq_trans (ltn_ord j) iN.
rewrite !mxE; congr (_ + _); case: eqP => [->|ne]; first by rewrite eqxx mulr1n.
by case: eqP => // /val_inj e; case: ne; rewrite e.
Qed.

Lemma cov_unit : cov i s \in unitmx.
Proof.
rewrite -row_free_unit; apply: inj_row_free => v v0.
pose u : vec m := mk (fun k => \sum_j v 0 j * ca j (s j) k).
have ul (l : 'I_i) : dot u (a l (s l)) = 0.
  rewrite dot_sum -[RHS](_ : (v *m cov i s) 0 l = 0); last by rewrite v0 mxE.
  by rewrite mxE; apply: eq_bigr => j _; rewrite covE.
have uu : dot u u = 0.
  rewrite {1}/u dot_sum big1 // => j _; rewrite dotC.
  by rewrite -/(a j (s j)) ul mulr0.
apply/rowP => j; rewrite mxE.
have jm : (d + j < m)%N by rewrite ltn_add2l; exact: leq_trans (ltn_ord j) iN.
have := dot_null R m u (mk (fun k => if k == (d + j)%N then 1 else 0)) uu.
rewrite /u dot_mk2 (eq_bigr (fun k : 'I_m => if (k : nat) == (d + j)%N then \sum_j v 0 j * ca j (s j) k else 0)); last first.
  by move=> k _; case: ifP; rewrite ?mulr1 ?mulr0.
rewrite (sum_at m (d + j)%N (fun k => \sum_j v 0 j * ca j (s j) k)) jm.
rewrite (bigD1 j) //= big1 ?addr0; last first.
  move=> l lj; rewrite /ca ltnNge leq_addr /= eqn_add2l; case: eqP; rewrite ?mulr0 // => /val_inj e.
  by rewrite e eqxx in lj.
rewrite /ca ltnNge leq_addr /= eqxx => /eqP; rewrite mulf_eq0 (gt_eqF sigma0) orbF => /eqP.
by [].
Qed.

Variable x : X.
Let c j := weights i s x 0 j.
Definition resid : vec m := mk (fun k => cw x k - \sum_j c j * ca j (s j) k).

Lemma dot_resid g : dot resid g = f x g - \sum_j c j * (f (s j) g + z j g).
Proof.
rewrite dot_sub -/(w x) dot_w dot_sum; congr (_ - _); apply: eq_bigr => j _.
by rewrite -/(a j (s j)) dot_a.
Qed.

Lemma resid_orth (l : 'I_i) : dot (a l (s l)) resid = 0.
Proof.
rewrite dotC dot_resid f_a.
rewrite (eq_bigr (fun j => c j * cov i s j l)); last by move=> j _; rewrite covE dot_a.
have : (weights i s x *m cov i s) 0 l = kern x (s l) by rewrite mulmxKV ?cov_unit // mxE.
by rewrite mxE => ->; rewrite subrr.
Qed.

Lemma resid_norm : dot resid resid = kern x x - (weights i s x *m \col_j kern (s j) x) 0 0.
Proof.
rewrite dot_resid [X in _ - X]big1 ?subr0; last first.
  by move=> j _; rewrite -dot_a resid_orth mulr0.
rewrite -dot_w dotC dot_resid f_w; congr (_ - _); rewrite mxE; apply: eq_bigr => j _.
by rewrite f_w z_w addr0; congr (_ * _); rewrite mxE.
Qed.
End residual.

Lemma missedE b i x : (i <= N)%N ->
  missed b i x = out R X m a rule i (fun s => resid i s x) (b i).
Proof.
move=> iN.
have e g : (fun j : 'I_i => point j g) = path R X m a rule i g.
  by apply/funext => j; rewrite ffunE pointE.
have ev g : var i x g = dot (resid i (path R X m a rule i g) x) (resid i (path R X m a rule i g) x).
  rewrite (resid_norm i iN) /var e; congr (_ - (_ *m _) _ _); apply/matrixP => j k; rewrite !mxE.
  by rewrite ffunE -pointE.
have em g : f x g - mean i x g = dot (resid i (path R X m a rule i g) x) g.
  rewrite dot_resid /mean e; congr (_ - _); rewrite mxE; apply: eq_bigr => j _; congr (_ * _); rewrite mxE /y.
  by rewrite ffunE -pointE.
by apply/seteqP; split=> g; rewrite /missed /out /= em /sd ev.
Qed.

Lemma one_miss b i x : (i <= N)%N -> 0 <= b i ->
  measurable (missed b i x) /\ (P (missed b i x) <= tail R D (b i))%E.
Proof.
move=> iN b0; rewrite missedE //; split; first exact: mout.
by apply: one_round => // s l; exact: resid_orth.
Qed.

(* S i: the candidates of round i, e.g. the points of the domain at its time *)
Theorem confidence (b : nat -> R) (S : nat -> {set X}) : (forall i, 0 <= b i) ->
  let bad := [set g | exists i, (i <= N)%N /\ exists x, x \in S i /\ missed b i x g] in
  measurable bad /\ (P bad <= \sum_(i < N.+1) \sum_(x in S i) tail R D (b i))%E.
Proof.
move=> b0 bad.
pose F (p : 'I_N.+1 * X) := if p.2 \in S p.1 then missed b p.1 p.2 else set0.
have mF p : measurable (F p).
  by rewrite /F; case: ifP => // _; case: (one_miss b p.1 p.2 (ltn_ord p.1) (b0 p.1)).
have badE : bad = \bigcup_(p in [set: 'I_N.+1 * X]) F p.
  apply/seteqP; split=> g /=.
    by move=> [i [iN [x [xS h]]]]; exists (Ordinal (iN : (i < N.+1)%N), x) => //; rewrite /F /= xS.
  move=> [[i x] _]; rewrite /F /=; case: ifP => // xS h.
  by exists i; split; [rewrite -ltnS | exists x].
have fin : finite_set [set: 'I_N.+1 * X] by exact: finite_finset.
have mb : measurable bad by rewrite badE; apply: fin_bigcup_measurable.
split=> //.
apply: (@le_trans _ _ (\sum_(p \in [set: 'I_N.+1 * X]) P (F p))%E).
  by apply: content_sub_fsum => //; rewrite badE.
rewrite (fsbigE (index_enum _)) ?index_enum_uniq //; last first.
  by move=> p _; rewrite mem_index_enum.
rewrite (eq_bigl xpredT); last by move=> p; rewrite in_setT.
rewrite (eq_bigr (fun i : 'I_N.+1 => \sum_(x : X) (if x \in S i then tail R D (b i) else 0))%E); last first.
  by move=> i _; rewrite big_mkcond.
rewrite pair_big /=; apply: lee_sum => p _; rewrite /F; case: ifP => _; last by rewrite measure0.
by case: (one_miss b p.1 p.2 (ltn_ord p.1) (b0 p.1)).
Qed.

End ucb.
