"""`ctv verify`: exit codes, JSON keys, one claim in full, certificates, bad input."""

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ctv.commands import verify as command
from ctv.figures import findings
from ctv.pages.ledger_text import ledger_markdown
from ctv.show.ledger import Verified
from proofs_check.language.claim import Verdict
from proofs_check.language.ledger_file import Paper
from proofs_check.ledgers import TEMPLATE
from proofs_check.prover.alone import ScriptFailed
from proofs_check.prover.kernel import Judged
from proofs_check.records.ledger import Ledger
from proofs_check.records.verify import verify
from tests.command_line import printed

IDS = ("lemma-1-capped", "lemma-1-exact")
EXAMPLE = "docs/ledgers/srinivas2010"
KEYS = {
    "id",
    "label",
    "where",
    "statement",
    "verdict",
    "expected",
    "finding",
    "printed_proof",
    "reason",
    "engines",
    "counterexample",
    "repairs",
    "seconds",
}


@pytest.fixture(scope="module")
def ledger():
    return verify(claims=TEMPLATE)


def test_json_has_the_promised_keys(ctv) -> None:
    found = ctv("verify", *IDS, "--json").json
    assert {"claims", "summary", "version", "seed"} <= set(found)
    assert [claim["id"] for claim in found["claims"]] == list(IDS)
    assert all(set(claim) >= KEYS for claim in found["claims"])
    (paper,) = (one for one in found["coverage"] if one["sentences"])
    assert (
        paper["sentences"]["total"] == 509 and "no claim yet" not in paper["sentences"]["without"]
    )
    assert paper["places"]["judged"] + len(paper["places"]["without"]) == paper["places"]["total"]
    refuted = found["claims"][0]
    assert refuted["verdict"] == refuted["expected"] == "REFUTED"
    assert refuted["counterexample"]["left"] != refuted["counterexample"]["right"]
    assert found["summary"]["unexpected"] == []


def test_one_claim_in_full(ctv) -> None:
    outcome = ctv("verify", "lemma-1-capped")
    assert outcome.code == 0
    for word in (
        "statement",
        "counterexample",
        "left side",
        "237/40",
        "repaired by",
        "lemma-1-exact",
    ):
        assert word in outcome.stdout


def test_a_theorem_of_the_theories_stands_before_the_case_that_was_searched(ctv) -> None:
    shown = ctv("verify", "theory-a-below-theorem-1").stdout
    names = ("reading", "theorem says", "given", "case searched", "theorem ")
    found = re.findall(rf"^\s*({'|'.join(names)}|formula) ", shown, re.M)
    assert list(dict.fromkeys(found)) == list(names)
    assert found.count("given") == 7
    (claim,) = ctv("verify", "theory-a-below-theorem-1", "--json").json["claims"]
    assert claim["case"] and not claim["formula"]
    said = {given["premise"]: given["words"] for given in claim["hypotheses"]}
    assert said["(forall t u : R, 0 <= h t u)"] == "k >= 0" and all(said.values())


def test_a_formula_that_is_proved_is_not_called_a_case(ctv) -> None:
    (claim,) = ctv("verify", "theory-a-outline", "--json").json["claims"]
    assert claim["formula"] and not claim["case"]
    assert claim["hypotheses"][0] == {"premise": "H <= S", "words": "H <= S"}
    assert "case searched" not in ctv("verify", "theory-a-outline").stdout


def test_the_ledger_names_the_theorem_and_no_hypothesis_of_the_case() -> None:
    row = verify(["appendix-c-lags-doubled"])["appendix-c-lags-doubled"]
    given = replace(row, claim=replace(row.claim, hypotheses=("x <= i",)))
    text = ledger_markdown(Ledger((given,), "fast", 0), [Paper("One's own")])
    assert "PROVED by prover (`appendix_c_lags_doubled`)" in text and "*Where:*" not in text


def test_the_table_and_what_it_leaves_out(ctv) -> None:
    everything = ctv("verify", *IDS, "--all").stdout
    assert "lemma-1-capped" in everything and "lemma-1-exact" in everything
    refuted = ctv("verify", *IDS, "--show", "refuted").stdout
    assert "lemma-1-exact " not in refuted


def test_a_certificate_goes_out_and_comes_back(ctv, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    words = ("sum-by-lags", "interlacing", *IDS)
    assert ctv("verify", *words, "--certificate", path).code == 0
    found = ctv("verify", path, "--json").json
    assert found["summary"] == {"checked": 3, "accepted": 3, "nothing_to_derive": 1}
    assert [item["id"] for item in found["nothing_to_derive"]] == ["interlacing"]
    assert "3 of 3" in ctv("verify", path).stdout
    body = json.loads(path.read_text(encoding="utf-8"))
    body["seed"] = 5
    path.write_text(json.dumps(body), encoding="utf-8")
    assert ctv("verify", path).is_one_line_about("certificate", "damaged")


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (("lemma-1-exakt",), ("claim", "lemma-1-exact")),
        (("--budget", "slow"), ("budget", "slow", "fast or deep")),
        (("--show", "wrong", "lemma-1-exact"), ("show", "wrong")),
        (("--workers", "0"), ("workers", "0")),
        (("--workers", "x"), ("workers", "x")),
        (("nowhere.json",), ("certificate", "nowhere.json")),
        (("--certificate", "/dev/null/c.json"), ("certificate",)),
        (("--out", "/"), ("out",)),
        (("--show", "goal"), ("show", "no claim", "name one claim")),
        (("--show", "refuted,proved"), ("show", "refuted,proved")),
        (("--kernel",), ("kernel", "name a certificate of bounds: ctv verify FILE")),
        (("OTHER", "--kernel", "--seed", "3"), ("seed = 3", "drop it")),
        (("OTHER", "--kernel"), ("certificate of bounds",)),
        (("a.json", "b.json"), ("certificate = b.json", "one is checked at a time")),
        ((*IDS, "--show", "goal"), ("show", "2 claims", "name one claim")),
        (("interlacing", "--show", "goal"), ("goal", "interlacing", "has nothing for a script")),
        (("lemma-1-exact", "--try", "nowhere.v"), ("try", "nowhere.v")),
        (("nowhere.toml",), ("claims", "nowhere.toml")),
        ((EXAMPLE, "lemma-1-exact"), ("claim", "lemma-1-exact")),
        ((EXAMPLE, EXAMPLE), (EXAMPLE, "stands in")),
        (("--out", f"{EXAMPLE}/paper.toml"), ("out", "is there already")),
        (("--out", "/dev/null/paper.toml"), ("out",)),
    ],
)
def test_bad_input_is_one_line(ctv, tmp_path: Path, words, about) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    given = (str(other) if word == "OTHER" else word for word in words)
    assert ctv("verify", *given).is_one_line_about(*about)


def test_a_claim_stays_one_beside_a_file_of_its_name(ctv, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lemma-1-exact").write_text("{}")
    assert ctv("verify", "lemma-1-exact", "--json").json["claims"][0]["id"] == "lemma-1-exact"
    assert ctv("verify", "./lemma-1-exact").is_one_line_about("certificate = ", "write it anew")


def test_a_surprise_is_shown_and_fails(ledger) -> None:
    row = replace(ledger.rows[0], claim=replace(ledger.rows[0].claim, expected=Verdict.SUPPORTED))
    surprising = replace(ledger, rows=(row, *ledger.rows[1:]))
    shown = Verified(surprising, tuple(command.selected(surprising, None)), alone=False)
    assert shown.exit_code() == 1
    assert "Not as expected: template-sum-of-logs" in " ".join(printed(shown).split())
    before = {r.claim.id for r in command.selected(ledger, "unexpected")}
    after = {r.claim.id for r in command.selected(surprising, "unexpected")}
    assert after - before == {row.claim.id}


def test_findings_come_first(ledger) -> None:
    rows = command.selected(ledger, None)
    assert rows[0].claim.finding == "false"
    assert [row.claim.id for row in command.selected(ledger, "findings")] == [rows[0].claim.id]


def test_findings_are_drawn() -> None:
    axes = findings.draw().axes
    assert [len(a.lines) for a in axes] == [3, 3]


def test_the_tree_of_theorem_1_goes_down_to_what_is_assumed(ctv) -> None:
    outcome = ctv("verify", "theorem-1", "--show", "tree", "--json")
    assert outcome.json["tree"][0] == [0, "theorem-1", "PROVED by prover"]
    names = {name for _, name, _ in outcome.json["tree"]}
    assert {"theory-a", "det-subadditivity", "schur-product", "cauchy-schwarz"} <= names
    assert all("person" not in verdict for _, _, verdict in outcome.json["tree"])
    assert "Coq.Reals.ClassicalDedekindReals.sig_not_dec" in outcome.json["axioms"]


def test_links_of_an_outline_are_a_persons(ctv) -> None:
    lines = ctv("verify", "theory-a-outline", "--show", "tree").stdout.splitlines()
    assert lines[0].startswith("theory-a-outline: OUTLINE")
    assert "  schur-product: PROVED by prover, linked by a person" in lines
    assert "The assistant's own axioms" in "\n".join(lines)


def test_a_goal_is_shown_with_what_may_be_cited(ctv) -> None:
    shown = ctv("verify", EXAMPLE, "gp-ucb-tail", "--show", "goal")
    assert shown.code == 0
    for text in ("Theorem claim_gp_ucb_tail :", "c in [0, oo)", "It may cite claim_gaussian_tail"):
        assert text in shown.stdout
    found = ctv("verify", "lemma-1-capped", "--show", "goal", "--json").json
    assert (found["part"], found["theorem"]) == ("negation", "refuted_lemma_1_capped")
    assert found["script"].endswith("fails H.") and found["tree"].startswith("(Int")


@pytest.fixture
def kernel(monkeypatch) -> None:
    """A kernel that refuses one script at its second line, and accepts all others."""

    def proved(claim, script, known) -> Judged:
        if script == "intros.\nlra.":
            raise ScriptFailed("Cannot find witness.", 2, "1 goal")
        return Judged(("classic",), ("digest",))

    monkeypatch.setattr("proofs_check.prover.workbench.proved_alone", proved)
    monkeypatch.setattr("proofs_check.prover.own.proved_alone", proved)
    monkeypatch.setattr("proofs_check.prover.own._WORTH_ONE_START", 10**6)
    monkeypatch.setattr("proofs_check.prover.own.coq_version", lambda: "8.18")


def test_a_goal_over_sums_is_its_tree(ctv) -> None:
    """A claim without a statement in words of the assistant had no screen at all."""
    shown = ctv("verify", "theory-q-rest", "--show", "goal").stdout
    assert "`walked` goes through" in shown and "(Sum (Num 0) (Var 0)" in shown


def test_an_attempt_fails_with_the_line_of_the_script(ctv, kernel, tmp_path: Path) -> None:
    script = tmp_path / "script.v"
    script.write_text("intros.\nlra.\n", encoding="utf-8")
    refused = ctv("verify", "log-below-line", "--try", script)
    assert refused.code == 1
    assert "refuses line 2 of the script for log-below-line" in refused.stdout
    assert "Cannot find witness." in refused.stdout and "1 goal" in refused.stdout
    script.write_text("lra.\n", encoding="utf-8")
    found = ctv("verify", "log-below-line", "--try", script, "--json")
    assert found.code == 0 and found.json["accepted"] and found.json["line"] is None
    assert "proof = '''\nlra.\n'''" in ctv("verify", "log-below-line", "--try", script).stdout
    script.write_text("\n", encoding="utf-8")
    assert ctv("verify", "log-below-line", "--try", script).is_one_line_about("try", "write")


def test_a_ledger_of_ones_own_stands_under_its_title(ctv, kernel, tmp_path: Path) -> None:
    markdown, certificate = tmp_path / "mine.md", tmp_path / "mine.json"
    words = (EXAMPLE, "gp-ucb-weights", "gp-ucb-weights-of-eight")
    shown = ctv("verify", *words, "--out", markdown, "--certificate", certificate)
    assert shown.code == 0 and "Gaussian process optimization" in shown.stdout
    text = markdown.read_text(encoding="utf-8")
    assert text.startswith("# Gaussian process optimization") and "arXiv:0912.3995" in text
    assert "2003.04691" not in text and "`gp-ucb-weights-of-eight`" in text
    again = ctv("verify", EXAMPLE, certificate, "--json").json
    assert again["summary"] == {"checked": 2, "accepted": 2, "nothing_to_derive": 0}
    assert "gp-ucb-tail" in again["missing"] and "lemma-1-exact" not in again["missing"]


def test_a_ledger_is_begun_and_examined(ctv, kernel, tmp_path: Path) -> None:
    place = tmp_path / "paper.toml"
    begun = ctv("verify", "--out", place, "--json").json
    assert begun["files"] == [str(place), str(tmp_path / "section_1.toml")]
    found = ctv("verify", place, "--json")
    assert found.code == 0 and found.json["summary"]["claims"] == 4
    assert found.json["summary"]["unexpected"] == []


def test_a_ledger_without_claims_is_not_the_shipped_ones(ctv, tmp_path: Path) -> None:
    """An empty file asks nothing; the claims that come with the project are not examined for it."""
    path = tmp_path / "empty.toml"
    path.write_text("")
    ran = ctv("verify", str(path))
    assert ran.is_one_line_about("claims")
    assert "holds no claim: write one" in ran.stderr


def test_an_assistant_that_refuses_everything_is_one_line(ctv, monkeypatch) -> None:
    refused = SimpleNamespace(returncode=1, stdout="", stderr="Error: no\n  heap")
    monkeypatch.setattr(
        "proofs_check.prover.kernel.subprocess.run", lambda *command, **options: refused
    )
    outcome = ctv("verify", "exp-at-most-one", "--prover")
    assert (outcome.code, outcome.stdout) == (1, "")
    assert outcome.stderr == "ctv: Error: no heap\n"
