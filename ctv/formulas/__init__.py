"""Formulas and mathematical text as people read them: LaTeX, MathML, letters of a terminal."""
