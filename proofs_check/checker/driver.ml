(* Reads a certificate as whole numbers and says whether the extracted checker accepts it.

   The numbers, in this order: n and the n durations in ticks; ticks in one unit of time; epsilon; one over the noise
   variance; the number of points; delta; the points along one axis; the rate of the kernel between neighbours; one over
   the larger noise variance; the gain there; contact, constant and factor of the affine majorant; the claim; then the
   joint certificate. A fraction is a numerator and a denominator. *)
open Checker
let token () = Scanf.scanf " %s" (fun word -> word)
let whole () = Big_int_Z.big_int_of_string (token ())
let refuse () = print_endline "refused"; exit 0
(* the extracted program takes it for granted that a positive number is one *)
let positive () = let found = whole () in if Big_int_Z.sign_big_int found > 0 then found else refuse ()
let size () = let found = int_of_string (token ()) in if found >= 0 then found else refuse ()
let times n f = List.init n (fun _ -> f ())
let fraction () = let top = whole () in (top, positive ())
let place () = let across = whole () in (across, whole ())
let row n = times n whole
let () =
  let n = size () in
  let ticks = running (Big_int_Z.big_int_of_int 0) (row n) in
  let unit1 = positive () in
  let epsilon = fraction () in
  let ratio_s = fraction () in
  let points = positive () in
  let delta = fraction () in
  let side = whole () in
  let rate = fraction () in
  let problem = { unit1; ticks; epsilon; ratio_s; points; delta } in
  let noisy_ratio = fraction () in
  let noisy_gain = fraction () in
  let contact = fraction () in
  let constant = fraction () in
  let factor = fraction () in
  let claim = fraction () in
  let jscale = positive () in
  let jalpha = whole () in
  let references = size () in
  let jref = times references place in
  let spaces = size () in
  let jspace = times spaces (fun () -> row references) in
  let groups_ = size () in
  let jtime = times groups_ (fun () -> row n) in
  let groups = times groups_ (fun () -> times (size ()) (fun () -> let which = size () in (which, whole ()))) in
  let features = List.fold_left (fun total group -> total + List.length group) 0 groups in
  let jinv = times features (fun () -> row features) in
  let jroot = times features (fun () -> row features) in
  let jleft = row n in
  let joint = { jscale; jalpha; jref; jspace; jtime; groups; jinv; jroot; jleft } in
  let given = { noisy_ratio; joint; noisy_gain; contact; constant; factor } in
  print_endline (if R.check_regret bits side rate problem given claim then "accepted" else "refused")
