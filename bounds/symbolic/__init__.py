"""Symbolic: uniformity, gain bounds, best blocks and rates as sympy expressions, derived in code.

- `formula`     an expression with its symbols, conditions and derivation; values at any precision
- `pattern`     the families of evaluation times in symbols
- `uniformity`  C of a block; `clusters` for bursts and periods
"""
