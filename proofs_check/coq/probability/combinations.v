(******************************************************************************)
(*                Combinations of values and noises are normal                *)
(*                                                                            *)
(* Every linear combination of the coordinates is normal with the variance    *)
(* that the kernel gives.                                                     *)
(*                                                                            *)
(* Statements:                                                                *)
(*   law1_cdf == the law on the line by its distribution function             *)
(*   combination_normal == the law of a combination                           *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_paths, adaptive_posterior, central_interval, tail_increments,     *)
(* normal_density, adaptive_confidence, scalar, normal, definitions, sums,    *)
(* outcomes, runs_on_vectors.                                                 *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions set_interval.
From mathcomp Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_paths adaptive_posterior central_interval tail_increments normal_density adaptive_confidence.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar normal definitions sums.
From CTV Require Import outcomes runs_on_vectors.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

Notation law1 := (gaussian_law.law1 RR normal_density.normal).
Notation dotp := (vectors.dot RR).

(* ---- one coordinate ---- *)
Lemma unit_law n (r : vec RR n) (B : set RR) : dotp n r r = 1 -> measurable B ->
  gauss RR normal_density.normal n [set g | B (dotp n r g)]%classic = law1 B.
Proof.
move=> r1 mB.
have := gaussian_law.independent RR normal_density.normal n r setT B r1 measurableT mB (fun _ _ h => h).
rewrite gaussT mule1 => <-; congr (gauss _ _ _ _); apply/seteqP; split=> g /=; [by split | by case].
Qed.

Lemma law1_sym (B : set RR) : measurable B -> law1 B = law1 [set x : RR | B (- x)]%classic.
Proof.
move=> mB; have mB' : measurable [set x : RR | B (- x)]%classic.
  have := @measurable_funN _ _ RR setT (@id RR) (@measurable_fun_id _ _ _).
  by move=> /(_ measurableT B mB); rewrite setTI.
pose e : vec RR 1 := (1%ring, tt); pose e' : vec RR 1 := (-1%ring, tt).
rewrite -(unit_law 1 e') //; last by rewrite /= addr0 mulrNN mulr1.
rewrite -(unit_law 1 e) //; last by rewrite /= addr0 mulr1.
congr (gauss _ _ _ _); apply/seteqP; split=> -[x []] /=; rewrite !addr0 mulN1r mul1r; by [].
Qed.

Lemma law1U (A B : set RR) : measurable A -> measurable B -> [disjoint A & B]%classic -> law1 (A `|` B)%classic = (law1 A + law1 B)%E.
Proof.
move=> mA mB dAB; apply: integral_setU => //.
  by apply: measurable_funTS; apply/EFin_measurable_fun; exact: gaussian_law.mphi1.
by move=> t _; rewrite lee_fin gaussian_law.phi1_ge0.
Qed.

Definition above (c : RR) : set RR := [set x | (c < x)%ring]%classic.
Definition below (c : RR) : set RR := [set x | (x < c)%ring]%classic.
Lemma mabove c : measurable (above c).
Proof.
by have := measurable_itv `]c, +oo[%ring; congr measurable; apply/seteqP; split=> x /=; rewrite in_itv /= andbT.
Qed.
Lemma mbelow c : measurable (below c).
Proof. by have := measurable_itv `]-oo, c[%ring; congr measurable; apply/seteqP; split=> x /=; rewrite in_itv /=. Qed.

Lemma above_cdf c : 0 <= c -> law1 (above c) = (normal_cdf (- c))%:E /\ law1 (below (- c)) = (normal_cdf (- c))%:E.
Proof.
move=> c0; have /RleP c0' := c0.
have sy : law1 (below (- c)) = law1 (above c).
  rewrite law1_sym; last exact: mbelow.
  by congr (gaussian_law.law1 _ _ _); apply/seteqP; split=> x; rewrite /above /below /= ltr_oppl opprK.
suff e : law1 (above c) = (normal_cdf (- c))%:E by rewrite sy.
have := tail_normal c c0; rewrite /tail.
have -> : [set x : RR | (c < `|x|)%ring]%classic = (above c `|` below (- c))%classic.
  apply/seteqP; split=> x; rewrite /above /below /= ltr_normr ltr_oppr.
    by move=> /orP[|] h; [left | right].
  by case=> ->; rewrite ?orbT.
rewrite law1U; [|exact: mabove|exact: mbelow|]; last first.
  apply/disj_set2P; apply/seteqP; split=> x //= [a b].
  have : (x < x)%ring by apply: (lt_trans b); apply: le_lt_trans a; rewrite (le_trans _ c0') // oppr_le0.
  by rewrite ltxx.
rewrite sy; have := gaussian_law.law1_ge0 RR normal_density.normal (above c); case: (law1 (above c)) => [u| |] //= _ [] h.
congr EFin; have h' : @eq R (Rplus u u) (2 * normal_cdf (- c)) := h.
change (@eq R u (normal_cdf (- c))); lra.
Qed.

Lemma law1_point (c : RR) : law1 [set c]%classic = 0%E.
Proof.
rewrite /gaussian_law.law1 (negligible_integral (N := [set c]%classic)) //.
- by rewrite setDv integral_set0.
all: try by apply: measurable_funTS; apply/EFin_measurable_fun; exact: gaussian_law.mphi1.
all: try by move=> x _; rewrite lee_fin gaussian_law.phi1_ge0.
rewrite -set_itv1; apply: etrans (lebesgue_itv `[c, c]%ring) _; by rewrite /= ltxx.
Qed.

Definition upto (c : RR) : set RR := [set x | (x <= c)%ring]%classic.
Lemma mupto c : measurable (upto c).
Proof. by have := measurable_itv `]-oo, c]%ring; congr measurable; apply/seteqP; split=> x /=; rewrite in_itv /=. Qed.

Theorem law1_cdf (c : R) : law1 (upto c) = (normal_cdf c)%:E.
Proof.
have [c0|c0] := Rle_lt_dec 0 c.
  have [ea _] := above_cdf c c0.
  have := gaussT RR normal_density.normal 1; rewrite -[X in gauss _ _ _ X](_ : [set g | setT (dotp 1 (1%ring, tt) g)]%classic = setT) //.
  rewrite unit_law //; last by rewrite /= addr0 mulr1.
  have -> : setT = (upto c `|` above c)%classic.
    by apply/seteqP; split=> x // _; rewrite /upto /above /=; case: (leP x c) => h; [left | right].
  rewrite law1U; [|exact: mupto|exact: mabove|]; last first.
    apply/disj_set2P; apply/seteqP; split=> x //= [a b].
    by have := lt_le_trans b a; rewrite ltxx.
  rewrite ea normal_cdf_minus; case: (law1 (upto c)) => [u| |] //= [] h; congr EFin.
  have h' : @eq R (Rplus u (1 - normal_cdf c)) 1 := h.
  change (@eq R u (normal_cdf c)); lra.
have [_] := above_cdf (- c) ltac:(lra); rewrite Ropp_involutive => eb.
have -> : upto c = (below c `|` [set c])%classic.
  apply/seteqP; split=> x; rewrite /upto /below /= le_eqVlt.
    by move=> /orP[/eqP ->|h]; [right | left].
  by case=> [->|->]; rewrite ?eqxx ?orbT.
rewrite law1U //; [|exact: mbelow|]; last first.
  by apply/disj_set2P; apply/seteqP; split=> x //= [a b]; move: a; rewrite b /below /= ltxx.
by rewrite law1_point adde0 -[X in law1 (below X)]Ropp_involutive eb.
Qed.

(* ---- a combination of m values and of the n noises ---- *)
Section combination.
Variables (d n : nat) (Y : Type) (L : nat -> Y -> nat -> R) (sigma : R) (k : Y -> Y -> R) (h : R -> R -> R) (tau : nat -> R).
Hypothesis law : has_kernel d n Y L k h tau.
Variables (m : nat) (c : nat -> R) (r : nat -> nat) (x : nat -> Y) (e : nat -> R).
Hypothesis rn : forall a, (a < m)%coq_nat -> (r a < n)%coq_nat.

Definition combination (g : vec RR (d + n)) : R :=
  sum m (fun a => c a * value d n Y L g (r a) (x a)) + sum n (fun j => e j * noise d n sigma g j).
Definition its_variance : R :=
  sum m (fun a => sum m (fun b => c a * c b * (k (x a) (x b) * h (tau (r a)) (tau (r b))))) + sigma ^ 2 * sum n (fun j => e j ^ 2).

Definition weight (l : nat) : R :=
  if (l < d)%N then sum m (fun a => c a * L (r a) (x a) l) else sigma * e (l - d)%N.

Lemma weights_sum (F : nat -> R) : sum (d + n) (fun l => weight l * F l) =
  sum d (fun l => sum m (fun a => c a * L (r a) (x a) l) * F l) + sum n (fun j => sigma * e j * F (d + j)%N).
Proof.
rewrite -plusE sum_add; congr (_ + _); apply: sum_ext => l hl; rewrite /weight.
  by have -> : (l < d)%N by exact/ssrnat.ltP.
by rewrite plusE ltnNge leq_addr /= addKn.
Qed.

Lemma combinationE g : dotp (d + n) (mk RR (d + n) weight) g = combination g.
Proof.
rewrite dot_mk -(sumE (d + n) (fun l => weight l * co RR (d + n) g l)) weights_sum /combination; congr (_ + _).
  rewrite (sum_ext m _ (fun a => sum d (fun l => c a * (L (r a) (x a) l * co RR (d + n) g l)))); last first.
    by move=> a _; rewrite /outcomes.value -sum_scal.
  rewrite sum_swap; apply: sum_ext => l _; rewrite -sum_scalr; apply: sum_ext => a _; ring.
apply: sum_ext => j _; have -> : noise d n sigma g j = sigma * co RR (d + n) g (d + j)%N by []; ring.
Qed.

Lemma varianceE : dotp (d + n) (mk RR (d + n) weight) (mk RR (d + n) weight) = its_variance.
Proof.
rewrite dot_mk2 -(sumE (d + n) (fun l => weight l * weight l)) weights_sum /its_variance; congr (_ + _).
  rewrite (sum_ext m _ (fun a => sum m (fun b => sum d (fun l => c a * c b * (L (r a) (x a) l * L (r b) (x b) l))))); last first.
    by move=> a ha; apply: sum_ext => b hb; rewrite sum_scal law //; apply: rn.
  rewrite (sum_ext m _ (fun a => sum d (fun l => sum m (fun b => c a * c b * (L (r a) (x a) l * L (r b) (x b) l))))); last first.
    by move=> a _; rewrite sum_swap.
  rewrite sum_swap; apply: sum_ext => l /ssrnat.ltP hl; rewrite /weight hl -sum_scalr; apply: sum_ext => a _.
  by rewrite -sum_scal; apply: sum_ext => b _; ring.
rewrite -sum_scal; apply: sum_ext => j _; rewrite /weight ltnNge leq_addr /= addKn; ring.
Qed.

Lemma combination_measurable (c' : RR) : measurable ([set g | combination g <= c']%classic : set (vec RR (d + n))).
Proof.
have -> : [set g | combination g <= c']%classic = (dotp (d + n) (mk RR (d + n) weight) @^-1` upto c')%classic.
  by apply/seteqP; split=> g; rewrite /upto /= combinationE => /RleP.
by rewrite -[X in measurable X]setTI; apply: mdot => //; exact: mupto.
Qed.

(* its distribution function at t standard deviations; of variance 0 it is 0 *)
Theorem combination_normal : 
  (its_variance = 0 -> forall g, combination g = 0) /\
  (0 < its_variance -> forall t : R,
     Measure.sort (standard_normal (d + n)) [set g | combination g <= t * sqrt its_variance]%classic = (normal_cdf t)%:E).
Proof.
split=> [v0 g|v0 t].
  by rewrite -combinationE; apply: dot_null; rewrite varianceE.
pose w := mk RR (d + n) weight; pose q := / sqrt its_variance.
have s0 : 0 < sqrt its_variance by exact: sqrt_lt_R0.
have u1 : dotp (d + n) (scale RR (d + n) q w) (scale RR (d + n) q w) = 1.
  rewrite dot_scale dotC dot_scale varianceE.
  change (@eq R (q * (q * its_variance)) 1); rewrite /q -{3}(sqrt_sqrt its_variance); last by lra.
  by field; lra.
rewrite -law1_cdf -(unit_law (d + n) _ (upto t) u1 (mupto t)); congr (gauss _ _ _ _).
apply/seteqP; split=> g; rewrite /upto /= dot_scale combinationE => hh.
  apply/RleP; apply: (Rmult_le_reg_r (sqrt its_variance)) => //.
  apply: Rle_trans hh; right; change (@eq R (q * combination g * sqrt its_variance) (combination g)); rewrite /q; field; lra.
have /RleP hh' := hh; have := Rmult_le_compat_r (sqrt its_variance) _ _ (Rlt_le _ _ s0) hh'.
apply: Rle_trans; right; change (@eq R (combination g) (q * combination g * sqrt its_variance)); rewrite /q; field; lra.
Qed.
End combination.
