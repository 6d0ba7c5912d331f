(******************************************************************************)
(*                        A checker of the joint gain                         *)
(*                                                                            *)
(* For every sequence of points of a problem, at its times.                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   joint_sound == what its yes means                                        *)
(*                                                                            *)
(* Rests on: definitions, sums, gains, kernels, determinants, lemma_r,        *)
(*   duality, intervals, residuals, interval_matrices, problems, covariances, *)
(*   joint_dual.                                                              *)
(******************************************************************************)

From Coq Require Import Reals ZArith List Lra Lia Bool.
From Flocq Require Import Zaux.
From Interval Require Import Float.Sig Real.Xreal Interval.Float_full.
From CTV Require Import definitions sums gains kernels determinants lemma_r duality.
From CTV Require Import intervals residuals interval_matrices problems covariances joint_dual.
Import ListNotations.
Open Scope R_scope.

Record joint_certificate := {
  jscale : positive; jalpha : Z; jref : list place; jspace : list (list Z); jtime : list (list Z);
  groups : list (list (nat * Z)); jinv : list (list Z); jroot : list (list Z); jleft : list Z }.

(* features in consecutive groups *)
Fixpoint aflat (a : nat) (gs : list nat) : list nat :=
  match gs with [] => [] | g :: r => repeat a g ++ aflat (S a) r end.
Fixpoint blk (gs : list nat) (d a : nat) (f : nat -> R) : R :=
  match gs with
  | [] => 0
  | g :: r => match a with O => sum g (fun j => f (d + j)%nat) | S a' => blk r (d + g)%nat a' f end
  end.
Lemma aflat_length gs : forall a, length (aflat a gs) = total gs.
Proof. induction gs as [|g r IH]; intros a; simpl; [easy | now rewrite app_length, repeat_length, IH]. Qed.
Lemma sum_blk gs f : forall a0 d u,
  sum (total gs) (fun l => u (nth l (aflat a0 gs) 0%nat) * f (d + l)%nat) =
  sum (length gs) (fun a => u (a0 + a)%nat * blk gs d a f).
Proof.
induction gs as [|g r IH]; intros a0 d u; [easy |].
simpl total; simpl length; rewrite sum_S, (sum_add g (total r)); f_equal.
- simpl blk; rewrite <- sum_scal; apply sum_ext; intros j hj; rewrite Nat.add_0_r; f_equal; f_equal.
  simpl aflat; rewrite app_nth1 by (rewrite repeat_length; trivial).
  clear -hj; revert j hj; induction g as [|g IH]; intros [|j] h; simpl; try lia; apply IH; lia.
- rewrite (sum_ext _ _ (fun l => u (nth l (aflat (S a0) r) 0%nat) * f (d + g + l)%nat)).
  + rewrite IH; apply sum_ext; intros a _; simpl blk; f_equal; f_equal; lia.
  + intros l _; replace (d + (g + l))%nat with (d + g + l)%nat by lia.
    simpl aflat; rewrite app_nth2 by (rewrite repeat_length; lia); rewrite repeat_length.
    now replace (g + l - g)%nat with l by lia.
Qed.

Module Joint (F : FloatOps with Definition radix := radix2 with Definition sensible_format := true).
Module Export C_ := Covariances F.
Section Joint.
Variable prec : F.precision.
Notation Add := (I.add prec).
Notation Sub := (I.sub prec).
Notation Mul := (I.mul prec).
Notation Div := (I.div prec).
Notation Z_ := (ofZ prec).
Notation Q_ := (ofQ prec).
Notation dot := (dot prec).
Notation times := (times prec).

Lemma nth_skip (l : list I.type) g j d : nth j (skipn g l) d = nth (g + j) l d.
Proof. revert l; induction g as [|g IH]; intros [|x l]; simpl; [easy | easy | now destruct j | apply IH]. Qed.

Fixpoint gdots (gs : list nat) (v w : list I.type) : list I.type :=
  match gs with [] => [] | g :: r => dot g v w :: gdots r (skipn g v) (skipn g w) end.
Lemma mem_gdots v' w' gs : forall d v w, memV (fun j => v' (d + j)%nat) v -> memV (fun j => w' (d + j)%nat) w ->
  memV (fun a => blk gs d a (fun l => v' l * w' l)) (gdots gs v w).
Proof.
induction gs as [|g r IH]; intros d v w hv hw a; [exact (memV_nil _ a) |].
destruct a as [|a].
- apply (mem_dot prec g (fun j => v' (d + j)%nat) (fun j => w' (d + j)%nat)); trivial.
- apply (IH (d + g)%nat); intros j; rewrite nth_skip;
    [generalize (hv (g + j)%nat) | generalize (hw (g + j)%nat)]; now rewrite Nat.add_assoc.
Qed.

(* what holds for any A, Y, R *)
Section Any.
Variables (p : nat) (al : R) (alI : I.type) (A Y r : nat -> nat -> R).
Definition aget (l : list (list I.type)) (i : nat) : list I.type := nth i l [].
Definition alog_det_I (a rr : list (list I.type)) : I.type :=
  let ar := times p rr a in
  isum prec p (fun i => Sub (I.ln prec (dot p (aget rr i) (aget ar i))) (Mul (Z_ 2) (I.ln prec (nth i (aget rr i) I.nai)))).
Definition aquad i := sum p (fun a => r i a * sum p (fun b => r i b * A a b)).
Lemma amem_log_det a rr : memM A a -> memM r rr ->
  mem (sum p (fun i => ln (aquad i) - 2 * ln (r i i))) (alog_det_I a rr).
Proof.
intros ha hr; apply mem_isum; intros i; apply mem_sub; [apply mem_ln | apply mem_mul; [apply (mem_Z prec 2) | apply mem_ln, hr]].
apply mem_dot; [apply hr | exact (mem_times prec p _ _ _ _ hr ha i)].
Qed.
Definition aresidual i j := identity i j - sum p (fun l => A j l * Y i l).
Lemma amem_residual ay : memM (fun i j => sum p (fun l => A j l * Y i l)) ay -> memM aresidual (residual_I prec ay).
Proof.
intros h; apply (memM_map _ _ _ _ (0%nat, [])); intros i hi.
rewrite combine_length, seq_length, Nat.min_id in hi.
rewrite combine_nth by (now rewrite seq_length); rewrite seq_nth by trivial; simpl fst; simpl snd.
apply (memV_map _ _ _ _ (0%nat, I.nai)); intros j hj.
rewrite combine_length, seq_length, Nat.min_id in hj.
rewrite combine_nth by (now rewrite seq_length); rewrite seq_nth by trivial; simpl fst; simpl snd; simpl plus.
apply mem_sub; [unfold identity; destruct Nat.eqb; apply mem_Z | apply h].
Qed.
Definition atrace_I (y re : list (list I.type)) : I.type :=
  isum prec p (fun i => Add (Add (nth i (aget y i) I.nai) (dot p (aget y i) (aget re i)))
                     (Div (dot p (aget re i) (aget re i)) alI)).
Lemma amem_trace y re : mem al alI -> memM Y y -> memM aresidual re ->
  mem (sum p (fun i => Y i i + sum p (fun j => Y i j * aresidual i j) + sum p (fun j => aresidual i j * aresidual i j) / al))
    (atrace_I y re).
Proof.
intros hal hy hr; apply mem_isum; intros i; apply mem_add; [apply mem_add |].
- apply hy.
- apply (mem_dot prec p (Y i) (aresidual i)); [apply hy | apply hr].
- apply mem_div; [apply (mem_dot prec p (aresidual i) (aresidual i)); apply hr | trivial].
Qed.
Definition acore i j := 2 * Y i j - sum p (fun a => Y i a * sum p (fun e => A a e * Y j e)).
Definition acore_I (y ay : list (list I.type)) : list (list I.type) :=
  map (fun u => map (fun vw => Sub (Mul (Z_ 2) (fst vw)) (snd vw)) (combine (fst u) (snd u)))
    (combine y (times p y ay)).
Lemma nth_both T1 T2 (l : list T1) (l' : list T2) a b j : (j < length (combine l l'))%nat ->
  nth j (combine l l') (a, b) = (nth j l a, nth j l' b).
Proof.
revert l' j; induction l as [|x l IH]; intros [|y l'] [|j] h; simpl in *; try lia; [easy | apply IH; lia].
Qed.
Lemma amem_core y ay : memM Y y -> memM (fun i j => sum p (fun l => A j l * Y i l)) ay -> memM acore (acore_I y ay).
Proof.
intros hy ha; assert (t := mem_times prec p _ _ _ _ hy ha).
apply (memM_map _ _ _ _ ([], [])); intros i hi; rewrite nth_both by trivial; simpl fst; simpl snd.
apply (memV_map _ _ _ _ (I.nai, I.nai)); intros j hj; rewrite nth_both by trivial; simpl fst; simpl snd.
apply mem_sub; [apply mem_mul; [apply (mem_Z prec 2) | apply hy] | apply t].
Qed.
End Any.

Lemma mem_compress X (k : X -> X -> R) m z W w K : memM W w -> memM (fun i j => k (z i) (z j)) K ->
  memM (compress X k m z (fun i b => W b i)) (times m w (times m w K)).
Proof.
intros hw hK a b.
refine (mem_eq _ _ _ _ (mem_times prec m _ _ _ _ hw (mem_times prec m _ _ _ _ hw hK) a b)).
unfold compress; apply sum_ext; intros i _; rewrite <- sum_scal; apply sum_ext; intros j _; ring.
Qed.

Section Certificate.
Variables (P : problem) (q : joint_certificate).
Let m := length (jref q).
Let n := length (ticks P).
Let gs := map (@length _) (groups q).
Let p := total gs.
Let flat := concat (groups q).
Let z i := nth i (jref q) [].
Let k := space_of P.
Let h := time_of P.
Let t := tau P.
Let fa l := nth l (aflat 0 gs) 0%nat.
Let fb l := fst (nth l flat (0%nat, 0%Z)).
Let fw l := valQ (snd (nth l flat (0%nat, 0%Z)), jscale q).
Let W := entry (jscale q) (jspace q).
Let M := entry (jscale q) (jtime q).
Let Y := entry (jscale q) (jinv q).
Let r := entry (jscale q) (jroot q).
Let al := valQ (jalpha q, jscale q).
Let s := s_of P.
Let Ws i l := W (fb l) i.
Let Wt i l := fw l * M (fa l) i.
Let H a b := compress place k m z Ws a b * compress R h n t Wt a b.
Let A := shifted al H.

Definition afl := combine (aflat 0 gs) flat.
Definition big_I (S T : list (list I.type)) : list (list I.type) :=
  let e := map (fun x => (fst x, (fst (snd x), Q_ (snd (snd x), jscale q)))) afl in
  map (fun x => let sr := nth (fst (snd x)) S [] in let tr := nth (fst x) T [] in
    map (fun y => Mul (nth (fst (snd y)) sr I.nai)
      (Mul (Mul (snd (snd x)) (snd (snd y))) (nth (fst y) tr I.nai))) e) e.
Lemma mem_big S T : memM (compress place k m z (fun i b => W b i)) S -> memM (compress R h n t (fun i a => M a i)) T ->
  memM H (big_I S T).
Proof.
intros hS hT; unfold big_I; rewrite map_map; apply (memM_map _ _ _ _ (0%nat, (0%nat, 0%Z))); intros i hi.
unfold afl in *; rewrite nth_both by trivial; simpl fst; simpl snd.
rewrite map_map; apply (memV_map _ _ _ _ (0%nat, (0%nat, 0%Z))); intros j hj; rewrite nth_both by trivial; simpl fst; simpl snd.
refine (mem_eq _ _ _ _ (mem_mul prec _ _ _ _ (hS (fb i) (fb j)) (mem_mul prec _ _ _ _ (mem_mul prec _ _ _ _
  (mem_Q prec (snd (nth i flat (0%nat, 0%Z)), jscale q)) (mem_Q prec (snd (nth j flat (0%nat, 0%Z)), jscale q))) (hT (fa i) (fa j))))).
unfold H; f_equal; fold (fw i) (fw j); unfold compress, Wt.
rewrite <- sum_scal; apply sum_ext; intros u _; rewrite <- sum_scal; apply sum_ext; intros v _; ring.
Qed.

(* what is explained of a place in each round *)
Let psi_ y l := fw l * against place k m z (fun i b => W b i) y (fb l).
Let u_ i a := sum n (fun j => h (t i) (t j) * M a j).
Let feature y i l := against place k m z Ws y l * against R h n t Wt (t i) l.
Lemma feature_u y i l : feature y i l = u_ i (fa l) * psi_ y l.
Proof.
unfold feature, psi_, u_, against, Wt, Ws.
replace (sum n (fun j => fw l * M (fa l) j * h (t j) (t i))) with (fw l * sum n (fun j => h (t i) (t j) * M (fa l) j)); [ring |].
rewrite <- sum_scal; apply sum_ext; intros j _; unfold h; rewrite (time_sym P (t j) (t i)); ring.
Qed.
Let core := acore p A Y.
Lemma explained_grouped y i :
  sum p (fun a => feature y i a * sum p (fun b => core a b * feature y i b)) =
  sum (length gs) (fun a' => u_ i a' * sum (length gs) (fun a => u_ i a * blk gs 0 a (fun l => psi_ y l *
     blk gs 0 a' (fun l' => core l l' * psi_ y l')))).
Proof.
transitivity (sum p (fun l => sum (length gs) (fun a' => u_ i a' * (u_ i (fa l) * (psi_ y l * blk gs 0 a' (fun l' => core l l' * psi_ y l')))))).
- apply sum_ext; intros l _.
  rewrite (sum_ext p (fun b => core l b * feature y i b) (fun b => u_ i (nth b (aflat 0 gs) 0%nat) * (core l (0 + b)%nat * psi_ y (0 + b)%nat)))
    by (intros b _; rewrite feature_u; unfold fa; simpl plus; ring).
  unfold p; rewrite (sum_blk gs (fun b => core l b * psi_ y b) 0 0 (u_ i)), feature_u, <- sum_scal.
  apply sum_ext; intros a _; simpl plus; ring.
- rewrite sum_swap; apply sum_ext; intros a' _; rewrite sum_scal; f_equal.
  exact (sum_blk gs (fun l => psi_ y l * blk gs 0 a' (fun l' => core l l' * psi_ y l')) 0 0 (u_ i)).
Qed.

Definition psi_I' (tb : table) (w : list (list I.type)) (fl : list (nat * I.type)) (y : place) : list I.type :=
  let ks := map (fun x => value prec P tb x y) (jref q) in
  let b := map (fun l => dot m l ks) w in
  map (fun x => Mul (snd x) (nth (fst x) b I.nai)) fl.
Definition table_I (co : list (list I.type)) (ps : list I.type) : list (list I.type) :=
  let pr := map (fun row => gdots gs row ps) co in
  map (fun a' => gdots gs ps (map (fun row => nth a' row I.nai) pr)) (seq 0 (length gs)).
Definition one_I (tab : list (list I.type)) (u : list I.type) : I.type :=
  let A := length gs in dot A u (map (fun row => dot A u row) tab).

Definition fl_I : list (nat * I.type) := map (fun x => (fst x, Q_ (snd x, jscale q))) flat.
Lemma mem_psi tb y : good P tb -> memV (psi_ y) (psi_I' tb (read prec (jscale q) (jspace q)) fl_I y).
Proof.
intros g.
unfold psi_I', fl_I; rewrite map_map; apply (memV_map _ _ _ _ (0%nat, 0%Z)); intros l _; simpl fst; simpl snd.
apply mem_mul; [apply (mem_Q prec (snd (nth l flat (0%nat, 0%Z)), jscale q)) |].
assert (v : memV (fun i => k (z i) y) (map (fun x => value prec P tb x y) (jref q))).
{ apply (memV_map place _ _ _ []); intros j _; now apply mem_value. }
apply (memV_map _ _ (against place k m z (fun i b => W b i) y) _ []); intros b _.
apply (mem_dot prec m (W b)); [apply (mem_read prec (jscale q) (jspace q)) | exact v].
Qed.
Lemma mem_one co y ps i u : memM core co -> memV (psi_ y) ps -> memV (u_ i) u ->
  mem (sum p (fun a => feature y i a * sum p (fun b => core a b * feature y i b))) (one_I (table_I co ps) u).
Proof.
intros hc hp hu; rewrite explained_grouped.
apply (mem_dot prec (length gs) (u_ i)); [trivial |].
unfold table_I; rewrite map_map; apply (memV_map _ _ _ _ 0%nat); intros a' ha; rewrite seq_length in ha.
rewrite seq_nth by trivial; simpl plus.
apply (mem_dot prec (length gs) (u_ i)); [trivial |].
apply (mem_gdots (psi_ y) (fun l => blk gs 0 a' (fun l' => core l l' * psi_ y l')) gs 0); [exact hp |].
rewrite map_map; apply (memV_map _ _ _ _ []); intros l _; simpl plus.
apply (mem_gdots (core l) (psi_ y) gs 0); [apply hc | exact hp].
Qed.

(* the checker *)
Definition jtriangular : bool :=
  forallb (fun i => (0 <? nth i (nth i (jroot q) []) 0)%Z &&
    forallb (fun j => (nth j (nth i (jroot q) []) 0 =? 0)%Z) (seq (S i) (p - S i))) (seq 0 p).
Definition jtotal_I (a rr y re : list (list I.type)) : I.type :=
  let alI := Q_ (jalpha q, jscale q) in
  Add (Add (Sub (Add (alog_det_I p a rr) (atrace_I p alI y re)) (Z_ (Z.of_nat p)))
        (Mul (Sub (Z_ (Z.of_nat n)) (Z_ (Z.of_nat p))) (psi_I prec alI)))
    (Mul (Div (Q_ (ratio_s P)) alI) (isum prec n (fun i => Q_ (nth i (jleft q) 0%Z, jscale q)))).
Fixpoint all_left (tab : list (list I.type)) (us : list (list I.type)) (vs : list I.type) : bool :=
  match us, vs with
  | [], _ => true
  | u :: us, v :: vs => le prec (Sub (Z_ 1) (one_I tab u)) v && all_left tab us vs
  | _, _ => false
  end.
(* what is left of a variance over the points is below the vs; the claim adds up those of the certificate *)
Definition check_left (vs : list I.type) (claim : Z * positive) : bool :=
  let tb := table_of prec P (jref q) (points P) in
  let w := read prec (jscale q) (jspace q) in
  let mt := read prec (jscale q) (jtime q) in
  let K := map (fun x => map (fun y => value prec P tb x y) (jref q)) (jref q) in
  let J := lags prec P in
  let a := on_diagonal prec 0 (Q_ (jalpha q, jscale q)) (big_I (times m w (times m w K)) (times n mt (times n mt J))) in
  let y := read prec (jscale q) (jinv q) in
  let rr := read prec (jscale q) (jroot q) in
  let ay := times p y a in
  let co := acore_I p y ay in
  let us := times n J mt in
  let fl := fl_I in
  jtriangular && (Zpos (jscale q) <=? jalpha q)%Z && le prec (Z_ 0) (Q_ (ratio_s P)) && kernels_I prec P &&
  le prec (jtotal_I a rr y (residual_I prec ay)) (Mul (Z_ 2) (Q_ claim)) &&
  forallb (fun y => all_left (table_I co (psi_I' tb w fl y)) us vs) (points P).

Definition lefts : list I.type := map (fun v => Q_ (v, jscale q)) (jleft q).
Definition check_joint : Z * positive -> bool := check_left lefts.
Let left_of i := valQ (nth i (jleft q) 0%Z, jscale q).
Lemma mem_lefts i : (i < length (jleft q))%nat -> mem (left_of i) (nth i lefts I.nai).
Proof.
intros hi; unfold lefts; rewrite (nth_indep _ I.nai (Q_ (0%Z, jscale q))) by (now rewrite map_length).
rewrite (map_nth (fun v => Q_ (v, jscale q))); apply mem_Q.
Qed.
Lemma memV_lefts : memV left_of lefts.
Proof.
intros i; destruct (Nat.lt_ge_cases i (length (jleft q))) as [hi|hi]; [now apply mem_lefts |].
rewrite nth_overflow by (unfold lefts; now rewrite map_length); apply mem_nai.
Qed.

Lemma all_left_nth tab us vs i : all_left tab us vs = true -> (i < length us)%nat ->
  le prec (Sub (Z_ 1) (one_I tab (nth i us []))) (nth i vs I.nai) = true.
Proof.
revert vs i; induction us as [|u us IH]; intros [|v vs] [|i] e hi; simpl in *; try lia; try easy.
- now apply andb_prop in e.
- apply IH; [now apply andb_prop in e | lia].
Qed.

(* what a yes means, for any way to bound what is left at the points *)
Theorem joint_parts vs most claim : memV most vs -> check_left vs claim = true ->
  0 <= s /\ kernel place k /\ kernel R h /\ 1 <= al /\
  (forall y0 i, In y0 (points P) -> (i < n)%nat -> k y0 y0 * h (t i) (t i) - inverse_form p A (feature y0 i) <= most i) /\
  ln (det p A) + trace_inverse p A - INR p + (INR n - INR p) * psi al + s / al * sum n left_of <= 2 * valQ claim.
Proof.
unfold check_left; intros hv e.
apply andb_prop in e; destruct e as [e all]; apply andb_prop in e; destruct e as [e tot];
apply andb_prop in e; destruct e as [e hk];
apply andb_prop in e; destruct e as [e s0]; apply andb_prop in e; destruct e as [tri al1].
apply (le_sound prec _ _ _ _ (mem_Z prec 0) (mem_Q prec (ratio_s P))) in s0.
destruct (kernels_sound prec P hk) as [pk ph].
assert (g := good_table prec P (jref q) (points P)); set (tb := table_of prec P (jref q) (points P)) in *.
set (w := read prec (jscale q) (jspace q)) in *; set (mt := read prec (jscale q) (jtime q)) in *.
set (a := on_diagonal _ _ _ _) in *; set (y := read prec (jscale q) (jinv q)) in *.
set (rr := read prec (jscale q) (jroot q)) in *; set (ay := times p y a) in *; set (co := acore_I p y ay) in *.
assert (hw : memM W w) by apply mem_read.
assert (hm : memM M mt) by apply mem_read.
assert (hy : memM Y y) by apply mem_read.
assert (hr : memM r rr) by apply mem_read.
assert (hal : mem al (Q_ (jalpha q, jscale q))) by apply mem_Q.
assert (hK : memM (fun i j => k (z i) (z j)) (map (fun x => map (fun y => value prec P tb x y) (jref q)) (jref q))).
{ apply (memM_map place _ _ _ []); intros i _; apply (memV_map place _ _ _ []); intros j _; now apply mem_value. }
assert (ha : memM A a).
{ intros i; apply (mem_diagonal prec al _ hal _ 0 H).
  exact (mem_big _ _ (mem_compress place k m z W w _ hw hK) (mem_compress R h n t M mt _ hm (mem_lags prec P))). }
assert (hay : memM (fun i j => sum p (fun l => A j l * Y i l)) ay).
{ intros i j; refine (mem_eq _ _ _ _ (mem_times prec p _ _ _ _ hy ha i j)); apply sum_ext; intros l _; ring. }
assert (hco : memM core co) by now apply amem_core.
assert (S0 : 0 < IZR (Zpos (jscale q))) by now apply IZR_lt.
assert (al1' : 1 <= al).
{ apply Z.leb_le, IZR_le in al1; unfold al, valQ; simpl; apply (Rmult_le_reg_r (IZR (Zpos (jscale q)))); trivial.
  unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
assert (pH : semidefinite p H).
{ apply (semidefinite_hadamard p (compress place k m z Ws) (compress R h n t Wt)); apply compress_semidefinite; trivial. }
assert (pA : semidefinite p A).
{ apply (semidefinite_ext p (fun i j => al * identity i j + H i j)); [easy |].
  apply (semidefinite_plus p (fun i j => al * identity i j) H); [| exact pH].
  apply (semidefinite_scal p al identity); [lra | apply semidefinite_identity]. }
assert (al0 : 0 < al) by lra.
assert (dA : 0 < det p A) by (apply det_shifted; trivial).
assert (hr0 : forall i, (i < p)%nat -> 0 < r i i).
{ intros i hi; unfold jtriangular in tri; rewrite forallb_forall in tri.
  specialize (tri i ltac:(apply in_seq; lia)); apply andb_prop in tri; destruct tri as [t0 _].
  apply Z.ltb_lt, IZR_lt in t0; apply Rdiv_lt_0_compat; trivial. }
assert (htri : forall i j, (i < j)%nat -> (j < p)%nat -> r i j = 0).
{ intros i j ij jp; unfold jtriangular in tri; rewrite forallb_forall in tri.
  specialize (tri i ltac:(apply in_seq; lia)); apply andb_prop in tri; destruct tri as [_ t1].
  rewrite forallb_forall in t1; specialize (t1 j ltac:(apply in_seq; lia)); apply Z.eqb_eq in t1.
  unfold r, entry; rewrite t1; unfold Rdiv; ring. }
assert (ld := log_det_upper p A r (aquad p A r) pA dA hr0 htri (fun i _ => Rle_refl _)).
assert (tr : trace_inverse p A <= sum p (fun i => Y i i + sum p (fun j => Y i j * aresidual p A Y i j) + sum p (fun j => aresidual p A Y i j * aresidual p A Y i j) / al)).
{ rewrite trace_forms; apply sum_le; intros i hi.
  destruct (inverse_form_bounds p al H (fun j => identity i j) (Y i) al0 pH) as [_ up].
  apply Rle_trans with (1 := up); right; unfold aresidual, A; f_equal; [f_equal |].
  - rewrite (sum_ext p _ (fun j => if Nat.eqb i j then Y i j else 0)) by (intros j _; unfold identity; destruct Nat.eqb; ring).
    now apply sum_pick.
  - f_equal; apply sum_ext; intros j _; ring. }
assert (left_ : forall y0 i, In y0 (points P) -> (i < n)%nat -> k y0 y0 * h (t i) (t i) -
  inverse_form p A (feature y0 i) <= most i).
{ intros y0 i iy hi.
  destruct (inverse_form_bounds p al H (feature y0 i) (fun j => sum p (fun e => feature y0 i e * Y e j)) al0 pH) as [lo _].
  fold A in lo; rewrite (form_identity p A Y (feature y0 i)) in lo.
  rewrite forallb_forall in all; specialize (all y0 iy).
  assert (lus : length (times n (lags prec P) mt) = n) by (unfold C_.M_.times, lags; now rewrite !map_length).
  apply (all_left_nth _ _ _ i) in all; [| now rewrite lus].
  assert (hu : memV (u_ i) (nth i (times n (lags prec P) mt) [])) by exact (mem_times prec n _ _ _ _ (mem_lags prec P) hm i).
  apply (le_sound prec _ _ _ _ (mem_sub prec _ _ _ _ (mem_Z prec 1) (mem_one co y0 _ i _ hco (mem_psi tb y0 g) hu)) (hv i)) in all.
  unfold k, h; rewrite space_one, time_one, Rmult_1_l.
  apply Rle_trans with (2 := all); apply Rplus_le_compat_l, Ropp_le_contravar; exact lo. }
assert (tt : mem (sum p (fun i => ln (aquad p A r i) - 2 * ln (r i i)) +
  sum p (fun i => Y i i + sum p (fun j => Y i j * aresidual p A Y i j) + sum p (fun j => aresidual p A Y i j * aresidual p A Y i j) / al) - INR p +
  (INR n - INR p) * psi al + s / al * sum n (fun i => valQ (nth i (jleft q) 0%Z, jscale q))) (jtotal_I a rr y (residual_I prec ay))).
{ apply mem_add; [apply mem_add; [apply mem_sub; [apply mem_add |] |] |].
  - now apply amem_log_det.
  - apply amem_trace; [trivial | trivial | now apply amem_residual].
  - apply mem_nat.
  - apply mem_mul; [apply mem_sub; apply mem_nat |].
    unfold psi; apply mem_sub; [apply mem_add; [now apply mem_ln | now apply mem_inv] | apply (mem_Z prec 1)].
  - apply mem_mul; [apply mem_div; [apply mem_Q | trivial] |].
    apply mem_isum; intros i; apply mem_Q. }
apply (le_sound prec _ _ _ _ tt (mem_mul prec _ _ _ _ (mem_Z prec 2) (mem_Q prec claim))) in tot.
split; [exact s0 |]; split; [exact pk |]; split; [exact ph |]; split; [exact al1' |]; split; [exact left_ |].
unfold left_of; lra.
Qed.

Theorem joint_sound claim : check_joint claim = true ->
  forall x : nat -> place, (forall i, (i < n)%nat -> In (x i) (points P)) -> gain s n (joint place k h x t) <= valQ claim.
Proof.
intros e x inside; destruct (joint_parts _ _ claim memV_lefts e) as [s0 [pk [ph [al1 [left_ tot]]]]].
assert (cert : 2 * gain s n (joint place k h x t) <=
  ln (det p A) + trace_inverse p A - INR p + (INR n - INR p) * psi al + s / al * sum n left_of)
  by exact (joint_dual place k h s n x t m z n t p Ws Wt al _ s0 pk ph al1 (fun i hi => left_ (x i) i (inside i hi) hi)).
lra.
Qed.
End Certificate.
End Joint.
End Joint.
