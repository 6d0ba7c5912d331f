"""What a newer assistant accepts of the theories: the record of it, and what the page says."""

import re
from pathlib import Path

from proofs_check.prover import newer
from proofs_check.prover.kernel import AXIOMS
from proofs_check.prover.record import sources
from proofs_check.prover.runner import theories, theory

ROOT = Path(__file__).resolve().parents[2]
LEAN = ROOT / "proofs_check" / "lean" / "Reference" / "Statements.lean"
NOW = newer.stated(theory("statements").read_text(encoding="utf-8"))
HELD = newer.recorded()


def test_the_record_is_of_these_theories() -> None:
    now = sources()
    assert {name: now.get(name) for name in HELD["sources"]} == HELD["sources"]
    assert {name: NOW.get(name) for name in HELD["statements"]} == HELD["statements"]
    left = {Path(name).stem for name in now} - {Path(name).stem for name in HELD["sources"]}
    assert left - {"statements"} == set(HELD["absent"])
    assert set(HELD["axioms"]) <= AXIOMS.keys()


def test_the_page_of_trust_says_what_the_record_says() -> None:
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    said = page.partition("## Versions of the assistant")[2].partition("\n## ")[0]
    counted = re.search(r"(\d+) of the (\d+) theorems of `statements.v`", said)
    assert counted and counted.groups() == (str(len(HELD["statements"])), str(len(NOW)))
    eight = re.findall(r"^def (\w+) : Prop", LEAN.read_text(encoding="utf-8"), re.M)
    accepted = [name for name in eight if name in HELD["statements"]]
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "all eight")
    assert len(eight) == 8 and f"{words[len(accepted)]} of the eight statements" in said
    assert f"Coq {HELD['prover']}" in said and HELD["date"] in said
    named = re.search(r"(\d+) of the (\d+) theories", said)
    there = len(theories()) - len(HELD["absent"])
    assert named and named.groups() == (str(there), str(len(theories())))


def test_a_theorem_through_a_theory_that_is_absent_is_left_out() -> None:
    text = "From CTV Require a b. Theorem t : P. a.x. Qed. (* b.x *) Theorem u : Q. b.x. Qed."
    assert newer.excerpt(text, ()) == text
    assert newer.stated(newer.excerpt(text, ["b"])).keys() == {"t"}
    assert newer.excerpt(text, ["c"]).count("Theorem") == 2
    assert newer.stated(text).keys() == {"t", "u"}
