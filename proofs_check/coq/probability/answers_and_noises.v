(******************************************************************************)
(*            Answers as functions of the objective and the noise             *)
(*                                                                            *)
(* For a given objective the noises are the answers, each less the value at   *)
(* its point, which the answers before it choose: a shift of each coordinate  *)
(* by what the others say, which keeps Lebesgue measure.                      *)
(*                                                                            *)
(* Statements:                                                                *)
(*   turned_normals, turned_draws == the order of independent variables makes *)
(*       no difference                                                        *)
(*   points, answers == of the rounds, from what has been seen                *)
(*   I_noises == the shift keeps integrals                                    *)
(*   mpoints, manswers, mnoises, manswered == what is measurable              *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue, vectors, rotation, gaussian_law,    *)
(* adaptive_posterior, normal_density, measurable_posterior, given_answers,   *)
(* argmax_rule, scalar, definitions, outcomes, joint_law.                     *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality functions.
From mathcomp Require Import Rstruct reals ereal signed numfun measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue vectors rotation gaussian_law adaptive_posterior normal_density measurable_posterior given_answers.
From CTV Require argmax_rule.
From Coq Require Import Reals Lra Lia.
From CTV Require Import scalar definitions outcomes joint_law.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope ring_scope with ring.
Delimit Scope nat_scope with N.
Open Scope R_scope.

(* ---- the order of independent variables ---- *)

Lemma productE n (F : nat -> R) : product n F = (\prod_(i < n) (F i : RR))%ring.
Proof. by elim: n F => [|n IH] F /=; [rewrite big_ord0 | rewrite big_ord_recl /= IH]. Qed.

Lemma product_turned n (F : nat -> R) : product n (fun i => F (n - i.+1)%N) = product n F.
Proof. by rewrite !productE (reindex_inj rev_ord_inj) /=; apply: eq_bigr => i _; rewrite subnSK ?subKn // ltnW. Qed.

Section turned.
Variables (dT : measure_display) (T : measurableType dT) (P : measure_on dT T) (n : nat) (G : nat -> T -> R).
Notation turned := (fun l => G (n - l.+1)%N).

Let same (t : nat -> R) w : (forall l, (l < n)%coq_nat -> turned l w < t l) <-> forall l, (l < n)%coq_nat -> G l w < t (n - l.+1)%N.
Proof.
split=> e l hl; have /ssrnat.ltP hl' := hl.
  by have := e (n - l.+1)%N; rewrite subnSK // subKn ?(ltnW hl') //; apply; apply/ssrnat.ltP; rewrite ltn_subrL /=; exact: leq_ltn_trans hl'.
by have := e (n - l.+1)%N; rewrite subnSK // subKn ?(ltnW hl') //; apply; apply/ssrnat.ltP; rewrite ltn_subrL /=; exact: leq_ltn_trans hl'.
Qed.

Lemma turned_normals : independent_normals dT T P n G -> independent_normals dT T P n turned.
Proof.
move=> [P1 [mG e]]; split=> //; split=> // t; rewrite -(product_turned n (fun i => normal_cdf (t i))) -e.
by congr (Measure.sort P _); apply/funext => w; apply/propext; exact: same.
Qed.

Lemma turned_draws dS (S : measurableType dS) (U : T -> S) : independent_draws dT T P n G dS S U -> independent_draws dT T P n turned dS S U.
Proof.
move=> [mU e]; split=> // B t mB; rewrite -(product_turned n (fun i => normal_cdf (t i))) -e //.
by congr (Measure.sort P _); apply/funext => w; apply/propext; split=> -[bw /same].
Qed.
End turned.

(* ---- answers as functions of the objective and the noise ---- *)
Section run.
Context dY (Y : measurableType dY) dS (S : measurableType dS).
Variables (f : nat -> Y -> S -> R) (sigma : R) (rule : policy_on Y).
Hypotheses (sigma0 : 0 < sigma) (mf : measurable_objective dY Y dS S f) (mrule : measurable_policy dY Y rule).
Notation scaled i h := (scale RR i sigma h).

(* the points of the rounds, and the answers in their order, from the answers seen, the last first *)
Fixpoint points (i : nat) : vec RR i -> nat -> Y :=
  match i return vec RR i -> nat -> Y with
  | 0%N => fun _ _ => rule 0%N tt
  | k.+1 => fun y j => if j == k then rule k y.2 else points k y.2 j
  end.
Fixpoint answers (i : nat) : vec RR i -> nat -> R :=
  match i return vec RR i -> nat -> R with
  | 0%N => fun _ _ => 0
  | k.+1 => fun y j => if j == k then y.1 else answers k y.2 j
  end.

(* the answers from the noises, and the noises from the answers over sigma *)
Fixpoint answered (u : S) (i : nat) : vec RR i -> vec RR i :=
  match i return vec RR i -> vec RR i with
  | 0%N => fun _ => tt
  | k.+1 => fun e => (f k (rule k (answered u k e.2)) u + sigma * e.1, answered u k e.2)
  end.
Fixpoint noises (u : S) (i : nat) : vec RR i -> vec RR i :=
  match i return vec RR i -> vec RR i with
  | 0%N => fun _ => tt
  | k.+1 => fun h => (h.1 - f k (rule k (scaled k h.2)) u / sigma, noises u k h.2)
  end.

Lemma answered_noises u i h : answered u i (noises u i h) = scaled i h.
Proof.
elim: i h => //= i IH h; rewrite IH; congr (_, _).
by rewrite /= add0r; change (@eq R (f i (rule i (scaled i h.2)) u + sigma * (h.1 - f i (rule i (scaled i h.2)) u / sigma)) (sigma * h.1)); field; lra.
Qed.

Lemma mscaled i : measurable_fun setT (fun h : vec RR i => scaled i h).
Proof.
have -> : (fun h : vec RR i => scaled i h) = (fun h => mk RR i (fun l => sigma * co RR i h l)).
  by apply/funext => h; elim: i h => //= i IH h; rewrite /scale /= add0r -IH.
by apply: mtogether => l; apply: measurable_funM; [exact: measurable_fun_cst | exact: argmax_rule.mco].
Qed.

Lemma mvalue_at i (z : vec RR i -> Y) : measurable_fun setT z -> measurable_fun setT (fun p : S * vec RR i => f i (z p.2) p.1 : RR).
Proof.
move=> mz; have mp : measurable_fun setT (fun p : S * vec RR i => (z p.2, p.1)).
  by apply: mpair; [apply: (measurable_fun_comp mz); exact: msnd | exact: mfst].
exact: (measurable_fun_comp (mf i) mp).
Qed.

Lemma mnoises i : measurable_fun setT (fun p : S * vec RR i => noises p.1 i p.2).
Proof.
elim: i => [|i IH]; first exact: measurable_fun_cst.
have mp : measurable_fun setT (fun p : S * vec RR i.+1 => (p.1, p.2.2)).
  by apply: mpair; [exact: mfst | apply: (measurable_fun_comp (f := @snd RR (vec RR i)) (g := @snd S (vec RR i.+1))); exact: msnd].
apply: mpair; last exact: (measurable_fun_comp IH mp).
apply: measurable_funB.
  by apply: (measurable_fun_comp (f := @fst RR (vec RR i)) (g := @snd S (vec RR i.+1))); [exact: mfst | exact: msnd].
apply: measurable_funM; last exact: measurable_fun_cst.
have mz : measurable_fun setT (fun h : vec RR i => rule i (scaled i h)) by exact: (measurable_fun_comp (mrule i) (mscaled i)).
exact: (measurable_fun_comp (mvalue_at i _ mz) mp).
Qed.

Lemma manswered i : measurable_fun setT (fun p : S * vec RR i => answered p.1 i p.2).
Proof.
elim: i => [|i IH]; first exact: measurable_fun_cst.
have mp : measurable_fun setT (fun p : S * vec RR i.+1 => (p.1, p.2.2)).
  by apply: mpair; [exact: mfst | apply: (measurable_fun_comp (f := @snd RR (vec RR i)) (g := @snd S (vec RR i.+1))); exact: msnd].
have m2 : measurable_fun setT (fun p : S * vec RR i.+1 => answered p.1 i p.2.2) by exact: (measurable_fun_comp IH mp).
apply: mpair => //; apply: measurable_funD.
  have mq : measurable_fun setT (fun p : S * vec RR i.+1 => (rule i (answered p.1 i p.2.2), p.1)).
    by apply: mpair; [exact: (measurable_fun_comp (mrule i) m2) | exact: mfst].
  exact: (measurable_fun_comp (mf i) mq).
apply: measurable_funM; first exact: measurable_fun_cst.
by apply: (measurable_fun_comp (f := @fst RR (vec RR i)) (g := @snd S (vec RR i.+1))); [exact: mfst | exact: msnd].
Qed.

(* the noises of an objective, each less what the value says, have the measure that answers have *)
Lemma I_noises u i (H : vec RR i -> \bar RR) : nnm RR i H -> I RR i (fun h => H (noises u i h)) = I RR i H.
Proof.
have mn j : measurable_fun setT (noises u j) by exact: (measurable_fun_prod1 u (mnoises j)).
elim: i H => [|i IH] H nH; first by apply: Iext => -[].
have [mH H0] := nH.
rewrite (I_S' RR _ _ nH) (I_S' RR _ _ (nnm_comp RR _ _ _ _ nH (mn i.+1))).
rewrite -(IH (fun g => \int[@lebesgue.leb RR]_x H (x, g))%E); last first.
  split; last by move=> g; apply: integral_ge0 => x _; exact: H0.
  have := @measurable_fun_fubini_tonelli_F _ _ _ _ _ [the measure _ _ of @lebesgue.leb RR] (@leb_sf RR) (fun p : vec RR i * RR => H (p.2, p.1)).
  apply => [|p]; last exact: H0.
  by apply: (measurable_fun_comp mH); apply: mpair; [exact: msnd | exact: mfst].
apply: Iext => h /=; set c := (_ / _)%R.
rewrite -(int_shift RR (- c)%ring (fun x => H (x, noises u i h))) //; exact: measurable_fun_prod2.
Qed.

(* points and answers are measurable *)
Lemma mpoints i j : measurable_fun setT (fun y : vec RR i => points i y j).
Proof.
elim: i => [|i IH]; first exact: measurable_fun_cst.
rewrite /=; case: (j == i); first by apply: (measurable_fun_comp (mrule i)); exact: msnd.
by apply: (measurable_fun_comp IH); exact: msnd.
Qed.

Lemma manswers i j : measurable_fun setT (fun y : vec RR i => answers i y j : RR).
Proof.
elim: i => [|i IH]; first exact: measurable_fun_cst.
rewrite /=; case: (j == i); first exact: mfst.
by apply: (measurable_fun_comp IH); exact: msnd.
Qed.

(* the squares of the noises, from points and answers *)
Lemma dot_noises u i h : dotp i (noises u i h) (noises u i h) =
  (\sum_(j < i) let e := ((answers i (scaled i h) j - f j (points i (scaled i h) j) u) / sigma)%R in (e * e : RR))%ring.
Proof.
elim: i h => [|i IH] h; first by rewrite big_ord0.
rewrite big_ord_recr /= IH addrC; congr (_ + _)%ring; last first.
  rewrite eqxx add0r.
  change (@eq R ((h.1 - f i (rule i (scaled i h.2)) u / sigma) * (h.1 - f i (rule i (scaled i h.2)) u / sigma))
    ((sigma * h.1 - f i (rule i (scaled i h.2)) u) / sigma * ((sigma * h.1 - f i (rule i (scaled i h.2)) u) / sigma))).
  by field; lra.
by apply: eq_bigr => j _; rewrite (ltn_eqF (ltn_ord j)).
Qed.
End run.

Arguments points {dY Y}.
Arguments answered {dY Y dS S}.
Arguments noises {dY Y dS S}.
Arguments answered_noises {dY Y dS S}.
Arguments mvalue_at {dY Y dS S}.
Arguments mnoises {dY Y dS S}.
Arguments manswered {dY Y dS S}.
Arguments I_noises {dY Y dS S}.
Arguments mpoints {dY Y}.
Arguments dot_noises {dY Y dS S}.
