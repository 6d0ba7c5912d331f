"""A claim: one statement, what would decide it, and what we expect before anything runs.

Which engines run follows from what the claim supplies, so that it cannot say more than its
evidence: a `formula` over `parameters` is searched for counterexamples; a `box` is covered by
enclosures; the proof assistant's record may hold a theorem; a `sentence` about experiments is
judged by runs.
`proofs_check/ledgers/template.toml` is the guide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Context, Decimal, localcontext
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from bounds.errors import CtvBoundsError
from proofs_check.language import formula as language
from proofs_check.language import kinds
from proofs_check.language.parameters import Parameter

Kind = Literal["printed", "step", "repair", "theory", "trusted", "planted"]
"""Where a statement comes from; planted is a false neighbour of ours, to try the engines on."""
Finding = Literal[
    "none",
    "false",
    "gap",
    "missing hypothesis",
    "wrong reason",
    "vacuous",
    "slip",
    "not reproduced",
    "scope",
    "ill-posed",
]
AGAINST: tuple[Finding, ...] = ("false", "missing hypothesis", "gap", "vacuous")
"""Findings that count against a statement or its proof."""
APART: tuple[Finding, ...] = ("slip", "wrong reason", "scope", "ill-posed", "not reproduced")
"""Misprints, true statements for another reason than the printed one or about less than the paper
is, sentences that say nothing definite, and what runs contradict."""
Consequence = Literal["", "none", "constant", "hypothesis", "rate", "conclusion"]
"""What a finding changes of the paper's results: nothing, a number, what is assumed, how a bound
grows, or what is concluded."""
Repaired = Literal["", "obvious", "given", "open"]
"""How a finding is repaired: in a reader's head, by a claim of the ledger, or by nobody yet."""
PrintedProof = Literal["sound", "gap", "false", "absent"]
Road = Literal["prover", "enclosure", "exact", "search", "runs", "outline"]
_FEWEST_DIGITS, _MOST_DIGITS = 6, 60
_ID = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
"""Theorems of the assistant are named after ids, no two of them alike."""
_FRACTION = re.compile(r"-?[0-9]+(?:/0*[1-9][0-9]*|(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?)")
_TINY = Fraction(1, 10**300)
"""Below it, and above its inverse, numbers are shown without doubles."""


class BadClaim(CtvBoundsError, ValueError):
    """A claim contradicts itself or names something that does not exist."""


class Verdict(StrEnum):
    """What a machine found; each member says in `meaning` what it does and does not say."""

    meaning: str

    PROVED = "PROVED", "every step is checked by machine, for the whole domain and every size"
    PROVED_ON_BOX = "PROVED_ON_BOX", "proved on the named part of the domain only"
    PROVED_UP_TO = "PROVED_UP_TO", "proved for the sizes named, and for no larger ones"
    OUTLINE = (
        "OUTLINE",
        "the steps are checked by machine; what joins them is a person's argument",
    )
    SUPPORTED = "SUPPORTED", "no counterexample was found; this proves nothing"
    REFUTED = "REFUTED", "a counterexample was re-verified exactly or by enclosure"
    UNDECIDED = "UNDECIDED", "neither proved nor refuted within the budget"
    ERROR = "ERROR", "the checker contradicts itself; nothing may be concluded"

    def __new__(cls, name: str, meaning: str) -> Verdict:
        """A verdict whose text is its name."""
        member = str.__new__(cls, name)
        member._value_, member.meaning = name, meaning
        return member


@dataclass(frozen=True)
class Claim:
    """One statement of the paper, of docs/theory.md, a repair, or a textbook fact.

    `formula` compares two sides over `parameters`, wherever the `hypotheses` hold; `let` names
    parts of it in order. `witnesses` are cases the search tries first. `box` asks for enclosures:
    "all" is the whole domain, a dictionary a part of it. `rests_on` are the claims that a person's
    argument uses, `outline` what a person joined: where the assistant has not joined it, the
    verdict is OUTLINE. What a theorem of the theories uses the assistant says, not the claim.
    A finding has three grades: what it is, its `consequence`, and how it is `repaired`.
    `place_of` names the claim whose finding this one meets at another place, `places` those of the
    paper at which the claim stands.

    `proof` is a script for the proof assistant, one tactic a line. `theorem` names a theorem of the
    theories that states the claim, and the script then proves the formula from it; `says` is that
    theorem in words and `differs` where it departs from those of the claim; of several claims of
    one theorem the first holds both. `premises` are phrases of the claim for what it assumes.

    Where a theorem is the claim, and no script proves a formula from it, the claim has no formula:
    `case` is then one case of it, over `parameters`, that is searched for counterexamples. It is no
    part of the claim, and nothing proves the claim but the theorem.

    A claim that `cites` one of the shipped ledgers has the mathematics of that one, and its proof.

    A claim about runs names a `sentence` of `simulation.paper.sentences` and has no formula. A
    sample neither proves nor refutes: it is SUPPORTED or UNDECIDED, and has a finding exactly
    where the sample contradicts it at 95 %.
    """

    id: str
    label: str
    where: str
    statement: str
    formula: str
    expected: Verdict
    because: str
    parameters: tuple[Parameter, ...] = ()
    let: tuple[tuple[str, str], ...] = ()
    hypotheses: tuple[str, ...] = ()
    kind: Kind = "printed"
    reading: str = ""
    witnesses: tuple[dict[str, Any], ...] = ()
    box: dict[str, tuple[str, str]] | Literal["all"] | None = None
    outline: str = ""
    rests_on: tuple[str, ...] = ()
    finding: Finding = "none"
    printed_proof: PrintedProof = "absent"
    repairs: tuple[str, ...] = ()
    consequence: Consequence = ""
    repaired: Repaired = ""
    place_of: str = ""
    remark: str = ""
    sentence: str = ""
    places: tuple[str, ...] = ()
    theorem: str = ""
    says: str = ""
    differs: str = ""
    premises: tuple[tuple[str, tuple[str, ...]], ...] = ()
    proof: str = ""
    case: str = ""
    cites: str = ""

    def __post_init__(self) -> None:
        """Raises `BadClaim` where the claim contradicts itself."""
        if not _ID.fullmatch(self.id):
            raise BadClaim(f"{self.id}: an id is made of ASCII letters and digits, joined by -")
        if not self.theorem and (self.says or self.differs or self.premises):
            raise BadClaim(f"{self.id}: says, differs and premises are about a theorem; name it")
        if self.sentence:
            self._require_no_formula()
            return
        known: set[str] = set()
        for name in (*(p.name for p in self.parameters), *(name for name, _ in self.let)):
            if name in known or not language.NAME.fullmatch(name) or name in language.RESERVED:
                raise BadClaim(f"{self.id}: {name!r} cannot name a parameter or a definition")
            known.add(name)
        if bool(self.formula) == bool(self.case):
            raise BadClaim(f"{self.id}: a claim has a formula, or a theorem and a case of it")
        if self.case and (not self.theorem or self.proof or self.box is not None):
            raise BadClaim(f"{self.id}: a case stands beside a theorem, without proof and box")
        texts = (self.searched, *self.hypotheses, *(meaning for _, meaning in self.let))
        captured = known & frozenset().union(*map(language.indices, texts))
        if captured:
            raise BadClaim(f"{self.id}: {min(captured)!r} is an index and a number")
        known = {parameter.name for parameter in self.parameters}
        for name, meaning in self.let:
            self._require_known(meaning, known)
            known.add(name)
        if language.is_all(language.parse(self.searched).body):
            raise BadClaim(f"{self.id}: all(...) is for hypotheses; let an index be a parameter")
        for text in (self.searched, *self.hypotheses):
            language.relation(self.expanded(text) if self.let else text)
            self._require_known(text, known)
        self._require_kinds()
        self._require_cases({parameter.name for parameter in self.parameters})
        if self.expected is Verdict.REFUTED and self.finding in ("vacuous", "wrong reason"):
            raise BadClaim(f"{self.id}: what is {self.finding} is true, and not refuted")
        ours = self.kind in ("theory", "planted")
        if self.expected is Verdict.REFUTED and self.finding == "none" and not ours:
            raise BadClaim(f"{self.id}: a refuted claim of the paper needs a finding")
        if self.kind == "planted" and self.expected is not Verdict.REFUTED:
            raise BadClaim(f"{self.id}: what is planted is false, and expected to be REFUTED")
        if self.finding == "none" and (self.consequence or self.repaired):
            raise BadClaim(f"{self.id}: consequence and repaired grade a finding; name it")
        if self.finding != "none" and self.kind not in ("printed", "step", "theory"):
            raise BadClaim(f"{self.id}: only printed statements have findings")

    def _require_no_formula(self) -> None:
        of_formulas = self.parameters, self.let, self.hypotheses, self.witnesses
        if self.formula or self.case or any(of_formulas):
            raise BadClaim(f"{self.id}: a sentence about runs has no formula")
        if self.box is not None or self.rests_on or self.proof or self.theorem:
            raise BadClaim(f"{self.id}: a sentence about runs is judged by runs alone")
        if self.expected not in (Verdict.SUPPORTED, Verdict.UNDECIDED):
            raise BadClaim(f"{self.id}: runs can neither prove nor refute")
        if self.expected is Verdict.SUPPORTED and self.finding != "none":
            raise BadClaim(f"{self.id}: a supported sentence has no finding")

    def _require_cases(self, known: set[str]) -> None:
        """Witnesses give every parameter exact numbers."""
        for case in self.witnesses:
            if set(case) != known or not all(map(is_exact, case.values())):
                raise BadClaim(
                    f"{self.id}: a witness gives integers and fractions to {sorted(known)}"
                )

    def _require_kinds(self) -> None:
        """Bounds and sizes are numbers, the formula and its hypotheses comparisons of numbers."""
        known: dict[str, language.Kind] = {}
        for parameter in self.parameters:
            bounds = (getattr(parameter, name, None) for name in ("low", "high", "length", "size"))
            for bound in bounds:
                if isinstance(bound, str):
                    self._require_known(bound, set(known))
                    self._require_kind(bound, known, language.NUMBER)
            known[parameter.name] = kinds.of_parameter(parameter)
        for name, meaning in self.let:
            known[name] = kinds.kind_of(meaning, known)
            if known[name] == language.COMPARISON:
                raise BadClaim(f"{self.id}: {name} is a comparison, not a number")
        for text in (self.searched, *self.hypotheses):
            self._require_kind(text, known, language.COMPARISON)

    def _require_kind(self, text: str, known: dict[str, language.Kind], kind: str) -> None:
        if kinds.kind_of(text, known) != kind:
            raise BadClaim(f"{self.id}: {text[:60]!r} is no {kind}")

    def _require_known(self, text: str, known: set[str]) -> None:
        unknown = language.names(text) - known
        if unknown:
            raise BadClaim(f"{self.id}: {sorted(unknown)} not defined in {text!r}")

    @property
    def searched(self) -> str:
        """What a search looks for counterexamples of: the formula, or a case of the theorem."""
        return self.formula or self.case

    @property
    def domain(self) -> str:
        """The set over which the statement is quantified, in symbols."""
        if self.sentence:
            return "the distribution of runs over seeds"
        parts = [parameter.describe() for parameter in self.parameters]
        return "; ".join([*parts, *self.hypotheses]) or "no free parameters"

    def expanded(self, text: str) -> str:
        """`text` with the definitions of `let` written out."""
        return language.expand(text, self.let)


@dataclass(frozen=True)
class Counterexample:
    """A case that violates the claim, with both sides enclosed by rational numbers."""

    case: dict[str, Any]
    left: tuple[str, str]
    right: tuple[str, str]
    relation: str

    def __str__(self) -> str:
        left, right = shown_side(self.left, self.right), shown_side(self.right, self.left)
        return f"{show(self.case)}: {left} {self.relation} {right} fails"


@dataclass(frozen=True)
class Evidence:
    """What one engine found about one claim; runs may contradict without refuting.

    `undefined` counts the cases of the domain in which the formula has no value; `witness` is a
    point of the domain; `sizes` are the largest integers tried. Of the prover: the `theorem` and
    the claims that it `uses`.
    """

    engine: Literal["search", "enclosure", "exact", "prover", "runs"]
    verdict: Verdict
    sentence: str
    cases: int = 0
    counterexample: Counterexample | None = None
    contradicted: bool = False
    undefined: int = 0
    witness: dict[str, Any] | None = None
    sizes: dict[str, int] = field(default_factory=dict)
    theorem: str = ""
    uses: tuple[str, ...] = ()


def is_exact(value: Any) -> bool:
    """Whether a value is made of integers, fractions, and texts of such: no doubles, no nan."""
    if isinstance(value, list | tuple):
        return all(map(is_exact, value))
    if isinstance(value, str):
        return _FRACTION.fullmatch(value) is not None
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def show(value: Any) -> str:
    """A case or a value, short and readable.

    >>> from fractions import Fraction
    >>> show({"eps": Fraction(1, 2), "t": [Fraction(0), Fraction(3)]})
    'eps = 1/2, t = [0, 3]'
    """
    if isinstance(value, dict):
        return ", ".join(f"{name} = {show(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return "[" + ", ".join(show(item) for item in value) + "]"
    return str(value)


def shown_side(side: tuple[str, str], other: tuple[str, str] | None = None) -> str:
    """An exact side as it is, an enclosed one to six digits, more where it is close to the other.

    >>> shown_side(("1/3", "1/3")), shown_side(("0", "1/3"), ("1", "1"))
    ('1/3', '≈ 0.166667')
    >>> shown_side(("4/27", "4/27"), ("4/27", "40000001/270000000"))
    '4/27 ≈ 0.1481481481'
    """
    digits = _FEWEST_DIGITS
    if other is not None and _middle(side) != _middle(other):
        while digits < _MOST_DIGITS and _decimal(side, digits) == _decimal(other, digits):
            digits += 2
    low, high = Fraction(side[0]), Fraction(side[1])
    text = str(low)
    if low != high:
        return f"≈ {_decimal(side, digits)}"
    if len(text) > 24:
        return _decimal(side, digits)
    if digits > _FEWEST_DIGITS and low.denominator > 1:
        return f"{text} ≈ {_decimal(side, digits)}"
    return text


def _middle(side: tuple[str, str]) -> Fraction:
    return (Fraction(side[0]) + Fraction(side[1])) / 2


def _decimal(side: tuple[str, str], digits: int) -> str:
    middle = _middle(side)
    if digits <= _FEWEST_DIGITS and (middle == 0 or _TINY < abs(middle) < 1 / _TINY):
        return f"{float(middle):.{digits}g}"
    with localcontext(Context(prec=digits)):
        return str(Decimal(middle.numerator) / Decimal(middle.denominator))
