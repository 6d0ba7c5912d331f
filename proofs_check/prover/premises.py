"""The premises of a theorem of the theories, and where the words of a claim say each.

A theorem proves words that assume no less than it does. So every premise of its statement, as the
assistant prints it, has to stand in the statement or the reading of the claim, in one of the
phrases that its own table gives for it (`premises`), or hypotheses.toml for all theorems; a premise
without phrases counts as unsaid. What a
reading says of the case that is searched is no hypothesis of the claim.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from proofs_check.language.claim import Claim
from proofs_check.language.words import stands
from proofs_check.prover.kernel import ROOT

_SHARED, _DEFINED = "every theorem", "special cases"
_OF_THE_SEARCH = re.compile(r"[Tt]he (search tries|formula:)[^.]*")


@dataclass(frozen=True)
class Hypothesis:
    """What a theorem assumes, and the phrase of a claim's words that says it; empty where none."""

    premise: str
    words: str


@lru_cache(maxsize=1)
def phrases() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """What hypotheses.toml holds: phrases by premise, of all theorems and for special cases."""
    return tomllib.loads((ROOT / "hypotheses.toml").read_text(encoding="utf-8"))


def hypotheses(claim: Claim, statement: str) -> tuple[Hypothesis, ...]:
    """The premises of a theorem, each with the phrase that says it in the words of a claim."""
    words = f"{claim.statement} ; {_OF_THE_SEARCH.sub('', claim.reading)}"
    texts = {
        premise: next((phrase for phrase in ways(claim, premise) if says(words, phrase)), "")
        for premise in (*premises(statement), *special_cases(statement))
    }
    return tuple(Hypothesis(premise, said.replace(" & ", "; ")) for premise, said in texts.items())


def ways(claim: Claim, premise: str) -> Sequence[str]:
    """The phrases that say a premise: those of the claim, or else those of all claims."""
    tables = (dict(claim.premises), phrases()[_SHARED], phrases()[_DEFINED])
    return next((table[premise] for table in tables if premise in table), ())


def special_cases(statement: str) -> tuple[str, ...]:
    """The definitions in a statement that stand for special times or kernels: hypotheses too."""
    return tuple(name for name in phrases()[_DEFINED] if re.search(rf"\b{name}\b", statement))


def says(words: str, phrase: str) -> bool:
    """Whether every part of a phrase stands in words, not as a part of longer ones.

    A comparison is not a part of another one either, nor denied.

    >>> says("for points >= 0", "s >= 0"), says("for s >= 0 and n >= 1", "n >= 1 & s >= 0")
    (False, True)
    """
    return all(
        stands(re.escape(part), words)
        if re.search("[<>=]", part)
        else re.search(rf"(?<![\w.]){re.escape(part)}(?![\w.]*\w)", words) is not None
        for part in phrase.split(" & ")
    )


def premises(statement: str) -> tuple[str, ...]:
    """What `NAME : statement` assumes, in order: also what parts of its conclusion do.

    >>> premises("t : forall n : nat, (0 < n)%nat -> (forall i : nat, P i -> Q i) -> R")
    ('(0 < n)%nat', '(forall i : nat, P i -> Q i)')
    """
    return tuple(dict.fromkeys(_premises(" ".join(statement.split()).partition(" : ")[2])))


def _premises(text: str) -> Iterator[str]:
    text = text.strip()
    if text.startswith("(") and _closes(text) == len(text) - 1:
        yield from _premises(text[1:-1])
    elif text.startswith(("forall ", "exists ")):
        yield from _premises(_cut(text, ",")[1])
    elif text.startswith("let "):
        yield from _premises(_cut(text, " in ")[1])
    else:
        first, rest = _cut(text, " -> ")
        if rest:
            yield first.strip()
            yield from _premises(rest)
        else:
            first, rest = _cut(text, "/\\")
            for part in (first, rest) if rest else ():
                yield from _premises(part)


def _cut(text: str, sign: str) -> tuple[str, str]:
    """A text before and after the first of a sign that stands in no parentheses."""
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0 and text.startswith(sign, at):
            return text[:at], text[at + len(sign) :]
    return text, ""


def _closes(text: str) -> int:
    """Where the parenthesis that a text begins with is closed."""
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return at
    return -1
