"""Whether the words of a claim say what its formula assumes.

A theorem about letters is not yet one about what the words speak of. So a claim counts as PROVED
only where its words, `statement` or `reading`, name every parameter and state every hypothesis, the
ends of a domain that depend on other parameters included, in the notation of its formula: `<=` or
`>=`, `x^2` or `x²` for `x**2`, `εT` for `eps*T`, `|x|` for `abs(x)`, `x in [a, b]` for ends. What
they leave out is said in the words of a person alone, and the verdict is OUTLINE.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from unicodedata import lookup

from proofs_check.language import formula
from proofs_check.language.claim import Claim
from proofs_check.language.parameters import Integer, Real, Vector

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta kappa mu nu xi pi rho sigma tau phi psi omega"
)
_LETTERS = {
    **{name: lookup(f"GREEK SMALL LETTER {name}") for name in _GREEK.split()},
    "eps": "ε",
    "lam": "λ",
    "sd": "σ",
}
_TOKEN = re.compile(r"[A-Za-z]\w*|\d+(?:\.\d+)?|\*\*|[<>=!]=|\S")
_MIRRORED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "==": "==", "!=": "!="}
_SIGNS = "*/+^·×⋅∘√∑∏∪∩−–!%'’′-"
_FACTOR = r"(?:[b-zB-HJ-ZΑ-Ωα-ω]|\d+(?:\.\d+)?)(?![\w.]*\w)"
"""A letter or a number beside a side of a comparison, which it multiplies; an article is none."""
_FUNCTIONS = "log ln exp sqrt sin erf max min sup inf abs floor ceil det trace sum"
_OTHERS = "non either or"
"""What makes a comparison one of several."""
_DENIES = "or need may might"
_BEFORE = re.compile(
    rf"(?:[\w.)\]{_SIGNS}]|[)\]{_SIGNS}]\s+|(?<![\w'])(?:{_FACTOR}|(?:"
    rf"{'|'.join((_FUNCTIONS + ' ' + _OTHERS).split())}))\s+)\Z"
)
"""What a comparison, or the set of a letter, stands behind where its words say another one."""
_AFTER = re.compile(
    rf"[\w({_SIGNS}]|[.,]\w|\s*[{_SIGNS}]|\s+{_FACTOR}|\s+(?:"
    rf"{'|'.join((_FUNCTIONS + ' ' + _DENIES).split(' '))})(?!\w)"
)
"""What stands behind a comparison, or an interval, where its words say another one."""
_INTRODUCED = re.compile(
    r"(?:\A|[,;:.–]|(?<!\w)\(|[<>=∈]|(?<![\w'’-])(?:and|with|for|where|when|if|given|let|all|any|every|"
    r"each|is|are|has|have|here|means|assume|suppose|words|at|lags|times|prices|bands|choices|weights|"
    r"counts|looks|real|numbers|integers))\s*\Z", re.I)  # fmt: skip
_GOES_ON = re.compile(
    r"\s*(?:\Z|[,;:.(–)\]<>=]|(?:and|then|with|where|for (?:all|each|every)|the|that|of|cells|"
    r"implies|give|suffices|is enough)(?!\w))")  # fmt: skip
"""What a hypothesis of a formula stands behind and before: words of any other kind may deny it."""

_SENTENCE = re.compile(r"[;.:?](?=\s|\Z)")
_NEGATED = re.compile(
    r"(?i)(?<![\w-])(?:not?|never|none|nor|neither|cannot|without|unless|regardless|irrespective|"
    r"whether|despite|although|though|even|drop\w*|omit\w*|superfluous|unnecessar\w*|needless\w*|"
    r"needed|redundant|false|untrue|fails?|failed|failing|violat\w*|excep\w*|beyond|unlike|instead|"
    r"hardly|waiv\w*|relax\w*|remov\w*|lacks?|lacking|exclu\w*|ignor\w*|dispens\w*|discard\w*|"
    r"abandon\w*|away|rather|other than|apart from|union(?=\s*[\[({])|\w+n['’]t)(?!\w)|[¬!∪∖]"
)
"""What a sentence has that may take back a hypothesis in it."""
_CONCLUDED = re.compile(
    r"(?<![\w-])(?:hence|thus|therefore|implies|imply|follows?|so(?!\s+far)|gives?)(?!\w)", re.I
)
"""Behind it stands a conclusion."""


def unsaid(claim: Claim) -> tuple[str, ...]:
    """The hypotheses and the parameters that the words of a claim leave out, in order."""
    words = f"{claim.statement} ; {claim.reading}"
    missing = [text for text in assumed(claim) if not states(words, text)]
    covered = set().union(*map(formula.names, assumed(claim)))
    left = [parameter for parameter in claim.parameters if parameter.name not in covered]
    named = {p.name: _named(words, p.name, isinstance(p, Vector)) for p in left}
    return (*missing, *(name for name in named if not named[name]))


def assumed(claim: Claim) -> Iterator[str]:
    """The hypotheses of a claim, with the ends of domains that depend on other parameters."""
    yield from claim.hypotheses
    for parameter in claim.parameters:
        if isinstance(parameter, Real | Integer):
            for end, sign in (("low", ">"), ("high", "<")):
                bound = getattr(parameter, end)
                if isinstance(bound, str) and formula.names(bound):
                    sign += "" if getattr(parameter, f"{end}_open", False) else "="
                    yield f"{parameter.name} {sign} {bound}"


def states(words: str, comparison: str) -> bool:
    """Whether words state a comparison, either way round or as an end of an interval.

    Not where it is a part of another one, as `x <= 2` of "x <= 2 y", or is denied or one of two. A
    condition of the field, such as `confidence_event(...)`, is stated by its name.
    """
    named = re.match(r"\w+(?=\()", comparison)
    if named and named[0] in formula.DEFINED and formula.is_condition(named[0]):
        return stands(named[0].replace("_", "[- ]"), words.lower())
    words = _plain(words)
    tree = formula.parse(comparison).body
    if formula.is_all(tree):  # the index and its range are words: «v[k] >= 0 for every k»
        comparison = ast.unparse(tree.args[0].elt)  # type: ignore[attr-defined]
    left, sign, right = formula.relation(comparison)
    first, last = _pattern(left), _pattern(right)
    if stands(rf"{first}\s*{sign}\s*{last}|{last}\s*{_MIRRORED[sign]}\s*{first}", words, True):
        return True
    opens = {">=": r"\[", ">": r"\("}.get(sign)
    closes = {"<=": r"\]", "<": r"\)"}.get(sign)
    if opens:
        return stands(rf"{first} in {opens}\s*{last}\s*,[^;:\])]*[\])]", words, True)
    return bool(closes) and stands(rf"{first} in [\[(][^;:\]]*,\s*{last}\s*{closes}", words, True)


def stands(pattern: str, words: str, assumed: bool = False) -> bool:
    """Whether what a pattern finds in words stands there by itself, in one place at least.

    What is `assumed` stands between such words as introduce a hypothesis and go on behind one.
    """
    return any(
        not _BEFORE.search(before := words[: match.start()])
        and not _AFTER.match(words, match.end())
        and not denied(words, match.start(), match.end())
        and (not assumed or (_INTRODUCED.search(before) and _GOES_ON.match(words, match.end())))
        for match in re.finditer(pattern, words)
    )


def denied(words: str, start: int, end: int) -> bool:
    """Whether the sentence around a place denies or weakens what stands there, or concludes it.

    A sentence that denies anything says no hypothesis: which of its parts it denies is for people.

    >>> denied("S fails where x >= 0.", 14, 20), denied("S where x >= 0. Not y.", 8, 14)
    (True, False)
    """
    first = max((match.end() for match in _SENTENCE.finditer(words, 0, start)), default=0)
    last = _SENTENCE.search(words, end)
    sentence = words[first : last.start() if last else len(words)]
    return bool(_NEGATED.search(sentence) or _CONCLUDED.search(words, first, start))


def _named(words: str, name: str, many: bool = False) -> bool:
    """Whether a letter stands in the words as a letter: an article before a noun is none.

    A list is named by its entries too, `v_t` or `v_1`.
    """
    article = r"|\s+(?!in\b|and\b|or\b)[A-Za-z]" if name in ("a", "A", "I") else ""
    ends = r"(?!_?[A-Za-z]{2}|[A-Za-z]|_(?![A-Za-z0-9]))" if many else rf"(?![A-Za-z_]{article})"
    spelt = rf"(?<![A-Za-z_]){re.escape(_plain(name))}{ends}"
    return re.search(spelt, _plain(words)) is not None


def _plain(text: str) -> str:
    """One notation: ^ for powers, Greek letters, no signs of multiplication."""
    for power, digit in (("²", "2"), ("³", "3")):
        text = text.replace(power, f"^{digit}")
    text = re.sub(r"\|([^|;]*)\|", r"abs(\1)", text).replace("**", "^").replace("≤", "<=")
    for name, letter in _LETTERS.items():
        text = re.sub(rf"(?<![A-Za-z_]){name}(?![A-Za-z_])", letter, text)
    return text


def _pattern(side: str) -> str:
    """A side of a comparison as a pattern: any white space, products with or without a sign."""
    parts = [re.escape(token) for token in _TOKEN.findall(_plain(side)) if token != "*"]
    return r"\s*\*?\s*".join(parts)
