"""The theories of the proof assistant: floors, headers, and what a newer assistant accepts."""

import re
from pathlib import Path

import pytest

from proofs_check.prover import newer
from proofs_check.prover.kernel import AXIOMS
from proofs_check.prover.record import sources
from proofs_check.prover.runner import NEWER, code, theories, theory

FLOORS = (
    "libraries",
    "meaning",
    "ground",
    "gaussian",
    "partitions",
    "dual",
    "regret",
    "probability",
    "statements",
)
FLOOR_OF = {path.stem: path.parent.name for path in theories()}
_REQUIRED = re.compile(r"From CTV Require (?:Import )?([\w ]+)\.(?: |$)")


def required(name: str) -> set[str]:
    """The theories that a theory requires."""
    path = theory(name)
    lists = _REQUIRED.findall(code(path.read_text(encoding="utf-8")))
    return {word for words in lists for word in words.split()}


def header(name: str) -> str:
    """The text of the box that a theory begins with."""
    path = theory(name)
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    assert first == f"({'*' * 78})"
    lines = rest.partition(first)[0].splitlines()
    assert all(len(line) == 80 and line.startswith("(* ") for line in lines)
    return "\n".join(line[3:-3].strip() for line in lines)


def test_the_floors_are_named_and_a_name_occurs_once() -> None:
    assert set(FLOOR_OF.values()) == set(FLOORS)
    assert len(FLOOR_OF) == len(theories())


@pytest.mark.parametrize("name", FLOOR_OF)
def test_a_theory_rests_on_its_own_floor_and_those_below(name: str) -> None:
    assert {FLOOR_OF[one] for one in required(name)} <= set(
        FLOORS[: FLOORS.index(FLOOR_OF[name]) + 1]
    )


@pytest.mark.parametrize("name", FLOOR_OF)
def test_the_header_names_what_the_theory_defines_proves_and_requires(name: str) -> None:
    said = header(name)
    title, _, rest = said.partition("\n\n")
    assert title and "\n" not in title
    rests = " ".join(rest.partition("Rests on: ")[2].split()).rstrip(".")
    assert set(rests.split(", ")) == (required(name) or {"the libraries alone"})
    path = theory(name)
    held = code(path.read_text(encoding="utf-8"))
    for names in re.findall(r"^(\w[^=\n]*) == ", rest, re.M):
        for one in names.split(", "):
            word = one.split()[0]
            assert re.search(
                rf"\b(Definition|Fixpoint|Inductive|Notation|Theorem|Lemma|Corollary|Ltac|"
                rf"Variables[^.]*) {word}\b",
                held,
            ), word


def test_what_a_version_of_the_libraries_is_asked_for_has_the_names_of_the_other() -> None:
    files = [
        {path.stem: path for path in theories(folder) if path.parent.name == folder}
        for folder in ("libraries", NEWER)
    ]
    assert files[0].keys() == files[1].keys() == {"library", "measures"}
    assert {path.stem for path in theories(NEWER)} == set(FLOOR_OF)


def test_comments_are_no_part_of_what_is_compared() -> None:
    """They nest, and may hold strings with their signs; strings of the text stay as they are."""
    assert code("a (* b *) c") == code("a\n\n(*** b (* c *) ***)c") == "a c"
    assert code('s "(*  *)" (* "*)" *).') == 's "(*  *)" .'
    assert code("(* a *)(*)b*)c") == "c"
    assert code("f(*)*)x *) y") == "f x *) y"


# What a newer assistant accepts of them.

ROOT = Path(__file__).resolve().parents[2]
LEAN = ROOT / "proofs_check" / "lean" / "Reference" / "Statements.lean"
NOW = newer.stated(theory("statements").read_text(encoding="utf-8"))
HELD = newer.recorded()


def test_the_record_of_the_newer_assistant_is_of_these_theories() -> None:
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
