(******************************************************************************)
(*                             What a claim means                             *)
(*                                                                            *)
(* A claim is a tree, and `means` is the proposition that it stands for, rule *)
(* by rule as in docs/language.md. All of this file is believed, nothing is   *)
(* proved in it, and it reads no other theory. A name is a place, counted in  *)
(* the order in which names are met (parameters, then definitions, then       *)
(* indices): no text of a claim is read by the assistant, and nothing can be  *)
(* captured. The strings are for the reader.                                  *)
(*                                                                            *)
(* Notations:                                                                 *)
(*   expr, claim == the trees of terms and of claims                          *)
(*   eval env e == the value of a term, None where it has none                *)
(*   means c == the proposition that a claim stands for                       *)
(*   whole x == x is an integer                                               *)
(*   normal_cdf x == the distribution function of the normal law              *)
(*                                                                            *)
(* Rests on: the libraries alone.                                             *)
(******************************************************************************)

From Coq Require Import Reals List ZArith String.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

(* ---- Trees. ---- *)
Inductive unary := Neg | Abs | Exp | Log | Sqrt | Sin | Erf | Normal_cdf | Floor | Ceil.
Inductive binary := Add | Sub | Mul | Div | Pow | Min | Max.
Inductive sign := Le | Lt | Ge | Gt | Eq | Ne.
Inductive listed := Len | Total | Product | Least | Greatest | Joined        (* of lists; Joined: of lists of lists *)
  | Det | Trace | Transpose | Identity | Ones | Diagonal.
Inductive paired := Item | Hadamard | Plus | Scale | Outer | Matmul.
Inductive expr :=
  | Num (k : Z) | Pi | Var (place : nat)
  | Un (f : unary) (a : expr) | Bin (f : binary) (a b : expr)
  | If (s : sign) (a b yes no : expr)             (* yes if a s b else no *)
  | Sum (low high body : expr)                    (* over low <= k < high; in the body k is the next place *)
  | Nil | Cons (head tail : expr)                 (* a list that is written out; a matrix is a list of its rows *)
  | Each (low high body : expr)                   (* the list of the body at low <= k < high *)
  | One (f : listed) (a : expr) | Two (f : paired) (a b : expr)
  | Block (a first last : expr).                  (* rows and columns first <= k < last *)
Inductive cond := Is (s : sign) (a b : expr) | All (low high : expr) (c : cond).   (* at every low <= k < high *)
Inductive bound := Free | Closed (e : expr) | Open (e : expr).
Inductive diagonal := Any | Unit | At_most_one.
Inductive claim :=
  | Real (name : string) (low high : bound) (rest : claim)
  | Integer (name : string) (low high : bound) (rest : claim)
  | Vector (name : string) (length : expr) (low high : bound) (increasing : bool) (rest : claim)
  | Symmetric (name : string) (size : expr) (rest : claim)
  | Semidefinite (name : string) (size : expr) (d : diagonal) (rest : claim)
  | Let (name : string) (e : expr) (rest : claim)
  | Suppose (c : cond) (rest : claim)
  | Holds (c : cond).

(* A determinant is expanded along its first row; rows of another length than their number have none. *)
Definition square {A} (rows : list (list A)) : bool :=
  forallb (fun row => Nat.eqb (List.length row) (List.length rows)) rows.
Fixpoint laplace {A} (zero one minus : A) (add mul : A -> A -> A) (size : nat) (rows : list (list A)) : A :=
  match size, rows with
  | S n, row :: rest => snd (fold_left (fun '(k, sum) head =>
      let minor := map (fun r => firstn k r ++ skipn (S k) r) rest in
      (S k, add sum (mul (mul head (laplace zero one minus add mul n minor)) (if Nat.even k then one else minus))))
      row (O, zero))
  | _, _ => one
  end.
(* That of rows of numbers that are written out. *)
Definition det (rows : list (list expr)) : expr :=
  if square rows then laplace (Num 0) (Num 1) (Num (-1)) (Bin Add) (Bin Mul) (List.length rows) rows
  else Bin Div (Num 1) (Num 0).

(* Every place is one that has been met: an error of the printer is no hypothesis without a value. *)
Fixpoint placed (n : nat) (e : expr) : bool :=
  match e with
  | Num _ | Pi | Nil => true | Var place => Nat.ltb place n
  | Un _ a | One _ a => placed n a | Bin _ a b | Two _ a b | Cons a b => placed n a && placed n b
  | If _ a b yes no => placed n a && placed n b && placed n yes && placed n no
  | Sum a b body | Each a b body => placed n a && placed n b && placed (S n) body
  | Block a b c => placed n a && placed n b && placed n c
  end.
Fixpoint asks (n : nat) (c : cond) : bool :=
  match c with Is _ a b => placed n a && placed n b | All a b c => placed n a && placed n b && asks (S n) c end.
Definition ends (n : nat) (b : bound) : bool := match b with Free => true | Closed e | Open e => placed n e end.
Fixpoint proper (n : nat) (c : claim) : bool :=
  match c with
  | Real _ low high c | Integer _ low high c => ends n low && ends n high && proper (S n) c
  | Vector _ e low high _ c => placed n e && ends n low && ends n high && proper (S n) c
  | Symmetric _ e c | Semidefinite _ e _ c | Let _ e c => placed n e && proper (S n) c
  | Suppose a c => asks n a && proper n c
  | Holds a => asks n a
  end.

(* ---- Values: None is "has no value". ---- *)
Inductive val := Number (x : R) | Many (items : list val).
Definition whole (x : R) : Prop := exists k : Z, x = IZR k.
Definition normal_cdf (x : R) : R := 1 / 2 + RInt (fun t => exp (- t ^ 2 / 2)) 0 x / sqrt (2 * PI).
Definition erf (x : R) : R := 2 * RInt (fun t => exp (- t ^ 2)) 0 x / sqrt PI.

Definition compares (s : sign) (x y : R) : Prop :=
  match s with Le => x <= y | Lt => x < y | Ge => x >= y | Gt => x > y | Eq => x = y | Ne => x <> y end.
Definition decide (s : sign) (x y : R) : {compares s x y} + {~ compares s x y} :=
  match s with
  | Le => Rle_dec x y | Lt => Rlt_dec x y | Ge => Rge_dec x y | Gt => Rgt_dec x y | Eq => Req_EM_T x y
  | Ne => match Req_EM_T x y with left e => right (fun n => n e) | right n => left n end
  end.
Definition only {A} {P : Prop} (d : {P} + {~ P}) (v : option A) : option A := if d then v else None.
Definition except {A} {P : Prop} (d : {P} + {~ P}) (v : option A) : option A := if d then None else v.
Definition bind {A B} (o : option A) (f : A -> option B) : option B := match o with Some x => f x | None => None end.
Definition is_whole (x : R) : {IZR (Int_part x) = x} + {~ IZR (Int_part x) = x} := Req_EM_T _ _.

Definition un (f : unary) (x : R) : option R :=
  match f with
  | Neg => Some (- x) | Abs => Some (Rabs x) | Exp => Some (exp x)
  | Sin => Some (sin x) | Erf => Some (erf x)
  | Normal_cdf => Some (normal_cdf x) | Floor => Some (IZR (Int_part x)) | Ceil => Some (- IZR (Int_part (- x)))
  | Log => only (Rlt_dec 0 x) (Some (ln x))
  | Sqrt => only (Rle_dec 0 x) (Some (sqrt x))
  end.
Definition bin (f : binary) (x y : R) : option R :=
  match f with
  | Add => Some (x + y) | Sub => Some (x - y) | Mul => Some (x * y)
  | Min => Some (Rmin x y) | Max => Some (Rmax x y)
  | Div => except (Req_EM_T y 0) (Some (x / y))
  | Pow => if is_whole y
           then if Rlt_dec y 0 then except (Req_EM_T x 0) (Some (powerRZ x (Int_part y)))
                else Some (powerRZ x (Int_part y))
           else if Req_EM_T x 0 then only (Rlt_dec 0 y) (Some 0)
                else only (Rlt_dec 0 x) (Some (exp (y * ln x)))
  end.
Fixpoint total (f : Z -> option R) (low : Z) (count : nat) : option R :=
  match count with
  | O => Some 0
  | S n => bind (total f low n) (fun x => bind (f (low + Z.of_nat n)%Z) (fun y => Some (x + y)))
  end.

(* Numbers, lists of numbers, matrices: a value of another kind is none. *)
Definition numb (o : option R) : option val := bind o (fun x => Some (Number x)).
Definition num (o : option val) : option R := bind o (fun v => match v with Number x => Some x | _ => None end).
Definition items (o : option val) : option (list val) := bind o (fun v => match v with Many l => Some l | _ => None end).
Fixpoint every {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with [] => Some [] | x :: l => bind (f x) (fun y => bind (every f l) (fun l => Some (y :: l))) end.
Definition row (o : option val) : option (list R) := bind (items o) (every (fun v => num (Some v))).
Definition matrix (o : option val) : option (list (list R)) := bind (items o) (every (fun v => row (Some v))).
Definition of_row (l : list R) : val := Many (map Number l).
Definition of_matrix (m : list (list R)) : val := Many (map of_row m).
Definition count (x : R) : option nat := only (is_whole x) (only (Rle_dec 0 x) (Some (Z.to_nat (Int_part x)))).

(* f 0 + ... + f (n-1); the entry of row i and column j; n rows of w entries; the same as a test. *)
Fixpoint sum (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => sum m f + f m end.
Definition entry (m : list (list R)) (i j : nat) : R := nth j (nth i m []) 0.
Definition table (n w : nat) (f : nat -> nat -> R) : val := of_matrix (map (fun i => map (f i) (seq 0 w)) (seq 0 n)).
Definition shaped (n w : nat) (m : list (list R)) : bool :=
  Nat.eqb (List.length m) n && forallb (fun row => Nat.eqb (List.length row) w) m.
Definition height (m : list (list R)) : nat := List.length m.
Definition width (m : list (list R)) : nat := List.length (hd [] m).
Definition when (b : bool) (v : val) : option val := if b then Some v else None.
Definition rectangle (m : list (list R)) : bool := shaped (height m) (width m) m.

Definition one (f : listed) (o : option val) : option val :=
  match f with
  | Len => bind (items o) (fun l => Some (Number (INR (List.length l))))
  | Total => bind (row o) (fun l => Some (Number (sum (List.length l) (fun k => nth k l 0))))
  | Product => bind (row o) (fun l => Some (Number (fold_right Rmult 1 l)))
  | Least => bind (row o) (fun l => match l with [] => None | x :: l => Some (Number (fold_left Rmin l x)) end)
  | Greatest => bind (row o) (fun l => match l with [] => None | x :: l => Some (Number (fold_left Rmax l x)) end)
  | Joined => bind (items o) (fun l => bind (every (fun v => items (Some v)) l) (fun m => Some (Many (List.concat m))))
  | Det => bind (matrix o) (fun m => when (square m) (Number (laplace 0 1 (-1) Rplus Rmult (height m) m)))
  | Trace => bind (matrix o) (fun m => when (square m) (Number (sum (height m) (fun i => entry m i i))))
  | Transpose => bind (matrix o) (fun m => when (rectangle m) (table (width m) (height m) (fun i j => entry m j i)))
  | Identity => bind (bind (num o) count) (fun n => Some (table n n (fun i j => if Nat.eqb i j then 1 else 0)))
  | Ones => bind (bind (num o) count) (fun n => Some (table n n (fun _ _ => 1)))
  | Diagonal => bind (row o) (fun l => let n := List.length l in
      Some (table n n (fun i j => if Nat.eqb i j then nth i l 0 else 0)))
  end.
Definition alike (f : R -> R -> R) (o p : option val) : option val :=
  bind (matrix o) (fun a => bind (matrix p) (fun b => when (rectangle a && shaped (height a) (width a) b)
    (table (height a) (width a) (fun i j => f (entry a i j) (entry b i j))))).
Definition two (f : paired) (o p : option val) : option val :=
  match f with
  | Item => bind (items o) (fun l => bind (bind (num p) count) (fun k => nth_error l k))
  | Hadamard => alike Rmult o p
  | Plus => alike Rplus o p
  | Scale => bind (num o) (fun c => bind (matrix p) (fun m => when (rectangle m)
      (table (height m) (width m) (fun i j => c * entry m i j))))
  | Outer => bind (row o) (fun l => bind (row p) (fun m =>
      Some (table (List.length l) (List.length m) (fun i j => nth i l 0 * nth j m 0))))
  | Matmul => bind (matrix o) (fun a => bind (matrix p) (fun b =>
      when (shaped (height a) (height b) a && rectangle b)
        (table (height a) (width b) (fun i j => sum (height b) (fun k => entry a i k * entry b k j)))))
  end.
Definition block (o p q : option val) : option val :=
  bind (matrix o) (fun m => bind (bind (num p) count) (fun i => bind (bind (num q) count) (fun j =>
    when (square m && Nat.leb i j && Nat.leb j (height m))
      (table (j - i) (j - i) (fun k l => entry m (i + k) (i + l)))))).

Fixpoint eval (env : list (option val)) (e : expr) : option val :=
  match e with
  | Num k => Some (Number (IZR k)) | Pi => Some (Number PI) | Var place => nth place env None
  | Un f a => numb (bind (num (eval env a)) (un f))
  | Bin f a b => numb (bind (num (eval env a)) (fun x => bind (num (eval env b)) (bin f x)))
  | If s a b yes no => bind (num (eval env a)) (fun x => bind (num (eval env b)) (fun y =>
      if decide s x y then eval env yes else eval env no))
  | Sum a b body => numb (bind (num (eval env a)) (fun x => bind (num (eval env b)) (fun y =>
      only (is_whole x) (only (is_whole y)
        (total (fun k => num (eval (env ++ [Some (Number (IZR k))]) body))
               (Int_part x) (Z.to_nat (Int_part y - Int_part x)))))))
  | Nil => Some (Many [])
  | Cons a b => bind (eval env a) (fun v => bind (items (eval env b)) (fun l => Some (Many (v :: l))))
  | Each a b body => bind (num (eval env a)) (fun x => bind (num (eval env b)) (fun y =>
      only (is_whole x) (only (is_whole y)
        (bind (every (fun k => eval (env ++ [Some (Number (IZR (Int_part x + Z.of_nat k)))]) body)
                     (seq 0 (Z.to_nat (Int_part y - Int_part x)))) (fun l => Some (Many l))))))
  | One f a => one f (eval env a)
  | Two f a b => two f (eval env a) (eval env b)
  | Block a b c => block (eval env a) (eval env b) (eval env c)
  end.

(* ---- Claims. A bound or a hypothesis that has no value leaves its point out; the formula owes its value. ---- *)
Definition related (s : sign) (o p : option val) : Prop :=
  exists x y, o = Some (Number x) /\ p = Some (Number y) /\ compares s x y.
Fixpoint holds (env : list (option val)) (c : cond) : Prop :=
  match c with
  | Is s a b => related s (eval env a) (eval env b)
  | All a b c => exists i j : Z, eval env a = Some (Number (IZR i)) /\ eval env b = Some (Number (IZR j)) /\
      forall k, (i <= k < j)%Z -> holds (env ++ [Some (Number (IZR k))]) c
  end.
Definition inside (env : list (option val)) (x : R) (low high : bound) : Prop :=
  let v := Some (Number x) in
  match low with Free => True | Closed e => related Ge v (eval env e) | Open e => related Gt v (eval env e) end /\
  match high with Free => True | Closed e => related Le v (eval env e) | Open e => related Lt v (eval env e) end.
Definition ordered (l : list R) : Prop := forall i j, (i <= j < List.length l)%nat -> nth i l 0 <= nth j l 0.
Definition symmetric (n : nat) (m : list (list R)) : Prop :=
  shaped n n m = true /\ forall i j, entry m i j = entry m j i.
Definition semidefinite (n : nat) (m : list (list R)) (d : diagonal) : Prop :=
  symmetric n m /\ (forall c : nat -> R, 0 <= sum n (fun i => sum n (fun j => c i * c j * entry m i j))) /\
  forall i, (i < n)%nat -> match d with Any => True | Unit => entry m i i = 1 | At_most_one => entry m i i <= 1 end.
Fixpoint means_in (env : list (option val)) (c : claim) : Prop :=
  match c with
  | Real _ low high c => forall x, inside env x low high -> means_in (env ++ [Some (Number x)]) c
  | Integer _ low high c => forall x, whole x -> inside env x low high -> means_in (env ++ [Some (Number x)]) c
  | Vector _ e low high increasing c => forall l, eval env e = Some (Number (INR (List.length l))) ->
      (forall x, In x l -> inside env x low high) -> (if increasing then ordered l else True) ->
      means_in (env ++ [Some (of_row l)]) c
  | Symmetric _ e c => forall n m, eval env e = Some (Number (INR n)) -> symmetric n m ->
      means_in (env ++ [Some (of_matrix m)]) c
  | Semidefinite _ e d c => forall n m, eval env e = Some (Number (INR n)) -> semidefinite n m d ->
      means_in (env ++ [Some (of_matrix m)]) c
  | Let _ e c => means_in (env ++ [eval env e]) c
  | Suppose a c => holds env a -> means_in env c
  | Holds a => holds env a
  end.
Definition means (c : claim) : Prop := proper 0 c = true /\ means_in [] c.
