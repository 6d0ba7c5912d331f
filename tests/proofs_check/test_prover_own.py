"""Proofs of claims that are not shipped: the workbench, what is remembered, the example ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim, Verdict
from proofs_check.ledgers import PAPERS, Opened, opened, start_of
from proofs_check.prover import alone, own, workbench
from proofs_check.prover.alone import ScriptFailed
from proofs_check.prover.kernel import Judged, ProverFailed, proposition
from proofs_check.prover.written import shipped
from proofs_check.recheck.ledger import recheck
from proofs_check.records.certificate import certificate
from proofs_check.records.ledger import Ledger
from proofs_check.records.verify import verify
from tests.proofs_check.planted import X, claim, needs_coq

EXAMPLE = Path("docs/ledgers/srinivas2010")
PLANTED = replace(claim("x <= 1 + x", X), proof="intros.\nlra.")


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """A kernel that accepts every script but «no.», and a cache of its own; what it was asked."""
    monkeypatch.setenv("CTV_RECEIPTS", str(tmp_path / "cache"))
    asked: list[tuple[str, str]] = []

    def proved(one: Claim, script: str, known: Mapping[str, Claim]) -> Judged:
        asked.append((one.id, script))
        if "no." in script:
            raise ScriptFailed("No applicable tactic.", 2)
        tree = alone.tree_of(one)
        said = f"~ means\n  {tree}" if own.part_of(one) == "negation" else f"means\n  {tree}"
        return Judged(("classic",), (proposition(said),))

    def apart(claims: object, known: object) -> Judged:
        raise ProverFailed("asks for each by itself")

    for room in (own, workbench):
        monkeypatch.setattr(room, "proved_alone", proved)
    monkeypatch.setattr(own, "proved_together", apart)
    monkeypatch.setattr(own, "coq_version", lambda: "8.18")
    monkeypatch.setattr(own, "found_scripts", lambda claims, wanted: {})
    return asked


def examined(ledgers: Opened, *names: str, anew: bool = False) -> Ledger:
    wanted = names or [one.id for one in ledgers.claims]
    return verify(wanted, claims=tuple(ledgers.known.values()), anew=anew)


def test_the_goal_of_a_claim_is_what_its_script_proves() -> None:
    ledgers = opened([EXAMPLE])
    found = workbench.goal(ledgers.known["gp-ucb-tail"], ledgers.known)
    assert (found.part, found.theorem) == ("statement", "claim_gp_ucb_tail")
    assert found.statement.startswith("forall c : R") and "normal_cdf c" in found.statement
    assert found.tree.startswith("(Real") and "Normal_cdf" in found.tree
    assert list(found.citable) == ["claim_gaussian_tail"]
    assert "claim_log_below_line" in found.others and "claim_gp_ucb_tail" not in found.others
    false = workbench.goal(ledgers.known["gp-ucb-union-without-points"], ledgers.known)
    assert (false.part, false.theorem) == ("negation", "refuted_gp_ucb_union_without_points")
    stated = workbench.goal(shipped()["basel"], ledgers.known)
    assert stated.part == "theorem" and "forall n : nat, sum n" in stated.given
    with pytest.raises(InvalidInput, match="has nothing for a script to prove"):
        workbench.goal(ledgers.known["interlacing"], ledgers.known)


def test_an_attempt_says_where_it_was_refused(kernel) -> None:
    known = {"planted": PLANTED}
    accepted = workbench.tried(PLANTED, "\n intros. \nlra.\n", known)
    assert accepted.accepted and accepted.axioms == ("classic",) and not accepted.line
    assert kernel == [("planted", "intros.\nlra.")]
    refused = workbench.tried(PLANTED, "intros.\nno.", known)
    assert (refused.accepted, refused.line) == (False, 2)
    assert refused.message == "No applicable tactic."
    with pytest.raises(InvalidInput, match="write a script of tactics"):
        workbench.tried(PLANTED, " \n", known)


def test_a_line_of_a_file_is_a_line_of_the_script(tmp_path: Path, monkeypatch) -> None:
    """Above it stand the head and other proofs, of which one may be the same text."""
    script = "intros.\nlra."
    text = f"Head.\nTheorem claim_other : a.\nProof.\n{script}\nQed.\n"
    text += f"Theorem claim_planted : b.\nProof.\n{script}\nQed.\n"
    (tmp_path / "claims_0.v").write_text(text, encoding="utf-8")
    monkeypatch.setattr(alone, "coqc", lambda folder, name: "1 goal\n")

    def located(line: int, said: str) -> ScriptFailed:
        place = f'File "./claims_0.v", line {line}, characters 0-3:\nError: {said}\n'
        return alone._located(ProverFailed("short", place), tmp_path, PLANTED, script)

    found = located(10, "No such tactic.")
    assert (found.line, str(found), found.goals) == (2, "No such tactic.", "")
    last = located(11, "Attempt to save an incomplete proof")
    assert (last.line, last.goals) == (2, "1 goal")
    assert (tmp_path / "left.v").read_text().endswith(f"{script}\nShow.\nAbort.\n")
    assert located(4, "Elsewhere.").line == 0
    assert alone._located(ProverFailed("took too long"), tmp_path, PLANTED, script).line == 0


def test_a_proof_is_asked_for_once_and_again_when_anything_changes(kernel) -> None:
    known = {"planted": PLANTED}
    first = own.evidence(PLANTED, known)
    assert first is not None and first.verdict is Verdict.PROVED
    assert first.sentence == "Coq 8.18 accepts claim_planted" and first.theorem == "claim_planted"
    assert own.evidence(PLANTED, known) == first and len(kernel) == 1
    assert own.evidence(PLANTED, known, anew=True) == first and len(kernel) == 2
    changed = (
        replace(PLANTED, proof="intros.\nnra."),
        replace(PLANTED, formula="x <= 2 + x"),
        replace(PLANTED, proof="apply claim_log_below_line."),
    )
    for other in changed:
        assert own.evidence(other, {**shipped(), "planted": other}) is not None
    assert len(kernel) == 5
    cited = {**shipped(), "planted": changed[2]}
    cited["log-below-line"] = replace(cited["log-below-line"], proof="lra.")
    own.evidence(changed[2], cited)
    assert len(kernel) == 6


@pytest.mark.parametrize(
    ("proof", "formula", "said"),
    [
        ("intros.\nno.", "x <= 1 + x", "Coq refuses line 2 of the proof: No applicable tactic."),
        ("lra.", "gamma(x) <= 1 + x", "a proof, but no tree"),
        ("apply claim_planted.", "x <= 1 + x", "claims cite each other: planted -> planted"),
    ],
)
def test_a_refused_proof_leaves_the_claim_undecided(proof, formula, said, kernel) -> None:
    wrong = replace(PLANTED, proof=proof, formula=formula)
    found = own.evidence(wrong, {"planted": wrong})
    assert found is not None and found.verdict is Verdict.UNDECIDED
    assert found.sentence.startswith(said)


def test_without_the_assistant_the_other_engines_still_run(kernel, monkeypatch) -> None:
    def absent(one: Claim, script: str, known: Mapping[str, Claim]) -> Judged:
        raise InvalidInput("prover", "coqc", "is not installed")

    monkeypatch.setattr(own, "proved_alone", absent)
    found = own.evidence(PLANTED, {})
    assert found is not None and "was not compiled: prover = coqc: is not" in found.sentence
    false = replace(PLANTED, formula="x <= 1", expected=Verdict.REFUTED, finding="false")
    assert verify(claims=[false]).rows[0].verdict is Verdict.REFUTED
    assert own.evidence(replace(PLANTED, proof=""), {}) is None


def test_a_cache_that_cannot_be_written_is_no_failure(kernel, monkeypatch) -> None:
    monkeypatch.setenv("CTV_RECEIPTS", "/dev/null")
    for _ in range(2):
        found = own.evidence(PLANTED, {})
        assert found is not None and found.verdict is Verdict.PROVED
    assert len(kernel) == 2


def test_a_theorem_of_the_theories_proves_no_claim_of_a_ledger_of_ones_own(tmp_path: Path) -> None:
    """Its case is searched, and covered by no box: a case of a claim is no proof of it."""
    mine = tmp_path / "mine.toml"
    lines = ["[mine]", 'label = "l"', 'where = "w"', 'kind = "theory"', 'because = "b"']
    lines += ['statement = "The gain is 0."', 'theorem = "theory_b"', 'for = "x in [0, 1]"']
    mine.write_text("\n".join([*lines, 'case = "x <= 1"']), encoding="utf-8")
    ledgers = opened([mine])
    assert ledgers.claims[0].box is None
    (row,) = verify(["mine"], claims=tuple(ledgers.known.values())).rows
    assert row.verdict is Verdict.SUPPORTED


LEDGERS = [Path("docs/ledgers") / name for name in ("bogunovic2016", "chowdhury2017")]
FALSE_AS_PRINTED = {"bogunovic2016": {"tv-gain-printed", "tv-reset-observations"}}


@pytest.mark.parametrize("path", [EXAMPLE, *LEDGERS], ids=lambda path: path.name)
def test_a_ledger_of_another_paper_has_every_statement_in_its_place(path: Path) -> None:
    ledgers = opened([path])
    (paper,) = ledgers.papers
    placed = {name for claim in ledgers.claims for name in claim.places}
    for place in paper.labels:
        assert (place.name in placed) is not bool(place.says), place.name
    assert len(ledgers.claims) >= 30
    assert all(one.consequence and one.repaired for one in ledgers.claims if one.finding != "none")


@pytest.mark.parametrize("path", LEDGERS, ids=lambda path: path.name)
def test_a_ledger_of_another_paper_comes_out_as_it_expects(path: Path, kernel) -> None:
    """Twenty and more of its claims certified true; all that is false refuted, and nothing else."""
    ledger = examined(opened([path]))
    assert ledger.as_expected
    by = [row.by for row in ledger.rows if row.verdict is Verdict.PROVED]
    assert len(by) >= 20 and set(by) == {"prover", "enclosure", "exact"}
    false = {row.claim.id for row in ledger.rows if row.verdict is Verdict.REFUTED}
    printed = FALSE_AS_PRINTED.get(path.name, set())
    planted = {row.claim.id for row in ledger.rows if row.claim.kind == "planted"}
    assert false == planted | printed and not planted & printed
    assert {row.claim.id for row in ledger.rows if row.claim.finding != "none"} == printed


def test_the_example_ledger_comes_out_as_it_expects(kernel, tmp_path: Path) -> None:
    """Its claims by the kernel, its planted neighbours refuted, and all certified."""
    ledgers = opened([EXAMPLE])
    proofs = sum(bool(one.proof) and not one.cites for one in ledgers.claims)
    cited = {one.cites for one in ledgers.claims if one.cites}
    ledger = examined(ledgers)
    assert ledger.as_expected and len(ledger.rows) == 56
    assert sum(row.verdict is Verdict.REFUTED for row in ledger.rows) == 7
    assert {row.claim.id for row in ledger.behind} >= {"gaussian-tail", *cited}
    assert ledger["gp-ucb-constant"].rests_on == ("gp-ucb-variance",)
    assert not ledger["gp-ucb-tail"].as_recorded and len(kernel) == proofs
    few = ("gp-posterior-one", "gp-ucb-variance")
    assert examined(ledgers, *few).as_expected and len(kernel) == proofs
    assert examined(ledgers, *few, anew=True).as_expected and len(kernel) == proofs + len(few)
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(certificate(ledger, "1")), encoding="utf-8")
    every = tuple(ledgers.known.values())
    results = {one.id: one for one in recheck(path, every)}
    assert all(one.accepted for one in results.values())
    assert results["gp-ucb-tail"].reason == "Coq 8.18 accepts claim_gp_ucb_tail"
    assert {one.id for one in recheck(path)} and not all(one.accepted for one in recheck(path))


def test_a_certificate_of_another_script_is_refused(kernel, tmp_path: Path) -> None:
    ledgers = opened([EXAMPLE])
    path = tmp_path / "certificate.json"
    body = certificate(examined(ledgers, "gp-ucb-variance"), "1")
    path.write_text(json.dumps(body), encoding="utf-8")
    one = ledgers.known["gp-ucb-variance"]
    for changed, said in (
        (replace(one, proof="intros."), "its theorem is not the one"),
        (replace(one, proof="no."), "Coq refuses line 2"),
        (replace(one, proof=""), "has no proof"),
    ):
        every = {**ledgers.known, one.id: changed}
        (found,) = recheck(path, tuple(every.values()))
        assert not found.accepted and said in found.reason


def test_two_ledgers_do_not_share_an_id(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(ONE.format("gp-ucb-tail"), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"mine\.toml = gp-ucb-tail: stands in docs.*too"):
        opened([EXAMPLE, mine])
    mine.write_text(ONE.format("log-below-line"), encoding="utf-8")
    with pytest.raises(InvalidInput, match="is a claim of the shipped ledger textbook"):
        opened([mine])
    assert opened([EXAMPLE / "paper.toml"]).papers == opened([EXAMPLE]).papers
    assert not opened().own and opened([EXAMPLE]).own


ONE = '[{0}]\nlabel = "L"\nwhere = "here"\nstatement = "S."\nbecause = "B."\nformula = "1 <= 2"\n'


@pytest.mark.parametrize("key", ["rests_on", "repairs"])
def test_a_claim_that_does_not_exist_is_named_with_file_table_and_key(key: str, tmp_path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(f'{ONE.format("one")}{key} = ["gausian-tail"]\n', encoding="utf-8")
    said = rf"mine\.toml \[one\] {key} = gausian-tail: is no claim; did you mean gaussian-tail\?"
    with pytest.raises(InvalidInput, match=said):
        opened([mine])


def test_a_script_stands_in_its_table_or_beside_its_file(tmp_path: Path) -> None:
    mine, script = tmp_path / "mine.toml", tmp_path / "one.v"
    mine.write_text(ONE.format("one") + ONE.format("two"), encoding="utf-8")
    script.write_text("intros.\nlra.\n", encoding="utf-8")
    assert [claim.proof for claim in opened([mine]).claims] == ["intros.\nlra.", ""]
    mine.write_text(ONE.format("one") + 'proof = "lra."\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"mine\.toml \[one\] proof = lra\.: stands in one\.v"):
        opened([mine])
    script.write_bytes(b"\xff")
    with pytest.raises(InvalidInput, match="proof"):
        opened([mine.rename(tmp_path / "other.toml")])


def test_what_is_started_is_a_ledger_as_it_stands(kernel, tmp_path: Path) -> None:
    for path in (tmp_path / "paper.toml", tmp_path / "one.toml"):
        for place, text in start_of(path).items():
            place.write_text(text, encoding="utf-8")
        ledgers = opened([path])
        assert examined(ledgers).as_expected and len(ledgers.claims) == 4
    assert opened([tmp_path]).papers[0].title == "The title of the paper"


def test_a_script_is_looked_for_once_and_remembered(kernel, monkeypatch) -> None:
    """Only where the assistant is asked anew, for what is expected to be PROVED and has none."""
    looked: list[list[str]] = []

    def found(known: Mapping[str, Claim], wanted: list[str]) -> dict[str, str]:
        looked.append(list(wanted))
        return {"planted": "intros.\nlra."}

    monkeypatch.setattr(own, "found_scripts", found)
    bare = replace(PLANTED, proof="", expected=Verdict.PROVED)
    others = (
        replace(bare, id="other", formula="x <= 2 + x"),
        replace(bare, id="hoped", formula="x <= 3 + x", expected=Verdict.SUPPORTED),
        replace(bare, id="treeless", formula="gamma(1+x*x) >= 0"),
    )
    claims = (bare, *others)
    verdicts = [row.verdict for row in verify(claims=claims).rows]
    assert verdicts == [Verdict.SUPPORTED] * 4 and not looked and not kernel
    ledger = verify(claims=claims, anew=True)
    assert looked == [["planted", "other"]]
    assert [row.verdict for row in ledger.rows] == [Verdict.PROVED, *[Verdict.SUPPORTED] * 3]
    assert ledger.rows[0].claim.proof == "intros.\nlra." and kernel == [
        ("planted", "intros.\nlra.")
    ]
    assert verify(claims=claims).rows[0].verdict is Verdict.PROVED and len(looked) == 1
    changed = replace(bare, formula="x <= 4 + x")
    assert verify(claims=(changed,)).rows[0].verdict is Verdict.SUPPORTED


def test_without_the_assistant_nothing_is_found(kernel, monkeypatch) -> None:
    def absent(known: Mapping[str, Claim], wanted: list[str]) -> dict[str, str]:
        raise InvalidInput("prover", "coqtop", "is not installed")

    monkeypatch.setattr(own, "found_scripts", absent)
    bare = replace(PLANTED, proof="", expected=Verdict.PROVED)
    assert verify(claims=(bare,), anew=True).rows[0].verdict is Verdict.SUPPORTED


def test_bounded_numbers_are_enclosed_without_being_asked(tmp_path: Path) -> None:
    head = '[{0}]\nlabel = "L"\nwhere = "here"\nstatement = "For x, n."\nbecause = "B."\n'
    text = "".join(
        head.format(name) + rest
        for name, rest in {
            "inside": 'for = "x in [0, 1/2]; n in {1..3}"\nformula = "x**n <= 1"\n',
            "hoped": 'for = "x in [0, 1]"\nformula = "x <= 1"\nexpected = "SUPPORTED"\n',
            "endless": 'for = "x in [0, oo)"\nformula = "x <= x + 1"\n',
            "relative": 'for = "x in [0, 1]; y in [0, x]"\nformula = "y <= 1"\n',
            "long": 'for = "n in {1..10000}"\nformula = "n <= 10000"\n',
        }.items()
    )
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    ledgers = opened([path])
    covered = {name: ledgers.known[name].box for name in ("inside", "hoped", "endless", "long")}
    assert covered == {"inside": "all", "hoped": None, "endless": None, "long": None}
    assert ledgers.known["relative"].box is None
    assert examined(ledgers, "inside").rows[0].by == "enclosure"


@needs_coq
@pytest.mark.slow
def test_the_usual_tactics_find_a_script(tmp_path: Path, monkeypatch) -> None:
    """Of a claim without bounds on its number, which enclosures cannot cover."""
    monkeypatch.setenv("CTV_RECEIPTS", str(tmp_path / "cache"))
    path = tmp_path / "mine.toml"
    path.write_text(
        '[touching]\nlabel = "L"\nwhere = "here"\nstatement = "For x >= 0."\n'
        'for = "x in [0, oo)"\nformula = "log(1+x) <= x"\nbecause = "Concave."\n',
        encoding="utf-8",
    )
    ledgers = opened([path])
    assert examined(ledgers).rows[0].verdict is Verdict.SUPPORTED
    assert examined(ledgers, anew=True).rows[0].verdict is Verdict.PROVED
    assert examined(ledgers).rows[0].by == "prover"


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("path", LEDGERS, ids=lambda path: path.name)
def test_ledgers_of_other_papers_are_accepted(path: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("CTV_RECEIPTS", str(tmp_path))
    assert examined(opened([path])).as_expected


@needs_coq
@pytest.mark.slow
def test_the_example_ledger_is_accepted_by_the_assistant(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("CTV_RECEIPTS", str(tmp_path))
    ledgers = opened([EXAMPLE])
    assert examined(ledgers).as_expected
    one = ledgers.known["gp-ucb-variance"]
    refused = workbench.tried(one, "intros.\nlra.", ledgers.known)
    assert (refused.accepted, refused.line) == (False, 2) and refused.message
    unfinished = workbench.tried(one, "intros.\nrsplit.", ledgers.known)
    assert not unfinished.accepted and "3 goals" in unfinished.goals
    false = ledgers.known["gp-ucb-union-without-points"]
    assert not workbench.tried(false, "specialize (H (1) (1) (1 / 2)).\nfails H.", {}).accepted


def test_proofs_are_asked_for_together_and_apart_where_one_is_refused(kernel, monkeypatch) -> None:
    """One start of the assistant for all; a refusal names nobody, so each is then asked alone."""
    starts: list[list[str]] = []

    def proved(claims: list[Claim], known: Mapping[str, Claim]) -> Judged:
        starts.append([one.id for one in claims])
        if any("no." in one.proof for one in claims):
            raise ProverFailed("refused")
        trees = (f"means\n  {alone.tree_of(one)}" for one in claims)
        return Judged(("classic",), tuple(map(proposition, trees)))

    monkeypatch.setattr(own, "proved_together", proved)
    sound = replace(PLANTED, expected=Verdict.PROVED)
    both = (sound, replace(sound, id="second", formula="x <= 2 + x"))
    assert verify(claims=both).as_expected and not kernel
    assert verify(claims=both).as_expected and starts == [["planted", "second"]]
    assert verify(claims=both, anew=True).as_expected and len(starts) == 2 and not kernel
    wrong = (*both, replace(sound, id="third", formula="x <= 3 + x", proof="no."))
    found = verify(claims=(*wrong, replace(wrong[2], id="fourth")))
    assert [row.verdict for row in found.rows[:2]] == [Verdict.PROVED] * 2
    assert [row.verdict for row in found.rows[2:]] == [Verdict.UNDECIDED] * 2
    assert starts[-1] == ["third", "fourth"] and [name for name, _ in kernel] == ["third", "fourth"]


LISTS = """
where = "here"
[sum]
label = "Term by term"
statement = "For n >= 1 numbers v_k in [0, 1]: the sum of squares is at most that of the numbers."
for = "n in {1..}; v in [0, 1]^n"
formula = "sum(v[k]**2 for k in range(n)) <= sum(v[k] for k in range(n))"
because = "Squares of numbers below 1."
proof = "all: sequences."

[citing]
label = "By the tail"
statement = "For n >= 1 rounds: n tails beyond c >= 0 are at most n exp(-c^2/2)."
for = "n in {1..}; c in [0, oo)"
formula = "sum(2*normal_cdf(-c) for k in range(n)) <= n*exp(-c**2/2)"
because = "gaussian-tail, n times."
proof = '''
destruct (claim_gaussian_tail x) as [T _]; [lra|].
rewrite sum_constant.
apply Rmult_le_compat_l; [apply pos_INR|exact T].
'''

[wrong]
label = "Not closed"
statement = "For n >= 1 numbers v_k in [0, 1]: their sum is at most n - 1."
for = "n in {1..}; v in [0, 1]^n"
formula = "sum(v[k] for k in range(n)) <= n - 1"
because = "False."
proof = "all: sequences."
"""


@needs_coq
@pytest.mark.slow
def test_a_claim_about_a_list_is_proved_through_its_tree(tmp_path: Path, monkeypatch) -> None:
    """Alone, together with others, and citing a theorem about numbers."""
    monkeypatch.setenv("CTV_RECEIPTS", str(tmp_path / "cache"))
    (tmp_path / "mine.toml").write_text(LISTS, encoding="utf-8")
    ledgers = opened([tmp_path / "mine.toml"])
    ones = {name: ledgers.known[name] for name in ("sum", "citing", "wrong")}
    assert {own.part_of(one) for one in ones.values()} == {"tree"}
    found = {name: own.evidence(one, ledgers.known) for name, one in ones.items()}
    verdicts = {name: one.verdict for name, one in found.items() if one is not None}
    undecided = Verdict.UNDECIDED
    assert verdicts == {"sum": Verdict.PROVED, "citing": Verdict.PROVED, "wrong": undecided}
    assert found["citing"].uses == ("gaussian-tail",)
    # With one over numbers too, whose theorem stands beside the one that is cited.
    sound = [ones["sum"], ones["citing"], PLANTED]
    assert own.asked_together(sound, ledgers.known, anew=True) == {"sum", "citing", "planted"}
    assert not own.asked_together(list(ones.values()), ledgers.known, anew=True)


CITED = """
where = "section 3"
kind = "step"
[my-tail]
label = "Tails"
cites = "gaussian-tail"

[my-supremum]
label = "Suprema"
statement = "In our words."
cites = "borell-tis"
"""


def test_a_citation_has_the_mathematics_and_the_verdict_of_what_it_cites(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(CITED, encoding="utf-8")
    ledgers = opened([tmp_path / "mine.toml"])
    tail, entry = ledgers.known["my-tail"], shipped()["gaussian-tail"]
    assert (tail.formula, tail.parameters, tail.proof) == (
        entry.formula,
        entry.parameters,
        entry.proof,
    )
    assert (tail.label, tail.where, tail.statement) == ("Tails", "section 3", entry.statement)
    assert shipped()["borell-tis"].statement in ledgers.known["my-supremum"].reading
    ledger = examined(ledgers)
    rows = {row.claim.id: row for row in ledger.rows}
    assert rows["my-tail"].verdict is Verdict.PROVED and rows["my-tail"].by == "prover"
    assert rows["my-tail"].rests_on == ("gaussian-tail",)
    assert rows["my-tail"].to_json()["cites"] == "gaussian-tail"
    assert rows["my-supremum"].verdict is Verdict.SUPPORTED
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(certificate(ledger, "1")), encoding="utf-8")
    checked = {one.id: one.accepted for one in recheck(path, tuple(ledgers.known.values()))}
    assert checked["my-tail"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('cites = "gausian-tail"', "did you mean gaussian-tail?"),
        ('cites = "gaussian-tail"\nformula = "1 <= 2"', "has no mathematics of its own"),
        ("cites = 3", "write a text in quotes"),
    ],
)
def test_a_wrong_citation_says_what_is_meant(given: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'[one]\nlabel = "L"\nwhere = "w"\n{given}\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=said):
        opened([path])


def test_the_page_lists_what_is_made_to_be_cited() -> None:
    section = next(one for one in PAPERS["textbook"].sections if one.name == "bandits")
    page = Path("docs/own_ledgers.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| (.+) \|$", page, re.M)
    assert rows == [(one.id, one.label) for one in section.claims]
