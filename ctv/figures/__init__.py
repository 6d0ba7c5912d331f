"""Pictures of values that are already computed; nothing here computes a bound or draws a number.

One module a figure, each with a function `draw`; `canvas` has what they share.
"""
