"""A claim that a theorem of the theories proves says every premise of that theorem in its words."""

from dataclasses import replace

import pytest

from proofs_check.language.claim import Evidence, Verdict
from proofs_check.ledgers import CLAIMS
from proofs_check.prover.premises import hypotheses, phrases, premises, says, special_cases, ways
from proofs_check.prover.record import recorded
from proofs_check.prover.written import index
from proofs_check.records.ledger import joined_by_hand

BY_ID = {claim.id: claim for claim in CLAIMS}
STATED = index()
STATEMENTS = {name: recorded().statements[name]["statement"] for name in STATED.values()}


def by(theorem: str) -> Evidence:
    return Evidence("prover", Verdict.PROVED, "accepted", theorem=theorem)


@pytest.mark.parametrize("name", STATED)
def test_the_words_say_every_premise(name: str) -> None:
    found = hypotheses(BY_ID[name], STATEMENTS[STATED[name]])
    assert [given.premise for given in found if not given.words] == []
    assert joined_by_hand(BY_ID[name], by(STATED[name])) == BY_ID[name].outline


@pytest.mark.parametrize("name", STATED)
def test_every_premise_has_a_phrase(name: str) -> None:
    claim, statement = BY_ID[name], STATEMENTS[STATED[name]]
    assert [p for p in premises(statement) if not ways(claim, p)] == []
    known = {*premises(statement), *special_cases(statement)}
    assert dict(claim.premises).keys() <= known


@pytest.mark.parametrize("table", phrases())
def test_no_phrase_is_for_a_premise_that_no_theorem_has(table: str) -> None:
    known = {
        part for text in STATEMENTS.values() for part in (*premises(text), *special_cases(text))
    }
    assert set(phrases()[table]) <= known


@pytest.mark.parametrize("name", STATED)
def test_words_without_any_premise_are_an_outline(name: str) -> None:
    claim, theorem = BY_ID[name], STATED[name]
    silent = replace(claim, statement="Nothing is said.", reading="", outline="")
    left = joined_by_hand(silent, by(theorem))
    assert all(premise in left for premise in premises(STATEMENTS[theorem]))


@pytest.mark.parametrize(
    ("name", "premise", "said", "unsaid"),
    [
        ("lemma-13", "(forall t : R, h t t = 1)", "k_time(τ,τ) = 1", "k_time(τ,τ) = 2"),
        ("lemma-13", "(forall t u : R, 0 <= h t u)", "k_time >= 0", "k_time real"),
        ("theorem-1", "(forall x0 : X, k x0 x0 <= 1)", "k_space(x,x) <= 1", "k_space(x,x) <= 2"),
        (
            "theorem-1",
            "(forall i : nat, (i < total blocks)%nat -> 0 <= beta i <= B)",
            "β_i >= 0",
            "β_i real",
        ),
        ("theory-b", "bounds_space_gain X k s gamma", "at least the gain", "about the gain"),
        ("theory-a-block", "semidefinite (S n) J", "J positive semidefinite", "J symmetric"),
        ("theory-f-recursion", "(forall u : R, h u u = 1)", "k_time(τ,τ) = 1", "k_time > 0"),
        ("lemma-1-exact", "uniform_times", "Uniform times", "Times"),
        ("theory-m", "(forall i j : nat, (i <= j)%nat -> tau i <= tau j)", "sorted times", "times"),
        (
            "adaptive-confidence-anywhere",
            "independent_draws dT T P n G dV V U",
            "independent of the noise",
            "beside the noise",
        ),
        (
            "theorem-1-box",
            "is_gaussian_process dT T P N (measure.Measurable.sort Y) k h tau f",
            "Gaussian process of any rank",
            "process of any rank",
        ),
    ],
)
def test_one_hypothesis_taken_away_is_named(name, premise, said, unsaid) -> None:
    claim = BY_ID[name]
    cut = replace(
        claim,
        **{part: getattr(claim, part).replace(said, unsaid) for part in ("statement", "reading")},
    )
    assert joined_by_hand(claim, by(STATED[name])) == ""
    assert joined_by_hand(cut, by(STATED[name])) == f"the words do not say {premise}"


def test_a_premise_that_nobody_has_put_into_words_is_unsaid() -> None:
    planted = "cauchy_schwarz : forall (n : nat) (x : R), (7 < n)%nat -> 0 <= x ^ 2"
    (found,) = hypotheses(BY_ID["cauchy-schwarz"], planted)
    assert (found.premise, found.words) == ("(7 < n)%nat", "")


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("t : forall x : R, 0 <= x -> x < 1 -> P x", ("0 <= x", "x < 1")),
        ("t : forall x : R,\n  (forall y : R, A y -> B y) -> C x", ("(forall y : R, A y -> B y)",)),
        ("t : A -> let y := f (a -> b) in B y -> C", ("A", "B y")),
        ("t : (A -> B) /\\ (forall z : R, C z -> D) /\\ E", ("A", "C z")),
        ("t : A -> exists c : R, P c /\\ (Q c -> S c)", ("A", "Q c")),
        ("t : A \\/ B -> C", ("A \\/ B",)),
        ("t : A /\\ B -> C", ("A /\\ B",)),
        ("t : A <-> B", ()),
        ("t : (A -> B)", ("A",)),
    ],
)
def test_what_a_statement_assumes(statement: str, found: tuple[str, ...]) -> None:
    assert premises(statement) == found


@pytest.mark.parametrize(
    ("words", "phrase", "said"),
    [
        ("for points >= 0", "s >= 0", False),
        ("s >= 0, and n", "s >= 0", True),
        ("n >= 10", "n >= 1", False),
        ("n >= 1.", "n >= 1", True),
        ("n >= 1.5", "n >= 1", False),
        ("β_i >= 0", "β_i >= 0 & B at least every β_i", False),
        ("B at least every β_i; β_i >= 0", "β_i >= 0 & B at least every β_i", True),
    ],
)
def test_a_phrase_stands_in_words_whole(words: str, phrase: str, said: bool) -> None:
    assert says(words, phrase) is said
