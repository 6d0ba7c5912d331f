"""The ledger: verdicts never exceed their evidence, and the same seed gives the same bytes."""

from dataclasses import replace

import pytest

from bounds.errors import InvalidInput
from ctv.pages.ledger_text import ledger_markdown
from proofs_check.language.claim import Claim, Counterexample, Evidence, Verdict
from proofs_check.language.ledger_file import Paper
from proofs_check.language.parameters import Integer, Times
from proofs_check.records.ledger import assemble
from proofs_check.records.verify import examine, index, verify
from tests.proofs_check.planted import X
from tests.proofs_check.planted import claim as planted


def claim(name: str, formula: str = "x >= 0", **more: object) -> Claim:
    given = {"id": name, "label": name, "expected": Verdict.PROVED, "parameters": (X,)}
    return planted(formula, **{**given, **more})


def verdict_of(*evidence: Evidence, of: Claim | None = None) -> Verdict:
    subject = of or claim("subject")
    return assemble([subject], {subject.id: (evidence, 0.0)}, "fast", 0).rows[0].verdict


PROVED = Evidence("prover", Verdict.PROVED, "accepted", theorem="claim_subject")
THEOREM = Evidence("prover", Verdict.PROVED, "accepted", theorem="cauchy_schwarz")
ON_BOX = Evidence("enclosure", Verdict.PROVED_ON_BOX, "boxes")
SUPPORTED = Evidence("search", Verdict.SUPPORTED, "cases", witness={"x": 1})
UNDECIDED = Evidence("search", Verdict.UNDECIDED, "floats")
UNDEFINED = Evidence("search", Verdict.UNDECIDED, "undefined at x = 0", undefined=3)
REFUTED = Evidence(
    "search", Verdict.REFUTED, "found", 1, Counterexample({"x": 1}, ("0", "0"), ("1", "1"), ">=")
)


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        ((SUPPORTED,), Verdict.SUPPORTED),
        ((SUPPORTED, PROVED), Verdict.PROVED),
        ((SUPPORTED, ON_BOX), Verdict.PROVED_ON_BOX),
        ((UNDECIDED,), Verdict.UNDECIDED),
        ((UNDECIDED, PROVED), Verdict.UNDECIDED),  # no point of the domain is known
        ((REFUTED,), Verdict.REFUTED),
        ((REFUTED, UNDECIDED), Verdict.REFUTED),
        ((REFUTED, PROVED), Verdict.ERROR),
        ((Evidence("exact", Verdict.ERROR, "crash"), SUPPORTED), Verdict.ERROR),
        ((), Verdict.UNDECIDED),
        ((UNDEFINED, PROVED), Verdict.UNDECIDED),
        ((replace(UNDEFINED, witness={"x": 1}), PROVED), Verdict.UNDECIDED),
        ((UNDEFINED, REFUTED), Verdict.REFUTED),
    ],
)
def test_verdicts_that_evidence_allows(evidence, verdict) -> None:
    assert verdict_of(*evidence) is verdict


def test_a_claim_with_holes_in_its_domain_says_so() -> None:
    holes = claim(
        "holes",
        "sum(1/(t[k+1]-t[k])**2 for k in range(n-1)) >= 0",
        parameters=(Integer("n", 2, 5), Times("t", "n")),
    )
    found = verify(claims=[holes])
    assert found.rows[0].verdict is Verdict.UNDECIDED
    assert "undefined in" in found.rows[0].reason
    assert "undefined in" in ledger_markdown(found, [Paper("One's own")])


def test_a_counterexample_inside_a_covered_box_is_an_error() -> None:
    inside = claim("subject", box={"x": ("0", "2")})
    outside = claim("subject", box={"x": ("2", "3")})
    assert verdict_of(REFUTED, ON_BOX, of=inside) is Verdict.ERROR
    assert verdict_of(REFUTED, ON_BOX, of=outside) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("more", "found", "verdict", "by"),
    [
        ({}, PROVED, Verdict.PROVED, "prover"),
        ({"rests_on": ("below",)}, PROVED, Verdict.OUTLINE, "outline"),
        ({"rests_on": ("below",)}, THEOREM, Verdict.PROVED, "prover"),
        ({"outline": "x is a determinant."}, PROVED, Verdict.OUTLINE, "outline"),
        ({"outline": "x is a determinant."}, THEOREM, Verdict.OUTLINE, "outline"),
        ({"hypotheses": ("x >= 0",)}, PROVED, Verdict.OUTLINE, "outline"),
        ({"hypotheses": ("x**2 >= 0",)}, PROVED, Verdict.OUTLINE, "outline"),
        ({"hypotheses": ("x**2 >= 0",), "reading": "x^2 >= 0."}, PROVED, Verdict.PROVED, "prover"),
    ],
)
def test_what_a_person_joined_is_an_outline(more, found, verdict, by) -> None:
    above = claim("above", **more)
    evidence = {"below": ((SUPPORTED,), 0.0), "above": ((found, SUPPORTED), 0.0)}
    row = assemble([claim("below", kind="trusted"), above], evidence, "fast", 0)["above"]
    assert (row.verdict, row.by) == (verdict, by)


@pytest.mark.parametrize("support", [REFUTED, Evidence("exact", Verdict.ERROR, "crash")])
def test_an_outline_that_rests_on_a_false_claim_is_an_error(support: Evidence) -> None:
    above = claim("above", rests_on=("below",))
    evidence = {"below": ((support,), 0.0), "above": ((SUPPORTED, PROVED), 0.0)}
    ledger = assemble([claim("below"), above], evidence, "fast", 0)
    assert ledger["above"].verdict is Verdict.ERROR


def test_claims_that_rest_on_each_other_are_an_error() -> None:
    one, two = claim("one", rests_on=("two",)), claim("two", rests_on=("one",))
    evidence = dict.fromkeys(("one", "two"), ((PROVED, SUPPORTED), 0.0))
    assert assemble([one, two], evidence, "fast", 0)["one"].verdict is Verdict.ERROR


def test_a_crash_of_an_engine_is_an_error() -> None:
    broken = claim("broken", box={"x": ("0", "1"), "y": ("0", "1")}, parameters=(Integer("x", 0),))
    evidence, _ = examine(replace(broken, box="all"), "fast", 0)
    assert Verdict.ERROR in [found.verdict for found in evidence]


def test_the_same_seed_gives_the_same_digest_whatever_the_workers() -> None:
    claims = [
        claim(f"c{k}", f"x**2 + {k} >= x", expected=Verdict.SUPPORTED) for k in range(1, 6)
    ] + [
        claim(f"f{k}", f"x**2 >= x + {k}", expected=Verdict.REFUTED, finding="false")
        for k in range(5)
    ]
    alone, together = (verify(claims=claims, workers=count) for count in (1, 2))
    assert alone.digest() == together.digest()
    assert alone.as_expected
    assert verify(claims=claims, seed=1).digest() != alone.digest()


def test_progress_is_reported_after_every_claim() -> None:
    seen: list[tuple[str, float]] = []
    verify(
        claims=[claim("one", expected=Verdict.SUPPORTED), claim("two")],
        progress=lambda name, share: seen.append((name, share)),
    )
    assert seen == [("one", 0.5), ("two", 1.0)]


def test_unknown_names_are_refused_with_the_nearest() -> None:
    claims = [claim("lemma-1-exact"), claim("lemma-2")]
    with pytest.raises(InvalidInput, match="lemma-1-exact"):
        verify(["lemma-1-exakt"], claims=claims)
    with pytest.raises(InvalidInput, match="fast or deep"):
        verify(budget="slow", claims=claims)
    with pytest.raises(InvalidInput, match="does not exist"):
        index([claim("one", repairs=("none",))])
    with pytest.raises(InvalidInput, match="an id of its own"):
        index([claim("one"), claim("one")])


def test_named_claims_bring_what_they_rest_on() -> None:
    fact = claim("fact", "x >= 0", kind="trusted", expected=Verdict.SUPPORTED)
    result = claim("result", "x + 1 >= 1", rests_on=("fact",), expected=Verdict.SUPPORTED)
    ledger = verify(["result"], claims=[fact, result, claim("other")])
    assert [row.claim.id for row in ledger.rows] == ["result"]
    assert [row.claim.id for row in ledger.behind] == ["fact"]
    assert ledger["result"].assumes == ("fact",)


def test_a_slip_is_refuted_and_names_what_was_meant() -> None:
    meant = claim("meant", "2**2 == 4", parameters=())
    slip = claim(
        "slip", "x**2 >= x + 1", expected=Verdict.REFUTED, finding="slip", repairs=("meant",)
    )
    row = verify(["slip"], claims=[slip, meant])["slip"]
    assert (row.verdict, row.meant, row.as_expected) == (Verdict.REFUTED, "meant", True)
    shown = row.to_json()
    assert (shown["verdict"], shown["meant"]) == ("REFUTED", "meant")
    assert shown["counterexample"] is not None
    false = claim(
        "false", "x**2 >= x + 1", expected=Verdict.REFUTED, finding="false", repairs=("meant",)
    )
    assert verify(["false"], claims=[false, meant])["false"].meant is None


def test_a_finding_at_several_places_is_counted_once() -> None:
    first = claim("first", "x**2 >= x + 1", expected=Verdict.REFUTED, finding="gap")
    again = claim(
        "again", "x**2 >= x + 2", expected=Verdict.REFUTED, finding="gap", place_of="first"
    )
    assert verify(claims=[first, again]).summary()["findings"] == {"gap": 1}


def test_markdown_has_every_claim_and_escapes_bars() -> None:
    ledger = verify(claims=[claim("bar", statement="|x| >= 0")])
    text = ledger_markdown(ledger, [Paper("One's own")])
    assert "`bar`" in text and "\\|x\\| >= 0" in text
