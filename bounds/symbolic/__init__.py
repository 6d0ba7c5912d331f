"""Symbolic: uniformity, gain bounds, best blocks and rates as sympy expressions, derived in code.

- `formula`     an expression with its symbols, conditions and derivation; limits, values
- `evaluation`  its value at numbers: rationals exactly, the rest by mpmath
- `pattern`     the families of evaluation times in symbols
- `uniformity`  C of a block; `clusters` for bursts and periods
- `gain`        upper bounds on the gain for equal blocks and for cuts of one's own
- `blocks`      the best length of equal blocks, as an expression or an equation
- `derivation`  from the bound through the best block to the exponent of regret
"""
