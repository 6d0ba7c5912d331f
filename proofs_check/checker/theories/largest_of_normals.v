(******************************************************************************)
(*              The mean of the largest of normal values, as a number         *)
(*                                                                            *)
(* It grows with the covariance, and with the points; of independent values   *)
(* it is counted in steps.                                                    *)
(*                                                                            *)
(* Statements:                                                                *)
(*   mean_maximum_more == more covariance, a larger mean                      *)
(*   mean_maximum_some == fewer points, a smaller mean                        *)
(*   independent_steps == independent values                                  *)
(*   mean_maximum_apart == points whose covariance is at least d times the    *)
(*       identity                                                             *)
(*   normal_cdf_step, normal_cdf_steps == the distribution function, from     *)
(*       above                                                                *)
(*                                                                            *)
(* Rests on: library, measures, vectors, gaussian_law, adaptive_posterior,    *)
(* normal_density, adaptive_confidence, posterior_kernel, reflections,        *)
(* moments, scalar, normal, definitions, sums, kernels, outcomes,             *)
(* combinations, any_space, expected_regret, floor_in_mean, lebesgue,         *)
(* rotation.                                                                  *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures lebesgue vectors rotation gaussian_law adaptive_posterior normal_density adaptive_confidence
  posterior_kernel reflections moments.
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From CTV Require Import scalar normal definitions sums outcomes combinations any_space expected_regret floor_in_mean.
From CTV Require kernels.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation law m := [the {measure set vec RR m -> \bar RR}%ring of gauss RR normal_density.normal m].

Notation one A := (\1_A)%ring.

Lemma one_in M (A : set (vec RR M)) g : A g -> one A g = 1 :> R.
Proof. by move=> h; rewrite indicE mem_set. Qed.
Lemma one_out M (A : set (vec RR M)) g : ~ A g -> one A g = 0 :> R.
Proof. by move=> h; rewrite indicE memNset. Qed.
Lemma one_ge0 M (A : set (vec RR M)) g : 0 <= one A g.
Proof. by have [h|h] := pselect (A g); [rewrite one_in //; lra | rewrite one_out //; lra]. Qed.

(* ---- means on vectors, as numbers ---- *)
Section means.
Variable M : nat.
Definition mean_is (X : vec RR M -> R) (x : R) : Prop := has_mean (law M) X /\ (\int[law M]_g (X g)%:E = x%:E)%E.

Lemma is_ext X Z x : (forall g, X g = Z g) -> mean_is X x -> mean_is Z x.
Proof. by move=> e; have -> : Z = X by apply: funext => g; rewrite e. Qed.

Lemma is_add X Z x z : mean_is X x -> mean_is Z z -> mean_is (fun g => X g + Z g) (x + z).
Proof.
move=> [hX eX] [hZ eZ]; split; first exact: (integrableD measurableT hX hZ).
have := integralD measurableT hX hZ; rewrite eX eZ -EFinD => <-; by apply: eq_integral.
Qed.

Lemma is_scale t X x : mean_is X x -> mean_is (fun g => t * X g) (t * x).
Proof.
move=> [hX eX]; split; first exact: (integrablerM measurableT t hX).
by have := integralM measurableT hX t; rewrite eX -EFinM => <-; apply: eq_integral.
Qed.

Lemma is_le X Z x z : mean_is X x -> mean_is Z z -> (forall g, X g <= Z g) -> x <= z.
Proof.
move=> mX mZ le; have [_ e] := is_add _ _ _ _ mZ (is_scale (-1) _ _ mX).
suff : 0 <= z + -1 * x by lra.
apply/RleP; rewrite -lee_fin -e; apply: integral_ge0 => g _; rewrite lee_fin; apply/RleP; change (0 <= Z g + -1 * X g); have := le g; lra.
Qed.

Lemma is_indic (A : set (vec RR M)) p : measurable A -> law M A = p%:E -> mean_is (one A) p.
Proof.
move=> mA pA; have e : (\int[law M]_g (one A g)%:E = p%:E)%E by rewrite integral_indic // setIT.
split=> //; apply/integrableP; split; first by apply/EFin_measurable_fun; exact: measurable_fun_indic.
rewrite (eq_integral (fun g => (one A g)%:E)%E); first by rewrite e ltry.
by move=> g _; rewrite /= indicE ger0_norm // ler0n.
Qed.

Lemma is_const c : mean_is (fun=> c) c.
Proof.
have -> : c = c * 1 by ring.
apply: (is_ext (fun g => c * one setT g)); first by move=> g; rewrite indicE in_setT.
by apply: is_scale; apply: is_indic; [exact: measurableT | exact: gaussT].
Qed.

Lemma is_sum N X x : (forall j, mean_is (X j) (x j)) -> mean_is (fun g => sum N (fun j => X j g)) (sum N x).
Proof. by move=> h; elim: N => [|N IH]; [exact: (is_const 0) | exact: (is_add _ _ _ _ IH (h N))]. Qed.
End means.

(* a representation of a covariance on vectors has the mean that belongs to it *)
Lemma mean_is_maximum (Y : finType) (a : Y) k m M (F : Y -> nat -> R) : mean_maximum Y k m ->
  (forall y z, sum M (fun l => F y l * F z l) = k y z) ->
  mean_is M (fun g => best_value Y a (fun y => sum M (fun l => F y l * co RR M g l))) m.
Proof.
move=> mm e; split; last exact: (mm _ _ (standard_normal M) M (fun l g => co RR M g l) F a (coordinates M) e).
have E y : (fun g => sum M (fun l => F y l * co RR M g l)) = (fun g => vectors.dot RR M (mk RR M (F y)) g).
  by apply: funext => g; rewrite dot_mk -(sumE M (fun l => F y l * co RR M g l)).
by apply: best_value_has_mean => y; rewrite E; exact: has_mean_dot.
Qed.

(* ---- more covariance, fewer points ---- *)

Lemma zero_sum n F : (forall l, F l = 0) -> sum n F = 0.
Proof. by move=> h; rewrite (sum_ext n _ (fun=> 0)) ?sum_0 // => l _; exact: h. Qed.

Theorem mean_maximum_more (Y : finType) (a : Y) k k' m m' : kernel Y k -> kernel Y k' ->
  mean_maximum Y (fun y z => k y z + k' y z) m -> mean_maximum Y k m' -> m' <= m.
Proof.
move=> p p' mm mm'; have [L e] := features Y k p; have [L' e'] := features Y k' p'; pose D := #|Y|.
have f y z : sum D (fun l => L y l * L z l) = k y z by rewrite -e sumE.
have f' y z : sum D (fun l => L' y l * L' z l) = k' y z by rewrite -e' sumE.
pose F t y := three D D (L y) (fun l => t * L' y l) (fun=> 0).
have FE t y g : sum (D + D + 0)%N (fun l => F t y l * co RR _ g l) =
    sum D (fun l => L y l * co RR _ g l) + t * sum D (fun l => L' y l * co RR (D + D + 0)%N g (D + l)%N).
  by rewrite three_sum /= Rplus_0_r -sum_scal; congr (_ + _); apply: sum_ext => l _; ring.
have FF t y z : sum (D + D + 0)%N (fun l => F t y l * F t z l) = k y z + t ^ 2 * k' y z.
  have := three_dot2 D D 0 (L y) (fun l => t * L' y l) (fun=> 0) (L z) (fun l => t * L' z l) (fun=> 0).
  rewrite dot_mk2 -(sumE (D + D + 0)%N (fun l => F t y l * F t z l)) => ->.
  rewrite f /= Rplus_0_r -f' -sum_scal; congr (_ + _); apply: sum_ext => l _; ring.
have up t : t ^ 2 = 1 -> mean_is (D + D + 0)%N (fun g => best_value Y a (fun y => sum (D + D + 0)%N (fun l => F t y l * co RR _ g l))) m.
  move=> t1; have h := mean_is_maximum Y a _ m (D + D + 0)%N (F t) mm; apply h => y z; by rewrite FF t1 Rmult_1_l.
have low : mean_is (D + D + 0)%N (fun g => best_value Y a (fun y => sum (D + D + 0)%N (fun l => F 0 y l * co RR _ g l))) m'.
  have h := mean_is_maximum Y a _ m' (D + D + 0)%N (F 0) mm'; apply h => y z; rewrite FF; ring.
have := is_le _ _ _ _ _ (is_add _ _ _ _ _ low low) (is_add _ _ _ _ _ (up 1 ltac:(ring)) (up (-1) ltac:(ring))).
suff h g : best_value Y a (fun y => sum (D + D + 0)%N (fun l => F 0 y l * co RR (D + D + 0)%N g l)) + best_value Y a (fun y => sum (D + D + 0)%N (fun l => F 0 y l * co RR _ g l)) <=
    best_value Y a (fun y => sum (D + D + 0)%N (fun l => F 1 y l * co RR _ g l)) + best_value Y a (fun y => sum (D + D + 0)%N (fun l => F (-1) y l * co RR _ g l)).
  by move=> /(_ h); lra.
have [y ->] := best_value_is Y a (fun y => sum (D + D + 0)%N (fun l => F 0 y l * co RR (D + D + 0)%N g l)).
have := best_value_ge Y a (fun y => sum (D + D + 0)%N (fun l => F 1 y l * co RR (D + D + 0)%N g l)) y.
have := best_value_ge Y a (fun y => sum (D + D + 0)%N (fun l => F (-1) y l * co RR (D + D + 0)%N g l)) y.
by rewrite !FE; lra.
Qed.

Theorem mean_maximum_some (Y I : finType) (s : I -> Y) (i : I) k m m' : kernel Y k ->
  mean_maximum Y k m -> mean_maximum I (fun i j => k (s i) (s j)) m' -> m' <= m.
Proof.
move=> p mm mm'; have [L e] := features Y k p; pose D := #|Y|.
have f y z : sum D (fun l => L y l * L z l) = k y z by rewrite -e sumE.
apply: (is_le D _ _ _ _ (mean_is_maximum I i _ m' D (fun i => L (s i)) mm' (fun i j => f (s i) (s j)))
  (mean_is_maximum Y (s i) k m D L mm f)) => g.
have [j ->] := best_value_is I i (fun i => sum D (fun l => L (s i) l * co RR D g l)).
exact: (best_value_ge Y (s i) (fun y => sum D (fun l => L y l * co RR D g l)) (s j)).
Qed.

(* ---- independent values ---- *)

Lemma counted_steps e N y : 0 < e -> 0 <= y -> sum N (fun j => e * (if Rle_dec (INR (S j) * e) y then 1 else 0)) <= y /\
  sum N (fun j => e * (if Rle_dec (INR (S j) * e) y then 1 else 0)) <= INR N * e.
Proof.
move=> e0 y0; elim: N => [|N [IH1 IH2]]; first by rewrite /= Rmult_0_l; lra.
have s : INR (S N) * e = INR N * e + e by rewrite S_INR; ring.
rewrite (_ : sum (S N) _ = sum N (fun j => e * (if Rle_dec (INR (S j) * e) y then 1 else 0)) +
  e * (if Rle_dec (INR (S N) * e) y then 1 else 0)) //.
move: IH1 IH2; set S' := sum N _ => IH1 IH2.
by case: Rle_dec => h; rewrite /is_left; split; lra.
Qed.

Lemma mall M n (t : R) : measurable [set g : vec RR M | forall i, (i < n)%coq_nat -> co RR M g i < t]%classic.
Proof.
elim: n => [|n IH].
  rewrite (_ : [set g | _]%classic = setT); first exact: measurableT.
  by apply/seteqP; split=> // g _ i; lia.
have -> : [set g : vec RR M | forall i, (i < n.+1)%coq_nat -> co RR M g i < t]%classic =
    ([set g : vec RR M | forall i, (i < n)%coq_nat -> co RR M g i < t] `&` ((fun g => co RR M g n : RR) @^-1` below t))%classic.
  apply/seteqP; split=> g.
    by move=> h; split; [move=> i hi; apply: h; lia | apply/RltP; apply: h; lia].
  case=> h /RltP l i hi; case: (Nat.eq_dec i n) => [->|ne] //; apply: h; lia.
have mc : measurable_fun setT (fun g : vec RR M => co RR M g n : RR) by exact: argmax_rule.mco.
apply: measurableI => //; rewrite -[X in measurable X]setTI; exact: (mc measurableT _ (mbelow t)).
Qed.

Lemma product_same n x : product n (fun=> x) = x ^ n.
Proof. by elim: n => //= n ->. Qed.

Lemma law_all M n t : (n <= M)%N -> law M [set g : vec RR M | forall i, (i < n)%coq_nat -> co RR M g i < t]%classic = (normal_cdf t ^ n)%R%:E.
Proof. move=> nM; have [_ [_ h]] := fewer n M nM; rewrite -product_same; exact: (h (fun=> t)). Qed.

Section independent.
Variables (q N : nat) (from e : R).
Hypotheses (from0 : from <= 0) (e0 : 0 < e).
Definition level (j : nat) : R := from + INR (S j) * e.
Definition step_sum : R := from + sum N (fun j => e * (1 - normal_cdf (level j) ^ S q)) - INR N * e * normal_cdf from ^ q.
Notation M := (S q).
Notation I := (fin_type 'I_(S q)).
Notation best g := (best_value I ord0 (fun i : 'I_(S q) => co RR M g i)).
Let C : set (vec RR M) := [set g : vec RR M | forall i, (i < q)%coq_nat -> co RR M g i < from]%classic.
Let B j : set (vec RR M) := [set g : vec RR M | forall i, (i < S q)%coq_nat -> co RR M g i < level j]%classic.
Let u l : vec RR M := mk RR M (fun i => identity i l).

Lemma uE l g : (l < M)%N -> vectors.dot RR M (u l) g = co RR M g l.
Proof. by move=> /ssrnat.ltP hl; rewrite dot_mk -(sumE M (fun i => identity i l * co RR M g i)) sum_one. Qed.

Lemma blind_last : mean_is M (fun g => vectors.dot RR M (u q) g * one C g) 0.
Proof.
have mC : measurable C by exact: mall.
split; last first.
  apply: (blind M C (u q) mC) => g.
  have same i : (i < q)%coq_nat -> co RR M (reflect RR M (u q) g) i = co RR M g i.
    move=> hi; have hM : (i < M)%N by apply/ssrnat.ltP; lia.
    have z : vectors.dot RR M (u i) (u q) = 0.
      rewrite uE // co_mk // /identity; case: (Nat.eqb_spec i q) => //; lia.
    by rewrite -!uE // /reflect dot_axpy z mulr0 addr0.
  by split=> h i hi; have := h i hi; rewrite same.
apply: (has_mean_le _ _ (vectors.dot RR M (u q))); last exact: has_mean_dot.
- by apply: measurable_funM; [exact: mdot | exact: measurable_fun_indic].
- move=> g; have [h|h] := pselect (C g); first by rewrite one_in // Rmult_1_r.
  by rewrite one_out // Rmult_0_r normr0.
Qed.

Lemma step_point g : from + INR N * e <=
  (best g + -1 * (vectors.dot RR M (u q) g * one C g)) + (sum N (fun j => e * one (B j) g) + INR N * e * one C g).
Proof.
have up (i : nat) : (i < S q)%coq_nat -> co RR M g i <= best g.
  move=> /ssrnat.ltP hi; exact: (best_value_ge I ord0 (fun i : 'I_(S q) => co RR M g i) (Ordinal hi)).
have s0 : 0 <= sum N (fun j => e * one (B j) g).
  apply: sum_ge0 => j _; apply: Rmult_le_pos; [lra | exact: one_ge0].
have [inC|outC] := pselect (C g).
  rewrite one_in // uE //; have := up q ltac:(lia).
  have n0 : 0 <= INR N * e by apply: Rmult_le_pos; [exact: pos_INR | lra].
  move: s0; set a := sum N _ => s0 l; lra.
rewrite one_out // !Rmult_0_r !Rplus_0_r.
have fb : from <= best g.
  apply: Rnot_lt_le => l; apply: outC => i hi; apply: Rle_lt_trans (up i ltac:(lia)) l.
have [steps _] := counted_steps e N (best g - from) e0 ltac:(lra).
have same : sum N (fun j => e * one (B j) g) + sum N (fun j => e * (if Rle_dec (INR (S j) * e) (best g - from) then 1 else 0)) >= INR N * e.
  rewrite -sum_plus -(Rmult_1_l (INR N * e)) -Rmult_assoc (Rmult_comm 1) Rmult_assoc -(sum_const N (1 * e)).
  apply: Rle_ge; apply: sum_le => j _; case: Rle_dec => h; rewrite /is_left.
    by have := one_ge0 M (B j) g => h1; have := Rmult_le_pos _ _ (Rlt_le _ _ e0) h1; lra.
  rewrite one_in; first by lra.
  move=> i hi; apply: Rle_lt_trans (up i hi) _; rewrite /level; lra.
lra.
Qed.

Theorem independent_steps m : mean_is M (fun g => best g) m -> step_sum <= m.
Proof.
move=> mb; have mC : mean_is M (one C) (normal_cdf from ^ q) by apply: is_indic; [exact: mall | exact: law_all].
have mB j : mean_is M (one (B j)) (normal_cdf (level j) ^ S q) by apply: is_indic; [exact: mall | exact: law_all].
have right_ := is_add M _ _ _ _ (is_add M _ _ _ _ mb (is_scale M (-1) _ _ blind_last))
  (is_add M _ _ _ _ (is_sum M N _ _ (fun j => is_scale M e _ _ (mB j))) (is_scale M (INR N * e) _ _ mC)).
have := is_le M _ _ _ _ (is_const M (from + INR N * e)) right_ step_point.
rewrite /step_sum (_ : sum N (fun j => e * (1 - normal_cdf (level j) ^ S q)) = INR N * e - sum N (fun j => e * normal_cdf (level j) ^ S q)); first lra.
rewrite -(sum_const N e) -sum_minus; apply: sum_ext => j _; ring.
Qed.
End independent.

Lemma kernel_of_matrix p A : semidefinite p A -> kernel (fin_type 'I_p) (fun i j => A i j).
Proof.
move=> [sy pos] n x; split=> [i j _ _|c]; first by apply: sy; apply/ssrnat.ltP; exact: ltn_ord.
have pick H : sum p (fun a => sum n (fun i => identity a (x i) * c i) * H a) = sum n (fun i => c i * H (x i : nat)).
  rewrite (sum_ext p _ (fun a => sum n (fun i => identity a (x i) * (c i * H a)))); last first.
    by move=> a _; rewrite -sum_scalr; apply: sum_ext => i _; ring.
  rewrite sum_swap; apply: sum_ext => i _; rewrite (sum_one p (x i) (fun a => c i * H a)) //; apply/ssrnat.ltP; exact: ltn_ord.
have := pos (fun a => sum n (fun i => identity a (x i) * c i)).
rewrite (sum_ext p _ (fun a => sum n (fun i => identity a (x i) * c i) * sum n (fun j => c j * A a (x j)))); last first.
  move=> a _; rewrite -(pick (fun b => A a b)) -sum_scal; apply: sum_ext => b _; ring.
rewrite (pick (fun a => sum n (fun j => c j * A a (x j)))) => h; apply: Rle_trans h _; right.
apply: sum_ext => i _; rewrite -sum_scal; apply: sum_ext => j _; ring.
Qed.

(* points of which the covariance is at least d times that of independent ones *)
Theorem mean_maximum_apart (Y : finType) k m (q N : nat) (s : nat -> Y) d from e : kernel Y k -> mean_maximum Y k m ->
  0 <= d -> semidefinite (S q) (fun i j => k (s i) (s j) - d * identity i j) -> from <= 0 -> 0 < e ->
  sqrt d * step_sum q N from e <= m.
Proof.
move=> pk mm d0 apart f0 e0; pose I := (fin_type 'I_(S q)); pose t := sqrt d.
have t0 : 0 <= t by exact: sqrt_pos.
have tt : t * t = d by exact: sqrt_sqrt.
pose some (i j : I) := k (s i) (s j).
have psome : kernel I some by move=> n x; exact: (pk n (fun i => s (x i))).
pose own (i j : I) := d * identity i j.
have pown : kernel I own.
  by move=> n x; apply: (kernels.semidefinite_scal n d) => //; exact: (identity_kernel n (fun i => x i : nat)).
pose more (i j : I) := some i j - own i j.
have pmore : kernel I more by exact: (kernel_of_matrix (S q) (fun i j => k (s i) (s j) - d * identity i j)).
have [ms hs] := mean_maximum_exists I ord0 some psome.
have [mo ho] := mean_maximum_exists I ord0 own pown.
have small := mean_maximum_some Y I (fun i : I => s i) ord0 k m ms pk mm hs.
have less : mo <= ms.
  apply: (mean_maximum_more I ord0 own more ms mo pown pmore _ ho).
  by have -> : (fun i j => own i j + more i j) = some by apply: funext => i; apply: funext => j; rewrite /more; ring.
rewrite -/t; suff : t * step_sum q N from e <= mo by lra.
have gram (i j : I) : sum (S q) (fun l => t * identity l i * (t * identity l j)) = own i j.
  rewrite (sum_ext _ _ (fun l => t * t * (identity l i * identity l j))); last by move=> l _; ring.
  by rewrite sum_scal sum_one ?tt //; apply/ssrnat.ltP; exact: ltn_ord.
have := mean_is_maximum I ord0 own mo (S q) (fun i l => t * identity l i) ho gram.
set X := fun g => _; have XE g : X g = t * best_value I ord0 (fun i : I => co RR (S q) g i).
  rewrite /X -best_value_scale //; congr (best_value _ _ _); apply: funext => i.
  rewrite (sum_ext _ _ (fun l => identity l i * (t * co RR (S q) g l))); last by move=> l _; ring.
  by rewrite sum_one //; apply/ssrnat.ltP; exact: ltn_ord.
move=> mX; have [z|p] : t = 0 \/ 0 < t by lra.
  rewrite z Rmult_0_l; apply: (is_le (S q) _ _ _ _ (is_const (S q) 0) mX) => g; rewrite XE z Rmult_0_l; lra.
have mb : mean_is (S q) (fun g => best_value I ord0 (fun i : I => co RR (S q) g i)) (/ t * mo).
  by apply: (is_ext (S q) _ _ _ _ (is_scale (S q) (/ t) _ _ mX)) => g; rewrite XE -Rmult_assoc Rinv_l ?Rmult_1_l //; lra.
have := independent_steps q N from e f0 e0 _ mb; move=> /(Rmult_le_compat_l t _ _ t0).
by rewrite -Rmult_assoc Rinv_r ?Rmult_1_l //; lra.
Qed.

(* ---- the distribution function from above ---- *)

Lemma cosh_below x : 0 <= x -> exp x + exp (- x) <= 2 * exp (x ^ 2 / 2).
Proof.
move=> x0; pose s u := u * (exp u + exp (- u)) - (exp u - exp (- u)).
have s0 u : 0 <= u -> 0 <= s u.
  move=> u0; have -> : 0 = s 0 by rewrite /s Ropp_0 exp_0; ring.
  apply: (rises s (fun v => v * (exp v - exp (- v)))) => // [v _|v [v0 _]]; first by rewrite /s; auto_derive => //; ring.
  have : exp (- v) <= exp v by case: (Rle_lt_or_eq_dec 0 v v0) => [p|<-]; [left; apply: exp_increasing; lra | right; congr exp; ring].
  by move=> l; apply: Rmult_le_pos; lra.
pose r u := exp (- (u ^ 2 / 2)) * (exp u + exp (- u)).
have : r x <= r 0.
  apply: (sinks r (fun u => - (exp (- (u ^ 2 / 2)) * s u))) => // [u _|u [u0 _]].
    rewrite /r /s; auto_derive => //; rewrite (_ : u * (u * 1) * / 2 = u ^ 2 / 2); by field.
  by have := Rmult_le_pos _ _ (Rlt_le _ _ (exp_pos (- (u ^ 2 / 2)))) (s0 u u0); lra.
rewrite /r Ropp_0 exp_0 (_ : - (0 ^ 2 / 2) = 0); last by field.
rewrite exp_0 exp_Ropp => h; have p := exp_pos (x ^ 2 / 2).
have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ p) h; rewrite -Rmult_assoc Rinv_r; lra.
Qed.

(* over a step of length 2 w around a *)
Theorem normal_cdf_step a w : 0 <= w ->
  normal_cdf (a + w) - normal_cdf (a - w) <= 2 * w * (/ sqrt (2 * PI) * exp (- (a ^ 2 / 2) * (1 - w ^ 2))).
Proof.
move=> w0; set c := _ * exp _; have root := normal_root_positive.
have d u : 0 <= u <= w -> is_derive (fun u => 2 * u * c - (normal_cdf (a + u) - normal_cdf (a - u))) u
    (2 * c - (normal_density (a + u) + normal_density (a - u))).
  move=> _; apply: (@is_derive_minus _ R_NormedModule); first by auto_derive => //; ring.
  have -> : normal_density (a + u) + normal_density (a - u) = normal_density (a + u) - (- normal_density (a - u)) by ring.
  apply: (@is_derive_minus _ R_NormedModule).
    have := is_derive_comp normal_cdf (fun u => a + u) u _ 1 (normal_cdf_derive (a + u)).
    by rewrite /scal /= /mult /= Rmult_1_l => h; apply: h; auto_derive => //; ring.
  have := is_derive_comp normal_cdf (fun u => a - u) u _ (-1) (normal_cdf_derive (a - u)).
  rewrite /scal /= /mult /= => h; rewrite (_ : - _ = -1 * normal_density (a - u)); last by ring.
  by apply: h; auto_derive => //; ring.
have pos u : 0 <= u <= w -> 0 <= 2 * c - (normal_density (a + u) + normal_density (a - u)).
  move=> [u0 uw].
  have e t : normal_density t = / sqrt (2 * PI) * exp (- (t ^ 2 / 2)).
    rewrite /normal_density (_ : - t ^ 2 / 2 = - (t ^ 2 / 2)); first by field; lra.
    by field.
  have k : exp (- ((a + u) ^ 2 / 2)) + exp (- ((a - u) ^ 2 / 2)) <= 2 * exp (- (a ^ 2 / 2) * (1 - w ^ 2)).
    pose x := Rabs a * u; have x0 : 0 <= x by apply: Rmult_le_pos => //; exact: Rabs_pos.
    have xx : x ^ 2 = a ^ 2 * u ^ 2 by rewrite /x Rpow_mult_distr pow2_abs.
    have b := cosh_below x x0.
    have split_ y : exp (- (a ^ 2 / 2) - u ^ 2 / 2 + y) = exp (- (a ^ 2 / 2)) * exp (- (u ^ 2 / 2)) * exp y.
      by rewrite -!exp_plus; congr exp; ring.
    have -> : exp (- ((a + u) ^ 2 / 2)) + exp (- ((a - u) ^ 2 / 2)) = exp (- (a ^ 2 / 2)) * exp (- (u ^ 2 / 2)) * (exp x + exp (- x)).
      rewrite Rmult_plus_distr_l -!split_ /x /Rabs; case: Rcase_abs => _; [|rewrite Rplus_comm];
        by congr (exp _ + exp _); field.
    have l1 : exp (- (u ^ 2 / 2)) <= 1.
      rewrite -exp_0; have := pow2_ge_0 u; case=> [p|<-]; first by left; apply: exp_increasing; lra.
      by right; congr exp; field.
    have pa := exp_pos (- (a ^ 2 / 2)); have pu := exp_pos (- (u ^ 2 / 2)); have px := exp_pos (x ^ 2 / 2).
    apply: Rle_trans (_ : exp (- (a ^ 2 / 2)) * (2 * exp (x ^ 2 / 2)) <= _).
      rewrite Rmult_assoc; apply: Rmult_le_compat_l; first lra.
      by apply: Rle_trans (_ : exp (- (u ^ 2 / 2)) * (2 * exp (x ^ 2 / 2)) <= _); [apply: Rmult_le_compat_l; lra | nra].
    have -> : exp (- (a ^ 2 / 2)) * (2 * exp (x ^ 2 / 2)) = 2 * exp (- (a ^ 2 / 2) + x ^ 2 / 2) by rewrite exp_plus; ring.
    apply: Rmult_le_compat_l; first lra.
    have le : - (a ^ 2 / 2) + x ^ 2 / 2 <= - (a ^ 2 / 2) * (1 - w ^ 2).
      have : u ^ 2 <= w ^ 2 by apply: pow_incr.
      by have := pow2_ge_0 a; rewrite xx; nra.
    by case: le => [p|->]; [left; exact: exp_increasing | right].
  rewrite !e /c; have ri := Rinv_0_lt_compat _ root.
  have := Rmult_le_compat_l _ _ _ (Rlt_le _ _ ri) k; lra.
have := rises _ _ 0 w d pos w0; rewrite Rplus_0_r Rminus_0_r; lra.
Qed.

(* over steps, from a point on the left *)
Fixpoint cdf_above (from e : R) (j : nat) : R :=
  match j with
  | O => / 2 * exp (- (from ^ 2 / 2))
  | S l => cdf_above from e l +
      e * (/ sqrt (2 * PI) * exp (- ((from + (INR l + / 2) * e) ^ 2 / 2) * (1 - (e / 2) ^ 2)))
  end.
Theorem normal_cdf_steps from e j : from <= 0 -> 0 <= e -> normal_cdf (from + INR j * e) <= cdf_above from e j.
Proof.
move=> f0 e0; elim: j => [|j IH].
  have := gaussian_tail (- from) ltac:(lra); rewrite Ropp_involutive.
  rewrite (_ : - (- from) ^ 2 / 2 = - (from ^ 2 / 2)); last by field.
  by rewrite [INR 0](_ : _ = 0) // Rmult_0_l Rplus_0_r /cdf_above => h; lra.
have := normal_cdf_step (from + (INR j + / 2) * e) (e / 2) ltac:(lra).
rewrite (_ : from + (INR j + / 2) * e + e / 2 = from + INR (S j) * e); last by rewrite S_INR; field.
rewrite (_ : from + (INR j + / 2) * e - e / 2 = from + INR j * e); last by field.
rewrite (_ : 2 * (e / 2) = e); last by field.
rewrite [X in _ -> _ <= X](_ : _ = cdf_above from e j +
  e * (/ sqrt (2 * PI) * exp (- ((from + (INR j + / 2) * e) ^ 2 / 2) * (1 - (e / 2) ^ 2)))) //; lra.
Qed.

Definition steps_below (q N : nat) (from e : R) : R :=
  from + sum N (fun j => e * (1 - cdf_above from e (S j) ^ S q)) - INR N * e * cdf_above from e 0 ^ q.
Theorem step_sum_below q N from e : from <= 0 -> 0 < e -> steps_below q N from e <= step_sum q N from e.
Proof.
move=> f0 e0; have up j n : normal_cdf (from + INR j * e) ^ n <= cdf_above from e j ^ n.
  apply: pow_incr; split; [exact: normal_cdf_nonnegative | apply: normal_cdf_steps; lra].
have u0 := up 0%N q; rewrite [INR 0](_ : _ = 0) // Rmult_0_l Rplus_0_r in u0.
have n0 : 0 <= INR N * e by apply: Rmult_le_pos; [exact: pos_INR | lra].
have := Rmult_le_compat_l _ _ _ n0 u0.
have : sum N (fun j => e * (1 - cdf_above from e (S j) ^ S q)) <= sum N (fun j => e * (1 - normal_cdf (level from e j) ^ S q)).
  apply: sum_le => j _; apply: Rmult_le_compat_l; first lra.
  have := up (S j) (S q); rewrite /level; lra.
rewrite /steps_below /step_sum; lra.
Qed.
