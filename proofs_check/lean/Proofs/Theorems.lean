import Reference.Statements

/-!
# The proofs, none of which is written yet

Whoever proves a statement replaces its `sorry`; lemmas may stand in further files of this folder.
`Compare.lean` says whether what is proved here is what the reference states.
-/

namespace Proofs

theorem theorem_1_with_probability : Reference.theorem_1_with_probability := by
  sorry

theorem theory_a : Reference.theory_a := by
  sorry

theorem theory_b : Reference.theory_b := by
  sorry

theorem theory_m : Reference.theory_m := by
  sorry

theorem theory_f_gram : Reference.theory_f_gram := by
  sorry

theorem theory_l : Reference.theory_l := by
  sorry

theorem theory_r : Reference.theory_r := by
  sorry

theorem theory_certificate : Reference.theory_certificate := by
  sorry

end Proofs
