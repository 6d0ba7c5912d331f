(******************************************************************************)
(*                   What a tree says in plain words of Coq                   *)
(*                                                                            *)
(* A second reading of the trees of claims over single numbers, in total      *)
(* functions beside the conditions that are owed, proved to be what the tree  *)
(* means. It is the way from a readable theorem to the tree. Lists and        *)
(* matrices have listed.v. Nothing here has to be believed.                   *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   says c == a claim in total functions, each term beside what it owes      *)
(*   singles c == whether a claim is over single numbers, without a list      *)
(*   summed x y f == the sum of f over the integers from x to y - 1           *)
(*                                                                            *)
(* Statements:                                                                *)
(*   meaning == means c holds exactly where c is proper and says c holds      *)
(*   to_means, of_means == its two directions                                 *)
(*   spoken, bridged == tactics: the tree in words; from a readable theorem   *)
(*       to the tree                                                          *)
(*   fails == tactic: a claim is false at a given point                       *)
(*                                                                            *)
(* Rests on: scalar, meaning.                                                 *)
(******************************************************************************)

From Coq Require Import Reals List ZArith String Lra Lia.
From Interval Require Import Tactic.
From CTV Require Import scalar meaning.
Import ListNotations.
Open Scope R_scope.

(* ---- The same in total functions, beside what is owed. ---- *)
Inductive term := Lit (k : Z) | Term (x : R).   (* integers are folded, as the exporter folds them *)
Definition real (t : term) : R := match t with Lit k => if (k <? 0)%Z then - IZR (- k) else IZR k | Term x => x end.
Fixpoint all (l : list Prop) : Prop := match l with [] => True | [p] => p | p :: l => p /\ all l end.
Fixpoint arrows (l : list Prop) (q : Prop) : Prop := match l with [] => q | p :: l => p -> arrows l q end.
Definition slot : Type := term * list Prop.

Definition plus (s t : term) : term :=
  match s, t with
  | Lit a, Lit b => Lit (a + b) | Lit 0, Term y => Term y | Term x, Lit 0 => Term x
  | _, _ => Term (real s + real t)
  end.
Definition over (s t : term) : slot :=
  match s, t with
  | Lit a, Lit b => if (b =? 0)%Z then (Term (real s / real t), [real t <> 0]) else
      let g := (Z.gcd a b * Z.sgn b)%Z in
      let n := (a / g)%Z in let d := (b / g)%Z in
      if (b =? g)%Z then (Lit n, []) else (Term (real (Lit n) / real (Lit d)), [])
  | _, _ => (Term (real s / real t), [real t <> 0])
  end.
Definition natural (s : term) (n : nat) : term :=
  match s with Lit b => Lit (b ^ Z.of_nat n) | Term x => Term (x ^ n) end.
Definition raised (s t : term) : slot :=
  match t with
  | Lit k => if (0 <=? k)%Z then (natural s (Z.to_nat k), []) else over (Lit 1) (natural s (Z.to_nat (- k)))
  | Term y => let x := real s in
      (Term (power x y), [0 < x \/ x = 0 /\ 0 < y \/ whole y /\ (0 <= y \/ x <> 0)])
  end.
Definition un_slot (f : unary) (t : term) : slot :=
  let x := real t in
  match f with
  | Neg => (match t with Lit k => Lit (- k) | Term x => Term (- x) end, [])
  | Abs => (Term (Rabs x), []) | Exp => (Term (exp x), []) | Sin => (Term (sin x), []) | Erf => (Term (erf x), [])
  | Floor => (Term (IZR (Int_part x)), []) | Ceil => (Term (- IZR (Int_part (- x))), []) | Normal_cdf => (Term (normal_cdf x), [])
  | Log => (Term (ln x), [0 < x]) | Sqrt => (Term (sqrt x), [0 <= x])
  end.
Definition bin_slot (f : binary) (s t : term) : slot :=
  match f with
  | Add => (plus s t, [])
  | Sub => (match s, t with Lit a, Lit b => Lit (a - b) | _, _ => Term (real s - real t) end, [])
  | Mul => (match s, t with Lit a, Lit b => Lit (a * b) | _, _ => Term (real s * real t) end, [])
  | Min => (Term (Rmin (real s) (real t)), []) | Max => (Term (Rmax (real s) (real t)), [])
  | Div => over s t | Pow => raised s t
  end.
Definition either (s : sign) (x y yes no : R) : R :=
  match s with
  | Le => if Rle_dec x y then yes else no | Ge => if Rle_dec y x then yes else no
  | Lt => if Rlt_dec x y then yes else no | Gt => if Rlt_dec y x then yes else no
  | Eq => if Req_EM_T x y then yes else no | Ne => if Req_EM_T x y then no else yes
  end.
Fixpoint added (f : Z -> term) (low : Z) (count : nat) : term :=
  match count with O => Lit 0 | S n => plus (added f low n) (f (low + Z.of_nat n)%Z) end.
Fixpoint each (f : Z -> list Prop) (low : Z) (count : nat) : list Prop :=
  match count with O => [] | S n => each f low n ++ f (low + Z.of_nat n)%Z end.
Fixpoint summed_ (f : Z -> R) (low : Z) (count : nat) : R :=
  match count with O => 0 | S n => summed_ f low n + f (low + Z.of_nat n)%Z end.
Definition summed (x y : R) (f : Z -> R) : R := summed_ f (Int_part x) (Z.to_nat (Int_part y - Int_part x)).
Fixpoint value (env : list slot) (e : expr) : term :=
  match e with
  | Num k => Lit k | Pi => Term PI | Var place => fst (nth place env (Term 0, [False]))
  | Un f a => fst (un_slot f (value env a))
  | Bin f a b => fst (bin_slot f (value env a) (value env b))
  | If s a b yes no =>
      Term (either s (real (value env a)) (real (value env b)) (real (value env yes)) (real (value env no)))
  | Sum a b body =>
      match value env a, value env b with
      | Lit i, Lit j => added (fun k => value (env ++ [(Lit k, [])]) body) i (Z.to_nat (j - i))
      | s, t => Term (summed (real s) (real t) (fun k => real (value (env ++ [(Term (IZR k), [])]) body)))
      end
  | _ => Term 0   (* a list, of which nothing is said here *)
  end.
Fixpoint owed (env : list slot) (e : expr) : list Prop :=
  match e with
  | Num _ | Pi => []
  | Var place => snd (nth place env (Term 0, [False]))
  | Un f a => owed env a ++ snd (un_slot f (value env a))
  | Bin f a b => owed env a ++ owed env b ++ snd (bin_slot f (value env a) (value env b))
  | If s a b yes no => let test := compares s (real (value env a)) (real (value env b)) in
      owed env a ++ owed env b ++ map (fun p : Prop => test -> p) (owed env yes)
      ++ map (fun p : Prop => ~ test -> p) (owed env no)
  | Sum a b body => owed env a ++ owed env b ++
      match value env a, value env b with
      | Lit i, Lit j => each (fun k => owed (env ++ [(Lit k, [])]) body) i (Z.to_nat (j - i))
      | s, t => [whole (real s); whole (real t);
          forall k : Z, real s <= IZR k < real t -> all (owed (env ++ [(Term (IZR k), [])]) body)]
      end
  | _ => [False]
  end.
Definition bounds (env : list slot) (x : R) (low high : bound) : list Prop :=
  match low with Free => [] | Closed e => owed env e ++ [x >= real (value env e)] | Open e => owed env e ++ [x > real (value env e)] end ++
  match high with Free => [] | Closed e => owed env e ++ [x <= real (value env e)] | Open e => owed env e ++ [x < real (value env e)] end.
Fixpoint says_in (env : list slot) (given : list Prop) (c : claim) : Prop :=
  match c with
  | Real _ low high c => forall x, says_in (env ++ [(Term x, [])]) (given ++ bounds env x low high) c
  | Integer _ low high c => forall x, says_in (env ++ [(Term x, [])]) (given ++ whole x :: bounds env x low high) c
  | Let _ e c => says_in (env ++ [(value env e, owed env e)]) given c
  | Suppose (Is s a b) c => says_in env
      (given ++ owed env a ++ owed env b ++ [compares s (real (value env a)) (real (value env b))]) c
  | Holds (Is s a b) => arrows given
      (all (compares s (real (value env a)) (real (value env b)) :: owed env a ++ owed env b))
  | _ => True
  end.
Definition says : claim -> Prop := says_in [] [].

(* Of which claims: those over numbers, without a list. *)
Fixpoint single (e : expr) : bool :=
  match e with
  | Num _ | Pi | Var _ => true | Un _ a => single a | Bin _ a b => single a && single b
  | If _ a b yes no => single a && single b && single yes && single no
  | Sum a b body => single a && single b && single body
  | _ => false
  end.
Definition single_end (b : bound) : bool := match b with Free => true | Closed e | Open e => single e end.
Fixpoint singles (c : claim) : bool :=
  match c with
  | Real _ low high c | Integer _ low high c => single_end low && single_end high && singles c
  | Let _ e c => single e && singles c
  | Suppose (Is _ a b) c => single a && single b && singles c
  | Holds (Is _ a b) => single a && single b
  | _ => false
  end.

(* ---- Both say the same: proved once, for every claim. ---- *)
Definition denotes (o : option R) (t : term) (ps : list Prop) : Prop := forall x, o = Some x <-> all ps /\ x = real t.
Definition fits (o : option R) (s : slot) : Prop := denotes o (fst s) (snd s).
Definition suits (o : option val) : slot -> Prop := fits (num o).

Lemma num_numb o : num (numb o) = o.
Proof. destruct o; reflexivity. Qed.
Lemma num_bind {A} (o : option A) f : num (bind o f) = bind o (fun x => num (f x)).
Proof. destruct o; reflexivity. Qed.
Lemma num_is o x : o = Some (Number x) <-> num o = Some x.
Proof. destruct o as [[y|l]|]; simpl; split; intros [=]; subst; reflexivity. Qed.

Lemma all_cons p l : all (p :: l) <-> p /\ all l.
Proof. destruct l; simpl; tauto. Qed.
Lemma all_app l m : all (l ++ m) <-> all l /\ all m.
Proof. induction l as [|p l IH]; [simpl; tauto|]. rewrite <- app_comm_cons, !all_cons, IH. tauto. Qed.
Lemma all_map (c : Prop) l : all (map (fun p : Prop => c -> p) l) <-> (c -> all l).
Proof. induction l as [|p l IH]; [simpl; tauto|]. change (all ((c -> p) :: map (fun p : Prop => c -> p) l) <-> (c -> all (p :: l))). rewrite !all_cons, IH. tauto. Qed.
Lemma arrows_all l q : arrows l q <-> (all l -> q).
Proof. induction l as [|p l IH]; [simpl; tauto|]. rewrite all_cons. simpl. rewrite IH. tauto. Qed.
Lemma real_lit k : real (Lit k) = IZR k.
Proof. simpl. destruct (k <? 0)%Z; [|reflexivity]. rewrite opp_IZR. lra. Qed.

Lemma plus_is s t : real (plus s t) = real s + real t.
Proof. destruct s as [[|a|a]|x], t as [[|b|b]|y]; unfold plus; rewrite ?real_lit, ?plus_IZR; cbn [real]; rewrite ?real_lit; lra. Qed.

Lemma total_denotes f g h low n :
  (forall k, denotes (f k) (g k) (h k)) -> denotes (total f low n) (added g low n) (each h low n).
Proof.
intros H. induction n as [|n IH]; simpl.
- intros x. rewrite real_lit. split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity].
- intros x. rewrite all_app.
  rewrite plus_is. specialize (H (low + Z.of_nat n)%Z). destruct (total f low n) as [u|] eqn:E1; simpl.
  + destruct (proj1 (IH u) eq_refl) as [A ->]. destruct (f (low + Z.of_nat n)%Z) as [v|] eqn:E2; simpl.
    * destruct (proj1 (H v) eq_refl) as [B ->]. split; [intros [= <-]; auto|intros [_ ->]; reflexivity].
    * split; [discriminate|]. intros [[_ B] _]. pose proof (proj2 (H _) (conj B eq_refl)). discriminate.
  + split; [discriminate|]. intros [[A _] _]. pose proof (proj2 (IH _) (conj A eq_refl)). discriminate.
Qed.

Lemma range_is u v k : IZR (Int_part u) = u -> IZR (Int_part v) = v ->
  (Int_part u <= k < Int_part u + Z.of_nat (Z.to_nat (Int_part v - Int_part u)))%Z <-> u <= IZR k < v.
Proof.
set (i := Int_part u). set (j := Int_part v). clearbody i j. intros <- <-. split.
- intros K. split; [apply IZR_le|apply IZR_lt]; lia.
- intros [K1 K2]. apply le_IZR in K1. apply lt_IZR in K2. lia.
Qed.

Lemma total_summed f g h low n :
  (forall k, denotes (f k) (g k) (h k)) ->
  denotes (total f low n) (Term (summed_ (fun k => real (g k)) low n)) [forall k, (low <= k < low + Z.of_nat n)%Z -> all (h k)].
Proof.
intros H x. rewrite (total_denotes f g h low n H x). change (real (Term ?r)) with r.
assert (E : real (added g low n) = summed_ (fun k => real (g k)) low n).
{ induction n as [|n IH]; [apply real_lit|]. simpl added. rewrite plus_is, IH. reflexivity. }
assert (A : all (each h low n) <-> forall k, (low <= k < low + Z.of_nat n)%Z -> all (h k)).
{ clear E. induction n as [|n IH].
  - simpl. split; [intros _ k K; lia|trivial].
  - simpl each. rewrite all_app, IH. split.
    + intros [P Q] k K. destruct (Z.eq_dec k (low + Z.of_nat n)) as [->|N]; [exact Q|apply P; lia].
    + intros P. split; [intros k K|]; apply P; lia. }
rewrite E, A. reflexivity.
Qed.

Lemma bind_denotes o f t ps t' ps' :
  denotes o t ps -> denotes (f (real t)) t' ps' -> denotes (bind o f) t' (ps ++ ps').
Proof.
intros H K x. rewrite all_app. destruct o as [u|]; simpl.
- destruct (proj1 (H u) eq_refl) as [A ->]. rewrite (K x). tauto.
- split; [discriminate|]. intros [[A _] _]. pose proof (proj2 (H _) (conj A eq_refl)). discriminate.
Qed.

Ltac value_is := intros ?; cbn [all fst snd]; split; [intros [= <-]; split; [cbn [all]; auto|reflexivity]|intros [_ ->]; reflexivity].
Ltac no_value := intros ?; cbn [all fst snd]; split; [discriminate|intros [? _]; exfalso; try tauto; try lra].

Ltac known_value := intros ?; unfold fst, snd; split; [intros [= <-]; split; [cbn [all]; auto|reflexivity]|intros [_ ->]; reflexivity].

Lemma over_denotes s t : fits (except (Req_EM_T (real t) 0) (Some (real s / real t))) (over s t).
Proof.
assert (G : fits (except (Req_EM_T (real t) 0) (Some (real s / real t))) (Term (real s / real t), [real t <> 0])).
{ unfold except. destruct (Req_EM_T (real t) 0) as [E|E]; [no_value|value_is]. }
destruct s as [a|a], t as [b|b]; try exact G. unfold over.
destruct (Z.eqb_spec b 0) as [_|N]; [exact G|clear G]. cbv zeta.
set (g := (Z.gcd a b * Z.sgn b)%Z).
assert (Hg : (g <> 0)%Z).
{ unfold g. intros E. apply Z.mul_eq_0 in E as [E|E]; [exact (N (Z.gcd_eq_0_r a b E))|exact (N (proj1 (Z.sgn_null_iff b) E))]. }
assert (Ha : (a = g * (a / g))%Z /\ (b = g * (b / g))%Z).
{ assert (D : (g | a)%Z /\ (g | b)%Z).
  { destruct (Z.gcd_divide_l a b) as [u Hu], (Z.gcd_divide_r a b) as [v Hv].
    assert (S : (Z.sgn b * Z.sgn b = 1)%Z) by (destruct b; [contradiction|reflexivity..]).
    split; [exists (u * Z.sgn b)%Z|exists (v * Z.sgn b)%Z]; unfold g.
    - replace (u * Z.sgn b * (Z.gcd a b * Z.sgn b))%Z with (u * Z.gcd a b * (Z.sgn b * Z.sgn b))%Z by ring. rewrite S, <- Hu. ring.
    - replace (v * Z.sgn b * (Z.gcd a b * Z.sgn b))%Z with (v * Z.gcd a b * (Z.sgn b * Z.sgn b))%Z by ring. rewrite S, <- Hv. ring. }
  clearbody g. destruct D as [[u Eu] [v Ev]]. split; [rewrite Eu at 2|rewrite Ev at 2]; rewrite Z.div_mul by exact Hg; lia. }
destruct Ha as [Ea Eb]. set (n := (a / g)%Z) in *. set (d := (b / g)%Z) in *. clearbody n d g.
assert (Rb : real (Lit b) <> 0) by (rewrite real_lit; apply not_0_IZR, N).
unfold except. destruct (Req_EM_T (real (Lit b)) 0) as [Z|_]; [contradiction|].
destruct (Z.eqb_spec b g) as [E|_]; unfold fits, fst, snd; intros x.
- assert (E1 : real (Lit a) / real (Lit b) = real (Lit n)).
  { rewrite !real_lit, Ea, E, mult_IZR. field. apply not_0_IZR, Hg. }
  rewrite E1. split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity].
- assert (E1 : real (Lit a) / real (Lit b) = real (Lit n) / real (Lit d)).
  { rewrite !real_lit in *. rewrite Eb, mult_IZR in Rb. rewrite Ea, Eb, !mult_IZR. field.
    split; intros F; rewrite F in Rb; apply Rb; ring. }
  rewrite E1. change (real (Term ?r)) with r. split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity].
Qed.

Lemma Int_part_IZR k : Int_part (IZR k) = k.
Proof. unfold Int_part. rewrite <- (tech_up (IZR k) (k + 1)); rewrite ?plus_IZR; [lia|lra|lra]. Qed.
Lemma whole_is x : whole x <-> IZR (Int_part x) = x.
Proof. split; [intros [k ->]; now rewrite Int_part_IZR|intros E; now exists (Int_part x)]. Qed.

Lemma natural_is s n : real (natural s n) = real s ^ n.
Proof. destruct s as [b|x]; [|reflexivity]. unfold natural. rewrite !real_lit, <- pow_IZR. reflexivity. Qed.

Lemma pow_lit x k : bin Pow x (IZR k) = if (0 <=? k)%Z then Some (x ^ Z.to_nat k)
  else except (Req_EM_T (x ^ Z.to_nat (- k)) 0) (Some (1 / x ^ Z.to_nat (- k))).
Proof.
unfold bin. destruct (is_whole (IZR k)) as [_|N]; [|destruct N; now rewrite Int_part_IZR]. rewrite Int_part_IZR.
destruct (Rlt_dec (IZR k) 0) as [L|L].
- apply lt_IZR in L. destruct (Z.leb_spec 0 k); [lia|]. destruct k as [|p|p]; [lia|lia|]. simpl Z.opp. rewrite Z2Nat.inj_pos.
  unfold except. destruct (Req_EM_T x 0) as [E|E], (Req_EM_T (x ^ Pos.to_nat p) 0) as [F|F]; try reflexivity.
  + destruct F. subst. apply pow_i. lia.
  + exfalso. revert F. apply pow_nonzero, E.
  + simpl. unfold Rdiv. now rewrite Rmult_1_l.
- assert (0 <= k)%Z by (apply le_IZR; lra). destruct (Z.leb_spec 0 k); [|lia]. destruct k as [|p|p]; [reflexivity|reflexivity|lia].
Qed.

Lemma raised_denotes s t : fits (bin Pow (real s) (real t)) (raised s t).
Proof.
destruct t as [k|y].
- rewrite (real_lit k), pow_lit. unfold raised. destruct (0 <=? k)%Z.
  + intros x. unfold fst, snd. rewrite natural_is. split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity].
  + replace 1 with (real (Lit 1)) by apply real_lit. rewrite <- natural_is. apply over_denotes.
- unfold raised, bin, power. simpl real. cbv zeta. set (x := real s). clearbody x. clear s. unfold only, except.
  assert (W := whole_is y). unfold is_whole.
  destruct (Req_EM_T (IZR (Int_part y)) y) as [E|E].
  + destruct (Rlt_dec y 0) as [L|L]; [destruct (Req_EM_T x 0) as [Z|Z]|].
    * intros z. cbn [all fst snd]. split; [discriminate|]. intros [[A|[[_ A]|[_ [A|A]]]] _]; [lra|lra|lra|tauto].
    * intros z. split; [intros [= <-]; split; [cbn [all snd]; tauto|reflexivity]|intros [_ ->]; reflexivity].
    * intros z. split; [intros [= <-]; split; [|reflexivity]|intros [_ ->]; reflexivity].
      right; right. split; [tauto|left; lra].
  + intros z. cbn [all fst snd]. change (real (Term ?r)) with r. unfold Rpower. destruct (Req_EM_T x 0) as [Z|Z].
    * destruct (Rlt_dec 0 y) as [L|L]; [split; [intros [= <-]; tauto|intros [_ ->]; reflexivity]|].
      split; [discriminate|]. intros [[A|[A|[A _]]] _]; [lra|lra|tauto].
    * destruct (Rlt_dec 0 x) as [L|L]; [split; [intros [= <-]; tauto|intros [_ ->]; reflexivity]|].
      split; [discriminate|]. intros [[A|[A|[A _]]] _]; [lra|lra|tauto].
Qed.

Lemma un_denotes f t : fits (un f (real t)) (un_slot f t).
Proof.
destruct f; unfold un_slot, fits; cbv zeta; simpl un; unfold fst, snd.
- destruct t as [k|x]; intros z; [rewrite !real_lit, opp_IZR|]; (split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity]).
- value_is.
- value_is.
- unfold only. destruct (Rlt_dec 0 (real t)); [value_is|no_value].
- unfold only. destruct (Rle_dec 0 (real t)); [value_is|no_value].
- value_is.
- value_is.
- value_is.
- value_is.
- value_is.
Qed.

Lemma bin_denotes f s t : fits (bin f (real s) (real t)) (bin_slot f s t).
Proof.
destruct f; try apply over_denotes; try apply raised_denotes;
  try (unfold fits, bin, bin_slot; solve [value_is]); intros z; unfold bin_slot, fst, snd, bin.
- rewrite plus_is. split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity].
- destruct s, t; rewrite ?real_lit, ?minus_IZR; (split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity]).
- destruct s, t; rewrite ?real_lit, ?mult_IZR; (split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity]).
Qed.

Lemma either_is s x y (u v : R) : either s x y u v = if decide s x y then u else v.
Proof.
destruct s; simpl; try reflexivity.
- destruct (Rle_dec y x), (Rge_dec x y); lra.
- destruct (Rlt_dec y x), (Rgt_dec x y); lra.
- destruct (Req_EM_T x y); reflexivity.
Qed.

Ltac parts H := repeat match type of H with andb _ _ = true => let K := fresh in apply andb_prop in H as [H K] end.
Lemma agrees env slots : Forall2 suits env slots -> forall e, single e = true -> denotes (num (eval env e)) (value slots e) (owed slots e).
Proof.
intros F e. revert env slots F.
induction e as [k| |p|f a IHa|f a IHa b IHb|s a IHa b IHb yes IHy no IHn|a IHa b IHb body IH
  | |a IHa b IHb|a IHa b IHb body IH|f a IHa|f a IHa b IHb|a IHa b IHb c IHc]; intros env slots F S; try discriminate S; simpl in S; parts S.
- intros x. simpl eval. simpl value. rewrite real_lit. split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity].
- simpl. value_is.
- simpl. revert p. induction F as [|o t env slots H F IH]; intros p; [|destruct p; [exact H|exact (IH p)]].
  destruct p; simpl; no_value.
- simpl. rewrite num_numb. apply bind_denotes with (1 := IHa _ _ F S), un_denotes.
- simpl. rewrite num_numb. apply bind_denotes with (1 := IHa _ _ F S), (bind_denotes _ (fun y => bin f _ y) _ _ _ _ (IHb _ _ F H)), bin_denotes.
- simpl. rewrite num_bind. apply bind_denotes with (1 := IHa _ _ F S). rewrite num_bind.
  apply (bind_denotes _ (fun y => num (if decide s _ y then _ else _)) _ _ _ _ (IHb _ _ F H1)).
  set (x := real (value slots a)). set (y := real (value slots b)).
  intros z. rewrite all_app, !all_map. change (real (Term ?r)) with r. rewrite either_is.
  destruct (decide s x y) as [D|D]; [rewrite (IHy _ _ F H0 z)|rewrite (IHn _ _ F H z)]; tauto.
- assert (W : forall t k, fits (Some (IZR k)) t -> denotes (num (eval (env ++ [Some (Number (IZR k))]) body)) (value (slots ++ [t]) body) (owed (slots ++ [t]) body)).
  { intros t k K. apply IH; [|exact H]. apply Forall2_app; [exact F|]. constructor; [exact K|constructor]. }
  assert (L : forall k, fits (Some (IZR k)) (Lit k, [])).
  { intros k x. unfold fst, snd. rewrite real_lit. split; [intros [= <-]; simpl; auto|intros [_ ->]; reflexivity]. }
  assert (T : forall k, fits (Some (IZR k)) (Term (IZR k), [])) by (intros k; unfold fits; value_is).
  simpl eval. simpl owed. simpl value.
  rewrite num_numb. apply bind_denotes with (1 := IHa _ _ F S). refine (bind_denotes _ (fun y => only _ (only (is_whole y) _)) _ _ _ _ (IHb _ _ F H0) _).
  assert (Open : let s := value slots a in let t := value slots b in
    denotes (only (is_whole (real s)) (only (is_whole (real t)) (total (fun k => num (eval (env ++ [Some (Number (IZR k))]) body)) (Int_part (real s)) (Z.to_nat (Int_part (real t) - Int_part (real s))))))
      (Term (summed (real s) (real t) (fun k => real (value (slots ++ [(Term (IZR k), [])]) body))))
      [whole (real s); whole (real t);
       forall k : Z, real s <= IZR k < real t -> all (owed (slots ++ [(Term (IZR k), [])]) body)]).
  { cbv zeta. set (u := real (value slots a)). set (v := real (value slots b)). clearbody u v. unfold only, is_whole. intros x.
    rewrite !all_cons, !whole_is. change (real (Term ?r)) with r.
    destruct (Req_EM_T (IZR (Int_part u)) u) as [E|E]; [|split; [discriminate|tauto]].
    destruct (Req_EM_T (IZR (Int_part v)) v) as [E'|E']; [|split; [discriminate|tauto]].
    rewrite (total_summed _ _ _ _ _ (fun k => W _ k (T k)) x). change (real (Term ?r)) with r. simpl all. unfold summed.
    assert (K : forall k, (Int_part u <= k < Int_part u + Z.of_nat (Z.to_nat (Int_part v - Int_part u)))%Z <-> u <= IZR k < v).
    { intros k. apply (range_is _ _ _ E E'). }
    assert (Q : (forall k, (Int_part u <= k < Int_part u + Z.of_nat (Z.to_nat (Int_part v - Int_part u)))%Z -> all (owed (slots ++ [(Term (IZR k), [])]) body))
      <-> (forall k, u <= IZR k < v -> all (owed (slots ++ [(Term (IZR k), [])]) body))).
    { split; intros P k Hk; apply P, K, Hk. }
    rewrite Q. tauto. }
  cbv zeta in Open. destruct (value slots a) as [i|u], (value slots b) as [j|v]; try exact Open. clear Open.
  rewrite !real_lit. unfold only. destruct (is_whole (IZR i)) as [_|N]; [|destruct N; now rewrite Int_part_IZR].
  destruct (is_whole (IZR j)) as [_|N]; [|destruct N; now rewrite Int_part_IZR]. rewrite !Int_part_IZR.
  apply total_denotes. intros k. apply W, L.
Qed.

Lemma related_is env slots s a b : Forall2 suits env slots -> andb (single a) (single b) = true ->
  related s (eval env a) (eval env b) <->
  all (owed slots a ++ owed slots b ++ [compares s (real (value slots a)) (real (value slots b))]).
Proof.
intros F S. parts S. rewrite !all_app. pose proof (agrees _ _ F a S) as A. pose proof (agrees _ _ F b H) as B. unfold related. split.
- intros (x & y & Ex & Ey & C). apply num_is, A in Ex as [? ->]. apply num_is, B in Ey as [? ->]. simpl. auto.
- intros (Ha & Hb & C). exists (real (value slots a)), (real (value slots b)). rewrite !num_is, (A _), (B _). simpl in C. auto.
Qed.

Lemma inside_is env slots x low high : Forall2 suits env slots -> andb (single_end low) (single_end high) = true ->
  inside env x low high <-> all (bounds slots x low high).
Proof.
intros F S. parts S. unfold inside, bounds. rewrite all_app.
assert (K : forall s e, single e = true -> related s (Some (Number x)) (eval env e) <-> all (owed slots e ++ [compares s x (real (value slots e))])).
{ intros s e Se. rewrite all_app. unfold related. pose proof (agrees _ _ F e Se) as E. split.
  - intros (u & v & [= <-] & Ev & C). apply num_is, E in Ev as [? ->]. simpl. auto.
  - intros (K & C). exists x, (real (value slots e)). rewrite !num_is, (E _). simpl in C. auto. }
destruct low, high; simpl in S, H; rewrite ?K by assumption; simpl all; tauto.
Qed.

Theorem says_is c : singles c = true -> forall env slots given, Forall2 suits env slots -> says_in slots given c <-> (all given -> means_in env c).
Proof.
assert (P : forall env slots x, Forall2 suits env slots -> Forall2 suits (env ++ [Some (Number x)]) (slots ++ [(Term x, [])])).
{ intros env slots x F. apply Forall2_app; [exact F|]. constructor; [|constructor]. unfold suits, fits. value_is. }
induction c as [n low high c IH|n low high c IH|n e low high up c IH|n e c IH|n e d c IH|n e c IH|[s a b|] c IH|[s a b|]]; intros S; try discriminate S; simpl in S;
  intros env slots given F; simpl.
- apply andb_prop in S as [S S']. split.
  + intros H G x I. specialize (H x). apply (IH S' _ _ _ (P _ _ x F)) in H; [exact H|]. rewrite all_app, <- inside_is by eassumption. auto.
  + intros H x. apply (IH S' _ _ _ (P _ _ x F)). rewrite all_app, <- inside_is by eassumption. intros [G I]. apply H; assumption.
- apply andb_prop in S as [S S']. split.
  + intros H G x W I. specialize (H x). apply (IH S' _ _ _ (P _ _ x F)) in H; [exact H|]. rewrite all_app, all_cons, <- inside_is by eassumption. auto.
  + intros H x. apply (IH S' _ _ _ (P _ _ x F)). rewrite all_app, all_cons, <- inside_is by eassumption. intros (G & W & I). apply H; assumption.
- apply andb_prop in S as [S S']. apply (IH S'), Forall2_app; [exact F|]. constructor; [|constructor]. apply agrees; assumption.
- apply andb_prop in S as [S S']. rewrite (IH S' _ _ _ F), all_app, (related_is _ _ s a b F S). tauto.
- rewrite arrows_all. pose proof (related_is _ _ s a b F S) as E. rewrite E. clear E.
  change (match owed slots a ++ owed slots b with [] => _ | _ :: _ => _ end)
    with (all (compares s (real (value slots a)) (real (value slots b)) :: owed slots a ++ owed slots b)).
  rewrite all_cons, !all_app. change (all [?p]) with p. tauto.
Qed.

Theorem meaning c : singles c = true -> means c <-> proper 0 c = true /\ says c.
Proof. intros S. unfold says, means. rewrite (says_is c S [] [] [] (Forall2_nil _)). simpl. tauto. Qed.
Corollary to_means c : andb (proper 0 c) (singles c) = true -> says c -> means c.
Proof. intros P. apply andb_prop in P as [P S]. intros. apply meaning; auto. Qed.
Corollary of_means c : singles c = true -> means c -> says c.
Proof. intros S H. apply meaning in H; [apply H|exact S]. Qed.

(* The tree in Coq's own words: what stands in no list below is left as it is. *)
Ltac spoken := cbv beta iota zeta delta
  [says says_in bounds value owed added each either bin_slot un_slot raised natural over plus real all arrows compares
   det square laplace forallb andb fst snd nth app map List.length firstn skipn fold_left Nat.even Nat.eqb
   Z.add Z.sub Z.mul Z.opp Z.pow Z.pow_pos Z.gcd Z.sgn Z.div Z.abs Z.eqb Z.ltb Z.leb Z.compare Z.to_nat Z.of_nat
   Z.double Z.succ_double Z.pred_double Z.pos_sub Z.div_eucl Z.pos_div_eucl Z.ggcd
   Pos.add Pos.add_carry Pos.succ Pos.mul Pos.pow Pos.iter Pos.eqb Pos.compare Pos.compare_cont Pos.to_nat Pos.of_succ_nat
   Pos.iter_op Nat.add Pos.sub Pos.sub_mask Pos.double_mask Pos.succ_double_mask Pos.double_pred_mask Pos.pred_double
   Pos.pred_mask Pos.gcd Pos.gcdn Pos.size_nat Pos.pred Init.Nat.add CompOpp].

(* From the readable theorem to the tree: the same text, or the same parts in another order. *)
Ltac entered S := lazymatch goal with |- forall x : R, _ => let y := fresh "x" in intro y; specialize (S y); entered S | _ => idtac end.
Ltac fed S := lazymatch type of S with
  | ?P -> ?Q => let H := fresh in assert (H : P) by first [assumption | tauto | lra]; specialize (S H); clear H; fed S
  | _ => idtac end.
Ltac bridged said :=
  try match goal with |- means ?t => unfold t end; apply to_means; [reflexivity|]; spoken;
  first
  [ let T := type of said in lazymatch goal with |- ?G => constr_eq T G end; exact said
  | let S := fresh in pose proof said as S; entered S; intros; fed S; decompose [and] S; repeat apply conj; first [assumption | tauto | lra] ].

(* ---- A claim is false: what its tree says fails at a point that is given. ---- *)
Lemma yes {P : Prop} {T} (d : {P} + {~ P}) (u v : T) : P -> (if d then u else v) = u.
Proof. intros. destruct d; [reflexivity|contradiction]. Qed.
Lemma no {P : Prop} {T} (d : {P} + {~ P}) (u v : T) : ~ P -> (if d then u else v) = v.
Proof. intros. destruct d; [contradiction|reflexivity]. Qed.
Lemma floor_is x k : IZR k <= x < IZR (k + 1) -> IZR (Int_part x) = IZR k.
Proof.
intros H. f_equal. unfold Int_part. rewrite plus_IZR in H. rewrite <- (tech_up x (k + 1)); [ring|..]; rewrite plus_IZR; lra.
Qed.
Lemma power_whole x k : power x (IZR k) = powerRZ x k.
Proof. unfold power. rewrite Int_part_IZR. destruct (Req_EM_T (IZR k) (IZR k)); [reflexivity|contradiction]. Qed.
Lemma power_of_zero y : 0 < y -> power 0 y = 0.
Proof.
intros H. unfold power. destruct (Req_EM_T (IZR (Int_part y)) y) as [E|_]; [|now destruct (Req_EM_T 0 0)].
rewrite <- E in H. apply lt_IZR in H. destruct (Int_part y) as [|p|p]; [lia| |lia]. apply pow_i, Pos2Nat.is_pos.
Qed.
Lemma summed_steps a b f : summed (IZR a) (IZR b) f = summed_ f a (Z.to_nat (b - a)).
Proof. unfold summed. now rewrite !Int_part_IZR. Qed.

Ltac number := first [lra | solve [field; lra] | nra | interval | interval with (i_prec 100)
  | unfold normal_cdf; first [integral | integral with (i_prec 60)] | intro; lra | intros ?; match goal with E : ?a = ?b |- _ => first
      [assert (a < b) by interval; lra | assert (b < a) by interval; lra] end].
Ltac integer_of x k := (* x is IZR k' for the first k' from k on *)
  first [replace x with (IZR k) by number | let l := eval compute in (k + 1)%Z in
    lazymatch l with 40%Z => fail | _ => integer_of x l end].
Ltac floored x k :=
  first [rewrite (floor_is x k) by (split; number) | let l := eval compute in (k + 1)%Z in
    lazymatch l with 2000%Z => fail | _ => floored x l end].
Ltac counted := cbv beta iota zeta delta
  [summed_ Z.add Z.sub Z.opp Z.to_nat Z.of_nat Pos.add Pos.succ Pos.to_nat Pos.iter_op Pos.of_succ_nat Init.Nat.add
   Z.pos_sub Pos.sub Pos.sub_mask Pos.double_mask Pos.succ_double_mask Pos.double_pred_mask Pos.pred_double Pos.pred_mask
   Z.double Z.succ_double Z.pred_double Pos.add_carry Nat.add].
Ltac worked_out := repeat match goal with
  | |- context [if ?d then ?u else ?v] => first [rewrite (yes d u v) by number | rewrite (no d u v) by number]
  | |- context [Rmin ?a ?b] => first [rewrite (Rmin_left a b) by number | rewrite (Rmin_right a b) by number]
  | |- context [Rmax ?a ?b] => first [rewrite (Rmax_left a b) by number | rewrite (Rmax_right a b) by number]
  | |- context [IZR (Int_part ?x)] => floored x 0%Z
  | |- context [power ?x (IZR ?k)] => rewrite (power_whole x k); cbv [powerRZ Pos.to_nat Pos.iter_op Init.Nat.add]
  | |- context [power 0 ?y] => rewrite (power_of_zero y) by number
  | |- context [power ?x ?y] => first
      [rewrite (power_positive x y) by number
      | integer_of y 0%Z]
  | |- context [summed (IZR ?a) (IZR ?b) ?f] => rewrite (summed_steps a b f); counted
  | |- context [summed (IZR ?a) ?b ?f] => integer_of b 0%Z
  | |- context [summed ?a ?b ?f] => integer_of a 0%Z
  end.
Ltac met := intros; worked_out; first
  [ number | now eexists | match goal with |- whole ?x => integer_of x 0%Z; now eexists end
  | left; number | right; left; split; number | right; right; split; [now eexists | first [left; number | right; number]] ].
Ltac fails H :=
  lazymatch type of H with
  | ?P -> ?Q => let K := fresh in assert (K : P) by met; specialize (H K); clear K; fails H
  | ?P /\ ?Q => destruct H as [H _]; fails H
  | ?P => revert H; worked_out; intro H; first
      [ lra | nra
      | lazymatch type of H with
        | ?a <= ?b => cut (b < a); [lra|]; number
        | ?a < ?b => cut (b <= a); [lra|]; number
        | ?a >= ?b => cut (a < b); [lra|]; number
        | ?a > ?b => cut (a <= b); [lra|]; number
        | ?a = ?b => first [cut (a < b); [lra|]; number | cut (b < a); [lra|]; number]
        | ?a <> ?b => apply H; number
        end ]
  end.
