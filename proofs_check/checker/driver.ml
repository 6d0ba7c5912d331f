(* Reads a problem and questions about it as whole numbers and says of each whether the extracted checker accepts it.

   The problem, in this order: n and the n durations in ticks; ticks in one unit of time; the kernel over time (0 and
   epsilon, or 1, a family and its rate); one over the noise variance; the family of the kernel over space and its rate;
   the number of points, and of each how many coordinates and these; delta. Of a family its number, of Matern's behind
   it the order. Then how many questions, and of each its kind: 0, the gain of every sequence of points is at most a
   claim; 1, that of one is at least a claim; 2, the regret is at most a claim; 3, the gain of every sequence of points
   is, did the objective not move; 4, the mean of what every policy loses is at least a claim; 5, the regret is at most a
   claim where evaluation times depend on the point; 6, as 3 for all points of the box of the grid. A fraction is a numerator and a denominator, a list its length and
   what it holds, what may be missing 0, or 1 and what it is. *)
open Checker
let refuse () = print_endline "refused"; exit 0
(* behind the last word stands none, which would be read as 0 *)
let token () = match Scanf.scanf " %s" (fun word -> word) with "" -> refuse () | word -> word
let whole () = Big_int_Z.big_int_of_string (token ())
(* the extracted program takes it for granted that a positive number is one *)
let positive () = let found = whole () in if Big_int_Z.sign_big_int found > 0 then found else refuse ()
let size () = let found = int_of_string (token ()) in if found >= 0 then found else refuse ()
let listed f = let n = size () in List.init n (fun _ -> f ())
let fraction () = let top = whole () in (top, positive ())
let wholes () = listed whole
let family () =
  match size () with
  | 0 -> SquaredExponential
  | 1 -> Independent
  | 2 -> Matern (size ())
  | _ -> refuse ()
let law () =
  match size () with
  | 0 -> Forgets (fraction ())
  | 1 -> let shape = family () in Stationary (shape, fraction ())
  | _ -> refuse ()
let problem () =
  let ticks = running (Big_int_Z.big_int_of_int 0) (wholes ()) in
  let per_unit = positive () in
  let clock = law () in
  let ratio_s = fraction () in
  let shape = family () in
  let rate = fraction () in
  let points = listed wholes in
  let delta = fraction () in
  { per_unit; ticks; clock; ratio_s; shape; rate; points; delta }
let joint () =
  let jscale = positive () in
  let jalpha = whole () in
  let jref = listed wholes in
  let jspace = listed wholes in
  let jtime = listed wholes in
  let groups = listed (fun () -> listed (fun () -> let which = size () in (which, whole ()))) in
  let jinv = listed wholes in
  let jroot = listed wholes in
  let jleft = wholes () in
  { jscale; jalpha; jref; jspace; jtime; groups; jinv; jroot; jleft }
let block () =
  let rounds = size () in
  let dual = joint () in
  let part_gain = fraction () in
  { rounds; dual; part_gain }
let design () =
  let dscale = positive () in
  let design = listed size in
  let dweights = listed wholes in
  { dscale; design; dweights }
let regret () =
  let noisy_ratio = fraction () in
  let blocks = listed block in
  let noisy_gain = fraction () in
  let contact = fraction () in
  let constant = fraction () in
  let factor = fraction () in
  let answers_late = size () in
  { noisy_ratio; blocks; noisy_gain; contact; constant; factor; answers_late }
let floor () =
  let fscale = positive () in
  let chosen_points = listed size in
  let apart = whole () in
  let froot = listed wholes in
  let lowest = whole () in
  let step = positive () in
  let steps = size () in
  let late = size () in
  let fweights = listed wholes in
  { fscale; chosen_points; apart; froot; lowest; step; steps; late; fweights }
let own () =
  let longest = fraction () in
  let windows = positive () in
  let widest = fraction () in
  let road = match size () with 0 -> None | 1 -> Some (regret ()) | _ -> refuse () in
  { longest; windows; widest; road }
(* no axis has more steps than there are points: they are listed *)
let box most =
  let axes = listed (fun () -> let step = positive () in let count = size () in if count < most then (step, count) else refuse ()) in
  let box_dual = joint () in
  { axes; box_dual }
let () =
  let asked = problem () in
  let answer () =
    match size () with
    | 0 -> let blocks = listed block in asked_above asked blocks (fraction ())
    | 1 -> let given = design () in asked_below asked given (fraction ())
    | 2 -> let given = regret () in asked_regret asked given (fraction ())
    | 3 -> let blocks = listed block in asked_still asked blocks (fraction ())
    | 4 -> let given = floor () in asked_floor asked given (fraction ())
    | 5 -> let given = own () in asked_own asked given (fraction ())
    | 6 -> let given = box (List.length asked.points) in asked_box asked given (fraction ())
    | _ -> refuse () in
  for _ = 1 to size () do print_endline (if answer () then "accepted" else "refused") done
