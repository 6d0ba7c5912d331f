"""What a recheck says of each entry: accepted, refused, or not to be evaluated."""

from time import perf_counter

import pytest

from proofs_check.recheck.outcome import Rechecked, Refused, each

ENTRIES = [
    {"id": "good", "verdict": "PROVED", "value": 2.0},
    {"id": "bad", "verdict": 7, "value": True},
    {"id": "odd"},
    {"id": "mute", "verdict": "X", "value": 3},
]


def check(entry) -> str:
    if entry["id"] == "bad":
        raise Refused("is above\nwhat follows")
    if entry["id"] == "odd":
        raise ZeroDivisionError("a  fraction\n of nothing")
    if entry["id"] == "mute":
        raise KeyError
    return "derived again"


def test_every_entry_has_its_outcome() -> None:
    heard: list[tuple[str, float]] = []
    begun = perf_counter()
    found = each(ENTRIES, check, lambda *said: heard.append(said))
    passed = perf_counter() - begun
    assert heard == [("good", 0.0), ("bad", 0.25), ("odd", 0.5), ("mute", 0.75)]
    assert all(0.0 < one.seconds <= passed for one in found)
    said = [(one.id, one.verdict, one.accepted, one.reason, one.value) for one in found]
    assert said == [
        ("good", "PROVED", True, "derived again", 2.0),
        ("bad", "no verdict", False, "is above\nwhat follows", None),
        ("odd", "no verdict", False, "cannot be evaluated: a fraction of nothing", None),
        ("mute", "X", False, "cannot be evaluated: KeyError", 3),
    ]
    assert all(one.derived for one in found)
    assert {one.verdict for one in each(ENTRIES, check, None, "CERTIFIED")} == {"CERTIFIED"}
    assert Rechecked("id", "PROVED", True, "", 0.0).value is None


def test_what_is_no_mathematics_is_raised() -> None:
    def interrupted(entry) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        each(ENTRIES, interrupted, None)
