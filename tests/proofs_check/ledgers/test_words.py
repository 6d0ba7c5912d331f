"""Words, formula and theorem of a claim say the same thing; findings are counted once."""

import re

import pytest

from proofs_check.language.claim import Claim, Evidence, Verdict
from proofs_check.language.domains import parameters
from proofs_check.language.parameters import Integer, Real
from proofs_check.language.words import states, unsaid
from proofs_check.ledgers import CLAIMS
from proofs_check.prover.written import index
from proofs_check.records.ledger import is_linear, joined_by_hand
from tests.proofs_check.planted import claim as claim_of

BY_ID = {claim.id: claim for claim in CLAIMS}
STATED = index()


@pytest.mark.parametrize("name", ["theory-a", "theory-b", "theory-c", "theory-m", "theorem-1"])
def test_the_main_theorems_are_themselves(name: str) -> None:
    assert STATED[name] == name.replace("-", "_")


@pytest.mark.parametrize("name", STATED)
def test_a_theorem_for_every_size_stands_beside_no_syllogism(name: str) -> None:
    """Beside it the search has a case with matrices, sums or functions, not names for its parts."""
    claim = BY_ID[name]
    assert not re.search(r"\b(size|sizes|n|m) <= \d", claim.statement)
    texts = (claim.searched, *claim.hypotheses)
    assert not claim.hypotheses or not all(map(is_linear, texts))


def is_proved(claim: Claim) -> bool:
    return claim.expected in (Verdict.PROVED, Verdict.OUTLINE) and claim.id not in STATED


@pytest.mark.parametrize("claim", [*filter(is_proved, CLAIMS)], ids=lambda claim: claim.id)
def test_a_domain_has_no_limit_that_words_lack(claim: Claim) -> None:
    """How far a search looks is no part of the domain: bounds are those of the statement."""
    for parameter in claim.parameters:
        if isinstance(parameter, Real | Integer):
            for bound in (parameter.low, parameter.high):
                numbers = re.findall(r"(?<![\w.])\d+(?![\w.])", str(bound))
                assert all(int(number) < 10 for number in numbers if "/" not in str(bound)), bound


def test_one_finding_has_one_root() -> None:
    for claim in CLAIMS:
        if claim.place_of:
            root = BY_ID[claim.place_of]
            assert claim.finding != "none" and root.finding != "none", claim.id


def test_what_is_never_a_finding() -> None:
    """Statements of docs/theory.md and readings that nobody has are no defects."""
    for claim in CLAIMS:
        of_a_paper = claim.kind in ("printed", "step") or claim.id.startswith("rival-")
        assert claim.finding == "none" or of_a_paper, claim.id
    for name in (
        "remark-no-drift",
        "lemma-10-subset-domain",
        "theorem-1-beta-positive",
        "lemma-11-own-times",
        "rival-box-small-grid",
    ):
        assert BY_ID[name].finding == "none"


def test_experiments_are_never_false() -> None:
    for claim in CLAIMS:
        if claim.sentence:
            assert claim.finding in ("none", "not reproduced", "vacuous"), claim.id


BY_A_THEOREM = Evidence("prover", Verdict.PROVED, "accepted", theorem="claim_planted")


def planted(words: str, domain: str, formula: str, *hypotheses: str, reading: str = "") -> Claim:
    return claim_of(
        formula, *parameters(domain), statement=words, hypotheses=hypotheses, reading=reading
    )


@pytest.mark.parametrize(
    "claim",
    [
        planted(
            "Theorem A without any drift.",
            "G in [0, oo); S in [0, oo); g1 in [0, oo)",
            "max(G, 0) <= S + g1",
            "max(G, 0) <= S",
        ),
        planted(
            "Theorem 1 by a thousandth.",
            "R in [0, oo); X in [0, oo)",
            "R**2 <= X/1000",
            "R**2 <= X/1000",
        ),
        planted("A sum of rewards is at most 2.", "S in [0, 1]; a in [-1, 1]", "S + abs(a) <= 2"),
        planted(
            "The gain is monotone in the number of rounds.",
            "G in [0, oo); S in [G, oo)",
            "sqrt(G) <= sqrt(S)",
        ),
        planted(
            "For R, X >= 0, the regret and its bound: R^2 <= X.",
            "R in [0, oo); X in [0, oo)",
            "R**2 <= X",
            "R**2 <= X/2",
        ),
        planted("For a point: x^2 >= 0.", "a in (-oo, oo); x in [a, oo)", "x**2 >= 0"),
    ],
    ids=lambda claim: claim.formula,
)
def test_a_theorem_about_letters_that_words_do_not_mention_is_an_outline(claim: Claim) -> None:
    assert joined_by_hand(claim, BY_A_THEOREM)


def test_words_that_say_all_leave_nothing_to_a_person() -> None:
    claim = planted(
        "For 0 <= x <= y and |z| <= x: z^2 <= y^2.",
        "x in [0, oo); y in [x, oo); z in (-oo, oo)",
        "z**2 <= y**2",
        "abs(z) <= x",
    )
    assert unsaid(claim) == () and joined_by_hand(claim, BY_A_THEOREM) == ""


@pytest.mark.parametrize(
    ("words", "comparison", "said"),
    [
        ("for x <= y", "x <= y", True),
        ("for x <= y", "y >= x", True),
        ("for x <= y <= z", "y <= z", True),
        ("for x < y", "x <= y", False),
        ("for 2x <= y", "x <= y", False),
        ("for x <= y + 1", "x <= y", False),
        ("for x <= y^2", "x <= y", False),
        ("for x <= yz", "x <= y", False),
        ("for x in [a, b]", "x >= a", True),
        ("for x in (a, b]", "x >= a", False),
        ("for x in (a, b]", "x > a", True),
        ("for x in [a, b]", "x <= b", True),
        ("for x in [a, b)", "x <= b", False),
        ("i ε T >= n", "i*eps*T >= n", True),
        ("λ σ <= ω", "lam*sd <= omega", True),
        ("with |y - v| <= e", "abs(y-v) <= e", True),
        ("L h^2 < y", "L*h**2 < y", True),
        ("if x <= y and z > 0", "x <= y", True),
        ("x <= y, or nothing", "x <= y", True),
        ("for x <= 2 y", "x <= 2", False),
        ("for log x <= y", "x <= y", False),
        ("for √x <= y", "x <= y", False),
        ("for x <= y − 1", "x <= y", False),
        ("x <= y·z", "x <= y", False),
        ("x <= y × z", "x <= y", False),
        ("x <= 10,000", "x <= 10", False),
        ("x <= 0.5 n", "x <= 0.5", False),
        ("x <= y'", "x <= y", False),
        ("x <= y′", "x <= y", False),
        ("x <= y % z", "x <= y", False),
        ("x <= y!", "x <= y", False),
        ("c x <= y", "x <= y", False),
        ("−x <= y", "x <= y", False),
        ("never x <= y", "x <= y", False),
        ("not x <= y", "x <= y", False),
        ("x <= y z", "x <= y", False),
        ("x <= y ε", "x <= y", False),
        ("x <= y sqrt(2)", "x <= y", False),
        ("x <= y log z", "x <= y", False),
        ("x <= yₙ", "x <= y", False),
        ("x ≤ y or z", "x <= y", False),
        ("x <= z or x <= y", "x <= y", False),
        ("x in [a, b] or [c, d]", "x <= b", False),
        ("x in [0, 1]∪[2, b]", "x <= b", False),
        ("2 x in [a, b]", "x >= a", False),
        ("max x <= y", "x <= y", False),
        ("unless x <= y", "x <= y", False),
        ("x <= y is not needed", "x <= y", False),
        ("x <= y need not hold", "x <= y", False),
        ("x <= y fails", "x <= y", False),
        ("without x <= y", "x <= y", False),
        ("x <= y⁴", "x <= y", False),
    ],
)
def test_what_counts_as_stated(words: str, comparison: str, said: bool) -> None:
    assert states(words, comparison) is said
