"""Text of tables for LaTeX: what LaTeX reads as markup escaped, letters as its commands."""

from __future__ import annotations

_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_LETTERS = {
    "γ̃": r"$\tilde\gamma$",
    "γ": r"$\gamma$",
    "β": r"$\beta$",
    "ε": r"$\varepsilon$",
    "σ": r"$\sigma$",
    "θ": r"$\theta$",
    "τ": r"$\tau$",
    "δ": r"$\delta$",
    "κ": r"$\kappa$",
    "ν": r"$\nu$",
    "η": r"$\eta$",
    "Σ": r"$\Sigma$",
    "√": r"$\surd$",
    "∞": r"$\infty$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "±": r"$\pm$",
    "½": r"\textonehalf{}",
    "−": "$-$",
    "–": "--",
    "—": "---",
    "…": r"\dots{}",
    "′": "$'$",
    "²": "$^2$",
    "³": "$^3$",
    "ₙ": "$_n$",
    "ₘ": "$_m$",
    "ᵢ": "$_i$",
    "₀": "$_0$",
    "₁": "$_1$",
    "₂": "$_2$",
    "→": r"$\to$",
    "“": "``",
    "”": "''",
    "«": "``",
    "»": "''",
}


def as_latex(text: str) -> str:
    r"""`text` for the body of a LaTeX document; joined formulas share their dollars.

    >>> as_latex("γ̃ₙ ≤ 3 % of C_1")
    '$\\tilde\\gamma_n$ $\\le$ 3 \\% of C\\_1'
    """
    written = "".join(_ESCAPED.get(letter, letter) for letter in text)
    for letter, command in _LETTERS.items():
        written = written.replace(letter, command)
    return written.replace("$$", "")
