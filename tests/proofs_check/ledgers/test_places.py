"""Every display and every label of the paper has a claim; of its sentences: test_sentences."""

import pytest

from proofs_check.ledgers import CLAIMS, PAPERS

PAPER = PAPERS["imamura2020"]
PLACED = {name for claim in CLAIMS for name in claim.places}
# Displays in the paper, counted section by section, and all its labels.
DISPLAYS = {
    "section 2": 2,
    "section 3": 4,
    "section 4": 6,
    "appendix A": 11,
    "appendix B": 43,
    "appendix C": 7,
    "appendix D": 60,
}
LABELS = 88


def test_every_display_is_there() -> None:
    assert {section: len(found) for section, found in PAPER.displays.items()} == DISPLAYS
    assert len(PAPER.labels) == LABELS
    assert len(PAPER.places) == sum(DISPLAYS.values()) + LABELS


@pytest.mark.parametrize("name", PAPER.places)
def test_every_place_has_a_claim_or_says_why_it_has_none(name: str) -> None:
    assert (name in PLACED) is not bool(PAPER.places[name].says)


def test_a_claim_of_any_ledger_names_places_of_the_paper() -> None:
    assert PAPER.places.keys() >= PLACED
