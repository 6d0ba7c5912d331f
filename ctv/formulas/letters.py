"""Text for a terminal or file that cannot take every letter: Greek by name, boxes as ASCII."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from typing import TextIO

_WRITTEN = {
    "γ": "gamma",
    "β": "beta",
    "ε": "eps",
    "σ": "sigma",
    "θ": "theta",
    "τ": "tau",
    "δ": "delta",
    "κ": "kappa",
    "ν": "nu",
    "μ": "mu",
    "ξ": "xi",
    "α": "alpha",
    "λ": "lambda",
    "Σ": "sum",
    "Õ": "O~",
    "√": "sqrt",
    "∞": "inf",
    "≤": "<=",
    "≥": ">=",
    "×": "x",
    "·": "*",
    "−": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "◂": "<",
    "●": "*",
    "→": "->",
    "±": "+-",
    "«": '"',
    "»": '"',
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "′": "'",
    "½": "1/2",
    "ℓ": "l",
    "≈": "~",
    "∑": "sum",
    "∫": "int",
    "∈": "in",
    "⌈": "ceil(",
    "⌉": ")",
    "ₙ": "_n",
    "ₘ": "_m",
    "ₜ": "_t",
    "ᵢ": "_i",
    "ⱼ": "_j",
    "ₖ": "_k",
    "\u0303": "~",
    "²": "^2",
    "³": "^3",
    "₀": "_0",
    "₁": "_1",
    "₂": "_2",
    "ₓ": "_x",
}
_BOXES = str.maketrans("─━═│┃║┌┐└┘├┤┬┴┼╭╮╰╯╴╷╶╵", "---|||" + "+" * 17)


def in_letters_of(text: str, encoding: str | None) -> str:
    """`text` in letters that the encoding has.

    >>> in_letters_of("γ̃ₙ ≤ 3·√β", "ascii")
    'gamma~_n <= 3*sqrtbeta'
    >>> in_letters_of("1 ± ½ → γ", "cp1252")
    '1 ± ½ -> gamma'
    """
    encoding = encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_letter(letter, encoding) for letter in text)
    return text


def _letter(letter: str, encoding: str) -> str:
    for written in (letter, _WRITTEN.get(letter, ""), letter.translate(_BOXES)):
        if written and _takes(encoding, written):
            return written
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(letter) else "?")


def _takes(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_letter(letter, "ascii") for letter in text), error.end


def write_any_letter(*streams: TextIO | None) -> None:
    """Let these streams replace letters that their encoding lacks, instead of raising."""
    codecs.register_error("ctv.letters", _replace)
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="ctv.letters")


def encoding_of_output() -> str:
    """The encoding of standard output; UTF-8 where it has none."""
    return getattr(sys.stdout, "encoding", None) or "utf-8"
