(******************************************************************************)
(*                  Values of trees with lists and matrices                   *)
(*                                                                            *)
(* The way from a theorem about functions to the tree of its claim, and from  *)
(* a point to the refutation of one, rule by rule. A list is written vec n f, *)
(* a matrix mat n w f, with a function f of places from 0. Nothing here has   *)
(* to be believed.                                                            *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   ev env e v == the tree e has the value v                                 *)
(*   lst n f, vec n f, mat n w f == a list of values, of numbers, a matrix    *)
(*   rows n w f == the rows of a matrix                                       *)
(*   largest n f, smallest n f == those of f 0, ..., f (n-1)                  *)
(*   past j b == b, or b + 1 from j on                                        *)
(*   positive n A == definitions.semidefinite, word by word                   *)
(*                                                                            *)
(* Statements:                                                                *)
(*   first_row == a determinant by the minors of its first row                *)
(*   walked == tactic: a claim as its formula in real numbers, and what the   *)
(*       formula owes beside it                                               *)
(*   at_number, at_integer, at_list, at_matrix, denied == tactics: a claim is *)
(*       false at a given point                                               *)
(*   nothing == tactic: a formula without parameters has no value             *)
(*                                                                            *)
(* Rests on: scalar, meaning, saying.                                         *)
(******************************************************************************)

From Coq Require Import Reals List ZArith String Lra Lia.
From CTV Require Import scalar meaning saying.
Import ListNotations.
Open Scope R_scope.

Definition ev (env : list (option val)) (e : expr) (v : val) : Prop := eval env e = Some v.
Definition lst (n : nat) (f : nat -> val) : val := Many (map f (seq 0 n)).
Definition vec (n : nat) (f : nat -> R) : val := lst n (fun k => Number (f k)).
Definition mat (n w : nat) (f : nat -> nat -> R) : val := lst n (fun i => vec w (f i)).

(* ---- Lists as functions. ---- *)
Lemma list_is {A} (d : A) l : l = map (fun k => nth k l d) (seq 0 (List.length l)).
Proof.
apply nth_ext with (d := d) (d' := d); [now rewrite map_length, seq_length|].
intros k K. rewrite nth_indep with (d' := (fun j => nth j l d) 0%nat) at 1 by exact K.
rewrite (nth_indep (map _ _) d ((fun j => nth j l d) 0%nat)) by now rewrite map_length, seq_length.
rewrite (map_nth (fun j => nth j l d)), seq_nth by exact K. now apply nth_indep.
Qed.
Lemma nth_map {A} (d : A) (f : nat -> A) n k : (k < n)%nat -> nth k (map f (seq 0 n)) d = f k.
Proof.
intros K. rewrite nth_indep with (d' := f 0%nat) by now rewrite map_length, seq_length.
now rewrite map_nth, seq_nth by exact K.
Qed.
Lemma error_map {A} (f : nat -> A) n k : (k < n)%nat -> nth_error (map f (seq 0 n)) k = Some (f k).
Proof. intros K. rewrite nth_error_nth' with (d := f 0%nat); [|now rewrite map_length, seq_length]. now rewrite nth_map. Qed.
Lemma map_same {A} (f g : nat -> A) n : (forall k, (k < n)%nat -> f k = g k) -> map f (seq 0 n) = map g (seq 0 n).
Proof. intros H. apply map_ext_in. intros k K. apply in_seq in K. apply H. lia. Qed.
Lemma sum_ext n f g : (forall k, (k < n)%nat -> f k = g k) -> sum n f = sum n g.
Proof. induction n as [|n IH]; intros H; [reflexivity|]. simpl. rewrite IH, H; auto. Qed.

Lemma of_row_is l : of_row l = vec (List.length l) (fun k => nth k l 0).
Proof. unfold of_row, vec, lst. now rewrite (list_is 0 l) at 1; rewrite map_map. Qed.
Lemma shaped_at n w m k : shaped n w m = true -> (k < n)%nat -> List.length (nth k m []) = w.
Proof.
unfold shaped. intros S K. apply andb_prop in S as [L S]. apply Nat.eqb_eq in L.
apply Nat.eqb_eq. rewrite forallb_forall in S. apply (S (nth k m [])), nth_In. lia.
Qed.
Lemma of_matrix_is n w m : shaped n w m = true -> of_matrix m = mat n w (entry m).
Proof.
intros S. unfold of_matrix, mat, lst. f_equal. rewrite (list_is [] m) at 1. rewrite map_map.
assert (L : List.length m = n) by (unfold shaped in S; apply andb_prop in S as [L _]; now apply Nat.eqb_eq). rewrite L.
apply map_same. intros k K. rewrite of_row_is. now rewrite (shaped_at _ _ _ _ S K).
Qed.
Lemma table_is n w f : table n w f = mat n w f.
Proof. unfold table, of_matrix, mat, lst. rewrite map_map. f_equal. apply map_same. intros k K. unfold of_row, vec, lst. now rewrite map_map. Qed.
Lemma mat_same n w f g : (forall i j, (i < n)%nat -> (j < w)%nat -> f i j = g i j) -> mat n w f = mat n w g.
Proof. intros H. unfold mat, lst. f_equal. apply map_same. intros i I. unfold vec, lst. f_equal. apply map_same. intros j J. now rewrite H. Qed.

Lemma every_map {A B C} (f : B -> option C) (g : A -> B) (h : A -> C) l :
  (forall x, In x l -> f (g x) = Some (h x)) -> every f (map g l) = Some (map h l).
Proof.
induction l as [|x l IH]; intros H; [reflexivity|]. simpl. rewrite H by now left. simpl. rewrite IH; [reflexivity|].
intros y Y. apply H. now right.
Qed.
Lemma row_vec n f : row (Some (vec n f)) = Some (map f (seq 0 n)).
Proof. unfold row, vec, lst. simpl. now apply every_map. Qed.
Lemma matrix_mat n w f : matrix (Some (mat n w f)) = Some (map (fun i => map (f i) (seq 0 w)) (seq 0 n)).
Proof. unfold matrix, mat, lst. cbn [items bind]. apply every_map. intros i _. apply row_vec. Qed.
Definition rows (n w : nat) (f : nat -> nat -> R) := map (fun i => map (f i) (seq 0 w)) (seq 0 n).
Lemma entry_rows n w f i j : (i < n)%nat -> (j < w)%nat -> entry (rows n w f) i j = f i j.
Proof. intros I J. unfold entry, rows. rewrite nth_map by exact I. now rewrite nth_map. Qed.
Lemma height_rows n w f : height (rows n w f) = n.
Proof. unfold height, rows. now rewrite map_length, seq_length. Qed.
Lemma shaped_rows n w f : shaped n w (rows n w f) = true.
Proof.
unfold shaped. fold (height (rows n w f)). rewrite height_rows, Nat.eqb_refl. apply forallb_forall. intros r K.
unfold rows in K. apply in_map_iff in K as (i & <- & _). rewrite map_length, seq_length. apply Nat.eqb_refl.
Qed.
Lemma width_rows n w f : (0 < n)%nat -> width (rows n w f) = w.
Proof. destruct n; [lia|]. intros _. unfold width, rows. simpl. now rewrite map_length, seq_length. Qed.
Lemma rectangle_rows n w f : rectangle (rows n w f) = true.
Proof.
unfold rectangle. rewrite height_rows. destruct n as [|n]; [reflexivity|]. rewrite width_rows by lia. apply shaped_rows.
Qed.
Lemma square_rows n f : square (rows n n f) = true.
Proof.
unfold square. apply forallb_forall. intros r K. unfold rows in *. apply in_map_iff in K as (i & <- & _).
rewrite !map_length, !seq_length. apply Nat.eqb_refl.
Qed.
Lemma count_INR n : count (INR n) = Some n.
Proof.
unfold count, only. rewrite INR_IZR_INZ. unfold is_whole.
destruct (Req_EM_T (IZR (Int_part (IZR (Z.of_nat n)))) (IZR (Z.of_nat n))) as [_|N]; [|destruct N; now rewrite Int_part_IZR].
destruct (Rle_dec 0 (IZR (Z.of_nat n))) as [_|N]; [|destruct N; rewrite <- INR_IZR_INZ; apply pos_INR].
now rewrite Int_part_IZR, Nat2Z.id.
Qed.
Lemma mat_empty w u f g : mat 0 w f = mat 0 u g.
Proof. reflexivity. Qed.

(* ---- Values of numbers. ---- *)
Lemma ev_num env k : ev env (Num k) (Number (IZR k)).
Proof. reflexivity. Qed.
Lemma ev_pi env : ev env Pi (Number PI).
Proof. reflexivity. Qed.
Lemma ev_var env p v : nth p env None = Some v -> ev env (Var p) v.
Proof. intros H. exact H. Qed.
Lemma ev_un env f a x y : ev env a (Number x) -> un f x = Some y -> ev env (Un f a) (Number y).
Proof. unfold ev. intros H K. simpl. rewrite H. simpl. now rewrite K. Qed.
Lemma ev_neg env a x : ev env a (Number x) -> ev env (Un Neg a) (Number (- x)).
Proof. intros H. now apply (ev_un _ _ _ _ _ H). Qed.
Lemma ev_abs env a x : ev env a (Number x) -> ev env (Un Abs a) (Number (Rabs x)).
Proof. intros H. now apply (ev_un _ _ _ _ _ H). Qed.
Lemma ev_exp env a x : ev env a (Number x) -> ev env (Un Exp a) (Number (exp x)).
Proof. intros H. now apply (ev_un _ _ _ _ _ H). Qed.
Lemma ev_sin env a x : ev env a (Number x) -> ev env (Un Sin a) (Number (sin x)).
Proof. intros H. now apply (ev_un _ _ _ _ _ H). Qed.
Lemma ev_erf env a x : ev env a (Number x) -> ev env (Un Erf a) (Number (erf x)).
Proof. intros H. now apply (ev_un _ _ _ _ _ H). Qed.
Lemma ev_normal env a x : ev env a (Number x) -> ev env (Un Normal_cdf a) (Number (normal_cdf x)).
Proof. intros H. now apply (ev_un _ _ _ _ _ H). Qed.
Lemma ev_floor env a x : ev env a (Number x) -> ev env (Un Floor a) (Number (IZR (Int_part x))).
Proof. intros H. now apply (ev_un _ _ _ _ _ H). Qed.
Lemma ev_ceil env a x : ev env a (Number x) -> ev env (Un Ceil a) (Number (- IZR (Int_part (- x)))).
Proof. intros H. now apply (ev_un _ _ _ _ _ H). Qed.
Lemma ev_log env a x : ev env a (Number x) -> 0 < x -> ev env (Un Log a) (Number (ln x)).
Proof. intros H K. apply (ev_un _ _ _ _ _ H). simpl. unfold only. destruct (Rlt_dec 0 x); [reflexivity|contradiction]. Qed.
Lemma ev_sqrt env a x : ev env a (Number x) -> 0 <= x -> ev env (Un Sqrt a) (Number (sqrt x)).
Proof. intros H K. apply (ev_un _ _ _ _ _ H). simpl. unfold only. destruct (Rle_dec 0 x); [reflexivity|contradiction]. Qed.
Lemma ev_bin env f a b x y z : ev env a (Number x) -> ev env b (Number y) -> bin f x y = Some z -> ev env (Bin f a b) (Number z).
Proof. unfold ev. intros H K L. simpl. rewrite H. simpl. rewrite K. simpl. now rewrite L. Qed.
Lemma ev_add env a b x y : ev env a (Number x) -> ev env b (Number y) -> ev env (Bin Add a b) (Number (x + y)).
Proof. intros H K. now apply (ev_bin _ _ _ _ _ _ _ H K). Qed.
Lemma ev_sub env a b x y : ev env a (Number x) -> ev env b (Number y) -> ev env (Bin Sub a b) (Number (x - y)).
Proof. intros H K. now apply (ev_bin _ _ _ _ _ _ _ H K). Qed.
Lemma ev_mul env a b x y : ev env a (Number x) -> ev env b (Number y) -> ev env (Bin Mul a b) (Number (x * y)).
Proof. intros H K. now apply (ev_bin _ _ _ _ _ _ _ H K). Qed.
Lemma ev_min env a b x y : ev env a (Number x) -> ev env b (Number y) -> ev env (Bin Min a b) (Number (Rmin x y)).
Proof. intros H K. now apply (ev_bin _ _ _ _ _ _ _ H K). Qed.
Lemma ev_max env a b x y : ev env a (Number x) -> ev env b (Number y) -> ev env (Bin Max a b) (Number (Rmax x y)).
Proof. intros H K. now apply (ev_bin _ _ _ _ _ _ _ H K). Qed.
Lemma ev_div env a b x y : ev env a (Number x) -> ev env b (Number y) -> y <> 0 -> ev env (Bin Div a b) (Number (x / y)).
Proof. intros H K N. apply (ev_bin _ _ _ _ _ _ _ H K). simpl. unfold except. destruct (Req_EM_T y 0); [contradiction|reflexivity]. Qed.
Lemma ev_natural env a b x y k : ev env a (Number x) -> ev env b (Number y) -> INR k = y -> ev env (Bin Pow a b) (Number (x ^ k)).
Proof.
intros H K <-. apply (ev_bin _ _ _ _ _ _ _ H K). rewrite INR_IZR_INZ, pow_lit.
destruct (Z.leb_spec 0 (Z.of_nat k)); [|lia]. now rewrite Nat2Z.id.
Qed.
Lemma ev_pow env a b x y : ev env a (Number x) -> ev env b (Number y) ->
  0 < x \/ x = 0 /\ 0 < y \/ whole y /\ (0 <= y \/ x <> 0) -> ev env (Bin Pow a b) (Number (power x y)).
Proof.
intros H K L. apply (ev_bin _ _ _ _ _ _ _ H K). apply (raised_denotes (Term x) (Term y)). simpl. auto.
Qed.
Lemma ev_if env s a b yes no x y v w : ev env a (Number x) -> ev env b (Number y) ->
  (compares s x y -> ev env yes v) -> (~ compares s x y -> ev env no w) -> ev env (If s a b yes no) (if decide s x y then v else w).
Proof. unfold ev. intros H K L M. simpl. rewrite H. simpl. rewrite K. simpl. destruct (decide s x y); auto. Qed.
Lemma ev_choice env s a b yes no x y v w : ev env a (Number x) -> ev env b (Number y) ->
  (compares s x y -> ev env yes (Number v)) -> (~ compares s x y -> ev env no (Number w)) ->
  ev env (If s a b yes no) (Number (if decide s x y then v else w)).
Proof. unfold ev. intros H K L M. simpl. rewrite H. simpl. rewrite K. simpl. destruct (decide s x y); auto. Qed.

(* ---- Ranges: from the natural number i to below j. ---- *)
Lemma whole_INR_only {A} n (v : option A) : only (is_whole (INR n)) v = v.
Proof. unfold only. destruct (is_whole (INR n)) as [_|N]; [reflexivity|]. destruct N. now rewrite INR_IZR_INZ, Int_part_IZR. Qed.
Lemma part_INR n : Int_part (INR n) = Z.of_nat n.
Proof. now rewrite INR_IZR_INZ, Int_part_IZR. Qed.
Lemma steps i j : Z.to_nat (Z.of_nat j - Z.of_nat i) = (j - i)%nat.
Proof. lia. Qed.
Lemma total_is (f : Z -> option R) (g : nat -> R) i n :
  (forall k, (k < n)%nat -> f (Z.of_nat i + Z.of_nat k)%Z = Some (g k)) -> meaning.total f (Z.of_nat i) n = Some (sum n g).
Proof. induction n as [|n IH]; intros H; [reflexivity|]. simpl. rewrite IH by (intros; apply H; lia). simpl. rewrite H by lia. reflexivity. Qed.
Lemma ev_sum env a b body x y i j f : ev env a (Number x) -> ev env b (Number y) -> INR i = x -> INR j = y ->
  (forall k, (k < j - i)%nat -> ev (env ++ [Some (Number (INR (i + k)))]) body (Number (f k))) ->
  ev env (Sum a b body) (Number (sum (j - i) f)).
Proof.
unfold ev. intros H K <- <- L. simpl. rewrite H. simpl. rewrite K. simpl. rewrite !whole_INR_only, !part_INR, steps.
rewrite (total_is _ f); [reflexivity|]. intros k B. rewrite <- Nat2Z.inj_add, <- INR_IZR_INZ, L by exact B. reflexivity.
Qed.
Lemma ev_each env a b body x y i j f : ev env a (Number x) -> ev env b (Number y) -> INR i = x -> INR j = y ->
  (forall k, (k < j - i)%nat -> ev (env ++ [Some (Number (INR (i + k)))]) body (f k)) -> ev env (Each a b body) (lst (j - i) f).
Proof.
unfold ev. intros H K <- <- L. simpl. rewrite H. simpl. rewrite K. simpl. rewrite !whole_INR_only, !part_INR, steps.
rewrite <- (map_id (seq 0 (j - i))) at 1. rewrite (every_map _ _ f); [reflexivity|].
intros k B. apply in_seq in B. rewrite <- Nat2Z.inj_add, <- INR_IZR_INZ. apply L. lia.
Qed.
Lemma ev_sum_0 env b body y j f : ev env b (Number y) -> INR j = y ->
  (forall k, (k < j)%nat -> ev (env ++ [Some (Number (INR k))]) body (Number (f k))) -> ev env (Sum (Num 0) b body) (Number (sum j f)).
Proof.
intros K E L. rewrite <- (Nat.sub_0_r j) at 1. apply (ev_sum _ _ _ _ 0 y); [apply ev_num|exact K|reflexivity|exact E|].
intros k B. apply L. lia.
Qed.
Lemma ev_each_0 env b body y j f : ev env b (Number y) -> INR j = y ->
  (forall k, (k < j)%nat -> ev (env ++ [Some (Number (INR k))]) body (f k)) -> ev env (Each (Num 0) b body) (lst j f).
Proof.
intros K E L. rewrite <- (Nat.sub_0_r j) at 1. apply (ev_each _ _ _ _ 0 y); [apply ev_num|exact K|reflexivity|exact E|].
intros k B. apply L. lia.
Qed.

(* ---- Lists and matrices. ---- *)
Lemma ev_nil env : ev env Nil (Many []).
Proof. reflexivity. Qed.
Lemma ev_cons env a b v l : ev env a v -> ev env b (Many l) -> ev env (Cons a b) (Many (v :: l)).
Proof. unfold ev. intros H K. simpl. rewrite H. simpl. now rewrite K. Qed.
Lemma ev_item env a b n f x k v : ev env a (lst n f) -> ev env b (Number x) -> INR k = x -> (k < n)%nat -> v = f k -> ev env (Two Item a b) v.
Proof. unfold ev. intros H K <- L ->. simpl. rewrite H, K. simpl. rewrite count_INR. simpl. now apply error_map. Qed.
Lemma ev_item_of env a b l x k v : ev env a (Many l) -> ev env b (Number x) -> INR k = x -> nth_error l k = Some v -> ev env (Two Item a b) v.
Proof. unfold ev. intros H K <- L. simpl. rewrite H, K. simpl. now rewrite count_INR. Qed.
Lemma ev_len env a l : ev env a (Many l) -> ev env (One Len a) (Number (INR (List.length l))).
Proof. unfold ev. intros H. simpl. now rewrite H. Qed.
Lemma ev_len_of env a n f : ev env a (lst n f) -> ev env (One Len a) (Number (INR n)).
Proof. unfold ev. intros H. simpl. rewrite H. simpl. now rewrite map_length, seq_length. Qed.
Lemma ev_written env a l m : ev env a (Many l) -> l = map Number m -> ev env a (vec (List.length m) (fun k => nth k m 0)).
Proof. intros H ->. rewrite <- of_row_is. exact H. Qed.
Lemma ev_rows env a l m : ev env a (Many l) -> l = map of_row m -> rectangle m = true -> ev env a (mat (height m) (width m) (entry m)).
Proof. intros H -> S. rewrite <- of_matrix_is by exact S. exact H. Qed.
Lemma ev_total env a n f : ev env a (vec n f) -> ev env (One Total a) (Number (sum n f)).
Proof.
unfold ev. intros H. simpl. rewrite H, row_vec. simpl. rewrite map_length, seq_length. do 2 f_equal.
apply sum_ext. intros k K. now apply nth_map.
Qed.
Lemma ev_product env a n f : ev env a (vec n f) -> ev env (One Product a) (Number (fold_right Rmult 1 (map f (seq 0 n)))).
Proof. unfold ev. intros H. simpl. rewrite H, row_vec. reflexivity. Qed.
Definition largest (n : nat) (f : nat -> R) : R := fold_left Rmax (map f (seq 1 (n - 1))) (f 0%nat).
Definition smallest (n : nat) (f : nat -> R) : R := fold_left Rmin (map f (seq 1 (n - 1))) (f 0%nat).
Lemma ev_largest env a n f : ev env a (vec n f) -> (0 < n)%nat -> ev env (One Greatest a) (Number (largest n f)).
Proof. unfold ev. intros H K. simpl. rewrite H, row_vec. destruct n; [lia|]. simpl. unfold largest. simpl. now rewrite Nat.sub_0_r. Qed.
Lemma ev_smallest env a n f : ev env a (vec n f) -> (0 < n)%nat -> ev env (One Least a) (Number (smallest n f)).
Proof. unfold ev. intros H K. simpl. rewrite H, row_vec. destruct n; [lia|]. simpl. unfold smallest. simpl. now rewrite Nat.sub_0_r. Qed.
Lemma largest_S n f : (0 < n)%nat -> largest (S n) f = Rmax (largest n f) (f n).
Proof.
intros H. unfold largest. replace (S n - 1)%nat with (S (n - 1)) by lia. rewrite seq_S, map_app, fold_left_app. simpl. repeat f_equal; lia.
Qed.
Lemma smallest_S n f : (0 < n)%nat -> smallest (S n) f = Rmin (smallest n f) (f n).
Proof.
intros H. unfold smallest. replace (S n - 1)%nat with (S (n - 1)) by lia. rewrite seq_S, map_app, fold_left_app. simpl. repeat f_equal; lia.
Qed.
Lemma largest_1 f : largest 1 f = f 0%nat.
Proof. reflexivity. Qed.
Lemma smallest_1 f : smallest 1 f = f 0%nat.
Proof. reflexivity. Qed.
Lemma largest_above n f k : (k < n)%nat -> f k <= largest n f.
Proof.
destruct n as [|n]; [lia|]. induction n as [|n IH]; intros K.
- replace k with 0%nat by lia. rewrite largest_1. lra.
- rewrite largest_S by lia. destruct (Nat.eq_dec k (S n)) as [->|N]; [apply Rmax_r|]. eapply Rle_trans; [apply IH; lia|apply Rmax_l].
Qed.
Lemma largest_reached n f : (0 < n)%nat -> exists k, (k < n)%nat /\ largest n f = f k.
Proof.
destruct n as [|n]; [lia|]. intros _. induction n as [|n (k & K & E)].
- exists 0%nat. split; [lia|reflexivity].
- rewrite largest_S by lia. unfold Rmax. destruct (Rle_dec _ _); [exists (S n)|exists k]; split; try lia; auto.
Qed.
Lemma smallest_below n f k : (k < n)%nat -> smallest n f <= f k.
Proof.
destruct n as [|n]; [lia|]. induction n as [|n IH]; intros K.
- replace k with 0%nat by lia. rewrite smallest_1. lra.
- rewrite smallest_S by lia. destruct (Nat.eq_dec k (S n)) as [->|N]; [apply Rmin_r|]. eapply Rle_trans; [apply Rmin_l|apply IH; lia].
Qed.
Lemma smallest_reached n f : (0 < n)%nat -> exists k, (k < n)%nat /\ smallest n f = f k.
Proof.
destruct n as [|n]; [lia|]. intros _. induction n as [|n (k & K & E)].
- exists 0%nat. split; [lia|reflexivity].
- rewrite smallest_S by lia. unfold Rmin. destruct (Rle_dec _ _); [exists k|exists (S n)]; split; try lia; auto.
Qed.
Lemma ev_identity env a x n : ev env a (Number x) -> INR n = x -> ev env (One Identity a) (mat n n (fun i j => if Nat.eqb i j then 1 else 0)).
Proof. unfold ev. intros H <-. simpl. rewrite H. simpl. rewrite count_INR. simpl. now rewrite table_is. Qed.
Lemma ev_ones env a x n : ev env a (Number x) -> INR n = x -> ev env (One Ones a) (mat n n (fun _ _ => 1)).
Proof. unfold ev. intros H <-. simpl. rewrite H. simpl. rewrite count_INR. simpl. now rewrite table_is. Qed.
Lemma ev_diagonal env a n f : ev env a (vec n f) -> ev env (One Diagonal a) (mat n n (fun i j => if Nat.eqb i j then f i else 0)).
Proof.
unfold ev. intros H. simpl. rewrite H, row_vec. simpl. rewrite map_length, seq_length, table_is. f_equal.
apply mat_same. intros i j I J. now rewrite nth_map.
Qed.
Lemma ev_trace env a n f : ev env a (mat n n f) -> ev env (One Trace a) (Number (sum n (fun i => f i i))).
Proof.
unfold ev. intros H. simpl. rewrite H, matrix_mat. simpl. fold (rows n n f). rewrite square_rows, height_rows. simpl.
do 2 f_equal. apply sum_ext. intros i I. now apply entry_rows.
Qed.
Lemma ev_transpose env a n w f : ev env a (mat n w f) -> (0 < n)%nat -> ev env (One Transpose a) (mat w n (fun i j => f j i)).
Proof.
unfold ev. intros H N. simpl. rewrite H, matrix_mat. simpl. fold (rows n w f).
rewrite rectangle_rows, height_rows, width_rows, table_is by exact N. simpl. f_equal. apply mat_same. intros i j I J. now apply entry_rows.
Qed.
Lemma ev_alike g env f a b n w p q : f = Hadamard /\ g = Rmult \/ f = Plus /\ g = Rplus ->
  ev env a (mat n w p) -> ev env b (mat n w q) -> ev env (Two f a b) (mat n w (fun i j => g (p i j) (q i j))).
Proof.
unfold ev. intros F H K.
assert (E : alike g (eval env a) (eval env b) = Some (mat n w (fun i j => g (p i j) (q i j)))).
{ unfold alike. rewrite H, K, !matrix_mat. simpl. fold (rows n w p) (rows n w q). rewrite rectangle_rows, height_rows.
  destruct n as [|n]; [reflexivity|]. rewrite width_rows, shaped_rows, table_is by lia. simpl. f_equal. apply mat_same.
  intros i j I J. now rewrite !entry_rows. }
destruct F as [[-> ->]|[-> ->]]; exact E.
Qed.
Lemma ev_hadamard env a b n w p q : ev env a (mat n w p) -> ev env b (mat n w q) -> ev env (Two Hadamard a b) (mat n w (fun i j => p i j * q i j)).
Proof. apply (ev_alike Rmult). tauto. Qed.
Lemma ev_plus env a b n w p q : ev env a (mat n w p) -> ev env b (mat n w q) -> ev env (Two Plus a b) (mat n w (fun i j => p i j + q i j)).
Proof. apply (ev_alike Rplus). tauto. Qed.
Lemma ev_scale env a b c n w f : ev env a (Number c) -> ev env b (mat n w f) -> ev env (Two Scale a b) (mat n w (fun i j => c * f i j)).
Proof.
unfold ev. intros H K. simpl. rewrite H, K, matrix_mat. simpl. fold (rows n w f). rewrite rectangle_rows, height_rows.
destruct n as [|n]; [reflexivity|]. rewrite width_rows, table_is by lia. simpl. f_equal. apply mat_same. intros i j I J. now rewrite entry_rows.
Qed.
Lemma ev_outer env a b n w f g : ev env a (vec n f) -> ev env b (vec w g) -> ev env (Two Outer a b) (mat n w (fun i j => f i * g j)).
Proof.
unfold ev. intros H K. simpl. rewrite H, K, !row_vec. simpl. rewrite !map_length, !seq_length, table_is. f_equal.
apply mat_same. intros i j I J. now rewrite !nth_map.
Qed.
Lemma ev_matmul env a b n u w p q : ev env a (mat n u p) -> ev env b (mat u w q) -> (0 < u)%nat ->
  ev env (Two Matmul a b) (mat n w (fun i j => sum u (fun k => p i k * q k j))).
Proof.
unfold ev. intros H K U. simpl. rewrite H, K, !matrix_mat. simpl. fold (rows n u p) (rows u w q).
rewrite rectangle_rows, !height_rows, shaped_rows, width_rows, table_is by exact U. simpl. f_equal. apply mat_same.
intros i j I J. apply sum_ext. intros k B. now rewrite !entry_rows.
Qed.
Lemma ev_block env a b c n f x y i j : ev env a (mat n n f) -> ev env b (Number x) -> ev env c (Number y) -> INR i = x -> INR j = y ->
  (i <= j)%nat -> (j <= n)%nat -> ev env (Block a b c) (mat (j - i) (j - i) (fun k l => f (i + k)%nat (i + l)%nat)).
Proof.
unfold ev. intros H K L <- <- I J. simpl. rewrite H, K, L. unfold block. rewrite matrix_mat. simpl. rewrite !count_INR. simpl.
fold (rows n n f). rewrite square_rows, height_rows. apply Nat.leb_le in I as I', J as J'. rewrite I', J', table_is. simpl. f_equal.
apply mat_same. intros k l B C. apply entry_rows; lia.
Qed.
Lemma ev_block_0 env a c n f y j : ev env a (mat n n f) -> ev env c (Number y) -> INR j = y -> (j <= n)%nat ->
  ev env (Block a (Num 0) c) (mat j j f).
Proof.
intros H L E J. pose proof (ev_block _ _ _ _ _ _ 0 y 0 j H (ev_num env 0) L eq_refl E (Nat.le_0_l j) J) as B.
rewrite Nat.sub_0_r in B. exact B.
Qed.
Lemma ev_det env a n f : ev env a (mat n n f) -> ev env (One Det a) (Number (laplace 0 1 (-1) Rplus Rmult n (rows n n f))).
Proof. unfold ev. intros H. simpl. rewrite H, matrix_mat. simpl. fold (rows n n f). now rewrite square_rows, height_rows. Qed.
(* ---- A determinant by the minors of its first row. ---- *)
Definition past (j b : nat) : nat := if Nat.leb j b then S b else b.
Lemma nth_firstn {A} (d : A) j l b : (b < j)%nat -> nth b (firstn j l) d = nth b l d.
Proof. revert j b. induction l as [|x l IH]; intros [|j] [|b] H; try lia; try reflexivity. apply IH. lia. Qed.
Lemma nth_skipn {A} (d : A) j l b : nth b (skipn j l) d = nth (j + b) l d.
Proof. revert l. induction j as [|j IH]; intros [|x l]; simpl; try reflexivity; [now destruct b|apply IH]. Qed.
Lemma minor_row (h : nat -> R) n j : (j <= n)%nat ->
  firstn j (map h (seq 0 (S n))) ++ skipn (S j) (map h (seq 0 (S n))) = map (fun b => h (past j b)) (seq 0 n).
Proof.
intros J. set (l := map h (seq 0 (S n))).
assert (L : List.length l = S n) by (unfold l; now rewrite map_length, seq_length).
apply (nth_ext _ _ 0 0); rewrite app_length, firstn_length, skipn_length, L; [rewrite map_length, seq_length; lia|].
intros b B. rewrite nth_map by lia. assert (F : List.length (firstn j l) = j) by (rewrite firstn_length; lia).
unfold past. destruct (Nat.leb_spec j b) as [K|K].
- rewrite app_nth2, F, nth_skipn by lia. unfold l. rewrite nth_map by lia. f_equal. lia.
- rewrite app_nth1, nth_firstn by lia. unfold l. now rewrite nth_map by lia.
Qed.
Lemma folded (M sg : nat -> R) (l : list R) k s :
  snd (fold_left (fun '(k, t) head => (S k, t + head * M k * sg k)) l (k, s)) =
  s + sum (List.length l) (fun j => nth j l 0 * M (k + j)%nat * sg (k + j)%nat).
Proof.
revert k s. induction l as [|x l IH]; intros k s; [simpl; lra|]. cbn [fold_left List.length]. rewrite IH.
assert (E : forall n f, sum (S n) f = f 0%nat + sum n (fun j => f (S j))).
{ intros n f. induction n as [|n I]; [simpl; lra|]. change (sum (S (S n)) f) with (sum (S n) f + f (S n)). rewrite I. simpl. lra. }
rewrite E. rewrite Nat.add_0_r. rewrite (sum_ext _ (fun j => nth j l 0 * M (S k + j)%nat * sg (S k + j)%nat)
  (fun j => nth (S j) (x :: l) 0 * M (k + S j)%nat * sg (k + S j)%nat)); [simpl; lra|].
intros j _. now rewrite Nat.add_succ_comm.
Qed.
Lemma first_row n f : laplace 0 1 (-1) Rplus Rmult (S n) (rows (S n) (S n) f) =
  sum (S n) (fun j => f 0%nat j * laplace 0 1 (-1) Rplus Rmult n (rows n n (fun a b => f (S a) (past j b))) * (if Nat.even j then 1 else -1)).
Proof.
set (rest := map (fun i => map (f i) (seq 0 (S n))) (seq 1 n)).
change (rows (S n) (S n) f) with (map (f 0%nat) (seq 0 (S n)) :: rest).
change (laplace 0 1 (-1) Rplus Rmult (S n) (map (f 0%nat) (seq 0 (S n)) :: rest)) with
  (snd (fold_left (fun '(k, t) head => (S k, t + head * (laplace 0 1 (-1) Rplus Rmult n (map (fun r => firstn k r ++ skipn (S k) r) rest)) *
    (if Nat.even k then 1 else -1))) (map (f 0%nat) (seq 0 (S n))) (0%nat, 0))).
rewrite (folded (fun k => laplace 0 1 (-1) Rplus Rmult n (map (fun r => firstn k r ++ skipn (S k) r) rest)) (fun k => if Nat.even k then 1 else -1)).
rewrite map_length, seq_length, Rplus_0_l. apply sum_ext. intros j J. rewrite nth_map, Nat.add_0_l by exact J. do 3 f_equal.
unfold rest, rows. rewrite <- seq_shift, !map_map. apply map_ext. intros a. apply minor_row. lia.
Qed.

(* ---- Claims. ---- *)
Definition low_end (env : list (option val)) (b : bound) (p : R -> Prop) : Prop := forall x,
  match b with Free => True | Closed e => related Ge (Some (Number x)) (eval env e) | Open e => related Gt (Some (Number x)) (eval env e) end <-> p x.
Definition high_end (env : list (option val)) (b : bound) (p : R -> Prop) : Prop := forall x,
  match b with Free => True | Closed e => related Le (Some (Number x)) (eval env e) | Open e => related Lt (Some (Number x)) (eval env e) end <-> p x.
Lemma compared env s a b x y : ev env a (Number x) -> ev env b (Number y) -> related s (eval env a) (eval env b) <-> compares s x y.
Proof.
unfold ev, related. intros H K. split; [intros (u & v & E & F & C); congruence|]. intros C. exists x, y. auto.
Qed.
Lemma ended env s e x y : ev env e (Number y) -> related s (Some (Number x)) (eval env e) <-> compares s x y.
Proof. unfold ev, related. intros H. split; [intros (u & v & E & F & C); congruence|]. intros C. exists x, y. auto. Qed.
Lemma low_free env : low_end env Free (fun _ => True).
Proof. intros x. reflexivity. Qed.
Lemma low_closed env e y : ev env e (Number y) -> low_end env (Closed e) (fun x => x >= y).
Proof. intros H x. exact (ended _ Ge _ _ _ H). Qed.
Lemma low_open env e y : ev env e (Number y) -> low_end env (Open e) (fun x => x > y).
Proof. intros H x. exact (ended _ Gt _ _ _ H). Qed.
Lemma high_free env : high_end env Free (fun _ => True).
Proof. intros x. reflexivity. Qed.
Lemma high_closed env e y : ev env e (Number y) -> high_end env (Closed e) (fun x => x <= y).
Proof. intros H x. exact (ended _ Le _ _ _ H). Qed.
Lemma high_open env e y : ev env e (Number y) -> high_end env (Open e) (fun x => x < y).
Proof. intros H x. exact (ended _ Lt _ _ _ H). Qed.

Lemma on_real env n low high c p q : low_end env low p -> high_end env high q ->
  (forall x, p x -> q x -> means_in (env ++ [Some (Number x)]) c) -> means_in env (Real n low high c).
Proof. intros L H K x [A B]. apply K; [apply L|apply H]; assumption. Qed.
Lemma on_integer env n low high c p q : low_end env low p -> high_end env high q ->
  (forall x, whole x -> p x -> q x -> means_in (env ++ [Some (Number x)]) c) -> means_in env (Integer n low high c).
Proof. intros L H K x W [A B]. apply K; [exact W|apply L|apply H]; assumption. Qed.
Lemma on_natural env n e high c y q : ev env e (Number y) -> high_end env high q -> 0 <= y ->
  (forall k : nat, y <= INR k -> q (INR k) -> means_in (env ++ [Some (Number (INR k))]) c) -> means_in env (Integer n (Closed e) high c).
Proof.
intros L H Y K x [k ->] [A B]. apply (ended _ Ge _ _ _ L) in A. simpl in A.
assert (P : (0 <= k)%Z) by (apply le_IZR; lra). apply Z2Nat.id in P. rewrite <- P, <- INR_IZR_INZ in *.
apply K; [lra|now apply H].
Qed.
Lemma on_vector env name e low high (up : bool) c y n p q : ev env e (Number y) -> INR n = y -> low_end env low p -> high_end env high q ->
  (forall v, (forall k, (k < n)%nat -> p (v k) /\ q (v k)) -> (if up then forall i j, (i <= j < n)%nat -> v i <= v j else True) ->
    means_in (env ++ [Some (vec n v)]) c) -> means_in env (Vector name e low high up c).
Proof.
unfold ev. intros E <- L H K l N I O. rewrite E in N. injection N as N. apply INR_eq in N. rewrite of_row_is, <- N.
apply K.
- intros k B. destruct (I (nth k l 0)) as [A A']; [apply nth_In; lia|]. split; [apply L|apply H]; assumption.
- destruct up; [|exact Logic.I]. intros i j B. apply O. lia.
Qed.
Lemma on_symmetric env name e c y n : ev env e (Number y) -> INR n = y ->
  (forall A, (forall i j, A i j = A j i) -> means_in (env ++ [Some (mat n n A)]) c) -> means_in env (Symmetric name e c).
Proof.
unfold ev. intros E <- K m a N [S T]. rewrite E in N. injection N as N. apply INR_eq in N as <-.
rewrite (of_matrix_is n n a S). apply K, T.
Qed.
Definition positive (n : nat) (A : nat -> nat -> R) : Prop :=
  (forall i j, (i < n)%nat -> (j < n)%nat -> A i j = A j i) /\
  forall c : nat -> R, 0 <= sum n (fun i => sum n (fun j => c i * c j * A i j)).
Lemma on_semidefinite env name e d c y n : ev env e (Number y) -> INR n = y ->
  (forall A, positive n A -> (forall i j, A i j = A j i) -> (forall i, (i < n)%nat -> match d with Any => True | Unit => A i i = 1 | At_most_one => A i i <= 1 end) ->
    means_in (env ++ [Some (mat n n A)]) c) -> means_in env (Semidefinite name e d c).
Proof.
unfold ev. intros E <- K m a N ([S T] & P & D). rewrite E in N. injection N as N. apply INR_eq in N as <-.
rewrite (of_matrix_is n n a S). apply K; [split; [intros; apply T|exact P]|exact T|exact D].
Qed.
Lemma on_let env n e v c : ev env e v -> means_in (env ++ [Some v]) c -> means_in env (Let n e c).
Proof. unfold ev. intros H K. simpl. now rewrite H. Qed.
Lemma on_suppose env s a b c x y : ev env a (Number x) -> ev env b (Number y) -> (compares s x y -> means_in env c) -> means_in env (Suppose (Is s a b) c).
Proof. intros H K L C. apply L, (compared _ _ _ _ _ _ H K), C. Qed.
Lemma on_all_0 env s b p q c y j f g : ev env b (Number y) -> INR j = y ->
  (forall k, (k < j)%nat -> ev (env ++ [Some (Number (INR k))]) p (Number (f k))) ->
  (forall k, (k < j)%nat -> ev (env ++ [Some (Number (INR k))]) q (Number (g k))) ->
  ((forall k, (k < j)%nat -> compares s (f k) (g k)) -> means_in env c) -> means_in env (Suppose (All (Num 0) b (Is s p q)) c).
Proof.
intros B <- P Q L (i & l & E & F & A). apply L. intros k K. simpl in E. injection E as E. apply eq_IZR in E. subst i.
unfold ev in B. rewrite B in F. injection F as F. rewrite INR_IZR_INZ in F. apply eq_IZR in F. subst l.
apply (compared (env ++ [Some (Number (INR k))]) s p q _ _ (P k K) (Q k K)).
specialize (A (Z.of_nat k)). rewrite <- INR_IZR_INZ in A. apply A. lia.
Qed.
Lemma on_holds env s a b x y : ev env a (Number x) -> ev env b (Number y) -> compares s x y -> means_in env (Holds (Is s a b)).
Proof. intros H K C. apply (compared _ _ _ _ _ _ H K), C. Qed.

(* A claim is false: at a point of each parameter. *)
Lemma off_real x env n low high c p q : low_end env low p -> high_end env high q -> p x -> q x ->
  ~ means_in (env ++ [Some (Number x)]) c -> ~ means_in env (Real n low high c).
Proof. intros L H P Q N K. apply N, K. split; [now apply L|now apply H]. Qed.
Lemma off_integer (k : Z) env n low high c p q : low_end env low p -> high_end env high q -> p (IZR k) -> q (IZR k) ->
  ~ means_in (env ++ [Some (Number (IZR k))]) c -> ~ means_in env (Integer n low high c).
Proof. intros L H P Q N K. apply N, K; [now exists k|]. split; [now apply L|now apply H]. Qed.
Lemma off_vector (l : list R) env n e low high (up : bool) c y p q : ev env e (Number y) -> INR (List.length l) = y -> low_end env low p -> high_end env high q ->
  Forall (fun x => p x /\ q x) l -> (if up then ordered l else True) ->
  ~ means_in (env ++ [Some (vec (List.length l) (fun k => nth k l 0))]) c -> ~ means_in env (Vector n e low high up c).
Proof.
unfold ev. intros E <- L H F O N K. apply N. rewrite <- of_row_is. apply K; [exact E| |exact O].
intros x X. rewrite Forall_forall in F. destruct (F x X). split; [now apply L|now apply H].
Qed.
Lemma symmetric_of n m : shaped n n m = true -> (forall i j, (i < n)%nat -> (j < n)%nat -> entry m i j = entry m j i) -> symmetric n m.
Proof.
intros S T. split; [exact S|]. intros i j.
assert (L : List.length m = n) by (unfold shaped in S; apply andb_prop in S as [L _]; now apply Nat.eqb_eq).
assert (O : forall i j, ~ ((i < n)%nat /\ (j < n)%nat) -> entry m i j = 0).
{ intros a b N. unfold entry. destruct (Nat.lt_ge_cases a n) as [A|A].
  - apply nth_overflow. rewrite (shaped_at _ _ _ _ S A). lia.
  - rewrite (nth_overflow m) by lia. now destruct b. }
destruct (Nat.lt_ge_cases i n), (Nat.lt_ge_cases j n); [now apply T|rewrite !O by lia; reflexivity..].
Qed.
Lemma off_semidefinite (m : list (list R)) env name e d c y n : ev env e (Number y) -> INR n = y -> semidefinite n m d ->
  ~ means_in (env ++ [Some (mat n n (entry m))]) c -> ~ means_in env (Semidefinite name e d c).
Proof.
unfold ev. intros E <- S N K. apply N. destruct S as (S & P & D). rewrite <- of_matrix_is by apply S.
apply (K n m); [exact E|]. repeat split; try assumption; apply S.
Qed.
Lemma off_let env n e v c : ev env e v -> ~ means_in (env ++ [Some v]) c -> ~ means_in env (Let n e c).
Proof. unfold ev. intros H K. simpl. now rewrite H. Qed.
Lemma off_suppose env s a b c x y : ev env a (Number x) -> ev env b (Number y) -> compares s x y -> ~ means_in env c -> ~ means_in env (Suppose (Is s a b) c).
Proof. intros H K C N L. apply N, L, (compared _ _ _ _ _ _ H K), C. Qed.
Lemma off_all_0 env s b p q c y j f g : ev env b (Number y) -> INR j = y ->
  (forall k, (k < j)%nat -> ev (env ++ [Some (Number (INR k))]) p (Number (f k))) ->
  (forall k, (k < j)%nat -> ev (env ++ [Some (Number (INR k))]) q (Number (g k))) ->
  (forall k, (k < j)%nat -> compares s (f k) (g k)) -> ~ means_in env c -> ~ means_in env (Suppose (All (Num 0) b (Is s p q)) c).
Proof.
intros B <- P Q C N L. apply N, L. exists 0%Z, (Z.of_nat j). split; [reflexivity|]. split; [now rewrite <- INR_IZR_INZ|].
intros k K. replace k with (Z.of_nat (Z.to_nat k)) by lia. rewrite <- INR_IZR_INZ.
assert (M : (Z.to_nat k < j)%nat) by lia. apply (compared _ _ _ _ _ _ (P _ M) (Q _ M)), C, M.
Qed.
Lemma off_holds env s a b x y : ev env a (Number x) -> ev env b (Number y) -> ~ compares s x y -> ~ means_in env (Holds (Is s a b)).
Proof. intros H K C L. apply C, (compared _ _ _ _ _ _ H K), L. Qed.
Lemma off c : ~ means_in [] c -> ~ means c.
Proof. intros N [_ K]. exact (N K). Qed.

(* ---- Walking through a tree: the values that it has, and goals for what they owe. ---- *)
Ltac nat_of x :=
  lazymatch x with
  | INR ?n => constr:(n)
  | IZR ?k => let n := eval cbv in (Z.to_nat k) in constr:(n)
  | ?x + ?y => let a := nat_of x in let b := nat_of y in constr:((a + b)%nat)
  | ?x * ?y => let a := nat_of x in let b := nat_of y in constr:((a * b)%nat)
  | ?x - ?y => let a := nat_of x in let b := nat_of y in constr:((a - b)%nat)
  end.
Ltac in_reals := repeat first [rewrite plus_INR | rewrite mult_INR | rewrite minus_INR by lia | rewrite S_INR]; cbn [INR].
Ltac natural := lazymatch goal with |- INR ?k = ?y => let n := nat_of y in unify k n; first [reflexivity | in_reals; lra] end.
Ltac within := cbv beta in *; first [assumption | lia].
Ltac owed := cbv beta in *; cbn [compares] in *; try solve [assumption | lra].
Ltac numbers l := lazymatch l with
  | [] => constr:(@nil R) | Number ?x :: ?l => let m := numbers l in constr:(x :: m) end.
Ltac rows_of l := lazymatch l with
  | [] => constr:(@nil (list R)) | Many ?r :: ?l => let r := numbers r in let m := rows_of l in constr:(r :: m) end.
Ltac ev :=
  cbn [compares];
  lazymatch goal with
  | |- ev _ (Num _) _ => apply ev_num
  | |- ev _ Pi _ => apply ev_pi
  | |- ev _ (Var _) _ => apply ev_var; cbv [nth app]; reflexivity
  | |- ev _ (Un Neg _) _ => eapply ev_neg; ev
  | |- ev _ (Un Abs _) _ => eapply ev_abs; ev
  | |- ev _ (Un Exp _) _ => eapply ev_exp; ev
  | |- ev _ (Un Sin _) _ => eapply ev_sin; ev
  | |- ev _ (Un Erf _) _ => eapply ev_erf; ev
  | |- ev _ (Un Normal_cdf _) _ => eapply ev_normal; ev
  | |- ev _ (Un Floor _) _ => eapply ev_floor; ev
  | |- ev _ (Un Ceil _) _ => eapply ev_ceil; ev
  | |- ev _ (Un Log _) _ => eapply ev_log; [ev|owed]
  | |- ev _ (Un Sqrt _) _ => eapply ev_sqrt; [ev|owed]
  | |- ev _ (Bin Add _ _) _ => eapply ev_add; ev
  | |- ev _ (Bin Sub _ _) _ => eapply ev_sub; ev
  | |- ev _ (Bin Mul _ _) _ => eapply ev_mul; ev
  | |- ev _ (Bin Min _ _) _ => eapply ev_min; ev
  | |- ev _ (Bin Max _ _) _ => eapply ev_max; ev
  | |- ev _ (Bin Div _ _) _ => eapply ev_div; [ev|ev|owed]
  | |- ev _ (Bin Pow _ _) _ => first [eapply ev_natural; [ev|ev|natural] | eapply ev_pow; [ev|ev|owed]]
  | |- ev _ (If _ _ _ _ _) _ => first [eapply ev_choice; [ev|ev|intro; ev|intro; ev] | eapply ev_if; [ev|ev|intro; ev|intro; ev]]
  | |- ev _ (Sum (Num 0) _ _) _ => eapply ev_sum_0; [ev|natural|intros ? ?; ev]
  | |- ev _ (Each (Num 0) _ _) _ => eapply ev_each_0; [ev|natural|intros ? ?; ev]
  | |- ev _ (Sum _ _ _) _ => eapply ev_sum; [ev|ev|natural|natural|intros ? ?; ev]
  | |- ev _ (Each _ _ _) _ => eapply ev_each; [ev|ev|natural|natural|intros ? ?; ev]
  | |- ev _ (det _) _ => cbv [det square laplace forallb Nat.eqb andb List.length fold_left map firstn skipn app snd Nat.even]; ev
  | |- ev _ Nil _ => apply ev_nil
  | |- ev _ (Cons _ _) _ => eapply ev_cons; ev
  | |- ev _ (Two Item _ _) _ => first
      [ eapply ev_item; [ev|ev|natural| |cbv beta; reflexivity]; [within]
      | eapply ev_item_of; [ev|ev|natural|cbn; reflexivity]
      | eapply ev_item; [elements|ev|natural| |cbv beta; reflexivity]; [cbn [List.length]; within] ]
  | |- ev _ (One Len _) _ => first [eapply ev_len_of; ev | eapply ev_len; ev]
  | |- ev _ (One Total _) _ => eapply ev_total; elements
  | |- ev _ (One Product _) _ => eapply ev_product; elements
  | |- ev _ (One Greatest _) _ => eapply ev_largest; [elements|try within]
  | |- ev _ (One Least _) _ => eapply ev_smallest; [elements|try within]
  | |- ev _ (One Det _) _ => eapply ev_det; entries
  | |- ev _ (One Trace _) _ => eapply ev_trace; entries
  | |- ev _ (One Transpose _) _ => eapply ev_transpose; [entries|try within]
  | |- ev _ (One Identity _) _ => eapply ev_identity; [ev|natural]
  | |- ev _ (One Ones _) _ => eapply ev_ones; [ev|natural]
  | |- ev _ (One Diagonal _) _ => eapply ev_diagonal; elements
  | |- ev _ (Two Hadamard _ _) _ => eapply ev_hadamard; entries
  | |- ev _ (Two Plus _ _) _ => eapply ev_plus; entries
  | |- ev _ (Two Scale _ _) _ => eapply ev_scale; [ev|entries]
  | |- ev _ (Two Outer _ _) _ => eapply ev_outer; elements
  | |- ev _ (Two Matmul _ _) _ => eapply ev_matmul; [entries|entries|try within]
  | |- ev _ (Block _ (Num 0) _) _ => eapply ev_block_0; [entries|ev|natural|try within]
  | |- ev _ (Block _ _ _) _ => eapply ev_block; [entries|ev|ev|natural|natural|try within|try within]
  end
with elements := first [ev | eapply ev_written; [ev|lazymatch goal with |- ?l = map Number ?m => let r := numbers l in unify m r; reflexivity end]]
with entries := first [ev | eapply ev_rows; [ev|lazymatch goal with |- ?l = map of_row ?m => let r := rows_of l in unify m r; reflexivity end|reflexivity]].
(* What a comparison of natural numbers, written in real ones, says of them. *)
Ltac counts H :=
  let go a b := (assert ((a <= b)%nat) by (apply INR_le; in_reals; lra)) in
  let less a b := (assert ((a < b)%nat) by (apply INR_lt; in_reals; lra)) in
  lazymatch type of H with
  | ?x <= ?y - ?z => let a := nat_of x in let b := nat_of y in let c := nat_of z in go (a + c)%nat b
  | ?x <= ?y => let a := nat_of x in let b := nat_of y in go a b
  | ?x >= ?y => let a := nat_of y in let b := nat_of x in go a b
  | ?x < ?y => let a := nat_of x in let b := nat_of y in less a b
  | ?x > ?y => let a := nat_of y in let b := nat_of x in less a b
  end.
Ltac low := lazymatch goal with
  | |- low_end _ Free _ => apply low_free | |- low_end _ (Closed _) _ => eapply low_closed; ev | |- low_end _ (Open _) _ => eapply low_open; ev end.
Ltac high := lazymatch goal with
  | |- high_end _ Free _ => apply high_free | |- high_end _ (Closed _) _ => eapply high_closed; ev | |- high_end _ (Open _) _ => eapply high_open; ev end.
Ltac tidy H := cbv beta in H; cbn [compares] in H; lazymatch type of H with True => clear H | _ => try counts H end.
Ltac walk :=
  cbn [app];
  lazymatch goal with
  | |- means_in _ (Real _ _ _ _) => eapply on_real; [low|high|];
      let x := fresh "x" in let A := fresh "H" in let B := fresh "H" in intros x A B; tidy A; tidy B; walk
  | |- means_in _ (Integer _ (Closed _) _ _) => eapply on_natural; [ev|high|lra|];
      let n := fresh "n" in let A := fresh "H" in let B := fresh "H" in intros n A B; tidy A; tidy B; walk
  | |- means_in _ (Vector _ _ _ _ _ _) => eapply on_vector; [ev|natural|low|high|];
      let v := fresh "v" in let A := fresh "H" in let B := fresh "H" in intros v A B; cbv beta in A; tidy B; walk
  | |- means_in _ (Symmetric _ _ _) => eapply on_symmetric; [ev|natural|];
      let a := fresh "A" in let H := fresh "H" in intros a H; walk
  | |- means_in _ (Semidefinite _ _ _ _) => eapply on_semidefinite; [ev|natural|];
      let a := fresh "A" in let P := fresh "P" in let T := fresh "T" in let D := fresh "D" in intros a P T D; cbv beta iota in D; walk
  | |- means_in _ (Let _ _ _) => eapply on_let; [ev|]; [..|walk]
  | |- means_in _ (Suppose (All (Num 0) _ (Is _ _ _)) _) => eapply on_all_0; [ev|natural|intros ? ?; ev|intros ? ?; ev|];
      [..|cbn [compares]; let H := fresh "H" in intros H; walk]
  | |- means_in _ (Suppose _ _) => eapply on_suppose; [ev|ev|];
      [..|let H := fresh "H" in intros H; tidy H; walk]
  | |- means_in _ (Holds _) => eapply on_holds; [ev|ev|cbn [compares]]
  end.
Ltac walked := split; [reflexivity|]; walk.

(* ---- A point at which a claim is false. ---- *)
Ltac met_end := cbv beta; first [exact I | lra].
Ltac at_number x := eapply (off_real x); [low|high|met_end|met_end|cbn [app]].
Ltac at_integer k := eapply (off_integer k); [low|high|met_end|met_end|cbn [app]].
Ltac at_list l := eapply (off_vector l); [ev|cbn; lra|low|high|repeat (apply Forall_cons; [split; met_end|]); apply Forall_nil|try exact I|cbn [app List.length]].
Ltac at_matrix m n := eapply (off_semidefinite m _ _ _ _ _ _ n); [ev|cbn; lra| |cbn [app]].
(* each entry of a matrix with at most three rows *)
Ltac each_entry i := destruct i as [|[|[|i]]]; try lia.
Ltac semidefinite_by tactic := split;
  [apply symmetric_of; [reflexivity|intros i j ? ?; each_entry i; each_entry j; reflexivity]
  |split; [intros c; cbn; tactic c|intros i ?; each_entry i; cbn; try exact I; lra]].
Ltac denied := cbn [app]; lazymatch goal with
  | |- ~ means_in _ (Let _ _ _) => eapply off_let; [ev|]; [..|denied]
  | |- ~ means_in _ (Suppose (All (Num 0) _ (Is _ _ _)) _) => eapply off_all_0;
      [ev|natural|intros ? ?; ev|intros ? ?; ev|cbn [compares]; intros|denied]
  | |- ~ means_in _ (Suppose _ _) => eapply off_suppose; [ev|ev|cbn [compares]; try lra|denied]
  | |- ~ means_in _ (Holds _) => eapply off_holds; [ev|ev|cbn [compares]] end.

(* ---- What is written in numbers alone: its value, or that it has none. ---- *)
Lemma count_IZR k : count (IZR k) = if Z.leb 0 k then Some (Z.to_nat k) else None.
Proof.
destruct (Z.leb_spec 0 k) as [P|N].
- rewrite <- (Z2Nat.id k P) at 1. now rewrite <- INR_IZR_INZ, count_INR.
- unfold count, only, is_whole. destruct (Req_EM_T _ _); [|reflexivity]. destruct (Rle_dec 0 (IZR k)) as [L|_]; [|reflexivity].
  apply le_IZR in L. lia.
Qed.
Lemma whole_IZR_only {A} k (v : option A) : only (is_whole (IZR k)) v = v.
Proof. unfold only. destruct (is_whole (IZR k)) as [_|N]; [reflexivity|]. destruct N. now rewrite Int_part_IZR. Qed.
Lemma over_zero (x : option R) : except (Req_EM_T 0 0) x = None.
Proof. unfold except. destruct (Req_EM_T 0 0); [reflexivity|lra]. Qed.
Ltac reduced H := cbn -[IZR count is_whole Int_part only except] in H;
  cbv [Pos.to_nat Pos.iter_op Init.Nat.add seq] in H; cbn -[IZR count is_whole Int_part only except] in H.
Ltac computed H := unfold block in H; reduced H; repeat (
  first [rewrite <- opp_IZR in H | rewrite <- minus_IZR in H | rewrite <- plus_IZR in H | rewrite <- mult_IZR in H
    | rewrite count_IZR in H | rewrite whole_IZR_only in H | rewrite Int_part_IZR in H | rewrite over_zero in H]; reduced H).
Ltac nothing := let x := fresh in let y := fresh in let H := fresh in let K := fresh in
  intros [_ (x & y & H & K & _)]; computed H; computed K; first [discriminate H | discriminate K].
