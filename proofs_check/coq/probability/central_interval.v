(******************************************************************************)
(*                      Integrals over central intervals                      *)
(*                                                                            *)
(* The integral over |x| <= c of a function of the square, its increments,    *)
(* and its limit.                                                             *)
(*                                                                            *)
(* Rests on: library, measures, lebesgue.                                     *)
(******************************************************************************)

From HB Require Import structures.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import mathcomp_extra boolp classical_sets cardinality fsbigop functions.
From mathcomp Require Import reals ereal signed topology normedtype sequences numfun.
From mathcomp Require Import measure lebesgue_measure lebesgue_integral.
From CTV Require Import library measures.
From CTV Require Import lebesgue.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

Section middle.
Variables (R : realType) (p : R -> R).
Hypotheses (p0 : forall x, 0 <= p x) (mp : measurable_fun setT p)
  (down : forall x t, 0 <= x -> x <= `|t| -> p t <= p x) (up : forall y t, `|t| <= y -> p y <= p t).

Definition within (c : R) : set R := [set t | `|t| <= c].
Definition past (c : R) : set R := [set t | c < `|t|].
Definition shell (x y : R) : set R := [set t | x < `|t| /\ `|t| <= y].
Definition over (A : set R) : \bar R := (\int[@leb R]_(t in A) (p t)%:E)%E.

Lemma withinE c : within c = [set` `[-c, c]].
Proof. by apply/seteqP; split=> t; rewrite /within /= in_itv /= ler_norml. Qed.
Lemma mwithin c : measurable (within c). Proof. by rewrite withinE; exact: measurable_itv. Qed.
Lemma pastE c : past c = ~` within c.
Proof. by apply/seteqP; split=> t; rewrite /past /within /= ltNge => /negP. Qed.
Lemma mpast c : measurable (past c). Proof. by rewrite pastE; apply: measurableC; exact: mwithin. Qed.
Lemma shellE x y : shell x y = within y `\` within x.
Proof.
apply/seteqP; split=> t; rewrite /shell /within /= ltNge.
  by move=> [/negP h k].
by move=> [h /negP k].
Qed.
Lemma mshell x y : measurable (shell x y). Proof. by rewrite shellE; apply: measurableD; exact: mwithin. Qed.

Lemma mep A : measurable_fun A (fun t => (p t)%:E).
Proof. by apply: measurable_funTS; apply/EFin_measurable_fun. Qed.

Lemma over_ge0 A : (0 <= over A)%E.
Proof. by apply: integral_ge0 => t _; rewrite lee_fin. Qed.

Lemma overU A B : measurable A -> measurable B -> [disjoint A & B] -> over (A `|` B) = (over A + over B)%E.
Proof.
move=> mA mB dAB; apply: integral_setU => //; first exact: mep.
by move=> t _; rewrite lee_fin.
Qed.

Lemma over_within x y : 0 <= x -> x <= y -> over (within y) = (over (within x) + over (shell x y))%E.
Proof.
move=> x0 xy; rewrite shellE -overU.
- by congr over; rewrite setDUK // => t; rewrite /within /= => /le_trans; exact.
- exact: mwithin.
- by rewrite -shellE; exact: mshell.
- by rewrite disj_set2E setDIK.
Qed.

Lemma over_split c : over setT = (over (within c) + over (past c))%E.
Proof.
rewrite pastE -overU ?setUv //; first exact: mwithin.
- by apply: measurableC; exact: mwithin.
- by rewrite disj_set2E setICr.
Qed.

Lemma leb_within c : 0 <= c -> leb R (within c) = (2 * c)%:E.
Proof.
move=> c0; rewrite withinE /leb lebesgue_itv /= lte_fin.
case: ltP => h; first by rewrite -EFinB opprK mulr_natl mulr2n.
have -> : c = 0 by apply/eqP; rewrite eq_le c0 andbT; rewrite -subr_ge0 in h; move: h; rewrite -opprD oppr_ge0 -mulr2n pmulrn_lle0.
by rewrite mulr0.
Qed.

Lemma leb_shell x y : 0 <= x -> x <= y -> leb R (shell x y) = (2 * (y - x))%:E.
Proof.
move=> x0 xy; have y0 := le_trans x0 xy.
have : leb R (within y) = (leb R (within x) + leb R (shell x y))%E.
  rewrite shellE -[X in _ = X]measureU.
  - by congr (leb R _); rewrite setDUK // => t; rewrite /within /= => /le_trans; exact.
  - exact: mwithin.
  - by rewrite -shellE; exact: mshell.
  - by rewrite setDIK.
rewrite !leb_within //; case: (leb R (shell x y)) => [r| |] //= [e]; congr EFin.
by rewrite mulrBr e addrAC subrr add0r.
Qed.

Lemma over_above A u : measurable A -> (forall t, A t -> p t <= u) -> 0 <= u -> (over A <= u%:E * leb R A)%E.
Proof.
move=> mA h u0; rewrite -(integral_cst [the {measure set R -> \bar R} of @leb R] mA u%:E).
apply: ge0_le_integral => //; try exact: measurable_fun_cst.
- by move=> t _; rewrite lee_fin.
- exact: mep.
Qed.

Lemma over_below A u : measurable A -> (forall t, A t -> u <= p t) -> 0 <= u -> (u%:E * leb R A <= over A)%E.
Proof.
move=> mA h u0; rewrite -(integral_cst [the {measure set R -> \bar R} of @leb R] mA u%:E).
apply: ge0_le_integral => //; try exact: measurable_fun_cst.
- by move=> t _; rewrite lee_fin.
- exact: mep.
Qed.

Definition M (c : R) : R := fine (over (within c)).

Lemma over_fin c : 0 <= c -> over (within c) = (M c)%:E.
Proof.
move=> c0; rewrite /M fineK // ge0_fin_numE ?over_ge0 //.
apply: (@le_lt_trans _ _ ((p 0)%:E * leb R (within c))%E).
  by apply: over_above => //; [exact: mwithin | move=> t _; exact: down].
by rewrite leb_within // -EFinM ltry.
Qed.

Lemma M0 : M 0 = 0.
Proof.
apply/eqP; rewrite eq_le; apply/andP; split; last by rewrite fine_ge0 ?over_ge0.
rewrite -lee_fin -over_fin //; apply: (@le_trans _ _ ((p 0)%:E * leb R (within 0))%E).
  by apply: over_above => //; [exact: mwithin | move=> t _; exact: down].
by rewrite leb_within // mulr0 mule0.
Qed.

Lemma M_step x y : 0 <= x -> x <= y -> (y - x) * (2 * p y) <= M y - M x /\ M y - M x <= (y - x) * (2 * p x).
Proof.
move=> x0 xy; have y0 := le_trans x0 xy.
have := over_within x y x0 xy; rewrite !over_fin //.
have lo : ((p y)%:E * leb R (shell x y) <= over (shell x y))%E.
  by apply: over_below => //; [exact: mshell | move=> t [_ h]; exact: up].
have hi : (over (shell x y) <= (p x)%:E * leb R (shell x y))%E.
  by apply: over_above => //; [exact: mshell | move=> t [/ltW h _]; exact: down].
move: lo hi; rewrite leb_shell // -!EFinM; case: (over _) => [r| |] //=.
rewrite !lee_fin => lo hi [->]; rewrite addrAC subrr add0r.
have e u : (y - x) * (2 * u) = u * (2 * (y - x)) by rewrite mulrA mulrC [(y - x) * 2]mulrC.
by rewrite !e.
Qed.

Lemma over_all : (forall n, M n%:R <= 1) -> (forall u, (forall n, M n%:R <= u) -> 1 <= u) -> over setT = 1%E.
Proof.
move=> below least.
have F_nd : {homo (fun n : nat => within n%:R) : m n / (m <= n)%N >-> m `<=` n}.
  by move=> m n mn t; rewrite /within /= => /le_trans; apply; rewrite ler_nat.
pose g n t := ((p t) * \1_(within n%:R) t)%:E.
have gE n : (\int[@leb R]_t g n t = (M n%:R)%:E)%E.
  rewrite -over_fin // /over [RHS]integral_mkcond; apply: eq_integral => t _.
  by rewrite /g /patch indicE; case: (t \in _); rewrite ?mulr1 ?mulr0.
have g0 n t : (0 <= g n t)%E by rewrite lee_fin mulr_ge0 // indicE.
have mg n : measurable_fun setT (g n).
  apply/EFin_measurable_fun; apply: measurable_funM => //.
  by apply: measurable_fun_indic; exact: mwithin.
have nd t : nondecreasing_seq (g ^~ t).
  move=> m n mn; rewrite lee_fin ler_wpmul2l // !indicE.
  by rewrite ler_nat; case: (boolP (t \in within m%:R)) => //; rewrite inE => /(F_nd _ _ mn) h; rewrite mem_set.
have lim_g t : limn (g ^~ t) = (p t)%:E.
  apply: lim_near_cst => //.
  have [n hn] : exists n : nat, `|t| <= n%:R.
    by exists (Num.bound `|t|); apply/ltW/archi_boundP.
  exists n => // k /= nk; rewrite /g indicE mem_set ?mulr1 //.
  by apply: (F_nd _ _ nk); rewrite /within /=.
have := @monotone_convergence _ _ _ [the {measure set R -> \bar R} of @leb R] setT measurableT g mg
  (fun n t _ => g0 n t) (fun t _ => nd t).
rewrite (eq_integral (fun t => (p t)%:E)); last by move=> t _; rewrite lim_g.
have -> : (fun n => \int[@leb R]_t g n t)%E = (fun n => (M n%:R)%:E) by apply/funext => n; exact: gE.
rewrite /over => ->.
have cv : cvgn (fun n => (M n%:R)%:E : \bar R).
  apply: ereal_nondecreasing_is_cvg => m n mn; rewrite -!gE; apply: ge0_le_integral => //.
  by move=> t _; exact: nd.
have ge n : ((M n%:R)%:E <= limn (fun n => (M n%:R)%:E : \bar R))%E.
  apply: lime_ge => //; exists n => // k /= nk; rewrite -!gE; apply: ge0_le_integral => //.
  by move=> t _; exact: nd.
have le1 : (limn (fun n => (M n%:R)%:E : \bar R) <= 1)%E.
  by apply: lime_le => //; apply: nearW => n; rewrite lee_fin; exact: below.
apply/eqP; rewrite eq_le le1 /=; move: ge le1; case: (lim _) => [r| |] //= ge _; last by have := ge 0%N.
by rewrite lee_fin; apply: least => n; have := ge n; rewrite lee_fin.
Qed.

Lemma over_past c : 0 <= c -> over setT = 1%E -> over (past c) = (1 - M c)%:E.
Proof.
move=> c0 e; have := over_split c; rewrite e over_fin //; case: (over (past c)) => [r| |] //= [->].
by rewrite addrAC subrr add0r.
Qed.
End middle.
