"""Names of claims as people type them."""

from __future__ import annotations

import pytest

from bounds.errors import InvalidInput
from proofs_check.ledgers import CLAIMS
from proofs_check.records.names import belonging

BY_ID = {claim.id: claim for claim in CLAIMS}


@pytest.mark.parametrize(
    ("names", "inside", "outside"),
    [
        (
            ("lemma-1", "Lemma 1", "LEMMA 1", "lemma1", "Lem. 1", "lemma_1"),
            {"lemma-1-capped", "lemma-1-uncapped", "lemma-1-exact"},
            {"lemma-10-beta-counts-centres", "lemma-13-block"},
        ),
        (
            ("theorem-2", "Theorem 2", "Thm. 2", "th 2"),
            {"theorem-2-I-a-last", "theorem-2-I-b-middle"},
            {"borell-tis", "theorem-1", "theorem-1-forgetting-kernel"},
        ),
        (("Theorem 1",), {"theorem-1", "theorem-1-constant"}, {"lemma-13-block", "lemma-1-exact"}),
        (("Theorem A", "theorem-a"), {"theory-a"}, {"theorem-1", "theory-b"}),
        (("appendix B", "App. b", "Appendix-B"), {"lemma-8-weights", "lemma-9"}, {"lemma-1-exact"}),
        (("section 5", "§ 5", "sec. 5"), {"setting-noise"}, {"matern-smoothness"}),
        (("section 2.2",), {"matern-smoothness"}, {"setting-noise", "acquisition-weight"}),
        (("eq. (time kernel)",), {"forgetting-kernel-slope"}, {"lemma-9"}),
        (("Assumption 1 (II)", "assumption 1 ii"), {"assumption-1-II"}, {"assumption-1-III"}),
    ],
)
def test_a_label_or_a_place_is_all_that_belongs_to_it(
    names: tuple[str, ...], inside: set[str], outside: set[str]
) -> None:
    for name in names:
        found = belonging([name])
        assert inside <= set(found), name
        assert not outside & set(found), name


def test_an_id_is_that_claim_alone_and_each_is_named_once() -> None:
    assert belonging(["theorem-1"]) == ["theorem-1"]
    assert belonging([]) == []
    found = belonging(["Lemma 9", "lemma-9", "lemma 9"])
    assert len(found) == len(set(found)) > 1


def test_a_claim_belongs_to_its_own_label() -> None:
    for claim in CLAIMS[::25]:
        assert claim.id in belonging([claim.label])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lemma-99", "nearest: lemma 9"),
        ("lema 1", "nearest: lemma 1"),
        ("theorm-2", "nearest: theorem 2"),
        ("lemma-1-caped", "nearest: lemma-1-capped"),
        ("eq. 12", "such as «Lemma 1», «appendix B» or «eq. (time kernel)»"),
        ("", "give an id"),
        ("…", "give an id"),
    ],
)
def test_what_names_nothing_is_refused_with_the_nearest(name: str, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        belonging([name])
    assert caught.value.field == "claim"
    assert said in caught.value.remedy
