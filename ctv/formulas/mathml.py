"""Formulas as MathML, which browsers typeset without a script."""

from __future__ import annotations


def mathml(latex: str) -> str:
    """A displayed formula, as an element of an HTML page: it needs no namespace there.

    >>> mathml("x")
    '<math display="block"><mrow><mi>x</mi></mrow></math>'
    """
    from latex2mathml.converter import convert

    return str(convert(latex, xmlns="", display="block")).replace(' xmlns=""', "")
