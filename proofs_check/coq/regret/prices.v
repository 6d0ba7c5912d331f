(******************************************************************************)
(*                       Prices in place of the other arms                    *)
(*                                                                            *)
(* The deterministic parts of Theorems P and L. A policy plays one arm in     *)
(* each round; at a price for each round the arms come apart.                 *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   replay, as_player == what a policy has observed, from the looks at one   *)
(*       arm; the player of this arm who follows the policy                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   prices_identity == regret as prices and what the arms earn               *)
(*   player_follows == the player of one arm can follow any policy            *)
(*   prices == Theorem P for every finite law                                 *)
(*   arms_alone == Theorem L for independent arms                             *)
(*   prices_recursion == a recursion from above bounds every player           *)
(*                                                                            *)
(* Rests on: definitions, sums.                                               *)
(******************************************************************************)

From Coq Require Import Reals Lra Lia List Bool.
From CTV Require Import definitions sums.
Import ListNotations.
Open Scope R_scope.

Lemma only_one N a (g : nat -> R) : (a < N)%nat -> sum N (fun x => if Nat.eqb a x then g x else 0) = g a.
Proof.
induction N as [|N IH]; intros H; [lia|]. simpl. destruct (Nat.eqb_spec a N) as [E|E].
- subst a. rewrite (sum_ext N _ (fun _ => 0)); [rewrite sum_0; ring|].
  intros i Hi. destruct (Nat.eqb_spec N i); [lia|reflexivity].
- rewrite IH by lia. ring.
Qed.

Theorem prices_identity n N (f : nat -> nat -> R) (a : nat -> nat) (top lam : nat -> R) :
  (forall i, (i < n)%nat -> (a i < N)%nat) ->
  sum n (fun i => top i - f (a i) i) =
  sum n (fun i => top i - lam i) - sum N (fun x => sum n (fun i => if Nat.eqb (a i) x then f x i - lam i else 0)).
Proof.
intros H. rewrite sum_swap, <- sum_minus. apply sum_ext. intros i Hi.
rewrite (only_one N (a i) (fun x => f x i - lam i)) by auto. ring.
Qed.

(* ---- the player of one arm ---- *)

Fixpoint replay (play : nat -> list R -> nat) (h e : nat -> nat -> R) (x i : nat) (mine : list (nat * R)) :
  list R * list (nat * R) :=
  match i with
  | O => (nil, mine)
  | S j => let (s, rest) := replay play h e x j mine in
    let a := play j s in
    if Nat.eqb a x then match rest with v :: later => ((snd v + e a j) :: s, later) | nil => (s, nil) end
    else ((h a j + e a j) :: s, rest)
  end.
Definition as_player play h e x i mine := Nat.eqb (play i (fst (replay play h e x i (rev mine)))) x.

Lemma replays play h e x g : let f y j := if Nat.eqb y x then g j else h y j in forall i rest,
  replay play h e x i (rev (own (as_player play h e x) g i) ++ rest) = (seen play f e i, rest).
Proof.
intros f. induction i as [|i IH]; intros rest; [reflexivity|].
assert (D : as_player play h e x i (own (as_player play h e x) g i) = Nat.eqb (play i (seen play f e i)) x).
{ unfold as_player at 1. rewrite <- (app_nil_r (rev _)), IH. reflexivity. }
cbn [own replay seen]. rewrite D. unfold f at 2.
destruct (Nat.eqb_spec (play i (seen play f e i)) x) as [E|E].
- cbn [rev]. rewrite <- app_assoc, IH. cbn [app]. rewrite E, Nat.eqb_refl. reflexivity.
- rewrite IH. destruct (Nat.eqb_spec (play i (seen play f e i)) x); [contradiction|reflexivity].
Qed.

Theorem player_follows (play : nat -> list R -> nat) (h e : nat -> nat -> R) x : exists look, forall g i,
  let f y j := if Nat.eqb y x then g j else h y j in
  look i (own look g i) = Nat.eqb (arm play f e i) x.
Proof.
exists (as_player play h e x). intros g i f. unfold as_player at 1, arm.
rewrite <- (app_nil_r (rev _)), (replays play h e x g). reflexivity.
Qed.

Lemma seen_same play play' (f f' e e' : nat -> nat -> R) : (forall i l, play i l = play' i l) ->
  (forall y i, f y i = f' y i) -> (forall y i, e y i = e' y i) -> forall i, seen play f e i = seen play' f' e' i.
Proof. intros P F E. induction i as [|i IH]; [reflexivity|]. cbn [seen]. now rewrite IH, P, F, E. Qed.

Lemma replay_off play h h' e x : (forall y i, y <> x -> h y i = h' y i) ->
  forall i l, replay play h e x i l = replay play h' e x i l.
Proof.
intros H. induction i as [|i IH]; intros l; [reflexivity|]. cbn [replay]. rewrite IH.
destruct (replay play h' e x i l) as [s rest]. destruct (Nat.eqb_spec (play i s) x) as [E|E]; [reflexivity|].
now rewrite H.
Qed.

Lemma plays play (f e : nat -> nat -> R) x lam n :
  earned (as_player play f e x) (f x) lam n =
  sum n (fun i => if Nat.eqb (arm play f e i) x then f x i - lam i else 0).
Proof.
apply sum_ext. intros i _. unfold as_player at 1, arm. rewrite <- (app_nil_r (rev _)), (replays play f e x (f x)).
cbn [fst]. rewrite (seen_same play play (fun y j => if Nat.eqb y x then f x j else f y j) f e e); auto.
intros y j. now destruct (Nat.eqb_spec y x) as [->|].
Qed.

(* Theorem P: cases c with weights w; z c names the policy's chance and the errors of the looks *)
Theorem prices m (w : nat -> R) N n (play : nat -> nat -> list R -> nat) (e : nat -> nat -> nat -> R) (z : nat -> nat)
  (f : nat -> nat -> nat -> R) (top lam : nat -> nat -> R) (V : nat -> R) :
  (forall c i, (c < m)%nat -> (i < n)%nat -> (arm (play (z c)) (f c) (e (z c)) i < N)%nat) ->
  (forall x, (x < N)%nat -> forall look,
     (forall c c', z c = z c' -> (forall y i, y <> x -> f c y i = f c' y i) -> forall i l, look c i l = look c' i l) ->
     sum m (fun c => w c * earned (look c) (f c x) (lam c) n) <= V x) ->
  sum m (fun c => w c * sum n (fun i => top c i - lam c i)) - sum N V <=
  sum m (fun c => w c * sum n (fun i => top c i - f c (arm (play (z c)) (f c) (e (z c)) i) i)).
Proof.
intros A H.
rewrite (sum_ext m (fun c => w c * sum n (fun i => top c i - f c _ i)) (fun c => w c * sum n (fun i => top c i - lam c i) -
  sum N (fun x => w c * earned (as_player (play (z c)) (f c) (e (z c)) x) (f c x) (lam c) n))).
2: { intros c Hc. rewrite (prices_identity n N (f c) _ (top c) (lam c)) by auto.
  rewrite Rmult_minus_distr_l, <- (sum_scal N). f_equal. apply sum_ext. intros x _. now rewrite plays. }
rewrite sum_minus, sum_swap. apply Rplus_le_compat_l, Ropp_le_contravar. apply sum_le. intros x Hx.
apply (H x Hx (fun c => as_player (play (z c)) (f c) (e (z c)) x)).
intros c c' E F i l. unfold as_player. rewrite E. now rewrite (replay_off (play (z c')) (f c) (f c')).
Qed.

(* Theorem L: of arm x, all else is case r c, and its own path case k c, of chances v and u apart *)
Theorem arms_alone m (w : nat -> R) N n (play : nat -> nat -> list R -> nat) (e f : nat -> nat -> nat -> R)
  (top : nat -> nat -> R) (lam V : nat -> R) :
  (forall c i, (c < m)%nat -> (i < n)%nat -> (arm (play c) (f c) (e c) i < N)%nat) ->
  (forall x, (x < N)%nat -> arm_alone m w play e f x lam n (V x)) ->
  sum m (fun c => w c * sum n (fun i => top c i - lam i)) - sum N V <=
  sum m (fun c => w c * sum n (fun i => top c i - f c (arm (play c) (f c) (e c) i) i)).
Proof.
intros A H.
rewrite (sum_ext m (fun c => w c * sum n (fun i => top c i - f c _ i)) (fun c => w c * sum n (fun i => top c i - lam i) -
  sum N (fun x => w c * earned (as_player (play c) (f c) (e c) x) (f c x) lam n))).
2: { intros c Hc. rewrite (prices_identity n N (f c) _ (top c) lam) by auto.
  rewrite Rmult_minus_distr_l, <- (sum_scal N). f_equal. apply sum_ext. intros x _. now rewrite plays. }
rewrite sum_minus, sum_swap. apply Rplus_le_compat_l, Ropp_le_contravar. apply sum_le. intros x Hx.
destruct (H x Hx) as (q & l & v & u & r & k & P & E & h & g & S & law & v0 & v1 & best).
rewrite (sum_ext m _ (fun c => w c * earned (as_player (P (r c)) (h (r c)) (E (r c)) x) (g (k c)) lam n)).
2: { intros c Hc. destruct (S c Hc) as (sp & se & sh & sg). f_equal.
  assert (L : forall i mine, as_player (play c) (f c) (e c) x i mine = as_player (P (r c)) (h (r c)) (E (r c)) x i mine).
  { intros i mine. unfold as_player. replace (replay (P (r c)) (h (r c)) (E (r c)) x i (rev mine)) with
      (replay (play c) (f c) (e c) x i (rev mine)); [now rewrite sp|].
    generalize (rev mine). induction i as [|i IH]; intros l0; [reflexivity|]. cbn [replay]. rewrite IH.
    destruct (replay (P (r c)) (h (r c)) (E (r c)) x i l0) as [s rest]. rewrite sp.
    destruct (Nat.eqb_spec (P (r c) i s) x) as [Y|Y]; [destruct rest; [|rewrite se]; reflexivity|].
    now rewrite sh, se. }
  assert (O : forall i, own (as_player (play c) (f c) (e c) x) (f c x) i =
                        own (as_player (P (r c)) (h (r c)) (E (r c)) x) (g (k c)) i).
  { induction i as [|i IH]; [reflexivity|]. cbn [own]. now rewrite IH, L, sg. }
  apply sum_ext. intros i _. now rewrite O, L, sg. }
rewrite (law (fun a b => earned (as_player (P a) (h a) (E a) x) (g b) lam n)).
rewrite <- (Rmult_1_l (V x)), <- v1, <- sum_scalr. apply sum_le. intros a _.
apply Rmult_le_compat_l; [apply v0|apply best].
Qed.

(* ---- sums by classes ---- *)

Lemma by_classes l (same : nat -> nat -> bool) (F G : nat -> R) : (forall b, same b b = true) ->
  (forall b b', same b b' = true -> forall c, same b c = same b' c) ->
  (forall b, (b < l)%nat -> sum l (fun c => if same b c then F c else 0) <= sum l (fun c => if same b c then G c else 0)) ->
  sum l F <= sum l G.
Proof.
intros refl trans H.
assert (sym : forall b c, same b c = same c b).
{ intros b c. destruct (same b c) eqn:E; [now rewrite <- (trans b c E b), refl|].
  destruct (same c b) eqn:E'; [|reflexivity]. rewrite <- (trans c b E' c), refl in E. discriminate. }
set (N b := sum l (fun c => if same b c then 1 else 0)).
assert (N1 : forall b, (b < l)%nat -> 0 < N b).
{ intros b Hb. enough (1 <= N b) by lra. unfold N.
  pose proof (sum_sq_ge l (fun c => if same b c then 1 else 0) b Hb (fun c _ => ltac:(simpl; destruct (same b c); lra))) as Q.
  simpl in Q. now rewrite refl in Q. }
assert (Nt : forall b c, same b c = true -> N b = N c).
{ intros b c E. apply sum_ext. intros i _. now rewrite (trans b c E i). }
assert (spread : forall K : nat -> R, sum l K = sum l (fun b => / N b * sum l (fun c => if same b c then K c else 0))).
{ intros K. rewrite (sum_ext l K (fun c => sum l (fun b => if same b c then / N b * K c else 0))).
  - rewrite sum_swap. apply sum_ext. intros b _. rewrite <- sum_scal. apply sum_ext. intros c _. destruct (same b c); ring.
  - intros c Hc. rewrite (sum_ext l _ (fun b => (if same c b then 1 else 0) * (/ N c * K c))).
    + rewrite sum_scalr. fold (N c). specialize (N1 c Hc). field. lra.
    + intros b _. rewrite (sym c b). destruct (same b c) eqn:E; [rewrite (Nt b c E)|]; ring. }
rewrite (spread F), (spread G). apply sum_le. intros b Hb. apply Rmult_le_compat_l; [|auto].
left. apply Rinv_0_lt_compat. auto.
Qed.

(* ---- the recursion of one arm ---- *)

Lemma own_fits look g i : fits g (own look g i) = true.
Proof.
induction i as [|i IH]; [reflexivity|]. cbn [own]. destruct (look i (own look g i)); [|exact IH].
cbn [fits]. rewrite IH. now destruct (Req_EM_T (g i) (g i)).
Qed.
Lemma fits_own look g g' i : fits g' (own look g i) = true -> own look g' i = own look g i.
Proof.
induction i as [|i IH]; [reflexivity|]. cbn [own]. destruct (look i (own look g i)) eqn:L.
- cbn [fits]. intros E. apply andb_true_iff in E. destruct E as [E1 E2]. rewrite (IH E2), L.
  destruct (Req_EM_T (g' i) (g i)) as [->|]; [reflexivity|discriminate].
- intros E. now rewrite (IH E), L.
Qed.
Lemma own_earlier look g i j v : In (j, v) (own look g i) -> (j < i)%nat.
Proof.
induction i as [|i IH]; cbn [own]; [intros []|]. destruct (look i (own look g i)).
- intros [E|E]; [injection E; lia|]. specialize (IH E). lia.
- intros E. specialize (IH E). lia.
Qed.

(* values W from above: never negative, and never improved by one more look *)
Theorem prices_recursion l (u : nat -> R) (g : nat -> nat -> R) n lam (W : list (nat * R) -> R) :
  (forall b, 0 <= u b) -> (forall H, 0 <= W H) ->
  (forall H i, (i < n)%nat -> (forall j v, In (j, v) H -> (j < i)%nat) ->
     sum l (fun b => if fits (g b) H then u b * (g b i - lam i + W ((i, g b i) :: H)) else 0) <=
     sum l (fun b => if fits (g b) H then u b else 0) * W H) ->
  forall look, sum l (fun b => u b * earned look (g b) lam n) <= sum l u * W nil.
Proof.
intros u0 W0 rec look.
assert (P : forall i, (i <= n)%nat -> sum l (fun b => u b * (earned look (g b) lam i + W (own look (g b) i))) <= sum l u * W nil).
{ induction i as [|i IH]; intros Hi.
  - right. rewrite <- sum_scalr. apply sum_ext. intros b _. unfold earned. simpl. ring.
  - apply Rle_trans with (2 := IH ltac:(lia)). unfold earned. simpl sum.
    set (F b := if look i (own look (g b) i) then u b * (g b i - lam i + W ((i, g b i) :: own look (g b) i)) else 0).
    set (G b := if look i (own look (g b) i) then u b * W (own look (g b) i) else 0).
    enough (B : sum l F <= sum l G).
    { rewrite (sum_ext l _ (fun b => (u b * (earned look (g b) lam i + W (own look (g b) i)) - G b) + F b)).
      - rewrite sum_plus, sum_minus. unfold earned. lra.
      - intros b _. unfold F, G, earned. destruct (look i (own look (g b) i)); ring. }
    apply (by_classes l (fun b c => fits (g c) (own look (g b) i))).
    + intros b. apply own_fits.
    + intros b b' E c. now rewrite (fits_own _ _ _ _ E).
    + intros b Hb. specialize (rec (own look (g b) i) i ltac:(lia) (fun j v => own_earlier look (g b) i j v)).
      destruct (look i (own look (g b) i)) eqn:L.
      * rewrite <- sum_scalr in rec. eapply Rle_trans; [|eapply Rle_trans; [exact rec|]]; right; apply sum_ext; intros c _;
        unfold F, G; destruct (fits (g c) (own look (g b) i)) eqn:E; try ring; rewrite (fits_own _ _ _ _ E), L; ring.
      * right. apply sum_ext. intros c _. unfold F, G.
        destruct (fits (g c) (own look (g b) i)) eqn:E; [rewrite (fits_own _ _ _ _ E), L|]; reflexivity. }
eapply Rle_trans; [|apply (P n); lia]. apply sum_le. intros b _. apply Rmult_le_compat_l; [auto|].
specialize (W0 (own look (g b) n)). lra.
Qed.
