"""A claim: one statement, what would decide it, and what we expect before anything runs.

Which engines run follows from what the claim supplies, so that it cannot say more than its
evidence: a `formula` over `parameters` is searched for counterexamples; a `box` is covered by
enclosures; a `proof` is checked step by step; a `sentence` about experiments is judged by runs.
`proofs_check/claims/_template.py` is the guide.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Context, Decimal, localcontext
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal

from bounds.errors import CtvBoundsError
from proofs_check.language import formula as language
from proofs_check.language.parameters import Parameter

Kind = Literal["printed", "step", "repair", "theory", "trusted"]
Finding = Literal["none", "false", "gap", "missing hypothesis", "wrong reason", "vacuous", "slip"]
PrintedProof = Literal["sound", "gap", "false", "absent"]
_FEWEST_DIGITS, _MOST_DIGITS = 6, 60


class BadClaim(CtvBoundsError, ValueError):
    """A claim contradicts itself or names something that does not exist."""


class Verdict(StrEnum):
    """What a machine found; each member says in `meaning` what it does and does not say."""

    PROVED = "PROVED"
    PROVED_ON_BOX = "PROVED_ON_BOX"
    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"
    ERROR = "ERROR"

    @property
    def meaning(self) -> str:
        """One sentence for a reader."""
        return {
            "PROVED": "exact algebra or enclosures cover the whole stated domain",
            "PROVED_ON_BOX": "proved on the named part of the domain only",
            "SUPPORTED": "no counterexample was found; this proves nothing",
            "REFUTED": "a counterexample was re-verified exactly or by enclosure",
            "UNDECIDED": "neither proved nor refuted within the budget",
            "ERROR": "the checker contradicts itself; nothing may be concluded",
        }[self.value]


Citation = tuple[str, str] | tuple[str, str, dict[str, str]]


@dataclass(frozen=True)
class Identity:
    """A step: both sides of `formula` (an ==) are the same expression; sympy decides.

    Sums over ranges with symbolic ends are summed in closed form.
    """

    formula: str
    note: str = ""


@dataclass(frozen=True)
class Inequality:
    """A step: `formula` holds wherever `where` (comparisons) and the claim's domain hold.

    Polynomial comparisons, with min, max, abs and branches, are decided by z3; others need a
    finite `box` (name: (low, high)) and are covered by enclosures.
    """

    formula: str
    where: tuple[str, ...] = ()
    box: dict[str, tuple[str, str]] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Growth:
    """A step: `formula` (left <= right) holds for all `variable` >= `start`.

    It holds at `start`, and `derivative`, the derivative of right − left in `variable`, is
    non-negative from there on. Both are checked; so is that the derivative is that.
    """

    formula: str
    variable: str
    start: str
    derivative: str
    where: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Follows:
    """A step: `formula` follows by real algebra from what is `given`.

    Each given formula is an earlier step, a hypothesis of the claim, or is cited from another
    claim, `(formula, claim id)` or `(formula, claim id, {parameter: formula})`: an instance of what
    that claim states, by substitution for its parameters (`instances` checks it). Whatever is not
    polynomial is an unknown number with no property but the given ones.
    """

    formula: str
    given: tuple[str | Citation, ...]
    note: str = ""


Step = Identity | Inequality | Growth | Follows


@dataclass(frozen=True)
class Claim:
    """One statement of the paper, of docs/theory.md, a repair, or a textbook fact.

    `formula` compares two sides over `parameters`, wherever the `hypotheses` hold; `let` names
    parts of it in order. `witnesses` are cases the search tries first. `box` asks for enclosures:
    "all" is the whole domain, a dictionary a part of it. `proof` ends in the formula itself;
    `covers` is a comparison: the part of the domain it reaches if not all, and a hypothesis of
    every step. `rests_on` are the claims that the *evidence* uses.

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
    proof: tuple[Step, ...] = ()
    covers: str = ""
    rests_on: tuple[str, ...] = ()
    finding: Finding = "none"
    printed_proof: PrintedProof = "absent"
    repairs: tuple[str, ...] = ()
    remark: str = ""
    sentence: str = ""

    def __post_init__(self) -> None:
        """Raises `BadClaim` where the claim contradicts itself."""
        if self.sentence:
            self._require_no_formula()
            return
        known = {parameter.name for parameter in self.parameters}
        for name, meaning in self.let:
            self._require_known(meaning, known)
            known.add(name)
        for text in (self.formula, *self.hypotheses, *([self.covers] if self.covers else [])):
            language.relation(text)
            self._require_known(text, known)
        if self.expected is Verdict.REFUTED and self.finding in ("none", "vacuous"):
            raise BadClaim(f"{self.id}: a refuted claim needs a finding")
        if self.finding != "none" and self.kind not in ("printed", "step", "theory"):
            raise BadClaim(f"{self.id}: only printed statements have findings")
        if self.proof and self.normal(self.proof[-1].formula) != self.normal(self.formula):
            raise BadClaim(f"{self.id}: the last step of the proof is not the formula")
        cited = {g[1] for step in self.proof if isinstance(step, Follows)
                 for g in step.given if isinstance(g, tuple)}  # fmt: skip
        if not cited <= set(self.rests_on):
            raise BadClaim(f"{self.id}: cites {sorted(cited)} without resting on them")

    def _require_no_formula(self) -> None:
        if self.formula or self.parameters or self.let or self.hypotheses or self.witnesses:
            raise BadClaim(f"{self.id}: a sentence about runs has no formula")
        if self.box is not None or self.proof or self.rests_on:
            raise BadClaim(f"{self.id}: a sentence about runs is judged by runs alone")
        if self.expected not in (Verdict.SUPPORTED, Verdict.UNDECIDED):
            raise BadClaim(f"{self.id}: runs can neither prove nor refute")
        if self.expected is Verdict.SUPPORTED and self.finding != "none":
            raise BadClaim(f"{self.id}: a supported sentence has no finding")

    def _require_known(self, text: str, known: set[str]) -> None:
        unknown = language.names(text) - known
        if unknown:
            raise BadClaim(f"{self.id}: {sorted(unknown)} not defined in {text!r}")

    @property
    def domain(self) -> str:
        """The set over which the statement is quantified, in symbols."""
        if self.sentence:
            return "the distribution of runs over seeds"
        parts = [parameter.describe() for parameter in self.parameters]
        return "; ".join([*parts, *self.hypotheses]) or "no free parameters"

    @property
    def relation(self) -> language.Relation:
        """The two sides with every definition written out."""
        return language.relation(self.expanded(self.formula))

    def expanded(self, text: str) -> str:
        """`text` with the definitions of `let` written out."""
        return language.expand(text, self.let)

    def normal(self, text: str) -> str:
        """One spelling of `text`, definitions written out."""
        return language.normal(self.expanded(text))


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

    `undefined` counts the cases of the domain in which the formula has no value; `instances` are
    those of other claims that a proof used, with what stands for their parameters.
    """

    engine: Literal["search", "enclosure", "exact", "study"]
    verdict: Verdict
    sentence: str
    cases: int = 0
    counterexample: Counterexample | None = None
    contradicted: bool = False
    undefined: int = 0
    instances: tuple[str, ...] = ()


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
    if digits <= _FEWEST_DIGITS:
        return f"{float(middle):.{digits}g}"
    with localcontext(Context(prec=digits)):
        return str(Decimal(middle.numerator) / Decimal(middle.denominator))
