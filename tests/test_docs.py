"""The documentation: what it refers to is there, and its walk-throughs do what they say."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from bounds.gain.registry import GAIN_BOUNDS
from bounds.kernels import forget
from bounds.laws import check_bound_laws, check_kernel_laws, check_regret_bound_laws
from bounds.regret.registry import REGRET_BOUNDS
from ctv import cli
from ctv.terminal.command import for_python
from proofs_check.ledgers import CLAIMS
from tests.checkout import ROOT, tracked

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
THEORY = (DOCS / "theory.md").read_text(encoding="utf-8")
ANCHORS = set(re.findall(r'<a id="([\w-]+)"></a>', THEORY))
PACKAGES = ("bounds", "simulation", "proofs_check", "ctv", "own_runs")
DURATIONS = [1.0, 2.0, 0.5, 1.0, 4.0, 1.0]
SMALL = {"dimension": 1, "grid": 5}


def others(*suffixes: str) -> list[Path]:
    """The files of the project with these endings, this one left out."""
    return [path for path in tracked(*suffixes) if path != Path(__file__).resolve()]


def anchors_in(text: str) -> Iterator[str]:
    """What stands behind docs/theory.md, `#a` alone or in a row, `#a and #b`."""
    for found in re.finditer(r"docs/theory\.md(#[\w-]+(?:(?:,| and) #[\w-]+)*)", text):
        yield from re.findall(r"#([\w-]+)", found[1])


def lost_anchors(text: str) -> list[str]:
    return sorted(set(anchors_in(text)) - ANCHORS)


def test_every_anchor_resolves() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in others(".py", ".md", ".ipynb")}
    assert {
        str(p.relative_to(ROOT)): lost_anchors(t) for p, t in texts.items() if lost_anchors(t)
    } == {}
    assert sum(len(list(anchors_in(text))) for text in texts.values()) > 50


def test_an_anchor_that_is_not_there_is_seen() -> None:
    assert lost_anchors("as docs/theory.md#lemma-m and #nowhere say") == ["nowhere"]


def test_anchors_are_said_once() -> None:
    every = re.findall(r'<a id="([\w-]+)"></a>', THEORY)
    assert sorted(every) == sorted(ANCHORS)


def test_no_notes_outside_of_the_project_are_cited() -> None:
    cited = re.compile(r"THEORY(?:\.md)?['’s]*\s*\d|THEORY\.md|theory notes", re.IGNORECASE)
    offending = {
        str(path.relative_to(ROOT)): found[0]
        for path in others(".py", ".md", ".ipynb", ".toml", ".v")
        for found in [
            re.search(
                cited, re.sub(r"docs/theory\.md|\(theory\.md", "", path.read_text(encoding="utf-8"))
            )
        ]
        if found
    }
    assert offending == {}


def place_of(where: str) -> str:
    """What kind of place a claim's `where` names: the paper, the theory, a book; or nothing."""
    if "docs/theory.md" in where:
        return "" if lost_anchors(where) or not list(anchors_in(where)) else "theory"
    paper = r"(?:sections?|appendix|title|abstract|figure|table|theorem|lemma)\b"
    if re.match(paper, where, re.IGNORECASE):
        return "paper"
    book = r"textbook\b|(?:Horn and Johnson|Cover and Thomas|Adler and Taylor|Maurer and Pontil)\b"
    return "book" if re.match(book, where) else ""


def test_every_claim_says_where_its_statement_stands() -> None:
    assert {claim.id: claim.where for claim in CLAIMS if not place_of(claim.where)} == {}
    assert (
        place_of("docs/theory.md#nowhere")
        == place_of("the notes")
        == place_of("docs/theory.md")
        == ""
    )


def test_links_within_the_project_resolve() -> None:
    lost = []
    for page in [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        shown = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", shown):
            if re.match(r"https?://|mailto:", target):
                continue
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            if file == DOCS / "architecture.svg":  # made when the pages are
                continue
            text = file.read_text(encoding="utf-8") if anchor else ""
            if not file.exists() or (anchor and f'<a id="{anchor}"></a>' not in text):
                lost.append(f"{page.name}: {target}")
    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_are_named_exist(page: Path) -> None:
    named = re.findall(
        r"`((?:bounds|simulation|proofs_check|ctv|tests)/[\w./*-]*)`", page.read_text()
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_room_has_its_line() -> None:
    text = (DOCS / "rooms.md").read_text(encoding="utf-8")
    rooms = {
        f"{package}/{folder.name}"
        for package in PACKAGES
        for folder in (ROOT / package).iterdir()
        if (folder / "__init__.py").exists()
    }
    assert sorted(room for room in rooms if f"`{room}`" not in text) == []


def maker(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    spec = spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_glossary_is_current() -> None:
    assert (DOCS / "glossary.md").read_text(encoding="utf-8") == maker("make_glossary").page()


# The walk-throughs of contributing.md and own_ledgers.md, each run as it stands.

WALKED = {
    "contributing.md#a-kernel": "test_the_kernel_keeps_the_laws_and_works",
    "contributing.md#a-bound-on-the-gain": "test_the_bound_keeps_the_laws_beside_the_others",
    "contributing.md#a-bound-on-regret": "test_the_bound_on_regret_keeps_the_laws_and_is_shown",
    "contributing.md#a-policy": "test_the_policy_runs",
    "contributing.md#a-noise": "test_the_noise_is_drawn_as_it_says",
    "own_ledgers.md#a-proof": "test_the_claim_is_told_what_its_proof_has_to_show",
    "own_ledgers.md#a-ledger": "test_the_ledger_of_another_paper_is_examined",
    "contributing.md#a-command": "test_the_command_is_one",
    "contributing.md#a-reader-of-logs": "test_the_reader_reads_its_files_and_refuses_others",
}


def test_the_architecture_is_two_screens_whose_recipes_are_walked() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 60
    table = page.partition("## Where to add what")[2]
    assert set(re.findall(r"\]\(([\w.]+#[\w-]+)\) \|$", table, re.M)) == WALKED.keys()
    assert set(WALKED.values()) <= globals().keys()


def block_with(words: str) -> str:
    """The one Python block of contributing.md that holds these words."""
    text = (DOCS / "contributing.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (found,) = [block for block in blocks if words in block]
    return found


@contextmanager
def written(words: str, name: str) -> Iterator[ModuleType]:
    """That block as an imported module."""
    module = ModuleType(name)
    sys.modules[name] = module
    try:
        exec(compile(block_with(words), name, "exec", dont_inherit=True), vars(module))
        yield module
    finally:
        del sys.modules[name]


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]):
    """Run `ctv` with some words and return what it printed."""

    def run(*words: object) -> str:
        with pytest.raises(SystemExit) as left:
            cli.main([str(word) for word in words])
        seen = capsys.readouterr()
        assert not left.value.code, seen.err
        return seen.out

    return run


WORDS = ("--n", "6", "--total", "9", "--dimension", "1", "--grid", "5")


def test_the_kernel_keeps_the_laws_and_works(terminal) -> None:
    with written("class Hyperbolic", "hyperbolic") as module:
        try:
            check_kernel_laws(module.Hyperbolic(3.0), examples=10)
            kernel = ("--time-kernel", "hyperbolic:lengthscale=600")
            found = json.loads(terminal("bound", *WORDS, *kernel, "--json"))
            assert found["problem"]["time_kernel"] == "hyperbolic"
            assert found["gain"]["lower"] <= found["gain"]["refined"] < found["gain"]["trivial"]
            assert found["certified"]["refined"] is True
        finally:
            forget(module.Hyperbolic)


def test_the_bound_keeps_the_laws_beside_the_others(terminal) -> None:
    import ctv

    with written("class OneCentre", "one_centre") as module:
        try:
            check_bound_laws(module.OneCentre(), examples=8)
            value = ctv.bound(DURATIONS, budget="fast", **SMALL)
            found = value.to_dict()
            assert found["gain"]["lower"] <= found["gain"]["one_centre"] < float("inf")
            assert found["regret"]["one_centre"] > 0.0
            assert found["certified"]["one_centre"] is False
            assert "one centre" in value._repr_html_()
            assert "one centre" in terminal("bound", *WORDS, "--budget", "fast", "--all")
        finally:
            GAIN_BOUNDS.unregister("one_centre")


def test_the_bound_on_regret_keeps_the_laws_and_is_shown(terminal) -> None:
    import ctv

    with written("class ExpectedRange", "expected_range") as module:
        try:
            check_regret_bound_laws(module.ExpectedRange(), examples=8)
            rows = {row["name"]: row for row in ctv.bound(DURATIONS, **SMALL).to_dict()["beside"]}
            assert rows["expected_range"]["value"] == pytest.approx(12 * (2 * np.log(5)) ** 0.5)
            assert rows["expected_maximum"]["value"] < rows["expected_range"]["value"]
            assert "expected range" in terminal("bound", *WORDS, "--all")
        finally:
            REGRET_BOUNDS.unregister("expected_range")


def test_the_policy_runs(terminal) -> None:
    from simulation.policies.registry import forget

    with written("class GreedyMean", "greedy_mean"):
        try:
            words = ("--policy", "greedy-mean,random", "--runs", "2", "--initial", "2")
            more = ("--rounds", "4", "--dimension", "1", "--grid", "5", "--workers", "1")
            found = json.loads(terminal("simulate", *words, *more, "--json"))
            assert set(found["policies"]) == {"greedy-mean", "random"}
            assert found["policies"]["greedy-mean"]["regret_per_round"] >= 0.0
        finally:
            forget("greedy-mean")


def test_the_noise_is_drawn_as_it_says() -> None:
    with written("class Neighbours", "neighbours") as module:
        noise = module.Neighbours(0.25, 0.5, 4)
        assert noise.covariance(4)[0].tolist() == [0.25, 0.125, 0.0625, 0.03125]
        assert noise.least == pytest.approx(np.linalg.eigvalsh(noise.matrix)[0])
        drawn = noise.draw(np.random.default_rng(1).standard_normal((200_000, 4)))
        assert np.cov(drawn.T) == pytest.approx(noise.matrix, abs=0.005)


def test_the_reader_reads_its_files_and_refuses_others(terminal, tmp_path, monkeypatch) -> None:
    from ctv import extensions

    run = tmp_path / "run.log"
    with written("class TookTimes", "took_times") as module:
        took, others_of = {"took": module.TOOK_TIMES}, extensions.loaded
        monkeypatch.setattr(
            extensions, "loaded", lambda group: took if group == "times" else others_of(group)
        )
        run.write_text("took 1.5 s\ntook 2.5 s\n", encoding="utf-8")
        found = json.loads(terminal("uniformity", "--times", run, "--json"))
        assert found["problem"]["n"] == 2 and found["problem"]["total_time"] == 4.0
        run.write_text("took long\n", encoding="utf-8")
        with pytest.raises(SystemExit) as left:
            cli.main(["uniformity", "--times", str(run)])
        assert left.value.code == 2


def of_own_ledgers(language: str) -> list[str]:
    """The blocks of own_ledgers.md in a language."""
    text = (DOCS / "own_ledgers.md").read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_ledger_of_another_paper_is_examined(terminal) -> None:
    """Its verdicts by the assistant are those of test_prover_own; here by the search alone."""
    first = of_own_ledgers("console")[0]
    assert first == "$ ctv verify docs/ledgers/srinivas2010\n"
    words = first.split()[2:]
    assert "REFUTED" in terminal(*words, "gp-ucb-weights-of-eight")
    assert "2 PROVED" in terminal(*words, "gp-ucb-box-two", "gp-spectral-constant")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The claim of own_ledgers.md in a file."""
    path = tmp_path / "mine.toml"
    claim = of_own_ledgers("toml")[-1]
    path.write_text(claim, encoding="utf-8")
    return path


def test_the_claim_is_told_what_its_proof_has_to_show(terminal, mine: Path) -> None:
    goal = of_own_ledgers("coq")[0]
    found = json.loads(
        terminal("verify", mine, "variance-by-logarithm", "--show", "goal", "--json")
    )
    assert found["goal"].split() == goal.split()
    from proofs_check.ledgers import opened
    from proofs_check.records.verify import verify

    (row,) = verify(claims=opened([mine]).claims).rows
    assert row.verdict == "SUPPORTED" and not row.as_expected


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="the proof assistant is absent")
def test_the_claim_is_proved_as_the_page_says(terminal, mine: Path, tmp_path, monkeypatch) -> None:
    from proofs_check.ledgers import opened
    from proofs_check.prover.workbench import tried

    monkeypatch.setenv("CTV_RECEIPTS", str(tmp_path / "cache"))
    _, first, second = of_own_ledgers("coq")
    known = opened([mine]).known
    refused = tried(known["variance-by-logarithm"], first, known)
    assert (refused.accepted, refused.line) == (False, 2) and refused.message
    assert tried(known["variance-by-logarithm"], second, known).accepted
    mine.write_text(f"{mine.read_text()}proof = '''\n{second}'''\n", encoding="utf-8")
    (row,) = json.loads(terminal("verify", mine, "--json"))["claims"]
    assert (row["verdict"], row["by"], row["as_recorded"]) == ("PROVED", "prover", False)


def test_the_command_is_one(terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    with written("class Span", "ctv.commands.span") as module:
        monkeypatch.setattr(cli, "COMMANDS", (*cli.COMMANDS, "span"))
        found = json.loads(terminal("span", *WORDS[:4], "--json"))
        assert set(found) == {"format", "version", "rounds", "span"}
        assert (found["format"], found["span"]) == ("ctv-bounds span 1", 7.5)
        assert "Span" in terminal("span", *WORDS[:4])
        assert for_python(module.span)([1.0, 2.0, 3.0]).to_dict()["span"] == 5.0


# The formats of certificates.md against what is written.

FORMATS = (DOCS / "certificates.md").read_text(encoding="utf-8")


def section(anchor: str) -> set[str]:
    """The words in backticks of one section."""
    text = FORMATS.split(f'<a id="{anchor}"></a>')[1].split("<a id=")[0]
    return {word for code in re.findall(r"`([^`]+)`", text) for word in re.findall(r"[\w.]+", code)}


def keys_of(data: object) -> set[str]:
    """Every key of nested objects, but those of kernels and domains."""
    if isinstance(data, list):
        return set().union(*map(keys_of, data))
    if not isinstance(data, dict) or "type" in data:
        return set()
    return set(data).union(*map(keys_of, data.values()))


def test_the_certificate_of_bounds_is_as_described(terminal, tmp_path: Path) -> None:
    from proofs_check.recheck.reading import BOUND_FORMAT as FORMAT
    from proofs_check.records.bound_certificate import CLAIMED

    file = tmp_path / "bound.json"
    terminal("bound", *WORDS, "--certificate", file)
    body = json.loads(file.read_text(encoding="utf-8"))
    assert body["format"] == FORMAT and FORMAT in FORMATS
    assert keys_of(body) <= section("bound-certificate")
    names = {name.partition(".")[2] or name for name in CLAIMED}
    assert {claim["id"] for claim in body["claims"]} <= set(CLAIMED)
    assert names <= {
        part for word in section("bound-certificate") for part in (word, word.partition(".")[2])
    }


def test_the_certificate_of_claims_is_as_described() -> None:
    from proofs_check.records.certificate import certificate
    from proofs_check.records.verify import verify

    body = certificate(verify(["lemma-1-exact", "theorem-1-n-zero"]), "0")
    entries = body.pop("claims")
    assert {*body, *(key for entry in entries for key in entry)} <= section("claims-certificate")
    assert {"counterexample", "box"} <= {key for entry in entries for key in entry}


def test_a_study_is_as_described(terminal, tmp_path: Path) -> None:
    import numpy as np

    folder = tmp_path / "study"
    words = ("--policy", "random", "--runs", "1", "--initial", "1", "--rounds", "2")
    terminal("simulate", *words, "--dimension", "1", "--grid", "4", "--out", folder)
    held = json.loads((folder / "study.json").read_text(encoding="utf-8"))
    assert {*held, *held["study"]} <= section("study-folder")
    with np.load(folder / "random-0.npz") as stored:
        assert set(stored) <= section("study-folder")


def test_prior_and_search_files_are_as_described() -> None:
    from dataclasses import fields

    from own_runs.live.session import Trial
    from simulation.after_run.coverage import Coverage

    assert {field.name for field in fields(Trial)} <= section("own-search")
    assert {field.name for field in fields(Coverage)} <= section("coverage-study")
    bundled = json.loads((ROOT / "simulation/data/experiments.json").read_text(encoding="utf-8"))
    assert set(bundled) <= section("experiment-results")
    tuned = json.loads((ROOT / "simulation/data/tuned.json").read_text(encoding="utf-8"))
    assert {*tuned, *tuned["studies"][0]} <= section("experiment-results")
