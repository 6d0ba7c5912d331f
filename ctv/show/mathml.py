"""Formulas as MathML, which browsers typeset without a script."""

from __future__ import annotations


def mathml(latex: str) -> str:
    """A displayed formula.

    >>> mathml("x")[:6]
    '<math '
    """
    from latex2mathml.converter import convert

    return str(convert(latex, display="block"))
