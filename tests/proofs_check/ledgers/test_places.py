"""Every display and every label of the paper has a claim, and every claim of the paper a place."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofs_check.ledgers import CLAIMS

PLACES = tomllib.loads((Path(__file__).parent / "places.toml").read_text(encoding="utf-8"))
BY_ID = {claim.id: claim for claim in CLAIMS}
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


def claims_of_places() -> Iterator[tuple[str, str]]:
    for section, displays in PLACES["displays"].items():
        for name, *found in displays:
            yield from ((f"{section}, {name}", claim) for claim in found)
    for table in ("labels", "sentences"):
        for name, found in PLACES[table].items():
            yield from ((name, claim) for claim in found)


def test_every_display_is_there() -> None:
    assert {section: len(found) for section, found in PLACES["displays"].items()} == DISPLAYS
    assert len(PLACES["labels"]) == LABELS


@pytest.mark.parametrize("section", DISPLAYS)
def test_every_display_has_a_claim(section: str) -> None:
    for name, *found in PLACES["displays"][section]:
        assert found, name
        named = [text for text in found if text.startswith("says: ")]
        assert not named or len(found) == 1, name
        assert all(text in BY_ID for text in found if text not in named), name


def test_every_label_has_a_claim() -> None:
    assert {name for name, found in PLACES["labels"].items() if not found} == {
        "figure 3, no sentence"
    }


def test_every_place_is_of_a_claim() -> None:
    unknown = [
        (place, name)
        for place, name in claims_of_places()
        if name not in BY_ID and not name.startswith("says: ")
    ]
    assert unknown == []


def test_every_claim_of_the_paper_has_a_place() -> None:
    """What is printed, and each step of a printed proof, is the claim of some place."""
    placed = {name for _, name in claims_of_places()}
    lost = [c.id for c in CLAIMS if c.kind in ("printed", "step") and c.id not in placed]
    assert lost == []
