"""The record: what an editor of record.json can reach, and what stands «as recorded» until a run.

Whoever edits the record can forge no verdict that the sources do not carry, and none that says
that the assistant has run here.
"""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from proofs_check.language.claim import Verdict
from proofs_check.prover import receipt, record, runner, written
from proofs_check.prover.export import NotExported, tree_of
from proofs_check.prover.kernel import proposition
from proofs_check.prover.readable import statement_of
from proofs_check.records.verify import verify
from tests.proofs_check.planted import ALL, claim

HONEST = ALL["log-below-line"]
UNPROVED = [one for one in ALL.values() if one.expected is Verdict.SUPPORTED and one.formula]
CITING = next(
    name
    for name, script in record.scripts().items()
    if record.expected_theorem(name) == runner.theorem_of(name)
    and any(one in script for one in ("claim_",))
    and runner.cited(script)
)


@pytest.fixture
def receipts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CTV_RECEIPTS", str(tmp_path / "receipts"))
    receipt.accepted.cache_clear()
    yield tmp_path / "receipts"
    monkeypatch.undo()
    receipt.accepted.cache_clear()


def forged(claim_id: str, **changes) -> record.Record:
    held = record.recorded()
    entry = {**held.theorems.get(claim_id, held.theorems[HONEST.id]), **changes}
    return replace(held, theorems={**held.theorems, claim_id: entry})


@pytest.mark.parametrize("name", [one.id for one in UNPROVED[:4]])
def test_a_claim_without_a_proof_is_not_proved_by_an_entry(name: str) -> None:
    """An entry of a claim without a script, without a theorem of the index, or as refuted."""
    assert len(UNPROVED) >= 4
    target, held = ALL[name], record.recorded()
    assert record.evidence(target) is None
    other = next(iter(held.statements))
    for theorem in (runner.theorem_of(name), runner.refutation_of(name), other, "basel", ""):
        try:
            said = {
                "statement": runner.digest(statement_of(target)),
                "tree": runner.digest(tree_of(target)),
            }
        except ArithmeticError:
            said = {}
        for entry in (
            {"theorem": theorem, "script": "", "uses": [], **said},
            {"theorem": theorem, "script": runner.digest("lra."), "uses": [], "tree": ""},
            {**next(one for one in held.theorems.values() if one["theorem"] == other)},
        ):
            found = record.evidence(target, forged(name, **entry))
            assert found is None or found.verdict is Verdict.ERROR, entry


def test_each_part_of_an_entry_is_compared_with_the_sources() -> None:
    stated = next(
        name
        for name, entry in record.recorded().theorems.items()
        if name in written.index() and entry["tree"]
    )
    for name in (HONEST.id, CITING, stated, next(iter(record.refutations()))):
        assert record.stale(ALL[name]) == ""
        for part in ("theorem", "statement", "tree", "script", "cites", "uses"):
            other = ["claim_basel"] if part == "uses" else runner.digest("another")
            found = record.evidence(ALL[name], forged(name, **{part: other}))
            assert found is None or found.verdict is Verdict.ERROR, (name, part)
            assert record.stale(ALL[name], forged(name, **{part: other})), (name, part)
        short = {**record.recorded().theorems[name]}
        del short["proof"]
        less = replace(record.recorded(), theorems={name: short})
        assert record.stale(ALL[name], less) == "the theorem"


def test_a_claim_over_sums_is_recorded_by_its_tree() -> None:
    """It rests on the theories of lists, and what its script proves is what the tree means."""
    target = ALL["theory-q-rest"]
    tree = tree_of(target)
    with pytest.raises(NotExported):
        statement_of(target)
    theorem = runner.Theorem(runner.theorem_of(target.id), f"means\n  {tree}", (), tree, "walked")
    found = runner.Accepted({}, {}, {}, {}, {}, {}, (), files={"walked": "compiled"})
    entry = record._entry(ALL, target.id, theorem, found)
    held = record.Record("8.16", record.sources(), theorems={target.id: entry})
    assert record.evidence(target, held).verdict is Verdict.PROVED
    weaker = replace(target, formula=target.formula.replace("2 + m*s", "3 + m*s"))
    assert record.stale(weaker, held) == "the tree"
    for name, fault in {"sequences.v": "sequences.v", "gains.v": ""}.items():
        other = replace(held, sources={**held.sources, name: runner.digest("another")})
        assert record.stale(target, other) == fault
    for part in ("theorem", "statement", "tree", "script", "cites"):
        forged_entry = {target.id: {**entry, part: runner.digest("another")}}
        assert record.stale(target, replace(held, theorems=forged_entry)) == f"the {part}"


def test_a_changed_script_makes_all_that_cite_it_stale(monkeypatch) -> None:
    honest = record.scripts()
    cited = {runner.theorem_of(name): name for name in honest}
    behind = cited[runner.cited(honest[CITING])[0]]
    monkeypatch.setattr(record, "scripts", lambda: {**honest, behind: honest[behind] + "\nidtac."})
    assert record.stale(ALL[behind]) == "the script"
    assert record.stale(ALL[CITING]) == "the cites"
    # and through one that it cites
    chain = {"a": "apply claim_b.", "b": "apply claim_c.", "c": "lra."}
    claims = {
        name: claim(f"x >= {k} - 9", *HONEST.parameters, id=name) for k, name in enumerate(chain)
    }
    digests = []
    for last in ("lra.", "nra.", "lra."):
        monkeypatch.setattr(record, "scripts", lambda last=last: {**chain, "c": last})
        digests.append(record._cites(claims, "a", "claim_a"))
    assert digests[0] == digests[2] != digests[1]
    claims["c"] = replace(claims["c"], formula="x >= 1")
    assert record._cites(claims, "a", "claim_a") != digests[2]


def test_a_damaged_record_is_one_line(tmp_path, monkeypatch) -> None:
    body = {"format": record.FORMAT, **asdict(record.Record())}
    for text in (
        "",
        "{",
        "[]",
        "{}",
        json.dumps({**body, "format": 2}),
        json.dumps({**body, "more": 1}),
    ):
        (tmp_path / "record.json").write_text(text)
        monkeypatch.setattr(record, "RECORD", tmp_path / "record.json")
        record.recorded.cache_clear()
        with pytest.raises(InvalidInput, match=r"^record = record\.json: is damaged or of another"):
            record.recorded()
    record.recorded.cache_clear()


def test_a_verdict_is_as_recorded_until_the_kernel_has_accepted_it_here(
    receipts: Path, monkeypatch
) -> None:
    row = verify([HONEST.id]).rows[0]
    assert (row.verdict, row.by, row.as_recorded) == (Verdict.PROVED, "prover", True)
    means = f"means\n  {tree_of(HONEST)}"
    for other in (f"~ {means}", "means (Holds Le (Num 0) (Num 1))"):
        receipt.keep([proposition(other)])
        assert row.as_recorded
    path = receipt.keep([proposition(means)])
    assert path.parent == receipts and not row.as_recorded
    assert len(json.loads(path.read_text())) == 3
    assert row.to_json()["as_recorded"] is False
    assert path.stem == receipt.sources_digest()
    with monkeypatch.context() as edited:
        edited.setattr(receipt, "sources_digest", lambda: "0" * 64)  # of other sources
        receipt.accepted.cache_clear()
        assert row.as_recorded
    receipt.accepted.cache_clear()
    assert not row.as_recorded
    path.write_text("no receipt")
    receipt.accepted.cache_clear()
    assert row.as_recorded


def test_a_theorem_of_the_theories_stands_here_by_what_it_states(receipts: Path) -> None:
    row = verify(["theory-b"]).rows[0]
    assert row.verdict is Verdict.PROVED and row.as_recorded
    receipt.keep([proposition(record.stated_in(row.claim))])
    assert record.stated_in(row.claim).startswith("theory_b : forall") and not row.as_recorded
    assert record.stated_in(HONEST) == "" == record.stated_in(UNPROVED[0])


def test_the_digest_of_a_ledger_does_not_depend_on_a_receipt(receipts: Path) -> None:
    ledger = verify([HONEST.id])
    before = ledger.digest()
    receipt.keep([proposition(f"means {tree_of(HONEST)}")])
    assert not ledger.rows[0].as_recorded and ledger.digest() == before


def test_a_receipt_is_of_every_file_of_the_package(tmp_path: Path) -> None:
    for name in ("a.py", "b.v", "c.json", "d.toml"):
        (tmp_path / name).write_text(name)
    found = {receipt.sources_digest(tmp_path)}
    for name in ("a.py", "b.v", "c.json", "d.toml", "e.py"):
        (tmp_path / name).write_text("another")
        found.add(receipt.sources_digest(tmp_path))
    (tmp_path / "a.py").rename(tmp_path / "z.py")
    found.add(receipt.sources_digest(tmp_path))
    assert len(found) == 7
    (tmp_path / "a.pyc").write_text("compiled")
    assert receipt.sources_digest(tmp_path) in found


def test_receipts_lie_in_the_users_cache(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv("CTV_RECEIPTS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert receipt.folder() == tmp_path / "ctv-bounds" / "proofs"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert receipt.folder() == tmp_path / "home" / ".cache" / "ctv-bounds" / "proofs"


def test_a_run_leaves_a_receipt_only_where_all_is_as_recorded(receipts, monkeypatch) -> None:
    known = record.Record("8", theorems={HONEST.id: {"theorem": "t", "proof": "1"}})
    monkeypatch.setattr(record, "recorded", lambda: known)
    for proof, theorem, same, kept in (("1", "t", True, 1), ("2", "t", False, 1), ("1", "u", 0, 0)):
        made = replace(known, theorems={HONEST.id: {"theorem": theorem, "proof": proof}})
        monkeypatch.setattr(
            record, "compiled_record", lambda claims, ids, made=made: (made, ("digest",))
        )
        found = record.compared()
        assert bool(found["receipt"]) is bool(kept) is (found["differing"] == [])
        if theorem == "t":
            assert found["same_files"] is same and "digest" in receipt.accepted()
        for path in receipts.glob("*"):
            path.unlink()
        receipt.accepted.cache_clear()
