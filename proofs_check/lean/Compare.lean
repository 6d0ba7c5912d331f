import Proofs.Theorems
import Reference.Statements

/-!
# The comparator

It compiles only where each theorem of `Proofs` has the type that `Reference` states, and prints the
axioms of each. A statement is proved where these are among `propext`, `Classical.choice` and
`Quot.sound`; `sorryAx` says that a `sorry` is left.
-/

example : Reference.theorem_1_with_probability := Proofs.theorem_1_with_probability
#print axioms Proofs.theorem_1_with_probability

example : Reference.theory_a := Proofs.theory_a
#print axioms Proofs.theory_a

example : Reference.theory_b := Proofs.theory_b
#print axioms Proofs.theory_b

example : Reference.theory_m := Proofs.theory_m
#print axioms Proofs.theory_m

example : Reference.theory_f_gram := Proofs.theory_f_gram
#print axioms Proofs.theory_f_gram

example : Reference.theory_l := Proofs.theory_l
#print axioms Proofs.theory_l

example : Reference.theory_r := Proofs.theory_r
#print axioms Proofs.theory_r

example : Reference.theory_certificate := Proofs.theory_certificate
#print axioms Proofs.theory_certificate
