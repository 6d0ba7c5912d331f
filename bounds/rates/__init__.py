"""Rates: regimes of the regret exponent derived exactly, and the printed ones beside them.

- `lattice`     nests of maxima and minima of lines, their exact breakpoints
- `exponents`   the linear programme of each bound and its regimes, with numbers or formulas in c
- `gain_rates`  c from ν and d, with the hypotheses it rests on
- `tables`      regimes as text, LaTeX and records
- `printed`     Theorem 2 as printed, compared with what is derived; the ladder of exponents of ε
- `findings`    every difference with its verdict; `witness` its numbers
- `least`       between which exponents of ε the least regret lies, and by whom
- `literature`  rates that others publish, beside what is derived
- `phase`       finite n: which bound is best where
"""
