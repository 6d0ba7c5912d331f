"""Text of tables for LaTeX: what LaTeX reads as markup escaped, letters as its commands."""

from __future__ import annotations

import re

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
    "α": r"$\alpha$",
    "λ": r"$\lambda$",
    "μ": r"$\mu$",
    "ξ": r"$\xi$",
    "π": r"$\pi$",
    "ρ": r"$\rho$",
    "ϱ": r"$\varrho$",
    "φ": r"$\varphi$",
    "χ": r"$\chi$",
    "Ψ": r"$\Psi$",
    "°": r"$^\circ$",
    "ψ": r"$\psi$",
    "ω": r"$\omega$",
    "ζ": r"$\zeta$",
    "Δ": r"$\Delta$",
    "Λ": r"$\Lambda$",
    "Π": r"$\Pi$",
    "Φ": r"$\Phi$",
    "Ω": r"$\Omega$",
    "∂": r"$\partial$",
    "∈": r"$\in$",
    "∘": r"$\circ$",
    "∫": r"$\int$",
    "‖": r"$\Vert$",
    "ₖ": "$_k$",
    "ℓ": r"$\ell$",
    "ᵀ": "$^T$",
    "ϕ": r"$\phi$",
    "Õ": r"$\tilde O$",
    "̃": r"\~{}",
    "̂": r"\^{}",
    "⪯": r"$\preceq$",
    "⪰": r"$\succeq$",
    "⁰": "$^0$",
    "⌊": r"$\lfloor$",
    "⌋": r"$\rfloor$",
    "Γ": r"$\Gamma$",
    "₃": "$_3$",
    "ⱼ": "$_j$",
    "₊": "$_+$",
    "⁻": "$^-$",
    "¹": "$^1$",
    "⁴": "$^4$",
    "é": r"\'e",
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


_RAISED = re.compile(r"\^[\w+-](?:\^[\w+-])+|(?<!\\)_[\w+-](?:_[\w+-])+")
"""Exponents and indices that stand beside each other, which LaTeX takes for two of one letter."""


def as_latex(text: str) -> str:
    r"""`text` for the body of a LaTeX document; joined formulas share their dollars.

    >>> as_latex("γ̃ₙ ≤ 3 % of C_1")
    '$\\tilde\\gamma_n$ $\\le$ 3 \\% of C\\_1'
    >>> as_latex("K⁻¹")
    'K$^{-1}$'
    """
    written = "".join(_ESCAPED.get(letter, letter) for letter in text)
    for letter, command in _LETTERS.items():
        written = written.replace(letter, command)
    return _RAISED.sub(
        lambda match: f"{match[0][0]}{{{match[0].replace(match[0][0], '')}}}",
        written.replace("$$", ""),
    )
