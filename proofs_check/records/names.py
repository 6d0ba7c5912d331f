"""Names of claims as people type them: an id, a label, a place.

>>> belonging(["lemma-1-exact"])
['lemma-1-exact']
>>> belonging(["Lemma 1"]) == belonging(["lem. 1"])
True
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim
from proofs_check.ledgers import CLAIMS

_SHORT = {
    "app": "appendix",
    "appendices": "appendix",
    "assump": "assumption",
    "cor": "corollary",
    "equation": "eq",
    "equations": "eq",
    "eqs": "eq",
    "lem": "lemma",
    "lemmas": "lemma",
    "prop": "proposition",
    "sec": "section",
    "sect": "section",
    "sections": "section",
    "th": "theorem",
    "thm": "theorem",
    "theorems": "theorem",
}
"""How the words of a label are also written."""


def belonging(names: Sequence[str], claims: Sequence[Claim] = CLAIMS) -> list[str]:
    """The ids that these names stand for, each once: an id, or all claims of a label or a place.

    A claim belongs to «Lemma 1» (lemma-1, lemma1, Lem. 1) if its id, its label or its place has
    these words in this order, so that «Lemma 10» does not belong. Raises `InvalidInput` for a name
    to which nothing belongs, with the nearest ones.
    """
    ids = {claim.id for claim in claims}
    chosen: dict[str, None] = {}
    words: list[tuple[str, list[tuple[str, ...]]]] | None = None
    for name in names:
        if name in ids:
            chosen[name] = None
            continue
        words = words or [
            (claim.id, [_words(text) for text in (claim.id, claim.label, _place(claim))])
            for claim in claims
        ]
        wanted = _words(name)
        here = [id for id, texts in words if any(_within(wanted, text) for text in texts)]
        if not wanted or not here:
            raise InvalidInput("claim", name or "''", _nearest(name, words))
        chosen |= dict.fromkeys(here)
    return list(chosen)


def _words(text: str) -> tuple[str, ...]:
    """Words and numbers in small letters, written out: ("lemma", "1") of Lem. 1."""
    parts = re.findall(r"[^\W\d_]+|\d+(?:\.\d+)*", text.lower().replace("§", " section "))
    return tuple(_SHORT.get(part, part) for part in parts)


def _place(claim: Claim) -> str:
    """Where the claim stands, without what it is compared with there."""
    return re.split(r"\b(?:against|as|with)\b", claim.where)[0]


def _within(wanted: tuple[str, ...], text: tuple[str, ...]) -> bool:
    """Whether `text` has these words one after another; section 5.3 is within section 5."""
    length = len(wanted)
    parts = [text[i : i + length] for i in range(len(text) - length + 1)]
    if wanted[:1] == ("section",) and length > 1:
        return any(p[0] == "section" and f"{p[1]}.".startswith(f"{wanted[1]}.") for p in parts)
    return wanted in parts


def _nearest(name: str, words: Sequence[tuple[str, list[tuple[str, ...]]]]) -> str:
    """What may have been meant: labels before ids, as fewer words name more."""
    numbered = re.compile(r"[a-h]|\d+")
    heads = {
        f"{text[i]} {text[i + 1]}"
        for _, texts in words
        for text in texts
        for i in range(len(text) - 1)
        if text[i] in _SHORT.values() and numbered.fullmatch(text[i + 1])
    }
    wanted = " ".join(_words(name))
    near = get_close_matches(wanted, sorted(heads), n=3, cutoff=0.8)
    near += get_close_matches(name.lower(), [id for id, _ in words], n=3, cutoff=0.6)
    if near:
        return "nearest: " + ", ".join(near[:3])
    return (
        "give an id, or a label or place such as «Lemma 1», «appendix B» or «eq. (time kernel)»: "
        "ctv verify lists them all"
    )
