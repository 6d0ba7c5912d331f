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
Inductive unary := Neg | Abs | Exp | Log | Sqrt | Floor | Normal_cdf.
Inductive binary := Add | Sub | Mul | Div | Pow | Min | Max.
Inductive sign := Le | Lt | Ge | Gt | Eq | Ne.
Inductive expr :=
  | Num (k : Z) | Pi | Var (place : nat)
  | Un (f : unary) (a : expr) | Bin (f : binary) (a b : expr)
  | If (s : sign) (a b yes no : expr)             (* yes if a s b else no *)
  | Sum (low high body : expr).                   (* over low <= k < high; in the body k is the next place *)
Inductive bound := Free | Closed (e : expr) | Open (e : expr).
Inductive claim :=
  | Real (name : string) (low high : bound) (rest : claim)
  | Integer (name : string) (low high : bound) (rest : claim)
  | Let (name : string) (e : expr) (rest : claim)
  | Suppose (s : sign) (a b : expr) (rest : claim)
  | Holds (s : sign) (a b : expr).

(* A determinant is written out along its first row; rows of another length have none (1/0). *)
Fixpoint det_ (size : nat) (rows : list (list expr)) : expr :=
  match size, rows with
  | S n, row :: rest => snd (fold_left (fun '(k, sum) head =>
      let minor := map (fun r => firstn k r ++ skipn (S k) r) rest in
      (S k, Bin Add sum (Bin Mul (Bin Mul head (det_ n minor)) (if Nat.even k then Num 1 else Num (-1)))))
      row (O, Num 0))
  | _, _ => Num 1
  end.
Definition det (rows : list (list expr)) : expr :=
  if forallb (fun row => Nat.eqb (List.length row) (List.length rows)) rows
  then det_ (List.length rows) rows else Bin Div (Num 1) (Num 0).

(* Every place is one that has been met: an error of the printer is no hypothesis without a value. *)
Fixpoint placed (n : nat) (e : expr) : bool :=
  match e with
  | Num _ | Pi => true | Var place => Nat.ltb place n
  | Un _ a => placed n a | Bin _ a b => placed n a && placed n b
  | If _ a b yes no => placed n a && placed n b && placed n yes && placed n no
  | Sum a b body => placed n a && placed n b && placed (S n) body
  end.
Definition ends (n : nat) (b : bound) : bool := match b with Free => true | Closed e | Open e => placed n e end.
Fixpoint proper (n : nat) (c : claim) : bool :=
  match c with
  | Real _ low high c | Integer _ low high c => ends n low && ends n high && proper (S n) c
  | Let _ e c => placed n e && proper (S n) c
  | Suppose _ a b c => placed n a && placed n b && proper n c
  | Holds _ a b => placed n a && placed n b
  end.

(* ---- Values: None is "has no value". ---- *)
Definition whole (x : R) : Prop := exists k : Z, x = IZR k.
Definition normal_cdf (x : R) : R := 1 / 2 + RInt (fun t => exp (- t ^ 2 / 2)) 0 x / sqrt (2 * PI).

Definition compares (s : sign) (x y : R) : Prop :=
  match s with Le => x <= y | Lt => x < y | Ge => x >= y | Gt => x > y | Eq => x = y | Ne => x <> y end.
Definition decide (s : sign) (x y : R) : {compares s x y} + {~ compares s x y} :=
  match s with
  | Le => Rle_dec x y | Lt => Rlt_dec x y | Ge => Rge_dec x y | Gt => Rgt_dec x y | Eq => Req_EM_T x y
  | Ne => match Req_EM_T x y with left e => right (fun n => n e) | right n => left n end
  end.
Definition only {P : Prop} (d : {P} + {~ P}) (v : option R) : option R := if d then v else None.
Definition except {P : Prop} (d : {P} + {~ P}) (v : option R) : option R := if d then None else v.
Definition bind (o : option R) (f : R -> option R) : option R := match o with Some x => f x | None => None end.
Definition is_whole (x : R) : {IZR (Int_part x) = x} + {~ IZR (Int_part x) = x} := Req_EM_T _ _.

Definition un (f : unary) (x : R) : option R :=
  match f with
  | Neg => Some (- x) | Abs => Some (Rabs x) | Exp => Some (exp x)
  | Floor => Some (IZR (Int_part x)) | Normal_cdf => Some (normal_cdf x)
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
Fixpoint eval (env : list (option R)) (e : expr) : option R :=
  match e with
  | Num k => Some (IZR k) | Pi => Some PI | Var place => nth place env None
  | Un f a => bind (eval env a) (un f)
  | Bin f a b => bind (eval env a) (fun x => bind (eval env b) (fun y => bin f x y))
  | If s a b yes no => bind (eval env a) (fun x => bind (eval env b) (fun y =>
      if decide s x y then eval env yes else eval env no))
  | Sum a b body => bind (eval env a) (fun x => bind (eval env b) (fun y =>
      only (is_whole x) (only (is_whole y)
        (total (fun k => eval (env ++ [Some (IZR k)]) body)
               (Int_part x) (Z.to_nat (Int_part y - Int_part x))))))
  end.

(* ---- Claims. A bound or a hypothesis that has no value leaves its point out; the formula owes its value. ---- *)
Definition related (s : sign) (o p : option R) : Prop := exists x y, o = Some x /\ p = Some y /\ compares s x y.
Definition inside (env : list (option R)) (x : R) (low high : bound) : Prop :=
  match low with Free => True | Closed e => related Ge (Some x) (eval env e) | Open e => related Gt (Some x) (eval env e) end /\
  match high with Free => True | Closed e => related Le (Some x) (eval env e) | Open e => related Lt (Some x) (eval env e) end.
Fixpoint means_in (env : list (option R)) (c : claim) : Prop :=
  match c with
  | Real _ low high c => forall x, inside env x low high -> means_in (env ++ [Some x]) c
  | Integer _ low high c => forall x, whole x -> inside env x low high -> means_in (env ++ [Some x]) c
  | Let _ e c => means_in (env ++ [eval env e]) c
  | Suppose s a b c => related s (eval env a) (eval env b) -> means_in env c
  | Holds s a b => related s (eval env a) (eval env b)
  end.
Definition means (c : claim) : Prop := proper 0 c = true /\ means_in [] c.
